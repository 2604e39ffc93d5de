//! Tables for other programs: named columns of one type each, as comma-separated values, lines of JSON, or Parquet.

use std::borrow::Cow;

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<'a> {
    /// Not known, or without meaning here.
    Nothing,
    /// Words.
    Text(Cow<'a, str>),
    /// A whole number.
    Whole(i64),
    /// Any number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Yes or no.
    Flag,
}

/// A column: its name, its type, and what stands in each row.
pub struct Column<'a> {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    entry: Box<dyn Fn(usize) -> Entry<'a> + 'a>,
}

impl std::fmt::Debug for Column<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {:?}", self.name, self.kind)
    }
}

impl<'a> Column<'a> {
    pub(crate) fn new(name: impl Into<String>, kind: Kind, entry: impl Fn(usize) -> Entry<'a> + 'a) -> Self {
        Self { name: name.into(), kind, entry: Box::new(entry) }
    }

    /// What stands in a row, of the column's type or nothing.
    pub fn entry(&self, row: usize) -> Entry<'a> {
        match ((self.entry)(row), self.kind) {
            (Entry::Number(number), _) if !number.is_finite() => Entry::Nothing,
            (Entry::Whole(number), Kind::Number) => Entry::Number(number as f64),
            (entry, _) => entry,
        }
    }
}

/// Rows and columns.
#[derive(Debug)]
pub struct Table<'a> {
    /// How many rows there are.
    pub rows: usize,
    /// The columns, in their order.
    pub columns: Vec<Column<'a>>,
}

impl Table<'_> {
    /// Keeps the columns of these names.
    pub fn only(mut self, names: &[&str]) -> Self {
        self.columns.retain(|column| names.contains(&column.name.as_str()));
        self
    }

    /// Comma-separated values with a header; what is not known is empty (RFC 4180).
    pub fn csv(&self) -> String {
        let mut text = self.line(|column| quoted(&column.name));
        for row in 0..self.rows {
            text += &self.line(|column| match column.entry(row) {
                Entry::Nothing => String::new(),
                Entry::Text(text) => quoted(&text),
                Entry::Whole(number) => number.to_string(),
                Entry::Number(number) => number.to_string(),
                Entry::Flag(flag) => flag.to_string(),
            });
        }
        text
    }

    fn line(&self, written: impl Fn(&Column) -> String) -> String {
        self.columns.iter().map(written).collect::<Vec<_>>().join(",") + "\n"
    }

    /// An object a line, with the columns in their order; what is not known is `null`.
    pub fn json_lines(&self) -> String {
        let string = |text: &str| serde_json::Value::from(text).to_string();
        let mut text = String::new();
        for row in 0..self.rows {
            let member = |column: &Column| {
                let value = match column.entry(row) {
                    Entry::Nothing => "null".to_string(),
                    Entry::Text(text) => string(&text),
                    Entry::Whole(number) => number.to_string(),
                    Entry::Number(number) => serde_json::Value::from(number).to_string(),
                    Entry::Flag(flag) => flag.to_string(),
                };
                format!("{}:{value}", string(&column.name))
            };
            let members: Vec<String> = self.columns.iter().map(member).collect();
            text += &format!("{{{}}}\n", members.join(","));
        }
        text
    }
}

/// Quotes where commas or quotes make it necessary.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// Words as values of one type: the narrowest that holds them all.
pub(crate) fn typed(words: Vec<Option<String>>) -> (Kind, Vec<Entry<'static>>) {
    let all = |is: &dyn Fn(&str) -> bool| words.iter().flatten().all(|word| is(word));
    let number = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
    let kind = if all(&|word| word == "on" || word == "off") {
        Kind::Flag
    } else if all(&|word| word.parse::<i64>().is_ok()) {
        Kind::Whole
    } else if all(&|word| number(word).is_some()) {
        Kind::Number
    } else {
        Kind::Text
    };
    let entry = |word: Option<String>| match (word, kind) {
        (None, _) => Entry::Nothing,
        (Some(word), Kind::Flag) => Entry::Flag(word == "on"),
        (Some(word), Kind::Whole) => word.parse().map_or(Entry::Nothing, Entry::Whole),
        (Some(word), Kind::Number) => number(&word).map_or(Entry::Nothing, Entry::Number),
        (Some(word), Kind::Text) => Entry::Text(word.into()),
    };
    (kind, words.into_iter().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table<'static> {
        let words = |words: &[Option<&str>]| words.iter().map(|word| word.map(str::to_string)).collect::<Vec<_>>();
        let column = |name: &str, list: &[Option<&str>]| {
            let (kind, entries) = typed(words(list));
            Column::new(name, kind, move |row| entries[row].clone())
        };
        let columns = vec![
            column("a", &[Some("1"), Some("20")]),
            column("b", &[Some("0.5"), Some("2")]),
            column("c, d", &[Some("on"), None]),
            column("e", &[Some("say \"x\""), Some("7")]),
            Column::new("f", Kind::Number, |row| Entry::Number([f64::NAN, 1e-9][row])),
        ];
        Table { rows: 2, columns }
    }

    #[test]
    fn numbers_are_numbers_and_what_is_missing_is_empty() {
        let kinds: Vec<Kind> = table().columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds, [Kind::Whole, Kind::Number, Kind::Flag, Kind::Text, Kind::Number]);
        assert_eq!(table().csv(), "a,b,\"c, d\",e,f\n1,0.5,true,\"say \"\"x\"\"\",\n20,2,,7,0.000000001\n");
        let lines = table().json_lines();
        assert!(lines.starts_with("{\"a\":1,\"b\":0.5,\"c, d\":true,\"e\":\"say \\\"x\\\"\",\"f\":null}\n"), "{lines}");
        assert!(lines.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
        assert_eq!(table().only(&["e", "a"]).csv(), "a,e\n1,\"say \"\"x\"\"\"\n20,7\n");
    }
}
