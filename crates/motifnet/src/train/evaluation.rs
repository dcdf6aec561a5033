//! How good the probabilities of classes are, beyond the share that is right.

use serde::Serialize;

use crate::nn::largest;

/// Bins of the calibration error.
pub const N_CALIBRATION_BINS: usize = 15;

/// How good the probabilities of classes are.
///
/// Means over no rows are NaN, which JSON writes as null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Number of rows.
    pub n_rows: usize,
    /// The share of rows whose largest probability is that of their class.
    pub accuracy: f64,
    /// The mean F1 of the classes that are true or predicted of some row; all others are skipped.
    pub macro_f1: f64,
    /// −mean ln p of the true class.
    pub cross_entropy: f64,
    /// mean Σ_c (p_c − [c is true])², from 0 to 2.
    pub brier: f64,
    /// Σ_b n_b/n · |accuracy_b − confidence_b| over the bins.
    pub calibration_error: f64,
    /// Every class.
    pub classes: Vec<ClassScores>,
    /// `confusion[true][predicted]`: numbers of rows.
    pub confusion: Vec<Vec<u64>>,
    /// The rows by their largest probability: bin b has those in (b/15, (b+1)/15].
    pub calibration: Vec<CalibrationBin>,
}

/// How well one class is told from the others. A quotient of nothing is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassScores {
    /// Of the rows predicted to be of the class, the share that is.
    pub precision: f64,
    /// Of the rows of the class, the share predicted so.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// Rows of the class.
    pub support: u64,
}

/// Rows of about the same confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// How many.
    pub count: u64,
    /// Their mean largest probability; none of no rows.
    pub confidence: Option<f64>,
    /// The share of them that is right; none of no rows.
    pub accuracy: Option<f64>,
}

/// Evaluates `probabilities`, rows × `n_classes`, against the true class of every row.
///
/// The predicted class is that of the largest probability, the first of equal ones. Precision,
/// recall and F1 are scikit-learn's with its defaults: a class that is never predicted has
/// precision 0, one that is never true recall 0, and the macro mean is over the classes that are
/// true or predicted of some row. In the cross-entropy a probability below 2⁻²³ counts as 2⁻²³, as
/// scikit-learn has it for single precision, so that one sure mistake does not make it infinite.
/// The Brier score is that of Brier (1950), over all classes; of two classes it is twice the one
/// that looks at one of them. The calibration error is that of Guo et al. (2017).
///
/// Time O(rows · classes), memory O(classes²). All sums go by the rows in their order.
///
/// ```
/// use motifnet::train::evaluate;
///
/// let evaluation = evaluate(&[0.8, 0.2, 0.4, 0.6, 0.7, 0.3], 2, &[0, 1, 1]);
/// assert_eq!(evaluation.confusion, [[1, 0], [1, 1]]);
/// assert_eq!(evaluation.classes[1].recall, 0.5);
/// ```
///
/// # Panics
/// If there are not `n_classes` probabilities a row, or a class is not below `n_classes`.
pub fn evaluate(probabilities: &[f32], n_classes: usize, truth: &[u32]) -> Evaluation {
    assert_eq!(
        Some(probabilities.len()),
        truth.len().checked_mul(n_classes),
        "one probability a row and class"
    );
    let mut confusion = vec![vec![0; n_classes]; n_classes];
    let mut bins = [BinSums::default(); N_CALIBRATION_BINS];
    let (mut log_loss, mut squares) = (0.0, 0.0);
    // Without rows there may be no classes either, and chunks of nothing are none.
    for (row, &class) in probabilities.chunks_exact(n_classes.max(1)).zip(truth) {
        let (class, predicted) = (class as usize, largest(row));
        confusion[class][predicted] += 1;
        log_loss -= libm::log(f64::from(row[class].max(f32::EPSILON)));
        squares += squared_distance(row, class);
        bins[bin_of(row[predicted])].add(row[predicted], predicted == class);
    }
    let n = truth.len() as f64;
    let classes: Vec<ClassScores> =
        (0..n_classes).map(|class| ClassScores::of(&confusion, class)).collect();
    let n_right: u64 = (0..n_classes).map(|class| confusion[class][class]).sum();
    Evaluation {
        n_rows: truth.len(),
        accuracy: n_right as f64 / n,
        macro_f1: macro_f1(&classes, &confusion),
        cross_entropy: log_loss / n,
        brier: squares / n,
        calibration_error: bins.iter().map(BinSums::gap).sum::<f64>() / n,
        classes,
        confusion,
        calibration: bins.iter().map(BinSums::means).collect(),
    }
}

/// Σ_c (p_c − [c = class])².
fn squared_distance(row: &[f32], class: usize) -> f64 {
    let squares = row.iter().enumerate().map(|(at, &probability)| {
        let distance = f64::from(probability) - f64::from(u8::from(at == class));
        distance * distance
    });
    squares.sum()
}

impl ClassScores {
    fn of(confusion: &[Vec<u64>], class: usize) -> Self {
        let right = confusion[class][class];
        let support: u64 = confusion[class].iter().sum();
        let predicted: u64 = confusion.iter().map(|row| row[class]).sum();
        let share = |part: u64, whole: u64| match whole {
            0 => 0.0,
            _ => part as f64 / whole as f64,
        };
        Self {
            precision: share(right, predicted),
            recall: share(right, support),
            f1: share(2 * right, predicted + support),
            support,
        }
    }
}

fn macro_f1(classes: &[ClassScores], confusion: &[Vec<u64>]) -> f64 {
    let is_found =
        |class: &usize| classes[*class].support > 0 || confusion.iter().any(|row| row[*class] > 0);
    let found: Vec<usize> = (0..classes.len()).filter(is_found).collect();
    found.iter().map(|&class| classes[class].f1).sum::<f64>() / found.len() as f64
}

/// What a bin is summed up from.
#[derive(Clone, Copy, Default)]
struct BinSums {
    count: u64,
    confidence: f64,
    n_right: u64,
}

/// The bin of a confidence; what is no probability goes to the nearest.
fn bin_of(confidence: f32) -> usize {
    // A cast to an integer saturates, and of NaN it is 0.
    let upper = (f64::from(confidence) * N_CALIBRATION_BINS as f64).ceil() as usize;
    upper.clamp(1, N_CALIBRATION_BINS) - 1
}

impl BinSums {
    fn add(&mut self, confidence: f32, is_right: bool) {
        self.count += 1;
        self.confidence += f64::from(confidence);
        self.n_right += u64::from(is_right);
    }

    /// n_b · |accuracy_b − confidence_b|.
    fn gap(&self) -> f64 {
        (self.n_right as f64 - self.confidence).abs()
    }

    fn means(&self) -> CalibrationBin {
        let mean = |sum: f64| (self.count > 0).then(|| sum / self.count as f64);
        CalibrationBin {
            count: self.count,
            confidence: mean(self.confidence),
            accuracy: mean(self.n_right as f64),
        }
    }
}

#[cfg(test)]
mod tests;
