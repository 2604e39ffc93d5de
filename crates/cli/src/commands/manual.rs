//! `spinney completions` and `spinney man`

use super::games::sheets;
use crate::help;
use clap::Command;
use clap::builder::PossibleValuesParser;
use console::Term;
use spinney_core::InputError;
use spinney_lab::library;
use spinney_table::Laboratory;
use std::io::Write;
use std::process::Stdio;

pub fn completions(shell: clap_complete::Shell, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(help::command(), laboratory)?, "spinney", &mut script);
    out.write_all(&script)?;
    Ok(())
}

/// The command line as a shell should know it: games, agents and papers are proposed by name. Only scripts are made of
/// this; what is typed may have options, and files are games and experiments, too.
fn with_names(mut command: Command, laboratory: &Laboratory) -> Result<Command, InputError> {
    // The parser wants names that live for ever; the program ends after it has written them.
    let kept = |name: String| -> &'static str { name.leak() };
    let games: Vec<&str> = laboratory.games().iter().map(|entry| entry.name).chain(sheets().map(kept)).collect();
    let agents: Vec<&str> = laboratory.agents().iter().map(|agent| agent.name).collect();
    let players: Vec<&str> = ["human"].into_iter().chain(agents.iter().copied()).collect();
    let papers: Vec<&str> = library::papers()?.into_iter().map(|paper| kept(paper.name)).collect();
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |one| {
            one.mut_args(|argument| {
                let values = match (name.as_str(), argument.get_id().as_str()) {
                    ("games", "name") | (_, "game" | "games") if argument.is_positional() => &games,
                    ("agents", "name") | (_, "agent" | "a" | "b") => &agents,
                    ("play", "first" | "second") => &players,
                    ("reproduce", "name") => &papers,
                    _ => return argument,
                };
                argument.value_parser(PossibleValuesParser::new(values))
            })
        });
    }
    Ok(command)
}

pub fn page(name: Option<&str>, out: &mut impl Write) -> anyhow::Result<()> {
    let whole = help::command();
    let command = match name {
        None => whole,
        Some(name) => {
            let found = whole.get_subcommands().find(|command| command.get_name() == name).cloned();
            let known = whole.get_subcommands().map(Command::get_name);
            let error = || InputError::unknown("man", "command", name, known);
            found.ok_or_else(error)?.display_name(format!("spinney-{name}"))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    if !Term::stdout().is_term() {
        return Ok(out.write_all(&page)?);
    }
    // A person at a terminal wants to read, not to see how a page is set.
    if shown_by_man(&page).is_err() {
        eprintln!("`man` is not here to show the page, so this is the help; `spinney man > spinney.1` writes the page");
        write!(out, "{}", command.clone().render_long_help())?;
    }
    Ok(())
}

/// Hands the page to the program that shows pages.
fn shown_by_man(page: &[u8]) -> std::io::Result<()> {
    let mut man = std::process::Command::new("man").args(["-l", "-"]).stdin(Stdio::piped()).spawn()?;
    if let Some(mut input) = man.stdin.take() {
        // Somebody may leave before the end of the page.
        let _ = input.write_all(page);
    }
    match man.wait()?.success() {
        true => Ok(()),
        false => Err(std::io::Error::other("man")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_know_games_agents_and_papers() {
        let mut script = Vec::new();
        completions(clap_complete::Shell::Bash, &Laboratory::standard(), &mut script).unwrap();
        let script = String::from_utf8(script).unwrap();
        let line = |command: &str| {
            let mut lines = script.lines().skip_while(|line| line.trim() != format!("spinney__subcmd__{command})"));
            lines.find(|line| line.trim().starts_with("opts=")).unwrap_or_default().to_string()
        };
        assert!(line("play").contains("breakthrough") && line("play").contains("gdl:zhadu"), "{}", line("play"));
        assert!(script.contains("human random") || script.contains("human mcts"));
        assert!(line("agents").contains("cadiaplayer") && line("reproduce").contains("quality-rewards"));
    }
}
