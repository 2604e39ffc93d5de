//! `spinney gpu compile`: kernels for a machine without a compiler.

use crate::arguments::GpuCompile;
use crate::interrupt;
use spinney_gpu::host::{Making, compile, kernels};

pub(super) fn compile_kernels(arguments: &GpuCompile) -> anyhow::Result<()> {
    let is_wanted = |name: &String| arguments.only.is_empty() || arguments.only.iter().any(|word| name.contains(word));
    let names: Vec<String> = kernels::all().map(|(game, kind)| format!("{game}-{kind}")).filter(is_wanted).collect();
    let tell = |name: &str, bytes: u64| eprintln!("{name}: {} kB", bytes / 1000);
    let GpuCompile { folder, ptxas, generation, registers, .. } = arguments;
    let mut makings: Vec<Making> =
        Making::ALL.map(|making| Making { registers: registers.unwrap_or(making.registers), ..making }).into();
    // Of one number of registers there is only one with stacks together.
    makings.dedup();
    for making in makings {
        compile::compile(&names, folder, ptxas, making, generation, &tell, &interrupt::pressed)?;
    }
    Ok(())
}
