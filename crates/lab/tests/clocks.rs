//! Clocks in experiment files: read, planned, played, lost by, left out where games are played again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Game, InputError, List, options};
use spinney_games::{TicTacToe, game_types};
use spinney_lab::farm::{Asker, FarmGame, Taker};
use spinney_lab::record::write_line;
use spinney_lab::summary::summarise;
use spinney_lab::{
    Cell, Crew, Estimate, Event, Experiment, Farm, LabError, Plan, Record, Shard, Store, cells, export, pack, report,
    runner, verify,
};
use spinney_search::AgentKind;
use spinney_search::agent::{Agent, Decision, Position, Task};
use spinney_table::{Builder, Laboratory};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const TEXT: &str = r#"title = "By the clock"
seed = 3
pairs = 2
[agents.quick]
kind = "random"
[agents.slow]
kind = "slow"
[[match]]
games = ["tic-tac-toe"]
a = ["quick"]
b = ["slow"]
budgets = [{ clock = "0.02" }]
"#;

options! {
    /// Nothing to choose.
    struct NoSettings {}
}

/// Plays the first move after longer than its clock has.
struct Slow;

impl<G: Game> Agent<G> for Slow {
    fn choose(&mut self, game: &G, position: &Position<'_, G>, _: &mut Task<'_, G>) -> Decision<G::Move> {
        std::thread::sleep(Duration::from_millis(40));
        let mut moves = List::new();
        game.moves(position.state, &mut moves);
        Decision { mv: moves[0], simulations: 0, explanation: None }
    }

    fn describe(&self) -> String {
        "slow".to_string()
    }
}

struct SlowKind;

impl AgentKind for SlowKind {
    type Settings = NoSettings;

    fn build<G: Game>(_: &NoSettings, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Slow))
    }
}

fn laboratory() -> Laboratory {
    Builder::new().for_games::<game_types!(TicTacToe)>().agent::<SlowKind>("slow", "takes its time").finish()
}

fn plan(text: &str) -> Plan {
    Plan::new(&Experiment::read_in(&laboratory(), "clocks.toml", text).unwrap()).unwrap()
}

fn problem(from: &str, to: &str) -> String {
    let text = TEXT.replace(from, to);
    Experiment::read_in(&laboratory(), "clocks.toml", &text).unwrap_err().to_string()
}

/// A folder that is removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("spinney-clocks-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn clocks_are_read_and_refused() {
    let clocks = plan(&TEXT.replace("\"0.02\"", "[\"10+0.1\", \"5\"]")).cells;
    let words: Vec<&str> = clocks.iter().map(|cell| cell.budget.as_str()).collect();
    assert_eq!(words, ["10+0.1 s on the clock", "5+0 s on the clock"]);
    assert!(clocks.iter().all(|cell| cell.is_timed && cell.clock.is_some() && cell.move_time.is_none()));
    for (wrong, expected) in [
        ("\"soon\"", "`soon` is no time and increment in seconds; write such as 300+2 or 0.05+0.005"),
        ("\"0+1\"", "`0+1` is no time"),
        ("5", "a text such as \"10+0.1\", or a list of them, belongs here"),
    ] {
        let found = problem("\"0.02\"", wrong);
        assert!(found.contains(expected) && found.contains("clocks.toml"), "{found}");
    }
    assert!(problem("\"0.02\"", "\"soon\"").starts_with("clocks.toml, line 8, clock: "));
    let beside = problem("{ clock = \"0.02\" }", "{ clock = \"1\", simulations = 5 }");
    assert!(beside.contains("`clock` stands beside another limit; write one of the two"), "{beside}");
    let alone = "\n[[measure]]\ngames = [\"tic-tac-toe\"]\nagents = [\"quick\"]\nbudgets = [{ clock = \"1\" }]\n";
    let found = problem("budgets = [{ clock = \"0.02\" }]\n", alone);
    assert!(found.contains("a clock is for games of two players"), "{found}");
}

/// The keys without a clock are those of the program before there were any.
#[test]
fn clocks_tell_cells_apart_and_change_no_others() {
    let old = TEXT
        .replace("kind = \"slow\"", "sims = 7")
        .replace("{ clock = \"0.02\" }", "{ simulations = 5 }, { time = 0.25 }")
        .replace("a = [\"quick\"]\nb = [\"slow\"]", "a = [\"slow\"]\nb = [\"quick\"]");
    let keys: Vec<String> = plan(&old).cells.iter().map(|cell| cell.key.clone()).collect();
    assert_eq!(keys, ["bf21196ee28a60c3", "e870b05033f89319"]);
    let key = |text: &str| plan(text).cells[0].key.clone();
    let without = TEXT.replace("budgets = [{ clock = \"0.02\" }]\n", "");
    assert_ne!(key(TEXT), key(&without));
    assert_ne!(key(TEXT), key(&TEXT.replace("0.02", "0.03")));
    assert_ne!(key(TEXT), key(&TEXT.replace("0.02", "0.02+0.01")));
    assert_eq!(key(TEXT), key(&TEXT.replace("0.02", "0.020+0")));
}

/// Games of tic-tac-toe have 5 to 9 plies: two games of two pairs each, two players of 10 s each and 0.5 s for each ply.
#[test]
fn a_plan_says_the_most_that_clocks_allow() {
    let plan = plan(&TEXT.replace("0.02", "10+0.5"));
    let seconds = Estimate::default().seconds(&plan.cells[0], &AtomicBool::new(false)).unwrap();
    assert!((4.0 * (20.0 + 2.5)..=4.0 * (20.0 + 4.5)).contains(&seconds), "{seconds}");
}

/// Would play everything, and must not be asked to.
struct Greedy;

impl Farm for Greedy {
    fn kind(&self) -> String {
        "a greedy one".to_string()
    }

    fn refuses(&self, _: &Cell) -> Result<Option<String>, InputError> {
        Ok(None)
    }

    fn play(&self, _: &[Cell], games: Vec<FarmGame>, _: Asker<'_>, _: Taker<'_>) -> Result<(), LabError> {
        panic!("{} games by the clock for a farm", games.len())
    }
}

/// Takes games, and has played none when it ends.
struct Idle;

impl Farm for Idle {
    fn kind(&self) -> String {
        "an idle one".to_string()
    }

    fn refuses(&self, _: &Cell) -> Result<Option<String>, InputError> {
        Ok(None)
    }

    fn play(&self, _: &[Cell], _: Vec<FarmGame>, _: Asker<'_>, _: Taker<'_>) -> Result<(), LabError> {
        Ok(())
    }
}

#[test]
fn a_farm_that_takes_games_belongs_to_the_machine() {
    let folder = Folder::new("idle");
    let text = TEXT.replace("clock = \"0.02\"", "simulations = 2");
    let store = Store::create_in(&laboratory(), &folder.0, "idle.toml", &text).unwrap();
    let crew = Crew { threads: 1, farm: Some(&Idle), helps: false };
    let played =
        runner::run(&store, &store.read().unwrap(), Shard::WHOLE, crew, &AtomicBool::new(false), &|_: Event| {});
    assert_eq!(played.unwrap(), 0);
    let machines = store.program().unwrap().unwrap().machines;
    assert!(machines.len() == 1 && machines[0].ends_with(", an idle one"), "{machines:?}");
}

#[test]
fn a_game_lost_on_time_is_recorded_as_such() {
    let folder = Folder::new("lost");
    let store = Store::create_in(&laboratory(), &folder.0, "clocks.toml", TEXT).unwrap();
    let fallen = Mutex::new(Vec::new());
    let tell = |event: Event| {
        if let Event::Clocked { flag, .. } = event {
            fallen.lock().unwrap().push(flag);
        }
    };
    let crew = Crew { threads: 1, farm: Some(&Greedy), helps: false };
    let played = runner::run(&store, &store.read().unwrap(), Shard::WHOLE, crew, &AtomicBool::new(false), &tell);
    assert_eq!(played.unwrap(), 4);
    assert_eq!(*fallen.lock().unwrap(), [Some(1); 4]);
    let machines = store.program().unwrap().unwrap().machines;
    assert!(!machines[0].contains("greedy"), "it has played nothing: {machines:?}");
    let contents = store.read().unwrap();
    assert!(contents.faults.is_empty(), "{:?}", contents.faults);
    for (id, record) in &contents.games {
        // Who moves first has made one move, or none, when the flag of the other falls.
        assert_eq!((record.lost_on_time, record.winner, record.plies), (true, 1 + id.2, u64::from(id.2 == 0)));
        assert!(write_line(record).contains(",\"lost_on_time\":true,\"sum\""));
        let in_time = Record { lost_on_time: false, ..record.clone() };
        assert!(!write_line(&in_time).contains("lost_on_time") && !in_time.agrees(record));
    }
    let summary = &summarise(&store.plan, &contents)[0];
    assert_eq!((summary.lost_on_time, summary.games.wins), ([0, 4], 4));
    assert_eq!(report::of_store(&store, &contents, None).health.timeouts, 4);
    assert!(cells::table(&store.plan, &contents).json_lines().contains("\"lost_on_time_b\":4"));
    let rows = export::csv(export::Rows::Games, &store.plan, &contents);
    assert!(rows.lines().next().unwrap().contains("lost_on_time") && rows.contains(",true,"), "{rows}");
    // What tells how far a run has come says the same, also of a packed one.
    assert_eq!(store.outcomes().unwrap().cells[0].iter().filter(|played| played.lost_on_time).count(), 4);
    assert_eq!(pack::pack(&store, 0.0).unwrap().timed, 4);
    let packed = store.read().unwrap();
    assert!(packed.games.iter().all(|(id, record)| record.agrees(&contents.games[id])));
    assert!(verify::sample(&store.plan, &packed, 1.0).is_empty(), "nobody plays them again");
}
