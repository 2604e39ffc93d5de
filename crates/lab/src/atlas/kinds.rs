//! What kind of thing each experiment of the atlas, each cell of it and each published row is. Names are read here, once, and a
//! name that means nothing is an error; all that follows asks for kinds.

use crate::plan::Cell;
use crate::published::Row;
use crate::reduce::name_of;
use serde::Deserialize;
use spinney_core::InputError;

/// A table of the paper on quality-based rewards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The Relative Bonus.
    Relative,
    /// The Qualitative Bonus.
    Qualitative,
    /// Both, and the reward replaced by the quality.
    Combined,
    /// The Relative Bonus in General Game Playing.
    Ggp,
}

impl Table {
    /// All of them, as the map has them.
    pub const ALL: [Self; 4] = [Self::Relative, Self::Qualitative, Self::Combined, Self::Ggp];

    /// Its name in the column `table`.
    fn column(self) -> &'static str {
        match self {
            Self::Relative => "table1-relative-bonus",
            Self::Qualitative => "table3-qualitative-bonus",
            Self::Combined => "table4-combined",
            Self::Ggp => "table2-ggp",
        }
    }

    /// Its number in the paper.
    pub fn number(self) -> u8 {
        match self {
            Self::Relative => 1,
            Self::Ggp => 2,
            Self::Qualitative => 3,
            Self::Combined => 4,
        }
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Relative => "Table 1: relative bonus",
            Self::Qualitative => "Table 3: qualitative bonus",
            Self::Combined => "Table 4: both bonuses",
            Self::Ggp => "Table 2: GGP",
        }
    }
}

/// What a row of those tables is the score of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Bonuses of a weight, with so many seconds a move.
    Bonus {
        /// Its weight: a number, or `online`.
        a: &'static str,
        /// Seconds a move.
        seconds: &'static str,
    },
    /// The reward replaced by the quality.
    Quality {
        /// Seconds a move.
        seconds: &'static str,
    },
    /// The bonus of CADIAPLAYER's search.
    Ggp {
        /// How steep its sigmoid is.
        k: &'static str,
    },
}

/// A row of the paper on quality-based rewards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualityRow {
    /// Its number in the file, from 0.
    pub number: usize,
    /// Where it was printed.
    pub table: Table,
    /// The game.
    pub game: &'static str,
    /// What it is the score of.
    pub setting: Setting,
}

impl QualityRow {
    /// Reads a row.
    pub fn read(number: usize, row: &Row) -> Result<Self, InputError> {
        let place = format!("quality-rewards/published.csv, row {}", number + 1);
        let text = |column: &str| row.get(column).copied().unwrap_or_default();
        let name = text("table");
        let table = Table::ALL.into_iter().find(|table| table.column() == name);
        let table = table.ok_or_else(|| InputError::unknown(&place, "table", name, Table::ALL.map(Table::column)))?;
        let seconds = text("seconds");
        let setting = match (table, text("a"), text("bonus")) {
            (Table::Ggp, ..) => Setting::Ggp { k: text("k") },
            (Table::Combined, "", _) => Setting::Quality { seconds },
            (_, "", bonus) => {
                let problem = format!("the {bonus} bonus has no weight");
                return Err(InputError::new(place, problem, "fill the column a"));
            }
            (_, a, _) => Setting::Bonus { a, seconds },
        };
        Ok(Self { number, table, game: text("game"), setting })
    }

    /// What its column on the map is called, in two lines.
    pub fn column(&self) -> String {
        match &self.setting {
            Setting::Ggp { k } => format!("k =\n{k}"),
            Setting::Quality { seconds } => format!("only q\n{seconds} s"),
            Setting::Bonus { a, seconds } => format!("{a}\n{seconds} s"),
        }
    }

    /// What it is called.
    pub fn name(&self) -> String {
        let (number, game) = (self.table.number(), self.game);
        match &self.setting {
            Setting::Ggp { k } => format!("Table {number}, {game}, k = {k}"),
            Setting::Quality { seconds } => format!("Table {number}, {game}, reward replaced by q, {seconds} s"),
            Setting::Bonus { a, seconds } => format!("Table {number}, {game}, a = {a}, {seconds} s"),
        }
    }

    /// The command that plays its cell with as many games as were published.
    pub fn command(&self) -> String {
        let (number, game) = (self.table.number(), self.game);
        match &self.setting {
            Setting::Ggp { k } => {
                format!("spinney reproduce ggp --table {number} --game gdl:{game} --only k={k} --full")
            }
            Setting::Quality { .. } => format!(
                "spinney reproduce quality-rewards --table {number} --game {game} --only 'bonus=reward replaced by q' --full"
            ),
            Setting::Bonus { a, seconds } => format!(
                "spinney reproduce quality-rewards --table {number} --game {game} --only a={a} --only seconds={seconds} --full"
            ),
        }
    }
}

/// What kind of statement the paper on variance reduction makes: its column `claim`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statement {
    /// The axis of a figure.
    Axis,
    /// Games of a point.
    Games,
    /// What the best variant is worth in simulations.
    Speedup,
    /// An error is mostly bias.
    Bias,
    /// An error is mostly variance.
    Variance,
    /// The number of states.
    States,
    /// The constant of UCB.
    C,
    /// What the default policy does.
    Policy,
    /// The constant of the control variate.
    Cv,
    /// Which variants are better than which.
    Order,
}

impl Statement {
    const ALL: [(&'static str, Self); 10] = [
        ("axis", Self::Axis),
        ("games", Self::Games),
        ("speedup", Self::Speedup),
        ("bias", Self::Bias),
        ("variance", Self::Variance),
        ("states", Self::States),
        ("c", Self::C),
        ("policy", Self::Policy),
        ("cv", Self::Cv),
        ("order", Self::Order),
    ];

    /// Reads the column.
    pub fn read(text: &str) -> Result<Self, InputError> {
        let names = Self::ALL.map(|(name, _)| name);
        let found = Self::ALL.into_iter().find(|(name, _)| *name == text);
        found
            .map(|(_, one)| one)
            .ok_or_else(|| InputError::unknown("variance-reduction/published.csv", "claim", text, names))
    }

    /// What its column on the map is called, in up to two lines.
    pub fn heading(self, domain: Domain) -> &'static str {
        match self {
            Self::Axis => "axis",
            Self::Games => "games",
            Self::Speedup => "speed-\nup",
            Self::Bias => "bias",
            Self::Variance => "vari-\nance",
            Self::States => "states",
            Self::C => "\nC",
            Self::Policy => "policy",
            Self::Cv => "CV\nconst.",
            Self::Order if domain == Domain::All => "order\nof CV",
            Self::Order => "order\nof AV",
        }
    }
}

/// What a claim is about: its column `domain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// One game.
    Game(&'static str),
    /// Two of them.
    Two,
    /// All three.
    All,
}

impl Domain {
    /// The rows of the map.
    pub const ROWS: [&'static str; 4] = ["pig", "cant-stop", "dominion", "together"];

    /// Reads the column.
    pub fn read(text: &str) -> Result<Self, InputError> {
        match Self::ROWS[..3].iter().find(|name| **name == text) {
            Some(name) => Ok(Self::Game(name)),
            None if text == "pig and cant-stop" => Ok(Self::Two),
            None if text == "all" => Ok(Self::All),
            None => {
                let known = Self::ROWS[..3].iter().copied().chain(["pig and cant-stop", "all"]);
                Err(InputError::unknown("variance-reduction/published.csv", "domain", text, known))
            }
        }
    }

    /// Its row on the map.
    pub fn row(self) -> &'static str {
        match self {
            Self::Game(name) => name,
            Self::Two | Self::All => Self::ROWS[3],
        }
    }
}

/// What an experiment of the atlas is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartKind {
    /// A table of quality-based rewards.
    Table(Table),
    /// A figure of variance reduction.
    Variance,
    /// The curves of the contextual paper.
    Contextual,
    /// Deviations of the engine of 2014, one by one.
    Ablation,
    /// Which of two scores a cell of Table 4 has.
    Misprint,
    /// Readings of what a paper leaves open, beside the score that it states, in percent, or beside the number that its table
    /// prints for each cell.
    Readings(Option<f64>),
    /// Each idea alone.
    Ideas,
    /// All ideas together, and one changed.
    Together,
    /// Tuned settings.
    Tuned,
}

impl PartKind {
    const ALL: [(&'static str, Self); 21] = [
        ("atlas/table-1", Self::Table(Table::Relative)),
        ("atlas/table-2", Self::Table(Table::Ggp)),
        ("atlas/table-3", Self::Table(Table::Qualitative)),
        ("atlas/table-4", Self::Table(Table::Combined)),
        ("atlas/variance-figure-1", Self::Variance),
        ("atlas/variance-figure-2-cant-stop", Self::Variance),
        ("atlas/variance-figure-2-dominion", Self::Variance),
        ("atlas/variance-figure-2-pig", Self::Variance),
        ("atlas/contextual", Self::Contextual),
        ("atlas/why-amazons", Self::Ablation),
        ("atlas/why-breakthrough", Self::Ablation),
        ("atlas/why-cannon", Self::Ablation),
        ("atlas/why-chinese-checkers", Self::Misprint),
        ("atlas/why-contextual", Self::Readings(Some(57.0))),
        ("atlas/why-quad", Self::Readings(None)),
        ("atlas/why-quality-reward", Self::Readings(None)),
        ("atlas/why-sheep-and-wolf", Self::Readings(None)),
        ("atlas/why-simulations", Self::Readings(None)),
        ("atlas/beyond-ideas", Self::Ideas),
        ("atlas/beyond-together", Self::Together),
        ("atlas/beyond-tuned", Self::Tuned),
    ];

    /// The kind of the experiment of this name.
    pub fn read(name: &str) -> Result<Self, InputError> {
        let found = Self::ALL.into_iter().find(|(own, _)| *own == name).map(|(_, kind)| kind);
        found.ok_or_else(|| InputError::unknown("experiments/atlas", "experiment", name, Self::ALL.map(|(own, _)| own)))
    }

    /// Whether it answers an open question.
    pub fn is_question(self) -> bool {
        matches!(self, Self::Ablation | Self::Misprint | Self::Readings(_))
    }
}

/// The board of a cell with the right rules, where the paper and its engine have different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// There is one.
    Only,
    /// The one that the engine played on: 8×8 squares in Amazons.
    Engines,
    /// The one that the paper prints: 10×10 squares.
    Printed,
}

/// Which rules and which search a cell has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Those of the paper, as far as they can be had.
    Papers,
    /// The right rules and the corrected search.
    Right(Board),
    /// The corrected search with this deviation alone.
    Only(String),
    /// The paper's search without this deviation.
    AllBut(String),
    /// The plainest search that there is.
    Plainest,
    /// Whatever its agents are called.
    Named,
}

/// Agents without a bonus that stand for the rules and the search of a paper.
const PAPERS: [&str; 3] = ["plain", "cadiaplayer", "engine"];
/// The agent without a bonus where rules and search are the right ones.
const CORRECTED: &str = "corrected";
const PLAINEST: &str = "plainest search";
/// Where the reward is the quality, nobody has MAST; agents without it end so.
const NO_MAST: &str = ", no mast";
/// Games without a policy have agents of their own, which end so.
const NO_POLICY: &str = ", no policy";

impl Role {
    /// The role of a cell, told by the agent that it is played against.
    pub fn read(part: &str, kind: PartKind, cell: &Cell) -> Result<Self, InputError> {
        let against = cell.names[1].as_str();
        let against = against.strip_suffix(NO_MAST).unwrap_or(against);
        let is_told = match kind {
            PartKind::Together => return Ok(if change(cell) == PLAINEST { Self::Plainest } else { Self::Named }),
            PartKind::Table(_) | PartKind::Ablation | PartKind::Misprint => true,
            _ => false,
        };
        if PAPERS.contains(&against) {
            return Ok(Self::Papers);
        }
        if against == CORRECTED {
            return Ok(Self::Right(match name_of(&cell.game) {
                "amazons" if cell.game.contains("size=8") => Board::Engines,
                "amazons" => Board::Printed,
                _ => Board::Only,
            }));
        }
        if let (PartKind::Ablation, Some(what)) = (kind, against.strip_prefix("only ")) {
            return Ok(Self::Only(what.to_string()));
        }
        if let (PartKind::Ablation, Some(what)) = (kind, against.strip_prefix("all but ")) {
            return Ok(Self::AllBut(what.to_string()));
        }
        match is_told {
            true => Err(InputError::unknown(part, "agent b", against, PAPERS.into_iter().chain([CORRECTED]))),
            false => Ok(Self::Named),
        }
    }

    /// Whether rules and search are the paper's.
    pub fn is_papers(&self) -> bool {
        *self == Self::Papers
    }

    /// Whether rules and search are the right ones.
    pub fn is_right(&self) -> bool {
        matches!(self, Self::Right(_))
    }
}

/// What is changed in the opponent of all ideas together, with a policy or without.
pub fn change(cell: &Cell) -> &str {
    cell.names[1].strip_suffix(NO_POLICY).unwrap_or(&cell.names[1])
}
