//! Moments of contest files and commands.

use judge_core::date::Date;
use toml::value::Datetime;

/// Parses a moment with an offset, such as `2026-11-24T18:00:00+01:00`, into seconds since the beginning of 1970 in UTC;
/// `None` for any other text.
pub(super) fn moment(text: &str) -> Option<u64> {
    text.trim().parse().ok().and_then(|moment| unix_seconds(&moment))
}

/// The seconds of a moment with an offset since the beginning of 1970 in UTC. `None` without an offset, and outside the years of
/// a [`Date`].
pub(super) fn unix_seconds(moment: &Datetime) -> Option<u64> {
    let (date, time, offset) = (moment.date?, moment.time?, moment.offset?);
    let written =
        Datetime { date: Some(date), time: Some(toml::value::Time { nanosecond: None, ..time }), offset: None };
    let as_if_utc: Date = format!("{written}Z").parse().ok()?;
    let minutes = match offset {
        toml::value::Offset::Z => 0,
        toml::value::Offset::Custom { minutes } => i64::from(minutes),
    };
    let seconds = as_if_utc.unix().checked_add_signed(-60 * minutes)?;
    (Date::from_unix(seconds).to_string().parse() == Ok(Date::from_unix(seconds))).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_with_an_offset_become_seconds_in_utc() {
        let seconds = |text: &str| unix_seconds(&text.parse().unwrap());
        assert_eq!(seconds("1970-01-02T00:00:00Z"), Some(86_400));
        assert_eq!(seconds("1970-01-02T01:30:00+01:30"), Some(86_400));
        assert_eq!(seconds("1970-01-01T18:00:00-06:00"), Some(86_400));
        assert_eq!(seconds("2026-11-24T18:00:00.5+01:00"), Some(1_795_539_600));
        for text in ["2026-11-24", "18:00:00", "2026-11-24T18:00:00", "1970-01-01T00:00:00+01:00"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
