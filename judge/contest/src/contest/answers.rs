//! Entries that are answers instead of programs: a folder or an archive with a file per board.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(feature = "run")]
use judge_core::fingerprint::sha256_of;
use judge_core::fingerprint::sha256_of_reader;
use judge_core::plan::StoredFile;
use judge_core::text::printable;
use judge_files::regular;

use super::files::{FilePaths, shown};
#[cfg(feature = "run")]
use crate::archive::{self, Bounds};

/// The most files of a folder or an archive of answers, and the most bytes of them together.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: u64 = 256 << 20;
/// The most folders above a file of answers.
const MAX_DEPTH: usize = 10;
/// Boards that an error names.
const SHOWN: usize = 5;

/// A file of answers: its path below the folder or in the archive, its place, which is `None` in an archive, and its contents.
type AnswerFile = (String, Option<PathBuf>, StoredFile);

/// The reason why files are not answers to the boards of a contest, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswersError {
    /// A file does not have the name of a board.
    #[error("{}", unknown(file, boards))]
    NoBoard {
        /// The path of the file below the folder or in the archive.
        file: String,
        /// The names of all boards.
        boards: Vec<String>,
    },
    /// Two files answer the same board.
    #[error("both {} and {} answer board {board}", printable(first), printable(second))]
    Two {
        /// The name of the board.
        board: String,
        /// The path of the first file.
        first: String,
        /// The path of the second file.
        second: String,
    },
    /// There are no files.
    #[error("has no file; name each after its board, such as BOARD.out")]
    Empty,
}

/// The answers in a folder or an archive, by the names of their boards. Adds the places of files to `paths`, and an archive to
/// `archives`. Nothing is unpacked. The error is a fragment.
pub(super) fn read(
    path: &Path,
    boards: &[String],
    paths: &mut FilePaths,
    archives: &mut Vec<PathBuf>,
) -> Result<BTreeMap<String, StoredFile>, String> {
    let found = match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err("no such folder or archive".into()),
        Err(error) => return Err(error.to_string()),
        Ok(metadata) if metadata.is_dir() => in_folder(path)?,
        Ok(_) => {
            archives.push(std::path::absolute(path).map_err(|error| error.to_string())?);
            in_archive(path)?
        }
    };
    let of_board = |(board, (_, place, stored)): (String, AnswerFile)| {
        paths.extend(place.map(|place| (stored.sha256.clone(), place)));
        (board, stored)
    };
    let answers = by_board(found, boards).map_err(|error| error.to_string())?;
    Ok(answers.into_iter().map(of_board).collect())
}

/// Always fails: only programs that run contests read archives.
#[cfg(not(feature = "run"))]
fn in_archive(_path: &Path) -> Result<Vec<AnswerFile>, String> {
    Err("is not a folder, and this program was built without the feature `run`, which reads archives".into())
}

#[cfg(feature = "run")]
fn in_archive(path: &Path) -> Result<Vec<AnswerFile>, String> {
    let found = |file: archive::SourceFile| (file.path, None, stored(&file.bytes));
    Ok(archived(path)?.into_iter().map(found).collect())
}

/// The files of an archive of answers. No file is written under a name from the archive. The error is a fragment.
#[cfg(feature = "run")]
pub(crate) fn archived(path: &Path) -> Result<Vec<archive::SourceFile>, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !archive::is_archive(&name) {
        return Err("is neither a folder nor an archive; answers are in a folder, a .zip or a .tar.gz".into());
    }
    let bytes = regular::read(path, MAX_BYTES).map_err(|error| error.to_string())?;
    let unpacked = archive::files(&name, &bytes, Bounds { files: MAX_FILES, bytes: MAX_BYTES });
    Ok(unpacked.map_err(|error| error.to_string())?.files)
}

#[cfg(feature = "run")]
fn stored(bytes: &[u8]) -> StoredFile {
    StoredFile { sha256: sha256_of(bytes), bytes: bytes.len() as u64 }
}

/// Uploaded answers by the names of their boards, each with its place: the files of an archive that were written below a
/// folder.
///
/// # Errors
///
/// A file answers no board, or two files answer the same board.
#[cfg(feature = "run")]
pub fn uploaded_answers(
    files: &[archive::SourceFile],
    below: &Path,
    boards: &[String],
) -> Result<BTreeMap<String, (StoredFile, PathBuf)>, AnswersError> {
    let found = files.iter().map(|file| (file.path.clone(), Some(below.join(&file.path)), stored(&file.bytes)));
    let answers = by_board(found.collect(), boards)?;
    let placed = |(board, (_, place, stored)): (String, AnswerFile)| Some((board, (stored, place?)));
    Ok(answers.into_iter().filter_map(placed).collect())
}

/// Groups files by the names of the boards that they answer.
fn by_board(found: Vec<AnswerFile>, boards: &[String]) -> Result<BTreeMap<String, AnswerFile>, AnswersError> {
    let mut answers: BTreeMap<String, AnswerFile> = BTreeMap::new();
    for file in found {
        let name = file.0.clone();
        let Some(board) = board_of(&name, boards) else {
            return Err(AnswersError::NoBoard { file: name, boards: boards.to_vec() });
        };
        if let Some((other, ..)) = answers.insert(board.to_owned(), file) {
            return Err(AnswersError::Two { board: board.to_owned(), first: other, second: name });
        }
    }
    if answers.is_empty() {
        return Err(AnswersError::Empty);
    }
    Ok(answers)
}

/// The files in a folder and in its subfolders. Links are refused, because they may lead anywhere.
fn in_folder(root: &Path) -> Result<Vec<AnswerFile>, String> {
    let root = std::path::absolute(root).map_err(|error| error.to_string())?;
    let (mut found, mut bytes) = (Vec::new(), 0_u64);
    let mut folders = vec![(String::new(), root)];
    while let Some((prefix, folder)) = folders.pop() {
        let refuse = |error: io::Error| format!("{}: {error}", shown(&folder));
        for item in fs::read_dir(&folder).map_err(refuse)? {
            let item = item.map_err(refuse)?;
            let Ok(name) = item.file_name().into_string() else {
                return Err(format!("{}: its name is not UTF-8", shown(&item.path())));
            };
            let name = format!("{prefix}{name}");
            let kind = item.file_type().map_err(refuse)?;
            if kind.is_dir() {
                if prefix.matches('/').count() == MAX_DEPTH {
                    return Err(format!("{} is more than {MAX_DEPTH} folders deep", printable(&name)));
                }
                folders.push((format!("{name}/"), item.path()));
                continue;
            }
            if !kind.is_file() {
                return Err(format!("{} is not a regular file; copy the answer itself there", printable(&name)));
            }
            let file = regular::open(&item.path()).map_err(refuse)?;
            let size = file.metadata().map_err(refuse)?.len();
            bytes = bytes.saturating_add(size);
            if found.len() == MAX_FILES || bytes > MAX_BYTES {
                return Err(format!("has more than {MAX_FILES} files or {} MiB", MAX_BYTES >> 20));
            }
            let sha256 = sha256_of_reader(file).map_err(refuse)?;
            found.push((name, Some(item.path()), StoredFile { sha256, bytes: size }));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// The board that a file answers. Its name is the file's name, with or without the ending. Otherwise, its last part is the last
/// part of the file's name, and no other board ends with the same part.
fn board_of<'b>(file: &str, boards: &'b [String]) -> Option<&'b str> {
    let dotted = file.replace('/', ".");
    let without = |text: &str| text.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let names = [Some(dotted.clone()), without(&dotted)];
    let mut exact =
        names.iter().flatten().filter_map(|name| boards.iter().find(|board| board.replace('/', ".") == *name));
    if let Some(board) = exact.next() {
        return Some(board);
    }
    let last = file.rsplit('/').next().unwrap_or(file);
    let stems = [Some(last.to_owned()), without(last)];
    stems.iter().flatten().find_map(|stem| {
        let mut alike = boards.iter().filter(|board| board.rsplit(['.', '/']).next() == Some(stem));
        alike.next().filter(|_| alike.next().is_none()).map(String::as_str)
    })
}

fn unknown(file: &str, boards: &[String]) -> String {
    let mut names = boards.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if boards.len() > SHOWN {
        names.push_str(", …");
    }
    format!("{} answers no board; name it after one, with any ending: {names}", printable(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_answers_the_board_that_its_name_says() {
        let boards = ["sample.1", "secret.1", "secret.02-large", "A.B", "A"].map(str::to_owned);
        let of = |file: &str| board_of(file, &boards);
        assert_eq!(of("secret.1"), Some("secret.1"));
        assert_eq!(of("secret.1.out"), Some("secret.1"));
        assert_eq!(of("secret/1.ans"), Some("secret.1"));
        assert_eq!(of("02-large.out"), Some("secret.02-large"));
        assert_eq!(of("results/02-large"), Some("secret.02-large"));
        // The whole name has priority: this is the answer to A.B, not an answer to A with the ending B.
        assert_eq!((of("A.B"), of("A.txt")), (Some("A.B"), Some("A")));
        // Two boards end with `1`.
        assert_eq!(of("1.out"), None);
        assert_eq!(of("README.md"), None);
    }
}
