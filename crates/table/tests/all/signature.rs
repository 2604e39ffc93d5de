//! What every agent does in every game is as it is written down in `data/signature.tsv`. A change of behaviour writes the
//! file anew (`SPINNEY_WRITE_SIGNATURE=1 cargo test -p spinney-table --test all behaviour`) and names the lines that changed.

use spinney_core::options::OptionKind;
use spinney_table::signature::{Row, rows};
use spinney_table::{Laboratory, open_table};
use std::path::Path;

fn written(rows: &[Row]) -> String {
    let line = |row: &Row| format!("{}\t{}\t{:016x}\n", row.game, row.agent, row.hash);
    "game\tagent\thash\n".to_string() + &rows.iter().map(line).collect::<String>()
}

#[test]
fn behaviour_is_as_it_is_written_down() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/signature.tsv");
    let now = written(&rows().unwrap());
    if std::env::var_os("SPINNEY_WRITE_SIGNATURE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let changed: Vec<&str> = now.lines().filter(|line| !kept.lines().any(|other| other == *line)).collect();
    assert!(changed.is_empty(), "{} rows differ from data/signature.tsv:\n{}", changed.len(), changed.join("\n"));
    assert_eq!(now.lines().count(), kept.lines().count(), "data/signature.tsv has rows that are no longer made");
}

/// Whether an agent reads a part of a play-out but does not sit down with it: flat Monte Carlo has no use for what learns.
fn is_refused(agent: &str, part: &str) -> bool {
    let text = format!("{agent}(playout=uniform+{part})");
    agent == "flat" && open_table("breakthrough", None).unwrap().seat(&text.parse().unwrap()).is_err()
}

/// Options of searches on many threads, of which no two are alike; `search/tests/all/threads.rs` has them.
const OF_THREADS: [&str; 4] = ["threads", "parallel", "virtual_loss", "pooled"];

/// Every option and every part of every agent stands in some row.
#[test]
fn every_option_is_covered() {
    fn collect(agent: &str, kind: &OptionKind, names: &mut Vec<String>) {
        match kind {
            OptionKind::Parts { one_of, any_of } => {
                let any_of = any_of.iter().filter(|part| !is_refused(agent, part.name));
                for part in one_of.iter().chain(any_of) {
                    names.push(part.name.to_string());
                    part.options.iter().for_each(|option| names.push(option.key.to_string()));
                }
            }
            OptionKind::Brackets(options) => options.iter().for_each(|option| names.push(option.key.to_string())),
            OptionKind::Either(kinds) => kinds.iter().for_each(|kind| collect(agent, kind, names)),
            _ => {}
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/signature.tsv");
    let kept = std::fs::read_to_string(&path).unwrap();
    for agent in Laboratory::standard().agents() {
        // CADIAPLAYER has the options of `decoupled`.
        let names = match agent.name {
            "decoupled" | "cadiaplayer" => ["decoupled", "cadiaplayer"],
            name => [name; 2],
        };
        let own: Vec<&str> = kept
            .lines()
            .filter_map(|line| line.split('\t').nth(1))
            .filter(|written| names.contains(&written.split('(').next().unwrap_or_default()))
            .collect();
        for option in agent.options.iter().filter(|option| !OF_THREADS.contains(&option.key)) {
            let mut wanted = vec![option.key.to_string()];
            collect(agent.name, &option.kind, &mut wanted);
            for name in wanted {
                let is_word = |text: &&str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == name);
                assert!(own.iter().any(is_word), "no row of {} has `{name}`", agent.name);
            }
        }
    }
}
