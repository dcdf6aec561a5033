//! Arcs between places of a picture.

use crate::svg::Short;

/// How arrows are drawn: the width of the line and the size of the head.
#[derive(Clone, Copy)]
pub(super) struct Arrow {
    /// Width of the line.
    pub(super) width: f64,
    /// Length of the head; it is four fifths as wide.
    pub(super) head: f64,
    /// What is left free at either end, so that the arrow does not touch the nodes.
    pub(super) gap: f64,
}

impl Arrow {
    /// The outline of an arrow from one place to another, with a head at its start too if it goes
    /// `both` ways: a path to be filled. Empty if there is no room for it.
    pub(super) fn path(self, from: [f64; 2], to: [f64; 2], both: bool) -> String {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = (dx * dx + dy * dy).sqrt();
        let (start, end) = (self.gap, length - self.gap);
        if end - start < self.head * if both { 2.0 } else { 1.0 } {
            return String::new();
        }
        // A place so far along the arrow and so far to its side.
        let place = |along: f64, aside: f64| {
            let x = from[0] + (along * dx - aside * dy) / length;
            let y = from[1] + (along * dy + aside * dx) / length;
            format!("{} {}", Short(x), Short(y))
        };
        let (line, head) = (self.width / 2.0, self.head * 0.4);
        let (neck, tail) = (end - self.head, if both { start + self.head } else { start });
        let mut corners = vec![place(neck, line), place(neck, head), place(end, 0.0)];
        corners.extend([place(neck, -head), place(neck, -line), place(tail, -line)]);
        if both {
            corners.extend([place(tail, -head), place(start, 0.0), place(tail, head)]);
        }
        corners.push(place(tail, line));
        format!("M{}z", corners.join("L"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARROW: Arrow = Arrow { width: 2.0, head: 5.0, gap: 1.0 };

    #[test]
    fn an_arrow_ends_before_its_nodes() {
        let path = ARROW.path([0.0, 0.0], [20.0, 0.0], false);
        assert_eq!(path, "M14 1L14 2L19 0L14 -2L14 -1L1 -1L1 1z");
        let path = ARROW.path([0.0, 0.0], [0.0, 20.0], true);
        assert_eq!(path, "M-1 14L-2 14L0 19L2 14L1 14L1 6L2 6L0 1L-2 6L-1 6z");
    }

    #[test]
    fn without_room_there_is_no_arrow() {
        assert_eq!(ARROW.path([3.0, 3.0], [3.0, 3.0], false), "");
        assert_eq!(ARROW.path([0.0, 0.0], [8.0, 0.0], true), "");
    }
}
