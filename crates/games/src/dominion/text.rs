//! Dominion as text and as a scene.

use super::cards::{CARDS, KINDS, Pile, size};
use super::{DRAWN, Dominion, END, Move, Options, Phase, State, scene, unpack};
use spinney_core::error::shorten;
use spinney_core::scene::Scene;
use spinney_core::{Game, InputError, Notation, Player, Solitaire};

impl Notation for Dominion {
    /// Turns left, draw pile, discard pile, hand, cards in play, `actions/buys/money`, and what is to
    /// be done: `action`, `buy` or `draw` with the number of cards.
    fn write_position(&self, state: &State) -> String {
        let phase = match state.phase {
            Phase::Drawing(count) => format!("draw{count}"),
            Phase::Action => "action".to_string(),
            Phase::Buy => "buy".to_string(),
        };
        let [draw, discard, hand, played] =
            [state.draw, state.discard, state.hand, state.played].map(|pile| write_pile(&pile));
        let State { turns, actions, buys, money, .. } = state;
        format!("{turns} {draw} {discard} {hand} {played} {actions}/{buys}/{money} {phase}")
    }

    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str| {
            InputError::position("position", problem, "an example is `20 7*copper,3*estate - - - 1/1/0 draw5`")
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [turns, draw, discard, hand, played, counters, phase] = words[..] else {
            return Err(wrong("it is not turns, four piles, actions/buys/money and what is to be done"));
        };
        let turns = turns.parse().ok().filter(|&turns: &u8| turns <= self.options.turns);
        let counters: Vec<u8> = counters.split('/').filter_map(|part| part.parse().ok()).collect();
        let (Some(turns), [actions, buys, money]) = (turns, &counters[..]) else {
            return Err(wrong("the turns or the counters are no numbers that can be"));
        };
        let phase = match (phase, phase.strip_prefix("draw").and_then(|count| count.parse().ok())) {
            ("action", _) => Phase::Action,
            ("buy", _) => Phase::Buy,
            (_, Some(count @ 1..=5)) => Phase::Drawing(count),
            _ => return Err(wrong("what is to be done is not `action`, `buy` or `draw` and a number up to 5")),
        };
        let mut state = State {
            draw: read_pile(draw)?,
            discard: read_pile(discard)?,
            hand: read_pile(hand)?,
            played: read_pile(played)?,
            turns,
            actions: *actions,
            buys: *buys,
            money: *money,
            phase,
            ..self.initial()
        };
        let start = self.initial().draw;
        for kind in 0..KINDS {
            let piles = [state.draw, state.discard, state.hand, state.played];
            let own: u32 = piles.iter().map(|pile| u32::from(pile[kind])).sum();
            let bought = own.checked_sub(u32::from(start[kind]));
            match bought.and_then(|bought| u32::from(self.supply[kind]).checked_sub(bought)) {
                Some(left) => state.supply[kind] = left as u8,
                None => return Err(wrong("there are more or fewer cards than the game has")),
            }
        }
        if size(&state.draw) + size(&state.discard) == 0 && matches!(phase, Phase::Drawing(_)) {
            return Err(wrong("there is nothing to draw"));
        }
        if phase == Phase::Action && (*actions == 0 || !Self::has_actions(&state.hand)) {
            return Err(wrong("there is no action to play"));
        }
        if state.buys == 0 || *actions > 100 || *buys > 100 || *money > 100 {
            return Err(wrong("actions, buys or money cannot be that many"));
        }
        Ok(state)
    }

    fn write_move(&self, state: &State, mv: Move) -> String {
        if mv >= DRAWN {
            return write_pile(&unpack(mv));
        }
        match (state.phase, mv) {
            (Phase::Action, END) => "no-action".to_string(),
            (_, END) => "end-turn".to_string(),
            (_, card) => CARDS[card as usize - 1].name.to_string(),
        }
    }

    fn draw(&self, state: &State) -> String {
        let doing = match state.phase {
            Phase::Drawing(count) => format!("{count} cards are drawn"),
            Phase::Action => "play an action".to_string(),
            Phase::Buy => "buy a card".to_string(),
        };
        let supply = state.supply.iter().zip(CARDS).filter(|(left, _)| **left > 0);
        let supply: Vec<String> = supply.map(|(left, card)| format!("{} {}×{left}", card.cost, card.name)).collect();
        let turns = if state.turns == 1 { "turn" } else { "turns" };
        format!(
            "{} {turns} left, {} points, {doing}\nhand     {}\nplayed   {}\ndraw     {} cards: {}\ndiscard  {}\n\
             actions {}, buys {}, money {}\nsupply   {}\n",
            state.turns,
            self.score(state),
            write_pile(&state.hand),
            write_pile(&state.played),
            size(&state.draw),
            write_pile(&state.draw),
            write_pile(&state.discard),
            state.actions,
            state.buys,
            state.money,
            supply.join(", "),
        )
    }

    fn scene(&self, state: &State) -> Scene {
        scene::scene(self, state)
    }

    /// Playing or buying a card touches it; what is drawn nobody chooses.
    fn steps(&self, scene: &Scene, text: &str) -> Vec<String> {
        Some(text.to_string()).filter(|text| scene.names(text)).into_iter().collect()
    }

    fn prompt(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::Drawing(_) => "",
            Phase::Action => "play an action or go on to buying",
            Phase::Buy => "buy a card or end the turn",
        }
    }

    fn player_name(&self, _: Player) -> &'static str {
        "player"
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        if self.options == Options::default() { Vec::new() } else { self.options.write() }
    }
}

fn write_pile(pile: &Pile) -> String {
    let cards: Vec<String> = pile
        .iter()
        .zip(CARDS)
        .filter(|(count, _)| **count > 0)
        .map(|(count, card)| if *count == 1 { card.name.to_string() } else { format!("{count}*{}", card.name) })
        .collect();
    if cards.is_empty() { "-".to_string() } else { cards.join(",") }
}

fn read_pile(text: &str) -> Result<Pile, InputError> {
    let mut pile = [0u8; KINDS];
    for part in text.split(',').filter(|_| text != "-") {
        let (count, name) = part.split_once('*').unwrap_or(("1", part));
        let kind = CARDS
            .iter()
            .position(|card| card.name == name)
            .ok_or_else(|| InputError::unknown("position", "card", name, CARDS.iter().map(|card| card.name)))?;
        match count.parse::<u8>() {
            Ok(count) if (1..=60).contains(&count) && pile[kind] == 0 => pile[kind] = count,
            _ => {
                let problem = format!("`{}` is not a number of cards", shorten(part));
                return Err(InputError::position("position", problem, "an example is `5*copper,estate`"));
            }
        }
    }
    Ok(pile)
}
