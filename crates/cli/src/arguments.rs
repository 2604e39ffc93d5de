//! The command line, declared once: parsing, help, completions and the manual page come from here.

mod cluster;
mod ggp;
mod gpu;
mod lab;

pub use cluster::{LabElement, LabSubmit};
pub use ggp::{Ggp, GgpCheck, GgpKeys, GgpManage, GgpServe, GgpTournament, GgpVerify};
pub use gpu::{Gpu, GpuCheck, GpuCommand, GpuCompile};
pub use lab::{Lab, LabRun, Reproduce};

use crate::cards::CardArguments;
use crate::numbers::whole;
use clap::{Args, Parser, Subcommand};
use spinney_core::InputError;
use spinney_search::Clock;
use std::path::PathBuf;
use std::time::Duration;

/// A Monte-Carlo tree search laboratory: play, analyse, match and measure.
#[derive(Debug, Parser)]
#[command(name = "spinney", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Games and agents are written `name(key=value, flag)`: `breakthrough(rows=6, columns=6)`, \
    `mcts(sims=17000, playout=policy+mast(eps=0.7))`. See `spinney games` and `spinney agents`.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the games, or explain one with its options
    Games(Games),
    /// List the agents, or explain one, an option or a part of one
    Agents(Agents),
    /// Play in the terminal against an agent, or watch two
    Play(Play),
    /// Search one position and show what the search thinks
    Analyse(Analyse),
    /// Play games between two agents
    Match(Match),
    /// Measure the score of an agent in a game of one player
    Score(Score),
    /// Compute exact values: Pig, and small variants of other games
    Solve(Solve),
    /// List the legal moves of positions
    Moves(Moves),
    /// Count move sequences, the test of a move generator
    Perft(Perft),
    /// Measure the speed of searches
    Bench(Bench),
    /// Graphics cards: what is here, and whether it plays the same games
    Gpu(Gpu),
    /// Look at simulations: can a bonus on length or quality help in a game?
    Diagnose(Diagnose),
    /// Look at a game again: what agents think of every position, and which moves cost most
    Review(crate::commands::review::Review),
    /// Experiments: plan, run, resume, merge, verify, read
    #[command(subcommand)]
    Lab(Lab),
    /// Run a published experiment and stand beside its numbers
    Reproduce(Reproduce),
    /// Every published number beside all that was played, as a map and a page
    Atlas(crate::commands::atlas::AtlasArguments),
    /// Choose an agent's parameters by games: ranges in, the best setting and its interval out
    Tune(crate::commands::tune::Tune),
    /// General Game Playing: games from rule sheets, matches over HTTP
    #[command(subcommand)]
    Ggp(Ggp),
    /// Open the laboratory in a browser: play, watch the search, diagnose, run experiments
    Serve(Serve),
    /// Speak the Universal Game Interface on standard input and output
    Ugi(Ugi),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// The page of one command; the page of `spinney` itself when left out
        command: Option<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "Games are kept by the page, not by the server: reload it or restart the server at any time. \
    What programs can ask the server is described in docs/web.md.")]
pub struct Serve {
    /// The port; 0 takes any free one
    #[arg(long, default_value_t = 7777)]
    pub port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// Open the page in the browser of the desktop
    #[arg(long)]
    pub open: bool,
    /// The folder below which runs of experiments are kept
    #[arg(long, default_value = "runs", value_name = "FOLDER")]
    pub runs: PathBuf,
    /// The folder with records of matches, which are shown while they are played (`spinney ggp manage --record`)
    #[arg(long, default_value = "matches", value_name = "FOLDER")]
    pub matches: PathBuf,
    /// Searches at the same time, others wait; twice the cores when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub searches: Option<u32>,
    /// The longest a search may take
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub seconds: u64,
    /// Megabytes of a search's tree at most
    #[arg(long, default_value_t = 512, value_name = "MB", value_parser = whole::<u64>(1..=65_536))]
    pub memory: u64,
}

#[derive(Debug, Args)]
#[command(
    after_help = "With a name, options are explained with all they are made of. A game is written `breakthrough` or \
                  `breakthrough(rows=6, columns=6)`, one from a rule sheet `gdl:NAME` or `gdl:FILE`; what is left out is \
                  as shown in [ ].\n\
                  JSON keys: name, written (with its options), summary, board, players, chance, source, mean_length, mean_branching (of uniformly \
                  random games), options; these have key, help, default and kind, an object whose type is flag, whole, \
                  number, words, parts, brackets, either or text (docs/web.md)."
)]
pub struct Games {
    /// Only this game, such as breakthrough, `breakthrough(rows=6)` or gdl:zhadu
    pub name: Option<String>,
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "With an agent's name, its options are explained with all they are made of: `spinney agents mcts`. \
                  With the name of an option, a part or a word, it says where that is written: `spinney agents mast` \
                  stands in `mcts(playout=policy+mast(eps=0.7))`. What is left out is as shown in [ ].\n\
                  JSON keys: name, summary, options; these have key, help, default and kind, an object whose type is \
                  flag, whole, number, words, parts, brackets, either or text (docs/web.md). What is not an agent has \
                  written (where it stands) and, as it applies, kind, default or options."
)]
pub struct Agents {
    /// Only this agent, with or without settings, or an option, a part or a word of one: mcts, playout, mast, puct
    pub name: Option<String>,
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "At the prompt: a move such as a2-a3, or one of moves, hint, undo, position, board, help, quit. Boards \
    have colours and the last move marked where there is a screen; NO_COLOR=1 does without colours."
)]
pub struct Play {
    /// The game, such as breakthrough or `breakthrough(rows=6, columns=6)`
    pub game: String,
    /// Who moves first: `human` or an agent
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    pub first: String,
    /// Who moves second: `human` or an agent
    #[arg(long, default_value = "mcts(time=1)", value_name = "PLAYER")]
    pub second: String,
    /// A clock for each player, in place of the agents' own limits: seconds, and what each move adds
    #[arg(long, value_name = "BASE+INCREMENT", value_parser = clock)]
    pub clock: Option<Clock>,
    /// Start from this position
    #[arg(long)]
    pub position: Option<String>,
    /// Seed of all randomness; another one each time when left out
    #[arg(long)]
    pub seed: Option<u64>,
    /// Show moves and boards, not what the agents thought
    #[arg(long)]
    pub quiet: bool,
    /// Show all moves that an agent thought about, not only the best five
    #[arg(long, conflicts_with = "quiet")]
    pub all: bool,
    /// Add the record of the game to the end of this file, also if it is not played to its end
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "JSON keys: game, position, agent, best, proven, simulations, playouts, nodes, bytes, seconds, \
    simulations_per_second, mean_depth, deepest, mean_length, stopped, candidates (move, visits, mean, ci95, proven, \
    variation). Means are in [-1, 1] for the player to move."
)]
pub struct Analyse {
    /// The game
    pub game: String,
    /// The position; the initial one when left out
    #[arg(long)]
    pub position: Option<String>,
    /// The agent that searches
    #[arg(long, default_value = "mcts")]
    pub agent: String,
    #[command(flatten)]
    pub limits: Limits,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Show all moves, not only the best ten
    #[arg(long)]
    pub all: bool,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "An agent plays against itself; every simulation of every search is looked at.\n\
    correlation: of length or quality with winning, over the positions. removed: the share of the outcome's variance that \
    a control variate could remove. a': the weight that a=online would take. lambda: how many deviations a simulation is \
    from the mean of its winner's. signal: whether the bonuses of a move's simulations foretell what a search 16 \
    times longer thinks of the move, beyond what their outcomes foretell (partial correlation).\n\
    JSON keys: game, agent, positions, simulations, drawn, bonuses (of, k, correlation, removed, weight, recommended_k, \
    saturated, signal, signal_ci95, verdict, lambda, values_first, values_second; histograms have start, width, counts).")]
pub struct Diagnose {
    /// The game
    pub game: String,
    /// The agent, which must be mcts; its bonuses get no weight
    #[arg(long, default_value = "mcts")]
    pub agent: String,
    /// Games played
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(1..=100_000))]
    pub games: u32,
    /// Simulations per move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1..=100_000_000))]
    pub sims: u64,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write a page with table and figures
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
    /// Write every figure as an SVG file into this folder
    #[arg(long, value_name = "FOLDER")]
    pub pictures: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// How long a search takes, whatever its agent says.
#[derive(Clone, Debug, Args)]
pub struct Limits {
    /// Simulations
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=2_000_000_000))]
    pub sims: Option<u64>,
    /// Seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Games are played in pairs with seats swapped; the games of a pair share their random opening.\n\
    A rule of --stop looks every 20 pairs (block=N) and ends the match before its largest number of games: sprt=[0, 20] \
    tests 0 against 20 normalised Elo (alpha=0.05, beta=0.05; sprt={score=[50, 55]} in percent), precision=2 waits for an \
    interval of ±2 points, anytime for one without 50 %.\n\
    JSON keys: game, a, b, seed, games, score (of A, draws count half), ci95 (of the score), interval (which: paired, fixed \
    width or anytime), elo, elo_ci95, normalised_elo, p_value (of 50 %), pairs (by the points of A: 0, ½, 1, 1½, 2), wins, \
    draws, losses (of A), average_plies, score_first, score_second (of A in each seat), simulations_a, simulations_b; with \
    --stop also stop, most_games, decision (null if the games did not tell), log_likelihood_ratio and bounds (of a test); \
    with --clock also clock, lost_on_time_a, lost_on_time_b, longest_overrun_ms, least_left_ms; with --timing also \
    simulations_per_second_a, simulations_per_second_b. Without --timing and --clock the line is the same for any number \
    of threads.\n\
    With --clock whose flag falls loses; such games cannot be played again."
)]
pub struct Match {
    /// The game
    pub game: String,
    /// Agent A
    #[arg(long, value_name = "AGENT")]
    pub a: String,
    /// Agent B
    #[arg(long, value_name = "AGENT")]
    pub b: String,
    /// Number of games; with --stop the largest
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = whole::<u64>(1..=100_000_000))]
    pub games: u64,
    /// End as soon as a rule says so: 'sprt=[0, 20]', 'precision=2' or anytime
    #[arg(long, value_name = "RULE")]
    pub stop: Option<String>,
    /// Keep the games as a run in this folder, which `spinney lab` takes; interrupted, the same command goes on
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// A clock for each player, in place of the agents' own limits: seconds, and what each move adds
    #[arg(long, value_name = "BASE+INCREMENT", value_parser = clock, conflicts_with = "out")]
    pub clock: Option<Clock>,
    /// Random plies before the agents take over
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = whole::<u32>(0..=1000))]
    pub opening: u32,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played at the same time; all cores when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub cards: CardArguments,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// Add measured speeds to the JSON object
    #[arg(long, requires = "json")]
    pub timing: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "JSON keys: game, agent, seed, games, score, ci95 (of the score), deviation (of a single game)."
)]
pub struct Score {
    /// The game, such as pig, cant-stop or dominion
    pub game: String,
    /// The agent
    #[arg(long, default_value = "mcts")]
    pub agent: String,
    /// Number of games
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = whole::<u64>(1..=100_000_000))]
    pub games: u64,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played at the same time; all cores when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Solve {
    /// The game, such as pig or `cant-stop(turns=1, length=2)`
    pub game: String,
    /// The position; the initial one when left out
    #[arg(long)]
    pub position: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "In a game of roles the state, and for each role its legal moves and its goal. JSON keys: position, \
    over, winner (1, 2, or 0 for a draw; only when over), moves; in games of roles also roles (name, chance, moves, goal)."
)]
pub struct Moves {
    /// The game
    pub game: String,
    /// The position, or `-` to read one per line from standard input; the initial one when left out
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// One JSON object per position
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "In a game of roles joint moves are counted, one of each role at the same time. JSON keys, one \
    object per depth: game, position, depth, nodes; in games of roles also roles, their names."
)]
pub struct Perft {
    /// The game
    pub game: String,
    /// Length of the sequences
    #[arg(value_parser = whole::<u32>(0..=100))]
    pub depth: u32,
    /// The position; the initial one when left out
    #[arg(long)]
    pub position: Option<String>,
    /// One JSON object for the depth
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "JSON keys, one object per game and agent: game, agent, simulations_per_second, \
    playouts_per_second (uniform, without a tree), plies_per_second, bytes_per_node, nodes, mean_length, seconds.")]
pub struct Bench {
    /// The games; all when left out
    pub games: Vec<String>,
    /// An agent to measure, may be repeated; MCTS with uniform and with default play-outs when left out
    #[arg(long, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Seconds for each measurement
    #[arg(long, default_value = "1", value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Duration,
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Search fixed positions with fixed seeds and print one hash of all results
    #[arg(long)]
    pub signature: bool,
    /// with --signature: the hash of every game and agent, as in data/signature.tsv
    #[arg(long, requires = "signature")]
    pub rows: bool,
    /// Measure one search on each of these numbers of threads instead, as 1,2,4,8,16; on Breakthrough and Amazons with
    /// default play-outs when no games and agents are named
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Vec<u32>,
    /// with --threads: write threads.csv and threads.svg into this folder
    #[arg(long, value_name = "FOLDER", requires = "threads")]
    pub save: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Clocks are told by `go p1time MS p2time MS p1inc MS p2inc MS`. After `setoption name Ponder value true`, \
    `bestmove` names the reply that it expects; `go ponder` with a position after that reply thinks in the other's time about \
    all replies, until `ponderhit` (it came) or `stop` (another did; what is known of it is kept)."
)]
pub struct Ugi {
    /// The game; `setoption name game value …` changes it
    #[arg(default_value = "breakthrough")]
    pub game: String,
    /// The agent; `setoption name agent value …` changes it
    #[arg(long, default_value = "mcts")]
    pub agent: String,
}

fn clock(text: &str) -> Result<Clock, String> {
    text.parse().map_err(|_: InputError| "write seconds and an increment, such as 300+2".to_string())
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("write seconds from 0.001 to 1000000".to_string()),
    }
}
