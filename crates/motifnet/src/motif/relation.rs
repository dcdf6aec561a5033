//! How one vertex of a pair sees the other.

/// The arcs between two adjacent vertices, as the first of them sees the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Relation {
    /// Only an arc to it.
    Out = 0,
    /// Only an arc from it.
    In = 1,
    /// Arcs both ways.
    Both = 2,
}

impl Relation {
    /// All three, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Out, Self::In, Self::Both];

    /// The same arcs as the second vertex sees the first.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Out => Self::In,
            Self::In => Self::Out,
            Self::Both => Self::Both,
        }
    }

    /// Number of arcs.
    pub const fn n_arcs(self) -> usize {
        match self {
            Self::Out | Self::In => 1,
            Self::Both => 2,
        }
    }

    /// Bit 0: an arc to it; bit 1: an arc from it.
    pub(super) const fn bits(self) -> usize {
        match self {
            Self::Out => 0b01,
            Self::In => 0b10,
            Self::Both => 0b11,
        }
    }
}
