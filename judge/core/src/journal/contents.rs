//! The contest at one moment: the result of the fold.

use std::collections::BTreeMap;

use judge_job::Machine;

use super::{Build, Chain, Header, HistoryEvent, Record, Round};
use crate::date::Date;
use crate::fingerprint::{Hashes, Kept};
use crate::key::{Name, RunKey};
use crate::plan::Plan;
use crate::withdrawal::Withdrawal;

/// A contest at one moment.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Contents {
    /// The header, as the contest began; its order has moved to `order`.
    pub header: Header,
    /// The date when it began; `None` in older journals.
    pub begun: Option<Date>,
    /// The organiser's comment.
    pub comment: Option<String>,
    /// Format of the lines that are written from now on.
    pub format: u32,
    /// The plan, with what was added, replaced and changed.
    pub plan: Plan,
    /// All runs of all rounds in the order in which they are started. It follows from the plan alone, however the plan
    /// came about.
    pub order: Vec<RunKey>,
    /// The record that counts of each run that has one, in the same order.
    pub records: Vec<Record>,
    /// The number of the last attempt at each run, in the same order; 0 if there was none.
    pub attempts: Vec<u32>,
    /// The machines that records refer to by index.
    pub machines: Vec<Machine>,
    /// The latest build of each command.
    pub builds: Vec<Build>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// The hash of the referee if it is a program, see [`ExternalReferee::hash`](crate::external::ExternalReferee::hash).
    pub referee: Option<Name>,
    /// The programs of each entry and of the referee, oldest first, by entry.
    pub versions: BTreeMap<String, Vec<Version>>,
    /// The entries that are withdrawn or disqualified, with the reason.
    pub withdrawn: BTreeMap<String, Withdrawal>,
    /// The boards that do not count any more, with the reason.
    pub struck: BTreeMap<String, String>,
    /// The rounds after the first, in their order.
    pub rounds: Vec<Round>,
    /// Everything that happened besides runs, oldest first.
    pub history: Vec<HistoryEvent>,
    /// The end of the journal's chain of hashes, which the next line follows.
    pub chain: Chain,
    /// Bytes of an incomplete last line, which do not count; 0 if there is none.
    pub torn_bytes: u64,
}

/// A program of an entry or of the referee while it was in the contest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// The date since which it counts; `None` in older journals.
    pub at: Option<Date>,
    /// The words of its command, as the contest file has them.
    pub command: Vec<String>,
    /// Hashes of the files that are executed for it.
    pub programs: Hashes,
    /// Those of these files that the results directory has.
    pub kept: Kept,
}

impl Contents {
    /// The open round, from 1.
    pub fn round(&self) -> u32 {
        self.rounds.last().map_or(1, |round| round.number)
    }

    /// The runs that have no verdict of an entry and are still to be made, as indices into `order`. Runs of withdrawn
    /// entries, on struck boards and of rounds that are over are not among them.
    pub fn missing(&self) -> Vec<usize> {
        self.select(|record| record.is_none_or(Record::is_judge_error))
    }

    /// The runs of the open round whose record fits, as indices into `order`, without those of withdrawn entries and on
    /// struck boards.
    pub fn select(&self, fits: impl Fn(Option<&Record>) -> bool) -> Vec<usize> {
        let round = self.round();
        let mut records = self.records.iter().peekable();
        let mut selected = Vec::new();
        for (index, key) in self.order.iter().enumerate() {
            let record = records.next_if(|record| record.key == *key);
            if key.round == round && self.counts(key) && fits(record) {
                selected.push(index);
            }
        }
        selected
    }

    /// Tests whether a run counts: its entry is in the contest, and its board is not struck.
    pub fn counts(&self, key: &RunKey) -> bool {
        !self.withdrawn.contains_key(&*key.entry) && !self.struck.contains_key(&*key.board)
    }
}
