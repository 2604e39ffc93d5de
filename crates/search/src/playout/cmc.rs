//! Contextual Monte Carlo: the value of two moves of one player is the mean outcome of the simulations in which the
//! player made both; a play-out prefers the move that goes best with the player's move before
//! (Rimmel and Teytaud, "Multiple Overlapping Tiles for Contextual Monte Carlo Tree Search", EvoGames 2010).

use super::hashed::HashedSums;
use super::learner::{Choice, Learner, Lesson, Offer, Outcomes, Scope};
use super::row::{MOST_PLACES, NEAR_SHARES, Places, WORD, draw_highest, near_highest, places, shares, with_words};
use super::settings::{CmcSettings, Pairs, Previous, Sides, Tables};
use super::{ActionValues, Base, Seats};
use alloc::{vec, vec::Vec};
use spinney_core::bits;
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// Stands for no move.
pub const NO_MOVE: u32 = u32::MAX;

/// The learner with its options.
#[derive(Debug)]
pub struct Cmc {
    table: PairTable,
    /// Chance of a play-out move by pair values.
    probability: f32,
    /// Values up to B count as 0.
    threshold: f32,
    shared: bool,
    /// Whether the moves made in the tree take part.
    whole_simulation: bool,
    /// Whether the first play-out moves have no move before.
    forgets_tree: bool,
    /// Whether only the player to move at the root plays by pair values.
    searcher_only: bool,
    searcher: Player,
}

impl Learner for Cmc {
    fn clear(&mut self, searcher: Player) {
        self.table.clear();
        self.searcher = searcher;
    }

    fn teach(&mut self, lesson: &Lesson<'_>) {
        let from = if self.whole_simulation { 0 } else { lesson.tree_moves };
        for &index in &lesson.played[from..] {
            self.table.note(index);
        }
        for player in Player::BOTH {
            let worth = super::in_view_of(player, lesson.outcome) + 1.0;
            self.table.teach(self.table_of(player), player, worth);
        }
    }

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        let player = choice.player;
        if self.searcher_only && player != self.searcher || !choice.random.chance(self.probability) {
            return Offer::Pass;
        }
        let own = if self.forgets_tree { choice.context.own_in_playout } else { choice.context.own };
        let previous = own[player.index()];
        if previous == NO_MOVE {
            return Offer::Pass;
        }
        Offer::or_pass(match choice.set() {
            Some(set) => self.best_in(player, previous, set, choice.random).and_then(|id| choice.move_with_id(id)),
            None => {
                choice.list();
                // Where all values are 0 the policy below chooses.
                let value =
                    |id| Some(self.value(player, ActionValues::index(player, id), previous)).filter(|&u| u > 0.0);
                let near = choice.ids().map(|ids| self.near(player, previous, ids));
                choice.greedy_among(near, value)
            }
        })
    }
}

impl Cmc {
    /// A learner with nothing learned.
    pub fn new(settings: &CmcSettings, scope: &Scope) -> Self {
        let Scope { move_ids, outcomes, .. } = *scope;
        let shared = settings.table == Tables::Shared;
        let is_dense = move_ids <= MOST_PLACES && outcomes == Outcomes::Results;
        Self {
            table: PairTable::new(move_ids, is_dense, if shared { 1 } else { 2 }, settings.count),
            probability: settings.prob / 100.0,
            threshold: settings.b / 100.0,
            shared,
            whole_simulation: settings.pairs == Pairs::Simulation,
            forgets_tree: settings.previous == Previous::Missing,
            searcher_only: settings.sides == Sides::Searcher,
            searcher: Player::First,
        }
    }

    fn table_of(&self, player: Player) -> usize {
        if self.shared { 0 } else { player.index() }
    }

    /// U of a move after the player's move before, both as numbers.
    #[inline(always)]
    pub fn value(&self, player: Player, index: u32, previous: u32) -> f32 {
        let value = self.table.value(self.table_of(player), Seats::TWO.id(index), Seats::TWO.id(previous));
        if value > self.threshold { value } else { 0.0 }
    }

    /// The id of the move of the set with the highest U after the player's move before; `None` where all U are 0.
    #[inline(always)]
    pub fn best_in(&self, player: Player, previous: u32, set: &[u64], random: &mut Random) -> Option<usize> {
        let table = self.table_of(player);
        // U leaves the order of values above B alone, so it is enough to hold the highest against B.
        self.table.best(table, Seats::TWO.id(previous), set, self.threshold, random)
    }

    /// Those of the moves that may have the highest U after the player's move before: all others have a lower one, or 0.
    #[inline(always)]
    pub fn near(&self, player: Player, previous: u32, mut set: Places) -> Places {
        let previous = Seats::TWO.id(previous);
        if !self.table.is_dense() {
            return set;
        }
        // It makes no pair with itself.
        set[previous / WORD] &= !(1 << (previous % WORD));
        let row = self.table_of(player) * self.table.rows + previous;
        with_words!(self.table.words(), self.table.near_in_row::<_>(row, set))
    }
}

/// Counts and sums of outcomes of unordered pairs of different moves, in one table or several.
///
/// Games with few move ids have rows of packed counters: what a simulation teaches is added to whole rows at a time,
/// and a row is emptied when it is first touched after clearing. Others, and scores, have hashed sums.
#[derive(Debug)]
struct PairTable {
    /// Won outcomes, 2 for a win and 1 for a draw.
    gains: Vec<[u16; WORD]>,
    /// Lost outcomes, 2 for a loss and 1 for a draw: but for draws a lesson changes only one of both.
    losses: Vec<[u16; WORD]>,
    /// The generation in which a row was last emptied.
    stamps: Vec<u32>,
    generation: u32,
    simulations: u32,
    rows: usize,
    hashed: HashedSums,
    least_count: u16,
    /// Each player's moves of the running lesson: a move made twice is one move of the simulation.
    sets: [Vec<u64>; 2],
    /// They as a list, for hashed sums, and the keys of a move's pairs.
    moves: Vec<u32>,
    keys: Vec<u64>,
}

/// Counters are halved before gains and losses together, 2 for each simulation, could pass 2^16.
const MOST_SIMULATIONS: u32 = (1 << 15) - 1;
/// A least count of which the double can be held.
const MOST_COUNT: u16 = MOST_SIMULATIONS as u16;

impl PairTable {
    fn new(move_ids: usize, is_dense: bool, tables: usize, least_count: u32) -> Self {
        let rows = if is_dense { move_ids } else { 0 };
        let words = move_ids.div_ceil(WORD);
        Self {
            gains: vec![[0; WORD]; tables * rows * words],
            losses: vec![[0; WORD]; tables * rows * words],
            stamps: vec![0; tables * rows],
            generation: 1,
            simulations: 0,
            rows,
            hashed: HashedSums::new(!is_dense),
            least_count: u16::try_from(least_count).map_or(MOST_COUNT, |count| count.min(MOST_COUNT)),
            sets: [vec![0; words], vec![0; words]],
            moves: Vec::with_capacity(1024),
            keys: Vec::with_capacity(1024),
        }
    }

    fn is_dense(&self) -> bool {
        self.rows > 0
    }

    fn clear(&mut self) {
        self.hashed.clear();
        self.simulations = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.stamps.fill(0);
            self.generation = 1;
        }
    }

    fn words(&self) -> usize {
        self.sets[0].len()
    }

    /// A move of the lesson that comes.
    #[inline(always)]
    fn note(&mut self, index: u32) {
        let id = Seats::TWO.id(index);
        self.sets[Seats::TWO.seat(index)][id / WORD] |= 1 << (id % WORD);
    }

    /// Adds an outcome, 0 to 2, to every pair of different moves of the player in this lesson.
    fn teach(&mut self, table: usize, player: Player, worth: f32) {
        if self.is_dense() {
            with_words!(self.words(), self.teach_rows::<_>(table, player, worth as u16));
        } else {
            self.teach_hashed(table, player, worth);
        }
    }

    /// The set becomes marks, which are added to the rows of its moves.
    fn teach_rows<const WORDS: usize>(&mut self, table: usize, player: Player, worth: u16) {
        self.simulations += 1;
        if self.simulations >= MOST_SIMULATIONS {
            self.halve();
        }
        let mut set = [0; WORDS];
        set.copy_from_slice(&self.sets[player.index()]);
        self.sets[player.index()].fill(0);
        let marks = set.map(marks);
        let worths = |worth: u16| marks.map(|word| word.map(|mark| worth * mark));
        let (gained, lost) = (worths(worth), worths(2 - worth));
        let (gains, losses) = (self.gains.as_chunks_mut::<WORDS>().0, self.losses.as_chunks_mut::<WORDS>().0);
        for (word, &places) in set.iter().enumerate() {
            for place in bits::squares(places) {
                let row = table * self.rows + WORD * word + usize::from(place);
                if self.stamps[row] != self.generation {
                    self.stamps[row] = self.generation;
                    (gains[row], losses[row]) = (gained, lost);
                    continue;
                }
                if worth > 0 {
                    add(&mut gains[row], &gained);
                }
                if worth < 2 {
                    add(&mut losses[row], &lost);
                }
            }
        }
    }

    fn teach_hashed(&mut self, table: usize, player: Player, worth: f32) {
        self.moves.clear();
        for (word, set) in self.sets[player.index()].iter_mut().enumerate() {
            self.moves.extend(bits::squares(core::mem::take(set)).map(|place| (WORD * word) as u32 + u32::from(place)));
        }
        let outcome = 0.5 * worth;
        for (number, &first) in self.moves.iter().enumerate() {
            self.keys.clear();
            for &second in &self.moves[..number] {
                let key = hashed_key(table, first, second);
                self.hashed.prefetch(key);
                self.keys.push(key);
            }
            for &key in &self.keys {
                self.hashed.add(key, outcome);
            }
        }
    }

    /// Halves all counters, so that older simulations count for less.
    #[cold]
    fn halve(&mut self) {
        self.simulations /= 2;
        for (gains, losses) in self.gains.iter_mut().flatten().zip(self.losses.iter_mut().flatten()) {
            let count = (*gains + *losses) / 4;
            *gains = (*gains / 2).min(2 * count);
            *losses = 2 * count - *gains;
        }
    }

    /// The mean outcome of a pair, 0 to 1; 0 for one that is not known well enough.
    #[inline(always)]
    fn value(&self, table: usize, first: usize, second: usize) -> f32 {
        if !self.is_dense() {
            let (sum, count) = self.hashed.get(hashed_key(table, first as u32, second as u32));
            return if first == second || count < u32::from(self.least_count) {
                0.0
            } else {
                sum / count.max(1) as f32
            };
        }
        let row = table * self.rows + second;
        if first == second || self.stamps[row] != self.generation {
            return 0.0;
        }
        let (word, place) = (row * self.words() + first / WORD, first % WORD);
        mean(self.gains[word][place], self.losses[word][place], self.least_count)
    }

    /// The place in the set whose pair with `previous` has the highest value, if that is above the threshold; the move
    /// before must not be in the set.
    #[inline(always)]
    fn best(&self, table: usize, previous: usize, set: &[u64], threshold: f32, random: &mut Random) -> Option<usize> {
        let row = table * self.rows + previous;
        if self.stamps[row] != self.generation {
            return None;
        }
        if self.least_count > 1 {
            return with_words!(self.words(), self.best_of_row::<true, _>(row, set, threshold, random));
        }
        with_words!(self.words(), self.best_of_row::<false, _>(row, set, threshold, random))
    }

    /// LEAST: pairs count from a least count on, not from the first.
    fn best_of_row<const LEAST: bool, const WORDS: usize>(
        &self,
        row: usize,
        set: &[u64],
        threshold: f32,
        random: &mut Random,
    ) -> Option<usize> {
        let near = self.near_of_row::<LEAST, WORDS>(row, set.first_chunk()?);
        let (gains, losses) = (&self.gains.as_chunks::<WORDS>().0[row], &self.losses.as_chunks::<WORDS>().0[row]);
        // What was never won is not among them, so that nothing more is asked of a lone one.
        let floor = if threshold == 0.0 { f32::NEG_INFINITY } else { threshold };
        draw_highest(&near, floor, random, |id| {
            mean(gains[id / WORD][id % WORD], losses[id / WORD][id % WORD], self.least_count)
        })
    }

    fn near_in_row<const WORDS: usize>(&self, row: usize, set: Places) -> Places {
        match set.first_chunk::<WORDS>() {
            Some(set) if self.stamps[row] == self.generation && self.least_count > 1 => {
                places(self.near_of_row::<true, WORDS>(row, set))
            }
            Some(set) if self.stamps[row] == self.generation => places(self.near_of_row::<false, WORDS>(row, set)),
            _ => Places::default(),
        }
    }

    /// The places in the set that may have the highest value of a row; none that was never won.
    #[inline(always)]
    fn near_of_row<const LEAST: bool, const WORDS: usize>(&self, row: usize, set: &[u64; WORDS]) -> [u64; WORDS] {
        let (gains, losses) = (&self.gains.as_chunks::<WORDS>().0[row], &self.losses.as_chunks::<WORDS>().0[row]);
        let least = 2 * self.least_count;
        near_highest(set, NEAR_SHARES, |word| shares::<LEAST>(&gains[word], &losses[word], least))
    }
}

fn hashed_key(table: usize, first: u32, second: u32) -> u64 {
    HashedSums::key(HashedSums::context(first.min(second), first.max(second)), table as u32)
}

/// The mean of a pair with these counters, 0 to 1; 0 if there is less than the least count.
#[inline(always)]
fn mean(gains: u16, losses: u16, least_count: u16) -> f32 {
    let both = gains + losses;
    if both >= 2 * least_count { f32::from(gains) / f32::from(both) } else { 0.0 }
}

/// A set of bits as numbers.
#[inline(always)]
fn marks(set: u64) -> [u16; WORD] {
    let quarters: [u16; 4] = core::array::from_fn(|quarter| (set >> (16 * quarter)) as u16);
    core::array::from_fn(|place| u16::from(quarters[place / 16] & 1 << (place % 16) != 0))
}

/// Adds numbers to counters.
#[inline(always)]
fn add<const WORDS: usize>(counters: &mut [[u16; WORD]; WORDS], added: &[[u16; WORD]; WORDS]) {
    for (counters, added) in counters.iter_mut().zip(added) {
        for place in 0..WORD {
            counters[place] = counters[place].wrapping_add(added[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::ActionValues;
    use proptest::prelude::*;
    use spinney_core::Seed;
    use std::collections::HashMap;

    fn learner(options: CmcSettings, move_ids: usize) -> Cmc {
        Cmc::new(&options, &Scope::new(move_ids, Outcomes::Results))
    }

    fn number(player: Player, id: usize) -> u32 {
        ActionValues::index(player, id)
    }

    /// Moves in turn, the first player's first.
    fn numbers(ids: &[usize]) -> Vec<u32> {
        (0..).zip(ids).map(|(ply, &id)| number(Player::BOTH[ply % 2], id)).collect()
    }

    /// First player: 0, 2, 4 in a win and 0, 2, 5 in a loss. Second player: 1, 3 in a loss and 1, 4 in a win.
    fn two_simulations(options: CmcSettings, move_ids: usize) -> Cmc {
        let mut cmc = learner(options, move_ids);
        cmc.teach(&Lesson::new(&numbers(&[0, 1, 2, 3, 4]), [NO_MOVE; 2], 1.0));
        cmc.teach(&Lesson::new(&numbers(&[0, 1, 2, 4, 5]), [NO_MOVE; 2], -1.0));
        cmc
    }

    #[test]
    fn pairs_of_two_simulations_have_the_values_computed_by_hand() {
        for move_ids in [9, 5000] {
            let cmc = two_simulations(CmcSettings::default(), move_ids);
            let of_first = |a, b| cmc.value(Player::First, number(Player::First, a), number(Player::First, b));
            let of_second = |a, b| cmc.value(Player::Second, number(Player::Second, a), number(Player::Second, b));
            assert_eq!([of_first(0, 2), of_first(2, 0)], [0.5, 0.5]);
            assert_eq!([of_first(0, 4), of_first(4, 2)], [1.0, 1.0]);
            assert_eq!([of_first(0, 5), of_first(5, 2), of_first(4, 5), of_first(0, 1)], [0.0; 4]);
            assert_eq!([of_first(2, 2), of_second(1, 1)], [0.0; 2]);
            assert_eq!([of_second(1, 3), of_second(4, 1), of_second(3, 4), of_second(0, 2)], [0.0, 1.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_shared_table_holds_the_pairs_of_both() {
        let cmc = two_simulations(CmcSettings { table: Tables::Shared, ..CmcSettings::default() }, 9);
        for player in Player::BOTH {
            assert_eq!(cmc.value(player, number(player, 0), number(player, 2)), 0.5);
            assert_eq!(cmc.value(player, number(player, 1), number(player, 4)), 1.0);
        }
    }

    #[test]
    fn draws_count_half_and_rare_pairs_nothing_where_a_count_is_asked_for() {
        for move_ids in [9, 5000] {
            let mut cmc = two_simulations(CmcSettings { count: 3, ..CmcSettings::default() }, move_ids);
            let value = |cmc: &Cmc| cmc.value(Player::First, number(Player::First, 0), number(Player::First, 2));
            assert_eq!(value(&cmc), 0.0);
            cmc.teach(&Lesson::new(&numbers(&[0, 1, 2]), [NO_MOVE; 2], 0.0));
            assert_eq!(value(&cmc), 0.5);
            cmc.teach(&Lesson::new(&numbers(&[0, 1, 2]), [NO_MOVE; 2], 0.0));
            cmc.teach(&Lesson::new(&numbers(&[0, 1, 2, 1, 0]), [NO_MOVE; 2], 1.0));
            assert_eq!(value(&cmc), 0.6);
        }
    }

    /// One player scores ¾ with moves 0, 1, 2 and ⅛ with 0, 2, 3, and nothing with 3 alone.
    #[test]
    fn scores_of_one_player_have_the_values_computed_by_hand() {
        let mut cmc = Cmc::new(&CmcSettings { b: 45.0, ..CmcSettings::default() }, &Scope::new(9, Outcomes::Scores));
        let moves = |ids: &[usize]| -> Vec<u32> { ids.iter().map(|&id| number(Player::First, id)).collect() };
        cmc.teach(&Lesson::new(&moves(&[0, 1, 2]), [NO_MOVE; 2], 0.5));
        cmc.teach(&Lesson::new(&moves(&[0, 2, 3]), [NO_MOVE; 2], -0.75));
        cmc.teach(&Lesson::new(&moves(&[3]), [NO_MOVE; 2], -1.0));
        let value = |a, b| cmc.value(Player::First, number(Player::First, a), number(Player::First, b));
        assert_eq!([value(0, 1), value(1, 2), value(2, 1)], [0.75; 3]);
        // Seven sixteenths and an eighth are not above B, and nobody made 1 and 3 together.
        assert_eq!([value(0, 2), value(2, 3), value(1, 3)], [0.0; 3]);
    }

    /// B is compared strictly: with B = 100 nothing is ever above it, with B = 50 a value of ½ is not.
    #[test]
    fn the_threshold_is_strict() {
        let mut random = Random::new(Seed::new(1));
        let previous = number(Player::First, 2);
        for (b, best) in [(0.0, Some(4)), (50.0, Some(4)), (100.0, None)] {
            let cmc = two_simulations(CmcSettings { b, ..CmcSettings::default() }, 9);
            assert_eq!(cmc.best_in(Player::First, previous, &[0b1_1111_1011], &mut random), best, "B = {b}");
        }
        let half = two_simulations(CmcSettings { b: 50.0, ..CmcSettings::default() }, 9);
        assert_eq!(half.best_in(Player::First, previous, &[0b0_0000_0011], &mut random), None);
        let low = two_simulations(CmcSettings { b: 49.0, ..CmcSettings::default() }, 9);
        assert_eq!(low.best_in(Player::First, previous, &[0b0_0000_0011], &mut random), Some(0));
        assert_eq!(low.best_in(Player::First, number(Player::First, 8), &[0b1_1111_1111], &mut random), None);
    }

    proptest! {
        /// Rows emptied when they are touched are the same as a table of zeros, and so are hashed sums; both hold what
        /// a plain map of pairs holds.
        #[test]
        fn clearing_by_generation_is_clearing_by_zeroing(
            lessons in prop::collection::vec((prop::collection::vec(0usize..12, 0..10), 0u8..3, 0u8..4), 1..40),
        ) {
            let mut tables = [learner(CmcSettings::default(), 12), learner(CmcSettings::default(), 1000)];
            let mut fresh = learner(CmcSettings::default(), 12);
            let mut plain: HashMap<(usize, usize), (f32, f32)> = HashMap::new();
            for (ids, outcome, clear) in lessons {
                if clear == 0 {
                    tables.iter_mut().for_each(|table| table.clear(Player::First));
                    fresh = learner(CmcSettings::default(), 12);
                    plain.clear();
                }
                let outcome = f32::from(outcome) - 1.0;
                let played: Vec<u32> = ids.iter().map(|&id| number(Player::First, id)).collect();
                tables.iter_mut().for_each(|table| table.teach(&Lesson::new(&played, [NO_MOVE; 2], outcome)));
                fresh.teach(&Lesson::new(&played, [NO_MOVE; 2], outcome));
                let mut own = ids.clone();
                own.sort_unstable();
                own.dedup();
                for (&a, &b) in own.iter().flat_map(|a| own.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
                    let entry = plain.entry((a, b)).or_default();
                    *entry = (entry.0 + (outcome + 1.0) / 2.0, entry.1 + 1.0);
                }
                for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
                    let value = |cmc: &Cmc| cmc.value(Player::First, number(Player::First, a), number(Player::First, b));
                    let expected = plain.get(&(a, b)).map_or(0.0, |(sum, count)| sum / count);
                    prop_assert_eq!(value(&fresh), expected);
                    prop_assert_eq!(tables.each_ref().map(value), [expected; 2]);
                }
            }
        }
    }

    #[test]
    fn counters_never_run_over() {
        let mut cmc = learner(CmcSettings::default(), 9);
        for _ in 0..100_000 {
            cmc.teach(&Lesson::new(&numbers(&[0, 1, 2]), [NO_MOVE; 2], 1.0));
        }
        assert_eq!(cmc.value(Player::First, number(Player::First, 0), number(Player::First, 2)), 1.0);
    }
}
