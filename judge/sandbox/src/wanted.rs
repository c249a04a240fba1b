//! Files fetched from a scratch directory after the end of its job.
//!
//! The job controls the contents. So everything goes through a descriptor of the directory, no link is followed, nothing
//! can block, and no more is read than was requested.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::Path;

use rustix::fs::{Dir, Mode, OFlags, openat};
use rustix::io::Errno;

use super::{Job, WantedFile, WantedFolder};

/// Remarks on files that could not be fetched unchanged.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    /// The remarks, as fragments.
    pub(super) notes: Vec<String>,
    /// The names of files of which no byte was fetched.
    pub(super) unfetched: Vec<String>,
}

/// Copies every wanted file that exists. The error names the judge's file that could not be written.
pub(super) fn fetch(scratch: BorrowedFd<'_>, job: &Job) -> Result<Fetched, String> {
    let mut fetched = Fetched::default();
    for WantedFile { name, cap, to } in &job.wanted {
        fetched.copy(scratch, (name, name), *cap, to)?;
    }
    for WantedFolder { name, cap, files, to } in &job.wanted_folders {
        let folder = match openat(scratch, name.as_str(), FOLDER, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOENT) => continue,
            Err(error) => {
                fetched.notes.push(format!("its folder {name:?} was not fetched: {}", io::Error::from(error)));
                continue;
            }
        };
        let mut left = *cap;
        for file in names(folder.as_fd(), *files, name, &mut fetched.notes) {
            left -= fetched.copy(folder.as_fd(), (&file, &format!("{name}/{file}")), left, &to.join(&file))?;
        }
    }
    Ok(fetched)
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The names in a folder, in order, at most `most`.
fn names(folder: BorrowedFd<'_>, most: usize, name: &str, notes: &mut Vec<String>) -> Vec<String> {
    let items = match Dir::read_from(folder) {
        Ok(items) => items,
        Err(error) => {
            notes.push(format!("its folder {name:?} was not fetched: {}", io::Error::from(error)));
            return Vec::new();
        }
    };
    let names = items.map_while(Result::ok).map(|item| item.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !matches!(name.as_str(), "." | "..")).take(most + 1).collect();
    if names.len() > most {
        notes.push(format!("only {most} files of its folder {name:?} were kept"));
    }
    names.sort_unstable();
    names.truncate(most);
    names
}

impl Fetched {
    /// Copies a file of a folder if it exists, and returns the number of bytes. `path` is its name in the scratch directory.
    fn copy(&mut self, folder: BorrowedFd<'_>, (name, path): (&str, &str), cap: u64, to: &Path) -> Result<u64, String> {
        match open(folder, name) {
            Ok(None) => Ok(0),
            Ok(Some(file)) => {
                let copied = File::create(to).and_then(|mut to| io::copy(&mut (&file).take(cap), &mut to));
                let copied = copied.map_err(|error| format!("{}: {error}", to.display()))?;
                if copied == cap && (&file).read(&mut [0]).is_ok_and(|more| more > 0) {
                    self.notes.push(format!("only the first {cap} bytes of its file {name:?} were kept"));
                }
                Ok(copied)
            }
            Err(why) => {
                self.notes.push(format!("its file {name:?} was not fetched: {why}"));
                self.unfetched.push(path.to_owned());
                Ok(0)
            }
        }
    }
}

/// Opens a regular file; `None` if it does not exist.
fn open(scratch: BorrowedFd<'_>, name: &str) -> Result<Option<File>, String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(scratch, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err("it is a link".into()),
        Err(error) => return Err(io::Error::from(error).to_string()),
    };
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => Ok(Some(file)),
        Ok(_) => Err("it is not a regular file".into()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use std::fs;

    fn wanting(wanted: Vec<WantedFile>, wanted_folders: Vec<WantedFolder>) -> Job {
        let mut job = Job::new(["true"], "out", "err");
        (job.wanted, job.wanted_folders) = (wanted, wanted_folders);
        job
    }

    #[test]
    fn only_regular_files_up_to_the_cap_are_fetched() {
        let (scratch, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(scratch.path().join("whole"), "12345").unwrap();
        fs::write(scratch.path().join("long"), "123456").unwrap();
        fs::create_dir(scratch.path().join("folder")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", scratch.path().join("link")).unwrap();
        let pipe = scratch.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        let names = ["whole", "long", "folder", "link", "pipe", "missing"];
        let wanted = names.map(|name| WantedFile { name: name.into(), cap: 5, to: to.path().join(name) });
        let folder = File::open(scratch.path()).unwrap();
        let Fetched { notes, unfetched } = fetch(folder.as_fd(), &wanting(wanted.into(), Vec::new())).unwrap();
        assert_eq!(unfetched, ["folder", "link", "pipe"]);
        let expected = [
            "only the first 5 bytes of its file \"long\" were kept",
            "its file \"folder\" was not fetched: it is not a regular file",
            "its file \"link\" was not fetched: it is a link",
            "its file \"pipe\" was not fetched: it is not a regular file",
        ];
        assert_eq!(notes, expected);
        for name in names {
            let fetched = fs::read_to_string(to.path().join(name)).ok();
            let expected = ["whole", "long"].contains(&name).then(|| "12345".to_owned());
            assert_eq!(fetched, expected, "{name}");
        }
        let nowhere = [WantedFile { name: "whole".into(), cap: 5, to: "/no/such/folder/x".into() }];
        assert!(
            fetch(folder.as_fd(), &wanting(nowhere.into(), Vec::new())).unwrap_err().starts_with("/no/such/folder/x: ")
        );
    }

    #[test]
    fn a_folder_gives_its_regular_files_up_to_its_caps() {
        let (scratch, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let inner = scratch.path().join("left");
        fs::create_dir_all(inner.join("deeper")).unwrap();
        for (name, text) in [("a", "123"), ("b", "45"), ("c", "6")] {
            fs::write(inner.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", inner.join("link")).unwrap();
        std::os::unix::fs::symlink("left", scratch.path().join("other")).unwrap();
        let folder = File::open(scratch.path()).unwrap();
        let fetch = |name: &str, cap, files| {
            let to = to.path().join(format!("{name}.{cap}.{files}"));
            fs::create_dir(&to).unwrap();
            let wanted = WantedFolder { name: name.into(), cap, files, to: to.clone() };
            let Fetched { notes, unfetched } =
                super::fetch(folder.as_fd(), &wanting(Vec::new(), vec![wanted])).unwrap();
            assert_eq!(unfetched, if name == "left" && files > 2 { vec!["left/deeper", "left/link"] } else { vec![] });
            let mut kept: Vec<_> = fs::read_dir(to).unwrap().map(|file| file.unwrap().path()).collect();
            kept.sort();
            let kept: String = kept.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
            (kept, notes.join("; "))
        };
        let (kept, notes) = fetch("left", 100, 10);
        assert_eq!(kept, "123456");
        assert!(notes.contains("\"deeper\" was not fetched: it is not a regular file"), "{notes}");
        assert!(notes.contains("\"link\" was not fetched: it is a link"), "{notes}");
        let (kept, notes) = fetch("left", 4, 10);
        assert_eq!(kept, "1234");
        assert!(notes.contains("only the first 1 bytes of its file \"b\" were kept"), "{notes}");
        assert!(fetch("left", 100, 2).1.contains("only 2 files of its folder \"left\" were kept"));
        assert!(fetch("other", 100, 10).1.contains("its folder \"other\" was not fetched"));
        assert_eq!(fetch("missing", 100, 10), (String::new(), String::new()));
    }
}
