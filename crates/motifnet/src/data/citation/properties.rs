//! What holds of every generated citation graph.

use proptest::prelude::*;

use super::*;
use crate::data::{Features, read_dataset};
use crate::progress::Silent;

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Draws the arcs as they come, before a graph would hide loops and repeats.
fn raw_arcs(config: &CitationConfig, seed: u64) -> Vec<(u32, u32)> {
    config.check().unwrap();
    let streams = Streams::new(seed, "citation");
    let topics = Topics::draw(config, &streams);
    let papers = Papers::draw(config, &topics, &streams);
    arcs::draw(config, &topics, &papers, &streams)
}

fn check(config: &CitationConfig, seed: u64) {
    let n_nodes = config.n_nodes;
    let mut arcs = raw_arcs(config, seed);
    let n_drawn = arcs.len();
    arcs.sort_unstable();
    arcs.dedup();
    assert_eq!(arcs.len(), n_drawn, "a repeated arc");
    assert!(arcs.iter().all(|(source, target)| source != target), "a loop");
    let forward = arcs.iter().filter(|(source, target)| source < target);
    for &(source, target) in forward {
        assert!(arcs.binary_search(&(target, source)).is_ok(), "{source} cites the future");
    }

    let data = generate(config, seed).unwrap();
    assert_eq!((data.graph.n_nodes(), data.graph.n_arcs()), (n_nodes, n_drawn));
    let nodes = 0..n_nodes as u32;
    let degree = |node| data.graph.out_neighbors(node).len() + data.graph.in_neighbors(node).len();
    assert!(nodes.clone().all(|node| degree(node) > 0), "a paper without arcs");
    assert_eq!(data.labels.n_classes(), config.n_classes);
    assert_eq!(data.labels.n_labelled(), n_nodes);
    assert!(data.labels.class_sizes().iter().all(|&size| size > 0), "an empty class");
    assert!(data.labels.classes().is_sorted());
    assert_eq!((data.fields.len(), data.years.len()), (config.n_classes, n_nodes));
    let mut fields = data.fields.clone();
    fields.dedup();
    assert!(fields.iter().copied().eq(0..config.n_fields as u32), "{:?}", data.fields);
    assert!(data.years.is_sorted());
    let last = config.first_year + config.n_years;
    assert!(data.years.iter().all(|year| (config.first_year..last).contains(year)));
    assert_eq!((data.words.n_rows(), data.words.n_columns()), (n_nodes, config.n_words));
    assert!(data.words.values().iter().all(|&value| value == 1.0));
    for node in 0..n_nodes {
        let (words, _) = data.words.row(node);
        assert!(!words.is_empty() && words.is_sorted_by(|a, b| a < b), "{words:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_size_makes_a_citation_graph(n_nodes in 10_usize..400, seed: u64) {
        check(&CitationConfig::of_size(n_nodes), seed);
    }

    #[test]
    fn any_parameters_make_a_citation_graph(
        n_nodes in 10_usize..120,
        classes in 0.0..1.0_f64,
        fields in 0.0..1.0_f64,
        shares in prop::array::uniform12(0.0..=1.0_f64),
        recency in 0.0..20.0_f64,
        seed: u64,
    ) {
        let n_classes = 1 + (classes * (n_nodes - 1) as f64) as usize;
        let [a, b, c, d, e, f, g, h, i, j, k, l] = shares;
        check(&CitationConfig {
            n_classes,
            n_fields: 1 + (fields * (n_classes - 1) as f64) as usize,
            n_words: 20,
            overlap: a,
            field_preference: b,
            crossing: c,
            novelty: d,
            focus: e,
            no_references: f,
            closure: g,
            closure_down: h,
            recency,
            answer_window: i,
            reciprocity: j,
            topical_words: k,
            closure_across: l,
            ..CitationConfig::of_size(n_nodes)
        }, seed);
    }
}

#[test]
fn threads_do_not_change_the_bits() {
    let run = || generate(&CitationConfig::of_size(3000), 5).unwrap();
    let alone = on_threads(1, run);
    assert!(alone == on_threads(2, run) && alone == on_threads(4, run));
    assert!(alone != generate(&CitationConfig::of_size(3000), 6).unwrap());
}

#[test]
fn the_defaults_grow_with_the_papers() {
    let default = CitationConfig::default();
    assert_eq!((default.n_nodes, default.n_classes), (2000, 10));
    let like_cora = CitationConfig::of_size(19_793);
    assert_eq!((like_cora.n_classes, like_cora.n_words), (70, 8710));
    let sizes = generate(&like_cora, 1).unwrap().labels.class_sizes();
    // CORA-full has from 15 to 928.
    let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
    assert!((5..60).contains(least) && (700..1200).contains(most), "{sizes:?}");
}

#[test]
fn a_closed_triangle_and_a_topic_are_what_the_parameters_say() {
    let config = |closure, crossing| CitationConfig {
        closure,
        crossing,
        overlap: 0.0,
        ..CitationConfig::of_size(2000)
    };
    let triangles = |config: &CitationConfig| {
        let graph = generate(config, 3).unwrap().graph;
        crate::motif::MotifEngine::new(&graph).n_triangles()
    };
    assert!(triangles(&config(0.8, 0.1)) > 2 * triangles(&config(0.0, 0.1)));
    let agreement = |crossing| {
        let data = generate(&config(0.0, crossing), 3).unwrap();
        let same = data.graph.arcs().filter(|&(a, b, _)| data.labels.of(a) == data.labels.of(b));
        same.count() as f64 / data.graph.n_arcs() as f64
    };
    // Without crossings only the first papers of a topic, and the lonely, cite another.
    assert!(
        agreement(0.0) > 0.97 && agreement(1.0) < 0.5,
        "{}, {}",
        agreement(0.0),
        agreement(1.0)
    );
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/citations");
    let data = generate(&CitationConfig::of_size(200), 9).unwrap();
    data.write_dataset(&path).unwrap();
    let read = read_dataset(&path, &Silent).unwrap();
    assert_eq!(read.name, "citations");
    assert_eq!(read.graph, data.graph);
    assert_eq!(read.labels, data.labels);
    assert_eq!(read.features, Features::Sparse(data.words.clone()));
    assert_eq!(read.split.unwrap().to_string(), "10/10/10");
    let table = std::fs::read_to_string(path.join("nodes.csv")).unwrap();
    assert!(table.starts_with("node,topic,year\n0,topic-"), "{table}");
    // Written again, the same bytes.
    let before = std::fs::read(path.join("words.npz")).unwrap();
    data.write_dataset(&path).unwrap();
    assert_eq!(std::fs::read(path.join("words.npz")).unwrap(), before);
}

#[test]
fn what_cannot_be_written_whole_leaves_the_data_set_that_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let data = generate(&CitationConfig::of_size(20), 9).unwrap();
    data.write_dataset(folder.path()).unwrap();
    let names = ["arcs.tsv", "nodes.csv", "dataset.toml"];
    let before = names.map(read);
    std::fs::remove_file(folder.path().join("words.npz")).unwrap();
    std::fs::create_dir(folder.path().join("words.npz")).unwrap();
    let other = generate(&CitationConfig::of_size(30), 9).unwrap();
    assert!(other.write_dataset(folder.path()).is_err());
    assert_eq!(names.map(read), before);
}

#[test]
fn a_data_set_is_written_by_one_process_at_a_time_and_not_over_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("citations");
    let data = generate(&CitationConfig::of_size(20), 9).unwrap();
    let claim = crate::io::FolderClaim::take(&path).unwrap();
    for said in [
        data.write_dataset(&path).unwrap_err().to_string(),
        data.write_new_dataset(&path).unwrap_err().to_string(),
    ] {
        assert!(said.contains("is at work in this folder"), "{said}");
    }
    drop(claim);
    data.write_new_dataset(&path).unwrap();
    assert!(!path.join(".lock").exists());
    let said = data.write_new_dataset(&path).unwrap_err().to_string();
    assert!(said.starts_with("there is something in "), "{said}");
}

#[cfg(unix)]
#[test]
fn a_data_set_is_not_written_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let (path, secret) = (folder.path().join("citations"), folder.path().join("secret"));
    let data = generate(&CitationConfig::of_size(20), 9).unwrap();
    for name in ["arcs.tsv", "nodes.csv", "words.npz", "dataset.toml"] {
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(&secret, "mine").unwrap();
        std::os::unix::fs::symlink(&secret, path.join(name)).unwrap();
        let said = data.write_dataset(&path).unwrap_err().to_string();
        assert!(said.contains("is a link"), "{said}");
        assert_eq!(std::fs::read_to_string(&secret).unwrap(), "mine");
        std::fs::remove_dir_all(&path).unwrap();
    }
}

#[test]
fn nonsense_is_refused_with_what_is_possible() {
    let message = |change: fn(&mut CitationConfig)| {
        let mut config = CitationConfig::default();
        change(&mut config);
        generate(&config, 0).unwrap_err().to_string()
    };
    insta::assert_snapshot!(message(|config| config.n_nodes = 9), @"9 nodes: a citation graph has 10 to 4294967295");
    insta::assert_snapshot!(message(|config| config.n_classes = 0), @"0 classes of 2000 nodes: there must be at least 1, and a node for each");
    insta::assert_snapshot!(message(|config| config.n_classes = 2001), @"2001 classes of 2000 nodes: there must be at least 1, and a node for each");
    insta::assert_snapshot!(message(|config| config.n_fields = 11), @"11 fields of 10 classes: there must be at least 1, and a class for each");
    insta::assert_snapshot!(message(|config| config.n_words = 0), @"a vocabulary of 0 words: it has 1 to 4294967295");
    insta::assert_snapshot!(message(|config| config.n_years = 0), @"1980 and 0 years: there must be at least 1, and the last at most 9999");
    insta::assert_snapshot!(message(|config| config.closure = 1.5), @"closure is 1.5: it lies between 0 and 1");
    insta::assert_snapshot!(message(|config| config.recency = f64::NAN), @"recency is NaN: it lies between 0 and 100");
}

#[test]
fn the_stream_has_not_changed() {
    let arcs = raw_arcs(&CitationConfig::of_size(100), 42);
    let told: Vec<String> = arcs.iter().take(6).map(|(a, b)| format!("{a}>{b}")).collect();
    insta::assert_snapshot!(told.join(" "), @"3>2 3>0 4>1 4>0 4>2 4>3");
}
