//! The clauses of a game with everything that no state can change worked out.

use std::collections::{HashMap, HashSet};

use spinney_core::InputError;

use crate::check::may_match;
use crate::clauses::{Clause, Condition, clauses};
use crate::graph;
use crate::join::{Database, JoinPlan, Manner};
use crate::rules::{DOES, GOAL, INIT, LEGAL, NEXT, Names, Predicate, ROLE, Rules, TERMINAL, TRUE};
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
    pub(crate) fn new(rules: &Rules, work: &mut u64) -> Result<Self, InputError> {
        let mut names = rules.names.clone();
        let all = clauses(rules, &mut names)?;
        let dynamic = dynamic(&all);
        let (clauses, fixed): (Vec<Clause>, Vec<Clause>) =
            all.into_iter().partition(|clause| dynamic.contains(&clause.head.predicate()));
        let (mut terms, mut database) = (Terms::new(), Database::default());
        // Roles play in the order in which the sheet names them.
        let mut evaluation = Evaluation::new(fixed);
        evaluation.run(&mut terms, &mut database, work);
        if *work == 0 {
            return Err(InputError::new(
                "rule sheet",
                "relations that no state changes are too large to be worked out",
                "simplify the rules, or raise the limit of work",
            ));
        }
        let contents = |predicate: Predicate, database: &mut Database, terms: &Terms| -> Vec<TermId> {
            let number = database.relation(predicate);
            database.relations[number].tuples.iter().map(|&sentence| terms.arguments(sentence)[0]).collect()
        };
        let roles = contents((ROLE, 1), &mut database, &terms);
        let initial = contents((INIT, 1), &mut database, &terms);
        if roles.is_empty() {
            return Err(InputError::new("rule sheet", "no role", "state the roles as facts: `(role white)`"));
        }
        Ok(Self { names, terms, database, clauses, dynamic, roles, initial })
    }
}

/// The relations that depend on the state or the moves.
fn dynamic(clauses: &[Clause]) -> HashSet<Predicate> {
    // What a machine is asked for counts as depending on the state even where it does not.
    let mut found: HashSet<Predicate> =
        [(TRUE, 1), (DOES, 2), (NEXT, 1), (LEGAL, 2), (GOAL, 2), (TERMINAL, 0)].into_iter().collect();
    loop {
        let before = found.len();
        for clause in clauses {
            let depends =
                |condition: &Condition| condition.sentence().is_some_and(|each| found.contains(&each.predicate()));
            if clause.body.iter().any(depends) {
                found.insert(clause.head.predicate());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Orders clauses so that what is read, and above all what is negated, is complete before.
pub(crate) fn strata(clauses: &[Clause]) -> Vec<Stratum> {
    let mut heads: HashMap<Predicate, Vec<u32>> = HashMap::new();
    for (at, clause) in clauses.iter().enumerate() {
        heads.entry(clause.head.predicate()).or_default().push(at as u32);
    }
    let below = |clause: &Clause| -> Vec<u32> {
        let read = clause.body.iter().filter_map(Condition::sentence);
        let matching = |sentence| {
            let candidates = heads.get(&crate::rules::Sentence::predicate(sentence)).into_iter().flatten().copied();
            candidates.filter(move |&other| may_match(sentence, &clauses[other as usize].head))
        };
        read.flat_map(matching).collect()
    };
    let successors: Vec<Vec<u32>> = clauses.iter().map(below).collect();
    let components = graph::components(&successors);
    let stratum = |members: &Vec<u32>| {
        let cyclic = members.len() > 1 || successors[members[0] as usize].contains(&members[0]);
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
}

impl Evaluation {
    pub(crate) fn new(clauses: Vec<Clause>) -> Self {
        let strata = strata(&clauses);
        Self { clauses, strata, plans: HashMap::new() }
    }

    /// Derives everything; the relations of the clauses must have been cleared.
    pub(crate) fn run(&mut self, terms: &mut Terms, database: &mut Database, work: &mut u64) {
        for at in 0..self.strata.len() {
            self.derive(at, terms, database, work);
        }
    }

    fn derive(&mut self, stratum: usize, terms: &mut Terms, database: &mut Database, work: &mut u64) {
        let Stratum { clauses, recursive } = self.strata[stratum].clone();
        let growing: Vec<usize> = recursive.iter().map(|&predicate| database.relation(predicate)).collect();
        for &number in &growing {
            database.relations[number].old = 0;
        }
        for &clause in &clauses {
            self.join(clause, None, &recursive, terms, database, work);
        }
        while !growing.is_empty() && *work > 0 {
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
                        self.join(clause, Some(condition), &recursive, terms, database, work);
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
        work: &mut u64,
    ) {
        let plan = self.plans.entry((clause, delta)).or_insert_with(|| {
            let manner = Manner { delta, defer: false };
            JoinPlan::new(&self.clauses[clause], manner, &|predicate| recursive.contains(&predicate), terms, database)
        });
        let mut heads = Vec::new();
        plan.run(terms, database, work, &mut |head, _| heads.push(head));
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

/// All that a relation holds may be read.
pub(crate) fn settle(database: &mut Database, number: usize) {
    let relation = &mut database.relations[number];
    relation.old = relation.tuples.len();
    relation.now = relation.tuples.len();
}
