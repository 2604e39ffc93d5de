//! `spinney atlas`: every published number beside everything that was played.

use super::progress::styled;
use clap::Args;
use indicatif::ProgressBar;
use spinney_core::InputError;
use spinney_lab::LabError;
use spinney_lab::atlas::{atlas, gather};
use spinney_lab::store::write_whole;
use spinney_report::atlas::{Atlas, Left, Mark, Standing, atlas_markdown, atlas_page, atlas_pictures};
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
    /// Also list what is left to play, the numbers that take least first
    #[arg(long)]
    left: bool,
}

pub fn run(arguments: &AtlasArguments, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let (results, folder) = (&arguments.results, &arguments.out);
    let runs = gather::runs(results).map_err(|error| unreadable(results, &error))?;
    if runs.is_empty() {
        let remedy = "name a folder with runs of spinney lab run or spinney reproduce, at any depth";
        return Err(InputError::new(results.display(), "there is no run in it", remedy).into());
    }
    // Before the runs are read, which takes its time.
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let command = format!("spinney atlas {} --out {}", results.display(), folder.display());
    let bar = styled(ProgressBar::new(runs.len() as u64), "{wide_bar} {pos}/{len} runs  {left}");
    let atlas = atlas(laboratory, results, command, &|done, _| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    // A page of nothing must not take the place of one.
    if let Some(problem) = atlas.runs.iter().all(|run| run.games == 0).then(|| problems(&atlas).next()).flatten() {
        let problem = format!("no run can be used: {problem}");
        return Err(InputError::new(results.display(), problem, "mend it or take it out of the folder").into());
    }
    write(&atlas, folder)?;
    for (standing, count) in Standing::ALL.iter().zip(atlas.tally()) {
        writeln!(out, "{count:>4} {}", standing.words())?;
    }
    let marks = atlas.marks().count();
    writeln!(out, "{marks:>4} published numbers, {} runs: {}", atlas.runs.len(), folder.join("index.html").display())?;
    if arguments.left {
        write_left(&atlas, out)?;
    }
    for problem in problems(&atlas) {
        eprintln!("warning: {problem}");
    }
    Ok(())
}

/// Numbers that games can still decide, by what they are expected to take on one core; those of unknown pace come last.
fn write_left(atlas: &Atlas, out: &mut impl Write) -> std::io::Result<()> {
    let mut left: Vec<(&Mark, Left)> = atlas.marks().filter_map(|mark| Some((mark, mark.left?))).collect();
    left.sort_by(|(_, a), (_, b)| {
        let seconds = |one: &Left| one.seconds.unwrap_or(f64::INFINITY);
        seconds(a).total_cmp(&seconds(b)).then(a.games.cmp(&b.games))
    });
    writeln!(out, "\n{:>6} {:>10}  number", "games", "core hours")?;
    for (mark, left) in left {
        let hours = left.seconds.map_or("?".to_string(), |seconds| format!("{:.1}", seconds / 3600.0));
        writeln!(
            out,
            "{:>6} {hours:>10}  {}, published {}, ours {}",
            left.games, mark.name, mark.published, mark.ours
        )?;
    }
    Ok(())
}

/// What is wrong with runs, a line each.
fn problems(atlas: &Atlas) -> impl Iterator<Item = String> {
    atlas.runs.iter().filter_map(|run| Some(format!("{}: {}", run.folder, run.problem.as_ref()?)))
}

fn unreadable(results: &Path, error: &LabError) -> InputError {
    let problem = match error {
        LabError::File { path, error } if path == results => format!("it cannot be read: {error}"),
        other => format!("it cannot be read: {other}"),
    };
    InputError::new(results.display(), problem, "name a folder with runs: spinney atlas FOLDER")
}

fn unwritable(folder: &Path, error: &impl std::fmt::Display) -> InputError {
    let place = format!("--out {}", folder.display());
    InputError::new(place, format!("it cannot be written: {error}"), "name a folder that can be")
}

fn write(atlas: &Atlas, folder: &Path) -> Result<(), InputError> {
    let mut names = BTreeSet::new();
    let put = |name: &str, text: &str| {
        write_whole(&folder.join(name), text.as_bytes()).map_err(|error| unwritable(folder, &error))
    };
    for picture in atlas_pictures(atlas) {
        let name = format!("{}.svg", picture.name);
        put(&name, &picture.svg)?;
        names.insert(name);
    }
    put("atlas.md", &atlas_markdown(atlas))?;
    put("index.html", &atlas_page(atlas))?;
    remove_others(folder, &names).map_err(|error| unwritable(folder, &error))
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
