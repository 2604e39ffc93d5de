//! `spinney reproduce`: the published papers that come with the program, whole or in parts.

use super::lab::{crew, duration, run_text, show_plan, show_report, threads};
use super::quick;
use crate::arguments::Reproduce;
use crate::interrupt;
use crate::text::grouped;
use spinney_core::InputError;
use spinney_lab::paper::{Choice, Paper, Scale};
use spinney_lab::plan::{Plan, Shard};
use spinney_lab::{Estimate, Experiment, library};
use spinney_table::Laboratory;
use std::io::Write;
use std::path::Path;

pub fn run(arguments: &Reproduce, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(name) = arguments.name.as_deref() else { return list(arguments.plan, out) };
    let experiment = library::paper(name)?.experiment(&choice(arguments))?;
    let again = |folder: &Path| command(arguments, name, folder);
    if arguments.plan {
        let run = again(Path::new(arguments.out.as_deref().unwrap_or(Path::new(""))));
        return show_plan(&Plan::new(&experiment)?, false, arguments.cards.count(), &run, out);
    }
    let farm = arguments.cards.farm()?;
    let crew = crew(arguments.threads, farm.as_ref());
    let (text, folder) = (experiment.to_string(), (arguments.out.as_deref(), false));
    let store = run_text(laboratory, (name, &text), folder, Shard::WHOLE, crew, again)?;
    let command = again(&store.folder);
    match arguments.quick {
        true => quick::show(&store, command, out),
        false => show_report(&store, None, false, Some(command), out),
    }
}

/// What the arguments ask for.
fn choice(arguments: &Reproduce) -> Choice {
    let sides = arguments.sides.iter().map(|side| ("side".to_string(), side.to_string()));
    Choice {
        tables: arguments.tables.clone(),
        games: arguments.only_games.clone(),
        only: arguments.only.clone(),
        options: arguments.options.iter().cloned().chain(sides).collect(),
        simulations: arguments.sims.clone(),
        scale: match (arguments.quick, arguments.full) {
            (true, _) => Scale::Quick,
            (_, true) => Scale::Full,
            _ => Scale::Usual,
        },
        games_per_cell: arguments.games.or(arguments.pairs.map(|pairs| 2 * pairs)),
        wall_clock: arguments.wall_clock,
    }
}

/// The command that goes on with a run, or begins it.
fn command(arguments: &Reproduce, name: &str, folder: &Path) -> String {
    let out = arguments.out.as_ref().map_or(String::new(), |_| format!(" --out {}", folder.display()));
    format!("spinney reproduce {name}{}{out}{}", choices(arguments), arguments.cards.written())
}

/// The arguments that choose what is played, as they are written.
fn choices(arguments: &Reproduce) -> String {
    let mut text = String::new();
    let pairs = |list: &[(String, String)]| list.iter().map(|(key, value)| format!("'{key}={value}'")).collect();
    let (only, options): (Vec<String>, Vec<String>) = (pairs(&arguments.only), pairs(&arguments.options));
    let (tables, games) = (&arguments.tables, &arguments.only_games);
    for (flag, values) in [("table", tables), ("game", games), ("only", &only), ("option", &options)] {
        text.extend(values.iter().map(|value| format!(" --{flag} {value}")));
    }
    text.extend(arguments.sides.iter().map(|side| format!(" --side {side}")));
    text.extend(arguments.sims.iter().map(|simulations| format!(" --sims {simulations}")));
    for (flag, set) in [("quick", arguments.quick), ("full", arguments.full), ("wall-clock", arguments.wall_clock)] {
        text += &if set { format!(" --{flag}") } else { String::new() };
    }
    for (flag, number) in [("games", arguments.games), ("pairs", arguments.pairs)] {
        text += &number.map_or(String::new(), |number| format!(" --{flag} {number}"));
    }
    text
}

/// Every paper, table by table; with what it costs here if that is asked for, which takes a while.
fn list(with_cost: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let mut estimate = with_cost.then(Estimate::default);
    for paper in library::papers()? {
        writeln!(out, "{}: {}", paper.name, paper.summary)?;
        let first_look = Choice { scale: Scale::Quick, ..Choice::default() };
        line("--quick", &paper, &first_look, &mut estimate, out)?;
        for table in &paper.tables {
            let one = Choice { tables: vec![table.name.clone()], ..Choice::default() };
            line(&format!("--table {}", table.name), &paper, &one, &mut estimate, out)?;
        }
        if interrupt::pressed() {
            return Ok(());
        }
        for (name, option) in &paper.options {
            writeln!(out, "  {:<28} {}", format!("--option {name}=VALUE"), option.about)?;
        }
    }
    if with_cost {
        writeln!(out, "times are for the games that the files say, on {} cores", threads(None))?;
    } else {
        writeln!(out, "what it costs here: spinney reproduce NAME --plan")?;
    }
    writeln!(out, "run one with: spinney reproduce NAME [--quick | --table TABLE] [--game GAME] [--games N]")?;
    Ok(())
}

fn line(
    flag: &str,
    paper: &Paper,
    choice: &Choice,
    estimate: &mut Option<Estimate>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let experiment = paper.experiment(choice)?;
    let cost = match estimate {
        Some(estimate) => {
            let seconds = seconds(&experiment, estimate)?;
            // What was interrupted has measured nothing.
            if interrupt::pressed() {
                return Ok(());
            }
            format!("  about {:<8}", duration(seconds / threads(None) as f64))
        }
        None => String::new(),
    };
    let (cells, games) = (experiment.cells(), grouped(experiment.games()));
    writeln!(out, "  {flag:<28} {cells:>3} cells {games:>9} games{cost}  {}", experiment.title)?;
    Ok(out.flush()?)
}

fn seconds(experiment: &Experiment, estimate: &mut Estimate) -> Result<f64, InputError> {
    estimate.plan(&Plan::new(experiment)?, interrupt::flag()).map(|seconds| seconds.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::CardArguments;
    use spinney_core::Game;
    use spinney_games::Pig;
    use spinney_games::pig::exact::{ActionValues, Exact};
    use spinney_lab::measure::Quantity;

    #[test]
    fn exact_values_are_those_of_the_solver() {
        let game = Pig::default();
        let ActionValues { roll, stop } = Exact::new(&game).action_values(&game.initial());
        for name in ["figure-1", "quick"] {
            let file = library::find(&format!("variance-reduction/{name}")).unwrap();
            let measures = Experiment::read(name, file.text).unwrap().measures;
            let exact = measures.iter().filter_map(|one| match &one.quantity {
                Quantity::Root { exact, .. } => *exact,
                Quantity::Score => None,
            });
            let exact: Vec<[f64; 2]> = exact.collect();
            assert!(!exact.is_empty(), "{name}");
            assert!(exact.iter().all(|[first, other]| (first - roll).abs() < 1e-9 && (other - stop).abs() < 1e-9));
        }
    }

    #[test]
    fn choices_are_repeated_as_they_were_written() {
        let chosen = Reproduce {
            tables: vec!["3".to_string()],
            only_games: vec!["cannon".to_string()],
            only: vec![("seconds".to_string(), "5".to_string())],
            games: Some(7),
            ..Reproduce::default()
        };
        assert_eq!(choices(&chosen), " --table 3 --game cannon --only 'seconds=5' --games 7");
        let side = Reproduce { sides: vec![8], sims: vec![16, 64], quick: true, ..Reproduce::default() };
        assert_eq!(choices(&side), " --side 8 --sims 16 --sims 64 --quick");
        let choice = choice(&side);
        assert_eq!(choice.options, [("side".to_string(), "8".to_string())]);
        assert_eq!((choice.scale, choice.games_per_cell), (Scale::Quick, None));
        let cards = CardArguments { gpu: true, device: vec![0, 2] };
        let on_cards = Reproduce { quick: true, out: Some("here".into()), cards, ..Reproduce::default() };
        let expected = "spinney reproduce pig --quick --out here --gpu --device 0,2";
        assert_eq!(command(&on_cards, "pig", Path::new("here")), expected);
    }
}
