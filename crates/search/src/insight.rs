//! Looking into the tree of a search, while it runs or after: what is known of a node, by the moves that lead to it.

use crate::analysis::Candidate;
use crate::decide::{self, Standing};
use crate::settings::FinalMove;
use crate::tree::{NodeId, Proof, ROOT, Tree};
use alloc::{vec, vec::Vec};
#[cfg(not(feature = "std"))]
use spinney_core::arithmetic::Rounded as _;

/// What a search knows of a node below its root.
#[derive(Clone, Debug)]
pub struct Insight<M> {
    /// Simulations through it.
    pub visits: u32,
    /// Its moves, best first, in the view of the player who makes them; or the outcomes of chance that were met.
    pub candidates: Vec<Candidate<M>>,
}

/// The node after these moves and outcomes; `None` where the tree does not reach.
pub fn insight<M: Copy + Default + Eq>(tree: &Tree<M>, path: &[M], rule: FinalMove) -> Option<Insight<M>> {
    let mut node = ROOT;
    for (number, &mv) in path.iter().enumerate() {
        let Some(child) = tree.children(node).chain(tree.outcomes(node)).find(|&child| tree.mv(child) == mv) else {
            let is_unopened = number + 1 == path.len() && tree.unopened(node).contains(&mv);
            return is_unopened.then(|| Insight { visits: 0, candidates: Vec::new() });
        };
        node = child;
    }
    let mut candidates = candidates(tree, node, rule);
    if candidates.is_empty() {
        let outcomes: Vec<NodeId> = tree.outcomes(node).collect();
        let outcomes = decide::ordered(&outcomes, &|&a, &b| tree.visits(b).cmp(&tree.visits(a)));
        candidates = outcomes.into_iter().map(|outcome| candidate(tree, outcome)).collect();
    }
    Some(Insight { visits: tree.visits(node), candidates })
}

/// The moves of a node, best first.
pub fn candidates<M: Copy + Default>(tree: &Tree<M>, node: NodeId, rule: FinalMove) -> Vec<Candidate<M>> {
    let opened = tree.children(node).map(|child| candidate(tree, child));
    let candidates: Vec<Candidate<M>> = opened.chain(tree.unopened(node).iter().map(|&mv| unopened(mv))).collect();
    decide::ordered(&candidates, &|a, b| decide::compare(rule, &standing(b), &standing(a)))
}

fn standing<M>(candidate: &Candidate<M>) -> Standing {
    Standing { visits: candidate.visits, mean: candidate.mean, proof: candidate.proof }
}

/// A move that no simulation has gone through.
fn unopened<M: Copy>(mv: M) -> Candidate<M> {
    Candidate { mv, visits: 0, mean: 0.0, deviation: 0.0, proof: Proof::Unknown, variation: vec![mv] }
}

fn candidate<M: Copy + Default>(tree: &Tree<M>, child: NodeId) -> Candidate<M> {
    Candidate {
        mv: tree.mv(child),
        visits: tree.visits(child),
        mean: tree.mean(child),
        deviation: tree.variance(child).sqrt(),
        proof: tree.proof(child),
        variation: decide::principal_variation(tree, child),
    }
}
