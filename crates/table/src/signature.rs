//! The signature: numbers that change when, and only when, the behaviour of games or searches changes.
//!
//! Every row is a game and an agent; `data/signature.tsv` keeps their hashes, so that a change can name what it changes.

use crate::table::{Question, Table, open_table};
use spinney_core::game::Turn;
use spinney_core::random::mix;
use spinney_core::{InputError, Random, Seed};
use spinney_search::AgentSettings;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Agents that together walk through every part of the search.
const AGENTS: [&str; 36] = [
    "mcts(sims={sims})",
    "mcts(sims={sims}, playout=uniform)",
    "mcts(sims={sims}, playout=uniform, solver=off, final_move=mean)",
    "mcts(sims={sims}, playout=uniform+mast(eps=0.3), solver=draws, expand=one)",
    "mcts(sims={sims}, select=tuned, fpu=0.2, final_move=robust_max)",
    "mcts(sims={sims}, select=puct, c=1.5)",
    "mcts(sims={sims}, select=puct, prior=uniform, fpu=infinite, ties=first)",
    "mcts(sims={sims}, history=1, playout=policy+cap(plies=30))",
    "mcts(sims={sims}, history=0.5, fpu=0.1, select=tuned, reuse)",
    "mcts(sims={sims}, variant=engine2014)",
    "mcts(sims={sims}, quirks=solver_sign+loss_trap)",
    "mcts(sims={sims}, quirks=late_ties+extra_simulation+runs_on, playout=policy+mast)",
    "mcts(sims={sims}, quirks=saturation+first_move, rb, qb(k=9))",
    "mcts(sims={sims}, quirks=game_plies+kept_covariance+signed, rb, qb)",
    "mcts(sims={sims}, rb, qb)",
    "mcts(sims={sims}, rb(k=online, a=joint, mean=depth), qb(a=joint, mean=subtree))",
    "mcts(sims={sims}, rb, qb(a=0.25), playout=policy+mast(learn=altered), variant=engine2014)",
    "mcts(sims={sims}, reward=quality, warmup=0.2, samples=10, rb)",
    "mcts(sims={sims}, reward=sigmoid, final_move=mean)",
    "mcts(sims={sims}, playout=uniform+cmc(prob=75, b=20))",
    "mcts(sims={sims}, solver=off, playout=policy+cmc(pairs=simulation, previous=missing, table=shared, count=2)+lgr)",
    "mcts(sims={sims}, playout=policy+cmc(sides=searcher)+mast(eps=0.5))",
    "mcts(sims={sims}, playout=uniform+ngram+mast(eps=0.5))",
    "mcts(sims={sims}, playout=policy+lgr+cmc+ngram(unseen=0, eps=0.2)+mast(eps=0.4))",
    "mcts(sims={sims}, rave, playout=uniform+lgr(order=1, forget=off))",
    "mcts(sims={sims}, rave(k=200, count=move), ties=first)",
    "mcts(sims={sims}, grave, c=0.2, playout=policy+ngram(n=2, count=3))",
    "mcts(sims={sims}, grave(reference=10, bias=0.001), solver=draws)",
    "mcts(sims=1000, nodes=900, memory=1, playout=uniform)",
    "mcts(sims=2000, memory=1, reuse, time=1000000, cpu=1000000)",
    "mcts(sims=2000, memory=1, full=reclaim, playout=uniform)",
    "mcts(sims={sims}, transpositions)",
    "flat(sims={sims})",
    "flat(sims={sims}, playout=uniform+cap(plies=40), time=1000000, cpu=1000000)",
    "alphabeta(nodes=3000)",
    "alphabeta(nodes=3000, depth=2, memory=1, time=1000000, cpu=1000000)",
];

/// The same for games that can be evaluated.
const EVALUATION_AGENTS: [&str; 5] = [
    "mcts(sims={sims}, bias=2)",
    "mcts(sims={sims}, bias=1, history=1, select=tuned, fpu=0.3)",
    "mcts(sims={sims}, playout=policy+cutoff(plies=8))",
    "mcts(sims={sims}, playout=uniform+cutoff(plies=5, reward=winner), qb, rb)",
    "flat(sims={sims}, playout=policy+cutoff(plies=8, reward=winner))",
];

/// The same for games with chance or of one player.
const CHANCE_AGENTS: [&str; 11] = [
    "mcts(sims=200)",
    "mcts(sims=200, playout=uniform, loose)",
    "mcts(sims=200, cv, crn)",
    "mcts(sims=200, av)",
    "mcts(sims=200, cv, cv_visits=5, crn=nodes, c=10, final_move=visits)",
    "mcts(sims=200, cv, cv_constant=2, crn=root, av, loose)",
    "mcts(sims=100, playout=policy+mast(eps=0.3))",
    "mcts(sims=100, playout=uniform+cmc+ngram, fpu=0.5)",
    "mcts(sims=100, playout=policy+cap(plies=5)+ngram(n=2), ties=first)",
    "mcts(sims=1000, nodes=400, memory=1, time=1000000, cpu=1000000)",
    "random",
];

/// The same for games of roles.
const ROLE_AGENTS: [&str; 9] = [
    "decoupled(sims=100)",
    "decoupled(sims=100, playout=mast, untried=uniform, c=20, discount=0.99, zero_sum=off)",
    "decoupled(sims=100, playout=mast(eps=0.3, unseen=50), reuse=off, untried=urgency)",
    "decoupled(sims=100, playout=mast(tau=5), decay=0.5, cap=30)",
    "decoupled(sims=100, playout=ngram(n=2, count=2, eps=0.2, unseen=60), decay=0.2)",
    "decoupled(sims=100, solver)",
    "cadiaplayer(sims=100)",
    "cadiaplayer(sims=400, nodes=200, memory=1, time=1000000, cpu=1000000)",
    "random",
];

/// And for two of them.
const TWO_ROLE_AGENTS: [&str; 3] = [
    "decoupled(sims=100, rb, warmup=0.1, samples=5)",
    "decoupled(sims=100, rb(mean=depth), playout=mast)",
    "cadiaplayer(sims=100, rb(k=2, a=0.25))",
];

/// Simulations in the games of the registry and in small ones, which `{sims}` stands for.
const SIMULATIONS: [&str; 2] = ["120", "600"];

/// Games beside those of the registry: small ones, in which searches come to an end, and rule sheets.
const SMALL: [&str; 3] = ["amazons(size=4)", "breakthrough(rows=5, columns=5)", "havannah(size=3)"];
const ENGINE: [&str; 2] = ["checkers(variant=engine2014)", "chinese-checkers(variant=engine2014)"];
/// With the number of their roles.
const SHEETS: [(&str, usize); 5] =
    [("gdl:tic-tac-toe", 2), ("gdl:connect-four", 2), ("gdl:eight-puzzle", 1), ("gdl:battle", 2), ("gdl:nim", 2)];

/// What one agent does in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The game as it is written.
    pub game: String,
    /// The agent as it is written.
    pub agent: String,
    /// A hash of all that its searches find.
    pub hash: u64,
}

/// All rows without their hashes.
fn pairs() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut add = |game: &str, agents: &[&str]| {
        let simulations = SIMULATIONS[usize::from(SMALL.contains(&game) || game == "tic-tac-toe")];
        pairs.extend(agents.iter().map(|agent| (game.to_string(), agent.replace("{sims}", simulations))));
    };
    for entry in spinney_games::entries() {
        if entry.chance || entry.players == 1 {
            add(entry.name, &CHANCE_AGENTS);
        } else {
            add(entry.name, &AGENTS);
            add(entry.name, &["random"]);
        }
        if ["amazons", "breakthrough", "chinese-checkers"].contains(&entry.name) {
            add(entry.name, &EVALUATION_AGENTS);
        }
    }
    for game in SMALL {
        add(game, &AGENTS);
    }
    for game in ENGINE {
        add(game, &AGENTS[..12]);
    }
    for (game, roles) in SHEETS {
        add(game, &ROLE_AGENTS);
        match roles {
            1 => add(game, &["mcts(sims=100)", "mcts(sims=100, playout=uniform+mast(eps=0.3), loose)"]),
            _ => {
                add(game, &TWO_ROLE_AGENTS);
                add(
                    game,
                    &["mcts(sims=100)", "mcts(sims=100, playout=uniform+mast(eps=0.3)+ngram, reuse)", "flat(sims=100)"],
                );
            }
        }
    }
    pairs
}

/// Searches positions of each game with each agent for such games, from fixed seeds, and hashes all that is found. All
/// processors work at it.
pub fn rows() -> Result<Vec<Row>, InputError> {
    let pairs = pairs();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((game, agent)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = hash(game, agent)
                        .map(|hash| Row { game: game.clone(), agent: agent.clone(), hash })
                        .map_err(|error| error.within(format!("{game}, {agent}")));
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(row);
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut rows = found.into_iter().collect::<Result<Vec<Row>, InputError>>()?;
    rows.sort_by(|a, b| (&a.game, &a.agent).cmp(&(&b.game, &b.agent)));
    Ok(rows)
}

/// One number for all rows.
pub fn signature(rows: &[Row]) -> u64 {
    rows.iter().fold(0, |hash, row| mix(hash ^ row.hash))
}

/// Two positions at the start of the game and two from its middle, each after the agent's own move.
fn hash(game: &str, agent: &str) -> Result<u64, InputError> {
    /// Random moves between the beginning and the middle.
    const BETWEEN: u64 = 17;
    let stop = AtomicBool::new(false);
    let mut table = open_table(game, None)?;
    let seat = table.seat(&agent.parse::<AgentSettings>()?)?;
    let game_seed = Seed::new(1).named(game);
    let mut hash = 0;
    for ply in 0..4 {
        let seed = game_seed.named(agent).child(ply);
        if ply == 2 {
            make_random_moves(table.as_mut(), BETWEEN, game_seed)?;
        }
        roll(table.as_mut(), seed.named("luck"));
        if let Turn::Over(_) = table.turn() {
            break;
        }
        let thought = table.think(seat, &mut Question { seed, budget: None, stop: &stop, observer: None });
        for word in thought.candidates.iter().flat_map(|candidate| {
            [u64::from(candidate.visits), u64::from(candidate.mean.to_bits()), candidate.proof as u64]
        }) {
            hash = mix(hash ^ word);
        }
        hash = mix(hash ^ thought.totals.simulations);
        for byte in thought.chosen.bytes() {
            hash = mix(hash ^ u64::from(byte));
        }
        table.play(&thought.chosen)?;
    }
    Ok(hash)
}

/// Goes on with random moves, but not to the end of the game.
fn make_random_moves(table: &mut dyn Table, count: u64, seed: Seed) -> Result<(), InputError> {
    let mut random = Random::new(seed.named("between"));
    for ply in 0..count {
        roll(table, seed.named("between").child(ply));
        if let Turn::Over(_) = table.turn() {
            break;
        }
        let moves = table.moves();
        table.play(&moves[random.below(moves.len() as u32) as usize])?;
    }
    while matches!(table.turn(), Turn::Over(_)) && table.undo() {}
    Ok(())
}

/// Lets chance take its turns.
fn roll(table: &mut dyn Table, seed: Seed) {
    (0..).take_while(|&luck| table.draw_outcome(seed.child(luck)).is_some()).for_each(drop);
}
