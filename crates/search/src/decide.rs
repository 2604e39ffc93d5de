//! Which move is played when the search is over.

use crate::settings::FinalMove;
use crate::tree::{NodeId, Proof, ROOT, Tree};
use std::cmp::Ordering;

/// The move to play. The root must have children.
pub fn final_move<M: Copy + Default>(tree: &Tree<M>, rule: FinalMove) -> M {
    let best = tree.children(ROOT).reduce(|best, child| match compare(tree, rule, best, child) {
        Ordering::Less => child,
        Ordering::Equal | Ordering::Greater => best,
    });
    tree.mv(best.unwrap_or(ROOT))
}

/// All children of a node, best first.
pub fn ranking<M: Copy + Default>(tree: &Tree<M>, node: NodeId, rule: FinalMove) -> Vec<NodeId> {
    let children: Vec<NodeId> = tree.children(node).collect();
    ordered(&children, &|&a, &b| compare(tree, rule, b, a))
}

/// A sorted copy of a list, equals as they stood. Places are sorted, by a function that is compiled once, since a sort
/// of its own for every type of move would be a tenth of what a game compiles.
pub(crate) fn ordered<T: Clone>(items: &[T], compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    order(items.len(), &|a, b| compare(&items[a], &items[b])).into_iter().map(|place| items[place].clone()).collect()
}

fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// Whether one child is the most visited and has the highest mean.
pub fn is_robust_max<M: Copy + Default>(tree: &Tree<M>) -> bool {
    let by = |rule| {
        tree.children(ROOT).reduce(
            |best, child| {
                if compare(tree, rule, best, child) == Ordering::Less { child } else { best }
            },
        )
    };
    by(FinalMove::Visits) == by(FinalMove::Mean)
}

/// From `child` on, the moves that would be played.
pub fn principal_variation<M: Copy + Default>(tree: &Tree<M>, child: NodeId) -> Vec<M> {
    const LONGEST: usize = 20;
    let mut moves = vec![tree.mv(child)];
    let mut node = child;
    while moves.len() < LONGEST {
        let next = tree.children(node).reduce(|best, child| {
            if compare(tree, FinalMove::Visits, best, child) == Ordering::Less { child } else { best }
        });
        match next {
            Some(next) if tree.visits(next) > 0 || tree.proof(next) == Proof::Win => {
                moves.push(tree.mv(next));
                node = next;
            }
            _ => break,
        }
    }
    moves
}

/// Proven wins first and proven losses last; a proven draw comes before what looks like a loss. Among the rest
/// the rule decides.
fn compare<M: Copy + Default>(tree: &Tree<M>, rule: FinalMove, a: NodeId, b: NodeId) -> Ordering {
    let class = |node: NodeId| match tree.proof(node) {
        Proof::Win => 3,
        Proof::Draw => 1,
        Proof::Loss => 0,
        Proof::Unknown if tree.visits(node) > 0 && tree.mean(node) < 0.0 => 1,
        Proof::Unknown => 2,
    };
    let draws_first = |node: NodeId| tree.proof(node) == Proof::Draw;
    let any_draw = draws_first(a) || draws_first(b);
    let by_class = class(a).cmp(&class(b));
    let settled = |node| matches!(tree.proof(node), Proof::Win | Proof::Loss);
    if settled(a) || settled(b) {
        if by_class != Ordering::Equal {
            return by_class;
        }
    } else if any_draw {
        let order = by_class.then(draws_first(a).cmp(&draws_first(b)));
        if order != Ordering::Equal {
            return order;
        }
    }
    let visits = tree.visits(a).cmp(&tree.visits(b));
    let means = tree.mean(a).total_cmp(&tree.mean(b));
    match rule {
        FinalMove::Visits | FinalMove::RobustMax => visits.then(means),
        FinalMove::Mean => (tree.visits(a) > 0).cmp(&(tree.visits(b) > 0)).then(means).then(visits),
    }
}
