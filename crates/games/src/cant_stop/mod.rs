//! Can't Stop for one player: roll four dice, advance three runners, and stop before a roll cannot be used.
//!
//! The problem and its play-out policy are those of Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree
//! Search" (NIPS 2011). The paper states neither the number of turns nor the score; ten turns and 500 points for each
//! finished column fit its exploration constant and the axes of its figures.

pub mod dice;
mod scene;

use dice::{ALL, Advance, COLUMNS, Columns, Columnwise, Kind, LENGTHS, ROLLS, Tables, tables};
use spinney_core::error::shorten;
use spinney_core::scene::Scene;
use spinney_core::{
    Game, InputError, Likely, Notation, Outcome, Parameters, Player, Random, Sharing, Stream, Turn, VarianceParameters,
    Weighted,
};

spinney_core::options! {
    /// The options of Can't Stop.
    pub struct Options {
        /// number of turns
        turns: u8 = 10, in 1 to 100;
        /// the longest a column may be; less makes a small variant
        length: u8 = 13, in 1 to 13;
    }
}

/// The rules.
#[derive(Clone, Debug)]
pub struct CantStop {
    options: Options,
    lengths: [u8; COLUMNS],
    tables: &'static Tables,
}

impl Default for CantStop {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A turn begins; one must roll.
    Start,
    /// The dice are in the air.
    Rolling,
    /// The dice lie there, a kind of roll; choose a pairing.
    Choose(u8),
    /// Roll again or stop; true if the last advance reached the top of a column.
    Decide(bool),
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Banked heights.
    heights: [u8; COLUMNS],
    /// Heights with the progress of the runners.
    places: [u8; COLUMNS],
    runners: Columns,
    /// Columns whose top has not been reached, runners included.
    open: Columns,
    turns: u8,
    phase: Phase,
}

/// Points for a finished column.
const POINTS: u32 = 500;

/// Bank the progress of the turn.
const STOP: u16 = 0;
/// Roll the dice.
const ROLL: u16 = 1;
/// A roll that cannot be used: the progress of the turn is lost.
const BUST: u16 = 2;
/// Added to the number of a kind of roll.
const DICE: u16 = 0x100;
/// Added to an advance.
const ADVANCE: u16 = 0x200;

impl CantStop {
    /// The rules with these options.
    pub fn new(options: Options) -> Self {
        let lengths = LENGTHS.map(|length| length.min(options.length));
        Self { options, lengths, tables: tables() }
    }

    /// The columns of which a roll must have one.
    #[inline(always)]
    fn usable(state: &State) -> Columns {
        if state.runners.count_ones() == 3 { state.open & state.runners } else { state.open }
    }

    fn kind(&self, kind: u8) -> &'static Kind {
        &self.tables.kinds[usize::from(kind)]
    }

    fn finished(&self, state: &State) -> u32 {
        state.heights.iter().zip(&self.lengths).filter(|(height, length)| height == length).count() as u32
    }

    #[inline(always)]
    fn advances(&self, state: &State, moves: &mut [Advance; 6]) -> usize {
        match state.phase {
            Phase::Choose(kind) => self.kind(kind).advances(state.open, state.runners, moves),
            _ => 0,
        }
    }

    #[inline(always)]
    fn end_turn(state: &mut State) {
        state.runners = 0;
        state.turns -= 1;
        state.phase = Phase::Start;
    }
}

impl Game for CantStop {
    type State = State;
    type Move = u16;
    const CHANCE: bool = true;
    const SOLITAIRE: bool = true;

    fn initial(&self) -> State {
        State {
            heights: [0; COLUMNS],
            places: [0; COLUMNS],
            runners: 0,
            open: ALL,
            turns: self.options.turns,
            phase: Phase::Start,
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if state.phase == Phase::Start && (state.turns == 0 || state.open == 0) {
            Turn::Over(Outcome::Scored)
        } else if state.phase == Phase::Rolling {
            Turn::Chance
        } else {
            Turn::Player(Player::First)
        }
    }

    #[inline(always)]
    fn moves(&self, state: &State, moves: &mut Vec<u16>) {
        match state.phase {
            Phase::Start => moves.push(ROLL),
            Phase::Decide(_) => moves.extend([ROLL, STOP]),
            Phase::Choose(_) | Phase::Rolling => {
                let mut advances = [0; 6];
                let count = self.advances(state, &mut advances);
                moves.extend(advances[..count].iter().map(|&advance| ADVANCE | u16::from(advance)));
            }
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: u16) {
        match mv {
            ROLL => state.phase = Phase::Rolling,
            STOP => {
                state.heights = state.places;
                Self::end_turn(state);
            }
            BUST => {
                state.places = state.heights;
                state.open |= state.runners;
                Self::end_turn(state);
            }
            mv if mv < ADVANCE => state.phase = Phase::Choose((mv - DICE) as u8),
            mv => {
                let mut finished = false;
                for column in ((mv - ADVANCE) as u8).columns() {
                    state.runners |= 1 << column;
                    // The second step of a double has nowhere to go from the top.
                    if state.places[column] < self.lengths[column] {
                        state.places[column] += 1;
                        if state.places[column] == self.lengths[column] {
                            state.open &= !(1 << column);
                            finished = true;
                        }
                    }
                }
                state.phase = Phase::Decide(finished);
            }
        }
    }

    fn move_ids(&self) -> usize {
        2 + 256
    }

    fn move_id(&self, _: &State, mv: u16) -> usize {
        if mv < DICE { usize::from(mv) } else { 2 + usize::from(mv - ADVANCE) }
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Vec<u16>) -> Option<u16> {
        match state.phase {
            Phase::Start => Some(ROLL),
            Phase::Decide(_) => Some(random.below(2) as u16),
            Phase::Choose(_) | Phase::Rolling => {
                let mut advances = [0; 6];
                let count = self.advances(state, &mut advances);
                let index = if count == 1 { 0 } else { random.below(count as u32) };
                Some(ADVANCE | u16::from(advances[index as usize]))
            }
        }
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn policy(&self, state: &State, _: &mut Random, moves: &mut Vec<u16>, candidates: &mut Vec<Weighted<u16>>) {
        moves.clear();
        match state.phase {
            Phase::Decide(true) => candidates.push(Weighted { mv: STOP, weight: 1 }),
            Phase::Decide(false) => {
                candidates.extend([Weighted { mv: ROLL, weight: 17 }, Weighted { mv: STOP, weight: 3 }]);
            }
            _ => {
                self.moves(state, moves);
                candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
            }
        }
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<u16>,
        _: &mut Vec<Weighted<u16>>,
    ) -> Option<u16> {
        match state.phase {
            Phase::Decide(true) => Some(STOP),
            Phase::Decide(false) => Some(u16::from(random.below(20) >= 3)),
            _ => self.random_move(state, random, moves),
        }
    }

    fn outcomes(&self, state: &State, outcomes: &mut Vec<Likely<u16>>) {
        let usable = Self::usable(state);
        let probability = |ways: u16| f64::from(ways) / f64::from(ROLLS);
        let busts = self.tables.busts[usize::from(usable)];
        if busts > 0 {
            outcomes.push(Likely { mv: BUST, probability: probability(busts) });
        }
        let useful = self.tables.kinds.iter().zip(DICE..).filter(|(kind, _)| kind.sums & usable != 0);
        outcomes.extend(useful.map(|(kind, mv)| Likely { mv, probability: probability(kind.ways) }));
    }

    #[inline(always)]
    fn draw_outcome(&self, state: &mut State, stream: &mut Stream) -> u16 {
        let roll = stream.below(ROLLS);
        let kind = if stream.is_ranked() {
            self.tables.ranked(roll, state.open, state.runners)
        } else {
            self.tables.kind_of[roll as usize]
        };
        let busts = self.kind(kind).sums & Self::usable(state) == 0;
        let outcome = if busts { BUST } else { DICE | u16::from(kind) };
        self.apply(state, outcome);
        outcome
    }

    #[inline(always)]
    fn event_probability(&self, state: &State) -> Option<f64> {
        Some(f64::from(self.tables.busts[usize::from(Self::usable(state))]) / f64::from(ROLLS))
    }

    #[inline(always)]
    fn event(&self, _: &State, outcome: u16) -> bool {
        outcome == BUST
    }

    #[inline]
    fn score(&self, state: &State) -> f64 {
        f64::from(POINTS * self.finished(state))
    }

    fn variance_parameters(&self) -> VarianceParameters {
        VarianceParameters { coefficient: 6.0, sharing: Sharing::Root }
    }

    fn parameters(&self) -> Parameters {
        Parameters { exploration: 5500.0, simulations_per_second: 1024, ..Parameters::default() }
    }
}

impl Notation for CantStop {
    /// Turns left, heights of the columns 2 to 12, runners as `column:height`, and what is to be done: `start`,
    /// `rolling`, the dice, `decide`, or `finished` where the last advance reached a top.
    fn write_position(&self, state: &State) -> String {
        let heights: Vec<String> = state.heights.iter().map(u8::to_string).collect();
        let runner = |column: usize| format!("{}:{}", column + 2, state.places[column]);
        let runners: Vec<String> = (0..COLUMNS).filter(|column| state.runners >> column & 1 != 0).map(runner).collect();
        let runners = if runners.is_empty() { "-".to_string() } else { runners.join(",") };
        let phase = match state.phase {
            Phase::Start => "start".to_string(),
            Phase::Rolling => "rolling".to_string(),
            Phase::Choose(kind) => write_dice(self.kind(kind)),
            Phase::Decide(false) => "decide".to_string(),
            Phase::Decide(true) => "finished".to_string(),
        };
        format!("{} {} {runners} {phase}", state.turns, heights.join("/"))
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: String| {
            let remedy = "an example is `10 0/0/0/0/0/0/0/0/0/0/0 6:2,8:1 decide`";
            InputError::new("position", problem, remedy)
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [turns, heights, runners, phase] = words[..] else {
            return Err(wrong("it is not turns, heights, runners and what is to be done".to_string()));
        };
        let number = |word: &str, most: u8| match word.parse::<u8>() {
            Ok(number) if number <= most => Ok(number),
            _ => Err(wrong(format!("`{}` is not a number from 0 to {most}", shorten(word)))),
        };
        let mut state = State { turns: number(turns, self.options.turns)?, ..self.initial() };
        let words: Vec<&str> = heights.split('/').collect();
        if words.len() != COLUMNS {
            return Err(wrong(format!("there are {} columns, not 11", words.len())));
        }
        for (column, word) in words.into_iter().enumerate() {
            state.heights[column] = number(word, self.lengths[column])?;
        }
        state.places = state.heights;
        for runner in runners.split(',').filter(|_| runners != "-") {
            let read = runner.split_once(':').and_then(|(column, height)| {
                let column = column.parse::<usize>().ok()?.checked_sub(2).filter(|&column| column < COLUMNS)?;
                Some((column, height.parse::<u8>().ok()?))
            });
            match read {
                Some((column, height))
                    if height > state.heights[column]
                        && height <= self.lengths[column]
                        && state.runners >> column & 1 == 0
                        && state.runners.count_ones() < 3 =>
                {
                    state.places[column] = height;
                    state.runners |= 1 << column;
                }
                _ => return Err(wrong(format!("`{}` cannot be a runner here", shorten(runner)))),
            }
        }
        let tops = (0..COLUMNS).filter(|&column| state.places[column] == self.lengths[column]);
        state.open = tops.fold(ALL, |open, column| open & !(1 << column));
        state.phase = match phase {
            "start" if state.runners == 0 => Phase::Start,
            "rolling" => Phase::Rolling,
            "decide" if state.runners != 0 => Phase::Decide(false),
            "finished" if state.runners & !state.open != 0 => Phase::Decide(true),
            dice => match self.tables.kinds.iter().position(|kind| write_dice(kind) == dice) {
                Some(kind) if self.kind(kind as u8).sums & Self::usable(&state) != 0 => Phase::Choose(kind as u8),
                _ => return Err(wrong(format!("`{}` cannot come next", shorten(dice)))),
            },
        };
        let over = state.turns == 0 || (state.open == 0 && state.runners == 0);
        if over && state.phase != Phase::Start {
            return Err(wrong("the game is over, and a turn is being played".to_string()));
        }
        Ok(state)
    }

    fn write_move(&self, _: &State, mv: u16) -> String {
        match mv {
            STOP => "stop".to_string(),
            ROLL => "roll".to_string(),
            BUST => "bust".to_string(),
            mv if mv < ADVANCE => write_dice(self.kind((mv - DICE) as u8)),
            mv => {
                let columns: Vec<String> =
                    ((mv - ADVANCE) as u8).columns().map(|column| (column + 2).to_string()).collect();
                columns.join("+")
            }
        }
    }

    fn draw(&self, state: &State) -> String {
        let mut text = String::new();
        for column in 0..COLUMNS {
            text += &format!("{:>3} ", column + 2);
            for step in 0..self.lengths[column] {
                text.push(match step {
                    step if step < state.heights[column] => '#',
                    step if step < state.places[column] => '>',
                    _ => '.',
                });
            }
            text.push('\n');
        }
        let doing = match state.phase {
            Phase::Start => "a turn begins".to_string(),
            Phase::Rolling => "the dice roll".to_string(),
            Phase::Choose(kind) => format!("dice {}", write_dice(self.kind(kind))),
            Phase::Decide(_) => "roll again or stop".to_string(),
        };
        text + &format!("{} turns left, {} points, {doing}\n", state.turns, self.score(state))
    }

    fn scene(&self, state: &State) -> Scene {
        scene::scene(self, state)
    }

    fn steps(&self, scene: &Scene, text: &str) -> Vec<String> {
        scene::steps(scene, text)
    }

    fn player_name(&self, _: Player) -> &'static str {
        "player"
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        let defaults = Options::default().write();
        self.options.write().into_iter().filter(|option| !defaults.contains(option)).collect()
    }
}

fn write_dice(kind: &Kind) -> String {
    kind.dice.map(|die| die.to_string()).join("-")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use spinney_core::Seed;

    fn moves(position: &str) -> Vec<String> {
        let game = CantStop::default();
        let state = game.read_position(position).unwrap();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        moves.into_iter().map(|mv| game.write_move(&state, mv)).collect()
    }

    #[test]
    fn pairings() {
        assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 - 1-2-3-4"), ["3+7", "4+6", "5+5"]);
        // One runner is free: where both columns would need it, one of them is chosen.
        assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 2:1,12:1 1-2-3-4"), ["3", "7", "4", "6", "5+5"]);
        // No runner is free.
        assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 2:1,6:3,12:1 1-2-3-4"), ["6"]);
        // A finished column is closed.
        assert_eq!(moves("10 0/5/0/0/0/0/0/0/0/0/0 - 1-2-3-4"), ["7", "4+6", "5+5"]);
        assert_eq!(moves("10 0/0/0/0/0/0/0/0/0/0/0 6:1 decide"), ["roll", "stop"]);
    }

    #[test]
    fn a_double_has_one_step_where_one_is_left() {
        let game = CantStop::default();
        let mut state = game.read_position("1 2/0/0/0/0/0/0/0/0/0/0 - 1-1-1-1").unwrap();
        let mv = game.read_move(&state, "2+2").unwrap();
        game.apply(&mut state, mv);
        assert_eq!(game.write_position(&state), "1 2/0/0/0/0/0/0/0/0/0/0 2:3 finished");
        game.apply(&mut state, STOP);
        assert_eq!((game.turn(&state), game.score(&state)), (Turn::Over(Outcome::Scored), 500.0));
    }

    /// 724.2 ± 1.9 points over 400 000 games of an independent program.
    #[test]
    fn the_policy_scores_as_elsewhere() {
        let game = CantStop::default();
        let mut random = Random::new(Seed::new(1));
        let mut stream = Stream::new(Seed::new(2));
        let (mut sum, mut squares, games) = (0.0, 0.0, 100_000);
        for _ in 0..games {
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
        let mean = sum / f64::from(games);
        let error = ((squares / f64::from(games) - mean * mean) / f64::from(games)).sqrt();
        assert!((mean - 724.2).abs() < 4.0 * error.hypot(0.97), "{mean} ± {error}");
    }
}
