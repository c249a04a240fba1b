//! Files of the office's folder that are replaced as a whole and belong to no chain. `access.json` has the hashes of the
//! currently valid tokens, on which no result depends. `people.json` has names that can be erased.

use std::io::{self, Write as _};
use std::marker::PhantomData;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use judge_files::{Folder, regular};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::OfficeError;
use crate::people::{self, People};
use crate::state::Access;

/// The name of the file with the valid tokens.
pub(crate) const ACCESS: &str = "access.json";

/// The files next to the log.
pub(crate) struct SideFiles {
    pub(crate) access: CachedFile<Access>,
    pub(crate) people: CachedFile<People>,
}

impl SideFiles {
    /// The files of an office, before they are read.
    pub(crate) fn of(office: &Path) -> Self {
        Self { access: CachedFile::of(office, ACCESS), people: CachedFile::of(office, people::FILE_NAME) }
    }
}

/// The largest such file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The properties that distinguish a file from its replacement: inode, time of the last change in seconds and nanoseconds, size.
type Identity = (u64, i64, i64, u64);

/// A file with plain data, and its identity when it was last read.
pub(crate) struct CachedFile<T> {
    path: PathBuf,
    read: Option<Identity>,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize + DeserializeOwned> CachedFile<T> {
    /// The file with this name in an office's folder, before it is read.
    pub(crate) fn of(office: &Path, name: &str) -> Self {
        Self { path: office.join(name), read: None, of: PhantomData }
    }

    /// The data, if the file has changed since it was read.
    pub(crate) fn refresh(&mut self) -> Result<Option<T>, OfficeError> {
        let metadata = match self.path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata.map_err(|error| OfficeError::io(&self.path, error))?,
        };
        let identity = (metadata.ino(), metadata.mtime(), metadata.mtime_nsec(), metadata.len());
        if self.read == Some(identity) {
            return Ok(None);
        }
        let bytes = regular::read(&self.path, MAX_BYTES).map_err(|error| OfficeError::io(&self.path, error))?;
        let data = serde_json::from_slice(&bytes).map_err(|error| OfficeError::Damaged {
            path: self.path.clone(),
            line: error.line(),
            reason: error.to_string(),
        })?;
        self.read = Some(identity);
        Ok(Some(data))
    }

    /// Replaces the file atomically, so that a crash leaves the old or the new one. The caller holds the lock of the log.
    pub(crate) fn write(&self, data: &T) -> Result<(), OfficeError> {
        let failed = |error| OfficeError::io(&self.path, error);
        let bytes = serde_json::to_vec_pretty(data).expect("it is plain data");
        let folder = Folder::open(self.path.parent().unwrap_or(&self.path)).map_err(failed)?;
        folder.replace(self.name(), |file| file.write_all(&bytes)).and_then(|()| folder.sync()).map_err(failed)
    }

    fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).expect("the name is a plain text")
    }
}
