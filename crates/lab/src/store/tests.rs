//! Runs in folders of their own.

use super::files::for_each_line;
use super::*;
use std::fs::OpenOptions;

fn record(pair: u64) -> Record {
    Record {
        v: VERSION,
        cell: "00".to_string(),
        pair,
        game: 0,
        seats: ["a".to_string(), "b".to_string()],
        seed: 1,
        winner: 1,
        plies: 1,
        simulations: [1, 1],
        moves: "a1".to_string().into(),
        lost_on_time: false,
    }
}

/// Every write to `/dev/full` fails as on a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let path = PathBuf::from("games.jsonl");
    let mut appender = Appender { path, games: full(), times: full(), portions: None, verified: None };
    let error = appender.add(&record(0), [1.0, 1.0]).unwrap_err().to_string();
    assert!(error.starts_with("games.jsonl: No space left"), "{error}");
}

#[test]
fn a_folder_is_looked_at_without_reading_it() {
    let folder = std::env::temp_dir().join(format!("spinney-overview-{}", std::process::id()));
    let text = "title = \"Small\"\npairs = 3\n[agents.r]\nkind = \"random\"\n[agents.f]\nkind = \"flat\"\n\
        [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"r\"]\nb = [\"f\"]\n";
    let store = Store::create(&folder, "small.toml", text).unwrap();
    assert!(folder_name("experiments/small.toml", &store.plan).starts_with("small-"));
    let before = Stamp::of(&folder).unwrap();
    store.append(Shard::WHOLE).unwrap().add(&record(0), [1.0, 1.0]).unwrap();
    assert_ne!(Stamp::of(&folder).unwrap(), before);
    let seen = Overview::of(&folder).unwrap().unwrap();
    assert_eq!(seen, Overview { title: "Small".to_string(), played: 1, planned: 6 });
    fs::write(folder.join(PLAN), "{").unwrap();
    assert!(Overview::of(&folder).unwrap().is_err());
    assert!(Overview::of(&folder.join("nothing")).is_none());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_torn_line_is_cut_off_before_the_next_is_written() {
    let path = std::env::temp_dir().join(format!("spinney-torn-{}.jsonl", std::process::id()));
    let whole = write_line(&record(0));
    for torn in ["", "{\"v\":1,\"ce", &whole[..whole.len() - 1], &"x".repeat(10_000)] {
        fs::write(&path, format!("{whole}{torn}")).unwrap();
        open_for_appending(&path).unwrap().write_all(write_line(&record(1)).as_bytes()).unwrap();
        let mut faults = Vec::new();
        let mut pairs = Vec::new();
        for_each_line::<Record>(&path, &mut faults, |_, record| {
            pairs.push(record.pair);
            None
        })
        .unwrap();
        assert_eq!((pairs, faults.len()), (vec![0, 1], 0));
    }
    fs::remove_file(path).unwrap();
}
