//! Clauses that derive only what is asked for: magic sets (Bancilhon, Maier, Sagiv and Ullman, 1986).
//!
//! Rules that count, such as "so many stones from this field on, given so many before", hold for every number before
//! and every number after. Asked from the first field with zero, only few of these questions ever arise. Each recursive
//! relation gets a relation of questions, which its rules need as a condition. Questions depend on the state as
//! everything else does: what counts one field after the other from below then changes along one path only.

use std::collections::{HashMap, HashSet};

use crate::clauses::{Clause, Condition};
use crate::graph::Graph;
use crate::limits::Budget;
use crate::program::Program;
use crate::rules::{KEYWORDS, Name, Predicate, Sentence, Term};

/// The program with questions, or `None` if no relation can be restricted by them or a limit is reached.
pub(crate) fn with_questions(program: &Program, budget: &mut Budget) -> Option<Program> {
    let mut bound = restricted(program, budget);
    // A position counts as known only if every caller knows it.
    loop {
        let mut changed = false;
        for clause in &program.clauses {
            // The order in which conditions are asked compares all that are left.
            if !budget.spend((clause.body.len() * clause.body.len() * 16) as u64 + 1) {
                return None;
            }
            for (_, sentence, known, _) in calls(clause, &bound) {
                let positions = bound.get_mut(&sentence.predicate())?;
                let before = positions.len();
                positions.retain(|&at| is_known(&sentence.arguments[at], &known));
                changed |= positions.len() < before;
            }
        }
        let before = bound.len();
        bound.retain(|_, positions| !positions.is_empty());
        if !changed && bound.len() == before {
            break;
        }
    }
    if bound.is_empty() {
        return None;
    }
    if !budget.hold(program.bytes() * 3) {
        return None;
    }
    let mut program = program.clone();
    let mut questions: HashMap<Predicate, Name> = HashMap::new();
    let mut predicates: Vec<Predicate> = bound.keys().copied().collect();
    predicates.sort_unstable();
    for predicate in predicates {
        let name = program.names.invent();
        questions.insert(predicate, name);
        program.dynamic.insert((name, bound[&predicate].len()));
    }
    let question = |sentence: &Sentence| {
        let predicate = sentence.predicate();
        let arguments = bound[&predicate].iter().map(|&at| sentence.arguments[at].clone()).collect();
        Sentence { name: questions[&predicate], arguments }
    };
    let mut clauses = Vec::new();
    for clause in &program.clauses {
        let asked = bound.contains_key(&clause.head.predicate()).then(|| Condition::Holds(question(&clause.head)));
        for (_, sentence, _, before) in calls(clause, &bound) {
            let body: Vec<Condition> = asked.iter().cloned().chain(before).collect();
            let head = question(sentence);
            if !body.iter().any(|each| each.sentence() == Some(&head)) {
                clauses.push(Clause { head, body, variables: clause.variables });
            }
        }
        let body = asked.into_iter().chain(clause.body.iter().cloned()).collect();
        clauses.push(Clause { head: clause.head.clone(), body, variables: clause.variables });
    }
    program.clauses = clauses;
    Some(program)
}

/// Recursive relations that depend on the state, and those that only they read; all positions of each.
fn restricted(program: &Program, budget: &mut Budget) -> HashMap<Predicate, Vec<usize>> {
    let mut predicates: Vec<Predicate> = program.dynamic.iter().copied().collect();
    predicates.sort_unstable();
    let number: HashMap<Predicate, u32> = predicates.iter().copied().zip(0..).collect();
    let mut successors: Vec<Vec<u32>> = vec![Vec::new(); predicates.len()];
    let mut readers: HashMap<Predicate, HashSet<Predicate>> = HashMap::new();
    for clause in &program.clauses {
        let head = clause.head.predicate();
        for read in clause.body.iter().filter_map(Condition::sentence).map(Sentence::predicate) {
            if let Some(&read_number) = number.get(&read) {
                successors[number[&head] as usize].push(read_number);
                readers.entry(read).or_default().insert(head);
            }
        }
    }
    let mut chosen: HashSet<Predicate> = HashSet::new();
    let mut graph = Graph::default();
    successors.into_iter().for_each(|each| graph.push(each));
    for component in graph.components(budget).iter() {
        if component.len() > 1 || graph.successors(component[0]).contains(&component[0]) {
            chosen.extend(component.iter().map(|&member| predicates[member as usize]));
        }
    }
    loop {
        let only_read_by_chosen = |predicate: &&Predicate| {
            !chosen.contains(predicate) && readers.get(predicate).is_some_and(|heads| heads.is_subset(&chosen))
        };
        let more: Vec<Predicate> = predicates.iter().filter(only_read_by_chosen).copied().collect();
        if more.is_empty() || !budget.spend(predicates.len() as u64) {
            break;
        }
        chosen.extend(more);
    }
    chosen.retain(|predicate| predicate.0 as usize >= KEYWORDS.len());
    chosen.into_iter().map(|predicate| (predicate, (0..predicate.1).collect())).collect()
}

/// The conditions of a clause that ask for restricted relations: each with the variables known when it is its turn, and
/// the conditions that made them known.
fn calls<'a>(
    clause: &'a Clause,
    bound: &HashMap<Predicate, Vec<usize>>,
) -> Vec<(usize, &'a Sentence, HashSet<u32>, Vec<Condition>)> {
    let mut known: HashSet<u32> = HashSet::new();
    if let Some(positions) = bound.get(&clause.head.predicate()) {
        positions.iter().for_each(|&at| {
            clause.head.arguments[at].variables(&mut |variable| {
                known.insert(variable);
            });
        });
    }
    let mut found = Vec::new();
    let mut before = Vec::new();
    let mut left: Vec<usize> = (0..clause.body.len()).filter(|&at| clause.body[at].sentence().is_some()).collect();
    while !left.is_empty() {
        // Tables first, if something of them is known; then what asks with the most known.
        let rank = |at: &usize| {
            let condition = &clause.body[*at];
            let Some(sentence) = condition.sentence() else { return (0, 0) };
            let touches = condition.variables().iter().any(|variable| known.contains(variable));
            let count = sentence.arguments.iter().filter(|argument| is_known(argument, &known)).count();
            match condition {
                Condition::Fails(_) => (0, 0),
                _ if bound.contains_key(&sentence.predicate()) => (2, count),
                _ if touches || count > 0 => (3, count),
                _ => (1, count),
            }
        };
        let Some(chosen) = left.iter().copied().max_by_key(|at| (rank(at), std::cmp::Reverse(*at))) else { break };
        left.retain(|&at| at != chosen);
        let condition = &clause.body[chosen];
        let Some(sentence) = condition.sentence() else { continue };
        if bound.contains_key(&sentence.predicate()) {
            found.push((chosen, sentence, known.clone(), before.clone()));
        }
        if !matches!(condition, Condition::Fails(_)) {
            known.extend(condition.variables());
            before.push(condition.clone());
        }
    }
    found
}

fn is_known(term: &Term, known: &HashSet<u32>) -> bool {
    let mut all = true;
    term.variables(&mut |variable| all &= known.contains(&variable));
    all
}
