//! The cards of the game and what they do.

/// Number of kinds of card.
pub const KINDS: usize = 16;

/// So many of each kind.
pub type Pile = [u8; KINDS];

/// A kind of card. The first three are treasures, the next three victory cards, the rest actions.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Its name in positions and moves.
    pub name: &'static str,
    /// What it costs.
    pub cost: u8,
    /// How many the supply holds at the start.
    pub supply: u8,
    /// Cards drawn, actions, buys and money gained when an action is played.
    pub effect: [u8; 4],
}

#[inline]
const fn card(name: &'static str, cost: u8, supply: u8, effect: [u8; 4]) -> Card {
    Card { name, cost, supply, effect }
}

/// All cards. Those of the base game whose effect on a lone player needs no further choice.
pub const CARDS: [Card; KINDS] = [
    card("copper", 0, 53, [0, 0, 0, 1]),
    card("silver", 3, 40, [0, 0, 0, 2]),
    card("gold", 6, 30, [0, 0, 0, 3]),
    card("estate", 2, 8, [0; 4]),
    card("duchy", 5, 8, [0; 4]),
    card("province", 8, 8, [0; 4]),
    card("moat", 2, 10, [2, 0, 0, 0]),
    card("village", 3, 10, [1, 2, 0, 0]),
    card("woodcutter", 3, 10, [0, 0, 1, 2]),
    card("smithy", 4, 10, [3, 0, 0, 0]),
    card("militia", 4, 10, [0, 0, 0, 2]),
    card("festival", 5, 10, [0, 2, 1, 2]),
    card("laboratory", 5, 10, [2, 1, 0, 0]),
    card("market", 5, 10, [1, 1, 1, 1]),
    card("council-room", 5, 10, [4, 0, 1, 0]),
    card("witch", 5, 10, [2, 0, 0, 0]),
];

/// Places of cards that the rules name.
pub const COPPER: usize = 0;
/// The dearest treasure.
pub const GOLD: usize = 2;
/// One point.
pub const ESTATE: usize = 3;
/// Three points.
pub const DUCHY: usize = 4;
/// Six points; the game is over without any left.
pub const PROVINCE: usize = 5;
/// The first action.
pub const FIRST_ACTION: usize = 6;

/// Money of the treasures in a pile.
#[inline(always)]
pub fn money(pile: &Pile) -> u32 {
    u32::from(pile[0]) + 2 * u32::from(pile[1]) + 3 * u32::from(pile[2])
}

/// Cards in a pile.
#[inline(always)]
pub fn size(pile: &Pile) -> u32 {
    pile.iter().map(|&count| u32::from(count)).sum()
}

/// The cards of both piles.
#[inline(always)]
pub fn joined(a: &Pile, b: &Pile) -> Pile {
    std::array::from_fn(|kind| a[kind] + b[kind])
}
