//! The games that kernels play, and their options as words.

use spinney_games::variant::Variant;
use spinney_games::{amazons, breakthrough, cannon, checkers, chinese_checkers, havannah, pentalath};

/// An option of a game that fits into a word.
trait Word {
    #[cfg_attr(not(feature = "host"), expect(dead_code, reason = "only the host packs"))]
    fn word(&self) -> u32;
    fn of_word(word: u32) -> Self;
}

impl Word for u8 {
    fn word(&self) -> u32 {
        u32::from(*self)
    }

    fn of_word(word: u32) -> Self {
        word as u8
    }
}

impl Word for bool {
    fn word(&self) -> u32 {
        u32::from(*self)
    }

    fn of_word(word: u32) -> Self {
        word != 0
    }
}

impl Word for Variant {
    fn word(&self) -> u32 {
        u32::from(*self == Variant::Engine2014)
    }

    fn of_word(word: u32) -> Self {
        if word == 0 { Variant::Standard } else { Variant::Engine2014 }
    }
}

/// Most options that a game has.
pub const MOST_OPTIONS: usize = 4;

/// The options of a game as words.
pub type Words = [u32; MOST_OPTIONS];

macro_rules! games {
    ($($(#[doc = $about:literal])+ $module:ident, $name:literal: $rules:ident { $($option:ident),* } $bytes:expr, $kinds:expr;)+) => {
        $(
            $(#[doc = $about])+
            pub fn $module(words: &Words) -> $module::$rules {
                let mut words = words.iter().copied();
                let mut options = $module::Options::default();
                $(options.$option = Word::of_word(words.next().unwrap_or_default());)*
                $module::$rules::new(options)
            }
        )+

        /// What the host knows of a game.
        #[cfg(feature = "host")]
        #[derive(Clone, Copy, Debug)]
        pub struct Known {
            /// Its name in the registry.
            pub name: &'static str,
            /// Its options.
            pub words: Words,
            /// Children that a simulation adds to the tree, about.
            pub children: f64,
            /// Whether it has a policy of its own.
            pub has_policy: bool,
        }

        /// The game that a text names, if kernels play it with all its options: one that is lost on the way would be played
        /// by other rules.
        #[cfg(feature = "host")]
        pub fn known(text: &str) -> Result<Option<Known>, spinney_core::InputError> {
            let expression = spinney_core::expression::Expression::read("game", text)?;
            Ok(match expression.name.as_str() {
                $($name => {
                    let options = $module::Options::read(&expression)?;
                    let packed = [$(stringify!($option)),*];
                    if !$module::Options::options().iter().all(|option| packed.contains(&option.key)) {
                        return Ok(None);
                    }
                    let mut words = Words::default();
                    let given: &[u32] = &[$(options.$option.word()),*];
                    words[..given.len()].copy_from_slice(given);
                    let children: fn(&$module::Options) -> f64 = $bytes;
                    Some(Known { name: $name, words, children: children(&options), has_policy: $kinds })
                })+
                _ => None,
            })
        }

        /// The names of all games that kernels play, and whether they have a policy of their own.
        pub const NAMES: &[(&str, bool)] = &[$(($name, $kinds)),+];
    };
}

games! {
    /// Amazons with these options.
    amazons, "amazons": Amazons { size, variant } |options| f64::from(options.size).powi(4) / 13.0, true;
    /// Breakthrough with these options.
    breakthrough, "breakthrough": Breakthrough { rows, columns } |_| 8.0, true;
    /// Cannon with these options.
    cannon, "cannon": Cannon { corners, strict_shots, variant } |_| 14.0, true;
    /// Checkers with these options.
    checkers, "checkers": Checkers { king_slide_limit, repetition, variant } |_| 5.0, false;
    /// Chinese Checkers with these options.
    chinese_checkers, "chinese-checkers": ChineseCheckers { forward, variant } |_| 10.0, true;
    /// Havannah with these options.
    havannah, "havannah": Havannah { size } |options| f64::from(options.size) * 5.0, false;
    /// Pentalath with these options.
    pentalath, "pentalath": Pentalath { variant } |_| 14.0, true;
}
