//! What learns from simulations: one interface for MAST, N-grams, pairs, replies, and ideas of one's own.
//!
//! Moves are numbers (see [`Seats`]): a player's move has the same number wherever it is made. After each
//! simulation a learner is taught its moves and how it ended; in play-outs learners are asked in turn for a move, and what
//! none of them offers is drawn by the policy under them.

use super::Base;
#[cfg(target_arch = "nvptx64")]
use super::levels::highest_of_few;
use super::row::{Highest as _, MOST_PLACES, Places, Row, TOGETHER, WORD, holds, set_of, with_words};
use super::seats::Seats;
use core::marker::PhantomData;
#[cfg(target_arch = "nvptx64")]
use spinney_core::Run;
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;
use spinney_core::{RunsOf, Weighted, Workspace, bits, lanes};

pub use super::cmc::NO_MOVE;

/// What a learner is told of the game for which it is made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Scope {
    /// Move ids of the game; tables are as long as this.
    pub move_ids: usize,
    /// Who takes part.
    pub seats: Seats,
    /// What simulations teach.
    pub outcomes: Outcomes,
    /// Later moves win ties (published engine).
    pub late_ties: bool,
    /// Moves come in runs or sets, so that the values of many are compared at a time.
    pub has_runs: bool,
}

impl Scope {
    /// A game of players with so many move ids.
    pub const fn new(move_ids: usize, outcomes: Outcomes) -> Self {
        Self { move_ids, seats: Seats::TWO, outcomes, late_ties: false, has_runs: false }
    }

    /// A game of so many roles.
    pub const fn of_roles(roles: usize, move_ids: usize) -> Self {
        Self { seats: Seats::new(roles), ..Self::new(move_ids, Outcomes::Scores) }
    }
}

/// What simulations teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// Loss, draw and win: −1, 0 and 1.
    Results,
    /// Anything from −1 to 1, as scores of one player give it.
    Scores,
}

/// The two plies before a move, the last first, as numbers of moves; [`NO_MOVE`] where there is none.
pub type Before = [u32; 2];

/// What has been played before a move.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Context {
    /// The last two plies, the last first.
    pub before: Before,
    /// Each player's last move.
    pub own: [u32; 2],
    /// Each player's last move of the running play-out.
    pub own_in_playout: [u32; 2],
}

impl Context {
    /// Nothing was played.
    pub const NOTHING: Self = Self { before: [NO_MOVE; 2], own: [NO_MOVE; 2], own_in_playout: [NO_MOVE; 2] };

    /// One more move.
    #[inline(always)]
    pub fn add(&mut self, index: u32) {
        self.before = [index, self.before[0]];
        self.own[Seats::TWO.seat(index)] = index;
        self.own_in_playout[Seats::TWO.seat(index)] = index;
    }
}

/// A finished simulation as learners see it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Lesson<'a> {
    /// Its moves as numbers, those in the tree first.
    pub played: &'a [u32],
    /// How many of them were made in the tree.
    pub tree_moves: usize,
    /// What was before the first of them.
    pub before: Before,
    /// How it ended for the first player, from −1 to 1.
    pub outcome: f32,
    /// What the tree was given for it, where that is to be learned instead, for the first player.
    pub reward: f32,
    /// What each of the moves was worth to the role that made it, from 0 to 100, in a game of roles; empty in others.
    pub returns: &'a [f32],
}

impl<'a> Lesson<'a> {
    /// A simulation of these moves.
    pub const fn new(played: &'a [u32], before: Before, outcome: f32) -> Self {
        Self { played, tree_moves: 0, before, outcome, reward: outcome, returns: &[] }
    }

    /// A simulation of these moves of all roles, step by step, and what each was worth to its role.
    pub const fn of_roles(played: &'a [u32], returns: &'a [f32]) -> Self {
        Self { returns, ..Self::new(played, [NO_MOVE; 2], 0.0) }
    }
}

/// What a learner has to say about the next move of a play-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer<M> {
    /// This move.
    Play(M),
    /// The move at a place of the run that begins with this one: that of this number in a set of places. Cards find it where
    /// they find what the policy has drawn.
    #[cfg(target_arch = "nvptx64")]
    Place(M, u64, u32),
    /// Nothing: the next learner is asked, or the policy under all of them.
    Pass,
    /// There is no move.
    NoMove,
}

impl<M> Offer<M> {
    /// A move if one was found, nothing otherwise.
    #[inline(always)]
    pub fn or_pass(found: Option<M>) -> Self {
        found.map_or(Offer::Pass, Offer::Play)
    }
}

/// Something that learns from simulations and chooses moves of play-outs.
pub trait Learner: Send + 'static {
    /// Whether standard learners that look at the moves before are compiled beside it; where they are not, settings may not
    /// ask for them.
    const CONTEXTS: bool = true;

    /// Whether it looks at the moves before; what does not is spared their upkeep.
    const LOOKS_BACK: bool = true;

    /// Forgets everything: a search begins, for `searcher`.
    fn clear(&mut self, searcher: Player);

    /// Learns from a finished simulation.
    fn teach(&mut self, lesson: &Lesson<'_>);

    /// A move for the play-out.
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move>;
}

/// A move of a play-out that is to be chosen.
pub struct Choice<'a, G: Game, B> {
    /// The game.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// Who is to move; in a game of roles the first, or one of the others.
    pub player: Player,
    /// The seat that is to move.
    pub seat: usize,
    pub(super) seats: Seats,
    /// What was played before.
    pub context: &'a Context,
    /// Where randomness comes from.
    pub random: &'a mut Random,
    /// Lists.
    pub work: &'a mut Workspace<G>,
    pub(super) sets: Sets,
    /// The runs of a game that has few, but more than one.
    #[cfg(target_arch = "nvptx64")]
    pub(super) few: [Run<G::Move>; 3],
    pub(super) base: PhantomData<B>,
}

/// How learners look at sets of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sets {
    /// Whether moves are chosen from sets, where the game has them.
    taken: bool,
    /// The words of a set of move ids, where they are few enough for it.
    words: Option<usize>,
}

impl Sets {
    /// Moves are looked at one by one.
    #[cfg(feature = "std")]
    const NONE: Self = Self { taken: false, words: None };

    pub(super) fn new(scope: &Scope) -> Self {
        let is_short = scope.move_ids <= MOST_PLACES;
        Self {
            taken: is_short && !scope.late_ties && scope.outcomes == Outcomes::Results,
            words: (is_short && scope.move_ids > 0).then(|| scope.move_ids.div_ceil(WORD)),
        }
    }
}

/// With fewer candidates it is quicker to look at each of them.
const MANY: usize = 8;

impl<'a, G: Game, B: Base> Choice<'a, G, B> {
    /// A choice of a seat of a game of roles.
    #[cfg(feature = "std")]
    pub(crate) fn of_role(
        (seats, seat): (Seats, usize),
        game: &'a G,
        state: &'a G::State,
        context: &'a Context,
        random: &'a mut Random,
        work: &'a mut Workspace<G>,
    ) -> Self {
        let player = if seat == 0 { Player::First } else { Player::Second };
        Self { game, state, player, seat, seats, context, random, work, sets: Sets::NONE, base: PhantomData }
    }

    /// The number of the player's move with this id.
    #[inline(always)]
    pub fn number(&self, id: usize) -> u32 {
        self.seats.number(self.seat, id)
    }

    /// The moves as a set of ids, where the game gives them so and the policy is uniform.
    #[inline(always)]
    pub fn set(&self) -> Option<&'a [u64]> {
        if self.sets.taken { B::set(self.game, self.state) } else { None }
    }

    /// The move of an id of the set.
    #[inline(always)]
    pub fn move_with_id(&self, id: usize) -> Option<G::Move> {
        const { G::MOVE_SETS }.map(|sets| sets.move_with_id(self.game, self.state, id))
    }

    /// Lists what the policy would draw from in `work.candidates`.
    #[inline(always)]
    pub fn list(&mut self) -> &[Weighted<G::Move>] {
        B::list(self.game, self.state, self.random, self.work);
        &self.work.candidates
    }

    /// The move with this id, if it can be made.
    #[inline(always)]
    pub fn find(&mut self, id: usize) -> Option<G::Move> {
        if let Some(set) = self.set() {
            return if holds(set, id) { self.move_with_id(id) } else { None };
        }
        self.list();
        let (game, state) = (self.game, self.state);
        self.work.candidates.iter().map(|one| one.mv).find(|&mv| game.move_id(state, mv) == id)
    }

    /// The move whose id has the highest value; equal ones are equally likely, and what is not a number is left out.
    ///
    /// `NoMove` where there is none at all.
    #[inline(always)]
    pub fn greedy(&mut self, value: impl Fn(usize) -> f32) -> Offer<G::Move> {
        self.list();
        let found = greedy(self.game, self.state, self.work, false, self.random, value);
        if self.work.candidates.is_empty() { Offer::NoMove } else { Offer::or_pass(found) }
    }

    /// Finds what the policy would draw from as runs of ids, where the game has them, and tells how they are read.
    #[inline(always)]
    pub(super) fn find_runs(&mut self) -> Option<RunsOf<G>> {
        B::find_runs(self.game, self.state, self.random, &mut self.work.scratch)
    }

    /// As [`greedy`] over few runs, which leaves it to whoever asks to find the place.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    pub(super) fn greedy_place(&mut self, row: Row<'_>, late_ties: bool) -> Offer<G::Move> {
        let place = place_in_few::<G, 3>(self.game, self.state, &self.few, row, late_ties, self.random);
        place.map_or(Offer::NoMove, |(first, set, place)| Offer::Place(first, set, place))
    }

    /// As [`greedy`] over the runs that were found.
    #[inline(always)]
    pub(super) fn greedy_in_runs(&mut self, runs: &RunsOf<G>, row: Row<'_>, late_ties: bool) -> Option<G::Move> {
        let (game, state) = (self.game, self.state);
        let Workspace { moves, scratch, .. } = &mut *self.work;
        let found = runs.found(scratch);
        #[cfg(target_arch = "nvptx64")]
        match const { few_runs::<G>() } {
            1 => {
                let (first, set, place) = place_in_few::<G, 1>(game, state, found, row, late_ties, self.random)?;
                return Some(runs.move_at(game, first, bits::select(set, place).trailing_zeros()));
            }
            0 => {}
            _ => unreachable!("more were looked at before"),
        }
        let highest = row.highest(found.iter().map(|run| (game.move_id(state, run.first), run.places)));
        let (start, end) = highest.runs(found.len());
        let found = found.get(start..end).unwrap_or_default();
        // Why they are known to be equal is different for each thread of a card.
        if let Some(count) = lanes::meet_with(highest.equals()) {
            // From the last on: late ties are most often won there.
            let mut later = count - 1 - place_of_equal(count, late_ties, self.random);
            let mut found_in = None;
            for run in found.iter().rev() {
                let places = row.with(&highest, game.move_id(state, run.first), run.places);
                let count = places.count_ones();
                if later < count {
                    found_in = Some((run.first, places, count - 1 - later));
                    break;
                }
                later -= count;
            }
            // Who has found it waits for the others.
            let (first, places, place) = lanes::meet_with(found_in)?;
            return Some(runs.move_at(game, first, bits::select(places, place).trailing_zeros()));
        }
        let mut best = f32::NEG_INFINITY;
        moves.clear();
        for run in found {
            let id = game.move_id(state, run.first);
            let places = row.with(&highest, id, run.places);
            if const { TOGETHER > 1 } {
                let (value, places) = row.highest_of(id, places);
                if value > best {
                    best = value;
                    moves.clear();
                }
                if value == best {
                    moves.extend(bits::squares(places).map(|place| runs.move_at(game, run.first, place.into())));
                }
                continue;
            }
            for place in bits::squares(places) {
                let value = row.mean(id + usize::from(place));
                if value > best {
                    best = value;
                    moves.clear();
                }
                if value == best {
                    moves.push(runs.move_at(game, run.first, place.into()));
                }
            }
        }
        draw_equal(moves, late_ties, self.random)
    }

    /// As `greedy` over what `list` has listed, if it is known that no id outside of `near` can have the highest value.
    #[inline(always)]
    pub(super) fn greedy_among(
        &mut self,
        near: Option<Places>,
        value: impl Fn(usize) -> Option<f32>,
    ) -> Option<G::Move> {
        let (game, state, work, random) = (self.game, self.state, &mut *self.work, &mut *self.random);
        // What is not a number is never chosen.
        match near {
            Some(near) => greedy(game, state, work, false, random, |id| {
                if holds(&near, id) { value(id).unwrap_or(f32::NAN) } else { f32::NAN }
            }),
            None => greedy(game, state, work, false, random, |id| value(id).unwrap_or(f32::NAN)),
        }
    }

    /// The ids of what `list` has listed, where they are few enough for a set and many enough for it to be of use.
    #[inline(always)]
    pub(super) fn ids(&self) -> Option<Places> {
        let words = self.sets.words.filter(|_| self.work.candidates.len() >= MANY)?;
        let ids = self.work.candidates.iter().map(|candidate| self.game.move_id(self.state, candidate.mv));
        Some(with_words!(words, set_of::<_>(ids)))
    }
}

/// The number of runs of a game, where they are few.
#[cfg(target_arch = "nvptx64")]
pub(super) const fn few_runs<G: Game>() -> usize {
    match G::MOVE_RUNS {
        Some(runs) => runs.few(),
        None => 0,
    }
}

/// The runs of a game that has few, but more than one; nothing of it is written to memory.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn find_few<G: Game, B: Base>(game: &G, state: &G::State, random: &mut Random) -> [Run<G::Move>; 3] {
    let mut few = [Run { first: G::Move::default(), places: 0 }; 3];
    if const { few_runs::<G>() > 1 } {
        let mut scratch = G::Scratch::default();
        if let Some(runs) = B::find_runs(game, state, random, &mut scratch) {
            for (own, found) in few.iter_mut().zip(runs.found(&scratch)) {
                *own = *found;
            }
        }
    }
    few
}

/// [`Choice::greedy_in_runs`] for few runs, which are compared at once: the threads of a warp loop over nothing. The first move
/// of a run, a set of its places, and which of these it is.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn place_in_few<G: Game, const RUNS: usize>(
    game: &G,
    state: &G::State,
    found: &[Run<G::Move>],
    row: Row<'_>,
    late_ties: bool,
    random: &mut Random,
) -> Option<(G::Move, u64, u32)> {
    let empty = Run { first: G::Move::default(), places: 0 };
    let own = core::array::from_fn::<_, RUNS, _>(|number| found.get(number).copied().unwrap_or(empty));
    debug_assert!(found.iter().zip((0..).step_by(WORD)).all(|(run, id)| game.move_id(state, run.first) == id));
    let (mut sets, are_equal) = highest_of_few(row.scores, own.map(|run| run.places));
    let mut counts = sets.map(u64::count_ones);
    if !are_equal && counts.iter().sum::<u32>() > 1 {
        sets = row.highest_of_all(core::array::from_fn(|number| WORD * number), sets);
        counts = sets.map(u64::count_ones);
    }
    let count: u32 = counts.iter().sum();
    if count == 0 {
        return None;
    }
    let mut place = place_of_equal(count, late_ties, random);
    let (mut number, mut first, mut set) = (0, own[0].first, sets[0]);
    for next in 1..RUNS {
        let is_later = number == next - 1 && place >= counts[next - 1];
        place -= if is_later { counts[next - 1] } else { 0 };
        (number, first, set) = if is_later { (next, own[next].first, sets[next]) } else { (number, first, set) };
    }
    Some((first, set, place))
}

/// The candidate with the highest value, given for its id; equal ones are equally likely.
#[inline(always)]
pub(super) fn greedy<G: Game>(
    game: &G,
    state: &G::State,
    work: &mut Workspace<G>,
    late_ties: bool,
    random: &mut Random,
    value: impl Fn(usize) -> f32,
) -> Option<G::Move> {
    let mut best = f32::NEG_INFINITY;
    work.moves.clear();
    for candidate in &work.candidates {
        let value = value(game.move_id(state, candidate.mv));
        if value > best {
            best = value;
            work.moves.clear();
        }
        if value == best {
            work.moves.push(candidate.mv);
        }
    }
    draw_equal(&work.moves, late_ties, random)
}

/// One of moves with equal values; no random number is drawn for a lone one.
#[inline(always)]
fn draw_equal<M: Copy>(equals: &[M], late_ties: bool, random: &mut Random) -> Option<M> {
    match equals {
        [] => None,
        [one] => Some(*one),
        equals => Some(equals[place_of_equal(equals.len() as u32, late_ties, random) as usize]),
    }
}

/// The place of one of so many equals; no random number is drawn for a lone one.
#[inline(always)]
fn place_of_equal(count: u32, late_ties: bool, random: &mut Random) -> u32 {
    match count {
        0 | 1 => 0,
        count if late_ties => late(count - 1, random),
        count => random.below(count),
    }
}

/// The published engine's way with equals: each takes the place of the one before with chance 1/2.
fn late(last: u32, random: &mut Random) -> u32 {
    let kept = (0..last).find(|_| random.below(2) == 0).unwrap_or(last);
    last - kept
}
