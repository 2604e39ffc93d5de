//! Which move is played when the search is over.

use crate::nodes::Nodes;
use crate::settings::FinalMove;
use crate::tree::{NodeId, Proof, ROOT};
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

/// The move to play. The root must have children.
pub fn final_move<T: Nodes>(tree: &T, rule: FinalMove) -> T::Move {
    tree.mv(best_child(tree, ROOT, rule).unwrap_or(ROOT))
}

/// The best of the children that have a place, the first of equals.
fn best_child<T: Nodes>(tree: &T, node: NodeId, rule: FinalMove) -> Option<NodeId> {
    tree.children(node).reduce(|best, child| {
        let order = compare(rule, &Standing::of(tree, best), &Standing::of(tree, child));
        if order == Ordering::Less { child } else { best }
    })
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
pub fn is_robust_max<T: Nodes>(tree: &T) -> bool {
    best_child(tree, ROOT, FinalMove::Visits) == best_child(tree, ROOT, FinalMove::Mean)
}

/// From `child` on, the moves that would be played.
pub fn principal_variation<T: Nodes>(tree: &T, child: NodeId) -> Vec<T::Move> {
    const LONGEST: usize = 20;
    let mut moves = vec![tree.mv(child)];
    let mut node = child;
    while moves.len() < LONGEST {
        let Some(next) = best_child(tree, node, FinalMove::Visits) else { break };
        let standing = Standing::of(tree, next);
        let is_behind = tree.places(node) < tree.child_count(node)
            && compare(FinalMove::Visits, &standing, &Standing::UNOPENED) == Ordering::Less;
        if is_behind || standing.visits == 0 && standing.proof != Proof::Win {
            break;
        }
        moves.push(tree.mv(next));
        node = next;
    }
    moves
}

/// What decides between moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) visits: u32,
    pub(crate) mean: f32,
    pub(crate) proof: Proof,
}

impl Standing {
    /// That of a child without visits.
    pub(crate) const UNOPENED: Self = Self { visits: 0, mean: 0.0, proof: Proof::Unknown };

    fn of<T: Nodes>(tree: &T, node: NodeId) -> Self {
        Self { visits: tree.visits(node), mean: tree.mean(node), proof: tree.proof(node) }
    }
}

/// Proven wins first and proven losses last; a proven draw comes before what looks like a loss. Among the rest
/// the rule decides.
pub(crate) fn compare(rule: FinalMove, a: &Standing, b: &Standing) -> Ordering {
    let class = |standing: &Standing| match standing.proof {
        Proof::Win => 3,
        Proof::Draw => 1,
        Proof::Loss => 0,
        Proof::Unknown if standing.visits > 0 && standing.mean < 0.0 => 1,
        Proof::Unknown => 2,
    };
    let draws_first = |standing: &Standing| standing.proof == Proof::Draw;
    let any_draw = draws_first(a) || draws_first(b);
    let by_class = class(a).cmp(&class(b));
    let settled = |standing: &Standing| matches!(standing.proof, Proof::Win | Proof::Loss);
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
    let visits = a.visits.cmp(&b.visits);
    let means = a.mean.total_cmp(&b.mean);
    match rule {
        FinalMove::Visits | FinalMove::RobustMax => visits.then(means),
        FinalMove::Mean => (a.visits > 0).cmp(&(b.visits > 0)).then(means).then(visits),
    }
}
