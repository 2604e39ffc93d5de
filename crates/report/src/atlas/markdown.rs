//! The atlas in Markdown.

use super::{Atlas, Block, Chapter, guide, runs, tally, tally_words};
use crate::escape::{markdown as escape, markdown_code as code};
use std::fmt::Write;

/// Writes the atlas with the map as a picture beside it and every number in a table.
pub fn atlas_markdown(atlas: &Atlas) -> String {
    let mut out = format!("# {}\n\n{}\n\n", escape(&atlas.title), escape(&atlas.about));
    let _ = writeln!(out, "![The map of {} published numbers](map.svg)\n", atlas.marks().count());
    let _ = writeln!(out, "[index.html](index.html) is the same as a page, with forest plots and curves.\n");
    let _ = writeln!(out, "{}\n", escape(&tally_words(atlas.tally())));
    for chapter in &atlas.chapters {
        write_chapter(&mut out, chapter);
    }
    runs::write_markdown(&mut out, atlas);
    out
}

fn write_chapter(out: &mut String, chapter: &Chapter) {
    let _ = writeln!(out, "## {}\n\n{}\n", escape(&chapter.title), escape(&chapter.about));
    let counted = tally(chapter.blocks.iter().flat_map(Block::all));
    if counted.iter().sum::<usize>() > 0 {
        let _ = writeln!(out, "{}\n", escape(&tally_words(counted)));
    }
    for finding in &chapter.findings {
        let _ = writeln!(out, "- {}", escape(finding));
    }
    if !chapter.findings.is_empty() {
        out.push('\n');
    }
    if !chapter.notes.is_empty() {
        out.push_str("Conditions:\n\n");
        for note in &chapter.notes {
            let _ = writeln!(out, "- {}", escape(note));
        }
        out.push('\n');
    }
    for table in &chapter.guides {
        guide::write_markdown(out, table);
    }
    for block in &chapter.blocks {
        let _ = writeln!(out, "### {}\n", escape(&block.title));
        let has_right = block.all().any(|mark| !mark.right.is_empty());
        let right = |text: &str| if has_right { format!("{text} |") } else { String::new() };
        let _ = writeln!(out, "| number | mark | published | ours |{} known | repeat it with |", right(" right rules"));
        let _ = writeln!(out, "|---|---|---|---|{}---|---|", right("---"));
        for mark in block.all() {
            let _ = writeln!(
                out,
                "| {} | **{}** {} | {} | {} |{} {} | {} |",
                escape(&mark.name),
                mark.standing.letter(),
                mark.standing.words(),
                escape(&mark.published),
                escape(&mark.ours),
                right(&format!(" {}", escape(&mark.right))),
                escape(&mark.note),
                code(&mark.command)
            );
        }
        out.push('\n');
    }
}
