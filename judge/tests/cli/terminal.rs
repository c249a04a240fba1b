//! A real terminal to run commands in: a pseudo terminal whose screen can be read, whose keys can be pressed, and that
//! can be made larger, smaller, or disappear.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::support::*;

/// The longest wait for an event, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Starts a command, prints its exit code, and keeps the terminal open until Enter is pressed: a terminal loses its
/// modes when its first program ends.
const SHELL: &str = r#"trap : INT TERM HUP; "$@"; echo "left with $?"; read -r line"#;

fn size(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap()
}

/// Text in one style on a row of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Styled {
    /// The column of its first character, from 0.
    pub(crate) column: u16,
    pub(crate) text: String,
    /// `c1` to `c6` for a colour, `b` for bold, `d` for dim, with a blank between.
    pub(crate) class: String,
}

/// The style of a cell, as a [`Styled`] has it.
fn class(cell: &vt100::Cell) -> String {
    let colour = match cell.fgcolor() {
        // The bright colours are the same ones here.
        vt100::Color::Idx(index @ (1..=6 | 9..=14)) => Some(format!("c{}", index % 8)),
        _ => None,
    };
    let marks =
        [(cell.bold(), "b"), (cell.dim(), "d")].into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark.to_owned());
    colour.into_iter().chain(marks).collect::<Vec<_>>().join(" ")
}

pub(crate) struct Terminal {
    pty: Arc<Pty>,
    screen: Arc<Mutex<vt100::Parser>>,
    modes: Termios,
    shell: Child,
}

impl Terminal {
    /// Runs `judge` with these arguments in the folder, on a terminal of 24 rows and 80 columns.
    pub(crate) fn judge<'a>(folder: &Folder, args: impl IntoIterator<Item = &'a str>) -> Self {
        Self::run(folder, [env!("CARGO_BIN_EXE_judge")].into_iter().chain(args), &[])
    }

    /// Runs a command with these variables set.
    pub(crate) fn run<'a>(
        folder: &Folder,
        command: impl IntoIterator<Item = &'a str>,
        variables: &[(&str, &str)],
    ) -> Self {
        let mut terminal = Self::unread(folder, command, variables);
        terminal.read();
        terminal
    }

    /// Runs `judge` with these arguments on a terminal of that size.
    pub(crate) fn sized<'a>(folder: &Folder, rows: u16, columns: u16, args: impl IntoIterator<Item = &'a str>) -> Self {
        let mut terminal =
            Self::from_size(folder, [env!("CARGO_BIN_EXE_judge")].into_iter().chain(args), &[], (rows, columns));
        terminal.read();
        terminal
    }

    /// Like `run`, but output to the terminal is not read until `read` is called.
    pub(crate) fn unread<'a>(
        folder: &Folder,
        command: impl IntoIterator<Item = &'a str>,
        variables: &[(&str, &str)],
    ) -> Self {
        Self::from_size(folder, command, variables, (24, 80))
    }

    fn from_size<'a>(
        folder: &Folder,
        command: impl IntoIterator<Item = &'a str>,
        variables: &[(&str, &str)],
        (rows, columns): (u16, u16),
    ) -> Self {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        let modes = tcgetattr(&pty).unwrap();
        let shell = Command::new("sh").args(["-c", SHELL, "sh"]).args(command).current_dir(folder.path());
        let shell = shell.env("TERM", "xterm-256color").env_remove("NO_COLOR").envs(variables.iter().copied());
        let shell = shell.spawn(pts).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(size(rows), size(columns), 1000)));
        Self { pty: Arc::new(pty), screen, modes, shell }
    }

    /// Begins to read what the terminal gets, on its own thread.
    pub(crate) fn read(&mut self) {
        let (pty, screen) = (Arc::clone(&self.pty), Arc::clone(&self.screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read) = (&*pty).read(&mut bytes) {
                screen.lock().unwrap().process(&bytes[..read]);
            }
        });
    }

    pub(crate) fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        self.screen.lock().unwrap().screen_mut().set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).unwrap();
    }

    /// The text on the screen, without the blanks at the ends of lines.
    pub(crate) fn text(&self) -> String {
        let text = self.screen.lock().unwrap().screen().contents();
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// The rows of the screen, without blanks at their ends.
    pub(crate) fn styled(&self) -> Vec<Vec<Styled>> {
        let parser = self.screen.lock().unwrap();
        let (rows, columns) = parser.screen().size();
        let row = |row| {
            let mut found = Vec::<Styled>::new();
            for column in 0..columns.get() {
                let cell = parser.screen().cell(row, column).unwrap();
                let (class, text) = (class(cell), if cell.has_contents() { cell.contents() } else { " " });
                match found.last_mut() {
                    Some(last) if last.class == class => last.text += text,
                    _ => found.push(Styled { column, text: text.to_owned(), class }),
                }
            }
            while let Some(last) = found.last_mut() {
                last.text.truncate(last.text.trim_end().len());
                if !last.text.is_empty() {
                    break;
                }
                found.pop();
            }
            found
        };
        (0..rows.get()).map(row).collect()
    }

    /// Waits until the text on the screen is as wanted, and returns it.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let text = self.text();
            if wanted(&text) {
                return text;
            }
            assert!(Instant::now() < deadline, "no {what} on the screen:\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the screen contains `wanted`, and returns its text.
    #[track_caller]
    pub(crate) fn shows(&self, wanted: &str) -> String {
        self.until(&format!("`{wanted}`"), |text| text.contains(wanted))
    }

    /// Tests whether a cell of the screen has a colour.
    pub(crate) fn colourful(&self) -> bool {
        let parser = self.screen.lock().unwrap();
        let (rows, columns) = parser.screen().size();
        let mut cells = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
        cells.any(|(row, column)| {
            let cell = parser.screen().cell(row, column).unwrap();
            (cell.fgcolor(), cell.bgcolor()) != (vt100::Color::Default, vt100::Color::Default)
        })
    }

    /// Sends a signal to the command, not to its shell.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.command().unwrap(), signal).unwrap();
    }

    /// Waits until the command is stopped, and checks that the terminal is restored.
    #[track_caller]
    pub(crate) fn is_suspended(&self) {
        self.command_is("stopped", |state| state == Some('T'));
        self.until("the usual screen", |_| !self.screen.lock().unwrap().screen().alternate_screen());
        self.is_restored();
    }

    /// Checks that the terminal's modes are what they were before the command.
    #[track_caller]
    fn is_restored(&self) {
        let modes = tcgetattr(&self.pty).unwrap();
        assert_eq!(modes.local_modes, self.modes.local_modes);
        assert_eq!(modes.input_modes, self.modes.input_modes);
        assert_eq!(format!("{:?}", modes.special_codes), format!("{:?}", self.modes.special_codes));
    }

    /// Waits until the command has ended.
    #[track_caller]
    pub(crate) fn has_ended(&self) {
        self.command_is("at its end", |state| state.is_none_or(|state| state == 'Z'));
    }

    /// Waits until the command's process has the wanted state in `/proc`; `None` if it does not exist.
    #[track_caller]
    fn command_is(&self, what: &str, wanted: impl Fn(Option<char>) -> bool) {
        let state = || {
            let stat = fs::read_to_string(format!("/proc/{}/stat", self.command()?.as_raw_nonzero())).ok()?;
            stat.rsplit_once(')')?.1.trim_start().chars().next()
        };
        let deadline = Instant::now() + TIMEOUT;
        while !wanted(state()) {
            assert!(Instant::now() < deadline, "the command is not {what}: {:?}", state());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Tests whether the terminal shows its alternate screen and echoes no keys.
    pub(crate) fn shows_a_screen(&self) -> bool {
        let echoes = tcgetattr(&self.pty).unwrap().local_modes.contains(LocalModes::ECHO);
        self.screen.lock().unwrap().screen().alternate_screen() && !echoes
    }

    /// Makes the terminal's modes what they were before the command, like a shell whose job was stopped.
    pub(crate) fn reset(&self) {
        tcsetattr(&self.pty, OptionalActions::Now, &self.modes).unwrap();
    }

    /// The process of the command, if there is one.
    fn command(&self) -> Option<Pid> {
        let shell = self.shell.id().to_string();
        let parent = |process: &PathBuf| {
            let stat = fs::read_to_string(process.join("stat")).ok()?;
            Some(stat.rsplit_once(')')?.1.split_whitespace().nth(1)? == shell)
        };
        let mut processes = fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
        let command = processes.find(|process| parent(process) == Some(true))?;
        Pid::from_raw(command.file_name()?.to_string_lossy().parse().ok()?)
    }

    /// Waits until the command has ended with this code, checks that the terminal is restored, and returns its text.
    #[track_caller]
    pub(crate) fn left_with(mut self, code: i32) -> String {
        let text = self.shows("left with ");
        assert!(text.contains(&format!("left with {code}\n")), "{text}");
        self.is_restored();
        {
            let parser = self.screen.lock().unwrap();
            assert!(!parser.screen().alternate_screen(), "the other screen was left");
            assert!(!parser.screen().hide_cursor(), "the cursor is back");
        }
        self.press("\n");
        self.shell.wait().unwrap();
        text
    }

    /// Closes the terminal like a window, and waits until the shell has noticed.
    pub(crate) fn disappear(self) {
        let Self { pty, mut shell, .. } = self;
        assert_eq!(Arc::strong_count(&pty), 1, "no reader has the terminal");
        drop(pty);
        shell.wait().unwrap();
    }
}
