//! How much memory there is, and whether what is planned fits.
//!
//! What grows with the input has an estimate beside the code that makes it: a [`Need`], which is checked
//! before any of it is made. What is refused says what wanted how much, how much there is, and what would
//! help ([`MemoryError`]).

mod available;
mod cgroup;
mod need;
mod process;
mod size;

pub use available::{available_memory, limit_memory};
pub use need::{MemoryError, Need};
pub use process::{ProcessMemory, own_memory};
pub use size::{MemorySize, SizeError};
