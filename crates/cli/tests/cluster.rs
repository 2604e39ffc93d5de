//! Runs on clusters as a user meets them, with engines that only write down how they were called. `cargo xtask cluster` is
//! the same with a real one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const EXPERIMENT: &str = r#"title = "On many machines"
seed = 5
pairs = 20
[agents.strong]
sims = 60
[agents.weak]
like = "strong"
sims = 20
playout = "uniform"
[agents.random]
kind = "random"
[agents.plain]
[[match]]
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["strong"]
b = ["weak", "random"]
[[measure]]
games = ["pig(turns=2)"]
agents = ["plain"]
budgets = [{ simulations = 4 }]
repetitions = 300
"#;
/// Games and portions.
const LINES: usize = 160 + 6;

/// A folder with the experiment, settings and engines of its own.
struct Site(PathBuf);

impl Site {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cluster {name}"));
        let _ = fs::remove_dir_all(&folder);
        for inner in ["bin", "config/spinney"] {
            fs::create_dir_all(folder.join(inner)).unwrap();
        }
        fs::write(folder.join("small.toml"), EXPERIMENT).unwrap();
        let site = Self(folder);
        site.program("sbatch", "echo \"sbatch $*\" >> calls; wc -l < calls");
        site.program("squeue", "cat queue 2> /dev/null || true");
        site.program("scancel", "echo \"scancel $*\" >> calls; rm -f queue");
        site.program("hq", "echo \"hq $*\" >> calls; wc -l < calls");
        site
    }

    fn program(&self, name: &str, line: &str) {
        let path = self.0.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spinney"));
        let path = format!("{}:{}", self.0.join("bin").display(), std::env::var("PATH").unwrap());
        command.current_dir(&self.0).arg("lab").args(arguments).stdin(Stdio::null());
        command.env("PATH", path).env("XDG_CONFIG_HOME", self.0.join("config"));
        for name in ["SLURM_ARRAY_TASK_ID", "SLURM_JOB_ID", "SLURMD_NODENAME", "SLURM_CPUS_PER_TASK"] {
            command.env_remove(name);
        }
        command
    }

    fn lab(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn calls(&self) -> Vec<String> {
        fs::read_to_string(self.0.join("calls")).unwrap_or_default().lines().map(str::to_string).collect()
    }

    fn elements(&self, numbers: impl Iterator<Item = u64>) {
        for index in numbers {
            let mut command = self.command(&["element", "run"]);
            let output = command.env("SLURM_ARRAY_TASK_ID", index.to_string()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }

    /// All records of a run, sorted.
    fn records(&self, run: &str) -> Vec<String> {
        let files = fs::read_dir(self.0.join(run)).unwrap().map(|entry| entry.unwrap().path());
        let is_record = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.starts_with("games-") || name.starts_with("portions-")
        };
        let mut lines: Vec<String> = files
            .filter(is_record)
            .flat_map(|path| fs::read_to_string(path).unwrap().lines().map(str::to_string).collect::<Vec<_>>())
            .collect();
        lines.sort();
        lines
    }

    fn undisturbed(&self) -> Vec<String> {
        done(&self.lab(&["run", "small.toml", "--out", "whole"]));
        let records = self.records("whole");
        assert_eq!(records.len(), LINES);
        records
    }
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), error.trim().lines().count()), (Some(2), 1), "{error}");
    error
}

#[test]
fn from_submit_to_the_report() {
    let site = Site::new("report");
    fs::write(site.0.join("config/spinney/cluster.toml"), "partition = \"short\"\nmodules = [\"gcc/12\"]\n").unwrap();
    let expected = site.undisturbed();
    let submit = ["submit", "small.toml", "--on", "slurm", "--elements", "4", "--out", "run"];
    let shown = done(&site.lab(&[&submit[..], &["--dry-run", "--memory", "2G"]].concat()));
    let words = ["460 games in 4 elements", "#SBATCH --partition=short", "#SBATCH --mem=2G", "module load gcc/12"];
    let more = ["--array=0-3", "afterany:JOB", "#SBATCH --requeue", "#SBATCH --signal=B:TERM@60"];
    words.iter().chain(&more).for_each(|words| assert!(shown.contains(words), "{words}\n{shown}"));
    assert!(site.calls().is_empty() && !site.0.join("run").exists());

    let told = done(&site.lab(&submit));
    assert!(told.contains("job 1 plays them, job 2 gathers and reports"), "{told}");
    let calls = site.calls();
    assert!(calls[0].contains("--array=0-3 ") && calls[0].contains("element "), "{calls:?}");
    assert!(calls[1].contains("--dependency=afterany:1 ") && calls[1].contains("gather "), "{calls:?}");
    // Two of the four play; then somebody looks.
    site.elements(0..2);
    let screen = done(&site.lab(&["watch", "run", "--once"]));
    assert!(screen.contains("4 elements, 2 done, 2 failed") && screen.contains("left the queue"), "{screen}");
    done(&site.lab(&["gather", "run"]));
    let known = site.records("run").len();
    assert!(known > 60 && known < LINES, "{known}");
    // The rest is sent, and no more.
    let told = done(&site.lab(&["submit", "run", "--on", "slurm", "--elements", "3"]));
    assert!(told.contains("submission 2: ") && told.contains(" games in 3 elements"), "{told}");
    assert!(!told.contains("460 games"), "{told}");
    site.elements(0..3);
    let report = done(&site.lab(&["gather", "run"]));
    assert!(report.contains("0 twice") && !report.contains("are missing"), "{report}");
    assert_eq!(site.records("run"), expected);
    assert!(site.0.join("run/report.html").exists());
    assert!(
        !fs::read_dir(site.0.join("run"))
            .unwrap()
            .any(|entry| { entry.unwrap().file_name().to_string_lossy().contains("element") })
    );
    assert!(done(&site.lab(&["submit", "run", "--on", "slurm"])).contains("nothing is missing"));
    let status = done(&site.lab(&["status", "run", "--json"]));
    let last: Value = serde_json::from_str(status.lines().last().unwrap()).unwrap();
    assert_eq!((&last["kind"], &last["elements"], &last["done"]), (&"submission".into(), &3.into(), &3.into()));
}

#[test]
fn an_element_is_killed_repeated_and_told_to_end() {
    let site = Site::new("killed");
    let longer = EXPERIMENT.replace("sims = 60", "sims = 6000").replace("pairs = 20", "pairs = 10");
    fs::write(site.0.join("small.toml"), longer).unwrap();
    done(&site.lab(&["run", "small.toml", "--out", "whole"]));
    let expected = site.records("whole");
    done(&site.lab(&["submit", "small.toml", "--on", "other", "--elements", "2", "--out", "run"]));
    for signal in ["-KILL", "-TERM"] {
        let mut child = site.command(&["element", "run", "--index", "1"]).stderr(Stdio::null()).spawn().unwrap();
        let before = site.records("run").len();
        let until = Instant::now() + Duration::from_secs(60);
        while site.records("run").len() < before + 2 {
            assert!(Instant::now() < until && child.try_wait().unwrap().is_none(), "it plays nothing, or all at once");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), if signal == "-TERM" { Some(1) } else { None });
    }
    let attempt = |number: u64| fs::read_to_string(site.0.join(format!("run/cluster/1/1-{number}.json"))).unwrap();
    assert!(!attempt(0).contains("ended") && attempt(1).contains("\"left\":"), "{} {}", attempt(0), attempt(1));
    done(&site.lab(&["element", "run", "--index", "1"]));
    done(&site.lab(&["element", "run", "--index", "0"]));
    // Again what has been played: nothing is left to do.
    done(&site.lab(&["element", "run", "--index", "1"]));
    assert!(attempt(3).contains("\"games\":0"), "{}", attempt(3));
    done(&site.lab(&["gather", "run"]));
    assert_eq!(site.records("run"), expected);
}

#[test]
fn scripts_that_were_changed_stay_and_submissions_are_not_doubled() {
    let site = Site::new("script");
    let submit = ["submit", "small.toml", "--on", "slurm", "--elements", "4", "--out", "run"];
    done(&site.lab(&submit));
    fs::write(site.0.join("queue"), "0 PENDING\n1 RUNNING\n").unwrap();
    assert!(refused(&site.lab(&submit)).contains("is being played"));
    assert!(refused(&site.lab(&["gather", "run"])).contains("or in the queue"));
    assert!(done(&site.lab(&["cancel", "run"])).contains("job 1 was called off"));
    assert_eq!(site.calls().last().unwrap(), "scancel 1");
    assert!(done(&site.lab(&["cancel", "run"])).contains("nothing is being played"));
    let path = site.0.join("run/cluster/slurm.sh");
    let mine = fs::read_to_string(&path).unwrap().replace("set -eu", "set -eu\necho mine");
    fs::write(&path, &mine).unwrap();
    let output = site.lab(&submit);
    assert!(String::from_utf8_lossy(&output.stderr).contains("was changed, and stays as it is"));
    assert_eq!(fs::read_to_string(&path).unwrap(), mine);
    // HyperQueue has a script of its own.
    fs::remove_file(site.0.join("queue")).unwrap_or_default();
    done(&site.lab(&["submit", "small.toml", "--on", "hyperqueue", "--elements", "3", "--out", "other"]));
    let calls = site.calls();
    let call = calls.iter().find(|call| call.contains("--array=0-2")).unwrap();
    assert!(call.starts_with("hq --output-mode=quiet submit ") && call.contains("--crash-limit=5"), "{call}");
    assert!(calls.last().unwrap().contains("--priority=-1"), "{calls:?}");
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let site = Site::new("wrong");
    site.program("sbatch", "echo 'sbatch: error: invalid partition specified: none' >&2; exit 1");
    let submit = ["submit", "small.toml", "--on", "slurm", "--out", "run"];
    let error = String::from_utf8(site.lab(&submit).stderr).unwrap();
    assert!(error.contains("error: sbatch: sbatch: error: invalid partition specified"), "{error}");
    assert!(refused(&site.lab(&["element", "run", "--index", "0"])).contains("nothing was submitted"));
    let output = site.command(&submit).env("PATH", "/nowhere").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("sbatch: this program is not here"));
    assert!(refused(&site.lab(&["submit", "small.toml", "--on", "slurm", "--cpus", "0"])).contains("`cpus` is 0"));
    done(&site.lab(&["submit", "small.toml", "--on", "other", "--elements", "2", "--out", "run"]));
    assert!(refused(&site.lab(&["element", "run"])).contains("write --index N"));
    assert!(refused(&site.lab(&["element", "run", "--index", "2"])).contains("name 0 to 1"));
    fs::write(site.0.join("config/spinney/cluster.toml"), "cpu = 2\n").unwrap();
    assert!(refused(&site.lab(&submit)).contains("did you mean `cpus`?"));
}

/// Keys that the API of Kubernetes knows (batch/v1 Job, v1 PodSpec), as far as the manifest may use them.
fn check_keys(value: &Value, known: &[&str], place: &str) {
    for key in value.as_object().unwrap_or_else(|| panic!("{place} is no object")).keys() {
        assert!(known.contains(&key.as_str()), "{place}: {key}");
    }
}

#[test]
fn the_manifest_for_kubernetes_is_a_job() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kubernetes-job.json");
    let job: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    check_keys(&job, &["apiVersion", "kind", "metadata", "spec"], "job");
    assert_eq!((&job["apiVersion"], &job["kind"]), (&"batch/v1".into(), &"Job".into()));
    let spec = &job["spec"];
    let keys = ["completionMode", "completions", "parallelism", "backoffLimitPerIndex", "ttlSecondsAfterFinished"];
    check_keys(spec, &[&keys[..], &["template"]].concat(), "spec");
    assert_eq!(spec["completionMode"], "Indexed");
    assert!(spec["parallelism"].as_u64().unwrap() <= spec["completions"].as_u64().unwrap());
    let pod = &spec["template"]["spec"];
    check_keys(pod, &["restartPolicy", "terminationGracePeriodSeconds", "containers", "volumes"], "pod");
    // Only with this may an index fail by itself.
    assert_eq!(pod["restartPolicy"], "Never");
    let container = &pod["containers"][0];
    check_keys(container, &["name", "image", "command", "resources", "volumeMounts"], "container");
    assert_eq!(container["volumeMounts"][0]["name"], pod["volumes"][0]["name"]);
    let words: Vec<&str> = container["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words[..3], ["spinney", "lab", "element"]);
    // Where the program of Kubernetes is, its own reader loses nothing of it, without any server.
    let call = Command::new("kubectl")
        .args(["set", "image", "--local", "-o", "json", "element=some/image:1", "-f"])
        .arg(&path)
        .env("KUBECONFIG", "/dev/null")
        .output();
    let Ok(output) = call else {
        eprintln!("skipped: there is no kubectl");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut expected = job.clone();
    expected["spec"]["template"]["spec"]["containers"][0]["image"] = "some/image:1".into();
    contains(&read, &expected, "job");
}

/// Whether everything of `small` is in `large`.
fn contains(large: &Value, small: &Value, place: &str) {
    match small {
        Value::Object(small) => {
            small.iter().for_each(|(key, value)| contains(&large[key], value, &format!("{place}.{key}")));
        }
        Value::Array(small) => {
            small
                .iter()
                .zip(0..)
                .for_each(|(value, at)| contains(&large[at as usize], value, &format!("{place}.{at}")));
        }
        _ => assert_eq!(large, small, "{place}"),
    }
}
