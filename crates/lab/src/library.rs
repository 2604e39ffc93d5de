//! What comes with the program: experiment files, published papers and their numbers, from the folder `experiments`.

use crate::paper::Paper;
use spinney_core::InputError;
use spinney_experiments::FILES;

/// An experiment file.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its folder and name below `experiments`, such as `quality-rewards/table-1`.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const PAPER: &str = "/paper.toml";
const KIND: &str = ".toml";
/// Files of this folder are not experiments but tunings, for `spinney tune`.
const TUNINGS: &str = "tune/";
/// Data of the atlas, which are no experiments either.
const DATA: [&str; 2] = ["atlas/claims.toml", "atlas/reasons.toml"];

/// All experiment files, folder by folder.
pub fn files() -> impl Iterator<Item = File> {
    FILES
        .iter()
        .filter(|file| !file.path.ends_with(PAPER) && !file.path.starts_with(TUNINGS) && !DATA.contains(&file.path))
        .filter_map(|file| Some(File { name: file.path.strip_suffix(KIND)?, text: file.text }))
}

/// The data of the atlas in this file.
pub fn atlas_data(name: &str) -> &'static str {
    spinney_experiments::find(&format!("atlas/{name}")).map_or("", |file| file.text)
}

/// The experiment file of this name.
pub fn find(name: &str) -> Option<File> {
    files().find(|file| file.name == name)
}

/// The file of a tuning that a path means where there is none on disk: `experiments/tune/breakthrough-rb.toml`.
pub fn find_tuning(path: &str) -> Option<File> {
    let name = name_of(path);
    let file = FILES.iter().find(|file| file.path.strip_suffix(KIND) == Some(name.as_str()))?;
    file.path.starts_with(TUNINGS).then_some(File { name: file.path.strip_suffix(KIND)?, text: file.text })
}

/// The experiment file that a path means where there is none on disk: `experiments/solver.toml` is `solver`.
pub fn find_path(path: &str) -> Option<File> {
    find(&name_of(path))
}

/// A path as a name below `experiments`.
fn name_of(path: &str) -> String {
    let path = path.replace('\\', "/");
    let name = path.strip_prefix("./").unwrap_or(&path);
    let name = name.strip_prefix("experiments/").unwrap_or(name);
    name.strip_suffix(KIND).unwrap_or(name).to_string()
}

/// All published papers, by name.
pub fn papers() -> Result<Vec<Paper>, InputError> {
    let folders = FILES.iter().filter_map(|file| Some((file.path.strip_suffix(PAPER)?, file.text)));
    folders.map(|(name, text)| Paper::read(name, text)).collect()
}

/// The published paper of this name.
pub fn paper(name: &str) -> Result<Paper, InputError> {
    let papers = papers()?;
    let names: Vec<String> = papers.iter().map(|paper| paper.name.clone()).collect();
    papers
        .into_iter()
        .find(|paper| paper.name == name)
        .ok_or_else(|| InputError::unknown("reproduce", "experiment", name, names.iter().map(String::as_str)))
}

/// The numbers that a paper printed, as comma-separated values.
pub fn published(paper: &str) -> Option<&'static str> {
    let text = spinney_experiments::find(&format!("{paper}{PAPER}"))?.text;
    let name = Paper::read(paper, text).ok()?.published?;
    spinney_experiments::find(&format!("{paper}/{name}")).map(|file| file.text)
}

/// The names of the papers that have such numbers.
pub fn papers_with_numbers() -> Vec<&'static str> {
    let folders = FILES.iter().filter_map(|file| file.path.strip_suffix(PAPER));
    folders.filter(|name| published(name).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, Plan};
    use std::collections::BTreeSet;

    #[test]
    fn every_file_can_be_read_and_every_table_has_its_file() {
        for file in files() {
            assert!(Experiment::read(file.name, file.text).is_ok(), "{}", file.name);
        }
        let papers = papers().unwrap();
        let names: BTreeSet<&str> = papers.iter().map(|paper| paper.name.as_str()).collect();
        assert!(names.is_superset(&BTreeSet::from(["contextual", "ggp", "quality-rewards", "variance-reduction"])));
        for paper in &papers {
            assert!(!paper.source.authors.is_empty() && paper.source.year > 1900, "{}", paper.name);
            for table in &paper.tables {
                let file = find(&format!("{}/{}", paper.name, table.file));
                assert!(file.is_some(), "{}, table {}", paper.name, table.name);
            }
        }
        let with_numbers = papers_with_numbers();
        for name in ["contextual", "quality-rewards", "variance-reduction"] {
            assert!(with_numbers.contains(&name), "{name}");
        }
    }

    #[test]
    fn files_are_found_by_name_and_by_path() {
        assert!(find("quality-rewards/table-1").is_some() && find("../Cargo").is_none());
        for path in ["solver", "solver.toml", "experiments/solver.toml", "./experiments/solver.toml"] {
            assert_eq!(find_path(path).map(|file| file.name), Some("solver"), "{path}");
        }
        assert!(find_path("experiments/quality-rewards/paper.toml").is_none());
    }

    /// Three figures, each game with all of its techniques.
    #[test]
    fn variance_reduction_measures_what_was_published() {
        let plan = |name: &str| {
            let file = find(&format!("variance-reduction/{name}")).unwrap();
            Plan::new(&Experiment::read(name, file.text).unwrap()).unwrap()
        };
        for (name, cells) in
            [("figure-1", 16), ("figure-2-pig", 57), ("figure-2-cant-stop", 61), ("figure-2-dominion", 57)]
        {
            let plan = plan(name);
            assert_eq!((plan.measurements.len(), plan.cells.len()), (cells, 0), "{name}");
            assert!(name == "figure-1" || plan.sections[0].statement.is_some(), "{name}");
        }
    }
}
