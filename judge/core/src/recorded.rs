//! The results of a contest from its journal: the table, and what the table omits.

use std::io;
use std::path::Path;

use crate::advance;
use crate::journal::{self, CompactRecords, ContestState, JournalError};
use crate::results::{Results, ResultsError, Upcoming};
use judge_files::regular;

impl Results {
    /// The results of a contest from its journal. They contain only runs that count. Runs of withdrawn entries, on struck boards,
    /// and of replaced programs and boards do not count.
    pub fn from_journal(contents: &ContestState) -> Self {
        Self::of_journal(contents, CompactRecords::default())
    }

    /// As [`Self::from_journal`], from records without the members that `compact` contains.
    pub(crate) fn of_journal(contents: &ContestState, compact: CompactRecords) -> Self {
        let mut results = Self::of_records(contents, compact);
        results.journal_hash = contents.chain.last().map(str::to_owned);
        results.begun = contents.begun;
        let plan = &contents.plan;
        let struck = plan.boards.iter().filter_map(|board| Some((&board.name, contents.struck.get(&board.name)?)));
        results.absent.extend(struck.map(|(board, why)| format!("board {board} is struck and does not count: {why}")));
        results.absent.extend(rounds_without_entries(contents));
        results.upcoming = Upcoming::from_contents(contents);
        if let Some(upcoming) = &results.upcoming {
            let reason = advance::next(contents).reason(plan);
            let reason = match upcoming.who() {
                Some(who) if who.starts_with(&reason) => who,
                Some(who) => format!("{reason}; {who}"),
                None => reason,
            };
            results.absent.push(format!("round {} has not opened: {reason}", upcoming.name));
        }
        results
    }

    /// Reads a results directory, a CSV file of runs, or a CSV file with one row per entry. `with_office` reads a directory whose
    /// log has an office, because the office decides which submissions count.
    ///
    /// # Errors
    ///
    /// The journal is missing, damaged, or of a format unknown to this version. Or the file is neither a table nor a list of
    /// runs.
    pub fn read(
        path: &Path,
        with_office: impl FnOnce(&Path) -> Result<ContestState, JournalError>,
    ) -> Result<Self, ResultsError> {
        if path.is_dir() {
            // Full records of a million runs need more memory than their table.
            let (contents, compact) = journal::read_compact(path)?;
            return match contents.office_lines {
                0 => Ok(Self::of_journal(&contents, compact)),
                _ => Ok(Self::from_journal(&with_office(path)?)),
            };
        }
        let file = regular::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ResultsError::Missing(path.to_owned()),
            _ => ResultsError::Io { path: path.to_owned(), error },
        })?;
        Self::read_csv(&path.display().to_string(), file)
    }
}

/// Describes the opened rounds without a remaining entry, as sentences.
fn rounds_without_entries(contents: &ContestState) -> impl Iterator<Item = String> {
    contents.rounds.iter().filter_map(|round| {
        let entrants = round.entrants();
        let all_out = entrants.iter().all(|entry| contents.withdrawn.contains_key(*entry));
        let name = contents.plan.round_plan(round.number).map_or("", |plan| &plan.name);
        all_out.then(|| {
            format!(
                "no entry is left in round {name}: {} went on to it and left the contest; no entry moves up into a round that \
                 has opened, so the rounds before it decide",
                entrants.join(", ")
            )
        })
    })
}
