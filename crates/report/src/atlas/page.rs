//! The page of the atlas and its pictures. It needs no script: links, tables and pictures are all there is.

use super::{Atlas, Block, Chapter, Mark, guide, map, runs, tally, tally_words};
use crate::curve::curve_plot;
use crate::escape::xml;
use crate::figures::with_style;
use crate::forest::forest_plot;
use crate::html::STYLE;
use crate::pictures::Picture;
use crate::svg::Width;
use std::fmt::Write;

/// What the page needs beside the style of all reports.
const OWN_STYLE: &str = "\
.map { margin: 4px 0 20px; } .map svg { width: 100%; height: auto; }\n\
.marks td.wrap { min-width: 220px; } .marks th, .marks td { white-space: normal; min-width: 130px; } .marks th code { display: block; font-size: 11px; font-weight: 400; color: var(--muted); min-width: 300px; }\n\
.marks .letter { display: inline-block; min-width: 1.6em; text-align: center; font-weight: 700; border: 2px solid var(--m); border-radius: 3px; color: var(--front); }\n\
@media (max-width: 720px) {\n\
  .marks table, .marks tbody, .marks tr, .marks th, .marks td { display: block; min-width: 0; }\n\
  .marks thead { display: none; } .marks tr { border-bottom: 1px solid var(--rule); padding: 6px 0; }\n\
  .marks tbody tr > * { border: 0; padding: 2px 9px; } .marks th code { min-width: 0; overflow-wrap: anywhere; }\n\
  .marks td.wrap { min-width: 0; } .marks td[data-name]::before { content: attr(data-name) \": \"; color: var(--muted); }\n\
  .marks td:empty { display: none; } .marks tbody tr:nth-child(even) { background: var(--stripe); }\n\
}\n\
tr:target > * { background: var(--panel); outline: 2px solid var(--blue); outline-offset: -2px; }\n\
.findings li { margin: 6px 0; max-width: 80ch; } .notes { color: var(--muted); font-size: 14px; }\n\
.runs tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 130px; }\n\
figure img { display: block; max-width: 100%; height: auto; }\n\
header .about { max-width: 100ch; }\n";

/// Every picture of the page: the map, and figures of sections for wide and narrow screens.
pub fn atlas_pictures(atlas: &Atlas) -> Vec<Picture> {
    let mut pictures = vec![Picture { name: "map".to_owned(), svg: map::map_picture(atlas) }];
    for (chapter, one) in atlas.chapters.iter().enumerate() {
        for (section, what) in one.sections.iter().enumerate() {
            for (width, ending) in [(Width::Wide, ""), (Width::Narrow, "-narrow")] {
                if !what.cells.is_empty() {
                    let svg = with_style(&forest_plot(what.title.trim(), &what.cells, width));
                    pictures.push(Picture { name: format!("{}{ending}", name(chapter, section, "forest", 0)), svg });
                }
                for (number, curve) in what.curves.iter().enumerate() {
                    let svg = with_style(&curve_plot(curve, width));
                    pictures
                        .push(Picture { name: format!("{}{ending}", name(chapter, section, "curve", number)), svg });
                }
            }
        }
    }
    pictures
}

fn name(chapter: usize, section: usize, kind: &str, number: usize) -> String {
    let number = if number > 0 { format!("-{}", number + 1) } else { String::new() };
    format!("{}-{}-{kind}{number}", chapter + 1, section + 1)
}

/// The page; its pictures stand beside it as `NAME.svg`.
pub fn atlas_page(atlas: &Atlas) -> String {
    let mut out = String::with_capacity(128 * 1024);
    let title = xml(&atlas.title);
    put(
        &mut out,
        format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}{}{}{OWN_STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>",
            map::STYLE,
            guide::STYLE
        ),
    );
    let (wide, narrow) = (map::map(atlas, Width::Wide), map::map(atlas, Width::Narrow));
    put(
        &mut out,
        format_args!(
            "<div id=\"map\" class=\"map\">\n<div class=\"wide\">{wide}</div>\n\
             <div class=\"narrow\">{narrow}</div>\n</div>"
        ),
    );
    put(&mut out, format_args!("<p class=\"about\">{}</p>\n<nav aria-label=\"Chapters\"><ul>", xml(&atlas.about)));
    for (index, chapter) in atlas.chapters.iter().enumerate() {
        put(&mut out, format_args!("<li><a href=\"#chapter-{}\">{}</a></li>", index + 1, xml(&chapter.title)));
    }
    put(&mut out, format_args!("<li><a href=\"#runs\">What it was made from</a></li></ul></nav>\n</header>\n<main>"));
    for (index, chapter) in atlas.chapters.iter().enumerate() {
        write_chapter(&mut out, chapter, index);
    }
    runs::write_page(&mut out, atlas);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn write_chapter(out: &mut String, chapter: &Chapter, index: usize) {
    put(out, format_args!("<section id=\"chapter-{}\">\n<h2>{}</h2>", index + 1, xml(&chapter.title)));
    put(out, format_args!("<p class=\"about\">{}</p>", xml(&chapter.about)));
    let counted = tally(chapter.blocks.iter().flat_map(Block::all));
    if counted.iter().sum::<usize>() > 0 {
        put(out, format_args!("<p><b>{}</b></p>", xml(&tally_words(counted))));
    }
    for (class, sentences) in [("findings", &chapter.findings), ("findings notes", &chapter.notes)] {
        if !sentences.is_empty() {
            put(out, format_args!("<ul class=\"{class}\">"));
            for sentence in sentences {
                put(out, format_args!("<li>{}</li>", xml(sentence)));
            }
            out.push_str("</ul>\n");
        }
    }
    for table in &chapter.guides {
        guide::write_page(out, table);
    }
    for (number, section) in chapter.sections.iter().enumerate() {
        put(out, format_args!("<h3>{}</h3>", xml(&section.title)));
        if !section.cells.is_empty() {
            write_picture(out, &name(index, number, "forest", 0), &format!("Forest plot: {}", section.title), "");
        }
        for (curve, what) in section.curves.iter().enumerate() {
            // Several curves below one heading have names of their own.
            let caption = if what.title == section.title { "" } else { &what.title };
            write_picture(out, &name(index, number, "curve", curve), &what.title, caption);
        }
    }
    for block in &chapter.blocks {
        write_block(out, block);
    }
    out.push_str("</section>\n");
}

fn write_picture(out: &mut String, name: &str, words: &str, caption: &str) {
    let caption = match caption.is_empty() {
        true => String::new(),
        false => format!("<figcaption class=\"caption\">{}</figcaption>", xml(caption)),
    };
    put(
        out,
        format_args!(
            "<figure>{caption}<picture><source media=\"(max-width: 720px)\" srcset=\"{name}-narrow.svg\">\
             <img src=\"{name}.svg\" alt=\"{}\" loading=\"lazy\"></picture></figure>",
            xml(words)
        ),
    );
}

/// The marks of a block as a table: each is the place that the map links to.
fn write_block(out: &mut String, block: &Block) {
    let has_right = block.all().any(|mark| !mark.right.is_empty());
    let title = xml(&block.title);
    put(
        out,
        format_args!(
            "<h3>{title}: every number</h3>\n\
             <div class=\"scroll marks\" tabindex=\"0\" role=\"region\" aria-label=\"{title}: every number\">\n<table>\n\
             <thead><tr><th scope=\"col\">Number, and what repeats it</th><th scope=\"col\">Mark</th><th scope=\"col\">Published</th>\
             <th scope=\"col\">Ours</th>{}<th scope=\"col\">Known</th></tr></thead>\n<tbody>",
            if has_right { "<th scope=\"col\">Right rules</th>" } else { "" }
        ),
    );
    for mark in block.all() {
        write_mark(out, mark, has_right);
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn write_mark(out: &mut String, mark: &Mark, has_right: bool) {
    let right =
        if has_right { format!("<td data-name=\"right rules\">{}</td>", xml(&mark.right)) } else { String::new() };
    put(
        out,
        format_args!(
            "<tr id=\"{}\"><th scope=\"row\">{}<code>{}</code></th><td><span class=\"letter {}\">{}</span> {}</td>\
             <td data-name=\"published\">{}</td><td data-name=\"ours\">{}</td>{right}<td class=\"wrap\">{}</td></tr>",
            xml(&mark.id),
            xml(&mark.name),
            xml(&mark.command),
            mark.standing.class(),
            mark.standing.letter(),
            mark.standing.words(),
            xml(&mark.published),
            xml(&mark.ours),
            xml(&mark.note)
        ),
    );
}

/// Writing to a string cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}
