//! All ways to lay arcs among four nodes, by what they leave as it is.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The pairs of four nodes.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const N_CODES: usize = 1 << 12;

/// The arcs among four nodes: two bits for every one of [`PAIRS`], an arc from the lower to the higher node and one
/// back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuadCode(u16);

impl QuadCode {
    pub(super) fn new(relations: [u16; 6]) -> Self {
        let bits = relations.iter().enumerate().map(|(pair, relation)| relation << (2 * pair));
        Self(bits.sum())
    }

    /// The two bits of a pair.
    pub(super) fn relation(self, pair: usize) -> u16 {
        self.0 >> (2 * pair) & 0b11
    }

    /// Number of ways to take two edges that share no node.
    pub(super) fn n_matchings(self) -> u32 {
        // The first pair lies apart from the last, the second from the last but one.
        (0..3).map(|pair| u32::from(self.relation(pair) > 0 && self.relation(5 - pair) > 0)).sum()
    }

    /// For every node its neighbours by an arc out, an arc in, and both.
    fn degrees(self) -> [[u8; 3]; 4] {
        let mut degrees = [[0; 3]; 4];
        for (pair, (low, high)) in PAIRS.into_iter().enumerate() {
            let (here, there) = match self.relation(pair) {
                0b01 => (0, 1),
                0b10 => (1, 0),
                0b11 => (2, 2),
                _ => continue,
            };
            degrees[low][here] += 1;
            degrees[high][there] += 1;
        }
        degrees
    }
}

/// Which codes give all four nodes the same degrees.
pub(super) struct Quads {
    families: Vec<Vec<QuadCode>>,
    /// The family of every code.
    family: Vec<u16>,
}

impl Quads {
    /// The table, made when it is first asked for.
    pub(super) fn get() -> &'static Self {
        static TABLE: OnceLock<Quads> = OnceLock::new();
        TABLE.get_or_init(Self::new)
    }

    fn new() -> Self {
        let (mut families, mut family): (Vec<Vec<QuadCode>>, _) = (Vec::new(), Vec::new());
        let mut numbers = HashMap::new();
        for code in (0..N_CODES as u16).map(QuadCode) {
            let number = *numbers.entry(code.degrees()).or_insert_with(|| {
                families.push(Vec::new());
                families.len() - 1
            });
            families[number].push(code);
            family.push(number as u16);
        }
        Self { families, family }
    }

    /// The codes with the degrees of this one, itself among them.
    pub(super) fn alike(&self, code: QuadCode) -> &[QuadCode] {
        &self.families[usize::from(self.family[usize::from(code.0)])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_share_their_degrees_and_leave_none_out() {
        let quads = Quads::get();
        assert_eq!(quads.families.iter().map(Vec::len).sum::<usize>(), N_CODES);
        assert_eq!(quads.families.len(), 3550);
        // 0→1 and 2→3 may also be 0→3 and 2→1.
        let code = QuadCode::new([0b01, 0, 0, 0, 0, 0b01]);
        assert_eq!(quads.alike(code).len(), 2);
        assert_eq!(code.n_matchings(), 1);
        assert_eq!(QuadCode::new([0b11; 6]).n_matchings(), 3);
    }
}
