//! `spinney gpu list`: the cards and the kernels.

use crate::text::grouped;
use spinney_gpu::host::{Card, Stacks, kernels};
use std::io::Write;

/// The cards, and the kernels.
pub(super) fn list(out: &mut impl Write) -> anyhow::Result<()> {
    match Card::count() {
        Ok(0) => writeln!(out, "no card")?,
        Ok(count) => (0..count).try_for_each(|number| -> anyhow::Result<()> {
            match Card::open(number).and_then(|card| Ok((card.free_bytes()?, card))) {
                Ok((bytes, card)) => {
                    let (megabytes, processors) = (grouped(bytes / 1_000_000), card.processors);
                    writeln!(out, "card {number}: {}, {processors} processors, {megabytes} MB free", card.name)?;
                }
                Err(error) => writeln!(out, "card {number}: {error}")?,
            }
            Ok(())
        })?,
        Err(error) => writeln!(out, "no card: {error}")?,
    }
    writeln!(out, "kernels:")?;
    for (game, kind) in kernels::all() {
        let name = format!("{game}-{kind}");
        let size = kernels::text(&name, Stacks::Together)
            .map_or("not made".to_string(), |text| format!("{} kB", text.len() / 1000));
        writeln!(out, "  {name:<32} {size}")?;
    }
    Ok(())
}
