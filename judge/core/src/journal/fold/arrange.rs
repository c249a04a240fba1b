//! The order of boards, entries and runs, which follows from a plan that has changed.

use std::collections::HashMap;
use std::sync::Arc;

use super::Fold;
use crate::key::RunKey;
use crate::plan::turns;

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
        let plan = &facts.plan;
        let boards: Vec<u32> = (plan.boards.iter().zip(plan.rounds_of_boards()))
            .filter(|(_, round)| *round == 1)
            .map(|(board, _)| self.index.number_of_board(&board.name).unwrap_or(u32::MAX))
            .collect();
        // By entry, repeat and board: the slots of an entry are near each other in memory, those on a board are not.
        let mut slots = Vec::with_capacity(plan.entries.len() * plan.repeat as usize * boards.len());
        for entry in &plan.entries {
            let of_entry = self.index.slots_of(&entry.name);
            for repeat in 1..=plan.repeat {
                slots.extend(boards.iter().map(|&board| of_entry?.on(1, board, repeat)));
            }
        }
        let place = |(repeat, board, entry): (u32, usize, usize)| {
            (entry * plan.repeat as usize + repeat as usize - 1) * boards.len() + board
        };
        let first = turns(plan.repeat, boards.len(), plan.entries.len()).filter_map(|turn| slots[place(turn)]);
        let later = facts.rounds.iter().flat_map(|round| &round.order).filter_map(|key| self.index.planned(key));
        let mut places = Vec::with_capacity(self.keys.len());
        let mut inverse = vec![u32::MAX; self.keys.len()];
        // The index has no slot that does not fit.
        let short = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        for slot in first.chain(later) {
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
