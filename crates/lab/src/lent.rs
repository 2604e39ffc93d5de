//! Games that a farm has been lent. Threads without work play them too, from the last on, and whoever ends a game first is
//! heard: a card ends its longest games late, where a core needs seconds for each.

use crate::farm::FarmGame;
use crate::store::GameId;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What tells a thread that its game is wanted no more.
pub(crate) type Flag = Arc<AtomicBool>;

/// Games of which nothing has been heard yet.
#[derive(Debug, Default)]
pub(crate) struct Lent(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    /// In the order in which they were lent.
    games: Vec<FarmGame>,
    /// Those that nobody has ended, and what stops the thread that plays one.
    open: BTreeMap<GameId, Option<Flag>>,
}

impl Lent {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The farm begins to play these.
    pub fn lend(&self, games: &[FarmGame]) {
        let mut own = self.lock();
        own.games.extend_from_slice(games);
        own.open.extend(games.iter().map(|game| (game.id, None)));
    }

    /// A game for a thread that has nothing else to do, and what will stop it.
    pub fn take(&self) -> Option<(FarmGame, Flag)> {
        let mut own = self.lock();
        while let Some(game) = own.games.pop() {
            if let Some(player @ None) = own.open.get_mut(&game.id) {
                return Some((game, player.insert(Flag::default()).clone()));
            }
        }
        None
    }

    /// Somebody has ended a game: whether it was the first to do so.
    pub fn hear(&self, id: GameId) -> bool {
        match self.lock().open.remove(&id) {
            Some(player) => {
                player.inspect(|flag| flag.store(true, Ordering::Relaxed));
                true
            }
            None => false,
        }
    }

    /// The farm cannot play a game: whether a thread must be asked to, because none has it.
    pub fn give_back(&self, id: GameId) -> bool {
        let mut own = self.lock();
        let is_waiting = matches!(own.open.get(&id), Some(None));
        if is_waiting {
            own.open.remove(&id);
        }
        is_waiting
    }

    /// Whether all games that were lent have been heard of.
    pub fn are_all_heard(&self) -> bool {
        self.lock().open.is_empty()
    }

    /// Stops all threads that play one.
    pub fn stop(&self) {
        let mut own = self.lock();
        own.games.clear();
        own.open.values().flatten().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Seed;

    #[test]
    fn whoever_ends_first_is_heard() {
        let lent = Lent::default();
        let id = |number| (0, number, 0);
        let games: Vec<FarmGame> = (0..5).map(|pair| FarmGame { id: id(pair), seed: Seed::new(pair) }).collect();
        assert!(lent.are_all_heard() && lent.take().is_none());
        lent.lend(&games);
        let (last, flag) = lent.take().unwrap();
        assert_eq!(last, games[4], "threads begin at the end");
        // The farm is first, and the thread is told so.
        assert!(lent.hear(id(4)) && flag.load(Ordering::Relaxed) && !lent.hear(id(4)));
        assert!(lent.hear(id(3)));
        let (game, flag) = lent.take().unwrap();
        assert_eq!(game, games[2], "what has been heard of is played no more");
        // What the farm cannot play is added to the tasks unless a thread has it.
        assert!(!lent.give_back(id(2)) && lent.give_back(id(1)) && !lent.give_back(id(1)));
        assert!(lent.hear(id(2)) && flag.load(Ordering::Relaxed));
        let (game, flag) = lent.take().unwrap();
        assert!(game == games[0] && lent.take().is_none() && !lent.are_all_heard());
        lent.stop();
        assert!(flag.load(Ordering::Relaxed));
        assert!(lent.hear(id(0)) && lent.are_all_heard());
    }
}
