//! A list that only grows at its end, such as the list of submissions.

use std::sync::Arc;

use judge_core::chunks::Chunks;

/// Items in the order of their addition. Lists of different moments share their items.
#[derive(Debug, Clone)]
pub struct List<T>(Chunks<Arc<T>>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Chunks::default())
    }
}

impl<T> List<T> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tests whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The item at an index; `None` beyond the end.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index).map(|item| &**item)
    }

    /// The item that was added last.
    pub fn last(&self) -> Option<&T> {
        self.get(self.len().checked_sub(1)?)
    }

    /// The items, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.0.iter().map(|item| &**item)
    }

    /// The indices of items that differ from those of an earlier list, which is not longer.
    pub(super) fn changed_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let same =
            |index: usize| self.0.get(index).zip(before.0.get(index)).is_some_and(|(now, then)| Arc::ptr_eq(now, then));
        self.0.unshared(&before.0).filter(move |index| !same(*index))
    }

    pub(super) fn push(&mut self, item: T) {
        self.0.push(Arc::new(item));
    }
}

impl<T: Clone> List<T> {
    /// A mutable reference to the item at an index.
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.0.get_mut(index).map(Arc::make_mut)
    }
}
