//! MCTS-Solver (Winands, Björnsson and Saito, 2008): proven values walk up the tree.

use crate::backpropagate::{Step, add_to_path, outcome_of};
use crate::ideas::Ideas;
use crate::mcts::Mcts;
use crate::nodes::Nodes;
use crate::playout::in_view_of;
use crate::tree::{NodeId, Proof};
use spinney_core::game::{Game, Player, Turn};

/// What the children of a node prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The node's value, in the view of the player to move there.
    Proven(Proof),
    /// This child stands in the way: it is neither lost nor otherwise proven.
    Open(NodeId),
    /// All children that have a place are lost or drawn, and others have none yet.
    Unopened,
}

/// Reads the children in order. One proven win is enough; else the first child that is not proven stops the scan.
pub fn verdict<T: Nodes>(tree: &T, node: NodeId) -> Standing {
    let mut best = Proof::Loss;
    let mut open = None;
    // Counted as they are read: others may give places to more of them meanwhile.
    let mut read = 0;
    for child in tree.children(node) {
        read += 1;
        match tree.proof(child) {
            Proof::Win => return Standing::Proven(Proof::Win),
            Proof::Draw => best = Proof::Draw,
            Proof::Loss => {}
            Proof::Unknown => open = open.or(Some(child)),
        }
    }
    match open {
        Some(child) => Standing::Open(child),
        None if read < tree.child_count(node) => Standing::Unopened,
        None => Standing::Proven(best),
    }
}

/// A proof in the view of the opponent.
pub const fn opposite(proof: Proof) -> Proof {
    match proof {
        Proof::Win => Proof::Loss,
        Proof::Loss => Proof::Win,
        other => other,
    }
}

/// The reward that a proven value stands for, in the same view.
pub const fn reward(proof: Proof) -> f32 {
    match proof {
        Proof::Win => 1.0,
        Proof::Loss => -1.0,
        Proof::Draw | Proof::Unknown => 0.0,
    }
}

impl<G: Game, I: Ideas, T: Nodes<Move = G::Move>> Mcts<G, I, T> {
    /// The last node of the path is proven. Proves its ancestors as far as that goes; the first one that stays
    /// open gets one ordinary result, and so do all above it.
    #[cold]
    pub(crate) fn backpropagate_proof(&mut self, game: &G) {
        while self.path.len() > 1 {
            let proven = self.path[self.path.len() - 1];
            let parent = self.path[self.path.len() - 2];
            match self.verdict(game, parent, proven.player) {
                Standing::Proven(proof) => {
                    let proof = if parent.player == proven.player { proof } else { opposite(proof) };
                    self.tree.prove(parent.node, proof);
                    self.tree.leave(proven.node);
                    self.path.truncate(self.path.len() - 1);
                }
                Standing::Open(_) | Standing::Unopened => {
                    let last = self.path[self.path.len() - 1].node;
                    let reward = in_view_of(proven.player, reward(self.tree.proof(last)));
                    self.tree.leave(last);
                    self.path.truncate(self.path.len() - 1);
                    return self.backpropagate_solved(reward);
                }
            }
        }
    }

    /// One ordinary result that the solver found, for every node left on the path.
    fn backpropagate_solved(&mut self, reward: f32) {
        let moves = (self.path.len() - 1).min(self.learned.played.len());
        let (ancestors, nearest) = self.path.split_at(self.path.len() - 1);
        let reward = add_to_path(&mut self.tree, nearest, reward);
        let reward_above = if self.quirks.solver_sign { -reward } else { reward };
        add_to_path(&mut self.tree, ancestors, reward_above);
        if self.learns {
            let outcome = outcome_of(reward_above);
            self.learned.teach(moves, outcome, outcome);
            if self.rule.needs_amaf() {
                self.amaf.teach(&mut self.tree, &self.path, &self.learned.played[..moves], reward_above);
            }
        }
    }

    /// What the children of `parent` prove for `player`, who moves there. A child that stands in the way and has
    /// no children yet is expanded: it may turn out to be lost as well.
    fn verdict(&mut self, game: &G, parent: Step, player: Player) -> Standing {
        // Between equal children the order of moves decides.
        if self.tree.is_ordered() && !self.make_whole(parent.node) {
            return Standing::Unopened;
        }
        loop {
            let child = match verdict(&self.tree, parent.node) {
                Standing::Unopened if self.expansion.looks_ahead && self.make_whole(parent.node) => continue,
                Standing::Open(child) => child,
                proven @ (Standing::Proven(_) | Standing::Unopened) => return proven,
            };
            if self.tree.is_expanded(child) || !self.expansion.looks_ahead {
                return Standing::Open(child);
            }
            let state = self.state_below_path(game, child);
            let Turn::Player(next) = game.turn(&state) else { return Standing::Open(child) };
            match self.expand(game, &state, next, child).flatten() {
                Some(_) => {
                    let proof = if next == player { Proof::Win } else { Proof::Loss };
                    self.tree.prove(child, proof);
                }
                None => return Standing::Open(child),
            }
        }
    }

    /// Gives all children of the last node but one of the path a place, and finds the last one's again.
    fn make_whole(&mut self, parent: NodeId) -> bool {
        let last = self.path.len() - 1;
        let place = self.tree.make_whole(parent, self.path[last].node);
        if let Some(place) = place {
            self.path[last].node = place;
        }
        place.is_some()
    }

    /// The position after the moves of the path without its last, and then the move of `child`.
    fn state_below_path(&mut self, game: &G, child: NodeId) -> G::State {
        let mut state = self.root.clone();
        for step in &self.path[1..self.path.len() - 1] {
            game.advance(&mut state, self.tree.mv(step.node), &mut self.work);
        }
        game.advance(&mut state, self.tree.mv(child), &mut self.work);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{DeviationSettings, MctsSettings, Quirks};
    use crate::tree::{Parts, ROOT, Tree};
    use spinney_core::expression::Expression;
    use spinney_core::options::OptionValue;

    fn verdict_of(proofs: &[Proof]) -> Standing {
        let mut tree = Tree::<u8>::new(1 << 12, Parts::default());
        tree.add_children(ROOT, &vec![0; proofs.len()]);
        for (child, &proof) in (1..).zip(proofs) {
            if proof != Proof::Unknown {
                tree.prove(child, proof);
            }
        }
        verdict(&tree, ROOT)
    }

    #[test]
    fn a_win_is_enough_and_a_loss_needs_all() {
        use Proof::{Draw, Loss, Unknown, Win};
        assert_eq!(verdict_of(&[Unknown, Loss, Win]), Standing::Proven(Win));
        assert_eq!(verdict_of(&[Loss, Loss]), Standing::Proven(Loss));
        assert_eq!(verdict_of(&[Loss, Draw]), Standing::Proven(Draw));
        assert_eq!(verdict_of(&[Loss, Unknown, Loss]), Standing::Open(2));
        assert_eq!(verdict_of(&[Draw, Unknown]), Standing::Open(2));
    }

    /// A root with two moves; after the first there are two replies, the first of which has been proven lost for
    /// the one who makes it. Returns the mean of the root's child and of the root after that is passed up.
    fn means_after_one_lost_reply(quirks: &str) -> [f32; 2] {
        let game = spinney_games::TicTacToe;
        let quirks = Quirks::read(&Expression::read_sum("quirks", quirks).unwrap()).unwrap();
        let deviations = DeviationSettings { quirks: Some(quirks), ..Default::default() };
        let settings = MctsSettings { deviations, ..MctsSettings::default() };
        let mut search = Mcts::new(&game, &settings).unwrap();
        search.tree.clear();
        search.tree.add_children(ROOT, &[0, 1]);
        search.tree.add_children(1, &[2, 3]);
        let first = search.tree.first_child(1);
        assert!(search.tree.make_whole(1, first).is_some());
        let reply = search.tree.first_child(1);
        search.tree.add_children(reply + 1, &[5]);
        search.tree.prove(reply, Proof::Loss);
        let step = |node, player| Step { node, player, draw_in_hand: false };
        search.path =
            [step(ROOT, Player::Second), step(1, Player::First), step(reply, Player::Second)].into_iter().collect();
        search.backpropagate_proof(&game);
        assert_eq!(search.tree.proof(1), Proof::Unknown);
        assert_eq!((search.tree.visits(reply), search.tree.visits(1), search.tree.visits(ROOT)), (0, 1, 1));
        [search.tree.mean(1), search.tree.mean(ROOT)]
    }

    /// The reply loses for the second player: good for the first, who moved into node 1, and bad for the second,
    /// in whose view the root stands.
    #[test]
    fn one_lost_reply_counts_as_one_loss() {
        assert_eq!(means_after_one_lost_reply("none"), [1.0, -1.0]);
        assert_eq!(means_after_one_lost_reply("solver_sign"), [1.0, 1.0]);
    }
}
