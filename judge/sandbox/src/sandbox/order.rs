//! Passes orders to cloned processes: bytes with descriptors over a socket.
//!
//! The receiving functions run after a clone: no allocation, no locks, no panics.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, IntoRawFd as _, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use rustix::process::DumpableBehavior;

use super::launch::SOCKET;
use super::sys;
use crate::now_us;

/// Time after which a supervisor without a run ends by itself, if the judge is stopped and does not end it.
const IDLE_TIMEOUT_US: u64 = 30_000_000;
/// Size of the buffer for the rest of a plan, in bytes. For a larger plan, the supervisor is created when the plan is
/// known.
pub(super) const ROOM: usize = 64 << 10;
/// Bytes before the rest of a plan: the number of its descriptors.
const HEAD: usize = size_of::<u64>();

/// Sends bytes with descriptors, as many bytes as fit into one message.
pub(super) fn send_with(
    socket: BorrowedFd<'_>,
    pieces: [&[u8]; 2],
    descriptors: &[BorrowedFd<'_>],
) -> Result<usize, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(sys::MAX_KEPT))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Errno::TOOMANYREFS);
    }
    let pieces = pieces.map(IoSlice::new);
    loop {
        match rustix::net::sendmsg(socket, &pieces, &mut control, SendFlags::NOSIGNAL) {
            Err(Errno::INTR) => {}
            sent => return sent,
        }
    }
}

/// Receives bytes with descriptors. Returns the number of bytes, and the descriptors in their order.
pub(super) fn receive_with(
    socket: BorrowedFd<'_>,
    pieces: &mut [IoSliceMut<'_>],
) -> Result<(usize, [Option<OwnedFd>; sys::MAX_KEPT]), Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(sys::MAX_KEPT))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        match rustix::net::recvmsg(socket, pieces, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            received => break received?.bytes,
        }
    };
    let mut descriptors = [const { None::<OwnedFd> }; sys::MAX_KEPT];
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(sent) = message {
            descriptors.iter_mut().zip(sent).for_each(|(place, descriptor)| *place = Some(descriptor));
        }
    }
    Ok((received, descriptors))
}

/// Sends the rest of its plan to a waiting supervisor, with all its descriptors except its socket.
pub(super) fn send_plan(socket: BorrowedFd<'_>, plan: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), Errno> {
    let head = (descriptors.len() as u64).to_ne_bytes();
    send_with(socket, [&head, plan], descriptors).map(drop)
}

/// Waits, after the clone, for the rest of a plan, and moves the descriptors that arrive with it to their numbers. Ends the
/// process if nothing arrives.
pub(super) fn await_rest(room: &mut [u8]) -> Result<&[u8], Errno> {
    // A judge that is itself an entry of a judge must stay dumpable.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).ok();
    let socket = sys::kept(SOCKET);
    let deadline_us = now_us().saturating_add(IDLE_TIMEOUT_US);
    loop {
        let left_us = deadline_us.saturating_sub(now_us()).cast_signed();
        let wait = Timespec { tv_sec: left_us / 1_000_000, tv_nsec: left_us % 1_000_000 * 1000 };
        match poll(&mut [PollFd::from_borrowed_fd(socket, PollFlags::IN)], Some(&wait)) {
            Err(Errno::INTR) => {}
            Ok(0) => sys::exit(0),
            ready => break ready.map(drop)?,
        }
    }
    let mut head = [0; HEAD];
    let (received, descriptors) = receive_with(socket, &mut [IoSliceMut::new(&mut head), IoSliceMut::new(&mut *room)])?;
    let Some(length) = received.checked_sub(HEAD) else { sys::exit(0) };
    let mut numbers = [0; sys::MAX_KEPT];
    let mut count = 0;
    for descriptor in descriptors.into_iter().flatten() {
        let place = if count < SOCKET.unsigned_abs() as usize { count } else { count + 1 };
        *numbers.get_mut(place).ok_or(Errno::MFILE)? = descriptor.into_raw_fd();
        count += 1;
    }
    numbers[SOCKET.unsigned_abs() as usize] = SOCKET;
    // Some may be missing because of the limit on open files.
    if count as u64 != u64::from_ne_bytes(head) {
        return Err(Errno::MFILE);
    }
    sys::keep_only(&numbers[..=count])?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable).ok();
    room.get(..length).ok_or(Errno::INVAL)
}
