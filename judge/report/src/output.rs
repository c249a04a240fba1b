//! Standard output that cannot control a terminal, regardless of the text that passes through it.
//!
//! Writers make known untrusted text printable. This filter catches what they miss, for example the name of a file.

use std::io::{self, Write};
use std::str::from_utf8;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use judge_core::text::{controls_output, printable_lines};

/// Passes text on, with a replacement for every character that could control a terminal or change the direction of
/// text. Line ends and tabs stay.
pub struct TerminalSafe<W: Write> {
    to: W,
    /// The bytes of a character that is not complete yet.
    begun: Vec<u8>,
}

impl<W: Write> TerminalSafe<W> {
    /// Filters what is written to `to`.
    pub fn new(to: W) -> Self {
        Self { to, begun: Vec::new() }
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let whole = match from_utf8(bytes) {
            Ok(_) => bytes.len(),
            // A character that may continue in the next piece.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => bytes.len(),
        };
        self.to.write_all(printable_lines(&String::from_utf8_lossy(&bytes[..whole])).as_bytes())?;
        self.begun.extend(&bytes[whole..]);
        Ok(())
    }
}

impl<W: Write> Write for TerminalSafe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() {
            self.pass(bytes)?;
        } else {
            let mut all = std::mem::take(&mut self.begun);
            all.extend(bytes);
            self.pass(&all)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes a value as JSON in one line, without a line end. In strings, characters that could control a terminal are
/// escaped.
///
/// # Errors
/// Those of `out`.
pub fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    Ok(value.serialize(&mut serde_json::Serializer::with_formatter(out, Escaping(CompactFormatter)))?)
}

/// Writes a value like [`write_json`], but over several lines.
///
/// # Errors
/// Those of `out`.
pub fn write_pretty_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    Ok(value.serialize(&mut serde_json::Serializer::with_formatter(out, Escaping(PrettyFormatter::new())))?)
}

/// A formatter that escapes more than JSON requires; programs read the same text.
struct Escaping<F>(F);

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some((place, c)) = rest.char_indices().find(|(_, c)| controls_output(*c)) {
            // All such characters are below U+10000, so one escape is enough.
            write!(out, "{}\\u{:04x}", &rest[..place], u32::from(c))?;
            rest = &rest[place + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_any_pieces_comes_out_without_control_characters() {
        let text = "Größe\t\u{1b}[2J \u{202e}板\u{9b}\n".as_bytes();
        for size in 1..text.len() {
            let mut out = Vec::new();
            let mut harmless = TerminalSafe::new(&mut out);
            text.chunks(size).try_for_each(|piece| harmless.write_all(piece)).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), "Größe\t\u{fffd}[2J \u{fffd}板\u{fffd}\n", "{size}");
        }
        let mut out = Vec::new();
        TerminalSafe::new(&mut out).write_all(b"a\xff\xfe\x1b").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn json_is_the_same_value_with_more_escapes() {
        let value = serde_json::json!({"a\u{202e}": ["\u{9b}2J\u{1b}\"\\", {}, [], 1, null], "b": {"c": "板"}});
        for write in [write_json, write_pretty_json] {
            let mut out = Vec::new();
            write(&value, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(
                text.contains("\\u202e")
                    && text.contains("\\u009b")
                    && !text.contains(|c| c != '\n' && controls_output(c))
            );
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        }
        let mut out = Vec::new();
        write_pretty_json(&value, &mut out).unwrap();
        let usual = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), usual.lines().count());
    }
}
