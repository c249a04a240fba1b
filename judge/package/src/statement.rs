//! The problem statement of a package: a text in Markdown, or a PDF file.

use std::path::{Path, PathBuf};

use judge_core::plan::Statement;
use judge_core::text::printable;

use crate::error::PackageError;
use crate::files::Files;

/// The folders of statements: of 2025-09, of older packages, and of older tasks of CMS.
const FOLDERS: [&str; 3] = ["statement", "problem_statement", "testo"];
/// The path at which DOMjudge expects a statement.
const OF_DOMJUDGE: &str = "problem.pdf";
/// The name without language of a statement, by format.
const NAMES: [&str; 3] = ["problem", "statement", "testo"];
/// English, as codes and tasks of CMS name it.
const ENGLISH: [&str; 2] = ["en", "english"];

/// The file of a statement that a contest can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    path: PathBuf,
    is_text: bool,
}

/// Finds the statement of a package: Markdown before PDF, and English before others. The notices list what cannot be used.
pub(crate) fn find(files: &Files) -> Result<(Option<Source>, Vec<String>), PackageError> {
    let mut all = Vec::new();
    for folder in FOLDERS.map(|name| files.root().join(name)) {
        if folder.is_dir() {
            all.extend(files.list(&folder)?.into_iter().map(|name| folder.join(name)));
        }
    }
    all.push(files.root().join(OF_DOMJUDGE));
    all.retain(|path| path.is_file());
    all.sort_by_cached_key(|path| (kind(path), language(path), path.clone()));
    let mut notices = Vec::new();
    for path in &all {
        let (is_text, most) = match kind(path) {
            Kind::Markdown => (true, Statement::MAX_TEXT_BYTES),
            Kind::Pdf => (false, Statement::MAX_PDF_BYTES),
            Kind::Other => break,
        };
        let name = printable(&path.strip_prefix(files.root()).unwrap_or(path).to_string_lossy());
        match files.bytes(path, most) {
            Ok(bytes) if is_text || Statement::is_pdf(&bytes) => {
                return Ok((Some(Source { path: path.clone(), is_text }), notices));
            }
            Ok(_) => notices.push(format!("{name}: is not a PDF file, and is left out")),
            Err(error) => notices.push(format!("{name}: is left out: {}", error.reason)),
        }
    }
    if let Some(tex) = all.iter().find(|path| ending(path) == "tex") {
        let name = printable(&tex.strip_prefix(files.root()).unwrap_or(tex).to_string_lossy());
        notices.push(format!(
            "{name}: a statement in TeX is not taken; make a PDF file of it, and name that in the contest file: statement = \
             \"statement.pdf\""
        ));
    }
    Ok((None, notices))
}

impl Source {
    /// Copies the statement into the folder of a contest, and returns its name there.
    pub(crate) fn write(&self, files: &Files, folder: &Path) -> Result<&'static str, PackageError> {
        let name = if self.is_text { "statement.md" } else { "statement.pdf" };
        let target = folder.join(name);
        if self.is_text {
            let text = files.text(&self.path, Statement::MAX_TEXT_BYTES)?;
            std::fs::write(&target, text).map_err(|error| PackageError::whole(&target, error))?;
        } else {
            files.copy(&self.path, &target)?;
        }
        Ok(name)
    }
}

/// The kinds of statements, the best one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Markdown,
    Pdf,
    Other,
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

fn kind(path: &Path) -> Kind {
    match ending(path) {
        "md" => Kind::Markdown,
        "pdf" => Kind::Pdf,
        _ => Kind::Other,
    }
}

/// The rank of the language in a file's name: English, then none, then others.
fn language(path: &Path) -> usize {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    match last {
        english if ENGLISH.contains(&english) => 0,
        plain if NAMES.contains(&plain) => 1,
        _ => 2,
    }
}
