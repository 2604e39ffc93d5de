//! How much of a card the games of a group get: numbers alone, no driver.

use super::tuning::Settled;

/// What a card has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Bytes for games.
    pub bytes: u64,
    /// Warps.
    pub warps: u32,
}

/// What waits for a card: of one group, and of all that could be launched now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// Games of the group.
    pub games: u64,
    /// Bytes of each.
    pub bytes: u64,
    /// Games of all groups.
    pub all_games: u64,
    /// Bytes of all groups together.
    pub all_bytes: u64,
}

/// What a group gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Threads that play.
    pub threads: u32,
    /// Threads of a warp that play.
    pub lanes: u32,
    /// Warps.
    pub warps: u32,
    /// Warps of a block.
    pub block: u32,
}

/// Shares out what is left by what waits, of memory and of warps alike; `None` if there is no room for a single game.
pub(super) fn share_out(settled: &Settled, left: Left, waiting: Waiting) -> Option<Part> {
    let share = (left.bytes as f64 / waiting.all_bytes.max(1) as f64).min(1.0);
    let lanes = settled.lanes_for((waiting.all_games as f64 * share).ceil() as u64, left.warps);
    let own = waiting.games as f64;
    let by_memory = ((own * share) as u64).max(u64::from(lanes)).min(left.bytes / waiting.bytes.max(1));
    let most = f64::from(left.warps);
    let by_warps = (most * own / waiting.all_games.max(1) as f64).ceil().min(most) as u64;
    let warps = (by_memory / u64::from(lanes)).min(by_warps).min(waiting.games.div_ceil(u64::from(lanes)));
    // Whole blocks, and at least one.
    let block = settled.warps;
    let warps = warps as u32 / block * block;
    let has_room = left.warps > 0 && waiting.games > 0 && by_memory >= u64::from(lanes);
    let (warps, block) = if warps == 0 && has_room { (1, 1) } else { (warps, block) };
    (warps > 0).then_some(Part { threads: warps * lanes, lanes, warps, block })
}

/// Whether a group had better wait until memory of launches that have ended is free, where some is kept: with what is left
/// not all of its games would be played at once, and the others would queue for a few threads.
pub(super) fn waits_for_memory(left: Left, waiting: Waiting, is_kept: bool) -> bool {
    is_kept && waiting.games.saturating_mul(waiting.bytes) > left.bytes
}

/// Of so many games that wait, those of the first of some cards with so many processors each: the others get theirs when it
/// is their turn.
pub(super) fn part_of_first(games: u64, processors: &[u32]) -> u64 {
    let all: u64 = processors.iter().map(|&own| u64::from(own)).sum();
    let first = processors.first().map_or(0, |&own| u64::from(own));
    (u128::from(games) * u128::from(first)).div_ceil(u128::from(all.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::super::tuning::Tuning;
    use super::*;

    const MB: u64 = 1 << 20;

    fn part(left: Left, waiting: Waiting) -> Option<Part> {
        share_out(&Tuning::default().settle(waiting.all_games, 132, false), left, waiting)
    }

    #[test]
    fn games_get_threads_as_far_as_memory_goes() {
        let alone = |games| Waiting { games, bytes: MB, all_games: games, all_bytes: games * MB };
        let left = |megabytes: u64| Left { bytes: megabytes * MB, warps: 2112 };
        // Two games for each warp, in whole blocks of two.
        let whole = Part { threads: 4000, lanes: 2, warps: 2000, block: 2 };
        assert_eq!(part(left(100_000), alone(4000)), Some(whole));
        let scarce = part(left(1001), alone(4000)).unwrap();
        assert_eq!((scarce.threads, scarce.lanes), (1000, 1), "a thread for each megabyte");
        // Halved again and again, as where another program takes memory meanwhile, there is room until the last game.
        let halved: Vec<u32> = [16, 8, 4, 2, 1, 0]
            .map(|megabytes| part(left(megabytes), alone(4000)).map_or(0, |part| part.threads))
            .into();
        assert_eq!(halved, [16, 8, 4, 2, 1, 0]);
        assert_eq!(part(Left { warps: 0, ..left(1000) }, alone(4000)), None);
        assert_eq!(part(left(1000), alone(0)), None);
    }

    #[test]
    fn groups_share_memory_and_warps() {
        let half = Waiting { games: 2000, bytes: MB, all_games: 4000, all_bytes: 4000 * MB };
        let part = |bytes| part(Left { bytes, warps: 2112 }, half).unwrap();
        assert_eq!((part(100_000 * MB).threads, part(100_000 * MB).warps), (2000, 1000));
        assert_eq!(part(1000 * MB).threads, 500, "a quarter of what it asked for");
    }

    #[test]
    fn games_wait_for_memory_that_is_kept_unless_all_of_them_find_room() {
        let waits = |games, megabytes: u64, is_kept| {
            let waiting = Waiting { games, bytes: MB, all_games: games, all_bytes: games * MB };
            waits_for_memory(Left { bytes: megabytes * MB, warps: 2112 }, waiting, is_kept)
        };
        assert_eq!([waits(10, 10, true), waits(10, 9, true), waits(10, 9, false)], [false, true, false]);
        assert!(!waits(0, 0, true), "nobody waits");
    }

    #[test]
    fn cards_share_games_by_their_processors() {
        assert_eq!(part_of_first(1000, &[132]), 1000);
        assert_eq!([part_of_first(1000, &[132, 132]), part_of_first(500, &[132])], [500, 500]);
        assert_eq!(part_of_first(1000, &[132, 66, 66]), 500);
        assert_eq!([part_of_first(1, &[132, 132]), part_of_first(0, &[132, 132]), part_of_first(9, &[])], [1, 0, 0]);
    }
}
