//! The way from names to boards, entries and planned runs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::key::{Name, RunKey};

/// A run by its round, the indices of its entry and board, and its repeat.
pub(super) type ShortKey = (u32, u32, u32, u32);

/// The way from names to boards, entries and runs.
#[derive(Default)]
pub(super) struct Index {
    /// Index in the plan by name.
    pub(super) entries: HashMap<Name, u32>,
    pub(super) boards: HashMap<Name, u32>,
    /// Index of a slot.
    pub(super) places: HashMap<ShortKey, usize>,
}

impl Index {
    /// The key that identifies a run cheaply, and the run's names as all runs share them.
    pub(super) fn identify(&self, key: &RunKey) -> Option<(ShortKey, RunKey)> {
        let (entry, &e) = self.entries.get_key_value(&*key.entry)?;
        let (board, &b) = self.boards.get_key_value(&*key.board)?;
        Some(((key.round, e, b, key.repeat), RunKey { entry: entry.clone(), board: board.clone(), ..*key }))
    }

    /// The slot of the run with that key, by its index.
    pub(super) fn planned(&self, key: &RunKey) -> Option<(usize, RunKey)> {
        let (short, key) = self.identify(key)?;
        Some((*self.places.get(&short)?, key))
    }
}

/// Adds a name with its index. Names are parts of paths, so those that lead elsewhere are refused.
pub(super) fn add_name(names: &mut HashMap<Name, u32>, what: &str, name: &str, index: usize) -> Result<(), String> {
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
        return Err(format!("{what} name {name:?} is not usable"));
    }
    let index = u32::try_from(index).map_err(|_| format!("too many names of kind {what}"))?;
    match names.insert(Arc::from(name), index) {
        None => Ok(()),
        Some(_) => Err(format!("duplicate {what} name `{name}`")),
    }
}
