//! Numbers in answers, compared exactly. Floats beyond 2^53 cannot represent a difference of 1, and none represents 20 digits.

use std::cmp::Ordering;

/// The digits after the first one that represent every float exactly; the longest has 767.
const FLOAT_DIGITS: usize = 770;

/// A decimal number: its digits, from 0 to 9 and without zeros at either end, times 10 to the power of the exponent. Zero has
/// no digits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Number {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Number {
    /// Reads `-1.5`, `.5`, `3.` or `1e-6`; `None` for anything else, such as `inf`.
    pub(super) fn decimal(token: &[u8]) -> Option<Self> {
        let (negative, rest) = signed(token);
        let (mantissa, exponent) = with_power(rest, b'e')?;
        let point = mantissa.iter().position(|byte| *byte == b'.');
        let (whole, fraction) = point.map_or((mantissa, &[][..]), |at| (&mantissa[..at], &mantissa[at + 1..]));
        let all = || whole.iter().chain(fraction);
        if all().next().is_none() || !all().all(u8::is_ascii_digit) {
            return None;
        }
        let exponent = exponent.saturating_sub(i64::try_from(fraction.len()).ok()?);
        Some(Self { negative, digits: all().map(|digit| digit - b'0').collect(), exponent }.trimmed())
    }

    /// Reads `0x1.8p3`, which is 12, rounded to a float as in C programs. `None` for other texts and for numbers too large for a
    /// float.
    pub(super) fn hexadecimal(token: &[u8]) -> Option<Self> {
        let (negative, rest) = signed(token);
        let rest = rest.strip_prefix(b"0x").or_else(|| rest.strip_prefix(b"0X"))?;
        let (mantissa, mut exponent) = with_power(rest, b'p')?;
        let (mut value, mut digits, mut fraction) = (0_u128, 0, false);
        for &byte in mantissa {
            let Some(digit) = char::from(byte).to_digit(16) else {
                if byte != b'.' || fraction {
                    return None;
                }
                fraction = true;
                continue;
            };
            digits += 1;
            // Of the digits beyond 120 bits, rounding depends only on whether one is not 0.
            let fits = value >> 116 == 0;
            value = if fits { value << 4 | u128::from(digit) } else { value | u128::from(digit > 0) };
            exponent = exponent.saturating_add(4 * (i64::from(!fits) - i64::from(fraction)));
        }
        if digits == 0 {
            return None;
        }
        // The power is computed in two exact steps. No float lies beyond these powers.
        let power = i32::try_from(exponent.clamp(-1300, 1100)).ok()?;
        let float = value as f64 * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2);
        let decimal = float.is_finite().then(|| format!("{float:.FLOAT_DIGITS$e}"))?;
        Some(Self { negative, ..Self::decimal(decimal.as_bytes())? })
    }

    pub(super) fn is_negative(&self) -> bool {
        self.negative && !self.digits.is_empty()
    }

    /// Tests whether another number differs from this one by at most `difference`.
    pub(super) fn is_within(&self, difference: &Self, other: &Self) -> bool {
        let at_most = |one: &Self, other: &Self| sign(&[(one, false), (other, true), (difference, true)]).is_le();
        at_most(self, other) && at_most(other, self)
    }

    /// The number without its sign, multiplied by `factor`.
    pub(super) fn size_times(&self, factor: &Self) -> Self {
        let mut product = vec![0_u64; self.digits.len() + factor.digits.len()];
        for (at, digit) in factor.digits.iter().enumerate() {
            let mut carry = 0;
            for (place, own) in self.digits.iter().enumerate().rev() {
                let cell = &mut product[at + place + 1];
                let sum = *cell + u64::from(*own) * u64::from(*digit) + carry;
                (*cell, carry) = (sum % 10, sum / 10);
            }
            product[at] += carry;
        }
        for place in (1..product.len()).rev() {
            product[place - 1] += product[place] / 10;
            product[place] %= 10;
        }
        let digits = product.into_iter().map(|digit| u8::try_from(digit).unwrap_or(9)).collect();
        let exponent = self.exponent.saturating_add(factor.exponent);
        Self { negative: factor.negative, digits, exponent }.trimmed()
    }

    /// Removes zeros at both ends of the digits.
    fn trimmed(mut self) -> Self {
        let kept = self.digits.iter().rposition(|digit| *digit > 0).map_or(0, |last| last + 1);
        self.exponent = self.exponent.saturating_add(i64::try_from(self.digits.len() - kept).unwrap_or(i64::MAX));
        self.digits.truncate(kept);
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.exponent = if self.digits.is_empty() { 0 } else { self.exponent };
        self
    }

    /// The place above its first digit. The place of the units is 0.
    fn top(&self) -> i64 {
        self.exponent.saturating_add(i64::try_from(self.digits.len()).unwrap_or(i64::MAX))
    }

    fn digit(&self, place: i64) -> u8 {
        let from_first = self.top().checked_sub(1).and_then(|first| first.checked_sub(place));
        let index = from_first.and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.digits.get(index)).copied().unwrap_or(0)
    }
}

/// The sign of a sum of a few numbers. A number marked with true is subtracted. Digits are added from the first place to the
/// last, until the rest cannot change the sign. So the time depends only on the number of digits, and not on the exponents.
fn sign(terms: &[(&Number, bool)]) -> Ordering {
    let count = i64::try_from(terms.len()).unwrap_or(i64::MAX);
    let with_digits = || terms.iter().map(|(number, _)| *number).filter(|number| !number.digits.is_empty());
    let (mut sum, mut next) = (0_i64, i64::MAX);
    loop {
        // The next lower place with a digit. If it is not adjacent, a sum other than 0 is large enough.
        let below = with_digits().filter(|number| number.exponent < next).map(|number| number.top().min(next) - 1);
        let Some(place) = below.max() else { return sum.cmp(&0) };
        if sum != 0 && place < next - 1 {
            return sum.cmp(&0);
        }
        let digits = terms.iter().map(|(number, off)| {
            let digit = i64::from(number.digit(place));
            if number.negative != *off { -digit } else { digit }
        });
        sum = sum * 10 + digits.sum::<i64>();
        // The lower places together are less than 1 per number.
        if sum.abs() >= count {
            return sum.cmp(&0);
        }
        next = place;
    }
}

/// Splits a sign from the rest of a number. The result is true for a negative number.
fn signed(token: &[u8]) -> (bool, &[u8]) {
    match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    }
}

/// The text before this letter, in either case, and the power after it; 0 without the letter. A power that the digits cannot
/// compensate becomes the largest or the smallest.
fn with_power(text: &[u8], letter: u8) -> Option<(&[u8], i64)> {
    let Some(place) = text.iter().position(|byte| byte.eq_ignore_ascii_case(&letter)) else { return Some((text, 0)) };
    let (negative, digits) = signed(&text[place + 1..]);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |size: i64, digit: &u8| size.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(1 << 60);
    let size = digits.iter().fold(0, add);
    Some((&text[..place], if negative { -size } else { size }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::decimal(text.as_bytes()).or_else(|| Number::hexadecimal(text.as_bytes())).expect(text)
    }

    #[test]
    fn numbers_are_equal_however_they_are_written() {
        for (one, other) in [
            ("12", "1.20e1"),
            ("-0.5", "-.5"),
            ("0", "0e99999999999999999999"),
            ("000.1000", "1e-1"),
            ("0x1.8p3", "12"),
            ("-0X.8", "-0.5"),
            ("0x10", "16"),
            ("0x1p-30", "9.31322574615478515625e-10"),
            // More digits than a float has, of which the last one decides.
            ("0x20000000000001", "9007199254740992"),
            ("0x20000000000001.00000000000000000000000000000000000001", "9007199254740994"),
        ] {
            assert!(number(one).is_within(&Number::default(), &number(other)), "{one} and {other}");
        }
        for text in
            ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "inf", "nan", "0x", "0x.", "0x1p", "0xg", "0x1p1024", "1_0"]
        {
            let read = Number::decimal(text.as_bytes()).or_else(|| Number::hexadecimal(text.as_bytes()));
            assert_eq!(read, None, "{text}");
        }
    }

    #[test]
    fn a_difference_is_exact_whatever_the_exponents_are() {
        for (one, other, difference, within) in [
            ("9007199254740992", "9007199254740993", "0.5", false),
            ("9007199254740992", "9007199254740993", "1", true),
            ("-9007199254740993", "-9007199254740992", "0.999999999999999999999", false),
            ("1.1", "1.0", "0.1", true),
            ("1.1", "1.0", "0.0999999999999999999999999999999", false),
            ("1e99999999999", "1", "1e99999999998", false),
            ("1e99999999999", "1e99999999999", "0", true),
            ("1e-99999999999", "0", "1e-99999999999", true),
            ("1e-99999999999", "0", "0", false),
            ("1", "-1", "1.99", false),
            ("1000", "999.9999999999999999999999999999999999", "1e-34", true),
            ("1000", "999.9999999999999999999999999999999999", "0.9e-34", false),
        ] {
            let within_either_way = number(one).is_within(&number(difference), &number(other));
            assert_eq!(within_either_way, within, "{one} {other} {difference}");
            assert_eq!(number(other).is_within(&number(difference), &number(one)), within, "{other} {one}");
        }
    }

    #[test]
    fn a_product_has_all_its_digits() {
        for (one, other, product) in [
            ("-99999", "99999", "9999800001"),
            ("0.25", "4e3", "1000"),
            ("12345678901234567890", "98765432109876543210", "1219326311370217952237463801111263526900"),
            ("0", "7", "0"),
            ("9007199254740993", "1e-9", "9007199.254740993"),
        ] {
            assert_eq!(number(one).size_times(&number(other)), number(product), "{one} {other}");
        }
    }
}
