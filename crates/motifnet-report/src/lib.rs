//! What MotifNet found, drawn: figures, and one HTML page that holds them.
//!
//! ```text
//! numbers of the library → chart, drawing → Figure (SVG) → Page (HTML), PNG
//! ```

pub mod drawing;
mod figure;
mod palette;

pub use figure::Figure;
pub use palette::{ACCENT, CATEGORIES, GRID, INK, MUTED, PAPER};
