//! How many lengths a list of them has, in Parquet's DELTA_BINARY_PACKED form.

/// The number of values that a list declares; goes on to what follows it. `None` if it is damaged.
pub(super) fn n_lengths(bytes: &mut &[u8]) -> Option<u64> {
    let block_size = varint(bytes)?;
    let n_parts = varint(bytes)?;
    let n_values = varint(bytes)?;
    let _first = varint(bytes)?;
    let part_size = block_size.checked_div(n_parts)?;
    if part_size == 0 || !part_size.is_multiple_of(32) {
        return None;
    }
    // The first stands in the head.
    let mut left = n_values.saturating_sub(1);
    while left > 0 {
        let _least = varint(bytes)?;
        let widths = bytes.split_off(..usize::try_from(n_parts).ok()?)?;
        for &width in widths {
            // The last block ends with its last part that has values.
            if left == 0 {
                break;
            }
            let length = u128::from(part_size) * u128::from(width) / 8;
            bytes.split_off(..usize::try_from(length).ok()?)?;
            left = left.saturating_sub(part_size);
        }
    }
    Some(n_values)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_walked_over_to_its_end() {
        // Blocks of 128 values in four parts: 34 values from 7 on, a bit each, and two bits in the next part.
        let mut list = vec![0x80, 1, 4, 34, 14, 2, 1, 2, 0, 0];
        list.extend([0xff; 4]);
        list.extend([0; 8]);
        list.extend(b"rest");
        let mut bytes = &list[..];
        assert_eq!(n_lengths(&mut bytes), Some(34));
        assert_eq!(bytes, b"rest");
        let mut cut = &list[..14];
        assert_eq!(n_lengths(&mut cut), None);
    }

    #[test]
    fn as_many_as_no_bytes_could_hold_are_told_all_the_same() {
        // 2⁴⁰ equal values: no bits, but a width a part.
        let mut bytes: &[u8] = &[0x80, 1, 4, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0];
        assert_eq!(n_lengths(&mut bytes), None);
        let mut bytes: &[u8] = &[0x80, 1, 0, 1, 0];
        assert_eq!(n_lengths(&mut bytes), None);
    }
}
