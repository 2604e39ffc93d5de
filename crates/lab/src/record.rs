//! One game as one line of JSON with a checksum. What is measured (time) is kept apart from what is decided by the
//! seed, so that the records of two runs can be compared byte by byte.

use serde::{Deserialize, Deserializer, Serialize, de};
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
        match self.winner {
            0 => 0.5,
            winner if winner == self.game + 1 => 1.0,
            _ => 0.0,
        }
    }

    /// Whether both say the same of a game, one of them perhaps without its moves.
    pub fn agrees(&self, other: &Self) -> bool {
        let decided = |record: &Self| (record.v, record.pair, record.game, record.seed, record.winner, record.plies);
        decided(self) == decided(other)
            && self.cell == other.cell
            && self.seats == other.seats
            && self.simulations == other.simulations
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
