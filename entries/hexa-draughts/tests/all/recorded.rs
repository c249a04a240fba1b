//! The recorded results: games replayed by the judge, and certificates checked in integer arithmetic.

use std::fs;
use std::path::{Path, PathBuf};

use hexa_kit::certificate::{Certificate, Claim};
use judge_core::{games, referee};

fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/hexa-draughts").join(name)
}

/// Replays the recorded game to this row with the judge and returns the number of men.
fn men(row: u32) -> u64 {
    let answer = fs::read(recorded(&format!("row-{row}.game"))).unwrap();
    let game = (games::find("hexa-draughts").unwrap().open)(&toml::Table::new()).unwrap();
    let ruling = referee::rule(&*game.parse(format!("row {row}\n").as_bytes()).unwrap(), &*answer).unwrap();
    assert_eq!(ruling.illegal, None, "row {row}");
    assert!(ruling.score.solved(), "row {row}");
    ruling.score.moves
}

/// Checks the recorded certificate of this row and returns its claim.
fn proved(row: i32) -> Claim {
    let text = fs::read_to_string(recorded(&format!("row-{row}.certificate"))).unwrap();
    let certificate: Certificate = text.parse().unwrap();
    assert_eq!(certificate.frame.row, row);
    certificate.check().unwrap();
    certificate.claim
}

#[test]
fn the_games_have_as_few_men_as_the_certificates_allow() {
    for (row, least) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17), (6, 36)] {
        assert_eq!((men(row), proved(row.cast_signed())), (u64::from(least), Claim::AtLeast(least)), "row {row}");
    }
}

#[test]
fn row_7_is_reached_with_145_men_and_row_8_is_unreachable() {
    assert_eq!((men(7), proved(7)), (145, Claim::AtLeast(143)));
    assert_eq!(proved(8), Claim::Unreachable);
}
