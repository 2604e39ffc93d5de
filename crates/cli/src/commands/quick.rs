//! The end of a quick look at a paper: it has too few games to compare numbers, but enough to tell who is ahead.

use spinney_lab::plan::{Cell, Plan};
use spinney_lab::store::{Contents, Store, write_whole};
use spinney_lab::summary::summarise;
use spinney_lab::{CellSummary, report};
use spinney_report::{to_html, to_terminal};
use std::collections::BTreeSet;
use std::io::Write;

/// Shows the results of a quick look, and what it answers; the page has everything.
pub fn show(store: &Store, command: String, out: &mut impl Write) -> anyhow::Result<()> {
    let contents = store.read()?;
    let mut data = report::of_store(store, &contents, Some(command));
    let page = store.folder.join("report.html");
    write_whole(&page, to_html(&data).as_bytes())?;
    // Whether numbers agree is what so few games cannot tell, so it is not asked here.
    data.sections.iter_mut().flat_map(|section| &mut section.cells).for_each(|cell| cell.verdict = None);
    write!(out, "{}", to_terminal(&data, crate::text::screen_width()))?;
    write!(out, "{}", answer(&store.plan, &contents))?;
    eprintln!("page: {}", page.display());
    Ok(())
}

/// Who is ahead here and in the paper.
#[derive(Debug, Default, PartialEq, Eq)]
struct Leads {
    agree: usize,
    /// Of these, so many that are not chance.
    sure: usize,
    /// What is the other way round.
    differ: Vec<String>,
    /// Where the paper has nobody ahead.
    open: usize,
}

impl Leads {
    fn count(&mut self, cell: &Cell, summary: &CellSummary) {
        let Some(published) = cell.published.as_ref().filter(|_| summary.games.games() > 0) else { return };
        let lead = published.score - 0.5;
        // Both were printed with one decimal.
        if lead.abs() < published.margin.unwrap_or(0.0) + 0.000_5 {
            self.open += 1;
        } else if (summary.score - 0.5) * lead > 0.0 {
            self.agree += 1;
            self.sure += usize::from(summary.interval.is_some_and(|interval| !interval.contains(0.5)));
        } else {
            let (ours, theirs) = (100.0 * summary.score, 100.0 * published.score);
            let chance = match summary.interval {
                Some(interval) if interval.contains(0.5) => ", which may be chance",
                _ => "",
            };
            self.differ.push(format!("{}: {ours:.1} % here{chance}, {theirs:.1} % published", cell.label()));
        }
    }
}

fn answer(plan: &Plan, contents: &Contents) -> String {
    let mut leads = Leads::default();
    for (cell, summary) in plan.cells.iter().zip(summarise(plan, contents)) {
        leads.count(cell, &summary);
    }
    let compared = leads.agree + leads.differ.len();
    let games: BTreeSet<&str> = plan.cells.iter().map(|cell| cell.game.as_str()).collect();
    let noun = if games.len() == plan.cells.len() { "games" } else { "cells" };
    words(&leads, compared, noun)
}

fn words(leads: &Leads, compared: usize, noun: &str) -> String {
    if compared == 0 {
        return String::new();
    }
    let Leads { agree, sure, differ, open } = leads;
    let mut text = format!("\nwho is ahead agrees with the paper in {agree} of {compared} {noun}");
    text += &if *agree > 0 { format!(", in {sure} of them beyond chance\n") } else { "\n".to_string() };
    text.extend(differ.iter().map(|line| format!("  not in {line}\n")));
    if *open > 0 {
        let noun = if *open == 1 { noun.trim_end_matches('s') } else { noun };
        text += &format!("  left out {open} {noun} in which the paper has nobody ahead\n");
    }
    text + "whether the numbers agree takes more games: the same without --quick\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_lab::Experiment;
    use spinney_lab::library;
    use spinney_lab::paper::{Choice, Scale};
    use spinney_stats::{Interval, Trinomial};

    fn summary(score: f64, low: f64, high: f64) -> CellSummary {
        let games = Trinomial { wins: 10, draws: 0, losses: 10 };
        CellSummary { games, score, interval: Some(Interval { low, high }), ..CellSummary::default() }
    }

    #[test]
    fn leads_are_compared_with_the_paper() {
        let choice = Choice { scale: Scale::Quick, ..Choice::default() };
        let experiment: Experiment = library::paper("quality-rewards").unwrap().experiment(&choice).unwrap();
        let plan = Plan::new(&experiment).unwrap();
        let mut cell = plan.cells.iter().find(|cell| cell.published.is_some()).unwrap().clone();
        let mut count = |leads: &mut Leads, theirs: f64, ours: CellSummary| {
            let published = cell.published.as_mut().unwrap();
            (published.score, published.margin) = (theirs, Some(0.02));
            leads.count(&cell, &ours);
        };
        let mut leads = Leads::default();
        count(&mut leads, 0.60, summary(0.70, 0.60, 0.80));
        count(&mut leads, 0.60, summary(0.55, 0.40, 0.70));
        count(&mut leads, 0.40, summary(0.55, 0.40, 0.70));
        count(&mut leads, 0.52, summary(0.70, 0.60, 0.80));
        count(&mut leads, 0.60, CellSummary::default());
        assert_eq!((leads.agree, leads.sure, leads.differ.len(), leads.open), (2, 1, 1, 1));
        let text = words(&leads, 3, "games");
        assert!(text.contains("agrees with the paper in 2 of 3 games, in 1 of them beyond chance"), "{text}");
        assert!(
            text.contains("55.0 % here, which may be chance, 40.0 % published") && text.contains("left out 1 game in")
        );
        assert_eq!(answer(&plan, &Contents::default()), "");
    }
}
