//! What is known of a contest that runs: what was made, what is being made, what is left, and how long that may take.
//! Pure: whoever asks says what time it is.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::News;
use judge_contest::Plan;
use judge_core::journal::{Name, Record, RunKey};
use judge_core::results::{BoardHead, Results};
use judge_core::score::Cell;
use judge_core::text::printable;

/// Microseconds between two standings at least: ranking thousands of runs takes a moment.
const STANDINGS_EVERY_US: u64 = 1_000_000;

/// Mark of a run whose time is not to be trusted, as in the final table.
const SUSPECT: &str = "?";

/// The state of a contest.
pub(in crate::cli) struct Tally {
    plan: Plan,
    /// All its runs.
    total: usize,
    /// How many are made at the same time.
    jobs: usize,
    begun_us: u64,
    /// Finished runs; of one that was repeated the last attempt.
    records: Vec<Record>,
    /// Where they stand in there.
    places: HashMap<RunKey, usize>,
    /// Runs of this round that have not begun.
    waiting: HashSet<RunKey>,
    /// Boards on which a run has begun.
    begun: HashSet<Name>,
    /// Runs under way and when they began.
    running: Vec<(RunKey, u64)>,
    /// Microseconds that the runs of an entry took together, and how many those were.
    experience: HashMap<Name, (u64, u64)>,
    /// What went wrong, and notices, in the order in which they came.
    faults: Vec<String>,
    /// Board names as every output shows them, with the mark of a reconstruction.
    boards: HashMap<String, String>,
    standings: Standings,
    /// Whether runs have been finished since.
    unranked: bool,
}

/// The table so far.
pub(super) struct Standings {
    /// Ranked over the boards on which every entry has run; over all boards while there is no such board.
    pub(super) results: Results,
    /// How many boards those are.
    pub(super) boards: usize,
    made_us: u64,
}

/// A run under way.
pub(super) struct Running<'a> {
    /// Which.
    pub(super) key: &'a RunKey,
    /// How long it has been running.
    pub(super) elapsed: Duration,
    /// How long it may.
    pub(super) limit: Duration,
}

/// How long the rest may take.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// By the limits, where no run has been finished yet.
    AtMost(Duration),
    /// By what the entries have taken so far.
    Estimated(Duration),
}

impl Standings {
    /// By the ranking that makes the final table. An entry is not ahead because it has run on a board that others have
    /// still before them.
    fn of(plan: &Plan, records: &[Record], now_us: u64) -> Self {
        let made: HashSet<(&str, &str)> = records.iter().map(|run| (&*run.key.board, &*run.key.entry)).collect();
        let mut common = plan.clone();
        common.boards.retain(|board| plan.entries.iter().all(|entry| made.contains(&(&*board.name, &*entry.name))));
        let boards = common.boards.len();
        let results = Results::of_contest(if boards == 0 { plan } else { &common }, records);
        Self { results, boards, made_us: now_us }
    }
}

impl Tally {
    /// A contest that begins or goes on now: with the runs that were made before, `total` runs altogether, `jobs` at
    /// the same time.
    pub(in crate::cli) fn new(plan: Plan, total: usize, records: &[Record], jobs: usize, now_us: u64) -> Self {
        let boards =
            plan.boards.iter().map(|board| (board.name.clone(), BoardHead::of(board, &plan.shown).marked())).collect();
        let standings = Standings::of(&plan, records, now_us);
        let mut tally = Self {
            plan,
            total,
            jobs,
            begun_us: now_us,
            records: Vec::new(),
            places: HashMap::new(),
            waiting: HashSet::new(),
            begun: records.iter().map(|run| run.key.board.clone()).collect(),
            running: Vec::new(),
            experience: HashMap::new(),
            faults: Vec::new(),
            boards,
            standings,
            unranked: false,
        };
        for record in records {
            if let Some(wall) = record.wall_us {
                tally.learn(&record.key, wall);
            }
            tally.keep(record);
        }
        tally
    }

    /// Takes note of what happened.
    pub(super) fn take(&mut self, news: &News) {
        match news {
            News::Round(missing) => self.waiting = missing.iter().cloned().collect(),
            News::Started(key, at) => {
                self.waiting.remove(key);
                self.begun.insert(key.board.clone());
                self.running.push((key.clone(), *at));
            }
            News::Finished(record, at) => {
                if let Some(place) = self.running.iter().position(|(key, _)| *key == record.key) {
                    let (key, since) = self.running.remove(place);
                    // Longer than the entry ran: what the judge does around a quick run takes longer than that.
                    self.learn(&key, at.saturating_sub(since));
                }
                if let Some(fault) = record.verdict.fault() {
                    self.faults.push(format!("{}: {fault}", self.name(&record.key)));
                }
                self.keep(record);
                self.unranked = true;
            }
            News::Notice(text) => self.faults.push(text.clone()),
        }
    }

    /// Remembers how long a run took, in microseconds.
    fn learn(&mut self, key: &RunKey, run_us: u64) {
        let (took, runs) = self.experience.entry(key.entry.clone()).or_default();
        (*took, *runs) = (took.saturating_add(run_us), *runs + 1);
    }

    fn keep(&mut self, record: &Record) {
        match self.places.get(&record.key) {
            Some(&place) => self.records[place] = record.clone(),
            None => {
                self.places.insert(record.key.clone(), self.records.len());
                self.records.push(record.clone());
            }
        }
    }

    /// The contest.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// All runs, and how many of them are finished.
    pub(super) fn done(&self) -> (usize, usize) {
        (self.total, self.total.saturating_sub(self.waiting.len() + self.running.len()))
    }

    /// How long the contest has been running since it began or went on.
    pub(super) fn elapsed(&self, now_us: u64) -> Duration {
        Duration::from_micros(now_us.saturating_sub(self.begun_us))
    }

    /// What went wrong, and notices, the newest first.
    pub(super) fn faults(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().rev().map(String::as_str)
    }

    /// What is under way, the longest first.
    pub(super) fn running(&self, now_us: u64) -> impl Iterator<Item = Running<'_>> {
        self.running.iter().map(move |(key, since)| Running {
            key,
            elapsed: Duration::from_micros(now_us.saturating_sub(*since)),
            limit: self.limit(key),
        })
    }

    /// What the table shows of a run: its cell, a sign that it is under way, or nothing yet.
    pub(super) fn cell(&self, entry: &str, board: &str) -> String {
        let key = RunKey { round: 1, entry: entry.into(), board: board.into() };
        if self.running.iter().any(|(running, _)| *running == key) {
            return "…".into();
        }
        let Some(run) = self.places.get(&key).map(|&place| &self.records[place]) else { return String::new() };
        let suspect = if run.suspect.is_some() { SUSPECT } else { "" };
        Cell::of(&run.verdict, run.wall_us, run.limit_ms).text() + suspect
    }

    /// Whether any run on that board has begun.
    pub(super) fn begun(&self, board: &str) -> bool {
        self.begun.contains(board)
    }

    /// Brings the table up to date, where that was long enough ago.
    pub(super) fn rank(&mut self, now_us: u64) {
        if self.unranked && now_us.saturating_sub(self.standings.made_us) >= STANDINGS_EVERY_US {
            self.standings = Standings::of(&self.plan, &self.records, now_us);
            self.unranked = false;
        }
    }

    /// The table so far.
    pub(super) fn standings(&self) -> &Standings {
        &self.standings
    }

    /// How long the rest may take. An entry takes as long as it has taken on average, one that has finished no run as
    /// long as all together, and those under way at least as long as they have run. The longest of what is left cannot
    /// be shared among workers.
    pub(super) fn left(&self, now_us: u64) -> Left {
        let mut all = self.experience.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if all.1 > 0 {
            for (_, since) in &self.running {
                all = (all.0 + now_us.saturating_sub(*since), all.1 + 1);
            }
        }
        let mean = |(took, runs): (u64, u64)| took.checked_div(runs).map(Duration::from_micros);
        let expected = |key: &RunKey| {
            let own = self.experience.get(&key.entry).copied().and_then(mean);
            own.or_else(|| mean(all)).unwrap_or_else(|| self.limit(key))
        };
        let waiting = self.waiting.iter().map(expected);
        let running = self.running(now_us).map(|run| expected(run.key).saturating_sub(run.elapsed));
        let (mut sum, mut longest) = (Duration::ZERO, Duration::ZERO);
        for run in waiting.chain(running) {
            sum = sum.saturating_add(run);
            longest = longest.max(run);
        }
        let left = longest.max(sum / u32::try_from(self.jobs.max(1)).unwrap_or(u32::MAX));
        if self.experience.is_empty() { Left::AtMost(left) } else { Left::Estimated(left) }
    }

    /// How long a run may take at the most.
    fn limit(&self, key: &RunKey) -> Duration {
        let entry = self.plan.entries.iter().find(|entry| *entry.name == *key.entry);
        let limits = entry.map_or(self.plan.limits, |entry| self.plan.limits_of(entry));
        limits.wall() + limits.grace()
    }

    /// A finished run in one line, for a pipe.
    pub(super) fn line(&self, record: &Record) -> String {
        let (entry, board) = (&record.key.entry, self.board(&record.key.board));
        let cell = Cell::of(&record.verdict, record.wall_us, record.limit_ms).text();
        let time =
            record.wall_us.map_or(String::new(), |time| format!("{:.3} s", Duration::from_micros(time).as_secs_f64()));
        let fault = record.verdict.fault().map_or(String::new(), |fault| format!("  {fault}"));
        let (total, done) = self.done();
        format!("{done}/{total}  {entry:20} {board:12} {cell:>8} {time:>11}{fault}")
    }

    /// A run in words.
    pub(super) fn name(&self, key: &RunKey) -> String {
        printable(&format!("{} on {}", key.entry, self.board(&key.board)))
    }

    /// A board's name with its mark.
    pub(super) fn board<'a>(&'a self, name: &'a str) -> &'a str {
        self.boards.get(name).map_or(name, String::as_str)
    }
}
