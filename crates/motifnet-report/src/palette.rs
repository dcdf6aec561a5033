//! The colours of all figures.
//!
//! Figures are drawn with these alone, written as they stand here, so that a page can put those of its
//! dark theme in their places.

/// Text and outlines.
pub const INK: &str = "#1f2328";
/// Text that matters less, and axes.
pub const MUTED: &str = "#59636e";
/// Lines that guide the eye.
pub const GRID: &str = "#d1d9e0";
/// The ground.
pub const PAPER: &str = "#ffffff";
/// The one thing to look at.
pub const ACCENT: &str = "#0969da";
/// Categories, in this order; at least 3 : 1 against the ground of either theme.
pub const CATEGORIES: [&str; 8] =
    ["#3b78c3", "#d1622b", "#2f8f5b", "#a8568f", "#8a7a1f", "#c0504d", "#6b6fd0", "#2c8c99"];
