//! Continues the proof of a certificate, for proofs that take longer than a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::answer::to_letters;
use crate::certificate::{Certificate, CertificateError, replace};
use crate::clock::Deadline;
use crate::ida::{self, Outcome, Pieces};
use crate::proof::Threshold;

/// Time between two writes of the progress.
const SAVE: Duration = Duration::from_secs(10);

/// The part of a threshold that was searched, next to its certificate in `FILE.progress`.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    /// The board and the threshold, so that the progress of another search is not used.
    board: String,
    threshold: u8,
    pieces: Pieces,
    /// Milliseconds that the search took so far.
    milliseconds: u64,
}

impl Progress {
    fn path(certificate: &Path) -> PathBuf {
        let mut name = certificate.as_os_str().to_owned();
        name.push(".progress");
        PathBuf::from(name)
    }

    /// Reads the progress of the next threshold of a certificate; an empty one if there is no file, or that of
    /// another threshold.
    fn read(certificate: &Certificate, path: &Path) -> Result<Progress, CertificateError> {
        let none = Progress {
            board: certificate.board.clone(),
            threshold: certificate.bound,
            pieces: Pieces::default(),
            milliseconds: 0,
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(none),
            Err(error) => return Err(CertificateError::Io { path: path.to_owned(), error }),
        };
        let read: Progress = serde_json::from_str(&text).map_err(|error| {
            let file = path.display();
            CertificateError::Refuted(format!("{file}: {error}; delete the file to begin this threshold again"))
        })?;
        Ok(if (&read.board, read.threshold) == (&none.board, none.threshold) { read } else { none })
    }

    fn write(&self, path: &Path) -> Result<(), CertificateError> {
        let io = |error| CertificateError::Io { path: path.to_owned(), error };
        replace(path, &serde_json::to_string(self).map_err(|error| io(error.into()))?).map_err(io)
    }
}

/// Searches the next thresholds of the certificate in `path` until its answer is proved shortest, or the deadline. The
/// certificate is written after each threshold, and the progress of a threshold every few seconds. Calls `report` with
/// a line about each step. Returns `true` if the answer is proved shortest.
///
/// # Errors
/// If a file cannot be read or written, a table cannot be built, or the certificate contains a wrong statement.
pub fn resume(
    path: &Path,
    threads: usize,
    deadline: Deadline,
    report: &(dyn Fn(String) + Sync),
) -> Result<bool, CertificateError> {
    let mut certificate = Certificate::read(path)?;
    certificate.consistent()?;
    if certificate.proved_shortest {
        return Ok(true);
    }
    let proof = certificate.rebuild(threads, &mut |line| report(line))?;
    let file = Progress::path(path);
    while !certificate.proved_shortest && !deadline.passed() {
        let begun = Instant::now();
        let Progress { pieces: mut searched, milliseconds: before, .. } = Progress::read(&certificate, &file)?;
        let took = || before + u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let progress = |pieces: &Pieces| Progress {
            board: certificate.board.clone(),
            threshold: certificate.bound,
            pieces: pieces.clone(),
            milliseconds: took(),
        };
        let saved = Mutex::new((Instant::now(), Ok(())));
        let found = ida::resume(&proof.task(), certificate.bound, threads, deadline, &mut searched, &|pieces| {
            let mut saved = saved.lock().expect("no thread panics here");
            if saved.0.elapsed() >= SAVE {
                let (done, all) = pieces.progress();
                report(format!("threshold {}: {done} of {all} pieces in {} s", certificate.bound, took() / 1000));
                *saved = (Instant::now(), progress(pieces).write(&file));
            }
        });
        saved.into_inner().expect("no thread panicked").1?;
        let stopped = found.outcome == Outcome::Stopped;
        match found.outcome {
            Outcome::Stopped => progress(&searched).write(&file)?,
            Outcome::Nothing => {
                let threshold = Threshold { moves: certificate.bound, nodes: found.nodes, milliseconds: took() };
                report(format!(
                    "no answer of {} moves, {} nodes in {} ms",
                    threshold.moves, threshold.nodes, threshold.milliseconds
                ));
                certificate.milliseconds += threshold.milliseconds;
                certificate.thresholds.push(threshold);
                certificate.bound += 2;
            }
            Outcome::Answer(answer) => {
                let answer = to_letters(&certificate.direction.answer(answer)).expect("the search makes legal moves");
                report(format!("{} moves: {answer}", answer.len()));
                certificate.milliseconds += took();
                certificate.answer = answer;
            }
        }
        if !stopped {
            certificate.proved_shortest = certificate.answer.len() == usize::from(certificate.bound);
            certificate.write(path)?;
            remove(&file)?;
        }
    }
    Ok(certificate.proved_shortest)
}

fn remove(path: &Path) -> Result<(), CertificateError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(CertificateError::Io { path: path.to_owned(), error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::sync::Arc;

    use loyd_kit::Board;

    use super::*;
    use crate::direction::Direction;
    use crate::position::Packed;
    use crate::proof::Proof;
    use crate::table_set::TableSet;

    #[test]
    fn a_proof_goes_on_where_its_certificate_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trap.json");
        let board: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let heuristic = Arc::new(TableSet::Threes.heuristic(1).unwrap());
        let mut proof = Proof::new(Direction::Forwards, Packed::from(&board), heuristic, None, 6, 1);
        assert!(proof.catch_up(24, 1, Deadline::never()));
        let answer = "ddtdrtdluuurrrddddtlltlluu".to_owned();
        Certificate::new(&board, answer, &proof, Duration::ZERO).write(&path).unwrap();
        let progress = Progress::path(&path);
        // The progress of another threshold: its pieces would end the search immediately.
        let pieces = serde_json::from_str("[1]").unwrap();
        let other = Progress { board: "other".into(), threshold: 24, pieces, milliseconds: 5 };
        other.write(&progress).unwrap();

        let quiet: &(dyn Fn(String) + Sync) = &|_| {};
        assert!(!resume(&path, 1, Deadline::after(Duration::ZERO), quiet).unwrap());
        assert!(resume(&path, 1, Deadline::never(), quiet).unwrap());
        let certificate = Certificate::read(&path).unwrap();
        assert_eq!((certificate.bound, certificate.thresholds.last().unwrap().moves), (26, 24));
        assert!(certificate.thresholds.last().unwrap().nodes > 100);
        certificate.check(1, |_| {}).unwrap();
        assert!(!progress.exists());
        assert!(resume(&path, 1, Deadline::never(), quiet).unwrap());
    }

    #[test]
    fn progress_is_used_for_its_own_threshold_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json.progress");
        let certificate = |bound| Certificate { bound, ..certificate() };
        let pieces: Pieces = serde_json::from_str("[7,null,9]").unwrap();
        let saved = Progress { board: certificate(80).board, threshold: 80, pieces, milliseconds: 5 };
        saved.write(&path).unwrap();
        assert_eq!(Progress::read(&certificate(80), &path).unwrap(), saved);
        assert_eq!(Progress::read(&certificate(82), &path).unwrap().pieces, Pieces::default());
        fs::write(&path, "{").unwrap();
        let error = Progress::read(&certificate(80), &path).unwrap_err();
        assert!(error.to_string().contains("a.json.progress"), "{error}");
    }

    fn certificate() -> Certificate {
        let board: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let heuristic = Arc::new(TableSet::Threes.heuristic(1).unwrap());
        let proof = Proof::new(Direction::Forwards, Packed::from(&board), heuristic, None, 6, 1);
        Certificate::new(&board, String::new(), &proof, Duration::ZERO)
    }
}
