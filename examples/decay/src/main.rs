//! MAST that forgets, as a learner of one's own: `mcts(playout=policy+decay(half=200))`.
//!
//! `cargo run --release -p spinney-example-decay -- analyse breakthrough --agent 'mcts(sims=1000, playout=uniform+decay)'`

use spinney::games::Pig;
use spinney::prelude::*;
use spinney::search::playout::learner::{Choice, Learner, Lesson, Offer, Scope};
use spinney::search::playout::{Base, in_view_of};

options! {
    /// Mean outcomes of moves, of which older ones count for less.
    pub struct DecayOptions {
        /// simulations after which an outcome counts for half
        half: f32 = 300.0, in 1.0 to 1000000.0;
        /// chance of the choice that is not greedy
        eps: f32 = 0.3, in 0.0 to 1.0;
    }
}

/// Sums and weights by the number of a move; both fade with every simulation, which is done when they are next touched.
struct Decay {
    options: DecayOptions,
    values: Vec<(f32, f32, u32)>,
    simulations: u32,
}

impl Decay {
    fn mean(&self, index: usize) -> f32 {
        let (sum, weight, _) = self.values[index];
        if weight == 0.0 { 0.0 } else { sum / weight }
    }
}

impl OwnLearner for Decay {
    type Settings = DecayOptions;

    fn new(options: &DecayOptions, scope: &Scope) -> Self {
        Self { options: options.clone(), values: vec![(0.0, 0.0, 0); 2 * scope.move_ids], simulations: 0 }
    }
}

impl Learner for Decay {
    const LOOKS_BACK: bool = false;

    fn clear(&mut self, _: Player) {
        self.values.fill((0.0, 0.0, 0));
        self.simulations = 0;
    }

    fn teach(&mut self, lesson: &Lesson<'_>) {
        self.simulations += 1;
        for &number in lesson.played {
            let player = Player::BOTH[(number & 1) as usize];
            let (sum, weight, last) = &mut self.values[number as usize];
            let faded = (-((self.simulations - *last) as f32) / self.options.half).exp2();
            *sum = *sum * faded + in_view_of(player, lesson.outcome);
            *weight = *weight * faded + 1.0;
            *last = self.simulations;
        }
    }

    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        if choice.random.chance(self.options.eps) {
            return Offer::Pass;
        }
        let player = choice.player.index();
        choice.greedy(|id| self.mean(2 * id + player))
    }
}

fn main() -> std::process::ExitCode {
    spinney::laboratory()
        // While an idea is young it is compiled with few games; without this line it plays all of them.
        .for_games::<game_types!(TicTacToe, Breakthrough, Pig)>()
        .learner::<Decay>("decay", "MAST that forgets")
        .command_line()
}
