//! The progress of a running contest: a screen, a line per finished run, or nothing.
//!
//! The coordinator sends events into an unbounded channel. A thread of the lowest priority receives and shows them. So
//! a slow terminal, a full pipe or a terminal that has disappeared blocks nothing, and the screen takes no processor
//! from an entry.

mod live;
mod remarks;
#[cfg(test)]
mod tests;
mod watched;

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use clap::ValueEnum;

use super::{Failure, say};
use judge_contest::conduct::Event;
use judge_contest::tally::{Remark, Tally};
use judge_host::now_us;
use judge_sandbox::Interrupt;
use judge_sandbox::wait_readable;
use judge_screen::Screen;

use remarks::in_words;
pub(super) use watched::Watched;

/// Time between two frames. Five per second are enough for a clock.
const FRAME: Duration = Duration::from_millis(200);

/// The display of a contest while it runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Progress {
    /// `live` on a terminal; `lines` in a pipe and in the background
    #[default]
    Auto,
    /// A screen with standings, running entries and failures
    Live,
    /// One line per finished run
    Lines,
    /// Notices only
    None,
}

/// The way a contest is shown on this standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Live,
    Lines,
    Nothing,
}

impl Progress {
    /// The way to show the contest on this standard error.
    pub(super) fn here(self) -> Result<Shown, Failure> {
        match (self, judge_screen::possible(io::stderr())) {
            (Self::Auto | Self::Live, true) => Ok(Shown::Live),
            (Self::Auto | Self::Lines, _) => Ok(Shown::Lines),
            (Self::None, _) => Ok(Shown::Nothing),
            (Self::Live, false) => Err(Failure::input(
                "--progress live needs a terminal on standard error, and `judge` in its foreground; use --progress lines",
            )),
        }
    }
}

/// An event to show, and the time of the monotonic clock when it came.
type Update = (Event, u64);

/// A thread that shows a contest. When dropped, it shows the remaining events and restores the terminal.
pub(super) struct Watcher {
    sender: Option<Sender<Update>>,
    /// Closed to end the thread.
    end: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Shows the contest of that tally from now on.
    pub(super) fn begin(shown: Shown, tally: Tally, interrupt: &Interrupt) -> io::Result<Self> {
        Self::start(shown, tally, None, interrupt)
    }

    /// Shows the try of that tally, with its gain in place of standings.
    pub(super) fn of_try(shown: Shown, tally: Tally, trial: Watched, interrupt: &Interrupt) -> io::Result<Self> {
        Self::start(shown, tally, Some(trial), interrupt)
    }

    fn start(shown: Shown, tally: Tally, trial: Option<Watched>, interrupt: &Interrupt) -> io::Result<Self> {
        let (sender, updates) = mpsc::channel();
        let (end, ended) = UnixStream::pair()?;
        let stop = interrupt.fd().try_clone_to_owned()?;
        let display = match shown {
            // Without a screen the contest runs all the same.
            Shown::Live => Screen::enter(judge_screen::colours_wanted(), interrupt)
                .map_or(Display::Lines, |screen| Display::Screen(Box::new(screen))),
            Shown::Lines => Display::Lines,
            Shown::Nothing => Display::Notices,
        };
        let thread = std::thread::Builder::new()
            .name("watcher".into())
            .spawn(move || watch(display, (tally, trial), &updates, (&stop, &ended)))?;
        Ok(Self { sender: Some(sender), end: Some(end), thread: Some(thread) })
    }

    /// Shows an event; the thread that draws receives it with its time.
    pub(super) fn show(&self, event: Event) {
        if let Some(sender) = &self.sender {
            // Nothing is received after a panic of the thread; the contest continues without it.
            sender.send((event, now_us())).ok();
        }
    }

    /// A subscriber of a contest, which shows its events until the watcher is dropped.
    pub(super) fn subscriber(&self) -> impl FnMut(&Event) -> bool + Send + 'static {
        let sender = self.sender.clone();
        move |event| sender.as_ref().is_some_and(|to| to.send((event.clone(), now_us())).is_ok())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.sender.take());
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A panic of it was printed when it happened.
            thread.join().ok();
        }
    }
}

/// The place where events are shown.
enum Display {
    Screen(Box<Screen>),
    Lines,
    Notices,
    /// A screen that was left, because the terminal has disappeared or the contest is stopping.
    Gone,
}

impl Display {
    fn show(&self, event: &Event, tally: &Tally) {
        if matches!(self, Self::Lines | Self::Notices) {
            Remark::from_event(event).iter().for_each(|remark| say(&in_words(remark, tally)));
        }
        if let (Self::Lines, Event::Finished(record)) = (self, event) {
            say(&tally.line(record));
        }
    }
}

/// Shows events until the watcher is dropped.
fn watch(
    mut display: Display,
    (mut tally, mut trial): (Tally, Option<Watched>),
    updates: &Receiver<Update>,
    (interrupt, end): (&OwnedFd, &UnixStream),
) {
    rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19).ok();
    let mut ended = false;
    while !ended {
        let woken = match &display {
            // On a stop request the screen is left at once.
            Display::Screen(screen) => wait_readable([end.as_fd(), interrupt.as_fd(), screen.stale()], FRAME),
            _ => wait_readable([end.as_fd(); 3], FRAME),
        };
        // A wait that fails would fail again at once. The contest continues without a display.
        let Ok([end, stop, _]) = woken else { return };
        ended = end;
        if stop && matches!(display, Display::Screen(_)) {
            display = Display::Gone;
        }
        for (event, at_us) in updates.try_iter() {
            tally.follow(&event, at_us);
            trial.iter_mut().for_each(|trial| trial.follow(&event));
            display.show(&event, &tally);
        }
        if let Display::Screen(screen) = &mut display {
            let now = now_us();
            tally.rank(now);
            let trial = trial.as_mut().map(|trial| trial.lines(now));
            if screen.draw(|canvas| live::draw(&tally, trial, now, canvas)).is_err() {
                display = Display::Gone;
            }
        }
    }
}
