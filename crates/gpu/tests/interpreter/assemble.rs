//! The statements of a function become actions.

use super::convert::conversion;
use super::meaning::{Meaning, Value, meaning, on};
use super::text::{Declared, Names};
use super::{Access, Action, CARRY, Function, LOCAL, PLACES, SCRATCH, Slot};
use std::collections::HashMap;

/// Registers of a name: `%rd<12>` or `%SP`.
pub(super) struct Registers {
    pub name: String,
    pub first: Slot,
    pub count: u32,
    pub bytes: u8,
}

/// Where a name of a function stands.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In a slot: the address of what the function returns or is given.
    Address(Slot),
    /// In its local bytes.
    Local(u32),
}

/// A function while it is read.
pub struct Assembler {
    pub(super) function: Function,
    pub(super) registers: Vec<Registers>,
    pub(super) constants: HashMap<u64, Slot>,
    pub(super) places: HashMap<String, Place>,
    pub(super) labels: HashMap<String, u32>,
    /// The label of each target that actions name by its place in this list.
    pub(super) targets: Vec<String>,
    /// Tables of targets, by their labels.
    pub(super) tables: HashMap<String, Vec<String>>,
    /// The numbers of tables that are used.
    pub(super) switches: Vec<String>,
    pub(super) last_label: String,
    /// Bytes used where each open pair of braces began, and now.
    pub(super) open: Vec<u32>,
    pub(super) local: u32,
    pub(super) line: u32,
}

impl Assembler {
    pub fn new(name: &str) -> Self {
        let function = Function { name: name.to_string(), slots: PLACES.into(), ..Function::default() };
        Self {
            function,
            registers: Vec::new(),
            constants: HashMap::new(),
            places: HashMap::new(),
            labels: HashMap::new(),
            targets: Vec::new(),
            tables: HashMap::new(),
            switches: Vec::new(),
            last_label: String::new(),
            open: Vec::new(),
            local: 0,
            line: 0,
        }
    }

    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// Adds something that the function returns or is given.
    pub fn place(&mut self, name: &str) -> Result<(), String> {
        let slot = self.slots(1)?;
        self.function.places += 1;
        self.places.insert(name.to_string(), Place::Address(slot));
        Ok(())
    }

    pub fn open(&mut self) {
        self.open.push(self.local);
    }

    /// Closes braces: whether they were those of the function.
    pub fn close(&mut self) -> bool {
        match self.open.pop() {
            Some(local) => self.local = local,
            None => return true,
        }
        false
    }

    pub fn label(&mut self, name: &str) -> Result<(), String> {
        self.last_label = name.to_string();
        let known = self.labels.insert(name.to_string(), self.function.actions.len() as u32);
        known.map_or(Ok(()), |_| Err(format!("{name} stands there twice")))
    }

    /// The function, with targets in place of labels.
    pub fn finish(mut self) -> Result<Function, String> {
        self.act(Action::Stop { why: "it has no end" });
        let find = |name: &String| self.labels.get(name).copied().ok_or_else(|| format!("there is no {name}"));
        for action in &mut self.function.actions {
            if let Action::Jump { target } | Action::Branch { target, .. } = action {
                *target = find(&self.targets[*target as usize])?;
            }
        }
        for name in &self.switches {
            let table = self.tables.get(name).ok_or_else(|| format!("there is no {name}"))?;
            self.function.tables.push(table.iter().map(find).collect::<Result<_, _>>()?);
        }
        Ok(self.function)
    }

    pub fn statement(&mut self, text: &str, line: u32, names: &mut Names) -> Result<(), String> {
        self.line = line;
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match first {
            ".reg" => self.declare_registers(rest),
            ".local" | ".param" => {
                let declared = Declared::read(rest)?;
                let start = (self.local as usize).next_multiple_of(declared.align.max(8));
                self.local = (start + declared.bytes) as u32;
                self.function.local_bytes = self.function.local_bytes.max(self.local.into());
                self.places.insert(declared.name.to_string(), Place::Local(start as u32));
                Ok(())
            }
            ".pragma" => Ok(()),
            ".branchtargets" => {
                let targets = rest.split(',').map(|target| target.trim().to_string()).collect();
                self.tables.insert(self.last_label.clone(), targets);
                Ok(())
            }
            _ => match first.strip_prefix('@') {
                Some(predicate) => self.guarded(predicate, rest, names),
                None => self.instruction(first, &operands(rest), names),
            },
        }
    }

    /// An instruction that is left out unless a predicate holds.
    fn guarded(&mut self, predicate: &str, text: &str, names: &mut Names) -> Result<(), String> {
        let (predicate, when) = predicate.strip_prefix('!').map_or((predicate, true), |name| (name, false));
        let predicate = self.register(predicate)?.0;
        let (opcode, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if matches!(opcode, "bra" | "bra.uni") {
            let target = self.target(rest.trim());
            self.act(Action::Branch { predicate, when, target });
            return Ok(());
        }
        let after = format!("after {}", self.function.actions.len());
        let target = self.target(&after);
        self.act(Action::Branch { predicate, when: !when, target });
        self.instruction(opcode, &operands(rest), names)?;
        self.labels.insert(after, self.function.actions.len() as u32);
        Ok(())
    }

    fn instruction(&mut self, opcode: &str, operands: &[&str], names: &mut Names) -> Result<(), String> {
        let unknown = || format!("unknown instruction {opcode} {}", operands.join(", "));
        match (opcode, operands) {
            ("bra" | "bra.uni", [target]) => {
                let target = self.target(target);
                self.act(Action::Jump { target });
            }
            ("brx.idx", [index, table]) => {
                let index = self.source(index, names)?;
                self.act(Action::Switch { index, table: self.switches.len() as u32 });
                self.switches.push(table.to_string());
            }
            ("ret", []) => self.act(Action::Return),
            ("trap", []) => self.act(Action::Stop { why: "trap" }),
            ("exit", []) => self.act(Action::Stop { why: "exit" }),
            ("bar.warp.sync", [_]) => self.act(Action::Wait),
            // One thread sees what it has written.
            ("fence.sc.sys", []) => {}
            ("call.uni", [..]) => self.call(operands, names).ok_or_else(unknown)?,
            ("add.cc.s64" | "addc.cc.s64" | "sub.cc.s64" | "subc.cc.s64", [to, a, b]) => {
                let carry = if opcode.contains("c.cc") { CARRY } else { self.constant(0)? };
                let from = [self.source(a, names)?, self.source(b, names)?, carry];
                let [value, next] = carried(opcode.starts_with("add"));
                self.compute(value, SCRATCH[0], from);
                self.compute(next, CARRY, from);
                let to = self.register(to)?.0;
                self.copy(to, SCRATCH[0]);
            }
            ("bfi.b32" | "bfi.b64", [to, a, b, first, count]) => {
                let from = [a, b, first, count].map(|operand| self.source(operand, names));
                let [a, b, first, count] = [from[0].clone()?, from[1].clone()?, from[2].clone()?, from[3].clone()?];
                let mask = on!(|first: u8, count: u8| {
                    1u64.checked_shl(count.into()).map_or(!0, |bit| bit - 1).checked_shl(first.into()).unwrap_or(0)
                });
                let moved = on!(|a: u64, first: u8| a.checked_shl(first.into()).unwrap_or(0));
                let mixed: Meaning = if opcode == "bfi.b32" {
                    |mask, moved, b| u64::from((moved & mask | b & !mask) as u32)
                } else {
                    |mask, moved, b| moved & mask | b & !mask
                };
                self.compute(mask.1, SCRATCH[0], [first, count, LOCAL]);
                self.compute(moved.1, SCRATCH[1], [a, first, LOCAL]);
                let to = self.register(to)?.0;
                self.compute(mixed, to, [SCRATCH[0], SCRATCH[1], b]);
            }
            ("mov.b32" | "mov.b64", [to, from]) if to.starts_with('{') || from.starts_with('{') => {
                self.halves(opcode == "mov.b64", to, from, names)?;
            }
            (_, [to, from]) if opcode.starts_with("ld.") => self.load(opcode, to, from, names)?,
            (_, [to, from]) if opcode.starts_with("st.") => self.store(opcode, to, from, names)?,
            ("atom.add.u32" | "atom.global.add.u32" | "atom.add.u64" | "atom.global.add.u64", [to, place, more]) => {
                let bytes = if opcode.ends_with("32") { 4 } else { 8 };
                let (base, offset) = self.address(place, names)?;
                let access = Access { base, offset, bytes, align: bytes, is_argument: false };
                let from = self.source(more, names)?;
                let to = self.register(to)?.0;
                self.act(Action::Add { to, from, access });
            }
            (_, [to, rest @ ..]) => {
                let (to, bytes) = self.register(to)?;
                let found = match opcode.strip_prefix("cvt.") {
                    Some(types) => conversion(types, bytes),
                    None => meaning(opcode),
                };
                let (count, meaning) = found.filter(|(count, _)| *count == rest.len()).ok_or_else(unknown)?;
                let mut from = [LOCAL; 3];
                for (slot, operand) in from[..count].iter_mut().zip(rest) {
                    *slot = self.source(operand, names)?;
                }
                self.compute(meaning, to, from);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }
}

/// The sum or difference of two numbers and a carry, and the next carry.
fn carried(is_sum: bool) -> [Meaning; 2] {
    if is_sum {
        [
            |a, b, carry| a.wrapping_add(b).wrapping_add(carry),
            |a, b, carry| ((u128::from(a) + u128::from(b) + u128::from(carry)) >> 64) as u64,
        ]
    } else {
        [
            |a, b, borrow| a.wrapping_sub(b).wrapping_sub(borrow),
            |a, b, borrow| u64::from(u128::from(a) < u128::from(b) + u128::from(borrow)),
        ]
    }
}

/// The operands of an instruction: commas in brackets do not part them.
fn operands(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (place, letter) in text.bytes().enumerate() {
        match letter {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth -= 1,
            b',' if depth == 0 => {
                all.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    all.extend(Some(text[start..].trim()).filter(|last| !last.is_empty()));
    all
}
