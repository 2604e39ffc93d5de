//! Room in a full tree: what was visited least is given up.

use crate::nodes::Nodes;
use crate::tree::ROOT;
use alloc::vec;

/// The fewest visits of nodes that may keep their children if at most this share of all children is to be kept; `None` if
/// nothing can be given up.
pub(crate) fn least_visits<T: Nodes>(tree: &T, share: f64) -> Option<u32> {
    // Children by the number of binary digits of their parent's visits.
    let mut children = [0u64; 33];
    let mut waiting = vec![ROOT];
    while let Some(node) = waiting.pop() {
        children[(u32::BITS - tree.visits(node).leading_zeros()) as usize] += u64::from(tree.child_count(node));
        waiting.extend(tree.children(node).filter(|&child| tree.is_expanded(child)));
    }
    let most = (children.iter().sum::<u64>() as f64 * share) as u64;
    let mut kept = 0;
    let mut digits = children.len();
    while digits > 1 && kept + children[digits - 1] <= most {
        digits -= 1;
        kept += children[digits];
    }
    // All that is kept has more digits than what is given up.
    let least = 1u32.checked_shl(digits as u32 - 1).unwrap_or(u32::MAX);
    (children[..digits].iter().any(|&count| count > 0) && digits < children.len()).then_some(least)
}
