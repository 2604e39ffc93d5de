//! What is tuned: parameters with their ranges, and settings of all of them.
//!
//! A setting is what is played, so its numbers are rounded when they are drawn: what the model learns from is what the
//! agent was told.

use spinney_core::{InputError, Random};

/// The ranges that a parameter can have.
#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// Any number between two ends.
    Number {
        /// The least.
        from: f64,
        /// The greatest.
        to: f64,
        /// Whether equal ratios, not equal differences, are equal steps.
        is_logarithmic: bool,
    },
    /// Whole numbers between two ends, both included.
    Whole {
        /// The least.
        from: i64,
        /// The greatest.
        to: i64,
        /// Whether equal ratios, not equal differences, are equal steps.
        is_logarithmic: bool,
    },
    /// One of several words, which have no order.
    Words(Vec<String>),
}

/// A parameter: a name and a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What `$name` stands for in the agent's text.
    pub name: String,
    /// What it can be.
    pub range: Range,
}

/// All parameters of a tuning, in the order of their names.
///
/// ```
/// use spinney_tune::space::{Parameter, Range, Space};
///
/// let k = Range::Number { from: 0.1, to: 10.0, is_logarithmic: true };
/// let a = Range::Words(vec!["online".into(), "0.25".into()]);
/// let space = Space::new(vec![
///     Parameter { name: "k".into(), range: k },
///     Parameter { name: "a".into(), range: a },
/// ])?;
/// let setting = space.at(&[0.5, 0.0]);
/// assert_eq!(space.write(&setting), "k=1, a=online");
/// # Ok::<(), spinney_core::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

/// A value for every parameter; a word is the number of its place.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Setting {
    /// In the order of the space's parameters.
    pub values: Vec<f64>,
}

/// Beyond this a quadratic model has more terms than a tuning has games.
const MOST_PARAMETERS: usize = 12;
/// Words beyond this are a list to be tried one by one.
const MOST_WORDS: usize = 32;
/// A range that is shown as a list of its values.
const MOST_LISTED: i64 = 12;

impl Parameter {
    /// Refuses ranges in which nothing can be chosen.
    fn check(&self) -> Result<(), InputError> {
        let place = format!("parameter {}", self.name);
        let wrong = |problem: String, remedy: &str| Err(InputError::new(&place, problem, remedy));
        match &self.range {
            Range::Number { from, to, .. } if !(from.is_finite() && to.is_finite() && from < to) => {
                wrong(format!("`from` is {from} and `to` is {to}"), "write a smaller number first, then a greater one")
            }
            Range::Number { from, is_logarithmic: true, .. } if *from <= 0.0 => {
                wrong(format!("a logarithmic range from {from}"), "begin it above 0")
            }
            Range::Number { from, to, is_logarithmic }
                if !(to - from).is_finite() || (*is_logarithmic && !(to / from).is_finite()) =>
            {
                wrong(format!("from {from} to {to}"), "write a smaller range")
            }
            Range::Whole { from, to, .. } if from >= to || to.abs_diff(*from) > 1 << 40 => {
                wrong(format!("`from` is {from} and `to` is {to}"), "write a smaller number first, then a greater one")
            }
            Range::Whole { from, is_logarithmic: true, .. } if *from < 1 => {
                wrong(format!("a logarithmic range from {from}"), "begin it at 1 or above")
            }
            Range::Words(words) if words.len() < 2 || words.len() > MOST_WORDS => {
                wrong(format!("{} words to choose from", words.len()), "write 2 to 32")
            }
            Range::Words(words) => match (1..words.len()).find(|place| words[..*place].contains(&words[*place])) {
                Some(twin) => wrong(format!("`{}` stands there twice", words[twin]), "remove one of them"),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether it is one of several words.
    pub fn is_words(&self) -> bool {
        matches!(self.range, Range::Words(_))
    }

    /// Whether equal ratios are equal steps.
    pub fn is_logarithmic(&self) -> bool {
        matches!(self.range, Range::Number { is_logarithmic: true, .. } | Range::Whole { is_logarithmic: true, .. })
    }

    /// The value at a place of the range, 0 to 1, as it would be played.
    pub fn value(&self, place: f64) -> f64 {
        let place = place.clamp(0.0, 1.0);
        let between = |from: f64, to: f64, is_logarithmic: bool| {
            if is_logarithmic { from * (to / from).powf(place) } else { from + place * (to - from) }
        };
        match &self.range {
            Range::Number { from, to, is_logarithmic } => {
                let value = between(*from, *to, *is_logarithmic);
                // Three digits of the range, or of the number itself where ratios count.
                let size = if *is_logarithmic { value } else { to - from };
                rounded(value, 3 - size.abs().log10().floor() as i32).clamp(*from, *to)
            }
            Range::Whole { from, to, is_logarithmic: true } => {
                between(*from as f64, *to as f64, true).round().clamp(*from as f64, *to as f64)
            }
            // Every number has the same share of the range.
            Range::Whole { from, to, is_logarithmic: false } => {
                (*from as f64 + (place * (to - from + 1) as f64).floor()).min(*to as f64)
            }
            Range::Words(words) => (place * words.len() as f64).floor().min((words.len() - 1) as f64),
        }
    }

    /// Where a value stands in the range, 0 to 1: what the model reads. For a word it says nothing.
    pub fn place(&self, value: f64) -> f64 {
        let within = |from: f64, to: f64, is_logarithmic: bool| {
            let place =
                if is_logarithmic { (value / from).ln() / (to / from).ln() } else { (value - from) / (to - from) };
            place.clamp(0.0, 1.0)
        };
        match &self.range {
            Range::Number { from, to, is_logarithmic } => within(*from, *to, *is_logarithmic),
            Range::Whole { from, to, is_logarithmic } => within(*from as f64, *to as f64, *is_logarithmic),
            Range::Words(words) => within(0.0, (words.len() - 1) as f64, false),
        }
    }

    /// A value as it is written in the agent's text.
    pub fn write(&self, value: f64) -> String {
        match &self.range {
            Range::Words(words) => words.get(value as usize).cloned().unwrap_or_default(),
            Range::Number { .. } | Range::Whole { .. } => value.to_string(),
        }
    }

    /// Reads a value; numbers outside of the range are refused, and so are words that are not in the list.
    pub fn read(&self, text: &str) -> Result<f64, InputError> {
        let place = format!("parameter {}", self.name);
        let wrong = |remedy: String| InputError::new(&place, format!("`{text}` does not fit"), remedy);
        match &self.range {
            Range::Words(words) => match words.iter().position(|word| word == text) {
                Some(place) => Ok(place as f64),
                None => Err(InputError::unknown(&place, "word", text, words.iter().map(String::as_str))),
            },
            Range::Number { from, to, .. } => match text.parse::<f64>() {
                Ok(value) if (*from..=*to).contains(&value) => Ok(value),
                _ => Err(wrong(format!("write a number from {from} to {to}"))),
            },
            Range::Whole { from, to, .. } => match text.parse::<f64>() {
                Ok(value) if value.fract() == 0.0 && (*from as f64..=*to as f64).contains(&value) => Ok(value),
                _ => Err(wrong(format!("write a whole number from {from} to {to}"))),
            },
        }
    }

    /// All values, where there are few.
    pub fn listed(&self) -> Option<Vec<f64>> {
        match &self.range {
            Range::Number { .. } => None,
            Range::Whole { from, to, .. } => {
                (to - from < MOST_LISTED).then(|| (*from..=*to).map(|value| value as f64).collect())
            }
            Range::Words(words) => Some((0..words.len()).map(|place| place as f64).collect()),
        }
    }
}

/// A number with so many decimals; fewer than none are zeros before the point.
fn rounded(value: f64, decimals: i32) -> f64 {
    if decimals >= 0 {
        // By way of text, because 0.1 × 3 is not 0.3.
        format!("{value:.*}", decimals.min(300) as usize).parse().unwrap_or(value)
    } else {
        let unit = 10f64.powi(-decimals);
        (value / unit).round() * unit
    }
}

impl Space {
    /// A space of these parameters.
    pub fn new(parameters: Vec<Parameter>) -> Result<Self, InputError> {
        if parameters.is_empty() || parameters.len() > MOST_PARAMETERS {
            let problem = format!("{} parameters", parameters.len());
            return Err(InputError::new("parameters", problem, format!("write 1 to {MOST_PARAMETERS}")));
        }
        parameters.iter().try_for_each(Parameter::check)?;
        Ok(Self { parameters })
    }

    /// The setting at places of the ranges, each 0 to 1.
    pub fn at(&self, places: &[f64]) -> Setting {
        let values = self.parameters.iter().zip(places).map(|(parameter, place)| parameter.value(*place));
        Setting { values: values.collect() }
    }

    /// Where a setting stands in the ranges, each 0 to 1.
    pub fn places(&self, setting: &Setting) -> Vec<f64> {
        self.parameters.iter().zip(&setting.values).map(|(parameter, value)| parameter.place(*value)).collect()
    }

    /// A setting drawn evenly.
    pub fn draw(&self, random: &mut Random) -> Setting {
        let places: Vec<f64> = self.parameters.iter().map(|_| unit(random)).collect();
        self.at(&places)
    }

    /// The values as texts, in the order of the parameters.
    pub fn texts(&self, setting: &Setting) -> Vec<String> {
        self.parameters.iter().zip(&setting.values).map(|(parameter, value)| parameter.write(*value)).collect()
    }

    /// The setting in one line: `k=1, a=online`.
    pub fn write(&self, setting: &Setting) -> String {
        let texts = self.texts(setting);
        let pair = |(parameter, text): (&Parameter, &String)| format!("{}={text}", parameter.name);
        self.parameters.iter().zip(&texts).map(pair).collect::<Vec<_>>().join(", ")
    }

    /// The setting of these texts by name; every parameter needs one, and no other name is known.
    pub fn read<'a>(&self, texts: impl IntoIterator<Item = (&'a str, String)>) -> Result<Setting, InputError> {
        let names = || self.parameters.iter().map(|parameter| parameter.name.as_str());
        let mut values: Vec<Option<f64>> = vec![None; self.parameters.len()];
        for (name, text) in texts {
            let place = names().position(|known| known == name);
            let place = place.ok_or_else(|| InputError::unknown("setting", "parameter", name, names()))?;
            values[place] = Some(self.parameters[place].read(&text)?);
        }
        let missing = |name: &str| InputError::new("setting", format!("`{name}` is missing"), "give every parameter");
        let values = values.into_iter().zip(names()).map(|(value, name)| value.ok_or_else(|| missing(name)));
        Ok(Setting { values: values.collect::<Result<_, _>>()? })
    }
}

/// A number in [0, 1) with all the bits that fit.
pub(crate) fn unit(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use spinney_core::Seed;

    fn parameter(range: Range) -> Parameter {
        Parameter { name: "x".to_string(), range }
    }

    fn number(from: f64, to: f64, is_logarithmic: bool) -> Parameter {
        parameter(Range::Number { from, to, is_logarithmic })
    }

    #[test]
    fn values_are_rounded_to_what_matters() {
        assert_eq!(number(0.0, 1.0, false).value(1.0 / 3.0), 0.333);
        assert_eq!(number(0.0, 1000.0, false).value(1.0 / 3.0), 333.0);
        assert_eq!(number(-5e6, 5e6, false).value(0.123_456_7), -3_770_000.0);
        assert_eq!(number(0.01, 100.0, true).value(0.5), 1.0);
        assert_eq!(number(0.01, 100.0, true).value(0.25), 0.1);
        assert_eq!(number(0.01, 100.0, true).value(0.3), 0.1585);
        assert_eq!(number(0.5, 2.0, true).write(number(0.5, 2.0, true).value(0.9)), "1.741");
    }

    #[test]
    fn every_whole_number_and_word_has_its_share() {
        let whole = parameter(Range::Whole { from: 2, to: 5, is_logarithmic: false });
        let drawn: Vec<f64> = [0.0, 0.249, 0.25, 0.5, 0.75, 1.0].iter().map(|place| whole.value(*place)).collect();
        assert_eq!(drawn, [2.0, 2.0, 3.0, 4.0, 5.0, 5.0]);
        assert_eq!((whole.place(2.0), whole.place(5.0)), (0.0, 1.0));
        let wide = parameter(Range::Whole { from: 1, to: 10_000, is_logarithmic: true });
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|place| wide.value(place)), [1.0, 10.0, 100.0, 10_000.0]);
        let words = parameter(Range::Words(["a", "b", "c"].map(str::to_string).to_vec()));
        assert_eq!([0.0, 0.34, 0.99, 1.0].map(|place| words.write(words.value(place))), ["a", "b", "c", "c"]);
    }

    #[test]
    fn ranges_in_which_nothing_can_be_chosen_are_refused() {
        let error = |range: Range| Space::new(vec![parameter(range)]).unwrap_err().to_string();
        let number = |from, to, is_logarithmic| Range::Number { from, to, is_logarithmic };
        assert!(error(number(1.0, 1.0, false)).contains("parameter x"));
        assert!(error(number(0.0, f64::INFINITY, false)).contains("smaller number first"));
        assert!(error(number(0.0, 1.0, true)).contains("above 0"));
        assert!(error(number(-1e308, 1e308, false)).contains("smaller range"));
        assert!(error(number(1e-300, 1e300, true)).contains("smaller range"));
        assert!(error(Range::Whole { from: 0, to: 9, is_logarithmic: true }).contains("at 1"));
        assert!(error(Range::Words(vec!["a".to_string()])).contains("1 words"));
        assert!(error(Range::Words(vec!["a".to_string(), "a".to_string()])).contains("twice"));
        assert!(Space::new(Vec::new()).is_err());
    }

    #[test]
    fn settings_are_read_by_name_and_mistakes_are_named() {
        let space = Space::new(vec![
            Parameter { name: "k".to_string(), range: Range::Number { from: 0.0, to: 8.0, is_logarithmic: false } },
            Parameter { name: "a".to_string(), range: Range::Words(vec!["online".to_string(), "0.25".to_string()]) },
            Parameter { name: "n".to_string(), range: Range::Whole { from: 1, to: 4, is_logarithmic: false } },
        ])
        .unwrap();
        let read =
            |texts: &[(&'static str, &str)]| space.read(texts.iter().map(|(name, text)| (*name, text.to_string())));
        let good = read(&[("a", "0.25"), ("k", "2.5"), ("n", "3")]).unwrap();
        assert_eq!((good.values.as_slice(), space.write(&good).as_str()), (&[2.5, 1.0, 3.0][..], "k=2.5, a=0.25, n=3"));
        let error = |texts: &[(&'static str, &str)]| read(texts).unwrap_err().to_string();
        assert!(error(&[("k", "9")]).contains("from 0 to 8"));
        assert!(error(&[("n", "2.5")]).contains("whole number"));
        assert!(error(&[("a", "onlin")]).contains("did you mean `online`?"));
        assert!(error(&[("kk", "1")]).contains("did you mean `k`?"));
        assert!(error(&[("k", "1"), ("n", "1")]).contains("`a` is missing"));
    }

    proptest! {
        /// What is drawn lies in the range, and reading what was written gives it back.
        #[test]
        fn drawn_settings_are_written_and_read(seed: u64, from in -100.0..100.0f64, size in 0.001..1e5f64, low in 1i64..50) {
            let number = |is_logarithmic| {
                let from = if is_logarithmic { from.abs() + 0.001 } else { from };
                Range::Number { from, to: from + size, is_logarithmic }
            };
            let whole = |is_logarithmic| Range::Whole { from: low, to: low + size as i64 + 1, is_logarithmic };
            let words = Range::Words(vec!["p".to_string(), "q".to_string()]);
            let ranges = [number(false), number(true), whole(false), whole(true), words];
            let named = |(place, range): (usize, Range)| Parameter { name: format!("x{place}"), range };
            let space = Space::new(ranges.into_iter().enumerate().map(named).collect()).unwrap();
            let setting = space.draw(&mut Random::new(Seed::new(seed)));
            let names = space.parameters.iter().map(|parameter| parameter.name.as_str());
            prop_assert_eq!(&space.read(names.zip(space.texts(&setting))).unwrap(), &setting);
            prop_assert!(space.places(&setting).iter().all(|place| (0.0..=1.0).contains(place)));
        }
    }
}
