//! What play-outs learn from simulations, and how they use it: good replies first, then pairs, then sequences, then
//! single moves, then the policy under all of them.

use super::cmc::{Cmc, NO_MOVE};
use super::mast::greedy;
use super::ngram::{Before, Ngrams};
use super::reply::Replies;
use super::row::{MOST_PLACES, Places, WORD, holds, set_of, with_words};
use super::{ActionValues, Base, Lists, PlayoutSettings};
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// The learners in use, and the moves of the running simulation.
#[derive(Debug)]
pub struct Learned {
    /// Values of single moves, for MAST and progressive history.
    pub values: ActionValues,
    /// Moves of this simulation as numbers (see [`ActionValues::index`]), those in the tree first.
    pub played: Vec<u32>,
    has_values: bool,
    /// MAST's chance of the choice that is not greedy, if single moves have values.
    epsilon: f32,
    /// Later moves win ties (published engine).
    late_ties: bool,
    /// Whether there is more than values of single moves.
    has_more: bool,
    cmc: Option<Cmc>,
    ngrams: Option<Ngrams>,
    replies: Option<Replies>,
    /// Before the simulation, and now.
    root: Context,
    now: Context,
    /// Number of moves that this simulation made in the tree.
    tree_moves: usize,
    /// Whether moves are chosen from sets, where the game has them.
    takes_sets: bool,
    /// The words of a set of move ids, where they are few enough for it.
    words: Option<usize>,
    searcher: Player,
}

/// What simulations teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// Loss, draw and win: −1, 0 and 1.
    Results,
    /// Anything from −1 to 1, as scores of one player give it.
    Scores,
}

/// What has been played before a move.
#[derive(Clone, Copy, Debug)]
struct Context {
    /// The last two plies, the last first.
    before: Before,
    /// Each player's last move.
    own: [u32; 2],
}

const NOTHING_BEFORE: Context = Context { before: [NO_MOVE; 2], own: [NO_MOVE; 2] };

impl Learned {
    /// The learners of a play-out whose settings are resolved; `history` asks for values of single moves as well.
    pub fn new(playout: &PlayoutSettings, history: bool, late_ties: bool, move_ids: usize, outcomes: Outcomes) -> Self {
        let has_values = playout.mast.is_some() || history;
        Self {
            values: ActionValues::new(if has_values { move_ids } else { 0 }, 0.0),
            played: Vec::with_capacity(1024),
            has_values,
            epsilon: playout.mast.as_ref().and_then(|mast| mast.eps).unwrap_or(1.0),
            late_ties,
            has_more: playout.cmc.is_some() || playout.ngram.is_some() || playout.lgr.is_some(),
            cmc: playout.cmc.as_ref().map(|settings| Cmc::new(settings, move_ids, outcomes)),
            ngrams: playout.ngram.as_ref().map(|settings| Ngrams::new(settings, move_ids, outcomes)),
            replies: playout.lgr.as_ref().map(|settings| Replies::new(settings, move_ids)),
            root: NOTHING_BEFORE,
            now: NOTHING_BEFORE,
            tree_moves: 0,
            words: (1..=MOST_PLACES).contains(&move_ids).then(|| move_ids.div_ceil(WORD)),
            takes_sets: move_ids <= MOST_PLACES && !late_ties && outcomes == Outcomes::Results,
            searcher: Player::First,
        }
    }

    /// Nothing is learned.
    pub fn nothing() -> Self {
        Self::new(&PlayoutSettings::default(), false, false, 0, Outcomes::Results)
    }

    /// Begins a search for `player`; `before` are the last two moves of the game as numbers, the last first.
    pub fn begin_search(&mut self, player: Player, before: [u32; 2]) {
        self.values.clear();
        self.cmc.iter_mut().for_each(Cmc::clear);
        self.ngrams.iter_mut().for_each(Ngrams::clear);
        self.replies.iter_mut().for_each(Replies::clear);
        self.searcher = player;
        self.root = NOTHING_BEFORE;
        for &index in before.iter().rev().filter(|&&index| index != NO_MOVE) {
            self.root.add(index);
        }
    }

    /// Begins a simulation at the root.
    #[inline(always)]
    pub fn begin_simulation(&mut self) {
        self.played.clear();
        self.tree_moves = usize::MAX;
        self.now = self.root;
    }

    /// A move of this simulation, in the tree.
    #[inline(always)]
    pub fn made(&mut self, player: Player, move_id: usize) {
        let index = ActionValues::index(player, move_id);
        self.played.push(index);
        if self.has_more {
            self.now.add(index);
        }
    }

    /// Begins the play-out of this simulation.
    #[inline(always)]
    pub fn begin_playout(&mut self) {
        self.tree_moves = self.played.len();
        if self.cmc.as_ref().is_some_and(|cmc| cmc.forgets_tree) {
            self.now.own = [NO_MOVE; 2];
        }
    }

    /// Chooses a move of the play-out; `None` if there is none.
    #[inline(always)]
    pub fn choose<G: Game, B: Base>(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        random: &mut Random,
        lists: &mut Lists<G::Move>,
    ) -> Option<G::Move> {
        if self.has_more
            && let Some(mv) = self.choose_by_context::<G, B>(game, state, player, random, lists)
        {
            return Some(mv);
        }
        if !self.has_values || random.chance(self.epsilon) {
            return B::draw(game, state, random, lists);
        }
        if let Some(set) = self.set::<G, B>(game, state) {
            return self.values.best_in(player, set, random).map(|id| game.move_with_id(state, id));
        }
        B::list(game, state, random, lists);
        let means = self.values.means_of(player);
        greedy(game, state, lists, self.late_ties, random, |id| means[id])
    }

    /// The moves as a set, if there is one.
    #[inline(always)]
    fn set<'a, G: Game, B: Base>(&self, game: &G, state: &'a G::State) -> Option<&'a [u64]> {
        if self.takes_sets { B::set(game, state) } else { None }
    }

    /// A move by what was played before, if a learner has one to offer.
    #[inline(always)]
    fn choose_by_context<G: Game, B: Base>(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        random: &mut Random,
        lists: &mut Lists<G::Move>,
    ) -> Option<G::Move> {
        let before = self.now.before;
        let set = self.set::<G, B>(game, state);
        if let Some(replies) = &self.replies {
            for reply in replies.replies(before).into_iter().filter(|&reply| reply != NO_MOVE) {
                let id = (reply >> 1) as usize;
                let found = match set {
                    Some(set) => holds(set, id).then(|| game.move_with_id(state, id)),
                    None => {
                        B::list(game, state, random, lists);
                        lists.candidates.iter().map(|one| one.mv).find(|&mv| game.move_id(state, mv) == id)
                    }
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        if let Some(cmc) = &self.cmc
            && (!cmc.searcher_only || player == self.searcher)
            && random.chance(cmc.probability)
            && self.now.own[player.index()] != NO_MOVE
        {
            let previous = self.now.own[player.index()];
            let found = match set {
                Some(set) => cmc.best_in(player, previous, set, random).map(|id| game.move_with_id(state, id)),
                None => {
                    B::list(game, state, random, lists);
                    // Where all values are 0 the policy below chooses.
                    let value =
                        |id| Some(cmc.value(player, ActionValues::index(player, id), previous)).filter(|&u| u > 0.0);
                    let near = ids_of(game, state, lists, self.words).map(|ids| cmc.near(player, previous, ids));
                    greedy_among(near, game, state, lists, random, value)
                }
            };
            if found.is_some() {
                return found;
            }
        }
        let ngrams = self.ngrams.as_ref()?;
        if random.chance(ngrams.epsilon) {
            return None;
        }
        match set {
            Some(set) => ngrams.best_in(player, before, set, random).map(|id| game.move_with_id(state, id)),
            None => {
                B::list(game, state, random, lists);
                let value = |id| Some(ngrams.value(ActionValues::index(player, id), before));
                let near = ids_of(game, state, lists, self.words).map(|ids| ngrams.near(player, before, ids));
                greedy_among(near, game, state, lists, random, value)
            }
        }
    }

    /// Learns from the first `moves` moves of the simulation. `lesson` is what MAST learns and `outcome` what the
    /// others do, both for the first player.
    #[inline(always)]
    pub fn teach(&mut self, moves: usize, lesson: f32, outcome: f32) {
        let played = &self.played[..moves];
        if self.has_values {
            for &index in played {
                self.values.add(index, super::in_view_of(ActionValues::player(index), lesson));
            }
        }
        if let Some(cmc) = &mut self.cmc {
            let from = if cmc.whole_simulation { 0 } else { self.tree_moves.min(moves) };
            cmc.teach(&played[from..], outcome);
        }
        if let Some(ngrams) = &mut self.ngrams {
            ngrams.teach(played, self.root.before, outcome);
        }
        if let Some(replies) = &mut self.replies {
            replies.teach(played, self.root.before, outcome);
        }
    }
}

/// With fewer candidates it is quicker to look at each of them.
const MANY: usize = 8;

/// The ids of the candidates, where they are few enough for a set and many enough for it to be of use.
#[inline(always)]
fn ids_of<G: Game>(game: &G, state: &G::State, lists: &Lists<G::Move>, words: Option<usize>) -> Option<Places> {
    let words = words.filter(|_| lists.candidates.len() >= MANY)?;
    let ids = lists.candidates.iter().map(|candidate| game.move_id(state, candidate.mv));
    Some(with_words!(words, set_of::<_>(ids)))
}

/// The candidate with the highest value, if any has one; those whose id is not `near` cannot have it.
#[inline(always)]
fn greedy_among<G: Game>(
    near: Option<Places>,
    game: &G,
    state: &G::State,
    lists: &mut Lists<G::Move>,
    random: &mut Random,
    value: impl Fn(usize) -> Option<f32>,
) -> Option<G::Move> {
    // What is not a number is never chosen.
    match near {
        Some(near) => greedy(game, state, lists, false, random, |id| {
            if holds(&near, id) { value(id).unwrap_or(f32::NAN) } else { f32::NAN }
        }),
        None => greedy(game, state, lists, false, random, |id| value(id).unwrap_or(f32::NAN)),
    }
}

impl Context {
    #[inline(always)]
    fn add(&mut self, index: u32) {
        self.before = [index, self.before[0]];
        self.own[(index & 1) as usize] = index;
    }
}
