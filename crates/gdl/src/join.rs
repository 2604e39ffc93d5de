//! Joins over relations.
//!
//! Patterns may look into nested terms: an index is kept by the shape of what is looked up, so `(true (cell ?x ?y b))`
//! with `?x` known is one look-up. Orders of joining are chosen greedily by estimated sizes.

use crate::clauses::{Clause, Condition};
use crate::database::{Database, Relation};
use crate::limits::Budget;
use crate::pattern::{KeyShape, Pattern, Template, fits, has_key, key_templates, pattern_of, shape_of};
use crate::rules::{Predicate, Term};
use crate::terms::{TermId, Terms, mix_in};

/// Which sentences of a relation a step may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Span {
    All,
    Old,
    New,
}

#[derive(Clone, Debug)]
enum JoinStep {
    /// Look up in an index; `keys` are in the order of the shape.
    Find {
        condition: usize,
        relation: usize,
        index: usize,
        keys: Vec<Template>,
        pattern: Vec<Pattern>,
        span: Span,
    },
    /// All that is new (or all).
    Scan {
        condition: usize,
        relation: usize,
        pattern: Vec<Pattern>,
        span: Span,
    },
    Member {
        condition: usize,
        relation: usize,
        template: Template,
        span: Span,
    },
    Absent {
        template: Template,
    },
    Differ(Vec<(Template, Template)>),
    Same(Template, Template),
}

/// What hears of every solution: its head, and the sentences that its conditions matched.
pub(crate) type Emit<'a> = dyn FnMut(TermId, &[TermId], &mut Budget) + 'a;

/// A clause with an order of joining.
#[derive(Clone, Debug)]
pub(crate) struct JoinPlan {
    steps: Vec<JoinStep>,
    head: Template,
    /// Negated conditions that are not tested but reported with each solution.
    deferred: Vec<(usize, Template)>,
    variables: usize,
    conditions: usize,
}

/// How a clause is to be joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// The condition that uses only new sentences.
    pub(crate) delta: Option<usize>,
    /// Negated conditions on these relations are reported, not tested.
    pub(crate) defer: bool,
}

impl JoinPlan {
    /// Chooses the order. `changing` says which relations are still growing.
    pub(crate) fn new(
        clause: &Clause,
        manner: Manner,
        changing: &dyn Fn(Predicate) -> bool,
        terms: &mut Terms,
        database: &mut Database,
    ) -> Self {
        let mut bound = vec![false; clause.variables];
        let mut left: Vec<usize> = (0..clause.body.len()).collect();
        let mut steps = Vec::new();
        let mut deferred = Vec::new();
        left.retain(|&at| match &clause.body[at] {
            Condition::Fails(sentence) if manner.defer && changing(sentence.predicate()) => {
                deferred.push((at, Template::sentence(terms, sentence)));
                false
            }
            _ => true,
        });
        let mut first = manner.delta;
        while !left.is_empty() {
            let chosen = first.take().unwrap_or_else(|| cheapest(clause, &left, &bound, terms, database));
            left.retain(|&at| at != chosen);
            let span = |at: usize| match manner.delta {
                Some(delta) if at == delta => Span::New,
                Some(delta) if at < delta => Span::Old,
                _ => Span::All,
            };
            match &clause.body[chosen] {
                Condition::Holds(sentence) | Condition::Range(sentence) => {
                    let relation = database.relation(sentence.predicate());
                    let span = if changing(sentence.predicate()) { span(chosen) } else { Span::All };
                    let shape: Vec<KeyShape> = sentence.arguments.iter().map(|each| shape_of(each, &bound)).collect();
                    let known = shape.iter().all(|each| *each == KeyShape::Key);
                    let is_delta = manner.delta == Some(chosen);
                    if known && !is_delta {
                        let template = Template::sentence(terms, sentence);
                        steps.push(JoinStep::Member { condition: chosen, relation, template, span });
                        continue;
                    }
                    let mut keys = Vec::new();
                    let before = bound.clone();
                    let pattern =
                        sentence.arguments.iter().map(|each| pattern_of(each, &mut bound, terms)).collect::<Vec<_>>();
                    if is_delta || !has_key(&shape) {
                        steps.push(JoinStep::Scan { condition: chosen, relation, pattern, span });
                    } else {
                        sentence.arguments.iter().for_each(|each| key_templates(each, &before, terms, &mut keys));
                        let index = database.index(relation, &shape);
                        steps.push(JoinStep::Find { condition: chosen, relation, index, keys, pattern, span });
                    }
                }
                Condition::Fails(sentence) => {
                    steps.push(JoinStep::Absent { template: Template::sentence(terms, sentence) });
                }
                Condition::Differ(pairs) => {
                    let both = |(left, right): &(Term, Term)| (left.clone(), right.clone());
                    let pairs: Vec<(Term, Term)> = pairs.iter().map(both).collect();
                    steps.push(JoinStep::Differ(
                        pairs.iter().map(|(a, b)| (Template::of(terms, a), Template::of(terms, b))).collect(),
                    ));
                }
                Condition::Same(left, right) => {
                    steps.push(JoinStep::Same(Template::of(terms, left), Template::of(terms, right)));
                }
            }
        }
        let head = Template::sentence(terms, &clause.head);
        Self { steps, head, deferred, variables: clause.variables, conditions: clause.body.len() }
    }

    /// Calls `emit` with the head of every solution, the sentences that its conditions matched (by number of the
    /// condition) and the terms; stops when the budget is used up.
    pub(crate) fn run(&self, terms: &mut Terms, database: &mut Database, budget: &mut Budget, emit: &mut Emit<'_>) {
        for step in &self.steps {
            if let JoinStep::Find { relation, index, .. } = step {
                database.refresh(terms, *relation, *index);
            }
        }
        let mut bindings = vec![0; self.variables];
        let mut matched = vec![0; self.conditions];
        self.descend(0, terms, database, &mut bindings, &mut matched, budget, emit);
    }

    #[allow(clippy::too_many_arguments, reason = "the recursion's state, borrowed apart")]
    fn descend(
        &self,
        at: usize,
        terms: &mut Terms,
        database: &Database,
        bindings: &mut [TermId],
        matched: &mut [TermId],
        budget: &mut Budget,
        emit: &mut Emit<'_>,
    ) {
        let Some(step) = self.steps.get(at) else {
            for (condition, template) in &self.deferred {
                matched[*condition] = template.build(terms, bindings);
            }
            let head = self.head.build(terms, bindings);
            budget.hold(terms.bytes());
            emit(head, matched, budget);
            return;
        };
        match step {
            JoinStep::Find { condition, relation, index, keys, pattern, span } => {
                let mut key = 0;
                for each in keys {
                    key = mix_in(key, each.build(terms, bindings));
                }
                let Some(list) = database.bucket(*relation, *index, key) else { return };
                let places = database.list(*relation, *index, list);
                let relation = &database.relations[*relation];
                let (from, to) = places_of(relation, *span);
                let start = if from == 0 { 0 } else { places.partition_point(|&place| (place as usize) < from) };
                for &place in &places[start..] {
                    if place as usize >= to || !budget.spend(1) {
                        break;
                    }
                    let tuple = relation.tuples[place as usize];
                    if fits(pattern, terms, tuple, bindings) {
                        matched[*condition] = tuple;
                        self.descend(at + 1, terms, database, bindings, matched, budget, emit);
                    }
                }
            }
            JoinStep::Scan { condition, relation, pattern, span } => {
                let relation = &database.relations[*relation];
                let (from, to) = places_of(relation, *span);
                for &tuple in &relation.tuples[from..to] {
                    if !budget.spend(1) {
                        break;
                    }
                    if fits(pattern, terms, tuple, bindings) {
                        matched[*condition] = tuple;
                        self.descend(at + 1, terms, database, bindings, matched, budget, emit);
                    }
                }
            }
            JoinStep::Member { condition, relation, template, span } => {
                let tuple = template.build(terms, bindings);
                let (from, to) = places_of(&database.relations[*relation], *span);
                if database.place(tuple).is_some_and(|place| (from..to).contains(&place)) {
                    matched[*condition] = tuple;
                    self.descend(at + 1, terms, database, bindings, matched, budget, emit);
                }
            }
            JoinStep::Absent { template } => {
                let tuple = template.build(terms, bindings);
                if !database.contains(tuple) {
                    self.descend(at + 1, terms, database, bindings, matched, budget, emit);
                }
            }
            JoinStep::Differ(pairs) => {
                if pairs.iter().any(|(left, right)| left.build(terms, bindings) != right.build(terms, bindings)) {
                    self.descend(at + 1, terms, database, bindings, matched, budget, emit);
                }
            }
            JoinStep::Same(left, right) => {
                if left.build(terms, bindings) == right.build(terms, bindings) {
                    self.descend(at + 1, terms, database, bindings, matched, budget, emit);
                }
            }
        }
    }
}

/// The places that a span covers.
fn places_of(relation: &Relation, span: Span) -> (usize, usize) {
    match span {
        Span::All => (0, relation.now),
        Span::Old => (0, relation.old),
        Span::New => (relation.old, relation.now),
    }
}

/// The condition to join next: tests as soon as they can be made, then the fewest expected matches.
fn cheapest(clause: &Clause, left: &[usize], bound: &[bool], terms: &Terms, database: &mut Database) -> usize {
    let mut best = (f64::INFINITY, left[0]);
    for &at in left {
        let cost = match &clause.body[at] {
            Condition::Holds(sentence) | Condition::Range(sentence) => {
                let shape: Vec<KeyShape> = sentence.arguments.iter().map(|each| shape_of(each, bound)).collect();
                if shape.iter().all(|each| *each == KeyShape::Key) {
                    0.0
                } else {
                    let relation = database.relation(sentence.predicate());
                    0.001 + database.estimate(terms, relation, &shape)
                }
            }
            other => {
                let ready = other.variables().iter().all(|&variable| bound[variable as usize]);
                if ready { -1.0 } else { f64::INFINITY }
            }
        };
        if cost < best.0 {
            best = (cost, at);
        }
    }
    best.1
}

#[cfg(test)]
mod tests;
