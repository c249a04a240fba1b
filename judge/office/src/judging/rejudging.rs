//! Referees stored answers again while the contest continues. The first step computes the changes. After the organiser has
//! approved them, all answers are refereed once more and recorded together, including those that arrived meanwhile. All other
//! judging comes first.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use judge_contest::Contest;
use judge_contest::builds::forget_logs;
use judge_contest::open_contest::CommandError;
use judge_contest::programs::keep_referee;
use judge_contest::rejudge::{self, CorrectedContest, RejudgedRun, Results, answered, record_of};
use judge_core::journal::{Answer, ContestState, Line, RefereeEvent, Rejudgement};
use judge_core::key::RunKey;
use judge_core::results::run_name;
use judge_core::verdict::Verdict;
use judge_job::{Interrupted, StopRequest};

use super::processors::{Processors, TicketGuard};
use super::{Judging, JudgingError, JudgingResources, POLL_INTERVAL};
use crate::aside::as_counted;
use crate::proposal::{self, ChangedRuling, Proposal};
use crate::state::Approved;

/// Reads the contest file again and prepares its referee. If the flag is true, files and logs are kept in the results.
pub type Correct<'a> = &'a (dyn Fn(&ContestState, bool) -> Result<CorrectedContest, CorrectionError> + Sync);

/// The reason why answers cannot be refereed with the present contest file, in the caller's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CorrectionError(String);

impl CorrectionError {
    /// The error with this reason, a fragment.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// An answer: its run and attempt.
type Key = (RunKey, u32);

/// The slots of answers by thread, each with its number.
type Slots<'a> = HashMap<ThreadId, (usize, Vec<TicketGuard<'a>>)>;

/// A request to stop that blocks before it replies, until nothing else is to be judged, or until the rejudging has a turn.
struct AfterLive<'a> {
    judging: &'a Judging<'a>,
    stops: &'a (dyn Fn() -> bool + Sync),
    interrupt: &'a dyn StopRequest,
    /// True if nodes of a cluster execute the runs, so that this machine executes none.
    is_elsewhere: bool,
    processors: usize,
    /// The slots in which answers are refereed, by thread.
    turns: Mutex<Slots<'a>>,
    slots: &'a [Vec<usize>],
    machine: &'a Processors,
}

impl StopRequest for AfterLive<'_> {
    fn requested(&self) -> bool {
        let thread = thread::current().id();
        // The previous answer of this thread is refereed.
        drop(self.turns().remove(&thread));
        let stops = self.wait();
        if !stops && !self.is_elsewhere {
            let mut turns = self.turns();
            let free = (0..self.slots.len()).find(|number| turns.values().all(|(taken, _)| taken != number));
            // A thread that asks while all slots are taken does not referee: it waits for the others.
            let Some(free) = free else { return false };
            turns.insert(thread, (free, Vec::new()));
            drop(turns);
            let slot = self.slots.get(free).map_or(&[][..], Vec::as_slice);
            let turn = self.machine.slot(free, slot);
            self.turns().insert(thread, (free, turn));
        }
        stops
    }

    fn request(&self) {
        self.interrupt.request();
    }
}

impl<'a> AfterLive<'a> {
    /// Waits until an answer may be refereed. Returns true to stop instead.
    fn wait(&self) -> bool {
        let is_free = || {
            let is_live = !self.is_elsewhere && self.judging.is_live();
            self.judging.share.may_rejudge(is_live, self.processors)
        };
        while !(self.stops)() && !is_free() {
            std::thread::sleep(POLL_INTERVAL);
        }
        (self.stops)()
    }

    fn turns(&self) -> MutexGuard<'_, Slots<'a>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tests whether to stop, for the thread that does not referee itself.
    fn stopped(&self) -> bool {
        let stopped = self.wait();
        self.judging.share.rest();
        stopped
    }
}

impl Drop for AfterLive<'_> {
    fn drop(&mut self) {
        self.judging.share.end();
    }
}

impl Judging<'_> {
    /// Executes the due step of a requested rejudging. Returns true if a step was due.
    pub(super) fn rejudge_next(
        &self,
        resources: &JudgingResources<'_>,
        interrupt: &dyn StopRequest,
        stops: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, JudgingError> {
        let state = self.office.state()?;
        let contents = self.open_contest.contents();
        let Some(asked) = state.rejudging(&contents) else { return Ok(false) };
        let shown = proposal::read(self.office, &contents)?;
        let approved = match (&shown, &asked.approved) {
            (None, _) => None,
            (Some(_), Some(approved)) if approved.shown == proposal::hash(self.office)? => Some(approved),
            (Some(_), _) => return Ok(false),
        };
        let (is_elsewhere, processors) = (resources.cluster.is_some(), resources.slots.len().max(1));
        let (turns, slots, machine) = (Mutex::default(), resources.slots, resources.processors);
        let after_live = AfterLive { judging: self, stops, interrupt, is_elsewhere, processors, turns, slots, machine };
        if after_live.wait() {
            return Ok(false);
        }
        match (approved, shown) {
            (Some(approved), Some(shown)) => self.record(resources, &after_live, approved, &shown),
            _ => self.propose(resources, &after_live, asked.number),
        }
    }

    /// Tests whether a build or run is waiting or under way.
    fn is_live(&self) -> bool {
        let Ok(state) = self.office.state() else { return false };
        self.repeat_judge_errors(&state);
        self.open_contest.has_under_way()
            || !self.handle.queued().waiting(&state, &self.open_contest.contents()).is_empty()
            || self.open_contest.has_waiting()
    }

    /// Computes the changes without recording them. Returns true if this was completed.
    fn propose(
        &self,
        resources: &JudgingResources<'_>,
        stop: &AfterLive<'_>,
        number: u32,
    ) -> Result<bool, JudgingError> {
        let contents = self.open_contest.contents();
        let corrected = (resources.correct)(&contents, false).map_err(|error| error.to_string());
        let found = corrected.and_then(|CorrectedContest { contest, referees, .. }| {
            let again =
                refereed(resources, stop, &contest, &contents, self.open_contest.results(), &answered(&contents))?;
            Ok(again.map(|again| (again, referees)))
        });
        let proposal = match found {
            Ok(None) => return Ok(false),
            Ok(Some((again, referees))) => self.proposal(number, &again, &contents, referees)?,
            Err(problem) => Proposal { number, problem: Some(problem), ..Proposal::default() },
        };
        proposal::write(self.office, &proposal)?;
        Ok(true)
    }

    fn proposal(
        &self,
        number: u32,
        again: &Results,
        contents: &ContestState,
        referees: Vec<RefereeEvent>,
    ) -> Result<Proposal, JudgingError> {
        let mut proposal = Proposal { number, ..Proposal::default() };
        for again in &again.all {
            let record = record_of(contents, again.index);
            proposal.reviewed.push(Answer { key: record.key.clone(), attempt: record.attempt });
            if again.changes(record) || again.failed() {
                let change = ChangedRuling {
                    run: name_of(contents, again.index),
                    before: record.verdict.summary(),
                    now: again.rejudged.verdict.summary(),
                    ruling: again.rejudged.clone(),
                };
                if again.failed() { proposal.failed.push(change) } else { proposal.changed.push(change) }
            }
        }
        proposal.missing = again.missing.iter().map(|&run| name_of(contents, run)).collect();
        let events = again.events(contents, referees);
        if events.iter().any(|event| !event.changed.is_empty()) {
            proposal.standings = rejudge::changed_rows(contents, &self.after(events)?);
        }
        Ok(proposal)
    }

    /// The contest after rejudgements, with the submissions that then count.
    fn after(&self, events: Vec<Rejudgement>) -> Result<ContestState, JudgingError> {
        let lines: Vec<Line> = events.into_iter().map(|event| Line::Rejudgement(Box::new(event))).collect();
        let after = self.open_contest.preview(&lines).map_err(CommandError::from)?;
        Ok(as_counted(&*self.office.state()?, after))
    }

    /// Referees all answers once more, and records the rulings if they equal the shown ones. Otherwise, writes another proposal
    /// with the reason. Returns true if this was completed.
    fn record(
        &self,
        resources: &JudgingResources<'_>,
        stop: &AfterLive<'_>,
        approved: &Approved,
        shown: &Proposal,
    ) -> Result<bool, JudgingError> {
        let results = self.open_contest.results();
        let refuse = |proposal: Proposal, note: String| {
            proposal::write(self.office, &Proposal { note: Some(note), ..proposal })?;
            Ok(true)
        };
        let contents = self.open_contest.contents();
        let CorrectedContest { contest, mut referees, builds } = match (resources.correct)(&contents, true) {
            Ok(corrected) => corrected,
            Err(problem) => return refuse(shown.clone(), format!("the answers could not be refereed: {problem}")),
        };
        let forget = || forget_logs(&builds, results).map_err(|error| failed(results, error));
        let (mut seen, mut first): (HashSet<Key>, bool) = (HashSet::new(), true);
        loop {
            let contents = self.open_contest.contents();
            let mut runs = answered(&contents);
            // Answers that arrived during the recording have a ruling of the previous referee.
            runs.retain(|&run| {
                first || {
                    let record = record_of(&contents, run);
                    record.referee.as_ref() != contents.referee_of(&record.key.board)
                        && !seen.contains(&(record.key.clone(), record.attempt))
                }
            });
            if runs.is_empty() && !first {
                break;
            }
            let again = match refereed(resources, stop, &contest, &contents, results, &runs) {
                Ok(Some(again)) => again,
                Ok(None) if first => return forget().map(|()| false),
                Ok(None) => return Ok(false),
                Err(problem) if first => {
                    forget()?;
                    return refuse(shown.clone(), format!("the answers could not be refereed: {problem}"));
                }
                // Answers that arrived meanwhile have their rulings, and the organiser can ask again.
                Err(_) => break,
            };
            if first && let Some(reason) = differs(&again, &contents, shown, approved.partial) {
                forget()?;
                let proposal = self.proposal(shown.number, &again, &contents, referees)?;
                return refuse(proposal, reason);
            }
            seen.extend(runs.iter().map(|&run| record_of(&contents, run)).map(|one| (one.key.clone(), one.attempt)));
            let mut events = again.events(&contents, std::mem::take(&mut referees));
            if !events.is_empty() {
                events.iter_mut().for_each(|event| keep_referee(&contest, event, results));
                let built = builds.iter().filter(|_| first).map(|build| Line::Build(Box::new(build.clone())));
                let events = events.into_iter().map(|event| Line::Rejudgement(Box::new(event)));
                self.open_contest
                    .update_with(contest.adopting(contents.plan.clone())?, built.chain(events).collect())?;
            } else if first {
                forget()?;
            }
            again.keep_frames(results).map_err(|error| failed(results, error))?;
            first = false;
            // Wait for runs that were under way meanwhile.
            if stop.stopped() {
                return Ok(false);
            }
        }
        // Under the new rulings, another submission of a team may count.
        self.settle_teams(None)?;
        // This comes last. After a kill before it, the answers that arrived meanwhile are refereed as well.
        let mut ended = Rejudgement::default();
        let contents = self.open_contest.contents();
        let problem = &contents.plan.problems[0].id;
        ended.problem.clone_from(problem);
        (ended.by, ended.request) = (rejudge::present_hash(&contents, problem, None), Some(shown.number));
        self.open_contest.update(vec![Line::Rejudgement(Box::new(ended))])?;
        Ok(true)
    }
}

/// The answers of some runs, refereed again. `None` if a stop was requested. The error is a fragment.
fn refereed(
    resources: &JudgingResources<'_>,
    stop: &AfterLive<'_>,
    contest: &Contest,
    contents: &ContestState,
    results: &Path,
    runs: &[usize],
) -> Result<Option<Results>, String> {
    // The refereeing threads request their turns, and this one waits for them.
    stop.judging.share.rest();
    let again = rejudge::rejudge(contest, contents, results, runs, resources.referee, resources.slots, stop);
    stop.turns().clear();
    stop.judging.share.rest();
    let again = match again.map_err(|error| format!("temporary files: {error}"))? {
        Ok(again) => again,
        Err(Interrupted) => return Ok(None),
    };
    match again.changed.first() {
        None => Ok(Some(again)),
        Some((run, reason)) => {
            let run = name_of(contents, *run);
            Err(format!(
                "{run}: the stored answer is not the one that was recorded: it {reason}; restore it from a copy"
            ))
        }
    }
}

/// The reason why rulings are not recorded, as a sentence: a ruling differs from the shown one.
fn differs(again: &Results, contents: &ContestState, shown: &Proposal, partial: bool) -> Option<String> {
    if !again.whole() && !partial {
        return Some("the referee did not rule on all answers, so nothing is recorded".into());
    }
    let key = |answer: &Answer| (answer.key.clone(), answer.attempt);
    let rulings = |changes: &[ChangedRuling]| -> HashMap<Key, Verdict> {
        let ruling = |change: &ChangedRuling| {
            ((change.ruling.key.clone(), change.ruling.attempt), change.ruling.verdict.clone())
        };
        changes.iter().map(ruling).collect()
    };
    let reviewed: HashSet<Key> = shown.reviewed.iter().map(key).collect();
    let (changed, failed) = (rulings(&shown.changed), rulings(&shown.failed));
    let is_other = |again: &&RejudgedRun| {
        let record = record_of(contents, again.index);
        let key = (record.key.clone(), record.attempt);
        if !reviewed.contains(&key) {
            // The answer arrived later.
            return false;
        }
        match changed.get(&key) {
            Some(verdict) => again.rejudged.verdict != *verdict,
            None if failed.contains_key(&key) => !again.failed(),
            None => again.failed() || again.changes(record),
        }
    };
    let other = again.all.iter().find(is_other)?;
    let run = name_of(contents, other.index);
    Some(format!("the referee ruled otherwise on {run} than it had before, so nothing is recorded"))
}

fn name_of(contents: &ContestState, run: usize) -> String {
    let key = &record_of(contents, run).key;
    run_name(&key.entry, &key.board, key.repeat)
}

fn failed(results: &Path, error: io::Error) -> JudgingError {
    JudgingError::Io(results.display().to_string(), error)
}
