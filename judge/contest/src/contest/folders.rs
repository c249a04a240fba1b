//! The folders that builds may write. Each belongs to one build unless the contest file shares it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use judge_core::plan::Entry;
use judge_job::{Argument, IsolationMode};

use super::build::{BuildRules, clean};
use super::places::Places;

/// A program of a contest with its build.
pub(crate) struct Program<'a> {
    /// The owner as messages name it: its entry, or the referee.
    pub(crate) whose: String,
    pub(crate) build: Option<&'a str>,
    pub(crate) command: &'a [String],
    pub(crate) folder: Option<&'a str>,
}

impl<'a> Program<'a> {
    pub(crate) fn from_entries(entries: impl IntoIterator<Item = &'a Entry>) -> impl Iterator<Item = Self> {
        entries.into_iter().map(|entry| Self {
            whose: format!("entry {}", entry.name),
            build: entry.build.as_deref(),
            command: &entry.command,
            folder: entry.folder.as_deref(),
        })
    }
}

/// The folders that one build may write.
pub(crate) struct Folders<'a> {
    places: &'a Places<'a>,
    /// The build command and its owner, by folder.
    written: HashMap<PathBuf, (&'a str, String)>,
}

impl<'a> Folders<'a> {
    /// The folders of these programs, except for those that `[build] writable` shares. The error names the index of a
    /// program whose folder another build writes, with the reason as a fragment.
    pub(crate) fn of(
        rules: &BuildRules,
        places: &'a Places<'a>,
        programs: impl Iterator<Item = Program<'a>>,
    ) -> Result<Self, (usize, String)> {
        let shared: Vec<PathBuf> = rules.writable.iter().map(|path| clean(&places.contest().join(path))).collect();
        let mut folders = Self { places, written: HashMap::new() };
        if rules.isolation == IsolationMode::Off {
            return Ok(folders);
        }
        for (index, program) in programs.enumerate() {
            let Some(build) = program.build else { continue };
            let Ok(folder) = rules.folder(program.command, program.folder, places.contest()) else { continue };
            if shared.iter().any(|shared| folder.starts_with(shared)) {
                continue;
            }
            match folders.written.get(&folder) {
                Some((other, whose)) if *other != build => {
                    return Err((index, refusal(&program.whose, whose, &folder)));
                }
                Some(_) => {}
                None => drop(folders.written.insert(folder, (build, program.whose))),
            }
        }
        Ok(folders)
    }

    /// Refuses programs that another program's build could change.
    pub(crate) fn check(&self, programs: impl Iterator<Item = Program<'a>>) -> Result<(), (usize, String)> {
        if self.written.is_empty() {
            return Ok(());
        }
        for (index, program) in programs.enumerate() {
            let own = self.places.own(program.command, program.folder);
            let words = self.places.arguments(program.command, own.as_deref()).into_iter();
            let words = words.filter_map(|word| match word {
                Argument::Path(place) => Some(place.path()),
                Argument::Text(_) | Argument::File(_) | Argument::Folder(_) => None,
            });
            for path in own.into_iter().chain(words) {
                let writer = path.ancestors().find_map(|folder| Some((folder, self.written.get(folder)?)));
                if let Some((folder, (_, whose))) = writer.filter(|(_, (build, _))| program.build != Some(build)) {
                    return Err((index, refusal(&program.whose, whose, folder)));
                }
            }
        }
        Ok(())
    }
}

fn refusal(whose: &str, other: &str, folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "{whose}: the build of {other} could change its program, because it may write {folder}; give each a folder of its \
         own (folder = \"…\"), or name {folder} in `[build] writable`, which all builds share"
    )
}
