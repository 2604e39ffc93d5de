//! The tree: an arena in which the children of a node stand side by side.
//!
//! What selection reads of a child (visits, mean) lies in arrays of its own, so that the best of a thousand
//! children is found with vector instructions. All values of a node are in the view of the player who moved
//! into it.
//!
//! Most children are never visited. In a compact tree those cost their move only: it stands in a list of the node, and
//! children get places in the arena as they are opened, in blocks that grow to twice their size and are used again. A
//! child's place therefore changes when a brother is opened, so nobody keeps it beyond a simulation. A node is *whole* if
//! all of its children have places: the root, and where something is proven of a child before it is opened. In an ordered
//! tree the children of a whole node stand in the order of its moves, which decides between equal ones.

use alloc::{vec, vec::Vec};
use core::ops::Range;

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
struct Node<M> {
    sum: f64,
    squares: f32,
    first_child: u32,
    children: u16,
    opened: u16,
    mv: M,
}

impl<M> Node<M> {
    /// Without visits and children.
    #[inline(always)]
    const fn fresh(mv: M) -> Self
    where
        M: Copy,
    {
        Self { sum: 0.0, squares: 0.0, first_child: 0, children: 0, opened: 0, mv }
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

/// Ends a list of free blocks.
const NO_BLOCK: NodeId = NodeId::MAX;

/// A search tree over moves of type `M`.
#[derive(Debug)]
pub struct Tree<M> {
    visits: Vec<u32>,
    means: Vec<f32>,
    nodes: Vec<Node<M>>,
    /// In a compact tree, where in `moves` the list of each node begins, or that it is whole.
    lists: Vec<u32>,
    /// The moves of the children of nodes that are not whole, opened ones first.
    moves: Vec<M>,
    /// In an ordered tree, the number that each of them had before any was opened.
    orders: Vec<u16>,
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
    /// Places and listed moves that may be used.
    most: [usize; 2],
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

impl<M: Copy + Default> Tree<M> {
    /// A tree of at most `bytes`, which are reserved but not touched before they are needed.
    pub fn new(bytes: usize, parts: Parts) -> Self {
        debug_assert!(!parts.compact || !(parts.priors || parts.chance || parts.controls || parts.amaf));
        let mut tree = Self {
            visits: Vec::new(),
            means: Vec::new(),
            nodes: Vec::new(),
            lists: Vec::new(),
            moves: Vec::new(),
            orders: Vec::new(),
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
                + if parts.compact { size_of::<u32>() } else { 0 }
                + if parts.chance { size_of::<NodeId>() } else { 0 }
                + if parts.controls { size_of::<Control>() } else { 0 }
                + if parts.amaf { size_of::<Amaf>() } else { 0 },
            limit: bytes.max(1),
            most: [NO_BLOCK as usize - 1; 2],
        };
        while tree.limit > 1 && !tree.reserve() {
            tree.limit /= 2;
        }
        tree.clear();
        tree
    }

    /// A tree of at most so many places and, if it is compact, so many moves of children without one: for memory in which
    /// what is reserved is taken. It grows no more where one of both is used up.
    pub fn with_room(places: usize, moves: usize, parts: Parts) -> Self {
        let mut tree = Self::new(0, parts);
        let (places, moves) = (places.max(1), if parts.compact { moves } else { 0 });
        tree.limit = usize::MAX;
        tree.most = [places, moves];
        tree.reserve_places(places, moves);
        tree
    }

    /// Places and moves in use.
    pub fn room_used(&self) -> [usize; 2] {
        [self.nodes.len(), self.moves.len()]
    }

    /// Reserves the places that the limit allows, and in a compact tree as much again for moves: what is not touched
    /// costs nothing, and nobody knows how many of both there will be.
    fn reserve(&mut self) -> bool {
        let places = (self.limit / self.place_bytes).clamp(1, NO_BLOCK as usize);
        let moves = if self.is_compact { (self.limit / self.listed_bytes().max(1)).min(WHOLE as usize) } else { 0 };
        self.reserve_places(places, moves)
    }

    fn reserve_places(&mut self, places: usize, moves: usize) -> bool {
        let lists = if self.is_compact { places } else { 0 };
        self.visits.try_reserve_exact(places).is_ok()
            && self.means.try_reserve_exact(places).is_ok()
            && self.nodes.try_reserve_exact(places).is_ok()
            && self.lists.try_reserve_exact(lists).is_ok()
            && self.moves.try_reserve_exact(moves).is_ok()
            && (!self.is_ordered || self.orders.try_reserve_exact(moves).is_ok())
            && (!self.has_priors || self.priors.try_reserve_exact(places).is_ok())
            && (!self.has_chance || self.siblings.try_reserve_exact(places).is_ok())
            && (!self.has_controls || self.controls.try_reserve_exact(places).is_ok())
            && (!self.has_amaf || self.amaf.try_reserve_exact(places).is_ok())
    }

    /// Bytes that one node with a place takes in a game without chance and without RAVE.
    pub const fn bytes_per_node(has_priors: bool) -> usize {
        let prior = if has_priors { size_of::<f32>() } else { 0 };
        size_of::<u32>() + size_of::<f32>() + size_of::<Node<M>>() + prior
    }

    /// Back to a lone root.
    pub fn clear(&mut self) {
        self.visits.clear();
        self.means.clear();
        self.nodes.clear();
        self.lists.clear();
        self.moves.clear();
        self.orders.clear();
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
        let places = self.nodes.len() + moves.len();
        self.nodes.extend(moves.map(Node::fresh));
        self.visits.resize(places, 0);
        self.means.resize(places, 0.0);
        if self.is_compact {
            self.lists.resize(places, WHOLE);
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
        let has_room = self.bytes() + places * self.place_bytes + moves * self.listed_bytes() <= self.limit
            && self.nodes.len() + places <= self.most[0]
            && self.moves.len() + moves <= self.most[1];
        self.is_full |= !has_room;
        has_room
    }

    /// Whether the tree could not grow as it was asked to.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// A block of places, used again or new; `None` if there is no room.
    fn allocate(&mut self, places: usize) -> Option<NodeId> {
        if self.is_compact && places.is_power_of_two() {
            let head = &mut self.free[places.trailing_zeros() as usize];
            if *head != NO_BLOCK {
                let block = *head;
                *head = self.nodes[block as usize].first_child;
                return Some(block);
            }
        }
        if !self.has_room(places, 0) {
            return None;
        }
        let block = self.nodes.len() as NodeId;
        self.extend((0..places).map(|_| M::default()));
        Some(block)
    }

    /// Gives a block of a power of two places back.
    fn release(&mut self, block: NodeId, places: usize) {
        debug_assert!(places.is_power_of_two());
        let head = &mut self.free[places.trailing_zeros() as usize];
        self.nodes[block as usize].first_child = core::mem::replace(head, block);
    }

    /// A place becomes a node without visits.
    #[inline(always)]
    fn make_fresh(&mut self, place: NodeId, mv: M) {
        let place = place as usize;
        self.visits[place] = 0;
        self.means[place] = 0.0;
        self.nodes[place] = Node::fresh(mv);
        self.lists[place] = WHOLE;
    }

    /// Gives the children of a node that is not whole a block of so many places; false if there is no room. On a card it stands
    /// apart: it would be compiled into five places.
    #[cfg_attr(target_arch = "nvptx64", inline(never))]
    fn grow(&mut self, node: NodeId, places: usize) -> bool {
        let Some(block) = self.allocate(places) else { return false };
        let Node { first_child: old, opened, children, .. } = self.nodes[node as usize];
        let (from, to, opened) = (old as usize, block as usize, usize::from(opened));
        self.visits.copy_within(from..from + opened, to);
        self.means.copy_within(from..from + opened, to);
        self.nodes.copy_within(from..from + opened, to);
        self.lists.copy_within(from..from + opened, to);
        self.nodes[node as usize].first_child = block;
        self.release(old, places_for(opened, usize::from(children)));
        true
    }

    /// Gives all children of a node places of their own. Those that have one may change it: returns the new place of
    /// `child`, or `None` if there is no room and nothing has changed.
    pub fn make_whole(&mut self, node: NodeId, child: NodeId) -> Option<NodeId> {
        if self.is_whole(node) {
            return Some(child);
        }
        let number = child - self.nodes[node as usize].first_child;
        let Node { children, opened, .. } = self.nodes[node as usize];
        let (all, places) = (usize::from(children), places_for(opened.into(), children.into()));
        if places < all && !self.grow(node, all) {
            return None;
        }
        let (list, first) = (self.lists[node as usize], self.nodes[node as usize].first_child);
        for number in u32::from(opened)..u32::from(children) {
            self.make_fresh(first + number, self.moves[(list + number) as usize]);
        }
        if self.is_ordered {
            return Some(self.put_in_order(node, first + number));
        }
        self.lists[node as usize] = WHOLE;
        Some(first + number)
    }

    /// Puts the children of a node, which all have places now, in the order of their moves; returns the new place of one.
    fn put_in_order(&mut self, node: NodeId, child: NodeId) -> NodeId {
        let Node { first_child: first, children, .. } = self.nodes[node as usize];
        let list = self.lists[node as usize] as usize;
        let place = first + NodeId::from(self.orders[list + (child - first) as usize]);
        for number in 0..usize::from(children) {
            // A cycle of places: each swap brings one child where it belongs.
            while usize::from(self.orders[list + number]) != number {
                let other = usize::from(self.orders[list + number]);
                self.orders.swap(list + number, list + other);
                self.swap_children(first + number as NodeId, first + other as NodeId);
            }
        }
        self.lists[node as usize] = WHOLE;
        place
    }

    /// Opens the child of this number among those that are not open, in the order of their moves. `None` if there is no
    /// room.
    pub fn open_in_order(&mut self, node: NodeId, waiting: u32) -> Option<NodeId> {
        let Node { opened, children, .. } = self.nodes[node as usize];
        let (opened, children) = (usize::from(opened), usize::from(children));
        if opened + 1 > places_for(opened, children) && !self.grow(node, places_for(opened + 1, children)) {
            return None;
        }
        let from = self.lists[node as usize] as usize + opened;
        let at = from + waiting as usize;
        let (mv, order) = (self.moves[at], self.orders[at]);
        self.moves.copy_within(from..at, from + 1);
        self.orders.copy_within(from..at, from + 1);
        (self.moves[from], self.orders[from]) = (mv, order);
        let own = &mut self.nodes[node as usize];
        own.opened += 1;
        let child = own.first_child + opened as NodeId;
        self.make_fresh(child, mv);
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
        !self.is_compact || self.lists[node as usize] == WHOLE
    }

    /// Opens a child that is not open yet, counted from the first child: it changes places with the first such child.
    /// `None` if there is no room.
    #[inline(always)]
    pub fn open(&mut self, node: NodeId, drawn: u32) -> Option<NodeId> {
        let Node { first_child, opened, children, .. } = self.nodes[node as usize];
        let number = u32::from(opened);
        debug_assert!(number <= drawn && drawn < u32::from(children));
        if self.is_whole(node) {
            self.nodes[node as usize].opened += 1;
            if drawn != number {
                self.swap_children(first_child + number, first_child + drawn);
            }
            return Some(first_child + number);
        }
        let (opened, children) = (usize::from(opened), usize::from(children));
        if opened + 1 > places_for(opened, children) && !self.grow(node, places_for(opened + 1, children)) {
            return None;
        }
        let list = self.lists[node as usize];
        self.moves.swap((list + number) as usize, (list + drawn) as usize);
        let own = &mut self.nodes[node as usize];
        own.opened += 1;
        let child = own.first_child + number;
        self.make_fresh(child, self.moves[(list + number) as usize]);
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
        self.nodes.len() * self.place_bytes + self.moves.len() * self.listed_bytes()
    }

    /// Whether the node has children.
    #[inline(always)]
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes[node as usize].children > 0
    }

    /// Gives the node one child for each move, all with a place; false if there is no room for them.
    pub fn add_children(&mut self, node: NodeId, moves: &[M]) -> bool {
        debug_assert!(!self.is_expanded(node));
        if moves.len() > usize::from(u16::MAX) || !self.has_room(moves.len(), 0) {
            return false;
        }
        self.nodes[node as usize].first_child = self.nodes.len() as NodeId;
        self.extend(moves.iter().copied());
        self.nodes[node as usize].children = moves.len() as u16;
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
        self.lists[node as usize] = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        if self.is_ordered {
            self.orders.extend((0..).take(moves.len()));
        }
        let own = &mut self.nodes[node as usize];
        (own.first_child, own.children) = (block, moves.len() as u16);
        self.count += moves.len();
        true
    }

    /// How many children the node has.
    #[inline(always)]
    pub fn child_count(&self, node: NodeId) -> u32 {
        u32::from(self.nodes[node as usize].children)
    }

    /// The places of the node's children, of those that have one.
    #[inline(always)]
    pub fn children(&self, node: NodeId) -> Range<NodeId> {
        let own = &self.nodes[node as usize];
        let count = if self.is_whole(node) { own.children } else { own.opened };
        own.first_child..own.first_child + u32::from(count)
    }

    /// The moves of the children that have no place.
    pub fn unopened(&self, node: NodeId) -> &[M] {
        if self.is_whole(node) {
            return &[];
        }
        let (list, own) = (self.lists[node as usize] as usize, &self.nodes[node as usize]);
        &self.moves[list + usize::from(own.opened)..list + usize::from(own.children)]
    }

    /// The place of the first child, of which those of the others that have been opened follow.
    #[inline(always)]
    pub fn first_child(&self, node: NodeId) -> NodeId {
        self.nodes[node as usize].first_child
    }

    /// How many of the children have been opened, that is, offered to the selection rule.
    #[inline(always)]
    pub fn opened(&self, node: NodeId) -> u32 {
        u32::from(self.nodes[node as usize].opened)
    }

    /// Counts one more opened child.
    #[inline(always)]
    pub fn open_one(&mut self, node: NodeId) {
        self.nodes[node as usize].opened += 1;
    }

    /// Lets two children change places.
    #[inline(always)]
    pub fn swap_children(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (a as usize, b as usize);
        self.visits.swap(a, b);
        self.means.swap(a, b);
        // Not `swap`, which cards do byte by byte.
        (self.nodes[a], self.nodes[b]) = (self.nodes[b], self.nodes[a]);
        if self.is_compact {
            self.lists.swap(a, b);
        }
        if self.has_priors {
            self.priors.swap(a, b);
        }
    }

    /// The words of visits of these nodes; see [`Tree::visits`].
    #[inline(always)]
    pub fn visits_of(&self, nodes: Range<NodeId>) -> &[u32] {
        &self.visits[nodes.start as usize..nodes.end as usize]
    }

    /// The means of these nodes, ±∞ where a win or loss is proven.
    #[inline(always)]
    pub fn means_of(&self, nodes: Range<NodeId>) -> &[f32] {
        &self.means[nodes.start as usize..nodes.end as usize]
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
        self.nodes[node as usize].mv
    }

    /// How many simulations went through the node.
    #[inline(always)]
    pub fn visits(&self, node: NodeId) -> u32 {
        self.visits[node as usize] & MOST_VISITS
    }

    /// Mean reward of the simulations, whatever has been proven since; with its correction where control variates are
    /// used.
    pub fn mean(&self, node: NodeId) -> f32 {
        if self.has_controls { self.means[node as usize] } else { self.plain_mean(node) }
    }

    /// Mean reward of the simulations as they were.
    pub fn plain_mean(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 { 0.0 } else { (self.nodes[node as usize].sum / f64::from(visits)) as f32 }
    }

    /// Variance of the rewards (population).
    pub fn variance(&self, node: NodeId) -> f32 {
        let visits = self.visits(node);
        if visits == 0 {
            return 0.0;
        }
        let mean = self.plain_mean(node);
        (self.nodes[node as usize].squares / visits as f32 - mean * mean).max(0.0)
    }

    /// What is proven of the node.
    #[inline(always)]
    pub fn proof(&self, node: NodeId) -> Proof {
        if self.visits[node as usize] & PROVEN == 0 {
            return Proof::Unknown;
        }
        let value = self.means[node as usize];
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
        self.visits[node as usize] |= PROVEN;
        self.means[node as usize] = match proof {
            Proof::Win => f32::INFINITY,
            Proof::Loss => f32::NEG_INFINITY,
            Proof::Draw => 0.0,
            Proof::Unknown => unreachable!("only a result is proven"),
        };
    }

    /// Adds one simulation's reward, in the view of the player who moved into the node.
    #[inline(always)]
    pub fn add_reward(&mut self, node: NodeId, reward: f32) {
        let index = node as usize;
        let word = &mut self.visits[index];
        *word += 1;
        let node = &mut self.nodes[index];
        node.sum += f64::from(reward);
        node.squares += reward * reward;
        if *word & PROVEN == 0 {
            self.means[index] = (node.sum / f64::from(*word)) as f32;
        }
    }

    /// Adds one simulation's reward and control variate, in the view of the player who moved into the node. The mean
    /// that selection reads is corrected with the coefficient; what is averaged is not.
    #[inline(always)]
    pub fn add_controlled(&mut self, node: NodeId, reward: f32, control: f64, coefficient: Coefficient) {
        let index = node as usize;
        let before = f64::from(self.visits[index]);
        self.visits[index] += 1;
        let (visits, reward) = (before + 1.0, f64::from(reward));
        let node = &mut self.nodes[index];
        let apart = if before == 0.0 { 0.0 } else { reward - node.sum / before };
        node.sum += reward;
        node.squares += (reward * reward) as f32;
        let moments = &mut self.controls[index];
        let control_apart = control - moments.mean;
        moments.mean += control_apart / visits;
        moments.covariance += apart * (control - moments.mean);
        moments.squares += control_apart * (control - moments.mean);
        let factor = if self.visits[index] >= coefficient.visits && moments.squares > 0.0 {
            -moments.covariance / moments.squares
        } else {
            coefficient.constant
        };
        self.means[index] = (node.sum / visits + factor * moments.mean) as f32;
    }

    /// Fills `target` with the part of this tree below `node`, which becomes its root; what has fewer than `least` visits
    /// gets no children there.
    pub fn copy_subtree(&self, node: NodeId, target: &mut Self, least: u32) {
        target.clear();
        self.copy_node(node, target, ROOT);
        // A queue of (place here, place there); children are copied in whole blocks.
        let mut queue = vec![(node, ROOT)];
        let mut next = 0;
        while let Some(&(here, there)) = queue.get(next) {
            next += 1;
            let own = self.nodes[here as usize];
            let is_kept = there == ROOT || self.visits(here) >= least;
            if own.children == 0 || !is_kept || !self.copy_list(here, target, there) {
                continue;
            }
            let first = target.nodes[there as usize].first_child;
            for (place, child) in (first..).zip(self.children(here)) {
                self.copy_node(child, target, place);
                queue.push((child, place));
            }
            target.nodes[there as usize].opened = own.opened;
        }
    }

    /// Makes room for the children of a node in another tree; false if there is none. Roots are whole.
    fn copy_list(&self, here: NodeId, target: &mut Self, there: NodeId) -> bool {
        let own = self.nodes[here as usize];
        let (children, opened) = (usize::from(own.children), usize::from(own.opened));
        let places = if there == ROOT || self.is_whole(here) { children } else { places_for(opened, children) };
        let listed = if there == ROOT || self.is_whole(here) { 0 } else { children };
        if !target.has_room(places, listed) {
            return false;
        }
        let first = target.nodes.len() as NodeId;
        target.extend((0..places).map(|_| M::default()));
        let parent = &mut target.nodes[there as usize];
        (parent.first_child, parent.children) = (first, own.children);
        target.count += children;
        if self.is_whole(here) {
            return true;
        }
        let list = self.lists[here as usize] as usize;
        let moves = &self.moves[list..list + children];
        if there == ROOT {
            for (place, &mv) in (first..).zip(moves) {
                target.make_fresh(place, mv);
            }
        } else {
            target.lists[there as usize] = target.moves.len() as u32;
            target.moves.extend_from_slice(moves);
        }
        true
    }

    fn copy_node(&self, here: NodeId, target: &mut Self, there: NodeId) {
        let (here, there) = (here as usize, there as usize);
        target.visits[there] = self.visits[here];
        target.means[there] = self.means[here];
        target.nodes[there] = Node { first_child: 0, children: 0, opened: 0, ..self.nodes[here] };
        if self.has_priors && target.has_priors {
            target.priors[there] = self.priors[here];
        }
        if self.has_amaf && target.has_amaf {
            target.amaf[there] = self.amaf[here];
        }
    }
}

/// The places in the block of a node that is not whole and has so many opened children.
#[inline(always)]
fn places_for(opened: usize, children: usize) -> usize {
    opened.max(1).next_power_of_two().min(children)
}

/// The outcomes of a chance node are met one by one and stand in a list, so that what never happens takes no room. A
/// chance node has no children that a player could choose from.
impl<M: Copy + Default + Eq> Tree<M> {
    /// The node of this outcome, if it has been met. It moves to the front, where likely outcomes are found sooner.
    #[inline]
    pub fn outcome(&mut self, node: NodeId, outcome: M) -> Option<NodeId> {
        let first = self.nodes[node as usize].first_child;
        let (mut previous, mut here) = (0, first);
        while here != 0 {
            let next = self.siblings[here as usize];
            if self.nodes[here as usize].mv == outcome {
                if here != first {
                    self.siblings[previous as usize] = next;
                    self.siblings[here as usize] = first;
                    self.nodes[node as usize].first_child = here;
                }
                return Some(here);
            }
            (previous, here) = (here, next);
        }
        None
    }

    /// The outcomes of a chance node that were met; none where a player chooses.
    pub fn outcomes(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let own = &self.nodes[node as usize];
        let first = if self.has_chance && own.children == 0 { own.first_child } else { 0 };
        let next = |here: NodeId| (here != 0).then_some(here);
        core::iter::successors(next(first), move |&here| next(self.siblings[here as usize]))
    }

    /// Adds an outcome that has not been met before; `None` if there is no room.
    pub fn add_outcome(&mut self, node: NodeId, outcome: M) -> Option<NodeId> {
        if !self.has_room(1, 0) {
            return None;
        }
        let place = self.nodes.len() as NodeId;
        self.extend(core::iter::once(outcome));
        self.count += 1;
        self.siblings[place as usize] = self.nodes[node as usize].first_child;
        self.nodes[node as usize].first_child = place;
        Some(place)
    }
}

#[cfg(test)]
mod tests;
