//! Reports of experiments: plain data in, a terminal table, Markdown or one self-contained HTML page out.
//!
//! [`data`] is what the laboratory fills. [`to_html`], [`to_markdown`] and [`to_terminal`] are pure functions to
//! text; nothing here reads a file, a clock or a random number, so equal data gives equal text. The figures
//! ([`forest_plot`], [`curve_plot`], [`heat_plot`], [`matrix_plot`]) are SVG that takes its colours from the page's style sheet.
//!
//! ```
//! use spinney_report::{Report, to_html};
//!
//! let report = Report { title: "First search".to_owned(), ..Report::default() };
//! assert!(to_html(&report).contains("<h1>First search</h1>"));
//! ```

pub mod atlas;
pub mod data;

mod axis;
mod curve;
mod escape;
mod figures;
mod forest;
mod health;
mod heat;
mod html;
mod markdown;
mod matrix;
mod measure;
mod numbers;
mod pictures;
mod svg;
mod table;
mod terminal;

pub use curve::curve_plot;
pub use data::{
    Agreement, Comparison, Course, Curve, Grid, Health, Heat, HeatMap, IntervalKind, Literature, Matrix, Panel, Point,
    Relation, Report, Section, Series, TextTable,
};
pub use figures::{FIGURE_STYLE, curve_picture, figures_page};
pub use forest::forest_plot;
pub use heat::heat_plot;
pub use html::to_html;
pub use markdown::to_markdown;
pub use matrix::matrix_plot;
pub use numbers::grouped;
pub use pictures::{Picture, pictures};
pub use svg::Width;
pub use terminal::to_terminal;
