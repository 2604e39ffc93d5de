//! Dealing: what is to be played goes to so many parts that take about the same time.
//!
//! Dear cells are dealt first, every pair to the part that has least, so that parts get about the same number of each cell
//! and cheap ones make up for what the dear ones leave. Only whole numbers decide, so every machine deals alike.

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
    /// Of each lot: how many every part gets, and who gets those that are left over, in their order.
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
        for lot in order {
            let counts = counts(&loads, lots[lot]);
            let cost = lots[lot].cost.max(1);
            let add = |(load, count): (&mut u64, &u64)| *load = load.saturating_add(count.saturating_mul(cost));
            loads.iter_mut().zip(&counts).for_each(add);
            let each = counts.iter().copied().min().unwrap_or(0);
            let most = counts.iter().copied().max().unwrap_or(0);
            let has = |round: u64| (0..parts).zip(&counts).filter(move |(_, count)| **count > round);
            shares[lot] = (each, (each..most).flat_map(|round| has(round).map(|(part, _)| part)).collect());
        }
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
        let own = left_over.iter().zip(each * parts..).filter(|(taker, _)| **taker == part);
        let own: Vec<u64> = own.map(|(_, rank)| rank).collect();
        (0..*each).map(move |round| round * parts + part).chain(own)
    }
}

/// How many of a lot each part gets: one after the other goes to the part that has least.
fn counts(loads: &[u64], Lot { count, cost }: Lot) -> Vec<u64> {
    let cost = u128::from(cost.max(1));
    let mut order: Vec<(u64, usize)> = loads.iter().copied().zip(0..).collect();
    order.sort_unstable();
    // As water: the poorest are filled to a level that the next one is above.
    let (mut sum, mut level) = (u128::from(count) * cost, 0);
    let mut filled = 0;
    for (load, _) in &order {
        if filled > 0 && u128::from(*load) >= level {
            break;
        }
        sum += u128::from(*load);
        filled += 1;
        level = sum / filled as u128;
    }
    let mut counts = vec![0; loads.len()];
    for (load, part) in &order[..filled] {
        counts[*part] = (level.saturating_sub(u128::from(*load)) / cost) as u64;
    }
    // Less than one for each of these is left.
    let left = (count - counts.iter().sum::<u64>()) as usize;
    let height = |&(load, part): &(u64, usize)| u128::from(load) + u128::from(counts[part]) * cost;
    let mut poorest: Vec<(u128, usize)> = order.iter().map(|one| (height(one), one.1)).collect();
    if left > 0 && left < poorest.len() {
        poorest.select_nth_unstable(left - 1);
    }
    poorest.iter().take(left).for_each(|(_, part)| counts[*part] += 1);
    counts
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
