//! The board of several problems. Its figures are totalled as if all boards belonged to one problem: the submissions that count
//! form one row of cells, which is ranked like a row of a contest with one problem. If no submission of a team counts on a
//! problem, it has failed the problem's boards.

use std::sync::Arc;

use judge_core::legend;
use judge_core::results::Results;
use judge_core::score::{EntryHead, Row as Scored, RunCell};
use judge_core::scoring::{Group, Scoring};
use judge_core::verdict::Verdict;
use judge_core::withdrawal::Withdrawal;

use super::judgements::Figure;
use super::part::{Part, heading, texts};
use super::{Board, BoardCell, Column, OfProblem, Row, Total};

/// Computes the board of several problems, with only their teams, as entries of a contest file belong to one problem.
pub(super) fn board(parts: &[Part<'_>]) -> Board {
    let (first, results) = (parts[0].problem, merged(parts));
    let columns: Vec<legend::Column> =
        legend::columns(&results).into_iter().filter(|column| !is_board(column)).collect();
    let mut figures = texts(&results, &columns);
    let start = first.state.start();
    let of_row = |(index, row): (usize, &Scored)| {
        let team = &row.entry.name;
        let problems: Vec<OfProblem> = parts.iter().map(|part| part.scored(team, start)).collect();
        let of_problem = |(part, of): (&Part<'_>, &OfProblem)| {
            let text = part.row(team).map_or_else(String::new, |row| row.total_text(&row.total));
            BoardCell { text, notes: of.notes(), ..BoardCell::default() }
        };
        let cells = figures.iter_mut().map(|column| std::mem::take(&mut column[index]));
        let out = row.entry.withdrawn.as_ref().map(|withdrawal| withdrawal.reason.clone());
        // Of a team that is out, nothing counts.
        let score = if out.is_some() { Figure::default() } else { Figure::of(row, &results.ranking) };
        Row {
            place: row.place,
            cells: cells.chain(parts.iter().zip(&problems).map(of_problem)).collect(),
            time_ms: row.total.time_ms(),
            out,
            total: Total::Score(score),
            ..Row::of_team(team, problems)
        }
    };
    let rows = results.rows.iter().enumerate().map(of_row).collect();
    let of_problem = |part: &Part<'_>| Column { heading: part.problem.label.to_owned(), is_board: false };
    let columns = columns.iter().map(|column| heading(&results, *column)).chain(parts.iter().map(of_problem));
    let title = first.contents.plan.name.clone();
    Board { title, frozen: first.state.frozen().is_some(), columns: columns.collect(), rows, codes: Vec::new() }
}

fn is_board(column: &legend::Column) -> bool {
    matches!(column, legend::Column::Board(_))
}

/// The results of all problems combined into one contest, ranked by the rules of the first one.
fn merged(parts: &[Part<'_>]) -> Results {
    let first = parts[0].problem;
    let scoring = Arc::new(scoring(parts));
    let row = |team: &str| {
        let cells = parts.iter().enumerate().flat_map(|(number, part)| cells(part, number, team));
        let mut entry = EntryHead::new(team);
        entry.withdrawn = first.state.out(team).map(Withdrawal::disqualified);
        Scored::new(entry, cells.collect(), scoring.clone())
    };
    let mut results = parts[0].results.clone();
    results.rows = first.state.teams().keys().map(|team| row(team)).collect();
    results.boards = parts.iter().flat_map(|part| part.results.boards.iter().cloned()).collect();
    results.scoring.clone_from(&scoring);
    let order = results.ranking.clone();
    results.ranked_by(&order)
}

/// The cells of a team on the boards of a problem.
fn cells(part: &Part<'_>, number: usize, team: &str) -> Vec<RunCell> {
    let counts = part.row(team).filter(|row| row.entry.withdrawn.is_none());
    let mut cells = counts.map_or_else(|| failed(part), |row| row.cells.clone());
    for cell in &mut cells {
        cell.group = cell.group.as_ref().map(|group| within(number, group).into());
    }
    cells
}

/// The cells of a team without a submission that counts, as if it had not begun these boards.
fn failed(part: &Part<'_>) -> Vec<RunCell> {
    let of_board = |board: &judge_core::results::BoardHead| {
        let none = Verdict::CouldNotStart { reason: "nothing counts".into() };
        let mut cell = RunCell::from_verdict(&none, None, 0, &part.results.scoring);
        (cell.group, cell.earlier_rounds) = (board.group.clone(), board.round.saturating_sub(1));
        // Of a later round, only those who reached it have any.
        cell.not_planned = board.round > 1;
        cell
    };
    part.results.boards.iter().map(of_board).collect()
}

/// The scoring of all problems, whose groups may have the same names.
fn scoring(parts: &[Part<'_>]) -> Scoring {
    let mut all = Scoring::clone(&parts[0].results.scoring);
    all.groups = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let own = &part.results.scoring;
        for (figure, own) in all.figures.iter_mut().zip(&own.figures) {
            figure.decimals = figure.decimals.max(own.decimals);
        }
        all.groups.extend(own.groups.iter().map(|group| {
            let mut named: Group = group.clone();
            named.name = within(number, &group.name);
            named.within = group.within.as_deref().map(|outer| within(number, outer));
            named.requires = group.requires.iter().map(|other| within(number, other)).collect();
            named
        }));
    }
    all
}

fn within(number: usize, group: &str) -> String {
    format!("{number}/{group}")
}
