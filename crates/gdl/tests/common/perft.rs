//! Counts over all states of a depth, with hashes that do not depend on how a machine numbers things.

use std::collections::HashMap;

use spinney_gdl::{Cursor, Machine, State};

/// 64-bit FNV-1a.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The finalizer of SplitMix64.
pub fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Hashes of facts and moves, each computed once.
pub struct Hashes {
    machine: Machine,
    facts: HashMap<u32, u64>,
    moves: HashMap<(usize, u32), u64>,
}

impl Hashes {
    pub fn new(machine: &Machine) -> Self {
        Self { machine: machine.clone(), facts: HashMap::new(), moves: HashMap::new() }
    }

    pub fn state(&mut self, state: &State) -> u64 {
        let machine = &self.machine;
        let facts = &mut self.facts;
        let hash = |bit| *facts.entry(bit).or_insert_with(|| mix(fnv(&machine.fact_text(bit).to_lowercase())));
        state.bits().map(hash).fold(0, u64::wrapping_add)
    }

    /// Sum over the roles for a state with this hash.
    pub fn legals(&mut self, cursor: &Cursor, state_hash: u64) -> u64 {
        let mut actions = Vec::new();
        let mut sum = 0u64;
        for role in 0..self.machine.roles().len() {
            cursor.legal(role, &mut actions);
            let mut set = 0u64;
            for &action in &actions {
                let machine = &self.machine;
                set = set.wrapping_add(*self.moves.entry((role, action)).or_insert_with(|| {
                    let text = format!("{} {}", machine.roles()[role], machine.move_text(role, action));
                    mix(fnv(&text.to_lowercase()))
                }));
            }
            sum = sum.wrapping_add(mix(set ^ state_hash));
        }
        sum
    }
}

/// One row of a reference table.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub paths: u64,
    pub distinct: u64,
    pub terminal_paths: u64,
    pub terminal_distinct: u64,
    pub goal_sums: Vec<u64>,
    pub goal_errors: u64,
    pub legal_sums: Vec<u64>,
    pub dead: u64,
    pub facts: u64,
    pub states_hash: String,
    pub legals_hash: String,
}

impl Row {
    /// From the columns that follow the depth.
    pub fn read(columns: &[String]) -> Self {
        let number = |at: usize| columns[at].parse().unwrap();
        let list = |at: usize| columns[at].split(',').map(|each| each.parse().unwrap()).collect();
        Self {
            paths: number(0),
            distinct: number(1),
            terminal_paths: number(2),
            terminal_distinct: number(3),
            goal_sums: list(4),
            goal_errors: number(5),
            legal_sums: list(6),
            dead: number(7),
            facts: number(8),
            states_hash: columns[9].clone(),
            legals_hash: columns[10].clone(),
        }
    }
}

/// A game, depth by depth.
pub struct Perft {
    cursor: Cursor,
    hashes: Hashes,
    level: Vec<(State, u64)>,
}

impl Perft {
    pub fn new(machine: &Machine) -> Self {
        Self { cursor: machine.cursor(), hashes: Hashes::new(machine), level: vec![(machine.initial().clone(), 1)] }
    }

    /// Counts this depth.
    pub fn row(&mut self) -> Row {
        let roles = self.cursor.machine().roles().len();
        let mut row = Row { goal_sums: vec![0; roles], legal_sums: vec![0; roles], ..Row::default() };
        let (mut states_hash, mut legals_hash) = (0u64, 0u64);
        for (state, paths) in &self.level {
            self.cursor.set(state);
            let hash = self.hashes.state(state);
            row.paths += paths;
            row.distinct += 1;
            row.facts += state.len() as u64;
            states_hash = states_hash.wrapping_add(mix(hash));
            if self.cursor.is_terminal() {
                row.terminal_paths += paths;
                row.terminal_distinct += 1;
                for role in 0..roles {
                    match self.cursor.goal(role) {
                        Some(goal) => row.goal_sums[role] += u64::from(goal) * paths,
                        None => row.goal_errors += 1,
                    }
                }
            } else {
                let counts: Vec<u32> = (0..roles).map(|role| self.cursor.legal_count(role)).collect();
                row.dead += u64::from(counts.contains(&0));
                for (sum, count) in row.legal_sums.iter_mut().zip(counts) {
                    *sum += u64::from(count) * paths;
                }
                legals_hash = legals_hash.wrapping_add(self.hashes.legals(&self.cursor, hash));
            }
        }
        row.states_hash = format!("{states_hash:016x}");
        row.legals_hash = format!("{legals_hash:016x}");
        row
    }

    /// Goes one step deeper; every combination of moves is tried.
    pub fn deepen(&mut self) {
        let roles = self.cursor.machine().roles().len();
        let mut next: HashMap<State, u64> = HashMap::new();
        let mut actions: Vec<Vec<u32>> = vec![Vec::new(); roles];
        for (state, paths) in std::mem::take(&mut self.level) {
            self.cursor.set(&state);
            if self.cursor.is_terminal() {
                continue;
            }
            for (role, list) in actions.iter_mut().enumerate() {
                self.cursor.legal(role, list);
            }
            if actions.iter().any(Vec::is_empty) {
                continue;
            }
            let mut indexes = vec![0; roles];
            'joint: loop {
                let joint: Vec<u32> = actions.iter().zip(&indexes).map(|(list, &at): (_, &usize)| list[at]).collect();
                self.cursor.set(&state);
                self.cursor.step(&joint);
                match next.get_mut(self.cursor.state()) {
                    Some(count) => *count += paths,
                    None => drop(next.insert(self.cursor.state().clone(), paths)),
                }
                for role in (0..roles).rev() {
                    indexes[role] += 1;
                    if indexes[role] < actions[role].len() {
                        continue 'joint;
                    }
                    indexes[role] = 0;
                }
                break;
            }
        }
        self.level = next.into_iter().collect();
    }
}
