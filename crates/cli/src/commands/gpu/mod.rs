//! `spinney gpu`: what cards are here, whether they play the same games as the processor, and how fast.

mod check;
mod compare;
mod compile;
mod list;
mod speeds;

use crate::arguments::{Gpu, GpuCommand};
use spinney_table::Laboratory;
use std::io::Write;

pub fn run(arguments: &Gpu, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        GpuCommand::List => list::list(out),
        GpuCommand::Compile(arguments) => compile::compile_kernels(arguments),
        GpuCommand::Check(arguments) => check::check(arguments, laboratory, out),
    }
}
