//! An explanation, for people and as JSON.

use motifnet::nn::{OperatorAttention, TermShare};
use motifnet::train::ModelKind;
use serde::Serialize;

use crate::report::Report;
use crate::table::{Side, Table};

/// What was explained.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ExplainReport {
    Model(ModelReport),
    Node(Box<NodeReport>),
}

/// What a model attends to.
#[derive(Serialize)]
pub(crate) struct ModelReport {
    pub(super) model: ModelKind,
    pub(super) operators: Vec<String>,
    /// Of motifnet-m.
    pub(super) attention: Vec<OperatorAttention>,
    /// Of motifnet-d and polynomial.
    pub(super) terms: Vec<TermShare>,
}

/// Why a node gets a class.
#[derive(Serialize)]
pub(crate) struct NodeReport {
    pub(super) node: String,
    pub(super) label: Option<String>,
    pub(super) class: String,
    pub(super) probability: f32,
    pub(super) probabilities: Vec<Share>,
    pub(super) logit: f64,
    /// What of it is the graph's; none where that cannot be told.
    pub(super) graph: Option<SplitReport>,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why_not: Option<String>,
}

/// What of a logit is the graph's.
#[derive(Serialize)]
pub(super) struct SplitReport {
    pub(super) logit_without_graph: f64,
    pub(super) shares: Vec<Share>,
    pub(super) gap: f64,
    pub(super) n_neighbours: usize,
    pub(super) neighbours: Vec<NeighbourReport>,
    pub(super) beyond: Vec<Share>,
}

#[derive(Serialize)]
pub(super) struct Share {
    pub(super) name: String,
    pub(super) value: f64,
}

#[derive(Serialize)]
pub(super) struct NeighbourReport {
    pub(super) node: String,
    pub(super) total: f64,
    pub(super) by_operator: Vec<Share>,
    pub(super) instances: Vec<InstanceReport>,
}

#[derive(Serialize)]
pub(super) struct InstanceReport {
    pub(super) motif: &'static str,
    pub(super) value: f64,
    pub(super) total: u64,
    /// The nodes that play the vertices of the motif.
    pub(super) triads: Vec<[String; 3]>,
}

impl Report for ExplainReport {
    fn text(&self) -> String {
        match self {
            Self::Model(report) => report.text(),
            Self::Node(report) => report.text(),
        }
    }
}

impl ModelReport {
    fn text(&self) -> String {
        if !self.attention.is_empty() {
            return self.attention_text();
        }
        if !self.terms.is_empty() {
            return self.terms_text();
        }
        let on = self.operators.join(", ");
        match self.operators.is_empty() {
            true => format!("{}: sees no graph\n", self.model),
            false => format!(
                "{}: works on {on} alone, so there is no choice to tell of; ask about a node with \
                 --node\n",
                self.model
            ),
        }
    }

    /// A row for every layer, head and order, a column for every operator.
    fn attention_text(&self) -> String {
        let places = [("layer", Side::Left), ("head", Side::Right), ("order", Side::Right)];
        let names = self.operators.iter().map(|name| (name.as_str(), Side::Right));
        let mut table = Table::new(places.into_iter().chain(names));
        for row in self.attention.chunks(self.operators.len()) {
            let [head, order] = [row[0].head, row[0].order].map(|number| number.to_string());
            let means = row.iter().map(|of| format!("{:.3}", of.mean));
            table.row([row[0].layer.clone(), head, order].into_iter().chain(means));
        }
        let even = 1.0 / self.operators.len() as f64;
        format!(
            "{}: mean attention over the features (evenly spread it would be {even:.3})\n\n{}",
            self.model,
            table.render()
        )
    }

    fn terms_text(&self) -> String {
        let columns = [("layer", Side::Left), ("term", Side::Left), ("share", Side::Right)];
        let mut table = Table::new(columns);
        for TermShare { layer, operators, share } in &self.terms {
            let word = operators.iter().map(|&at| self.operators[at].as_str()).rev();
            let word = word.collect::<Vec<_>>().join("·");
            let word = if word.is_empty() { "own features".to_owned() } else { word };
            table.row([layer.clone(), word, format!("{share:.3}")]);
        }
        format!("{}: how large the weights of every term are\n\n{}", self.model, table.render())
    }
}

impl NodeReport {
    fn text(&self) -> String {
        let label = match &self.label {
            Some(label) if *label == self.class => ", which is its label".to_owned(),
            Some(label) => format!("; its label is {label}"),
            None => String::new(),
        };
        let others = self.probabilities.iter().filter(|other| other.name != self.class).take(2);
        let others = others.map(|other| format!("{} {:.3}", other.name, other.value));
        let others = others.collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "{}: {} with probability {:.3}{label} (then {others})\n",
            self.node, self.class, self.probability
        );
        text += &match &self.graph {
            Some(split) => split.text(&self.node, self.logit),
            None => {
                let why = self.why_not.as_deref().unwrap_or_default();
                format!("\nits logit is {:.3}; {why}\n", self.logit)
            }
        };
        text
    }
}

impl SplitReport {
    fn text(&self, node: &str, logit: f64) -> String {
        let change = logit - self.logit_without_graph;
        let mut text = format!(
            "\nlogit {logit:.3} = {:.3} without the graph {change:+.3} through it\n\n",
            self.logit_without_graph
        );
        let right = |name| (name, Side::Right);
        let columns = ["share", "of the change", "own neighbours", "beyond"].map(right);
        let mut table = Table::new([("operator", Side::Left)].into_iter().chain(columns));
        for (share, beyond) in self.shares.iter().zip(&self.beyond) {
            let part = match change {
                0.0 => "–".to_owned(),
                _ => format!("{:.1} %", 100.0 * share.value / change),
            };
            table.row([
                share.name.clone(),
                format!("{:+.3}", share.value),
                part,
                format!("{:+.3}", share.value - beyond.value),
                format!("{:+.3}", beyond.value),
            ]);
        }
        text += &table.render();
        if self.gap > 1e-3 * change.abs() {
            text += &format!("the shares miss the change by {:.1e}\n", self.gap);
        }
        text += &self.neighbours_text(node);
        text
    }

    fn neighbours_text(&self, node: &str) -> String {
        if self.neighbours.is_empty() {
            return "\nno neighbour did anything\n".to_owned();
        }
        let columns = [("neighbour", Side::Left), ("did", Side::Right), ("mostly by", Side::Left)];
        let mut table = Table::new(columns);
        for neighbour in &self.neighbours {
            let most = neighbour.by_operator.iter();
            let most = most.max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()));
            let most =
                most.map_or(String::new(), |share| format!("{} {:+.3}", share.name, share.value));
            let name = match neighbour.node == node {
                true => format!("{node} (itself)"),
                false => neighbour.node.clone(),
            };
            table.row([name, format!("{:+.3}", neighbour.total), most]);
        }
        let mut text = format!("\n{}", table.render());
        let n_left = self.n_neighbours - self.neighbours.len();
        if n_left > 0 {
            text += &format!("… and {n_left} more\n");
        }
        let mut lines = String::new();
        for neighbour in &self.neighbours {
            for InstanceReport { motif, total, triads, .. } in &neighbour.instances {
                let triads = triads.iter().map(|triad| format!("({})", triad.join(", ")));
                let triads = triads.collect::<Vec<_>>().join(" ");
                lines += &format!("  {}, {motif}: {triads}, {total} in all\n", neighbour.node);
            }
        }
        if !lines.is_empty() {
            text +=
                &format!("\nmotifs that tie {node} to them, by their vertices 0, 1, 2:\n{lines}");
        }
        text
    }
}
