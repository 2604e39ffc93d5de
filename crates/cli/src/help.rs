//! The command line with an example for every command, and what is said of one that cannot be read.

use crate::arguments::Arguments;
use clap::{Command, CommandFactory};

/// Examples of every command, which is written without the name of the program; a test reads them.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["spinney play breakthrough", "spinney analyse havannah --time 5", "spinney serve --open"]),
    ("games", &["spinney games", "spinney games 'breakthrough(rows=6, columns=6)'", "spinney games gdl:connect-four"]),
    ("agents", &["spinney agents mcts", "spinney agents mast", "spinney agents 'mcts(playout=policy+mast(eps=0.7))'"]),
    (
        "play",
        &[
            "spinney play breakthrough --second 'mcts(time=2)'",
            "spinney play breakthrough --clock 300+2",
            "spinney play cannon --first 'mcts(sims=5000)' --second alphabeta --quiet --record game.txt",
        ],
    ),
    (
        "analyse",
        &["spinney analyse havannah --time 5", "spinney analyse breakthrough --agent 'mcts(qb)' --sims 1e5 --json"],
    ),
    (
        "match",
        &[
            "spinney match breakthrough --a 'mcts(sims=500)' --b 'mcts(sims=500, playout=uniform)'",
            "spinney match breakthrough --a mcts --b 'mcts(solver=off)' --clock 10+0.1",
        ],
    ),
    ("score", &["spinney score pig --agent 'mcts(sims=64, cv, crn)' --games 1000"]),
    ("solve", &["spinney solve pig", "spinney solve 'cant-stop(turns=1, length=2)'"]),
    ("moves", &["spinney moves breakthrough", "spinney moves tic-tac-toe 'x../.o./... 1' --json"]),
    ("perft", &["spinney perft amazons 2", "spinney perft 'breakthrough(rows=6, columns=6)' 5 --json"]),
    ("bench", &["spinney bench breakthrough", "spinney bench --signature"]),
    ("gpu", &["spinney gpu list", "spinney gpu check"]),
    ("gpu list", &["spinney gpu list"]),
    ("gpu compile", &["spinney gpu compile kernels --registers 64"]),
    ("gpu check", &["spinney gpu check", "spinney gpu check --only breakthrough --out check.json"]),
    ("diagnose", &["spinney diagnose cannon", "spinney diagnose breakthrough --games 10 --page breakthrough.html"]),
    (
        "review",
        &[
            "spinney review game.txt --page review.html",
            "spinney review runs/mine 3.1 --agent 'mcts(sims=5000)' --json",
        ],
    ),
    ("lab", &["spinney lab plan solver", "spinney lab run my-experiment.toml --out runs/mine"]),
    ("lab plan", &["spinney lab plan", "spinney lab plan solver", "spinney lab plan my-experiment.toml --json"]),
    ("lab run", &["spinney lab run solver", "spinney lab run my-experiment.toml --out runs/mine --shard 0/4"]),
    (
        "lab submit",
        &[
            "spinney lab submit my-experiment.toml --on slurm --minutes 20 --dry-run",
            "spinney lab submit runs/mine --on hyperqueue",
        ],
    ),
    ("lab element", &["spinney lab element runs/mine --index 3"]),
    ("lab gather", &["spinney lab gather runs/mine"]),
    ("lab cancel", &["spinney lab cancel runs/mine"]),
    ("lab watch", &["spinney lab watch runs/mine"]),
    ("lab status", &["spinney lab status runs/mine", "spinney lab status runs/mine --json"]),
    ("lab report", &["spinney lab report runs/mine --html report.html"]),
    ("lab merge", &["spinney lab merge runs/whole runs/shard-0 runs/shard-1"]),
    ("lab verify", &["spinney lab verify runs/mine --sample 5"]),
    ("lab pack", &["spinney lab pack runs/mine --moves 2"]),
    ("lab export", &["spinney lab export runs/mine --csv games.csv"]),
    ("lab more", &["spinney lab more runs/mine --pairs 200"]),
    (
        "reproduce",
        &[
            "spinney reproduce",
            "spinney reproduce quality-rewards --quick",
            "spinney reproduce quality-rewards --table 1 --game cannon --plan",
        ],
    ),
    ("atlas", &["spinney atlas", "spinney atlas results --out docs/atlas"]),
    ("ggp", &["spinney ggp check my-game.kif", "spinney ggp serve --port 9147"]),
    ("ggp check", &["spinney ggp check my-game.kif --build", "spinney ggp check tic-tac-toe"]),
    ("ggp serve", &["spinney ggp serve --port 9147 --agent 'cadiaplayer'"]),
    ("ggp manage", &["spinney ggp manage tic-tac-toe --players http://localhost:9147,random --playclock 5"]),
    ("ggp keys", &["spinney ggp keys my.keys"]),
    ("ggp verify", &["spinney ggp verify matches/one.json"]),
    ("ggp tournament", &["spinney ggp tournament tic-tac-toe connect-four --players http://localhost:9147,random"]),
    ("tune", &["spinney tune experiments/tune/breakthrough-rb.toml --quick"]),
    ("tune ask", &["spinney tune ask experiments/tune/breakthrough-rb.toml --count 4"]),
    ("tune tell", &["spinney tune tell experiments/tune/breakthrough-rb.toml"]),
    ("tune play", &["spinney tune play experiments/tune/breakthrough-rb.toml"]),
    ("serve", &["spinney serve --open", "spinney serve --port 8080 --runs experiments-of-mine"]),
    ("ugi", &["spinney ugi breakthrough --agent 'mcts(time=1)'"]),
    ("completions", &["spinney completions bash > ~/.local/share/bash-completion/completions/spinney"]),
    ("man", &["spinney man", "spinney man match > spinney-match.1"]),
];

/// The command line; every command has its examples at the end of its help.
pub fn command() -> Command {
    with_examples(Arguments::command(), "")
}

fn with_examples(mut command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
    for name in names {
        let path = format!("{path} {name}").trim_start().to_string();
        command = command.mut_subcommand(name, |one| with_examples(one, &path));
    }
    let Some((_, lines)) = EXAMPLES.iter().find(|(known, _)| *known == path) else { return command };
    let head = if lines.len() == 1 { "Example:" } else { "Examples:" };
    let mut text = lines.iter().fold(head.to_string(), |text, line| format!("{text}\n  {line}"));
    if let Some(rest) = command.get_after_help() {
        text += &format!("\n\n{rest}");
    }
    command.after_help(text)
}

/// The command that was meant, as far as its words are known, such as `spinney lab run`.
fn meant(arguments: impl Iterator<Item = String>) -> String {
    let whole = Arguments::command();
    let (mut command, mut text) = (&whole, "spinney".to_string());
    for word in arguments {
        let Some(next) = command.find_subcommand(&word) else { break };
        text += &format!(" {word}");
        command = next;
    }
    text
}

/// A usage error as one line: what is wrong, and the tip or where to find help.
pub fn one_line(error: &clap::Error, arguments: impl Iterator<Item = String>) -> String {
    let text = error.to_string();
    let mut parts: Vec<&str> = Vec::new();
    let mut tip = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        match line.strip_prefix("tip: ") {
            // What begins with a dash is hardly ever meant as a value.
            Some(words) if words.contains("as a value, use") => {}
            Some(words) => tip = tip.or(Some(words)),
            None => parts.push(line),
        }
    }
    let problem = parts.join(" ").replace("invalid digit found in string", "it is not a whole number");
    match tip {
        Some(tip) => format!("{problem}; {tip}"),
        None => format!("{problem}; `{} --help` shows what can be written", meant(arguments)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    /// The words of a line as a shell reads them, up to where it sends its output.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
        for letter in line.chars().take_while(|letter| *letter != '>') {
            match letter {
                '\'' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
                _ => word.push(letter),
            }
        }
        words.extend((!word.is_empty()).then_some(word));
        words
    }

    fn check(one: &Command, path: &str) {
        let lines =
            EXAMPLES.iter().find(|(known, _)| *known == path).unwrap_or_else(|| panic!("no example of `{path}`")).1;
        let help = one.clone().render_help().to_string();
        for line in lines {
            assert!(help.contains(line), "`{line}` is broken in two in the help of `{path}`");
            assert!(line.starts_with(format!("spinney {path}").trim_end()), "{line}");
            let parsed =
                command().try_get_matches_from(words(line)).and_then(|found| Arguments::from_arg_matches(&found));
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err().map(|error| error.to_string()));
        }
        for part in one.get_subcommands() {
            check(part, format!("{path} {}", part.get_name()).trim_start());
        }
    }

    #[test]
    fn every_command_has_examples_that_can_be_read() {
        check(&command(), "");
    }

    #[test]
    fn a_usage_error_names_the_help_of_its_command() {
        let line = |arguments: &[&str]| {
            let error = command().try_get_matches_from([&["spinney"], arguments].concat()).unwrap_err();
            one_line(&error, arguments.iter().map(|word| word.to_string()))
        };
        assert!(line(&["lab", "run"]).ends_with("; `spinney lab run --help` shows what can be written"));
        assert!(
            line(&["analyse", "pig", "--seed", "1e6"]).contains("it is not a whole number; `spinney analyse --help`")
        );
        assert!(line(&["analyse", "pig", "--sims", "0"]).contains("write a whole number from 1 to 2000000000"));
        assert!(!line(&["moves", "--jsn"]).contains("as a value"));
    }
}
