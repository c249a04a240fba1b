//! The order of boards, entries and runs, which follows from a plan that has changed.

use std::collections::HashMap;
use std::sync::Arc;

use super::Fold;
use crate::key::RunKey;

/// The order of runs as it follows from the plan.
#[derive(Clone)]
pub(super) struct Arranged {
    pub(super) order: Arc<[RunKey]>,
    /// The slot of each run; `None` if that is the order in which runs were planned.
    pub(super) places: Option<Arc<[u32]>>,
    /// The place of each slot in the order, in that case; that of one without a place is too high.
    pub(super) inverse: Option<Arc<[u32]>>,
}

impl Fold {
    /// The order of runs, as it follows from the plan.
    pub(super) fn arranged(&mut self) -> Arranged {
        if let Some(arranged) = &self.arranged {
            return arranged.clone();
        }
        let arranged = if self.changed { self.canonical_order() } else { self.order_of_keys() };
        self.arranged.insert(arranged).clone()
    }

    /// The order in which runs were planned.
    fn order_of_keys(&self) -> Arranged {
        Arranged {
            order: self.keys.iter().filter_map(|&run| self.index.key(run)).collect(),
            places: None,
            inverse: None,
        }
    }

    /// The order that follows from the plan, whose boards and entries are put in the order of the last settings.
    fn canonical_order(&mut self) -> Arranged {
        let facts = Arc::make_mut(&mut self.facts);
        if let Some(names) = &self.names {
            sort_by_names(&mut facts.plan.boards, &names.0, |board| &board.name);
            sort_by_names(&mut facts.plan.entries, &names.1, |entry| &entry.name);
        }
        let first = facts.plan.turns();
        let later = facts.rounds.iter().flat_map(|round| &round.order);
        let mut places = Vec::with_capacity(self.keys.len());
        let mut inverse = vec![u32::MAX; self.keys.len()];
        // The index has no slot that does not fit.
        let short = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        for slot in first.iter().chain(later).filter_map(|key| self.index.planned(key)) {
            if inverse[slot] == u32::MAX {
                inverse[slot] = short(places.len());
                places.push(short(slot));
            }
        }
        let order = places.iter().filter_map(|&slot| self.index.key(*self.keys.get(slot as usize)?)).collect();
        Arranged { order, places: Some(places.into()), inverse: Some(inverse.into()) }
    }
}

/// Sorts items by the places of their names in a list; those that it does not have stay behind the others.
fn sort_by_names<T>(items: &mut [T], names: &[String], name: impl Fn(&T) -> &String) {
    let places: HashMap<&String, usize> = names.iter().zip(0..).collect();
    items.sort_by_key(|item| places.get(name(item)).copied().unwrap_or(usize::MAX));
}
