//! What a run holds without a name: files that were removed while they are open, files in memory, shared memory.
//!
//! Neither a walk through the scratch directory nor the memory of the processes shows them. A control group and a file
//! system of limited size count them; elsewhere this does, by the descriptors and mappings that `/proc` shows.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;

use rustix::process::Pid;

use crate::tree;

/// A file, by its device and number.
type File = (u64, u64);

/// The part of a tree that was seen so far.
#[derive(Default)]
pub(super) struct Hidden {
    /// Extents of mapped files without a name. What is mapped no more can still be there: an object lives as long as one
    /// page of it is mapped.
    extents: HashMap<File, u64>,
}

/// Bytes without a name that a tree holds at a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// In files in memory and shared memory.
    pub(super) memory_bytes: u64,
    /// In removed files on the device of the scratch directory.
    pub(super) scratch_bytes: u64,
}

impl Hidden {
    /// Looks at everything below a supervisor, or at a process and everything below it. `scratch` is the device of a
    /// scratch directory whose files are counted one by one.
    pub(super) fn look(&mut self, root: Pid, scratch: Option<u64>) -> Held {
        let (mut opened, mut mapped) = (HashMap::new(), HashMap::new());
        for pid in tree::family(root) {
            removed_files(pid, &mut opened);
            if let Ok(maps) = fs::read_to_string(format!("/proc/{pid}/maps")) {
                maps.lines().filter_map(mapping).for_each(|(file, extent)| {
                    let largest = mapped.entry(file).or_insert(0);
                    *largest = extent.max(*largest);
                });
            }
        }
        for (file, extent) in &mut mapped {
            *extent = self.extents.get(file).copied().unwrap_or(0).max(*extent);
        }
        let mut held = Held::default();
        let only_mapped = mapped.iter().filter(|(file, _)| !opened.contains_key(file));
        for ((device, _), bytes) in opened.iter().chain(only_mapped) {
            let sum = if Some(*device) == scratch { &mut held.scratch_bytes } else { &mut held.memory_bytes };
            *sum = sum.saturating_add(*bytes);
        }
        self.extents = mapped;
        held
    }
}

/// Adds the bytes of the files without a name that a process has open.
fn removed_files(pid: i32, files: &mut HashMap<File, u64>) {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    // Of the file behind the link.
    let opened = descriptors.filter_map(|descriptor| fs::metadata(descriptor.path()).ok());
    for file in opened.filter(|file| file.is_file() && file.nlink() == 0) {
        files.insert((file.dev(), file.ino()), file.blocks().saturating_mul(512));
    }
}

/// The file and extent of a line of `/proc/PID/maps`, if it is a shared mapping of a file without a name:
/// `7f00-7f01 rw-s 00002000 00:01 1234   /memfd:x (deleted)`.
fn mapping(line: &str) -> Option<(File, u64)> {
    let mut fields = line.split_ascii_whitespace();
    let (from, to) = fields.next()?.split_once('-')?;
    if !fields.next()?.ends_with('s') || !line.ends_with(" (deleted)") {
        return None;
    }
    let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
    let offset = hexadecimal(fields.next()?)?;
    let (major, minor) = fields.next()?.split_once(':')?;
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    let device = rustix::fs::makedev(number(major)?, number(minor)?);
    let inode = fields.next()?.parse().ok()?;
    let length = hexadecimal(to)?.checked_sub(hexadecimal(from)?)?;
    Some(((device, inode), offset.saturating_add(length)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn only_shared_mappings_without_a_name_are_counted() {
        let line = "7f0000000000-7f0000003000 rw-s 00002000 00:01 1234                       /memfd:a b (deleted)";
        assert_eq!(mapping(line), Some(((1, 1234), 0x5000)));
        for other in [
            "7f0000000000-7f0000003000 rw-p 00000000 00:01 1234   /memfd:x (deleted)",
            "7f0000000000-7f0000003000 rw-s 00000000 00:01 1234   /dev/shm/x",
            "7f0000000000-7f0000003000 rw-p 00000000 00:00 0 ",
            "",
            "7f00 rw-s",
        ] {
            assert_eq!(mapping(other), None, "{other}");
        }
    }

    #[test]
    fn removed_files_that_a_child_has_open_are_found_once_on_their_device() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = fs::File::create(&path).unwrap();
        file.write_all(&[1; 1 << 16]).unwrap();
        file.sync_all().unwrap();
        fs::remove_file(&path).unwrap();
        let again = file.try_clone().unwrap();
        let mut child =
            Command::new("sleep").arg("60").stdin(Stdio::from(file)).stdout(Stdio::from(again)).spawn().unwrap();
        let me = rustix::process::getpid();
        let device = folder.path().metadata().unwrap().dev();
        // The lists of children may have gaps while those of other tests come and go.
        let held = (0..1000).map(|_| Hidden::default().look(me, Some(device)));
        let held = held.into_iter().find(|held| held.scratch_bytes > 0);
        child.kill().unwrap();
        child.wait().unwrap();
        let held = held.unwrap().scratch_bytes;
        assert!((1 << 16..1 << 17).contains(&held), "{held}");
    }
}
