//! Burdens of files: large and deep folders, sparse and removed files, locks.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::time::Instant;

use super::raw::{address, descriptor};
use super::{Random, repeat, tried};

pub(super) fn huge_directory(random: &mut Random, deadline: Instant) {
    let name = "n".repeat(1 + random.index(200));
    let folder = format!("huge-{}", random.next());
    fs::create_dir(&folder).ok();
    let mut number = 0_u64;
    repeat(deadline, || {
        number += 1;
        fs::File::create(format!("{folder}/{name}{number}")).ok().map(drop)
    });
}

pub(super) fn deep_directories(random: &mut Random, deadline: Instant) {
    let name = format!("deep-{}", random.next());
    repeat(deadline, || fs::create_dir(&name).and_then(|()| std::env::set_current_dir(&name)).ok());
}

pub(super) fn removed_files(random: &mut Random, deadline: Instant) {
    let mut held = Vec::new();
    let bytes = vec![1_u8; 1 + random.index(1 << 16)];
    repeat(deadline, || {
        let name = format!("removed-{}", random.next());
        let mut file = fs::File::create(&name).ok()?;
        fs::remove_file(&name).ok()?;
        file.write_all(&bytes).ok()?;
        held.push(file);
        Some(())
    });
    std::mem::forget(held);
}

/// Writes blocks at places of a file that are far apart.
pub(super) fn sparse_file(random: &mut Random, deadline: Instant) {
    let Ok(mut file) = fs::File::create(format!("sparse-{}", random.next())) else { return };
    repeat(deadline, || {
        file.seek(SeekFrom::Start(random.below(1 << 40))).ok()?;
        file.write_all(b"x").ok()
    });
}

/// Locks of single bytes, which cannot be joined.
pub(super) fn record_locks(random: &mut Random, deadline: Instant) {
    let Ok(file) = fs::File::create(format!("locks-{}", random.next())) else { return };
    let mut start = 0_i64;
    repeat(deadline, || {
        start += 2;
        // `struct flock` of 64-bit systems as numbers: type and origin, start, length, process.
        let lock = [i64::from(libc::F_WRLCK), start, 1, 0];
        tried(libc::SYS_fcntl, &[descriptor(&file), libc::F_SETLK as u64, address(&lock)]).map(drop)
    });
    std::mem::forget(file);
}

pub(super) fn many_names(random: &mut Random, deadline: Instant) {
    let file = format!("named-{}", random.next());
    fs::write(&file, "x").ok();
    let mut number = 0_u64;
    repeat(deadline, || {
        number += 1;
        fs::hard_link(&file, format!("{file}-{number}")).ok()
    });
}
