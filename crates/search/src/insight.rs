//! Looking into the tree of a search, while it runs or after: what is known of a node, by the moves that lead to it.

use crate::agent::Candidate;
use crate::decide;
use crate::settings::FinalMove;
use crate::tree::{NodeId, ROOT, Tree};

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
    for &mv in path {
        node = tree.children(node).chain(tree.outcomes(node)).find(|&child| tree.mv(child) == mv)?;
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
    decide::ranking(tree, node, rule).into_iter().map(|child| candidate(tree, child)).collect()
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
