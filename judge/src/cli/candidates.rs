//! Names that a shell completes: those of the contest files and results on the command line, else those of the contest
//! file in the working directory.
//!
//! They are read again at each completion. So only names are read, nothing is checked, and a damaged file has no names.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use serde::Deserialize;

use judge_core::journal;
use judge_files::regular;
use judge_report::directory::found;

/// The most bytes that are read of a file, so that completion is fast.
const MAX_BYTES: u64 = 4 << 20;

/// Completes the name of an entry.
pub(super) fn entries() -> ArgValueCompleter {
    completer(|names| names.entries.into_iter().map(|entry| entry.name).collect())
}

/// Completes the identifier of a problem.
pub(super) fn problems() -> ArgValueCompleter {
    completer(|names| names.problems.into_iter().map(|problem| problem.id).collect())
}

fn completer(chosen: fn(Names) -> Vec<String>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |begun: &OsStr| {
        let Some(begun) = begun.to_str() else { return Vec::new() };
        // The shell's request ends with `--`, and after it comes the command line, which begins with this program.
        let words: Vec<OsString> = std::env::args_os().skip_while(|word| word != "--").skip(2).collect();
        let mut names = chosen(Names::of(&words));
        names.retain(|name| !name.is_empty() && name.starts_with(begun));
        names.into_iter().map(CompletionCandidate::new).collect()
    })
}

/// The names of a contest, as its file or its journal has them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Names {
    #[serde(alias = "entry")]
    entries: Vec<EntryName>,
    #[serde(alias = "problem")]
    problems: Vec<ProblemName>,
}

#[derive(Deserialize)]
struct EntryName {
    name: String,
}

#[derive(Deserialize)]
struct ProblemName {
    #[serde(default)]
    id: String,
}

impl Names {
    /// The names in the contests and results that these words name, else in the contest of the working directory.
    fn of(words: &[OsString]) -> Self {
        let named: Vec<Self> = words.iter().filter_map(|word| Self::named_by(word)).collect();
        if named.is_empty() {
            return Self::in_contest(Path::new(judge_contest::FILE_NAME)).unwrap_or_default();
        }
        let mut all = Self::default();
        for names in named {
            all.entries.extend(names.entries);
            all.problems.extend(names.problems);
        }
        all
    }

    /// The names of a contest file, of results, or of a folder that has one of them; `None` for any other word.
    fn named_by(word: &OsStr) -> Option<Self> {
        // An option can have its value after `=`.
        let word =
            word.to_str().and_then(|word| Some(word.strip_prefix("--")?.split_once('=')?.1.as_ref())).unwrap_or(word);
        let path = found(Path::new(word)).unwrap_or_else(|| PathBuf::from(word));
        if !path.is_dir() {
            return path.extension().filter(|ending| *ending == "toml").and_then(|_| Self::in_contest(&path));
        }
        // The results of an office are in its folder.
        let journals = [path.clone(), path.join("results")].map(|folder| folder.join(journal::FILE_NAME));
        let recorded = journals.iter().find_map(|journal| Self::in_journal(journal));
        recorded.or_else(|| Self::in_contest(&path.join(judge_contest::FILE_NAME)))
    }

    fn in_contest(path: &Path) -> Option<Self> {
        let text = regular::read(path, MAX_BYTES).ok()?;
        toml::from_slice(&text).ok()
    }

    /// The names in the header of a journal, and the entries that its first bytes add.
    fn in_journal(path: &Path) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(tag = "line", rename_all = "snake_case")]
        enum Line {
            Contest {
                plan: Names,
            },
            Entry {
                entry: EntryName,
            },
            #[serde(other)]
            Other,
        }
        let lines = BufReader::new(regular::open(path).ok()?.take(MAX_BYTES)).split(b'\n').map_while(Result::ok);
        let mut names = None;
        for line in lines {
            match serde_json::from_slice(&line) {
                Ok(Line::Contest { plan }) => names = Some(plan),
                Ok(Line::Entry { entry }) => names.get_or_insert_with(Self::default).entries.push(entry),
                Ok(Line::Other) | Err(_) => {}
            }
        }
        names
    }
}
