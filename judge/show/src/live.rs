//! Shows a contest while it runs: on a screen, as a line per finished run, or not at all.
//!
//! The coordinator sends events into an unbounded channel. A thread of the lowest priority receives and shows them. So
//! a slow terminal, a full pipe or a terminal that has disappeared blocks nothing, and drawing takes no processor time
//! from entries.

mod remarks;
mod screen;
#[cfg(test)]
mod tests;
mod trial;

use std::collections::HashSet;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::screen::Screen;
use judge_contest::open_contest::Event;
use judge_contest::progress::{ContestProgress, Remark};
use judge_core::key::Name;
use judge_core::verdict::Verdict;
use judge_sandbox::Interrupt;
use judge_sandbox::host::now_us;
use judge_sandbox::wait_readable;

pub use remarks::in_words;
pub use screen::draw;
pub use trial::WatchedTry;

/// Time between two frames. Five per second are enough for a clock.
const FRAME: Duration = Duration::from_millis(200);

/// The way a contest is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayMode {
    /// A screen on the program's terminal, with standings, running entries and failures.
    Live,
    /// One line per finished run, and the lines of [`DisplayMode::Nothing`].
    Lines,
    /// Only failures and notices, one line each.
    Nothing,
}

/// An event to show, and the time at which it arrived, by the monotonic clock.
type Update = (Event, u64);

/// A thread that shows a contest. When dropped, it shows the remaining events and restores the terminal.
pub struct Watcher {
    sender: Option<Sender<Update>>,
    /// Closed to end the thread.
    end: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Shows the contest of that progress from now on. The thread calls `say` with each line; a screen goes to the terminal. A
    /// signal that requests a stop of `interrupt` restores the terminal. The progress uses the clock [`judge_sandbox::host::now_us`].
    ///
    /// # Errors
    /// If the process has too many threads or files open.
    pub fn begin(
        shown: DisplayMode,
        progress: ContestProgress,
        interrupt: &Interrupt,
        say: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(shown, (progress, None), interrupt, Box::new(say))
    }

    /// Shows the try of that progress, with its gain instead of standings; otherwise like [`Watcher::begin`].
    ///
    /// # Errors
    /// As [`Watcher::begin`].
    pub fn of_try(
        shown: DisplayMode,
        progress: ContestProgress,
        trial: WatchedTry,
        interrupt: &Interrupt,
        say: impl FnMut(&str) + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(shown, (progress, Some(trial)), interrupt, Box::new(say))
    }

    fn start(
        shown: DisplayMode,
        watched: (ContestProgress, Option<WatchedTry>),
        interrupt: &Interrupt,
        say: Say,
    ) -> io::Result<Self> {
        let (sender, updates) = mpsc::channel();
        let (end, ended) = UnixStream::pair()?;
        let stop = interrupt.fd().try_clone_to_owned()?;
        let place = match shown {
            // Without a screen the contest runs all the same.
            DisplayMode::Live => Screen::enter(crate::screen::colours_wanted(), interrupt)
                .map_or(Place::Lines, |screen| Place::Screen(Box::new(screen))),
            DisplayMode::Lines => Place::Lines,
            DisplayMode::Nothing => Place::Notices,
        };
        let display = Display { place, say, unbuilt: HashSet::new() };
        let thread = std::thread::Builder::new()
            .name("watcher".into())
            .spawn(move || watch(display, watched, &updates, (&stop, &ended)))?;
        Ok(Self { sender: Some(sender), end: Some(end), thread: Some(thread) })
    }

    /// Shows an event; the thread that draws receives it with its time.
    pub fn show(&self, event: Event) {
        if let Some(sender) = &self.sender {
            // Nothing is received after a panic of the thread; the contest continues without it.
            sender.send((event, now_us())).ok();
        }
    }

    /// A subscriber of a contest, which shows its events until the watcher is dropped.
    pub fn subscriber(&self) -> impl FnMut(&Event) -> bool + Send + 'static {
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

/// The callback that receives each line.
type Say = Box<dyn FnMut(&str) + Send>;

/// The place where events are shown.
enum Place {
    Screen(Box<Screen>),
    Lines,
    Notices,
    /// A screen that has ended because the terminal has disappeared or the contest is stopping.
    Left,
}

struct Display {
    place: Place,
    say: Say,
    /// The entries whose failed builds were said.
    unbuilt: HashSet<Name>,
}

impl Display {
    fn show(&mut self, event: &Event, progress: &ContestProgress) {
        if matches!(self.place, Place::Lines | Place::Notices) {
            Remark::from_event(event).iter().for_each(|remark| (self.say)(&in_words(remark, progress)));
        }
        if let (Place::Lines, Event::Finished(record)) = (&self.place, event) {
            let is_unbuilt = matches!(record.verdict, Verdict::BuildFailed { .. });
            // Once for all its runs, however many boards there are.
            if !is_unbuilt || self.unbuilt.insert(record.key.entry.clone()) {
                (self.say)(&progress.line(record));
            }
        }
    }
}

/// Shows events until the watcher is dropped.
fn watch(
    mut display: Display,
    (mut progress, mut trial): (ContestProgress, Option<WatchedTry>),
    updates: &Receiver<Update>,
    (interrupt, end): (&OwnedFd, &UnixStream),
) {
    rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19).ok();
    let mut ended = false;
    while !ended {
        let woken = match &display.place {
            // On a stop request the screen is left at once.
            Place::Screen(screen) => wait_readable([end.as_fd(), interrupt.as_fd(), screen.stale()], FRAME),
            _ => wait_readable([end.as_fd(); 3], FRAME),
        };
        // A wait that fails would fail again at once. The contest continues without a display.
        let Ok([end, stop, _]) = woken else { return };
        ended = end;
        if stop && matches!(display.place, Place::Screen(_)) {
            display.place = Place::Left;
        }
        for (event, at_us) in updates.try_iter() {
            progress.follow(&event, at_us);
            trial.iter_mut().for_each(|trial| trial.follow(&event));
            display.show(&event, &progress);
        }
        if let Place::Screen(screen) = &mut display.place {
            let now = now_us();
            progress.rank(now);
            let trial = trial.as_mut().map(|trial| trial.lines(now));
            if screen.draw(|canvas| draw(&progress, trial, now, canvas)).is_err() {
                display.place = Place::Left;
            }
        }
    }
}
