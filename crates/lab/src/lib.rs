//! The laboratory: experiments that can be planned, run, stopped, resumed, merged and read.
//!
//! One experiment walks through these files in order: [`experiment`] (the file; [`grid`] for lists in it; [`measure`]
//! for games of one player; [`reduce`] and [`mod@write`] make smaller ones of it) → [`plan`] (cells, pairs and
//! portions) → [`runner`] (games on all cores, and on a [`farm`]) → [`record`] and [`store`] (append-only lines) → [`summary`] (statistics
//! of each cell, beside the [`published`] number) → [`report`], [`figures`], and of grids [`surface`] with the
//! [`mod@best`] setting; [`cells`] and [`mod@export`] are the same for other programs, as tables of [`mod@column`]s.
//! [`deal`] makes equal parts of a plan and [`mod@cluster`] lets many machines play them.
//! [`stop`] says when a cell may end early and [`referee`] when it does.
//! [`pack`] makes a run small (compressed [`blocks`]), [`recompute`] plays again what it left out. [`sheets`] are the
//! rule sheets that a run keeps, [`program`] says who played it. [`estimate`] says before what it will cost.
//! [`library`] holds the files that come with the program, and [`paper`] what was published; [`diagnosis`] shows a
//! diagnosis. [`atlas`] puts everything that was published and everything that was played on one page.

mod agents;
pub mod atlas;
pub mod best;
pub mod blocks;
pub mod cells;
pub mod cluster;
pub mod column;
pub mod deal;
pub mod diagnosis;
pub mod error;
pub mod estimate;
pub mod experiment;
pub mod export;
pub mod farm;
pub mod figures;
pub mod grid;
mod lent;
pub mod library;
pub mod limit;
pub mod measure;
pub mod pack;
pub mod paper;
#[cfg(feature = "parquet")]
mod parquet;
pub mod plan;
pub mod program;
pub mod published;
mod queue;
pub mod recompute;
pub mod record;
pub mod reduce;
pub mod referee;
pub mod report;
pub mod runner;
pub mod sheets;
pub mod stop;
pub mod store;
pub mod summary;
pub mod surface;
pub mod verify;
pub mod write;

pub use error::LabError;
pub use estimate::Estimate;
pub use experiment::Experiment;
pub use farm::{Crew, Farm};
pub use limit::Limit;
pub use measure::Measurement;
pub use paper::Paper;
pub use plan::{Cell, Plan, Shard};
pub use record::Record;
pub use referee::Referee;
pub use runner::{Event, run};
pub use stop::Stop;
pub use store::Store;
pub use summary::CellSummary;
