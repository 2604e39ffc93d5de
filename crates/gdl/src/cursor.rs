//! A place in a game from which one moves on: working memory of whoever looks at states.

use std::sync::Arc;
use std::time::Instant;

use spinney_core::Random;

use crate::limits::Cancel;
use crate::machine::Machine;
use crate::packed::Packed;
use crate::position::NetworkPosition;
use crate::prove::Prover;
use crate::prove::position::ProofPosition;
use crate::relational::{Relational, RelationalPosition};
use crate::state::State;

/// A place in a game, with everything needed to move on from it at the cost of what changes.
///
/// It is plain memory that may go from thread to thread; a search owns one, or one for each of its threads.
#[derive(Clone, Debug)]
pub struct Cursor {
    machine: Machine,
    view: View,
}

/// A position together with what works it out.
#[derive(Clone, Debug)]
pub(crate) enum View {
    Network(Arc<Packed>, Box<NetworkPosition>),
    Proof(Arc<Prover>, Box<ProofPosition>),
    Relational(Arc<Relational>, Box<RelationalPosition>),
}

impl View {
    /// The initial state, seen by networks.
    pub(crate) fn network(packed: &Arc<Packed>) -> Self {
        Self::Network(packed.clone(), Box::new(NetworkPosition::new(packed)))
    }

    /// The initial state, worked out from clauses.
    pub(crate) fn relational(relational: &Arc<Relational>) -> Self {
        Self::Relational(relational.clone(), Box::new(RelationalPosition::new(relational)))
    }
}

impl Cursor {
    pub(crate) fn new(machine: Machine, view: View) -> Self {
        Self { machine, view }
    }

    /// Until when states may be worked out, and what calls it off: from now on, until it is said anew. A network is
    /// never slow enough to look.
    pub fn until(&mut self, deadline: Option<Instant>, cancel: &Cancel) {
        if let View::Proof(_, position) = &mut self.view {
            position.until(deadline, cancel);
        }
    }

    /// Says that it follows a game that is really played. Where facts and moves get their numbers when they are first met,
    /// the room for numbers is bounded, and a half of it is kept for such cursors: searches cannot use it up.
    pub fn follow_play(&mut self) {
        if let View::Proof(_, position) = &mut self.view {
            position.is_real = true;
        }
    }

    /// Whether the last [`Cursor::set`] or [`Cursor::step`] was broken off, by [`Cursor::until`] or by the limit of
    /// bytes. Then nothing is known of the state: it counts as an end without goals or legal moves. Whoever goes on sets
    /// a state first.
    pub fn is_interrupted(&self) -> bool {
        matches!(&self.view, View::Proof(_, position) if position.interrupted)
    }

    /// About how many bytes of its own it takes beyond its state, where it keeps what was proved.
    pub fn bytes(&self) -> usize {
        match &self.view {
            View::Proof(_, position) => position.bytes(),
            View::Network(..) | View::Relational(..) => 0,
        }
    }

    /// The machine it moves in.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Whether it moves in this machine. It keeps its machine alive, so no other can be taken for it.
    #[inline]
    pub fn belongs_to(&self, machine: &Machine) -> bool {
        self.machine.is_same(machine)
    }

    /// The state it is at.
    #[inline]
    pub fn state(&self) -> &State {
        match &self.view {
            View::Network(_, position) => &position.state,
            View::Proof(_, position) => &position.state,
            View::Relational(_, position) => &position.state,
        }
    }

    /// Goes to a state of the same machine.
    pub fn set(&mut self, state: &State) {
        match &mut self.view {
            View::Network(packed, position) => position.set(packed, state),
            View::Proof(prover, position) => position.set(prover, state),
            View::Relational(relational, position) => position.set(relational, state),
        }
    }

    /// Goes to a state of the same machine unless it is there already, which costs no more than comparing them.
    #[inline]
    pub fn visit(&mut self, state: &State) -> &mut Self {
        if self.state() != state {
            self.set(state);
        }
        self
    }

    /// Makes one move of each role, in the order of the roles. The moves must be legal.
    pub fn step(&mut self, joint: &[u32]) {
        debug_assert_eq!(joint.len(), self.machine.roles().len());
        match &mut self.view {
            View::Network(packed, position) => position.step(packed, joint),
            View::Proof(prover, position) => position.step(prover, joint),
            View::Relational(relational, position) => position.step(relational, joint),
        }
    }

    /// Whether the game is over.
    pub fn is_terminal(&self) -> bool {
        match &self.view {
            View::Network(packed, position) => position.is_terminal(packed),
            View::Proof(_, position) => position.terminal,
            View::Relational(_, position) => position.terminal,
        }
    }

    /// The goal value of a role, if exactly one holds here.
    pub fn goal(&mut self, role: usize) -> Option<u8> {
        match &mut self.view {
            View::Network(packed, position) => position.goal(packed, role),
            View::Proof(prover, position) => position.goal(prover, role),
            View::Relational(_, position) => match position.goals[role].as_slice() {
                [single] => Some(*single),
                _ => None,
            },
        }
    }

    /// How many legal moves the role has.
    #[inline]
    pub fn legal_count(&self, role: usize) -> u32 {
        match &self.view {
            View::Network(packed, position) => position.legal_count(packed, role),
            View::Proof(_, position) => position.legal[role].len() as u32,
            View::Relational(_, position) => position.legal[role].len() as u32,
        }
    }

    /// The legal move with this number among those of the role; the order is the same whenever the state is.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn nth_legal(&self, role: usize, number: u32) -> u32 {
        let found = match &self.view {
            View::Network(packed, position) => position.nth(packed, role, number),
            View::Proof(_, position) => position.legal[role].get(number as usize).copied(),
            View::Relational(_, position) => position.legal[role].get(number as usize).copied(),
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
        match &self.view {
            View::Network(packed, position) => position.legal(packed, role, actions),
            View::Proof(_, position) => actions.extend_from_slice(&position.legal[role]),
            View::Relational(_, position) => actions.extend_from_slice(&position.legal[role]),
        }
    }

    /// Whether the role may make the move here.
    pub fn is_legal(&self, role: usize, action: u32) -> bool {
        match &self.view {
            View::Network(packed, position) => position.is_legal(packed, role, action),
            View::Proof(_, position) => position.legal[role].contains(&action),
            View::Relational(_, position) => position.legal[role].contains(&action),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::machine::Method;
    use crate::rules::Rules;

    /// Two roles name a side at once; `odd` scores if they differ, and nobody may repeat the side named last.
    const SIDES: &str = "
        (role even) (role odd) (init start) (side left) (side right)
        (<= (legal ?r ?s) (role ?r) (side ?s) (not (true (last ?r ?s))))
        (<= (next (last ?r ?s)) (does ?r ?s))
        (<= (next differ) (does even ?a) (does odd ?b) (distinct ?a ?b))
        (<= terminal (not (true start)))
        (<= (goal odd 100) (true differ)) (<= (goal odd 0) (not (true differ)))
        (<= (goal even 100) (not (true differ))) (<= (goal even 0) (true differ))
        (<= (goal even 50) (true start))";

    fn machine(text: &str, limits: &Limits) -> Machine {
        Machine::build(&Rules::parse(text).expect("rules"), limits).expect("a machine")
    }

    fn all() -> [Machine; 3] {
        [Method::Network, Method::Proof, Method::Relational].map(|method| machine(SIDES, &Limits::only(method)))
    }

    #[test]
    fn a_cursor_goes_from_thread_to_thread() {
        fn working_memory<T: Send + Default>(_: &T) {}
        working_memory(&None::<Cursor>);
        for machine in all() {
            let mut cursor = machine.cursor();
            let joint = [cursor.nth_legal(0, 0), cursor.nth_legal(1, 1)];
            let there = std::thread::spawn(move || {
                cursor.step(&joint);
                cursor
            });
            let mut cursor = there.join().expect("a thread that ends");
            assert_eq!(machine.state_text(cursor.state()), ["(last even left)", "(last odd right)", "differ"]);
            assert!(cursor.is_terminal());
            assert_eq!([cursor.goal(0), cursor.goal(1)], [Some(0), Some(100)]);
        }
    }

    #[test]
    fn legal_moves_agree_however_they_are_asked_for() {
        for machine in all() {
            let mut cursor = machine.cursor();
            let left = machine.read_move(0, "LEFT").expect("a move");
            let right = machine.read_move(0, " right ").expect("a move");
            assert_eq!([cursor.nth_legal(0, 0), cursor.nth_legal(0, 1)], [left, right]);
            let state = machine.read_state(["start", "(last even left)"]).expect("a state");
            cursor.set(&state);
            assert_eq!((cursor.legal_count(0), cursor.legal_count(1)), (1, 2));
            assert!(cursor.is_legal(0, right) && !cursor.is_legal(0, left) && !cursor.is_legal(0, 99));
            let mut actions = vec![7; 3];
            cursor.legal(0, &mut actions);
            assert_eq!(actions, [right]);
            assert_eq!(cursor.draw(0, &mut Random::new(spinney_core::Seed::new(0))), Some(right));
        }
    }

    #[test]
    fn two_goals_at_once_are_none() {
        for machine in all() {
            let mut cursor = machine.cursor();
            assert_eq!([cursor.goal(0), cursor.goal(1)], [None, Some(0)]);
        }
    }

    #[test]
    fn a_cursor_knows_its_machine() {
        for (machine, again) in all().into_iter().zip(all()) {
            let cursor = machine.cursor();
            assert!(cursor.belongs_to(&machine) && cursor.belongs_to(&machine.clone()));
            assert!(cursor.clone().belongs_to(cursor.machine()));
            assert!(!cursor.belongs_to(&again) && !again.is_same(&machine));
        }
    }

    #[test]
    fn kept_cursors_stay_where_they_are() {
        let [machine, other, _] = all();
        let mut kept = None;
        let cursor = machine.cursor_in(&mut kept);
        cursor.step(&[0, 0]);
        let state = cursor.state().clone();
        assert_ne!(state, *machine.initial());
        assert_eq!(*machine.cursor_in(&mut kept).state(), state);
        assert_eq!(machine.cursor_in(&mut kept).visit(machine.initial()).state(), machine.initial());
        assert_eq!(machine.cursor_in(&mut kept).visit(&state).state(), &state);
        // That of another machine is of no use.
        assert_eq!(other.cursor_in(&mut kept).state(), other.initial());
        assert!(kept.is_some_and(|cursor| cursor.belongs_to(&other)));
    }
}
