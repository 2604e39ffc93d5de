//! The rules of Cannon as searches see them.

use super::generate::{Side, View, for_side};
use super::moves::{Generated, TOWN};
use super::points::*;
use super::{Cannon, LONGEST_PLIES, Move, SOLDIERS, State};
use spinney_core::{
    Game, List, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Turn, Weighted, Workspace, draw_weighted,
    random,
};

impl Game for Cannon {
    type State = State;
    type Move = Move;
    type Scratch = Generated;
    const POLICY: Option<Policy<Self>> = Some(Policy::of());

    fn initial(&self) -> State {
        State { soldiers: START, towns: [NO_TOWN; 2], plies: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        let turn = self.quick_turn(state);
        if state.places_towns() || matches!(turn, Turn::Over(_)) {
            return turn;
        }
        let view = self.view(state);
        let has_move = for_side!(state.mover(), |side| self.has_move(&view, side));
        if has_move { turn } else { Turn::Over(Outcome::Win(state.mover().other())) }
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        if state.plies > LONGEST_PLIES { Turn::Over(Outcome::Draw) } else { Turn::Player(state.mover()) }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        if state.places_towns() {
            moves.extend(points(self.town_points(state)).map(|to| Move::new(to, TOWN)));
            return;
        }
        let view = self.view(state);
        for_side!(state.mover(), |side| self.list(&view, side, moves));
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let mover = state.mover().index();
        state.plies += 1;
        if mv.way() == TOWN {
            state.towns[mover] = (mv.to() as usize % STRIDE + SIZE * mover) as u8;
            return;
        }
        let to = one_wide(mv.to());
        state.soldiers[1 - mover] &= !to;
        if !mv.is_shot() {
            state.soldiers[mover] ^= to | one_wide(mv.from());
        }
    }

    #[inline]
    fn move_ids(&self) -> usize {
        Move::IDS
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        mv.id()
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
        if state.places_towns() {
            return self.random_town(state, random);
        }
        for_side!(state.mover(), |side| self.draw_any(&self.view(state), side, random, work))
    }

    /// Difference of soldiers over 15; negative when the winner is behind.
    #[inline]
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let [first, second] = state.soldiers.map(|set| set.count_ones() as f32);
        (if winner == Player::First { first - second } else { second - first }) / SOLDIERS as f32
    }

    /// Soldiers, squashed into (−1, 1).
    #[inline]
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let lead = self.quality(state, player);
        Some(lead / (0.25 + lead.abs()))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let fold = |key: u64, set: u128| random::mix(random::mix(key ^ set as u64) ^ (set >> 64) as u64);
        let [own, other] = state.towns.map(u64::from);
        Some(state.soldiers.into_iter().fold(own << 16 | other << 8 | u64::from(state.plies & 1), fold))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn published(&self) -> Published {
        Published { agent: "c=0.8, playout=policy, rb(k=3), qb(k=4)", simulations_per_second: 2_000 }
    }
}

impl PlayoutPolicy for Cannon {
    /// Steps, retreats and slides that attack the enemy town if there are any; else captures, and shots with
    /// weight 4; else every move.
    #[inline]
    fn policy(&self, state: &State, _: &mut Random, work: &mut Workspace<Self>) {
        if state.places_towns() {
            let towns = points(self.town_points(state)).map(|to| Move::new(to, TOWN));
            work.candidates.extend(towns.map(|mv| Weighted { mv, weight: 1 }));
            return;
        }
        let view = self.view(state);
        for_side!(state.mover(), |side| self.list_policy(&view, side, &mut work.candidates));
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
        if state.places_towns() {
            return self.random_town(state, random);
        }
        #[cfg(target_arch = "nvptx64")]
        return self.draw_policy_in_step(&self.view(state), state.mover() == Player::First, random, work);
        #[cfg(not(target_arch = "nvptx64"))]
        for_side!(state.mover(), |side| self.draw_policy(&self.view(state), side, random, work))
    }
}

/// How much likelier a shot is than a capture.
pub(super) const SHOT_WEIGHT: u32 = 4;

impl Cannon {
    /// Where the player to move may place its town.
    #[inline]
    fn town_points(&self, state: &State) -> u128 {
        let row = if self.options.corners || self.is_engine() { ROW } else { ROW & !(1 | 1 << 9) };
        match state.mover() {
            Player::First => row << (9 * STRIDE),
            Player::Second => row,
        }
    }

    /// Draws from all layers; if the move is illegal, from the list of legal moves, which keeps the draw uniform.
    #[inline(always)]
    fn draw_any(&self, view: &View, side: impl Side, random: &mut Random, work: &mut Workspace<Self>) -> Option<Move> {
        let Workspace { moves, scratch, .. } = work;
        self.generate(view, side, scratch);
        let Generated { quiet, captures, shots } = &*scratch;
        let total = quiet.moves + captures.moves + shots.moves;
        if total == 0 {
            return None;
        }
        let ticket = random.below(total);
        let mv = if ticket < quiet.moves {
            quiet.pick(ticket)
        } else if ticket < quiet.moves + captures.moves {
            captures.pick(ticket - quiet.moves)
        } else {
            shots.pick(ticket - quiet.moves - captures.moves)
        }?
        .mv();
        if self.is_legal(view, mv) {
            return Some(mv);
        }
        moves.clear();
        self.list(view, side, moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    #[inline]
    fn list_policy(&self, view: &View, side: impl Side, candidates: &mut List<Weighted<Move>>) {
        let mut found = Generated::default();
        self.generate(view, side, &mut found);
        let Generated { quiet, captures, shots } = &found;
        let before = candidates.len();
        self.each_check(view, quiet, |mv| candidates.push(Weighted { mv, weight: 1 }));
        if candidates.len() > before {
            return;
        }
        let legal = |mv: &Move| self.is_legal(view, *mv);
        let weighted = |weight| move |mv| Weighted { mv, weight };
        candidates.extend(captures.moves().filter(legal).map(weighted(1)));
        candidates.extend(shots.moves().filter(legal).map(weighted(SHOT_WEIGHT)));
        if candidates.len() == before {
            candidates.extend(quiet.moves().filter(legal).map(weighted(1)));
        }
    }

    #[cfg(any(test, not(target_arch = "nvptx64")))]
    #[inline(always)]
    pub(super) fn draw_policy(
        &self,
        view: &View,
        side: impl Side,
        random: &mut Random,
        work: &mut Workspace<Self>,
    ) -> Option<Move> {
        let Workspace { moves, candidates, scratch } = work;
        self.generate(view, side, scratch);
        let Generated { quiet, captures, shots } = &*scratch;
        moves.clear();
        self.each_check(view, quiet, |mv| moves.push(mv));
        if !moves.is_empty() {
            return Some(moves[random.below(moves.len() as u32) as usize]);
        }
        let total = captures.moves + SHOT_WEIGHT * shots.moves;
        let mv = if total == 0 {
            if quiet.moves == 0 {
                return None;
            }
            quiet.pick(random.below(quiet.moves))
        } else {
            let ticket = random.below(total);
            if ticket < captures.moves {
                captures.pick(ticket)
            } else {
                shots.pick((ticket - captures.moves) / SHOT_WEIGHT)
            }
        }?
        .mv();
        if self.is_legal(view, mv) {
            return Some(mv);
        }
        self.draw_listed(view, side, random, candidates)
    }

    /// Draws from the legal moves of the policy.
    #[inline]
    pub(super) fn draw_listed(
        &self,
        view: &View,
        side: impl Side,
        random: &mut Random,
        candidates: &mut List<Weighted<Move>>,
    ) -> Option<Move> {
        candidates.clear();
        self.list_policy(view, side, candidates);
        draw_weighted(candidates, random)
    }

    #[inline]
    fn random_town(&self, state: &State, random: &mut Random) -> Option<Move> {
        let points = self.town_points(state);
        Some(Move::new(select(points, random.below(points.count_ones())), TOWN))
    }
}
