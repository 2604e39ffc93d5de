//! `spinney perft`

use crate::arguments::Perft;
use crate::interrupt;
use crate::text::grouped;
use serde_json::json;
use spinney_table::Laboratory;
use std::io::Write;
use std::time::Instant;

pub fn run(arguments: &Perft, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let mut table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
    let roles: Vec<String> = table.roles().into_iter().map(|role| role.name).collect();
    if arguments.json {
        let (game, position, depth) = (table.game(), table.position(), arguments.depth);
        let Some(nodes) = interrupt::unless_pressed(move || table.perft(depth)) else { return stopped() };
        let mut line = json!({"game": game, "position": position, "depth": arguments.depth, "nodes": nodes});
        if !roles.is_empty() {
            line["roles"] = json!(roles);
        }
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(out, "{} {}", table.game(), table.position())?;
    if !roles.is_empty() {
        writeln!(out, "joint moves, one of each role: {}", roles.join(", "))?;
    }
    for depth in 0..=arguments.depth {
        let started = Instant::now();
        let count = move || (table.perft(depth), table);
        let Some((nodes, back)) = interrupt::unless_pressed(count) else { return stopped() };
        table = back;
        let seconds = started.elapsed().as_secs_f64();
        let speed = grouped((nodes as f64 / seconds.max(1e-9)) as u64);
        writeln!(out, "perft({depth:>2}) {:>20}  {seconds:>8.3} s  {speed} per second", grouped(nodes))?;
        out.flush()?;
    }
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "it is the end of a command")]
fn stopped() -> anyhow::Result<()> {
    eprintln!("stopped");
    Ok(())
}
