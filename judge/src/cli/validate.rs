//! `judge validate`: checks one answer.

use std::io::Write;

use serde::Serialize;

use super::answer::{Answer, AnswerArgs};
use super::{DONE, Done, NOT_SOLVED};
use judge_core::referee;
use judge_core::verdict::Verdict;
use judge_report::describe;
use judge_report::output::write_json;

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

/// The ruling as JSON; `null` for what does not exist.
#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    verdict: &'a str,
    progress: u64,
    of: u64,
    moves: u64,
    tie_break: u64,
    failed_at: Option<u64>,
    reason: Option<String>,
    final_board: String,
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

        let verdict = Verdict::from_replay(ruling.score.clone(), ruling.illegal.clone());
        if self.json {
            let document = Document {
                game,
                verdict: verdict.name(),
                progress: ruling.score.progress,
                of: ruling.score.of,
                moves: ruling.score.moves,
                tie_break: ruling.score.tie_break,
                failed_at: ruling.illegal.as_ref().map(|illegal| illegal.index),
                reason: ruling.illegal.as_ref().map(|illegal| format!("`{}`: {}", illegal.token, illegal.reason)),
                final_board: ruling.picture.one_line(),
            };
            write_json(&document, out)?;
            writeln!(out)?;
        } else {
            describe::ruling(&ruling, info, out)?;
        }
        Ok(if matches!(verdict, Verdict::Solved(_)) { DONE } else { NOT_SOLVED })
    }
}
