//! Placement of labels next to their marks, without overlaps. Pure.

/// Returns heights for labels with the `wanted` heights, at least `gap` apart and within `low` to `high`, each as close
/// as possible to its wanted one. The method is pool adjacent violators: labels that touch move together to the mean of
/// their wanted heights. The result is in the order of `wanted`. If they do not all fit, the gaps shrink equally.
pub(super) fn spread(wanted: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let spaces = wanted.len().saturating_sub(1);
    let gap = if spaces > 0 { gap.min((high - low) / spaces as f64) } else { gap };
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Without the gaps, labels may be anywhere as long as they keep their order.
    let high = high - gap * spaces as f64;
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, &index) in order.iter().enumerate() {
        let (mut place, mut count) = ((wanted[index] - gap * rank as f64).clamp(low, high.max(low)), 1);
        while let Some((before, others)) = pools.pop_if(|(before, _)| *before > place) {
            place = (place * count as f64 + before * others as f64) / (count + others) as f64;
            count += others;
        }
        pools.push((place, count));
    }
    let places = pools.into_iter().flat_map(|(place, count)| std::iter::repeat_n(place, count));
    let mut heights = vec![0.0; wanted.len()];
    for (rank, (&index, place)) in order.iter().zip(places).enumerate() {
        heights[index] = place + gap * rank as f64;
    }
    heights
}

/// A rectangle: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// Creates an area around a point.
    pub(super) fn around((x, y): (f64, f64), (half_width, half_height): (f64, f64)) -> Self {
        Self { left: x - half_width, top: y - half_height, right: x + half_width, bottom: y + half_height }
    }

    /// Returns the coordinates of its middle.
    pub(super) fn middle(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    /// Tests whether they overlap; a common edge is not an overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn within(&self, other: &Self) -> bool {
        self.left >= other.left && self.right <= other.right && self.top >= other.top && self.bottom <= other.bottom
    }
}

/// The tried distances of a label from its mark, in pixels.
const DISTANCES: [f64; 5] = [7.0, 16.0, 28.0, 44.0, 64.0];

/// Finds an area for each label next to its mark: the nearest one, preferably to the right, that overlaps no occupied
/// area, no earlier label and no edge; `None` if there is none.
pub(super) fn place(
    marks: &[(f64, f64)],
    sizes: &[(f64, f64)],
    edges: Area,
    mut taken: Vec<Area>,
) -> Vec<Option<Area>> {
    let labels = marks.iter().zip(sizes).map(|(&(x, y), &(width, height))| {
        let (half_width, half_height) = (width / 2.0, height / 2.0);
        // Right, left, above, below, and the corners between them.
        let ways =
            [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)];
        let tried = DISTANCES.iter().flat_map(|distance| {
            ways.map(|(right, down)| {
                let middle = (x + right * (distance + half_width), y + down * (distance + half_height));
                Area::around(middle, (half_width, half_height))
            })
        });
        let free = |area: &Area| area.within(&edges) && !taken.iter().any(|other| area.overlaps(other));
        let found = tried.into_iter().find(free);
        taken.extend(found);
        found
    });
    labels.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_room_keep_their_wanted_heights() {
        assert_eq!(spread(&[50.0, 10.0, 90.0], 12.0, (0.0, 100.0)), [50.0, 10.0, 90.0]);
        assert_eq!(spread(&[], 12.0, (0.0, 100.0)), [] as [f64; 0]);
    }

    #[test]
    fn labels_that_touch_move_equally() {
        assert_eq!(spread(&[50.0, 50.0], 12.0, (0.0, 100.0)), [44.0, 56.0]);
        assert_eq!(spread(&[50.0, 50.0, 50.0], 12.0, (0.0, 100.0)), [38.0, 50.0, 62.0]);
    }

    #[test]
    fn labels_within_the_bounds_do_not_overlap() {
        let wanted = [100.0, 99.0, 98.0, 3.0, 100.0, 1.0, 40.0];
        let places = spread(&wanted, 12.0, (0.0, 100.0));
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted[0] >= -1e-9 && sorted[6] <= 100.0 + 1e-9, "{places:?}");
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 12.0 - 1e-9), "{places:?}");
        // Too many for the space: the gaps shrink, and the order stays.
        let many = spread(&[5.0; 41], 12.0, (0.0, 100.0));
        assert!(many.windows(2).all(|pair| (pair[1] - pair[0] - 2.5).abs() < 1e-9), "{many:?}");
    }

    #[test]
    fn a_label_next_to_a_mark_overlaps_nothing() {
        let edges = Area { left: 0.0, top: 0.0, right: 200.0, bottom: 200.0 };
        let marks = [(50.0, 50.0), (52.0, 50.0), (190.0, 190.0), (54.0, 52.0)];
        let sizes = [(40.0, 12.0); 4];
        // The last area is the label of a limit.
        let mut taken: Vec<Area> = marks.iter().map(|&at| Area::around(at, (4.0, 4.0))).collect();
        taken.push(Area { left: 60.0, top: 40.0, right: 100.0, bottom: 60.0 });
        let places = place(&marks, &sizes, edges, taken.clone());
        let found: Vec<Area> = places.iter().flatten().copied().collect();
        assert_eq!(found.len(), 4);
        for (index, area) in found.iter().enumerate() {
            assert!(area.within(&edges));
            assert!(!found[..index].iter().any(|other| area.overlaps(other)), "{found:?}");
            assert!(!taken.iter().any(|other| area.overlaps(other)), "{found:?}");
        }
        assert_eq!(place(&[(5.0, 5.0)], &[(400.0, 12.0)], edges, Vec::new()), [None], "wider than the drawing");
    }
}
