//! The order of boards, entries and runs, which follows from a plan that has changed.

use std::collections::HashMap;
use std::sync::Arc;

use super::Fold;
use crate::key::RunKey;
use crate::plan::{first_of_turn, turns};

/// What is known of the order of runs.
#[derive(Clone, Default)]
pub(super) enum Known {
    /// Nothing: it follows from the plan.
    #[default]
    Nothing,
    /// The order as it is.
    Now(Arranged),
    /// The order before entries came to the end of the plan, and how many there were then.
    Before(Arranged, usize),
}

impl Known {
    /// What is known after an entry came, if there were so many before it.
    pub(super) fn before(self, entries: usize) -> Self {
        match self {
            Self::Now(arranged) => Self::Before(arranged, entries),
            other => other,
        }
    }
}

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
        let arranged = match &self.arranged {
            Known::Now(arranged) => return arranged.clone(),
            Known::Before(arranged, entries) => self.extended(arranged, *entries),
            Known::Nothing => None,
        };
        let arranged = match arranged {
            Some(arranged) => arranged,
            None if self.changed => self.canonical_order(),
            None => self.order_of_keys(),
        };
        self.arranged = Known::Now(arranged.clone());
        arranged
    }

    /// The order in which runs were planned.
    fn order_of_keys(&self) -> Arranged {
        let slots = 0..self.keys.len();
        Arranged { order: slots.map(|slot| self.key_of(slot)).collect(), places: None, inverse: None }
    }

    /// The key of the run in that slot.
    ///
    /// # Panics
    ///
    /// If no run was planned there.
    pub(super) fn key_of(&self, slot: usize) -> RunKey {
        self.index.key(*self.keys.get(slot).expect("the slot of a planned run"))
    }

    /// The order that follows from the plan, whose boards and entries are put in the order of the last settings.
    fn canonical_order(&mut self) -> Arranged {
        let facts = Arc::make_mut(&mut self.facts);
        if let Some(names) = &self.names {
            sort_by_names(&mut facts.plan.boards, &names.0, |board| &board.name);
            sort_by_names(&mut facts.plan.entries, &names.1, |entry| &entry.name);
        }
        let boards = self.first_boards();
        let facts = &self.facts;
        let plan = &facts.plan;
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
        for slot in first.chain(later) {
            if inverse[slot] == u32::MAX {
                inverse[slot] = short(places.len());
                places.push(short(slot));
            }
        }
        let order = places.iter().map(|&slot| self.key_of(slot as usize)).collect();
        Arranged { order, places: Some(places.into()), inverse: Some(inverse.into()) }
    }

    /// The numbers of the boards of the first round, in their order.
    fn first_boards(&self) -> Vec<u32> {
        let plan = &self.facts.plan;
        let first = plan.boards.iter().zip(plan.rounds_of_boards()).filter(|(_, round)| *round == 1);
        first.map(|(board, _)| self.index.number_of_board(&board.name).unwrap_or(u32::MAX)).collect()
    }

    /// The same as [`Self::canonical_order`], made from the order when there were `known` entries: on each board, the new ones stand
    /// between the last and the first of the others. It copies the order in large pieces. `None` where that is not all.
    fn extended(&self, before: &Arranged, known: usize) -> Option<Arranged> {
        let (plan, boards) = (&self.facts.plan, self.first_boards());
        let (places, count) = (before.places.as_ref()?, plan.entries.len());
        let groups = plan.repeat as usize * boards.len();
        // Each entry had a run on each board, and later rounds have none.
        if !self.facts.rounds.is_empty() || places.len() != known.checked_mul(groups)? || known == 0 {
            return None;
        }
        let new = plan.entries.get(known..)?;
        let named = |entry: &str| self.names.as_ref().is_some_and(|names| names.1.iter().any(|name| name == entry));
        let mut slots = Vec::with_capacity(new.len() * groups);
        for entry in new {
            let of_entry = self.index.slots_of(&entry.name).filter(|_| !named(&entry.name))?;
            for repeat in 1..=plan.repeat {
                for &board in &boards {
                    slots.push(of_entry.on(1, board, repeat)?);
                }
            }
        }
        let (mut order, mut all) = (Vec::with_capacity(count * groups), Vec::with_capacity(count * groups));
        for group in 0..groups {
            let (board, repeat) = (group % boards.len(), u32::try_from(group / boards.len()).ok()? + 1);
            let (first, now) = (first_of_turn(repeat, board, known), first_of_turn(repeat, board, count));
            for turn in [now..count, 0..now] {
                let (begin, end) = (turn.start.min(known), turn.end.min(known));
                // The known ones stood from `first` to the last, and then from the first one on.
                let low = (begin.min(first) + known - first)..(end.min(first) + known - first);
                let high = (begin.max(first) - first)..(end.max(first) - first);
                for piece in [low, high] {
                    let piece = (group * known + piece.start)..(group * known + piece.end);
                    order.extend_from_slice(&before.order[piece.clone()]);
                    all.extend_from_slice(&places[piece]);
                }
                for entry in turn.start.max(known)..turn.end.max(known) {
                    let slot = slots[(entry - known) * groups + group];
                    order.push(self.key_of(slot));
                    all.push(short(slot));
                }
            }
        }
        let mut inverse = vec![u32::MAX; self.keys.len()];
        for (place, &slot) in all.iter().enumerate() {
            inverse[slot as usize] = short(place);
        }
        Some(Arranged { order: order.into(), places: Some(all.into()), inverse: Some(inverse.into()) })
    }
}

/// A place or slot in few bytes. The index has none that does not fit.
fn short(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Sorts items by the places of their names in a list; those that it does not have stay behind the others.
fn sort_by_names<T>(items: &mut [T], names: &[String], name: impl Fn(&T) -> &String) {
    let places: HashMap<&String, usize> = names.iter().zip(0..).collect();
    items.sort_by_key(|item| places.get(name(item)).copied().unwrap_or(usize::MAX));
}

#[cfg(test)]
mod tests;
