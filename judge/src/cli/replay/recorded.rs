//! The answer of a recorded run, with its board, positions and verdict from the results.

use std::io::{self, Read as _, Write};
use std::path::Path;

use crate::cli::Failure;
use crate::cli::answer::Answer;
use judge_core::external::{Frame, MAX_STORED_FRAMES_BYTES, MAX_TRANSCRIPT_BYTES, dialogue};
use judge_core::games;
use judge_core::journal::{self, ContestState, Part, Record};
use judge_core::key::{Name, RunKey};
use judge_core::matches::game_dialogue;
use judge_core::referee::Ruling;
use judge_core::text::{counted, printable, printable_lines, unknown};
use judge_files::regular;
use judge_report::describe;
use judge_report::directory::{argument, short};

/// Bytes of an answer that can be shown with positions.
const MAX_BYTES: u64 = 64 << 20;
/// Bytes of an answer without positions that are printed.
const MAX_PRINTED: usize = 4000;

/// A recorded run, and the parts of it that can be shown.
pub(super) enum Recorded {
    /// An answer to a board of a built-in game, and the verdict that was set by hand, if any: as a sentence, and true
    /// for a success.
    Answer { title: String, answer: Answer, by_hand: Option<(String, bool)> },
    /// The output of a referee program.
    Refereed(RefereedRun),
    /// A game: its asks and answers with the clocks of the seats, and its result.
    Game(String),
}

/// A recorded ruling of a referee program.
pub(super) struct RefereedRun {
    #[cfg_attr(not(feature = "sandbox"), allow(dead_code, reason = "there is no screen"))]
    pub(super) title: String,
    /// The verdict, the remarks, and the positions that the referee left.
    pub(super) ruling: Ruling,
    /// The part of the answer that can be shown, and the total length of the answer in bytes.
    pub(super) answer: Vec<u8>,
    bytes: u64,
    /// Its exchange with the referee, as a dialogue.
    talk: Option<String>,
    /// The last position in one line.
    final_board: Option<Name>,
}

/// Opens the last attempt of an entry on a board.
pub(super) fn open(results: &Path, entry: &str, against: &[String], board: &str) -> Result<Recorded, Failure> {
    let contents = journal::read(results).map_err(Failure::input)?;
    let record = find(&contents, entry, against, board)?;
    if contents.plan.match_rules.is_some() {
        return game(results, record).map(Recorded::Game);
    }
    let plan = &contents.plan;
    let title = format!("{entry} on {board}, {}", short(results).display());
    let path = journal::stdout_of(results, record);
    let bytes = Part::Stdout.open(results, record).map_err(|error| {
        if error.kind() == io::ErrorKind::InvalidData {
            return changed(&path, &error, results);
        }
        let fault = record.verdict.fault().map_or(String::new(), |fault| format!("; the run: {fault}"));
        Failure::input(format!("{}: {error}{fault}", path.display()))
    })?;
    let problem = plan.problem_of(board);
    if problem.referee.is_some() {
        let length = bytes.metadata().map_or(0, |metadata| metadata.len());
        let mut answer = Vec::new();
        let read = bytes.take(MAX_BYTES).read_to_end(&mut answer);
        read.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        let (verdict, mut notes, frames) =
            (record.verdict.clone(), record.extras.notes.clone(), frames(results, record)?);
        notes.extend(record.extras.by_hand().map(|(ruled, why)| format!("{ruled}: {why}")));
        let mut ruling = Ruling::from(verdict);
        (ruling.frames, ruling.notes) = (frames, notes);
        let final_board = record.final_board.clone();
        let talk = talk(results, record)?;
        return Ok(Recorded::Refereed(RefereedRun { title, ruling, answer, bytes: length, talk, final_board }));
    }
    let found = plan.boards.iter().find(|known| known.name == *board).expect("a run has a board of the plan");
    let kind = games::find(&problem.game)
        .ok_or_else(|| Failure::input(unknown("game", &problem.game, games::GAMES.iter().map(|info| info.name))))?;
    let puzzle = problem.game().map_err(|error| error.to_string());
    let puzzle = puzzle.and_then(|game| game.parse(found.text.as_bytes()).map_err(|error| error.to_string()));
    let puzzle =
        puzzle.map_err(|reason| Failure::input(format!("{}: board {board}: {reason}", short(results).display())))?;
    let name = path.display().to_string();
    let answer = Answer { game: kind.name, info: kind, puzzle, name, bytes: Box::new(bytes) };
    let by_hand = record.extras.by_hand().map(|(ruled, why)| {
        let sentence = format!("{ruled}: {}; the reason: {why}", record.verdict.summary());
        (printable(&sentence), record.verdict.is_success())
    });
    Ok(Recorded::Answer { title, answer, by_hand })
}

impl RefereedRun {
    /// Prints the positions, or the answer if the referee left none, and the verdict.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.ruling.frames.is_empty() && self.talk.is_none() {
            self.write_answer(out)?;
        }
        self.ruling.frames.iter().try_for_each(|frame| describe::frame(frame, "bytes", out))?;
        out.write_all(self.talk.as_deref().unwrap_or_default().as_bytes())?;
        self.write_verdict(out)
    }

    /// Prints the verdict with its figures.
    pub(super) fn write_verdict(&self, out: &mut dyn Write) -> io::Result<()> {
        describe::refereed(&self.ruling, out)?;
        match &self.final_board {
            Some(board) if !self.ruling.verdict.is_success() && self.ruling.frames.is_empty() => {
                writeln!(out, "the board at the end: {board}")
            }
            _ => Ok(()),
        }
    }

    fn write_answer(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.answer.is_empty() {
            return writeln!(out, "the answer is empty");
        }
        let shown = &self.answer[..self.answer.len().min(MAX_PRINTED)];
        writeln!(out, "the referee left no positions; the answer, of {}:", counted(self.bytes, "bytes"))?;
        for line in printable_lines(&String::from_utf8_lossy(shown)).lines() {
            writeln!(out, "    {line}")?;
        }
        match self.bytes - shown.len() as u64 {
            0 => Ok(()),
            more => writeln!(out, "    … and {} more", counted(more, "bytes")),
        }
    }
}

/// The error for a results directory without an entry and a board.
pub(super) fn incomplete(results: &Path) -> Failure {
    let (shown, directory) = (short(results), argument(results));
    let shown = shown.display();
    let example = journal::read(results).ok().and_then(|contents| {
        let key = &contents.records.first()?.key;
        Some(format!(", for example `judge replay {directory} {} {}`", key.entry, key.board))
    });
    let example = example.unwrap_or_default();
    Failure::input(format!("{shown} is a results directory; name an entry and a board of it{example}"))
}

/// The error for a file that differs from the recorded one.
fn changed(path: &Path, error: &io::Error, results: &Path) -> Failure {
    let results = argument(results);
    Failure::input(format!(
        "{}: the file has changed since the run: it {error}; restore it from a copy; `judge verify {results}` checks all",
        path.display()
    ))
}

/// The last recorded attempt of the first repeat.
fn find<'a>(contents: &'a ContestState, entry: &str, against: &[String], board: &str) -> Result<&'a Record, Failure> {
    let plan = &contents.plan;
    let entries: Vec<&str> = plan.entries.iter().map(|entry| entry.name.as_str()).collect();
    let boards: Vec<&str> = plan.boards.iter().map(|board| board.name.as_str()).collect();
    let others = against.iter().map(|name| ("entry", name.as_str(), &entries));
    for (what, wanted, known) in [("entry", entry, &entries), ("board", board, &boards)].into_iter().chain(others) {
        if !known.contains(&wanted) {
            return Err(Failure::input(unknown(what, wanted, known.iter().copied())));
        }
    }
    if contents.plan.match_rules.is_some() && against.is_empty() {
        let reason = "entries play each other in this contest; name all of a game in the order of their seats, and then the board";
        return Err(Failure::input(reason));
    }
    let seats = || [entry].into_iter().chain(against.iter().map(String::as_str));
    let meant = |record: &&Record| {
        let RunKey { board: on, repeat, .. } = &record.key;
        (&**on, *repeat) == (board, 1) && record.key.seats().map(|seat| &**seat).eq(seats())
    };
    contents.records.iter().rev().find(meant).ok_or_else(|| {
        let who = seats().collect::<Vec<_>>().join(" against ");
        let what = if against.is_empty() { "run" } else { "game" };
        Failure::input(format!("{who} has no {what} on {board} yet; make it with `judge resume`"))
    })
}

/// A game: the positions that the referee left, the asks and answers with the clocks of the seats, and its result.
fn game(results: &Path, record: &Record) -> Result<String, Failure> {
    let seats: Vec<String> = (1..).zip(record.key.seats()).map(|(seat, name)| format!("{seat} {name}")).collect();
    let mut text = format!("seats: {}\n", printable(&seats.join(", ")));
    let mut positions = Vec::new();
    for frame in frames(results, record)? {
        describe::frame(&frame, "answers", &mut positions).map_err(|error| Failure::input(error.to_string()))?;
    }
    text.push_str(&String::from_utf8_lossy(&positions));
    text.push_str(&transcript(results, record, game_dialogue)?.unwrap_or_default());
    let line = |line: &str| printable(line) + "\n";
    match &record.extras.played {
        None => text.push_str(&line(&record.verdict.summary())),
        Some(played) => {
            for (seat, name) in played.seats.iter().zip(record.key.seats()) {
                text.push_str(&line(&format!("{name}: {seat}")));
            }
        }
    }
    let ruling = record.extras.by_hand().map(|(ruled, why)| format!("{ruled}: {why}"));
    (ruling.into_iter())
        .chain(record.extras.notes.iter().map(|note| format!("note: {note}")))
        .for_each(|note| text.push_str(&line(&note)));
    Ok(text)
}

/// The exchange of a run with its referee, as a dialogue; `None` without a transcript.
fn talk(results: &Path, record: &Record) -> Result<Option<String>, Failure> {
    transcript(results, record, dialogue)
}

/// The transcript of a run in the form of `shown`; `None` without one.
fn transcript(
    results: &Path,
    record: &Record,
    shown: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, Failure> {
    let path = Part::Transcript.of(results, record);
    let refuse = |reason: &dyn std::fmt::Display| Failure::input(format!("{}: {reason}", path.display()));
    let file = Part::Transcript.open(results, record);
    match file.and_then(|file| regular::read_file(file, MAX_TRANSCRIPT_BYTES)) {
        Ok(bytes) => {
            let talk = std::str::from_utf8(&bytes).ok().and_then(shown);
            talk.map(Some).ok_or_else(|| refuse(&"the transcript is damaged; restore the file from a copy"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(changed(&path, &error, results)),
        Err(error) => Err(refuse(&error)),
    }
}

/// The positions that a referee left; empty if it left no file of positions.
fn frames(results: &Path, record: &Record) -> Result<Vec<Frame>, Failure> {
    let path = journal::frames_of(results, record);
    let refuse = |reason: &dyn std::fmt::Display| Failure::input(format!("{}: {reason}", path.display()));
    let file = Part::Frames.open(results, record);
    match file.and_then(|file| regular::read_file(file, MAX_STORED_FRAMES_BYTES)) {
        Ok(bytes) => {
            Frame::read(&bytes).ok_or_else(|| refuse(&"the positions are damaged; restore the file from a copy"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            let results = argument(results);
            Err(refuse(&format!(
                "the file has changed since the run: it {error}; restore it from a copy, or write the positions anew with \
                 `judge rejudge {results}`"
            )))
        }
        Err(error) => Err(refuse(&error)),
    }
}
