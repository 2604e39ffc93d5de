//! Dealing: what is to be played goes to so many parts that take about the same time.
//!
//! The pairs of a cell cost the same, so every part gets the same number of each cell, and what a cell leaves over goes
//! to those that have least so far, dear cells first. Only whole numbers decide, so every machine deals alike.

/// Pairs of one cell, or portions of one measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lot {
    /// How many.
    pub count: u64,
    /// What one costs, in any unit.
    pub cost: u64,
}

/// Who gets what of some lots.
///
/// ```
/// use spinney_lab::deal::{Deal, Lot};
///
/// // Seven cheap ones and two dear ones for three parts: the one without a dear one gets most of the cheap ones.
/// let deal = Deal::new(&[Lot { count: 7, cost: 1 }, Lot { count: 2, cost: 2 }], 3);
/// assert_eq!(deal.loads(), [4, 4, 3]);
/// assert_eq!(deal.ranks(0, 2).collect::<Vec<_>>(), [2, 5, 6]);
/// ```
#[derive(Clone, Debug)]
pub struct Deal {
    parts: u64,
    /// Of each lot: how many every part gets, and who gets one more, in the order of what is left over.
    shares: Vec<(u64, Vec<u64>)>,
    loads: Vec<u64>,
}

impl Deal {
    /// Deals to so many parts, at least one.
    pub fn new(lots: &[Lot], parts: u64) -> Self {
        let parts = parts.max(1);
        let mut shares = vec![(0, Vec::new()); lots.len()];
        let mut loads = vec![0u64; parts as usize];
        let mut order: Vec<usize> = (0..lots.len()).collect();
        order.sort_by_key(|lot| (std::cmp::Reverse(lots[*lot].cost), *lot));
        let even = lots.iter().map(|lot| (lot.count / parts).saturating_mul(lot.cost)).fold(0, u64::saturating_add);
        let mut poorest: Vec<(u64, u64)> = Vec::new();
        for lot in order {
            let Lot { count, cost } = lots[lot];
            let left = (count % parts) as usize;
            shares[lot].0 = count / parts;
            if left == 0 {
                continue;
            }
            poorest.clear();
            poorest.extend((0..parts).map(|part| (loads[part as usize], part)));
            poorest.select_nth_unstable(left - 1);
            poorest.truncate(left);
            poorest.sort_unstable();
            for (_, part) in &poorest {
                loads[*part as usize] = loads[*part as usize].saturating_add(cost);
            }
            shares[lot].1 = poorest.iter().map(|(_, part)| *part).collect();
        }
        loads.iter_mut().for_each(|load| *load = load.saturating_add(even));
        Self { parts, shares, loads }
    }

    /// What each part costs.
    pub fn loads(&self) -> &[u64] {
        &self.loads
    }

    /// Which of a lot a part gets, in order. All parts walk through a lot together, so that a rule that looks at its
    /// beginning is served first.
    pub fn ranks(&self, lot: usize, part: u64) -> impl Iterator<Item = u64> + use<> {
        let (each, left_over) = &self.shares[lot];
        let parts = self.parts;
        let last = left_over.iter().position(|taker| *taker == part).map(|at| each * parts + at as u64);
        (0..*each).map(move |round| round * parts + part).chain(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lots(of: &[(u64, u64)]) -> Vec<Lot> {
        of.iter().map(|&(count, cost)| Lot { count, cost }).collect()
    }

    fn dealt(deal: &Deal, lots: &[Lot]) -> Vec<(u64, usize, u64)> {
        let parts = 0..deal.loads().len() as u64;
        parts
            .flat_map(|part| {
                (0..lots.len()).flat_map(move |lot| deal.ranks(lot, part).map(move |rank| (part, lot, rank)))
            })
            .collect()
    }

    /// Three cells of 40 pairs for three parts: 120 pairs, 40 each.
    #[test]
    fn equal_cells_give_equal_parts() {
        let deal = Deal::new(&lots(&[(40, 5), (40, 5), (40, 5)]), 3);
        assert_eq!(deal.loads(), [200, 200, 200]);
        assert_eq!(deal.ranks(1, 0).count() + deal.ranks(1, 1).count() + deal.ranks(1, 2).count(), 40);
    }

    #[test]
    fn more_parts_than_things_leave_some_empty() {
        let deal = Deal::new(&lots(&[(2, 7)]), 5);
        assert_eq!(deal.loads(), [7, 7, 0, 0, 0]);
        assert_eq!(Deal::new(&[], 2).loads(), [0, 0]);
    }

    proptest! {
        #[test]
        fn everything_goes_to_one_part_and_no_two_differ_by_more_than_the_dearest(
            of in prop::collection::vec((0u64..50, 1u64..1000), 0..12), parts in 1u64..40,
        ) {
            let lots = lots(&of);
            let deal = Deal::new(&lots, parts);
            let all = dealt(&deal, &lots);
            let mut places: Vec<(usize, u64)> = all.iter().map(|(_, lot, rank)| (*lot, *rank)).collect();
            places.sort_unstable();
            let whole: Vec<(usize, u64)> =
                lots.iter().enumerate().flat_map(|(lot, one)| (0..one.count).map(move |rank| (lot, rank))).collect();
            prop_assert_eq!(places, whole);
            let mut loads = vec![0; parts as usize];
            all.iter().for_each(|(part, lot, _)| loads[*part as usize] += lots[*lot].cost);
            prop_assert_eq!(&loads, deal.loads());
            let dearest = lots.iter().filter(|lot| lot.count > 0).map(|lot| lot.cost).max().unwrap_or(0);
            prop_assert!(loads.iter().max().unwrap() - loads.iter().min().unwrap() <= dearest);
        }
    }
}
