//! Circuits by hand, and of small sheets.

use super::*;
use crate::ground::ground;
use crate::limits::Limits;
use crate::program::Program;
use crate::rules::Rules;

fn budget() -> Budget {
    Budget::new(&Limits { work: 100_000, ..Limits::default() })
}

/// A circuit of inputs alone: facts, then the moves of each role.
fn inputs(facts: u32, moves: &[u32]) -> Circuit {
    let total = facts + moves.iter().sum::<u32>();
    let mut first_move = vec![facts + 1];
    moves.iter().for_each(|count| first_move.push(first_move[first_move.len() - 1] + count));
    let mut kinds = vec![(NodeKind::Constant, 0, 0)];
    kinds.extend((0..total).map(|_| (NodeKind::Input, 0, 0)));
    Circuit {
        kinds,
        pool: Vec::new(),
        known: HashMap::new(),
        components: Vec::new(),
        facts: (0..facts).collect(),
        moves: moves.iter().map(|&count| (0..count).collect()).collect(),
        first_move,
        turns: None,
        fixed: (0..=total).map(|node| node * 2).collect(),
        next: Vec::new(),
        legal: Vec::new(),
        goals: Vec::new(),
        terminal: NEVER,
    }
}

/// The circuit of a sheet, with the texts of its facts and of the moves of its roles, in the order of its inputs.
fn of_sheet(text: &str, assume_turns: bool) -> (Result<Circuit, String>, Vec<String>, Vec<Vec<String>>) {
    let program = Program::new(&Rules::parse(text).expect("rules"), &mut budget()).expect("a program");
    let ground = ground(&program, 1000, &mut budget()).expect("instances");
    let spell = |term: TermId| {
        let mut text = String::new();
        ground.terms.write(&program.names, term, &mut text);
        text
    };
    let (mut facts, mut moves) = (ground.facts.clone(), ground.moves.clone());
    facts.sort_by_cached_key(|&term| spell(term));
    moves.iter_mut().for_each(|list| list.sort_by_cached_key(|&term| spell(term)));
    let spelled = |list: &Vec<TermId>| list.iter().map(|&term| spell(term)).collect::<Vec<_>>();
    let texts = (spelled(&facts), moves.iter().map(spelled).collect());
    let value = |term| spell(term).parse().ok();
    let circuit = Circuit::new(&ground, &program.roles, facts, moves, assume_turns, &value, &mut budget());
    let fault = |fault| match fault {
        NoCircuit::Unstratified(sentence) => spell(sentence),
        NoCircuit::Stopped(stop) => panic!("{stop:?}"),
    };
    (circuit.map_err(fault), texts.0, texts.1)
}

/// What a signal is worth, worked out by recursion; `holds` are the nodes of the inputs that are true.
fn value(circuit: &Circuit, signal: Signal, holds: &[u32]) -> bool {
    let node = signal / 2;
    let plain = match circuit.kind(node) {
        NodeKind::Constant => false,
        NodeKind::Input => holds.contains(&node),
        NodeKind::And => circuit.inputs(node).iter().all(|&input| value(circuit, input, holds)),
        NodeKind::Member(number) => {
            let component = &circuit.components[number as usize];
            let mut derived = vec![false; component.members as usize];
            for _ in 0..component.members {
                for way in &component.ways {
                    let inside = way.inside.iter().all(|&member| derived[member as usize]);
                    derived[way.head as usize] |= inside && value(circuit, way.outside, holds);
                }
            }
            derived[(node - component.first) as usize]
        }
    };
    plain ^ (signal % 2 == 1)
}

const A: Signal = 2;
const B: Signal = 4;
const C: Signal = 6;
const D: Signal = 8;

#[test]
fn conjunctions_are_simplified_and_stored_once() {
    let mut circuit = inputs(3, &[]);
    assert_eq!(circuit.all_of(vec![]), ALWAYS);
    assert_eq!(circuit.all_of(vec![B, B, ALWAYS]), B);
    assert_eq!(circuit.all_of(vec![A, NEVER]), NEVER);
    assert_eq!(circuit.all_of(vec![B, A, A ^ 1]), NEVER);
    assert_eq!(circuit.len(), 4, "nothing so far needs a node");
    let both = circuit.all_of(vec![B, A]);
    assert_eq!(circuit.inputs(both / 2), [A, B]);
    assert_eq!(circuit.all_of(vec![A, B]), both);
    assert_eq!(circuit.any_of(vec![A ^ 1, B ^ 1]), both ^ 1, "not both");
    assert_eq!(circuit.any_of(vec![A, A ^ 1]), ALWAYS);
    assert_eq!(circuit.any_of(vec![]), NEVER);
    assert_eq!(circuit.len(), 5);
}

#[test]
fn conjunctions_are_opened_and_lessened() {
    let mut circuit = inputs(4, &[]);
    let inner = circuit.all_of(vec![B, C]);
    let outer = circuit.all_of(vec![A, inner]);
    assert_eq!(circuit.conjuncts(outer), [A, B, C]);
    assert_eq!(circuit.conjuncts(outer ^ 1), [outer ^ 1], "a negated conjunction is none");
    assert_eq!(circuit.conjuncts(ALWAYS), []);
    assert_eq!(circuit.without(outer, &[B]), circuit.all_of(vec![A, C]));
    assert_eq!(circuit.without(outer, &[A, B, C]), ALWAYS);
    assert_eq!(circuit.without(outer, &[D]), outer);
}

#[test]
fn what_alternatives_share_is_taken_out() {
    let mut circuit = inputs(4, &[]);
    let either = circuit.any_of(vec![B, C]);
    let shared = circuit.all_of(vec![A, either]);
    assert_eq!(circuit.any_of_all(vec![vec![A, B], vec![C, A, ALWAYS]], false, &mut budget()), shared);
    // What only some share is taken out if that is asked for.
    let alternatives = vec![vec![A, B], vec![A, C], vec![D], vec![B, NEVER]];
    assert_eq!(circuit.any_of_all(alternatives.clone(), true, &mut budget()), circuit.any_of(vec![shared, D]));
    let (ab, ac) = (circuit.all_of(vec![A, B]), circuit.all_of(vec![A, C]));
    assert_eq!(circuit.any_of_all(alternatives, false, &mut budget()), circuit.any_of(vec![ab, ac, D]));
    assert_eq!(circuit.any_of_all(vec![], true, &mut budget()), NEVER);
    assert_eq!(circuit.any_of_all(vec![vec![A], vec![]], true, &mut budget()), ALWAYS);
}

#[test]
fn a_role_makes_exactly_one_move() {
    // Node 1 is a fact, 2 to 4 are moves.
    let mut circuit = inputs(1, &[3]);
    let (first, second, third) = (4, 6, 8);
    assert_eq!(circuit.all_of(vec![first, second]), NEVER);
    assert_eq!(circuit.all_of(vec![first, second ^ 1]), first);
    assert_eq!(circuit.all_of(vec![first ^ 1, second ^ 1]), third);
    assert_eq!(circuit.any_of(vec![first, second]), third ^ 1);
    assert_eq!(circuit.any_of(vec![first, second, third]), ALWAYS);
    assert_eq!(circuit.all_of(vec![first ^ 1, second ^ 1, third ^ 1]), NEVER);
    assert_eq!(circuit.len(), 5, "no gate was needed");
}

#[test]
fn constants_are_seen_through_gates() {
    let mut circuit = inputs(2, &[]);
    let both = circuit.all_of(vec![A, B ^ 1]);
    let under =
        |signal, fixed: &[(u32, bool)]| circuit.constant(signal, &fixed.iter().copied().collect(), &mut HashMap::new());
    assert_eq!(under(both, &[(1, false)]), Some(false));
    assert_eq!(under(both ^ 1, &[(2, true)]), Some(true));
    assert_eq!(under(both, &[(1, true)]), None);
    assert_eq!(under(both, &[(1, true), (2, false)]), Some(true));
    assert_eq!(under(ALWAYS, &[]), Some(true));
}

#[test]
fn a_switch_has_its_table() {
    let (circuit, facts, moves) = of_sheet(
        "(role me) (init off) (legal me flip) (<= (legal me rest) (true on))
         (<= (next on) (does me flip) (true off)) (<= (next on) (does me rest) (true on))
         (<= (next off) (does me flip) (true on)) (<= (next off) (does me rest) (true off))
         (<= terminal (true on) (true off)) (<= (goal me 100) (true on)) (<= (goal me 0) (not (true on)))",
        true,
    );
    let circuit = circuit.expect("a circuit");
    assert_eq!((facts, moves), (vec!["off".to_string(), "on".to_string()], vec![vec!["flip".into(), "rest".into()]]));
    let (off, on, flip, rest) = (1, 2, 3, 4);
    for (holds, next) in [
        ([off, flip], [false, true]),
        ([off, rest], [true, false]),
        ([on, flip], [true, false]),
        ([on, rest], [false, true]),
    ] {
        let found: Vec<bool> = circuit.next.iter().map(|&signal| value(&circuit, signal, &holds)).collect();
        assert_eq!(found, next, "{holds:?}");
    }
    assert_eq!(circuit.legal, [[ALWAYS, on * 2]]);
    assert_eq!(circuit.goals, [[(0, on * 2 + 1), (100, on * 2)]]);
    assert!(value(&circuit, circuit.terminal, &[on, off]) && !value(&circuit, circuit.terminal, &[on]));
    assert_eq!(circuit.turn_facts(), None, "one role has no turns");
}

/// Two roles in turn, who may shout or be silent; the other waits.
const TURNS: &str = "
    (role x) (role o) (init (turn x)) (other x o) (other o x) (word shout) (word hush)
    (<= (legal ?r ?w) (true (turn ?r)) (word ?w)) (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
    (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o)) (<= (next loud) (does ?r shout))
    (<= terminal (true loud)) (goal x 50) (goal o 50)";

#[test]
fn turns_are_found_and_proved() {
    let (circuit, facts, moves) = of_sheet(TURNS, true);
    let circuit = circuit.expect("a circuit");
    assert_eq!(facts, ["(turn o)", "(turn x)", "loud"]);
    assert_eq!(moves[0], ["hush", "shout", "wait"]);
    assert_eq!(circuit.turn_facts(), Some(vec![1, 0]), "x comes first");
    let mut on_turn: Vec<Circuit> = (0..2).map(|role| circuit.on_turn(role, &mut budget())).collect();
    assert_eq!(on_turn[0].legal, [[ALWAYS, ALWAYS, NEVER], [NEVER, NEVER, ALWAYS]]);
    assert_eq!(on_turn[1].legal, [[NEVER, NEVER, ALWAYS], [ALWAYS, ALWAYS, NEVER]]);
    // After x it is the turn of o; loud if x shouts, whose moves are the nodes from 4.
    assert_eq!(on_turn[0].next, [ALWAYS, NEVER, 5 * 2]);
    let initial = [circuit.facts[1]];
    assert!(circuit.turns_hold(&initial, &mut on_turn));
    assert!(!circuit.turns_hold(&[], &mut on_turn), "nobody would be on turn");
    assert!(!circuit.turns_hold(&circuit.facts, &mut on_turn), "both would be");
}

#[test]
fn turns_that_may_be_kept_are_not_proved() {
    // After a shout it is nobody's turn.
    let text = TURNS.replace("(true (turn ?r)) (other ?r ?o))", "(true (turn ?r)) (other ?r ?o) (does ?r hush))");
    let (circuit, ..) = of_sheet(&text, true);
    let circuit = circuit.expect("a circuit");
    assert!(circuit.turn_facts().is_some());
    let mut on_turn: Vec<Circuit> = (0..2).map(|role| circuit.on_turn(role, &mut budget())).collect();
    assert!(!circuit.turns_hold(&[circuit.facts[1]], &mut on_turn));
}

#[test]
fn recursion_is_a_least_fixpoint() {
    let (circuit, facts, _) = of_sheet(
        "(role me) (init (open a)) (init (open b)) (init (open c)) (legal me rest) (link a b) (link b c) (link c b)
         (<= (next (open ?x)) (reached ?x)) (goal me 0) (<= terminal (not (reached c)))
         (<= (reached a) (true (open a)))
         (<= (reached ?y) (reached ?x) (link ?x ?y) (true (open ?y)))",
        false,
    );
    let circuit = circuit.expect("a circuit");
    assert_eq!(facts, ["(open a)", "(open b)", "(open c)"]);
    assert_eq!(circuit.components.len(), 1);
    assert_eq!(circuit.components[0].members, 2, "only b and c need each other");
    let next = |holds: &[u32]| circuit.next.iter().map(|&signal| value(&circuit, signal, holds)).collect::<Vec<_>>();
    assert_eq!(next(&[1, 2, 3]), [true, true, true]);
    assert_eq!(next(&[1, 3]), [true, false, false]);
    assert_eq!(next(&[2, 3]), [false, false, false], "b and c do not reach each other out of nothing");
    assert!(value(&circuit, circuit.terminal, &[1, 3]));
}

#[test]
fn a_sentence_may_not_depend_on_its_negation() {
    let (circuit, ..) = of_sheet(
        "(role me) (init on) (legal me rest) (goal me 0) (<= terminal odd)
         (<= odd (true on) (not even)) (<= even (true on) odd)",
        false,
    );
    assert_eq!(circuit.map(|_| ()), Err("even".to_string()));
}
