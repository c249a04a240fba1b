//! Opens regular files of any origin without waiting, and reads them with a limit.
//!
//! A pipe without a writer keeps its reader waiting, a device may be endless, and a file may be larger than the memory.
//! Every path that a user or a file from elsewhere names is opened here.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use crate::kind::check_regular;

/// Opens a regular file for reading. Anything else is refused as an error of kind `InvalidInput`, whose text says what
/// it is. It never waits for another process. Links are followed: the path is the caller's own.
///
/// # Errors
///
/// The system's, and one of kind `InvalidInput` for anything but a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    // Checked before opening: opening a device can have an effect.
    check_regular(path.metadata()?.file_type())?;
    let mut options = OpenOptions::new();
    options.read(true);
    set_nonblocking(&mut options);
    let file = options.open(path)?;
    // Checked again, in case the file was replaced meanwhile.
    check_regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// Opens a regular file below a folder that may come from elsewhere: no link between the folder and the file is followed, and
/// the file itself must not be a link. `path` begins with the folder, or is relative to it.
///
/// # Errors
/// `InvalidInput` for a file that is not regular, an error for a link, and what the system reports.
pub fn open_beneath(folder: &Path, path: &Path) -> io::Result<File> {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    #[cfg(target_os = "linux")]
    return crate::Folder::open(folder)?.read(inside);
    #[cfg(not(target_os = "linux"))]
    {
        let mut path = folder.to_owned();
        for name in inside.components() {
            path.push(name);
            let plain = matches!(name, std::path::Component::Normal(_));
            if !plain || path.symlink_metadata()?.file_type().is_symlink() {
                let reason = "is a symbolic link, or passes one, that is not followed here";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
            }
        }
        open(&path)
    }
}

/// Makes opening and reading a file return without waiting, in case it has become a pipe meanwhile. Reading a few
/// regular files of the system, such as /proc/kmsg, would also wait.
#[cfg(target_os = "linux")]
fn set_nonblocking(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(target_os = "linux"))]
fn set_nonblocking(_: &mut OpenOptions) {}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// `FileTooLarge` for a larger one, `InvalidInput` for a file that is not regular, and what the system reports.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_file(open(path)?, most)
}

/// Reads an open regular file of at most `most` bytes.
///
/// # Errors
/// `FileTooLarge` for a larger one, and what the system reports.
pub fn read_file(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A file system may report a wrong size.
    if file.metadata()?.len() > most {
        return Err(too_large(most));
    }
    capped(file, most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last bytes of a regular file, at most `most`.
///
/// # Errors
/// `InvalidInput` for a file that is not regular, and what the system reports.
pub fn tail(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    tail_of(open(path)?, most)
}

/// The last bytes of an open file, at most `most`.
fn tail_of(mut file: File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last line of a regular file that is not blank, trimmed; `None` if its last 4 KiB have no such line, or if it
/// cannot be read.
pub fn last_line(path: &Path) -> Option<String> {
    last_line_of(open(path).ok()?)
}

/// The last line of an open file that is not blank, trimmed; `None` if its last 4 KiB have no such line, or if it cannot be
/// read.
pub fn last_line_of(file: File) -> Option<String> {
    const TAIL: u64 = 4096;
    let bytes = tail_of(file, TAIL).ok()?;
    let last = bytes.rsplit(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
    Some(String::from_utf8_lossy(last.trim_ascii()).into_owned())
}

/// Creates a regular file or empties one. A link, a pipe or a device of that name is replaced, not followed: the folder
/// may come from elsewhere.
///
/// # Errors
/// `InvalidInput` for a file that is not regular, and what the system reports.
pub fn create(path: &Path) -> io::Result<File> {
    if path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        std::fs::remove_file(path)?;
    }
    File::create(path)
}

/// Limits a reader to `most` bytes: reading further returns an error of kind `FileTooLarge`.
pub fn capped<R: Read>(reader: R, most: u64) -> impl Read {
    Capped { reader, left: most, most }
}

struct Capped<R> {
    reader: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return match self.reader.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(too_large(self.most)),
            };
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.reader.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

fn too_large(most: u64) -> io::Error {
    let size = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        .into_iter()
        .find(|(size, _)| most >= *size && most.is_multiple_of(*size))
        .map_or_else(
            || format!("{most} {}", if most == 1 { "byte" } else { "bytes" }),
            |(size, unit)| format!("{} {unit}", most / size),
        );
    io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {size}, the most allowed"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn reason<T>(result: io::Result<T>) -> String {
        result.err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn only_regular_files_of_a_limited_size_are_read() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let size = own.metadata().map_or(0, |metadata| metadata.len());
        assert_eq!(read(&own, size).map_or(0, |bytes| bytes.len() as u64), size);
        assert_eq!(reason(read(&own, 1)), "is larger than 1 byte, the most allowed");
        assert_eq!(reason(open(Path::new("."))), "is a directory; expected a regular file");
        #[cfg(unix)]
        assert_eq!(reason(read(Path::new("/dev/zero"), 1 << 20)), "is a device; expected a regular file");
    }

    #[test]
    fn the_end_of_a_file_is_read_without_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, format!("{}\nfirst\n last one \n\n  \n", "x".repeat(10_000))).unwrap();
        assert_eq!(tail(&path, 5).unwrap(), b"\n\n  \n");
        assert_eq!(tail(&path, 1 << 20).unwrap().len(), 10_022);
        assert_eq!(last_line(&path).as_deref(), Some("last one"));
        std::fs::write(&path, " \n\n").unwrap();
        assert_eq!(last_line(&path), None);
        assert_eq!(last_line(&folder.path().join("none")), None);
        assert_eq!(last_line(folder.path()), None);
    }

    #[test]
    fn a_reader_without_end_ends_with_an_error() {
        let text = |most| {
            let mut text = String::new();
            capped(&b"abc"[..], most).read_to_string(&mut text).map(|_| text)
        };
        assert_eq!(text(3).ok().as_deref(), Some("abc"));
        assert_eq!(text(4).ok().as_deref(), Some("abc"));
        assert_eq!(text(2).map_err(|error| error.kind()), Err(io::ErrorKind::FileTooLarge));
        let mut bytes = Vec::new();
        let endless = capped(io::repeat(7), 3 << 20).read_to_end(&mut bytes);
        assert_eq!(reason(endless), "is larger than 3 MiB, the most allowed");
    }
}
