//! Calls the command `judge`: tests and examples of the entries compare their own rules with its rulings and boards.
//!
//! It is the program that the environment variable `JUDGE` names by an absolute path, or else the newest that was built in
//! `target/` of the project.
//!
//! # Panics
//! Every function panics if there is no `judge`, or if it does not do what it is asked: a test has to fail then.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use serde::Deserialize;

/// The ruling of `judge validate` on an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "Printed")]
pub struct Ruling {
    /// The verdict, such as `solved`.
    pub verdict: String,
    /// The progress of the answer, at most `of`.
    pub progress: u64,
    /// The progress that solves the board.
    pub of: u64,
    /// The number of legal moves.
    pub moves: u64,
    /// The figure that breaks ties, such as steps.
    pub tie_break: u64,
    /// The number of the illegal move.
    pub failed_at: Option<u64>,
    /// The reason why that move is illegal.
    pub reason: Option<String>,
}

/// A ruling as it is printed.
#[derive(Deserialize)]
struct Printed {
    verdict: String,
    figures: BTreeMap<String, String>,
    full: String,
    failed_at: Option<u64>,
    reason: Option<String>,
}

impl From<Printed> for Ruling {
    fn from(printed: Printed) -> Self {
        let number = |text: &String| text.parse().expect("a whole number");
        let [progress, moves, tie_break] =
            ["progress", "moves", "tie_break"].map(|name| number(&printed.figures[name]));
        let Printed { verdict, full, failed_at, reason, .. } = printed;
        Self { verdict, progress, of: number(&full), moves, tie_break, failed_at, reason }
    }
}

impl Ruling {
    /// Tests whether the answer solves its board.
    pub fn is_solved(&self) -> bool {
        self.verdict == "solved"
    }

    /// Moves and tie-break of an answer that solves its board.
    #[track_caller]
    pub fn solving(&self) -> (u64, u64) {
        assert!(self.is_solved(), "{self:?}");
        (self.moves, self.tie_break)
    }

    /// Tests whether every move is legal.
    pub fn is_legal(&self) -> bool {
        self.failed_at.is_none()
    }
}

/// The command, to be given arguments.
pub fn judge() -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let mut command = Command::new(PROGRAM.get_or_init(program));
    command.stdin(Stdio::null());
    command
}

fn program() -> PathBuf {
    if let Some(named) = env::var_os("JUDGE") {
        let named = PathBuf::from(named);
        assert!(
            named.is_absolute() && named.is_file(),
            "JUDGE is {}: name a program by an absolute path",
            named.display()
        );
        return named;
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let built = ["debug", "release"].map(|profile| target.join(profile).join("judge")).into_iter();
    let built = built.filter_map(|program| Some((program.metadata().ok()?.modified().ok()?, program)));
    let newest = built.max().map(|(_, program)| program);
    newest
        .expect("`judge` is not built: `cargo build --release` in the project's folder builds it; or name one in JUDGE")
}

/// The standard output of `judge` with these arguments, which has to exit with 0.
pub fn printed<'a>(arguments: impl IntoIterator<Item = &'a str>) -> String {
    let mut judge = judge();
    judge.args(arguments);
    let output = judge.output().expect("the program can be started");
    assert!(output.status.success(), "{judge:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("what `judge` prints is text")
}

/// The ruling on an answer to the board in a file.
pub fn ruling(game: &str, board: &Path, answer: impl AsRef<[u8]>) -> Ruling {
    let mut judge = judge();
    judge.args(["validate", "--json", "--game", game]).arg(board).arg("-");
    let mut child =
        judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // It stops reading at an illegal move.
    let written = child.stdin.take().expect("a pipe").write_all(answer.as_ref());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the output can be read");
    let messages = String::from_utf8_lossy(&stderr);
    let ruling: Ruling = serde_json::from_slice(&stdout).unwrap_or_else(|_| panic!("{judge:?}: {status} {messages}"));
    assert!(written.is_ok() || !ruling.is_legal(), "{judge:?} did not read its input");
    ruling
}

/// The rulings on answers to boards, each pair of texts, in their order.
pub fn rulings(game: &str, answers: &[(String, String)]) -> Vec<Ruling> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    side_by_side(answers, |index, (board, answer)| {
        let file = folder.path().join(index.to_string());
        fs::write(&file, board).expect("the board is written");
        ruling(game, &file, answer)
    })
}

/// The board that `judge boards make --random` makes of each seed, with these pieces.
pub fn random_boards(game: &str, pieces: Option<&str>, seeds: impl IntoIterator<Item = u64>) -> Vec<String> {
    let seeds: Vec<String> = seeds.into_iter().map(|seed| seed.to_string()).collect();
    side_by_side(&seeds, |_, seed| {
        let pieces = pieces.into_iter().flat_map(|pieces| ["--pieces", pieces]);
        printed(["boards", "make", "--game", game, "--random", "--seed", seed].into_iter().chain(pieces))
    })
}

/// Tests which of these texts `judge boards check` accepts as boards.
pub fn accepted(game: &str, texts: &[String]) -> Vec<bool> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names: Vec<String> = (0..texts.len()).map(|index| index.to_string()).collect();
    for (name, text) in names.iter().zip(texts) {
        fs::write(folder.path().join(name), text).expect("the board is written");
    }
    let mut judge = judge();
    judge.args(["boards", "check", "--game", game]).args(&names).current_dir(folder.path());
    let output = judge.output().expect("the program can be started");
    assert!(matches!(output.status.code(), Some(0 | 2)), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("what `judge` prints is text");
    assert_eq!(lines.lines().count(), texts.len(), "a line per board\n{lines}");
    let accepted: HashSet<&str> = lines.lines().filter_map(|line| line.strip_suffix(": ok")).collect();
    names.iter().map(|name| accepted.contains(&**name)).collect()
}

/// The results for all items, computed by as many threads as there are processors.
fn side_by_side<T: Sync, R: Send>(items: &[T], compute: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, compute(index, item)));
        }
    };
    let mut all = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}
