//! Small pieces of text that several commands print.

use spinney_search::tree::Proof;
use spinney_table::table::Thought;

/// A number with a space between groups of three digits.
pub fn grouped(number: u64) -> String {
    spinney_report::grouped(number, ' ')
}

/// What is proven, in one word; empty if nothing is.
pub fn proof_word(proof: Proof) -> &'static str {
    match proof {
        Proof::Unknown => "",
        Proof::Win => "win",
        Proof::Loss => "loss",
        Proof::Draw => "draw",
    }
}

/// Simulations per second.
pub fn rate(thought: &Thought) -> f64 {
    thought.totals.simulations as f64 / thought.elapsed.as_secs_f64().max(1e-9)
}

/// The mean of a sum over play-outs; 0 without any.
pub fn per_playout(thought: &Thought, sum: u64) -> f64 {
    if thought.totals.playouts == 0 { 0.0 } else { sum as f64 / thought.totals.playouts as f64 }
}

/// Candidate moves as a table: move, visits, share, mean, interval, proof, variation.
pub fn candidates(thought: &Thought, most: usize) -> String {
    let mut text = format!(
        "{:>10} {:>11} {:>6} {:>7} {:>6} {:>6}  {}\n",
        "move", "visits", "%", "mean", "±95 %", "proven", "principal variation"
    );
    let total: u64 = thought.candidates.iter().map(|candidate| u64::from(candidate.visits)).sum();
    for candidate in thought.candidates.iter().take(most) {
        let share = 100.0 * f64::from(candidate.visits) / total.max(1) as f64;
        let margin = if candidate.margin.is_nan() { "-".to_string() } else { format!("{:.3}", candidate.margin) };
        text += &format!(
            "{:>10} {:>11} {:>6.1} {:>7.3} {:>6} {:>6}  {}\n",
            candidate.mv,
            grouped(u64::from(candidate.visits)),
            share,
            candidate.mean,
            margin,
            proof_word(candidate.proof),
            shortened(&candidate.variation),
        );
    }
    if thought.candidates.len() > most {
        text += &format!("{:>10} more moves: --all shows them\n", thought.candidates.len() - most);
    }
    text
}

fn shortened(variation: &[String]) -> String {
    const MOST: usize = 6;
    let mut text = variation.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(" ");
    if variation.len() > MOST {
        text += " …";
    }
    text
}

/// One line about the whole search.
pub fn summary(thought: &Thought) -> String {
    let mut text = format!(
        "{} simulations in {:.2} s ({} per second)",
        grouped(thought.totals.simulations),
        thought.elapsed.as_secs_f64(),
        grouped(rate(thought) as u64),
    );
    if thought.totals.playouts > 0 {
        text += &format!(
            " · depth {:.1} mean, {} most · mean length {:.1} plies",
            per_playout(thought, thought.totals.depth_plies),
            thought.totals.deepest_plies,
            per_playout(thought, thought.totals.length_plies),
        );
    }
    if thought.nodes > 0 {
        text += &format!(" · {} nodes, {:.1} MB", grouped(thought.nodes), thought.bytes as f64 / 1e6);
    }
    if thought.proof != Proof::Unknown {
        text += &format!(" · proven {} for the player to move", proof_word(thought.proof));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
    }
}
