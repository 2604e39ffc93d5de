//! Proofs from above: a question is answered by the rules for it, whose conditions are questions in turn.
//!
//! Questions that depend on themselves are tried again until no answer is new (linear tabling: N.-F. Zhou, T. Sato and
//! Y.-D. Shen, *Linear Tabling Strategies and Optimizations*, 2008): the one nearest to the root repeats, all that wait
//! for it are complete when it is. The stack is a list, so that deep recursion costs memory that is counted.

use crate::database::Database;
use crate::limits::{Budget, Stop};
use crate::pattern::{KeyShape, Template, fits_all};
use crate::prove::code::{Code, Lifetime, Part, Procedure, Step};
use crate::prove::tables::{Status, TableId, Tables};
use crate::terms::{TermId, Terms, mix_in};

/// Working memory of proofs.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    pub(crate) terms: Terms,
    pub(crate) database: Database,
    pub(crate) tables: Tables,
    frames: Vec<Frame>,
    registers: Vec<TermId>,
    places: Vec<Place>,
    /// Tables that wait for a question further down in the stack.
    waiting: Vec<TableId>,
    /// The round of tries, and the number of the last one.
    round: u32,
    last_round: u32,
    /// How many answers were added.
    added: u64,
    keys: Vec<TermId>,
}

/// A question that is being worked out.
#[derive(Clone, Copy, Debug)]
struct Frame {
    table: TableId,
    procedure: u32,
    clause: u32,
    step: u32,
    mode: Mode,
    first_register: u32,
    first_place: u32,
    first_waiting: u32,
    /// The lowest depth that answers were missing from.
    low: u32,
    round_before: u32,
    added_before: u64,
}

/// How a step is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The clause begins.
    Start,
    /// From the step before.
    Enter,
    /// From the question that it asked.
    Return,
    /// From the step after: is there another match?
    Retry,
}

/// Where a step is in what it looks through.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    source: u32,
    next: u32,
}

const NOWHERE: u32 = u32::MAX;
/// Bytes are looked at every so many steps.
const LOOK: u64 = 256;

impl Solver {
    pub(crate) fn new(terms: Terms, database: Database) -> Self {
        Self {
            terms,
            database,
            tables: Tables::new(),
            frames: Vec::new(),
            registers: Vec::new(),
            places: Vec::new(),
            waiting: Vec::new(),
            round: 0,
            last_round: 0,
            added: 0,
            keys: Vec::new(),
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.terms.bytes()
            + self.tables.bytes()
            + self.frames.capacity() * size_of::<Frame>()
            + (self.registers.capacity() + self.places.capacity() * 2 + self.waiting.capacity()) * 4
    }

    /// The answers to a question, all of them.
    pub(crate) fn ask(
        &mut self,
        procedures: &[Procedure],
        procedure: u32,
        keys: &[TermId],
        budget: &mut Budget,
    ) -> Result<TableId, Stop> {
        let Procedure { width, lifetime, .. } = procedures[procedure as usize];
        let table = self.tables.table(lifetime, procedure, width, keys);
        if self.tables.status(table) != Status::Complete {
            self.push(table);
            while !self.frames.is_empty() {
                self.go_on(procedures, budget);
                if let Err(stop) = budget.check() {
                    self.forget();
                    return Err(stop);
                }
            }
        }
        Ok(table)
    }

    /// Forgets everything that was not worked out to the end, and the rest with it.
    fn forget(&mut self) {
        self.tables.reset();
        self.frames.clear();
        self.registers = Vec::new();
        self.places = Vec::new();
        self.waiting.clear();
    }

    fn push(&mut self, table: TableId) {
        let depth = self.frames.len() as u32;
        self.tables.set_status(table, Status::Active(depth));
        self.frames.push(Frame {
            table,
            procedure: self.tables.procedure(table),
            clause: 0,
            step: 0,
            mode: Mode::Start,
            first_register: self.registers.len() as u32,
            first_place: self.places.len() as u32,
            first_waiting: self.waiting.len() as u32,
            low: NOWHERE,
            round_before: self.round,
            added_before: self.added,
        });
    }

    /// Works on the uppermost question until it is done or asks another.
    fn go_on(&mut self, procedures: &[Procedure], budget: &mut Budget) {
        let depth = self.frames.len() - 1;
        let mut frame = self.frames[depth];
        let procedure = &procedures[frame.procedure as usize];
        let (registers, places) = (frame.first_register as usize, frame.first_place as usize);
        let mut steps = 0u64;
        while let Some(code) = procedure.clauses.get(frame.clause as usize) {
            if frame.mode == Mode::Start {
                self.registers.resize(registers + code.registers, 0);
                self.places.resize(places + code.steps.len(), Place::default());
                if !self.enter(code, &frame) {
                    frame.clause += 1;
                    continue;
                }
                frame.step = 0;
                frame.mode = Mode::Enter;
            }
            steps += 1;
            if !budget.spend(1) || (steps.is_multiple_of(LOOK) && !budget.hold(self.bytes())) {
                return;
            }
            let Some(step) = code.steps.get(frame.step as usize) else {
                self.answer(code, &frame);
                if procedure.width == 0 && self.tables.count(frame.table) > 0 {
                    break;
                }
                match code.decisive {
                    Some(step) => (frame.step, frame.mode) = (step as u32, Mode::Retry),
                    None => (frame.clause, frame.mode) = (frame.clause + 1, Mode::Start),
                }
                continue;
            };
            match self.advance(step, &mut frame, procedures) {
                Some(true) => (frame.step, frame.mode) = (frame.step + 1, Mode::Enter),
                Some(false) if frame.step == 0 => (frame.clause, frame.mode) = (frame.clause + 1, Mode::Start),
                Some(false) => (frame.step, frame.mode) = (frame.step - 1, Mode::Retry),
                // Another question comes first, which lies on top now.
                None => {
                    self.frames[depth] = frame;
                    let asked = TableId::from_bits(self.places[places + frame.step as usize].source);
                    self.push(asked);
                    budget.hold(self.bytes());
                    return;
                }
            }
        }
        self.frames[depth] = frame;
        self.finish(procedure);
    }

    /// Whether the keys of the question are as the clause wants them.
    fn enter(&mut self, code: &Code, frame: &Frame) -> bool {
        let bindings = &mut self.registers[frame.first_register as usize..];
        code.entry.iter().all(|(key, pattern)| {
            let term = self.tables.key(frame.table, *key);
            pattern.matches(&self.terms, term, bindings)
        })
    }

    /// All conditions hold: adds the answer.
    fn answer(&mut self, code: &Code, frame: &Frame) {
        let bindings = &self.registers[frame.first_register as usize..];
        self.keys.clear();
        for part in &code.answer {
            match part {
                Part::Build(template) => self.keys.push(template.build(&mut self.terms, bindings)),
                Part::Project(template, shape, first_key) => {
                    let term = template.build(&mut self.terms, bindings);
                    let mut key = *first_key;
                    if !project(&self.terms, &self.tables, frame.table, shape, term, &mut key, &mut self.keys) {
                        return;
                    }
                }
            }
        }
        if self.tables.add(frame.table, &self.keys) {
            self.added += 1;
        }
    }

    /// Whether a step has a match, or another one; `None` if a question must be worked out first.
    #[inline]
    fn advance(&mut self, step: &Step, frame: &mut Frame, procedures: &[Procedure]) -> Option<bool> {
        let place = frame.first_place as usize + frame.step as usize;
        let first = frame.first_register as usize;
        match step {
            Step::Find { relation, index, keys, pattern } => {
                let mut at = self.places[place];
                if frame.mode == Mode::Enter {
                    self.database.refresh(&self.terms, *relation, *index);
                    let mut key = 0;
                    for each in keys {
                        let Some(term) = each.find(&self.terms, &self.registers[first..]) else { return Some(false) };
                        key = mix_in(key, term);
                    }
                    let Some(list) = self.database.bucket(*relation, *index, key) else { return Some(false) };
                    at = Place { source: list, next: 0 };
                }
                let list = self.database.list(*relation, *index, at.source);
                let tuples = &self.database.relations[*relation].tuples;
                for (&tuple, next) in list[at.next as usize..].iter().zip(at.next + 1..) {
                    let arguments = self.terms.arguments(tuples[tuple as usize]);
                    if fits_all(pattern, &self.terms, arguments, &mut self.registers[first..]) {
                        self.places[place] = Place { source: at.source, next };
                        return Some(true);
                    }
                }
                Some(false)
            }
            Step::Scan { relation, pattern } => {
                let from = if frame.mode == Mode::Enter { 0 } else { self.places[place].next };
                let tuples = &self.database.relations[*relation].tuples[from as usize..];
                for (&tuple, next) in tuples.iter().zip(from + 1..) {
                    let arguments = self.terms.arguments(tuple);
                    if fits_all(pattern, &self.terms, arguments, &mut self.registers[first..]) {
                        self.places[place].next = next;
                        return Some(true);
                    }
                }
                Some(false)
            }
            Step::Fact { template, wanted } => Some(
                frame.mode == Mode::Enter && {
                    let sentence = template.find(&self.terms, &self.registers[first..]);
                    sentence.is_some_and(|sentence| self.database.contains(sentence)) == *wanted
                },
            ),
            Step::Call { procedure, keys, pattern } => {
                match frame.mode {
                    Mode::Enter => {
                        let table = self.question(*procedure, keys, first, procedures);
                        self.places[place] = Place { source: table.to_bits(), next: 0 };
                        if self.must_work(table, frame) {
                            frame.mode = Mode::Return;
                            return None;
                        }
                    }
                    Mode::Start | Mode::Return | Mode::Retry => {}
                }
                let Place { source, mut next } = self.places[place];
                let table = TableId::from_bits(source);
                while next < self.tables.count(table) {
                    let answer = self.tables.answer(table, next);
                    next += 1;
                    if fits_all(pattern, &self.terms, answer, &mut self.registers[first..]) {
                        self.places[place].next = next;
                        return Some(true);
                    }
                }
                Some(false)
            }
            Step::Deny { procedure, keys } => {
                match frame.mode {
                    Mode::Enter => {
                        let table = self.question(*procedure, keys, first, procedures);
                        self.places[place].source = table.to_bits();
                        if self.must_work(table, frame) {
                            frame.mode = Mode::Return;
                            return None;
                        }
                    }
                    Mode::Retry => return Some(false),
                    Mode::Start | Mode::Return => {}
                }
                Some(self.tables.count(TableId::from_bits(self.places[place].source)) == 0)
            }
            Step::Differ(pairs) => Some(
                frame.mode == Mode::Enter && {
                    let terms = &mut self.terms;
                    let bindings = &self.registers[first..];
                    pairs.iter().any(|(left, right)| left.build(terms, bindings) != right.build(terms, bindings))
                },
            ),
            Step::Same(left, right) => Some(
                frame.mode == Mode::Enter && {
                    let bindings = &self.registers[first..];
                    left.build(&mut self.terms, bindings) == right.build(&mut self.terms, bindings)
                },
            ),
        }
    }

    fn question(&mut self, procedure: u32, keys: &[Template], first: usize, procedures: &[Procedure]) -> TableId {
        self.keys.clear();
        for each in keys {
            self.keys.push(each.build(&mut self.terms, &self.registers[first..]));
        }
        let Procedure { width, lifetime, .. } = procedures[procedure as usize];
        self.tables.table(lifetime, procedure, width, &self.keys)
    }

    /// Whether a question must be worked out before its answers are read.
    fn must_work(&mut self, table: TableId, frame: &mut Frame) -> bool {
        match self.tables.status(table) {
            Status::Complete => false,
            Status::New => true,
            Status::Active(depth) => {
                frame.low = frame.low.min(depth);
                false
            }
            Status::Waiting { round, low } if round == self.round => {
                frame.low = frame.low.min(low);
                false
            }
            Status::Waiting { .. } => true,
        }
    }

    /// All clauses of the uppermost question were tried, or as many as it takes to prove it.
    fn finish(&mut self, procedure: &Procedure) {
        let Some(frame) = self.frames.last().copied() else { return };
        let depth = self.frames.len() as u32 - 1;
        let proven = procedure.width == 0 && self.tables.count(frame.table) > 0;
        if !proven && frame.low == depth && self.added > frame.added_before {
            // Something that asked it missed answers: once more.
            self.last_round += 1;
            self.round = self.last_round;
            let again =
                Frame { clause: 0, step: 0, mode: Mode::Start, low: NOWHERE, added_before: self.added, ..frame };
            self.frames[depth as usize] = again;
            return;
        }
        self.frames.pop();
        self.registers.truncate(frame.first_register as usize);
        self.places.truncate(frame.first_place as usize);
        if !proven && frame.low < depth {
            self.round = frame.round_before;
            self.tables.set_status(frame.table, Status::Waiting { round: self.round, low: frame.low });
            self.waiting.push(frame.table);
            if let Some(below) = self.frames.last_mut() {
                below.low = below.low.min(frame.low);
            }
            return;
        }
        // What waited for this question is complete with it, unless its last try was in a round before this one: a
        // proof that was found sooner may have left it out.
        while self.waiting.len() > frame.first_waiting as usize {
            let Some(table) = self.waiting.pop() else { break };
            let status = match self.tables.status(table) {
                Status::Waiting { round, .. } if round == self.round && !proven => Status::Complete,
                Status::Complete => Status::Complete,
                _ => Status::New,
            };
            self.tables.set_status(table, status);
        }
        self.tables.set_status(frame.table, Status::Complete);
        self.round = frame.round_before;
    }

    /// What holds in a state, or which moves are made, has changed.
    pub(crate) fn changed(&mut self, lifetime: Lifetime) {
        if lifetime == Lifetime::State {
            self.tables.clear(Lifetime::State);
        }
        self.tables.clear(Lifetime::Moves);
    }
}

/// Takes from a term what a question asks for; false if it is not as the keys say.
fn project(
    terms: &Terms,
    tables: &Tables,
    table: TableId,
    shape: &KeyShape,
    term: TermId,
    key: &mut usize,
    found: &mut Vec<TermId>,
) -> bool {
    match shape {
        KeyShape::Key => {
            *key += 1;
            tables.key(table, *key - 1) == term
        }
        KeyShape::Any => {
            found.push(term);
            true
        }
        KeyShape::Compound(name, inner) => {
            let arguments = terms.arguments(term);
            terms.name(term) == *name
                && arguments.len() == inner.len()
                && inner
                    .iter()
                    .zip(arguments)
                    .all(|(shape, &argument)| project(terms, tables, table, shape, argument, key, found))
        }
    }
}
