//! Ground terms, each stored once and known by its number.

use crate::expression::Expression;
use crate::rules::{Name, Names, Term};

/// The number of a ground term; equal terms have equal numbers.
pub(crate) type TermId = u32;

const EMPTY: u32 = u32::MAX;

/// All ground terms met so far. A sentence without variables is a term too: its relation with arguments.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// Name, and where the arguments end; they begin where those of the term before end.
    heads: Vec<(Name, u32)>,
    arguments: Vec<TermId>,
    /// Hash tables, chosen by the upper bits of a hash: one as long as it is small, then many, so that none takes long to
    /// grow and whoever waits for building to end need not wait for that.
    shards: Vec<Shard>,
    /// How many upper bits there are.
    bits: u32,
    /// Slots of all tables.
    slots: usize,
}

/// Open addressing; a power of two, at most half full.
#[derive(Clone, Debug)]
struct Shard {
    slots: Vec<u32>,
    count: usize,
}

impl Shard {
    fn new(slots: usize) -> Self {
        Self { slots: vec![EMPTY; slots], count: 0 }
    }
}

const FIRST_SLOTS: usize = 1024;
/// A single table grows no larger than this.
const MOST_ALONE: usize = 1 << 16;
const MANY_BITS: u32 = 6;

/// A multiplication spreads each word over the hash of those before.
#[inline(always)]
pub(crate) fn mix_in(hash: u64, word: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
}

impl Terms {
    pub(crate) fn new() -> Self {
        let shards = vec![Shard::new(FIRST_SLOTS)];
        Self { heads: Vec::new(), arguments: Vec::new(), shards, bits: 0, slots: FIRST_SLOTS }
    }

    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// How many bytes it takes.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.heads.capacity() * 8 + (self.arguments.capacity() + self.slots) * 4
    }

    /// Forgets all terms but the first ones.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.heads.truncate(count);
        self.arguments.truncate(self.heads.last().map_or(0, |head| head.1 as usize));
        self.heads.shrink_to_fit();
        self.arguments.shrink_to_fit();
        let slots = (count * 4).next_power_of_two().max(FIRST_SLOTS);
        self.spread(if slots > MOST_ALONE { MANY_BITS } else { 0 }, slots);
    }

    /// Makes new tables of all terms, with about so many slots.
    fn spread(&mut self, bits: u32, slots: usize) {
        self.bits = bits;
        self.shards = Vec::new();
        self.shards.resize_with(1 << bits, || Shard::new((slots >> bits).max(2)));
        self.slots = self.shards.iter().map(|shard| shard.slots.len()).sum();
        for each in 0..self.heads.len() as TermId {
            self.enter(each);
        }
    }

    /// Puts a term into its table, which grows if need be.
    fn enter(&mut self, term: TermId) {
        let (shard, slot) = self.slot(self.name(term), self.arguments(term));
        let table = &mut self.shards[shard];
        table.slots[slot] = term;
        table.count += 1;
        if table.count * 2 > table.slots.len() {
            self.grow(shard);
        }
    }

    fn grow(&mut self, shard: usize) {
        let size = self.shards[shard].slots.len();
        if self.bits == 0 && size >= MOST_ALONE {
            self.spread(MANY_BITS, size * 2);
            return;
        }
        let old = std::mem::replace(&mut self.shards[shard], Shard::new(size * 2));
        self.slots += size;
        for term in old.slots.into_iter().filter(|&term| term != EMPTY) {
            let (_, slot) = self.slot(self.name(term), self.arguments(term));
            self.shards[shard].slots[slot] = term;
        }
        self.shards[shard].count = old.count;
    }

    #[inline]
    pub(crate) fn name(&self, term: TermId) -> Name {
        self.heads[term as usize].0
    }

    #[inline]
    pub(crate) fn arguments(&self, term: TermId) -> &[TermId] {
        let at = term as usize;
        let start = if at == 0 { 0 } else { self.heads[at - 1].1 };
        &self.arguments[start as usize..self.heads[at].1 as usize]
    }

    /// The table of a term, and the slot that it has or would have there.
    #[inline]
    fn slot(&self, name: Name, arguments: &[TermId]) -> (usize, usize) {
        let hash = arguments.iter().fold(mix_in(arguments.len() as u64, name), |hash, &word| mix_in(hash, word));
        let shard = ((hash >> 1) >> (63 - self.bits)) as usize;
        let slots = self.shards[shard].slots.as_slice();
        let mask = slots.len() - 1;
        let mut slot = (hash >> 20) as usize & mask;
        loop {
            let term = slots[slot];
            if term == EMPTY || (self.name(term) == name && self.arguments(term) == arguments) {
                return (shard, slot);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The term, if it has been met.
    pub(crate) fn find(&self, name: Name, arguments: &[TermId]) -> Option<TermId> {
        let (shard, slot) = self.slot(name, arguments);
        let term = self.shards[shard].slots[slot];
        (term != EMPTY).then_some(term)
    }

    pub(crate) fn intern(&mut self, name: Name, arguments: &[TermId]) -> TermId {
        let (shard, slot) = self.slot(name, arguments);
        let table = &mut self.shards[shard];
        if table.slots[slot] != EMPTY {
            return table.slots[slot];
        }
        let term = self.heads.len() as TermId;
        self.arguments.extend_from_slice(arguments);
        self.heads.push((name, self.arguments.len() as u32));
        table.slots[slot] = term;
        table.count += 1;
        if table.count * 2 > table.slots.len() {
            self.grow(shard);
        }
        term
    }

    /// The number of a term without variables.
    pub(crate) fn ground(&mut self, term: &Term) -> Option<TermId> {
        match term {
            Term::Variable(_) => None,
            Term::Compound(name, arguments) => {
                let arguments = arguments.iter().map(|each| self.ground(each)).collect::<Option<Vec<_>>>()?;
                Some(self.intern(*name, &arguments))
            }
        }
    }

    /// The same term among other terms.
    pub(crate) fn copy_from(&mut self, other: &Self, term: TermId) -> TermId {
        other.rebuild(term, &mut |name, parts| Some(self.intern(name, parts))).unwrap_or(EMPTY)
    }

    /// The number here of a term of another store, if it is here.
    pub(crate) fn find_from(&self, other: &Self, term: TermId) -> Option<TermId> {
        other.rebuild(term, &mut |name, parts| self.find(name, parts))
    }

    /// Makes a term from the inside out. Play may nest terms deeper than a stack of calls would bear.
    fn rebuild(&self, term: TermId, make: &mut dyn FnMut(Name, &[TermId]) -> Option<TermId>) -> Option<TermId> {
        let (mut todo, mut made) = (vec![(term, false)], Vec::new());
        while let Some((term, open)) = todo.pop() {
            let arguments = self.arguments(term);
            if open || arguments.is_empty() {
                let start = made.len() - arguments.len();
                let whole = make(self.name(term), &made[start..])?;
                made.truncate(start);
                made.push(whole);
            } else {
                todo.push((term, true));
                todo.extend(arguments.iter().rev().map(|&argument| (argument, false)));
            }
        }
        made.pop()
    }

    /// Writes the term as the sheet spells it.
    pub(crate) fn write(&self, names: &Names, term: TermId, text: &mut String) {
        let (mut todo, mut first) = (vec![Some(term)], true);
        while let Some(next) = todo.pop() {
            let Some(term) = next else {
                text.push(')');
                continue;
            };
            if !std::mem::take(&mut first) {
                text.push(' ');
            }
            let arguments = self.arguments(term);
            if !arguments.is_empty() {
                text.push('(');
                todo.push(None);
            }
            text.push_str(names.spelling(self.name(term)));
            todo.extend(arguments.iter().rev().map(|&argument| Some(argument)));
        }
    }
}

/// A ground term whose names the sheet knows; `make` finds or makes it from its parts.
pub(crate) fn read_term(
    text: &str,
    names: &Names,
    make: &mut dyn FnMut(Name, &[TermId]) -> Option<TermId>,
) -> Option<TermId> {
    fn term(
        expression: &Expression,
        names: &Names,
        make: &mut dyn FnMut(Name, &[TermId]) -> Option<TermId>,
    ) -> Option<TermId> {
        match expression {
            Expression::Name(_, word) => make(names.find(word)?, &[]),
            Expression::List(_, members) => {
                let (Expression::Name(_, word), rest) = members.split_first()? else { return None };
                let rest = rest.iter().map(|each| term(each, names, make)).collect::<Option<Vec<_>>>()?;
                make(names.find(word)?, &rest)
            }
        }
    }
    match Expression::read_all(text).ok()?.as_slice() {
        [single] => term(single, names, make),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_nested_deeply_are_copied_and_found() {
        let (mut terms, mut other) = (Terms::new(), Terms::new());
        let mut deep = terms.intern(1, &[]);
        for _ in 0..1_000_000 {
            deep = terms.intern(2, &[deep]);
        }
        assert_eq!(other.find_from(&terms, deep), None);
        let copy = other.copy_from(&terms, deep);
        assert_eq!(other.find_from(&terms, deep), Some(copy));
        terms.truncate(3);
        assert_eq!(
            (terms.len(), terms.find(2, &[0]), terms.find(2, &[1]), terms.find(2, &[2])),
            (3, Some(1), Some(2), None)
        );
    }

    #[test]
    fn equal_terms_are_one() {
        let mut terms = Terms::new();
        // So many that there are several tables.
        let constants: Vec<TermId> = (0..60_000).map(|name| terms.intern(name, &[])).collect();
        let pairs: Vec<TermId> = constants.windows(2).map(|pair| terms.intern(7, pair)).collect();
        assert_eq!(terms.len(), 119_999);
        for (pair, term) in constants.windows(2).zip(&pairs) {
            assert_eq!(terms.find(7, pair), Some(*term));
            assert_eq!(terms.arguments(*term), pair);
        }
        assert_eq!(terms.find(60_001, &constants[..2]), None);
    }
}
