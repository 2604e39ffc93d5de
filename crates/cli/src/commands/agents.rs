//! `spinney agents`

use crate::arguments::List;
use crate::commands::games::{options_json, options_text};
use serde_json::json;
use spinney_core::InputError;
use spinney_search::AgentSettings;
use std::io::Write;

pub fn run(arguments: &List, out: &mut impl Write) -> anyhow::Result<()> {
    let agents = AgentSettings::list();
    let wanted = arguments.name.as_deref();
    if let Some(name) = wanted.filter(|name| agents.iter().all(|agent| agent.name != *name)) {
        let known = agents.iter().map(|agent| agent.name);
        return Err(InputError::unknown("agents", "agent", name, known).into());
    }
    for agent in agents.iter().filter(|agent| wanted.is_none_or(|name| agent.name == name)) {
        if arguments.json {
            let options = options_json(&agent.options);
            writeln!(out, "{}", json!({"name": agent.name, "summary": agent.summary, "options": options}))?;
        } else {
            writeln!(out, "{}  {}\n{}", agent.name, agent.summary, options_text(&agent.options))?;
        }
    }
    Ok(())
}
