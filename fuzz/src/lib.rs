//! What the targets share.

use std::path::Path;
use std::sync::OnceLock;

use judge::game::Game;
use judge::games;
use judge::report::{self, Format};
use judge::results::Results;
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
