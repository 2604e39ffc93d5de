//! The circuit packed for play: only what changes is computed again.
//!
//! Every gate counts what it lacks: the counter is zero exactly if all inputs are as wanted. A changed node adds to or
//! takes from the counters of its readers; a reader whose counter reaches or leaves zero is marked, and marks are worked
//! off in the order of the circuit, so that no gate is looked at twice. A mark is toggled: what changes and changes back
//! costs nothing. Nodes that somebody outside wants to know toggle a bit of the outputs.

use crate::circuit::{Circuit, Kind, Signal};

/// The parts of the list of readers of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Readers {
    /// Gates that want it true, from here,
    wanted: u32,
    /// gates that want it false, from here,
    unwanted: u32,
    /// output bits, from here
    outputs: u32,
    /// to here.
    end: u32,
}

/// What happens when a bit of a word of the outputs changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    Nothing,
    /// The bits of this group are counted.
    Count(u32),
    /// This recursive component must be worked out again.
    Recurse(u32),
}

#[derive(Clone, Debug)]
struct Recursion {
    /// The gate that stands for it in the order, and for its first member.
    first: u32,
    members: u32,
    /// For each way: the member it derives, the output bit of its condition outside, how many members it needs.
    ways: Vec<(u32, u32, u32)>,
    /// For each member, the ways that need it.
    needed_by: Vec<Vec<u32>>,
}

/// A packed circuit. Inputs are numbered from 0, gates follow.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    readers: Vec<Readers>,
    targets: Vec<u32>,
    /// The first gate.
    inputs: u32,
    duties: Vec<Duty>,
    recursions: Vec<Recursion>,
    /// Gates that stand for a recursive component.
    triggers: Vec<(u32, u32)>,
    groups: usize,
    start: Option<Box<Values>>,
}

/// What a thread keeps of a network: the values of everything.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// Minus the number of inputs that are not as wanted.
    counters: Vec<i32>,
    marks: Vec<u64>,
    summary: Vec<u64>,
    /// The output bits.
    pub(crate) outputs: Vec<u64>,
    /// Set bits of each word that is counted.
    pub(crate) counts: Vec<u8>,
    /// Set bits of each group.
    pub(crate) totals: Vec<u32>,
    members: Vec<Vec<bool>>,
    ready: Vec<u32>,
    lacking: Vec<u32>,
}

/// A run of output bits, which begins with a new word.
pub(crate) struct Wanted {
    pub(crate) signals: Vec<Signal>,
    /// Whether the set bits are counted, as those of a group.
    pub(crate) counted: bool,
}

impl Network {
    /// Packs what the wanted signals depend on. Output bits of the n-th run begin at the n-th number returned.
    pub(crate) fn new(circuit: &Circuit, input_count: usize, wanted: &[Wanted]) -> (Self, Vec<u32>) {
        let used = reachable(circuit, wanted);
        // Node 0 is the constant, inputs follow.
        let mut number = vec![u32::MAX; circuit.len()];
        let mut next = 0;
        for node in 1..circuit.len() as u32 {
            if node <= input_count as u32 || used[node as usize] {
                number[node as usize] = next;
                next += 1;
            }
        }
        let nodes = next as usize;
        let mut edges: Vec<Vec<(u8, u32)>> = vec![Vec::new(); nodes];
        let mut counters = vec![0i32; nodes - input_count];
        for node in 1..circuit.len() as u32 {
            if !used[node as usize] || circuit.kind(node) != Kind::And {
                continue;
            }
            let gate = number[node as usize] - input_count as u32;
            for &signal in circuit.inputs(node) {
                edges[number[(signal / 2) as usize] as usize].push(((signal % 2) as u8, gate));
                counters[gate as usize] -= i32::from(signal % 2 == 0);
            }
        }
        let (mut bit, mut firsts, mut duties, mut outputs) = (0u32, Vec::new(), Vec::new(), Vec::new());
        let mut groups = 0;
        let mut bits = |signals: &mut dyn Iterator<Item = Signal>, duty: Duty, edges: &mut Vec<Vec<(u8, u32)>>| {
            let first = bit;
            for signal in signals {
                if bit.is_multiple_of(64) {
                    outputs.push(0u64);
                    duties.push(duty);
                }
                if signal % 2 == 1 {
                    outputs[(bit / 64) as usize] |= 1 << (bit % 64);
                }
                if signal / 2 != 0 {
                    edges[number[(signal / 2) as usize] as usize].push((2, bit));
                }
                bit += 1;
            }
            bit = bit.next_multiple_of(64);
            first
        };
        for run in wanted {
            let duty = if run.counted { Duty::Count(groups) } else { Duty::Nothing };
            groups += u32::from(run.counted);
            firsts.push(bits(&mut run.signals.iter().copied(), duty, &mut edges));
        }
        let (mut recursions, mut triggers) = (Vec::new(), Vec::new());
        for component in circuit.components.iter().filter(|component| used[component.first as usize]) {
            let duty = Duty::Recurse(recursions.len() as u32);
            let first_bit = bits(&mut component.ways.iter().map(|way| way.outside), duty, &mut edges);
            let mut needed_by = vec![Vec::new(); component.members as usize];
            let mut ways = Vec::new();
            for (way, at) in component.ways.iter().zip(0..) {
                ways.push((way.head, first_bit + at, way.inside.len() as u32));
                way.inside.iter().for_each(|&member| needed_by[member as usize].push(at));
            }
            let first = number[component.first as usize] - input_count as u32;
            triggers.push((first, recursions.len() as u32));
            recursions.push(Recursion { first, members: component.members, ways, needed_by });
        }
        let (mut readers, mut targets) = (Vec::with_capacity(nodes), Vec::new());
        for mut list in edges {
            list.sort_unstable();
            let at = |kind: u8| targets.len() as u32 + list.partition_point(|edge| edge.0 < kind) as u32;
            readers.push(Readers { wanted: at(0), unwanted: at(1), outputs: at(2), end: at(3) });
            targets.extend(list.iter().map(|edge| edge.1));
        }
        let mut network = Self {
            readers,
            targets,
            inputs: input_count as u32,
            duties,
            recursions,
            triggers,
            groups: groups as usize,
            start: None,
        };
        network.start = Some(Box::new(network.settled(counters, outputs)));
        (network, firsts)
    }

    /// The values when no input is true.
    fn settled(&self, counters: Vec<i32>, outputs: Vec<u64>) -> Values {
        let words = counters.len().div_ceil(64);
        let mut values = Values {
            marks: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
            counts: outputs.iter().map(|word| word.count_ones() as u8).collect(),
            totals: vec![0; self.groups],
            members: self.recursions.iter().map(|each| vec![false; each.members as usize]).collect(),
            ready: Vec::new(),
            lacking: Vec::new(),
            outputs,
            counters,
        };
        for (duty, count) in self.duties.iter().zip(&values.counts) {
            if let Duty::Count(group) = duty {
                values.totals[*group as usize] += u32::from(*count);
            }
        }
        // Gates that want nothing true are true at first; their counters are right already.
        let member =
            |gate: u32| self.recursions.iter().any(|each| (each.first..each.first + each.members).contains(&gate));
        for gate in 0..values.counters.len() as u32 {
            if values.counters[gate as usize] == 0 && !member(gate) {
                values.mark(gate);
            }
        }
        for (gate, _) in &self.triggers {
            values.mark(*gate);
        }
        values.settle(self);
        values
    }

    /// Values to start from: no input is true.
    pub(crate) fn values(&self) -> Values {
        match &self.start {
            Some(values) => (**values).clone(),
            None => self.settled(Vec::new(), Vec::new()),
        }
    }

    /// Gates and connections.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.readers.len() - self.inputs as usize, self.targets.len())
    }

    /// Bytes that threads share.
    pub(crate) fn bytes(&self) -> usize {
        self.readers.len() * size_of::<Readers>() + self.targets.len() * 4
    }

    /// How many recursive components there are.
    pub(crate) fn recursive(&self) -> usize {
        self.recursions.len()
    }
}

fn reachable(circuit: &Circuit, wanted: &[Wanted]) -> Vec<bool> {
    let mut used = vec![false; circuit.len()];
    let mut todo: Vec<u32> = wanted.iter().flat_map(|run| run.signals.iter().map(|signal| signal / 2)).collect();
    while let Some(node) = todo.pop() {
        if std::mem::replace(&mut used[node as usize], true) {
            continue;
        }
        match circuit.kind(node) {
            Kind::And => todo.extend(circuit.inputs(node).iter().map(|signal| signal / 2)),
            Kind::Member(component) => {
                let component = &circuit.components[component as usize];
                todo.extend(component.first..component.first + component.members);
                todo.extend(component.ways.iter().map(|way| way.outside / 2));
            }
            Kind::Constant | Kind::Input => {}
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

    /// An input changes.
    #[inline]
    pub(crate) fn flip_input(&mut self, network: &Network, input: u32, rising: bool) {
        self.flip(network, input, rising);
    }

    #[inline(always)]
    fn flip(&mut self, network: &Network, node: u32, rising: bool) {
        let readers = network.readers[node as usize];
        let targets = |from: u32, to: u32| &network.targets[from as usize..to as usize];
        let (gaining, losing) = (targets(readers.wanted, readers.unwanted), targets(readers.unwanted, readers.outputs));
        let (gaining, losing) = if rising { (gaining, losing) } else { (losing, gaining) };
        for &gate in gaining {
            let counter = &mut self.counters[gate as usize];
            *counter += 1;
            if *counter == 0 {
                self.mark(gate);
            }
        }
        for &gate in losing {
            let counter = &mut self.counters[gate as usize];
            *counter -= 1;
            if *counter == -1 {
                self.mark(gate);
            }
        }
        for &bit in targets(readers.outputs, readers.end) {
            let word = (bit / 64) as usize;
            self.outputs[word] ^= 1 << (bit % 64);
            match network.duties[word] {
                Duty::Nothing => {}
                Duty::Count(group) => {
                    let change = ((self.outputs[word] >> (bit % 64)) & 1) * 2;
                    self.counts[word] = self.counts[word].wrapping_add(change as u8).wrapping_sub(1);
                    self.totals[group as usize] =
                        self.totals[group as usize].wrapping_add(change as u32).wrapping_sub(1);
                }
                Duty::Recurse(recursion) => {
                    let gate = network.recursions[recursion as usize].first;
                    let word = (gate / 64) as usize;
                    self.marks[word] |= 1 << (gate % 64);
                    self.summary[word / 64] |= 1 << (word % 64);
                }
            }
        }
    }

    /// Works off all marks.
    pub(crate) fn settle(&mut self, network: &Network) {
        for block in 0..self.summary.len() {
            while self.summary[block] != 0 {
                let word = block * 64 + self.summary[block].trailing_zeros() as usize;
                loop {
                    let marks = self.marks[word];
                    if marks == 0 {
                        break;
                    }
                    self.marks[word] = marks & (marks - 1);
                    let gate = word as u32 * 64 + marks.trailing_zeros();
                    if !network.triggers.is_empty()
                        && let Ok(at) = network.triggers.binary_search_by_key(&gate, |trigger| trigger.0)
                    {
                        self.recurse(network, network.triggers[at].1 as usize);
                    } else {
                        let value = self.counters[gate as usize] == 0;
                        self.flip(network, network.inputs + gate, value);
                    }
                }
                self.summary[block] &= self.summary[block] - 1;
            }
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
        let open = |outputs: &[u64], bit: u32| outputs[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
        for &(head, bit, needs) in &recursion.ways {
            self.lacking.push(needs);
            if needs == 0 && open(&self.outputs, bit) && !std::mem::replace(&mut holds[head as usize], true) {
                self.ready.push(head);
            }
        }
        while let Some(member) = self.ready.pop() {
            for &way in &recursion.needed_by[member as usize] {
                let (head, bit, _) = recursion.ways[way as usize];
                self.lacking[way as usize] -= 1;
                if self.lacking[way as usize] == 0
                    && open(&self.outputs, bit)
                    && !std::mem::replace(&mut holds[head as usize], true)
                {
                    self.ready.push(head);
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
