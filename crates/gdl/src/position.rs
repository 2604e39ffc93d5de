//! A state as the networks of a game see it: the values of every gate, of which a step computes only what changes.

use crate::network::{Network, Values};
use crate::packed::{MoveGroup, Packed, PlayNetwork};
use crate::state::{State, each_bit};

/// A state as the networks of a game see it.
#[derive(Clone, Debug)]
pub(crate) struct NetworkPosition {
    pub(crate) state: State,
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

impl NetworkPosition {
    /// The initial state.
    pub(crate) fn new(packed: &Packed) -> Self {
        let empty = State::empty(packed.initial.words.len());
        let seen = |play: &PlayNetwork| Seen {
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

    /// Goes to a state of the same game.
    pub(crate) fn set(&mut self, packed: &Packed, state: &State) {
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

    /// Makes one move of each role.
    #[inline]
    pub(crate) fn step(&mut self, packed: &Packed, joint: &[u32]) {
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

    /// What the networks have done so far.
    pub(crate) fn work(&self) -> u64 {
        self.plays.iter().map(|seen| seen.values.work).sum()
    }

    /// Whether the game is over.
    #[inline]
    pub(crate) fn is_terminal(&self, packed: &Packed) -> bool {
        self.output(packed.plays[self.turn].terminal)
    }

    /// The goal value of a role, if exactly one holds.
    pub(crate) fn goal(&mut self, packed: &Packed, role: usize) -> Option<u8> {
        let Self { state, goal, judged, .. } = self;
        change(goal, &packed.goal, judged, &state.words);
        goal.settle(&packed.goal);
        let holds = |bit: u32| goal.marks[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
        let mut holding = packed.goals[role].iter().filter(|(_, bit)| holds(*bit));
        let value = holding.next()?.0;
        holding.next().is_none().then_some(value)
    }

    /// The groups of moves of the role whose guard holds.
    #[inline]
    fn active<'a>(&'a self, packed: &'a Packed, role: usize) -> impl Iterator<Item = &'a MoveGroup> {
        let groups = &packed.plays[self.turn].groups[role];
        groups.iter().filter(|group| group.guard.is_none_or(|guard| self.output(guard)))
    }

    /// How many legal moves the role has.
    #[inline]
    pub(crate) fn legal_count(&self, packed: &Packed, role: usize) -> u32 {
        let values = &self.plays[self.turn].values;
        self.active(packed, role).map(|group| values.totals[group.total]).sum()
    }

    /// Adds the legal moves of the role, in the order of [`NetworkPosition::nth`].
    pub(crate) fn legal(&self, packed: &Packed, role: usize, actions: &mut Vec<u32>) {
        for group in self.active(packed, role) {
            let first = (group.first_bit / 64) as usize;
            let words = &self.plays[self.turn].values.marks[first..first + group.actions.len().div_ceil(64)];
            for (word, &bits) in words.iter().enumerate() {
                actions.extend(each_bit(bits).map(|bit| group.actions[word * 64 + bit as usize]));
            }
        }
    }

    /// Whether the role may make the move.
    pub(crate) fn is_legal(&self, packed: &Packed, role: usize, action: u32) -> bool {
        let play = &packed.plays[self.turn];
        play.legal_bits[role].get(action as usize).is_some_and(|&(group, bit)| {
            let guard = play.groups[role][group as usize].guard;
            self.output(bit) && guard.is_none_or(|guard| self.output(guard))
        })
    }

    /// The legal move with this number among those of the role, if there are so many.
    pub(crate) fn nth(&self, packed: &Packed, role: usize, mut number: u32) -> Option<u32> {
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
