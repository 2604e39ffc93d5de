//! Files of tunings: what is read, and what is refused.

use proptest::prelude::*;
use spinney_lab::library;
use spinney_tune::Tuning;

const TEXT: &str = r#"title = "Small"
seed = 3
game = "tic-tac-toe"
agent = "mcts(c=$c, playout=$p, sims=$n)"
baseline = "mcts(sims=20)"
games = 400
[parameters]
c = { from = 0.1, to = 4, scale = "logarithmic" }
n = { from = 1, to = 40, whole = true }
p = { words = ["uniform", "uniform+mast"] }
"#;

#[test]
fn a_file_is_read_and_values_are_filled_in() {
    let tuning = Tuning::read("small.toml", TEXT).unwrap();
    assert_eq!((tuning.tuning_pairs(), tuning.check_pairs()), (150, 50));
    let setting = tuning.space.at(&[0.0, 1.0, 1.0]);
    assert_eq!(tuning.agent_text(&setting).unwrap(), "mcts(c=0.1, playout=uniform+mast, sims=40)");
    let again = |from: &str, to: &str| Tuning::read("x", &TEXT.replace(from, to)).unwrap().hash;
    assert_eq!(tuning.hash, again("games = 400", "games = 4000"));
    assert_ne!(tuning.hash, again("to = 4", "to = 5"));
    assert_ne!(tuning.hash, again("seed = 3", "seed = 4"));
    assert_ne!(tuning.hash, again("sims=20", "sims=21"));
}

#[test]
fn mistakes_are_named_with_line_and_remedy() {
    let error = |from: &str, to: &str| {
        assert!(TEXT.contains(from), "{from}");
        Tuning::read("small.toml", &TEXT.replace(from, to)).unwrap_err().to_string()
    };
    assert_eq!(
        error("games = 400", "game = 400"),
        "small.toml, line 6: duplicate key; see the example in the documentation of experiments"
    );
    assert!(error("games = 400", "gams = 400").contains("line 6: unknown key `gams`; did you mean `game"));
    assert!(error("$c", "$cc").contains("line 4"));
    assert!(error("c=$c", "c=1").contains("the parameter `c` is not used"));
    assert!(error("to = 4", "to = 0.01").contains("line 8"));
    assert!(error("whole = true", "scale = \"log\"").contains("`log`"));
    assert!(error("uniform+mast", "uniform+mats").contains("mast"));
    assert!(error("tic-tac-toe", "tic-tac").contains("did you mean `tic-tac-toe`?"));
    assert!(error("to = 40, whole = true", "to = 40.5, whole = true").contains("not whole"));
    assert!(error("words = [\"uniform\", \"uniform+mast\"]", "from = 1").contains("without a range"));
    assert!(error("games = 400", "games = 4").contains("from 8"));
    assert!(error("games = 400", "check = 1").contains("0.05 to 0.9"));
}

#[test]
fn the_files_that_come_along_are_read() {
    for name in ["breakthrough-rb", "breakthrough-qb", "cannon-rb", "cannon-qb"] {
        let file = library::find_tuning(&format!("experiments/tune/{name}.toml")).unwrap();
        let tuning = Tuning::read(file.name, file.text).unwrap();
        assert_eq!((tuning.games, tuning.space.parameters.len()), (4000, 2), "{name}");
        assert!(library::find_path(&format!("experiments/tune/{name}.toml")).is_none(), "it is no experiment");
    }
    assert!(library::find_tuning("experiments/solver.toml").is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}", at in 0usize..400, cut in 0usize..400) {
        let (at, cut) = (at.min(TEXT.len()), cut.min(TEXT.len()));
        let _ = Tuning::read("any.toml", &TEXT[..cut]);
        let _ = Tuning::read("any.toml", &format!("{}{text}{}", &TEXT[..at], &TEXT[at..]));
    }
}
