//! Can't Stop as text and as a scene.

use super::dice::{ALL, COLUMNS, Columnwise, Kind};
use super::{ADVANCE, BUST, CantStop, DICE, Options, Phase, ROLL, STOP, State, scene};
use spinney_core::error::shorten;
use spinney_core::scene::Scene;
use spinney_core::{Game, InputError, Notation, Player, Solitaire};

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
            InputError::position("position", problem, remedy)
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
        let turns = if state.turns == 1 { "turn" } else { "turns" };
        text + &format!("{} {turns} left, {} points, {doing}\n", state.turns, self.score(state))
    }

    fn scene(&self, state: &State) -> Scene {
        scene::scene(self, state)
    }

    fn steps(&self, scene: &Scene, text: &str) -> Vec<String> {
        scene::steps(scene, text)
    }

    fn prompt(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::Start => "roll the dice",
            Phase::Rolling => "",
            Phase::Choose(_) => "choose a pairing of the dice",
            Phase::Decide(_) => "roll again, or stop and keep your steps",
        }
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
