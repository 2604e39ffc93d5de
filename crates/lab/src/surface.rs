//! Grids in a report: a curve over one axis, a heat map over two, small multiples over more, and the best of what was
//! tried.

use crate::best::{Value, best, values};
use crate::grid::Point;
use crate::plan::Cell;
use crate::summary::CellSummary;
use spinney_report::{Curve, Heat, HeatMap, Panel, Series, TextTable};
use spinney_stats::{Interval, Pentanomial};

/// More small multiples than this say nothing; the best of them is shown alone then.
const MOST_PANELS: usize = 24;
/// From here on, values are spread by their logarithms.
const WIDE_RANGE: f64 = 8.0;

/// What grids add to a section.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Scores over a single axis.
    pub curves: Vec<Curve>,
    /// Scores over several.
    pub heats: Vec<HeatMap>,
    /// The best settings and values.
    pub texts: Vec<TextTable>,
}

/// Whether an agent stands in a grid.
pub fn is_point(cell: &Cell) -> bool {
    Point::of(&cell.names[0]).is_some()
}

/// The figures of the grids among the cells of a section.
pub fn figures(cells: &[(&Cell, &CellSummary)]) -> Figures {
    let surfaces = surfaces(cells);
    let mut figures = Figures::default();
    for surface in surfaces.iter().filter(|surface| surface.settings.iter().any(|one| one.summary.games.games() > 0)) {
        match surface.axes.as_slice() {
            [axis] => add_curve(&mut figures.curves, surface, axis),
            _ => figures.heats.push(surface.heat_map()),
        }
    }
    figures.texts.extend(best_settings(&surfaces));
    figures.texts.extend(surfaces.iter().filter(|surface| surface.axes.len() > 1).filter_map(Surface::best_values));
    figures
}

/// One grid: an agent's points in one game with one budget against one opponent.
struct Surface<'a> {
    /// What tells it from others of the section.
    label: String,
    axes: Vec<Axis<'a>>,
    settings: Vec<Setting<'a>>,
}

struct Axis<'a> {
    name: &'a str,
    /// In the order in which they come.
    values: Vec<&'a str>,
}

struct Setting<'a> {
    name: &'a str,
    /// The place of its value on each axis.
    at: Vec<usize>,
    summary: &'a CellSummary,
}

/// What is the same for all points of a grid.
#[derive(Clone, PartialEq, Eq)]
struct Common {
    base: String,
    game: String,
    opponent: String,
    budget: String,
    axes: Vec<String>,
}

fn surfaces<'a>(cells: &[(&'a Cell, &'a CellSummary)]) -> Vec<Surface<'a>> {
    let mut surfaces: Vec<(Common, Surface<'a>)> = Vec::new();
    for (cell, summary) in cells {
        let Some(point) = Point::of(&cell.names[0]) else { continue };
        let common = Common {
            base: point.base.to_string(),
            game: cell.written_game.clone(),
            opponent: cell.names[1].clone(),
            budget: cell.limit.words(&cell.budget),
            axes: point.at.iter().map(|(name, _)| (*name).to_string()).collect(),
        };
        let place = surfaces.iter().position(|(known, _)| *known == common).unwrap_or_else(|| {
            let axes = point.at.iter().map(|(name, _)| Axis { name, values: Vec::new() }).collect();
            surfaces.push((common, Surface { label: String::new(), axes, settings: Vec::new() }));
            surfaces.len() - 1
        });
        let surface = &mut surfaces[place].1;
        let mut at = Vec::new();
        for (axis, (_, value)) in surface.axes.iter_mut().zip(&point.at) {
            at.push(axis.values.iter().position(|known| known == value).unwrap_or_else(|| {
                axis.values.push(value);
                axis.values.len() - 1
            }));
        }
        surface.settings.push(Setting { name: &cell.names[0], at, summary });
    }
    let commons: Vec<Common> = surfaces.iter().map(|(common, _)| common.clone()).collect();
    let differ = |part: fn(&Common) -> &String| commons.windows(2).any(|two| part(&two[0]) != part(&two[1]));
    let [base, opponent, budget] =
        [differ(|common| &common.base), differ(|common| &common.opponent), differ(|common| &common.budget)];
    for (common, surface) in &mut surfaces {
        let mut parts = vec![common.game.clone()];
        parts.extend(base.then(|| common.base.clone()));
        parts.extend(opponent.then(|| format!("against {}", common.opponent)));
        parts.extend(budget.then(|| common.budget.clone()));
        surface.label = parts.join(" · ");
    }
    surfaces.into_iter().map(|(_, surface)| surface).collect()
}

/// A surface over one axis of numbers is a line; one over words is in the table only.
fn add_curve(curves: &mut Vec<Curve>, surface: &Surface, axis: &Axis) {
    let Some(numbers) = axis.values.iter().map(|value| value.parse().ok()).collect::<Option<Vec<f64>>>() else {
        return;
    };
    let played = surface.settings.iter().filter(|setting| setting.summary.games.games() > 0);
    let points = played.map(|setting| {
        let ends = |interval: Interval| (100.0 * interval.low, 100.0 * interval.high);
        let interval = setting.summary.interval.map(ends);
        spinney_report::Point { x: numbers[setting.at[0]], y: 100.0 * setting.summary.score, interval }
    });
    let series = Series { label: surface.label.clone(), points: points.collect(), published: false };
    let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    let is_wide = least > 0.0 && most / least >= WIDE_RANGE;
    match curves.iter_mut().find(|curve| curve.x_label == axis.name) {
        Some(curve) => {
            curve.x_logarithmic &= is_wide;
            curve.series.push(series);
        }
        None => curves.push(Curve {
            title: format!("Score over {}", axis.name),
            x_label: axis.name.to_string(),
            y_label: "score of A, %".to_string(),
            x_logarithmic: is_wide,
            series: vec![series],
            reference: Some(50.0),
        }),
    }
}

impl Surface<'_> {
    fn pairs(&self) -> Vec<Pentanomial> {
        self.settings.iter().map(|setting| setting.summary.pairs).collect()
    }

    /// The two longest axes as columns and rows, and a panel for every point of the others.
    fn heat_map(&self) -> HeatMap {
        let mut order: Vec<usize> = (0..self.axes.len()).collect();
        order.sort_by_key(|&axis| std::cmp::Reverse(self.axes[axis].values.len()));
        let (mut plane, mut others) = (order[..2].to_vec(), order[2..].to_vec());
        plane.sort_unstable();
        others.sort_unstable();
        let (x, y) = (&self.axes[plane[0]], &self.axes[plane[1]]);
        let mut panels: Vec<(Vec<usize>, Panel)> = Vec::new();
        let found = best(&self.pairs());
        let mut framed = None;
        for (index, setting) in self.settings.iter().enumerate() {
            let at: Vec<usize> = others.iter().map(|&axis| setting.at[axis]).collect();
            let place = panels.iter().position(|(known, _)| *known == at).unwrap_or_else(|| {
                let title = others.iter().zip(&at).map(|(&axis, &value)| {
                    let axis = &self.axes[axis];
                    format!("{} = {}", axis.name, axis.values[value])
                });
                let title = title.collect::<Vec<_>>().join(", ");
                panels.push((at, Panel { title, values: vec![vec![None; x.values.len()]; y.values.len()] }));
                panels.len() - 1
            });
            let (row, column) = (setting.at[plane[1]], setting.at[plane[0]]);
            if found.as_ref().is_some_and(|best| best.index == index) {
                framed = Some([place, row, column]);
            }
            if setting.summary.games.games() > 0 {
                let interval = setting.summary.interval.map(|interval| (interval.low, interval.high));
                panels[place].1.values[row][column] = Some(Heat { score: setting.summary.score, interval });
            }
        }
        let mut panels: Vec<Panel> = panels.into_iter().map(|(_, panel)| panel).collect();
        if panels.len() > MOST_PANELS {
            let shown = framed.map_or(0, |best| best[0]);
            panels = vec![panels.swap_remove(shown)];
            framed = framed.map(|[_, row, column]| [0, row, column]);
        }
        let words = |values: &[&str]| values.iter().map(|value| (*value).to_string()).collect();
        HeatMap {
            title: format!("Score over {} and {} · {}", x.name, y.name, self.label),
            x_label: x.name.to_string(),
            y_label: y.name.to_string(),
            columns: words(&x.values),
            rows: words(&y.values),
            panels,
            best: framed,
        }
    }

    /// Every value of every axis, averaged over the others.
    fn best_values(&self) -> Option<TextTable> {
        let mut rows = vec![row(["axis", "value", "score, %", "95 %, all at once", "may be the best"])];
        for (number, axis) in self.axes.iter().enumerate() {
            let of_value = |value: usize| {
                let own = self.settings.iter().filter(|setting| setting.at[number] == value);
                own.map(|setting| setting.summary.pairs).collect::<Vec<Pentanomial>>()
            };
            let groups: Vec<Vec<Pentanomial>> = (0..axis.values.len()).map(of_value).collect();
            let found = values(&groups);
            let highest = found.iter().flatten().map(|value| value.score).fold(f64::NEG_INFINITY, f64::max);
            for (value, Value { score, interval, may_be_best }) in
                axis.values.iter().zip(&found).filter_map(|(value, found)| Some((value, (*found)?)))
            {
                let word = match (score >= highest, may_be_best) {
                    (true, _) => "highest",
                    (false, true) => "yes",
                    (false, false) => "no",
                };
                rows.push(row([axis.name, value, &percent(score), &percents(interval), word]));
            }
        }
        let title = format!("Each value, over all settings that have it · {}", self.label);
        (rows.len() > 1).then_some(TextTable { title, rows })
    }
}

/// The best setting of each grid.
fn best_settings(surfaces: &[Surface]) -> Option<TextTable> {
    let head = ["grid", "tried", "best setting", "score, %", "95 %, all at once", "beside 50 %", "cannot be the best"];
    let mut rows = vec![row(head)];
    for surface in surfaces {
        let Some(found) = best(&surface.pairs()) else { continue };
        let beside = match found.interval {
            Interval { low, .. } if low > 0.5 => "above",
            Interval { high, .. } if high < 0.5 => "below",
            _ => "may be 50 %",
        };
        let others = format!("{} of {}", found.ruled_out.len(), found.tried - 1);
        rows.push(row([
            &surface.label,
            &found.tried.to_string(),
            surface.settings[found.index].name,
            &percent(found.score),
            &percents(found.interval),
            beside,
            &others,
        ]));
    }
    let title = "Best of what was tried; the interval allows for the choice".to_string();
    (rows.len() > 1).then_some(TextTable { title, rows })
}

fn row<const N: usize>(entries: [&str; N]) -> Vec<String> {
    entries.map(str::to_string).to_vec()
}

fn percent(score: f64) -> String {
    format!("{:.1}", 100.0 * score)
}

fn percents(interval: Interval) -> String {
    format!("[{}, {}]", percent(interval.low), percent(interval.high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::plan::Plan;
    use spinney_stats::Trinomial;

    fn plan(options: &str, games: &str) -> Plan {
        let text = format!(
            "title = \"x\"\n[agents.plain]\n[agents.base]\n{options}\n[[match]]\ngames = [{games}]\na = [\"base\"]\n\
             b = [\"plain\"]\nbudgets = [{{ simulations = 5 }}]\n"
        );
        Plan::new(&Experiment::read("x", &text).unwrap()).unwrap()
    }

    /// Cell i of n wins i of n − 1 of its hundred pairs.
    fn figures_of(plan: &Plan) -> Figures {
        let last = plan.cells.len() as u64 - 1;
        let summaries: Vec<CellSummary> = (0..=last)
            .map(|index| {
                let wins = 100 * index / last;
                let pairs = Pentanomial { counts: [100 - wins, 0, 0, 0, wins] };
                let games = Trinomial { wins: 2 * wins, draws: 0, losses: 200 - 2 * wins };
                CellSummary { games, pairs, score: wins as f64 / 100.0, ..CellSummary::default() }
            })
            .collect();
        figures(&plan.cells.iter().zip(&summaries).collect::<Vec<_>>())
    }

    #[test]
    fn one_axis_is_a_curve_for_each_game() {
        let found = figures_of(&plan("c = [0.5, 1, 8]", "\"tic-tac-toe\", \"breakthrough\""));
        assert_eq!((found.curves.len(), found.heats.len(), found.texts.len()), (1, 0, 1));
        let curve = &found.curves[0];
        assert!(curve.x_logarithmic && curve.x_label == "c");
        assert_eq!(
            curve.series.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(),
            ["tic-tac-toe", "breakthrough"]
        );
        assert_eq!(curve.series[1].points[2].y, 100.0);
        let rows = &found.texts[0].rows;
        assert_eq!(rows[2][..4], ["breakthrough", "3", "base[c=8]", "100.0"]);
        assert_eq!(rows[2][5..], ["above", "2 of 2"]);
        let words = figures_of(&plan("playout = [\"uniform\", \"policy\"]", "\"breakthrough\""));
        assert_eq!((words.curves.len(), words.texts.len()), (0, 1));
    }

    #[test]
    fn two_axes_are_a_heat_map_and_more_are_several() {
        let found = figures_of(&plan("c = [0.5, 1]\nqb = { k = [1, 2, 4] }", "\"breakthrough\""));
        let heat = &found.heats[0];
        assert_eq!((heat.x_label.as_str(), heat.y_label.as_str(), heat.panels.len()), ("c", "k", 1));
        assert_eq!((heat.best, heat.panels[0].values[1][0].unwrap().score), (Some([0, 2, 1]), 0.2));
        let values = &found.texts[1].rows;
        assert_eq!(values.len(), 1 + 2 + 3);
        assert_eq!((values[2][1].as_str(), values[2][4].as_str()), ("1", "highest"));
        let found = figures_of(&plan("c = [1, 2]\nqb = { k = [1, 2, 4], a = [\"online\", 0.5] }", "\"breakthrough\""));
        let heat = &found.heats[0];
        assert_eq!((heat.x_label.as_str(), heat.y_label.as_str(), heat.panels.len()), ("c", "k", 2));
        assert_eq!(heat.panels[1].title, "a = 0.5");
        assert_eq!(heat.best, Some([1, 2, 1]));
    }
}
