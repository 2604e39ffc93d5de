//! Beyond the papers: which ideas pay in which game, what is left of each beside the others, and what tuning brings. One
//! table each, in which a practitioner looks for a game like theirs.

use super::marks::place;
use super::parts::Part;
use super::reasons::interval;
use crate::plan::Cell;
use crate::reduce::name_of;
use crate::summary::CellSummary;
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

    /// The score in percent.
    fn score(&self) -> f64 {
        self.decisive().map_or(50.0, |(_, summary)| 100.0 * summary.score)
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

/// A table: names of rows and columns, and what was played.
struct Table<'a> {
    rows: Vec<String>,
    columns: Vec<String>,
    played: Vec<Vec<Both<'a>>>,
}

impl<'a> Table<'a> {
    /// All cells of a part, each in its row and in the column of its game.
    fn new(part: &'a Part, row_of: impl Fn(&Cell) -> String) -> Self {
        let mut table = Self { rows: Vec::new(), columns: Vec::new(), played: Vec::new() };
        for (cell, summary, _) in part.cells() {
            let row = place(&mut table.rows, row_of(cell));
            let column = place(&mut table.columns, cell.written_game.clone());
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
        let rows = self.rows.iter().zip(&self.played).map(|(name, line)| GuideRow {
            name: name.clone(),
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

    /// One sentence on what is strongest in each game: what all together loses to most clearly, or all together where it
    /// beats the plainest search.
    fn strongest(&self) -> Option<String> {
        let compared = self.compared();
        let mut told = Vec::new();
        for (column, game) in self.columns.iter().enumerate() {
            let of = |effect: Effect| {
                let rows = self.rows.iter().zip(&self.played).map(|(name, line)| (name, &line[column]));
                rows.filter(move |(_, both)| both.decisive().is_some() && both.effect(compared) == effect)
            };
            let better = of(Effect::Hurts).min_by(|one, other| one.1.score().total_cmp(&other.1.score()));
            told.extend(match better {
                Some((name, both)) => {
                    let how = if both.time.is_some() { "time" } else { "number of simulations" };
                    let score = both.score();
                    Some(format!("{game}: {name} (all together score {score:.1} against it at the same {how})"))
                }
                None if of(Effect::Helps).any(|(name, _)| name == PLAINEST) => Some(format!("{game}: all together")),
                None => None,
            });
        }
        (!told.is_empty()).then(|| format!("The strongest that was seen, by game. {}.", told.join("; ")))
    }

    /// One sentence on the only row: in which games it helps and in which it does harm.
    fn across(&self, beginning: &str) -> String {
        let compared = self.compared();
        let list = |effect: Effect| {
            let games = self.columns.iter().enumerate().filter_map(|(column, game)| {
                let both = self.played.first()?.get(column).filter(|both| both.decisive().is_some())?;
                (both.effect(compared) == effect).then(|| format!("{game} ({:.1})", both.score()))
            });
            let games: Vec<String> = games.collect();
            if games.is_empty() { "no game".to_string() } else { games.join(", ") }
        };
        format!(
            "{beginning}: gain in {}; harm in {}; neither beyond doubt in {}.",
            list(Effect::Helps),
            list(Effect::Hurts),
            list(Effect::Unclear)
        )
    }
}

/// The agent that has none of the ideas.
const PLAINEST: &str = "plainest search";

/// A table of the chapter: its experiment, who plays, which row a cell belongs to, and what is told of it.
struct Kind {
    part: &'static str,
    who: &'static str,
    row_of: fn(&Cell) -> String,
    told: fn(&Table<'_>) -> Vec<String>,
}

const TABLES: [Kind; 3] = [
    Kind {
        part: "atlas/beyond-ideas",
        who: "Each idea alone, added to uniform play-outs with UCB1 and the solver, against these.",
        row_of: |cell| cell.names[0].clone(),
        told: |table| table.advice("A game like", true, ["switch on", "leave off", "nothing helps beyond doubt"]),
    },
    Kind {
        part: "atlas/beyond-together",
        who: "Policy, MAST, both bonuses and the tree kept between moves, all together, against the plainest search and against \
              itself changed in one thing: above 50 it is better as it is.",
        // Games without a policy have agents of their own.
        row_of: |cell| cell.names[1].trim_end_matches(", no policy").to_string(),
        told: |table| {
            let words = ["it beats", "it loses to", "it beats nothing beyond doubt"];
            let mut told = table.advice("All of it together in", false, words);
            told.extend(table.strongest());
            told
        },
    },
    Kind {
        part: "atlas/beyond-tuned",
        who: "What spinney tune found, in games that it had not seen, against the setting of the paper.",
        row_of: |_| "tuned".to_string(),
        told: |table| vec![table.across("Tuned at 1,000 simulations, played at the same time")],
    },
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
        about: "Ideas of all three papers and of others, each alone, together, and with tuned numbers.".to_string(),
        ..Chapter::default()
    };
    for kind in TABLES {
        let Some(part) = parts.iter().find(|part| part.name == kind.part) else { continue };
        if part.games() == 0 {
            chapter.findings.push(format!("{}: not yet played (spinney lab run {}).", part.plan.title, part.name));
            continue;
        }
        let table = Table::new(part, kind.row_of);
        chapter.findings.extend((kind.told)(&table));
        chapter.guides.push(table.guide(part, format!("{} {}", kind.who, read(part))));
    }
    chapter
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::record::{Moves, Record};
    use spinney_table::Laboratory;

    /// Pairs of which A wins `won` games of each seat and B the others.
    fn play(part: &mut Part, game: &str, idea: &str, is_timed: bool, pairs: u64, won: u64) {
        let is_wanted = |cell: &Cell| name_of(&cell.game) == game && cell.names[0] == idea && cell.is_timed == is_timed;
        let place = part.plan.cells.iter().position(is_wanted).unwrap();
        for pair in 0..pairs {
            for seat in 0..2 {
                let winner = if pair < won { 1 + seat } else { 2 - seat };
                let record = Record {
                    v: 1,
                    cell: part.plan.cells[place].key.clone(),
                    pair,
                    game: seat,
                    seats: ["A".to_string(), "B".to_string()],
                    seed: 0,
                    winner,
                    plies: 40,
                    simulations: [1000, 1000],
                    lost_on_time: false,
                    moves: Moves::Known(String::new()),
                };
                part.contents.games.insert((place, pair, seat), record);
            }
        }
        part.judge();
    }

    #[test]
    fn time_decides_where_it_was_played_and_doubt_is_told() {
        let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
        parts.retain(|part| part.name == "atlas/beyond-ideas");
        let told = chapter(&parts);
        assert!(told.guides.is_empty() && told.findings[0].contains("not yet played"), "{:?}", told.findings);
        let part = &mut parts[0];
        play(part, "breakthrough", "MAST", false, 100, 80);
        play(part, "breakthrough", "RAVE", false, 100, 80);
        play(part, "breakthrough", "RAVE", true, 100, 20);
        play(part, "breakthrough", "GRAVE", false, 100, 52);
        let told = chapter(&parts);
        assert_eq!(
            told.findings,
            [
                "A game like breakthrough (a race that one move decides): switch on MAST (80.0); leave off RAVE (20.0); 1 more \
              makes no difference that these games show."
            ]
        );
        let guide = &told.guides[0];
        let column = guide.columns.iter().position(|[name, _]| name == "breakthrough").unwrap();
        let of = |idea: &str| guide.rows.iter().find(|row| row.name == idea).unwrap().worth[column].clone();
        let rave = of("RAVE").unwrap();
        assert_eq!(rave.effect, Effect::Hurts);
        assert!(rave.lines[0].starts_with("80.0 ± 7") && rave.lines[1].starts_with("20.0 ± 7"), "{:?}", rave.lines);
        let mast = of("MAST").unwrap();
        assert_eq!((mast.effect, mast.decisive, mast.lines[1].as_str()), (Effect::Helps, 0, "–"));
        assert_eq!(of("GRAVE").unwrap().effect, Effect::Unclear);
        assert_eq!(of("policy"), None);
    }

    /// The same change has one row, whether a game has a policy or not.
    #[test]
    fn games_without_a_policy_share_their_rows() {
        let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
        parts.retain(|part| part.name == "atlas/beyond-together");
        play(&mut parts[0], "breakthrough", "together", false, 100, 80);
        play(&mut parts[0], "checkers", "together, no policy", false, 100, 20);
        let told = chapter(&parts);
        assert_eq!(told.guides[0].rows.len(), 10);
        assert_eq!(told.guides[0].rows[0].name, "plainest search");
        assert_eq!(told.guides[0].rows[0].worth.iter().flatten().count(), 2);
        assert_eq!(
            told.findings[1],
            "All of it together in checkers: it beats nothing beyond doubt; it loses to plainest search (20.0)."
        );
        assert_eq!(
            told.findings[2],
            "The strongest that was seen, by game. breakthrough: all together; checkers: plainest search (all together score 20.0 \
             against it at the same number of simulations)."
        );
    }

    #[test]
    fn tuned_settings_are_one_sentence() {
        let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
        parts.retain(|part| part.name == "atlas/beyond-tuned");
        play(&mut parts[0], "breakthrough", "tuned for breakthrough", true, 100, 80);
        play(&mut parts[0], "cannon", "tuned for cannon", true, 100, 20);
        let told = chapter(&parts);
        assert_eq!(
            told.findings,
            [
                "Tuned at 1,000 simulations, played at the same time: gain in breakthrough (80.0); harm in cannon (20.0); neither \
              beyond doubt in no game."
            ]
        );
    }
}
