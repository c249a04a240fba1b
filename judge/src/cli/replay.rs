//! `judge replay`: shows an answer move by move. On a terminal it is a screen with keys. In a pipe, or built without
//! the sandbox, it prints the frames of `validate --trace`.

mod recorded;

use std::io::Write;
#[cfg(feature = "sandbox")]
use {
    clap::ColorChoice,
    std::io::{self, IsTerminal as _},
    std::num::NonZeroU32,
};

use super::answer::{Answer, AnswerArgs};
use super::{DONE, Done, NOT_SOLVED};
use judge_core::game::GameInfo;
use judge_core::journal::FILE_NAME;
use judge_core::referee::ReplayResult;
use judge_core::verdict::Verdict;
use judge_report::describe;
#[cfg(feature = "sandbox")]
use {
    super::{Failure, refereed, signals},
    judge_core::indexed_replay::IndexedReplay,
    judge_core::referee::Ruling,
    judge_core::text::printable,
    judge_report::replay_cursor::{MoveReplay, PictureReplay, ReplayCursor},
    judge_sandbox::Interrupt,
    judge_show::replay::{MAX_SPEED, PlayerError, play},
    std::path::Path,
};

/// Look at an answer move by move, in the terminal
///
/// The screen highlights the cells that the last move touched, and a curve shows the progress along the answer. An
/// illegal move is shown at its position, with the reason. With --contest, and of recorded runs, it shows the grids
/// that a referee leaves, or the answer if it left none. In a pipe every position is printed, as by `validate --trace`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge replay tests-boards/loyd/trap.txt ddddrrrulluuurrrddddlllluuuu
  judge replay runs/1 slider FOXY                 a run of recorded results
  judge replay runs/1 mine other FOXY             a game of recorded results, with mine in seat 1
  judge replay --game shift board.txt answer.txt
  ./solver board.txt | judge replay board.txt
  judge replay board.txt answer.txt | less

Keys:
  space          play or pause; at the end, play again
  right, left    one step forward or back; also l and h
  PgDn, PgUp     ten steps forward or back
  home, end      first or last position; also g and G
  +, -           double or halve the speed
  q, Ctrl-C      quit

Exit code 0: solved, or valid if nothing solves the board; 1: not solved or illegal; 130: stopped with Ctrl-C.")]
pub(super) struct Args {
    #[command(flatten)]
    answer: AnswerArgs,

    /// The board of a recorded run; then the first two arguments are a results directory and an entry. Of a game, the
    /// other entries in the order of their seats, and then the board
    #[arg(value_name = "RECORDED_BOARD")]
    recorded: Vec<String>,

    #[cfg(feature = "sandbox")]
    #[command(flatten)]
    screen: ScreenArgs,
}

/// The options of the screen.
#[cfg(feature = "sandbox")]
#[derive(Debug, clap::Args)]
struct ScreenArgs {
    /// Steps per second at the start
    #[arg(long, value_name = "N", default_value = "4", value_parser = speed)]
    speed: NonZeroU32,

    /// Use colours on the screen; auto: unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
}

#[cfg(feature = "sandbox")]
fn speed(text: &str) -> Result<NonZeroU32, String> {
    match text.parse() {
        Ok(speed) if speed <= MAX_SPEED => Ok(speed),
        _ => Err(format!("must be a number from 1 to {MAX_SPEED}")),
    }
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        if let Some((board, against)) = self.recorded.split_last() {
            return match recorded::open(&self.answer.board, self.answer.text(), against, board)? {
                recorded::Recorded::Answer { title, answer, by_hand } => {
                    let replayed = self.play(&title, answer, out)?;
                    let Some((sentence, success)) = by_hand else { return Ok(replayed) };
                    writeln!(out, "{sentence}")?;
                    Ok(if success { DONE } else { NOT_SOLVED })
                }
                recorded::Recorded::Refereed(run) => self.show_refereed(&run, out),
                recorded::Recorded::Game(text) => {
                    out.write_all(text.as_bytes())?;
                    Ok(DONE)
                }
            };
        }
        if self.answer.board.join(FILE_NAME).is_file() {
            return Err(recorded::incomplete(&self.answer.board));
        }
        #[cfg_attr(not(feature = "sandbox"), allow(unused_variables, reason = "without the sandbox it is refused"))]
        if let Some(contest) = self.answer.game.contest()? {
            #[cfg(feature = "sandbox")]
            if io::stdout().is_terminal() && judge_show::screen::possible(io::stdout()) {
                return self.screen.show_pictures(contest, &self.answer, out);
            }
            #[cfg(feature = "sandbox")]
            return refereed::validate(contest, &self.answer, false, true, out);
        }
        let answer = self.answer.open()?;
        let title = format!("{}, {}", self.answer.board.display(), answer.game);
        self.play(&title, answer, out)
    }

    /// Shows a recorded run of a referee program; on a terminal, its grids as a screen.
    #[cfg_attr(not(feature = "sandbox"), allow(clippy::unused_self, reason = "there is no screen"))]
    fn show_refereed(&self, run: &recorded::RefereedRun, out: &mut dyn Write) -> Done {
        let code = if run.ruling.verdict.is_success() { DONE } else { NOT_SOLVED };
        #[cfg(feature = "sandbox")]
        if io::stdout().is_terminal() && judge_show::screen::possible(io::stdout()) {
            let title = printable(&run.title);
            if self.screen.show_grids(&run.ruling, run.answer.clone(), &title, &signals()?)? {
                run.write_verdict(out)?;
                return Ok(code);
            }
        }
        run.write(out)?;
        Ok(code)
    }

    /// Shows an answer, on a terminal as a screen, otherwise as frames.
    #[cfg_attr(not(feature = "sandbox"), allow(unused_variables, clippy::unused_self, reason = "there is no screen"))]
    fn play(&self, title: &str, answer: Answer, out: &mut dyn Write) -> Done {
        #[cfg(feature = "sandbox")]
        if io::stdout().is_terminal() && judge_show::screen::possible(io::stdout()) {
            return self.screen.show(&printable(title), answer, out);
        }
        print(answer, out)
    }
}

/// Prints the frames and the verdict.
fn print(answer: Answer, out: &mut dyn Write) -> Done {
    let Answer { info, puzzle, name, bytes, .. } = answer;
    let ruling = describe::trace(&*puzzle, bytes, info, out)?;
    let ruling = ruling.map_err(|error| Answer::unreadable(&name, &error))?;
    conclude(ruling, info, out)
}

#[cfg(feature = "sandbox")]
impl ScreenArgs {
    fn play(&self, cursor: &mut dyn ReplayCursor, title: &str, interrupt: &Interrupt) -> Result<(), Failure> {
        let colours = match self.color {
            ColorChoice::Auto => judge_show::screen::colours_wanted(),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        play(cursor, title, self.speed, colours, interrupt).map_err(|error| match error {
            PlayerError::Interrupted => Failure { message: None, code: interrupt.exit_code() },
            error => Failure::judge(error),
        })
    }

    /// Shows the answer until the user quits, and prints the verdict.
    fn show(&self, title: &str, answer: Answer, out: &mut dyn Write) -> Done {
        let Answer { info, puzzle, name, bytes, .. } = answer;
        let indexed = &mut IndexedReplay::new(&*puzzle, bytes).map_err(|error| Answer::unreadable(&name, &error))?;
        let interrupt = signals()?;
        self.play(&mut MoveReplay { indexed, game: info }, title, &interrupt)?;
        conclude(indexed.ruling().clone(), info, out)
    }

    /// Shows the grids that a referee left until the user quits. Returns false if it left no grids, or images.
    fn show_grids(
        &self,
        ruling: &Ruling,
        answer: Vec<u8>,
        title: &str,
        interrupt: &Interrupt,
    ) -> Result<bool, Failure> {
        let Some(mut pictures) = PictureReplay::new(ruling, answer) else { return Ok(false) };
        self.play(&mut pictures, title, interrupt)?;
        Ok(true)
    }

    /// Shows the pictures that a referee leaves until the user quits, and prints the verdict. Images are listed
    /// instead.
    fn show_pictures(&self, contest: &Path, answer: &AnswerArgs, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        let (ruling, bytes) = refereed::ruled(contest, answer, &interrupt)?;
        let title = printable(&format!("{}, {}", answer.board.display(), contest.display()));
        if !self.show_grids(&ruling, bytes, &title, &interrupt)? {
            ruling.frames.iter().try_for_each(|frame| describe::frame(frame, "bytes", out))?;
        }
        describe::refereed(&ruling, out)?;
        Ok(if ruling.verdict.is_success() { DONE } else { NOT_SOLVED })
    }
}

/// Prints the verdict, and returns its exit code.
fn conclude(ruling: ReplayResult, info: &GameInfo, out: &mut dyn Write) -> Done {
    describe::ruling(&ruling, info, out)?;
    let solved = matches!(Verdict::from_replay(info, ruling.score, ruling.illegal), Verdict::Solved(_));
    Ok(if solved { DONE } else { NOT_SOLVED })
}
