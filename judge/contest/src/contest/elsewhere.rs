//! Boards that the command line names instead of the contest's own: files, and random boards for a range of seeds.
//!
//! The overrides contain their texts, so a journal with them needs no other file.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::file::{read_board, usable_name};
use super::{Contest, ContestError, ContestErrorKind};
use judge_core::game::GeneratorSpec;
use judge_core::plan::{Board, Overrides};

/// The most boards that one range can ask for.
const MOST: u64 = 100_000;

/// The seeds of random boards, such as `1-200`, or one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds(RangeInclusive<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let seeds = first.trim().parse().ok().zip(last.trim().parse().ok());
        match seeds {
            Some((first, last)) if first <= last && last - first < MOST => Ok(Self(first..=last)),
            _ => Err(format!("invalid seeds `{text}`; use a range such as 1-200, or one seed; at most {MOST}")),
        }
    }
}

impl Contest {
    /// The boards in these files, each named after its file, and the random boards of these seeds, named `seed-N`, all
    /// in the game and under the house rules of a contest file.
    pub fn boards_from(contest: &Path, files: &[PathBuf], seeds: Option<&Seeds>) -> Result<Vec<Board>, ContestError> {
        let game = Self::load(contest, &Overrides::default())?.plan.game();
        let game = game.map_err(|reason| ContestError::whole(contest, ContestErrorKind::Value, reason))?;
        let board = |name, text| Board { name, text, reconstruction: false, note: None };
        let mut boards: Vec<Board> = Vec::new();
        for path in files {
            let refuse = |reason: String| ContestError::whole(path, ContestErrorKind::Board, reason);
            let bytes = read_board(path).map_err(refuse)?;
            game.parse(&bytes).map_err(|error| refuse(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8; a board file is".into()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            usable_name("board", &name)
                .map_err(|reason| refuse(format!("the board is named after its file: {reason}")))?;
            boards.push(board(name, text));
        }
        for seed in seeds.into_iter().flat_map(|seeds| seeds.0.clone()) {
            let text = game.make(&GeneratorSpec::Random { seed, pieces: None });
            let text =
                text.map_err(|error| ContestError::whole(contest, ContestErrorKind::Value, error.to_string()))?;
            boards.push(board(format!("seed-{seed}"), text));
        }
        let mut names = HashSet::new();
        match boards.iter().find(|board| !names.insert(&board.name)) {
            Some(Board { name, .. }) => {
                let reason = format!("duplicate board name `{name}`; rename a file, or omit it");
                Err(ContestError::whole(contest, ContestErrorKind::Value, reason))
            }
            None => Ok(boards),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_or_one() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| (*seeds.0.start(), *seeds.0.end()));
        assert_eq!(seeds("1-200"), Ok((1, 200)));
        assert_eq!(seeds("7"), Ok((7, 7)));
        for text in ["", "-", "2-1", "1-", "a-b", "0-100000", "1,2"] {
            assert!(seeds(text).is_err_and(|reason| reason.contains("1-200")), "{text}");
        }
    }
}
