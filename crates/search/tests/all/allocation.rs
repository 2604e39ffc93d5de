//! After warm-up a search allocates nothing, whatever the game and the play-out.

use spinney_core::{Game, Seed, Stream, Turn};
use spinney_games::{Breakthrough, CantStop, Checkers, Dominion, Havannah, Pig, PigRace};
use spinney_search::settings::MctsSettings;
use spinney_search::{AgentSettings, ChanceMcts, Mcts, Position, Search};
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

const AGENTS: [&str; 7] = [
    "mcts(playout=uniform)",
    "mcts",
    "mcts(playout=policy+mast(eps=0.5))",
    "mcts(select=puct)",
    "mcts(playout=uniform+cmc+ngram+lgr)",
    "mcts(grave, playout=policy+cmc(pairs=simulation)+mast(eps=0.5))",
    "mcts(rb(k=online, a=joint, mean=depth), qb(a=joint, mean=subtree))",
];

fn settings(agent: &str) -> MctsSettings {
    agent.parse::<AgentSettings>().unwrap().mcts().unwrap()
}

/// Allocations of a search like one that was made before.
fn search_twice<G: Game>(game: &G, mut search: impl Search<G>, state: &G::State) -> u64 {
    let mut before = 0;
    for _ in 0..2 {
        before = ALLOCATIONS.with(Cell::get);
        search.begin(game, &Position::new(state), 1000, Seed::new(1));
        while search.totals().simulations < 400 && !search.is_settled() {
            search.simulate(game, &|| false);
        }
    }
    ALLOCATIONS.with(Cell::get) - before
}

fn search_start<G: Game>(game: &G, agent: &str) -> u64 {
    search_twice(game, Mcts::new(game, &settings(agent)).unwrap(), &game.initial())
}

/// Three games stand for all: few moves and a policy, a set of moves, compulsory jumps. That the others allocate nothing
/// while they are played is a test of the games.
#[test]
fn a_search_allocates_nothing() {
    for agent in AGENTS {
        assert_eq!(search_start(&Breakthrough::default(), agent), 0, "{agent} in breakthrough");
        assert_eq!(search_start(&Havannah::default(), agent), 0, "{agent} in havannah");
        assert_eq!(search_start(&Checkers::default(), agent), 0, "{agent} in checkers");
    }
}

/// The same in a game with chance.
fn search_chance<G: Game>(game: &G, agent: &str) -> u64 {
    let mut state = game.initial();
    if game.turn(&state) == Turn::Chance {
        let _ = G::LUCK.unwrap().draw_outcome(game, &mut state, &mut Stream::new(Seed::new(2)));
    }
    search_twice(game, ChanceMcts::new(game, &settings(agent)).unwrap(), &state)
}

#[test]
fn a_search_with_chance_allocates_nothing() {
    const LEARNING: &str = "mcts(cv, playout=policy+mast+cmc+ngram)";
    for agent in ["mcts", "mcts(playout=uniform)", "mcts(cv, crn)", "mcts(av)", "mcts(cv, crn=nodes, av)", LEARNING] {
        assert_eq!(search_chance(&Pig::default(), agent), 0, "{agent} in pig");
        assert_eq!(search_chance(&PigRace::default(), agent), 0, "{agent} in pig-race");
        assert_eq!(search_chance(&CantStop::default(), agent), 0, "{agent} in cant-stop");
        assert_eq!(search_chance(&Dominion::default(), agent), 0, "{agent} in dominion");
    }
}

#[test]
fn allocations_are_counted() {
    let before = ALLOCATIONS.with(Cell::get);
    drop(std::hint::black_box(vec![1u8; 1000]));
    assert!(ALLOCATIONS.with(Cell::get) > before);
}
