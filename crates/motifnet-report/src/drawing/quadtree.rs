//! Repulsion among many points in O(n log n), after Barnes and Hut (1986).

use std::ops::Range;

/// A place of a layout.
pub(super) type Point = [f64; 2];

/// A cell counts as one point if its side is below this fraction of the distance to it. Below 1/√2,
/// so that a cell never counts as one point for a point inside it.
const OPENING: f64 = 0.7;
/// Cells with so few points are not divided.
const LEAF: usize = 8;
/// Halvings after which points count as coincident.
const DEPTH: u32 = 40;
/// How far rounding may move the centre of a cell, as a share of the largest coordinate.
const ROUNDING: f64 = 1e-10;

/// Points with masses, summed up by the squares of a plane divided into ever smaller ones.
pub(super) struct Quadtree<'a> {
    points: &'a [Point],
    masses: &'a [f64],
    /// The points, those of one cell together.
    order: Vec<u32>,
    /// Every cell before its quarters, so a walk over the tree is one over this list.
    cells: Vec<Cell>,
    /// What every cell is wider by than its points are apart: the centre of one point may be a bit beside it, and
    /// must not push it away.
    margin: f64,
}

struct Cell {
    /// Where its points are on average, by mass.
    centre: Point,
    mass: f64,
    side: f64,
    /// Its points, in `order`.
    points: Range<usize>,
    /// The first cell behind it that is not part of it.
    next: usize,
    is_leaf: bool,
}

impl<'a> Quadtree<'a> {
    /// A tree of `points`; time O(n log n) unless nearly all coincide.
    pub(super) fn new(points: &'a [Point], masses: &'a [f64]) -> Self {
        let order = (0..points.len() as u32).collect();
        let largest = points.iter().flatten().fold(0.0, |most: f64, at| most.max(at.abs()));
        let margin = ROUNDING * largest;
        let mut tree = Self { points, masses, order, cells: Vec::new(), margin };
        let corner = [0, 1].map(|axis| fold(points, axis, f64::INFINITY, f64::min));
        let far = [0, 1].map(|axis| fold(points, axis, f64::NEG_INFINITY, f64::max));
        let side = (far[0] - corner[0]).max(far[1] - corner[1]);
        if !points.is_empty() {
            let mut scratch = Vec::with_capacity(points.len());
            tree.divide(0..points.len(), corner, side, 0, &mut scratch);
        }
        tree
    }

    fn divide(
        &mut self,
        range: Range<usize>,
        corner: Point,
        side: f64,
        depth: u32,
        scratch: &mut Vec<u32>,
    ) {
        let at = self.cells.len();
        let is_leaf = range.len() <= LEAF || depth == DEPTH;
        let (centre, mass) = self.sum(&self.order[range.clone()]);
        let reach = side + self.margin;
        let points = range.clone();
        self.cells.push(Cell { centre, mass, side: reach, points, next: 0, is_leaf });
        if !is_leaf {
            let half = side / 2.0;
            let middle = [corner[0] + half, corner[1] + half];
            let mut start = range.start;
            for (quarter, end) in self.quarters(range, middle, scratch).into_iter().enumerate() {
                if start < end {
                    let right = half * (quarter % 2) as f64;
                    let down = half * (quarter / 2) as f64;
                    let corner = [corner[0] + right, corner[1] + down];
                    self.divide(start..end, corner, half, depth + 1, scratch);
                }
                start = end;
            }
        }
        self.cells[at].next = self.cells.len();
    }

    /// Sorts the points of `range` by quarters, each in the order it had; where each quarter ends.
    fn quarters(
        &mut self,
        range: Range<usize>,
        middle: Point,
        scratch: &mut Vec<u32>,
    ) -> [usize; 4] {
        scratch.clear();
        let order = &mut self.order[range.clone()];
        let mut ends = [0; 4];
        for (quarter, end) in ends.iter_mut().enumerate() {
            let is_here = |&&point: &&u32| {
                let [x, y] = self.points[point as usize];
                usize::from(x >= middle[0]) + 2 * usize::from(y >= middle[1]) == quarter
            };
            scratch.extend(order.iter().filter(is_here));
            *end = range.start + scratch.len();
        }
        order.copy_from_slice(scratch);
        ends
    }

    fn sum(&self, points: &[u32]) -> (Point, f64) {
        let (mut x, mut y, mut mass) = (0.0, 0.0, 0.0);
        for &point in points {
            let weight = self.masses[point as usize];
            x += weight * self.points[point as usize][0];
            y += weight * self.points[point as usize][1];
            mass += weight;
        }
        ([x / mass, y / mass], mass)
    }

    /// Σ_j m_j (x_i − x_j)/|x_i − x_j|² over all other points, cells far away as one point.
    ///
    /// A point w from the middle of its cell, which is z away, adds an error of |w|²/|z|² of its
    /// own push: less than 2·0.7², mostly a few per cent, and errors cancel.
    pub(super) fn repulsion(&self, point: usize) -> Point {
        let here = self.points[point];
        let mut sum = [0.0, 0.0];
        let mut at = 0;
        while let Some(cell) = self.cells.get(at) {
            let away = [here[0] - cell.centre[0], here[1] - cell.centre[1]];
            let distance2 = away[0] * away[0] + away[1] * away[1];
            if cell.side * cell.side < OPENING * OPENING * distance2 {
                sum[0] += cell.mass * away[0] / distance2;
                sum[1] += cell.mass * away[1] / distance2;
            } else if cell.is_leaf {
                for &other in &self.order[cell.points.clone()] {
                    let [x, y] = self.push(point, other as usize);
                    sum[0] += x;
                    sum[1] += y;
                }
            } else {
                at += 1;
                continue;
            }
            at = cell.next;
        }
        sum
    }

    /// What one point adds to the repulsion of another.
    fn push(&self, point: usize, other: usize) -> Point {
        let (here, there) = (self.points[point], self.points[other]);
        let away = [here[0] - there[0], here[1] - there[1]];
        let distance2 = away[0] * away[0] + away[1] * away[1];
        if distance2 > 0.0 {
            let scale = self.masses[other] / distance2;
            [scale * away[0], scale * away[1]]
        } else {
            // Two points in one place go apart to either side, else they would never.
            let side = f64::from(i8::from(point > other) - i8::from(point < other));
            [side * self.masses[other], 0.0]
        }
    }
}

fn fold(points: &[Point], axis: usize, start: f64, choose: impl Fn(f64, f64) -> f64) -> f64 {
    points.iter().map(|point| point[axis]).fold(start, choose)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn exact(tree: &Quadtree<'_>, point: usize) -> Point {
        let pushes = (0..tree.points.len()).map(|other| tree.push(point, other));
        pushes.fold([0.0, 0.0], |sum, [x, y]| [sum[0] + x, sum[1] + y])
    }

    proptest! {
        #[test]
        fn far_cells_count_nearly_as_their_points(
            points in prop::collection::vec(
                ((-1e3_f64..1e3, -1e3_f64..1e3), 1.0_f64..20.0), 1..400
            ),
            crowd in 0.001_f64..1.0,
        ) {
            // Half of the points crowd together, so that cells are deep.
            let place = |(at, &((x, y), _)): (usize, &((f64, f64), f64))| {
                let scale = if at % 2 == 0 { crowd } else { 1.0 };
                [scale * x, scale * y]
            };
            let masses: Vec<f64> = points.iter().map(|&(_, mass)| mass).collect();
            let points: Vec<Point> = points.iter().enumerate().map(place).collect();
            let tree = Quadtree::new(&points, &masses);
            for point in 0..points.len() {
                let (fast, slow) = (tree.repulsion(point), exact(&tree, point));
                let error = (fast[0] - slow[0]).hypot(fast[1] - slow[1]);
                // Compared with what the pushes add up to if none cancels another.
                let pushes = (0..points.len()).map(|other| tree.push(point, other));
                let total: f64 = pushes.map(|[x, y]| x.hypot(y)).sum();
                prop_assert!(error <= 2.0 * OPENING * OPENING * total, "{error} of {total}");
            }
        }
    }

    /// m x / m is not always x.
    #[test]
    fn a_point_does_not_push_itself() {
        for number in 1..2000 {
            let points = [[0.0, 1.0 / f64::from(number)], [1e3, 7.0]];
            let tree = Quadtree::new(&points[..1], &[9.67425336622449]);
            assert_eq!(tree.repulsion(0), [0.0, 0.0], "{number}");
            let tree = Quadtree::new(&points, &[9.67425336622449, 3.0]);
            assert!(tree.repulsion(0)[0].abs() < 1.0, "{number}");
        }
    }

    #[test]
    fn among_many_points_errors_are_small() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let points: Vec<Point> = (0..1000).map(|_| [unit(), unit()]).collect();
        let masses: Vec<f64> = (0..1000).map(|_| 1.0 + 20.0 * unit()).collect();
        let tree = Quadtree::new(&points, &masses);
        let (mut error, mut total) = (0.0, 0.0);
        for point in 0..1000 {
            let (fast, slow) = (tree.repulsion(point), exact(&tree, point));
            error += (fast[0] - slow[0]).hypot(fast[1] - slow[1]);
            total += slow[0].hypot(slow[1]);
        }
        assert!(error < 0.02 * total, "{error} of {total}");
        // A tree that opened every cell would be exact, and no faster.
        assert!(error > 0.0);
    }

    #[test]
    fn coincident_points_part_and_nothing_is_nan() {
        let points = vec![[2.0, 3.0]; 50];
        let masses = vec![1.0; 50];
        let tree = Quadtree::new(&points, &masses);
        assert_eq!(tree.repulsion(0), [-49.0, 0.0]);
        assert_eq!(tree.repulsion(49), [49.0, 0.0]);
        let tree = Quadtree::new(&points[..1], &masses[..1]);
        assert_eq!(tree.repulsion(0), [0.0, 0.0]);
    }

    #[test]
    fn no_cell_is_larger_than_need_be() {
        let points: Vec<Point> =
            (0..4096).map(|at| [f64::from(at % 64), f64::from(at / 64)]).collect();
        let tree = Quadtree::new(&points, &[1.0; 4096]);
        assert!(
            tree.cells.iter().filter(|cell| cell.is_leaf).all(|cell| cell.points.len() <= LEAF)
        );
    }
}
