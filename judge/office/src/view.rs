//! The board as one viewer sees it. Public, team's and organiser's views are made by this one function from one state, so that
//! everything that is shown to somebody passes here.
//!
//! While the board is frozen, the public view is a function of what was submitted before. Of later submissions it has only
//! their number and their teams.

mod ends;
pub mod judgements;
pub mod reveal;

use std::collections::{BTreeMap, HashMap, HashSet};

use judge_core::journal::Contents;
use judge_core::legend;
use judge_core::results::Results;
use judge_core::score::{self, RunCell};
use judge_core::withdrawal::Withdrawal;

use crate::counting::{OfTeam, is_judged, out, runs};
use crate::judging::{unbuilt, waiting};
use crate::state::{Holder, Message, State, Submission, Team};
use ends::Ends;

/// The one who looks, on whom it depends what a view shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Everybody, also without a token.
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
    /// Tests whether the viewer is a team, or the organiser.
    fn is_or_is_over(&self, team: &str) -> bool {
        match self {
            Self::Organiser => true,
            Self::Team(own) => own == team,
            Self::Public => false,
        }
    }

    /// Tests whether the viewer may read a message.
    pub fn reads(&self, message: &Message) -> bool {
        match self {
            Self::Organiser => true,
            Self::Public => message.from.is_none() && message.to.is_none(),
            Self::Team(own) => match (&message.from, &message.to) {
                (Some(team), _) | (None, Some(team)) => team == own,
                (None, None) => true,
            },
        }
    }

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
    /// Title of the contest, as in its file.
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
    /// Its heading: the name of a contest board, or that of a figure.
    pub heading: String,
    /// True for a column of a contest board, false for a figure of the whole row.
    pub is_board: bool,
}

/// A row of a board: a team, or an entry of the contest file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name of the team or entry.
    pub name: String,
    /// True for a team. Older contests can have an entry of the file with the name of one.
    pub is_team: bool,
    /// The submission that counts and its time, in seconds since the beginning of 1970 in UTC; `None` if none counts.
    pub counts: Option<(u32, u64)>,
    /// The place from 1; `None` if it takes none.
    pub place: Option<usize>,
    /// Its cells, one per column.
    pub cells: Vec<BoardCell>,
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
pub struct BoardCell {
    /// Its text; empty if there is nothing yet.
    pub text: String,
    /// What the text shows, for its colour.
    pub kind: Kind,
    /// True if other processes disturbed the run, so that its time is unreliable.
    pub suspect: bool,
}

/// The meaning of a cell's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// A figure of the whole row, or nothing yet.
    #[default]
    Plain,
    /// An answer that solves its board.
    Solved,
    /// A legal answer that does not solve it.
    Short,
    /// A failure, such as a crash or an exceeded limit.
    Failed,
}

/// Makes the board as a viewer sees it.
pub fn board(state: &State, contents: &Contents, viewer: &Viewer) -> Board {
    let sight = Sight {
        sees: &|submission| viewer.sees(submission, state),
        chosen: &|name, team| if viewer.is_or_is_over(name) { team.chosen } else { team.publicly_chosen },
        last_round: last_round(state, contents, viewer),
        entrants: if *viewer == Viewer::Organiser { u32::MAX } else { state.round_at_freeze() },
    };
    board_of(state, contents, &sight)
}

/// What a view may see.
struct Sight<'a> {
    /// Whether it sees what became of a submission.
    sees: &'a dyn Fn(&Submission) -> bool,
    /// The choice of a team as it sees it.
    chosen: &'a dyn Fn(&str, &Team) -> Option<u32>,
    last_round: u32,
    /// The last round of which it may know who is in it: while the board is frozen, that depends on what is hidden.
    entrants: u32,
}

fn board_of(state: &State, contents: &Contents, sight: &Sight<'_>) -> Board {
    let visible = Visible::new(state, contents, sight);
    let withdrawn: BTreeMap<String, Withdrawal> =
        visible.entries.iter().filter_map(|name| out(contents, name)).collect();
    let entries = visible.entries.iter().map(String::as_str).collect();
    let results = Results::from_entries_until(contents, &entries, &withdrawn, sight.last_round);
    let columns = legend::columns(&results);
    let mut texts = Vec::new();
    for column in &columns {
        let rows = results.rows.iter();
        let text = |text: String| BoardCell { text, ..BoardCell::default() };
        texts.push(match column {
            legend::Column::Board(board) => rows.map(|row| cell(&row.cells[*board])).collect::<Vec<BoardCell>>(),
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
            is_team: of_team.is_some(),
            counts: of_team.map(|(at, submission)| (submission.number, *at)),
            place: row.place,
            cells: texts.iter_mut().map(|column| std::mem::take(&mut column[index])).collect(),
            time_ms: row.total.time_ms(),
            submissions: team.map_or(0, |team| team.submissions),
            pending: team.map_or(0, |team| team.pending),
            out: row.entry.withdrawn.as_ref().map(|withdrawal| withdrawal.reason.clone()),
        });
    }
    let shown: HashSet<String> = rows.iter().filter(|row| row.is_team).map(|row| row.name.clone()).collect();
    // Teams of which nothing counts: it waits, or did not build.
    for (&team, of_team) in
        visible.teams.iter().filter(|(team, of_team)| of_team.submissions > 0 && !shown.contains(**team))
    {
        rows.push(Row {
            name: team.to_owned(),
            is_team: true,
            counts: None,
            place: None,
            cells: vec![BoardCell::default(); columns.len()],
            time_ms: None,
            submissions: of_team.submissions,
            pending: of_team.pending,
            out: None,
        });
    }
    let title = contents.plan.name.clone();
    Board { title, frozen: state.frozen().is_some(), columns: columns.iter().map(heading).collect(), rows }
}

/// The last round that a viewer may see: the boards of a final round are sealed until it closes, or the results are final. While
/// the board is frozen, no further one opens to the public: who is in it depends on what is hidden.
pub fn last_round(state: &State, contents: &Contents, viewer: &Viewer) -> u32 {
    match *viewer {
        Viewer::Organiser => contents.round(),
        Viewer::Team(_) | Viewer::Public => contents.round().min(state.public_round()).min(state.round_at_freeze()),
    }
}

/// What a viewer may see.
struct Visible<'s> {
    /// The entries of the table.
    entries: HashSet<String>,
    /// The submission that counts for its team with its time, by entry.
    counting: HashMap<String, (u64, &'s Submission)>,
    teams: BTreeMap<&'s str, Numbers>,
}

/// The submissions of a team as a viewer sees them.
#[derive(Default)]
struct Numbers {
    submissions: usize,
    pending: usize,
}

impl<'s> Visible<'s> {
    fn new(state: &'s State, contents: &Contents, sight: &Sight<'_>) -> Self {
        let entered: HashSet<&str> = contents.plan.entries.iter().map(|entry| &*entry.name).collect();
        let unbuilt = unbuilt(contents);
        let all = || state.submissions().iter().map(|(_, submission)| submission);
        let waits: HashSet<u32> = waiting(state, contents).into_iter().map(|submission| submission.number).collect();
        let ends = Ends::new(state, contents);
        // Of the one that counts, the runs in a later round, too. Who is in a round that the viewer does not see may depend on what is
        // hidden from it.
        let round = contents.round().min(sight.last_round);
        let misses = |entry: &str| {
            let open =
                |&run: &usize| contents.order.get(run).is_some_and(|key| key.round == round && contents.counts(key));
            let made = |run: usize| is_judged(contents.records.by_run(run));
            runs(contents, entry).filter(open).any(|run| !made(run))
        };
        let handed_in: HashSet<String> = all().map(Submission::entry).collect();
        let own = entered.iter().filter(|name| !handed_in.contains(**name)).map(|name| (*name).to_owned());
        let (mut entries, mut counting): (HashSet<String>, HashMap<_, _>) = (own.collect(), HashMap::new());
        let mut teams: BTreeMap<&str, Numbers> = BTreeMap::new();
        for (name, team) in state.teams() {
            let of_team = teams.entry(name).or_default();
            let submissions = OfTeam { state, contents, entered: &entered, unbuilt: &unbuilt, team };
            let counts = submissions.counting(sight.sees, (sight.chosen)(name, team), sight.entrants);
            for (at, submission) in team.submissions.iter().filter_map(|&number| state.submission(number)) {
                of_team.submissions += 1;
                if !(sight.sees)(submission) {
                    of_team.pending += 1;
                    continue;
                }
                let entry = submission.entry();
                let is_counted = counts == Some(submission.number);
                let in_later_round = || round > 1 && is_counted && misses(&entry);
                let is_pending = waits.contains(&submission.number) || ends.is_pending(submission) || in_later_round();
                of_team.pending += usize::from(is_pending);
                if is_counted {
                    entries.insert(entry.clone());
                    counting.insert(entry, (at, submission));
                }
            }
        }
        Self { entries, counting, teams }
    }
}

fn cell(cell: &RunCell) -> BoardCell {
    let kind = match (cell.judged(), cell.code) {
        (false, _) => Kind::Plain,
        (true, Some(_)) => Kind::Failed,
        (true, None) if cell.solves(cell.of) || cell.text() == score::ACCEPTED => Kind::Solved,
        (true, None) if cell.metrics.points.is_some() || cell.valid => Kind::Plain,
        (true, None) => Kind::Short,
    };
    let text = if cell.is_empty() { String::new() } else { legend::cell(cell) };
    BoardCell { text, kind, suspect: cell.suspect }
}

#[cfg(test)]
pub(crate) mod tests;
