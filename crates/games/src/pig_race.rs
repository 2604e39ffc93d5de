//! Pig as two people play it: one die, the first to bank 100 points wins.
//!
#![cfg_attr(doc, doc = include_str!("../rules/pig-race.md"))]

pub mod exact;

use spinney_core::error::shorten;
use spinney_core::scene::{Item, Scene, Tray};
use spinney_core::{
    Chance, Game, InputError, Likely, List, Luck, Notation, Outcome, Player, PlayoutPolicy, Policy, Published, Random,
    Stream, Turn, Weighted, Workspace, random,
};

spinney_core::options! {
    /// The options of two-player Pig.
    pub struct Options {
        /// points that win
        goal: u8 = 100, in 2 to 200;
    }
}

/// The rules.
#[derive(Clone, Debug)]
pub struct PigRace {
    goal: u8,
}

impl Default for PigRace {
    #[inline]
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// The banked points of both, and the turn of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Banked points of the first and the second player.
    pub scores: [u16; 2],
    /// Points of this turn.
    pub total: u16,
    /// Whose turn it is.
    pub mover: Player,
    /// The die is in the air.
    pub rolling: bool,
}

/// Bank the turn's points. The outcomes of a roll are one more than the die shows.
pub const HOLD: u8 = 0;
/// Roll the die.
pub const ROLL: u8 = 1;
/// The die shows a one: the turn's points are lost.
const ONE: u8 = 2;

impl PigRace {
    /// The rules with these options.
    pub fn new(options: Options) -> Self {
        Self { goal: options.goal }
    }

    /// Points that win.
    #[inline]
    pub fn goal(&self) -> u8 {
        self.goal
    }
}

/// The play-out policy holds with so many points (Knizia, 1999), and when they win.
const HOLD_AT: u16 = 20;

impl Game for PigRace {
    type State = State;
    type Move = u8;
    type Scratch = ();
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const LUCK: Option<Luck<Self>> = Some(Luck::of());

    fn initial(&self) -> State {
        State { scores: [0; 2], total: 0, mover: Player::First, rolling: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        let last = state.mover.other();
        if state.scores[last.index()] >= u16::from(self.goal) {
            Turn::Over(Outcome::Win(last))
        } else if state.rolling {
            Turn::Chance
        } else {
            Turn::Player(state.mover)
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<u8>) {
        moves.push(ROLL);
        // A turn without a roll would hand the move back and forth for ever.
        if state.total > 0 {
            moves.push(HOLD);
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: u8) {
        match mv {
            ROLL => return state.rolling = true,
            HOLD => state.scores[state.mover.index()] += state.total,
            ONE => {}
            outcome => {
                state.total += u16::from(outcome) - 1;
                return state.rolling = false;
            }
        }
        *state = State { total: 0, mover: state.mover.other(), rolling: false, ..*state };
    }

    #[inline]
    fn move_ids(&self) -> usize {
        2
    }

    #[inline]
    fn move_id(&self, _: &State, mv: u8) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let [first, second] = state.scores.map(u64::from);
        let turn = u64::from(state.total) << 2 | (state.mover.index() as u64) << 1 | u64::from(state.rolling);
        Some(random::mix(first << 48 | second << 32 | turn))
    }

    fn published(&self) -> Published {
        Published { agent: "playout=policy", simulations_per_second: 10_000 }
    }
}

impl PlayoutPolicy for PigRace {
    #[inline]
    fn policy(&self, state: &State, _: &mut Random, work: &mut Workspace<Self>) {
        let enough = state.total >= HOLD_AT || state.scores[state.mover.index()] + state.total >= u16::from(self.goal);
        work.candidates.push(Weighted { mv: if enough { HOLD } else { ROLL }, weight: 1 });
    }
}

impl Chance for PigRace {
    #[inline]
    fn outcomes(&self, _: &State, outcomes: &mut List<Likely<u8>>) {
        outcomes.extend((ONE..=7).map(|mv| Likely { mv, probability: 1.0 / 6.0 }));
    }

    #[inline]
    fn draw_outcome(&self, state: &mut State, stream: &mut Stream) -> u8 {
        let outcome = ONE + stream.below(6) as u8;
        self.apply(state, outcome);
        outcome
    }

    #[inline]
    fn event_probability(&self, _: &State) -> Option<f64> {
        Some(1.0 / 6.0)
    }

    #[inline]
    fn event(&self, _: &State, outcome: u8) -> bool {
        outcome == ONE
    }
}

impl Notation for PigRace {
    /// Both scores, the points of this turn, the side to move, and `rolling` while the die is in the air.
    #[inline]
    fn write_position(&self, state: &State) -> String {
        let [first, second] = state.scores;
        let rolling = if state.rolling { " rolling" } else { "" };
        format!("{first} {second} {} {}{rolling}", state.total, state.mover.number())
    }

    #[inline]
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: String| {
            InputError::position("position", problem, "write both scores, the turn's points and the side: `0 0 0 1`")
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let rolling = words.get(4).is_some_and(|word| *word == "rolling");
        if words.len() != 4 + usize::from(rolling) {
            return Err(wrong("it is not four numbers, with `rolling` after them or nothing".to_string()));
        }
        let number = |index: usize| match words[index].parse::<u16>() {
            Ok(number) if number <= 1000 => Ok(number),
            _ => Err(wrong(format!("`{}` is not a number from 0 to 1000", shorten(words[index])))),
        };
        let mover = match words[3] {
            "1" => Player::First,
            "2" => Player::Second,
            other => return Err(wrong(format!("`{}` is not a side to move", shorten(other)))),
        };
        let state = State { scores: [number(0)?, number(1)?], total: number(2)?, mover, rolling };
        let [own, others] = [mover, mover.other()].map(|player| state.scores[player.index()] >= u16::from(self.goal));
        if own || (others && (state.total > 0 || rolling)) {
            return Err(wrong("the game is over, and a turn is being played".to_string()));
        }
        Ok(state)
    }

    #[inline]
    fn write_move(&self, _: &State, mv: u8) -> String {
        match mv {
            HOLD => "hold".to_string(),
            ROLL => "roll".to_string(),
            outcome => (outcome - 1).to_string(),
        }
    }

    fn draw(&self, state: &State) -> String {
        let [first, second] = state.scores;
        let dice = if state.rolling { ", the die rolls" } else { "" };
        let goal = self.goal;
        format!(
            "{first} : {second} of {goal}, {} points in this turn of the {}{dice}\n",
            state.total,
            self.player_name(state.mover)
        )
    }

    fn scene(&self, state: &State) -> Scene {
        let tray = |player: Player| {
            let mut items = vec![Item::counter("banked", format!("{} of {}", state.scores[player.index()], self.goal))];
            if player == state.mover {
                items.push(Item::counter("this turn", state.total));
            }
            Tray { owner: Some(player), ..Tray::new(self.player_name(player), items) }
        };
        Scene { trays: Player::BOTH.map(tray).into(), ..Scene::default() }
    }

    #[inline]
    fn roll(&self, outcome: u8) -> Vec<Item> {
        vec![Item::Die(outcome - 1)]
    }

    fn prompt(&self, state: &State) -> &'static str {
        if state.total == 0 { "roll the die" } else { "roll again, or hold and bank your points" }
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        if self.goal == 100 { Vec::new() } else { Options { goal: self.goal }.write() }
    }
}
