//! The page of a graph's motifs beside those of randomised graphs.

use motifnet::motif::{ClassSignificance, MotifKind, NullModel, Significance};

use crate::Table;
use crate::chart::{Bar, BarChart, LineChart, Point, Series};
use crate::drawing::motif_gallery;
use crate::numbers::{grouped, signed, value};
use crate::page::{Block, HeadlineNumber, Page, Section};

/// What the page is about.
pub struct SignificanceParts<'a> {
    /// What the graph is called.
    pub graph: String,
    /// Its nodes.
    pub n_nodes: usize,
    /// Its arcs.
    pub n_arcs: usize,
    /// What was found.
    pub found: &'a Significance,
}

/// The page of a graph's motifs beside those of randomised graphs: the profile first, then every number.
pub fn significance_page(parts: &SignificanceParts<'_>) -> Page {
    let found = parts.found;
    Page {
        title: format!("Motifs of {} beside chance", parts.graph),
        lead: format!(
            "{} nodes and {} arcs, and {} randomised graphs {}.",
            grouped(parts.n_nodes),
            grouped(parts.n_arcs),
            grouped(found.config.n_samples),
            kept(found.config.null),
        ),
        sections: vec![profile(parts), numbers(found), mixing(found)],
    }
}

/// What randomised graphs keep.
fn kept(null: NullModel) -> &'static str {
    match null {
        NullModel::Degree => "in which every node has its numbers of arcs in and out",
        NullModel::DegreeReciprocal => {
            "in which every node has its numbers of arcs in, out and both ways"
        }
        NullModel::Erdos => "with as many nodes and arcs",
    }
}

fn profile(parts: &SignificanceParts<'_>) -> Section {
    let found = parts.found;
    let mut section = Section::new("profile", "Significance");
    section.blocks.push(Block::Headline(headline(found)));
    let motifs = motifs(found);
    let points = motifs.iter().enumerate().map(|(at, class)| Point {
        x: at as f64 + 1.0,
        y: class.profile.unwrap_or(0.0),
        spread: None,
    });
    let ticks = motifs.iter().enumerate().map(|(at, class)| (at as f64 + 1.0, class.name().into()));
    let chart = LineChart {
        name: "significance-profile".into(),
        title: "Significance profile".into(),
        caption: "z of every motif, divided by the length of all thirteen: above zero there are more than \
                  chance gives, below fewer. Graphs of different sizes can be compared by it."
            .into(),
        x_label: "motif".into(),
        y_label: "normalised z".into(),
        series: vec![Series { name: parts.graph.clone(), points: points.collect(), dashed: false }],
        x_ticks: Some(ticks.collect()),
        marker: None,
    };
    section.figure(chart.figure(), chart.table());
    let bars = motifs.iter().map(|class| Bar {
        label: class.name().into(),
        value: class.z.unwrap_or(f64::NAN),
        spread: None,
    });
    let chart = BarChart {
        name: "z-scores".into(),
        title: "z scores".into(),
        caption: "How many standard deviations of the randomised graphs the count is away from their mean. \
                  A motif without a bar is as frequent in all of them."
            .into(),
        value_label: "z".into(),
        bars: bars.collect(),
    };
    section.figure(chart.figure(), chart.table());
    let figure = motif_gallery(
        "motifs",
        "The motifs",
        "The thirteen connected graphs of three nodes, each with its z.",
        |kind: MotifKind| found.class(kind).z.map(|z| format!("z {}", signed(z))),
    );
    section.figure(figure, None);
    section
}

fn motifs(found: &Significance) -> Vec<&ClassSignificance> {
    found.classes.iter().filter(|class| class.motif.is_some()).collect()
}

/// The most and the least frequent, measured by chance.
fn headline(found: &Significance) -> Vec<HeadlineNumber> {
    let motifs = motifs(found);
    let by_z = |a: &&&ClassSignificance, b: &&&ClassSignificance| a.z.partial_cmp(&b.z);
    let of = |label: &str, class: &ClassSignificance| HeadlineNumber {
        label: label.into(),
        value: format!("{}: z {}", class.name(), class.z.map_or("–".into(), signed)),
        note: format!(
            "{} against {} ± {}",
            value(class.count as f64),
            value(class.mean),
            value(class.sd)
        ),
    };
    let known = || motifs.iter().filter(|class| class.z.is_some());
    let most = known().max_by(|a, b| by_z(a, b).unwrap_or(std::cmp::Ordering::Equal));
    let least = known().min_by(|a, b| by_z(a, b).unwrap_or(std::cmp::Ordering::Equal));
    let most = most.map(|class| of("most beyond chance", class));
    most.into_iter().chain(least.map(|class| of("most short of chance", class))).collect()
}

fn numbers(found: &Significance) -> Section {
    let mut section = Section::new("numbers", "All numbers");
    let mut table = Table::new(
        format!("Counts of {} instances", found.instances()),
        ["motif", "triad"],
        ["count", "mean", "sd", "z", "p of as many or more", "p of as many or fewer", "profile"],
    );
    for class in &found.classes {
        table.row([
            class.name().to_owned(),
            class.triad.to_owned(),
            value(class.count as f64),
            value(class.mean),
            value(class.sd),
            class.z.map_or("–".into(), signed),
            value(class.p_more),
            value(class.p_less),
            class.profile.map_or("–".into(), signed),
        ]);
    }
    section.blocks.push(Block::Table(table));
    section.prose(format!(
        "p is the share of the randomised graphs, with the graph itself, that have as many or more (or fewer); with \
         {} of them it is no less than {}. Thirteen motifs are looked at: of p below 0.05, one in two graphs has one by \
         chance.",
        grouped(found.config.n_samples),
        value(found.resolution()),
    ));
    section
}

fn mixing(found: &Significance) -> Section {
    let mut section = Section::new("mixing", "How the graphs were randomised");
    let Some(mixing) = &found.mixing else {
        section.prose("Every graph is drawn on its own.");
        return section;
    };
    let autocorrelation = mixing.autocorrelation.map_or("–".into(), value);
    section.blocks.push(Block::Facts(vec![
        ("switches an arc between samples".into(), grouped(mixing.switches)),
        ("before the first sample of a chain".into(), grouped(10 * mixing.switches)),
        ("chains".into(), grouped(mixing.n_chains)),
        ("share of switches that changed the graph".into(), value(mixing.acceptance)),
        ("largest correlation of one sample and the next".into(), autocorrelation),
        ("that of noise alone, two standard errors".into(), value(mixing.noise)),
        ("seed".into(), found.config.seed.to_string()),
    ]));
    if mixing.is_stuck() {
        section.note(
            "No switch was possible: no other graph is like this one, so nothing can be said.",
        );
    } else if mixing.is_poor() {
        section.note(
            "Samples depend on those before them: spreads may be too small and z too large. Take more switches.",
        );
    }
    section
}
