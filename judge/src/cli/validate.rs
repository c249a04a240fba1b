//! `judge validate`: checks one answer.

use std::io::Write;

use super::answer::{Answer, AnswerArgs};
use super::ruling::write_ruling;
use super::{DONE, Done, NOT_SOLVED};
use judge_core::referee;
use judge_report::describe;

/// Check one answer to a board
///
/// The answer is a file, the moves themselves, or standard input (`-`, the default). It is replayed in pieces, so its
/// length does not matter.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge validate tests-boards/loyd/trap.txt ddddrrrulluuurrrddddlllluuuu
  ./solver board.txt | judge validate --game loyd board.txt --json
  judge validate board.txt answer.txt --trace | less
  judge validate --contest my/contest.toml A answer.txt

Exit code 0: solved, or valid if nothing solves the board; 1: not solved or illegal; 2: invalid arguments or board.")]
pub(super) struct Args {
    #[command(flatten)]
    answer: AnswerArgs,

    /// Print the ruling as one line of JSON
    #[arg(long)]
    json: bool,

    /// Print the position after every move
    #[arg(long, conflicts_with = "json")]
    trace: bool,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        #[cfg_attr(not(feature = "sandbox"), allow(unused_variables, reason = "without the sandbox it is refused"))]
        if let Some(contest) = self.answer.game.contest()? {
            #[cfg(feature = "sandbox")]
            return super::refereed::validate(contest, &self.answer, self.json, self.trace, out);
        }
        let Answer { game, info, puzzle, name, bytes, .. } = self.answer.open()?;
        let ruling =
            if self.trace { describe::trace(&*puzzle, bytes, info, out)? } else { referee::rule(&*puzzle, bytes) };
        let ruling = ruling.map_err(|error| Answer::unreadable(&name, &error))?;

        let solved = ruling.score.solved() && ruling.illegal.is_none();
        if self.json {
            write_ruling(game, &ruling.ruled(info), out)?;
        } else {
            describe::ruling(&ruling, info, out)?;
        }
        Ok(if solved { DONE } else { NOT_SOLVED })
    }
}
