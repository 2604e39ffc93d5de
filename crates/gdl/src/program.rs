//! The clauses of a game with everything that no state can change worked out.

use std::collections::{HashMap, HashSet};

use spinney_core::InputError;

use crate::check::may_match;
use crate::clauses::{Clause, Condition, clauses};
use crate::database::Database;
use crate::graph::Graph;
use crate::join::{JoinPlan, Manner};
use crate::limits::{Budget, BuildError};
use crate::rules::{DOES, GOAL, INIT, LEGAL, NEXT, Names, Predicate, ROLE, Rules, TERMINAL, TRUE, Term};
use crate::terms::{TermId, Terms};

/// Clauses that need each other, after all that they depend on.
#[derive(Clone, Debug)]
pub(crate) struct Stratum {
    clauses: Vec<usize>,
    /// The relations that grow while this stratum is derived; empty if nothing is recursive.
    recursive: HashSet<Predicate>,
}

/// A game: its clauses, and the relations that hold in every state.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) names: Names,
    pub(crate) terms: Terms,
    pub(crate) database: Database,
    /// Clauses whose head depends on the state or the moves.
    pub(crate) clauses: Vec<Clause>,
    pub(crate) dynamic: HashSet<Predicate>,
    pub(crate) roles: Vec<TermId>,
    pub(crate) initial: Vec<TermId>,
}

impl Program {
    pub(crate) fn new(rules: &Rules, budget: &mut Budget) -> Result<Self, BuildError> {
        let mut names = rules.names.clone();
        let all = clauses(rules, &mut names, budget)?;
        let dynamic = dynamic(&all);
        let (clauses, fixed): (Vec<Clause>, Vec<Clause>) =
            all.into_iter().partition(|clause| dynamic.contains(&clause.head.predicate()));
        let (mut terms, mut database) = (Terms::new(), Database::default());
        // Relations of facts alone need no order of evaluation. Roles play in the order in which the sheet names them.
        let derived: HashSet<Predicate> =
            fixed.iter().filter(|clause| !clause.body.is_empty()).map(|clause| clause.head.predicate()).collect();
        let (fixed, facts): (Vec<Clause>, Vec<Clause>) =
            fixed.into_iter().partition(|clause| derived.contains(&clause.head.predicate()));
        for Clause { head, .. } in facts {
            let number = database.relation(head.predicate());
            if let Some(sentence) = terms.ground(&Term::Compound(head.name, head.arguments)) {
                database.insert(number, sentence);
                settle(&mut database, number);
            }
            if !budget.spend(1) || !budget.hold(terms.bytes()) {
                break;
            }
        }
        let mut evaluation = Evaluation::new(fixed, budget);
        evaluation.run(&mut terms, &mut database, budget);
        budget.check()?;
        let contents = |predicate: Predicate, database: &mut Database, terms: &Terms| -> Vec<TermId> {
            let number = database.relation(predicate);
            database.relations[number].tuples.iter().map(|&sentence| terms.arguments(sentence)[0]).collect()
        };
        let roles = contents((ROLE, 1), &mut database, &terms);
        let initial = contents((INIT, 1), &mut database, &terms);
        if roles.is_empty() {
            let remedy = "state the roles as facts: `(role white)`";
            return Err(InputError::new("rule sheet", "no role", remedy).into());
        }
        Ok(Self { names, terms, database, clauses, dynamic, roles, initial })
    }
}

impl Program {
    /// The roles as the sheet spells them.
    pub(crate) fn role_names(&self) -> Vec<String> {
        let spell = |&role: &TermId| {
            let mut text = String::new();
            self.terms.write(&self.names, role, &mut text);
            text
        };
        self.roles.iter().map(spell).collect()
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let clauses: usize = self.clauses.iter().map(Clause::bytes).sum();
        self.names.bytes() + self.terms.bytes() + self.database.bytes() + clauses
    }
}

/// The relations that depend on the state or the moves.
fn dynamic(clauses: &[Clause]) -> HashSet<Predicate> {
    // What a machine is asked for counts as depending on the state even where it does not.
    let mut todo: Vec<Predicate> = vec![(TRUE, 1), (DOES, 2), (NEXT, 1), (LEGAL, 2), (GOAL, 2), (TERMINAL, 0)];
    let mut readers: HashMap<Predicate, Vec<Predicate>> = HashMap::new();
    for clause in clauses {
        for sentence in clause.body.iter().filter_map(Condition::sentence) {
            readers.entry(sentence.predicate()).or_default().push(clause.head.predicate());
        }
    }
    let mut found: HashSet<Predicate> = todo.iter().copied().collect();
    while let Some(predicate) = todo.pop() {
        let more = readers.remove(&predicate).into_iter().flatten();
        todo.extend(more.filter(|&reader| found.insert(reader)));
    }
    found
}

/// Orders clauses so that what is read, and above all what is negated, is complete before; none if that takes too much.
pub(crate) fn strata(clauses: &[Clause], budget: &mut Budget) -> Vec<Stratum> {
    let mut heads: HashMap<Predicate, Vec<u32>> = HashMap::new();
    for (at, clause) in clauses.iter().enumerate() {
        heads.entry(clause.head.predicate()).or_default().push(at as u32);
    }
    let mut below = |clause: &Clause| -> Vec<u32> {
        let mut found = Vec::new();
        for sentence in clause.body.iter().filter_map(Condition::sentence) {
            let candidates = heads.get(&sentence.predicate()).map(Vec::as_slice).unwrap_or_default();
            if !budget.spend(candidates.len() as u64) || !budget.grow(candidates.len() * 8) {
                break;
            }
            found.extend(candidates.iter().filter(|&&other| may_match(sentence, &clauses[other as usize].head)));
        }
        found
    };
    let mut graph = Graph::default();
    clauses.iter().for_each(|clause| graph.push(below(clause)));
    if budget.stopped().is_some() {
        return Vec::new();
    }
    let components = graph.components(budget);
    let stratum = |members: &[u32]| {
        let cyclic = members.len() > 1 || graph.successors(members[0]).contains(&members[0]);
        let mut clauses_of: Vec<usize> = members.iter().map(|&member| member as usize).collect();
        clauses_of.sort_unstable();
        let heads = clauses_of.iter().map(|&at| clauses[at].head.predicate());
        Stratum { recursive: if cyclic { heads.collect() } else { HashSet::new() }, clauses: clauses_of }
    };
    components.iter().map(stratum).collect()
}

/// The exact evaluation of clauses, stratum by stratum, with plans that are kept from one time to the next.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    clauses: Vec<Clause>,
    strata: Vec<Stratum>,
    plans: HashMap<(usize, Option<usize>), JoinPlan>,
    /// About how many bytes clauses and plans take.
    bytes: usize,
}

impl Evaluation {
    pub(crate) fn new(clauses: Vec<Clause>, budget: &mut Budget) -> Self {
        let strata = strata(&clauses, budget);
        let bytes = clauses.iter().map(Clause::bytes).sum::<usize>() + strata.len() * 128;
        Self { clauses, strata, plans: HashMap::new(), bytes }
    }

    /// Derives everything; the relations of the clauses must have been cleared.
    pub(crate) fn run(&mut self, terms: &mut Terms, database: &mut Database, budget: &mut Budget) {
        for at in 0..self.strata.len() {
            if !budget.spend(8) {
                return;
            }
            self.derive(at, terms, database, budget);
        }
    }

    fn derive(&mut self, stratum: usize, terms: &mut Terms, database: &mut Database, budget: &mut Budget) {
        let Stratum { clauses, recursive } = self.strata[stratum].clone();
        let growing: Vec<usize> = recursive.iter().map(|&predicate| database.relation(predicate)).collect();
        for &number in &growing {
            database.relations[number].old = 0;
        }
        for &clause in &clauses {
            self.join(clause, None, &recursive, terms, database, budget);
        }
        while !growing.is_empty() && budget.stopped().is_none() {
            let mut grown = false;
            for &number in &growing {
                let relation = &mut database.relations[number];
                relation.old = relation.now;
                relation.now = relation.tuples.len();
                grown |= relation.old < relation.now;
            }
            if !grown {
                break;
            }
            for &clause in &clauses {
                for condition in 0..self.clauses[clause].body.len() {
                    let read = match &self.clauses[clause].body[condition] {
                        Condition::Holds(sentence) | Condition::Range(sentence) => sentence.predicate(),
                        _ => continue,
                    };
                    if recursive.contains(&read) {
                        self.join(clause, Some(condition), &recursive, terms, database, budget);
                    }
                }
            }
        }
        for number in growing {
            settle(database, number);
        }
    }

    fn join(
        &mut self,
        clause: usize,
        delta: Option<usize>,
        recursive: &HashSet<Predicate>,
        terms: &mut Terms,
        database: &mut Database,
        budget: &mut Budget,
    ) {
        let plan = self.plans.entry((clause, delta)).or_insert_with(|| {
            // An order is chosen by comparing all conditions that are left.
            let conditions = self.clauses[clause].body.len();
            budget.spend((conditions * conditions * 8) as u64);
            self.bytes += bytes_of_plan(conditions);
            let manner = Manner { delta, defer: false };
            JoinPlan::new(&self.clauses[clause], manner, &|predicate| recursive.contains(&predicate), terms, database)
        });
        let mut heads = Vec::new();
        budget.keep(self.bytes + database.bytes());
        plan.run(terms, database, budget, &mut |head, _, budget| {
            heads.push(head);
            // With the room that a growing list takes, and that of the relation afterwards.
            budget.grow(24);
        });
        if budget.stopped().is_some() {
            return;
        }
        let predicate = self.clauses[clause].head.predicate();
        let number = database.relation(predicate);
        for head in heads {
            database.insert(number, head);
        }
        if !recursive.contains(&predicate) {
            settle(database, number);
        }
    }
}

/// About how many bytes an order of so many conditions takes.
pub(crate) fn bytes_of_plan(conditions: usize) -> usize {
    200 + 300 * conditions
}

/// All that a relation holds may be read.
pub(crate) fn settle(database: &mut Database, number: usize) {
    let relation = &mut database.relations[number];
    relation.old = relation.tuples.len();
    relation.now = relation.tuples.len();
}
