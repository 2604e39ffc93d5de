//! `spinney agents`

use crate::arguments::Agents;
use crate::commands::options::{Thing, audience, short, walk, whole};
use serde_json::json;
use spinney_core::InputError;
use spinney_core::error::nearest;
use spinney_search::AgentInfo;
use spinney_table::Laboratory;
use spinney_web::options_json;
use std::io::Write;

pub fn run(arguments: &Agents, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let agents = laboratory.agents();
    let wanted = arguments.name.as_deref().map(|text| text.split('(').next().unwrap_or(text).trim());
    if let Some(name) = wanted.filter(|name| agents.iter().all(|agent| agent.name != *name)) {
        return explain(name, &agents, arguments.json, out);
    }
    // An agent with settings is read, so that mistakes are found, and written as it was understood.
    let with_settings = arguments.name.as_deref().filter(|text| text.contains('('));
    let settings = with_settings.map(|text| laboratory.agent(text)).transpose()?;
    for agent in agents.iter().filter(|agent| wanted.is_none_or(|name| agent.name == name)) {
        if arguments.json {
            let options = options_json(&agent.options);
            let (name, summary, games) = (agent.name, agent.summary, agent.games.word());
            let mut line = json!({"name": name, "summary": summary, "games": games, "options": options});
            if let Some(settings) = &settings {
                line["written"] = json!(settings.to_string());
            }
            writeln!(out, "{line}")?;
        } else {
            let options = if wanted.is_some() { whole(&agent.options) } else { short(&agent.options) };
            let written = settings.as_ref().map_or_else(|| agent.name.to_string(), ToString::to_string);
            writeln!(out, "{written}  {}{}\n{options}", agent.summary, audience(agent.games))?;
        }
    }
    Ok(())
}

/// Something that agents are made of: an option, a part of one, or a word.
fn explain(name: &str, agents: &[AgentInfo], as_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    // What is the same in several agents is told once.
    let mut found: Vec<(Thing<'_>, String, Vec<String>)> = Vec::new();
    let mut known: Vec<&str> = agents.iter().map(|agent| agent.name).collect();
    let outermost = known.len();
    for agent in agents {
        walk(agent.name, &agent.options, &mut |thing, written| {
            known.push(thing.name());
            if thing.name() != name {
                return;
            }
            let text = format!("{}  {}{}\n{}", thing.name(), thing.help(), audience(thing.games()), thing.text());
            match found.iter_mut().find(|(_, told, _)| *told == text) {
                Some((_, _, places)) => places.push(written),
                None => found.push((thing, text, vec![written])),
            }
        });
    }
    if found.is_empty() {
        if nearest(name, &known).is_none() {
            known.truncate(outermost);
        }
        return Err(InputError::unknown("agents", "agent", name, known).into());
    }
    for (thing, text, places) in found {
        if as_json {
            let games = thing.games().word();
            let mut line = json!({"name": thing.name(), "summary": thing.help(), "games": games, "written": places});
            match thing {
                Thing::Option(option) => {
                    line["kind"] = options_json(std::slice::from_ref(option))[0]["kind"].clone();
                    line["default"] = json!(option.default);
                }
                Thing::Part(part) => line["options"] = options_json(&part.options).into(),
                Thing::Word(_) => {}
            }
            writeln!(out, "{line}")?;
        } else {
            let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
            writeln!(out, "{head}\n    written {}\n{rest}", places.join(" or "))?;
        }
    }
    Ok(())
}
