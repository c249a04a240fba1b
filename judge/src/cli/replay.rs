//! `judge replay`: an answer looked at, move by move. On a terminal that is a screen with keys; in a pipe the frames
//! of `validate --trace`, one below the other.

mod film;
mod view;

use std::io::{self, IsTerminal as _, Write};
use std::num::NonZeroU32;
use std::time::Duration;

use clap::ColorChoice;

use super::answer::{Answer, AnswerArgs};
use super::screen::{self, Key, Screen};
use super::{DONE, Done, Failure, NOT_SOLVED, describe};
use film::Film;
use judge_core::text::printable;
use judge_core::verdict::Verdict;
use judge_sandbox::{Interrupt, StopRequest as _};
use view::View;

/// Steps of PgUp and PgDn.
const STRIDE: usize = 10;
/// Faster than this nobody can look.
const FASTEST: NonZeroU32 = NonZeroU32::new(1024).expect("not zero");
/// Frames a second at the most; what plays faster skips positions.
const FRAMES: u32 = 32;

/// Look at an answer move by move, in the terminal
///
/// The board is drawn as the judge's own replay has it, the cells that the last move touched stand out, and a curve
/// shows the progress along the answer. An illegal move is shown where it happens, with the reason. In a pipe every
/// position is printed, as by `validate --trace`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge replay tests-boards/loyd/trap.txt ddddrrrulluuurrrddddlllluuuu
  judge replay --game shift board.txt runs/1/runs/my-entry/BOARD.out
  ./solver board.txt | judge replay board.txt
  judge replay board.txt answer.txt | less

Keys:
  space          play or pause; at the end, play again
  right, left    one step on or back; also l and h
  PgDn, PgUp     ten steps on or back
  home, end      the first or the last position; also g and G
  +, -           twice or half as fast
  q, Ctrl-C      quit

Exit code 0: solved, 1: not solved or illegal, as of `judge validate`; 130: left with Ctrl-C.")]
pub(super) struct Args {
    #[command(flatten)]
    answer: AnswerArgs,

    /// Steps a second to begin with
    #[arg(long, value_name = "N", default_value = "4", value_parser = speed)]
    speed: NonZeroU32,

    /// Whether to use colours on the screen; auto: where NO_COLOR is not set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
}

fn speed(text: &str) -> Result<NonZeroU32, String> {
    match text.parse() {
        Ok(speed) if speed <= FASTEST => Ok(speed),
        _ => Err(format!("is no number from 1 to {FASTEST}")),
    }
}

/// Whether and how fast a film plays.
struct Playback {
    playing: bool,
    /// Steps a second.
    speed: NonZeroU32,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let Answer { game, words, board, puzzle, name, bytes } = self.answer.open()?;
        let unreadable = |error: io::Error| Answer::unreadable(&name, &error);
        let ruling = if io::stdout().is_terminal() && screen::possible(io::stdout()) {
            let film = &mut Film::of(&*puzzle, bytes).map_err(unreadable)?;
            let view = View { title: printable(&format!("{board}, {game}")), words };
            self.show(film, &view)?;
            film.ruling().clone()
        } else {
            describe::trace(&*puzzle, bytes, words, out)?.map_err(unreadable)?
        };
        describe::ruling(&ruling, words, out)?;
        let solved = matches!(Verdict::of_replay(ruling.score, ruling.illegal), Verdict::Solved(_));
        Ok(if solved { DONE } else { NOT_SOLVED })
    }

    /// Shows the film until the user has seen enough.
    fn show(&self, film: &mut Film<'_>, view: &View<'_>) -> Result<(), Failure> {
        let broken = |error: io::Error| Failure::judge(format!("the terminal: {error}"));
        let interrupt = Interrupt::on_signals().map_err(broken)?;
        let colours = match self.color {
            ColorChoice::Auto => screen::colours_wanted(),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let mut screen = Screen::enter(colours, &interrupt).map_err(broken)?;
        let mut keys = screen.keys().map_err(broken)?;
        let mut playback = Playback { playing: true, speed: self.speed };
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
}

impl Playback {
    /// How long the position stands that is shown.
    fn pause(&self) -> Duration {
        match self.playing {
            true => Duration::from_secs(1) / self.speed.get().min(FRAMES),
            false => Duration::MAX,
        }
    }

    /// Plays on after that pause.
    fn play(&mut self, film: &mut Film<'_>) {
        if self.playing {
            film.go(film.at() + self.speed.get().div_ceil(FRAMES) as usize);
            self.playing = film.at() < film.last();
        }
    }

    /// Does what a key says; whether that is to quit.
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
