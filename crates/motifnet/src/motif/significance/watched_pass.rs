//! The pass over a sample's triangles, which may be left before its end.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::graph::DiGraph;
use crate::motif::MotifEngine;
use crate::progress::{Progress, Unit};

/// What unwinds a pass that is to stop.
struct Left;

/// Looks whether the pass is to stop wherever it reports.
struct Lookout<'a> {
    is_to_stop: &'a (dyn Fn() -> bool + Sync),
}

impl Progress for Lookout<'_> {
    fn begin(&self, _: &str, _: Option<u64>, _: Unit) {}

    fn advance(&self, _: u64) {
        if (self.is_to_stop)() {
            resume_unwind(Box::new(Left));
        }
    }

    fn end(&self) {}
}

/// Counts the triangles of a sample; `None` if it was to stop on the way.
pub(super) fn count<'g>(
    sample: &'g DiGraph,
    is_to_stop: &(dyn Fn() -> bool + Sync),
) -> Option<MotifEngine<'g>> {
    let pass = || MotifEngine::with_progress(sample, &Lookout { is_to_stop });
    // What the pass has made is its own, so nothing is left half done.
    match catch_unwind(AssertUnwindSafe(pass)) {
        Ok(engine) => Some(engine),
        Err(payload) if payload.is::<Left>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::graph::EdgeList;

    #[test]
    fn a_pass_is_left_wherever_it_reports() {
        let arcs = (0..300_u32).flat_map(|node| [1, 2].map(|step| (node, (node + step) % 300)));
        let graph = DiGraph::build(EdgeList::from_pairs(300, arcs), &Default::default());
        let (graph, _) = graph.unwrap();
        let n_looks = AtomicUsize::new(0);
        let left_after = |most: usize| {
            n_looks.store(0, Ordering::Relaxed);
            count(&graph, &|| n_looks.fetch_add(1, Ordering::Relaxed) >= most).is_none()
        };
        assert!(!left_after(usize::MAX));
        let n_whole = n_looks.load(Ordering::Relaxed);
        assert!(n_whole > 1);
        assert!([0, 1, n_whole - 1].map(left_after).iter().all(|&is_left| is_left));
    }
}
