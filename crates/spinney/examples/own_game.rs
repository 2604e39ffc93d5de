//! A game of your own in fifty lines, and a strong player for it: `cargo run --example own_game`.
//!
//! Take one, two or three matches from a heap; whoever takes the last one loses.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use spinney::prelude::*;

/// The rules: how many matches there are at the start.
#[derive(Clone)]
struct Nim {
    matches: u8,
}

/// What is left, and who takes next.
#[derive(Clone, Debug, PartialEq)]
struct Heap {
    left: u8,
    mover: Player,
}

impl Game for Nim {
    type State = Heap;
    type Move = u8;
    type Scratch = ();

    fn initial(&self) -> Heap {
        Heap { left: self.matches, mover: Player::First }
    }

    fn turn(&self, heap: &Heap) -> Turn {
        if heap.left == 0 { Turn::Over(Outcome::Win(heap.mover)) } else { Turn::Player(heap.mover) }
    }

    fn moves(&self, heap: &Heap, moves: &mut List<u8>) {
        moves.extend(1..=heap.left.min(3));
    }

    fn apply(&self, heap: &mut Heap, taken: u8) {
        heap.left -= taken;
        heap.mover = heap.mover.other();
    }

    fn move_ids(&self) -> usize {
        4
    }

    fn move_id(&self, _: &Heap, taken: u8) -> usize {
        usize::from(taken)
    }
}

fn main() -> Result<(), InputError> {
    let game = Nim { matches: 21 };
    let settings: AgentSettings = "mcts(sims=20000)".parse()?;
    let mut agent = build(&game, &settings)?;
    let mut heap = game.initial();
    while let Turn::Player(player) = game.turn(&heap) {
        let mut task = Task::new(Seed::new(u64::from(heap.left)));
        let taken = agent.choose(&game, &Position::new(&heap), &mut task).mv;
        println!("{:>2} left, player {} takes {taken}", heap.left, player.number());
        game.apply(&mut heap, taken);
    }
    println!("{:?}", game.turn(&heap));
    Ok(())
}
