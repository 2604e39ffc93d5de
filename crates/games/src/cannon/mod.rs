//! Cannon (David Whitcher, 2003): soldiers in a row of three are a cannon, and the enemy town must fall.
//!
//! The first two plies place the towns on the home rows, not on a corner. Then a turn is one of: a soldier *steps*
//! forward, straight or diagonally; *captures* an enemy soldier on such a point or beside it; *retreats* two points
//! straight or diagonally back over an empty point if an enemy soldier stands next to it; or of three soldiers in a
//! line the last *slides* to the point before the first, or the three *shoot* an enemy soldier two or three points
//! before the first, if the point right before it is empty. A move that leaves one's own town open to capture or to
//! a shot is illegal, and who has no legal move loses. After more than 1000 plies the game is a draw.
//!
//! `variant=engine2014` has the published engine's move generator: towns on corners; no step to, capture on or
//! attack on a town from the top left point; retreats from the second and the last column but one that wrap around
//! to the far edge; on the edge columns a retreat's neighbour test that skips two neighbours and looks at the far end
//! of the row instead; no retreat of the second player from its third row to its first. One deviation is left
//! out: the engine's play-out policy did not test its checking moves for the own town's safety (no such move was
//! ever seen to be illegal).
//!
//! Sets of points are 128-bit words, and a word's shift is a step of all soldiers at once.

mod generate;
mod moves;
mod points;

pub use moves::Move;

use crate::variant::Variant;
use generate::View;
use moves::{Generated, TOWN};
use points::*;
use spinney_core::game::draw_weighted;
use spinney_core::notation::{PositionText, draw_grid, square_name};
use spinney_core::scene::{Figure, Scene, Shape, Tone};
use spinney_core::{Game, InputError, Notation, Outcome, Parameters, Player, Random, Turn, Weighted, random};

spinney_core::options! {
    /// Which rules are played.
    pub struct Options {
        /// towns may be placed on corners
        corners: bool = false;
        /// a shot at three points' distance needs both points before its target to be empty
        strict_shots: bool = false;
        /// the rules of the game or those of the published engine
        variant: Variant = Variant::Standard;
    }
}

/// The rules.
///
/// ```
/// use spinney_core::{Game, perft};
/// let game = spinney_games::Cannon::default();
/// assert_eq!(perft(&game, &game.initial(), 3), 2656);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cannon {
    options: Options,
    /// Points that can be stepped to, captured on and attacked from.
    reachable: u128,
}

/// Soldiers and towns of the first and of the second player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    soldiers: [u128; 2],
    /// Indices of `TOWNS`.
    towns: [u8; 2],
    plies: u16,
}

impl State {
    #[inline(always)]
    fn mover(&self) -> Player {
        Player::BOTH[usize::from(self.plies & 1)]
    }

    #[inline(always)]
    fn places_towns(&self) -> bool {
        self.plies < 2
    }
}

const LONGEST_PLIES: u16 = 1000;
const SOLDIERS: u32 = 15;
/// How much likelier a shot is than a capture.
const SHOT_WEIGHT: u32 = 4;

impl Cannon {
    /// The rules for these options.
    pub fn new(options: Options) -> Self {
        let reachable = if options.variant == Variant::Engine2014 { BOARD & !TOP_LEFT } else { BOARD };
        Self { options, reachable }
    }

    #[inline(always)]
    fn is_engine(&self) -> bool {
        self.options.variant == Variant::Engine2014
    }

    /// Where the player to move may place its town.
    fn town_points(&self, state: &State) -> u128 {
        let row = if self.options.corners || self.is_engine() { ROW } else { ROW & !(1 | 1 << 9) };
        match state.mover() {
            Player::First => row << (9 * STRIDE),
            Player::Second => row,
        }
    }

    /// Draws from all layers; if the move is illegal, from the list of legal moves, which keeps the draw uniform.
    #[inline(always)]
    fn draw_any<const UP: bool>(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        let view = self.view(state);
        let mut found = Generated::new::<UP>();
        self.generate::<UP>(&view, &mut found);
        let Generated { quiet, captures, shots } = &found;
        let total = quiet.moves + captures.moves + shots.moves;
        if total == 0 {
            return None;
        }
        let ticket = random.below(total);
        let mv = if ticket < quiet.moves {
            quiet.pick(ticket)
        } else if ticket < quiet.moves + captures.moves {
            captures.pick(ticket - quiet.moves)
        } else {
            shots.pick(ticket - quiet.moves - captures.moves)
        }?;
        if self.is_legal(&view, mv) {
            return Some(mv);
        }
        moves.clear();
        self.list::<UP>(&view, moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len() as u32) as usize])
    }

    fn list_policy<const UP: bool>(&self, view: &View, candidates: &mut Vec<Weighted<Move>>) {
        let mut found = Generated::new::<UP>();
        self.generate::<UP>(view, &mut found);
        let Generated { quiet, captures, shots } = &found;
        let before = candidates.len();
        self.each_check(view, quiet, |mv| candidates.push(Weighted { mv, weight: 1 }));
        if candidates.len() > before {
            return;
        }
        let legal = |mv: &Move| self.is_legal(view, *mv);
        let weighted = |weight| move |mv| Weighted { mv, weight };
        candidates.extend(captures.moves().filter(legal).map(weighted(1)));
        candidates.extend(shots.moves().filter(legal).map(weighted(SHOT_WEIGHT)));
        if candidates.len() == before {
            candidates.extend(quiet.moves().filter(legal).map(weighted(1)));
        }
    }

    #[inline(always)]
    fn draw_policy<const UP: bool>(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<Move>,
        candidates: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        let view = self.view(state);
        let mut found = Generated::new::<UP>();
        self.generate::<UP>(&view, &mut found);
        let Generated { quiet, captures, shots } = &found;
        moves.clear();
        self.each_check(&view, quiet, |mv| moves.push(mv));
        if !moves.is_empty() {
            return Some(moves[random.below(moves.len() as u32) as usize]);
        }
        let total = captures.moves + SHOT_WEIGHT * shots.moves;
        let mv = if total == 0 {
            if quiet.moves == 0 {
                return None;
            }
            quiet.pick(random.below(quiet.moves))
        } else {
            let ticket = random.below(total);
            if ticket < captures.moves {
                captures.pick(ticket)
            } else {
                shots.pick((ticket - captures.moves) / SHOT_WEIGHT)
            }
        }?;
        if self.is_legal(&view, mv) {
            return Some(mv);
        }
        candidates.clear();
        self.list_policy::<UP>(&view, candidates);
        draw_weighted(candidates, random)
    }

    fn letter(state: &State, column: usize, row: usize) -> char {
        let point = 1 << (STRIDE * row + column);
        let has = |set: u128| set & point != 0;
        match () {
            () if has(state.soldiers[0]) => '1',
            () if has(state.soldiers[1]) => '2',
            () if has(TOWNS[usize::from(state.towns[0])].point) => 'T',
            () if has(TOWNS[usize::from(state.towns[1])].point) => 'U',
            () => '.',
        }
    }
}

impl Default for Cannon {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Game for Cannon {
    type State = State;
    type Move = Move;

    fn initial(&self) -> State {
        State { soldiers: START, towns: [NO_TOWN; 2], plies: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        let turn = self.quick_turn(state);
        if state.places_towns() || matches!(turn, Turn::Over(_)) {
            return turn;
        }
        let view = self.view(state);
        let has_move = match state.mover() {
            Player::First => self.has_move::<true>(&view),
            Player::Second => self.has_move::<false>(&view),
        };
        if has_move { turn } else { Turn::Over(Outcome::Win(state.mover().other())) }
    }

    #[inline(always)]
    fn quick_turn(&self, state: &State) -> Turn {
        if state.plies > LONGEST_PLIES { Turn::Over(Outcome::Draw) } else { Turn::Player(state.mover()) }
    }

    fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        if state.places_towns() {
            moves.extend(points(self.town_points(state)).map(|to| Move::new(to, TOWN)));
            return;
        }
        let view = self.view(state);
        match state.mover() {
            Player::First => self.list::<true>(&view, moves),
            Player::Second => self.list::<false>(&view, moves),
        }
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, mv: Move) {
        let mover = state.mover().index();
        state.plies += 1;
        if mv.way() == TOWN {
            state.towns[mover] = (mv.to() as usize % STRIDE + SIZE * mover) as u8;
            return;
        }
        let to = 1u128 << mv.to();
        state.soldiers[1 - mover] &= !to;
        if !mv.is_shot() {
            state.soldiers[mover] ^= to | 1u128 << mv.from();
        }
    }

    fn move_ids(&self) -> usize {
        Move::IDS
    }

    #[inline(always)]
    fn move_id(&self, _: &State, mv: Move) -> usize {
        mv.id()
    }

    #[inline(always)]
    fn random_move(&self, state: &State, random: &mut Random, moves: &mut Vec<Move>) -> Option<Move> {
        if state.places_towns() {
            return self.random_town(state, random);
        }
        match state.mover() {
            Player::First => self.draw_any::<true>(state, random, moves),
            Player::Second => self.draw_any::<false>(state, random, moves),
        }
    }

    fn has_policy(&self) -> bool {
        true
    }

    /// Steps, retreats and slides that attack the enemy town if there are any; else captures, and shots with
    /// weight 4; else every move.
    fn policy(&self, state: &State, _: &mut Random, moves: &mut Vec<Move>, candidates: &mut Vec<Weighted<Move>>) {
        if state.places_towns() {
            moves.clear();
            self.moves(state, moves);
            candidates.extend(moves.iter().map(|&mv| Weighted { mv, weight: 1 }));
            return;
        }
        let view = self.view(state);
        match state.mover() {
            Player::First => self.list_policy::<true>(&view, candidates),
            Player::Second => self.list_policy::<false>(&view, candidates),
        }
    }

    #[inline(always)]
    fn policy_move(
        &self,
        state: &State,
        random: &mut Random,
        moves: &mut Vec<Move>,
        candidates: &mut Vec<Weighted<Move>>,
    ) -> Option<Move> {
        if state.places_towns() {
            return self.random_town(state, random);
        }
        match state.mover() {
            Player::First => self.draw_policy::<true>(state, random, moves, candidates),
            Player::Second => self.draw_policy::<false>(state, random, moves, candidates),
        }
    }

    /// Difference of soldiers over 15; negative when the winner is behind.
    fn quality(&self, state: &State, winner: Player) -> f32 {
        let [first, second] = state.soldiers.map(|set| set.count_ones() as f32);
        (if winner == Player::First { first - second } else { second - first }) / SOLDIERS as f32
    }

    /// Soldiers, squashed into (−1, 1).
    fn evaluate(&self, state: &State, player: Player) -> Option<f32> {
        let lead = self.quality(state, player);
        Some(lead / (0.25 + lead.abs()))
    }

    fn key(&self, state: &State) -> Option<u64> {
        let fold = |key: u64, set: u128| random::mix(random::mix(key ^ set as u64) ^ (set >> 64) as u64);
        let [own, other] = state.towns.map(u64::from);
        Some(state.soldiers.into_iter().fold(own << 16 | other << 8 | u64::from(state.plies & 1), fold))
    }

    /// Published in "Quality-based Rewards for Monte-Carlo Tree Search Simulations" (ECAI 2014).
    fn parameters(&self) -> Parameters {
        Parameters {
            exploration: 0.8,
            mast_epsilon: None,
            simulations_per_second: 2_000,
            relative_steepness: 3.0,
            qualitative_steepness: 4.0,
        }
    }
}

impl Cannon {
    fn random_town(&self, state: &State, random: &mut Random) -> Option<Move> {
        let points = self.town_points(state);
        Some(Move::new(select(points, random.below(points.count_ones())), TOWN))
    }

    /// Towns as indices of `TOWNS`.
    fn read_towns(&self, found: [u128; 2]) -> Result<[u8; 2], InputError> {
        let wrong = |problem: String, remedy: &str| Err(InputError::new("position", problem, remedy));
        let mut towns = [NO_TOWN; 2];
        for (side, letter, row) in [(0, 'T', "last"), (1, 'U', "first")] {
            if found[side] == 0 {
                continue;
            }
            if !is_single(found[side]) {
                return wrong(format!("there is more than one `{letter}`"), "a side has one town");
            }
            let index = (0..20).find(|&index| TOWNS[index].point == found[side] && index / SIZE == side);
            let Some(index) = index else {
                return wrong(format!("`{letter}` is not on its home row"), &format!("put it on the {row} row"));
            };
            if matches!(index % SIZE, 0 | 9) && !self.options.corners && !self.is_engine() {
                return wrong(format!("`{letter}` is on a corner"), "move it, or play cannon(corners)");
            }
            towns[side] = index as u8;
        }
        Ok(towns)
    }
}

impl Notation for Cannon {
    /// Rows from the top, the side to move and the number of plies played.
    fn write_position(&self, state: &State) -> String {
        let row = |row: usize| (0..SIZE).map(|column| Self::letter(state, column, row)).collect::<String>();
        let board: Vec<String> = (0..SIZE).map(row).collect();
        format!("{} {} {}", board.join("/"), state.mover().number(), state.plies)
    }

    /// The number of plies may be left out; then it is the smallest that fits the board and the side to move.
    fn read_position(&self, text: &str) -> Result<State, InputError> {
        let wrong = |problem: &str, remedy: &str| Err(InputError::new("position", problem, remedy));
        let read = PositionText::read(text, "12TU.")?;
        if read.rows.len() != SIZE {
            return wrong(&format!("the board has {} rows", read.rows.len()), "write 10 rows of 10 points");
        }
        let mut sets = [0u128; 4];
        for (row, letters) in read.rows.iter().enumerate() {
            if letters.len() != SIZE {
                let place = format!("position, row {} from the top", row + 1);
                return Err(InputError::new(place, format!("it has {} points", letters.len()), "make it 10 points"));
            }
            for (column, letter) in letters.iter().enumerate() {
                if let Some(set) = b"12TU".iter().position(|known| known == letter) {
                    sets[set] |= 1 << (STRIDE * row + column);
                }
            }
        }
        let soldiers = [sets[0], sets[1]];
        if let Some(side) = soldiers.iter().position(|set| set.count_ones() > SOLDIERS) {
            let problem = format!("there are {} `{}`", soldiers[side].count_ones(), side + 1);
            return wrong(&problem, "a side has at most 15 soldiers");
        }
        let towns = self.read_towns([sets[2], sets[3]])?;
        let parity = read.mover.index() as u16;
        let least = match towns.map(|town| town != NO_TOWN) {
            [false, false] => 0,
            [true, false] => 1,
            [false, true] => return wrong("the first player has no town", "put a `T` on the last row"),
            [true, true] if soldiers == START => 2 + parity,
            [true, true] => 4 - parity,
        };
        if least < 2 && soldiers != START {
            return wrong("a town is missing", "put it on the board: soldiers move when both are placed");
        }
        let plies = read.plies(least, LONGEST_PLIES + 1)?;
        if least < 2 && plies != least {
            return wrong("the towns do not fit the number of plies", "the first two plies place them");
        }
        let state = State { soldiers, towns, plies };
        let view = self.view(&state);
        if plies > 2 && self.attacks(view.own, view.target, view.empty) {
            let letter = ['U', 'T'][usize::from(parity)];
            let problem = format!("`{letter}` is attacked though its owner just moved");
            return wrong(&problem, "give the move to the other side");
        }
        Ok(state)
    }

    /// `@e1` places a town, `e2-e3` steps, retreats or slides, `e4xd5` captures, `e4*e6` shoots.
    fn write_move(&self, _: &State, mv: Move) -> String {
        let name = |point: u32| square_name(point as usize % STRIDE, SIZE - 1 - point as usize / STRIDE);
        if mv.way() == TOWN {
            return format!("@{}", name(mv.to()));
        }
        let sign = if mv.is_shot() {
            '*'
        } else if mv.is_capture() {
            'x'
        } else {
            '-'
        };
        format!("{}{sign}{}", name(mv.from()), name(mv.to()))
    }

    fn draw(&self, state: &State) -> String {
        draw_grid(SIZE, SIZE, |column, rank| Self::letter(state, column, SIZE - 1 - rank))
    }

    fn scene(&self, state: &State) -> Scene {
        let home = |_: usize, rank: usize| match rank {
            0 => Tone::Home(Player::First),
            rank if rank == SIZE - 1 => Tone::Home(Player::Second),
            _ => Tone::Plain,
        };
        let letter = |cell: usize| Self::letter(state, cell % SIZE, SIZE - 1 - cell / SIZE);
        let meanings = [
            ('1', Some(Player::First), Figure::Soldier),
            ('2', Some(Player::Second), Figure::Soldier),
            ('T', Some(Player::First), Figure::Town),
            ('U', Some(Player::Second), Figure::Town),
        ];
        let (last, top) = (SIZE - 1, SIZE * (SIZE - 1));
        let lines = (0..SIZE).flat_map(|at| [[at, top + at], [at * SIZE, at * SIZE + last]]).collect();
        Scene { shape: Shape::Point, lines, ..Scene::squares(SIZE, SIZE, home).with_letters(letter, &meanings) }
    }

    fn player_name(&self, player: Player) -> &'static str {
        ["first player (1, town T, moves up)", "second player (2, town U, moves down)"][player.index()]
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_core::Seed;

    fn with(options: Options) -> Cannon {
        Cannon::new(options)
    }

    fn engine() -> Cannon {
        with(Options { variant: Variant::Engine2014, ..Options::default() })
    }

    /// The position with these pieces, each a letter and a point: `Te1 Ub10 1e5`.
    fn position(pieces: &str, rest: &str) -> String {
        let mut rows = [['.'; SIZE]; SIZE];
        for piece in pieces.split_whitespace() {
            let letters: Vec<char> = piece.chars().collect();
            let rank: usize = piece[2..].parse().unwrap();
            rows[SIZE - rank][letters[1] as usize - 'a' as usize] = letters[0];
        }
        let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        format!("{} {rest}", rows.join("/"))
    }

    /// The legal moves by name, sorted.
    fn names(game: &Cannon, pieces: &str, rest: &str) -> Vec<String> {
        let state = game.read_position(&position(pieces, rest)).unwrap();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let mut names: Vec<String> = moves.iter().map(|&mv| game.write_move(&state, mv)).collect();
        names.sort();
        names
    }

    fn has(game: &Cannon, pieces: &str, rest: &str, mv: &str) -> bool {
        names(game, pieces, rest).iter().any(|name| name == mv)
    }

    #[test]
    fn towns_are_placed_first_and_not_on_corners() {
        let game = Cannon::default();
        let mut state = game.initial();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert_eq!(moves.len(), 8);
        let mv = game.read_move(&state, "@e1").unwrap();
        game.apply(&mut state, mv);
        assert!(game.read_move(&state, "@a10").is_err());
        let cornered = with(Options { corners: true, ..Options::default() });
        assert!(cornered.read_move(&state, "@a10").is_ok());
        assert!(game.read_move(&state, "@f10").is_ok());
    }

    #[test]
    fn soldiers_step_capture_and_retreat_from_an_enemy() {
        let game = Cannon::default();
        let expected = ["e5-c3", "e5-d6", "e5-e3", "e5-f6", "e5-g3", "e5xe6"];
        assert_eq!(names(&game, "Te1 Ub10 1e5 2e6", "1"), expected);
        let expected = ["e5-d6", "e5-e6", "e5-f6", "e5-g3", "e5xd5"];
        assert_eq!(names(&game, "Te1 Ub10 1e5 2d5 2e4 2c3", "1"), expected);
        assert_eq!(names(&game, "Te1 Ub10 1e5", "1"), ["e5-d6", "e5-e6", "e5-f6"]);
    }

    /// A cannon slides both ways and shoots two or three points far; a piece between is in the way only of strict
    /// shots, one right before the cannon of every shot.
    #[test]
    fn cannons_slide_and_shoot() {
        let pieces = "Ta1 Ub10 1e4 1e5 1e6 2e8 2e9";
        let game = with(Options { corners: true, ..Options::default() });
        for mv in ["e4-e7", "e6-e3", "e6*e8", "e6*e9"] {
            assert!(has(&game, pieces, "1", mv), "{mv}");
        }
        let strict = with(Options { corners: true, strict_shots: true, ..Options::default() });
        assert!(has(&strict, pieces, "1", "e6*e8") && !has(&strict, pieces, "1", "e6*e9"));
        assert!(has(&strict, "Ta1 Ub10 1e4 1e5 1e6 2e9", "1", "e6*e9"));
        assert!(!has(&game, "Ta1 Ub10 1e4 1e5 1e6 2e7 2e8", "1", "e6*e8"));
        // Over the edge there is nothing to shoot at.
        assert!(!has(&game, "Ta1 Ub10 1g5 1h5 1i5 2a5 2b5 2a6", "1", "i5*a5"));
    }

    /// The soldier on e2 covers the town from the cannon behind it and may only capture its first soldier.
    #[test]
    fn a_pinned_soldier_stays_in_its_line() {
        let game = Cannon::default();
        assert_eq!(names(&game, "Te1 Ub10 1e2 2e3 2e4 2e5 1j5", "1"), ["e2xe3", "j5-i6", "j5-j6"]);
        // A cannon three points away: e3 must stay, e2 is free.
        assert!(!has(&game, "Te1 Ub10 1e3 2e4 2e5 2e6", "1", "e3-d4"));
        assert!(has(&game, "Te1 Ub10 1e3 2e4 2e5 2e6", "1", "e3xe4"));
        let strict = with(Options { strict_shots: true, ..Options::default() });
        assert!(has(&strict, "Te1 Ub10 1e3 1e2 2e4 2e5 2e6", "1", "e3-d4"));
        assert!(!has(&strict, "Te1 Ub10 1e3 2e4 2e5 2e6", "1", "e3-d4"));
    }

    /// An own shot that clears the line before an enemy cannon is illegal too.
    #[test]
    fn a_shot_may_not_open_the_line_to_the_town() {
        let pieces = "Te1 Ub10 2e3 2e4 2e5 2e6 1e2 1g3 1h3 1i3";
        assert!(!has(&Cannon::default(), pieces, "1", "g3*e3"));
        assert!(has(&Cannon::default(), "Te1 Ub10 2e3 2e4 2e5 1e2 1g3 1h3 1i3", "1", "g3*e3"));
    }

    #[test]
    fn an_attack_on_the_town_must_be_answered() {
        let game = Cannon::default();
        assert_eq!(names(&game, "Te1 Ub10 2d2 1c1 1j5", "1"), ["c1xd2"]);
        // A shot from e3 is stopped by a soldier on e2.
        assert_eq!(names(&game, "Te1 Ub10 2e3 2e4 2e5 1f1 1j5", "1"), ["f1-e2"]);
    }

    #[test]
    fn without_a_legal_move_the_game_is_lost() {
        let game = Cannon::default();
        for pieces in ["Te1 Ub10 2d2 2f2 1j5", "Te1 Ub10 2d5", "Te1 Ub10 1j10 2a5"] {
            let state = game.read_position(&position(pieces, "1")).unwrap();
            assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::Second)), "{pieces}");
        }
    }

    #[test]
    fn the_game_is_drawn_after_more_than_1000_plies() {
        let game = Cannon::default();
        let state = game.read_position(&position("Te1 Ub10 1e5 2a5", "1 1000")).unwrap();
        assert_eq!(game.turn(&state), Turn::Player(Player::First));
        let mv = game.read_move(&state, "e5-e6").unwrap();
        assert_eq!(game.outcome_after(&state, mv), Some(Outcome::Draw));
        // The draw comes before a win on the same ply.
        let state = game.read_position(&position("Te1 Ub10 2d2 2f2 1j5", "1 1000")).unwrap();
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Player::Second)));
        let state = game.read_position(&position("Te1 Ub10 1a9 1c9 2j5", "2 1001")).unwrap();
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Draw));
    }

    #[test]
    fn the_engine_cannot_use_the_top_left_point() {
        assert!(has(&Cannon::default(), "Te1 Ue10 1b9", "1", "b9-a10"));
        assert!(!has(&engine(), "Te1 Ue10 1b9", "1", "b9-a10"));
        assert!(!has(&engine(), "Te1 Ue10 1b9 2a10", "1", "b9xa10"));
        let beside = position("Te1 Ub10 1a10 2e5", "2");
        assert_eq!(Cannon::default().turn(&Cannon::default().read_position(&beside).unwrap()), {
            Turn::Over(Outcome::Win(Player::First))
        });
        assert_eq!(engine().turn(&engine().read_position(&beside).unwrap()), Turn::Player(Player::Second));
    }

    #[test]
    fn the_engine_retreats_around_the_board() {
        for (pieces, side, mv, standard, published) in [
            ("Te1 Ub10 1b5 2b6", "1", "b5-j4", false, true),
            ("Te1 Ub10 1i5 2i6", "1", "i5-a2", false, true),
            ("Te1 Ub10 1b4 2b5", "2", "b5-j8", false, true),
            ("Te1 Ub10 1i4 2i5", "2", "i5-a6", false, true),
            ("Te1 Ub10 1b2 2b3", "1", "b2-j1", false, false),
            ("Te1 Ub10 2e8 1e7", "2", "e8-e10", true, false),
            ("Te1 Ub10 1f3 2f4", "1", "f3-f1", true, true),
            ("Te1 Ub10 1a5 2a6", "1", "a5-a3", true, false),
            ("Te1 Ub10 1a5 2a4", "1", "a5-c3", true, true),
            ("Te1 Ub10 1a5 2j5", "1", "a5-a3", false, true),
            ("Te1 Ub10 1j5 2a5", "1", "j5-j3", false, true),
        ] {
            assert_eq!(has(&Cannon::default(), pieces, side, mv), standard, "{mv} with {pieces}");
            assert_eq!(has(&engine(), pieces, side, mv), published, "engine: {mv} with {pieces}");
        }
    }

    /// Checks first, then shots four times as likely as captures.
    #[test]
    fn the_policy_checks_then_takes() {
        let game = Cannon::default();
        let candidates = |pieces: &str| {
            let state = game.read_position(&position(pieces, "1")).unwrap();
            let mut candidates = Vec::new();
            game.policy(&state, &mut Random::new(Seed::new(1)), &mut Vec::new(), &mut candidates);
            let mut named: Vec<(String, u32)> =
                candidates.iter().map(|one| (game.write_move(&state, one.mv), one.weight)).collect();
            named.sort();
            named
        };
        let one = |name: &str, weight| (name.to_string(), weight);
        assert_eq!(candidates("Te1 Ue10 1e8 2e7 1a5 2a6"), [one("e8-d9", 1), one("e8-e9", 1), one("e8-f9", 1)]);
        assert_eq!(candidates("Te1 Uh10 1e4 1e5 1e6 2e8 2d7"), [one("e6*e8", 4), one("e6xd7", 1)]);
        // The slide empties e8 and completes the cannon three points from the town.
        let checks = [one("e8-d9", 1), one("e8-e5", 1), one("e8-f9", 1)];
        assert_eq!(candidates("Te1 Ue10 2e9 1e8 1e7 1e6"), checks);
    }

    #[test]
    fn quality_is_the_lead_in_soldiers() {
        let game = Cannon::default();
        let state = game.read_position(&position("Te1 Ub10 1e5 1e6 2d2 2f2 2a3 2a4 2a5", "1")).unwrap();
        assert!((game.quality(&state, Player::Second) - 0.2).abs() < 1e-6);
    }

    #[test]
    fn impossible_positions_are_refused_with_a_remedy() {
        let game = Cannon::default();
        for (pieces, rest, part) in [
            ("Te1", "1", "a town is missing"),
            ("Ue10", "1", "put a `T`"),
            ("Te1 Te2 Ub10", "1", "more than one `T`"),
            ("Te2 Ub10", "1", "not on its home row"),
            ("Ta1 Ub10", "1", "corner"),
            ("Te1 Ub10", "1 3", "does not fit"),
            ("Te1 Ub10 1a5", "1 2", "too few"),
            ("Te1 Ub10 1a5", "1 1002", "from 0 to 1001"),
            ("Te1 Ub10 1b9 2a4", "1", "`U` is attacked"),
        ] {
            let error = game.read_position(&position(pieces, rest)).unwrap_err().to_string();
            assert!(error.contains(part), "{pieces} {rest}: {error}");
        }
        assert!(game.read_position("11111111111/......... 1").is_err());
    }
}
