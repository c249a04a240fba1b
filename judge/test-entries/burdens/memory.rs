//! Burdens of memory: page tables, mappings, shared memory, copies on write.

use std::time::Instant;

use super::raw::address;
use super::{Random, repeat, tried};

const PAGE: u64 = 4096;
const MIB: u64 = 1 << 20;
const ACCESS: u64 = (libc::PROT_READ | libc::PROT_WRITE) as u64;
const SHARED: u64 = libc::MAP_SHARED as u64;
const ANONYMOUS: u64 = libc::MAP_ANONYMOUS as u64;
const PRIVATE: u64 = libc::MAP_PRIVATE as u64;
const POPULATE: u64 = libc::MAP_POPULATE as u64;
const NORESERVE: u64 = libc::MAP_NORESERVE as u64;
const NO_FILE: u64 = u64::MAX;

/// A file without a name: in memory, or in the scratch directory where that is refused.
fn unnamed(bytes: u64) -> Option<u64> {
    let made = tried(libc::SYS_memfd_create, &[address(c"burden"), 0]);
    let file = made.or_else(|| {
        let flags = (libc::O_TMPFILE | libc::O_RDWR) as u64;
        tried(libc::SYS_openat, &[(-100_i64).cast_unsigned(), address(c"."), flags, 0o600])
    })?;
    tried(libc::SYS_ftruncate, &[file, bytes])?;
    Some(file)
}

/// One file, mapped many times: its pages count once, and their tables as often as it is mapped.
pub(super) fn page_tables(random: &mut Random, deadline: Instant) {
    let bytes = (1 + random.below(128)) * MIB;
    let Some(file) = unnamed(bytes) else { return };
    repeat(deadline, || tried(libc::SYS_mmap, &[0, bytes, ACCESS, SHARED | POPULATE, file, 0]).map(drop));
}

/// Reads one page in each table, which maps the page of zeroes and fills a table for it.
pub(super) fn sparse_pages(random: &mut Random, deadline: Instant) {
    let step = PAGE << (9 * (1 + random.below(2)));
    let Some(begin) = tried(libc::SYS_mmap, &[0, 1 << 42, ACCESS, PRIVATE | ANONYMOUS | NORESERVE, NO_FILE, 0]) else {
        return;
    };
    let mut at = begin;
    repeat(deadline, || {
        at += step;
        let populate_read = 22;
        (at < begin + (1 << 42)).then(|| tried(libc::SYS_madvise, &[at, PAGE, populate_read])).flatten().map(drop)
    });
}

/// Neighbours with different access, which cannot be joined.
pub(super) fn many_mappings(_: &mut Random, deadline: Instant) {
    let mut access = 0;
    repeat(deadline, || {
        access ^= libc::PROT_READ as u64;
        tried(libc::SYS_mmap, &[0, PAGE, access, PRIVATE | ANONYMOUS, NO_FILE, 0]).map(drop)
    });
}

pub(super) fn many_files_in_memory(random: &mut Random, deadline: Instant) {
    let bytes = (1 + random.below(64)) * PAGE;
    let piece = vec![1_u8; usize::try_from(bytes).unwrap_or(0)];
    repeat(deadline, || {
        let file = unnamed(bytes)?;
        tried(libc::SYS_pwrite64, &[file, address(&*piece), bytes, 0])?;
        if bytes > 32 * PAGE {
            // Held by a mapping of one page.
            tried(libc::SYS_mmap, &[0, PAGE, ACCESS, SHARED, file, 0])?;
            tried(libc::SYS_close, &[file])?;
        }
        Some(())
    });
}

/// Every second page of shared memory is unmapped.
pub(super) fn cut_shared_memory(random: &mut Random, deadline: Instant) {
    let pages = 64 + random.below(4096);
    repeat(deadline, || {
        let begin = tried(libc::SYS_mmap, &[0, pages * PAGE, ACCESS, SHARED | ANONYMOUS | POPULATE, NO_FILE, 0])?;
        for page in (0..pages).step_by(2) {
            tried(libc::SYS_munmap, &[begin + page * PAGE, PAGE])?;
        }
        Some(())
    });
}

/// Children that share the memory of their parent until they write.
pub(super) fn copies_on_write(random: &mut Random, deadline: Instant) {
    let mut held = vec![1_u8; usize::try_from((1 + random.below(32)) * MIB).unwrap_or(0)];
    repeat(deadline, || {
        let child = super::fork()?;
        if child == 0 {
            held.iter_mut().step_by(4096).for_each(|byte| *byte += 1);
            std::hint::black_box(&held);
            std::thread::sleep(super::EVER);
        }
        Some(())
    });
}
