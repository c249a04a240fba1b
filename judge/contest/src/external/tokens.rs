//! The referee without a program: it compares an answer with the judge's answer, token by token.

use std::io::{self, Read};
use std::path::Path;

use judge_core::external::Malformed;
use judge_core::plan::{Board, FileContents};
use judge_core::referee::Ruling;
use judge_core::tokens::{Mismatch, TokenRules};
use judge_files::regular;

use super::call::{accepted, rejected};
use super::{External, Failure};

impl External<'_> {
    /// Rules on an answer by its tokens.
    pub(super) fn by_tokens(&self, board: &Board, answer: &Path) -> Result<Ruling, Failure> {
        let arguments: Vec<&String> = self.referee.args.iter().chain(&board.args).collect();
        let rules = TokenRules::parse(&arguments).map_err(|error| Failure::Final(error.to_string()))?;
        let unreadable = |error: io::Error| Failure::Retryable(format!("comparing tokens: {error}"));
        let expected: Box<dyn Read> = match &board.answer {
            Some(FileContents::Text(text)) => Box::new(text.as_bytes()),
            Some(FileContents::Stored(file)) => {
                Box::new(regular::open(&self.stored(file).map_err(Failure::Final)?).map_err(unreadable)?)
            }
            None => return Err(Failure::Final(format!("board {} has no answer to compare with", board.name))),
        };
        let given = regular::open(answer).map_err(unreadable)?;
        let ruled = match rules.compare(expected, given).map_err(unreadable)? {
            Ok(_) => accepted(self.board_scoring(board)).map_err(|Malformed(reason)| Failure::Final(reason))?,
            Err(Mismatch { line, reason, .. }) => rejected(format!("line {line}: {reason}")),
        };
        Ok(Ruling::from(ruled.verdict))
    }
}
