//! Detects referees that may start entries. They get entries from the judge, and never start one themselves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use judge_files::regular;
use judge_job::Argument;

use super::{Finding, Level, Subject, referees};
use crate::Contest;

/// The most bytes of a referee's file that are searched.
const MAX_SEARCHED_BYTES: u64 = 1 << 20;

/// A notice for each entry whose program is named by the command of the referee, or by a script in this command. Only names in
/// plain text are found, not names that are compiled in or put together.
pub(super) fn may_start_entries(contest: &Contest) -> Vec<Finding> {
    if !contest.plan.needs_entries() {
        return Vec::new();
    }
    referees(contest).flat_map(|(subject, command, _)| entries_in(contest, &subject, &command)).collect()
}

/// A notice for each entry that this command of a referee names.
fn entries_in(contest: &Contest, subject: &Subject, command: &[Argument]) -> Vec<Finding> {
    let own = files_of(command);
    let texts = own
        .iter()
        .filter_map(|path| Some((path, String::from_utf8(regular::read(path, MAX_SEARCHED_BYTES).ok()?).ok()?)));
    let texts: Vec<(&PathBuf, String)> = texts.collect();
    let inside = contest.plan.entries.iter().filter(|entry| !contest.withdrawn.contains_key(&entry.name));
    let notices = inside.filter_map(|entry| {
        let programs = files_of(&contest.command(entry));
        let program = programs.iter().find_map(|program| {
            let shown = program.strip_prefix(contest.directory()).unwrap_or(program).display().to_string();
            let by = match own.contains(program) {
                true => "its command".to_owned(),
                false => shown_in(&texts, &[&shown, program.file_name()?.to_str()?], contest.directory())?,
            };
            Some(format!(
                "{by} names {shown} of entry {}; the judge starts entries, and one that a referee starts could reach whatever the \
                 referee can",
                entry.name
            ))
        });
        program.map(|finding| Finding { level: Level::Notice, subject: subject.clone(), finding })
    });
    notices.collect()
}

/// The files that a command names.
fn files_of(command: &[Argument]) -> BTreeSet<PathBuf> {
    let paths = command.iter().filter_map(|argument| match argument {
        Argument::Path(place) => Some(place.path()),
        _ => None,
    });
    paths.filter(|path| path.is_file()).collect()
}

/// The first of these files that contains one of these names as a word.
fn shown_in(texts: &[(&PathBuf, String)], names: &[&str], directory: &Path) -> Option<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let has = |text: &str, name: &str| {
        text.match_indices(name)
            .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
    };
    let (path, _) = texts.iter().find(|(_, text)| names.iter().any(|name| has(text, name)))?;
    Some(path.strip_prefix(directory).unwrap_or(path).display().to_string())
}
