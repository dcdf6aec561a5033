//! What a sample is like.

/// The mean; none of no numbers.
pub fn mean(sample: &[f64]) -> Option<f64> {
    (!sample.is_empty()).then(|| sample.iter().sum::<f64>() / sample.len() as f64)
}

/// The standard deviation √(Σ (x − mean)² / (n − 1)); none of fewer than two numbers.
pub fn deviation(sample: &[f64]) -> Option<f64> {
    let mean = mean(sample).filter(|_| sample.len() > 1)?;
    let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
    Some((squares / (sample.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_samples_have_no_deviation() {
        assert_eq!((mean(&[]), deviation(&[])), (None, None));
        assert_eq!((mean(&[0.5]), deviation(&[0.5])), (Some(0.5), None));
        assert_eq!((mean(&[1.0, 2.0, 3.0]), deviation(&[1.0, 2.0, 3.0])), (Some(2.0), Some(1.0)));
    }

    /// numpy.mean and numpy.std(ddof=1).
    #[test]
    fn figures_of_numpy() {
        let sample = [0.8123, 0.8047, 0.8210, 0.7988, 0.8155];
        assert!((mean(&sample).unwrap() - 0.81046).abs() < 1e-15);
        assert!((deviation(&sample).unwrap() - 0.008789368578003776).abs() < 1e-15);
    }
}
