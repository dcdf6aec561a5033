//! An edge as one of its ends sees it: the quantities every count is made of.

use std::sync::LazyLock;

use super::kind::N_TRIADS;
use super::triad::{TriadClass, TriadCode};
use super::triangles::CommonNeighbors;
use super::{MotifKind, Relation};

/// Neighbours of a node by relation.
pub type Degrees = [u32; 3];

/// An edge {here, there} seen from one end.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeView {
    /// How `here` sees `there`.
    pub(super) relation: Relation,
    /// `[3·a + b]`: common neighbours that `here` sees as `a` and `there` as `b`.
    pub(super) common: CommonNeighbors,
    /// By relation: neighbours of `here` that are neither `there` nor adjacent to it. With
    /// `there` they make wedges centred at `here`.
    pub(super) apart_here: [u32; 3],
    /// The same of `there`.
    pub(super) apart_there: [u32; 3],
}

impl EdgeView {
    /// The view from the lower node of the edge, whose common neighbours are as stored.
    pub(super) fn new(
        relation: Relation,
        common: CommonNeighbors,
        degrees_here: &Degrees,
        degrees_there: &Degrees,
    ) -> Self {
        let apart = |degrees: &Degrees, sees: Relation, common: [u32; 3]| {
            let mut apart: [u32; 3] = std::array::from_fn(|r| degrees[r] - common[r]);
            apart[sees as usize] -= 1;
            apart
        };
        let common_here = std::array::from_fn(|a| common[3 * a..3 * a + 3].iter().sum());
        let common_there = std::array::from_fn(|b| common[b] + common[3 + b] + common[6 + b]);
        Self {
            relation,
            common,
            apart_here: apart(degrees_here, relation, common_here),
            apart_there: apart(degrees_there, relation.reversed(), common_there),
        }
    }

    /// The same edge seen from its other end.
    pub(super) fn reversed(&self) -> Self {
        Self {
            relation: self.relation.reversed(),
            common: std::array::from_fn(|cell| self.common[cell % 3 * 3 + cell / 3]),
            apart_here: self.apart_there,
            apart_there: self.apart_here,
        }
    }

    /// Induced instances of M1 to M13 that contain both ends.
    pub(super) fn counts(&self) -> [u64; N_TRIADS] {
        let mut counts = [0; N_TRIADS];
        let tables = &*TABLES;
        let triangles = &tables.triangle[self.relation as usize];
        for (class, &count) in triangles.iter().zip(&self.common) {
            counts[class.motif as usize] += u64::from(count);
        }
        let here = &tables.wedge[self.relation as usize];
        let there = &tables.wedge[self.relation.reversed() as usize];
        for leaf in 0..3 {
            counts[here[leaf].motif as usize] += u64::from(self.apart_here[leaf]);
            counts[there[leaf].motif as usize] += u64::from(self.apart_there[leaf]);
        }
        counts
    }

    /// For every wedge motif, the common neighbours that would be its centre if the two ends
    /// were not adjacent: the entry of Q = XᵀY (+ YᵀX); zero for triangles.
    pub(super) fn opposite(&self) -> [u64; N_TRIADS] {
        let mut opposite = [0; N_TRIADS];
        for (class, &count) in TABLES.opposite.iter().zip(&self.common) {
            opposite[*class as usize] += u64::from(count);
        }
        opposite
    }
}

/// What three relations make, looked up instead of worked out.
pub(super) struct Tables {
    /// By relation here–there, then `3·a + b`; vertex 0 is here, 1 there, 2 the common neighbour.
    pub(super) triangle: [[TriadClass; 9]; 3],
    /// By relation centre–leaf 1, then centre–leaf 2; vertex 0 is the centre.
    pub(super) wedge: [[TriadClass; 3]; 3],
    /// By `3·a + b`: the wedge whose centre is the common neighbour.
    pub(super) opposite: [MotifKind; 9],
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let class = |code: TriadCode| code.class().expect("two relations join three vertices");
    let relation = |number: usize| Relation::ALL[number];
    let wedge = |a: usize, b: usize| class(TriadCode::wedge(relation(a), relation(b)));
    Tables {
        triangle: std::array::from_fn(|r| {
            std::array::from_fn(|cell| {
                let (a, b) = (relation(cell / 3), relation(cell % 3));
                class(TriadCode::triangle(relation(r), a, b))
            })
        }),
        wedge: std::array::from_fn(|a| std::array::from_fn(|b| wedge(a, b))),
        opposite: std::array::from_fn(|cell| {
            let seen_from_centre = |number: usize| relation(number).reversed() as usize;
            wedge(seen_from_centre(cell / 3), seen_from_centre(cell % 3)).motif
        }),
    }
});
