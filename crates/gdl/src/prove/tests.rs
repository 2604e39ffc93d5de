//! Proofs over small relations, compared with what one can count.

use super::*;

/// The legal moves of the only role in the initial state of a sheet, as texts.
fn legal(relations: &str) -> Vec<String> {
    let sheet = format!("(role me) (init on) (<= terminal (true off)) (goal me 0) {relations}");
    let rules = Rules::parse(&sheet).expect("rules");
    let limits = Limits::default();
    let (prover, _, position) = Prover::new(&rules, &limits, &mut Budget::new(&limits)).expect("a prover");
    position.legal[0].iter().map(|&action| prover.registry.move_text(0, action)).collect()
}

#[test]
fn chains_are_followed() {
    let found = legal(
        "(succ 1 2) (succ 2 3) (succ 3 4)
         (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?y) (succ ?x ?z) (less ?z ?y))
         (<= (legal me (say ?x ?y)) (less ?x ?y))",
    );
    assert_eq!(found, ["(say 1 2)", "(say 1 3)", "(say 1 4)", "(say 2 3)", "(say 2 4)", "(say 3 4)"]);
}

#[test]
fn circles_and_left_recursion_end() {
    let circle = "(edge a b) (edge b c) (edge c a) (edge d a)";
    for step in ["(reach ?x ?z) (edge ?z ?y)", "(edge ?x ?z) (reach ?z ?y)", "(reach ?x ?z) (reach ?z ?y)"] {
        let sheet = format!(
            "{circle} (<= (reach ?x ?y) (edge ?x ?y)) (<= (reach ?x ?y) {step})
             (<= (legal me (go ?x)) (reach b ?x)) (<= (legal me (stay ?x)) (edge ?x ?y) (not (reach a ?x)))"
        );
        assert_eq!(legal(&sheet), ["(go a)", "(go b)", "(go c)", "(stay d)"], "{step}");
    }
}

#[test]
fn relations_that_need_each_other_end() {
    let found = legal(
        "(n 0 1) (n 1 2) (n 2 3) (n 3 0)
         (<= (even 0)) (<= (even ?y) (odd ?x) (n ?x ?y)) (<= (odd ?y) (even ?x) (n ?x ?y))
         (<= (legal me (e ?x)) (even ?x)) (<= (legal me (o ?x)) (odd ?x))
         (<= (legal me both) (even 2) (odd 3) (not (odd 2)))",
    );
    assert_eq!(found, ["(e 0)", "(e 2)", "(o 1)", "(o 3)", "both"]);
}

#[test]
fn what_is_cut_short_is_not_taken_for_complete() {
    // Proving `(p a)` needs one way only; `q` was asked on the way and has more answers than were seen by then.
    let found = legal(
        "(<= (p ?x) (q ?x)) (<= (p ?x) (r ?x ?y) (p ?y)) (r a b) (r b a) (r c a)
         (<= (q ?x) (r ?x ?y) (p ?y)) (q0 b) (<= (q ?x) (q0 ?x))
         (<= (legal me (one ?x)) (r ?x ?y) (p ?x)) (<= (legal me (two ?x)) (q ?x)) (<= (legal me go) (p a) (q c))",
    );
    assert_eq!(found, ["(one a)", "(one b)", "(one c)", "(two a)", "(two b)", "(two c)", "go"]);
}

#[test]
fn questions_look_into_terms() {
    let found = legal(
        "(f (pair a b)) (f (pair a c)) (f (pair b c)) (f a) (<= (g ?t) (f ?t)) (<= (h (pair ?x ?y)) (g (pair ?x ?y)))
         (<= (legal me (first ?y)) (h (pair a ?y))) (<= (legal me (any ?t)) (g ?t) (not (h ?t)))
         (<= (legal me (same ?x)) (g (pair ?x ?x)))",
    );
    assert_eq!(found, ["(any a)", "(first b)", "(first c)"]);
}

#[test]
fn a_product_without_end_is_answered_where_it_is_asked() {
    let numbers: String = (0..30).map(|number| format!("(n {number}) ")).collect();
    let product = "(<= (p ?a ?b ?c ?d ?e ?f ?g ?h) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h))";
    let asked = "(<= (legal me yes) (p 1 2 3 4 5 6 7 8)) (<= (legal me no) (p 1 2 3 4 5 6 7 30))";
    assert_eq!(legal(&format!("{numbers} {product} {asked}")), ["yes"]);
}
