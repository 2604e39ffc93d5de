//! A game as networks: the circuits of play, packed, with the facts and moves that their inputs and outputs stand for.

use std::borrow::Cow;
use std::collections::HashMap;

use spinney_core::{InputError, Random, Seed};

use crate::circuit::{Circuit, NoCircuit, Signal};
use crate::demand::with_questions;
use crate::ground::{Instances, ground};
use crate::limits::{Budget, BuildError, Stop};
use crate::machine::Size;
use crate::network::{Network, Wanted};
use crate::position::NetworkPosition;
use crate::program::Program;
use crate::rules::Names;
use crate::state::State;
use crate::terms::{TermId, Terms, read_term};

/// Moves of a role that need a common condition, which is looked at only when legal moves are asked for. In games where
/// roles take turns this spares the moves of both sides being switched on and off at every step.
#[derive(Debug)]
pub(crate) struct MoveGroup {
    pub(crate) guard: Option<u32>,
    pub(crate) first_bit: u32,
    pub(crate) actions: Vec<u32>,
    pub(crate) total: usize,
}

/// A network with what its outputs mean.
#[derive(Debug)]
pub(crate) struct PlayNetwork {
    pub(crate) network: Network,
    pub(crate) terminal: u32,
    pub(crate) groups: Vec<Vec<MoveGroup>>,
    /// For each role and move, the group and the bit.
    pub(crate) legal_bits: Vec<Vec<(u32, u32)>>,
}

/// A game as networks: what its facts and moves are called, and what tells which of them hold.
#[derive(Debug)]
pub(crate) struct Packed {
    names: Names,
    terms: Terms,
    pub(crate) facts: Vec<TermId>,
    fact_numbers: HashMap<TermId, u32>,
    pub(crate) moves: Vec<Vec<TermId>>,
    move_numbers: Vec<HashMap<TermId, u32>>,
    pub(crate) first_move: Vec<u32>,
    /// The facts that say whose turn it is, if exactly one of them always holds.
    pub(crate) turns: Vec<u32>,
    /// One network for each turn, or one for all.
    pub(crate) plays: Vec<PlayNetwork>,
    pub(crate) goal: Network,
    pub(crate) goals: Vec<Vec<(u8, u32)>>,
    pub(crate) initial: State,
}

/// Without questions a game may have so many instances.
const PLAIN_INSTANCES: usize = 1_500_000;

/// Groups smaller than this are not worth a guard.
const SMALLEST_GROUP: usize = 4;

impl Packed {
    /// Works the networks out, with the number of instances they come from.
    ///
    /// # Errors
    /// A sentence that depends on its own negation, or a limit that is reached.
    pub(crate) fn new(program: &Program, instances: usize, budget: &mut Budget) -> Result<(Self, usize), BuildError> {
        // Only games that would grow too large as they are pay for questions.
        let mut program = Cow::Borrowed(program);
        let mut plain = budget.share(8);
        let mut found = ground(&program, instances.min(PLAIN_INSTANCES), &mut plain);
        if found.is_none() {
            budget.follow(&plain);
            budget.check()?;
            if let Some(asking) = with_questions(&program, budget) {
                program = Cow::Owned(asking);
            }
            found = ground(&program, instances, budget);
        }
        let Some(mut ground) = found else {
            budget.check()?;
            return Err(Stop::Work.into());
        };
        let program_bytes = program.bytes() + ground.terms.bytes() + ground.instances.bytes();
        budget.keep(program_bytes);
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
        let build = |assume_turns: bool, budget: &mut Budget| {
            let (facts, moves) = (facts.clone(), moves.clone());
            let circuit = Circuit::new(&ground, &program.roles, facts, moves, assume_turns, &value, budget);
            circuit.map_err(|fault| match fault {
                NoCircuit::Unstratified(sentence) => {
                    let problem = format!("`{}` depends on its own negation", text(&ground.terms, sentence));
                    BuildError::Refused(InputError::new("rule sheet", problem, "break the circle"))
                }
                NoCircuit::Stopped(stop) => stop.into(),
            })
        };
        let instances = ground.instances.len();
        let mut circuit = build(true, budget)?;
        budget.keep(program_bytes + circuit.bytes());
        let mut turns = circuit.turn_facts().unwrap_or_default();
        let mut parts: Vec<Circuit> = Vec::new();
        for role in 0..turns.len() {
            parts.push(circuit.on_turn(role, budget));
            budget.keep(program_bytes + circuit.bytes() + parts.iter().map(Circuit::bytes).sum::<usize>());
            budget.check()?;
        }
        if !turns.is_empty() && !circuit.turns_hold(&program.initial, &mut parts) {
            circuit = build(false, budget)?;
            turns.clear();
            parts.clear();
        }
        let circuits = circuit.bytes() + parts.iter().map(Circuit::bytes).sum::<usize>();
        // Instances are of no use any more, names of facts and moves are.
        ground.instances = Instances::default();
        budget.keep(program.bytes() + ground.terms.bytes() + circuits);
        let whole = PlayNetwork::new(&mut circuit, budget)?;
        let (plays, whole) = match parts.len() {
            0 => (vec![whole], None),
            _ => {
                let mut plays = Vec::new();
                for mut part in parts {
                    plays.push(PlayNetwork::new(&mut part, budget)?);
                }
                (plays, Some(whole))
            }
        };
        let fact_count = circuit.facts.len();
        let inputs = fact_count + circuit.moves.iter().map(Vec::len).sum::<usize>();
        let goal_signals: Vec<Signal> = circuit.goals.iter().flatten().map(|goal| goal.1).collect();
        let wanted = [Wanted { signals: goal_signals, counted: false }];
        let (goal, goal_firsts) = Network::new(&circuit, inputs, &wanted, budget)?;
        let mut bit = goal_firsts[0];
        let mut goals = Vec::new();
        for role in &circuit.goals {
            goals.push(role.iter().zip(bit..).map(|(&(value, _), at)| (value, at)).collect());
            bit += role.len() as u32;
        }
        let number = |list: &[TermId]| list.iter().zip(0..).map(|(&term, at)| (term, at)).collect::<HashMap<_, _>>();
        let fact_numbers = number(&circuit.facts);
        let initial = State::from_bits(program.initial.iter().filter_map(|fact| fact_numbers.get(fact).copied()))
            .in_words(fact_count.div_ceil(64));
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
            let split = packed.trial(budget)?;
            let (turns, plays) = (std::mem::take(&mut packed.turns), std::mem::replace(&mut packed.plays, vec![play]));
            if packed.trial(budget)? >= split {
                (packed.turns, packed.plays) = (turns, plays);
            }
        }
        Ok((packed, instances))
    }

    /// The work of the same number of random steps.
    fn trial(&self, budget: &mut Budget) -> Result<u64, Stop> {
        const STEPS: usize = 400;
        let mut position = NetworkPosition::new(self);
        let mut random = Random::new(Seed::new(0));
        let before = position.work();
        let mut joint = vec![0; self.moves.len()];
        let mut counted = before;
        for _ in 0..STEPS {
            budget.spend(position.work() - counted);
            budget.check()?;
            counted = position.work();
            let mut stuck = position.is_terminal(self);
            for (role, action) in joint.iter_mut().enumerate() {
                match position.legal_count(self, role) {
                    0 => stuck = true,
                    count => *action = position.nth(self, role, random.below(count)).unwrap_or(0),
                }
            }
            if stuck {
                position.set(self, &self.initial);
            } else {
                position.step(self, &joint);
            }
        }
        Ok(position.work() - before)
    }

    /// What the machine consists of, which was made of so many instances.
    pub(crate) fn size(&self, instances: usize) -> Size {
        let networks = || self.plays.iter().map(|play| &play.network).chain([&self.goal]);
        Size {
            facts: self.facts.len(),
            instances,
            networks: self.plays.len(),
            gates: networks().map(|network| network.size().0).sum(),
            connections: networks().map(|network| network.size().1).sum(),
            recursive: networks().map(Network::recursive).sum(),
            bytes: self.terms.bytes() + networks().map(Network::bytes).sum::<usize>(),
        }
    }

    /// The number of the fact that a text means.
    pub(crate) fn read_fact(&self, text: &str) -> Option<u32> {
        self.fact_numbers.get(&self.read(text)?).copied()
    }

    /// The number of the move of the role that a text means.
    pub(crate) fn read_move(&self, role: usize, text: &str) -> Option<u32> {
        self.move_numbers[role].get(&self.read(text)?).copied()
    }

    fn read(&self, text: &str) -> Option<TermId> {
        read_term(text, &self.names, &mut |name, parts| self.terms.find(name, parts))
    }

    /// A fact or move as the sheet spells it.
    pub(crate) fn text(&self, term: TermId) -> String {
        let mut text = String::new();
        self.terms.write(&self.names, term, &mut text);
        text
    }
}

impl PlayNetwork {
    fn new(circuit: &mut Circuit, budget: &mut Budget) -> Result<Self, Stop> {
        let groups: Vec<Vec<PlannedGroup>> =
            (0..circuit.moves.len()).map(|role| plan_groups(circuit, role, budget)).collect();
        budget.check()?;
        let mut wanted = vec![Wanted { signals: circuit.next.clone(), counted: false }];
        let mut marks = vec![circuit.terminal];
        marks.extend(groups.iter().flatten().filter_map(|group| group.guard));
        wanted.push(Wanted { signals: marks, counted: false });
        for group in groups.iter().flatten() {
            wanted.push(Wanted { signals: group.signals.clone(), counted: true });
        }
        let inputs = circuit.facts.len() + circuit.moves.iter().map(Vec::len).sum::<usize>();
        let (network, firsts) = Network::new(circuit, inputs, &wanted, budget)?;
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
                of_role.push(MoveGroup { guard, first_bit, actions: group.actions, total });
                total += 1;
            }
            packed.push(of_role);
            legal_bits.push(bits);
        }
        Ok(Self { network, terminal: firsts[1], groups: packed, legal_bits })
    }
}

/// A group before there is a network.
struct PlannedGroup {
    guard: Option<Signal>,
    actions: Vec<u32>,
    signals: Vec<Signal>,
}

/// Sorts the moves of a role by the condition that most of them share.
fn plan_groups(circuit: &mut Circuit, role: usize, budget: &mut Budget) -> Vec<PlannedGroup> {
    let mut left: Vec<(u32, Signal, Vec<Signal>)> = circuit.legal[role]
        .iter()
        .zip(0..)
        .map(|(&signal, action)| (action, signal, circuit.conjuncts(signal)))
        .collect();
    let mut groups = Vec::new();
    while !left.is_empty() && budget.spend(left.iter().map(|(.., conjuncts)| conjuncts.len() as u64 + 1).sum()) {
        let mut frequency: HashMap<Signal, usize> = HashMap::new();
        left.iter().flat_map(|(.., conjuncts)| conjuncts).for_each(|&part| *frequency.entry(part).or_default() += 1);
        let best = frequency.into_iter().max_by_key(|&(part, count)| (count, std::cmp::Reverse(part)));
        let Some((shared, _)) = best.filter(|(_, count)| *count >= SMALLEST_GROUP && *count * 4 >= left.len()) else {
            let (actions, signals) = left.iter().map(|(action, signal, _)| (*action, *signal)).unzip();
            groups.push(PlannedGroup { guard: None, actions, signals });
            break;
        };
        let (inside, outside): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(.., conjuncts)| conjuncts.contains(&shared));
        let mut common = inside[0].2.clone();
        inside.iter().for_each(|(.., conjuncts)| common.retain(|part| conjuncts.binary_search(part).is_ok()));
        let actions = inside.iter().map(|(action, ..)| *action).collect();
        let signals = inside.iter().map(|&(_, signal, _)| circuit.without(signal, &common)).collect();
        groups.push(PlannedGroup { guard: Some(circuit.all_of(common)), actions, signals });
        left = outside;
    }
    groups
}
