//! Memory and disk space that a run holds without a name: removed files that are still open, files in memory, shared
//! memory.
//!
//! Neither a walk through the scratch directory nor the memory of the processes shows them. A control group and a file
//! system of limited size count them; without these, this module counts them by the descriptors and mappings that
//! `/proc` shows.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

use rustix::thread::CapabilitySet;

use crate::tree;

/// A file, by its device and number.
type File = (u64, u64);

/// The largest piece of shared memory without a file that entries may have if no control group counts memory. Even if
/// little of a piece is mapped, it may have this size, and counts as such.
pub(super) const SHARED_PIECE: u64 = 1 << 20;

/// Time for one turn of a scan. A run with very many mappings is scanned in several turns.
const SCAN_SLICE: Duration = Duration::from_millis(10);

/// The most mappings of all processes together that are scanned. With more, a scan would take seconds, in which a run
/// could exceed its limits.
const MAX_MAPPINGS: u64 = 1 << 18;

/// Memory that the kernel needs for a mapping, as counted by control groups.
const MAPPING_BYTES: u64 = 256;

/// The number of consecutive scans in which a process may be closed to the judge: while it executes a program, it can be
/// closed for a moment.
const MAX_CLOSED: u32 = 5;

/// The part of a process tree that was scanned so far.
pub(super) struct Hidden {
    /// True if the judge may see the files behind mappings.
    sees_mapped: bool,
    /// Extents of mapped files without a name. A part that is no longer mapped can still exist: an object lives as long
    /// as one of its pages is mapped.
    extents: HashMap<File, u64>,
    look: Scan,
    /// Number of consecutive complete scans that found a process that is closed to the judge.
    closed: u32,
    /// The result of the last complete scan.
    held: HiddenBytes,
}

/// A scan of all processes, one after another.
#[derive(Default)]
struct Scan {
    /// Processes that are still to be scanned.
    left: Vec<i32>,
    opened: HashMap<File, u64>,
    mapped: HashMap<File, u64>,
    /// Page tables, memory on swap devices, and what the kernel needs for mappings.
    other_bytes: u64,
    mappings: u64,
    /// True if a process is closed to the judge.
    closed: bool,
}

/// Bytes without a name that a process tree holds at one moment, and its own non-resident bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct HiddenBytes {
    /// Bytes in memory files and shared memory, in page tables and on swap devices.
    pub(super) memory_bytes: u64,
    /// Bytes in removed files on the device of the scratch directory.
    pub(super) scratch_bytes: u64,
    /// Bytes in removed files on the device of the folder whose size is limited, if it is another one.
    pub(super) folder_bytes: u64,
    /// A way in which the run may hold an unknown amount out of the judge's sight.
    pub(super) unseen: Option<Unmeasured>,
}

/// The devices on which removed files count as room of a directory, and not as memory.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Devices {
    /// Device of a scratch directory whose files are counted one by one.
    pub(super) scratch: Option<u64>,
    /// Device of the first folder that the job may write, if its size is limited.
    pub(super) folder: Option<u64>,
}

impl Devices {
    fn have(self, device: u64) -> bool {
        [self.scratch, self.folder].contains(&Some(device))
    }
}

/// A way to hold something that the judge does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unmeasured {
    /// There are more mappings than the judge scans.
    Mappings,
    /// The kernel shows nothing of a process, because its program file is executable but not readable.
    Closed,
}

impl fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mappings => {
                write!(f, "it had more than {MAX_MAPPINGS} mappings of memory, more than judge looks at")
            }
            Self::Closed => {
                f.write_str("it ran a program that may be executed and not read, so judge could not see what it held")
            }
        }
    }
}

impl Default for Hidden {
    fn default() -> Self {
        let sees_mapped = sees_mapped_files();
        Self { sees_mapped, extents: HashMap::new(), look: Scan::default(), closed: 0, held: HiddenBytes::default() }
    }
}

impl Hidden {
    /// True if a scan of the processes has begun and is not finished.
    pub(super) fn is_under_way(&self) -> bool {
        !self.look.left.is_empty()
    }

    /// Continues the scan for one turn, or begins a scan of these processes.
    pub(super) fn scan(&mut self, members: &[i32], devices: Devices) -> HiddenBytes {
        let begun = Instant::now();
        if !self.is_under_way() {
            self.look = Scan { left: members.to_vec(), ..Scan::default() };
        }
        while let Some(pid) = self.look.left.pop() {
            self.scan_task(tree::shown_by(pid), devices);
            if begun.elapsed() > SCAN_SLICE {
                break;
            }
        }
        for (file, extent) in &mut self.look.mapped {
            *extent = self.extents.get(file).copied().unwrap_or(0).max(*extent);
        }
        let Scan { opened, mapped, other_bytes, mappings, closed, .. } = &self.look;
        if !self.is_under_way() {
            self.closed = if *closed { self.closed + 1 } else { 0 };
        }
        let unseen = (*mappings > MAX_MAPPINGS).then_some(Unmeasured::Mappings);
        let unseen = unseen.or((self.closed >= MAX_CLOSED).then_some(Unmeasured::Closed));
        let mut found = HiddenBytes { memory_bytes: *other_bytes, unseen, ..HiddenBytes::default() };
        let only_mapped = mapped.iter().filter(|(file, _)| !opened.contains_key(file));
        for ((device, _), bytes) in opened.iter().chain(only_mapped) {
            let sum = match Some(*device) {
                device if device == devices.scratch => &mut found.scratch_bytes,
                device if device == devices.folder => &mut found.folder_bytes,
                _ => &mut found.memory_bytes,
            };
            *sum = sum.saturating_add(*bytes);
        }
        if self.is_under_way() {
            // A partial scan counts only if it found more than the last complete one.
            return HiddenBytes {
                memory_bytes: found.memory_bytes.max(self.held.memory_bytes),
                scratch_bytes: found.scratch_bytes.max(self.held.scratch_bytes),
                folder_bytes: found.folder_bytes.max(self.held.folder_bytes),
                unseen,
            };
        }
        self.extents = std::mem::take(&mut self.look.mapped);
        self.held = found;
        found
    }

    fn scan_task(&mut self, task: i32, devices: Devices) {
        let Scan { opened, mapped, other_bytes, mappings, closed, .. } = &mut self.look;
        let status = fs::read_to_string(format!("/proc/{task}/status")).unwrap_or_default();
        if let Err(error) = removed_files(task, devices, opened) {
            *closed |=
                error.kind() == io::ErrorKind::PermissionDenied && tree::any_lives(&[task]) && may_look_into(&status);
        }
        *other_bytes = other_bytes.saturating_add(not_resident(&status));
        let Ok(maps) = fs::read_to_string(format!("/proc/{task}/maps")) else { return };
        let lines = maps.lines().count() as u64;
        *mappings = mappings.saturating_add(lines);
        *other_bytes = other_bytes.saturating_add(lines.saturating_mul(MAPPING_BYTES));
        let mut known = HashMap::new();
        for Mapping { file, extent, range } in maps.lines().filter_map(|line| mapping(line, devices)) {
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

/// Checks whether the kernel shows the judge what an ordinary process with this status holds: a process of the judge's
/// user, or any process if the judge has the right to trace all.
fn may_look_into(status: &str) -> bool {
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok());
    let traces = || {
        let rights = rustix::thread::capabilities(None);
        rights.is_ok_and(|rights| rights.effective.contains(CapabilitySet::SYS_PTRACE))
    };
    user == Some(rustix::process::geteuid().as_raw()) || traces()
}

/// Bytes of a process's page tables and of its memory on swap devices, which are not resident memory, from its status.
fn not_resident(status: &str) -> u64 {
    let kib = |line: &str| {
        let value = ["VmPTE:", "VmSwap:"].iter().find_map(|name| line.strip_prefix(name))?;
        value.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    status.lines().filter_map(kib).map(|kib| kib.saturating_mul(1024)).sum()
}

/// Adds the bytes of nameless files, folders and links that a process has open. On the devices of its directories, its
/// working folder and its program also count.
fn removed_files(pid: i32, devices: Devices, files: &mut HashMap<File, u64>) -> io::Result<()> {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd"))?.flatten();
    // The metadata of the file behind the link.
    let opened = descriptors.filter_map(|descriptor| fs::metadata(descriptor.path()).ok());
    let held = ["cwd", "exe"].into_iter().filter_map(|name| fs::metadata(format!("/proc/{pid}/{name}")).ok());
    let held = held.filter(|file| devices.have(file.dev()));
    for file in opened.chain(held).filter(|file| file.nlink() == 0) {
        files.insert((file.dev(), file.ino()), file.blocks().saturating_mul(512));
    }
    Ok(())
}

/// The name of shared memory without a file in `/proc/PID/maps`.
const SHARED_MEMORY: &str = "/dev/zero";

/// A mapping of a file without a name.
#[derive(Debug, PartialEq, Eq)]
struct Mapping {
    file: File,
    /// Bytes from the beginning of the file to the end of the mapping.
    extent: u64,
    /// The addresses, in the form of the names in `/proc/PID/map_files`.
    range: String,
}

/// Parses a line of `/proc/PID/maps`; `None` unless it maps a file without a name that holds memory or room for scratch
/// files: `7f00-7f01 rw-s 00002000 00:01 1234 /memfd:x (deleted)`. Private mappings of other removed files belong to
/// programs and libraries that were replaced.
fn mapping(line: &str, devices: Devices) -> Option<Mapping> {
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
    if !shared && !name.starts_with("/memfd:") && !devices.have(device) {
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

    fn scratch(device: u64) -> Devices {
        Devices { scratch: Some(device), folder: None }
    }

    #[test]
    fn only_mappings_without_a_name_that_hold_memory_or_room_are_counted() {
        let device = rustix::fs::makedev(8, 1);
        let found = |line| mapping(line, scratch(device)).map(|found| (found.file, found.extent, found.range));
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
    fn page_tables_count() {
        assert!(not_resident(&fs::read_to_string("/proc/self/status").unwrap()) > 0);
        assert_eq!(not_resident("VmPTE:\t      12 kB\nVmSwap:\t       3 kB\nVmRSS:\t 9 kB\n"), 15 << 10);
        assert_eq!(not_resident(""), 0);
    }

    #[test]
    fn what_cannot_be_measured_is_reported_as_unseen() {
        let mut hidden = Hidden::default();
        let mut look = |closed, mappings| {
            // As if the processes had been scanned.
            hidden.look = Scan { left: vec![i32::MAX], closed, mappings, ..Scan::default() };
            hidden.scan(&[], Devices::default()).unseen
        };
        for _ in 1..MAX_CLOSED {
            assert_eq!(look(true, 0), None);
        }
        assert_eq!(look(false, 0), None, "it was there for a moment");
        for turn in 1..=MAX_CLOSED {
            assert_eq!(look(true, 0), (turn == MAX_CLOSED).then_some(Unmeasured::Closed));
        }
        assert_eq!(look(false, MAX_MAPPINGS), None);
        assert_eq!(look(false, MAX_MAPPINGS + 1), Some(Unmeasured::Mappings));
        let own = format!("Uid:\t{0}\t{0}\n", rustix::process::geteuid().as_raw());
        assert!(may_look_into(&own));
    }

    #[test]
    fn a_removed_folder_link_and_program_hold_room_like_a_removed_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["open", "working"] {
            fs::create_dir(at(name)).unwrap();
        }
        std::os::unix::fs::symlink("x".repeat(4000), at("link")).unwrap();
        // Another process makes the copy: a program that is open for writing, also in a child of another test, does not start.
        assert!(Command::new("cp").arg("/bin/sleep").arg(at("sleep")).status().unwrap().success());
        let held: Vec<_> = ["open", "link", "working", "sleep"].map(|name| at(name).symlink_metadata().unwrap()).into();
        let path_only = rustix::fs::OFlags::PATH | rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::CLOEXEC;
        let [open, link] =
            ["open", "link"].map(|name| rustix::fs::open(at(name), path_only, rustix::fs::Mode::empty()));
        let mut command = Command::new(at("sleep"));
        command.arg("60").current_dir(at("working")).stdin(open.unwrap()).stdout(link.unwrap());
        let mut child = command.spawn().unwrap();
        drop(command);
        for name in ["open", "working"] {
            fs::remove_dir(at(name)).unwrap();
        }
        for name in ["link", "sleep"] {
            fs::remove_file(at(name)).unwrap();
        }
        let pid = i32::try_from(child.id()).unwrap();
        let (mut found, mut elsewhere) = (HashMap::new(), HashMap::new());
        let device = folder.path().metadata().unwrap().dev();
        let looked =
            (removed_files(pid, scratch(device), &mut found), removed_files(pid, Devices::default(), &mut elsewhere));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(looked.0.is_ok() && looked.1.is_ok());
        for (place, file) in held.iter().enumerate() {
            let file_held = found.get(&(file.dev(), file.ino()));
            assert_eq!(file_held.copied(), Some(file.blocks() * 512), "{place}: {found:?}");
        }
        assert_eq!(elsewhere.len(), 2, "a program that was replaced meanwhile takes no room of the scratch directory");
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
        // The lists of children may have gaps while children of other tests come and go.
        let look = |devices, of: fn(&HiddenBytes) -> u64| {
            (0..1000).map(|_| of(&Hidden::default().scan(&tree::descendants(me), devices))).find(|bytes| *bytes > 0)
        };
        let folder = Devices { scratch: Some(device + 1), folder: Some(device) };
        let held = [look(scratch(device), |held| held.scratch_bytes), look(folder, |held| held.folder_bytes)];
        child.kill().unwrap();
        child.wait().unwrap();
        for held in held {
            assert!((1 << 16..1 << 17).contains(&held.unwrap()), "{held:?}");
        }
    }
}
