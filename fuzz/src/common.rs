//! Parts that several targets share.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;
use std::sync::LazyLock;

use judge_core::external::{BoardScoring, Decoded, Malformed};
use judge_core::game::{Game, HouseRules, Puzzle};
use judge_core::games;
use judge_core::journal::Chain;
use judge_core::points::Points;
use judge_core::referee::{self, ReplayResult};
use judge_core::relative::Direction;
use judge_core::results::Results;
use judge_core::scoring::Scoring;
use judge_core::verdict::Verdict;
use judge_report::{self as report, Format};
use tempfile::TempDir;

/// Loyd's Dilemma under one of its two house rules.
pub(crate) fn loyd(centre_transport: &str) -> Box<dyn Game> {
    let rules = HouseRules::new(&BTreeMap::from([("centre_transport", centre_transport)])).expect("a table");
    (games::find("loyd").expect("the judge has loyd").open)(&rules).expect("both rules are known")
}

/// A new folder for a parser that reads files.
///
/// It is in memory, because writing to a disk would take most of the time. `TMPDIR` overrides the place: `fuzz/run` sets it,
/// to remove the folder after a crash.
pub(crate) fn new_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if std::env::var_os("TMPDIR").is_none() && memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("a temporary folder can be made")
}

/// Contests without points, and with points in both directions, with and without points of the board.
pub(crate) fn scorings() -> [BoardScoring<'static>; 4] {
    static UP: LazyLock<Scoring> = LazyLock::new(|| Scoring::new(Direction::Up, 3));
    static DOWN: LazyLock<Scoring> = LazyLock::new(|| Scoring::new(Direction::Down, 0));
    let points = "8".parse().ok();
    let scoring = |scoring, points| BoardScoring { scoring, points };
    [scoring(None, None), scoring(Some(&UP), None), scoring(Some(&UP), points), scoring(Some(&DOWN), None)]
}

/// What a decoder made of what a referee left: an accepted answer has figures if the contest has some, and a board is solved
/// exactly if its figures say so; a refusal has a reason.
pub(crate) fn check_ruled(decoded: Result<Decoded, Malformed>, scoring: BoardScoring<'_>) {
    let ruled = match decoded {
        Ok(ruled) => ruled,
        Err(Malformed(reason)) => return assert!(!reason.is_empty()),
    };
    let given = ruled.verdict.given().expect("a referee rules on answers");
    // Of a contest that declares nothing, a ruling can have the figures of a game.
    let declares_none_of = |figures: bool| scoring.scoring.is_none() || !figures;
    match &ruled.verdict {
        Verdict::Solved(_) => assert_ne!(given.solves(), Some(false)),
        Verdict::Unsolved(_) | Verdict::Valid(_) => assert_ne!(given.solves(), Some(true)),
        Verdict::Wrong { reason, .. } => assert!(!reason.is_empty() && declares_none_of(!given.figures.is_empty())),
        Verdict::IllegalMove { .. } => assert!(declares_none_of(!given.figures.is_empty())),
        other => panic!("no verdict of a referee: {other:?}"),
    }
    assert!(!ruled.verdict.is_success() || declares_none_of(given.figures.is_empty()));
    assert!(scoring.scoring.is_none() || given.full.is_none());
    if let (Some(points), Some(scoring)) = (given.figures.first(), scoring.scoring) {
        assert_eq!(points.decimals(), scoring.main().decimals);
        assert_eq!(points.to_string().parse::<Points>().expect("it is a number"), points);
    }
    let json = serde_json::to_string(&ruled.verdict).expect("a verdict has a JSON form");
    assert_eq!(serde_json::from_str::<Verdict>(&json).expect("that reads back"), ruled.verdict);
}

/// Writes results in one format and returns the text.
pub(crate) fn written(results: &Results, format: Format) -> String {
    let mut bytes = Vec::new();
    report::write(results, format, &mut bytes).expect("memory can be written");
    String::from_utf8(bytes).expect("a report is UTF-8")
}

/// Writes every format. Text for a terminal has no control character, and JSON can be read.
pub(crate) fn check_reports(results: &Results) {
    for format in [Format::Table, Format::Plain] {
        let text = written(results, format);
        let control = text.chars().find(|&c| c.is_control() && c != '\n');
        assert_eq!(control, None, "a control character in {format:?}:\n{text:?}");
    }
    let json = written(results, Format::Json);
    serde_json::from_str::<serde_json::Value>(&json).expect("JSON is JSON");
}

/// Replays an answer whole, in pieces, and move by move. All three must agree. Returns the ruling and the number of positions
/// on the way.
pub(crate) fn rule_in_every_way(puzzle: &dyn Puzzle, answer: &[u8]) -> (ReplayResult, u64) {
    let whole = referee::rule(puzzle, answer).expect("memory can be read");
    let pieces = Pieces { rest: answer, interrupted: false };
    assert_same(&whole, &referee::rule(puzzle, pieces).expect("an interruption is no failure"));
    let mut positions = 0;
    let count = |_, _| {
        positions += 1;
        Ok(())
    };
    assert_same(&whole, &referee::trace(puzzle, answer, count).expect("memory can be read"));
    (whole, positions)
}

/// A reader that returns an answer in pieces. The first byte of each piece sets its length. Before each piece the reader fails
/// once, as if a signal had interrupted it.
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
    assert_eq!((&a.score, &a.illegal, &a.picture), (&b.score, &b.illegal, &b.picture));
}

/// A journal whose whole lines get the hashes of a chain: who changes a journal can make a new one.
pub(crate) fn sealed(journal: &[u8]) -> Vec<u8> {
    let mut chain = Chain::default();
    let lines = journal.split_inclusive(|&byte| byte == b'\n').flat_map(|line| {
        let mut line = line.to_owned();
        if line.ends_with(b"}\n") {
            chain.seal(&mut line);
        }
        line
    });
    lines.collect()
}
