//! `cargo xtask cluster`: an experiment on a real Slurm, disturbed, beside the same undisturbed. One controller and two
//! nodes run on this machine, in a folder of their own and on free ports; nothing of the system is changed.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What is said where it cannot run.
const NOT_HERE: u8 = 3;
const PROGRAMS: [&str; 7] = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo"];
const GAMES: usize = 200;

/// 200 games of about a tenth of a second.
const EXPERIMENT: &str = r#"title = "Disturbed"
seed = 21
pairs = 25
[agents.plain]
playout = "uniform"
[agents.careful]
like = "plain"
c = 0.4
[[match]]
games = ["breakthrough(rows=6, columns=6)", "breakthrough(rows=7, columns=6)"]
a = ["plain"]
b = ["careful"]
budgets = [{ simulations = 2500 }, { simulations = 3500 }]
"#;

enum Failed {
    /// Something is missing here.
    NotHere(String),
    /// It went wrong.
    Wrong(String),
}

fn wrong(problem: impl ToString) -> Failed {
    Failed::Wrong(problem.to_string())
}

fn is_here(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&paths).chain([PathBuf::from("/usr/sbin"), PathBuf::from("/sbin")]);
    folders.into_iter().any(|folder| folder.join(program).is_file())
}

/// Slurm and munge from the system's packages, if they are not here.
fn provide() -> Result<(), Failed> {
    let user = Command::new("id").arg("-u").output().map_err(wrong)?;
    if user.stdout.trim_ascii() != b"0" {
        return Err(Failed::NotHere("root, as whom slurmd runs".to_string()));
    }
    let missing = || PROGRAMS.into_iter().filter(|program| !is_here(program)).collect::<Vec<_>>();
    if missing().is_empty() {
        return Ok(());
    }
    if is_here("apt-get") {
        println!("== cluster: apt-get install slurm-wlm munge");
        let run = |words: &[&str]| {
            let mut command = Command::new("apt-get");
            command.args(words).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let install = ["install", "--yes", "--quiet", "--no-install-recommends", "slurm-wlm", "munge"];
        let _ = run(&install) || (run(&["update", "--quiet"]) && run(&install));
    }
    match missing().as_slice() {
        [] => Ok(()),
        missing => Err(Failed::NotHere(format!("{} (packages slurm-wlm and munge)", missing.join(", ")))),
    }
}

/// The program, built as the tests build it, or the one that the environment names.
fn program() -> Result<PathBuf, Failed> {
    if let Some(program) = std::env::var_os("SPINNEY") {
        return fs::canonicalize(program).map_err(wrong);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--workspace", "--features", "spinney-cli/parquet", "--test", "command_line", "--no-run"]);
    println!("== cluster: build");
    if !command.current_dir(root).status().map_err(wrong)?.success() {
        return Err(wrong("the program does not build"));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    fs::canonicalize(target.join("debug/spinney")).map_err(wrong)
}

/// A cluster of one controller and two nodes, which ends with this value.
struct Cluster {
    folder: PathBuf,
    controller: Option<Child>,
    nodes: [Option<Child>; 2],
    munged: Option<u32>,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Self, Failed> {
        let mut cluster = Self { folder: folder.to_path_buf(), controller: None, nodes: [None, None], munged: None };
        cluster.start_munge()?;
        fs::write(folder.join("slurm.conf"), configuration(folder)?).map_err(wrong)?;
        for name in ["state", "spool"] {
            fs::create_dir_all(folder.join(name)).map_err(wrong)?;
        }
        cluster.controller = Some(cluster.daemon("slurmctld", &[])?);
        for node in 0..2 {
            cluster.start_node(node)?;
        }
        let idle = || Ok(cluster.call("sinfo", &["--noheader", "--format=%D %t"])?.trim() == "2 idle");
        wait("two idle nodes", 30, idle)?;
        Ok(cluster)
    }

    /// `munged` insists on a user and on folders that are its own.
    fn start_munge(&mut self) -> Result<(), Failed> {
        let folder = self.folder.join("munge");
        fs::create_dir_all(&folder).map_err(wrong)?;
        let mut key = vec![0u8; 1024];
        let mut random = fs::File::open("/dev/urandom").map_err(wrong)?;
        std::io::Read::read_exact(&mut random, &mut key).map_err(wrong)?;
        fs::write(folder.join("key"), key).map_err(wrong)?;
        let mode =
            |path: PathBuf, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(wrong);
        mode(self.folder.clone(), 0o755)?;
        mode(folder.join("key"), 0o400)?;
        mode(folder.clone(), 0o711)?;
        let owned = Command::new("chown").args(["-R", "munge"]).arg(&folder).status().map_err(wrong)?;
        let path = |name: &str| folder.join(name).display().to_string();
        let line = format!(
            "exec $(command -v munged || echo /usr/sbin/munged) --key-file={} --socket={} --pid-file={} --log-file={} \
             --seed-file={}",
            path("key"),
            path("socket"),
            path("pid"),
            path("log"),
            path("seed")
        );
        let started = Command::new("su").args(["-s", "/bin/sh", "munge", "-c", &line]).status().map_err(wrong)?;
        if !owned.success() || !started.success() {
            return Err(wrong("munged does not start"));
        }
        self.munged = fs::read_to_string(folder.join("pid")).ok().and_then(|text| text.trim().parse().ok());
        Ok(())
    }

    fn daemon(&self, name: &str, arguments: &[&str]) -> Result<Child, Failed> {
        let mut command = self.command(name);
        // -D: a child of ours, so that its number is known.
        command.arg("-D").args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(|error| wrong(format!("{name}: {error}")))
    }

    fn start_node(&mut self, node: usize) -> Result<(), Failed> {
        self.nodes[node] = Some(self.daemon("slurmd", &["-N", &format!("n{}", node + 1)])?);
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).env("PATH", format!("{path}:/usr/sbin:/sbin"));
        command.current_dir(&self.folder);
        command
    }

    fn call(&self, program: &str, arguments: &[&str]) -> Result<String, Failed> {
        let output = self.command(program).args(arguments).output().map_err(wrong)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.success() {
            true => Ok(text),
            false => Err(wrong(format!("{program}: {}{text}", String::from_utf8_lossy(&output.stderr)))),
        }
    }

    /// What a dying machine leaves of a node: nothing.
    fn kill_node(&mut self, node: usize, element: u32) {
        if let Some(mut daemon) = self.nodes[node].take() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        // First the keeper of the element, else it would report an ordinary end.
        let keeper = parent(element).filter(|keeper| *keeper > 1 && name_of(*keeper).contains("slurmstepd"));
        keeper.into_iter().chain([element]).for_each(kill);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.call("scancel", &["--user=root"]);
        for daemon in self.nodes.iter_mut().chain([&mut self.controller]).flatten() {
            // They end in order when they are asked to.
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let until = Instant::now() + Duration::from_secs(5);
            while Instant::now() < until && matches!(daemon.try_wait(), Ok(None)) {
                sleep(Duration::from_millis(50));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        self.munged.into_iter().for_each(kill);
    }
}

fn kill(process: u32) {
    let _ = Command::new("kill").args(["-9", &process.to_string()]).status();
}

fn parent(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

fn name_of(process: u32) -> String {
    fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default()
}

fn configuration(folder: &Path) -> Result<String, Failed> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").map_err(wrong)?;
    let (host, folder) = (host.trim(), folder.display());
    // Held until all are known, so that no two are the same.
    let ports = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").and_then(|one| Ok((one.local_addr()?.port(), one))));
    let ports: Vec<u16> = ports.iter().flatten().map(|(port, _)| *port).collect();
    let [controller, first, second] = ports[..] else { return Err(wrong("there are no free ports")) };
    Ok(format!(
        "ClusterName=spinney\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\n\
         SlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nCredType=cred/munge\n\
         # A requeued element waits for old credentials to end.\n\
         AuthInfo=socket={folder}/munge/socket,cred_expire=6\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool/%n\n\
         SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd-%n.pid\n\
         SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd-%n.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
         SchedulerParameters=bf_interval=1,sched_min_interval=1\n\
         SlurmdTimeout=5\nKillWait=5\nReturnToService=2\nMinJobAge=300\n\
         NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 RealMemory=1000\n\
         NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 RealMemory=1000\n\
         PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n"
    ))
}

fn wait(what: &str, seconds: u64, mut is_so: impl FnMut() -> Result<bool, Failed>) -> Result<(), Failed> {
    let until = Instant::now() + Duration::from_secs(seconds);
    while !is_so()? {
        if Instant::now() > until {
            return Err(wrong(format!("waited {seconds} s for {what}")));
        }
        sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Elements that are being played: node, index and process. They say so themselves.
fn playing(run: &Path) -> Vec<(String, u64, u32)> {
    let entries = fs::read_dir(run.join("cluster/1")).into_iter().flatten().flatten();
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let index = name.strip_suffix(".json")?.split_once('-')?.0.parse().ok()?;
        let text = fs::read_to_string(entry.path()).ok()?;
        let value = |key: &str| {
            let rest = text.split_once(&format!("\"{key}\":"))?.1;
            Some(rest.trim_start_matches('"').split(['"', ',', '}']).next()?.to_string())
        };
        let process = value("process")?.parse().ok()?;
        (!text.contains("\"ended\"") && Path::new(&format!("/proc/{process}")).exists()).then_some((
            value("host")?,
            index,
            process,
        ))
    };
    entries.filter_map(read).collect()
}

/// All lines of games of a run, in order.
fn records(run: &Path) -> Result<Vec<String>, Failed> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(run).map_err(wrong)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("games-") {
            let text = fs::read_to_string(entry.path()).map_err(wrong)?;
            lines.extend(text.lines().map(str::to_string));
        }
    }
    lines.sort();
    Ok(lines)
}

fn games_known(run: &Path) -> usize {
    records(run).map_or(0, |lines| lines.len())
}

fn test(folder: &Path) -> Result<(), Failed> {
    let program = program()?;
    let began = Instant::now();
    let spinney = program.display().to_string();
    let mut cluster = Cluster::start(folder)?;
    println!("== cluster: a controller and two nodes run after {:.1} s", began.elapsed().as_secs_f64());
    fs::write(folder.join("disturbed.toml"), EXPERIMENT).map_err(wrong)?;
    let lab = |cluster: &Cluster, words: &[&str]| cluster.call(&spinney, &[&["lab"], words].concat());
    lab(&cluster, &["run", "disturbed.toml", "--out", "whole", "--threads", "2"])?;
    let expected = records(&folder.join("whole"))?;
    println!("== cluster: {} games undisturbed, after {:.1} s", expected.len(), began.elapsed().as_secs_f64());
    print!("{}", lab(&cluster, &["submit", "disturbed.toml", "--on", "slurm", "--elements", "6", "--out", "run"])?);
    let run = folder.join("run");
    let both = |seen: &[(String, u64, u32)]| ["n1", "n2"].iter().all(|node| seen.iter().any(|one| one.0 == *node));
    wait("an element on both nodes, and some games", 60, || Ok(both(&playing(&run)) && games_known(&run) >= 10))?;
    let seen = playing(&run);
    let on = |node: &str| seen.iter().find(|one| one.0 == node).map(|one| (one.1, one.2));
    let (Some((lost, process)), Some((ended, other))) = (on("n2"), on("n1")) else {
        return Err(wrong("an element ended too soon"));
    };
    cluster.kill_node(1, process);
    kill(other);
    println!("== cluster: node n2 is dead with element {lost}, element {ended} was killed on n1");
    let state = || cluster.call("sinfo", &["--noheader", "--nodes=n2", "--format=%T"]);
    wait("Slurm to miss n2", 60, || Ok(state()?.trim().starts_with("down")))?;
    cluster.start_node(1)?;
    let is_empty = |cluster: &Cluster| Ok(cluster.call("squeue", &["--noheader"])?.trim().is_empty());
    wait("all elements and the last job", 120, || is_empty(&cluster))?;
    let requeued = run.join(format!("cluster/1/{lost}-1.json"));
    if !requeued.exists() {
        return Err(wrong(format!("element {lost} was not started again")));
    }
    println!("== cluster: Slurm started element {lost} again; after {:.1} s", began.elapsed().as_secs_f64());
    let after_first = games_known(&run);
    if !(GAMES / 2..GAMES).contains(&after_first) {
        return Err(wrong(format!("{after_first} games are known; the killed element should have left some")));
    }
    // What the killed element left is missing, and nothing else.
    print!("{}", lab(&cluster, &["submit", "run", "--on", "slurm", "--elements", "2"])?);
    wait("the rest and the last job", 60, || is_empty(&cluster))?;
    let found = records(&run)?;
    let once: BTreeSet<&String> = found.iter().collect();
    if found.len() != GAMES || once.len() != GAMES {
        return Err(wrong(format!("{} records, {} of them different: expected {GAMES}", found.len(), once.len())));
    }
    if found != expected {
        return Err(wrong("the records differ from those of the undisturbed run"));
    }
    let page = fs::read_to_string(run.join("report.html")).map_err(wrong)?;
    if !page.contains("Disturbed")
        || !lab(&cluster, &["submit", "run", "--on", "slurm"])?.contains("nothing is missing")
    {
        return Err(wrong("there is no report, or something is said to be missing"));
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "== cluster: {GAMES} records, byte for byte those of the undisturbed run; {seconds:.1} s without the build"
    );
    Ok(())
}

/// The whole task.
pub fn main() -> ExitCode {
    let folder = std::env::temp_dir().join(format!("spinney-cluster-{}", std::process::id()));
    let result = provide().and_then(|()| fs::create_dir_all(&folder).map_err(wrong)).and_then(|()| test(&folder));
    match result {
        Ok(()) => {
            let _ = fs::remove_dir_all(&folder);
            ExitCode::SUCCESS
        }
        Err(Failed::NotHere(missing)) => {
            eprintln!("warning: cluster: not tested here, for want of {missing}");
            ExitCode::from(NOT_HERE)
        }
        Err(Failed::Wrong(problem)) => {
            eprintln!("error: cluster: {problem}; logs are in {}", folder.display());
            ExitCode::FAILURE
        }
    }
}
