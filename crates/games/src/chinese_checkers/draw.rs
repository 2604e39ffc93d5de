//! Random moves without listing them all.

use super::engine2014::Search;
use super::geometry::{Filter, GOALS, HOPS, Singles, cells, single_cell, singles, step_cells};
use super::pieces::{Ends, Open, PIECES, cell_at};
use super::{ChineseCheckers, Layers, Move, State};
use spinney_core::{Game, Player, Random, bits};

/// How the moves of one piece are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// All alike, as often as they are found.
    Equal,
    /// If the piece can enter its goal: these moves, with the number of hops as weight, a step with 1. Else all its
    /// moves with 1 more than the number of hops.
    Policy,
}

/// The `index`-th bit of `set`, as a number.
#[inline(always)]
fn select(set: u128, index: u32) -> usize {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let lows = low.count_ones();
    let is_high = index >= lows;
    let (word, index) = if is_high { (high, index - lows) } else { (low, index) };
    (bits::select(word, index).trailing_zeros() + 64 * u32::from(is_high)) as usize
}

impl ChineseCheckers {
    /// A uniform draw from the search moves of all pieces.
    ///
    /// Steps and single hops are counted exactly. Chains of several hops take a search, which is put off: they get
    /// as many tickets as there are cells where one could end at most, and only if such a ticket is drawn are the
    /// hops of that one piece followed. A ticket without a move is drawn again.
    #[inline(always)]
    pub(super) fn draw_of_all(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        let Open { steps, hops, firsts } = state.pieces.open(state.mover);
        let list = state.pieces.list(state.mover);
        let count = steps.count_ones();
        let singles = count + hops.count_ones();
        if singles == 0 {
            return self.draw_from_list(state, random, moves, false);
        }
        let chains = Chains::new(state, self.filter(state), firsts, hops);
        loop {
            // The whole part says which single move, the fraction whether it is a chain instead. So the next
            // position does not wait for the tickets of chains where it is foreseen that none is drawn.
            let drawn = u128::from(random.bits()) * u128::from(singles);
            let (ticket, fraction) = ((drawn >> 64) as u32, drawn as u64);
            let among_all = (u128::from(fraction) * u128::from(singles + chains.tickets)) >> 64;
            if among_all < u128::from(chains.tickets) {
                match self.draw_chain(state, &chains, random.below(chains.tickets)) {
                    Some(mv) => return Some(mv),
                    None => continue,
                }
            }
            let is_hop = ticket >= count;
            let (word, index) = if is_hop { (hops, ticket - count) } else { (steps, ticket) };
            let place = bits::select(word, index).trailing_zeros();
            let from = cell_at(list, place & 56);
            return Some(Move::new(from, single_cell(from, (place & 7) + 6 * u32::from(is_hop))));
        }
    }

    /// A uniform draw from the list, when no piece has a move that comes nearer; moves count as often as the
    /// published engine finds them if they are `repeated`.
    #[cold]
    fn draw_from_list(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<Move>,
        repeated: bool,
    ) -> Option<Move> {
        moves.clear();
        if repeated {
            self.list_engine_repeated(state, moves);
        } else {
            self.search_moves(state, moves);
        }
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    /// The chain of this ticket, unless there is none that takes several hops. Each piece has its share of tickets.
    #[inline(never)]
    fn draw_chain(&self, state: &State, chains: &Chains<'_>, ticket: u32) -> Option<Move> {
        let mut ticket = ticket;
        let mut rest = chains.leading;
        loop {
            debug_assert!(rest != 0);
            let from = cell_at(state.pieces.list(state.mover), rest.trailing_zeros() & 56);
            let mut layers = Layers::new(state, chains.filter, from);
            let first = layers.next().unwrap_or_default();
            let could = chains.ends.set() & chains.filter.far[from] & !first;
            if ticket < could.count_ones() {
                let to = select(could, ticket);
                return layers.any(|layer| layer >> to & 1 == 1).then(|| Move::new(from, to));
            }
            ticket -= could.count_ones();
            rest = without_first_piece(rest);
        }
    }

    /// A piece at random, or the next one that has a move, then one of its moves.
    #[inline(always)]
    pub(super) fn draw_by_piece(
        &self,
        state: &State,
        weights: Weights,
        random: &mut Random,
        moves: &mut Vec<Move>,
    ) -> Option<Move> {
        let open = state.pieces.open(state.mover);
        let list = state.pieces.list(state.mover);
        let mut place = 8 * random.below(PIECES);
        for _ in 0..PIECES {
            let from = cell_at(list, place);
            if let Some(to) = self.draw_of_piece(state, from, open, place, weights, random) {
                return Some(Move::new(from, to));
            }
            place = if place == 8 * (PIECES - 1) { 0 } else { place + 8 };
        }
        self.draw_from_list(state, random, moves, weights == Weights::Equal)
    }

    /// A destination drawn from the moves of one piece, if it has any; its bits in `open` are at `place`.
    #[inline(always)]
    fn draw_of_piece(
        &self,
        state: &State,
        from: usize,
        open: Open,
        place: u32,
        weights: Weights,
        random: &mut Random,
    ) -> Option<usize> {
        let first = open.firsts >> place & 63;
        if first != 0 && self.hops_go_on(state, from, first as Singles) {
            return self.draw_with_chains(state, from, weights, random);
        }
        let mut tickets = open.steps >> place & 63 | (open.hops >> place & 63) << 6;
        if tickets == 0 {
            return None;
        }
        if weights == Weights::Policy {
            let entering = tickets & u64::from(self.tables.entering[state.mover.index()][from]);
            // A hop has two tickets, unless it enters the goal.
            let twice = tickets | (tickets & u64::from(HOPS)) << 6;
            tickets = if entering != 0 { entering } else { twice };
        }
        let ticket = bits::select(tickets, random.below(tickets.count_ones()));
        Some(single_cell(from, ticket.trailing_zeros()))
    }

    /// Whether a piece can hop again after one of its first hops.
    #[inline(always)]
    fn hops_go_on(&self, state: &State, from: usize, first: Singles) -> bool {
        let (occupied, filter) = (state.pieces.occupied(), self.filter(state));
        let mut first = first;
        while first != 0 {
            let landing = single_cell(from, first.trailing_zeros() + 6);
            if singles(occupied, landing) & filter.legal(landing) & HOPS != 0 {
                return true;
            }
            first &= first - 1;
        }
        false
    }

    /// The same where a chain of hops is possible.
    #[inline(never)]
    fn draw_with_chains(&self, state: &State, from: usize, weights: Weights, random: &mut Random) -> Option<usize> {
        if !self.is_engine() {
            return PieceMoves::new(state, self.filter(state), from).draw(random);
        }
        let search = Search::new(state.pieces.occupied(), self.filter(state), from);
        let found = search.found();
        let enters = weights == Weights::Policy && enters_goal(state.mover, from, found.iter().map(|one| one.to));
        let weight = |one: &super::engine2014::Found| match weights {
            Weights::Equal => 1,
            Weights::Policy => policy_weight(state.mover, enters, one.to.into(), one.hops.into()),
        };
        let total: u32 = found.iter().map(weight).sum();
        if total == 0 {
            return None;
        }
        let mut ticket = random.below(total);
        for one in found {
            let tickets = weight(one);
            if ticket < tickets {
                return Some(one.to.into());
            }
            ticket -= tickets;
        }
        None
    }
}

/// Whether a piece that is not yet in its goal enters it with one of these moves.
pub fn enters_goal(player: Player, from: usize, mut to: impl Iterator<Item = u8>) -> bool {
    let goal = GOALS[player.index()];
    goal >> from & 1 == 0 && to.any(|to| goal >> to & 1 == 1)
}

/// The weight of a destination; `enters` says whether only those in the goal have one.
pub fn policy_weight(player: Player, enters: bool, to: usize, hops: u32) -> u32 {
    match (enters, GOALS[player.index()] >> to & 1) {
        (false, _) => hops + 1,
        (true, 1) => hops.max(1),
        (true, _) => 0,
    }
}

/// The chains of several hops that all pieces might make.
struct Chains<'a> {
    filter: &'a Filter,
    ends: Ends,
    /// The first hops that end where another hop is possible, as in [`Open`].
    leading: u64,
    /// For each piece that has such a hop, the cells where its chains could end.
    tickets: u32,
}

impl<'a> Chains<'a> {
    #[inline(always)]
    fn new(state: &State, filter: &'a Filter, firsts: u64, hops: u64) -> Self {
        let list = state.pieces.list(state.mover);
        let ends = state.pieces.ends();
        let set = ends.set();
        let leading = firsts & ends.in_reach(list);
        // The highest bit of each byte that has one. The two bytes without a piece stand for no chain; so two pieces
        // are looked at without asking whether there are any, which would often be foreseen wrongly.
        const HIGHEST: u64 = 0x8080_8080_8080_8080;
        let mut pieces = (leading + (HIGHEST - (HIGHEST >> 7))) & HIGHEST | 0x8080 << 48;
        let mut tickets = 0;
        let mut look = || {
            let far = filter.far[cell_at(list, pieces.trailing_zeros() & 56)];
            tickets += (set & far).count_ones();
            pieces &= pieces.wrapping_sub(1);
            pieces
        };
        look();
        while look() << 16 != 0 {}
        // The ends of single hops are counted elsewhere.
        Self { filter, ends, leading, tickets: tickets - (leading & hops).count_ones() }
    }
}

/// Clears the byte of the lowest bit.
#[inline(always)]
fn without_first_piece(word: u64) -> u64 {
    word & !(0xff << (word.trailing_zeros() & 56))
}

/// The longest chain of hops that could be needed: hops reach a quarter of the board.
const MOST_HOPS: usize = 20;

/// The moves of one piece that the policy draws from, by number of hops.
pub struct PieceMoves {
    by_hops: [u128; MOST_HOPS],
    layers: usize,
    /// Whether all of them enter the goal.
    enters: bool,
}

impl PieceMoves {
    /// The moves of the piece on `from`.
    #[inline(always)]
    pub fn new(state: &State, filter: &Filter, from: usize) -> Self {
        let mut found = Self { by_hops: [0; MOST_HOPS], layers: 1, enters: false };
        found.by_hops[0] = step_cells(singles(state.pieces.occupied(), from) & filter.singles(from), from);
        let mut all = found.by_hops[0];
        for layer in Layers::new(state, filter, from) {
            let passing = layer & filter.far[from];
            found.by_hops[found.layers] = passing;
            found.layers += 1;
            all |= passing;
        }
        let goal = GOALS[state.mover.index()];
        if all & goal != 0 && goal >> from & 1 == 0 {
            found.by_hops[..found.layers].iter_mut().for_each(|set| *set &= goal);
            found.enters = true;
        }
        found
    }

    /// Weights with the destinations of that weight.
    #[inline(always)]
    fn sets(&self) -> impl Iterator<Item = (u32, u128)> {
        let enters = self.enters;
        let weight = move |hops: u32| if enters { hops.max(1) } else { hops + 1 };
        (0..).map(weight).zip(self.by_hops[..self.layers].iter().copied())
    }

    /// Destinations with their weights.
    pub fn weighted(&self) -> impl Iterator<Item = (usize, u32)> {
        self.sets().flat_map(|(weight, set)| cells(set).map(move |to| (to, weight)))
    }

    #[inline(always)]
    fn draw(&self, random: &mut Random) -> Option<usize> {
        let total: u32 = self.sets().map(|(weight, set)| weight * set.count_ones()).sum();
        if total == 0 {
            return None;
        }
        let mut ticket = random.below(total);
        for (weight, set) in self.sets() {
            let tickets = weight * set.count_ones();
            if ticket < tickets {
                return Some(select(set, ticket / weight));
            }
            ticket -= tickets;
        }
        None
    }
}
