//! From the arcs among three vertices to the motif they make and the role each vertex plays.
//!
//! Every table here is worked out from the arcs of [`MotifKind`]; none is typed in.

use std::sync::LazyLock;

use super::kind::N_TRIADS;
use super::{MotifKind, Relation};

/// Number of vertex roles in the thirteen motifs.
pub const N_ROLES: usize = 30;

/// The arcs among the vertices 0, 1, 2 as six bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TriadCode(usize);

/// The bit of the arc from one vertex to another.
const fn bit(source: usize, target: usize) -> usize {
    match (source, target) {
        (0, 1) => 1,
        (1, 0) => 2,
        (0, 2) => 4,
        (2, 0) => 8,
        (1, 2) => 16,
        _ => 32,
    }
}

const PERMUTATIONS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl TriadCode {
    /// Every code.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The code of a triangle: how 0 sees 1, how 0 sees 2, how 1 sees 2.
    pub(super) const fn triangle(r01: Relation, r02: Relation, r12: Relation) -> Self {
        Self(r01.bits() | r02.bits() << 2 | r12.bits() << 4)
    }

    /// The code of a wedge with centre 0: how it sees 1 and 2.
    pub(super) const fn wedge(r01: Relation, r02: Relation) -> Self {
        Self(r01.bits() | r02.bits() << 2)
    }

    pub(super) fn from_arcs(arcs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        Self(arcs.into_iter().fold(0, |code, (source, target)| code | bit(source, target)))
    }

    pub(super) fn arcs(self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];
        pairs.into_iter().filter(move |&(source, target)| self.0 & bit(source, target) != 0)
    }

    /// Whether every arc of `self` is one of `other`.
    fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    fn permuted(self, permutation: [usize; 3]) -> Self {
        Self::from_arcs(self.arcs().map(|(s, t)| (permutation[s], permutation[t])))
    }

    /// The motif and the role of each vertex, where the arcs join all three.
    pub(super) fn class(self) -> Option<TriadClass> {
        CLASSES[self.0]
    }
}

/// What three joined vertices make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TriadClass {
    /// The motif.
    pub(super) motif: MotifKind,
    /// The role (0 to 29) of each of the three vertices.
    pub(super) roles: [u8; 3],
}

static CLASSES: LazyLock<[Option<TriadClass>; 64]> = LazyLock::new(|| {
    let mut classes = [None; 64];
    let mut first_role = 0;
    for motif in MotifKind::triads() {
        let code = TriadCode::from_arcs(motif.arcs().iter().copied());
        let orbit = orbits(code);
        let n_orbits = orbit.iter().max().map_or(0, |last| last + 1);
        for permutation in PERMUTATIONS {
            let mut roles = [0; 3];
            for vertex in 0..3 {
                roles[permutation[vertex]] = first_role + orbit[vertex];
            }
            classes[code.permuted(permutation).0] = Some(TriadClass { motif, roles });
        }
        first_role += n_orbits;
    }
    classes
});

/// Numbers the classes of vertices that the symmetries of `code` carry into each other.
fn orbits(code: TriadCode) -> [u8; 3] {
    let symmetries = PERMUTATIONS.into_iter().filter(|&p| code.permuted(p) == code);
    let mut smallest = [0, 1, 2];
    for permutation in symmetries {
        for vertex in 0..3 {
            smallest[vertex] = smallest[vertex].min(permutation[vertex]);
        }
    }
    let mut orbit = [0; 3];
    let mut n_orbits = 0;
    for vertex in 0..3 {
        orbit[vertex] = if smallest[vertex] == vertex {
            n_orbits += 1;
            n_orbits - 1
        } else {
            orbit[smallest[vertex]]
        };
    }
    orbit
}

/// The motif and the place in it of every role, in the order of the roles.
///
/// Role `r` is played by vertex `ROLES[r].1` of motif `ROLES[r].0` (and by those equivalent to it).
pub static ROLES: LazyLock<[(MotifKind, usize); N_ROLES]> = LazyLock::new(|| {
    let mut places = [(MotifKind::M1, 0); N_ROLES];
    for motif in MotifKind::triads() {
        let code = TriadCode::from_arcs(motif.arcs().iter().copied());
        if let Some(class) = code.class() {
            for vertex in (0..3).rev() {
                places[class.roles[vertex] as usize] = (motif, vertex);
            }
        }
    }
    places
});

/// How many subgraphs of each motif (row) an induced instance of each motif (column) contains.
///
/// The number of subgraphs of three-vertex motifs in a graph is this matrix times the numbers of
/// induced instances.
pub static SUBGRAPHS_OF_INDUCED: LazyLock<[[u64; N_TRIADS]; N_TRIADS]> = LazyLock::new(|| {
    let mut table = [[0; N_TRIADS]; N_TRIADS];
    for induced in MotifKind::triads() {
        let whole = TriadCode::from_arcs(induced.arcs().iter().copied());
        for part in TriadCode::all().filter(|part| part.is_within(whole)) {
            if let Some(class) = part.class() {
                table[class.motif as usize][induced as usize] += 1;
            }
        }
    }
    table
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_roles_and_each_is_played() {
        let mut played = [false; N_ROLES];
        for class in TriadCode::all().filter_map(TriadCode::class) {
            for role in class.roles {
                played[role as usize] = true;
            }
        }
        assert!(played.iter().all(|&played| played));
    }

    #[test]
    fn the_feed_forward_loop_has_three_roles_and_the_cycle_one() {
        let roles_of =
            |motif| ROLES.iter().filter(|role| role.0 == motif).map(|role| role.1).collect();
        let places: Vec<usize> = roles_of(MotifKind::M5);
        assert_eq!(places, [0, 1, 2]);
        let places: Vec<usize> = roles_of(MotifKind::M1);
        assert_eq!(places, [0]);
    }

    #[test]
    fn fifty_four_of_the_sixty_four_codes_join_three_vertices() {
        assert_eq!(TriadCode::all().filter_map(TriadCode::class).count(), 54);
    }

    #[test]
    fn subgraphs_of_induced_triads_are_those_counted_by_hand() {
        let expected: [[u64; 13]; 13] = [
            [1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 1, 2, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 1, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 1, 3, 6, 1, 2, 2, 0, 0, 0, 0, 0, 0],
            [0, 0, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 1, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            [0, 1, 2, 3, 1, 1, 2, 1, 0, 0, 1, 0, 1],
            [3, 3, 4, 6, 1, 2, 2, 0, 1, 0, 1, 1, 2],
            [0, 1, 2, 3, 1, 2, 1, 0, 0, 1, 0, 1, 1],
            [0, 1, 3, 6, 0, 0, 2, 0, 0, 0, 1, 0, 2],
            [0, 1, 3, 6, 0, 2, 0, 0, 0, 0, 0, 1, 2],
            [0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ];
        assert_eq!(*SUBGRAPHS_OF_INDUCED, expected);
    }

    #[test]
    fn a_triangle_seen_from_its_relations_is_the_motif() {
        use Relation::{In, Out};
        let cycle = TriadCode::triangle(Out, In, Out).class().unwrap();
        assert_eq!(cycle.motif, MotifKind::M1);
        let loops = TriadCode::triangle(Out, Out, Out).class().unwrap();
        assert_eq!(loops.motif, MotifKind::M5);
        assert_eq!(TriadCode::wedge(Out, Out).class().unwrap().motif, MotifKind::M8);
    }
}
