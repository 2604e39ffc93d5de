//! Variance reduction for searches with chance: control variates, common random numbers and antithetic variates
//! (Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree Search", NIPS 2011).
//!
//! Common and antithetic numbers are a matter of which [`Stream`] a simulation is given. Streams are decided by seeds,
//! so no list of events is kept: the n-th visits of all moves of a node share a seed, or the two visits of an
//! antithetic pair do.

use crate::settings::LuckSettings;
use crate::tree::{Coefficient, NodeId, ROOT};
use spinney_core::{Seed, Stream, choices};

choices! {
    /// Where moves share their luck.
    pub enum CommonNumbers {
        /// nowhere
        Off = "off",
        /// where it was published for the game
        On = "on" | "",
        /// at the root, to the end of the simulation
        Root = "root",
        /// at every node, as far as the next one
        Nodes = "nodes",
    }
}

/// Where moves share their luck when common random numbers are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// The n-th simulations of all moves at the root have the same luck to their end.
    Root,
    /// So have the n-th simulations of all moves at every node, as far as the next node.
    Nodes,
}

/// The techniques of a search.
#[derive(Clone, Copy, Debug)]
pub struct Variance {
    /// The coefficient of the control variates, where they are used.
    pub control: Option<Coefficient>,
    sharing: Option<Sharing>,
    antithetic: bool,
}

impl Variance {
    /// The techniques of these settings, which must be resolved.
    pub fn new(settings: &LuckSettings) -> Self {
        let constant = settings.cv_constant.unwrap_or(0.0);
        Self {
            control: settings.cv.then_some(Coefficient { constant, visits: settings.cv_visits }),
            sharing: match settings.crn {
                CommonNumbers::Off => None,
                CommonNumbers::On | CommonNumbers::Root => Some(Sharing::Root),
                CommonNumbers::Nodes => Some(Sharing::Nodes),
            },
            antithetic: settings.av,
        }
    }

    /// The stream of a simulation that leaves the root through `action` for the time number `visit`, from 0 on.
    #[inline(always)]
    pub fn stream_at_root(&self, seed: Seed, simulation: u64, action: NodeId, visit: u32) -> Stream {
        if !self.antithetic && self.sharing.is_none() {
            return Stream::new(seed.child(simulation));
        }
        // The two visits of an antithetic pair have one seed.
        let number = if self.antithetic { visit / 2 } else { visit };
        let owner = if self.sharing.is_some() { ROOT } else { action };
        let seed = seed.child(u64::from(owner) << 32 | u64::from(number));
        let stream = match (self.antithetic, visit % 2) {
            (false, _) => Stream::new(seed),
            (true, 0) => Stream::new(seed).in_ranks(),
            (true, _) => Stream::opposite(seed),
        };
        if self.sharing.is_some() { stream.in_common() } else { stream }
    }

    /// The stream from a node below the root on, if it changes there.
    #[inline(always)]
    pub fn stream_at_node(&self, seed: Seed, node: NodeId, visit: u32) -> Option<Stream> {
        (self.sharing == Some(Sharing::Nodes))
            .then(|| Stream::new(seed.child(u64::from(node) << 32 | u64::from(visit))).in_common())
    }
}
