//! `spinney completions` and `spinney man`

use crate::arguments::Arguments;
use clap::CommandFactory;
use spinney_core::InputError;
use std::io::Write;

pub fn completions(shell: clap_complete::Shell, out: &mut impl Write) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "spinney", &mut script);
    out.write_all(&script)?;
    Ok(())
}

pub fn page(name: Option<&str>, out: &mut impl Write) -> anyhow::Result<()> {
    let whole = Arguments::command();
    let command = match name {
        None => whole,
        Some(name) => {
            let found = whole.get_subcommands().find(|command| command.get_name() == name).cloned();
            let known = whole.get_subcommands().map(clap::Command::get_name);
            let error = || InputError::unknown("man", "command", name, known);
            found.ok_or_else(error)?.display_name(format!("spinney-{name}"))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    out.write_all(&page)?;
    Ok(())
}
