//! An agent of one's own around `Mcts` with another reward: a win counts for less the longer it takes.
//!
//! `cargo run --release -p spinney-example-discount -- match breakthrough --a 'discount(sims=500, gamma=0.99)' --b 'mcts(sims=500)'`

use spinney::prelude::*;
use spinney::rules::expression::Expression;
use spinney::search::agents::build_mcts;
use spinney::search::ideas::{Idea, WithReward};
use spinney::search::playout::Simulation;
use spinney::search::reward::Reward;
use spinney::search::settings::MctsSettings;

options! {
    /// A search whose rewards are discounted by the length of the simulation.
    pub struct DiscountOptions {
        /// simulations per move
        sims: u64 = 1000, in 1 to 2000000000;
        /// what remains of a reward after each ply
        gamma: f32 = 0.98, in 0.0 to 1.0;
    }
}

options! {
    /// A reward that fades with every ply.
    pub struct FadeOptions {
        /// what remains of it after each ply
        gamma: f32 = 0.98, in 0.0 to 1.0;
    }
}

struct Fade {
    gamma: f32,
}

impl OwnReward for Fade {
    type Settings = FadeOptions;

    fn new(options: &FadeOptions) -> Self {
        Self { gamma: options.gamma }
    }
}

impl Reward for Fade {
    fn begin(&mut self, _: Player) {}

    fn alter(&mut self, reward: f32, simulation: &Simulation) -> f32 {
        reward * self.gamma.powi(simulation.length as i32)
    }
}

struct Discount;

impl AgentKind for Discount {
    type Settings = DiscountOptions;

    fn build<G: Game>(options: &DiscountOptions, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let text = format!("mcts(sims={}, reward=fade(gamma={}))", options.sims, options.gamma);
        let settings = MctsSettings::read(&Expression::read("agent", &text)?)?;
        build_mcts(&settings, game, &WithReward::<Fade, ()>(Idea::new("fade", "less the longer it takes", ())))
    }
}

fn main() -> std::process::ExitCode {
    spinney::laboratory()
        // While an idea is young it is compiled with few games; without this line it plays all of them.
        .for_games::<game_types!(TicTacToe, Breakthrough)>()
        .agent::<Discount>("discount", "mcts whose rewards fade with the length of a simulation")
        .reward::<Fade>("fade", "less the longer a simulation takes")
        .command_line()
}
