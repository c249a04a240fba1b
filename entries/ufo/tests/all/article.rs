//! The article's printed statements, and the boards recovered from them.

use std::collections::BTreeMap;
use std::fs;

use ufo_kit::board::Board;
use ufo_kit::recover::printed::{Claim, Printed};
use ufo_kit::recover::verify::placed;

use crate::support::boards_folder;

pub(crate) fn printed() -> Printed {
    fs::read_to_string(boards_folder().join("printed.toml")).unwrap().parse().unwrap()
}

/// Reads all `fig-….txt`, by name.
pub(crate) fn recorded() -> BTreeMap<String, Board> {
    let files = fs::read_dir(boards_folder()).unwrap().map(|file| file.unwrap().path());
    let boards = files.filter_map(|file| {
        let name = file.file_name()?.to_str()?.strip_prefix("fig-")?.strip_suffix(".txt")?.to_owned();
        Some((name, fs::read_to_string(&file).unwrap().parse().unwrap()))
    });
    boards.collect()
}

/// Lists each printed answer with the name of its configuration and its recorded board.
pub(crate) fn problems() -> Vec<(String, Board, Claim)> {
    let recorded = recorded();
    let board = |name: &str, claim: &Claim| {
        let named = recorded.iter().filter(|(file, _)| *file == name || file.starts_with(&format!("{name}-")));
        let mut found = named.map(|(_, board)| board).filter(|board| placed(board, &claim.letters) == **board);
        let (Some(board), None) = (found.next(), found.next()) else { panic!("one board for {name} {}", claim.answer) };
        board.clone()
    };
    let configurations = printed().configurations.into_iter();
    let claims = configurations.flat_map(|configuration| {
        let name = configuration.name;
        configuration.claims.into_iter().map(move |claim| (name.clone(), claim))
    });
    claims.map(|(name, claim)| (name.clone(), board(&name, &claim), claim)).collect()
}
