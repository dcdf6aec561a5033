//! What MotifNet found, drawn: figures, and one HTML page that holds them.
//!
//! ```text
//! numbers of the library → chart, drawing → Figure (SVG) → Page (HTML), PNG
//! ```

#![forbid(unsafe_code)]

pub mod chart;
mod cluster_page;
mod comparison_page;
pub mod drawing;
mod figure;
mod markup;
mod numbers;
pub mod page;
mod palette;
mod png;
mod reproduction_page;
mod run_page;
mod significance_page;
mod svg;
mod table;

pub use cluster_page::{ClusterParts, cluster_page};
pub use comparison_page::{ComparedParts, comparison_page};
pub use figure::{Figure, slug};
pub use palette::{ACCENT, CATEGORIES, GRID, INK, MUTED, PAPER};
pub use png::{PngError, to_png};
pub use reproduction_page::{ReproductionParts, reproduction_page};
pub use run_page::{Missing, RunParts, run_page};
pub use significance_page::{SignificanceParts, significance_page};
pub use table::{Column, Table};
