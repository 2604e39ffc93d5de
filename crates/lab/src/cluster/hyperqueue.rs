//! HyperQueue: what `hq` is called with, and what it answers. The words are those of its documentation (0.20 and later).

use super::submission::Submission;
use super::{Call, Settings, folder_of};
use std::path::Path;

/// Times that an element is started whose worker is lost, when nobody says.
const CRASH_LIMIT: u64 = 5;

/// The array of all elements; their output is streamed into a few files.
pub fn elements(submission: &Submission, run: &Path, script: &Path, settings: &Settings, name: &str) -> Call {
    let stream = folder_of(run, submission.number).join("stream");
    Call::new([
        "hq".to_string(),
        "--output-mode=quiet".to_string(),
        "submit".to_string(),
        format!("--name={name}"),
        format!("--array=0-{}", submission.elements - 1),
        format!("--crash-limit={}", settings.crash_limit.unwrap_or(CRASH_LIMIT)),
        format!("--stream={}", stream.display()),
        "--directives=always".to_string(),
        "--".to_string(),
        script.display().to_string(),
        "element".to_string(),
        run.display().to_string(),
        "--submission".to_string(),
        submission.number.to_string(),
    ])
}

/// The last job. HyperQueue lets no job wait for another, so this one does itself, when nobody else wants the core.
pub fn last(submission: &Submission, run: &Path, script: &Path, elements: &str, name: &str) -> Call {
    let log = folder_of(run, submission.number).join("last.log");
    Call::new([
        "hq".to_string(),
        "--output-mode=quiet".to_string(),
        "submit".to_string(),
        format!("--name={name}-last"),
        "--priority=-1".to_string(),
        "--cpus=1".to_string(),
        format!("--env=SPINNEY_AFTER={elements}"),
        format!("--stdout={}", log.display()),
        format!("--stderr={}", log.with_extension("errors.log").display()),
        "--directives=off".to_string(),
        "--".to_string(),
        script.display().to_string(),
        "gather".to_string(),
        run.display().to_string(),
        "--submission".to_string(),
        submission.number.to_string(),
    ])
}

/// The number in the answer of `hq --output-mode=quiet submit`.
pub fn job(answer: &str) -> Option<String> {
    let number = answer.trim();
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then(|| number.to_string())
}

/// Calls elements off.
pub fn cancel(elements: &str) -> Call {
    Call::new(["hq", "job", "cancel", elements])
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, Sizes};
    use super::*;
    use crate::plan::{Plan, Shard};
    use crate::runner::missing;
    use crate::{Experiment, store::Contents};

    /// Options of `hq submit` in the documentation of HyperQueue (docs/jobs/jobs.md, arrays.md, streaming.md,
    /// directives.md, cli/output-mode.md), and whether a value belongs to them.
    const DOCUMENTED: [&str; 13] = [
        "--name",
        "--array",
        "--crash-limit",
        "--stream",
        "--directives",
        "--priority",
        "--cpus",
        "--env",
        "--stdout",
        "--stderr",
        "--time-limit",
        "--cwd",
        "--max-fails",
    ];

    #[test]
    fn calls_are_those_of_the_documentation() {
        let text = "title = \"x\"\npairs = 200\n[agents.r]\nkind = \"random\"\n[agents.f]\nkind = \"flat\"\nsims = 4\n\
            [[match]]\ngames = [\"tic-tac-toe\"]\na = [\"r\"]\nb = [\"f\"]\n";
        let plan = Plan::new(&Experiment::read("x", text).unwrap()).unwrap();
        let tasks = missing(&plan, &Contents::default(), Shard::WHOLE);
        let sizes = Sizes { minutes: 20.0, threads: 1, most: 1000, elements: Some(100) };
        let submission = Submission::new(&plan, &tasks, &[1.0], sizes, Engine::HyperQueue, 1).unwrap();
        let (run, script) = (Path::new("/runs/a"), Path::new("/runs/a/cluster/hyperqueue.sh"));
        let first = elements(&submission, run, script, &Settings::default(), "spinney-x");
        assert_eq!(
            first.to_string(),
            "hq --output-mode=quiet submit --name=spinney-x --array=0-99 --crash-limit=5 \
             --stream=/runs/a/cluster/1/stream --directives=always -- /runs/a/cluster/hyperqueue.sh element /runs/a \
             --submission 1"
        );
        for Call(words) in [first, last(&submission, run, script, "12", "spinney-x")] {
            assert_eq!(words[..3], ["hq", "--output-mode=quiet", "submit"]);
            // Behind `--` stands the command with flags of its own.
            for word in words[3..].iter().take_while(|word| *word != "--") {
                let name = word.split('=').next().unwrap();
                assert!(DOCUMENTED.contains(&name), "{word}");
            }
            assert!(words.contains(&"--".to_string()));
        }
        assert_eq!((job("12\n").as_deref(), job("error: no server")), (Some("12"), None));
    }
}
