//! One game between two agents.

use crate::analysis::Position;
use alloc::vec::Vec;
use core::time::Duration;
use spinney_core::game::no_luck;
use spinney_core::game::{Game, Outcome, Player, Turn};
use spinney_core::{Random, Seed, Stream, Workspace};

#[cfg(feature = "std")]
use crate::agent::{Agent, Task};
#[cfg(feature = "std")]
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// What is remembered of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<M> {
    /// How it ended.
    pub outcome: Outcome,
    /// The score of a game of one player.
    pub score: f64,
    /// All moves, opening and chance outcomes included.
    pub moves: Vec<M>,
    /// Simulations of the first and the second player.
    pub simulations: [u64; 2],
    /// Thinking time of the first and the second player.
    pub time: [Duration; 2],
}

/// Games longer than this end as a draw, so that no pair of agents can play for ever.
pub const LONGEST_GAME_PLIES: usize = 10_000;

/// Plays a game from the initial position: `opening` random plies, then the agents in turn; in a game of one player,
/// the first agent alone.
///
/// All randomness is derived from `seed` and the number of the ply. `None` if `stop` was set meanwhile.
#[cfg(feature = "std")]
pub fn play_game<G: Game>(
    game: &G,
    agents: [&mut dyn Agent<G>; 2],
    opening: u32,
    seed: Seed,
    stop: &AtomicBool,
) -> Option<GameRecord<G::Move>> {
    let [first, second] = agents;
    first.new_game();
    second.new_game();
    play_turns_of(game, opening, seed, &mut |player, position, seed| {
        let agent = match player {
            Player::First => &mut *first,
            Player::Second => &mut *second,
        };
        let mut task = Task { stop, ..Task::new(seed) };
        let started = Instant::now();
        let decision = agent.choose(game, position, &mut task);
        let is_over = stop.load(Ordering::Relaxed);
        (!is_over).then(|| Choice { mv: decision.mv, simulations: decision.simulations, time: started.elapsed() })
    })
}

/// Chooses for both players by a seed of each ply; `None` when it gives up.
#[cfg(feature = "std")]
pub(crate) type Chooser<'a, G> = &'a mut dyn FnMut(Player, &Position<'_, G>, Seed) -> Option<Choice<<G as Game>::Move>>;

/// [`play_turns`] for those who think long: compiled once for each game.
#[cfg(feature = "std")]
#[inline(never)]
pub(crate) fn play_turns_of<G: Game>(
    game: &G,
    opening: u32,
    seed: Seed,
    choose: Chooser<'_, G>,
) -> Option<GameRecord<G::Move>> {
    play_turns(game, opening, seed, choose)
}

/// What an agent chose.
#[derive(Clone, Copy, Debug)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// Simulations made for it.
    pub simulations: u64,
    /// Time taken.
    pub time: Duration,
}

/// The same with a function that chooses for both players by a seed of each ply; `None` when it gives up.
#[inline(always)]
pub fn play_turns<G: Game>(
    game: &G,
    opening: u32,
    seed: Seed,
    mut choose: impl FnMut(Player, &Position<'_, G>, Seed) -> Option<Choice<G::Move>>,
) -> Option<GameRecord<G::Move>> {
    let mut state = game.initial();
    let mut record = GameRecord {
        outcome: Outcome::Draw,
        score: 0.0,
        moves: Vec::with_capacity(256),
        simulations: [0; 2],
        time: [Duration::ZERO; 2],
    };
    let mut random = Random::new(seed.named("opening"));
    let mut work = Workspace::new();
    while record.moves.len() < LONGEST_GAME_PLIES {
        let player = match game.turn(&state) {
            Turn::Over(outcome) => {
                record.outcome = outcome;
                break;
            }
            Turn::Player(player) => player,
            Turn::Chance => {
                let mut stream = Stream::new(seed.named("chance").child(record.moves.len() as u64));
                // Drawn on a copy: what a search may not know stays out of the game's own position.
                let Some(luck) = G::LUCK else { no_luck() };
                let outcome = luck.draw_outcome(game, &mut state.clone(), &mut stream);
                game.apply(&mut state, outcome);
                record.moves.push(outcome);
                continue;
            }
        };
        let ply = record.moves.len();
        let mv = if ply < opening as usize {
            game.random_move(&state, &mut random, &mut work).unwrap_or_default()
        } else {
            let position = Position { state: &state, history: &record.moves };
            let chosen = choose(player, &position, seed.child(player.index() as u64).child(ply as u64))?;
            record.time[player.index()] += chosen.time;
            record.simulations[player.index()] += chosen.simulations;
            chosen.mv
        };
        game.advance(&mut state, mv, &mut work);
        record.moves.push(mv);
    }
    record.score = G::SCORE.map_or(0.0, |score| score.of_state(game, &state));
    Some(record)
}
