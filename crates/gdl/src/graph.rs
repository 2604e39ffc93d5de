//! Strongly connected components.

/// The components of a graph given by its lists of successors, those without successors outside first; within a
/// component the order is arbitrary (R. Tarjan, 1972, without recursion).
pub(crate) fn components(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = successors.len();
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut calls, mut found, mut clock) = (Vec::new(), Vec::<(u32, usize)>::new(), Vec::new(), 0);
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, next)) = calls.pop() {
            let at = node as usize;
            if next == 0 {
                index[at] = clock;
                low[at] = clock;
                clock += 1;
                stack.push(node);
                on_stack[at] = true;
            }
            if let Some(&successor) = successors[at].get(next) {
                calls.push((node, next + 1));
                let to = successor as usize;
                if index[to] == NEW {
                    calls.push((successor, 0));
                } else if on_stack[to] {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == index[at] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

/// Which component each node belongs to.
pub(crate) fn component_of(components: &[Vec<u32>], nodes: usize) -> Vec<u32> {
    let mut of = vec![0; nodes];
    for (number, members) in components.iter().enumerate() {
        for &member in members {
            of[member as usize] = number as u32;
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_and_ordered() {
        let found = components(&[vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![5, 0]]);
        let sorted: Vec<Vec<u32>> = found
            .into_iter()
            .map(|mut component| {
                component.sort_unstable();
                component
            })
            .collect();
        assert_eq!(sorted, [vec![4], vec![3], vec![0, 1, 2], vec![5]]);
    }
}
