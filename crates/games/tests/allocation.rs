//! Once its lists have grown, playing a game allocates nothing, whatever the game.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::{Notation, Random, Seed, Turn, Workspace};
use spinney_games::{Visitor, entries, open};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread.
struct Counting;

#[allow(unsafe_code)]
// SAFETY: every call goes unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Plays games by the policy and by chance, and counts the allocations of the last ones.
struct PlayGames;

impl Visitor for PlayGames {
    type Output = u64;

    fn visit<G: Notation>(self, _: &str, game: G) -> u64 {
        let mut work = Workspace::new();
        let start = game.initial();
        let mut before = 0;
        for _ in 0..2 {
            // The same games twice: the second time all lists are long enough.
            let mut random = Random::new(Seed::new(1));
            before = ALLOCATIONS.with(Cell::get);
            for number in 0..4 {
                let mut state = start.clone();
                while let Turn::Player(player) = game.quick_turn(&state) {
                    let drawn = match G::POLICY {
                        Some(policy) if number % 2 == 1 => policy.draw(&game, &state, &mut random, &mut work),
                        _ => game.random_move(&state, &mut random, &mut work),
                    };
                    let Some(mv) = drawn else { break };
                    std::hint::black_box((game.move_id(&state, mv), game.evaluate(&state, player)));
                    game.advance(&mut state, mv, &mut work);
                }
                if let Turn::Over(spinney_core::Outcome::Win(winner)) = game.turn(&state) {
                    std::hint::black_box(game.quality(&state, winner));
                }
            }
        }
        ALLOCATIONS.with(Cell::get) - before
    }
}

#[test]
fn playing_allocates_nothing() {
    for entry in entries().into_iter().filter(|entry| !entry.chance) {
        assert_eq!(open(entry.name, None, PlayGames).unwrap(), 0, "{}", entry.name);
    }
}
