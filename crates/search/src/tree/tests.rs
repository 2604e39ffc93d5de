use super::*;

#[test]
fn means_and_proofs_do_not_disturb_each_other() {
    let mut tree = Tree::<u8>::new(1 << 16, Parts::default());
    assert!(tree.add_children(ROOT, &[1, 2, 3]));
    let child = tree.children(ROOT).start;
    tree.add_reward(child, 1.0);
    tree.add_reward(child, 0.0);
    assert_eq!((tree.visits(child), tree.mean(child), tree.variance(child)), (2, 0.5, 0.25));
    tree.prove(child, Proof::Loss);
    tree.add_reward(child, -1.0);
    assert_eq!((tree.visits(child), tree.mean(child), tree.proof(child)), (3, 0.0, Proof::Loss));
}

#[test]
fn a_full_tree_refuses_children_and_stays_as_it_is() {
    let bytes = 10 * Tree::<u8>::bytes_per_node(false);
    let mut tree = Tree::<u8>::new(bytes, Parts::default());
    assert!(tree.add_children(ROOT, &[0; 5]));
    assert!(!tree.add_children(1, &[0; 5]));
    assert!(tree.add_children(1, &[0; 4]));
    assert_eq!((tree.len(), tree.bytes()), (10, bytes));
}

#[test]
fn a_subtree_is_copied_whole() {
    let mut tree = Tree::<u8>::new(1 << 16, Parts { priors: true, ..Parts::default() });
    tree.add_children(ROOT, &[10, 20]);
    tree.add_children(2, &[21, 22, 23]);
    tree.add_children(4, &[221]);
    tree.add_reward(4, 1.0);
    tree.set_prior(4, 0.5);
    tree.prove(5, Proof::Draw);
    let mut copy = Tree::<u8>::new(1 << 16, Parts { priors: true, ..Parts::default() });
    tree.copy_subtree(2, &mut copy, 0);
    let children: Vec<u8> = copy.children(ROOT).map(|child| copy.mv(child)).collect();
    assert_eq!(children, [21, 22, 23]);
    assert_eq!((copy.len(), copy.mv(ROOT), copy.visits(2), copy.priors_of(2..3)[0]), (5, 20, 1, 0.5));
    assert_eq!(copy.proof(3), Proof::Draw);
    assert_eq!(copy.children(2).map(|child| copy.mv(child)).collect::<Vec<_>>(), [221]);
}

const COMPACT: Parts =
    Parts { priors: false, chance: false, controls: false, amaf: false, compact: true, ordered: false };

/// What a tree holds: for every opened node the move, its statistics and the moves of its children in order.
fn contents<P: Places<u8>>(tree: &Tree<u8, P>, node: NodeId) -> String {
    let opened = tree.first_child(node)..tree.first_child(node) + tree.opened(node);
    let below: Vec<String> = opened.clone().map(|child| contents(tree, child)).collect();
    let waiting: Vec<u8> = match tree.is_whole(node) {
        true => tree.children(node).skip(opened.len()).map(|child| tree.mv(child)).collect(),
        false => tree.unopened(node).to_vec(),
    };
    format!("({} {} {} {} {waiting:?})", tree.mv(node), tree.visits(node), tree.mean(node), below.join(" "))
}

/// A tree of rows, as cards have it.
fn rows(places: usize, moves: usize, parts: Parts) -> Tree<u8, Rows<u8>> {
    Tree::with_room(places, moves, parts)
}

/// The same with what an earlier search left in its memory, which shall not be seen.
fn used_rows(parts: Parts) -> Tree<u8, Rows<u8>> {
    let mut tree = rows(9000, 30_000, parts);
    tree.list_children(ROOT, &[3; 200]);
    for drawn in 0..200 {
        let child = tree.open(ROOT, drawn).unwrap();
        tree.list_children(child, &[4; 30]);
        tree.prove(child, Proof::Win);
    }
    tree.clear();
    tree
}

/// What random openings ask of a tree, whatever it is made of.
trait Grows {
    fn list(&mut self, node: NodeId, moves: &[u8], is_made_whole: bool);
    fn open(&mut self, node: NodeId, drawn: u32) -> NodeId;
    fn child(&self, node: NodeId, number: u32) -> NodeId;
    fn reward(&mut self, node: NodeId, reward: f32);
}

impl<P: Places<u8>> Grows for Tree<u8, P> {
    fn list(&mut self, node: NodeId, moves: &[u8], is_made_whole: bool) {
        assert!(self.list_children(node, moves));
        if is_made_whole {
            let first = self.first_child(node);
            assert_eq!(self.make_whole(node, first), Some(self.first_child(node)));
        }
    }

    fn open(&mut self, node: NodeId, drawn: u32) -> NodeId {
        self.open(node, drawn).unwrap()
    }

    fn child(&self, node: NodeId, number: u32) -> NodeId {
        self.first_child(node) + number
    }

    fn reward(&mut self, node: NodeId, reward: f32) {
        self.add_reward(node, reward);
    }
}

/// The same random openings in all kinds of tree; compact ones are made whole here and there, and copied.
#[test]
fn a_compact_tree_is_the_same_tree() {
    let mut random = spinney_core::Random::new(spinney_core::Seed::new(7));
    let [mut whole, mut compact] = [Parts::default(), COMPACT].map(|parts| Tree::<u8>::new(1 << 18, parts));
    let (mut of_rows, mut whole_of_rows) = (used_rows(COMPACT), used_rows(Parts::default()));
    for _ in 0..2_000 {
        let mut trees: [&mut dyn Grows; 3] = [&mut compact, &mut of_rows, &mut whole_of_rows];
        let mut nodes = [ROOT; 4];
        let mut path = vec![nodes];
        while whole.is_expanded(nodes[3]) {
            let (opened, count) = (whole.opened(nodes[3]), whole.child_count(nodes[3]));
            if opened < count && random.below(3) > 0 {
                let drawn = opened + random.below(count - opened);
                nodes[3] = whole.open(nodes[3], drawn).unwrap();
                trees.iter_mut().zip(&mut nodes).for_each(|(tree, node)| *node = tree.open(*node, drawn));
            } else if opened > 0 {
                let number = random.below(opened);
                nodes[3] = whole.first_child(nodes[3]) + number;
                trees.iter().zip(&mut nodes).for_each(|(tree, node)| *node = tree.child(*node, number));
            } else {
                break;
            }
            path.push(nodes);
        }
        if !whole.is_expanded(nodes[3]) {
            let moves: Vec<u8> = (0..1 + random.below(9) as u8).collect();
            whole.list(nodes[3], &moves, false);
            let is_made_whole = random.below(5) == 0;
            trees.iter_mut().zip(nodes).for_each(|(tree, node)| tree.list(node, &moves, is_made_whole));
        }
        let reward = random.below(3) as f32 - 1.0;
        for nodes in path {
            whole.add_reward(nodes[3], reward);
            trees.iter_mut().zip(nodes).for_each(|(tree, node)| tree.reward(node, reward));
        }
    }
    assert_eq!(contents(&whole, ROOT), contents(&compact, ROOT));
    assert_eq!(contents(&whole, ROOT), contents(&of_rows, ROOT));
    assert_eq!(contents(&whole, ROOT), contents(&whole_of_rows, ROOT));
    assert_eq!([whole.len(); 3], [compact.len(), of_rows.len(), whole_of_rows.len()]);
    assert!(compact.bytes() < whole.bytes(), "{} and {} bytes", compact.bytes(), whole.bytes());
    let [mut of_whole, mut of_compact] = [Parts::default(), COMPACT].map(|parts| Tree::<u8>::new(1 << 18, parts));
    whole.copy_subtree(whole.first_child(ROOT), &mut of_whole, 0);
    compact.copy_subtree(compact.first_child(ROOT), &mut of_compact, 0);
    assert_eq!(contents(&of_whole, ROOT), contents(&of_compact, ROOT));
    assert!(of_compact.is_whole(ROOT));
    let mut copied = used_rows(COMPACT);
    of_rows.copy_subtree(of_rows.first_child(ROOT), &mut copied, 0);
    assert_eq!(contents(&of_whole, ROOT), contents(&copied, ROOT));
}

/// Proofs, the best child and the limits of room, in rows.
#[test]
fn rows_are_a_tree() {
    let mut tree = rows(10, 30, COMPACT);
    assert!(tree.list_children(ROOT, &[1, 2, 3]));
    for (child, reward) in [(1, 0.5), (2, -1.0), (3, 0.5)] {
        tree.open_one(ROOT);
        tree.add_reward(child, reward);
    }
    let best = |tree: &Tree<u8, Rows<u8>>, count| tree.best_from(1, count, &|_, value: f32| value);
    assert_eq!(best(&tree, 3), (1, 0.5));
    tree.prove(2, Proof::Win);
    tree.add_reward(2, 1.0);
    assert_eq!((best(&tree, 3), best(&tree, 1)), ((2, f32::INFINITY), (1, 0.5)));
    assert_eq!((tree.visits(2), tree.mean(2), tree.proof(2), tree.proof(1)), (2, 0.0, Proof::Win, Proof::Unknown));
    tree.swap_children(1, 2);
    assert_eq!((tree.mv(1), tree.proof(1), tree.mv(2), tree.mean(2)), (2, Proof::Win, 1, 0.5));
    assert!(tree.list_children(2, &[7; 9]) && !tree.is_full());
    let opened = (0..9).map_while(|number| tree.open(2, number)).count();
    assert_eq!(
        (opened, tree.is_full()),
        (2, true),
        "places 0 to 3, a block of 1, a block of 2 and no room for one of 4"
    );
    assert!(!tree.list_children(3, &[7; 15]), "no room for the moves");
    tree.clear();
    assert!(!tree.is_full() && tree.list_children(ROOT, &[1; 9]) && !tree.list_children(1, &[1]));
}

#[test]
fn children_that_nobody_opened_cost_their_move() {
    let mut tree = Tree::<u8>::new(1 << 16, COMPACT);
    assert!(tree.add_children(ROOT, &[1, 2]));
    let before = tree.bytes();
    assert!(tree.list_children(1, &[0; 200]));
    assert_eq!(tree.bytes() - before, 200 + Tree::<u8>::bytes_per_node(false) + 4);
    assert_eq!((tree.len(), tree.children(1).len(), tree.unopened(1).len()), (203, 0, 200));
    // Blocks of 1, 2 and 4; those of 1 and 2 are free again, and the next node takes the first.
    (0..3).for_each(|number| assert!(tree.open(1, number).is_some()));
    let places = tree.room_used()[0];
    assert!(tree.list_children(2, &[7; 9]));
    assert_eq!(tree.room_used()[0], places);
}

#[test]
fn a_full_compact_tree_opens_no_more() {
    let mut tree = Tree::<u8>::new(9 * (Tree::<u8>::bytes_per_node(false) + 4), COMPACT);
    assert!(tree.add_children(ROOT, &[1, 2]));
    assert!(tree.list_children(1, &[0; 60]));
    let opened = (0..60).map_while(|number| tree.open(1, number)).count();
    assert!((1..60).contains(&opened), "{opened} children opened");
    assert!(tree.bytes() <= 9 * (Tree::<u8>::bytes_per_node(false) + 4));
    let first = tree.first_child(1);
    assert!(tree.make_whole(1, first).is_none() && !tree.list_children(2, &[0; 200]));
    assert_eq!(tree.children(1).len(), opened);
}

/// Whoever is opened when, whole nodes have their children in the order of their moves, each with its own statistics.
#[test]
fn an_ordered_tree_keeps_the_order_of_moves() {
    let mut random = spinney_core::Random::new(spinney_core::Seed::new(9));
    for opened in 0..=7u32 {
        an_order_is_kept(Tree::<u8>::new(1 << 16, Parts { ordered: true, ..COMPACT }), opened, &mut random);
        an_order_is_kept(rows(100, 100, Parts { ordered: true, ..COMPACT }), opened, &mut random);
    }
}

fn an_order_is_kept<P: Places<u8>>(mut tree: Tree<u8, P>, opened: u32, random: &mut spinney_core::Random) {
    assert!(tree.add_children(ROOT, &[1]));
    assert!(tree.list_children(1, &[10, 11, 12, 13, 14, 15, 16]));
    let mut waiting: Vec<u8> = (10..17).collect();
    let mut last = tree.first_child(1);
    for number in 0..opened {
        let drawn = random.below(7 - number);
        last = tree.open_in_order(1, drawn).unwrap();
        let mv = waiting.remove(drawn as usize);
        assert_eq!(tree.mv(last), mv);
        tree.add_reward(last, f32::from(mv) / 100.0);
        assert_eq!(tree.unopened(1), if number == 6 { &[][..] } else { &waiting });
    }
    assert_eq!(tree.is_whole(1), opened == 7);
    let mv = tree.mv(last);
    let place = tree.make_whole(1, last).unwrap();
    assert!(opened == 0 || tree.mv(place) == mv);
    let children: Vec<u8> = tree.children(1).map(|child| tree.mv(child)).collect();
    assert_eq!(children, [10, 11, 12, 13, 14, 15, 16]);
    for child in tree.children(1) {
        let is_opened = !waiting.contains(&tree.mv(child));
        let mean = if is_opened { f32::from(tree.mv(child)) / 100.0 } else { 0.0 };
        assert_eq!((tree.visits(child), tree.mean(child)), (u32::from(is_opened), mean));
    }
}

/// Children are looked at again and again until the last has been visited, and never after that.
#[test]
fn a_child_lost_before_a_visit_is_found_until_all_have_been_visited() {
    let ordered = Parts { ordered: true, ..COMPACT };
    lost_are_found(Tree::<u8>::new(1 << 16, Parts::default()));
    lost_are_found(Tree::<u8>::new(1 << 16, ordered));
    lost_are_found(rows(100, 100, ordered));
}

fn lost_are_found<P: Places<u8>>(mut tree: Tree<u8, P>) {
    assert!(tree.add_children(ROOT, &[1]) && tree.list_children(1, &[10, 11, 12]));
    let first = tree.first_child(1);
    let first = tree.make_whole(1, first).unwrap();
    tree.add_reward(first + 1, 0.5);
    assert_eq!(tree.lost_unvisited(1), None);
    tree.prove(first + 2, Proof::Loss);
    assert_eq!(tree.lost_unvisited(1), Some(first + 2));
    tree.prove(first, Proof::Loss);
    assert_eq!(tree.lost_unvisited(1), Some(first));
    tree.add_reward(first, -1.0);
    assert_eq!(tree.lost_unvisited(1), Some(first + 2));
    tree.add_reward(first + 2, -1.0);
    assert_eq!([tree.lost_unvisited(1), tree.lost_unvisited(1)], [None; 2]);
    // It is the same node, and a copy of it too.
    assert!(tree.is_whole(1) && tree.children(1).eq(first..first + 3));
    let mut copy = Tree::new(1 << 16, Parts { compact: tree.is_compact, ordered: tree.is_ordered, ..Parts::default() });
    tree.copy_subtree(1, &mut copy, 0);
    assert!(copy.is_whole(ROOT) && copy.children(ROOT).map(|child| copy.mv(child)).eq([10, 11, 12]));
    assert_eq!(copy.lost_unvisited(ROOT), None);
}

#[test]
fn outcomes_are_found_again() {
    let mut tree = Tree::<u8>::new(1 << 16, Parts { chance: true, ..Parts::default() });
    assert!(tree.add_children(ROOT, &[1, 2]));
    let chance = tree.children(ROOT).start;
    let places: Vec<_> = (10..20).map(|outcome| tree.add_outcome(chance, outcome).unwrap()).collect();
    for (number, outcome) in [3, 3, 0, 9, 5, 0].map(|number| (number, 10 + number as u8)) {
        assert_eq!(tree.outcome(chance, outcome), Some(places[number]));
    }
    assert_eq!(tree.outcome(chance, 7), None);
    assert!(!tree.is_expanded(chance));
}

/// X = 3 Y + 5 exactly, so that a measured coefficient leaves no variance.
#[test]
fn a_control_variate_takes_away_what_it_explains() {
    let mut tree = Tree::<u8>::new(1 << 16, Parts { chance: true, controls: true, ..Parts::default() });
    let coefficient = Coefficient { constant: -2.0, visits: 4 };
    let mut means = Vec::new();
    for control in [1.0, -0.5, 0.25, 2.0, -1.0] {
        tree.add_controlled(ROOT, 3.0 * control as f32 + 5.0, control, coefficient);
        means.push(tree.mean(ROOT));
    }
    assert_eq!(means[0], 8.0 - 2.0);
    assert!((means[1] - (5.0 + 0.25)).abs() < 1e-6, "{means:?}");
    assert!(means[3..].iter().all(|mean| (mean - 5.0).abs() < 1e-6), "{means:?}");
}

#[test]
fn a_node_takes_at_most_32_bytes() {
    assert!(Tree::<u8>::bytes_per_node(false) <= 32);
    assert!(Tree::<u32>::bytes_per_node(false) <= 32);
}
