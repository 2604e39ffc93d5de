//! What a game is. The rules are a value (board size, variant); a position is plain data.

use crate::chance::Luck;
use crate::list::List;
use crate::move_run::RunsOf;
use crate::move_set::SetsOf;
use crate::policy::Policy;
use crate::random::Random;
use crate::roles::RolesOf;
use crate::solitaire::Score;
use crate::workspace::Workspace;
use core::fmt::Debug;

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
    /// A game of one player has ended; its score says how well.
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

/// How a game was published: agents take from here what they are not told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// Options of `mcts`, as they are written in its brackets: `c=1, playout=policy+mast(eps=0.7), rb(k=8)`. A part such
    /// as `rb(k=8)` says with which constants it was published, not that it is on.
    pub agent: &'static str,
    /// Simulations that stood for one second of thinking.
    pub simulations_per_second: u32,
}

impl Default for Published {
    fn default() -> Self {
        Self { agent: "", simulations_per_second: 10_000 }
    }
}

/// The rules of a game. Six functions are required; the others make a game faster or its searches wiser.
///
/// What few games have is a trait of its own, which a game joins by a constant: a play-out policy ([`PlayoutPolicy`]),
/// chance ([`Chance`]), one player ([`Solitaire`]), roles who move at the same time ([`Roles`]), sets of moves
/// ([`MoveSets`]) or runs of them ([`MoveRuns`]). A search is compiled with or without them.
///
/// All methods that take a state expect one of this game, and `apply` and the move functions expect one that is
/// not over. Rewards are in the view of a named player, never "of the mover", so that no sign can be mistaken.
///
/// ```
/// use spinney_core::{Game, List, Outcome, Player, Turn};
/// /// Take one or two matches; whoever takes the last one wins.
/// #[derive(Clone)]
/// struct Nim;
/// impl Game for Nim {
///     type State = (u8, Player);
///     type Move = u8;
///     type Scratch = ();
///     fn initial(&self) -> Self::State { (7, Player::First) }
///     fn turn(&self, &(left, player): &Self::State) -> Turn {
///         if left == 0 { Turn::Over(Outcome::Win(player.other())) } else { Turn::Player(player) }
///     }
///     fn moves(&self, &(left, _): &Self::State, moves: &mut List<u8>) { moves.extend(1..=left.min(2)) }
///     fn apply(&self, (left, player): &mut Self::State, taken: u8) { *left -= taken; *player = player.other() }
///     fn move_ids(&self) -> usize { 3 }
///     fn move_id(&self, _: &Self::State, taken: u8) -> usize { taken as usize }
/// }
/// assert_eq!(spinney_core::perft(&Nim, &Nim.initial(), 2), 4);
/// ```
///
/// [`PlayoutPolicy`]: crate::PlayoutPolicy
/// [`Chance`]: crate::Chance
/// [`Solitaire`]: crate::Solitaire
/// [`Roles`]: crate::Roles
/// [`MoveSets`]: crate::MoveSets
/// [`MoveRuns`]: crate::MoveRuns
pub trait Game: Clone + Send + Sync + 'static {
    /// A position: small plain data, cheap to copy.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// A move, packed: it is stored in every node of the tree. The default value need not be legal.
    type Move: Copy + Default + Eq + Debug + Send + Sync;
    /// Working memory that the game keeps in a [`Workspace`]; `()` where it needs none.
    type Scratch: Default + Send;

    /// The game's play-out policy, if it has one.
    const POLICY: Option<Policy<Self>> = None;
    /// Its chance, if chance takes turns.
    const LUCK: Option<Luck<Self>> = None;
    /// Its score, if one player plays for it.
    const SCORE: Option<Score<Self>> = None;
    /// Its roles, if players move at the same time.
    const ROLES: Option<RolesOf<Self>> = None;
    /// Its sets of moves, if positions hold them.
    const MOVE_SETS: Option<SetsOf<Self>> = None;
    /// Its runs of moves, if their ids come so.
    const MOVE_RUNS: Option<RunsOf<Self>> = None;

    /// The position in which a game begins.
    fn initial(&self) -> Self::State;

    /// Whose turn it is, or how the game ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends all legal moves, each once, in a fixed order.
    fn moves(&self, state: &Self::State, moves: &mut List<Self::Move>);

    /// Makes a legal move, or lets an outcome of a chance turn happen.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);

    /// How many move ids there are; tables of learned values have this size.
    fn move_ids(&self) -> usize;

    /// A number below `move_ids` that names the move among one player's moves, whatever the position.
    fn move_id(&self, state: &Self::State, mv: Self::Move) -> usize;

    /// Appends to `work.moves` the moves that searches and play-outs consider: all legal ones, unless a game would never
    /// end without leaving some out.
    #[inline]
    fn search_moves(&self, state: &Self::State, work: &mut Workspace<Self>) {
        self.moves(state, &mut work.moves);
    }

    /// `apply` on the hot path. Override it where a game needs its scratch to be quick.
    #[inline(always)]
    fn advance(&self, state: &mut Self::State, mv: Self::Move, _work: &mut Workspace<Self>) {
        self.apply(state, mv);
    }

    /// Like `turn`, but may overlook that the player to move has no move: the functions that draw a move then find none,
    /// and `turn` says how the game ended. Override it where `turn` has to look for a move.
    #[inline(always)]
    fn quick_turn(&self, state: &Self::State) -> Turn {
        self.turn(state)
    }

    /// The outcome if `mv` ends the game. Override it where it can be seen without making the move.
    #[inline]
    fn outcome_after(&self, state: &Self::State, mv: Self::Move, work: &mut Workspace<Self>) -> Option<Outcome> {
        let mut next = state.clone();
        self.advance(&mut next, mv, work);
        self.turn(&next).outcome()
    }

    /// A uniformly random one of the search moves, or `None` if there is none. Override it to draw without listing.
    #[inline]
    fn random_move(&self, state: &Self::State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Self::Move> {
        work.list_moves(self, state);
        (!work.moves.is_empty()).then(|| work.moves[random.below(work.moves.len() as u32) as usize])
    }

    /// Quality q of a finished game in the view of its winner; larger is a clearer win. 1 for games that do not tell.
    fn quality(&self, _state: &Self::State, _winner: Player) -> f32 {
        1.0
    }

    /// A guess of the outcome in the view of `player`, in [−1, 1]; `None` where the game has no such function.
    fn evaluate(&self, _state: &Self::State, _player: Player) -> Option<f32> {
        None
    }

    /// A hash of the position for transposition tables; equal positions have equal keys. `None` where there is none.
    fn key(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// How the game was published.
    fn published(&self) -> Published {
        Published::default()
    }
}

/// All that can happen next: the legal moves, or the outcomes of a chance turn. Nothing when the game is over.
#[inline(never)]
pub fn continuations<G: Game>(game: &G, state: &G::State) -> List<G::Move> {
    let mut moves = List::new();
    match (game.turn(state), G::LUCK) {
        (Turn::Player(_), _) => game.moves(state, &mut moves),
        (Turn::Chance, Some(luck)) => {
            let mut outcomes = List::new();
            luck.outcomes(game, state, &mut outcomes);
            moves.extend(outcomes.into_iter().map(|outcome| outcome.mv));
        }
        (Turn::Chance, None) => no_luck(),
        (Turn::Over(_), _) => {}
    }
    moves
}

/// A game without `LUCK` has answered `Turn::Chance`, which is a mistake in its rules.
#[cold]
pub fn no_luck() -> ! {
    panic!("chance is to take a turn in a game whose `Game::LUCK` is `None`")
}

/// A move that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove;

impl core::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this move cannot be made in this position")
    }
}

impl core::error::Error for IllegalMove {}

/// Makes a move after a look whether it can be made; [`Game::apply`] takes any move for a legal one.
///
/// ```
/// use spinney_core::{Game, play};
/// let game = spinney_games::TicTacToe;
/// let mut state = game.initial();
/// assert!(play(&game, &mut state, 4).is_ok());
/// assert!(play(&game, &mut state, 4).is_err());
/// ```
pub fn play<G: Game>(game: &G, state: &mut G::State, mv: G::Move) -> Result<(), IllegalMove> {
    if !continuations(game, state).contains(&mv) {
        return Err(IllegalMove);
    }
    game.apply(state, mv);
    Ok(())
}
