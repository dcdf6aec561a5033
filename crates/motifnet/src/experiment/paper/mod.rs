//! The evaluation of the MotifNet paper (Monti, Otness, Bronstein, 2018), on any data set.
//!
//! ```text
//! PaperPlan → Entry (a contestant at an order) → PaperRun (trainings, each kept) → PaperResults
//!                                                  Selection (of operators), Claim (tested)
//! ```

mod claim;
mod contestant;
mod entry;
mod entry_folder;
mod error;
mod plan;
mod published;
mod results;
mod run;
mod selection;
mod table;

pub use claim::{Claim, Duel, Verdict};
pub use contestant::{Contestant, HEADS};
pub use entry::Entry;
pub use error::PaperError;
pub use plan::{Extent, PaperPlan};
pub use published::{Published, is_cora_full};
pub use results::{EntryResult, PaperResults};
pub use run::{PLAN_FILE, PaperRun};
pub use selection::Selection;
