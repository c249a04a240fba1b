//! The board in the view of one viewer, for one problem or for all. One function computes the views of the public, teams and the
//! organiser from one state, so that all shown data pass through here.
//!
//! While the board is frozen, the public view depends only on the submissions before the freeze. It contains only the number and
//! the teams of later ones.

mod icpc;
pub mod judgements;
mod part;
pub mod reveal;
mod standing;
mod together;
mod visible;

use judge_core::code::Code;
use judge_core::journal::ContestState;

use crate::ends::Ends;
use crate::state::State;
pub use crate::viewer::{Viewer, last_round};
use judgements::{SubmissionScore, is_of_matches};
use standing::standing;
use visible::Visibility;

/// A board: a table of teams.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Board {
    /// The title of the contest, from its file.
    pub title: String,
    /// True while the board is frozen for the public.
    pub frozen: bool,
    /// The columns after place and team.
    pub columns: Vec<Column>,
    /// The rows in their order.
    pub rows: Vec<Row>,
    /// The codes in its cells, each with its meaning.
    pub codes: Vec<(Code, &'static str)>,
}

impl Board {
    /// The properties that determine everything around the rows: the columns, the freeze, the existence of suspect runs, and the
    /// codes.
    pub fn around(&self) -> (&[Column], bool, bool, &[(Code, &'static str)]) {
        let any_suspect = self.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.suspect);
        (&self.columns, self.frozen, any_suspect, &self.codes)
    }

    /// Removes the teams that have not submitted anything.
    fn of_submissions(mut self) -> Self {
        self.rows.retain(|row| !row.is_team || row.submissions > 0);
        self
    }
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its heading: the name of a contest board, or of a figure.
    pub heading: String,
    /// True for a column of a contest board, false for a figure of the whole row.
    pub is_board: bool,
}

/// A row of a board: a team, or an entry of the contest file.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name of the team or entry.
    pub name: String,
    /// True for a team. In older contests, an entry of the file can have the name of a team.
    pub is_team: bool,
    /// The submission that counts and its time, in seconds since the beginning of 1970 in UTC; `None` if none counts.
    pub counts: Option<(u32, u64)>,
    /// The place, from 1; `None` without one.
    pub place: Option<usize>,
    /// Its cells, one per column.
    pub cells: Vec<BoardCell>,
    /// Total time of its runs in milliseconds; `None` if it is unknown or does not decide anything.
    pub time_ms: Option<u64>,
    /// The number of its submissions.
    pub submissions: usize,
    /// The number of submissions that are not judged yet in the viewer's view.
    pub pending: usize,
    /// The reason why it is disqualified.
    pub out: Option<String>,
    /// The organisation of the team; empty if unknown.
    pub organisation: String,
    /// The group of the team; empty if it has none.
    pub group: String,
    /// The figures that decide its place, in the terms of the Contest API.
    pub total: Total,
    /// Its results on each problem, in their order; empty for an entry of the contest file.
    pub problems: Vec<ProblemResult>,
}

/// The figures that decide the place of a team.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    /// The first figure of the ranking, which may have more.
    Score(SubmissionScore),
    /// If answers are accepted or not, the figures that the rules of the ICPC compare.
    Solved {
        /// The number of solved problems.
        problems: usize,
        /// The minutes of their solutions, plus the penalties for rejected submissions before them.
        penalty: u64,
        /// The minute of the last solution; `None` without any.
        last: Option<u64>,
    },
}

/// The results of a team on a problem.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProblemResult {
    /// The number of judged submissions. Submissions after the one that solves the problem are not counted.
    pub judged: usize,
    /// The number of submissions that are not judged yet in the viewer's view. Submissions after the one that solves the problem
    /// are not counted.
    pub pending: usize,
    /// If answers are accepted or not, the number of rejected ones among the judged submissions.
    pub rejected: u64,
    /// The arrival of the submission that has a score or solves the problem, in seconds from the start; a solution has whole
    /// minutes.
    pub reached: Option<u64>,
    /// The first figure of the ranking; 0 if answers are accepted or not.
    pub score: SubmissionScore,
    /// True if the last submission that the viewer sees does not build.
    pub unbuilt: bool,
}

/// A cell of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoardCell {
    /// Its text; empty if it has no result yet.
    pub text: String,
    /// Further notes, such as the number of tries, most important first.
    pub notes: Vec<String>,
    /// The kind of the text, for its colour.
    pub kind: Kind,
    /// True if other processes disturbed the run, so that its time is unreliable.
    pub suspect: bool,
    /// The kind of a failure of a run.
    pub code: Option<Code>,
}

impl BoardCell {
    /// The text with the notes, in one line.
    pub fn line(&self) -> String {
        let text = Some(&self.text).filter(|text| !text.is_empty());
        text.into_iter().chain(&self.notes).map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// The meaning of a cell's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// A figure of the whole row, or no result yet.
    #[default]
    Plain,
    /// An answer that solves its board.
    Solved,
    /// The first solution of a problem.
    First,
    /// A legal answer that does not solve its board.
    Short,
    /// A failure, such as a crash or an exceeded limit.
    Failed,
}

/// The letter of a problem, by its index among the problems of the contest: A to Z, then AA and so on.
pub fn letter(mut index: usize) -> String {
    let mut letters = String::new();
    loop {
        letters.extend(('A'..='Z').nth(index % 26));
        match (index / 26).checked_sub(1) {
            Some(more) => index = more,
            None => return letters.chars().rev().collect(),
        }
    }
}

/// Computes the board of a contest for a viewer, with the teams that have submitted something. Submissions whose end is among
/// `ends` are not examined.
pub fn board(state: &State, contents: &ContestState, viewer: &Viewer, ends: &Ends) -> Board {
    board_of_all(state, contents, viewer, ends).of_submissions()
}

/// Computes the board of a contest for a viewer, with all teams, as [`board`].
pub fn board_of_all(state: &State, contents: &ContestState, viewer: &Viewer, ends: &Ends) -> Board {
    let problems: Vec<&str> = contents.plan.problems.iter().map(|problem| &*problem.id).collect();
    board_of((state, contents, ends), &problems, viewer)
}

/// Computes the board of one of several problems, by its identifier, with the teams that have submitted something, as [`board`].
pub fn board_of_problem(state: &State, contents: &ContestState, problem: &str, viewer: &Viewer, ends: &Ends) -> Board {
    board_of((state, contents, ends), &[problem], viewer).of_submissions()
}

fn board_of((state, contents, ends): (&State, &ContestState, &Ends), problems: &[&str], viewer: &Viewer) -> Board {
    // A table of games has the players that play each other. While the board is frozen, these are the public ones.
    let viewer = if is_of_matches(contents) && *viewer != Viewer::Organiser { &Viewer::Public } else { viewer };
    let sight = Visibility {
        rounds: viewer,
        sees: &|state, submission| viewer.sees(submission, state),
        chosen: &|name, team| if viewer.may_act_for(name) { &team.chosen } else { &team.publicly_chosen },
        entrants: &|state| if *viewer == Viewer::Organiser { u32::MAX } else { state.round_at_freeze() },
        ends,
    };
    standing(state, contents, problems, &sight)
}

#[cfg(test)]
pub(crate) mod tests;
