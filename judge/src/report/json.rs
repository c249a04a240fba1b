//! Results as JSON. Unknown values are `null`.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::output::write_pretty_json;
use judge_core::plan::RankKey;
use judge_core::points::Points;
use judge_core::relative;
use judge_core::results::{Fault, Remark, Results, RoundHead, Unlike};
use judge_core::score::{JudgedBy, Metrics, Row};
use judge_core::scoring::Scoring;
use judge_core::summary::{Summaries, Summary};
use judge_job::Usage;

#[derive(Serialize)]
struct Document<'a> {
    contest: Option<&'a str>,
    game: Option<&'a str>,
    limit_ms: Option<u64>,
    ranking: &'a [RankKey],
    /// The measure of answers; nothing for progress and moves.
    #[serde(skip_serializing_if = "JudgedBy::is_progress")]
    judged_by: JudgedBy,
    /// The way to read and sum points.
    #[serde(skip_serializing_if = "Option::is_none")]
    scoring: Option<&'a Scoring>,
    /// True if a crash of the referee counts as a wrong answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    crash_rejects: bool,
    isolation: &'a [String],
    /// The hash of the last line of the journal.
    journal_hash: Option<&'a str>,
    complete: bool,
    /// The rounds that have opened; empty for a contest with one round.
    rounds: &'a [RoundHead],
    /// The models of processors, if the runs were made on several.
    #[serde(skip_serializing_if = "Option::is_none")]
    unlike_machines: Option<&'a Unlike>,
    /// Sentences on boards that were struck and on a round that has not opened.
    absent: &'a [String],
    boards: Vec<Board<'a>>,
    /// Boards whose goal is not recorded, so that the most progress of any entry counts as solved.
    guessed_goals: &'a [String],
    entries: Rows<'a>,
}

/// The rows. They are made one by one: all of a large contest at once would take much memory.
struct Rows<'a> {
    results: &'a Results,
    summaries: &'a [Summary],
    /// True if the referee counts progress and moves.
    counted: bool,
    faults: HashMap<Key<'a>, &'a Fault>,
    remarks: HashMap<Key<'a>, &'a Remark>,
}

/// Names of an entry and a board.
type Key<'a> = (&'a str, &'a str);

#[derive(Serialize)]
struct Board<'a> {
    name: &'a str,
    round: u32,
    reconstruction: bool,
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct Entry<'a> {
    place: Option<usize>,
    entry: &'a str,
    author: Option<&'a str>,
    competing: bool,
    /// The reason why it was withdrawn or disqualified.
    withdrawn: Option<&'a str>,
    disqualified: bool,
    complete: bool,
    total: Sum,
    /// The totals of the rounds in which it took part, if the contest has several.
    rounds: Vec<Sum>,
    /// Boards solved, scores that contain failures, means of the solved boards, median time of all.
    summary: Summary,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Sum {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    /// The relative score, as a number of boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<f64>,
    /// Accepted answers, where answers are accepted or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<Option<u64>>,
    #[serde(flatten)]
    counted: Option<Counted>,
    time_ms: Option<u64>,
}

/// Figures of games that count them.
#[derive(Serialize)]
struct Counted {
    progress: Option<u64>,
    moves: Option<u64>,
    tie_break: Option<u64>,
}

#[derive(Serialize)]
struct Run<'a> {
    board: &'a str,
    cell: Option<String>,
    /// The run's part of the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    /// True for an accepted answer, where answers are accepted or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<Option<bool>>,
    #[serde(flatten)]
    counted: Option<Counted>,
    time_us: Option<u64>,
    /// The reason why the board was not solved.
    fault: Option<&'a str>,
    final_board: Option<&'a str>,
    /// The number of the attempt, the usage of its processes, and remarks.
    attempt: Option<u32>,
    #[serde(flatten)]
    usage: Usage,
    /// The node of a cluster that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
    suspect: Option<&'a str>,
    /// The reason of the ruling by hand that set the verdict.
    ruling: Option<&'a str>,
    notes: &'a [String],
}

pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let boards = results.boards.iter().map(|board| Board {
        name: &board.name,
        round: board.round,
        reconstruction: board.reconstruction,
        note: board.note.as_deref(),
    });
    let summaries = Summaries::of(results);
    let document = Document {
        contest: results.contest.as_deref(),
        game: results.game.as_deref(),
        limit_ms: results.limit_ms,
        ranking: &results.ranking,
        judged_by: results.judged_by,
        scoring: results.scoring.as_deref(),
        crash_rejects: results.crash_rejects,
        isolation: &results.isolation,
        journal_hash: results.journal_hash.as_deref(),
        complete: results.complete(),
        rounds: &results.rounds,
        unlike_machines: results.unlike.as_ref(),
        absent: &results.absent,
        boards: boards.collect(),
        guessed_goals: &summaries.guessed,
        entries: Rows::of(results, &summaries.rows),
    };
    write_pretty_json(&document, out)?;
    writeln!(out)
}

impl Sum {
    fn of(total: &Metrics, judged_by: JudgedBy, counted: bool) -> Self {
        Self {
            score: total.points,
            relative: None,
            solved: (judged_by == JudgedBy::Acceptance).then_some(total.progress),
            counted: counted.then(|| Counted::of(total)),
            time_ms: total.time_ms(),
        }
    }
}

impl Counted {
    fn of(metrics: &Metrics) -> Self {
        let Metrics { progress, moves, tie_break, .. } = *metrics;
        Self { progress, moves, tie_break }
    }
}

impl<'a> Rows<'a> {
    fn of(results: &'a Results, summaries: &'a [Summary]) -> Self {
        let faults = results
            .faults
            .iter()
            .filter(|fault| fault.repeat == 1)
            .map(|fault| ((&*fault.entry, &*fault.board), fault));
        let remarks = results
            .remarks
            .iter()
            .filter(|remark| remark.repeat == 1)
            .map(|remark| ((&*remark.entry, &*remark.board), remark));
        let counted = results.counts_moves();
        Self { results, summaries, counted, faults: faults.collect(), remarks: remarks.collect() }
    }

    fn entry(&self, row: &'a Row, summary: Summary) -> Entry<'a> {
        let planned = self.results.boards.iter().zip(&row.cells).filter(|(_, cell)| !cell.not_planned);
        let runs = planned.map(|(board, cell)| {
            let key = (row.entry.name.as_str(), board.name.as_str());
            let (fault, remark) = (self.faults.get(&key), self.remarks.get(&key));
            Run {
                board: &board.name,
                cell: (!cell.is_empty()).then(|| cell.text()),
                score: cell.metrics.points,
                accepted: (cell.judged_by == JudgedBy::Acceptance)
                    .then(|| cell.judged().then_some(cell.code.is_none())),
                counted: self.counted.then(|| Counted::of(&cell.metrics)),
                time_us: cell.metrics.time_us,
                fault: fault.map(|fault| fault.reason.as_str()),
                final_board: fault.and_then(|fault| fault.final_board.as_deref()),
                attempt: remark.map(|run| run.attempt),
                usage: remark.map_or_else(Usage::default, |run| run.usage),
                node: remark.and_then(|run| run.node.as_deref()),
                suspect: remark.and_then(|run| run.suspect.as_deref()),
                ruling: remark.and_then(|run| run.ruling.as_deref()),
                notes: remark.map_or(&[], |run| run.notes.as_slice()),
            }
        });
        let rounds = if self.results.rounds.is_empty() { 0 } else { row.rounds() };
        let sum = |total: &Metrics| Sum::of(total, self.results.judged_by, self.counted);
        Entry {
            place: row.place,
            entry: &row.entry.name,
            author: row.entry.author.as_deref(),
            competing: row.entry.competing,
            withdrawn: row.entry.withdrawn.as_ref().map(|out| &*out.reason),
            disqualified: row.entry.withdrawn.as_ref().is_some_and(|out| out.disqualified),
            complete: row.complete(),
            total: Sum { relative: row.relative.map(relative::share), ..sum(&row.total) },
            rounds: (1..=rounds).filter_map(|round| row.total_in(round)).map(|total| sum(&total)).collect(),
            summary,
            runs: runs.collect(),
        }
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.results.rows.iter().zip(self.summaries);
        serializer.collect_seq(rows.map(|(row, summary)| self.entry(row, *summary)))
    }
}
