//! Graphs and their strongly connected components.

use crate::limits::Budget;

/// Who comes after whom: the lists of all nodes, end to end.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    targets: Vec<u32>,
    ends: Vec<u32>,
}

impl Graph {
    /// Adds the next node with those that come after it.
    pub(crate) fn push(&mut self, successors: impl IntoIterator<Item = u32>) {
        self.targets.extend(successors);
        self.ends.push(self.targets.len() as u32);
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Those that come after a node.
    pub(crate) fn successors(&self, node: u32) -> &[u32] {
        let start = if node == 0 { 0 } else { self.ends[node as usize - 1] };
        &self.targets[start as usize..self.ends[node as usize] as usize]
    }

    /// Strongly connected components, those without successors outside first; within a component the order is arbitrary
    /// (R. Tarjan, 1972, without recursion). Of no use if a limit was reached.
    pub(crate) fn components(&self, budget: &mut Budget) -> Components {
        const NEW: u32 = u32::MAX;
        let count = self.len();
        let mut found = Components::default();
        if !budget.hold(count * 24) {
            return found;
        }
        let mut index = vec![NEW; count];
        let mut low = vec![0u32; count];
        let mut on_stack = vec![false; count];
        let (mut stack, mut calls, mut clock) = (Vec::new(), Vec::<(u32, u32)>::new(), 0);
        for root in 0..count as u32 {
            if index[root as usize] != NEW {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, next)) = calls.pop() {
                if !budget.spend(1) {
                    return found;
                }
                let at = node as usize;
                if next == 0 {
                    index[at] = clock;
                    low[at] = clock;
                    clock += 1;
                    stack.push(node);
                    on_stack[at] = true;
                }
                if let Some(&successor) = self.successors(node).get(next as usize) {
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
                    while let Some(member) = stack.pop() {
                        on_stack[member as usize] = false;
                        found.members.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.ends.push(found.members.len() as u32);
                }
            }
        }
        found
    }
}

/// Strongly connected components, end to end.
#[derive(Debug, Default)]
pub(crate) struct Components {
    members: Vec<u32>,
    ends: Vec<u32>,
}

impl Components {
    /// The members of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let members = &self.members[start..end as usize];
            start = end as usize;
            members
        })
    }

    /// Which component each node belongs to.
    pub(crate) fn of(&self) -> Vec<u32> {
        let mut of = vec![0; self.members.len()];
        for (members, number) in self.iter().zip(0..) {
            members.iter().for_each(|&member| of[member as usize] = number);
        }
        of
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn cycles_are_found_and_ordered() {
        let mut graph = Graph::default();
        for successors in [vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![5, 0]] {
            graph.push(successors);
        }
        assert_eq!((graph.len(), graph.successors(1), graph.successors(4)), (6, [2, 3].as_slice(), [].as_slice()));
        let found = graph.components(&mut Budget::new(&Limits::default()));
        let sorted: Vec<Vec<u32>> = found
            .iter()
            .map(|component| {
                let mut component = component.to_vec();
                component.sort_unstable();
                component
            })
            .collect();
        assert_eq!(sorted, [vec![4], vec![3], vec![0, 1, 2], vec![5]]);
        assert_eq!(found.of(), [2, 2, 2, 1, 0, 3]);
    }
}
