//! Remedies for the problems that messages report, as data.
//!
//! A library has no command line. It returns the remedy as data, and the program that shows the message adds its own commands.

use std::path::PathBuf;

/// A remedy for the problem that a message reports.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Continue the contest in a directory, or use another directory.
    ContinueOrMove,
    /// List the results directories.
    ListResults {
        /// The path that is not a results directory.
        missing: PathBuf,
    },
    /// Judge the submissions of an office, which begins its contest.
    JudgeSubmissions {
        /// The folder of the contest.
        contest: PathBuf,
    },
    /// Repeat the runs that are lost in a damaged journal.
    RunAgain {
        /// The results directory of the contest to resume.
        results: PathBuf,
    },
    /// Convert the results to the current format.
    Convert {
        /// The results directory.
        results: PathBuf,
    },
    /// Resume the contest, which drops an incomplete last line of the journal.
    DropLine,
    /// Resume the contest, which writes the table from the journal.
    RewriteTable,
    /// Rejudge all answers with the current referee.
    Rejudge,
    /// Rejudge all answers before the change, or in the same step.
    RejudgeFirst,
    /// Update the contest, which repeats the runs of changed programs.
    Update,
    /// Ask the referee again, and record nothing.
    AskReferee,
    /// Repeat the runs with unreliable times.
    RepeatSuspect,
    /// Supply the published hash of the journal.
    PublishedHash,
    /// Name a contest file, or create one.
    NewContest {
        /// The path at which no file exists.
        missing: PathBuf,
    },
    /// Generate a board file, or name another one.
    NewBoard {
        /// The path at which no file exists.
        missing: PathBuf,
    },
    /// Generate board files, and use them instead of seeds.
    BoardsFromFiles,
    /// Name one of several problems.
    NameProblem {
        /// The identifiers of the problems.
        problems: Vec<String>,
    },
    /// Seal the board by its hash.
    Seal,
    /// Store the results in another directory, which entries cannot read.
    OtherResults,
    /// Let the judge choose a name for the results directory that entries cannot guess.
    HiddenResults,
    /// Allow links that lead into a folder.
    AllowLinks,
    /// Let the generators of a package generate its data.
    GenerateData,
    /// Convert a package of Polygon into a problem package.
    ConvertPolygon {
        /// The folder of the package.
        package: PathBuf,
    },
    /// Make more files readable for a solver, or find them by a try without isolation.
    MakeReadable,
    /// Use another folder for the stored versions of a solver.
    RememberElsewhere,
    /// Compare with another version of a solver, or try this version again.
    OtherVersion,
    /// Begin the office of a contest with its first team.
    BeginOffice,
    /// Name the figures that decide places.
    NameFigures,
}
