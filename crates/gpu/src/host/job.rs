//! A match as a card plays it: a game, two agents, an opening.

use crate::compiled::kinds;
use crate::games::{self, Known};
use crate::plain::{PlainAgent, PlainMatch};
use spinney_core::{InputError, Notation, Published, Weighted, Workspace};
use spinney_games::Visitor;
use spinney_search::reward::Steepness;
use spinney_search::settings::{MctsSettings, RewardSettings};
use spinney_search::tree::Rows;
use spinney_search::tree::places::Places;
use spinney_search::{AgentSettings, Budget};
use std::fmt;
use std::sync::Arc;

/// Why a card does not play a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// There is no kernel for the game.
    Game,
    /// One of the agents is not `mcts`, or asks for something that kernels leave out.
    Agent(String),
    /// An agent is limited by something else than simulations.
    Budget(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Game => f.write_str("no kernel plays the game"),
            Unfit::Agent(agent) => write!(f, "no kernel plays {agent}"),
            Unfit::Budget(agent) => write!(f, "{agent} is not limited by simulations alone"),
        }
    }
}

/// Writes the moves of a game, given as their numbers in the lists of moves of each position; `None` if there is no such
/// move.
type Writer = Arc<dyn Fn(&[u16]) -> Option<Vec<String>> + Send + Sync>;

/// A match that a card can play.
#[derive(Clone)]
pub struct Job {
    pub(super) game: Known,
    pub(super) kinds: u8,
    pub(super) task: PlainMatch,
    writer: Writer,
    sizes: Sizes,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("kernel", &self.kernel()).field("task", &self.task).finish_non_exhaustive()
    }
}

/// Moves kept of a game: the longest games of those that a card plays are shorter.
pub(super) const KEPT: u32 = 1024;

/// What the types of a game tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Bytes of a place in the tree, and of a move.
    place: u64,
    mv: u64,
    /// Bytes of a table of learned values, and of what a search keeps beside.
    table: u64,
    rest: u64,
}

/// Bytes for lists and the record of a game, which grow.
const LISTS_BYTES: u64 = 96 << 10;

struct Look;

impl Visitor for Look {
    type Output = (Published, Writer, Sizes);

    fn visit<G: Notation>(self, _: &str, game: G) -> Self::Output {
        let published = game.published();
        // Two seats, each move with a mean, a weight, a number and a level; rows are filled up to whole words.
        let table = 2 * (game.move_ids() as u64 + 64) * 13;
        // Lists of moves and candidates grow to twice their size, of both agents, the game and its record.
        let mut work = Workspace::new();
        work.list_moves(&game, &game.initial());
        let listed =
            2 * work.moves.len().max(256).next_power_of_two() * (size_of::<G::Move>() + size_of::<Weighted<G::Move>>());
        let states = size_of::<G::State>() + size_of::<G::Scratch>();
        let rest = LISTS_BYTES + 4 * (2 * listed + states) as u64;
        let place = Rows::<G::Move>::BYTES as u64;
        let sizes = Sizes { place, mv: size_of::<G::Move>() as u64, table, rest };
        let write = move |places: &[u16]| {
            let (mut state, mut work) = (game.initial(), Workspace::new());
            let mut moves = Vec::with_capacity(places.len());
            for &place in places {
                work.list_moves(&game, &state);
                let mv = *work.moves.get(usize::from(place))?;
                moves.push(game.write_move(&state, mv));
                game.advance(&mut state, mv, &mut work);
            }
            Some(moves)
        };
        (published, Arc::new(write), sizes)
    }
}

impl Job {
    /// The match of these agents, if a card can play it; what cannot be read at all is an error.
    pub fn new(game: &str, agents: &[AgentSettings; 2], opening: u32) -> Result<Result<Self, Unfit>, InputError> {
        let Some(known) = games::known(game)? else {
            return Ok(Err(Unfit::Game));
        };
        let (published, writer, sizes) = spinney_games::open(game, None, Look)?;
        let mut plain = [PlainAgent::default(); 2];
        for (plain, agent) in plain.iter_mut().zip(agents) {
            let written = || agent.to_string();
            let Some(settings) = agent.mcts() else { return Ok(Err(Unfit::Agent(written()))) };
            match pack(&settings, &published, known.has_policy)? {
                Packed::Agent(packed) => *plain = *packed,
                Packed::Timed => return Ok(Err(Unfit::Budget(written()))),
                Packed::Unknown => return Ok(Err(Unfit::Agent(written()))),
            }
        }
        let own = plain[0].kinds() | plain[1].kinds();
        // A kernel is made for one kind of play-out, or for all of them.
        let kinds = if own.count_ones() == 2 { own } else { kinds::ALL };
        let mut task = PlainMatch { agents: plain, opening, kept: KEPT, ..PlainMatch::default() };
        let simulations = plain.map(|agent| agent.simulations).into_iter().max().unwrap_or_default();
        let (places, children) = known.growth.after(simulations);
        let is_whole = plain.iter().any(|agent| agent.needs_whole_nodes());
        let limit = |number: u64| number.min(u64::from(u32::MAX / 2)) as u32;
        task.places = limit(if is_whole { children } else { places });
        task.moves = limit(children);
        Ok(Ok(Self { game: known, kinds, task, writer, sizes }))
    }

    /// The name of the kernel that plays it.
    pub fn kernel(&self) -> String {
        super::kernels::name(self.game.name, self.kinds)
    }

    /// The name of its game.
    pub fn game(&self) -> &'static str {
        self.game.name
    }

    /// The options of its game.
    pub fn words(&self) -> games::Words {
        self.game.words
    }

    /// It as a card is told of it.
    pub fn task(&self) -> &PlainMatch {
        &self.task
    }

    /// Writes the moves of a game, given by their places in the lists of moves; `None` if there is no such move.
    pub fn write(&self, places: &[u16]) -> Option<Vec<String>> {
        (self.writer)(places)
    }

    /// Bytes of a thread that plays it, unless it finds no room and is given more.
    pub fn bytes_at_first(&self) -> u64 {
        self.bytes(self.task.places, self.task.moves)
    }

    /// Bytes of a thread that plays it with trees of so many places and moves.
    pub(super) fn bytes(&self, places: u32, moves: u32) -> u64 {
        let kinds = self.task.agents.map(|agent| (agent.needs_whole_nodes(), agent.ties));
        let trees = if kinds[0] == kinds[1] { 1 } else { 2 };
        // A move, and its number where the order of moves counts.
        let listed = self.sizes.mv + 2;
        let lists = if kinds.iter().all(|kind| kind.0) { 0 } else { u64::from(moves) * listed };
        let tree = u64::from(places) * self.sizes.place + lists;
        let tables = self.task.agents.iter().filter(|agent| agent.mast != 0).count() as u64 * self.sizes.table;
        (trees * tree + tables + self.sizes.rest).next_multiple_of(256)
    }
}

enum Packed {
    Agent(Box<PlainAgent>),
    Timed,
    Unknown,
}

fn pack(settings: &MctsSettings, published: &Published, has_policy: bool) -> Result<Packed, InputError> {
    let options = MctsSettings::published(published)?;
    let settings = settings.resolved(&options, has_policy);
    let budget = settings.budget(published.simulations_per_second);
    let Some(simulations) =
        budget.simulations.filter(|_| budget == Budget::simulations(budget.simulations.unwrap_or(0)))
    else {
        return Ok(Packed::Timed);
    };
    let replacing: Steepness = RewardSettings::steepness(&options.rewards.qb);
    Ok(match PlainAgent::of(&settings, replacing, simulations) {
        Some(agent) => Packed::Agent(Box::new(agent)),
        None => Packed::Unknown,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    /// Simulations, places and moves of whole games with the agents of the tables.
    #[test]
    fn what_was_seen_is_likely_to_find_room() {
        for (game, simulations, places, moves) in [
            ("amazons(size=8, variant=engine2014)", 1_000, 2_752, 231_292),
            ("amazons(size=8, variant=engine2014)", 3_000, 7_102, 682_759),
            ("amazons(size=8, variant=engine2014)", 15_000, 47_837, 1_339_713),
            ("amazons(size=10)", 4_000, 9_827, 2_260_844),
            ("breakthrough", 17_000, 61_469, 89_638),
            ("cannon(variant=engine2014)", 10_000, 25_150, 72_557),
            ("checkers(variant=engine2014)", 24_000, 26_237, 54_805),
            ("chinese-checkers(variant=engine2014)", 14_000, 25_868, 51_390),
            ("havannah(size=8)", 1_000, 15_119, 28_392),
            ("havannah(size=8)", 10_000, 68_556, 59_854),
            ("pentalath(variant=engine2014)", 21_000, 105_517, 189_034),
        ] {
            let (likely_places, likely_moves) = games::known(game).unwrap().unwrap().growth.after(simulations);
            assert!(places <= likely_places && likely_places < 4 * places + 8192, "{game}: {likely_places}");
            assert!(moves <= likely_moves && likely_moves < 4 * moves + 8192, "{game}: {likely_moves}");
        }
    }
}
