//! Accuracy by order: the paper's figures 5 and 6, and ours.

use motifnet::experiment::paper::{Contestant, EntryResult, PaperResults};

use crate::Table;
use crate::chart::{Bar, BarChart, LineChart, Point, Series};
use crate::page::{Block, Section};

/// Fig. 5.
pub(super) fn undirected(results: &PaperResults) -> Section {
    let mut section = Section::new("figure-5", "ChebNet U and MotifNet-m (Fig. 5)");
    section.prose(
        "ChebNet knows the graph without direction; MotifNet-m attends to U, in, out, M5, M8 and M9. \
         The order is how many steps a layer sees.",
    );
    let contestants = [Contestant::ChebnetU, Contestant::MotifnetM];
    fill(&mut section, results, "accuracy-undirected", "Test accuracy by order", &contestants);
    section
}

/// Fig. 6.
pub(super) fn directed(results: &PaperResults) -> Section {
    let mut section = Section::new("figure-6", "Models that know the direction (Fig. 6)");
    section.prose(
        "ChebNet along the arcs (W) and against them (Wᵀ), MotifNet-d on all products of both, and \
         MotifNet-m.",
    );
    let contestants =
        [Contestant::ChebnetW, Contestant::ChebnetWt, Contestant::MotifnetD, Contestant::MotifnetM];
    let title = "Test accuracy by order, with direction";
    fill(&mut section, results, "accuracy-directed", title, &contestants);
    section
}

/// What the paper does not have.
pub(super) fn ours(results: &PaperResults) -> Section {
    let mut section = Section::new("ours", "Beside the paper: M10, selected operators, heads");
    section.prose(
        "Ours, not the paper's. M10, which the paper found relevant, was left out there because its matrix \
         is dense; here it is never multiplied out and costs no more than the others. The selected \
         operators are those of the section above. Several heads have an attention each, so that a \
         feature can be sent along the arcs by one and against them by another.",
    );
    let contestants =
        [Contestant::MotifnetM, Contestant::WithM10, Contestant::Selected, Contestant::Heads];
    let title = "Test accuracy by order, MotifNet-m and ours";
    let orders = orders(results, &contestants[1..]);
    match orders[..] {
        // One point is no line.
        [order] => {
            let bars = bars(results, &contestants, order);
            section.figure(bars.figure(), bars.table());
        }
        _ => fill(&mut section, results, "accuracy-ours", title, &contestants),
    }
    section
}

fn fill(
    section: &mut Section,
    results: &PaperResults,
    name: &str,
    title: &str,
    contestants: &[Contestant],
) {
    let mut series: Vec<Series> = Vec::new();
    for &contestant in contestants {
        let points = |value: fn(&EntryResult) -> Option<f64>, has_spread: bool| {
            let points = results.of(contestant).filter_map(|result| {
                let spread = result.test_accuracy_sd.filter(|_| has_spread);
                Some(Point { x: result.entry.order as f64, y: value(result)?, spread })
            });
            points.collect::<Vec<_>>()
        };
        let title = contestant.title();
        let found = points(|result| result.test_accuracy, true);
        let published = points(|result| result.published.test_accuracy, false);
        series.push(Series { name: title.clone(), points: found, dashed: false });
        if !published.is_empty() {
            let name = format!("{title}, the paper's");
            series.push(Series { name, points: published, dashed: true });
        }
    }
    series.retain(|series| !series.points.is_empty());
    let orders = orders(results, contestants);
    let chart = LineChart {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: spread(results),
        x_label: "order".to_owned(),
        y_label: "test accuracy".to_owned(),
        series,
        x_ticks: Some(orders.iter().map(|&p| (p as f64, p.to_string())).collect()),
        marker: None,
    };
    section.figure(chart.figure(), None);
    section.blocks.push(Block::Table(table(results, title, contestants, &orders)));
}

/// All orders that one of them was trained at, rising.
fn orders(results: &PaperResults, contestants: &[Contestant]) -> Vec<usize> {
    let orders = contestants.iter().flat_map(|&it| results.of(it)).map(|it| it.entry.order);
    let mut orders: Vec<usize> = orders.collect();
    orders.sort_unstable();
    orders.dedup();
    orders
}

/// How good they are at one order.
fn bars(results: &PaperResults, contestants: &[Contestant], order: usize) -> BarChart {
    let at = |&it: &Contestant| results.of(it).find(|result| result.entry.order == order);
    let bars = contestants.iter().filter_map(at).filter_map(|result| {
        let (value, spread) = (result.test_accuracy?, result.test_accuracy_sd);
        Some(Bar { label: result.title.clone(), value, spread })
    });
    BarChart {
        name: "accuracy-ours".to_owned(),
        title: format!("Test accuracy at order {order}, MotifNet-m and ours"),
        caption: spread(results),
        value_label: "test accuracy".to_owned(),
        bars: bars.collect(),
    }
}

/// What whiskers mean.
fn spread(results: &PaperResults) -> String {
    match results.n_splits {
        1 => "One split.".to_owned(),
        n => format!("The mean of {n} splits; whiskers are one standard deviation."),
    }
}

/// A row a contestant, and one of the paper's numbers where they belong to these data.
fn table(
    results: &PaperResults,
    title: &str,
    contestants: &[Contestant],
    orders: &[usize],
) -> Table {
    let columns: Vec<String> = orders.iter().map(|order| format!("order {order}")).collect();
    let caption = format!("{title}, in %");
    let mut table = Table::new(caption, ["model"], columns.iter().map(String::as_str));
    for &contestant in contestants {
        let at = |order: usize| results.of(contestant).find(|it| it.entry.order == order);
        let row = |name: String, cell: &dyn Fn(&EntryResult) -> String| {
            let cells = orders.iter().map(|&order| at(order).map_or_else(String::new, cell));
            [name].into_iter().chain(cells).collect::<Vec<String>>()
        };
        table.row(row(contestant.title(), &accuracy));
        let published = |it: &EntryResult| it.published.test_accuracy;
        if results.of(contestant).any(|it| published(it).is_some()) {
            let cell = |it: &EntryResult| published(it).map_or_else(String::new, percent);
            table.row(row(format!("{}, the paper's", contestant.title()), &cell));
        }
    }
    table
}

fn accuracy(result: &EntryResult) -> String {
    match (result.test_accuracy, result.test_accuracy_sd) {
        (Some(mean), Some(sd)) => format!("{} ± {}", percent(mean), percent(sd)),
        (Some(mean), None) => percent(mean),
        (None, _) => "–".to_owned(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}
