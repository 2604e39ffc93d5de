//! Every state worked out anew from the clauses, stratum by stratum: the plainest way, to compare others with.

use std::collections::{HashMap, HashSet};

use crate::clauses::{Clause, Condition};
use crate::database::Database;
use crate::limits::{Budget, Limits};
use crate::program::{Evaluation, Program, settle};
use crate::registry::Registry;
use crate::rules::{DOES, GOAL, LEGAL, NEXT, Predicate, TERMINAL, TRUE};
use crate::state::State;
use crate::terms::{TermId, Terms};

/// A game as clauses.
#[derive(Debug)]
pub(crate) struct Relational {
    program: Program,
    pub(crate) registry: Registry,
    pub(crate) initial: State,
}

impl Relational {
    pub(crate) fn new(program: Program) -> Self {
        let registry = Registry::new(program.names.clone(), program.roles.len(), usize::MAX);
        let numbers: Vec<u32> =
            program.initial.iter().filter_map(|&fact| registry.fact_number(&program.terms, fact, true)).collect();
        Self { program, registry, initial: State::from_bits(numbers) }
    }
}

/// It is there to compare others with, and has no limits.
const ROOM: &str = "there is always room";

/// A state worked out from the clauses, with relations of its own.
#[derive(Clone, Debug)]
pub(crate) struct RelationalPosition {
    terms: Terms,
    database: Database,
    /// What depends on the state alone, and what depends on moves.
    of_state: Evaluation,
    of_moves: Evaluation,
    state_relations: Vec<usize>,
    move_relations: Vec<usize>,
    facts: HashMap<TermId, u32>,
    moves: Vec<HashMap<TermId, (u32, String)>>,
    pub(crate) state: State,
    pub(crate) terminal: bool,
    pub(crate) legal: Vec<Vec<u32>>,
    pub(crate) goals: Vec<Vec<u8>>,
}

impl RelationalPosition {
    pub(crate) fn new(machine: &Relational) -> Self {
        let program = &machine.program;
        let mut after_moves: HashSet<Predicate> = [(DOES, 2), (NEXT, 1)].into_iter().collect();
        loop {
            let before = after_moves.len();
            for clause in &program.clauses {
                let reads =
                    |each: &Condition| each.sentence().is_some_and(|each| after_moves.contains(&each.predicate()));
                if clause.body.iter().any(reads) {
                    after_moves.insert(clause.head.predicate());
                }
            }
            if after_moves.len() == before {
                break;
            }
        }
        let (late, early): (Vec<Clause>, Vec<Clause>) =
            program.clauses.iter().cloned().partition(|clause| after_moves.contains(&clause.head.predicate()));
        let mut database = program.database.clone();
        let mut numbers = |late: bool| -> Vec<usize> {
            let wanted = program.dynamic.iter().filter(|each| after_moves.contains(each) == late);
            wanted.map(|&predicate| database.relation(predicate)).collect()
        };
        let (state_relations, move_relations) = (numbers(false), numbers(true));
        let mut position = Self {
            terms: program.terms.clone(),
            of_state: Evaluation::new(early, &mut Budget::new(&Limits::endless())),
            of_moves: Evaluation::new(late, &mut Budget::new(&Limits::endless())),
            state_relations,
            move_relations,
            facts: HashMap::new(),
            moves: vec![HashMap::new(); program.roles.len()],
            state: State::default(),
            terminal: false,
            legal: vec![Vec::new(); program.roles.len()],
            goals: vec![Vec::new(); program.roles.len()],
            database,
        };
        position.set(machine, &machine.initial);
        position
    }

    pub(crate) fn set(&mut self, machine: &Relational, state: &State) {
        for relation in self.state_relations.iter().chain(&self.move_relations) {
            self.database.clear(*relation);
        }
        let truth = self.database.relation((TRUE, 1));
        for number in state.bits() {
            let fact = machine.registry.fact_term(number, &mut self.terms);
            self.facts.insert(fact, number);
            let sentence = self.terms.intern(TRUE, &[fact]);
            self.database.insert(truth, sentence);
        }
        settle(&mut self.database, truth);
        self.of_state.run(&mut self.terms, &mut self.database, &mut Budget::new(&Limits::endless()));
        self.state = state.clone();
        self.terminal = self.terms.find(TERMINAL, &[]).is_some_and(|sentence| self.database.contains(sentence));
        self.legal.iter_mut().for_each(Vec::clear);
        self.goals.iter_mut().for_each(Vec::clear);
        let roles = &machine.program.roles;
        let seat = |role: TermId| roles.iter().position(|&each| each == role);
        let legal = self.database.relation((LEGAL, 2));
        let mut found: Vec<Vec<(String, u32)>> = vec![Vec::new(); roles.len()];
        for &sentence in &self.database.relations[legal].tuples {
            let [role, action] = *self.terms.arguments(sentence) else { continue };
            let Some(role) = seat(role) else { continue };
            let (number, text) = self.moves[role].entry(action).or_insert_with(|| {
                let number = machine.registry.move_number(role, &self.terms, action, true).expect(ROOM);
                (number, machine.registry.move_text(role, number))
            });
            found[role].push((text.clone(), *number));
        }
        for (legal, mut found) in self.legal.iter_mut().zip(found) {
            // By text, since numbers depend on what was met first.
            found.sort_unstable();
            legal.extend(found.into_iter().map(|(_, number)| number));
        }
        let goal = self.database.relation((GOAL, 2));
        for &sentence in &self.database.relations[goal].tuples {
            let [role, value] = *self.terms.arguments(sentence) else { continue };
            let value = machine.program.names.spelling(self.terms.name(value)).parse();
            if let (Some(role), Ok(value)) = (seat(role), value) {
                self.goals[role].push(value);
            }
        }
    }

    pub(crate) fn step(&mut self, machine: &Relational, joint: &[u32]) {
        let does = self.database.relation((DOES, 2));
        for (role, &action) in joint.iter().enumerate() {
            let action = machine.registry.move_term(role, action, &mut self.terms);
            let sentence = self.terms.intern(DOES, &[machine.program.roles[role], action]);
            self.database.insert(does, sentence);
        }
        settle(&mut self.database, does);
        self.of_moves.run(&mut self.terms, &mut self.database, &mut Budget::new(&Limits::endless()));
        let next = self.database.relation((NEXT, 1));
        let mut numbers = Vec::new();
        for &sentence in &self.database.relations[next].tuples {
            let fact = self.terms.arguments(sentence)[0];
            let terms = &self.terms;
            numbers.push(
                *self.facts.entry(fact).or_insert_with(|| machine.registry.fact_number(terms, fact, true).expect(ROOM)),
            );
        }
        self.set(machine, &State::from_bits(numbers));
    }
}
