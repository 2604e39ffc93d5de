//! The rules of Dominion as searches see them.

use super::cards::{CARDS, COPPER, DUCHY, ESTATE, FIRST_ACTION, KINDS, PROVINCE, Pile, joined, money, size};
use super::hand::choose;
use super::{Dominion, END, Move, Order, Phase, State, hand, unpack};
use spinney_core::{
    Chance, Game, Likely, List, Luck, Outcome, Player, PlayoutPolicy, Policy, Published, Random, Score, Solitaire,
    Stream, Turn, Weighted, Workspace,
};

impl Game for Dominion {
    type State = State;
    type Move = Move;
    type Scratch = ();
    const POLICY: Option<Policy<Self>> = Some(Policy::of());
    const LUCK: Option<Luck<Self>> = Some(Luck::of());
    const SCORE: Option<Score<Self>> = Some(Score::of());

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
    fn moves(&self, state: &State, moves: &mut List<Move>) {
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

    #[inline]
    fn move_ids(&self) -> usize {
        2 * KINDS + 2
    }

    #[inline]
    fn move_id(&self, state: &State, mv: Move) -> usize {
        mv as usize + if state.phase == Phase::Action { 0 } else { KINDS + 1 }
    }

    fn published(&self) -> Published {
        Published { agent: "c=100, playout=policy, cv_constant=-0.7, crn=nodes", simulations_per_second: 1024 }
    }
}

impl PlayoutPolicy for Dominion {
    #[inline]
    fn policy(&self, state: &State, _: &mut Random, work: &mut Workspace<Self>) {
        let candidates = &mut work.candidates;
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
    fn policy_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
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
}

impl Chance for Dominion {
    #[inline]
    fn outcomes(&self, state: &State, outcomes: &mut List<Likely<Move>>) {
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
}

impl Solitaire for Dominion {
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
}

impl Dominion {
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
    #[inline]
    fn money_before(state: &State) -> i32 {
        i32::from(state.money) + money(&state.hand) as i32
    }

    #[inline]
    fn is_over(state: &State) -> bool {
        state.turns == 0 || state.supply[PROVINCE] == 0
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

#[inline]
fn pack(pile: &Pile) -> Move {
    pile.iter().rev().fold(1, |packed, &count| packed << 4 | Move::from(count))
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
#[inline]
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
