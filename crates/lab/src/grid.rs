//! Grids: a list in place of a value makes an axis, and several axes make an agent, or a game, for each point of a
//! grid.
//!
//! ```toml
//! [agents.base]
//! c = [0.5, 1, 2]
//! qb = { k = [1, 2, 4, 8], a = ["online", 0.25] }
//! playout = "policy+mast(eps=[0.3, 0.7])"
//! ```
//!
//! A point is an agent as any other, called `base[c=0.5, a=online, k=1, eps=0.3]`; the name says where it stands, so
//! that whoever writes it by hand gets the same cells and the same figures.

use spinney_core::InputError;

/// A grid may have so many points.
pub const MOST_POINTS: usize = 10_000;

/// An agent's place in a grid, as its name tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point<'a> {
    /// The agent that was written.
    pub base: &'a str,
    /// The axes with the value on each.
    pub at: Vec<(&'a str, &'a str)>,
}

impl<'a> Point<'a> {
    /// Reads a name; `None` if it is not that of a point.
    ///
    /// ```
    /// let point = spinney_lab::grid::Point::of("base[c=0.5, playout=policy+mast(eps=1, learn=altered)]").unwrap();
    /// assert_eq!((point.base, point.at[0], point.at.len()), ("base", ("c", "0.5"), 2));
    /// assert!(spinney_lab::grid::Point::of("base").is_none());
    /// ```
    pub fn of(name: &'a str) -> Option<Self> {
        let (base, rest) = name.split_once('[')?;
        let inside = rest.strip_suffix(']')?;
        let at = items(inside).into_iter().map(|item| item.split_once('=')).collect::<Option<Vec<_>>>()?;
        (!at.is_empty()).then_some(Self { base, at })
    }
}

/// The parts of a list, separated by commas outside of brackets.
fn items(list: &str) -> Vec<&str> {
    let mut depth = 0u32;
    let parts = list.split(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}

/// A text with axes in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Axis {
        /// What the value belongs to, from the option inwards.
        path: Vec<String>,
        values: Vec<String>,
    },
}

/// A point of a grid before it is read: what follows the name, and the text of each template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub suffix: String,
    pub texts: Vec<String>,
}

impl Template {
    /// A value of a file: a word, a number, a list of them, or a table of options with such values.
    pub(crate) fn of_value(key: &str, value: &toml::Value, place: &str) -> Result<Self, InputError> {
        let mut template = Self::default();
        template.add_value(&[key.to_string()], value, place)?;
        Ok(template)
    }

    /// A text in which lists stand in square brackets.
    pub(crate) fn of_text(key: &str, text: &str, place: &str) -> Result<Self, InputError> {
        let mut template = Self::default();
        template.add_text(&[key.to_string()], text, place)?;
        Ok(template)
    }

    fn add_value(&mut self, path: &[String], value: &toml::Value, place: &str) -> Result<(), InputError> {
        let key = path.last().map_or("", String::as_str);
        match value {
            toml::Value::Array(list) => {
                let values = list.iter().map(|value| Self::single(path, value, place)).collect::<Result<_, _>>()?;
                self.add_axis(path.to_vec(), values, place)
            }
            toml::Value::Table(table) if table.is_empty() => {
                Err(InputError::new(place, format!("`{key}` holds no options"), "write { option = value }"))
            }
            toml::Value::Table(table) => {
                self.push("(");
                for (number, (key, value)) in table.iter().enumerate() {
                    self.push(if number > 0 { ", " } else { "" });
                    self.push(&format!("{key}="));
                    self.add_value(&[path, std::slice::from_ref(key)].concat(), value, place)?;
                }
                self.push(")");
                Ok(())
            }
            simple => {
                let text = simple_text(simple).ok_or_else(|| {
                    let problem = format!("`{key}` has no simple value");
                    InputError::new(place, problem, "write a word, a number, or a list of them")
                })?;
                self.add_text(path, &text, place)
            }
        }
    }

    /// The text of one value of a list.
    fn single(path: &[String], value: &toml::Value, place: &str) -> Result<String, InputError> {
        let mut template = Self::default();
        if value.is_array() {
            return Err(list_in_list(path, place));
        }
        template.add_value(path, value, place)?;
        match template.0.as_slice() {
            [Part::Text(text)] => Ok(text.clone()),
            _ => Err(list_in_list(path, place)),
        }
    }

    fn add_text(&mut self, path: &[String], text: &str, place: &str) -> Result<(), InputError> {
        // The names of the brackets that are open, and the word that was read last.
        let mut open: Vec<String> = Vec::new();
        let mut word = String::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if letter == '[' {
                let Some(end) = rest.find(']') else {
                    return Err(InputError::new(place, format!("`[` is never closed in `{text}`"), "write `]`"));
                };
                let named = open.iter().filter(|name| !name.is_empty()).cloned();
                let mut own: Vec<String> = path.iter().cloned().chain(named).collect();
                own.extend((!word.is_empty()).then(|| word.clone()));
                own.dedup();
                let values: Vec<String> = items(&rest[1..end]).into_iter().map(str::to_string).collect();
                if values.iter().any(|value| value.contains('[')) {
                    return Err(list_in_list(&own, place));
                }
                self.add_axis(own, values.into_iter().filter(|value| !value.is_empty()).collect(), place)?;
                rest = &rest[end + 1..];
                word.clear();
                continue;
            }
            match letter {
                '(' => open.push(std::mem::take(&mut word)),
                ')' => drop(open.pop()),
                '=' | ' ' => {}
                ',' | '+' => word.clear(),
                other => word.push(other),
            }
            let length = letter.len_utf8();
            self.push(&rest[..length]);
            rest = &rest[length..];
        }
        Ok(())
    }

    fn add_axis(&mut self, path: Vec<String>, values: Vec<String>, place: &str) -> Result<(), InputError> {
        let key = path.last().map_or("", String::as_str);
        if values.is_empty() {
            return Err(InputError::new(place, format!("the list of `{key}` is empty"), "write at least one value"));
        }
        if let Some((_, twice)) = values.iter().enumerate().find(|(index, value)| values[..*index].contains(value)) {
            return Err(InputError::new(place, format!("the list of `{key}` has {twice} twice"), "remove one"));
        }
        self.0.push(Part::Axis { path, values });
        Ok(())
    }

    fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.0.push(Part::Text(text.to_string())),
        }
    }

    fn axes(&self) -> impl Iterator<Item = (&[String], &[String])> {
        self.0.iter().filter_map(|part| match part {
            Part::Axis { path, values } => Some((path.as_slice(), values.as_slice())),
            Part::Text(_) => None,
        })
    }
}

fn list_in_list(path: &[String], place: &str) -> InputError {
    let key = path.last().map_or("", String::as_str);
    InputError::new(place, format!("`{key}` has a list in a list"), "write the values in one list")
}

/// A word or number as text.
pub(crate) fn simple_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(true) => Some("on".to_string()),
        toml::Value::Boolean(false) => Some("off".to_string()),
        _ => None,
    }
}

/// All points of the grid that templates make together, the last axis running fastest; one point without axes.
pub(crate) fn fill(templates: &[&Template], place: &str) -> Result<Vec<Filled>, InputError> {
    let axes: Vec<(&[String], &[String])> = templates.iter().flat_map(|template| template.axes()).collect();
    let count = axes.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()));
    let Some(count) = count.filter(|count| *count <= MOST_POINTS) else {
        let sizes: Vec<String> = axes.iter().map(|(_, values)| values.len().to_string()).collect();
        let problem = format!("its lists make a grid of {} points", sizes.join(" × "));
        return Err(InputError::new(place, problem, format!("leave values out: at most {MOST_POINTS}")));
    };
    let names: Vec<String> = (0..axes.len()).map(|axis| axis_name(&axes, axis)).collect();
    let mut points = Vec::with_capacity(count);
    for number in 0..count {
        let mut left = number;
        let mut chosen: Vec<&str> = Vec::new();
        for (_, values) in axes.iter().rev() {
            chosen.push(&values[left % values.len()]);
            left /= values.len();
        }
        chosen.reverse();
        let at: Vec<String> = names.iter().zip(&chosen).map(|(name, value)| format!("{name}={value}")).collect();
        let mut next = chosen.iter();
        let text = |template: &&Template| {
            let part = |part: &Part| match part {
                Part::Text(text) => text.clone(),
                Part::Axis { .. } => next.next().copied().unwrap_or_default().to_string(),
            };
            template.0.iter().map(part).collect::<String>()
        };
        let suffix = if at.is_empty() { String::new() } else { format!("[{}]", at.join(", ")) };
        points.push(Filled { suffix, texts: templates.iter().map(text).collect() });
    }
    Ok(points)
}

/// The end of the path that no other axis shares.
fn axis_name(axes: &[(&[String], &[String])], axis: usize) -> String {
    let path = axes[axis].0;
    let is_shared = |end: &[String]| {
        let others = axes.iter().enumerate().filter(|(other, _)| *other != axis);
        others.into_iter().any(|(_, (path, _))| path.ends_with(end))
    };
    let own = (1..=path.len()).map(|length| &path[path.len() - length..]).find(|end| !is_shared(end));
    own.unwrap_or(path).join(".")
}

/// Games in which lists stand in place of values, one by one.
pub(crate) fn games(written: &[String], place: &str) -> Result<Vec<String>, InputError> {
    let mut games = Vec::new();
    for game in written {
        let template = Template::of_text("game", game, place)?;
        games.extend(fill(&[&template], place)?.into_iter().flat_map(|point| point.texts));
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use crate::experiment::Experiment;
    use crate::plan::Plan;

    /// Three axes of three values in twelve lines, for someone who reads it.
    const GRID: &str = r#"title = "Which C, which k, which a?"
pairs = 1
[agents.plain]
playout = "uniform"
[agents.base]
like = "plain"
c = [0.5, 1, 2]
qb = { a = ["online", 0.25, 0.5], k = [1, 2, 4] }
[[match]]
games = ["tic-tac-toe"]
a = ["base"]
b = ["plain"]"#;

    fn read(text: &str) -> Experiment {
        Experiment::read("grid.toml", text).unwrap()
    }

    #[test]
    fn twenty_seven_agents_are_twelve_lines() {
        assert_eq!(GRID.lines().count(), 12);
        let experiment = read(GRID);
        assert_eq!((experiment.agents.len(), experiment.matches[0].a.len()), (28, 27));
        assert_eq!(experiment.matches[0].a[1], "base[c=0.5, a=online, k=2]");
        assert_eq!(experiment.matches[0].title, "base against plain");
        let last = experiment.agents["base[c=2, a=0.5, k=4]"].to_string();
        assert_eq!(last, "mcts(c=2, playout=uniform, qb(k=4, a=0.5))");
        assert_eq!(read(&experiment.to_string()), experiment, "it can be written and read again");
    }

    #[test]
    fn a_point_has_the_cell_of_the_agent_written_by_hand() {
        let grid = Plan::new(&read(GRID)).unwrap();
        let hand = GRID
            .replace("c = [0.5, 1, 2]", "c = 0.5")
            .replace("qb = { a = [\"online\", 0.25, 0.5], k = [1, 2, 4] }", "qb = \"qb(k=2)\"");
        let hand = Plan::new(&read(&hand)).unwrap();
        assert_eq!(grid.cells[1].key, hand.cells[0].key);
        assert_eq!(grid.cells.len(), 27);
    }

    #[test]
    fn lists_stand_in_texts_of_agents_and_games_too() {
        let text = GRID
            .replace("c = [0.5, 1, 2]", "playout = \"policy+mast(eps=[0.3, 0.7])+ngram(eps=[0.1, 0.2], n=2)\"")
            .replace("qb = { a = [\"online\", 0.25, 0.5], k = [1, 2, 4] }\n", "")
            .replace("\"tic-tac-toe\"", "\"breakthrough(rows=[5, 6], columns=5)\"")
            + "\nbudgets = [{ simulations = [10, 20] }]";
        let experiment = read(&text);
        let one = &experiment.matches[0];
        assert_eq!(one.games, ["breakthrough(rows=5, columns=5)", "breakthrough(rows=6, columns=5)"]);
        assert_eq!((one.a.len(), one.budgets.len()), (4, 2));
        assert_eq!(one.a[0], "base[mast.eps=0.3, ngram.eps=0.1]");
        let written = experiment.agents[&one.a[3]].to_string();
        assert_eq!(written, "mcts(playout=policy+mast(eps=0.7)+ngram(n=2, eps=0.2))");
    }

    #[test]
    fn a_grid_is_inherited_and_measured() {
        let text = GRID.replace("[[match]]", "[agents.other]\nlike = \"base\"\nc = 1\n[[match]]");
        assert_eq!(read(&text.replace("a = [\"base\"]", "a = [\"other\"]")).matches[0].a.len(), 9);
        let text = GRID.split("[[match]]").next().unwrap().to_string()
            + "[[measure]]\ngames = [\"pig\"]\nagents = [\"base\", \"plain\"]\nbaseline = \"plain\"\n";
        assert_eq!(read(&text).measures[0].agents.len(), 28);
        let error = Experiment::read("x", &text.replace("baseline = \"plain\"", "baseline = \"base\"")).unwrap_err();
        assert!(error.to_string().contains("`base` is a grid of 27 agents"), "{error}");
    }

    #[test]
    fn mistakes_are_named() {
        let error = |from: &str, to: &str| {
            assert!(GRID.contains(from));
            Experiment::read("grid.toml", &GRID.replace(from, to)).unwrap_err().to_string()
        };
        let list = "[0.5, 1, 2]";
        assert_eq!(error(list, "[]"), "grid.toml, line 7: the list of `c` is empty; write at least one value");
        assert_eq!(error(list, "[1, 1.0]"), "grid.toml, line 7: the list of `c` has 1 twice; remove one");
        assert!(error(list, "[[1, 2], [3]]").contains("a list in a list"));
        assert!(error(list, "[\"[1, 2]\"]").contains("a list in a list"));
        assert!(error(list, "\"[1, 2\"").contains("never closed"));
        assert!(error(list, "[0.5, \"one\"]").starts_with("grid.toml, line 7, mcts, option c: `one`"));
        let many = format!("{:?}", (0..1200).collect::<Vec<_>>());
        assert!(error(list, &many).contains("a grid of 1200 × 3 × 3 points; leave values out: at most 10000"));
        assert!(error("like = \"plain\"", "like = [\"plain\"]").contains("`like` has no simple value"));
        assert!(error("a = [\"base\"]", "a = [\"bas\"]").ends_with("unknown agent `bas`; did you mean `base`?"));
        assert!(error("k = [1, 2, 4]", "kk = [1, 2]").contains("line 8"));
    }
}
