//! Drawing keys until enough of them are distinct.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// Draws made from one stream.
pub(super) const BLOCK: usize = 1 << 16;

/// Too few distinct keys turned up.
pub(super) struct Stuck {
    pub(super) found: usize,
    pub(super) draws: u64,
}

/// The first `wanted` distinct keys of an endless sequence of draws, ascending.
///
/// `draw_block(number, count, keys)` appends what the first `count` draws (at most [`BLOCK`]) of
/// block `number` give: fewer keys if some draws are void. Gives up after `most_draws`.
/// Memory O(wanted).
pub(super) fn first_distinct(
    wanted: usize,
    most_draws: u64,
    draw_block: impl Fn(u64, usize, &mut Vec<u64>) + Sync,
) -> Result<Vec<u64>, Stuck> {
    let mut found: Vec<u64> = Vec::new();
    let mut next_block = 0_u64;
    let mut draws = 0_u64;
    while found.len() < wanted {
        if draws >= most_draws {
            return Err(Stuck { found: found.len(), draws });
        }
        let missing = wanted - found.len();
        // Whole blocks that cannot give too many are drawn at once and merged; only in the last
        // block does it matter which keys came first.
        let n_blocks = (missing / BLOCK) as u64;
        let fresh = if n_blocks > 0 {
            let mut drawn = draw_blocks(next_block, n_blocks, &draw_block);
            drawn.par_sort_unstable();
            drawn.dedup();
            next_block += n_blocks;
            draws += n_blocks * BLOCK as u64;
            drawn
        } else {
            // Not much more than is missing, yet enough to be worth the merge.
            let count = (2 * missing.max(found.len() / 16) + 64).min(BLOCK);
            let mut drawn = Vec::with_capacity(count);
            draw_block(next_block, count, &mut drawn);
            next_block += 1;
            draws += count as u64;
            let mut fresh = first_new(&drawn, &found, missing);
            fresh.sort_unstable();
            fresh
        };
        found = merge(found, fresh);
    }
    Ok(found)
}

fn draw_blocks(
    first: u64,
    n_blocks: u64,
    draw_block: &(impl Fn(u64, usize, &mut Vec<u64>) + Sync),
) -> Vec<u64> {
    let mut drawn = Vec::with_capacity(n_blocks as usize * BLOCK);
    let blocks: Vec<Vec<u64>> = (first..first + n_blocks)
        .into_par_iter()
        .map(|number| {
            let mut keys = Vec::with_capacity(BLOCK);
            draw_block(number, BLOCK, &mut keys);
            keys
        })
        .collect();
    for mut block in blocks {
        drawn.append(&mut block);
    }
    drawn
}

/// The first `limit` distinct keys of `drawn` that the ascending `found` lacks.
fn first_new(drawn: &[u64], found: &[u64], limit: usize) -> Vec<u64> {
    let mut seen = FxHashSet::default();
    let is_new = |key: &u64| found.binary_search(key).is_err() && seen.insert(*key);
    drawn.iter().copied().filter(is_new).take(limit).collect()
}

/// The union of two ascending lists.
fn merge(left: Vec<u64>, right: Vec<u64>) -> Vec<u64> {
    if left.is_empty() {
        return right;
    }
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.as_slice(), right.as_slice());
    while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
        merged.push(*a.min(b));
        if a <= b {
            left = left_rest;
        }
        if b <= a {
            right = right_rest;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_distinct_keys_are_kept() {
        // Block 0 holds 0..BLOCK/2 twice over, block 1 holds BLOCK, BLOCK + 1, …
        let draw = |block: u64, count: usize, keys: &mut Vec<u64>| {
            let half = BLOCK as u64 / 2;
            keys.extend((0..count as u64).map(|i| match block {
                0 => i % half,
                _ => block * BLOCK as u64 + i,
            }));
        };
        let found = first_distinct(BLOCK / 2 + 3, u64::MAX, draw).ok().unwrap();
        let tail = &found[BLOCK / 2..];
        assert_eq!(found[..BLOCK / 2], (0..BLOCK as u64 / 2).collect::<Vec<_>>());
        assert_eq!(tail, [BLOCK as u64, BLOCK as u64 + 1, BLOCK as u64 + 2]);
    }

    #[test]
    fn it_gives_up_when_nothing_new_comes() {
        let stuck = first_distinct(3, 1000, |_, _, keys| keys.extend([4, 5])).err().unwrap();
        assert_eq!(stuck.found, 2);
        assert!(stuck.draws >= 1000 && stuck.draws < 2000);
    }
}
