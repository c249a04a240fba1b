//! Points, the scores of puzzles that grade answers: decimal numbers with a fixed number of decimals.
//!
//! Sums are exact and do not depend on their order, so equal entries tie exactly.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroI128;
use std::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::printable;
use judge_job::named;

/// The most decimals that points can have.
pub const MAX_DECIMALS: u8 = 9;
/// The most units. A program that reads JSON numbers represents integers up to it exactly.
const MAX_UNITS: i128 = (1 << 53) - 1;
/// The most bytes of a number's text.
const MAX_BYTES: usize = 4096;

/// The most units of a sum.
const LIMIT: i128 = i128::MAX >> 8;

/// A decimal number: units divided by 10 to the power of its decimals. A table has millions of them, so both share 128 bits. The
/// last byte contains the decimals plus 1.
#[derive(Clone, Copy)]
pub struct Points(NonZeroI128);

named! {
    /// The rounding of a value to the decimals of its figure.
    #[derive(Default)]
    pub enum Round {
        /// To the nearest, halves away from zero.
        #[default]
        Nearest = "nearest",
        /// Surplus decimals are cut off.
        Down = "down",
    }
}

/// The reason why a text is not a valid number of points, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointsError {
    /// Not a decimal number, such as infinity or NaN.
    #[error("`{0}` is not a decimal number")]
    NoNumber(String),
    /// Too large: with this many decimals, its units are not exact in JSON.
    #[error("`{0}` is too large for points with {1} decimals")]
    TooLarge(String, u8),
}

impl Points {
    /// Zero points with this many decimals.
    pub const fn zero(decimals: u8) -> Self {
        Self::packed(0, decimals)
    }

    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self::packed(number.into(), 0)
    }

    /// Units within the limit with this many decimals.
    const fn packed(units: i128, decimals: u8) -> Self {
        match NonZeroI128::new(units << 8 | (decimals as i128 + 1)) {
            Some(bits) => Self(bits),
            None => panic!("decimals are few"),
        }
    }

    /// Units with this many decimals, clamped to the limit.
    fn saturated(units: i128, decimals: u8) -> Self {
        Self::packed(units.clamp(-LIMIT - 1, LIMIT), decimals)
    }

    /// Units with this many decimals; `None` beyond the limit.
    fn checked(units: i128, decimals: u8) -> Option<Self> {
        (-LIMIT - 1..=LIMIT).contains(&units).then(|| Self::packed(units, decimals))
    }

    /// Parses a decimal number such as `12.5`, `-3` or `1.000000000e+00`. Digits beyond the decimals are rounded to the nearest,
    /// halves away from zero. The rounding uses the digits as written.
    ///
    /// # Errors
    ///
    /// The text is not a decimal number, or it is too long or too large.
    pub fn parse(text: &str, decimals: u8) -> Result<Self, PointsError> {
        Self::parse_rounded(text, decimals, Round::Nearest)
    }

    /// Parses a decimal number. `round` is the rounding of digits beyond the decimals.
    pub(crate) fn parse_rounded(text: &str, decimals: u8, round: Round) -> Result<Self, PointsError> {
        let shown = || printable(&text.chars().take(40).collect::<String>());
        let Some(Written { negative, digits, exponent }) = Written::from_text(text) else {
            return Err(PointsError::NoNumber(shown()));
        };
        let too_large = || PointsError::TooLarge(shown(), decimals);
        let shift = exponent.saturating_add(i64::from(decimals));
        let units = if digits.is_empty() {
            0
        } else if shift >= 0 {
            let zeros = u32::try_from(shift).ok().filter(|zeros| digits.len() + *zeros as usize <= 18);
            number(&digits)
                .zip(zeros)
                .and_then(|(number, zeros)| number.checked_mul(10_i128.pow(zeros)))
                .ok_or_else(too_large)?
        } else {
            let dropped = usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX);
            let (kept, rest) = digits.split_at(digits.len().saturating_sub(dropped));
            // If more digits are dropped than the number has, the first dropped digit is 0.
            let up = dropped <= digits.len() && rest.first().is_some_and(|digit| *digit >= b'5');
            number(kept).ok_or_else(too_large)? + i128::from(up && round == Round::Nearest)
        };
        if units > MAX_UNITS {
            return Err(too_large());
        }
        Ok(Self::packed(if negative { -units } else { units }, decimals))
    }

    /// The number in units of the last decimal.
    pub fn units(self) -> i128 {
        self.0.get() >> 8
    }

    /// The number of decimals, the same for all points of a contest.
    pub fn decimals(self) -> u8 {
        self.0.get().to_le_bytes()[0].saturating_sub(1)
    }

    /// The exact sum, with the decimals of the more precise one; `None` if it does not fit 120 bits.
    #[must_use]
    pub fn checked_plus(self, other: Self) -> Option<Self> {
        // The usual case. Powers and quotients of 128 bits would be most of the cost of a ranking.
        if self.decimals() == other.decimals() {
            return Self::checked(self.units() + other.units(), self.decimals());
        }
        let decimals = self.decimals().max(other.decimals());
        let units = |points: Self| {
            let factor = 10_i128.checked_pow(u32::from(decimals - points.decimals()))?;
            points.units().checked_mul(factor)
        };
        Self::checked(units(self)?.checked_add(units(other)?)?, decimals)
    }

    /// The exact sum, with the decimals of the more precise one. Sums beyond 120 bits stay at the limit.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let decimals = self.decimals().max(other.decimals());
        let units = |points: Self| points.units().saturating_mul(10_i128.pow(u32::from(decimals - points.decimals())));
        Self::saturated(units(self).saturating_add(units(other)), decimals)
    }

    /// The exact difference, with the decimals of the more precise one.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.plus(Self::saturated(-other.units(), other.decimals()))
    }

    /// The product, rounded to the decimals of `self`, halves away from zero.
    #[must_use]
    pub fn times(self, factor: Self) -> Self {
        let product = self.units().saturating_mul(factor.units());
        let divisor = 10_i128.pow(u32::from(factor.decimals()));
        Self::saturated(quotient(product, divisor, Round::Nearest), self.decimals())
    }

    /// The exact product.
    pub(crate) fn checked_times(self, factor: Self) -> Option<Self> {
        Self::checked(self.units().checked_mul(factor.units())?, self.decimals().checked_add(factor.decimals())?)
    }

    /// Rounds to this number of decimals. Adding decimals saturates.
    pub(crate) fn rounded(self, decimals: u8, round: Round) -> Self {
        let power = |decimals: u8| 10_i128.pow(u32::from(decimals));
        let units = match self.decimals().checked_sub(decimals) {
            Some(0) => return self,
            Some(fewer) => quotient(self.units(), power(fewer), round),
            None => self.units().saturating_mul(power(decimals - self.decimals())),
        };
        Self::saturated(units, decimals)
    }

    /// `part / whole` with this many decimals.
    pub(crate) fn ratio(part: i128, whole: i128, decimals: u8, round: Round) -> Self {
        let part = part.saturating_mul(10_i128.pow(u32::from(decimals)));
        Self::saturated(quotient(part, whole.max(1), round), decimals)
    }

    /// One of this many equal parts, rounded to the decimals of `self`, halves away from zero. 0 parts count as one.
    #[must_use]
    pub fn divided_by(self, parts: usize) -> Self {
        let parts = i128::try_from(parts.max(1)).unwrap_or(i128::MAX);
        Self::packed(quotient(self.units(), parts, Round::Nearest), self.decimals())
    }

    /// The nearest binary number, for charts and statistics.
    pub fn to_f64(self) -> f64 {
        self.units() as f64 / 10_f64.powi(i32::from(self.decimals()))
    }

    /// An integer with the order of the points, whatever their decimals.
    pub(crate) fn comparable(self) -> i128 {
        self.units().saturating_mul(10_i128.pow(u32::from(MAX_DECIMALS.saturating_sub(self.decimals()))))
    }
}

/// A sum of points. It is exact and does not depend on the order of its summands.
pub(crate) struct Sum {
    /// In units of the most decimals so far; `None` if a summand is unknown.
    units: Option<i128>,
    decimals: u8,
}

impl Sum {
    /// Zero with at least this many decimals.
    pub(crate) fn new(decimals: u8) -> Self {
        Self { units: Some(0), decimals }
    }

    /// Adds a summand, which can be unknown.
    pub(crate) fn add(&mut self, summand: Option<Points>) {
        self.units = match summand {
            Some(points) if points.decimals() == self.decimals => {
                self.units.and_then(|sum| sum.checked_add(points.units()))
            }
            summand => {
                let sum = self.total().zip(summand).and_then(|(sum, points)| sum.checked_plus(points));
                self.decimals = sum.map_or(self.decimals, Points::decimals);
                sum.map(Points::units)
            }
        };
    }

    /// The sum; `None` if a summand is unknown or the sum does not fit 120 bits.
    pub(crate) fn total(&self) -> Option<Points> {
        self.units.and_then(|units| Points::checked(units, self.decimals))
    }
}

/// The parts of a number as written: its digits without leading zeros, times 10 to the power of the exponent.
struct Written {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Written {
    fn from_text(text: &str) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let (negative, rest) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let (mantissa, exponent) = match rest.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(place) => (&rest[..place], parse_exponent(&rest[place + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.iter().position(|&byte| byte == b'.') {
            Some(place) => (&mantissa[..place], &mantissa[place + 1..]),
            None => (mantissa, &[][..]),
        };
        let all = [whole, fraction].concat();
        if all.is_empty() || !all.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let digits: Vec<u8> = all.into_iter().skip_while(|&digit| digit == b'0').collect();
        let exponent = exponent.saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX));
        Some(Self { negative, digits, exponent })
    }
}

/// Parses an exponent. One that the digits cannot compensate becomes the largest or the smallest.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0_i64, |size, digit| size.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if negative { -size } else { size })
}

/// The number of these digits; `None` with more than 18 digits after the leading zeros.
fn number(digits: &[u8]) -> Option<i128> {
    let digits = &digits[digits.iter().take_while(|&&digit| digit == b'0').count()..];
    (digits.len() <= 18).then(|| digits.iter().fold(0, |number, digit| number * 10 + i128::from(digit - b'0')))
}

/// A quotient by a positive number.
fn quotient(units: i128, by: i128, round: Round) -> i128 {
    match round {
        Round::Down => units / by,
        Round::Nearest => {
            let (whole, rest) = (units / by, units % by);
            whole + if rest.unsigned_abs() >= by.unsigned_abs().div_ceil(2) { units.signum() } else { 0 }
        }
    }
}

impl Default for Points {
    fn default() -> Self {
        Self::zero(0)
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Points {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Points {}

impl PartialOrd for Points {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order by value: `1.0` equals `1.00`.
impl Ord for Points {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.decimals() == other.decimals() {
            return self.units().cmp(&other.units());
        }
        self.comparable().cmp(&other.comparable())
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (units, decimals) = (self.units(), self.decimals());
        let sign = if units < 0 { "-" } else { "" };
        let scale = 10_u128.pow(u32::from(decimals));
        let (whole, fraction) = (units.unsigned_abs() / scale, units.unsigned_abs() % scale);
        // The usual form. Every line of a journal contains several such numbers.
        if let (0, None, Ok(number)) = (decimals, f.width(), i64::try_from(units)) {
            return write!(f, "{number}");
        }
        let text = match decimals {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{fraction:0width$}", width = usize::from(decimals)),
        };
        f.pad(&text)
    }
}

/// Parses a number with the decimals as written, at most [`MAX_DECIMALS`].
impl FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Self, PointsError> {
        // The usual form. Every line of a journal contains several such numbers.
        if (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let units = text.bytes().fold(0_u64, |number, digit| number * 10 + u64::from(digit - b'0'));
            return Ok(Self::whole(units));
        }
        let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
        let written = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        Self::parse(text, u8::try_from(written).unwrap_or(u8::MAX).min(MAX_DECIMALS))
    }
}

/// Points are a string in JSON, because readers of JSON numbers would lose decimals.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Points;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number as text")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Points, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_decimal_number_is_read_exactly() {
        let read = |text: &str| Points::parse(text, 3).map(|points| points.to_string());
        for (text, expected) in [
            ("1.000000000e+00", "1.000"),
            ("12", "12.000"),
            ("-0.5", "-0.500"),
            ("+.25", "0.250"),
            ("7.", "7.000"),
            ("1e3", "1000.000"),
            ("123456E-3", "123.456"),
            ("0.0004", "0.000"),
            ("0.0005", "0.001"),
            ("-0.0005", "-0.001"),
            ("0.00049999999999999999999999999999999", "0.000"),
            ("2.6749999999999998", "2.675"),
            ("0.1e-99999999999999999999", "0.000"),
            ("0e99999999999999999999", "0.000"),
            ("-0", "0.000"),
            ("0000000000000000000000000000001", "1.000"),
            ("9007199254740.991", "9007199254740.991"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
        for text in
            ["", "-", ".", "e5", "1e", "nan", "inf", "-Infinity", "1,5", "0x10", "1 ", " 1", "1e+", "--1", "1.2.3", "١"]
        {
            assert_eq!(read(text), Err(PointsError::NoNumber(text.into())), "{text}");
        }
        for text in ["9007199254740.992", "1e99999999", "-1e30", "99999999999999999999999"] {
            assert!(matches!(read(text), Err(PointsError::TooLarge(..))), "{text}");
        }
        assert!(read(&"1".repeat(MAX_BYTES + 1)).is_err());
    }

    #[test]
    fn arithmetic_on_points_is_exact() {
        let points = |text: &str| text.parse::<Points>().expect("a number");
        let tenth = points("0.1");
        let sum = (0..10).fold(Points::zero(0), |sum, _| sum.plus(tenth));
        assert_eq!((sum, sum.to_string().as_str()), (points("1"), "1.0"));
        assert_eq!(points("0.30").minus(points("0.1")).to_string(), "0.20");
        let large = points("9007199254740991");
        assert_eq!(large.checked_plus(tenth).map(|sum| sum.to_string()).as_deref(), Some("9007199254740991.1"));
        assert_eq!(large.plus(points("0.000000001")).to_string(), "9007199254740991.000000001");
        assert!(points("1.05") > points("1.049") && points("-2") < points("-1.999"));
        assert_eq!(points("10").times(points("0.25")).to_string(), "3");
        assert_eq!(points("10.00").times(points("0.3333")).to_string(), "3.33");
        assert_eq!(points("-10").times(points("0.25")).to_string(), "-3");
        for text in ["12.500", "-3", "0.001", "-0.5"] {
            assert_eq!(points(text).to_string(), text);
            let json = serde_json::to_string(&points(text)).expect("JSON");
            assert_eq!(serde_json::from_str::<Points>(&json).expect("points"), points(text));
        }
    }
}
