//! What the paper claims and what we ask, tested.

use serde::Serialize;

use super::contestant::Contestant;
use super::results::EntryResult;
use crate::choice::words;
use crate::experiment::holm::holm;
use crate::experiment::paired_test::PairedTest;
use crate::train::{RepeatReport, mean};

/// Below this a difference is beyond chance.
const LEVEL: f64 = 0.05;

/// Whether a claim holds on these data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Beyond chance in every comparison.
    Holds,
    /// Beyond chance in some comparisons.
    Partly,
    /// Beyond chance in none.
    Open,
    /// The opposite is beyond chance in some comparison, and the claim in none.
    Reversed,
}

words!(
    Verdict,
    "verdict",
    Holds = "holds",
    Partly = "holds in part",
    Open = "is not shown",
    Reversed = "does not hold",
);

/// One comparison behind a claim, split by split.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Duel {
    /// Who against whom.
    pub label: String,
    /// What the first has more, the mean over the splits.
    pub difference: f64,
    /// On how many splits it has more.
    pub n_ahead: usize,
    /// On how many splits they were compared.
    pub n_splits: usize,
    /// The test; none of one split.
    pub test: Option<PairedTest>,
    /// Its p, corrected by Holm for all duels of the claim.
    pub p_holm: Option<f64>,
}

impl Duel {
    fn new(label: String, differences: &[f64], ratio: f64) -> Self {
        Self {
            label,
            difference: mean(differences).unwrap_or(0.0),
            n_ahead: differences.iter().filter(|&&difference| difference > 0.0).count(),
            n_splits: differences.len(),
            test: PairedTest::new(differences, ratio),
            p_holm: None,
        }
    }

    /// Whether the difference is beyond chance.
    pub fn is_beyond_chance(&self) -> bool {
        self.p_holm.is_some_and(|p| p < LEVEL)
    }
}

/// A claim, the comparisons it stands on, and whether they bear it out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What is claimed.
    pub statement: String,
    /// Whether the paper does not claim it.
    pub is_ours: bool,
    /// The comparisons.
    pub duels: Vec<Duel>,
    /// Whether they bear it out.
    pub verdict: Verdict,
    /// What was found, in a sentence.
    pub finding: String,
}

impl Claim {
    /// All claims that the results have comparisons for.
    pub(super) fn all(results: &[EntryResult]) -> Vec<Self> {
        use Contestant::{ChebnetU, ChebnetW, ChebnetWt, Heads, MotifnetD, MotifnetM};
        use Contestant::{Selected, WithM10};
        let ahead = |first, others: &[Contestant]| {
            let duels = others.iter().flat_map(|&other| duels(results, first, other));
            duels.collect::<Vec<_>>()
        };
        let claims = [
            (
                "MotifNet-m is more accurate than ChebNet on the graph without direction (Fig. 5)",
                false,
                ahead(MotifnetM, &[ChebnetU]),
            ),
            (
                "MotifNet-m keeps its accuracy better than ChebNet as the order grows (Fig. 5)",
                false,
                growth(results, MotifnetM, ChebnetU).into_iter().collect(),
            ),
            (
                "MotifNet-m is more accurate than ChebNet on W and on Wᵀ (Fig. 6)",
                false,
                ahead(MotifnetM, &[ChebnetW, ChebnetWt]),
            ),
            (
                "MotifNet-d is more accurate than ChebNet on W and on Wᵀ (Fig. 6)",
                false,
                ahead(MotifnetD, &[ChebnetW, ChebnetWt]),
            ),
            (
                "MotifNet-m is more accurate than MotifNet-d (Fig. 6)",
                false,
                ahead(MotifnetM, &[MotifnetD]),
            ),
            ("M10 makes MotifNet-m more accurate", true, ahead(WithM10, &[MotifnetM])),
            (
                "The selected operators make MotifNet-m more accurate than the paper's six",
                true,
                ahead(Selected, &[MotifnetM]),
            ),
            ("Several heads make MotifNet-m more accurate", true, ahead(Heads, &[MotifnetM])),
        ];
        let tested = claims.into_iter().filter(|(_, _, duels)| !duels.is_empty());
        tested.map(|(statement, is_ours, duels)| Self::new(statement, is_ours, duels)).collect()
    }

    fn new(statement: &str, is_ours: bool, mut duels: Vec<Duel>) -> Self {
        let mut tested: Vec<(&mut Option<f64>, f64)> = duels
            .iter_mut()
            .filter_map(|duel| Some((&mut duel.p_holm, duel.test.as_ref()?.p)))
            .collect();
        let p_values: Vec<f64> = tested.iter().map(|&(_, p)| p).collect();
        for ((corrected, _), p) in tested.iter_mut().zip(holm(&p_values)) {
            **corrected = Some(p);
        }
        let verdict = verdict(&duels);
        let finding = finding(&duels);
        Self { statement: statement.to_owned(), is_ours, duels, verdict, finding }
    }
}

fn verdict(duels: &[Duel]) -> Verdict {
    let beyond = duels.iter().filter(|duel| duel.is_beyond_chance());
    let (for_it, against): (Vec<&Duel>, Vec<&Duel>) =
        beyond.partition(|duel| duel.difference > 0.0);
    match (for_it.len(), against.len()) {
        (n, _) if n == duels.len() => Verdict::Holds,
        (0, 0) => Verdict::Open,
        (0, _) => Verdict::Reversed,
        _ => Verdict::Partly,
    }
}

/// The same in numbers.
fn finding(duels: &[Duel]) -> String {
    let points: Vec<f64> = duels.iter().map(|duel| 100.0 * duel.difference).collect();
    let least = signed(points.iter().copied().fold(f64::INFINITY, f64::min));
    let most = signed(points.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let n_ahead = points.iter().filter(|&&points| points > 0.0).count();
    let n_beyond = duels.iter().filter(|duel| duel.is_beyond_chance()).count();
    let n = duels.len();
    if let [duel] = duels {
        let chance = match (duel.p_holm, duel.is_beyond_chance()) {
            (None, _) => "not tested, on one split".to_owned(),
            (Some(p), true) if p < 0.001 => "beyond chance (p < 0.001)".to_owned(),
            (Some(p), true) => format!("beyond chance (p = {p:.3})"),
            (Some(p), false) => format!("within chance (p = {p:.3})"),
        };
        return format!("a difference of {least} points, {chance}");
    }
    format!(
        "ahead in {n_ahead} of {n} comparisons, by {least} to {most} points; \
         {n_beyond} of {n} differences are beyond chance"
    )
}

/// `+1.2`, or `−0.3` with a minus that is as wide.
fn signed(points: f64) -> String {
    format!("{points:+.1}").replace('-', "−")
}

/// One contestant against another, order by order.
fn duels(results: &[EntryResult], first: Contestant, second: Contestant) -> Vec<Duel> {
    let of_first = results.iter().filter(|result| result.entry.contestant == first);
    let pairs = of_first.filter_map(|one| {
        let order = one.entry.order;
        let other = find(results, second, order)?;
        let differences = differences(one, other)?;
        let label = format!("{} − {}, order {order}", one.title, other.title);
        Some(Duel::new(label, &differences, ratio(&one.trainings)))
    });
    pairs.collect()
}

/// What the largest order has more than the smallest, of one contestant against another.
fn growth(results: &[EntryResult], first: Contestant, second: Contestant) -> Option<Duel> {
    let orders = results.iter().filter(|result| result.entry.contestant == first);
    let orders: Vec<usize> = orders.map(|result| result.entry.order).collect();
    let (least, most) = (*orders.iter().min()?, *orders.iter().max()?);
    if least == most {
        return None;
    }
    let change = |contestant| {
        differences(find(results, contestant, most)?, find(results, contestant, least)?)
    };
    let (own, other) = (change(first)?, change(second)?);
    let differences: Vec<f64> = own.iter().zip(&other).map(|(own, other)| own - other).collect();
    let label =
        format!("change from order {least} to {most}: {} − {}", first.title(), second.title());
    let trainings = &find(results, first, least)?.trainings;
    Some(Duel::new(label, &differences, ratio(trainings)))
}

fn find(results: &[EntryResult], contestant: Contestant, order: usize) -> Option<&EntryResult> {
    results
        .iter()
        .find(|result| result.entry.contestant == contestant && result.entry.order == order)
}

/// What one has more than the other, split by split; none if one of them lacks a split.
fn differences(one: &EntryResult, other: &EntryResult) -> Option<Vec<f64>> {
    let both = [one, other].map(EntryResult::accuracies);
    let is_whole = |result: &EntryResult| result.failure.is_none();
    let is_paired = both[0].len() == both[1].len() && !both[0].is_empty();
    (is_paired && is_whole(one) && is_whole(other))
        .then(|| both[0].iter().zip(&both[1]).map(|(one, other)| one - other).collect())
}

/// Test nodes for each training node, the mean over the splits.
fn ratio(trainings: &[RepeatReport]) -> f64 {
    let ratios = trainings.iter().map(|split| split.n_test as f64 / split.n_train as f64);
    mean(&ratios.collect::<Vec<_>>()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
