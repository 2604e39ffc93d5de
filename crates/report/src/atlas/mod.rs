//! The atlas: every number that papers printed on one map, then a chapter for each paper.
//!
//! Plain data in; a page without script, one picture of the map and Markdown out.

mod guide;
mod map;
mod markdown;
mod page;
mod runs;

pub use guide::{Effect, Guide, GuideRow, Worth};
pub use map::map_picture;
pub use markdown::atlas_markdown;
pub use page::{atlas_page, atlas_pictures};

use crate::data::Section;

/// How a published number stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Ours agrees with it.
    Agrees,
    /// Ours differs, and an experiment shows why.
    Explained,
    /// Ours differs, and no experiment has shown why.
    Differs,
    /// What was played or counted cannot tell.
    Undecided,
    /// Nothing was played.
    #[default]
    Unplayed,
}

impl Standing {
    /// All of them, as the legend has them.
    pub const ALL: [Self; 5] = [Self::Agrees, Self::Explained, Self::Differs, Self::Undecided, Self::Unplayed];

    /// The letter on the map, so that nothing is told by colour alone.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Agrees => "A",
            Self::Explained => "D",
            Self::Differs => "X",
            Self::Undecided => "U",
            Self::Unplayed => "·",
        }
    }

    /// What it is called.
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Explained => "differs, with reason",
            Self::Differs => "differs, no reason shown",
            Self::Undecided => "undecided",
            Self::Unplayed => "not yet played",
        }
    }

    /// The class of the style sheet.
    fn class(self) -> &'static str {
        match self {
            Self::Agrees => "is-agrees",
            Self::Explained => "is-explained",
            Self::Differs => "is-differs",
            Self::Undecided => "is-undecided",
            Self::Unplayed => "is-unplayed",
        }
    }
}

/// One published number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// Names it in links.
    pub id: String,
    /// What it is the number of.
    pub name: String,
    /// The number as it was printed.
    pub published: String,
    /// Ours, under the conditions of the paper.
    pub ours: String,
    /// The same with the right rules, where that is another thing.
    pub right: String,
    /// How it stands.
    pub standing: Standing,
    /// How it stands beside the right rules.
    pub beside: Option<Standing>,
    /// Why it differs, or what there is to know.
    pub note: String,
    /// The command that repeats it.
    pub command: String,
    /// What is expected to decide it, where games can.
    pub left: Option<Left>,
}

/// What is left to play of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    /// Games.
    pub games: u64,
    /// Seconds of one core for all of them, where the pace of the game is known.
    pub seconds: Option<f64>,
}

/// Marks in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The heading.
    pub title: String,
    /// Headings of the columns, in one or two words each.
    pub columns: Vec<String>,
    /// Headings of the rows.
    pub rows: Vec<String>,
    /// `marks[row][column]`.
    pub marks: Vec<Vec<Option<Mark>>>,
}

impl Block {
    /// Every mark, row by row.
    pub fn all(&self) -> impl Iterator<Item = &Mark> {
        self.marks.iter().flatten().flatten()
    }
}

/// A chapter: one paper, or one kind of question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chapter {
    /// The heading.
    pub title: String,
    /// Where the numbers come from.
    pub about: String,
    /// What came out, a sentence each.
    pub findings: Vec<String>,
    /// Under which conditions, a sentence each.
    pub notes: Vec<String>,
    /// Its part of the map.
    pub blocks: Vec<Block>,
    /// What is worth switching on, in tables.
    pub guides: Vec<Guide>,
    /// Forest plots and curves.
    pub sections: Vec<Section>,
}

/// A run that counts, or one that could not be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunLine {
    /// Its folder, seen from the results.
    pub folder: String,
    /// Games and repetitions that count on the map.
    pub games: u64,
    /// Versions that played it.
    pub version: String,
    /// Kinds of machines that played it, where that was recorded.
    pub machine: Option<String>,
    /// Seconds that agents searched in all its games, where that was recorded.
    pub seconds: Option<f64>,
    /// Games that were played again, and how many of them came out the same.
    pub checked: Option<[u64; 2]>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Atlas {
    /// The heading.
    pub title: String,
    /// How to read it, in a paragraph.
    pub about: String,
    /// The chapters; the map is made of their blocks.
    pub chapters: Vec<Chapter>,
    /// What it was made from.
    pub runs: Vec<RunLine>,
    /// The command that makes it again.
    pub command: String,
}

impl Atlas {
    /// Every mark of the map.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.chapters.iter().flat_map(|chapter| &chapter.blocks).flat_map(Block::all)
    }

    /// How many marks stand in each way, as [`Standing::ALL`] has them.
    pub fn tally(&self) -> [usize; 5] {
        tally(self.marks())
    }
}

/// How many of these stand in each way.
pub(crate) fn tally<'a>(marks: impl Iterator<Item = &'a Mark>) -> [usize; 5] {
    let mut tally = [0; 5];
    for mark in marks {
        tally[Standing::ALL.iter().position(|one| *one == mark.standing).unwrap_or(4)] += 1;
    }
    tally
}

/// The tally in words: "3 agrees · 2 undecided", as the marks are called.
pub(crate) fn tally_words(tally: [usize; 5]) -> String {
    let words = Standing::ALL.iter().zip(tally).filter(|(_, count)| *count > 0);
    words.map(|(standing, count)| format!("{count} {}", standing.words())).collect::<Vec<_>>().join(" · ")
}
