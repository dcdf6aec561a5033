//! k-means with k-means++ starts.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::progress::{Progress, Unit};

/// Points shared out among groups about their means.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    /// The group of every point.
    pub groups: Vec<u32>,
    /// The sum of the squared distances to the means.
    pub inertia: f64,
}

/// Most steps of one start.
const MAX_STEPS: usize = 300;

/// Shares `points`, rows of `width` numbers, out among `k` groups so that Σ ‖x − mean of its group‖² is
/// small: Lloyd's algorithm (1982) from `n_starts` draws of k-means++ (Arthur and Vassilvitskii 2007), the
/// best of them; equals go to the first. A group that is left empty gets the point farthest from its mean.
///
/// The result depends on the seed and not on the number of threads. Time O(points · width · k) a step, memory
/// O(points · width).
///
/// # Panics
/// If there are fewer points than groups, or no groups.
///
/// ```
/// use motifnet::progress::Silent;
/// use motifnet::spectral::cluster::k_means;
///
/// let found = k_means(&[0.0, 10.0, 0.5, 10.5], 1, 2, 3, 7, &Silent);
/// assert_eq!(found.groups[0], found.groups[2]);
/// assert_ne!(found.groups[0], found.groups[1]);
/// assert_eq!(found.inertia, 0.25);
/// ```
pub fn k_means(
    points: &[f64],
    width: usize,
    k: usize,
    n_starts: usize,
    seed: u64,
    progress: &dyn Progress,
) -> KMeans {
    let points = Points { values: points, width };
    assert!(0 < k && k <= points.len(), "a point for every group");
    progress.begin("k-means", Some(n_starts as u64), Unit::Items);
    let mut best: Option<KMeans> = None;
    for start in 0..n_starts.max(1) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(start as u64);
        let found = points.descend(points.draw_means(k, &mut rng), k);
        if best.as_ref().is_none_or(|best| found.inertia < best.inertia) {
            best = Some(found);
        }
        progress.advance(1);
    }
    progress.end();
    best.expect("at least one start")
}

#[derive(Clone, Copy)]
struct Points<'a> {
    values: &'a [f64],
    width: usize,
}

impl Points<'_> {
    fn len(&self) -> usize {
        self.values.len() / self.width
    }

    fn point(&self, number: usize) -> &[f64] {
        &self.values[number * self.width..][..self.width]
    }

    /// Points as means: the first at random, each other with a probability that grows as the square of its
    /// distance to the nearest before.
    fn draw_means(&self, k: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let first = (uniform(rng) * self.len() as f64) as usize;
        let mut means = self.point(first.min(self.len() - 1)).to_vec();
        let mut distances = vec![f64::INFINITY; self.len()];
        for number in 1..k {
            let newest = &means[(number - 1) * self.width..];
            distances.par_iter_mut().enumerate().for_each(|(at, distance)| {
                *distance = distance.min(squared_distance(self.point(at), newest));
            });
            let goal = uniform(rng) * distances.iter().sum::<f64>();
            let mut total = 0.0;
            let reached = distances.iter().position(|distance| {
                total += distance;
                *distance > 0.0 && total > goal
            });
            // Where all points are means already, any will do.
            let chosen = reached.unwrap_or(number);
            means.extend_from_slice(self.point(chosen));
        }
        means
    }

    fn descend(&self, mut means: Vec<f64>, k: usize) -> KMeans {
        let mut groups = vec![u32::MAX; self.len()];
        let mut distances = vec![0.0; self.len()];
        for _ in 0..MAX_STEPS {
            let nearest: Vec<(u32, f64)> =
                (0..self.len()).into_par_iter().map(|at| self.nearest(at, &means)).collect();
            let is_settled =
                nearest.iter().zip(&groups).all(|(nearest, group)| nearest.0 == *group);
            for (at, (group, distance)) in nearest.into_iter().enumerate() {
                (groups[at], distances[at]) = (group, distance);
            }
            if is_settled {
                break;
            }
            means = self.means(&mut groups, &mut distances, k);
        }
        KMeans { groups, inertia: distances.iter().sum() }
    }

    fn nearest(&self, at: usize, means: &[f64]) -> (u32, f64) {
        let mut best = (0, f64::INFINITY);
        for (group, mean) in means.chunks_exact(self.width).enumerate() {
            let distance = squared_distance(self.point(at), mean);
            if distance < best.1 {
                best = (group as u32, distance);
            }
        }
        best
    }

    /// Summed by one thread in the order of the points.
    fn means(&self, groups: &mut [u32], distances: &mut [f64], k: usize) -> Vec<f64> {
        let mut sizes = vec![0_usize; k];
        groups.iter().for_each(|&group| sizes[group as usize] += 1);
        while let Some(empty) = sizes.iter().position(|&size| size == 0) {
            let candidates = (0..self.len()).filter(|&at| sizes[groups[at] as usize] > 1);
            let farthest = candidates.reduce(|best, at| match distances[at] > distances[best] {
                true => at,
                false => best,
            });
            let Some(farthest) = farthest else { break };
            sizes[groups[farthest] as usize] -= 1;
            (groups[farthest], distances[farthest]) = (empty as u32, 0.0);
            sizes[empty] = 1;
        }
        let mut means = vec![0.0; k * self.width];
        for (at, &group) in groups.iter().enumerate() {
            let mean = &mut means[group as usize * self.width..][..self.width];
            mean.iter_mut().zip(self.point(at)).for_each(|(sum, value)| *sum += value);
        }
        for (mean, &size) in means.chunks_exact_mut(self.width).zip(&sizes) {
            mean.iter_mut().for_each(|sum| *sum /= size.max(1) as f64);
        }
        means
    }
}

fn squared_distance(point: &[f64], mean: &[f64]) -> f64 {
    point.iter().zip(mean).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Uniform in [0, 1).
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::progress::Silent;

    proptest! {
        /// No group is empty where the points differ, and no point is nearer to another mean.
        #[test]
        fn groups_are_about_their_means(
            values in prop::collection::vec(-1.0..1.0, 24..120),
            k in 1_usize..6,
            seed in 0_u64..9,
        ) {
            let n = values.len() / 3;
            let found = k_means(&values[..3 * n], 3, k, 2, seed, &Silent);
            let points = Points { values: &values[..3 * n], width: 3 };
            let mut sizes = vec![0; k];
            found.groups.iter().for_each(|&group| sizes[group as usize] += 1);
            prop_assert!(sizes.iter().all(|&size| size > 0), "{:?}", sizes);
            let (mut groups, mut distances) = (found.groups.clone(), vec![0.0; n]);
            let means = points.means(&mut groups, &mut distances, k);
            let total: f64 = (0..n).map(|at| points.nearest(at, &means).1).sum();
            prop_assert!((total - found.inertia).abs() < 1e-9);
        }
    }

    #[test]
    fn the_best_start_counts_and_threads_do_not() {
        let values: Vec<f64> =
            (0..3000).map(|i| f64::from(i % 5) * 3.0 + f64::from(i * 37 % 101) / 200.0).collect();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| k_means(&values, 1, 5, 4, 1, &Silent))
        };
        let found = run(1);
        assert_eq!(found, run(3));
        assert!(found.inertia < 100.0, "{}", found.inertia);
        assert!((0..3000).all(|i| found.groups[i] == found.groups[i % 5]));
    }

    #[test]
    fn points_that_are_all_alike_still_make_groups() {
        let found = k_means(&[1.0; 8], 2, 3, 1, 0, &Silent);
        assert_eq!(found.inertia, 0.0);
    }
}
