//! How a card is used: settings that decide no game, and what follows from the number of games where they are left open.

use super::driver::WARP;

/// Where the stacks of threads lie, see [`super::apart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stacks {
    /// The words of a warp's threads side by side: for warps whose threads all play.
    Together,
    /// Each in memory of its own: for warps of which few threads play.
    Apart,
}

/// Settings of the machine, which decide no game. What is `None` follows from the number of games.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tuning {
    /// Registers of a thread: fewer let more threads be resident, more spare memory accesses.
    pub registers: Option<u32>,
    /// Warps of a block.
    pub warps: u32,
    /// Most warps at once, of all launches of a card, for each of its processors.
    pub resident: Option<u32>,
    /// Threads of a warp that play; `None` for as many as let the card hold all games.
    pub lanes: Option<u32>,
    /// Where their stacks lie.
    pub stacks: Option<Stacks>,
    /// Threads of a warp that begin new games together, at least; `None` for as many as the game is fastest with.
    pub together: Option<u32>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { registers: None, warps: 2, resident: None, lanes: None, stacks: None, together: None }
    }
}

/// How a kernel is made for a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    /// Registers of a thread.
    pub registers: u32,
    /// Where the stacks of threads lie.
    pub stacks: Stacks,
}

impl Making {
    /// For so many games that all threads of 16 warps of a processor play one.
    pub const MANY: Self = Self { registers: 128, stacks: Stacks::Together };
    /// For half as many, which half the warps play.
    pub const HALF: Self = Self { registers: 255, stacks: Stacks::Together };
    /// For few games, each of which shall end soon: half of the warps, and few threads of each at work.
    pub const FEW: Self = Self { registers: 255, stacks: Stacks::Apart };
    /// All of them.
    pub const ALL: [Self; 3] = [Self::FEW, Self::HALF, Self::MANY];
}

/// How a processor of a card is used for some number of games.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Up to so many games for each processor.
    games: u64,
    /// How kernels are made.
    making: Making,
    /// Warps of a processor.
    warps: u32,
}

/// From few games to many. Where fewer games wait than a card has threads, fewer warps with all threads at work and more
/// registers are faster than more warps with some threads at work (three times in Breakthrough, no gain in Amazons), until so
/// few are left that stacks had better lie apart. More warps than 16 find no room for their stacks in the first cache: 32 of them
/// make half as much with the tables' agents in Breakthrough, nine tenths in Checkers, and 1.04 times as much with uniform play-outs.
const LEVELS: [Level; 3] = [
    Level { games: FEW, making: Making::FEW, warps: 8 },
    Level { games: 256, making: Making::HALF, warps: 8 },
    Level { games: u64::MAX, making: Making::MANY, warps: MANY_WARPS },
];

/// Games for each processor of a card up to which they are few: 4 for each of its warps. With 16 stacks had better lie together (a
/// quarter faster in Breakthrough, the same in Amazons, Cannon and Checkers), with 4 apart; both were found when a search touched
/// more of its stack than it does now.
const FEW: u64 = 32;

/// Warps of a processor where games are many: as many as have room for their registers.
pub const MANY_WARPS: u32 = 16;

/// Whether the play-outs of a game hold so much that half of the warps with twice the registers are faster, however many games there
/// are: in Cannon 4.3 instead of 3.1·10⁷ simulations a second.
pub(super) fn is_wide(kernel: &str) -> bool {
    kernel.starts_with("cannon")
}

/// Threads of a warp that begin new games together, by its kernel, as whole games of the tables' agents were fastest: the play-outs
/// of old games are short, but who waits for others does nothing. Amazons makes 1.3 times as many simulations with all of them,
/// Chinese Checkers 1.08, Pentalath 0.84.
fn together(kernel: &str) -> u32 {
    match kernel {
        "breakthrough-uniform" => WARP / 2,
        _ if ["amazons", "cannon", "chinese-checkers"].iter().any(|game| kernel.starts_with(game)) => WARP,
        _ => 1,
    }
}

/// [`Tuning`] for a number of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// How kernels are made.
    pub making: Making,
    /// Warps of a block.
    pub warps: u32,
    /// Most warps at once for each processor.
    pub resident: u32,
    together: Option<u32>,
    lanes: Option<u32>,
}

impl Tuning {
    /// The same as if so many games of this name were played, however many are, on cards of so many processors.
    #[must_use]
    pub fn for_games(self, game: &str, games: u64, processors: u32) -> Self {
        let settled = self.settle(games, processors, is_wide(game));
        Self {
            registers: Some(settled.making.registers),
            resident: Some(settled.resident),
            lanes: Some(settled.lanes_for(games, settled.resident * processors)),
            stacks: Some(settled.making.stacks),
            ..self
        }
    }

    /// All that it leaves open, for so many games on cards of so many processors; they may be wide ([`is_wide`]).
    pub(super) fn settle(&self, games: u64, processors: u32, are_wide: bool) -> Settled {
        let [few, half, many] = &LEVELS;
        let most = if are_wide { half } else { many };
        let level = match self.stacks {
            Some(Stacks::Apart) => few,
            Some(Stacks::Together) => most,
            None if games <= few.games.saturating_mul(u64::from(processors)) => few,
            None if games <= half.games.saturating_mul(u64::from(processors)) => half,
            None => most,
        };
        Settled {
            making: Making { registers: self.registers.unwrap_or(level.making.registers), ..level.making },
            warps: self.warps,
            resident: self.resident.unwrap_or(level.warps),
            together: self.together,
            lanes: self.lanes,
        }
    }
}

impl Settled {
    /// Threads of a warp that begin new games of a kernel together, at least.
    pub(super) fn together(&self, kernel: &str) -> u32 {
        self.together.unwrap_or_else(|| together(kernel))
    }

    /// Threads of a warp that play, if so many games are played at once by so many warps. Fewer make each game faster,
    /// because threads that part wait for each other, but not the whole: so it is all of them only where they are needed.
    pub(super) fn lanes_for(&self, games: u64, warps: u32) -> u32 {
        let needed = || games.div_ceil(u64::from(warps.max(1))).clamp(1, u64::from(WARP)) as u32;
        self.lanes.unwrap_or_else(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_are_spread_over_all_warps() {
        let lanes = |tuning: Tuning, games| {
            let settled = tuning.settle(games, 132, false);
            settled.lanes_for(games, 132 * settled.resident)
        };
        let own = |games| lanes(Tuning::default(), games);
        assert_eq!([1, 1056, 1057, 4224, 8448, 16_896].map(own), [1, 1, 2, 4, 8, 16]);
        // As many threads of a warp as there are; then twice as many warps.
        assert_eq!([16_897, 33_792, 33_793, 67_584, 67_585, 1_000_000].map(own), [17, 32, 17, 32, 32, 32]);
        assert_eq!(Tuning::default().settle(10, 132, false).lanes_for(10, 0), 10);
        assert_eq!(lanes(Tuning { lanes: Some(16), ..Tuning::default() }, 1), 16);
    }

    #[test]
    fn a_queue_changes_no_setting() {
        for (games, game) in
            [2, 4224, 4225, 33_792, 50_000, 1_000_000].map(|games| [(games, "cannon"), (games, "amazons")]).concat()
        {
            let queue = Tuning::default().for_games(game, games, 132);
            let [own, with_queue] = [(Tuning::default(), games), (queue, 2 * games)]
                .map(|(tuning, games)| (tuning.settle(games, 132, is_wide(game)), games));
            assert_eq!((own.0.making, own.0.resident), (with_queue.0.making, with_queue.0.resident), "{games} {game}");
            let [own, with_queue] =
                [own, with_queue].map(|(settled, games)| settled.lanes_for(games, 132 * settled.resident));
            assert_eq!(own, with_queue, "{games} {game}");
        }
    }

    #[test]
    fn wide_games_have_many_registers() {
        let settled = |game| Tuning::default().settle(1_000_000, 132, is_wide(game));
        assert_eq!((settled("cannon-policy").making, settled("cannon-policy").resident), (Making::HALF, 8));
        assert_eq!((settled("amazons-mixed").making, settled("amazons-mixed").resident), (Making::MANY, MANY_WARPS));
        let together = |kernel| settled(kernel).together(kernel);
        assert_eq!(["amazons-mixed", "breakthrough-uniform", "breakthrough-policy"].map(together), [32, 16, 1]);
        let asked = Tuning { together: Some(4), ..Tuning::default() }.settle(10, 132, false);
        assert_eq!(asked.together("amazons-mixed"), 4);
    }

    #[test]
    fn stacks_are_apart_where_games_are_few() {
        let making = |tuning: Tuning, games| tuning.settle(games, 132, false).making;
        let own = |games| making(Tuning::default(), games);
        let sizes = [4224, 4225, 33_792, 33_793, 1_000_000].map(own);
        assert_eq!(sizes, [Making::FEW, Making::HALF, Making::HALF, Making::MANY, Making::MANY]);
        let together = Tuning { stacks: Some(Stacks::Together), ..Tuning::default() };
        assert_eq!([1, 1_000_000].map(|games| making(together, games)), [Making::MANY; 2]);
        let asked = Tuning { registers: Some(96), stacks: Some(Stacks::Apart), ..Tuning::default() };
        assert_eq!(making(asked, 1_000_000), Making { registers: 96, stacks: Stacks::Apart });
    }
}
