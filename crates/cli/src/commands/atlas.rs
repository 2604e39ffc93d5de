//! `spinney atlas`: every published number beside everything that was played.

use clap::Args;
use spinney_lab::LabError;
use spinney_lab::atlas::atlas;
use spinney_lab::store::write_whole;
use spinney_report::atlas::{Standing, atlas_markdown, atlas_page, atlas_pictures};
use spinney_table::Laboratory;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(
    after_help = "Runs count whatever experiment they were played for: a game belongs to a number if game, agents and opening \
    are those of its cell in experiments/atlas. The folder gets index.html, atlas.md and pictures; other pictures in it go."
)]
pub struct AtlasArguments {
    /// The folder with the runs, packed or not, at any depth
    #[arg(default_value = "results")]
    results: PathBuf,
    /// The folder of the page
    #[arg(long, value_name = "FOLDER", default_value = "docs/atlas")]
    out: PathBuf,
}

pub fn run(arguments: &AtlasArguments, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let (results, folder) = (&arguments.results, &arguments.out);
    let command = format!("spinney atlas {} --out {}", results.display(), folder.display());
    let atlas = atlas(laboratory, results, command)?;
    fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    let pictures = atlas_pictures(&atlas);
    let mut names = BTreeSet::new();
    for picture in &pictures {
        let name = format!("{}.svg", picture.name);
        write_whole(&folder.join(&name), picture.svg.as_bytes())?;
        names.insert(name);
    }
    write_whole(&folder.join("atlas.md"), atlas_markdown(&atlas).as_bytes())?;
    write_whole(&folder.join("index.html"), atlas_page(&atlas).as_bytes())?;
    remove_others(folder, &names)?;
    for (standing, count) in Standing::ALL.iter().zip(atlas.tally()) {
        writeln!(out, "{count:>4} {}", standing.words())?;
    }
    let marks = atlas.marks().count();
    writeln!(out, "{marks:>4} published numbers, {} runs: {}", atlas.runs.len(), folder.join("index.html").display())?;
    for run in atlas.runs.iter().filter(|run| run.note.starts_with("could not be read")) {
        writeln!(out, "{} {}", run.folder, run.note)?;
    }
    Ok(())
}

/// Pictures of an earlier page that this one does not show.
fn remove_others(folder: &Path, names: &BTreeSet<String>) -> Result<(), LabError> {
    for entry in fs::read_dir(folder).map_err(LabError::file(folder))? {
        let path = entry.map_err(LabError::file(folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Its own pictures begin with the number of a chapter.
        let is_own = name.ends_with(".svg") && name.starts_with(|first: char| first.is_ascii_digit());
        if is_own && !names.contains(&name) {
            fs::remove_file(&path).map_err(LabError::file(&path))?;
        }
    }
    Ok(())
}
