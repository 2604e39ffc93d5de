//! An interpreter of PTX, the text of which kernels are made, that runs one thread on this machine: a compiler that makes
//! a wrong kernel is seen without a card.
//!
//! [`Warp`] runs 32 of them in step, as a card does, and tells how many stay together.
//!
//! [`Program::read`] turns a text into functions of [`Action`]s ([`text`], [`assemble`]) whose computing ones hold what
//! they mean ([`meaning`]); a [`Machine`] runs them ([`run`]) in a [`Memory`] of its own, so that an address that no card
//! would take is an error here and never touches anything else.

mod assemble;
mod convert;
mod cost;
mod in_step;
mod joins;
mod known;
mod launch;
mod meaning;
mod memory;
mod operands;
mod run;
mod text;
mod warp;

pub use launch::{Card, bytes_in_step, play_in_step};
pub use run::{Counts, Machine};
pub use text::Program;
pub use warp::{Taken, Warp};

use meaning::Meaning;
use std::fmt;

/// A place in the frame of a function: registers, constants and a few more. All hold 64 bits.
type Slot = u16;

/// What an instruction does. What is more than one of these becomes several.
#[derive(Clone, Copy)]
enum Action {
    Compute {
        meaning: Meaning,
        to: Slot,
        from: [Slot; 3],
    },
    Load {
        to: Slot,
        access: Access,
    },
    Store {
        from: Slot,
        access: Access,
    },
    /// Adds to memory and tells what was there.
    Add {
        to: Slot,
        from: Slot,
        access: Access,
    },
    Jump {
        target: u32,
    },
    /// Waits for the other threads of its warp, as is done twice in a simulation.
    Wait,
    Branch {
        predicate: Slot,
        when: bool,
        target: u32,
    },
    /// The number of a table of targets.
    Switch {
        index: Slot,
        table: u32,
    },
    /// The number of a [`Call`].
    Call {
        call: u32,
    },
    Return,
    Stop {
        why: &'static str,
    },
}

/// Where memory is read or written, how many bytes, and how the address must be aligned.
#[derive(Clone, Copy)]
struct Access {
    base: Slot,
    offset: i32,
    bytes: u8,
    align: u8,
    /// Whether it is an argument of a call, which a card has in registers.
    is_argument: bool,
}

/// A call: the number of the function, and where what it returns and what it is given lies in the caller's local bytes.
struct Call {
    function: usize,
    places: Vec<u32>,
}

/// What stands for the number of the thread in its warp until it is known.
const LANE: u64 = 0x6c61_6e65_0000;

/// Slots that every frame has: the address of its local bytes, the carry, and what only one instruction uses.
const LOCAL: Slot = 0;
const CARRY: Slot = 1;
const SCRATCH: [Slot; 3] = [2, 3, 4];
/// Where addresses of what a function returns and is given begin.
const PLACES: Slot = 5;

/// A function as it runs.
#[derive(Default)]
struct Function {
    name: String,
    /// Number of what it returns and is given.
    places: usize,
    slots: usize,
    local_bytes: u64,
    constants: Vec<(Slot, u64)>,
    actions: Vec<Action>,
    /// The line of the text that each action comes from.
    lines: Vec<u32>,
    tables: Vec<Vec<u32>>,
    calls: Vec<Call>,
}

/// What is wrong with a text, or went wrong while it ran.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub function: String,
    /// The line of the text, from 1.
    pub line: u32,
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the text, in {}: {}", self.line, self.function, self.problem)
    }
}
