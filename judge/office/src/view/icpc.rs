//! The rules of the ICPC, for answers that are accepted or not. More solved problems rank first, then less time with penalties,
//! then an earlier last solution. The first accepted submission of a team solves the problem, regardless of later ones.

use std::cmp::Reverse;

use super::judgements::{JudgementType, Judgements};
use super::part::Part;
use super::visible::Visibility;
use super::{Board, BoardCell, Column, Kind, ProblemResult, Row, Total};

/// The headings of the deciding figures on the board.
const COLUMNS: [&str; 3] = ["solved", "penalty", "last"];

impl ProblemResult {
    /// Computes the results from the submissions of a team, oldest first: the time of arrival of each, and its end if it is
    /// known. A team that is `out` solves nothing.
    fn of(submissions: impl IntoIterator<Item = (u64, Option<JudgementType>)>, out: bool) -> Self {
        let mut attempts = Self::default();
        for (at, end) in submissions {
            let Some(end) = end else {
                attempts.pending += 1;
                continue;
            };
            attempts.judged += 1;
            attempts.unbuilt = end == JudgementType::Compile;
            attempts.rejected += u64::from(end.is_rejected());
            if end == JudgementType::Accepted && !out {
                attempts.reached = Some(at / 60 * 60);
                break;
            }
        }
        attempts
    }

    /// The cell of a problem: the minute of its solution, and the number of tries.
    fn cell(&self) -> BoardCell {
        let kind = match (self.reached, self.judged) {
            (Some(_), _) => Kind::Solved,
            (None, 0) => Kind::Plain,
            (None, _) => Kind::Failed,
        };
        let text = self.reached.map_or_else(String::new, |at| (at / 60).to_string());
        BoardCell { text, notes: self.notes(), kind, ..BoardCell::default() }
    }
}

/// Marks the cells of the teams that solved a problem first. Teams that are out of the contest solve nothing.
fn mark_firsts(board: &mut Board, problems: usize) {
    for problem in 0..problems {
        let reached = |row: &Row| row.problems.get(problem).and_then(|of| of.reached);
        let Some(first) = board.rows.iter().filter_map(reached).min() else { continue };
        for row in board.rows.iter_mut().filter(|row| reached(row) == Some(first)) {
            let at = row.cells.len().saturating_sub(problems) + problem;
            if let Some(cell) = row.cells.get_mut(at) {
                cell.kind = Kind::First;
                cell.notes.push("first".to_owned());
            }
        }
    }
}

/// Sets the places of the teams of a board by these rules, and the deciding figures. An entry of the contest file takes no place,
/// because no team submitted it. It is shown where it would rank, but below the winner.
pub(super) fn rank(board: &mut Board, parts: &[Part<'_>], sight: &Visibility<'_>) {
    let (state, contents) = (parts[0].state, parts[0].contents);
    let (start, cost) = (state.start(), state.rules().cost_of_rejection());
    let judgements = Judgements::new(state, contents, sight.rounds).with_ends(sight.ends.clone());
    let boards: Vec<bool> = board.columns.iter().map(|column| column.is_board).collect();
    // The problems that an entry of the contest file has solved: the only problem, or the problems in the last columns.
    let of_file = |row: &Row| match parts.len() {
        1 => {
            let mut cells = row.cells.iter().zip(&boards).filter(|(_, is_board)| **is_board);
            usize::from(cells.all(|(cell, _)| cell.kind == Kind::Solved))
        }
        several => row.cells.iter().rev().take(several).filter(|cell| cell.kind == Kind::Solved).count(),
    };
    for row in &mut board.rows {
        let attempts = |part: &Part<'_>| {
            let submissions = state.submissions_of(&row.name, part.problem).map(|(at, one)| {
                (at.saturating_sub(start), (sight.sees)(state, one).then(|| judgements.outcome_of(one)).flatten())
            });
            ProblemResult::of(submissions, row.out.is_some())
        };
        let all: Vec<ProblemResult> = parts.iter().filter(|_| row.is_team).map(attempts).collect();
        row.total = match row.is_team {
            true => total(&all, cost),
            false => Total::Solved { problems: of_file(row), penalty: 0, last: None },
        };
        if parts.len() > 1 {
            // The problems have the last columns.
            let before = row.cells.len().saturating_sub(parts.len());
            row.cells.iter_mut().skip(before).zip(&all).for_each(|(cell, attempts)| *cell = attempts.cell());
        }
        (row.pending, row.time_ms, row.place) = (all.iter().map(|attempts| attempts.pending).sum(), None, None);
        row.problems = all;
    }
    if parts.len() > 1 {
        mark_firsts(board, parts.len());
    }
    with_figures(board, if parts.len() > 1 { parts.len() } else { 0 });
    places(board, parts.iter().any(|part| !part.results.boards.is_empty()));
}

fn total(problems: &[ProblemResult], cost: u64) -> Total {
    let solved = || problems.iter().filter_map(|attempts| Some((attempts.reached? / 60, attempts.rejected * cost)));
    Total::Solved {
        problems: solved().count(),
        penalty: solved().map(|(minute, cost)| minute + cost).sum(),
        last: solved().map(|(minute, _)| minute).max(),
    }
}

/// The sort key of a row: the best row has the least key.
fn key(row: &Row) -> (Reverse<usize>, u64, u64) {
    match row.total {
        Total::Solved { problems, penalty, last } => (Reverse(problems), penalty, last.unwrap_or(0)),
        Total::Score(_) => (Reverse(0), 0, 0),
    }
}

/// Replaces the totals of boards by the deciding figures, which come before all other columns. With several problems, their
/// columns at the end stay.
fn with_figures(board: &mut Board, problems: usize) {
    let others = board.columns.len().saturating_sub(problems);
    let kept: Vec<bool> = (0..).zip(&board.columns).map(|(at, column)| column.is_board || at >= others).collect();
    let keep = |at: usize| kept.get(at).copied().unwrap_or(false);
    let mut at = 0..;
    board.columns.retain(|_| at.next().is_some_and(keep));
    let columns = COLUMNS.map(|heading| Column { heading: heading.to_owned(), is_board: false });
    board.columns.splice(0..0, columns);
    for row in &mut board.rows {
        let mut at = 0..;
        row.cells.retain(|_| at.next().is_some_and(keep));
        let figures = match row.total {
            Total::Solved { problems, penalty, last } if row.is_team => {
                [problems.to_string(), penalty.to_string(), last.map_or_else(String::new, |last| last.to_string())]
            }
            _ => Default::default(),
        };
        row.cells.splice(0..0, figures.map(|text| BoardCell { text, ..BoardCell::default() }));
    }
}

/// Orders the rows and sets places. Teams with equal figures share a place; disqualified teams are last. If no board counts, no team
/// takes a place.
fn places(board: &mut Board, any_counts: bool) {
    board.rows.sort_by(|one, other| {
        let group = |row: &Row| row.out.is_some();
        (group(one), key(one), one.is_team, &one.name).cmp(&(group(other), key(other), other.is_team, &other.name))
    });
    if !any_counts {
        return;
    }
    let in_contest = |row: &Row| row.is_team && row.out.is_none();
    let keys: Vec<_> = board.rows.iter().filter(|row| in_contest(row)).map(key).collect();
    for row in board.rows.iter_mut().filter(|row| in_contest(row)) {
        row.place = Some(1 + keys.iter().filter(|better| **better < key(row)).count());
    }
    if let Some(winner) = board.rows.iter().position(in_contest) {
        board.rows[..=winner].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use JudgementType::{Accepted, Cancelled, Compile, Judge, TimeLimit, Wrong};

    fn row(name: &str, problems: &[ProblemResult]) -> Row {
        Row { total: total(problems, 20), ..Row::of_team(name, Vec::new()) }
    }

    fn solved(minute: u64, rejected: u64) -> ProblemResult {
        ProblemResult { reached: Some(minute * 60), rejected, ..ProblemResult::default() }
    }

    fn ranked(rows: Vec<Row>) -> Vec<(Option<usize>, String)> {
        let mut board = Board { rows, ..Board::default() };
        places(&mut board, true);
        board.rows.into_iter().map(|row| (row.place, row.name)).collect()
    }

    fn places_of(expected: &[(usize, &str)]) -> Vec<(Option<usize>, String)> {
        expected.iter().map(|(place, name)| (Some(*place).filter(|place| *place > 0), (*name).to_owned())).collect()
    }

    #[test]
    fn rejected_submissions_before_the_first_accepted_one_cost_time() {
        let submissions = [
            (3, Some(Compile)),
            (5, Some(Wrong)),
            (6, Some(Judge)),
            (7, None),
            (9, Some(TimeLimit)),
            (10, Some(Cancelled)),
            (12, Some(Accepted)),
            (13, Some(Wrong)),
            (14, None),
            (15, Some(Accepted)),
        ]
        .map(|(minute, end)| (minute * 60 + 30, end));
        let attempts = ProblemResult::of(submissions, false);
        assert_eq!(
            attempts,
            ProblemResult { reached: Some(720), rejected: 2, judged: 6, pending: 1, ..ProblemResult::default() }
        );
        assert_eq!(total(&[attempts], 20), Total::Solved { problems: 1, penalty: 52, last: Some(12) });
        let out = ProblemResult::of(submissions, true);
        assert_eq!((out.reached, out.judged, out.pending), (None, 8, 2), "a team that is out solves nothing");
        assert_eq!(ProblemResult::of(submissions[..5].to_vec(), false).reached, None);
        let unbuilt = [1, 2, 7].map(|number| ProblemResult::of(submissions[..number].to_vec(), false).unbuilt);
        assert_eq!(unbuilt, [true, false, false]);
    }

    #[test]
    fn a_cell_has_the_minute_and_the_tries_and_the_first_solution_is_marked() {
        let tried = |judged: usize, pending: usize, reached: Option<u64>| ProblemResult {
            judged,
            pending,
            reached,
            ..ProblemResult::default()
        };
        for (attempts, text, kind) in [
            (tried(0, 0, None), "", Kind::Plain),
            (tried(0, 1, None), "1 pending", Kind::Plain),
            (tried(1, 0, None), "1 try", Kind::Failed),
            (tried(2, 1, None), "2 tries, 1 pending", Kind::Failed),
            (ProblemResult { unbuilt: true, ..tried(2, 0, None) }, "2 tries, compile error", Kind::Failed),
            (tried(3, 0, Some(45 * 60)), "45, 3 tries", Kind::Solved),
        ] {
            let cell = attempts.cell();
            assert_eq!((&*cell.line(), cell.kind), (text, kind));
        }
        let row = |name: &str, reached: [Option<u64>; 2]| {
            let of = |reached| ProblemResult { reached, ..ProblemResult::default() };
            let cells = vec![BoardCell { text: "x".into(), ..BoardCell::default() }; 3];
            Row { cells, ..Row::of_team(name, reached.map(of).to_vec()) }
        };
        let rows = vec![row("a", [Some(60), None]), row("b", [Some(60), None]), row("c", [Some(120), None])];
        let mut board = Board { rows, ..Board::default() };
        mark_firsts(&mut board, 2);
        let texts = board.rows.iter().map(|row| row.cells.iter().map(BoardCell::line).collect::<Vec<_>>().join(" "));
        assert_eq!(texts.collect::<Vec<_>>(), ["x x, first x", "x x, first x", "x x x"]);
        assert_eq!(board.rows[0].cells[1].kind, Kind::First);
    }

    #[test]
    fn places_after_penalty_then_last_solution_are_shared() {
        let rows = vec![
            row("nothing", &[ProblemResult { rejected: 3, judged: 3, ..ProblemResult::default() }]),
            row("late", &[solved(40, 0)]),
            row("equal", &[solved(20, 1)]),
            row("early", &[solved(20, 1)]),
            row("first", &[solved(30, 0)]),
            row("none", &[ProblemResult::default()]),
        ];
        let expected = [(1, "first"), (2, "early"), (2, "equal"), (4, "late"), (5, "none"), (5, "nothing")];
        assert_eq!(ranked(rows), places_of(&expected));
    }

    #[test]
    fn who_has_solved_more_problems_is_before_who_was_quicker() {
        let none = ProblemResult::default();
        let rows = vec![
            row("quick", &[solved(1, 0), none]),
            row("both", &[solved(100, 0), solved(90, 2)]),
            row("slow", &[none, solved(2, 0)]),
        ];
        assert_eq!(rows[1].total, Total::Solved { problems: 2, penalty: 230, last: Some(100) });
        assert_eq!(ranked(rows), places_of(&[(1, "both"), (2, "quick"), (3, "slow")]));
    }

    #[test]
    fn an_entry_of_the_file_and_a_team_that_is_out_take_no_place() {
        let house = Row { is_team: false, ..row("house", &[solved(0, 0)]) };
        let cheat = Row { out: Some("it copied".into()), ..row("cheat", &[ProblemResult::default()]) };
        let rows = vec![cheat, house, row("ada", &[solved(9, 0)]), row("bob", &[ProblemResult::default()])];
        assert_eq!(ranked(rows), places_of(&[(1, "ada"), (0, "house"), (2, "bob"), (0, "cheat")]));
    }
}
