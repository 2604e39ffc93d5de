//! The agents of an experiment file: what they inherit, and the points of those that are grids.

use crate::grid::{self, Template, simple_text};
use spinney_core::InputError;
use spinney_core::expression::{Argument, Expression};
use spinney_search::AgentSettings;
use spinney_table::Laboratory;
use std::collections::BTreeMap;
use toml::Spanned;

/// Words that an agent's table may hold beside the options of the agent.
const LIKE: &str = "like";
const KIND: &str = "kind";

/// The points of agents that are grids, by the name of the agent.
#[derive(Default)]
pub(crate) struct Grids(BTreeMap<String, Vec<String>>);

impl Grids {
    /// Names of agents, with the points of a grid in its place.
    pub(crate) fn points_of(
        &self,
        names: Vec<String>,
        agents: &BTreeMap<String, AgentSettings>,
        place: &str,
    ) -> Result<Vec<String>, InputError> {
        let mut points = Vec::new();
        for name in names {
            match self.0.get(&name) {
                Some(grid) => points.extend_from_slice(grid),
                None if agents.contains_key(&name) => points.push(name),
                None => {
                    let is_point = |name: &&String| self.0.values().any(|grid| grid.contains(*name));
                    let known = agents.keys().filter(|name| !is_point(name)).chain(self.0.keys());
                    return Err(InputError::unknown(place, "agent", &name, known.map(String::as_str)));
                }
            }
        }
        Ok(points)
    }

    /// Refuses a grid where one agent belongs.
    pub(crate) fn refuse(&self, name: &str, place: &str) -> Result<(), InputError> {
        match self.0.get(name) {
            None => Ok(()),
            Some(points) => {
                let problem = format!("`{name}` is a grid of {} agents", points.len());
                let first = points.first().map_or(name, String::as_str);
                Err(InputError::new(place, problem, format!("name one of them, such as `{first}`")))
            }
        }
    }
}

/// Agents with what they inherit: `like = "base"` takes all of base's options that are not written anew. An agent with
/// lists is a grid of agents.
pub(crate) fn read_agents(
    laboratory: &Laboratory,
    tables: &BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, toml::Value>>,
    place: &impl Fn(usize) -> String,
) -> Result<(BTreeMap<String, AgentSettings>, Grids), InputError> {
    let find = |name: &str| tables.iter().find(|(key, _)| key.get_ref() == name);
    let mut agents = BTreeMap::new();
    let mut grids = Grids::default();
    for (name, own) in tables {
        let here = place(name.span().start);
        // From the agent up through its ancestors; the nearest value of an option counts.
        let mut chain = vec![(name.get_ref().as_str(), own)];
        let mut kind = None;
        let mut options: BTreeMap<&str, (Template, String, usize)> = BTreeMap::new();
        let mut next = 0;
        while let Some(&(_, table)) = chain.get(next) {
            next += 1;
            for (key, value) in table {
                let (start, key) = (key.span().start, key.get_ref().as_str());
                let line = place(start);
                let word = || {
                    let problem = format!("`{key}` has no simple value");
                    simple_text(value).ok_or_else(|| InputError::new(&line, problem, "write a word"))
                };
                match key {
                    LIKE => {
                        let text = word()?;
                        let known = tables.keys().map(|key| key.get_ref().as_str());
                        let (parent, table) =
                            find(&text).ok_or_else(|| InputError::unknown(&line, "agent", &text, known))?;
                        if chain.iter().any(|(seen, _)| seen == parent.get_ref()) {
                            let problem = format!("`{text}` is like itself");
                            return Err(InputError::new(&line, problem, "break the circle"));
                        }
                        chain.push((parent.get_ref(), table));
                    }
                    KIND => kind = kind.or(Some(word()?)),
                    key if options.contains_key(key) => {}
                    key => {
                        let template = Template::of_value(key, value, &line)?;
                        options.insert(key, (template, line, start));
                    }
                }
            }
        }
        let kind = kind.unwrap_or_else(|| "mcts".to_string());
        // Axes come in the order of the file.
        let mut ordered: Vec<(&&str, &(Template, String, usize))> = options.iter().collect();
        ordered.sort_by_key(|(_, (_, _, start))| *start);
        let templates: Vec<&Template> = ordered.iter().map(|(_, (template, ..))| template).collect();
        let points = grid::fill(&templates, &here)?;
        let mut names = Vec::new();
        for point in points {
            let mut texts: Vec<(&str, String, &str)> = ordered
                .iter()
                .zip(point.texts)
                .map(|((key, (_, line, _)), text)| (**key, text, line.as_str()))
                .collect();
            texts.sort_by_key(|(key, ..)| *key);
            let settings = read_agent(laboratory, &kind, &texts, &here)?;
            let name = format!("{}{}", name.get_ref(), point.suffix);
            if agents.contains_key(&name) {
                let problem = format!("there are two agents `{name}`");
                return Err(InputError::new(&here, problem, "rename the one that is written by hand"));
            }
            names.push(name.clone());
            agents.insert(name, settings);
        }
        if names != [name.get_ref().as_str()] {
            grids.0.insert(name.get_ref().clone(), names);
        }
    }
    Ok((agents, grids))
}

/// One agent from its options, each with its text and the line it stands in.
fn read_agent(
    laboratory: &Laboratory,
    kind: &str,
    options: &[(&str, String, &str)],
    place: &str,
) -> Result<AgentSettings, InputError> {
    let mut arguments = Vec::new();
    for (key, text, line) in options {
        let value = Expression::read_sum("option", text).map_err(|error| error.within(line))?;
        arguments.push(Argument { key: (*key).to_string(), value });
    }
    let expression = Expression { name: kind.to_string(), arguments };
    laboratory.read_agent(&expression).map_err(|error| {
        // The line is that of the option that cannot be read even alone, if there is one, else of the agent.
        let is_wrong = |argument: &Argument| {
            let alone = Expression { name: expression.name.clone(), arguments: vec![argument.clone()] };
            laboratory.read_agent(&alone).is_err()
        };
        let wrong = expression.arguments.iter().position(is_wrong);
        error.within(wrong.and_then(|wrong| options.get(wrong)).map_or(place, |(_, _, line)| line))
    })
}
