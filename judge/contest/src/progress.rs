//! The state of a running contest for people: its finished, running and waiting runs, the current standings, and an estimate of
//! the remaining time.
//!
//! A [`ContestProgress`] follows the events of an [`OpenContest`](crate::open_contest::OpenContest). It reads no clock: the
//! caller passes the time.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use judge_core::journal::{ContestState, Record};
use judge_core::key::{Name, RunKey};
use judge_core::legend::SUSPECT;
use judge_core::plan::Plan;
use judge_core::results::{BoardHead, Results, name_of};
use judge_core::text::printable;
use judge_core::verdict::Verdict;
use judge_job::duration_text;

use crate::open_contest::Event;
use crate::schedule::{EngineData, EngineState};

/// The shortest time between two rankings, in microseconds: ranking thousands of runs takes a moment.
const STANDINGS_EVERY_US: u64 = 1_000_000;

/// The fewest finished runs of an entry that allow an estimate of its other runs.
const MIN_RUNS: u64 = 3;

/// A failure or a notice that the organiser should see, as data. The program that shows it converts it to text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Remark {
    /// This number of suspect runs is repeated.
    Repeated(usize),
    /// A repetition failed, so the earlier run counts.
    InVain {
        /// The run.
        run: RunKey,
        /// The verdict of the repetition.
        verdict: Verdict,
    },
    /// A message of the engine.
    Engine(EngineData),
    /// An entry could not be built.
    Unbuilt {
        /// Name of the entry.
        entry: Name,
        /// The verdict of its runs.
        verdict: Verdict,
    },
    /// A run failed.
    Failed {
        /// The run.
        run: RunKey,
        /// Its verdict.
        verdict: Verdict,
    },
}

impl Remark {
    /// The remark about an event, if the organiser should see one.
    pub fn from_event(event: &Event) -> Option<Self> {
        match event {
            Event::Pass { runs, repeats: true } => Some(Self::Repeated(runs.len())),
            Event::Finished(record) if record.in_vain => {
                Some(Self::InVain { run: record.key.clone(), verdict: record.verdict.clone() })
            }
            Event::Notice(data) => Some(Self::Engine(data.clone())),
            _ => None,
        }
    }

    /// The failure of a finished run, if it failed.
    fn from_failure(record: &Record) -> Option<Self> {
        record.verdict.fault()?;
        let (run, verdict) = (record.key.clone(), record.verdict.clone());
        // A failed build is one failure, however many runs depend on it.
        Some(match verdict {
            Verdict::BuildFailed { .. } => Self::Unbuilt { entry: run.entry, verdict },
            _ => Self::Failed { run, verdict },
        })
    }
}

/// The state of a contest.
pub struct ContestProgress {
    /// The contest without withdrawn entries, struck boards and unopened rounds.
    plan: Plan,
    /// The round that is open.
    round: u32,
    /// The entries that are planned on each board.
    planned: HashMap<Name, Vec<Name>>,
    /// Number of all its runs.
    total: usize,
    /// Number of runs at a time; `None` while nothing runs, or while it is unknown.
    jobs: Option<usize>,
    /// The state of an engine whose runs are executed elsewhere.
    elsewhere: Option<EngineState>,
    begun_us: u64,
    /// Finished runs; for a repeated run, the last attempt.
    records: Vec<Record>,
    /// The index of each run in `records`.
    places: HashMap<RunKey, usize>,
    /// Runs that have not started.
    waiting: HashSet<RunKey>,
    /// Boards on which a run has started.
    begun: HashSet<Name>,
    /// Running runs and their starts.
    running: Vec<(RunKey, u64)>,
    /// Number of all runs of each entry.
    runs_of: HashMap<Name, usize>,
    /// Total microseconds and number of the finished runs of each entry.
    experience: HashMap<Name, (u64, u64)>,
    /// Failures and notices, oldest first.
    remarks: Vec<Remark>,
    /// Board names as shown in outputs, with the mark of a reconstruction.
    boards: HashMap<String, String>,
    standings: StandingsSoFar,
    /// True if runs have finished since the last ranking.
    unranked: bool,
}

/// The standings at one moment of a contest.
#[non_exhaustive]
pub struct StandingsSoFar {
    /// Ranked over the boards that every entry has finished. Ranked over all boards in a contest of games, or while no board is
    /// finished by all.
    pub results: Results,
    /// Number of the boards over which they are ranked.
    pub boards: usize,
    made_us: u64,
}

/// A run that has started but not finished.
#[non_exhaustive]
pub struct Running<'a> {
    /// Entry, board, round and repeat of the run.
    pub key: &'a RunKey,
    /// Time since the run started.
    pub elapsed: Duration,
    /// The time after which it is killed: its limit with grace.
    pub limit: Duration,
}

/// The time until the end of the contest.
#[derive(Debug, PartialEq, Eq)]
pub enum Left {
    /// By the limits, while no run has finished.
    AtMost(Duration),
    /// By the times of the entries so far.
    Estimated(Duration),
    /// Unknown: on a cluster, while nothing runs or some entry has no finished run. Its queue may take any time.
    Unknown,
}

impl StandingsSoFar {
    /// Ranks like the final table, over the boards that all entries have finished. So no entry leads only because others have not
    /// run yet.
    fn of(plan: &Plan, planned: &HashMap<Name, Vec<Name>>, records: &[Record], now_us: u64) -> Self {
        if plan.match_rules.is_some() {
            let results = Results::from_contest(plan, records);
            return Self { results, boards: plan.boards.len(), made_us: now_us };
        }
        let first = records.iter().filter(|run| run.key.repeat == 1);
        let made: HashSet<(&str, &str)> = first.map(|run| (&*run.key.board, &*run.key.entry)).collect();
        let mut common = plan.clone();
        let ran = |board: &str| {
            planned.get(board).is_some_and(|entries| entries.iter().all(|entry| made.contains(&(board, &**entry))))
        };
        common.boards.retain(|board| ran(&board.name));
        let boards = common.boards.len();
        let results = Results::from_contest(if boards == 0 { plan } else { &common }, records);
        Self { results, boards, made_us: now_us }
    }
}

impl ContestProgress {
    /// A contest that starts or resumes now, with its earlier runs. `jobs` is the number of runs at a time; `None` on a
    /// cluster, which reports the number of running tasks later.
    pub fn new(contents: &ContestState, jobs: Option<usize>, now_us: u64) -> Self {
        let mut plan = Plan::clone(&contents.plan);
        let round = contents.round();
        plan.entries.retain(|entry| !contents.withdrawn.contains_key(&entry.name));
        let open: HashSet<String> = plan
            .boards
            .iter()
            .zip(plan.rounds_of_boards())
            .filter(|(board, number)| *number <= round && !contents.struck.contains_key(&board.name))
            .map(|(board, _)| board.name.clone())
            .collect();
        plan.boards.retain(|board| open.contains(&board.name));
        let order: Vec<RunKey> = contents.order().iter().filter(|key| contents.counts(key)).cloned().collect();
        let records: Vec<Record> =
            contents.records.iter().filter(|record| contents.counts(&record.key)).cloned().collect();
        Self::from_runs(plan, round, &order, &records, jobs, now_us)
    }

    /// A contest with these runs in total, of the open round.
    pub fn from_runs(
        plan: Plan,
        round: u32,
        order: &[RunKey],
        records: &[Record],
        jobs: Option<usize>,
        now_us: u64,
    ) -> Self {
        let mut planned: HashMap<Name, Vec<Name>> = HashMap::new();
        let mut runs_of: HashMap<Name, usize> = HashMap::new();
        order.iter().for_each(|key| *runs_of.entry(key.entry.clone()).or_default() += 1);
        for key in order.iter().filter(|key| key.repeat == 1) {
            planned.entry(key.board.clone()).or_default().push(key.entry.clone());
        }
        let boards =
            plan.boards.iter().map(|board| (board.name.clone(), BoardHead::new(board, &plan.shown).marked())).collect();
        let standings = StandingsSoFar::of(&plan, &planned, records, now_us);
        let mut progress = Self {
            plan,
            round,
            planned,
            total: order.len(),
            jobs,
            elsewhere: None,
            begun_us: now_us,
            records: Vec::new(),
            places: HashMap::new(),
            waiting: HashSet::new(),
            begun: records.iter().map(|run| run.key.board.clone()).collect(),
            running: Vec::new(),
            runs_of,
            experience: HashMap::new(),
            remarks: Vec::new(),
            boards,
            standings,
            unranked: false,
        };
        for record in records {
            if let Some(wall) = record.wall_us {
                progress.learn(&record.key, wall);
            }
            progress.keep(record);
        }
        progress
    }

    /// Applies an event that arrived at that time.
    pub fn follow(&mut self, event: &Event, at_us: u64) {
        self.remarks.extend(Remark::from_event(event));
        match event {
            Event::Pass { runs, .. } => self.waiting = runs.iter().cloned().collect(),
            Event::Started(key) => {
                self.waiting.remove(key);
                self.begun.insert(key.board.clone());
                self.running.push((key.clone(), at_us));
            }
            Event::Finished(record) => self.finished(record, at_us),
            Event::Cancelled(key) => {
                let known = self.waiting.len() + self.running.len();
                self.waiting.remove(key);
                self.running.retain(|(running, _)| running != key);
                self.total -= known - self.waiting.len() - self.running.len();
            }
            Event::State(state) => {
                self.jobs = Some(state.running).filter(|running| *running > 0);
                self.elsewhere = Some(state.clone());
            }
            Event::Notice(_) | Event::Changed(_) | Event::RoundOpened(_) => {}
        }
    }

    fn finished(&mut self, record: &Record, at_us: u64) {
        if let Some(place) = self.running.iter().position(|(key, _)| *key == record.key) {
            let (key, since) = self.running.remove(place);
            // The time from start to end that the judge observed: for a quick run, the judge's part takes longer than the run. A
            // run that was executed elsewhere arrives with its own time.
            self.learn(&key, at_us.saturating_sub(since).max(record.wall_us.unwrap_or(0)));
        }
        let failure = Remark::from_failure(record);
        let is_known = |failure: &Remark| matches!(failure, Remark::Unbuilt { .. }) && self.remarks.contains(failure);
        self.remarks.extend(failure.filter(|failure| !is_known(failure)));
        self.keep(record);
        self.unranked = true;
    }

    /// Remembers the time that a run took, in microseconds.
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

    /// The state of an engine whose runs are executed elsewhere; `None` for this machine.
    pub fn elsewhere(&self) -> Option<&EngineState> {
        self.elsewhere.as_ref()
    }

    /// The contest whose runs are counted, with its entries and boards.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The contest, its round if it has several, and the limit, in one line.
    pub fn title(&self) -> String {
        let round = self.plan.round_plan(self.round);
        let name =
            round.filter(|_| self.plan.rounds.len() > 1).map_or(String::new(), |round| format!(", {}", round.name));
        let limits = self.plan.problems.iter().map(|problem| problem.limits.wall_ms);
        let own = || match (limits.clone().min().unwrap_or(0), limits.clone().max().unwrap_or(0)) {
            (least, most) if least == most => duration_text(most),
            (least, most) => format!("{} to {}", duration_text(least), duration_text(most)),
        };
        let limit = round.and_then(|round| round.wall_ms).map_or_else(own, duration_text);
        format!("{}{}, {limit} per board", printable(&self.plan.name), printable(&name))
    }

    /// Number of all runs, and of the finished ones.
    pub fn done(&self) -> (usize, usize) {
        (self.total, self.total.saturating_sub(self.waiting.len() + self.running.len()))
    }

    /// Time since the contest started or resumed.
    pub fn elapsed(&self, now_us: u64) -> Duration {
        Duration::from_micros(now_us.saturating_sub(self.begun_us))
    }

    /// Failures and notices, newest first.
    pub fn remarks(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().rev()
    }

    /// The running runs, the longest first.
    pub fn running(&self, now_us: u64) -> impl Iterator<Item = Running<'_>> {
        self.running.iter().map(move |(key, since)| Running {
            key,
            elapsed: Duration::from_micros(now_us.saturating_sub(*since)),
            limit: self.limit(key),
        })
    }

    /// The cell of a run: its result, `…` while it runs, or nothing. For games, the points at the last ranking.
    pub fn cell(&self, entry: &str, board: &str) -> String {
        if self.plan.match_rules.is_some() {
            let results = &self.standings.results;
            let column = results.boards.iter().position(|known| known.name == board);
            let row = results.rows.iter().find(|row| row.entry.name == entry);
            return row.zip(column).map_or_else(String::new, |(row, column)| row.cells[column].text());
        }
        let key = RunKey::new(self.plan.round_of(board), entry, board);
        if self.running.iter().any(|(running, _)| *running == key) {
            return "…".into();
        }
        let Some(run) = self.places.get(&key).map(|&place| &self.records[place]) else { return String::new() };
        let mut text = self.text(run);
        text.extend(run.extras.suspect.is_some().then_some(SUSPECT));
        text
    }

    /// Tests whether any run on that board has started.
    pub fn begun(&self, board: &str) -> bool {
        self.begun.contains(board)
    }

    /// Ranks again if runs have finished since the last ranking and that ranking is old enough.
    pub fn rank(&mut self, now_us: u64) {
        if self.unranked && now_us.saturating_sub(self.standings.made_us) >= STANDINGS_EVERY_US {
            self.standings = StandingsSoFar::of(&self.plan, &self.planned, &self.records, now_us);
            self.unranked = false;
        }
    }

    /// The standings at the last ranking, which may be older than the last run.
    pub fn standings(&self) -> &StandingsSoFar {
        &self.standings
    }

    /// The time until the end of the contest. Each run is expected to take the average of its entry. A run that has already taken
    /// longer is expected to take twice its time so far. Workers cannot share the longest run. An estimate needs three finished
    /// runs, or half of all runs, of every entry with remaining runs, because the first boards are often easy. Until then, the
    /// limits give an upper bound.
    pub fn left(&self, now_us: u64) -> Left {
        let known = |key: &RunKey| {
            let (took, runs) = self.experience.get(&key.entry).copied()?;
            let enough = MIN_RUNS.min(self.runs_of.get(&key.entry).copied().unwrap_or(0).div_ceil(2) as u64);
            (runs >= enough.max(1)).then(|| Duration::from_micros(took / runs))
        };
        let estimated =
            self.waiting.iter().chain(self.running.iter().map(|(key, _)| key)).all(|key| known(key).is_some());
        let expected = |key: &RunKey| known(key).filter(|_| estimated).unwrap_or_else(|| self.limit(key));
        let waiting = self.waiting.iter().map(expected);
        let running = self.running(now_us).map(|run| {
            let most = run.limit.saturating_sub(run.elapsed);
            match expected(run.key).checked_sub(run.elapsed) {
                Some(left) if !left.is_zero() => left.min(most),
                _ => run.elapsed.min(most),
            }
        });
        let (mut sum, mut longest) = (Duration::ZERO, Duration::ZERO);
        for run in waiting.chain(running) {
            sum = sum.saturating_add(run);
            longest = longest.max(run);
        }
        let Some(jobs) = self.jobs else { return Left::Unknown };
        let left = longest.max(sum / u32::try_from(jobs.max(1)).unwrap_or(u32::MAX));
        match estimated {
            true => Left::Estimated(left),
            // The next job array may wait for nodes.
            false if self.elsewhere.is_some() => Left::Unknown,
            false => Left::AtMost(left),
        }
    }

    /// The limit of a run, with grace.
    fn limit(&self, key: &RunKey) -> Duration {
        let entry = |name: &str| self.plan.entries.iter().find(|entry| *entry.name == *name).map(|entry| &**entry);
        self.plan.longest(key, entry)
    }

    /// A finished run in one line, for a pipe.
    pub fn line(&self, record: &Record) -> String {
        let seats: Vec<&str> = record.key.seats().map(|seat| &**seat).collect();
        let (entry, board) = (seats.join(" - "), self.board(&record.key.board));
        let cell = record.extras.played.as_ref().map_or_else(|| self.text(record), |played| played.to_string());
        let time =
            record.wall_us.map_or(String::new(), |time| format!("{:.3} s", Duration::from_micros(time).as_secs_f64()));
        // The reason, with the end of the compiler's output, was printed when the build failed.
        let fault = match &record.verdict {
            Verdict::BuildFailed { .. } => "  not built, so not run".to_owned(),
            // A referee or an entry may have written a part of it, with line breaks.
            verdict => verdict.fault().map_or(String::new(), |fault| format!("  {}", printable(&fault))),
        };
        let (total, done) = self.done();
        let width = total.to_string().len();
        format!("{done:>width$}/{total}  {entry:20} {board:12} {cell:>8} {time:>11}{fault}")
    }

    /// The cell of a run.
    fn text(&self, run: &Record) -> String {
        self.plan.cell_of(&run.key.board, &run.verdict, run.wall_us, run.limit_ms).text()
    }

    /// The name of a run, such as "twobits on FOXY".
    pub fn name(&self, key: &RunKey) -> String {
        name_of(&RunKey { board: self.board(&key.board).into(), ..key.clone() })
    }

    /// A board's name with its mark.
    pub fn board<'a>(&'a self, name: &'a str) -> &'a str {
        self.boards.get(name).map_or(name, String::as_str)
    }
}
