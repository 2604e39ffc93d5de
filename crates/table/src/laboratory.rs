//! A laboratory is a value: the games and agents that can be named, the standard ones and one's own.
//!
//! Games, agents and ideas of one's own are types; [`Builder`] gathers them in lists of types, so that every pair of game
//! and agent is compiled with static dispatch, and [`Laboratory`] hides the lists. Tables of standard games are compiled
//! in this crate once: a crate that adds a game compiles that game with all agents, one that adds an agent compiles that
//! agent with all games, and nothing else.

use crate::table::{GameTable, OwnAgents, Table};
use core::any::{Any, TypeId};
use core::marker::PhantomData;
use spinney_core::expression::Expression;
use spinney_core::options::{OptionInfo, OptionSet};
use spinney_core::{Game, InputError, Notation};
use spinney_games::{Entry, Visitor};
use spinney_search::agents::{self, about_mcts, build_kind, build_mcts};
use spinney_search::ideas::{Idea, Ideas, OwnLearner, OwnReward, OwnSelection, WithLearner, WithReward, WithSelection};
use spinney_search::settings::MctsSettings;
use spinney_search::{Agent, AgentInfo, AgentKind, AgentSettings};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// A game that can be opened by name.
pub trait NamedGame: Notation {
    /// Its options, as they are written in brackets after its name.
    type Options: OptionSet;

    /// The game with these options.
    fn open(options: Self::Options) -> Result<Self, InputError>;
}

/// Games and agents by name.
///
/// ```
/// let laboratory = spinney_table::Laboratory::standard();
/// let mut table = laboratory.open("tic-tac-toe", None)?;
/// let seat = table.seat(&laboratory.agent("mcts(sims=100)")?)?;
/// assert_eq!(table.agent(seat), "mcts(sims=100, c=1, playout=uniform)");
/// # Ok::<(), spinney_core::InputError>(())
/// ```
#[derive(Clone)]
pub struct Laboratory(Arc<dyn Lists>);

impl fmt::Debug for Laboratory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Laboratory")
    }
}

/// The same laboratory, not one of the same furniture.
impl PartialEq for Laboratory {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for Laboratory {
    fn default() -> Self {
        Self::standard()
    }
}

impl Laboratory {
    /// The standard games and agents.
    pub fn standard() -> Self {
        static STANDARD: LazyLock<Laboratory> = LazyLock::new(|| Builder::new().finish());
        STANDARD.clone()
    }

    /// Opens a table with the game named in `game`, fitted to `position` if one is given, which is put on it.
    pub fn open(&self, game: &str, position: Option<&str>) -> Result<Box<dyn Table>, InputError> {
        let expression = Expression::read("game", game)?;
        let mut table = self.0.open(&expression, game, position)?;
        if position.is_some() {
            table.set_position(position)?;
        }
        Ok(table)
    }

    /// Reads an agent.
    pub fn agent(&self, text: &str) -> Result<AgentSettings, InputError> {
        self.read_agent(&Expression::read("agent", text)?)
    }

    /// Reads an agent that is already parsed, from a file perhaps.
    pub fn read_agent(&self, expression: &Expression) -> Result<AgentSettings, InputError> {
        self.0.agent(expression)
    }

    /// All games, one's own first.
    pub fn games(&self) -> Vec<Entry> {
        self.0.games()
    }

    /// All agents, the standard ones first.
    pub fn agents(&self) -> Vec<AgentInfo> {
        self.0.agents()
    }
}

/// What a laboratory is made of, without its types.
trait Lists: Send + Sync {
    fn open(&self, game: &Expression, text: &str, position: Option<&str>) -> Result<Box<dyn Table>, InputError>;
    fn agent(&self, agent: &Expression) -> Result<AgentSettings, InputError>;
    fn games(&self) -> Vec<Entry>;
    fn agents(&self) -> Vec<AgentInfo>;
}

/// A laboratory that is being furnished: lists of games and agents of one's own, and ideas for `mcts`, which are compiled
/// with the standard games of the list `S`.
#[derive(Clone, Debug)]
pub struct Builder<G = (), A = (), I = (), S = spinney_games::registry::Types> {
    games: G,
    agents: A,
    ideas: I,
    standard: PhantomData<fn() -> S>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// The standard laboratory.
    pub const fn new() -> Self {
        Self { games: (), agents: (), ideas: (), standard: PhantomData }
    }
}

impl<G: GameList, A: AgentList, I: Ideas, S: TypeList> Builder<G, A, I, S> {
    /// Compiles agents and ideas of one's own with these standard games only, which takes a fraction of the time while they
    /// are written. The other games keep the standard agents, and refuse one's own with the reason.
    ///
    /// ```
    /// use spinney_games::{Breakthrough, TicTacToe, game_types};
    /// let builder = spinney_table::Builder::new().for_games::<game_types!(TicTacToe, Breakthrough)>();
    /// assert!(builder.finish().open("cannon", None).is_ok());
    /// ```
    pub fn for_games<Few: TypeList>(self) -> Builder<G, A, I, Few> {
        Builder { games: self.games, agents: self.agents, ideas: self.ideas, standard: PhantomData }
    }

    /// Adds a game.
    pub fn game<New: NamedGame>(
        self,
        name: &'static str,
        summary: &'static str,
    ) -> Builder<(OwnGame<New>, G), A, I, S> {
        let own = OwnGame { name, summary, game: PhantomData };
        Builder { games: (own, self.games), agents: self.agents, ideas: self.ideas, standard: PhantomData }
    }

    /// Adds a list of games before all others, of one's own making: one that grows, say.
    pub fn games<New: GameList>(self, list: New) -> Builder<(Listed<New>, G), A, I, S> {
        Builder { games: (Listed(list), self.games), agents: self.agents, ideas: self.ideas, standard: self.standard }
    }

    /// Adds an agent, which plays every game.
    pub fn agent<New: AgentKind>(
        self,
        name: &'static str,
        summary: &'static str,
    ) -> Builder<G, (OwnAgent<New>, A), I, S> {
        let own = OwnAgent { name, summary, kind: PhantomData };
        Builder { games: self.games, agents: (own, self.agents), ideas: self.ideas, standard: PhantomData }
    }

    /// Adds a learner to the play-outs of `mcts`: `playout=policy+name(…)`.
    pub fn learner<New: OwnLearner>(
        self,
        name: &'static str,
        summary: &'static str,
    ) -> Builder<G, A, WithLearner<New, I>, S> {
        let ideas = WithLearner(Idea::new(name, summary, self.ideas));
        Builder { games: self.games, agents: self.agents, ideas, standard: PhantomData }
    }

    /// Adds a selection rule to `mcts`: `select=name(…)`.
    pub fn selection<New: OwnSelection>(
        self,
        name: &'static str,
        summary: &'static str,
    ) -> Builder<G, A, WithSelection<New, I>, S> {
        let ideas = WithSelection(Idea::new(name, summary, self.ideas));
        Builder { games: self.games, agents: self.agents, ideas, standard: PhantomData }
    }

    /// Adds a reward to `mcts`: `reward=name(…)`.
    pub fn reward<New: OwnReward>(
        self,
        name: &'static str,
        summary: &'static str,
    ) -> Builder<G, A, WithReward<New, I>, S> {
        let ideas = WithReward(Idea::new(name, summary, self.ideas));
        Builder { games: self.games, agents: self.agents, ideas, standard: PhantomData }
    }

    /// The laboratory.
    pub fn finish(self) -> Laboratory {
        let own = Arc::new(Own { agents: self.agents, ideas: self.ideas });
        Laboratory(Arc::new(Furnished { games: self.games, own, standard: self.standard }))
    }
}

struct Furnished<G, A, I, S> {
    games: G,
    own: Arc<Own<A, I>>,
    standard: PhantomData<fn() -> S>,
}

impl<G: GameList, A: AgentList, I: Ideas, S: TypeList> Lists for Furnished<G, A, I, S> {
    fn open(&self, game: &Expression, text: &str, position: Option<&str>) -> Result<Box<dyn Table>, InputError> {
        match self.games.open(game, position, &self.own) {
            Some(table) => table,
            None => open_standard(text, position, self).map_err(|error| self.with_own_names(game, error)),
        }
    }

    fn agent(&self, agent: &Expression) -> Result<AgentSettings, InputError> {
        if let Some(own) = self.own.agents.read(agent) {
            return own;
        }
        if !I::IS_EMPTY && agent.name == "mcts" {
            let settings = MctsSettings::read(agent)?;
            settings.check_ideas(&self.own.ideas)?;
            return Ok(about_mcts(&self.own.ideas).settings(settings.changed("mcts")));
        }
        agents::read(agent).map_err(|error| {
            let known = self.agents();
            let is_unknown = !known.iter().any(|info| info.name == agent.name);
            let unknown = || InputError::unknown("agent", "agent", &agent.name, known.iter().map(|info| info.name));
            if is_unknown { unknown() } else { error }
        })
    }

    fn games(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.games.entries(&mut entries);
        entries.extend(spinney_games::entries());
        entries
    }

    fn agents(&self) -> Vec<AgentInfo> {
        let mut infos = agents::list();
        if let Some(mcts) = infos.iter_mut().find(|info| info.name == "mcts").filter(|_| !I::IS_EMPTY) {
            *mcts = about_mcts(&self.own.ideas);
        }
        self.own.agents.infos(&mut infos);
        infos
    }
}

impl<G: GameList, A: AgentList, I: Ideas, S> Furnished<G, A, I, S>
where
    Self: Lists,
{
    /// An unknown game may be a misspelt one of one's own.
    fn with_own_names(&self, game: &Expression, error: InputError) -> InputError {
        let known = self.games();
        if game.name.starts_with("gdl:") || known.iter().any(|entry| entry.name == game.name) {
            return error;
        }
        InputError::unknown("game", "game", &game.name, known.iter().map(|entry| entry.name))
    }
}

/// A list of games of one's own.
pub trait GameList: Send + Sync + 'static {
    /// Opens a game of this name, if it is one of them.
    fn open<A: AgentList, I: Ideas>(
        &self,
        game: &Expression,
        position: Option<&str>,
        own: &Arc<Own<A, I>>,
    ) -> Option<Result<Box<dyn Table>, InputError>>;
    /// Appends what is known of them.
    fn entries(&self, entries: &mut Vec<Entry>);
}

impl GameList for () {
    fn open<A: AgentList, I: Ideas>(
        &self,
        _: &Expression,
        _: Option<&str>,
        _: &Arc<Own<A, I>>,
    ) -> Option<Result<Box<dyn Table>, InputError>> {
        None
    }

    fn entries(&self, _: &mut Vec<Entry>) {}
}

/// A game of one's own under its name.
#[derive(Debug)]
pub struct OwnGame<G> {
    name: &'static str,
    summary: &'static str,
    game: PhantomData<fn() -> G>,
}

impl<G: NamedGame, T: GameList> GameList for (OwnGame<G>, T) {
    fn open<A: AgentList, I: Ideas>(
        &self,
        game: &Expression,
        position: Option<&str>,
        own: &Arc<Own<A, I>>,
    ) -> Option<Result<Box<dyn Table>, InputError>> {
        if game.name != self.0.name {
            return self.1.open(game, position, own);
        }
        let opened = G::Options::read(game).and_then(G::open).map(|game| match position {
            Some(position) => game.fitted(position),
            None => game,
        });
        Some(opened.map(|game| Box::new(GameTable::new(self.0.name, game, own.for_game::<G>())) as Box<dyn Table>))
    }

    fn entries(&self, entries: &mut Vec<Entry>) {
        let options: Vec<OptionInfo> = G::Options::options();
        let (players, chance) = (if G::SCORE.is_some() { 1 } else { 2 }, G::LUCK.is_some());
        let OwnGame { name, summary, .. } = self.0;
        entries.push(Entry { name, summary, board: "", source: "", players, chance, options });
        self.1.entries(entries);
    }
}

/// A list before others.
#[derive(Debug)]
pub struct Listed<L>(L);

impl<L: GameList, T: GameList> GameList for (Listed<L>, T) {
    fn open<A: AgentList, I: Ideas>(
        &self,
        game: &Expression,
        position: Option<&str>,
        own: &Arc<Own<A, I>>,
    ) -> Option<Result<Box<dyn Table>, InputError>> {
        self.0.0.open(game, position, own).or_else(|| self.1.open(game, position, own))
    }

    fn entries(&self, entries: &mut Vec<Entry>) {
        self.0.0.entries(entries);
        self.1.entries(entries);
    }
}

/// A list of agents of one's own.
pub trait AgentList: Send + Sync + 'static {
    /// Whether there are none.
    const IS_EMPTY: bool = false;
    /// Reads an agent, if it is one of them.
    fn read(&self, agent: &Expression) -> Option<Result<AgentSettings, InputError>>;
    /// Makes an agent, if it is one of them.
    fn build<G: Game>(&self, game: &G, agent: &AgentSettings) -> Option<Result<Box<dyn Agent<G>>, InputError>>;
    /// Appends what is known of them.
    fn infos(&self, infos: &mut Vec<AgentInfo>);
}

impl AgentList for () {
    const IS_EMPTY: bool = true;

    fn read(&self, _: &Expression) -> Option<Result<AgentSettings, InputError>> {
        None
    }

    fn build<G: Game>(&self, _: &G, _: &AgentSettings) -> Option<Result<Box<dyn Agent<G>>, InputError>> {
        None
    }

    fn infos(&self, _: &mut Vec<AgentInfo>) {}
}

/// An agent of one's own under its name.
#[derive(Debug)]
pub struct OwnAgent<K> {
    name: &'static str,
    summary: &'static str,
    kind: PhantomData<fn() -> K>,
}

impl<K: AgentKind, T: AgentList> AgentList for (OwnAgent<K>, T) {
    fn read(&self, agent: &Expression) -> Option<Result<AgentSettings, InputError>> {
        if agent.name != self.0.name {
            return self.1.read(agent);
        }
        let info = AgentInfo::of::<K>(self.0.name, self.0.summary);
        Some(K::read(agent).map(|settings| info.settings(settings.changed(self.0.name))))
    }

    fn build<G: Game>(&self, game: &G, agent: &AgentSettings) -> Option<Result<Box<dyn Agent<G>>, InputError>> {
        if agent.name() != self.0.name {
            return self.1.build(game, agent);
        }
        Some(build_kind::<K, G>(agent.expression(), game))
    }

    fn infos(&self, infos: &mut Vec<AgentInfo>) {
        self.1.infos(infos);
        infos.push(AgentInfo::of::<K>(self.0.name, self.0.summary));
    }
}

/// Agents and ideas of one's own.
#[derive(Debug)]
pub struct Own<A, I> {
    agents: A,
    ideas: I,
}

impl<A: AgentList, I: Ideas> Own<A, I> {
    /// They for a game; nothing is compiled where there are none.
    fn for_game<G: Game>(self: &Arc<Self>) -> Option<Arc<dyn OwnAgents<G>>> {
        if const { A::IS_EMPTY && I::IS_EMPTY } { None } else { Some(self.clone()) }
    }
}

impl<G: Game, A: AgentList, I: Ideas> OwnAgents<G> for Own<A, I> {
    fn build(&self, game: &G, agent: &AgentSettings) -> Option<Result<Box<dyn Agent<G>>, InputError>> {
        if let Some(own) = self.agents.build(game, agent) {
            return Some(own);
        }
        if const { I::IS_EMPTY } {
            return None;
        }
        // A text that names no idea of one's own is played by the standard search, which is compiled already.
        let settings = agent.mcts().filter(MctsSettings::has_ideas)?;
        Some(build_mcts(&settings, game, &self.ideas))
    }
}

/// Agents of one's own for a standard game whose type is asked for at run time.
trait ForStandardGame {
    /// `Arc<dyn OwnAgents<G>>` for the `G` of this type, if they are compiled with it.
    fn own(&self, game: TypeId) -> Option<Box<dyn Any>>;
    /// What refuses them in games that they are not compiled with; `None` where there are none.
    fn elsewhere(&self) -> Option<Elsewhere>;
}

impl<G: GameList, A: AgentList, I: Ideas, S: TypeList> ForStandardGame for Furnished<G, A, I, S> {
    fn own(&self, game: TypeId) -> Option<Box<dyn Any>> {
        if const { A::IS_EMPTY && I::IS_EMPTY } { None } else { S::find(&self.own, game) }
    }

    fn elsewhere(&self) -> Option<Elsewhere> {
        let mut infos = Vec::new();
        self.own.agents.infos(&mut infos);
        (!(A::IS_EMPTY && I::IS_EMPTY)).then(|| Elsewhere { agents: infos.iter().map(|info| info.name).collect() })
    }
}

/// Agents and ideas of one's own that are not compiled with a game.
struct Elsewhere {
    agents: Vec<&'static str>,
}

impl<G: Game> OwnAgents<G> for Elsewhere {
    fn build(&self, _: &G, agent: &AgentSettings) -> Option<Result<Box<dyn Agent<G>>, InputError>> {
        let is_own = || self.agents.contains(&agent.name()) || agent.mcts().is_some_and(|mcts| mcts.has_ideas());
        is_own().then(|| {
            let problem = format!("{agent} is not compiled with this game");
            Err(InputError::unsupported("agent", problem, "name the game where the program says `for_games`"))
        })
    }
}

/// A list of types of games, as [`game_types!`](spinney_games::game_types) writes it.
pub trait TypeList: 'static {
    /// `Arc<dyn OwnAgents<G>>` for the `G` of this type, if it is in the list.
    fn find<A: AgentList, I: Ideas>(own: &Arc<Own<A, I>>, game: TypeId) -> Option<Box<dyn Any>>;
}

impl TypeList for () {
    fn find<A: AgentList, I: Ideas>(_: &Arc<Own<A, I>>, _: TypeId) -> Option<Box<dyn Any>> {
        None
    }
}

impl<G: Game, T: TypeList> TypeList for (G, T) {
    fn find<A: AgentList, I: Ideas>(own: &Arc<Own<A, I>>, game: TypeId) -> Option<Box<dyn Any>> {
        if game == TypeId::of::<G>() {
            let own: Arc<dyn OwnAgents<G>> = own.clone();
            return Some(Box::new(own));
        }
        T::find(own, game)
    }
}

/// Opens a standard game. It is not generic, so that the tables of all standard games are compiled here and only here.
fn open_standard(game: &str, position: Option<&str>, own: &dyn ForStandardGame) -> Result<Box<dyn Table>, InputError> {
    spinney_games::open(game, position, TableMaker { own })
}

struct TableMaker<'a> {
    own: &'a dyn ForStandardGame,
}

impl Visitor for TableMaker<'_> {
    type Output = Box<dyn Table>;

    fn visit<G: Notation>(self, name: &str, game: G) -> Box<dyn Table> {
        let own = self.own.own(TypeId::of::<G>());
        let own = own.and_then(|own| own.downcast::<Arc<dyn OwnAgents<G>>>().ok()).map(|own| *own);
        let own = own.or_else(|| Some(Arc::new(self.own.elsewhere()?)));
        Box::new(GameTable::new(name, game, own))
    }
}
