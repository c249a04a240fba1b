//! Messages between runs that are not promised to be impossible, see `docs/threats.md`. Both ends of one work together: the
//! one that receives answers wrongly if something arrived.

use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use super::raw::{address, call, descriptor};
use super::{answer, answer_if};

/// A program of the system that every entry may read.
const SHARED: &str = "/usr/bin/env";
/// Longest wait for the other end, which runs at the same time.
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) fn commit(misdeed: &str, rest: &[String]) -> bool {
    match misdeed {
        "wait-on-futex" => answer_if(!woken()),
        "wake-futex" => answer_if(!wakes()),
        // The last argument is the board.
        "read-files" => {
            read(&rest[..rest.len() - 1]);
            answer("lluu");
        }
        "count-faults" => {
            eprintln!("{}", faults(&rest[..rest.len() - 1]));
            answer("lluu");
        }
        _ => return false,
    }
    true
}

/// Maps the first page of a file that others map as well, and calls the futex in it. Its value is whatever the file has.
fn futex(file: &std::fs::File, operation: i32, argument: u64, timeout: u64) -> Result<u64, i32> {
    let (access, kind) = (libc::PROT_READ as u64, libc::MAP_SHARED as u64);
    let page = call(libc::SYS_mmap, &[0, 4096, access, kind, descriptor(file), 0])?;
    let called = call(libc::SYS_futex, &[page, u64::from(operation.unsigned_abs()), argument, timeout]);
    call(libc::SYS_munmap, &[page, 4096])?;
    called
}

fn woken() -> bool {
    let file = std::fs::File::open(SHARED).expect("a program of the system");
    let mut value = [0; 4];
    file.read_exact_at(&mut value, 0).expect("a page");
    let second = [1_u64, 0];
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        let waited = futex(&file, libc::FUTEX_WAIT, u32::from_ne_bytes(value).into(), address(&second));
        if waited.is_ok() {
            return true;
        }
    }
    false
}

fn wakes() -> bool {
    let file = std::fs::File::open(SHARED).expect("a program of the system");
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        if futex(&file, libc::FUTEX_WAKE, 1, 0) == Ok(1) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// Sends: a file that was read stays in memory.
fn read(files: &[String]) {
    for name in files {
        let file = std::fs::File::open(name.trim_start_matches("file:")).expect("a file of the system");
        file.read_exact_at(&mut [0], 0).expect("a byte");
    }
}

/// Receives, without a clock: one digit per file, 1 if its first page came from the disk.
fn faults(files: &[String]) -> String {
    let mut digits = String::new();
    for name in files {
        let file = std::fs::File::open(name.trim_start_matches("file:")).expect("a file of the system");
        let before = major_faults();
        touch(&file).expect("a page");
        digits.push(if major_faults() > before { '1' } else { '0' });
    }
    digits
}

/// Has the kernel read a mapped page.
fn touch(file: &std::fs::File) -> Result<u64, i32> {
    let (_reader, writer) = std::io::pipe().expect("a pipe");
    let page = call(libc::SYS_mmap, &[0, 4096, libc::PROT_READ as u64, libc::MAP_PRIVATE as u64, descriptor(file), 0])?;
    let written = call(libc::SYS_write, &[descriptor(&writer), page, 1]);
    call(libc::SYS_munmap, &[page, 4096])?;
    written
}

/// The count that `getrusage` gives as `ru_majflt`.
fn major_faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("its own status");
    let (_, fields) = stat.rsplit_once(") ").expect("a name");
    fields.split(' ').nth(9).and_then(|field| field.parse().ok()).expect("a count")
}
