use std::collections::BTreeMap;

use super::*;

/// How many instances hold two nodes so far apart, by hand; the other half is its mirror image.
fn kernel(grid: DirectedGrid, kind: MotifKind) -> &'static [(i32, i32, f64)] {
    match (grid, kind) {
        (DirectedGrid::Square, MotifKind::Undirected) => &[(1, 0, 1.0), (0, 1, 1.0)],
        (DirectedGrid::Square, MotifKind::M8 | MotifKind::M10) => {
            &[(1, 0, 1.0), (0, 1, 1.0), (1, -1, 1.0)]
        }
        (DirectedGrid::Square, MotifKind::M9) => {
            &[(1, 0, 4.0), (0, 1, 4.0), (1, 1, 2.0), (2, 0, 1.0), (0, 2, 1.0)]
        }
        (DirectedGrid::Crossed, MotifKind::Undirected) => {
            &[(1, 0, 1.0), (0, 1, 1.0), (1, 1, 1.0), (1, -1, 1.0)]
        }
        (DirectedGrid::Crossed, MotifKind::M1) => &[(1, 0, 2.0), (0, 1, 2.0), (1, 1, 2.0)],
        (DirectedGrid::Crossed, MotifKind::M5) => &[(1, 0, 2.0), (0, 1, 2.0), (1, -1, 2.0)],
        other => panic!("no kernel for {other:?}"),
    }
}

const CASES: [(DirectedGrid, MotifKind); 7] = [
    (DirectedGrid::Square, MotifKind::Undirected),
    (DirectedGrid::Square, MotifKind::M8),
    (DirectedGrid::Square, MotifKind::M9),
    (DirectedGrid::Square, MotifKind::M10),
    (DirectedGrid::Crossed, MotifKind::Undirected),
    (DirectedGrid::Crossed, MotifKind::M1),
    (DirectedGrid::Crossed, MotifKind::M5),
];

type Plane = BTreeMap<(i32, i32), f64>;

/// −N of an infinite grid, applied by hand.
fn convolve(kernel: &[(i32, i32, f64)], plane: &Plane) -> Plane {
    let total: f64 = kernel.iter().map(|&(.., weight)| 2.0 * weight).sum();
    let mut result = Plane::new();
    for (&(x, y), &value) in plane {
        for &(dx, dy, weight) in kernel {
            for sign in [1, -1] {
                let at = (x + sign * dx, y + sign * dy);
                *result.entry(at).or_default() -= value * weight / total;
            }
        }
    }
    result
}

#[test]
fn the_response_is_that_of_an_infinite_grid() {
    let filter = ChebyshevFilter::mexican_hat();
    for (grid, kind) in CASES {
        let start = Plane::from([((0, 0), 1.0)]);
        let mut terms = vec![start.clone(), convolve(kernel(grid, kind), &start)];
        for order in 2..=7 {
            let mut next = convolve(kernel(grid, kind), &terms[order - 1]);
            next.values_mut().for_each(|value| *value *= 2.0);
            for (&at, value) in &terms[order - 2] {
                *next.entry(at).or_default() -= value;
            }
            terms.push(next);
        }
        let found = GridFilter::new(grid, kind, &filter);
        for right in -16..=16 {
            for down in -16..=16 {
                let terms = terms.iter().map(|term| term.get(&(right, down)).unwrap_or(&0.0));
                let expected: f64 = terms.zip(filter.coefficients()).map(|(t, c)| t * c).sum();
                let found = found.response(right, down);
                assert!((found - expected).abs() < 1e-12, "{grid:?} {kind} {right} {down}");
            }
        }
    }
}

#[test]
fn undirected_grids_have_no_axis_and_motifs_have_one() {
    let seventh = ChebyshevFilter::new([vec![0.0; 7], vec![1.0]].concat());
    for filter in [ChebyshevFilter::mexican_hat(), seventh] {
        let anisotropy = |(grid, kind)| GridFilter::new(grid, kind, &filter).anisotropy();
        let [square, m8, m9, m10, crossed, m1, m5] = CASES.map(anisotropy);
        for undirected in [square, crossed] {
            assert!((undirected.ratio - 1.0).abs() < 1e-9, "{undirected:?}");
        }
        for (motif, degrees) in [(m8, 45.0), (m10, 45.0), (m1, -45.0), (m5, 45.0)] {
            assert!((motif.ratio - 3.0).abs() < 1e-9, "{motif:?}");
            assert!((motif.degrees - degrees).abs() < 1e-9, "{motif:?}");
        }
        assert!(m9.ratio > 1.45 && m9.ratio < 1.6, "{m9:?}");
        assert!((m9.degrees + 45.0).abs() < 1e-9, "{m9:?}");
    }
}

#[test]
fn only_out_and_in_tell_front_from_back() {
    let filter = ChebyshevFilter::mexican_hat();
    let is_even = |kind| {
        let filter = GridFilter::new(DirectedGrid::Square, kind, &filter);
        filter.responses().all(|(x, y, value)| (value - filter.response(-x, -y)).abs() < 1e-12)
    };
    assert!([MotifKind::M8, MotifKind::M9, MotifKind::M10].into_iter().all(is_even));
    assert!(![MotifKind::Out, MotifKind::In].into_iter().any(is_even));
}

#[test]
fn a_motif_that_the_grid_does_not_have_spreads_nothing() {
    let filter = ChebyshevFilter::mexican_hat();
    let filter = GridFilter::new(DirectedGrid::Square, MotifKind::M1, &filter);
    assert!(filter.responses().all(|(x, y, _)| (x, y) == (0, 0)));
    assert_eq!(filter.anisotropy().ratio, 1.0);
    assert_eq!(filter.response(100, 0), 0.0);
}
