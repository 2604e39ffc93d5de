//! Slurm: what `sbatch`, `squeue` and `scancel` are called with, and what they answer.

use super::submission::Submission;
use super::{Call, folder_of};
use std::collections::HashMap;
use std::path::Path;

/// The array of all elements.
pub fn elements(submission: &Submission, run: &Path, script: &Path, at_once: Option<u64>) -> Call {
    let limit = at_once.map_or(String::new(), |limit| format!("%{limit}"));
    let log = folder_of(run, submission.number).join("%a.log");
    Call::new([
        "sbatch".to_string(),
        "--parsable".to_string(),
        format!("--array=0-{}{limit}", submission.elements - 1),
        format!("--output={}", log.display()),
        script.display().to_string(),
        "element".to_string(),
        run.display().to_string(),
        "--submission".to_string(),
        submission.number.to_string(),
    ])
}

/// The last job, which gathers and writes the report when all elements have ended, however they did.
pub fn last(submission: &Submission, run: &Path, script: &Path, elements: &str) -> Call {
    let log = folder_of(run, submission.number).join("last.log");
    Call::new([
        "sbatch".to_string(),
        "--parsable".to_string(),
        format!("--dependency=afterany:{elements}"),
        "--cpus-per-task=1".to_string(),
        format!("--output={}", log.display()),
        script.display().to_string(),
        "gather".to_string(),
        run.display().to_string(),
        "--submission".to_string(),
        submission.number.to_string(),
    ])
}

/// The number in the answer of `sbatch --parsable`, which may name a cluster behind it.
pub fn job(answer: &str) -> Option<String> {
    let number = answer.trim().lines().last()?.split(';').next()?.trim();
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then(|| number.to_string())
}

/// What the queue knows of a job's elements.
pub fn queue(job: &str) -> Call {
    Call::new(["squeue", "--noheader", "--array", "--format=%K %T", &format!("--jobs={job}")])
}

/// The states of elements by their numbers, in the words of `squeue`.
pub fn states(answer: &str) -> HashMap<u64, String> {
    let pair = |line: &str| {
        let (index, state) = line.trim().split_once(' ')?;
        Some((index.parse().ok()?, state.trim().to_string()))
    };
    answer.lines().filter_map(pair).collect()
}

/// Whether an element in this state has ended for good.
pub fn has_ended(state: &str) -> bool {
    !["PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "RESIZING", "STOPPED"]
        .contains(&state)
}

/// Calls elements off; the last job then gathers what they have played.
pub fn cancel(elements: &str) -> Call {
    Call::new(["scancel", elements])
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, Sizes};
    use super::*;
    use crate::plan::{Plan, Shard};
    use crate::runner::missing;
    use crate::{Experiment, store::Contents};

    pub(crate) fn submission(elements: u64) -> Submission {
        let text = "title = \"x\"\npairs = 200\n[agents.r]\nkind = \"random\"\n[agents.f]\nkind = \"flat\"\nsims = 4\n\
            [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"r\"]\nb = [\"f\"]\n";
        let plan = Plan::new(&Experiment::read("x", text).unwrap()).unwrap();
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let sizes = Sizes { minutes: 20.0, threads: 1, most: 1000, elements: Some(elements) };
        Submission::new(&plan, &tasks, &[1.0], sizes, Engine::Slurm, 3).unwrap()
    }

    #[test]
    fn calls_are_those_of_the_manual() {
        let (run, script) = (Path::new("/runs/a b"), Path::new("/runs/a b/cluster/slurm.sh"));
        let call = elements(&submission(100), run, script, Some(20)).to_string();
        let words = "sbatch --parsable --array=0-99%20 '--output=/runs/a b/cluster/3/%a.log' \
            '/runs/a b/cluster/slurm.sh' element '/runs/a b' --submission 3";
        assert_eq!(call, words);
        let call = last(&submission(100), run, script, "77").to_string();
        assert!(call.contains("--dependency=afterany:77 ") && call.ends_with("gather '/runs/a b' --submission 3"));
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(job("1234\n"), Some("1234".to_string()));
        assert_eq!(job("1234;west\n"), Some("1234".to_string()));
        assert_eq!((job(""), job("sbatch: error")), (None, None));
        let states = states("0 RUNNING\n1 PENDING\nN/A RUNNING\n");
        assert_eq!((states.len(), states[&1].as_str()), (2, "PENDING"));
        assert!(has_ended("NODE_FAIL") && !has_ended("PENDING"));
    }
}
