//! Everything that a card plays is in one of the samples: each option of agents and games that kernels take, as far as the
//! language of both knows it. An option that is added there, and that a kernel plays, is missed here.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::expression::{Argument, Expression};
use spinney_core::options::{Games, OptionInfo, OptionKind, OptionPart, OptionRange};
use spinney_gpu::host::samples::{self, FEATURES, GAMES};
use spinney_gpu::host::{Job, kernels};
use spinney_table::Laboratory;
use std::collections::BTreeSet;

/// One way to set an option: without it, and with it.
struct Choice {
    without: String,
    with: String,
}

/// All ways to set one of these options, written as in brackets. `wrap` puts them where they belong.
fn choices(options: &[OptionInfo], wrap: &dyn Fn(&str) -> String, found: &mut Vec<Choice>) {
    let is_certain = |games: Games| matches!(games, Games::All | Games::TwoPlayers | Games::Certain);
    for option in options.iter().filter(|option| is_certain(option.games)) {
        of_kind(option.key, &option.kind, wrap, found);
    }
}

fn of_kind(key: &str, kind: &OptionKind, wrap: &dyn Fn(&str) -> String, found: &mut Vec<Choice>) {
    let mut add = |own: String| found.push(Choice { without: wrap(""), with: wrap(&own) });
    match kind {
        OptionKind::Flag => ["on", "off"].into_iter().for_each(|word| add(format!("{key}={word}"))),
        // One of both is not what is meant when it is left out.
        OptionKind::Whole(range) | OptionKind::Number(range) => {
            let (low, high) = range.map_or((1.0, 2.0), |OptionRange { low, high, .. }| (low, high));
            [low, high].into_iter().for_each(|number| add(format!("{key}={number}")));
        }
        OptionKind::Words(words) => words.iter().for_each(|word| add(format!("{key}={}", word.word))),
        OptionKind::Either(kinds) => kinds.iter().for_each(|kind| of_kind(key, kind, wrap, found)),
        OptionKind::Brackets(options) => {
            add(key.to_string());
            choices(options, &|inner| wrap(&in_brackets(key, inner)), found);
        }
        OptionKind::Parts { one_of, any_of } => {
            for OptionPart { name, options, .. } in one_of.iter().chain(any_of) {
                found.push(Choice { without: wrap(""), with: wrap(&format!("{key}={name}")) });
                choices(options, &|inner| wrap(&in_brackets(&format!("{key}={name}"), inner)), found);
            }
        }
        other => panic!("{key} is of a kind that is not tried: {other}"),
    }
}

fn in_brackets(name: &str, inner: &str) -> String {
    if inner.is_empty() { name.to_string() } else { format!("{name}({inner})") }
}

/// What a text says, each option on its own and all numbers alike: `rb`, `rb.k=#`, `playout=cutoff.reward=winner`.
fn said(kind: &str, text: &str) -> BTreeSet<String> {
    fn walk(place: &str, arguments: &[Argument], said: &mut BTreeSet<String>) {
        for Argument { key, value } in arguments {
            if value.is_empty() {
                said.insert(format!("{place}{key}"));
            }
            for part in value {
                let name = if part.name.parse::<f64>().is_ok() { "#" } else { &part.name };
                let own = if name.is_empty() { format!("{place}{key}") } else { format!("{place}{key}={name}") };
                walk(&format!("{own}."), &part.arguments, said);
                said.insert(own);
            }
        }
    }
    let mut found = BTreeSet::new();
    walk("", &Expression::read(kind, text).unwrap().arguments, &mut found);
    found
}

/// What a card is told of a match between an agent and itself; `None` if there is no such agent or no kernel plays it.
/// Written, because numbers that are none differ from themselves.
fn told(laboratory: &Laboratory, game: &str, agent: &str) -> Option<String> {
    let agent = laboratory.agent(agent).ok()?;
    laboratory.open(game, None).ok()?.seat(&agent).ok()?;
    let job = Job::new(game, &[agent.clone(), agent], 0).ok()?.ok()?;
    Some(format!("{:?} {:?}", job.words(), job.task()))
}

#[test]
fn every_option_of_agents_is_in_a_sample() {
    let laboratory = Laboratory::standard();
    let written = |options: &str| format!("mcts(sims=10{}{options})", if options.is_empty() { "" } else { ", " });
    let shown: BTreeSet<String> =
        FEATURES.iter().flat_map(|own| [own.a, own.b]).flat_map(|own| said("agent", &written(own))).collect();
    let agents = laboratory.agents();
    let mcts = agents.iter().find(|agent| agent.name == "mcts").unwrap();
    let options: Vec<OptionInfo> = mcts.options.iter().filter(|option| option.key != "sims").cloned().collect();
    let mut found = Vec::new();
    choices(&options, &|own| own.to_string(), &mut found);
    let (mut missed, mut played) = (BTreeSet::new(), BTreeSet::new());
    for Choice { without, with } in &found {
        // A weight of both bonuses needs the other too.
        for beside in ["", "rb(a=joint)", "qb(a=joint)"] {
            let joined = |own: &str| {
                written(&[own, beside].into_iter().filter(|own| !own.is_empty()).collect::<Vec<_>>().join(", "))
            };
            let Some(told_with) = told(&laboratory, "breakthrough", &joined(with)) else { continue };
            if told(&laboratory, "breakthrough", &joined(without)) != Some(told_with) {
                let own = said("agent", &joined(with));
                missed.extend(own.difference(&shown).cloned());
                played.extend(own);
                break;
            }
        }
    }
    assert!(missed.is_empty(), "no sample has {missed:?}");
    // That they are looked for at all.
    for known in [
        "c=#",
        "playout=uniform",
        "playout=mast.learn=altered",
        "playout=cap.plies=#",
        "playout=cutoff.plies=#",
        "playout=cutoff.reward=winner",
        "quirks=kept_covariance",
        "rb.a=joint",
        "rb.k=online",
        "qb.a=joint",
        "qb.mean=depth",
        "samples=#",
        "solver=draws",
        "variant=engine2014",
        "warmup=#",
    ] {
        assert!(played.contains(known), "{known} is not among {played:?}");
    }
    assert!(!played.contains("reuse=on") && !played.contains("time=#"), "{played:?}");
}

#[test]
fn every_option_of_games_is_in_a_sample() {
    let laboratory = Laboratory::standard();
    let agent = "mcts(sims=10)";
    let games: BTreeSet<&str> = kernels::all().map(|(game, _)| game).collect();
    assert_eq!(games, GAMES.iter().map(|rules| rules.name()).collect(), "games with kernels and in samples");
    let mut played = BTreeSet::new();
    for game in games {
        let shown: BTreeSet<String> =
            GAMES.iter().filter(|own| own.name() == game).flat_map(|own| said("game", own.game)).collect();
        let entry = laboratory.games().into_iter().find(|entry| entry.name == game).unwrap();
        let mut found = Vec::new();
        choices(&entry.options, &|own| in_brackets(game, own), &mut found);
        for Choice { without, with } in &found {
            let told_with = told(&laboratory, with, agent);
            if told_with.is_some() && told_with != told(&laboratory, without, agent) {
                let own = said("game", with);
                assert!(own.is_subset(&shown), "no sample of {game} has {with}");
                played.extend(own.into_iter().map(|own| format!("{game} {own}")));
            }
        }
    }
    for known in
        ["cannon strict_shots=on", "checkers king_slide_limit=#", "chinese-checkers forward=off", "havannah size=#"]
    {
        assert!(played.contains(known), "{known} is not among {played:?}");
    }
}

#[test]
fn every_kernel_and_a_random_opening_are_in_a_sample() {
    let laboratory = Laboratory::standard();
    let mut used = BTreeSet::new();
    for (rules, features) in samples::all() {
        let agents = [features.a, features.b].map(|own| laboratory.agent(&format!("mcts(sims=10, {own})")).unwrap());
        let job = Job::new(rules.game, &agents, features.opening).unwrap().unwrap();
        used.insert(job.kernel());
    }
    let made: BTreeSet<String> = kernels::all().map(|(game, kind)| format!("{game}-{kind}")).collect();
    assert_eq!(used, made);
    let openings: BTreeSet<bool> = FEATURES.iter().map(|features| features.opening > 0).collect();
    assert_eq!(openings.len(), 2, "with and without");
}
