//! Detects entries and builds that would see results with the answers of other entries.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use judge_core::journal;
use judge_files::regular;
use judge_job::{Argument, Place};
use serde::Deserialize;

use crate::Contest;

/// The reason, as a fragment, why the entries of a contest may not run with these results. One of them would see the answers of
/// others, in these results or in other results in the contest's folder.
/// [`Hint::OtherResults`](judge_core::hint::Hint::OtherResults) is another remedy.
pub fn exposed(contest: &Contest, results: &Path) -> Option<String> {
    let entries = contest.plan.entries.iter().filter(|entry| !contest.withdrawn.contains_key(&entry.name));
    for entry in entries {
        let words = contest.command(entry).into_iter().filter_map(|word| match word {
            Argument::Path(place) => Some(place),
            Argument::Text(_) | Argument::File(_) | Argument::Folder(_) => None,
        });
        let own = contest.places().build_folder(&entry.command, entry.folder.as_deref()).ok();
        for place in words.chain(contest.readable(entry)) {
            if let Some(shown) = results_shown(&place, own.as_slice(), contest.places().contest(), results) {
                return Some(format!(
                    "entry {} may read {}, and with that the answers of other entries, because {} is a results directory; \
                     name single files and folders",
                    entry.name,
                    place.path().display(),
                    shown.display()
                ));
            }
        }
    }
    None
}

/// The results directory that a run or a build sees through a place: these results, or others in the contest's folder.
///
/// The folders `own` belong to the author, who may create a file with the name of a journal. That must not stop a contest.
pub(super) fn results_shown(place: &Place, own: &[Place], contest: &Path, results: &Path) -> Option<PathBuf> {
    let at = place.open().and_then(|item| item.real_path()).unwrap_or_else(|_| place.path());
    // The root directory is never shown.
    at.parent()?;
    if real(results).is_some_and(|results| results.starts_with(&at) || at.starts_with(results)) {
        return Some(results.to_owned());
    }
    let contest = contest.canonicalize().ok()?;
    let mut own: Vec<_> = own.iter().filter_map(|place| place.path().canonicalize().ok()).collect();
    own.retain(|own| !contest.starts_with(own));
    let is_own = |folder: &Path| own.iter().any(|own| folder.starts_with(own));
    let shows = |folder: &Path| folder != contest && has_results_of(&contest, folder);
    if !contest.starts_with(&at) && !at.starts_with(&contest) || is_own(&at) {
        return None;
    }
    if let Some(around) = at.ancestors().take_while(|folder| folder.starts_with(&contest)).find(|folder| shows(folder))
    {
        return Some(around.to_owned());
    }
    let mut folders = vec![if contest.starts_with(&at) { contest.clone() } else { at }];
    while let Some(folder) = folders.pop() {
        // Links are not followed: a link shows its folder but not its target. Entries cannot read what the judge cannot list.
        for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = item.path();
            if item.file_type().is_ok_and(|kind| kind.is_dir()) && !is_own(&path) {
                if shows(&path) {
                    return Some(path);
                }
                folders.push(path);
            }
        }
    }
    None
}

/// The path without links of a directory that need not exist yet.
fn real(directory: &Path) -> Option<PathBuf> {
    let directory = std::path::absolute(directory).ok()?;
    let (there, real) = directory.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)))?;
    Some(real.join(directory.strip_prefix(there).ok()?))
}

/// Tests whether a folder has results of a contest in the folder `contest`. Results of a contest elsewhere contain answers of
/// other authors, for example of another project or in recorded test data. Results whose contest file is missing count.
fn has_results_of(contest: &Path, folder: &Path) -> bool {
    /// The contest file in the header of a journal: its path, relative to the results directory. Lines of an office can precede
    /// it.
    #[derive(Deserialize)]
    struct Header {
        contest_file: Option<PathBuf>,
    }
    let path = folder.join(journal::FILE_NAME);
    if !path.is_file() {
        return false;
    }
    let header = regular::open_beneath(folder, &path).ok().and_then(|file| {
        // A header contains all boards of its contest, so it is read as a stream and only to its end.
        serde_json::Deserializer::from_reader(BufReader::new(file))
            .into_iter::<Header>()
            .map_while(Result::ok)
            .find_map(|line| line.contest_file)
    });
    let of = header.and_then(|header| folder.join(header).canonicalize().ok());
    of.is_none_or(|file| file.parent() == Some(contest))
}
