//! The threads of a warp in step, as a card runs them: one instruction at a time, for those threads that are there. Who took
//! another way waits where all ways meet ([`joins`](super::joins)).

use super::cost::{COMPUTED, Caches, PIECE};
use super::joins::joins;
use super::memory::Memory;
use super::text::Program;
use super::{Access, Action, Fault, Function, LANE, LOCAL, PLACES, Slot};
use std::collections::HashMap;

/// Threads of a warp.
pub const LANES: usize = 32;

/// Bytes of the stack of each.
const STACK_BYTES: u64 = 64 << 10;

/// What the instructions of a line took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// How often one was issued.
    pub issued: u64,
    /// Threads that were there, added up.
    pub threads: u64,
    /// Cycles that it waited for what it needs.
    pub waited: u64,
    /// Pieces of memory that it read and that were not in the first cache.
    pub fetched: u64,
    /// Lines of the first cache that its threads touched, each once for all of them: it looks up one in a cycle.
    pub touched: u64,
}

impl Taken {
    pub fn add(&mut self, other: &Self) {
        self.issued += other.issued;
        self.threads += other.threads;
        self.waited += other.waited;
        self.fetched += other.fetched;
        self.touched += other.touched;
    }

    /// The mean number of threads that were there.
    pub fn threads_at_work(&self) -> f64 {
        self.threads as f64 / self.issued.max(1) as f64
    }
}

/// One number for each thread.
type Word = [u64; LANES];

/// Threads on one way through a function: where they are, and where they wait for others.
#[derive(Clone, Copy)]
struct Way {
    at: usize,
    join: usize,
    threads: u32,
    /// Whether they wait for all others.
    waits: bool,
}

/// All ways through a function. Those who have parted come after the way on which they will be together again.
struct Ways(Vec<Way>);

impl Ways {
    /// The last one that can be gone on; `None` if there is none, or if all wait.
    fn pick(&mut self) -> Option<usize> {
        self.0.retain(|way| way.threads != 0);
        let mut parted = 0;
        for number in (0..self.0.len()).rev() {
            let way = self.0[number];
            if way.threads & parted == 0 && !way.waits {
                return Some(number);
            }
            parted |= way.threads;
        }
        None
    }

    /// Whoever waited goes on; those who go the same way together.
    fn release(&mut self) {
        for number in 0..self.0.len() {
            let (way, later) = self.0[number..].split_first_mut().expect("there is one at least");
            if !std::mem::take(&mut way.waits) {
                continue;
            }
            for other in later.iter_mut().filter(|other| other.waits && (other.at, other.join) == (way.at, way.join)) {
                way.threads |= std::mem::take(&mut other.threads);
                other.waits = false;
            }
        }
    }

    /// Threads end the function.
    fn leave(&mut self, threads: u32) {
        self.0.iter_mut().for_each(|way| way.threads &= !threads);
    }

    /// The threads of a way take several.
    fn part(&mut self, number: usize, join: usize, end: usize, parts: Vec<(usize, u32)>) {
        let way = &mut self.0[number];
        way.at = join;
        // Nobody waits at the end of a function.
        if join == end {
            way.threads = 0;
        }
        let parted = parts.into_iter().map(|(at, threads)| Way { at, join, threads, waits: false });
        self.0.splice(number + 1..number + 1, parted);
    }
}

/// A warp and its memory.
pub struct Warp<'p> {
    program: &'p Program,
    joins: Vec<Vec<usize>>,
    pub memory: Memory,
    stacks: u64,
    caches: Caches,
    clock: u64,
    /// How often all of it waited for each other, twice in a simulation.
    waits: u64,
    /// From which of these on things are counted, and at which it ends.
    window: [u64; 2],
    /// What each line of the text took, by numbers of functions and of lines.
    pub lines: HashMap<(usize, u32), Taken>,
    /// Cycles, and pieces of memory that were in no first cache and in neither cache, when counting began and since then.
    began: [u64; 3],
}

impl<'p> Warp<'p> {
    /// A warp with memory of so many bytes beside its stacks, one of so many on its processor; it counts between two waits.
    pub fn new(program: &'p Program, bytes: usize, warps: usize, window: [u64; 2]) -> Self {
        let stacks = LANES * STACK_BYTES as usize;
        let mut memory = Memory::new(&program.image, program.image.len() + stacks + bytes + 4096);
        Self {
            program,
            joins: program.functions.iter().map(joins).collect(),
            stacks: memory.take(stacks),
            memory,
            caches: Caches::new(warps),
            clock: 0,
            waits: 0,
            window,
            lines: HashMap::new(),
            began: [0; 3],
        }
    }

    /// Runs a function that returns nothing, all threads with these arguments.
    pub fn run(&mut self, name: &str, arguments: &[u64], threads: u32) -> Result<(), Fault> {
        let given: Vec<u8> = arguments.iter().flat_map(|value| value.to_le_bytes()).collect();
        let base = self.memory.put(&given);
        let offsets: Vec<u32> = (0..arguments.len() as u32).map(|number| 8 * number).collect();
        self.enter(self.program.numbers[name], threads, ([base; LANES], &offsets), 0)
    }

    /// Cycles since counting began, and pieces of memory that were in no first cache and in neither cache.
    pub fn counted(&self) -> [u64; 3] {
        let now = self.now();
        std::array::from_fn(|number| now[number] - self.began[number])
    }

    fn now(&self) -> [u64; 3] {
        [self.clock, self.caches.missed[0], self.caches.missed[1]]
    }

    fn is_over(&self) -> bool {
        self.waits >= self.window[1]
    }

    /// Runs a function; see [`Machine`](super::Machine).
    fn enter(
        &mut self,
        number: usize,
        threads: u32,
        (bases, offsets): (Word, &[u32]),
        local: u64,
    ) -> Result<(), Fault> {
        let function = &self.program.functions[number];
        let fault = |at: usize, problem: &str| {
            let (function, line) = (function.name.clone(), function.lines[at]);
            Err(Fault { function, line, problem: problem.to_string() })
        };
        let after = local + function.local_bytes.next_multiple_of(16);
        if after > STACK_BYTES {
            return fault(0, "calls are too deep");
        }
        let mut frame = Frame::new(function, |lane| self.stacks + lane as u64 * STACK_BYTES + local);
        for (place, offset) in offsets.iter().enumerate() {
            frame.words[usize::from(PLACES) + place] = bases.map(|base| base + u64::from(*offset));
        }
        let end = function.actions.len();
        let mut ways = Ways(vec![Way { at: 0, join: end, threads, waits: false }]);
        let (mut last_line, mut is_untouched) = (0, false);
        loop {
            let Some(number_of_way) = ways.pick() else {
                if ways.0.is_empty() {
                    return Ok(());
                }
                ways.release();
                self.waits += 1;
                if self.waits == self.window[0] {
                    self.began = self.now();
                }
                continue;
            };
            let way = ways.0[number_of_way];
            if way.at == way.join {
                ways.0.remove(number_of_way);
                continue;
            }
            if self.is_over() {
                return Ok(());
            }
            let (here, lanes) = (way.at, Lanes(way.threads));
            let line = function.lines[here];
            let is_new = std::mem::replace(&mut last_line, line) != line;
            // Words of one instruction lie in one line.
            is_untouched |= is_new;
            let action = function.actions[here];
            self.issue((number, line), is_new, way.threads, frame.needs(&action));
            let mut next = here + 1;
            match action {
                Action::Compute { meaning, to, from: [a, b, c] } => {
                    for lane in lanes {
                        let value = |slot: Slot| frame.words[usize::from(slot)][lane];
                        frame.words[usize::from(to)][lane] = meaning(value(a), value(b), value(c));
                    }
                    frame.ready[usize::from(to)] = self.clock + COMPUTED;
                }
                Action::Load { to, access } => {
                    let before = self.caches.missed[0];
                    let (cycles, touched) = self.touch(&frame, lanes, access, false);
                    if let Some(taken) = self.lines.get_mut(&(number, line)) {
                        taken.fetched += self.caches.missed[0] - before;
                        taken.touched += if std::mem::take(&mut is_untouched) { touched } else { 0 };
                    }
                    for lane in lanes {
                        let Some(value) = self.memory.read(frame.address(access, lane), access.bytes) else {
                            return fault(here, "it reads where nothing is");
                        };
                        frame.words[usize::from(to)][lane] = value;
                    }
                    frame.ready[usize::from(to)] = self.clock + cycles;
                }
                Action::Store { from, access } => {
                    let (_, touched) = self.touch(&frame, lanes, access, true);
                    if let Some(taken) = self.lines.get_mut(&(number, line)) {
                        taken.touched += if std::mem::take(&mut is_untouched) { touched } else { 0 };
                    }
                    for lane in lanes {
                        let value = frame.words[usize::from(from)][lane];
                        if self.memory.write(frame.address(access, lane), access.bytes, value).is_none() {
                            return fault(here, "it writes where nothing is");
                        }
                    }
                }
                Action::Add { to, from, access } => {
                    // One thread after the other.
                    for lane in lanes {
                        let (address, more) = (frame.address(access, lane), frame.words[usize::from(from)][lane]);
                        let before = self.memory.read(address, access.bytes);
                        let added = before.map(|value| value.wrapping_add(more));
                        match added.and_then(|value| self.memory.write(address, access.bytes, value)).and(before) {
                            Some(before) => frame.words[usize::from(to)][lane] = before,
                            None => return fault(here, "it adds where nothing is"),
                        }
                    }
                }
                Action::Wait => ways.0[number_of_way].waits = true,
                Action::Jump { target } => next = target as usize,
                Action::Branch { predicate, when, target } => {
                    let taken = |lane| (frame.words[usize::from(predicate)][lane] != 0) == when;
                    let targets = lanes.map(|lane| (if taken(lane) { target as usize } else { here + 1 }, lane));
                    match part(targets) {
                        Parted::Together(target) => next = target,
                        Parted::Apart(parts) => {
                            ways.part(number_of_way, self.joins[number][here], end, parts);
                            continue;
                        }
                    }
                }
                Action::Switch { index, table } => {
                    let table = &function.tables[table as usize];
                    let target = |lane: usize| table.get(frame.words[usize::from(index)][lane] as usize);
                    let Some(targets) =
                        lanes.map(|lane| Some((*target(lane)? as usize, lane))).collect::<Option<Vec<_>>>()
                    else {
                        return fault(here, "there is no such target");
                    };
                    match part(targets.into_iter()) {
                        Parted::Together(target) => next = target,
                        Parted::Apart(parts) => {
                            ways.part(number_of_way, self.joins[number][here], end, parts);
                            continue;
                        }
                    }
                }
                Action::Call { call } => {
                    let call = &function.calls[call as usize];
                    self.enter(call.function, way.threads, (frame.words[usize::from(LOCAL)], &call.places), after)?;
                }
                Action::Return => {
                    ways.leave(way.threads);
                    continue;
                }
                Action::Stop { why } => return fault(here, why),
            }
            ways.0[number_of_way].at = next;
        }
    }

    /// An instruction begins when what it needs is there. What became several actions is one instruction.
    fn issue(&mut self, line: (usize, u32), is_new: bool, threads: u32, ready: u64) {
        let waited = ready.saturating_sub(self.clock);
        self.clock += waited + u64::from(is_new);
        if self.waits >= self.window[0] {
            let taken = self.lines.entry(line).or_default();
            let issued = Taken { issued: is_new.into(), waited, ..Taken::default() };
            taken.add(&issued);
            taken.threads += if is_new { threads.count_ones().into() } else { 0 };
        }
    }

    /// Memory is read or written; how long it takes, and how many lines of the first cache it touches.
    fn touch(&mut self, frame: &Frame, lanes: Lanes, access: Access, is_store: bool) -> (u64, u64) {
        if access.is_argument {
            return (COMPUTED, 0);
        }
        let mut pieces = Vec::with_capacity(2 * LANES);
        let mut is_near = false;
        for lane in lanes {
            let address = frame.address(access, lane);
            let own = address.wrapping_sub(self.stacks + lane as u64 * STACK_BYTES);
            if own < STACK_BYTES {
                is_near = true;
                // A word of all threads is a line of four pieces.
                let words = u64::from(access.bytes).div_ceil(4);
                pieces.extend((0..words).map(|word| (1 << 60) + 4 * (own / 4 + word) + lane as u64 / 8));
            } else {
                pieces.push(address / PIECE);
            }
        }
        pieces.sort_unstable();
        pieces.dedup();
        let mut lines: Vec<u64> = pieces.iter().map(|piece| piece / 4).collect();
        lines.dedup();
        let touched = lines.len() as u64;
        if is_store {
            self.caches.write(&pieces, is_near);
            return (0, touched);
        }
        (self.caches.read(&pieces), touched)
    }
}

/// The registers of a function, for all threads, and when each can be used.
struct Frame {
    words: Vec<Word>,
    ready: Vec<u64>,
}

impl Frame {
    fn new(function: &Function, local: impl Fn(usize) -> u64) -> Self {
        let mut words = vec![[0; LANES]; function.slots];
        for &(slot, value) in &function.constants {
            words[usize::from(slot)] = std::array::from_fn(|lane| if value == LANE { lane as u64 } else { value });
        }
        words[usize::from(LOCAL)] = std::array::from_fn(local);
        Self { words, ready: vec![0; function.slots] }
    }

    fn address(&self, access: Access, lane: usize) -> u64 {
        self.words[usize::from(access.base)][lane].wrapping_add_signed(access.offset.into())
    }

    /// When everything is there that an action needs.
    fn needs(&self, action: &Action) -> u64 {
        let slots: &[Slot] = match action {
            Action::Compute { from, .. } => from,
            Action::Load { access, .. } => &[access.base],
            Action::Store { from, access } | Action::Add { from, access, .. } => &[access.base, *from],
            Action::Branch { predicate, .. } => &[*predicate],
            Action::Switch { index, .. } => &[*index],
            _ => &[],
        };
        slots.iter().map(|&slot| self.ready[usize::from(slot)]).max().unwrap_or_default()
    }
}

/// The threads of a set.
#[derive(Clone, Copy)]
struct Lanes(u32);

impl Iterator for Lanes {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let lane = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        lane
    }
}

/// Where threads go.
enum Parted {
    Together(usize),
    Apart(Vec<(usize, u32)>),
}

fn part(targets: impl Iterator<Item = (usize, usize)>) -> Parted {
    let mut parts: Vec<(usize, u32)> = Vec::new();
    for (target, lane) in targets {
        match parts.iter_mut().find(|part| part.0 == target) {
            Some(part) => part.1 |= 1 << lane,
            None => parts.push((target, 1 << lane)),
        }
    }
    if parts.len() == 1 { Parted::Together(parts[0].0) } else { Parted::Apart(parts) }
}
