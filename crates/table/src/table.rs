//! The second type-erased border: a game on a table, everything as text. The command line, the protocol and the
//! match runner see games only through this.

use crate::diagnose::{Diagnosis, Study, Watcher};
use crate::laboratory::Laboratory;
use spinney_core::game::{Outcome, Player, Turn, continuations, no_luck};
use spinney_core::notation::{Notation, RoleText};
use spinney_core::scene::{Scene, Tray};
use spinney_core::unhurried::{advance, apply, draw_outcome, list_moves, turn};
use spinney_core::{Game, InputError, InputErrorKind, List, Published, Random, Seed, Stream, Workspace, perft};
use spinney_search::AgentSettings;
use spinney_search::agent::{self, Agent, Analysis, Candidate, Position, Task};
use spinney_search::agents;
use spinney_search::budget::{Budget, StopReason};
use spinney_search::expectimax;
use spinney_search::game_record::{GameRecord, play_game};
use spinney_search::mcts::Totals;
use spinney_search::timekeeper::{ClockedGame, play_game_by_clock};
use spinney_search::tree::Proof;
use spinney_search::{Clock, Timekeeper};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A game in progress with agents seated at it.
pub trait Table: Send {
    /// The game with all its options, as it is written.
    fn game(&self) -> String;
    /// How the game was published.
    fn published(&self) -> Published;
    /// The position on one line.
    fn position(&self) -> String;
    /// Puts a position on the table, the initial one when `None`, and forgets the moves before it.
    fn set_position(&mut self, position: Option<&str>) -> Result<(), InputError>;
    /// The board for a person.
    fn board(&self) -> String;
    /// The position as an interface draws it, with the last roll; empty where a game has no drawing.
    fn scene(&self) -> Scene;
    /// What a person touches in `scene` to make the move `mv`, in this order; nothing for moves that name nothing.
    fn steps(&self, scene: &Scene, mv: &str) -> Vec<String>;
    /// Whose turn it is.
    fn turn(&self) -> Turn;
    /// What is asked of the player to move, in a few words; empty where the game says nothing.
    fn prompt(&self) -> &'static str {
        ""
    }
    /// The letters of which the rows of a position consist, the empty place last; none where positions are no rows.
    fn position_letters(&self) -> &'static str {
        ""
    }
    /// What a player is called.
    fn player_name(&self, player: Player) -> &str;
    /// The score of a game of one player, so far; `None` where two play.
    fn score(&self) -> Option<f64>;
    /// Lets chance take its turn, if it is to, and returns what happened.
    fn draw_outcome(&mut self, seed: Seed) -> Option<String>;
    /// All legal moves, or the outcomes of a chance turn.
    fn moves(&self) -> Vec<String>;
    /// The roles of a game of roles, with what each may do in the position; none in other games.
    fn roles(&self) -> Vec<RoleText>;
    /// The moves made since the position was put on the table.
    fn history(&self) -> Vec<String>;
    /// The position that was put on the table, before these moves.
    fn start(&self) -> String;
    /// Makes a move.
    fn play(&mut self, mv: &str) -> Result<(), InputError>;
    /// Makes the move of this number among [`Table::moves`], from 0, without reading or writing any.
    fn play_number(&mut self, number: usize) -> Result<(), InputError>;
    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// Another table with the same game and the same moves on it, and nobody seated.
    fn copy(&self) -> Box<dyn Table>;
    /// Seats an agent and returns the number of its seat.
    fn seat(&mut self, agent: &AgentSettings) -> Result<usize, InputError>;
    /// The agent in a seat with all its settings.
    fn agent(&self, seat: usize) -> String;
    /// The limits that the agent in a seat keeps.
    fn budget(&self, seat: usize) -> Budget;
    /// Lets the agent in a seat think about the position, which must not be over.
    fn think(&mut self, seat: usize, question: &mut Question<'_>) -> Thought;
    /// What the agent in a seat found out, in its last search of this position, about the node after these moves; `None` where its tree
    /// does not reach or it keeps none.
    fn look(&self, seat: usize, path: &[String]) -> Result<Option<InsightText>, InputError>;
    /// Plays a whole game from the initial position; the position on the table does not change.
    fn play_game(&mut self, seats: [usize; 2], opening: u32, seed: Seed, stop: &AtomicBool) -> Option<GameText>;
    /// Lets the agent in a seat think by the clock of its player, in place of the agent's own limits, and presses it.
    fn think_by_clock(&mut self, seat: usize, question: &mut Question<'_>, keeper: &mut Timekeeper) -> Thought;
    /// Plays a whole game as [`Table::play_game`] does, with such a clock for each player.
    fn play_game_by_clock(
        &mut self,
        seats: [usize; 2],
        clock: Clock,
        opening: u32,
        seed: Seed,
        stop: &AtomicBool,
    ) -> Option<ClockedGame<GameText>>;
    /// Number of move sequences of this length from the position.
    fn perft(&self, depth: u32) -> u64;
    /// Uniform play-outs from the position, without a search, for so long.
    fn play_outs(&self, seed: Seed, time: Duration) -> PlayoutSpeed;
    /// Plays random games from the position and counts moves.
    fn random_play(&self, seed: Seed, games: u32) -> RandomPlay;
    /// The exact value of the position, by looking at every position after it once; `None` if there are more than `most`.
    fn solve(&self, most: usize) -> Option<SolvedText>;
    /// Plays the games of a study, watched by `tell`; `None` if `stop` was set meanwhile. See [`crate::diagnose`].
    fn diagnose(&self, study: &Study, stop: &AtomicBool, tell: Watcher<'_>) -> Result<Option<Diagnosis>, InputError>;
    /// Whether the game holds to all that searches expect of it, tried in so many random games; what it does not hold to
    /// is the error. See [`spinney_core::conformance`].
    fn check(&self, games: u32) -> Result<(), String>;
}

/// A position that has been solved, as text.
#[derive(Clone, Debug)]
pub struct SolvedText {
    /// Its value: the expected score of one player, or the expected reward of the first of two.
    pub value: f64,
    /// The values after each move, best first for the player to move.
    pub moves: Vec<(String, f64)>,
    /// Positions looked at.
    pub positions: usize,
}

/// Agents beside the standard ones, for games of one type.
pub trait OwnAgents<G: Game>: Send + Sync {
    /// The agent of these settings; `None` if it is one of the standard ones.
    fn build(&self, game: &G, agent: &AgentSettings) -> Option<Result<Box<dyn Agent<G>>, InputError>>;
}

/// What is asked of an agent at a table.
pub struct Question<'a> {
    /// All randomness comes from here.
    pub seed: Seed,
    /// Replaces the agent's own budget.
    pub budget: Option<Budget>,
    /// The search ends soon after this is set.
    pub stop: &'a AtomicBool,
    /// Who is told of the thoughts while they go on, and how often.
    pub observer: Option<(Duration, Observer<'a>)>,
}

/// Called with the thoughts so far and a way to look into the tree.
pub type Observer<'a> = &'a mut dyn FnMut(&Thought, Look<'_>);

/// What is known of the node after these moves; see [`Table::look`].
pub type Look<'a> = &'a dyn Fn(&[String]) -> Result<Option<InsightText>, InputError>;

/// An [`Insight`](spinney_search::insight::Insight) as text.
#[derive(Clone, Debug)]
pub struct InsightText {
    /// Simulations through the node.
    pub visits: u32,
    /// Its moves or outcomes, best first.
    pub candidates: Vec<CandidateText>,
}

/// An [`Analysis`] as text.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move to play.
    pub chosen: String,
    /// The moves, best first.
    pub candidates: Vec<CandidateText>,
    /// What is proven for the player to move.
    pub proof: Proof,
    /// Totals over all simulations.
    pub totals: Totals,
    /// Nodes in the tree.
    pub nodes: u64,
    /// Bytes in use.
    pub bytes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Why the search stopped, or `None` while it runs.
    pub stopped: Option<StopReason>,
}

/// A [`Candidate`] as text.
#[derive(Clone, Debug)]
pub struct CandidateText {
    /// The move.
    pub mv: String,
    /// Simulations through it.
    pub visits: u32,
    /// Their mean reward for the player to move, in [−1, 1]; the mean score in a game of one player.
    pub mean: f32,
    /// Half the width of the 95 % interval of the mean.
    pub margin: f32,
    /// What is proven of it.
    pub proof: Proof,
    /// The line expected, beginning with the move.
    pub variation: Vec<String>,
}

/// A [`GameRecord`] as text.
#[derive(Clone, Debug, PartialEq)]
pub struct GameText {
    /// How it ended.
    pub outcome: Outcome,
    /// The score of a game of one player.
    pub score: f64,
    /// All moves and chance outcomes.
    pub moves: Vec<String>,
    /// Simulations of both players.
    pub simulations: [u64; 2],
    /// Thinking time of both players.
    pub time: [Duration; 2],
}

/// Speed of play-outs without a tree.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutSpeed {
    /// Play-outs made.
    pub playouts: u64,
    /// Plies made.
    pub plies: u64,
    /// Time it took.
    pub elapsed: Duration,
}

/// What random games are like.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomPlay {
    /// Games played.
    pub games: u32,
    /// Mean number of plies.
    pub plies: f64,
    /// Mean number of moves that a search considers.
    pub branching: f64,
    /// Share of games that the first and the second player won.
    pub wins: [f64; 2],
}

/// Opens a table of the standard laboratory with the game named in `game`, fitted to `position` if one is given, which is
/// put on it.
///
/// ```
/// let mut table = spinney_table::open_table("breakthrough(rows=6, columns=6)", None).unwrap();
/// table.play("a2-a3").unwrap();
/// assert_eq!(table.position(), "bbbbbb/bbbbbb/....../w...../.wwwww/wwwwww 2");
/// ```
pub fn open_table(game: &str, position: Option<&str>) -> Result<Box<dyn Table>, InputError> {
    Laboratory::standard().open(game, position)
}

/// The table of one game; `states` holds the position after each move of `history`, and the first.
pub(crate) struct GameTable<G: Notation> {
    name: String,
    game: G,
    states: Vec<G::State>,
    history: Vec<G::Move>,
    agents: Vec<Box<dyn Agent<G>>>,
    own: Option<Arc<dyn OwnAgents<G>>>,
    /// Where moves are listed that nobody asked to see.
    listed: List<G::Move>,
}

impl<G: Notation> GameTable<G> {
    /// A table with the initial position of a game.
    pub(crate) fn new(name: &str, game: G, own: Option<Arc<dyn OwnAgents<G>>>) -> Self {
        let state = game.initial();
        Self::at(name, game, state, own)
    }

    fn at(name: &str, game: G, state: G::State, own: Option<Arc<dyn OwnAgents<G>>>) -> Self {
        let (name, states, history) = (name.to_string(), vec![state], Vec::new());
        Self { name, game, states, history, agents: Vec::new(), own, listed: List::new() }
    }

    fn state(&self) -> &G::State {
        self.states.last().expect("a table always has a position")
    }

    fn write_line(&self, state: &G::State, line: &[G::Move]) -> Vec<String> {
        write_line(&self.game, state, line)
    }

    fn make(&mut self, mv: G::Move) {
        let mut next = self.state().clone();
        self.game.apply(&mut next, mv);
        self.states.push(next);
        self.history.push(mv);
    }

    /// Lets an agent think, by a clock if there is one.
    fn think_for(&mut self, seat: usize, question: &mut Question<'_>, keeper: Option<&mut Timekeeper>) -> Thought {
        let Self { game, states, history, agents, .. } = self;
        let state = states.last().expect("a table always has a position");
        let best = |analysis: &Analysis<G::Move>| analysis.candidates.first().map(|best| best.mv).unwrap_or_default();
        let mut tell;
        let observer: Option<(Duration, agent::Observer<'_, G::Move>)> = match &mut question.observer {
            Some((interval, observer)) => {
                tell = |analysis: &Analysis<G::Move>, look: agent::Look<'_, G::Move>| {
                    let look = |path: &[String]| write_insight(game, state, path, look);
                    observer(&write_thought(game, state, best(analysis), analysis), &look);
                };
                Some((*interval, &mut tell))
            }
            None => None,
        };
        let mut task =
            Task { seed: question.seed, budget: question.budget, stop: question.stop, explain: true, observer };
        let started = Instant::now();
        let position = Position { state, history };
        let decision = match keeper {
            Some(keeper) => keeper.choose(&mut *agents[seat], game, &position, &mut task).decision,
            None => agents[seat].choose(game, &position, &mut task),
        };
        match &decision.explanation {
            Some(analysis) => write_thought(game, state, decision.mv, analysis),
            None => {
                let totals = Totals { simulations: decision.simulations, ..Totals::default() };
                let (proof, elapsed) = (Proof::Unknown, started.elapsed());
                let nothing = Analysis {
                    candidates: Vec::new(),
                    proof,
                    totals,
                    nodes: 0,
                    bytes: 0,
                    elapsed,
                    stopped: Some(StopReason::Done),
                };
                write_thought(game, state, decision.mv, &nothing)
            }
        }
    }

    fn write_game(&self, record: GameRecord<G::Move>) -> GameText {
        let GameRecord { outcome, score, moves, simulations, time } = record;
        let moves = self.write_line(&self.game.initial(), &moves);
        GameText { outcome, score, moves, simulations, time }
    }
}

fn game_is_over() -> InputError {
    InputError::new("move", "the game is over", "take a move back or start a new game").of(InputErrorKind::Move)
}

/// A table of a game that need not have a name in any laboratory, with a position of it, or the initial one, and agents
/// beside the standard ones.
pub fn table_of<G: Notation>(
    name: &str,
    game: G,
    state: Option<G::State>,
    own: Option<Arc<dyn OwnAgents<G>>>,
) -> Box<dyn Table> {
    let state = state.unwrap_or_else(|| game.initial());
    Box::new(GameTable::at(name, game, state, own))
}

/// A game with its options, as it is written.
pub(crate) fn written_game<G: Notation>(name: &str, game: &G) -> String {
    let options: Vec<String> = game.options().iter().map(|(key, value)| format!("{key}={value}")).collect();
    if options.is_empty() { name.to_string() } else { format!("{name}({})", options.join(", ")) }
}

fn write_line<G: Notation>(game: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    line.iter()
        .map(|&mv| {
            let written = game.write_move(&state, mv);
            apply(game, &mut state, mv);
            written
        })
        .collect()
}

fn write_candidate<G: Notation>(game: &G, state: &G::State, candidate: &Candidate<G::Move>) -> CandidateText {
    CandidateText {
        mv: game.write_move(state, candidate.mv),
        visits: candidate.visits,
        mean: candidate.mean,
        margin: candidate.margin(),
        proof: candidate.proof,
        variation: write_line(game, state, &candidate.variation),
    }
}

/// Follows the path from `state` and looks there.
fn write_insight<G: Notation>(
    game: &G,
    state: &G::State,
    path: &[String],
    look: agent::Look<'_, G::Move>,
) -> Result<Option<InsightText>, InputError> {
    let mut state = state.clone();
    let mut moves = Vec::new();
    for written in path {
        if let Turn::Over(_) = turn(game, &state) {
            return Ok(None);
        }
        let mv = game.read_move(&state, written)?;
        apply(game, &mut state, mv);
        moves.push(mv);
    }
    Ok(look(&moves).map(|insight| InsightText {
        visits: insight.visits,
        candidates: insight.candidates.iter().map(|own| write_candidate(game, &state, own)).collect(),
    }))
}

fn write_thought<G: Notation>(game: &G, state: &G::State, chosen: G::Move, analysis: &Analysis<G::Move>) -> Thought {
    Thought {
        chosen: game.write_move(state, chosen),
        candidates: analysis.candidates.iter().map(|own| write_candidate(game, state, own)).collect(),
        proof: analysis.proof,
        totals: analysis.totals,
        nodes: analysis.nodes,
        bytes: analysis.bytes,
        elapsed: analysis.elapsed,
        stopped: analysis.stopped,
    }
}

impl<G: Notation> Table for GameTable<G> {
    fn game(&self) -> String {
        written_game(&self.name, &self.game)
    }

    fn published(&self) -> Published {
        self.game.published()
    }

    fn position(&self) -> String {
        self.game.write_position(self.state())
    }

    fn set_position(&mut self, position: Option<&str>) -> Result<(), InputError> {
        let state = match position {
            Some(text) => self.game.read_position(text).map_err(|error| error.or(InputErrorKind::Position))?,
            None => self.game.initial(),
        };
        self.states = vec![state];
        self.history.clear();
        Ok(())
    }

    fn board(&self) -> String {
        self.game.draw(self.state())
    }

    fn scene(&self) -> Scene {
        let mut scene = self.game.scene(self.state());
        let rolled =
            self.states.iter().zip(&self.history).rev().find(|(state, _)| turn(&self.game, state) == Turn::Chance);
        let dice = rolled.map_or_else(Vec::new, |(_, &outcome)| self.game.roll(outcome));
        if !dice.is_empty() {
            scene.trays.push(Tray::new("last roll", dice));
        }
        scene
    }

    fn steps(&self, scene: &Scene, mv: &str) -> Vec<String> {
        self.game.steps(scene, mv)
    }

    fn turn(&self) -> Turn {
        turn(&self.game, self.state())
    }

    fn prompt(&self) -> &'static str {
        match self.turn() {
            Turn::Player(_) => self.game.prompt(self.state()),
            Turn::Chance | Turn::Over(_) => "",
        }
    }

    fn position_letters(&self) -> &'static str {
        self.game.position_letters()
    }

    fn player_name(&self, player: Player) -> &str {
        self.game.player_name(player)
    }

    fn moves(&self) -> Vec<String> {
        continuations(&self.game, self.state()).into_iter().map(|mv| self.game.write_move(self.state(), mv)).collect()
    }

    fn roles(&self) -> Vec<RoleText> {
        self.game.write_roles(self.state())
    }

    fn score(&self) -> Option<f64> {
        G::SCORE.map(|score| score.of_state(&self.game, self.state()))
    }

    fn draw_outcome(&mut self, seed: Seed) -> Option<String> {
        if self.turn() != Turn::Chance {
            return None;
        }
        let mut next = self.state().clone();
        let Some(luck) = G::LUCK else { no_luck() };
        let outcome = draw_outcome(&luck, &self.game, &mut next.clone(), &mut Stream::new(seed));
        let written = self.game.write_move(self.state(), outcome);
        apply(&self.game, &mut next, outcome);
        self.states.push(next);
        self.history.push(outcome);
        Some(written)
    }

    fn history(&self) -> Vec<String> {
        self.write_line(&self.states[0], &self.history)
    }

    fn start(&self) -> String {
        self.game.write_position(&self.states[0])
    }

    fn play(&mut self, mv: &str) -> Result<(), InputError> {
        if let Turn::Over(_) = self.turn() {
            return Err(game_is_over());
        }
        let mv = self.game.read_move(self.state(), mv).map_err(|error| error.or(InputErrorKind::Move))?;
        self.make(mv);
        Ok(())
    }

    fn play_number(&mut self, number: usize) -> Result<(), InputError> {
        self.listed.clear();
        let state = &self.states[self.states.len() - 1];
        match self.game.turn(state) {
            Turn::Player(_) => self.game.moves(state, &mut self.listed),
            Turn::Chance | Turn::Over(_) => self.listed.extend(continuations(&self.game, state)),
        }
        let Some(&mv) = self.listed.get(number) else {
            if self.listed.is_empty() {
                return Err(game_is_over());
            }
            let problem = format!("there is no move number {number}");
            let remedy = format!("write a number from 0 to {}", self.listed.len() - 1);
            return Err(InputError::new("move", problem, remedy).of(InputErrorKind::Move));
        };
        self.make(mv);
        Ok(())
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(Self {
            name: self.name.clone(),
            game: self.game.clone(),
            states: self.states.clone(),
            history: self.history.clone(),
            agents: Vec::new(),
            own: self.own.clone(),
            listed: List::new(),
        })
    }

    fn undo(&mut self) -> bool {
        let undone = self.history.pop().is_some();
        if undone {
            self.states.pop();
        }
        undone
    }

    fn seat(&mut self, agent: &AgentSettings) -> Result<usize, InputError> {
        let own = self.own.as_ref().and_then(|own| own.build(&self.game, agent));
        self.agents.push(own.unwrap_or_else(|| agents::build(&self.game, agent))?);
        Ok(self.agents.len() - 1)
    }

    fn agent(&self, seat: usize) -> String {
        self.agents[seat].describe()
    }

    fn budget(&self, seat: usize) -> Budget {
        self.agents[seat].budget()
    }

    fn think(&mut self, seat: usize, question: &mut Question<'_>) -> Thought {
        self.think_for(seat, question, None)
    }

    fn think_by_clock(&mut self, seat: usize, question: &mut Question<'_>, keeper: &mut Timekeeper) -> Thought {
        self.think_for(seat, question, Some(keeper))
    }

    fn look(&self, seat: usize, path: &[String]) -> Result<Option<InsightText>, InputError> {
        write_insight(&self.game, self.state(), path, &|path| self.agents[seat].look(path))
    }

    fn play_game(&mut self, seats: [usize; 2], opening: u32, seed: Seed, stop: &AtomicBool) -> Option<GameText> {
        let [first, second] = self.agents.get_disjoint_mut(seats).expect("two different seats");
        let record = play_game(&self.game, [&mut **first, &mut **second], opening, seed, stop)?;
        Some(self.write_game(record))
    }

    fn play_game_by_clock(
        &mut self,
        seats: [usize; 2],
        clock: Clock,
        opening: u32,
        seed: Seed,
        stop: &AtomicBool,
    ) -> Option<ClockedGame<GameText>> {
        let [first, second] = self.agents.get_disjoint_mut(seats).expect("two different seats");
        let agents: [&mut dyn Agent<G>; 2] = [&mut **first, &mut **second];
        let ClockedGame { game, course } = play_game_by_clock(&self.game, agents, clock, opening, seed, stop)?;
        Some(ClockedGame { game: self.write_game(game), course })
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.game, self.state(), depth)
    }

    fn play_outs(&self, seed: Seed, time: Duration) -> PlayoutSpeed {
        let mut random = Random::new(seed);
        let mut stream = Stream::new(seed);
        let mut work = Workspace::new();
        let mut speed = PlayoutSpeed { playouts: 0, plies: 0, elapsed: Duration::ZERO };
        let started = Instant::now();
        while speed.elapsed < time {
            for _ in 0..16 {
                let mut state = self.state().clone();
                loop {
                    match self.game.quick_turn(&state) {
                        Turn::Over(_) => break,
                        Turn::Chance => match const { G::LUCK } {
                            Some(luck) => drop(luck.draw_outcome(&self.game, &mut state, &mut stream)),
                            None => no_luck(),
                        },
                        Turn::Player(_) => {
                            let Some(mv) = self.game.random_move(&state, &mut random, &mut work) else { break };
                            self.game.advance(&mut state, mv, &mut work);
                            speed.plies += 1;
                        }
                    }
                }
                speed.playouts += 1;
            }
            speed.elapsed = started.elapsed();
        }
        speed
    }

    fn random_play(&self, seed: Seed, games: u32) -> RandomPlay {
        let mut random = Random::new(seed);
        let mut stream = Stream::new(seed);
        let mut work = Workspace::new();
        let (mut plies, mut choices, mut wins) = (0u64, 0u64, [0u32; 2]);
        for _ in 0..games {
            let mut state = self.state().clone();
            let outcome = loop {
                match turn(&self.game, &state) {
                    Turn::Over(outcome) => break outcome,
                    Turn::Chance => {
                        let Some(luck) = G::LUCK else { no_luck() };
                        draw_outcome(&luck, &self.game, &mut state, &mut stream);
                        continue;
                    }
                    Turn::Player(_) => {}
                }
                list_moves(&self.game, &state, &mut work);
                choices += work.moves.len() as u64;
                plies += 1;
                let mv = work.moves[random.below(work.moves.len() as u32) as usize];
                advance(&self.game, &mut state, mv, &mut work);
            };
            if let Outcome::Win(player) = outcome {
                wins[player.index()] += 1;
            }
        }
        let share = |count: f64, total: f64| if total > 0.0 { count / total } else { 0.0 };
        RandomPlay {
            games,
            plies: share(plies as f64, f64::from(games)),
            branching: share(choices as f64, plies as f64),
            wins: wins.map(|count| share(f64::from(count), f64::from(games))),
        }
    }

    fn solve(&self, most: usize) -> Option<SolvedText> {
        let solved = expectimax::solve(&self.game, self.state(), most)?;
        let moves = solved.moves.iter().map(|&(mv, value)| (self.game.write_move(self.state(), mv), value)).collect();
        Some(SolvedText { value: solved.value, moves, positions: solved.positions })
    }

    fn diagnose(&self, study: &Study, stop: &AtomicBool, tell: Watcher<'_>) -> Result<Option<Diagnosis>, InputError> {
        crate::diagnose::diagnose(&self.name, &self.game, study, stop, tell)
    }

    fn check(&self, games: u32) -> Result<(), String> {
        let check = std::panic::AssertUnwindSafe(|| spinney_core::conformance::check(&self.game, games));
        std::panic::catch_unwind(check).map_err(|problem| {
            let text = problem.downcast_ref::<String>().map(String::as_str);
            text.or(problem.downcast_ref::<&str>().copied()).unwrap_or("a function of the game panicked").to_string()
        })
    }
}
