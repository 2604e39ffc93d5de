//! The move generator: all soldiers at once, and only moves that can matter to the own town are tested one by one.

use super::moves::*;
use super::points::*;
use super::{Cannon, State};
use spinney_core::List;

/// A position in the view of the player to move.
pub(super) struct View {
    pub(super) own: u128,
    pub(super) other: u128,
    pub(super) empty: u128,
    pub(super) town: &'static Town,
    pub(super) target: &'static Town,
    /// Points of which a move must change one to save the own town; all of them if it is not attacked.
    pub(super) answers: u128,
    /// Occupied points that must not become empty, unless the move also disarms the cannon behind.
    pub(super) pins: u128,
}

impl Cannon {
    /// Whether `soldiers` could capture the town or shoot at it.
    #[inline(always)]
    pub(super) fn attacks(&self, soldiers: u128, town: &Town, empty: u128) -> bool {
        if soldiers & town.around & self.reachable != 0 {
            return true;
        }
        (soldiers & town.range).count_ones() >= 3
            && town.rays.iter().any(|ray| {
                let far_open = if self.options.strict_shots { ray.near | ray.second } else { ray.second };
                soldiers & ray.cannon == ray.cannon && empty & ray.near != 0
                    || soldiers & ray.far_cannon == ray.far_cannon && empty & far_open == far_open
            })
    }

    /// `answers` and `pins` of a view.
    #[inline(always)]
    fn danger(&self, soldiers: u128, town: &Town, empty: u128) -> (u128, u128) {
        let attackers = soldiers & town.around & self.reachable;
        let mut answers = match attackers {
            0 => u128::MAX,
            one if is_single(one) => one,
            _ => 0,
        };
        let mut pins = 0;
        if (soldiers & town.range).count_ones() >= 3 {
            for ray in &town.rays {
                let mut aims = |cannon: u128, open: u128| {
                    if soldiers & cannon == cannon {
                        let blocks = open & !empty;
                        if blocks == 0 {
                            answers &= open | cannon;
                        } else if is_single(blocks) {
                            pins |= blocks;
                        }
                    }
                };
                aims(ray.cannon, ray.near);
                aims(ray.far_cannon, if self.options.strict_shots { ray.near | ray.second } else { ray.second });
            }
        }
        (answers, pins)
    }

    #[inline(always)]
    pub(super) fn view(&self, state: &State) -> View {
        let mover = state.mover();
        let [own, other] = [mover, mover.other()].map(|player| state.soldiers[player.index()]);
        let [town, target] = [mover, mover.other()].map(|player| &TOWNS[usize::from(state.towns[player.index()])]);
        let empty = BOARD & !(own | other | town.point | target.point);
        let (answers, pins) = self.danger(other, town, empty);
        View { own, other, empty, town, target, answers, pins }
    }

    /// Soldiers that may retreat: an enemy soldier stands beside them.
    #[inline(always)]
    fn retreating<const UP: bool>(&self, view: &View) -> u128 {
        let enemies = view.other;
        let wide = enemies | enemies << 1 | enemies >> 1;
        let near = wide | wide << 11 | wide >> 11;
        if !self.is_engine() {
            return view.own & near;
        }
        let first = enemies >> 1 | enemies >> 11 | enemies >> 12 | enemies >> 9;
        let last = enemies << 1 | enemies << 11 | enemies << 12 | enemies << 9;
        let near = near & !(FIRST_COLUMN | LAST_COLUMN) | first & FIRST_COLUMN | last & LAST_COLUMN;
        let rows = if UP { BOARD >> (2 * STRIDE) } else { BOARD << (3 * STRIDE) };
        view.own & near & rows
    }

    /// Fills `found`.
    #[inline(always)]
    pub(super) fn generate<const UP: bool>(&self, view: &View, found: &mut Generated) {
        found.begin::<UP>();
        if UP {
            self.add_steps::<0>(0, view, found);
            self.add_steps::<1>(1, view, found);
            self.add_steps::<2>(2, view, found);
        } else {
            self.add_steps::<5>(0, view, found);
            self.add_steps::<6>(1, view, found);
            self.add_steps::<7>(2, view, found);
        }
        self.add_captures::<LEFT>(3, view, found);
        self.add_captures::<RIGHT>(4, view, found);
        let retreating = self.retreating::<UP>(view);
        if retreating != 0 {
            if UP {
                Self::add_retreats::<5>(0, view, retreating, found);
                Self::add_retreats::<6>(1, view, retreating, found);
                Self::add_retreats::<7>(2, view, retreating, found);
            } else {
                Self::add_retreats::<0>(0, view, retreating, found);
                Self::add_retreats::<1>(1, view, retreating, found);
                Self::add_retreats::<2>(2, view, retreating, found);
            }
            if self.is_engine() {
                Self::add_wrapped_retreats::<UP>(view, retreating, found);
            }
        }
        self.add_cannons::<RIGHT, LEFT>(view, found);
        self.add_cannons::<5, 2>(view, found);
        self.add_cannons::<6, 1>(view, found);
        self.add_cannons::<7, 0>(view, found);
    }

    #[inline(always)]
    fn add_steps<const DIRECTION: usize>(&self, slot: usize, view: &View, found: &mut Generated) {
        let arrivals = moved::<DIRECTION>(view.own) & self.reachable & view.answers;
        found.quiet.put(STEPS + slot, arrivals & view.empty);
        self.add_captures::<DIRECTION>(slot, view, found);
    }

    #[inline(always)]
    fn add_captures<const DIRECTION: usize>(&self, slot: usize, view: &View, found: &mut Generated) {
        let arrivals = moved::<DIRECTION>(view.own) & self.reachable & view.answers;
        found.captures.put(slot, arrivals & view.other);
    }

    #[inline(always)]
    fn add_retreats<const DIRECTION: usize>(slot: usize, view: &View, retreating: u128, found: &mut Generated) {
        let between = moved::<DIRECTION>(retreating) & view.empty;
        found.quiet.put(RETREATS + slot, moved::<DIRECTION>(between) & view.empty & view.answers);
    }

    /// Slides and shots of the cannons along one axis.
    #[inline(always)]
    fn add_cannons<const DIRECTION: usize, const OPPOSITE: usize>(&self, view: &View, found: &mut Generated) {
        let pairs = view.own & moved::<DIRECTION>(view.own);
        let cannons = pairs & moved::<DIRECTION>(pairs);
        if cannons != 0 {
            self.add_front::<DIRECTION>(view, moved::<DIRECTION>(cannons), found);
            let rear = moved::<OPPOSITE>(moved::<OPPOSITE>(cannons));
            self.add_front::<OPPOSITE>(view, moved::<OPPOSITE>(rear), found);
        }
    }

    /// Slides to and shots over the points before cannons that point in this direction.
    #[inline(always)]
    fn add_front<const DIRECTION: usize>(&self, view: &View, front: u128, found: &mut Generated) {
        let front = front & view.empty;
        found.quiet.put(SLIDES + DIRECTION, front & view.answers);
        let takeable = view.other & view.answers;
        let second = moved::<DIRECTION>(front);
        found.shots.put(2 * DIRECTION, second & takeable);
        let passable = if self.options.strict_shots { view.empty } else { BOARD };
        found.shots.put(2 * DIRECTION + 1, moved::<DIRECTION>(second & passable) & takeable);
    }

    /// Diagonal retreats whose second step leaves the board and comes back at the other side, a row off.
    #[inline]
    fn add_wrapped_retreats<const UP: bool>(view: &View, retreating: u128, found: &mut Generated) {
        let (left, right, way) = if UP { (10, 12, WRAPPED) } else { (-12, -10, WRAPPED + 2) };
        let from_left = shift(shift(retreating, left) & view.empty & FIRST_COLUMN, -left);
        let from_right = shift(shift(retreating, right) & view.empty & LAST_COLUMN, -right);
        for (slot, from) in [from_left, from_right].into_iter().enumerate() {
            let set = shift(from, i32::from(WAYS[usize::from(way) + slot]));
            found.quiet.put(WRAPPED_RETREATS + slot, set & view.empty & view.answers);
        }
    }

    /// Whether a move of the layers is legal: nearly always, unless it empties a pinned point.
    #[inline(always)]
    pub(super) fn is_legal(&self, view: &View, mv: Move) -> bool {
        if view.pins == 0 {
            return true;
        }
        let emptied = if mv.is_shot() { mv.to() } else { mv.from() };
        view.pins >> emptied & 1 == 0 || !self.exposes(view, mv)
    }

    /// Whether the own town is attacked after the move.
    #[inline]
    fn exposes(&self, view: &View, mv: Move) -> bool {
        let (_, other, empty) = Self::after(view, mv);
        self.attacks(other, view.town, empty)
    }

    /// Own soldiers, enemy soldiers and empty points after the move.
    #[inline(always)]
    fn after(view: &View, mv: Move) -> (u128, u128, u128) {
        let to = one_wide(mv.to());
        if mv.is_shot() {
            return (view.own, view.other & !to, view.empty | to);
        }
        let from = one_wide(mv.from());
        (view.own ^ from | to, view.other & !to, view.empty & !to | from)
    }

    /// Points where a soldier may give check by arriving (first) or leaving (second).
    #[inline(always)]
    fn check_points(&self, view: &View) -> (u128, u128) {
        let mut arrivals = view.target.around & view.empty & self.reachable;
        let mut departures = 0;
        if (view.own & view.target.range).count_ones() >= 2 {
            for ray in &view.target.rays {
                let missing = ray.cannon & !view.own;
                if view.empty & ray.near != 0 && is_single(missing) {
                    arrivals |= missing;
                }
                let missing = ray.far_cannon & !view.own;
                if missing == 0 || is_single(missing) {
                    arrivals |= missing;
                    departures |= ray.second & view.own;
                }
            }
        }
        (arrivals, departures)
    }

    /// Calls `found` with every legal step, retreat or slide after which the enemy town is attacked.
    #[inline(always)]
    pub(super) fn each_check(&self, view: &View, quiet: &Quiet, mut found: impl FnMut(Move)) {
        // From further away a town is attacked by cannons, or after a retreat around the board.
        let is_far = view.own & view.target.near == 0 && !quiet.has(WRAPPED_RETREATS..WRAPPED_RETREATS + 2);
        if is_far && (view.own & view.target.range).count_ones() < 2 {
            return;
        }
        let (arrivals, departures) = self.check_points(view);
        if arrivals | departures == 0 || departures == 0 && quiet.destinations() & arrivals == 0 {
            return;
        }
        for (set, way) in quiet.iter() {
            let leaving = if departures == 0 { 0 } else { shift(departures, i32::from(WAYS[usize::from(way)])) };
            for to in points(set & (arrivals | leaving)) {
                let mv = Move::new(to, way);
                let (own, _, empty) = Self::after(view, mv);
                if self.attacks(own, view.target, empty) && self.is_legal(view, mv) {
                    found(mv);
                }
            }
        }
    }

    /// Appends the legal moves.
    #[inline]
    pub(super) fn list<const UP: bool>(&self, view: &View, moves: &mut List<Move>) {
        let mut found = Generated::default();
        self.generate::<UP>(view, &mut found);
        moves.extend(found.moves().filter(|&mv| self.is_legal(view, mv)));
    }

    #[inline]
    pub(super) fn has_move<const UP: bool>(&self, view: &View) -> bool {
        if view.answers == u128::MAX {
            let free = view.own & !view.pins;
            let steps = if UP { [-12, -11, -10] } else { [12, 11, 10] };
            if steps.iter().any(|&by| shift(free, by) & view.empty & self.reachable != 0) {
                return true;
            }
        }
        let mut found = Generated::default();
        self.generate::<UP>(view, &mut found);
        found.moves().any(|mv| self.is_legal(view, mv))
    }
}
