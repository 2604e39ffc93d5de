//! The instances of clauses by what they derive, and their conditions as signals.

use super::{NEVER, NONE, Signal};
use crate::ground::{Ground, Instances};
use crate::limits::{Budget, Stop};
use crate::terms::TermId;

/// The instances, sorted by what they derive, in the order in which it was first derived.
pub(super) struct RulesByHead<'a> {
    instances: &'a Instances,
    pub(super) heads: Vec<TermId>,
    /// The place of a sentence among the heads.
    pub(super) number: Vec<u32>,
    /// Where the instances of each head end in `starts`.
    ends: Vec<u32>,
    /// Where instances start.
    starts: Vec<u32>,
}

impl<'a> RulesByHead<'a> {
    pub(super) fn new(ground: &'a Ground, budget: &mut Budget) -> Result<Self, Stop> {
        let instances = &ground.instances;
        if !budget.hold(ground.terms.len() * 8 + instances.len() * 8) {
            budget.check()?;
        }
        let (mut number, mut heads, mut counts) = (vec![NONE; ground.terms.len()], Vec::new(), Vec::<u32>::new());
        for (head, _) in instances.iter() {
            if !budget.spend(1) {
                budget.check()?;
            }
            if number[head as usize] == NONE {
                number[head as usize] = heads.len() as u32;
                heads.push(head);
                counts.push(0);
            }
            counts[number[head as usize] as usize] += 1;
        }
        let mut next = 0;
        let mut ends: Vec<u32> = counts
            .iter()
            .map(|count| {
                next += count;
                next - count
            })
            .collect();
        let mut starts = vec![0; instances.len()];
        for (start, (head, _)) in instances.starts().zip(instances.iter()) {
            if !budget.spend(1) {
                budget.check()?;
            }
            let end = &mut ends[number[head as usize] as usize];
            starts[*end as usize] = start;
            *end += 1;
        }
        Ok(Self { instances, heads, number, ends, starts })
    }

    /// The conditions of all instances that derive the head with this number.
    pub(super) fn of(&self, at: usize) -> impl Iterator<Item = &'a [u32]> {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        let instances = self.instances;
        self.starts[start as usize..self.ends[at] as usize].iter().map(move |&start| instances.conditions(start))
    }

    pub(super) fn bytes(&self) -> usize {
        (self.heads.capacity() + self.number.len() + self.ends.len() + self.starts.len()) * 4
    }
}

/// Ground literals to signals; what can never hold is false.
pub(super) fn translate(conditions: &[u32], signals: &[Signal]) -> Vec<Signal> {
    let signal = |literal: &u32| match signals[(literal / 2) as usize] {
        NONE => NEVER ^ (literal % 2),
        known => known ^ (literal % 2),
    };
    conditions.iter().map(signal).collect()
}
