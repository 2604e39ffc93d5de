//! All moves as first: a move is worth what simulations gave in which its player made it at any later time. RAVE blends
//! these values into selection while a child has few visits of its own (Gelly and Silver, 2007); GRAVE takes them from
//! an ancestor that knows more (Cazenave, 2015).
//!
//! Values stand beside the children of a node, so only moves that can be made there have one; GRAVE therefore asks the
//! nearest ancestor at which the same player is to move.

#[cfg(feature = "std")]
mod text;

use crate::backpropagate::Step;
use crate::nodes::Nodes;
use crate::playout::{ActionValues, in_view_of};
use crate::settings::TermSettings;
use crate::tree::{Amaf, NodeId};
use alloc::{vec, vec::Vec};
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;
use spinney_core::{choices, options};

choices! {
    /// Whose visits lower the weight of RAVE.
    pub enum Counted {
        /// those of the node in which a move is chosen
        Node = "node",
        /// those of the move itself
        Move = "move",
    }
}

options! {
    /// Rapid Action Value Estimation with weight √(K / (3n + K)).
    pub struct RaveSettings {
        /// visits K at which both kinds of value count the same
        k: f32 = 1000.0, in 0.0 to 1000000000.0;
        /// whose visits n are
        count: Counted = Counted::default();
    }
}

options! {
    /// Generalised RAVE.
    pub struct GraveSettings {
        /// visits from which on a node's own values are taken instead of its ancestor's
        reference: u32 = 50, in 0 to 2000000000;
        /// bias of the weight m / (m + n + bias m n), with n visits and m simulations that made the move at any time
        bias: f32 = 0.00001, in 0.0 to 1.0;
    }
}

/// How values of moves at any time are blended with those of children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Blend {
    /// √(K / (3n + K)) with the visits of the node.
    ByNode(f32),
    /// √(K / (3n + K)) with the visits of the child.
    ByMove(f32),
    /// m / (m + n + bias m n).
    Bias(f32),
}

impl Blend {
    /// The blend of these settings, if they ask for one.
    pub fn new(settings: &TermSettings) -> Option<Self> {
        let rave = settings.rave.as_ref().map(|rave| match rave.count {
            Counted::Node => Blend::ByNode(rave.k),
            Counted::Move => Blend::ByMove(rave.k),
        });
        rave.or(settings.grave.as_ref().map(|grave| Blend::Bias(grave.bias)))
    }

    /// The weight of the value at any time.
    #[inline(always)]
    pub fn weight(self, node_visits: u32, visits: u32, amaf_count: u32) -> f32 {
        let schedule = |k: f32, n: u32| if k == 0.0 { 0.0 } else { (k / (3.0 * n as f32 + k)).sqrt() };
        match self {
            Blend::ByNode(k) => schedule(k, node_visits),
            Blend::ByMove(k) => schedule(k, visits),
            Blend::Bias(bias) => {
                let (m, n) = (amaf_count as f32, visits as f32);
                m / (m + n + bias * m * n)
            }
        }
    }
}

/// Learns the values, and finds those of ancestors.
#[derive(Debug)]
pub struct AllMovesAsFirst {
    /// By the number of a move: when the simulation made it last, counted on from `start`.
    plies: Vec<u32>,
    start: u32,
    /// The values of an ancestor by move id, those of other stamps left from before.
    lent: Vec<(u32, Amaf)>,
    stamp: u32,
    reference: Option<u32>,
    /// The ancestor of each player on the way down.
    ancestors: [Option<NodeId>; 2],
}

impl AllMovesAsFirst {
    /// For games with so many move ids; without room if the settings do not ask for it.
    pub fn new(settings: &TermSettings, move_ids: usize) -> Self {
        let plies = if Blend::new(settings).is_some() { 2 * move_ids } else { 0 };
        let lent = if settings.grave.is_some() { move_ids } else { 0 };
        Self {
            plies: vec![0; plies],
            start: 0,
            lent: vec![(0, Amaf::default()); lent],
            stamp: 0,
            reference: settings.grave.as_ref().map(|grave| grave.reference),
            ancestors: [None; 2],
        }
    }

    /// Begins a simulation.
    #[inline(always)]
    pub fn begin_simulation(&mut self) {
        self.ancestors = [None; 2];
    }

    /// Prepares the choice at a node; true if the values of an ancestor are to be taken.
    #[inline(always)]
    pub fn prepare<T: Nodes>(&mut self, tree: &T, node: NodeId, player: usize) -> bool {
        let Some(reference) = self.reference else { return false };
        let Some(ancestor) = self.ancestors[player].filter(|_| tree.visits(node) < reference) else {
            self.ancestors[player] = Some(node);
            return false;
        };
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.lent.fill((0, Amaf::default()));
            self.stamp = 1;
        }
        for child in tree.children(ancestor) {
            let amaf = tree.amaf(child);
            self.lent[amaf.move_id as usize] = (self.stamp, amaf);
        }
        true
    }

    /// The ancestor's value of a move; without a count if it has none.
    #[inline(always)]
    pub fn lent(&self, move_id: u32) -> Amaf {
        let (stamp, amaf) = self.lent[move_id as usize];
        if stamp == self.stamp { amaf } else { Amaf::default() }
    }

    /// Adds a simulation's reward, given for the first player, to the moves that it made at or after each node of its
    /// path; `played` are the numbers of its moves.
    #[inline]
    pub fn teach<T: Nodes>(&mut self, tree: &mut T, path: &[Step], played: &[u32], reward: f32) {
        if self.start > u32::MAX / 2 {
            self.plies.fill(0);
            self.start = 0;
        }
        for (ply, &index) in (1..).zip(played) {
            self.plies[index as usize] = self.start + ply;
        }
        for (depth, (step, &index)) in (0..).zip(path.iter().zip(played)) {
            let player = ActionValues::player(index);
            let reward = in_view_of(player, reward);
            let (plies, from) = (&self.plies, self.start + depth);
            tree.update_amaf(step.node, |amaf| {
                if plies[ActionValues::index(player, amaf.move_id as usize) as usize] > from {
                    amaf.count += 1;
                    amaf.mean += (reward - amaf.mean) / amaf.count as f32;
                }
            });
        }
        self.start += played.len() as u32 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AgentSettings;
    use crate::tree::{Parts, ROOT, Tree};
    use spinney_core::game::Player;

    fn settings(text: &str) -> TermSettings {
        text.parse::<AgentSettings>().unwrap().mcts().unwrap().terms
    }

    /// A root with the moves 0, 1 and 2; below the first child the replies 1, 2 and 3.
    fn tree() -> Tree<u8> {
        let mut tree = Tree::new(1 << 16, Parts { amaf: true, ..Parts::default() });
        for (node, moves) in [(ROOT, [0, 1, 2]), (1, [1, 2, 3])] {
            tree.add_children(node, &moves);
            let children = tree.children(node);
            for (amaf, id) in tree.amaf_of_mut(children).iter_mut().zip(moves) {
                amaf.move_id = u32::from(id);
            }
        }
        tree
    }

    fn step(node: NodeId, player: Player) -> Step {
        Step { node, player, draw_in_hand: false }
    }

    fn counts_and_means(tree: &Tree<u8>, node: NodeId) -> Vec<(u32, f32)> {
        tree.amaf_of(tree.children(node)).iter().map(|amaf| (amaf.count, amaf.mean)).collect()
    }

    /// First player 0 and then 2, second player 1 and then 3: won by the first player. Then 0, 2, 1, 0: lost.
    #[test]
    fn moves_count_where_they_could_have_been_made() {
        let mut tree = tree();
        let mut amaf = AllMovesAsFirst::new(&settings("mcts(rave)"), 4);
        let numbers = |ids: [usize; 4]| -> Vec<u32> {
            (0..).zip(ids).map(|(ply, id)| ActionValues::index(Player::BOTH[ply % 2], id)).collect()
        };
        let path = [step(ROOT, Player::Second), step(1, Player::First), step(4, Player::Second)];
        amaf.teach(&mut tree, &path, &numbers([0, 1, 2, 3]), 1.0);
        assert_eq!(counts_and_means(&tree, ROOT), [(1, 1.0), (0, 0.0), (1, 1.0)]);
        assert_eq!(counts_and_means(&tree, 1), [(1, -1.0), (0, 0.0), (1, -1.0)]);
        amaf.teach(&mut tree, &path[..2], &numbers([0, 2, 1, 0]), -1.0);
        assert_eq!(counts_and_means(&tree, ROOT), [(2, 0.0), (1, -1.0), (1, 1.0)]);
        assert_eq!(counts_and_means(&tree, 1), [(1, -1.0), (1, 1.0), (1, -1.0)]);
    }

    /// At a node of few visits the values are those of the nearest ancestor of the same player; a move that cannot be
    /// made there has none.
    #[test]
    fn grave_borrows_from_an_ancestor() {
        let mut tree = tree();
        for (amaf, mean) in tree.amaf_of_mut(1..4).iter_mut().zip([0.1, 0.2, 0.3]) {
            (amaf.count, amaf.mean) = (7, mean);
        }
        (0..5).for_each(|_| tree.add_reward(1, 0.0));
        let mut amaf = AllMovesAsFirst::new(&settings("mcts(grave(reference=6))"), 4);
        amaf.begin_simulation();
        assert!(!amaf.prepare(&tree, ROOT, 0), "the root is the first to ask");
        assert!(!amaf.prepare(&tree, 4, 1), "nobody above has the other player's moves");
        assert!(amaf.prepare(&tree, 1, 0));
        assert_eq!([1, 2, 3].map(|id| amaf.lent(id).mean), [0.2, 0.3, 0.0]);
        assert_eq!(amaf.lent(3).count, 0);
        tree.add_reward(1, 0.0);
        assert!(!amaf.prepare(&tree, 1, 0), "six visits are enough");
    }

    #[test]
    fn weights_fall_with_visits() {
        assert_eq!(Blend::ByNode(1000.0).weight(0, 9, 9), 1.0);
        assert_eq!(Blend::ByNode(1000.0).weight(1000, 0, 9), 0.5);
        assert_eq!(Blend::ByMove(300.0).weight(0, 300, 9), 0.5);
        assert_eq!(Blend::ByMove(0.0).weight(0, 0, 1), 0.0);
        assert_eq!(Blend::Bias(0.0).weight(0, 30, 10), 0.25);
        assert!(Blend::Bias(0.1).weight(0, 30, 10) < 0.25);
    }
}
