//! What declared options are without text: structs with defaults and lists of words.

/// One thing for a single option, another for a set of options that stands among those of its owner.
#[doc(hidden)]
#[macro_export]
macro_rules! option_or_set {
    ([$default:expr] { $($option:tt)* } { $($set:tt)* }) => { $($option)* };
    ([] { $($option:tt)* } { $($set:tt)* }) => { $($set)* };
}

/// The struct of `options!`, with its defaults.
#[doc(hidden)]
#[macro_export]
macro_rules! declare_options {
    (
        $(#[doc = $about:literal])*
        $visibility:vis struct $name:ident $(for $games:ident)? {
            $(
                $(#[doc = $help:literal])+
                $key:ident: $type:ty
                    $(= $default:expr)? $(, in $low:literal to $high:literal)? $(, for $option_games:ident)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        $visibility struct $name {
            $($(#[doc = $help])+ pub $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $crate::option_or_set!([$($default)?] { $($default)? } { Default::default() }),)* }
            }
        }
    };
}

/// The list of words of `choices!`, with its default.
#[doc(hidden)]
#[macro_export]
macro_rules! declare_choices {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[doc = $help:literal])+ $variant:ident = $word:literal $(| $other:literal)* $(for $games:ident)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        $visibility enum $name {
            $($(#[doc = $help])+ $variant,)+
        }

        impl Default for $name {
            fn default() -> Self {
                [$(Self::$variant),+][0]
            }
        }
    };
}

/// Declares a set of options as a struct with defaults. With the feature `std` they can be read and written, too.
#[cfg(not(feature = "std"))]
#[macro_export]
macro_rules! options {
    ($($declaration:tt)*) => { $crate::declare_options! { $($declaration)* } };
}

/// Declares an option with a fixed list of words, the first of which is the default. With the feature `std` it can be read
/// and written, too.
#[cfg(not(feature = "std"))]
#[macro_export]
macro_rules! choices {
    ($($declaration:tt)*) => { $crate::declare_choices! { $($declaration)* } };
}
