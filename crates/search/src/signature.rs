//! The signature: one number that changes when, and only when, the behaviour of games or searches changes.

use crate::settings::AgentSettings;
use crate::table::{Question, open_table};
use spinney_core::random::mix;
use spinney_core::{InputError, Seed};
use std::sync::atomic::AtomicBool;

/// Agents that together walk through every part of the search.
const AGENTS: [&str; 19] = [
    "mcts(sims=2000)",
    "mcts(sims=2000, playout=uniform)",
    "mcts(sims=2000, playout=uniform, solver=off, final_move=mean)",
    "mcts(sims=2000, playout=uniform+mast(eps=0.3), solver=draws, expand=one)",
    "mcts(sims=2000, select=tuned, fpu=0.2, final_move=robust_max)",
    "mcts(sims=2000, select=puct, c=1.5)",
    "mcts(sims=2000, history=1, playout=policy+cap(plies=30))",
    "mcts(sims=2000, variant=engine2014)",
    "mcts(sims=2000, rb, qb)",
    "mcts(sims=2000, rb(k=online, a=joint, mean=depth), qb(a=joint, mean=subtree))",
    "mcts(sims=2000, rb, qb(a=0.25), playout=policy+mast(learn=altered), variant=engine2014)",
    "mcts(sims=2000, reward=quality)",
    "mcts(sims=1000, playout=uniform+cmc(prob=75, b=20))",
    "mcts(sims=1000, solver=off, playout=policy+cmc(pairs=simulation, previous=missing, table=shared, count=2)+lgr)",
    "mcts(sims=1000, playout=uniform+ngram+mast(eps=0.5))",
    "mcts(sims=1000, rave, playout=uniform+lgr(order=1, forget=off))",
    "mcts(sims=1000, grave, c=0.2, playout=policy+ngram(n=2, count=3))",
    "flat(sims=1000)",
    "alphabeta(nodes=5000)",
];

/// The same for games with chance.
const CHANCE_AGENTS: [&str; 5] = [
    "mcts(sims=500)",
    "mcts(sims=500, playout=uniform, loose)",
    "mcts(sims=500, cv, crn)",
    "mcts(sims=500, av)",
    "mcts(sims=500, cv, cv_visits=5, crn=nodes, c=10, final_move=visits)",
];

/// Searches four positions of each game with each agent for such games, from fixed seeds, and hashes all that is found.
pub fn signature() -> Result<u64, InputError> {
    let stop = AtomicBool::new(false);
    let mut hash = 0;
    for entry in spinney_games::entries() {
        let agents = if entry.chance { &CHANCE_AGENTS[..] } else { &AGENTS[..] };
        for (number, agent) in (0..).zip(agents) {
            let mut table = open_table(entry.name, None)?;
            let seat = table.seat(&agent.parse::<AgentSettings>()?)?;
            for ply in 0..4 {
                let seed = Seed::new(number).named(entry.name).child(ply);
                (0..).take_while(|&luck| table.draw_outcome(seed.named("luck").child(luck)).is_some()).for_each(drop);
                let thought = table.think(seat, &mut Question { seed, budget: None, stop: &stop, observer: None });
                for word in thought.candidates.iter().flat_map(|candidate| {
                    [u64::from(candidate.visits), u64::from(candidate.mean.to_bits()), candidate.proof as u64]
                }) {
                    hash = mix(hash ^ word);
                }
                for byte in thought.chosen.bytes() {
                    hash = mix(hash ^ u64::from(byte));
                }
                table.play(&thought.chosen)?;
            }
        }
    }
    Ok(hash)
}
