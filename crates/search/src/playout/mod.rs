//! Play-outs: from a leaf to the end of the game, returning ⟨r, τ, q, d⟩.
//!
//! The loop is compiled once per game and base policy (uniform or the game's own), with and without learning;
//! everything else is data.

pub mod cmc;
pub(crate) mod hashed;
mod learned;
pub mod learner;
#[cfg(any(test, target_arch = "nvptx64"))]
mod levels;
pub mod mast;
pub mod ngram;
pub mod reply;
mod row;
mod seats;
mod settings;
#[cfg(feature = "std")]
mod text;
mod values;

pub use learned::Learned;
pub use learner::{Choice, Learner, Offer, Outcomes, Scope};
pub use mast::ActionValues;
#[cfg(feature = "std")]
pub(crate) use mast::Totals;
pub use seats::Seats;
pub use settings::{
    CapSettings, CmcSettings, CutoffSettings, Guess, MastReward, MastSettings, NgramSettings, Pairs, PlayoutSettings,
    Previous, ReplySettings, Sides, Tables,
};

use spinney_core::game::{Game, Outcome, Player, Turn, no_luck};
use spinney_core::random::Random;
use spinney_core::{RunsOf, Weighted, Workspace, lanes};

/// What one simulation returns: reward r, winner τ, quality q, length d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// r in the view of the first player.
    pub reward: f32,
    /// τ, or `None` for a draw.
    pub winner: Option<Player>,
    /// q of the final position in the view of the winner; 0 for a draw, and when nobody asked.
    pub quality: f32,
    /// d in plies, counted from the root.
    pub length: u32,
}

impl Simulation {
    /// The simulation that ended with `outcome` in `state` after `length` plies.
    #[inline(always)]
    pub fn ended<G: Game>(game: &G, state: &G::State, outcome: Outcome, length: u32, quality: QualityOf) -> Self {
        let (winner, quality) = match (outcome, quality) {
            (Outcome::Draw | Outcome::Scored, _) => (None, 0.0),
            (Outcome::Win(player), QualityOf::Nothing) => (Some(player), 0.0),
            (Outcome::Win(player), QualityOf::FinalPosition) => (Some(player), game.quality(state, player)),
            (Outcome::Win(player), QualityOf::Evaluation) => (Some(player), 1.0),
        };
        Self { reward: outcome.reward(Player::First), winner, quality, length }
    }

    /// A play-out cut off with an evaluation, in the view of the first player.
    fn guessed(evaluation: f32, guess: Guess, length: u32) -> Self {
        let (winner, sign) = match evaluation {
            value if value > 0.0 => (Some(Player::First), 1.0),
            value if value < 0.0 => (Some(Player::Second), -1.0),
            _ => (None, 0.0),
        };
        let reward = if guess == Guess::Winner { sign } else { evaluation };
        Self { reward, winner, quality: evaluation.abs(), length }
    }

    /// r in the view of `player`.
    #[inline(always)]
    pub fn reward_of(&self, player: Player) -> f32 {
        in_view_of(player, self.reward)
    }
}

/// A reward of the first player in the view of `player`.
#[inline(always)]
pub fn in_view_of(player: Player, reward: f32) -> f32 {
    match player {
        Player::First => reward,
        Player::Second => -reward,
    }
}

/// The policy under everything learned.
pub trait Base: 'static {
    /// Draws a move, or `None` if there is none.
    fn draw<G: Game>(game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>) -> Option<G::Move>;
    /// Fills `work.candidates` with what `draw` would draw from.
    fn list<G: Game>(game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>);
    /// What `draw` would draw as a place of a run, on a card; see [`spinney_core::MoveRuns::draw_place`].
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn draw_place<G: Game>(_: &G, _: &G::State, _: &mut Random) -> Option<(G::Move, u64, u32)> {
        None
    }
    /// The ids of the candidates as a set, where the game has one and all weights are alike.
    fn set<'a, G: Game>(game: &G, state: &'a G::State) -> Option<&'a [u64]>;
    /// Finds the candidates as runs of ids, where the game has them, and tells how they are read.
    #[inline(always)]
    fn find_runs<G: Game>(_: &G, _: &G::State, _: &mut Random, _: &mut G::Scratch) -> Option<RunsOf<G>> {
        None
    }
}

/// All legal moves alike.
#[derive(Debug)]
pub struct Uniform;

impl Base for Uniform {
    #[inline(always)]
    fn draw<G: Game>(game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>) -> Option<G::Move> {
        game.random_move(state, random, work)
    }

    #[inline(always)]
    fn list<G: Game>(game: &G, state: &G::State, _: &mut Random, work: &mut Workspace<G>) {
        work.list_moves(game, state);
        work.candidates.clear();
        work.candidates.extend(work.moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
    }

    #[inline(always)]
    fn set<'a, G: Game>(game: &G, state: &'a G::State) -> Option<&'a [u64]> {
        const { G::MOVE_SETS }.map(|sets| sets.move_set(game, state))
    }

    #[inline(always)]
    fn find_runs<G: Game>(game: &G, state: &G::State, _: &mut Random, scratch: &mut G::Scratch) -> Option<RunsOf<G>> {
        const { G::MOVE_RUNS }.inspect(|runs| runs.find(game, state, scratch))
    }
}

/// The game's own policy; uniform moves where it has none.
#[derive(Debug)]
pub struct GamePolicy;

impl Base for GamePolicy {
    #[inline(always)]
    fn draw<G: Game>(game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>) -> Option<G::Move> {
        match const { G::POLICY } {
            Some(policy) => policy.draw(game, state, random, work),
            None => Uniform::draw(game, state, random, work),
        }
    }

    #[inline(always)]
    fn list<G: Game>(game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>) {
        match const { G::POLICY } {
            Some(policy) => {
                work.candidates.clear();
                policy.list(game, state, random, work);
            }
            None => Uniform::list(game, state, random, work),
        }
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn draw_place<G: Game>(game: &G, state: &G::State, random: &mut Random) -> Option<(G::Move, u64, u32)> {
        let runs = const { if G::POLICY.is_some() { G::MOVE_RUNS } else { None } }?;
        if const { learner::few_runs::<G>() > 1 } { runs.draw_place(game, state, random) } else { None }
    }

    #[inline(always)]
    fn set<'a, G: Game>(game: &G, state: &'a G::State) -> Option<&'a [u64]> {
        if const { G::POLICY.is_some() } { None } else { Uniform::set(game, state) }
    }

    #[inline(always)]
    fn find_runs<G: Game>(
        game: &G,
        state: &G::State,
        random: &mut Random,
        scratch: &mut G::Scratch,
    ) -> Option<RunsOf<G>> {
        if const { G::POLICY.is_none() } {
            return Uniform::find_runs(game, state, random, scratch);
        }
        const { G::MOVE_RUNS }.inspect(|runs| runs.find_policy(game, state, random, scratch))
    }
}

/// What bounds a play-out's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutLimits {
    /// After so many play-out plies the game counts as a draw.
    pub cap: u32,
    /// After so many play-out plies the game's evaluation is taken.
    pub cutoff: u32,
    /// What is made of it.
    pub guess: Guess,
    /// Where quality comes from.
    pub quality: QualityOf,
}

/// Where the quality of a simulation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QualityOf {
    /// Nobody asked for it.
    Nothing,
    /// The game's own measure of final positions.
    FinalPosition,
    /// The size of the game's evaluation, 1 at the end of the game.
    Evaluation,
}

/// Plays `state` to its end. `depth` is the number of plies from the root to `state`.
#[inline(always)]
pub fn play<G: Game, B: Base, L: Learner, const LEARN: bool>(
    game: &G,
    state: &mut G::State,
    depth: u32,
    limits: PlayoutLimits,
    random: &mut Random,
    work: &mut Workspace<G>,
    learned: &mut Learned<L>,
) -> Simulation {
    let look = |state: &G::State, end, plies| look_at_last(game, state, end, depth + plies, limits);
    if cfg!(not(target_arch = "nvptx64")) {
        return play_until::<G, B, L, LEARN, _>(game, state, limits, random, work, learned, look);
    }
    // All threads of a warp look at their last positions together.
    let end = |_: &G::State, end, plies| (end, plies);
    let (end, plies) = play_until::<G, B, L, LEARN, _>(game, state, limits, random, work, learned, end);
    look(state, end.meet(), plies)
}

/// Plays `state` to its end, and says what `finish` makes of the last position, of how it ended, and of the number of plies.
#[inline(always)]
fn play_until<G: Game, B: Base, L: Learner, const LEARN: bool, R>(
    game: &G,
    state: &mut G::State,
    limits: PlayoutLimits,
    random: &mut Random,
    work: &mut Workspace<G>,
    learned: &mut Learned<L>,
    finish: impl Fn(&G::State, End, u32) -> R,
) -> R {
    let mut plies = 0;
    let longest = limits.cutoff.min(limits.cap);
    if LEARN {
        learned.begin_playout();
    }
    loop {
        let player = match game.quick_turn(state) {
            Turn::Over(outcome) => return finish(state, End::Over(outcome), plies),
            Turn::Player(player) => player,
            Turn::Chance => no_luck(),
        };
        if plies >= longest {
            if plies >= limits.cutoff {
                return finish(state, End::CutOff, plies);
            }
            return finish(state, End::Over(Outcome::Draw), plies);
        }
        let chosen = if LEARN {
            learned.choose::<G, B>(game, state, player, random, work)
        } else {
            B::draw(game, state, random, work)
        };
        // Who has learned what to play waits for who draws it.
        let Some(mv) = lanes::meet_with(chosen) else { return finish(state, End::Stuck, plies) };
        if LEARN {
            learned.made(player, game.move_id(state, mv));
        }
        game.advance(state, mv, work);
        plies += 1;
    }
}

/// What the last position of a play-out gives after so many plies.
#[inline(always)]
fn look_at_last<G: Game>(game: &G, state: &G::State, end: End, length: u32, limits: PlayoutLimits) -> Simulation {
    let outcome = match end {
        End::Over(outcome) => outcome,
        End::Stuck => outcome_without_moves(game, state.clone()),
        End::CutOff => {
            let evaluation = game.evaluate(state, Player::First).unwrap_or(0.0);
            return Simulation::guessed(evaluation, limits.guess, length);
        }
    };
    Simulation::ended(game, state, outcome, length, limits.quality)
}

/// How a play-out ends.
#[derive(Clone, Copy)]
enum End {
    /// The game is over, or counts as a draw.
    Over(Outcome),
    /// It was cut off.
    CutOff,
    /// Whoever is to move has no move.
    Stuck,
}

impl End {
    /// Whose play-out ends early waits for the other threads of its warp.
    #[inline(always)]
    fn meet(self) -> Self {
        let number = match self {
            Self::Over(Outcome::Win(Player::First)) => 0,
            Self::Over(Outcome::Win(Player::Second)) => 1,
            Self::Over(Outcome::Draw | Outcome::Scored) => 2,
            Self::CutOff => 3,
            Self::Stuck => 4,
        };
        match lanes::meet(number) {
            0 => Self::Over(Outcome::Win(Player::First)),
            1 => Self::Over(Outcome::Win(Player::Second)),
            2 => Self::Over(Outcome::Draw),
            3 => Self::CutOff,
            _ => Self::Stuck,
        }
    }
}

/// [`play`] as a function of its own, compiled once for all who can afford to call it.
#[inline(never)]
pub(crate) fn play_apart<G: Game, B: Base, L: Learner, const LEARN: bool>(
    game: &G,
    state: G::State,
    depth: u32,
    limits: PlayoutLimits,
    random: &mut Random,
    work: &mut Workspace<G>,
    learned: &mut Learned<L>,
) -> Simulation {
    // What nobody else knows of can live in registers.
    let (mut state, mut own) = (state, random.clone());
    let simulation = play::<G, B, L, LEARN>(game, &mut state, depth, limits, &mut own, work, learned);
    *random = own;
    simulation
}

/// How a game ended in which the player to move has no move. A function of its own, with a copy of the state: looking
/// for moves must not share registers with drawing them.
#[cold]
#[inline(never)]
fn outcome_without_moves<G: Game>(game: &G, state: G::State) -> Outcome {
    game.turn(&state).outcome().unwrap_or(Outcome::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::{Notation, Seed};
    use spinney_games::Breakthrough;

    fn play_from(position: &str, limits: PlayoutLimits) -> Simulation {
        let game = Breakthrough::default().fitted(position);
        let mut state = game.read_position(position).unwrap();
        let mut random = Random::new(Seed::new(5));
        play::<_, GamePolicy, (), false>(
            &game,
            &mut state,
            3,
            limits,
            &mut random,
            &mut Workspace::new(),
            &mut Learned::nothing(),
        )
    }

    const ENDLESS: PlayoutLimits =
        PlayoutLimits { cap: u32::MAX, cutoff: u32::MAX, guess: Guess::Evaluation, quality: QualityOf::FinalPosition };

    /// White steps onto the far row with four pawns against one: q = 3/16, d = 3 + 1.
    #[test]
    fn a_play_out_returns_reward_winner_quality_and_length() {
        let result = play_from("...../w..../...../..b../www.. 1", ENDLESS);
        let expected = Simulation { reward: 1.0, winner: Some(Player::First), quality: 3.0 / 16.0, length: 4 };
        assert_eq!(result, expected);
    }

    #[test]
    fn a_cap_is_a_draw_and_a_cutoff_a_guess() {
        let start = "bbbbb/bbbb./...../wwwww/wwwww 1";
        let capped = play_from(start, PlayoutLimits { cap: 2, ..ENDLESS });
        assert_eq!(capped, Simulation { reward: 0.0, winner: None, quality: 0.0, length: 5 });
        let limits = PlayoutLimits { cutoff: 0, quality: QualityOf::Evaluation, ..ENDLESS };
        let cut = play_from(start, limits);
        assert_eq!((cut.winner, cut.length, cut.quality), (Some(Player::First), 3, cut.reward));
        assert!(cut.reward > 0.0 && cut.reward < 1.0);
        let won = play_from(start, PlayoutLimits { guess: Guess::Winner, ..limits });
        assert_eq!(won, Simulation { reward: 1.0, ..cut });
    }
}
