//! Misdeeds by memory.

use std::hint::black_box;

use super::raw::{address, call, descriptor};

/// Bytes that are hidden, and how many at a time.
const HIDDEN: u64 = 256 << 20;
const STEP: u64 = PIECE as u64;
const PIECE: usize = 1 << 20;
/// Files in memory of this many bytes each: few enough for a limit on the size of a file.
const FILES: u64 = 64;
const EACH: u64 = HIDDEN / FILES;

pub(super) fn commit(misdeed: &str, _argument: &str) -> bool {
    match misdeed {
        "memory-by-steps" => {
            let mut held = Vec::new();
            loop {
                held.push(black_box(vec![1u8; 1 << 20]));
            }
        }
        "memory-at-once" => {
            let held = black_box(vec![1u8; 1 << 31]);
            drop(held);
        }
        "memory-on-the-stack" => {
            black_box(deeper(0));
        }
        // Each of its children stays below the limit, all of them together do not.
        "memory-by-family" => {
            let name = std::env::args().next().expect("a name");
            let children = (0..6).map(|_| std::process::Command::new(&name).arg("hold-memory").spawn());
            for child in children.collect::<Vec<_>>() {
                child.expect("a child").wait().expect("its end");
            }
        }
        // Memory that belongs to no process: in a file without a name, mapped or not.
        "memory-in-memfd" => {
            (0..FILES).map(|_| unnamed_memory()).for_each(|(file, _)| fill(file));
            forever();
        }
        "memory-in-closed-memfd" => {
            for (file, mapped) in (0..FILES).map(|_| unnamed_memory()) {
                black_box(mapped);
                fill(file);
                call(libc::SYS_close, &[file]).expect("its end");
            }
            forever();
        }
        // Shared memory whose pages it gives back as soon as they are written: they stay in the mapping's object.
        "memory-given-back" => {
            let flags = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
            let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
            let begin = call(libc::SYS_mmap, &[0, HIDDEN, access, flags, u64::MAX, 0]).expect("memory");
            let zeroes = std::fs::File::open("/dev/zero").expect("zeroes");
            for offset in (0..HIDDEN).step_by(PIECE) {
                let from = [descriptor(&zeroes), begin + offset, STEP];
                call(libc::SYS_read, &from).expect("pages");
                call(libc::SYS_madvise, &[begin + offset, STEP, libc::MADV_DONTNEED as u64]).expect("pages back");
            }
            forever();
        }
        "hold-memory" => {
            let held = black_box(vec![1u8; 24 << 20]);
            std::thread::sleep(std::time::Duration::from_secs(3600));
            drop(held);
        }
        _ => return false,
    }
    true
}

/// A file in memory and a mapping of all of it.
fn unnamed_memory() -> (u64, u64) {
    let file = call(libc::SYS_memfd_create, &[address(c"hidden"), 0]).expect("a file in memory");
    call(libc::SYS_ftruncate, &[file, EACH]).expect("its size");
    let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let mapped = call(libc::SYS_mmap, &[0, EACH, access, libc::MAP_SHARED as u64, file, 0]).expect("a mapping");
    (file, mapped)
}

/// Writes a file through its descriptor, so that no page of it is mapped.
fn fill(file: u64) {
    let piece = vec![1_u8; PIECE];
    for offset in (0..EACH).step_by(PIECE) {
        call(libc::SYS_pwrite64, &[file, address(&*piece), STEP, offset]).expect("room");
    }
}

fn forever() {
    std::thread::sleep(std::time::Duration::from_secs(3600));
}

#[allow(unconditional_recursion, reason = "that is the misdeed")]
fn deeper(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    deeper(depth + 1) + frame[0]
}
