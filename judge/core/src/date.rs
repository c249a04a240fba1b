//! Dates of events, in UTC, only for people. No result depends on them.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The last second of a year with four digits.
const LAST: u64 = 253_402_300_799;

/// A second in UTC, written like `1995-04-30T12:00:00Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(u64);

impl Date {
    /// The date this number of seconds after the beginning of 1970; for later ones, the last second of the year 9999.
    pub fn from_unix(seconds: u64) -> Self {
        Self(seconds.min(LAST))
    }

    /// The seconds since the beginning of 1970.
    pub fn unix(self) -> u64 {
        self.0
    }

    /// The day alone, such as `1995-04-30`.
    pub fn day(self) -> String {
        self.to_string()[..10].to_owned()
    }

    /// Day and minute, such as `1995-04-30 12:00 UTC`.
    pub fn minute(self) -> String {
        let text = self.to_string();
        format!("{} {} UTC", &text[..10], &text[11..16])
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(self.0)).fmt(f)
    }
}

/// The refusal of a text that is not a date, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid date `{0}`; expected UTC as in 1995-04-30T12:00:00Z")]
pub struct DateError(String);

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let time = humantime::parse_rfc3339(text).ok();
        let date = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map(|since| Self(since.as_secs()));
        // Only this form of a moment is accepted, for example without fractions of a second.
        let date = date.filter(|date| date.0 <= LAST && date.to_string() == text);
        date.ok_or_else(|| DateError(text.to_owned()))
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (68_169_600, "1972-02-29T00:00:00Z"),
            (799_243_199, "1995-04-30T11:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Date::from_unix(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Date(seconds)));
        }
        assert_eq!(Date::from_unix(u64::MAX), Date(LAST));
        assert_eq!(Date(799_243_199).minute(), "1995-04-30 11:59 UTC");
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "1995-04-30",
            "1995-04-31T00:00:00Z",
            "1995-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "1995-13-01T00:00:00Z",
            "1995-00-01T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "1995-04-30T24:00:00Z",
            "1995-04-30T00:60:00Z",
            "1995-04-30T00:00:00+01",
            "1995-04-30 00:00:00Z",
            "\u{661}995-04-30T00:00:00Z",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
