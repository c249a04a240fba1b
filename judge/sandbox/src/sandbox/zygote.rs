//! The zygote: a process with almost no memory, which is cloned to create supervisors.
//!
//! A clone copies the page tables of its parent, and every page that the parent writes afterwards has to be copied or
//! flushed. The judge holds a whole contest. So it clones zygotes, each once, which give up all memory except code, static
//! data and one small stack, and close all descriptors except a socket. A supervisor is a clone of a zygote and, by
//! `CLONE_PARENT`, a child of the judge, as if the judge had cloned it. So the judge can wait for it, and the death of a
//! zygote does not end a run.
//!
//! One thread of the judge creates them and lives as long as they are used, because the kernel sends parent-death signals
//! at the end of a thread. A zygote ends on such a signal, and when its socket is closed.

use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, socketpair};
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal, WaitIdOptions};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::order::{receive_with, send_with};
use super::{supervisor, sys};

/// Bytes before a plan: the flags of the clone, and the length of the plan.
const HEAD: usize = 2 * size_of::<u64>();
/// Bytes of an answer: the process number of the supervisor, or a negative error number.
const ANSWER: usize = size_of::<i64>();
/// Size of the buffer for plans that a zygote keeps. A larger plan gets a separate buffer.
const ROOM: usize = 64 << 10;
/// Size of the stack of the thread that creates zygotes, which is also the stack of zygotes and supervisors.
const STACK: usize = 512 << 10;
/// Longest time that a zygote may take to answer.
const ZYGOTE_TIMEOUT: Duration = Duration::from_secs(60);
/// The most zygotes that are tried for one run before the judge clones the supervisor itself.
const MAX_TRIES: usize = 8;
/// Number of the descriptor from which a zygote receives its orders.
const SOCKET: RawFd = 0;

/// The zygotes of a sandbox: as many as the most supervisors that were ever started at the same time.
#[derive(Default)]
pub(super) struct Zygotes {
    idle: Mutex<Vec<Zygote>>,
    /// `None` before the first zygote is needed, and if supervisors are clones of the judge.
    maker: Mutex<Option<ZygoteParent>>,
    pub(super) used: bool,
}

/// The judge's handle of a zygote.
struct Zygote {
    pid: Pid,
    pidfd: OwnedFd,
    socket: OwnedFd,
    /// Processors to which it, and with it its supervisors, are bound.
    processors: Option<CpuSet>,
}

/// The thread that is the parent of zygotes.
struct ZygoteParent {
    orders: Sender<Sender<io::Result<Zygote>>>,
    thread: JoinHandle<()>,
}

/// A supervisor that a zygote was ordered to create, with that zygote.
pub(super) struct PendingSupervisor(Zygote);

impl PendingSupervisor {
    /// Waits for the supervisor, and discards its zygote.
    pub(super) fn end(self) -> io::Result<Pid> {
        self.0.answer().map_err(io::Error::from)
    }
}

/// The reason why a zygote did not create a supervisor.
enum Failure {
    /// The result of the order is unknown.
    Lost(io::Error),
    /// The system refused the clone.
    Refused(Errno),
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Lost(error) => error,
            Failure::Refused(error) => error.into(),
        }
    }
}

impl Zygotes {
    /// Starts a supervisor with this plan and these descriptors, in the namespaces that `flags` name, on the processors of
    /// the calling thread. `None` if the caller has to clone it, because no zygote can be created or reached.
    pub(super) fn clone(
        &self,
        flags: libc::c_int,
        plan: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<Option<Pid>> {
        self.order(flags, plan, descriptors).map_or(Ok(None), |ordered| self.answered(ordered).map(Some))
    }

    /// Orders a supervisor with this plan and these descriptors, in the namespaces that `flags` name, without waiting
    /// until it exists: see [`Zygotes::answered`]. `None` if no zygote can be created or reached.
    pub(super) fn order(
        &self,
        flags: libc::c_int,
        plan: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> Option<PendingSupervisor> {
        let processors = sched_getaffinity(None).ok().filter(|_| self.used)?;
        // Zygotes that have ended since the last run are detected one by one.
        for _ in 0..MAX_TRIES {
            let mut zygote = self.take(&processors)?;
            if !zygote.is_bound_to(&processors) {
                continue;
            }
            match zygote.order(flags, plan, descriptors) {
                Ok(()) => return Some(PendingSupervisor(zygote)),
                // Descriptors cannot be sent at present.
                Err(Errno::TOOMANYREFS) => {
                    self.release(zygote);
                    return None;
                }
                // The order failed; another process may carry it out.
                Err(_) => {}
            }
        }
        None
    }

    /// Waits for a supervisor that was ordered.
    pub(super) fn answered(&self, PendingSupervisor(zygote): PendingSupervisor) -> io::Result<Pid> {
        match zygote.answer() {
            Err(Failure::Lost(error)) => Err(error),
            answer => {
                self.release(zygote);
                answer.map_err(io::Error::from)
            }
        }
    }

    fn release(&self, zygote: Zygote) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(zygote);
    }

    /// An idle zygote, if possible one that is bound to these processors, otherwise a new one.
    fn take(&self, processors: &CpuSet) -> Option<Zygote> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let bound = idle.iter().position(|zygote| zygote.processors.as_ref() == Some(processors));
        if let Some(place) = bound.or(idle.len().checked_sub(1)) {
            return Some(idle.swap_remove(place));
        }
        drop(idle);
        let (answer, zygote) = channel();
        let mut maker = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
        if maker.is_none() {
            *maker = ZygoteParent::start().ok();
        }
        maker.as_ref()?.orders.send(answer).ok()?;
        drop(maker);
        zygote.recv().ok()?.ok()
    }

    /// Process numbers of the idle zygotes.
    #[cfg(test)]
    pub(super) fn idle(&self) -> Vec<Pid> {
        self.idle.lock().unwrap().iter().map(|zygote| zygote.pid).collect()
    }
}

impl Drop for Zygotes {
    fn drop(&mut self) {
        self.idle.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        if let Some(ZygoteParent { orders, thread }) =
            self.maker.get_mut().unwrap_or_else(PoisonError::into_inner).take()
        {
            drop(orders);
            thread.join().ok();
        }
    }
}

impl ZygoteParent {
    fn start() -> io::Result<Self> {
        let (orders, received): (_, Receiver<Sender<io::Result<Zygote>>>) = channel();
        let work = move || {
            for answer in received {
                answer.send(Zygote::make()).ok();
            }
        };
        let thread = std::thread::Builder::new().name("zygotes".into()).stack_size(STACK).spawn(work)?;
        Ok(Self { orders, thread })
    }
}

impl Zygote {
    /// Creates a zygote that is a child of the calling thread.
    fn make() -> io::Result<Self> {
        let (socket, other) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&socket, Timeout::Recv, Some(ZYGOTE_TIMEOUT))?;
        set_socket_timeout(&socket, Timeout::Send, Some(ZYGOTE_TIMEOUT))?;
        let kept = sys::needed_memory()?;
        let pid = sys::clone(0, None, || live(other.as_raw_fd(), &kept))?;
        let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        Ok(Self { pid, pidfd, socket, processors: None })
    }

    /// Binds it to these processors; `false` if it is gone.
    fn is_bound_to(&mut self, processors: &CpuSet) -> bool {
        if self.processors.as_ref() != Some(processors) {
            if sched_setaffinity(Some(self.pid), processors).is_err() {
                return false;
            }
            self.processors = Some(*processors);
        }
        true
    }

    /// The result of the order.
    fn answer(&self) -> Result<Pid, Failure> {
        let lost = |error: io::Error| {
            Failure::Lost(io::Error::new(error.kind(), format!("the zygote did not answer: {error}")))
        };
        let mut answer = [0; ANSWER];
        let length = loop {
            match rustix::net::recv(&self.socket, &mut answer, RecvFlags::WAITALL) {
                Err(Errno::INTR) => {}
                received => break received.map_err(|error| lost(error.into()))?.1,
            }
        };
        if length < ANSWER {
            return Err(lost(io::ErrorKind::UnexpectedEof.into()));
        }
        match i32::try_from(i64::from_ne_bytes(answer)) {
            Ok(error @ ..0) => Err(Failure::Refused(Errno::from_raw_os_error(-error))),
            number => number.ok().and_then(Pid::from_raw).ok_or_else(|| lost(io::ErrorKind::InvalidData.into())),
        }
    }

    fn order(&self, flags: libc::c_int, plan: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), Errno> {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&u64::from(flags.cast_unsigned()).to_ne_bytes());
        head[8..].copy_from_slice(&(plan.len() as u64).to_ne_bytes());
        let sent = send_with(self.socket.as_fd(), [&head, plan], descriptors)?;
        // The descriptors went with the first byte.
        let mut rest = plan.get(sent.saturating_sub(HEAD)..).unwrap_or_default();
        while !rest.is_empty() {
            match rustix::net::send(&self.socket, rest, SendFlags::NOSIGNAL) {
                Err(Errno::INTR) => {}
                sent => rest = rest.get(sent?..).unwrap_or_default(),
            }
        }
        Ok(())
    }
}

impl Drop for Zygote {
    fn drop(&mut self) {
        // It has nothing to finish, and may be stopped.
        rustix::process::pidfd_send_signal(&self.pidfd, Signal::KILL).ok();
        rustix::process::waitid(rustix::process::WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED).ok();
    }
}

/// The zygote's whole life. It runs after a clone, so it never allocates, locks or panics.
fn live(socket: RawFd, needed: &sys::Ranges) -> ! {
    let ready = || {
        sys::keep_only(&[socket])?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The judge may have died before the tie was made.
        let mut fds = [PollFd::from_borrowed_fd(sys::kept(SOCKET), PollFlags::IN)];
        poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
        if fds[0].revents().contains(PollFlags::HUP) {
            return Err(Errno::CHILD);
        }
        sys::unmap_others(needed)?;
        // Its supervisors, and so entries, inherit the actions.
        sys::stop_ignoring_signals();
        // No entry may inspect it. A judge that is itself an entry of a judge must stay dumpable.
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).ok();
        rustix::thread::set_name(c"judge-zygote").ok();
        sys::Room::new(ROOM)
    };
    let Ok(mut room) = ready() else { sys::exit(1) };
    while serve(&mut room).is_ok() {}
    sys::exit(0)
}

/// Receives an order and carries it out. An error means that there will be no further orders.
fn serve(room: &mut sys::Room) -> Result<(), Errno> {
    let mut head = [0; HEAD];
    let socket = sys::kept(SOCKET);
    let (received, descriptors) =
        receive_with(socket, &mut [IoSliceMut::new(&mut head), IoSliceMut::new(room.bytes())])?;
    let mut have = received.checked_sub(HEAD).ok_or(Errno::PIPE)?;
    let number = |bytes: &[u8]| bytes.try_into().map(u64::from_ne_bytes).map_err(|_| Errno::INVAL);
    let flags = i32::try_from(number(&head[..8])?).map_err(|_| Errno::INVAL)?;
    let length = usize::try_from(number(&head[8..])?).map_err(|_| Errno::INVAL)?;
    let mut larger = None;
    if length > room.bytes().len() {
        let mut more = sys::Room::new(length)?;
        more.bytes()[..have].copy_from_slice(&room.bytes()[..have]);
        larger = Some(more);
    }
    let plan = larger.as_mut().unwrap_or(room).bytes().get_mut(..length).ok_or(Errno::INVAL)?;
    while have < length {
        match rustix::net::recv(socket, &mut plan[have..], RecvFlags::empty()) {
            Err(Errno::INTR) => {}
            Ok((0, _)) => return Err(Errno::PIPE),
            received => have += received?.0,
        }
    }
    let child = || {
        let mut numbers = [0; sys::MAX_KEPT];
        let mut count = 0;
        for (number, descriptor) in numbers.iter_mut().zip(descriptors.iter().flatten()) {
            *number = descriptor.as_raw_fd();
            count += 1;
        }
        supervisor::supervise(plan, &numbers[..count])
    };
    let answer = match sys::clone(flags | libc::CLONE_PARENT, None, child) {
        Ok(pid) => i64::from(pid.as_raw_pid()),
        Err(error) => -i64::from(error.raw_os_error()),
    };
    // The next supervisor is a copy of this process, and must not see the data of an earlier run.
    plan.fill(0);
    rustix::net::send(socket, &answer.to_ne_bytes(), SendFlags::NOSIGNAL).map(drop)
}

#[cfg(test)]
pub(super) mod tests;
