//! Games played by proofs on demand: nothing is worked out before it is asked for.
//!
//! ```text
//! rules → clauses → procedures (code) → questions with their answers (tables, solver) → position
//! ```
//!
//! A machine is ready as soon as the sheet is read, and relations that would be huge if they were worked out from below
//! cost only what a state asks of them.

pub(crate) mod code;
pub(crate) mod position;
pub(crate) mod solver;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use spinney_core::InputError;

use crate::clauses::plain_clauses;
use crate::database::Database;
use crate::limits::{Budget, BuildError, Limits, Stop};
use crate::pattern::KeyShape;
use crate::prove::code::{Library, Procedure};
use crate::prove::position::ProofPosition;
use crate::prove::solver::Solver;
use crate::registry::Registry;
use crate::rules::{DOES, GOAL, INIT, LEGAL, NEXT, ROLE, Rules, TERMINAL, TRUE};
use crate::state::State;
use crate::terms::{TermId, Terms};

/// A game as procedures, shared by all cursors.
#[derive(Debug)]
pub(crate) struct Prover {
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) registry: Registry,
    pub(crate) roles: Vec<TermId>,
    pub(crate) questions: Questions,
    pub(crate) initial: State,
    /// Terms that code and facts refer to: they are never forgotten.
    pub(crate) lasting_terms: usize,
    /// Bytes that a cursor may take.
    pub(crate) most_bytes: usize,
    bytes: usize,
}

/// What a machine is asked for.
#[derive(Debug)]
pub(crate) struct Questions {
    pub(crate) terminal: u32,
    pub(crate) legal: u32,
    pub(crate) next: u32,
    pub(crate) goal: u32,
    pub(crate) truth: usize,
    pub(crate) does: usize,
}

impl Prover {
    /// Compiles the rules and looks at the initial state, with the roles' names and the position to begin from.
    pub(crate) fn new(
        rules: &Rules,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Result<(Self, Vec<String>, ProofPosition), BuildError> {
        let mut names = rules.names.clone();
        let clauses = plain_clauses(rules, budget)?;
        // They move into the library, which counts them.
        budget.keep(names.bytes());
        let (mut terms, mut database) = (Terms::new(), Database::default());
        let derived = [(ROLE, 1), (INIT, 1), (NEXT, 1), (LEGAL, 2), (GOAL, 2), (TERMINAL, 0)];
        // Roles are facts, which play in the order in which the sheet names them.
        let stated = &derived[1..];
        let mut library = Library::new(clauses, stated, &mut names, &mut terms, &mut database, budget)?;
        let init = library.procedure((INIT, 1), vec![KeyShape::Any]);
        library.compile(&mut terms, &mut database, budget)?;
        budget.keep(library.bytes + database.bytes());
        let mut solver = Solver::new(terms, database);
        let found = solver.ask(&library.procedures, init, &[], budget)?;
        let initial: Vec<TermId> =
            (0..solver.tables.count(found)).map(|at| solver.tables.answer(found, at)[0]).collect();
        let Solver { mut terms, mut database, .. } = solver;
        // The facts of the beginning tell in which order conditions are best looked at.
        let truth = database.relation((TRUE, 1));
        for &fact in &initial {
            let sentence = terms.intern(TRUE, &[fact]);
            database.insert(truth, sentence);
        }
        let does = database.relation((DOES, 2));
        let role = database.relation((ROLE, 1));
        let roles: Vec<TermId> =
            database.relations[role].tuples.iter().map(|&sentence| terms.arguments(sentence)[0]).collect();
        if roles.is_empty() {
            let remedy = "state the roles as facts: `(role white)`";
            return Err(InputError::new("rule sheet", "no role", remedy).into());
        }
        let questions = Questions {
            terminal: library.procedure((TERMINAL, 0), Vec::new()),
            legal: library.procedure((LEGAL, 2), vec![KeyShape::Key, KeyShape::Any]),
            next: library.procedure((NEXT, 1), vec![KeyShape::Any]),
            goal: library.procedure((GOAL, 2), vec![KeyShape::Key, KeyShape::Any]),
            truth,
            does,
        };
        library.compile(&mut terms, &mut database, budget)?;
        database.clear(truth);
        let spell = |&role: &TermId| {
            let mut text = String::new();
            terms.write(&names, role, &mut text);
            text
        };
        let role_names = roles.iter().map(spell).collect();
        let registry = Registry::new(names, roles.len(), limits.cursor_bytes());
        let numbers: Option<Vec<u32>> = initial.iter().map(|&fact| registry.fact_number(&terms, fact, true)).collect();
        let numbers = numbers.ok_or(Stop::Bytes)?;
        let prover = Self {
            procedures: library.procedures,
            registry,
            roles,
            questions,
            initial: State::from_bits(numbers),
            lasting_terms: terms.len(),
            most_bytes: limits.cursor_bytes(),
            bytes: library.bytes,
        };
        let mut position = ProofPosition::new(&prover, Solver::new(terms, database));
        position.begin(&prover, budget)?;
        Ok((prover, role_names, position))
    }

    /// About how many bytes all cursors share.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}
