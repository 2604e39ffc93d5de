//! Moves, and lists of them as sets of destinations.

use super::points::{DIRECTIONS, LEFT, RIGHT, points, select};
use core::ops::Range;

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

/// One of the destinations of a way, by its number.
pub(super) struct Pick {
    set: u128,
    index: u32,
    way: u8,
}

impl Pick {
    #[inline(always)]
    pub(super) fn mv(self) -> Move {
        Move::new(select(self.set, self.index), self.way)
    }
}

/// Destinations by way, for some ways; `N` is a power of two.
#[derive(Debug)]
pub(super) struct Layers<const N: usize> {
    ways: &'static [u8; N],
    /// Of ways that are not in use, whatever was there before: clearing them in every ply would take as long as filling them.
    sets: [u128; N],
    /// The ways that are in use, as bits.
    used: u32,
    /// How many moves there are.
    pub(super) moves: u32,
}

impl<const N: usize> Layers<N> {
    const fn new(ways: &'static [u8; N]) -> Self {
        Self { ways, sets: [0; N], used: 0, moves: 0 }
    }

    /// No destinations, of these ways.
    #[inline(always)]
    fn begin(&mut self, ways: &'static [u8; N]) {
        (self.ways, self.used, self.moves) = (ways, 0, 0);
    }

    /// Sets the destinations of one of the ways, which has none so far.
    #[inline(always)]
    pub(super) fn put(&mut self, slot: usize, set: u128) {
        self.sets[slot] = set;
        self.used |= 1 << slot;
        self.moves += set.count_ones();
    }

    /// Whether one of these ways, which are in use together, has destinations.
    #[inline(always)]
    pub(super) fn has(&self, slots: Range<usize>) -> bool {
        self.used >> slots.start & 1 == 1 && self.sets[slots].iter().any(|&set| set != 0)
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (u128, u8)> {
        let mut left = self.used;
        core::iter::from_fn(move || {
            // The remainder is the slot itself; it spares a test.
            let slot = left.trailing_zeros() as usize % N;
            (left != 0).then(|| {
                left &= left - 1;
                (self.sets[slot], self.ways[slot])
            })
        })
    }

    /// The destinations of all ways.
    #[inline(always)]
    pub(super) fn destinations(&self) -> u128 {
        self.iter().fold(0, |all, (set, _)| all | set)
    }

    #[inline(always)]
    pub(super) fn pick(&self, mut index: u32) -> Option<Pick> {
        for (set, way) in self.iter() {
            let moves = set.count_ones();
            if index < moves {
                return Some(Pick { set, index, way });
            }
            index -= moves;
        }
        None
    }

    #[inline]
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.iter().flat_map(|(set, way)| points(set).map(move |to| Move::new(to, way)))
    }
}

pub(super) type Quiet = Layers<16>;

// Slots of `Quiet`: three steps, eight slides, three retreats, the engine's two wrapped retreats.
pub(super) const STEPS: usize = 0;
pub(super) const SLIDES: usize = 3;
pub(super) const RETREATS: usize = 11;
pub(super) const WRAPPED_RETREATS: usize = 14;

/// The ways of one side's quiet moves and captures, in the order of their slots.
struct Ways {
    quiet: [u8; 16],
    captures: [u8; 8],
}

impl Ways {
    const fn new(forward: u8, back: u8, wrapped: u8) -> Self {
        let mut quiet = [0; 16];
        let mut captures = [0, 0, 0, CAPTURE + LEFT as u8, CAPTURE + RIGHT as u8, 0, 0, 0];
        let mut side = 0;
        while side < 3 {
            quiet[STEPS + side] = STEP + forward + side as u8;
            quiet[RETREATS + side] = RETREAT + back + side as u8;
            captures[side] = CAPTURE + forward + side as u8;
            side += 1;
        }
        let mut direction = 0;
        while direction < 8 {
            quiet[SLIDES + direction] = SLIDE + direction as u8;
            direction += 1;
        }
        quiet[WRAPPED_RETREATS] = wrapped;
        quiet[WRAPPED_RETREATS + 1] = wrapped + 1;
        Self { quiet, captures }
    }
}

static UPWARDS: Ways = Ways::new(0, 5, WRAPPED);
static DOWNWARDS: Ways = Ways::new(5, 0, WRAPPED + 2);
/// The ways of the quiet moves of the side that moves up or of the other, in the order of their slots.
#[cfg(any(test, target_arch = "nvptx64"))]
#[inline(always)]
pub(super) fn quiet_ways(goes_up: bool) -> &'static [u8; 16] {
    if goes_up { &UPWARDS.quiet } else { &DOWNWARDS.quiet }
}

/// In each direction the short and the long shot.
static SHOTS: [u8; 16] = {
    let mut shots = [0; 16];
    let mut direction = 0;
    while direction < 8 {
        shots[2 * direction] = SHOT + direction as u8;
        shots[2 * direction + 1] = LONG_SHOT + direction as u8;
        direction += 1;
    }
    shots
};

/// All moves but those that do not answer an attack on the own town; few of them are illegal (see `pins`).
#[derive(Debug)]
pub struct Generated {
    pub(super) quiet: Quiet,
    pub(super) captures: Layers<8>,
    pub(super) shots: Layers<16>,
}

impl Default for Generated {
    fn default() -> Self {
        let ways = &UPWARDS;
        Self { quiet: Layers::new(&ways.quiet), captures: Layers::new(&ways.captures), shots: Layers::new(&SHOTS) }
    }
}

impl Generated {
    /// No moves, of the side that moves up or of the other.
    #[inline(always)]
    pub(super) fn begin(&mut self, goes_up: bool) {
        let ways = if goes_up { &UPWARDS } else { &DOWNWARDS };
        self.quiet.begin(&ways.quiet);
        self.captures.begin(&ways.captures);
        self.shots.begin(&SHOTS);
    }

    #[inline]
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.quiet.moves().chain(self.captures.moves()).chain(self.shots.moves())
    }
}
