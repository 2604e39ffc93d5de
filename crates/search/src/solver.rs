//! MCTS-Solver (Winands, Björnsson and Saito, 2008): proven values walk up the tree.

use crate::tree::{NodeId, Proof, Tree};

/// What the children of a node prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The node's value, in the view of the player to move there.
    Proven(Proof),
    /// This child stands in the way: it is neither lost nor otherwise proven.
    Open(NodeId),
}

/// Reads the children in order. One proven win is enough; else the first child that is not proven stops the scan.
pub fn verdict<M: Copy + Default>(tree: &Tree<M>, node: NodeId) -> Verdict {
    let mut best = Proof::Loss;
    let mut open = None;
    for child in tree.children(node) {
        match tree.proof(child) {
            Proof::Win => return Verdict::Proven(Proof::Win),
            Proof::Draw => best = Proof::Draw,
            Proof::Loss => {}
            Proof::Unknown => open = open.or(Some(child)),
        }
    }
    open.map_or(Verdict::Proven(best), Verdict::Open)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Parts, ROOT};

    fn verdict_of(proofs: &[Proof]) -> Verdict {
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
        assert_eq!(verdict_of(&[Unknown, Loss, Win]), Verdict::Proven(Win));
        assert_eq!(verdict_of(&[Loss, Loss]), Verdict::Proven(Loss));
        assert_eq!(verdict_of(&[Loss, Draw]), Verdict::Proven(Draw));
        assert_eq!(verdict_of(&[Loss, Unknown, Loss]), Verdict::Open(2));
        assert_eq!(verdict_of(&[Draw, Unknown]), Verdict::Open(2));
    }
}
