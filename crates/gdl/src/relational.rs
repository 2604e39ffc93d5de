//! Games whose circuit would be too large: every state is worked out anew from the clauses, stratum by stratum.

use std::collections::{HashMap, HashSet};
use std::sync::{PoisonError, RwLock};

use crate::clauses::{Clause, Condition};
use crate::join::Database;
use crate::program::{Evaluation, Program, settle};
use crate::rules::{DOES, GOAL, LEGAL, NEXT, Predicate, TERMINAL, TRUE};
use crate::state::State;
use crate::terms::{TermId, Terms, read_term};

/// Facts and moves get their numbers when they are first met.
#[derive(Debug)]
struct Registry {
    terms: Terms,
    facts: Vec<TermId>,
    fact_numbers: HashMap<TermId, u32>,
    moves: Vec<Vec<TermId>>,
    move_numbers: Vec<HashMap<TermId, u32>>,
}

/// A game as clauses.
#[derive(Debug)]
pub(crate) struct Relational {
    program: Program,
    registry: RwLock<Registry>,
    pub(crate) initial: State,
}

impl Relational {
    pub(crate) fn new(program: Program) -> Self {
        let roles = program.roles.len();
        let registry = Registry {
            terms: Terms::new(),
            facts: Vec::new(),
            fact_numbers: HashMap::new(),
            moves: vec![Vec::new(); roles],
            move_numbers: vec![HashMap::new(); roles],
        };
        let mut machine = Self { program, registry: RwLock::new(registry), initial: State::default() };
        let numbers: Vec<u32> =
            machine.program.initial.iter().map(|&fact| machine.fact_number(&machine.program.terms, fact)).collect();
        machine.initial = State::from_bits(numbers);
        machine
    }

    fn read<T>(&self, look: impl FnOnce(&Registry) -> T) -> T {
        look(&self.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn fact_number(&self, terms: &Terms, fact: TermId) -> u32 {
        let known = self.read(|registry| {
            let term = registry.terms.find_from(terms, fact)?;
            registry.fact_numbers.get(&term).copied()
        });
        known.unwrap_or_else(|| {
            let mut registry = self.registry.write().unwrap_or_else(PoisonError::into_inner);
            let term = registry.terms.copy_from(terms, fact);
            let next = registry.facts.len() as u32;
            let number = *registry.fact_numbers.entry(term).or_insert(next);
            if number == next {
                registry.facts.push(term);
            }
            number
        })
    }

    pub(crate) fn move_number(&self, role: usize, terms: &Terms, action: TermId) -> u32 {
        let known = self.read(|registry| {
            let term = registry.terms.find_from(terms, action)?;
            registry.move_numbers[role].get(&term).copied()
        });
        known.unwrap_or_else(|| {
            let mut registry = self.registry.write().unwrap_or_else(PoisonError::into_inner);
            let term = registry.terms.copy_from(terms, action);
            let next = registry.moves[role].len() as u32;
            let number = *registry.move_numbers[role].entry(term).or_insert(next);
            if number == next {
                registry.moves[role].push(term);
            }
            number
        })
    }

    /// How many moves of the role have been met.
    pub(crate) fn moves(&self, role: usize) -> usize {
        self.read(|registry| registry.moves[role].len())
    }

    pub(crate) fn fact_text(&self, fact: u32) -> String {
        self.read(|registry| {
            let mut text = String::new();
            registry.terms.write(&self.program.names, registry.facts[fact as usize], &mut text);
            text
        })
    }

    pub(crate) fn move_text(&self, role: usize, action: u32) -> String {
        self.read(|registry| {
            let mut text = String::new();
            registry.terms.write(&self.program.names, registry.moves[role][action as usize], &mut text);
            text
        })
    }

    /// The number of the move of the role that a text means; `None` if it is no term of names that the sheet knows.
    pub(crate) fn read_move(&self, role: usize, text: &str) -> Option<u32> {
        let mut terms = self.program.terms.clone();
        let term = self.read_term(text, &mut terms)?;
        Some(self.move_number(role, &terms, term))
    }

    /// The state of which the texts are the facts, or the first text that is no term of names that the sheet knows.
    pub(crate) fn read_state<'a>(&self, facts: impl IntoIterator<Item = &'a str>) -> Result<State, &'a str> {
        let mut terms = self.program.terms.clone();
        let mut bits = Vec::new();
        for text in facts {
            let term = self.read_term(text, &mut terms).ok_or(text)?;
            bits.push(self.fact_number(&terms, term));
        }
        Ok(State::from_bits(bits))
    }

    fn read_term(&self, text: &str, terms: &mut Terms) -> Option<TermId> {
        read_term(text, &self.program.names, &mut |name, parts| Some(terms.intern(name, parts)))
    }

    fn fact_term(&self, fact: u32, terms: &mut Terms) -> TermId {
        self.read(|registry| terms.copy_from(&registry.terms, registry.facts[fact as usize]))
    }

    fn move_term(&self, role: usize, action: u32, terms: &mut Terms) -> TermId {
        self.read(|registry| terms.copy_from(&registry.terms, registry.moves[role][action as usize]))
    }
}

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
            of_state: Evaluation::new(early),
            of_moves: Evaluation::new(late),
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
            let fact = machine.fact_term(number, &mut self.terms);
            self.facts.insert(fact, number);
            let sentence = self.terms.intern(TRUE, &[fact]);
            self.database.insert(truth, sentence);
        }
        settle(&mut self.database, truth);
        self.of_state.run(&mut self.terms, &mut self.database, &mut u64::MAX.clone());
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
                let number = machine.move_number(role, &self.terms, action);
                (number, machine.move_text(role, number))
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
            let action = machine.move_term(role, action, &mut self.terms);
            let sentence = self.terms.intern(DOES, &[machine.program.roles[role], action]);
            self.database.insert(does, sentence);
        }
        settle(&mut self.database, does);
        self.of_moves.run(&mut self.terms, &mut self.database, &mut u64::MAX.clone());
        let next = self.database.relation((NEXT, 1));
        let mut numbers = Vec::new();
        for &sentence in &self.database.relations[next].tuples {
            let fact = self.terms.arguments(sentence)[0];
            let terms = &self.terms;
            numbers.push(*self.facts.entry(fact).or_insert_with(|| machine.fact_number(terms, fact)));
        }
        self.set(machine, &State::from_bits(numbers));
    }
}
