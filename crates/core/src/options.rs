//! Options declared once: the struct, its defaults and ranges, the reader, the writer and the help text.
//!
//! [`options!`](crate::options!) declares a set of options, [`choices!`](crate::choices!) an option with a fixed
//! list of words.

mod games;
mod kind;
#[cfg(test)]
mod tests;

pub use games::{GameKind, Games};
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
    /// Which games its options are for.
    const GAMES: Games = Games::All;

    /// What the set is for, in one line.
    fn about() -> String;
    /// What is known of each option.
    fn options() -> Vec<OptionInfo>;
    /// Reads one option of the agent, game or part of this name; false if there is none of this key.
    fn take(&mut self, name: &str, argument: &Argument) -> Result<bool, InputError>;
    /// The options that are set, as `key` and written value, in the order of declaration.
    fn write(&self) -> Vec<(&'static str, String)>;

    /// Reads the options in the brackets of an expression; what is left out keeps its default.
    fn read(expression: &Expression) -> Result<Self, InputError> {
        let mut set = Self::default();
        for (place, argument) in expression.arguments.iter().enumerate() {
            let (name, key) = (expression.name.as_str(), argument.key.as_str());
            if expression.arguments[..place].iter().any(|before| before.key == key) {
                let place = format!("{name}, option {key}");
                let error = InputError::new(place, "it is given twice", "remove one of them");
                return Err(error.of(InputErrorKind::Twice));
            }
            if !set.take(name, argument)? {
                return Err(InputError::unknown(name, "option", key, Self::options().iter().map(|option| option.key)));
            }
        }
        Ok(set)
    }

    /// Refuses options that differ from their defaults and are declared for other games than those of this kind.
    fn check_fit(&self, name: &str, game: GameKind) -> Result<(), InputError> {
        games::refuse_unfit(name, &Self::options(), &self.changed(name), game)
    }

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

/// Reads the value of an option, for [`options!`](crate::options!).
#[doc(hidden)]
pub fn read_value<T: OptionValue>(name: &str, argument: &Argument) -> Result<T, InputError> {
    T::read(&argument.value).map_err(|expected| misfit(name, &argument.key, &argument.value, &expected))
}

/// The options of a set that is for these games: all of its options are, if they do not say otherwise.
#[doc(hidden)]
pub fn for_games(mut options: Vec<OptionInfo>, games: Games) -> Vec<OptionInfo> {
    options.iter_mut().filter(|option| option.games == Games::All).for_each(|option| option.games = games);
    options
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
///
/// A field without default is a set whose options stand among the others. What is only for some [`Games`] says so, the
/// whole set or one option, and [`OptionSet::check_fit`] refuses it in others.
///
/// ```
/// # use spinney_core::expression::Expression;
/// # use spinney_core::options::{GameKind, OptionSet};
/// spinney_core::options! {
///     /// What only games with chance have.
///     pub struct Dice for Chance {
///         /// number of dice
///         dice: u8 = 2, in 1 to 9;
///     }
/// }
/// spinney_core::options! {
///     /// A search.
///     pub struct Search {
///         /// how far it looks
///         depth: u8 = 4, in 1 to 9;
///         /// its luck
///         luck: Dice;
///         /// look twice
///         twice: bool = false, for Certain;
///     }
/// }
/// let search = Search::read(&Expression::read("agent", "search(dice=3)").unwrap()).unwrap();
/// assert_eq!((search.luck.dice, search.changed("search").to_string().as_str()), (3, "search(dice=3)"));
/// let error = search.check_fit("search", GameKind::of::<spinney_games::TicTacToe>()).unwrap_err();
/// assert_eq!(error.to_string(), "search, option dice: it is for games with chance; leave it out for this game");
/// assert!(search.check_fit("search", GameKind::of::<spinney_games::Pig>()).is_ok());
/// ```
#[macro_export]
macro_rules! options {
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
        $crate::declare_options! {
            $(#[doc = $about])*
            $visibility struct $name {
                $(
                    $(#[doc = $help])+
                    $key: $type $(= $default)?;
                )*
            }
        }

        #[allow(dead_code, reason = "for whoever has not the trait at hand")]
        impl $name {
            /// What the help text says of each option.
            pub fn options() -> Vec<$crate::options::OptionInfo> {
                <Self as $crate::options::OptionSet>::options()
            }

            /// Reads the options in the brackets of an expression; what is left out keeps its default.
            pub fn read(
                expression: &$crate::expression::Expression,
            ) -> Result<Self, $crate::InputError> {
                <Self as $crate::options::OptionSet>::read(expression)
            }

            /// The options that are set, as `key` and written value, in the order of declaration.
            pub fn write(&self) -> Vec<(&'static str, String)> {
                $crate::options::OptionSet::write(self)
            }
        }

        impl $crate::options::OptionSet for $name {
            $(const GAMES: $crate::options::Games = $crate::options::Games::$games;)?

            fn about() -> String {
                $crate::options::about(concat!($($about),*))
            }

            fn options() -> Vec<$crate::options::OptionInfo> {
                let _defaults = Self::default();
                #[allow(unused_mut)]
                let mut options: Vec<$crate::options::OptionInfo> = Vec::new();
                $($crate::option_or_set! { [$($default)?] {
                    options.extend([$crate::options::OptionInfo::new(
                        stringify!($key),
                        <$type as $crate::options::OptionValue>::kind()$(.within($low as f64, $high as f64))?,
                        $crate::options::OptionValue::write(&_defaults.$key).unwrap_or_default(),
                        concat!($($help),+),
                    )$(.only_for($crate::options::Games::$option_games))?]);
                } {
                    options.extend(<$type as $crate::options::OptionSet>::options());
                } })*
                $crate::options::for_games(options, Self::GAMES)
            }

            fn take(
                &mut self,
                _name: &str,
                _argument: &$crate::expression::Argument,
            ) -> Result<bool, $crate::InputError> {
                $($crate::option_or_set! { [$($default)?] {
                    if _argument.key == stringify!($key) {
                        let value = $crate::options::read_value::<$type>(_name, _argument)?;
                        $(if !$crate::options::InRange::in_range(&value, $low as f64, $high as f64) {
                            let expected = concat!("a value from ", stringify!($low), " to ", stringify!($high));
                            return Err($crate::options::misfit(_name, &_argument.key, &_argument.value, expected));
                        })?
                        self.$key = value;
                        return Ok(true);
                    }
                } {
                    if $crate::options::OptionSet::take(&mut self.$key, _name, _argument)? {
                        return Ok(true);
                    }
                } })*
                Ok(false)
            }

            fn write(&self) -> Vec<(&'static str, String)> {
                #[allow(unused_mut)]
                let mut written = Vec::new();
                $($crate::option_or_set! { [$($default)?] {
                    if let Some(value) = $crate::options::OptionValue::write(&self.$key) {
                        written.push((stringify!($key), value));
                    }
                } {
                    written.extend($crate::options::OptionSet::write(&self.$key));
                } })*
                written
            }
        }
    };
}

/// Declares an option with a fixed list of words, the first of which is the default.
///
/// Each has a doc comment (its help text). Further spellings follow the word after `|`; `""` is a lone flag. A word that is
/// only for some [`Games`](crate::options::Games) ends with them: `for Chance`.
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
            $($(#[doc = $help:literal])+ $variant:ident = $word:literal $(| $other:literal)* $(for $games:ident)?,)+
        }
    ) => {
        $crate::declare_choices! {
            $(#[$meta])*
            $visibility enum $name {
                $($(#[doc = $help])+ $variant = $word,)+
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
                    $($crate::options::OptionWord::new($word, concat!($($help),+))
                        $(.only_for($crate::options::Games::$games))?,)+
                ])
            }
        }
    };
}
