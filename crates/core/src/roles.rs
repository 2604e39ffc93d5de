//! Games of roles: any number of players, who move at the same time. Rule sheets describe such games.

use crate::game::Game;
use crate::random::Random;
use crate::workspace::Workspace;

/// A game of roles; it says so with `const ROLES: Option<RolesOf<Self>> = Some(RolesOf::of())`.
///
/// It is also seen as a game of two players, the first role and the rest, who are asked in turn.
pub trait Roles: Game {
    /// How many roles the game has.
    fn roles(&self) -> usize;

    /// The role that is asked for its move; roles of a step are asked one after the other.
    fn role_to_move(&self, state: &Self::State) -> usize;

    /// Takes back what roles have answered in a step that is not complete.
    fn begin_step(&self, state: &mut Self::State, work: &mut Workspace<Self>);

    /// Appends the legal moves of a role at the beginning of a step to `work.moves`; one without a choice has one move.
    fn role_moves(&self, state: &Self::State, role: usize, work: &mut Workspace<Self>);

    /// A uniformly random move of a role at the beginning of a step.
    fn random_role_move(
        &self,
        state: &Self::State,
        role: usize,
        random: &mut Random,
        work: &mut Workspace<Self>,
    ) -> Option<Self::Move>;

    /// Makes the moves of all roles at once, at the beginning of a step.
    fn apply_joint(&self, state: &mut Self::State, moves: &[Self::Move], work: &mut Workspace<Self>);

    /// What a finished game is worth to a role, from 0 to 100.
    fn goal(&self, state: &Self::State, role: usize) -> f32;

    /// The role that is chance, if there is one: its moves are drawn, each equally likely.
    fn chance_role(&self) -> Option<usize> {
        None
    }

    /// Whether the last step was broken off, because it would have taken too long: nothing is known of the position then,
    /// and nothing may come of the simulation.
    fn is_broken_off(&self, _work: &Workspace<Self>) -> bool {
        false
    }
}

type DrawRoleMove<G> = fn(&G, &<G as Game>::State, usize, &mut Random, &mut Workspace<G>) -> Option<<G as Game>::Move>;
type ApplyJoint<G> = fn(&G, &mut <G as Game>::State, &[<G as Game>::Move], &mut Workspace<G>);

/// The functions of [`Roles`] as a constant of its game: known when a search is compiled, absent where players take
/// turns.
pub struct RolesOf<G: Game> {
    roles: fn(&G) -> usize,
    role_to_move: fn(&G, &G::State) -> usize,
    begin_step: fn(&G, &mut G::State, &mut Workspace<G>),
    role_moves: fn(&G, &G::State, usize, &mut Workspace<G>),
    random_role_move: DrawRoleMove<G>,
    apply_joint: ApplyJoint<G>,
    goal: fn(&G, &G::State, usize) -> f32,
    chance_role: fn(&G) -> Option<usize>,
    is_broken_off: fn(&G, &Workspace<G>) -> bool,
}

impl<G: Roles> RolesOf<G> {
    /// The roles of `G`.
    pub const fn of() -> Self {
        Self {
            roles: G::roles,
            role_to_move: G::role_to_move,
            begin_step: G::begin_step,
            role_moves: G::role_moves,
            random_role_move: G::random_role_move,
            apply_joint: G::apply_joint,
            goal: G::goal,
            chance_role: G::chance_role,
            is_broken_off: G::is_broken_off,
        }
    }
}

impl<G: Game> RolesOf<G> {
    /// See [`Roles::roles`].
    pub fn count(&self, game: &G) -> usize {
        (self.roles)(game)
    }

    /// See [`Roles::role_to_move`].
    pub fn role_to_move(&self, game: &G, state: &G::State) -> usize {
        (self.role_to_move)(game, state)
    }

    /// See [`Roles::begin_step`].
    pub fn begin_step(&self, game: &G, state: &mut G::State, work: &mut Workspace<G>) {
        (self.begin_step)(game, state, work);
    }

    /// See [`Roles::role_moves`].
    #[inline(always)]
    pub fn role_moves(&self, game: &G, state: &G::State, role: usize, work: &mut Workspace<G>) {
        (self.role_moves)(game, state, role, work);
    }

    /// See [`Roles::random_role_move`].
    #[inline(always)]
    pub fn random_role_move(
        &self,
        game: &G,
        state: &G::State,
        role: usize,
        random: &mut Random,
        work: &mut Workspace<G>,
    ) -> Option<G::Move> {
        (self.random_role_move)(game, state, role, random, work)
    }

    /// See [`Roles::apply_joint`].
    #[inline(always)]
    pub fn apply_joint(&self, game: &G, state: &mut G::State, moves: &[G::Move], work: &mut Workspace<G>) {
        (self.apply_joint)(game, state, moves, work);
    }

    /// See [`Roles::goal`].
    #[inline(always)]
    pub fn goal(&self, game: &G, state: &G::State, role: usize) -> f32 {
        (self.goal)(game, state, role)
    }

    /// See [`Roles::chance_role`].
    pub fn chance_role(&self, game: &G) -> Option<usize> {
        (self.chance_role)(game)
    }

    /// See [`Roles::is_broken_off`].
    #[inline(always)]
    pub fn is_broken_off(&self, game: &G, work: &Workspace<G>) -> bool {
        (self.is_broken_off)(game, work)
    }
}
