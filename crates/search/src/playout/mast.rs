//! MAST: the mean outcome of every simulation in which a player made a move, wherever it was made
//! (Finnsson and Björnsson, 2008).

use super::Lists;
use super::row::{MOST_PLACES, NEAR_SCORES, WORD, draw_highest, near_highest, row_length, score, with_words};
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// Mean outcomes of moves, a row over move ids for each player. Clearing it takes as long as learning did.
#[derive(Debug)]
pub struct ActionValues {
    means: Vec<f32>,
    /// From 2^24 − 1 on a count stands still and the mean becomes a moving one.
    counts: Vec<u32>,
    /// The means as numbers that are quickly compared.
    scores: Vec<i16>,
    /// Places with a count.
    seen: Vec<u32>,
    length: usize,
    unseen: f32,
}

const MOST: u32 = (1 << 24) - 1;

impl ActionValues {
    /// A table for games with so many move ids; `unseen` is the value of a move that has not been made.
    pub fn new(move_ids: usize, unseen: f32) -> Self {
        let length = row_length(move_ids);
        Self {
            means: vec![unseen; 2 * length],
            counts: vec![0; 2 * length],
            scores: vec![score(unseen); 2 * length],
            seen: Vec::with_capacity(2 * length),
            length,
            unseen,
        }
    }

    /// A number for a player's move.
    #[inline(always)]
    pub fn index(player: Player, move_id: usize) -> u32 {
        (2 * move_id + player.index()) as u32
    }

    /// The player of the move with this number.
    #[inline(always)]
    pub fn player(index: u32) -> Player {
        Player::BOTH[(index & 1) as usize]
    }

    #[inline(always)]
    fn place(&self, index: u32) -> usize {
        (index & 1) as usize * self.length + (index >> 1) as usize
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for place in self.seen.drain(..) {
            self.means[place as usize] = self.unseen;
            self.counts[place as usize] = 0;
            self.scores[place as usize] = score(self.unseen);
        }
    }

    /// The mean outcome in the view of the player who made the move.
    #[inline(always)]
    pub fn mean(&self, index: u32) -> f32 {
        self.means[self.place(index)]
    }

    /// The mean outcomes of a player's moves, by their ids.
    #[inline(always)]
    pub fn means_of(&self, player: Player) -> &[f32] {
        &self.means[player.index() * self.length..][..self.length]
    }

    /// Adds an outcome in the view of the player who made the move.
    #[inline(always)]
    pub fn add(&mut self, index: u32, outcome: f32) {
        let place = self.place(index);
        let (count, mean) = (&mut self.counts[place], &mut self.means[place]);
        if *count == 0 {
            self.seen.push(place as u32);
            *mean = outcome;
        }
        *count = (*count + 1).min(MOST);
        *mean += (outcome - *mean) / *count as f32;
        self.scores[place] = score(*mean);
    }

    /// The scores of a player's moves, by words of their ids.
    #[inline(always)]
    pub fn scores_of(&self, player: Player) -> &[[i16; WORD]] {
        self.scores[player.index() * self.length..][..self.length].as_chunks().0
    }

    /// The id of the player's move in the set with the highest value; equal ones are equally likely. The table is one of
    /// at most 512 move ids.
    #[inline(always)]
    pub fn best_in(&self, player: Player, set: &[u64], random: &mut Random) -> Option<usize> {
        debug_assert!(self.length <= MOST_PLACES, "{} places", self.length);
        with_words!(self.length / WORD, self.best_of::<_>(player, set, random))
    }

    /// As `best_in` for a known number of words.
    #[inline(always)]
    pub fn best_of<const WORDS: usize>(&self, player: Player, set: &[u64], random: &mut Random) -> Option<usize> {
        let (near, means) = (self.near_of::<WORDS>(player, set.first_chunk()?)?, self.means_of(player));
        draw_highest(&near, f32::NEG_INFINITY, random, |id| means[id])
    }

    /// Those of the moves that may have the highest value; all others have a lower one.
    #[inline(always)]
    pub fn near_of<const WORDS: usize>(&self, player: Player, set: &[u64; WORDS]) -> Option<[u64; WORDS]> {
        let scores = self.scores_of(player).first_chunk::<WORDS>()?;
        Some(near_highest(set, NEAR_SCORES, |word| scores[word]))
    }
}

/// The candidate with the highest value, given for its id; equal ones are equally likely.
#[inline(always)]
pub fn greedy<G: Game>(
    game: &G,
    state: &G::State,
    lists: &mut Lists<G::Move>,
    late_ties: bool,
    random: &mut Random,
    value: impl Fn(usize) -> f32,
) -> Option<G::Move> {
    let mut best = f32::NEG_INFINITY;
    lists.moves.clear();
    for candidate in &lists.candidates {
        let value = value(game.move_id(state, candidate.mv));
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
        equals if late_ties => Some(late(equals, random)),
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
        let mut values = ActionValues::new(4, 0.0);
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
        /// Clearing is the same as starting with a new table.
        #[test]
        fn clearing_forgets_everything(actions in prop::collection::vec((0u32..8, -1i8..=1, 0u8..4), 0..2000)) {
            let mut values = ActionValues::new(4, 0.0);
            let mut fresh = ActionValues::new(4, 0.0);
            for (index, outcome, clear) in actions {
                if clear == 0 {
                    values.clear();
                    fresh = ActionValues::new(4, 0.0);
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
