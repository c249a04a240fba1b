//! Permits for limited resources, such as connections, counted by their holders.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The taken permits, by holder.
#[derive(Debug)]
pub(crate) struct Permits<K>(Arc<Mutex<Taken<K>>>);

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    by: HashMap<K, usize>,
}

impl<K> Default for Permits<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Taken { all: 0, by: HashMap::new() })))
    }
}

impl<K> Clone for Permits<K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A permit, which is returned when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit<K: Eq + Hash> {
    permits: Permits<K>,
    by: K,
}

impl<K: Clone + Eq + Hash> Permits<K> {
    /// Takes a permit. `may` decides on it by the number of the holder's permits and the number of all permits.
    ///
    /// # Errors
    /// The reason of `may`.
    pub(crate) fn take<E>(&self, by: K, may: impl FnOnce(usize, usize) -> Result<(), E>) -> Result<Permit<K>, E> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.by.get(&by).copied().unwrap_or_default();
        may(own, taken.all)?;
        taken.all += 1;
        taken.by.insert(by.clone(), own + 1);
        Ok(Permit { permits: self.clone(), by })
    }

    /// The number of holders.
    #[cfg(test)]
    pub(crate) fn takers(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by.len()
    }
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut taken = self.permits.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.all = taken.all.saturating_sub(1);
        if let Some(own) = taken.by.get_mut(&self.by) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.by.remove(&self.by);
            }
        }
    }
}
