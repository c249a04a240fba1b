//! A question to every node that the options select. A job is sent to each node, and writes its answer into the folder that
//! all nodes share.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_files::{Folder, regular};
use judge_job::Limits;
use judge_sandbox::host::{now_us, utc_seconds};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cluster::{Cluster as _, ClusterError};
use crate::commands::{Slurm, SlurmError, quoted};

const QUESTION: &str = "question.json";
/// The time between two checks for answers.
const CHECK: Duration = Duration::from_millis(300);

/// The result of asking a node.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reply<T> {
    /// The node answered.
    Answer {
        /// Its answer.
        answer: T,
        /// The time when the answer was found, in seconds of this machine's clock.
        arrived: u64,
    },
    /// The node was not asked, because it is in this state.
    Unusable(String),
    /// Slurm refused the job for the node.
    Refused(ClusterError),
    /// The job ended without an answer.
    Ended {
        /// The end of the job, in Slurm's words.
        end: String,
        /// The last line that it printed.
        last_line: Option<String>,
    },
    /// No answer arrived in time; the job was cancelled.
    Late {
        /// The state of the job, in Slurm's words.
        state: String,
        /// The last line that it printed.
        last_line: Option<String>,
    },
}

/// The question that [`Slurm::ask`] left in a folder.
///
/// # Errors
/// The system's, or an error about a file that does not contain such a question.
pub fn question<Q: DeserializeOwned>(folder: &Path) -> io::Result<Q> {
    Ok(serde_json::from_reader(File::open(folder.join(QUESTION))?)?)
}

/// Writes the answer of a node into that folder, atomically.
///
/// # Errors
/// The system's.
pub fn answer(folder: &Path, node: &str, answer: &impl Serialize) -> io::Result<()> {
    Folder::open(folder)?.replace(format!("{node}.json"), |file| Ok(serde_json::to_writer(file, answer)?))
}

impl Slurm<'_> {
    /// Asks every node, and waits for the answers for at most `patience`. The job for each node requests the resources that a
    /// run under one of these limits would request.
    ///
    /// # Errors
    /// [`SlurmError`] if the nodes cannot be listed, the shared folder cannot be used, or a stop is requested. The jobs that
    /// have not answered are cancelled then.
    pub fn ask<Q: Serialize, T: DeserializeOwned>(
        &self,
        question: &Q,
        limits: &[Limits],
        patience: Duration,
    ) -> Result<Vec<(String, Reply<T>)>, SlurmError> {
        let nodes = self.nodes()?;
        let folder = self.results();
        let failed = |source: io::Error| SlurmError::Folder { folder: folder.to_owned(), source };
        let file = File::create(folder.join(QUESTION)).map_err(failed)?;
        serde_json::to_writer(file, question).map_err(|error| failed(error.into()))?;
        let usable = nodes.iter().filter(|node| node.usable);
        let mut jobs: BTreeMap<String, Result<String, ClusterError>> =
            usable.map(|node| (node.name.clone(), self.send_question(&node.name, limits))).collect();
        let mut found: BTreeMap<String, (T, u64)> = BTreeMap::new();
        let sent = jobs.values().filter(|job| job.is_ok()).count();
        let (begun, patience) = (now_us(), u64::try_from(patience.as_micros()).unwrap_or(u64::MAX));
        while found.len() < sent && !self.stop.requested() && now_us().saturating_sub(begun) < patience {
            self.wait(CHECK);
            for node in jobs.keys() {
                let path: PathBuf = folder.join(format!("{node}.json"));
                if !found.contains_key(node) && path.exists() {
                    let bytes = fs::read(&path).map_err(failed)?;
                    let answer = serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?;
                    found.insert(node.clone(), (answer, utc_seconds()));
                }
            }
        }
        let late = jobs.iter().filter(|(node, _)| !found.contains_key(*node));
        let late: Vec<String> = late.filter_map(|(_, job)| job.as_ref().ok().cloned()).collect();
        if self.stop.requested() && found.len() < sent {
            self.cancel(&late).ok();
            return Err(SlurmError::Interrupted);
        }
        let replies = nodes.into_iter().map(|node| {
            let reply = match (jobs.remove(&node.name), found.remove(&node.name)) {
                (_, Some((answer, arrived))) => Reply::Answer { answer, arrived },
                (None, None) => Reply::Unusable(node.state),
                (Some(Err(error)), None) => Reply::Refused(error),
                (Some(Ok(job)), None) => self.silent(&job, &node.name),
            };
            (node.name, reply)
        });
        let replies = replies.collect();
        if !late.is_empty() {
            self.cancel(&late).ok();
        }
        Ok(replies)
    }

    fn send_question(&self, node: &str, limits: &[Limits]) -> Result<String, ClusterError> {
        let cores = limits.iter().map(|limits| limits.cores).max().unwrap_or(1);
        let folder = self.results().display().to_string();
        let mut options = vec![
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={cores}"),
            "--time=5".into(),
            format!("--chdir={folder}"),
        ];
        options.extend(self.options().iter().cloned());
        options.extend([
            "--parsable".into(),
            "--job-name=judge-doctor".into(),
            format!("--nodelist={node}"),
            format!("--output={folder}/{node}.log"),
        ]);
        let (judge, shared) = (quoted(self.judge()), quoted(self.results()));
        self.send(&options, &format!("#!/bin/sh\nexec {judge} work --probe {shared}\n"))
    }

    /// The reason why a node has not answered.
    fn silent<T>(&self, job: &str, node: &str) -> Reply<T> {
        let last_line = regular::last_line(&self.results().join(format!("{node}.log")));
        match self.state_of(job) {
            state if state.is_empty() => Reply::Ended { end: self.end_of_job(job).text, last_line },
            state => Reply::Late { state, last_line },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn an_answer_is_left_whole_under_the_name_of_its_node() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(QUESTION), "[1, 2]").unwrap();
        assert_eq!(question::<Vec<u32>>(folder.path()).unwrap(), [1, 2]);
        assert!(question::<String>(folder.path()).is_err());
        answer(folder.path(), "n1", &[3]).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("n1.json")).unwrap(), "[3]");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
