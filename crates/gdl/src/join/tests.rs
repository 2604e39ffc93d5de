//! Joins by hand.

use super::*;
use crate::limits::{Limits, Stop};
use crate::program::settle;
use crate::rules::{Literal, Rules};

fn budget(work: u64) -> Budget {
    Budget::new(&Limits { work, ..Limits::default() })
}

/// The facts of a text as relations, and its only rule as a clause.
struct Bench {
    rules: Rules,
    terms: Terms,
    database: Database,
    clause: Clause,
}

impl Bench {
    fn new(text: &str) -> Self {
        let rules = Rules::parse(text).expect("rules");
        let (mut terms, mut database) = (Terms::new(), Database::default());
        let mut clause = None;
        for rule in &rules.rules {
            if rule.arrow {
                let body = rule.body.iter().map(condition).collect();
                clause = Some(Clause { head: rule.head.clone(), body, variables: rule.variables.len() });
            } else {
                let relation = database.relation(rule.head.predicate());
                let sentence = Term::Compound(rule.head.name, rule.head.arguments.clone());
                let sentence = terms.ground(&sentence).expect("a sentence without variables");
                assert!(database.insert(relation, sentence));
                settle(&mut database, relation);
            }
        }
        Self { clause: clause.expect("a rule"), rules, terms, database }
    }

    fn relation(&mut self, name: &str, arity: usize) -> usize {
        self.database.relation((self.rules.names.find(name).expect("a name"), arity))
    }

    /// Heads with what the conditions matched, in the order of the texts.
    fn run(&mut self, manner: Manner, changing: &str, budget: &mut Budget) -> Vec<String> {
        let names = &self.rules.names;
        let changing = |predicate: Predicate| names.spelling(predicate.0) == changing;
        let plan = JoinPlan::new(&self.clause, manner, &changing, &mut self.terms, &mut self.database);
        let mut found = Vec::new();
        plan.run(&mut self.terms, &mut self.database, budget, &mut |head, matched, _| {
            found.push((head, matched.to_vec()));
        });
        let spell = |term: TermId| {
            let mut text = String::new();
            self.terms.write(names, term, &mut text);
            text
        };
        let mut texts: Vec<String> = Vec::new();
        for (head, matched) in found {
            let deferred = if manner.defer { spell(matched[matched.len() - 1]) } else { String::new() };
            texts.push(format!("{} {deferred}", spell(head)).trim_end().to_string());
        }
        texts.sort_unstable();
        texts
    }

    fn all(&mut self) -> Vec<String> {
        self.run(Manner { delta: None, defer: false }, "", &mut budget(1000))
    }
}

fn condition(literal: &Literal) -> Condition {
    match literal {
        Literal::Sentence(sentence) => Condition::Holds(sentence.clone()),
        Literal::Distinct(left, right) => Condition::Differ(vec![(left.clone(), right.clone())]),
        Literal::Not(inner) => match condition(inner) {
            Condition::Holds(sentence) => Condition::Fails(sentence),
            other => panic!("no test negates {other:?}"),
        },
        Literal::Or(_) => panic!("clauses have no `or`"),
    }
}

#[test]
fn relations_are_joined_over_what_they_share() {
    let mut bench = Bench::new(
        "(edge a b) (edge b c) (edge c d) (edge b e)
         (<= (two ?x ?z) (edge ?x ?y) (edge ?y ?z))",
    );
    assert_eq!(bench.all(), ["(two a c)", "(two a e)", "(two b d)"]);
}

#[test]
fn patterns_look_into_nested_terms() {
    let mut bench = Bench::new(
        "(cell (at 1 2) b) (cell (at 1 3) w) (cell (at 2 2) b) (cell here b) (cell (at 1) b) (row 1)
         (<= (mine ?x ?y) (row ?x) (cell (at ?x ?y) b))",
    );
    assert_eq!(bench.all(), ["(mine 1 2)"]);
}

#[test]
fn a_variable_met_twice_is_one_thing() {
    let mut bench = Bench::new("(pair 1 1) (pair 1 2) (pair (f 2) (f 2)) (<= (twin ?x) (pair ?x ?x))");
    assert_eq!(bench.all(), ["(twin (f 2))", "(twin 1)"]);
}

#[test]
fn tests_leave_out_what_they_must() {
    let mut bench = Bench::new(
        "(field 1) (field 2) (field 3) (taken 2)
         (<= (move ?x ?y) (distinct ?x ?y) (not (taken ?y)) (field ?x) (field ?y))",
    );
    assert_eq!(bench.all(), ["(move 1 3)", "(move 2 1)", "(move 2 3)", "(move 3 1)"]);
}

#[test]
fn new_sentences_meet_all_others_once() {
    let text = "(edge a b) (edge b a) (<= (two ?x ?y ?z) (edge ?x ?y) (edge ?y ?z))";
    let mut bench = Bench::new(text);
    let edge = bench.relation("edge", 2);
    // The first edge is old, the second new.
    bench.database.relations[edge].old = 1;
    let mut by_delta = |delta| bench.run(Manner { delta: Some(delta), defer: false }, "edge", &mut budget(1000));
    assert_eq!(by_delta(0), ["(two b a b)"]);
    assert_eq!(by_delta(1), ["(two a b a)"]);
}

#[test]
fn deferred_negations_are_reported() {
    let mut bench = Bench::new("(field 1) (field 2) (taken 2) (<= (free ?x) (field ?x) (not (taken ?x)))");
    let manner = Manner { delta: None, defer: true };
    assert_eq!(bench.run(manner, "taken", &mut budget(1000)), ["(free 1) (taken 1)", "(free 2) (taken 2)"]);
}

#[test]
fn work_is_counted_and_ends() {
    let mut bench = Bench::new("(n 1) (n 2) (n 3) (<= (pair ?x ?y) (n ?x) (n ?y))");
    let manner = Manner { delta: None, defer: false };
    let mut work = budget(1000);
    assert_eq!(bench.run(manner, "", &mut work).len(), 9);
    // Three for the first condition, and three times three for the second.
    assert_eq!(work.work_left(), 1000 - 12);
    let mut work = budget(4);
    assert_eq!(bench.run(manner, "", &mut work), ["(pair 1 1)", "(pair 1 2)"]);
    assert_eq!(work.stopped(), Some(Stop::Work));
}

#[test]
fn indexes_follow_their_relation() {
    let mut bench = Bench::new("(from a) (edge a b) (edge a c) (<= (to ?y) (from ?x) (edge ?x ?y))");
    assert_eq!(bench.all(), ["(to b)", "(to c)"]);
    let edge = bench.relation("edge", 2);
    let tuples = bench.database.relations[edge].tuples.clone();
    bench.database.clear(edge);
    assert!(!bench.database.contains(tuples[0]) && bench.all().is_empty());
    assert!(bench.database.insert(edge, tuples[1]));
    assert!(!bench.database.insert(edge, tuples[1]), "it was there");
    assert_eq!(bench.database.place(tuples[1]), Some(0));
    // What is inserted is read once the relation is settled.
    assert!(bench.all().is_empty());
    settle(&mut bench.database, edge);
    assert_eq!(bench.all(), ["(to c)"]);
}

#[test]
fn estimates_divide_by_the_different_keys() {
    let mut bench = Bench::new("(p 1 a) (p 1 b) (p 2 a) (p 2 b) (p 3 a) (p 3 b) (<= (q ?x) (p ?x a))");
    let relation = bench.relation("p", 2);
    let Bench { terms, database, .. } = &mut bench;
    let mut about = |shape: &[KeyShape]| database.estimate(terms, relation, shape);
    assert_eq!(about(&[KeyShape::Any, KeyShape::Any]), 6.0);
    assert_eq!(about(&[KeyShape::Key, KeyShape::Any]), 2.0);
    assert_eq!(about(&[KeyShape::Any, KeyShape::Key]), 3.0);
    assert_eq!(about(&[KeyShape::Key, KeyShape::Key]), 1.0);
}
