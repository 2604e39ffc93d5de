//! Unit tests of Dominion.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::cards::{COPPER, ESTATE, GOLD, PROVINCE};
use super::*;
use spinney_core::{Game, Notation, Random, Seed, Stream, Turn};

/// 25.99 ± 0.06 points, deviation 10.4, of an independent program.
#[test]
fn the_policy_scores_as_elsewhere() {
    let game = Dominion::default();
    let mut random = Random::new(Seed::new(1));
    let (mut sum, mut squares, games) = (0.0, 0.0, 20_000);
    for number in 0..games {
        let mut stream = Stream::new(Seed::new(2).child(number));
        let mut state = game.initial();
        loop {
            match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Chance => drop(game.draw_outcome(&mut state, &mut stream)),
                Turn::Player(_) => {
                    let mv = game.policy_move(&state, &mut random, &mut Vec::new(), &mut Vec::new()).unwrap();
                    game.apply(&mut state, mv);
                }
            }
        }
        sum += game.score(&state);
        squares += game.score(&state).powi(2);
    }
    let mean = sum / games as f64;
    let deviation = (squares / games as f64 - mean * mean).sqrt();
    assert!((mean - 25.99).abs() < 0.06 + 4.0 * deviation / (games as f64).sqrt(), "{mean} ± {deviation}");
}

#[test]
fn only_the_kingdom_is_sold() {
    let kingdom = Kingdom::read(&Expression::read_sum("kingdom", "smithy+council-room").unwrap()).unwrap();
    let game = Dominion::new(Options { kingdom, ..Options::default() });
    let rich = "20 6*copper,3*estate - copper - 1/1/50 buy";
    let state = game.read_position(rich).unwrap();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    let names: Vec<String> = moves.iter().map(|&mv| game.write_move(&state, mv)).collect();
    assert_eq!(
        names,
        ["end-turn", "copper", "silver", "gold", "estate", "duchy", "province", "smithy", "council-room"]
    );
    assert!(game.read_position("20 7*copper,3*estate witch - - 1/1/0 draw5").is_err());
}

/// Two decks that differ by one card are drawn in the same order but for that card.
#[test]
fn a_shuffle_keeps_the_order_of_the_rest() {
    let draw_all = |mut pile: Pile| {
        let mut order = Order::UNDECIDED;
        order.shuffle(&pile, 12_345);
        let cards = size(&pile);
        (0..cards)
            .map(|_| {
                let mut hand = [0; KINDS];
                order.take(1, &mut pile, &mut hand);
                hand.iter().position(|&count| count == 1).unwrap()
            })
            .collect::<Vec<_>>()
    };
    let mut pile = [0; KINDS];
    (pile[COPPER], pile[ESTATE], pile[GOLD]) = (7, 3, 2);
    let order = draw_all(pile);
    pile[PROVINCE] = 1;
    let longer = draw_all(pile);
    assert_eq!((order.len(), longer.len()), (12, 13));
    assert_eq!(longer.into_iter().filter(|&kind| kind != PROVINCE).collect::<Vec<_>>(), order);
}
