//! A problem for one viewer: its table, with the submissions that count, and its separate board.

use std::collections::{HashMap, HashSet};

use judge_core::code::Code;
use judge_core::journal::ContestState;
use judge_core::legend;
use judge_core::map::Map;
use judge_core::results::Results;
use judge_core::score::{self, Row as Scored, RunCell};
use judge_core::withdrawal::Withdrawal;
use judge_job::count_text;

use super::judgements::SubmissionScore;
use super::visible::{Numbers, Visibility, Visible};
use super::{Board, BoardCell, Column, Kind, ProblemResult, Row, Total, letter};
use crate::counting::out;
use crate::progress::withdrawn;
use crate::state::State;

/// A problem in one view.
pub(super) struct Part<'p> {
    pub(super) state: &'p State,
    pub(super) contents: &'p ContestState,
    /// The identifier of the problem.
    pub(super) problem: &'p str,
    pub(super) visible: Visible<'p>,
    /// The withdrawn entries among the visible ones.
    pub(super) withdrawn: Map<String, Withdrawal>,
    pub(super) results: Results,
    /// The row of the submission that counts, by team.
    rows: HashMap<String, usize>,
}

impl<'p> Part<'p> {
    pub(super) fn new(state: &'p State, contents: &'p ContestState, problem: &'p str, sight: &Visibility<'_>) -> Self {
        let visible = Visible::new(state, contents, problem, sight);
        let withdrawal = |name: &String| {
            let out = match visible.counting.get(name) {
                Some((_, submission)) => out(state, contents, submission),
                None => withdrawn(contents, name).cloned(),
            };
            Some((name.clone(), out?))
        };
        let withdrawn: Map<String, Withdrawal> = visible.entries.iter().filter_map(withdrawal).collect();
        let entries = visible.entries.iter().map(String::as_str).collect();
        let mut results =
            Results::from_entries_until(contents, &entries, &withdrawn, sight.last_round(state, contents));
        if contents.plan.problems.len() > 1 {
            let names = results.boards.iter().map(|board| board.name.clone());
            let own: Vec<String> = names.filter(|name| contents.plan.problem_of(name).id == problem).collect();
            results = results.only(Some(&own), None).expect("these boards are in it");
        }
        let rows = results.rows.iter().zip(0..).filter_map(|(row, at)| {
            let (_, submission) = visible.counting.get(&*row.entry.name)?;
            Some((submission.team.clone(), at))
        });
        let rows = rows.collect();
        Self { state, contents, problem, visible, withdrawn, results, rows }
    }

    /// The row of the submission that counts for a team.
    pub(super) fn row(&self, team: &str) -> Option<&Scored> {
        self.results.rows.get(*self.rows.get(team)?)
    }

    /// The row of an entry of the contest file.
    pub(super) fn row_of_file(&self, entry: &str) -> Option<&Scored> {
        self.results.rows.iter().find(|row| row.entry.name == entry)
    }

    /// The letter of the problem.
    pub(super) fn letter(&self) -> String {
        letter(self.contents.plan.problems.iter().position(|known| known.id == self.problem).unwrap_or_default())
    }

    /// The submissions of a team.
    pub(super) fn numbers(&self, team: &str) -> Numbers {
        self.visible.teams.get(team).copied().unwrap_or_default()
    }

    /// The results of a team on a problem with scores. A disqualified team has no score.
    pub(super) fn scored(&self, team: &str, start: u64) -> ProblemResult {
        let Numbers { submissions, pending, counts, unbuilt } = self.numbers(team);
        let judged = submissions.saturating_sub(pending);
        let row = self.row(team).filter(|row| row.entry.withdrawn.is_none());
        let score = row.map_or_else(SubmissionScore::default, |row| SubmissionScore::of(row, &self.results.ranking));
        let is_valid = |row: &Scored| row.cells.iter().any(|cell| cell.code.is_none() && cell.judged() && cell.valid);
        let worth = row.filter(|row| score.value != 0.0 || is_valid(row));
        let reached = worth.and(counts).map(|(_, at)| at.saturating_sub(start));
        ProblemResult { judged, pending, rejected: 0, reached, score, unbuilt }
    }

    /// The board of only this problem.
    pub(super) fn board(&self) -> Board {
        let Self { results, state, contents, .. } = self;
        let columns = legend::columns(results);
        let mut texts = texts(results, &columns);
        let start = state.start();
        let mut rows: Vec<Row> = Vec::new();
        for (index, row) in results.rows.iter().enumerate() {
            let of_team = self.visible.counting.get(&*row.entry.name).map(|(_, submission)| &*submission.team);
            let numbers = of_team.map(|team| self.numbers(team)).unwrap_or_default();
            let problems: Vec<ProblemResult> = of_team.map(|team| self.scored(team, start)).into_iter().collect();
            rows.push(Row {
                is_team: of_team.is_some(),
                counts: numbers.counts,
                place: row.place,
                cells: texts.iter_mut().map(|column| std::mem::take(&mut column[index])).collect(),
                time_ms: row.total.time_ms(),
                out: row.entry.withdrawn.as_ref().map(|withdrawal| withdrawal.reason.clone()),
                total: Total::Score(problems.first().map_or_else(SubmissionScore::default, |one| one.score)),
                ..Row::of_team(of_team.unwrap_or(&row.entry.name), problems)
            });
        }
        let shown: HashSet<String> = rows.iter().filter(|row| row.is_team).map(|row| row.name.clone()).collect();
        // Teams without a counting submission: it waits, does not build, or does not exist.
        let others = state.teams().keys().filter(|team| !shown.contains(&***team));
        rows.extend(others.map(|team| {
            let cells = vec![BoardCell::default(); columns.len()];
            let out = state.out(team).map(str::to_owned);
            Row { cells, out, ..Row::of_team(team, vec![self.scored(team, start)]) }
        }));
        Board {
            title: contents.plan.name.clone(),
            frozen: state.frozen().is_some(),
            columns: columns.iter().map(|column| heading(results, *column)).collect(),
            codes: codes(results, &rows),
            rows,
        }
    }
}

impl ProblemResult {
    /// The notes in its cell on the board of several problems.
    pub(super) fn notes(&self) -> Vec<String> {
        let tries = (self.judged > 0).then(|| count_text(self.judged, "try", "tries"));
        let unbuilt = self.unbuilt.then(|| "compile error".to_owned());
        let pending = (self.pending > 0).then(|| format!("{} pending", self.pending));
        tries.into_iter().chain(unbuilt).chain(pending).collect()
    }
}

impl Row {
    /// The row of a team without a submission that counts.
    pub fn of_team(team: &str, problems: Vec<ProblemResult>) -> Self {
        Self {
            name: team.to_owned(),
            is_team: true,
            counts: None,
            place: None,
            cells: Vec::new(),
            time_ms: None,
            submissions: problems.iter().map(|problem| problem.judged + problem.pending).sum(),
            pending: problems.iter().map(|problem| problem.pending).sum(),
            out: None,
            organisation: String::new(),
            group: String::new(),
            total: Total::Score(SubmissionScore::default()),
            problems,
        }
    }
}

/// The cells of all rows, column by column.
pub(super) fn texts(results: &Results, columns: &[legend::Column]) -> Vec<Vec<BoardCell>> {
    let rows = || results.rows.iter();
    let text = |text: String| BoardCell { text, ..BoardCell::default() };
    let of_column = |column: &legend::Column| match column {
        legend::Column::Board(board) => rows().map(|row| cell(&row.cells[*board])).collect(),
        legend::Column::Total(round) => rows().map(|row| text(legend::total(results, row, *round))).collect(),
        legend::Column::Figure(key, round) => legend::figure(results, *key, *round).into_iter().map(text).collect(),
    };
    columns.iter().map(of_column).collect()
}

/// The heading of a column.
pub(super) fn heading(results: &Results, column: legend::Column) -> Column {
    match column {
        legend::Column::Board(board) => Column { heading: results.boards[board].marked(), is_board: true },
        legend::Column::Total(round) => Column { heading: legend::total_heading(results, round), is_board: false },
        legend::Column::Figure(key, round) => {
            Column { heading: legend::figure_heading(results, key, round), is_board: false }
        }
    }
}

/// Tests whether a cell shows an accepted answer, or one that solves its board.
pub(super) fn is_solved(cell: &RunCell) -> bool {
    cell.judged() && cell.code.is_none() && (cell.solves() || cell.text() == score::ACCEPTED)
}

fn cell(cell: &RunCell) -> BoardCell {
    let kind = match (cell.judged(), cell.code) {
        (false, _) => Kind::Plain,
        (true, Some(_)) => Kind::Failed,
        (true, None) if is_solved(cell) => Kind::Solved,
        (true, None) if cell.is_scored() || cell.valid => Kind::Plain,
        (true, None) => Kind::Short,
    };
    let text = if cell.is_empty() { String::new() } else { legend::cell(cell) };
    BoardCell { text, kind, suspect: cell.suspect, code: cell.code, ..BoardCell::default() }
}

/// The codes in the cells of rows, with their meanings.
fn codes(results: &Results, rows: &[Row]) -> Vec<(Code, &'static str)> {
    let used: HashSet<Code> = rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.code).collect();
    let used = Code::ALL.into_iter().filter(|code| used.contains(code));
    used.map(|code| (code, legend::meaning(code, &results.scoring))).collect()
}
