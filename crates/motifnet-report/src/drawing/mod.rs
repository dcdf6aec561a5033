//! Pictures that are not charts: motifs, graphs, filters on grids.
//!
//! ```text
//! MotifKind                              → motif_gallery → Figure
//! LabelledGraph → GraphPortion → force_layout → graph_drawing → Figure
//! experiment::GridFilter                 → grid_filters  → Figure
//! ```

mod arrow;
mod class_styles;
mod force_layout;
mod graph_drawing;
mod graph_portion;
mod grid_filters;
mod motif_gallery;
mod pivot_mds;
mod quadtree;

pub use force_layout::{LayoutOptions, force_layout};
pub use graph_drawing::{GraphDrawingOptions, LabelledGraph, graph_drawing};
pub use graph_portion::GraphPortion;
pub use grid_filters::grid_filters;
pub use motif_gallery::motif_gallery;
