//! Play-out policies that belong to a game: which moves its simulations prefer.

use crate::game::Game;
use crate::random::Random;
use crate::workspace::Workspace;

/// A candidate of a play-out policy: a move and how likely it is beside the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighted<M> {
    /// The move.
    pub mv: M,
    /// Its weight; the chance of the move is its share of the sum.
    pub weight: u32,
}

/// A game with a play-out policy of its own; it says so with `const POLICY: Option<Policy<Self>> = Some(Policy::of())`.
pub trait PlayoutPolicy: Game {
    /// Appends the candidates with their weights to `work.candidates`. A policy may draw a part of the candidates at
    /// random first (one piece, say), hence `random`.
    fn policy(&self, state: &Self::State, random: &mut Random, work: &mut Workspace<Self>);

    /// A move drawn from the policy: the same distribution as `policy`. Override it to draw without listing.
    #[inline]
    fn policy_move(&self, state: &Self::State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Self::Move> {
        work.candidates.clear();
        self.policy(state, random, work);
        draw_weighted(&work.candidates, random)
    }
}

type ListCandidates<G> = fn(&G, &<G as Game>::State, &mut Random, &mut Workspace<G>);
type DrawMove<G> = fn(&G, &<G as Game>::State, &mut Random, &mut Workspace<G>) -> Option<<G as Game>::Move>;

/// The functions of a [`PlayoutPolicy`] as a constant of its game: known when a search is compiled, absent where a game
/// has no policy.
pub struct Policy<G: Game> {
    list: ListCandidates<G>,
    draw: DrawMove<G>,
}

impl<G: PlayoutPolicy> Policy<G> {
    /// The policy of `G`.
    pub const fn of() -> Self {
        Self { list: G::policy, draw: G::policy_move }
    }
}

impl<G: Game> Policy<G> {
    /// See [`PlayoutPolicy::policy`].
    #[inline(always)]
    pub fn list(&self, game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>) {
        (self.list)(game, state, random, work);
    }

    /// See [`PlayoutPolicy::policy_move`].
    #[inline(always)]
    pub fn draw(&self, game: &G, state: &G::State, random: &mut Random, work: &mut Workspace<G>) -> Option<G::Move> {
        (self.draw)(game, state, random, work)
    }
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
