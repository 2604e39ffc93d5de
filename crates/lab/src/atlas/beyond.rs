//! Beyond the papers: which ideas pay in which game, what is left of each beside the others, and what tuning brings. One
//! table each, in which a practitioner looks for a game like theirs.

use super::findings::Difference;
use super::kinds::{PartKind, Role, change};
use super::marks::place;
use super::parts::{Known, Part};
use super::reasons::interval;
use crate::plan::Cell;
use crate::reduce::name_of;
use crate::summary::CellSummary;
use spinney_core::expression::Expression;
use spinney_report::atlas::{Chapter, Effect, Guide, GuideRow, Worth};

/// What kind each game is, as somebody with another game would ask.
const KINDS: [(&str, &str); 7] = [
    ("amazons", "territory, hundreds of moves, always about as long"),
    ("breakthrough", "a race that one move decides"),
    ("cannon", "captures and shots, often tactical"),
    ("checkers", "forced captures, few moves, draws"),
    ("chinese-checkers", "a long race without captures"),
    ("havannah", "connection, stones stay"),
    ("pentalath", "five in a row, short"),
];

fn kind_of(game: &str) -> &'static str {
    KINDS.iter().find(|(name, _)| *name == name_of(game)).map_or("", |(_, words)| words)
}

/// A cell of a table: the same agents at the same number of simulations and at the same time.
#[derive(Clone, Copy, Default)]
struct Both<'a> {
    simulations: Option<(&'a Cell, &'a CellSummary)>,
    time: Option<(&'a Cell, &'a CellSummary)>,
}

impl<'a> Both<'a> {
    /// What decides: time, which counts what an idea costs; simulations where nobody has played that.
    fn decisive(&self) -> Option<(&'a Cell, &'a CellSummary)> {
        self.time.or(self.simulations)
    }

    /// What was played at one kind of limit.
    fn at(&self, is_timed: bool) -> Self {
        if is_timed { Self { simulations: None, ..*self } } else { Self { time: None, ..*self } }
    }

    /// The score in percent.
    fn score(&self) -> f64 {
        self.decisive().map_or(50.0, |(_, summary)| 100.0 * summary.score)
    }

    /// Whether its score is lower than another's beyond doubt, if `compared` others are looked at.
    fn is_clearly_below(&self, other: &Self, compared: usize) -> bool {
        let scores = self.decisive().zip(other.decisive());
        let difference = scores.and_then(|((_, one), (_, other))| Difference::of(one, other, compared));
        difference.is_some_and(|difference| difference.is_clear() && difference.points < 0.0)
    }

    /// What it does beyond doubt, if `compared` of these are looked at.
    fn effect(&self, compared: usize) -> Effect {
        match self.decisive().and_then(|(_, summary)| interval(summary, compared)) {
            Some(one) if one.low > 0.5 => Effect::Helps,
            Some(one) if one.high < 0.5 => Effect::Hurts,
            _ => Effect::Unclear,
        }
    }

    fn worth(&self, compared: usize) -> Option<Worth> {
        self.decisive()?;
        let line = |one: Option<(&Cell, &CellSummary)>| {
            let (_, summary) = one?;
            let half = summary.interval.map_or(f64::NAN, |one| 50.0 * (one.high - one.low));
            Some(format!("{:.1} ± {half:.1}", 100.0 * summary.score))
        };
        let lines = [self.simulations, self.time].map(|one| line(one).unwrap_or_else(|| "–".to_string()));
        Some(Worth { lines: lines.to_vec(), decisive: self.time.is_some().into(), effect: self.effect(compared) })
    }
}

/// An agent as it is written, without what limits its moves.
fn written(cell: &Cell, side: usize) -> String {
    let text = cell.agents[side].to_string();
    Expression::read("agent", &text).map_or(text, |mut agent| {
        agent.arguments.retain(|argument| !["sims", "time", "cpu", "nodes"].contains(&argument.key.as_str()));
        agent.to_string()
    })
}

/// A table: names of rows and columns, and what was played.
struct Table<'a> {
    rows: Vec<String>,
    /// How the agent of each row is written, where it is the same in all games.
    settings: Vec<String>,
    /// The row against the agent that has none of the ideas.
    plainest: Option<usize>,
    columns: Vec<String>,
    played: Vec<Vec<Both<'a>>>,
}

impl<'a> Table<'a> {
    /// All cells of a part, each in its row and in the column of its game.
    fn new(part: &'a Part, row_of: impl Fn(&Cell) -> String, side: Option<usize>) -> Self {
        let mut table =
            Self { rows: Vec::new(), settings: Vec::new(), plainest: None, columns: Vec::new(), played: Vec::new() };
        for Known { cell, summary, role, .. } in part.cells() {
            let row = place(&mut table.rows, row_of(cell));
            table.plainest = if *role == Role::Plainest { Some(row) } else { table.plainest };
            let column = place(&mut table.columns, cell.written_game.clone());
            if row == table.settings.len() {
                table.settings.push(side.map_or(String::new(), |side| written(cell, side)));
            }
            table.played.resize_with(table.rows.len().max(table.played.len()), Vec::new);
            for line in &mut table.played {
                line.resize(table.columns.len().max(line.len()), Both::default());
            }
            if summary.games.games() > 1 {
                let both = &mut table.played[row][column];
                let side = if cell.is_timed { &mut both.time } else { &mut both.simulations };
                *side = Some((cell, summary));
            }
        }
        table
    }

    /// How many comparisons the table makes, each of which decides.
    fn compared(&self) -> usize {
        self.played.iter().flatten().filter(|both| both.decisive().is_some()).count()
    }

    fn guide(&self, part: &Part, about: String) -> Guide {
        let compared = self.compared();
        let names = self.rows.iter().zip(&self.settings);
        let rows = names.zip(&self.played).map(|((name, setting), line)| GuideRow {
            name: name.clone(),
            setting: setting.clone(),
            worth: line.iter().map(|both| both.worth(compared)).collect(),
        });
        Guide {
            title: part.plan.title.clone(),
            about,
            columns: self.columns.iter().map(|game| [game.clone(), kind_of(game).to_string()]).collect(),
            rows: rows.collect(),
            command: format!("spinney lab run {}", part.name),
        }
    }

    /// A sentence for each game: what helps and what hurts beyond doubt, in these words, and how much is open.
    fn advice(&self, beginning: &str, has_kind: bool, [helps, hurts, none]: [&str; 3]) -> Vec<String> {
        let compared = self.compared();
        let mut sentences = Vec::new();
        for (column, game) in self.columns.iter().enumerate() {
            let mut found: Vec<(f64, Effect, &str)> = self
                .rows
                .iter()
                .zip(&self.played)
                .filter(|(_, line)| line[column].decisive().is_some())
                .map(|(name, line)| (line[column].score(), line[column].effect(compared), name.as_str()))
                .collect();
            if found.is_empty() {
                continue;
            }
            found.sort_by(|one, other| other.0.total_cmp(&one.0));
            let list = |effect: Effect| {
                let names = found.iter().filter(|(_, own, _)| *own == effect);
                names.map(|(score, _, name)| format!("{name} ({score:.1})")).collect::<Vec<_>>().join(", ")
            };
            let (on, off) = (list(Effect::Helps), list(Effect::Hurts));
            let open = found.iter().filter(|(_, effect, _)| *effect == Effect::Unclear).count();
            let mut parts = Vec::new();
            parts.push(if on.is_empty() { none.to_string() } else { format!("{helps} {on}") });
            if !off.is_empty() {
                parts.push(format!("{hurts} {off}"));
            }
            if open > 0 {
                let make = if open == 1 { "makes" } else { "make" };
                parts.push(format!("{open} more {make} no difference that these games show"));
            }
            let kind = if has_kind { format!(" ({})", kind_of(game)) } else { String::new() };
            sentences.push(format!("{beginning} {game}{kind}: {}.", parts.join("; ")));
        }
        sentences
    }

    /// One sentence on what to begin with in each game: what all together loses to most clearly, or all together where it
    /// beats the plainest search and loses to nothing. Those between which these games cannot tell stand together.
    fn beginning(&self) -> Option<String> {
        let compared = self.compared();
        let mut told = Vec::new();
        for (column, game) in self.columns.iter().enumerate() {
            let of = |effect: Effect| {
                let rows = self.played.iter().enumerate().map(|(row, line)| (row, line[column]));
                rows.filter(move |(_, both)| both.decisive().is_some() && both.effect(compared) == effect)
            };
            let mut better: Vec<(usize, Both<'_>)> = of(Effect::Hurts).collect();
            better.sort_by(|one, other| one.1.score().total_cmp(&other.1.score()));
            let best = better.first().map(|(_, both)| *both);
            let rivals = better.len().saturating_sub(1);
            better.retain(|(_, both)| best.is_some_and(|best| !best.is_clearly_below(both, rivals)));
            let how = |both: &Both<'_>| match both.time.is_some() {
                true => "time",
                false => "number of simulations, time was not played",
            };
            let names = better.iter().map(|(row, both)| {
                let how = how(both);
                let before = if Some(*row) == self.plainest { "the " } else { "all together, " };
                let score = 100.0 - both.score();
                format!("{before}{} ({score:.1} against all together at the same {how})", self.rows[*row])
            });
            let names = names.collect::<Vec<_>>().join(" or ");
            let beaten = of(Effect::Helps).find(|(row, _)| Some(*row) == self.plainest);
            told.extend(match better.is_empty() {
                false => Some(format!("{game}: {names}")),
                true if beaten.is_some() => beaten.map(|(_, both)| {
                    let how = how(&both);
                    format!("{game}: all together, which nothing tried beats beyond doubt (at the same {how})")
                }),
                true if self.played.iter().all(|line| line[column].decisive().is_none()) => {
                    Some(format!("{game}: not played together, see each idea alone"))
                }
                true => None,
            });
        }
        let about = "What to begin with, by game, where all together is policy, MAST, both bonuses and the tree kept.";
        (!told.is_empty()).then(|| format!("{about} {}.", told.join("; ")))
    }

    /// A sentence for each kind of limit on the only row: in which games it helps and in which it does harm.
    fn across(&self) -> Vec<String> {
        let of = |is_timed: bool| {
            let line = self.played.first().into_iter().flatten().map(|both| both.at(is_timed));
            self.columns.iter().zip(line).filter(|(_, both)| both.decisive().is_some()).collect::<Vec<_>>()
        };
        let compared = of(false).len() + of(true).len();
        let mut told = Vec::new();
        for (words, is_timed) in [("at the number of simulations it was tuned for", false), ("at the same time", true)]
        {
            let found = of(is_timed);
            if found.is_empty() {
                continue;
            }
            let list = |effect: Effect| {
                let games = found.iter().filter(|(_, both)| both.effect(compared) == effect);
                let games: Vec<String> = games.map(|(game, both)| format!("{game} ({:.1})", both.score())).collect();
                if games.is_empty() { "no game".to_string() } else { games.join(", ") }
            };
            told.push(format!(
                "Tuned, {words}: gain in {}; harm in {}; neither beyond doubt in {} (corrected for {compared} comparisons).",
                list(Effect::Helps),
                list(Effect::Hurts),
                list(Effect::Unclear)
            ));
        }
        told
    }
}

/// A table of the chapter: its experiment, who plays, which row a cell belongs to, and what is told of it.
struct Kind {
    part: PartKind,
    who: &'static str,
    row_of: fn(&Cell) -> String,
    /// Which agent of a cell its row is about, if that is the same in all games.
    side: Option<usize>,
    told: fn(&Table<'_>) -> Vec<String>,
}

const TABLES: [Kind; 3] = [
    Kind {
        part: PartKind::Ideas,
        who: "Each idea alone, added to uniform play-outs with UCB1 and the solver, against these.",
        row_of: |cell| cell.names[0].clone(),
        side: Some(0),
        told: |table| table.advice("A game like", true, ["switch on", "leave off", "nothing helps beyond doubt"]),
    },
    Kind {
        part: PartKind::Together,
        who: "Policy, MAST, both bonuses and the tree kept between moves, all together, against the plainest search and against \
              itself changed in one thing: above 50 it is better as it is.",
        row_of: |cell| change(cell).to_string(),
        side: Some(1),
        told: |table| {
            table.advice("All of it together in", false, ["it beats", "it loses to", "it beats nothing beyond doubt"])
        },
    },
    Kind {
        part: PartKind::Tuned,
        who: "What spinney tune found, in games that it had not seen, against the setting of the paper.",
        row_of: |_| "tuned".to_string(),
        side: None,
        told: |table| table.across(),
    },
];

const NOTES: [&str; 4] = [
    "The limits are short, 1,000 simulations or 5 milliseconds a move: with more time an answer may turn round, so try it at \
     yours with spinney match.",
    "Policy is the play-out policy that the game itself brings; without one, as in Checkers and Havannah here, there is nothing to \
     switch on.",
    "Time counts what an idea costs as it is written here, on one machine; an idea that helps at the same number of simulations \
     and harms at the same time is one to make faster.",
    "The games at the same time were played before MAST was made faster in Amazons, Breakthrough and Pentalath (docs/speed.md): \
     what it costs there is less now than these tables show.",
];

/// How to read a table whose cells have these limits.
fn read(part: &Part) -> String {
    let limit = |is_timed: bool| {
        let cells = part.plan.cells.iter().filter(|cell| cell.is_timed == is_timed);
        let mut limits: Vec<&str> = cells.map(|cell| cell.budget.as_str()).collect();
        limits.dedup();
        limits.join(", ")
    };
    format!(
        "The first number of a cell is at the same number of simulations ({} a move), the second at the same time ({} a move), which \
         counts what an idea costs as it is written here; a dash was not played. + and −: beyond doubt at the same time (where \
         that is missing, at the same number of simulations), in intervals corrected for all comparisons of the table; the \
         margins shown are of 95 %.",
        limit(false),
        limit(true)
    )
}

/// The chapter.
pub(super) fn chapter(parts: &[Part]) -> Chapter {
    let mut chapter = Chapter {
        title: "Beyond: for a game like yours, switch on this".to_string(),
        about: "Ideas of all three papers and of others, each alone, together, and with tuned numbers. Look for the game that is most \
                like yours; each row of the tables is written as spinney match takes it."
            .to_string(),
        notes: NOTES.map(str::to_string).to_vec(),
        ..Chapter::default()
    };
    for kind in TABLES {
        let Some(part) = parts.iter().find(|part| part.kind == kind.part) else { continue };
        if part.games() == 0 {
            chapter.findings.push(format!("{}: not yet played (spinney lab run {}).", part.plan.title, part.name));
            continue;
        }
        let table = Table::new(part, kind.row_of, kind.side);
        chapter.findings.extend((kind.told)(&table));
        if kind.part == PartKind::Together {
            // What most readers came for.
            chapter.findings.splice(0..0, table.beginning());
        }
        chapter.guides.push(table.guide(part, format!("{} {}", kind.who, read(part))));
    }
    chapter
}

#[cfg(test)]
mod tests;
