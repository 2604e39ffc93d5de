//! Looking into the tree of a search, while it runs or after: what is known of a node, by the moves that lead to it.

use crate::analysis::Candidate;
use crate::decide::{self, Standing};
use crate::nodes::Nodes;
use crate::settings::FinalMove;
use crate::tree::{NodeId, Proof, ROOT};
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
pub fn insight<T: Nodes>(tree: &T, path: &[T::Move], rule: FinalMove) -> Option<Insight<T::Move>> {
    let mut node = ROOT;
    for (number, &mv) in path.iter().enumerate() {
        let Some(child) = tree.children(node).chain(tree.outcomes(node)).find(|&child| tree.mv(child) == mv) else {
            let is_unopened = number + 1 == path.len() && tree.unopened(node).any(|other| other == mv);
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
pub fn candidates<T: Nodes>(tree: &T, node: NodeId, rule: FinalMove) -> Vec<Candidate<T::Move>> {
    let opened = tree.children(node).map(|child| candidate(tree, child));
    let candidates: Vec<Candidate<T::Move>> = opened.chain(tree.unopened(node).map(unopened)).collect();
    decide::ordered(&candidates, &|a, b| decide::compare(rule, &standing(b), &standing(a)))
}

fn standing<M>(candidate: &Candidate<M>) -> Standing {
    Standing { visits: candidate.visits, mean: candidate.mean, proof: candidate.proof }
}

/// A move that no simulation has gone through.
fn unopened<M: Copy>(mv: M) -> Candidate<M> {
    Candidate { mv, visits: 0, mean: 0.0, deviation: 0.0, proof: Proof::Unknown, variation: vec![mv] }
}

fn candidate<T: Nodes>(tree: &T, child: NodeId) -> Candidate<T::Move> {
    Candidate {
        mv: tree.mv(child),
        visits: tree.visits(child),
        mean: tree.mean(child),
        deviation: tree.variance(child).sqrt(),
        proof: tree.proof(child),
        variation: decide::principal_variation(tree, child),
    }
}
