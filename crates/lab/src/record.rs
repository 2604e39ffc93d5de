//! One game as one line of JSON with a checksum. What is measured (time) is kept apart from what is decided by the
//! seed, so that the records of two runs can be compared byte by byte.

use serde::{Deserialize, Deserializer, Serialize, de};
use spinney_core::random::mix;
use spinney_core::{Outcome, Player, Seed};

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of this format.
    pub v: u32,
    /// The key of its cell.
    pub cell: String,
    /// Number of its pair in the cell.
    pub pair: u64,
    /// 0 when A moves first, 1 when B does.
    #[serde(deserialize_with = "up_to::<1, _, _>")]
    pub game: u8,
    /// Names of the agents, the first player first.
    pub seats: [String; 2],
    /// Seed of the pair; left out of a packed line, because the plan knows it.
    #[serde(default, skip_serializing_if = "is_left_out")]
    pub seed: u64,
    /// Who won: 1, 2, or 0 for a draw.
    #[serde(deserialize_with = "up_to::<2, _, _>")]
    pub winner: u8,
    /// Number of moves.
    #[serde(deserialize_with = "up_to::<MOST, _, _>")]
    pub plies: u64,
    /// Simulations of the first and the second player.
    #[serde(deserialize_with = "both_up_to_most")]
    pub simulations: [u64; 2],
    /// All moves, or their hash.
    pub moves: Moves,
    /// Whether the flag of who lost had fallen; left out where it had not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub lost_on_time: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// No number of one line comes near this, so that sums over many lines fit.
const MOST: u64 = 1 << 44;

/// A line may come from anywhere: what is no game of a pair and no winner would be one of neither player later on.
fn up_to<'de, const MOST: u64, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Copy + Into<u64>,
    D: Deserializer<'de>,
{
    let value = T::deserialize(deserializer)?;
    if value.into() > MOST { Err(de::Error::custom("a number is out of range")) } else { Ok(value) }
}

fn both_up_to_most<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u64; 2], D::Error> {
    let values = <[u64; 2]>::deserialize(deserializer)?;
    if values.iter().any(|value| *value > MOST) {
        return Err(de::Error::custom("a number is out of range"));
    }
    Ok(values)
}

/// Whether these are numbers of a game.
pub(crate) fn in_range(game: u64, winner: u64, plies: u64, simulations: [u64; 2]) -> bool {
    game <= 1 && winner <= 2 && plies <= MOST && simulations.iter().all(|number| *number <= MOST)
}

fn is_left_out(seed: &u64) -> bool {
    *seed == 0
}

/// The moves of a game. A game is its seed: where only the hash is kept, the moves are those of the game played again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Moves {
    /// All of them, separated by spaces.
    Known(String),
    /// The hash of that text.
    Hashed(u32),
}

impl From<String> for Moves {
    fn from(text: String) -> Self {
        Self::Known(text)
    }
}

impl Moves {
    /// Separated by spaces, if they are known.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Hashed(_) => None,
        }
    }

    /// Their hash.
    pub fn hash(&self) -> u32 {
        match self {
            Self::Known(text) => (Seed::new(0).named(text).value() >> 32) as u32,
            Self::Hashed(hash) => *hash,
        }
    }

    /// Whether both can be the moves of one game: a hash agrees with the moves it belongs to.
    pub fn agree(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Known(ours), Self::Known(theirs)) => ours == theirs,
            _ => self.hash() == other.hash(),
        }
    }
}

/// Thinking time of a game, in milliseconds of the first and the second player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The key of the cell.
    pub cell: String,
    /// Number of the pair.
    pub pair: u64,
    /// 0 or 1.
    #[serde(deserialize_with = "up_to::<1, _, _>")]
    pub game: u8,
    /// Milliseconds.
    pub ms: [f64; 2],
}

/// Repetitions of a measurement in a game of one player, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Portion {
    /// Version of this format.
    pub v: u32,
    /// The key of its cell.
    pub cell: String,
    /// Its number in the cell.
    pub portion: u64,
    /// Repetitions in it.
    #[serde(deserialize_with = "up_to::<MOST, _, _>")]
    pub count: u64,
    /// Sums of what is measured.
    pub sums: Vec<f64>,
    /// Sums of the squares.
    pub squares: Vec<f64>,
}

/// The present version of [`Record`] and [`Portion`].
pub const VERSION: u32 = 1;

impl Record {
    /// 1, ½ or 0 points for A.
    pub fn score_of_a(&self) -> f64 {
        score_of_a(self.winner, self.game)
    }

    /// Whether both say the same of a game, one of them perhaps without its moves.
    pub fn agrees(&self, other: &Self) -> bool {
        let decided = |record: &Self| (record.v, record.pair, record.game, record.seed, record.winner, record.plies);
        decided(self) == decided(other)
            && self.cell == other.cell
            && self.seats == other.seats
            && self.simulations == other.simulations
            && self.lost_on_time == other.lost_on_time
            && self.moves.agree(&other.moves)
    }

    /// How it ended, as a number.
    pub fn winner_number(outcome: Outcome) -> u8 {
        match outcome {
            Outcome::Win(Player::First) => 1,
            Outcome::Win(Player::Second) => 2,
            Outcome::Draw | Outcome::Scored => 0,
        }
    }
}

/// 1, ½ or 0 points for A, who moves first in game 0.
pub(crate) fn score_of_a(winner: u8, game: u8) -> f64 {
    match winner {
        0 => 0.5,
        winner if winner == game + 1 => 1.0,
        _ => 0.0,
    }
}

/// The object as a line that ends with its checksum and a newline.
pub fn write_line<T: Serialize>(value: &T) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    let sum = checksum(&line);
    // The closing bracket makes room for the checksum.
    line.pop();
    format!("{line},\"sum\":\"{sum}\"}}\n")
}

/// Reads a line without its newline; the error says what is wrong with it.
pub fn read_line<'a, T: Deserialize<'a>>(line: &'a str, buffer: &'a mut String) -> Result<T, &'static str> {
    serde_json::from_str(without_checksum(line, buffer)?).map_err(|_| "it is not a record of this version")
}

/// The object of a line whose checksum fits, as it was before it got one.
pub fn without_checksum<'a>(line: &str, buffer: &'a mut String) -> Result<&'a str, &'static str> {
    let (body, sum) = line.rsplit_once(",\"sum\":\"").ok_or("it has no checksum")?;
    buffer.clear();
    buffer.push_str(body);
    buffer.push('}');
    if sum.strip_suffix("\"}") != Some(checksum(buffer).as_str()) {
        return Err("its checksum does not fit");
    }
    Ok(buffer)
}

fn checksum(text: &str) -> String {
    format!("{:016x}", Seed::new(0).named(text).value())
}

/// Lines whose checksums are computed together: a step of one waits for the step before, so eight take as long as one.
const TOGETHER: usize = 8;

/// Of each line without its newline whether its checksum fits.
pub(crate) fn sound(lines: &[&[u8]]) -> Vec<bool> {
    let mut sound = vec![false; lines.len()];
    // Of lines of like lengths few steps are taken alone.
    let mut order: Vec<(usize, usize)> = lines.iter().map(|line| line.len()).zip(0..).collect();
    order.sort_unstable();
    for places in order.chunks(TOGETHER) {
        let mut bodies: [&[u8]; TOGETHER] = [&[]; TOGETHER];
        let mut sums = [None; TOGETHER];
        for (lane, (_, place)) in places.iter().enumerate() {
            if let Some((body, sum)) = split(lines[*place]) {
                (bodies[lane], sums[lane]) = (body, Some(sum));
            }
        }
        let found = hashes(bodies);
        for (lane, (_, place)) in places.iter().enumerate() {
            sound[*place] = sums[lane] == Some(found[lane]);
        }
    }
    sound
}

/// What a line says before its checksum, without the closing bracket, and the checksum.
pub(crate) fn split(line: &[u8]) -> Option<(&[u8], u64)> {
    const LENGTH: usize = ",\"sum\":\"0123456789abcdef\"}".len();
    let (body, tail) = line.split_at_checked(line.len().checked_sub(LENGTH)?)?;
    let digits = tail.strip_prefix(b",\"sum\":\"")?.strip_suffix(b"\"}")?;
    let digit = |sum: u64, byte: &u8| match byte {
        b'0'..=b'9' => Some(sum << 4 | u64::from(byte - b'0')),
        b'a'..=b'f' => Some(sum << 4 | u64::from(byte - b'a' + 10)),
        _ => None,
    };
    Some((body, digits.iter().try_fold(0, digit)?))
}

/// What `Seed::child` makes of a byte before it meets the seed.
static MIXED: [u64; 256] = {
    let (mut mixed, mut byte) = ([0; 256], 0);
    while byte < 256 {
        mixed[byte] = mix((byte as u64).wrapping_add(0x9e37_79b9_7f4a_7c15));
        byte += 1;
    }
    mixed
};

/// The checksums of these texts with a closing bracket behind each.
fn hashes(bodies: [&[u8]; TOGETHER]) -> [u64; TOGETHER] {
    let mut seeds = bodies.map(|body| Seed::new(0).child(body.len() as u64 + 1));
    let shared = bodies.iter().map(|body| body.len()).min().unwrap_or(0);
    let heads = bodies.map(|body| &body[..shared]);
    for at in 0..shared {
        for lane in 0..TOGETHER {
            // As `Seed::child` has it, whose inner half is known of every byte.
            seeds[lane] = Seed::new(mix(seeds[lane].value() ^ MIXED[usize::from(heads[lane][at])]));
        }
    }
    for (seed, body) in seeds.iter_mut().zip(bodies) {
        *seed = body[shared..].iter().chain(b"}").fold(*seed, |seed, byte| seed.child(u64::from(*byte)));
    }
    seeds.map(Seed::value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            v: VERSION,
            cell: "00ff".to_string(),
            pair: 3,
            game: 1,
            seats: ["b".to_string(), "a".to_string()],
            seed: u64::MAX,
            winner: 2,
            plies: 2,
            simulations: [10, 20],
            moves: "a1 b2".to_string().into(),
            lost_on_time: false,
        }
    }

    #[test]
    fn a_record_is_read_back_and_any_changed_byte_is_noticed() {
        let line = write_line(&record());
        let text = line.strip_suffix('\n').unwrap();
        assert_eq!(read_line::<Record>(text, &mut String::new()).unwrap(), record());
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= 1;
            let changed = String::from_utf8_lossy(&bytes).into_owned();
            assert!(read_line::<Record>(&changed, &mut String::new()).is_err(), "{changed}");
        }
    }

    #[test]
    fn checksums_of_many_lines_are_those_of_one() {
        let plies = |number: u64| Record { pair: number, moves: "a1 ".repeat(number as usize % 37).into(), ..record() };
        let mut lines: Vec<String> = (0..101).map(|number| write_line(&plies(number)).trim_end().to_string()).collect();
        lines[50] = lines[50].replacen("00ff", "00fe", 1);
        lines[51] = String::new();
        lines[52] = lines[52].replace("\"sum\"", "\"sun\"");
        let bytes: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        let found = sound(&bytes);
        for (line, found) in lines.iter().zip(found) {
            assert_eq!(without_checksum(line, &mut String::new()).is_ok(), found, "{line}");
        }
    }

    #[test]
    fn a_hash_stands_for_the_moves_it_belongs_to() {
        let hashed = Record { moves: Moves::Hashed(record().moves.hash()), ..record() };
        let line = write_line(&hashed);
        assert_eq!(read_line::<Record>(line.trim_end(), &mut String::new()).unwrap(), hashed);
        assert!(hashed.agrees(&record()) && record().agrees(&hashed) && hashed.agrees(&hashed));
        let other = Record { moves: "a1 b3".to_string().into(), ..record() };
        assert!(!hashed.agrees(&other) && !other.agrees(&record()));
        assert!(!hashed.agrees(&Record { winner: 1, ..record() }));
    }

    #[test]
    fn the_score_is_that_of_a() {
        // B moves first and the second player wins: a point for A.
        assert_eq!(record().score_of_a(), 1.0);
        assert_eq!(Record { winner: 1, ..record() }.score_of_a(), 0.0);
        assert_eq!(Record { game: 0, winner: 1, ..record() }.score_of_a(), 1.0);
        assert_eq!(Record { winner: 0, ..record() }.score_of_a(), 0.5);
    }

    #[test]
    fn numbers_of_no_game_are_refused() {
        let line = |change: fn(&mut Record)| {
            let mut record = record();
            change(&mut record);
            let written = write_line(&record);
            read_line::<Record>(written.trim_end(), &mut String::new()).map(|_| ())
        };
        assert_eq!(line(|_| {}), Ok(()));
        let wrong: [fn(&mut Record); 4] = [
            |record| record.game = 2,
            |record| record.winner = 3,
            |record| record.plies = u64::MAX,
            |record| record.simulations[1] = u64::MAX,
        ];
        for change in wrong {
            assert!(line(change).is_err());
        }
    }
}
