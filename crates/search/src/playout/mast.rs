//! MAST: the mean outcome of every simulation in which a player made a move, wherever it was made
//! (Finnsson and Björnsson, 2008).

use super::Base;
#[cfg(target_arch = "nvptx64")]
use super::learner::few_runs;
use super::learner::{Choice, Learner, Lesson, Offer, Scope, greedy};
use super::row::{MOST_PLACES, NEAR_SCORES, Row, SCORED, WORD, draw_highest, near_highest, row_length, with_words};
use super::seats::Seats;
use super::settings::{MastReward, MastSettings};
#[cfg(feature = "std")]
pub(crate) use super::values::Totals;
use super::values::{Mean, Values};
use alloc::vec::Vec;
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
    reward: MastReward,
    /// Later moves win ties (published engine).
    late_ties: bool,
}

impl Mast {
    /// A learner with nothing learned; its settings are resolved.
    pub fn new(settings: &MastSettings, scope: &Scope) -> Self {
        Self {
            values: ActionValues::new(scope, 0.0),
            epsilon: settings.eps.unwrap_or(1.0),
            reward: settings.learn.unwrap_or_default(),
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
    fn teach(&mut self, lesson: &Lesson<'_>) {
        let reward = if self.reward == MastReward::Altered { lesson.reward } else { lesson.outcome };
        self.values.add_all(lesson.played, Player::BOTH.map(|player| super::in_view_of(player, reward)));
    }

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        if choice.random.chance(self.epsilon) {
            return Offer::Pass;
        }
        #[cfg(target_arch = "nvptx64")]
        if const { few_runs::<G>() > 1 } {
            return choice.greedy_place(self.values.row_of(choice.player), self.late_ties);
        }
        let found = match choice.set() {
            Some(set) => self.values.best_in(choice.player, set, choice.random).and_then(|id| choice.move_with_id(id)),
            None => match choice.find_runs() {
                Some(runs) => choice.greedy_in_runs(&runs, self.values.row_of(choice.player), self.late_ties),
                None => {
                    choice.list();
                    let row = self.values.row_of(choice.player);
                    greedy(choice.game, choice.state, choice.work, self.late_ties, choice.random, |id| row.mean(id))
                }
            },
        };
        found.map_or(Offer::NoMove, Offer::Play)
    }
}

/// Mean outcomes of moves, a row over move ids for each seat. Clearing it takes as long as learning did.
#[derive(Debug)]
pub struct ActionValues {
    values: Values,
    /// Places with a weight.
    seen: Vec<u32>,
    length: usize,
    unseen: f32,
}

impl ActionValues {
    /// A table for the moves of all seats; `unseen` is the value of a move that has not been made.
    pub fn new(scope: &Scope, unseen: f32) -> Self {
        let length = row_length(scope.move_ids);
        let places = scope.seats.count() * length;
        Self { values: Values::new(places, unseen, scope.has_runs), seen: Vec::with_capacity(places), length, unseen }
    }

    /// A number for a player's move.
    #[inline(always)]
    pub fn index(player: Player, move_id: usize) -> u32 {
        Seats::TWO.number(player.index(), move_id)
    }

    /// The player of the move with this number.
    #[inline(always)]
    pub fn player(index: u32) -> Player {
        Player::BOTH[Seats::TWO.seat(index)]
    }

    #[inline(always)]
    fn place(&self, seat: usize, move_id: usize) -> usize {
        seat * self.length + move_id
    }

    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        for place in self.seen.drain(..) {
            self.values.forget(place as usize, self.unseen);
        }
    }

    /// Lets what was learned count for this share of its weight.
    pub fn fade(&mut self, share: f32) {
        self.seen.retain(|&place| {
            let is_left = self.values.fade(place as usize, share);
            if !is_left {
                self.values.forget(place as usize, self.unseen);
            }
            is_left
        });
    }

    /// The mean outcome in the view of the player who made the move.
    #[inline(always)]
    pub fn mean(&self, index: u32) -> f32 {
        self.mean_of_seat(Seats::TWO.seat(index), Seats::TWO.id(index))
    }

    /// The same for the move of any seat.
    #[inline(always)]
    pub fn mean_of_seat(&self, seat: usize, move_id: usize) -> f32 {
        self.values.means()[self.place(seat, move_id)].mean()
    }

    /// The means of a player's moves with what stands for them.
    #[inline(always)]
    pub(super) fn row_of(&self, player: Player) -> Row<'_> {
        let start = player.index() * self.length;
        Row { means: &self.values.means()[start..][..self.length], scores: self.values.scores(start) }
    }

    /// Adds an outcome in the view of the player who made the move.
    #[inline(always)]
    pub fn add(&mut self, index: u32, outcome: f32) {
        self.add_for(Seats::TWO.seat(index), Seats::TWO.id(index), outcome);
    }

    /// The same for the move of any seat.
    #[inline(always)]
    pub fn add_for(&mut self, seat: usize, move_id: usize, outcome: f32) {
        let place = self.place(seat, move_id);
        self.values.learning().learn(place, outcome, &mut self.seen);
    }

    /// Adds the outcome of a simulation, in the view of each player, to all of its moves. The tables stand still meanwhile,
    /// which need not be looked up for each of them.
    #[inline(always)]
    fn add_all(&mut self, indices: &[u32], outcomes: [f32; 2]) {
        let length = self.length;
        let lesson = |index| {
            let seat = Seats::TWO.seat(index);
            (seat * length + Seats::TWO.id(index), outcomes[seat])
        };
        self.values.learning().learn_all(indices, lesson, &mut self.seen);
    }

    /// Adds what was learned since the last time to what all know, and takes that over.
    #[cfg(feature = "std")]
    pub(crate) fn exchange(&mut self, all: &mut Totals, before: &mut Totals) {
        self.values.exchange(&mut self.seen, all, before);
    }

    /// The scores of a player's moves, by words of their ids; none where there are levels.
    #[inline(always)]
    pub fn scores_of(&self, player: Player) -> &[[i16; WORD]] {
        self.values.words(player.index() * self.length, self.length)
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
        let (near, row) = (self.near_of::<WORDS>(player, set.first_chunk()?)?, self.row_of(player));
        draw_highest(&near, f32::NEG_INFINITY, random, |id| row.mean(id))
    }

    /// Those of the moves that may have the highest value; all others have a lower one.
    #[inline(always)]
    pub fn near_of<const WORDS: usize>(&self, player: Player, set: &[u64; WORDS]) -> Option<[u64; WORDS]> {
        if !SCORED {
            return Some(self.row_of(player).near(set));
        }
        let scores = self.scores_of(player).first_chunk::<WORDS>()?;
        Some(near_highest(set, NEAR_SCORES, |word| scores[word]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::learner::Outcomes;
    use super::*;
    use proptest::prelude::*;

    const SCOPE: Scope = Scope::new(4, Outcomes::Results);

    #[test]
    fn means_are_kept_per_player_and_move() {
        let mut values = ActionValues::new(&SCOPE, 0.0);
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
            let mut values = ActionValues::new(&SCOPE, 0.0);
            let mut fresh = ActionValues::new(&SCOPE, 0.0);
            for (index, outcome, clear) in actions {
                if clear == 0 {
                    values.clear();
                    fresh = ActionValues::new(&SCOPE, 0.0);
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
