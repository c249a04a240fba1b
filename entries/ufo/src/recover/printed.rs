//! The printed statements about configurations, read from a TOML file.

use std::str::FromStr;

use serde::Deserialize;

use crate::answer::Answer;
use crate::atlas::group::{EXPECTED_PIECES, Group};
use crate::geometry::{Shape, Square};
use crate::pieces::{LETTERS, NUMBERS};

/// The statement about all placements of the letter pieces that have no statement of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// They have no answer.
    Unsolvable,
    /// They have answers, and every number piece is significant in each best one.
    Significant,
}

/// The printed statements about one placement of the letter pieces.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The squares of X, Y and Z; empty if they are lost as well.
    pub letters: Vec<Square>,
    /// A best answer, as it was printed.
    pub answer: Answer,
    /// The number of best answers.
    pub count: u64,
    /// The number pieces that are insignificant in some best answer; `None` if the article does not name them.
    pub insignificant: Option<String>,
}

/// The printed statements about one configuration.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// Figure and number, such as `3-1`.
    pub name: String,
    /// The board that the pieces are on.
    pub shape: Shape,
    /// The number of letter pieces.
    pub letters: usize,
    /// The number of number pieces.
    pub numbers: usize,
    /// The placements for which an answer was printed.
    pub claims: Vec<Claim>,
    /// Sets of letter squares with no answer.
    pub unsolvable: Vec<u64>,
    /// Sets of letter squares with an answer in which some number piece is insignificant.
    pub insignificant: Vec<u64>,
    /// The statement about all other placements.
    pub others: Option<Others>,
}

/// The marks of a row of pictures: for each row of squares, the number of pieces over all boards.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// Names of the configurations in this row of pictures.
    pub boards: Vec<String>,
    /// Pieces per row, from the top.
    pub rows: Vec<usize>,
}

/// All printed statements about all configurations.
#[derive(Debug)]
pub struct Printed {
    /// The configurations in the order of the article.
    pub configurations: Vec<Configuration>,
    /// The marks of the pictures.
    pub marks: Vec<Marks>,
}

impl Configuration {
    /// The sets of squares that answers are printed for.
    pub(crate) fn claimed(&self) -> Vec<u64> {
        let sets = self.claims.iter().map(|claim| claim.letters.iter().fold(0, |set, square| set | square.bit()));
        sets.collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    configuration: Vec<RawConfiguration>,
    #[serde(default)]
    marks: Vec<Marks>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfiguration {
    name: String,
    board: String,
    group: String,
    #[serde(default)]
    unsolvable: String,
    #[serde(default)]
    insignificant: String,
    others: Option<Others>,
    #[serde(default)]
    answers: Vec<RawClaim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClaim {
    #[serde(default)]
    letters: String,
    answer: String,
    #[serde(default = "one")]
    count: u64,
    insignificant: Option<String>,
}

fn one() -> u64 {
    1
}

impl FromStr for Printed {
    type Err = String;

    fn from_str(text: &str) -> Result<Printed, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let configurations: Vec<Configuration> = file
            .configuration
            .into_iter()
            .map(|raw| {
                let name = raw.name.clone();
                raw.read().map_err(|reason| format!("configuration {name}: {reason}"))
            })
            .collect::<Result<_, _>>()?;
        for (marks, board) in file.marks.iter().flat_map(|marks| marks.boards.iter().map(move |board| (marks, board))) {
            let sides = |configuration: &Configuration| configuration.shape.side() == marks.rows.len();
            match configurations.iter().find(|configuration| configuration.name == *board) {
                None => return Err(format!("marks of `{board}`: no configuration has this name")),
                Some(pictured) if !sides(pictured) => {
                    return Err(format!("marks of `{board}`: give one total per row"));
                }
                Some(_) => {}
            }
        }
        Ok(Printed { configurations, marks: file.marks })
    }
}

impl RawConfiguration {
    fn read(self) -> Result<Configuration, String> {
        let shape = match self.board.as_str() {
            "5x5" => Shape::Square,
            "cross" => Shape::Cross,
            other => return Err(format!("unknown board `{other}`; use 5x5 or cross")),
        };
        let group = Group::with_pieces(shape, &self.group);
        let group = group.ok_or_else(|| format!("invalid group `{}`; {EXPECTED_PIECES}", self.group))?;
        let (letters, numbers) = (group.letters as usize, group.numbers as usize);
        let placements = |text: &str| -> Result<Vec<u64>, String> {
            let sets = text.split_whitespace().map(|placement| named_squares(shape, placement, letters));
            sets.map(|squares| Ok(squares?.iter().fold(0, |set, square| set | square.bit()))).collect()
        };
        let claims = self.answers.iter().map(|claim| {
            let squares =
                if claim.letters.is_empty() { Vec::new() } else { named_squares(shape, &claim.letters, letters)? };
            let answer: Answer = claim.answer.parse()?;
            let called = claim.insignificant.iter().flat_map(|labels| labels.chars());
            let on_board = |label: &char| LETTERS[..letters].contains(label) || NUMBERS[..numbers].contains(label);
            let mut named = answer.0.iter().map(|made| made.piece).chain(called);
            if let Some(piece) = named.find(|label| !on_board(label)) {
                return Err(format!("unknown piece `{piece}`; a board of group {} does not have it", self.group));
            }
            // If the article asks for the only solvable placement, all pieces are significant in it.
            let implied = (self.others == Some(Others::Unsolvable)).then(String::new);
            let insignificant = claim.insignificant.clone().or(implied);
            Ok(Claim { letters: squares, answer, count: claim.count, insignificant })
        });
        Ok(Configuration {
            shape,
            letters,
            numbers,
            claims: claims.collect::<Result<_, String>>()?,
            unsolvable: placements(&self.unsolvable)?,
            insignificant: placements(&self.insignificant)?,
            others: self.others,
            name: self.name,
        })
    }
}

fn named_squares(shape: Shape, placement: &str, letters: usize) -> Result<Vec<Square>, String> {
    let squares: Option<Vec<Square>> = placement.split('-').map(|name| shape.geometry().named(name)).collect();
    match squares {
        Some(squares) if squares.len() == letters => Ok(squares),
        _ => Err(format!("invalid placement `{placement}`; expected {letters} of the board's squares, such as 42-33")),
    }
}
