//! The Python package `motifnet`: converts and delegates.
//!
//! Functions take plain arrays and words and give plain arrays back; what is pleasant to call is Python's
//! part, in `python/motifnet`. Long work runs through [`work::run`], which lets go of the interpreter,
//! tells progress and hears Ctrl-C.
//!
//! ```text
//! arrays   NumPy and Arrow arrays → slices, and vectors → NumPy arrays, without a copy where it can be
//! errors   errors of the library → Python's exceptions, with the same text
//! work     long work: the interpreter free, progress told, Ctrl-C heard
//! graph, motifs, operator, cluster, fit, model   the library, one file a stage
//! command  the command line
//! ```

#![forbid(unsafe_code)]

mod arrays;
mod cluster;
mod command;
mod errors;
mod explain;
mod features;
mod fit;
mod graph;
mod model;
mod motifs;
mod operator;
mod settings;
mod significance;
mod work;

/// The part of the package that is Rust; use `motifnet`.
#[pyo3::pymodule]
mod _motifnet {
    #[pymodule_export]
    use super::cluster::{Clusters, cluster_defaults, motif_clusters};
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::explain::Explained;
    #[pymodule_export]
    use super::fit::{Fit, fit};
    #[pymodule_export]
    use super::graph::Graph;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::motifs::{
        edge_counts, motif_instances, motif_matrices, motif_table, node_counts, role_counts,
        triad_census,
    };
    #[pymodule_export]
    use super::operator::{Operator, motif_operators};
    #[pymodule_export]
    use super::settings::{default_settings, setting_keys};
    #[pymodule_export]
    use super::significance::{Compared, motif_significance, significance_defaults};
    #[pymodule_export]
    use super::work::set_threads;

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        motifnet::io::silence_caught_panics();
        Ok(())
    }
}
