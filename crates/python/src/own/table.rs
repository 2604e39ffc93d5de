//! The table of a game in Python: whoever comes to it holds the interpreter's lock, for a whole search or game.

use super::game::Own;
use super::ideas::{Ideas, Rewarded};
use super::rules::Rules;
use pyo3::prelude::*;
use spinney_core::notation::RoleText;
use spinney_core::scene::Scene;
use spinney_core::{InputError, Player, Published, Seed, Turn};
use spinney_search::timekeeper::ClockedGame;
use spinney_search::{AgentSettings, Budget, Clock, Timekeeper};
use spinney_table::diagnose::{Diagnosis, Study, Watcher};
use spinney_table::table::{GameText, InsightText, PlayoutSpeed, Question, RandomPlay, SolvedText, Thought};
use spinney_table::{Table, table_of};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A table of these rules.
pub fn open(rules: Arc<dyn Rules>, (chance, solo): (bool, bool), ideas: Ideas) -> Result<Box<dyn Table>, InputError> {
    let ideas = Arc::new(ideas);
    let has_reward = ideas.reward.is_some();
    if has_reward && (chance || solo) {
        let problem = "a reward of one's own is for games of two players without chance";
        return Err(InputError::unsupported("reward", problem, "leave it out"));
    }
    let name = rules.name().to_string();
    let own = has_reward.then(|| Arc::new(Rewarded(ideas.clone())) as _);
    // One player is searched alike with chance and without; a fourth kind would only take time to build.
    let table = Python::attach(|_| match (chance, solo) {
        (false, false) => table_of(&name, Own::<false, false> { rules, ideas }, None, own),
        (true, false) => table_of(&name, Own::<true, false> { rules, ideas }, None, None),
        (_, true) => table_of(&name, Own::<true, true> { rules, ideas }, None, None),
    });
    Ok(Box::new(Attached(table)))
}

/// A table whose every function holds the lock.
struct Attached(Box<dyn Table>);

macro_rules! attached {
    ($($name:ident(&self $(, $argument:ident: $type:ty)*) -> $result:ty;)+) => {$(
        fn $name(&self $(, $argument: $type)*) -> $result {
            Python::attach(|_| self.0.$name($($argument),*))
        }
    )+};
    ($($name:ident(&mut self $(, $argument:ident: $type:ty)*) -> $result:ty;)+) => {$(
        fn $name(&mut self $(, $argument: $type)*) -> $result {
            Python::attach(|_| self.0.$name($($argument),*))
        }
    )+};
}

impl Table for Attached {
    attached! {
        game(&self) -> String;
        published(&self) -> Published;
        position(&self) -> String;
        board(&self) -> String;
        scene(&self) -> Scene;
        steps(&self, scene: &Scene, mv: &str) -> Vec<String>;
        turn(&self) -> Turn;
        score(&self) -> Option<f64>;
        moves(&self) -> Vec<String>;
        roles(&self) -> Vec<RoleText>;
        history(&self) -> Vec<String>;
        start(&self) -> String;
        agent(&self, seat: usize) -> String;
        budget(&self, seat: usize) -> Budget;
        look(&self, seat: usize, path: &[String]) -> Result<Option<InsightText>, InputError>;
        perft(&self, depth: u32) -> u64;
        play_outs(&self, seed: Seed, time: Duration) -> PlayoutSpeed;
        random_play(&self, seed: Seed, games: u32) -> RandomPlay;
        solve(&self, most: usize) -> Option<SolvedText>;
        check(&self, games: u32) -> Result<(), String>;
    }

    attached! {
        set_position(&mut self, position: Option<&str>) -> Result<(), InputError>;
        draw_outcome(&mut self, seed: Seed) -> Option<String>;
        play(&mut self, mv: &str) -> Result<(), InputError>;
        play_number(&mut self, number: usize) -> Result<(), InputError>;
        undo(&mut self) -> bool;
        seat(&mut self, agent: &AgentSettings) -> Result<usize, InputError>;
        think(&mut self, seat: usize, question: &mut Question<'_>) -> Thought;
        think_by_clock(&mut self, seat: usize, question: &mut Question<'_>, keeper: &mut Timekeeper) -> Thought;
        play_game_by_clock(
            &mut self, seats: [usize; 2], clock: Clock, opening: u32, seed: Seed, stop: &AtomicBool
        ) -> Option<ClockedGame<GameText>>;
        play_game(&mut self, seats: [usize; 2], opening: u32, seed: Seed, stop: &AtomicBool) -> Option<GameText>;
    }

    fn player_name(&self, player: Player) -> &str {
        self.0.player_name(player)
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(Self(self.0.copy()))
    }

    fn diagnose(&self, study: &Study, stop: &AtomicBool, tell: Watcher<'_>) -> Result<Option<Diagnosis>, InputError> {
        Python::attach(|_| self.0.diagnose(study, stop, tell))
    }
}
