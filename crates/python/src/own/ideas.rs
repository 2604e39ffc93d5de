//! Ideas in Python: a play-out policy, an evaluation and a reward as functions.

use super::game::Own;
use super::rules::{Object, Rules, State};
use crate::error::{raise, wrong};
use pyo3::prelude::*;
use spinney_core::expression::Expression;
use spinney_core::{InputError, Player};
use spinney_search::agents::build_mcts;
use spinney_search::ideas::{self, AboutIdeas};
use spinney_search::playout::{Scope, Simulation};
use spinney_search::reward::Reward;
use spinney_search::{Agent, AgentSettings};
use spinney_table::table::OwnAgents;
use std::sync::Arc;

/// Functions in Python that a search asks; none of them need be there.
#[derive(Default)]
pub struct Ideas {
    /// `policy(state)`: a weight for each legal move.
    pub policy: Option<Py<PyAny>>,
    /// `evaluation(state)`: a guess of the outcome for the first player.
    pub evaluation: Option<Py<PyAny>>,
    /// `reward(reward, winner, length, quality)`: what a simulation is worth to the first player.
    pub reward: Option<Py<PyAny>>,
}

/// Whole weights stand for fractions with this precision.
const WEIGHTS: f64 = 1_000_000.0;

/// Weights of moves as whole numbers, in their proportion.
pub fn whole_weights(moves: &[u32], weights: &[f64]) -> PyResult<Vec<(u32, u32)>> {
    if moves.len() != weights.len() {
        let problem = format!("{} weights for {} moves", weights.len(), moves.len());
        return Err(wrong("policy", problem, "give one for each legal move"));
    }
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite() || **weight < 0.0) {
        return Err(wrong("policy", format!("the weight {weight}"), "weights are numbers from 0"));
    }
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest <= 0.0 {
        return Err(wrong("policy", "all weights are 0", "give some move a weight above 0"));
    }
    // Small whole numbers stay as they are; the sum of up to a thousand others fits 32 bits.
    let is_whole = largest <= WEIGHTS && weights.iter().all(|weight| weight.fract() == 0.0);
    let scale = if is_whole { 1.0 } else { WEIGHTS / largest };
    Ok(moves.iter().zip(weights).map(|(&mv, &weight)| (mv, (weight * scale).round() as u32)).collect())
}

/// A guess that is one.
pub fn checked_value(value: f32) -> PyResult<f32> {
    if (-1.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(wrong("evaluation", format!("the value {value}"), "give a number from -1 to 1, for the first player"))
}

impl Ideas {
    /// What the function says of the moves of a position.
    pub fn policy(&self, rules: &dyn Rules, state: &State) -> Option<Vec<(u32, u32)>> {
        let policy = self.policy.as_ref()?;
        let weights = Python::attach(|py| {
            let shown = rules.shown(py, &state.0.object)?;
            let weights: Vec<f64> = policy.call1(py, (shown,))?.extract(py)?;
            whole_weights(state.moves(rules), &weights)
        });
        Some(weights.unwrap_or_else(|error| raise(error)))
    }

    /// What the function says of a position.
    pub fn evaluation(&self, rules: &dyn Rules, state: &Object) -> Option<f32> {
        let evaluation = self.evaluation.as_ref()?;
        let value = Python::attach(|py| {
            let shown = rules.shown(py, state)?;
            checked_value(evaluation.call1(py, (shown,))?.extract(py)?)
        });
        Some(value.unwrap_or_else(|error| raise(error)))
    }
}

/// A reward in Python.
pub struct PythonReward(Py<PyAny>);

impl Reward for PythonReward {
    fn needs_quality(&self) -> bool {
        true
    }

    fn begin(&mut self, _: Player) {}

    fn alter(&mut self, reward: f32, simulation: &Simulation) -> f32 {
        let Simulation { winner, quality, length, .. } = *simulation;
        let winner = winner.map_or(0, Player::number);
        let altered = Python::attach(|py| self.0.call1(py, (reward, winner, length, quality))?.extract::<f32>(py));
        match altered {
            Ok(altered) if altered.is_finite() => altered,
            Ok(altered) => raise(wrong("reward", format!("the reward {altered}"), "give a finite number")),
            Err(error) => raise(error),
        }
    }
}

/// The reward as an idea of a search.
#[derive(Clone)]
struct OfReward(Arc<Ideas>);

impl ideas::Ideas for OfReward {
    type Learner = ();
    type Selection = ();
    type Reward = PythonReward;

    fn check_learner(&self, _: &Expression) -> Result<(), InputError> {
        Ok(())
    }

    fn learner(&self, _: &[Expression], _: &Scope) -> Result<(), InputError> {
        Ok(())
    }

    fn selection(&self, _: Option<&Expression>) -> Result<(), InputError> {
        Ok(())
    }

    fn reward(&self, _: Option<&Expression>) -> Result<PythonReward, InputError> {
        let absent = || InputError::new("reward", "there is no function", "give one");
        let reward = self.0.reward.as_ref().ok_or_else(absent)?;
        Ok(PythonReward(Python::attach(|py| reward.clone_ref(py))))
    }

    fn about(&self, _: &mut AboutIdeas) {}
}

/// Makes searches with a reward in Python.
pub struct Rewarded(pub Arc<Ideas>);

impl OwnAgents<Own<false, false>> for Rewarded {
    fn build(
        &self,
        game: &Own<false, false>,
        agent: &AgentSettings,
    ) -> Option<Result<Box<dyn Agent<Own<false, false>>>, InputError>> {
        Some(match agent.mcts() {
            Some(settings) => build_mcts(&settings, game, &OfReward(self.0.clone())),
            None => {
                let problem = format!("{agent} has no rewards to alter");
                Err(InputError::unsupported("reward", problem, "write mcts(…)"))
            }
        })
    }
}
