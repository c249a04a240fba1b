//! Times in the format of the Contest API.

use judge_core::date::Date;
use serde_json::{Value, json};

/// A moment, such as `2026-11-01T10:00:00.000+00:00`.
pub(super) fn absolute(at: u64) -> String {
    let date = Date::from_unix(at).to_string();
    format!("{}.000+00:00", date.trim_end_matches('Z'))
}

/// A time relative to the start of the contest, such as `1:22:05.000`. It is negative before the start.
pub(super) fn relative(at: u64, start: u64) -> String {
    let sign = if at < start { "-" } else { "" };
    format!("{sign}{}", duration(at.abs_diff(start)))
}

/// A duration, such as `5:00:00.000`.
pub(super) fn duration(seconds: u64) -> String {
    format!("{}:{:02}:{:02}.000", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A number of microseconds as seconds with three decimals.
pub(super) fn seconds(us: u64) -> Value {
    let ms = us.saturating_add(500) / 1000;
    #[allow(clippy::cast_precision_loss, reason = "times are far below the numbers that a float cannot have")]
    let seconds = ms as f64 / 1000.0;
    json!(seconds)
}

/// The moment of a text of the Contest API, in whole seconds. Fractions are optional. The offset has hours, or hours and minutes,
/// or is `Z`.
pub(super) fn parse(text: &str) -> Option<u64> {
    let (day, time) = text.split_once('T')?;
    let at = time.find(['Z', '+', '-'])?;
    let (clock, offset) = time.split_at(at);
    let clock = clock.split_once('.').map_or(clock, |(whole, _)| whole);
    let local: Date = format!("{day}T{clock}Z").parse().ok()?;
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|_| digits.len() == 2);
    let seconds = match offset.split_at(1) {
        ("Z", "") => 0,
        (_, offset) => {
            let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "00"));
            number(hours)? * 3600 + number(minutes)? * 60
        }
    };
    if offset.starts_with('-') { Some(local.unix() + seconds) } else { local.unix().checked_sub(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_the_interface_writes_them() {
        let start = 1_793_527_200;
        assert_eq!(absolute(start), "2026-11-01T10:00:00.000+00:00");
        assert_eq!(relative(start + 4925, start), "1:22:05.000");
        assert_eq!(relative(start - 61, start), "-0:01:01.000");
        assert_eq!(duration(100 * 3600), "100:00:00.000");
    }

    #[test]
    fn a_moment_is_read_in_every_form() {
        for text in [
            "2026-11-01T10:00:00.000+00:00",
            "2026-11-01T10:00:00Z",
            "2026-11-01T11:30:00.5+01:30",
            "2026-11-01T08:00:00-02",
        ] {
            assert_eq!(parse(text), Some(1_793_527_200), "{text}");
        }
        for text in
            ["", "2026-11-01", "2026-11-01T10:00:00", "2026-11-01T10:00:00+1", "2026-13-01T10:00:00Z", "aTbZ", "0T+é"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_runs_have_three_decimals() {
        assert_eq!(seconds(1_234_567).to_string(), "1.235");
        assert_eq!(seconds(7000).to_string(), "0.007");
    }
}
