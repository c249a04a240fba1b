//! Results as JSON. Unknown values are `null`.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::cross::Matches;
use crate::output::write_pretty_json;
use judge_core::compare::conclusion::Conclusion;
use judge_core::figure::Named;
use judge_core::key::Name;
use judge_core::plan::RankKey;
use judge_core::ranking::{self, RoundFigures};
use judge_core::relative;
use judge_core::results::{BoardHead, Fault, MixedHardware, Remark, Results, RoundHead, Upcoming};
use judge_core::score::{Metrics, Row, RunCell};
use judge_core::scoring::Scoring;
use judge_core::summary::{Summaries, Summary};
use judge_job::Usage;

/// The version of the JSON.
const FORMAT: u32 = 3;

#[derive(Serialize)]
struct Document<'a> {
    /// The version of this form. It increases when a key changes its meaning or is removed; new keys can come at any
    /// time.
    format: u32,
    /// The main result, and whether the results are complete.
    #[serde(flatten)]
    answer: Conclusion,
    /// The notices of the command that writes the document.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notices: &'a [String],
    contest: Option<&'a str>,
    game: Option<&'a str>,
    limit_ms: Option<u64>,
    /// The shortest and the longest limit of its runs.
    limits_ms: Option<(u64, u64)>,
    /// The complete list of figures that decide places, most important first. Empty if the file does not state it.
    ranking: &'a [RankKey],
    /// The figures, what cells and totals show, and how boards make a total.
    scoring: &'a Scoring,
    /// True if a crash of the referee counts as a wrong answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    crash_rejects: bool,
    isolation: &'a [String],
    /// The hash of the last line of the journal.
    journal_hash: Option<&'a str>,
    /// The rounds that have opened; empty for a contest with one round.
    rounds: &'a [RoundHead],
    /// The models of processors, if the runs were executed on several.
    #[serde(skip_serializing_if = "Option::is_none")]
    unlike_machines: Option<&'a MixedHardware>,
    /// The referees that ruled, if they are programs, with their hashes. There should be one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    referees: Vec<Referee>,
    /// Sentences about struck boards and about a round that has not opened.
    absent: &'a [String],
    /// The round that has not opened yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_round: Option<&'a Upcoming>,
    /// The games, in a contest in which entries play each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Matches<'a>>,
    boards: &'a [BoardHead],
    /// Boards whose solution goal is unknown.
    boards_without_goal: &'a [String],
    entries: Rows<'a>,
}

/// The rows. They are produced one by one, as all rows of a large contest at once would take much memory.
struct Rows<'a> {
    results: &'a Results,
    summaries: &'a [Summary],
    /// The figures of each row in the rounds in which it took part.
    rounds: Vec<Vec<RoundFigures>>,
    /// The failures of first repeats, by entry.
    faults: HashMap<&'a str, Vec<&'a Fault>>,
    remarks: HashMap<&'a str, Vec<&'a Remark>>,
}

#[derive(Serialize)]
struct Referee {
    /// SHA-256 of its definition and its files.
    hash: Name,
    /// The number of its rulings.
    rulings: usize,
}

#[derive(Serialize)]
struct Entry<'a> {
    place: Option<usize>,
    entry: &'a str,
    /// In the row of a team, the entries whose results it has.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    of: &'a [String],
    author: Option<&'a str>,
    competing: bool,
    /// The reason why it was withdrawn or disqualified.
    withdrawn: Option<&'a str>,
    disqualified: bool,
    complete: bool,
    missing: usize,
    total: Sum,
    /// The totals of the rounds in which it took part, if the contest has several.
    rounds: Vec<Sum>,
    /// Number of solved boards, scores that account for failures, means over the solved boards, median time over all
    /// boards.
    summary: Summary,
    runs: Vec<RunDocument<'a>>,
}

#[derive(Serialize)]
struct Sum {
    /// The figures of the contest, by name.
    figures: Named,
    /// The relative score that the ranking uses: to the best of these results, as a number of boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative_to_best_here: Option<f64>,
    time_ms: Option<u64>,
}

/// The figures of a run in JSON, with the keys of `entries.runs`.
#[derive(Serialize)]
pub struct RunFigures {
    figures: Named,
    time_us: Option<u64>,
}

#[derive(Serialize)]
struct RunDocument<'a> {
    board: &'a str,
    cell: Option<String>,
    #[serde(flatten)]
    figures: RunFigures,
    /// The reason why the board was not solved.
    fault: Option<&'a str>,
    final_board: Option<&'a str>,
    /// The number of the attempt, the usage of its processes, and remarks.
    attempt: Option<u32>,
    #[serde(flatten)]
    usage: Usage,
    /// The cluster node that executed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
    suspect: Option<&'a str>,
    /// The reason of the override that set the verdict.
    ruling: Option<&'a str>,
    /// The hash of the referee that ruled, if it is a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    referee: Option<&'a str>,
    /// The person who set the verdict, if the override names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    ruled_by: Option<&'a str>,
    notes: &'a [String],
}

pub(super) fn write(results: &Results, notices: &[String], out: &mut dyn Write) -> io::Result<()> {
    let summaries = Summaries::from_results(results);
    let document = Document {
        format: FORMAT,
        answer: Conclusion::from_results(results),
        notices,
        contest: results.contest.as_deref(),
        game: results.game.as_deref(),
        limit_ms: results.limit_ms,
        limits_ms: results.limits_ms(),
        ranking: &results.ranking,
        scoring: &results.scoring,
        crash_rejects: results.crash_rejects,
        isolation: &results.isolation,
        journal_hash: results.journal_hash.as_deref(),
        rounds: &results.rounds,
        unlike_machines: results.unlike.as_ref(),
        referees: results.referees().into_iter().map(|(hash, rulings)| Referee { hash, rulings }).collect(),
        absent: &results.absent,
        next_round: results.upcoming.as_ref(),
        matches: Matches::of(results),
        boards: &results.boards,
        boards_without_goal: &summaries.without_goal,
        entries: Rows::new(results, &summaries.rows),
    };
    write_pretty_json(&document, out)?;
    writeln!(out)
}

/// Figures by their names, in the order in which they are declared.
fn named(metrics: &Metrics, scoring: &Scoring) -> Named {
    scoring.figures.iter().enumerate().map(|(at, figure)| (figure.name, metrics.figure(at))).collect()
}

impl RunFigures {
    /// The figures of a run of these results.
    pub fn new(cell: &RunCell, results: &Results) -> Self {
        Self { figures: named(&cell.metrics, &results.scoring), time_us: cell.metrics.time_us }
    }
}

impl<'a> Rows<'a> {
    fn new(results: &'a Results, summaries: &'a [Summary]) -> Self {
        let (mut faults, mut remarks): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for fault in results.faults.iter().filter(|fault| fault.repeat == 1) {
            faults.entry(&*fault.entry).or_default().push(fault);
        }
        for remark in results.remarks.iter().filter(|remark| remark.repeat == 1) {
            remarks.entry(&*remark.entry).or_default().push(remark);
        }
        let rounds = ranking::figures(&results.rows);
        Self { results, summaries, rounds, faults, remarks }
    }

    fn entry(&self, number: usize, row: &'a Row, summary: Summary) -> Entry<'a> {
        let faults = row.entry.entries().filter_map(|name| self.faults.get(name)).flatten();
        let faults: HashMap<&str, &Fault> = faults.map(|&fault| (&*fault.board, fault)).collect();
        let remarks = row.entry.entries().filter_map(|name| self.remarks.get(name)).flatten();
        let remarks: HashMap<&str, &Remark> = remarks.map(|&remark| (&*remark.board, remark)).collect();
        let planned = self.results.boards.iter().zip(&row.cells).filter(|(_, cell)| !cell.not_planned);
        let runs = planned.map(|(board, cell)| {
            let board_name = board.name.as_str();
            let (fault, remark) = (faults.get(board_name).copied(), remarks.get(board_name).copied());
            RunDocument {
                board: board_name,
                cell: (!cell.is_empty()).then(|| cell.text()),
                figures: RunFigures::new(cell, self.results),
                fault: fault.map(|fault| fault.reason.as_str()),
                final_board: fault.and_then(|fault| fault.final_board.as_deref()),
                attempt: remark.map(|run| run.attempt),
                usage: remark.map_or_else(Usage::default, |run| run.usage),
                node: remark.and_then(|run| run.node.as_deref()),
                suspect: remark.and_then(|run| run.extras.suspect.as_deref()),
                ruling: remark.and_then(|run| run.extras.ruling.as_deref()),
                referee: remark.and_then(|run| run.referee.as_deref()),
                ruled_by: remark.and_then(|run| run.extras.ruled_by.as_deref()),
                notes: remark.map_or(&[], |run| run.extras.notes.as_slice()),
            }
        });
        let rounds = if self.results.rounds.is_empty() { 0 } else { row.rounds() };
        let sum = |total: &Metrics| Sum {
            figures: named(total, &self.results.scoring),
            relative_to_best_here: None,
            time_ms: total.time_ms(),
        };
        let of_round = |figures: &RoundFigures| {
            let relative = figures.relative.filter(|_| self.results.ranking.contains(&RankKey::Relative));
            Sum { relative_to_best_here: relative.map(relative::share), ..sum(&figures.total) }
        };
        Entry {
            place: row.place,
            entry: &row.entry.name,
            of: &row.entry.of,
            author: row.entry.author.as_deref(),
            competing: row.entry.competing,
            withdrawn: row.entry.withdrawn.as_ref().map(|out| &*out.reason),
            disqualified: row.entry.withdrawn.as_ref().is_some_and(|out| out.disqualified),
            complete: row.complete() && row.missing() == 0,
            missing: row.missing(),
            total: Sum { relative_to_best_here: row.relative.map(relative::share), ..sum(&row.total) },
            rounds: self.rounds[number].iter().take(rounds as usize).map(of_round).collect(),
            summary,
            runs: runs.collect(),
        }
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.results.rows.iter().zip(self.summaries);
        serializer.collect_seq(rows.enumerate().map(|(number, (row, summary))| self.entry(number, row, *summary)))
    }
}
