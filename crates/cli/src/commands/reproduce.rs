//! `spinney reproduce`: the published experiments, compiled in, whole or in parts.

use super::lab::{duration, run_text, threads};
use super::variance;
use crate::arguments::Reproduce;
use crate::interrupt;
use crate::text::grouped;
use spinney_core::InputError;
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::{Estimate, Experiment, library};
use std::io::Write;
use std::path::Path;

/// A published experiment.
struct Reproduction {
    name: &'static str,
    title: &'static str,
    /// What it shows.
    about: &'static str,
    tables: &'static [Table],
    quick: Quick,
}

/// One of its tables.
struct Table {
    name: &'static str,
    /// The experiment file that comes with the program.
    file: &'static str,
    /// Whether it is played when no table is named.
    usual: bool,
}

/// What `--quick` plays.
struct Quick {
    tables: &'static [&'static str],
    /// The columns of the published tables.
    only: &'static [(&'static str, &'static str)],
    /// Sides of the board, where it comes in several.
    sides: &'static [u8],
    simulations: u64,
    pairs: u64,
}

/// Pairs of `--full`.
const FULL_PAIRS: u64 = 2500;

const REPRODUCTIONS: [Reproduction; 4] = [
    Reproduction {
        name: "quality-rewards",
        title: "Quality-based rewards in six games",
        about: "relative and qualitative bonus in six games (ECAI 2014, tables 1, 3 and 4)",
        tables: &[
            Table { name: "1", file: "quality-rewards/table-1", usual: true },
            Table { name: "3", file: "quality-rewards/table-3", usual: true },
            Table { name: "4", file: "quality-rewards/table-4", usual: true },
            Table { name: "right-rules", file: "quality-rewards/right-rules", usual: false },
            Table { name: "breakthrough-sigmoid", file: "quality-rewards/breakthrough-sigmoid", usual: false },
        ],
        quick: Quick {
            tables: &["1", "3"],
            only: &[("a", "online"), ("seconds", "1")],
            sides: &[],
            simulations: 1000,
            pairs: 40,
        },
    },
    Reproduction {
        name: "ggp",
        title: "Relative bonus in General Game Playing",
        about: "relative bonus in fourteen games known only from their rules (ECAI 2014, table 2)",
        tables: &[
            Table { name: "2", file: "ggp/table-2", usual: true },
            Table { name: "2-at-250", file: "ggp/table-2-at-250", usual: false },
            Table { name: "2-at-4000", file: "ggp/table-2-at-4000", usual: false },
            Table { name: "2-by-the-clock", file: "ggp/table-2-by-the-clock", usual: false },
        ],
        quick: Quick { tables: &["2"], only: &[("k", "2.0")], sides: &[], simulations: 250, pairs: 10 },
    },
    Reproduction {
        name: "playouts",
        title: "Play-out policies against uniform play-outs",
        about: "policies against uniform play-outs win 57 to 99 % (ECAI 2014, text)",
        tables: &[Table { name: "policies", file: "playouts", usual: true }],
        quick: Quick { tables: &["policies"], only: &[], sides: &[], simulations: 1000, pairs: 40 },
    },
    Reproduction {
        name: "contextual",
        title: "Contextual Monte Carlo in Havannah",
        about: "pairs of moves in play-outs: the score over B and over prob (EvoGames 2010, figure 3)",
        tables: &[
            Table { name: "b", file: "contextual/over-b", usual: true },
            Table { name: "prob", file: "contextual/over-prob", usual: true },
            Table { name: "readings", file: "contextual/readings", usual: false },
            Table { name: "ablation", file: "contextual/ablation", usual: false },
            Table { name: "helps-where", file: "contextual/helps-where", usual: false },
        ],
        quick: Quick { tables: &["b", "prob"], only: &[], sides: &[5], simulations: 1000, pairs: 15 },
    },
];

pub fn run(arguments: &Reproduce, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(name) = arguments.name.as_deref() else { return list(out) };
    if name == variance::NAME {
        return variance::run(arguments, out);
    }
    let Some(reproduction) = REPRODUCTIONS.iter().find(|known| known.name == name) else {
        let known = REPRODUCTIONS.iter().map(|known| known.name).chain([variance::NAME]);
        return Err(InputError::unknown("reproduce", "experiment", name, known).into());
    };
    let text = reproduction.experiment(arguments)?.to_string();
    let again = |folder: &Path| {
        let out = arguments.out.as_ref().map(|_| format!(" --out {}", folder.display()));
        format!("spinney reproduce {name}{}{}", choices(arguments), out.unwrap_or_default())
    };
    let threads = threads(arguments.threads);
    run_text(name, &text, arguments.out.as_deref(), Shard::WHOLE, threads, again, out)
}

impl Reproduction {
    /// What the arguments leave of it.
    fn experiment(&self, arguments: &Reproduce) -> Result<Experiment, InputError> {
        if let Some(unknown) =
            arguments.tables.iter().find(|name| !self.tables.iter().any(|known| known.name == **name))
        {
            return Err(InputError::unknown(self.name, "table", unknown, self.tables.iter().map(|table| table.name)));
        }
        let is_wanted = |table: &Table| match (arguments.tables.as_slice(), arguments.quick) {
            ([], true) => self.quick.tables.contains(&table.name),
            ([], false) => table.usual,
            (named, _) => named.iter().any(|name| name == table.name),
        };
        let read = |table: &Table| {
            let known = library::FILES.iter().map(|file| file.name);
            let file = library::find(table.file)
                .ok_or_else(|| InputError::unknown(self.name, "experiment file", table.file, known))?;
            Experiment::read(&format!("{}, table {}", self.name, table.name), file.text)
        };
        let parts = self.tables.iter().filter(|table| is_wanted(table)).map(read).collect::<Result<_, _>>()?;
        let mut experiment = Experiment::joined(self.title, parts)?;
        if !arguments.only_games.is_empty() {
            experiment.keep_games(&arguments.only_games)?;
        }
        let sides = if arguments.quick && arguments.sides.is_empty() { self.quick.sides } else { &arguments.sides };
        if !sides.is_empty() {
            experiment.keep_sides(sides)?;
        }
        for (column, value) in &arguments.only {
            experiment.keep_published(column, value)?;
        }
        if arguments.quick {
            self.hasten(&mut experiment, &arguments.only)?;
        }
        if arguments.full {
            experiment.set_pairs(FULL_PAIRS);
        }
        if let Some(pairs) = arguments.pairs.or(arguments.games.map(|games| games.div_ceil(2))) {
            experiment.set_pairs(pairs);
        }
        if arguments.wall_clock {
            experiment.set_wall_clock()?;
        }
        Ok(experiment)
    }

    /// Few simulations, few games, and the main columns unless others were asked for.
    fn hasten(&self, experiment: &mut Experiment, asked: &[(String, String)]) -> Result<(), InputError> {
        for (column, value) in
            self.quick.only.iter().filter(|(column, _)| asked.iter().all(|(other, _)| other != column))
        {
            experiment.keep_published(column, value)?;
        }
        let few = experiment.set_simulations(self.quick.simulations);
        experiment.set_pairs(self.quick.pairs);
        let note = if few {
            let simulations = self.quick.simulations;
            format!(
                "A quick look: {simulations} simulations a move, far fewer than published. Compare who is ahead, not by how much."
            )
        } else {
            "A quick look: few games a cell, so the intervals are wide.".to_string()
        };
        experiment.notes.insert(0, note);
        Ok(())
    }
}

/// The arguments that choose what is played, as they are written.
fn choices(arguments: &Reproduce) -> String {
    let mut text = String::new();
    let only: Vec<String> = arguments.only.iter().map(|(column, value)| format!("'{column}={value}'")).collect();
    for (flag, values) in [("table", &arguments.tables), ("game", &arguments.only_games), ("only", &only)] {
        text.extend(values.iter().map(|value| format!(" --{flag} {value}")));
    }
    text.extend(arguments.sides.iter().map(|side| format!(" --side {side}")));
    for (flag, set) in [("quick", arguments.quick), ("full", arguments.full), ("wall-clock", arguments.wall_clock)] {
        text += &if set { format!(" --{flag}") } else { String::new() };
    }
    for (flag, number) in [("games", arguments.games), ("pairs", arguments.pairs)] {
        text += &number.map_or(String::new(), |number| format!(" --{flag} {number}"));
    }
    text
}

/// Everything that is known, table by table, with what it costs here.
fn list(out: &mut impl Write) -> anyhow::Result<()> {
    let mut estimate = Estimate::default();
    for reproduction in &REPRODUCTIONS {
        writeln!(out, "{}: {}", reproduction.name, reproduction.about)?;
        let quick = Reproduce { quick: true, ..Reproduce::default() };
        line("--quick", &reproduction.experiment(&quick)?, &mut estimate, out)?;
        for table in reproduction.tables {
            let one = Reproduce { tables: vec![table.name.to_string()], ..Reproduce::default() };
            line(&format!("--table {}", table.name), &reproduction.experiment(&one)?, &mut estimate, out)?;
        }
        if interrupt::pressed() {
            return Ok(());
        }
    }
    variance::list(out)?;
    writeln!(out, "times are for the games that the files say, on {} cores; --full plays 5 000 a cell", threads(None))?;
    writeln!(out, "run one with: spinney reproduce NAME [--quick | --table TABLE] [--game GAME] [--games N]")?;
    Ok(())
}

fn line(flag: &str, experiment: &Experiment, estimate: &mut Estimate, out: &mut impl Write) -> anyhow::Result<()> {
    let plan = Plan::new(experiment)?;
    let seconds = plan.cells.iter().map(|cell| estimate.seconds(cell, interrupt::flag()));
    let seconds = seconds.sum::<Result<f64, InputError>>()?;
    let cost = duration(seconds / threads(None) as f64);
    let (cells, games) = (plan.cells.len(), grouped(plan.games()));
    writeln!(out, "  {flag:<28} {cells:>3} cells {games:>7} games  about {cost:<8} {}", plan.title)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(name: &str, arguments: &Reproduce) -> Result<Experiment, InputError> {
        REPRODUCTIONS.iter().find(|known| known.name == name).unwrap().experiment(arguments)
    }

    fn tables(names: &[&str]) -> Reproduce {
        Reproduce { tables: names.iter().map(|name| name.to_string()).collect(), ..Reproduce::default() }
    }

    #[test]
    fn every_cell_of_the_paper_stands_beside_its_number() {
        for (table, cells) in [("1", 24), ("3", 24), ("4", 30), ("right-rules", 21)] {
            let plan = Plan::new(&experiment("quality-rewards", &tables(&[table])).unwrap()).unwrap();
            assert_eq!(plan.cells.len(), cells, "table {table}");
            assert!(plan.cells.iter().all(|cell| cell.published.is_some()), "table {table}");
        }
        let whole = Plan::new(&experiment("quality-rewards", &Reproduce::default()).unwrap()).unwrap();
        assert_eq!((whole.cells.len(), whole.sections.len()), (78, 3));
        let sigmoid = experiment("quality-rewards", &tables(&["breakthrough-sigmoid"])).unwrap();
        let sigmoid = Plan::new(&sigmoid).unwrap();
        assert_eq!((sigmoid.cells.len(), sigmoid.games()), (8, 8000));
        assert_eq!(sigmoid.cells.iter().filter(|cell| cell.published.is_some()).count(), 4);
    }

    /// Thirteen points, two sides of the board, two opponents.
    #[test]
    fn contextual_has_both_curves_against_both_opponents() {
        let plan = |arguments: &Reproduce| Plan::new(&experiment("contextual", arguments).unwrap()).unwrap();
        for (table, cells, published) in [("b", 24, 12), ("prob", 28, 4), ("readings", 13, 0), ("ablation", 30, 0)] {
            let plan = plan(&tables(&[table]));
            assert_eq!(plan.cells.len(), cells, "table {table}");
            assert_eq!(plan.cells.iter().filter(|cell| cell.published.is_some()).count(), published, "table {table}");
        }
        assert_eq!(plan(&Reproduce::default()).cells.len(), 52);
        let quick = plan(&Reproduce { quick: true, ..Reproduce::default() });
        assert_eq!(quick.cells.len(), 26);
        assert!(quick.cells.iter().all(|cell| cell.written_game == "havannah(size=5)" && cell.pairs == 15));
        let large = Reproduce { sides: vec![8], games: Some(10), ..tables(&["b"]) };
        assert!(plan(&large).cells.iter().all(|cell| cell.written_game == "havannah(size=8)" && cell.pairs == 5));
        assert_eq!(choices(&large), " --table b --side 8 --games 10");
        let error = experiment("contextual", &Reproduce { sides: vec![7], ..Reproduce::default() }).unwrap_err();
        assert!(error.to_string().contains("side"), "{error}");
    }

    #[test]
    fn what_is_written_into_the_folder_is_what_was_chosen() {
        let choices = [
            Reproduce::default(),
            Reproduce { quick: true, ..Reproduce::default() },
            Reproduce { full: true, wall_clock: true, ..tables(&["4", "right-rules"]) },
        ];
        for choice in &choices {
            let chosen = experiment("quality-rewards", choice).unwrap();
            let read = Experiment::read("experiment.toml", &chosen.to_string()).unwrap();
            assert_eq!(read, chosen);
            assert_eq!(Plan::new(&read).unwrap().hash, Plan::new(&chosen).unwrap().hash);
        }
    }

    #[test]
    fn choices_reduce_an_experiment() {
        let quick = experiment("quality-rewards", &Reproduce { quick: true, ..Reproduce::default() }).unwrap();
        assert_eq!(Plan::new(&quick).unwrap().cells.len(), 12);
        let chosen = Reproduce {
            only_games: vec!["cannon".to_string()],
            only: vec![("seconds".to_string(), "5".to_string())],
            games: Some(7),
            ..tables(&["3"])
        };
        let plan = Plan::new(&experiment("quality-rewards", &chosen).unwrap()).unwrap();
        assert!(plan.cells.iter().all(|cell| cell.pairs == 4 && cell.budget == "10000 simulations"));
        assert_eq!(plan.cells.len(), 2);
        assert_eq!(choices(&chosen), " --table 3 --game cannon --only 'seconds=5' --games 7");
        let clock = Reproduce { wall_clock: true, ..tables(&["1"]) };
        let plan = Plan::new(&experiment("quality-rewards", &clock).unwrap()).unwrap();
        assert!(plan.cells.iter().all(|cell| cell.is_timed));
    }
}
