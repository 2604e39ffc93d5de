//! N-grams: mean outcomes of a move after the moves just before it, averaged over the lengths that are known well
//! enough (Tak, Winands and Björnsson, "N-Grams and the Last-Good-Reply Policy Applied in General Game Playing", 2012).

use super::hashed::HashedSums;
use super::learner::{Before, Choice, Learner, Lesson, NO_MOVE, Offer, Outcomes, Scope};
use super::row::{
    MOST_PLACES, NEAR_SCORES, Places, WORD, draw_highest, holds, near_highest, places, row_length, score, with_words,
};
use super::settings::NgramSettings;
use super::{ActionValues, Base, Seats};
use alloc::{vec, vec::Vec};
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// The learner with its options.
#[derive(Debug)]
pub struct Ngrams {
    /// Single moves.
    pub ones: ActionValues,
    twos: Twos,
    threes: HashedSums,
    /// Which sequences of three moves may be known well enough.
    continuations: Continuations,
    /// The longest sequence.
    longest: u32,
    /// Longer sequences count from so many simulations on.
    least_count: u32,
    /// Chance of the choice that is not greedy.
    epsilon: f32,
    /// The sequences of three moves of the running lesson.
    lesson: Vec<Three>,
    words: usize,
}

/// Three moves of a lesson: the key of their sum, that of the first two, and the last.
#[derive(Clone, Copy, Debug)]
struct Three {
    key: u64,
    context: u64,
    index: u32,
}

impl Learner for Ngrams {
    fn clear(&mut self, _: Player) {
        self.ones.clear();
        self.twos.clear();
        self.threes.clear();
        self.continuations.clear();
    }

    fn teach(&mut self, lesson: &Lesson<'_>) {
        let (mut before, outcome) = (lesson.before, lesson.outcome);
        if self.longest >= 3 {
            self.begin_threes(lesson.played, before);
        }
        for &index in lesson.played {
            let outcome = super::in_view_of(ActionValues::player(index), outcome);
            self.ones.add(index, outcome);
            if self.longest >= 2 && before[0] != NO_MOVE {
                self.twos.add(before[0], index, outcome);
            }
            before = [index, before[0]];
        }
        for three in &self.lesson {
            let outcome = super::in_view_of(ActionValues::player(three.index), outcome);
            if self.threes.add(three.key, outcome) == self.least_count {
                self.continuations.add(three.context, Seats::TWO.id(three.index));
            }
        }
    }

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        if choice.random.chance(self.epsilon) {
            return Offer::Pass;
        }
        let (player, before) = (choice.player, choice.context.before);
        Offer::or_pass(match choice.set() {
            Some(set) => self.best_in(player, before, set, choice.random).and_then(|id| choice.move_with_id(id)),
            None => {
                choice.list();
                let near = choice.ids().map(|ids| self.near(player, before, ids));
                choice.greedy_among(near, |id| Some(self.value(ActionValues::index(player, id), before)))
            }
        })
    }
}

impl Ngrams {
    /// A learner with nothing learned.
    pub fn new(settings: &NgramSettings, scope: &Scope) -> Self {
        let Scope { move_ids, outcomes, seats, .. } = *scope;
        Self {
            ones: ActionValues::new(scope, settings.unseen),
            twos: Twos::new(if settings.n >= 2 { move_ids } else { 0 }, seats, outcomes, settings.count),
            threes: HashedSums::new(settings.n >= 3),
            longest: settings.n,
            least_count: settings.count,
            epsilon: settings.eps,
            lesson: Vec::with_capacity(1024),
            continuations: Continuations::new(if settings.n >= 3 { move_ids } else { 0 }),
            words: move_ids.div_ceil(WORD),
        }
    }

    /// Lists the sequences of three moves of a lesson and asks for their places in memory, which takes a while.
    fn begin_threes(&mut self, played: &[u32], mut before: Before) {
        self.lesson.clear();
        for &index in played {
            if before[0] != NO_MOVE && before[1] != NO_MOVE {
                let context = HashedSums::context(before[1], before[0]);
                let key = HashedSums::key(context, index);
                self.threes.prefetch(key);
                self.lesson.push(Three { key, context, index });
            }
            before = [index, before[0]];
        }
    }

    /// The value of a move after what was before.
    #[inline(always)]
    pub fn value(&self, index: u32, before: Before) -> f32 {
        self.joined(self.ones.mean(index), index, before)
    }

    /// The mean of the single move's value and of the longer sequences as far as they are known.
    #[inline(always)]
    fn joined(&self, one: f32, index: u32, before: Before) -> f32 {
        if self.longest < 2 || before[0] == NO_MOVE {
            return one;
        }
        let (sum, count) = self.twos.get(before[0], index);
        if count < self.least_count {
            return one;
        }
        let two = sum / count as f32;
        if self.longest >= 3 && before[1] != NO_MOVE {
            let context = HashedSums::context(before[1], before[0]);
            if self.continuations.may_hold(context, Seats::TWO.id(index)) {
                let (sum, count) = self.threes.get(HashedSums::key(context, index));
                if count >= self.least_count {
                    return (one + two + sum / count as f32) / 3.0;
                }
            }
        }
        (one + two) / 2.0
    }

    /// The id of the player's move in the set with the highest value; equal ones are equally likely. The game has at most
    /// 512 move ids.
    #[inline(always)]
    pub fn best_in(&self, player: Player, before: Before, set: &[u64], random: &mut Random) -> Option<usize> {
        with_words!(self.words, self.best_of::<_>(player, before, set, random))
    }

    fn best_of<const WORDS: usize>(
        &self,
        player: Player,
        before: Before,
        set: &[u64],
        random: &mut Random,
    ) -> Option<usize> {
        let set = set.first_chunk::<WORDS>()?;
        let Some((known, twos)) = self.twos_in(player, before[0], set) else {
            return self.ones.best_of::<WORDS>(player, set, random);
        };
        let threes = self.threes_in(before, &known);
        let near = self.near_joined(player, set, twos, &threes)?;
        draw_highest(&near, f32::NEG_INFINITY, random, |id| {
            let before = if holds(&threes, id) { before } else { [before[0], NO_MOVE] };
            self.value(ActionValues::index(player, id), before)
        })
    }

    /// Those of the moves that may have the highest value; all others have a lower one.
    #[inline(always)]
    pub fn near(&self, player: Player, before: Before, set: Places) -> Places {
        if self.twos.length == 0 {
            return set;
        }
        with_words!(self.words, self.near_in::<_>(player, before, set))
    }

    fn near_in<const WORDS: usize>(&self, player: Player, before: Before, set: Places) -> Places {
        let near = set.first_chunk::<WORDS>().and_then(|set| match self.twos_in(player, before[0], set) {
            Some((known, twos)) => self.near_joined(player, set, twos, &self.threes_in(before, &known)),
            None => self.ones.near_of(player, set),
        });
        near.map_or(set, places)
    }

    /// Those that may have the highest value by what is known of one and two moves, and all that may have one of three.
    #[inline(always)]
    fn near_joined<const WORDS: usize>(
        &self,
        player: Player,
        set: &[u64; WORDS],
        twos: &[[i16; WORD]; WORDS],
        threes: &[u64; WORDS],
    ) -> Option<[u64; WORDS]> {
        let ones = self.ones.scores_of(player).first_chunk::<WORDS>()?;
        let others: [u64; WORDS] = core::array::from_fn(|word| set[word] & !threes[word]);
        let near = near_highest(&others, NEAR_SCORES, |word| joined_scores(&ones[word], &twos[word]));
        Some(core::array::from_fn(|word| near[word] | threes[word]))
    }

    /// The player's moves of the set whose sequence with the move before counts, if any does, and the scores of all.
    #[inline(always)]
    fn twos_in<const WORDS: usize>(
        &self,
        player: Player,
        previous: u32,
        set: &[u64; WORDS],
    ) -> Option<([u64; WORDS], &[[i16; WORD]; WORDS])> {
        if self.longest < 2 || previous == NO_MOVE || !self.twos.knows_any(previous, player) {
            return None;
        }
        let (known, scores) = self.twos.row_of::<WORDS>(previous, player);
        let known: [u64; WORDS] = core::array::from_fn(|word| known[word] & set[word]);
        (known.iter().fold(0, |any, word| any | word) != 0).then_some((known, scores))
    }

    /// Those of the moves that may have a sequence of three that counts.
    #[inline(always)]
    fn threes_in<const WORDS: usize>(&self, before: Before, known: &[u64; WORDS]) -> [u64; WORDS] {
        if self.longest < 3 || before[1] == NO_MOVE {
            return [0; WORDS];
        }
        let after = self.continuations.after::<WORDS>(HashedSums::context(before[1], before[0]));
        after.map_or([0; WORDS], |after| core::array::from_fn(|word| after[word] & known[word]))
    }
}

/// The sums of the scores of single moves and of two; twice those of single moves where the others are 0, not being known
/// well enough.
#[inline(always)]
fn joined_scores(ones: &[i16; WORD], twos: &[i16; WORD]) -> [i16; WORD] {
    core::array::from_fn(|place| ones[place] + if twos[place] == 0 { ones[place] } else { twos[place] })
}

/// For every two moves the ids of those after which sequences of three are known well enough. Contexts are told apart as
/// far as their hash goes, so there may be more in a set than belong to it.
#[derive(Debug)]
struct Continuations {
    /// A bit for contexts that have any.
    contexts: Vec<u64>,
    /// Of use where the bit is set.
    sets: Vec<u64>,
    words: usize,
}

const CONTEXTS: usize = 1 << 15;

impl Continuations {
    fn new(move_ids: usize) -> Self {
        let words = if move_ids <= MOST_PLACES { move_ids.div_ceil(WORD) } else { 0 };
        Self { contexts: vec![0; if words > 0 { CONTEXTS / 64 } else { 0 }], sets: vec![0; words * CONTEXTS], words }
    }

    fn clear(&mut self) {
        self.contexts.fill(0);
    }

    fn add(&mut self, context: u64, id: usize) {
        if self.words == 0 {
            return;
        }
        let place = context as usize % CONTEXTS;
        let set = &mut self.sets[place * self.words..][..self.words];
        let (flags, flag) = (&mut self.contexts[place / 64], 1 << (place % 64));
        if *flags & flag == 0 {
            *flags |= flag;
            set.fill(0);
        }
        set[id / WORD] |= 1 << (id % WORD);
    }

    /// Whether a move may be among those after a context; where nobody keeps them it may.
    #[inline(always)]
    fn may_hold(&self, context: u64, id: usize) -> bool {
        let place = context as usize % CONTEXTS;
        self.words == 0 || holds(&self.contexts, place) && holds(&self.sets[place * self.words..], id)
    }

    /// What may follow a context; `None` where nothing does.
    #[inline(always)]
    fn after<const WORDS: usize>(&self, context: u64) -> Option<&[u64; WORDS]> {
        let place = context as usize % CONTEXTS;
        holds(&self.contexts, place).then(|| &self.sets.as_chunks().0[place])
    }
}

/// Pairs of successive moves. Games with few move ids have a row of packed counters for each move before, emptied when
/// it is first touched after clearing, and the scores of means beside it; others, and scores, have hashed sums.
#[derive(Debug)]
struct Twos {
    counters: Vec<Counter>,
    /// The scores of their means, 0 before they count.
    scores: Vec<[i16; WORD]>,
    /// The places that count.
    known: Vec<u64>,
    /// The rows with any.
    rows_with_known: Vec<u64>,
    stamps: Vec<u32>,
    generation: u32,
    length: usize,
    hashed: HashedSums,
    least_count: u32,
}

/// From 2^15 − 1 on they stand still.
#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    count: i16,
    sum: i16,
}

impl Twos {
    fn new(move_ids: usize, seats: Seats, outcomes: Outcomes, least_count: u32) -> Self {
        let is_dense = move_ids <= MOST_PLACES && outcomes == Outcomes::Results;
        let length = if is_dense { row_length(move_ids) } else { 0 };
        // One row for each number of a move and each seat that moves next.
        let rows = if length > 0 { seats.numbers(seats.numbers(move_ids)) } else { 0 };
        Self {
            counters: vec![Counter::default(); rows * length],
            scores: vec![[0; WORD]; rows * length / WORD],
            known: vec![0; rows * length / WORD],
            rows_with_known: vec![0; rows.div_ceil(WORD)],
            stamps: vec![0; rows],
            generation: 1,
            length,
            hashed: HashedSums::new(!is_dense && move_ids > 0),
            least_count,
        }
    }

    fn clear(&mut self) {
        self.hashed.clear();
        self.rows_with_known.fill(0);
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.stamps.fill(0);
            self.generation = 1;
        }
    }

    #[inline(always)]
    fn row(previous: u32, seat: usize) -> usize {
        Seats::TWO.number(seat, previous as usize) as usize
    }

    #[inline(always)]
    fn add(&mut self, previous: u32, index: u32, outcome: f32) {
        if self.length == 0 {
            self.hashed.add(HashedSums::context(previous, index), outcome);
            return;
        }
        let (row, id) = (Self::row(previous, Seats::TWO.seat(index)), Seats::TWO.id(index));
        if self.stamps[row] != self.generation {
            self.stamps[row] = self.generation;
            self.counters[row * self.length..(row + 1) * self.length].fill(Counter::default());
            let words = self.length / WORD;
            self.scores[row * words..(row + 1) * words].fill([0; WORD]);
            self.known[row * words..(row + 1) * words].fill(0);
        }
        let counter = &mut self.counters[row * self.length + id];
        if counter.count < i16::MAX {
            counter.count += 1;
            counter.sum += outcome as i16;
        }
        if counter.count as u32 >= self.least_count {
            let mean = f32::from(counter.sum) / f32::from(counter.count);
            let word = (row * self.length + id) / WORD;
            self.scores[word][id % WORD] = score(mean);
            self.known[word] |= 1 << (id % WORD);
            self.rows_with_known[row / WORD] |= 1 << (row % WORD);
        }
    }

    #[inline(always)]
    fn get(&self, previous: u32, index: u32) -> (f32, u32) {
        if self.length == 0 {
            return self.hashed.get(HashedSums::context(previous, index));
        }
        let row = Self::row(previous, Seats::TWO.seat(index));
        if self.stamps[row] != self.generation {
            return (0.0, 0);
        }
        let counter = self.counters[row * self.length + Seats::TWO.id(index)];
        (f32::from(counter.sum), counter.count as u32)
    }

    /// Whether any of the player's moves after this one counts.
    #[inline(always)]
    fn knows_any(&self, previous: u32, player: Player) -> bool {
        let row = Self::row(previous, player.index());
        holds(&self.rows_with_known, row)
    }

    /// The ids of the player's moves after this one that count, and the scores of all.
    #[inline(always)]
    fn row_of<const WORDS: usize>(&self, previous: u32, player: Player) -> (&[u64; WORDS], &[[i16; WORD]; WORDS]) {
        let row = Self::row(previous, player.index());
        (&self.known.as_chunks().0[row], &self.scores.as_chunks().0[row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Seed;

    const NONE: Before = [NO_MOVE; 2];

    fn number(player: Player, id: usize) -> u32 {
        ActionValues::index(player, id)
    }

    fn learner(count: u32, move_ids: usize) -> Ngrams {
        Ngrams::new(&NgramSettings { count, ..NgramSettings::default() }, &Scope::new(move_ids, Outcomes::Results))
    }

    /// First player 0 and 2, second player 1: won and lost; then 2 alone is lost.
    fn taught(count: u32, move_ids: usize) -> Ngrams {
        let mut ngrams = learner(count, move_ids);
        let line = [number(Player::First, 0), number(Player::Second, 1), number(Player::First, 2)];
        for outcome in [1.0, -1.0, 1.0, 1.0] {
            ngrams.teach(&Lesson::new(&line, NONE, outcome));
        }
        ngrams.teach(&Lesson::new(&line[2..], NONE, -1.0));
        ngrams
    }

    #[test]
    fn lengths_are_averaged_as_far_as_they_are_known() {
        for move_ids in [9, 5000] {
            let ngrams = taught(4, move_ids);
            let (two, reply, opening) = (number(Player::First, 2), number(Player::Second, 1), number(Player::First, 0));
            // The single move: 3 wins and 2 losses; after the reply and after both: 3 wins and 1 loss.
            assert!((ngrams.value(two, NONE) - 0.2).abs() < 1e-6);
            assert!((ngrams.value(two, [reply, NO_MOVE]) - (0.2 + 0.5) / 2.0).abs() < 1e-6);
            assert!((ngrams.value(two, [reply, opening]) - (0.2 + 0.5 + 0.5) / 3.0).abs() < 1e-6);
            assert_eq!(ngrams.value(two, [opening, reply]), ngrams.value(two, NONE));
            assert_eq!(ngrams.value(reply, NONE), -0.5);
            assert_eq!(ngrams.value(number(Player::First, 8), [reply, opening]), 1.0);
            let rare = taught(5, move_ids);
            assert_eq!(rare.value(two, [reply, opening]), rare.value(two, NONE));
        }
    }

    /// Seventy ids are two words, and many sequences of three become known.
    #[test]
    fn the_best_of_a_set_is_the_best_of_a_list() {
        for (ids, rounds) in [(9, 300), (70, 3000)] {
            let mut ngrams = learner(2, ids);
            let mut random = Random::new(Seed::new(5));
            let mut most_known = 0;
            for round in 0..rounds {
                if round % (rounds / 3) == 0 {
                    ngrams.clear(Player::First);
                }
                let mut id = |below: usize| random.below(below as u32) as usize;
                // Few moves before, so that many are known after them.
                let line: Vec<u32> = (0..6)
                    .map(|ply| number(Player::BOTH[ply % 2], if ply % 3 == 2 { id(ids) } else { id(2) }))
                    .collect();
                ngrams.teach(&Lesson::new(&line, NONE, f32::from(random.below(3) as i8 - 1)));
                let all = [u64::MAX >> (64 - ids.min(64)), if ids > 64 { (1 << (ids - 64)) - 1 } else { 0 }];
                let set: Vec<u64> = all[..ids.div_ceil(64)].iter().map(|all| random.bits() & all).collect();
                let before = [line[1], line[0]];
                let drawn = ngrams.best_in(Player::First, before, &set, &mut random);
                let value = |id: usize| ngrams.value(number(Player::First, id), before);
                let open = |id: &usize| set[id / 64] >> (id % 64) & 1 == 1;
                let best = (0..ids).filter(open).map(value).fold(f32::NEG_INFINITY, f32::max);
                assert_eq!(drawn.map(value), set.iter().any(|&word| word != 0).then_some(best));
                let context = HashedSums::context(before[1], before[0]);
                let count = |id: usize| ngrams.threes.get(HashedSums::key(context, number(Player::First, id))).1;
                most_known = most_known.max((0..ids).filter(open).filter(|&id| count(id) >= 2).count());
            }
            assert!(most_known >= ids / 4, "{most_known} sequences of three were known");
        }
    }

    #[test]
    fn clearing_forgets_everything() {
        for move_ids in [9, 5000] {
            let mut ngrams = taught(1, move_ids);
            ngrams.clear(Player::First);
            let before = [number(Player::Second, 1), number(Player::First, 0)];
            assert_eq!(ngrams.value(number(Player::First, 2), before), 1.0);
        }
    }
}
