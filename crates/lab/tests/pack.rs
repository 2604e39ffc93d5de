//! Packed runs: they say the same as before, whatever happened on the way.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_lab::blocks::{Block, blocks};
use spinney_lab::export::Rows;
use spinney_lab::pack::{self, Shares, pack};
use spinney_lab::plan::Shard;
use spinney_lab::record::{Moves, write_line};
use spinney_lab::store::{Contents, Overview, Stamp, Store};
use spinney_lab::summary::summarise;
use spinney_lab::{export, recompute, runner, verify};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const EXPERIMENT: &str = r#"title = "Small and fast"
seed = 5
pairs = 150
[agents.m]
sims = 3
[agents.r]
kind = "random"
[[match]]
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["m"]
b = ["r"]
"#;

const SHARE: f64 = 0.1;
const GAMES: u64 = 600;

static STOP: AtomicBool = AtomicBool::new(false);

/// A folder that is removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("spinney-pack-{name}-{}", std::process::id()));
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

fn play(store: &Store, shard: Shard) -> u64 {
    runner::run(store, &store.read().unwrap(), shard, 2, &STOP, &|_| {}).unwrap()
}

fn played(folder: &Path, text: &str) -> Store {
    let store = Store::create(folder, "small.toml", text).unwrap();
    play(&store, Shard::WHOLE);
    store
}

fn copied(from: &Path, to: &Path) -> Store {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
    Store::open(to).unwrap()
}

/// Both hold the same games, one perhaps without moves, and the same times.
fn assert_same(found: &Contents, expected: &Contents) {
    assert_eq!(found.faults, expected.faults);
    assert!(found.games.keys().eq(expected.games.keys()));
    assert!(found.games.values().zip(expected.games.values()).all(|(one, other)| one.agrees(other)));
    assert_eq!(found.times, expected.times);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_packed_run_says_the_same() {
    let folder = Folder::new("same");
    let plain = played(&folder.join("plain"), EXPERIMENT);
    let expected = plain.read().unwrap();
    let store = copied(&plain.folder, &folder.join("packed"));
    let stamp = Stamp::of(&store.folder).unwrap();
    let told = pack(&store, SHARE).unwrap();
    assert_eq!(names(&store.folder), ["experiment.toml", pack::GAMES, "plan.json", "program.json", pack::TIMES]);
    assert_eq!((told.games, told.timed), (GAMES, 0));
    assert!((20..=120).contains(&told.with_moves) && told.after * 4 < told.before, "{told:?}");
    assert_ne!(Stamp::of(&store.folder).unwrap(), stamp);
    let found = store.read().unwrap();
    assert_same(&found, &expected);
    assert_eq!(recompute::missing(&plain.plan, &found), [GAMES - told.with_moves, 0]);

    // Status and report.
    let overview = |store: &Store| Overview::of(&store.folder).unwrap().unwrap();
    assert_eq!(overview(&store), overview(&plain));
    let shown = |contents: &Contents| format!("{:?}", summarise(&plain.plan, contents));
    assert_eq!(shown(&found), shown(&expected));
    // Nothing is left to play, and packing again changes nothing.
    assert!(runner::missing(&store.plan, &found, Shard::WHOLE).is_empty());
    let bytes = fs::read(store.folder.join(pack::GAMES)).unwrap();
    assert_eq!(pack(&store, 1.0).unwrap().with_moves, told.with_moves, "moves that were left out do not come back");
    assert_eq!(fs::read(store.folder.join(pack::GAMES)).unwrap(), bytes);

    // Export has every move again.
    let mut brought_back = found.clone();
    recompute::all(&store.plan, &mut brought_back, 2, &STOP, &|_| {}).unwrap();
    assert_eq!(brought_back.games, expected.games);
    assert_eq!(export::csv(Rows::Games, &store.plan, &brought_back), export::csv(Rows::Games, &plain.plan, &expected));
    let (id, hashed) = found.games.iter().find(|(_, record)| record.moves.text().is_none()).unwrap();
    let moves = recompute::one(&store.plan.cells[id.0], hashed, &STOP).unwrap();
    assert_eq!(moves.as_deref(), expected.games[id].moves.text());
}

#[test]
fn packed_games_are_verified_by_their_hash() {
    let folder = Folder::new("verify");
    let store = played(&folder.0, EXPERIMENT);
    pack(&store, SHARE).unwrap();
    let contents = store.read().unwrap();
    let ids = verify::sample(&store.plan, &contents, 0.1);
    assert!(ids.iter().any(|id| contents.games[id].moves.text().is_none()));
    for &id in &ids {
        assert_eq!(verify::replay(&store, &contents.games[&id], id, &STOP).unwrap(), Some(Ok(())));
        let mut changed = contents.games[&id].clone();
        changed.moves = Moves::Hashed(changed.moves.hash() ^ 1);
        let found = verify::replay(&store, &changed, id, &STOP).unwrap().unwrap();
        assert!(found.unwrap_err().contains("the hash of its moves was"));
        let refused = recompute::one(&store.plan.cells[id.0], &changed, &STOP).unwrap_err().to_string();
        assert!(refused.contains("played again it has other moves"), "{refused}");
    }
}

#[test]
fn packed_and_plain_runs_are_merged_either_way() {
    let folder = Folder::new("merge");
    let expected = played(&folder.join("whole"), EXPERIMENT).read().unwrap();
    let parts: Vec<Store> = (0..2)
        .map(|index| {
            let store = Store::create(&folder.join(&format!("part-{index}")), "small.toml", EXPERIMENT).unwrap();
            play(&store, Shard { index, count: 2 });
            store
        })
        .collect();
    pack(&parts[1], SHARE).unwrap();
    for (into, from) in [(0, 1), (1, 0)] {
        let store = copied(&parts[into].folder, &folder.join(&format!("merged-{into}")));
        let theirs = parts[from].read().unwrap();
        assert_eq!(store.merge(&parts[from]).unwrap(), theirs.games.len() as u64);
        assert_eq!(store.merge(&parts[from]).unwrap(), 0);
        let found = store.read().unwrap();
        let games = |contents: &Contents| contents.games.keys().copied().collect::<Vec<_>>();
        assert_eq!(games(&found), games(&expected));
        assert!(found.games.values().zip(expected.games.values()).all(|(one, other)| one.agrees(other)));
        // A mixture is packed into one.
        pack(&store, SHARE).unwrap();
        assert_same(&store.read().unwrap(), &found);
        assert!(!names(&store.folder).iter().any(|name| name.ends_with(".jsonl")));
    }
    // A whole plain run agrees with its packed self, and brings its moves along.
    let whole = Store::open(&folder.join("whole")).unwrap();
    let packed = copied(&whole.folder, &folder.join("packed"));
    pack(&packed, SHARE).unwrap();
    assert_eq!((whole.merge(&packed).unwrap(), packed.merge(&whole).unwrap()), (0, 0));
    fs::copy(packed.folder.join(pack::GAMES), whole.folder.join(pack::GAMES)).unwrap();
    let both = whole.read().unwrap();
    assert_eq!((both.games, both.duplicates, both.faults.len()), (expected.games, GAMES, 0));
}

#[test]
fn a_packed_run_goes_on() {
    let folder = Folder::new("more");
    let expected = played(&folder.join("whole"), EXPERIMENT).read().unwrap();
    let text = EXPERIMENT.replace("pairs = 150", "pairs = 60");
    let mut store = played(&folder.join("grown"), &text);
    pack(&store, SHARE).unwrap();
    store.set_pairs(vec![150; 2]).unwrap();
    assert_eq!(play(&store, Shard::WHOLE), GAMES - 240);
    let games = |store: &Store| store.read().unwrap().games;
    assert!(games(&store).values().zip(expected.games.values()).all(|(one, other)| one.agrees(other)));
    assert_eq!(names(&store.folder).len(), 7, "plain files beside the packed ones");
    pack(&store, SHARE).unwrap();
    assert_eq!(games(&store).len() as u64, GAMES);
    // Nobody packs what is being played.
    let appender = store.append(Shard::WHOLE).unwrap();
    assert!(pack(&store, SHARE).unwrap_err().to_string().contains("another process is playing"));
    drop(appender);
    pack(&store, SHARE).unwrap();
}

#[test]
fn a_damaged_packed_file_costs_its_block_and_is_mended() {
    let folder = Folder::new("damaged");
    let plain = played(&folder.join("plain"), EXPERIMENT);
    let expected = plain.read().unwrap();
    let packed = copied(&plain.folder, &folder.join("packed"));
    pack(&packed, SHARE).unwrap();
    let sound = fs::read(packed.folder.join(pack::GAMES)).unwrap();
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    let damages = [
        (flipped(3), "block 1: its head is damaged; its games will be played again"),
        (flipped(200), "block 1: "),
        (flipped(20), "block 1: its head is damaged, but its lines are whole"),
        (flipped(sound.len() - 1), "it is damaged; its "),
        (sound[..sound.len() - 9].to_vec(), "it was torn; its "),
        ([sound.as_slice(), b"something else"].concat(), "its head is damaged"),
    ];
    for (number, (bytes, expected_fault)) in damages.into_iter().enumerate() {
        let store = copied(&packed.folder, &folder.join(&format!("case-{number}")));
        fs::write(store.folder.join(pack::GAMES), bytes).unwrap();
        let found = store.read().unwrap();
        assert!(found.faults.len() == 1 && found.faults[0].contains(expected_fault), "{:?}", found.faults);
        assert!(found.faults[0].contains(pack::GAMES));
        assert!(found.games.iter().all(|(id, record)| record.agrees(&expected.games[id])));
        let lost = GAMES - found.games.len() as u64;
        assert!(lost < GAMES, "case {number}: the other blocks are unharmed");
        assert_eq!(play(&store, Shard::WHOLE), lost);
        pack(&store, SHARE).unwrap();
        let mended = store.read().unwrap();
        assert!(mended.faults.is_empty() && mended.games.len() as u64 == GAMES);
    }
}

/// Records of a kind that packing does not know keep every line, whatever is packed before and after.
#[test]
fn other_records_keep_their_lines() {
    let folder = Folder::new("others");
    let store = played(&folder.0, &EXPERIMENT.replace("pairs = 150", "pairs = 1"));
    let lines = |numbers: std::ops::Range<u32>| {
        numbers.map(|number| write_line(&serde_json::json!({"cell": "00", "portion": number}))).collect::<String>()
    };
    let said = || {
        let bytes = fs::read(folder.join("portions-packed.jsonl.gz")).unwrap();
        let Block::Sound { text, .. } = blocks(&bytes).remove(0) else { panic!("damaged") };
        text.lines().map(str::to_string).collect::<Vec<_>>()
    };
    fs::write(folder.join("portions-0-of-1.jsonl"), lines(0..4) + "{\"torn").unwrap();
    pack(&store, SHARE).unwrap();
    assert_eq!(said(), [0, 1, 2, 3].map(|number| format!("{{\"cell\":\"00\",\"portion\":{number}}}")));
    fs::write(folder.join("portions-1-of-2.jsonl"), lines(3..7)).unwrap();
    pack(&store, SHARE).unwrap();
    assert_eq!(said().len(), 7);
    // A run without games has no files of games.
    let bare = Store::create(&folder.join("bare"), "small.toml", EXPERIMENT).unwrap();
    drop(bare.append(Shard::WHOLE).unwrap());
    fs::write(bare.folder.join("portions-0-of-1.jsonl"), lines(0..4)).unwrap();
    assert_eq!(pack(&bare, SHARE).unwrap().games, 0);
    assert_eq!(names(&bare.folder), ["experiment.toml", "plan.json", "portions-packed.jsonl.gz"]);
    assert!(!names(&folder.0).iter().any(|name| name.ends_with(".jsonl")));
}

/// Every state between the steps of packing is a whole run, and packing again finishes it.
#[test]
fn a_kill_between_the_steps_loses_nothing() {
    let folder = Folder::new("killed");
    let plain = played(&folder.join("plain"), EXPERIMENT);
    let expected = plain.read().unwrap();
    let packed = copied(&plain.folder, &folder.join("packed"));
    pack(&packed, SHARE).unwrap();
    let end = names(&packed.folder);
    let [times, games] = ["times-0-of-1.jsonl", "games-0-of-1.jsonl"];
    // What was written and what was removed when it was killed.
    let states: [(&[&str], &[&str]); 5] = [
        (&[], &[]),
        (&[pack::TIMES], &[]),
        (&[pack::TIMES, pack::GAMES], &[]),
        (&[pack::TIMES, pack::GAMES], &[times]),
        (&[pack::TIMES, pack::GAMES], &[times, games]),
    ];
    for (number, (written, removed)) in states.into_iter().enumerate() {
        let store = copied(&plain.folder, &folder.join(&format!("state-{number}")));
        for name in written {
            fs::copy(packed.folder.join(name), store.folder.join(name)).unwrap();
        }
        for name in removed {
            fs::remove_file(store.folder.join(name)).unwrap();
        }
        // A draft that was being written.
        for name in ["times-packed.jsonl.draft", "games-packed.jsonl.draft"] {
            fs::write(store.folder.join(name), "half a draft").unwrap();
        }
        assert_same(&store.read().unwrap(), &expected);
        assert!(runner::missing(&store.plan, &store.read().unwrap(), Shard::WHOLE).is_empty());
        pack(&store, SHARE).unwrap();
        assert_same(&store.read().unwrap(), &expected);
        assert_eq!(names(&store.folder), end, "state {number}");
    }
}

#[test]
fn games_limited_by_time_keep_their_moves_and_strays_are_not_dropped() {
    let folder = Folder::new("timed");
    let timed = "[[match]]\ntitle = \"Timed\"\ngames = [\"tic-tac-toe\"]\na = [\"m\"]\nb = [\"r\"]\n\
        budgets = [{ time = 0.001 }]\npairs = 3\n";
    let text = format!("{}{timed}", EXPERIMENT.replace("pairs = 150", "pairs = 4"));
    let store = played(&folder.join("run"), &text);
    let expected = store.read().unwrap();
    let told = pack(&store, 1e-9).unwrap();
    assert_eq!((told.games, told.with_moves, told.timed), (22, 6, 6));
    let found = store.read().unwrap();
    assert_same(&found, &expected);
    assert!(found.games.iter().all(|(id, record)| record.moves.text().is_some() == store.plan.cells[id.0].is_timed));

    // Where they are told to, they lose them for good; all else stays.
    let smaller = copied(&store.folder, &folder.join("smaller"));
    let told = pack(&smaller, Shares { timed_moves: 1e-9, ..1e-9.into() }).unwrap();
    assert_eq!((told.with_moves, told.timed, told.lost), (0, 6, 6));
    let mut bare = smaller.read().unwrap();
    assert_same(&bare, &expected);
    assert_eq!(recompute::missing(&smaller.plan, &bare), [16, 6]);
    recompute::all(&smaller.plan, &mut bare, 2, &STOP, &|_| {}).unwrap();
    assert_eq!(recompute::missing(&smaller.plan, &bare), [0, 6]);
    let (id, timed) = bare.games.iter().find(|(id, _)| smaller.plan.cells[id.0].is_timed).unwrap();
    let refused = recompute::one(&smaller.plan.cells[id.0], timed, &STOP).unwrap_err().to_string();
    assert!(refused.contains("a game limited by time cannot be played again"), "{refused}");

    let other = played(&folder.join("other"), &EXPERIMENT.replace("seed = 5", "seed = 6"));
    let foreign = "games-1-of-2.jsonl";
    fs::copy(other.folder.join("games-0-of-1.jsonl"), store.folder.join(foreign)).unwrap();
    assert!(pack(&store, SHARE).unwrap_err().to_string().contains("line 1: packing would drop this game"));
    assert!(store.folder.join(foreign).exists());
}

/// A run says by which versions, with which behaviour, on what kind of machine and at what cost it was played.
#[test]
fn a_packed_run_says_who_played_it_and_what_it_cost() {
    let folder = Folder::new("cost");
    let store = played(&folder.join("run"), EXPERIMENT);
    let program = store.program().unwrap().unwrap();
    assert_eq!((program.machines.len(), program.cost), (1, None));
    assert!(program.machines[0].contains("cores") && !program.signature.is_empty() && program.versions.len() == 1);
    let seconds: f64 = store.read().unwrap().times.values().map(|ms| (ms[0] + ms[1]) / 1000.0).sum();
    pack(&store, SHARE).unwrap();
    let packed = store.program().unwrap().unwrap();
    let cost = packed.cost.unwrap();
    assert_eq!(cost.games, GAMES);
    assert!((cost.seconds - seconds).abs() < 1e-6 * seconds.max(1.0));
    assert!(!packed.machines.is_empty() && packed.cost.is_some());

    // What the times said is kept when most of them are gone.
    let smaller = pack(&store, Shares { times: SHARE, ..SHARE.into() }).unwrap();
    let kept = store.read().unwrap().times.len();
    assert!((30..90).contains(&kept) && smaller.after < smaller.before, "{kept}");
    assert_eq!(store.program().unwrap().unwrap().cost, Some(cost));

    // Games that are played later are added when they are packed, and counted once.
    let more = played(&store.folder, &EXPERIMENT.replace("pairs = 150", "pairs = 155"));
    let new = more.read().unwrap().times.len() - kept;
    let times = more.folder.join("times-0-of-1.jsonl");
    let played_times = fs::read(&times).unwrap();
    for _ in 0..2 {
        // As where somebody was killed before the first pack removed it.
        fs::write(&times, &played_times).unwrap();
        pack(&more, Shares { times: SHARE, ..SHARE.into() }).unwrap();
        let later = more.program().unwrap().unwrap().cost.unwrap();
        assert!(new > 0 && later.games == GAMES + new as u64 && later.seconds > cost.seconds, "{later:?}");
    }

    // Older runs do not say who played them; they open, and are packed all the same.
    fs::remove_file(store.folder.join("program.json")).unwrap();
    let old = Store::open(&store.folder).unwrap();
    assert!(old.program().unwrap().is_none());
    pack(&old, SHARE).unwrap();
    assert_eq!(old.read().unwrap().games.len() as u64, GAMES + 20);
    let older = r#"{"versions": ["0.0.9"], "signature": {}}"#;
    fs::write(store.folder.join("program.json"), older).unwrap();
    let program = old.program().unwrap().unwrap();
    assert!(program.machines.is_empty() && program.cost.is_none());
}
