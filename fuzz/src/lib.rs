//! What the targets share.

use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use judge_core::game::{Game, Puzzle};
use judge_core::games;
use judge_core::referee::{self, ReplayResult};
use judge::report::{self, Format};
use judge_core::results::Results;
use tempfile::TempDir;

/// The game under one of its two house rules.
pub fn loyd(centre_transport: &str) -> Box<dyn Game> {
    let rules = toml::Table::from_iter([("centre_transport".into(), centre_transport.into())]);
    (games::find("loyd").expect("the judge knows loyd").open)(&rules).expect("both rules are known")
}

/// A folder for the parsers that read files, the same for the whole process.
///
/// In memory, for a disk would be most of the time. `TMPDIR` overrules it, so that `fuzz/run` can clear up after a
/// crash, which drops nothing.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let memory = Path::new("/dev/shm");
    let made = FOLDER.get_or_init(|| {
        let made = if std::env::var_os("TMPDIR").is_none() && memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        made.expect("a temporary folder can be made")
    });
    made.path()
}

/// Results in one format.
pub fn written(results: &Results, format: Format) -> String {
    let mut bytes = Vec::new();
    report::write(results, format, &mut bytes).expect("memory can be written");
    String::from_utf8(bytes).expect("a report is UTF-8")
}

/// Writes every format. What is for people must not steer a terminal, what is for programs must be readable.
pub fn check_reports(results: &Results) {
    for format in [Format::Table, Format::Plain] {
        let text = written(results, format);
        let control = text.chars().find(|&c| c.is_control() && c != '\n');
        assert_eq!(control, None, "a control character in {format:?}:\n{text:?}");
    }
    let json = written(results, Format::Json);
    serde_json::from_str::<serde_json::Value>(&json).expect("JSON is JSON");
}

/// The referee's ruling on an answer: whole, in pieces and followed move by move, which must not matter; and how many
/// positions there were to follow.
pub fn rule_in_every_way(puzzle: &dyn Puzzle, answer: &[u8]) -> (ReplayResult, u64) {
    let whole = referee::rule(puzzle, answer).expect("memory can be read");
    let pieces = Pieces { rest: answer, interrupted: false };
    assert_same(&whole, &referee::rule(puzzle, pieces).expect("interruptions are no failure"));
    let mut positions = 0;
    let count = |_, _| {
        positions += 1;
        Ok(())
    };
    assert_same(&whole, &referee::trace(puzzle, answer, count).expect("memory can be read"));
    (whole, positions)
}

/// Hands out an answer in pieces as long as their own first byte says, and is interrupted before each, as by a signal.
struct Pieces<'a> {
    rest: &'a [u8],
    interrupted: bool,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = self.rest.first().map_or(0, |byte| usize::from(byte % 16) + 1);
        let (piece, rest) = self.rest.split_at(length.min(self.rest.len()).min(buffer.len()));
        self.rest = rest;
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

fn assert_same(a: &ReplayResult, b: &ReplayResult) {
    assert_eq!((a.score, &a.illegal, &a.picture), (b.score, &b.illegal, &b.picture));
}
