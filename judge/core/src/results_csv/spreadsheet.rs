//! Text in the cells of CSV files that people open in a spreadsheet.
//!
//! Spreadsheets treat a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end as a formula, which can run programs
//! and send data elsewhere. Such text gets an apostrophe in front, as OWASP advises against CSV injection, and
//! loses it again when it is read. Figures are numbers and stay as they are.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::text::printable_field;

const MARK: char = '\'';
/// Also in the wide forms of East Asian scripts, which some spreadsheets read as the plain ones.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Text for a cell: without characters that steer a terminal, and no formula. [`read`] undoes the mark.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    match printable_field(text) {
        text if is_formula(&text) => format!("{MARK}{text}").into(),
        text => text,
    }
}

/// The text of a cell that [`cell`] made.
pub(super) fn read(cell: &str) -> &str {
    cell.strip_prefix(MARK).filter(|text| is_formula(text)).unwrap_or(cell)
}

/// A formula, or one with marks: of those, only one is taken off again. A number is none, whatever its sign.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches(MARK).starts_with(FORMULA) && text.parse::<f64>().is_err()
}

/// Text in a row, as `cell` writes and `read` reads it.
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
                Ok(Text(read(cell).into()))
            }

            fn visit_str<E: Error>(self, cell: &str) -> Result<Self::Value, E> {
                Ok(Text(read(cell).to_owned().into()))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_that_reads_back_is_a_formula() {
        for text in ["=1+1", "+x", "-x", "@SUM(A1)", "'=x", "''+x", "＝1", "-", "'", "''", "'x", "x", "", "1-1", "it's"]
        {
            let written = cell(text);
            assert!(!written.starts_with(FORMULA), "{text:?} is written as {written:?}");
            assert_eq!(read(&written), text);
        }
        assert_eq!((&*cell("=1+1"), &*cell("'=x"), &*cell("'x"), &*cell("it's")), ("'=1+1", "''=x", "'x", "it's"));
        assert_eq!((&*cell("-2.5"), read("-2.5"), &*cell("-2+3")), ("-2.5", "-2.5", "'-2+3"));
        // What steers is replaced first, for good.
        assert_eq!(cell("\t=\u{1b}\u{202e}"), "\u{fffd}=\u{fffd}\u{fffd}");
        for c in (0..=0x2100).filter_map(char::from_u32) {
            let written = cell(&format!("{c}x")).into_owned();
            assert!(!written.starts_with(FORMULA) && !written.contains(crate::text::steers), "{c:?}");
        }
    }
}
