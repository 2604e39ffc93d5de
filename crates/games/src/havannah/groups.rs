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

/// Names, on a card such that several words are read at once.
#[derive(Clone, Copy)]
#[cfg_attr(target_arch = "nvptx64", repr(align(16)))]
struct Names([Group; MOST_GROUPS]);

/// The groups of a player.
#[derive(Clone, Copy)]
pub struct Groups {
    /// How many were founded.
    founded: u8,
    /// By number: the name, which is the number of one of the groups that joined.
    names: Names,
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
        Self { founded: 0, names: Names(names), marks: [0; MOST_GROUPS] }
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
        self.names.0[usize::from(number)]
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
        let (blocks, _) = self.names.0.as_chunks_mut::<BLOCK>();
        for block in blocks.iter_mut().take(usize::from(self.founded).div_ceil(BLOCK)) {
            if cfg!(target_arch = "nvptx64") {
                rename_by_words(block, from, to);
            } else {
                *block = block.map(|name| if name == from { to } else { name });
            }
        }
    }
}

/// One in each byte.
const EVERY: u32 = 0x0101_0101;

/// Gives the groups of one name another one, four bytes at a time where vectors have no more.
#[inline(always)]
fn rename_by_words(block: &mut [Group; BLOCK], from: Group, to: Group) {
    let (from, to) = (u32::from(from) * EVERY, u32::from(to) * EVERY);
    // Each name is one of a word, all of which are read before the first is written.
    let Some(old) = block.as_chunks::<4>().0.first_chunk::<{ BLOCK / 4 }>() else { return };
    let new = old.map(|names| {
        let word = u32::from_le_bytes(names);
        // The highest bit of a byte remains clear where nothing differs.
        let different = word ^ from;
        let seen = ((different & (127 * EVERY)) + 127 * EVERY) | different;
        let equal = ((!seen >> 7) & EVERY) * 255;
        u32::to_le_bytes((word & !equal) | (to & equal))
    });
    block.copy_from_slice(new.as_flattened());
}

/// The group to which the stone of each cell was added.
pub type Numbers = [Group; MOST_CELLS];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_renamed_as_bytes_are() {
        let names: [Group; BLOCK] = std::array::from_fn(|number| [0, 1, 5, 95, 127, 128, 255, 7][number * 5 % 8]);
        for from in names {
            for to in [0, 1, 94, 255] {
                let mut renamed = names;
                rename_by_words(&mut renamed, from, to);
                assert_eq!(renamed, names.map(|name| if name == from { to } else { name }), "{from} to {to}");
            }
        }
    }
}
