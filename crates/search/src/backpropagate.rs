//! Backpropagation: a simulation's reward goes to every node it went through. What its moves
//! teach is in [`crate::playout::Learned::teach`] and [`crate::amaf`].

use crate::nodes::Nodes;
use crate::playout::in_view_of;
use crate::tree::NodeId;
use spinney_core::game::Player;

/// One node of a simulation's way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Who moved into it; at the root, whoever is not to move.
    pub player: Player,
    /// The player to move there would play a proven draw; the simulation went on elsewhere only to learn more.
    pub draw_in_hand: bool,
}

/// Adds the reward, given in the view of the first player, to the nodes of the path; 0 from where a player had a
/// draw in hand. Returns what went to the first node.
#[inline(always)]
pub fn add_to_path<T: Nodes>(tree: &mut T, path: &[Step], mut reward: f32) -> f32 {
    for step in path.iter().rev() {
        if step.draw_in_hand {
            reward = 0.0;
        }
        tree.add_reward(step.node, in_view_of(step.player, reward));
    }
    reward
}

/// Who won, as 1, 0 or −1.
#[inline(always)]
pub fn outcome_of(reward: f32) -> f32 {
    f32::from(i8::from(reward > 0.0) - i8::from(reward < 0.0))
}
