//! Dominion for one player: build a deck, then buy victory with it, a fixed number of turns.
//!
//! Veness, Lanctot and Bowling ("Variance Reduction in Monte-Carlo Tree Search", NIPS 2011) do not state their kingdom;
//! here it is the cards of the base game whose effect on a lone player needs no further choice, so that a position is a
//! set of piles. The policy prefers dear cards and plays no action that would end the action phase before its time.
//!
//! With common random numbers the order of the draw pile is decided when it is shuffled, as published: each copy of a
//! card has a key of the shuffle, so decks that differ by one card keep the order of the rest. Otherwise cards are drawn
//! one by one, which is the same to a player and faster.

pub mod cards;
pub mod hand;
mod scene;

use cards::{CARDS, COPPER, DUCHY, ESTATE, FIRST_ACTION, KINDS, PROVINCE, Pile, joined, money, size};
use hand::choose;
use spinney_core::error::shorten;
use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionKind, OptionPart, OptionValue, OptionWord};
use spinney_core::random::mix;
use spinney_core::scene::Scene;
use spinney_core::{
    Game, InputError, Likely, Notation, Outcome, Parameters, Player, Random, Sharing, Stream, Turn, VarianceParameters,
    Weighted,
};

spinney_core::options! {
    /// The options of Dominion.
    pub struct Options {
        /// number of turns
        turns: u8 = 20, in 1 to 100;
        /// the actions that can be bought, joined by `+`
        kingdom: Kingdom = Kingdom::default();
    }
}

/// The actions in the supply, a bit for each kind of card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kingdom(u16);

impl Default for Kingdom {
    fn default() -> Self {
        Self(!0 << FIRST_ACTION)
    }
}

impl OptionValue for Kingdom {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        if write_sum(parts) == "none" {
            return Ok(Self(0));
        }
        parts
            .iter()
            .map(|part| (FIRST_ACTION..KINDS).find(|&kind| CARDS[kind].name == part.name && part.arguments.is_empty()))
            .try_fold(0, |set, kind| kind.map(|kind| set | 1 << kind))
            .filter(|&set| set > 0)
            .map(Self)
            .ok_or_else(|| Self::kind().to_string())
    }

    fn write(&self) -> Option<String> {
        let names: Vec<&str> =
            (FIRST_ACTION..KINDS).filter(|kind| self.0 >> kind & 1 == 1).map(|kind| CARDS[kind].name).collect();
        Some(if names.is_empty() { "none".to_string() } else { names.join("+") })
    }

    fn kind() -> OptionKind {
        let part = |kind: usize| OptionPart::plain(CARDS[kind].name, &scene::price(kind));
        let any_of = (FIRST_ACTION..KINDS).map(part).collect();
        let none = OptionWord::new("none", "treasures and points only");
        OptionKind::Either(vec![OptionKind::Words(vec![none]), OptionKind::Parts { one_of: Vec::new(), any_of }])
    }
}

/// The rules.
#[derive(Clone, Debug)]
pub struct Dominion {
    options: Options,
    /// What can be bought at the start.
    supply: Pile,
}

impl Default for Dominion {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// So many cards are being drawn.
    Drawing(u8),
    /// Play an action or go on to buying.
    Action,
    /// Buy a card or end the turn.
    Buy,
}

/// The order of a shuffled pile, which no player knows.
#[derive(Clone, Copy)]
struct Order {
    cards: [u8; MOST_CARDS],
    /// The next card to be drawn.
    next: u16,
    /// The end of the pile; no order has been decided where it is 0.
    end: u16,
}

/// More cards than the game has.
const MOST_CARDS: usize = 320;

impl std::fmt::Debug for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.cards[usize::from(self.next)..usize::from(self.end)]).finish()
    }
}

/// What nobody can see makes no difference between positions.
impl PartialEq for Order {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    draw: Pile,
    discard: Pile,
    hand: Pile,
    /// Actions played in this turn.
    played: Pile,
    supply: Pile,
    actions: u8,
    buys: u8,
    /// Money of actions; in the buy phase also that of the treasures, less what was spent.
    money: u8,
    turns: u8,
    phase: Phase,
    order: Order,
}

/// Ends the action phase, or the turn. Playing or buying a card is one more than the card; what is drawn is a number
/// of cards for each kind, four bits each, with a bit of its own above.
type Move = u128;
const END: Move = 0;
const DRAWN: Move = 1 << 64;

impl Dominion {
    /// The rules with these options.
    pub fn new(options: Options) -> Self {
        let is_sold = |kind: usize| kind < FIRST_ACTION || options.kingdom.0 >> kind & 1 == 1;
        Self { supply: std::array::from_fn(|kind| if is_sold(kind) { CARDS[kind].supply } else { 0 }), options }
    }

    fn has_actions(hand: &Pile) -> bool {
        hand[FIRST_ACTION..].iter().any(|&count| count > 0)
    }

    /// After cards were drawn or an action was played: on to the next decision.
    #[inline(always)]
    fn settle(state: &mut State) {
        if state.actions > 0 && Self::has_actions(&state.hand) {
            state.phase = Phase::Action;
        } else {
            Self::begin_buying(state);
        }
    }

    #[inline(always)]
    fn begin_buying(state: &mut State) {
        state.phase = Phase::Buy;
        state.money += money(&state.hand) as u8;
    }

    #[inline(always)]
    fn clean_up(state: &mut State) {
        let used = joined(&state.hand, &state.played);
        state.discard = joined(&state.discard, &used);
        state.hand = [0; KINDS];
        state.played = [0; KINDS];
        state.turns -= 1;
        (state.actions, state.buys, state.money) = (1, 1, 0);
        state.phase = Phase::Drawing(5);
    }

    /// The money that counts towards a province before cards are drawn.
    fn money_before(state: &State) -> i32 {
        i32::from(state.money) + money(&state.hand) as i32
    }

    fn is_over(state: &State) -> bool {
        state.turns == 0 || state.supply[PROVINCE] == 0
    }
}

impl Order {
    const UNDECIDED: Self = Self { cards: [0; MOST_CARDS], next: 0, end: 0 };

    const fn is_decided(&self) -> bool {
        self.end > 0
    }

    /// Every copy of a card has a key, and the pile lies in the order of keys.
    fn shuffle(&mut self, pile: &Pile, seed: u64) {
        // Piles of earnest games are small, and room for the largest would have to be cleared.
        if size(pile) <= 64 { self.sort::<64>(pile, seed) } else { self.sort::<MOST_CARDS>(pile, seed) }
    }

    fn sort<const ROOM: usize>(&mut self, pile: &Pile, seed: u64) {
        let (mut keys, mut count) = ([0; ROOM], 0);
        for (kind, &copies) in pile.iter().enumerate() {
            for copy in 0..copies {
                let card = (kind as u64) << 8 | u64::from(copy);
                keys[count] = (mix(seed ^ card << 40) & !0xfff) | card;
                count += 1;
            }
        }
        // A key belongs near its share of the range; what is left is done by insertion.
        let (mut sorted, mut ends) = ([0; ROOM], [0u16; 65]);
        let bucket = |key: u64| (key >> 58) as usize;
        for &key in &keys[..count] {
            ends[bucket(key) + 1] += 1;
        }
        for place in 1..ends.len() {
            ends[place] += ends[place - 1];
        }
        for &key in &keys[..count] {
            let end = &mut ends[bucket(key)];
            sorted[usize::from(*end)] = key;
            *end += 1;
        }
        for place in 1..count {
            let key = sorted[place];
            let mut hole = place;
            while hole > 0 && sorted[hole - 1] > key {
                sorted[hole] = sorted[hole - 1];
                hole -= 1;
            }
            sorted[hole] = key;
        }
        for (card, key) in self.cards.iter_mut().zip(&sorted[..count]) {
            *card = (key >> 8 & 15) as u8;
        }
        (self.next, self.end) = (0, count as u16);
    }

    /// Takes the next `count` cards, which must be there, from `pile` to `hand`.
    #[inline(always)]
    fn take(&mut self, count: u32, pile: &mut Pile, hand: &mut Pile) {
        for _ in 0..count {
            let kind = usize::from(self.cards[usize::from(self.next)]);
            self.next += 1;
            pile[kind] -= 1;
            hand[kind] += 1;
        }
    }
}

/// Draws cards one by one, each equally likely.
#[inline(always)]
fn take_any(count: u32, pile: &mut Pile, hand: &mut Pile, stream: &mut Stream) {
    let mut left = size(pile);
    for _ in 0..count {
        let mut ticket = stream.below(left);
        let mut kind = 0;
        while ticket >= u32::from(pile[kind]) {
            ticket -= u32::from(pile[kind]);
            kind += 1;
        }
        pile[kind] -= 1;
        hand[kind] += 1;
        left -= 1;
    }
}

fn pack(pile: &Pile) -> Move {
    pile.iter().rev().fold(1, |packed, &count| packed << 4 | Move::from(count))
}

fn unpack(mv: Move) -> Pile {
    std::array::from_fn(|kind| (mv >> (4 * kind) & 15) as u8)
}

impl Game for Dominion {
    type State = State;
    type Move = Move;
    const CHANCE: bool = true;
    const SOLITAIRE: bool = true;

    fn initial(&self) -> State {
        let mut draw = [0; KINDS];
        (draw[COPPER], draw[ESTATE]) = (7, 3);
        State {
            draw,
            discard: [0; KINDS],
            hand: [0; KINDS],
            played: [0; KINDS],
            supply: self.supply,
            actions: 1,
            buys: 1,
            money: 0,
            turns: self.options.turns,
            phase: Phase::Drawing(5),
            order: Order::UNDECIDED,
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        if Self::is_over(state) {
            Turn::Over(Outcome::Scored)
        } else if let Phase::Drawing(_) = state.phase {
            Turn::Chance
        } else {
            Turn::Player(Player::First)
        }
    }

    #[inline(always)]
    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        moves.push(END);
        if state.phase == Phase::Action {
            let kinds = (FIRST_ACTION..KINDS).filter(|&kind| state.hand[kind] > 0);
            moves.extend(kinds.map(|kind| kind as Move + 1));
        } else {
            let kinds = (0..KINDS).filter(|&kind| state.supply[kind] > 0 && CARDS[kind].cost <= state.money);
            moves.extend(kinds.map(|kind| kind as Move + 1));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        match (state.phase, mv) {
            (Phase::Drawing(_), drawn) => {
                let drawn = unpack(drawn);
                let from_draw = size(&state.draw);
                if size(&drawn) > from_draw {
                    state.draw = joined(&state.draw, &state.discard);
                    state.discard = [0; KINDS];
                }
                for (kind, count) in drawn.into_iter().enumerate() {
                    state.draw[kind] -= count;
                    state.hand[kind] += count;
                }
                (state.order.next, state.order.end) = (0, 0);
                Self::settle(state);
            }
            (Phase::Action, END) => Self::begin_buying(state),
            (Phase::Action, card) => {
                let kind = card as usize - 1;
                let [drawn, actions, buys, money] = CARDS[kind].effect;
                state.hand[kind] -= 1;
                state.played[kind] += 1;
                state.actions = state.actions - 1 + actions;
                state.buys += buys;
                state.money += money;
                let there = size(&state.draw) + size(&state.discard);
                match u32::from(drawn).min(there) {
                    0 => Self::settle(state),
                    drawn => state.phase = Phase::Drawing(drawn as u8),
                }
            }
            (Phase::Buy, END) => Self::clean_up(state),
            (Phase::Buy, card) => {
                let kind = card as usize - 1;
                state.supply[kind] -= 1;
                state.discard[kind] += 1;
                state.money -= CARDS[kind].cost;
                state.buys -= 1;
                if state.buys == 0 {
                    Self::clean_up(state);
                }
            }
        }
    }

    fn move_ids(&self) -> usize {
        2 * KINDS + 2
    }

    fn move_id(&self, state: &State, mv: Move) -> usize {
        mv as usize + if state.phase == Phase::Action { 0 } else { KINDS + 1 }
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn policy(&self, state: &State, _: &mut Random, _: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
        let mut add = |kind: usize| candidates.push(Weighted { mv: kind as Move + 1, weight: 1 });
        if state.phase == Phase::Action {
            let playable = || (FIRST_ACTION..KINDS).filter(|&kind| state.hand[kind] > 0);
            let goes_on = |kind: &usize| CARDS[*kind].effect[1] > 0;
            if playable().any(|kind| goes_on(&kind)) {
                playable().filter(goes_on).for_each(add);
            } else {
                playable().for_each(add);
            }
            return;
        }
        let affordable =
            |&kind: &usize| state.supply[kind] > 0 && CARDS[kind].cost <= state.money && CARDS[kind].cost > 0;
        match (0..KINDS).filter(affordable).map(|kind| CARDS[kind].cost).max() {
            Some(cost) => (0..KINDS).filter(affordable).filter(|&kind| CARDS[kind].cost == cost).for_each(&mut add),
            None => candidates.push(Weighted { mv: END, weight: 1 }),
        }
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        _: &mut Vec<Move>,
        _: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        // Sets of cards as bits, for there are only sixteen kinds.
        let held = |pile: &Pile| (0..KINDS).fold(0u32, |set, kind| set | u32::from(pile[kind] > 0) << kind);
        let mut set = if state.phase == Phase::Action {
            let playable = held(&state.hand) >> FIRST_ACTION << FIRST_ACTION;
            if playable & GOING_ON != 0 { playable & GOING_ON } else { playable }
        } else {
            let there = held(&state.supply);
            let dearest = (1..=usize::from(state.money.min(8))).rev().find(|&cost| there & COSTING[cost] != 0);
            dearest.map_or(0, |cost| there & COSTING[cost])
        };
        if set == 0 {
            return Some(END);
        }
        for _ in 0..if set.is_power_of_two() { 0 } else { random.below(set.count_ones()) } {
            set &= set - 1;
        }
        Some(Move::from(set.trailing_zeros()) + 1)
    }

    fn outcomes(&self, state: &State, outcomes: &mut Vec<Likely<Move>>) {
        let Phase::Drawing(count) = state.phase else { return };
        let (count, there) = (u32::from(count), size(&state.draw));
        // What is left of the draw pile comes for certain.
        let (certain, pile, count) = if count <= there {
            ([0; KINDS], state.draw, count)
        } else {
            (state.draw, state.discard, (count - there).min(size(&state.discard)))
        };
        let total = choose(size(&pile), count);
        let mut add = |drawn: &Pile, ways: f64| {
            outcomes.push(Likely { mv: pack(&joined(&certain, drawn)), probability: ways / total });
        };
        list(&pile, 0, count, &mut [0; KINDS], 1.0, &mut add);
    }

    #[inline(always)]
    fn draw_outcome(&self, state: &mut State, stream: &mut Stream) -> Move {
        let Phase::Drawing(count) = state.phase else { return END };
        let in_order = stream.is_shared() || state.order.is_decided();
        if in_order && !state.order.is_decided() {
            state.order.shuffle(&state.draw, stream.bits());
        }
        let mut drawn = [0; KINDS];
        let mut count = u32::from(count);
        let there = size(&state.draw);
        if count > there {
            drawn = state.draw;
            count = (count - there).min(size(&state.discard));
            state.draw = state.discard;
            state.discard = [0; KINDS];
            if in_order {
                state.order.shuffle(&state.draw, stream.bits());
            }
        }
        if in_order {
            state.order.take(count, &mut state.draw, &mut drawn);
        } else {
            take_any(count, &mut state.draw, &mut drawn, stream);
        }
        state.hand = joined(&state.hand, &drawn);
        Self::settle(state);
        pack(&drawn)
    }

    #[inline(always)]
    fn redraw_hidden(&self, state: &mut State, stream: &mut Stream) {
        if stream.is_shared() {
            state.order.shuffle(&state.draw, stream.bits());
        }
    }

    #[inline(always)]
    fn event_probability(&self, state: &State) -> Option<f64> {
        let Phase::Drawing(count) = state.phase else { return None };
        Some(hand::probability(&state.draw, &state.discard, u32::from(count), 8 - Self::money_before(state)))
    }

    /// Enough money for a province is in the hand.
    #[inline(always)]
    fn event(&self, state: &State, _: Move) -> bool {
        // In the buy phase the treasures of the hand are counted already.
        if state.phase == Phase::Buy { state.money >= 8 } else { Self::money_before(state) >= 8 }
    }

    #[inline(always)]
    fn score(&self, state: &State) -> f64 {
        let own = |kind: usize| {
            u32::from(state.draw[kind])
                + u32::from(state.discard[kind])
                + u32::from(state.hand[kind])
                + u32::from(state.played[kind])
        };
        f64::from(own(ESTATE) + 3 * own(DUCHY) + 6 * own(PROVINCE))
    }

    fn variance_parameters(&self) -> VarianceParameters {
        VarianceParameters { coefficient: -0.7, sharing: Sharing::Nodes }
    }

    fn parameters(&self) -> Parameters {
        Parameters { exploration: 100.0, simulations_per_second: 1024, ..Parameters::default() }
    }
}

/// Actions that give back at least the action they cost.
const GOING_ON: u32 = {
    let (mut set, mut kind) = (0, FIRST_ACTION);
    while kind < KINDS {
        if CARDS[kind].effect[1] > 0 {
            set |= 1 << kind;
        }
        kind += 1;
    }
    set
};

/// The cards of each price.
const COSTING: [u32; 9] = {
    let (mut sets, mut kind) = ([0; 9], 0);
    while kind < KINDS {
        sets[CARDS[kind].cost as usize] |= 1 << kind;
        kind += 1;
    }
    sets
};

/// Calls `add` with every choice of `left` cards of the kinds from `kind` on and the number of ways to make it.
fn list(pile: &Pile, kind: usize, left: u32, drawn: &mut Pile, ways: f64, add: &mut impl FnMut(&Pile, f64)) {
    if left == 0 {
        return add(drawn, ways);
    }
    if kind == KINDS {
        return;
    }
    for count in 0..=left.min(u32::from(pile[kind])) {
        drawn[kind] = count as u8;
        list(pile, kind + 1, left - count, drawn, ways * choose(u32::from(pile[kind]), count), add);
    }
    drawn[kind] = 0;
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
                return Err(InputError::new("position", problem, "an example is `5*copper,estate`"));
            }
        }
    }
    Ok(pile)
}

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
            InputError::new("position", problem, "an example is `20 7*copper,3*estate - - - 1/1/0 draw5`")
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
        format!(
            "{} turns left, {} points, {doing}\nhand     {}\nplayed   {}\ndraw     {} cards: {}\ndiscard  {}\n\
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

    fn player_name(&self, _: Player) -> &'static str {
        "player"
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        if self.options == Options::default() { Vec::new() } else { self.options.write() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::cards::GOLD;
    use super::*;
    use spinney_core::Seed;

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
}
