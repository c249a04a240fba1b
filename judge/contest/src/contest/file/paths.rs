//! Paths in a contest file: their meaning, and the paths that are refused.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::sha256_of;
use judge_core::plan::{Statement, StoredFile};
use judge_files::regular;
use judge_job::{IsolationMode, Place, leads_through_proc};
use toml::Spanned;

use super::values::words;
use super::{EntryTable, Reader};
use crate::contest::files::FilePaths;
use crate::contest::{BuildRules, ContestError, Places, write_up};

/// The reason why a path through /proc is refused.
pub(super) const THROUGH_PROC: &str = "leads through /proc, where a path means another file to every process";

/// The remedy for a link that is not followed.
const NO_LINKS: &str = "name the place that it leads to, or copy that into the folder";

impl Reader<'_> {
    /// The meaning of the paths in this file.
    pub(super) fn places<'r>(&self, rules: &'r BuildRules) -> Places<'r> {
        let contest = self.canonical();
        Places::new(contest.parent().unwrap_or(&contest), rules)
    }

    /// A file that the contest file names, relative to its folder.
    pub(super) fn relative(&self, path: &Spanned<String>) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path.get_ref())
    }

    /// The path of the contest file in the contest: absolute, with its folder's links resolved.
    pub(super) fn canonical(&self) -> PathBuf {
        judge_job::canonical_parent(&std::path::absolute(self.contest).unwrap_or_else(|_| self.contest.to_owned()))
    }

    /// A path relative to the contest file's folder, made absolute. `{dir}` in it is replaced by that folder.
    pub(super) fn absolute(&self, path: &str) -> PathBuf {
        let file = self.canonical();
        let folder = file.parent().unwrap_or(&file);
        folder.join(path.replace("{dir}", &folder.to_string_lossy()))
    }

    /// Files and folders that must exist, because an entry without them would only fail. Those that a build can still create need
    /// not exist before it.
    pub(super) fn readable(
        &self,
        key: &str,
        paths: &[Spanned<String>],
        built: bool,
        places: &Places<'_>,
        own: Option<&Path>,
    ) -> Result<Vec<String>, ContestError> {
        for path in paths {
            let named = self.relative(path);
            if !built && !named.exists() {
                return Err(self.refuse(path.span(), format!("{key}: {} does not exist", named.display())));
            }
            let place = places.place(&self.path_in_contest(path.get_ref()), own);
            // A link that a build created later fails only that build.
            let is_built = built && place.root == places.contest();
            if !is_built && leads_through_proc(&self.absolute(&self.path_in_contest(path.get_ref()))) {
                let reason = format!("{key}: {} {THROUGH_PROC}; an entry has its own /proc", named.display());
                return Err(self.refuse(path.span(), reason));
            }
            if !built {
                self.check_place(key, path.span(), &place)?;
            }
        }
        Ok(paths.iter().map(|path| self.path_in_contest(path.get_ref())).collect())
    }

    /// Refuses a path that leads out of the folder in which it begins. A path that leads nowhere is refused elsewhere.
    pub(super) fn check_place(&self, key: &str, span: Range<usize>, place: &Place) -> Result<(), ContestError> {
        match place.check() {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Err(self.refuse(span, format!("{key}: {} {error}; {NO_LINKS}", place.path().display())))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a build that would have no folder to write.
    pub(super) fn check_build(
        &self,
        builds: &BuildRules,
        whose: &str,
        span: Option<Range<usize>>,
        command: &[String],
        folder: Option<&str>,
    ) -> Result<(), ContestError> {
        let Some(span) = span.filter(|_| builds.isolation != IsolationMode::Off) else { return Ok(()) };
        let places = self.places(builds);
        let folder = places.build_folder(command, folder);
        let folder = folder.map_err(|reason| self.refuse(span.clone(), format!("{whose}: its {reason}")))?;
        match folder.check() {
            // In a folder that builds share, another build may have created a link. Only the build of this entry fails then.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput && folder.root == places.contest() => {
                let folder = folder.path();
                Err(self.refuse(span, format!("{whose}: its folder {} {error}; {NO_LINKS}", folder.display())))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn write_ups(
        &self,
        tables: &[EntryTable],
        places: &Places<'_>,
    ) -> Result<BTreeMap<String, String>, ContestError> {
        let mut texts = BTreeMap::new();
        for table in tables {
            let Some(file) = &table.write_up else { continue };
            let command = table.command.as_ref().and_then(|command| words(command.get_ref()).ok()).unwrap_or_default();
            let place = places.place(file.get_ref(), places.own(&command, table.folder.as_deref()).as_deref());
            match write_up::read(&place) {
                Ok(text) => drop(texts.insert(table.name.get_ref().clone(), text)),
                // A build may have replaced the file since. Then nothing is published, and the contest continues.
                Err(_) if table.build.is_some() && !is_missing(&place.path()) => {}
                Err(reason) => return Err(self.refuse(file.span(), reason)),
            }
        }
        Ok(texts)
    }

    pub(super) fn statement(
        &self,
        file: &Spanned<String>,
        places: &Places<'_>,
        paths: &mut FilePaths,
    ) -> Result<Statement, ContestError> {
        let place = places.place(&self.path_in_contest(file.get_ref()), None);
        let refuse = |reason| self.refuse(file.span(), format!("statement: {}: {reason}", place.path().display()));
        statement(&place, paths).map_err(refuse)
    }
}

/// Reads a statement; the error is a fragment.
fn statement(place: &Place, paths: &mut FilePaths) -> Result<Statement, String> {
    let path = place.path();
    let read = |most: u64| match place.read().and_then(|file| regular::read_file(file, most)) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err("no such file".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        // Any encoding is possible; invalid bytes are shown as such.
        Some("md") => read(Statement::MAX_TEXT_BYTES)
            .map(|bytes| Statement::Markdown(String::from_utf8_lossy(&bytes).into_owned())),
        Some("pdf") => {
            let bytes = read(Statement::MAX_PDF_BYTES)?;
            if !Statement::is_pdf(&bytes) {
                return Err("is not a PDF file".into());
            }
            let sha256 = sha256_of(&bytes);
            paths.insert(sha256.clone(), path);
            Ok(Statement::Pdf(StoredFile { sha256, bytes: bytes.len() as u64 }))
        }
        _ => Err("must be Markdown (`.md`) or a PDF file (`.pdf`)".into()),
    }
}

/// Tests whether nothing exists at a path. A link exists, and so does anything in a folder that cannot be read.
fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}
