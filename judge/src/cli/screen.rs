//! The whole terminal as a screen, for as long as something is shown there, and the terminal as it was afterwards.
//!
//! Drawn with ratatui's buffers and widgets through crossterm: what is drawn is compared with what stands there and
//! the difference alone is written, as one synchronised update, so that nothing flickers. Modes, size and keys go
//! through rustix instead of crossterm, whose reader of keys never returns from a terminal that has disappeared and
//! which runs a program to learn the size of one. Ctrl-C stays the signal that it always is.
//!
//! However it ends, the terminal is restored: a screen is left when it is dropped, and before a panic is told.

mod keys;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::style::{Colored, force_color_output};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use ratatui::style::Color;
use rustix::event::{PollFd, PollFlags};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp, tcgetwinsize,
    tcsetattr,
};
use signal_hook::SigId;
use signal_hook::consts::SIGWINCH;

pub(super) use keys::Keys;

use judge_sandbox::poll_for;

/// Room for a whole frame, so that a terminal gets it in one piece.
const FRAME_BYTES: usize = 1 << 16;
/// What a terminal is taken for that does not say how large it is.
const USUAL: Rect = Rect { x: 0, y: 0, width: 80, height: 24 };

/// A terminal that shows a screen.
pub(super) struct Screen {
    terminal: CrosstermBackend<BufWriter<File>>,
    shown: Buffer,
    tty: File,
    colours: bool,
    /// Becomes readable when the terminal has another size.
    resized: UnixStream,
    size_watch: SigId,
}

/// The terminal that shows a screen now, and how it was before.
struct Before {
    tty: File,
    modes: Termios,
}

static BEFORE: Mutex<Option<Before>> = Mutex::new(None);

/// Whether this can show a screen: a terminal that can do more than print lines, and that is ours now. A job in the
/// background which touches it would be stopped.
pub(super) fn possible(out: impl AsFd) -> bool {
    #[allow(clippy::disallowed_methods, reason = "how something is shown is no part of what it comes to")]
    let capable = std::env::var("TERM").is_ok_and(|terminal| !terminal.is_empty() && terminal != "dumb");
    capable && tcgetpgrp(out).is_ok_and(|foreground| foreground == rustix::process::getpgrp())
}

/// Whether to use colours where nobody says: not where NO_COLOR is set.
pub(super) fn colours_wanted() -> bool {
    !Colored::ansi_color_disabled()
}

impl Screen {
    /// Makes the terminal a screen. There can be one at a time.
    pub(super) fn enter(out: impl AsFd, colours: bool) -> io::Result<Self> {
        let tty = File::from(out.as_fd().try_clone_to_owned()?);
        let modes = tcgetattr(&tty)?;
        let (resized, tell) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        let size_watch = signal_hook::low_level::pipe::register(SIGWINCH, tell)?;
        force_color_output(colours);
        restore_on_panic();

        // Keys come one by one and are not echoed. A screen cannot be put to sleep or made to dump its memory: it
        // would leave the terminal as it is.
        let mut of_screen = modes.clone();
        of_screen.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        for code in [SpecialCodeIndex::VSUSP, SpecialCodeIndex::VQUIT] {
            of_screen.special_codes[code] = 0;
        }
        of_screen.special_codes[SpecialCodeIndex::VMIN] = 1;
        of_screen.special_codes[SpecialCodeIndex::VTIME] = 0;
        *before() = Some(Before { tty: tty.try_clone()?, modes });
        // From here on dropping it restores.
        let terminal = CrosstermBackend::new(BufWriter::with_capacity(FRAME_BYTES, tty.try_clone()?));
        let shown = Buffer::empty(Rect::ZERO);
        let mut screen = Self { terminal, shown, tty, colours, resized, size_watch };
        tcsetattr(&screen.tty, OptionalActions::Now, &of_screen)?;
        execute!(screen.terminal, EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    /// Shows what `render` draws on a buffer of the terminal's size. Fails when the terminal is gone.
    pub(super) fn draw(&mut self, render: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        if before().is_none() {
            return Err(io::Error::other("the screen was left because of a panic"));
        }
        let mut next = Buffer::empty(self.size()?);
        render(&mut next);
        if !self.colours {
            for cell in &mut next.content {
                (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
            }
        }
        let resized = self.shown.area != next.area;
        if resized {
            self.shown = Buffer::empty(next.area);
        }
        let changes = self.shown.diff(&next);
        if resized || !changes.is_empty() {
            queue!(self.terminal, BeginSynchronizedUpdate)?;
            if resized {
                queue!(self.terminal, Clear(ClearType::All))?;
            }
            self.terminal.draw(changes.into_iter())?;
            execute!(self.terminal, EndSynchronizedUpdate)?;
        }
        self.shown = next;
        Ok(())
    }

    /// Becomes readable when the terminal may have another size; [`Screen::draw`] then makes use of it.
    pub(super) fn resized(&self) -> BorrowedFd<'_> {
        self.resized.as_fd()
    }

    fn size(&self) -> io::Result<Rect> {
        // Whoever waits is not to be told again.
        io::copy(&mut &self.resized, &mut io::sink()).ok();
        let size = tcgetwinsize(&self.tty)?;
        let known = size.ws_col > 0 && size.ws_row > 0;
        Ok(if known { Rect::new(0, 0, size.ws_col, size.ws_row) } else { USUAL })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        signal_hook::low_level::unregister(self.size_watch);
        restore();
    }
}

/// Waits until some of these can be read, or have ended, and says which; none where time is up first.
pub(super) fn wait<const N: usize>(on: [BorrowedFd<'_>; N], at_most: Duration) -> io::Result<[bool; N]> {
    let mut fds = on.each_ref().map(|fd| PollFd::new(fd, PollFlags::IN));
    poll_for(&mut fds, at_most)?;
    Ok(fds.map(|fd| !fd.revents().is_empty()))
}

fn before() -> std::sync::MutexGuard<'static, Option<Before>> {
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the terminal what it was before; nothing where there is no screen. A terminal that has disappeared needs it
/// no more, so failures are nobody's concern.
fn restore() {
    let Some(Before { mut tty, modes }) = before().take() else { return };
    let mut leave = Vec::new();
    queue!(leave, EndSynchronizedUpdate, LeaveAlternateScreen, Show).expect("a vector takes everything");
    tty.write_all(&leave).ok();
    // What was typed at the screen was not meant for the shell.
    tcflush(&tty, QueueSelector::IFlush).ok();
    tcsetattr(&tty, OptionalActions::Now, &modes).ok();
}

/// Has a panic, in whichever thread, told on the terminal as it was.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            tell(panic);
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use pty_process::blocking::{Command, open};

    use super::*;

    #[test]
    #[ignore = "the test below runs it in a terminal"]
    fn panics_at_a_screen() {
        if !possible(io::stdout()) {
            return;
        }
        let mut screen = Screen::enter(io::stdout(), true).unwrap();
        screen.draw(|buffer| buffer.set_string(0, 0, "drawn", Color::Red)).unwrap();
        let worker = std::thread::spawn(|| panic!("a worker fails"));
        assert!(worker.join().is_err());
        assert!(tcgetattr(io::stdout()).unwrap().local_modes.contains(LocalModes::ECHO), "restored");
        assert!(screen.draw(|buffer| buffer.set_string(0, 0, "late", Color::Red)).is_err(), "not drawn any more");
    }

    #[test]
    fn a_panic_is_told_on_the_terminal_as_it_was() {
        let (mut pty, pts) = open().unwrap();
        #[allow(clippy::disallowed_methods, reason = "a test runs itself in a terminal")]
        let this = Command::new(std::env::current_exe().unwrap());
        let name = concat!(module_path!(), "::panics_at_a_screen").split_once("::").unwrap().1;
        let this = this.args(["--ignored", "--exact", name, "--nocapture"]).env("TERM", "xterm");
        let mut this = this.spawn(pts).unwrap();
        let (mut written, mut bytes) = (Vec::new(), [0; 4096]);
        while let Ok(read) = pty.read(&mut bytes) {
            written.extend(&bytes[..read]);
        }
        let written = String::from_utf8_lossy(&written);
        assert!(this.wait().unwrap().success(), "{written}");
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
