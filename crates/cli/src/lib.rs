//! The command line of a laboratory: play, analyse, match, count and measure.
//!
//! [`command_line`] is the whole program `spinney`; a laboratory with games, agents and ideas of one's own has the same
//! commands.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "a command talks to its user")]

mod arguments;
mod cards;
mod commands;
mod help;
mod interrupt;
mod numbers;
mod text;

use arguments::{Arguments, Command};
use clap::FromArgMatches;
use clap::error::ErrorKind as Usage;
use spinney_core::InputError;
use spinney_lab::LabError;
use spinney_table::Laboratory;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Something the user wrote is wrong.
const EXIT_INPUT: u8 = 2;
/// Something else went wrong, or what was asked has a negative answer.
const EXIT_FAILURE: u8 = 1;

/// The answer is no, and all has been said about it.
#[derive(Debug, Clone, Copy)]
pub struct Negative;

impl std::fmt::Display for Negative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the answer is no")
    }
}

impl std::error::Error for Negative {}

/// Does what the arguments of the program ask of a laboratory; the exit code is 0, 1 if the answer is no or something
/// failed, 2 if what the user wrote is wrong.
pub fn command_line(laboratory: &Laboratory) -> ExitCode {
    ExitCode::from(run_arguments(laboratory, std::env::args_os()))
}

/// The same with these arguments, the first of which is the name of the program, and the exit code as a number.
pub fn run_arguments(laboratory: &Laboratory, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let read = help::command().try_get_matches_from(&arguments);
    let written = arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let arguments = match read.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() || error.kind() == Usage::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Help and version; a closed pipe is the reader's choice.
            let text = error.render();
            let _ = match console::colors_enabled() {
                true => write!(std::io::stdout(), "{}", text.ansi()),
                false => write!(std::io::stdout(), "{text}"),
            };
            return 0;
        }
        Err(error) => {
            eprintln!("{}", help::one_line(&error, written));
            return EXIT_INPUT;
        }
    };
    // Not locked: a search on another thread may have something to say.
    let mut out = std::io::stdout();
    match run(arguments.command, laboratory, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => 0,
        Err(error) => report(&error),
    }
}

fn run(command: Command, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Games(options) => commands::games::run(&options, laboratory, out),
        Command::Agents(options) => commands::agents::run(&options, laboratory, out),
        Command::Play(options) => commands::play::run(&options, laboratory, out),
        Command::Analyse(options) => commands::analyse::run(&options, laboratory, out),
        Command::Match(options) => commands::matches::run(&options, laboratory, out),
        Command::Score(options) => commands::score::run(&options, laboratory, out),
        Command::Solve(options) => commands::solve::run(&options, laboratory, out),
        Command::Moves(options) => commands::moves::run(&options, laboratory, out),
        Command::Perft(options) => commands::perft::run(&options, laboratory, out),
        Command::Bench(options) => commands::bench::run(&options, laboratory, out),
        Command::Gpu(options) => commands::gpu::run(&options, laboratory, out),
        Command::Review(options) => commands::review::run(&options, laboratory, out),
        Command::Diagnose(options) => commands::diagnose::run(&options, laboratory, out),
        Command::Lab(command) => commands::lab::run(&command, laboratory, out),
        Command::Reproduce(options) => commands::reproduce::run(&options, laboratory, out),
        Command::Atlas(options) => commands::atlas::run(&options, laboratory, out),
        Command::Tune(options) => commands::tune::run(&options, laboratory, out),
        Command::Ggp(command) => commands::ggp::run(&command, out),
        Command::Serve(options) => commands::serve::run(&options, laboratory),
        Command::Ugi(options) => commands::ugi::run(&options, laboratory, out),
        Command::Completions { shell } => commands::manual::completions(shell, laboratory, out),
        Command::Man { command } => commands::manual::page(command.as_deref(), out),
    }
}

fn report(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref::<InputError>() {
        eprintln!("error: {error}");
        return EXIT_INPUT;
    }
    if let Some(LabError::Input(error)) = error.downcast_ref::<LabError>() {
        eprintln!("error: {error}");
        return EXIT_INPUT;
    }
    if error.downcast_ref::<Negative>().is_some() {
        return EXIT_FAILURE;
    }
    if error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        return 0;
    }
    eprintln!("error: {error:#}");
    EXIT_FAILURE
}
