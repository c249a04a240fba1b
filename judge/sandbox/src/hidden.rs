//! What a run holds without a name: files that were removed while they are open, files in memory, shared memory.
//!
//! Neither a walk through the scratch directory nor the memory of the processes shows them. A control group and a file
//! system of limited size count them; elsewhere this does, by the descriptors and mappings that `/proc` shows.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use crate::tree;

/// A file, by its device and number.
type File = (u64, u64);

/// The largest piece of shared memory without a file that entries may have where no control group counts memory. However
/// little of a piece is mapped, it may be as large as this, and counts so.
pub(super) const SHARED_PIECE: u64 = 1 << 20;

/// Time for one turn of looking. A run with very many mappings is looked at in several.
const TURN: Duration = Duration::from_millis(10);

/// The part of a tree that was seen so far.
pub(super) struct Hidden {
    /// The judge may see the files behind mappings.
    sees_mapped: bool,
    /// Extents of mapped files without a name. What is mapped no more can still be there: an object lives as long as one
    /// page of it is mapped.
    extents: HashMap<File, u64>,
    look: Look,
    /// The result of the last whole look.
    held: Held,
}

/// A look at all processes, one after another.
#[derive(Default)]
struct Look {
    /// Processes still to be looked at.
    left: Vec<i32>,
    opened: HashMap<File, u64>,
    mapped: HashMap<File, u64>,
    /// Page tables, and memory on swap devices.
    other_bytes: u64,
}

/// Bytes without a name that a tree holds at a moment, and those of its own that are not resident.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// In files in memory and shared memory, in page tables and on swap devices.
    pub(super) memory_bytes: u64,
    /// In removed files on the device of the scratch directory.
    pub(super) scratch_bytes: u64,
}

impl Default for Hidden {
    fn default() -> Self {
        Self { sees_mapped: sees_mapped_files(), extents: HashMap::new(), look: Look::default(), held: Held::default() }
    }
}

impl Hidden {
    /// A look at the processes has begun and is not finished.
    pub(super) fn is_under_way(&self) -> bool {
        !self.look.left.is_empty()
    }

    /// Goes on looking at processes for a turn, or begins with these. `scratch` is the device of a scratch directory whose
    /// files are counted one by one.
    pub(super) fn look(&mut self, members: &[i32], scratch: Option<u64>) -> Held {
        let begun = Instant::now();
        if !self.is_under_way() {
            self.look = Look { left: members.to_vec(), ..Look::default() };
        }
        while let Some(pid) = self.look.left.pop() {
            self.look_at(tree::shown_by(pid), scratch);
            if begun.elapsed() > TURN {
                break;
            }
        }
        for (file, extent) in &mut self.look.mapped {
            *extent = self.extents.get(file).copied().unwrap_or(0).max(*extent);
        }
        let Look { opened, mapped, other_bytes, .. } = &self.look;
        let mut found = Held { memory_bytes: *other_bytes, scratch_bytes: 0 };
        let only_mapped = mapped.iter().filter(|(file, _)| !opened.contains_key(file));
        for ((device, _), bytes) in opened.iter().chain(only_mapped) {
            let sum = if Some(*device) == scratch { &mut found.scratch_bytes } else { &mut found.memory_bytes };
            *sum = sum.saturating_add(*bytes);
        }
        if self.is_under_way() {
            // A part is no less than what it shows.
            return Held {
                memory_bytes: found.memory_bytes.max(self.held.memory_bytes),
                scratch_bytes: found.scratch_bytes.max(self.held.scratch_bytes),
            };
        }
        self.extents = std::mem::take(&mut self.look.mapped);
        self.held = found;
        found
    }

    fn look_at(&mut self, task: i32, scratch: Option<u64>) {
        let Look { opened, mapped, other_bytes, .. } = &mut self.look;
        removed_files(task, opened);
        *other_bytes = other_bytes.saturating_add(not_resident(task));
        let Ok(maps) = fs::read_to_string(format!("/proc/{task}/maps")) else { return };
        let mut known = HashMap::new();
        for Mapping { file, extent, range } in maps.lines().filter_map(|line| mapping(line, scratch)) {
            if self.sees_mapped && known.insert(file, ()).is_none() {
                let behind = fs::metadata(format!("/proc/{task}/map_files/{range}"));
                if let Ok(behind) = behind.as_ref().map(fs::Metadata::blocks) {
                    opened.insert(file, behind.saturating_mul(512));
                }
            }
            let largest = mapped.entry(file).or_insert(0);
            *largest = extent.max(*largest);
        }
    }
}

/// Checks whether the judge may see the files behind mappings, with their sizes. The kernel shows them to root only.
pub(super) fn sees_mapped_files() -> bool {
    let ranges = fs::read_dir("/proc/self/map_files").into_iter().flatten().flatten();
    ranges.into_iter().any(|range| fs::metadata(range.path()).is_ok())
}

/// Bytes of a process's page tables and of its memory on swap devices, which are no resident memory.
fn not_resident(task: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{task}/status")).unwrap_or_default();
    let kib = |line: &str| {
        let value = ["VmPTE:", "VmSwap:"].iter().find_map(|name| line.strip_prefix(name))?;
        value.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    status.lines().filter_map(kib).map(|kib| kib.saturating_mul(1024)).sum()
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

/// The name of shared memory without a file in `/proc/PID/maps`.
const SHARED_MEMORY: &str = "/dev/zero";

/// A mapping of a file without a name.
#[derive(Debug, PartialEq, Eq)]
struct Mapping {
    file: File,
    /// Bytes from the beginning of the file to the end of the mapping.
    extent: u64,
    /// The addresses, as names in `/proc/PID/map_files` have them.
    range: String,
}

/// The mapping of a line of `/proc/PID/maps`, if it is of a file without a name that holds memory or room for scratch files:
/// `7f00-7f01 rw-s 00002000 00:01 1234   /memfd:x (deleted)`. Private mappings of other removed files are those of programs
/// and libraries that were replaced.
fn mapping(line: &str, scratch: Option<u64>) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (from, to) = fields.next()?.split_once('-')?;
    let shared = fields.next()?.ends_with('s');
    if !line.ends_with(" (deleted)") {
        return None;
    }
    let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
    let offset = hexadecimal(fields.next()?)?;
    let (major, minor) = fields.next()?.split_once(':')?;
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    let device = rustix::fs::makedev(number(major)?, number(minor)?);
    let inode = fields.next()?.parse().ok()?;
    let name = fields.next()?;
    if !shared && !name.starts_with("/memfd:") && Some(device) != scratch {
        return None;
    }
    let (from, to) = (hexadecimal(from)?, hexadecimal(to)?);
    let extent = offset.saturating_add(to.checked_sub(from)?);
    let extent = extent.max(if name == SHARED_MEMORY { SHARED_PIECE } else { 0 });
    Some(Mapping { file: (device, inode), extent, range: format!("{from:x}-{to:x}") })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn only_mappings_without_a_name_that_hold_memory_or_room_are_counted() {
        let device = rustix::fs::makedev(8, 1);
        let found = |line| mapping(line, Some(device)).map(|found| (found.file, found.extent, found.range));
        let line = "00400000-00403000 rw-s 00002000 00:01 1234                       /memfd:a b (deleted)";
        assert_eq!(found(line), Some(((1, 1234), 0x5000, "400000-403000".into())));
        let private = "400000-401000 r--p 00000000 00:01 7 /memfd:private (deleted)";
        assert_eq!(found(private).unwrap().0, (1, 7), "one page keeps the whole file");
        let piece = "400000-401000 rw-s 00000000 00:01 8 /dev/zero (deleted)";
        assert_eq!(found(piece).unwrap().1, SHARED_PIECE, "it may have been larger");
        let removed = "7f0000000000-7f0000001000 r--p 00000000 08:01 12   /tmp/judge-x/removed (deleted)";
        assert_eq!(found(removed).unwrap().0, (device, 12));
        for other in [
            "7f0000000000-7f0000003000 r--p 00000000 08:02 12   /usr/lib/replaced.so (deleted)",
            "7f0000000000-7f0000003000 rw-s 00000000 00:01 1234   /dev/shm/x",
            "7f0000000000-7f0000003000 rw-p 00000000 00:00 0 ",
            "",
            "7f00 rw-s",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn page_tables_count_and_a_task_that_is_gone_has_none() {
        assert!(not_resident(rustix::process::getpid().as_raw_pid()) > 0);
        assert_eq!(not_resident(i32::MAX), 0);
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
        let held = (0..1000).map(|_| Hidden::default().look(&tree::family(me), Some(device)));
        let held = held.into_iter().find(|held| held.scratch_bytes > 0);
        child.kill().unwrap();
        child.wait().unwrap();
        let held = held.unwrap().scratch_bytes;
        assert!((1 << 16..1 << 17).contains(&held), "{held}");
    }
}
