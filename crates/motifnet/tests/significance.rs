//! Known significance of real graphs.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{data_folder, skip};
use motifnet::graph::{ReadOptions, read_graph};
use motifnet::motif::{
    MotifEngine, MotifKind, NullModel, Significance, SignificanceConfig, significance,
};
use motifnet::progress::Silent;

fn found(folder: &str, null: NullModel, n_samples: usize) -> Option<Significance> {
    let path = data_folder()?.join(folder);
    let loaded = read_graph(&path, &ReadOptions::default(), &Silent).unwrap();
    let engine = MotifEngine::new(&loaded.graph);
    let config = SignificanceConfig { null, n_samples, seed: 1, ..Default::default() };
    Some(significance(&engine, &config, &Silent).unwrap())
}

/// Milo et al. (2002) report 40 feed-forward loops against 7 ± 3 in their copy of this network, z = 10;
/// graph-tool 2.45 finds 42 against 7.66 ± 3.02 in 1,000 samples of this one, z = 11.4.
#[test]
fn the_loops_of_ecoli_are_ten_deviations_from_chance() {
    let Some(found) = found("ecoli", NullModel::Degree, 1000) else { return skip() };
    let loops = found.class(MotifKind::M5);
    assert_eq!(loops.count, 42);
    assert!((loops.mean - 7.6).abs() < 0.5, "{loops:?}");
    assert!((loops.sd - 3.1).abs() < 0.4, "{loops:?}");
    assert!(loops.z.is_some_and(|z| (z - 11.1).abs() < 1.5), "{loops:?}");
    assert_eq!(loops.p_more, 1.0 / 1001.0);
    let mixing = found.mixing.unwrap();
    assert!(!mixing.is_poor() && mixing.acceptance > 0.3, "{mixing:?}");
}

/// The neurons of C. elegans have more wedges of two mutual pairs than their degrees give, but only since they have more mutual
/// pairs: given those, there are fewer.
#[test]
fn mutual_pairs_explain_what_degrees_do_not() {
    let Some(degree) = found("celegans", NullModel::Degree, 100) else { return skip() };
    let both = found("celegans", NullModel::DegreeReciprocal, 100).unwrap();
    let z = |found: &Significance| found.class(MotifKind::M13).z.unwrap();
    assert!(z(&degree) > 5.0 && z(&both) < -5.0, "{} {}", z(&degree), z(&both));
}
