//! Games by name: `breakthrough`, `breakthrough(rows=6, columns=6)`.
//!
//! A game is a type, a name is text; [`open`] joins them by handing the game to a [`Visitor`], which is compiled
//! once for each game. To add a game, add its line to `registry!` below.

use crate::{breakthrough, chinese_checkers, havannah, tic_tac_toe};
use spinney_core::expression::Expression;
use spinney_core::options::OptionInfo;
use spinney_core::{InputError, Notation};

/// What is known of a game without opening it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name in the registry.
    pub name: &'static str,
    /// One line about the game.
    pub summary: &'static str,
    /// Where the rules come from.
    pub source: &'static str,
    /// Its options.
    pub options: Vec<OptionInfo>,
}

/// Something that can be done with any game.
pub trait Visitor {
    /// What it yields.
    type Output;
    /// Does it.
    fn visit<G: Notation>(self, name: &'static str, game: G) -> Self::Output;
}

macro_rules! registry {
    ($($name:literal: $options:ty => $game:expr, $summary:literal, $source:literal;)+) => {
        /// All games.
        pub fn entries() -> Vec<Entry> {
            vec![$(Entry { name: $name, summary: $summary, source: $source, options: <$options>::options() }),+]
        }

        /// Finds the game named in `text`, fits it to `position` if one is given, and hands it to `visitor`.
        pub fn open<V: Visitor>(text: &str, position: Option<&str>, visitor: V) -> Result<V::Output, InputError> {
            let expression = Expression::read("game", text)?;
            match expression.name.as_str() {
                $($name => {
                    let game = $game(<$options>::read(&expression)?);
                    let game = match position {
                        Some(position) => game.fitted(position),
                        None => game,
                    };
                    Ok(visitor.visit($name, game))
                })+
                other => Err(InputError::unknown("game", "game", other, [$($name),+])),
            }
        }
    };
}

spinney_core::options! {
    /// For games without options.
    struct NoOptions {}
}

registry! {
    "breakthrough": breakthrough::Options => breakthrough::Breakthrough::new,
        "pawns race for the far side", "Dan Troyka, 2000";
    "chinese-checkers": chinese_checkers::Options => chinese_checkers::ChineseCheckers::new,
        "six pieces each hop across a star of 73 cells", "traditional; the board of the ECAI 2014 paper";
    "havannah": havannah::Options => havannah::Havannah::new,
        "bridge, fork or ring on a hexagon of hexagons", "Christian Freeling, 1979";
    "tic-tac-toe": NoOptions => |_: NoOptions| tic_tac_toe::TicTacToe,
        "three in a row on nine squares", "traditional";
}
