//! What a visitor wants to be played: a file that comes with the program, or text of their own, within limits.

use crate::error::Refusal;
use crate::position::check_game;
use serde::Deserialize;
use spinney_core::InputError;
use spinney_lab::store::folder_name;
use spinney_lab::{Experiment, Plan, library};
use spinney_table::Laboratory;

/// More games than this are for the command line.
const MOST_GAMES: u64 = 1_000_000;
const MOST_CELLS: u64 = 1_000;
/// Megabytes of an agent; every thread of a run has two of them.
const MOST_MEMORY: u32 = 2_048;

/// What a text of a visitor is called in errors.
const OWN: &str = "experiment";

/// What is asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// A file that comes with the program.
    pub file: Option<String>,
    /// An experiment file.
    pub text: Option<String>,
    /// A run, to be resumed.
    pub run: Option<String>,
    /// Games in each cell instead of those that the file says.
    pub games: Option<u64>,
}

/// An experiment that may be played here.
#[derive(Debug)]
pub struct Source {
    /// What it is called in errors and in the name of its folder.
    pub name: String,
    /// The experiment file.
    pub text: String,
    /// What it plays.
    pub plan: Plan,
}

impl Source {
    /// Reads what is asked for.
    pub fn read(laboratory: &Laboratory, wish: &Wish) -> Result<Self, Refusal> {
        let (name, text) = match (&wish.file, &wish.text) {
            (Some(name), None) => match library::find(name) {
                Some(file) => (name.clone(), file.text.to_string()),
                None => {
                    let known = library::files().map(|file| file.name);
                    return Err(InputError::unknown("file", "experiment", name, known).into());
                }
            },
            (None, Some(text)) => (OWN.to_string(), text.clone()),
            _ => {
                let remedy = "send either a file's name or a text";
                return Err(InputError::new("experiment", "it is not clear what to play", remedy).into());
            }
        };
        let mut experiment = Experiment::read_in(laboratory, &name, &text)?;
        let text = match wish.games {
            None => text,
            Some(games) if (1..=MOST_GAMES).contains(&games) => {
                experiment.set_games(games);
                experiment.to_string()
            }
            Some(games) => {
                let remedy = format!("write a number from 1 to {MOST_GAMES}");
                return Err(InputError::new("games", format!("{games} games a cell"), remedy).into());
            }
        };
        check(&experiment).map_err(|error| error.within(&name))?;
        let plan = Plan::new(&experiment)?;
        Ok(Self { name, text, plan })
    }

    /// The folder of its run.
    pub fn folder(&self) -> String {
        // What a visitor wrote is called by its title.
        let title = if self.name == OWN { title_name(&self.plan.title) } else { String::new() };
        folder_name(if title.is_empty() { &self.name } else { &title }, &self.plan)
    }
}

/// A title as a part of a path: words of letters and digits.
fn title_name(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-");
    name.chars().take(48).collect::<String>().trim_end_matches('-').to_string()
}

/// Refuses what would take more than the server gives, before anything is opened.
fn check(experiment: &Experiment) -> Result<(), InputError> {
    let cells = experiment.cells();
    if cells > MOST_CELLS {
        return Err(InputError::new("match", format!("{cells} cells"), format!("ask for at most {MOST_CELLS}")));
    }
    if experiment.games() > MOST_GAMES {
        let remedy = format!("ask for at most {MOST_GAMES} here, or use `spinney lab run`");
        return Err(InputError::new("pairs", format!("{} games", experiment.games()), remedy));
    }
    for game in experiment.named_games() {
        check_game(game)?;
    }
    for (name, agent) in &experiment.agents {
        let mut limited = agent.clone();
        limited.limit_memory(MOST_MEMORY);
        if limited != *agent {
            let remedy = format!("at most {MOST_MEMORY} here, or use `spinney lab run`");
            return Err(InputError::new(format!("agent {name}"), "it takes too much memory", remedy));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = \"Small\"\npairs = 3\n[agents.r]\nkind = \"random\"\n[agents.m]\nsims = 10\n\
        [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"m\"]\nb = [\"r\"]\n";

    fn read(wish: Wish) -> Result<Source, String> {
        Source::read(&Laboratory::standard(), &wish).map_err(|refusal| refusal.text().to_string())
    }

    fn text(text: String) -> Wish {
        Wish { text: Some(text), ..Wish::default() }
    }

    #[test]
    fn files_and_texts_are_read() {
        let file =
            read(Wish { file: Some("playouts/policies".to_string()), games: Some(5), ..Wish::default() }).unwrap();
        assert!(file.plan.cells.iter().all(|cell| cell.pairs == 3) && file.folder().starts_with("policies-"));
        let own = read(text(TEXT.to_string())).unwrap();
        assert_eq!((own.plan.games(), own.text.as_str()), (6, TEXT));
        assert!(own.folder().starts_with("small-"), "{}", own.folder());
        assert_eq!(title_name("Does it help? – C = 2, ../x"), "does-it-help-c-2-x");
    }

    #[test]
    fn what_is_too_much_or_not_ours_is_refused() {
        let wrong = [
            (text(TEXT.replace("tic-tac-toe", "gdl:/etc/passwd")), "rule sheet"),
            (text(TEXT.replace("pairs = 3", "pairs = 90000000")), "at most 1000000"),
            (text(TEXT.replace("sims = 10", "memory = 900000")), "at most 2048"),
            (text(TEXT.replace("[\"r\"]", &format!("[{}]", "\"r\",".repeat(2000)))), "at most 1000"),
            (text(TEXT.replace("kind", "kin")), "line 4"),
            (text(String::new()), "experiment, line 1"),
            (Wish { file: Some("../Cargo".to_string()), ..Wish::default() }, "unknown experiment"),
            (Wish { file: Some("playouts/policies".to_string()), games: Some(0), ..Wish::default() }, "1 to 1000000"),
            (Wish::default(), "either"),
        ];
        for (wish, expected) in wrong {
            let error = read(wish).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
