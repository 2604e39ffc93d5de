//! The kernels that are kept were made from these sources, and are well made as far as can be seen without a card.

use spinney_gpu::host::kernels;
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
        let text = kernels::text(&format!("{game}-{kind}")).unwrap_or_else(|| panic!("{game}-{kind} was not made"));
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(".entry play") && text.contains(".entry prepare"), "{game}-{kind}");
        assert_eq!(kernels::faults(game, kind, &text), Vec::<String>::new(), "{game}-{kind}");
    }
}

#[test]
fn faults_are_seen() {
    let text = |barriers: usize, votes: usize| {
        "vote.sync.any.pred %p1, %p2, -1;\n".repeat(votes) + &"bar.warp.sync -1;\n".repeat(barriers)
    };
    // One loop, or one for each kind of play-out; one way down the tree, or two.
    for (game, kind, barriers, votes) in
        [("breakthrough", "uniform", 2, 2), ("checkers", "mixed", 4, 4), ("breakthrough", "mixed", 8, 6)]
    {
        let faults = |barriers, votes| kernels::faults(game, kind, &text(barriers, votes));
        assert_eq!(faults(barriers, votes), Vec::<String>::new(), "{game}-{kind}");
        let twice = format!("{} barriers instead of {barriers}", 2 * barriers);
        assert_eq!(faults(2 * barriers, votes), [twice], "{game}-{kind}");
        let more = format!("{} votes instead of {votes}", votes + 1);
        assert_eq!(faults(barriers, votes + 1), [more], "{game}-{kind}");
        assert_eq!(faults(0, 0).len(), 2, "{game}-{kind}");
    }
    let call = text(2, 2) + "call.uni (retval0), memcmp, (a, b);\n";
    assert_eq!(kernels::faults("breakthrough", "uniform", &call).len(), 0, "after the barriers");
    let between = call.replacen("bar.warp.sync -1;\n", "", 1) + "bar.warp.sync -1;\n";
    assert_eq!(kernels::faults("breakthrough", "uniform", &between).len(), 1, "between the barriers");
}
