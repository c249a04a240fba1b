//! The player of a replay: a screen on which a film plays, steps and jumps at the press of a key.

use std::io;
use std::num::NonZeroU32;
use std::time::Duration;

use clap::ColorChoice;

use super::film::Film;
use super::view::View;
use crate::cli::Failure;
use crate::cli::screen::{self, Key, Screen};
use judge_sandbox::{Interrupt, StopRequest as _};

/// Steps of PgUp and PgDn.
const STRIDE: usize = 10;
/// The highest speed in steps per second.
pub(super) const FASTEST: NonZeroU32 = NonZeroU32::new(1024).expect("not zero");
/// The most frames per second; a film that plays faster skips positions.
const FRAMES: u32 = 32;

/// The state of the player.
pub(super) struct Playback {
    pub(super) playing: bool,
    /// Steps per second.
    pub(super) speed: NonZeroU32,
}

/// Shows the film until the user quits.
pub(super) fn show(film: &mut Film<'_>, view: &View<'_>, speed: NonZeroU32, color: ColorChoice) -> Result<(), Failure> {
    let broken = |error: io::Error| Failure::judge(format!("the terminal: {error}"));
    let interrupt = Interrupt::on_signals().map_err(broken)?;
    let colours = match color {
        ColorChoice::Auto => screen::colours_wanted(),
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    let mut screen = Screen::enter(colours, &interrupt).map_err(broken)?;
    let mut keys = screen.keys().map_err(broken)?;
    let mut playback = Playback { playing: true, speed };
    loop {
        let drawn = screen.draw(|canvas| view.draw(film, &playback, canvas));
        // A signal restores the terminal, so that drawing fails; the signal is the reason to give.
        if interrupt.requested() {
            return Err(Failure { message: None, code: interrupt.exit_code() });
        }
        drawn.map_err(broken)?;
        let [_, pressed, stale] =
            screen::wait([interrupt.fd(), keys.fd(), screen.stale()], playback.pause()).map_err(broken)?;
        if interrupt.requested() {
            continue;
        }
        if !pressed && !stale {
            playback.play(film);
        }
        if pressed {
            let Some(pressed) = keys.read() else {
                return Err(Failure::judge("the terminal has disappeared"));
            };
            if pressed.into_iter().any(|key| playback.obey(key, film)) {
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
    fn play(&mut self, film: &mut Film<'_>) {
        if self.playing {
            film.go(film.at() + self.speed.get().div_ceil(FRAMES) as usize);
            self.playing = film.at() < film.last();
        }
    }

    /// Obeys a key, and returns whether that was to quit.
    fn obey(&mut self, key: Key, film: &mut Film<'_>) -> bool {
        let at = film.at();
        let to = match key {
            Key::Character('q') => return true,
            Key::Character(' ') => {
                self.playing = !self.playing;
                if self.playing && at == film.last() {
                    film.go(0);
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
            Key::End | Key::Character('G') => film.last(),
            _ => return false,
        };
        self.playing = false;
        film.go(to);
        false
    }
}
