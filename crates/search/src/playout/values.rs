//! Means of moves and how often each was made, by places. On processors each stands in a column of its own, with scores beside
//! the means, which vectors compare. A card fetches and writes pieces of 32 bytes: there mean and weight of a move are one cell,
//! so that to learn is to write one such piece, and instead of scores there are levels, of 32 places in a piece.

#[cfg(not(target_arch = "nvptx64"))]
pub(super) use Columns as Values;
#[cfg(not(target_arch = "nvptx64"))]
pub(super) type Stored = f32;
#[cfg(target_arch = "nvptx64")]
pub(super) use Cells as Values;
#[cfg(target_arch = "nvptx64")]
pub(super) type Stored = Cell;
#[cfg(not(target_arch = "nvptx64"))]
pub(super) type Score = i16;
#[cfg(target_arch = "nvptx64")]
pub(super) type Score = Block;

#[cfg(any(test, target_arch = "nvptx64"))]
use super::levels::{Block, Levels};
use super::row::WORD;
#[cfg(any(test, not(target_arch = "nvptx64")))]
use super::row::score;
use alloc::{vec, vec::Vec};

/// Something with a mean.
pub(super) trait Mean {
    /// The mean.
    fn mean(&self) -> f32;
}

impl Mean for f32 {
    #[inline(always)]
    fn mean(&self) -> f32 {
        *self
    }
}

/// One more outcome for a mean; whether it is the first.
#[inline(always)]
fn learn(mean: &mut f32, weight: &mut f32, outcome: f32) -> bool {
    let is_first = *weight == 0.0;
    if is_first {
        *mean = outcome;
    }
    *weight += 1.0;
    *mean += (outcome - *mean) / *weight;
    is_first
}

/// In columns.
#[cfg(any(test, not(target_arch = "nvptx64")))]
#[derive(Debug)]
pub(super) struct Columns {
    means: Vec<f32>,
    /// How often each was made, or less once it has faded. From 2^24 on a weight stands still and the mean becomes a
    /// moving one.
    weights: Vec<f32>,
    /// The means as numbers that are quickly compared, and a word more, so that a run of places can be read whole.
    scores: Vec<i16>,
}

#[cfg(any(test, not(target_arch = "nvptx64")))]
impl Columns {
    /// So many places without a weight.
    pub fn new(places: usize, unseen: f32, _: bool) -> Self {
        Self { means: vec![unseen; places], weights: vec![0.0; places], scores: vec![score(unseen); places + WORD] }
    }

    /// The means.
    #[inline(always)]
    pub fn means(&self) -> &[f32] {
        &self.means
    }

    /// Their scores from a place on.
    #[inline(always)]
    pub fn scores(&self, start: usize) -> &[i16] {
        &self.scores[start..]
    }

    /// The scores of so many places, by words.
    #[inline(always)]
    pub fn words(&self, start: usize, length: usize) -> &[[i16; WORD]] {
        self.scores[start..][..length].as_chunks().0
    }

    /// Nothing is known of a place any more.
    #[inline(always)]
    pub fn forget(&mut self, place: usize, unseen: f32) {
        self.means[place] = unseen;
        self.weights[place] = 0.0;
        self.scores[place] = score(unseen);
    }

    /// The weight of a place becomes this share of it; whether something is left.
    pub fn fade(&mut self, place: usize, share: f32) -> bool {
        self.weights[place] *= share;
        self.weights[place] > 0.0
    }

    /// To learn in: the columns stand still meanwhile, and need not be looked up for each move.
    #[inline(always)]
    pub fn learning(&mut self) -> LearningColumns<'_> {
        let places = self.means.len();
        LearningColumns {
            means: &mut self.means[..places],
            weights: &mut self.weights[..places],
            scores: &mut self.scores[..places],
        }
    }

    /// Adds what was learned since the last time to what all know, and takes that over; places that are new here are added to
    /// those that were seen. In passes that take whole vectors: this is done after every few simulations.
    #[cfg(feature = "std")]
    #[inline(never)]
    pub fn exchange(&mut self, seen: &mut Vec<u32>, all: &mut Totals, before: &mut Totals) {
        let places = self.means.len();
        all.resize(places);
        before.resize(places);
        let (means, weights) = (&mut self.means[..places], &mut self.weights[..places]);
        let (all_sums, all_weights) = (&mut all.sums[..places], &mut all.weights[..places]);
        let (sums_before, weights_before) = (&mut before.sums[..places], &mut before.weights[..places]);
        const CHUNK: usize = 16;
        for start in (0..places).step_by(CHUNK) {
            let chunk = start..places.min(start + CHUNK);
            let is_new = |place: usize| weights[place] == 0.0 && all_weights[place] > 0.0;
            if chunk.clone().fold(false, |any, place| any | is_new(place)) {
                seen.extend(chunk.filter(|&place| is_new(place)).map(|place| place as u32));
            }
        }
        for place in 0..places {
            let weight = f64::from(weights[place]);
            let sum = weight * f64::from(means[place]);
            all_weights[place] += weight - weights_before[place];
            all_sums[place] += sum - sums_before[place];
            let mean = (all_sums[place] / all_weights[place]) as f32;
            means[place] = if all_weights[place] > 0.0 { mean } else { means[place] };
            weights[place] = all_weights[place] as f32;
            weights_before[place] = f64::from(weights[place]);
            sums_before[place] = weights_before[place] * f64::from(means[place]);
        }
        for (own, &mean) in self.scores.iter_mut().zip(&*means) {
            *own = score(mean);
        }
    }
}

/// See [`Columns::learning`].
#[cfg(any(test, not(target_arch = "nvptx64")))]
pub(super) struct LearningColumns<'a> {
    means: &'a mut [f32],
    weights: &'a mut [f32],
    scores: &'a mut [i16],
}

#[cfg(any(test, not(target_arch = "nvptx64")))]
impl LearningColumns<'_> {
    /// One more outcome for a place, which is added to those that were seen if it is the first.
    #[inline(always)]
    pub fn learn(&mut self, place: usize, outcome: f32, seen: &mut Vec<u32>) {
        if learn(&mut self.means[place], &mut self.weights[place], outcome) {
            seen.push(place as u32);
        }
        self.scores[place] = score(self.means[place]);
    }

    /// One more outcome for the place of each of some moves; `lesson` tells both.
    #[inline(always)]
    pub fn learn_all(&mut self, indices: &[u32], lesson: impl Fn(u32) -> (usize, f32), seen: &mut Vec<u32>) {
        for &index in indices {
            let (place, outcome) = lesson(index);
            self.learn(place, outcome, seen);
        }
    }
}

/// In cells.
#[cfg(any(test, target_arch = "nvptx64"))]
#[derive(Debug)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    levels: Levels,
}

/// A mean and its weight.
#[cfg(any(test, target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(super) struct Cell {
    mean: f32,
    weight: f32,
}

#[cfg(any(test, target_arch = "nvptx64"))]
impl Mean for Cell {
    #[inline(always)]
    fn mean(&self) -> f32 {
        self.mean
    }
}

#[cfg(any(test, target_arch = "nvptx64"))]
impl Cells {
    /// So many places without a weight; with levels or without.
    pub fn new(places: usize, unseen: f32, has_levels: bool) -> Self {
        let levels = Levels::new(if has_levels { places } else { 0 }, unseen);
        Self { cells: vec![Cell { mean: unseen, weight: 0.0 }; places], levels }
    }

    /// The means, with their weights.
    #[inline(always)]
    pub fn means(&self) -> &[Cell] {
        &self.cells
    }

    /// Their levels from a place on; none where nobody compares them.
    #[inline(always)]
    pub fn scores(&self, start: usize) -> &[Block] {
        self.levels.row(start)
    }

    /// There are no scores.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    pub fn words(&self, _: usize, _: usize) -> &[[i16; WORD]] {
        &[]
    }

    /// Nothing is known of a place any more.
    #[inline(always)]
    pub fn forget(&mut self, place: usize, unseen: f32) {
        self.levels.change(place, self.cells[place].mean, unseen);
        self.cells[place] = Cell { mean: unseen, weight: 0.0 };
    }

    /// The weight of a place becomes this share of it; whether something is left.
    pub fn fade(&mut self, place: usize, share: f32) -> bool {
        self.cells[place].weight *= share;
        self.cells[place].weight > 0.0
    }

    /// To learn in.
    #[inline(always)]
    pub fn learning(&mut self) -> LearningCells<'_> {
        LearningCells { cells: &mut self.cells, levels: &mut self.levels }
    }
}

/// See [`Cells::learning`].
#[cfg(any(test, target_arch = "nvptx64"))]
pub(super) struct LearningCells<'a> {
    cells: &'a mut [Cell],
    levels: &'a mut Levels,
}

#[cfg(any(test, target_arch = "nvptx64"))]
impl LearningCells<'_> {
    /// See [`LearningColumns::learn`].
    #[inline(always)]
    pub fn learn(&mut self, place: usize, outcome: f32, seen: &mut Vec<u32>) {
        let mut cell = self.cells[place];
        let before = cell.mean;
        let is_first = learn(&mut cell.mean, &mut cell.weight, outcome);
        // Written at once.
        self.cells[place] = cell;
        self.levels.change(place, before, cell.mean);
        if is_first {
            seen.push(place as u32);
        }
    }

    /// One more outcome for a place whose cell and levels are these.
    #[inline(always)]
    fn take(&mut self, (place, outcome): (usize, f32), (mut cell, block): (Cell, Block), seen: &mut Vec<u32>) {
        let before = cell.mean;
        let is_first = learn(&mut cell.mean, &mut cell.weight, outcome);
        self.cells[place] = cell;
        self.levels.change_block(place, block, before, cell.mean);
        if is_first {
            seen.push(place as u32);
        }
    }

    /// See [`LearningColumns::learn_all`]. Cells and levels of two places are asked for together: a thread waits once for four
    /// pieces of memory.
    #[inline(always)]
    pub fn learn_all(&mut self, indices: &[u32], lesson: impl Fn(u32) -> (usize, f32), seen: &mut Vec<u32>) {
        let (pairs, rest) = if self.levels.row(0).is_empty() { (&[][..], indices) } else { indices.as_chunks::<2>() };
        for &pair in pairs {
            let lessons = pair.map(&lesson);
            let places = lessons.map(|(place, _)| place);
            let [first, mut second] = places.map(|place| (self.cells[place], self.levels.block_of(place)));
            self.take(lessons[0], first, seen);
            if Levels::share_block(places) {
                // What was asked for has changed meanwhile.
                second = (self.cells[places[1]], self.levels.block_of(places[1]));
            }
            self.take(lessons[1], second, seen);
        }
        for &index in rest {
            let (place, outcome) = lesson(index);
            self.learn(place, outcome, seen);
        }
    }
}

/// Sums and weights of outcomes, place by place.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(crate) struct Totals {
    sums: Vec<f64>,
    weights: Vec<f64>,
}

#[cfg(feature = "std")]
impl Totals {
    fn resize(&mut self, places: usize) {
        self.sums.resize(places, 0.0);
        self.weights.resize(places, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Places that are learned together, in one block of levels or not, learn what they would alone.
        #[test]
        fn all_are_learned_as_one_by_one(
            indices in prop::collection::vec(prop::sample::select(vec![0u32, 1, 2, 31, 32, 33, 90]), 0..200),
            has_levels: bool,
        ) {
            let (mut all, mut single) = (Cells::new(96, 0.25, has_levels), Cells::new(96, 0.25, has_levels));
            let (mut by_all, mut by_single) = (Vec::new(), Vec::new());
            let lesson = |index: u32| (index as usize, (index as f32 * 0.7).sin());
            all.learning().learn_all(&indices, lesson, &mut by_all);
            for &index in &indices {
                let (place, outcome) = lesson(index);
                single.learning().learn(place, outcome, &mut by_single);
            }
            let cells = |values: &Cells| {
                values.means().iter().map(|cell| [cell.mean.to_bits(), cell.weight.to_bits()]).collect::<Vec<_>>()
            };
            prop_assert_eq!(cells(&all), cells(&single));
            prop_assert_eq!(all.scores(0), single.scores(0));
            prop_assert_eq!(by_all, by_single);
        }

        /// What a card learns is what a processor learns, bit for bit.
        #[test]
        fn cells_and_columns_are_the_same(
            actions in prop::collection::vec((0usize..6, -1000i32..=1000, 0u8..8), 0..300),
        ) {
            let (mut columns, mut cells) = (Columns::new(6, 0.25, true), Cells::new(6, 0.25, true));
            let (mut by_columns, mut by_cells) = (Vec::new(), Vec::new());
            for (place, outcome, action) in actions {
                let outcome = outcome as f32 / 700.0;
                match action {
                    0 => {
                        columns.forget(place, 0.25);
                        cells.forget(place, 0.25);
                    }
                    1 => prop_assert_eq!(columns.fade(place, 0.5), cells.fade(place, 0.5)),
                    _ => {
                        columns.learning().learn(place, outcome, &mut by_columns);
                        cells.learning().learn(place, outcome, &mut by_cells);
                    }
                }
                let means = |values: &[f32]| values.iter().map(|mean| mean.to_bits()).collect::<Vec<_>>();
                let of_cells: Vec<f32> = cells.means().iter().map(Mean::mean).collect();
                prop_assert_eq!(means(columns.means()), means(&of_cells));
                prop_assert_eq!(columns.scores(place)[0], score(columns.means()[place]));
            }
            prop_assert_eq!(by_columns, by_cells);
            let mut levels = Levels::new(6, 0.25);
            columns.means().iter().zip(0..).for_each(|(&mean, place)| levels.change(place, 0.25, mean));
            prop_assert_eq!(cells.scores(0), levels.row(0));
            prop_assert!(Cells::new(6, 0.25, false).scores(0).is_empty());
        }
    }
}
