//! Random numbers by counter: the same for whoever asks, in whatever order.

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
///
/// Computes `N` blocks at once, of which the second counter word ascends by one, so that the
/// compiler can put them side by side in vectors.
#[inline(always)]
pub(super) fn blocks<const N: usize>(key: [u32; 2], counter: [u32; 4]) -> [[u32; N]; 4] {
    const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
    const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
    let mut c = counter.map(|word| [word; N]);
    for (lane, word) in c[1].iter_mut().enumerate() {
        *word = word.wrapping_add(lane as u32);
    }
    let mut key = key;
    for _ in 0..10 {
        let mut next = [[0; N]; 4];
        for lane in 0..N {
            let first = u64::from(MULTIPLIERS[0]) * u64::from(c[0][lane]);
            let second = u64::from(MULTIPLIERS[1]) * u64::from(c[2][lane]);
            next[0][lane] = (second >> 32) as u32 ^ c[1][lane] ^ key[0];
            next[1][lane] = second as u32;
            next[2][lane] = (first >> 32) as u32 ^ c[3][lane] ^ key[1];
            next[3][lane] = first as u32;
        }
        c = next;
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers of Random123, the authors' own implementation.
    #[test]
    fn known_answers() {
        let ones = u32::MAX;
        for (key, counter, answer) in [
            ([0; 2], [0; 4], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([ones; 2], [ones; 4], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0xa409_3822, 0x299f_31d0],
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ] {
            assert_eq!(blocks::<1>(key, counter), answer.map(|word| [word]));
        }
    }

    #[test]
    fn many_blocks_are_the_single_ones() {
        let many = blocks::<8>([1, 2], [3, u32::MAX - 2, 5, 6]);
        for lane in 0..8 {
            let word = (u32::MAX - 2).wrapping_add(lane as u32);
            let single = blocks::<1>([1, 2], [3, word, 5, 6]);
            assert_eq!(many.map(|words| words[lane]), single.map(|words| words[0]));
        }
    }
}
