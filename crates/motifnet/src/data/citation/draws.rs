//! The few distributions that citations are made of, the same bits on every platform.

use rand_chacha::ChaCha8Rng;

use crate::graph::generate::stream::{below, unit};

/// e^(σz) for a normal z (Box–Muller): median 1.
pub(super) fn log_normal(sigma: f64, rng: &mut ChaCha8Rng) -> f64 {
    let (radius, turn) = (libm::sqrt(-2.0 * libm::log(unit(rng))), unit(rng));
    libm::exp(sigma * radius * libm::cos(std::f64::consts::TAU * turn))
}

/// A Lomax (Pareto II) number: P(X > x) = (1 + x/(αs))^(−α) for scale s and tail α.
pub(super) fn lomax(scale: f64, tail: f64, rng: &mut ChaCha8Rng) -> f64 {
    scale * tail * libm::expm1(-libm::log(unit(rng)) / tail)
}

/// Puts a list into random order (Fisher and Yates).
pub(super) fn shuffle<T>(list: &mut [T], rng: &mut ChaCha8Rng) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(rng, last as u64 + 1) as usize);
    }
}

/// One of a list, if there is any.
pub(super) fn one_of(list: &[u32], rng: &mut ChaCha8Rng) -> Option<u32> {
    (!list.is_empty()).then(|| list[below(rng, list.len() as u64) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate::stream::Streams;

    #[test]
    fn draws_have_their_quantiles() {
        let mut rng = Streams::new(1, "test").block(0);
        let mut share = |draw: fn(&mut ChaCha8Rng) -> f64, above: f64| {
            (0..20_000).filter(|_| draw(&mut rng) > above).count()
        };
        // P(z > 1) = 0.1587 of a normal; (1 + 6/(3·2))⁻³ = 1/8. Standard deviations are below 71.
        assert!(share(|rng| log_normal(0.5, rng), 1.0).abs_diff(10_000) < 355);
        assert!(share(|rng| log_normal(0.5, rng), libm::exp(0.5)).abs_diff(3173) < 355);
        assert!(share(|rng| lomax(2.0, 3.0, rng), 6.0).abs_diff(2500) < 355);
    }

    #[test]
    fn a_shuffled_list_has_every_order_as_often() {
        let mut rng = Streams::new(2, "test").block(0);
        let mut counts = std::collections::BTreeMap::<[u8; 3], u32>::new();
        for _ in 0..6000 {
            let mut list = [0, 1, 2];
            shuffle(&mut list, &mut rng);
            *counts.entry(list).or_default() += 1;
        }
        // Five standard deviations of a binomial(6000, 1/6) are 144.
        assert!(counts.len() == 6 && counts.values().all(|count| count.abs_diff(1000) < 144));
        assert_eq!((one_of(&[], &mut rng), one_of(&[7], &mut rng)), (None, Some(7)));
    }
}
