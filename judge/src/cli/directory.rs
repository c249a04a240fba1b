//! Results directories: new ones, and the way from one to its contest file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::runs::DEFAULT_RESULTS;
use judge_core::journal::{self, Header};
use judge_sandbox::canonical_parent;

/// The path of a contest file from a results directory below its folder, so that both can be moved together.
pub(in crate::cli) fn seen_from(results: &Path, contest: &Path) -> PathBuf {
    let below = fs::canonicalize(results).ok().zip(contest.parent());
    let below = below.as_ref().and_then(|(results, folder)| results.strip_prefix(folder).ok());
    match (below, contest.file_name()) {
        (Some(below), Some(name)) => below.iter().map(|_| "..").collect::<PathBuf>().join(name),
        _ => contest.to_owned(),
    }
}

/// The contest file of a results directory: the one that the user names, or where it was when the contest began. `how`
/// names another one, in the error if that file is gone.
pub(in crate::cli) fn contest_path(
    results: &Path,
    header: &Header,
    named: Option<&Path>,
    how: &str,
) -> Result<PathBuf, Failure> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let path = canonical_parent(&results.join(&header.contest_file));
    match path.try_exists() {
        Ok(false) => Err(Failure::input(format!(
            "{}: the contest file of {} is not there; if it was moved, name it with `{how}`",
            path.display(),
            results.display()
        ))),
        _ => Ok(path),
    }
}

/// Makes a results directory at this path, which may be an empty folder.
pub(in crate::cli) fn make_results(directory: &Path) -> Result<PathBuf, Failure> {
    if directory.join(journal::FILE_NAME).exists() {
        return Err(Failure::input(journal::JournalError::Exists(directory.to_owned())));
    }
    if let Some(file) = directory.ancestors().find(|path| path.is_file()) {
        return Err(Failure::input(format!("{}: is a file; name another directory with --out", file.display())));
    }
    fs::create_dir_all(directory).map_err(|error| {
        Failure::making(&error, format!("{}: {error}; name another directory with --out", directory.display()))
    })?;
    Ok(directory.to_owned())
}

/// Makes the next free numbered directory. Numbers, not times of day: the same commands give the same names.
pub(in crate::cli) fn next_results() -> Result<PathBuf, Failure> {
    let parent = Path::new(DEFAULT_RESULTS);
    let refuse =
        |error: io::Error| Failure::judge(format!("{}: {error}; name a directory with --out", parent.display()));
    fs::create_dir_all(parent).map_err(refuse)?;
    let mut number = 1u32;
    loop {
        let directory = parent.join(number.to_string());
        match fs::create_dir(&directory) {
            Ok(()) => return Ok(directory),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(refuse(error)),
        }
    }
}
