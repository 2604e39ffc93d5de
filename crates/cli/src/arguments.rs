//! The command line, declared once: parsing, help, completions and the manual page come from here.

use crate::numbers::whole;
use clap::{Args, Parser, Subcommand};
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
    /// Look at simulations: can a bonus on length or quality help in a game?
    Diagnose(Diagnose),
    /// Experiments: plan, run, resume, merge, verify, read
    #[command(subcommand)]
    Lab(Lab),
    /// Run a published experiment and stand beside its numbers
    Reproduce(Reproduce),
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
    with --timing also simulations_per_second_a, simulations_per_second_b. Without --timing the line is the same for any \
    number of threads."
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
    /// Random plies before the agents take over
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = whole::<u32>(0..=1000))]
    pub opening: u32,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played at the same time; all cores when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,
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
}

#[derive(Debug, Args)]
pub struct Ugi {
    /// The game; `setoption name game value …` changes it
    #[arg(default_value = "breakthrough")]
    pub game: String,
    /// The agent; `setoption name agent value …` changes it
    #[arg(long, default_value = "mcts")]
    pub agent: String,
}

#[derive(Debug, Subcommand)]
pub enum Lab {
    /// Expand an experiment and show what it would cost, before anything is played
    Plan {
        /// The experiment file, or the name of one that comes with the program; their list when left out
        file: Option<PathBuf>,
        /// One JSON object per cell: key, game, a, b, budget, pairs, seconds, detectable; or agent and repetitions
        #[arg(long)]
        json: bool,
    },
    /// Play what is missing; stop it at any time and run it again to go on
    Run(LabRun),
    /// Show how far a run has come
    Status {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// One JSON object per cell: kind, cell, game, a, b, budget, games, planned, score, low, high
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
    /// games limited by time cannot be played again and keep theirs.
    Pack {
        /// The experiment file, or the folder of a run
        run: PathBuf,
        /// Share of the games that keep their moves, in percent; moves once left out stay left out
        #[arg(long, default_value = "2", value_name = "PERCENT", value_parser = percent)]
        moves: f64,
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
}

fn column(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((column, value)) => Ok((column.trim().to_string(), value.trim().to_string())),
        None => Err("write COLUMN=VALUE".to_string()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        _ => Err("write a share above 0 and up to 100".to_string()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("write seconds from 0.001 to 1000000".to_string()),
    }
}
