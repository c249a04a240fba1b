//! Uses the whole terminal as a screen while something is shown. Nothing of it knows contests.
//!
//! A frame is drawn on a canvas and compared with the one before. Only the rows that differ are written, as one
//! synchronised update, so that nothing flickers. Ctrl-C remains a signal.
//!
//! The terminal is restored on every way out: when the screen is dropped, before the message of a panic is printed, on
//! every signal that stops the program, and while the program is suspended.

mod canvas;
mod guard;
mod keys;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::fs::{Mode, OFlags, open};
use rustix::termios::{LocalModes, SpecialCodeIndex, tcgetattr, tcgetpgrp, tcgetwinsize};
use signal_hook::SigId;
use signal_hook::consts::SIGWINCH;

use judge_sandbox::Interrupt;

pub use canvas::{Canvas, Colour, Style};
use guard::ActiveTerminal;
pub use keys::{Key, Keys};

/// Columns and rows assumed of a terminal that does not report its size.
const USUAL: (u16, u16) = (80, 24);

/// A terminal that shows a screen.
pub struct Screen {
    tty: File,
    shown: Option<Canvas>,
    colours: bool,
    /// Becomes readable when the screen has to be drawn again.
    stale: UnixStream,
    size_watch: SigId,
}

/// Returns whether this can show a screen: it is the terminal from which the program was started, the program is in its
/// foreground, and the terminal can do more than print lines. The system stops background jobs that access their
/// terminal.
pub fn possible(out: impl AsFd) -> bool {
    #[allow(clippy::disallowed_methods, reason = "how something is shown does not change a result")]
    let capable = std::env::var("TERM").is_ok_and(|terminal| !terminal.is_empty() && terminal != "dumb");
    capable && tcgetpgrp(out).is_ok_and(|foreground| foreground == rustix::process::getpgrp())
}

/// Columns of a terminal; `None` for anything else, and for a terminal that does not report its size.
pub fn columns(out: impl AsFd) -> Option<usize> {
    tcgetwinsize(out).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Returns whether to use colours by default: true unless NO_COLOR is set.
pub fn colours_wanted() -> bool {
    #[allow(clippy::disallowed_methods, reason = "how something is shown does not change a result")]
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused
}

impl Screen {
    /// Makes the program's terminal a screen. There can be one at a time. A signal that requests a stop of `interrupt`
    /// also restores the terminal.
    ///
    /// The terminal is opened again, so that neither drawing on it nor reading keys from it ever blocks: `poll` may
    /// report a key that another process reads first. The inherited descriptors are shared with the shell and stay
    /// unchanged.
    ///
    /// # Errors
    /// If the program has no terminal, or its modes cannot be changed.
    pub fn enter(colours: bool, interrupt: &Interrupt) -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let tty = File::from(open("/dev/tty", flags, Mode::empty())?);
        let before = tcgetattr(&tty)?;
        // Keys come one by one and are not echoed. Ctrl-Z and Ctrl-\ have no effect: a contest cannot be suspended.
        let mut during = before.clone();
        during.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        for code in [SpecialCodeIndex::VSUSP, SpecialCodeIndex::VQUIT] {
            during.special_codes[code] = 0;
        }
        during.special_codes[SpecialCodeIndex::VMIN] = 1;
        during.special_codes[SpecialCodeIndex::VTIME] = 0;

        guard::start(interrupt)?;
        let (stale, wake) = UnixStream::pair()?;
        stale.set_nonblocking(true)?;
        let size_watch = signal_hook::low_level::pipe::register(SIGWINCH, wake.try_clone()?)?;
        let mut active = ActiveTerminal { tty: tty.try_clone()?, before, during, wake, visible: false, repaint: true };
        let screen = Self { tty, shown: None, colours, stale, size_watch };
        let _writing = guard::writing();
        active.enter();
        *guard::active() = Some(active);
        Ok(screen)
    }

    /// Shows what `render` draws on a canvas of the terminal's size.
    ///
    /// # Errors
    /// If the terminal is gone or was restored.
    pub fn draw(&mut self, render: impl FnOnce(&mut Canvas)) -> io::Result<()> {
        let (width, height) = self.size()?;
        let mut next = Canvas::new(width.into(), height.into());
        render(&mut next);

        let _writing = guard::writing();
        match guard::active().as_mut() {
            None => return Err(io::Error::other("the screen was left")),
            Some(active) if !active.visible => return Ok(()),
            Some(active) => {
                if std::mem::take(&mut active.repaint) {
                    self.shown = None;
                }
            }
        }
        let update = next.update(self.shown.as_ref(), self.colours);
        if !update.is_empty() {
            let frame = format!("\x1b[?2026h{update}\x1b[?2026l");
            let whole = guard::write_frame(&self.tty, frame.as_bytes())?;
            self.shown = Some(next).filter(|_| whole);
        }
        Ok(())
    }

    /// The keys pressed at this screen.
    ///
    /// # Errors
    /// If the process has too many files open.
    pub fn keys(&self) -> io::Result<Keys> {
        self.tty.try_clone().map(Keys::of)
    }

    /// Becomes readable when the screen has to be drawn again, for example after a change of its size.
    pub fn stale(&self) -> BorrowedFd<'_> {
        self.stale.as_fd()
    }

    fn size(&self) -> io::Result<(u16, u16)> {
        // One drawing answers all requests so far.
        io::copy(&mut &self.stale, &mut io::sink()).ok();
        let size = tcgetwinsize(&self.tty)?;
        Ok(if size.ws_col > 0 && size.ws_row > 0 { (size.ws_col, size.ws_row) } else { USUAL })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        signal_hook::low_level::unregister(self.size_watch);
        guard::restore();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::time::Duration;

    use pty_process::blocking::{Command, open};

    use super::*;

    fn panic_at_a_screen() {
        let mut screen = Screen::enter(true, &Interrupt::never().unwrap()).unwrap();
        let text = |text: &'static str| {
            move |canvas: &mut Canvas| {
                canvas.write(0, 0, text, Style::BOLD.colour(Colour::Red));
            }
        };
        screen.draw(text("drawn")).unwrap();
        let worker = std::thread::spawn(|| panic!("a worker fails"));
        assert!(worker.join().is_err());
        assert!(tcgetattr(io::stdout()).unwrap().local_modes.contains(LocalModes::ECHO), "restored");
        assert!(screen.draw(text("late")).is_err(), "not drawn any more");
    }

    fn read_a_key_that_is_gone() {
        let screen = Screen::enter(true, &Interrupt::never().unwrap()).unwrap();
        let mut keys = screen.keys().unwrap();
        assert_eq!(
            judge_sandbox::wait_readable([keys.fd()], Duration::from_secs(30)).unwrap(),
            [true],
            "a key is announced"
        );
        assert_eq!(io::stdin().read(&mut [0; 8]).unwrap(), 1, "and read by another process");
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(keys.read()));
        assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(Some(Vec::new())));
    }

    /// Set in the process that a test starts for itself.
    const HERE: &str = "JUDGE_TEST_IN_A_TERMINAL";

    /// Does the work of a test in a separate process in a terminal, presses a key at its screen, and returns what it wrote.
    /// When called in that process, it does the work and returns nothing.
    #[track_caller]
    #[allow(
        clippy::disallowed_methods,
        reason = "a test runs itself in a terminal, and sees there that it is that one"
    )]
    fn in_a_terminal(test: &str, work: fn()) -> Option<String> {
        if std::env::var_os(HERE).is_some() {
            assert!(possible(io::stdout()), "a terminal");
            work();
            return None;
        }
        let (mut pty, pts) = open().unwrap();
        let this = Command::new(std::env::current_exe().unwrap());
        let name = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
        let this = this.args(["--exact", &name, "--nocapture"]).env("TERM", "xterm").env(HERE, "1");
        let mut this = this.spawn(pts).unwrap();
        let (mut written, mut bytes, mut pressed) = (Vec::new(), [0; 4096], false);
        while let Ok(read) = pty.read(&mut bytes) {
            written.extend(&bytes[..read]);
            if !pressed && written.windows(8).any(|bytes| bytes == b"\x1b[?1049h") {
                pty.write_all(b"x").unwrap();
                pressed = true;
            }
        }
        let written = String::from_utf8_lossy(&written).into_owned();
        assert!(this.wait().unwrap().success() && pressed, "{written}");
        Some(written)
    }

    #[test]
    fn a_key_that_another_process_reads_first_does_not_block_reading() {
        in_a_terminal("a_key_that_another_process_reads_first_does_not_block_reading", read_a_key_that_is_gone);
    }

    #[test]
    fn a_panic_is_printed_on_the_terminal_as_it_was() {
        let Some(written) = in_a_terminal("a_panic_is_printed_on_the_terminal_as_it_was", panic_at_a_screen) else {
            return;
        };
        let find = |what: &str| written.find(what).unwrap_or_else(|| panic!("no {what:?} in {written:?}"));
        let order = [
            find("\x1b[?1049h"),
            find("\x1b[?2026h"),
            find("drawn"),
            find("\x1b[?2026l"),
            find("\x1b[?1049l"),
            find("a worker fails"),
        ];
        assert!(order.is_sorted(), "{order:?} in {written:?}");
    }
}
