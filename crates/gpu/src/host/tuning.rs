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
    /// Threads of a warp that begin new games together, at least; `None` for all that play.
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

/// [`Tuning`] for a number of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// How kernels are made.
    pub making: Making,
    /// Warps of a block.
    pub warps: u32,
    /// Most warps at once for each processor.
    pub resident: u32,
    /// Threads of a warp that begin new games together, at least.
    pub together: u32,
    lanes: Option<u32>,
}

impl Tuning {
    /// The same as if so many games were played, however many are, on cards of so many processors.
    #[must_use]
    pub fn for_games(self, games: u64, processors: u32) -> Self {
        let settled = self.settle(games, processors);
        Self {
            registers: Some(settled.making.registers),
            resident: Some(settled.resident),
            lanes: Some(settled.lanes_for(games, settled.resident * processors)),
            stacks: Some(settled.making.stacks),
            ..self
        }
    }

    /// All that it leaves open, for so many games on cards of so many processors.
    pub(super) fn settle(&self, games: u64, processors: u32) -> Settled {
        let [few, .., many] = &LEVELS;
        let level = match self.stacks {
            Some(Stacks::Apart) => few,
            Some(Stacks::Together) => many,
            None => {
                LEVELS.iter().find(|level| games <= level.games.saturating_mul(u64::from(processors))).unwrap_or(many)
            }
        };
        Settled {
            making: Making { registers: self.registers.unwrap_or(level.making.registers), ..level.making },
            warps: self.warps,
            resident: self.resident.unwrap_or(level.warps),
            together: self.together.unwrap_or(WARP),
            lanes: self.lanes,
        }
    }
}

impl Settled {
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
            let settled = tuning.settle(games, 132);
            settled.lanes_for(games, 132 * settled.resident)
        };
        let own = |games| lanes(Tuning::default(), games);
        assert_eq!([1, 1056, 1057, 4224, 8448, 16_896].map(own), [1, 1, 2, 4, 8, 16]);
        // As many threads of a warp as there are; then twice as many warps.
        assert_eq!([16_897, 33_792, 33_793, 67_584, 67_585, 1_000_000].map(own), [17, 32, 17, 32, 32, 32]);
        assert_eq!(Tuning::default().settle(10, 132).lanes_for(10, 0), 10);
        assert_eq!(lanes(Tuning { lanes: Some(16), ..Tuning::default() }, 1), 16);
    }

    #[test]
    fn a_queue_changes_no_setting() {
        for games in [2, 4224, 4225, 33_792, 50_000, 1_000_000] {
            let (own, with_queue) =
                (Tuning::default().settle(games, 132), Tuning::default().for_games(games, 132).settle(2 * games, 132));
            assert_eq!(
                (own.making, own.warps, own.resident),
                (with_queue.making, with_queue.warps, with_queue.resident)
            );
            let warps = 132 * own.resident;
            assert_eq!(own.lanes_for(games, warps), with_queue.lanes_for(2 * games, warps), "{games} games");
        }
    }

    #[test]
    fn stacks_are_apart_where_games_are_few() {
        let making = |tuning: Tuning, games| tuning.settle(games, 132).making;
        let own = |games| making(Tuning::default(), games);
        let sizes = [4224, 4225, 33_792, 33_793, 1_000_000].map(own);
        assert_eq!(sizes, [Making::FEW, Making::HALF, Making::HALF, Making::MANY, Making::MANY]);
        let together = Tuning { stacks: Some(Stacks::Together), ..Tuning::default() };
        assert_eq!([1, 1_000_000].map(|games| making(together, games)), [Making::MANY; 2]);
        let asked = Tuning { registers: Some(96), stacks: Some(Stacks::Apart), ..Tuning::default() };
        assert_eq!(making(asked, 1_000_000), Making { registers: 96, stacks: Stacks::Apart });
    }
}
