//! Tables of answers: every question is worked out once as long as what it depends on stays the same.

use crate::prove::code::Lifetime;
use crate::terms::{TermId, mix_in};

/// The number of a question with its answers; the upper two bits are its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableId(u32);

impl TableId {
    fn new(lifetime: usize, number: usize) -> Self {
        Self((lifetime as u32) << 30 | number as u32)
    }

    fn lifetime(self) -> usize {
        (self.0 >> 30) as usize
    }

    fn number(self) -> usize {
        (self.0 & 0x3fff_ffff) as usize
    }

    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

/// How far a question has been worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Not at all, or not to the end.
    New,
    /// It is being worked out, at this depth of the stack.
    Active(u32),
    /// All clauses were tried in the round with this number, but answers of a question at the given depth were missing.
    Waiting { round: u32, low: u32 },
    /// All answers are there.
    Complete,
}

#[derive(Clone, Debug)]
struct Table {
    procedure: u32,
    first_key: u32,
    keys: u32,
    width: u32,
    count: u32,
    status: Status,
    answers: Vec<TermId>,
}

const EMPTY: u32 = u32::MAX;
/// Up to so many answers are compared one by one; more are found by their hash.
const FEW: usize = 8;

/// The tables of one lifetime.
#[derive(Clone, Debug)]
struct Shelf {
    /// Those after the first `live` wait for other questions, with the memory of their answers.
    tables: Vec<Table>,
    live: usize,
    keys: Vec<TermId>,
    /// Open addressing by question, at most half full.
    slots: Vec<u32>,
    /// Open addressing by answer: table and number.
    seen: Vec<(u32, u32)>,
    seen_count: usize,
    /// Bytes of answers.
    bytes: usize,
}

/// All tables.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    shelves: [Shelf; 3],
}

fn spread(hash: u64) -> usize {
    (hash ^ (hash >> 29)) as usize
}

impl Shelf {
    fn new() -> Self {
        Self {
            tables: Vec::new(),
            live: 0,
            keys: Vec::new(),
            slots: vec![EMPTY; 64],
            seen: vec![(EMPTY, 0); 64],
            seen_count: 0,
            bytes: 0,
        }
    }

    fn slot(&self, procedure: u32, keys: &[TermId]) -> usize {
        let hash = keys.iter().fold(mix_in(0, procedure), |hash, &key| mix_in(hash, key));
        let mask = self.slots.len() - 1;
        let mut slot = spread(hash) & mask;
        while self.slots[slot] != EMPTY {
            let table = &self.tables[self.slots[slot] as usize];
            let from = table.first_key as usize;
            if table.procedure == procedure && self.keys[from..from + table.keys as usize] == *keys {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn table(&mut self, procedure: u32, width: usize, keys: &[TermId]) -> usize {
        let slot = self.slot(procedure, keys);
        if self.slots[slot] != EMPTY {
            return self.slots[slot] as usize;
        }
        let number = self.live;
        self.slots[slot] = number as u32;
        if number == self.tables.len() {
            let (status, answers) = (Status::New, Vec::new());
            self.tables.push(Table { procedure, first_key: 0, keys: 0, width: 0, count: 0, status, answers });
        }
        let table = &mut self.tables[number];
        table.procedure = procedure;
        table.first_key = self.keys.len() as u32;
        table.keys = keys.len() as u32;
        table.width = width as u32;
        table.count = 0;
        table.status = Status::New;
        table.answers.clear();
        self.keys.extend_from_slice(keys);
        self.live += 1;
        if self.live * 2 > self.slots.len() {
            let size = self.slots.len() * 2;
            self.slots = Vec::new();
            self.slots = vec![EMPTY; size];
            for number in 0..self.live {
                let table = &self.tables[number];
                let from = table.first_key as usize;
                let free = self.slot(table.procedure, &self.keys[from..from + table.keys as usize]);
                self.slots[free] = number as u32;
            }
        }
        number
    }

    /// Where an answer is, or would be, among those that are found by their hash.
    fn seen_slot(&self, number: usize, answer: &[TermId]) -> (usize, bool) {
        let hash = answer.iter().fold(mix_in(1, number as u32), |hash, &term| mix_in(hash, term));
        let mask = self.seen.len() - 1;
        let mut slot = spread(hash) & mask;
        loop {
            let (table, at) = self.seen[slot];
            if table == EMPTY {
                return (slot, false);
            }
            if table as usize == number && self.answer(number, at) == answer {
                return (slot, true);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn answer(&self, number: usize, at: u32) -> &[TermId] {
        let table = &self.tables[number];
        let from = (at * table.width) as usize;
        &table.answers[from..from + table.width as usize]
    }

    fn note(&mut self, number: usize, at: u32) {
        let (slot, found) = self.seen_slot(number, self.answer(number, at));
        if found {
            return;
        }
        self.seen[slot] = (number as u32, at);
        self.seen_count += 1;
        if self.seen_count * 2 > self.seen.len() {
            let larger = vec![(EMPTY, 0); self.seen.len() * 2];
            let old = std::mem::replace(&mut self.seen, larger);
            for (table, at) in old.into_iter().filter(|(table, _)| *table != EMPTY) {
                let (slot, _) = self.seen_slot(table as usize, self.answer(table as usize, at));
                self.seen[slot] = (table, at);
            }
        }
    }

    fn add(&mut self, number: usize, answer: &[TermId]) -> bool {
        let count = self.tables[number].count as usize;
        let known = match count {
            0 => false,
            _ if answer.is_empty() => true,
            1..=FEW => self.tables[number].answers.chunks_exact(answer.len()).any(|each| each == answer),
            _ => self.seen_slot(number, answer).1,
        };
        if known {
            return false;
        }
        let table = &mut self.tables[number];
        let before = table.answers.capacity();
        table.answers.extend_from_slice(answer);
        table.count += 1;
        self.bytes += (table.answers.capacity() - before) * 4;
        if !answer.is_empty() {
            if count == FEW {
                (0..=FEW as u32).for_each(|at| self.note(number, at));
            } else if count > FEW {
                self.note(number, count as u32);
            }
        }
        true
    }

    /// Forgets all questions but keeps the memory, unless it is out of proportion.
    fn clear(&mut self) {
        const MOST_KEPT: usize = 1 << 16;
        self.keys.clear();
        self.seen_count = 0;
        if self.slots.len() > MOST_KEPT.max(self.live * 8) || self.seen.len() > MOST_KEPT * 4 || self.bytes > 1 << 24 {
            *self = Self::new();
            return;
        }
        self.live = 0;
        self.slots.fill(EMPTY);
        self.seen.fill((EMPTY, 0));
    }

    fn bytes(&self) -> usize {
        self.bytes
            + self.tables.capacity() * size_of::<Table>()
            + (self.keys.capacity() + self.slots.len() + self.seen.len() * 2) * 4
    }
}

impl Tables {
    pub(crate) fn new() -> Self {
        Self { shelves: [Shelf::new(), Shelf::new(), Shelf::new()] }
    }

    /// The table of a question, new if it was not asked before.
    pub(crate) fn table(&mut self, lifetime: Lifetime, procedure: u32, width: usize, keys: &[TermId]) -> TableId {
        let shelf = lifetime as usize;
        TableId::new(shelf, self.shelves[shelf].table(procedure, width, keys))
    }

    #[inline]
    pub(crate) fn status(&self, table: TableId) -> Status {
        self.shelves[table.lifetime()].tables[table.number()].status
    }

    pub(crate) fn set_status(&mut self, table: TableId, status: Status) {
        self.shelves[table.lifetime()].tables[table.number()].status = status;
    }

    pub(crate) fn procedure(&self, table: TableId) -> u32 {
        self.shelves[table.lifetime()].tables[table.number()].procedure
    }

    #[inline]
    pub(crate) fn key(&self, table: TableId, key: usize) -> TermId {
        let shelf = &self.shelves[table.lifetime()];
        shelf.keys[shelf.tables[table.number()].first_key as usize + key]
    }

    /// How many answers there are.
    #[inline]
    pub(crate) fn count(&self, table: TableId) -> u32 {
        self.shelves[table.lifetime()].tables[table.number()].count
    }

    #[inline]
    pub(crate) fn answer(&self, table: TableId, at: u32) -> &[TermId] {
        self.shelves[table.lifetime()].answer(table.number(), at)
    }

    /// Adds an answer; false if it was there.
    pub(crate) fn add(&mut self, table: TableId, answer: &[TermId]) -> bool {
        self.shelves[table.lifetime()].add(table.number(), answer)
    }

    /// Forgets what is right only as long as something of this lifetime.
    pub(crate) fn clear(&mut self, lifetime: Lifetime) {
        self.shelves[lifetime as usize].clear();
    }

    /// Forgets everything, with its memory.
    pub(crate) fn reset(&mut self) {
        *self = Self::new();
    }

    /// About how many bytes all of them take.
    pub(crate) fn bytes(&self) -> usize {
        self.shelves.iter().map(Shelf::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers_are_kept_once() {
        let mut tables = Tables::new();
        let ids: Vec<TableId> = (0..500).map(|key| tables.table(Lifetime::State, key % 3, 2, &[key, 7])).collect();
        for (key, &id) in (0..500).zip(&ids) {
            assert_eq!(tables.table(Lifetime::State, key % 3, 2, &[key, 7]), id);
            assert_eq!((tables.procedure(id), tables.key(id, 0), tables.status(id)), (key % 3, key, Status::New));
            for term in 0..40 {
                assert!(tables.add(id, &[term, key]));
            }
            assert!(!(0..40).any(|term| tables.add(id, &[term, key])));
            assert_eq!((tables.count(id), tables.answer(id, 39)), (40, [39, key].as_slice()));
        }
        let other = tables.table(Lifetime::Moves, 0, 0, &[0, 7]);
        assert!(!ids.contains(&other));
        assert!(tables.add(other, &[]) && !tables.add(other, &[]));
        tables.clear(Lifetime::State);
        assert_eq!(tables.count(tables.clone().table(Lifetime::Moves, 0, 0, &[0, 7])), 1);
        let again = tables.table(Lifetime::State, 0, 2, &[0, 7]);
        assert_eq!(tables.count(again), 0, "what is forgotten is gone");
    }
}
