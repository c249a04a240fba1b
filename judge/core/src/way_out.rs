//! The ways out of what a message reports, as data.
//!
//! A library has no command line. It names the way out, and the program that shows the message words it with its own commands.

use std::path::PathBuf;

/// An act that helps with what a message reports.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WayOut {
    /// Continue the contest that a directory has, or name another directory.
    ContinueOrMove,
    /// Look at the list of results directories.
    ListResults {
        /// The path that is none.
        missing: PathBuf,
    },
    /// Repeat the runs that a damaged journal has lost.
    RunAgain {
        /// The results directory of the contest to resume.
        results: PathBuf,
    },
    /// Convert the results to the present form.
    Convert {
        /// The results directory.
        results: PathBuf,
    },
    /// Resume the contest, which drops an incomplete last line of the journal.
    DropLine,
    /// Resume the contest, which writes the table from the journal.
    RewriteTable,
    /// Have all answers refereed again by the present referee.
    Rejudge,
    /// Have all answers refereed again before the change, or in the same step.
    RejudgeFirst,
    /// Update the contest, which repeats the runs of changed programs.
    Update,
    /// Ask the referee again, and record nothing.
    AskReferee,
    /// Repeat the runs with unreliable times.
    RepeatSuspect,
    /// Give the hash of the journal that was published.
    PublishedHash,
    /// Name a contest file, or create one.
    NewContest {
        /// The path that leads nowhere.
        missing: PathBuf,
    },
    /// Make a board file, or name another one.
    NewBoard {
        /// The path that leads nowhere.
        missing: PathBuf,
    },
    /// Make board files, and name them instead of seeds.
    BoardsFromFiles,
    /// Name one of several problems.
    NameProblem {
        /// Their identifiers.
        problems: Vec<String>,
    },
    /// Seal the board by its hash.
    Seal,
    /// Put the results into another directory, which no entry can read.
    OtherResults,
    /// Have the name of the results directory chosen, so that no entry can guess it.
    HiddenResults,
    /// Allow links that lead into a folder.
    AllowLinks,
    /// Have the generators of a package make its data.
    GenerateData,
    /// Convert a package of Polygon into a problem package.
    ConvertPolygon {
        /// The folder of the package.
        package: PathBuf,
    },
    /// Make more files readable for a solver, or all of them by trying it without isolation.
    MakeReadable,
    /// Have another folder remember the versions of a solver.
    RememberElsewhere,
    /// Compare with another version of a solver, or try that one again.
    OtherVersion,
    /// Begin the office of a contest with its first team.
    BeginOffice,
    /// Name the figures that decide places.
    NameFigures,
}
