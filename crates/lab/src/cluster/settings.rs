//! What a cluster wants to know: `cluster.toml` in a user's configuration, and flags that count more.

use crate::error::LabError;
use crate::experiment::toml_error;
use serde::Deserialize;
use spinney_core::InputError;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The settings of a cluster. What is left out is left to it.
///
/// ```
/// let text = "partition = \"short\"\nminutes = 10\nmodules = [\"gcc/12\"]\n";
/// let settings = spinney_lab::cluster::Settings::read("cluster.toml", text).unwrap();
/// assert_eq!((settings.partition.as_deref(), settings.minutes), (Some("short"), Some(10.0)));
/// let error = spinney_lab::cluster::Settings::read("cluster.toml", "partitoin = \"short\"").unwrap_err();
/// assert_eq!(error.to_string(), "cluster.toml, line 1: unknown key `partitoin`; did you mean `partition`?");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Slurm's partition.
    pub partition: Option<String>,
    /// The account that is charged.
    pub account: Option<String>,
    /// Slurm's quality of service.
    pub qos: Option<String>,
    /// Minutes that an element is to take.
    pub minutes: Option<f64>,
    /// Minutes after which an element is ended.
    pub time_limit: Option<f64>,
    /// Memory of an element, as Slurm writes it.
    pub memory: Option<String>,
    /// Cores of an element, which are the games that it plays at the same time.
    pub cpus: Option<u64>,
    /// Elements that run at the same time, at most.
    pub at_once: Option<u64>,
    /// Elements of a submission, at most.
    pub most_elements: Option<u64>,
    /// Times that HyperQueue starts an element whose worker is lost.
    pub crash_limit: Option<u64>,
    /// Modules to load before an element begins.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Lines of the shell before an element begins.
    #[serde(default)]
    pub setup: Vec<String>,
    /// Further options of `sbatch` or `hq submit`.
    #[serde(default)]
    pub options: Vec<String>,
    /// The program on the machines of the cluster; this one when left out.
    pub program: Option<String>,
}

/// Minutes of an element when nobody says.
const MINUTES: f64 = 20.0;
/// Elements of a submission when nobody says: Slurm's `MaxArraySize` is 1001 unless it was raised.
const MOST_ELEMENTS: u64 = 1000;

impl Settings {
    /// Reads a file's text.
    pub fn read(name: &str, text: &str) -> Result<Self, InputError> {
        let settings: Self = toml::from_str(text).map_err(|error| toml_error(name, text, &error))?;
        settings.check(name)?;
        Ok(settings)
    }

    /// The settings in a file; without one named, those of the user, which are empty where there are none.
    pub fn find(file: Option<&Path>) -> Result<(Self, Option<PathBuf>), LabError> {
        let own = || user_file(&|name| std::env::var_os(name)).filter(|path| path.exists());
        let Some(path) = file.map(Path::to_path_buf).or_else(own) else { return Ok((Self::default(), None)) };
        let text = fs::read_to_string(&path)
            .map_err(|error| InputError::new(path.display(), error, "name a file of settings, see docs/clusters.md"))?;
        Ok((Self::read(&path.display().to_string(), &text)?, Some(path)))
    }

    /// These, and where they say nothing the others'.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let joined = |own: Vec<String>, others: Vec<String>| if own.is_empty() { others } else { own };
        Self {
            partition: self.partition.or(other.partition),
            account: self.account.or(other.account),
            qos: self.qos.or(other.qos),
            minutes: self.minutes.or(other.minutes),
            time_limit: self.time_limit.or(other.time_limit),
            memory: self.memory.or(other.memory),
            cpus: self.cpus.or(other.cpus),
            at_once: self.at_once.or(other.at_once),
            most_elements: self.most_elements.or(other.most_elements),
            crash_limit: self.crash_limit.or(other.crash_limit),
            modules: joined(self.modules, other.modules),
            setup: joined(self.setup, other.setup),
            options: joined(self.options, other.options),
            program: self.program.or(other.program),
        }
    }

    /// Whether numbers can be what they are meant for, and words stay within a line of a script.
    pub fn check(&self, place: &str) -> Result<(), InputError> {
        let minutes = [("minutes", self.minutes), ("time_limit", self.time_limit)];
        for (name, value) in minutes.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            if !(0.01..=100_000.0).contains(&value) {
                let problem = format!("`{name}` is {value}");
                return Err(InputError::new(place, problem, "write minutes from 0.01 to 100000"));
            }
        }
        let counts = [("cpus", self.cpus, 1024), ("at_once", self.at_once, 1_000_000)];
        let counts = counts.into_iter().chain([("most_elements", self.most_elements, 100_000)]);
        for (name, value, most) in counts.filter_map(|(name, value, most)| Some((name, value?, most))) {
            if !(1..=most).contains(&value) {
                let problem = format!("`{name}` is {value}");
                return Err(InputError::new(place, problem, format!("write a number from 1 to {most}")));
            }
        }
        let single = [&self.partition, &self.account, &self.qos, &self.memory, &self.program];
        let words = single.into_iter().flatten().chain(&self.modules).chain(&self.options);
        if let Some(word) = words.chain(&self.setup).find(|word| word.contains(['\n', '\r', '\0'])) {
            let problem = format!("`{}` is more than a line", word.escape_debug());
            return Err(InputError::new(place, problem, "write it in one line"));
        }
        Ok(())
    }

    /// Minutes that an element is to take.
    pub fn minutes(&self) -> f64 {
        self.minutes.unwrap_or(MINUTES)
    }

    /// Cores of an element.
    pub fn cpus(&self) -> u64 {
        self.cpus.unwrap_or(1)
    }

    /// Elements at most.
    pub fn most_elements(&self) -> u64 {
        self.most_elements.unwrap_or(MOST_ELEMENTS)
    }

    /// Whole minutes after which an element is ended, where it is expected to take so many seconds: three times as long.
    pub fn limit_minutes(&self, longest_seconds: f64) -> u64 {
        let usual = (3.0 * longest_seconds.max(60.0 * self.minutes()) / 60.0).max(10.0);
        self.time_limit.unwrap_or(usual).ceil() as u64
    }
}

/// `cluster.toml` where this user keeps settings, by the variables of the environment.
pub fn user_file(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    let folder = folder.or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(folder.join("spinney/cluster.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_count_more_than_the_file() {
        let file = "partition = \"short\"\ncpus = 4\nmodules = [\"a\", \"b\"]\nmemory = \"2G\"\n";
        let file = Settings::read("cluster.toml", file).unwrap();
        let flags = Settings { cpus: Some(8), ..Settings::default() };
        let both = flags.over(file);
        assert_eq!((both.cpus(), both.partition.as_deref(), both.modules.len()), (8, Some("short"), 2));
        assert_eq!((both.minutes(), both.most_elements()), (20.0, 1000));
        // Three times what an element takes, at least ten minutes.
        assert_eq!((both.limit_minutes(60.0), both.limit_minutes(3000.0)), (60, 150));
        assert_eq!(Settings { minutes: Some(1.0), ..both }.limit_minutes(10.0), 10);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
        let error = |text: &str| Settings::read("c.toml", text).unwrap_err().to_string();
        assert!(error("cpus = 0").contains("write a number from 1 to 1024"));
        assert!(error("minutes = 0").contains("`minutes` is 0"));
        assert!(error("partition = \"a\\nb\"").contains("more than a line"));
        assert!(error("cpus = \"two\"").starts_with("c.toml, line 1"));
    }

    #[test]
    fn the_file_lies_where_users_keep_settings() {
        let with = |pairs: &'static [(&str, &str)]| {
            user_file(&move |name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
        };
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(with(&[("HOME", "/home/me")]), path("/home/me/.config/spinney/cluster.toml"));
        assert_eq!(with(&[("HOME", "/home/me"), ("XDG_CONFIG_HOME", "/x")]), path("/x/spinney/cluster.toml"));
        assert_eq!(with(&[]), None);
    }
}
