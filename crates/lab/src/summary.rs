//! What the records of a cell say.

use crate::measure::Sample;
use crate::plan::{Cell, Plan, PortionId};
use crate::record::Portion;
use crate::record::{Record, score_of_a};
use crate::referee::{Course, State};
use crate::stop::Kind;
use crate::store::{Contents, Outcomes};
use spinney_stats::{
    Confidence, ConfidenceSequence, GameResult, Interval, Pentanomial, Trinomial, Verdict, elo_interval, holm,
    independent_interval, p_value, paired_interval, score_to_elo, sequential_interval, sequential_verdict, verdict,
};
use std::collections::BTreeMap;

/// Which interval belongs to a cell, by the way in which its number of games came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// A number fixed beforehand: the paired interval.
    #[default]
    Paired,
    /// Games until the paired interval was narrow enough.
    FixedWidth,
    /// Games until something was seen, or added after looking: the confidence sequence.
    Anytime,
}

impl Basis {
    /// What the interval is called.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Paired => "paired",
            Basis::FixedWidth => "fixed width",
            Basis::Anytime => "anytime",
        }
    }

    fn of(cell: &Cell) -> Self {
        match &cell.stop {
            Some(stop) if matches!(stop.kind, Kind::Precision(_)) => Basis::FixedWidth,
            Some(_) => Basis::Anytime,
            None if cell.looked.is_some() => Basis::Anytime,
            None => Basis::Paired,
        }
    }
}

/// Pairs that each cell should get beyond those it has, none if it is decided: `wanted`, or as many as it needs, at most as
/// many again.
///
/// A cell is undecided if it stands beside a published number and the verdict is open, or else if its interval contains ½;
/// one with a stopping rule if its largest number of games came first. A measurement answers no question of yes or no, so
/// nothing is added to it.
pub fn pairs_to_add(plan: &Plan, contents: &Contents, wanted: Option<u64>) -> Vec<u64> {
    let needed = plan.cells.iter().zip(summarise(plan, contents)).map(|(cell, summary)| {
        let undecided = match summary.verdict {
            _ if summary.course.is_some() => {
                summary.course.filter(|course| course.state == State::Largest).map(|_| cell.pairs)
            }
            Some(Verdict::Undecided { more_games }) => Some(more_games.div_ceil(2)),
            Some(_) => None,
            None => summary.interval.is_none_or(|interval| interval.contains(0.5)).then_some(cell.pairs),
        };
        undecided.map_or(0, |needed| wanted.unwrap_or(needed.clamp(1, cell.pairs.max(1))))
    });
    needed.collect()
}

/// A game as far as statistics need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// Number of its pair.
    pub pair: u64,
    /// 0 when A moves first, 1 when B does.
    pub game: u8,
    /// Who won: 1, 2, or 0 for a draw.
    winner: u8,
    /// Number of moves.
    pub plies: u64,
    /// Simulations of the first and the second player.
    pub simulations: [u64; 2],
    /// Whether the flag of who lost had fallen.
    pub lost_on_time: bool,
    /// Their milliseconds, where they are known.
    pub ms: Option<[f64; 2]>,
}

impl Played {
    pub(crate) fn new(pair: u64, game: u8, winner: u8, plies: u64, simulations: [u64; 2]) -> Self {
        Self { pair, game, winner, plies, simulations, lost_on_time: false, ms: None }
    }

    /// Of a record, without its time.
    pub fn of(record: &Record) -> Self {
        let played = Self::new(record.pair, record.game, record.winner, record.plies, record.simulations);
        Self { lost_on_time: record.lost_on_time, ..played }
    }

    /// Its place in the cell.
    pub fn id(&self) -> (u64, u8) {
        (self.pair, self.game)
    }

    /// Points of A, 0 to 1.
    pub fn score_of_a(&self) -> f64 {
        score_of_a(self.winner, self.game)
    }
}

/// A cell in numbers, in the view of A.
#[derive(Clone, Debug, Default)]
pub struct CellSummary {
    /// Wins, draws and losses.
    pub games: Trinomial,
    /// Complete pairs by points.
    pub pairs: Pentanomial,
    /// Games that A and B lost on time.
    pub lost_on_time: [u64; 2],
    /// Mean score, 0 to 1; ½ without games.
    pub score: f64,
    /// 95 % interval of the score, pairs as independent observations: the one that belongs to the cell.
    pub interval: Option<Interval>,
    /// Which that is.
    pub basis: Basis,
    /// How far its stopping rule has come.
    pub course: Option<Course>,
    /// The papers' 95 % interval: normal, games independent.
    pub papers_interval: Option<Interval>,
    /// Elo difference with its interval.
    pub elo: Option<(f64, Interval)>,
    /// Score when moving first and when moving second.
    pub seats: [f64; 2],
    /// Mean number of plies.
    pub plies: f64,
    /// Simulations of A and B in all games.
    pub simulations: [u64; 2],
    /// Simulations per move of A and B.
    pub simulations_per_move: [f64; 2],
    /// Milliseconds per move of A and B.
    pub milliseconds_per_move: [f64; 2],
    /// Two-sided p-value against ½.
    pub p_value: Option<f64>,
    /// Whether the difference from ½ is significant at 5 % after Holm's correction over the plan.
    pub significant: bool,
    /// Whether it agrees with the published number.
    pub verdict: Option<Verdict>,
}

/// The summaries of all cells.
pub fn summarise(plan: &Plan, contents: &Contents) -> Vec<CellSummary> {
    let of = |index: usize| {
        let own = contents.games.range((index, 0, 0)..(index + 1, 0, 0));
        let played = |(id, record)| Played { ms: contents.times.get(id).copied(), ..Played::of(record) };
        of_cell(&plan.cells[index], own.map(played), plan.margin)
    };
    compared((0..plan.cells.len()).map(of).collect())
}

/// The same of games without moves and times.
pub fn summarise_outcomes(plan: &Plan, outcomes: &Outcomes) -> Vec<CellSummary> {
    let games = |index: usize| outcomes.cells.get(index).into_iter().flatten().copied();
    compared((0..plan.cells.len()).map(|index| of_cell(&plan.cells[index], games(index), plan.margin)).collect())
}

/// What is significant among all cells.
fn compared(mut summaries: Vec<CellSummary>) -> Vec<CellSummary> {
    let tested: Vec<usize> = (0..summaries.len()).filter(|&index| summaries[index].p_value.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|&index| summaries[index].p_value).collect();
    for (index, corrected) in tested.into_iter().zip(holm(&p_values)) {
        summaries[index].significant = corrected < 0.05;
    }
    summaries
}

/// What is known of each measurement, of its planned portions.
pub fn samples(plan: &Plan, contents: &Contents) -> Vec<Sample> {
    samples_of(plan, &contents.portions)
}

/// The same of these portions.
pub fn samples_of(plan: &Plan, portions: &BTreeMap<PortionId, Portion>) -> Vec<Sample> {
    let of = |measurement: usize| {
        let place = |portion| PortionId { measurement, portion };
        let mut sample = Sample::default();
        let own = portions.range(place(0)..place(plan.measurements[measurement].portions()));
        own.for_each(|(_, portion)| sample.merge(portion));
        sample
    };
    (0..plan.measurements.len()).map(of).collect()
}

fn of_cell(cell: &Cell, games: impl Iterator<Item = Played> + Clone, margin: f64) -> CellSummary {
    let course = Course::of_games(cell, games.clone().map(|one| (one.pair, one.game, one.score_of_a())));
    let basis = Basis::of(cell);
    let mut summary = CellSummary { score: 0.5, course, basis, ..CellSummary::default() };
    let mut points_by_seat = [(0.0, 0u64); 2];
    let (mut plies, mut moves, mut simulations) = (0u64, [0u64; 2], [0u64; 2]);
    let (mut timed_moves, mut milliseconds) = ([0u64; 2], [0.0f64; 2]);
    let mut pair_scores: Vec<f64> = Vec::new();
    let mut open: Option<(u64, GameResult, f64)> = None;
    for one in games.filter(|one| course.is_none_or(|course| course.counts(one.pair))) {
        let (pair, game, score) = (one.pair, one.game, one.score_of_a());
        let result = match score {
            s if s > 0.75 => GameResult::Win,
            s if s < 0.25 => GameResult::Loss,
            _ => GameResult::Draw,
        };
        summary.games.add(result);
        if one.lost_on_time {
            summary.lost_on_time[usize::from(result == GameResult::Win)] += 1;
        }
        points_by_seat[usize::from(game)].0 += score;
        points_by_seat[usize::from(game)].1 += 1;
        plies += one.plies;
        let made = [one.plies.div_ceil(2), one.plies / 2];
        for agent in 0..2 {
            let seat = agent ^ usize::from(game);
            moves[agent] += made[seat];
            simulations[agent] += one.simulations[seat];
            if let Some(ms) = one.ms {
                timed_moves[agent] += made[seat];
                milliseconds[agent] += ms[seat];
            }
        }
        match open.take() {
            Some((number, first, first_score)) if number == pair => {
                summary.pairs.add(first, result);
                pair_scores.push((first_score + score) / 2.0);
            }
            unfinished => {
                pair_scores.extend(unfinished.map(|(_, _, score)| score));
                open = Some((pair, result, score));
            }
        }
    }
    pair_scores.extend(open.map(|(_, _, score)| score));
    let count = summary.games.games();
    if count == 0 {
        return summary;
    }
    let share = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
    summary.score = summary.games.score().unwrap_or(0.5);
    let sequence = (basis == Basis::Anytime).then(|| {
        let mut sequence = ConfidenceSequence::new(Confidence::NINETY_FIVE);
        pair_scores.iter().for_each(|score| sequence.add(*score));
        sequence
    });
    let margin = match cell.stop.as_ref().map(|stop| &stop.kind) {
        Some(Kind::Published { margin: Some(points) }) => points / 100.0,
        _ => margin,
    };
    // Beside a published number the interval is that of its verdict, so that both say the same.
    let judged = (basis == Basis::Anytime && cell.published.is_some())
        .then(|| sequential_interval(&summary.pairs, margin))
        .flatten();
    let anytime = judged.or_else(|| sequence.as_ref().map(ConfidenceSequence::interval));
    summary.interval = anytime.or_else(|| paired_interval(&pair_scores));
    summary.papers_interval = independent_interval(&summary.games, Confidence::NINETY_FIVE);
    summary.elo = summary.interval.map(|interval| (score_to_elo(summary.score), elo_interval(interval)));
    summary.seats = points_by_seat.map(|(points, games)| share(points, games));
    summary.plies = share(plies as f64, count);
    summary.simulations = simulations;
    summary.simulations_per_move = [0, 1].map(|agent| share(simulations[agent] as f64, moves[agent]));
    summary.milliseconds_per_move = [0, 1].map(|agent| share(milliseconds[agent], timed_moves[agent]));
    summary.p_value = sequence.map_or_else(|| p_value(&summary.pairs, 0.5), |sequence| Some(sequence.p_value()));
    let judge = if basis == Basis::Anytime { sequential_verdict } else { verdict };
    summary.verdict = cell.published.as_ref().map(|published| judge(&summary.pairs, &published.reference(), margin));
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::published::Published;
    use crate::record::{Record, VERSION};

    const TEXT: &str = r#"title = "Beside a paper"
pairs = 2000
[agents.a]
sims = 10
[agents.b]
like = "a"
c = 2
[[match]]
games = ["breakthrough"]
a = ["a"]
b = ["b"]
published = { paper = "quality-rewards", table = "table1-relative-bonus", a = "online", seconds = "1" }
"#;

    /// A run in which A wins `wins` of ten pairs' both games, and each side one game of the others.
    fn summary_of(wins: u64) -> CellSummary {
        let plan = Plan::new(&Experiment::read("test", TEXT).unwrap()).unwrap();
        let mut contents = Contents::default();
        for pair in 0..2000 {
            for game in 0..2u8 {
                // The winner as a seat: A sits at `game`, and the first player wins a pair that is shared.
                let winner = if pair % 10 < wins { game + 1 } else { 1 };
                let record = Record {
                    v: VERSION,
                    cell: plan.cells[0].key.clone(),
                    pair,
                    game,
                    seats: plan.cells[0].names.clone(),
                    seed: 0,
                    winner,
                    plies: 5,
                    simulations: [30, 20],
                    moves: String::new().into(),
                    lost_on_time: false,
                };
                contents.games.insert((0, pair, game), record);
                contents.times.insert((0, pair, game), [6.0, 8.0]);
            }
        }
        summarise(&plan, &contents).remove(0)
    }

    /// The paper has 50.0 ± 1.4 % for this cell.
    #[test]
    fn a_number_without_games_can_be_disagreed_with() {
        let published = Published { score: 0.56, margin: None, games: None, source: String::new() };
        let clear = Pentanomial { counts: [50, 0, 130, 0, 320] };
        assert_eq!(verdict(&clear, &published.reference(), 0.05), Verdict::Differs);
        let near = Pentanomial { counts: [190, 0, 500, 0, 310] };
        assert_eq!(verdict(&near, &published.reference(), 0.05), Verdict::Agrees);
    }

    #[test]
    fn a_cell_stands_beside_its_published_number() {
        let even = summary_of(0);
        assert_eq!((even.score, even.pairs.counts), (0.5, [0, 0, 2000, 0, 0]));
        assert_eq!((even.verdict, even.significant), (Some(Verdict::Agrees), false));
        let ahead = summary_of(2);
        assert!((ahead.score - 0.6).abs() < 1e-9);
        assert_eq!((ahead.verdict, ahead.significant), (Some(Verdict::Differs), true));
        assert_eq!((ahead.games.games(), ahead.plies), (4000, 5.0));
        assert_eq!(ahead.seats, [1.0, 0.2]);
    }

    /// Of five plies the first player makes three; A is first in half of the games.
    #[test]
    fn simulations_and_times_are_counted_per_move_of_each_agent() {
        let summary = summary_of(0);
        assert_eq!(summary.simulations_per_move, [10.0, 10.0]);
        assert_eq!(summary.milliseconds_per_move, [14.0 / 5.0, 14.0 / 5.0]);
    }
}
