//! The rules of Can't Stop as searches see them.

use super::dice::{ALL, Advance, COLUMNS, Columnwise, ROLLS};
use super::{ADVANCE, BUST, CantStop, DICE, Phase, ROLL, STOP, State};
use spinney_core::{
    Chance, Game, Likely, List, Luck, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Score, Solitaire,
    Stream, Turn, Weighted, Workspace,
};

impl Game for CantStop {
    type State = State;
    type Move = u16;
    type Scratch = ();
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const LUCK: Option<Luck<Self>> = Some(Luck::of());
    const SCORE: Option<Score<Self>> = Some(Score::of());

    fn initial(&self) -> State {
        State {
            heights: [0; COLUMNS],
            places: [0; COLUMNS],
            runners: 0,
            open: ALL,
            turns: self.options.turns,
            phase: Phase::Start,
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.phase == Phase::Start && (state.turns == 0 || state.open == 0) {
            Turn::Over(Outcome::Scored)
        } else if state.phase == Phase::Rolling {
            Turn::Chance
        } else {
            Turn::Player(Player::First)
        }
    }

    #[inline(always)]
    fn moves(&self, state: &State, moves: &mut List<u16>) {
        match state.phase {
            Phase::Start => moves.push(ROLL),
            Phase::Decide(_) => moves.extend([ROLL, STOP]),
            Phase::Choose(_) | Phase::Rolling => {
                let mut advances = [0; 6];
                let count = self.advances(state, &mut advances);
                moves.extend(advances[..count].iter().map(|&advance| ADVANCE | u16::from(advance)));
            }
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: u16) {
        match mv {
            ROLL => state.phase = Phase::Rolling,
            STOP => {
                state.heights = state.places;
                Self::end_turn(state);
            }
            BUST => {
                state.places = state.heights;
                state.open |= state.runners;
                Self::end_turn(state);
            }
            mv if mv < ADVANCE => state.phase = Phase::Choose((mv - DICE) as u8),
            mv => {
                let mut finished = false;
                for column in ((mv - ADVANCE) as u8).columns() {
                    state.runners |= 1 << column;
                    // The second step of a double has nowhere to go from the top.
                    if state.places[column] < self.lengths[column] {
                        state.places[column] += 1;
                        if state.places[column] == self.lengths[column] {
                            state.open &= !(1 << column);
                            finished = true;
                        }
                    }
                }
                state.phase = Phase::Decide(finished);
            }
        }
    }

    #[inline]
    fn move_ids(&self) -> usize {
        2 + 256
    }

    #[inline]
    fn move_id(&self, _: &State, mv: u16) -> usize {
        if mv < DICE { usize::from(mv) } else { 2 + usize::from(mv - ADVANCE) }
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<u16> {
        match state.phase {
            Phase::Start => Some(ROLL),
            Phase::Decide(_) => Some(random.below(2) as u16),
            Phase::Choose(_) | Phase::Rolling => {
                let mut advances = [0; 6];
                let count = self.advances(state, &mut advances);
                let index = if count == 1 { 0 } else { random.below(count as u32) };
                Some(ADVANCE | u16::from(advances[index as usize]))
            }
        }
    }

    fn published(&self) -> Published {
        Published { agent: "c=5500, playout=policy, cv_constant=6", simulations_per_second: 1024 }
    }
}

impl PlayoutPolicy for CantStop {
    #[inline]
    fn policy(&self, state: &State, _: &mut Random, work: &mut Workspace<Self>) {
        let Workspace { moves, candidates, .. } = work;
        moves.clear();
        match state.phase {
            Phase::Decide(true) => candidates.push(Weighted { mv: STOP, weight: 1 }),
            Phase::Decide(false) => {
                candidates.extend([Weighted { mv: ROLL, weight: 17 }, Weighted { mv: STOP, weight: 3 }]);
            }
            _ => {
                self.moves(state, moves);
                candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
            }
        }
    }

    #[inline(always)]
    fn policy_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<u16> {
        match state.phase {
            Phase::Decide(true) => Some(STOP),
            Phase::Decide(false) => Some(u16::from(random.below(20) >= 3)),
            _ => self.random_move(state, random, work),
        }
    }
}

impl Chance for CantStop {
    #[inline]
    fn outcomes(&self, state: &State, outcomes: &mut List<Likely<u16>>) {
        let usable = Self::usable(state);
        let probability = |ways: u16| f64::from(ways) / f64::from(ROLLS);
        let busts = self.tables.busts[usize::from(usable)];
        if busts > 0 {
            outcomes.push(Likely { mv: BUST, probability: probability(busts) });
        }
        let useful = self.tables.kinds.iter().zip(DICE..).filter(|(kind, _)| kind.sums & usable != 0);
        outcomes.extend(useful.map(|(kind, mv)| Likely { mv, probability: probability(kind.ways) }));
    }

    #[inline(always)]
    fn draw_outcome(&self, state: &mut State, stream: &mut Stream) -> u16 {
        let roll = stream.below(ROLLS);
        let kind = if stream.is_ranked() {
            self.tables.ranked(roll, state.open, state.runners)
        } else {
            self.tables.kind_of[roll as usize]
        };
        let busts = self.kind(kind).sums & Self::usable(state) == 0;
        let outcome = if busts { BUST } else { DICE | u16::from(kind) };
        self.apply(state, outcome);
        outcome
    }

    #[inline(always)]
    fn event_probability(&self, state: &State) -> Option<f64> {
        Some(f64::from(self.tables.busts[usize::from(Self::usable(state))]) / f64::from(ROLLS))
    }

    #[inline(always)]
    fn event(&self, _: &State, outcome: u16) -> bool {
        outcome == BUST
    }
}

impl Solitaire for CantStop {
    #[inline]
    fn score(&self, state: &State) -> f64 {
        f64::from(POINTS * self.finished(state))
    }
}

/// Points for a finished column.
const POINTS: u32 = 500;

impl CantStop {
    #[inline]
    fn finished(&self, state: &State) -> u32 {
        state.heights.iter().zip(&self.lengths).filter(|(height, length)| height == length).count() as u32
    }

    #[inline(always)]
    fn advances(&self, state: &State, moves: &mut [Advance; 6]) -> usize {
        match state.phase {
            Phase::Choose(kind) => self.kind(kind).advances(state.open, state.runners, moves),
            _ => 0,
        }
    }

    #[inline(always)]
    fn end_turn(state: &mut State) {
        state.runners = 0;
        state.turns -= 1;
        state.phase = Phase::Start;
    }
}
