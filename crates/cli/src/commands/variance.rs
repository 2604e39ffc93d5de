//! `spinney reproduce variance-reduction`: figures 1 and 2 of Veness, Lanctot and Bowling, "Variance Reduction in
//! Monte-Carlo Tree Search" (NIPS 2011).

use super::lab::threads;
use crate::arguments::Reproduce;
use crate::interrupt;
use crate::text::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use spinney_core::{Game, InputError};
use spinney_games::Pig;
use spinney_games::pig::exact::{ActionValues, Exact};
use spinney_lab::measure::{self, Point, Quantity, Sample, worth};
use spinney_lab::report::machine;
use spinney_report::{Curve, Report, Section, Series, TextTable, to_html};
use spinney_stats::Z95;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What it is called.
pub const NAME: &str = "variance-reduction";

/// One game of the paper.
struct Domain {
    name: &'static str,
    /// What a score is counted in.
    unit: &'static str,
    /// What the paper says of it.
    claim: &'static str,
    /// The plain search first.
    techniques: &'static [Technique],
    /// Measured beside them in all but quick runs, because the paper states them without numbers.
    more: &'static [Technique],
    budgets: [u64; 2],
    quick_budgets: &'static [u64],
    /// Games of each point: quick, usual, full.
    games: [u64; 3],
}

/// A name in the figure and options of `mcts`.
type Technique = (&'static str, &'static str);

const DOMAINS: [Domain; 3] = [
    Domain {
        name: "pig",
        unit: "points",
        claim: "CV+CRN beats Base with twice the simulations; AV helps, but less than CV or CRN",
        techniques: &[("Base", ""), ("AV", "av"), ("CRN", "crn"), ("CV", "cv"), ("CV+CRN", "cv, crn")],
        more: &[
            ("CV, measured coefficient only", "cv, cv_constant=0, cv_visits=2"),
            ("CV, constant coefficient only", "cv, cv_visits=2000000000"),
            ("CRN at all nodes", "crn=nodes"),
        ],
        budgets: [16, 1024],
        quick_budgets: &[16, 64, 256],
        games: [3000, 5000, 20_000],
    },
    Domain {
        name: "cant-stop",
        unit: "points",
        claim: "CV+CRN is worth Base with 1.5 to 1.6 times the simulations; AV helps, but less than CV or CRN",
        techniques: &[
            ("Base", ""),
            ("AV", "av"),
            ("CRN", "crn"),
            ("CV, paper's constant", "cv"),
            ("CV+CRN, paper's constant", "cv, crn"),
            ("CV", "cv, cv_constant=264"),
            ("CV+CRN", "cv, cv_constant=264, crn"),
        ],
        more: &[
            ("CV, measured coefficient only", "cv, cv_constant=0, cv_visits=2"),
            ("CV, constant coefficient only", "cv, cv_constant=264, cv_visits=2000000000"),
            ("CRN at all nodes", "crn=nodes"),
        ],
        budgets: [16, 512],
        quick_budgets: &[16, 32, 64],
        games: [200, 1000, 10_000],
    },
    Domain {
        name: "dominion",
        unit: "victory points",
        claim: "CV+CRN is worth Base with 1.25 to 1.4 times the simulations",
        techniques: &[("Base", ""), ("CRN", "crn"), ("CV", "cv"), ("CV+CRN", "cv, crn")],
        more: &[
            ("CV, measured coefficient only", "cv, cv_constant=0, cv_visits=2"),
            ("CV, constant coefficient only", "cv, cv_visits=2000000000"),
            ("CRN at the root", "crn=root"),
            ("CV+CRN at the root", "cv, crn=root"),
        ],
        budgets: [16, 1024],
        quick_budgets: &[16, 32, 64],
        games: [100, 300, 10_000],
    },
];

/// Techniques whose variances at the root of Pig are measured after so many simulations.
const ROOT_SIMULATIONS: u64 = 64;

/// How much is measured.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    Quick,
    Usual,
    Full,
}

/// A point and where it stands: the domain's place (`None` for figure 1), the technique, the simulations.
struct Planned {
    domain: Option<usize>,
    technique: Technique,
    simulations: u64,
    point: Point,
}

fn agent(simulations: u64, options: &str) -> String {
    if options.is_empty() {
        format!("mcts(sims={simulations})")
    } else {
        format!("mcts(sims={simulations}, {options})")
    }
}

fn plan(arguments: &Reproduce) -> Result<Vec<Planned>, InputError> {
    let scale = match (arguments.quick, arguments.full) {
        (true, _) => Scale::Quick,
        (_, true) => Scale::Full,
        _ => Scale::Usual,
    };
    let known = DOMAINS.iter().map(|domain| domain.name);
    if let Some(unknown) = arguments.domains.iter().find(|name| !known.clone().any(|known| known == **name)) {
        return Err(InputError::unknown(NAME, "domain", unknown, known));
    }
    let wants = |figure| arguments.figures.is_empty() || arguments.figures.contains(&figure);
    let mut planned = Vec::new();
    if wants(1) && (arguments.domains.is_empty() || arguments.domains.iter().any(|name| name == "pig")) {
        figure_1(scale, &mut planned);
    }
    if wants(2) {
        for (index, domain) in DOMAINS.iter().enumerate() {
            if arguments.domains.is_empty() || arguments.domains.iter().any(|name| name == domain.name) {
                figure_2(index, domain, scale, arguments, &mut planned);
            }
        }
    }
    Ok(planned)
}

fn figure_1(scale: Scale, planned: &mut Vec<Planned>) {
    let mut add = |technique: Technique, simulations: u64, repetitions: u64| {
        let (game, agent) = ("pig".to_string(), agent(simulations, technique.1));
        let point = Point { game, agent, quantity: Quantity::Root, repetitions };
        planned.push(Planned { domain: None, technique, simulations, point });
    };
    for exponent in 4..=15 {
        let repetitions = match (scale, exponent) {
            (Scale::Quick, ..=11) => (1 << 22 >> exponent).min(4000),
            (Scale::Quick, _) => continue,
            (Scale::Usual, _) => (1 << 24 >> exponent).min(10_000),
            (Scale::Full, ..=7) => 20_000,
            (Scale::Full, ..=10) => 4000,
            (Scale::Full, _) => 800,
        };
        add(DOMAINS[0].techniques[0], 1 << exponent, repetitions);
    }
    for technique in &DOMAINS[0].techniques[1..] {
        add(*technique, ROOT_SIMULATIONS, if scale == Scale::Quick { 4000 } else { 20_000 });
    }
}

fn figure_2(index: usize, domain: &Domain, scale: Scale, arguments: &Reproduce, planned: &mut Vec<Planned>) {
    let games = arguments.games.unwrap_or(domain.games[scale as usize]);
    let [first, last] = domain.budgets;
    let doubling = || std::iter::successors(Some(first), |n| Some(2 * n)).take_while(|n| *n <= last);
    let budgets: Vec<u64> = match (arguments.sims.is_empty(), scale) {
        (false, _) => arguments.sims.clone(),
        (_, Scale::Quick) => domain.quick_budgets.to_vec(),
        _ => doubling().collect(),
    };
    // What the figure does not show gets fewer games.
    let shown = domain.techniques.iter().map(|technique| (technique, games));
    let more = if scale == Scale::Quick { &[] } else { domain.more };
    for (technique, repetitions) in shown.chain(more.iter().map(|technique| (technique, games.div_ceil(4)))) {
        // The plain curve goes on to twice the simulations, to say what a technique is worth.
        let mut own = budgets.clone();
        if technique.1.is_empty() {
            own.extend(budgets.iter().map(|n| 2 * n));
            own.sort_unstable();
            own.dedup();
        }
        for simulations in own {
            planned.push(figure_2_point(index, domain, technique, simulations, repetitions));
        }
    }
}

pub fn run(arguments: &Reproduce, out: &mut impl Write) -> anyhow::Result<()> {
    let planned = plan(arguments)?;
    let points: Vec<Point> = planned.iter().map(|planned| planned.point.clone()).collect();
    // One folder for all scales: what a smaller run measured is the beginning of a larger one.
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(NAME));
    let command = command(arguments);
    let known: u64 = measure::read(&points, SEED, &folder)?.iter().map(|(sample, _)| sample.count).sum();
    let wanted: u64 = points.iter().map(|point| point.repetitions).sum();
    let threads = threads(arguments.threads);
    eprintln!(
        "{} games and searches to measure, {} known, in {}",
        grouped(wanted.saturating_sub(known)),
        grouped(known),
        folder.display()
    );
    let bar = ProgressBar::new(wanted.saturating_sub(known));
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len}  left {eta}") {
        bar.set_style(style);
    }
    let samples = measure::run(&points, SEED, &folder, threads, interrupt::flag(), &|count| bar.inc(count))?;
    bar.finish_and_clear();
    let missing: u64 =
        planned.iter().zip(&samples).map(|(one, sample)| one.point.repetitions.saturating_sub(sample.count)).sum();
    if missing > 0 {
        eprintln!("stopped; nothing is lost, {} are left. Continue with: {command}", grouped(missing));
    }
    // The page shows all that the folder knows, whichever command measured it.
    let everything = everything();
    let points: Vec<Point> = everything.iter().map(|planned| planned.point.clone()).collect();
    let known = measure::read(&points, SEED, &folder)?;
    let measured: Vec<(&Planned, Sample)> =
        everything.iter().zip(known).map(|(one, (sample, _))| (one, sample)).filter(|(_, one)| one.count > 0).collect();
    show(&measured, &folder, &command, out)
}

/// Every point that some command can measure, as often as it was.
fn everything() -> Vec<Planned> {
    const MOST_DOUBLINGS: u32 = 20;
    let mut all = Vec::new();
    figure_1(Scale::Full, &mut all);
    for (index, domain) in DOMAINS.iter().enumerate() {
        for technique in domain.techniques.iter().chain(domain.more) {
            for simulations in (1..=MOST_DOUBLINGS).map(|doublings| 1 << doublings) {
                all.push(figure_2_point(index, domain, technique, simulations, 0));
            }
        }
    }
    for planned in &mut all {
        planned.point.repetitions = u64::MAX / 2;
    }
    all
}

fn figure_2_point(index: usize, domain: &Domain, technique: &Technique, simulations: u64, repetitions: u64) -> Planned {
    let (game, agent) = (domain.name.to_string(), agent(simulations, technique.1));
    let point = Point { game, agent, quantity: Quantity::Score, repetitions };
    Planned { domain: Some(index), technique: *technique, simulations, point }
}

/// All measurements derive from it.
const SEED: u64 = 2011;

fn command(arguments: &Reproduce) -> String {
    let mut text = format!("spinney reproduce {NAME}");
    arguments.figures.iter().for_each(|figure| text += &format!(" --figure {figure}"));
    arguments.domains.iter().for_each(|domain| text += &format!(" --domain {domain}"));
    arguments.sims.iter().for_each(|sims| text += &format!(" --sims {sims}"));
    for (flag, set) in [(" --quick", arguments.quick), (" --full", arguments.full)] {
        text += if set { flag } else { "" };
    }
    text += &arguments.games.map_or(String::new(), |games| format!(" --games {games}"));
    text += &arguments.out.as_ref().map_or(String::new(), |folder| format!(" --out {}", folder.display()));
    text
}

fn show(measured: &[(&Planned, Sample)], folder: &Path, command: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let mut report = Report {
        title: "Variance reduction in Monte-Carlo tree search".to_string(),
        about: "Control variates (CV), common random numbers (CRN) and antithetic variates (AV) in three games of one \
                player with chance. Bands are 95 % intervals."
            .to_string(),
        version: concat!("spinney ", env!("CARGO_PKG_VERSION")).to_string(),
        seed: SEED,
        command: command.to_string(),
        machine: machine(),
        ..Report::default()
    };
    let first: Vec<&(&Planned, Sample)> = measured.iter().filter(|(planned, _)| planned.domain.is_none()).collect();
    if !first.is_empty() {
        let (text, section) = show_figure_1(&first);
        write!(out, "{text}")?;
        report.sections.push(section);
    }
    for (index, domain) in DOMAINS.iter().enumerate() {
        let own: Vec<&(&Planned, Sample)> =
            measured.iter().filter(|(planned, sample)| planned.domain == Some(index) && sample.count > 0).collect();
        if own.is_empty() {
            continue;
        }
        let (text, section) = show_figure_2(domain, &own, &mut report.notes);
        write!(out, "{text}")?;
        report.sections.push(section);
    }
    for note in &report.notes {
        writeln!(out, "{note}")?;
    }
    report.notes.push(
        "The paper states neither turns, scores nor kingdom of its games; ten turns, 500 points a column in Can't Stop \
         and the kingdom of Dominion are reconstructions."
            .to_string(),
    );
    let games: u64 = measured.iter().map(|(_, sample)| sample.count).sum();
    report.health.games = games;
    report.health.seat_balance = f64::NAN;
    let page = folder.join("report.html");
    std::fs::write(&page, to_html(&report))?;
    eprintln!("page: {}", page.display());
    Ok(())
}

/// Squared bias, variance and mean squared error of the values after the first move, against the exact ones.
fn show_figure_1(measured: &[&(&Planned, Sample)]) -> (String, Section) {
    let game = Pig::default();
    let ActionValues { roll, stop } = Exact::new(&game).action_values(&game.initial());
    let exact = [roll, roll - stop];
    let mut text = format!("Figure 1: Pig, first move; exactly {roll:.6}, difference {:.6}\n", exact[1]);
    let _ = writeln!(
        text,
        "{:>8} {:>8} {:>10} {:>9} {:>9} {:>9}   {:>10} {:>7} {:>9} {:>9}  technique",
        "sims", "searches", "roll", "bias²", "variance", "MSE", "difference", "bias", "variance", "MSE"
    );
    let mut curves = ["value of roll", "difference of roll and stop"].map(|what| Curve {
        title: format!("Figure 1: error of the {what}, Pig"),
        x_label: "simulations".to_string(),
        y_label: "squared points".to_string(),
        x_logarithmic: true,
        series: ["mean squared error", "squared bias"]
            .map(|label| Series { label: label.to_string(), ..Series::default() })
            .to_vec(),
        reference: None,
    });
    for (planned, sample) in measured.iter().filter(|(_, sample)| sample.count > 1) {
        let biases = [0, 1].map(|index| sample.mean(index) - exact[index]);
        let errors = [0, 1].map(|index| biases[index].powi(2) + sample.variance(index));
        let _ = writeln!(
            text,
            "{:>8} {:>8} {:>10.3} {:>9.1} {:>9.2} {:>9.1}   {:>10.3} {:>7.3} {:>9.2} {:>9.2}  {}",
            planned.simulations,
            sample.count,
            sample.mean(0),
            biases[0].powi(2),
            sample.variance(0),
            errors[0],
            sample.mean(1),
            biases[1],
            sample.variance(1),
            errors[1],
            planned.technique.0
        );
        if !planned.technique.1.is_empty() {
            continue;
        }
        for (index, curve) in curves.iter_mut().enumerate() {
            let of_bias = 2.0 * biases[index] * sample.error(index);
            let of_variance = sample.variance(index) * (2.0 / (sample.count - 1) as f64).sqrt();
            let margins = [of_bias.hypot(of_variance), of_bias.abs()].map(|error| Z95 * error);
            for (series, (y, margin)) in
                curve.series.iter_mut().zip([errors[index], biases[index].powi(2)].into_iter().zip(margins))
            {
                series.points.push(spinney_report::Point {
                    x: planned.simulations as f64,
                    y,
                    interval: Some((y - margin, y + margin)),
                });
            }
        }
    }
    text.push('\n');
    (text, Section { title: "Bias and variance".to_string(), curves: curves.to_vec(), ..Section::default() })
}

fn show_figure_2(domain: &Domain, measured: &[&(&Planned, Sample)], notes: &mut Vec<String>) -> (String, Section) {
    let mut text = format!("Figure 2: {}, {}\n", domain.name, domain.unit);
    let mut budgets: Vec<u64> = measured.iter().map(|(planned, _)| planned.simulations).collect();
    budgets.sort_unstable();
    budgets.dedup();
    let of = |technique: &Technique, simulations: u64| {
        measured
            .iter()
            .find(|(planned, _)| planned.technique == *technique && planned.simulations == simulations)
            .map(|(_, sample)| sample)
    };
    let techniques: Vec<&Technique> = domain.techniques.iter().chain(domain.more).collect();
    let techniques: Vec<&Technique> =
        techniques.into_iter().filter(|one| budgets.iter().any(|n| of(one, *n).is_some())).collect();
    let mut scores = vec![head("score", &budgets)];
    let mut series = Vec::new();
    for technique in &techniques {
        let own = |&simulations: &u64| of(technique, simulations).map(|sample| (simulations, sample));
        let samples: Vec<(u64, &Sample)> = budgets.iter().filter_map(own).collect();
        let games = samples.iter().map(|(_, sample)| sample.count).max().unwrap_or(0);
        let _ = write!(text, "{:<32}", technique.0);
        for (simulations, sample) in &samples {
            let _ = write!(text, "  {simulations}: {:.2} ± {:.2}", sample.mean(0), sample.margin(0));
        }
        let _ = writeln!(text, "  ({games} games)");
        let points = samples.iter().map(|(simulations, sample)| {
            let (y, margin) = (sample.mean(0), sample.margin(0));
            spinney_report::Point { x: *simulations as f64, y, interval: Some((y - margin, y + margin)) }
        });
        series.push(Series { label: technique.0.to_string(), points: points.collect(), published: false });
        scores.push(row(technique, &budgets, |n| {
            of(technique, n).map(|sample| format!("{:.2} ± {:.2}", sample.mean(0), sample.margin(0)))
        }));
    }
    let base = &domain.techniques[0];
    let plain: Vec<(f64, f64, f64)> =
        budgets.iter().filter_map(|&n| of(base, n).map(|sample| (n as f64, sample.mean(0), sample.error(0)))).collect();
    let factor = |technique: &Technique, n: u64| {
        let sample = of(technique, n)?;
        Some(match worth(n as f64, (sample.mean(0), sample.error(0)), &plain) {
            Some((factor, low, high)) => format!("{factor:.2} [{low:.2}, {high:.2}]"),
            None => "beyond Base".to_string(),
        })
    };
    let difference = |technique: &Technique, n: u64| {
        let (sample, double) = (of(technique, n)?, of(base, 2 * n)?);
        let margin = Z95 * sample.error(0).hypot(double.error(0));
        Some(format!("{:+.2} ± {margin:.2}", sample.mean(0) - double.mean(0)))
    };
    let (mut factors, mut differences) = (vec![head("worth", &budgets)], vec![head("difference", &budgets)]);
    for technique in techniques.iter().skip(1) {
        factors.push(row(technique, &budgets, |n| factor(technique, n)));
        differences.push(row(technique, &budgets, |n| difference(technique, n)));
    }
    let tables = [
        (format!("Mean score, {}, with 95 % intervals", domain.unit), scores),
        ("Worth so many times the simulations of Base".to_string(), factors),
        ("Score less that of Base with twice the simulations".to_string(), differences),
    ];
    for (title, rows) in &tables[1..] {
        let _ = writeln!(text, "{title}:");
        for row in &rows[1..] {
            let entries = row[1..].iter().zip(&budgets).filter(|(entry, _)| !entry.is_empty());
            let entries: Vec<String> = entries.map(|(entry, n)| format!("{n}: {entry}")).collect();
            let _ = writeln!(text, "{:<32}  {}", row[0], entries.join("  "));
        }
    }
    text.push('\n');
    notes.push(format!("{}, the paper: {}.", domain.name, domain.claim));
    let shown = domain.techniques.len().min(series.len());
    let more = series.split_off(shown);
    let curve = |title: String, series: Vec<Series>| Curve {
        title,
        x_label: "simulations per move".to_string(),
        y_label: domain.unit.to_string(),
        x_logarithmic: true,
        series,
        reference: None,
    };
    // What the paper states without numbers stands beside what it speaks of.
    let beside: Vec<Series> =
        series.iter().filter(|one| ["Base", "CV", "CRN"].contains(&one.label.as_str())).cloned().collect();
    let mut curves = vec![curve(format!("Figure 2: score in {}", domain.name), series)];
    if !more.is_empty() {
        let all = beside.into_iter().chain(more).collect();
        curves.push(curve(format!("Coefficients and sharing in {}", domain.name), all));
    }
    let texts = tables.into_iter().map(|(title, rows)| TextTable { title, rows }).collect();
    (text, Section { title: domain.name.to_string(), curves, texts, ..Section::default() })
}

fn head(what: &str, budgets: &[u64]) -> Vec<String> {
    std::iter::once(what.to_string()).chain(budgets.iter().map(|n| format!("{n} simulations"))).collect()
}

fn row(technique: &Technique, budgets: &[u64], entry: impl Fn(u64) -> Option<String>) -> Vec<String> {
    let entries = budgets.iter().map(|&n| entry(n).unwrap_or_default());
    std::iter::once(technique.0.to_string()).chain(entries).collect()
}

/// What can be run, for the list of reproductions.
pub fn list(out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{NAME}: control variates, common and antithetic numbers in Pig, Can't Stop, Dominion (NIPS 2011)")?;
    for (flags, about) in [
        ("--quick", "both figures, few games, about a minute"),
        ("--figure 1", "bias and variance at the first move of Pig"),
        ("--figure 2 --domain pig", "score against simulations; also cant-stop, dominion"),
        ("--full", "20 000 games a point in Pig, 10 000 in the others: half an hour, two hours, days"),
    ] {
        writeln!(out, "  {flags:<28} {about}")?;
    }
    Ok(())
}
