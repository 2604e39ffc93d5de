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

/// How the tree of a search grows: a guess from whole games, and whoever finds no room is given more.
#[cfg(feature = "host")]
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Children that a simulation adds.
    children: f64,
    /// Places that it takes: most where nodes open all their children, as most of them look alike.
    places: u64,
    /// Whether nodes have hundreds of children, so that long searches come back to the same ones.
    comes_back: bool,
}

#[cfg(feature = "host")]
impl Growth {
    /// Most nodes open few of their children.
    const fn usual(children: f64) -> Self {
        Self { children, places: 4, comes_back: false }
    }

    /// Places and children after so many simulations.
    pub fn after(&self, simulations: u64) -> (u64, u64) {
        let again = if self.comes_back { (3000.0 / simulations.max(1) as f64).sqrt().min(1.0) } else { 1.0 };
        let children = (simulations as f64 * self.children * again) as u64;
        (simulations.saturating_mul(self.places).saturating_add(4096), children.saturating_add(4096))
    }
}

macro_rules! games {
    ($($(#[doc = $about:literal])+ $module:ident, $name:literal: $rules:ident { $($option:ident),* } $growth:expr, $kinds:expr;)+) => {
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
            /// How trees grow.
            pub growth: Growth,
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
                    let growth: fn(&$module::Options) -> Growth = $growth;
                    Some(Known { name: $name, words, growth: growth(&options), has_policy: $kinds })
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
    amazons, "amazons": Amazons { size, variant } |options| Growth {
        comes_back: true,
        ..Growth::usual(f64::from(options.size).powi(4) / 13.0)
    }, true;
    /// Breakthrough with these options.
    breakthrough, "breakthrough": Breakthrough { rows, columns } |_| Growth::usual(8.0), true;
    /// Cannon with these options.
    cannon, "cannon": Cannon { corners, strict_shots, variant } |_| Growth::usual(14.0), true;
    /// Checkers with these options.
    checkers, "checkers": Checkers { king_slide_limit, repetition, variant } |_| Growth::usual(5.0), false;
    /// Chinese Checkers with these options.
    chinese_checkers, "chinese-checkers": ChineseCheckers { forward, variant } |_| Growth::usual(10.0), true;
    /// Havannah with these options.
    havannah, "havannah": Havannah { size } |options| Growth {
        children: f64::from(options.size) * 5.0,
        places: 16,
        comes_back: true,
    }, false;
    /// Pentalath with these options.
    pentalath, "pentalath": Pentalath { variant } |_| Growth { places: 6, ..Growth::usual(14.0) }, true;
}
