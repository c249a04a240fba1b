//! `access.json`: hashes of the tokens that are valid now. No result depends on them, and a log could not forget them.

use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_files::{Folder, regular};

use crate::OfficeError;
use crate::state::Access;

/// The name of the file in the office's folder.
const FILE_NAME: &str = "access.json";
/// The largest such file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// What tells a file from the one that replaces it: number, time of the last change in seconds and nanoseconds, size.
type Identity = (u64, i64, i64, u64);

/// The file of an office, as it was read last.
pub(crate) struct AccessFile {
    path: PathBuf,
    read: Option<Identity>,
}

impl AccessFile {
    /// The file in an office's folder, which is not read yet.
    pub(crate) fn of(office: &Path) -> Self {
        Self { path: office.join(FILE_NAME), read: None }
    }

    /// The tokens, if the file has changed since it was read.
    pub(crate) fn refresh(&mut self) -> Result<Option<Arc<Access>>, OfficeError> {
        let metadata = match self.path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata.map_err(|error| OfficeError::io(&self.path, error))?,
        };
        let identity = (metadata.ino(), metadata.mtime(), metadata.mtime_nsec(), metadata.len());
        if self.read == Some(identity) {
            return Ok(None);
        }
        let bytes = regular::read(&self.path, MAX_BYTES).map_err(|error| OfficeError::io(&self.path, error))?;
        let access = serde_json::from_slice(&bytes).map_err(|error| OfficeError::Damaged {
            path: self.path.clone(),
            line: error.line(),
            reason: error.to_string(),
        })?;
        self.read = Some(identity);
        Ok(Some(Arc::new(access)))
    }

    /// Replaces the file atomically, so that a crash leaves the old or the new one. The caller has the lock of the log.
    pub(crate) fn write(&self, access: &Access) -> Result<(), OfficeError> {
        let failed = |error| OfficeError::io(&self.path, error);
        let bytes = serde_json::to_vec_pretty(access).expect("hashes are plain data");
        let folder = Folder::open(self.path.parent().unwrap_or(&self.path)).map_err(failed)?;
        folder.replace(FILE_NAME, |file| file.write_all(&bytes)).map_err(failed)
    }
}
