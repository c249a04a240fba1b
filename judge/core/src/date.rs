//! Dates: when something happened, in UTC, for people only. Nothing is computed from them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

const DAY: u64 = 24 * 60 * 60;
/// Days from 0000-03-01 to 1970-01-01. A year that begins in March has its leap day at its end.
const DAYS_BEFORE_1970: u64 = 719_468;
/// Days of 400 years, after which the calendar repeats.
const CYCLE: u64 = 146_097;
/// The last second that has a year of four digits.
const LAST: u64 = 253_402_300_799;

/// A second in UTC, written as in `1995-04-30T12:00:00Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(u64);

impl Date {
    /// The date that many seconds after the beginning of 1970; the last one of the year 9999 for any later one.
    pub fn from_unix(seconds: u64) -> Self {
        Self(seconds.min(LAST))
    }

    /// Year, month and day, from 1.
    fn calendar(self) -> (u64, u64, u64) {
        let days = self.0 / DAY + DAYS_BEFORE_1970;
        let (cycle, day) = (days / CYCLE, days % CYCLE);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
        (cycle * 400 + year, month, day)
    }

    /// The day alone, such as `1995-04-30`.
    pub fn day(self) -> String {
        let (year, month, day) = self.calendar();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Day and minute, such as `1995-04-30 12:00 UTC`.
    pub fn minute(self) -> String {
        let seconds = self.0 % DAY;
        format!("{} {:02}:{:02} UTC", self.day(), seconds / 3600, seconds / 60 % 60)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 % DAY;
        write!(f, "{}T{:02}:{:02}:{:02}Z", self.day(), seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || format!("invalid date `{text}`; expected UTC as in 1995-04-30T12:00:00Z");
        let form = b"0000-00-00T00:00:00Z";
        let fits = |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
        if text.len() != form.len() || !text.bytes().zip(form).all(fits) {
            return Err(refuse());
        }
        let number = |from: usize, to: usize| text[from..to].parse::<u64>().map_err(|_| refuse());
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(refuse());
        }
        let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1;
        let date = Self((days - DAYS_BEFORE_1970) * DAY + hour * 3600 + minute * 60 + second);
        // Of a 30th of February or a 25th hour, another date would have come.
        if date.to_string() == text { Ok(date) } else { Err(refuse()) }
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
        // Every day of 800 years is one later than the day before it.
        for day in 0..292_194 {
            let date = Date::from_unix(day * DAY + 5);
            assert_eq!(date.to_string().parse(), Ok(date));
        }
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
