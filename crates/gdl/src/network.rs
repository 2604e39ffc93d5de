//! The circuit packed for play: only what changes is computed again.
//!
//! Every gate counts what it lacks: the counter is zero exactly if all inputs are as wanted. A changed node adds to or
//! takes from the counters of its readers; a reader whose counter reaches or leaves zero is marked, and marks are worked
//! off in the order of the circuit, so that no gate is looked at twice. A mark is toggled: what changes and changes back
//! costs nothing. What somebody outside wants to know is a gate after all others whose mark stays: the marks there are
//! the values.

use crate::circuit::{Circuit, NodeKind, Signal};
use crate::limits::{Budget, Stop};

/// A part of the circuit that is evaluated as a least fixpoint.
#[derive(Clone, Debug)]
struct Recursion {
    /// The gates of the conditions outside, one for each way; those of the members follow them.
    conditions: u32,
    first: u32,
    members: u32,
    /// For each way: the member it derives, and how many members it needs.
    ways: Vec<(u32, u32)>,
    /// For each member, the ways that need it.
    needed_by: Vec<Vec<u32>>,
}

/// A packed circuit. Inputs are numbered from 0, gates follow.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// Where the readers of a node begin; they end where those of the next begin.
    readers: Vec<u32>,
    /// Twice the gate, plus one if it wants the node false.
    targets: Vec<u32>,
    inputs: u32,
    gates: usize,
    recursions: Vec<Recursion>,
    /// The words of marks that belong to gates, as blocks of 64 words.
    blocks: usize,
    /// The first word of the outputs.
    pub(crate) outputs: usize,
    /// The first block of counted outputs, and the group of each word from there.
    counted: usize,
    groups: Vec<u32>,
    start: Option<Box<Values>>,
}

/// What a thread keeps of a network: the values of everything.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// Minus the number of inputs that are not as wanted.
    counters: Vec<i32>,
    /// Marks of gates that changed, then the values of the outputs.
    pub(crate) marks: Vec<u64>,
    /// Which words of marks have changed.
    summary: Vec<u64>,
    /// Set bits of each word of counted outputs.
    pub(crate) counts: Vec<u8>,
    /// Set bits of each group.
    pub(crate) totals: Vec<u32>,
    members: Vec<Vec<bool>>,
    ready: Vec<u32>,
    lacking: Vec<u32>,
    /// What has been done so far: readers told, and a share for each node that changed.
    pub(crate) work: u64,
}

/// A run of output bits, which begins with a new word.
pub(crate) struct Wanted {
    pub(crate) signals: Vec<Signal>,
    /// Whether the set bits are counted, as those of a group. Such runs come last.
    pub(crate) counted: bool,
}

const BLOCK: u32 = 64 * 64;

/// Taking up a node costs about as much as telling so many readers.
const COST_OF_NODE: u64 = 6;

/// Few of many readers change, which branches foresee; which of few readers change nobody can foresee.
const LONG: usize = 12;

impl Network {
    /// Packs what the wanted signals depend on. Output bits of the n-th run begin at the n-th number returned, counted
    /// from the first bit of all marks.
    pub(crate) fn new(
        circuit: &Circuit,
        input_count: usize,
        wanted: &[Wanted],
        budget: &mut Budget,
    ) -> Result<(Self, Vec<u32>), Stop> {
        // Numbers and marks of all nodes; a list of readers and a counter for each of them; readers, once in lists that
        // grow and once packed; values to start from.
        let outputs: usize = wanted.iter().map(|run| run.signals.len() + BLOCK as usize).sum();
        budget.grow(circuit.len() * (5 + 16) + circuit.connections() * 12 + outputs * 16);
        budget.spend((circuit.len() + circuit.connections()) as u64 / 4);
        budget.check()?;
        let used = reachable(circuit, wanted);
        // Node 0 is the constant, inputs follow.
        let mut number = vec![u32::MAX; circuit.len()];
        let mut next = 0;
        let mut recursions = Vec::new();
        for node in 1..circuit.len() as u32 {
            if node > input_count as u32 && !used[node as usize] {
                continue;
            }
            if let NodeKind::Member(component) = circuit.kind(node) {
                let component = &circuit.components[component as usize];
                if component.first == node {
                    let mut needed_by = vec![Vec::new(); component.members as usize];
                    let mut ways = Vec::new();
                    for (way, at) in component.ways.iter().zip(0..) {
                        ways.push((way.head, way.inside.len() as u32));
                        way.inside.iter().for_each(|&member| needed_by[member as usize].push(at));
                    }
                    let conditions = next - input_count as u32;
                    next += ways.len() as u32;
                    let first = next - input_count as u32;
                    recursions.push(Recursion { conditions, first, members: component.members, ways, needed_by });
                }
            }
            number[node as usize] = next;
            next += 1;
        }
        let nodes = next as usize;
        // Pairs of a node and who reads it, sorted into lists by counting.
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(circuit.connections());
        let mut counters = vec![0i32; nodes - input_count];
        let mut connect = |signal: Signal, gate: u32, counters: &mut Vec<i32>| {
            // A constant that is as wanted adds nothing; one that is not keeps the gate false for ever.
            counters[gate as usize] -= i32::from(signal.is_multiple_of(2));
            if signal / 2 != 0 {
                edges.push((number[(signal / 2) as usize], gate * 2 + signal % 2));
            }
        };
        for node in 1..circuit.len() as u32 {
            if used[node as usize] && circuit.kind(node) == NodeKind::And {
                let gate = number[node as usize] - input_count as u32;
                circuit.inputs(node).iter().for_each(|&signal| connect(signal, gate, &mut counters));
                if !budget.spend(1) {
                    budget.check()?;
                }
            }
        }
        let used_components = circuit.components.iter().filter(|component| used[component.first as usize]);
        for (component, recursion) in used_components.zip(&recursions) {
            for (way, gate) in component.ways.iter().zip(recursion.conditions..) {
                connect(way.outside, gate, &mut counters);
            }
        }
        let gates = nodes - input_count;
        let mut bit = (gates as u32).next_multiple_of(BLOCK);
        let (blocks, outputs) = ((bit / BLOCK) as usize, (bit / 64) as usize);
        let (mut firsts, mut groups, mut counted, mut group) = (Vec::new(), Vec::new(), None, 0);
        for run in wanted {
            if run.counted && counted.is_none() {
                bit = bit.next_multiple_of(BLOCK);
                counted = Some((bit / BLOCK) as usize);
            }
            firsts.push(bit);
            counters.resize(bit as usize, -1);
            for &signal in &run.signals {
                counters.push(0);
                connect(signal, bit, &mut counters);
                bit += 1;
            }
            bit = bit.next_multiple_of(64);
            if run.counted {
                groups.resize((bit / 64) as usize - counted.unwrap_or_default() * 64, group);
                group += 1;
            }
        }
        bit = bit.next_multiple_of(BLOCK);
        counters.resize(bit as usize, -1);
        let (readers, targets) = by_node(nodes, &edges);
        drop(edges);
        budget.spend(targets.len() as u64 / 4);
        budget.check()?;
        let mut network = Self {
            readers,
            targets,
            inputs: input_count as u32,
            gates,
            recursions,
            blocks,
            outputs,
            counted: counted.unwrap_or((bit / BLOCK) as usize),
            groups,
            start: None,
        };
        network.start = Some(Box::new(network.settled(counters, group as usize)));
        Ok((network, firsts))
    }

    /// The values when no input is true.
    fn settled(&self, counters: Vec<i32>, groups: usize) -> Values {
        let words = counters.len() / 64;
        let mut values = Values {
            marks: vec![0; words],
            summary: vec![0; words / 64],
            counts: vec![0; self.groups.len()],
            totals: vec![0; groups],
            members: self.recursions.iter().map(|each| vec![false; each.members as usize]).collect(),
            ready: Vec::new(),
            lacking: Vec::new(),
            work: 0,
            counters,
        };
        // Gates that want nothing true are true at first; their counters are right already.
        let is_member = |gate: u32| self.recursion(gate).is_some_and(|at| gate >= self.recursions[at].first);
        for gate in 0..values.counters.len() as u32 {
            if values.counters[gate as usize] == 0 && !is_member(gate) {
                values.mark(gate);
            }
        }
        for recursion in &self.recursions {
            values.mark(recursion.first);
        }
        values.settle(self);
        values
    }

    /// Values to start from: no input is true.
    pub(crate) fn values(&self) -> Values {
        match &self.start {
            Some(values) => (**values).clone(),
            None => self.settled(Vec::new(), 0),
        }
    }

    /// The first word of counted outputs.
    #[inline]
    pub(crate) fn first_counted(&self) -> usize {
        self.counted * 64
    }

    /// Gates and connections.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.gates, self.targets.len())
    }

    /// Bytes that threads share.
    pub(crate) fn bytes(&self) -> usize {
        let start = self.start.as_ref().map_or(0, |start| start.counters.len() * 4 + start.marks.len() * 8);
        (self.readers.len() + self.targets.len()) * 4 + start
    }

    /// How many recursive components there are.
    pub(crate) fn recursive(&self) -> usize {
        self.recursions.len()
    }

    /// The recursive component that a gate belongs to.
    fn recursion(&self, gate: u32) -> Option<usize> {
        let before = self.recursions.partition_point(|each| each.conditions <= gate);
        let at = before.checked_sub(1)?;
        let recursion = &self.recursions[at];
        (gate < recursion.first + recursion.members).then_some(at)
    }
}

/// The readers of all nodes, end to end, each in order; and where those of each node begin.
fn by_node(nodes: usize, edges: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut readers = vec![0u32; nodes + 1];
    edges.iter().for_each(|&(node, _)| readers[node as usize + 1] += 1);
    for node in 0..nodes {
        readers[node + 1] += readers[node];
    }
    let (mut next, mut targets) = (readers.clone(), vec![0; edges.len()]);
    for &(node, target) in edges {
        targets[next[node as usize] as usize] = target;
        next[node as usize] += 1;
    }
    for node in 0..nodes {
        targets[readers[node] as usize..readers[node + 1] as usize].sort_unstable();
    }
    (readers, targets)
}

fn reachable(circuit: &Circuit, wanted: &[Wanted]) -> Vec<bool> {
    let mut used = vec![false; circuit.len()];
    let mut todo: Vec<u32> = wanted.iter().flat_map(|run| run.signals.iter().map(|signal| signal / 2)).collect();
    while let Some(node) = todo.pop() {
        if std::mem::replace(&mut used[node as usize], true) {
            continue;
        }
        match circuit.kind(node) {
            NodeKind::And => todo.extend(circuit.inputs(node).iter().map(|signal| signal / 2)),
            NodeKind::Member(component) => {
                let component = &circuit.components[component as usize];
                todo.extend(component.first..component.first + component.members);
                todo.extend(component.ways.iter().map(|way| way.outside / 2));
            }
            NodeKind::Constant | NodeKind::Input => {}
        }
    }
    used
}

impl Values {
    #[inline(always)]
    fn mark(&mut self, gate: u32) {
        let word = (gate / 64) as usize;
        self.marks[word] ^= 1 << (gate % 64);
        self.summary[word / 64] |= 1 << (word % 64);
    }

    /// A node changes.
    #[inline(always)]
    pub(crate) fn flip(&mut self, network: &Network, node: u32, rising: bool) {
        let from = network.readers[node as usize] as usize;
        let to = network.readers[node as usize + 1] as usize;
        let targets = &network.targets[from..to];
        self.work += targets.len() as u64 + COST_OF_NODE;
        if targets.len() > LONG {
            for &target in targets {
                if self.touch(target, rising) {
                    self.mark(target / 2);
                }
            }
            return;
        }
        for &target in targets {
            let crossed = u64::from(self.touch(target, rising));
            let gate = target / 2;
            let word = (gate / 64) as usize;
            self.marks[word] ^= crossed << (gate % 64);
            self.summary[word / 64] |= crossed << (word % 64);
        }
    }

    /// Tells a gate of the change; says whether its counter has reached zero or left it.
    #[inline(always)]
    fn touch(&mut self, target: u32, rising: bool) -> bool {
        let change = if rising ^ (target % 2 == 1) { 1 } else { -1 };
        let counter = &mut self.counters[(target / 2) as usize];
        *counter += change;
        *counter == change >> 1
    }

    /// Works off all marks.
    #[inline]
    pub(crate) fn settle(&mut self, network: &Network) {
        for block in 0..network.blocks {
            while self.summary[block] != 0 {
                let word = block * 64 + self.summary[block].trailing_zeros() as usize;
                loop {
                    let marks = self.marks[word];
                    if marks == 0 {
                        break;
                    }
                    self.marks[word] = marks & (marks - 1);
                    let gate = word as u32 * 64 + marks.trailing_zeros();
                    if !network.recursions.is_empty()
                        && let Some(at) = network.recursion(gate)
                    {
                        self.recursive(network, at, gate);
                        continue;
                    }
                    let value = self.counters[gate as usize] == 0;
                    self.flip(network, network.inputs + gate, value);
                }
                self.summary[block] &= self.summary[block] - 1;
            }
        }
        for block in network.counted..self.summary.len() {
            while self.summary[block] != 0 {
                let word = block * 64 + self.summary[block].trailing_zeros() as usize;
                self.summary[block] &= self.summary[block] - 1;
                let at = word - network.counted * 64;
                let count = self.marks[word].count_ones();
                let total = &mut self.totals[network.groups[at] as usize];
                *total = *total + count - u32::from(self.counts[at]);
                self.counts[at] = count as u8;
            }
        }
    }

    /// A condition outside of a recursive component has changed, or its turn has come.
    fn recursive(&mut self, network: &Network, at: usize, gate: u32) {
        let first = network.recursions[at].first;
        if gate < first {
            let word = (first / 64) as usize;
            self.marks[word] |= 1 << (first % 64);
            self.summary[word / 64] |= 1 << (word % 64);
        } else {
            self.recurse(network, at);
        }
    }

    /// The least fixpoint of a recursive component from scratch.
    fn recurse(&mut self, network: &Network, which: usize) {
        let recursion = &network.recursions[which];
        let mut holds = std::mem::take(&mut self.members[which]);
        let before = holds.clone();
        holds.fill(false);
        self.ready.clear();
        self.lacking.clear();
        let conditions = recursion.conditions as usize;
        for (way, &(head, needs)) in recursion.ways.iter().enumerate() {
            self.lacking.push(needs);
            let open = needs == 0 && self.counters[conditions + way] == 0;
            if open && !std::mem::replace(&mut holds[head as usize], true) {
                self.ready.push(head);
            }
        }
        while let Some(member) = self.ready.pop() {
            for &way in &recursion.needed_by[member as usize] {
                let way = way as usize;
                let head = recursion.ways[way].0 as usize;
                self.lacking[way] -= 1;
                let open = self.lacking[way] == 0 && self.counters[conditions + way] == 0;
                if open && !std::mem::replace(&mut holds[head], true) {
                    self.ready.push(head as u32);
                }
            }
        }
        for (member, (&was, &is)) in before.iter().zip(&holds).enumerate() {
            if was != is {
                self.flip(network, network.inputs + recursion.first + member as u32, is);
            }
        }
        self.members[which] = holds;
    }
}
