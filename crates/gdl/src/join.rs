//! Relations of ground sentences with indexes, and joins over them.
//!
//! Patterns may look into nested terms: an index is kept by the shape of what is looked up, so `(true (cell ?x ?y b))`
//! with `?x` known is one look-up. Orders of joining are chosen greedily by estimated sizes.

use std::collections::HashMap;

use spinney_core::hashed::HashedMap;

use crate::clauses::{Clause, Condition};
use crate::rules::{Name, Predicate, Sentence, Term};
use crate::terms::{TermId, Terms, mix_in};

/// The places of the sentences with a key.
type Buckets = HashedMap<Vec<u32>>;

/// A key of an index. Multiplications leave the low bits poor, so the high ones are folded into them.
fn spread(key: u64) -> u64 {
    key ^ (key >> 32)
}

/// What part of a sentence a look-up knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum KeyShape {
    Key,
    Any,
    Compound(Name, Vec<KeyShape>),
}

#[derive(Clone, Debug)]
struct Index {
    shape: Vec<KeyShape>,
    buckets: Buckets,
    indexed: usize,
}

/// The sentences of one relation, in the order in which they were derived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relation {
    pub(crate) tuples: Vec<TermId>,
    /// What was there before the last round, and before this one.
    pub(crate) old: usize,
    pub(crate) now: usize,
    indexes: Vec<Index>,
}

/// All relations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Database {
    numbers: HashMap<Predicate, usize>,
    pub(crate) relations: Vec<Relation>,
    /// One more than the place of a sentence in its relation; 0 if it is not there.
    places: Vec<u32>,
    estimates: HashMap<(usize, Vec<KeyShape>), (usize, f64)>,
}

impl Database {
    pub(crate) fn relation(&mut self, predicate: Predicate) -> usize {
        let next = self.relations.len();
        let number = *self.numbers.entry(predicate).or_insert(next);
        if number == next {
            self.relations.push(Relation::default());
        }
        number
    }

    pub(crate) fn place(&self, sentence: TermId) -> Option<usize> {
        match self.places.get(sentence as usize) {
            Some(&place) if place > 0 => Some(place as usize - 1),
            _ => None,
        }
    }

    pub(crate) fn contains(&self, sentence: TermId) -> bool {
        self.place(sentence).is_some()
    }

    /// Adds a sentence; false if it was there.
    pub(crate) fn insert(&mut self, relation: usize, sentence: TermId) -> bool {
        let at = sentence as usize;
        if at >= self.places.len() {
            self.places.resize((at + 1).max(self.places.len() * 2), 0);
        }
        if self.places[at] > 0 {
            return false;
        }
        let tuples = &mut self.relations[relation].tuples;
        tuples.push(sentence);
        self.places[at] = tuples.len() as u32;
        true
    }

    /// Forgets all sentences of a relation.
    pub(crate) fn clear(&mut self, relation: usize) {
        let relation = &mut self.relations[relation];
        for sentence in relation.tuples.drain(..) {
            self.places[sentence as usize] = 0;
        }
        relation.old = 0;
        relation.now = 0;
        for index in &mut relation.indexes {
            index.buckets.clear();
            index.indexed = 0;
        }
    }

    fn index(&mut self, relation: usize, shape: &[KeyShape]) -> usize {
        let indexes = &mut self.relations[relation].indexes;
        indexes.iter().position(|index| index.shape == shape).unwrap_or_else(|| {
            indexes.push(Index { shape: shape.to_vec(), buckets: Buckets::default(), indexed: 0 });
            indexes.len() - 1
        })
    }

    fn refresh(&mut self, terms: &Terms, relation: usize, index: usize) {
        let Relation { tuples, indexes, .. } = &mut self.relations[relation];
        let Index { shape, buckets, indexed } = &mut indexes[index];
        for (place, &tuple) in tuples.iter().enumerate().skip(*indexed) {
            if let Some(key) = key_of(terms, shape, tuple) {
                buckets.entry(key).or_default().push(place as u32);
            }
        }
        *indexed = tuples.len();
    }

    /// About how many sentences a look-up of this shape finds.
    fn estimate(&mut self, terms: &Terms, relation: usize, shape: &[KeyShape]) -> f64 {
        let size = self.relations[relation].tuples.len();
        if let Some(&(then, found)) = self.estimates.get(&(relation, shape.to_vec()))
            && size <= then * 2
            && size * 2 >= then
        {
            return found * (size as f64 / then.max(1) as f64).max(0.01);
        }
        const SAMPLE: usize = 2048;
        let step = (size / SAMPLE).max(1);
        let mut columns: Vec<std::collections::HashSet<TermId>> = Vec::new();
        let (mut seen, mut fits) = (0usize, 0usize);
        let mut keys = Vec::new();
        for &tuple in self.relations[relation].tuples.iter().step_by(step) {
            seen += 1;
            keys.clear();
            if collect_keys(terms, shape, terms.arguments(tuple), &mut keys) {
                fits += 1;
                columns.resize_with(keys.len(), Default::default);
                for (column, key) in columns.iter_mut().zip(&keys) {
                    column.insert(*key);
                }
            }
        }
        let fitting = size as f64 * fits as f64 / seen.max(1) as f64;
        let different: f64 = columns.iter().map(|column| column.len().max(1) as f64).product();
        let found = fitting / different.min(fitting.max(1.0));
        self.estimates.insert((relation, shape.to_vec()), (size, found));
        found
    }
}

fn collect_keys(terms: &Terms, shapes: &[KeyShape], arguments: &[TermId], keys: &mut Vec<TermId>) -> bool {
    shapes.iter().zip(arguments).all(|(shape, &argument)| match shape {
        KeyShape::Key => {
            keys.push(argument);
            true
        }
        KeyShape::Any => true,
        KeyShape::Compound(name, inner) => {
            let below = terms.arguments(argument);
            terms.name(argument) == *name && below.len() == inner.len() && collect_keys(terms, inner, below, keys)
        }
    })
}

fn key_of(terms: &Terms, shapes: &[KeyShape], tuple: TermId) -> Option<u64> {
    fn fold(terms: &Terms, shapes: &[KeyShape], arguments: &[TermId], key: &mut u64) -> bool {
        shapes.iter().zip(arguments).all(|(shape, &argument)| match shape {
            KeyShape::Key => {
                *key = mix_in(*key, argument);
                true
            }
            KeyShape::Any => true,
            KeyShape::Compound(name, inner) => {
                let below = terms.arguments(argument);
                terms.name(argument) == *name && below.len() == inner.len() && fold(terms, inner, below, key)
            }
        })
    }
    let mut key = 0;
    fold(terms, shapes, terms.arguments(tuple), &mut key).then(|| spread(key))
}

/// A term of a clause as the join sees it: which variables are met here for the first time.
#[derive(Clone, Debug)]
enum Pattern {
    Bind(usize),
    Check(usize),
    Ground(TermId),
    Compound(Name, Vec<Pattern>),
}

impl Pattern {
    fn matches(&self, terms: &Terms, term: TermId, bindings: &mut [TermId]) -> bool {
        match self {
            Self::Bind(variable) => {
                bindings[*variable] = term;
                true
            }
            Self::Check(variable) => bindings[*variable] == term,
            Self::Ground(ground) => *ground == term,
            Self::Compound(name, inner) => {
                let arguments = terms.arguments(term);
                terms.name(term) == *name
                    && arguments.len() == inner.len()
                    && inner.iter().zip(arguments).all(|(each, &argument)| each.matches(terms, argument, bindings))
            }
        }
    }
}

/// A term or sentence all of whose variables are known.
#[derive(Clone, Debug)]
enum Template {
    Variable(usize),
    Ground(TermId),
    Compound(Name, Vec<Template>),
}

impl Template {
    fn of(terms: &mut Terms, term: &Term) -> Self {
        match term {
            Term::Variable(variable) => Self::Variable(*variable as usize),
            Term::Compound(name, arguments) => match terms.ground(term) {
                Some(ground) => Self::Ground(ground),
                None => Self::Compound(*name, arguments.iter().map(|each| Self::of(terms, each)).collect()),
            },
        }
    }

    fn build(&self, terms: &mut Terms, bindings: &[TermId]) -> TermId {
        match self {
            Self::Variable(variable) => bindings[*variable],
            Self::Ground(term) => *term,
            Self::Compound(name, inner) => {
                let mut small = [0; 12];
                if inner.len() <= small.len() {
                    for (place, each) in small.iter_mut().zip(inner) {
                        *place = each.build(terms, bindings);
                    }
                    terms.intern(*name, &small[..inner.len()])
                } else {
                    let arguments: Vec<TermId> = inner.iter().map(|each| each.build(terms, bindings)).collect();
                    terms.intern(*name, &arguments)
                }
            }
        }
    }

    fn sentence(terms: &mut Terms, sentence: &Sentence) -> Self {
        Self::of(terms, &Term::Compound(sentence.name, sentence.arguments.clone()))
    }
}

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
    /// condition) and the terms; stops when `work` is used up.
    pub(crate) fn run(
        &self,
        terms: &mut Terms,
        database: &mut Database,
        work: &mut u64,
        emit: &mut dyn FnMut(TermId, &[TermId]),
    ) {
        for step in &self.steps {
            if let JoinStep::Find { relation, index, .. } = step {
                database.refresh(terms, *relation, *index);
            }
        }
        let mut bindings = vec![0; self.variables];
        let mut matched = vec![0; self.conditions];
        self.descend(0, terms, database, &mut bindings, &mut matched, work, emit);
    }

    #[allow(clippy::too_many_arguments, reason = "the recursion's state, borrowed apart")]
    fn descend(
        &self,
        at: usize,
        terms: &mut Terms,
        database: &Database,
        bindings: &mut [TermId],
        matched: &mut [TermId],
        work: &mut u64,
        emit: &mut dyn FnMut(TermId, &[TermId]),
    ) {
        let Some(step) = self.steps.get(at) else {
            for (condition, template) in &self.deferred {
                matched[*condition] = template.build(terms, bindings);
            }
            let head = self.head.build(terms, bindings);
            emit(head, matched);
            return;
        };
        match step {
            JoinStep::Find { condition, relation, index, keys, pattern, span } => {
                let mut key = 0;
                for each in keys {
                    key = mix_in(key, each.build(terms, bindings));
                }
                let relation = &database.relations[*relation];
                let Some(places) = relation.indexes[*index].buckets.get(&spread(key)) else { return };
                let (from, to) = places_of(relation, *span);
                let start = if from == 0 { 0 } else { places.partition_point(|&place| (place as usize) < from) };
                for &place in &places[start..] {
                    if place as usize >= to || *work == 0 {
                        break;
                    }
                    *work -= 1;
                    let tuple = relation.tuples[place as usize];
                    if fits(pattern, terms, tuple, bindings) {
                        matched[*condition] = tuple;
                        self.descend(at + 1, terms, database, bindings, matched, work, emit);
                    }
                }
            }
            JoinStep::Scan { condition, relation, pattern, span } => {
                let relation = &database.relations[*relation];
                let (from, to) = places_of(relation, *span);
                for &tuple in &relation.tuples[from..to] {
                    if *work == 0 {
                        break;
                    }
                    *work -= 1;
                    if fits(pattern, terms, tuple, bindings) {
                        matched[*condition] = tuple;
                        self.descend(at + 1, terms, database, bindings, matched, work, emit);
                    }
                }
            }
            JoinStep::Member { condition, relation, template, span } => {
                let tuple = template.build(terms, bindings);
                let (from, to) = places_of(&database.relations[*relation], *span);
                if database.place(tuple).is_some_and(|place| (from..to).contains(&place)) {
                    matched[*condition] = tuple;
                    self.descend(at + 1, terms, database, bindings, matched, work, emit);
                }
            }
            JoinStep::Absent { template } => {
                let tuple = template.build(terms, bindings);
                if !database.contains(tuple) {
                    self.descend(at + 1, terms, database, bindings, matched, work, emit);
                }
            }
            JoinStep::Differ(pairs) => {
                if pairs.iter().any(|(left, right)| left.build(terms, bindings) != right.build(terms, bindings)) {
                    self.descend(at + 1, terms, database, bindings, matched, work, emit);
                }
            }
            JoinStep::Same(left, right) => {
                if left.build(terms, bindings) == right.build(terms, bindings) {
                    self.descend(at + 1, terms, database, bindings, matched, work, emit);
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

fn fits(pattern: &[Pattern], terms: &Terms, tuple: TermId, bindings: &mut [TermId]) -> bool {
    pattern.iter().zip(terms.arguments(tuple)).all(|(each, &argument)| each.matches(terms, argument, bindings))
}

fn is_known(term: &Term, bound: &[bool]) -> bool {
    match term {
        Term::Variable(variable) => bound[*variable as usize],
        Term::Compound(_, arguments) => arguments.iter().all(|each| is_known(each, bound)),
    }
}

fn shape_of(term: &Term, bound: &[bool]) -> KeyShape {
    match term {
        _ if is_known(term, bound) => KeyShape::Key,
        Term::Variable(_) => KeyShape::Any,
        Term::Compound(name, arguments) => {
            KeyShape::Compound(*name, arguments.iter().map(|each| shape_of(each, bound)).collect())
        }
    }
}

/// A shape that says no more than the relation is looked through from end to end.
fn has_key(shapes: &[KeyShape]) -> bool {
    shapes.iter().any(|shape| !matches!(shape, KeyShape::Any))
}

fn key_templates(term: &Term, bound: &[bool], terms: &mut Terms, keys: &mut Vec<Template>) {
    match term {
        _ if is_known(term, bound) => keys.push(Template::of(terms, term)),
        Term::Variable(_) => {}
        Term::Compound(_, arguments) => arguments.iter().for_each(|each| key_templates(each, bound, terms, keys)),
    }
}

fn pattern_of(term: &Term, bound: &mut [bool], terms: &mut Terms) -> Pattern {
    match term {
        Term::Variable(variable) => {
            let variable = *variable as usize;
            if std::mem::replace(&mut bound[variable], true) {
                Pattern::Check(variable)
            } else {
                Pattern::Bind(variable)
            }
        }
        Term::Compound(name, arguments) => match terms.ground(term) {
            Some(ground) => Pattern::Ground(ground),
            None => Pattern::Compound(*name, arguments.iter().map(|each| pattern_of(each, bound, terms)).collect()),
        },
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
