//! Tests of the commands of a referee.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::figure::{Better, FigureName};

/// All commands of a text, or the first error. The end of the text is the end of the output.
fn read(text: &[u8], pieces: usize) -> Result<Vec<Command>, String> {
    read_with(text, pieces, &[])
}

fn read_with(text: &[u8], pieces: usize, figures: &[Figure]) -> Result<Vec<Command>, String> {
    let mut lines = RefereeLines::new(2, 1, figures);
    let mut commands = Vec::new();
    for piece in text.chunks(pieces) {
        lines.push(piece);
        while let Some(command) = lines.next_command().map_err(|Malformed(reason)| reason)? {
            commands.push(command);
        }
    }
    lines.finish().map_err(|Malformed(reason)| reason)?;
    Ok(commands)
}

fn ask(seat: usize, text: &str, wanted: usize) -> Command {
    Command::Ask(Ask { seat, text: text.into(), wanted })
}

#[test]
fn a_game_is_read_whatever_the_pieces() {
    let text =
        "ask 1 2\nhello\n\nask 2 1 3\r\n\u{ff}wait\nwait\nask 1 0\nwait \nout 2  cheats \u{1b}[1m here\nend 1 -0.5\n";
    let points = |text: &str| Points::parse(text, 1).unwrap();
    for pieces in 1..text.len() {
        let found = read(text.as_bytes(), pieces).unwrap();
        let expected = [
            ask(0, "hello\n\n", 1),
            ask(1, "\u{ff}wait\n", 3),
            Command::Wait,
            ask(0, "", 1),
            Command::Wait,
            Command::Out { seat: 1, reason: "cheats [1m here".into() },
            Command::End { points: vec![points("1"), points("-0.5")], figures: vec![Figures::default(); 2] },
        ];
        assert_eq!(found, expected, "pieces of {pieces}");
    }
}

#[test]
fn everything_else_is_a_fault_of_the_referee() {
    let long_name = format!("x{}\n", "y".repeat(100));
    for (text, expected) in [
        ("", "it ended without `end`"),
        ("wai", "its output ended within a line"),
        ("ask 1 2\na\n", "its output ended 1 lines before the end of an ask of seat 1"),
        ("\n", "unknown command ``: expected `ask`, `wait`, `out`, `figure` or `end`"),
        ("ASK 1 1\n", "unknown command `ASK 1 1`"),
        (" wait\n", "unknown command ` wait`"),
        ("wait now\n", "unknown command `wait now`"),
        ("end\u{1b}\n", "unknown command `end `"),
        (&long_name, "unknown command `xyyy"),
        ("ask\n", "`ask`: expected `ask SEAT LINES`"),
        ("ask 1 2 3 4\n", "`ask 1 2 3 4`: expected `ask SEAT LINES`"),
        ("ask 0 1\n", "seats are 1 to 2"),
        ("ask 3 1\n", "`ask 3 1`: seats are 1 to 2"),
        ("ask +1 1\n", "seats are 1 to 2"),
        ("ask 99999999999999999999999 1\n", "seats are 1 to 2"),
        ("ask 1 -1\n", "an ask has 0 to 16777216 lines"),
        ("ask 1 16777217\n", "an ask has 0 to 16777216 lines"),
        ("ask 1 1 0\n", "an answer has 1 to 4096 lines"),
        ("ask 1 1 4097\n", "an answer has 1 to 4096 lines"),
        ("ask 1 0\nask 1 0\n", "`ask 1 0`: seat 1 has an open ask"),
        ("wait\n", "`wait` without an open ask"),
        ("ask 1 0\nwait\nwait\n", "`wait` without an open ask"),
        ("out 1\n", "`out 1`: it needs a reason"),
        ("out 1  \u{7} \n", "it needs a reason"),
        ("out 4 late\n", "seats are 1 to 2"),
        ("ask 1 0\nout 1 now\n", "`out 1 now`: the seat has an open ask"),
        ("out 1 a\nask 1 0\n", "`ask 1 0`: seat 1 is out"),
        ("ask 1 0\nend 1 1\n", "`end 1 1`: an ask is open"),
        ("end 1\n", "`end 1`: it has 1 number for 2 seats"),
        ("end 1 2 3\n", "it has 3 numbers for 2 seats"),
        ("end 1 x\n", "`end 1 x`: "),
        ("end 1 nan\n", "`end 1 nan`: "),
        ("end 1 1\nend 1 1\n", "it wrote more after `end`"),
        ("end 1 1\n\n", "it wrote more after `end`"),
    ] {
        let found = read(text.as_bytes(), 5).unwrap_err();
        assert!(found.contains(expected), "{text:?}: {found}");
    }
    assert!(read(b"\xff\n", 9).unwrap_err().starts_with("unknown command `\u{fffd}`"));
}

#[test]
fn a_referee_gives_each_seat_a_value_of_each_declared_figure() {
    let figure = |name: &str, decimals| Figure::new(FigureName::parse(name).unwrap(), Better::More, decimals);
    let declared = [figure("captured", 0), figure("area", 1)];
    let read = |text: &str| read_with(text.as_bytes(), 3, &declared);
    let found = read("figure area 0.25 -1\nask 1 0\nfigure captured 3 4\nwait\nend 1 0\n").unwrap();
    let Some(Command::End { figures, .. }) = found.last() else { panic!("{found:?}") };
    let text = |figures: &Figures| figures.to_string();
    assert_eq!(figures.iter().map(text).collect::<Vec<_>>(), ["captured 3, area 0.3", "captured 4, area -1.0"]);
    for (text, expected) in [
        ("figure captured 1 2\nend 1 0\n", "`end 1 0`: no `figure area …` was before it"),
        ("figure captured 1\n", "`figure captured 1`: it has 1 number for 2 seats"),
        ("figure captured 1 x\n", "`figure captured 1 x`: "),
        ("figure moves 1 2\n", "the contest has no figure `moves`"),
        ("figure\n", "it has 0 numbers for 2 seats"),
        ("figure area 1 2\nfigure area 1 2\n", "it was given before"),
        ("figure area 1 2\n", "it ended without `end`"),
    ] {
        let found = read(text).unwrap_err();
        assert!(found.contains(expected), "{text:?}: {found}");
    }
}

#[test]
fn commands_and_asks_are_bounded() {
    let mut command = vec![b'x'; MAX_COMMAND_BYTES];
    assert!(read(&command, 65_536).unwrap_err().contains("within a line"));
    command.push(b'x');
    assert!(read(&command, 65_536).unwrap_err().contains("a command has more than 1048576 bytes"));
    let of = |bytes: usize| [b"ask 2 2\n", &vec![b'x'; bytes - 2][..], b"\n\nwait\nend 0 0\n"].concat();
    assert_eq!(read(&of(MAX_ASK_BYTES), 65_536).unwrap().len(), 3);
    let refused = read(&of(MAX_ASK_BYTES + 1), 65_536).map(|commands| commands.len()).unwrap_err();
    assert!(refused.contains("an ask of seat 2 has more than 16777216 bytes"), "{refused}");
}

#[test]
fn a_reason_may_quote_the_beginning_of_an_answer_up_to_half_a_letter() {
    let commands = read(b"out 1 no move: caf\xc3\nend 0 0\n", 100).unwrap();
    assert_eq!(commands[0], Command::Out { seat: 0, reason: "no move: caf\u{fffd}".into() });
}

#[test]
fn a_seat_that_is_out_can_be_put_out_again() {
    assert_eq!(read(b"out 1 a\nout 1 b\nend 0 0\n", 100).unwrap().len(), 3);
}

#[test]
fn replies_have_the_seat_from_1_and_tame_lines() {
    let reply = |seat, reply: &Reply| String::from_utf8(reply_lines(seat, reply)).unwrap();
    assert_eq!(reply(0, &Reply::Answer(b"3 4\r\n".to_vec())), "1 ok 1\n3 4\n");
    assert_eq!(reply(1, &Reply::Answer(Vec::new())), "2 ok 0\n");
    assert_eq!(reply(1, &Reply::Answer(b"a\rend 1 0\n\nb".to_vec())), "2 ok 3\na\u{fffd}end 1 0\n\nb\n");
    for (silence, word) in [
        (NoAnswer::Late, "late"),
        (NoAnswer::Crash, "crash"),
        (NoAnswer::Output, "output"),
        (NoAnswer::Memory, "memory"),
    ] {
        assert_eq!(reply(9, &Reply::Silent(silence)), format!("10 {word}\n"));
    }
}
