//! What the atlas was made from: a row for each run.

use super::{Atlas, RunLine};
use crate::escape::{markdown, markdown_code, xml};
use crate::numbers::{self, MISSING};
use std::fmt::Write;

/// What the columns are called; the first names the row.
const HEADS: [&str; 6] = ["Run", "Games that count here", "Version", "Machine", "Searched for", "Played again"];

/// A time in the unit that suits it.
fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 60.0 => format!("{seconds:.0} s"),
        seconds if seconds < 3600.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

/// A run behind its name, in the order of [`HEADS`].
fn cells(run: &RunLine) -> [String; 5] {
    let known = |text: Option<String>| text.filter(|text| !text.is_empty()).unwrap_or_else(|| MISSING.to_owned());
    let checked = run.checked.map(|[identical, replayed]| match identical == replayed {
        true => format!("{}, all the same", numbers::count(replayed)),
        false => format!("{}, of which {} differ", numbers::count(replayed), numbers::count(replayed - identical)),
    });
    [
        numbers::count(run.games),
        known(Some(run.version.clone())),
        known(run.machine.clone()),
        known(run.seconds.map(time)),
        checked.unwrap_or_else(|| "no".to_owned()),
    ]
}

/// How to read the table, and all runs together.
fn about(runs: &[RunLine]) -> String {
    let games: u64 = runs.iter().map(|run| run.games).sum();
    let seconds: f64 = runs.iter().filter_map(|run| run.seconds).sum();
    let mut text = format!(
        "{} runs, {} games and repetitions that count here. Searched for: the time of all agents in all games of the run, on one \
         core or as one of many games on a graphics card; {} where it is known. Played again: games that were repeated move by \
         move from their seeds; those by the clock cannot be. ",
        numbers::count(runs.len() as u64),
        numbers::count(games),
        time(seconds)
    );
    let lacking = [
        ("the machine", runs.iter().filter(|run| run.machine.is_none() && run.problem.is_none()).count()),
        ("the time", runs.iter().filter(|run| run.seconds.is_none() && run.problem.is_none()).count()),
    ];
    let lacking = lacking.iter().filter(|(_, count)| *count > 0);
    let lacking: Vec<String> = lacking.map(|(what, count)| format!("{what} of {count} older runs")).collect();
    if !lacking.is_empty() {
        let _ = write!(text, "{MISSING} stands for what was not recorded: {}.", lacking.join(" and "));
    }
    text.trim_end().to_owned()
}

/// The section of the page.
pub(super) fn write_page(out: &mut String, atlas: &Atlas) {
    let _ = write!(
        out,
        "<section id=\"runs\">\n<h2>What it was made from</h2>\n<p class=\"caption\">Made again with</p>\n\
         <div class=\"command\"><pre>{}</pre></div>\n<p class=\"about\">{}</p>\n\
         <div class=\"scroll runs\" tabindex=\"0\" role=\"region\" aria-label=\"Runs\">\n<table>\n<thead><tr>",
        xml(&atlas.command),
        xml(&about(&atlas.runs))
    );
    for (index, head) in HEADS.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{head}</th>", ["", " class=\"n\""][usize::from(index == 1)]);
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for run in &atlas.runs {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", xml(&run.folder));
        if let Some(problem) = &run.problem {
            let _ = write!(out, "<td class=\"wrap\" colspan=\"5\">{}</td>", xml(problem));
        } else {
            for (index, text) in cells(run).iter().enumerate() {
                let _ = write!(out, "<td{}>{}</td>", ["", " class=\"n\""][usize::from(index == 0)], xml(text));
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}

/// The section in Markdown.
pub(super) fn write_markdown(out: &mut String, atlas: &Atlas) {
    let _ = writeln!(
        out,
        "## What it was made from\n\nMade again with {}.\n\n{}\n",
        markdown_code(&atlas.command),
        markdown(&about(&atlas.runs))
    );
    let _ = writeln!(out, "| {} |\n|---|---:|---|---|---|---|", HEADS.join(" | "));
    for run in &atlas.runs {
        let texts = match &run.problem {
            Some(problem) => ["", "", "", "", problem].map(str::to_owned),
            None => cells(run),
        };
        let _ = writeln!(out, "| {} | {} |", markdown(&run.folder), texts.map(|text| markdown(&text)).join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_that_suits_them() {
        assert_eq!([29.6, 90.0, 3599.0, 5400.0].map(time), ["30 s", "2 min", "60 min", "1.5 h"]);
    }

    /// What is missing is a dash, and said once above the table.
    #[test]
    fn what_was_not_recorded_is_said_once() {
        let old = RunLine { folder: "old".to_owned(), version: "0.1.0".to_owned(), ..RunLine::default() };
        let new = RunLine {
            machine: Some("linux".to_owned()),
            seconds: Some(7200.0),
            checked: Some([9, 10]),
            games: 1000,
            ..old.clone()
        };
        let broken = RunLine { folder: "broken".to_owned(), problem: Some("torn".to_owned()), ..RunLine::default() };
        assert_eq!(cells(&old)[2..], ["–", "–", "no"]);
        assert_eq!(cells(&new), ["1\u{202f}000", "0.1.0", "linux", "2.0 h", "10, of which 1 differ"]);
        let mut out = String::new();
        write_page(&mut out, &Atlas { runs: vec![old, new, broken], ..Atlas::default() });
        assert_eq!(out.matches("not recorded").count(), 1);
        assert!(out.contains("not recorded: the machine of 1 older runs and the time of 1 older runs."), "{out}");
        assert!(out.contains("colspan=\"5\">torn</td>"), "{out}");
    }
}
