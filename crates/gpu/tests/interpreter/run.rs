//! Functions as they run.

use super::memory::{Memory, ORIGIN};
use super::text::Program;
use super::{Access, Action, Fault, Function, LANE, LOCAL, PLACES, Slot};

/// Bytes of the local memory of all functions that are open, and their registers.
const STACK_BYTES: usize = 256 << 10;
const REGISTERS: usize = 1 << 17;

/// One thread, and its memory.
pub struct Machine<'p> {
    program: &'p Program,
    registers: Vec<u64>,
    pub memory: Memory,
    stack: u64,
    /// Jumps and calls that are left: who runs in circles ends.
    pub left: u64,
    pub counts: Counts,
    /// When each piece of memory was touched last.
    touched: Vec<u64>,
}

/// Bytes that a card fetches at least.
const PIECE: usize = 32;

/// What was executed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub instructions: u64,
    /// Loads and stores in the stack of the thread, and elsewhere.
    pub near: u64,
    pub far: u64,
    /// Pieces of memory elsewhere, each once from play-out to play-out.
    pub pieces: u64,
    /// How often it waited for its warp.
    waits: u64,
}

impl<'p> Machine<'p> {
    /// A thread with memory of this size beside its own.
    pub fn new(program: &'p Program, bytes: usize) -> Self {
        let mut memory = Memory::new(&program.image, program.image.len() + STACK_BYTES + bytes + 1024);
        let stack = memory.take(STACK_BYTES);
        let touched = vec![u64::MAX; memory.size().div_ceil(PIECE)];
        let (registers, counts) = (vec![0; REGISTERS], Counts::default());
        Self { program, registers, memory, stack, left: u64::MAX, counts, touched }
    }

    /// Runs a function that returns nothing with these arguments.
    pub fn run(&mut self, name: &str, arguments: &[u64]) -> Result<(), Fault> {
        let nowhere = |problem: &str| Fault { function: name.to_string(), line: 0, problem: problem.to_string() };
        let number = *self.program.numbers.get(name).ok_or_else(|| nowhere("there is no such function"))?;
        let function = &self.program.functions[number];
        if function.places != arguments.len() {
            return Err(nowhere(&format!("it takes {} arguments", function.places)));
        }
        let taken = self.memory.taken();
        let given = arguments.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let base = self.memory.put(&given);
        let offsets: Vec<u32> = (0..arguments.len() as u32).map(|number| 8 * number).collect();
        let mut registers = std::mem::take(&mut self.registers);
        let result = self.enter(function, &mut registers, (base, &offsets), self.stack);
        self.registers = registers;
        self.memory.give_back(taken);
        result
    }

    /// Runs a function: its frame is the beginning of `registers`, its local bytes begin at `local`, and what it returns
    /// and is given lies at offsets of an address.
    fn enter(
        &mut self,
        function: &Function,
        registers: &mut [u64],
        (base, offsets): (u64, &[u32]),
        local: u64,
    ) -> Result<(), Fault> {
        let fault = |at: usize, problem: &str| {
            let line = function.lines[at.min(function.lines.len() - 1)];
            Err(Fault { function: function.name.clone(), line, problem: problem.to_string() })
        };
        let after = local + function.local_bytes.next_multiple_of(16);
        let Some((frame, rest)) = registers.split_at_mut_checked(function.slots) else {
            return fault(0, "calls are too deep");
        };
        if after > self.stack + STACK_BYTES as u64 || self.memory.fill(local, function.local_bytes as usize).is_none() {
            return fault(0, "calls are too deep");
        }
        for &(slot, value) in &function.constants {
            frame[usize::from(slot)] = if value == LANE { 0 } else { value };
        }
        frame[usize::from(LOCAL)] = local;
        for (slot, offset) in frame[usize::from(PLACES)..].iter_mut().zip(offsets) {
            *slot = base + u64::from(*offset);
        }
        let mut at = 0;
        loop {
            let here = at;
            at += 1;
            self.counts.instructions += 1;
            // What became several actions is one access.
            let is_new = here == 0 || function.lines[here - 1] != function.lines[here];
            let target = match function.actions[here] {
                Action::Compute { meaning, to, from: [a, b, c] } => {
                    let value = |slot: Slot| frame[usize::from(slot)];
                    frame[usize::from(to)] = meaning(value(a), value(b), value(c));
                    continue;
                }
                Action::Load { to, access } => {
                    let address = address(frame, access);
                    self.count_access(address, is_new);
                    match self.memory.read(address, access.bytes) {
                        Some(value) if is_aligned(address, access) => frame[usize::from(to)] = value,
                        _ => return fault(here, &format!("{} bytes are read at {address:#x}", access.bytes)),
                    }
                    continue;
                }
                Action::Store { from, access } => {
                    let address = address(frame, access);
                    self.count_access(address, is_new);
                    let value = frame[usize::from(from)];
                    if !is_aligned(address, access) || self.memory.write(address, access.bytes, value).is_none() {
                        return fault(here, &format!("{} bytes are written at {address:#x}", access.bytes));
                    }
                    continue;
                }
                Action::Add { to, from, access } => {
                    let address = address(frame, access);
                    self.count_access(address, true);
                    self.count_access(address, true);
                    let before = self.memory.read(address, access.bytes).filter(|_| is_aligned(address, access));
                    let after = before.map(|value| value.wrapping_add(frame[usize::from(from)]));
                    match (before, after.and_then(|value| self.memory.write(address, access.bytes, value))) {
                        (Some(before), Some(())) => frame[usize::from(to)] = before,
                        _ => return fault(here, &format!("{} bytes are added to at {address:#x}", access.bytes)),
                    }
                    continue;
                }
                Action::Wait => {
                    self.counts.waits += 1;
                    continue;
                }
                Action::Branch { predicate, when, target } => {
                    if (frame[usize::from(predicate)] != 0) != when {
                        continue;
                    }
                    target
                }
                Action::Jump { target } => target,
                Action::Switch { index, table } => {
                    let index = frame[usize::from(index)];
                    match function.tables[table as usize].get(index as usize) {
                        Some(&target) => target,
                        None => return fault(here, &format!("there is no target {index}")),
                    }
                }
                Action::Call { call } => {
                    let call = &function.calls[call as usize];
                    let called = &self.program.functions[call.function];
                    if called.places != call.places.len() {
                        return fault(here, &format!("{} takes {} places", called.name, called.places));
                    }
                    self.enter(called, rest, (local, &call.places), after)?;
                    at as u32
                }
                Action::Return => return Ok(()),
                Action::Stop { why } => return fault(here, why),
            };
            at = target as usize;
            match self.left.checked_sub(1) {
                Some(left) => self.left = left,
                None => return fault(here, "it runs too long"),
            }
        }
    }
}

impl Machine<'_> {
    #[inline]
    fn count_access(&mut self, address: u64, is_new: bool) {
        let is_near = address.wrapping_sub(self.stack) < STACK_BYTES as u64;
        self.counts.near += u64::from(is_near && is_new);
        self.counts.far += u64::from(!is_near && is_new);
        // It waits before and after a play-out.
        let now = self.counts.waits / 2;
        let piece = self.touched.get_mut(address.wrapping_sub(ORIGIN) as usize / PIECE);
        let is_new = piece.is_some_and(|last| std::mem::replace(last, now) != now);
        self.counts.pieces += u64::from(is_new && !is_near);
    }
}

#[inline]
fn address(frame: &[u64], access: Access) -> u64 {
    frame[usize::from(access.base)].wrapping_add_signed(access.offset.into())
}

/// A card takes no other addresses.
#[inline]
fn is_aligned(address: u64, access: Access) -> bool {
    address & (u64::from(access.align) - 1) == 0
}
