//! `judge seal`: seals boards for a later round.

use std::io::Write;
use std::path::PathBuf;

use super::{DONE, Done, Failure, say};
use judge_contest::seal::{Sealed, seal};
use judge_core::text::printable;

/// Seal boards: print hashes that publish them without showing them
///
/// A seal is the SHA-256 of a salt, followed by the board's file. The salt is a line of random digits in FILE.salt,
/// which is created if it is missing. Without the salt, nobody can confirm a guess of the board, so keep it as secret
/// as the board until the round opens. Then publish both: everybody can compare `cat FILE.salt FILE | sha256sum` with
/// the seal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge seal boards/ring.txt boards/trap.txt     for a [[round]] of these boards
  cat boards/ring.txt.salt boards/ring.txt | sha256sum")]
pub(super) struct Args {
    /// Board files, in the order in which the round names their boards
    #[arg(value_name = "FILES", required = true)]
    boards: Vec<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let sealed: Vec<Sealed> =
            self.boards.iter().map(|board| seal(board)).collect::<Result<_, _>>().map_err(Failure::input)?;
        match &*sealed {
            [Sealed { seal, .. }] => writeln!(out, "sealed = \"{seal}\"")?,
            several => {
                writeln!(out, "sealed = [")?;
                for (Sealed { seal, .. }, board) in several.iter().zip(&self.boards) {
                    writeln!(out, "    \"{seal}\", # {}", printable(&board.display().to_string()))?;
                }
                writeln!(out, "]")?;
            }
        }
        for Sealed { salt, new, .. } in &sealed {
            let made = if *new { "new salt" } else { "salt" };
            say(&format!("{made} in {}", salt.display()));
        }
        say("keep salts as secret as the boards; when the round opens, publish both");
        Ok(DONE)
    }
}
