//! Facts that papers state and that the program itself can count.

use spinney_core::{Chance, Game, List, Notation, PlayoutPolicy, Random, Seed, Turn, Workspace};
use spinney_games::cant_stop::dice::{LENGTHS, ROLLS};

/// The probability with which the play-outs of a game make a move, at the first position where they choose between two.
pub(super) fn policy_share<G: Game + PlayoutPolicy + Chance + Notation>(game: &G, mv: &str) -> Option<f64> {
    let mut state = game.initial();
    let mut random = Random::new(Seed::new(1));
    let mut work = Workspace::new();
    for _ in 0..100 {
        match game.turn(&state) {
            Turn::Over(_) => return None,
            Turn::Chance => {
                let mut outcomes = List::new();
                game.outcomes(&state, &mut outcomes);
                // The last outcome is the luckiest: nothing ends by it.
                game.apply(&mut state, outcomes.last()?.mv);
            }
            Turn::Player(_) => {
                work.candidates.clear();
                game.policy(&state, &mut random, &mut work);
                let total: u32 = work.candidates.iter().map(|one| one.weight).sum();
                let named = work.candidates.iter().find(|one| game.write_move(&state, one.mv) == mv);
                if let Some(named) = named.filter(|_| work.candidates.len() == 2) {
                    return Some(f64::from(named.weight) / f64::from(total));
                }
                let first = work.candidates.first()?.mv;
                game.apply(&mut state, first);
            }
        }
    }
    None
}

/// No more states than this has Can't Stop of one player and ten turns: banked heights, up to three runners above them,
/// the turn, and what is to be done: to roll, to choose, or to place one of all ordered rolls.
pub(super) fn most_states_of_cant_stop() -> f64 {
    let heights: f64 = LENGTHS.iter().map(|length| f64::from(*length) + 1.0).product();
    // Elementary symmetric sums: the ways to place none, one, two or three runners.
    let mut ways = [1.0, 0.0, 0.0, 0.0];
    for length in LENGTHS {
        for runners in (1..4).rev() {
            ways[runners] += ways[runners - 1] * f64::from(length);
        }
    }
    let phases = f64::from(ROLLS) + 4.0;
    heights * ways.iter().sum::<f64>() * phases * 11.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_outs_roll_as_they_should() {
        assert_eq!(policy_share(&spinney_games::Pig::default(), "roll"), Some(0.8));
        assert_eq!(policy_share(&spinney_games::CantStop::default(), "roll"), Some(0.85));
    }

    /// 4·6·8·10·12·14·12·10·8·6·4 = 7,431,782,400 heights.
    #[test]
    fn states_are_bounded_from_above() {
        let heights: u64 = LENGTHS.iter().map(|length| u64::from(*length) + 1).product();
        assert_eq!(heights, 7_431_782_400);
        let most = most_states_of_cant_stop();
        assert!(most > heights as f64 && most < 1e19, "{most:e}");
    }
}
