//! Small pieces of text that several commands print.

use console::{Term, measure_text_width, truncate_str};
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

/// Columns of the terminal; a hundred where there is none.
pub fn screen_width() -> usize {
    Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns))
}

/// The columns that lines may take: those of the terminal, or any number where there is none.
pub fn line_width() -> Option<usize> {
    Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// Words in lines of at most so many columns, `between` them, each line indented; a word is never broken.
pub fn wrapped<'a>(words: impl Iterator<Item = &'a str>, between: &str, indent: usize, width: usize) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = measure_text_width(word);
        if column > 0 && column + measure_text_width(between) + length > width {
            text += "\n";
            column = 0;
        }
        let space = if column == 0 { " ".repeat(indent) } else { between.to_string() };
        column += measure_text_width(&space) + length;
        text += &(space + word);
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// Candidate moves as a table: move, visits, share, mean, interval, proof, variation. Empty where nothing was searched; a
/// line is cut where it does not fit into `width`.
pub fn candidates(thought: &Thought, most: usize, width: Option<usize>) -> String {
    if thought.candidates.is_empty() {
        return String::new();
    }
    let total: u64 = thought.candidates.iter().map(|candidate| u64::from(candidate.visits)).sum();
    let margin = |margin: f32| if margin.is_nan() { "-".to_string() } else { format!("{margin:.3}") };
    let row = |cells: [String; 6], variation: &str| {
        let [mv, visits, share, mean, margin, proof] = cells;
        match is_sampled(thought) {
            true => format!("{mv:>10} {visits:>11} {share:>6} {mean:>7} {margin:>6} {proof:>6}  {variation}"),
            // A search without simulations has a value and no visits.
            false => format!("{mv:>10} {mean:>7} {proof:>6}  {variation}"),
        }
    };
    let mean = if is_sampled(thought) { "mean" } else { "value" };
    let heading = ["move", "visits", "%", mean, "±95 %", "proven"].map(String::from);
    let mut lines = vec![row(heading, "principal variation")];
    for candidate in thought.candidates.iter().take(most) {
        let cells = [
            candidate.mv.clone(),
            grouped(u64::from(candidate.visits)),
            format!("{:.1}", 100.0 * f64::from(candidate.visits) / total.max(1) as f64),
            format!("{:.3}", candidate.mean),
            margin(candidate.margin),
            proof_word(candidate.proof).to_string(),
        ];
        lines.push(row(cells, &shortened(&candidate.variation)));
    }
    if thought.candidates.len() > most {
        lines.push(format!("{:>10} more moves: --all shows them", thought.candidates.len() - most));
    }
    let fit = |line: String| width.map_or(line.clone(), |width| truncate_str(&line, width, "…").into_owned()) + "\n";
    lines.into_iter().map(fit).collect()
}

/// Whether the values are means of simulations.
fn is_sampled(thought: &Thought) -> bool {
    thought.totals.playouts > 0 || thought.totals.deepest_plies == 0
}

fn shortened(variation: &[String]) -> String {
    const MOST: usize = 6;
    let mut text = variation.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(" ");
    if variation.len() > MOST {
        text += " …";
    }
    text
}

/// One line about the whole search, or several where it is longer than `width`; empty if there was none.
pub fn summary(thought: &Thought, width: Option<usize>) -> String {
    if thought.totals.simulations == 0 && thought.candidates.is_empty() {
        return String::new();
    }
    let kind = if is_sampled(thought) { "simulations" } else { "positions" };
    let (count, seconds) = (grouped(thought.totals.simulations), thought.elapsed.as_secs_f64());
    let mut parts = vec![format!("{count} {kind} in {seconds:.2} s ({} per second)", grouped(rate(thought) as u64))];
    if thought.totals.playouts > 0 {
        let (mean, deepest) = (per_playout(thought, thought.totals.depth_plies), thought.totals.deepest_plies);
        parts.push(format!("depth {mean:.1} mean, {deepest} most"));
        parts.push(format!("mean length {:.1} plies", per_playout(thought, thought.totals.length_plies)));
    } else if thought.totals.deepest_plies > 0 {
        parts.push(format!("depth {}", thought.totals.deepest_plies));
    }
    if thought.nodes > 0 {
        parts.push(format!("{} nodes, {:.1} MB", grouped(thought.nodes), thought.bytes as f64 / 1e6));
    }
    if thought.proof != Proof::Unknown {
        parts.push(format!("proven {} for the player to move", proof_word(thought.proof)));
    }
    wrapped(parts.iter().map(String::as_str), " · ", 0, width.unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
    }
    #[test]
    fn words_are_never_broken() {
        let text = wrapped(["aaa", "bb", "cccccccccccc", "d"].into_iter(), "  ", 2, 9);
        assert_eq!(text, "  aaa  bb\n  cccccccccccc\n  d\n");
        assert_eq!(wrapped([].into_iter(), " ", 2, 9), "");
    }
}
