//! The transcript of a game as a dialogue for people.

use std::fmt::Write as _;

use super::{GameEvent, GameEventKind, GameLine, MoveTime, TruncatedText};
use crate::text::printable_lines;
use judge_job::Gap;

/// Renders a transcript. Each event has the time since the start, the seat, the ask or answer, its duration, and the time left on
/// the clock. `None` if the text is not a transcript.
///
/// ```
/// use judge_core::matches::game_dialogue;
///
/// let transcript = r#"{"at_us":1200,"event":"ask","seat":1,"text":"10\n"}
/// {"at_us":2700,"event":"answer","seat":1,"text":"2\n","took_us":1400,"left_us":9998600}
/// {"at_us":2800,"event":"end","points":["1","0"]}
/// "#;
/// let text = "    1.2 ms  1 <                          10
///     2.7 ms  1 >    +1.4 ms       9.99 s  2
///     2.8 ms  end                          1 - 0
/// ";
/// assert_eq!(game_dialogue(transcript).as_deref(), Some(text));
/// ```
pub fn game_dialogue(transcript: &str) -> Option<String> {
    dialogue(transcript, None)
}

/// Renders the part of a transcript with the asks and events of one seat, and the end. Otherwise as [`game_dialogue`].
///
/// ```
/// use judge_core::matches::seat_dialogue;
///
/// let transcript = r#"{"at_us":1200,"event":"ask","seat":1,"text":"10\n"}
/// {"at_us":2700,"event":"ask","seat":2,"text":"8\n"}
/// {"at_us":2800,"event":"out","seat":1,"reason":"no such move"}
/// "#;
/// let text = "    2.7 ms  2 <                          8\n";
/// assert_eq!(seat_dialogue(transcript, 2).as_deref(), Some(text));
/// ```
pub fn seat_dialogue(transcript: &str, seat: u64) -> Option<String> {
    dialogue(transcript, Some(seat))
}

fn dialogue(transcript: &str, only: Option<u64>) -> Option<String> {
    let mut text = String::new();
    for line in transcript.lines() {
        let GameEvent { at_us, what } = match serde_json::from_str(line).ok()? {
            GameLine::Event(event) => event,
            GameLine::Gap(Gap { left_out, bytes }) => {
                writeln!(text, "… {left_out} events of {bytes} bytes are left out …").ok()?;
                continue;
            }
        };
        if only.is_some_and(|only| what.seat().is_some_and(|seat| seat != only)) {
            continue;
        }
        let (who, time, said) = match what {
            GameEventKind::Ask { seat, said } => (format!("{seat} <"), None, shown(&said)),
            GameEventKind::Answer { seat, said, time } => (format!("{seat} >"), Some(time), shown(&said)),
            GameEventKind::Fault { seat, word, reason, time } => {
                (format!("{seat} >"), Some(time), format!("{word}: {reason}"))
            }
            GameEventKind::Out { seat, reason } => (format!("{seat} out"), None, reason),
            GameEventKind::End { points } => {
                let points: Vec<String> = points.iter().map(ToString::to_string).collect();
                ("end".to_owned(), None, points.join(" - "))
            }
        };
        let took = time.map_or(String::new(), |time| format!("+{}", duration(time.took_us)));
        let left = time.and_then(|MoveTime { left_us, .. }| left_us).map_or(String::new(), duration);
        let mut head = format!("{:>10}  {who:5} {took:>8}  {left:>11}  ", duration(at_us));
        for line in printable_lines(&said).lines() {
            writeln!(text, "{head}{line}").ok()?;
            head = " ".repeat(41);
        }
    }
    Some(text)
}

/// Formats a text and the number of bytes left out.
fn shown(said: &TruncatedText) -> String {
    match said.more_bytes {
        0 if said.text.is_empty() => "(nothing)".to_owned(),
        0 => said.text.clone(),
        more => format!("{}\n… and {more} bytes more", said.text),
    }
}

fn duration(us: u64) -> String {
    match us {
        0..1_000_000 => format!("{}.{} ms", us / 1000, us % 1000 / 100),
        _ => format!("{}.{:02} s", us / 1_000_000, us % 1_000_000 / 10_000),
    }
}
