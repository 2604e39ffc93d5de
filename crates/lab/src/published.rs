//! The published numbers, compiled in.

use spinney_core::InputError;
use std::collections::BTreeMap;

/// A published result.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Score of the enhanced player, 0 to 1.
    pub score: f64,
    /// Half the width of its 95 % interval.
    pub margin: Option<f64>,
    /// Number of games.
    pub games: Option<u64>,
    /// Paper and table.
    pub source: String,
}

/// The papers with their tables.
const PAPERS: [(&str, &str); 2] = [
    ("quality-rewards", include_str!("../../../data/published/quality-rewards.csv")),
    ("contextual", include_str!("../../../data/published/contextual.csv")),
];

/// The one row that agrees with all columns of `wanted`; `paper` names the file and the game is the game's name.
/// `None` if the table has no such row.
pub fn find(wanted: &BTreeMap<String, String>, game: &str, place: &str) -> Result<Option<Published>, InputError> {
    let paper = wanted.get("paper").map_or("", String::as_str);
    let Some((_, text)) = PAPERS.iter().find(|(name, _)| *name == paper) else {
        return Err(InputError::unknown(place, "paper", paper, PAPERS.iter().map(|(name, _)| *name)));
    };
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    if let Some(key) = wanted.keys().find(|key| *key != "paper" && !header.contains(&key.as_str())) {
        return Err(InputError::unknown(place, "column", key, header));
    }
    // A game from its rules stands beside the published one of its name.
    let game = game.strip_prefix("gdl:").unwrap_or(game);
    let rows = lines.map(|line| header.iter().copied().zip(line.split(',')).collect::<BTreeMap<_, _>>());
    let matching: Vec<BTreeMap<&str, &str>> = rows
        .filter(|row| row.get("game").is_none_or(|name| *name == game))
        .filter(|row| {
            wanted.iter().all(|(key, value)| key == "paper" || row.get(key.as_str()) == Some(&value.as_str()))
        })
        .collect();
    match matching.as_slice() {
        [] => Ok(None),
        [row] => {
            let number = |key: &str| row.get(key).and_then(|text| text.parse::<f64>().ok());
            Ok(number("win_pct").map(|percent| Published {
                score: percent / 100.0,
                margin: number("ci95").map(|margin| margin / 100.0),
                games: number("games").map(|games| games as u64),
                source: format!("{paper} {}", row.get("table").copied().unwrap_or_default()).trim().to_string(),
            }))
        }
        several => {
            let problem = format!("{} published rows fit {game}", several.len());
            Err(InputError::new(place, problem, "name more columns of the table"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(columns: &[(&str, &str)]) -> BTreeMap<String, String> {
        columns.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    #[test]
    fn a_published_cell_is_found_by_its_columns() {
        let columns =
            [("paper", "quality-rewards"), ("table", "table3-qualitative-bonus"), ("a", "online"), ("seconds", "1")];
        let found = find(&wanted(&columns), "breakthrough", "here").unwrap().unwrap();
        assert_eq!((found.score, found.margin, found.games), (0.748, Some(0.012), Some(5000)));
        assert_eq!(find(&wanted(&columns), "tic-tac-toe", "here").unwrap(), None);
        assert!(find(&wanted(&columns[..3]), "breakthrough", "here").unwrap_err().to_string().contains("rows fit"));
        assert!(find(&wanted(&[("paper", "quality")]), "x", "here").unwrap_err().to_string().contains("did you mean"));
    }
}
