//! The lines between a referee and the judge in a game with several seats.
//!
//! The referee writes commands, and the judge replies to its asks. Both directions are lines, and everything is bounded, see
//! `docs/matches.md`. A seat never writes to the referee directly. Its output reaches the referee as lines, see
//! [`normalize_answer`], under a head that only the judge writes.

mod answers;
mod blame;

pub use answers::{MAX_ANSWER_BYTES, SeatLines, normalize_answer};
pub use blame::{AskOutcome, NoAnswer, fault_of};

use super::Malformed;
use super::lines::one_line;
use crate::figure::{Figure, Figures};
use crate::points::Points;

/// The most bytes of a command, without its line feed. A referee can quote a whole answer as its reason.
pub const MAX_COMMAND_BYTES: usize = 1 << 20;
/// The most bytes of one ask, with line feeds. It can contain many answers.
pub const MAX_ASK_BYTES: usize = 16 << 20;
/// The most lines of one answer that an ask can want.
pub const MAX_WANTED_LINES: usize = 4096;

/// A command of a referee. Seats are indices, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ask S N` or `ask S N M` and N lines: a question to a seat, for the next wait.
    Ask(Ask),
    /// `wait`: reply to the open asks.
    Wait,
    /// `out S REASON`: the seat broke the rules of the game.
    Out {
        /// The seat.
        seat: usize,
        /// The reason for people, shortened.
        reason: String,
    },
    /// `end P1 … PN`: the game is over.
    End {
        /// The points of each seat.
        points: Vec<Points>,
        /// The declared figures of each seat, from the referee's `figure NAME V1 … VN`.
        figures: Vec<Figures>,
    },
}

/// A question to a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The seat.
    pub seat: usize,
    /// The input of the seat: lines with their line feeds.
    pub text: Vec<u8>,
    /// The number of lines of its answer if its program lives as long as the game; at least 1.
    pub wanted: usize,
}

/// The reply to an ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The seat's answer, unchanged.
    Answer(Vec<u8>),
    /// The seat gave no answer, now or earlier.
    Silent(NoAnswer),
}

/// The lines of a reply.
pub fn reply_lines(seat: usize, reply: &Reply) -> Vec<u8> {
    let seat = seat + 1;
    match reply {
        Reply::Silent(silence) => format!("{seat} {}\n", silence.word()).into_bytes(),
        Reply::Answer(answer) => {
            let (count, lines) = normalize_answer(answer);
            let mut reply = format!("{seat} ok {count}\n").into_bytes();
            reply.extend(lines.into_bytes());
            reply
        }
    }
}

/// Reads the output of a referee, piece by piece, and checks it against the state of the game. The first error is final.
#[derive(Debug)]
pub struct RefereeLines {
    decimals: u8,
    /// The figures that the contest declares, each with the values of the seats once the referee gave them.
    figures: Vec<(Figure, Option<Vec<Points>>)>,
    bytes: Vec<u8>,
    /// The length of the part of `bytes` that was read.
    read: usize,
    /// The length of the part after it that has no line feed.
    scanned: usize,
    /// The ask whose lines are being read, and the number of its remaining lines.
    asking: Option<(Ask, usize)>,
    /// The state of each seat.
    seats: Vec<SeatState>,
    over: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct SeatState {
    /// True if the seat has an ask without a reply.
    open: bool,
    /// True if the referee has put the seat out of the game.
    out: bool,
}

impl RefereeLines {
    /// The lines of a game with this number of seats and these decimals of points. The referee gives each seat a value of each of
    /// these figures.
    pub fn new(seats: usize, decimals: u8, figures: &[Figure]) -> Self {
        let (seats, figures) =
            (vec![SeatState::default(); seats], figures.iter().cloned().map(|figure| (figure, None)));
        let figures = figures.collect();
        Self { decimals, figures, bytes: Vec::new(), read: 0, scanned: 0, asking: None, seats, over: false }
    }

    /// Adds a piece of output.
    pub fn push(&mut self, piece: &[u8]) {
        if self.read == self.bytes.len() {
            self.bytes.clear();
            self.read = 0;
        } else if self.read > MAX_ASK_BYTES {
            self.bytes.drain(..std::mem::take(&mut self.read));
        }
        self.bytes.extend_from_slice(piece);
    }

    /// The next command; `None` if it is not complete yet.
    ///
    /// # Errors
    /// [`Malformed`] if it is not a command, or the state of the game does not allow it.
    pub fn next_command(&mut self) -> Result<Option<Command>, Malformed> {
        loop {
            if let Some((mut ask, left)) = self.asking.take() {
                if left == 0 {
                    return Ok(Some(Command::Ask(ask)));
                }
                let refused = || too_long(&format!("an ask of seat {}", ask.seat + 1), MAX_ASK_BYTES);
                let most = MAX_ASK_BYTES.checked_sub(ask.text.len() + 1).ok_or_else(refused)?;
                let Some(line) = self.line(most).ok_or_else(refused)? else {
                    self.asking = Some((ask, left));
                    return Ok(None);
                };
                ask.text.extend_from_slice(&line);
                ask.text.push(b'\n');
                self.asking = Some((ask, left - 1));
                continue;
            }
            if self.over && self.read < self.bytes.len() {
                return Err(Malformed("it wrote more after `end`".into()));
            }
            let Some(line) = self.line(MAX_COMMAND_BYTES).ok_or_else(|| too_long("a command", MAX_COMMAND_BYTES))?
            else {
                return Ok(None);
            };
            if let Some(command) = self.command(&line)? {
                return Ok(Some(command));
            }
        }
    }

    /// Checks that the output is complete at its end.
    ///
    /// # Errors
    /// [`Malformed`] if the output ended within a line, or without `end`.
    pub fn finish(&self) -> Result<(), Malformed> {
        match self {
            Self { over: true, .. } => Ok(()),
            Self { asking: Some((ask, left)), .. } => {
                let seat = ask.seat + 1;
                Err(Malformed(format!("its output ended {left} lines before the end of an ask of seat {seat}")))
            }
            _ if self.read < self.bytes.len() => Err(Malformed("its output ended within a line".into())),
            _ => Err(Malformed("it ended without `end`".into())),
        }
    }

    /// The next line without its end. `Some(None)` if it is not complete, and `None` if it has more than `most` bytes.
    #[allow(clippy::option_option, reason = "both are used at once")]
    fn line(&mut self, most: usize) -> Option<Option<Vec<u8>>> {
        let rest = &self.bytes[self.read..];
        let end = rest.iter().skip(self.scanned).position(|&byte| byte == b'\n').map(|at| self.scanned + at);
        if end.unwrap_or(rest.len()) > most {
            return None;
        }
        let Some(end) = end else {
            self.scanned = rest.len();
            return Some(None);
        };
        let line = rest[..end].to_vec();
        (self.read, self.scanned) = (self.read + end + 1, 0);
        Some(Some(line))
    }

    /// Reads a command; `None` if lines of an ask follow, or the command sets a figure.
    fn command(&mut self, line: &[u8]) -> Result<Option<Command>, Malformed> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // A reason that quotes the beginning of an answer may end within a character.
        let text = &*String::from_utf8_lossy(line);
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        match name {
            "ask" => {
                self.asking = Some(self.ask(rest).map_err(|reason| refused(&reason, text))?);
                Ok(None)
            }
            "wait" if rest.trim().is_empty() => {
                if !self.seats.iter().any(|seat| seat.open) {
                    return Err(Malformed("`wait` without an open ask".into()));
                }
                self.seats.iter_mut().for_each(|seat| seat.open = false);
                Ok(Some(Command::Wait))
            }
            "out" => {
                let (number, reason) = rest.split_once(' ').unwrap_or((rest, ""));
                let seat = self.seat(number).map_err(|reason| refused(&reason, text))?;
                let reason = Some(one_line(&printable(reason))).filter(|reason| !reason.is_empty());
                let reason = reason.ok_or_else(|| refused("it needs a reason", text))?;
                if self.seats[seat].open {
                    return Err(refused("the seat has an open ask", text));
                }
                self.seats[seat].out = true;
                Ok(Some(Command::Out { seat, reason }))
            }
            "figure" => {
                let (name, values) = rest.split_once(' ').unwrap_or((rest, ""));
                let values = self.values(values, |figures, word| {
                    let figure = figures.iter().find(|(figure, _)| *figure.name == *name);
                    let (figure, _) =
                        figure.ok_or_else(|| format!("the contest has no figure `{}`", printable(name)))?;
                    figure.parse(word).map_err(|error| error.to_string())
                });
                let values = values.map_err(|reason| refused(&reason, text))?;
                let known = self.figures.iter_mut().find(|(figure, _)| *figure.name == *name);
                match known.map(|(_, known)| known.replace(values)) {
                    Some(None) => Ok(None),
                    _ => Err(refused("it was given before", text)),
                }
            }
            "end" => {
                if self.seats.iter().any(|seat| seat.open) {
                    return Err(refused("an ask is open", text));
                }
                let decimals = self.decimals;
                let points =
                    self.values(rest, |_, word| Points::parse(word, decimals).map_err(|error| error.to_string()));
                let points = points.map_err(|reason| refused(&reason, text))?;
                if let Some((figure, _)) = self.figures.iter().find(|(_, values)| values.is_none()) {
                    let reason = format!("no `figure {} …` was before it, with a number per seat", figure.name);
                    return Err(refused(&reason, text));
                }
                let of_seat = |seat: usize| {
                    let value = |(figure, values): &(Figure, Option<Vec<Points>>)| {
                        Some((figure.name, *values.as_ref()?.get(seat)?))
                    };
                    self.figures.iter().filter_map(value).collect()
                };
                let figures = (0..self.seats.len()).map(of_seat).collect();
                self.over = true;
                Ok(Some(Command::End { points, figures }))
            }
            _ => Err(unknown(text)),
        }
    }

    /// A number per seat.
    fn values(
        &self,
        rest: &str,
        read: impl Fn(&[(Figure, Option<Vec<Points>>)], &str) -> Result<Points, String>,
    ) -> Result<Vec<Points>, String> {
        let (words, count): (Vec<&str>, _) = (rest.split_ascii_whitespace().collect(), self.seats.len());
        if words.len() != count {
            let numbers = judge_job::count_text(words.len() as u64, "number", "numbers");
            return Err(format!("it has {numbers} for {count} seats"));
        }
        words.into_iter().map(|word| read(&self.figures, word)).collect()
    }

    /// The head of an ask, and its number of lines.
    fn ask(&mut self, rest: &str) -> Result<(Ask, usize), String> {
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let (seat, lines, wanted) = match words[..] {
            [seat, lines] => (seat, lines, "1"),
            [seat, lines, wanted] => (seat, lines, wanted),
            _ => return Err("expected `ask SEAT LINES` or `ask SEAT LINES WANTED`".into()),
        };
        let seat = self.seat(seat)?;
        let lines = number(lines).filter(|lines| *lines <= MAX_ASK_BYTES);
        let lines = lines.ok_or_else(|| format!("an ask has 0 to {MAX_ASK_BYTES} lines"))?;
        let wanted = number(wanted).filter(|wanted| (1..=MAX_WANTED_LINES).contains(wanted));
        let wanted = wanted.ok_or_else(|| format!("an answer has 1 to {MAX_WANTED_LINES} lines"))?;
        let state = &mut self.seats[seat];
        if state.out {
            return Err(format!("seat {} is out", seat + 1));
        }
        if std::mem::replace(&mut state.open, true) {
            return Err(format!("seat {} has an open ask", seat + 1));
        }
        Ok((Ask { seat, text: Vec::new(), wanted }, lines))
    }

    /// The index of a seat.
    fn seat(&self, word: &str) -> Result<usize, String> {
        let count = self.seats.len();
        let seat = number(word).filter(|seat| (1..=count).contains(seat));
        seat.map(|seat| seat - 1).ok_or_else(|| format!("seats are 1 to {count}"))
    }
}

/// A number that consists only of decimal digits.
fn number(word: &str) -> Option<usize> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// A text without control characters.
fn printable(text: &str) -> String {
    let ends = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.chars().map(|letter| if ends(letter) { ' ' } else { letter }).collect()
}

/// The beginning of a line, for a quotation.
fn quoted(line: &str) -> String {
    const MAX_QUOTED: usize = 60;
    let line = printable(line);
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

fn refused(reason: &str, line: &str) -> Malformed {
    Malformed(format!("{}: {reason}", quoted(line)))
}

fn unknown(line: &str) -> Malformed {
    Malformed(format!("unknown command {}: expected `ask`, `wait`, `out`, `figure` or `end`", quoted(line)))
}

fn too_long(what: &str, most: usize) -> Malformed {
    Malformed(format!("{what} has more than {most} bytes"))
}

#[cfg(test)]
mod tests;
