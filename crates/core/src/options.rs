//! Options declared once: the struct, its defaults and ranges, the reader, the writer and the help text.
//!
//! [`options!`](crate::options!) declares a set of options, [`choices!`](crate::choices!) an option with a fixed
//! list of words.

mod kind;

pub use kind::{OptionInfo, OptionKind, OptionPart, OptionRange, OptionWord};

use crate::error::{InputError, InputErrorKind};
use crate::expression::{Argument, Expression, write_sum};

/// A type that can be the value of an option.
pub trait OptionValue: Sized {
    /// Reads the parts of a value; none stands for a lone flag. The error says what is expected.
    fn read(parts: &[Expression]) -> Result<Self, String>;
    /// The value as it is written, or `None` for an option that is not set.
    fn write(&self) -> Option<String>;
    /// What values there are.
    fn kind() -> OptionKind;
}

/// A set of options, as [`options!`](crate::options!) declares it.
///
/// ```
/// use spinney_core::options::OptionSet;
/// spinney_core::options! {
///     /// A pause.
///     pub struct Pause {
///         /// how long
///         seconds: u32 = 5, in 1 to 60;
///         /// make a sound
///         sound: bool = false;
///     }
/// }
/// fn keys<S: OptionSet>() -> Vec<&'static str> {
///     S::options().iter().map(|option| option.key).collect()
/// }
/// assert_eq!((Pause::about().as_str(), keys::<Pause>()), ("A pause", vec!["seconds", "sound"]));
/// assert_eq!(Pause { seconds: 9, sound: false }.changed("pause").to_string(), "pause(seconds=9)");
/// ```
pub trait OptionSet: Sized + Default {
    /// What the set is for, in one line.
    fn about() -> String;
    /// What is known of each option.
    fn options() -> Vec<OptionInfo>;
    /// Reads the options in the brackets of an expression; what is left out keeps its default.
    fn read(expression: &Expression) -> Result<Self, InputError>;
    /// The options that are set, as `key` and written value, in the order of declaration.
    fn write(&self) -> Vec<(&'static str, String)>;

    /// `name(…)` with all options that are set.
    fn written(&self, name: &str) -> Expression {
        expression(name, self.write())
    }

    /// `name(…)` with only those options that differ from their defaults.
    fn changed(&self, name: &str) -> Expression {
        let defaults = Self::default().write();
        expression(name, self.write().into_iter().filter(|option| !defaults.contains(option)))
    }
}

fn expression(name: &str, options: impl IntoIterator<Item = (&'static str, String)>) -> Expression {
    let argument = |(key, value): (&str, String)| {
        let value = Expression::read_sum("option", &value)
            .unwrap_or_else(|_| vec![Expression { name: value, arguments: Vec::new() }]);
        Argument { key: key.to_string(), value }
    };
    Expression { name: name.to_string(), arguments: options.into_iter().map(argument).collect() }
}

/// Reads the value of an option whose own options stand in brackets; before these may stand nothing, `on` or one of
/// `names`. To be called by [`OptionValue::read`], with [`write_brackets`] and [`OptionKind::Brackets`] beside it.
pub fn read_brackets<S: OptionSet>(parts: &[Expression], names: &[&str]) -> Result<S, String> {
    let kind = || OptionKind::Brackets(S::options());
    match parts {
        [] => Ok(S::default()),
        [one] if ["", "on"].contains(&one.name.as_str()) || names.contains(&one.name.as_str()) => {
            S::read(one).map_err(|error| format!("{} ({error})", kind()))
        }
        _ => Err(kind().to_string()),
    }
}

/// The other direction of [`read_brackets`]: `on`, or the options that differ from their defaults in brackets.
pub fn write_brackets<S: OptionSet>(set: &S) -> String {
    let nameless = set.changed("");
    if nameless.arguments.is_empty() { "on".to_string() } else { nameless.to_string() }
}

/// A number that can be held against the ends of a range.
pub trait InRange {
    /// Whether the number, if set, is from `low` to `high`.
    fn in_range(&self, low: f64, high: f64) -> bool;
}

macro_rules! number {
    ($($type:ty: $kind:ident),*) => {$(
        impl OptionValue for $type {
            fn read(parts: &[Expression]) -> Result<Self, String> {
                match parts {
                    [one] if one.arguments.is_empty() => one.name.parse().map_err(|_| Self::kind().to_string()),
                    _ => Err(Self::kind().to_string()),
                }
            }
            fn write(&self) -> Option<String> {
                Some(self.to_string())
            }
            fn kind() -> OptionKind {
                OptionKind::$kind(None)
            }
        }
        impl InRange for $type {
            fn in_range(&self, low: f64, high: f64) -> bool {
                (low..=high).contains(&(*self as f64))
            }
        }
    )*};
}
number!(f32: Number, f64: Number, u8: Whole, u32: Whole, u64: Whole);

impl OptionValue for bool {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        match write_sum(parts).as_str() {
            "" | "on" | "true" | "yes" => Ok(true),
            "off" | "false" | "no" => Ok(false),
            _ => Err(Self::kind().to_string()),
        }
    }
    fn write(&self) -> Option<String> {
        Some(if *self { "on" } else { "off" }.to_string())
    }
    fn kind() -> OptionKind {
        OptionKind::Flag
    }
}

impl OptionValue for String {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        if parts.is_empty() { Err(Self::kind().to_string()) } else { Ok(write_sum(parts)) }
    }
    fn write(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.clone())
    }
    fn kind() -> OptionKind {
        OptionKind::Text
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        T::read(parts).map(Some)
    }
    fn write(&self) -> Option<String> {
        self.as_ref().and_then(T::write)
    }
    fn kind() -> OptionKind {
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
    let (kind, problem) = match write_sum(value) {
        written if written.is_empty() => (InputErrorKind::Missing, "a value is missing".to_string()),
        written => (InputErrorKind::Misfit, format!("`{}` does not fit", crate::error::shorten(&written))),
    };
    InputError::new(format!("{name}, option {key}"), problem, format!("write {expected}")).of(kind)
}

/// A doc comment as one line, for [`options!`](crate::options!).
#[doc(hidden)]
pub fn about(comment: &str) -> String {
    kind::tidy(comment)
}

/// Declares a set of options as a struct that can be read from and written to an [`Expression`].
///
/// Each option has a doc comment (its help text), a type, a default and, for numbers, a range. Other crates read the
/// options or set them on the default, so that a new option breaks nobody.
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
        $(#[doc = $about:literal])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $key:ident: $type:ty = $default:expr $(, in $low:literal to $high:literal)?;
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
                Self { $($key: $default,)* }
            }
        }

        impl $name {
            /// What the help text says of each option.
            pub fn options() -> Vec<$crate::options::OptionInfo> {
                let _defaults = Self::default();
                vec![$($crate::options::OptionInfo::new(
                    stringify!($key),
                    <$type as $crate::options::OptionValue>::kind()$(.within($low as f64, $high as f64))?,
                    $crate::options::OptionValue::write(&_defaults.$key).unwrap_or_default(),
                    concat!($($help),+),
                ),)*]
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
                        return Err($crate::InputError::new(place, "it is given twice", "remove one of them")
                            .of($crate::InputErrorKind::Twice));
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
                #[allow(unused_mut)]
                let mut written = Vec::new();
                $(if let Some(value) = $crate::options::OptionValue::write(&self.$key) {
                    written.push((stringify!($key), value));
                })*
                written
            }
        }

        impl $crate::options::OptionSet for $name {
            fn about() -> String {
                $crate::options::about(concat!($($about),*))
            }
            fn options() -> Vec<$crate::options::OptionInfo> {
                Self::options()
            }
            fn read(expression: &$crate::expression::Expression) -> Result<Self, $crate::InputError> {
                Self::read(expression)
            }
            fn write(&self) -> Vec<(&'static str, String)> {
                self.write()
            }
        }
    };
}

/// Declares an option with a fixed list of words, the first of which is the default.
///
/// Each has a doc comment (its help text). Further spellings follow the word after `|`; `""` is a lone flag.
///
/// ```
/// spinney_core::choices! {
///     /// How ties are broken.
///     pub enum Ties {
///         /// one at random
///         Random = "random",
///         /// the first
///         First = "first" | "",
///     }
/// }
/// assert_eq!(Ties::default(), Ties::Random);
/// # use spinney_core::options::{OptionKind, OptionValue};
/// assert_eq!(Ties::read(&[]), Ok(Ties::First));
/// let OptionKind::Words(words) = Ties::kind() else { panic!() };
/// assert_eq!((words[1].word, words[1].help.as_str()), ("first", "the first"));
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[doc = $help:literal])+ $variant:ident = $word:literal $(| $other:literal)*,)+
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

        impl $crate::options::OptionValue for $name {
            fn read(parts: &[$crate::expression::Expression]) -> Result<Self, String> {
                match $crate::expression::write_sum(parts).as_str() {
                    $($word $(| $other)* => Ok(Self::$variant),)+
                    other => Err(match $crate::error::nearest(other, &[$($word),+]) {
                        Some(near) => format!("{}; did you mean `{near}`?", Self::kind()),
                        None => Self::kind().to_string(),
                    }),
                }
            }
            fn write(&self) -> Option<String> {
                Some(match self { $(Self::$variant => $word,)+ }.to_string())
            }
            fn kind() -> $crate::options::OptionKind {
                $crate::options::OptionKind::Words(vec![
                    $($crate::options::OptionWord::new($word, concat!($($help),+)),)+
                ])
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::choices! {
        /// A colour.
        pub enum Colour {
            /// as grass
            Green = "green",
            /// as the sky
            Blue = "blue",
        }
    }

    crate::options! {
        /// What a brush does.
        struct Brush {
            /// its width
            width: u32 = 3, in 1 to 9;
            /// its colour
            colour: Option<Colour> = None;
            /// what is written
            text: String = String::new();
        }
    }

    impl OptionValue for Brush {
        fn read(parts: &[Expression]) -> Result<Self, String> {
            read_brackets(parts, &["brush"])
        }
        fn write(&self) -> Option<String> {
            Some(write_brackets(self))
        }
        fn kind() -> OptionKind {
            OptionKind::Brackets(Brush::options())
        }
    }

    crate::options! {
        /// A painting, made
        /// of two things.
        struct Painting {
            /// how high
            height: f64 = 0.5, in -1.0 to 2.5;
            /// with what
            brush: Option<Brush> = None;
        }
    }

    #[test]
    fn kinds_are_data() {
        let [height, brush] = &Painting::options()[..] else { panic!() };
        let OptionKind::Number(Some(range)) = &height.kind else { panic!("{height:?}") };
        assert_eq!((range.low, range.high, height.default.as_str()), (-1.0, 2.5, "0.5"));
        let OptionKind::Brackets(inner) = &brush.kind else { panic!("{brush:?}") };
        assert_eq!(inner[0].kind, OptionKind::Whole(None).within(1.0, 9.0));
        let green = OptionWord::new("green", "as grass");
        assert!(matches!(&inner[1].kind, OptionKind::Words(words) if words[0] == green));
        assert_eq!((inner[1].default.as_str(), inner[1].help.as_str()), ("", "its colour"));
        assert_eq!(inner[2].kind, OptionKind::Text);
        assert_eq!(<Painting as OptionSet>::about(), "A painting, made of two things");
    }

    #[test]
    fn kinds_are_said_in_words() {
        let plain = |names: &[&'static str]| names.iter().map(|name| OptionPart::plain(name, "")).collect::<Vec<_>>();
        let parts = |one: &[&'static str], any| OptionKind::Parts { one_of: plain(one), any_of: any }.to_string();
        let brush = vec![OptionPart::of::<Brush>("brush")];
        assert_eq!(
            parts(&["a", "b"], brush.clone()),
            "`a` or `b`, joined by `+` with any of brush(width=…, colour=…, text=…)"
        );
        assert_eq!(parts(&["a", "b", "c"], Vec::new()), "a, b or c");
        assert_eq!(OptionKind::Parts { one_of: brush, any_of: Vec::new() }.to_string(), "brush(…)");
        assert_eq!(parts(&[], plain(&["a", "b"])), "some of a, b joined by `+`");
        let either = OptionKind::Either(vec![f32::kind().within(0.0, 1.5), Colour::kind()]);
        assert_eq!(either.to_string(), "a number from 0 to 1.5, green, or blue");
        assert_eq!(Brush::kind().to_string(), "nothing, or options in brackets: (width=…, colour=…, text=…)");
    }

    #[test]
    fn only_what_was_changed_is_written() {
        let read = |text: &str| Painting::read(&Expression::read("painting", text).unwrap());
        for text in ["p", "p(height=-0.5)", "p(brush=on)", "p(height=2, brush(width=4, colour=blue, text=a+b(c=1)))"] {
            assert_eq!(read(text).unwrap().changed("p").to_string(), text);
        }
        assert_eq!(read("p(brush=brush(width=3))").unwrap().changed("q").to_string(), "q(brush=on)");
        assert_eq!(Painting::default().written("p").to_string(), "p(height=0.5)");
    }

    #[test]
    fn errors_have_their_kinds() {
        let kind = |text: &str| Painting::read(&Expression::read("painting", text).unwrap()).unwrap_err().kind;
        assert_eq!(kind("p(hight=1)"), InputErrorKind::Unknown);
        assert_eq!(kind("p(height=3)"), InputErrorKind::Misfit);
        assert_eq!(kind("p(height=x)"), InputErrorKind::Misfit);
        assert_eq!(kind("p(height)"), InputErrorKind::Missing);
        assert_eq!(kind("p(height=1, height=1)"), InputErrorKind::Twice);
    }
}
