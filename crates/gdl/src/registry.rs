//! Facts and moves that get their numbers when they are first met, for machines that do not know them beforehand.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use crate::rules::Names;
use crate::state::State;
use crate::terms::{TermId, Terms, read_term};

/// The facts and moves that were met, shared by all cursors of a machine.
#[derive(Debug)]
pub(crate) struct Registry {
    names: Names,
    met: RwLock<Met>,
    /// Bytes that may be taken before nothing new is numbered; those who follow a real game have as many again.
    most_bytes: usize,
}

#[derive(Debug)]
struct Met {
    terms: Terms,
    facts: Vec<TermId>,
    fact_numbers: HashMap<TermId, u32>,
    moves: Vec<Vec<TermId>>,
    move_numbers: Vec<HashMap<TermId, u32>>,
}

impl Met {
    /// About how many bytes it takes: terms, and for each number a place in a list and one in a table.
    fn bytes(&self) -> usize {
        const EACH: usize = 20;
        let numbers = self.facts.capacity() + self.moves.iter().map(Vec::capacity).sum::<usize>();
        self.terms.bytes() + numbers * EACH
    }
}

impl Registry {
    pub(crate) fn new(names: Names, roles: usize, most_bytes: usize) -> Self {
        let met = Met {
            terms: Terms::new(),
            facts: Vec::new(),
            fact_numbers: HashMap::new(),
            moves: vec![Vec::new(); roles],
            move_numbers: vec![HashMap::new(); roles],
        };
        Self { names, met: RwLock::new(met), most_bytes }
    }

    fn read<T>(&self, look: impl FnOnce(&Met) -> T) -> T {
        look(&self.met.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// To add something; `None` if there is no room. Half of the room is for those who follow a real game.
    fn write(&self, is_real: bool) -> Option<RwLockWriteGuard<'_, Met>> {
        let met = self.met.write().unwrap_or_else(PoisonError::into_inner);
        let most = if is_real { self.most_bytes.saturating_mul(2) } else { self.most_bytes };
        (met.bytes() <= most).then_some(met)
    }

    /// The number of a fact that stands among other terms; `None` if it is new and there is no room.
    pub(crate) fn fact_number(&self, terms: &Terms, fact: TermId, is_real: bool) -> Option<u32> {
        let known = self.read(|met| {
            let term = met.terms.find_from(terms, fact)?;
            met.fact_numbers.get(&term).copied()
        });
        known.or_else(|| {
            let mut met = self.write(is_real)?;
            let term = met.terms.copy_from(terms, fact);
            let next = met.facts.len() as u32;
            let number = *met.fact_numbers.entry(term).or_insert(next);
            if number == next {
                met.facts.push(term);
            }
            Some(number)
        })
    }

    /// The number of a move that stands among other terms; `None` if it is new and there is no room.
    pub(crate) fn move_number(&self, role: usize, terms: &Terms, action: TermId, is_real: bool) -> Option<u32> {
        let known = self.read(|met| {
            let term = met.terms.find_from(terms, action)?;
            met.move_numbers[role].get(&term).copied()
        });
        known.or_else(|| {
            let mut met = self.write(is_real)?;
            let term = met.terms.copy_from(terms, action);
            let next = met.moves[role].len() as u32;
            let number = *met.move_numbers[role].entry(term).or_insert(next);
            if number == next {
                met.moves[role].push(term);
            }
            Some(number)
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
        self.move_number(role, &terms, term, true)
    }

    /// The state of which the texts are the facts, or the first text that is no term of names that the sheet knows.
    pub(crate) fn read_state<'a>(&self, facts: impl IntoIterator<Item = &'a str>) -> Result<State, &'a str> {
        let mut terms = Terms::new();
        let mut bits = Vec::new();
        for text in facts {
            let term = self.read_term(text, &mut terms).ok_or(text)?;
            bits.push(self.fact_number(&terms, term, true).ok_or(text)?);
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
