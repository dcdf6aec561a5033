use crate::support::Folder;

/// A folder with a run of MotifNet-m on two splits, `m`, and one of label propagation, `l`.
fn runs() -> Folder {
    let folder = Folder::new();
    folder.ok("generate dsbm --blocks 40,40 --connect '0.2,0.02;0.02,0.2' --seed 1 --labels l.csv -o a.tsv");
    folder.put(
        "dataset.toml",
        "name = 'two'\narcs = 'a.tsv'\nlabels = 'l.csv#block'\nfeatures = 'one-hot'\nsplit = '30/20/50'\n",
    );
    for (model, run) in [("motifnet-m", "m"), ("labelprop", "l")] {
        folder.ok(&format!(
            "train . --model {model} --repeat 2 --epochs 20 --width 8 --max-features 20 --out {run}"
        ));
    }
    folder
}

#[test]
fn a_run_becomes_a_page_and_pictures() {
    let folder = runs();
    let found = folder.json("report m --node 3 --figures pictures");
    assert_eq!(found["file"], "m/report.html");
    let html = folder.text("m/report.html");
    assert_eq!(found["n_bytes"], html.len());
    assert_eq!(found["notes"].as_array().map(Vec::len), Some(0), "{found:#}");
    for text in [
        "<title>motifnet-m on two</title>",
        "Test accuracy",
        "mean ± standard deviation of 2 splits",
        "direction",
        "id=\"loss\"",
        "id=\"confusion\"",
        "id=\"attention-conv1-order-1\"",
        "id=\"node-3\"",
        "max_columns = 20",
    ] {
        assert!(html.contains(text), "{text}");
    }
    let figures = found["figures"].as_array().unwrap();
    assert_eq!(found["n_figures"], figures.len());
    assert!(figures.len() >= 8, "{found:#}");
    for figure in figures {
        let [svg, png] = ["svg", "png"].map(|kind| folder.path(figure[kind].as_str().unwrap()));
        assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg xmlns="));
        assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    }
}

/// The same run gives the same page, on any number of threads.
#[test]
fn a_page_has_nothing_of_chance() {
    let folder = runs();
    folder.ok("report m -o a.html --threads 1");
    folder.ok("report m -o b.html --threads 3");
    assert!(folder.text("a.html") == folder.text("b.html"), "two pages of a run differ");
}

#[test]
fn several_runs_become_one_page() {
    let folder = runs();
    let found = folder.json("report m l");
    assert_eq!(found["file"], "report.html");
    let html = folder.text("report.html");
    for text in ["2 runs on two", "Holm p", "model.name", "id=\"by-split\""] {
        assert!(html.contains(text), "{text}");
    }
    // Label propagation has no epochs, which is no reason to stop.
    assert_eq!(found["notes"][0], "There is no curve of l: the model learns without epochs");
}

#[test]
fn what_is_gone_is_told_and_the_rest_is_shown() {
    let folder = runs();
    std::fs::remove_file(folder.path("a.tsv")).unwrap();
    let found = folder.json("report m");
    let html = folder.text("m/report.html");
    assert!(html.contains("The data are not to be had"), "{html}");
    assert!(html.contains("They were two: 80 nodes"), "{html}");
    for id in ["loss", "attention-shares"] {
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert!(found["notes"].as_array().unwrap().len() >= 3, "{found:#}");
    for file in ["metrics.json", "split-01/history.jsonl", "split-01/model.toml"] {
        std::fs::remove_file(folder.path(&format!("m/{file}"))).unwrap();
    }
    folder.ok("report m -o rest.html");
    let html = folder.text("rest.html");
    assert!(html.contains("The run has no result: it has not come to its end"), "{html}");
    assert!(html.contains("There are no curves"));
}

#[test]
fn a_model_that_learns_nothing_has_a_page_too() {
    let folder = runs();
    folder.ok("report l");
    let html = folder.text("l/report.html");
    assert!(html.contains("labelprop on two") && html.contains("id=\"class-sizes\""), "{html}");
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let folder = runs();
    folder.put("empty/notes.txt", "");
    let commands = [
        "report",
        "report missing",
        "report empty",
        "report m m/",
        "report m l --node 3",
        "report m --node nobody",
        "report m missing",
        "report m -o nowhere/report.html",
        "report m --figures a.tsv",
    ];
    let said: String = commands.iter().map(|words| folder.refused(words)).collect();
    insta::assert_snapshot!(said);
}
