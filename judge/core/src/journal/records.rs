//! The runs of a contest at one moment. A snapshot shares them with the fold.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use super::Record;
use super::fold::Order;
use crate::chunks::Chunks;

/// A planned run. Slots are in the order in which runs were planned.
#[derive(Debug, Clone, Default)]
pub(super) struct Slot {
    /// The number of its last attempt.
    pub(super) attempts: u32,
    /// The number of attempts with a record.
    pub(super) recorded: u32,
    /// The record that counts; `None` before the first attempt has finished.
    pub(super) record: Option<Arc<Record>>,
    /// The record before each ruling by hand that was not taken back. Few runs have any.
    #[allow(clippy::box_collection, reason = "a third of the size in each of a million slots")]
    pub(super) before_rulings: Option<Box<Vec<Arc<Record>>>>,
}

impl Slot {
    /// The record that counts, for changes.
    pub(super) fn record_mut(&mut self) -> Option<&mut Record> {
        self.record.as_mut().map(Arc::make_mut)
    }

    /// Takes the record of another attempt. It counts from now on, unless it is marked as in vain and another record exists.
    pub(super) fn set(&mut self, mut record: Record, keep: impl FnOnce(Record) -> Arc<Record>) {
        self.attempts = self.attempts.max(record.attempt);
        record.earlier = Some(self.recorded);
        self.recorded += 1;
        if record.in_vain && self.record.is_some() {
            return;
        }
        self.before_rulings = None;
        self.record = Some(keep(record));
    }
}

/// The slots of all runs in the order of the contest.
#[derive(Clone)]
pub(super) struct Slots {
    pub(super) slots: Chunks<Slot>,
    pub(super) order: Arc<Order>,
}

impl Slots {
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Slot> {
        self.slots.get(self.order.slot_of(index)?)
    }
}

/// The record that counts of each run, in the order of runs. Runs without a record are left out. A clone is cheap.
#[derive(Clone)]
pub struct Records(pub(super) Slots);

impl Records {
    /// The record of a run by its index in the order of all runs; `None` if the run has none.
    pub fn by_run(&self, index: usize) -> Option<&Record> {
        self.0.get(index)?.record.as_deref()
    }

    /// The records in the order of runs.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Record> + Clone {
        (0..self.0.len()).filter_map(|index| self.by_run(index))
    }

    /// The records with the indices of their runs in the order of all runs.
    pub fn indexed(&self) -> impl DoubleEndedIterator<Item = (usize, &Record)> + Clone {
        (0..self.0.len()).filter_map(|index| Some((index, self.by_run(index)?)))
    }

    /// Tests whether exactly this record is among them.
    pub fn contains(&self, record: &Record) -> bool {
        self.iter().any(|one| one == record)
    }

    /// The number of records. It visits every run.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns true without records.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// The first record in the order of runs.
    pub fn first(&self) -> Option<&Record> {
        self.iter().next()
    }

    /// The last record in the order of runs.
    pub fn last(&self) -> Option<&Record> {
        self.iter().next_back()
    }
}

impl Index<usize> for Records {
    type Output = Record;

    /// The record at this place among the records, not among the runs. It visits all runs before it.
    ///
    /// # Panics
    ///
    /// Fewer records exist.
    fn index(&self, place: usize) -> &Record {
        self.iter().nth(place).expect("a place below the number of records")
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a> IntoIterator for &'a Records {
    type Item = &'a Record;
    type IntoIter = Box<dyn Iterator<Item = &'a Record> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}
