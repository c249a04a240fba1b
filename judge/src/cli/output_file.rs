//! Files that the user names for a page or a figure. They are written atomically, and replace only files of the same kind.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use super::Failure;

/// The kind of a file, which may replace only files of that kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// A noun for messages, with its article.
    name: &'static str,
    /// The beginning of every file of this kind, in lower case.
    begin: &'static [u8],
}

/// A page of results.
pub(super) const PAGE: Kind = Kind { name: "an HTML page", begin: b"<!doctype html" };
/// A figure of such a page, in each of its formats.
pub(super) const SVG: Kind = Kind { name: "an SVG figure", begin: b"<svg" };
pub(super) const PDF: Kind = Kind { name: "a PDF file", begin: b"%pdf-" };
pub(super) const PNG: Kind = Kind { name: "a PNG file", begin: b"\x89png" };

/// Writes the file that the user named. At any moment, a regular file has its old contents or all of the new ones. A
/// pipe or a device receives the new ones.
pub(super) fn write(
    path: &Path,
    kind: Kind,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let written = match target(path, kind)? {
        Target::Stream => File::options().write(true).open(path).and_then(|file| buffered(file, contents)),
        Target::Regular(target) => replace(&target, contents),
    };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => not_created(path, "no such folder"),
        _ => {
            let message = format!("{}: {error}", path.display());
            Failure::making(&error, message)
        }
    })
}

/// Refuses a file that must not be replaced, before its new contents exist.
#[cfg(feature = "sandbox")]
pub(super) fn check(path: &Path, kind: Kind) -> Result<(), Failure> {
    target(path, kind).map(drop)
}

/// Replaces a file atomically. A link of that name is replaced, not followed.
pub(super) fn replace(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    #[cfg(target_os = "linux")]
    return judge_files::Folder::open(folder)?.replace(name, |file| buffered(file, contents));
    #[cfg(not(target_os = "linux"))]
    {
        let mut aside = std::ffi::OsString::from(".");
        aside.push(name);
        aside.push(format!(".{}.new", std::process::id()));
        let aside = folder.join(aside);
        let written = File::create_new(&aside).and_then(|file| buffered(file, contents));
        let replaced = written.and_then(|()| fs::rename(&aside, path));
        if replaced.is_err() {
            fs::remove_file(&aside).ok();
        }
        replaced
    }
}

/// The target of the contents.
enum Target {
    /// A pipe or a device.
    Stream,
    /// A file at this path, without symbolic links.
    Regular(PathBuf),
}

fn target(path: &Path, kind: Kind) -> Result<Target, Failure> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(not_created(path, "is a folder")),
        Ok(metadata) if !metadata.is_file() => Ok(Target::Stream),
        Ok(_) if !is_of_kind(path, kind) => Err(Failure::input(format!(
            "{}: is not {}, so it is not replaced; name another file, or remove this one first",
            path.display(),
            kind.name
        ))),
        Ok(_) => Ok(Target::Regular(path.canonicalize().unwrap_or_else(|_| path.to_owned()))),
        Err(_) => Ok(Target::Regular(path.to_owned())),
    }
}

/// Tests whether a file is empty or begins like files of this kind.
fn is_of_kind(path: &Path, kind: Kind) -> bool {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(kind.begin.len() as u64).read_to_end(&mut begin));
    read.is_ok() && (begin.is_empty() || begin.eq_ignore_ascii_case(kind.begin))
}

fn not_created(path: &Path, reason: &str) -> Failure {
    Failure::input(format!("{}: {reason}; name a file in a folder that exists with -o", path.display()))
}

fn buffered(file: impl Write, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    contents(&mut file)?;
    file.flush()
}
