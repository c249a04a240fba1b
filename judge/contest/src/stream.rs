//! The answers of a run that prints one per line: the answer that counts, and the time at which each line arrived.
//!
//! The output is read in pieces, at most twice, regardless of its size. The line that counts replaces the output. So a replay,
//! the page and another referee find an answer in the usual place.

use std::fs;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use judge_core::plan::Board;
use judge_core::referee::{Referee, RefereeError, Ruling};
use judge_core::scoring::Scoring;
use judge_core::stream::{Line, Lines, Stream, accepted, arrived_us};
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_files::regular;
use judge_job::{End, Interrupted, Outcome};

use crate::guard::catch_panic;
use crate::outputs::AttemptFiles;
use crate::schedule::refereed;

/// The longest line that is ruled on without a separate file, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// Bytes read at a time.
const PIECE: usize = 64 * 1024;

/// Tests whether answers of a run with this end can count: the run ended successfully by itself, or the limit ended it.
fn counts(end: &End) -> bool {
    matches!(end, End::Exited { code: 0 } | End::TimedOut)
}

/// A referee with the answers of one run.
pub(crate) struct StreamReferee<'a> {
    pub(crate) referee: &'a dyn Referee,
    pub(crate) board: &'a Board,
    pub(crate) files: &'a AttemptFiles,
    pub(crate) scoring: &'a Scoring,
    /// The time of the run in which answers count, in microseconds from its start.
    pub(crate) within_us: u64,
}

impl StreamReferee<'_> {
    /// Rules on the answers of a run. `None` if its end decides, regardless of its output.
    pub(crate) fn rule(&self, outcome: &Outcome) -> Result<Option<(Ruling, Stream)>, Interrupted> {
        if !counts(&outcome.end) {
            return Ok(None);
        }
        let failed = |reason: JudgeFailure| Ok(Some((Ruling::from(Verdict::JudgeError { reason }), Stream::default())));
        let (stream, answer) = match self.look(outcome) {
            Ok(seen) => seen,
            Err(RefereeError::Interrupted) => return Err(Interrupted),
            Err(RefereeError::Failed(reason)) => return failed(reason),
            Err(error) => return failed(JudgeFailure::Judge(error.to_string())),
        };
        if let Err(error) = self.keep(answer) {
            return failed(JudgeFailure::Judge(format!("{}: {error}", self.files.stdout.display())));
        }
        let mut ruling = refereed(self.referee, self.board, &self.files.stdout, &self.files.frames)?;
        // Without an accepted answer, an entry that the limit ended has no answer.
        if stream.answer_us.is_none() && outcome.end == End::TimedOut {
            ruling = Ruling::from(Verdict::TimedOut);
        }
        Ok(Some((ruling, stream.thinned())))
    }

    /// Has the lines ruled on, and returns the results and the line that counts: the last accepted line, or otherwise the last
    /// line.
    fn look(&self, outcome: &Outcome) -> Result<(Stream, Option<Line>), RefereeError> {
        let failed = |error: io::Error| {
            RefereeError::Failed(JudgeFailure::Judge(format!("{}: {error}", self.files.stdout.display())))
        };
        let mut lines = Lines::new(self.referee.most_lines(self.board));
        let output = regular::open(&self.files.stdout).map_err(failed)?;
        let mut reader = BufReader::with_capacity(PIECE, output);
        let mut piece = vec![0; PIECE];
        let mut in_time = reader.by_ref().take(self.bytes_in_time(outcome));
        loop {
            match in_time.read(&mut piece).map_err(failed)? {
                0 => break,
                read => lines.feed(&piece[..read]),
            }
        }
        lines.finish(outcome.end == End::Exited { code: 0 });
        let mut stream = Stream::default();
        stream.lines = lines.count();
        let (mut answer, mut last) = (None, None);
        for line in lines.chosen() {
            let verdict = self.verdict(reader.get_mut(), line)?;
            if accepted(&verdict) {
                answer = Some(line);
            }
            last = Some(line);
            // The judge reads the last output after the end of a run, but the output arrived before.
            let arrived_us = arrived_us(line, &outcome.arrivals).min(outcome.wall_us.unwrap_or(u64::MAX));
            stream.add(arrived_us, &verdict, self.scoring);
        }
        Ok((stream, answer.or(last)))
    }

    /// The number of bytes of output that arrived in time. If the limit ended the run, later output does not count. So processes
    /// gain nothing if they delay the end of the run by competing for the judge's processor.
    fn bytes_in_time(&self, outcome: &Outcome) -> u64 {
        if outcome.end != End::TimedOut || outcome.arrivals.is_empty() {
            return u64::MAX;
        }
        let marks = outcome.arrivals.partition_point(|mark| mark.at_us <= self.within_us);
        marks.checked_sub(1).map_or(0, |last| outcome.arrivals[last].bytes)
    }

    /// Has one line ruled on: as text, or in a file.
    fn verdict(&self, output: &mut (impl Read + Seek), line: Line) -> Result<Verdict, RefereeError> {
        let of_line = self.line_file();
        let failed = |error: io::Error| {
            RefereeError::Failed(JudgeFailure::Judge(format!("{}: {error}", self.files.stdout.display())))
        };
        let panicked = |reason| RefereeError::Failed(JudgeFailure::Judge(reason));
        if line.end - line.begin <= MAX_LINE_BYTES {
            let mut text = Vec::new();
            copy(output, line, &mut text).map_err(failed)?;
            let ruled = catch_panic("the referee", || Ok(self.referee.rule_text(self.board, &text)));
            if let Some(verdict) = ruled.map_err(panicked)? {
                return verdict;
            }
        }
        let written = regular::create(&of_line).and_then(|mut file| copy(output, line, &mut file));
        let ruling = written.map_err(failed).and_then(|()| {
            catch_panic("the referee", || Ok(self.referee.rule(self.board, &of_line))).map_err(panicked)?
        });
        fs::remove_file(&of_line).ok();
        match ruling?.verdict {
            Verdict::JudgeError { reason } => Err(RefereeError::Failed(reason)),
            verdict => Ok(verdict),
        }
    }

    /// Replaces the output by the line that counts, with a newline; by nothing if no line counts.
    fn keep(&self, answer: Option<Line>) -> io::Result<()> {
        let new = self.line_file();
        let written = regular::create(&new).and_then(|mut file| {
            if let Some(line) = answer {
                copy(&mut regular::open(&self.files.stdout)?, line, &mut file)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        });
        let replaced = written.and_then(|()| fs::rename(&new, &self.files.stdout));
        replaced.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// A temporary file next to the output.
    fn line_file(&self) -> PathBuf {
        let mut name = self.files.stdout.clone().into_os_string();
        name.push(".line");
        name.into()
    }
}

/// Copies a line in pieces.
fn copy(output: &mut (impl Read + Seek), line: Line, to: &mut impl Write) -> io::Result<()> {
    output.seek(SeekFrom::Start(line.begin))?;
    let copied = io::copy(&mut output.take(line.end - line.begin), to)?;
    if copied == line.end - line.begin { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
