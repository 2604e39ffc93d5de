//! What cards did, for whoever measures them.

use std::collections::BTreeMap;

/// What cards did, for whoever measures them.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Of each kernel.
    pub kernels: BTreeMap<String, KernelFigures>,
}

/// Figures of one kernel.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KernelFigures {
    /// Games played.
    pub games: u64,
    /// Most bytes that a thread used.
    pub bytes: u64,
    /// Most places of a tree.
    pub places: u32,
    /// Most moves without a place.
    pub moves: u32,
    /// Most threads of a launch.
    pub threads: u32,
    /// Registers, and bytes of the stack.
    pub size: [i32; 2],
    /// Seconds until it was loaded.
    pub loading: f64,
    /// Games that found no room, or whose thread left without a word, and were played again.
    pub again: u64,
}

impl KernelFigures {
    /// Adds those of further launches.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.again += other.again;
        self.bytes = self.bytes.max(other.bytes);
        self.places = self.places.max(other.places);
        self.moves = self.moves.max(other.moves);
        self.threads = self.threads.max(other.threads);
        self.loading = self.loading.max(other.loading);
        self.size = other.size;
    }
}
