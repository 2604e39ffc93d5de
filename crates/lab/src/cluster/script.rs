//! The script that an engine runs: written into the run, for people to read and to change.
//!
//! Its last line is a hash of the others: as long as it fits nobody has changed them, and it may be written anew.

use super::{Engine, Settings, folder, quoted};
use crate::error::LabError;
use crate::store::write_whole;
use spinney_core::Seed;
use std::fs;
use std::path::{Path, PathBuf};

/// The mark before the hash.
const MARK: &str = "# Unchanged since it was written: ";

/// Whether a script was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is as it would be written now.
    Written,
    /// Somebody changed it, and so it stays.
    Changed,
}

/// What the text of a script is made of.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    /// What jobs are called.
    pub name: &'a str,
    /// Who runs it.
    pub engine: Engine,
    /// Settings of the cluster.
    pub settings: &'a Settings,
    /// The program to call.
    pub program: &'a str,
    /// Minutes after which an element is ended.
    pub limit_minutes: u64,
}

impl Script<'_> {
    /// Where it lies in a run.
    pub fn path(run: &Path, engine: Engine) -> PathBuf {
        folder(run).join(format!("{}.sh", engine.name()))
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let mut text = String::from("#!/bin/bash\n");
        let mut line = |words: &str| {
            text += words;
            text.push('\n');
        };
        line(
            "# Plays one element of this run. `spinney lab submit` wrote it, and keeps it as it is once you change it;",
        );
        line("# remove it to have it written anew.");
        line("#");
        match self.engine {
            Engine::Slurm => self.slurm(&mut line),
            Engine::HyperQueue => self.hyperqueue(&mut line),
            Engine::Other => line("# The element's number comes from the engine, or as: --index N"),
        }
        line("");
        line("set -eu");
        self.settings.modules.iter().for_each(|module| line(&format!("module load {}", quoted(module))));
        self.settings.setup.iter().for_each(|words| line(words));
        if self.engine == Engine::HyperQueue {
            line("# The last job waits for the others, whatever became of them.");
            line("if [ -n \"${SPINNEY_AFTER:-}\" ]; then hq job wait \"$SPINNEY_AFTER\" || true; fi");
        }
        line("# exec: a signal must reach the program, not this shell. The words behind `lab` come from `lab submit`:");
        line("# element RUN --submission N, or at last gather RUN --submission N.");
        line(&format!("exec {} lab \"$@\"", quoted(self.program)));
        let hash = hash(&text);
        format!("{text}{MARK}{hash}\n")
    }

    fn slurm(&self, line: &mut impl FnMut(&str)) {
        let mut option = |why: &str, words: String| {
            if !why.is_empty() {
                line(&format!("# {why}"));
            }
            line(&format!("#SBATCH {words}"));
        };
        let settings = self.settings;
        option("What `squeue` shows.", format!("--job-name={}", self.name));
        for (name, value) in
            [("partition", &settings.partition), ("account", &settings.account), ("qos", &settings.qos)]
        {
            value.iter().for_each(|value| option("", format!("--{name}={value}")));
        }
        option("Games that an element plays at the same time.", format!("--cpus-per-task={}", settings.cpus()));
        settings.memory.iter().for_each(|memory| option("", format!("--mem={memory}")));
        let (hours, minutes) = (self.limit_minutes / 60, self.limit_minutes % 60);
        option("Three times what an element is expected to take.", format!("--time={hours:02}:{minutes:02}:00"));
        option(
            "A minute before that the element is told to end: what it has played is kept, the rest is sent next time.",
            "--signal=B:TERM@60".to_string(),
        );
        option("An element whose machine fails is started again and goes on.", "--requeue".to_string());
        option("", "--open-mode=append".to_string());
        settings.options.iter().for_each(|words| option("", words.clone()));
    }

    fn hyperqueue(&self, line: &mut impl FnMut(&str)) {
        let mut option = |why: &str, words: String| {
            if !why.is_empty() {
                line(&format!("# {why}"));
            }
            line(&format!("#HQ {words}"));
        };
        option("Games that an element plays at the same time.", format!("--cpus={}", self.settings.cpus()));
        option("Three times what an element is expected to take.", format!("--time-limit={}m", self.limit_minutes));
        self.settings.options.iter().for_each(|words| option("", words.clone()));
    }

    /// Writes it into a run, unless somebody changed the one that is there.
    pub fn write(&self, run: &Path) -> Result<(PathBuf, Kept), LabError> {
        let path = Self::path(run, self.engine);
        if fs::read_to_string(&path).is_ok_and(|text| is_changed(&text)) {
            return Ok((path, Kept::Changed));
        }
        fs::create_dir_all(folder(run)).map_err(LabError::file(folder(run)))?;
        write_whole(&path, self.text().as_bytes())?;
        make_executable(&path)?;
        Ok((path, Kept::Written))
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), LabError> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(LabError::file(path))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), LabError> {
    Ok(())
}

fn hash(text: &str) -> String {
    format!("{:016x}", Seed::new(0).named(text).value())
}

/// Whether somebody has changed a script since it was written.
pub fn is_changed(text: &str) -> bool {
    match text.trim_end().rsplit_once(MARK) {
        Some((rest, known)) => hash(rest) != known,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let text = "partition = \"short\"\naccount = \"me\"\nmemory = \"2G\"\ncpus = 4\nmodules = [\"gcc/12\"]\n\
            setup = [\"export A=1\"]\noptions = [\"--constraint=avx2\"]\n";
        Settings::read("cluster.toml", text).unwrap()
    }

    fn script(settings: &Settings, engine: Engine) -> String {
        Script { name: "spinney-small", engine, settings, program: "/opt/my tools/spinney", limit_minutes: 90 }.text()
    }

    #[test]
    fn a_script_says_everything_that_was_set() {
        let text = script(&settings(), Engine::Slurm);
        let wanted = [
            "#SBATCH --partition=short\n",
            "#SBATCH --account=me\n",
            "#SBATCH --cpus-per-task=4\n",
            "#SBATCH --mem=2G\n",
            "#SBATCH --time=01:30:00\n",
            "#SBATCH --signal=B:TERM@60\n",
            "#SBATCH --requeue\n",
            "#SBATCH --constraint=avx2\n",
            "module load gcc/12\n",
            "export A=1\n",
            "exec '/opt/my tools/spinney' lab \"$@\"\n",
        ];
        for line in wanted {
            assert!(text.contains(line), "{line}\n{text}");
        }
        // Slurm stops looking for its options at the first command.
        assert!(text.rfind("#SBATCH") < text.find("set -eu"));
        let text = script(&settings(), Engine::HyperQueue);
        assert!(text.contains("#HQ --cpus=4\n") && text.contains("#HQ --time-limit=90m\n") && !text.contains("SBATCH"));
    }

    #[test]
    fn a_change_is_noticed() {
        let text = script(&settings(), Engine::Slurm);
        assert!(!is_changed(&text));
        assert!(is_changed(&text.replace("--mem=2G", "--mem=4G")));
        assert!(is_changed("#!/bin/bash\n") && is_changed(""));
    }
}
