//! Shares of what there is too little of for everybody at a time, such as connections: they are counted by the one who has them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The shares that are taken, by the one who has them.
#[derive(Debug)]
pub(crate) struct Shares<K>(Arc<Mutex<Taken<K>>>);

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    by: HashMap<K, usize>,
}

impl<K> Default for Shares<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Taken { all: 0, by: HashMap::new() })))
    }
}

impl<K> Clone for Shares<K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A share, which is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share<K: Eq + Hash> {
    shares: Shares<K>,
    by: K,
}

impl<K: Clone + Eq + Hash> Shares<K> {
    /// Takes a share. `may` decides on it by the number of those that this one has, and of all.
    ///
    /// # Errors
    /// The reason of `may`.
    pub(crate) fn take<E>(&self, by: K, may: impl FnOnce(usize, usize) -> Result<(), E>) -> Result<Share<K>, E> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.by.get(&by).copied().unwrap_or_default();
        may(own, taken.all)?;
        taken.all += 1;
        taken.by.insert(by.clone(), own + 1);
        Ok(Share { shares: self.clone(), by })
    }

    /// How many have a share.
    #[cfg(test)]
    pub(crate) fn takers(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by.len()
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut taken = self.shares.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.all = taken.all.saturating_sub(1);
        if let Some(own) = taken.by.get_mut(&self.by) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.by.remove(&self.by);
            }
        }
    }
}
