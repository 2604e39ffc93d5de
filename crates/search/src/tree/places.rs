//! Where the nodes of a tree lie in memory. On a processor what selection reads of a child stands in columns of its own, so
//! that the best of a thousand children is found with vector instructions. A card fetches each word of a thread alone, 32
//! bytes at a time, and writes as much back: there a node is two rows, so that a simulation touches two such pieces of it
//! where it touched five.

use super::{Node, NodeId, WHOLE};
use crate::best::{Score, Standing, argmax, argmax_of};
use alloc::{boxed::Box, vec, vec::Vec};
use core::ops::Range;

/// The nodes of a tree by their places.
pub trait Places<M>: Default {
    /// Bytes of a place, and bytes more for where the list of its moves begins.
    const BYTES: usize;
    /// See [`Self::BYTES`].
    const LIST_BYTES: usize;
    /// Whether trees may hold more than every search needs, have a limit of bytes and tell variances.
    const EXTRAS: bool;

    /// Asks for memory for so many places and, if they have lists, for so many moves; false if there is none.
    fn reserve(&mut self, places: usize, moves: Option<usize>, has_orders: bool) -> bool;
    /// Whether there is memory for so many more, where it does not grow.
    fn have_room(&self, places: usize, moves: usize) -> bool;
    /// How many there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Gives all of them up, and all lists.
    fn clear(&mut self);
    /// More of them, with nodes of these moves.
    fn extend(&mut self, moves: impl ExactSizeIterator<Item = M>, has_lists: bool);
    /// More of them with lists, of which nobody reads one before it is made fresh or copied to.
    fn extend_blank(&mut self, count: usize);
    /// A place becomes a node without visits.
    fn make_fresh(&mut self, place: NodeId, mv: M);
    /// Copies so many nodes with their lists; the two blocks do not overlap.
    fn copy(&mut self, from: NodeId, to: NodeId, count: usize);
    /// Lets two nodes change places.
    fn swap(&mut self, a: NodeId, b: NodeId, has_lists: bool);

    /// The word of visits, in which what is proven is marked by the highest bit.
    fn word(&self, place: NodeId) -> u32;
    /// The same, to be changed.
    fn word_mut(&mut self, place: NodeId) -> &mut u32;
    /// The value that selection reads: the mean, or ±∞ where a win or loss is proven.
    fn value(&self, place: NodeId) -> f32;
    /// The same, to be changed.
    fn value_mut(&mut self, place: NodeId) -> &mut f32;
    /// The rest.
    fn node(&self, place: NodeId) -> &Node<M>;
    /// The same, to be changed.
    fn node_mut(&mut self, place: NodeId) -> &mut Node<M>;
    /// Changes word, value and the rest at once.
    fn update(&mut self, place: NodeId, change: impl FnOnce(&mut u32, &mut f32, &mut Node<M>));
    /// Where the list of its moves begins.
    fn list(&self, place: NodeId) -> u32;
    /// Says where it begins.
    fn set_list(&mut self, place: NodeId, list: u32);
    /// The number of the best of so many places from one on, the first of equals, and its score.
    fn best(&self, first: NodeId, count: u32, score: &impl Score) -> (usize, f32);

    /// The moves of all lists.
    fn moves(&self) -> &[M];
    /// The same, to be changed.
    fn moves_mut(&mut self) -> &mut [M];
    /// The number that each of them had at first, where that counts.
    fn orders(&self) -> &[u16];
    /// The same, to be changed.
    fn orders_mut(&mut self) -> &mut [u16];
    /// Adds a list, and says where it begins.
    fn add_list(&mut self, moves: &[M], has_orders: bool) -> u32;
}

/// What everybody looks at in columns.
#[derive(Debug)]
pub struct Columns<M> {
    visits: Vec<u32>,
    values: Vec<f32>,
    nodes: Vec<Node<M>>,
    /// Only in compact trees.
    lists: Vec<u32>,
    moves: Vec<M>,
    orders: Vec<u16>,
}

impl<M> Default for Columns<M> {
    fn default() -> Self {
        Self {
            visits: Vec::new(),
            values: Vec::new(),
            nodes: Vec::new(),
            lists: Vec::new(),
            moves: Vec::new(),
            orders: Vec::new(),
        }
    }
}

impl<M> Columns<M> {
    /// The words of visits of these nodes.
    #[inline(always)]
    pub(super) fn visits_of(&self, nodes: Range<NodeId>) -> &[u32] {
        &self.visits[nodes.start as usize..nodes.end as usize]
    }
}

impl<M: Copy + Default> Places<M> for Columns<M> {
    const BYTES: usize = size_of::<u32>() + size_of::<f32>() + size_of::<Node<M>>();
    const LIST_BYTES: usize = size_of::<u32>();
    const EXTRAS: bool = true;

    fn reserve(&mut self, places: usize, moves: Option<usize>, has_orders: bool) -> bool {
        let moves_of = |is_wanted: bool| moves.filter(|_| is_wanted).unwrap_or_default();
        self.visits.try_reserve_exact(places).is_ok()
            && self.values.try_reserve_exact(places).is_ok()
            && self.nodes.try_reserve_exact(places).is_ok()
            && self.lists.try_reserve_exact(moves.map_or(0, |_| places)).is_ok()
            && self.moves.try_reserve_exact(moves_of(true)).is_ok()
            && self.orders.try_reserve_exact(moves_of(has_orders)).is_ok()
    }

    #[inline(always)]
    fn have_room(&self, _: usize, _: usize) -> bool {
        true
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn clear(&mut self) {
        self.visits.clear();
        self.values.clear();
        self.nodes.clear();
        self.lists.clear();
        self.moves.clear();
        self.orders.clear();
    }

    #[inline(always)]
    fn extend(&mut self, moves: impl ExactSizeIterator<Item = M>, has_lists: bool) {
        let places = self.nodes.len() + moves.len();
        self.nodes.extend(moves.map(Node::fresh));
        self.visits.resize(places, 0);
        self.values.resize(places, 0.0);
        if has_lists {
            self.lists.resize(places, WHOLE);
        }
    }

    #[inline(always)]
    fn extend_blank(&mut self, count: usize) {
        self.extend((0..count).map(|_| M::default()), true);
    }

    #[inline(always)]
    fn make_fresh(&mut self, place: NodeId, mv: M) {
        let place = place as usize;
        self.visits[place] = 0;
        self.values[place] = 0.0;
        self.nodes[place] = Node::fresh(mv);
        self.lists[place] = WHOLE;
    }

    #[inline(always)]
    fn copy(&mut self, from: NodeId, to: NodeId, count: usize) {
        let (from, to) = (from as usize, to as usize);
        self.visits.copy_within(from..from + count, to);
        self.values.copy_within(from..from + count, to);
        self.nodes.copy_within(from..from + count, to);
        self.lists.copy_within(from..from + count, to);
    }

    #[inline(always)]
    fn swap(&mut self, a: NodeId, b: NodeId, has_lists: bool) {
        let (a, b) = (a as usize, b as usize);
        self.visits.swap(a, b);
        self.values.swap(a, b);
        (self.nodes[a], self.nodes[b]) = (self.nodes[b], self.nodes[a]);
        if has_lists {
            self.lists.swap(a, b);
        }
    }

    #[inline(always)]
    fn word(&self, place: NodeId) -> u32 {
        self.visits[place as usize]
    }

    #[inline(always)]
    fn word_mut(&mut self, place: NodeId) -> &mut u32 {
        &mut self.visits[place as usize]
    }

    #[inline(always)]
    fn value(&self, place: NodeId) -> f32 {
        self.values[place as usize]
    }

    #[inline(always)]
    fn value_mut(&mut self, place: NodeId) -> &mut f32 {
        &mut self.values[place as usize]
    }

    #[inline(always)]
    fn node(&self, place: NodeId) -> &Node<M> {
        &self.nodes[place as usize]
    }

    #[inline(always)]
    fn node_mut(&mut self, place: NodeId) -> &mut Node<M> {
        &mut self.nodes[place as usize]
    }

    #[inline(always)]
    fn list(&self, place: NodeId) -> u32 {
        self.lists[place as usize]
    }

    #[inline(always)]
    fn set_list(&mut self, place: NodeId, list: u32) {
        // Trees that are not compact have none.
        if let Some(own) = self.lists.get_mut(place as usize) {
            *own = list;
        }
    }

    #[inline(always)]
    fn best(&self, first: NodeId, count: u32, score: &impl Score) -> (usize, f32) {
        let places = first as usize..(first + count) as usize;
        argmax(&self.visits[places.clone()], &self.values[places], score)
    }

    #[inline(always)]
    fn update(&mut self, place: NodeId, change: impl FnOnce(&mut u32, &mut f32, &mut Node<M>)) {
        let place = place as usize;
        change(&mut self.visits[place], &mut self.values[place], &mut self.nodes[place]);
    }

    #[inline(always)]
    fn moves(&self) -> &[M] {
        &self.moves
    }

    #[inline(always)]
    fn moves_mut(&mut self) -> &mut [M] {
        &mut self.moves
    }

    #[inline(always)]
    fn orders(&self) -> &[u16] {
        &self.orders
    }

    #[inline(always)]
    fn orders_mut(&mut self) -> &mut [u16] {
        &mut self.orders
    }

    #[inline(always)]
    fn add_list(&mut self, moves: &[M], has_orders: bool) -> u32 {
        let start = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        if has_orders {
            self.orders.extend((0..).take(moves.len()));
        }
        start
    }
}

/// What a thread of a card looks at in rows: one of 8 bytes, of which those of brothers lie side by side, and one of 32. All
/// memory is filled once, so that what a search adds to is written once, and few words say where everything is: each of
/// them is a line of a processor's first cache.
#[derive(Debug)]
pub struct Rows<M> {
    standings: Box<[Standing]>,
    links: Box<[Links<M>]>,
    /// Places in use.
    used: u32,
    /// Listed moves in use.
    listed: u32,
    moves: Box<[M]>,
    orders: Box<[u16]>,
}

/// What only the way down and the way up touch, in one piece of memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Links<M> {
    node: Node<M>,
    list: u32,
}

impl<M> Links<M> {
    #[inline(always)]
    const fn fresh(mv: M) -> Self
    where
        M: Copy,
    {
        Self { node: Node::fresh(mv), list: WHOLE }
    }
}

impl<M> Rows<M> {
    /// Lists begin at whole words of this many bytes, so that they are copied by words.
    const LIST_ALIGN: usize = 8;
}

impl<M> Default for Rows<M> {
    fn default() -> Self {
        Self {
            standings: Box::default(),
            links: Box::default(),
            used: 0,
            listed: 0,
            moves: Box::default(),
            orders: Box::default(),
        }
    }
}

impl<M: Copy + Default> Places<M> for Rows<M> {
    const BYTES: usize = size_of::<Standing>() + size_of::<Links<M>>();
    const LIST_BYTES: usize = 0;
    const EXTRAS: bool = false;

    fn reserve(&mut self, places: usize, moves: Option<usize>, has_orders: bool) -> bool {
        let moves = moves.unwrap_or_default();
        self.standings = vec![Standing::FRESH; places].into_boxed_slice();
        self.links = vec![Links::fresh(M::default()); places].into_boxed_slice();
        self.moves = vec![M::default(); moves].into_boxed_slice();
        self.orders = vec![0; if has_orders { moves } else { 0 }].into_boxed_slice();
        true
    }

    #[inline(always)]
    fn have_room(&self, places: usize, moves: usize) -> bool {
        let most = if moves == 0 { 0 } else { moves + Self::LIST_ALIGN };
        self.used as usize + places <= self.standings.len() && self.listed as usize + most <= self.moves.len()
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.used as usize
    }

    fn clear(&mut self) {
        (self.used, self.listed) = (0, 0);
    }

    #[inline(always)]
    fn extend(&mut self, moves: impl ExactSizeIterator<Item = M>, _: bool) {
        let first = self.used;
        self.used += moves.len() as u32;
        for (place, mv) in (first..).zip(moves) {
            self.make_fresh(place, mv);
        }
    }

    #[inline(always)]
    fn extend_blank(&mut self, count: usize) {
        self.used += count as u32;
    }

    /// Where children and their list are is written when it is given some.
    #[inline(always)]
    fn make_fresh(&mut self, place: NodeId, mv: M) {
        self.standings[place as usize] = Standing::FRESH;
        let node = &mut self.links[place as usize].node;
        (node.sum, node.children, node.opened, node.mv) = (0.0, 0, 0, mv);
    }

    #[inline(always)]
    fn copy(&mut self, from: NodeId, to: NodeId, count: usize) {
        let (from, to) = (from as usize, to as usize);
        self.standings.copy_within(from..from + count, to);
        self.links.copy_within(from..from + count, to);
    }

    #[inline(always)]
    fn swap(&mut self, a: NodeId, b: NodeId, _: bool) {
        let (a, b) = (a as usize, b as usize);
        self.standings.swap(a, b);
        // Not `swap`, which is done byte by byte.
        (self.links[a], self.links[b]) = (self.links[b], self.links[a]);
    }

    #[inline(always)]
    fn word(&self, place: NodeId) -> u32 {
        self.standings[place as usize].word
    }

    #[inline(always)]
    fn word_mut(&mut self, place: NodeId) -> &mut u32 {
        &mut self.standings[place as usize].word
    }

    #[inline(always)]
    fn value(&self, place: NodeId) -> f32 {
        self.standings[place as usize].value
    }

    #[inline(always)]
    fn value_mut(&mut self, place: NodeId) -> &mut f32 {
        &mut self.standings[place as usize].value
    }

    #[inline(always)]
    fn node(&self, place: NodeId) -> &Node<M> {
        &self.links[place as usize].node
    }

    #[inline(always)]
    fn node_mut(&mut self, place: NodeId) -> &mut Node<M> {
        &mut self.links[place as usize].node
    }

    #[inline(always)]
    fn list(&self, place: NodeId) -> u32 {
        self.links[place as usize].list
    }

    #[inline(always)]
    fn set_list(&mut self, place: NodeId, list: u32) {
        self.links[place as usize].list = list;
    }

    #[inline(always)]
    fn best(&self, first: NodeId, count: u32, score: &impl Score) -> (usize, f32) {
        argmax_of(&self.standings[first as usize..(first + count) as usize], score)
    }

    #[inline(always)]
    fn update(&mut self, place: NodeId, change: impl FnOnce(&mut u32, &mut f32, &mut Node<M>)) {
        // Written at once.
        let Standing { mut word, mut value } = self.standings[place as usize];
        change(&mut word, &mut value, &mut self.links[place as usize].node);
        self.standings[place as usize] = Standing { word, value };
    }

    #[inline(always)]
    fn moves(&self) -> &[M] {
        &self.moves[..self.listed as usize]
    }

    #[inline(always)]
    fn moves_mut(&mut self) -> &mut [M] {
        &mut self.moves[..self.listed as usize]
    }

    #[inline(always)]
    fn orders(&self) -> &[u16] {
        &self.orders
    }

    #[inline(always)]
    fn orders_mut(&mut self) -> &mut [u16] {
        &mut self.orders
    }

    #[inline(always)]
    fn add_list(&mut self, moves: &[M], has_orders: bool) -> u32 {
        let start = (self.listed as usize).next_multiple_of(Self::LIST_ALIGN / size_of::<M>().max(1));
        let end = start + moves.len();
        self.moves[start..end].copy_from_slice(moves);
        if has_orders {
            for (order, number) in self.orders[start..end].iter_mut().zip(0..) {
                *order = number;
            }
        }
        self.listed = end as u32;
        start as u32
    }
}
