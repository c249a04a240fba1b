//! Uploads as they came, by the hash of their bytes.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::{Fingerprint, Hash};
use judge_files::regular;

use crate::log::sync_folder;
use crate::{MAX_UPLOAD_BYTES, OfficeError};

/// The folder of stored uploads, and that of uploads under way.
pub(crate) const STORED: &str = "uploads";
pub(crate) const INCOMING: &str = "incoming";

/// Where an upload with this hash is in the office's folder.
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

/// Tests whether a stored upload has the bytes that its name stands for.
pub(crate) fn holds(path: &Path, expected: &Fingerprint) -> bool {
    regular::open(path).and_then(Fingerprint::from_reader).is_ok_and(|found| found == *expected)
}

/// The bytes of a stored upload, which are those that its name stands for.
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

/// Removes what uploads that were cut off have left.
pub(crate) fn sweep(office: &Path) -> io::Result<()> {
    for left in fs::read_dir(office.join(INCOMING))? {
        fs::remove_file(left?.path())?;
    }
    Ok(())
}
