//! The 1296 rolls of four dice: their 126 kinds, their pairings, and how often none of them can be used.

use std::sync::{LazyLock, OnceLock};

/// Columns, 2 to 12, as bits 0 to 10.
pub type Columns = u16;

/// Number of columns.
pub const COLUMNS: usize = 11;
/// All columns.
pub const ALL: Columns = (1 << COLUMNS) - 1;
/// Number of rolls of four dice in order.
pub const ROLLS: u32 = 1296;
/// Number of rolls if the order of the dice does not count.
pub const KINDS: usize = 126;

/// How long the columns are.
pub const LENGTHS: [u8; COLUMNS] = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

/// A roll without the order of its dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// The dice, lowest first.
    pub dice: [u8; 4],
    /// In how many of the 1296 rolls it comes up.
    pub ways: u16,
    /// The three ways to make two pairs, as columns.
    pub splits: [[u8; 2]; 3],
    /// All columns of these pairs.
    pub sums: Columns,
}

/// What is computed once.
#[derive(Debug)]
pub struct Tables {
    /// The kinds of roll.
    pub kinds: [Kind; KINDS],
    /// The kind of each of the 1296 rolls.
    pub kind_of: Vec<u8>,
    /// For each set of columns, how many of the 1296 rolls have no pair in it.
    pub busts: Vec<u16>,
    /// The number of each set of at most three runners.
    runner_sets: Vec<u16>,
    rankings: Vec<OnceLock<Box<Ranking>>>,
}

/// The kinds of roll from the worst to the best in some situation.
#[derive(Debug)]
struct Ranking {
    order: [u8; KINDS],
    /// The rank behind the last roll of each kind in `order`.
    ends: [u16; KINDS],
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The tables.
#[inline]
pub fn tables() -> &'static Tables {
    &TABLES
}

impl Tables {
    fn new() -> Self {
        let mut kinds = [Kind::default(); KINDS];
        let mut count = 0;
        let mut kind_of = vec![0; ROLLS as usize];
        for (roll, kind) in kind_of.iter_mut().enumerate() {
            let mut dice = [roll / 216, roll / 36 % 6, roll / 6 % 6, roll % 6].map(|die| die as u8 + 1);
            dice.sort_unstable();
            let index = kinds[..count].iter().position(|kind| kind.dice == dice).unwrap_or_else(|| {
                kinds[count] = Kind::new(dice);
                count += 1;
                count - 1
            });
            kinds[index].ways += 1;
            *kind = index as u8;
        }
        let busts = |columns: usize| kinds.iter().filter(move |kind| kind.sums & columns as Columns == 0);
        let busts = (0..=usize::from(ALL)).map(|columns| busts(columns).map(|kind| kind.ways).sum()).collect();
        let mut sets = 0;
        let runner_sets: Vec<u16> = (0..=ALL)
            .map(|columns: Columns| {
                sets += u16::from(columns.count_ones() <= 3);
                sets.wrapping_sub(1)
            })
            .collect();
        let rankings = (0..usize::from(sets) << COLUMNS).map(|_| OnceLock::new()).collect();
        Self { kinds, kind_of, busts, runner_sets, rankings }
    }

    /// The kind of roll of this rank, 0 being the worst of 1296, when these columns are open and these have runners.
    /// Rolls that bust are the worst; of the others, those are better that advance by larger parts of their columns.
    #[inline]
    pub fn ranked(&self, rank: u32, open: Columns, runners: Columns) -> u8 {
        // With three runners the other columns make no difference.
        let open = if runners.count_ones() == 3 { open & runners } else { open };
        let place = usize::from(self.runner_sets[usize::from(runners)]) << COLUMNS | usize::from(open);
        let ranking = self.rankings[place].get_or_init(|| Box::new(self.ranking(open, runners)));
        let index = ranking.ends.partition_point(|&end| u32::from(end) <= rank);
        ranking.order[index]
    }

    #[inline]
    fn ranking(&self, open: Columns, runners: Columns) -> Ranking {
        let worth = |kind: &Kind| {
            let (mut moves, mut best) = ([0; 6], 0);
            let count = kind.advances(open, runners, &mut moves);
            for advance in &moves[..count] {
                // A common multiple of all lengths keeps the worth a whole number.
                let steps = advance.columns().map(|column| 45_045 / u32::from(LENGTHS[column])).sum::<u32>();
                best = best.max(steps);
            }
            best
        };
        let mut order: Vec<(u32, u8)> = self.kinds.iter().map(worth).zip(0..).collect();
        order.sort_unstable();
        let mut end = 0;
        let mut ranking = Ranking { order: [0; KINDS], ends: [0; KINDS] };
        for (place, (_, kind)) in order.into_iter().enumerate() {
            end += self.kinds[usize::from(kind)].ways;
            ranking.order[place] = kind;
            ranking.ends[place] = end;
        }
        ranking
    }
}

/// An advance in one or two columns: the two columns in four bits each, 15 for none.
pub type Advance = u8;

/// Reading an [`Advance`].
pub trait Columnwise {
    /// The columns, a column twice for two steps.
    fn columns(self) -> impl Iterator<Item = usize>;
}

impl Columnwise for Advance {
    #[inline(always)]
    fn columns(self) -> impl Iterator<Item = usize> {
        [usize::from(self >> 4), usize::from(self & 15)].into_iter().filter(|&column| column < COLUMNS)
    }
}

impl Kind {
    fn new(dice: [u8; 4]) -> Self {
        let [a, b, c, d] = dice;
        let split = |x: u8, y: u8| [x.min(y) - 2, x.max(y) - 2];
        let splits = [split(a + b, c + d), split(a + c, b + d), split(a + d, b + c)];
        let sums = splits.as_flattened().iter().fold(0, |sums, column| sums | 1 << column);
        Self { dice, ways: 0, splits, sums }
    }

    /// Fills `moves` with the different advances that this roll allows and returns their number.
    #[inline(always)]
    pub fn advances(&self, open: Columns, runners: Columns, moves: &mut [Advance; 6]) -> usize {
        let free = 3 - runners.count_ones();
        let usable = if free > 0 { open } else { open & runners };
        let mut count = 0;
        let mut add = |advance: Advance| {
            if !moves[..count].contains(&advance) {
                moves[count] = advance;
                count += 1;
            }
        };
        for [x, y] in self.splits {
            let single = |column: u8| column << 4 | 15;
            match (usable >> x & 1 != 0, usable >> y & 1 != 0) {
                (true, true) => {
                    let pair = 1 << x | 1 << y;
                    if (pair & !runners as u32).count_ones() <= free {
                        add(x << 4 | y);
                    } else {
                        add(single(x));
                        add(single(y));
                    }
                }
                (true, false) => add(single(x)),
                (false, true) => add(single(y)),
                (false, false) => {}
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(sums: &[u8]) -> usize {
        sums.iter().map(|sum| 1 << (sum - 2)).sum()
    }

    #[test]
    fn rolls_that_bust() {
        let busts = &tables().busts;
        for (sums, expected) in [
            (&[7][..], 462),
            (&[6], 569),
            (&[2], 1125),
            (&[12], 1125),
            (&[6, 8], 228),
            (&[2, 12], 960),
            (&[6, 7, 8], 104),
            (&[4, 6, 8], 115),
            (&[6, 7, 9], 111),
            (&[5, 6, 7], 147),
            (&[4, 7, 10], 160),
            (&[5, 7, 9], 190),
            (&[2, 3, 12], 728),
            (&[2, 11, 12], 728),
            (&[2, 3, 4], 620),
            (&[2, 7, 12], 284),
            (&[3, 7, 11], 290),
            (&[], 1296),
        ] {
            assert_eq!(busts[set(sums)], expected, "{sums:?}");
        }
        assert_eq!(busts[usize::from(ALL)], 0);
        assert_eq!(busts.iter().map(|&count| u32::from(count)).sum::<u32>(), 208_896);
        let triples = (0..=ALL).filter(|columns: &Columns| columns.count_ones() == 3);
        assert_eq!(triples.map(|columns| ROLLS - u32::from(busts[usize::from(columns)])).sum::<u32>(), 166_008);
    }

    /// Every ranking is a permutation of the rolls with those that bust at its bottom.
    #[test]
    fn rankings_are_fair() {
        let tables = tables();
        for (open, runners) in [(ALL, 0), (ALL, 0b111), (0b111_1111_1110, 0b1_0000_0110), (0b1000, 0b1000)] {
            let mut counts = [0u16; KINDS];
            let mut lucky = 0;
            for rank in 0..ROLLS {
                let kind = tables.ranked(rank, open, runners);
                counts[usize::from(kind)] += 1;
                let busts = tables.kinds[usize::from(kind)].advances(open, runners, &mut [0; 6]) == 0;
                assert!(!busts || lucky == 0);
                lucky += u32::from(!busts);
            }
            assert!(counts.iter().zip(&tables.kinds).all(|(count, kind)| *count == kind.ways));
            let usable = if runners.count_ones() == 3 { open & runners } else { open };
            assert_eq!(ROLLS - lucky, u32::from(tables.busts[usize::from(usable)]));
        }
    }
}
