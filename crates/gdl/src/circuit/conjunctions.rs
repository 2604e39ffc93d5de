//! Conjunctions of signals: made, taken apart, and shared where alternatives have parts in common.

use std::collections::HashMap;

use super::{ALWAYS, Circuit, NEVER, NodeKind, Signal};
use crate::limits::Budget;
use crate::terms::mix_in;

impl Circuit {
    /// The signals whose conjunction a signal is, down to those that are no conjunctions, in order.
    pub(crate) fn conjuncts(&self, signal: Signal) -> Vec<Signal> {
        // Shared parts of deep circuits would be opened again and again.
        const MOST_OPENED: usize = 24;
        let (mut found, mut todo, mut opened) = (Vec::new(), vec![signal], 0);
        while let Some(signal) = todo.pop() {
            match self.kind(signal / 2) {
                NodeKind::And if signal.is_multiple_of(2) && opened < MOST_OPENED => {
                    opened += 1;
                    todo.extend_from_slice(self.inputs(signal / 2));
                }
                _ if signal == ALWAYS => {}
                _ => found.push(signal),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What is left of a conjunction when some of its conjuncts hold anyway.
    pub(crate) fn without(&mut self, signal: Signal, held: &[Signal]) -> Signal {
        self.lessened(signal, held, 0)
    }

    /// Conjunctions nested deeper than a stack of calls should be stay as they are, which is right too.
    fn lessened(&mut self, signal: Signal, held: &[Signal], depth: usize) -> Signal {
        const DEEPEST: usize = 200;
        if depth > DEEPEST {
            return signal;
        }
        if held.binary_search(&signal).is_ok() {
            return ALWAYS;
        }
        let parts = self.conjuncts(signal);
        if !parts.iter().any(|part| held.binary_search(part).is_ok()) || parts == [signal] {
            return signal;
        }
        let inputs = self.inputs(signal / 2).to_vec();
        let left = inputs.into_iter().map(|input| self.lessened(input, held, depth + 1)).collect();
        self.all_of(left)
    }

    /// The value that a signal has whenever the given inputs have theirs, if that can be seen.
    pub(super) fn constant(
        &self,
        signal: Signal,
        fixed: &HashMap<u32, bool>,
        known: &mut HashMap<u32, Option<bool>>,
    ) -> Option<bool> {
        // Circuits may be deep: what a gate needs is worked out before it, from a list.
        let value_of = |node: u32, known: &HashMap<u32, Option<bool>>| match fixed.get(&node) {
            Some(&value) => Some(Some(value)),
            None if node == 0 => Some(Some(false)),
            None if self.kind(node) != NodeKind::And => Some(None),
            None => known.get(&node).copied(),
        };
        let mut todo = vec![signal / 2];
        while let Some(&node) = todo.last() {
            if value_of(node, known).is_some() {
                todo.pop();
                continue;
            }
            let before = todo.len();
            let mut all = Some(true);
            for &input in self.inputs(node) {
                match value_of(input / 2, known) {
                    None => todo.push(input / 2),
                    Some(value) => match value.map(|value| value ^ (input % 2 == 1)) {
                        Some(true) => {}
                        Some(false) => {
                            all = Some(false);
                            break;
                        }
                        None => all = None,
                    },
                }
            }
            if all == Some(false) {
                todo.truncate(before);
            }
            if todo.len() == before {
                known.insert(node, all);
                todo.pop();
            }
        }
        value_of(signal / 2, known).flatten().map(|value| value ^ (signal % 2 == 1))
    }

    /// The disjunction of conjunctions, with what all have in common taken out, or also what some have in common. The
    /// latter is for what depends on moves: elsewhere a condition that seldom holds keeps changes from spreading better
    /// if it stands in every conjunction.
    pub(super) fn any_of_all(&mut self, mut alternatives: Vec<Vec<Signal>>, some: bool, budget: &mut Budget) -> Signal {
        // Where a limit is reached it does not matter what comes out.
        if !spend_on(&alternatives, budget) {
            return NEVER;
        }
        alternatives.retain(|each| !each.contains(&NEVER));
        for each in &mut alternatives {
            each.retain(|&signal| signal != ALWAYS);
            each.sort_unstable();
            each.dedup();
        }
        alternatives.sort_unstable();
        alternatives.dedup();
        if alternatives.len() > 1 {
            // What is inside of a conjunction counts as common too.
            let open = |each: &Vec<Signal>| {
                let mut all: Vec<Signal> = each.iter().flat_map(|&signal| self.conjuncts(signal)).collect();
                all.sort_unstable();
                all
            };
            let mut common = open(&alternatives[0]);
            common.dedup();
            for each in &alternatives[1..] {
                if common.is_empty() {
                    break;
                }
                let other = open(each);
                common.retain(|signal| other.binary_search(signal).is_ok());
            }
            if !common.is_empty() {
                let mut rest = Vec::new();
                for each in alternatives {
                    rest.push(each.into_iter().map(|signal| self.without(signal, &common)).collect());
                }
                common.push(self.any_of_all(rest, some, budget));
                return self.all_of(common);
            }
        }
        let mut parts = Vec::new();
        while some
            && spend_on(&alternatives, budget)
            && let Some(shared) = most_shared(&alternatives)
        {
            let (inside, outside): (Vec<_>, Vec<_>) =
                alternatives.into_iter().partition(|each| each.binary_search(&shared).is_ok());
            parts.push(self.any_of_all(inside, some, budget));
            alternatives = outside;
        }
        for each in alternatives {
            parts.push(self.all_of(each));
        }
        self.any_of(parts)
    }

    pub(super) fn any_of(&mut self, signals: Vec<Signal>) -> Signal {
        self.all_of(signals.into_iter().map(|signal| signal ^ 1).collect()) ^ 1
    }

    /// The conjunction of signals.
    pub(crate) fn all_of(&mut self, mut signals: Vec<Signal>) -> Signal {
        signals.sort_unstable();
        signals.dedup();
        if signals.contains(&NEVER) || signals.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
            return NEVER;
        }
        signals.retain(|&signal| signal != ALWAYS);
        if self.first_move.first().is_some_and(|&first| signals.iter().any(|&signal| signal / 2 >= first)) {
            self.one_turn(&mut signals);
            for role in 0..self.moves.len() {
                if !self.one_move(role, &mut signals) {
                    return NEVER;
                }
            }
        }
        match signals.as_slice() {
            [] => return ALWAYS,
            [single] => return *single,
            _ => {}
        }
        let hash = signals.iter().fold(0, |hash, &signal| mix_in(hash, signal));
        if let Some(&node) = self.known.get(&hash)
            && self.inputs(node) == signals
        {
            return node * 2;
        }
        let node = self.kinds.len() as u32;
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(&signals);
        self.kinds.push((NodeKind::And, start, self.pool.len() as u32));
        self.known.insert(hash, node);
        node * 2
    }
}

/// Counts a look at all of the conjunctions.
fn spend_on(alternatives: &[Vec<Signal>], budget: &mut Budget) -> bool {
    budget.spend(alternatives.iter().map(|each| each.len() as u64 + 1).sum())
}

/// The signal that most of the conjunctions share, if at least two do.
fn most_shared(alternatives: &[Vec<Signal>]) -> Option<Signal> {
    let mut frequency: HashMap<Signal, usize> = HashMap::new();
    alternatives.iter().flatten().for_each(|&signal| *frequency.entry(signal).or_default() += 1);
    let best = frequency.into_iter().max_by_key(|&(signal, count)| (count, std::cmp::Reverse(signal)));
    best.filter(|&(_, count)| count > 1).map(|(signal, _)| signal)
}
