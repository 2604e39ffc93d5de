//! A review as a page that stands alone, to be kept and sent.

use super::{Judgement, MOST_BOARDS, Review};
use crate::drawing::{self, Trail, escape};
use spinney_core::game::Player;
use spinney_report::{Curve, FIGURE_STYLE, Point, Series, Width, curve_plot};
use spinney_table::Table;
use std::fmt::Write as _;

/// Moves that were made, and those that were better.
const MADE: &str = "#b34700";
const BETTER: &str = "#00694e";

const STYLE: &str = "body{max-width:960px;margin:0 auto;padding:24px 16px 48px;font:16px/1.5 system-ui,sans-serif;background:var(--back);color:var(--front)}\
h1{font-size:24px;margin:0}h2{font-size:18px;margin:28px 0 8px}svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}\
th,td{text-align:left;padding:4px 10px;border-bottom:1px solid var(--rule)}td.n,th.n{text-align:right}.muted{color:var(--muted);font-size:14px}\
.mistakes{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px}.mistakes p{margin:6px 0 0}figure{margin:0}b.blunder,b.mistake{color:var(--vermilion)}";

impl Review {
    /// Draws the boards before the worst moves, with what was moved and what was better.
    pub(super) fn draw_boards(&mut self, table: &mut dyn Table) {
        if table.set_position(self.played.position.as_deref()).is_err() {
            return;
        }
        let worst: Vec<(usize, usize)> = self.mistakes().into_iter().take(MOST_BOARDS).collect();
        for (number, mv) in self.played.moves.iter().enumerate() {
            if let Some(&(ply, agent)) = worst.iter().find(|(ply, _)| *ply == number) {
                let scene = table.scene();
                let trail = |mv: &str, colour| Trail { steps: table.steps(&scene, mv), colour };
                let best = &self.plies[ply].opinions[agent].best;
                let caption = format!("before move {}", ply + 1);
                let drawn = drawing::svg(&scene, 280, &caption, &[trail(mv, MADE), trail(best, BETTER)]);
                self.boards.extend(drawn.map(|svg| (ply, svg)));
            }
            if table.play(mv).is_err() {
                return;
            }
        }
    }

    /// The graph of values over the game, with the intervals of the searches as bands.
    pub fn curve(&self) -> Curve {
        let series = |(agent, label): (usize, &String)| {
            let point = |ply: usize| {
                let y = self.value(ply, agent)?;
                let margin = self.plies[ply].opinions.get(agent).and_then(|one| one.margin);
                let bound = |y: f64| if self.scored { y } else { 100.0 * y.clamp(0.0, 1.0) };
                let interval = margin.map(|margin| (bound(y - margin), bound(y + margin)));
                Some(Point { x: ply as f64, y: bound(y), interval })
            };
            Series { label: label.clone(), points: (0..self.plies.len()).filter_map(point).collect(), published: false }
        };
        let (title, y_label, reference) = if self.scored {
            ("Expected score".to_string(), "score".to_string(), None)
        } else {
            (format!("Chance of {} to win", self.players[0]), "%".to_string(), Some(50.0))
        };
        let series = self.agents.iter().enumerate().map(series).collect();
        Curve { title, x_label: "moves made".to_string(), y_label, x_logarithmic: false, series, reference }
    }

    /// A value as people read it.
    fn percent(&self, value: f64) -> String {
        if self.scored { format!("{value:.1}") } else { format!("{:.0} %", 100.0 * value) }
    }

    /// The page.
    pub fn page(&self) -> String {
        let title = escape(&self.played.game);
        let names = self
            .played
            .names
            .as_ref()
            .map_or(String::new(), |[first, second]| format!("{} against {} · ", escape(first), escape(second)));
        let result = self.result.as_deref().unwrap_or("not finished");
        let agents: Vec<String> = self.agents.iter().map(|agent| format!("<code>{}</code>", escape(agent))).collect();
        let mut text = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>Review: {title}</title><style>{FIGURE_STYLE}{STYLE}</style></head><body><h1>Review: {title}</h1>\
             <p class=\"muted\">{names}{} moves, {} · reviewed by {}</p><figure>{}</figure>\
             <p class=\"muted\">Bands are the 95 % intervals of the searches' own means: how sure the search is of what it has seen, \
             not of the truth.</p><h2>Largest mistakes</h2>",
            self.played.moves.len(),
            escape(result),
            agents.join(" and "),
            curve_plot(&self.curve(), Width::Wide),
        );
        self.mistakes_section(&mut text);
        text.push_str(
            "<h2>All moves</h2><table><thead><tr><th class=\"n\">#</th><th>move</th><th>best</th><th class=\"n\">",
        );
        text.push_str(if self.scored { "value" } else { "chance" });
        text.push_str("</th><th class=\"n\">cost</th><th></th></tr></thead><tbody>");
        for (number, ply) in self.plies.iter().enumerate() {
            let (Some(mv), Some(own)) = (&ply.mv, ply.opinions.first()) else { continue };
            let player = ply.mover.map_or("", |player| self.players[player.index()].as_str());
            let judged = self.judgement(number, 0).map_or("", Judgement::word);
            let _ = write!(
                text,
                "<tr><td class=\"n\">{}</td><td>{} <span class=\"muted\">{}</span></td><td>{}</td><td class=\"n\">{}</td>\
                 <td class=\"n\">{}</td><td>{judged}</td></tr>",
                number + 1,
                escape(mv),
                escape(player),
                escape(&own.best),
                self.percent(own.value),
                own.loss.filter(|loss| *loss >= 0.005).map_or(String::new(), |loss| self.percent(loss)),
            );
        }
        text.push_str("</tbody></table></body></html>\n");
        text
    }

    fn mistakes_section(&self, text: &mut String) {
        let mistakes = self.mistakes();
        if mistakes.is_empty() {
            text.push_str("<p>The search found none.</p>");
            return;
        }
        text.push_str("<div class=\"mistakes\">");
        for &(ply, agent) in mistakes.iter().take(MOST_BOARDS) {
            let own = &self.plies[ply].opinions[agent];
            let judged = self.judgement(ply, agent).map_or("", Judgement::word);
            let board = self.boards.iter().find(|(at, _)| *at == ply).map_or("", |(_, svg)| svg.as_str());
            let player = self.plies[ply].mover.unwrap_or(Player::First);
            let _ = write!(
                text,
                "<figure>{board}<p><b class=\"{judged}\">{}. {}</b> by {}: {judged}, costs {}. Better was <b>{}</b>: {}</p></figure>",
                ply + 1,
                escape(self.plies[ply].mv.as_deref().unwrap_or_default()),
                escape(&self.players[player.index()]),
                self.percent(own.loss.unwrap_or(0.0)),
                escape(&own.best),
                escape(&own.line.iter().take(8).cloned().collect::<Vec<_>>().join(" ")),
            );
        }
        text.push_str("</div>");
    }
}
