//! KL-UCB (Garivier and Cappé, 2011) as a selection rule of one's own: `mcts(select=kl-ucb)` plays every game.
//!
//! `cargo run --release -p spinney-example-kl-ucb -- match breakthrough --a 'mcts(sims=500, select=kl-ucb)' --b 'mcts(sims=500)'`

use spinney::prelude::*;
use spinney::search::select::{Child, Node, Selection};

options! {
    /// KL-UCB: the largest mean that the rewards so far do not rule out.
    pub struct KlUcbOptions {
        /// weight of the logarithm of the node's visits
        c: f32 = 0.5, in 0.0 to 100.0;
        /// steps of the bisection
        steps: u32 = 12, in 1 to 50;
    }
}

struct KlUcb {
    options: KlUcbOptions,
}

impl OwnSelection for KlUcb {
    type Settings = KlUcbOptions;

    fn new(options: &KlUcbOptions) -> Self {
        Self { options: options.clone() }
    }
}

impl Selection for KlUcb {
    fn score(&self, child: &Child, node: &Node) -> f32 {
        if child.visits == 0.0 {
            return child.mean;
        }
        // Rewards from −1 to 1 become chances from 0 to 1.
        let chance = (0.5 + 0.5 * child.mean).clamp(0.0, 1.0);
        let bound = self.options.c * node.log_visits / child.visits;
        let (mut low, mut high) = (chance, 1.0);
        for _ in 0..self.options.steps {
            let middle = 0.5 * (low + high);
            if divergence(chance, middle) > bound { high = middle } else { low = middle }
        }
        2.0 * low - 1.0
    }
}

/// Kullback-Leibler divergence of two coins.
fn divergence(p: f32, q: f32) -> f32 {
    let part = |p: f32, q: f32| if p <= 0.0 { 0.0 } else { p * (p / q.max(1e-6)).ln() };
    part(p, q) + part(1.0 - p, 1.0 - q)
}

fn main() -> std::process::ExitCode {
    spinney::laboratory().selection::<KlUcb>("kl-ucb", "UCB by Kullback-Leibler divergence").command_line()
}
