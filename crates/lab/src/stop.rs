//! Stopping rules as experiments and the command line write them: when a cell may end before its largest number of games.
//!
//! ```toml
//! stop = { sprt = [0, 20] }               # normalised Elo; alpha = 0.05, beta = 0.05
//! stop = { sprt = { score = [50, 55] } }  # or { elo = [0, 20] }
//! stop = { precision = 2.0 }              # half the width of the 95 % interval, in points
//! stop = { decide = "published" }         # margin = that of the experiment
//! stop = { anytime = true }               # until 50 % is excluded
//! ```
//!
//! What decides a single game is not touched: a rule is no part of a cell's hash, and runs with and without one share
//! their games. [`crate::referee`] applies it.

use crate::plan::Cell;
use spinney_core::InputError;
use spinney_stats::{BLOCK_PAIRS, Conclusion, SequentialTest, StoppingRule};
use std::fmt::{self, Display, Formatter};
use toml::{Table, Value};

/// A rule with the pairs between two looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// What ends a cell.
    pub kind: Kind,
    /// Pairs between two looks.
    pub block: u64,
}

/// What ends a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A sequential probability ratio test.
    Sprt {
        /// What the hypotheses are numbers of.
        scale: Scale,
        /// The null hypothesis and the alternative.
        hypotheses: [f64; 2],
        /// How often the alternative is accepted wrongly.
        alpha: f64,
        /// How often the null hypothesis is.
        beta: f64,
    },
    /// Half the width of the interval, in points.
    Precision(f64),
    /// The verdict beside the published value.
    Published {
        /// Points that do not matter; those of the experiment where none are written.
        margin: Option<f64>,
    },
    /// The anytime interval excludes 50 %.
    Anytime,
}

/// Scales of hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Normalised Elo.
    Normalised,
    /// Elo.
    Elo,
    /// Percent.
    Score,
}

const KEYS: [&str; 8] = ["sprt", "precision", "decide", "anytime", "alpha", "beta", "margin", "block"];
const WRITE: &str = "write { sprt = [0, 20] }, { precision = 2.0 }, { decide = \"published\" } or { anytime = true }";

impl Stop {
    /// Reads the value of `stop`; `false` is no rule.
    pub(crate) fn read(value: &Value, place: &str) -> Result<Option<Self>, InputError> {
        match value {
            Value::Boolean(false) => Ok(None),
            Value::Table(table) => Self::read_table(table, &format!("{place}, stop")).map(Some),
            _ => Err(InputError::new(format!("{place}, stop"), "it is no rule", WRITE)),
        }
    }

    /// Reads a rule of the command line: `sprt=[0, 20]`, with or without the brackets of a table, or `anytime`.
    pub fn read_text(text: &str) -> Result<Self, InputError> {
        let text = text.trim();
        let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text).trim();
        let inside = if inside == "anytime" { "anytime = true" } else { inside };
        let table: Table = toml::from_str(&format!("stop = {{ {inside} }}")).map_err(|_| {
            InputError::new(
                "stop",
                format!("`{text}` cannot be read"),
                "write 'sprt=[0, 20]', 'precision=2' or 'anytime'",
            )
        })?;
        match table.get("stop") {
            Some(Value::Table(table)) if table.contains_key("decide") => {
                let remedy = "write it into an experiment file, where published numbers are named";
                Err(InputError::unsupported("stop", "a match stands beside no published number", remedy))
            }
            Some(Value::Table(rule)) if table.len() == 1 => Self::read_table(rule, "stop"),
            _ => Err(InputError::new("stop", format!("`{text}` is no rule"), WRITE)),
        }
    }

    fn read_table(table: &Table, place: &str) -> Result<Self, InputError> {
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(InputError::unknown(place, "key", key, KEYS));
        }
        let number = |key: &str, range: std::ops::RangeInclusive<f64>| match table.get(key) {
            None => Ok(None),
            Some(value) => match as_number(value) {
                Some(number) if range.contains(&number) => Ok(Some(number)),
                _ => {
                    let remedy = format!("write a number from {} to {}", range.start(), range.end());
                    Err(InputError::new(place, format!("`{key}` is {value}"), remedy))
                }
            },
        };
        let kinds: Vec<&str> = KEYS[..4].iter().copied().filter(|key| table.contains_key(*key)).collect();
        let [kind] = kinds.as_slice() else {
            let problem = if kinds.is_empty() {
                "it has no rule".to_string()
            } else {
                format!("`{}` together", kinds.join("` and `"))
            };
            return Err(InputError::new(place, problem, WRITE));
        };
        for (key, of) in [("alpha", "sprt"), ("beta", "sprt"), ("margin", "decide")] {
            if table.contains_key(key) && *kind != of {
                return Err(InputError::new(place, format!("`{key}` belongs to `{of}`"), "leave it out"));
            }
        }
        let block = number("block", 1.0..=1e6)?.unwrap_or(BLOCK_PAIRS as f64);
        if block.fract() != 0.0 {
            return Err(InputError::new(place, format!("`block` is {block}"), "write a whole number of pairs"));
        }
        let kind = match *kind {
            "sprt" => {
                let errors = [number("alpha", 0.0001..=0.4999)?, number("beta", 0.0001..=0.4999)?];
                read_sprt(&table["sprt"], errors.map(|error| error.unwrap_or(0.05)), place)?
            }
            "precision" => Kind::Precision(number("precision", 0.01..=50.0)?.unwrap_or_default()),
            "decide" if table["decide"].as_str() == Some("published") => {
                Kind::Published { margin: number("margin", 0.0..=50.0)? }
            }
            "decide" => {
                let problem = format!("`decide` is {}", table["decide"]);
                return Err(InputError::new(place, problem, "write decide = \"published\""));
            }
            _ if table["anytime"].as_bool() == Some(true) => Kind::Anytime,
            _ => return Err(InputError::new(place, "`anytime` is not true", "write anytime = true, or stop = false")),
        };
        Ok(Self { kind, block: block as u64 })
    }

    /// As the statistics take it, for a cell.
    pub fn rule(&self, cell: &Cell) -> Option<StoppingRule> {
        match &self.kind {
            Kind::Sprt { .. } => self.kind.test().map(StoppingRule::Test),
            Kind::Precision(points) => Some(StoppingRule::Precision { half_width: points / 100.0 }),
            Kind::Published { margin } => {
                let reference = cell.published.as_ref()?.reference();
                Some(StoppingRule::Published { reference, margin: margin.unwrap_or_default() / 100.0 })
            }
            Kind::Anytime => Some(StoppingRule::Anytime),
        }
    }

    /// What it waits for, in words.
    pub fn words(&self) -> String {
        match &self.kind {
            Kind::Sprt { scale, hypotheses: [null, alternative], alpha, beta } => {
                let errors = format!("errors {} % and {} %", 100.0 * alpha, 100.0 * beta);
                format!("sprt of {null} against {alternative} {}, {errors}", scale.unit())
            }
            Kind::Precision(points) => format!("95 % interval of ±{points} points"),
            Kind::Published { margin } => {
                let margin = margin.map_or(String::new(), |margin| format!(", margin {margin} points"));
                format!("verdict beside the published value at 5 %{margin}")
            }
            Kind::Anytime => "95 % anytime interval without 50 %".to_string(),
        }
    }

    /// What a conclusion says, in few words.
    pub fn conclusion(&self, conclusion: Conclusion) -> String {
        match (conclusion, &self.kind) {
            (Conclusion::Null, Kind::Sprt { scale, hypotheses, .. }) => format!("≤ {} {}", hypotheses[0], scale.unit()),
            (Conclusion::Alternative, Kind::Sprt { scale, hypotheses, .. }) => {
                format!("≥ {} {}", hypotheses[1], scale.unit())
            }
            (Conclusion::Precise, Kind::Precision(points)) => format!("within ±{points} points"),
            (Conclusion::Agrees, _) => "agrees".to_string(),
            (Conclusion::Differs, _) => "differs".to_string(),
            (Conclusion::Above, _) => "> 50 %".to_string(),
            (Conclusion::Below, _) => "< 50 %".to_string(),
            (Conclusion::Null | Conclusion::Alternative | Conclusion::Precise, _) => "decided".to_string(),
        }
    }

    /// How often a conclusion is wrong, in words.
    pub fn errors(&self) -> String {
        match &self.kind {
            Kind::Sprt { alpha, beta, .. } if alpha == beta => format!("wrong in at most {} %", 100.0 * alpha),
            Kind::Sprt { alpha, beta, .. } => {
                format!(
                    "wrong in at most {} % where the first holds, {} % where the second does",
                    100.0 * alpha,
                    100.0 * beta
                )
            }
            Kind::Precision(_) => "the interval covers 95 %".to_string(),
            Kind::Published { .. } | Kind::Anytime => "wrong in at most 5 %".to_string(),
        }
    }

    /// Scores of A at which the number of games is told beforehand: with what that means, in words.
    pub fn told_scores(&self, cell: &Cell) -> Vec<(f64, String)> {
        let published = cell.published.as_ref().map(|published| published.score);
        match (&self.kind, published) {
            (Kind::Published { .. }, Some(score)) => {
                vec![(score, "if it agrees".to_string()), ((score - 0.1).max(0.0), "10 points beside it".to_string())]
            }
            (Kind::Precision(_), _) => vec![(0.5, "at 50 %".to_string()), (0.8, "at 80 %".to_string())],
            _ => vec![(0.5, "at 50 %".to_string()), (0.6, "at 60 %".to_string())],
        }
    }
}

impl Kind {
    fn test(&self) -> Option<SequentialTest> {
        let Kind::Sprt { scale, hypotheses: [null, alternative], alpha, beta } = *self else { return None };
        match scale {
            Scale::Normalised => SequentialTest::from_normalised_elo(null, alternative, alpha, beta),
            Scale::Elo => SequentialTest::from_elo(null, alternative, alpha, beta),
            Scale::Score => SequentialTest::from_scores(null / 100.0, alternative / 100.0, alpha, beta),
        }
    }
}

impl Scale {
    fn unit(self) -> &'static str {
        match self {
            Scale::Normalised => "normalised Elo",
            Scale::Elo => "Elo",
            Scale::Score => "%",
        }
    }
}

fn as_number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|whole| whole as f64))
}

fn read_sprt(value: &Value, [alpha, beta]: [f64; 2], place: &str) -> Result<Kind, InputError> {
    let (scale, list) = match value {
        Value::Table(table) if table.len() == 1 => match table.iter().next() {
            Some((key, list)) if key == "score" => (Scale::Score, list),
            Some((key, list)) if key == "elo" => (Scale::Elo, list),
            Some((key, list)) if key == "normalised" => (Scale::Normalised, list),
            Some((key, _)) => return Err(InputError::unknown(place, "scale", key, ["score", "elo", "normalised"])),
            None => (Scale::Normalised, value),
        },
        other => (Scale::Normalised, other),
    };
    let numbers: Option<Vec<f64>> = list.as_array().and_then(|list| list.iter().map(as_number).collect());
    let Some(&[null, alternative]) = numbers.as_deref() else {
        let remedy = "write two numbers: sprt = [0, 20] in normalised Elo, or { score = [50, 55] } in percent";
        return Err(InputError::new(place, format!("`sprt` is {value}"), remedy));
    };
    let kind = Kind::Sprt { scale, hypotheses: [null, alternative], alpha, beta };
    if kind.test().is_none() {
        let remedy = "write the smaller one first: percent above 0 and below 100, Elo from -1000 to 1000";
        return Err(InputError::new(place, format!("`sprt` cannot tell {null} from {alternative}"), remedy));
    }
    Ok(kind)
}

impl Display for Stop {
    /// As an inline table of TOML; reading it gives the same rule.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match &self.kind {
            Kind::Sprt { scale, hypotheses: [null, alternative], alpha, beta } => {
                parts.push(match scale {
                    Scale::Normalised => format!("sprt = [{null}, {alternative}]"),
                    Scale::Elo => format!("sprt = {{ elo = [{null}, {alternative}] }}"),
                    Scale::Score => format!("sprt = {{ score = [{null}, {alternative}] }}"),
                });
                for (key, error) in [("alpha", alpha), ("beta", beta)] {
                    parts.extend((*error != 0.05).then(|| format!("{key} = {error}")));
                }
            }
            Kind::Precision(points) => parts.push(format!("precision = {points}")),
            Kind::Published { margin } => {
                parts.push("decide = \"published\"".to_string());
                parts.extend(margin.map(|margin| format!("margin = {margin}")));
            }
            Kind::Anytime => parts.push("anytime = true".to_string()),
        }
        parts.extend((self.block != BLOCK_PAIRS).then(|| format!("block = {}", self.block)));
        write!(f, "{{ {} }}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written() {
        for (text, written) in [
            ("sprt=[0,20]", "{ sprt = [0, 20] }"),
            ("{ sprt = [-1.5, 20], alpha = 0.01, block = 5 }", "{ sprt = [-1.5, 20], alpha = 0.01, block = 5 }"),
            ("sprt = { score = [50, 55] }, beta = 0.1", "{ sprt = { score = [50, 55] }, beta = 0.1 }"),
            ("sprt = { elo = [0, 10] }", "{ sprt = { elo = [0, 10] } }"),
            ("precision=2", "{ precision = 2 }"),
            ("anytime", "{ anytime = true }"),
        ] {
            let rule = Stop::read_text(text).unwrap();
            assert_eq!(rule.to_string(), written);
            assert_eq!(Stop::read_text(written).unwrap(), rule);
        }
    }

    #[test]
    fn mistakes_are_answered() {
        for (text, answer) in [
            ("sptr=[0,20]", "did you mean `sprt`?"),
            ("sprt=[20,0]", "smaller one first"),
            ("sprt=[0]", "two numbers"),
            ("sprt={points=[0,1]}", "unknown scale `points`"),
            ("sprt={score=[0,50]}", "above 0"),
            ("sprt=[0,5], alpha=0.7", "from 0.0001 to 0.4999"),
            ("precision=0", "from 0.01 to 50"),
            ("precision=2, alpha=0.1", "belongs to `sprt`"),
            ("precision=2, anytime=true", "together"),
            ("anytime=false", "not true"),
            ("block=5", "no rule"),
            ("block=5.5, anytime=true", "whole number"),
            ("decide=\"published\"", "experiment file"),
            ("", "no rule"),
            ("sprt=[0,20", "cannot be read"),
        ] {
            let error = Stop::read_text(text).unwrap_err().to_string();
            assert!(error.contains(answer), "{text}: {error}");
        }
    }
}
