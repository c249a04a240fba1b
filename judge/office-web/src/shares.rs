//! Shares of limited resources, such as connections, counted by their holders.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The taken shares, by holder.
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

/// A share, which is returned when this is dropped.
#[derive(Debug)]
pub(crate) struct Share<K: Eq + Hash> {
    shares: Shares<K>,
    by: K,
}

impl<K: Clone + Eq + Hash> Shares<K> {
    /// Takes a share. `may` decides on it by the number of the holder's shares and the number of all shares.
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

    /// The number of holders.
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
