//! Burdens of what descriptors hold.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use super::raw::{address, descriptor, send_away};
use super::{Random, repeat, tried};

pub(super) fn full_sockets(random: &mut Random, deadline: Instant) {
    let piece = vec![1_u8; 1 + random.index(1 << 16)];
    let mut held = Vec::new();
    repeat(deadline, || {
        let (mut one, other) = UnixStream::pair().ok()?;
        one.set_nonblocking(true).ok()?;
        while one.write(&piece).is_ok() {}
        held.push((one, other));
        Some(())
    });
    std::mem::forget(held);
}

pub(super) fn full_pipes(_: &mut Random, deadline: Instant) {
    let mut held = Vec::new();
    repeat(deadline, || {
        let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::NONBLOCK).ok()?;
        while rustix::io::write(&write, &[1; 4096]).is_ok() {}
        held.push((read, write));
        Some(())
    });
    std::mem::forget(held);
}

/// Sockets that hold each other, which only the kernel's own search can free.
pub(super) fn circles(_: &mut Random, deadline: Instant) {
    repeat(deadline, || {
        let (one, other) = UnixStream::pair().ok()?;
        for (from, sent) in [(&one, &other), (&other, &one)] {
            send_away(from, descriptor(sent)).ok()?;
        }
        Some(())
    });
}

/// Sets of descriptors that watch each other, as wide and as deep as the kernel allows.
pub(super) fn epoll_trees(random: &mut Random, deadline: Instant) {
    let mut sets: Vec<u64> = Vec::new();
    let event = [1_u32, 0, 0];
    repeat(deadline, || {
        let set = tried(libc::SYS_epoll_create1, &[0])?;
        for _ in 0..8 {
            if !sets.is_empty() {
                let inner = sets[random.index(sets.len())];
                let add = libc::EPOLL_CTL_ADD as u64;
                // A loop, or a tree that is too deep, is refused.
                tried(libc::SYS_epoll_ctl, &[set, add, inner, address(&event)]);
            }
        }
        sets.push(set);
        Some(())
    });
}
