//! How long a card takes for matches, before they are played: from what an H200 was seen to do.

use super::farm::{LARGEST_STACK, room_for_trees};
use super::job::Job;
use super::tuning::MANY_WARPS;

/// How fast an H200 plays a game with the agents of the published tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Simulations a second of one game.
    pub one_game: f64,
    /// Simulations a second of all games together.
    pub total: f64,
    /// The longest game beside the mean one.
    pub longest: f64,
    /// Whether it comes from a run that was played to its end; else from some seconds of games that were broken off.
    pub is_measured: bool,
}

/// Processors of the card, and bytes that are free on it.
const PROCESSORS: u32 = 132;
const FREE_BYTES: u64 = 139 << 30;

/// Most games at once.
const THREADS: u64 = 32 * MANY_WARPS as u64 * PROCESSORS as u64;

/// Few games are played by so many threads when speed is measured.
const FEW_THREADS: f64 = 4224.0;

/// The longest game beside the mean one, where it was not seen.
const LONGEST: f64 = 1.6;

/// While the last games end, part of the card has nothing to do.
const TAIL: f64 = 1.2;

/// Games for each processor up to which whole runs say how fast they are; those of more than 64 were played with stacks apart,
/// which are slower than what such games get now.
const FEW: u64 = 128;

/// How many games a card has at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crowd {
    /// Few enough for kernels that let each game end soon.
    Few,
    /// So many that all threads of a warp play.
    Many,
}

impl Crowd {
    /// So many games for each card.
    fn of(games: f64) -> Self {
        if games <= FEW as f64 * f64::from(PROCESSORS) { Self::Few } else { Self::Many }
    }
}

/// Two whole runs of Breakthrough, of so many games: fewer are faster each and slower altogether.
const BREAKTHROUGH: [(f64, Speed); 2] =
    [(1600.0, measured(10_400.0, 1.4e7, 1.48)), (15_700.0, measured(2520.0, 3.0e7, 1.61))];

/// Games from which on a run of 16,380 of Cannon says how fast they are.
const LEAST_OF_CANNON: f64 = 8448.0;

const fn measured(one_game: f64, total: f64, longest: f64) -> Speed {
    Speed { one_game, total, longest, is_measured: true }
}

const fn guessed(total: f64, threads: f64) -> Speed {
    Speed { one_game: total / threads, total, longest: LONGEST, is_measured: false }
}

/// What lies between two runs, as a power of the number of games; beyond them it is as in the nearer one.
fn between([(few, one), (many, other)]: [(f64, Speed); 2], games: f64) -> Speed {
    let part = ((games.max(1.0) / few).ln() / (many / few).ln()).clamp(0.0, 1.0);
    let power = |from: f64, to: f64| from * (to / from).powf(part);
    Speed {
        one_game: power(one.one_game, other.one_game),
        total: power(one.total, other.total),
        longest: power(one.longest, other.longest),
        is_measured: one.is_measured && other.is_measured,
    }
}

/// The speed with so many games on each card: few are played by few threads of a warp.
fn speed(game: &str, games: f64) -> Speed {
    match (game, Crowd::of(games)) {
        ("breakthrough", Crowd::Few) => between(BREAKTHROUGH, games),
        ("cannon", Crowd::Few) => Speed { is_measured: games >= LEAST_OF_CANNON, ..measured(452.0, 4.3e6, 2.08) },
        ("chinese-checkers", Crowd::Few) => measured(1500.0, 4.0e6, 1.51),
        ("pentalath", Crowd::Few) => measured(1570.0, 6.1e6, 1.69),
        ("amazons", Crowd::Few) => guessed(2.9e6, FEW_THREADS),
        ("checkers", Crowd::Few) => guessed(1.6e7, FEW_THREADS),
        // Not even for seconds: as much slower than with many as the others.
        (_, Crowd::Few) => guessed(1.0e7, FEW_THREADS),
        // From 20,696 games of 21,200, which had ended after 467 seconds.
        ("amazons", Crowd::Many) => guessed(7.5e6, 18_600.0),
        ("breakthrough", Crowd::Many) => guessed(1.17e8, 67_584.0),
        ("cannon", Crowd::Many) => guessed(4.3e7, 33_792.0),
        ("checkers", Crowd::Many) => guessed(1.1e8, 67_584.0),
        ("chinese-checkers", Crowd::Many) => guessed(7.3e7, 67_584.0),
        ("pentalath", Crowd::Many) => guessed(6.4e7, 67_584.0),
        (_, Crowd::Many) => guessed(9.8e7, 67_584.0),
    }
}

/// Mean moves of a game that are believed at most. In Chinese Checkers weak players wander: games of a short look have 86
/// moves, those of the published budget 55.
fn most_plies(game: &str) -> f64 {
    if game == "chinese-checkers" { 55.0 } else { f64::INFINITY }
}

/// What cards have to play together.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    cards: f64,
    /// Games of one card.
    games: f64,
    /// How many times all threads have a game, one after the other.
    waves: f64,
}

/// How long cards take for a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardSeconds {
    /// Its share of cards whose threads are all busy.
    pub share: f64,
    /// Its longest game: a thread of a card is much slower than a core, so nothing ends sooner.
    pub game: f64,
    /// Until its last game has ended, if nothing else were played.
    pub last: f64,
    /// Whether it comes from a whole run, see [`Speed::is_measured`].
    pub is_measured: bool,
}

impl CardSeconds {
    /// From the first move to the last.
    pub fn whole(&self) -> f64 {
        self.share.max(self.last)
    }
}

impl Load {
    /// These matches with so many games each, on so many cards.
    pub fn new<'a>(cards: u32, matches: impl IntoIterator<Item = (&'a Job, u64)>) -> Self {
        let (mut games, mut bytes) = (0, 0.0);
        for (job, own) in matches {
            games += own;
            bytes += own as f64 * job.bytes_at_first() as f64;
        }
        Self::of(cards, games, bytes, room_for_trees(FREE_BYTES, LARGEST_STACK, PROCESSORS))
    }

    /// So many games, with so many bytes altogether; a card has `room` bytes for them.
    fn of(cards: u32, games: u64, bytes: f64, room: u64) -> Self {
        let cards = f64::from(cards.max(1));
        let by_memory = bytes / (cards * room.max(1) as f64);
        let by_threads = games as f64 / (cards * THREADS as f64);
        Self { cards, games: games as f64 / cards, waves: by_memory.max(by_threads).ceil().max(1.0) }
    }

    /// How long these games take, each of so many moves with so many simulations each.
    pub fn seconds(&self, game: &str, games: u64, plies: f64, simulations: f64) -> CardSeconds {
        let Speed { one_game, total, longest, is_measured } = speed(game, self.games);
        let simulations = simulations * plies.min(most_plies(game));
        CardSeconds {
            share: TAIL * games as f64 * simulations / (total * self.cards),
            game: longest * simulations / one_game,
            last: (self.waves - 1.0 + longest) * simulations / one_game,
            is_measured,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What whole runs took: games at once, mean moves and simulations of a move, seconds.
    #[test]
    fn runs_that_were_measured_are_expected_as_they_were() {
        for (game, games, plies, simulations, seconds) in [
            ("breakthrough", 1600, 61.1, 16_169.0, 141.0),
            ("breakthrough", 15_700, 61.2, 16_185.0, 632.0),
            ("cannon", 16_380, 80.9, 1923.0, 716.0),
            ("pentalath", 4560, 39.4, 19_560.0, 830.0),
            ("chinese-checkers", 4000, 55.0, 13_210.0, 870.0),
        ] {
            let expected = Load::of(1, games, 0.0, 1).seconds(game, games, plies, simulations);
            assert!(expected.is_measured && (expected.whole() / seconds - 1.0).abs() < 0.02, "{game}: {expected:?}");
        }
    }

    /// Fewer games are never slower, and never more together.
    #[test]
    fn speeds_go_from_one_run_to_the_other() {
        let sizes = [1, 1600, 2112, 2113, 5000, 15_700, 16_896].map(|games| speed("breakthrough", f64::from(games)));
        assert!(sizes.is_sorted_by(|one, next| one.one_game >= next.one_game && one.total <= next.total), "{sizes:?}");
        // √(1600 · 15 700) games lie half-way.
        let half = speed("breakthrough", 5012.0);
        assert!((half.one_game / (10_400.0f64 * 2520.0).sqrt() - 1.0).abs() < 1e-3, "{half:?}");
    }

    #[test]
    fn memory_and_cards_count() {
        let whole = |load: Load| load.seconds("breakthrough", 1000, 100.0, 1e4).whole();
        let [once, twice] = [1e9, 1.5e9].map(|bytes| whole(Load::of(1, 1000, bytes, 1_000_000_000)));
        // The longest of the first 1.48, the others after a mean one.
        assert!((once - 1.48e6 / 10_400.0).abs() < 1e-6 && (twice - 2.48e6 / 10_400.0).abs() < 1e-6, "{once}, {twice}");
        assert_eq!(whole(Load::of(2, 1000, 1.5e9, 1_000_000_000)), once);
        let share = |cards| Load::of(cards, 8000, 0.0, 1).seconds("pentalath", 8000, 61.0, 1e4).share;
        assert!((share(1) - 960.0).abs() < 1e-6 && (share(2) - 480.0).abs() < 1e-6);
        // Many games have kernels of another making.
        let crowd = |cards, games| Crowd::of(Load::of(cards, games, 0.0, 1).games);
        assert_eq!([crowd(1, 16_896), crowd(1, 16_897), crowd(2, 16_897)], [Crowd::Few, Crowd::Many, Crowd::Few]);
        assert!(!speed("havannah", 100.0).is_measured);
        assert_eq!([100.0, 16_000.0].map(|games| speed("cannon", games).is_measured), [false, true]);
        let game = |plies| Load::of(1, 10, 0.0, 1).seconds("chinese-checkers", 10, plies, 1e4).game;
        assert!(game(86.0) == game(55.0) && game(40.0) < game(55.0));
    }
}
