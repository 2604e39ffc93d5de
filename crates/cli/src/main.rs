//! `spinney`: the command line of the standard laboratory.

use std::process::ExitCode;

fn main() -> ExitCode {
    spinney_cli::command_line(&spinney_table::Laboratory::standard())
}
