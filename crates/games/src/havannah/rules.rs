//! The rules of Havannah as searches see them.

use super::groups::Groups;
use super::{ALL_AROUND, CORNERS, Cell, Havannah, MOST_CELLS, MOST_ROWS, Move, SHAPES, Shape, State, WORDS};
use spinney_core::{Game, List, MoveSets, Outcome, Player, Published, Random, SetsOf, Turn, Workspace, bits, random};

impl Game for Havannah {
    type State = State;
    type Move = Move;
    type Scratch = ();
    const MOVE_SETS: Option<SetsOf<Self>> = Some(SetsOf::of());

    fn initial(&self) -> State {
        let cells = self.board.cells.len();
        let mut empty = [0; WORDS];
        (0..cells).for_each(|cell| empty[cell / 64] |= 1 << (cell % 64));
        State {
            stones: [[0; MOST_ROWS + 2]; 2],
            empty,
            empty_cells: cells as u16,
            mover: Player::First,
            winner: None,
            groups: [Groups::NONE; 2],
            numbers: [0; MOST_CELLS],
        }
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        match state.winner {
            Some(winner) => Turn::Over(Outcome::Win(winner)),
            None if state.empty_cells == 0 => Turn::Over(Outcome::Draw),
            None => Turn::Player(state.mover),
        }
    }

    #[inline]
    fn moves(&self, state: &State, moves: &mut List<Move>) {
        for (word, &set) in (0u16..).zip(&state.empty) {
            moves.extend(bits::squares(set).map(|bit| Move(64 * word + u16::from(bit))));
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let mover = state.mover;
        if self.place(state, mv.0, mover) {
            state.winner = Some(mover);
        }
        state.mover = mover.other();
    }

    #[inline]
    fn move_ids(&self) -> usize {
        self.board.cells.len()
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        usize::from(mv.0)
    }

    #[inline(always)]
    fn outcome_after(&self, state: &State, mv: Move, _: &mut Workspace<Self>) -> Option<Outcome> {
        // The players place stones in turn, so this is how many the mover has.
        let stones = (self.board.cells.len() as u16 - state.empty_cells) / 2;
        if stones + 1 >= self.board.least_stones && self.would_win(state, mv.0, state.mover) {
            Some(Outcome::Win(state.mover))
        } else {
            (state.empty_cells == 1).then_some(Outcome::Draw)
        }
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, _: &mut Workspace<Self>) -> Option<Move> {
        let index = random.below(u32::from(state.empty_cells));
        // The word is found with comparisons instead of branches, which would be wrong half of the time.
        let (mut word, mut before, mut sum) = (0, 0, 0);
        let mut look = |set: u64| {
            sum += set.count_ones();
            let further = index >= sum;
            word += usize::from(further);
            before = if further { sum } else { before };
        };
        look(state.empty[0]);
        look(state.empty[1]);
        if self.board.words > 3 {
            look(state.empty[2]);
            look(state.empty[3]);
        }
        let cell = bits::select(state.empty[word], index - before).trailing_zeros();
        Some(Move((64 * word) as u16 + cell as u16))
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        let rows = state.stones.iter().flatten();
        Some(rows.fold(state.mover.index() as u64, |key, &row| random::mix(key ^ u64::from(row))))
    }

    /// Of "Contextual Monte Carlo" (Rimmel and Teytaud, EvoGames 2010): √(2 ln n / n) for rewards of 0 and 1.
    fn published(&self) -> Published {
        Published { agent: "c=2.8284", simulations_per_second: 1_000 }
    }
}

impl MoveSets for Havannah {
    #[inline(always)]
    fn move_set<'a>(&self, state: &'a State) -> &'a [u64] {
        &state.empty[..self.board.words]
    }

    #[inline(always)]
    fn move_with_id(&self, _: &State, id: usize) -> Move {
        Move(id as u16)
    }
}

/// Whether these marks are a bridge or a fork.
#[inline(always)]
fn connects(marks: u16) -> bool {
    (marks & CORNERS).count_ones() >= 2 || (marks >> 6).count_ones() >= 3
}

/// The pattern of stones around a cell.
#[inline(always)]
fn pattern(stones: &[u32; MOST_ROWS + 2], cell: &Cell) -> usize {
    let (row, column) = (usize::from(cell.row), u32::from(cell.column));
    let above = stones[row] >> column & 0b11;
    let beside = stones[row + 1] >> column & 0b101;
    let below = stones[row + 2] >> (column + 1) & 0b11;
    (above | beside << 2 | below << 5) as usize
}

impl Havannah {
    /// Puts a stone on the board and says whether it completes a bridge, a fork or a ring.
    #[inline(always)]
    pub(super) fn place(&self, state: &mut State, number: u16, player: Player) -> bool {
        let cell = &self.board.cells[usize::from(number)];
        let own = &mut state.stones[player.index()];
        let pattern = pattern(own, cell);
        own[usize::from(cell.row) + 1] |= 2 << cell.column;
        state.empty[usize::from(number) / 64] &= !(1 << (number % 64));
        state.empty_cells -= 1;
        let shape = &SHAPES[pattern];
        let groups = &mut state.groups[player.index()];
        let new = groups.next(shape.runs == 0);
        let numbers = &mut state.numbers;
        // By masks instead of branches, which would be wrong for every second stone.
        let group =
            |head: usize| groups.name(numbers[cell.neighbour(shape.heads[head])] & shape.joins | new & !shape.joins);
        let (name, second) = (group(0), group(1));
        let mut ring = shape.joins_two & (name == second);
        let mut marks = cell.marks | groups.marks(name) | groups.marks(second);
        numbers[usize::from(number)] = name;
        groups.rename(second, name);
        if shape.runs == 3 {
            let third = groups.name(numbers[cell.neighbour(shape.heads[2])]);
            ring |= third == name;
            marks |= groups.marks(third);
            groups.rename(third, name);
        }
        groups.set_marks(name, marks);
        ring || connects(marks) || self.fills(&state.stones[player.index()], cell, shape)
    }

    /// Whether an own neighbour of a cell just filled has six own neighbours.
    #[inline(always)]
    fn fills(&self, own: &[u32; MOST_ROWS + 2], cell: &Cell, shape: &Shape) -> bool {
        bits::squares(u64::from(shape.centres)).any(|bit| {
            let centre = &self.board.cells[cell.neighbour(bit)];
            pattern(own, centre) & ALL_AROUND == ALL_AROUND
        })
    }

    /// What `place` would say.
    #[inline(always)]
    pub(super) fn would_win(&self, state: &State, number: u16, player: Player) -> bool {
        let cell = &self.board.cells[usize::from(number)];
        let own = &state.stones[player.index()];
        let shape = &SHAPES[pattern(own, cell)];
        let groups = &state.groups[player.index()];
        let mut names = [0; 3];
        let mut marks = cell.marks;
        for run in 0..usize::from(shape.runs) {
            let name = groups.name(state.numbers[cell.neighbour(shape.heads[run])]);
            if names[..run].contains(&name) {
                return true;
            }
            names[run] = name;
            marks |= groups.marks(name);
        }
        if shape.runs > 0 && connects(marks) {
            return true;
        }
        if shape.centres == 0 {
            return false;
        }
        let mut own = *own;
        own[usize::from(cell.row) + 1] |= 2 << cell.column;
        self.fills(&own, cell, shape)
    }
}
