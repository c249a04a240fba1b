//! The board of several problems, with one row per team, see [`Results::with_teams`].

use judge_core::legend;
use judge_core::results::Results;
use judge_core::score::Row as Scored;
use judge_core::withdrawal::Withdrawal;

use super::judgements::SubmissionScore;
use super::part::{Part, heading, is_solved, texts};
use super::visible::Visibility;
use super::{Board, BoardCell, Column, Kind, ProblemResult, Row, Total};

/// Computes the board of several problems, with all teams.
pub(super) fn board(parts: &[Part<'_>], sight: &Visibility<'_>) -> Board {
    let (state, contents) = (parts[0].state, parts[0].contents);
    let results = results(parts, sight);
    let columns: Vec<legend::Column> =
        legend::columns(&results).into_iter().filter(|column| !is_board(column)).collect();
    let mut figures = texts(&results, &columns);
    let start = state.start();
    let of_row = |(index, row): (usize, &Scored)| {
        let (name, is_team) = (&row.entry.name, row.entry.team.is_some());
        let problems: Vec<ProblemResult> =
            parts.iter().filter(|_| is_team).map(|part| part.scored(name, start)).collect();
        let of_problem = |(number, part): (usize, &Part<'_>)| {
            let scored = if is_team { part.row(name) } else { part.row_of_file(name) };
            let text = scored.map_or_else(String::new, |row| row.total_text(&row.total));
            let solves = |row: &Scored| row.cells.iter().all(|cell| cell.not_planned || is_solved(cell));
            let kind = if !is_team && scored.is_some_and(solves) { Kind::Solved } else { Kind::Plain };
            let notes = problems.get(number).map(ProblemResult::notes).unwrap_or_default();
            BoardCell { text, kind, notes, ..BoardCell::default() }
        };
        let cells = figures.iter_mut().map(|column| std::mem::take(&mut column[index]));
        let out = row.entry.withdrawn.as_ref().map(|withdrawal| withdrawal.reason.clone());
        // For a team that is out, nothing counts.
        let score = if out.is_some() { SubmissionScore::default() } else { SubmissionScore::of(row, &results.ranking) };
        Row {
            place: row.place,
            cells: cells.chain((0..).zip(parts).map(of_problem)).collect(),
            time_ms: row.total.time_ms(),
            out,
            total: Total::Score(score),
            is_team,
            ..Row::of_team(name, problems.clone())
        }
    };
    let rows = results.rows.iter().enumerate().map(of_row).collect();
    let of_problem = |part: &Part<'_>| Column { heading: part.letter(), is_board: false };
    let columns = columns.iter().map(|column| heading(&results, *column)).chain(parts.iter().map(of_problem));
    let title = contents.plan.name.clone();
    Board { title, frozen: state.frozen().is_some(), columns: columns.collect(), rows, codes: Vec::new() }
}

fn is_board(column: &legend::Column) -> bool {
    matches!(column, legend::Column::Board(_))
}

/// The results of all problems with a row per team, including teams without a counting submission.
fn results(parts: &[Part<'_>], sight: &Visibility<'_>) -> Results {
    let (state, contents) = (parts[0].state, parts[0].contents);
    let entries = parts.iter().flat_map(|part| &part.visible.entries).map(String::as_str).collect();
    let withdrawn = parts.iter().flat_map(|part| part.withdrawn.iter());
    let withdrawn = withdrawn.map(|(entry, withdrawal)| (entry.clone(), withdrawal.clone())).collect();
    let results = Results::from_entries_until(contents, &entries, &withdrawn, sight.last_round(state, contents));
    results.with_teams(state.teams().keys().map(|team| (&**team, state.out(team).map(Withdrawal::disqualified))))
}
