//! Seals of boards, and the files with their salts.
//!
//! The salt of `boards/ring.txt` is in `boards/ring.txt.salt`, and is as secret as the board. When the round opens, both are
//! published. Then anyone can compare `cat ring.txt.salt ring.txt | sha256sum` with the seal.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use judge_core::plan::{SALT_END, is_salt, salt_of, salted_seal};
use judge_files::regular;

/// The largest board file that can be sealed, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// A size larger than every salt file, in bytes.
const MAX_SALT_BYTES: u64 = 1 << 10;

/// A board with its salted seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The seal, as it is published.
    pub seal: String,
    /// The file with the salt.
    pub salt: PathBuf,
    /// True if the salt was created now.
    pub new: bool,
}

/// The reason why a board was not sealed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// A file cannot be read, or a salt cannot be created.
    #[error("{}: {}", .file.display(), from_io(.source))]
    File {
        /// The file of the board, or the file of its salt.
        file: PathBuf,
        /// The reason why the system could not read it.
        source: io::Error,
    },
    /// The file next to the board cannot be its salt.
    #[error("{}: {reason}; restore it, or remove it if its seal is not published", .file.display())]
    Salt {
        /// The file of the salt.
        file: PathBuf,
        /// The reason, as a fragment.
        reason: String,
    },
}

/// Seals a board's file with the salt in the file next to it. A missing salt is created. So sealing a board again gives the same
/// seal.
///
/// # Errors
/// [`SealError::File`] and [`SealError::Salt`].
pub fn seal(board: &Path) -> Result<Sealed, SealError> {
    let file = salt_file(board);
    // Checked before a salt is created, because the board may not exist.
    regular::open(board).map_err(|source| SealError::File { file: board.to_owned(), source })?;
    let (salt, new) = match read_salt(&file) {
        Ok(salt) => (salt, false),
        Err(_) if !file.exists() => {
            (make_salt(&file).map_err(|source| SealError::File { file: file.clone(), source })?, true)
        }
        Err(reason) => return Err(SealError::Salt { file, reason }),
    };
    Ok(Sealed { seal: seal_of(&salt, board)?, salt: file, new })
}

/// The file with the salt of a board's file.
pub(crate) fn salt_file(board: &Path) -> PathBuf {
    let mut name = board.as_os_str().to_owned();
    name.push(SALT_END);
    name.into()
}

/// Reads a salt. The error is a fragment.
pub(crate) fn read_salt(file: &Path) -> Result<String, String> {
    let bytes = regular::read(file, MAX_SALT_BYTES).map_err(|error| from_io(&error))?;
    let salt = String::from_utf8(bytes).ok().filter(|text| is_salt(text));
    salt.ok_or_else(|| "is not a salt, which is one line of 64 hexadecimal digits".into())
}

/// The salted seal of a board's file.
pub(crate) fn seal_of(salt: &str, board: &Path) -> Result<String, SealError> {
    let bytes = regular::read(board, MAX_BYTES).map_err(|source| SealError::File { file: board.to_owned(), source })?;
    Ok(salted_seal(salt, [&*bytes]))
}

/// Creates a salt that only its owner can read.
fn make_salt(file: &Path) -> io::Result<String> {
    let mut random = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut random)?;
    let salt = salt_of(&random);
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut new = options.open(file)?;
    new.write_all(salt.as_bytes())?;
    new.sync_all()?;
    // The name is synced as well: the seal is about to be published, and only the salt opens it.
    #[cfg(unix)]
    File::open(std::path::absolute(file)?.parent().unwrap_or(file))?.sync_all()?;
    Ok(salt)
}

fn from_io(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        _ => error.to_string(),
    }
}
