//! Rule sheets.

use spinney_core::Seed;
use spinney_gdl::{Cursor, Limits, Machine, Method, Rules};

/// Sheets of strangers may describe anything; a fuzzer has no time for large ones.
const INSTANCES: usize = 2_000;
const WORK: u64 = 1_000_000;
/// Longer sheets are only checked.
const LONGEST: usize = 4_000;
const STEPS: u64 = 6;

/// A rule sheet, which is checked and played both from its circuit and from its clauses.
pub fn sheets(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(rules) = Rules::parse(text) else { return };
    rules.check();
    if text.len() > LONGEST {
        return;
    }
    let Ok(circuit) = Machine::build(&rules, &Limits { instances: INSTANCES, work: WORK, ..Limits::default() }) else {
        return;
    };
    // What needs no more instances than this is small enough to be worked out from its clauses.
    if circuit.method() != Method::Network {
        return;
    }
    let clauses = Machine::build(&rules, &Limits::only(Method::Relational)).expect("it was built with a circuit");
    assert_eq!(clauses.roles(), circuit.roles());
    let (mut one, mut other) = (circuit.cursor(), clauses.cursor());
    let seed = Seed::new(1).named(text);
    for step in 0..STEPS {
        let facts = circuit.state_text(one.state());
        assert_eq!(clauses.state_text(other.state()), facts);
        assert_eq!(one.is_terminal(), other.is_terminal(), "{facts:?}");
        if let Ok(state) = circuit.read_state(facts.iter().map(String::as_str)) {
            assert_eq!(state, *one.state());
        }
        let legal: Vec<Vec<String>> = (0..circuit.roles().len()).map(|role| legal(&circuit, &one, role)).collect();
        for (role, moves) in legal.iter().enumerate() {
            assert_eq!(self::legal(&clauses, &other, role), *moves, "{facts:?}");
            assert_eq!(one.goal(role), other.goal(role), "{facts:?}");
        }
        if one.is_terminal() || legal.iter().any(Vec::is_empty) {
            return;
        }
        let chosen = legal.iter().enumerate().map(|(role, moves)| {
            let number = seed.child(step).child(role as u64).value() % moves.len() as u64;
            moves[number as usize].as_str()
        });
        let chosen: Vec<&str> = chosen.collect();
        let joint = |machine: &Machine| {
            let read = |(role, mv): (usize, &&str)| machine.read_move(role, mv).expect("a legal move is read");
            chosen.iter().enumerate().map(read).collect::<Vec<u32>>()
        };
        let (of_circuit, of_clauses) = (joint(&circuit), joint(&clauses));
        one.step(&of_circuit);
        other.step(&of_clauses);
    }
}

/// The legal moves of a role, in the order of their texts.
fn legal(machine: &Machine, cursor: &Cursor, role: usize) -> Vec<String> {
    let mut actions = Vec::new();
    cursor.legal(role, &mut actions);
    let mut texts: Vec<String> = actions.into_iter().map(|action| machine.move_text(role, action)).collect();
    texts.sort_unstable();
    texts
}
