//! Distinct strings, numbered by first appearance: block by block, then over all blocks.
//!
//! Strings are dealt to shards by their hash. A shard of one block is small, and the same shard of
//! all blocks can be united without a look at the others: so nearly all work is done within a
//! core's cache, and in parallel.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::graph::StringTable;

const SHARD_BITS: u32 = 6;

/// Distinct strings, numbered by first appearance.
#[derive(Default)]
pub(super) struct Interner {
    /// None or 2⁶.
    shards: Vec<Shard>,
    /// Where the string of each number is.
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    shard: u8,
    place: u32,
}

impl Interner {
    /// The number of `text`, a new one if it was not met before.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        if self.shards.is_empty() {
            self.shards.resize_with(1 << SHARD_BITS, Shard::default);
        }
        let hash = FxBuildHasher.hash_one(text);
        let shard = (hash >> (u64::BITS - SHARD_BITS)) as u8;
        // Past 2³² − 1 names the numbers are wrong, but building the graph refuses as many.
        let number = self.places.len() as u32;
        let strings = &mut self.shards[usize::from(shard)];
        let (place, is_new) = strings.intern(text, hash as u32);
        if is_new {
            strings.numbers.push(number);
            self.places.push(Place { shard, place });
        }
        strings.numbers[place as usize]
    }

    /// Gives back what only further strings would need.
    pub(super) fn shrink(&mut self) {
        self.shards.iter_mut().for_each(|shard| shard.slots = HashTable::new());
        self.places.shrink_to_fit();
    }

    /// All strings in order of first appearance, one interner after another, and for each interner
    /// the numbers of its strings among all.
    pub(super) fn unite(interners: &[Self]) -> (StringTable, Vec<Vec<u32>>) {
        let united: Vec<(usize, Vec<Vec<u32>>)> = (0..1 << SHARD_BITS)
            .into_par_iter()
            .map(|shard| unite_shard(interners, shard))
            .collect();
        const UNSEEN: u32 = u32::MAX;
        let mut number_of: Vec<Vec<u32>> =
            united.iter().map(|(n_strings, _)| vec![UNSEEN; *n_strings]).collect();
        let mut names = StringTable::default();
        let mut number = |block: usize, interner: &Self, at: Place| {
            let (shard, place) = (usize::from(at.shard), at.place as usize);
            let number = &mut number_of[shard][united[shard].1[block][place] as usize];
            if *number == UNSEEN {
                *number = names.push(interner.shards[shard].table.get(place)) as u32;
            }
            *number
        };
        let numbers = interners
            .iter()
            .enumerate()
            .map(|(block, interner)| {
                interner.places.iter().map(|&at| number(block, interner, at)).collect()
            })
            .collect();
        (names, numbers)
    }
}

/// Number of distinct strings in one shard of all interners, and for each interner the place of its
/// strings among them.
fn unite_shard(interners: &[Interner], shard: usize) -> (usize, Vec<Vec<u32>>) {
    let mut all = Shard::default();
    let places = interners
        .iter()
        .map(|interner| match interner.shards.get(shard) {
            None => Vec::new(),
            Some(shard) => {
                let strings = shard.table.iter().zip(&shard.hashes);
                strings.map(|(text, &hash)| all.intern(text, hash).0).collect()
            }
        })
        .collect();
    (all.table.len(), places)
}

/// Strings whose hashes begin alike.
#[derive(Default)]
struct Shard {
    table: StringTable,
    /// The hash of each string; kept so that neither growing nor uniting computes it again.
    hashes: Vec<u32>,
    /// The number of each string in its interner.
    numbers: Vec<u32>,
    slots: HashTable<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    place: u32,
}

impl Shard {
    /// The place of `text`, and whether it is new.
    fn intern(&mut self, text: &str, hash: u32) -> (u32, bool) {
        let Self { table, hashes, slots, .. } = self;
        let n_strings = table.len();
        let entry = slots.entry(
            spread(hash),
            |slot| slot.hash == hash && table.get(slot.place as usize) == text,
            |slot| spread(slot.hash),
        );
        let new = || {
            hashes.push(hash);
            Slot { hash, place: table.push(text) as u32 }
        };
        let place = entry.or_insert_with(new).get().place;
        (place, place as usize == n_strings)
    }
}

/// A table of 2³² slots and fewer needs no more bits of a hash, but it needs them far apart.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interner(strings: &[&str]) -> Interner {
        let mut interner = Interner::default();
        strings.iter().for_each(|string| {
            interner.intern(string);
        });
        interner
    }

    #[test]
    fn strings_are_numbered_by_first_appearance() {
        let mut interner = Interner::default();
        let numbers: Vec<u32> = ["b", "a", "b", "", "a"].map(|text| interner.intern(text)).into();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn united_strings_keep_the_order_of_first_appearance() {
        let parts = [interner(&["x", "b"]), Interner::default(), interner(&["a", "b", "c", "x"])];
        let (names, numbers) = Interner::unite(&parts);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["x", "b", "a", "c"]);
        assert_eq!(numbers, [vec![0, 1], vec![], vec![2, 1, 3, 0]]);
    }
}
