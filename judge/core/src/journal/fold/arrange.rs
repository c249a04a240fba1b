//! Keeping the order of boards, entries and runs up to date.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::Fold;
use super::order::{Order, Places};
use crate::key::RunKey;

impl Fold {
    /// The order of runs, as it follows from the plan.
    pub(super) fn order(&mut self) -> Arc<Order> {
        if self.order.is_none() {
            self.order = Some(Arc::new(Order {
                plan: self.facts.plan.clone(),
                rounds: self.facts.rounds.clone(),
                players: self.facts.players.clone(),
                index: self.index.clone(),
                keys: self.keys.clone(),
                changed: self.changed,
                places: self.places.clone(),
                arranged: OnceLock::new(),
            }));
        }
        self.order.clone().expect("an order that was made")
    }

    /// The key of the run in that slot.
    ///
    /// # Panics
    ///
    /// If no run was planned there.
    pub(super) fn key_of(&self, slot: usize) -> RunKey {
        self.index.key(slot, *self.keys.get(slot).expect("the slot of a planned run"))
    }

    /// Puts boards and entries in the order of the last settings, after one of them came or that order did.
    pub(super) fn arrange(&mut self) {
        (self.changed, self.order) = (true, None);
        let facts = Arc::make_mut(&mut self.facts);
        if let Some(names) = &self.names {
            sort_by_names(&mut facts.plan.boards, &names.0, |board| &board.name);
            let mut entries: Vec<_> = facts.plan.entries.iter().cloned().collect();
            sort_by_names(&mut entries, &names.1, |entry| &entry.name);
            facts.plan.entries = entries.into_iter().collect();
        }
        self.places = Arc::new(Places::of(&self.facts.plan, &self.index));
    }

    /// Updates the order after an entry was added. Usually it is the last, and nothing is sorted.
    pub(super) fn arrange_entry(&mut self, name: &str) {
        let named = self.names.as_ref().is_some_and(|names| names.1.iter().any(|one| one == name));
        if named { self.arrange() } else { (self.changed, self.order) = (true, None) }
    }
}

/// Sorts items by the places of their names in a list; those that it does not have stay behind the others.
fn sort_by_names<T>(items: &mut [T], names: &[String], name: impl Fn(&T) -> &String) {
    let places: HashMap<&String, usize> = names.iter().zip(0..).collect();
    items.sort_by_key(|item| places.get(name(item)).copied().unwrap_or(usize::MAX));
}

#[cfg(test)]
pub(super) mod tests;
