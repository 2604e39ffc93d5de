//! Where threads that have parted meet again.

use super::{Action, Function};

/// For each action the one that all threads come to whichever way they take from there, and that is the nearest of those: its
/// immediate post-dominator, as the compiler of a card lets them wait for each other. Ways that end the thread do not count;
/// where there is nothing but the end of the function, it is the number of actions.
pub fn joins(function: &Function) -> Vec<usize> {
    let end = function.actions.len();
    let mut before = vec![Vec::new(); end + 1];
    for at in 0..end {
        for next in after(function, at) {
            before[next].push(at);
        }
    }
    let order = from_the_end(&before);
    let mut rank = vec![None; end + 1];
    for (number, &at) in order.iter().enumerate() {
        rank[at] = Some(number);
    }
    // Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), by ranks.
    let mut joins: Vec<Option<usize>> = vec![None; order.len()];
    joins[0] = Some(0);
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for (number, &at) in order.iter().enumerate().skip(1) {
            let ways =
                after(function, at).into_iter().filter_map(|next| rank[next]).filter(|&next| joins[next].is_some());
            let join = ways.reduce(|a, b| nearest_of_both(&joins, a, b));
            if joins[number] != join {
                joins[number] = join;
                is_settled = false;
            }
        }
    }
    (0..end).map(|at| rank[at].and_then(|number| joins[number]).map_or(end, |join| order[join])).collect()
}

/// Where a thread may go from an action.
fn after(function: &Function, at: usize) -> Vec<usize> {
    match &function.actions[at] {
        Action::Branch { target, .. } => vec![at + 1, *target as usize],
        Action::Jump { target } => vec![*target as usize],
        Action::Switch { table, .. } => {
            function.tables[*table as usize].iter().map(|&target| target as usize).collect()
        }
        Action::Return => vec![function.actions.len()],
        Action::Stop { .. } => Vec::new(),
        _ => vec![at + 1],
    }
}

/// Everything from which the end is reached, each after what it is reached by on the way back: a reverse post-order.
fn from_the_end(before: &[Vec<usize>]) -> Vec<usize> {
    let end = before.len() - 1;
    let mut is_seen = vec![false; before.len()];
    is_seen[end] = true;
    let (mut order, mut open) = (Vec::new(), vec![(end, 0)]);
    while let Some((at, number)) = open.pop() {
        match before[at].get(number) {
            None => order.push(at),
            Some(&next) => {
                open.push((at, number + 1));
                if !std::mem::replace(&mut is_seen[next], true) {
                    open.push((next, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

fn nearest_of_both(joins: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = joins[*later].expect("those before it in the order are known");
    }
    a
}
