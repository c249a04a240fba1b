//! Copies a contest while it is in use. The log is copied first, so that the copy has every file that the log names.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use judge_core::journal::{self, FILE_NAME as JOURNAL};
use judge_files::regular;

use crate::log::sync_folder;
use crate::results::results_of;
use crate::{FOLDER, OfficeError, uploads, verify};

/// Copies a contest into a folder that does not exist yet. Returns the result of the check of the copy, as a fragment.
///
/// # Errors
/// [`OfficeError::Refused`] if the folder exists or is inside the contest, or if the check of the copy fails;
/// [`OfficeError::Io`].
pub fn copy(contest: &Path, target: &Path) -> Result<String, OfficeError> {
    let failed = |error| OfficeError::io(target, error);
    let refuse = |reason: String| Err(OfficeError::refused(reason));
    if target.symlink_metadata().is_ok() {
        return refuse(format!("{} exists; name a new folder", target.display()));
    }
    let above = target.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let inside = contest.canonicalize().map_err(|error| OfficeError::io(contest, error))?;
    if above.canonicalize().map_err(failed)?.starts_with(&inside) {
        return refuse(format!("{} is inside the contest; name a folder elsewhere", target.display()));
    }
    // The copy gets its name when it is complete.
    let aside = tempfile::Builder::new().prefix(".backup-").tempdir_in(above).map_err(failed)?;
    let whole = aside.path().join("contest");
    let (results, office) = (results_of(&whole), whole.join(FOLDER));
    for folder in [&whole, &results, &office] {
        make(folder, 0o700).map_err(failed)?;
    }
    prefix(&results_of(contest).join(JOURNAL), &results.join(JOURNAL)).map_err(failed)?;
    tree(contest, &whole, Path::new("")).map_err(failed)?;
    make(&office.join(uploads::INCOMING), 0o700).map_err(failed)?;
    let checked = checked(&whole)?;
    fs::rename(&whole, target).and_then(|()| sync_folder(above)).map_err(failed)?;
    Ok(checked)
}

fn checked(copy: &Path) -> Result<String, OfficeError> {
    let report = verify::verify(&copy.join(FOLDER))?;
    let journal = match journal::read(&results_of(copy)) {
        Err(journal::JournalError::Missing(_) | journal::JournalError::NotBegun(_)) => Ok(0),
        read => read.map(|contents| contents.plan.entries.len()),
    };
    match (report.problems.first(), journal) {
        (Some(problem), _) => Err(OfficeError::refused(format!("the copy does not hold: {problem}"))),
        (None, Err(error)) => Err(OfficeError::refused(format!("the copy does not hold: {error}"))),
        (None, Ok(entries)) => Ok(format!("{}; {entries} entries", report.checked)),
    }
}

/// Copies the complete lines of a log, if it exists.
fn prefix(from: &Path, to: &Path) -> io::Result<()> {
    let file = match regular::open(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    let length = file.metadata()?.len();
    let mut copy = File::create_new(to)?;
    io::copy(&mut file.take(length), &mut copy)?;
    let mut tail = Vec::new();
    File::open(to)?.read_to_end(&mut tail)?;
    let complete = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    copy.set_len(complete as u64)?;
    copy.sync_all()
}

/// Copies the contents of a folder, without the log and unfinished uploads. Links are created again, without copying their
/// targets. Items that are neither files nor folders, or are removed meanwhile, are left out.
fn tree(from: &Path, to: &Path, inner: &Path) -> io::Result<()> {
    let left_out = [Path::new(FOLDER).join(uploads::INCOMING), Path::new("results").join(JOURNAL)];
    for item in fs::read_dir(from.join(inner))? {
        let item = item?;
        let path = inner.join(item.file_name());
        if left_out.contains(&path) {
            continue;
        }
        match one(&item, from, to, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => copied?,
        }
    }
    sync_folder(&to.join(inner))
}

fn one(item: &fs::DirEntry, from: &Path, to: &Path, path: &Path) -> io::Result<()> {
    let (kind, target) = (item.file_type()?, to.join(path));
    if kind.is_dir() {
        make(&target, item.metadata()?.permissions().mode() & 0o777 | 0o700)?;
        return tree(from, to, path);
    }
    if kind.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(item.path())?, target);
    }
    if !kind.is_file() {
        return Ok(());
    }
    let mut file = regular::open(&from.join(path))?;
    let mut copy = File::create_new(&target)?;
    io::copy(&mut file, &mut copy)?;
    copy.flush()?;
    copy.set_permissions(file.metadata()?.permissions())?;
    copy.sync_all()
}

/// Creates a folder unless it exists.
fn make(folder: &Path, mode: u32) -> io::Result<()> {
    match DirBuilder::new().mode(mode).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}
