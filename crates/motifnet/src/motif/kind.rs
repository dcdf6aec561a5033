//! The motif table: every motif the library knows, and what it is.

use std::fmt;
use std::str::FromStr;

use super::Relation;

/// A motif: one of the thirteen connected directed triads, or one of the seven smaller relations
/// that stand beside them.
///
/// The numbers are those of Benson, Gleich and Leskovec (2016).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MotifKind {
    /// 0→1 1→2 2→0: the cycle.
    M1,
    /// 0↔1 1→2 2→0.
    M2,
    /// 0↔1 1↔2 2→0.
    M3,
    /// 0↔1 1↔2 0↔2: the mutual triangle.
    M4,
    /// 0→1 1→2 0→2: the feed-forward loop.
    M5,
    /// 0↔1 2→0 2→1.
    M6,
    /// 0↔1 0→2 1→2.
    M7,
    /// 0→1 0→2: the out-star.
    M8,
    /// 2→0 0→1: the path.
    M9,
    /// 1→0 2→0: the in-star.
    M10,
    /// 0↔1 0→2.
    M11,
    /// 0↔1 2→0.
    M12,
    /// 0↔1 0↔2: the mutual star.
    M13,
    /// `U`: the undirected graph S, an edge wherever there is an arc.
    Undirected,
    /// `out`: the arcs A.
    Out,
    /// `in`: the arcs turned round, Aᵀ.
    In,
    /// `Ms`: pairs joined by a single arc.
    Single,
    /// `Md`: pairs joined both ways.
    Double,
    /// `Mcoll`: the two leaves of M10, which point at one vertex.
    Colliders,
    /// `Mexpa`: the two leaves of M8, which one vertex points at.
    Expanders,
}

/// What the instances of a motif look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Three vertices, all pairs adjacent.
    Triangle,
    /// A centre and two leaves that are not adjacent, and how the centre sees each leaf.
    Wedge(Relation, Relation),
    /// The two leaves of a wedge whose centre sees both alike.
    Leaves(Relation),
    /// Two vertices.
    Pair,
}

/// One line of the motif table.
#[derive(Debug)]
struct Row {
    kind: MotifKind,
    name: &'static str,
    /// Arcs on the vertices 0, 1, 2 (of the thirteen triads).
    arcs: &'static [(usize, usize)],
    shape: Shape,
    /// The triad's name after Holland and Leinhardt (1976).
    holland_leinhardt: Option<&'static str>,
}

const fn triad(
    kind: MotifKind,
    name: &'static str,
    arcs: &'static [(usize, usize)],
    shape: Shape,
    holland_leinhardt: &'static str,
) -> Row {
    Row { kind, name, arcs, shape, holland_leinhardt: Some(holland_leinhardt) }
}

const fn other(kind: MotifKind, name: &'static str, shape: Shape) -> Row {
    Row { kind, name, arcs: &[], shape, holland_leinhardt: None }
}

use MotifKind as K;
use Relation::{Both, In, Out};
use Shape::{Leaves, Pair, Triangle, Wedge};

#[rustfmt::skip]
const ROWS: [Row; 20] = [
    triad(K::M1,  "M1",  &[(0, 1), (1, 2), (2, 0)], Triangle, "030C"),
    triad(K::M2,  "M2",  &[(0, 1), (1, 0), (1, 2), (2, 0)], Triangle, "120C"),
    triad(K::M3,  "M3",  &[(0, 1), (1, 0), (1, 2), (2, 1), (2, 0)], Triangle, "210"),
    triad(K::M4,  "M4",  &[(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)], Triangle, "300"),
    triad(K::M5,  "M5",  &[(0, 1), (1, 2), (0, 2)], Triangle, "030T"),
    triad(K::M6,  "M6",  &[(0, 1), (1, 0), (2, 0), (2, 1)], Triangle, "120D"),
    triad(K::M7,  "M7",  &[(0, 1), (1, 0), (0, 2), (1, 2)], Triangle, "120U"),
    triad(K::M8,  "M8",  &[(0, 1), (0, 2)], Wedge(Out, Out), "021D"),
    triad(K::M9,  "M9",  &[(2, 0), (0, 1)], Wedge(In, Out), "021C"),
    triad(K::M10, "M10", &[(1, 0), (2, 0)], Wedge(In, In), "021U"),
    triad(K::M11, "M11", &[(0, 1), (1, 0), (0, 2)], Wedge(Both, Out), "111U"),
    triad(K::M12, "M12", &[(0, 1), (1, 0), (2, 0)], Wedge(Both, In), "111D"),
    triad(K::M13, "M13", &[(0, 1), (1, 0), (0, 2), (2, 0)], Wedge(Both, Both), "201"),
    other(K::Undirected, "U", Pair),
    other(K::Out, "out", Pair),
    other(K::In, "in", Pair),
    other(K::Single, "Ms", Pair),
    other(K::Double, "Md", Pair),
    other(K::Colliders, "Mcoll", Leaves(In)),
    other(K::Expanders, "Mexpa", Leaves(Out)),
];

static TABLE: [Row; 20] = ROWS;

/// Number of connected triads: M1 to M13.
pub const N_TRIADS: usize = 13;

impl MotifKind {
    /// Every motif, M1 to M13 first.
    pub const ALL: [Self; 20] = [
        K::M1,
        K::M2,
        K::M3,
        K::M4,
        K::M5,
        K::M6,
        K::M7,
        K::M8,
        K::M9,
        K::M10,
        K::M11,
        K::M12,
        K::M13,
        K::Undirected,
        K::Out,
        K::In,
        K::Single,
        K::Double,
        K::Colliders,
        K::Expanders,
    ];

    /// M1 to M13.
    pub fn triads() -> [Self; N_TRIADS] {
        std::array::from_fn(|index| Self::ALL[index])
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The name used on the command line, in files and in Python.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What its instances look like.
    pub fn shape(self) -> Shape {
        self.row().shape
    }

    /// The arcs on the vertices 0, 1, 2; empty for all but M1 to M13.
    pub const fn arcs(self) -> &'static [(usize, usize)] {
        ROWS[self as usize].arcs
    }

    /// The name of the triad after Holland and Leinhardt; none for all but M1 to M13.
    pub fn holland_leinhardt(self) -> Option<&'static str> {
        self.row().holland_leinhardt
    }

    /// Whether its matrix is symmetric: all are, but for `out` and `in`.
    pub fn is_symmetric(self) -> bool {
        !matches!(self, K::Out | K::In)
    }

    /// The motif whose matrix is the transpose of this one's.
    pub fn transposed(self) -> Self {
        if self.is_symmetric() { self } else { self.reversed() }
    }

    /// The motif that its instances become when every arc is turned round.
    pub fn reversed(self) -> Self {
        match self {
            K::M6 => K::M7,
            K::M7 => K::M6,
            K::M8 => K::M10,
            K::M10 => K::M8,
            K::M11 => K::M12,
            K::M12 => K::M11,
            K::Out => K::In,
            K::In => K::Out,
            K::Colliders => K::Expanders,
            K::Expanders => K::Colliders,
            same => same,
        }
    }
}

impl fmt::Display for MotifKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl serde::Serialize for MotifKind {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for MotifKind {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = <String as serde::Deserialize>::deserialize(from)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// A name that no motif has.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no motif {0:?}; the motifs are M1 to M13, U, out, in, Ms, Md, Mcoll and Mexpa")]
pub struct UnknownMotif(pub String);

impl FromStr for MotifKind {
    type Err = UnknownMotif;

    fn from_str(name: &str) -> Result<Self, UnknownMotif> {
        let found = TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name.trim()));
        found.map(|row| row.kind).ok_or_else(|| UnknownMotif(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_kinds() {
        for (kind, row) in MotifKind::ALL.into_iter().zip(&TABLE) {
            assert_eq!(kind, row.kind);
            assert_eq!(row.name.parse(), Ok(kind));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let message = "M14".parse::<MotifKind>().unwrap_err().to_string();
        assert_eq!(
            message,
            "there is no motif \"M14\"; the motifs are M1 to M13, U, out, in, Ms, Md, Mcoll and Mexpa"
        );
    }

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!("m10".parse(), Ok(MotifKind::M10));
        assert_eq!("u".parse(), Ok(MotifKind::Undirected));
    }
}
