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
}

impl Default for Tuning {
    fn default() -> Self {
        Self { registers: None, warps: 2, resident: None, lanes: None, stacks: None }
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
    /// For so many games that all threads of all warps play one. With 96 registers and 20 warps Breakthrough is an eighth faster
    /// with MAST, Pentalath and Amazons a tenth to a fifth slower.
    pub const MANY: Self = Self { registers: 64, stacks: Stacks::Together };
    /// For few games, each of which shall end soon: a quarter of the warps, and no words kept in memory for want of registers.
    pub const FEW: Self = Self { registers: 255, stacks: Stacks::Apart };
}

/// Games for each processor of a card up to which they are few: 16 for each of its warps.
pub(super) const FEW: u64 = 128;

/// Warps of a processor where games are few.
pub(super) const FEW_WARPS: u32 = 8;

/// Warps of a processor where games are many: as many as have room for their registers.
pub const MANY_WARPS: u32 = 32;

/// [`Tuning`] for a number of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// How kernels are made.
    pub making: Making,
    /// Warps of a block.
    pub warps: u32,
    /// Most warps at once for each processor.
    pub resident: u32,
    lanes: Option<u32>,
}

impl Tuning {
    /// All that it leaves open, for so many games on cards of so many processors.
    pub(super) fn settle(&self, games: u64, processors: u32) -> Settled {
        let is_few = match self.stacks {
            Some(stacks) => stacks == Stacks::Apart,
            None => games <= FEW * u64::from(processors),
        };
        let own = if is_few { Making::FEW } else { Making::MANY };
        Settled {
            making: Making { registers: self.registers.unwrap_or(own.registers), ..own },
            warps: self.warps,
            resident: self.resident.unwrap_or(if is_few { FEW_WARPS } else { MANY_WARPS }),
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
        assert_eq!([1, 1056, 1057, 4224, 16_896].map(own), [1, 1, 2, 4, 16]);
        assert_eq!([16_897, 33_792, 135_168, 1_000_000].map(own), [5, 8, 32, 32]);
        assert_eq!(Tuning::default().settle(10, 132).lanes_for(10, 0), 10);
        assert_eq!(lanes(Tuning { lanes: Some(16), ..Tuning::default() }, 1), 16);
    }

    #[test]
    fn stacks_are_apart_where_games_are_few() {
        let making = |tuning: Tuning, games| tuning.settle(games, 132).making;
        let own = |games| making(Tuning::default(), games);
        assert_eq!([16_896, 16_897].map(own), [Making::FEW, Making::MANY]);
        let asked = Tuning { registers: Some(96), stacks: Some(Stacks::Apart), ..Tuning::default() };
        assert_eq!(making(asked, 1_000_000), Making { registers: 96, stacks: Stacks::Apart });
    }
}
