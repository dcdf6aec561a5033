//! What a graph lost when it was made simple.

use crate::io::text::plural;

/// What was dropped or merged on the way from an [`super::EdgeList`] to a
/// [`super::DiGraph`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cleaning {
    /// Arcs in the list, after symmetrising if that was asked for.
    pub arcs_read: u64,
    /// Arcs from a node to itself, dropped.
    pub self_loops: u64,
    /// Arcs merged into an earlier one with the same ends.
    pub repeated: u64,
    /// Arcs dropped since their weight (or the sum of their weights) is zero.
    pub zero_weight: u64,
    /// Arcs dropped since their weight is NaN, infinite or beyond what 32-bit numbers hold, which is read as infinite.
    pub not_finite_weight: u64,
    /// Arcs kept with the largest of 32-bit numbers, since the sum of their weights is beyond it.
    pub clamped_weight: u64,
}

impl Cleaning {
    /// Arcs that were dropped or merged in all.
    pub fn total(&self) -> u64 {
        self.self_loops + self.repeated + self.zero_weight + self.not_finite_weight
    }

    /// What was dropped or merged, in words; `None` if nothing was.
    ///
    /// ```
    /// use motifnet::graph::Cleaning;
    ///
    /// let cleaning = Cleaning { arcs_read: 9000, self_loops: 1, repeated: 1234, ..Cleaning::default() };
    /// let told = cleaning.describe();
    /// assert_eq!(told.as_deref(), Some("1 self-loop dropped, 1,234 repeated arcs merged"));
    /// ```
    pub fn describe(&self) -> Option<String> {
        let parts = [
            (self.self_loops, "self-loop", "self-loops", "dropped"),
            (self.repeated, "repeated arc", "repeated arcs", "merged"),
            (self.zero_weight, "arc of weight zero", "arcs of weight zero", "dropped"),
            (
                self.not_finite_weight,
                "arc whose weight is NaN or beyond what 32-bit numbers hold",
                "arcs whose weights are NaN or beyond what 32-bit numbers hold",
                "dropped",
            ),
            (
                self.clamped_weight,
                "arc whose weights add up to more than 32-bit numbers hold",
                "arcs whose weights add up to more than 32-bit numbers hold",
                "set to the largest",
            ),
        ];
        let told: Vec<String> = parts
            .into_iter()
            .filter(|&(count, ..)| count > 0)
            .map(|(count, one, many, fate)| format!("{} {fate}", plural(count, one, many)))
            .collect();
        (!told.is_empty()).then(|| told.join(", "))
    }
}
