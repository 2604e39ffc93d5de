//! Random moves without listing them all.

use super::engine2014::{self, Found, Piece, Search};
use super::few_chains::{FewChains, Shares};
use super::geometry::{Filter, GOALS, HOPS, hop_cells, in_goal, single_cell, singles, step_cells};
use super::hops::Hops;
use super::piece_moves::PieceMoves;
use super::pieces::{Around, PIECES, Pieces, cell_at};
use super::wide::Wide;
use super::{ChineseCheckers, Move, State};
use spinney_core::{List, Player, Random, bits};

/// How the moves of one piece are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// All alike, as often as they are found.
    Equal,
    /// If the piece can enter its goal: these moves, with the number of hops as weight, a step with 1. Else all its
    /// moves with 1 more than the number of hops.
    Policy,
}

/// The `index`-th cell of a set.
#[inline(always)]
pub fn select(set: u128, index: u32) -> usize {
    bits::select_wide(set, index) as usize
}

/// A random number below `bound`, and a fraction that tells nothing about it and can be scaled in turn.
#[inline(always)]
pub fn scaled(fraction: u64, bound: u32) -> (u32, u64) {
    let product = u128::from(fraction) * u128::from(bound);
    ((product >> 64) as u32, product as u64)
}

impl ChineseCheckers {
    /// A uniform draw from the search moves of all pieces.
    ///
    /// Steps and single hops are counted exactly. Chains of several hops take a search, which is put off: they get
    /// as many tickets as there are cells where one could end at most, and only if such a ticket is drawn are the
    /// hops of that one piece followed. A ticket without a move is drawn again.
    #[inline(always)]
    pub(super) fn draw_of_all(&self, state: &State, random: &mut Random, moves: &mut List<Move>) -> Option<Move> {
        let (filter, list) = (self.filter(state), state.pieces.list(state.mover));
        let around = Around::new(list);
        let [near, behind] = state.pieces.free(&around);
        let ways = [0, 8, 16, 24, 32, 40].map(|place| filter.searched[cell_at(list, place)]);
        let [steps, hops] = Wide::unzipped(ways);
        let (steps, hops) = (steps & near, hops & !near & behind);
        let count = steps.count_ones();
        let singles = count + hops.count_ones();
        if singles == 0 {
            let state = *state;
            return self.draw_from_list(&state, random, moves, false);
        }
        let chains = Chains::new(&state.pieces, filter, list, &around, near, hops);
        loop {
            // The whole part says which single move, the fraction whether it is a chain instead. So the next
            // position does not wait for the tickets of chains where it is foreseen that none is drawn.
            let (ticket, fraction) = scaled(random.bits(), singles);
            if scaled(fraction, singles + chains.tickets).0 < chains.tickets {
                let (pieces, ticket) = (chains.leading, random.below(chains.tickets));
                match Self::draw_chain(state.mover, filter, state.pieces.occupied(), list, pieces, ticket) {
                    Some(mv) => return Some(mv),
                    None => continue,
                }
            }
            let is_hop = ticket >= count;
            let (word, index) = if is_hop { (hops, ticket - count) } else { (steps, ticket) };
            let place = bits::select(word, index).trailing_zeros();
            let from = cell_at(list, place & 56);
            return Some(Move::new(from, single_cell(from, (place & 7) + 8 * u32::from(is_hop))));
        }
    }

    /// A uniform draw from the list, when no piece has a move that comes nearer; moves count as often as the
    /// published engine finds them if they are `repeated`.
    #[cold]
    pub(super) fn draw_from_list(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut List<Move>,
        repeated: bool,
    ) -> Option<Move> {
        moves.clear();
        if repeated {
            self.list_engine_repeated(state, moves);
        } else {
            self.list_searched(state, moves);
        }
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    /// The chain of this ticket, unless there is none that takes several hops. Each piece has its share of tickets.
    ///
    /// What it needs is given by value: a position that others may look at would have to be written to memory after each move.
    #[inline(never)]
    fn draw_chain(
        mover: Player,
        filter: &Filter,
        occupied: u128,
        list: u64,
        leading: u64,
        ticket: u32,
    ) -> Option<Move> {
        let hops = Hops::of(occupied);
        let ends = hops.ends().set();
        let (mut rest, mut ticket) = (leading, ticket);
        loop {
            debug_assert!(rest != 0);
            let place = rest.trailing_zeros() & 56;
            let from = cell_at(list, place);
            let first = hop_cells(singles(occupied, from) & filter.legal(from), from);
            let could = ends & filter.far[from] & !first;
            if ticket < could.count_ones() {
                let to = select(could, ticket);
                let mut layers = hops.layers(mover, first);
                return layers.any(|layer| layer >> to & 1 == 1).then(|| Move::new(from, to));
            }
            ticket -= could.count_ones();
            rest &= !(0xff << place);
        }
    }

    /// A piece at random, or the next one that has a move, then one of its moves.
    #[inline(always)]
    pub(super) fn draw_by_piece(
        &self,
        state: &State,
        weights: Weights,
        random: &mut Random,
        moves: &mut List<Move>,
    ) -> Option<Move> {
        #[cfg(target_arch = "nvptx64")]
        if self.is_engine() && weights == Weights::Policy {
            return self.draw_in_step(state, random, moves);
        }
        let (piece, fraction) = scaled(random.bits(), PIECES);
        let from = cell_at(state.pieces.list(state.mover), 8 * piece);
        match self.draw_of_piece(state, from, weights, fraction) {
            Some(to) => Some(Move::new(from, to)),
            None => self.draw_of_next(state, weights, (piece, fraction), random, moves),
        }
    }

    /// The same when this piece has no move. A function of its own: in a loop over all pieces what they share would be
    /// prepared, and most loops would end with the first.
    #[cold]
    #[inline(never)]
    fn draw_of_next(
        &self,
        state: &State,
        weights: Weights,
        (piece, fraction): (u32, u64),
        random: &mut Random,
        moves: &mut List<Move>,
    ) -> Option<Move> {
        for next in piece + 1..piece + PIECES {
            let from = cell_at(state.pieces.list(state.mover), 8 * (next % PIECES));
            if let Some(to) = self.draw_of_piece(state, from, weights, fraction) {
                return Some(Move::new(from, to));
            }
        }
        self.draw_from_list(state, random, moves, weights == Weights::Equal)
    }

    /// A destination drawn from the moves of one piece, if it has any.
    #[inline(always)]
    fn draw_of_piece(&self, state: &State, from: usize, weights: Weights, fraction: u64) -> Option<usize> {
        let target = self.target(state);
        let filter = self.tables.filter(state.mover, target);
        let open = singles(state.pieces.occupied(), from);
        let searched = open & self.tables.singles(state.mover, from, target);
        let first = open & self.no_filter(state).legal(from) & HOPS;
        // Whether there is a chain is found without a branch on first hops, which would often be foreseen wrongly.
        let hops = state.pieces.hops();
        let onward = hops.ends().in_reach_of(from);
        if onward & u64::from(first >> 8) != 0 {
            return match (self.is_engine(), weights) {
                (false, _) => {
                    let steps = step_cells(searched, from);
                    Self::draw_with_chains(filter, hops, from, [steps, hop_cells(first, from)], fraction)
                }
                (true, Weights::Policy) => {
                    let piece = Piece::new(filter, hops, from, searched, first);
                    self.draw_by_search(piece, fraction)
                }
                (true, Weights::Equal) => {
                    let sure = engine2014::sure(onward, u64::from(first >> 8));
                    let most = engine2014::most_found(hops, filter, from, searched);
                    let piece = Piece::new(filter, hops, from, searched, first);
                    Self::draw_before_search(piece, (u64::from(searched), sure, most), fraction)
                }
            };
        }
        let mut tickets = u64::from(searched);
        if tickets == 0 {
            return None;
        }
        if weights == Weights::Policy {
            let entering = tickets & u64::from(self.tables.entering[state.mover.index()][from]);
            // A hop has two tickets, unless it enters the goal.
            let twice = tickets | (tickets & u64::from(HOPS)) << 8;
            tickets = if entering != 0 { entering } else { twice };
        }
        let ticket = bits::select(tickets, scaled(fraction, tickets.count_ones()).0);
        Some(single_cell(from, ticket.trailing_zeros()))
    }

    /// The same where a chain of hops is possible: from steps and the cells of first hops on.
    ///
    /// Most chains have three hops at most. They are followed without a branch, which would often be foreseen wrongly.
    #[inline(always)]
    fn draw_with_chains(
        filter: &Filter,
        hops: Hops,
        from: usize,
        [steps, first]: [u128; 2],
        fraction: u64,
    ) -> Option<usize> {
        let (player, far) = (filter.player, filter.far[from]);
        let mut layers = hops.layers(player, first);
        let (second, third) = (layers.layer(), layers.layer());
        if layers.layer() != 0 {
            let mut found = PieceMoves::NONE;
            found.fill(filter, hops, from, [steps, first]);
            return found.draw(fraction);
        }
        let sets = [steps, first & far, second & far, third & far];
        let goal = GOALS[player.index()];
        let enters = (sets[0] | sets[1] | sets[2] | sets[3]) & goal != 0 && !in_goal(player, from);
        let (kept, less) = if enters { (goal, 1) } else { (u128::MAX, 0) };
        let sets = sets.map(|set| set & kept);
        // One more than the number of hops, or the number of hops.
        let weights = [1, 2 - less, 3 - less, 4 - less];
        let mut ends = [0; 4];
        let mut total = 0;
        for ((end, set), weight) in ends.iter_mut().zip(sets).zip(weights) {
            total += weight * set.count_ones();
            *end = total;
        }
        if total == 0 {
            return None;
        }
        let (ticket, _) = scaled(fraction, total);
        let (mut set, mut weight, mut start) = (sets[0], 1, 0);
        for index in 1..4 {
            if ticket >= ends[index - 1] {
                (set, weight, start) = (sets[index], weights[index], ends[index - 1]);
            }
        }
        // Divided by a number up to four.
        const PARTS: [u32; 5] = [0, 1 << 16, 1 << 15, (1 << 16) / 3 + 1, 1 << 14];
        Some(select(set, ((ticket - start) * PARTS[weight as usize]) >> 16))
    }

    /// The same for chains of the published engine, all moves alike.
    ///
    /// The engine's search is put off: the single moves in some directions are `sure` to be found, and there is a
    /// limit to how many others are. Only if one of these is drawn is the search made; if it has found fewer, one of
    /// all is drawn.
    #[inline(always)]
    fn draw_before_search(piece: Piece, (singles, sure, most): (u64, u64, u32), fraction: u64) -> Option<usize> {
        let from = piece.from;
        let sure_singles = singles & (sure | sure << 8);
        let (ticket, fraction) = scaled(fraction, most);
        let Some(late) = ticket.checked_sub(sure_singles.count_ones()) else {
            return Some(single_cell(from, bits::select(sure_singles, ticket).trailing_zeros()));
        };
        let mut few = FewChains::new(sure);
        let steps = piece.search(&mut few);
        if few.are_more() {
            return Self::draw_of_many_late(piece, sure, late, fraction);
        }
        pick(from, steps & !sure, few, few.late(), late).or_else(|| {
            let (ticket, _) = scaled(fraction, steps.count_ones() + few.alike().total());
            pick(from, steps, few, few.alike(), ticket)
        })
    }

    /// The same for more chains than most pieces have.
    #[cold]
    #[inline(never)]
    fn draw_of_many_late(piece: Piece, sure: u64, late: u32, fraction: u64) -> Option<usize> {
        let search = Search::of(piece);
        let (steps, chains) = (search.steps(), search.chains());
        let late_chains = chains.iter().filter(|found| !found.is_single(sure));
        pick_of_many(piece.from, steps & !sure, late_chains, |_| 1, late).or_else(|| {
            let (ticket, _) = scaled(fraction, steps.count_ones() + chains.len() as u32);
            pick_of_many(piece.from, steps, chains.iter(), |_| 1, ticket)
        })
    }

    /// The same for chains of the published engine, with the weights of the policy.
    #[inline(always)]
    fn draw_by_search(&self, piece: Piece, fraction: u64) -> Option<usize> {
        let (from, player) = (piece.from, piece.filter.player);
        let mut few = FewChains::default();
        let steps = piece.search(&mut few);
        let entering = steps & u64::from(self.tables.entering[player.index()][from & 127]);
        if few.are_more() {
            return Self::draw_of_many(piece, entering, fraction);
        }
        let (all, inside) = (few.by_length(), few.inside(player));
        let enters = entering.count_ones() + inside.total() > 0 && !in_goal(player, from);
        let (steps, shares) = if enters { (entering, inside) } else { (steps, all) };
        pick(from, steps, few, shares, scaled(fraction, steps.count_ones() + shares.total()).0)
    }

    /// The same for more chains than most pieces have.
    #[cold]
    #[inline(never)]
    pub(super) fn draw_of_many(piece: Piece, entering: u64, fraction: u64) -> Option<usize> {
        let (search, player) = (Search::of(piece), piece.filter.player);
        let (steps, chains) = (search.steps(), search.chains());
        // The weights of all moves, and of those that enter the goal.
        let (mut all, mut inside) = (steps.count_ones(), entering.count_ones());
        for found in chains {
            all += policy_weight(player, false, *found);
            inside += policy_weight(player, true, *found);
        }
        let enters = inside > 0 && !in_goal(player, piece.from);
        let (steps, total) = if enters { (entering, inside) } else { (steps, all) };
        let weight = |found: &Found| policy_weight(player, enters, *found);
        pick_of_many(piece.from, steps, chains.iter(), weight, scaled(fraction, total).0)
    }
}

/// The destination of a ticket, if there are so many. Steps have one ticket each and come first.
#[inline(always)]
fn pick(from: usize, steps: u64, few: FewChains, shares: Shares, ticket: u32) -> Option<usize> {
    let count = steps.count_ones();
    if ticket >= count + shares.total() {
        return None;
    }
    // Both are found, because which one is wanted would often be foreseen wrongly.
    let step = single_cell(from, bits::deposit(1 << (ticket & 63), steps).trailing_zeros());
    let end = few.end(shares, ticket.wrapping_sub(count) & 127);
    Some(if ticket < count { step } else { end })
}

/// The same for a list of chains.
#[inline]
fn pick_of_many<'a>(
    from: usize,
    steps: u64,
    chains: impl Iterator<Item = &'a Found>,
    weight: impl Fn(&Found) -> u32,
    ticket: u32,
) -> Option<usize> {
    let Some(mut ticket) = ticket.checked_sub(steps.count_ones()) else {
        return Some(single_cell(from, bits::select(steps, ticket).trailing_zeros()));
    };
    for found in chains {
        let tickets = weight(found);
        if ticket < tickets {
            return Some(found.to.into());
        }
        ticket -= tickets;
    }
    None
}

/// Whether a piece that is not yet in its goal enters it with one of these moves.
#[inline]
pub fn enters_goal(player: Player, from: usize, mut all: impl Iterator<Item = Found>) -> bool {
    !in_goal(player, from) && all.any(|found| in_goal(player, found.to.into()))
}

/// The weight of a destination; `enters` says whether only those in the goal have one.
#[inline(always)]
pub fn policy_weight(player: Player, enters: bool, found: Found) -> u32 {
    match (enters, in_goal(player, found.to.into())) {
        (false, _) => u32::from(found.hops) + 1,
        (true, true) => u32::from(found.hops).max(1),
        (true, false) => 0,
    }
}

/// The chains of several hops that all pieces might make.
struct Chains {
    /// By piece and direction, the first hops that end where another hop is possible. Some may leave the goal.
    leading: u64,
    /// For each piece that has such a hop, the cells where its chains could end.
    tickets: u32,
}

impl Chains {
    #[inline(always)]
    fn new(pieces: &Pieces, filter: &Filter, list: u64, around: &Around, near: u64, hops: u64) -> Self {
        let ends = pieces.hops().ends();
        let set = ends.set();
        let leading = ends.in_reach(around) & !near;
        // The highest bit of each byte that has one. The last byte, where there is no piece, stands for no chain; so
        // three pieces are looked at without asking whether there are any, which would often be foreseen wrongly.
        const HIGHEST: u64 = 0x8080_8080_8080_8080;
        let mut pieces = (leading + (HIGHEST - (HIGHEST >> 7))) & HIGHEST;
        let mut tickets = 0;
        let mut look = || {
            let far = filter.far[cell_at(list, (pieces | 1 << 63).trailing_zeros() & 56)];
            tickets += (set & far).count_ones();
            pieces &= pieces.wrapping_sub(1);
            pieces
        };
        look();
        look();
        while look() != 0 {}
        // The ends of single hops are counted elsewhere.
        Self { leading, tickets: tickets - (leading & hops).count_ones() }
    }
}
