//! The player of an answer: a screen that plays, steps and jumps when a key is pressed.

mod view;

use std::io;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::screen::{Key, Screen};
use judge_report::replay_cursor::ReplayCursor;
use judge_sandbox::{Interrupt, StopRequest as _, wait_readable};

pub use view::{Playback, draw};

/// Steps of PgUp and PgDn.
const STRIDE: usize = 10;
/// The highest speed in steps per second.
pub const MAX_SPEED: NonZeroU32 = NonZeroU32::new(1024).expect("not zero");
/// The most frames per second; a player that plays faster skips positions.
const FRAMES: u32 = 32;

/// The reason why a player ended before the user wanted it to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The terminal cannot be used as a screen.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
    /// Nothing can be read from the terminal any more.
    #[error("the terminal has disappeared")]
    Disappeared,
    /// A stop was requested.
    #[error("interrupted")]
    Interrupted,
}

/// Shows a replay until the user quits, initially at this speed in steps per second.
///
/// # Errors
/// If the terminal cannot be used or disappears, or a stop of `interrupt` is requested.
pub fn play(
    cursor: &mut dyn ReplayCursor,
    title: &str,
    speed: NonZeroU32,
    colours: bool,
    interrupt: &Interrupt,
) -> Result<(), PlayerError> {
    let mut screen = Screen::enter(colours, interrupt)?;
    let mut keys = screen.keys()?;
    let mut playback = Playback { playing: true, speed };
    loop {
        let drawn = screen.draw(|canvas| draw(title, cursor, &playback, canvas));
        // A signal restores the terminal, so that drawing fails; the signal is the reason to give.
        if interrupt.requested() {
            return Err(PlayerError::Interrupted);
        }
        drawn?;
        let [_, pressed, stale] = wait_readable([interrupt.fd(), keys.fd(), screen.stale()], playback.pause())?;
        if interrupt.requested() {
            continue;
        }
        if !pressed && !stale {
            playback.play(cursor);
        }
        if pressed {
            let pressed = keys.read().ok_or(PlayerError::Disappeared)?;
            if pressed.into_iter().any(|key| playback.handle_key(key, cursor)) {
                return Ok(());
            }
        }
    }
}

impl Playback {
    /// Time until the next position is shown.
    fn pause(&self) -> Duration {
        match self.playing {
            true => Duration::from_secs(1) / self.speed.get().min(FRAMES),
            false => Duration::MAX,
        }
    }

    /// Advances to the next position after the pause.
    fn play(&mut self, cursor: &mut dyn ReplayCursor) {
        if self.playing {
            cursor.go(cursor.at() + self.speed.get().div_ceil(FRAMES) as usize);
            self.playing = cursor.at() < cursor.last();
        }
    }

    /// Acts on a key, and returns whether the key was to quit.
    fn handle_key(&mut self, key: Key, cursor: &mut dyn ReplayCursor) -> bool {
        let at = cursor.at();
        let to = match key {
            Key::Character('q') => return true,
            Key::Character(' ') => {
                self.playing = !self.playing;
                if self.playing && at == cursor.last() {
                    cursor.go(0);
                }
                return false;
            }
            Key::Character('+' | '=') => {
                self.speed = self.speed.saturating_mul(NonZeroU32::MIN.saturating_add(1)).min(MAX_SPEED);
                return false;
            }
            Key::Character('-') => {
                self.speed = NonZeroU32::new(self.speed.get() / 2).unwrap_or(NonZeroU32::MIN);
                return false;
            }
            Key::Right | Key::Character('l') => at + 1,
            Key::Left | Key::Character('h') => at.saturating_sub(1),
            Key::PageDown => at + STRIDE,
            Key::PageUp => at.saturating_sub(STRIDE),
            Key::Home | Key::Character('g') => 0,
            Key::End | Key::Character('G') => cursor.last(),
            _ => return false,
        };
        self.playing = false;
        cursor.go(to);
        false
    }
}
