//! Tables that say what is worth switching on: a row for each idea, a column for each game.

use crate::escape::{markdown, xml};
use std::fmt::Write;

/// What an idea does beyond doubt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// It wins more than half.
    Helps,
    /// It wins less than half.
    Hurts,
    /// The games cannot tell.
    #[default]
    Unclear,
}

impl Effect {
    /// The sign before the numbers, so that nothing is told by colour alone.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Helps => "+",
            Self::Hurts => "−",
            Self::Unclear => "",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Helps => "is-help",
            Self::Hurts => "is-harm",
            Self::Unclear => "",
        }
    }
}

/// What an idea is worth in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// Scores with their margins, a line for each way of comparing.
    pub lines: Vec<String>,
    /// Which of them decides.
    pub decisive: usize,
    /// What they say.
    pub effect: Effect,
}

/// An idea in all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuideRow {
    /// The idea.
    pub name: String,
    /// How an agent that has it is written.
    pub setting: String,
    /// What it is worth, game by game; nothing where it was not played.
    pub worth: Vec<Option<Worth>>,
}

/// A table of ideas and games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// The heading.
    pub title: String,
    /// How to read it.
    pub about: String,
    /// Headings of the columns: the game, and below it what kind of game it is.
    pub columns: Vec<[String; 2]>,
    /// The ideas.
    pub rows: Vec<GuideRow>,
    /// The command that plays it again.
    pub command: String,
}

/// What the page needs for it.
pub(super) const STYLE: &str = "\
.guide td, .guide th { white-space: normal; } .guide td div { white-space: nowrap; } .guide td { min-width: 92px; }\n\
.guide tbody th code { display: block; font-size: 11px; font-weight: 400; color: var(--muted); min-width: 17em; overflow-wrap: anywhere; }\n\
@media (max-width: 720px) { .guide tbody th code { display: none; } }\n\
.guide thead span { display: block; font-weight: 400; font-size: 12px; min-width: 92px; }\n\
.guide tbody td.is-help, .guide tbody td.is-harm { font-weight: 700; border-left: 4px solid var(--green); }\n\
.guide tbody td.is-harm { border-left-color: var(--vermilion); }\n";

/// The table on the page.
pub(super) fn write_page(out: &mut String, guide: &Guide) {
    let title = xml(&guide.title);
    let _ = write!(
        out,
        "<h3>{title}</h3>\n<p class=\"about\">{}</p>\n\
         <div class=\"scroll guide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\n<table>\n\
         <thead><tr><th scope=\"col\" class=\"pin\"></th>",
        xml(&guide.about)
    );
    for [name, kind] in &guide.columns {
        let _ = write!(out, "<th scope=\"col\">{}<span>{}</span></th>", xml(name), xml(kind));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &guide.rows {
        let _ = write!(out, "<tr><th scope=\"row\" class=\"pin\">{}", xml(&row.name));
        if !row.setting.is_empty() {
            let _ = write!(out, "<code>{}</code>", xml(&row.setting));
        }
        out.push_str("</th>");
        for worth in &row.worth {
            let Some(worth) = worth else {
                out.push_str("<td></td>");
                continue;
            };
            let _ = write!(out, "<td class=\"{}\">", worth.effect.class());
            for (number, line) in worth.lines.iter().enumerate() {
                let sign = if number == worth.decisive { worth.effect.sign() } else { "" };
                let _ = write!(out, "<div>{sign}{}{}</div>", if sign.is_empty() { "" } else { " " }, xml(line));
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>\n");
    }
    let _ =
        writeln!(out, "</tbody>\n</table>\n</div>\n<div class=\"command\"><pre>{}</pre></div>", xml(&guide.command));
}

/// The table in Markdown.
pub(super) fn write_markdown(out: &mut String, guide: &Guide) {
    let _ = writeln!(out, "### {}\n\n{}\n", markdown(&guide.title), markdown(&guide.about));
    let heads: Vec<String> = guide.columns.iter().map(|[name, _]| markdown(name)).collect();
    let _ = writeln!(out, "| | {} |\n|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for row in &guide.rows {
        let cells = row.worth.iter().map(|worth| {
            worth.as_ref().map_or(String::new(), |worth| {
                let lines = worth.lines.iter().enumerate().map(|(number, line)| match worth.effect {
                    effect if effect != Effect::Unclear && number == worth.decisive => {
                        format!("**{} {}**", effect.sign(), markdown(line))
                    }
                    _ => markdown(line),
                });
                lines.collect::<Vec<_>>().join(" · ")
            })
        });
        let setting = match row.setting.is_empty() {
            true => String::new(),
            false => format!(" {}", crate::escape::markdown_code(&row.setting)),
        };
        let _ = writeln!(out, "| {}{setting} | {} |", markdown(&row.name), cells.collect::<Vec<_>>().join(" | "));
    }
    let _ = writeln!(out, "\nPlayed again with {}.\n", crate::escape::markdown_code(&guide.command));
}
