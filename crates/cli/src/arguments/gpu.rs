//! Arguments of the commands for graphics cards.

use crate::numbers::whole;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use spinney_gpu::host::Stacks;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Gpu {
    #[command(subcommand)]
    pub command: GpuCommand,
}

#[derive(Debug, Subcommand)]
pub enum GpuCommand {
    /// The cards and the kernels
    List,
    /// Compile kernels ahead of time with ptxas of the CUDA toolkit, for the variable SPINNEY_KERNELS
    Compile(GpuCompile),
    /// Play the same games on the card and on the processor, compare them, and measure both
    Check(GpuCheck),
}

#[derive(Debug, Args)]
pub struct GpuCompile {
    /// The folder for what is compiled
    pub folder: PathBuf,
    /// The program ptxas
    #[arg(long, default_value = "ptxas", value_name = "PROGRAM")]
    pub ptxas: PathBuf,
    /// The generation of the card
    #[arg(long, default_value = "sm_90", value_name = "NAME")]
    pub generation: String,
    /// Registers of a thread of the card; from 128 for many games to 255 for few when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(32..=255))]
    pub registers: Option<u32>,
    /// Only kernels with one of these words in their names, separated by commas
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    pub only: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit code 2 if a game differs, or if the card had no room to play it.")]
pub struct GpuCheck {
    /// Games of each game and set of features
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = whole::<u64>(2..=1_000_000))]
    pub games: u64,
    /// Simulations per move of these games
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = whole::<u64>(1..=1_000_000))]
    pub sims: u64,
    /// Simulations per move when speed is measured
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = whole::<u64>(1..=1_000_000))]
    pub speed_sims: u64,
    /// Most seconds for which each speed is measured; less where as many games as are played at once end sooner
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = seconds)]
    pub seconds: f64,
    /// Only the game or the features of this name; both where speed is measured, as in "tables breakthrough"
    #[arg(long, value_name = "WORD")]
    pub only: Option<String>,
    /// Compare games, measure nothing
    #[arg(long, conflicts_with = "only_speed")]
    pub only_games: bool,
    /// Measure, compare nothing
    #[arg(long)]
    pub only_speed: bool,
    /// Measure the card alone
    #[arg(long)]
    pub only_card: bool,
    /// Numbers of the cards
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0")]
    pub device: Vec<usize>,
    /// Games at once when speed is measured, one number after the other; one for each thread of the card when left out
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = whole::<u64>(2..=1_000_000))]
    pub at_once: Vec<u64>,
    /// Registers of a thread of the card; from 128 for many games to 255 for few when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(32..=255))]
    pub registers: Option<u32>,
    /// Warps of a block
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = whole::<u32>(1..=32))]
    pub warps: u32,
    /// Warps for each processor of the card; from 16 for many games to 8 for few when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=64))]
    pub resident: Option<u32>,
    /// Threads of a warp that play; as many as let the card hold all games when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=32))]
    pub lanes: Option<u32>,
    /// Threads of a warp that begin new games together, at least; as many as the game is fastest with when left out
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=32))]
    pub together: Option<u32>,
    /// Where the stacks of threads lie, and all else that is left out as for many games or for few; by the number of games when
    /// left out
    #[arg(long, value_name = "PLACE", value_parser = stacks())]
    pub stacks: Option<Stacks>,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Save everything as JSON in this file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Seconds that somebody waits for.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "write seconds from 0.1 to 3600".to_string())
}

fn stacks() -> impl TypedValueParser<Value = Stacks> {
    PossibleValuesParser::new(["together", "apart"])
        .map(|word| if word == "apart" { Stacks::Apart } else { Stacks::Together })
}
