//! Known public data sets: what they are, where they are kept, how they are brought here.
//!
//! ```text
//! name → find → KnownDataset (address, size, licence, SHA-256)
//! KnownDataset + folder → fetch → files checked by their hashes, dataset.toml beside them
//! name → resolve → that folder, for whoever reads data sets
//! ```
//!
//! The list is `catalog.toml` beside this file. A file whose hash the list does not have is
//! believed at its first fetch; its hash is then kept in `fetched.toml` and checked ever after.

#[cfg(feature = "fetch")]
mod fetch;
mod home;
mod known;

#[cfg(feature = "fetch")]
pub use fetch::{
    FetchError, FetchOptions, FetchedDataset, FetchedFile, Mirror, MirrorError, Origin, fetch,
};
pub use home::{NoDataHome, data_home, fetch_hint, resolve};
pub use known::{KnownDataset, KnownFile, UnknownDataset, find, known};
