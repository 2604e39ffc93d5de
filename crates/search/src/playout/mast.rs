//! MAST: the mean outcome of every simulation in which a player made a move, wherever it was made
//! (Finnsson and Björnsson, 2008).

use super::{Learned, Lists};
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// Mean outcomes of moves, a table over player and move id. Clearing it takes one addition.
#[derive(Debug)]
pub struct ActionValues {
    entries: Vec<Entry>,
    generation: u32,
}

/// `stamp` holds the generation in its high eight bits and the count in the others; an entry of another
/// generation is empty. From 2^24 − 1 on the count stands still and the mean becomes a moving one.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    mean: f32,
    stamp: u32,
}

const COUNT_BITS: u32 = 24;
const MOST: u32 = (1 << COUNT_BITS) - 1;
const GENERATIONS: u32 = 1 << (32 - COUNT_BITS);

impl ActionValues {
    /// A table for games with so many move ids.
    pub fn new(move_ids: usize) -> Self {
        Self { entries: vec![Entry::default(); 2 * move_ids], generation: 1 }
    }

    /// The place of a player's move in the table.
    #[inline(always)]
    pub fn index(player: Player, move_id: usize) -> u32 {
        (2 * move_id + player.index()) as u32
    }

    /// The player whose move stands at this place.
    #[inline(always)]
    pub fn player(index: u32) -> Player {
        Player::BOTH[(index & 1) as usize]
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            self.entries.fill(Entry::default());
            self.generation = 1;
        }
    }

    /// The mean outcome in the view of the player who made the move; 0 for a move not seen.
    #[inline(always)]
    pub fn mean(&self, index: u32) -> f32 {
        let entry = self.entries[index as usize];
        if entry.stamp >> COUNT_BITS == self.generation { entry.mean } else { 0.0 }
    }

    /// Adds an outcome in the view of the player who made the move.
    #[inline(always)]
    pub fn add(&mut self, index: u32, outcome: f32) {
        let entry = &mut self.entries[index as usize];
        if entry.stamp >> COUNT_BITS != self.generation {
            *entry = Entry { mean: outcome, stamp: self.generation << COUNT_BITS | 1 };
            return;
        }
        let count = (entry.stamp & MOST) + 1;
        if count <= MOST {
            entry.stamp += 1;
        }
        entry.mean += (outcome - entry.mean) / count as f32;
    }
}

/// The candidate with the highest value; equal ones are equally likely.
#[inline(always)]
pub fn greedy<G: Game>(
    game: &G,
    state: &G::State,
    player: Player,
    lists: &mut Lists<G::Move>,
    learned: &Learned,
    random: &mut Random,
) -> Option<G::Move> {
    let mut best = f32::NEG_INFINITY;
    lists.moves.clear();
    for candidate in &lists.candidates {
        let value = learned.values.mean(ActionValues::index(player, game.move_id(state, candidate.mv)));
        if value > best {
            best = value;
            lists.moves.clear();
        }
        if value == best {
            lists.moves.push(candidate.mv);
        }
    }
    match lists.moves.as_slice() {
        [] => None,
        [one] => Some(*one),
        equals if learned.late_ties => Some(late(equals, random)),
        equals => Some(equals[random.below(equals.len() as u32) as usize]),
    }
}

/// The published engine's way with equals: each takes the place of the one before with chance 1/2.
fn late<M: Copy>(equals: &[M], random: &mut Random) -> M {
    let last = equals.len() - 1;
    let kept = (0..last).find(|_| random.below(2) == 0).unwrap_or(last);
    equals[last - kept]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn means_are_kept_per_player_and_move() {
        let mut values = ActionValues::new(4);
        let (white, black) = (ActionValues::index(Player::First, 3), ActionValues::index(Player::Second, 3));
        for outcome in [1.0, 0.0, 1.0, 1.0] {
            values.add(white, outcome);
        }
        values.add(black, -1.0);
        assert!((values.mean(white) - 0.75).abs() < 1e-6);
        assert_eq!(values.mean(black), -1.0);
        assert_eq!(values.mean(ActionValues::index(Player::First, 2)), 0.0);
    }

    proptest! {
        /// Clearing by generation is the same as starting with a new table.
        #[test]
        fn clearing_forgets_everything(actions in prop::collection::vec((0u32..8, -1i8..=1, 0u8..4), 0..2000)) {
            let mut values = ActionValues::new(4);
            let mut fresh = ActionValues::new(4);
            for (index, outcome, clear) in actions {
                if clear == 0 {
                    values.clear();
                    fresh = ActionValues::new(4);
                }
                values.add(index, f32::from(outcome));
                fresh.add(index, f32::from(outcome));
                for index in 0..8 {
                    prop_assert_eq!(values.mean(index), fresh.mean(index));
                }
            }
        }
    }
}
