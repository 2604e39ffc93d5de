//! Options declared once: the struct, its defaults and ranges, the reader, the writer and the help text.
//!
//! [`options!`](crate::options!) declares a set of options, [`choices!`](crate::choices!) an option with a fixed
//! list of words.

use crate::error::InputError;
use crate::expression::{Expression, write_sum};

/// What a help text says of one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// The key.
    pub key: &'static str,
    /// What values it takes.
    pub kind: String,
    /// Its value when left out.
    pub default: String,
    /// What it does.
    pub help: String,
}

/// A type that can be the value of an option.
pub trait OptionValue: Sized {
    /// Reads the parts of a value; none stands for a lone flag. The error says what is expected.
    fn read(parts: &[Expression]) -> Result<Self, String>;
    /// The value as it is written, or `None` for an option that is not set.
    fn write(&self) -> Option<String>;
    /// What values there are, for the help text.
    fn kind() -> String;
}

/// A number that can be held against the ends of a range.
pub trait InRange {
    /// Whether the number, if set, is from `low` to `high`.
    fn in_range(&self, low: f64, high: f64) -> bool;
}

macro_rules! number {
    ($($type:ty: $kind:literal),*) => {$(
        impl OptionValue for $type {
            fn read(parts: &[Expression]) -> Result<Self, String> {
                match parts {
                    [one] if one.arguments.is_empty() => one.name.parse().map_err(|_| Self::kind()),
                    _ => Err(Self::kind()),
                }
            }
            fn write(&self) -> Option<String> {
                Some(self.to_string())
            }
            fn kind() -> String {
                $kind.to_string()
            }
        }
        impl InRange for $type {
            fn in_range(&self, low: f64, high: f64) -> bool {
                (low..=high).contains(&(*self as f64))
            }
        }
    )*};
}
number!(f32: "a number", f64: "a number", u8: "a whole number", u32: "a whole number", u64: "a whole number");

impl OptionValue for bool {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match write_sum(parts).as_str() {
            "" | "on" | "true" | "yes" => Ok(true),
            "off" | "false" | "no" => Ok(false),
            _ => Err(Self::kind()),
        }
    }
    fn write(&self) -> Option<String> {
        Some(if *self { "on" } else { "off" }.to_string())
    }
    fn kind() -> String {
        "on or off".to_string()
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        T::read(parts).map(Some)
    }
    fn write(&self) -> Option<String> {
        self.as_ref().and_then(T::write)
    }
    fn kind() -> String {
        T::kind()
    }
}

impl<T: InRange> InRange for Option<T> {
    fn in_range(&self, low: f64, high: f64) -> bool {
        self.as_ref().is_none_or(|value| value.in_range(low, high))
    }
}

/// The error of a value that does not fit its option.
pub fn misfit(name: &str, key: &str, value: &[Expression], expected: &str) -> InputError {
    let problem = match write_sum(value) {
        written if written.is_empty() => "a value is missing".to_string(),
        written => format!("`{}` does not fit", crate::error::shorten(&written)),
    };
    InputError::new(format!("{name}, option {key}"), problem, format!("write {expected}"))
}

/// Declares a set of options as a struct that can be read from and written to an [`Expression`].
///
/// Each option has a doc comment (its help text), a type, a default and, for numbers, a range.
///
/// ```
/// spinney_core::options! {
///     /// The size of a board.
///     pub struct Size {
///         /// number of rows
///         rows: u8 = 8, in 5 to 8;
///         /// draw the border
///         border: bool = false;
///     }
/// }
/// use spinney_core::expression::Expression;
/// let read = |text: &str| Size::read(&Expression::read("game", text).unwrap());
/// assert_eq!(read("board(rows=6, border)").unwrap(), Size { rows: 6, border: true });
/// assert_eq!(
///     read("board(row=6)").unwrap_err().to_string(),
///     "board: unknown option `row`; did you mean `rows`?"
/// );
/// assert!(read("board(rows=9)").unwrap_err().to_string().contains("from 5 to 8"));
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $key:ident: $type:ty = $default:expr $(, in $low:literal to $high:literal)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $name {
            $($(#[doc = $help])+ pub $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)* }
            }
        }

        impl $name {
            /// What the help text says of each option.
            pub fn options() -> Vec<$crate::options::OptionInfo> {
                #[allow(unused_imports)]
                use $crate::options::OptionValue;
                let _defaults = Self::default();
                vec![$($crate::options::OptionInfo {
                    key: stringify!($key),
                    kind: {
                        #[allow(unused_mut)]
                        let mut kind = <$type as OptionValue>::kind();
                        $(kind += concat!(" from ", stringify!($low), " to ", stringify!($high));)?
                        kind
                    },
                    default: _defaults.$key.write().unwrap_or_default(),
                    help: concat!($($help),+).trim().to_string(),
                },)*]
            }

            /// Reads the options in the brackets of an expression; what is left out keeps its default.
            pub fn read(
                expression: &$crate::expression::Expression,
            ) -> Result<Self, $crate::InputError> {
                #[allow(unused_mut)]
                let mut result = Self::default();
                let mut seen: Vec<&str> = Vec::new();
                for argument in &expression.arguments {
                    let key = argument.key.as_str();
                    if seen.contains(&key) {
                        let place = format!("{}, option {key}", expression.name);
                        return Err($crate::InputError::new(place, "it is given twice", "remove one of them"));
                    }
                    seen.push(key);
                    match key {
                        $(stringify!($key) => {
                            let value = <$type as $crate::options::OptionValue>::read(&argument.value)
                                .map_err(|expected| {
                                    $crate::options::misfit(&expression.name, key, &argument.value, &expected)
                                })?;
                            $(if !$crate::options::InRange::in_range(&value, $low as f64, $high as f64) {
                                let expected = concat!("a value from ", stringify!($low), " to ", stringify!($high));
                                return Err($crate::options::misfit(&expression.name, key, &argument.value, expected));
                            })?
                            result.$key = value;
                        })*
                        _ => {
                            let known = [$(stringify!($key)),*];
                            return Err($crate::InputError::unknown(&expression.name, "option", key, known));
                        }
                    }
                }
                Ok(result)
            }

            /// The options that are set, as `key` and written value, in the order of declaration.
            pub fn write(&self) -> Vec<(&'static str, String)> {
                #[allow(unused_imports)]
                use $crate::options::OptionValue;
                #[allow(unused_mut)]
                let mut written = Vec::new();
                $(if let Some(value) = self.$key.write() {
                    written.push((stringify!($key), value));
                })*
                written
            }
        }
    };
}

/// Declares an option with a fixed list of words, the first of which is the default.
///
/// ```
/// spinney_core::choices! {
///     /// How ties are broken.
///     pub enum Ties {
///         /// one at random
///         Random = "random",
///         /// the first
///         First = "first",
///     }
/// }
/// assert_eq!(Ties::default(), Ties::Random);
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        impl Default for $name {
            fn default() -> Self {
                [$(Self::$variant),+][0]
            }
        }

        impl $crate::options::OptionValue for $name {
            fn read(parts: &[$crate::expression::Expression]) -> Result<Self, String> {
                match $crate::expression::write_sum(parts).as_str() {
                    $($word => Ok(Self::$variant),)+
                    other => Err(match $crate::error::nearest(other, &[$($word),+]) {
                        Some(near) => format!("{}; did you mean `{near}`?", Self::kind()),
                        None => Self::kind(),
                    }),
                }
            }
            fn write(&self) -> Option<String> {
                Some(match self { $(Self::$variant => $word,)+ }.to_string())
            }
            fn kind() -> String {
                [$($word),+].join(", ")
            }
        }
    };
}
