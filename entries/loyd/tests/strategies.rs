//! The strategies as programs: legal answers on every board, and refusals with a reason.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{PERFECTION, SOURCE_BOARDS, assert_refused, board_file, judged, replay, run, shuffled};

/// Every strategy of this crate.
const STRATEGIES: [(&str, &str); 3] = [
    ("twobits", env!("CARGO_BIN_EXE_twobits")),
    ("tilex", env!("CARGO_BIN_EXE_tilex")),
    ("escort", env!("CARGO_BIN_EXE_escort")),
];

/// The strategies that reach perfection on every board.
const SURE: [&str; 2] = ["twobits", "tilex"];

fn boards() -> Vec<String> {
    let mut boards = shuffled(1995, 120);
    boards.extend(SOURCE_BOARDS.map(|(_, board)| board.to_owned()));
    boards.push(PERFECTION.to_owned());
    boards
}

#[test]
fn the_replayer_agrees_with_the_write_ups_and_refuses_what_leads_off_the_board() {
    let [(_, trap), ..] = SOURCE_BOARDS;
    assert_eq!(replay(trap, "ddddrrrulluuurrrddddlllluuuu").as_deref(), Ok(PERFECTION));
    assert_eq!(replay(PERFECTION, "u"), Err("move 1: 'u' is illegal".to_owned()));
    assert_eq!(replay(PERFECTION, "l"), Err("move 1: 'l' is illegal".to_owned()));
    assert_eq!(replay(PERFECTION, "tt"), Err("move 2: 't' is illegal".to_owned()));
    assert_eq!(replay(PERFECTION, "dx"), Err("move 2: 'x' is illegal".to_owned()));
}

#[test]
fn sure_strategies_solve_every_board() {
    for (name, entry) in STRATEGIES.into_iter().filter(|(name, _)| SURE.contains(name)) {
        for board in boards() {
            let end = judged(entry, &format!("sure-{name}"), &board);
            assert_eq!(end, PERFECTION, "{name} on {board}");
        }
    }
}

#[test]
fn escort_answers_legally_and_solves_some_boards_and_not_others() {
    let ends: Vec<String> =
        boards().iter().map(|board| judged(env!("CARGO_BIN_EXE_escort"), "escort-board", board)).collect();
    let solved = ends.iter().filter(|end| *end == PERFECTION).count();
    assert!(ends.len() / 4 < solved && solved < ends.len(), "{solved} of {}", ends.len());
}

#[test]
fn an_answer_is_the_same_every_time() {
    for (name, entry) in STRATEGIES {
        let file = board_file(&format!("same-{name}"), &shuffled(7, 1)[0]);
        assert_eq!(run(entry, &[&file]).stdout, run(entry, &[&file]).stdout, "{name}");
    }
}

#[test]
fn white_space_in_a_board_file_does_not_matter() {
    for (name, entry) in STRATEGIES {
        let plain = board_file(&format!("plain-{name}"), "FBCDEKAGHJPLMIOUQRNTVWXS+");
        let rows = board_file(&format!("rows-{name}"), "\n F B C D E\r\nKAGHJ\n\tPLMIO\nUQRNT\nVWXS+\n\n");
        assert_eq!(run(entry, &[&plain]).stdout, run(entry, &[&rows]).stdout, "{name}");
    }
}

#[test]
fn unusable_arguments_are_refused() {
    for (name, entry) in STRATEGIES {
        let good = board_file(&format!("good-{name}"), PERFECTION);
        let only_argument = "give the path of a board file as the only argument";
        assert_refused(&run(entry, &[]), only_argument);
        assert_refused(&run(entry, &[&good, &good]), only_argument);
        let missing = good.with_file_name("no-such-board");
        assert_refused(&run(entry, &[&missing]), "cannot read");
    }
}

#[test]
fn texts_that_are_no_board_are_refused_with_what_is_wrong() {
    let cases = [
        ("", "only 0 of 25 symbols"),
        ("ABCDE FGHIJ KLMNO PQRST UVWX", "only 24 of 25 symbols; add +"),
        ("ABCDE FGHIJ KLMNO PQRST UVWX+ +", "after the last spot"),
        ("ABCDE FGHIJ KLAMN OPQRS TUVW+", "row 3, column 3: second A"),
        ("ABCDE FGHIJ KLMNO PQRST UVWXY", "row 5, column 5: 'Y' is no tile"),
        ("aBCDE FGHIJ KLMNO PQRST UVWX+", "row 1, column 1: 'a' is no tile"),
    ];
    for (name, entry) in STRATEGIES {
        for (text, reason) in cases {
            let file = board_file(&format!("bad-{name}"), text);
            assert_refused(&run(entry, &[&file]), reason);
        }
    }
}
