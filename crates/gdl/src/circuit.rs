//! From instances of clauses to a circuit: conjunctions over signed inputs, each stored once.
//!
//! A disjunction is the negation of the conjunction of negations, so equal gates are recognised whichever way they are
//! written. Exactly one move of each role is made at a step: "one of these moves" with more than half of a role's moves
//! is turned into "none of the others", which makes what stays as it is cheap (Schkufza, Love and Genesereth,
//! *Propositional Automata and Cell Automata*, 2008, describe the circuits themselves).

use std::collections::HashMap;

use crate::graph;
use crate::ground::Ground;
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

/// A sentence depends on its own negation in some state.
#[derive(Debug)]
pub(crate) struct Unstratified(pub(crate) TermId);

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
    ) -> Result<Self, Unstratified> {
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
        circuit.define(ground, roles, assume_turns, &mut signals)?;
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
    ) -> Result<(), Unstratified> {
        let mut number = vec![NONE; ground.terms.len()];
        let mut heads = Vec::new();
        for (head, _) in ground.instances.iter() {
            if number[head as usize] == NONE {
                number[head as usize] = heads.len() as u32;
                heads.push(head);
            }
        }
        let mut rules: Vec<Vec<&[u32]>> = vec![Vec::new(); heads.len()];
        for (head, conditions) in ground.instances.iter() {
            rules[number[head as usize] as usize].push(conditions);
        }
        let successors: Vec<Vec<u32>> = rules
            .iter()
            .map(|each| {
                let mut below: Vec<u32> = each
                    .iter()
                    .flat_map(|conditions| conditions.iter())
                    .map(|literal| number[(literal / 2) as usize])
                    .filter(|&to| to != NONE)
                    .collect();
                below.sort_unstable();
                below.dedup();
                below
            })
            .collect();
        // What no move touches comes first: it shows whose turn it is, and that helps with the rest.
        let components = graph::components(&successors);
        let mut moved = vec![false; heads.len()];
        for members in &components {
            let reads_moves = |&member: &u32| {
                let conditions = rules[member as usize].iter().flat_map(|conditions| conditions.iter());
                conditions.map(|literal| literal / 2).any(|sentence| {
                    let to = number[sentence as usize];
                    ground.terms.name(sentence) == DOES || (to != NONE && moved[to as usize])
                })
            };
            let touched = members.iter().any(reads_moves);
            members.iter().for_each(|&member| moved[member as usize] = touched);
        }
        for late in [false, true] {
            if late && assume_turns {
                self.turns = Turns::find(self, ground, roles, signals);
            }
            for members in components.iter().filter(|members| moved[members[0] as usize] == late) {
                if members.len() == 1 {
                    let at = members[0] as usize;
                    let alternatives = rules[at].iter().map(|conditions| translate(conditions, signals)).collect();
                    signals[heads[at] as usize] = self.any_of_all(alternatives, late);
                } else {
                    self.define_cycle(members, &heads, &rules, signals)?;
                }
            }
        }
        Ok(())
    }

    fn define_cycle(
        &mut self,
        members: &[u32],
        heads: &[TermId],
        rules: &[Vec<&[u32]>],
        signals: &mut [Signal],
    ) -> Result<(), Unstratified> {
        let place: HashMap<TermId, u32> =
            members.iter().enumerate().map(|(place, &member)| (heads[member as usize], place as u32)).collect();
        let mut ways = Vec::new();
        for (&member, head) in members.iter().zip(0..) {
            for conditions in &rules[member as usize] {
                let mut inside: Vec<u32> = Vec::new();
                let mut outside: Vec<u32> = Vec::new();
                for &literal in *conditions {
                    match place.get(&(literal / 2)) {
                        Some(_) if literal % 2 == 1 => return Err(Unstratified(literal / 2)),
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
            signals[heads[member as usize] as usize] = node * 2;
        }
        self.components.push(Component { first, members: members.len() as u32, ways });
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
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
        if held.binary_search(&signal).is_ok() {
            return ALWAYS;
        }
        let parts = self.conjuncts(signal);
        if !parts.iter().any(|part| held.binary_search(part).is_ok()) || parts == [signal] {
            return signal;
        }
        let inputs = self.inputs(signal / 2).to_vec();
        let left = inputs.into_iter().map(|input| self.without(input, held)).collect();
        self.all_of(left)
    }

    /// The value that a signal has whenever the given inputs have theirs, if that can be seen.
    fn constant(
        &self,
        signal: Signal,
        fixed: &HashMap<u32, bool>,
        known: &mut HashMap<u32, Option<bool>>,
    ) -> Option<bool> {
        let node = signal / 2;
        let value = if node == 0 {
            Some(false)
        } else if let Some(&value) = fixed.get(&node) {
            Some(value)
        } else if let Some(&value) = known.get(&node) {
            value
        } else if self.kind(node) == NodeKind::And {
            let mut all = Some(true);
            for &input in self.inputs(node) {
                match self.constant(input, fixed, known) {
                    Some(true) => {}
                    Some(false) => {
                        all = Some(false);
                        break;
                    }
                    None => all = None,
                }
            }
            known.insert(node, all);
            all
        } else {
            None
        };
        value.map(|value| value ^ (signal % 2 == 1))
    }

    /// The disjunction of conjunctions, with what all have in common taken out, or also what some have in common. The
    /// latter is for what depends on moves: elsewhere a condition that seldom holds keeps changes from spreading better
    /// if it stands in every conjunction.
    fn any_of_all(&mut self, mut alternatives: Vec<Vec<Signal>>, some: bool) -> Signal {
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
                common.push(self.any_of_all(rest, some));
                return self.all_of(common);
            }
        }
        let mut parts = Vec::new();
        while some && let Some(shared) = most_shared(&alternatives) {
            let (inside, outside): (Vec<_>, Vec<_>) =
                alternatives.into_iter().partition(|each| each.binary_search(&shared).is_ok());
            parts.push(self.any_of_all(inside, some));
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

    /// The circuit of the states in which a role is on turn: much of it is constant there.
    pub(crate) fn on_turn(&self, role: usize) -> Self {
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
    fn find(circuit: &mut Circuit, ground: &Ground, roles: &[TermId], signals: &[Signal]) -> Option<Self> {
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
mod tests {
    use super::*;
    use crate::ground::ground;
    use crate::program::Program;
    use crate::rules::Rules;

    /// A circuit of inputs alone: facts, then the moves of each role.
    fn inputs(facts: u32, moves: &[u32]) -> Circuit {
        let total = facts + moves.iter().sum::<u32>();
        let mut first_move = vec![facts + 1];
        moves.iter().for_each(|count| first_move.push(first_move[first_move.len() - 1] + count));
        let mut kinds = vec![(NodeKind::Constant, 0, 0)];
        kinds.extend((0..total).map(|_| (NodeKind::Input, 0, 0)));
        Circuit {
            kinds,
            pool: Vec::new(),
            known: HashMap::new(),
            components: Vec::new(),
            facts: (0..facts).collect(),
            moves: moves.iter().map(|&count| (0..count).collect()).collect(),
            first_move,
            turns: None,
            fixed: (0..=total).map(|node| node * 2).collect(),
            next: Vec::new(),
            legal: Vec::new(),
            goals: Vec::new(),
            terminal: NEVER,
        }
    }

    /// The circuit of a sheet, with the texts of its facts and of the moves of its roles, in the order of its inputs.
    fn of_sheet(text: &str, assume_turns: bool) -> (Result<Circuit, String>, Vec<String>, Vec<Vec<String>>) {
        let program = Program::new(&Rules::parse(text).expect("rules"), &mut 100_000).expect("a program");
        let ground = ground(&program, 1000, &mut 100_000).expect("instances");
        let spell = |term: TermId| {
            let mut text = String::new();
            ground.terms.write(&program.names, term, &mut text);
            text
        };
        let (mut facts, mut moves) = (ground.facts.clone(), ground.moves.clone());
        facts.sort_by_cached_key(|&term| spell(term));
        moves.iter_mut().for_each(|list| list.sort_by_cached_key(|&term| spell(term)));
        let spelled = |list: &Vec<TermId>| list.iter().map(|&term| spell(term)).collect::<Vec<_>>();
        let texts = (spelled(&facts), moves.iter().map(spelled).collect());
        let value = |term| spell(term).parse().ok();
        let circuit = Circuit::new(&ground, &program.roles, facts, moves, assume_turns, &value);
        (circuit.map_err(|fault| spell(fault.0)), texts.0, texts.1)
    }

    /// What a signal is worth, worked out by recursion; `holds` are the nodes of the inputs that are true.
    fn value(circuit: &Circuit, signal: Signal, holds: &[u32]) -> bool {
        let node = signal / 2;
        let plain = match circuit.kind(node) {
            NodeKind::Constant => false,
            NodeKind::Input => holds.contains(&node),
            NodeKind::And => circuit.inputs(node).iter().all(|&input| value(circuit, input, holds)),
            NodeKind::Member(number) => {
                let component = &circuit.components[number as usize];
                let mut derived = vec![false; component.members as usize];
                for _ in 0..component.members {
                    for way in &component.ways {
                        let inside = way.inside.iter().all(|&member| derived[member as usize]);
                        derived[way.head as usize] |= inside && value(circuit, way.outside, holds);
                    }
                }
                derived[(node - component.first) as usize]
            }
        };
        plain ^ (signal % 2 == 1)
    }

    const A: Signal = 2;
    const B: Signal = 4;
    const C: Signal = 6;
    const D: Signal = 8;

    #[test]
    fn conjunctions_are_simplified_and_stored_once() {
        let mut circuit = inputs(3, &[]);
        assert_eq!(circuit.all_of(vec![]), ALWAYS);
        assert_eq!(circuit.all_of(vec![B, B, ALWAYS]), B);
        assert_eq!(circuit.all_of(vec![A, NEVER]), NEVER);
        assert_eq!(circuit.all_of(vec![B, A, A ^ 1]), NEVER);
        assert_eq!(circuit.len(), 4, "nothing so far needs a node");
        let both = circuit.all_of(vec![B, A]);
        assert_eq!(circuit.inputs(both / 2), [A, B]);
        assert_eq!(circuit.all_of(vec![A, B]), both);
        assert_eq!(circuit.any_of(vec![A ^ 1, B ^ 1]), both ^ 1, "not both");
        assert_eq!(circuit.any_of(vec![A, A ^ 1]), ALWAYS);
        assert_eq!(circuit.any_of(vec![]), NEVER);
        assert_eq!(circuit.len(), 5);
    }

    #[test]
    fn conjunctions_are_opened_and_lessened() {
        let mut circuit = inputs(4, &[]);
        let inner = circuit.all_of(vec![B, C]);
        let outer = circuit.all_of(vec![A, inner]);
        assert_eq!(circuit.conjuncts(outer), [A, B, C]);
        assert_eq!(circuit.conjuncts(outer ^ 1), [outer ^ 1], "a negated conjunction is none");
        assert_eq!(circuit.conjuncts(ALWAYS), []);
        assert_eq!(circuit.without(outer, &[B]), circuit.all_of(vec![A, C]));
        assert_eq!(circuit.without(outer, &[A, B, C]), ALWAYS);
        assert_eq!(circuit.without(outer, &[D]), outer);
    }

    #[test]
    fn what_alternatives_share_is_taken_out() {
        let mut circuit = inputs(4, &[]);
        let either = circuit.any_of(vec![B, C]);
        let shared = circuit.all_of(vec![A, either]);
        assert_eq!(circuit.any_of_all(vec![vec![A, B], vec![C, A, ALWAYS]], false), shared);
        // What only some share is taken out if that is asked for.
        let alternatives = vec![vec![A, B], vec![A, C], vec![D], vec![B, NEVER]];
        assert_eq!(circuit.any_of_all(alternatives.clone(), true), circuit.any_of(vec![shared, D]));
        let (ab, ac) = (circuit.all_of(vec![A, B]), circuit.all_of(vec![A, C]));
        assert_eq!(circuit.any_of_all(alternatives, false), circuit.any_of(vec![ab, ac, D]));
        assert_eq!(circuit.any_of_all(vec![], true), NEVER);
        assert_eq!(circuit.any_of_all(vec![vec![A], vec![]], true), ALWAYS);
    }

    #[test]
    fn a_role_makes_exactly_one_move() {
        // Node 1 is a fact, 2 to 4 are moves.
        let mut circuit = inputs(1, &[3]);
        let (first, second, third) = (4, 6, 8);
        assert_eq!(circuit.all_of(vec![first, second]), NEVER);
        assert_eq!(circuit.all_of(vec![first, second ^ 1]), first);
        assert_eq!(circuit.all_of(vec![first ^ 1, second ^ 1]), third);
        assert_eq!(circuit.any_of(vec![first, second]), third ^ 1);
        assert_eq!(circuit.any_of(vec![first, second, third]), ALWAYS);
        assert_eq!(circuit.all_of(vec![first ^ 1, second ^ 1, third ^ 1]), NEVER);
        assert_eq!(circuit.len(), 5, "no gate was needed");
    }

    #[test]
    fn constants_are_seen_through_gates() {
        let mut circuit = inputs(2, &[]);
        let both = circuit.all_of(vec![A, B ^ 1]);
        let under = |signal, fixed: &[(u32, bool)]| {
            circuit.constant(signal, &fixed.iter().copied().collect(), &mut HashMap::new())
        };
        assert_eq!(under(both, &[(1, false)]), Some(false));
        assert_eq!(under(both ^ 1, &[(2, true)]), Some(true));
        assert_eq!(under(both, &[(1, true)]), None);
        assert_eq!(under(both, &[(1, true), (2, false)]), Some(true));
        assert_eq!(under(ALWAYS, &[]), Some(true));
    }

    #[test]
    fn a_switch_has_its_table() {
        let (circuit, facts, moves) = of_sheet(
            "(role me) (init off) (legal me flip) (<= (legal me rest) (true on))
             (<= (next on) (does me flip) (true off)) (<= (next on) (does me rest) (true on))
             (<= (next off) (does me flip) (true on)) (<= (next off) (does me rest) (true off))
             (<= terminal (true on) (true off)) (<= (goal me 100) (true on)) (<= (goal me 0) (not (true on)))",
            true,
        );
        let circuit = circuit.expect("a circuit");
        assert_eq!(
            (facts, moves),
            (vec!["off".to_string(), "on".to_string()], vec![vec!["flip".into(), "rest".into()]])
        );
        let (off, on, flip, rest) = (1, 2, 3, 4);
        for (holds, next) in [
            ([off, flip], [false, true]),
            ([off, rest], [true, false]),
            ([on, flip], [true, false]),
            ([on, rest], [false, true]),
        ] {
            let found: Vec<bool> = circuit.next.iter().map(|&signal| value(&circuit, signal, &holds)).collect();
            assert_eq!(found, next, "{holds:?}");
        }
        assert_eq!(circuit.legal, [[ALWAYS, on * 2]]);
        assert_eq!(circuit.goals, [[(0, on * 2 + 1), (100, on * 2)]]);
        assert!(value(&circuit, circuit.terminal, &[on, off]) && !value(&circuit, circuit.terminal, &[on]));
        assert_eq!(circuit.turn_facts(), None, "one role has no turns");
    }

    /// Two roles in turn, who may shout or be silent; the other waits.
    const TURNS: &str = "
        (role x) (role o) (init (turn x)) (other x o) (other o x) (word shout) (word hush)
        (<= (legal ?r ?w) (true (turn ?r)) (word ?w)) (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o)) (<= (next loud) (does ?r shout))
        (<= terminal (true loud)) (goal x 50) (goal o 50)";

    #[test]
    fn turns_are_found_and_proved() {
        let (circuit, facts, moves) = of_sheet(TURNS, true);
        let circuit = circuit.expect("a circuit");
        assert_eq!(facts, ["(turn o)", "(turn x)", "loud"]);
        assert_eq!(moves[0], ["hush", "shout", "wait"]);
        assert_eq!(circuit.turn_facts(), Some(vec![1, 0]), "x comes first");
        let mut on_turn: Vec<Circuit> = (0..2).map(|role| circuit.on_turn(role)).collect();
        assert_eq!(on_turn[0].legal, [[ALWAYS, ALWAYS, NEVER], [NEVER, NEVER, ALWAYS]]);
        assert_eq!(on_turn[1].legal, [[NEVER, NEVER, ALWAYS], [ALWAYS, ALWAYS, NEVER]]);
        // After x it is the turn of o; loud if x shouts, whose moves are the nodes from 4.
        assert_eq!(on_turn[0].next, [ALWAYS, NEVER, 5 * 2]);
        let initial = [circuit.facts[1]];
        assert!(circuit.turns_hold(&initial, &mut on_turn));
        assert!(!circuit.turns_hold(&[], &mut on_turn), "nobody would be on turn");
        assert!(!circuit.turns_hold(&circuit.facts, &mut on_turn), "both would be");
    }

    #[test]
    fn turns_that_may_be_kept_are_not_proved() {
        // After a shout it is nobody's turn.
        let text = TURNS.replace("(true (turn ?r)) (other ?r ?o))", "(true (turn ?r)) (other ?r ?o) (does ?r hush))");
        let (circuit, ..) = of_sheet(&text, true);
        let circuit = circuit.expect("a circuit");
        assert!(circuit.turn_facts().is_some());
        let mut on_turn: Vec<Circuit> = (0..2).map(|role| circuit.on_turn(role)).collect();
        assert!(!circuit.turns_hold(&[circuit.facts[1]], &mut on_turn));
    }

    #[test]
    fn recursion_is_a_least_fixpoint() {
        let (circuit, facts, _) = of_sheet(
            "(role me) (init (open a)) (init (open b)) (init (open c)) (legal me rest) (link a b) (link b c) (link c b)
             (<= (next (open ?x)) (reached ?x)) (goal me 0) (<= terminal (not (reached c)))
             (<= (reached a) (true (open a)))
             (<= (reached ?y) (reached ?x) (link ?x ?y) (true (open ?y)))",
            false,
        );
        let circuit = circuit.expect("a circuit");
        assert_eq!(facts, ["(open a)", "(open b)", "(open c)"]);
        assert_eq!(circuit.components.len(), 1);
        assert_eq!(circuit.components[0].members, 2, "only b and c need each other");
        let next =
            |holds: &[u32]| circuit.next.iter().map(|&signal| value(&circuit, signal, holds)).collect::<Vec<_>>();
        assert_eq!(next(&[1, 2, 3]), [true, true, true]);
        assert_eq!(next(&[1, 3]), [true, false, false]);
        assert_eq!(next(&[2, 3]), [false, false, false], "b and c do not reach each other out of nothing");
        assert!(value(&circuit, circuit.terminal, &[1, 3]));
    }

    #[test]
    fn a_sentence_may_not_depend_on_its_negation() {
        let (circuit, ..) = of_sheet(
            "(role me) (init on) (legal me rest) (goal me 0) (<= terminal odd)
             (<= odd (true on) (not even)) (<= even (true on) odd)",
            false,
        );
        assert_eq!(circuit.map(|_| ()), Err("even".to_string()));
    }
}
