//! Rules made ready for joining: without `or`, and split so that no clause joins more than it must.
//!
//! A clause such as "a cell keeps its content if the move is elsewhere" would be joined over contents *and* moves.
//! Variables that the head does not need are projected away early: the conditions that mention such a variable become
//! a relation of their own over the variables that the rest of the clause shares with them.

use std::collections::{HashMap, HashSet};

use spinney_core::InputError;

use crate::check::sentences;
use crate::limits::{Budget, BuildError};
use crate::rules::{
    BASE, GOAL, INIT, INPUT, LEGAL, Literal, NEXT, Names, Predicate, ROLE, Rule, Rules, Sentence, TERMINAL, Term,
};

/// A condition of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    Holds(Sentence),
    /// Limits the objects that variables range over; that it holds follows from elsewhere.
    Range(Sentence),
    Fails(Sentence),
    /// At least one of the pairs is of different terms.
    Differ(Vec<(Term, Term)>),
    Same(Term, Term),
}

impl Condition {
    pub(crate) fn variables(&self) -> HashSet<u32> {
        let mut found = HashSet::new();
        let mut add = |variable| {
            found.insert(variable);
        };
        match self {
            Self::Holds(sentence) | Self::Range(sentence) | Self::Fails(sentence) => sentence.variables(&mut add),
            Self::Differ(pairs) => pairs.iter().for_each(|(left, right)| {
                left.variables(&mut add);
                right.variables(&mut add);
            }),
            Self::Same(left, right) => {
                left.variables(&mut add);
                right.variables(&mut add);
            }
        }
        found
    }

    pub(crate) fn sentence(&self) -> Option<&Sentence> {
        match self {
            Self::Holds(sentence) | Self::Range(sentence) | Self::Fails(sentence) => Some(sentence),
            Self::Differ(_) | Self::Same(..) => None,
        }
    }

    fn binds(&self) -> bool {
        matches!(self, Self::Holds(_) | Self::Range(_))
    }
}

/// A rule whose body is a plain conjunction.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) head: Sentence,
    pub(crate) body: Vec<Condition>,
    pub(crate) variables: usize,
}

impl Clause {
    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        fn term(term: &Term) -> usize {
            match term {
                Term::Variable(_) => size_of::<Term>(),
                Term::Compound(_, arguments) => size_of::<Term>() + list(arguments),
            }
        }
        fn list(terms: &[Term]) -> usize {
            // Every list that is not empty is a block of its own.
            terms.iter().map(term).sum::<usize>() + if terms.is_empty() { 0 } else { 16 }
        }
        let condition = |condition: &Condition| {
            size_of::<Condition>()
                + match condition {
                    Condition::Holds(sentence) | Condition::Range(sentence) | Condition::Fails(sentence) => {
                        list(&sentence.arguments)
                    }
                    Condition::Differ(pairs) => 16 + pairs.iter().map(|(a, b)| term(a) + term(b)).sum::<usize>(),
                    Condition::Same(left, right) => term(left) + term(right),
                }
        };
        size_of::<Self>() + 16 + list(&self.head.arguments) + self.body.iter().map(condition).sum::<usize>()
    }
}

/// A rule may not unfold into more clauses than this.
const MOST_ALTERNATIVES: usize = 4096;

/// The clauses of everything that the game depends on.
pub(crate) fn clauses(rules: &Rules, names: &mut Names, budget: &mut Budget) -> Result<Vec<Clause>, BuildError> {
    let mut all = Vec::new();
    for clause in plain_clauses(rules, budget)? {
        let before = all.len();
        split(clause, names, &mut all, budget)?;
        budget.grow(all[before..].iter().map(Clause::bytes).sum());
    }
    budget.check()?;
    Ok(all)
}

/// The same clauses, none of them split.
pub(crate) fn plain_clauses(rules: &Rules, budget: &mut Budget) -> Result<Vec<Clause>, BuildError> {
    let mut all = Vec::new();
    for rule in needed(rules) {
        for body in alternatives(rule, budget)? {
            all.push(Clause { head: rule.head.clone(), body, variables: rule.variables.len() });
            budget.grow(all.last().map_or(0, Clause::bytes));
        }
        budget.check()?;
    }
    Ok(all)
}

/// The rules that roles, moves, states, goals and the end depend on; `base` and `input` are for people.
fn needed(rules: &Rules) -> Vec<&Rule> {
    let mut wanted: HashSet<Predicate> =
        [(ROLE, 1), (INIT, 1), (NEXT, 1), (LEGAL, 2), (GOAL, 2), (TERMINAL, 0)].into_iter().collect();
    let mut by_head: HashMap<Predicate, Vec<&Rule>> = HashMap::new();
    rules.rules.iter().for_each(|rule| by_head.entry(rule.head.predicate()).or_default().push(rule));
    let mut todo: Vec<Predicate> = wanted.iter().copied().collect();
    while let Some(predicate) = todo.pop() {
        for rule in by_head.get(&predicate).into_iter().flatten() {
            for literal in &rule.body {
                sentences(literal, false, &mut |sentence, _| {
                    if wanted.insert(sentence.predicate()) {
                        todo.push(sentence.predicate());
                    }
                });
            }
        }
    }
    let useful = |rule: &&Rule| wanted.contains(&rule.head.predicate()) && !matches!(rule.head.name, BASE | INPUT);
    rules.rules.iter().filter(useful).collect()
}

/// The disjunctive normal form of a body.
fn alternatives(rule: &Rule, budget: &mut Budget) -> Result<Vec<Vec<Condition>>, BuildError> {
    let mut bodies: Vec<Vec<Condition>> = vec![Vec::new()];
    let too_many = || {
        let problem = format!("the `or`s of this rule unfold into more than {MOST_ALTERNATIVES} rules");
        InputError::new(rule.place, problem, "define relations for some of them")
    };
    for literal in &rule.body {
        let choices = choices(literal, false).ok_or_else(too_many)?;
        if bodies.len() * choices.len() > MOST_ALTERNATIVES {
            return Err(too_many().into());
        }
        // Every condition is compared with those before it.
        let longest = bodies.iter().map(Vec::len).max().unwrap_or(0);
        budget.spend((bodies.len() * choices.len() * (longest + 1)) as u64);
        budget.hold(bodies.len() * choices.len() * (longest + 1) * 128);
        budget.check()?;
        if let [only] = choices.as_slice() {
            for body in &mut bodies {
                let more = only.iter().filter(|each| !body.contains(each)).cloned().collect::<Vec<_>>();
                body.extend(more);
            }
            continue;
        }
        bodies = bodies
            .iter()
            .flat_map(|body| {
                choices.iter().map(move |choice| {
                    let mut longer: Vec<Condition> = body.clone();
                    longer.extend(choice.iter().filter(|each| !body.contains(each)).cloned());
                    longer
                })
            })
            .collect();
    }
    Ok(bodies)
}

/// The ways to make a literal hold, each a conjunction; `None` if there are too many.
fn choices(literal: &Literal, negated: bool) -> Option<Vec<Vec<Condition>>> {
    let one = |condition| Some(vec![vec![condition]]);
    match (literal, negated) {
        (Literal::Sentence(sentence), false) => one(Condition::Holds(sentence.clone())),
        (Literal::Sentence(sentence), true) => one(Condition::Fails(sentence.clone())),
        (Literal::Distinct(left, right), false) => one(Condition::Differ(vec![(left.clone(), right.clone())])),
        (Literal::Distinct(left, right), true) => one(Condition::Same(left.clone(), right.clone())),
        (Literal::Not(inner), _) => choices(inner, !negated),
        (Literal::Or(members), false) => {
            let mut all = Vec::new();
            for member in members {
                all.extend(choices(member, false)?);
                if all.len() > MOST_ALTERNATIVES {
                    return None;
                }
            }
            // Members that only compare need no clause of their own.
            let compares = |choice: &Vec<Condition>| matches!(choice.as_slice(), [Condition::Differ(_)]);
            if all.len() > 1 && all.iter().all(compares) {
                let pairs = all.into_iter().flatten().filter_map(|each| match each {
                    Condition::Differ(pairs) => Some(pairs),
                    _ => None,
                });
                return one(Condition::Differ(pairs.flatten().collect()));
            }
            Some(all)
        }
        (Literal::Or(members), true) => {
            let mut bodies: Vec<Vec<Condition>> = vec![Vec::new()];
            for member in members {
                let more = choices(member, true)?;
                if bodies.len() * more.len() > MOST_ALTERNATIVES {
                    return None;
                }
                let join =
                    |body: &Vec<Condition>, choice: &Vec<Condition>| [body.as_slice(), choice.as_slice()].concat();
                bodies = bodies.iter().flat_map(|body| more.iter().map(move |choice| join(body, choice))).collect();
            }
            Some(bodies)
        }
    }
}

fn head_variables(clause: &Clause) -> HashSet<u32> {
    let mut found = HashSet::new();
    clause.head.variables(&mut |variable| {
        found.insert(variable);
    });
    found
}

/// Adds the clause to `all`, or the clauses that it is split into.
fn split(mut clause: Clause, names: &mut Names, all: &mut Vec<Clause>, budget: &mut Budget) -> Result<(), BuildError> {
    while let Some(bucket) = best_bucket(&clause, budget)? {
        let outside: HashSet<u32> = clause
            .body
            .iter()
            .enumerate()
            .filter(|(at, _)| !bucket.contains(at))
            .flat_map(|(_, condition)| condition.variables())
            .chain(head_variables(&clause))
            .collect();
        let (mut inner, mut rest) = (Vec::new(), Vec::new());
        for (at, condition) in clause.body.into_iter().enumerate() {
            if bucket.contains(&at) { inner.push(condition) } else { rest.push(condition) }
        }
        let bound: HashSet<u32> = inner.iter().filter(|each| each.binds()).flat_map(Condition::variables).collect();
        let mut open: HashSet<u32> =
            inner.iter().flat_map(Condition::variables).filter(|v| !bound.contains(v)).collect();
        for condition in &rest {
            let (Condition::Holds(sentence) | Condition::Range(sentence)) = condition else { continue };
            let here = condition.variables();
            let mut wanted: Vec<u32> = here.iter().copied().filter(|variable| open.contains(variable)).collect();
            if wanted.is_empty() {
                continue;
            }
            wanted.sort_unstable();
            wanted.iter().for_each(|variable| {
                open.remove(variable);
            });
            if wanted.len() == here.len() {
                inner.push(Condition::Range(sentence.clone()));
                continue;
            }
            let arguments = wanted.into_iter().map(Term::Variable).collect();
            let projection = Sentence { name: names.invent(), arguments };
            all.push(Clause {
                head: projection.clone(),
                body: vec![Condition::Holds(sentence.clone())],
                variables: clause.variables,
            });
            inner.push(Condition::Range(projection));
        }
        let mut shared: Vec<u32> = inner
            .iter()
            .flat_map(Condition::variables)
            .collect::<HashSet<_>>()
            .intersection(&outside)
            .copied()
            .collect();
        shared.sort_unstable();
        let part = Sentence { name: names.invent(), arguments: shared.into_iter().map(Term::Variable).collect() };
        split(Clause { head: part.clone(), body: inner, variables: clause.variables }, names, all, budget)?;
        rest.push(Condition::Holds(part));
        clause = Clause { head: clause.head, body: rest, variables: clause.variables };
    }
    all.push(clause);
    Ok(())
}

/// The conditions best joined on their own first: all that mention some variable which the head does not, provided that
/// the rest of the clause has variables that they have not.
fn best_bucket(clause: &Clause, budget: &mut Budget) -> Result<Option<HashSet<usize>>, BuildError> {
    let head = head_variables(clause);
    let variables: Vec<HashSet<u32>> = clause.body.iter().map(Condition::variables).collect();
    let everything: HashSet<u32> = variables.iter().flatten().chain(&head).copied().collect();
    let mut candidates: Vec<u32> = everything.difference(&head).copied().collect();
    candidates.sort_unstable();
    let mut best: Option<(usize, HashSet<usize>)> = None;
    for candidate in candidates {
        // Every condition is compared with what the candidate brings along.
        budget.spend(clause.body.len() as u64 * 8 + everything.len() as u64);
        budget.check()?;
        let inside: HashSet<u32> =
            variables.iter().filter(|each| each.contains(&candidate)).flatten().copied().collect();
        if inside.len() == everything.len() {
            continue;
        }
        let belongs = |at: &usize| !variables[*at].is_empty() && variables[*at].is_subset(&inside);
        let bucket: HashSet<usize> = (0..clause.body.len()).filter(belongs).collect();
        // What binds nothing cannot stand alone.
        if !bucket.iter().any(|&at| clause.body[at].binds()) {
            continue;
        }
        if best.as_ref().is_none_or(|(size, _)| inside.len() < *size) {
            best = Some((inside.len(), bucket));
        }
    }
    Ok(best.map(|(_, bucket)| bucket))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn of_sheet(text: &str) -> Result<Vec<Clause>, BuildError> {
        let rules = Rules::parse(text).expect("rules");
        let mut names = rules.names.clone();
        clauses(&rules, &mut names, &mut Budget::new(&Limits::default()))
    }

    /// How many clauses, and how many conditions each has.
    fn lengths(text: &str) -> Vec<usize> {
        of_sheet(text).expect("clauses").iter().map(|clause| clause.body.len()).collect()
    }

    #[test]
    fn alternatives_become_clauses() {
        assert_eq!(lengths("(<= terminal (true a) (or (true b) (true c)))"), [2, 2]);
        assert_eq!(lengths("(<= terminal (not (or (true a) (true b))))"), [2], "neither of them");
        assert_eq!(lengths("(<= terminal (or (true a) (true b)) (or (true a) (true c)))"), [1, 2, 2, 2]);
    }

    #[test]
    fn comparisons_need_no_clauses_of_their_own() {
        let found = of_sheet("(<= (legal ?x ?y) (role ?x) (role ?y) (or (distinct ?x a) (distinct ?y b)))");
        let found = found.expect("clauses");
        assert_eq!(found.len(), 1);
        assert!(matches!(&found[0].body[2], Condition::Differ(pairs) if pairs.len() == 2));
    }

    #[test]
    fn only_what_the_game_needs_is_kept() {
        assert_eq!(lengths("(base a) (input me a) (useless a) (<= terminal used) (used)"), [1, 0]);
    }

    #[test]
    fn variables_that_the_head_lacks_are_projected_away() {
        // That some move is made elsewhere is joined once, not for every content.
        let found = of_sheet("(<= (next (cell ?x ?c)) (true (cell ?x ?c)) (does ?r (mark ?y)) (distinct ?x ?y))");
        let found = found.expect("clauses");
        let last = found.last().expect("a clause");
        assert_eq!((last.head.name, last.body.len()), (NEXT, 2));
        let part = last.body[1].sentence().expect("a sentence");
        assert_eq!(part.arguments, [Term::Variable(0)], "the part says where a cell keeps its content");
        assert!(found.iter().any(|clause| clause.head == *part));
    }

    #[test]
    fn alternatives_without_end_are_refused() {
        let pairs = "(or (true a) (true b)) ".repeat(3);
        assert!(of_sheet(&format!("(<= terminal {pairs})")).is_ok());
        let many: String = (0..13).map(|at| format!("(or (true a{at}) (true b{at})) ")).collect();
        let error = of_sheet(&format!("(<= terminal {many})")).expect_err("too many").to_string();
        assert!(error.contains("more than 4096 rules"), "{error}");
    }
}
