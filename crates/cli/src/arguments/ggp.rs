//! The arguments of General Game Playing.

use super::seconds;
use crate::numbers::whole;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Subcommand)]
pub enum Ggp {
    /// Check rule sheets: errors and warnings with line, column and remedy
    Check(GgpCheck),
    /// Be a player that game managers talk to over HTTP
    Serve(GgpServe),
    /// Referee a match between players over HTTP
    Manage(GgpManage),
    /// Make keys that sign matches, and tell the public one
    Keys(GgpKeys),
    /// Tell whose matches these are, by their signatures
    Verify(GgpVerify),
    /// Let players meet in a round robin on rule sheets
    Tournament(GgpTournament),
}

#[derive(Debug, Args)]
#[command(after_help = "The exit code is 1 if a sheet has errors. A sheet is played as the game gdl:FILE; those \
    that come with the program have names, which `spinney games` lists, as in `spinney play gdl:tic-tac-toe`.")]
pub struct GgpCheck {
    /// Rule sheets in the Game Description Language: files, or names of sheets that come with the program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also build the state machine and tell its size
    #[arg(long)]
    pub build: bool,
}

#[derive(Debug, Args)]
pub struct GgpServe {
    /// The port
    #[arg(long, default_value_t = 9147)]
    pub port: u16,
    /// The address to listen at; 0.0.0.0 for managers on other machines
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// What the player calls itself
    #[arg(long, default_value = "spinney")]
    pub name: String,
    /// The agent; its time is that of the match
    #[arg(long, default_value = "cadiaplayer(solver)")]
    pub agent: String,
    /// Seconds before the end of a clock at which it answers
    #[arg(long, default_value = "0.25", value_name = "SECONDS", value_parser = seconds)]
    pub margin: Duration,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Matches at the same time; managers hear `busy` when there are so many
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u32>(1..=256))]
    pub matches: u32,
    /// Megabytes for messages, machines and trees of all matches; two fifths of what the system grants when left out
    #[arg(long, value_name = "MB", value_parser = whole::<u64>(64..=1_000_000))]
    pub memory: Option<u64>,
    /// Do not search while others think
    #[arg(long)]
    pub idle: bool,
    /// Append what happens to this file, with times: simulations, value, depth, clock left, building
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Do not tell what happens
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A late, unreachable or illegal player gets a random legal move. JSON keys of the log, one match a \
    line: id, roles, steps (step, moves, errors, milliseconds), goals."
)]
pub struct GgpManage {
    /// The rule sheet: a file, or the name of one that comes with the program
    pub file: PathBuf,
    /// A player for each role: http://host:port, or `random`; the role `random` is chance and needs none
    #[arg(long, required = true, value_delimiter = ',', value_name = "URL")]
    pub players: Vec<String>,
    /// Seconds until the first move
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub startclock: u64,
    /// Seconds for each move
    #[arg(long, default_value_t = 15, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub playclock: u64,
    /// Name of the match; made of the time when left out
    #[arg(long)]
    pub id: Option<String>,
    /// Append the match to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write the match to this file as public hosts publish it, with all states, after every step; its rules go to the
    /// same name with `.kif`. In the folder of `spinney serve --matches` it can be watched
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Sign the record with the keys of this file, which `spinney ggp keys` makes
    #[arg(long, value_name = "FILE", requires = "record")]
    pub sign: Option<PathBuf>,
    /// Give players other names than the sheet has
    #[arg(long)]
    pub scramble: bool,
    /// Show players the rules so many seconds before the match
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub preview: Option<u64>,
    /// Steps after which the match is called off
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub steps: usize,
    /// Seed of random moves
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct GgpKeys {
    /// A file that does not exist yet; whoever has it can sign as you
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub struct GgpVerify {
    /// Records of matches, one JSON object a line
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The public key that they shall be signed by; any when left out
    #[arg(long)]
    pub key: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "On a sheet for two every player meets every other in both seats. Standings are by mean goal; scores \
    against others count a draw as half a win and have 95 % intervals, those of two players over pairs of matches. JSON \
    keys: standings (player, matches, mean_goal, wins, draws, losses, score with its interval, errors, slowest_ms), \
    encounters (one, other, pairs, score)."
)]
pub struct GgpTournament {
    /// The rule sheets
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The players: http://host:port, or `random`
    #[arg(long, required = true, value_delimiter = ',', value_name = "URL")]
    pub players: Vec<String>,
    /// How often all meet
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    pub rounds: u32,
    /// Seconds until the first move
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub startclock: u64,
    /// Seconds for each move
    #[arg(long, default_value_t = 15, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub playclock: u64,
    /// Name of the tournament; made of the time when left out
    #[arg(long)]
    pub name: Option<String>,
    /// Append every match to this file, as public hosts publish it, one a line
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Write every match to a file of its own in this folder, after every step; see `spinney serve --matches`
    #[arg(long, value_name = "FOLDER")]
    pub matches: Option<PathBuf>,
    /// Sign the records with the keys of this file, which `spinney ggp keys` makes
    #[arg(long, value_name = "FILE")]
    pub sign: Option<PathBuf>,
    /// Give players other names than the sheets have
    #[arg(long)]
    pub scramble: bool,
    /// Show players the rules so many seconds before each match
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub preview: Option<u64>,
    /// Steps after which a match is called off
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub steps: usize,
    /// Seed of random moves
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The results as one JSON object
    #[arg(long)]
    pub json: bool,
}
