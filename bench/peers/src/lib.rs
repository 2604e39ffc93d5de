//! Our Breakthrough under the crate `minimax`, so that only the search differs when the two are measured.
//!
//! Every rule is asked of [`spinney_games::Breakthrough`]. `minimax` keeps no value for the rules of a game, so a
//! position carries a reference to them, as our own search passes one along.

use minimax::{MCTSOptions, RolloutPolicy, Winner};
use rand::RngCore;
use rand::rngs::SmallRng;
use spinney_core::{Game, List, Outcome, Random, Seed, Turn, Workspace};
use spinney_games::Breakthrough;
use spinney_games::breakthrough::{Move, State};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A position with its rules.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    rules: &'static Breakthrough,
    state: State,
}

impl Position {
    /// The initial position on 8×8 squares.
    pub fn initial() -> Self {
        static RULES: LazyLock<Breakthrough> = LazyLock::new(Breakthrough::default);
        Self { rules: &RULES, state: RULES.initial() }
    }
}

/// Breakthrough as `minimax` knows games.
#[derive(Clone, Copy, Debug)]
pub struct PeerBreakthrough;

impl minimax::Game for PeerBreakthrough {
    type S = Position;
    type M = Move;

    #[inline]
    fn generate_moves(position: &Position, moves: &mut Vec<Move>) -> Option<Winner> {
        let winner = Self::get_winner(position);
        if winner.is_none() {
            let mut listed = List::new();
            position.rules.moves(&position.state, &mut listed);
            moves.extend(listed);
        }
        winner
    }

    #[inline]
    fn apply(position: &mut Position, mv: Move) -> Option<Position> {
        let mut next = *position;
        next.rules.apply(&mut next.state, mv);
        Some(next)
    }

    /// In Breakthrough only the player who just moved can have won.
    #[inline]
    fn get_winner(position: &Position) -> Option<Winner> {
        match position.rules.turn(&position.state) {
            Turn::Player(_) | Turn::Chance => None,
            Turn::Over(Outcome::Win(_)) => Some(Winner::PlayerJustMoved),
            Turn::Over(Outcome::Draw | Outcome::Scored) => Some(Winner::Draw),
        }
    }
}

/// Play-outs for `minimax` that draw a move as ours do, without listing the others first.
#[derive(Debug, Default)]
pub struct DirectDraw {
    /// Play-outs made; each has the stream of its number.
    playouts: AtomicU64,
}

/// What `minimax` takes for a proven win of the player who just moved.
const PROVEN_WIN: i32 = i32::MAX;

impl RolloutPolicy for DirectDraw {
    type G = PeerBreakthrough;

    /// Required, but `rollout` below does without: a generator of ours for every move would cost more than the draw.
    fn random_move(&self, position: &mut Position, _: &mut Vec<Move>, rng: &mut SmallRng) -> Result<Move, Winner> {
        if let Some(winner) = <PeerBreakthrough as minimax::Game>::get_winner(position) {
            return Err(winner);
        }
        let mut random = Random::new(Seed::new(rng.next_u64()));
        position.rules.random_move(&position.state, &mut random, &mut Workspace::new()).ok_or(Winner::PlayerJustMoved)
    }

    /// 1 if the player who moved to `position` wins the play-out, −1 otherwise. No play-out of Breakthrough is long
    /// enough to need a limit, so the one in the options is left aside.
    fn rollout(&self, _: &MCTSOptions, position: &Position) -> i32 {
        let Position { rules, mut state } = *position;
        let Turn::Player(mover) = rules.turn(&state) else { return PROVEN_WIN };
        let mut random = Random::new(Seed::new(self.playouts.fetch_add(1, Ordering::Relaxed)));
        let mut work = Workspace::new();
        loop {
            match rules.turn(&state) {
                Turn::Over(Outcome::Win(winner)) => return if winner == mover { -1 } else { 1 },
                Turn::Over(Outcome::Draw | Outcome::Scored) => return 0,
                Turn::Player(_) | Turn::Chance => {}
            }
            let Some(mv) = rules.random_move(&state, &mut random, &mut work) else { return 0 };
            rules.apply(&mut state, mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minimax::Strategy;

    #[test]
    fn perft_is_the_same() {
        let mut position = Position::initial();
        let rules = position.rules;
        let ours: Vec<u64> = (0..=3).map(|depth| spinney_core::perft(rules, &rules.initial(), depth)).collect();
        assert_eq!(minimax::perft::<PeerBreakthrough>(&mut position, 3, false), ours);
    }

    /// Random games end, and with the winner our rules name.
    #[test]
    fn games_end_alike() {
        let mut random = Random::new(Seed::new(1));
        for _ in 0..100 {
            let mut position = Position::initial();
            let mut last_mover = None;
            let mut moves = Vec::new();
            let winner = loop {
                moves.clear();
                match <PeerBreakthrough as minimax::Game>::generate_moves(&position, &mut moves) {
                    Some(winner) => break winner,
                    None => {
                        last_mover = Some(position.rules.turn(&position.state));
                        let mv = moves[random.below(moves.len() as u32) as usize];
                        position = <PeerBreakthrough as minimax::Game>::apply(&mut position, mv).unwrap();
                    }
                }
            };
            assert_eq!(winner, Winner::PlayerJustMoved);
            let Some(Turn::Player(player)) = last_mover else { panic!("a game has moves") };
            assert_eq!(position.rules.turn(&position.state), Turn::Over(Outcome::Win(player)));
        }
    }

    /// Both kinds of play-outs are won equally often by the player who just moved.
    #[test]
    fn play_outs_agree() {
        struct Listed;
        impl RolloutPolicy for Listed {
            type G = PeerBreakthrough;
            fn random_move(
                &self,
                position: &mut Position,
                moves: &mut Vec<Move>,
                rng: &mut SmallRng,
            ) -> Result<Move, Winner> {
                DirectDraw::default().random_move(position, moves, rng)
            }
        }
        let options = MCTSOptions::default().with_max_rollout_depth(1000);
        let mean = |policy: &dyn RolloutPolicy<G = PeerBreakthrough>| {
            let sum: i32 = (0..10_000).map(|_| policy.rollout(&options, &Position::initial())).sum();
            f64::from(sum) / 10_000.0
        };
        // Two means of 10,000 rewards of ±1 differ by more than 0.07 once in a million times.
        assert!((mean(&DirectDraw::default()) - mean(&Listed)).abs() < 0.07);
    }

    /// One step from the goal, the search takes it.
    #[test]
    fn search_finds_a_win() {
        use spinney_core::Notation;
        let mut position = Position::initial();
        position.state = position
            .rules
            .read_position("......../w......./......../......../......../......../......b./........ 1")
            .unwrap();
        let options = MCTSOptions::default().with_num_threads(1);
        let mut search = minimax::MonteCarloTreeSearch::new_with_policy(options, Box::new(DirectDraw::default()));
        search.set_max_rollouts(200);
        let chosen: Move = search.choose_move(&position).unwrap();
        let next = <PeerBreakthrough as minimax::Game>::apply(&mut position, chosen).unwrap();
        assert_eq!(<PeerBreakthrough as minimax::Game>::get_winner(&next), Some(Winner::PlayerJustMoved));
    }
}
