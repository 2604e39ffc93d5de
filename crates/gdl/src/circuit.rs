//! From instances of clauses to a circuit: conjunctions over signed inputs, each stored once.
//!
//! A disjunction is the negation of the conjunction of negations, so equal gates are recognised whichever way they are
//! written. Exactly one move of each role is made at a step: "one of these moves" with more than half of a role's moves
//! is turned into "none of the others", which makes what stays as it is cheap (Schkufza, Love and Genesereth,
//! *Propositional Automata and Cell Automata*, 2008, describe the circuits themselves).

use std::collections::HashMap;

use crate::graph::Graph;
use crate::ground::{Ground, Instances};
use crate::limits::{Budget, Stop};
use crate::rules::{DOES, GOAL, LEGAL, NEXT, TERMINAL, TRUE};
use crate::terms::{TermId, mix_in};

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
    fn constant(
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
    fn any_of_all(&mut self, mut alternatives: Vec<Vec<Signal>>, some: bool, budget: &mut Budget) -> Signal {
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

    fn any_of(&mut self, signals: Vec<Signal>) -> Signal {
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
    fn one_turn(&mut self, signals: &mut Vec<Signal>) {
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
    fn one_move(&mut self, role: usize, signals: &mut Vec<Signal>) -> bool {
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

/// That exactly one role is on turn in every state: assumed first, then proved by [`Circuit::turns_hold`].
#[derive(Debug)]
struct Turns {
    /// For each role the fact that says so.
    guards: Vec<Signal>,
    /// Moves that only roles not on turn can make.
    excluded: Vec<u32>,
    /// The moves that only the role on turn can make, as nodes in order.
    active: Vec<u32>,
    /// That the role on turn makes another of its moves.
    passing: Vec<Signal>,
}

impl Turns {
    /// Looks for a fact for each role which most of its moves need.
    fn find(
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

/// The instances, sorted by what they derive, in the order in which it was first derived.
struct RulesByHead<'a> {
    instances: &'a Instances,
    heads: Vec<TermId>,
    /// The place of a sentence among the heads.
    number: Vec<u32>,
    /// Where the instances of each head end in `starts`.
    ends: Vec<u32>,
    /// Where instances start.
    starts: Vec<u32>,
}

impl<'a> RulesByHead<'a> {
    fn new(ground: &'a Ground, budget: &mut Budget) -> Result<Self, Stop> {
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
    fn of(&self, at: usize) -> impl Iterator<Item = &'a [u32]> {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        let instances = self.instances;
        self.starts[start as usize..self.ends[at] as usize].iter().map(move |&start| instances.conditions(start))
    }

    fn bytes(&self) -> usize {
        (self.heads.capacity() + self.number.len() + self.ends.len() + self.starts.len()) * 4
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

/// Ground literals to signals; what can never hold is false.
fn translate(conditions: &[u32], signals: &[Signal]) -> Vec<Signal> {
    let signal = |literal: &u32| match signals[(literal / 2) as usize] {
        NONE => NEVER ^ (literal % 2),
        known => known ^ (literal % 2),
    };
    conditions.iter().map(signal).collect()
}

#[cfg(test)]
mod tests;
