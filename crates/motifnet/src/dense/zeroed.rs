//! Memory that begins on a cache line.

use memmap2::MmapMut;

use super::Scalar;

/// Where the numbers begin: at a multiple of as many bytes.
pub(super) const ALIGNMENT: usize = 64;
/// From this many bytes on the system is asked for huge pages: rows that are read here and there
/// otherwise miss their page's address as often as their own line, a sixth of a sweep's time.
const HUGE: usize = 2 << 20;

/// Numbers that are zero at first.
#[derive(Debug)]
pub(super) struct Zeroed<T> {
    length: usize,
    memory: Memory<T>,
}

#[derive(Debug)]
enum Memory<T> {
    /// The numbers begin at `start`.
    Heap {
        values: Vec<T>,
        start: usize,
    },
    Pages(MmapMut),
}

impl<T: Scalar> Zeroed<T> {
    pub(super) fn new(length: usize) -> Self {
        let pages =
            if length * size_of::<T>() >= HUGE { pages(length * size_of::<T>()) } else { None };
        let memory = pages.map_or_else(|| heap(length), Memory::Pages);
        Self { length, memory }
    }

    pub(super) fn as_slice(&self) -> &[T] {
        match &self.memory {
            Memory::Heap { values, start } => &values[*start..][..self.length],
            Memory::Pages(pages) => bytemuck::cast_slice(pages),
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Heap { values, start } => &mut values[*start..][..self.length],
            Memory::Pages(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}

fn heap<T: Scalar>(length: usize) -> Memory<T> {
    let spare = ALIGNMENT / size_of::<T>();
    let values = vec![T::default(); length + spare];
    let start = values.as_ptr().align_offset(ALIGNMENT).min(spare);
    Memory::Heap { values, start }
}

/// `None` where the system gives no pages of their own; whether they are huge is up to it.
fn pages(n_bytes: usize) -> Option<MmapMut> {
    let pages = MmapMut::map_anon(n_bytes).ok()?;
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_begin_on_a_line_and_are_zero() {
        for length in [0, 1, 1000, HUGE / 8, HUGE / 8 + 3] {
            let mut memory = Zeroed::<f64>::new(length);
            assert_eq!(memory.as_slice().len(), length);
            assert_eq!(memory.as_slice().as_ptr() as usize % ALIGNMENT, 0);
            assert!(memory.as_slice().iter().all(|&value| value == 0.0));
            memory.as_mut_slice().fill(2.0);
            assert!(memory.as_slice().iter().all(|&value| value == 2.0));
        }
    }
}
