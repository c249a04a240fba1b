//! Steps after the clone that both the supervisor and the entry take: no allocation, no locks, no panics.

use std::ffi::CStr;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::net::SendFlags;

use super::launch::SOCKET;
use super::message::{AtStep as _, Done, Message, Step};
use super::sys;

/// Sends a message to the judge. If the judge is gone, this is ignored.
pub(super) fn report(message: Message) {
    rustix::net::send(sys::kept(SOCKET), &message.encode(), SendFlags::NOSIGNAL).ok();
}

/// Maps the user and group to themselves in a new user namespace, which has no other users and groups.
pub(super) fn map_user(user: &[u8], group: &[u8]) -> Done {
    for (file, text) in
        [(c"/proc/self/setgroups", &b"deny"[..]), (c"/proc/self/uid_map", user), (c"/proc/self/gid_map", group)]
    {
        write(file, OFlags::empty(), text).at_step(Step::UserNamespace)?;
    }
    Ok(())
}

/// Writes these bytes to a file, which these flags may create.
pub(super) fn write(path: &CStr, flags: OFlags, mut bytes: &[u8]) -> Result<(), Errno> {
    let file = open(path, flags | OFlags::WRONLY | OFlags::CLOEXEC, Mode::from_raw_mode(0o644))?;
    while !bytes.is_empty() {
        let written = rustix::io::write(&file, bytes)?;
        bytes = &bytes[written..];
    }
    Ok(())
}
