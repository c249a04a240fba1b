//! A map for possibly many values by name.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of parts that are copied separately.
const SHARDS: usize = 256;

/// Values by name. A clone shares them, and a change copies one of the parts.
#[derive(Debug, Clone)]
pub(super) struct Shards<V>(Vec<Arc<BTreeMap<String, V>>>);

impl<V> Default for Shards<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V: Clone> Shards<V> {
    pub(super) fn get(&self, name: &str) -> Option<&V> {
        self.0.get(shard_of(name))?.get(name)
    }

    pub(super) fn insert(&mut self, name: String, value: V) {
        // Most contests have none.
        self.0.resize_with(SHARDS, Arc::default);
        Arc::make_mut(&mut self.0[shard_of(&name)]).insert(name, value);
    }
}

/// The part to which a name belongs.
fn shard_of(name: &str) -> usize {
    name.bytes().fold(0_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into())) % SHARDS
}
