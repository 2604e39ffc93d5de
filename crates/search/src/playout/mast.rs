//! MAST: the mean outcome of every simulation in which a player made a move, wherever it was made
//! (Finnsson and Björnsson, 2008).

use super::Base;
use super::learner::{Choice, Learner, Lesson as Taught, Offer, Scope, greedy};
use super::row::{MOST_PLACES, NEAR_SCORES, WORD, draw_highest, near_highest, row_length, score, with_words};
use super::settings::{Lesson, MastSettings};
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// The learner with its options.
#[derive(Debug)]
pub struct Mast {
    /// Values of single moves.
    pub values: ActionValues,
    /// Chance of the choice that is not greedy.
    epsilon: f32,
    /// What it learns.
    lesson: Lesson,
    /// Later moves win ties (published engine).
    late_ties: bool,
}

impl Mast {
    /// A learner with nothing learned; its settings are resolved.
    pub fn new(settings: &MastSettings, scope: &Scope) -> Self {
        Self {
            values: ActionValues::new(scope.move_ids, 0.0),
            epsilon: settings.eps.unwrap_or(1.0),
            lesson: settings.learn.unwrap_or_default(),
            late_ties: scope.late_ties,
        }
    }

    /// Values for those who only read them: no move of a play-out is chosen by them.
    #[inline]
    pub fn values_alone(scope: &Scope) -> Self {
        Self::new(&MastSettings { eps: Some(1.0), learn: None }, scope)
    }
}

impl Learner for Mast {
    const LOOKS_BACK: bool = false;

    #[inline]
    fn clear(&mut self, _: Player) {
        self.values.clear();
    }

    #[inline(always)]
    fn teach(&mut self, taught: &Taught<'_>) {
        let lesson = if self.lesson == Lesson::Altered { taught.reward } else { taught.outcome };
        for &index in taught.played {
            self.values.add(index, super::in_view_of(ActionValues::player(index), lesson));
        }
    }

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        if choice.random.chance(self.epsilon) {
            return Offer::Pass;
        }
        let found = match choice.set() {
            Some(set) => self.values.best_in(choice.player, set, choice.random).and_then(|id| choice.move_with_id(id)),
            None => {
                choice.list();
                let means = self.values.means_of(choice.player);
                greedy(choice.game, choice.state, choice.work, self.late_ties, choice.random, |id| means[id])
            }
        };
        found.map_or(Offer::NoMove, Offer::Play)
    }
}

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
    #[inline]
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
