//! One file per command.

pub mod agents;
pub mod analyse;
pub mod atlas;
pub mod bench;
pub mod diagnose;
pub mod games;
pub mod ggp;
mod ggp_record;
mod ggp_tournament;
pub mod gpu;
pub mod lab;
pub mod manual;
pub mod matches;
pub mod moves;
pub mod numbers;
pub mod options;
pub mod perft;
pub mod play;
pub mod progress;
pub mod quick;
pub mod reproduce;
pub mod score;
pub mod serve;
pub mod solve;
pub mod stopping;
pub mod tune;
pub mod ugi;
