//! A state as proofs see it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Instant;

use crate::limits::{Budget, Cancel, Stop};
use crate::prove::Prover;
use crate::prove::code::Lifetime;
use crate::prove::solver::Solver;
use crate::rules::{DOES, TRUE};
use crate::state::State;
use crate::terms::TermId;

/// A state with what was proved of it, and working memory to prove more.
#[derive(Clone, Debug)]
pub(crate) struct ProofPosition {
    solver: Solver,
    /// The numbers of facts that were met, and their terms.
    fact_numbers: HashMap<TermId, u32>,
    fact_terms: Vec<Option<TermId>>,
    /// The numbers of moves that were met, and their texts by number.
    move_numbers: Vec<HashMap<TermId, u32>>,
    move_texts: Vec<HashMap<u32, String>>,
    deadline: Option<Instant>,
    cancel: Cancel,
    /// Whether it follows a game that is really played, for which room is kept.
    pub(crate) is_real: bool,
    pub(crate) state: State,
    pub(crate) terminal: bool,
    pub(crate) legal: Vec<Vec<u32>>,
    goals: Vec<Option<Vec<u8>>>,
    pub(crate) interrupted: bool,
}

impl ProofPosition {
    pub(crate) fn new(prover: &Prover, solver: Solver) -> Self {
        let roles = prover.roles.len();
        Self {
            solver,
            fact_numbers: HashMap::new(),
            fact_terms: Vec::new(),
            move_numbers: vec![HashMap::new(); roles],
            move_texts: vec![HashMap::new(); roles],
            deadline: None,
            cancel: Cancel::default(),
            is_real: false,
            state: State::default(),
            terminal: false,
            legal: vec![Vec::new(); roles],
            goals: vec![None; roles],
            interrupted: false,
        }
    }

    pub(crate) fn until(&mut self, deadline: Option<Instant>, cancel: &Cancel) {
        self.deadline = deadline;
        self.cancel = cancel.clone();
    }

    fn budget(&self, prover: &Prover) -> Budget {
        Budget::until(self.deadline, &self.cancel, prover.most_bytes)
    }

    /// Goes to the initial state.
    pub(crate) fn begin(&mut self, prover: &Prover, budget: &mut Budget) -> Result<(), Stop> {
        let found = self.look(prover, &prover.initial, budget);
        self.interrupted = found.is_err();
        found
    }

    /// Goes to a state.
    pub(crate) fn set(&mut self, prover: &Prover, state: &State) {
        let mut budget = self.budget(prover);
        let found = self.look(prover, state, &mut budget);
        self.end(found);
    }

    /// Nothing is known of a state that was not worked out.
    fn end(&mut self, found: Result<(), Stop>) {
        self.interrupted = found.is_err();
        if self.interrupted {
            self.terminal = true;
            self.legal.iter_mut().for_each(Vec::clear);
            self.goals.iter_mut().for_each(|goals| *goals = Some(Vec::new()));
        }
    }

    fn look(&mut self, prover: &Prover, state: &State, budget: &mut Budget) -> Result<(), Stop> {
        let questions = &prover.questions;
        self.solver.changed(Lifetime::State);
        self.solver.database.clear(questions.does);
        self.solver.database.clear(questions.truth);
        // Terms and answers that no state changes add up over many states.
        if self.solver.bytes() > prover.most_bytes / 2 {
            self.solver.tables.reset();
            self.solver.terms.truncate(prover.lasting_terms);
            self.fact_numbers = HashMap::new();
            self.fact_terms = Vec::new();
            self.move_numbers.iter_mut().for_each(|numbers| *numbers = HashMap::new());
            self.move_texts.iter_mut().for_each(|texts| *texts = HashMap::new());
        }
        self.state.clone_from(state);
        for number in state.bits() {
            let at = number as usize;
            if at >= self.fact_terms.len() {
                self.fact_terms.resize(at + 1, None);
            }
            let fact = *self.fact_terms[at].get_or_insert_with(|| {
                let sentence = prover.registry.fact_term(number, &mut self.solver.terms);
                self.solver.terms.intern(TRUE, &[sentence])
            });
            self.solver.database.insert(questions.truth, fact);
        }
        let terminal = self.solver.ask(&prover.procedures, questions.terminal, &[], budget)?;
        self.terminal = self.solver.tables.count(terminal) > 0;
        for (role, &name) in prover.roles.iter().enumerate() {
            let table = self.solver.ask(&prover.procedures, questions.legal, &[name], budget)?;
            let (legal, texts) = (&mut self.legal[role], &mut self.move_texts[role]);
            legal.clear();
            for at in 0..self.solver.tables.count(table) {
                let action = self.solver.tables.answer(table, at)[0];
                let number = match self.move_numbers[role].entry(action) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(place) => {
                        let number = prover.registry.move_number(role, &self.solver.terms, action, self.is_real);
                        let number = number.ok_or(Stop::Bytes)?;
                        texts.insert(number, prover.registry.move_text(role, number));
                        *place.insert(number)
                    }
                };
                legal.push(number);
            }
            // By text, since numbers depend on what was met first.
            legal.sort_unstable_by(|left, right| texts[left].cmp(&texts[right]));
        }
        self.goals.iter_mut().for_each(|goals| *goals = None);
        Ok(())
    }

    /// Makes one move of each role.
    pub(crate) fn step(&mut self, prover: &Prover, joint: &[u32]) {
        let mut budget = self.budget(prover);
        let found = self.follow(prover, joint, &mut budget);
        self.end(found);
    }

    fn follow(&mut self, prover: &Prover, joint: &[u32], budget: &mut Budget) -> Result<(), Stop> {
        let questions = &prover.questions;
        self.solver.changed(Lifetime::Moves);
        self.solver.database.clear(questions.does);
        for (role, &action) in joint.iter().enumerate() {
            let action = prover.registry.move_term(role, action, &mut self.solver.terms);
            let sentence = self.solver.terms.intern(DOES, &[prover.roles[role], action]);
            self.solver.database.insert(questions.does, sentence);
        }
        let table = self.solver.ask(&prover.procedures, questions.next, &[], budget)?;
        let mut numbers = Vec::new();
        for at in 0..self.solver.tables.count(table) {
            let fact = self.solver.tables.answer(table, at)[0];
            numbers.push(match self.fact_numbers.entry(fact) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => {
                    let number = prover.registry.fact_number(&self.solver.terms, fact, self.is_real);
                    *place.insert(number.ok_or(Stop::Bytes)?)
                }
            });
        }
        self.look(prover, &State::from_bits(numbers), budget)
    }

    /// The goal value of a role, if exactly one holds; worked out when it is asked for.
    pub(crate) fn goal(&mut self, prover: &Prover, role: usize) -> Option<u8> {
        if self.goals[role].is_none() {
            let mut budget = self.budget(prover);
            let found = self.solver.ask(&prover.procedures, prover.questions.goal, &[prover.roles[role]], &mut budget);
            let values = match found {
                Ok(table) => {
                    let value = |at| {
                        let term = self.solver.tables.answer(table, at)[0];
                        prover.registry.names().spelling(self.solver.terms.name(term)).parse().ok()
                    };
                    (0..self.solver.tables.count(table)).filter_map(value).collect()
                }
                Err(_) => {
                    self.interrupted = true;
                    Vec::new()
                }
            };
            self.goals[role] = Some(values);
        }
        match self.goals[role].as_deref() {
            Some([single]) => Some(*single),
            _ => None,
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.solver.bytes() + self.solver.database.bytes()
    }
}
