//! All instances of the clauses that can matter in some state that play can reach.
//!
//! What may ever hold is found from below, starting at the initial state: a fact may hold if it holds at first or if
//! `next` may hold for it, a move may be made if it may be legal; negations are taken for possible. Each new sentence
//! is joined with all older ones exactly once (semi-naive evaluation), so every instance is met exactly once.

use std::collections::HashMap;

use crate::clauses::Condition;
use crate::database::Database;
use crate::join::{JoinPlan, Manner};
use crate::limits::Budget;
use crate::program::{Program, bytes_of_plan};
use crate::rules::{DOES, LEGAL, NEXT, ROLE, TRUE};
use crate::terms::{TermId, Terms};

/// A sentence, twice its number, plus one if it is negated.
pub(crate) type GroundLiteral = u32;

/// The instances, end to end: head, number of conditions, conditions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instances {
    words: Vec<u32>,
    count: usize,
}

impl Instances {
    /// Head and conditions of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (TermId, &[GroundLiteral])> {
        let mut rest = self.words.as_slice();
        std::iter::from_fn(move || {
            let (&head, after) = rest.split_first()?;
            let (&length, after) = after.split_first()?;
            let (conditions, after) = after.split_at(length as usize);
            rest = after;
            Some((head, conditions))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Where each begins, in the order of [`Instances::iter`].
    pub(crate) fn starts(&self) -> impl Iterator<Item = u32> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let length = self.words.get(next + 1)?;
            let start = next;
            next += 2 + *length as usize;
            Some(start as u32)
        })
    }

    /// The conditions of the one that begins here.
    #[inline]
    pub(crate) fn conditions(&self, start: u32) -> &[GroundLiteral] {
        let start = start as usize;
        &self.words[start + 2..start + 2 + self.words[start + 1] as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 4
    }
}

/// The outcome of grounding.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) terms: Terms,
    pub(crate) instances: Instances,
    /// The state facts that may hold, `true` stripped.
    pub(crate) facts: Vec<TermId>,
    /// The moves each role may make.
    pub(crate) moves: Vec<Vec<TermId>>,
}

/// Grounds the program, or gives up when a limit is reached.
pub(crate) fn ground(program: &Program, most_instances: usize, budget: &mut Budget) -> Option<Ground> {
    let mut terms = program.terms.clone();
    let mut database = program.database.clone();
    let truth = database.relation((TRUE, 1));
    let does = database.relation((DOES, 2));
    let mut growing: Vec<usize> = program.dynamic.iter().map(|&predicate| database.relation(predicate)).collect();
    growing.sort_unstable();
    for &fact in &program.initial {
        let sentence = terms.intern(TRUE, &[fact]);
        database.insert(truth, sentence);
    }
    let mut instances = Instances::default();
    let clauses = &program.clauses;
    let (program_bytes, mut plan_bytes) = (program.bytes(), clauses.len() * 120);
    let heads: Vec<usize> = clauses.iter().map(|clause| database.relation(clause.head.predicate())).collect();
    // Which conditions become inputs of a gate, and with which sign.
    let reported: Vec<Vec<(usize, u32)>> = clauses
        .iter()
        .map(|clause| {
            let sign = |(at, condition): (usize, &Condition)| match condition {
                Condition::Holds(sentence) if program.dynamic.contains(&sentence.predicate()) => Some((at, 0)),
                Condition::Fails(sentence) if program.dynamic.contains(&sentence.predicate()) => Some((at, 1)),
                _ => None,
            };
            clause.body.iter().enumerate().filter_map(sign).collect()
        })
        .collect();
    let grown_conditions: Vec<Vec<(usize, usize)>> = clauses
        .iter()
        .map(|clause| {
            let mut found = Vec::new();
            for (at, condition) in clause.body.iter().enumerate() {
                if let Condition::Holds(sentence) | Condition::Range(sentence) = condition
                    && program.dynamic.contains(&sentence.predicate())
                {
                    found.push((at, database.relation(sentence.predicate())));
                }
            }
            found
        })
        .collect();
    let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, conditions) in grown_conditions.iter().enumerate() {
        conditions.iter().for_each(|(_, relation)| readers.entry(*relation).or_default().push(at));
    }
    let changing = |predicate| program.dynamic.contains(&predicate);
    let mut plans: HashMap<(usize, Option<usize>), (JoinPlan, usize)> = HashMap::new();
    let mut first_round = true;
    loop {
        let mut grown = false;
        let mut total = 0;
        for &number in &growing {
            let relation = &mut database.relations[number];
            relation.old = relation.now;
            relation.now = relation.tuples.len();
            grown |= relation.old < relation.now;
            total += relation.now;
        }
        if !grown && !first_round {
            break;
        }
        if !budget.spend(growing.len() as u64) {
            return None;
        }
        // The program stays beside the copy that grows.
        let mut base = program_bytes + plan_bytes + database.bytes();
        // Only clauses that read something new are joined, in their order.
        let mut active: Vec<usize> = Vec::new();
        if first_round {
            active.extend(0..clauses.len());
        } else {
            for &number in &growing {
                let relation = &database.relations[number];
                if relation.old < relation.now {
                    active.extend(readers.get(&number).into_iter().flatten());
                }
            }
            active.sort_unstable();
            active.dedup();
        }
        if !budget.spend(active.len() as u64 * 8) {
            return None;
        }
        for at in active {
            let clause = &clauses[at];
            let mut deltas: Vec<Option<usize>> = Vec::new();
            if grown_conditions[at].is_empty() {
                if first_round {
                    deltas.push(None);
                }
            } else {
                let is_new = |(_, relation): &&(usize, usize)| {
                    let relation = &database.relations[*relation];
                    relation.old < relation.now
                };
                deltas.extend(grown_conditions[at].iter().filter(is_new).map(|(condition, _)| Some(*condition)));
            }
            for delta in deltas {
                let stale = plans.get(&(at, delta)).is_none_or(|(_, then)| total > then * 2);
                if stale {
                    budget.spend((clause.body.len() * clause.body.len() * 8) as u64);
                    base += bytes_of_plan(clause.body.len());
                    plan_bytes += bytes_of_plan(clause.body.len());
                    let plan =
                        JoinPlan::new(clause, Manner { delta, defer: true }, &changing, &mut terms, &mut database);
                    plans.insert((at, delta), (plan, total));
                }
                let start = instances.words.len();
                let Some((plan, _)) = plans.get(&(at, delta)) else { continue };
                let Instances { words, count } = &mut instances;
                budget.keep(base + words.capacity() * 4);
                plan.run(&mut terms, &mut database, budget, &mut |head, matched, budget| {
                    // What needs itself adds nothing.
                    if reported[at].iter().any(|&(condition, sign)| sign == 0 && matched[condition] == head) {
                        return;
                    }
                    words.push(head);
                    words.push(reported[at].len() as u32);
                    words.extend(reported[at].iter().map(|&(condition, sign)| matched[condition] * 2 + sign));
                    *count += 1;
                    // Room for as much again while the list is moved.
                    budget.grow(12 * (reported[at].len() + 2));
                    if *count > most_instances {
                        budget.exhaust();
                    }
                });
                if budget.stopped().is_some() {
                    return None;
                }
                let mut next = start;
                while next < instances.words.len() {
                    let head = instances.words[next];
                    next += 2 + instances.words[next + 1] as usize;
                    if database.insert(heads[at], head) {
                        base += 24;
                        consequence(head, &mut terms, &mut database, truth, does);
                    }
                }
            }
        }
        first_round = false;
    }
    let facts = database.relations[truth].tuples.iter().map(|&sentence| terms.arguments(sentence)[0]).collect();
    let mut moves = vec![Vec::new(); program.roles.len()];
    for &sentence in &database.relations[does].tuples {
        let [role, action] = *terms.arguments(sentence) else { continue };
        if let Some(role) = program.roles.iter().position(|&each| each == role) {
            moves[role].push(action);
        }
    }
    instances.words.shrink_to_fit();
    Some(Ground { terms, instances, facts, moves })
}

/// What may be next may be true, and what may be legal may be done.
fn consequence(head: TermId, terms: &mut Terms, database: &mut Database, truth: usize, does: usize) {
    match terms.name(head) {
        NEXT => {
            let fact = terms.arguments(head)[0];
            let sentence = terms.intern(TRUE, &[fact]);
            database.insert(truth, sentence);
        }
        LEGAL => {
            let (role, action) = (terms.arguments(head)[0], terms.arguments(head)[1]);
            if terms.find(ROLE, &[role]).is_some_and(|sentence| database.contains(sentence)) {
                let sentence = terms.intern(DOES, &[role, action]);
                database.insert(does, sentence);
            }
        }
        _ => {}
    }
}
