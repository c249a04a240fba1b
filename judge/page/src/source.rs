//! The results of a contest, as input of the page.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use judge_core::chunks::Chunks;
use judge_core::compare::Source;
use judge_core::external::ExternalReferee;
use judge_core::journal::ContestState;
use judge_core::map::Map;
use judge_core::plan::{BestKnown, Board, Overrides, Plan, Problem, Statement};
use judge_core::results::Results;

/// A set of results for the page, with the journal and the output files if they come from a results directory.
pub struct PageSource {
    source: Source,
    /// The origin of the best known answers.
    pub(crate) known: KnownFrom,
    pub(crate) directory: Option<ResultsDirectory>,
}

/// The origin of the best known answers of a source.
pub(crate) enum KnownFrom {
    /// The results, which have the answers of their time.
    Results,
    /// The contest file as it is now.
    Today {
        /// Path of the contest file, as given by the caller.
        file: String,
        /// The best known answers in the results that differ from these, by the name of the board.
        before: Vec<(String, Option<BestKnown>)>,
    },
}

/// A results directory and its journal.
pub(crate) struct ResultsDirectory {
    pub(crate) path: PathBuf,
    pub(crate) journal: ContestState,
}

impl PageSource {
    /// Creates the source of a results directory, with the contest that was read from it. It has a row per team of an office
    /// with several problems.
    pub fn from_directory(path: &Path, journal: ContestState, name: String) -> Self {
        let results = Results::from_journal(&journal).by_team();
        let directory = ResultsDirectory { path: path.to_owned(), journal };
        Self { source: Source { name, results }, known: KnownFrom::Results, directory: Some(directory) }
    }

    /// The problem of a board; `None` without a journal.
    pub(super) fn problem(&self, board: &str) -> Option<&Problem> {
        self.directory.as_ref()?.journal.plan.problems.of(board)
    }

    /// Returns true if the contest's referee talks with entries, runs them in passes or leads their games, so that runs have
    /// transcripts.
    pub(super) fn has_talks(&self) -> bool {
        let plan = self.directory.as_ref().map(|directory| &directory.journal.plan);
        self.results().matches.is_some() || plan.is_some_and(|plan| plan.referees().any(ExternalReferee::needs_entry))
    }

    /// Creates a source with the results and answers of one entry, up to this round. `None` if the entry does not
    /// exist. The page contains nothing about other entries.
    pub fn from_entry(path: &Path, contents: &ContestState, entry: &str, last_round: u32) -> Option<Self> {
        let results = Results::from_entries_until(contents, &HashSet::from([entry]), &Map::default(), last_round);
        if results.rows.is_empty() {
            return None;
        }
        let mut journal = contents.clone();
        journal.history = Chunks::default();
        let directory = ResultsDirectory { path: path.to_owned(), journal };
        Some(Self {
            source: Source { name: entry.to_owned(), results },
            known: KnownFrom::Results,
            directory: Some(directory),
        })
    }

    /// Returns the path of the contest file that the journal names; `None` for results from elsewhere.
    pub fn contest_file(&self) -> Option<PathBuf> {
        let ResultsDirectory { path, journal } = self.directory.as_ref()?;
        Some(path.join(&journal.header.contest_file))
    }

    /// Returns the overrides of the command line with which the contest began.
    pub fn overrides(&self) -> Option<&Overrides> {
        Some(&self.directory.as_ref()?.journal.header.overrides)
    }

    /// Shows the best known answers of the present contest file. They count for boards with the same name and text, in
    /// the same game with the same rules. The page names the file.
    pub fn with_known_of(mut self, file: String, today: &Plan) -> Self {
        let Some(ResultsDirectory { journal, .. }) = &self.directory else { return self };
        let is_played_alike = |board: &&Board| {
            let [before, today] = [&journal.plan, today].map(|plan| plan.problems.of(&board.name));
            let rules = |problem: &Problem| (problem.game.clone(), problem.rules.clone());
            before.map(rules) == today.map(rules)
        };
        let boards = today.boards.iter().filter(is_played_alike);
        let boards: HashMap<&str, &Board> = boards.map(|board| (board.name.as_str(), board)).collect();
        if boards.is_empty() {
            return self;
        }
        let mut before = Vec::new();
        let mut any = false;
        for head in &mut self.source.results.boards {
            let board = boards.get(head.name.as_str()).filter(|board| head.text.as_ref() == Some(&board.text));
            let Some(known) = board.and_then(|board| today.shown.known.get(&board.name)) else { continue };
            any = true;
            let known = Some(known.clone());
            if head.known != known {
                before.push((head.marked(), std::mem::replace(&mut head.known, known)));
            }
        }
        if any {
            self.known = KnownFrom::Today { file, before };
        }
        self
    }

    /// The statements of the problems that have one, each with the title of its problem. An only problem has no title.
    pub(crate) fn statements(&self) -> impl Iterator<Item = (&str, &Statement)> {
        let plan = self.directory.iter().map(|directory| &directory.journal.plan);
        plan.flat_map(|plan| {
            plan.problems.iter().filter_map(|problem| {
                let title = if problem.name.is_empty() { &problem.id } else { &problem.name };
                Some((title.as_str(), plan.shown.statements.get(&problem.id)?))
            })
        })
    }

    /// Returns the named, ranked results.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the ranked results, with cells and totals of every entry.
    pub fn results(&self) -> &Results {
        &self.source.results
    }

    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }
}

/// Results without a results directory, such as a CSV file. The page shows only their tables.
impl From<Source> for PageSource {
    fn from(source: Source) -> Self {
        Self { source, known: KnownFrom::Results, directory: None }
    }
}
