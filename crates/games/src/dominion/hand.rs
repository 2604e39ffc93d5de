//! The chance that drawn cards bring the money for a province, exactly.

use super::cards::{Pile, money, size};
use std::cell::RefCell;
use std::sync::LazyLock;

/// The most cards drawn at once.
pub const MOST_DRAWN: usize = 5;
/// More cards than there are.
const MOST_CARDS: usize = 320;
/// Remembered answers, a power of two.
const REMEMBERED: usize = 1 << 14;

/// Binomial coefficients; a pile of any size, a hand of few.
static CHOOSE: LazyLock<Vec<[f64; MOST_DRAWN + 1]>> = LazyLock::new(|| {
    let mut rows = vec![[0.0; MOST_DRAWN + 1]; MOST_CARDS];
    rows[0][0] = 1.0;
    for n in 1..MOST_CARDS {
        rows[n][0] = 1.0;
        for k in 1..=MOST_DRAWN {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
        }
    }
    rows
});

/// The number of ways to choose `drawn` of `cards`.
#[inline]
pub fn choose(cards: u32, drawn: u32) -> f64 {
    CHOOSE[cards as usize][drawn as usize]
}

thread_local! {
    /// Questions come again and again; an answer is the same whether it is remembered or not.
    static ANSWERS: RefCell<Vec<(u64, f64)>> = RefCell::new(vec![(u64::MAX, 0.0); REMEMBERED]);
}

/// The probability that `drawn` cards, taken from the draw pile and then from the shuffled discard pile, bring at
/// least `need` money.
#[inline]
pub fn probability(draw: &Pile, discard: &Pile, drawn: u32, need: i32) -> f64 {
    let cards = size(draw);
    if drawn <= cards {
        return from_one_pile(draw, cards, drawn, need);
    }
    let rest = size(discard);
    from_one_pile(discard, rest, (drawn - cards).min(rest), need - money(draw) as i32)
}

#[inline]
fn from_one_pile(pile: &Pile, cards: u32, drawn: u32, need: i32) -> f64 {
    if need <= 0 {
        return 1.0;
    }
    // Not even gold alone would do.
    if need > 3 * drawn as i32 {
        return 0.0;
    }
    let [copper, silver, gold, ..] = *pile;
    let treasures = [copper, silver, gold].map(u32::from);
    let key = [u32::from(copper), u32::from(silver), u32::from(gold), cards, drawn, need as u32]
        .into_iter()
        .fold(0, |key, part| key << 10 | u64::from(part));
    ANSWERS.with_borrow_mut(|answers| {
        let place = (spinney_core::random::mix(key) as usize) & (REMEMBERED - 1);
        if answers[place].0 != key {
            answers[place] = (key, count(treasures, cards, drawn, need));
        }
        answers[place].1
    })
}

#[inline]
fn count([copper, silver, gold]: [u32; 3], cards: u32, drawn: u32, need: i32) -> f64 {
    let others = cards - copper - silver - gold;
    let mut ways = 0.0;
    for threes in 0..=gold.min(drawn) {
        for twos in 0..=silver.min(drawn - threes) {
            let left = drawn - threes - twos;
            let ones_needed = (need - 3 * threes as i32 - 2 * twos as i32).max(0) as u32;
            for ones in ones_needed..=copper.min(left) {
                ways +=
                    choose(gold, threes) * choose(silver, twos) * choose(copper, ones) * choose(others, left - ones);
            }
        }
    }
    ways / choose(cards, drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pile([copper, silver, gold, other]: [u8; 4]) -> Pile {
        let mut pile = [0; 16];
        (pile[0], pile[1], pile[2], pile[3]) = (copper, silver, gold, other);
        pile
    }

    #[test]
    fn chances_of_eight_money() {
        let none = [0; 4];
        for (draw, discard, drawn, base, expected) in [
            ([7, 0, 0, 3], none, 5, 0, 0.0),
            ([5, 3, 3, 4], none, 5, 0, 1021.0 / 3003.0),
            ([7, 4, 2, 9], none, 5, 0, 129.0 / 1463.0),
            ([2, 1, 0, 0], [4, 2, 2, 5], 5, 0, 7.0 / 39.0),
            (none, [7, 2, 2, 6], 5, 0, 149.0 / 1547.0),
            ([4, 2, 1, 6], none, 3, 3, 31.0 / 286.0),
            ([2, 0, 0, 1], [1, 0, 1, 1], 5, 3, 2.0 / 3.0),
            ([3, 2, 0, 3], [9, 9, 9, 9], 4, 6, 67.0 / 70.0),
            ([1, 0, 1, 1], [6, 3, 1, 4], 3, 4, 1.0),
            ([0, 1, 0, 0], [1, 0, 0, 1], 5, 4, 0.0),
        ] {
            let found = probability(&pile(draw), &pile(discard), drawn, 8 - base);
            assert!((found - expected).abs() < 1e-12, "{draw:?} {discard:?}: {found}, not {expected}");
        }
    }
}
