//! The transcript of a talk as a dialogue for people.

use std::fmt::Write as _;

use judge_job::{Gap, Message, PassStart, TranscriptLine};

use crate::text::printable_lines;

/// The most bytes of a transcript that are read. The judge writes less.
pub const MAX_TRANSCRIPT_BYTES: u64 = 8 << 20;

/// Renders a transcript. Each message has the time since the start, its author, the time since the previous message, and its
/// text. `None` if the text is not a transcript.
///
/// ```
/// use judge_core::external::dialogue;
///
/// let transcript = r#"{"at_us":1200,"from":0,"text":"3 3\n"}
/// {"at_us":2700,"from":1,"text":"left\n"}
/// "#;
/// let text = "    1.2 ms  referee            3 3\n    2.7 ms  entry     +1.5 ms  left\n";
/// assert_eq!(dialogue(transcript).as_deref(), Some(text));
/// ```
pub fn dialogue(transcript: &str) -> Option<String> {
    let mut text = String::new();
    let mut before = None;
    for line in transcript.lines() {
        match serde_json::from_str(line).ok()? {
            TranscriptLine::Gap(Gap { left_out, bytes }) => {
                writeln!(text, "… {left_out} messages of {bytes} bytes are left out …").ok()?;
                before = None;
            }
            TranscriptLine::Pass(PassStart { pass }) => {
                writeln!(text, "pass {pass}").ok()?;
                before = None;
            }
            TranscriptLine::Message(Message { at_us, from, text: message, more_bytes }) => {
                let who = if from == 0 { "referee" } else { "entry" };
                let took =
                    before.map_or(String::new(), |before| format!("+{}", duration(at_us.saturating_sub(before))));
                before = Some(at_us);
                let mut head = format!("{:>10}  {who:8} {took:>8}  ", duration(at_us));
                for line in printable_lines(&message).lines() {
                    writeln!(text, "{head}{line}").ok()?;
                    head = " ".repeat(31);
                }
                if more_bytes > 0 {
                    writeln!(text, "{head}… and {more_bytes} bytes more").ok()?;
                }
            }
        }
    }
    Some(text)
}

fn duration(us: u64) -> String {
    match us {
        0..1_000_000 => format!("{}.{} ms", us / 1000, us % 1000 / 100),
        _ => format!("{}.{:02} s", us / 1_000_000, us % 1_000_000 / 10_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_shown_with_its_gaps() {
        let transcript = concat!(
            r#"{"at_us":5,"from":1,"text":"a\nb\u001b[31m\n"}"#,
            "\n",
            r#"{"left_out":7,"bytes":99}"#,
            "\n",
            r#"{"pass":2}"#,
            "\n",
            r#"{"at_us":2345678,"from":0,"text":"end","more_bytes":3}"#,
            "\n",
        );
        let expected = [
            "    0.0 ms  entry              a",
            "                               b\u{fffd}[31m",
            "… 7 messages of 99 bytes are left out …",
            "pass 2",
            "    2.34 s  referee            end",
            "                               … and 3 bytes more",
            "",
        ];
        assert_eq!(dialogue(transcript).as_deref(), Some(expected.join("\n").as_str()));
        assert_eq!(dialogue("{}\n"), None);
        assert_eq!(dialogue(""), Some(String::new()));
    }
}
