//! Results of any origin, as `judge rank`, `compare` and `report` get them.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use judge_core::compare::Source;
use judge_core::journal::{self, FILE_NAME, stdout_of};
use judge_core::results::Results;
use judge_page::PageSource;
use tempfile::TempDir;

use crate::common::{new_folder, sealed};

/// The line between two parts of an input.
const BETWEEN: &[u8] = b"\n====\n";
/// The most parts: a page or a comparison of more takes longer and has no other code.
const MAX_PARTS: usize = 3;
/// The most answers that are written into a results directory.
const MAX_ANSWERS: usize = 8;

thread_local! {
    static FOLDERS: RefCell<Vec<TempDir>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function with the results that the parts of an input are: a CSV file, or a journal, which begins with `{`. A line
/// `answer` in a journal's part ends the journal; what follows is what every entry printed. Parts that are refused are left
/// out; the refusal names the file and has a reason.
pub(crate) fn with_sources(bytes: &[u8], check: impl FnOnce(&[PageSource])) {
    let mut sources = Vec::new();
    let mut rest = Some(bytes);
    for part in 0..MAX_PARTS {
        let Some(all) = rest else { break };
        let (this, next) = split(all, BETWEEN).map_or((all, None), |(this, next)| (this, Some(next)));
        rest = next;
        sources.extend(read(part, this));
    }
    check(&sources);
    // Links and other remains of one input are not there for the next.
    FOLDERS.with_borrow_mut(|folders| {
        for folder in folders.iter() {
            fs::remove_dir_all(folder.path().join("output")).ok();
        }
    });
}

/// The sources without their directories.
pub(crate) fn plain(sources: &[PageSource]) -> Vec<Source> {
    sources.iter().map(|source| source.source().clone()).collect()
}

fn read(part: usize, bytes: &[u8]) -> Option<PageSource> {
    let name = format!("part-{part}");
    if !bytes.starts_with(b"{") {
        let file = format!("{name}.csv");
        return match Results::read_csv(&file, bytes) {
            Ok(results) => Some(Source { name, results }.into()),
            Err(refusal) => {
                assert!(refusal.to_string().starts_with(&format!("{file}: ")), "{refusal}");
                None
            }
        };
    }
    FOLDERS.with_borrow_mut(|folders| {
        while folders.len() <= part {
            folders.push(new_folder());
        }
        let folder = folders[part].path();
        let (journal, answer) = split(bytes, b"\nanswer\n").unwrap_or((bytes, b""));
        fs::write(folder.join(FILE_NAME), sealed(&[journal, b"\n"].concat())).expect("the folder can be written");
        write_answers(folder, answer);
        let read = journal::read(folder).map_err(|refusal| assert!(!refusal.to_string().is_empty())).ok()?;
        Some(PageSource::from_directory(folder, read, name))
    })
}

/// Writes an answer for the first runs of a journal, unless a name in it leads out of the folder.
fn write_answers(folder: &Path, answer: &[u8]) {
    let Ok(contents) = journal::read(folder) else { return };
    for record in contents.records.iter().take(MAX_ANSWERS) {
        let harmless = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
        if harmless(&record.key.entry) && harmless(&record.key.board) {
            let file = stdout_of(folder, record);
            let written =
                fs::create_dir_all(file.parent().expect("it is in the folder")).and_then(|()| fs::write(file, answer));
            // A name can be too long for the file system.
            written.ok();
        }
    }
}

/// The bytes before and after the first occurrence of these.
fn split<'b>(bytes: &'b [u8], between: &[u8]) -> Option<(&'b [u8], &'b [u8])> {
    let place = bytes.windows(between.len()).position(|window| window == between)?;
    Some((&bytes[..place], &bytes[place + between.len()..]))
}
