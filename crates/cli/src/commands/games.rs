//! `spinney games`

use crate::arguments::List;
use serde_json::{Value, json};
use spinney_core::InputError;
use spinney_core::options::OptionInfo;
use std::io::Write;

pub fn run(arguments: &List, out: &mut impl Write) -> anyhow::Result<()> {
    let entries = spinney_games::entries();
    let wanted = arguments.name.as_deref();
    if let Some(name) = wanted.filter(|name| entries.iter().all(|entry| entry.name != *name)) {
        let known = entries.iter().map(|entry| entry.name);
        return Err(InputError::unknown("games", "game", name, known).into());
    }
    for entry in entries.iter().filter(|entry| wanted.is_none_or(|name| entry.name == name)) {
        if arguments.json {
            let options = options_json(&entry.options);
            let line =
                json!({"name": entry.name, "summary": entry.summary, "source": entry.source, "options": options});
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}  {} ({})", entry.name, entry.summary, entry.source)?;
            write!(out, "{}", options_text(&entry.options))?;
        }
    }
    Ok(())
}

/// Options for a person, one line each.
pub fn options_text(options: &[OptionInfo]) -> String {
    let line = |option: &OptionInfo| {
        let default = if option.default.is_empty() { String::new() } else { format!(" [{}]", option.default) };
        format!("    {:<12} {}: {}{default}\n", option.key, option.help, option.kind)
    };
    options.iter().map(line).collect()
}

/// Options as JSON.
pub fn options_json(options: &[OptionInfo]) -> Vec<Value> {
    let object = |option: &OptionInfo| json!({"key": option.key, "kind": option.kind, "default": option.default, "help": option.help});
    options.iter().map(object).collect()
}
