//! A laboratory with games, agents and ideas of one's own: they are found by name, take options, and leave everything
//! that is standard as it was.

use spinney_core::options::OptionKind;
use spinney_core::{Game, InputError, List, Notation, Outcome, Player, Seed, Turn, options};
use spinney_games::gdl::Gdl;
use spinney_games::{Breakthrough, Pig, PigRace, TicTacToe, game_types};
use spinney_search::agent::{Agent, Decision, Position, Task};
use spinney_search::ideas::{OwnLearner, OwnReward, OwnSelection};
use spinney_search::playout::learner::Lesson;
use spinney_search::playout::{Base, Choice, Learner, Offer, Scope, Simulation};
use spinney_search::reward::Reward;
use spinney_search::select::{Child, Node, Selection};
use spinney_search::{AgentInfo, AgentKind};
use spinney_table::table::Question;
use spinney_table::{Builder, Laboratory, NamedGame, Table};
use std::sync::atomic::AtomicBool;

/// Take one, two or three matches; whoever takes the last one loses. It has no notation.
#[derive(Clone)]
struct Heap {
    matches: u8,
}

options! {
    /// The heap.
    struct HeapOptions {
        /// matches at the start
        matches: u8 = 10, in 1 to 100;
    }
}

impl Game for Heap {
    type State = (u8, Player);
    type Move = u8;
    type Scratch = ();

    fn initial(&self) -> Self::State {
        (self.matches, Player::First)
    }
    fn turn(&self, &(left, player): &Self::State) -> Turn {
        if left == 0 { Turn::Over(Outcome::Win(player)) } else { Turn::Player(player) }
    }
    fn moves(&self, &(left, _): &Self::State, moves: &mut List<u8>) {
        // Not in the order of their size: the third move of a list takes one match.
        moves.extend([3, 2, 1].into_iter().filter(|&taken| taken <= left));
    }
    fn apply(&self, (left, player): &mut Self::State, taken: u8) {
        *left -= taken;
        *player = player.other();
    }
    fn move_ids(&self) -> usize {
        4
    }
    fn move_id(&self, _: &Self::State, taken: u8) -> usize {
        taken.into()
    }
}

impl Notation for Heap {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("matches", self.matches.to_string())]
    }
}

impl NamedGame for Heap {
    type Options = HeapOptions;

    fn open(options: HeapOptions) -> Result<Self, InputError> {
        if options.matches == 13 {
            return Err(InputError::new("game heap", "13 matches bring bad luck", "take another number"));
        }
        Ok(Self { matches: options.matches })
    }
}

options! {
    /// The move at a place of the list.
    struct PlaceSettings {
        /// the place, from 0; the last move where there are fewer
        place: u32 = 0, in 0 to 1000;
    }
}

/// An agent that does not search.
struct Placed(usize);

impl<G: Game> Agent<G> for Placed {
    fn choose(&mut self, game: &G, position: &Position<'_, G>, _: &mut Task<'_, G>) -> Decision<G::Move> {
        let mut moves = List::new();
        game.moves(position.state, &mut moves);
        let mv = moves[self.0.min(moves.len() - 1)];
        Decision { mv, simulations: 0, explanation: None }
    }

    fn describe(&self) -> String {
        format!("placed(place={})", self.0)
    }
}

struct PlacedKind;

impl AgentKind for PlacedKind {
    type Settings = PlaceSettings;

    fn build<G: Game>(settings: &PlaceSettings, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Placed(settings.place as usize)))
    }
}

options! {
    /// A preference for one move.
    struct FavouriteSettings {
        /// its id
        id: u32 = 0, in 0 to 1000000;
        /// its chance
        chance: f32 = 1.0, in 0.0 to 1.0;
    }
}

/// A learner that has a favourite, and another one after it was taught: the last move of the last simulation.
struct Favourite {
    id: usize,
    chance: f32,
    last: Option<usize>,
}

impl OwnLearner for Favourite {
    type Settings = FavouriteSettings;

    fn new(settings: &FavouriteSettings, scope: &Scope) -> Self {
        assert!(scope.move_ids > 0);
        Self { id: settings.id as usize, chance: settings.chance, last: None }
    }
}

impl Learner for Favourite {
    fn clear(&mut self, _: Player) {
        self.last = None;
    }

    fn teach(&mut self, lesson: &Lesson<'_>) {
        self.last = lesson.played.last().map(|&number| (number >> 1) as usize);
    }

    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        if self.chance == 0.0 || !choice.random.chance(self.chance) {
            return Offer::Pass;
        }
        Offer::or_pass(self.last.and_then(|id| choice.find(id)).or_else(|| choice.find(self.id)))
    }
}

options! {
    /// Exploration.
    struct ConfidentSettings {
        /// its weight
        weight: f32 = 1.0, in 0.0 to 100.0;
    }
}

/// UCB1 once more; without weight it is the mean.
struct Confident(f32);

impl OwnSelection for Confident {
    type Settings = ConfidentSettings;

    fn new(settings: &ConfidentSettings) -> Self {
        Self(settings.weight)
    }
}

impl Selection for Confident {
    fn score(&self, child: &Child, node: &Node) -> f32 {
        child.mean + self.0 * (node.log_visits / child.visits.max(1.0)).sqrt()
    }
}

options! {
    /// A part of the reward.
    struct ShareSettings {
        /// how much of it
        part: f32 = 0.5, in 0.0 to 1.0;
    }
}

struct Share(f32);

impl OwnReward for Share {
    type Settings = ShareSettings;

    fn new(settings: &ShareSettings) -> Self {
        Self(settings.part)
    }
}

impl Reward for Share {
    fn begin(&mut self, _: Player) {}

    fn alter(&mut self, reward: f32, _: &Simulation) -> f32 {
        self.0 * reward
    }
}

/// One of everything, and two learners, compiled with the games that are played here.
fn laboratory() -> Laboratory {
    Builder::new()
        .for_games::<game_types!(TicTacToe, Breakthrough, Pig, PigRace, Gdl<false>, Gdl<true>)>()
        .game::<Heap>("heap", "take matches")
        .agent::<PlacedKind>("placed", "the move at a place")
        .learner::<Favourite>("favourite", "has a favourite")
        .learner::<Favourite>("darling", "has another")
        .selection::<Confident>("confident", "UCB1 once more")
        .reward::<Share>("share", "a part of the reward")
        .finish()
}

fn ask(table: &mut dyn Table, seat: usize, seed: u64) -> (String, Vec<(String, u32, u32)>) {
    let stop = AtomicBool::new(false);
    let mut question = Question { seed: Seed::new(seed), budget: None, stop: &stop, observer: None };
    let thought = table.think(seat, &mut question);
    let found = |one: &spinney_table::table::CandidateText| (one.mv.clone(), one.visits, one.mean.to_bits());
    (thought.chosen.clone(), thought.candidates.iter().map(found).collect())
}

/// The move of each position, and move, visits and mean of its candidates.
type Found = Vec<(String, Vec<(String, u32, u32)>)>;

/// The move that is chosen and what is known of all moves, in two positions of a game. Where there is chance, there is no
/// solver to switch off.
fn search(laboratory: &Laboratory, game: &str, agent: &str) -> Found {
    let agent = &if CHANCE_GAMES.contains(&game) { agent.replace(" solver=off,", "") } else { agent.to_string() };
    let mut table = laboratory.open(game, None).unwrap();
    let settings = laboratory.agent(agent).unwrap_or_else(|error| panic!("{agent}: {error}"));
    let seat = table.seat(&settings).unwrap_or_else(|error| panic!("{agent} in {game}: {error}"));
    (0..2)
        .map(|seed| {
            while table.draw_outcome(Seed::new(seed)).is_some() {}
            let found = ask(table.as_mut(), seat, seed);
            table.play(&found.0).unwrap();
            found
        })
        .collect()
}

#[test]
fn names_of_ones_own_stand_beside_the_standard_ones() {
    let (own, standard) = (laboratory(), Laboratory::standard());
    let games = own.games();
    assert_eq!((games[0].name, games[0].summary), ("heap", "take matches"));
    assert_eq!((games[0].players, games[0].chance, games[0].options[0].key), (2, false, "matches"));
    assert_eq!(games.len(), standard.games().len() + 1);
    let agents = own.agents();
    let placed = agents.last().unwrap();
    assert_eq!((placed.name, placed.summary, placed.options[0].key), ("placed", "the move at a place", "place"));
    assert_eq!(agents.len(), standard.agents().len() + 1);
    let names = |agents: &[AgentInfo]| agents.iter().map(|info| info.name).collect::<Vec<_>>();
    assert_eq!(names(&agents)[..agents.len() - 1], names(&standard.agents()));
}

/// What the help says of an option, with all parts and words.
fn parts(kind: &OptionKind) -> Vec<(&'static str, &'static str)> {
    match kind {
        OptionKind::Parts { one_of, any_of } => one_of
            .iter()
            .chain(any_of)
            .map(|part| (part.name, part.options.first().map_or("", |option| option.key)))
            .collect(),
        OptionKind::Either(kinds) => kinds.iter().flat_map(parts).collect(),
        OptionKind::Words(words) => words.iter().map(|word| (word.word, "")).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_help_of_mcts_names_ideas_with_their_options() {
    let of = |laboratory: &Laboratory, key: &str| {
        let agents = laboratory.agents();
        let mcts = agents.iter().find(|info| info.name == "mcts").unwrap();
        parts(&mcts.options.iter().find(|option| option.key == key).unwrap().kind)
    };
    for (key, ideas) in [
        ("playout", &[("favourite", "id"), ("darling", "id"), ("mast", "eps")][..]),
        ("select", &[("confident", "weight"), ("ucb1", "")]),
        ("reward", &[("share", "part"), ("quality", "")]),
    ] {
        let own = of(&laboratory(), key);
        assert!(ideas.iter().all(|idea| own.contains(idea)), "{key}: {own:?}");
        let standard = of(&Laboratory::standard(), key);
        assert!(!standard.contains(&ideas[0]), "{key}: {standard:?}");
        assert!(standard.iter().all(|word| own.contains(word)), "{key}: {own:?}");
    }
}

#[test]
fn wrong_names_get_the_nearest_one() {
    let own = laboratory();
    let game = |text: &str| own.open(text, None).map(drop).unwrap_err().to_string();
    assert_eq!(game("haep"), "game: unknown game `haep`; did you mean `heap`?");
    assert_eq!(game("braekthrough"), "game: unknown game `braekthrough`; did you mean `breakthrough`?");
    assert_eq!(game("heap(match=3)"), "heap: unknown option `match`; did you mean `matches`?");
    assert!(game("heap(matches=101)").contains("from 1 to 100"));
    assert!(game("heap(matches=13)").contains("bad luck"));
    let agent = |text: &str| own.agent(text).unwrap_err().to_string();
    assert_eq!(agent("plaecd"), "agent: unknown agent `plaecd`; did you mean `placed`?");
    assert_eq!(agent("mtcs"), "agent: unknown agent `mtcs`; did you mean `mcts`?");
    assert_eq!(agent("placed(plcae=1)"), "placed: unknown option `plcae`; did you mean `place`?");
    assert_eq!(agent("flat(simms=1)"), "flat: unknown option `simms`; did you mean `sims`?");
    assert!(agent("mcts(playout=uniform+favorite)").contains("did you mean `favourite`?"));
    assert!(agent("mcts(playout=uniform+masst)").contains("did you mean `mast`?"));
    assert!(agent("mcts(select=confidant)").contains("did you mean `confident`?"));
    assert!(agent("mcts(select=uct1)").contains("did you mean `ucb1`?"));
    assert!(agent("mcts(reward=shares)").contains("did you mean `share`?"));
    assert!(agent("mcts(reward=qualty)").contains("did you mean `quality`?"));
    let standard = |text: &str| Laboratory::standard().agent(text).unwrap_err().to_string();
    for text in ["placed", "mcts(playout=uniform+favourite)", "mcts(select=confident)", "mcts(reward=share)"] {
        assert!(standard(text).contains("unknown"), "{}", standard(text));
    }
}

/// Options of ideas are read with the agent's text, not when it sits down.
#[test]
fn wrong_options_of_ideas_are_found_at_once() {
    let own = laboratory();
    let agent = |text: &str| own.agent(text).unwrap_err().to_string();
    assert!(agent("mcts(playout=uniform+favourite(idd=1))").contains("did you mean `id`?"));
    assert!(agent("mcts(playout=uniform+darling+favourite(chance=2))").contains("from 0.0 to 1.0"));
    assert!(agent("mcts(select=confident(wieght=1))").contains("did you mean `weight`?"));
    assert!(agent("mcts(reward=share(part=7))").contains("from 0.0 to 1.0"));
}

#[test]
fn agents_are_written_as_they_are_read() {
    let own = laboratory();
    for text in [
        "placed",
        "placed(place=3)",
        "mcts(sims=9, select=confident(weight=2), playout=uniform+favourite(id=3), reward=share)",
        "mcts(playout=policy+mast(eps=0.7)+favourite+darling(chance=0.5))",
        "mcts(c=1, rb=on)",
        "alphabeta(depth=4)",
    ] {
        let read = own.agent(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.to_string(), text);
        assert_eq!(own.agent(&read.to_string()).unwrap(), read);
    }
}

/// Without notation a game is played by the numbers of its moves.
#[test]
fn a_game_of_ones_own_is_played_by_numbers() {
    let own = laboratory();
    let mut table = own.open("heap(matches=6)", None).unwrap();
    assert_eq!(table.game(), "heap(matches=6)");
    assert_eq!(own.open("heap", None).unwrap().game(), "heap(matches=10)");
    assert_eq!((table.position().as_str(), table.moves()), ("(6, First)", vec!["1".into(), "2".into(), "3".into()]));
    // Whoever is left five loses: the only winning move is the last of the list, which takes one.
    let seat = table.seat(&own.agent("mcts(sims=2000)").unwrap()).unwrap();
    assert_eq!(ask(table.as_mut(), seat, 1).0, "3");
    table.play("3").unwrap();
    assert_eq!((table.position().as_str(), table.history()), ("(5, Second)", vec!["3".to_string()]));
    assert!(table.play("4").is_err());
    assert!(table.undo() && !table.undo());
    assert!(own.open("heap", Some("(5, Second)")).map(drop).unwrap_err().to_string().contains("cannot be read"));
    assert!(table.check(20).is_ok());
    for agent in ["flat(sims=200)", "alphabeta", "random", "placed(place=1)", "mcts(sims=50, rave)"] {
        let seats = [(); 2].map(|()| table.seat(&own.agent(agent).unwrap()).unwrap());
        let game = table.play_game(seats, 0, Seed::new(1), &AtomicBool::new(false)).unwrap();
        assert!(matches!(game.outcome, Outcome::Win(_)) && !game.moves.is_empty(), "{agent}");
    }
}

#[test]
fn a_game_can_be_added_alone() {
    let own = Builder::new().game::<Heap>("heap", "take matches").finish();
    assert_eq!(search(&own, "heap", "mcts(sims=2000)").len(), 2);
    assert_eq!(own.agents().len(), Laboratory::standard().agents().len());
    assert!(own.agent("placed").is_err());
}

/// What is not compiled with a game is refused there, and the standard agents play on.
#[test]
fn ideas_can_be_left_out_of_games() {
    let own = laboratory();
    let mut table = own.open("cannon", None).unwrap();
    for text in ["placed(place=1)", "mcts(playout=uniform+favourite)", "mcts(select=confident)", "mcts(reward=share)"] {
        let error = table.seat(&own.agent(text).unwrap()).unwrap_err().to_string();
        let expected = "is not compiled with this game; name the game where the program says `for_games`";
        assert_eq!(error, format!("agent: {text} {expected}"));
    }
    let seat = table.seat(&own.agent("mcts(sims=20)").unwrap()).unwrap();
    assert_eq!(ask(table.as_mut(), seat, 1), {
        let mut table = Laboratory::standard().open("cannon", None).unwrap();
        let seat = table.seat(&own.agent("mcts(sims=20)").unwrap()).unwrap();
        ask(table.as_mut(), seat, 1)
    });
}

/// An agent of one's own plays the standard games, games with chance, rule sheets, and one's own.
#[test]
fn an_agent_of_ones_own_plays_every_game() {
    let own = laboratory();
    for game in ["heap", "tic-tac-toe", "breakthrough", "pig-race", "pig", "gdl:connect-four", "gdl:eight-puzzle"] {
        for place in 0..2 {
            let mut table = own.open(game, None).unwrap();
            let seat = table.seat(&own.agent(&format!("placed(place={place})")).unwrap()).unwrap();
            assert_eq!(table.agent(seat), format!("placed(place={place})"));
            while table.draw_outcome(Seed::new(1)).is_some() {}
            let moves = table.moves();
            assert_eq!(ask(table.as_mut(), seat, 1).0, moves[place.min(moves.len() - 1)], "{game}");
        }
    }
}

const GAMES: [&str; 3] = ["heap(matches=21)", "tic-tac-toe", "breakthrough(rows=5, columns=5)"];
const CHANCE_GAMES: [&str; 2] = ["pig-race", "pig"];

/// A learner that always passes changes nothing, and one with a favourite changes every search.
#[test]
fn a_learner_of_ones_own_is_asked_in_play_outs() {
    let own = laboratory();
    // Without a cap a game in which somebody always does the same need not end.
    for game in GAMES.into_iter().chain(CHANCE_GAMES) {
        let plain = search(&own, game, "mcts(sims=300, solver=off, playout=uniform+cap(plies=60))");
        for learner in ["favourite(chance=0)", "darling(chance=0)", "darling(chance=0)+favourite(chance=0)"] {
            let agent = format!("mcts(sims=300, solver=off, playout=uniform+cap(plies=60)+{learner})");
            assert_eq!(search(&own, game, &agent), plain, "{learner} in {game}");
        }
        let favourite = search(&own, game, "mcts(sims=300, solver=off, playout=uniform+cap(plies=60)+favourite(id=1))");
        assert_ne!(favourite, plain, "{game}");
        let darling = search(&own, game, "mcts(sims=300, solver=off, playout=uniform+cap(plies=60)+darling(id=1))");
        assert_eq!(darling, favourite, "{game}: they are the same under two names");
        let often =
            search(&own, game, "mcts(sims=300, solver=off, playout=uniform+cap(plies=60)+favourite(id=1, chance=0.5))");
        assert!(often != favourite && often != plain, "{game}: the option does nothing");
    }
}

/// A learner stands before the standard ones; where it passes, they choose.
#[test]
fn a_learner_of_ones_own_goes_with_the_standard_ones() {
    let own = laboratory();
    for game in GAMES.into_iter().chain(CHANCE_GAMES) {
        let mast = "mcts(sims=300, solver=off, playout=uniform+mast(eps=0.2)";
        let plain = search(&own, game, &format!("{mast})"));
        assert_eq!(search(&own, game, &format!("{mast}+favourite(chance=0))")), plain, "{game}");
        assert_ne!(search(&own, game, &format!("{mast}+favourite(chance=0.5))")), plain, "{game}");
    }
}

/// Without weight it is the mean, like UCB1 without C.
#[test]
fn a_selection_rule_of_ones_own_chooses_in_the_tree() {
    let own = laboratory();
    for game in GAMES.into_iter().chain(CHANCE_GAMES) {
        let by_mean = search(&own, game, "mcts(sims=300, c=0, playout=uniform)");
        assert_eq!(
            search(&own, game, "mcts(sims=300, playout=uniform, select=confident(weight=0))"),
            by_mean,
            "{game}"
        );
        let explored = search(&own, game, "mcts(sims=300, playout=uniform, select=confident(weight=50))");
        assert_ne!(explored, by_mean, "{game}");
    }
}

/// All of the reward is the reward, and none of it leaves every mean that is not proven at 0.
#[test]
fn a_reward_of_ones_own_reaches_the_tree() {
    let own = laboratory();
    for game in GAMES {
        let plain = search(&own, game, "mcts(sims=300, solver=off, playout=uniform)");
        let with = |part: &str| {
            search(&own, game, &format!("mcts(sims=300, solver=off, playout=uniform, reward=share(part={part}))"))
        };
        assert_eq!(with("1"), plain, "{game}");
        assert_ne!(with("0.5"), plain, "{game}");
        let nothing = with("0");
        let means = nothing.iter().flat_map(|(_, moves)| moves).map(|&(_, _, mean)| f32::from_bits(mean));
        assert!(means.into_iter().all(|mean| mean == 0.0), "{game}");
    }
    let mut table = own.open("pig-race", None).unwrap();
    let error = table.seat(&own.agent("mcts(reward=share)").unwrap()).unwrap_err().to_string();
    assert!(error.contains("option reward: it is for games of two players without chance"), "{error}");
}

#[test]
fn a_seated_agent_tells_its_ideas() {
    let own = laboratory();
    let mut table = own.open("tic-tac-toe", None).unwrap();
    let text = "mcts(sims=9, select=confident(weight=2), playout=uniform+favourite(id=3), reward=share)";
    let seat = table.seat(&own.agent(text).unwrap()).unwrap();
    let told = table.agent(seat);
    assert_eq!(own.agent(&told).unwrap().to_string(), told);
    for part in ["select=confident(weight=2)", "playout=uniform+favourite(id=3)", "reward=share"] {
        assert!(told.contains(part), "{told}");
    }
}

/// What is standard is searched as in the standard laboratory, to the last visit.
#[test]
fn standard_texts_are_played_as_ever() {
    let (own, standard) = (laboratory(), Laboratory::standard());
    let agents = ["mcts(sims=200)", "mcts(sims=200, playout=uniform+mast+ngram, select=tuned, rb)", "flat(sims=100)"];
    for (game, agents) in [
        ("tic-tac-toe", &agents[..]),
        ("breakthrough", &agents),
        ("havannah(size=4)", &agents),
        ("gdl:connect-four", &["mcts(sims=50)", "cadiaplayer(sims=50)"]),
        ("pig-race", &["mcts(sims=200)", "mcts(sims=200, cv, crn, playout=policy+mast)", "random"]),
        ("cant-stop", &["mcts(sims=50)"]),
    ] {
        for agent in agents {
            assert_eq!(own.agent(agent).unwrap(), standard.agent(agent).unwrap(), "{agent}");
            assert_eq!(search(&own, game, agent), search(&standard, game, agent), "{agent} in {game}");
        }
    }
}
