//! Text in the cells of CSV files, safe for spreadsheets.
//!
//! Spreadsheets treat a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end as a formula. A formula can run programs
//! and send data elsewhere. So such text gets an apostrophe in front, as OWASP recommends against CSV injection, and the reader
//! removes it. Figures are numbers and do not change.
//!
//! If the decimal sign is a comma, spreadsheets separate cells at semicolons, and some separate at both. So the text after a
//! semicolon counts as a cell, too, with or without quotation marks.

use std::borrow::Cow;
use std::fmt;

use csv::StringRecord;
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::text::printable_field;

const MARK: char = '\'';
/// The characters with which a formula begins. Some spreadsheets read the wide forms of East Asian scripts as the plain ones.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The separator of cells besides the comma.
const SEPARATOR: char = ';';

/// The text of a cell without terminal control characters and formulas. [`read`] removes the marks.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    let text = printable_field(text);
    if !text.split(SEPARATOR).any(is_formula) {
        return text;
    }
    let marked = |text: &str| if is_formula(text) { format!("{MARK}{text}") } else { text.to_owned() };
    joined(text.split(SEPARATOR).map(marked)).into()
}

/// The original text of a cell from [`cell`].
pub(super) fn read(cell: &str) -> Cow<'_, str> {
    let unmarked = |text| str::strip_prefix(text, MARK).filter(|text| is_formula(text));
    if !cell.split(SEPARATOR).any(|text| unmarked(text).is_some()) {
        return cell.into();
    }
    joined(cell.split(SEPARATOR).map(|text| unmarked(text).unwrap_or(text).to_owned())).into()
}

/// A row with the original texts of its cells.
pub(super) fn read_row(row: &StringRecord) -> Cow<'_, StringRecord> {
    // The text of all cells of the row, without separators.
    if !row.as_slice().contains(MARK) {
        return Cow::Borrowed(row);
    }
    Cow::Owned(row.iter().map(read).collect())
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(&SEPARATOR.to_string())
}

/// Tests for a formula, also in quotation marks or after marks, because [`read`] removes only one mark. A number is not a
/// formula, whatever its sign.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches([MARK, '"']).starts_with(FORMULA) && text.parse::<f64>().is_err()
}

/// Text in a row, in the form that `cell` writes and `read` reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&cell(&self.0))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("text")
            }

            fn visit_borrowed_str<E: Error>(self, cell: &'de str) -> Result<Self::Value, E> {
                Ok(Text(read(cell)))
            }

            fn visit_str<E: Error>(self, cell: &str) -> Result<Self::Value, E> {
                Ok(Text(read(cell).into_owned().into()))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_cell_behind_a_semicolon_is_a_formula() {
        for (text, expected) in [
            ("a;=1+1", "a;'=1+1"),
            ("a;=1+1;b", "a;'=1+1;b"),
            ("=1;+x;'@y", "'=1;'+x;''@y"),
            // A file doubles quotation marks, so the text between two separators is `""=1+1&""`.
            ("a;\"=1+1&\";b", "a;'\"=1+1&\";b"),
            ("a;'\"'=1", "a;''\"'=1"),
            ("a;-2.5;b", "a;-2.5;b"),
            ("a; =1", "a; =1"),
            (";;'x;", ";;'x;"),
            ("1;2=3;it's", "1;2=3;it's"),
        ] {
            assert_eq!((&*cell(text), &*read(expected)), (expected, text));
        }
    }

    #[test]
    fn no_cell_that_reads_back_is_a_formula() {
        for text in ["=1+1", "+x", "-x", "@SUM(A1)", "'=x", "''+x", "＝1", "-", "'", "''", "'x", "x", "", "1-1", "it's"]
        {
            let written = cell(text);
            assert!(!written.starts_with(FORMULA), "{text:?} is written as {written:?}");
            assert_eq!(read(&written), text);
        }
        assert_eq!((&*cell("=1+1"), &*cell("'=x"), &*cell("'x"), &*cell("it's")), ("'=1+1", "''=x", "'x", "it's"));
        assert_eq!((&*cell("-2.5"), &*read("-2.5"), &*cell("-2+3")), ("-2.5", "-2.5", "'-2+3"));
        // Control characters are replaced first, and `read` does not restore them.
        assert_eq!(cell("\t=\u{1b}\u{202e}"), "\u{fffd}=\u{fffd}\u{fffd}");
        for c in (0..=0x2100).filter_map(char::from_u32) {
            let written = cell(&format!("{c}x")).into_owned();
            assert!(!written.starts_with(FORMULA) && !written.contains(crate::text::controls_output), "{c:?}");
        }
    }
}
