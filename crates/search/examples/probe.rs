#![allow(missing_docs, clippy::all, clippy::print_stdout)]
use spinney_core::*;
use spinney_search::table::Question;
use spinney_search::*;
fn main() {
    let stop = std::sync::atomic::AtomicBool::new(false);
    for agent in ["mcts(playout=uniform)", "mcts(playout=policy)", "mcts"] {
        let mut table = open_table("breakthrough", None).unwrap();
        let seat = table.seat(&agent.parse().unwrap()).unwrap();
        for _ in 0..2 {
            let t = table.think(
                seat,
                &mut Question {
                    seed: Seed::new(1),
                    budget: Some(Budget::simulations(400000)),
                    stop: &stop,
                    observer: None,
                },
            );
            println!(
                "{agent}: {:.0}/s nodes {} depth {:.2} len {:.1} best {} {:.3} {:?}",
                t.totals.simulations as f64 / t.elapsed.as_secs_f64(),
                t.nodes,
                t.totals.depth_plies as f64 / t.totals.playouts as f64,
                t.totals.length_plies as f64 / t.totals.playouts as f64,
                t.chosen,
                t.candidates[0].mean,
                t.candidates[0].variation
            );
        }
    }
    println!("{:x}", signature::signature().unwrap());
}
