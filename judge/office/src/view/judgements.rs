//! The results of submissions for one viewer: the judgement of each with its runs, in the terms of the Contest API of the ICPC.
//! They follow from the state of a submission, which [`crate::submission_state`] defines.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher as _};

use judge_core::date::Date;
use judge_core::figure::Better;
use judge_core::figure::RefereeFigures;
use judge_core::journal::{ContestState, Record};
use judge_core::key::{Name, RunKey};
use judge_core::map::Map;
use judge_core::plan::RankKey;
use judge_core::points::Points;
use judge_core::results::Results;
use judge_core::score::{Row, RunCell};

use super::{Viewer, last_round};
pub use crate::counting::{is_of_matches, is_pass_fail, rule};
use crate::ends::{End, Ends};
pub use crate::judgement_type::JudgementType;
use crate::progress::is_judged;
use crate::state::{State, Submission};
use crate::submission_state::{SubmissionState, SubmissionStates};

/// The first figure of a ranking that does not depend on other submissions or teams, so it is never a relative score. Among
/// several rows, only the place decides.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SubmissionScore {
    /// The figure, for people.
    pub value: f64,
    /// True if smaller values are better.
    pub less: bool,
}

impl SubmissionScore {
    /// The figure of a row of a table.
    pub(super) fn of(row: &Row, order: &[RankKey]) -> Self {
        let (total, scoring) = (&row.total, &row.scoring);
        let number = |figure: Option<u64>| number(figure.unwrap_or_default());
        let figure = |name: &str| {
            let value = scoring.index(name).and_then(|at| total.figure(at));
            let less = scoring.figure(name).is_some_and(|figure| figure.better == Better::Less);
            Self { value: value.map_or(0.0, Points::to_f64), less }
        };
        let runs =
            |counts: fn(&RunCell) -> bool| number(Some(row.cells.iter().filter(|cell| counts(cell)).count() as u64));
        // Figures are the score, even if counts precede them.
        let alone = || order.iter().filter(|key| **key != RankKey::Relative);
        let leading = alone().find(|key| scoring.accepts() || !key.is_count());
        match leading.or_else(|| alone().next()) {
            Some(RankKey::Figure(name)) => figure(name),
            Some(RankKey::Time) => Self { value: number(total.time_ms()), less: true },
            Some(RankKey::Solved) => Self { value: runs(RunCell::solves), less: false },
            Some(RankKey::Failed) => Self { value: runs(|cell| cell.judged() && cell.code.is_some()), less: true },
            Some(RankKey::Unstarted) => Self { value: runs(RunCell::never_started), less: true },
            Some(RankKey::Relative) | None => figure(&scoring.main().name),
        }
    }

    /// The figure in the form of the Contest API, in which more is better.
    pub fn score(self) -> f64 {
        if self.less { 0.0 - self.value } else { self.value }
    }
}

#[allow(clippy::cast_precision_loss, reason = "far below the numbers that a float cannot have")]
fn number(figure: u64) -> f64 {
    figure as f64
}

/// The judgement of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The time when it was built, in seconds since the beginning of 1970 in UTC.
    pub begun: u64,
    /// The time and kind of its end; `None` while runs are executed, and while the organiser has to act.
    pub ended: Option<(u64, JudgementType)>,
    /// Its score so far; `None` if answers are accepted or not.
    pub score: Option<SubmissionScore>,
    /// Its finished runs, by number.
    pub runs: Vec<Run>,
    /// The number of all its runs.
    pub of: usize,
}

impl Judgement {
    /// The longest time of its runs, in microseconds.
    pub fn longest_us(&self) -> Option<u64> {
        self.runs.iter().filter_map(|run| run.wall_us).max()
    }
}

/// A finished run of a submission on one board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The number of its board, from 1.
    pub ordinal: usize,
    /// The end of the run, without its reason.
    pub outcome: JudgementType,
    /// The time when it was recorded, in seconds since the beginning of 1970 in UTC.
    pub at: u64,
    /// The wall-clock time in microseconds; `None` if nothing ran.
    pub wall_us: Option<u64>,
}

/// The judgements of one state for one viewer.
pub struct Judgements<'a> {
    state: &'a State,
    contents: &'a ContestState,
    viewer: &'a Viewer,
    states: SubmissionStates<'a>,
    /// The last round that the viewer may see.
    last: u32,
}

impl<'a> Judgements<'a> {
    /// The judgements of a state of office and contest, for a viewer.
    pub fn new(state: &'a State, contents: &'a ContestState, viewer: &'a Viewer) -> Self {
        let states = SubmissionStates::of_first_round(state, contents);
        Self { state, contents, viewer, states, last: last_round(state, contents, viewer) }
    }

    /// Uses these known ends of submissions.
    #[must_use]
    pub fn with_ends(self, ends: Ends) -> Self {
        Self { states: self.states.with_ends(ends), ..self }
    }

    /// The numbered boards of a problem, by its identifier, in their order.
    pub fn boards<'p>(contents: &'p ContestState, problem: &str) -> Vec<&'p str> {
        let plan = &contents.plan;
        let first = plan.boards.iter().zip(plan.rounds_of_boards()).filter(|(_, round)| *round == 1);
        let counts = |name: &&str| !contents.struck.contains_key(*name) && plan.problem_of(name).id == problem;
        first.map(|(board, _)| &*board.name).filter(counts).collect()
    }

    /// Tests whether the viewer may see the result of a submission.
    pub fn sees(&self, submission: &Submission) -> bool {
        self.viewer.sees(submission, self.state)
    }

    /// A number that changes with the judgement of a submission.
    pub fn mark(&self, submission: &'a Submission) -> u64 {
        let (entry, mut mark) = (submission.entry(), DefaultHasher::new());
        // The submission that counts instead may be hidden, and does not affect this one.
        let shown = self.shown(submission).map(|shown| match shown {
            SubmissionState::Superseded { .. } => SubmissionState::Superseded { by: String::new() },
            shown => shown,
        });
        (&shown, self.sees(submission)).hash(&mut mark);
        if shown.is_some() {
            for (board, run) in self.runs_until(&entry, self.last) {
                (board, self.contents.record_of(run).map(mark_of)).hash(&mut mark);
            }
        }
        mark.finish()
    }

    /// The judgements of these submissions; `None` for those that wait, and for those that the viewer may not see. If answers get
    /// scores, this reads all records once.
    pub fn of(&self, submissions: &[&'a Submission]) -> Vec<Option<Judgement>> {
        let is_shown = |submission: &&&'a Submission| self.shown(submission).is_some();
        let names: Vec<String> = submissions.iter().filter(is_shown).map(|submission| submission.entry()).collect();
        let pass_fail = is_pass_fail(self.contents);
        let of_matches = is_of_matches(self.contents);
        // The score of a player also depends on the other players of its games.
        let games = names.iter().filter(|_| of_matches).flat_map(|entry| self.runs_of(entry));
        let others: HashSet<Name> = games
            .filter_map(|run| self.contents.key_of(run))
            .flat_map(|game| game.seats().cloned().collect::<Vec<_>>())
            .collect();
        let wanted = names.iter().map(String::as_str).chain(others.iter().map(|name| &**name));
        let wanted: HashSet<&str> = wanted.filter(|_| !pass_fail).collect();
        // Withdrawals are ignored: a judgement exists whether it counts or not.
        let results = Results::from_entries_until(self.contents, &wanted, &Map::default(), self.last);
        let scores = results.rows.iter().map(|row| (&*row.entry.name, SubmissionScore::of(row, &results.ranking)));
        let scores: HashMap<&str, SubmissionScore> = scores.collect();
        let problems = self.contents.plan.problems.iter();
        let ordinals: HashMap<&str, usize> =
            problems.flat_map(|problem| Self::boards(self.contents, &problem.id).into_iter().zip(1..)).collect();
        let judgement = |submission: &&'a Submission| {
            let entry = submission.entry();
            let run = |record: &Record| {
                let ordinal = *ordinals.get(&*record.key.board)?;
                let (outcome, at) = (JudgementType::of(record), record.at.map_or(0, Date::unix));
                Some(Run { ordinal, outcome, at, wall_us: record.wall_us })
            };
            let mut runs: Vec<Run> = self.judged(&entry).filter_map(run).collect();
            runs.sort_by_key(|run| run.ordinal);
            // Games do not test a single program.
            runs.retain(|_| !of_matches);
            let score = scores.get(&*entry).copied().or_else(|| (!pass_fail).then(SubmissionScore::default));
            let of = self.runs_of(&entry).len();
            Judgement { begun: self.begun(submission), ended: self.end(submission, score), score, runs, of }
        };
        submissions.iter().map(|submission| is_shown(&submission).then(|| judgement(submission))).collect()
    }

    /// The kind of the end of a submission's judgement, if answers are accepted or not; `None` if it continues.
    pub(super) fn outcome_of(&self, submission: &'a Submission) -> Option<JudgementType> {
        let end = || self.end(submission, None).map(|(_, outcome)| outcome);
        self.states.end(submission).and_then(End::outcome).or_else(end)
    }

    /// The time and kind of the end of a submission's judgement, by the scores of all rounds that the viewer sees; `None` if it
    /// continues.
    fn end(&self, submission: &'a Submission, score: Option<SubmissionScore>) -> Option<(u64, JudgementType)> {
        let (entry, begun) = (submission.entry(), self.begun(submission));
        let last = self.judged(&entry).filter_map(|record| record.at.map(Date::unix)).fold(begun, u64::max);
        let is_complete =
            || self.judged(&entry).count() == self.runs_of(&entry).len() && !self.runs_of(&entry).is_empty();
        match self.states.of(submission) {
            SubmissionState::Queued
            | SubmissionState::Running { .. }
            | SubmissionState::Stuck
            | SubmissionState::Held(_)
            | SubmissionState::Waits => None,
            SubmissionState::Unbuildable(_) => Some((begun, JudgementType::Compile)),
            SubmissionState::Late
            | SubmissionState::TooLate
            | SubmissionState::Cancelled
            | SubmissionState::Ignored(_)
            | SubmissionState::Out(_) => Some((last, JudgementType::Cancelled)),
            // The time of the other submission may be hidden, so it is not used.
            SubmissionState::Superseded { .. } if !is_complete() => Some((last, JudgementType::Cancelled)),
            SubmissionState::Counts if is_of_matches(self.contents) => Some((last, JudgementType::Accepted)),
            SubmissionState::Superseded { .. } if is_of_matches(self.contents) => {
                Some((last, JudgementType::Cancelled))
            }
            SubmissionState::Counts | SubmissionState::Superseded { .. } => Some((last, self.outcome(&entry, score))),
        }
    }

    /// The outcome of a submission whose runs are all judged. If answers get scores, any score counts as accepted.
    fn outcome(&self, entry: &str, score: Option<SubmissionScore>) -> JudgementType {
        let outcomes = || self.judged(entry).map(JudgementType::of);
        let worst = outcomes().find(|outcome| *outcome != JudgementType::Accepted);
        let is_accepted =
            |score: SubmissionScore| score.value != 0.0 || outcomes().any(|outcome| outcome == JudgementType::Accepted);
        match score {
            // All boards of the problem are struck.
            None if outcomes().next().is_none() => JudgementType::Cancelled,
            None => worst.unwrap_or(JudgementType::Accepted),
            Some(score) if is_accepted(score) => JudgementType::Accepted,
            Some(_) => worst.unwrap_or(JudgementType::Wrong),
        }
    }

    /// The state of a submission, unless it waits to be built or the viewer may not see it.
    fn shown(&self, submission: &'a Submission) -> Option<SubmissionState> {
        let shown = self.sees(submission).then(|| self.states.of(submission))?;
        (shown != SubmissionState::Queued).then_some(shown)
    }

    /// The time when a submission was built. Even if the clock was set back, no judgement is before its submission.
    fn begun(&self, submission: &Submission) -> u64 {
        let arrived = self.state.submission(submission.number).map_or(0, |(at, _)| at);
        self.built(&submission.entry()).unwrap_or(arrived).max(arrived)
    }

    fn built(&self, entry: &str) -> Option<u64> {
        self.contents.versions.get(entry)?.first()?.at.map(Date::unix)
    }

    /// Tests whether the viewer may see a run. For a game, it must count and the viewer may see its result.
    fn sees_game(&self, run: usize) -> bool {
        let Some(key) = self.contents.key_of(run).filter(|key| key.against.is_some()) else { return true };
        self.contents.rank_of(run).is_some() && self.viewer.sees_game(&key, self.state)
    }

    fn judged(&self, entry: &str) -> impl Iterator<Item = &Record> {
        let records = self.runs_of(entry).into_iter().map(|run| self.contents.record_of(run));
        records.filter(|record| is_judged(*record)).flatten()
    }

    /// The runs of an entry that are shown individually, if the viewer may see the first round.
    fn runs_of(&self, entry: &str) -> Vec<usize> {
        self.runs_until(entry, self.last.min(1)).map(|(_, run)| run).collect()
    }

    /// The first repeats of an entry up to a round on the boards that count, with these boards.
    fn runs_until<'s>(&'s self, entry: &str, last: u32) -> impl Iterator<Item = (Name, usize)> + use<'s> {
        self.contents.runs_of(entry).filter_map(move |run| {
            let RunKey { round, board, repeat, .. } = self.contents.key_of(run)?;
            let counts = round <= last && repeat == 1 && !self.contents.struck.contains_key(&*board);
            (counts && self.sees_game(run)).then_some((board, run))
        })
    }
}

/// The parts of a record that a judgement shows, for comparison with another moment.
fn mark_of(record: &Record) -> impl Hash + use<> {
    let given = record.verdict.given().map(RefereeFigures::to_string);
    let verdict = (std::mem::discriminant(&record.verdict), given);
    (record.attempt, record.at.map(Date::unix), record.wall_us, record.is_judge_error(), verdict)
}

#[cfg(test)]
mod tests;
