//! Records of a contest that is only ranked, in few bytes.
//!
//! Most runs of a contest differ from many others only in some numbers. So all runs of a kind share one record, and each run
//! has its numbers and texts beside it. What no table shows, such as hashes of stored files, is left out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant, replace, take};
use std::num::NonZeroU64;
use std::sync::Arc;

use super::{Extras, Record};
use crate::figure::Figures;
use crate::key::{Name, RunKey};
use crate::points::Points;
use crate::rare::Rare;
use crate::verdict::Verdict;

/// The numbers and texts that are missing in shared records.
#[derive(Clone)]
pub(crate) struct CompactRecords {
    /// The last record of each kind, by what mostly tells kinds apart.
    kinds: HashMap<(Discriminant<Verdict>, u32, u32, u64), Arc<Record>>,
    /// The numbers and texts of the runs of each entry.
    own: Vec<EntryRuns>,
    /// The key in records that runs share.
    no_run: RunKey,
}

/// The numbers and texts of the runs of an entry.
#[derive(Clone, Default)]
pub(crate) struct EntryRuns {
    /// Those of each run, with its slot; `None` if its record is whole. The last of several for a slot counts.
    runs: Vec<(u32, Option<RunValues>)>,
    /// The values of their figures. Room for each of them alone would be holes in memory between the cells of a table.
    values: Arc<Vec<Points>>,
    /// True if they are not in the order of slots.
    mixed: bool,
    /// The place of the run after the one that was taken last, which a row mostly asks for.
    next: usize,
}

/// What the run in a slot has beside the record of its kind.
pub(crate) struct CompactRun {
    slot: usize,
    /// `None` if that record is its own.
    own: Option<RunValues>,
    /// The values of the figures of its entry's runs.
    values: Arc<Vec<Points>>,
}

/// The numbers and texts of a run.
#[derive(Clone)]
struct RunValues {
    wall_us: CompactNumber,
    cpu_us: CompactNumber,
    memory_bytes: CompactNumber,
    /// The place of the values of its figures among those of the entry.
    values: u32,
    final_board: Option<Name>,
    /// Its texts, if it has any.
    said: Option<Box<Texts>>,
}

/// A number in half the room of its option.
#[derive(Clone, Copy)]
struct CompactNumber(Option<NonZeroU64>);

impl From<Option<u64>> for CompactNumber {
    fn from(number: Option<u64>) -> Self {
        Self(number.and_then(|number| NonZeroU64::new(number.saturating_add(1))))
    }
}

impl From<CompactNumber> for Option<u64> {
    fn from(packed: CompactNumber) -> Self {
        packed.0.map(|number| number.get() - 1)
    }
}

#[derive(Clone)]
struct Texts {
    verdict: Verdict,
    extras: Extras,
}

impl Default for CompactRecords {
    fn default() -> Self {
        Self { kinds: HashMap::new(), own: Vec::new(), no_run: RunKey::new(0, Name::default(), Name::default()) }
    }
}

impl CompactRecords {
    /// Reserves room for the runs, divided evenly among the entries: growing would leave holes in memory.
    pub(super) fn expecting(entries: usize, runs: usize) -> Self {
        let of_entry = || EntryRuns { runs: Vec::with_capacity(runs / entries.max(1)), ..EntryRuns::default() };
        Self { own: (0..entries).map(|_| of_entry()).collect(), ..Self::default() }
    }

    /// Keeps the numbers and texts of the run of an entry in a slot, and returns the record of its kind.
    pub(crate) fn keep(&mut self, (entry, slot): (usize, usize), mut record: Record) -> Arc<Record> {
        if self.own.len() <= entry {
            self.own.resize_with(entry + 1, EntryRuns::default);
        }
        let EntryRuns { runs, values, mixed, .. } = &mut self.own[entry];
        let first = short(values.len());
        let said = (has_text(&record.verdict) || record.extras != Rare::default()).then(|| {
            let verdict = replace(&mut record.verdict, Verdict::TimedOut);
            Box::new(Texts { verdict, extras: take(&mut record.extras) })
        });
        let own = RunValues {
            wall_us: record.wall_us.take().into(),
            cpu_us: record.usage.cpu_us.take().into(),
            memory_bytes: record.usage.memory_bytes.take().into(),
            values: first,
            final_board: record.final_board.take(),
            said,
        };
        if let Some(figures) = figures(&mut record.verdict) {
            let (values, given) = (Arc::make_mut(values), figures.take_values());
            if values.is_empty() {
                values.reserve(runs.capacity() * given.len());
            }
            values.extend(given);
        }
        let slot = short(slot);
        *mixed |= runs.last().is_some_and(|(last, _)| *last > slot);
        runs.push((slot, Some(own)));
        record.key = self.no_run.clone();
        (record.contention, record.output, record.at) = (None, None, None);
        (record.seq, record.stdout_bytes, record.stderr_bytes) = (0, 0, 0);
        let kind = (discriminant(&record.verdict), record.machine, record.attempt, record.limit_ms);
        if let Some(same) = self.kinds.get(&kind).filter(|known| ***known == record && has_names_of(known, &record)) {
            return same.clone();
        }
        let record = Arc::new(record);
        self.kinds.insert(kind, record.clone());
        record
    }

    /// Gives the record of the run of an entry in a slot, which is that of its kind, its numbers and texts.
    pub(crate) fn restore_record(
        &mut self,
        (entry, slot): (usize, usize),
        record: &mut Arc<Record>,
        key: impl FnOnce() -> RunKey,
    ) {
        if let Some(runs) = self.own.get_mut(entry)
            && let Cow::Owned(whole) = runs.take(slot).whole(record, key)
        {
            *record = Arc::new(whole);
        }
    }

    /// The numbers and texts of an entry's runs, which leave.
    pub(crate) fn of_entry(&mut self, entry: usize) -> EntryRuns {
        self.own.get_mut(entry).map(take).unwrap_or_default()
    }
}

impl EntryRuns {
    /// What the run in a slot has, which leaves.
    pub(crate) fn take(&mut self, slot: usize) -> CompactRun {
        CompactRun { slot, own: self.own(short(slot)), values: self.values.clone() }
    }

    fn own(&mut self, slot: u32) -> Option<RunValues> {
        if take(&mut self.mixed) {
            self.runs.sort_by_key(|(slot, _)| *slot);
        }
        let known = |place: usize| self.runs.get(place).is_some_and(|(known, _)| *known == slot);
        if !known(self.next) || known(self.next + 1) {
            self.next = self.runs.partition_point(|(known, _)| *known <= slot).checked_sub(1)?;
        }
        let (known, own) = &mut self.runs[self.next];
        self.next += 1;
        if *known == slot { own.take() } else { None }
    }
}

impl CompactRun {
    /// Tests whether a process ran.
    pub(crate) fn was_made(&self, kind: &Record) -> bool {
        self.own.as_ref().map_or(kind.wall_us, |own| own.wall_us.into()).is_some()
    }

    /// The whole record of the run.
    pub(crate) fn whole(self, kind: &Record, key: impl FnOnce() -> RunKey) -> Cow<'_, Record> {
        let Some(own) = self.own else { return Cow::Borrowed(kind) };
        let mut record = Record { key: key(), seq: self.slot + 1, ..kind.clone() };
        record.wall_us = own.wall_us.into();
        (record.usage.cpu_us, record.usage.memory_bytes) = (own.cpu_us.into(), own.memory_bytes.into());
        record.final_board = own.final_board;
        match own.said.map(|said| *said) {
            Some(Texts { verdict, extras }) => (record.verdict, record.extras) = (verdict, extras),
            None => {
                if let Some(figures) = figures(&mut record.verdict) {
                    figures.put_values(self.values.get(own.values as usize..).unwrap_or_default());
                }
            }
        }
        Cow::Owned(record)
    }
}

/// A slot in few bytes. No run is planned in one that does not fit.
fn short(slot: usize) -> u32 {
    u32::try_from(slot).unwrap_or(u32::MAX)
}

/// Tests whether a verdict has a text or a number besides the figures of an accepted answer, or a position to be shown.
fn has_text(verdict: &Verdict) -> bool {
    use Verdict::{BuildFailed, CouldNotStart, Crashed, IllegalMove, JudgeError, Unsolved, Wrong};
    matches!(
        verdict,
        Unsolved(_)
            | IllegalMove { .. }
            | Wrong { .. }
            | Crashed { .. }
            | CouldNotStart { .. }
            | BuildFailed { .. }
            | JudgeError { .. }
    )
}

fn figures(verdict: &mut Verdict) -> Option<&mut Figures> {
    match verdict {
        Verdict::Solved(given) | Verdict::Valid(given) => Some(&mut given.figures),
        _ => None,
    }
}

/// Tests whether the figures of two records have the same names in the same order, as values have no names.
fn has_names_of(one: &Record, other: &Record) -> bool {
    let [one, other] = [one, other].map(|record| record.verdict.given().map(|given| &given.figures));
    one.zip(other).is_none_or(|(one, other)| one.is_named_as(other))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use serde_json::json;

    use super::*;
    use crate::verdict::JudgeFailure;

    fn record(entry: &str, moves: u64) -> Record {
        let mut line = super::super::tests::run(1, entry, "X", 1, moves);
        line.as_object_mut().unwrap().extend(json!({"cpu_us": moves, "memory_bytes": 7}).as_object().unwrap().clone());
        serde_json::from_value(line).unwrap()
    }

    #[test]
    fn runs_of_a_kind_share_a_record_and_have_their_own_numbers() {
        let mut compact = CompactRecords::default();
        let mut other = record("b", 9);
        (other.wall_us, other.contention) = (Some(77), Some(Default::default()));
        let failed = JudgeFailure::Referee("why".into());
        let mut wrong = Record { verdict: Verdict::JudgeError { reason: failed }, ..record("c", 0) };
        (wrong.final_board, wrong.extras.notes) = (Some("XY".into()), vec!["a note".into()]);
        let mut swapped = record("d", 3);
        if let Verdict::Solved(given) = &mut swapped.verdict {
            let named =
                |name: &str| (crate::figure::FigureName::parse(name).unwrap(), given.figures.get(name).unwrap());
            given.figures = ["tie_break", "progress", "moves"].map(named).into_iter().collect();
        }
        let all = [record("a", 5), other, wrong, swapped];
        let kinds: Vec<Arc<Record>> =
            all.iter().zip(0..).map(|(record, slot)| compact.keep((0, slot), record.clone())).collect();
        assert!(Arc::ptr_eq(&kinds[0], &kinds[1]));
        assert!(!Arc::ptr_eq(&kinds[0], &kinds[3]), "the same names in another order");
        let mut runs = compact.of_entry(0);
        for (slot, (record, kind)) in all.iter().zip(&kinds).enumerate() {
            let whole = runs.take(slot).whole(kind, || record.key.clone());
            let expected =
                Record { seq: slot + 1, stdout_bytes: 0, stderr_bytes: 0, contention: None, ..record.clone() };
            assert_eq!(*whole, expected);
            let names = |record: &Record| {
                let given = record.verdict.given().map(|given| given.figures.iter().map(|(name, _)| name.to_owned()));
                given.map(Iterator::collect::<Vec<_>>)
            };
            assert_eq!(names(&whole), names(record));
        }
    }

    #[test]
    fn the_last_of_several_runs_for_a_slot_counts_in_whatever_order_they_came() {
        let mut compact = CompactRecords::default();
        let kept = [(2, 5), (0, 6), (1, 7), (1, 8), (3, 9)];
        let kinds: Vec<_> = kept.iter().map(|&(slot, moves)| compact.keep((0, slot), record("a", moves))).collect();
        let mut runs = compact.of_entry(0);
        let mut moves = |slot| {
            let whole = runs.take(slot).whole(&kinds[0], || RunKey::new(1, "a", "X"));
            whole.verdict.given().unwrap().figures.get("moves").unwrap().units()
        };
        assert_eq!([0, 1, 2, 3].map(&mut moves), [6, 8, 5, 9]);
        // They have left.
        assert_eq!(moves(2), 0);
    }
}
