//! The state machine of a game: states, moves, goals.

use std::sync::Arc;
use std::time::Instant;

use spinney_core::InputError;
use spinney_core::error::shorten;

use crate::check::check;
use crate::cursor::{Cursor, View};
use crate::limits::{Budget, BuildError, Cancel, Limits};
use crate::packed::Packed;
use crate::program::Program;
use crate::prove::Prover;
use crate::prove::position::ProofPosition;
use crate::relational::Relational;
use crate::rules::Rules;
use crate::state::State;

/// How a machine works out a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// A circuit in which only what changes is computed again.
    Network,
    /// Proofs on demand: ready at once, and for games whose circuit would be too large.
    Proof,
    /// Joins over relations, every state from below: the plainest way, to compare the others with.
    Relational,
}

/// What a machine consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Facts that may hold in some state; 0 if only play tells.
    pub facts: usize,
    /// Instances of rules before simplification.
    pub instances: usize,
    /// Networks of play: one for each role if they take turns.
    pub networks: usize,
    /// Gates, of play and goals together.
    pub gates: usize,
    /// Connections.
    pub connections: usize,
    /// Parts that are evaluated as least fixpoints.
    pub recursive: usize,
    /// Bytes that all threads share, about.
    pub bytes: usize,
}
/// The state machine of a rule sheet, shared by all threads; whoever plays has a [`Cursor`] of its own.
///
/// ```
/// let rules = spinney_gdl::Rules::parse(
///     "(role me) (init (at 0)) (succ 0 1) (succ 1 2) (legal me go)
///      (<= (next (at ?y)) (does me go) (true (at ?x)) (succ ?x ?y))
///      (<= terminal (true (at 2))) (goal me 100)",
/// )?;
/// let machine = spinney_gdl::Machine::build(&rules, &spinney_gdl::Limits::default())?;
/// let mut cursor = machine.cursor();
/// while !cursor.is_terminal() {
///     assert_eq!(machine.move_text(0, cursor.nth_legal(0, 0)), "go");
///     cursor.step(&[0]);
/// }
/// assert_eq!(machine.state_text(cursor.state()), ["(at 2)"]);
/// assert_eq!(cursor.goal(0), Some(100));
/// # Ok::<(), spinney_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Machine {
    inner: Arc<Inner>,
    /// What every cursor is told that comes from here.
    watch: Option<Arc<(Option<Instant>, Cancel)>>,
}

#[derive(Debug)]
struct Inner {
    roles: Vec<String>,
    engine: Engine,
    instances: usize,
}

/// What works out states; cursors hold it too.
#[derive(Debug)]
enum Engine {
    Network(Arc<Packed>),
    /// With the position to begin from.
    Proof(Arc<Prover>, Box<ProofPosition>),
    Relational(Arc<Relational>),
}

/// The names of the roles, what works out states, and the instances that it comes from.
type Made = (Vec<String>, Engine, usize);

impl Machine {
    /// Works out the machine of a rule sheet; a circuit if it is within the limits, proofs on demand otherwise.
    ///
    /// # Errors
    /// The first error of [`Rules::check`] that is more than a matter of spelling, a sheet that is too large even for
    /// proofs, or the word of [`Limits::cancel`](crate::Limits::cancel).
    pub fn build(rules: &Rules, limits: &Limits) -> Result<Self, BuildError> {
        let mut budget = Budget::new(limits);
        let report = check(rules, &mut budget);
        budget.check()?;
        if let Some(issue) = report.first_grave() {
            let place = issue.place.map_or("rule sheet".to_string(), |place| place.to_string());
            return Err(InputError::new(place, &issue.problem, &issue.remedy).into());
        }
        let made = match limits.method {
            Some(Method::Proof) => Self::proving(rules, limits, &mut Budget::new(limits)),
            Some(Method::Relational) => Self::relational(rules, &mut Budget::new(limits)),
            Some(Method::Network) => Self::network(rules, limits, &mut Budget::new(limits)),
            None => {
                // Time is left for what takes none.
                let most = limits.time.map(|time| time - time / 8);
                let mut budget = Budget::new(&Limits { time: most, ..limits.clone() });
                match Self::network(rules, limits, &mut budget) {
                    Err(BuildError::TooLarge(_)) => Self::proving(rules, limits, &mut Budget::new(limits)),
                    made => made,
                }
            }
        };
        let (roles, engine, instances) = made?;
        Ok(Self { inner: Arc::new(Inner { roles, engine, instances }), watch: None })
    }

    fn network(rules: &Rules, limits: &Limits, budget: &mut Budget) -> Result<Made, BuildError> {
        // What no state changes is a small part of any game that can be grounded.
        let program = Program::new(rules, &mut budget.share(4))?;
        let (packed, instances) = Packed::new(&program, limits.instances, budget)?;
        Ok((program.role_names(), Engine::Network(Arc::new(packed)), instances))
    }

    fn relational(rules: &Rules, budget: &mut Budget) -> Result<Made, BuildError> {
        let program = Program::new(rules, budget)?;
        Ok((program.role_names(), Engine::Relational(Arc::new(Relational::new(program))), 0))
    }

    fn proving(rules: &Rules, limits: &Limits, budget: &mut Budget) -> Result<Made, BuildError> {
        // The first state is worked out with no more bytes than all others.
        let (prover, roles, position) = Prover::new(rules, limits, &mut budget.within(limits.cursor_bytes()))?;
        Ok((roles, Engine::Proof(Arc::new(prover), Box::new(position)), 0))
    }

    /// A machine that is ready as soon as the sheet is read: it proves what it is asked for and works nothing out before.
    ///
    /// # Errors
    /// As [`Machine::build`].
    pub fn at_once(rules: &Rules) -> Result<Self, BuildError> {
        Self::build(rules, &Limits::only(Method::Proof))
    }

    /// How states are worked out.
    pub fn method(&self) -> Method {
        match self.inner.engine {
            Engine::Network(_) => Method::Network,
            Engine::Proof(..) => Method::Proof,
            Engine::Relational(_) => Method::Relational,
        }
    }

    /// What it consists of.
    pub fn size(&self) -> Size {
        match &self.inner.engine {
            Engine::Network(packed) => packed.size(self.inner.instances),
            Engine::Proof(prover, _) => Size { bytes: prover.bytes(), ..Size::default() },
            Engine::Relational(_) => Size::default(),
        }
    }

    /// The roles in the order of every joint move.
    pub fn roles(&self) -> &[String] {
        &self.inner.roles
    }

    /// How many moves the role may ever make; those that have been met so far if it is no network.
    pub fn moves(&self, role: usize) -> usize {
        match &self.inner.engine {
            Engine::Network(packed) => packed.moves[role].len(),
            Engine::Proof(prover, _) => prover.registry.moves(role),
            Engine::Relational(relational) => relational.registry.moves(role),
        }
    }

    /// The state in which play begins.
    pub fn initial(&self) -> &State {
        match &self.inner.engine {
            Engine::Network(packed) => &packed.initial,
            Engine::Proof(prover, _) => &prover.initial,
            Engine::Relational(relational) => &relational.initial,
        }
    }

    /// Whether two values are handles of one machine. Machines that were built apart differ, even from the same sheet:
    /// the numbers of their facts and moves need not agree.
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A cursor at the initial state.
    pub fn cursor(&self) -> Cursor {
        let view = match &self.inner.engine {
            Engine::Network(packed) => View::network(packed),
            Engine::Proof(prover, position) => View::Proof(prover.clone(), position.clone()),
            Engine::Relational(relational) => View::relational(relational),
        };
        let mut cursor = Cursor::new(self.clone(), view);
        if let Some(watch) = &self.watch {
            cursor.until(watch.0, &watch.1);
        }
        cursor
    }

    /// The same machine, all of whose cursors are told [`Cursor::until`] as they are made.
    #[must_use]
    pub fn until(&self, deadline: Option<Instant>, cancel: &Cancel) -> Self {
        Self { inner: self.inner.clone(), watch: Some(Arc::new((deadline, cancel.clone()))) }
    }

    /// The cursor that somebody keeps, wherever it is; a new one if they have none or one of another machine. With
    /// [`Cursor::visit`] a search keeps working memory of its own: what it holds is moved on from, not made anew.
    ///
    /// ```
    /// let rules = spinney_gdl::Rules::parse("(role me) (init on) (legal me stay) (goal me 50) (<= terminal (true on))")?;
    /// let machine = spinney_gdl::Machine::build(&rules, &spinney_gdl::Limits::default())?;
    /// let mut kept = None;
    /// assert!(machine.cursor_in(&mut kept).visit(machine.initial()).is_terminal());
    /// assert!(kept.is_some_and(|cursor| cursor.belongs_to(&machine)));
    /// # Ok::<(), spinney_core::InputError>(())
    /// ```
    #[inline]
    pub fn cursor_in<'a>(&self, kept: &'a mut Option<Cursor>) -> &'a mut Cursor {
        if kept.as_ref().is_some_and(|cursor| !cursor.belongs_to(self)) {
            *kept = None;
        }
        kept.get_or_insert_with(|| self.cursor())
    }

    /// A state of another machine of the same sheet, as this one numbers facts; `None` if it can never hold here.
    pub fn translate(&self, other: &Self, state: &State) -> Option<State> {
        if self.is_same(other) {
            return Some(state.clone());
        }
        let facts = other.state_text(state);
        self.read_state(facts.iter().map(String::as_str)).ok()
    }

    /// A move of another machine of the same sheet, as this one numbers moves; `None` if it can never be made here.
    pub fn translate_move(&self, other: &Self, role: usize, action: u32) -> Option<u32> {
        if self.is_same(other) {
            return Some(action);
        }
        self.read_move(role, &other.move_text(role, action)).ok()
    }

    /// A move as the sheet spells it.
    pub fn move_text(&self, role: usize, action: u32) -> String {
        match &self.inner.engine {
            Engine::Network(packed) => packed.text(packed.moves[role][action as usize]),
            Engine::Proof(prover, _) => prover.registry.move_text(role, action),
            Engine::Relational(relational) => relational.registry.move_text(role, action),
        }
    }

    /// The fact that a bit of a state stands for, as the sheet spells it.
    pub fn fact_text(&self, bit: u32) -> String {
        match &self.inner.engine {
            Engine::Network(packed) => packed.text(packed.facts[bit as usize]),
            Engine::Proof(prover, _) => prover.registry.fact_text(bit),
            Engine::Relational(relational) => relational.registry.fact_text(bit),
        }
    }

    /// The facts of a state as the sheet spells them, in a fixed order.
    pub fn state_text(&self, state: &State) -> Vec<String> {
        let mut texts: Vec<String> = state.bits().map(|bit| self.fact_text(bit)).collect();
        texts.sort_unstable();
        texts
    }

    /// The move that a text means, in whatever case and spacing.
    ///
    /// # Errors
    /// A text that is no term, or no move that the role may ever make.
    pub fn read_move(&self, role: usize, text: &str) -> Result<u32, InputError> {
        let unknown = || {
            let problem = format!("`{}` is no move of {}", shorten(text), self.roles()[role]);
            InputError::new("move", problem, "write a legal move, such as the rules name it")
        };
        let found = match &self.inner.engine {
            Engine::Network(packed) => packed.read_move(role, text),
            Engine::Proof(prover, _) => prover.registry.read_move(role, text),
            Engine::Relational(relational) => relational.registry.read_move(role, text),
        };
        found.ok_or_else(unknown)
    }

    /// The state of which the texts are the facts.
    ///
    /// # Errors
    /// A text that is no term, or a fact that can never hold.
    pub fn read_state<'a>(&self, facts: impl IntoIterator<Item = &'a str>) -> Result<State, InputError> {
        let unknown = |text: &str| {
            let problem = format!("`{}` never holds in this game", shorten(text));
            InputError::new("state", problem, "write facts as `init` and `next` name them")
        };
        match &self.inner.engine {
            Engine::Network(packed) => {
                let number = |text| packed.read_fact(text).ok_or_else(|| unknown(text));
                let bits = facts.into_iter().map(number).collect::<Result<Vec<u32>, _>>()?;
                if !packed.turns.is_empty() && packed.turns.iter().filter(|fact| bits.contains(fact)).count() != 1 {
                    let facts: Vec<String> = packed.turns.iter().map(|&fact| self.fact_text(fact)).collect();
                    let problem = format!("not exactly one of {}", facts.join(", "));
                    return Err(InputError::new("state", problem, "say which role is on turn"));
                }
                Ok(State::from_bits(bits).in_words(packed.initial.words.len()))
            }
            Engine::Proof(prover, _) => prover.registry.read_state(facts).map_err(unknown),
            Engine::Relational(relational) => relational.registry.read_state(facts).map_err(unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of two roles; whoever is not on turn waits.
    const TURNS: &str = "
        (role white) (role black) (init (control white)) (init (count 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (other white black) (other black white)
        (step one) (step two)
        (<= (legal ?r ?s) (true (control ?r)) (step ?s))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
        (<= (next (count ?y)) (does ?r one) (true (count ?x)) (succ ?x ?y))
        (<= (next (count ?z)) (does ?r two) (true (count ?x)) (succ ?x ?y) (succ ?y ?z))
        (<= terminal (true (count 3)))
        (<= (goal ?r 100) (role ?r) (true (control ?r))) (<= (goal ?r 0) (role ?r) (not (true (control ?r))))";

    fn all() -> [Machine; 3] {
        let rules = Rules::parse(TURNS).expect("rules");
        [Method::Network, Method::Proof, Method::Relational]
            .map(Limits::only)
            .map(|limits| Machine::build(&rules, &limits).expect("a machine"))
    }

    #[test]
    fn the_limits_choose_the_method() {
        let [network, proving, relational] = all();
        let methods = [&network, &proving, &relational].map(Machine::method);
        assert_eq!(methods, [Method::Network, Method::Proof, Method::Relational]);
        // Whose turn it is, and counts 0 to 3.
        assert_eq!((network.size().facts, relational.size().facts), (6, 0));
        assert_eq!((network.moves(0), network.moves(1)), (3, 3));
        assert_eq!(network.roles(), ["white", "black"]);
    }

    #[test]
    fn steps_are_those_of_the_rules() {
        for machine in all() {
            assert_eq!(machine.state_text(machine.initial()), ["(control white)", "(count 0)"]);
            let mut cursor = machine.cursor();
            let act = |role: usize, text: &str| machine.read_move(role, text).expect("a move");
            assert_eq!((cursor.legal_count(0), cursor.legal_count(1)), (2, 1));
            cursor.step(&[act(0, "two"), act(1, "wait")]);
            assert_eq!(machine.state_text(cursor.state()), ["(control black)", "(count 2)"]);
            assert!(!cursor.is_terminal());
            cursor.step(&[act(0, "wait"), act(1, "one")]);
            assert_eq!(machine.state_text(cursor.state()), ["(control white)", "(count 3)"]);
            assert!(cursor.is_terminal());
            assert_eq!((cursor.goal(0), cursor.goal(1)), (Some(100), Some(0)));
        }
    }

    #[test]
    fn texts_that_mean_nothing_are_refused() {
        let [network, proving, relational] = all();
        for machine in [&network, &proving, &relational] {
            for text in ["", "(two", "three", "one two", "((one))"] {
                let error = machine.read_move(0, text).expect_err("no move").to_string();
                assert!(error.contains("is no move of white"), "{error}");
            }
            let error = machine.read_state(["(control white)", "(count nine)"]).expect_err("no state").to_string();
            assert!(error.contains("`(count nine)` never holds"), "{error}");
        }
        // Only networks know what can never hold, and that roles take turns.
        assert!(network.read_state(["(count white)"]).is_err());
        assert!(relational.read_state(["(count white)"]).is_ok());
        let read = network.read_state(["(count 1)", "(control black)"]).expect("a state");
        assert_eq!(network.state_text(&read), ["(control black)", "(count 1)"]);
    }
}
