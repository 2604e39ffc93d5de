//! Chinese Checkers for two with six pieces each: hop across a star of 73 cells.
//!
//! A piece moves one step to an empty neighbour, or hops over adjacent pieces of either colour, one after the
//! other, each time to the empty cell directly behind. Nothing is captured. A piece in its goal, the triangle in
//! which the opponent started, does not leave it, nor does a chain of hops that has entered it. A player whose
//! goal is full and holds at least one piece of his own wins: first who moved is looked at, then the other. A
//! player without a move loses, and after 1000 plies the game is a draw.
//!
//! Random play would hardly ever end. So searches and play-outs consider only moves that lead no farther from the
//! first free cell of the goal, or all moves if there is no such move; `forward=off` lifts that.
//!
//! `variant=engine2014` has the search moves, the win rule (only who enters the last free cell of his goal wins),
//! the quality (pieces of either colour count) and the draws (after more than 1000 plies) of the published engine,
//! and its uniform play-outs draw a piece first. `moves` are still all legal moves, a destination that the engine
//! lists twice is one child in the tree, and play-outs end at the draw too.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/chinese-checkers.md"))]
#![cfg_attr(doc, doc = include_str!("../../rules/chinese-checkers.svg"))]

mod draw;
mod engine2014;
mod few_chains;
mod geometry;
mod hops;
#[cfg(any(test, target_arch = "nvptx64"))]
mod in_step;
mod middles;
mod piece_moves;
mod pieces;
mod rules;
#[cfg(test)]
mod tests;
#[cfg(feature = "std")]
mod text;
#[cfg(any(test, target_arch = "nvptx64"))]
mod trails;
mod wide;

use crate::variant::Variant;
#[cfg(not(feature = "std"))]
use alloc::boxed::Box;
use core::fmt;
use geometry::{ANYWHERE, FIRST_FREE, FULL, Filter, FirstFree, GOALS, NO_TARGET, Tables, goal_held};
use pieces::Pieces;
use spinney_core::Player;
#[cfg(feature = "std")]
use std::sync::LazyLock;

spinney_core::options! {
    /// How the game is played.
    pub struct Options {
        /// search only moves that lead no farther from the goal
        forward: bool = true;
        /// which rules and search moves
        variant: Variant = Variant::Standard;
    }
}

/// After so many plies the game is a draw.
const MOST_PLIES: u32 = 1000;

/// The tables of a variant, which are kept.
fn build(variant: Variant) -> &'static Tables {
    let mut tables = Box::new(Tables::EMPTY);
    tables.fill(variant);
    Box::leak(tables)
}

/// The tables of a variant, built once.
#[cfg(feature = "std")]
fn tables(variant: Variant) -> &'static Tables {
    static STANDARD: LazyLock<&Tables> = LazyLock::new(|| build(Variant::Standard));
    static ENGINE: LazyLock<&Tables> = LazyLock::new(|| build(Variant::Engine2014));
    if variant == Variant::Standard { &STANDARD } else { &ENGINE }
}

/// The tables of a variant. Nothing is built once for all without the standard library: every rules object has its own.
#[cfg(not(feature = "std"))]
fn tables(variant: Variant) -> &'static Tables {
    build(variant)
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::ChineseCheckers::default();
/// assert_eq!(perft(&game, &game.initial(), 3), 1800);
/// ```
#[derive(Clone)]
pub struct ChineseCheckers {
    options: Options,
    tables: &'static Tables,
    first_free: &'static FirstFree,
}

impl fmt::Debug for ChineseCheckers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ChineseCheckers").field(&self.options).finish()
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pieces: Pieces,
    /// A whole word: a shorter one would be read together with its neighbours, which have just been written.
    plies: u32,
    mover: Player,
    winner: Option<Player>,
}

/// The order of the pieces says only which one the policy asks next.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let sets = |state: &Self| Player::BOTH.map(|player| state.pieces.of(player));
        (sets(self), self.plies, self.mover, self.winner) == (sets(other), other.plies, other.mover, other.winner)
    }
}

impl State {
    fn own(&self) -> u128 {
        self.pieces.of(self.mover)
    }
}

/// The bits of the start and of the destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    #[inline(always)]
    fn new(from: usize, to: usize) -> Self {
        Move { from: from as u8, to: to as u8 }
    }

    #[inline(always)]
    fn from(self) -> usize {
        usize::from(self.from & 127)
    }

    #[inline(always)]
    fn to(self) -> usize {
        usize::from(self.to & 127)
    }
}

impl ChineseCheckers {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let tables = tables(options.variant);
        let first_free = if options.forward { &FIRST_FREE } else { &NO_TARGET };
        Self { options, tables, first_free }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }

    /// The filter of the player to move for the first free cell of his goal.
    #[inline(always)]
    fn filter(&self, state: &State) -> &'static Filter {
        self.tables.filter(state.mover, self.target(state))
    }

    /// The first free cell of the goal of the player to move.
    #[inline(always)]
    fn target(&self, state: &State) -> u8 {
        let held = goal_held(state.mover, state.pieces.occupied_words());
        self.first_free[state.mover.index()][held & FULL]
    }

    #[inline(always)]
    fn no_filter(&self, state: &State) -> &'static Filter {
        self.tables.filter(state.mover, ANYWHERE as u8)
    }

    /// The most plies of a game.
    fn most_plies(&self) -> u32 {
        MOST_PLIES + u32::from(self.is_engine())
    }

    /// The winner by the position alone; `moved` is looked at first.
    fn winner(pieces: [u128; 2], moved: Player) -> Option<Player> {
        let occupied = pieces[0] | pieces[1];
        let wins = |player: Player| {
            let goal = GOALS[player.index()];
            occupied & goal == goal && pieces[player.index()] & goal != 0
        };
        if wins(moved) { Some(moved) } else { wins(moved.other()).then_some(moved.other()) }
    }
}

impl Default for ChineseCheckers {
    fn default() -> Self {
        Self::new(Options::default())
    }
}
