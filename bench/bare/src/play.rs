//! Games between searches that are made without text, as one number. The tests of `crates/search` play them, too.

extern crate alloc;

use alloc::vec::Vec;
use spinney_core::random::mix;
use spinney_core::{Game, Seed, Turn};
use spinney_games::{Amazons, Breakthrough, amazons, breakthrough};
use spinney_search::amaf::GraveSettings;
use spinney_search::ideas::Chosen;
use spinney_search::playout::{CmcSettings, MastSettings, NgramSettings, PlayoutSettings, ReplySettings};
use spinney_search::reward::{BonusSettings, Steepness};
use spinney_search::settings::{FinalMove, MctsSettings, Select, Solver};
use spinney_search::{Mcts, Position, Search};

/// What [`all`] gives, on every machine.
pub const KNOWN: u64 = 6_527_608_271_771_684_066;

/// Searches that together take every rounding that decides a move: roots, logarithms and powers of e.
fn searches() -> [MctsSettings; 4] {
    let mut plain = MctsSettings::default();
    plain.memory = 8;
    let mut tuned = plain.clone();
    tuned.select = spinney_search::settings::OrOwn::Standard(Select::Tuned);
    tuned.final_move = Some(FinalMove::Mean);
    tuned.terms.history = 1.0;
    let mut rewarded = plain.clone();
    rewarded.rewards.rb = Some(BonusSettings::default());
    rewarded.rewards.qb = Some(BonusSettings::default());
    let mut playout = PlayoutSettings::default();
    playout.policy = Some(true);
    playout.mast = Some(MastSettings::default());
    rewarded.playout = Some(playout);
    let mut learning = plain.clone();
    learning.terms.grave = Some(GraveSettings::default());
    learning.expansion.solver = Solver::Draws;
    let mut playout = PlayoutSettings::default();
    playout.policy = Some(false);
    playout.cmc = Some(CmcSettings::default());
    playout.ngram = Some(NgramSettings::default());
    playout.lgr = Some(ReplySettings::default());
    learning.playout = Some(playout);
    [plain, tuned, rewarded, learning]
}

/// All games.
pub fn all() -> u64 {
    let mut small = breakthrough::Options::default();
    (small.rows, small.columns) = (5, 5);
    let breakthrough = Breakthrough::new(small);
    let mut small = amazons::Options::default();
    small.size = 4;
    let amazons = Amazons::new(small);
    (1..).zip(searches()).fold(0, |hash, (number, settings)| {
        let seed = Seed::new(number);
        mix(hash ^ game(&breakthrough, &settings, seed) ^ game(&amazons, &settings, seed).rotate_left(1))
    })
}

/// One game of a search against itself: its moves, and what was thought of them.
fn game<G: Game>(game: &G, settings: &MctsSettings, seed: Seed) -> u64 {
    let settings = settings.resolved(&MctsSettings::default(), G::POLICY.is_some());
    let mut search = Mcts::<G>::of_resolved(game, settings, Steepness::Fixed(2.0), Chosen::NONE);
    let (mut state, mut history, mut hash) = (game.initial(), Vec::new(), 0);
    while let Turn::Player(_) = game.turn(&state) {
        let position = Position { state: &state, history: &history };
        search.begin(game, &position, 200, seed.child(history.len() as u64));
        while search.totals().simulations < 200 && !search.is_settled() {
            search.simulate(game, &|| false);
        }
        let analysis = search.analysis();
        let found = analysis.candidates.iter().map(|candidate| {
            u64::from(candidate.visits) << 32
                ^ u64::from(candidate.mean.to_bits())
                ^ u64::from(candidate.deviation.to_bits())
        });
        hash = found.fold(hash, |hash, found| mix(hash ^ found));
        let mv = search.decide();
        hash = mix(hash ^ game.move_id(&state, mv) as u64);
        game.apply(&mut state, mv);
        history.push(mv);
    }
    hash
}
