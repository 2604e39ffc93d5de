//! Runs on many machines: what is missing, dealt to elements that an engine starts, watches and starts again.
//!
//! Starting, placing and repeating is the engine's work ([`slurm`], [`hyperqueue`], or any other that can count). Ours is
//! a [`submission`]: elements of about the same time, each of which knows its games, writes files of its own and may be
//! killed and repeated at any moment. [`element`] plays one, [`mod@gather`] makes one file of what they wrote, [`settings`]
//! are what a cluster wants to know, and [`script`] is what it is given to run. [`progress`] tells how far they are.

pub mod element;
pub mod gather;
pub mod hyperqueue;
pub mod progress;
pub mod ranges;
pub mod script;
pub mod settings;
pub mod slurm;
pub mod submission;

pub use element::Element;
pub use gather::gather;
pub use settings::Settings;
pub use submission::{Jobs, Sizes, Submission};

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Who starts elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// `sbatch`.
    Slurm,
    /// `hq submit`.
    HyperQueue,
    /// Somebody else: GNU parallel, MPI, Kubernetes, a person.
    Other,
}

impl Engine {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Slurm => "slurm",
            Engine::HyperQueue => "hyperqueue",
            Engine::Other => "other",
        }
    }
}

/// A call of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call(pub Vec<String>);

impl Call {
    /// Of these words.
    pub fn new<T: Into<String>>(words: impl IntoIterator<Item = T>) -> Self {
        Self(words.into_iter().map(Into::into).collect())
    }
}

/// As a shell reads it.
impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<String> = self.0.iter().map(|word| quoted(word)).collect();
        f.write_str(&words.join(" "))
    }
}

/// A word that a shell reads as it stands here.
pub fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,%@+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Where a run keeps what concerns engines.
pub fn folder(run: &Path) -> PathBuf {
    run.join("cluster")
}

/// Where a submission keeps what its elements say.
pub fn folder_of(run: &Path, submission: u64) -> PathBuf {
    folder(run).join(submission.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_what_was_meant() {
        let call = Call::new(["sbatch", "--array=0-9%4", "runs/my run/it's.sh", ""]);
        assert_eq!(call.to_string(), r"sbatch --array=0-9%4 'runs/my run/it'\''s.sh' ''");
    }
}
