//! Limits and memory of every standard agent, whatever its options.

use spinney_search::agents::{build, list};
use spinney_search::{AgentSettings, Budget};
use std::time::Duration;

fn agent(text: &str) -> AgentSettings {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const ALL: Budget = Budget {
    simulations: Some(5000),
    time: Some(Duration::from_millis(2500)),
    cpu_time: Some(Duration::from_micros(1)),
    nodes: Some(900),
};

#[test]
fn every_agent_has_a_row() {
    let rows = ["mcts", "flat", "alphabeta", "decoupled", "cadiaplayer", "random"];
    assert_eq!(list().iter().map(|info| info.name).collect::<Vec<_>>(), rows);
}

/// Limits take the place of those that the agent had; all other options stay.
#[test]
fn a_budget_replaces_an_agents_limits() {
    let simulations = Budget::simulations(5000);
    let time = Budget::time(Duration::from_millis(2500));
    let cpu = Budget { cpu_time: Some(Duration::from_secs(3)), ..Budget::default() };
    let nodes = Budget { nodes: Some(900), ..Budget::default() };
    let none = Budget::default();
    let cases = [
        ("mcts", simulations, "mcts(sims=5000)"),
        ("mcts", time, "mcts(time=2.5)"),
        ("mcts", cpu, "mcts(cpu=3)"),
        ("mcts", nodes, "mcts(nodes=900)"),
        ("mcts(c=0.5, memory=7)", ALL, "mcts(sims=5000, time=2.5, cpu=0.000001, nodes=900, memory=7, c=0.5)"),
        ("mcts(sims=1, time=2, cpu=3, nodes=4, reuse)", none, "mcts(reuse=on)"),
        ("mcts(sims=1, time=2, cpu=3, nodes=4, reuse)", nodes, "mcts(nodes=900, reuse=on)"),
        ("flat(playout=uniform)", ALL, "flat(sims=5000, time=2.5, cpu=0.000001, playout=uniform)"),
        ("flat(sims=9)", nodes, "flat"),
        ("flat(sims=9)", time, "flat(time=2.5)"),
        // What counts no simulations counts nodes instead, and simulations come first.
        ("alphabeta(depth=3)", simulations, "alphabeta(depth=3, nodes=5000)"),
        ("alphabeta(depth=3, memory=7)", ALL, "alphabeta(depth=3, time=2.5, cpu=0.000001, nodes=5000, memory=7)"),
        ("alphabeta", nodes, "alphabeta(nodes=900)"),
        ("alphabeta(nodes=9, time=1)", cpu, "alphabeta(cpu=3)"),
        ("alphabeta(nodes=9, time=1)", none, "alphabeta"),
        ("decoupled(rb)", ALL, "decoupled(sims=5000, time=2.5, cpu=0.000001, nodes=900, rb=on)"),
        ("decoupled(sims=9, nodes=9)", time, "decoupled(time=2.5)"),
        ("cadiaplayer(sims=9)", simulations, "decoupled(sims=5000, playout=ngram)"),
        ("cadiaplayer(cpu=9, c=3)", none, "decoupled(c=3, playout=ngram)"),
        ("random", ALL, "random"),
        ("random", none, "random"),
    ];
    for (text, budget, expected) in cases {
        assert_eq!(agent(text).with_budget(&budget).to_string(), expected, "{text} with {budget:?}");
        assert_eq!(agent(text).with_budget(&budget), agent(expected), "{text} with {budget:?}");
    }
}

/// The limits arrive: an agent that is built keeps them.
#[test]
fn an_agent_keeps_its_budget() {
    let game = spinney_games::Breakthrough::default();
    let budget = |text: &str| build(&game, &agent(text).with_budget(&ALL)).unwrap().budget();
    assert_eq!(budget("mcts(sims=3)"), ALL);
    assert_eq!(budget("flat(sims=3)"), Budget { nodes: None, ..ALL });
    assert_eq!(budget("alphabeta"), Budget { simulations: None, nodes: Some(5000), ..ALL });
    assert!(budget("random").is_endless());
}

/// More than an option can hold is as much as it can hold: no search comes so far.
#[test]
fn a_budget_beyond_every_option_can_be_read() {
    let huge = Budget { simulations: Some(u64::MAX), time: Some(Duration::MAX), cpu_time: None, nodes: Some(u64::MAX) };
    for info in list() {
        let limited = agent(info.name).with_budget(&huge);
        assert_eq!(agent(&limited.to_string()), limited, "{limited}");
        assert!(limited.has_limits());
    }
}

#[test]
fn an_agent_says_whether_it_has_limits() {
    let has = |text: &str| agent(text).has_limits();
    for (name, limits) in [
        ("mcts", &["sims", "time", "cpu", "nodes"][..]),
        ("flat", &["sims", "time", "cpu"]),
        ("alphabeta", &["time", "cpu", "nodes"]),
        ("decoupled", &["sims", "time", "cpu", "nodes"]),
        ("cadiaplayer", &["sims", "time", "cpu", "nodes"]),
    ] {
        assert!(!has(name), "{name}");
        for limit in limits {
            assert!(has(&format!("{name}({limit}=3)")), "{name}, {limit}");
        }
    }
    assert!(!has("mcts(memory=3, c=1, reuse)") && !has("alphabeta(depth=3, memory=3)") && !has("cadiaplayer(c=3)"));
    assert!(has("random"), "it never thinks longer than it says");
}

#[test]
fn memory_is_limited_where_there_is_any() {
    for (text, megabytes, expected) in [
        ("mcts", 100, "mcts(memory=100)"),
        ("mcts", 1024, "mcts"),
        ("mcts", 5000, "mcts"),
        ("mcts(memory=50, c=2)", 100, "mcts(memory=50, c=2)"),
        ("mcts(sims=3, memory=5000, c=2)", 100, "mcts(sims=3, memory=100, c=2)"),
        ("mcts(sims=3, memory=5000, c=2)", 1024, "mcts(sims=3, c=2)"),
        ("decoupled", 100, "decoupled(memory=100)"),
        ("decoupled(memory=50)", 100, "decoupled(memory=50)"),
        ("cadiaplayer(memory=500)", 100, "decoupled(memory=100, playout=ngram)"),
        ("alphabeta", 100, "alphabeta"),
        ("alphabeta", 10, "alphabeta(memory=10)"),
        ("alphabeta(memory=99)", 64, "alphabeta"),
        ("flat(sims=3)", 1, "flat(sims=3)"),
        ("random", 1, "random"),
    ] {
        let mut limited = agent(text);
        limited.limit_memory(megabytes);
        assert_eq!(limited.to_string(), expected, "{text} with {megabytes} megabytes");
        assert_eq!(limited, agent(expected), "{text} with {megabytes} megabytes");
    }
}

#[test]
fn options_are_read_back_by_their_kind_alone() {
    assert_eq!(agent("mcts(sims=3)").mcts().unwrap().sims, Some(3));
    assert_eq!(agent("flat(sims=3)").mcts(), None);
    assert_eq!(agent("flat").name(), "flat");
    assert_eq!((agent("cadiaplayer").name(), AgentSettings::default()), ("decoupled", agent("mcts")));
}

/// What a game does not have, and what does not go together, are errors of different kinds.
#[test]
fn refusals_have_kinds() {
    use spinney_core::InputErrorKind;
    let refused =
        |text: &str| build(&spinney_games::Breakthrough::default(), &agent(text)).map(|_| ()).unwrap_err().kind;
    assert_eq!(refused("mcts(cv)"), InputErrorKind::Unsupported);
    assert_eq!(refused("mcts(rave, grave)"), InputErrorKind::Conflict);
}
