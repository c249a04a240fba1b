//! Whole numbers with a range, for figures from untrusted files.
//!
//! Results, journals and rulings can come from anywhere, and their figures are summed, divided and drawn. Each type checks
//! its range when a figure is read, so later code can rely on it.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// The largest figure. A floating-point number holds every whole number up to it exactly, so it is exact in programs that
/// read JSON numbers as floating-point, and in `judge` itself when it draws.
pub const MAX_EXACT: u64 = (1 << 53) - 1;

/// A whole number from 0 to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounded<const MAX: u64>(u64);

/// Progress, moves, tie-breaks, and other things that a referee counts.
pub type Count = Bounded<MAX_EXACT>;
/// A time in microseconds, up to 285 years.
pub type Micros = Bounded<MAX_EXACT>;
/// A time in milliseconds, up to 285 years.
pub type Millis = Bounded<{ MAX_EXACT / 1000 }>;
/// A size in bytes, up to 8 PiB.
pub type Bytes = Bounded<MAX_EXACT>;
/// A sum of counts or times. It saturates at the end of the range.
pub type Sum = Bounded<{ u64::MAX }>;

/// The reason why a text is not a valid figure, as a fragment with the value and the range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedError(String);

impl<const MAX: u64> Bounded<MAX> {
    /// The number, which is within the range of its type.
    pub fn get(self) -> u64 {
        self.0
    }

    /// Reads the number of a serde field: `#[serde(deserialize_with = "Count::number")]`.
    ///
    /// # Errors
    ///
    /// The deserializer's, for a value that is not a number or is out of range. It quotes the value and the range.
    pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        Self::deserialize(deserializer).map(Self::get)
    }

    /// Reads the number of a serde field that can be missing. The field also needs `default`.
    ///
    /// # Errors
    ///
    /// As [`Self::number`].
    pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        Ok(Option::<Self>::deserialize(deserializer)?.map(Self::get))
    }
}

impl fmt::Display for BoundedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BoundedError {}

impl<const MAX: u64> FromStr for Bounded<MAX> {
    type Err = BoundedError;

    fn from_str(text: &str) -> Result<Self, BoundedError> {
        let number = text.parse().ok().filter(|number| *number <= MAX).map(Self);
        number.ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            BoundedError(format!("`{shown}` is not a whole number from 0 to {MAX}"))
        })
    }
}

impl<'de, const MAX: u64> Deserialize<'de> for Bounded<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not `deserialize_u64`: its errors of CSV do not quote the value.
        deserializer.deserialize_any(WholeNumber::<MAX>)
    }
}

struct WholeNumber<const MAX: u64>;

impl<const MAX: u64> Visitor<'_> for WholeNumber<MAX> {
    type Value = Bounded<MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {MAX}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let fits = number <= MAX;
        fits.then_some(Bounded(number)).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Fields {
        #[serde(deserialize_with = "Count::number")]
        moves: u64,
        #[serde(default, deserialize_with = "Millis::optional")]
        limit_ms: Option<u64>,
    }

    fn read(json: &str) -> Result<Fields, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn a_range_ends_with_its_ends() {
        let fields = |moves, limit_ms| Ok(Fields { moves, limit_ms });
        assert_eq!(read(r#"{"moves":9007199254740991}"#), fields(MAX_EXACT, None));
        assert_eq!(read(r#"{"moves":0,"limit_ms":9007199254740}"#), fields(0, Some(9_007_199_254_740)));
        assert_eq!(read(r#"{"moves":7,"limit_ms":null}"#), fields(7, None));
        for (json, value) in [
            (
                r#"{"moves":9007199254740992}"#,
                "integer `9007199254740992`, expected a whole number from 0 to 9007199254740991",
            ),
            (r#"{"moves":18446744073709551615}"#, "`18446744073709551615`"),
            (r#"{"moves":18446744073709551616}"#, "floating point `1.844"),
            (r#"{"moves":-1}"#, "integer `-1`"),
            (r#"{"moves":1.5}"#, "floating point `1.5`"),
            (r#"{"moves":1e3}"#, "floating point `1000.0`"),
            (r#"{"moves":"7"}"#, "string \"7\""),
            (r#"{"moves":null}"#, "null"),
            (
                r#"{"moves":1,"limit_ms":9007199254741}"#,
                "`9007199254741`, expected a whole number from 0 to 9007199254740",
            ),
        ] {
            let refused = read(json).expect_err(json);
            assert!(refused.contains(value), "{json}: {refused}");
        }
    }

    #[test]
    fn a_text_is_quoted_in_full_or_in_part() {
        assert_eq!("25".parse::<Count>().map(Bounded::get), Ok(25));
        for text in ["", "-1", "1.5", "1e15", "NaN", "inf", "9007199254740992", "99999999999999999999", "٣"] {
            let refused = text.parse::<Count>().expect_err(text).to_string();
            assert_eq!(refused, format!("`{text}` is not a whole number from 0 to 9007199254740991"));
        }
        let long = "9".repeat(100_000).parse::<Count>().expect_err("too large").to_string();
        assert!(long.len() < 120, "{long}");
    }
}
