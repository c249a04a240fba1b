//! Stop requests (SIGINT, SIGTERM, SIGHUP) as a pollable descriptor.

use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use judge_job::StopRequest;
use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::wait_readable;

/// Signals that arrive within this time of the first one belong to it. One keystroke or command can cause several:
/// `timeout` sends its signal to its program and to the program's group, and a script that is stopped may pass it on.
const SIGNAL_WINDOW: Duration = Duration::from_millis(300);
/// The stack of the thread that waits for the first signal.
const STACK: usize = 64 << 10;

/// A request to stop by signal.
///
/// After the first signal, no new run starts, and current runs are ended without a record. A second signal ends the
/// process immediately, unless it comes so soon after the first that it belongs to it.
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    /// True once another signal ends the process.
    next_ends: Arc<AtomicBool>,
    /// The signal that arrived; 0 for none.
    signal: Arc<AtomicUsize>,
    /// One byte arrives with the first signal and is never read, so that every current run sees it.
    wake: UnixStream,
    /// The end into which that byte is written.
    waker: UnixStream,
    /// The handled signals, with the action that ends the process on a second one.
    taken: Vec<(i32, SigId)>,
}

impl Interrupt {
    /// Handles the three signals for the rest of the process's life, except those that were ignored at its start: a contest
    /// under `nohup` continues when the terminal is gone.
    ///
    /// # Errors
    ///
    /// No socket pair, thread or signal handler can be created.
    pub fn on_signals() -> io::Result<Self> {
        let mut interrupt = Self::never()?;
        let ignored = ignored_signals();
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !ignored.contains(signal)) {
            let next_ends = Arc::clone(&interrupt.next_ends);
            let at_once = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, next_ends)?;
            interrupt.taken.push((signal, at_once));
            signal_hook::flag::register(signal, Arc::clone(&interrupt.requested))?;
            signal_hook::flag::register_usize(signal, Arc::clone(&interrupt.signal), signal.unsigned_abs() as usize)?;
            signal_hook::low_level::pipe::register(signal, interrupt.waker.try_clone()?)?;
        }
        interrupt.end_on_second_signal()?;
        Ok(interrupt)
    }

    /// Lets another signal end the process some time after the first request. A signal handler reads no clock, so a
    /// thread waits.
    fn end_on_second_signal(&self) -> io::Result<()> {
        let (wake, next_ends) = (self.wake.try_clone()?, Arc::clone(&self.next_ends));
        let wait = move || {
            // Signals also end the wait: each wakes some thread.
            while let Ok([requested]) = wait_readable([wake.as_fd()], Duration::MAX) {
                if requested {
                    std::thread::sleep(SIGNAL_WINDOW);
                    return next_ends.store(true, Ordering::SeqCst);
                }
            }
        };
        std::thread::Builder::new().name("signals".into()).stack_size(STACK).spawn(wait).map(drop)
    }

    /// Leaves the second signal to a caller that has to restore a terminal before the process ends, and that checks
    /// [`Self::next_ends`] at each signal. Returns the handled signals.
    pub fn take_second_signals(&self) -> Vec<i32> {
        for (_, at_once) in &self.taken {
            signal_hook::low_level::unregister(*at_once);
        }
        self.taken.iter().map(|(signal, _)| *signal).collect()
    }

    /// True as soon as another signal is a second one, which ends the process.
    pub fn next_ends(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.next_ends)
    }

    /// A request that no signal triggers, for callers without signal handling.
    ///
    /// # Errors
    ///
    /// No socket pair can be created.
    pub fn never() -> io::Result<Self> {
        let (wake, waker) = UnixStream::pair()?;
        let (requested, next_ends, signal) = Default::default();
        Ok(Self { requested, next_ends, signal, wake, waker, taken: Vec::new() })
    }

    /// The exit code with which shells report the signal: 128 plus its number.
    pub fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.signal.load(Ordering::SeqCst)).unwrap_or(u8::MAX)
    }

    /// A descriptor that becomes readable at the first request and stays so.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}

impl StopRequest for Interrupt {
    fn requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
        // A full socket holds enough bytes to wake every poll.
        (&self.waker).write_all(&[0]).ok();
    }
}

/// The signals that this process ignores, if the system reports them. Before any is handled, these are the signals that
/// it ignored at its start.
pub fn ignored_signals() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}
