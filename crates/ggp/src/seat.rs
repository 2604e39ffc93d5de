//! One role of a match: the position, and the search that finds its moves.

use spinney_core::{Game, InputError, Roles, Seed, Workspace};
use spinney_games::gdl::Gdl;
use spinney_gdl::{Cancel, Machine, Method};
use spinney_search::decoupled::{Decoupled, DecoupledSettings};
use spinney_search::settings::FinalMove;
use spinney_search::shared::merged;
use spinney_search::{Position, Search};
use std::time::Instant;

/// A role, where it is, and what it thinks of it.
///
/// ```
/// use spinney_core::Seed;
/// use spinney_gdl::{Limits, Machine, Rules};
/// let rules = Rules::parse("(role me) (init on) (legal me stay) (goal me 50) (<= terminal (not (true on)))")?;
/// let machine = Machine::build(&rules, &Limits::default())?;
/// let mut seat = spinney_ggp::seat::Seat::new(machine, 0, &Default::default())?;
/// seat.begin(Seed::new(1));
/// assert!(seat.simulate(&|| false));
/// assert_eq!(seat.found().expect("it has a move").mv, "stay");
/// # Ok::<(), spinney_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Seat {
    game: Gdl<false>,
    role: usize,
    search: Decoupled<Gdl<false>>,
    /// Searches beside it, on threads of their own.
    others: Vec<Decoupled<Gdl<false>>>,
    state: <Gdl<false> as Game>::State,
    work: Workspace<Gdl<false>>,
    /// Moves of all roles, step by step.
    history: Vec<u32>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The move, as the rules spell it.
    pub mv: String,
    /// What it is worth, from 0 to 100; `None` before it was tried.
    pub value: Option<f32>,
    /// Simulations of this position.
    pub simulations: u64,
    /// How deep they went in the tree, on average.
    pub depth: f64,
    /// Nodes in the tree.
    pub nodes: u64,
}

impl Seat {
    /// A seat at the start of a game.
    pub fn new(machine: Machine, role: usize, settings: &DecoupledSettings) -> Result<Self, InputError> {
        let game = Gdl::new(machine)?;
        let mut settings = settings.clone();
        if game.roles() != 2 || game.chance_role().is_some() {
            settings.rb = None;
        }
        if game.chance_role() == Some(role) {
            let problem = format!("`{}` is chance, whose moves are drawn", game.machine().roles()[role]);
            return Err(InputError::new("role", problem, "ask for another role"));
        }
        settings.memory = (settings.memory / settings.threads).max(1);
        let one = || -> Result<_, InputError> {
            let mut search = Decoupled::new(&game, &settings)?;
            search.play_as(role);
            if game.machine().method() != Method::Network {
                search.look_every(1);
            }
            Ok(search)
        };
        let (search, others) = (one()?, (1..settings.threads).map(|_| one()).collect::<Result<_, _>>()?);
        let state = game.initial();
        Ok(Self { game, role, search, others, state, work: Workspace::new(), history: Vec::new() })
    }

    /// Makes the moves of all roles, as they are written.
    ///
    /// # Errors
    /// Moves that are not legal, too few or too many; nothing changes then.
    pub fn play(&mut self, moves: &[String]) -> Result<(), InputError> {
        let roles = self.game.roles();
        if moves.len() != roles {
            let problem = format!("there are {} moves for {roles} roles", moves.len());
            return Err(InputError::new("moves", problem, "send one for each role"));
        }
        if self.is_over() {
            return Err(InputError::new("moves", "the game is over", "send STOP"));
        }
        let mut joint = Vec::with_capacity(roles);
        for (role, text) in moves.iter().enumerate() {
            let mv = self.game.machine().read_move(role, text)?;
            if !self.legal(role).contains(&mv) {
                let text = spinney_core::error::shorten(text);
                let problem = format!("`{text}` is not legal for {}", self.game.machine().roles()[role]);
                return Err(InputError::new("moves", problem, "send legal moves"));
            }
            joint.push(mv);
        }
        self.game.apply_joint(&mut self.state, &joint, &mut self.work);
        self.history.extend(joint);
        Ok(())
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.game.turn(&self.state).outcome().is_some()
    }

    /// The legal moves of a role.
    fn legal(&mut self, role: usize) -> &[u32] {
        self.work.moves.clear();
        self.game.role_moves(&self.state, role, &mut self.work);
        &self.work.moves
    }

    /// The legal moves of its role, as the rules spell them; none when the game is over.
    pub fn own_moves(&mut self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        let role = self.role;
        let moves = self.legal(role).to_vec();
        moves.into_iter().map(|mv| self.game.machine().move_text(role, mv)).collect()
    }

    /// Until when a search may work states out, and what calls it off: from now on, until it is said anew.
    pub fn until(&mut self, deadline: Option<Instant>, cancel: &Cancel) {
        for search in std::iter::once(&mut self.search).chain(&mut self.others) {
            self.game.until(search.workspace(), deadline, cancel);
        }
    }

    /// Begins a search of the position, which must not be over, with what the search before it has learned.
    pub fn begin(&mut self, seed: Seed) {
        let position = Position { state: &self.state, history: &self.history };
        self.search.begin(&self.game, &position, 0, seed);
        for (number, other) in (1..).zip(&mut self.others) {
            other.begin(&self.game, &position, 0, seed.child(number));
        }
    }

    /// Simulations until `late` says so or `until` is there: one if it searches alone, as many as fit on many threads. False
    /// if the last one of its own was not counted.
    pub fn simulate_until(&mut self, until: Instant, late: &(dyn Fn() -> bool + Sync)) -> bool {
        if self.others.is_empty() {
            return self.simulate(late);
        }
        let (game, is_over) = (&self.game, &|| late() || Instant::now() >= until);
        let work = |search: &mut Decoupled<Gdl<false>>| {
            loop {
                if search.is_exhausted() || !search.simulate(game, late) {
                    return false;
                }
                if is_over() {
                    return true;
                }
            }
        };
        let others = &mut self.others;
        let search = &mut self.search;
        std::thread::scope(|scope| {
            others.iter_mut().for_each(|other| drop(scope.spawn(|| work(other))));
            work(search)
        })
    }

    /// One simulation; false if `late` said so before its end, or none can be counted any more.
    pub fn simulate(&mut self, late: &dyn Fn() -> bool) -> bool {
        !self.is_exhausted() && self.search.simulate(&self.game, late)
    }

    /// Whether no further simulation can be counted.
    pub fn is_exhausted(&self) -> bool {
        self.search.is_exhausted()
    }

    /// The best move so far.
    pub fn found(&mut self) -> Option<Found> {
        let mut analysis = self.search.analysis();
        if !self.others.is_empty() {
            let all: Vec<_> =
                std::iter::once(analysis).chain(self.others.iter_mut().map(|other| other.analysis())).collect();
            analysis = merged(&all, FinalMove::Mean);
        }
        let best = analysis.candidates.first()?;
        // A search against others counts from −1 to 1.
        let players = self.game.roles() - usize::from(self.game.chance_role().is_some());
        let value = if players == 1 { best.mean } else { 50.0 + 50.0 * best.mean };
        let simulations = analysis.totals.simulations;
        Some(Found {
            mv: self.game.machine().move_text(self.role, best.mv),
            value: (best.visits > 0).then_some(value),
            simulations,
            depth: analysis.totals.depth_plies as f64 / simulations.max(1) as f64,
            nodes: analysis.nodes,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use spinney_gdl::{Limits, Rules};

    /// Both choose at once, and to both `b` is worth all.
    const SHEET: &str = "(role left) (role right) (choice a) (choice b) (init open)
        (<= (legal ?r (say ?c)) (role ?r) (choice ?c))
        (<= (next (said ?r ?c)) (does ?r (say ?c)))
        (<= terminal (not (true open)))
        (<= (goal left 100) (true (said left b))) (<= (goal left 0) (true (said left a)))
        (<= (goal right 100) (true (said right b))) (<= (goal right 0) (true (said right a)))";

    fn seat(role: usize) -> Seat {
        let machine = Machine::build(&Rules::parse(SHEET).unwrap(), &Limits::default()).unwrap();
        Seat::new(machine, role, &DecoupledSettings::default()).unwrap()
    }

    #[test]
    fn each_role_finds_its_move() {
        for role in 0..2 {
            let mut seat = seat(role);
            assert_eq!(seat.own_moves(), ["(say a)", "(say b)"]);
            seat.begin(Seed::new(1));
            assert!(seat.found().is_some_and(|found| found.value.is_none() && found.simulations == 0));
            (0..100).for_each(|_| assert!(seat.simulate(&|| false)));
            let found = seat.found().unwrap();
            assert_eq!((found.mv.as_str(), found.simulations), ("(say b)", 100));
            assert!((49.0..=100.0).contains(&found.value.unwrap()) && found.depth == 1.0, "{found:?}");
        }
    }

    #[test]
    fn many_threads_find_the_same_move() {
        let machine = Machine::build(&Rules::parse(SHEET).unwrap(), &Limits::default()).unwrap();
        let mut settings = DecoupledSettings::default();
        settings.threads = 3;
        let mut seat = Seat::new(machine, 0, &settings).unwrap();
        seat.begin(Seed::new(1));
        while seat.found().unwrap().simulations < 300 {
            assert!(seat.simulate_until(Instant::now(), &|| false));
        }
        assert_eq!(seat.found().unwrap().mv, "(say b)");
    }

    #[test]
    fn illegal_moves_are_refused_and_the_end_is_noticed() {
        let mut seat = seat(0);
        let moves = |texts: &[&str]| texts.iter().map(|&text| text.to_string()).collect::<Vec<_>>();
        assert!(seat.play(&moves(&["(say a)"])).unwrap_err().to_string().contains("1 moves for 2 roles"));
        assert!(seat.play(&moves(&["(say a)", "(say c)"])).is_err());
        assert!(!seat.is_over());
        seat.play(&moves(&["(say a)", "(say b)"])).unwrap();
        assert!(seat.is_over() && seat.own_moves().is_empty());
        assert!(seat.play(&moves(&["(say a)", "(say b)"])).unwrap_err().to_string().contains("the game is over"));
    }

    /// `safe` is worth 60, `risky` 100 unless the die shows 1. Were `random` a role that chooses, it would choose 1.
    const DICE: &str = "(role random) (role player) (init start) (die 1) (die 2) (die 3) (die 4)
        (legal player safe) (legal player risky) (<= (legal random (roll ?d)) (die ?d))
        (<= (next safe) (does player safe)) (<= (next (rolled ?d)) (does player risky) (does random (roll ?d)))
        (<= terminal (not (true start))) (<= (goal player 60) (true safe))
        (<= (goal player 0) (true (rolled 1))) (<= (goal player 100) (true (rolled ?d)) (distinct ?d 1))
        (<= (goal random 100) (true (rolled 1))) (<= (goal random 0) (not (true (rolled 1))))";

    #[test]
    fn chance_draws_and_does_not_choose() {
        let machine = Machine::build(&Rules::parse(DICE).unwrap(), &Limits::default()).unwrap();
        for settings in [DecoupledSettings::default(), DecoupledSettings::cadiaplayer()] {
            let mut seat = Seat::new(machine.clone(), 1, &settings).unwrap();
            seat.begin(Seed::new(3));
            (0..2000).for_each(|_| assert!(seat.simulate(&|| false)));
            let found = seat.found().unwrap();
            assert_eq!(found.mv, "risky");
            // The mean is 75, its standard deviation 1.2.
            assert!((found.value.unwrap() - 75.0).abs() < 6.0, "{found:?}");
        }
        assert!(
            Seat::new(machine.clone(), 0, &DecoupledSettings::default()).unwrap_err().to_string().contains("chance")
        );
        // The search of two players sees chance nodes.
        let game = Gdl::<true, true>::new(machine).unwrap();
        let mut agent = spinney_search::build(&game, &"mcts(sims=2000)".parse().unwrap()).unwrap();
        let state = game.initial();
        let mut task = spinney_search::Task { explain: true, ..spinney_search::Task::new(Seed::new(1)) };
        let decision = agent.choose(&game, &Position::new(&state), &mut task);
        assert_eq!(game.machine().move_text(1, decision.mv), "risky");
        let mean = decision.explanation.unwrap().candidates[0].mean;
        assert!((mean - 75.0).abs() < 6.0, "{mean}");
    }

    /// Left wins with `sure` whatever right says, and with `hope` unless right says `stop`.
    const FORCED: &str = "(role left) (role right) (init open) (<= (legal left sure)) (<= (legal left hope))
        (legal right stop) (legal right pass)
        (<= (next won) (does left sure)) (<= (next won) (does left hope) (does right pass))
        (<= terminal (not (true open))) (<= (goal left 100) (true won)) (<= (goal left 0) (not (true won)))
        (<= (goal right 100) (not (true won))) (<= (goal right 0) (true won))";

    #[test]
    fn a_forced_win_is_chosen() {
        let machine = Machine::build(&Rules::parse(FORCED).unwrap(), &Limits::default()).unwrap();
        let mut settings = DecoupledSettings::default();
        settings.solver = true;
        let mut seat = Seat::new(machine, 0, &settings).unwrap();
        seat.begin(Seed::new(1));
        // The two answers to `sure` are met early, and then it is never left.
        (0..50).for_each(|_| assert!(seat.simulate(&|| false)));
        assert_eq!(seat.found().unwrap().mv, "sure");
    }
}
