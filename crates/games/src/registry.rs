//! Games by name: `breakthrough`, `breakthrough(rows=6, columns=6)`, `gdl:my.kif`.
//!
//! A game is a type, a name is text; [`open`] joins them by handing the game to a [`Visitor`], which is compiled
//! once for each game. To add a game, add its line to `registry!` below.

#[cfg(feature = "gdl")]
use crate::gdl::Gdl;
use crate::{
    amazons, breakthrough, cannon, cant_stop, checkers, chinese_checkers, dominion, havannah, pentalath, pig, pig_race,
    tic_tac_toe,
};
use spinney_core::expression::Expression;
use spinney_core::options::OptionInfo;
use spinney_core::{Game, InputError, Notation};

/// What is known of a game without opening it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name in the registry.
    pub name: &'static str,
    /// One line about the game.
    pub summary: &'static str,
    /// Board and pieces.
    pub board: &'static str,
    /// Where the rules come from.
    pub source: &'static str,
    /// How many play.
    pub players: u8,
    /// Whether chance takes turns.
    pub chance: bool,
    /// Its options.
    pub options: Vec<OptionInfo>,
}

/// Something that can be done with any game.
pub trait Visitor {
    /// What it yields.
    type Output;
    /// Does it.
    fn visit<G: Notation>(self, name: &str, game: G) -> Self::Output;
}

macro_rules! registry {
    ($($name:literal: $options:ty => $game:expr, $summary:literal, $board:literal, $source:literal;)+) => {
        /// All games.
        pub fn entries() -> Vec<Entry> {
            vec![$({
                let (players, chance) = kind(&$game);
                let options = <$options>::options();
                Entry { name: $name, summary: $summary, board: $board, source: $source, players, chance, options }
            }),+]
        }

        /// Finds the game named in `text`, fits it to `position` if one is given, and hands it to `visitor`.
        pub fn open<V: Visitor>(text: &str, position: Option<&str>, visitor: V) -> Result<V::Output, InputError> {
            let expression = Expression::read("game", text)?;
            #[cfg(feature = "gdl")]
            if let Some(file) = expression.name.strip_prefix("gdl:") {
                return crate::gdl::open(file, visitor);
            }
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

/// A list of types of games, for those who need something for each of them: `game_types!(TicTacToe, Pig)`. What comes
/// after a semicolon is a list that goes on.
#[macro_export]
macro_rules! game_types {
    ($(,)?) => { () };
    (; $rest:ty) => { $rest };
    ($first:ty $(, $other:ty)* $(,)? $(; $rest:ty)?) => { ($first, $crate::game_types!($($other),* $(; $rest)?)) };
}

/// The types of rule sheets: of several roles and of one, without chance and with it.
#[cfg(feature = "gdl")]
type Sheets = game_types!(Gdl<false>, Gdl<true>, Gdl<false, true>, Gdl<true, true>);
#[cfg(not(feature = "gdl"))]
type Sheets = ();

/// The types of all games.
pub type Types = game_types!(
    amazons::Amazons,
    breakthrough::Breakthrough,
    cannon::Cannon,
    cant_stop::CantStop,
    checkers::Checkers,
    chinese_checkers::ChineseCheckers,
    dominion::Dominion,
    havannah::Havannah,
    pentalath::Pentalath,
    pig::Pig,
    pig_race::PigRace,
    tic_tac_toe::TicTacToe;
    Sheets
);

/// How many play the games that a function makes, and whether they have chance.
fn kind<O, G: Game>(_: &impl Fn(O) -> G) -> (u8, bool) {
    (if G::SCORE.is_some() { 1 } else { 2 }, G::LUCK.is_some())
}

spinney_core::options! {
    /// For games without options.
    struct NoOptions {}
}

registry! {
    "amazons": amazons::Options => amazons::Amazons::new,
        "queens that burn squares behind them", "4×4 to 10×10 squares, four amazons each",
        "Walter Zamkauskas, 1988";
    "breakthrough": breakthrough::Options => breakthrough::Breakthrough::new,
        "pawns race for the far side", "5×5 to 8×8 squares, two rows of pawns each",
        "Dan Troyka, 2000";
    "cannon": cannon::Options => cannon::Cannon::new,
        "three soldiers in a row are a cannon; the enemy town must fall", "10×10 points, 15 soldiers and a town each",
        "David Whitcher, 2003";
    "cant-stop": cant_stop::Options => cant_stop::CantStop::new,
        "advance three runners with four dice and stop in time", "eleven columns, four dice, ten turns",
        "Sid Sackson, 1980; Veness, Lanctot and Bowling, 2011; one player";
    "checkers": checkers::Options => checkers::Checkers::new,
        "English draughts, jumps are compulsory", "32 squares, twelve pieces each",
        "traditional; draws as in the engine of the ECAI 2014 paper";
    "chinese-checkers": chinese_checkers::Options => chinese_checkers::ChineseCheckers::new,
        "six pieces each hop across a star of 73 cells", "a star of 73 cells, six pieces each",
        "traditional; the board of the ECAI 2014 paper";
    "dominion": dominion::Options => dominion::Dominion::new,
        "build a deck of cards and buy victory with it", "16 kinds of card, 20 turns",
        "Donald X. Vaccarino, 2008; Veness, Lanctot and Bowling, 2011; one player";
    "havannah": havannah::Options => havannah::Havannah::new,
        "bridge, fork or ring on a hexagon of hexagons", "a hexagon of side 3 to 10",
        "Christian Freeling, 1979";
    "pentalath": pentalath::Options => pentalath::Pentalath::new,
        "five in a row on a hexagon, with captures", "a hexagon of 61 cells",
        "Cameron Browne, 2009";
    "pig": pig::Options => pig::Pig::new,
        "roll two dice for more or bank what you have", "two dice, ten turns",
        "Veness, Lanctot and Bowling, 2011; one player";
    "pig-race": pig_race::Options => pig_race::PigRace::new,
        "roll a die for more or hold; the first to 100 points wins", "one die",
        "traditional; John Scarne, 1945";
    "tic-tac-toe": NoOptions => |_: NoOptions| tic_tac_toe::TicTacToe,
        "three in a row on nine squares", "3×3 squares",
        "traditional";
}
