//! One game between two searches that lend each other a tree: what a thread of a card plays.

use crate::compiled::{MastAlone, Only, Plain};
use crate::plain::{PlainAgent, PlainMatch, PlainResult, PlainSeat, state};
use alloc::{boxed::Box, vec::Vec};
use core::time::Duration;
use spinney_core::game::{Game, Outcome, Player};
use spinney_core::{Seed, Workspace};
use spinney_search::budget::StopReason;
use spinney_search::game_record::Choice;
use spinney_search::ideas::Chosen;
use spinney_search::search::{Counts, Search, Stop, think};
use spinney_search::tree::{Rows, Tree};
use spinney_search::{Mcts, play_turns};

/// Simulations after which a search asks whether it shall go on.
const PATIENCE: u64 = 64;

/// So many simulations, unless somebody asks to stop.
struct Until<'a, F> {
    counts: Counts,
    is_stopped: &'a F,
}

impl<F: Fn() -> bool> Stop for Until<'_, F> {
    #[inline(always)]
    fn reached(&self, simulations: u64, _: u64, is_proven: bool) -> Option<StopReason> {
        if simulations % PATIENCE == PATIENCE - 1 && (self.is_stopped)() {
            return Some(StopReason::Asked);
        }
        // A match limits simulations alone: nodes need not be looked up.
        self.counts.reached(simulations, 0, is_proven)
    }

    fn simulations(&self) -> Option<u64> {
        self.counts.simulations()
    }

    fn extend(&mut self, simulations: u64) {
        self.counts.extend(simulations);
    }
}

/// The tree of a card, on whatever machine.
type CardTree<G> = Tree<<G as Game>::Move, Rows<<G as Game>::Move>>;

/// The search of a card.
type CardSearch<G, const KINDS: u8> = Mcts<G, Only<KINDS>, CardTree<G>>;

/// An agent without a tree.
#[inline(never)]
fn seated<G: Game, const KINDS: u8>(game: &G, agent: &PlainAgent) -> Box<CardSearch<G, KINDS>> {
    let mut settings = agent.settings();
    settings.memory = 0;
    let chosen = Chosen { learner: MastAlone, selection: Plain, reward: () };
    Box::new(Mcts::of_resolved(game, settings, agent.replacing(), chosen))
}

/// Plays a game of the match and hands its moves to `keep`, each as its number in the list of moves of its position;
/// `count` is told of the simulations of every move.
#[inline(always)]
pub fn duel<G: Game, const KINDS: u8>(
    game: &G,
    task: &PlainMatch,
    seat: &PlainSeat,
    is_stopped: impl Fn() -> bool,
    count: impl Fn(u64),
    mut keep: impl FnMut(usize, u16),
) -> PlainResult {
    // Who moves has one place in the stack, whichever agent it is: the threads of a warp then touch the same lines, and half as
    // many of them. Who waits is elsewhere, and neither is made in the stack: it is a quarter of what it would be.
    let [first, mut waiting] =
        [0, 1].map(|number| seated::<G, KINDS>(game, &task.agents[number ^ usize::from(seat.first != 0)]));
    let mut mover = *first;
    let parts = [mover.parts(), waiting.parts()];
    let room = |parts| Tree::with_room(task.places as usize, task.moves as usize, parts);
    let mut trees: Vec<CardTree<G>> = Vec::with_capacity(2);
    trees.push(room(parts[0]));
    if parts[0] != parts[1] {
        trees.push(room(parts[1]));
    }
    let mut moving = 0;
    let (mut is_full, mut used) = (false, [0; 2]);
    let record = play_turns(game, task.opening, Seed::new(seat.seed), |player, position, seed| {
        let number = player.index();
        let tree = number.min(trees.len() - 1);
        if number != moving {
            mover.change_places(&mut waiting);
            moving = number;
        }
        let agent = &mut mover;
        agent.swap_tree(&mut trees[tree]);
        let pace = agent.pace();
        let mut budget = pace.budget;
        budget.simulations = budget.simulations.map(|most| most + pace.extra);
        agent.begin(game, position, budget.simulations.unwrap_or(0), seed);
        let mut until = Until { counts: Counts::new(&budget), is_stopped: &is_stopped };
        let reason = think(agent, game, &mut until, |_, _| {});
        is_full |= agent.tree().is_full();
        let room = agent.tree().room_used();
        used = [used[0].max(room[0]), used[1].max(room[1])];
        let choice = Choice { mv: agent.decide(), simulations: agent.totals().simulations, time: Duration::ZERO };
        agent.swap_tree(&mut trees[tree]);
        count(choice.simulations);
        (reason != StopReason::Asked && !is_full).then_some(choice)
    });
    let mut result = PlainResult { places: used[0] as u32, moves: used[1] as u32, ..PlainResult::default() };
    let Some(record) = record else {
        result.state = if is_full { state::NO_ROOM } else { state::STOPPED };
        return result;
    };
    result.simulations = record.simulations;
    result.plies = record.moves.len() as u32;
    result.winner = match record.outcome {
        Outcome::Win(Player::First) => 1,
        Outcome::Win(Player::Second) => 2,
        Outcome::Draw | Outcome::Scored => 0,
    };
    result.state = state::PLAYED;
    let mut position = game.initial();
    let mut work = Workspace::new();
    for (ply, &mv) in record.moves.iter().enumerate() {
        work.list_moves(game, &position);
        let place = work.moves.iter().position(|&listed| listed == mv);
        match place {
            Some(place) if ply < task.kept as usize => keep(ply, place as u16),
            _ => result.state = state::NO_ROOM,
        }
        game.advance(&mut position, mv, &mut work);
    }
    result
}
