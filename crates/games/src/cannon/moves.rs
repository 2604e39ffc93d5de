//! Moves, and lists of them as sets of destinations.

use super::points::{DIRECTIONS, points, select};

/// The point that changes (low seven bits) and the way to it: an index of `WAYS`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move(u16);

impl Move {
    /// How many ids there are.
    pub(super) const IDS: usize = WAYS.len() << 7;

    #[inline(always)]
    pub(super) fn id(self) -> usize {
        usize::from(self.0)
    }

    #[inline(always)]
    pub(super) fn new(to: u32, way: u8) -> Self {
        Move(to as u16 | u16::from(way) << 7)
    }

    #[inline(always)]
    pub(super) fn to(self) -> u32 {
        u32::from(self.0 & 127)
    }

    #[inline(always)]
    pub(super) fn way(self) -> u8 {
        (self.0 >> 7) as u8
    }

    /// Where the soldier comes from, or the front of the cannon that shoots.
    #[inline(always)]
    pub(super) fn from(self) -> u32 {
        self.to().wrapping_add_signed(-i32::from(WAYS[usize::from(self.way())]))
    }

    #[inline(always)]
    pub(super) fn is_capture(self) -> bool {
        (CAPTURE..SHOT).contains(&self.way())
    }

    #[inline(always)]
    pub(super) fn is_shot(self) -> bool {
        (SHOT..WRAPPED).contains(&self.way())
    }
}

// The first way of each kind; the kind's direction is added.
pub(super) const STEP: u8 = 0;
pub(super) const RETREAT: u8 = 8;
pub(super) const SLIDE: u8 = 16;
pub(super) const CAPTURE: u8 = 24;
pub(super) const SHOT: u8 = 32;
pub(super) const LONG_SHOT: u8 = 40;
pub(super) const WRAPPED: u8 = 48;
pub(super) const TOWN: u8 = 52;

/// How far the changed point is from the soldier that moves or shoots.
pub(super) const WAYS: [i8; 53] = {
    let mut ways = [0; 53];
    let mut direction = 0;
    while direction < 8 {
        let step = DIRECTIONS[direction] as i8;
        ways[STEP as usize + direction] = step;
        ways[RETREAT as usize + direction] = 2 * step;
        ways[SLIDE as usize + direction] = 3 * step;
        ways[CAPTURE as usize + direction] = step;
        ways[SHOT as usize + direction] = 2 * step;
        ways[LONG_SHOT as usize + direction] = 3 * step;
        direction += 1;
    }
    // The engine's diagonal retreats that leave the board at one side and come back at the other.
    ways[WRAPPED as usize] = 19;
    ways[WRAPPED as usize + 1] = 25;
    ways[WRAPPED as usize + 2] = -25;
    ways[WRAPPED as usize + 3] = -19;
    ways
};

/// Destinations by way; ways without any are left out.
pub(super) struct Layers<const N: usize> {
    pub(super) sets: [u128; N],
    pub(super) ways: [u8; N],
    pub(super) used: usize,
    pub(super) moves: u32,
}

impl<const N: usize> Layers<N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { sets: [0; N], ways: [0; N], used: 0, moves: 0 }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, set: u128, way: u8) {
        // An empty layer is overwritten by the next one, which is cheaper than a branch.
        self.sets[self.used] = set;
        self.ways[self.used] = way;
        self.used += usize::from(set != 0);
        self.moves += set.count_ones();
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (u128, u8)> {
        self.sets[..self.used].iter().copied().zip(self.ways)
    }

    #[inline(always)]
    pub(super) fn pick(&self, mut index: u32) -> Option<Move> {
        for (set, way) in self.iter() {
            let moves = set.count_ones();
            if index < moves {
                return Some(Move::new(select(set, index), way));
            }
            index -= moves;
        }
        None
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.iter().flat_map(|(set, way)| points(set).map(move |to| Move::new(to, way)))
    }
}

/// All moves but those that do not answer an attack on the own town; few of them are illegal (see `pins`).
pub(super) struct Generated {
    /// Steps, retreats and slides; there are at most 3 + 3 + 8 ways, and two wrapped ones. One place is to spare.
    pub(super) quiet: Layers<17>,
    /// At most five ways.
    pub(super) captures: Layers<6>,
    /// Two distances in eight directions.
    pub(super) shots: Layers<17>,
}

impl Generated {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { quiet: Layers::new(), captures: Layers::new(), shots: Layers::new() }
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.quiet.moves().chain(self.captures.moves()).chain(self.shots.moves())
    }
}
