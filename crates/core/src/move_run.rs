//! Games whose moves come in runs of neighbouring ids, as those of Amazons do: one run for each square an amazon goes to,
//! with a place for each square that its arrow could reach.

use crate::game::Game;
use crate::random::Random;

/// Moves with neighbouring ids: up to 64 places, and which of them can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<M> {
    /// The move at place 0, whether it can be made or not.
    pub first: M,
    /// The places of moves that can be made, as bits.
    pub places: u64,
}

/// Room for few runs that needs no memory of its own: the working memory of a game that has at most `N`.
#[derive(Clone, Copy, Debug)]
pub struct FewRuns<M, const N: usize> {
    runs: [Run<M>; N],
    count: usize,
}

impl<M: Copy + Default, const N: usize> Default for FewRuns<M, N> {
    fn default() -> Self {
        Self { runs: [Run { first: M::default(), places: 0 }; N], count: 0 }
    }
}

impl<M: Copy, const N: usize> FewRuns<M, N> {
    /// Holds these runs instead of others.
    #[inline(always)]
    pub fn hold<const K: usize>(&mut self, runs: [Run<M>; K]) {
        const { assert!(K <= N, "more runs than there is room for") };
        self.runs[..K].copy_from_slice(&runs);
        self.count = K;
    }

    /// The runs.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Run<M>] {
        &self.runs[..self.count]
    }
}

/// A game with runs of moves; it says so with `const MOVE_RUNS: Option<RunsOf<Self>> = Some(RunsOf::of())`. What learns
/// compares such moves without listing them. They lie in the game's own working memory.
pub trait MoveRuns: Game {
    /// The most runs there are, where they are few and, on a card, the ids of each begin 64 after those of the one before, the
    /// first at 0; 0 elsewhere. A card compares few at once.
    const FEW: usize = 0;

    /// Finds the runs of all search moves, in the order of `search_moves`.
    fn find_runs(&self, state: &Self::State, scratch: &mut Self::Scratch);

    /// Finds those of the candidates of the game's policy, whatever their weights, in its order and with the same random
    /// numbers.
    fn find_policy_runs(&self, state: &Self::State, random: &mut Random, scratch: &mut Self::Scratch);

    /// What `policy_move` draws, with the same random numbers, but as the first move of its run, a set of places of that run,
    /// and which of these it is. A card asks for it where there are few runs, but more than one.
    #[inline(always)]
    fn draw_place(&self, _: &Self::State, _: &mut Random) -> Option<(Self::Move, u64, u32)> {
        None
    }

    /// The runs that were found last.
    fn runs(scratch: &Self::Scratch) -> &[Run<Self::Move>];

    /// The move at a place of the run that begins with `first`. Its id is that of `first` and so many more.
    fn move_at(&self, first: Self::Move, place: u32) -> Self::Move;
}

type DrawPlace<G> = fn(&G, &<G as Game>::State, &mut Random) -> Option<(<G as Game>::Move, u64, u32)>;
type Found<G> = for<'a> fn(&'a <G as Game>::Scratch) -> &'a [Run<<G as Game>::Move>];

/// The functions of [`MoveRuns`] as a constant of its game: known when a search is compiled, absent where moves are listed.
pub struct RunsOf<G: Game> {
    find: fn(&G, &G::State, &mut G::Scratch),
    find_policy: fn(&G, &G::State, &mut Random, &mut G::Scratch),
    draw_place: DrawPlace<G>,
    found: Found<G>,
    move_at: fn(&G, G::Move, u32) -> G::Move,
    few: usize,
}

impl<G: MoveRuns> RunsOf<G> {
    /// The runs of `G`.
    pub const fn of() -> Self {
        Self {
            find: G::find_runs,
            find_policy: G::find_policy_runs,
            draw_place: G::draw_place,
            found: G::runs,
            move_at: G::move_at,
            few: G::FEW,
        }
    }
}

impl<G: Game> RunsOf<G> {
    /// See [`MoveRuns::find_runs`].
    #[inline(always)]
    pub fn find(&self, game: &G, state: &G::State, scratch: &mut G::Scratch) {
        (self.find)(game, state, scratch);
    }

    /// See [`MoveRuns::find_policy_runs`].
    #[inline(always)]
    pub fn find_policy(&self, game: &G, state: &G::State, random: &mut Random, scratch: &mut G::Scratch) {
        (self.find_policy)(game, state, random, scratch);
    }

    /// See [`MoveRuns::draw_place`].
    #[inline(always)]
    pub fn draw_place(&self, game: &G, state: &G::State, random: &mut Random) -> Option<(G::Move, u64, u32)> {
        (self.draw_place)(game, state, random)
    }

    /// See [`MoveRuns::runs`].
    #[inline(always)]
    pub fn found<'a>(&self, scratch: &'a G::Scratch) -> &'a [Run<G::Move>] {
        (self.found)(scratch)
    }

    /// See [`MoveRuns::FEW`].
    #[inline(always)]
    pub const fn few(&self) -> usize {
        self.few
    }

    /// See [`MoveRuns::move_at`].
    #[inline(always)]
    pub fn move_at(&self, game: &G, first: G::Move, place: u32) -> G::Move {
        (self.move_at)(game, first, place)
    }
}
