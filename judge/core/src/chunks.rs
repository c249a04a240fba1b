//! A vector whose clones share equal parts, so that a contest of a million runs has cheap snapshots.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The items that are copied together when one of them changes and a clone has them too.
const CHUNK: usize = 256;

/// A vector in pieces. A clone costs one reference; a change copies one piece and a reference per piece, and only if a clone still has
/// them.
#[derive(Debug)]
pub struct Chunks<T> {
    chunks: Arc<Vec<Arc<Vec<T>>>>,
    length: usize,
}

impl<T> Clone for Chunks<T> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone(), length: self.length }
    }
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Arc::default(), length: 0 }
    }
}

impl<T> Chunks<T> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Tests whether the vector is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The item at that index; `None` beyond the end.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// The first item; `None` if there is none.
    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    /// The last item; `None` if there is none.
    pub fn last(&self) -> Option<&T> {
        self.get(self.length.checked_sub(1)?)
    }

    /// The items in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }
}

impl<T: PartialEq> PartialEq for Chunks<T> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    /// # Panics
    ///
    /// If the index is beyond the end.
    fn index(&self, index: usize) -> &T {
        self.get(index).expect("an index below the number of items")
    }
}

impl<T: Clone> IndexMut<usize> for Chunks<T> {
    /// # Panics
    ///
    /// If there are not that many items.
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.get_mut(index).expect("an index below the number of items")
    }
}

impl<T: Clone> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut chunks = Self::default();
        items.into_iter().for_each(|item| chunks.push(item));
        chunks
    }
}

impl<'a, T> IntoIterator for &'a Chunks<T> {
    type Item = &'a T;
    type IntoIter = Box<dyn Iterator<Item = &'a T> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl<T: Serialize> Serialize for Chunks<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Clone + Deserialize<'de>> Deserialize<'de> for Chunks<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

impl<T: Clone> Chunks<T> {
    /// The item at that index, for a change.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        // One that is not there copies nothing.
        self.get(index)?;
        Arc::make_mut(Arc::make_mut(&mut self.chunks).get_mut(index / CHUNK)?).get_mut(index % CHUNK)
    }

    /// The items in their order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        Arc::make_mut(&mut self.chunks).iter_mut().flat_map(|chunk| Arc::make_mut(chunk).iter_mut())
    }

    /// Keeps the items that are wanted.
    pub fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        *self = self.iter().filter(|item| wanted(item)).cloned().collect();
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        let chunks = Arc::make_mut(&mut self.chunks);
        if self.length.is_multiple_of(CHUNK) {
            chunks.push(Arc::new(Vec::with_capacity(CHUNK)));
        }
        if let Some(last) = chunks.last_mut() {
            Arc::make_mut(last).push(item);
            self.length += 1;
        }
    }

    /// The indices of items that may differ from those of an earlier clone, in the pieces that both have.
    pub fn unshared<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let pairs = self.chunks.iter().zip(&*earlier.chunks).enumerate();
        let unshared = pairs.filter(|(_, (now, before))| !Arc::ptr_eq(now, before));
        unshared.flat_map(|(chunk, (now, _))| (0..now.len()).map(move |index| chunk * CHUNK + index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_shares_the_chunks_that_do_not_change() {
        let mut chunks = Chunks::default();
        (0..3 * CHUNK + 1).for_each(|item| chunks.push(item));
        let before = chunks.clone();
        *chunks.get_mut(CHUNK).unwrap() = 7;
        chunks.push(8);
        assert_eq!((before.len(), chunks.len()), (3 * CHUNK + 1, 3 * CHUNK + 2));
        assert_eq!(before.iter().copied().collect::<Vec<_>>(), (0..3 * CHUNK + 1).collect::<Vec<_>>());
        assert_eq!(
            (chunks.get(CHUNK), chunks.get(3 * CHUNK + 1), chunks.get(3 * CHUNK + 2)),
            (Some(&7), Some(&8), None)
        );
        let shared = |index: usize| Arc::ptr_eq(&before.chunks[index], &chunks.chunks[index]);
        assert_eq!([shared(0), shared(1), shared(2), shared(3)], [true, false, true, false]);
    }
}
