//! Relations of ground sentences, with indexes by what a look-up knows.

use std::collections::HashMap;

use spinney_core::hashed::HashedMap;

use crate::pattern::{KeyShape, collect_keys, key_of, spread};
use crate::rules::Predicate;
use crate::terms::{TermId, Terms};

/// Where sentences stand in their relation, by what is known of them.
#[derive(Clone, Debug)]
struct Index {
    shape: Vec<KeyShape>,
    /// The number of the list of each key.
    buckets: HashedMap<u32>,
    /// The places of the sentences with a key, in order; those after the first `live` are empty and wait for new keys.
    lists: Vec<Vec<u32>>,
    live: usize,
    indexed: usize,
}

impl Index {
    fn clear(&mut self) {
        self.buckets.clear();
        self.lists[..self.live].iter_mut().for_each(Vec::clear);
        self.live = 0;
        self.indexed = 0;
    }

    fn bytes(&self) -> usize {
        self.buckets.capacity() * 13 + self.lists.len() * 24 + self.indexed * 8
    }
}

/// The sentences of one relation, in the order in which they were derived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relation {
    pub(crate) tuples: Vec<TermId>,
    /// What was there before the last round, and before this one.
    pub(crate) old: usize,
    pub(crate) now: usize,
    indexes: Vec<Index>,
}

/// All relations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Database {
    numbers: HashMap<Predicate, usize>,
    pub(crate) relations: Vec<Relation>,
    /// One more than the place of a sentence in its relation; 0 if it is not there.
    places: Vec<u32>,
    estimates: HashMap<(usize, Vec<KeyShape>), (usize, f64)>,
}

impl Database {
    pub(crate) fn relation(&mut self, predicate: Predicate) -> usize {
        let next = self.relations.len();
        let number = *self.numbers.entry(predicate).or_insert(next);
        if number == next {
            self.relations.push(Relation::default());
        }
        number
    }

    pub(crate) fn place(&self, sentence: TermId) -> Option<usize> {
        match self.places.get(sentence as usize) {
            Some(&place) if place > 0 => Some(place as usize - 1),
            _ => None,
        }
    }

    pub(crate) fn contains(&self, sentence: TermId) -> bool {
        self.place(sentence).is_some()
    }

    /// Adds a sentence; false if it was there.
    pub(crate) fn insert(&mut self, relation: usize, sentence: TermId) -> bool {
        let at = sentence as usize;
        if at >= self.places.len() {
            self.places.resize((at + 1).max(self.places.len() * 2), 0);
        }
        if self.places[at] > 0 {
            return false;
        }
        let tuples = &mut self.relations[relation].tuples;
        tuples.push(sentence);
        self.places[at] = tuples.len() as u32;
        true
    }

    /// Forgets all sentences of a relation.
    pub(crate) fn clear(&mut self, relation: usize) {
        let relation = &mut self.relations[relation];
        for sentence in relation.tuples.drain(..) {
            self.places[sentence as usize] = 0;
        }
        relation.old = 0;
        relation.now = 0;
        relation.indexes.iter_mut().for_each(Index::clear);
    }

    /// The number of the index of a relation by what is known.
    pub(crate) fn index(&mut self, relation: usize, shape: &[KeyShape]) -> usize {
        let indexes = &mut self.relations[relation].indexes;
        indexes.iter().position(|index| index.shape == shape).unwrap_or_else(|| {
            indexes.push(Index {
                shape: shape.to_vec(),
                buckets: HashedMap::default(),
                lists: Vec::new(),
                live: 0,
                indexed: 0,
            });
            indexes.len() - 1
        })
    }

    /// Brings an index up to date.
    pub(crate) fn refresh(&mut self, terms: &Terms, relation: usize, index: usize) {
        let Relation { tuples, indexes, .. } = &mut self.relations[relation];
        let Index { shape, buckets, lists, live, indexed } = &mut indexes[index];
        for (place, &tuple) in tuples.iter().enumerate().skip(*indexed) {
            if let Some(key) = key_of(terms, shape, tuple) {
                let list = *buckets.entry(key).or_insert(*live as u32) as usize;
                if list == *live {
                    *live += 1;
                    if list == lists.len() {
                        lists.push(Vec::new());
                    }
                }
                lists[list].push(place as u32);
            }
        }
        *indexed = tuples.len();
    }

    /// The number of the list of what has this key in an index that is up to date.
    #[inline]
    pub(crate) fn bucket(&self, relation: usize, index: usize, key: u64) -> Option<u32> {
        self.relations[relation].indexes[index].buckets.get(&spread(key)).copied()
    }

    /// The places of the sentences in a list of an index. Keys may share a list: who reads it compares.
    #[inline]
    pub(crate) fn list(&self, relation: usize, index: usize, list: u32) -> &[u32] {
        &self.relations[relation].indexes[index].lists[list as usize]
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let of = |relation: &Relation| {
            relation.tuples.capacity() * 4 + relation.indexes.iter().map(Index::bytes).sum::<usize>()
        };
        self.places.capacity() * 4 + self.relations.iter().map(of).sum::<usize>()
    }

    /// About how many sentences a look-up of this shape finds.
    pub(crate) fn estimate(&mut self, terms: &Terms, relation: usize, shape: &[KeyShape]) -> f64 {
        let size = self.relations[relation].tuples.len();
        if let Some(&(then, found)) = self.estimates.get(&(relation, shape.to_vec()))
            && size <= then * 2
            && size * 2 >= then
        {
            return found * (size as f64 / then.max(1) as f64).max(0.01);
        }
        const SAMPLE: usize = 2048;
        let step = (size / SAMPLE).max(1);
        let mut columns: Vec<std::collections::HashSet<TermId>> = Vec::new();
        let (mut seen, mut fits) = (0usize, 0usize);
        let mut keys = Vec::new();
        for &tuple in self.relations[relation].tuples.iter().step_by(step) {
            seen += 1;
            keys.clear();
            if collect_keys(terms, shape, terms.arguments(tuple), &mut keys) {
                fits += 1;
                columns.resize_with(keys.len(), Default::default);
                for (column, key) in columns.iter_mut().zip(&keys) {
                    column.insert(*key);
                }
            }
        }
        let fitting = size as f64 * fits as f64 / seen.max(1) as f64;
        let different: f64 = columns.iter().map(|column| column.len().max(1) as f64).product();
        let found = fitting / different.min(fitting.max(1.0));
        self.estimates.insert((relation, shape.to_vec()), (size, found));
        found
    }
}
