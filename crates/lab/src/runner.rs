//! The runner: plays games on several threads and hands each on as soon as it has ended, mostly to the store.

use crate::error::LabError;
use crate::farm::{Crew, FarmGame, play_on_farm, refusals, split};
use crate::lent::{Flag, Lent};
use crate::measure::PORTION;
use crate::plan::{PairId, Plan, PortionId, Shard};
use crate::queue::{Next, Queue};
use crate::record::{Portion, Record, VERSION};
use crate::referee::{Referee, courses};
use crate::store::{Appender, Contents, GameId, Store};
use spinney_search::timekeeper::{ClockedGame, Course};
use spinney_table::Table;
use spinney_table::table::GameText;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What the runner tells while it plays.
#[derive(Clone, Debug)]
pub enum Event {
    /// A pair of this cell has been taken up.
    Started {
        /// Index of the cell.
        cell: usize,
    },
    /// A game has been played and stored.
    Played {
        /// Index of the cell.
        cell: usize,
        /// Points of A, 0 to 1.
        score: f64,
    },
    /// A game by the clock has been played.
    Clocked {
        /// Index of the cell.
        cell: usize,
        /// Which agent lost it on time: 0 is A.
        flag: Option<usize>,
        /// What the clocks have seen.
        course: Course,
    },
    /// The rule of a cell has been decided by its games: it needs no more.
    Decided {
        /// Index of the cell.
        cell: usize,
    },
    /// Games that were to be played were not needed.
    Spared {
        /// Index of the cell.
        cell: usize,
        /// How many.
        games: u64,
    },
    /// The farm could not play games of this cell, so that threads do; told once for each reason.
    GivenBack {
        /// Index of the cell.
        cell: usize,
        /// Why it could not.
        why: String,
    },
    /// A thread has ended a game before the farm did.
    Helped {
        /// Index of the cell.
        cell: usize,
    },
    /// A measurement has been repeated once more.
    Repeated {
        /// Index of the measurement.
        measurement: usize,
    },
}

/// What a thread takes up at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A pair, and which of its games are to be played.
    Pair {
        /// The pair.
        pair: PairId,
        /// The game in which A begins, and the one in which B does.
        games: [bool; 2],
    },
    /// A portion of a measurement.
    Portion(PortionId),
}

impl Task {
    /// How many games or repetitions it is.
    pub fn count(&self, plan: &Plan) -> u64 {
        match self {
            Task::Pair { games, .. } => games.iter().filter(|is_missing| **is_missing).count() as u64,
            Task::Portion(id) => {
                let repetitions = plan.measurements[id.measurement].repetitions;
                repetitions.saturating_sub(id.portion * PORTION).min(PORTION)
            }
        }
    }
}

/// What a task gives.
#[derive(Clone, Debug)]
pub enum Found {
    /// A game that has ended, with the milliseconds of both seats.
    Game(GameId, Record, [f64; 2]),
    /// A portion that has been measured.
    Portion(PortionId, Portion),
}

impl Found {
    /// Writes it at the end of a run.
    pub fn write(&self, appender: &mut Appender) -> Result<(), LabError> {
        match self {
            Found::Game(_, record, ms) => appender.add(record, *ms),
            Found::Portion(_, portion) => appender.add_portion(portion),
        }
    }

    /// Adds it to what is known; returns how many games or repetitions it is.
    pub fn keep(self, contents: &mut Contents) -> u64 {
        match self {
            Found::Game(id, record, ms) => {
                contents.games.insert(id, record);
                contents.times.insert(id, ms);
                1
            }
            Found::Portion(id, portion) => {
                let count = portion.count;
                contents.portions.insert(id, portion);
                count
            }
        }
    }
}

/// What is still to be played of a shard: pairs cell by cell, then portions, dear ones first, so that no thread is left
/// alone with one at the end. Of cells with a stopping rule all pairs that may be needed, block by block over all of them,
/// so that a block has mostly ended before its cell's next one begins.
pub fn missing(plan: &Plan, contents: &Contents, shard: Shard) -> Vec<Task> {
    let courses = courses(plan, contents);
    let is_wanted = |id: &PairId| courses[id.cell].is_none_or(|course| course.counts(id.pair));
    let lacks = |id: PairId| [0, 1].map(|game| !contents.games.contains_key(&(id.cell, id.pair, game)));
    let pairs = plan.pairs(shard).filter(is_wanted).map(|pair| (pair, lacks(pair)));
    let mut pairs: Vec<(PairId, [bool; 2])> = pairs.filter(|(_, games)| *games != [false; 2]).collect();
    // Without rules everything is of one block, and the order stays as it is.
    pairs.sort_by_key(|(id, _)| plan.cells[id.cell].stop.as_ref().map_or(0, |stop| id.pair / stop.block));
    let mut portions: Vec<PortionId> = plan.portions(shard).filter(|id| !contents.portions.contains_key(id)).collect();
    portions.sort_by_key(|id| (std::cmp::Reverse(plan.measurements[id.measurement].simulations), *id));
    let pairs = pairs.into_iter().map(|(pair, games)| Task::Pair { pair, games });
    pairs.chain(portions.into_iter().map(Task::Portion)).collect()
}

/// Plays everything that is missing in this shard and stores it. Returns the number of games and repetitions; fewer than
/// missing if `stop` was set or a stopping rule was decided.
pub fn run<'a>(
    store: &Store,
    contents: &Contents,
    shard: Shard,
    crew: impl Into<Crew<'a>>,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<u64, LabError> {
    let mut appender = store.append(shard)?;
    let tasks = missing(&store.plan, contents, shard);
    let crew = crew.into();
    if !tasks.is_empty() {
        let farm = match crew.farm {
            Some(farm) if refusals(&store.plan, farm)?.values().sum::<usize>() < store.plan.cells.len() => {
                Some(farm.kind())
            }
            _ => None,
        };
        store.admit_beside(farm)?;
    }
    let mut played = 0;
    let keep = |found: Found| {
        played += if let Found::Portion(_, portion) = &found { portion.count } else { 1 };
        found.write(&mut appender)
    };
    let referee = Referee::new(&store.plan, contents).beside(&store.folder, shard);
    play_with(&store.plan, &referee, tasks, crew, stop, tell, keep)?;
    Ok(played)
}

/// Plays these games and measures these portions, and hands each to `keep` as soon as it has ended. What is found does
/// not depend on the number of threads, only its order does.
pub fn play(
    plan: &Plan,
    tasks: Vec<Task>,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
    keep: impl FnMut(Found) -> Result<(), LabError> + Send,
) -> Result<(), LabError> {
    play_with(plan, &Referee::idle(), tasks, threads, stop, tell, keep)
}

/// The same, but pairs that the referee does not want any more are left out when their turn comes.
pub fn play_with<'a>(
    plan: &Plan,
    referee: &Referee,
    tasks: Vec<Task>,
    crew: impl Into<Crew<'a>>,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
    keep: impl FnMut(Found) -> Result<(), LabError> + Send,
) -> Result<(), LabError> {
    let Crew { threads, farm, helps } = crew.into();
    let (farmed, tasks) = split(plan, tasks, farm)?;
    // Agents on many threads get them: fewer games at a time.
    let cells = plan.cells.iter().flat_map(|cell| &cell.agents).chain(plan.measurements.iter().map(|one| &one.agent));
    let each = cells.map(|agent| agent.threads() as usize).max().unwrap_or(1);
    // A farm may give back what it was to play. Somebody has to look at the referee, even if nothing is left to play.
    let most = if farmed.is_empty() { tasks.len() } else { usize::MAX };
    let threads = threads.div_ceil(each).min(most).max(1);
    let keep = Mutex::new(keep);
    let keep = |found: Found| {
        let game = if let Found::Game(id, record, _) = &found { Some((*id, record.score_of_a())) } else { None };
        keep.lock().unwrap_or_else(PoisonError::into_inner)(found)?;
        if let Some((id, score)) = game
            && referee.note(id, score)
        {
            tell(Event::Decided { cell: id.0 });
        }
        Ok(())
    };
    let (queue, lent) = (Queue::new(tasks, !farmed.is_empty()), Lent::default());
    // One thread's trouble stops the others.
    let failed = AtomicBool::new(false);
    let is_stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let work = || -> Result<(), LabError> {
        let mut seated = Seated::default();
        while let Some(next) = queue.next(is_stopped, || if helps { lent.take() } else { None }) {
            let task = match next {
                Next::Task(task) => task,
                Next::Otherwise(game) => {
                    play_lent(plan, game, (referee, &lent), &mut seated, tell, &keep)?;
                    continue;
                }
            };
            let is_done = match task {
                Task::Pair { pair, .. } if !referee.wants(plan, pair) => {
                    tell(Event::Spared { cell: pair.cell, games: task.count(plan) });
                    true
                }
                Task::Pair { pair, games } => play_pair(plan, pair, games, &mut seated, stop, tell, &keep)?,
                Task::Portion(id) => measure_portion(plan, id, &mut seated, stop, tell, &keep)?,
            };
            if !is_done {
                return Ok(());
            }
        }
        Ok(())
    };
    let guarded = |result: Result<(), LabError>| {
        if result.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        result
    };
    thread::scope(|scope| {
        let mut workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| guarded(work()))).collect();
        if let Some(farm) = farm.filter(|_| !farmed.is_empty()) {
            let (queue, lent, keep, guarded, is_stopped) = (&queue, &lent, &keep, &guarded, &is_stopped);
            workers.push(scope.spawn(move || {
                let _closer = queue.closer();
                let result = play_on_farm(plan, farm, farmed, (referee, queue, lent), is_stopped, tell, keep);
                if result.is_err() {
                    lent.stop();
                }
                guarded(result)
            }));
        }
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// The table of a thread, and whose it is. Tasks come cell by cell, so one serves for many.
#[derive(Default)]
pub(crate) struct Seated(Option<(Place, Box<dyn Table>)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Cell(usize),
    Measurement(usize),
}

impl Seated {
    fn at(&mut self, place: Place, plan: &Plan) -> Result<&mut dyn Table, LabError> {
        if self.0.as_ref().is_none_or(|(known, _)| *known != place) {
            self.0 = None;
        }
        let (_, table) = match self.0.take() {
            Some(seated) => self.0.insert(seated),
            None => {
                let table = match place {
                    Place::Cell(index) => plan.cells[index].table()?,
                    Place::Measurement(index) => plan.measurements[index].table()?,
                };
                self.0.insert((place, table))
            }
        };
        Ok(table.as_mut())
    }
}

/// Hands on a game that has been played.
pub(crate) fn keep_game(
    plan: &Plan,
    (index, pair, game): GameId,
    (played, lost_on_time): (GameText, bool),
    tell: &(dyn Fn(Event) + Sync),
    keep: &impl Fn(Found) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let cell = &plan.cells[index];
    let seats = if game == 0 { [0, 1] } else { [1, 0] };
    let record = Record {
        v: VERSION,
        cell: cell.key.clone(),
        pair,
        game,
        seats: seats.map(|seat: usize| cell.names[seat].clone()),
        seed: cell.pair_seed(pair).value(),
        winner: Record::winner_number(played.outcome),
        plies: played.moves.len() as u64,
        simulations: played.simulations,
        moves: played.moves.join(" ").into(),
        lost_on_time,
    };
    let ms = played.time.map(|time| time.as_secs_f64() * 1e3);
    let score = record.score_of_a();
    keep(Found::Game((index, pair, game), record, ms))?;
    tell(Event::Played { cell: index, score });
    Ok(())
}

/// Whether the games of a pair were played to their end.
pub(crate) fn play_pair(
    plan: &Plan,
    PairId { cell: index, pair }: PairId,
    games: [bool; 2],
    seated: &mut Seated,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
    keep: &impl Fn(Found) -> Result<(), LabError>,
) -> Result<bool, LabError> {
    let cell = &plan.cells[index];
    tell(Event::Started { cell: index });
    let table = seated.at(Place::Cell(index), plan)?;
    let seed = cell.pair_seed(pair);
    for game in (0..2u8).filter(|game| games[usize::from(*game)]) {
        let seats = if game == 0 { [0, 1] } else { [1, 0] };
        let played_game = match cell.clock {
            None => table.play_game(seats, cell.opening, seed, stop).map(|game| (game, false)),
            Some(clock) => {
                let played = table.play_game_by_clock(seats, clock, cell.opening, seed, stop);
                played.map(|ClockedGame { game, course }| {
                    tell(Event::Clocked { cell: index, flag: course.flag.map(|player| seats[player.index()]), course });
                    (game, course.flag.is_some())
                })
            }
        };
        let Some(played_game) = played_game else { return Ok(false) };
        keep_game(plan, (index, pair, game), played_game, tell, keep)?;
    }
    Ok(true)
}

/// Plays a game that a farm has been lent, until one of both has ended it.
fn play_lent(
    plan: &Plan,
    (game, stop): (FarmGame, Flag),
    (referee, lent): (&Referee, &Lent),
    seated: &mut Seated,
    tell: &(dyn Fn(Event) + Sync),
    keep: &impl Fn(Found) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let (index, pair, number) = game.id;
    if !referee.wants(plan, PairId { cell: index, pair }) {
        return Ok(());
    }
    let table = seated.at(Place::Cell(index), plan)?;
    let seats = if number == 0 { [0, 1] } else { [1, 0] };
    let played = table.play_game(seats, plan.cells[index].opening, game.seed, &stop);
    let Some(played) = played.filter(|_| lent.hear(game.id)) else { return Ok(()) };
    keep_game(plan, game.id, (played, false), tell, keep)?;
    tell(Event::Helped { cell: index });
    Ok(())
}

/// Whether a portion was measured to its end.
fn measure_portion(
    plan: &Plan,
    id: PortionId,
    seated: &mut Seated,
    stop: &AtomicBool,
    tell: &(dyn Fn(Event) + Sync),
    keep: &impl Fn(Found) -> Result<(), LabError>,
) -> Result<bool, LabError> {
    let measurement = id.measurement;
    let table = seated.at(Place::Measurement(measurement), plan)?;
    let repeated = || tell(Event::Repeated { measurement });
    let Some(portion) = plan.measurements[measurement].measure(table, id.portion, stop, &repeated) else {
        return Ok(false);
    };
    keep(Found::Portion(id, portion))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::farm::{Asker, Farm, FarmGame, Taker};
    use crate::plan::Cell;
    use spinney_core::InputError;
    use std::collections::BTreeMap;
    use std::sync::atomic::AtomicUsize;

    const TEXT: &str = r#"title = "Alone"
seed = 3
[agents.plain]
[agents.cv]
cv = true
[[measure]]
games = ["pig(turns=2)"]
agents = ["plain", "cv"]
budgets = [{ simulations = 4 }, { simulations = 8 }]
repetitions = 170
"#;

    fn measured(plan: &Plan, tasks: Vec<Task>, threads: usize) -> BTreeMap<PortionId, Portion> {
        let mut contents = Contents::default();
        let keep = |found: Found| {
            found.keep(&mut contents);
            Ok(())
        };
        play(plan, tasks, threads, &AtomicBool::new(false), &|_| {}, keep).unwrap();
        contents.portions
    }

    #[test]
    fn portions_do_not_depend_on_threads_or_shards() {
        let plan = Plan::new(&Experiment::read("alone.toml", TEXT).unwrap()).unwrap();
        let nothing = Contents::default();
        let tasks = missing(&plan, &nothing, Shard::WHOLE);
        assert_eq!(tasks.iter().map(|task| task.count(&plan)).sum::<u64>(), plan.games());
        assert_eq!((tasks.len(), plan.games()), (16, 800), "whole portions");
        let whole = measured(&plan, tasks, 1);
        let mut parts = BTreeMap::new();
        for index in 0..3 {
            let tasks = missing(&plan, &nothing, Shard { index, count: 3 });
            assert!(tasks.len() < 16);
            parts.extend(measured(&plan, tasks, 2));
        }
        assert_eq!(parts, whole);
    }

    #[test]
    #[should_panic(expected = "a bad thread")]
    fn a_panic_of_a_thread_is_no_success() {
        let plan = Plan::new(&Experiment::read("alone.toml", TEXT).unwrap()).unwrap();
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let tell = |_: Event| panic!("a bad thread");
        let _ = play(&plan, tasks, 2, &AtomicBool::new(false), &tell, |_| Ok(()));
    }

    /// A farm that plays one of two games of a cell, cannot play every third game, and breaks off when it is told to.
    struct Neighbour {
        asked: AtomicUsize,
        most: usize,
        /// It ends when so many games were heard of.
        waits_for: usize,
        heard: AtomicUsize,
    }

    impl Neighbour {
        fn new(most: usize) -> Self {
            Self { asked: AtomicUsize::new(0), most, waits_for: 0, heard: AtomicUsize::new(0) }
        }
    }

    impl Farm for Neighbour {
        fn kind(&self) -> String {
            "a neighbour".to_string()
        }

        fn refuses(&self, cell: &Cell) -> Result<Option<String>, InputError> {
            Ok((cell.game.starts_with("tic")).then(|| "too small".to_string()))
        }

        fn play(
            &self,
            cells: &[Cell],
            games: Vec<FarmGame>,
            is_stopped: Asker<'_>,
            take: Taker<'_>,
        ) -> Result<(), LabError> {
            for game in games.into_iter().rev() {
                let number = self.asked.fetch_add(1, Ordering::Relaxed);
                if number >= self.most {
                    return Ok(());
                }
                let (cell, _, first) = game.id;
                let cell = &cells[cell];
                assert!(cell.game.starts_with("breakthrough"), "what was refused is not asked for");
                let seats = if first == 0 { [0, 1] } else { [1, 0] };
                let played = cell.table()?.play_game(seats, cell.opening, game.seed, &AtomicBool::new(false));
                let played = played.filter(|_| !number.is_multiple_of(3));
                take(game, played.ok_or_else(|| "every third".to_string()))?;
            }
            // Threads are at work before it has ended.
            while self.waits_for > self.heard.load(Ordering::Relaxed) && !is_stopped() {
                thread::sleep(std::time::Duration::from_millis(1));
            }
            Ok(())
        }
    }

    #[test]
    fn a_thread_that_fails_ends_the_farm() {
        let text = "title = \"Fails\"\npairs = 3\n[agents.m]\nsims = 3\n[agents.r]\nkind = \"random\"\n[[match]]\n\
            games = [\"tic-tac-toe\", \"breakthrough(rows=5, columns=5)\"]\na = [\"m\"]\nb = [\"r\"]\n";
        let plan = Plan::new(&Experiment::read("fails.toml", text).unwrap()).unwrap();
        // It would wait for ever, but for being stopped.
        let farm = Neighbour { waits_for: 1, ..Neighbour::new(1000) };
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let (crew, stop) = (Crew { threads: 1, farm: Some(&farm), helps: false }, AtomicBool::new(false));
        let keep = |found: Found| match found {
            Found::Game((0, _, _), ..) => Err(InputError::new("disk", "it is full", "make room").into()),
            _ => Ok(()),
        };
        let error = play_with(&plan, &Referee::idle(), tasks, crew, &stop, &|_| {}, keep).unwrap_err();
        assert!(error.to_string().contains("it is full"), "{error}");
        assert!(!stop.into_inner(), "nobody asked to stop");
    }

    #[test]
    fn what_a_farm_gives_back_is_played_by_all_threads_while_it_is_at_work() {
        let text = "title = \"Back\"\npairs = 9\n[agents.m]\nsims = 3\n[agents.r]\nkind = \"random\"\n[[match]]\n\
            games = [\"breakthrough(rows=5, columns=5)\"]\na = [\"m\"]\nb = [\"r\"]\n";
        let plan = Plan::new(&Experiment::read("back.toml", text).unwrap()).unwrap();
        let farm = Neighbour { waits_for: 18, ..Neighbour::new(1000) };
        let (reasons, started) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let tell = |event: Event| match event {
            Event::GivenBack { cell, why } => reasons.lock().unwrap().push((cell, why)),
            Event::Played { .. } => drop(farm.heard.fetch_add(1, Ordering::Relaxed)),
            Event::Started { .. } => drop(started.fetch_add(1, Ordering::Relaxed)),
            _ => {}
        };
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let crew = Crew { threads: 2, farm: Some(&farm), helps: false };
        play_with(&plan, &Referee::idle(), tasks, crew, &AtomicBool::new(false), &tell, |_| Ok(())).unwrap();
        assert_eq!(*reasons.lock().unwrap(), [(0, "every third".to_string())], "told once");
        assert_eq!(started.into_inner(), 1 + 6, "by the farm, and for each game that came back");
    }

    /// A farm that ends two games, and the others never.
    struct Slow;

    impl Farm for Slow {
        fn kind(&self) -> String {
            "slow".to_string()
        }

        fn refuses(&self, _: &Cell) -> Result<Option<String>, InputError> {
            Ok(None)
        }

        fn play(
            &self,
            cells: &[Cell],
            games: Vec<FarmGame>,
            is_stopped: Asker<'_>,
            take: Taker<'_>,
        ) -> Result<(), LabError> {
            Neighbour::new(2).play(cells, games, is_stopped, take)?;
            while !is_stopped() {
                thread::sleep(std::time::Duration::from_millis(1));
            }
            Ok(())
        }
    }

    #[test]
    fn threads_without_work_end_what_a_farm_takes_long_for() {
        let text = "title = \"Slow\"\nseed = 4\npairs = 9\n[agents.m]\nsims = 3\n[agents.r]\nkind = \"random\"\n[[match]]\n\
            games = [\"breakthrough(rows=5, columns=5)\"]\na = [\"m\"]\nb = [\"r\"]\n";
        let plan = Plan::new(&Experiment::read("slow.toml", text).unwrap()).unwrap();
        let played = |crew: Crew<'_>| {
            let (mut contents, helped) = (Contents::default(), AtomicUsize::new(0));
            let keep = |found: Found| {
                assert_eq!(found.keep(&mut contents), 1);
                Ok(())
            };
            let tell = |event: Event| match event {
                Event::Helped { cell: 0 } => drop(helped.fetch_add(1, Ordering::Relaxed)),
                Event::Helped { .. } => panic!("there is one cell"),
                _ => {}
            };
            let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
            play_with(&plan, &Referee::idle(), tasks, crew, &AtomicBool::new(false), &tell, keep).unwrap();
            (contents.games, helped.into_inner())
        };
        let (alone, nobody) = played(2.into());
        let (together, helped) = played(Crew { threads: 2, farm: Some(&Slow), helps: true });
        assert_eq!((together, nobody), (alone, 0));
        // The farm begins at the end, as the threads do, and one of its two games it cannot play.
        assert!((16..=18).contains(&helped), "{helped} of 18");
    }

    #[test]
    fn a_farm_plays_the_games_that_threads_would() {
        let text = "title = \"Both\"\nseed = 4\npairs = 9\n[agents.m]\nsims = 3\n[agents.r]\nkind = \"random\"\n[[match]]\n\
            games = [\"tic-tac-toe\", \"breakthrough(rows=5, columns=5)\"]\na = [\"m\"]\nb = [\"r\"]\n";
        let plan = Plan::new(&Experiment::read("both.toml", text).unwrap()).unwrap();
        let played = |farm: Option<&dyn Farm>, known: &Contents| {
            let mut contents = known.clone();
            let tasks = missing(&plan, known, Shard::WHOLE);
            let keep = |found: Found| {
                found.keep(&mut contents);
                Ok(())
            };
            let (crew, stop) = (Crew { threads: 2, farm, helps: false }, AtomicBool::new(false));
            play_with(&plan, &Referee::idle(), tasks, crew, &stop, &|_| {}, keep).unwrap();
            contents.games
        };
        let alone = played(None, &Contents::default());
        assert_eq!(alone.len(), 36);
        let farm = Neighbour::new;
        let whole = farm(1000);
        assert_eq!(played(Some(&whole), &Contents::default()), alone);
        assert_eq!(whole.asked.into_inner(), 18, "all games of one cell, and none of the other");
        let refused = refusals(&plan, &farm(1000)).unwrap();
        assert_eq!(refused, BTreeMap::from([("too small".to_string(), 1)]));
        // Broken off after some games, the next run plays the others.
        let some = Contents { games: played(Some(&farm(7)), &Contents::default()), ..Contents::default() };
        assert!(some.games.len() < 36 && some.games.iter().all(|(id, record)| alone.get(id) == Some(record)));
        assert_eq!(played(Some(&farm(1000)), &some), alone);
    }
}
