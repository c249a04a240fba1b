//! The exchange of a run with its referee, or of the seats of a game, in the form embedded in the page.

use serde::Serialize;

use judge_core::matches::{GameEvent, GameEventKind, GameLine, MoveTime, TruncatedText};
use judge_core::text::printable_lines;
use judge_job::{Gap, MAX_EXACT, Message, PassStart, TranscriptLine};

/// Approximate number of bytes of a message besides its text.
const OVERHEAD: usize = 24;

/// A talk: its messages in order.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Dialogue {
    lines: Vec<Line>,
    /// The numbers of messages of the referee and of the entry, without messages that are left out.
    messages: [u64; 2],
    /// The total time from the previous message to each of these, in microseconds.
    took_us: [u64; 2],
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Line {
    /// Microseconds since the start, 0 for the referee and 1 for the entry, and the text.
    Message(u64, usize, String),
    /// A message whose text is cut off: its fields, and the number of bytes that are left out at the end of the text.
    Long(u64, usize, String, u64),
    /// Messages that are left out here.
    Gap(Gap),
    /// The point where the messages of a pass begin; their times count from there.
    Pass(PassStart),
    /// An event of a game.
    Game(Moment),
}

/// An event of a game.
#[derive(Debug, PartialEq, Serialize)]
struct Moment {
    /// Microseconds since the start.
    at: u64,
    /// The seat, from 0; `None` if the event concerns all.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u64>,
    /// `ask`, `answer`, `fault`, `out` or `end`.
    kind: &'static str,
    text: String,
    /// Bytes that are left out at the end of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<u64>,
    /// The number of the answer among those of all seats, from 1, unless earlier ones are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<u64>,
    /// The time of the answer, and the time that the seat has left, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u64>,
}

/// The events of a game.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct GameDialogue {
    lines: Vec<Line>,
}

impl Line {
    fn bytes(&self) -> usize {
        match self {
            Self::Message(_, _, text) | Self::Long(_, _, text, _) => text.len() + OVERHEAD,
            Self::Game(moment) => moment.text.len() + OVERHEAD,
            Self::Gap(_) | Self::Pass(_) => OVERHEAD,
        }
    }

    /// The gap that results if it is left out.
    fn gap(&self) -> Gap {
        match self {
            Self::Message(_, _, text) => Gap { left_out: 1, bytes: text.len() as u64 },
            Self::Long(_, _, text, more) => Gap { left_out: 1, bytes: more.saturating_add(text.len() as u64) },
            Self::Game(moment) => {
                let bytes = moment.more.unwrap_or_default().saturating_add(moment.text.len() as u64);
                Gap { left_out: 1, bytes }
            }
            Self::Gap(gap) => *gap,
            Self::Pass(_) => Gap { left_out: 0, bytes: 0 },
        }
    }
}

impl Dialogue {
    /// Reads a transcript. If it takes more than `most` bytes, about three quarters of them are from its beginning and one
    /// quarter from its end. `None` for a text that is not a transcript, or has no message.
    pub(super) fn read(transcript: &str, most: usize) -> Option<Self> {
        let mut lines = Vec::new();
        let (mut messages, mut took_us, mut before) = ([0; 2], [0_u64; 2], None);
        for line in transcript.lines() {
            match serde_json::from_str(line).ok()? {
                TranscriptLine::Gap(gap) => {
                    before = None;
                    lines.push(Line::Gap(gap));
                }
                TranscriptLine::Pass(pass) => {
                    before = None;
                    lines.push(Line::Pass(pass));
                }
                TranscriptLine::Message(Message { at_us, from, text, more_bytes }) => {
                    // The page draws two sides.
                    let from = from.min(1);
                    messages[from] += 1;
                    // The file may be forged: times may decrease, and their sum may overflow.
                    let took = before.map_or(0, |before| at_us.saturating_sub(before));
                    took_us[from] = MAX_EXACT.min(took_us[from].saturating_add(took));
                    before = Some(at_us);
                    let text = printable_lines(&text).into_owned();
                    lines.push(match cut_off(&text, more_bytes, most) {
                        (text, 0) => Line::Message(at_us, from, text),
                        (text, more) => Line::Long(at_us, from, text, more),
                    });
                }
            }
        }
        (messages != [0; 2]).then(|| Self { lines: shortened(lines, most), messages, took_us })
    }
}

/// The beginning of a text, as a single message may be longer than all that is shown, and the number of bytes that are left out.
fn cut_off(text: &str, more_bytes: u64, most: usize) -> (String, u64) {
    let cut = (0..=text.len().min(most)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    (text[..cut].to_owned(), more_bytes.saturating_add((text.len() - cut) as u64))
}

impl GameDialogue {
    /// Reads the transcript of a game, within as many bytes as [`Dialogue::read`]. `None` for a text that is not a
    /// transcript, or has no event.
    pub(super) fn read(transcript: &str, most: usize) -> Option<Self> {
        let (mut lines, mut answers) = (Vec::new(), Some(0));
        for line in transcript.lines() {
            lines.push(match serde_json::from_str(line).ok()? {
                GameLine::Gap(gap) => {
                    answers = None;
                    Line::Gap(gap)
                }
                GameLine::Event(GameEvent { at_us, what }) => {
                    let is_answer = matches!(what, GameEventKind::Answer { .. });
                    answers = answers.map(|before: u64| before + u64::from(is_answer));
                    Line::Game(Moment::new(at_us, what, answers.filter(|_| is_answer), most))
                }
            });
        }
        lines.iter().any(|line| matches!(line, Line::Game(_))).then(|| Self { lines: shortened(lines, most) })
    }
}

impl Moment {
    fn new(at: u64, what: GameEventKind, answer: Option<u64>, most: usize) -> Self {
        let seat = what.seat().map(|seat| seat.saturating_sub(1));
        let (kind, said, time) = match what {
            GameEventKind::Ask { said, .. } => ("ask", said, None),
            GameEventKind::Answer { said, time, .. } => ("answer", said, Some(time)),
            GameEventKind::Fault { word, reason, time, .. } => {
                ("fault", TruncatedText { text: format!("{word}: {reason}"), more_bytes: 0 }, Some(time))
            }
            GameEventKind::Out { reason, .. } => ("out", TruncatedText { text: reason, more_bytes: 0 }, None),
            GameEventKind::End { points } => {
                let points: Vec<String> = points.iter().map(ToString::to_string).collect();
                ("end", TruncatedText { text: points.join(" - "), more_bytes: 0 }, None)
            }
        };
        let (text, more) = cut_off(&printable_lines(&said.text), said.more_bytes, most);
        Self {
            at,
            seat,
            kind,
            text,
            more: Some(more).filter(|more| *more > 0),
            answer,
            took: time.map(|MoveTime { took_us, .. }| took_us),
            left: time.and_then(|time| time.left_us),
        }
    }
}

/// Leaves out lines in the middle, so that the others take at most `most` bytes. The lines at the end keep the number of
/// their pass.
fn shortened(lines: Vec<Line>, most: usize) -> Vec<Line> {
    if lines.iter().map(Line::bytes).sum::<usize>() <= most {
        return lines;
    }
    let fitting = |lines: &mut dyn Iterator<Item = &Line>, most: usize| {
        let mut left = most;
        lines.take_while(|line| left.checked_sub(line.bytes()).map(|rest| left = rest).is_some()).count()
    };
    // Room for the number of the pass that the end belongs to.
    let heading = if lines.iter().any(|line| matches!(line, Line::Pass(_))) { OVERHEAD } else { 0 };
    let head = fitting(&mut lines.iter(), most - most / 4);
    let tail = fitting(&mut lines[head..].iter().rev(), (most / 4).saturating_sub(heading));
    let end = lines.len() - tail;
    let begun = match &lines[end..] {
        [] | [Line::Pass(_), ..] => None,
        _ => lines[head..end].iter().rev().find_map(|line| match line {
            Line::Pass(pass) => Some(*pass),
            _ => None,
        }),
    };
    let gaps = lines[head..end].iter().map(Line::gap);
    let gap = gaps.reduce(|one, other| Gap {
        left_out: MAX_EXACT.min(one.left_out.saturating_add(other.left_out)),
        bytes: MAX_EXACT.min(one.bytes.saturating_add(other.bytes)),
    });
    let mut kept: Vec<Line> = Vec::new();
    for (index, line) in lines.into_iter().enumerate() {
        if index == head {
            kept.extend(gap.map(Line::Gap));
            kept.extend(begun.map(Line::Pass));
        }
        if index < head || index >= end {
            kept.push(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn transcript(messages: &[(u64, usize, &str)]) -> String {
        let line =
            |&(at, from, text): &(u64, usize, &str)| serde_json::json!({"at_us": at, "from": from, "text": text});
        messages.iter().map(|message| line(message).to_string() + "\n").collect()
    }

    #[test]
    fn messages_are_in_order_with_the_time_of_each_side() {
        let text = transcript(&[(10, 0, "go\n"), (250, 1, "? \u{1b}[1m\u{202e}\n"), (300, 0, "no\n")]);
        let talk = Dialogue::read(&text, 1000).unwrap();
        assert_eq!((talk.messages, talk.took_us), ([2, 1], [50, 240]));
        let json = serde_json::to_value(&talk.lines).unwrap();
        assert_eq!(json, serde_json::json!([[10, 0, "go\n"], [250, 1, "? \u{fffd}[1m\u{fffd}\n"], [300, 0, "no\n"]]));
        // The times of the next pass count from its start.
        let two = text + "{\"pass\":2}\n" + &transcript(&[(20, 0, "again\n"), (45, 1, "! 3\n")]);
        let talk = Dialogue::read(&two, 1000).unwrap();
        assert_eq!((talk.messages, talk.took_us), ([3, 2], [50, 265]));
        assert_eq!(serde_json::to_value(&talk.lines[3]).unwrap(), serde_json::json!({"pass": 2}));
        assert_eq!(Dialogue::read("{}\n", 1000), None);
        assert_eq!(Dialogue::read("", 1000), None);
    }

    #[test]
    fn a_long_talk_keeps_its_ends_within_its_bytes() {
        let messages: Vec<(u64, usize, &str)> =
            (0..1000).map(|at| (at, usize::from(at % 2 == 1), "0123456789\n")).collect();
        for most in [0, 30, 500, 4096] {
            let talk = Dialogue::read(&transcript(&messages), most).unwrap();
            let bytes: usize = talk.lines.iter().filter(|line| !matches!(line, Line::Gap(_))).map(Line::bytes).sum();
            assert!(bytes <= most, "{bytes} of {most}");
            let left_out: u64 =
                talk.lines.iter().filter(|line| matches!(line, Line::Gap(_))).map(|line| line.gap().left_out).sum();
            let shown = talk.lines.iter().filter(|line| !matches!(line, Line::Gap(_))).count() as u64;
            assert_eq!(left_out + shown, 1000, "{most}");
            assert_eq!(talk.messages, [500, 500]);
        }
        // The last pass keeps its number, even if all its messages except the last are left out.
        let of_pass = |pass: u32| format!("{{\"pass\":{pass}}}\n") + &transcript(&messages[..50]);
        let passes: String = (1..=9).map(of_pass).collect();
        for most in [200, 500, 4096, 8000] {
            let talk = Dialogue::read(&passes, most).unwrap();
            let bytes: usize = talk.lines.iter().filter(|line| !matches!(line, Line::Gap(_))).map(Line::bytes).sum();
            assert!(bytes <= most, "{bytes} of {most}");
            let gap = talk.lines.iter().position(|line| matches!(line, Line::Gap(_))).unwrap();
            let behind = &talk.lines[gap + 1..];
            let is_pass = |line: &&Line| matches!(line, Line::Pass(_));
            assert_eq!(behind.first().filter(is_pass).is_some(), !behind.is_empty(), "{most}: {behind:?}");
            let last = behind.iter().rfind(is_pass);
            assert!(last.is_none_or(|last| *last == Line::Pass(PassStart { pass: 9 })), "{most}: {behind:?}");
            assert!(most < 500 || behind.len() > 1, "{most}: {behind:?}");
        }
        // One message that is longer than all.
        let long = "x".repeat(10_000);
        let talk = Dialogue::read(&transcript(&[(1, 1, &long)]), 100).unwrap();
        assert_eq!(talk.lines, [Line::Gap(Gap { left_out: 1, bytes: 10_000 })]);
        let talk = Dialogue::read(&transcript(&[(1, 1, &long)]), 20_000).unwrap();
        assert_eq!(talk.lines, [Line::Message(1, 1, long)]);
    }

    #[test]
    fn a_game_has_its_answers_numbered_and_the_clocks_of_both_seats() {
        let ask = |seat: u64| format!("{{\"at_us\":7,\"event\":\"ask\",\"seat\":{seat},\"text\":\"go\\n\"}}\n");
        let answer = |seat: u64, took: u64| {
            format!(
                "{{\"at_us\":9,\"event\":\"answer\",\"seat\":{seat},\"text\":\"\\u001b[1m\\n\",\"took_us\":{took},\
                 \"left_us\":{}}}\n",
                100 - took
            )
        };
        let text = ask(1)
            + &answer(1, 3)
            + &ask(2)
            + &answer(2, 4)
            + "{\"at_us\":20,\"event\":\"fault\",\"seat\":1,\"word\":\"late\",\"reason\":\"too slow\",\"took_us\":97}\n\
               {\"at_us\":21,\"event\":\"end\",\"points\":[\"0\",\"1.5\"]}\n";
        let game = GameDialogue::read(&text, 1000).unwrap();
        let json = serde_json::to_value(&game.lines).unwrap();
        assert_eq!(
            json[3],
            serde_json::json!({"at": 9, "seat": 1, "kind": "answer", "text": "\u{fffd}[1m\n", "answer": 2, "took": 4, "left": 96})
        );
        assert_eq!(
            json[4],
            serde_json::json!({"at": 20, "seat": 0, "kind": "fault", "text": "late: too slow", "took": 97})
        );
        assert_eq!(json[5], serde_json::json!({"at": 21, "kind": "end", "text": "0 - 1.5"}));
        // After a gap, the number of answers is unknown.
        let after = GameDialogue::read(&("{\"left_out\":2,\"bytes\":9}\n".to_owned() + &answer(1, 3)), 1000).unwrap();
        assert_eq!(serde_json::to_value(&after.lines[1]).unwrap().get("answer"), None);
        // A long game keeps its ends.
        let long = GameDialogue::read(&(answer(1, 3).repeat(500) + &answer(2, 4)), 600).unwrap();
        let bytes: usize = long.lines.iter().filter(|line| !matches!(line, Line::Gap(_))).map(Line::bytes).sum();
        assert!(bytes <= 600 && long.lines.len() > 4, "{bytes}");
        assert!(matches!(long.lines.last(), Some(Line::Game(Moment { answer: Some(501), .. }))));
        for other in ["", "{}\n", &transcript(&[(1, 0, "a talk\n")])] {
            assert_eq!(GameDialogue::read(other, 1000), None);
        }
        assert_eq!(Dialogue::read(&text, 1000), None, "a game is no talk");
    }

    #[test]
    fn figures_of_a_forged_transcript_stay_in_their_range() {
        let most = MAX_EXACT;
        let pair = format!(
            "{{\"left_out\":{most},\"bytes\":{most}}}\n{{\"at_us\":0,\"from\":0,\"text\":\"\"}}\n\
             {{\"at_us\":{most},\"from\":1,\"text\":\"{}\",\"more_bytes\":{most}}}\n",
            "x".repeat(200)
        );
        let talk = Dialogue::read(&pair.repeat(5000), 1000).unwrap();
        assert_eq!(talk.took_us, [0, most]);
        assert!(talk.lines.contains(&Line::Gap(Gap { left_out: most, bytes: most })));
        let beyond = u64::MAX;
        for field in ["left_out", "bytes", "more_bytes"] {
            let line = pair.replacen(&format!("\"{field}\":{most}"), &format!("\"{field}\":{beyond}"), 1);
            assert_ne!(line, pair, "{field}");
            assert_eq!(Dialogue::read(&line, 1000), None, "{field}");
        }
    }
}
