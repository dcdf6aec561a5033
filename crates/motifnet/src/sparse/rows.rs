//! Sharing rows out among threads.

use std::ops::Range;

use rayon::prelude::*;

/// Cuts `0..prefix.len() - 1` into ranges of about equal work, given the running total of it.
///
/// A few rows often hold most of the work, so the cut goes by work and not by rows; there are
/// several ranges a thread, so that a slow one does not hold up the rest.
pub(crate) fn balanced_ranges(prefix: &[usize]) -> Vec<Range<usize>> {
    balanced_parts(prefix, rayon::current_num_threads() * 16)
}

/// The same in at most `n_ranges` ranges: where sums over them must not depend on the threads.
pub(crate) fn balanced_parts(prefix: &[usize], n_ranges: usize) -> Vec<Range<usize>> {
    let n_rows = prefix.len() - 1;
    let n_ranges = n_ranges.clamp(1, n_rows.max(1));
    let total = prefix[n_rows] - prefix[0];
    let mut ranges = Vec::with_capacity(n_ranges);
    let mut start = 0;
    for part in 1..=n_ranges {
        let goal = prefix[0] + (total as u128 * part as u128 / n_ranges as u128) as usize;
        let end = if part == n_ranges {
            n_rows
        } else {
            prefix.partition_point(|&work| work <= goal).saturating_sub(1).clamp(start, n_rows)
        };
        if start < end {
            ranges.push(start..end);
        }
        start = end;
    }
    ranges
}

/// Calls `fill(row, slots)` for every row in parallel, where row `r` owns the `width` slots
/// from `r · width` on; rows are shared out by `offsets`, the running total of their work.
pub(crate) fn fill_rows<T: Send>(
    offsets: &[usize],
    width: usize,
    slots: &mut [T],
    fill: impl Fn(usize, &mut [T]) + Sync,
) {
    assert_eq!(slots.len(), (offsets.len() - 1) * width, "one block of slots a row");
    if width == 0 {
        return;
    }
    let parts = split(balanced_ranges(offsets), slots, |row| row * width);
    parts.into_par_iter().for_each(|(rows, slots)| {
        for (row, slots) in rows.zip(slots.chunks_exact_mut(width)) {
            fill(row, slots);
        }
    });
}

/// Cuts `slots` at `position(row)` for the first row of every range.
pub(crate) fn split<T>(
    ranges: Vec<Range<usize>>,
    slots: &mut [T],
    position: impl Fn(usize) -> usize,
) -> Vec<(Range<usize>, &mut [T])> {
    let mut rest = slots;
    let mut taken = 0;
    let mut parts = Vec::with_capacity(ranges.len());
    for range in ranges {
        let end = position(range.end);
        let (part, tail) = rest.split_at_mut(end - taken);
        parts.push((range, part));
        rest = tail;
        taken = end;
    }
    parts
}

/// Turns counts into the running total that begins at 0; returns it one longer.
pub(crate) fn running_total(counts: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut total = 0;
    let mut offsets = vec![0];
    offsets.extend(counts.into_iter().map(|count| {
        total += count;
        total
    }));
    offsets
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_cover_every_row_once(work in prop::collection::vec(0usize..1000, 0..500)) {
            let prefix = running_total(work.iter().copied());
            let rows: Vec<usize> = balanced_ranges(&prefix).into_iter().flatten().collect();
            prop_assert_eq!(rows, (0..work.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_hub_stands_alone() {
        let mut work = vec![1; 1000];
        work[500] = 1_000_000;
        let ranges = balanced_ranges(&running_total(work));
        let hub = ranges.iter().find(|range| range.contains(&500)).unwrap();
        assert!(hub.len() <= 501, "{hub:?}");
    }
}
