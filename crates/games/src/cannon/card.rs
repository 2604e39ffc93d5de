//! The policy's draw for the threads of a graphics card, which go through it in step: all kinds of moves are generated
//! without branches, and one search for the drawn move serves them all.

use super::generate::{Either, View};
use super::moves::*;
use super::points::*;
use super::rules::SHOT_WEIGHT;
use super::{Cannon, Move};
use spinney_core::{List, Random, Workspace, lanes};

/// The ways of quiet moves and then of captures and shots, of the side that moves down and then of the other. Eight
/// sets are steps or captures by them, retreats, and wrapped retreats or captures beside; eight more are slides or
/// (short) shots.
static SET_WAYS: [[[u8; 16]; 2]; 2] = {
    let mut ways = [[[0; 16]; 2]; 2];
    let mut side = 0;
    while side < 2 {
        let (forward, back, wrapped) = if side == 0 { (5, 0, WRAPPED + 2) } else { (0, 5, WRAPPED) };
        let mut slot = 0;
        while slot < 16 {
            let number = slot as u8;
            ways[side][0][slot] = match number {
                0..3 => STEP + forward + number,
                3..6 => RETREAT + back + number - 3,
                6..8 => wrapped + number - 6,
                _ => SLIDE + number - 8,
            };
            ways[side][1][slot] = match number {
                0..6 => CAPTURE + forward + number,
                6..8 => CAPTURE + LEFT as u8 + number - 6,
                _ => SHOT + number - 8,
            };
            slot += 1;
        }
        side += 1;
    }
    ways
};

/// One in every byte.
const ONES: u32 = 0x0101_0101;
const TOP_BITS: u32 = 0x8080_8080;

/// How many moves there are up to the end of each of eight sets, a byte each. There are never as many as 128: each of
/// 15 soldiers has three steps and three retreats or leads eight cannons at most, and ten retreats of a kind wrap
/// around.
#[derive(Clone, Copy)]
struct Ends {
    low: u32,
    high: u32,
}

impl Ends {
    #[inline(always)]
    fn new(sizes: [u32; 8]) -> Self {
        let [a, b, c, d, e, f, g, h] = sizes;
        let sums = |a: u32, b: u32, c: u32, d: u32| a * ONES + b * (ONES << 8) + c * (ONES << 16) + (d << 24);
        let low = sums(a, b, c, d);
        let high = sums(e + (low >> 24), f, g, h);
        Self { low, high }
    }

    #[inline(always)]
    fn total(self) -> u32 {
        self.high >> 24
    }

    /// The set with this move, and the number of the move in it.
    #[inline(always)]
    fn find(self, ticket: u32) -> (usize, u32) {
        let tickets = ticket.wrapping_mul(ONES) | TOP_BITS;
        let past = |ends: u32| (tickets.wrapping_sub(ends) & TOP_BITS).count_ones();
        let slot = past(self.low) + past(self.high);
        let starts = ((u64::from(self.high) << 32) | u64::from(self.low)) << 8;
        (slot as usize % 8, ticket.wrapping_sub((starts >> ((8 * slot) & 63)) as u32 & 0xff))
    }
}

/// The points of any of the sets.
#[inline(always)]
fn all(sets: &[u128]) -> u128 {
    sets.iter().fold(0, |all, set| all | set)
}

/// One of two sets, without a branch.
#[inline(always)]
fn either(condition: bool, set: u128, other: u128) -> u128 {
    core::hint::select_unpredictable(condition, set, other)
}

/// A row on for the side that goes up or for the other.
#[inline(always)]
fn ahead(set: u128, goes_up: bool) -> u128 {
    if goes_up { set >> STRIDE } else { set << STRIDE }
}

/// A set one point to the left, as it is and one to the right.
#[inline(always)]
fn abreast(set: u128) -> [u128; 3] {
    [set >> 1, set, set << 1]
}

/// A set moved by this distance, which is not 0; what leaves it at one end comes in at the other, off the board.
#[inline(always)]
fn turned(set: u128, by: i8) -> u128 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let (first, then) = if by < 0 { (low, high) } else { (high, low) };
    let (left, right) = (by as u32 & 63, by.unsigned_abs() as u32 & 63);
    let (left, right) = if by < 0 { (64 - right, right) } else { (left, 64 - left) };
    u128::from(first << left | then >> right) << 64 | u128::from(then << left | first >> right)
}

impl Cannon {
    /// Where cannons along one axis may slide and what they could hit, in both directions.
    #[inline(always)]
    fn axis<const DIRECTION: usize, const OPPOSITE: usize>(&self, view: &View) -> [[u128; 2]; 2] {
        let pairs = view.own & moved::<DIRECTION>(view.own);
        let cannons = pairs & moved::<DIRECTION>(pairs);
        let rear = moved::<OPPOSITE>(moved::<OPPOSITE>(cannons));
        [self.front::<DIRECTION>(view, cannons), self.front::<OPPOSITE>(view, rear)]
    }

    /// Where the cannons that end at these points may slide and what they could hit.
    #[inline(always)]
    fn front<const DIRECTION: usize>(&self, view: &View, ends: u128) -> [u128; 2] {
        let front = moved::<DIRECTION>(ends) & view.empty;
        let passable = if self.options.strict_shots { view.empty } else { BOARD };
        let second = moved::<DIRECTION>(front);
        // No point is hit from both distances: before one of the two cannons would stand the other.
        let hit = second | moved::<DIRECTION>(second & passable);
        [front, hit]
    }

    /// Where a soldier that arrives may give check: some points more than those of `check_points`, all if it may by
    /// leaving.
    #[inline(always)]
    fn check_goals(&self, view: &View, wraps: bool) -> u128 {
        let target = view.target;
        let is_near = wraps || view.own & target.near != 0;
        let mut goals = if is_near { target.around & self.reachable } else { 0 };
        if size(view.own & target.range) >= 2 {
            let mut may_leave = false;
            for ray in &target.rays {
                let own = size(ray.line & view.own);
                goals |= either(own >= 2, ray.line, 0);
                may_leave |= own == 4;
            }
            goals = either(may_leave, BOARD, goals);
        }
        goals
    }

    /// A step, retreat or slide that attacks the enemy town, if there is one.
    #[inline(always)]
    fn draw_check(
        &self,
        view: &View,
        goes_up: bool,
        quiet: &[u128; 16],
        goals: u128,
        random: &mut Random,
        moves: &mut List<Move>,
    ) -> Option<Move> {
        let mut left = (0..16).fold(0, |left, slot| left | u32::from(quiet[slot] & goals != 0) << slot);
        let ways = quiet_ways(goes_up);
        let layers = core::iter::from_fn(|| {
            let slot = left.trailing_zeros() as usize % 16;
            (left != 0).then(|| {
                left &= left - 1;
                (quiet[slot], ways[slot])
            })
        });
        moves.clear();
        self.each_check_among(view, (goals, 0), layers, |mv| moves.push(mv));
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    /// `draw_policy` for threads in step.
    #[inline(always)]
    pub(super) fn draw_policy_in_step(
        &self,
        view: &View,
        goes_up: bool,
        random: &mut Random,
        work: &mut Workspace<Self>,
    ) -> Option<Move> {
        let free = view.empty & view.answers;
        let takeable = view.other & view.answers;
        let steps = abreast(ahead(view.own, goes_up)).map(|set| set & self.reachable);
        let beside = [moved::<LEFT>(view.own), moved::<RIGHT>(view.own)].map(|set| set & self.reachable);
        let between = abreast(ahead(self.retreating(view, Either(goes_up)), !goes_up)).map(|set| set & view.empty);
        let (left, right) =
            if self.is_engine() { (between[0] & FIRST_COLUMN, between[2] & LAST_COLUMN) } else { (0, 0) };
        let wrapped = if goes_up { [left << 9, right << 13] } else { [left >> 13, right >> 9] };
        let retreats = [0, 1, 2].map(|side| abreast(ahead(between[side], !goes_up))[side]);
        let axes =
            [self.axis::<RIGHT, LEFT>(view), self.axis::<5, 2>(view), self.axis::<6, 1>(view), self.axis::<7, 0>(view)];
        let [fronts, hits] = [0, 1].map(|kind| {
            let [a, b, c, d] = axes.map(|axis| axis.map(|sets| sets[kind]));
            [d[1], c[1], b[1], a[1], a[0], b[0], c[0], d[0]]
        });

        let checks = self.check_goals(view, all(&wrapped) & free != 0)
            & free
            & (all(&steps) | all(&retreats) | all(&wrapped) | all(&fronts));
        // Who stands beside the town and covers nothing attacks it; other moves have to be tried.
        let is_sure = checks & !(view.target.around & self.reachable) == 0 && view.pins == 0;
        let check = if checks == 0 || is_sure {
            None
        } else {
            let ([a, b, c], [l, m, n], [o, p]) = (steps, retreats, wrapped);
            let [d, e, f, g, h, i, j, k] = fronts;
            let quiet = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p].map(|set| set & free);
            self.draw_check(view, goes_up, &quiet, checks, random, &mut work.moves)
        };
        if let Some(mv) = lanes::meet_with(check) {
            return Some(mv);
        }

        // Checks, or captures and shots, if there are any, else quiet moves: one kind needs to be counted and kept.
        let checks = if is_sure { checks } else { 0 };
        let takes = checks == 0 && takeable & (all(&steps) | all(&beside) | all(&hits)) != 0;
        let quiet_goals = either(takes, 0, either(checks == 0, free, checks));
        let goals = either(takes, takeable, quiet_goals);
        let [a, b, c] = steps.map(|set| set & goals);
        let [d, e, f] = retreats.map(|set| set & quiet_goals);
        let [g, h] = [0, 1].map(|side| either(takes, beside[side], wrapped[side]) & goals);
        let first = [a, b, c, d, e, f, g, h];
        let second = [0, 1, 2, 3, 4, 5, 6, 7].map(|way| either(takes, hits[way], fronts[way]) & goals);
        let mut sets = [0; 16];
        sets[..8].copy_from_slice(&first);
        sets[8..].copy_from_slice(&second);
        let [first, second] = [first, second].map(|sets| Ends::new(sets.map(size)));

        let weight = if takes { SHOT_WEIGHT.ilog2() } else { 0 };
        let total = first.total() + (second.total() << weight);
        if total == 0 {
            return None;
        }
        let ticket = random.below(total);
        // Slides come after the steps and before the other moves of their group, shots after all captures.
        let before = if takes { first.total() } else { first.low >> 16 & 0xff };
        let index = ticket.wrapping_sub(before) >> weight;
        let is_second = ticket >= before && index < second.total();
        let late = if ticket < before { 0 } else { second.total() };
        let (ends, index) = if is_second { (second, index) } else { (first, ticket.wrapping_sub(late)) };
        let (slot, mut index) = ends.find(index);
        let slot = slot + if is_second { 8 } else { 0 };
        let (mut set, mut way) = (sets[slot], SET_WAYS[usize::from(goes_up)][usize::from(takes)][slot]);
        if takes && is_second {
            // The shorter shots come first; their cannon is two points away.
            let near = set & turned(view.own, WAYS[usize::from(way)]);
            let nears = size(near);
            let is_near = index < nears;
            set = if is_near { near } else { set ^ near };
            index -= if is_near { 0 } else { nears };
            way += if is_near { 0 } else { LONG_SHOT - SHOT };
        }
        let mv = Move::new(select(set, index), way);
        if self.is_legal(view, mv) {
            return Some(mv);
        }
        self.draw_listed(view, Either(goes_up), random, &mut work.candidates)
    }
}
