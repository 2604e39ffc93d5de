//! The arguments of runs on clusters.

use crate::numbers::whole;
use clap::{Args, ValueEnum};
use spinney_lab::cluster::{Engine, Settings};
use std::path::PathBuf;

/// Who starts elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum On {
    /// By sbatch, as an array
    Slurm,
    /// By hq submit, as an array
    Hyperqueue,
    /// Nobody: elements are prepared, and you start them with GNU parallel, mpirun, Kubernetes or by hand
    Other,
}

impl From<On> for Engine {
    fn from(on: On) -> Self {
        match on {
            On::Slurm => Engine::Slurm,
            On::Hyperqueue => Engine::HyperQueue,
            On::Other => Engine::Other,
        }
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "What a cluster wants to know stands in ~/.config/spinney/cluster.toml (or --settings FILE), one key for \
    each flag here; docs/clusters.md shows one. The script that is run lies in the run, as cluster/slurm.sh or \
    cluster/hyperqueue.sh, and stays as it is once you change it."
)]
pub struct LabSubmit {
    /// The experiment file, or the name of one that comes with the program; or the folder of a run, which goes on
    pub file: PathBuf,
    /// Who starts the elements
    #[arg(long, value_enum)]
    pub on: On,
    /// The folder of the run; runs/NAME-HASH when left out. All machines must see it under this name
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Show elements, script and calls, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Submit also while elements of an earlier submission seem to be played
    #[arg(long)]
    pub anyway: bool,
    /// Minutes that an element is to take; 20 when nobody says
    #[arg(long, value_name = "N")]
    pub minutes: Option<f64>,
    /// So many elements, whatever they take
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=100_000))]
    pub elements: Option<u64>,
    /// Elements at most, which take longer then; 1000 when nobody says
    #[arg(long, value_name = "N")]
    pub most_elements: Option<u64>,
    /// Elements that run at the same time, at most
    #[arg(long, value_name = "N")]
    pub at_once: Option<u64>,
    /// Cores of an element, which are the games that it plays at the same time; 1 when nobody says
    #[arg(long, value_name = "N")]
    pub cpus: Option<u64>,
    /// Memory of an element, such as 2G
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Minutes after which an element is ended; three times what it is expected to take when nobody says
    #[arg(long, value_name = "N")]
    pub time_limit: Option<f64>,
    /// Slurm's partition
    #[arg(long, value_name = "NAME")]
    pub partition: Option<String>,
    /// The account that is charged
    #[arg(long, value_name = "NAME")]
    pub account: Option<String>,
    /// Slurm's quality of service
    #[arg(long, value_name = "NAME")]
    pub qos: Option<String>,
    /// A module to load before; may be repeated
    #[arg(long = "module", value_name = "NAME")]
    pub modules: Vec<String>,
    /// A further option of sbatch or hq submit, such as --option=--constraint=avx2; may be repeated
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    pub options: Vec<String>,
    /// The program on the machines of the cluster; this one when left out
    #[arg(long, value_name = "FILE")]
    pub program: Option<String>,
    /// Read settings from this file instead of the user's
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

impl LabSubmit {
    /// What flags say.
    pub fn flags(&self) -> Settings {
        Settings {
            partition: self.partition.clone(),
            account: self.account.clone(),
            qos: self.qos.clone(),
            minutes: self.minutes,
            time_limit: self.time_limit,
            memory: self.memory.clone(),
            cpus: self.cpus,
            at_once: self.at_once,
            most_elements: self.most_elements,
            crash_limit: None,
            modules: self.modules.clone(),
            setup: Vec::new(),
            options: self.options.clone(),
            program: self.program.clone(),
        }
    }
}

#[derive(Debug, Args)]
pub struct LabElement {
    /// The folder of the run
    pub run: PathBuf,
    /// The submission; the last when left out
    #[arg(long, value_name = "N")]
    pub submission: Option<u64>,
    /// The element, from 0; what Slurm, HyperQueue, Kubernetes, Open MPI or PBS call this process when left out
    #[arg(long, value_name = "N")]
    pub index: Option<u64>,
    /// Games played at the same time; as many as Slurm or the submission says when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
}
