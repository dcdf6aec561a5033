//! Square grids whose arcs all run the same way.

use crate::graph::{BuildOptions, DiGraph, EdgeList};

/// A square grid of nodes, each with the same arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectedGrid {
    /// Arcs to the right and down. Has no triangle, so its motifs are M8, M9 and M10.
    Square,
    /// Both diagonals of every cell too: the falling one against the other arcs, up and to the left,
    /// so that its two triangles are cycles (M1); the rising one with them, up and to the right, so
    /// that its two are feed-forward loops (M5).
    Crossed,
}

impl DirectedGrid {
    /// Both grids.
    pub const ALL: [Self; 2] = [Self::Square, Self::Crossed];

    /// The arcs of a node, as steps (to the right, down).
    pub fn steps(self) -> &'static [(i32, i32)] {
        match self {
            Self::Square => &[(1, 0), (0, 1)],
            Self::Crossed => &[(1, 0), (0, 1), (-1, -1), (1, -1)],
        }
    }

    /// The grid of (2·radius + 1)² nodes, row after row from the upper left.
    pub fn graph(self, radius: u16) -> DiGraph {
        let side = 2 * i32::from(radius) + 1;
        let node = |x: i32, y: i32| (y * side + x) as u32;
        let inside = |at: i32| (0..side).contains(&at);
        let mut arcs = Vec::new();
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            for &(right, down) in self.steps() {
                if inside(x + right) && inside(y + down) {
                    arcs.push((node(x, y), node(x + right, y + down)));
                }
            }
        }
        let n_nodes = (side * side) as usize;
        let (graph, _) =
            DiGraph::build(EdgeList::from_pairs(n_nodes, arcs), &BuildOptions::default())
                .expect("every arc ends inside the grid");
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motif::MotifEngine;

    #[test]
    fn a_square_grid_has_wedges_and_a_crossed_one_as_many_cycles_as_feed_forward_loops() {
        // Nine nodes, four cells.
        let census = MotifEngine::new(&DirectedGrid::Square.graph(1)).census();
        let counts = ["021D", "021C", "021U", "030C", "030T"].map(|name| census.count(name));
        // Out-stars at the four upper left nodes, in-stars at the four lower right ones; paths:
        // 3 + 3 straight, 4 + 4 round a corner.
        assert_eq!(counts, [4, 14, 4, 0, 0].map(Some));

        let census = MotifEngine::new(&DirectedGrid::Crossed.graph(1)).census();
        let counts = ["030C", "030T"].map(|name| census.count(name));
        assert_eq!(counts, [8, 8].map(Some));
    }

    #[test]
    fn a_grid_of_no_radius_is_a_node() {
        for grid in DirectedGrid::ALL {
            assert_eq!((grid.graph(0).n_nodes(), grid.graph(0).n_arcs()), (1, 0));
        }
    }
}
