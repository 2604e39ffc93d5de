//! Random moves of the published engine for graphics cards: all threads draw from single moves and from chains in the
//! same way, and what only some of them need is short.

use super::draw::scaled;
use super::engine2014::Piece;
use super::few_chains::FewChains;
use super::geometry::{Filter, HOPS, Singles, in_goal, single_cell, singles};
use super::pieces::{PIECES, cell_at};
use super::trails;
use super::{ChineseCheckers, Move, State};
use spinney_core::{List, Random, bits};

impl ChineseCheckers {
    /// The same as `draw_by_piece` for the published engine with the weights of the policy.
    #[inline(always)]
    pub(super) fn draw_in_step(&self, state: &State, random: &mut Random, moves: &mut List<Move>) -> Option<Move> {
        let (piece, fraction) = scaled(random.bits(), PIECES);
        let (list, occupied) = (state.pieces.list(state.mover), state.pieces.occupied());
        let target = self.target(state);
        let (mut piece, mut left) = (piece, PIECES);
        loop {
            // The next piece that might have a move. All that is left to do is done when every thread has found its
            // own.
            let (from, searched, first) = loop {
                let from = cell_at(list, 8 * piece);
                let open = singles(occupied, from);
                let searched = open & self.tables.singles(state.mover, from, target);
                let first = open & self.no_filter(state).legal(from) & HOPS;
                (piece, left) = (if piece + 1 == PIECES { 0 } else { piece + 1 }, left - 1);
                if searched | first != 0 || left == 0 {
                    break (from, searched, first);
                }
            };
            let filter = self.tables.filter(state.mover, target);
            if let Some(to) = self.draw_of_one(filter, occupied, from, [searched, first], fraction) {
                return Some(Move::new(from, to));
            }
            if left == 0 {
                return self.draw_from_list(state, random, moves, false);
            }
        }
    }

    /// A destination of one piece with these searched moves and legal first hops, if it has any.
    #[inline(always)]
    fn draw_of_one(
        &self,
        filter: &Filter,
        occupied: u128,
        from: usize,
        [searched, first]: [Singles; 2],
        fraction: u64,
    ) -> Option<usize> {
        let player = filter.player;
        let mut few = FewChains::default();
        // Far memory is asked first, so that it answers meanwhile.
        let (far, could_enter): (_, u64) =
            (filter.far[from & 127], self.tables.entering[player.index()][from & 127].into());
        let jumped = trails::jumped(occupied, from);
        let piece = Piece { from, filter, steps: u64::from(searched) & 63, hops: u64::from(first >> 8), jumped };
        let (steps, is_chain) = trails::follow(&piece, far, &mut few);
        if few.are_more() {
            return Self::draw_of_many(piece, steps & could_enter, fraction);
        }
        let (all, inside) = (few.by_length(), few.inside(player));
        let set = if is_chain { steps } else { searched.into() };
        let entering = set & could_enter;
        let enters = entering.count_ones() + if is_chain { inside.total() } else { 0 } > 0 && !in_goal(player, from);
        let shares = if enters { inside } else { all };
        // A hop has two tickets, unless it enters the goal.
        let twice = set | (set & u64::from(HOPS)) << 8;
        let tickets = if enters { entering } else { twice };
        let count = tickets.count_ones();
        let total = count + if is_chain { shares.total() } else { 0 };
        if total == 0 {
            return None;
        }
        let ticket = scaled(fraction, total).0;
        if ticket < count {
            return Some(single_cell(from, bits::select_short(tickets as u32, ticket)));
        }
        Some(few.end(shares, (ticket - count) & 127))
    }
}
