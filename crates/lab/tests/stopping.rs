//! Stopping rules: the games that count are the same bytes however a run was played.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Random, Seed};
use spinney_lab::plan::Shard;
use spinney_lab::record::write_line;
use spinney_lab::referee::{Course, State, counted, courses};
use spinney_lab::summary::{Basis, summarise};
use spinney_lab::{Event, Store, report, runner};
use spinney_stats::Conclusion;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Two cells are decided early, one has its largest number of games, and one has no rule.
const EXPERIMENT: &str = r#"title = "Until it is decided"
seed = 5
pairs = 90
stop = { sprt = { score = [50, 60] }, block = 10 }
[agents.strong]
sims = 10
[agents.same]
like = "strong"
c = 0.9
[agents.weak]
kind = "random"
[[match]]
title = "Tested"
games = ["breakthrough(rows=5, columns=5)"]
a = ["strong"]
b = ["weak", "same"]
[[match]]
title = "Looked at"
games = ["tic-tac-toe"]
a = ["strong"]
b = ["same"]
pairs = 25
stop = { anytime = true, block = 10 }
[[match]]
title = "Fixed"
games = ["tic-tac-toe"]
a = ["strong"]
b = ["weak"]
pairs = 6
stop = false
"#;

/// A folder that is removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("spinney-stopping-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn create(folder: &Path) -> Store {
    Store::create(folder, "stopping.toml", EXPERIMENT).unwrap()
}

/// Plays at most so many games of a shard, as if killed then.
fn play(store: &Store, shard: Shard, threads: usize, most: u64) -> u64 {
    let (stop, games) = (AtomicBool::new(false), AtomicU64::new(0));
    let tell = |event: Event| {
        if matches!(event, Event::Played { .. }) && games.fetch_add(1, Ordering::Relaxed) + 1 >= most {
            stop.store(true, Ordering::Relaxed);
        }
    };
    runner::run(store, &store.read().unwrap(), shard, threads, &stop, &tell).unwrap()
}

/// The games that count, as they are written.
fn counting(store: &Store) -> Vec<String> {
    let contents = store.read().unwrap();
    counted(&store.plan, &contents).games.values().map(write_line).collect()
}

fn course_of(store: &Store) -> Vec<Option<Course>> {
    courses(&store.plan, &store.read().unwrap())
}

#[test]
fn the_games_that_count_are_the_same_bytes_however_they_were_played() {
    let folder = Folder::new("same");
    let whole = create(&folder.join("one"));
    play(&whole, Shard::WHOLE, 1, u64::MAX);
    let expected = counting(&whole);
    let courses = course_of(&whole);
    assert_eq!(courses[0].unwrap().state, State::Decided(Conclusion::Alternative));
    assert_eq!(courses[0].unwrap().end, Some(20), "{courses:?}");
    assert!(matches!(courses[1].unwrap().state, State::Decided(_)), "{courses:?}");
    assert_eq!((courses[2].unwrap().state, courses[2].unwrap().end), (State::Largest, Some(25)));
    assert_eq!(courses[3], None);
    let pairs = 20 + courses[1].unwrap().end.unwrap() + 25 + 6;
    assert_eq!(expected.len() as u64, 2 * pairs);
    // One thread plays nothing beyond, and nothing is left to play.
    assert!(courses.iter().flatten().all(|course| course.beyond == 0));
    assert_eq!(play(&whole, Shard::WHOLE, 2, u64::MAX), 0);

    let two = create(&folder.join("two"));
    play(&two, Shard::WHOLE, 2, u64::MAX);
    assert_eq!(counting(&two), expected);

    for count in [2, 7] {
        // In one folder, one after the other; and each in a folder of its own, where none sees the others.
        let together = create(&folder.join(&format!("together-{count}")));
        let merged = create(&folder.join(&format!("merged-{count}")));
        for index in (0..count).rev() {
            let shard = Shard { index, count };
            play(&together, shard, 2, u64::MAX);
            let alone = create(&folder.join(&format!("alone-{index}-of-{count}")));
            play(&alone, shard, 1, u64::MAX);
            merged.merge(&alone).unwrap();
        }
        assert_eq!(counting(&together), expected, "{count}");
        assert_eq!(counting(&merged), expected, "{count}");
        assert!(merged.read().unwrap().games.len() > expected.len(), "what is beyond is kept");
        let beyond: u64 = course_of(&merged).iter().flatten().map(|course| course.beyond).sum();
        assert_eq!(merged.read().unwrap().games.len() as u64, expected.len() as u64 + beyond);
    }
}

#[test]
fn killed_ten_times_the_same_games_count() {
    let folder = Folder::new("killed");
    let whole = create(&folder.join("whole"));
    play(&whole, Shard::WHOLE, 1, u64::MAX);
    let killed = create(&folder.join("killed"));
    let mut random = Random::new(Seed::new(10));
    for _ in 0..10 {
        play(&killed, Shard::WHOLE, 2, 1 + u64::from(random.below(25)));
        // The last line is torn, as by a kill in the middle of writing.
        let file = killed.folder.join("games-0-of-1.jsonl");
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - random.below(200) as usize]).unwrap();
    }
    play(&killed, Shard::WHOLE, 2, u64::MAX);
    assert_eq!(counting(&killed), counting(&whole));
}

#[test]
fn statistics_and_report_leave_out_what_is_beyond() {
    let folder = Folder::new("report");
    let whole = create(&folder.join("whole"));
    play(&whole, Shard::WHOLE, 1, u64::MAX);
    // A run without rules of the same cells shares its games.
    let fixed = EXPERIMENT.lines().filter(|line| !line.starts_with("stop = {")).collect::<Vec<_>>().join("\n");
    let fixed = Store::create(&folder.join("fixed"), "fixed.toml", &fixed).unwrap();
    runner::run(&fixed, &fixed.read().unwrap(), Shard::WHOLE, 2, &AtomicBool::new(false), &|_| {}).unwrap();
    assert_eq!(fixed.read().unwrap().games.len(), 2 * (90 + 90 + 25 + 6));
    let before = summarise(&whole.plan, &whole.read().unwrap());
    whole.merge(&fixed).unwrap();
    let contents = whole.read().unwrap();
    assert_eq!(contents.games.len(), 2 * (90 + 90 + 25 + 6));
    let after = summarise(&whole.plan, &contents);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((before.games, before.interval, before.p_value), (after.games, after.interval, after.p_value));
    }
    assert_eq!((after[0].basis, after[3].basis), (Basis::Anytime, Basis::Paired));
    assert_eq!(after[0].games.games(), 40);
    assert!(after[0].significant && after[0].p_value.unwrap() < 0.01, "{:?}", after[0].p_value);
    let report = report::of_store(&whole, &contents, None);
    let course = report.sections[0].cells[0].course.as_ref().unwrap();
    assert_eq!(course.short, "early: ≥ 60 %");
    assert!(course.words.starts_with("stopped after 40 of at most 180 games: ≥ 60 % (wrong in at most 5 %)"));
    assert!(course.words.ends_with("; 140 games played beyond are not counted"), "{}", course.words);
    // Its folder is not one for the other rule.
    let other = EXPERIMENT.replace("[50, 60]", "[50, 55]");
    let error = Store::create(&whole.folder, "stopping.toml", &other).unwrap_err().to_string();
    assert!(error.contains("was begun with stop = { sprt = { score = [50, 60] }, block = 10 }"), "{error}");
}

#[test]
fn games_added_after_looking_are_told() {
    let folder = Folder::new("looked");
    let mut store = create(&folder.join("run"));
    play(&store, Shard::WHOLE, 2, u64::MAX);
    let fixed = |store: &Store| summarise(&store.plan, &store.read().unwrap()).remove(3);
    let before = fixed(&store);
    store.add_pairs(&[0, 0, 5, 4]).unwrap();
    store.add_pairs(&[0, 0, 0, 4]).unwrap();
    let store = Store::open(&store.folder).unwrap();
    assert_eq!((store.plan.cells[3].pairs, store.plan.cells[3].looked), (14, Some(6)));
    // The rule of the other one holds for any number of games.
    assert_eq!((store.plan.cells[2].pairs, store.plan.cells[2].looked), (30, None));
    play(&store, Shard::WHOLE, 2, u64::MAX);
    let after = fixed(&store);
    assert_eq!((before.basis, after.basis, after.games.games()), (Basis::Paired, Basis::Anytime, 28));
    let report = report::of_store(&store, &store.read().unwrap(), None);
    assert_eq!(report.sections[2].cells[0].course.as_ref().unwrap().short, "more after 12");
    assert_eq!(courses(&store.plan, &store.read().unwrap())[2].unwrap().end, Some(30));
}
