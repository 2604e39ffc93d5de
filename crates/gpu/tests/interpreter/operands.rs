//! Operands of instructions become slots, and instructions that move things become actions.

use super::assemble::{Assembler, Place, Registers};
use super::meaning::{Meaning, Value, on};
use super::text::{Names, bytes_of};
use super::{Access, Action, Call, LANE, LOCAL, SCRATCH, Slot};

/// Registers that tell a thread which one it is: the first of a warp.
const SPECIAL: [(&str, u64); 4] = [("%tid.x", LANE), ("%ctaid.x", 0), ("%ntid.x", 32), ("%nctaid.x", 1)];

impl Assembler {
    pub(super) fn act(&mut self, action: Action) {
        self.function.actions.push(action);
        self.function.lines.push(self.line);
    }

    pub(super) fn compute(&mut self, meaning: Meaning, to: Slot, from: [Slot; 3]) {
        self.act(Action::Compute { meaning, to, from });
    }

    pub(super) fn copy(&mut self, to: Slot, from: Slot) {
        self.compute(|a, _, _| a, to, [from, LOCAL, LOCAL]);
    }

    /// Takes slots of the frame: the first of them.
    pub(super) fn slots(&mut self, count: u32) -> Result<Slot, String> {
        let first = self.function.slots;
        self.function.slots += count as usize;
        let most = usize::from(Slot::MAX);
        if self.function.slots > most { Err(format!("more than {most} registers")) } else { Ok(first as Slot) }
    }

    pub(super) fn constant(&mut self, value: u64) -> Result<Slot, String> {
        if let Some(&slot) = self.constants.get(&value) {
            return Ok(slot);
        }
        let slot = self.slots(1)?;
        self.constants.insert(value, slot);
        self.function.constants.push((slot, value));
        Ok(slot)
    }

    /// The number by which an action names a target until the function is finished.
    pub(super) fn target(&mut self, label: &str) -> u32 {
        self.targets.push(label.to_string());
        self.targets.len() as u32 - 1
    }

    pub(super) fn declare_registers(&mut self, text: &str) -> Result<(), String> {
        let (kind, names) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let bytes = if kind == ".pred" { 1 } else { bytes_of(kind.trim_start_matches('.'))? };
        for name in names.split(',').map(str::trim) {
            let (name, count) = match name.split_once('<') {
                None => (name, 1),
                Some((name, count)) => {
                    (name, count.trim_end_matches('>').parse().map_err(|_| format!("the number of {name}"))?)
                }
            };
            let first = self.slots(count)?;
            self.registers.push(Registers { name: name.to_string(), first, count, bytes });
        }
        Ok(())
    }

    /// The slot and the bytes of a register.
    pub(super) fn register(&self, name: &str) -> Result<(Slot, u8), String> {
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = if stem.len() == name.len() { 0 } else { name[stem.len()..].parse().unwrap_or(u32::MAX) };
        let of = self.registers.iter().find(|registers| registers.name == stem && number < registers.count);
        of.map(|registers| (registers.first + number as Slot, registers.bytes))
            .ok_or_else(|| format!("there is no register {name}"))
    }

    /// The slot of something that is read.
    pub(super) fn source(&mut self, text: &str, names: &Names) -> Result<Slot, String> {
        if let Some((_, value)) = SPECIAL.iter().find(|(name, _)| *name == text) {
            return self.constant(*value);
        }
        if text.starts_with('%') {
            return Ok(self.register(text)?.0);
        }
        if let Some(value) = number(text) {
            return self.constant(value);
        }
        if let Some(&address) = names.data.get(text) {
            return self.constant(address);
        }
        match self.places.get(text) {
            Some(&Place::Local(start)) => {
                let start = self.constant(start.into())?;
                self.compute(|a, b, _| a.wrapping_add(b), SCRATCH[2], [LOCAL, start, LOCAL]);
                Ok(SCRATCH[2])
            }
            _ => Err(format!("unknown operand {text}")),
        }
    }

    /// The slot and the offset of an address: `[%rd1+8]`.
    pub(super) fn address(&mut self, text: &str, names: &Names) -> Result<(Slot, i32), String> {
        let wrong = || format!("unknown address {text}");
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(wrong)?;
        let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
        let offset: i32 = offset.parse().map_err(|_| wrong())?;
        Ok(match self.places.get(base) {
            Some(&Place::Address(slot)) => (slot, offset),
            Some(&Place::Local(start)) => (LOCAL, start as i32 + offset),
            None => (self.source(base, names)?, offset),
        })
    }

    /// The bytes of each number and the names of all that are read or written: `{%r1, %r2}`.
    fn listed<'t>(opcode: &str, text: &'t str) -> Result<(u8, Vec<&'t str>), String> {
        const MODIFIERS: [&str; 8] = ["param", "local", "global", "nc", "relaxed", "sys", "v2", "v4"];
        let parts: Vec<&str> = opcode.split('.').skip(1).collect();
        let (kind, modifiers) = parts.split_last().ok_or("no type")?;
        if let Some(modifier) = modifiers.iter().find(|modifier| !MODIFIERS.contains(modifier)) {
            return Err(format!("unknown instruction {opcode}: .{modifier}"));
        }
        let count = if modifiers.contains(&"v2") { 2 } else { 1 + 3 * usize::from(modifiers.contains(&"v4")) };
        let list: Vec<&str> = text.trim_matches(['{', '}']).split(',').map(str::trim).collect();
        if list.len() != count {
            return Err(format!("{} operands of {opcode}", list.len()));
        }
        Ok((bytes_of(kind)?, list))
    }

    pub(super) fn load(&mut self, opcode: &str, to: &str, from: &str, names: &Names) -> Result<(), String> {
        let (bytes, list) = Self::listed(opcode, to)?;
        let is_argument = opcode.contains(".param");
        let (mut base, offset) = self.address(from, names)?;
        // The address may be one of the registers that are written.
        if list.len() > 1 {
            self.copy(SCRATCH[2], base);
            base = SCRATCH[2];
        }
        let is_signed = opcode.rsplit('.').next().is_some_and(|kind| kind.starts_with('s'));
        for (name, place) in list.iter().zip(0..) {
            if *name == "_" {
                continue;
            }
            let (to, width) = self.register(name)?;
            // The first is aligned as all of them together.
            let align = if place == 0 { bytes * list.len() as u8 } else { bytes };
            let access = Access { base, offset: offset + place * i32::from(bytes), bytes, align, is_argument };
            self.act(Action::Load { to, access });
            if is_signed {
                let extended = match bytes {
                    1 => on!(|a: i8| i64::from(a)),
                    2 => on!(|a: i16| i64::from(a)),
                    4 => on!(|a: i32| i64::from(a)),
                    _ => on!(|a: i64| a),
                };
                let cut = match width {
                    2 => on!(|a: u64| a as u16),
                    4 => on!(|a: u64| a as u32),
                    _ => on!(|a: u64| a),
                };
                self.compute(extended.1, to, [to, LOCAL, LOCAL]);
                self.compute(cut.1, to, [to, LOCAL, LOCAL]);
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, opcode: &str, to: &str, from: &str, names: &Names) -> Result<(), String> {
        let (bytes, list) = Self::listed(opcode, from)?;
        let is_argument = opcode.contains(".param");
        let (base, offset) = self.address(to, names)?;
        for (value, place) in list.iter().zip(0..) {
            let from = self.source(value, names)?;
            let align = if place == 0 { bytes * list.len() as u8 } else { bytes };
            let access = Access { base, offset: offset + place * i32::from(bytes), bytes, align, is_argument };
            self.act(Action::Store { from, access });
        }
        Ok(())
    }

    /// Two halves become a whole, or a whole becomes two halves: `{%r1, %r2}`.
    pub(super) fn halves(&mut self, is_long: bool, to: &str, from: &str, names: &Names) -> Result<(), String> {
        let pair = |text: &str| {
            let halves = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'))?.split_once(',');
            halves.map(|(low, high)| [low.trim().to_string(), high.trim().to_string()])
        };
        if let Some([low, high]) = pair(from) {
            let from = [self.source(&low, names)?, self.source(&high, names)?, LOCAL];
            let meaning = if is_long {
                on!(|low: u32, high: u32| u64::from(high) << 32 | u64::from(low))
            } else {
                on!(|low: u16, high: u16| u32::from(high) << 16 | u32::from(low))
            };
            let to = self.register(to)?.0;
            self.compute(meaning.1, to, from);
            return Ok(());
        }
        let halves = pair(to).ok_or_else(|| format!("unknown pair {to}"))?;
        let from = self.source(from, names)?;
        let meanings = if is_long {
            [on!(|a: u64| a as u32), on!(|a: u64| (a >> 32) as u32)]
        } else {
            [on!(|a: u32| a as u16), on!(|a: u32| (a >> 16) as u16)]
        };
        for (name, meaning) in halves.iter().zip(meanings).filter(|(name, _)| *name != "_") {
            let to = self.register(name)?.0;
            self.compute(meaning.1, to, [from, LOCAL, LOCAL]);
        }
        Ok(())
    }

    /// `(returned), name, (given)`, of which only the name must be there; `None` if it is written otherwise.
    pub(super) fn call(&mut self, operands: &[&str], names: &mut Names) -> Option<()> {
        let is_list = |operand: &&str| operand.starts_with('(');
        let name = operands.iter().find(|operand| !is_list(operand))?;
        let lists = operands.iter().filter(|operand| is_list(operand));
        let listed = lists.flat_map(|list| list.trim_matches(['(', ')']).split(','));
        let place = |name: &str| match self.places.get(name.trim()) {
            Some(&Place::Local(start)) => Some(start),
            _ => None,
        };
        let places = listed.map(place).collect::<Option<_>>()?;
        self.act(Action::Call { call: self.function.calls.len() as u32 });
        self.function.calls.push(Call { function: names.function(name), places });
        Some(())
    }
}

/// A number as it is written: whole, or the bits of a real one.
fn number(text: &str) -> Option<u64> {
    if let Some(bits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0d")).or_else(|| text.strip_prefix("0x"))
    {
        return u64::from_str_radix(bits.trim_end_matches('U'), 16).ok();
    }
    // Large ones are written with or without a sign.
    text.parse::<i64>().map(|value| value as u64).or_else(|_| text.parse()).ok()
}
