//! Records of a contest that is only ranked, in few bytes.
//!
//! Most runs of a contest differ from many others only in some numbers. So all runs of a kind share one record, and each run
//! has its numbers and texts beside it. What no table shows, such as hashes of stored files, is left out.

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
pub(crate) struct Slim {
    /// The last record of each kind, by what mostly tells kinds apart.
    kinds: HashMap<(Discriminant<Verdict>, u32, u32, u64), Arc<Record>>,
    /// The numbers and texts of the runs of each entry. They are freed entry by entry, as rows are made.
    own: Vec<OfEntry>,
    /// The key in records that runs share.
    no_run: RunKey,
}

#[derive(Clone, Default)]
struct OfEntry {
    /// The numbers and texts of each run, with its slot; `None` if its record is whole. The last of several for a slot counts.
    runs: Vec<(u32, Option<Own>)>,
    /// True if they are not in the order of slots.
    mixed: bool,
}

/// The numbers and texts of a run.
#[derive(Clone)]
struct Own {
    wall_us: Packed,
    cpu_us: Packed,
    memory_bytes: Packed,
    /// The values of its figures.
    values: Box<[Points]>,
    /// Its texts, if it has any.
    said: Option<Box<Texts>>,
}

/// A number in half the room of its option.
#[derive(Clone, Copy)]
struct Packed(Option<NonZeroU64>);

impl From<Option<u64>> for Packed {
    fn from(number: Option<u64>) -> Self {
        Self(number.and_then(|number| NonZeroU64::new(number.saturating_add(1))))
    }
}

impl From<Packed> for Option<u64> {
    fn from(packed: Packed) -> Self {
        packed.0.map(|number| number.get() - 1)
    }
}

#[derive(Clone)]
struct Texts {
    verdict: Verdict,
    final_board: Option<Name>,
    extras: Extras,
}

impl Default for Slim {
    fn default() -> Self {
        Self { kinds: HashMap::new(), own: Vec::new(), no_run: RunKey::new(0, Name::default(), Name::default()) }
    }
}

impl Slim {
    /// Reserves room for the runs, divided evenly among the entries: growing would leave holes in memory.
    pub(super) fn expecting(entries: usize, runs: usize) -> Self {
        let of_entry = || OfEntry { runs: Vec::with_capacity(runs / entries.max(1)), mixed: false };
        Self { own: (0..entries).map(|_| of_entry()).collect(), ..Self::default() }
    }

    /// Keeps the numbers and texts of the run of an entry in a slot, and returns the record of its kind.
    pub(crate) fn keep(&mut self, (entry, slot): (usize, usize), mut record: Record) -> Arc<Record> {
        let said = (has_text(&record.verdict) || record.extras != Rare::default()).then(|| {
            let verdict = replace(&mut record.verdict, Verdict::TimedOut);
            Box::new(Texts { verdict, final_board: record.final_board.take(), extras: take(&mut record.extras) })
        });
        let own = Own {
            wall_us: record.wall_us.take().into(),
            cpu_us: record.usage.cpu_us.take().into(),
            memory_bytes: record.usage.memory_bytes.take().into(),
            values: figures(&mut record.verdict).map(Figures::take_values).unwrap_or_default(),
            said,
        };
        if self.own.len() <= entry {
            self.own.resize_with(entry + 1, OfEntry::default);
        }
        let OfEntry { runs, mixed } = &mut self.own[entry];
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

    /// Makes the whole record of the run of an entry in a slot from that of its kind. The run's numbers and texts move to it.
    pub(crate) fn take(
        &mut self,
        (entry, slot): (usize, usize),
        kind: &Arc<Record>,
        key: impl FnOnce() -> RunKey,
    ) -> Arc<Record> {
        let Some(own) = self.own.get_mut(entry).and_then(|runs| runs.take(short(slot))) else { return kind.clone() };
        let mut record = Record { key: key(), seq: slot + 1, ..Record::clone(kind) };
        record.wall_us = own.wall_us.into();
        (record.usage.cpu_us, record.usage.memory_bytes) = (own.cpu_us.into(), own.memory_bytes.into());
        match own.said.map(|said| *said) {
            Some(Texts { verdict, final_board, extras }) => {
                (record.verdict, record.final_board, record.extras) = (verdict, final_board, extras);
            }
            None => figures(&mut record.verdict).into_iter().for_each(|figures| figures.put_values(&own.values)),
        }
        Arc::new(record)
    }

    /// Frees the numbers and texts of an entry's runs.
    pub(crate) fn forget(&mut self, entry: usize) {
        self.own.get_mut(entry).into_iter().for_each(|runs| *runs = OfEntry::default());
    }
}

impl OfEntry {
    fn take(&mut self, slot: u32) -> Option<Own> {
        if take(&mut self.mixed) {
            self.runs.sort_by_key(|(slot, _)| *slot);
        }
        let last = self.runs.partition_point(|(known, _)| *known <= slot).checked_sub(1)?;
        let (known, own) = &mut self.runs[last];
        if *known == slot { own.take() } else { None }
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
        let mut slim = Slim::default();
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
            all.iter().zip(0..).map(|(record, slot)| slim.keep((0, slot), record.clone())).collect();
        assert!(Arc::ptr_eq(&kinds[0], &kinds[1]));
        assert!(!Arc::ptr_eq(&kinds[0], &kinds[3]), "the same names in another order");
        for (slot, (record, kind)) in all.iter().zip(&kinds).enumerate() {
            let whole = slim.take((0, slot), kind, || record.key.clone());
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
}
