//! Lists by score, whose memory is reused from level to level.

/// Number of items per piece of a list.
const PIECE: usize = 256;

/// Lists by score. Each consists of pieces, and cleared pieces serve any list, so the memory in use is enough for one
/// level.
#[derive(Debug)]
pub(crate) struct Buckets<T> {
    lists: Vec<Vec<Vec<T>>>,
    free: Vec<Vec<T>>,
}

impl<T> Buckets<T> {
    /// Empty lists for the scores below `scores`.
    pub(crate) fn new(scores: usize) -> Buckets<T> {
        Buckets { lists: (0..scores).map(|_| Vec::new()).collect(), free: Vec::new() }
    }

    /// Removes all items and keeps the memory for new ones.
    pub(crate) fn clear(&mut self) {
        for list in &mut self.lists {
            for mut piece in list.drain(..) {
                piece.clear();
                self.free.push(piece);
            }
        }
    }

    /// Adds an item to the bucket of this score.
    #[inline]
    pub(crate) fn push(&mut self, score: usize, item: T) {
        let list = &mut self.lists[score];
        match list.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(item),
            _ => {
                let mut piece = self.free.pop().unwrap_or_else(|| Vec::with_capacity(PIECE));
                piece.push(item);
                list.push(piece);
            }
        }
    }

    /// Number of items with a score.
    pub(crate) fn len(&self, score: usize) -> usize {
        let list = &self.lists[score];
        list.last().map_or(0, |piece| (list.len() - 1) * PIECE + piece.len())
    }

    /// The items with a score, in the order in which they were added.
    pub(crate) fn items(&self, score: usize) -> impl Iterator<Item = &T> {
        self.lists[score].iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleared_buckets_are_filled_again_in_order() {
        let mut buckets = Buckets::new(3);
        for round in 0..3 {
            for item in 0..1_000 {
                buckets.push(item % 2 * (1 + round % 2), item + round);
            }
            let odd = 1 + round % 2;
            assert_eq!([0, odd, 3 - odd].map(|score| buckets.len(score)), [500, 500, 0]);
            assert!(buckets.items(odd).copied().eq((0..500).map(|item| 2 * item + 1 + round)));
            buckets.clear();
            assert_eq!((buckets.len(0), buckets.len(odd), buckets.free.len()), (0, 0, 4));
        }
    }
}
