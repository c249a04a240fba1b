//! What a referee of a game with seats writes, and what seats say.
//!
//! What must hold: pieces do not matter; an answer has the lines that the judge counted, for every reader.

use judge_core::external::Malformed;
use judge_core::external::seats::{
    Command, MAX_ANSWER_BYTES, MAX_WANTED_LINES, RefereeLines, Reply, SeatLines, normalize_answer, reply_lines,
};
use judge_core::figure::{Better, Figure, FigureName};

/// Reads the bytes as commands of a referee and as output of a seat, in pieces of several sizes. The first byte chooses the
/// number of seats and the decimals of points.
pub fn check(bytes: &[u8]) {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let (seats, decimals) = (usize::from(first % 4) + 1, first / 4 % 4);
    let whole = commands(rest, seats, decimals, rest.len().max(1));
    for size in [1, 7, 64] {
        assert_eq!(commands(rest, seats, decimals, size), whole, "pieces of {size}");
        assert_eq!(answers(rest, size), answers(rest, rest.len().max(1)), "pieces of {size}");
    }
    check_tame(rest);
    for answer in answers(rest, 64) {
        check_tame(&answer);
    }
}

/// All commands, and the reason why there are no more.
fn commands(bytes: &[u8], seats: usize, decimals: u8, size: usize) -> (Vec<Command>, Result<(), Malformed>) {
    // With three seats, the contest has a figure.
    let figure = FigureName::parse("f").map(|name| Figure::new(name, Better::More, decimals));
    let figures: Vec<Figure> = figure.into_iter().filter(|_| seats == 3).collect();
    let mut lines = RefereeLines::new(seats, decimals, &figures);
    let mut found = Vec::new();
    for piece in bytes.chunks(size) {
        lines.push(piece);
        loop {
            match lines.next_command() {
                Ok(Some(command)) => found.push(command),
                Ok(None) => break,
                Err(error) => {
                    assert!(is_line(&error.0), "{error}");
                    return (found, Err(error));
                }
            }
        }
    }
    found.iter().for_each(|command| check_command(command, seats));
    let whole = lines.finish();
    let over = found.iter().any(|command| matches!(command, Command::End { .. }));
    assert!(whole.is_err() || over, "a game that is over has an end");
    (found, whole)
}

fn check_command(command: &Command, seats: usize) {
    match command {
        Command::Ask(ask) => {
            assert!(ask.seat < seats && (1..=MAX_WANTED_LINES).contains(&ask.wanted));
            assert!(ask.text.is_empty() || ask.text.ends_with(b"\n"));
        }
        Command::Wait => {}
        Command::Out { seat, reason } => assert!(*seat < seats && !reason.is_empty() && is_line(reason)),
        Command::End { points, figures } => assert_eq!((points.len(), figures.len()), (seats, seats)),
    }
}

/// The answers of a seat that is asked for one line and for two in turn.
fn answers(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
    let (mut lines, mut found, mut wanted) = (SeatLines::default(), Vec::new(), 1);
    for piece in bytes.chunks(size) {
        lines.push(piece);
        while let Some(answer) = lines.answer(wanted) {
            assert_eq!(answer.iter().filter(|&&byte| byte == b'\n').count(), wanted);
            found.push(answer);
            wanted = 3 - wanted;
        }
        assert!(!lines.is_too_long() || bytes.len() > MAX_ANSWER_BYTES);
    }
    found
}

/// No answer has a line that the judge did not count, for readers that know other ends of lines, too.
fn check_tame(answer: &[u8]) {
    let (count, text) = normalize_answer(answer);
    assert_eq!(text.split_terminator('\n').count(), count);
    assert_eq!(text.lines().count(), count);
    assert!(text.split('\n').all(is_line));
    let reply = reply_lines(1, &Reply::Answer(answer.to_vec()));
    let reply = String::from_utf8(reply).expect("text");
    assert_eq!(reply, format!("2 ok {count}\n{text}"));
}

fn is_line(text: &str) -> bool {
    !text.chars().any(|letter| letter.is_control() && letter != '\t' || matches!(letter, '\u{2028}' | '\u{2029}'))
}
