//! Boards that the command line names instead of the contest's boards: files, and random boards for a range of seeds.
//!
//! The overrides contain the texts of the boards, so a journal with them needs no other file.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::file::{BoardsWanted, read_board};
use super::files::{FilePaths, read_contents};
use super::{Contest, ContestError, ContestErrorKind};
use judge_core::game::{Game, GeneratorSpec};
use judge_core::hint::Hint;
use judge_core::names::{self, Names};
use judge_core::plan::{Board, FileContents, Overrides};

/// The most boards of a range.
const MAX: u64 = 1_000_000;

/// The seeds of random boards: a range such as `1-200`, or a single seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds(RangeInclusive<u64>);

impl Seeds {
    /// All seeds, in their order.
    pub fn all(&self) -> RangeInclusive<u64> {
        self.0.clone()
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let seeds = first.trim().parse().ok().zip(last.trim().parse().ok());
        match seeds {
            Some((first, last)) if first <= last && last - first < MAX => Ok(Self(first..=last)),
            _ => Err(format!("invalid seeds `{text}`; use a range such as 1-200, or one seed; at most {MAX}")),
        }
    }
}

/// Boards that the command line names instead of the contest's boards.
#[derive(Debug, Clone, Default)]
pub struct OtherBoards {
    /// The boards that replace those of the contest, in their order.
    pub boards: Vec<Board>,
    /// The paths of their stored files.
    paths: FilePaths,
}

impl Contest {
    /// Adds the places of the files of boards that were read by [`Self::boards_from`].
    pub fn add_files_of(&mut self, other: OtherBoards) {
        self.paths.extend(other.paths);
    }

    /// The boards in these files, each named after its file, and the random boards of these seeds, named `seed-N`. The game and
    /// its house rules come from the contest file, or from its problem of this name.
    ///
    /// # Errors
    /// [`ContestError`] if the contest file or a board is not usable.
    pub fn boards_from(
        contest: &Path,
        problem: Option<&str>,
        files: &[PathBuf],
        seeds: Option<&Seeds>,
    ) -> Result<OtherBoards, ContestError> {
        let read = Self::read(contest, &Overrides::default(), BoardsWanted::Any, false)?;
        let Self { plan, mut paths, .. } = read.of_problem(problem)?;
        let refuse_contest = |reason: String| ContestError::whole(contest, ContestErrorKind::Value, reason);
        let problem = plan.problems.only();
        let game = problem.referee.is_none().then(|| problem.game()).transpose();
        let game = game.map_err(|error| refuse_contest(error.to_string()))?;
        let boards = boards_of(game.as_deref(), files, seeds, &mut paths);
        let boards = boards.map_err(|error| match error {
            BoardsError::File { path, reason, hint } => {
                ContestError::whole(&path, ContestErrorKind::Board, reason).with_hint(hint)
            }
            BoardsError::NoGame => refuse_contest(error.to_string()).with_hint(Some(Hint::BoardsFromFiles)),
            error => refuse_contest(error.to_string()),
        })?;
        Ok(OtherBoards { boards, paths })
    }
}

/// The reason why boards of files or seeds are not usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardsError {
    /// A file is not a board, or its name cannot be the name of a board.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason, as a fragment.
        reason: String,
        /// The remedy, if one exists that the reason does not name.
        hint: Option<Hint>,
    },
    /// The game cannot generate random boards; its reason.
    #[error("{0}")]
    Seed(String),
    /// The referee is a program.
    #[error("its referee is a program, so no board can be made of a seed")]
    NoGame,
    /// Two boards have names that can be confused; a fragment.
    #[error("{0}; rename a file, or omit it")]
    Alike(String),
}

/// The boards in these files, each named after its file, and the random boards of these seeds, named `seed-N`. The places of
/// large files are added to `paths` if the referee is a program.
pub(super) fn boards_of(
    game: Option<&dyn Game>,
    files: &[PathBuf],
    seeds: Option<&Seeds>,
    paths: &mut FilePaths,
) -> Result<Vec<Board>, BoardsError> {
    let mut boards: Vec<Board> = Vec::new();
    for path in files {
        let refuse_with = |reason: String, hint| BoardsError::File { path: path.clone(), reason, hint };
        let refuse = |reason: String| refuse_with(reason, None);
        let contents = match game {
            Some(game) => {
                let bytes = read_board(path).map_err(|error| refuse_with(error.reason, error.hint))?;
                game.parse(&bytes).map_err(|error| refuse(error.to_string()))?;
                FileContents::Text(
                    String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8; a board file is".into()))?,
                )
            }
            None => read_contents(path, paths).map_err(refuse)?,
        };
        let name = names::composed(&path.file_stem().unwrap_or_default().to_string_lossy());
        names::usable("board", &name)
            .map_err(|reason| refuse(format!("the board is named after its file: {reason}")))?;
        boards.push(Board::new(name, "").with_contents(contents));
    }
    for seed in seeds.into_iter().flat_map(Seeds::all) {
        let game = game.ok_or(BoardsError::NoGame)?;
        let text = game.make(&GeneratorSpec::Random { seed, pieces: None });
        boards.push(Board::new(format!("seed-{seed}"), text.map_err(|error| BoardsError::Seed(error.to_string()))?));
    }
    let mut all = Names::default();
    match boards.iter().find_map(|board| Some((&board.name, all.insert(&board.name).err()?.0))) {
        Some((name, other)) => Err(BoardsError::Alike(names::alike("board", name, &other).to_string())),
        None => Ok(boards),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_or_one() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| (*seeds.0.start(), *seeds.0.end()));
        assert_eq!(seeds("1-200"), Ok((1, 200)));
        assert_eq!(seeds("7"), Ok((7, 7)));
        for text in ["", "-", "2-1", "1-", "a-b", "0-1000000", "1,2"] {
            assert!(seeds(text).is_err_and(|reason| reason.contains("1-200")), "{text}");
        }
    }
}
