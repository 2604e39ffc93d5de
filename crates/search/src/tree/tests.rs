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
fn contents(tree: &Tree<u8>, node: NodeId) -> String {
    let opened = tree.first_child(node)..tree.first_child(node) + tree.opened(node);
    let below: Vec<String> = opened.clone().map(|child| contents(tree, child)).collect();
    let waiting: Vec<u8> = match tree.is_whole(node) {
        true => tree.children(node).skip(opened.len()).map(|child| tree.mv(child)).collect(),
        false => tree.unopened(node).to_vec(),
    };
    format!("({} {} {} {} {waiting:?})", tree.mv(node), tree.visits(node), tree.mean(node), below.join(" "))
}

/// The same random openings in both kinds of tree; the compact one is made whole here and there, and copied.
#[test]
fn a_compact_tree_is_the_same_tree() {
    let mut random = spinney_core::Random::new(spinney_core::Seed::new(7));
    let mut trees = [Parts::default(), COMPACT].map(|parts| Tree::<u8>::new(1 << 18, parts));
    for _ in 0..2_000 {
        let mut nodes = [ROOT; 2];
        let mut path = vec![nodes];
        while trees[0].is_expanded(nodes[0]) {
            let (opened, count) = (trees[0].opened(nodes[0]), trees[0].child_count(nodes[0]));
            if opened < count && random.below(3) > 0 {
                let drawn = opened + random.below(count - opened);
                nodes = [0, 1].map(|tree| trees[tree].open(nodes[tree], drawn).unwrap());
            } else if opened > 0 {
                let number = random.below(opened);
                nodes = [0, 1].map(|tree| trees[tree].first_child(nodes[tree]) + number);
            } else {
                break;
            }
            path.push(nodes);
        }
        if !trees[0].is_expanded(nodes[0]) {
            let moves: Vec<u8> = (0..1 + random.below(9) as u8).collect();
            assert!([0, 1].map(|tree| trees[tree].list_children(nodes[tree], &moves)).iter().all(|&added| added));
            if random.below(5) == 0 {
                let first = trees[1].first_child(nodes[1]);
                assert_eq!(trees[1].make_whole(nodes[1], first), Some(trees[1].first_child(nodes[1])));
            }
        }
        let reward = random.below(3) as f32 - 1.0;
        path.iter().for_each(|nodes| (0..2).for_each(|tree| trees[tree].add_reward(nodes[tree], reward)));
    }
    let [whole, compact] = &trees;
    assert_eq!(contents(whole, ROOT), contents(compact, ROOT));
    assert_eq!(whole.len(), compact.len());
    assert!(compact.bytes() < whole.bytes(), "{} and {} bytes", compact.bytes(), whole.bytes());
    let [mut of_whole, mut of_compact] = [Parts::default(), COMPACT].map(|parts| Tree::<u8>::new(1 << 18, parts));
    whole.copy_subtree(whole.first_child(ROOT), &mut of_whole, 0);
    compact.copy_subtree(compact.first_child(ROOT), &mut of_compact, 0);
    assert_eq!(contents(&of_whole, ROOT), contents(&of_compact, ROOT));
    assert!(of_compact.is_whole(ROOT));
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
    let places = tree.nodes.len();
    assert!(tree.list_children(2, &[7; 9]));
    assert_eq!(tree.nodes.len(), places);
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
        let mut tree = Tree::<u8>::new(1 << 16, Parts { ordered: true, ..COMPACT });
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
