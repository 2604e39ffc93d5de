//! Published papers as data: a folder of `experiments` with a `paper.toml` that says which experiment files repeat which
//! table, and what a quick or a full run of them is.

use crate::experiment::{Experiment, toml_error};
use crate::library;
use serde::Deserialize;
use spinney_core::InputError;
use std::collections::BTreeMap;

/// A published paper and how to repeat it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// What it is called: its folder.
    #[serde(skip)]
    pub name: String,
    /// The heading of its report.
    pub title: String,
    /// What it shows, in one line.
    pub summary: String,
    /// Where it was published.
    pub source: Source,
    /// The file of its folder that holds the numbers it printed.
    pub published: Option<String>,
    /// Choices that it has beside those that all have, by name.
    #[serde(default)]
    pub options: BTreeMap<String, PaperOption>,
    /// Its tables and figures.
    #[serde(rename = "table")]
    pub tables: Vec<Table>,
    /// What a first look plays.
    #[serde(default)]
    pub quick: Quick,
    /// What a full run plays.
    #[serde(default)]
    pub full: Full,
}

/// Where a paper was published.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Conference or journal.
    pub venue: String,
    /// When.
    pub year: u32,
}

/// A choice that a paper has: it keeps games whose option has one of the values asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperOption {
    /// What it does, in a few words.
    pub about: String,
    /// The option of the games.
    pub game_option: String,
}

/// A table or figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What it is called.
    pub name: String,
    /// The experiment file of the folder, without `.toml`.
    pub file: String,
    /// Whether it is played when no table is named.
    #[serde(default = "yes")]
    pub usual: bool,
    /// What a full run of it plays, if not what the paper says.
    pub full: Option<Full>,
}

fn yes() -> bool {
    true
}

/// What a first look plays: what is left out is as usual.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quick {
    /// Names of tables.
    pub tables: Vec<String>,
    /// Columns of the published tables and their values.
    pub only: BTreeMap<String, String>,
    /// Options of the paper and their values.
    pub options: BTreeMap<String, String>,
    /// Simulations per move.
    pub simulations: Option<u64>,
    /// Pairs in each cell.
    pub pairs: Option<u64>,
}

/// What a full run plays: as usual when nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Full {
    /// Pairs in each cell.
    pub pairs: Option<u64>,
    /// Or so many times the games and repetitions that the file says.
    pub times: Option<u64>,
}

/// Which part of a paper is wanted; nothing that is left empty leaves anything out.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Names of tables.
    pub tables: Vec<String>,
    /// Names of games.
    pub games: Vec<String>,
    /// Columns of the published tables and their values.
    pub only: Vec<(String, String)>,
    /// Options of the paper and their values; one of several values of an option is enough.
    pub options: Vec<(String, String)>,
    /// Numbers of simulations.
    pub simulations: Vec<u64>,
    /// How much is played.
    pub scale: Scale,
    /// Games in each cell, instead of what the scale says.
    pub games_per_cell: Option<u64>,
    /// Real seconds instead of the simulations that stood for them.
    pub wall_clock: bool,
}

/// How much is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// What the files say.
    #[default]
    Usual,
    /// A first look.
    Quick,
    /// As much as was published.
    Full,
}

impl Paper {
    /// Reads the `paper.toml` of the folder `name`.
    pub fn read(name: &str, text: &str) -> Result<Self, InputError> {
        let file = format!("{name}/paper.toml");
        let paper: Paper = toml::from_str(text).map_err(|error| toml_error(&file, text, &error))?;
        let known = || paper.tables.iter().map(|table| table.name.as_str());
        if let Some(unknown) = paper.quick.tables.iter().find(|name| !known().any(|known| known == **name)) {
            return Err(InputError::unknown(format!("{file}, quick"), "table", unknown, known()));
        }
        if let Some(unknown) = paper.quick.options.keys().find(|name| !paper.options.contains_key(*name)) {
            let known = paper.options.keys().map(String::as_str);
            return Err(InputError::unknown(format!("{file}, quick"), "option", unknown, known));
        }
        Ok(Self { name: name.to_string(), ..paper })
    }

    /// What a choice leaves of it, as one experiment.
    pub fn experiment(&self, choice: &Choice) -> Result<Experiment, InputError> {
        let parts = self.chosen(choice)?.into_iter().map(|table| self.part(table, choice.scale));
        let mut experiment = Experiment::joined(&self.title, parts.collect::<Result<_, _>>()?)?;
        if !choice.games.is_empty() {
            experiment.keep_games(&choice.games)?;
        }
        self.keep_options(&mut experiment, choice)?;
        for (column, value) in &choice.only {
            experiment.keep_published(column, value)?;
        }
        if !choice.simulations.is_empty() {
            experiment.keep_simulations(&choice.simulations)?;
        }
        if choice.scale == Scale::Quick {
            self.hasten(&mut experiment, &choice.only)?;
        }
        if let Some(games) = choice.games_per_cell {
            experiment.set_games(games);
        }
        if choice.wall_clock {
            experiment.set_wall_clock()?;
        }
        Ok(experiment)
    }

    fn chosen(&self, choice: &Choice) -> Result<Vec<&Table>, InputError> {
        let named = match (choice.tables.as_slice(), choice.scale) {
            ([], Scale::Quick) => &self.quick.tables,
            _ => &choice.tables,
        };
        let known = || self.tables.iter().map(|table| table.name.as_str());
        if let Some(unknown) = named.iter().find(|name| !known().any(|known| known == **name)) {
            return Err(InputError::unknown(&self.name, "table", unknown, known()));
        }
        let is_chosen = |table: &&Table| if named.is_empty() { table.usual } else { named.contains(&table.name) };
        Ok(self.tables.iter().filter(is_chosen).collect())
    }

    /// The experiment of one table.
    fn part(&self, table: &Table, scale: Scale) -> Result<Experiment, InputError> {
        let path = format!("{}/{}", self.name, table.file);
        let file = library::find(&path).ok_or_else(|| {
            let known = library::files().map(|file| file.name);
            InputError::unknown(&self.name, "experiment file", &path, known)
        })?;
        let mut experiment = Experiment::read(&format!("{}, table {}", self.name, table.name), file.text)?;
        if scale == Scale::Full {
            let Full { pairs, times } = table.full.unwrap_or(self.full);
            times.into_iter().for_each(|times| experiment.multiply(times));
            pairs.into_iter().for_each(|pairs| experiment.set_pairs(pairs));
        }
        Ok(experiment)
    }

    fn keep_options(&self, experiment: &mut Experiment, choice: &Choice) -> Result<(), InputError> {
        let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in &choice.options {
            wanted.entry(name).or_default().push(value);
        }
        if choice.scale == Scale::Quick {
            for (name, value) in &self.quick.options {
                wanted.entry(name).or_insert_with(|| vec![value]);
            }
        }
        for (name, values) in wanted {
            let Some(option) = self.options.get(name) else {
                let known = self.options.keys().map(String::as_str);
                return Err(InputError::unknown(&self.name, "option", name, known));
            };
            experiment.keep_game_option(name, &option.game_option, &values)?;
        }
        Ok(())
    }

    /// Few simulations, few games, and the main columns unless others were asked for.
    fn hasten(&self, experiment: &mut Experiment, asked: &[(String, String)]) -> Result<(), InputError> {
        for (column, value) in &self.quick.only {
            if asked.iter().all(|(other, _)| other != column) {
                experiment.keep_published(column, value)?;
            }
        }
        let few = self.quick.simulations.filter(|simulations| experiment.set_simulations(*simulations));
        self.quick.pairs.into_iter().for_each(|pairs| experiment.set_pairs(pairs));
        let note = if let Some(simulations) = few {
            format!(
                "A quick look: {simulations} simulations a move, far fewer than published. Compare who is ahead, not by how much."
            )
        } else {
            "A quick look: few games a cell, so the intervals are wide.".to_string()
        };
        experiment.notes.insert(0, note);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    fn experiment(name: &str, choice: &Choice) -> Result<Experiment, InputError> {
        library::paper(name).unwrap().experiment(choice)
    }

    fn plan(name: &str, choice: &Choice) -> Plan {
        Plan::new(&experiment(name, choice).unwrap()).unwrap()
    }

    fn tables(names: &[&str]) -> Choice {
        Choice { tables: names.iter().map(|name| name.to_string()).collect(), ..Choice::default() }
    }

    fn quick() -> Choice {
        Choice { scale: Scale::Quick, ..Choice::default() }
    }

    #[test]
    fn every_cell_of_the_paper_stands_beside_its_number() {
        for (table, cells) in [("1", 24), ("3", 24), ("4", 30), ("right-rules", 21)] {
            let plan = plan("quality-rewards", &tables(&[table]));
            assert_eq!(plan.cells.len(), cells, "table {table}");
            assert!(plan.cells.iter().all(|cell| cell.published.is_some()), "table {table}");
        }
        let whole = plan("quality-rewards", &Choice::default());
        assert_eq!((whole.cells.len(), whole.sections.len()), (78, 3));
        let sigmoid = plan("quality-rewards", &tables(&["breakthrough-sigmoid"]));
        assert_eq!((sigmoid.cells.len(), sigmoid.games()), (8, 8000));
        assert_eq!(sigmoid.cells.iter().filter(|cell| cell.published.is_some()).count(), 4);
    }

    /// Thirteen points, two sides of the board, two opponents.
    #[test]
    fn contextual_has_both_curves_against_both_opponents() {
        for (table, cells, published) in [("b", 24, 12), ("prob", 28, 4), ("readings", 13, 0), ("ablation", 30, 0)] {
            let plan = plan("contextual", &tables(&[table]));
            assert_eq!(plan.cells.len(), cells, "table {table}");
            assert_eq!(plan.cells.iter().filter(|cell| cell.published.is_some()).count(), published, "table {table}");
        }
        assert_eq!(plan("contextual", &Choice::default()).cells.len(), 52);
        let first = plan("contextual", &quick());
        assert_eq!(first.cells.len(), 26);
        assert!(first.cells.iter().all(|cell| cell.written_game == "havannah(size=5)" && cell.pairs == 15));
        let side = |side: &str| vec![("side".to_string(), side.to_string())];
        let large = Choice { options: side("8"), games_per_cell: Some(10), ..tables(&["b"]) };
        let large = plan("contextual", &large);
        assert!(large.cells.iter().all(|cell| cell.written_game == "havannah(size=8)" && cell.pairs == 5));
        let error = |name, options| experiment(name, &Choice { options, ..Choice::default() }).unwrap_err().to_string();
        assert!(error("contextual", side("7")).contains("write 5 or 8"));
        assert!(error("quality-rewards", side("5")).contains("unknown option `side`"));
    }

    #[test]
    fn what_is_written_into_the_folder_is_what_was_chosen() {
        let choices = [
            ("quality-rewards", Choice::default()),
            ("quality-rewards", quick()),
            ("quality-rewards", Choice { scale: Scale::Full, wall_clock: true, ..tables(&["4", "right-rules"]) }),
            ("variance-reduction", quick()),
            ("variance-reduction", Choice { scale: Scale::Full, ..tables(&["figure-1"]) }),
        ];
        for (name, choice) in &choices {
            let chosen = experiment(name, choice).unwrap();
            let read = Experiment::read("experiment.toml", &chosen.to_string()).unwrap();
            assert_eq!(read, chosen);
            assert_eq!(Plan::new(&read).unwrap().hash, Plan::new(&chosen).unwrap().hash);
        }
    }

    #[test]
    fn choices_reduce_an_experiment() {
        assert_eq!(plan("quality-rewards", &quick()).cells.len(), 12);
        let chosen = Choice {
            games: vec!["cannon".to_string()],
            only: vec![("seconds".to_string(), "5".to_string())],
            games_per_cell: Some(7),
            ..tables(&["3"])
        };
        let chosen = plan("quality-rewards", &chosen);
        assert!(chosen.cells.iter().all(|cell| cell.pairs == 4 && cell.budget == "10000 simulations"));
        assert_eq!(chosen.cells.len(), 2);
        let clock = plan("quality-rewards", &Choice { wall_clock: true, ..tables(&["1"]) });
        assert!(clock.cells.iter().all(|cell| cell.is_timed));
    }

    /// The baseline is also measured with twice the simulations, and what the figure does not show a quarter as often.
    #[test]
    fn measures_are_reduced_too() {
        let choice = Choice { simulations: vec![16, 64], games_per_cell: Some(20_000), ..tables(&["pig"]) };
        let plan = plan("variance-reduction", &choice);
        let of = |name: &str| -> Vec<(Option<u64>, u64)> {
            let own = plan.measurements.iter().filter(|one| one.name == name);
            own.map(|one| (one.simulations, one.repetitions)).collect()
        };
        assert_eq!(of("Base"), [16, 32, 64, 128].map(|simulations| (Some(simulations), 20_000)));
        assert_eq!(of("CV+CRN"), [16, 64].map(|simulations| (Some(simulations), 20_000)));
        assert_eq!(of("CRN at all nodes"), [16, 64].map(|simulations| (Some(simulations), 5_000)));
        let full = self::plan("variance-reduction", &Choice { scale: Scale::Full, ..tables(&["figure-1"]) });
        let total: u64 = full.measurements.iter().map(|one| one.repetitions).sum();
        assert_eq!(total, 8 * 20_000 + 3 * 4_000 + 5 * 800);
    }
}
