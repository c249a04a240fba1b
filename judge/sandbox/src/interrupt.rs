//! Being told to stop: SIGINT, SIGTERM and SIGHUP, as something `poll` can wait for.

use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use judge_job::StopRequest;
use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Whether the judge was told to stop.
///
/// The first signal asks: no new run starts, those under way are ended and not recorded. The second one ends the
/// judge at once.
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    /// The signal that came; 0 for none.
    signal: Arc<AtomicUsize>,
    /// One byte arrives with the first signal and is never read, so that every run under way sees it.
    wake: UnixStream,
    /// The end that byte is written to.
    tell: UnixStream,
    /// Signals that were taken over, with the action that ends the process on a second one.
    taken: Vec<(i32, SigId)>,
}

impl Interrupt {
    /// Takes over the three signals for the rest of the process's life, but for those that whoever started the judge
    /// had ignored: a contest under `nohup` goes on when the terminal is gone.
    pub fn on_signals() -> io::Result<Self> {
        let mut interrupt = Self::never()?;
        let ignored = ignored_signals();
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !ignored.contains(signal)) {
            // Registered first, so it sees the flag as the signals before this one have left it.
            let requested = Arc::clone(&interrupt.requested);
            let at_once = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, requested)?;
            interrupt.taken.push((signal, at_once));
            signal_hook::flag::register(signal, Arc::clone(&interrupt.requested))?;
            signal_hook::flag::register_usize(signal, Arc::clone(&interrupt.signal), signal.unsigned_abs() as usize)?;
            signal_hook::low_level::pipe::register(signal, interrupt.tell.try_clone()?)?;
        }
        Ok(interrupt)
    }

    /// Leaves the second signal to the caller, who has a terminal to restore before the process ends. Returns the signals
    /// that were taken over.
    pub fn take_second(&self) -> Vec<i32> {
        for (_, at_once) in &self.taken {
            signal_hook::low_level::unregister(*at_once);
        }
        self.taken.iter().map(|(signal, _)| *signal).collect()
    }

    /// One that never comes, for callers without signals of their own.
    pub fn never() -> io::Result<Self> {
        let (wake, tell) = UnixStream::pair()?;
        Ok(Self { requested: Arc::default(), signal: Arc::default(), wake, tell, taken: Vec::new() })
    }

    /// The exit code that says which signal it was, as shells have it: 128 and the signal's number.
    pub fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.signal.load(Ordering::SeqCst)).unwrap_or(u8::MAX)
    }

    /// Becomes readable when a signal has come, and stays so.
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
        // A full socket holds bytes enough to wake everybody.
        (&self.tell).write_all(&[0]).ok();
    }
}

/// The signals that this process ignores: before any is handled, those that it was started to ignore.
pub fn ignored_signals() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}
