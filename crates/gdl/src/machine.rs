//! The state machine of a game: states, moves, goals.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use spinney_core::error::shorten;
use spinney_core::{InputError, Random, Seed};

use crate::circuit::{Circuit, Signal};
use crate::demand::with_questions;
use crate::expression::Expression;
use crate::ground::ground;
use crate::network::{Network, Values, Wanted};
use crate::program::Program;
use crate::relational::{Evaluator, Relational};
use crate::rules::{Name, Names, Rules};
use crate::terms::{TermId, Terms};

/// How much may be spent on a circuit before the game is played from its clauses instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instances of rules; 0 forbids circuits.
    pub instances: usize,
    /// Candidates that joins may look at.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instances: 8_000_000, work: 400_000_000 }
    }
}

impl Limits {
    /// No circuit: every state is worked out from the clauses.
    pub const RELATIONAL: Self = Self { instances: 0, work: u64::MAX };
}

/// How a machine works out a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A circuit in which only what changes is computed again.
    Network,
    /// Joins over relations; slower, for games whose circuit would be too large.
    Relational,
}

/// What a machine consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A state: the set of facts that hold, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    words: Vec<u64>,
}

impl State {
    pub(crate) fn from_bits(bits: impl IntoIterator<Item = u32>) -> Self {
        let mut words = Vec::new();
        for bit in bits {
            let word = (bit / 64) as usize;
            if word >= words.len() {
                words.resize(word + 1, 0);
            }
            words[word] |= 1u64 << (bit % 64);
        }
        Self { words }
    }

    /// The numbers of the bits that are set.
    pub fn bits(&self) -> impl Iterator<Item = u32> {
        self.words.iter().enumerate().flat_map(|(word, &bits)| each_bit(bits).map(move |bit| word as u32 * 64 + bit))
    }

    /// The bits in words of 64, for hashing and storing.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many facts hold.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no fact holds.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

fn each_bit(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some(bit)
    })
}

/// The state machine of a rule sheet, shared by all threads; each thread plays with a [`Cursor`] of its own.
///
/// ```
/// let rules = spinney_gdl::Rules::parse(
///     "(role me) (init (at 0)) (succ 0 1) (succ 1 2) (legal me go)
///      (<= (next (at ?y)) (does me go) (true (at ?x)) (succ ?x ?y))
///      (<= terminal (true (at 2))) (goal me 100)",
/// )?;
/// let machine = spinney_gdl::Machine::build(&rules, spinney_gdl::Limits::default())?;
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
}

#[derive(Debug)]
struct Inner {
    roles: Vec<String>,
    engine: Engine,
    instances: usize,
}

#[derive(Debug)]
enum Engine {
    Network(Box<Packed>),
    Relational(Box<Relational>),
}

/// Moves of a role that need a common condition, which is looked at only when legal moves are asked for. In games where
/// roles take turns this spares the moves of both sides being switched on and off at every step.
#[derive(Debug)]
struct Group {
    guard: Option<u32>,
    first_bit: u32,
    actions: Vec<u32>,
    total: usize,
}

/// A network with what its outputs mean.
#[derive(Debug)]
struct Play {
    network: Network,
    terminal: u32,
    groups: Vec<Vec<Group>>,
    /// For each role and move, the group and the bit.
    legal_bits: Vec<Vec<(u32, u32)>>,
}

#[derive(Debug)]
struct Packed {
    names: Names,
    terms: Terms,
    facts: Vec<TermId>,
    fact_numbers: HashMap<TermId, u32>,
    moves: Vec<Vec<TermId>>,
    move_numbers: Vec<HashMap<TermId, u32>>,
    first_move: Vec<u32>,
    /// The facts that say whose turn it is, if exactly one of them always holds.
    turns: Vec<u32>,
    /// One network for each turn, or one for all.
    plays: Vec<Play>,
    goal: Network,
    goals: Vec<Vec<(u8, u32)>>,
    initial: State,
}

/// Without questions a game may have so many instances.
const PLAIN_INSTANCES: usize = 1_500_000;

/// Groups smaller than this are not worth a guard.
const SMALLEST_GROUP: usize = 4;

impl Machine {
    /// Works out the machine of a rule sheet; a circuit if it is within the limits, clauses otherwise.
    ///
    /// # Errors
    /// The first error of [`Rules::check`] that is more than a matter of spelling, or relations without end.
    pub fn build(rules: &Rules, limits: Limits) -> Result<Self, InputError> {
        if let Some(issue) = rules.check().first_grave() {
            let place = issue.place.map_or("rule sheet".to_string(), |place| place.to_string());
            return Err(InputError::new(place, &issue.problem, &issue.remedy));
        }
        let mut work = limits.work.max(1_000_000);
        let program = Program::new(rules, &mut work)?;
        let spell = |role: &TermId| {
            let mut text = String::new();
            program.terms.write(&program.names, *role, &mut text);
            text
        };
        let roles: Vec<String> = program.roles.iter().map(spell).collect();
        let packed = match limits.instances {
            0 => None,
            most => Packed::new(&program, most, work)?,
        };
        let (engine, instances) = match packed {
            Some((packed, instances)) => (Engine::Network(Box::new(packed)), instances),
            None => (Engine::Relational(Box::new(Relational::new(program))), 0),
        };
        Ok(Self { inner: Arc::new(Inner { roles, engine, instances }) })
    }

    /// How states are worked out.
    pub fn method(&self) -> Method {
        match self.inner.engine {
            Engine::Network(_) => Method::Network,
            Engine::Relational(_) => Method::Relational,
        }
    }

    /// What it consists of.
    pub fn size(&self) -> Size {
        match &self.inner.engine {
            Engine::Network(packed) => {
                let networks = || packed.plays.iter().map(|play| &play.network).chain([&packed.goal]);
                Size {
                    facts: packed.facts.len(),
                    instances: self.inner.instances,
                    networks: packed.plays.len(),
                    gates: networks().map(|network| network.size().0).sum(),
                    connections: networks().map(|network| network.size().1).sum(),
                    recursive: networks().map(Network::recursive).sum(),
                    bytes: networks().map(Network::bytes).sum(),
                }
            }
            Engine::Relational(_) => {
                Size { facts: 0, instances: 0, networks: 0, gates: 0, connections: 0, recursive: 0, bytes: 0 }
            }
        }
    }

    /// The roles in the order of every joint move.
    pub fn roles(&self) -> &[String] {
        &self.inner.roles
    }

    /// How many moves the role may ever make; those of a relational machine that have been met so far.
    pub fn moves(&self, role: usize) -> usize {
        match &self.inner.engine {
            Engine::Network(packed) => packed.moves[role].len(),
            Engine::Relational(relational) => relational.moves(role),
        }
    }

    /// The state in which play begins.
    pub fn initial(&self) -> &State {
        match &self.inner.engine {
            Engine::Network(packed) => &packed.initial,
            Engine::Relational(relational) => &relational.initial,
        }
    }

    /// A cursor at the initial state.
    pub fn cursor(&self) -> Cursor {
        let view = match &self.inner.engine {
            Engine::Network(packed) => View::Network(Box::new(Position::new(packed))),
            Engine::Relational(relational) => View::Relational(Box::new(Evaluator::new(relational))),
        };
        Cursor { machine: self.clone(), view }
    }

    /// A move as the sheet spells it.
    pub fn move_text(&self, role: usize, action: u32) -> String {
        match &self.inner.engine {
            Engine::Network(packed) => packed.text(packed.moves[role][action as usize]),
            Engine::Relational(relational) => relational.move_text(role, action),
        }
    }

    /// The fact that a bit of a state stands for, as the sheet spells it.
    pub fn fact_text(&self, bit: u32) -> String {
        match &self.inner.engine {
            Engine::Network(packed) => packed.text(packed.facts[bit as usize]),
            Engine::Relational(relational) => relational.fact_text(bit),
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
        match &self.inner.engine {
            Engine::Network(packed) => {
                let term = packed.read(text).ok_or_else(unknown)?;
                packed.move_numbers[role].get(&term).copied().ok_or_else(unknown)
            }
            Engine::Relational(relational) => {
                let mut terms = relational.program().terms.clone();
                let mut make = |name, parts: &[TermId]| Some(terms.intern(name, parts));
                let term = read_term(text, &relational.program().names, &mut make).ok_or_else(unknown)?;
                Ok(relational.move_number(role, &terms, term))
            }
        }
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
        let mut bits = Vec::new();
        match &self.inner.engine {
            Engine::Network(packed) => {
                for text in facts {
                    let term = packed.read(text).ok_or_else(|| unknown(text))?;
                    bits.push(packed.fact_numbers.get(&term).copied().ok_or_else(|| unknown(text))?);
                }
                if !packed.turns.is_empty() && packed.turns.iter().filter(|fact| bits.contains(fact)).count() != 1 {
                    let facts: Vec<String> = packed.turns.iter().map(|&fact| self.fact_text(fact)).collect();
                    let problem = format!("not exactly one of {}", facts.join(", "));
                    return Err(InputError::new("state", problem, "say which role is on turn"));
                }
                let mut state = State::from_bits(bits);
                state.words.resize(packed.initial.words.len(), 0);
                Ok(state)
            }
            Engine::Relational(relational) => {
                let mut terms = relational.program().terms.clone();
                for text in facts {
                    let mut make = |name, parts: &[TermId]| Some(terms.intern(name, parts));
                    let term = read_term(text, &relational.program().names, &mut make).ok_or_else(|| unknown(text))?;
                    bits.push(relational.fact_number(&terms, term));
                }
                Ok(State::from_bits(bits))
            }
        }
    }
}

/// A ground term whose names the sheet knows; `make` finds or makes it from its parts.
fn read_term(text: &str, names: &Names, make: &mut dyn FnMut(Name, &[TermId]) -> Option<TermId>) -> Option<TermId> {
    fn term(
        expression: &Expression,
        names: &Names,
        make: &mut dyn FnMut(Name, &[TermId]) -> Option<TermId>,
    ) -> Option<TermId> {
        match expression {
            Expression::Name(_, word) => make(names.find(word)?, &[]),
            Expression::List(_, members) => {
                let (Expression::Name(_, word), rest) = members.split_first()? else { return None };
                let rest = rest.iter().map(|each| term(each, names, make)).collect::<Option<Vec<_>>>()?;
                make(names.find(word)?, &rest)
            }
        }
    }
    match Expression::read_all(text).ok()?.as_slice() {
        [single] => term(single, names, make),
        _ => None,
    }
}

impl Packed {
    fn new(program: &Program, instances: usize, mut work: u64) -> Result<Option<(Self, usize)>, InputError> {
        // Only games that would grow too large as they are pay for questions.
        let (mut plain, mut program) = (work / 8, Cow::Borrowed(program));
        let first = ground(&program, instances.min(PLAIN_INSTANCES), &mut plain);
        let Some(mut ground) = first.or_else(|| {
            program = Cow::Owned(with_questions(&program)?);
            ground(&program, instances, &mut work)
        }) else {
            return Ok(None);
        };
        let names = program.names.clone();
        let text = |terms: &Terms, term: TermId| {
            let mut text = String::new();
            terms.write(&names, term, &mut text);
            text
        };
        // The order of the texts, so that numbers do not depend on how the rules are arranged.
        let sorted = |terms: &Terms, list: &mut Vec<TermId>| list.sort_by_cached_key(|&term| text(terms, term));
        let (mut facts, mut moves) = (std::mem::take(&mut ground.facts), std::mem::take(&mut ground.moves));
        sorted(&ground.terms, &mut facts);
        moves.iter_mut().for_each(|list| sorted(&ground.terms, list));
        let value = |term: TermId| text(&ground.terms, term).parse::<u8>().ok();
        let build = |assume_turns: bool| {
            let (facts, moves) = (facts.clone(), moves.clone());
            Circuit::new(&ground, &program.roles, facts, moves, assume_turns, &value).map_err(|fault| {
                let problem = format!("`{}` depends on its own negation", text(&ground.terms, fault.0));
                InputError::new("rule sheet", problem, "break the circle")
            })
        };
        let instances = ground.instances.len();
        let mut circuit = build(true)?;
        let mut turns = circuit.turn_facts().unwrap_or_default();
        let mut parts: Vec<Circuit> = (0..turns.len()).map(|role| circuit.on_turn(role)).collect();
        if !turns.is_empty() && !circuit.turns_hold(&program.initial, &mut parts) {
            circuit = build(false)?;
            turns.clear();
            parts.clear();
        }
        let whole = Play::new(&mut circuit);
        let (plays, whole) = match parts.len() {
            0 => (vec![whole], None),
            _ => (parts.iter_mut().map(Play::new).collect(), Some(whole)),
        };
        let fact_count = circuit.facts.len();
        let inputs = fact_count + circuit.moves.iter().map(Vec::len).sum::<usize>();
        let goal_signals: Vec<Signal> = circuit.goals.iter().flatten().map(|goal| goal.1).collect();
        let (goal, goal_firsts) = Network::new(&circuit, inputs, &[Wanted { signals: goal_signals, counted: false }]);
        let mut bit = goal_firsts[0];
        let mut goals = Vec::new();
        for role in &circuit.goals {
            goals.push(role.iter().zip(bit..).map(|(&(value, _), at)| (value, at)).collect());
            bit += role.len() as u32;
        }
        let number = |list: &[TermId]| list.iter().zip(0..).map(|(&term, at)| (term, at)).collect::<HashMap<_, _>>();
        let fact_numbers = number(&circuit.facts);
        let mut initial = State::from_bits(program.initial.iter().filter_map(|fact| fact_numbers.get(fact).copied()));
        initial.words.resize(fact_count.div_ceil(64), 0);
        let mut first_move = Vec::new();
        let mut next = fact_count as u32;
        for moves in &circuit.moves {
            first_move.push(next);
            next += moves.len() as u32;
        }
        let mut packed = Self {
            move_numbers: circuit.moves.iter().map(|moves| number(moves)).collect(),
            facts: circuit.facts,
            moves: circuit.moves,
            names,
            terms: ground.terms,
            fact_numbers,
            first_move,
            turns,
            plays,
            goal,
            goals,
            initial,
        };
        // A network for each turn spares switching sides but sees two steps at once: random games tell what is better.
        if let Some(play) = whole {
            let split = packed.trial();
            let (turns, plays) = (std::mem::take(&mut packed.turns), std::mem::replace(&mut packed.plays, vec![play]));
            if packed.trial() >= split {
                (packed.turns, packed.plays) = (turns, plays);
            }
        }
        Ok(Some((packed, instances)))
    }

    /// The work of the same number of random steps.
    fn trial(&self) -> u64 {
        const STEPS: usize = 400;
        let mut position = Position::new(self);
        let mut random = Random::new(Seed::new(0));
        let work = |position: &Position| position.plays.iter().map(|seen| seen.values.work).sum::<u64>();
        let before = work(&position);
        let mut joint = vec![0; self.moves.len()];
        for _ in 0..STEPS {
            let over = position.output(self.plays[position.turn].terminal);
            let mut stuck = over;
            for (role, action) in joint.iter_mut().enumerate() {
                let values = &position.plays[position.turn].values;
                let count: u32 = position.active(self, role).map(|group| values.totals[group.total]).sum();
                match count {
                    0 => stuck = true,
                    _ => *action = position.nth(self, role, random.below(count)).unwrap_or(0),
                }
            }
            if stuck {
                position.set(self, &self.initial);
            } else {
                position.step(self, &joint);
            }
        }
        work(&position) - before
    }

    fn read(&self, text: &str) -> Option<TermId> {
        read_term(text, &self.names, &mut |name, parts| self.terms.find(name, parts))
    }

    fn text(&self, term: TermId) -> String {
        let mut text = String::new();
        self.terms.write(&self.names, term, &mut text);
        text
    }
}

impl Play {
    fn new(circuit: &mut Circuit) -> Self {
        let groups: Vec<Vec<Planned>> = (0..circuit.moves.len()).map(|role| plan_groups(circuit, role)).collect();
        let mut wanted = vec![Wanted { signals: circuit.next.clone(), counted: false }];
        let mut marks = vec![circuit.terminal];
        marks.extend(groups.iter().flatten().filter_map(|group| group.guard));
        wanted.push(Wanted { signals: marks, counted: false });
        for group in groups.iter().flatten() {
            wanted.push(Wanted { signals: group.signals.clone(), counted: true });
        }
        let inputs = circuit.facts.len() + circuit.moves.iter().map(Vec::len).sum::<usize>();
        let (network, firsts) = Network::new(circuit, inputs, &wanted);
        let (mut guard_bit, mut total) = (firsts[1] + 1, 0);
        let (mut packed, mut legal_bits) = (Vec::new(), Vec::new());
        for (role, planned) in groups.into_iter().enumerate() {
            let mut bits = vec![(0, 0); circuit.moves[role].len()];
            let mut of_role = Vec::new();
            for group in planned {
                let guard = group.guard.map(|_| {
                    guard_bit += 1;
                    guard_bit - 1
                });
                let first_bit = firsts[2 + total];
                for (&action, bit) in group.actions.iter().zip(first_bit..) {
                    bits[action as usize] = (of_role.len() as u32, bit);
                }
                of_role.push(Group { guard, first_bit, actions: group.actions, total });
                total += 1;
            }
            packed.push(of_role);
            legal_bits.push(bits);
        }
        Self { network, terminal: firsts[1], groups: packed, legal_bits }
    }
}

struct Planned {
    guard: Option<Signal>,
    actions: Vec<u32>,
    signals: Vec<Signal>,
}

/// Sorts the moves of a role by the condition that most of them share.
fn plan_groups(circuit: &mut Circuit, role: usize) -> Vec<Planned> {
    let mut left: Vec<(u32, Signal, Vec<Signal>)> = circuit.legal[role]
        .iter()
        .zip(0..)
        .map(|(&signal, action)| (action, signal, circuit.conjuncts(signal)))
        .collect();
    let mut groups = Vec::new();
    while !left.is_empty() {
        let mut frequency: HashMap<Signal, usize> = HashMap::new();
        left.iter().flat_map(|(.., conjuncts)| conjuncts).for_each(|&part| *frequency.entry(part).or_default() += 1);
        let best = frequency.into_iter().max_by_key(|&(part, count)| (count, std::cmp::Reverse(part)));
        let Some((shared, _)) = best.filter(|(_, count)| *count >= SMALLEST_GROUP && *count * 4 >= left.len()) else {
            let (actions, signals) = left.iter().map(|(action, signal, _)| (*action, *signal)).unzip();
            groups.push(Planned { guard: None, actions, signals });
            break;
        };
        let (inside, outside): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(.., conjuncts)| conjuncts.contains(&shared));
        let mut common = inside[0].2.clone();
        inside.iter().for_each(|(.., conjuncts)| common.retain(|part| conjuncts.binary_search(part).is_ok()));
        let actions = inside.iter().map(|(action, ..)| *action).collect();
        let signals = inside.iter().map(|&(_, signal, _)| circuit.without(signal, &common)).collect();
        groups.push(Planned { guard: Some(circuit.all_of(common)), actions, signals });
        left = outside;
    }
    groups
}

/// A place in a game, with everything needed to move on from it. Each thread has its own.
#[derive(Clone, Debug)]
pub struct Cursor {
    machine: Machine,
    view: View,
}

#[derive(Clone, Debug)]
enum View {
    Network(Box<Position>),
    Relational(Box<Evaluator>),
}

#[derive(Clone, Debug)]
struct Position {
    state: State,
    following: Vec<u64>,
    /// Which of the networks sees the state.
    turn: usize,
    plays: Vec<Seen>,
    goal: Values,
    /// The state that the goal network knows.
    judged: State,
}

/// The values of a network with the inputs that it knows.
#[derive(Clone, Debug)]
struct Seen {
    values: Values,
    state: State,
    /// The moves that it holds to be made.
    made: Vec<u32>,
}

const NOT_YET: u32 = u32::MAX;

impl Position {
    fn new(packed: &Packed) -> Self {
        let empty = State { words: vec![0; packed.initial.words.len()] };
        let seen = |play: &Play| Seen {
            values: play.network.values(),
            state: empty.clone(),
            made: vec![NOT_YET; packed.moves.len()],
        };
        let mut position = Self {
            following: empty.words.clone(),
            state: empty.clone(),
            turn: 0,
            plays: packed.plays.iter().map(seen).collect(),
            goal: packed.goal.values(),
            judged: empty.clone(),
        };
        position.set(packed, &packed.initial);
        position
    }

    fn set(&mut self, packed: &Packed, state: &State) {
        self.following.copy_from_slice(&state.words);
        self.follow(packed);
    }

    /// Lets the network of whoever is on turn see the following state.
    #[inline]
    fn follow(&mut self, packed: &Packed) {
        self.state.words.copy_from_slice(&self.following);
        let holds = |&fact: &u32| self.following[(fact / 64) as usize] >> (fact % 64) & 1 == 1;
        self.turn = packed.turns.iter().position(holds).unwrap_or(0);
        let seen = &mut self.plays[self.turn];
        let network = &packed.plays[self.turn].network;
        change(&mut seen.values, network, &mut seen.state, &self.following);
        seen.values.settle(network);
    }

    #[inline]
    fn step(&mut self, packed: &Packed, joint: &[u32]) {
        let network = &packed.plays[self.turn].network;
        let Seen { values, made, .. } = &mut self.plays[self.turn];
        for (role, (&action, made)) in joint.iter().zip(made).enumerate() {
            if *made != action {
                let first = packed.first_move[role];
                if *made != NOT_YET {
                    values.flip(network, first + *made, false);
                }
                values.flip(network, first + action, true);
                *made = action;
            }
        }
        values.settle(network);
        // The outputs change while the state does, so the next state is taken away first.
        let words = self.following.len();
        self.following.copy_from_slice(&values.marks[network.outputs..network.outputs + words]);
        self.follow(packed);
    }

    #[inline]
    fn output(&self, bit: u32) -> bool {
        self.plays[self.turn].values.marks[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn active<'a>(&'a self, packed: &'a Packed, role: usize) -> impl Iterator<Item = &'a Group> {
        let groups = &packed.plays[self.turn].groups[role];
        groups.iter().filter(|group| group.guard.is_none_or(|guard| self.output(guard)))
    }

    fn nth(&self, packed: &Packed, role: usize, mut number: u32) -> Option<u32> {
        let values = &self.plays[self.turn].values;
        for group in self.active(packed, role) {
            let total = values.totals[group.total];
            if number >= total {
                number -= total;
                continue;
            }
            let first = (group.first_bit / 64) as usize;
            let mut word = first;
            let counts = &values.counts[first - packed.plays[self.turn].network.first_counted()..];
            for &count in counts {
                if number < u32::from(count) {
                    break;
                }
                number -= u32::from(count);
                word += 1;
            }
            let mut bits = values.marks[word];
            for _ in 0..number {
                bits &= bits - 1;
            }
            return Some(group.actions[(word - first) * 64 + bits.trailing_zeros() as usize]);
        }
        None
    }
}

/// Makes a network see another state.
fn change(values: &mut Values, network: &Network, from: &mut State, to: &[u64]) {
    for (word, (old, &new)) in from.words.iter_mut().zip(to).enumerate() {
        for bit in each_bit(*old ^ new) {
            values.flip(network, word as u32 * 64 + bit, new >> bit & 1 == 1);
        }
        *old = new;
    }
}

impl Cursor {
    /// The machine it moves in.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The state it is at.
    pub fn state(&self) -> &State {
        match &self.view {
            View::Network(position) => &position.state,
            View::Relational(evaluator) => &evaluator.state,
        }
    }

    /// Goes to a state of the same machine.
    pub fn set(&mut self, state: &State) {
        match (&mut self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => position.set(packed, state),
            (View::Relational(evaluator), Engine::Relational(relational)) => evaluator.set(relational, state),
            _ => {}
        }
    }

    /// Makes one move of each role, in the order of the roles. The moves must be legal.
    pub fn step(&mut self, joint: &[u32]) {
        debug_assert_eq!(joint.len(), self.machine.inner.roles.len());
        match (&mut self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => position.step(packed, joint),
            (View::Relational(evaluator), Engine::Relational(relational)) => evaluator.step(relational, joint),
            _ => {}
        }
    }

    /// Whether the game is over.
    pub fn is_terminal(&self) -> bool {
        match (&self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => position.output(packed.plays[position.turn].terminal),
            (View::Relational(evaluator), _) => evaluator.terminal,
            _ => false,
        }
    }

    /// The goal value of a role, if exactly one holds here.
    pub fn goal(&mut self, role: usize) -> Option<u8> {
        match (&mut self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => {
                let Position { state, goal, judged, .. } = position.as_mut();
                change(goal, &packed.goal, judged, &state.words);
                goal.settle(&packed.goal);
                let holds = |bit: u32| goal.marks[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
                let mut holding = packed.goals[role].iter().filter(|(_, bit)| holds(*bit));
                let value = holding.next()?.0;
                holding.next().is_none().then_some(value)
            }
            (View::Relational(evaluator), _) => match evaluator.goals[role].as_slice() {
                [single] => Some(*single),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many legal moves the role has.
    #[inline]
    pub fn legal_count(&self, role: usize) -> u32 {
        match (&self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => {
                let values = &position.plays[position.turn].values;
                position.active(packed, role).map(|group| values.totals[group.total]).sum()
            }
            (View::Relational(evaluator), _) => evaluator.legal[role].len() as u32,
            _ => 0,
        }
    }

    /// The legal move with this number among those of the role; the order is the same whenever the state is.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn nth_legal(&self, role: usize, number: u32) -> u32 {
        let found = match (&self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => position.nth(packed, role, number),
            (View::Relational(evaluator), _) => evaluator.legal[role].get(number as usize).copied(),
            _ => None,
        };
        found.expect("a number below `legal_count`")
    }

    /// A legal move of the role, each equally likely; `None` if there is none.
    #[inline]
    pub fn draw(&self, role: usize, random: &mut Random) -> Option<u32> {
        match self.legal_count(role) {
            0 => None,
            1 => Some(self.nth_legal(role, 0)),
            count => Some(self.nth_legal(role, random.below(count))),
        }
    }

    /// Puts the legal moves of the role into `actions`, in the order of [`Cursor::nth_legal`].
    pub fn legal(&self, role: usize, actions: &mut Vec<u32>) {
        actions.clear();
        match (&self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => {
                for group in position.active(packed, role) {
                    let first = (group.first_bit / 64) as usize;
                    let words =
                        &position.plays[position.turn].values.marks[first..first + group.actions.len().div_ceil(64)];
                    for (word, &bits) in words.iter().enumerate() {
                        actions.extend(each_bit(bits).map(|bit| group.actions[word * 64 + bit as usize]));
                    }
                }
            }
            (View::Relational(evaluator), _) => actions.extend_from_slice(&evaluator.legal[role]),
            _ => {}
        }
    }

    /// Whether the role may make the move here.
    pub fn is_legal(&self, role: usize, action: u32) -> bool {
        match (&self.view, &self.machine.inner.engine) {
            (View::Network(position), Engine::Network(packed)) => {
                let play = &packed.plays[position.turn];
                play.legal_bits[role].get(action as usize).is_some_and(|&(group, bit)| {
                    let guard = play.groups[role][group as usize].guard;
                    position.output(bit) && guard.is_none_or(|guard| position.output(guard))
                })
            }
            (View::Relational(evaluator), _) => evaluator.legal[role].contains(&action),
            _ => false,
        }
    }
}
