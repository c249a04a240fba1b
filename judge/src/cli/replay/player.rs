//! The player of a replay: a screen on which a replay plays, steps and jumps at the press of a key.

use std::io;
use std::num::NonZeroU32;
use std::time::Duration;

use clap::ColorChoice;

use super::view::{Playback, View};
use crate::cli::Failure;
use judge_report::reel::Reel;
use judge_sandbox::{Interrupt, StopRequest as _, wait_readable};
use judge_screen::{Key, Screen};

/// Steps of PgUp and PgDn.
const STRIDE: usize = 10;
/// The highest speed in steps per second.
pub(super) const FASTEST: NonZeroU32 = NonZeroU32::new(1024).expect("not zero");
/// The most frames per second; one that plays faster skips positions.
const FRAMES: u32 = 32;

/// Shows a reel until the user quits.
pub(super) fn show(
    reel: &mut dyn Reel,
    view: &View<'_>,
    speed: NonZeroU32,
    color: ColorChoice,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let broken = |error: io::Error| Failure::judge(format!("the terminal: {error}"));
    let colours = match color {
        ColorChoice::Auto => judge_screen::colours_wanted(),
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    let mut screen = Screen::enter(colours, interrupt).map_err(broken)?;
    let mut keys = screen.keys().map_err(broken)?;
    let mut playback = Playback { playing: true, speed };
    loop {
        let drawn = screen.draw(|canvas| view.draw(reel, &playback, canvas));
        // A signal restores the terminal, so that drawing fails; the signal is the reason to give.
        if interrupt.requested() {
            return Err(Failure { message: None, code: interrupt.exit_code() });
        }
        drawn.map_err(broken)?;
        let [_, pressed, stale] =
            wait_readable([interrupt.fd(), keys.fd(), screen.stale()], playback.pause()).map_err(broken)?;
        if interrupt.requested() {
            continue;
        }
        if !pressed && !stale {
            playback.play(reel);
        }
        if pressed {
            let Some(pressed) = keys.read() else {
                return Err(Failure::judge("the terminal has disappeared"));
            };
            if pressed.into_iter().any(|key| playback.obey(key, reel)) {
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

    /// Goes on to the next position after that pause.
    fn play(&mut self, reel: &mut dyn Reel) {
        if self.playing {
            reel.go(reel.at() + self.speed.get().div_ceil(FRAMES) as usize);
            self.playing = reel.at() < reel.last();
        }
    }

    /// Obeys a key, and returns whether that was to quit.
    fn obey(&mut self, key: Key, reel: &mut dyn Reel) -> bool {
        let at = reel.at();
        let to = match key {
            Key::Character('q') => return true,
            Key::Character(' ') => {
                self.playing = !self.playing;
                if self.playing && at == reel.last() {
                    reel.go(0);
                }
                return false;
            }
            Key::Character('+' | '=') => {
                self.speed = self.speed.saturating_mul(NonZeroU32::MIN.saturating_add(1)).min(FASTEST);
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
            Key::End | Key::Character('G') => reel.last(),
            _ => return false,
        };
        self.playing = false;
        reel.go(to);
        false
    }
}
