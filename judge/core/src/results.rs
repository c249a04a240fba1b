//! The results of a contest as a table: rows of cells, totals and places.

mod failures;
mod game;
mod heads;
pub(crate) mod knock_out;
mod matches;
mod runs;
mod selection;
mod teams;
mod upcoming;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::date::Date;
use crate::figure::{Better, Figure, FigureError};
use crate::hint::Hint;
use crate::journal::{CompactRecords, ContestState, JournalError, Record};
use crate::key::{Name, RunKey, problem_id};
use crate::map::Map;
use crate::plan::{Plan, Problem, RankKey, UnknownName};
use crate::ranking::{self, BoardRanking};
use crate::relative::Direction;
use crate::score::{EntryHead, Participants, Row};
use crate::scoring::Scoring;
use crate::text::{self, printable};
use crate::withdrawal::Withdrawal;
use judge_job::{Isolation, Machine};

pub use failures::Failures;
pub use game::{Game, GameState};
pub use heads::{BoardHead, MixedHardware, RoundHead};
pub use knock_out::{KnockOut, Pair, TreeCell, tree};
pub(crate) use matches::Cells;
pub use matches::{GameCounts, Matches};
pub use runs::{Fault, Remark, name_of, run_name};
pub(crate) use runs::{RowRuns, TableRun};
pub(crate) use upcoming::NO_ADVANCING_ENTRY;
pub use upcoming::Upcoming;

/// The name of the count of accepted answers.
pub(crate) const SOLVED: &str = "solved";

/// A ranked table with its cells, from a journal or a CSV file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Results {
    /// Title of the contest; `None` if a file does not contain it.
    pub contest: Option<String>,
    /// Name of the game; `None` if a file does not contain it.
    pub game: Option<String>,
    /// Wall-clock limit of a run in milliseconds.
    pub limit_ms: Option<u64>,
    /// The figures of the contest.
    pub scoring: Arc<Scoring>,
    /// True if a crash of the referee counts as a wrong answer.
    pub crash_rejects: bool,
    /// The complete list of figures that decide places, most important first. If a file does not contain it, it is empty and rows
    /// have no places.
    pub ranking: Vec<RankKey>,
    /// The number of planned runs per cell; 1 without repeats.
    pub repeat: u32,
    /// Isolation of the entries, each kind once; empty if a file does not contain it.
    pub isolation: Vec<String>,
    /// The rounds that have opened, in their order; empty for a contest with one round.
    pub rounds: Vec<RoundHead>,
    /// Sentences about what the table omits: struck boards, and a round that has not opened.
    pub absent: Vec<String>,
    /// The round after the open one; `None` without another round, or if a file does not contain it.
    pub upcoming: Option<Upcoming>,
    /// Hash of the journal, see [`Chain`](crate::journal::Chain); `None` if the results are from elsewhere.
    pub journal_hash: Option<String>,
    /// The date at which the contest began and its best known answers were recorded; `None` if the results do not contain it.
    pub begun: Option<Date>,
    /// The columns, ordered by round.
    pub boards: Vec<BoardHead>,
    /// The rows, in the order of the table.
    pub rows: Vec<Row>,
    /// The runs that did not solve their boards, with the reasons, in the order of the contest file.
    pub faults: Vec<Fault>,
    /// The models of processors that executed the runs of the table, if there are several.
    pub unlike: Option<MixedHardware>,
    /// Other facts about single runs, in the same order; empty if a file contains no runs.
    pub remarks: Vec<Remark>,
    /// The games of a contest of matches; `None` in other contests, or if a file does not contain them.
    pub matches: Option<Matches>,
}

/// The reason why results could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The journal of a results directory.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A path at which no file exists.
    #[error("{}: no such results directory or CSV file", .0.display())]
    Missing(PathBuf),
    /// A file that cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file that cannot be read.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// A CSV file with unusable contents.
    #[error("{file}: {reason}")]
    Csv {
        /// Name of the file as given by the caller.
        file: String,
        /// The reason with its line, as a fragment.
        reason: String,
    },
    /// A selection of boards or entries that do not exist.
    #[error(transparent)]
    Selection(#[from] UnknownName),
    /// A selection of an entry that took no part in the rounds of the selected boards.
    #[error("`{}` took no part in the rounds of the selected boards", printable(.0))]
    NoPart(String),
}

impl ResultsError {
    /// The remedy, if there is one that the text of the error does not contain.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Journal(error) => error.hint(),
            Self::Missing(missing) => Some(Hint::ListResults { missing: missing.clone() }),
            _ => None,
        }
    }
}

impl Results {
    /// Results of a file that contains these figures and nothing else.
    pub(crate) fn of_file(scoring: Arc<Scoring>) -> Self {
        Self {
            contest: None,
            game: None,
            limit_ms: None,
            scoring,
            crash_rejects: false,
            ranking: Vec::new(),
            repeat: 1,
            isolation: Vec::new(),
            rounds: Vec::new(),
            absent: Vec::new(),
            upcoming: None,
            journal_hash: None,
            begun: None,
            boards: Vec::new(),
            rows: Vec::new(),
            faults: Vec::new(),
            unlike: None,
            remarks: Vec::new(),
            matches: None,
        }
    }

    /// The results of a contest from its records. They contain only runs that count. Runs of withdrawn entries, on struck boards,
    /// and of replaced programs and boards do not count. They do not contain what the table omits, see `Results::from_journal`.
    pub(crate) fn from_records(contents: &ContestState) -> Self {
        Self::of_records(contents, CompactRecords::default())
    }

    /// As [`Self::from_records`], from records without the members that `compact` contains.
    pub(crate) fn of_records(contents: &ContestState, compact: CompactRecords) -> Self {
        let scope = Scope {
            open: contents.round(),
            withdrawn: &contents.withdrawn,
            struck: &contents.struck,
            participants: contents.participants(contents.round()),
            games: game::all(contents),
            knock_outs: KnockOut::of_contest(contents),
        };
        let (results, entries) = Self::before_runs(&contents.plan, &scope);
        if contents.plan.match_rules.is_some() {
            let records: Vec<&Record> = contents.records.iter().collect();
            return results.with_games(&contents.plan, entries, &records, &scope);
        }
        results.with_contents(contents, compact, &contents.plan, entries, &scope.participants)
    }

    /// The results of these entries alone, as if the contest had no others. No part of them depends on other entries. Only the
    /// entries in `withdrawn` are withdrawn, whatever the journal contains.
    pub fn from_entries(contents: &ContestState, entries: &HashSet<&str>, withdrawn: &Map<String, Withdrawal>) -> Self {
        Self::from_entries_until(contents, entries, withdrawn, contents.round())
    }

    /// The results of these entries alone up to the round `last`, as if no later round had opened.
    pub fn from_entries_until(
        contents: &ContestState,
        entries: &HashSet<&str>,
        withdrawn: &Map<String, Withdrawal>,
        last: u32,
    ) -> Self {
        let mut places: Vec<_> = entries.iter().filter_map(|entry| contents.place_of(entry)).collect();
        places.sort_unstable();
        let plan =
            contents.plan.with_entries(places.iter().map(|&place| contents.plan.entries[place].clone()).collect());
        let scope = Scope {
            open: contents.round().min(last),
            withdrawn,
            struck: &contents.struck,
            participants: contents.participants(last),
            games: game::between(contents, entries, withdrawn, last),
            knock_outs: KnockOut::of_contest(contents).into_iter().filter(|round| round.round <= last).collect(),
        };
        let (results, heads) = Self::before_runs(&plan, &scope);
        if plan.match_rules.is_some() {
            return results.with_games(&plan, heads, &contents.records_until(entries, last), &scope);
        }
        results.with_contents(contents, CompactRecords::default(), &plan, heads, &scope.participants)
    }

    /// The results of a contest without withdrawn entries and struck boards, from its records. An entry took part in a later
    /// round if it has a record there.
    pub fn from_contest(plan: &Plan, records: &[Record]) -> Self {
        let mut participants = Participants::new();
        for RunKey { round, entry, .. } in records.iter().map(|record| &record.key) {
            if *round > 1 {
                participants.entry(*round).or_default().insert(entry.clone());
            }
        }
        let open = participants.keys().copied().max().unwrap_or(1);
        let mut games = if plan.match_rules.is_some() { plan.start_order() } else { Vec::new() };
        let called = plan.match_rules.as_ref().is_some_and(|rules| rules.called);
        games.extend(records.iter().map(|record| &record.key).filter(|key| key.round > 1 || called).cloned());
        let knock_outs = Vec::new();
        let scope =
            Scope { open, withdrawn: &Map::default(), struck: &BTreeMap::new(), participants, games, knock_outs };
        let (results, entries) = Self::before_runs(plan, &scope);
        if plan.match_rules.is_some() {
            return results.with_games(plan, entries, &records.iter().collect::<Vec<_>>(), &scope);
        }
        let rows =
            results.rows_of(entries, records, |record| (&record.key.entry, &record.key.board, record.key.repeat));
        results.with_records(plan, rows, &[], &scope.participants, Cow::Borrowed)
    }

    /// The parts that do not depend on runs, and the headings of rows.
    fn before_runs(plan: &Plan, scope: &Scope<'_>) -> (Self, Vec<EntryHead>) {
        let heads = plan.boards.iter().zip(plan.rounds_of_boards());
        let heads = heads.map(|(board, round)| BoardHead { round, ..BoardHead::new(board, &plan.shown) });
        let shown = |board: &BoardHead| board.round <= scope.open && !scope.struck.contains_key(&board.name);
        let mut boards: Vec<BoardHead> = heads.filter(shown).collect();
        boards.sort_by_key(|board| board.round);
        let entries = plan.entries.iter().map(|entry| entry.head(scope.withdrawn.get(&entry.name)));
        let rounds = plan.rounds.iter().zip(1..=scope.open).map(|(round, number)| RoundHead {
            number,
            name: Some(round.name.clone()),
            limit_ms: round.wall_ms,
        });
        let results = Self {
            contest: Some(plan.name.clone()),
            game: Some(plan.games()),
            limit_ms: plan.problems.iter().map(|problem| problem.limits.wall_ms).max(),
            crash_rejects: plan.problems.iter().any(Problem::crash_rejects),
            ranking: plan.ranking.clone(),
            repeat: plan.repeat,
            rounds: if plan.rounds.len() > 1 { rounds.collect() } else { Vec::new() },
            boards,
            ..Self::of_file(plan.figures())
        };
        (results, entries.collect())
    }

    /// Sets the kinds of isolation of the runs.
    fn isolated<'a>(&mut self, kinds: impl Iterator<Item = &'a Isolation>) {
        self.isolation = kinds.map(Isolation::to_string).collect::<BTreeSet<_>>().into_iter().collect();
    }

    /// Ranks the results by other figures, with the counts that [`RankKey::whole`] adds.
    pub fn ranked_by(mut self, named: &[RankKey]) -> Self {
        self.ranking = RankKey::whole(named, &self.scoring);
        ranking::rank(&mut self.rows, &self.ranking);
        self
    }

    /// Ranks the results by these figures, each with its better direction. A figure is named by its key or by its heading.
    ///
    /// # Errors
    ///
    /// A figure is unknown, or its better direction is the other one.
    pub fn ranked_by_figures(mut self, figures: &[(&str, Direction)]) -> Result<Self, FigureError> {
        // A column of a file has no better direction before the caller sets it.
        let accepts = self.scoring.accepts();
        let scoring = Arc::make_mut(&mut self.scoring);
        for (name, better) in figures.iter().filter(|_| !accepts) {
            let undeclared = |figure: &&mut Figure| *figure.name == **name && figure.better == Better::Neither;
            if let Some(figure) = scoring.figures.iter_mut().find(undeclared) {
                figure.better = (*better).into();
            }
        }
        let scoring = &*scoring;
        let mut named: Vec<RankKey> = Vec::new();
        for (name, better) in figures {
            let titled = || scoring.figures.iter().find(|figure| figure.title() == *name);
            let titled = || titled().map(|figure| RankKey::Figure(figure.name));
            let key = RankKey::named(name, scoring).or_else(titled).ok_or_else(|| {
                let all = RankKey::all(scoring);
                let titles = scoring.figures.iter().filter_map(|figure| figure.title.as_deref());
                FigureError(text::unknown("figure", name, titles.chain(all.iter().map(RankKey::name))))
            })?;
            if key.better(scoring) != *better {
                let word = if *better == Direction::Up { "less" } else { "more" };
                return Err(FigureError(format!("{name}: {word} is better of this column")));
            }
            named.push(key);
        }
        self.share_scoring();
        Ok(self.ranked_by(&named))
    }

    /// Gives the rows the changed declaration of the table.
    fn share_scoring(&mut self) {
        for row in &mut self.rows {
            row.scoring.clone_from(&self.scoring);
            let cells = row.cells.iter_mut().chain(row.repeats.iter_mut().flatten());
            cells.filter(|cell| cell.scoring.is_some()).for_each(|cell| cell.scoring = Some(self.scoring.clone()));
        }
    }

    /// The hashes of the referees whose rulings the table contains, with the number of rulings of each, most first. Each problem
    /// should have one referee, and none if its game is built in.
    pub fn referees(&self) -> Vec<(Name, usize)> {
        self.referees_of(|_| true)
    }

    /// The referees of problems that have several, as in [`Self::referees`]. Their rulings may not be comparable.
    pub fn mixed_referees(&self) -> Vec<(Name, usize)> {
        let mut first: BTreeMap<&str, &Name> = BTreeMap::new();
        let mut mixed: HashSet<&str> = HashSet::new();
        for Remark { board, referee, .. } in &self.remarks {
            let (problem, Some(referee)) = (problem_id(board), referee) else { continue };
            if first.insert(problem, referee).is_some_and(|other| other != referee) {
                mixed.insert(problem);
            }
        }
        self.referees_of(|board| mixed.contains(problem_id(board)))
    }

    fn referees_of(&self, on: impl Fn(&str) -> bool) -> Vec<(Name, usize)> {
        let mut rulings: BTreeMap<&Name, usize> = BTreeMap::new();
        let of_boards = self.remarks.iter().filter(|remark| on(&remark.board));
        for referee in of_boards.filter_map(|remark| remark.referee.as_ref()) {
            *rulings.entry(referee).or_default() += 1;
        }
        let mut referees: Vec<(Name, usize)> =
            rulings.into_iter().map(|(name, rulings)| (name.clone(), rulings)).collect();
        referees.sort_by_key(|(_, rulings)| std::cmp::Reverse(*rulings));
        referees
    }

    /// The shortest and the longest limit of the runs in the table, in milliseconds: rounds and entries can set limits. It is the
    /// contest's limit if no run contains one.
    pub fn limits_ms(&self) -> Option<(u64, u64)> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.limit_ms);
        let of_rounds =
            || self.rounds.iter().map(|round| round.limit_ms.or(self.limit_ms)).collect::<Option<Vec<u64>>>();
        let all = || cells().chain(of_rounds().into_iter().flatten());
        all().min().zip(all().max()).or(self.limit_ms.map(|limit| (limit, limit)))
    }

    /// The limits of a board as text, such as `10s` or `4s to 6s`. `text` formats a duration in milliseconds.
    pub fn limits_text(&self, text: impl Fn(u64) -> String) -> Option<String> {
        self.limits_ms().map(|limits| range_text(limits, text))
    }

    /// Tests whether boards can be solved. If not, a valid answer is not a failure, and the results have neither solved boards
    /// nor PAR2.
    pub fn solving(&self) -> bool {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let legal = || cells().filter(|cell| cell.code.is_none() && cell.judged());
        let solvable = || legal().any(|cell| !cell.valid && cell.solved.is_some());
        let with_cost = || self.scoring.cost.is_some() && !legal().any(|cell| cell.valid);
        self.scoring.accepts() || self.scoring.main().full.is_some() || solvable() || with_cost()
    }

    /// The name of a round, or its number if it has none.
    pub fn title_of_round(&self, number: u32) -> String {
        let head = self.rounds.iter().find(|round| round.number == number);
        head.map_or_else(|| format!("round {number}"), RoundHead::title)
    }

    /// The number of planned runs that were not judged, including repeats.
    pub fn missing(&self) -> usize {
        if let Some(matches) = &self.matches {
            return matches.missing();
        }
        self.rows.iter().map(Row::missing).sum()
    }

    /// The ranking for runs on one board.
    pub fn board_ranking(&self) -> BoardRanking {
        BoardRanking::new(&self.ranking, self.scoring.clone())
    }

    /// The number of planned runs, including repeats, without those of withdrawn entries.
    pub fn planned(&self) -> usize {
        if let Some(matches) = &self.matches {
            return matches.games.len();
        }
        let inside = self.rows.iter().filter(|row| row.entry.withdrawn.is_none());
        inside.map(|row| row.planned() * row.repeat as usize + row.stated_missing).sum()
    }

    /// Tests whether no run is missing.
    pub fn complete(&self) -> bool {
        self.missing() == 0
    }

    /// Tests whether no run is missing and no further round will open.
    pub fn over(&self) -> bool {
        let opens = |upcoming: &Upcoming| upcoming.entrants.as_ref().is_none_or(|entrants| !entrants.is_empty());
        self.complete() && !self.upcoming.as_ref().is_some_and(opens)
    }
}

/// The index of the machine that executed a run.
pub(crate) fn machine_of(record: &Record) -> usize {
    record.machine as usize
}

/// The model of a machine's processor, or its architecture.
pub(crate) fn model_of(machine: &Machine) -> Option<&str> {
    machine.model.as_deref().or(Some(&*machine.arch)).filter(|model| !model.is_empty())
}

/// The part of a contest that a table covers.
struct Scope<'a> {
    /// The open round, from 1.
    open: u32,
    withdrawn: &'a Map<String, Withdrawal>,
    struck: &'a BTreeMap<String, String>,
    participants: Participants,
    /// The planned games that count, in a contest of matches.
    games: Vec<RunKey>,
    /// Its knock-out rounds.
    knock_outs: Vec<KnockOut>,
}

/// Formats the shortest and the longest limit, such as `10s` or `4s to 6s`. `text` formats one limit in milliseconds.
pub fn range_text((least, most): (u64, u64), text: impl Fn(u64) -> String) -> String {
    if least == most { text(least) } else { format!("{} to {}", text(least), text(most)) }
}

#[cfg(test)]
mod tests;
