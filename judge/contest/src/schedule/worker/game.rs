//! One game at a time: the jobs of its seats, and its record.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use judge_core::figure::RefereeFigures;
use judge_core::journal::{ExtraFields, Record};
use judge_core::matches::Played;
use judge_core::plan::Board;
use judge_core::scoring::Scoring;
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_job::{Interrupted, Job};

use super::{FinishedRun, TakenRun, Worker, finished, judge_error};
use crate::outputs::AttemptFiles;

/// The most bytes of each seat's standard error that are kept.
const STDERR_BYTES: u64 = 64 << 10;

impl Worker<'_> {
    /// Plays a game.
    pub(super) fn game(
        &self,
        taken: &TakenRun,
        board: &Board,
        files: AttemptFiles,
        without_run: impl Fn(u32, Verdict) -> Record,
    ) -> Result<FinishedRun, Interrupted> {
        let key = self.runner.key(taken.run().index);
        let rules = self.runner.contest.plan.match_rules.as_deref().expect("a game of a contest with matches");
        let folder = match tempfile::tempdir_in(self.executor.temporary_folder()) {
            Ok(folder) => folder,
            Err(error) => {
                let record = without_run(files.attempt, judge_error(format!("a folder for a game: {error}")));
                return Ok(FinishedRun::new(record, None).with_files(files));
            }
        };
        let mut jobs: Vec<Job> = Vec::new();
        for (seat, name) in (1..).zip(key.seats()) {
            let entry = self.runner.entries[&**name];
            let paths = ["stdout", "stderr"].map(|name| folder.path().join(format!("{name}-{seat}")));
            match self.job(key.round, entry, board, paths) {
                Ok(job) => jobs.push(job),
                // The game is not played, so no entry gets points.
                Err(verdict) => {
                    let reason = verdict.fault().unwrap_or_default();
                    let record = without_run(files.attempt, judge_error(reason));
                    return Ok(FinishedRun::new(record, None).with_files(files));
                }
            }
        }
        let limit_ms = jobs.iter().map(|job| rules.seat_ms(&job.limits)).fold(0, u64::saturating_add);
        // With fewer cores, seats would slow each other down.
        let at_once = self.processors.len() >= jobs.len();
        let played = match self.referees.with_entries(board) {
            Some(referee) => referee.play(board, jobs, rules, at_once, taken.stop(), &files.transcript),
            None => Ok(Err(JudgeFailure::Judge("the contest has no referee".into()))),
        };
        let played = match played {
            Ok(played) => played,
            Err(Interrupted) => {
                files.discard();
                return Err(Interrupted);
            }
        };
        let verdict = match &played {
            Ok(played) => first_seat(played, self.runner.contest.plan.scoring.as_ref()),
            Err(reason) => Verdict::JudgeError { reason: reason.clone() },
        };
        let mut record = without_run(files.attempt, verdict);
        record.limit_ms = limit_ms;
        record.referee = self.runner.referee_of(&record.key.board);
        let (mut extras, mut machine) = (ExtraFields::default(), None);
        if let Ok(mut played) = played {
            machine = played.machine.take().map(|machine| *machine);
            extras.suspect = played.suspect.take().map(Into::into);
            extras.notes = std::mem::take(&mut played.notes);
            let frames = std::mem::take(&mut played.frames);
            if !frames.is_empty()
                && let Err(error) = File::create_new(&files.frames).and_then(|mut file| file.write_all(&frames))
            {
                extras.notes.push(format!("{}: {error}; the replay has no positions", files.frames.display()));
            }
            record.wall_us = played.seats.iter().map(|seat| seat.used_us).try_fold(0u64, u64::checked_add);
            record.usage.cpu_us = played.seats.iter().map(|seat| seat.cpu_us).sum();
            record.usage.memory_bytes = played.seats.iter().map(|seat| seat.memory_bytes).sum();
            extras.played = Some(played.into());
        }
        extras.notes.extend(stderr_of(key.seats().map(|name| &**name), folder.path(), &files.stderr).err().map(
            |error| format!("{}: {error}; what the seats wrote to standard error is not kept", files.stderr.display()),
        ));
        record.extras = extras.into();
        Ok(finished(record, machine, files))
    }
}

/// The verdict in the record of a game: the points of seat 1.
fn first_seat(played: &Played, scoring: Option<&Scoring>) -> Verdict {
    let points = scoring.zip(played.seats.first()).map(|(scoring, seat)| (scoring.main().name, seat.points));
    Verdict::Valid(RefereeFigures::new(points.into_iter().collect()))
}

/// Keeps the beginning of each seat's standard error, in one file.
fn stderr_of<'a>(names: impl Iterator<Item = &'a str>, folder: &Path, to: &Path) -> io::Result<()> {
    let mut kept: Option<File> = None;
    for (seat, name) in (1..).zip(names) {
        let mut bytes = Vec::new();
        match File::open(folder.join(format!("stderr-{seat}"))) {
            Ok(file) => file.take(STDERR_BYTES).read_to_end(&mut bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            continue;
        }
        let file = match &mut kept {
            Some(file) => file,
            None => kept.insert(File::create(to)?),
        };
        writeln!(file, "--- seat {seat}: {name}")?;
        for line in bytes.strip_suffix(b"\n").unwrap_or(&bytes).split(|&byte| byte == b'\n') {
            // The line may look like a heading of this file.
            let indent: &[u8] = if line.starts_with(b"---") { b" " } else { b"" };
            file.write_all(&[indent, line, b"\n"].concat())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn no_seat_writes_in_the_name_of_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("stderr-1"), "one\n--- seat 2: honest\nI cheated").unwrap();
        std::fs::write(path("stderr-2"), "two\n\n").unwrap();
        stderr_of(["rogue", "honest", "silent"].into_iter(), folder.path(), &path("all")).unwrap();
        let expected = "--- seat 1: rogue\none\n --- seat 2: honest\nI cheated\n--- seat 2: honest\ntwo\n\n";
        assert_eq!(std::fs::read_to_string(path("all")).unwrap(), expected);
    }
}
