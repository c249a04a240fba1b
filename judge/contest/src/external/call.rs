//! One call of a referee: the job of its protocol, and the resulting files.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use judge_core::external::{
    ACCEPTED, BoardScoring, Decoded, Feedback, Frame, FrameView, FramesError, MAX_FRAMES_BYTES, MAX_RESULT_BYTES,
    MAX_RULING_BYTES, Malformed, OnCrash, Protocol, REJECTED, decode_kattis, decode_result, decode_ruling, first_line,
    parse_frames,
};
use judge_core::figure::RefereeFigures;
use judge_core::plan::{Board, FileContents};
use judge_core::referee::Ruling;
use judge_core::verdict::{Exit, Verdict};
use judge_files::regular;
use judge_job::{
    Argument, CopiedFile, End, Interrupted, Job, Limits, Outcome, PlacedFile, Stdin, WantedFile, WantedFolder,
};
use tempfile::TempDir;

use super::{External, Failure};
use crate::guard::catch_panic;

/// Names of files in the scratch directory of a referee. None reveals the author of the answer.
const BOARD: &str = "board";
const ANSWER: &str = "answer";
const JUDGE_ANSWER: &str = "judge_answer";
const RESULT: &str = "result.xml";
const OUT: &str = "out";
/// The file in that folder that requests another pass.
const NEXT_PASS: &str = "nextpass.in";
/// The most bytes and files that a referee may leave in its folder.
const MAX_LEFT_BYTES: u64 = 16 << 20;
const MAX_LEFT_FILES: usize = 5000;
/// The largest answer that may be copied to a folder in memory, in bytes.
const MAX_IN_MEMORY: u64 = 16 << 20;
/// The most bytes that are read of a referee's message.
const MESSAGE_BYTES: u64 = 64 << 10;

/// The exit code that rejects in a talk under the native protocol, in addition to the ruling: the code ends the talk, and the
/// ruling is read afterwards.
pub(super) const TALK_REJECTS: i32 = 1;

/// The start of a pass: the input that the previous pass requested, and the folder that the referee left.
#[derive(Clone, Copy)]
pub(super) struct PassInput<'a> {
    pub(super) input: &'a Path,
    pub(super) folder: &'a Path,
}

/// The input of a referee's program besides a board.
#[derive(Clone, Copy)]
pub(super) enum RefereeInput<'a> {
    /// Nothing, for a tool.
    Nothing,
    /// The answer in this file.
    Answer(&'a Path),
    /// The entry itself, over standard input and output.
    Talk,
    /// This number of seats, over standard input and output.
    Seats(usize),
}

/// A call that has ended.
pub(crate) struct FinishedCall {
    pub(super) outcome: Outcome,
    /// The folder with its output. Its subfolder `out` has the resulting files.
    pub(super) folder: TempDir,
}

impl FinishedCall {
    /// The first bytes of its standard output.
    pub(super) fn stdout(&self, most: u64) -> Result<Vec<u8>, Failure> {
        self.read("stdout", most).map(Option::unwrap_or_default)
    }

    fn stderr(&self, most: u64) -> Result<Vec<u8>, Failure> {
        self.read("stderr", most).map(Option::unwrap_or_default)
    }

    /// The first bytes of a file; `None` if it does not exist.
    fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Failure> {
        let path = self.folder.path().join(name);
        let mut bytes = Vec::new();
        match File::open(&path).and_then(|file| file.take(most).read_to_end(&mut bytes)) {
            Ok(_) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::Retryable(format!("{}: {error}", path.display()))),
        }
    }

    /// The input that the referee requests for the next pass.
    pub(super) fn next_input(&self) -> Option<PathBuf> {
        let path = self.folder.path().join(OUT).join(NEXT_PASS);
        path.is_file().then_some(path)
    }

    /// The reason why the request for another pass is wrong in a call with this exit code, as a fragment; `None` if it is right
    /// or missing.
    fn wrong_request(&self, code: i32) -> Option<String> {
        let is_unfetched = self.outcome.unfetched.contains(&format!("{OUT}/{NEXT_PASS}"));
        match code {
            ACCEPTED | REJECTED if is_unfetched => Some(format!("its {NEXT_PASS} is not a regular file")),
            REJECTED if self.next_input().is_some() => {
                Some(format!("it rejects and asks for another pass ({NEXT_PASS}), which only exit code {ACCEPTED} can"))
            }
            // The request may be among the files that were not kept.
            ACCEPTED if self.next_input().is_none() => self.left_folder().err(),
            _ => None,
        }
    }

    /// The folder with the files that the referee left. It is an error, as a fragment, if some were not kept.
    pub(super) fn left_folder(&self) -> Result<PathBuf, String> {
        let folder = self.folder.path().join(OUT);
        let items = fs::read_dir(&folder).into_iter().flatten().flatten();
        let sizes: Vec<u64> = items.map(|item| item.metadata().map_or(0, |metadata| metadata.len())).collect();
        match sizes.iter().sum::<u64>() >= MAX_LEFT_BYTES || sizes.len() >= MAX_LEFT_FILES {
            true => {
                let most = format!("{} MiB or {MAX_LEFT_FILES} files", MAX_LEFT_BYTES >> 20);
                Err(format!("it left {most} in its folder, more than the next pass can get"))
            }
            false => Ok(folder),
        }
    }

    /// A file that the referee left, cut after `most` and one bytes.
    fn left(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Failure> {
        self.read(&format!("{OUT}/{name}"), most.saturating_add(1))
    }

    /// The failure that a file is missing, with the executor's remarks about it.
    fn missing(&self, what: &str) -> Failure {
        let notes: String = self.outcome.notes.iter().map(|note| format!("; {note}")).collect();
        Failure::Retryable(format!("it left no {what}{notes}"))
    }

    /// The last line of its standard error.
    pub(super) fn last_error(&self) -> Option<String> {
        first_line(regular::last_line(&self.folder.path().join("stderr"))?.as_bytes())
    }

    /// A failure with the last line of standard error.
    fn failed(&self, reason: &str) -> Failure {
        let last = self.last_error();
        Failure::Retryable(last.map_or(reason.to_owned(), |line| format!("{reason}: {line}")))
    }
}

impl PassInput<'_> {
    /// Passes the files that a referee left to its next pass, except for the input of this pass.
    fn add_to(&self, job: &mut Job) -> io::Result<()> {
        let mut items = fs::read_dir(self.folder)?.collect::<io::Result<Vec<_>>>()?;
        items.sort_by_key(fs::DirEntry::file_name);
        for item in items {
            let name = item.file_name().to_string_lossy().into_owned();
            if name != NEXT_PASS {
                add_room(&mut job.limits, item.metadata()?.len());
                job.copies.push(CopiedFile { name: format!("{OUT}/{name}"), from: item.path() });
            }
        }
        Ok(())
    }
}

impl External<'_> {
    /// Has an answer refereed once.
    pub(super) fn call(&self, board: &Board, answer: &Path) -> Result<Ruling, Failure> {
        let called = self.execute(&self.command, Some(board), RefereeInput::Answer(answer), None)?;
        self.ruling(&called, board)
    }

    /// The ruling of a call that has ended.
    pub(super) fn ruling(&self, called: &FinishedCall, board: &Board) -> Result<Ruling, Failure> {
        let rejects = self.referee.talk.is_some().then_some(TALK_REJECTS);
        let code = match &called.outcome.end {
            End::Exited { code } => *code,
            End::Signalled { signal } => return self.crashed(called, &Exit::Signal(*signal)),
            end => return Err(called.failed(&cut_off(end))),
        };
        if self.referee.passes.is_some()
            && let Some(reason) = called.wrong_request(code)
        {
            return Err(called.failed(&reason));
        }
        let scoring = self.board_scoring(board);
        let ruled = match self.referee.protocol {
            Protocol::Native if code != 0 && rejects != Some(code) => return self.crashed(called, &Exit::Code(code)),
            Protocol::Native => {
                let json = called.left("ruling.json", MAX_RULING_BYTES)?;
                // A crash can end with the exit code that rejects.
                let Some(json) = json else {
                    return if code == 0 {
                        Err(called.missing("ruling.json"))
                    } else {
                        self.crashed(called, &Exit::Code(code))
                    };
                };
                decode_ruling(&json, scoring).and_then(|decoded| match decoded.verdict {
                    Verdict::Wrong { .. } | Verdict::IllegalMove { .. } => Ok(decoded),
                    _ if code == 0 => Ok(decoded),
                    _ => Err(Malformed(format!("exit code {code} rejects, and its ruling does not"))),
                })
            }
            Protocol::Kattis => match decode_kattis(code, &self.feedback(called)?, scoring) {
                Some(ruled) => ruled,
                None => return self.crashed(called, &Exit::Code(code)),
            },
            Protocol::Testlib => match called.read(RESULT, MAX_RESULT_BYTES + 1)? {
                Some(xml) => decode_result(&xml, code, scoring),
                None if code != 0 => return self.crashed(called, &Exit::Code(code)),
                None => return Err(called.missing("result")),
            },
            Protocol::Exit => {
                let message =
                    || Ok(first_line(&called.stdout(MESSAGE_BYTES)?).or(first_line(&called.stderr(MESSAGE_BYTES)?)));
                if self.referee.accept.contains(&code) {
                    accepted(scoring)
                } else if self.referee.reject.contains(&code) {
                    let reason = message()?.unwrap_or_else(|| format!("exit code {code}"));
                    Ok(rejected(reason))
                } else {
                    return self.crashed(called, &Exit::Code(code));
                }
            }
            Protocol::Score => {
                let (stdout, stderr) = (called.stdout(u64::MAX)?, called.stderr(u64::MAX)?);
                let pattern = self.pattern.as_ref().ok_or_else(|| Failure::Final("it has no pattern".into()))?;
                pattern.decode(code, &stdout, &stderr, scoring)
            }
            Protocol::Tokens => return Err(Failure::Final("the comparison of tokens is no program".into())),
        };
        let Decoded { verdict, mut notes, .. } = ruled.map_err(|Malformed(reason)| called.failed(&reason))?;
        let frames = self.frames(called, &mut notes)?;
        let picture = frames.last().and_then(|frame| match &frame.view {
            FrameView::Picture(picture) => Some(picture.clone()),
            _ => None,
        });
        notes.extend(called.outcome.notes.iter().map(|note| format!("the referee: {note}")));
        let mut ruling = Ruling::from(verdict);
        (ruling.picture, ruling.frames, ruling.notes) = (picture, frames, notes);
        Ok(ruling)
    }

    /// The result of a crash by the rules of this contest.
    fn crashed(&self, called: &FinishedCall, exit: &Exit) -> Result<Ruling, Failure> {
        let last = called.last_error().map_or(String::new(), |line| format!(": {line}"));
        match self.referee.on_crash {
            OnCrash::Judge => {
                // Remarks on the program, such as a limit of the shell that it exceeded.
                let notes: String = called.outcome.notes.iter().map(|note| format!("; {note}")).collect();
                Err(Failure::Retryable(format!("it crashed with {exit}{last}{notes}")))
            }
            OnCrash::Reject => {
                let reason = format!("the referee crashed with {exit}, which counts as a rejection here{last}");
                Ok(Ruling::from(rejected(reason).verdict))
            }
        }
    }

    /// Positions for the replay. Feedback images of a package are positions at the start of the answer.
    fn frames(&self, called: &FinishedCall, notes: &mut Vec<String>) -> Result<Vec<Frame>, Failure> {
        match self.referee.protocol {
            Protocol::Native => positions(called)?.map_err(|error| called.failed(&error.to_string())),
            // Under this protocol, positions are not a part of the ruling.
            Protocol::Score => Ok(positions(called)?.unwrap_or_else(|error| {
                notes.push(format!("the referee's positions are left out: {error}"));
                Vec::new()
            })),
            Protocol::Kattis => {
                let folder = called.folder.path().join(OUT);
                let items = fs::read_dir(&folder).into_iter().flatten().flatten();
                let names = items.map(|item| item.file_name().to_string_lossy().into_owned());
                let mut names: Vec<String> = names.filter(|name| name.ends_with(".svg")).collect();
                names.sort_unstable();
                let of = |kind: &str| names.iter().filter(|name| name.starts_with(kind)).cloned().collect::<Vec<_>>();
                let chosen = Some(of("teamimage")).filter(|team| !team.is_empty()).unwrap_or_else(|| of("judgeimage"));
                let lines: String =
                    chosen.iter().map(|name| format!("{{\"at\":0,\"svg\":{}}}\n", json_text(name))).collect();
                let parsed = parse_frames(lines.as_bytes(), |name| called.left(name, MAX_FRAMES_BYTES).ok().flatten());
                // Under this protocol, images are not a part of the ruling.
                Ok(parsed.unwrap_or_else(|error| {
                    notes.push(format!("the referee's images are left out: {error}"));
                    Vec::new()
                }))
            }
            Protocol::Testlib | Protocol::Exit | Protocol::Tokens => Ok(Vec::new()),
        }
    }

    /// Executes a command with a board and an answer, in the form of the protocol.
    pub(super) fn execute(
        &self,
        command: &[Argument],
        board: Option<&Board>,
        handed: RefereeInput<'_>,
        before: Option<PassInput<'_>>,
    ) -> Result<FinishedCall, Failure> {
        let (job, folder) = self.job(command, board, handed, before)?;
        match catch_panic("the executor", || Ok(self.context.executor.execute(&job))) {
            Ok(Ok(outcome)) => Ok(FinishedCall { outcome, folder }),
            Ok(Err(Interrupted)) => Err(Failure::Interrupted),
            Err(reason) => Err(Failure::Retryable(reason)),
        }
    }

    /// The job of a call, with the folder for its resulting files.
    pub(super) fn job(
        &self,
        command: &[Argument],
        board: Option<&Board>,
        handed: RefereeInput<'_>,
        before: Option<PassInput<'_>>,
    ) -> Result<(Job, TempDir), Failure> {
        let failed = |error: io::Error| Failure::Retryable(format!("a folder for what it leaves: {error}"));
        // The folder may contain a copy of the answer.
        let large = |answer: &Path| fs::metadata(answer).is_ok_and(|file| file.len() > MAX_IN_MEMORY);
        let large = matches!(handed, RefereeInput::Answer(answer) if large(answer));
        let executor = self.context.executor;
        let parent = if large { executor.large_folder() } else { executor.temporary_folder() };
        let folder = tempfile::tempdir_in(parent).map_err(failed)?;
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path(OUT)).map_err(failed)?;
        let mut job = Job::new([""; 0], path("stdout"), path("stderr"));
        job.readable = self.readable.clone();
        job.limits = self.referee.limits;
        job.processors = self.context.processors.clone();
        job.argv = command.to_vec();
        match (board, before) {
            (Some(_), Some(PassInput { input, .. })) => {
                job = job.with_copied_argument(BOARD, input);
                add_room(&mut job.limits, fs::metadata(input).map_or(0, |metadata| metadata.len()));
            }
            (Some(board), None) => self.place(&mut job, BOARD, &board.contents())?,
            (None, _) => {}
        }
        if let Some(board) = board.filter(|_| !matches!(handed, RefereeInput::Nothing)) {
            let protocol = self.referee.protocol;
            match handed {
                RefereeInput::Answer(answer) if protocol == Protocol::Kattis => {
                    // A copy, because a program can find the path of its input, and the original path names the entry.
                    fs::copy(answer, path(ANSWER))
                        .map_err(|error| Failure::Retryable(format!("{}: {error}", answer.display())))?;
                    job.stdin = Stdin::File(path(ANSWER));
                }
                RefereeInput::Answer(answer) => {
                    job = job.with_copied_argument(ANSWER, answer);
                    add_room(&mut job.limits, fs::metadata(answer).map_or(0, |metadata| metadata.len()));
                }
                RefereeInput::Seats(count) => job.argv.push(Argument::Text(count.to_string())),
                RefereeInput::Talk | RefereeInput::Nothing => {}
            }
            if matches!(protocol, Protocol::Kattis | Protocol::Testlib | Protocol::Exit) {
                self.place(
                    &mut job,
                    JUDGE_ANSWER,
                    board.answer.as_ref().unwrap_or(&FileContents::Text(String::new())),
                )?;
            }
            match protocol {
                Protocol::Native | Protocol::Kattis | Protocol::Score => {
                    let (cap, files, to) = (MAX_LEFT_BYTES, MAX_LEFT_FILES, path(OUT));
                    job.wanted_folders.push(WantedFolder { name: OUT.into(), cap, files, to });
                    // A scorer is called with only a board and an answer; the folder is in its working directory.
                    if protocol == Protocol::Score {
                        job.folders.push(OUT.into());
                    } else {
                        job = job.with_folder_argument(OUT);
                    }
                }
                Protocol::Testlib => {
                    let (cap, to) = (MAX_RESULT_BYTES + 1, path(RESULT));
                    job.wanted.push(WantedFile { name: RESULT.into(), cap, to });
                    job.argv.extend([Argument::File(RESULT.into()), Argument::Text("-appes".into())]);
                }
                Protocol::Exit | Protocol::Tokens => {}
            }
            if let Some(before) = before {
                before.add_to(&mut job).map_err(failed)?;
            }
            job.argv.extend(self.referee.args.iter().chain(&board.args).cloned().map(Argument::Text));
        }
        Ok((job, folder))
    }

    /// The feedback files of an output validator. A request for another pass is handled before its ruling is read.
    fn feedback(&self, called: &FinishedCall) -> Result<Feedback, Failure> {
        let read = |name: &str| called.left(name, MESSAGE_BYTES);
        let mut feedback = Feedback::default();
        feedback.score = read("score.txt")?;
        feedback.score_multiplier = read("score_multiplier.txt")?;
        feedback.judge_message = read("judgemessage.txt")?;
        feedback.team_message = read("teammessage.txt")?;
        feedback.next_pass = self.referee.passes.is_none() && called.next_input().is_some();
        Ok(feedback)
    }

    /// Places a file whose path is the next argument.
    fn place(&self, job: &mut Job, name: &str, contents: &FileContents) -> Result<(), Failure> {
        match contents {
            FileContents::Text(text) => {
                job.files.push(PlacedFile { name: name.into(), contents: text.clone().into_bytes() });
                job.argv.push(Argument::File(name.into()));
            }
            FileContents::Stored(file) => {
                let from = self.stored(file).map_err(Failure::Final)?;
                job.copies.push(CopiedFile { name: name.into(), from });
                job.argv.push(Argument::File(name.into()));
                add_room(&mut job.limits, file.bytes);
            }
        }
        Ok(())
    }
}

/// The positions in the folder of a referee; empty if it left none.
pub(super) fn positions(called: &FinishedCall) -> Result<Result<Vec<Frame>, FramesError>, Failure> {
    let Some(jsonl) = called.left("frames.jsonl", MAX_FRAMES_BYTES)? else { return Ok(Ok(Vec::new())) };
    let image = |name: &str| {
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\0']);
        plain.then(|| called.left(name, MAX_FRAMES_BYTES).ok().flatten()).flatten()
    };
    Ok(parse_frames(&jsonl, image))
}

/// Adds space in the scratch directory for a file that is placed there.
fn add_room(limits: &mut Limits, bytes: u64) {
    let scratch = limits.scratch_bytes.map(|scratch| scratch.saturating_add(bytes));
    limits.scratch_bytes = scratch;
}

/// The ruling on an answer that a referee without scores accepts: it gets the points of the board.
pub(super) fn accepted(on_board: BoardScoring<'_>) -> Result<Decoded, Malformed> {
    let points = on_board.usual();
    if on_board.scoring.is_some() && points.is_none() {
        return Err(Malformed("it accepts the answer, and the board has no `points`".into()));
    }
    Ok(on_board.accepted(points.unwrap_or_default()).into())
}

pub(super) fn rejected(reason: String) -> Decoded {
    Verdict::Wrong { given: RefereeFigures::default(), reason }.into()
}

/// The reason why a referee did not complete, as a fragment.
pub(super) fn cut_off(end: &End) -> String {
    match end {
        End::TimedOut => "it was still running at the limit of [referee]".into(),
        End::OutOfCpu => "it took more CPU time than [referee] allows".into(),
        End::OutOfMemory => "it took more memory than [referee] allows".into(),
        End::TooManyProcesses => "it had more processes and threads at a time than [referee] allows".into(),
        End::ScratchFull => "it wrote more files than [referee] allows".into(),
        End::TooMuchOutput => "it printed more than [referee] allows".into(),
        End::CouldNotStart { reason, .. } => format!("it could not be started: {reason}"),
        End::JudgeError { reason } => reason.clone(),
        End::Exited { code } => format!("it ended with {}", Exit::Code(*code)),
        End::Signalled { signal } => format!("it ended with {}", Exit::Signal(*signal)),
    }
}

fn json_text(text: &str) -> String {
    serde_json::to_string(text).expect("a text has a JSON form")
}
