//! A comparison of an answer with the judge's answer, token by token: the default validator of problem packages.
//!
//! Both files are read as bytes. Tokens are separated by white space: space, tab, line feed, carriage return, vertical tab
//! and form feed. Memory use does not depend on the length of the files or of their tokens.

mod number;

use std::io::{self, BufRead, BufReader, Read};

use number::Number;

/// The most bytes of a token that can be a number.
const NUMBER_BYTES: usize = 1 << 20;
/// The most bytes of a token that a reason quotes.
const QUOTED_BYTES: usize = 30;

/// The rules for comparing two tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenRules {
    /// True if the case of letters matters. Otherwise ASCII letters of both cases are equal.
    pub case_sensitive: bool,
    /// True if white space must be equal, too, in kind and amount. Otherwise it only separates tokens.
    pub space_change_sensitive: bool,
    /// True if equal tokens must be in lines with the same number, as in CMS. Otherwise a line end only separates tokens.
    pub line_sensitive: bool,
    /// True if numbers can also be hexadecimal, such as `0x1.8p3`.
    pub hexadecimal: bool,
    /// The largest accepted difference from a number of the judge's answer.
    absolute: Option<Number>,
    /// The largest accepted difference as a share of the judge's number. A number within either tolerance is accepted.
    relative: Option<Number>,
}

/// The first difference between an answer and the judge's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// Line of the answer, from 1.
    pub line: u64,
    /// Line of the judge's answer, from 1.
    pub expected_line: u64,
    /// The number of equal tokens before it.
    pub equal: u64,
    /// The reason, as a fragment.
    pub reason: String,
}

/// The refusal of the arguments of a comparison, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenRulesError {
    /// A tolerance is the last argument, without a number.
    #[error("`{0}` needs a number, such as 1e-6")]
    MissingNumber(String),
    /// The argument after a tolerance is not a number of at least 0.
    #[error("invalid {argument} `{value}`; expected a number such as 1e-6")]
    InvalidNumber {
        /// The argument that names the tolerance.
        argument: String,
        /// The argument after it, which should be a number.
        value: String,
    },
    /// An unknown argument.
    #[error(
        "unknown argument `{0}`; available: case_sensitive, space_change_sensitive, float_tolerance, \
         float_absolute_tolerance, float_relative_tolerance, float_hexadecimal, line_sensitive"
    )]
    Unknown(String),
}

impl TokenRules {
    /// Reads the arguments of the default validator: `case_sensitive`, `space_change_sensitive`, and a number after
    /// `float_tolerance`, `float_absolute_tolerance` or `float_relative_tolerance`, of which the last one counts. Two more belong
    /// to other formats. `float_hexadecimal` is for legacy packages, in which numbers can be hexadecimal. `line_sensitive` is for
    /// tasks of CMS.
    ///
    /// # Errors
    ///
    /// An argument is unknown, or a number is missing or invalid.
    pub fn parse<S: AsRef<str>>(arguments: &[S]) -> Result<Self, TokenRulesError> {
        let mut rules = Self::default();
        let mut words = arguments.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            let mut tolerance = || {
                let value = words.next().ok_or_else(|| TokenRulesError::MissingNumber(word.to_owned()))?;
                let number = Number::decimal(value.as_bytes()).filter(|number| !number.is_negative());
                number.ok_or_else(|| TokenRulesError::InvalidNumber {
                    argument: word.to_owned(),
                    value: value.to_owned(),
                })
            };
            match word {
                "case_sensitive" => rules.case_sensitive = true,
                "space_change_sensitive" => rules.space_change_sensitive = true,
                "line_sensitive" => rules.line_sensitive = true,
                "float_hexadecimal" => rules.hexadecimal = true,
                "float_absolute_tolerance" => rules.absolute = Some(tolerance()?),
                "float_relative_tolerance" => rules.relative = Some(tolerance()?),
                "float_tolerance" => {
                    rules.absolute = Some(tolerance()?);
                    rules.relative.clone_from(&rules.absolute);
                }
                _ => return Err(TokenRulesError::Unknown(word.to_owned())),
            }
        }
        Ok(rules)
    }

    /// Compares an answer with the judge's answer.
    ///
    /// # Errors
    ///
    /// One of the files cannot be read.
    pub fn compare(&self, expected: impl Read, answer: impl Read) -> io::Result<Result<u64, Mismatch>> {
        let (mut expected, mut answer) = (Source::new(expected), Source::new(answer));
        let mut equal = 0;
        loop {
            let (line, expected_line) = (answer.line, expected.line);
            let difference = |reason: String| Mismatch { line, expected_line, equal, reason };
            if self.space_change_sensitive {
                if let Some(reason) = equal_space(&mut expected, &mut answer)? {
                    return Ok(Err(difference(reason)));
                }
            } else {
                expected.skip_space()?;
                answer.skip_space()?;
            }
            let (line, expected_line) = (answer.line, expected.line);
            let difference = |reason: String| Mismatch { line, expected_line, equal, reason };
            match (expected.peek()?.is_some(), answer.peek()?.is_some()) {
                (false, false) => return Ok(Ok(equal)),
                (true, false) => {
                    let expected = quoted(&expected.head()?);
                    return Ok(Err(difference(format!("the answer ends; expected {expected}"))));
                }
                (false, true) => {
                    let answer = quoted(&answer.head()?);
                    return Ok(Err(difference(format!("the answer goes on with {answer}; expected its end"))));
                }
                (true, true) if self.line_sensitive && line != expected_line => {
                    let given = quoted(&answer.head()?);
                    return Ok(Err(difference(format!("{given} is in another line than in the judge's answer"))));
                }
                (true, true) => {
                    if let Some(reason) = self.difference(&mut expected, &mut answer)? {
                        return Ok(Err(difference(reason)));
                    }
                }
            }
            equal += 1;
        }
    }

    /// Reads one token of each file and returns the reason if they differ.
    fn difference<E: Read, A: Read>(
        &self,
        expected: &mut Source<E>,
        answer: &mut Source<A>,
    ) -> io::Result<Option<String>> {
        let (wanted, given) = (expected.head()?, answer.head()?);
        if (self.absolute.is_some() || self.relative.is_some())
            && let Some(value) = self.number(&wanted)
        {
            return Ok(match self.number(&given) {
                None => Some(format!("expected a number near {}, not {}", quoted(&wanted), quoted(&given))),
                Some(own) if self.is_near(&value, &own) => None,
                Some(_) => {
                    Some(format!("{} differs from {} by more than the tolerance", quoted(&given), quoted(&wanted)))
                }
            });
        }
        let same = |a: u8, b: u8| a == b || (!self.case_sensitive && a.eq_ignore_ascii_case(&b));
        let mut equal = wanted.more == given.more
            && wanted.bytes.len() == given.bytes.len()
            && wanted.bytes.iter().zip(&given.bytes).all(|(a, b)| same(*a, *b));
        // Both tokens are longer than their heads, so the rest is compared byte by byte.
        while equal && wanted.more {
            match (expected.token_byte()?, answer.token_byte()?) {
                (None, None) => break,
                (Some(a), Some(b)) => equal = same(a, b),
                _ => equal = false,
            }
        }
        Ok((!equal).then(|| format!("expected {}, not {}", quoted(&wanted), quoted(&given))))
    }

    /// The number that a token represents.
    fn number(&self, head: &Head) -> Option<Number> {
        let token = Some(&*head.bytes).filter(|_| !head.more)?;
        Number::decimal(token).or_else(|| Number::hexadecimal(token).filter(|_| self.hexadecimal))
    }

    fn is_near(&self, expected: &Number, answer: &Number) -> bool {
        let within = |tolerance: &Number| expected.is_within(tolerance, answer);
        self.absolute.as_ref().is_some_and(within)
            || self.relative.as_ref().is_some_and(|share| within(&expected.size_times(share)))
    }
}

fn quoted(head: &Head) -> String {
    let shown = &head.bytes[..head.bytes.len().min(QUOTED_BYTES)];
    let cut = if shown.len() < head.bytes.len() || head.more { "…" } else { "" };
    format!("`{}{cut}`", shown.escape_ascii())
}

/// Compares white space up to the next tokens and returns the reason if it differs.
fn equal_space<E: Read, A: Read>(expected: &mut Source<E>, answer: &mut Source<A>) -> io::Result<Option<String>> {
    let show = |byte: Option<u8>| match byte {
        None => "the end".to_owned(),
        Some(byte) if byte.is_ascii_whitespace() || byte == 0x0b => format!("`{}`", byte.escape_ascii()),
        Some(_) => "a token".to_owned(),
    };
    loop {
        let (wanted, given) = (expected.peek()?, answer.peek()?);
        match (wanted.filter(|byte| is_space(*byte)), given.filter(|byte| is_space(*byte))) {
            (None, None) => return Ok(None),
            (a, b) if a == b => {
                expected.next()?;
                answer.next()?;
            }
            _ => return Ok(Some(format!("white space differs: expected {}, not {}", show(wanted), show(given)))),
        }
    }
}

/// The white space of the C locale.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The beginning of a token.
struct Head {
    bytes: Vec<u8>,
    /// True if the token continues.
    more: bool,
}

/// A file that is read byte by byte.
struct Source<R> {
    file: BufReader<R>,
    /// Line of the next byte, from 1.
    line: u64,
}

impl<R: Read> Source<R> {
    fn new(file: R) -> Self {
        Self { file: BufReader::new(file), line: 1 }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.file.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.file.consume(1);
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    fn skip_space(&mut self) -> io::Result<()> {
        while self.peek()?.is_some_and(is_space) {
            self.next()?;
        }
        Ok(())
    }

    /// The next byte of the current token; `None` at its end.
    fn token_byte(&mut self) -> io::Result<Option<u8>> {
        if self.peek()?.is_none_or(is_space) { Ok(None) } else { self.next() }
    }

    /// The beginning of the next token.
    fn head(&mut self) -> io::Result<Head> {
        let mut bytes = Vec::new();
        while bytes.len() < NUMBER_BYTES {
            match self.token_byte()? {
                Some(byte) => bytes.push(byte),
                None => return Ok(Head { bytes, more: false }),
            }
        }
        let more = self.peek()?.is_some_and(|byte| !is_space(byte));
        Ok(Head { bytes, more })
    }
}
