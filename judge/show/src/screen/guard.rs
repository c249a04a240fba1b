//! Restores the terminal: after the screen, on a panic, on a signal, and while the program is suspended.
//!
//! A separate thread waits for signals. So Ctrl-C restores the terminal even while the drawing thread waits for a
//! terminal that accepts nothing.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::Duration;

use judge_sandbox::{Interrupt, ignored_signals, wait_writable};
use rustix::process::{Signal, getpgrp, getpid, kill_process};
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetpgrp, tcsetattr};
use signal_hook::consts::{SIGCONT, SIGQUIT, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::{emulate_default_handler, exit};

/// Selects the other screen of the terminal and hides the cursor.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
/// Ends an update, resets the style, selects the usual screen and shows the cursor.
const LEAVE: &[u8] = b"\x1b[?2026l\x1b[0m\x1b[?1049l\x1b[?25h";
/// If a terminal accepts nothing for this time, it is stopped, or no program reads from it.
const WRITE_TIMEOUT: Duration = Duration::from_millis(200);
/// The time between two checks whether to give up a frame.
const STEP: Duration = Duration::from_millis(20);

/// A terminal that shows a screen.
pub(crate) struct ActiveTerminal {
    /// Opened by the screen, so that writing to it never blocks.
    pub(crate) tty: File,
    /// Terminal modes before the screen was entered, and while it is shown.
    pub(crate) before: Termios,
    pub(crate) during: Termios,
    /// A byte is written to it when the screen has to be drawn again.
    pub(crate) wake: UnixStream,
    /// False while the program is suspended or in the background.
    pub(crate) visible: bool,
    /// True if the terminal may show anything.
    pub(crate) repaint: bool,
}

static ACTIVE: Mutex<Option<ActiveTerminal>> = Mutex::new(None);
/// Locked while a frame is written, so that nothing is written in the middle of one.
static WRITING: Mutex<()> = Mutex::new(());
/// Number of threads that want to leave the screen. While there is one, a frame that the terminal does not accept is
/// given up.
static LEAVING: AtomicUsize = AtomicUsize::new(0);

/// The terminal that shows a screen now.
pub(crate) fn active() -> MutexGuard<'static, Option<ActiveTerminal>> {
    ACTIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to write to the terminal.
pub(crate) fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a frame, and waits as long as the terminal does not accept it. Returns whether all of it was written.
pub(crate) fn write_frame(tty: &File, frame: &[u8]) -> io::Result<bool> {
    let mut left = frame;
    while !left.is_empty() {
        match (&*tty).write(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => left = &left[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if LEAVING.load(Ordering::SeqCst) > 0 {
                    return Ok(false);
                }
                accepts_bytes(tty, STEP);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Restores the terminal on a panic and on signals from now on. The first signal that stops the program restores the
/// terminal and is then handled by the interrupt; the second one ends the program.
pub(crate) fn start(interrupt: &Interrupt) -> io::Result<()> {
    static STARTED: OnceLock<io::Result<()>> = OnceLock::new();
    let started = STARTED.get_or_init(|| {
        restore_on_panic();
        let ignored = ignored_signals();
        let (stop, next_ends) = (interrupt.take_second_signals(), interrupt.next_ends());
        let others = [SIGQUIT, SIGTSTP].into_iter().filter(|signal| !ignored.contains(signal));
        let mut signals = Signals::new(stop.iter().copied().chain(others).chain([SIGCONT]))?;
        let watch = move || signals.forever().for_each(|signal| handle_signal(signal, &next_ends));
        std::thread::Builder::new().name("terminal".into()).spawn(watch).map(drop)
    });
    started.as_ref().copied().map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

/// Acts on a signal.
fn handle_signal(signal: i32, next_ends: &AtomicBool) {
    match signal {
        SIGTSTP => suspend(),
        SIGCONT => resume(),
        _ => {
            let ends = next_ends.load(Ordering::SeqCst);
            restore();
            if ends {
                exit(128 + signal);
            }
            if signal == SIGQUIT {
                emulate_default_handler(signal).ok();
            }
        }
    }
}

/// Restores the terminal to its state before the screen; does nothing if there is no screen. Errors are ignored: a
/// terminal that has disappeared needs no restoring.
pub(crate) fn restore() {
    let _writing = writing_soon();
    if let Some(active) = active().take().filter(|active| active.visible) {
        active.leave();
    }
}

/// Leaves the screen and stops the program, as Ctrl-Z does elsewhere.
fn suspend() {
    let writing = writing_soon();
    if let Some(active) = active().as_mut().filter(|active| active.visible) {
        active.leave();
        active.visible = false;
    }
    drop(writing);
    kill_process(getpid(), Signal::STOP).ok();
}

/// Enters the screen again after the program was stopped, unless it continues in the background.
fn resume() {
    let _writing = writing_soon();
    let mut active = active();
    let Some(active) = active.as_mut() else { return };
    if tcgetpgrp(&active.tty).is_ok_and(|foreground| foreground == getpgrp()) {
        active.enter();
    }
}

/// The right to write to the terminal. If the terminal does not accept the current frame, that frame is given up.
fn writing_soon() -> MutexGuard<'static, ()> {
    LEAVING.fetch_add(1, Ordering::SeqCst);
    let writing = writing();
    LEAVING.fetch_sub(1, Ordering::SeqCst);
    writing
}

/// Waits until the terminal accepts bytes, and returns whether it does.
fn accepts_bytes(tty: &File, at_most: Duration) -> bool {
    wait_writable(tty, at_most).is_ok_and(|ready| ready)
}

impl ActiveTerminal {
    /// Makes the terminal a screen.
    pub(crate) fn enter(&mut self) {
        tcsetattr(&self.tty, OptionalActions::Now, &self.during).ok();
        self.send(ENTER);
        (self.visible, self.repaint) = (true, true);
        (&self.wake).write_all(&[0]).ok();
    }

    fn leave(&self) {
        self.send(LEAVE);
        // Keys pressed at the screen were not meant for the shell.
        tcflush(&self.tty, QueueSelector::IFlush).ok();
        tcsetattr(&self.tty, OptionalActions::Now, &self.before).ok();
    }

    /// Writes a few bytes. If the terminal accepts nothing, its pending output is discarded first.
    fn send(&self, bytes: &[u8]) {
        if !accepts_bytes(&self.tty, WRITE_TIMEOUT) {
            tcflush(&self.tty, QueueSelector::OFlush).ok();
        }
        (&self.tty).write_all(bytes).ok();
    }
}

/// Restores the terminal before the message of a panic in any thread is printed.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            print(panic);
        }));
    });
}
