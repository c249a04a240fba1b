//! Files fetched from a scratch directory after the end of its job.
//!
//! The job chose what is there. So everything goes through a descriptor of the directory, no link is followed, nothing is
//! waited for, and no more is read than was asked for.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::BorrowedFd;

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::WantedFile;

/// Copies every wanted file that exists; remarks on what could not be fetched as it is, as fragments. The error names the
/// file of the judge's that could not be written.
pub(super) fn fetch(scratch: BorrowedFd<'_>, wanted: &[WantedFile]) -> Result<Vec<String>, String> {
    let mut notes = Vec::new();
    for WantedFile { name, cap, to } in wanted {
        match open(scratch, name) {
            Ok(None) => {}
            Ok(Some(file)) => {
                let copied = File::create(to).and_then(|mut to| io::copy(&mut (&file).take(*cap), &mut to));
                let copied = copied.map_err(|error| format!("{}: {error}", to.display()))?;
                if copied == *cap && (&file).read(&mut [0]).is_ok_and(|more| more > 0) {
                    notes.push(format!("only the first {cap} bytes of its file {name:?} were kept"));
                }
            }
            Err(why) => notes.push(format!("its file {name:?} was not fetched: {why}")),
        }
    }
    Ok(notes)
}

/// Opens a regular file; `None` if there is no file of that name.
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
    use std::fs;
    use std::os::fd::AsFd as _;

    use super::*;

    #[test]
    fn only_regular_files_are_fetched_and_never_more_than_the_cap() {
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
        let notes = fetch(folder.as_fd(), &wanted).unwrap();
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
        assert!(fetch(folder.as_fd(), &nowhere).unwrap_err().starts_with("/no/such/folder/x: "));
    }
}
