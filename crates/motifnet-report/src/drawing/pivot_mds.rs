//! Where a layout starts: distances in the graph, as well as a plane can have them.

use std::collections::VecDeque;

use super::quadtree::Point;

/// Nodes from which distances are measured.
const N_PIVOTS: usize = 50;
/// Steps of the power iteration; it need not be exact.
const N_ROUNDS: usize = 60;

/// Places for nodes by PivotMDS (Brandes and Pich 2007): the two largest principal axes of the
/// doubly centred squared distances to a few pivots, which lie as far from each other as can be.
///
/// Unit: about one edge. Nodes with the same distances get the same place. Nodes that cannot be
/// reached from a pivot count as two edges farther than any that can. Time
/// O(pivots · (nodes + edges)).
pub(super) fn pivot_mds(neighbors: &[Vec<u32>]) -> Vec<Point> {
    let columns = centred(pivot_distances(neighbors));
    let Some(first) = principal(&columns, None) else {
        return vec![[0.0, 0.0]; neighbors.len()];
    };
    let second = principal(&columns, Some(&first)).unwrap_or_else(|| vec![0.0; columns.len()]);
    let scale = 1.0 / (columns.len() as f64).sqrt();
    let along = |axis: &[f64], node: usize| -> f64 {
        let terms = columns.iter().zip(axis).map(|(column, weight)| column[node] * weight);
        terms.sum::<f64>() * scale
    };
    let places = (0..neighbors.len()).map(|node| [along(&first, node), along(&second, node)]);
    to_unit_edges(places.collect(), neighbors)
}

/// Distances from each pivot to all nodes. The first pivot is a node of highest degree, each next
/// one the node farthest from all before it.
fn pivot_distances(neighbors: &[Vec<u32>]) -> Vec<Vec<f64>> {
    let n_nodes = neighbors.len();
    let mut nearest = vec![u32::MAX; n_nodes];
    let mut pivot = (0..n_nodes).rev().max_by_key(|&node| neighbors[node].len());
    let mut found: Vec<Vec<u32>> = Vec::new();
    while let Some(node) = pivot {
        let distances = breadth_first(neighbors, node);
        for (nearest, &distance) in nearest.iter_mut().zip(&distances) {
            *nearest = distance.min(*nearest);
        }
        found.push(distances);
        let farthest = (0..n_nodes).rev().max_by_key(|&node| nearest[node]);
        pivot = farthest.filter(|&node| nearest[node] > 0 && found.len() < N_PIVOTS);
    }
    let reached = found.iter().flatten().filter(|&&distance| distance != u32::MAX);
    let beyond = reached.max().map_or(0.0, |&most| f64::from(most)) + 2.0;
    let distance = |&d: &u32| if d == u32::MAX { beyond } else { f64::from(d) };
    found.iter().map(|column| column.iter().map(distance).collect()).collect()
}

/// Edges from `start` to every node; `u32::MAX` where there is no way.
fn breadth_first(neighbors: &[Vec<u32>], start: usize) -> Vec<u32> {
    let mut distances = vec![u32::MAX; neighbors.len()];
    distances[start] = 0;
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &next in &neighbors[node] {
            if distances[next as usize] == u32::MAX {
                distances[next as usize] = distances[node] + 1;
                queue.push_back(next as usize);
            }
        }
    }
    distances
}

/// −½ of the squares, less the means of rows and columns.
fn centred(mut columns: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n_columns = columns.len() as f64;
    for column in &mut columns {
        column.iter_mut().for_each(|value| *value = -0.5 * *value * *value);
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        column.iter_mut().for_each(|value| *value -= mean);
    }
    for node in 0..columns.first().map_or(0, Vec::len) {
        let mean = columns.iter().map(|column| column[node]).sum::<f64>() / n_columns;
        columns.iter_mut().for_each(|column| column[node] -= mean);
    }
    columns
}

/// The unit vector a, orthogonal to `other`, for which C a is longest; none if all is zero.
fn principal(columns: &[Vec<f64>], other: Option<&[f64]>) -> Option<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let gram: Vec<Vec<f64>> =
        columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
    let largest = gram.iter().enumerate().map(|(at, row)| row[at]).fold(0.0, f64::max);
    // Not a symmetric start: one that is orthogonal to the axis would never find it.
    let mut axis: Vec<f64> = (0..columns.len()).map(|at| 1.0 / (1.0 + at as f64)).collect();
    for _ in 0..N_ROUNDS {
        axis = gram.iter().map(|row| dot(row, &axis)).collect();
        if let Some(other) = other {
            let along = dot(&axis, other);
            axis.iter_mut().zip(other).for_each(|(axis, other)| *axis -= along * other);
        }
        let length = dot(&axis, &axis).sqrt();
        // What rounding leaves of zero is not an axis.
        if length <= 1e-9 * largest {
            return None;
        }
        axis.iter_mut().for_each(|value| *value /= length);
    }
    Some(axis)
}

/// Scales so that an edge is 1 long on the square mean.
fn to_unit_edges(mut places: Vec<Point>, neighbors: &[Vec<u32>]) -> Vec<Point> {
    let (mut sum, mut n_ends) = (0.0, 0.0);
    for (node, neighbors) in neighbors.iter().enumerate() {
        for &other in neighbors {
            let (here, there) = (places[node], places[other as usize]);
            let (x, y) = (here[0] - there[0], here[1] - there[1]);
            sum += x * x + y * y;
            n_ends += 1.0;
        }
    }
    if sum > 0.0 {
        let scale = (n_ends / sum).sqrt();
        places.iter_mut().flatten().for_each(|coordinate| *coordinate *= scale);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_line_of_unit_steps() {
        let n = 30_u32;
        let neighbors: Vec<Vec<u32>> = (0..n)
            .map(|node| {
                let both = [node.checked_sub(1), (node + 1 < n).then_some(node + 1)];
                both.into_iter().flatten().collect()
            })
            .collect();
        let places = pivot_mds(&neighbors);
        let sign = (places[29][0] - places[0][0]).signum();
        for pair in places.windows(2) {
            assert!((sign * (pair[1][0] - pair[0][0]) - 1.0).abs() < 0.2, "{places:?}");
        }
    }

    #[test]
    fn no_edges_and_no_nodes_are_places_too() {
        assert_eq!(pivot_mds(&[]), Vec::<Point>::new());
        assert_eq!(pivot_mds(&[vec![]]), [[0.0, 0.0]]);
        let places = pivot_mds(&vec![vec![]; 3]);
        assert!(places.iter().flatten().all(|coordinate| coordinate.is_finite()));
    }
}
