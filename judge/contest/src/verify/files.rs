//! Checks of files against their fingerprints.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{ContestState, FILE_NAME, JUDGING_LOCK, Part, STORED, as_recorded};
use judge_core::text::printable;
use judge_files::{is_unfinished, regular};
use judge_job::count_text;

use super::recorded_files::{FOLDERS, RecordedFiles};
use super::{Check, Finding};

/// Names that `judge` gives to files and folders of a results directory, besides [`FOLDERS`] and the journal.
const OTHERS: [&str; 6] = ["results.csv", "report.html", "cluster", "runs", "contest.toml", "boards"];

/// Checks that the directory contains only files and folders. A link or a pipe cannot be a recorded file, regardless of its
/// contents.
pub(super) fn names(results: &Path) -> Check {
    let mut check = Check::new("directory");
    let (mut files, mut folders) = (0usize, vec![results.to_owned()]);
    let mut unknown = 0usize;
    while let Some(folder) = folders.pop() {
        let items = fs::read_dir(&folder).and_then(|items| items.collect::<io::Result<Vec<_>>>());
        let mut items = match items {
            Ok(items) => items,
            Err(error) => {
                check.problem(format!("{}: {error}", shown(results, &folder)));
                continue;
            }
        };
        items.sort_by_key(fs::DirEntry::file_name);
        for item in items {
            let name = item.file_name();
            if folder == results && name == JUDGING_LOCK {
                continue;
            }
            if folder == results && !is_known(&name.to_string_lossy()) {
                unknown += 1;
                continue;
            }
            match item.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(item.path()),
                Ok(kind) if kind.is_file() => files += 1,
                Ok(kind) => {
                    let what = if kind.is_symlink() { "a symbolic link" } else { "no regular file" };
                    check.problem(format!("{} is {what}", shown(results, &item.path())));
                }
                Err(error) => check.problem(format!("{}: {error}", shown(results, &item.path()))),
            }
        }
    }
    check.checked = format!("{}, none of them a link, a pipe or a device", count_text(files, "file", "files"));
    if unknown > 0 {
        let others = count_text(unknown, "other name is", "other names are");
        check.not_proved(format!("{others} in it that `judge` does not write"));
    }
    check
}

fn is_known(name: &str) -> bool {
    name == FILE_NAME || FOLDERS.contains(&name) || OTHERS.contains(&name)
}

/// Checks the outputs of all attempts, and reports files that belong to no attempt.
pub(super) fn outputs(results: &Path, seen: &RecordedFiles) -> Check {
    let mut check = Check::new("outputs");
    let (mut proved, mut by_size, mut failed) = (0usize, 0usize, 0usize);
    for attempt in seen.attempts.values() {
        let Some(output) = &attempt.output else {
            let judge_failed = matches!(attempt.verdict, judge_core::verdict::Verdict::JudgeError { .. });
            if attempt.ran && !judge_failed {
                by_size += 1;
                let path = attempt.path(Part::Stdout);
                let size = regular::open_beneath(results, &path).and_then(|file| Ok(file.metadata()?.len()));
                match size {
                    Ok(size) if size == attempt.stdout_bytes => {}
                    Ok(size) => {
                        let recorded = attempt.stdout_bytes;
                        let path = shown(results, &path);
                        let size = count_text(size, "byte", "bytes");
                        check.problem(format!("{path} has {size}, {recorded} were recorded"));
                    }
                    Err(error) => check.problem(unreadable(results, &path, &error)),
                }
            } else if judge_failed {
                failed += 1;
            }
            continue;
        };
        let found =
            Part::ALL.into_iter().filter_map(|part| problem(results, &attempt.path(part), part.recorded(output)));
        let before = check.problems.len();
        check.problems.extend(found.map(Finding::from));
        proved += usize::from(check.problems.len() == before);
    }
    check.checked = match (proved, by_size) {
        (0, 1..) => "the answers have the recorded sizes".into(),
        _ => format!("{} what was recorded", count_text(proved, "attempt left", "attempts left")),
    };
    if by_size > 0 {
        let attempts = count_text(by_size, "attempt", "attempts");
        check.not_proved(format!("of {attempts} only the size is recorded: no hash was recorded"));
    }
    if failed > 0 {
        check.not_proved(format!("what {} left is not recorded", count_text(failed, "judge error", "judge errors")));
    }
    let known = seen.known(results);
    let mut others: Vec<PathBuf> = FOLDERS.iter().flat_map(|name| all_files(&results.join(name))).collect();
    others.retain(|path| !known.contains(path) && path.parent() != Some(&results.join(STORED)));
    if let Some(first) = others.first() {
        let (number, first) = (count_text(others.len(), "file is", "files are"), shown(results, first));
        check
            .not_proved(format!("{number} of no recorded attempt, such as {first}: a judge that was killed left them"));
    }
    check
}

/// Checks the files that are stored under their hashes: large boards, and programs.
pub(super) fn stored(results: &Path, contents: &ContestState, seen: &RecordedFiles) -> Check {
    let mut check = Check::new("files");
    let folder = results.join(STORED);
    let mut paths: Vec<PathBuf> = seen.stored.iter().map(|hash| folder.join(hash)).collect();
    paths.extend(all_files(&folder));
    paths.sort();
    paths.dedup();
    let (unfinished, paths): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| path.file_name().is_some_and(is_unfinished));
    if let Some(first) = unfinished.first() {
        let (number, first) = (count_text(unfinished.len(), "file is", "files are"), shown(results, first));
        check.not_proved(format!("{number} unfinished, such as {first}: a judge that was killed left them"));
    }
    for path in &paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match regular::open_beneath(results, path).and_then(of_stored) {
            Ok(found) if found.sha256.to_string() == name => {}
            Ok(found) => check.problem(format!("{} has the SHA-256 {}", shown(results, path), found.sha256)),
            Err(error) => check.problem(unreadable(results, path, &error)),
        }
    }
    check.checked =
        count_text(paths.len(), "stored file has its hash as name", "stored files have their hashes as names");
    let versions = contents.versions.values().flat_map(|versions| versions.iter());
    let gone = versions.filter(|version| !version.programs.is_empty() && version.kept.is_empty()).count();
    if gone > 0 {
        let programs = count_text(gone, "program", "programs");
        check.not_proved(format!("of {programs} only hashes are recorded: no file was kept"));
    }
    check
}

/// The fingerprint of a stored file. A file larger than any stored file is not read, because it may be endless.
fn of_stored(file: fs::File) -> io::Result<Fingerprint> {
    const MAX: u64 = 4 << 30;
    if file.metadata()?.len() > MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "is larger than 4 GiB, as no stored file is"));
    }
    Fingerprint::from_reader(regular::capped(file, MAX))
}

/// Checks the logs of builds.
pub(super) fn builds(results: &Path, seen: &RecordedFiles) -> Check {
    let mut check = Check::new("builds");
    let recorded = seen.builds.iter().filter_map(|(log, recorded)| Some((log, (*recorded)?)));
    let mut number = 0;
    for (log, recorded) in recorded {
        number += 1;
        check.problems.extend(problem(results, log, Some(recorded)).map(Finding::from));
        // The log contains both streams.
        check.problems.extend(problem(results, &log.with_extension("err"), None).map(Finding::from));
    }
    check.checked = match number {
        0 => "no log is recorded".into(),
        number => count_text(number, "log is as it was recorded", "logs are as they were recorded"),
    };
    let without = seen.builds.len() - number;
    if without > 0 {
        check.not_proved(format!("{}: no hash was recorded", count_text(without, "log", "logs")));
    }
    check
}

/// The problem with a file, if any. A file that is not recorded must be empty or missing.
fn problem(results: &Path, path: &Path, recorded: Option<Fingerprint>) -> Option<String> {
    let opened = as_recorded(results, path, recorded);
    match (opened, recorded) {
        (Ok(_), Some(_)) => None,
        (Ok(file), None) => match file.metadata() {
            Ok(metadata) if metadata.len() == 0 => None,
            Ok(metadata) => {
                let bytes = count_text(metadata.len(), "byte", "bytes");
                Some(format!("{} has {bytes}, none were recorded", shown(results, path)))
            }
            Err(error) => Some(unreadable(results, path, &error)),
        },
        (Err(error), None) if error.kind() == io::ErrorKind::NotFound => None,
        (Err(error), _) => Some(unreadable(results, path, &error)),
    }
}

/// The problem of a file that cannot be read, or differs from its record.
pub(super) fn unreadable(results: &Path, path: &Path, error: &io::Error) -> String {
    let path = shown(results, path);
    match error.kind() {
        io::ErrorKind::NotFound => format!("{path} is missing"),
        _ => format!("{path} {error}"),
    }
}

/// A path within the results directory, for people.
pub(super) fn shown(results: &Path, path: &Path) -> String {
    printable(&path.strip_prefix(results).unwrap_or(path).display().to_string())
}

/// The regular files below a folder, without following links. Empty if the folder cannot be read, which the check of names
/// reports.
fn all_files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    // The folder itself must not be a link.
    folders.retain(|folder| folder.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()));
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match item.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(item.path()),
                Ok(kind) if kind.is_file() => files.push(item.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}
