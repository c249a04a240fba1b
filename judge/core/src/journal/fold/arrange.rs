//! The order of boards, entries and runs, which follows from a plan that has changed.

use std::collections::HashMap;

use crate::journal::{Contents, Record};
use crate::key::RunKey;
use crate::verdict::Verdict;

/// A planned run.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) key: RunKey,
    /// The number of its last attempt.
    pub(super) attempts: u32,
    /// The number of attempts with a record.
    pub(super) recorded: u32,
    /// The record that counts.
    pub(super) record: Option<Record>,
    /// What the record said before each ruling by hand on it that was not taken back.
    pub(super) before_rulings: Vec<Said>,
}

/// The verdict of a record, and the reason and the name of the ruling by hand that made it.
pub(super) type Said = (Verdict, Option<String>, Option<String>);

impl Slot {
    pub(super) fn new(key: RunKey) -> Self {
        Self { key, attempts: 0, recorded: 0, record: None, before_rulings: Vec::new() }
    }

    /// Takes the record of another attempt, which counts from now on, unless it says that the one before does.
    pub(super) fn set(&mut self, mut record: Record) {
        self.attempts = self.attempts.max(record.attempt);
        record.earlier = self.recorded;
        self.recorded += 1;
        if record.in_vain && self.record.is_some() {
            return;
        }
        self.before_rulings.clear();
        self.record = Some(record);
    }
}

/// The order of everything, as it follows from a plan that has changed.
pub(super) struct CanonicalOrder {
    pub(super) boards: Vec<String>,
    pub(super) entries: Vec<String>,
    pub(super) slots: Vec<usize>,
}

/// The contest with these slots in that order.
pub(super) fn arrange(mut contents: Contents, slots: Vec<Slot>, order: Option<CanonicalOrder>) -> Contents {
    let mut slots: Vec<Option<Slot>> = slots.into_iter().map(Some).collect();
    let order = order.map_or_else(
        || (0..slots.len()).collect(),
        |CanonicalOrder { boards, entries, slots }| {
            sort_by_names(&mut contents.plan.boards, &boards, |board| &board.name);
            sort_by_names(&mut contents.plan.entries, &entries, |entry| &entry.name);
            slots
        },
    );
    for slot in order.into_iter().filter_map(|place: usize| slots[place].take()) {
        contents.order.push(slot.key);
        contents.attempts.push(slot.attempts);
        let seq = contents.order.len();
        contents.records.extend(slot.record.map(|record| Record { seq, ..record }));
    }
    contents
}

/// Sorts items by the places of their names in a list; those that it does not have stay behind the others.
pub(super) fn sort_by_names<T>(items: &mut [T], names: &[String], name: impl Fn(&T) -> &String) {
    let places: HashMap<&String, usize> = names.iter().zip(0..).collect();
    items.sort_by_key(|item| places.get(name(item)).copied().unwrap_or(usize::MAX));
}
