//! All figures, recomputed by an independent program with scipy. Skipped without scipy, unless `REQUIRE_SCIPY` is set.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use super::*;
use crate::support::*;

/// Finds a Python that has scipy: the one in `PYTHON`, the first on the `PATH`, or the system's.
pub(crate) fn python() -> Option<String> {
    let candidates = std::env::var("PYTHON").into_iter().chain(["python3", "/usr/bin/python3"].map(str::to_owned));
    let has_scipy = |python: &String| {
        // To look for it is quicker than to load it.
        let look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('scipy') is None)";
        Command::new(python).args(["-c", look]).output().is_ok_and(|output| output.status.success())
    };
    let found = candidates.into_iter().find(has_scipy);
    assert!(found.is_some() || std::env::var_os("REQUIRE_SCIPY").is_none(), "no Python with scipy; try PYTHON=…");
    found
}

/// What commands print about files, and the arguments by which the program recomputes all of it in one go: to load scipy
/// takes longer than most contests.
struct Printed<'a> {
    folder: &'a Folder,
    arguments: Vec<String>,
    outputs: usize,
}

impl Printed<'_> {
    #[track_caller]
    fn add(&mut self, command: &str, files: &[(String, String)]) {
        let paths = files.iter().map(|(_, path)| path.as_str());
        let printed = self.folder.judge([command].into_iter().chain(paths).chain(["--format", "json"])).exits(0).stdout;
        self.outputs += 1;
        let name = format!("{command}-{}.json", self.outputs);
        self.folder.file(&name, printed);
        if !self.arguments.is_empty() {
            self.arguments.push("--".to_owned());
        }
        self.arguments.push(name);
        self.arguments.extend(files.iter().map(|(name, path)| format!("{name}={path}")));
    }

    /// Recomputes all of it, and returns the number of figures.
    fn recompute(&self, python: &str) -> usize {
        let script = project().join("judge/tests/cli/compare/recompute.py");
        let mut program = Command::new(python);
        let output = program.arg(script).args(&self.arguments).current_dir(self.folder.path()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{message}{}", String::from_utf8_lossy(&output.stderr));
        message.split(' ').next().and_then(|number| number.parse().ok()).unwrap()
    }
}

/// An entry's name and its results.
type Entry = (&'static str, Vec<String>);

/// Ten contests: the file's name, its boards, and the results of each entry, as [`runs`] reads them.
fn contests() -> Vec<(&'static str, Vec<Entry>)> {
    let fixed = |rows: &[(&'static str, &[&str])]| -> Vec<Entry> {
        rows.iter().map(|(entry, cells)| (*entry, cells.iter().map(|&cell| cell.to_owned()).collect())).collect()
    };
    // Moves with a spread, and a failure every so often.
    let made = |boards: u64, entries: &[(&'static str, u64, u64)]| -> Vec<Entry> {
        let cell = |entry: u64, longer: u64, fails: u64, board: u64| match (board * 7 + entry) % fails {
            0 => ["TIM", "CRA", "ILL", "12/9"][(board % 4) as usize].to_owned(),
            _ => format!("25/{}", 60 + board * 37 % 41 + longer * (board * 13 % 5) + entry % 3),
        };
        let row = |&(name, longer, fails): &(&'static str, u64, u64)| {
            (name, (0..boards).map(|board| cell(name.len() as u64, longer, fails, board)).collect())
        };
        entries.iter().map(row).collect()
    };
    vec![
        ("ties", fixed(&[("a", &["25/9"; 7]), ("b", &["25/9"; 7]), ("c", &["25/9"; 7])])),
        (
            "failures",
            fixed(&[
                ("a", &["TIM", "CRA", "ILL", "12/3", "25/9", "9/1"]),
                ("b", &["CRA", "TIM", "ILL", "11/3", "TIM", "9/4"]),
                ("c", &["25/9", "ILL", "25/7", "12/8", "ILL", "25/2"]),
            ]),
        ),
        ("one-board", fixed(&[("a", &["25/9"]), ("b", &["25/8"]), ("c", &["TIM"])])),
        (
            "zero-moves",
            fixed(&[
                ("a", &["25/0", "25/0", "25/4", "25/0", "25/6", "25/1", "25/0"]),
                ("b", &["25/0", "25/3", "25/0", "TIM", "25/5", "25/2", "25/1"]),
                ("c", &["25/2", "25/1", "25/8", "25/7", "25/5", "25/3", "25/9"]),
            ]),
        ),
        ("six-boards", fixed(&[("a", &["25/9"; 6]), ("b", &["25/10", "25/11", "25/12", "25/13", "25/14", "TIM"])])),
        ("judge-errors", {
            let mut rows = made(8, &[("a", 0, 5), ("bb", 2, 7)]);
            rows.push(("late", vec!["25/70".into(), "JUD".into(), "25/71".into()]));
            rows
        }),
        ("twelve-boards", made(12, &[("a", 0, 50), ("bb", 1, 6), ("ccc", 2, 50), ("dddd", 0, 4)])),
        ("nineteen-boards", made(19, &[("a", 1, 50), ("bb", 2, 50)])),
        ("thirty-boards", made(30, &[("a", 0, 90), ("bb", 1, 90), ("ccc", 2, 5), ("dddd", 5, 90), ("eeeee", 0, 3)])),
        ("one-entry", made(9, &[("alone", 1, 4)])),
    ]
}

#[test]
#[ignore = "deep: clients"]
fn every_figure_is_that_of_an_independent_program() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python with scipy");
        return;
    };
    let folder = Folder::new();
    let file = |name: &str, limit_ms: u64, contest: &[(&str, Vec<String>)]| -> (String, String) {
        let boards: Vec<String> = (0..200).map(|board| format!("B{board}")).collect();
        let results: Vec<(&str, &str, &str, u64)> = contest
            .iter()
            .flat_map(|(entry, cells)| {
                let cells = cells.iter().zip(&boards).zip(1u64..);
                cells.map(|((cell, board), at)| (*entry, board.as_str(), cell.as_str(), at * at * 1_237 % 900_000))
            })
            .collect();
        folder.file(&format!("{name}.csv"), runs(limit_ms, &results));
        (name.to_owned(), format!("{name}.csv"))
    };
    let mut printed = Printed { folder: &folder, arguments: Vec::new(), outputs: 0 };
    for (name, contest) in contests() {
        let files = [file(name, 1_000, &contest)];
        printed.add("rank", &files);
        if contest.len() > 1 {
            printed.add("compare", &files);
        }
    }
    let results = |name: &str| project().join("results").join(name).display().to_string();
    let published = ("published-1995".to_owned(), published());
    let random = ("random-10s".to_owned(), results("random-10s.csv"));
    // The three recorded contests are all called results.csv, so that several of them are named by their paths.
    let [second, ten, minutes] =
        ["1995-1s", "1995-10s", "1995-10m"].map(|name| results(&format!("{name}/results.csv")));
    let alone = ("results".to_owned(), ten.clone());
    printed
        .add("compare", &[vec![published], [second, ten, minutes].map(|path| (path.clone(), path)).to_vec()].concat());
    for files in [[alone], [random]] {
        printed.add("compare", &files);
        printed.add("rank", &files);
    }
    let figures = printed.recompute(&python);
    assert!(figures > 10_000, "{figures}");
}
