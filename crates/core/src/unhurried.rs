//! The functions of a game for those who are not in a hurry: checks, solvers and tables.
//!
//! What searches call is inlined wherever they ask, which is what makes them fast and long to compile. Here each function
//! of a game is compiled once, and everybody else calls that.

use crate::chance::Luck;
use crate::game::{Game, Turn};
use crate::list::List;
use crate::random::Random;
use crate::stream::Stream;
use crate::workspace::Workspace;

/// [`Game::turn`].
#[inline(never)]
pub fn turn<G: Game>(game: &G, state: &G::State) -> Turn {
    game.turn(state)
}

/// [`Game::moves`], in a list of their own.
#[inline(never)]
pub fn moves<G: Game>(game: &G, state: &G::State) -> List<G::Move> {
    let mut moves = List::new();
    game.moves(state, &mut moves);
    moves
}

/// [`Workspace::list_moves`]: those that searches consider.
#[inline(never)]
pub fn list_moves<G: Game>(game: &G, state: &G::State, work: &mut Workspace<G>) {
    work.list_moves(game, state);
}

/// [`Game::random_move`].
#[inline(never)]
pub fn random_move<G: Game>(
    game: &G,
    state: &G::State,
    random: &mut Random,
    work: &mut Workspace<G>,
) -> Option<G::Move> {
    game.random_move(state, random, work)
}

/// [`Game::apply`].
#[inline(never)]
pub fn apply<G: Game>(game: &G, state: &mut G::State, mv: G::Move) {
    game.apply(state, mv);
}

/// [`Game::advance`].
#[inline(never)]
pub fn advance<G: Game>(game: &G, state: &mut G::State, mv: G::Move, work: &mut Workspace<G>) {
    game.advance(state, mv, work);
}

/// [`Luck::draw_outcome`].
#[inline(never)]
pub fn draw_outcome<G: Game>(luck: &Luck<G>, game: &G, state: &mut G::State, stream: &mut Stream) -> G::Move {
    luck.draw_outcome(game, state, stream)
}
