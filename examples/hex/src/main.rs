//! Hex with the swap rule as a game of one's own: this file, and it has the whole command line.
//!
//! `cargo run --release -p spinney-example-hex -- play hex`

use spinney::prelude::*;

options! {
    /// Hex.
    pub struct HexOptions {
        /// cells of a side
        size: u8 = 7, in 2 to 10;
        /// the second player may take over the first stone
        swap: bool = true;
    }
}

/// The first player connects top and bottom, the second left and right.
#[derive(Clone, Debug)]
struct Hex {
    size: usize,
    swap: bool,
}

/// Stones as bits; a row has one bit more than cells, which stays empty, so that no neighbour is beyond an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    stones: [u128; 2],
    plies: u8,
    won: bool,
}

impl Hex {
    fn bit(&self, row: usize, column: usize) -> u32 {
        (row * (self.size + 1) + column) as u32
    }

    fn cells(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.size).flat_map(move |row| (0..self.size).map(move |column| self.bit(row, column) as u8))
    }

    /// Whether a player's stones connect his sides: a flood from one of them.
    fn connects(&self, stones: u128, player: usize) -> bool {
        let (stride, last) = (self.size as u32 + 1, self.size - 1);
        let side = |far: usize| -> u128 {
            (0..self.size).map(|i| 1 << if player == 0 { self.bit(far, i) } else { self.bit(i, far) }).sum()
        };
        let mut flood = stones & side(0);
        loop {
            let near = flood << 1 | flood >> 1 | flood << stride | flood >> stride;
            let wider = (flood | near | flood << (stride - 1) | flood >> (stride - 1)) & stones;
            if wider == flood {
                return flood & side(last) != 0;
            }
            flood = wider;
        }
    }
}

impl Game for Hex {
    type State = State;
    type Move = u8;
    type Scratch = ();

    fn initial(&self) -> State {
        State { stones: [0; 2], plies: 0, won: false }
    }

    fn turn(&self, state: &State) -> Turn {
        let mover = Player::BOTH[usize::from(state.plies % 2)];
        if state.won { Turn::Over(Outcome::Win(mover.other())) } else { Turn::Player(mover) }
    }

    fn moves(&self, state: &State, moves: &mut List<u8>) {
        let taken = if self.swap && state.plies == 1 { 0 } else { state.stones[0] | state.stones[1] };
        moves.extend(self.cells().filter(|cell| taken >> cell & 1 == 0));
    }

    fn apply(&self, state: &mut State, cell: u8) {
        let mover = usize::from(state.plies % 2);
        let mut cell = u32::from(cell);
        if state.stones[0] >> cell & 1 == 1 {
            // The stone changes its owner, and the board is turned with it.
            let stride = self.size as u32 + 1;
            state.stones[0] = 0;
            cell = self.bit((cell % stride) as usize, (cell / stride) as usize);
        }
        state.stones[mover] |= 1 << cell;
        state.plies += 1;
        state.won = self.connects(state.stones[mover], mover);
    }

    fn move_ids(&self) -> usize {
        self.size * (self.size + 1)
    }

    fn move_id(&self, _: &State, cell: u8) -> usize {
        usize::from(cell)
    }
}

/// Moves are written as numbers; a board would be the next thing to write.
impl Notation for Hex {}

impl NamedGame for Hex {
    type Options = HexOptions;

    fn open(options: HexOptions) -> Result<Self, InputError> {
        Ok(Self { size: options.size.into(), swap: options.swap })
    }
}

fn main() -> std::process::ExitCode {
    spinney::laboratory().game::<Hex>("hex", "connect your two sides").command_line()
}
