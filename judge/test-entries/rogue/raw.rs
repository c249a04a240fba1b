//! System calls by number, for those that no safe library offers: an attacker makes them all the same.

#![allow(
    unsafe_code,
    reason = "misdeeds need calls that no safe library has; memory that they touch belongs to no Rust value"
)]

use std::ffi::CString;
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};

/// Makes a system call: its result, or the error's number.
pub(super) fn call(number: libc::c_long, arguments: &[u64]) -> Result<u64, i32> {
    let [a, b, c, d, e, f] = std::array::from_fn(|index| arguments.get(index).copied().unwrap_or(0));
    // SAFETY: pointers among the arguments are to buffers that live through the call, or to mappings made for it alone.
    let result = unsafe { libc::syscall(number, a, b, c, d, e, f) };
    u64::try_from(result).map_err(|_| std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

/// Makes a system call, and reports whether it succeeded.
pub(super) fn made(what: &str, number: libc::c_long, arguments: &[u64]) -> bool {
    let result = call(number, arguments);
    eprintln!("{what}: {result:?}");
    result.is_ok()
}

/// A descriptor, as an argument.
pub(super) fn descriptor(of: &impl AsRawFd) -> u64 {
    of.as_raw_fd().unsigned_abs().into()
}

/// A path as calls take it.
pub(super) fn path(path: &str) -> CString {
    CString::new(path).expect("a path without NUL")
}

/// The address of something, as an argument.
pub(super) fn address<T: ?Sized>(of: &T) -> u64 {
    std::ptr::from_ref(of).cast::<u8>() as u64
}

/// Sends a descriptor on a socket.
pub(super) fn send_away(to: &std::os::unix::net::UnixStream, file: u64) -> rustix::io::Result<usize> {
    // SAFETY: the caller keeps it open until this returns.
    let file = unsafe { BorrowedFd::borrow_raw(RawFd::try_from(file).unwrap_or(-1)) };
    let (mut space, sent) = ([MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))], [file]);
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&sent));
    rustix::net::sendmsg(to, &[IoSlice::new(b"x")], &mut control, SendFlags::empty())
}
