//! The certificates of the house entry: reading them, and everything that can be refused without a search.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::bound::{LARGE, Rectangle, SMALL, TableKey};
use crate::rules::{self, End, SPOTS};
use crate::table::hexadecimal;

/// The versions of the house entry whose certificates are known.
const VERSIONS: [&str; 2] = ["0.1.0", "0.2.0"];
/// The methods of these versions: whole answers, and split ones.
const METHODS: [&str; 2] = [
    "iterative deepening in steps of two with additive pattern databases, looked up as they are and mirrored; an automaton \
     leaves out ways that lead where an earlier one leads",
    "iterative deepening in steps of two with additive pattern databases, looked up as they are and mirrored; an automaton \
     excludes paths that lead where an earlier one leads; answers are split at the visit of the empty spot to the centre \
     that is next to the far end",
];
/// The text between the sealed text and the seal.
const SEAL: &str = ",\n  \"seal\": \"";
/// The end of a sealed certificate.
const END: &str = "\"\n}\n";

/// Adds the seal to a certificate in pretty-printed JSON: SHA-256 of all text before it. It makes every later change
/// visible, but anyone can seal a changed text again.
///
/// # Errors
/// If the text is not a JSON object on several lines.
pub fn seal(text: &str) -> Result<String, String> {
    let body = text.trim_end().strip_suffix("\n}").ok_or("expected a JSON object on several lines")?;
    Ok(format!("{body}{SEAL}{}{END}", digest(body)))
}

fn digest(body: &str) -> String {
    hexadecimal(&Sha256::digest(body))
}

/// A certificate as `house --certificate` writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certificate {
    version: String,
    pub(crate) board: String,
    pub(crate) bound: u8,
    answer: String,
    proved_shortest: bool,
    method: String,
    direction: Direction,
    #[serde(default)]
    pub(crate) split: bool,
    pub(crate) tables: Vec<Checksum>,
    dual: Vec<Checksum>,
    ending: u8,
    ways: u8,
    lowest: u8,
    thresholds: Vec<Threshold>,
    milliseconds: u64,
    #[serde(rename = "seal")]
    _seal: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum Direction {
    #[serde(rename = "from the board")]
    Forwards,
    #[serde(rename = "from perfection")]
    Backwards,
}

/// The checksum of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checksum {
    /// The letters of the spots that are the homes of its tiles.
    pub(crate) tiles: String,
    /// SHA-256 of homes and values.
    pub(crate) sha256: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threshold {
    moves: u8,
    nodes: u64,
    milliseconds: u64,
}

impl Certificate {
    /// Reads a sealed certificate.
    ///
    /// # Errors
    /// If the seal is missing or broken, or the text is not a certificate.
    pub(crate) fn read(text: &str) -> Result<Certificate, String> {
        let certificate: Certificate =
            serde_json::from_str(text).map_err(|error| format!("not a sealed certificate: {error}"))?;
        let sealed = text.strip_suffix(END).and_then(|text| text.rsplit_once(SEAL));
        let (body, seal) = sealed.ok_or("not a sealed certificate: the seal is not the last line")?;
        if digest(body) != seal {
            return Err("the seal is broken: the text was changed after it was sealed".to_owned());
        }
        Ok(certificate)
    }

    /// The end from which the house entry searched.
    pub(crate) fn end(&self) -> End {
        match self.direction {
            Direction::Forwards => End::Board,
            Direction::Backwards => End::Goal,
        }
    }

    /// Replays the answer and compares all fields with each other; returns the number of moves.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub(crate) fn consistent(&self) -> Result<usize, String> {
        if !VERSIONS.contains(&self.version.as_str()) {
            return Err(format!("unknown version `{}`; known: {}", self.version, VERSIONS.join(", ")));
        }
        if self.method != METHODS[usize::from(self.split)] {
            return Err("the method is not that of this version".to_owned());
        }
        let moves = rules::replay(&rules::parse(&self.board)?, &self.answer)?;
        let searched: Vec<u8> = self.thresholds.iter().map(|threshold| threshold.moves).collect();
        let expected: Vec<u8> = (self.lowest..).step_by(2).take(searched.len()).collect();
        if searched != expected {
            return Err(format!("the thresholds do not rise by two from {}", self.lowest));
        }
        let next = searched.last().map_or(self.lowest, |last| last.saturating_add(2));
        if self.bound != next {
            return Err(format!("the bound is {}, but the thresholds end before {next}", self.bound));
        }
        if usize::from(self.bound) > moves {
            return Err(format!("the bound is {}, but the answer has {moves} moves", self.bound));
        }
        if (moves - usize::from(self.bound)) % 2 != 0 {
            return Err("the bound and the answer have different parities".to_owned());
        }
        if self.proved_shortest != (moves == usize::from(self.bound)) {
            return Err("`proved_shortest` contradicts the bound and the answer".to_owned());
        }
        let searching: u64 = self.thresholds.iter().map(|threshold| threshold.milliseconds).sum();
        if searching > self.milliseconds {
            return Err(format!("the thresholds took {searching} ms of {} ms", self.milliseconds));
        }
        if self.thresholds.iter().any(|threshold| threshold.nodes == 0) || !(1..=11).contains(&self.ways) {
            return Err("a threshold without nodes, or an unknown length of excluded paths".to_owned());
        }
        Ok(moves)
    }

    /// The tables of the house entry, each with its recorded checksum.
    ///
    /// # Errors
    /// If they are not those of a known version.
    pub(crate) fn keys(&self) -> Result<Vec<(TableKey, &Checksum)>, String> {
        let unknown = |tiles: &str| format!("no version of the house entry has these tables: {tiles}");
        let all = |tables: &[Checksum]| tables.iter().map(|table| table.tiles.as_str()).collect::<Vec<_>>().join(" ");
        let board = rules::parse(&self.board)?;
        let (end, other) = if self.split { (self.end().other(), self.end()) } else { (self.end(), self.end().other()) };
        let hole = match end {
            End::Board => SPOTS - 1,
            End::Goal => board.iter().position(|&home| home == SPOTS - 1).expect("a board has an empty spot"),
        };
        let mut letters: Vec<char> = self.tables.iter().flat_map(|table| table.tiles.chars()).collect();
        letters.sort_unstable();
        let keys: Vec<TableKey> = if end == End::Board && letters.iter().copied().eq('A'..='X') {
            // Each tile in one table, with the ending in all of them.
            let homes = |table: &Checksum| table.tiles.bytes().map(|letter| usize::from(letter - b'A')).collect();
            let key = |table| TableKey { end: End::Board, homes: homes(table), hole: Some(hole), ending: self.ending };
            self.tables.iter().map(key).collect()
        } else {
            // The tables of a rectangle, and of the images of the empty spot in it.
            let images = [SMALL, LARGE].map(|rectangle| {
                let plain = rectangle.iter().map(|group| TableKey::from_group(end, group, SPOTS, 0));
                let holes = images_of(hole).into_iter().flat_map(|hole| {
                    let groups = rectangle.iter().filter(move |group| group.contains(&hole));
                    groups.map(move |group| TableKey::from_group(end, group, hole, self.ending))
                });
                plain.chain(holes).collect::<Vec<_>>()
            });
            let names = all(&self.tables);
            let mut known = images.into_iter();
            let same = |keys: &Vec<TableKey>| {
                let mut expected: Vec<String> = keys.iter().map(name).collect();
                let mut found: Vec<&str> = names.split(' ').collect();
                expected.sort_unstable();
                found.sort_unstable();
                expected == found
            };
            let keys = known.find(same).ok_or_else(|| unknown(&names))?;
            let of = |table: &Checksum| keys.iter().find(|key| name(key) == table.tiles).cloned();
            self.tables.iter().filter_map(of).collect()
        };
        // The tables of a rectangle from the other end, and in a split search from this end too, unless they are above.
        let plain = |end, rectangle: Rectangle| {
            rectangle.iter().map(|group| TableKey::from_group(end, group, SPOTS, 0)).collect::<Vec<_>>()
        };
        let mut dual: Vec<Vec<TableKey>> = [SMALL, LARGE].map(|rectangle| plain(other, rectangle)).into();
        if self.split {
            dual.extend([SMALL, LARGE].map(|rectangle| [plain(other, rectangle), plain(end, rectangle)].concat()));
        }
        let names = all(&self.dual);
        let of_dual = if self.dual.is_empty() {
            Vec::new()
        } else {
            let same = |keys: &Vec<TableKey>| keys.iter().map(name).collect::<Vec<_>>().join(" ") == names;
            dual.into_iter().find(same).ok_or_else(|| unknown(&names))?
        };
        Ok(keys.into_iter().chain(of_dual).zip(self.tables.iter().chain(&self.dual)).collect())
    }
}

/// The letters of the homes of a table.
fn name(key: &TableKey) -> String {
    key.homes.iter().zip(std::iter::repeat(b'A')).map(|(&home, a)| char::from(a + rules::byte(home))).collect()
}

/// The images of a spot under rotations and reflections, in order.
fn images_of(spot: usize) -> Vec<usize> {
    let (row, column) = (spot / 5, spot % 5);
    let mut images: Vec<usize> = [(row, column), (column, row)]
        .into_iter()
        .flat_map(|(row, column)| [(row, column), (row, 4 - column), (4 - row, column), (4 - row, 4 - column)])
        .map(|(row, column)| row * 5 + column)
        .collect();
    images.sort_unstable();
    images.dedup();
    images
}
