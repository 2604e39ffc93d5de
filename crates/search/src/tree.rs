//! The tree: an arena in which the children of a node stand side by side.
//!
//! All values of a node are in the view of the player who moved into it. Where they lie in memory is the affair of
//! [`places`], which differs between processors and cards.
//!
//! Most children are never visited. In a compact tree those cost their move only: it stands in a list of the node, and
//! children get places in the arena as they are opened, in blocks that grow to twice their size and are used again. A
//! child's place therefore changes when a brother is opened, so nobody keeps it beyond a simulation. A node is *whole* if
//! all of its children have places: the root, and where something is proven of a child before it is opened. In an ordered
//! tree the children of a whole node stand in the order of its moves, which decides between equal ones.

use crate::best::Score;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
pub use places::Rows;
use places::{Columns, Places};

mod copy;
mod outcomes;
pub mod places;

/// A node's place in the arena.
pub type NodeId = u32;

/// The root's place.
pub const ROOT: NodeId = 0;

/// The most visits a node can count.
pub const MOST_VISITS: u32 = PROVEN - 1;

/// Set in the word of visits when the node's value is proven; the mean is then +∞, −∞ or 0.
const PROVEN: u32 = 1 << 31;

/// What is known for certain of a node, in the view of the player who moved into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    Unknown,
    /// This player wins.
    Win,
    /// This player loses.
    Loss,
    /// Neither can force a win.
    Draw,
}

/// What only the walk down and the walk up touch.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Node<M> {
    sum: f64,
    children: u16,
    opened: u16,
    mv: M,
    first_child: u32,
    squares: f32,
}

impl<M> Node<M> {
    /// Without visits and children.
    #[inline(always)]
    const fn fresh(mv: M) -> Self
    where
        M: Copy,
    {
        Self { sum: 0.0, children: 0, opened: 0, mv, first_child: 0, squares: 0.0 }
    }
}

/// Moments of a control variate Y beside the reward X of a node (Welford's recurrences).
#[derive(Clone, Copy, Debug, Default)]
struct Control {
    mean: f64,
    covariance: f64,
    squares: f64,
}

/// The simulations in which the player who moves at the parent made a child's move at once or later: all moves as first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amaf {
    /// The id of the child's move.
    pub move_id: u32,
    /// How many simulations.
    pub count: u32,
    /// Their mean reward, in the view of that player.
    pub mean: f32,
}

/// How the coefficient of a control variate is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// What it is before it is measured.
    pub constant: f64,
    /// From so many visits on it is measured.
    pub visits: u32,
}

/// Stands for the list of a node that is whole.
const WHOLE: u32 = u32::MAX;

/// The same where all children are known to have been visited, which stays so.
const VISITED: u32 = WHOLE - 1;

/// Ends a list of free blocks.
const NO_BLOCK: NodeId = NodeId::MAX;

/// A search tree over moves of type `M`.
#[derive(Debug)]
pub struct Tree<M, P = Columns<M>> {
    /// Nodes, and in a compact tree lists of the moves of the children of those that are not whole, opened ones first.
    places: P,
    /// Free blocks of 1, 2, 4 … places; each names the next in its `first_child`.
    free: [NodeId; 16],
    /// Nodes, with those that have no place yet.
    count: usize,
    /// One prior for each node where a selection rule asks for them, else empty.
    priors: Vec<f32>,
    /// In games with chance, the next outcome in the list of a chance node, 0 at its end.
    siblings: Vec<NodeId>,
    /// What control variates measure, where they are used.
    controls: Vec<Control>,
    /// Values of moves made at any time, where the selection rule asks for them.
    amaf: Vec<Amaf>,
    has_priors: bool,
    has_chance: bool,
    has_controls: bool,
    has_amaf: bool,
    is_compact: bool,
    is_ordered: bool,
    /// Whether room was refused since the tree was cleared.
    is_full: bool,
    /// Bytes that one place takes.
    place_bytes: usize,
    /// Bytes that may be used.
    limit: usize,
    _moves: PhantomData<M>,
}

/// What a tree holds beside what every search needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// A prior for each node.
    pub priors: bool,
    /// Chance nodes.
    pub chance: bool,
    /// Moments of control variates.
    pub controls: bool,
    /// Values of moves made at any time.
    pub amaf: bool,
    /// Children without visits take the room of their move only; nothing of the above can be had with it.
    pub compact: bool,
    /// A compact tree whose whole nodes have their children in the order of their moves.
    pub ordered: bool,
}

impl<M: Copy + Default, P: Places<M>> Tree<M, P> {
    /// A tree of at most `bytes`, which are reserved but not touched before they are needed.
    pub fn new(bytes: usize, parts: Parts) -> Self {
        let mut tree = Self::without_memory(bytes, parts);
        while tree.limit > 1 && !tree.reserve() {
            tree.limit /= 2;
        }
        if tree.limit == 1 {
            tree.reserve_places(1, 0);
        }
        tree.clear();
        tree
    }

    fn without_memory(bytes: usize, parts: Parts) -> Self {
        debug_assert!(!parts.compact || !(parts.priors || parts.chance || parts.controls || parts.amaf));
        Self {
            places: P::default(),
            free: [NO_BLOCK; 16],
            count: 0,
            priors: Vec::new(),
            siblings: Vec::new(),
            controls: Vec::new(),
            amaf: Vec::new(),
            has_priors: parts.priors,
            has_chance: parts.chance,
            has_controls: parts.controls,
            has_amaf: parts.amaf,
            is_compact: parts.compact,
            is_ordered: parts.compact && parts.ordered,
            is_full: false,
            place_bytes: Self::bytes_per_node(parts.priors)
                + if parts.compact { P::LIST_BYTES } else { 0 }
                + if parts.chance { size_of::<NodeId>() } else { 0 }
                + if parts.controls { size_of::<Control>() } else { 0 }
                + if parts.amaf { size_of::<Amaf>() } else { 0 },
            limit: bytes.max(1),
            _moves: PhantomData,
        }
    }

    /// Places and moves in use.
    pub fn room_used(&self) -> [usize; 2] {
        [self.places.len(), self.places.moves().len()]
    }

    /// Reserves the places that the limit allows, and in a compact tree as much again for moves: what is not touched
    /// costs nothing, and nobody knows how many of both there will be.
    fn reserve(&mut self) -> bool {
        let places = (self.limit / self.place_bytes).clamp(1, NO_BLOCK as usize);
        let moves = if self.is_compact { (self.limit / self.listed_bytes().max(1)).min(VISITED as usize) } else { 0 };
        self.reserve_places(places, moves)
    }

    fn reserve_places(&mut self, places: usize, moves: usize) -> bool {
        self.places.reserve(places, self.is_compact.then_some(moves), self.is_ordered)
            && (!self.has_priors || self.priors.try_reserve_exact(places).is_ok())
            && (!self.has_chance || self.siblings.try_reserve_exact(places).is_ok())
            && (!self.has_controls || self.controls.try_reserve_exact(places).is_ok())
            && (!self.has_amaf || self.amaf.try_reserve_exact(places).is_ok())
    }

    /// Bytes that one node with a place takes in a game without chance and without RAVE.
    pub const fn bytes_per_node(has_priors: bool) -> usize {
        let prior = if has_priors { size_of::<f32>() } else { 0 };
        P::BYTES + prior
    }

    /// Back to a lone root.
    pub fn clear(&mut self) {
        self.places.clear();
        self.free = [NO_BLOCK; 16];
        self.is_full = false;
        self.priors.clear();
        self.siblings.clear();
        self.controls.clear();
        self.amaf.clear();
        self.extend(core::iter::once(M::default()));
        self.count = 1;
    }

    /// More places, with nodes of these moves.
    #[inline]
    fn extend(&mut self, moves: impl ExactSizeIterator<Item = M>) {
        let places = self.places.len() + moves.len();
        self.places.extend(moves, self.is_compact);
        if const { !P::EXTRAS } {
            return;
        }
        if self.has_priors {
            self.priors.resize(places, 0.0);
        }
        if self.has_chance {
            self.siblings.resize(places, 0);
        }
        if self.has_controls {
            self.controls.resize(places, Control::default());
        }
        if self.has_amaf {
            self.amaf.resize(places, Amaf::default());
        }
    }

    /// Whether so many places and moves more stay within the limit. The first place is always granted.
    fn has_room(&mut self, places: usize, moves: usize) -> bool {
        let more_bytes = || places * self.place_bytes + moves * self.listed_bytes();
        let is_allowed = const { !P::EXTRAS } || self.bytes() + more_bytes() <= self.limit;
        let has_room = is_allowed && self.places.have_room(places, moves);
        self.is_full |= !has_room;
        has_room
    }

    /// Whether the tree could not grow as it was asked to.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// A block of places of a compact tree, used again or new; `None` if there is no room.
    fn allocate(&mut self, places: usize) -> Option<NodeId> {
        debug_assert!(self.is_compact);
        if places.is_power_of_two() {
            let head = &mut self.free[places.trailing_zeros() as usize];
            if *head != NO_BLOCK {
                let block = *head;
                *head = self.places.node(block).first_child;
                return Some(block);
            }
        }
        if !self.has_room(places, 0) {
            return None;
        }
        let block = self.places.len() as NodeId;
        self.places.extend_blank(places);
        Some(block)
    }

    /// Gives a block of a power of two places back.
    fn release(&mut self, block: NodeId, places: usize) {
        debug_assert!(places.is_power_of_two());
        let head = &mut self.free[places.trailing_zeros() as usize];
        self.places.node_mut(block).first_child = core::mem::replace(head, block);
    }

    /// Gives the children of a node that is not whole a block of so many places; false if there is no room. On a card it stands
    /// apart: it would be compiled into five places.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    fn grow(&mut self, node: NodeId, places: usize) -> bool {
        let Some(block) = self.allocate(places) else { return false };
        let Node { first_child: old, opened, children, .. } = *self.places.node(node);
        let opened = usize::from(opened);
        self.places.copy(old, block, opened);
        self.places.node_mut(node).first_child = block;
        self.release(old, places_for(opened, usize::from(children)));
        true
    }

    /// Gives all children of a node places of their own. Those that have one may change it: returns the new place of
    /// `child`, or `None` if there is no room and nothing has changed.
    pub fn make_whole(&mut self, node: NodeId, child: NodeId) -> Option<NodeId> {
        if self.is_whole(node) {
            return Some(child);
        }
        let Node { first_child, children, opened, .. } = *self.places.node(node);
        let number = child - first_child;
        let (all, places) = (usize::from(children), places_for(opened.into(), children.into()));
        if places < all && !self.grow(node, all) {
            return None;
        }
        let (list, first) = (self.places.list(node), self.places.node(node).first_child);
        for number in u32::from(opened)..u32::from(children) {
            let mv = self.places.moves()[(list + number) as usize];
            self.places.make_fresh(first + number, mv);
        }
        if self.is_ordered {
            return Some(self.put_in_order(node, first + number));
        }
        self.places.set_list(node, WHOLE);
        Some(first + number)
    }

    /// Puts the children of a node, which all have places now, in the order of their moves; returns the new place of one.
    fn put_in_order(&mut self, node: NodeId, child: NodeId) -> NodeId {
        let Node { first_child: first, children, .. } = *self.places.node(node);
        let list = self.places.list(node) as usize;
        let place = first + NodeId::from(self.places.orders()[list + (child - first) as usize]);
        for number in 0..usize::from(children) {
            // A cycle of places: each swap brings one child where it belongs.
            while usize::from(self.places.orders()[list + number]) != number {
                let other = usize::from(self.places.orders()[list + number]);
                self.places.orders_mut().swap(list + number, list + other);
                self.swap_children(first + number as NodeId, first + other as NodeId);
            }
        }
        self.places.set_list(node, WHOLE);
        place
    }

    /// Opens the child of this number among those that are not open, in the order of their moves. `None` if there is no
    /// room.
    pub fn open_in_order(&mut self, node: NodeId, waiting: u32) -> Option<NodeId> {
        let Node { opened, children, .. } = *self.places.node(node);
        let (opened, children) = (usize::from(opened), usize::from(children));
        if opened + 1 > places_for(opened, children) && !self.grow(node, places_for(opened + 1, children)) {
            return None;
        }
        let from = self.places.list(node) as usize + opened;
        let at = from + waiting as usize;
        let (mv, order) = (self.places.moves()[at], self.places.orders()[at]);
        self.places.moves_mut().copy_within(from..at, from + 1);
        self.places.orders_mut().copy_within(from..at, from + 1);
        (self.places.moves_mut()[from], self.places.orders_mut()[from]) = (mv, order);
        let own = self.places.node_mut(node);
        own.opened += 1;
        let child = own.first_child + opened as NodeId;
        self.places.make_fresh(child, mv);
        Some(if opened + 1 == children { self.put_in_order(node, child) } else { child })
    }

    /// Whether children of whole nodes stand in the order of their moves.
    #[inline(always)]
    pub fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    /// Whether all children of the node have places.
    #[inline(always)]
    pub fn is_whole(&self, node: NodeId) -> bool {
        !self.is_compact || self.places.list(node) >= VISITED
    }

    /// The first child that was proven lost before anybody visited it. Children are looked at until all have been visited.
    #[inline(always)]
    pub fn lost_unvisited(&mut self, node: NodeId) -> Option<NodeId> {
        if self.is_compact && self.places.list(node) == VISITED {
            return None;
        }
        let mut are_visited = true;
        for child in self.children(node) {
            if self.visits(child) == 0 {
                if self.proof(child) == Proof::Loss {
                    return Some(child);
                }
                are_visited = false;
            }
        }
        if self.is_compact && are_visited && self.is_whole(node) {
            self.places.set_list(node, VISITED);
        }
        None
    }

    /// Opens a child that is not open yet, counted from the first child: it changes places with the first such child.
    /// `None` if there is no room.
    #[inline(always)]
    pub fn open(&mut self, node: NodeId, drawn: u32) -> Option<NodeId> {
        let Node { first_child, opened, children, .. } = *self.places.node(node);
        let number = u32::from(opened);
        debug_assert!(number <= drawn && drawn < u32::from(children));
        if self.is_whole(node) {
            self.places.node_mut(node).opened += 1;
            if drawn != number {
                self.swap_children(first_child + number, first_child + drawn);
            }
            return Some(first_child + number);
        }
        let (opened, children) = (usize::from(opened), usize::from(children));
        if opened + 1 > places_for(opened, children) && !self.grow(node, places_for(opened + 1, children)) {
            return None;
        }
        let list = self.places.list(node);
        let moves = self.places.moves_mut();
        let mv = moves[(list + drawn) as usize];
        // Nobody reads the moves of opened children in their list.
        moves[(list + drawn) as usize] = moves[(list + number) as usize];
        let own = self.places.node_mut(node);
        own.opened += 1;
        let child = own.first_child + number;
        self.places.make_fresh(child, mv);
        Some(child)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bytes that a child without a place takes.
    fn listed_bytes(&self) -> usize {
        size_of::<M>() + if self.is_ordered { size_of::<u16>() } else { 0 }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.places.len() * self.place_bytes + self.places.moves().len() * self.listed_bytes()
    }

    /// Whether the node has children.
    #[inline(always)]
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.places.node(node).children > 0
    }

    /// Gives the node one child for each move, all with a place; false if there is no room for them.
    pub fn add_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        debug_assert!(!self.is_expanded(node));
        if moves.len() > usize::from(u16::MAX) || !self.has_room(moves.len(), 0) {
            return false;
        }
        self.places.node_mut(node).first_child = self.places.len() as NodeId;
        self.extend(moves.iter().copied());
        self.places.node_mut(node).children = moves.len() as u16;
        self.places.set_list(node, WHOLE);
        self.count += moves.len();
        true
    }

    /// Gives the node one child for each move; in a compact tree they get a place when they are opened, but for those of
    /// the root.
    pub fn list_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        if !self.is_compact || node == ROOT || moves.is_empty() {
            return self.add_children(node, moves);
        }
        debug_assert!(!self.is_expanded(node));
        if moves.len() > usize::from(u16::MAX) || !self.has_room(1, moves.len()) {
            return false;
        }
        let Some(block) = self.allocate(1) else { return false };
        let list = self.places.add_list(moves, self.is_ordered);
        self.places.set_list(node, list);
        let own = self.places.node_mut(node);
        (own.first_child, own.children) = (block, moves.len() as u16);
        self.count += moves.len();
        true
    }

    /// How many children the node has.
    #[inline(always)]
    pub fn child_count(&self, node: NodeId) -> u32 {
        u32::from(self.places.node(node).children)
    }

    /// The places of the node's children, of those that have one.
    #[inline(always)]
    pub fn children(&self, node: NodeId) -> Range<NodeId> {
        let own = self.places.node(node);
        let count = if self.is_whole(node) { own.children } else { own.opened };
        own.first_child..own.first_child + u32::from(count)
    }

    /// The moves of the children that have no place.
    pub fn unopened(&self, node: NodeId) -> &[M] {
        if self.is_whole(node) {
            return &[];
        }
        let (list, own) = (self.places.list(node) as usize, self.places.node(node));
        &self.places.moves()[list + usize::from(own.opened)..list + usize::from(own.children)]
    }

    /// The place of the first child, of which those of the others that have been opened follow.
    #[inline(always)]
    pub fn first_child(&self, node: NodeId) -> NodeId {
        self.places.node(node).first_child
    }

    /// How many of the children have been opened, that is, offered to the selection rule.
    #[inline(always)]
    pub fn opened(&self, node: NodeId) -> u32 {
        u32::from(self.places.node(node).opened)
    }

    /// Counts one more opened child.
    #[inline(always)]
    pub fn open_one(&mut self, node: NodeId) {
        self.places.node_mut(node).opened += 1;
    }

    /// Lets two children change places.
    #[inline(always)]
    pub fn swap_children(&mut self, a: NodeId, b: NodeId) {
        self.places.swap(a, b, self.is_compact);
        if const { P::EXTRAS } && self.has_priors {
            self.priors.swap(a as usize, b as usize);
        }
    }

    /// The best of so many places from one on; see [`Nodes::best_of`](crate::nodes::Nodes::best_of).
    #[inline(always)]
    pub fn best_from(&self, first: NodeId, count: u32, score: &impl Score) -> (NodeId, f32) {
        let (index, score) = self.places.best(first, count, score);
        (first + index as u32, score)
    }

    /// The value that selection reads: the mean, or ±∞ where a win or loss is proven.
    #[inline(always)]
    pub fn value(&self, node: NodeId) -> f32 {
        self.places.value(node)
    }

    /// The priors of these nodes.
    pub fn priors_of(&self, nodes: Range<NodeId>) -> &[f32] {
        &self.priors[nodes.start as usize..nodes.end as usize]
    }

    /// Sets a prior.
    pub fn set_prior(&mut self, node: NodeId, prior: f32) {
        self.priors[node as usize] = prior;
    }

    /// What is known of the moves of these nodes at any time.
    #[inline(always)]
    pub fn amaf_of(&self, nodes: Range<NodeId>) -> &[Amaf] {
        &self.amaf[nodes.start as usize..nodes.end as usize]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn amaf_of_mut(&mut self, nodes: Range<NodeId>) -> &mut [Amaf] {
        &mut self.amaf[nodes.start as usize..nodes.end as usize]
    }

    /// The move that leads to the node.
    #[inline(always)]
    pub fn mv(&self, node: NodeId) -> M {
        self.places.node(node).mv
    }

    /// How many simulations went through the node.
    #[inline(always)]
    pub fn visits(&self, node: NodeId) -> u32 {
        self.places.word(node) & MOST_VISITS
    }

    /// Mean reward of the simulations, whatever has been proven since; with its correction where control variates are
    /// used.
    pub fn mean(&self, node: NodeId) -> f32 {
        if self.has_controls { self.places.value(node) } else { self.plain_mean(node) }
    }

    /// Mean reward of the simulations as they were.
    pub fn plain_mean(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 { 0.0 } else { (self.places.node(node).sum / f64::from(visits)) as f32 }
    }

    /// Variance of the rewards (population).
    pub fn variance(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        debug_assert!(P::EXTRAS, "squares are not kept");
        if visits == 0 {
            return 0.0;
        }
        let mean = self.plain_mean(node);
        (self.places.node(node).squares / visits as f32 - mean * mean).max(0.0)
    }

    /// What is proven of the node.
    #[inline(always)]
    pub fn proof(&self, node: NodeId) -> Proof {
        if self.places.word(node) & PROVEN == 0 {
            return Proof::Unknown;
        }
        let value = self.places.value(node);
        if value > 0.0 {
            Proof::Win
        } else if value < 0.0 {
            Proof::Loss
        } else {
            Proof::Draw
        }
    }

    /// Notes what has been proven.
    pub fn prove(&mut self, node: NodeId, proof: Proof) {
        *self.places.word_mut(node) |= PROVEN;
        *self.places.value_mut(node) = match proof {
            Proof::Win => f32::INFINITY,
            Proof::Loss => f32::NEG_INFINITY,
            Proof::Draw => 0.0,
            Proof::Unknown => unreachable!("only a result is proven"),
        };
    }

    /// Adds one simulation's reward, in the view of the player who moved into the node.
    #[inline(always)]
    pub fn add_reward(&mut self, node: NodeId, reward: f32) {
        self.places.update(node, |word, value, node| {
            *word += 1;
            node.sum += f64::from(reward);
            if const { P::EXTRAS } {
                node.squares += reward * reward;
            }
            if *word & PROVEN == 0 {
                *value = (node.sum / f64::from(*word)) as f32;
            }
        });
    }

    /// Adds one simulation's reward and control variate, in the view of the player who moved into the node. The mean
    /// that selection reads is corrected with the coefficient; what is averaged is not.
    #[inline(always)]
    pub fn add_controlled(&mut self, node: NodeId, reward: f32, control: f64, coefficient: Coefficient) {
        let index = node as usize;
        let before = f64::from(self.places.word(node));
        *self.places.word_mut(node) += 1;
        let (visits, reward) = (before + 1.0, f64::from(reward));
        let own = self.places.node_mut(node);
        let apart = if before == 0.0 { 0.0 } else { reward - own.sum / before };
        own.sum += reward;
        own.squares += (reward * reward) as f32;
        let sum = own.sum;
        let moments = &mut self.controls[index];
        let control_apart = control - moments.mean;
        moments.mean += control_apart / visits;
        moments.covariance += apart * (control - moments.mean);
        moments.squares += control_apart * (control - moments.mean);
        let factor = if self.places.word(node) >= coefficient.visits && moments.squares > 0.0 {
            -moments.covariance / moments.squares
        } else {
            coefficient.constant
        };
        *self.places.value_mut(node) = (sum / visits + factor * moments.mean) as f32;
    }
}

impl<M: Copy + Default> Tree<M, Rows<M>> {
    /// A tree of at most so many places and, if it is compact, so many moves of children without one: for memory in which
    /// what is reserved is taken. It grows no more where one of both is used up.
    pub fn with_room(places: usize, moves: usize, parts: Parts) -> Self {
        let mut tree = Self::without_memory(usize::MAX, parts);
        tree.reserve_places(places.max(1), moves);
        tree.clear();
        tree
    }
}

impl<M> Tree<M> {
    /// The words of visits of these nodes; see [`Tree::visits`].
    #[inline(always)]
    pub fn visits_of(&self, nodes: Range<NodeId>) -> &[u32] {
        self.places.visits_of(nodes)
    }
}

/// The places in the block of a node that is not whole and has so many opened children.
#[inline(always)]
fn places_for(opened: usize, children: usize) -> usize {
    opened.max(1).next_power_of_two().min(children)
}

#[cfg(test)]
mod tests;
