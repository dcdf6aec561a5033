use crate::support::Folder;

fn help(words: &str) -> String {
    // Editors strip blanks at the ends of lines, so the snapshots have none.
    let text = Folder::new().ok(words);
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn every_command_explains_itself() {
    for (name, words) in [
        ("help", "--help"),
        ("help_reproduce", "reproduce --help"),
        ("help_inspect", "inspect --help"),
        ("help_census", "census --help"),
        ("help_motifs", "motifs --help"),
        ("help_significance", "significance --help"),
        ("help_cluster", "cluster --help"),
        ("help_train", "train --help"),
        ("help_evaluate", "evaluate --help"),
        ("help_predict", "predict --help"),
        ("help_embed", "embed --help"),
        ("help_explain", "explain --help"),
        ("help_config", "config --help"),
        ("help_compare", "compare --help"),
        ("help_report", "report --help"),
        ("help_generate", "generate --help"),
        ("help_generate_rmat", "generate rmat --help"),
        ("help_generate_er", "generate er --help"),
        ("help_generate_dsbm", "generate dsbm --help"),
        ("help_generate_citation", "generate citation --help"),
    ] {
        let said = help(words);
        insta::assert_snapshot!(name, said);
    }
}

#[cfg(feature = "fetch")]
#[test]
fn so_does_what_fetches() {
    for (name, words) in [
        ("help_data", "data --help"),
        ("help_data_list", "data list --help"),
        ("help_data_where", "data where --help"),
        ("help_data_fetch", "data fetch --help"),
    ] {
        let said = help(words);
        insta::assert_snapshot!(name, said);
    }
}

#[test]
fn the_short_help_is_short() {
    let said = help("motifs -h");
    insta::assert_snapshot!("short_help_motifs", said);
}

#[test]
fn the_version_is_that_of_the_package() {
    let expected = format!("motifnet {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(Folder::new().ok("--version"), expected);
}
