//! Alpha-beta with iterative deepening and a transposition table: the referee of the truth tests, and an opponent
//! that is not Monte Carlo.

use crate::agent::{Agent, Analysis, Candidate, Decision, Position, Task};
use crate::budget::{Budget, StopReason, Watch};
use crate::mcts::Totals;
use crate::search::Stop as _;
use crate::settings::AlphaBetaSettings;
use crate::tree::Proof;
use spinney_core::Workspace;
use spinney_core::game::{Game, Outcome, Player, Turn};
use spinney_core::options::OptionSet;

/// Scores beyond this are wins and losses, less one for each ply that they are away.
const WIN: i32 = 1_000_000;
const SURE: i32 = WIN - 10_000;
/// Positions that are searched where nothing limits them.
const MOST_NODES: u64 = 200_000;
/// An evaluation of 1 in scores.
const SCALE: f32 = 500_000.0;

/// The agent.
#[derive(Debug)]
pub struct AlphaBeta<M> {
    settings: AlphaBetaSettings,
    table: Vec<Slot<M>>,
}

#[derive(Clone, Copy, Debug)]
struct Slot<M> {
    key: u64,
    score: i32,
    depth: u16,
    bound: Bound,
    complete: bool,
    best: M,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Nothing,
    Exact,
    AtLeast,
    AtMost,
}

/// A score for the player to move. It is complete if no line ended at the horizon: then it is the true value.
#[derive(Clone, Copy, Debug)]
struct Value {
    score: i32,
    complete: bool,
}

impl<M: Copy + Default> AlphaBeta<M> {
    /// The table is made at the first search.
    pub fn new(settings: &AlphaBetaSettings) -> Self {
        Self { settings: settings.clone(), table: Vec::new() }
    }

    fn clear(&mut self) {
        let slots = (self.settings.memory as usize * 1_000_000 / size_of::<Slot<M>>()).max(2);
        let slots = 1 << slots.ilog2();
        let empty = Slot { key: 0, score: 0, depth: 0, bound: Bound::Nothing, complete: false, best: M::default() };
        self.table.clear();
        self.table.resize(slots, empty);
    }
}

/// One run of the deepening.
struct Run<'a, G: Game> {
    game: &'a G,
    table: &'a mut [Slot<G::Move>],
    watch: &'a Watch<'a>,
    most_nodes: u64,
    nodes: u64,
    stopped: Option<StopReason>,
    work: Workspace<G>,
}

impl<G: Game> Run<'_, G> {
    fn is_stopped(&mut self) -> bool {
        self.nodes += 1;
        if self.stopped.is_none() {
            self.stopped = if self.nodes > self.most_nodes {
                Some(StopReason::Nodes)
            } else {
                // Every 64th position, so that the clock is not read at each.
                self.nodes.is_multiple_of(64).then(|| self.watch.reached(0, 0, false)).flatten()
            };
        }
        self.stopped.is_some()
    }

    /// The value of `state` for `player`, who moves there, within the window.
    fn value(&mut self, state: &G::State, player: Player, depth: u32, ply: i32, alpha: i32, beta: i32) -> Value {
        if self.is_stopped() {
            return Value { score: 0, complete: false };
        }
        if depth == 0 {
            let guess = self.game.evaluate(state, player).unwrap_or(0.0);
            return Value { score: (guess * SCALE) as i32, complete: false };
        }
        let key = self.game.key(state);
        let place = key.map(|key| key as usize & (self.table.len() - 1));
        let mut first = None;
        if let (Some(key), Some(place)) = (key, place) {
            let slot = self.table[place];
            if slot.bound != Bound::Nothing && slot.key == key {
                first = Some(slot.best);
                let score = from_table(slot.score, ply);
                let deep_enough = u32::from(slot.depth) >= depth || slot.complete || score.abs() > SURE;
                let fits = match slot.bound {
                    Bound::Exact => true,
                    Bound::AtLeast => score >= beta,
                    Bound::AtMost => score <= alpha,
                    Bound::Nothing => false,
                };
                if deep_enough && fits {
                    return Value { score, complete: slot.complete };
                }
            }
        }
        self.work.list_moves(self.game, state);
        let mut moves = self.work.moves.to_vec();
        if let Some(index) = first.and_then(|best| moves.iter().position(|&mv| mv == best)) {
            moves[..=index].rotate_right(1);
        }
        let mut best = Value { score: i32::MIN, complete: true };
        let mut best_move = moves.first().copied().unwrap_or_default();
        let mut window = alpha;
        for mv in moves {
            let child = self.after(state, player, mv, depth, ply, window, beta);
            best.complete &= child.complete;
            if child.score > best.score {
                best.score = child.score;
                best_move = mv;
            }
            window = window.max(best.score);
            if window >= beta {
                break;
            }
        }
        // A forced win or loss is certain whatever else lies beyond the horizon.
        best.complete |= best.score.abs() > SURE;
        if let (Some(key), Some(place), None) = (key, place, self.stopped) {
            let bound = if best.score <= alpha {
                Bound::AtMost
            } else if best.score >= beta {
                Bound::AtLeast
            } else {
                Bound::Exact
            };
            let score = to_table(best.score, ply);
            self.table[place] =
                Slot { key, score, depth: depth as u16, bound, complete: best.complete, best: best_move };
        }
        best
    }

    /// The value for `player` of the position after `mv`.
    #[expect(clippy::too_many_arguments, reason = "the window and the two depths travel together")]
    fn after(
        &mut self,
        state: &G::State,
        player: Player,
        mv: G::Move,
        depth: u32,
        ply: i32,
        alpha: i32,
        beta: i32,
    ) -> Value {
        let mut next = state.clone();
        self.game.advance(&mut next, mv, &mut self.work);
        match self.game.turn(&next) {
            Turn::Over(outcome) => {
                let score = match outcome {
                    Outcome::Draw | Outcome::Scored => 0,
                    Outcome::Win(winner) if winner == player => WIN - ply - 1,
                    Outcome::Win(_) => -(WIN - ply - 1),
                };
                Value { score, complete: true }
            }
            Turn::Player(mover) if mover == player => self.value(&next, mover, depth - 1, ply + 1, alpha, beta),
            Turn::Player(mover) => {
                let value = self.value(&next, mover, depth - 1, ply + 1, -beta, -alpha);
                Value { score: -value.score, ..value }
            }
            // No agent of this kind is built for games with chance; nothing is known here.
            Turn::Chance => Value { score: 0, complete: false },
        }
    }
}

/// Wins are stored as seen from the position, not from the root.
fn to_table(score: i32, ply: i32) -> i32 {
    if score.abs() > SURE { score + score.signum() * ply } else { score }
}

fn from_table(score: i32, ply: i32) -> i32 {
    if score.abs() > SURE { score - score.signum() * ply } else { score }
}

impl<G: Game> Agent<G> for AlphaBeta<G::Move> {
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let budget = task.budget.unwrap_or(Agent::<G>::budget(self));
        // Without any limit the depth alone could take for ever.
        let otherwise = if budget.time.or(budget.cpu_time).is_some() { u64::MAX } else { MOST_NODES };
        let most_nodes = budget.simulations.or(budget.nodes).unwrap_or(otherwise);
        let watch = Watch::start(Budget { simulations: None, nodes: None, ..budget }, task.stop, None);
        self.clear();
        let player = match game.turn(position.state) {
            Turn::Player(player) => player,
            Turn::Over(_) | Turn::Chance => Player::First,
        };
        let mut work = Workspace::new();
        work.list_moves(game, position.state);
        let mut moves = work.moves.to_vec();
        let mut best = Value { score: 0, complete: false };
        let mut run = Run { game, table: &mut self.table, watch: &watch, most_nodes, nodes: 0, stopped: None, work };
        let mut reached = 0;
        for depth in 1..=self.settings.depth {
            let mut deepest = Value { score: -i32::MAX, complete: true };
            let mut at = 0;
            for (index, &mv) in moves.iter().enumerate() {
                let child = run.after(position.state, player, mv, depth, 0, deepest.score, i32::MAX);
                if run.stopped.is_some() {
                    break;
                }
                deepest.complete &= child.complete;
                if child.score > deepest.score {
                    (deepest.score, at) = (child.score, index);
                }
            }
            // The best move so far was searched first, so even a part of an iteration can only improve on it.
            if deepest.score > -i32::MAX {
                moves[..=at].rotate_right(1);
                if run.stopped.is_none() {
                    best = deepest;
                    reached = depth;
                }
            }
            if run.stopped.is_some() || best.complete || best.score.abs() > SURE {
                break;
            }
        }
        let stopped = run.stopped.unwrap_or(StopReason::Done);
        let nodes = run.nodes;
        let mv = moves.first().copied().unwrap_or_default();
        let proof = match best {
            Value { score, .. } if score > SURE => Proof::Win,
            Value { score, .. } if score < -SURE => Proof::Loss,
            Value { complete: true, .. } => Proof::Draw,
            _ => Proof::Unknown,
        };
        let explanation = task.explain.then(|| {
            let mean = (best.score as f32 / SCALE).clamp(-1.0, 1.0);
            let variation = variation(&self.table, game, position.state, mv, reached);
            let visits = nodes.min(u64::from(u32::MAX)) as u32;
            Analysis {
                candidates: vec![Candidate { mv, visits, mean, deviation: 0.0, proof, variation }],
                proof,
                totals: Totals { simulations: nodes, deepest_plies: reached, ..Totals::default() },
                nodes: self.table.len() as u64,
                bytes: (self.table.len() * size_of::<Slot<G::Move>>()) as u64,
                elapsed: watch.elapsed(),
                stopped: Some(stopped),
            }
        });
        Decision { mv, simulations: nodes, explanation }
    }

    fn budget(&self) -> Budget {
        let AlphaBetaSettings { time, cpu, nodes, .. } = self.settings;
        Budget::of_seconds(None, time, cpu, nodes.or(time.or(cpu).is_none().then_some(MOST_NODES)))
    }

    fn is_silent(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        self.settings.changed("alphabeta").to_string()
    }
}

/// The line that the table remembers after `mv`.
fn variation<G: Game>(table: &[Slot<G::Move>], game: &G, state: &G::State, mv: G::Move, depth: u32) -> Vec<G::Move> {
    let mut line = vec![mv];
    let mut state = state.clone();
    let mut work = Workspace::new();
    game.advance(&mut state, mv, &mut work);
    while (line.len() as u32) < depth && matches!(game.turn(&state), Turn::Player(_)) {
        let Some(key) = game.key(&state) else { break };
        let slot = table[key as usize & (table.len() - 1)];
        work.list_moves(game, &state);
        if slot.bound == Bound::Nothing || slot.key != key || !work.moves.contains(&slot.best) {
            break;
        }
        line.push(slot.best);
        game.advance(&mut state, slot.best, &mut work);
    }
    line
}

/// The true value of a position, or `None` if it is further than `depth` plies or `nodes` positions away.
///
/// ```
/// use spinney_core::{Game, Outcome};
/// let game = spinney_games::TicTacToe;
/// let value = spinney_search::alpha_beta::solve(&game, &game.initial(), 9, 1_000_000);
/// assert_eq!(value, Some(Outcome::Draw));
/// ```
pub fn solve<G: Game>(game: &G, state: &G::State, depth: u32, nodes: u64) -> Option<Outcome> {
    let player = match game.turn(state) {
        Turn::Over(outcome) => return Some(outcome),
        Turn::Player(player) => player,
        Turn::Chance => return None,
    };
    let settings = AlphaBetaSettings { depth, nodes: Some(nodes), ..AlphaBetaSettings::default() };
    let mut task = Task { explain: true, ..Task::new(spinney_core::Seed::new(0)) };
    let decision = AlphaBeta::new(&settings).choose(game, &Position::new(state), &mut task);
    match decision.explanation?.proof {
        Proof::Win => Some(Outcome::Win(player)),
        Proof::Loss => Some(Outcome::Win(player.other())),
        Proof::Draw => Some(Outcome::Draw),
        Proof::Unknown => None,
    }
}
