use super::*;

fn parts(settings: &Settings) -> RunParts<'_> {
    let gone = || "it is gone".to_owned();
    RunParts {
        run: "runs/a<b>".to_owned(),
        settings,
        report: Err(gone()),
        repetition: 0,
        history: Err(gone()),
        dataset: Err(gone()),
        model: Err(gone()),
        predictor: Err(gone()),
        test_nodes: Err(gone()),
        explained: Vec::new(),
        drawing: None,
        progress: &motifnet::progress::Silent,
    }
}

#[test]
fn a_run_of_which_all_is_gone_has_a_page() {
    let settings = Settings::default();
    let page = run_page(&parts(&settings));
    assert_eq!(page.title, "motifnet-m on runs/a<b>");
    assert!(page.sections.iter().all(|section| !section.blocks.is_empty()), "{page:?}");
    let notes: Vec<&str> = page.notes().collect();
    assert_eq!(notes.len(), 6);
    assert!(notes.iter().all(|note| note.contains("it is gone")), "{notes:?}");
}

#[test]
fn curves_and_the_portion_of_the_graph_have_their_places() {
    let settings = Settings::default();
    let record = |epoch: usize| EpochRecord {
        epoch,
        train_loss: 1.0 / epoch as f64,
        train_accuracy: 0.5,
        val_loss: 1.0,
        val_accuracy: 0.25,
        is_best: epoch == 2,
    };
    let drawing = Figure {
        name: "portion".to_owned(),
        title: "A portion".to_owned(),
        caption: String::new(),
        description: String::new(),
        svg: "<svg></svg>".to_owned(),
    };
    let history = Ok((1..=3).map(record).collect());
    let page = run_page(&RunParts { history, drawing: Some(drawing), ..parts(&settings) });
    let names: Vec<&str> = page.figures().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["portion", "loss", "accuracy"]);
    let loss = page.figures().nth(1).unwrap();
    assert!(loss.svg.contains("kept: epoch 2"), "{}", loss.svg);
    assert!(
        loss.description.contains("training: from 1 at 1 to 0.3333 at 3"),
        "{}",
        loss.description
    );
}
