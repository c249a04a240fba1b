//! `rejudging.json`: the changes of refereeing the stored answers again. It follows from the contest and its referee, is written
//! again whenever it is needed, and is not part of a chain.

use std::io::{self, Write as _};

use judge_contest::rejudge::ChangedRow;
use judge_core::fingerprint::{Fingerprint, Hash};
use judge_core::journal::{Answer, ContestState, Rejudged};
use judge_files::regular;
use serde::{Deserialize, Serialize};

use crate::{Office, OfficeError};

/// The name of the file in the office's folder.
pub const FILE_NAME: &str = "rejudging.json";
/// The largest such file, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The changes of a rejudging, before the organiser decides on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Number of the [`crate::state::Rejudging`] that requested it.
    pub number: u32,
    /// The reason why the answers could not be refereed; `None` if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The reason why an approved proposal was not recorded; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The answers that were refereed.
    pub reviewed: Vec<Answer>,
    /// The answers whose ruling would change.
    pub changed: Vec<ChangedRuling>,
    /// The answers on which the referee fails. They keep their rulings.
    pub failed: Vec<ChangedRuling>,
    /// Names of the runs whose answers are missing. They keep their rulings.
    pub missing: Vec<String>,
    /// The places and totals that change.
    pub standings: Vec<ChangedRow>,
}

/// An answer with another ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRuling {
    /// The name of its run.
    pub run: String,
    /// Its recorded verdict.
    pub before: String,
    /// The verdict that it would have.
    pub now: String,
    /// The ruling that would be recorded.
    pub ruling: Rejudged,
}

/// The changes of the requested rejudging; `None` if they are not known yet, or if none was requested.
///
/// # Errors
/// [`OfficeError::Io`] and [`OfficeError::Damaged`].
pub fn read<'c>(
    office: &Office,
    contents: impl Into<Option<&'c ContestState>>,
) -> Result<Option<Proposal>, OfficeError> {
    let state = office.state()?;
    let Some(asked) = state.rejudging(contents) else { return Ok(None) };
    let Some(bytes) = bytes(office)? else { return Ok(None) };
    let damaged =
        |error: serde_json::Error| OfficeError::Damaged { path: path(office), line: 1, reason: error.to_string() };
    let proposal: Proposal = serde_json::from_slice(&bytes).map_err(damaged)?;
    Ok(Some(proposal).filter(|proposal| proposal.number == asked.number))
}

/// SHA-256 of the file, for the approval of exactly this proposal.
pub(crate) fn hash(office: &Office) -> Result<Hash, OfficeError> {
    let bytes = bytes(office)?.unwrap_or_default();
    let print = Fingerprint::from_reader(&bytes[..]).map_err(|error| OfficeError::io(&path(office), error))?;
    Ok(print.sha256)
}

/// Replaces the file atomically, so that a crash leaves the old or the new one.
pub(crate) fn write(office: &Office, proposal: &Proposal) -> Result<(), OfficeError> {
    let bytes = serde_json::to_vec(proposal).expect("a proposal is plain data");
    let folder = office.opened()?;
    let written = folder.replace(FILE_NAME, |file| file.write_all(&bytes)).and_then(|()| folder.sync());
    written.map_err(|error| OfficeError::io(&path(office), error))
}

fn bytes(office: &Office) -> Result<Option<Vec<u8>>, OfficeError> {
    match office.opened()?.read(FILE_NAME).and_then(|file| regular::read_file(file, MAX_BYTES)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OfficeError::io(&path(office), error)),
    }
}

fn path(office: &Office) -> std::path::PathBuf {
    office.folder().join(FILE_NAME)
}
