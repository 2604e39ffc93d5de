//! Which program played a run: its versions, and how the agents of the run behave in its games there.
//!
//! Behaviour is told by the rows of `data/signature.tsv` that concern the games and agents of the run. Games of
//! programs whose rows differ are not games of the same players; a new version whose rows are the same may go on with a
//! run.

use crate::error::LabError;
use crate::plan::Plan;
use crate::reduce::name_of;
use crate::store::{Contents, GameId, Store, write_whole};
use serde::{Deserialize, Serialize};
use spinney_core::InputError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The file in the folder of a run.
const FILE: &str = "program.json";
/// What every agent finds in every game, as this program was tested.
const SIGNATURE: &str = include_str!("../data/signature.tsv");
/// Stands for the agent in the row of a rule sheet.
const SHEET: &str = "rule sheet";

/// Who played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The versions that added games, in their order.
    pub versions: Vec<String>,
    /// Whether games of programs that behave differently were joined on request.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mixed: bool,
    /// Kinds of machines that added games: system, processor, cores, graphics cards. Runs of older versions do not say it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<String>,
    /// What its games cost, once the run was packed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// A hash of what an agent finds in a game, by game and agent.
    pub signature: BTreeMap<String, BTreeMap<String, String>>,
}

/// What games cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Games whose time is known.
    pub games: u64,
    /// Seconds that their agents searched, on one core or as one game of a card.
    pub seconds: f64,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Program {
    /// This program, with the rows that concern a plan.
    pub fn here(plan: &Plan) -> Self {
        let matches = plan.cells.iter().flat_map(|cell| cell.described.iter().map(|agent| (&cell.game, agent)));
        let measured = plan.measurements.iter().map(|one| (&one.game, &one.described));
        let played: BTreeSet<(&str, &str)> =
            matches.chain(measured).map(|(game, agent)| (name_of(game), name_of(agent))).collect();
        let is_sheet = |game: &str| game.starts_with("gdl:");
        let concerns = |game: &str, agent: &str| {
            let is_like = |played: &str| name_of(game) == played || (is_sheet(game) && is_sheet(played));
            played.iter().any(|&(played, kind)| is_like(played) && name_of(agent) == kind)
        };
        let mut signature: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut add = |game: &str, agent: &str, hash: &str| {
            signature.entry(game.to_string()).or_default().insert(agent.to_string(), hash.to_string());
        };
        for line in SIGNATURE.lines().skip(1) {
            if let [game, agent, hash] = line.split('\t').collect::<Vec<_>>()[..]
                && concerns(game, agent)
            {
                add(game, agent, hash);
            }
        }
        plan.sheets.hashes().for_each(|(game, hash)| add(&game, SHEET, &hash));
        let (versions, machines) = (vec![env!("CARGO_PKG_VERSION").to_string()], vec![crate::report::machine()]);
        Self { versions, mixed: false, machines, cost: None, signature }
    }

    /// Whether a graphics card played a part of it; cards stand behind system and cores.
    pub fn has_card(&self) -> bool {
        self.machines.iter().any(|machine| machine.split(", ").nth(2).is_some())
    }

    /// Who played the run in a folder; `None` if it does not say, as older ones do not.
    pub fn read(folder: &Path) -> Result<Option<Self>, LabError> {
        let path = folder.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LabError::file(path)(error)),
        };
        let program = serde_json::from_str(&text)
            .map_err(|error| InputError::new(path.display(), error, "restore it, or remove it to go on without"))?;
        Ok(Some(program))
    }

    fn write(&self, folder: &Path) -> Result<(), LabError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        write_whole(&folder.join(FILE), text.as_bytes())
    }

    /// The first game and agent that both know and that differ. Rows that only one of them has say nothing.
    pub fn difference(&self, other: &Self) -> Option<(&str, &str)> {
        self.signature.iter().find_map(|(game, agents)| {
            let theirs = other.signature.get(game)?;
            let differs = |(agent, hash): &(&String, &String)| theirs.get(*agent).is_some_and(|known| known != *hash);
            agents.iter().find(differs).map(|(agent, _)| (game.as_str(), agent.as_str()))
        })
    }

    /// The versions in words, for a report.
    pub fn words(&self) -> String {
        let versions = self.versions.join(", ");
        if self.mixed { format!("{versions} (they differ, mixed on request)") } else { versions }
    }

    /// Takes over what another has played. What that cost is known from its times, not from here: the same games may
    /// come twice.
    fn join(&mut self, other: Self) {
        self.mixed |= other.mixed || self.difference(&other).is_some();
        for version in other.versions {
            if !self.versions.contains(&version) {
                self.versions.push(version);
            }
        }
        for machine in other.machines {
            if !self.machines.contains(&machine) {
                self.machines.push(machine);
            }
        }
        for (game, agents) in other.signature {
            let own = self.signature.entry(game).or_default();
            for (agent, hash) in agents {
                own.entry(agent).or_insert(hash);
            }
        }
    }
}

impl Store {
    /// Who played its games so far, as far as the run says it.
    pub fn program(&self) -> Result<Option<Program>, LabError> {
        Program::read(&self.folder)
    }

    /// Keeps what the games of a run cost. Those that were packed before were counted then, and most of their times may be
    /// gone.
    pub(crate) fn note_cost(&self, contents: &Contents, packed: &Contents) -> Result<(), LabError> {
        let known = self.program()?;
        let before = known.as_ref().and_then(|program| program.cost);
        let is_new = |id: &GameId| before.is_none() || !packed.times.contains_key(id);
        let new: Vec<f64> =
            contents.times.iter().filter(|(id, _)| is_new(id)).map(|(_, ms)| (ms[0] + ms[1]) / 1000.0).collect();
        let before = before.unwrap_or_default();
        let cost = Cost { games: before.games + new.len() as u64, seconds: before.seconds + new.iter().sum::<f64>() };
        // More than there are: they were counted by one who was killed before the times were packed.
        if new.is_empty() || cost.games > contents.games.len() as u64 {
            return Ok(());
        }
        let begun = || Program { versions: vec![self.version.clone()], ..Program::default() };
        Program { cost: Some(cost), ..known.unwrap_or_else(begun) }.write(&self.folder)
    }

    /// Takes note that this program adds games; refuses if its agents behave differently, unless the store mixes.
    pub fn admit(&self) -> Result<(), LabError> {
        self.admit_beside(None)
    }

    /// The same where a farm of this kind plays beside the processor.
    pub(crate) fn admit_beside(&self, farm: Option<String>) -> Result<(), LabError> {
        let mut program = Program::here(&self.plan);
        if let Some(farm) = farm {
            program.machines.iter_mut().for_each(|machine| *machine = format!("{machine}, {farm}"));
        }
        self.admit_program(program, &format!("spinney {}", env!("CARGO_PKG_VERSION")))
    }

    /// The same for games of another program, in the run `who`.
    pub(crate) fn admit_program(&self, added: Program, who: &str) -> Result<(), LabError> {
        let known = self.program()?;
        let mut joined = known.clone().unwrap_or_default();
        if known.is_none() && !self.is_empty()? {
            // The plan says which version began a run that is older than this file.
            joined.versions.push(self.version.clone());
        }
        if let Some((game, agent)) = joined.difference(&added).filter(|_| !self.mixes) {
            let what =
                if agent == SHEET { "is another rule sheet".to_string() } else { format!("{agent} plays otherwise") };
            let problem = format!("its games are of spinney {}; for {who}, {game}: {what}", joined.versions.join(", "));
            let remedy = "name another folder with --out, or mix them with --mix-versions";
            return Err(InputError::new(self.folder.display(), problem, remedy).into());
        }
        joined.join(added);
        if known.as_ref() != Some(&joined) { joined.write(&self.folder) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;

    fn here(games: &str) -> Program {
        let text = format!(
            "title = \"x\"\n[agents.a]\nsims = 5\n[agents.b]\nkind = \"flat\"\nsims = 5\n[[match]]\ngames = [{games}]\n\
             a = [\"a\"]\nb = [\"b\"]\n"
        );
        Program::here(&Plan::new(&Experiment::read("x", &text).unwrap()).unwrap())
    }

    #[test]
    fn a_card_is_told_from_cores() {
        let mut program = here("\"breakthrough\"");
        assert!(!program.has_card() && !Program::default().has_card());
        program.machines.push(format!("{}, NVIDIA H200", crate::report::machine()));
        assert!(program.has_card());
    }

    #[test]
    fn a_program_is_what_its_agents_do_in_the_games() {
        let program = here("\"breakthrough\"");
        assert_eq!(program.signature.keys().collect::<Vec<_>>(), ["breakthrough", "breakthrough(rows=5, columns=5)"]);
        let agents = &program.signature["breakthrough"];
        assert!(agents.keys().any(|agent| agent.starts_with("mcts")));
        assert!(agents.keys().any(|agent| agent.starts_with("flat")));
        assert!(!agents.keys().any(|agent| agent.starts_with("alphabeta")), "nobody asked for it");
        let sheets = here("\"gdl:zhadu\"");
        assert!(sheets.signature["gdl:nim"].len() > 1, "rule sheets share their machine");
        assert_eq!(sheets.signature["gdl:zhadu"].keys().collect::<Vec<_>>(), [SHEET]);
    }

    #[test]
    fn programs_differ_in_rows_that_both_have() {
        let ours = here("\"breakthrough\"");
        let mut theirs = ours.clone();
        theirs.versions = vec!["0.0.1".to_string()];
        theirs.signature.get_mut("breakthrough").unwrap().pop_first();
        assert_eq!(ours.difference(&theirs), None, "a row that is new says nothing");
        let (agent, hash) = theirs.signature.get_mut("breakthrough").unwrap().iter_mut().next().unwrap();
        *hash = "0".to_string();
        let agent = agent.clone();
        assert_eq!(ours.difference(&theirs), Some(("breakthrough", agent.as_str())));
        let mut joined = theirs.clone();
        joined.join(ours.clone());
        assert!(joined.mixed && joined.words().starts_with("0.0.1, "));
        assert_eq!(joined.signature["breakthrough"].len(), ours.signature["breakthrough"].len());
    }
}
