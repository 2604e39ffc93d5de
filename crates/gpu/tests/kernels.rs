//! The kernels that are kept were made from these sources, and are well made as far as can be seen without a card.

use spinney_gpu::host::{Stacks, apart, kernels};
use std::path::Path;

#[test]
fn kernels_are_not_stale() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let hash = kernels::hash_of_sources(&root).expect("the sources lie beside this package");
    assert_eq!(
        kernels::MADE_FROM.trim(),
        hash,
        "the sources of core, games, search or gpu have changed: make the kernels again with `cargo xtask kernels`"
    );
}

#[test]
fn kernels_have_their_barriers_and_no_calls_between() {
    for (game, kind) in kernels::all() {
        let text = kernels::text(&format!("{game}-{kind}"), Stacks::Together)
            .unwrap_or_else(|| panic!("{game}-{kind} was not made"));
        assert!(text.contains(".entry play") && text.contains(".entry prepare"), "{game}-{kind}");
        assert_eq!(kernels::faults(game, kind, &text), Vec::<String>::new(), "{game}-{kind}");
    }
}

#[test]
fn stacks_can_lie_apart_in_every_kernel() {
    for (game, kind) in kernels::all() {
        let name = format!("{game}-{kind}");
        let text = kernels::text(&name, Stacks::Apart).unwrap_or_else(|| panic!("{name} has another form"));
        let bytes = apart::bytes(&text);
        assert!((8 << 10..32 << 10).contains(&bytes) && bytes % (2 * apart::LINE) == apart::LINE, "{name}: {bytes}");
        let (_, rest) = text.split_once(".entry play(").unwrap();
        let play = rest.split("\n}\n").next().unwrap();
        assert!(!play.contains(".local"), "{name}: {:?}", play.lines().find(|line| line.contains(".local")));
    }
    assert_eq!(apart::bytes("a text that was not changed"), 0);
}

#[test]
fn faults_are_seen() {
    let text = "bar.warp.sync -1;\n call.uni (retval0), memcmp, (a, b);\n bar.warp.sync -1;\n";
    assert_eq!(kernels::faults("breakthrough", "uniform", text).len(), 1);
    assert_eq!(kernels::faults("breakthrough", "uniform", "bar.warp.sync -1;").len(), 1);
    assert_eq!(kernels::faults("checkers", "mixed", &"bar.warp.sync -1;".repeat(4)).len(), 0);
    assert_eq!(kernels::faults("breakthrough", "mixed", &"bar.warp.sync -1;".repeat(4)).len(), 1);
}
