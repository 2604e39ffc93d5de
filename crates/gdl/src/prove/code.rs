//! Clauses made ready for proofs: one procedure for each relation and each way of asking for it.
//!
//! A question knows some parts of a sentence and asks for the others. Since every variable of a rule is bound by a
//! positive condition, what is asked for comes back without variables: so it is clear beforehand which parts the
//! conditions of a rule know when it is their turn, and each is compiled for that.

use std::collections::{HashMap, HashSet};

use crate::clauses::{Clause, Condition};
use crate::database::Database;
use crate::limits::{Budget, Stop};
use crate::pattern::{KeyShape, Pattern, Template, has_key, key_templates, pattern_of, shape_of};
use crate::rules::{DOES, Names, Predicate, Sentence, TRUE, Term};
use crate::terms::Terms;

/// What the answers of a procedure depend on, and so how long they stay right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lifetime {
    /// Nothing.
    Sheet,
    /// The state.
    State,
    /// The state and the moves.
    Moves,
}

/// How a step of a clause goes on.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Facts looked up in an index.
    Find {
        relation: usize,
        index: usize,
        keys: Vec<Template>,
        pattern: Vec<Pattern>,
    },
    /// All facts of a relation.
    Scan {
        relation: usize,
        pattern: Vec<Pattern>,
    },
    /// A fact, which must (or must not) be there.
    Fact {
        template: Template,
        wanted: bool,
    },
    /// The answers of a procedure.
    Call {
        procedure: u32,
        keys: Vec<Template>,
        pattern: Vec<Pattern>,
    },
    /// A sentence that must not hold.
    Deny {
        procedure: u32,
        keys: Vec<Template>,
    },
    /// At least one of the pairs is of different terms.
    Differ(Vec<(Template, Template)>),
    Same(Template, Template),
}

/// A part of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Build(Template),
    /// A term that must look like this, from the key with this number on.
    Project(Template, KeyShape, usize),
}

/// A clause as one procedure uses it.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// What the keys, by number, must look like.
    pub(crate) entry: Vec<(usize, Pattern)>,
    pub(crate) steps: Vec<Step>,
    pub(crate) answer: Vec<Part>,
    pub(crate) registers: usize,
    /// The last step that the answer depends on: the steps after it need to succeed only once.
    pub(crate) decisive: Option<usize>,
}

/// All clauses of a relation, for one way of asking.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub(crate) clauses: Vec<Code>,
    /// How many terms an answer consists of; with none, one proof is enough.
    pub(crate) width: usize,
    pub(crate) lifetime: Lifetime,
}

/// The rules of a sheet by relation, and what has been compiled of them.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    rules: HashMap<Predicate, Vec<Clause>>,
    lifetimes: HashMap<Predicate, Lifetime>,
    numbers: HashMap<(Predicate, Vec<KeyShape>), u32>,
    pub(crate) procedures: Vec<Procedure>,
    /// Procedures that were asked for and are not compiled yet.
    open: Vec<(Predicate, Vec<KeyShape>)>,
    pub(crate) bytes: usize,
}

impl Library {
    /// Sorts the clauses: facts go into the database, a relation that has rules as well gets its facts by one more rule.
    pub(crate) fn new(
        clauses: Vec<Clause>,
        derived: &[Predicate],
        names: &mut Names,
        terms: &mut Terms,
        database: &mut Database,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let mut with_rules: HashSet<Predicate> = derived.iter().copied().collect();
        with_rules.extend(clauses.iter().filter(|clause| !is_fact(clause)).map(|clause| clause.head.predicate()));
        let mut rules: HashMap<Predicate, Vec<Clause>> = HashMap::new();
        let mut stated: HashMap<Predicate, u32> = HashMap::new();
        let mut bytes = 0;
        for clause in clauses {
            bytes += clause.bytes();
            if !budget.spend(clause.body.len() as u64 + 1) || !budget.hold(bytes + terms.bytes()) {
                break;
            }
            let predicate = clause.head.predicate();
            if !is_fact(&clause) {
                rules.entry(predicate).or_default().push(clause);
                continue;
            }
            let mut head = clause.head;
            if with_rules.contains(&predicate) {
                head.name = *stated.entry(predicate).or_insert_with(|| names.invent());
            }
            let relation = database.relation(head.predicate());
            if let Some(sentence) = terms.ground(&Term::Compound(head.name, head.arguments)) {
                database.insert(relation, sentence);
            }
        }
        budget.check()?;
        for (predicate, name) in stated {
            let arguments: Vec<Term> = (0..predicate.1 as u32).map(Term::Variable).collect();
            let head = Sentence { name: predicate.0, arguments: arguments.clone() };
            let body = vec![Condition::Holds(Sentence { name, arguments })];
            rules.entry(predicate).or_default().insert(0, Clause { head, body, variables: predicate.1 });
        }
        let lifetimes = lifetimes(&rules);
        Ok(Self { rules, lifetimes, numbers: HashMap::new(), procedures: Vec::new(), open: Vec::new(), bytes })
    }

    fn is_derived(&self, predicate: Predicate) -> bool {
        self.rules.contains_key(&predicate)
    }

    /// The procedure that answers such a question.
    pub(crate) fn procedure(&mut self, predicate: Predicate, shape: Vec<KeyShape>) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry((predicate, shape.clone())).or_insert(next);
        if number == next {
            self.open.push((predicate, shape));
        }
        number
    }

    /// Compiles what was asked for, and what that asks for.
    pub(crate) fn compile(
        &mut self,
        terms: &mut Terms,
        database: &mut Database,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let mut done = 0;
        while done < self.open.len() {
            let (predicate, shape) = self.open[done].clone();
            done += 1;
            let rules = self.rules.get(&predicate).cloned().unwrap_or_default();
            let mut clauses = Vec::new();
            for clause in &rules {
                self.bytes += 200 + 250 * clause.body.len();
                // Choosing an order looks at all pairs of conditions.
                let pairs = (clause.body.len() * clause.body.len()) as u64 + 1;
                if !budget.spend(pairs * 8) || !budget.hold(self.bytes + terms.bytes()) {
                    break;
                }
                clauses.extend(self.code(clause, &shape, terms, database));
            }
            let width = shape.iter().map(width).sum();
            let lifetime = self.lifetimes.get(&predicate).copied().unwrap_or(Lifetime::Sheet);
            self.procedures.push(Procedure { clauses, width, lifetime });
            budget.check()?;
        }
        self.open.clear();
        Ok(())
    }

    /// A clause for one way of asking; `None` if it never answers such a question.
    fn code(
        &mut self,
        clause: &Clause,
        shape: &[KeyShape],
        terms: &mut Terms,
        database: &mut Database,
    ) -> Option<Code> {
        let mut bound = vec![false; clause.variables];
        let (mut entry, mut answer, mut keys) = (Vec::new(), Vec::new(), 0);
        for (shape, term) in shape.iter().zip(&clause.head.arguments) {
            meet(shape, term, &mut bound, terms, &mut keys, &mut entry, &mut answer)?;
        }
        let mut needed: HashSet<usize> = HashSet::new();
        clause.head.variables(&mut |variable| {
            needed.insert(variable as usize);
        });
        needed.retain(|&variable| !bound[variable]);
        let (mut steps, mut decisive) = (Vec::new(), None);
        let mut left: Vec<usize> = (0..clause.body.len()).collect();
        while !left.is_empty() {
            let chosen = self.cheapest(clause, &left, &bound, terms, database);
            left.retain(|&at| at != chosen);
            let before = bound.clone();
            steps.push(self.step(&clause.body[chosen], &mut bound, terms, database));
            if needed.iter().any(|&variable| bound[variable] && !before[variable]) {
                decisive = Some(steps.len() - 1);
            }
        }
        Some(Code { entry, steps, answer, registers: clause.variables, decisive })
    }

    fn step(&mut self, condition: &Condition, bound: &mut [bool], terms: &mut Terms, database: &mut Database) -> Step {
        match condition {
            Condition::Holds(sentence) | Condition::Range(sentence) => {
                let shape: Vec<KeyShape> = sentence.arguments.iter().map(|each| widen(shape_of(each, bound))).collect();
                let mut keys = Vec::new();
                let derived = self.is_derived(sentence.predicate());
                if !derived && shape.iter().all(|each| *each == KeyShape::Key) {
                    return Step::Fact { template: Template::sentence(terms, sentence), wanted: true };
                }
                sentence.arguments.iter().for_each(|each| key_templates(each, bound, terms, &mut keys));
                if derived {
                    let (mut pattern, before) = (Vec::new(), bound.to_vec());
                    sentence.arguments.iter().for_each(|each| answered(each, &before, bound, terms, &mut pattern));
                    return Step::Call { procedure: self.procedure(sentence.predicate(), shape), keys, pattern };
                }
                let relation = database.relation(sentence.predicate());
                let pattern = sentence.arguments.iter().map(|each| pattern_of(each, bound, terms)).collect();
                if has_key(&shape) {
                    Step::Find { relation, index: database.index(relation, &shape), keys, pattern }
                } else {
                    Step::Scan { relation, pattern }
                }
            }
            Condition::Fails(sentence) => {
                if !self.is_derived(sentence.predicate()) {
                    return Step::Fact { template: Template::sentence(terms, sentence), wanted: false };
                }
                let mut keys = Vec::new();
                sentence.arguments.iter().for_each(|each| key_templates(each, bound, terms, &mut keys));
                let shape = vec![KeyShape::Key; sentence.arguments.len()];
                Step::Deny { procedure: self.procedure(sentence.predicate(), shape), keys }
            }
            Condition::Differ(pairs) => {
                Step::Differ(pairs.iter().map(|(a, b)| (Template::of(terms, a), Template::of(terms, b))).collect())
            }
            Condition::Same(left, right) => Step::Same(Template::of(terms, left), Template::of(terms, right)),
        }
    }

    /// The condition whose turn it is: tests first, those that need proofs after those that do not; then the fewest
    /// expected matches.
    fn cheapest(
        &self,
        clause: &Clause,
        left: &[usize],
        bound: &[bool],
        terms: &Terms,
        database: &mut Database,
    ) -> usize {
        let mut best = (f64::INFINITY, left[0]);
        for &at in left {
            let condition = &clause.body[at];
            let cost = match condition {
                Condition::Holds(sentence) | Condition::Range(sentence) => {
                    let shape: Vec<KeyShape> =
                        sentence.arguments.iter().map(|each| widen(shape_of(each, bound))).collect();
                    let known = shape.iter().all(|each| *each == KeyShape::Key);
                    match self.is_derived(sentence.predicate()) {
                        false if known => -1.0,
                        false => {
                            let relation = database.relation(sentence.predicate());
                            0.001 + database.estimate(terms, relation, &shape)
                        }
                        true if known => COST_OF_PROOF,
                        true => {
                            let asked = shape.iter().map(width).sum::<usize>() as f64;
                            4.0 + 4.0 * asked * if has_key(&shape) { 1.0 } else { 20.0 }
                        }
                    }
                }
                other if !other.variables().iter().all(|&variable| bound[variable as usize]) => f64::INFINITY,
                Condition::Fails(sentence) if self.is_derived(sentence.predicate()) => COST_OF_PROOF,
                Condition::Fails(_) => -1.0,
                _ => -2.0,
            };
            if cost < best.0 {
                best = (cost, at);
            }
        }
        best.1
    }
}

/// A proof of a known sentence comes after look-ups that find about one fact.
const COST_OF_PROOF: f64 = 1.5;

fn is_fact(clause: &Clause) -> bool {
    clause.body.is_empty() && clause.variables == 0
}

/// How many terms are asked for.
fn width(shape: &KeyShape) -> usize {
    match shape {
        KeyShape::Key => 0,
        KeyShape::Any => 1,
        KeyShape::Compound(_, inner) => inner.iter().map(width).sum(),
    }
}

/// Of a term of which nothing is known but its function the whole is asked for, so that equal questions are one.
fn widen(shape: KeyShape) -> KeyShape {
    match shape {
        KeyShape::Compound(name, inner) => {
            let inner: Vec<KeyShape> = inner.into_iter().map(widen).collect();
            if inner.iter().all(|each| *each == KeyShape::Any) {
                KeyShape::Any
            } else {
                KeyShape::Compound(name, inner)
            }
        }
        other => other,
    }
}

/// What the terms of an answer must look like, in the order of the shape.
fn answered(term: &Term, before: &[bool], bound: &mut [bool], terms: &mut Terms, pattern: &mut Vec<Pattern>) {
    match (widen(shape_of(term, before)), term) {
        (KeyShape::Key, _) => {}
        (KeyShape::Compound(..), Term::Compound(_, arguments)) => {
            arguments.iter().for_each(|each| answered(each, before, bound, terms, pattern));
        }
        _ => pattern.push(pattern_of(term, bound, terms)),
    }
}

/// Brings a question and the head of a clause together; `None` if they never meet.
fn meet(
    shape: &KeyShape,
    term: &Term,
    bound: &mut [bool],
    terms: &mut Terms,
    keys: &mut usize,
    entry: &mut Vec<(usize, Pattern)>,
    answer: &mut Vec<Part>,
) -> Option<()> {
    match (shape, term) {
        (KeyShape::Key, _) => {
            entry.push((*keys, pattern_of(term, bound, terms)));
            *keys += 1;
        }
        (KeyShape::Any, _) => answer.push(Part::Build(Template::of(terms, term))),
        (KeyShape::Compound(name, inner), Term::Compound(other, arguments)) => {
            if name != other || inner.len() != arguments.len() {
                return None;
            }
            for (shape, term) in inner.iter().zip(arguments) {
                meet(shape, term, bound, terms, keys, entry, answer)?;
            }
        }
        (KeyShape::Compound(..), Term::Variable(_)) => {
            answer.push(Part::Project(Template::of(terms, term), shape.clone(), *keys));
            *keys += key_count(shape);
        }
    }
    Some(())
}

fn key_count(shape: &KeyShape) -> usize {
    match shape {
        KeyShape::Key => 1,
        KeyShape::Any => 0,
        KeyShape::Compound(_, inner) => inner.iter().map(key_count).sum(),
    }
}

fn lifetimes(rules: &HashMap<Predicate, Vec<Clause>>) -> HashMap<Predicate, Lifetime> {
    let mut readers: HashMap<Predicate, Vec<Predicate>> = HashMap::new();
    for (&head, clauses) in rules {
        for sentence in clauses.iter().flat_map(|clause| &clause.body).filter_map(Condition::sentence) {
            readers.entry(sentence.predicate()).or_default().push(head);
        }
    }
    let mut found = HashMap::new();
    for (root, lifetime) in [((TRUE, 1), Lifetime::State), ((DOES, 2), Lifetime::Moves)] {
        let mut todo = vec![root];
        let mut seen: HashSet<Predicate> = HashSet::new();
        while let Some(predicate) = todo.pop() {
            for &reader in readers.get(&predicate).into_iter().flatten() {
                if seen.insert(reader) {
                    found.insert(reader, lifetime);
                    todo.push(reader);
                }
            }
        }
    }
    found
}
