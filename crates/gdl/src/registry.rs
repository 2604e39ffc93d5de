//! Facts and moves that get their numbers when they are first met, for machines that do not know them beforehand.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use crate::rules::Names;
use crate::state::State;
use crate::terms::{TermId, Terms, read_term};

/// The facts and moves that were met, shared by all cursors of a machine.
#[derive(Debug)]
pub(crate) struct Registry {
    names: Names,
    met: RwLock<Met>,
}

#[derive(Debug)]
struct Met {
    terms: Terms,
    facts: Vec<TermId>,
    fact_numbers: HashMap<TermId, u32>,
    moves: Vec<Vec<TermId>>,
    move_numbers: Vec<HashMap<TermId, u32>>,
}

impl Registry {
    pub(crate) fn new(names: Names, roles: usize) -> Self {
        let met = Met {
            terms: Terms::new(),
            facts: Vec::new(),
            fact_numbers: HashMap::new(),
            moves: vec![Vec::new(); roles],
            move_numbers: vec![HashMap::new(); roles],
        };
        Self { names, met: RwLock::new(met) }
    }

    fn read<T>(&self, look: impl FnOnce(&Met) -> T) -> T {
        look(&self.met.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The number of a fact that stands among other terms.
    pub(crate) fn fact_number(&self, terms: &Terms, fact: TermId) -> u32 {
        let known = self.read(|met| {
            let term = met.terms.find_from(terms, fact)?;
            met.fact_numbers.get(&term).copied()
        });
        known.unwrap_or_else(|| {
            let mut met = self.met.write().unwrap_or_else(PoisonError::into_inner);
            let term = met.terms.copy_from(terms, fact);
            let next = met.facts.len() as u32;
            let number = *met.fact_numbers.entry(term).or_insert(next);
            if number == next {
                met.facts.push(term);
            }
            number
        })
    }

    /// The number of a move that stands among other terms.
    pub(crate) fn move_number(&self, role: usize, terms: &Terms, action: TermId) -> u32 {
        let known = self.read(|met| {
            let term = met.terms.find_from(terms, action)?;
            met.move_numbers[role].get(&term).copied()
        });
        known.unwrap_or_else(|| {
            let mut met = self.met.write().unwrap_or_else(PoisonError::into_inner);
            let term = met.terms.copy_from(terms, action);
            let next = met.moves[role].len() as u32;
            let number = *met.move_numbers[role].entry(term).or_insert(next);
            if number == next {
                met.moves[role].push(term);
            }
            number
        })
    }

    /// How many moves of the role have been met.
    pub(crate) fn moves(&self, role: usize) -> usize {
        self.read(|met| met.moves[role].len())
    }

    pub(crate) fn fact_text(&self, fact: u32) -> String {
        self.read(|met| {
            let mut text = String::new();
            met.terms.write(&self.names, met.facts[fact as usize], &mut text);
            text
        })
    }

    pub(crate) fn move_text(&self, role: usize, action: u32) -> String {
        self.read(|met| {
            let mut text = String::new();
            met.terms.write(&self.names, met.moves[role][action as usize], &mut text);
            text
        })
    }

    /// The number of the move of the role that a text means; `None` if it is no term of names that the sheet knows.
    pub(crate) fn read_move(&self, role: usize, text: &str) -> Option<u32> {
        let mut terms = Terms::new();
        let term = self.read_term(text, &mut terms)?;
        Some(self.move_number(role, &terms, term))
    }

    /// The state of which the texts are the facts, or the first text that is no term of names that the sheet knows.
    pub(crate) fn read_state<'a>(&self, facts: impl IntoIterator<Item = &'a str>) -> Result<State, &'a str> {
        let mut terms = Terms::new();
        let mut bits = Vec::new();
        for text in facts {
            let term = self.read_term(text, &mut terms).ok_or(text)?;
            bits.push(self.fact_number(&terms, term));
        }
        Ok(State::from_bits(bits))
    }

    fn read_term(&self, text: &str, terms: &mut Terms) -> Option<TermId> {
        read_term(text, &self.names, &mut |name, parts| Some(terms.intern(name, parts)))
    }

    /// A fact as a term among others.
    pub(crate) fn fact_term(&self, fact: u32, terms: &mut Terms) -> TermId {
        self.read(|met| terms.copy_from(&met.terms, met.facts[fact as usize]))
    }

    /// A move as a term among others.
    pub(crate) fn move_term(&self, role: usize, action: u32, terms: &mut Terms) -> TermId {
        self.read(|met| terms.copy_from(&met.terms, met.moves[role][action as usize]))
    }

    /// The words of the sheet.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }
}
