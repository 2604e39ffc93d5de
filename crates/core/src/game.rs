//! What a game is. The rules are a value (board size, variant); a position is plain data.

use crate::random::Random;
use crate::stream::Stream;
use std::fmt::Debug;

/// One of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

impl Player {
    /// Both players, in the order in which they move.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    #[must_use]
    #[inline(always)]
    pub const fn other(self) -> Self {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2, as positions are written.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Nobody won.
    Draw,
    /// A game of one player has ended; [`Game::score`] says how well.
    Scored,
}

impl Outcome {
    /// 1, 0 or −1 in the view of `player`; 0 where there is only a score.
    #[inline(always)]
    pub fn reward(self, player: Player) -> f32 {
        match self {
            Outcome::Draw | Outcome::Scored => 0.0,
            Outcome::Win(winner) if winner == player => 1.0,
            Outcome::Win(_) => -1.0,
        }
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This player chooses a move.
    Player(Player),
    /// Chance decides: dice are rolled, cards are drawn.
    Chance,
    /// The game has ended.
    Over(Outcome),
}

impl Turn {
    /// The outcome, if the game is over.
    #[inline(always)]
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(outcome),
            Turn::Player(_) | Turn::Chance => None,
        }
    }
}

/// A candidate of a play-out policy: a move and how likely it is beside the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighted<M> {
    /// The move.
    pub mv: M,
    /// Its weight; the chance of the move is its share of the sum.
    pub weight: u32,
}

/// An outcome of a chance turn and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely<M> {
    /// The outcome, which `apply` makes happen.
    pub mv: M,
    /// Its probability.
    pub probability: f64,
}

/// Where moves share their luck when common random numbers are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// The n-th simulations of all moves at the root have the same luck to their end.
    #[default]
    Root,
    /// So have the n-th simulations of all moves at every node, as far as the next node.
    Nodes,
}

/// The parameters with which variance reduction was published for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VarianceParameters {
    /// The coefficient of the control variate before enough simulations have measured it.
    pub coefficient: f64,
    /// Where luck is shared.
    pub sharing: Sharing,
}

/// The parameters with which a game was published; agents take them for what they are not told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// C of the UCT formula.
    pub exploration: f32,
    /// ε of MAST, the chance of the choice that is not greedy; `None` where MAST was not used.
    pub mast_epsilon: Option<f32>,
    /// Simulations that stood for one second of thinking.
    pub simulations_per_second: u32,
    /// k of the Relative Bonus.
    pub relative_steepness: f32,
    /// k of the Qualitative Bonus.
    pub qualitative_steepness: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            exploration: 1.0,
            mast_epsilon: None,
            simulations_per_second: 10_000,
            relative_steepness: 2.0,
            qualitative_steepness: 2.0,
        }
    }
}

/// The rules of a game. Seven functions are required; the rest makes a game faster or its play-outs wiser.
///
/// A game with chance sets `CHANCE` and adds `outcomes`; a game of one player sets `SOLITAIRE` and adds `score`. What
/// is drawn through the supplied [`Stream`] gets common random numbers and antithetic variates with no other code,
/// and a game that names an `event` and its probability gets control variates.
///
/// All methods that take a state expect one of this game, and `apply` and the move functions expect one that is
/// not over. Rewards are in the view of a named player, never "of the mover", so that no sign can be mistaken.
///
/// ```
/// use spinney_core::{Game, Outcome, Player, Turn};
/// /// Take one or two matches; whoever takes the last one wins.
/// #[derive(Clone)]
/// struct Nim;
/// impl Game for Nim {
///     type State = (u8, Player);
///     type Move = u8;
///     fn initial(&self) -> Self::State { (7, Player::First) }
///     fn turn(&self, &(left, player): &Self::State) -> Turn {
///         if left == 0 { Turn::Over(Outcome::Win(player.other())) } else { Turn::Player(player) }
///     }
///     fn moves(&self, &(left, _): &Self::State, moves: &mut Vec<u8>) { moves.extend(1..=left.min(2)) }
///     fn apply(&self, (left, player): &mut Self::State, taken: u8) { *left -= taken; *player = player.other() }
///     fn move_ids(&self) -> usize { 3 }
///     fn move_id(&self, _: &Self::State, taken: u8) -> usize { taken as usize }
/// }
/// assert_eq!(spinney_core::perft(&Nim, &Nim.initial(), 2), 4);
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// A position: small plain data, cheap to copy.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// A move, packed: it is stored in every node of the tree. The default value need not be legal.
    type Move: Copy + Default + Eq + Debug + Send + Sync;

    /// Whether chance takes turns.
    const CHANCE: bool = false;
    /// Whether one player plays for a high score, and not two to win.
    const SOLITAIRE: bool = false;

    /// Whether the game is one of roles: any number of players, who move at the same time. Such a game answers the
    /// functions of roles and is also seen as one of two players (the first role and the rest), who move in turn.
    const ROLES: bool = false;

    /// The position in which a game begins.
    fn initial(&self) -> Self::State;

    /// Whose turn it is, or how the game ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends all legal moves, each once, in a fixed order.
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);

    /// How many move ids there are; tables of learned values have this size.
    fn move_ids(&self) -> usize;

    /// A number below `move_ids` that names the move among one player's moves, whatever the position.
    fn move_id(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// Appends the moves that searches and play-outs consider: all legal ones, unless a game would never end
    /// without leaving some out.
    #[inline]
    fn search_moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) {
        self.moves(state, moves);
    }

    /// Like `turn`, but may overlook that the player to move has no move; the functions that draw a move say so.
    /// Override it where `turn` has to look for a move.
    #[inline(always)]
    fn quick_turn(&self, state: &Self::State) -> Turn {
        self.turn(state)
    }

    /// The outcome when `mover` has no legal move, for games in which `quick_turn` can overlook it.
    fn outcome_without_moves(&self, mover: Player) -> Outcome {
        Outcome::Win(mover.other())
    }

    /// The outcome if `mv` ends the game. Override it where it can be seen without making the move.
    #[inline]
    fn outcome_after(&self, state: &Self::State, mv: Self::Move) -> Option<Outcome> {
        let mut next = state.clone();
        self.apply(&mut next, mv);
        self.turn(&next).outcome()
    }

    /// A uniformly random one of the search moves, or `None` if there is none. Override it to draw without listing.
    #[inline]
    fn random_move(&self, state: &Self::State, random: &mut Random, moves: &mut Vec<Self::Move>) -> Option<Self::Move> {
        moves.clear();
        self.search_moves(state, moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    /// The ids of the search moves as bits, where a position holds them anyway, as games do in which stones are placed on
    /// empty cells. `search_moves` then lists these moves by rising id, `move_with_id` is the way back from the id, and
    /// a move takes its own id out of the set and nothing else. What learns compares such moves without listing them.
    #[inline(always)]
    fn move_set<'a>(&self, _state: &'a Self::State) -> Option<&'a [u64]> {
        None
    }

    /// The move of this id in `move_set`.
    #[inline(always)]
    fn move_with_id(&self, _state: &Self::State, _id: usize) -> Self::Move {
        Self::Move::default()
    }

    /// Whether the game has a play-out policy of its own: `policy` and `policy_move` differ from uniform.
    fn has_policy(&self) -> bool {
        false
    }

    /// Appends the candidates of the play-out policy with their weights. A policy may draw a part of the
    /// candidates at random first (one piece, say), hence `random`.
    #[inline]
    fn policy(
        &self,
        state: &Self::State,
        _random: &mut Random,
        moves: &mut Vec<Self::Move>,
        candidates: &mut Vec<Weighted<Self::Move>>,
    ) {
        moves.clear();
        self.search_moves(state, moves);
        candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
    }

    /// A move drawn from the play-out policy: the same distribution as `policy`, without listing where possible.
    #[inline]
    fn policy_move(
        &self,
        state: &Self::State,
        random: &mut Random,
        moves: &mut Vec<Self::Move>,
        candidates: &mut Vec<Weighted<Self::Move>>,
    ) -> Option<Self::Move> {
        if !self.has_policy() {
            return self.random_move(state, random, moves);
        }
        candidates.clear();
        self.policy(state, random, moves, candidates);
        draw_weighted(candidates, random)
    }

    /// Quality q of a finished game in the view of its winner; larger is a clearer win.
    fn quality(&self, _state: &Self::State, _winner: Player) -> f32 {
        0.0
    }

    /// A guess of the outcome in the view of `player`, in [−1, 1]; `None` where the game has no such function.
    fn evaluate(&self, _state: &Self::State, _player: Player) -> Option<f32> {
        None
    }

    /// A hash of the position for transposition tables; equal positions have equal keys.
    fn key(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// Appends the outcomes of a chance turn, each once, with their probabilities; `apply` makes one happen.
    fn outcomes(&self, _state: &Self::State, _outcomes: &mut Vec<Likely<Self::Move>>) {}

    /// Lets chance take its turn: draws an outcome through the stream, makes it happen and returns it. Nothing that a
    /// player can see differs from having applied the outcome.
    ///
    /// Antithetic variates work as far as low numbers of the stream stand for bad luck. The default takes the order of
    /// `outcomes`; override it to draw without listing.
    fn draw_outcome(&self, state: &mut Self::State, stream: &mut Stream) -> Self::Move {
        let mut outcomes = Vec::new();
        self.outcomes(state, &mut outcomes);
        let mut ticket = stream.unit();
        let drawn = outcomes.iter().find(|outcome| {
            ticket -= outcome.probability;
            ticket < 0.0
        });
        let drawn = drawn.or(outcomes.last()).map(|outcome| outcome.mv).unwrap_or_default();
        self.apply(state, drawn);
        drawn
    }

    /// Draws anew what chance has decided but no player can see yet, such as the order of a pile of cards; searches do
    /// so before each simulation.
    #[inline(always)]
    fn redraw_hidden(&self, _state: &mut Self::State, _stream: &mut Stream) {}

    /// The probability of the event that is the game's control variate, at a chance turn; `None` where a game has no
    /// such event.
    #[inline(always)]
    fn event_probability(&self, _state: &Self::State) -> Option<f64> {
        None
    }

    /// Whether this outcome, which has led to `state`, was the event.
    #[inline(always)]
    fn event(&self, _state: &Self::State, _outcome: Self::Move) -> bool {
        false
    }

    /// The score of a game of one player, on its own scale: the sum of rewards so far, the return when it is over.
    #[inline(always)]
    fn score(&self, _state: &Self::State) -> f64 {
        0.0
    }

    /// How many roles the game has.
    fn roles(&self) -> usize {
        2
    }

    /// The role that is asked for its move; roles of a step are asked one after the other.
    fn role_to_move(&self, state: &Self::State) -> usize {
        match self.turn(state) {
            Turn::Player(player) => player.index(),
            Turn::Chance | Turn::Over(_) => 0,
        }
    }

    /// Takes back what roles have answered in a step that is not complete.
    fn begin_step(&self, _state: &mut Self::State) {}

    /// Appends the legal moves of a role at the beginning of a step; one without a choice has one move.
    fn role_moves(&self, _state: &Self::State, _role: usize, _moves: &mut Vec<Self::Move>) {}

    /// A uniformly random move of a role at the beginning of a step. Override it to draw without listing.
    #[inline]
    fn random_role_move(
        &self,
        state: &Self::State,
        role: usize,
        random: &mut Random,
        moves: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        moves.clear();
        self.role_moves(state, role, moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    /// Makes the moves of all roles at once, at the beginning of a step.
    fn apply_joint(&self, _state: &mut Self::State, _moves: &[Self::Move]) {}

    /// What a finished game is worth to a role, from 0 to 100.
    fn goal(&self, _state: &Self::State, _role: usize) -> f32 {
        0.0
    }

    /// The published parameters of variance reduction.
    fn variance_parameters(&self) -> VarianceParameters {
        VarianceParameters::default()
    }

    /// The published parameters.
    fn parameters(&self) -> Parameters {
        Parameters::default()
    }
}

/// All that can happen next: the legal moves, or the outcomes of a chance turn. Nothing when the game is over.
pub fn continuations<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    match game.turn(state) {
        Turn::Player(_) => game.moves(state, &mut moves),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            moves.extend(outcomes.into_iter().map(|outcome| outcome.mv));
        }
        Turn::Over(_) => {}
    }
    moves
}

/// Draws one of the candidates with the chance of its weight.
#[inline]
pub fn draw_weighted<M: Copy>(candidates: &[Weighted<M>], random: &mut Random) -> Option<M> {
    let total: u32 = candidates.iter().map(|candidate| candidate.weight).sum();
    if total == 0 {
        return None;
    }
    let mut ticket = random.below(total);
    for candidate in candidates {
        if ticket < candidate.weight {
            return Some(candidate.mv);
        }
        ticket -= candidate.weight;
    }
    None
}
