//! The kernels that are kept were made from these sources, and are well made as far as can be seen without a card.

use spinney_gpu::host::{Making, Stacks, apart, compile, kernels};
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
        assert!((4 << 10..12 << 10).contains(&bytes) && bytes % (2 * apart::LINE) == apart::LINE, "{name}: {bytes}");
        let (_, rest) = text.split_once(".entry play(").unwrap();
        let play = rest.split("\n}\n").next().unwrap();
        assert!(!play.contains(".local"), "{name}: {:?}", play.lines().find(|line| line.contains(".local")));
    }
    assert_eq!(apart::bytes("a text that was not changed"), 0);
}

/// The driver reserves the largest stack for every thread that could run, that of `prepare` as well.
#[test]
fn stacks_are_small() {
    for (game, kind) in kernels::all() {
        let text = kernels::text(&format!("{game}-{kind}"), Stacks::Together).unwrap();
        let stacks = text.lines().filter(|line| line.trim_start().starts_with(".local"));
        let bytes = stacks.filter_map(|line| line.split_once('[')?.1.split_once(']')?.0.parse::<u32>().ok());
        let largest = bytes.max().unwrap_or_default();
        assert!((4 << 10..12 << 10).contains(&largest), "{game}-{kind}: {largest}");
    }
}

#[test]
fn faults_are_seen() {
    // Those who wait to begin games together come first or last in a text, and have little between.
    let call = "call.uni (retval0), memcmp, (a, b);\n";
    let [waiting, drawing] = ["", call].map(|between| format!("bar.warp.sync -1;\n {between} bar.warp.sync -1;\n"));
    let faults = |kind: &str, text: &str| kernels::faults("breakthrough", kind, text).len();
    assert_eq!([&waiting, &drawing].map(|first| faults("uniform", &format!("{first}{call}{waiting}"))), [0, 1]);
    assert_eq!(faults("uniform", &(waiting.clone() + &drawing)), 1);
    assert_eq!(faults("uniform", "bar.warp.sync -1;"), 1);
    assert_eq!(kernels::faults("checkers", "mixed", &"bar.warp.sync -1;".repeat(6)).len(), 0);
    assert_eq!(faults("mixed", &"bar.warp.sync -1;".repeat(6)), 1);
}

#[cfg(unix)]
#[test]
fn what_is_compiled_is_written_aside_under_names_of_the_process() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled-kernels");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let ptxas = folder.with_extension("sh");
    // It writes what it was called with where its result belongs, the last of its arguments; or fails half way.
    std::fs::write(
        &ptxas,
        "#!/bin/sh\nfor out; do :; done\necho \"$@\" > \"$out\"\ncase \"$@\" in *sm_0*) exit 1;; esac\n",
    )
    .unwrap();
    std::fs::set_permissions(&ptxas, std::fs::Permissions::from_mode(0o755)).unwrap();
    let names = ["havannah-uniform".to_string()];
    let compile = |generation: &str, is_stopped: bool| {
        compile::compile(&names, &folder, &ptxas, Making::FEW, generation, &|_, _| {}, &|| is_stopped)
    };
    let files = || std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    assert!(compile("sm_0", false).is_err() && files().is_empty(), "{:?}", files());
    assert!(compile("sm_90", true).is_ok() && files().is_empty(), "stopped before it began");
    compile("sm_90", false).unwrap();
    let [made] = files().try_into().unwrap();
    assert!(made.to_string_lossy().ends_with(".sm_90.cubin"), "{made:?}");
    let own = format!(".{}.", std::process::id());
    let called = std::fs::read_to_string(made).unwrap();
    assert_eq!(called.split_whitespace().filter(|word| word.contains(&own)).count(), 2, "{called}");
}
