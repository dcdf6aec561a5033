//! The graph, and what motifs are.

use motifnet::io::grouped;
use motifnet::motif::MotifEngine;

use super::ReproductionParts;
use crate::drawing::{GraphDrawingOptions, graph_drawing, grid_filters, motif_gallery};
use crate::page::Section;

pub(super) fn graph(parts: &ReproductionParts<'_>) -> Section {
    let mut section = Section::new("graph", "The graph");
    section.figure(
        graph_drawing("graph-portion", parts.dataset, &GraphDrawingOptions::default()),
        None,
    );
    section
}

pub(super) fn motifs(parts: &ReproductionParts<'_>) -> Section {
    let mut section = Section::new("motifs", "What motifs are, and what they do");
    let census = MotifEngine::new(&parts.dataset.graph).census();
    section.figure(
        motif_gallery(
            "thirteen-motifs",
            "The thirteen motifs",
            "All ways in which three nodes can be joined by arcs, and how many of each the graph has, \
             counted exactly.",
            |kind| census.motif(kind).map(grouped),
        ),
        None,
    );
    section.figure(grid_filters("filters"), None);
    section
}
