//! The rules of Amazons as searches see them.

use super::lines::{Lines, MOST_IN_LINE, ROW, Word, numbers, one};
use super::{AMAZONS, Amazons, Geometry, Move, State, on_lines};
use crate::variant::Variant;
use spinney_core::{
    Game, List, MoveRuns, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Run, RunsOf, Turn, Weighted,
    Workspace, random,
};

impl Game for Amazons {
    type State = State;
    type Move = Move;
    type Scratch = Runs;
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const MOVE_RUNS: Option<RunsOf<Self>> = Some(RunsOf::of());

    fn initial(&self) -> State {
        let size = self.size();
        let inset = (size - 1) / 3;
        let square = |column: usize, rank: usize| 1u128 << (rank * size + column);
        let four = |home: usize, edge: usize| {
            square(inset, home) | square(size - 1 - inset, home) | square(0, edge) | square(size - 1, edge)
        };
        let (own, other) = (four(0, inset), four(size - 1, size - 1 - inset));
        let board = u128::MAX >> (128 - size * size);
        State { open: board & !own & !other, own, other, mover: Player::First }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        on_lines!(self, |lines| lines.turn(self.options.variant, state))
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        match self.options.variant {
            Variant::Standard => Turn::Player(state.mover),
            Variant::Engine2014 => self.turn(state),
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        on_lines!(self, |lines| lines.moves(state, moves));
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let (from, to) = (1 << mv.from(), 1 << mv.to());
        let arrow = 1 << on_lines!(self, |lines| lines.arrow(mv));
        *state = State {
            // In this order, for the arrow may land where the amazon came from.
            open: (state.open | from) & !(to | arrow),
            own: state.other,
            other: state.own ^ from ^ to,
            mover: state.mover.other(),
        };
    }

    #[inline]
    fn move_ids(&self) -> usize {
        on_lines!(self, |lines| lines.paths()) as usize
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        mv.path() as usize
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move, _: &mut Workspace<Self>) -> Option<Outcome> {
        on_lines!(self, |lines| lines.outcome_after(self.options.variant, state, mv))
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
        on_lines!(self, |lines| lines.random_move(state, random))
    }

    /// The winner's destinations over 16, arrows not counted; may exceed 1.
    #[inline]
    fn quality(&self, state: &State, winner: Player) -> f32 {
        on_lines!(self, |lines| lines.mobility(state.open, state.amazons(winner))) as f32 / 16.0
    }

    /// Difference of destinations, squashed into (−1, 1).
    #[inline]
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let [own, other] = [player, player.other()]
            .map(|player| on_lines!(self, |lines| lines.mobility(state.open, state.amazons(player))) as f32);
        let lead = own - other;
        Some(lead / (16.0 + lead.abs()))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let words = [state.open, state.own, state.other].into_iter().flat_map(|set| [set as u64, (set >> 64) as u64]);
        Some(words.fold(state.mover.index() as u64, |key, word| random::mix(key ^ word)))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014), for 8×8.
    fn published(&self) -> Published {
        Published { agent: "c=0.5, playout=policy+mast(eps=0.3), rb(k=2.2), qb(k=1.6)", simulations_per_second: 3_000 }
    }
}

impl PlayoutPolicy for Amazons {
    /// All moves of one amazon: one drawn at random, or the next that can move.
    #[inline(always)]
    fn policy(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) {
        on_lines!(self, |lines| lines.policy(state, random, &mut work.candidates));
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
        on_lines!(self, |lines| lines.policy_move(state, random, &mut work.scratch))
    }
}

/// The moves of an amazon to a square are a run: a place for every square in line with it.
impl MoveRuns for Amazons {
    #[inline(always)]
    fn find_runs(&self, state: &State, runs: &mut Runs) {
        runs.count = 0;
        on_lines!(self, |lines| lines.find_runs(state, runs));
    }

    #[inline(always)]
    fn find_policy_runs(&self, state: &State, random: &mut Random, runs: &mut Runs) {
        runs.count = 0;
        on_lines!(self, |lines| lines.find_policy_runs(state, random, runs));
    }

    #[inline(always)]
    fn runs(runs: &Runs) -> &[Run<Move>] {
        &runs.runs[..runs.count]
    }

    #[inline(always)]
    fn move_at(&self, first: Move, place: u32) -> Move {
        first.at(place)
    }
}

/// Runs of moves with room for as many as all amazons of a side can have.
#[derive(Debug)]
pub struct Runs {
    runs: [Run<Move>; AMAZONS * MOST_IN_LINE],
    count: usize,
    /// Where an amazon can go.
    #[cfg(any(test, target_arch = "nvptx64"))]
    squares: [u8; MOST_LISTED],
}

/// Room for the squares in line with one; a power of two, so that an index needs no test.
#[cfg(any(test, target_arch = "nvptx64"))]
const MOST_LISTED: usize = MOST_IN_LINE.next_power_of_two();

impl Default for Runs {
    fn default() -> Self {
        Self {
            runs: [Run { first: Move::default(), places: 0 }; AMAZONS * MOST_IN_LINE],
            count: 0,
            #[cfg(any(test, target_arch = "nvptx64"))]
            squares: [0; MOST_LISTED],
        }
    }
}

impl Runs {
    #[inline(always)]
    fn add(&mut self, first: Move, places: u64) {
        // There is room; to say so costs less than to ask.
        self.runs[self.count.min(AMAZONS * MOST_IN_LINE - 1)] = Run { first, places };
        self.count += 1;
    }
}

/// The moves of one amazon to one square.
#[derive(Clone, Copy)]
struct Shots<'a> {
    first: Move,
    places: &'a [u8; ROW],
}

impl Shots<'_> {
    #[inline(always)]
    fn at(&self, arrow: u32) -> Move {
        self.first.at(u32::from(self.places[arrow as usize % ROW]))
    }
}

impl<W: Word> Lines<W> {
    /// Destinations of all amazons, arrows not counted.
    #[inline]
    fn mobility(&self, open: u128, amazons: u128) -> u32 {
        let open = W::narrow(open);
        numbers(W::narrow(amazons)).map(|from| self.reach(from, open).count()).sum()
    }

    /// Whether an amazon has an open square beside it. Then it can move, and shoot back at the least.
    #[inline(always)]
    fn can_move(&self, open: W, amazons: W) -> bool {
        self.around(amazons) & open != W::NONE
    }

    #[inline(always)]
    fn shots(&self, from: u32, to: u32) -> Shots<'_> {
        Shots { first: self.first_move(from, to), places: self.places(to) }
    }

    /// Calls `add` for every destination of an amazon with the squares its arrow can reach from there.
    #[inline(always)]
    fn moves_of(&self, (from, reach): (u32, W), open: W, mut add: impl FnMut(Shots<'_>, W)) {
        let vacated = open | one(from);
        for to in numbers(reach) {
            add(self.shots(from, to), self.reach(to, vacated));
        }
    }

    /// A uniformly random move, given where each amazon can go.
    ///
    /// A destination and a square in line with it are drawn until the arrow can fly there. Every try draws from as
    /// many destinations and as many places on the lines, so that all moves are equally likely, and no arrow has to be
    /// counted.
    #[inline(always)]
    fn draw<const N: usize>(&self, reaches: &[(u32, W); N], open: W, random: &mut Random) -> Option<Move> {
        let counts = reaches.map(|(_, reach)| reach.count());
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let places = self.longest().min(open.count());
        loop {
            let mut index = random.below(total);
            let mut amazon = 0;
            while index >= counts[amazon] {
                index -= counts[amazon];
                amazon += 1;
            }
            let (from, reach) = reaches[amazon];
            let to = reach.select(index);
            let vacated = open | one(from);
            let in_line = self.in_line(to) & vacated;
            let place = random.below(places);
            if place < in_line.count() {
                let arrow = in_line.select(place);
                if self.is_clear(to, arrow, vacated) {
                    return Some(self.shots(from, to).at(arrow));
                }
            }
        }
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random) -> Option<Move> {
        let (open, mut amazons) = (W::narrow(state.open), W::narrow(state.own));
        let reaches = [(); AMAZONS].map(|()| {
            let from = amazons.lowest();
            amazons = amazons.without_lowest();
            (from, self.reach(from, open))
        });
        self.draw(&reaches, open, random)
    }

    /// An amazon drawn at random, or the next one in the order of squares that can move, and where it can go.
    #[inline(always)]
    fn random_amazon(&self, state: &State, random: &mut Random) -> Option<(u32, W)> {
        let (open, amazons) = (W::narrow(state.open), W::narrow(state.own));
        let first = random.below(AMAZONS as u32);
        // Nothing is asked of one after the other: what stands beside an open square can move.
        let movable = amazons & self.around(open);
        let mut later = amazons;
        if first & 2 != 0 {
            later = later.without_lowest().without_lowest();
        }
        if first & 1 != 0 {
            later = later.without_lowest();
        }
        let later = later & movable;
        let drawn = if later == W::NONE { movable } else { later };
        (drawn != W::NONE).then(|| {
            let from = drawn.lowest();
            (from, self.reach(from, open))
        })
    }

    #[cfg_attr(not(target_arch = "nvptx64"), expect(unused_variables, reason = "only a card makes lists"))]
    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, scratch: &mut Runs) -> Option<Move> {
        let (amazon, open) = (self.random_amazon(state, random)?, W::narrow(state.open));
        #[cfg(target_arch = "nvptx64")]
        return self.draw_from_list(amazon, open, random, &mut scratch.squares);
        #[cfg(not(target_arch = "nvptx64"))]
        self.draw(&[amazon], open, random)
    }

    /// As [`draw`](Self::draw) for one amazon that can move, with the same random numbers. A thread of a card waits for
    /// the least lucky of its warp, so that every try is as short as can be: where the amazon can go is listed before.
    #[cfg(any(test, target_arch = "nvptx64"))]
    #[inline(always)]
    fn draw_from_list(
        &self,
        (from, reach): (u32, W),
        open: W,
        random: &mut Random,
        squares: &mut [u8; MOST_LISTED],
    ) -> Option<Move> {
        let stars = self.stars.all()?;
        let (mut total, mut rest) = (0, reach);
        while rest != W::NONE {
            squares[total % MOST_LISTED] = rest.lowest() as u8;
            rest = rest.without_lowest();
            total += 1;
        }
        let (places, vacated) = (self.longest().min(open.count()), open | one(from));
        loop {
            let (index, place) = (random.below(total as u32), random.below(places));
            let to = squares[index as usize % MOST_LISTED];
            let star = &stars[usize::from(to)];
            let in_line = W::of_star(star) & vacated;
            if place < in_line.count() {
                let ends = in_line.without(place);
                if vacated.reaches_through(star, ends) {
                    return Some(self.shots(from, to.into()).at(ends.lowest()));
                }
            }
        }
    }

    #[inline(always)]
    fn policy(&self, state: &State, random: &mut Random, candidates: &mut List<Weighted<Move>>) {
        let Some(amazon) = self.random_amazon(state, random) else { return };
        self.moves_of(amazon, W::narrow(state.open), |shots, arrows| {
            candidates.extend(numbers(arrows).map(|arrow| Weighted { mv: shots.at(arrow), weight: 1 }));
        });
    }

    /// The runs of one amazon, given where it can go.
    #[inline(always)]
    fn add_runs(&self, (from, reach): (u32, W), open: W, runs: &mut Runs) {
        let vacated = open | one(from);
        #[cfg(not(target_arch = "nvptx64"))]
        for to in numbers(reach) {
            runs.add(self.first_move(from, to), self.places_reached(to, vacated));
        }
        #[cfg(target_arch = "nvptx64")]
        self.stars.for_runs(from, reach, vacated, self.longest(), |first, places| runs.add(first, places));
    }

    #[inline(always)]
    fn find_runs(&self, state: &State, runs: &mut Runs) {
        let open = W::narrow(state.open);
        for from in numbers(W::narrow(state.own)) {
            self.add_runs((from, self.reach(from, open)), open, runs);
        }
    }

    #[inline(always)]
    fn find_policy_runs(&self, state: &State, random: &mut Random, runs: &mut Runs) {
        if let Some(amazon) = self.random_amazon(state, random) {
            self.add_runs(amazon, W::narrow(state.open), runs);
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        let open = W::narrow(state.open);
        for from in numbers(W::narrow(state.own)) {
            self.moves_of((from, self.reach(from, open)), open, |shots, arrows| {
                moves.extend(numbers(arrows).map(|arrow| shots.at(arrow)));
            });
        }
    }

    /// Who has lost with these open squares and amazons, if anybody.
    #[inline(always)]
    fn loser(&self, variant: Variant, open: W, mover: Player, own: W, other: W) -> Option<Player> {
        match variant {
            Variant::Standard => (!self.can_move(open, own)).then_some(mover),
            Variant::Engine2014 => {
                let (first, second) = if mover == Player::First { (own, other) } else { (other, own) };
                if !self.can_move(open, first) {
                    Some(Player::First)
                } else {
                    (!self.can_move(open, second)).then_some(Player::Second)
                }
            }
        }
    }

    #[inline(always)]
    fn turn(&self, variant: Variant, state: &State) -> Turn {
        let (own, other) = (W::narrow(state.own), W::narrow(state.other));
        match self.loser(variant, W::narrow(state.open), state.mover, own, other) {
            Some(loser) => Turn::Over(Outcome::Win(loser.other())),
            None => Turn::Player(state.mover),
        }
    }

    #[inline(always)]
    fn outcome_after(&self, variant: Variant, state: &State, mv: Move) -> Option<Outcome> {
        let (from, to) = (one::<W>(mv.from()), one::<W>(mv.to()));
        // A move takes at most two squares, so that who has three of them beside amazons that stand still can move.
        let is_free = |amazons: W| (self.around(amazons) & W::narrow(state.open)).count() > 2;
        let own_is_safe = variant == Variant::Standard || is_free(W::narrow(state.own) & !from);
        if is_free(W::narrow(state.other)) && own_is_safe {
            return None;
        }
        let arrow = one::<W>(self.arrow(mv));
        let open = ((W::narrow(state.open) | from) & !to) & !arrow;
        let own = W::narrow(state.own) ^ from ^ to;
        let loser = self.loser(variant, open, state.mover.other(), W::narrow(state.other), own);
        loser.map(|loser| Outcome::Win(loser.other()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amazons::Options;
    use spinney_core::Seed;

    /// The amazon that was asked first, or the next one, until one could move.
    fn amazon_by_amazon<W: Word>(lines: &Lines<W>, state: &State, random: &mut Random) -> Option<(u32, W)> {
        let first = random.below(AMAZONS as u32);
        let reached = (first..first + AMAZONS as u32).map(|index| {
            let from = W::narrow(state.own).select(index % AMAZONS as u32);
            (from, lines.reach(from, W::narrow(state.open)))
        });
        reached.into_iter().find(|&(_, reach)| reach != W::NONE)
    }

    fn compare<W: Word>(lines: &Lines<W>, state: &State, random: &Random) {
        let open = W::narrow(state.open);
        let [mut random, mut other] = [(); 2].map(|()| random.clone());
        let amazon = lines.random_amazon(state, &mut random);
        assert!(amazon == amazon_by_amazon(lines, state, &mut other));
        let Some((from, reach)) = amazon else { return };
        let mut runs = Runs::default();
        lines.add_runs((from, reach), open, &mut runs);
        let mut found = runs.runs[..runs.count].iter();
        lines.stars.for_runs(from, reach, open | one(from), lines.longest(), |first, places| {
            assert_eq!(found.next(), Some(&Run { first, places }));
        });
        assert_eq!(found.next(), None);
        for _ in 0..4 {
            let drawn = lines.draw(&[(from, reach)], open, &mut random);
            assert_eq!(lines.draw_from_list((from, reach), open, &mut other, &mut runs.squares), drawn);
        }
        assert_eq!(random.bits(), other.bits());
    }

    #[test]
    fn cards_find_and_draw_the_same_moves() {
        for size in 4..=10 {
            let game = Amazons::new(Options { size, variant: Variant::Standard });
            let (small, large) = (Lines::<u64>::new(u32::from(size).min(8)), Lines::<u128>::new(size.into()));
            for seed in 0..20 {
                let (mut state, mut random) = (game.initial(), Random::new(Seed::new(seed)));
                while let Some(mv) = game.policy_move(&state, &mut random, &mut Workspace::new()) {
                    compare(&large, &state, &random);
                    if size <= 8 {
                        compare(&small, &state, &random);
                    }
                    game.apply(&mut state, mv);
                }
            }
        }
    }
}
