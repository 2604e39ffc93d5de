//! The tests that every game must pass, for the games here and for yours: call [`check`] from a test.

use crate::bits;
use crate::chance::{Likely, Luck};
use crate::game::{Game, IllegalMove, Outcome, Player, Turn, continuations, no_luck, play};
use crate::list::List;
use crate::move_run::RunsOf;
use crate::notation::Notation;
use crate::policy::{Policy, draw_weighted};
use crate::random::{Random, Seed};
use crate::stream::Stream;
use crate::unhurried::{advance, apply, draw_outcome, list_moves, moves, random_move, turn};
use crate::workspace::Workspace;

/// Random games end within so many plies.
const LONGEST_PLIES: usize = 5_000;

/// Plays random games and tests at every position that all functions of the game agree with each other. What a game
/// does not have is not tested: a policy, chance, a score, sets or runs of moves, positions that can be read.
///
/// # Panics
/// If they do not; the message names the position.
///
/// ```
/// # fn my_game() -> impl spinney_core::Notation + Clone { spinney_games::TicTacToe }
/// spinney_core::conformance::check(&my_game(), 20);
/// ```
pub fn check<G: Notation>(game: &G, games: u32) {
    for number in 0..games {
        let mut random = Random::new(Seed::new(2014).child(u64::from(number)));
        // Half of the games are uniform and half follow the policy, which meets other positions.
        play_and_check(game, &mut random, number % 2 == 1);
    }
    for number in 0..4 {
        let mut random = Random::new(Seed::new(2011).child(number));
        let state = random_position(game, &mut random, 8 * number as usize);
        random_move_is_uniform(game, &state, &mut random);
        // Constant conditions stand first, so that nothing is compiled for games that have no policy or no chance.
        if const { G::POLICY.is_some() }
            && let Some(policy) = G::POLICY
        {
            policy_move_follows_policy(game, &policy, &state, &mut random);
        }
        if const { G::LUCK.is_some() }
            && let Some((luck, state)) = G::LUCK.zip(random_chance(game, &mut random, 8 * number as usize))
        {
            draws_follow_probabilities(game, &luck, &state, &mut random);
        }
    }
}

fn play_and_check<G: Notation>(game: &G, random: &mut Random, by_policy: bool) {
    let mut state = game.initial();
    let mut work = Workspace::new();
    let reads_positions = game.reads_positions();
    for _ in 0..LONGEST_PLIES {
        let before = game.write_position(&state);
        assert!(!before.contains('\n') && !game.draw(&state).is_empty(), "a position is one line: {before}");
        if reads_positions {
            position_round_trips(game, &state);
        }
        evaluation_is_fair(game, &state);
        match turn_of(game, &state) {
            Turn::Over(outcome) => return ending_is_sound(game, &state, outcome, &mut work),
            Turn::Player(player) => moves_are_sound(game, &state, player, random, &mut work),
            Turn::Chance => {
                if const { G::LUCK.is_some() }
                    && let Some(luck) = G::LUCK
                {
                    outcomes_are_sound(game, &luck, &state, random);
                }
                happen(game, &mut state, random);
                continue;
            }
        }
        let mv = match G::POLICY {
            Some(policy) if by_policy => policy_drawn(&policy, game, &state, random, &mut work),
            _ => random_move(game, &state, random, &mut work),
        };
        let mv = mv.unwrap_or_else(|| panic!("no move drawn though it is not over: {before}"));
        let foreseen = game.outcome_after(&state, mv, &mut work);
        let left = set_without(game, &state, mv);
        let mut advanced = state.clone();
        advance(game, &mut advanced, mv, &mut work);
        let last = state.clone();
        assert_eq!(play(game, &mut state, mv), Ok(()), "{mv:?} cannot be played in {before}");
        assert_eq!(advanced, state, "advance disagrees with apply after {mv:?} in {before}");
        let set = G::MOVE_SETS.map(|sets| sets.move_set(game, &state).to_vec());
        assert_eq!(set, left, "{mv:?} takes more out of move_set than itself in {before}");
        let happened = turn_of(game, &state).outcome();
        assert_eq!(foreseen, happened, "outcome_after disagrees with turn after {mv:?} in {before}");
        illegal_moves_are_refused(game, &last, &state);
    }
    panic!("a random game has not ended after {LONGEST_PLIES} plies: {}", game.write_position(&state));
}

/// A policy's functions are large: they are compiled once, not at every place that asks.
#[inline(never)]
fn policy_drawn<G: Game>(
    policy: &Policy<G>,
    game: &G,
    state: &G::State,
    random: &mut Random,
    work: &mut Workspace<G>,
) -> Option<G::Move> {
    policy.draw(game, state, random, work)
}

/// Whose turn it is; chance has one only in games that say so.
fn turn_of<G: Notation>(game: &G, state: &G::State) -> Turn {
    let turn = turn(game, state);
    let is_possible = turn != Turn::Chance || G::LUCK.is_some();
    assert!(is_possible, "a chance turn in a game without chance: {}", game.write_position(state));
    turn
}

/// Tries what was possible a ply before and is not any more, and the move that need not be legal.
fn illegal_moves_are_refused<G: Notation>(game: &G, before: &G::State, state: &G::State) {
    let (possible, now) = (continuations(game, before), continuations(game, state));
    let illegal = possible.iter().copied().chain([G::Move::default()]).find(|mv| !now.contains(mv));
    if let Some(mv) = illegal {
        let mut after = state.clone();
        let text = game.write_position(state);
        assert_eq!(play(game, &mut after, mv), Err(IllegalMove), "{mv:?} can be played in {text}");
        assert_eq!(&after, state, "the refused {mv:?} changes {text}");
    }
}

fn position_round_trips<G: Notation>(game: &G, state: &G::State) {
    let text = game.write_position(state);
    let fitted = game.clone().fitted(&text);
    let back = fitted.read_position(&text).unwrap_or_else(|error| panic!("{text} is not read back: {error}"));
    assert_eq!(&back, state, "another position is read back from {text}");
    assert_eq!(game.key(&back), game.key(state), "equal positions with different keys: {text}");
}

fn evaluation_is_fair<G: Notation>(game: &G, state: &G::State) {
    let [first, second] = Player::BOTH.map(|player| game.evaluate(state, player));
    assert_eq!(first.is_some(), second.is_some());
    if let (Some(first), Some(second)) = (first, second) {
        let text = game.write_position(state);
        assert!((-1.0..=1.0).contains(&first), "evaluation {first} out of range: {text}");
        assert_eq!(first, -second, "the players' evaluations do not cancel: {text}");
    }
}

fn ending_is_sound<G: Notation>(game: &G, state: &G::State, outcome: Outcome, work: &mut Workspace<G>) {
    let text = game.write_position(state);
    let is_scored = outcome == Outcome::Scored;
    assert_eq!(is_scored, G::SCORE.is_some(), "one player has a score, two have a winner or a draw: {text}");
    if let Some(score) = G::SCORE.map(|score| score.of_state(game, state)) {
        assert!(score.is_finite(), "score {score}: {text}");
    }
    if let Outcome::Win(winner) = outcome {
        let quality = game.quality(state, winner);
        assert!(quality.is_finite(), "quality {quality}: {text}");
    }
    match game.quick_turn(state) {
        Turn::Over(seen) => assert_eq!(seen, outcome, "quick_turn disagrees with turn: {text}"),
        Turn::Chance => panic!("quick_turn sees chance at the end: {text}"),
        Turn::Player(_) => {
            let mut random = Random::new(Seed::new(0));
            assert!(random_move(game, state, &mut random, work).is_none(), "a move after the end: {text}");
            assert!(searched(game, state, work).is_empty(), "moves to search after the end: {text}");
            if let Some(policy) = G::POLICY {
                let drawn = policy_drawn(&policy, game, state, &mut random, work);
                assert!(drawn.is_none(), "a policy move after the end: {text}");
            }
        }
    }
}

fn moves_are_sound<G: Notation>(
    game: &G,
    state: &G::State,
    player: Player,
    random: &mut Random,
    work: &mut Workspace<G>,
) {
    let text = game.write_position(state);
    assert_eq!(game.quick_turn(state), Turn::Player(player), "{text}");
    let legal = moves(game, state);
    assert!(!legal.is_empty(), "no legal move though it is not over: {text}");
    let searched = searched(game, state, work);
    assert!(!searched.is_empty(), "nothing to search though it is not over: {text}");
    assert!(searched.iter().all(|mv| legal.contains(mv)), "an illegal move is searched: {text}");

    let mut written: Vec<String> = legal.iter().map(|&mv| game.write_move(state, mv)).collect();
    let sample = random.below(legal.len() as u32) as usize;
    let read = game.read_move(state, &written[sample]);
    assert_eq!(read.as_ref(), Ok(&legal[sample]), "{} is not read back in {text}", written[sample]);
    written.sort_unstable();
    assert!(written.windows(2).all(|pair| pair[0] != pair[1]), "two moves are written alike: {text}");

    let mut ids: Vec<usize> = legal.iter().map(|&mv| game.move_id(state, mv)).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "two moves have one id: {text}");
    assert!(ids.last().is_some_and(|&id| id < game.move_ids()), "a move id is too large: {text}");

    if let Some(sets) = G::MOVE_SETS {
        let set = sets.move_set(game, state);
        let ids = (0..64 * set.len()).filter(|id| set[id / 64] >> (id % 64) & 1 == 1);
        let moves: List<G::Move> = ids.map(|id| sets.move_with_id(game, state, id)).collect();
        assert_eq!(moves, searched, "move_set disagrees with search_moves: {text}");
        assert!(moves.iter().all(|&mv| sets.move_with_id(game, state, game.move_id(state, mv)) == mv), "{text}");
    }

    if let Some(runs) = G::MOVE_RUNS {
        runs.find(game, state, &mut work.scratch);
        assert_eq!(moves_of_runs(game, &runs, state, work), searched, "runs disagree with search_moves: {text}");
    }

    if let Some(policy) = G::POLICY {
        work.candidates.clear();
        let mut same = random.clone();
        policy.list(game, state, random, work);
        if let Some(runs) = G::MOVE_RUNS {
            runs.find_policy(game, state, &mut same, &mut work.scratch);
            let listed: List<G::Move> = work.candidates.iter().map(|candidate| candidate.mv).collect();
            assert_eq!(moves_of_runs(game, &runs, state, work), listed, "runs disagree with the policy: {text}");
            assert_eq!(same.bits(), random.clone().bits(), "runs draw other numbers than the policy: {text}");
        }
        assert!(!work.candidates.is_empty(), "the policy has no candidate: {text}");
        for candidate in &work.candidates {
            assert!(searched.contains(&candidate.mv), "the policy plays {:?} in {text}", candidate.mv);
            assert!(candidate.weight > 0, "a candidate without weight in {text}");
        }
    }
}

/// The moves of the runs that were found last.
fn moves_of_runs<G: Game>(game: &G, runs: &RunsOf<G>, state: &G::State, work: &Workspace<G>) -> List<G::Move> {
    let places = runs.found(&work.scratch).iter().flat_map(|run| {
        let first_id = game.move_id(state, run.first);
        bits::squares(run.places).map(move |place| (run.first, first_id, u32::from(place)))
    });
    let move_at = |(first, first_id, place): (G::Move, usize, u32)| {
        let mv = runs.move_at(game, first, place);
        assert_eq!(game.move_id(state, mv), first_id + place as usize, "{mv:?} has another id than its place");
        mv
    };
    places.map(move_at).collect()
}

/// The moves that searches consider.
#[inline(never)]
fn searched<G: Game>(game: &G, state: &G::State, work: &mut Workspace<G>) -> List<G::Move> {
    list_moves(game, state, work);
    work.moves.clone()
}

/// The set of moves without this one, where the game has such a set.
fn set_without<G: Game>(game: &G, state: &G::State, mv: G::Move) -> Option<Vec<u64>> {
    let (mut set, id) = (G::MOVE_SETS?.move_set(game, state).to_vec(), game.move_id(state, mv));
    set[id / 64] &= !(1 << (id % 64));
    Some(set)
}

/// Lets chance take its turn.
fn happen<G: Game>(game: &G, state: &mut G::State, random: &mut Random) {
    let Some(luck) = G::LUCK else { no_luck() };
    draw_outcome(&luck, game, state, &mut Stream::new(Seed::new(random.bits())));
}

/// A position some random plies after the start in which a player is to move.
fn random_position<G: Game>(game: &G, random: &mut Random, plies: usize) -> G::State {
    let mut state = game.initial();
    let mut work = Workspace::new();
    while turn(game, &state) == Turn::Chance {
        happen(game, &mut state, random);
    }
    for _ in 0..plies {
        let Some(mv) = random_move(game, &state, random, &mut work) else { break };
        let mut next = state.clone();
        advance(game, &mut next, mv, &mut work);
        while turn(game, &next) == Turn::Chance {
            happen(game, &mut next, random);
        }
        if matches!(turn(game, &next), Turn::Over(_)) {
            break;
        }
        state = next;
    }
    state
}

/// The first chance turn after some random plies, if there is one.
fn random_chance<G: Game>(game: &G, random: &mut Random, plies: usize) -> Option<G::State> {
    let mut state = if plies == 0 { game.initial() } else { random_position(game, random, plies) };
    let mut work = Workspace::new();
    loop {
        match turn(game, &state) {
            Turn::Over(_) => return None,
            Turn::Chance => return Some(state),
            Turn::Player(_) => {
                let mv = random_move(game, &state, random, &mut work)?;
                advance(game, &mut state, mv, &mut work);
            }
        }
    }
}

fn outcomes_are_sound<G: Notation>(game: &G, luck: &Luck<G>, state: &G::State, random: &mut Random) {
    let text = game.write_position(state);
    assert_eq!(game.quick_turn(state), Turn::Chance, "{text}");
    let mut outcomes = List::new();
    luck.outcomes(game, state, &mut outcomes);
    assert!(outcomes.iter().all(|outcome| outcome.probability > 0.0), "an outcome is impossible: {text}");
    let total: f64 = outcomes.iter().map(|outcome| outcome.probability).sum();
    assert!((total - 1.0).abs() < 1e-9, "the probabilities sum to {total}: {text}");
    let mut written: Vec<String> = outcomes.iter().map(|outcome| game.write_move(state, outcome.mv)).collect();
    let sample = random.below(outcomes.len() as u32) as usize;
    let read = game.read_move(state, &written[sample]);
    assert_eq!(read, Ok(outcomes[sample].mv), "{} is not read back in {text}", written[sample]);
    written.sort_unstable();
    assert!(written.windows(2).all(|pair| pair[0] != pair[1]), "two outcomes are written alike: {text}");
    let mut drawn = state.clone();
    let outcome = draw_outcome(luck, game, &mut drawn, &mut Stream::new(Seed::new(random.bits())));
    let mut applied = state.clone();
    apply(game, &mut applied, outcome);
    assert_eq!(drawn, applied, "drawing {outcome:?} is not applying it: {text}");
    if let Some(probability) = luck.event_probability(game, state) {
        let is_event = |outcome: &&Likely<G::Move>| {
            let mut next = state.clone();
            apply(game, &mut next, outcome.mv);
            luck.event(game, &next, outcome.mv)
        };
        let sum: f64 = outcomes.iter().filter(is_event).map(|outcome| outcome.probability).sum();
        assert!((sum - probability).abs() < 1e-9, "the event has probability {sum}, not {probability}: {text}");
    }
}

/// Draws through streams of all kinds, which must have the probabilities of `outcomes`.
fn draws_follow_probabilities<G: Notation>(game: &G, luck: &Luck<G>, state: &G::State, random: &mut Random) {
    const DRAWS: usize = 20_000;
    let mut outcomes = List::new();
    luck.outcomes(game, state, &mut outcomes);
    let text = game.write_position(state);
    for kind in [Stream::new, Stream::opposite, |seed| Stream::new(seed).in_common()] {
        let mut counts = vec![0.0; outcomes.len()];
        for _ in 0..DRAWS {
            let mut stream = kind(Seed::new(random.bits()));
            let mut next = state.clone();
            luck.redraw_hidden(game, &mut next, &mut stream);
            let drawn = draw_outcome(luck, game, &mut next, &mut stream);
            let index = outcomes.iter().position(|outcome| outcome.mv == drawn);
            counts[index.unwrap_or_else(|| panic!("{drawn:?} drawn in {text}"))] += 1.0;
        }
        // What is rarely expected is counted together.
        let (mut statistic, mut degrees, mut rest) = (0.0, 0, [0.0f64; 2]);
        for (count, outcome) in counts.iter().zip(&outcomes) {
            let expected = DRAWS as f64 * outcome.probability;
            if expected >= 10.0 {
                statistic += (count - expected).powi(2) / expected;
                degrees += 1;
            } else {
                rest = [rest[0] + count, rest[1] + expected];
            }
        }
        if rest[1] >= 10.0 {
            statistic += (rest[0] - rest[1]).powi(2) / rest[1];
            degrees += 1;
        }
        assert!(is_plausible(statistic, degrees), "draws do not follow the probabilities, χ² = {statistic:.1}: {text}");
    }
}

fn random_move_is_uniform<G: Notation>(game: &G, state: &G::State, random: &mut Random) {
    let mut work = Workspace::new();
    let moves = searched(game, state, &mut work);
    let draws = 100 * moves.len();
    let mut counts = vec![0.0; moves.len()];
    for _ in 0..draws {
        let mv = random_move(game, state, random, &mut work);
        let index = mv.and_then(|mv| moves.iter().position(|&other| other == mv));
        let index = index.unwrap_or_else(|| panic!("{mv:?} drawn in {}", game.write_position(state)));
        counts[index] += 1.0;
    }
    let statistic: f64 = counts.iter().map(|count: &f64| (count - 100.0).powi(2) / 100.0).sum();
    let text = game.write_position(state);
    assert!(is_plausible(statistic, moves.len() - 1), "random_move is not uniform, χ² = {statistic:.1}, in {text}");
}

/// Draws with `policy_move` and from `policy`, which must have one distribution.
fn policy_move_follows_policy<G: Notation>(game: &G, policy: &Policy<G>, state: &G::State, random: &mut Random) {
    let mut work = Workspace::new();
    let moves = searched(game, state, &mut work);
    let draws = 200 * moves.len();
    let mut counts = vec![[0.0f64; 2]; moves.len()];
    for draw in 0..2 * draws {
        work.candidates.clear();
        let mv = if draw % 2 == 0 {
            policy_drawn(policy, game, state, random, &mut work)
        } else {
            policy.list(game, state, random, &mut work);
            draw_weighted(&work.candidates, random)
        };
        let index = mv.and_then(|mv| moves.iter().position(|&other| other == mv));
        let index = index.unwrap_or_else(|| panic!("{mv:?} drawn in {}", game.write_position(state)));
        counts[index][draw % 2] += 1.0;
    }
    let seen: Vec<&[f64; 2]> = counts.iter().filter(|pair| pair[0] + pair[1] >= 10.0).collect();
    let statistic: f64 = seen.iter().map(|[a, b]| (a - b).powi(2) / (a + b)).sum();
    let text = game.write_position(state);
    assert!(is_plausible(statistic, seen.len()), "policy_move differs from policy, χ² = {statistic:.1}, in {text}");
}

/// Whether a χ² statistic is below its point of one in a million (Wilson and Hilferty's approximation).
fn is_plausible(statistic: f64, degrees: usize) -> bool {
    if degrees == 0 {
        return statistic < 1e-9;
    }
    let k = degrees as f64;
    let spread = 2.0 / (9.0 * k);
    statistic < k * (1.0 - spread + 4.753 * spread.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nim without a notation of its own, and with a fault.
    #[derive(Clone)]
    struct Nim<const FAULT: u8>;

    const NONE: u8 = 0;
    const CHANCE: u8 = 1;
    const SCORED: u8 = 2;
    const ADVANCES_ELSEWHERE: u8 = 3;
    const OVERLOOKS: u8 = 4;
    const DRAWS_AT_THE_END: u8 = 5;

    impl<const FAULT: u8> Game for Nim<FAULT> {
        type State = (u8, Player);
        type Move = u8;
        type Scratch = ();

        fn initial(&self) -> Self::State {
            (9, Player::First)
        }

        fn turn(&self, &(left, player): &Self::State) -> Turn {
            match left {
                0 if FAULT == SCORED => Turn::Over(Outcome::Scored),
                0 => Turn::Over(Outcome::Win(player.other())),
                5 if FAULT == CHANCE => Turn::Chance,
                _ => Turn::Player(player),
            }
        }

        fn quick_turn(&self, state: &Self::State) -> Turn {
            if FAULT >= OVERLOOKS { Turn::Player(state.1) } else { self.turn(state) }
        }

        fn moves(&self, &(left, _): &Self::State, moves: &mut List<u8>) {
            moves.extend(1..=left.min(2));
        }

        fn apply(&self, (left, player): &mut Self::State, taken: u8) {
            *left -= taken;
            *player = player.other();
        }

        fn move_ids(&self) -> usize {
            3
        }

        fn move_id(&self, _: &Self::State, taken: u8) -> usize {
            usize::from(taken)
        }

        fn advance(&self, state: &mut Self::State, taken: u8, _: &mut Workspace<Self>) {
            self.apply(state, if FAULT == ADVANCES_ELSEWHERE { 1 } else { taken });
        }

        fn random_move(&self, state: &Self::State, random: &mut Random, work: &mut Workspace<Self>) -> Option<u8> {
            work.list_moves(self, state);
            if FAULT == DRAWS_AT_THE_END && work.moves.is_empty() {
                return Some(1);
            }
            (!work.moves.is_empty()).then(|| work.moves[random.below(work.moves.len() as u32) as usize])
        }
    }

    impl<const FAULT: u8> Notation for Nim<FAULT> {}

    /// The end may be overlooked where no move is drawn any more.
    #[test]
    fn a_game_needs_no_notation_to_conform() {
        check(&Nim::<NONE>, 20);
        check(&Nim::<OVERLOOKS>, 20);
    }

    #[test]
    #[should_panic(expected = "a chance turn in a game without chance")]
    fn chance_takes_no_turn_unannounced() {
        check(&Nim::<CHANCE>, 20);
    }

    #[test]
    #[should_panic(expected = "one player has a score")]
    fn a_scored_game_has_a_score() {
        check(&Nim::<SCORED>, 20);
    }

    #[test]
    #[should_panic(expected = "advance disagrees with apply")]
    fn to_advance_is_to_apply() {
        check(&Nim::<ADVANCES_ELSEWHERE>, 20);
    }

    #[test]
    #[should_panic(expected = "a move after the end")]
    fn nothing_is_drawn_after_the_end() {
        check(&Nim::<DRAWS_AT_THE_END>, 20);
    }
}
