//! How often every node plays each of the thirty roles of the thirteen motifs.

use super::MotifEngine;
use super::edge_view::{TRIANGLE, WEDGE};
use super::kind::N_TRIADS;
use super::triad::{N_ROLES, ROLES};
use crate::sparse::rows::fill_rows;

/// The number of induced instances in which a node plays each role, in the order of
/// [`super::ROLES`].
pub type RoleCounts = [u64; N_ROLES];

impl MotifEngine<'_> {
    /// How often every node plays each role. Time O(edges), memory 240 bytes a node.
    pub fn role_counts(&self) -> Vec<RoleCounts> {
        let pattern = self.pattern();
        let mut roles = vec![[0; N_ROLES]; pattern.n_nodes()];
        fill_rows(pattern.offsets(), 1, &mut roles, |node, slot| slot[0] = self.roles_of(node));
        roles
    }

    /// Induced instances of M1 to M13 that contain each node. Time O(edges).
    pub fn node_counts(&self) -> Vec<[u64; N_TRIADS]> {
        let pattern = self.pattern();
        let mut counts = vec![[0; N_TRIADS]; pattern.n_nodes()];
        fill_rows(pattern.offsets(), 1, &mut counts, |node, slot| {
            for (&(motif, _), count) in ROLES.iter().zip(self.roles_of(node)) {
                slot[0][motif as usize] += count;
            }
        });
        counts
    }

    fn roles_of(&self, node: usize) -> RoleCounts {
        // From each of its edges a triangle is met twice, and so is a wedge with its centre here.
        let mut met_twice = [0; N_ROLES];
        let mut roles = [0; N_ROLES];
        for entry in self.pattern().row(node) {
            let view = self.view(node, entry);
            let triangles = &TRIANGLE[view.relation as usize];
            for (class, &count) in triangles.iter().zip(&view.common) {
                met_twice[class.roles[0] as usize] += u64::from(count);
            }
            let centred_here = &WEDGE[view.relation as usize];
            for (class, &count) in centred_here.iter().zip(&view.apart_here) {
                met_twice[class.roles[0] as usize] += u64::from(count);
            }
            let centred_there = &WEDGE[view.relation.reversed() as usize];
            for (class, &count) in centred_there.iter().zip(&view.apart_there) {
                roles[class.roles[1] as usize] += u64::from(count);
            }
        }
        for (role, twice) in roles.iter_mut().zip(met_twice) {
            *role += twice / 2;
        }
        roles
    }
}
