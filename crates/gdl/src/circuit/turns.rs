//! Who is on turn: a circuit for each role on turn is smaller than one for all, where it is proved that exactly one is.

use std::collections::HashMap;

use super::{ALWAYS, Circuit, Component, NEVER, NONE, NodeKind, Signal, Way};
use crate::ground::Ground;
use crate::limits::Budget;
use crate::rules::LEGAL;
use crate::terms::TermId;

/// That exactly one role is on turn in every state: assumed first, then proved by [`Circuit::turns_hold`].
#[derive(Debug)]
pub(super) struct Turns {
    /// For each role the fact that says so.
    pub(super) guards: Vec<Signal>,
    /// Moves that only roles not on turn can make.
    pub(super) excluded: Vec<u32>,
    /// The moves that only the role on turn can make, as nodes in order.
    pub(super) active: Vec<u32>,
    /// That the role on turn makes another of its moves.
    pub(super) passing: Vec<Signal>,
}

impl Turns {
    /// Looks for a fact for each role which most of its moves need.
    pub(super) fn find(
        circuit: &mut Circuit,
        ground: &Ground,
        roles: &[TermId],
        signals: &[Signal],
        budget: &mut Budget,
    ) -> Option<Self> {
        let signal = |sentence: Option<TermId>| match sentence.map(|sentence| signals[sentence as usize]) {
            None | Some(NONE) => NEVER,
            Some(signal) => signal,
        };
        if roles.len() < 2 {
            return None;
        }
        let facts = circuit.facts.len() as u32;
        let is_fact = |signal: Signal| signal.is_multiple_of(2) && (1..=facts).contains(&(signal / 2));
        let mut guards = Vec::new();
        let mut legal: Vec<Vec<(u32, Signal)>> = Vec::new();
        for (seat, &role) in roles.iter().enumerate() {
            let nodes = circuit.first_move[seat]..;
            let of = |&action: &TermId| signal(ground.terms.find(LEGAL, &[role, action]));
            let moves: Vec<(u32, Signal)> = nodes.zip(circuit.moves[seat].iter().map(of)).collect();
            let mut frequency: HashMap<Signal, usize> = HashMap::new();
            for (_, legal) in &moves {
                if !budget.spend(8) {
                    return None;
                }
                for part in circuit.conjuncts(*legal).into_iter().filter(|&part| is_fact(part)) {
                    *frequency.entry(part).or_default() += 1;
                }
            }
            let best = frequency.into_iter().max_by_key(|&(part, count)| (count, std::cmp::Reverse(part)));
            guards.push(best.filter(|(_, count)| count * 2 > moves.len())?.0);
            legal.push(moves);
        }
        let mut different = guards.clone();
        different.sort_unstable();
        different.dedup();
        if different.len() < guards.len() {
            return None;
        }
        let (mut active, mut passing, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        for (moves, &guard) in legal.iter().zip(&guards) {
            let fixed = guards.iter().map(|&each| (each / 2, each == guard)).collect();
            let mut known = HashMap::new();
            for &(node, legal) in moves {
                // Through how many gates one must look is not known beforehand; each is looked through once.
                if !budget.spend(8 + known.len() as u64 / 64) {
                    return None;
                }
                if circuit.conjuncts(legal).contains(&guard) {
                    active.push(node);
                } else if circuit.constant(legal, &fixed, &mut known) == Some(false) {
                    excluded.push(node);
                } else {
                    passing.push(circuit.all_of(vec![node * 2, guard, legal]));
                }
            }
        }
        Some(Self { guards, excluded, active, passing })
    }
}

impl Circuit {
    /// The facts of which exactly one holds in every state, saying which role is on turn, if that could be proved.
    pub(crate) fn turn_facts(&self) -> Option<Vec<u32>> {
        self.turns.as_ref().map(|turns| turns.guards.iter().map(|guard| guard / 2 - 1).collect())
    }

    /// Whether exactly one role is on turn at first, and again after every step from a state where it is so. Takes the
    /// circuits of all turns.
    pub(crate) fn turns_hold(&self, initial: &[TermId], on_turn: &mut [Self]) -> bool {
        let Some(facts) = self.turn_facts() else { return false };
        if facts.iter().filter(|&&fact| initial.contains(&self.facts[fact as usize])).count() != 1 {
            return false;
        }
        on_turn.iter_mut().all(|circuit| {
            let next: Vec<Signal> = facts.iter().map(|&fact| circuit.next[fact as usize]).collect();
            let next: Vec<Signal> = next.into_iter().filter(|&signal| signal != NEVER).collect();
            // One of them: no move makes all of them false. Not two of them: each is made true by other moves.
            let denials: Vec<Vec<Signal>> = next.iter().map(|&signal| circuit.conjuncts(signal ^ 1)).collect();
            let is_move = |&signal: &Signal| signal % 2 == 1 && circuit.first_move[0] <= signal / 2;
            let by_moves = denials.iter().all(|denial| denial.iter().all(is_move));
            let mut all: Vec<Signal> = denials.concat();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            (next == [ALWAYS]) || (by_moves && all.len() == count && circuit.all_of(all) == NEVER)
        })
    }

    /// The circuit of the states in which a role is on turn: much of it is constant there. Of no use if a limit was
    /// reached.
    pub(crate) fn on_turn(&self, role: usize, budget: &mut Budget) -> Self {
        let mut circuit = Self {
            kinds: self.kinds[..self.fixed.len()].to_vec(),
            pool: Vec::new(),
            known: HashMap::new(),
            components: Vec::new(),
            facts: self.facts.clone(),
            moves: self.moves.clone(),
            first_move: self.first_move.clone(),
            turns: None,
            fixed: self.fixed.clone(),
            next: Vec::new(),
            legal: Vec::new(),
            goals: self.goals.clone(),
            terminal: NEVER,
        };
        if let Some(turns) = &self.turns {
            for (seat, &guard) in turns.guards.iter().enumerate() {
                circuit.fixed[(guard / 2) as usize] = if seat == role { ALWAYS } else { NEVER };
                let nodes = self.first_move[seat]..self.first_move[seat + 1];
                let passive: Vec<u32> =
                    nodes.clone().filter(|node| turns.active.binary_search(node).is_err()).collect();
                if seat != role {
                    nodes.filter(|node| !passive.contains(node)).for_each(|node| circuit.fixed[node as usize] = NEVER);
                    if let [only] = passive.as_slice() {
                        circuit.fixed[*only as usize] = ALWAYS;
                    }
                } else {
                    let never = passive.iter().filter(|node| turns.excluded.contains(node));
                    never.for_each(|&node| circuit.fixed[node as usize] = NEVER);
                }
            }
        }
        let mut signals = circuit.fixed.clone();
        for node in self.fixed.len() as u32..self.kinds.len() as u32 {
            let wide = if self.kind(node) == NodeKind::And { self.inputs(node).len() } else { 0 };
            if !budget.spend(wide as u64 + 1) || !budget.hold(self.bytes() + circuit.bytes()) {
                return circuit;
            }
            let here = |signals: &[Signal], signal: Signal| signals[(signal / 2) as usize] ^ (signal % 2);
            let signal = match self.kind(node) {
                NodeKind::And => {
                    let inputs = self.inputs(node).iter().map(|&input| here(&signals, input)).collect();
                    circuit.all_of(inputs)
                }
                NodeKind::Member(number) => {
                    let component = &self.components[number as usize];
                    if node == component.first {
                        let mut ways: Vec<Way> = component.ways.clone();
                        ways.iter_mut().for_each(|way| way.outside = here(&signals, way.outside));
                        ways.retain(|way| way.outside != NEVER);
                        let first = circuit.kinds.len() as u32;
                        let member = (NodeKind::Member(circuit.components.len() as u32), 0, 0);
                        circuit.kinds.extend((0..component.members).map(|_| member));
                        circuit.components.push(Component { first, members: component.members, ways });
                    }
                    let last = circuit.components.last().map_or(0, |last| last.first);
                    (last + node - component.first) * 2
                }
                NodeKind::Constant | NodeKind::Input => node * 2,
            };
            signals.push(signal);
        }
        let here = |signal: &Signal| signals[(signal / 2) as usize] ^ (signal % 2);
        circuit.next = self.next.iter().map(here).collect();
        circuit.legal = self.legal.iter().map(|legal| legal.iter().map(here).collect()).collect();
        circuit.terminal = here(&self.terminal);
        circuit
    }

    /// Uses that exactly one role is on turn: none of most moves of all roles is one of the others.
    pub(super) fn one_turn(&mut self, signals: &mut Vec<Signal>) {
        let Some(turns) = self.turns.take() else { return };
        let denied = |&signal: &Signal| signal % 2 == 1 && turns.active.binary_search(&(signal / 2)).is_ok();
        let count = signals.iter().filter(|signal| denied(signal)).count();
        if count * 2 > turns.active.len() {
            let (gone, mut rest): (Vec<Signal>, Vec<Signal>) = signals.iter().copied().partition(denied);
            let others = turns.active.iter().filter(|&&node| gone.binary_search(&(node * 2 + 1)).is_err());
            let others: Vec<Signal> = others.map(|node| node * 2).chain(turns.passing.iter().copied()).collect();
            rest.push(self.any_of(others));
            rest.sort_unstable();
            rest.dedup();
            *signals = rest;
        }
        self.turns = Some(turns);
    }

    /// Uses that the role makes exactly one move; false if the conjunction cannot hold.
    pub(super) fn one_move(&mut self, role: usize, signals: &mut Vec<Signal>) -> bool {
        let (from, to) = (self.first_move[role], self.first_move[role + 1]);
        // Signals are sorted, so the moves of a role stand together.
        let start = signals.partition_point(|&signal| signal / 2 < from);
        let end = signals.partition_point(|&signal| signal / 2 < to);
        if start == end {
            return true;
        }
        let mine = &signals[start..end];
        let made: Vec<Signal> = mine.iter().copied().filter(|signal| signal % 2 == 0).collect();
        match made.as_slice() {
            [] => {}
            [one] => {
                let one = *one;
                signals.drain(start..end);
                signals.insert(start, one);
                return true;
            }
            _ => return false,
        }
        if (end - start) * 2 <= (to - from) as usize {
            return true;
        }
        let unmade: Vec<u32> = mine.iter().map(|signal| signal / 2).collect();
        let others = (from..to).filter(|node| unmade.binary_search(node).is_err());
        let others: Vec<Signal> =
            others.map(|node| self.fixed[node as usize]).filter(|&signal| signal != NEVER).collect();
        signals.drain(start..end);
        let instead = match others.as_slice() {
            [] => return false,
            [single] => *single,
            _ => self.any_of(others),
        };
        if let Err(at) = signals.binary_search(&instead) {
            signals.insert(at, instead);
        }
        !signals.contains(&(instead ^ 1))
    }
}
