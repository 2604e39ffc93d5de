//! A game of rules without a type: what searches are compiled for.

use super::ideas::Ideas;
use super::rules::{Rules, State};
use spinney_core::scene::Scene;
use spinney_core::{
    Chance, Game, InputError, InputErrorKind, Likely, List, Luck, Notation, Outcome, Player, PlayoutPolicy, Policy,
    Random, Score, Solitaire, Stream, Turn, Weighted, Workspace, draw_weighted,
};
use std::sync::Arc;

/// A game, with chance or without, of one player or of two, and with ideas of one's own.
#[derive(Clone)]
pub struct Own<const CHANCE: bool, const SOLO: bool> {
    /// Its rules.
    pub rules: Arc<dyn Rules>,
    /// What replaces the game's own policy and evaluation.
    pub ideas: Arc<Ideas>,
}

impl<const CHANCE: bool, const SOLO: bool> Own<CHANCE, SOLO> {
    fn rules(&self) -> &dyn Rules {
        self.rules.as_ref()
    }

    fn candidates(&self, state: &State, random: &mut Random) -> Option<Vec<(u32, u32)>> {
        match self.ideas.policy(self.rules(), state) {
            Some(weights) => Some(weights),
            None => self.rules().policy(state, random),
        }
    }
}

impl<const CHANCE: bool, const SOLO: bool> Game for Own<CHANCE, SOLO> {
    type State = State;
    type Move = u32;
    type Scratch = ();

    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const LUCK: Option<Luck<Self>> = if CHANCE { Some(Luck::of()) } else { None };
    const SCORE: Option<Score<Self>> = if SOLO { Some(Score::of()) } else { None };

    fn initial(&self) -> State {
        State::new(self.rules().initial())
    }

    fn turn(&self, state: &State) -> Turn {
        state.turn(self.rules())
    }

    fn moves(&self, state: &State, moves: &mut List<u32>) {
        moves.extend(state.moves(self.rules()).iter().copied());
    }

    fn apply(&self, state: &mut State, mv: u32) {
        match state.known_next(mv) {
            Some(next) => *state = next,
            None => self.rules().apply(state, mv),
        }
    }

    fn outcome_after(&self, state: &State, mv: u32, _: &mut Workspace<Self>) -> Option<Outcome> {
        let next = state.known_next(mv).unwrap_or_else(|| {
            let mut next = state.clone();
            self.rules().apply(&mut next, mv);
            state.keep_next(mv, &next);
            next
        });
        next.turn(self.rules()).outcome()
    }

    fn move_ids(&self) -> usize {
        self.rules().move_ids()
    }

    fn move_id(&self, state: &State, mv: u32) -> usize {
        self.rules().move_id(&state.0.object, mv)
    }

    fn random_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<u32> {
        match state.known_moves() {
            Some([]) => None,
            Some(moves) => Some(moves[random.below(moves.len() as u32) as usize]),
            None => self.rules().random_move(&state.0.object, random),
        }
    }

    fn quality(&self, state: &State, winner: Player) -> f32 {
        self.rules().quality(&state.0.object, winner)
    }

    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let own = self.ideas.evaluation(self.rules(), &state.0.object);
        let value = own.or_else(|| self.rules().evaluate(&state.0.object))?;
        Some(if player == Player::First { value } else { -value })
    }

    fn key(&self, state: &State) -> Option<u64> {
        self.rules().key(&state.0.object)
    }
}

impl<const CHANCE: bool, const SOLO: bool> PlayoutPolicy for Own<CHANCE, SOLO> {
    fn policy(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) {
        match self.candidates(state, random) {
            Some(weights) => work.candidates.extend(weights.into_iter().map(|(mv, weight)| Weighted { mv, weight })),
            None => work.candidates.extend(state.moves(self.rules()).iter().map(|&mv| Weighted { mv, weight: 1 })),
        }
    }

    fn policy_move(&self, state: &State, random: &mut Random, work: &mut Workspace<Self>) -> Option<u32> {
        match self.candidates(state, random) {
            Some(weights) => {
                work.candidates.clear();
                work.candidates.extend(weights.into_iter().map(|(mv, weight)| Weighted { mv, weight }));
                draw_weighted(&work.candidates, random)
            }
            None => self.random_move(state, random, work),
        }
    }
}

impl<const CHANCE: bool, const SOLO: bool> Chance for Own<CHANCE, SOLO> {
    fn outcomes(&self, state: &State, outcomes: &mut List<Likely<u32>>) {
        let own = self.rules().outcomes(&state.0.object);
        outcomes.extend(own.into_iter().map(|(mv, probability)| Likely { mv, probability }));
    }

    fn redraw_hidden(&self, state: &mut State, stream: &mut Stream) {
        self.rules().redraw_hidden(state, stream);
    }
}

impl<const CHANCE: bool, const SOLO: bool> Solitaire for Own<CHANCE, SOLO> {
    fn score(&self, state: &State) -> f64 {
        self.rules().score(&state.0.object)
    }
}

impl<const CHANCE: bool, const SOLO: bool> Notation for Own<CHANCE, SOLO> {
    fn write_position(&self, state: &State) -> String {
        self.rules().write_position(state).replace(['\r', '\n'], " ")
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        match self.rules().read_position(text) {
            Some(read) => read.map(State::new),
            None => {
                let problem = "positions of this game cannot be read";
                let remedy = "leave the position out, or write `read_position` for the game";
                Err(InputError::new("position", problem, remedy).of(InputErrorKind::Position))
            }
        }
    }

    fn reads_positions(&self) -> bool {
        self.rules().read_position("").is_some()
    }

    fn write_move(&self, state: &State, mv: u32) -> String {
        self.rules().write_move(&state.0.object, mv).unwrap_or_else(|| {
            let moves = spinney_core::continuations(self, state);
            let place = moves.iter().position(|&other| other == mv);
            place.map_or_else(|| "?".to_string(), |place| (place + 1).to_string())
        })
    }

    fn draw(&self, state: &State) -> String {
        self.rules().draw(state)
    }

    fn scene(&self, state: &State) -> Scene {
        self.rules().scene(&state.0.object)
    }

    fn player_name(&self, player: Player) -> &str {
        self.rules().player_name(player)
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.rules().options()
    }
}
