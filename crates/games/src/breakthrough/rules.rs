//! The rules of Breakthrough as searches see them.

use super::{Breakthrough, FIRST_COLUMN, HOME_ROW, LAST_COLUMN, Move, SECOND_ROW, State};
use spinney_core::{
    FewRuns, Game, List, MoveRuns, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Run, RunsOf, Turn,
    Weighted, Workspace, bits, random,
};

impl Game for Breakthrough {
    type State = State;
    type Move = Move;
    type Scratch = FewRuns<Move, 3>;
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const MOVE_RUNS: Option<RunsOf<Self>> = Some(RunsOf::of());

    fn initial(&self) -> State {
        let own = self.board & (HOME_ROW | SECOND_ROW);
        State { own, other: self.turned(own), mover: Player::First }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.other & HOME_ROW != 0 || state.own == 0 {
            Turn::Over(Outcome::Win(state.mover.other()))
        } else {
            Turn::Player(state.mover)
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        for (direction, destinations) in self.destinations(state).into_iter().enumerate() {
            moves.extend(bits::squares(destinations).map(|to| Move(to | (direction as u8) << 6)));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let to = 1 << mv.to();
        let own = state.own ^ (1 << mv.from()) | to;
        let other = state.other & !to;
        *state = State { own: self.turned(other), other: self.turned(own), mover: state.mover.other() };
    }

    #[inline]
    fn move_ids(&self) -> usize {
        192
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move, _: &mut Workspace<Self>) -> Option<Outcome> {
        let to = 1 << mv.to();
        (to & self.goal_row() != 0 || state.other == to).then_some(Outcome::Win(state.mover))
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
        let [left, straight, right] = self.destinations(state);
        let [lefts, straights, rights] = [left, straight, right].map(u64::count_ones);
        let index = random.below(lefts + straights + rights);
        // Two comparisons instead of branches: the direction is random and a wrong guess costs more than the sum.
        let not_left = u32::from(index >= lefts);
        let is_right = u32::from(index >= lefts + straights);
        let direction = not_left + is_right;
        let index = index - (lefts & not_left.wrapping_neg()) - (straights & is_right.wrapping_neg());
        let set = if direction == 0 { left } else { straight };
        let set = if direction == 2 { right } else { set };
        Some(Move::new(bits::select(set, index), direction))
    }

    /// Difference of pawns over 16, whatever the size of the board; negative when the winner is behind.
    #[inline]
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let lead = state.own.count_ones() as f32 - state.other.count_ones() as f32;
        (if winner == state.mover { lead } else { -lead }) / 16.0
    }

    /// Pawns, and how far the foremost of them has come, squashed into (−1, 1).
    #[inline]
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let worth = |pawns: u64| {
            let foremost = pawns.checked_ilog2().map_or(0, |bit| bit / 8);
            pawns.count_ones() as f32 + foremost as f32 * 0.5
        };
        let lead = worth(state.own) - worth(self.turned(state.other));
        let lead = if player == state.mover { lead } else { -lead };
        Some(lead / (4.0 + lead.abs()))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(random::mix(state.own ^ random::mix(state.other ^ state.mover.index() as u64)))
    }

    /// Published for 8×8 in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn published(&self) -> Published {
        Published { agent: "playout=policy+mast(eps=0.7), rb(k=8)", simulations_per_second: 17_000 }
    }
}

impl PlayoutPolicy for Breakthrough {
    /// A winning step if there is one; else captures of a pawn about to win; else every move, captures with
    /// weight 2 and captures that cannot be answered with weight 5.
    #[inline]
    fn policy(&self, state: &State, _: &mut Random, work: &mut Workspace<Self>) {
        let destinations = self.destinations(state);
        if let Some(mv) = self.winning_step(&destinations) {
            work.candidates.push(Weighted { mv, weight: 1 });
            return;
        }
        let saves = Self::saves(state, &destinations);
        let saving = saves != [0, 0];
        let unguarded = Self::unguarded(state);
        for (direction, set) in (0u8..).zip(if saving { [saves[0], 0, saves[1]] } else { destinations }) {
            work.candidates.extend(bits::squares(set).map(|to| {
                let capture = state.other >> to & 1;
                let weight = if saving { 1 } else { 1 + capture as u32 * (1 + 3 * (unguarded >> to & 1) as u32) };
                Weighted { mv: Move(to | direction << 6), weight }
            }));
        }
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
        let destinations = self.destinations(state);
        if let Some(mv) = self.winning_step(&destinations) {
            return Some(mv);
        }
        let saves = Self::saves(state, &destinations);
        if saves != [0, 0] {
            let lefts = saves[0].count_ones();
            let index = random.below(lefts + saves[1].count_ones());
            return Some(if index < lefts {
                Move::new(bits::select(saves[0], index), 0)
            } else {
                Move::new(bits::select(saves[1], index - lefts), 2)
            });
        }
        // Layers that add up to the weights: every move once, every capture once more, every safe one thrice more.
        let [left, straight, right] = destinations;
        let unguarded = Self::unguarded(state);
        let (left_captures, right_captures) = (left & state.other, right & state.other);
        let (left_safe, right_safe) = (left_captures & unguarded, right_captures & unguarded);
        let straights = left.count_ones();
        let rights = straights + straight.count_ones();
        let captures = rights + right.count_ones();
        let more_captures = captures + left_captures.count_ones();
        let safe = more_captures + right_captures.count_ones();
        let more_safe = safe + 3 * left_safe.count_ones();
        let ticket = random.below(more_safe + 3 * right_safe.count_ones());
        // The last layer that begins at the ticket or before, without branches, which nobody could foretell.
        let mut layer = (left, 0, 0);
        let mut later = |begin: u32, set: u64, direction: u32| {
            if ticket >= begin {
                layer = (set, direction, begin);
            }
        };
        later(straights, straight, 1);
        later(rights, right, 2);
        later(captures, left_captures, 0);
        later(more_captures, right_captures, 2);
        later(safe, left_safe, 0);
        later(more_safe, right_safe, 2);
        let (set, direction, begin) = layer;
        let index = ticket - begin;
        Some(Move::new(bits::select(set, if ticket >= safe { index / 3 } else { index }), direction))
    }
}

/// The moves in one direction, by destination, are a run.
impl MoveRuns for Breakthrough {
    const FEW: usize = 3;

    #[inline(always)]
    fn find_runs(&self, state: &State, runs: &mut FewRuns<Move, 3>) {
        let [left, straight, right] = self.destinations(state);
        runs.hold([run(0, left), run(1, straight), run(2, right)]);
    }

    #[inline(always)]
    fn find_policy_runs(&self, state: &State, _: &mut Random, runs: &mut FewRuns<Move, 3>) {
        if cfg!(target_arch = "nvptx64") {
            let [left, straight, right] = self.narrowed(state).0;
            return runs.hold([run(0, left), run(1, straight), run(2, right)]);
        }
        let destinations = self.destinations(state);
        if let Some(mv) = self.winning_step(&destinations) {
            return runs.hold([run(mv.0 >> 6, 1 << mv.to())]);
        }
        let [left, straight, right] = match Self::saves(state, &destinations) {
            [0, 0] => destinations,
            [left, right] => [left, 0, right],
        };
        runs.hold([run(0, left), run(1, straight), run(2, right)]);
    }

    #[inline(always)]
    fn draw_place(&self, state: &State, random: &mut Random) -> Option<(Move, u64, u32)> {
        let ([left, straight, right], wins, saves) = self.narrowed(state);
        // The layers of `policy_move`; where the choice is narrowed all weights are alike.
        let captures = state.other & !wins & !saves;
        let safe = captures & Self::unguarded(state);
        let layers = [
            (left, 0),
            (straight, 1),
            (right, 2),
            (left & captures, 0),
            (right & captures, 2),
            (left & safe, 0),
            (right & safe, 2),
        ];
        let mut begins = [0; 7];
        let mut end = 0;
        for (layer, (set, _)) in layers.iter().enumerate() {
            begins[layer] = end;
            end += set.count_ones() * if layer < 5 { 1 } else { 3 };
        }
        // Nothing is drawn to win.
        let ticket = if wins != 0 { 0 } else { random.below(end) };
        let (mut set, mut direction, mut begin) = (left, 0, 0);
        for layer in 1..7 {
            let is_later = ticket >= begins[layer];
            let later =
                if is_later { (layers[layer].0, layers[layer].1, begins[layer]) } else { (set, direction, begin) };
            (set, direction, begin) = later;
        }
        let index = ticket - begin;
        Some((Move(direction << 6), set, if ticket >= begins[5] { index / 3 } else { index }))
    }

    #[inline(always)]
    fn runs(runs: &FewRuns<Move, 3>) -> &[Run<Move>] {
        runs.as_slice()
    }

    #[inline(always)]
    fn move_at(&self, first: Move, place: u32) -> Move {
        Move(first.0 + place as u8)
    }
}

#[inline(always)]
fn run(direction: u8, places: u64) -> Run<Move> {
    Run { first: Move(direction << 6), places }
}

/// Destinations by direction: left, straight, right.
type Destinations = [u64; 3];

impl Breakthrough {
    #[inline(always)]
    fn destinations(&self, state: &State) -> Destinations {
        let diagonal = self.board & !state.own;
        let straight = diagonal & !state.other;
        [
            (state.own << 7) & !LAST_COLUMN & diagonal,
            (state.own << 8) & straight,
            (state.own << 9) & !FIRST_COLUMN & diagonal,
        ]
    }

    /// Destinations that cannot be recaptured at once as the published engine tests it: the two squares
    /// diagonally in front are off the board or empty, whoever's pawn might stand there.
    #[inline(always)]
    fn unguarded(state: &State) -> u64 {
        let occupied = state.own | state.other;
        !(((occupied >> 7) & !FIRST_COLUMN) | ((occupied >> 9) & !LAST_COLUMN))
    }

    #[inline(always)]
    fn winning_step(&self, destinations: &Destinations) -> Option<Move> {
        let goal = self.goal_row();
        (0u32..).zip(destinations).find(|(_, set)| *set & goal != 0).map(|(direction, set)| {
            let foremost = set & goal;
            Move::new(foremost & foremost.wrapping_neg(), direction)
        })
    }

    /// What the policy draws from: a winning step only, the first of those that [`Self::winning_step`] finds, or captures that
    /// save only. All bits of the other numbers are set if it wins, and if something saves. Sums instead of branches: a compiler
    /// does them once for all who ask.
    #[inline(always)]
    fn narrowed(&self, state: &State) -> (Destinations, u64, u64) {
        let [left, straight, right] = self.destinations(state);
        let goal = self.goal_row();
        let all_if = |is_so: bool| u64::from(is_so).wrapping_neg();
        let lowest = |set: u64| set & set.wrapping_neg();
        let (left_goals, straight_goals, right_goals) = (left & goal, straight & goal, right & goal);
        let not_left = all_if(left_goals == 0);
        let not_ahead = all_if(left_goals | straight_goals == 0);
        let wins = all_if(left_goals | straight_goals | right_goals != 0);
        let [left_saves, right_saves] = Self::saves(state, &[left, straight, right]);
        let saves = all_if(left_saves | right_saves != 0);
        let narrow = |set: u64, saving: u64, winning: u64| {
            let unwon = (saving & saves) | (set & !saves);
            (winning & wins) | (unwon & !wins)
        };
        let sets = [
            narrow(left, left_saves, lowest(left_goals)),
            narrow(straight, 0, lowest(straight_goals) & not_left),
            narrow(right, right_saves, lowest(right_goals) & not_ahead),
        ];
        (sets, wins, saves)
    }

    /// Captures that start from the home row, left and right: each takes a pawn one step from winning.
    #[inline(always)]
    fn saves(state: &State, destinations: &Destinations) -> [u64; 2] {
        let threats = state.other & SECOND_ROW;
        [destinations[0] & threats, destinations[2] & threats]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breakthrough::Options;
    use spinney_core::Seed;

    /// What a card draws, and the runs from which it draws, are those of a processor, with the same random numbers.
    #[test]
    fn a_card_draws_as_a_processor_does() {
        for seed in 0..300 {
            let game = Breakthrough::new(Options { rows: 5 + seed as u8 % 4, columns: 5 + seed as u8 / 4 % 4 });
            let (mut state, mut work) = (game.initial(), Workspace::new());
            let mut random = Random::new(Seed::new(seed));
            while game.turn(&state).outcome().is_none() {
                let mut same = random.clone();
                let mv = game.policy_move(&state, &mut random, &mut work).unwrap();
                let (first, set, place) = game.draw_place(&state, &mut same).unwrap();
                assert_eq!(mv, game.move_at(first, bits::select(set, place).trailing_zeros()));
                assert_eq!(random.bits(), same.bits());
                game.find_policy_runs(&state, &mut same, &mut work.scratch);
                let expected = work.scratch.as_slice().iter().filter(|run| run.places != 0).copied();
                let sets = (0..).zip(game.narrowed(&state).0).map(|(direction, set)| run(direction, set));
                assert!(sets.filter(|run| run.places != 0).eq(expected), "{state:?}");
                // Captures are rarer in games that the policy plays alone.
                let mv = if seed % 2 == 0 { game.random_move(&state, &mut random, &mut work).unwrap() } else { mv };
                game.apply(&mut state, mv);
            }
        }
    }
}
