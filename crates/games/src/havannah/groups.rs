//! The groups of one player's stones, found without a search and without a branch.
//!
//! A stone without own neighbours founds a group and gives it the next number; every other stone takes the number of a
//! neighbour, for good. Where groups join, their numbers get one *name*: names are bytes side by side, so that those that
//! change are changed all at once. Ways through a tree of parents would be foreseen wrongly at every second stone.

use super::MOST_CELLS;

/// Room for the groups of a player. Founders are no neighbours: of two rows of m and m + 1 cells they take at most
/// (2m + 3) / 3, and that adds up to 95 on the largest board.
const MOST_GROUPS: usize = 96;
/// Names that are changed at once.
const BLOCK: usize = 32;

/// The number of a group: which of them it was when it was founded.
pub type Group = u8;

/// The groups of a player.
#[derive(Clone, Copy)]
pub struct Groups {
    /// How many were founded.
    founded: u8,
    /// By number: the name, which is the number of one of the groups that joined.
    names: [Group; MOST_GROUPS],
    /// By name: the marks of the group.
    marks: [u16; MOST_GROUPS],
}

impl Groups {
    /// No groups.
    pub const NONE: Self = {
        let mut names = [0; MOST_GROUPS];
        let mut number = 0;
        while number < MOST_GROUPS {
            names[number] = number as Group;
            number += 1;
        }
        Self { founded: 0, names, marks: [0; MOST_GROUPS] }
    };

    /// The number of the next group, which is founded if `founds`; it has no marks yet.
    #[inline(always)]
    pub fn next(&mut self, founds: bool) -> Group {
        let number = self.founded;
        self.founded += u8::from(founds);
        number
    }

    /// The name of the group of this number.
    #[inline(always)]
    pub fn name(&self, number: Group) -> Group {
        self.names[usize::from(number)]
    }

    /// The marks of the group of this name.
    #[inline(always)]
    pub fn marks(&self, name: Group) -> u16 {
        self.marks[usize::from(name)]
    }

    /// Sets them.
    #[inline(always)]
    pub fn set_marks(&mut self, name: Group, marks: u16) {
        self.marks[usize::from(name)] = marks;
    }

    /// Gives the groups of one name another one.
    #[inline(always)]
    pub fn rename(&mut self, from: Group, to: Group) {
        let (blocks, _) = self.names.as_chunks_mut::<BLOCK>();
        for block in blocks.iter_mut().take(usize::from(self.founded).div_ceil(BLOCK)) {
            *block = block.map(|name| if name == from { to } else { name });
        }
    }
}

/// The group to which the stone of each cell was added.
pub type Numbers = [Group; MOST_CELLS];
