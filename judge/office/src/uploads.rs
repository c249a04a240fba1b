//! Unchanged uploads, by the hash of their bytes.

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use judge_core::fingerprint::{Fingerprint, Hash};
use judge_files::regular;

use crate::log::sync_folder;
use crate::{MAX_UPLOAD_BYTES, OfficeError};

/// The folder of stored uploads, and the folder of unfinished ones.
pub(crate) const STORED: &str = "uploads";
pub(crate) const INCOMING: &str = "incoming";

/// The path of an upload with this hash in the office's folder.
pub(crate) fn path(office: &Path, hash: &Hash) -> PathBuf {
    let digits = hash.to_string();
    office.join(STORED).join(&digits[..2]).join(digits)
}

/// Stores an upload. It is on disk, with its name, when this returns.
pub(crate) fn store(office: &Path, bytes: &[u8]) -> Result<Fingerprint, OfficeError> {
    let fingerprint = Fingerprint::from_reader(bytes).map_err(|error| OfficeError::io(office, error))?;
    let path = path(office, &fingerprint.sha256);
    if holds(&path, &fingerprint) {
        return Ok(fingerprint);
    }
    put(office, &path, bytes).map_err(|error| OfficeError::io(&path, error))?;
    Ok(fingerprint)
}

/// Tests whether the bytes of a stored upload match its name.
pub(crate) fn holds(path: &Path, expected: &Fingerprint) -> bool {
    regular::open(path).and_then(Fingerprint::from_reader).is_ok_and(|found| found == *expected)
}

/// The bytes of a stored upload, after a check against its name.
pub(crate) fn read(path: &Path, hash: &Hash) -> io::Result<Vec<u8>> {
    let bytes = regular::read(path, MAX_UPLOAD_BYTES)?;
    if Fingerprint::from_reader(&*bytes)?.sha256 != *hash {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "is not the file that was accepted"));
    }
    Ok(bytes)
}

fn put(office: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut aside = tempfile::NamedTempFile::new_in(office.join(INCOMING))?;
    aside.write_all(bytes)?;
    aside.as_file().set_permissions(Permissions::from_mode(0o400))?;
    aside.as_file().sync_all()?;
    let folder = path.parent().unwrap_or(office);
    match fs::create_dir(folder) {
        Ok(()) => sync_folder(&office.join(STORED))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    aside.persist(path).map_err(|refused| refused.error)?;
    sync_folder(folder)
}

/// Stores an upload again if a sweep has removed it meanwhile. The caller holds the lock of the log.
pub(crate) fn keep(office: &Path, hash: &Hash, bytes: &[u8]) -> Result<(), OfficeError> {
    let path = path(office, hash);
    if path.exists() {
        return Ok(());
    }
    put(office, &path, bytes).map_err(|error| OfficeError::io(&path, error))
}

/// Removes the remains of interrupted uploads: unfinished files, and uploads that no log line names, if they were written before
/// a moment. Returns their number. The caller holds the lock of the log. A submission that waits for this lock stores its upload
/// again.
pub(crate) fn sweep(office: &Path, named: &HashSet<String>, before: u64) -> io::Result<usize> {
    let mut removed = remove_old(&office.join(INCOMING), &|_| true, before)?;
    for folder in fs::read_dir(office.join(STORED))? {
        let folder = folder?;
        if folder.file_type()?.is_dir() {
            removed += remove_old(&folder.path(), &|name| !named.contains(name), before)?;
        }
    }
    Ok(removed)
}

/// Removes the regular files of a folder that were written before a moment and whose names fit.
fn remove_old(folder: &Path, fits: &dyn Fn(&str) -> bool, before: u64) -> io::Result<usize> {
    let mut removed = 0;
    for file in fs::read_dir(folder)? {
        let file = file?;
        let (name, found) = (file.file_name(), file.metadata());
        let found = match found {
            // The upload was completed and renamed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            found => found?,
        };
        let written = u64::try_from(found.mtime()).unwrap_or_default();
        if found.is_file() && written < before && name.to_str().is_some_and(fits) {
            fs::remove_file(file.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}
