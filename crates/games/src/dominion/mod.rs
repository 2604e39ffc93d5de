//! Dominion for one player: build a deck, then buy victory with it, a fixed number of turns.
//!
//! Veness, Lanctot and Bowling ("Variance Reduction in Monte-Carlo Tree Search", NIPS 2011) do not state their kingdom;
//! here it is the cards of the base game whose effect on a lone player needs no further choice, so that a position is a
//! set of piles. The policy prefers dear cards and plays no action that would end the action phase before its time.
//!
//! With common random numbers the order of the draw pile is decided when it is shuffled, as published: each copy of a
//! card has a key of the shuffle, so decks that differ by one card keep the order of the rest. Otherwise cards are drawn
//! one by one, which is the same to a player and faster.
//!
#![cfg_attr(doc, doc = include_str!("../../rules/dominion.md"))]

pub mod cards;
pub mod hand;
mod rules;
mod scene;
#[cfg(test)]
mod tests;
mod text;

use cards::{CARDS, FIRST_ACTION, KINDS, Pile, size};
use spinney_core::expression::{Expression, write_sum};
use spinney_core::options::{OptionKind, OptionPart, OptionValue, OptionWord};
use spinney_core::random::mix;

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

fn unpack(mv: Move) -> Pile {
    std::array::from_fn(|kind| (mv >> (4 * kind) & 15) as u8)
}
