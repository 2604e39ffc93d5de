//! From instances of clauses to a circuit: conjunctions over signed inputs, each stored once.
//!
//! A disjunction is the negation of the conjunction of negations, so equal gates are recognised whichever way they are
//! written. Exactly one move of each role is made at a step: "one of these moves" with more than half of a role's moves
//! is turned into "none of the others", which makes what stays as it is cheap (Schkufza, Love and Genesereth,
//! *Propositional Automata and Cell Automata*, 2008, describe the circuits themselves).

mod conjunctions;
mod heads;
mod turns;

use std::collections::HashMap;

use crate::graph::Graph;
use crate::ground::Ground;
use crate::limits::{Budget, Stop};
use crate::rules::{DOES, GOAL, LEGAL, NEXT, TERMINAL, TRUE};
use crate::terms::TermId;
use heads::{RulesByHead, translate};
use turns::Turns;

/// Twice the number of a node, plus one if it is negated.
pub(crate) type Signal = u32;

/// Node 0 is never true.
pub(crate) const NEVER: Signal = 0;
/// And its negation always.
pub(crate) const ALWAYS: Signal = 1;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// The constant.
    Constant,
    /// A state fact or a move.
    Input,
    /// A conjunction of `inputs(node)`.
    And,
    /// A sentence of the recursive component with this number.
    Member(u32),
}

/// A way to derive a sentence of a recursive component.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// Which member it derives.
    pub(crate) head: u32,
    /// What must hold outside of the component.
    pub(crate) outside: Signal,
    /// Which members must hold.
    pub(crate) inside: Vec<u32>,
}

/// Sentences that depend on each other; they hold if they have to (least fixpoint).
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// The nodes of its members are numbered from here.
    pub(crate) first: u32,
    pub(crate) members: u32,
    pub(crate) ways: Vec<Way>,
}

/// The circuit of a game with the signals a machine asks for.
#[derive(Debug)]
pub(crate) struct Circuit {
    kinds: Vec<(NodeKind, u32, u32)>,
    pool: Vec<Signal>,
    known: HashMap<u64, u32>,
    pub(crate) components: Vec<Component>,
    /// Facts, then the moves of each role.
    pub(crate) facts: Vec<TermId>,
    pub(crate) moves: Vec<Vec<TermId>>,
    /// The node of the first move of each role, and the one after the last move.
    first_move: Vec<u32>,
    turns: Option<Turns>,
    /// Inputs that are known, as constants; others as themselves.
    fixed: Vec<Signal>,
    pub(crate) next: Vec<Signal>,
    pub(crate) legal: Vec<Vec<Signal>>,
    pub(crate) goals: Vec<Vec<(u8, Signal)>>,
    pub(crate) terminal: Signal,
}

/// Why there is no circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoCircuit {
    /// A sentence depends on its own negation in some state.
    Unstratified(TermId),
    /// A limit is reached.
    Stopped(Stop),
}

impl From<Stop> for NoCircuit {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

const NONE: u32 = u32::MAX;

impl Circuit {
    /// Builds the circuit; facts and moves are taken in the order given.
    pub(crate) fn new(
        ground: &Ground,
        roles: &[TermId],
        facts: Vec<TermId>,
        moves: Vec<Vec<TermId>>,
        assume_turns: bool,
        goal_value: &dyn Fn(TermId) -> Option<u8>,
        budget: &mut Budget,
    ) -> Result<Self, NoCircuit> {
        let mut circuit = Self {
            kinds: vec![(NodeKind::Constant, 0, 0)],
            pool: Vec::new(),
            known: HashMap::new(),
            components: Vec::new(),
            first_move: Vec::new(),
            turns: None,
            fixed: Vec::new(),
            next: Vec::new(),
            legal: Vec::new(),
            goals: Vec::new(),
            terminal: NEVER,
            facts,
            moves,
        };
        let mut signals = vec![NONE; ground.terms.len()];
        for &fact in &circuit.facts {
            if let Some(sentence) = ground.terms.find(TRUE, &[fact]) {
                signals[sentence as usize] = circuit.kinds.len() as u32 * 2;
            }
            circuit.kinds.push((NodeKind::Input, 0, 0));
        }
        for (actions, &role) in circuit.moves.iter().zip(roles) {
            circuit.first_move.push(circuit.kinds.len() as u32);
            for &action in actions {
                if let Some(sentence) = ground.terms.find(DOES, &[role, action]) {
                    signals[sentence as usize] = circuit.kinds.len() as u32 * 2;
                }
                circuit.kinds.push((NodeKind::Input, 0, 0));
            }
        }
        circuit.first_move.push(circuit.kinds.len() as u32);
        circuit.fixed = (0..circuit.kinds.len() as u32).map(|node| node * 2).collect();
        circuit.define(ground, roles, assume_turns, &mut signals, budget)?;
        let signal = |sentence: Option<TermId>| match sentence.map(|sentence| signals[sentence as usize]) {
            None | Some(NONE) => NEVER,
            Some(signal) => signal,
        };
        circuit.next = circuit.facts.iter().map(|&fact| signal(ground.terms.find(NEXT, &[fact]))).collect();
        circuit.terminal = signal(ground.terms.find(TERMINAL, &[]));
        for (&role, actions) in roles.iter().zip(&circuit.moves) {
            let legal = actions.iter().map(|&action| signal(ground.terms.find(LEGAL, &[role, action])));
            circuit.legal.push(legal.collect());
        }
        circuit.goals = vec![Vec::new(); roles.len()];
        for (head, _) in ground.instances.iter().filter(|(head, _)| ground.terms.name(*head) == GOAL) {
            let [role, value] = *ground.terms.arguments(head) else { continue };
            let (Some(seat), Some(value)) = (roles.iter().position(|&each| each == role), goal_value(value)) else {
                continue;
            };
            let entry = (value, signals[head as usize]);
            if !circuit.goals[seat].contains(&entry) {
                circuit.goals[seat].push(entry);
            }
        }
        circuit.goals.iter_mut().for_each(|goals| goals.sort_unstable());
        Ok(circuit)
    }

    /// Gives every derived sentence its signal, those first that others depend on.
    fn define(
        &mut self,
        ground: &Ground,
        roles: &[TermId],
        assume_turns: bool,
        signals: &mut [Signal],
        budget: &mut Budget,
    ) -> Result<(), NoCircuit> {
        let rules = RulesByHead::new(ground, budget)?;
        // What stands beside the instances while they become gates: who needs whom, and in which order.
        budget.grow(rules.bytes() + ground.instances.bytes() + rules.heads.len() * 16);
        let (mut graph, mut below) = (Graph::default(), Vec::new());
        for at in 0..rules.heads.len() {
            if !budget.spend(1) {
                budget.check()?;
            }
            let literals = rules.of(at).flat_map(|conditions| conditions.iter());
            below.clear();
            below.extend(literals.map(|literal| rules.number[(literal / 2) as usize]).filter(|&to| to != NONE));
            below.sort_unstable();
            below.dedup();
            graph.push(below.iter().copied());
        }
        // What no move touches comes first: it shows whose turn it is, and that helps with the rest.
        let components = graph.components(budget);
        budget.check()?;
        let mut moved = vec![false; rules.heads.len()];
        for members in components.iter() {
            let reads_moves = |&member: &u32| {
                let conditions = rules.of(member as usize).flat_map(|conditions| conditions.iter());
                conditions.map(|literal| literal / 2).any(|sentence| {
                    let to = rules.number[sentence as usize];
                    ground.terms.name(sentence) == DOES || (to != NONE && moved[to as usize])
                })
            };
            let touched = members.iter().any(reads_moves);
            members.iter().for_each(|&member| moved[member as usize] = touched);
            if !budget.spend(members.len() as u64) {
                budget.check()?;
            }
        }
        for late in [false, true] {
            if late && assume_turns {
                self.turns = Turns::find(self, ground, roles, signals, budget);
            }
            for members in components.iter().filter(|members| moved[members[0] as usize] == late) {
                budget.hold(self.bytes());
                budget.check()?;
                if members.len() == 1 {
                    let at = members[0] as usize;
                    let alternatives = rules.of(at).map(|conditions| translate(conditions, signals)).collect();
                    signals[rules.heads[at] as usize] = self.any_of_all(alternatives, late, budget);
                } else {
                    self.define_cycle(members, &rules, signals, budget)?;
                }
            }
        }
        Ok(())
    }

    fn define_cycle(
        &mut self,
        members: &[u32],
        rules: &RulesByHead<'_>,
        signals: &mut [Signal],
        budget: &mut Budget,
    ) -> Result<(), NoCircuit> {
        let place: HashMap<TermId, u32> =
            members.iter().zip(0..).map(|(&member, place)| (rules.heads[member as usize], place)).collect();
        let mut ways = Vec::new();
        for (&member, head) in members.iter().zip(0..) {
            for conditions in rules.of(member as usize) {
                if !budget.spend(conditions.len() as u64 + 1) || !budget.hold(self.bytes() + ways.len() * 80) {
                    budget.check()?;
                }
                let mut inside: Vec<u32> = Vec::new();
                let mut outside: Vec<u32> = Vec::new();
                for &literal in conditions {
                    match place.get(&(literal / 2)) {
                        Some(_) if literal % 2 == 1 => return Err(NoCircuit::Unstratified(literal / 2)),
                        Some(&member) => inside.push(member),
                        None => outside.push(literal),
                    }
                }
                inside.sort_unstable();
                inside.dedup();
                let outside = self.all_of(translate(&outside, signals));
                if outside != NEVER && !inside.contains(&head) {
                    ways.push(Way { head, outside, inside });
                }
            }
        }
        let first = self.kinds.len() as u32;
        for (&member, node) in members.iter().zip(first..) {
            self.kinds.push((NodeKind::Member(self.components.len() as u32), 0, 0));
            signals[rules.heads[member as usize] as usize] = node * 2;
        }
        self.components.push(Component { first, members: members.len() as u32, ways });
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// How many inputs its gates have.
    pub(crate) fn connections(&self) -> usize {
        self.pool.len() + self.components.iter().map(|component| component.ways.len() * 4).sum::<usize>()
    }

    /// About how many bytes its gates take.
    pub(crate) fn bytes(&self) -> usize {
        self.kinds.capacity() * 16 + self.pool.capacity() * 4 + self.known.capacity() * 18
    }

    pub(crate) fn kind(&self, node: u32) -> NodeKind {
        self.kinds[node as usize].0
    }

    pub(crate) fn inputs(&self, node: u32) -> &[Signal] {
        let (_, start, end) = self.kinds[node as usize];
        &self.pool[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests;
