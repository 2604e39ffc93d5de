//! What a report is made from: plain data, filled by whoever ran the experiment.
//!
//! Scores are fractions from 0 to 1 and always those of agent A. Values that are not finite, and everything
//! measured in a cell without games, are shown as a dash.

/// The results of one experiment and everything needed to repeat it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The name of the experiment.
    pub title: String,
    /// One paragraph that says what is asked and why.
    pub about: String,
    /// Identifies the experiment's settings.
    pub hash: String,
    /// The version of the program that played.
    pub version: String,
    /// The seed all games derive from.
    pub seed: u64,
    /// The command that repeats the experiment.
    pub command: String,
    /// Processor, cores and operating system.
    pub machine: String,
    /// The results, in reading order.
    pub sections: Vec<Section>,
    /// Whether the games themselves can be trusted.
    pub health: Health,
    /// Every agent by name, with its full settings.
    pub agents: Vec<(String, String)>,
    /// Known deviations from the paper.
    pub notes: Vec<String>,
    /// Repetitions of measurements, done and planned.
    pub repetitions: (u64, u64),
}

/// One question of the experiment: its cells, curves and matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The comparisons, in the order of the rows.
    pub cells: Vec<Comparison>,
    /// Results against a budget or a parameter.
    pub curves: Vec<Curve>,
    /// Scores over two parameters and more.
    pub heats: Vec<HeatMap>,
    /// Everyone against everyone.
    pub matrix: Option<Matrix>,
    /// The cells as a paper prints them.
    pub grid: Option<Grid>,
    /// What is neither a match nor a curve, in words and numbers.
    pub texts: Vec<TextTable>,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextTable {
    /// The heading.
    pub title: String,
    /// The first row is the head, the first column says what a row is about.
    pub rows: Vec<Vec<String>>,
}

/// Cells in rows and columns, as places in the section's cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Headings of the rows.
    pub rows: Vec<String>,
    /// `cells[row][column]` is the place of a cell.
    pub cells: Vec<Vec<Option<usize>>>,
}

/// One comparison: agent A against agent B in one game under one budget.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What the row is called; empty means "A vs B".
    pub label: String,
    /// The game; shown beside the label unless the label names it.
    pub game: String,
    /// The agent whose score is told.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// What each side may spend on a move, in words.
    pub budget: String,
    /// Games played so far.
    pub games: u64,
    /// Games the plan asks for; no more than were played where a stopping rule has ended the cell.
    pub planned_games: u64,
    /// How the number of games came about, where it was not fixed beforehand.
    pub course: Option<Course>,
    /// Games A won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games A lost.
    pub losses: u64,
    /// Score of A, 0 to 1.
    pub score: f64,
    /// 95 % interval of the score from pairs of games with seats swapped: the one that belongs to the way in which
    /// the number of games came about.
    pub interval: Option<(f64, f64)>,
    /// Which that is.
    pub interval_kind: IntervalKind,
    /// 95 % interval as papers compute it: normal, games taken as independent.
    pub papers_interval: Option<(f64, f64)>,
    /// Elo difference: estimate, low, high.
    pub elo: Option<(f64, f64, f64)>,
    /// Pairs by the points A took from them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Score of A in the games it began.
    pub score_first: f64,
    /// Score of A in the games it did not begin.
    pub score_second: f64,
    /// Mean length of a game in plies.
    pub plies: f64,
    /// Mean simulations per move of A and of B.
    pub simulations_per_move: [f64; 2],
    /// Mean milliseconds per move of A and of B.
    pub milliseconds_per_move: [f64; 2],
    /// What the literature reports for this cell.
    pub published: Option<Literature>,
    /// Whether we agree with it.
    pub verdict: Option<Agreement>,
    /// Whether the score differs from 50 % after Holm's correction over all cells.
    pub significant: bool,
}

/// Which interval a cell has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalKind {
    /// From pairs, for a number of games fixed beforehand.
    #[default]
    Paired,
    /// From pairs, for games played until it was narrow enough.
    FixedWidth,
    /// A confidence sequence: it holds whenever one looks or stops.
    Anytime,
}

impl IntervalKind {
    const ALL: [Self; 3] = [Self::Paired, Self::FixedWidth, Self::Anytime];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paired => "paired",
            Self::FixedWidth => "fixed width",
            Self::Anytime => "anytime",
        }
    }

    /// The names of those that these cells have.
    pub(crate) fn names(cells: &[Comparison]) -> String {
        let is_used = |kind: &Self| cells.iter().any(|cell| cell.games > 0 && cell.interval_kind == *kind);
        let names: Vec<&str> = Self::ALL.into_iter().filter(is_used).map(Self::name).collect();
        if names.is_empty() { Self::Paired.name().to_owned() } else { names.join(" or ") }
    }
}

/// How the number of games of a cell came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// In few words: "early: > 50 %".
    pub short: String,
    /// In a sentence.
    pub words: String,
}

/// A value from the literature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Literature {
    /// Score of A, 0 to 1.
    pub score: f64,
    /// Half width of its 95 % interval.
    pub margin: Option<f64>,
    /// Games behind it.
    pub games: Option<u64>,
    /// Paper and table.
    pub source: String,
}

/// How our value stands to the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The two are equivalent within the margin asked for.
    Agrees,
    /// The two differ by more than chance explains.
    Differs,
    /// The games played cannot tell.
    Undecided {
        /// About how many more games would; 0 where no number is known.
        more_games: u64,
    },
}

/// A figure of lines over a common horizontal axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The heading.
    pub title: String,
    /// What the horizontal axis measures, with its unit.
    pub x_label: String,
    /// What the vertical axis measures, with its unit; values are drawn as given, never scaled.
    pub y_label: String,
    /// Whether the horizontal axis is logarithmic; points with `x <= 0` are then left out.
    pub x_logarithmic: bool,
    /// The lines and the published points.
    pub series: Vec<Series>,
    /// A horizontal line to compare with.
    pub reference: Option<f64>,
}

/// One line, or one set of published points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What it is called; a published series takes the colour of our series of the same name.
    pub label: String,
    /// Its points, in any order.
    pub points: Vec<Point>,
    /// Drawn as marks with bars, not as a line with a band.
    pub published: bool,
}

/// One point of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
    /// 95 % interval of `y`.
    pub interval: Option<(f64, f64)>,
}

/// Scores over two parameters; a panel for each value of the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// The heading.
    pub title: String,
    /// The parameter of the columns.
    pub x_label: String,
    /// The parameter of the rows.
    pub y_label: String,
    /// Its values.
    pub columns: Vec<String>,
    /// Its values.
    pub rows: Vec<String>,
    /// One, or one for each value of further parameters.
    pub panels: Vec<Panel>,
    /// Panel, row and column of the highest score.
    pub best: Option<[usize; 3]>,
}

/// Scores over two parameters, the others fixed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Which values the other parameters have; empty where there are none.
    pub title: String,
    /// `values[row][column]`.
    pub values: Vec<Vec<Option<Heat>>>,
}

/// A score in a heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heat {
    /// Score of A, 0 to 1.
    pub score: f64,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
}

/// What the values of a matrix are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    /// Scores of the row against the column.
    #[default]
    Against,
    /// Scores of row and column together against somebody else, and of each alone on the diagonal.
    With,
}

impl Relation {
    /// The same in three words.
    pub(crate) fn short(self) -> &'static str {
        match self {
            Relation::Against => "row against column",
            Relation::With => "row with column",
        }
    }

    /// What the values are, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Relation::Against => "score of the row against the column",
            Relation::With => "score of the row together with the column, each alone on the diagonal",
        }
    }

    /// The same as a caption.
    pub fn sentence(self) -> String {
        let mut sentence = format!("{}, %.", self.words());
        sentence.replace_range(..1, "S");
        sentence
    }
}

/// Scores of everyone against everyone, or of everyone together with everyone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The heading.
    pub title: String,
    /// What the values are.
    pub relation: Relation,
    /// Names of rows and columns.
    pub labels: Vec<String>,
    /// `values[row][column]` is a score, 0 to 1.
    pub values: Vec<Vec<Option<f64>>>,
}

/// What could be wrong with the games themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    /// Games read.
    pub games: u64,
    /// Games with the same moves as another one of their cell.
    pub duplicates: u64,
    /// Records that could not be read.
    pub damaged: u64,
    /// Moves that took longer than allowed.
    pub timeouts: u64,
    /// Games replayed from their seeds, and how many of them came out identical.
    pub verified: Option<(u64, u64)>,
    /// Score of the first seat over all games.
    pub seat_balance: f64,
}

impl Report {
    /// Games played and games planned over all cells, repetitions of measurements among them.
    pub(crate) fn progress(&self) -> (u64, u64) {
        if self.cells().next().is_none() && self.repetitions.1 == 0 {
            return (self.health.games, 0);
        }
        self.cells().fold(self.repetitions, |(games, planned), cell| {
            (games.saturating_add(cell.games), planned.saturating_add(cell.planned_games))
        })
    }

    /// Every cell of every section.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Comparison> {
        self.sections.iter().flat_map(|section| &section.cells)
    }

    /// How many cells agree, differ, and are undecided.
    pub(crate) fn tally(&self) -> [usize; 3] {
        let mut tally = [0; 3];
        for verdict in self.cells().filter_map(|cell| cell.verdict) {
            tally[verdict.index()] += 1;
        }
        tally
    }
}

impl Grid {
    /// Puts a cell into a row and a column, which are made if they are new.
    pub fn put(&mut self, row: &str, column: &str, cell: usize) {
        let place = |list: &mut Vec<String>, name: &str| {
            list.iter().position(|known| known == name).unwrap_or_else(|| {
                list.push(name.to_owned());
                list.len() - 1
            })
        };
        let (row, column) = (place(&mut self.rows, row), place(&mut self.columns, column));
        self.cells.resize(self.rows.len(), Vec::new());
        for cells in &mut self.cells {
            cells.resize(self.columns.len(), None);
        }
        self.cells[row][column] = Some(cell);
    }

    /// The rows: heading, and what `text` makes of their cells; nothing where there is none.
    pub(crate) fn rows<'a>(
        &'a self,
        section: &'a Section,
        text: impl Fn(&Comparison) -> String + Copy + 'a,
    ) -> impl Iterator<Item = (&'a str, Vec<String>)> + 'a {
        self.rows.iter().enumerate().map(move |(row, heading)| {
            let cell = |column: usize| {
                let place = self.cells.get(row).and_then(|cells| cells.get(column).copied().flatten());
                place.and_then(|place| section.cells.get(place)).map_or_else(String::new, text)
            };
            (heading.as_str(), (0..self.columns.len()).map(cell).collect())
        })
    }
}

impl Comparison {
    /// The row's name: the label, or who plays whom.
    pub(crate) fn name(&self) -> String {
        match (self.label.trim(), self.a.trim(), self.b.trim()) {
            ("", "", "") => "unnamed".to_owned(),
            ("", a, b) => format!("{a} vs {b}"),
            (label, ..) => label.to_owned(),
        }
    }

    /// The game, unless the name already tells it.
    pub(crate) fn game_beside_name(&self) -> Option<&str> {
        let game = self.game.trim();
        (!game.is_empty() && !self.name().to_lowercase().contains(&game.to_lowercase())).then_some(game)
    }

    /// Game and name in one line.
    pub(crate) fn full_name(&self) -> String {
        self.game_beside_name().map_or_else(|| self.name(), |game| format!("{game} · {}", self.name()))
    }
}

impl Agreement {
    /// Position in a tally.
    pub(crate) fn index(self) -> usize {
        match self {
            Agreement::Agrees => 0,
            Agreement::Differs => 1,
            Agreement::Undecided { .. } => 2,
        }
    }

    /// A sign every font has, so that nothing is told by colour alone.
    pub(crate) fn glyph(self) -> &'static str {
        ["=", "≠", "?"][self.index()]
    }

    /// The style class of the sign.
    pub(crate) fn class(self) -> &'static str {
        ["agrees", "differs", "undecided"][self.index()]
    }

    /// The verdict in words.
    pub fn words(self) -> String {
        match self {
            Agreement::Agrees => "agrees".to_owned(),
            Agreement::Differs => "differs".to_owned(),
            Agreement::Undecided { more_games: 0 } => "undecided".to_owned(),
            Agreement::Undecided { more_games } => format!("undecided, +{} games", crate::numbers::count(more_games)),
        }
    }
}
