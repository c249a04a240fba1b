//! The strategies as programs: legal answers on every board, and refusals with a reason.

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::referee::{
    PERFECTION, PLENTY, SOURCE_BOARDS, assert_refused, board_file, replay, replayed, replayed_or_none, run, shuffled,
};

use crate::strategy_units::escort;
use loyd_kit::Board;

use Work::{Bounded, Quick, Timed};

/// The work of a strategy per board, which limits the number of boards in a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// It answers within milliseconds.
    Quick,
    /// A search that finishes within some seconds.
    Bounded,
    /// A search that runs until its time limit, at least on some boards.
    Timed,
}

/// Every strategy of this crate.
const STRATEGIES: [(&str, &str, Work); 16] = [
    ("twobits", env!("CARGO_BIN_EXE_twobits"), Quick),
    ("tilex", env!("CARGO_BIN_EXE_tilex"), Quick),
    ("escort", env!("CARGO_BIN_EXE_escort"), Quick),
    ("shufflemania", env!("CARGO_BIN_EXE_shufflemania"), Timed),
    ("scrambloyd", env!("CARGO_BIN_EXE_scrambloyd"), Bounded),
    ("dilloydemma", env!("CARGO_BIN_EXE_dilloydemma"), Timed),
    ("slowmotion", env!("CARGO_BIN_EXE_slowmotion"), Bounded),
    ("optm_rtll", env!("CARGO_BIN_EXE_optm_rtll"), Timed),
    ("dubious", env!("CARGO_BIN_EXE_dubious"), Bounded),
    ("nilssonized", env!("CARGO_BIN_EXE_nilssonized"), Bounded),
    ("alphabits", env!("CARGO_BIN_EXE_alphabits"), Timed),
    ("lwr", env!("CARGO_BIN_EXE_lwr"), Quick),
    ("slider", env!("CARGO_BIN_EXE_slider"), Timed),
    ("bittwister", env!("CARGO_BIN_EXE_bittwister"), Bounded),
    ("ramduf", env!("CARGO_BIN_EXE_ramduf"), Timed),
    ("ten_pound_sledge", env!("CARGO_BIN_EXE_ten_pound_sledge"), Bounded),
];

/// The strategies that reach perfection on every board within a second. Not shufflemania: if few tiles are out of
/// place, its first answer takes longer on a slow machine.
const SURE: [&str; 8] =
    ["twobits", "tilex", "scrambloyd", "dilloydemma", "slowmotion", "optm_rtll", "lwr", "bittwister"];

/// The strategies that may find no answer: out of time, out of memory, or in circles.
const MAY_PASS: [&str; 4] = ["nilssonized", "slider", "ramduf", "ten_pound_sledge"];

/// The boards for a strategy, as many as a test has time for.
fn boards_for(work: Work) -> Vec<String> {
    let mut boards = shuffled(1995, if work == Quick { 120 } else { 2 });
    boards.extend(SOURCE_BOARDS.map(|(_, board)| board.to_owned()));
    boards.push(PERFECTION.to_owned());
    boards
}

/// The time limit of a strategy in a test. A busy machine must not change the verdict. So a strategy that finishes by
/// itself has plenty of time, and one that uses all of its time finds a first answer within milliseconds.
fn limit_for(name: &str, work: Work) -> Duration {
    match work {
        Timed if ["dilloydemma", "optm_rtll", "alphabits"].contains(&name) => Duration::from_millis(250),
        // These find fewer answers in less time.
        Timed => Duration::from_millis(500),
        Bounded if MAY_PASS.contains(&name) => Duration::from_secs(1),
        Bounded | Quick => PLENTY,
    }
}

#[test]
fn the_referee_agrees_with_the_write_ups() {
    let [(_, trap), ..] = SOURCE_BOARDS;
    assert_eq!(replay(trap, "ddddrrrulluuurrrddddlllluuuu").as_deref(), Ok(PERFECTION));
    assert_eq!(replay(PERFECTION, "u"), Err("move 1: 'u' is illegal".to_owned()));
    assert_eq!(replay(PERFECTION, "l"), Err("move 1: 'l' is illegal".to_owned()));
    assert_eq!(replay(PERFECTION, "tt"), Err("move 2: 't' is illegal".to_owned()));
    assert_eq!(replay(PERFECTION, "dx"), Err("move 2: 'x' is illegal".to_owned()));
}

#[test]
#[ignore = "deep: proofs: searches that use all of their time"]
fn sure_strategies_solve_every_board() {
    let check = |&(name, entry, work): &(&str, &str, Work)| {
        let limit = limit_for(name, work);
        for board in boards_for(work) {
            let end = replayed_or_none(limit, entry, &format!("legal-{name}"), &board);
            assert!(end.is_some() || MAY_PASS.contains(&name), "{name} on {board}");
            assert!(!SURE.contains(&name) || end.as_deref() == Some(PERFECTION), "{name} on {board}");
        }
    };
    // Two at a time: with more, they would share two processors and have less than their time.
    let left = Mutex::new(STRATEGIES.iter());
    let next = || left.lock().unwrap().next();
    let work = || {
        while let Some(strategy) = next() {
            check(strategy);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

#[test]
fn escort_solves_only_some_boards() {
    let ends: Vec<String> =
        boards_for(Quick).iter().map(|board| replayed(env!("CARGO_BIN_EXE_escort"), "escort-board", board)).collect();
    let solved = ends.iter().filter(|end| *end == PERFECTION).count();
    assert!(ends.len() / 4 < solved && solved < ends.len(), "{solved} of {}", ends.len());
}

#[test]
fn escort_in_the_order_of_distance_finishes_hardly_any_board() {
    // Once the corners of the inner ring are placed, the last four letters cannot pass each other.
    let boards: Vec<Board> = boards_for(Quick).iter().map(|board| board.parse().unwrap()).collect();
    let solved = |order: &str| {
        let ends = boards.iter().filter(|board| {
            let moves = escort::solve(board, order).into_iter();
            moves.fold(**board, |board, made| board.after(made).unwrap()) == Board::perfection()
        });
        ends.count()
    };
    let [by_distance, once_around] = ["ETUA DJOXVPFB CNWK ISQG HMRL", "ETUA DJOXVPFB CNWK HIMSRQLG"].map(solved);
    assert!(by_distance < boards.len() / 10 && once_around > boards.len() / 4, "{by_distance}, {once_around}");
}

#[test]
fn an_entry_without_an_answer_gives_the_reason() {
    // AID, on which it went round in circles in 1995 too.
    let board = board_file("circle", "NOWIS THEMF RALGD CUBJK PQVX+");
    let output = run(env!("CARGO_BIN_EXE_ten_pound_sledge"), &[&board]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "no answer: the search goes round in circles\n");
    assert!(output.stdout.is_empty());
}

#[test]
fn an_answer_is_the_same_every_time() {
    for (name, entry, _) in STRATEGIES.into_iter().filter(|(_, _, work)| *work != Timed) {
        let file = board_file(&format!("same-{name}"), &shuffled(7, 1)[0]);
        assert_eq!(run(entry, &[&file]).stdout, run(entry, &[&file]).stdout, "{name}");
    }
}

#[test]
fn a_seed_is_a_number_before_the_board() {
    let entry = env!("CARGO_BIN_EXE_dilloydemma");
    let ring = board_file("seed-ring", "+ABCD GHIJE FKLMN QRSTO PUVWX");
    let seeded = run(entry, &[Path::new("--seed"), Path::new("7"), &ring]);
    assert_eq!(String::from_utf8(seeded.stdout).unwrap().trim_end(), "llllurrrrullllurrrrullll");
    assert_refused(&run(entry, &[Path::new("--seed"), &ring]), "--seed needs a whole number");
}

#[test]
fn white_space_in_a_board_file_does_not_matter() {
    for (name, entry, _) in STRATEGIES.into_iter().filter(|(_, _, work)| *work != Timed) {
        // Four moves before perfection, so that no search takes long.
        let plain = board_file(&format!("plain-{name}"), "ABCDEFGHIJKL+MNPQRSOUVWXT");
        let rows = board_file(&format!("rows-{name}"), "\n A B C D E\r\nFGHIJ\n\tKL+MN\nPQRSO\nUVWXT\n\n");
        let [plain, rows] = [plain, rows].map(|file| run(entry, &[&file]).stdout);
        assert!(!plain.is_empty() && plain == rows, "{name}");
    }
}

#[test]
fn unusable_arguments_are_refused() {
    for (name, entry, _) in STRATEGIES {
        let good = board_file(&format!("good-{name}"), PERFECTION);
        let only_argument = "give the path of a board file as the only argument";
        assert_refused(&run(entry, &[]), only_argument);
        assert_refused(&run(entry, &[&good, &good]), only_argument);
        let missing = good.with_file_name("no-such-board");
        assert_refused(&run(entry, &[&missing]), "cannot read");
    }
}

#[test]
fn invalid_boards_are_refused_with_the_error() {
    let cases = [
        ("", "only 0 of 25 symbols"),
        ("ABCDE FGHIJ KLMNO PQRST UVWX", "only 24 of 25 symbols; add +"),
        ("ABCDE FGHIJ KLMNO PQRST UVWX+ +", "after the last spot"),
        ("ABCDE FGHIJ KLAMN OPQRS TUVW+", "row 3, column 3: repeated 'A'"),
        ("ABCDE FGHIJ KLMNO PQRST UVWXY", "row 5, column 5: unexpected 'Y'"),
        ("aBCDE FGHIJ KLMNO PQRST UVWX+", "row 1, column 1: unexpected 'a'"),
    ];
    for (name, entry, _) in STRATEGIES {
        for (text, reason) in cases {
            let file = board_file(&format!("bad-{name}"), text);
            assert_refused(&run(entry, &[&file]), reason);
        }
    }
}
