//! Results directories: creating them, and finding their contest files.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::runs::DEFAULT_RESULTS;
use judge_core::journal::{self, Header};
use judge_report::directory::{SECRET_LENGTH, SECRET_LETTERS, number_of, short};
use judge_sandbox::canonical_parent;

/// The path of a contest file, relative to a results directory below the file's folder, so that both can be moved
/// together.
pub(in crate::cli) fn seen_from(results: &Path, contest: &Path) -> PathBuf {
    let below = fs::canonicalize(results).ok().zip(contest.parent());
    let below = below.as_ref().and_then(|(results, folder)| results.strip_prefix(folder).ok());
    match (below, contest.file_name()) {
        (Some(below), Some(name)) => below.iter().map(|_| "..").collect::<PathBuf>().join(name),
        _ => contest.to_owned(),
    }
}

/// The contest file of a results directory: the file that the user names, or the one that the header names.
pub(in crate::cli) fn contest_path(results: &Path, header: &Header, named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let path = canonical_parent(&results.join(&header.contest_file));
    match path.try_exists() {
        Ok(false) => Err(Failure::input(format!(
            "{}: the contest file of {} is not there; if it was moved, name it with `--contest FILE`",
            path.display(),
            short(results).display()
        ))),
        _ => Ok(path),
    }
}

/// Creates a results directory at this path, which may be an empty folder.
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

/// Creates the next free numbered directory. Names are numbers instead of dates, so that the same commands give the same
/// names. A `secret` directory has unguessable letters after its number, as entries under Landlock can access every path
/// that they can name.
pub(in crate::cli) fn next_results(secret: bool) -> Result<PathBuf, Failure> {
    let parent = Path::new(DEFAULT_RESULTS);
    let refuse =
        |error: io::Error| Failure::judge(format!("{}: {error}; name a directory with --out", parent.display()));
    fs::create_dir_all(parent).map_err(refuse)?;
    let mut number = 1;
    loop {
        let directory = parent.join(number.to_string());
        match fs::create_dir(&directory) {
            // Checked after the creation, as another `judge` could rename its directory until then.
            Ok(()) if is_taken(parent, number).map_err(refuse)? => fs::remove_dir(&directory).map_err(refuse)?,
            Ok(()) if secret => {
                let whole = parent.join(format!("{number}-{}", letters().map_err(refuse)?));
                fs::rename(&directory, &whole).map_err(refuse)?;
                return Ok(whole);
            }
            Ok(()) => return Ok(directory),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(refuse(error)),
        }
        number += 1;
    }
}

/// Tests whether a directory with this number and secret letters exists.
fn is_taken(parent: &Path, number: u64) -> io::Result<bool> {
    for item in fs::read_dir(parent)? {
        if item?.file_name().to_str().and_then(number_of) == Some((number, true)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn letters() -> io::Result<String> {
    let mut random = [0; SECRET_LENGTH];
    File::open("/dev/urandom")?.read_exact(&mut random)?;
    Ok(random.iter().map(|byte| char::from(SECRET_LETTERS[usize::from(byte % 32)])).collect())
}

/// True if the name of a results directory can be guessed.
pub(in crate::cli) fn can_be_guessed(results: &Path) -> bool {
    let name = results.file_name().and_then(|name| name.to_str());
    !name.and_then(number_of).is_some_and(|(_, secret)| secret)
}
