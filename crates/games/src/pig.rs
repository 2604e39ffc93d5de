//! Pig with two dice for one player: roll for more or bank what you have, a fixed number of turns.
//!
//! The problem, its play-out policy and its parameters are those of Veness, Lanctot and Bowling, "Variance Reduction in
//! Monte-Carlo Tree Search" (NIPS 2011).
//!
#![cfg_attr(doc, doc = include_str!("../rules/pig.md"))]

pub mod exact;

use spinney_core::error::shorten;
use spinney_core::scene::{Item, Scene, Tray};
use spinney_core::{
    Chance, Game, InputError, Likely, List, Luck, Notation, Outcome, Player, PlayoutPolicy, Policy, Published, Random,
    Score, Solitaire, Stream, Turn, Weighted, Workspace, random,
};

spinney_core::options! {
    /// The options of Pig.
    pub struct Options {
        /// number of turns
        turns: u8 = 10, in 1 to 100;
    }
}

/// The rules.
#[derive(Clone, Debug)]
pub struct Pig {
    turns: u8,
}

impl Default for Pig {
    #[inline]
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// What has been banked, what this turn has brought, and how many turns are left, this one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Turns left.
    pub turns: u8,
    /// Banked points.
    pub score: u32,
    /// Points of this turn.
    pub total: u32,
    /// The dice are in the air.
    pub rolling: bool,
}

/// Bank the turn's points.
pub const STOP: u8 = 0;
/// Roll both dice.
pub const ROLL: u8 = 1;
/// Two ones: everything is lost. The outcomes above `ONE` are the sum of the dice.
pub const TWO_ONES: u8 = 2;
/// A single one: the turn's points are lost.
pub const ONE: u8 = 3;

/// The 36 rolls from the worst to the best, which makes 35 − r the opposite of the roll r.
const ROLLS: [u8; 36] = {
    let mut rolls = [ONE; 36];
    rolls[0] = TWO_ONES;
    let (mut rank, mut sum) = (11, 4);
    while sum <= 12 {
        let mut times = ways(sum);
        while times > 0 {
            rolls[rank] = sum;
            rank += 1;
            times -= 1;
        }
        sum += 1;
    }
    rolls
};

/// In how many of the 36 rolls this outcome comes up.
#[inline]
pub const fn ways(outcome: u8) -> u8 {
    match outcome {
        TWO_ONES => 1,
        ONE => 10,
        4..=8 => outcome - 3,
        9..=12 => 13 - outcome,
        _ => 0,
    }
}

/// The most points a position may have; far more than can be reached.
const MOST_POINTS: u32 = 100_000;

impl Pig {
    /// The rules with these options.
    pub fn new(options: Options) -> Self {
        Self { turns: options.turns }
    }

    /// Number of turns.
    #[inline]
    pub fn turns(&self) -> u8 {
        self.turns
    }
}

impl Game for Pig {
    type State = State;
    type Move = u8;
    type Scratch = ();
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const LUCK: Option<Luck<Self>> = Some(Luck::of());
    const SCORE: Option<Score<Self>> = Some(Score::of());

    fn initial(&self) -> State {
        State { turns: self.turns, score: 0, total: 0, rolling: false }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.turns == 0 {
            Turn::Over(Outcome::Scored)
        } else if state.rolling {
            Turn::Chance
        } else {
            Turn::Player(Player::First)
        }
    }

    #[inline(always)]
    fn moves(&self, _: &State, moves: &mut List<u8>) {
        moves.extend([ROLL, STOP]);
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: u8) {
        if mv == ROLL {
            state.rolling = true;
            return;
        }
        state.rolling = false;
        if mv > ONE {
            state.total += u32::from(mv);
            return;
        }
        match mv {
            STOP => state.score += state.total,
            TWO_ONES => state.score = 0,
            _ => {}
        }
        state.total = 0;
        state.turns -= 1;
    }

    #[inline]
    fn move_ids(&self) -> usize {
        2
    }

    #[inline]
    fn move_id(&self, _: &State, mv: u8) -> usize {
        usize::from(mv)
    }

    #[inline(always)]
    fn random_move(&self, _: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<u8> {
        Some(random.below(2) as u8)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let points = u64::from(state.score) << 32 | u64::from(state.total);
        Some(random::mix(random::mix(points) ^ u64::from(state.turns) << 1 ^ u64::from(state.rolling)))
    }

    fn published(&self) -> Published {
        Published { agent: "c=100, playout=policy, cv_constant=6", simulations_per_second: 1024 }
    }
}

impl PlayoutPolicy for Pig {
    #[inline]
    fn policy(&self, _: &State, _: &mut Random, work: &mut Workspace<Self>) {
        work.candidates.extend([Weighted { mv: ROLL, weight: 4 }, Weighted { mv: STOP, weight: 1 }]);
    }

    #[inline(always)]
    fn policy_move(&self, _: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<u8> {
        Some(u8::from(random.below(5) > 0))
    }
}

impl Chance for Pig {
    #[inline]
    fn outcomes(&self, _: &State, outcomes: &mut List<Likely<u8>>) {
        let outcome = |mv| Likely { mv, probability: f64::from(ways(mv)) / 36.0 };
        outcomes.extend((TWO_ONES..=12).map(outcome));
    }

    #[inline(always)]
    fn draw_outcome(&self, state: &mut State, stream: &mut Stream) -> u8 {
        let outcome = ROLLS[stream.below(36) as usize];
        self.apply(state, outcome);
        outcome
    }

    #[inline(always)]
    fn event_probability(&self, _: &State) -> Option<f64> {
        Some(11.0 / 36.0)
    }

    #[inline(always)]
    fn event(&self, _: &State, outcome: u8) -> bool {
        outcome <= ONE
    }
}

impl Solitaire for Pig {
    #[inline(always)]
    fn score(&self, state: &State) -> f64 {
        f64::from(state.score)
    }
}

impl Notation for Pig {
    /// Turns left, banked points, points of this turn, and `rolling` while the dice are in the air.
    #[inline]
    fn write_position(&self, state: &State) -> String {
        let State { turns, score, total, rolling } = state;
        format!("{turns} {score} {total}{}", if *rolling { " rolling" } else { "" })
    }

    #[inline]
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: String| {
            InputError::position(
                "position",
                problem,
                "write turns left, banked points and points of this turn: `10 0 0`",
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let rolling = words.get(3).is_some_and(|word| *word == "rolling");
        if words.len() != 3 + usize::from(rolling) {
            return Err(wrong("it is not three numbers, with `rolling` after them or nothing".to_string()));
        }
        let number = |index: usize, most: u32| match words[index].parse::<u32>() {
            Ok(number) if number <= most => Ok(number),
            _ => Err(wrong(format!("`{}` is not a number from 0 to {most}", shorten(words[index])))),
        };
        let (turns, score, total) =
            (number(0, u32::from(self.turns))? as u8, number(1, MOST_POINTS)?, number(2, MOST_POINTS)?);
        if turns == 0 && (total > 0 || rolling) {
            return Err(wrong("no turn is left, and one is being played".to_string()));
        }
        Ok(State { turns, score, total, rolling })
    }

    #[inline]
    fn write_move(&self, _: &State, mv: u8) -> String {
        match mv {
            STOP => "stop".to_string(),
            ROLL => "roll".to_string(),
            TWO_ONES => "1-1".to_string(),
            ONE => "1-x".to_string(),
            sum => sum.to_string(),
        }
    }

    fn draw(&self, state: &State) -> String {
        let turn = match state.turns {
            0 => format!("after {} turns", self.turns),
            left => format!("turn {} of {}", (self.turns + 1).saturating_sub(left).max(1), self.turns),
        };
        let dice = if state.rolling { ", the dice roll" } else { "" };
        format!("{turn}: {} points banked, {} in this turn{dice}\n", state.score, state.total)
    }

    fn scene(&self, state: &State) -> Scene {
        let State { turns, score, total, .. } = state;
        let counters = [("turns left", u32::from(*turns)), ("banked", *score), ("this turn", *total)];
        let counters = counters.map(|(name, value)| Item::counter(name, value));
        Scene { trays: vec![Tray::new("points", counters)], ..Scene::default() }
    }

    /// Of most rolls only the sum is known, of others that a die shows a one.
    #[inline]
    fn roll(&self, outcome: u8) -> Vec<Item> {
        match outcome {
            TWO_ONES => vec![Item::Die(1), Item::Die(1)],
            ONE => vec![Item::Die(1)],
            sum => vec![Item::counter("both dice", sum)],
        }
    }

    fn prompt(&self, state: &State) -> &'static str {
        if state.total == 0 { "roll the dice" } else { "roll again, or stop and bank your points" }
    }

    #[inline]
    fn player_name(&self, _: Player) -> &'static str {
        "player"
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        if self.turns == 10 { Vec::new() } else { Options { turns: self.turns }.write() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_and_its_opposite_are_36_rolls_each() {
        let count = |outcome| ROLLS.iter().filter(|&&roll| roll == outcome).count();
        assert_eq!((TWO_ONES..=12).map(count).collect::<Vec<_>>(), [1, 10, 1, 2, 3, 4, 5, 4, 3, 2, 1]);
        assert_eq!((ROLLS[0], ROLLS[35]), (TWO_ONES, 12));
        assert!(ROLLS.is_sorted());
    }

    /// From the start of k turns the policy scores 90 (1 − 0.95^k): a turn ends banked, with a one or with two ones
    /// in 45, 50 and 5 of 100 cases, and brings 4.5 points.
    #[test]
    fn the_policy_has_its_exact_mean() {
        let game = Pig::default();
        let mut random = Random::new(spinney_core::Seed::new(1));
        let mut work = Workspace::new();
        let (mut sum, mut squares) = (0.0, 0.0);
        const GAMES: u32 = 200_000;
        for number in 0..GAMES {
            let mut state = game.initial();
            let mut stream = Stream::new(spinney_core::Seed::new(2).child(u64::from(number)));
            loop {
                match game.turn(&state) {
                    Turn::Over(_) => break,
                    Turn::Chance => drop(game.draw_outcome(&mut state, &mut stream)),
                    Turn::Player(_) => {
                        let mv = game.policy_move(&state, &mut random, &mut work);
                        game.apply(&mut state, mv.unwrap_or_default());
                    }
                }
            }
            sum += game.score(&state);
            squares += game.score(&state) * game.score(&state);
        }
        let (mean, square) = (sum / f64::from(GAMES), squares / f64::from(GAMES));
        assert!((mean - 36.113_675_469).abs() < 4.0 * 33.47 / f64::from(GAMES).sqrt(), "mean {mean}");
        assert!((square - mean * mean - 1120.5).abs() < 15.0, "variance {}", square - mean * mean);
    }
}
