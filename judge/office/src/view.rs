//! The board as one viewer sees it. Public, team's and organiser's views are made by this one function from one state, so that
//! everything that is shown to somebody passes here.
//!
//! While the board is frozen, the public view is a function of what was submitted before. Of later submissions it has only
//! their number and their teams.

pub mod judgements;

use std::collections::{BTreeMap, HashMap, HashSet};

use judge_core::journal::Contents;
use judge_core::legend;
use judge_core::results::Results;
use judge_core::score::{self, RunCell};
use judge_core::withdrawal::Withdrawal;

use crate::judging::{DOES_NOT_BUILD, HELD, SUPERSEDED, is_unbuilt, waiting};
use crate::state::{Holder, State, Submission};

/// The one who looks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Everybody.
    #[default]
    Public,
    /// A team, which sees the public view and all of its own.
    Team(String),
    /// The organiser, who sees everything.
    Organiser,
}

impl From<Holder> for Viewer {
    fn from(holder: Holder) -> Self {
        match holder {
            Holder::Organiser => Self::Organiser,
            Holder::Team(team) => Self::Team(team),
        }
    }
}

impl Viewer {
    /// Tests whether the viewer may see what becomes of a submission on the board.
    pub fn sees(&self, submission: &Submission, state: &State) -> bool {
        match self {
            Self::Organiser => true,
            Self::Team(team) if *team == submission.team => true,
            Self::Team(_) | Self::Public => state.is_public(submission.number),
        }
    }
}

/// A board: a table of teams.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// Title of the contest.
    pub title: String,
    /// True while the public sees nothing new.
    pub frozen: bool,
    /// The columns after place and team.
    pub columns: Vec<Column>,
    /// The rows in their order.
    pub rows: Vec<Row>,
}

impl Board {
    /// What decides on everything around the rows: the columns, whether the board is frozen, and whether a run is suspect.
    pub fn around(&self) -> (&[Column], bool, bool) {
        (&self.columns, self.frozen, self.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.suspect))
    }
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// True for a column of a contest board, false for a figure of the whole row.
    pub is_board: bool,
}

/// A row of a board: a team, or an entry of the contest file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name of the team or entry.
    pub name: String,
    /// The submission that counts and its time, in seconds since the beginning of 1970 in UTC; `None` if none counts.
    pub counts: Option<(u32, u64)>,
    /// The place from 1; `None` if it takes none.
    pub place: Option<usize>,
    /// Its cells, one per column.
    pub cells: Vec<Cell>,
    /// Total time in milliseconds; `None` if it is not known.
    pub time_ms: Option<u64>,
    /// The number of its submissions.
    pub submissions: usize,
    /// How many of these are not judged yet, as far as the viewer knows.
    pub pending: usize,
    /// The reason why it is out of the contest.
    pub out: Option<String>,
}

/// A cell of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text; empty if there is nothing yet.
    pub text: String,
    /// What it shows.
    pub kind: Kind,
    /// True if other processes disturbed the run, so that its time is unreliable.
    pub suspect: bool,
}

/// What a cell shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// A figure, or nothing.
    #[default]
    Plain,
    /// An answer that solves its board.
    Solved,
    /// A legal answer that does not solve it.
    Short,
    /// A failure.
    Failed,
}

/// Makes the board as a viewer sees it.
pub fn board(state: &State, contents: &Contents, viewer: &Viewer) -> Board {
    let visible = Visible::new(state, contents, viewer);
    let withdrawn: BTreeMap<String, Withdrawal> =
        visible.entries.iter().filter_map(|name| out(contents, name)).collect();
    let results = Results::of_entries(contents, &visible.entries.iter().map(String::as_str).collect(), &withdrawn);
    let columns = legend::columns(&results);
    let mut texts = Vec::new();
    for column in &columns {
        let rows = results.rows.iter();
        let text = |text: String| Cell { text, ..Cell::default() };
        texts.push(match column {
            legend::Column::Board(board) => rows.map(|row| cell(&row.cells[*board])).collect::<Vec<Cell>>(),
            legend::Column::Total(round) => rows.map(|row| text(legend::total(&results, row, *round))).collect(),
            legend::Column::Figure(key, round) => {
                legend::figure(&results, *key, *round).into_iter().map(text).collect()
            }
        });
    }
    let heading = |column: &legend::Column| match column {
        legend::Column::Board(board) => Column { heading: results.boards[*board].marked(), is_board: true },
        legend::Column::Total(round) => Column { heading: legend::total_heading(&results, *round), is_board: false },
        legend::Column::Figure(key, round) => {
            Column { heading: legend::figure_heading(&results, *key, *round), is_board: false }
        }
    };
    let mut rows: Vec<Row> = Vec::new();
    for (index, row) in results.rows.iter().enumerate() {
        let of_team = visible.counting.get(&*row.entry.name);
        let team = of_team.and_then(|(_, submission)| visible.teams.get(&*submission.team));
        rows.push(Row {
            name: of_team.map_or(&row.entry.name, |(_, submission)| &submission.team).clone(),
            counts: of_team.map(|(at, submission)| (submission.number, *at)),
            place: row.place,
            cells: texts.iter_mut().map(|column| std::mem::take(&mut column[index])).collect(),
            time_ms: row.total.time_ms(),
            submissions: team.map_or(0, |team| team.submissions),
            pending: team.map_or(0, |team| team.pending),
            out: row.entry.withdrawn.as_ref().map(|withdrawal| withdrawal.reason.clone()),
        });
    }
    let shown: HashSet<String> = rows.iter().map(|row| row.name.clone()).collect();
    // Teams of which nothing counts: it waits, or did not build.
    for (&team, of_team) in
        visible.teams.iter().filter(|(team, of_team)| of_team.submissions > 0 && !shown.contains(**team))
    {
        rows.push(Row {
            name: team.to_owned(),
            counts: None,
            place: None,
            cells: vec![Cell::default(); columns.len()],
            time_ms: None,
            submissions: of_team.submissions,
            pending: of_team.pending,
            out: None,
        });
    }
    let title = contents.plan.name.clone();
    Board { title, frozen: state.frozen().is_some(), columns: columns.iter().map(heading).collect(), rows }
}

/// What a viewer may see.
struct Visible<'s> {
    /// The entries of the table.
    entries: HashSet<String>,
    /// The submission that counts for its team with its time, by entry.
    counting: HashMap<String, (u64, &'s Submission)>,
    teams: BTreeMap<&'s str, OfTeam>,
}

/// The submissions of a team as a viewer sees them.
#[derive(Default)]
struct OfTeam {
    submissions: usize,
    pending: usize,
}

impl<'s> Visible<'s> {
    fn new(state: &'s State, contents: &Contents, viewer: &Viewer) -> Self {
        let entered: HashSet<&str> = contents.plan.entries.iter().map(|entry| &*entry.name).collect();
        let all = || state.submissions().iter().map(|(_, submission)| submission);
        let waits: HashSet<u32> = waiting(all(), contents).into_iter().map(|submission| submission.number).collect();
        let mut missing: HashSet<&str> = HashSet::new();
        for index in contents.missing() {
            if let Some(key) = contents.order.get(index) {
                missing.insert(&key.entry);
            }
        }
        let handed_in: HashSet<String> = all().map(Submission::entry).collect();
        let own = entered.iter().filter(|name| !handed_in.contains(**name)).map(|name| (*name).to_owned());
        let (mut entries, mut counting): (HashSet<String>, HashMap<_, _>) = (own.collect(), HashMap::new());
        let mut teams: BTreeMap<&str, OfTeam> = BTreeMap::new();
        for (name, team) in state.teams() {
            let of_team = teams.entry(name).or_default();
            let mut found = false;
            // The newest first.
            for (at, submission) in team.submissions.iter().rev().filter_map(|&number| state.submission(number)) {
                of_team.submissions += 1;
                if !viewer.sees(submission, state) {
                    of_team.pending += 1;
                    continue;
                }
                let entry = submission.entry();
                of_team.pending += usize::from(waits.contains(&submission.number));
                let is_in = entered.contains(&*entry) && !waits.contains(&submission.number);
                if found || !is_in || is_unbuilt(contents, &entry) || never_ran(contents, &entry) {
                    continue;
                }
                found = true;
                of_team.pending += usize::from(missing.contains(&*entry));
                entries.insert(entry.clone());
                counting.insert(entry, (at, submission));
            }
        }
        Self { entries, counting, teams }
    }
}

/// Tests whether an entry was withdrawn when it was entered, because nothing of it can run.
fn never_ran(contents: &Contents, entry: &str) -> bool {
    let reason = contents.withdrawn.get(entry).map(|withdrawal| &*withdrawal.reason);
    reason.is_some_and(|reason| reason == DOES_NOT_BUILD || reason == HELD)
}

/// The reason why the organiser has taken an entry out of the contest, with its name.
fn out(contents: &Contents, entry: &str) -> Option<(String, Withdrawal)> {
    let withdrawal = contents.withdrawn.get(entry)?;
    let superseded = withdrawal.reason.starts_with(SUPERSEDED) && !withdrawal.disqualified;
    (!superseded).then(|| (entry.to_owned(), withdrawal.clone()))
}

fn cell(cell: &RunCell) -> Cell {
    let kind = match (cell.judged(), cell.code) {
        (false, _) => Kind::Plain,
        (true, Some(_)) => Kind::Failed,
        (true, None) if cell.solves(cell.of) || cell.text() == score::ACCEPTED => Kind::Solved,
        (true, None) if cell.metrics.points.is_some() || cell.valid => Kind::Plain,
        (true, None) => Kind::Short,
    };
    let text = if cell.is_empty() { String::new() } else { legend::cell(cell) };
    Cell { text, kind, suspect: cell.suspect }
}

#[cfg(test)]
mod tests;
