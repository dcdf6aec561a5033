//! From the arcs among three vertices to the motif they make and the role each vertex plays.
//!
//! Every table here is worked out from the arcs of [`MotifKind`] while compiling; none is typed in.

use std::iter::Sum;
use std::ops::Mul;

use super::kind::N_TRIADS;
use super::{Instances, MotifKind, Relation};

/// Number of vertex roles in the thirteen motifs.
pub const N_ROLES: usize = 30;

/// The arcs among the vertices 0, 1, 2 as six bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TriadCode(usize);

/// Number of codes.
const N_CODES: usize = 64;

/// The arc of each bit.
const ARCS: [(usize, usize); 6] = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];

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
    /// The code of a triangle: how 0 sees 1, how 0 sees 2, how 1 sees 2.
    pub(super) const fn triangle(r01: Relation, r02: Relation, r12: Relation) -> Self {
        Self(r01.bits() | r02.bits() << 2 | r12.bits() << 4)
    }

    /// The code of a wedge with centre 0: how it sees 1 and 2.
    pub(super) const fn wedge(r01: Relation, r02: Relation) -> Self {
        Self(r01.bits() | r02.bits() << 2)
    }

    /// The arcs for which `has_arc` says yes.
    pub(super) fn of_arcs(has_arc: impl Fn(usize, usize) -> bool) -> Self {
        let present = ARCS.into_iter().filter(|&(source, target)| has_arc(source, target));
        Self(present.map(|(source, target)| bit(source, target)).sum())
    }

    /// Whether all arcs of `part` are there.
    pub(super) const fn contains(self, part: Self) -> bool {
        part.0 & !self.0 == 0
    }

    /// Every way to lay `motif` on three vertices: which of them play 0, 1 and 2, and its arcs then.
    /// Ways that a symmetry of the motif carries into each other are one.
    pub(super) fn placements(motif: MotifKind) -> Vec<([usize; 3], Self)> {
        let mut placements: Vec<([usize; 3], Self)> = Vec::new();
        for places in PERMUTATIONS {
            let code = Self::of_motif(motif).permuted(places);
            if placements.iter().all(|&(_, known)| known != code) {
                placements.push((places, code));
            }
        }
        placements
    }

    const fn of_motif(motif: MotifKind) -> Self {
        let arcs = motif.arcs();
        let mut code = 0;
        let mut arc = 0;
        while arc < arcs.len() {
            code |= bit(arcs[arc].0, arcs[arc].1);
            arc += 1;
        }
        Self(code)
    }

    const fn permuted(self, permutation: [usize; 3]) -> Self {
        let mut code = 0;
        let mut arc = 0;
        while arc < ARCS.len() {
            let (source, target) = ARCS[arc];
            if self.0 & bit(source, target) != 0 {
                code |= bit(permutation[source], permutation[target]);
            }
            arc += 1;
        }
        Self(code)
    }

    /// The motif and the role of each vertex.
    ///
    /// # Panics
    /// If the arcs do not join all three vertices.
    pub(super) const fn class(self) -> TriadClass {
        CLASSES[self.0].expect("two relations join three vertices")
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

/// The class of every code whose arcs join all three vertices.
const CLASSES: [Option<TriadClass>; N_CODES] = {
    let mut classes = [None; N_CODES];
    let mut first_role = 0;
    let mut motif = 0;
    while motif < N_TRIADS {
        let code = TriadCode::of_motif(MotifKind::ALL[motif]);
        let (orbit, n_orbits) = orbits(code);
        let mut p = 0;
        while p < PERMUTATIONS.len() {
            let mut roles = [0; 3];
            let mut vertex = 0;
            while vertex < 3 {
                roles[PERMUTATIONS[p][vertex]] = first_role + orbit[vertex];
                vertex += 1;
            }
            let class = TriadClass { motif: MotifKind::ALL[motif], roles };
            classes[code.permuted(PERMUTATIONS[p]).0] = Some(class);
            p += 1;
        }
        first_role += n_orbits;
        motif += 1;
    }
    classes
};

/// Numbers the classes of vertices that the symmetries of `code` carry into each other, and
/// counts them.
const fn orbits(code: TriadCode) -> ([u8; 3], u8) {
    let mut smallest = [0, 1, 2];
    let mut p = 0;
    while p < PERMUTATIONS.len() {
        if code.permuted(PERMUTATIONS[p]).0 == code.0 {
            let mut vertex = 0;
            while vertex < 3 {
                if PERMUTATIONS[p][vertex] < smallest[vertex] {
                    smallest[vertex] = PERMUTATIONS[p][vertex];
                }
                vertex += 1;
            }
        }
        p += 1;
    }
    let mut orbit = [0; 3];
    let mut n_orbits = 0;
    let mut vertex = 0;
    while vertex < 3 {
        if smallest[vertex] == vertex {
            orbit[vertex] = n_orbits;
            n_orbits += 1;
        } else {
            orbit[vertex] = orbit[smallest[vertex]];
        }
        vertex += 1;
    }
    (orbit, n_orbits)
}

/// The motif and the place in it of every role, in the order of the roles.
///
/// Role `r` is played by vertex `ROLES[r].1` of motif `ROLES[r].0` (and by those equivalent to it).
pub const ROLES: [(MotifKind, usize); N_ROLES] = {
    let mut places = [(MotifKind::M1, 0); N_ROLES];
    let mut motif = 0;
    while motif < N_TRIADS {
        let class = TriadCode::of_motif(MotifKind::ALL[motif]).class();
        let mut vertex = 3;
        while vertex > 0 {
            vertex -= 1;
            places[class.roles[vertex] as usize] = (class.motif, vertex);
        }
        motif += 1;
    }
    places
};

/// How many subgraphs of each motif (row) an induced instance of each motif (column) contains.
///
/// The number of subgraphs of three-vertex motifs in a graph is this matrix times the numbers of
/// induced instances.
pub const SUBGRAPHS_OF_INDUCED: [[u64; N_TRIADS]; N_TRIADS] = {
    let mut table = [[0; N_TRIADS]; N_TRIADS];
    let mut induced = 0;
    while induced < N_TRIADS {
        let whole = TriadCode::of_motif(MotifKind::ALL[induced]).0;
        let mut part = 0;
        while part < N_CODES {
            if part & !whole == 0
                && let Some(class) = CLASSES[part]
            {
                table[class.motif as usize][induced] += 1;
            }
            part += 1;
        }
        induced += 1;
    }
    table
};

impl Instances {
    /// Numbers of instances of M1 to M13, given the numbers of induced ones.
    ///
    /// ```
    /// use motifnet::motif::{Instances, MotifKind};
    ///
    /// let mut induced = [0_u64; 13];
    /// induced[MotifKind::M4 as usize] = 1;
    /// let subgraphs = Instances::Subgraph.counts(&induced);
    /// assert_eq!(subgraphs[MotifKind::M5 as usize], 6);
    /// assert_eq!(Instances::Induced.counts(&induced), induced);
    /// ```
    pub fn counts<N>(self, induced: &[N; N_TRIADS]) -> [N; N_TRIADS]
    where
        N: Copy + From<u64> + Mul<Output = N> + Sum,
    {
        match self {
            Self::Induced => *induced,
            Self::Subgraph => std::array::from_fn(|part| {
                let row = SUBGRAPHS_OF_INDUCED[part].iter().zip(induced);
                row.map(|(&factor, &count)| N::from(factor) * count).sum()
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_roles_and_each_is_played() {
        let mut played = [false; N_ROLES];
        for class in CLASSES.into_iter().flatten() {
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
        assert_eq!(CLASSES.iter().flatten().count(), 54);
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
        assert_eq!(SUBGRAPHS_OF_INDUCED, expected);
    }

    #[test]
    fn a_triangle_seen_from_its_relations_is_the_motif() {
        use Relation::{In, Out};
        let cycle = TriadCode::triangle(Out, In, Out).class();
        assert_eq!(cycle.motif, MotifKind::M1);
        let loops = TriadCode::triangle(Out, Out, Out).class();
        assert_eq!(loops.motif, MotifKind::M5);
        assert_eq!(TriadCode::wedge(Out, Out).class().motif, MotifKind::M8);
    }
}
