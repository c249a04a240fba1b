//! The facts about a single run, in addition to its cell, as text.

use std::collections::HashMap;
use std::sync::Arc;

use bytesize::ByteSize;

use super::source::PageSource;
use super::text::duration;
use judge_core::date::Date;
use judge_core::figure::{Failed, Figure};
use judge_core::journal::Record;
use judge_core::legend;
use judge_core::results::{Fault, Remark};
use judge_core::score::{EntryHead, RunCell};
use judge_core::scoring::Scoring;
use judge_core::verdict::Verdict;
use judge_job::{MeasuredBy, Usage};

/// The facts that the page folds: on the execution and measurement of the run.
pub(super) const TECHNICAL: [&str; 7] = ["CPU time", "memory", "end", "printed", "isolation", "finished", "attempt"];

/// A name and a value.
pub(super) type Fact = (String, String);

/// The facts about all runs of a source, by entry and board.
pub(super) struct Index<'a> {
    scoring: Arc<Scoring>,
    faults: HashMap<Key<'a>, &'a Fault>,
    remarks: HashMap<Key<'a>, &'a Remark>,
    records: HashMap<Key<'a>, &'a Record>,
}

/// Names of an entry and of a board.
type Key<'a> = (&'a str, &'a str);

/// The facts about one run.
pub(super) struct RunFacts<'a> {
    scoring: &'a Scoring,
    cell: &'a RunCell,
    fault: Option<&'a Fault>,
    remark: Option<&'a Remark>,
    /// The journal's record; `None` for results without a journal.
    pub(super) record: Option<&'a Record>,
}

impl<'a> Index<'a> {
    pub(super) fn from_source(source: &'a PageSource) -> Self {
        let results = source.results();
        let journal = source.directory.as_ref().map(|directory| &directory.journal);
        let records =
            journal.into_iter().flat_map(|journal| journal.records.iter().filter(|record| journal.counts(&record.key)));
        let faults = results.faults.iter().filter(|fault| fault.repeat == 1);
        let remarks = results.remarks.iter().filter(|remark| remark.repeat == 1);
        Self {
            scoring: results.scoring.clone(),
            faults: faults.map(|fault| ((&*fault.entry, &*fault.board), fault)).collect(),
            remarks: remarks.map(|remark| ((&*remark.entry, &*remark.board), remark)).collect(),
            records: records
                // A cell of games sums several games, so no single record belongs to it.
                .filter(|record| record.key.repeat == 1 && record.key.against.is_none())
                .map(|record| ((&*record.key.entry, &*record.key.board), record))
                .collect(),
        }
    }

    /// Finds the facts about the run of a row on a board. Of the entries of a team, one runs there.
    pub(super) fn find<'f>(&'f self, row: &'f EntryHead, board: &'f str, cell: &'f RunCell) -> RunFacts<'f> {
        let keys = || row.entries().map(|entry| (entry, board));
        RunFacts {
            scoring: &self.scoring,
            cell,
            fault: keys().find_map(|key| self.faults.get(&key)).copied(),
            remark: keys().find_map(|key| self.remarks.get(&key)).copied(),
            record: keys().find_map(|key| self.records.get(&key)).copied(),
        }
    }
}

impl RunFacts<'_> {
    /// Returns the verdict as a fragment; `None` if it is unknown.
    pub(super) fn verdict(&self) -> Option<String> {
        let meaning = || self.cell.code.map(|code| legend::meaning(code, self.scoring));
        match (self.fault, self.record) {
            (Some(fault), _) => Some(fault.reason.clone()),
            (None, Some(record)) => Some(record.verdict.name().into()),
            (None, None) => meaning().or(self.cell.solves().then_some("solved")).map(str::to_owned),
        }
    }

    /// Returns the wall-clock time, as text.
    pub(super) fn time(&self) -> Option<String> {
        self.cell.metrics.time_us.map(time)
    }

    /// Returns the peak memory, as text.
    pub(super) fn memory(&self) -> Option<String> {
        self.usage().memory_bytes.map(|bytes| ByteSize(bytes).to_string())
    }

    /// Returns all facts, the most interesting ones first.
    pub(super) fn all(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut add = |name: &str, value: Option<String>| facts.extend(value.map(|value| (name.to_owned(), value)));
        add("verdict", self.verdict());
        let (accepted, with_cost) = (self.cell.code.is_none(), self.scoring.cost.is_some());
        let shown = |figure: &Figure| !with_cost || accepted || figure.failed == Failed::Own;
        let figures = self.scoring.figures.iter().enumerate().filter(|_| !self.scoring.accepts());
        for (at, figure) in figures.filter(|(_, figure)| shown(figure)) {
            let of = self.cell.full.filter(|_| at == 0).map_or(String::new(), |of| format!(" of {of}"));
            add(figure.title(), self.cell.metrics.figure(at).map(|value| format!("{value}{of}")));
        }
        let limit = self.cell.limit_ms.map_or(String::new(), |ms| format!(" of {}", time(ms.saturating_mul(1000))));
        add("time", self.time().map(|time| time + &limit));
        let usage = self.usage();
        add("CPU time", usage.cpu_us.map(|us| time(us) + bound(usage.cpu_by)));
        add("memory", self.memory().map(|memory| memory + bound(usage.memory_by)));
        add("end", self.record.map(end));
        add(
            "printed",
            self.record.map(|record| {
                let [out, err] = [record.stdout_bytes, record.stderr_bytes].map(|bytes| ByteSize(bytes).to_string());
                format!("{out} on standard output, {err} on standard error")
            }),
        );
        add("isolation", self.record.map(|record| record.isolation.to_string()));
        add("finished", self.record.and_then(|record| record.at).map(Date::minute));
        if let Some(remark) = self.remark {
            add("attempt", Some(remark.attempt).filter(|&attempt| attempt > 1).map(|attempt| attempt.to_string()));
            add("suspect", remark.extras.suspect.as_deref().map(str::to_owned));
            let by = remark.extras.ruled_by.as_ref().map_or(String::new(), |by| format!("by {by}: "));
            add("ruled by hand", remark.extras.ruling.as_deref().map(|why| by + why));
            add("notes", Some(remark.extras.notes.join("; ")).filter(|notes| !notes.is_empty()));
        }
        facts
    }

    fn usage(&self) -> Usage {
        self.remark.map_or_else(Usage::default, |remark| remark.usage)
    }
}

/// Describes how a value was measured, if it is only a lower bound.
fn bound(measured: Option<MeasuredBy>) -> &'static str {
    match measured {
        Some(MeasuredBy::Reaped) => " at least (processes that were waited for)",
        Some(MeasuredBy::Sampled) => " at least (sampled)",
        Some(MeasuredBy::Cgroup) | None => "",
    }
}

/// Describes how the entry's main process ended.
fn end(record: &Record) -> String {
    match &record.verdict {
        verdict if verdict.given().is_some() => "exit code 0".into(),
        Verdict::Crashed { exit } => exit.to_string(),
        Verdict::TimedOut
        | Verdict::OutOfCpu
        | Verdict::OutOfMemory
        | Verdict::TooManyProcesses
        | Verdict::ScratchFull
        | Verdict::TooMuchOutput => "ended by the judge".into(),
        // The entry did not start, or the judge failed.
        _ => "did not run to its end".into(),
    }
}

/// Formats microseconds in the largest unit that fits, for people.
fn time(us: u64) -> String {
    duration(us as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_remark_says_of_a_run_is_a_fact_where_it_is_unusual() {
        let scoring = Scoring::of_game("loyd");
        let cell = RunCell::missing();
        let message = |change: &dyn Fn(&mut Remark)| {
            let mut remark = Remark::new("entry", "board", 1, 1);
            change(&mut remark);
            let facts = RunFacts { scoring: &scoring, cell: &cell, fault: None, remark: Some(&remark), record: None };
            let remarks = ["CPU time", "memory", "attempt", "suspect", "ruled by hand", "notes"];
            let facts = facts.all().into_iter().filter(|(name, _)| remarks.contains(&&**name));
            facts.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
        };
        assert!(message(&|_| {}).is_empty());
        assert_eq!(message(&|remark| remark.attempt = 2), ["attempt: 2"]);
        assert_eq!(message(&|remark| remark.extras.suspect = Some("busy".into())), ["suspect: busy"]);
        assert_eq!(
            message(&|remark| (remark.extras.ruling, remark.extras.ruled_by) =
                (Some("a typing error".into()), Some("Eve".into()))),
            ["ruled by hand: by Eve: a typing error"]
        );
        assert_eq!(message(&|remark| remark.extras.notes = vec!["one".into(), "two".into()]), ["notes: one; two"]);
        assert_eq!(
            message(
                &|remark| (remark.usage.memory_bytes, remark.usage.memory_by) = (Some(2048), Some(MeasuredBy::Sampled))
            ),
            ["memory: 2.0 KiB at least (sampled)"]
        );
    }
}
