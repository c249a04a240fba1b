//! The XML file that a testlib checker writes if it is called with `-appes`.
//!
//! The file decides, and not the exit code: with points, several outcomes have the same code.

use super::lines::one_line;
use super::{BoardScoring, Decoded, Malformed};
use crate::figure::RefereeFigures;
use crate::points::Points;
use crate::relative::Direction;
use crate::text::unknown;
use crate::verdict::Verdict;

/// The longest file, in bytes.
pub const MAX_RESULT_BYTES: u64 = 1 << 20;

/// The outcomes that testlib writes and a judge can use.
const OUTCOMES: [&str; 9] = [
    "accepted",
    "ok",
    "wrong-answer",
    "presentation-error",
    "unexpected-eof",
    "points",
    "relative-scoring",
    "partially-correct",
    "fail",
];

/// Decodes the file of a checker that exited with this code.
///
/// # Errors
///
/// The result is malformed, or does not fit the contest's scoring.
pub fn decode_result(xml: &[u8], code: i32, board: BoardScoring<'_>) -> Result<Decoded, Malformed> {
    if xml.len() as u64 > MAX_RESULT_BYTES {
        return Err(Malformed(format!("its result has more than {MAX_RESULT_BYTES} bytes")));
    }
    // The encoding is that of the checker's author. Invalid UTF-8 is replaced.
    let text = String::from_utf8_lossy(xml);
    let element =
        Element::from_text(&text).ok_or_else(|| Malformed("its result is no XML that testlib writes".into()))?;
    element.ruled(code, board).map_err(|reason| Malformed(format!("its result: {reason}")))
}

/// The only element of the file.
struct Element {
    attributes: Vec<(String, String)>,
    text: String,
}

impl Element {
    fn from_text(text: &str) -> Option<Self> {
        let mut rest = text.trim_start_matches('\u{feff}').trim();
        if let Some(declaration) = rest.strip_prefix("<?xml") {
            rest = declaration.split_once("?>")?.1.trim_start();
        }
        rest = rest.strip_prefix("<result")?;
        let mut attributes = Vec::new();
        loop {
            let spaced = rest.trim_start();
            if let Some(content) = spaced.strip_prefix('>') {
                let text = content.strip_suffix("</result>")?;
                return (!text.contains('<')).then(|| Self { attributes, text: unescaped(text) });
            }
            if let Some(end) = spaced.strip_prefix("/>") {
                return end.is_empty().then_some(Self { attributes, text: String::new() });
            }
            if spaced.len() == rest.len() || attributes.len() > 16 {
                return None;
            }
            let (name, value) = spaced.split_once('=')?;
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, after) = value[1..].split_once(quote)?;
            let name = name.trim_end();
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                return None;
            }
            attributes.push((name.to_owned(), unescaped(value)));
            rest = after;
        }
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.trim())
    }

    fn ruled(&self, code: i32, board: BoardScoring<'_>) -> Result<Decoded, String> {
        let outcome = self.attribute("outcome").ok_or("it has no outcome")?;
        let message = one_line(&self.text);
        let mut notes = Vec::new();
        let verdict = match outcome {
            "accepted" | "ok" if code != 0 => return Err(format!("it says `{outcome}` and exits with code {code}")),
            "accepted" | "ok" => {
                let points = board.given(None, board.usual(), &mut notes)?;
                board.accepted(points.unwrap_or_default())
            }
            "wrong-answer" | "presentation-error" | "unexpected-eof" if code == 0 => {
                return Err(format!("it says `{outcome}` and exits with code 0"));
            }
            "wrong-answer" | "presentation-error" | "unexpected-eof" => {
                let what = outcome.replace('-', " ");
                let reason = if message.is_empty() { what } else { message.clone() };
                Verdict::Wrong { given: RefereeFigures::default(), reason }
            }
            "points" | "relative-scoring" => self.points(board, &mut notes)?,
            "partially-correct" => self.part(board)?,
            "fail" => return Err(format!("fail: {message}")),
            other => return Err(unknown("outcome", &one_line(other), OUTCOMES)),
        };
        if verdict.fault().is_none() && !message.is_empty() {
            notes.push(format!("the referee notes: {message}"));
        }
        Ok(Decoded { verdict, notes })
    }

    /// The value of an attribute that is a number, in a contest with points.
    fn number<'e>(&'e self, name: &str, board: BoardScoring<'_>) -> Result<&'e str, String> {
        let text = self.attribute(name).ok_or_else(|| format!("it has no {name}"))?;
        if board.scoring.is_none() {
            return Err("it gives points; declare a [[figure]] for them".into());
        }
        Ok(text)
    }

    /// The points of an answer. If more is better, the points of the board are the maximum.
    fn points(&self, board: BoardScoring<'_>, notes: &mut Vec<String>) -> Result<Verdict, String> {
        let points = board.given(Some(self.number("points", board)?), None, notes)?.unwrap_or_default();
        let most = board
            .points
            .filter(|_| board.scoring.is_some_and(|scoring| scoring.main().better.direction() == Direction::Up));
        match most.filter(|most| points > *most) {
            None => Ok(board.graded(points)),
            Some(most) => {
                notes.push(format!("it gives {points} points, and the board has {most}"));
                Ok(board.graded(Points::zero(points.decimals()).plus(most)))
            }
        }
    }

    /// A share of the board's points in hundredths. testlib's `_pc` has up to 200.
    fn part(&self, board: BoardScoring<'_>) -> Result<Verdict, String> {
        let text = self.number("pctype", board)?;
        let scoring = board.scoring.filter(|scoring| scoring.main().better.direction() == Direction::Up);
        let scoring = scoring.ok_or("it accepts a part of the answer, which needs points of which more is better")?;
        let percent: u16 = text.parse().map_err(|_| format!("its pctype `{}` is not a number", one_line(text)))?;
        let share = Points::parse(&format!("{percent}e-2"), 2).map_err(|error| error.to_string())?;
        let whole = board.usual().ok_or("it accepts a part of the answer, and its board has no `points`")?;
        let share = share.min(Points::parse("1", 0).expect("a number"));
        Ok(board.graded(Points::zero(scoring.main().decimals).plus(whole).times(share)))
    }
}

/// Text with the entities of XML replaced. Unknown entities stay.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        match entity.and_then(|(name, rest)| Some((character(name)?, rest))) {
            Some((character, after)) => {
                plain.push(character);
                rest = after;
            }
            None => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(number) => u32::from_str_radix(number, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Scoring;

    /// A result in the form of testlib.
    fn result(outcome: &str, text: &str) -> String {
        format!("<?xml version=\"1.0\" encoding=\"windows-1251\"?><result outcome = {outcome}>{text}</result>\n")
    }

    fn decode(xml: &str, code: i32) -> Result<Verdict, String> {
        decode_result(xml.as_bytes(), code, BoardScoring::default()).map(|ruled| ruled.verdict).map_err(|error| error.0)
    }

    #[test]
    fn outcomes_are_read() {
        assert!(matches!(decode(&result("\"accepted\"", "3 numbers"), 0), Ok(Verdict::Solved(_))));
        let wrong = decode(&result("\"wrong-answer\"", "1st &lt;word&gt; &amp;c &#65;&bad; differ"), 1);
        assert_eq!(wrong.expect("a verdict").fault().as_deref(), Some("wrong answer: 1st <word> &c A&bad; differ"));
        let format = decode(&result("\"presentation-error\"", ""), 2).expect("a verdict");
        assert_eq!(format.fault().as_deref(), Some("wrong answer: presentation error"));
        for (xml, code, reason) in [
            (result("\"accepted\"", ""), 1, "exits with code 1"),
            (result("\"wrong-answer\"", ""), 0, "exits with code 0"),
            (result("\"fail\"", "the answer file is empty"), 3, "fail: the answer file is empty"),
            (result("\"points\" points = \"5\"", ""), 7, "declare a [[figure]]"),
            (result("\"reserved\"", ""), 6, "unknown outcome"),
            ("<result>x</result>".into(), 0, "has no outcome"),
            ("<result outcome=\"accepted\">".into(), 0, "no XML"),
            ("<result outcome=\"accepted\"><b/></result>".into(), 0, "no XML"),
            ("<resultoutcome=\"accepted\"/>".into(), 0, "no XML"),
            (String::new(), 0, "no XML"),
        ] {
            let refused = decode(&xml, code).expect_err(&xml);
            assert!(refused.contains(reason), "{xml}: {refused}");
        }
    }

    #[test]
    fn points_are_read_whatever_the_exit_code() {
        let scoring = Scoring::new(Direction::Up, 2);
        let board = BoardScoring { scoring: Some(&scoring), points: "10".parse().ok() };
        let points = |xml: &str, code| {
            let ruled = decode_result(xml.as_bytes(), code, board).map_err(|error| error.0)?;
            Ok::<_, String>((
                ruled.verdict.name(),
                ruled.verdict.given().expect("figures").figures.first().expect("points").to_string(),
            ))
        };
        assert_eq!(points(&result("\"points\" points = \"3.3333333333\"", "ok"), 7), Ok(("valid", "3.33".into())));
        assert_eq!(points(&result("\"points\" points = \"10\"", "ok"), 0), Ok(("solved", "10.00".into())));
        // A share of the board's 10 points, in hundredths.
        for (percent, given) in [("4", "0.40"), ("50", "5.00"), ("99", "9.90")] {
            let xml = result(&format!("\"partially-correct\" pctype = \"{percent}\""), "");
            assert_eq!(points(&xml, 54), Ok(("valid", given.into())), "{percent}");
        }
        // A share above the whole counts as the whole.
        for more in ["\"partially-correct\" pctype = \"200\"", "\"points\" points = \"50\""] {
            assert_eq!(points(&result(more, ""), 7), Ok(("solved", "10.00".into())), "{more}");
        }
        assert!(points(&result("\"partially-correct\" pctype = \"4.5\"", ""), 54).is_err());
        assert_eq!(points(&result("\"points\" points = \"-1\"", ""), 7), Ok(("valid", "-1.00".into())));
        assert_eq!(points(&result("\"accepted\"", ""), 0), Ok(("solved", "10.00".into())));
        assert!(points(&result("\"points\"", ""), 7).expect_err("none").contains("no points"));
        assert!(points(&result("\"points\" points = \"nan\"", ""), 7).is_err());
    }
}
