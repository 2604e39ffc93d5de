//! The arguments of experiments and of published papers.

use super::cluster::{LabElement, LabSubmit};
use crate::cards::CardArguments;
use crate::numbers::whole;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum Lab {
    /// Expand an experiment and show what it would cost, before anything is played
    Plan {
        /// The experiment file, or the name of one that comes with the program; their list when left out
        file: Option<PathBuf>,
        /// One JSON object per cell: key, game, a, b, budget, pairs, seconds, detectable; or agent and repetitions; with
        /// --gpu also where, card_seconds and card_measured, or why
        #[arg(long)]
        json: bool,
        /// Say which cells a graphics card plays, and how long it takes
        #[arg(long)]
        gpu: bool,
    },
    /// Play what is missing; stop it at any time and run it again to go on
    Run(LabRun),
    /// Let a cluster play what is missing: elements of some minutes each, then a job that gathers and reports
    Submit(Box<LabSubmit>),
    /// Play one element of a submission: what a cluster's script calls
    Element(LabElement),
    /// Make one file of what the elements of a submission wrote, and write the report: what the last job calls
    Gather {
        /// The folder of the run
        run: PathBuf,
        /// The submission; the last when left out
        #[arg(long, value_name = "N")]
        submission: Option<u64>,
        /// Gather also while elements seem to be played: what they play from now on is lost, and missing again
        #[arg(long)]
        anyway: bool,
    },
    /// End what a cluster plays of a run; what was played is kept
    Cancel {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// The submission; all when left out
        #[arg(long, value_name = "N")]
        submission: Option<u64>,
    },
    /// Watch a run grow, whoever plays it: pace, cells, elements, failures
    Watch {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Seconds between two looks
        #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = pause)]
        every: f64,
        /// Look once
        #[arg(long)]
        once: bool,
    },
    /// Show how far a run has come
    Status {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// One JSON object per cell: kind, cell, game, a, b, budget, games, planned, score, low, high; then one per
        /// submission: kind, submission, engine, job, elements, and how many of them are in each state
        #[arg(long)]
        json: bool,
    },
    /// Show the results, and write them as a page
    Report {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Write the page here; into the folder of the run when left out
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Print Markdown instead of a table for the terminal
        #[arg(long)]
        markdown: bool,
        /// Print one JSON object per cell, with every setting and number as a key of its own, and write no page
        #[arg(long, conflicts_with = "markdown")]
        json: bool,
        /// The same as comma-separated values into a file; `-` prints them
        #[arg(long, value_name = "FILE", conflicts_with_all = ["markdown", "json"])]
        csv: Option<PathBuf>,
    },
    /// Add the games of other runs of the same experiment to a run
    Merge {
        /// The run that grows; it is begun if need be
        into: PathBuf,
        /// The runs that are added
        #[arg(required = true)]
        from: Vec<PathBuf>,
        /// Join also games of versions of the program whose agents play differently
        #[arg(long)]
        mix_versions: bool,
    },
    /// Play a sample of the stored games again and compare them move by move; games limited by time are left out
    Verify {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Share of the games, in percent
        #[arg(long, default_value = "1", value_name = "PERCENT", value_parser = percent)]
        sample: f64,
    },
    /// Make a finished run small: its records compressed, the moves of a sample of its games and a hash of all moves
    ///
    /// Everything else works as before. Moves that are not kept are had by playing the game again from its seed;
    /// games limited by time cannot be played again and keep theirs unless --timed-moves says otherwise.
    Pack {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Share of the games that keep their moves, in percent; moves once left out stay left out
        #[arg(long, default_value = "2", value_name = "PERCENT", value_parser = percent)]
        moves: f64,
        /// Share of the games limited by time that keep their moves, in percent; what is left out of these is gone
        #[arg(long, default_value = "100", value_name = "PERCENT", value_parser = percent)]
        timed_moves: f64,
        /// Share of the games that keep the times of their moves, in percent; what all cost together is kept anyway
        #[arg(long, default_value = "100", value_name = "PERCENT", value_parser = percent)]
        times: f64,
        /// Take far longer (seconds of a core for each megabyte of records) to make it an eighth smaller
        #[arg(long)]
        small: bool,
    },
    /// Write all games as a table; moves that a packed run has not kept are played again
    Export {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Write comma-separated values here; `-` prints them
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        /// Write a Parquet file here (programs built with the feature `parquet`)
        #[arg(long, value_name = "FILE")]
        parquet: Option<PathBuf>,
        /// Play nothing again: moves that a packed run has not kept stay empty
        #[arg(long)]
        kept_moves: bool,
        /// Also games that were played beyond the decision of a stopping rule, which count nowhere else
        #[arg(long)]
        beyond: bool,
    },
    /// Add pairs to the cells that are undecided; `lab run` then plays them
    More {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Pairs for each such cell; as many as would decide it, at most doubling it, when left out
        #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=10_000_000))]
        pairs: Option<u64>,
    },
}

#[derive(Debug, Args)]
pub struct LabRun {
    /// The experiment file, or the name of one that comes with the program; or the folder of a run, which goes on, or is
    /// repeated as it is with --out
    pub file: PathBuf,
    /// The folder of the run; runs/NAME-HASH when left out
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Play one of n parts, i from 0 to n-1; `lab merge` joins them
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    pub shard: String,
    /// Games played at the same time; all cores when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub cards: CardArguments,
    /// Add games also to a run of a version of the program whose agents play differently
    #[arg(long)]
    pub mix_versions: bool,
}

#[derive(Debug, Default, Args)]
#[command(
    after_help = "Without --quick, --full, --games or --pairs every cell has the games its experiment says. The folder's \
    experiment.toml holds what was chosen here; `spinney lab` takes the folder for everything else."
)]
pub struct Reproduce {
    /// What to reproduce; the list of what is known when left out
    pub name: Option<String>,
    /// Only these tables, repeated or separated by commas; the list names them
    #[arg(long = "table", value_name = "TABLE", value_delimiter = ',', requires = "name")]
    pub tables: Vec<String>,
    /// Only these games, repeated or separated by commas
    #[arg(long = "game", value_name = "GAME", value_delimiter = ',', requires = "name")]
    pub only_games: Vec<String>,
    /// Only cells whose published row has this value, such as a=online or seconds=1; may be repeated
    #[arg(long, value_name = "COLUMN=VALUE", value_delimiter = ',', value_parser = column, requires = "name")]
    pub only: Vec<(String, String)>,
    /// Only cells with this value of an option of the paper, such as side=5; the list names them
    #[arg(long = "option", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = column, requires = "name")]
    pub options: Vec<(String, String)>,
    /// The same as --option side=SIDE: only boards of this side
    #[arg(long = "side", value_name = "SIDE", value_delimiter = ',', requires = "name")]
    pub sides: Vec<u8>,
    /// Only these numbers of simulations; the baseline of a measurement also with twice as many
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "name",
        value_parser = whole::<u64>(2..=1_000_000))]
    pub sims: Vec<u64>,
    /// Only show the cells and what they cost here; without a name, the cost of every table
    #[arg(long)]
    pub plan: bool,
    /// A first look in a few minutes: few simulations, few games, the main columns
    #[arg(long, requires = "name", conflicts_with_all = ["full", "wall_clock"])]
    pub quick: bool,
    /// As many games as were published: 5000 in each cell of a match
    #[arg(long, requires = "name", conflicts_with_all = ["games", "pairs"])]
    pub full: bool,
    /// Games in each cell; they come in pairs. Of measurements the most, others keep their share
    #[arg(long, value_name = "N", requires = "name", conflicts_with = "pairs",
        value_parser = whole::<u64>(1..=20_000_000))]
    pub games: Option<u64>,
    /// Pairs of games in each cell
    #[arg(long, value_name = "N", requires = "name", value_parser = whole::<u64>(1..=10_000_000))]
    pub pairs: Option<u64>,
    /// Real seconds instead of the simulations that stood for them
    #[arg(long, requires = "name")]
    pub wall_clock: bool,
    /// The folder of the run; runs/NAME-HASH when left out
    #[arg(long, value_name = "FOLDER", requires = "name")]
    pub out: Option<PathBuf>,
    /// Games played at the same time; all cores when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub cards: CardArguments,
}

fn column(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((column, value)) => Ok((column.trim().to_string(), value.trim().to_string())),
        None => Err("write COLUMN=VALUE".to_string()),
    }
}

fn pause(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.1..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("write seconds from 0.1 to 3600".to_string()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        _ => Err("write a share above 0 and up to 100".to_string()),
    }
}
