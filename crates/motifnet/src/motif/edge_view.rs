//! An edge as one of its ends sees it: the quantities every count is made of.

use super::Relation::{self, Out};
use super::kind::N_TRIADS;
use super::triad::{TriadClass, TriadCode};
use super::triangles::CommonNeighbors;
use super::{Degrees, MotifKind};

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
        match self.relation {
            Relation::Out => self.counts_as::<{ Relation::Out as usize }>(),
            Relation::In => self.counts_as::<{ Relation::In as usize }>(),
            Relation::Both => self.counts_as::<{ Relation::Both as usize }>(),
        }
    }

    /// With the relation known while compiling, all look-ups turn into plain sums.
    fn counts_as<const RELATION: usize>(&self) -> [u64; N_TRIADS] {
        let mut counts = [0; N_TRIADS];
        for cell in 0..9 {
            counts[TRIANGLE[RELATION][cell].motif as usize] += u64::from(self.common[cell]);
        }
        let seen_back = const { Relation::ALL[RELATION].reversed() as usize };
        for leaf in 0..3 {
            counts[WEDGE[RELATION][leaf].motif as usize] += u64::from(self.apart_here[leaf]);
            counts[WEDGE[seen_back][leaf].motif as usize] += u64::from(self.apart_there[leaf]);
        }
        counts
    }

    /// For every wedge motif, the common neighbours that would be its centre if the two ends
    /// were not adjacent: the entry of Q = XᵀY (+ YᵀX); zero for triangles.
    pub(super) fn opposite(&self) -> [u64; N_TRIADS] {
        let mut opposite = [0; N_TRIADS];
        for cell in 0..9 {
            opposite[OPPOSITE[cell] as usize] += u64::from(self.common[cell]);
        }
        opposite
    }
}

/// What a triangle is, by relation here–there, then `3·a + b`; vertex 0 is here, 1 there, 2 the
/// common neighbour.
pub(super) const TRIANGLE: [[TriadClass; 9]; 3] = {
    let mut table = [[TriadCode::triangle(Out, Out, Out).class(); 9]; 3];
    let mut place = 0;
    while place < 27 {
        let (relation, a, b) = (place / 9, place / 3 % 3, place % 3);
        let [relation, a, b] = [Relation::ALL[relation], Relation::ALL[a], Relation::ALL[b]];
        table[place / 9][place % 9] = TriadCode::triangle(relation, a, b).class();
        place += 1;
    }
    table
};

/// What a wedge is, by relation centre–leaf 1, then centre–leaf 2; vertex 0 is the centre.
pub(super) const WEDGE: [[TriadClass; 3]; 3] = {
    let mut table = [[TriadCode::wedge(Out, Out).class(); 3]; 3];
    let mut place = 0;
    while place < 9 {
        let (a, b) = (Relation::ALL[place / 3], Relation::ALL[place % 3]);
        table[place / 3][place % 3] = TriadCode::wedge(a, b).class();
        place += 1;
    }
    table
};

/// By `3·a + b`: the wedge whose centre is the common neighbour.
pub(super) const OPPOSITE: [MotifKind; 9] = {
    let mut table = [MotifKind::M8; 9];
    let mut cell = 0;
    while cell < 9 {
        let a = Relation::ALL[cell / 3].reversed();
        let b = Relation::ALL[cell % 3].reversed();
        table[cell] = WEDGE[a as usize][b as usize].motif;
        cell += 1;
    }
    table
};
