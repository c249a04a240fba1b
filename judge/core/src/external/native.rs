//! `ruling.json`, the form in which a referee of the native protocol rules.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::lines::one_line;
use super::{BoardScoring, Decoded, Malformed};
use crate::figure::{Better, Failed, Figure, FigureName, RefereeFigures};
use crate::game::IllegalMove;
use crate::points::Points;
use crate::scoring::Scoring;
use crate::text::unknown;
use crate::verdict::Verdict;
use judge_job::{Count, named};

/// The longest `ruling.json`, in bytes.
pub const MAX_RULING_BYTES: u64 = 64 << 10;
/// The version of `ruling.json` that this judge reads.
const FORMAT: u64 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    format: u64,
    #[serde(borrow)]
    verdict: Cow<'a, str>,
    #[serde(borrow)]
    figures: Option<Values<'a>>,
    #[serde(borrow)]
    full: Option<&'a RawValue>,
    /// The keys of earlier versions.
    score: Option<IgnoredAny>,
    progress: Option<IgnoredAny>,
    of: Option<IgnoredAny>,
    moves: Option<IgnoredAny>,
    tie_break: Option<IgnoredAny>,
    failed_at: Option<Count>,
    token: Option<String>,
    reason: Option<String>,
    judge_note: Option<String>,
}

/// The figures of a ruling by their names, each once. A value is a number, or a text with a number: JSON numbers lose decimals in
/// many programs.
struct Values<'a>(BTreeMap<Cow<'a, str>, &'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Values<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named;
        impl<'de> Visitor<'de> for Named {
            type Value = BTreeMap<Cow<'de, str>, &'de RawValue>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("figures by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut figures = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<Cow<'de, str>, &'de RawValue>()? {
                    if figures.contains_key(&name) {
                        return Err(A::Error::custom(format!("duplicate figure `{}`", one_line(&name))));
                    }
                    figures.insert(name, value);
                }
                Ok(figures)
            }
        }
        deserializer.deserialize_map(Named).map(Self)
    }
}

/// Decodes a `ruling.json`.
///
/// # Errors
///
/// The ruling is malformed, or does not fit the contest's scoring.
pub fn decode_ruling(json: &[u8], board: BoardScoring<'_>) -> Result<Decoded, Malformed> {
    if json.len() as u64 > MAX_RULING_BYTES {
        return Err(Malformed(format!("ruling.json has more than {MAX_RULING_BYTES} bytes")));
    }
    // Serde also accepts a list of values for this structure, but the format does not.
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err(Malformed("ruling.json: expected an object".into()));
    }
    let document: Document<'_> =
        serde_json::from_slice(json).map_err(|error| Malformed(format!("ruling.json: {error}")))?;
    document.ruled(board).map_err(|reason| Malformed(format!("ruling.json: {reason}")))
}

named! {
    /// The verdicts that a ruling can name.
    enum Word {
        /// It solves the board.
        Solved = "solved",
        /// It is legal and does not solve the board.
        Unsolved = "unsolved",
        /// It is legal, and nothing solves the board.
        Valid = "valid",
        /// It is wrong.
        Wrong = "wrong",
    }
}

impl Document<'_> {
    fn ruled(self, board: BoardScoring<'_>) -> Result<Decoded, String> {
        if self.format != FORMAT {
            return Err(format!("format is {}, expected {FORMAT}", self.format));
        }
        let verdicts = Word::ALL.map(Word::name);
        let word = Word::named(&self.verdict).ok_or_else(|| unknown("verdict", &one_line(&self.verdict), verdicts))?;
        let solved = word == Word::Solved;
        let gone =
            [("score", self.score), ("progress", self.progress), ("moves", self.moves), ("tie_break", self.tie_break)];
        if let Some((name, _)) = gone.into_iter().find(|(_, value)| value.is_some()) {
            return Err(format!(
                "{name} is a figure now: write \"figures\": {{\"{name}\": …}}, and [[figure]] in the contest file for names of your own"
            ));
        }
        if self.of.is_some() {
            return Err("of is called full now: what the first figure must reach to solve the board".into());
        }
        let mut notes: Vec<String> =
            self.judge_note.iter().map(|note| format!("the referee notes: {}", one_line(note))).collect();
        let given = self.given(word, board, &mut notes)?;
        let verdict: fn(RefereeFigures) -> Verdict = match word {
            Word::Solved => Verdict::Solved,
            Word::Unsolved => Verdict::Unsolved,
            Word::Valid => Verdict::Valid,
            Word::Wrong => {
                let reason = self.reason.as_deref().map(one_line).filter(|reason| !reason.is_empty());
                let reason = reason.ok_or("a wrong answer needs a reason")?;
                let verdict = match self.failed_at.map(Count::get) {
                    Some(0) => return Err("failed_at is 0; the first move is 1".into()),
                    Some(index) => {
                        let token = self.token.as_deref().map(one_line).unwrap_or_default();
                        Verdict::IllegalMove { given, illegal: Box::new(IllegalMove { index, token, reason }) }
                    }
                    None if self.token.is_some() => return Err("token needs failed_at".into()),
                    None => Verdict::Wrong { given, reason },
                };
                return Ok(Decoded { verdict, notes });
            }
        };
        if self.failed_at.is_some() || self.token.is_some() {
            return Err(format!("only a wrong answer has failed_at and token, not one that is {}", self.verdict));
        }
        if given.solves().is_some_and(|solves| solves != solved) {
            let verdict = &self.verdict;
            return Err(format!("{verdict} with {given}: an answer is solved exactly if its first figure is full"));
        }
        if let Some(reason) = self.reason.filter(|_| !solved) {
            notes.push(format!("the referee says: {}", one_line(&reason)));
        }
        Ok(Decoded { verdict: verdict(given), notes })
    }

    /// The figures of the contest; an accepted answer needs all of them. A contest that declares none has the figures of a game.
    /// They are 0 unless the ruling contains them, and the ruling contains what solves the board.
    fn given(&self, word: Word, board: BoardScoring<'_>, notes: &mut Vec<String>) -> Result<RefereeFigures, String> {
        let mut given = self.figures.as_ref().map_or_else(BTreeMap::new, |figures| figures.0.clone());
        let usual = Scoring::of_game("");
        let (scoring, declared) = (board.scoring.unwrap_or(&usual), board.scoring.is_some());
        let read = |figure: &Figure, name: &str, raw: &RawValue| {
            // A JSON text that is not a number is refused with its content.
            let text = serde_json::from_str::<String>(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
            figure.parse(&text).map_err(|error| format!("{name}: {error}"))
        };
        let full = match self.full {
            Some(_) if declared => return Err("full stands in the contest file, with [[figure]] or a board".into()),
            Some(raw) => Some(read(scoring.main(), "full", raw)?),
            None if declared => None,
            None => Some(Points::whole(1)),
        };
        // Without a declaration, only the ruling has the goal, so the figure and `full` need each other.
        if !declared && self.full.is_some() != given.contains_key(&*scoring.main().name) {
            return Err(format!("full and the figure `{}` go together, and one is missing", scoring.main().name));
        }
        let mut figures: Vec<(FigureName, Points)> = Vec::new();
        for (at, figure) in scoring.given().enumerate() {
            let name = figure.name;
            let value = given.remove(&*name).map(|raw| read(figure, &format!("figure `{name}`"), raw));
            let value = match (value.transpose()?, word) {
                (value, Word::Wrong) if declared => {
                    if value.is_some() && figure.failed != Failed::Own {
                        notes.push(format!("the figure `{name}` of a wrong answer is ignored"));
                    }
                    value.filter(|_| figure.failed == Failed::Own)
                }
                (Some(value), _) => Some(value),
                (None, Word::Solved) if at == 0 && full.or(board.usual()).is_some() => full.or(board.usual()),
                (None, _) if !declared => Some(Points::zero(0)),
                // If less is better, a missing value would be the best.
                (None, Word::Unsolved) if at == 0 && figure.better == Better::More => Some(Points::zero(0)),
                (None, _) => return Err(format!("an answer that is not wrong needs the figure `{name}`")),
            };
            figures.extend(value.map(|value| (name, figure.cut(value))));
        }
        let of = figures.first().map(|(_, value)| *value).zip(full);
        if let Some((first, full)) = of.filter(|(first, full)| first > full) {
            return Err(format!("the figure `{}` is {first}, more than full, {full}", scoring.main().name));
        }
        match given.keys().next() {
            Some(name) => {
                let (name, verb) = (one_line(name), if declared { "declares" } else { "has" });
                let names: Vec<&str> = scoring.given().map(|figure| &*figure.name).collect();
                Err(format!("unknown figure `{name}`; the contest {verb} {}", names.join(", ")))
            }
            None => Ok(RefereeFigures { figures: figures.into_iter().collect(), full }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relative::Direction;
    use crate::scoring::Scoring;

    fn decode(json: &str) -> Result<Verdict, String> {
        decode_ruling(json.as_bytes(), BoardScoring::default()).map(|ruled| ruled.verdict).map_err(|error| error.0)
    }

    fn scored(json: &str) -> Result<(Verdict, Vec<String>), String> {
        let scoring = Scoring::new(Direction::Down, 2);
        let board = BoardScoring { scoring: Some(&scoring), points: None };
        decode_ruling(json.as_bytes(), board).map(|ruled| (ruled.verdict, ruled.notes)).map_err(|error| error.0)
    }

    #[test]
    fn every_verdict_is_read() {
        let whole = r#"{"format":1,"verdict":"solved","figures":{"progress":25,"moves":94,"tie_break":"1"},"full":25}"#;
        let given = |progress, full, moves, tie_break| {
            let names = [FigureName::PROGRESS, FigureName::MOVES, FigureName::TIE_BREAK];
            let figures = names.into_iter().zip([progress, moves, tie_break].map(Points::whole)).collect();
            RefereeFigures { figures, full: Some(Points::whole(full)) }
        };
        assert_eq!(decode(whole), Ok(Verdict::Solved(given(25, 25, 94, 1))));
        assert_eq!(decode(r#"{"format":1,"verdict":"solved"}"#), Ok(Verdict::Solved(given(1, 1, 0, 0))));
        let none = given(0, 1, 0, 0);
        assert_eq!(decode(r#"{"format":1,"verdict":"unsolved"}"#), Ok(Verdict::Unsolved(none.clone())));
        assert_eq!(
            decode(r#"{"format":1,"verdict":"wrong","reason":"two\nqueens"}"#),
            Ok(Verdict::Wrong { given: none.clone(), reason: "two queens".into() })
        );
        let illegal = Box::new(IllegalMove { index: 17, token: "x".into(), reason: "no".into() });
        assert_eq!(
            decode(r#"{"format":1,"verdict":"wrong","failed_at":17,"token":"x","reason":"no"}"#),
            Ok(Verdict::IllegalMove { given: none, illegal })
        );
    }

    #[test]
    fn scores_have_the_contest_s_decimals() {
        for score in ["12.345", "\"12.345\"", "1.2345e1", "12.3450"] {
            let (verdict, _) =
                scored(&format!(r#"{{"format":1,"verdict":"valid","figures":{{"score":{score}}}}}"#)).expect(score);
            assert_eq!(
                verdict.given().and_then(|given| given.figures.first()).expect("points").to_string(),
                "12.35",
                "{score}"
            );
        }
        let (_, notes) =
            scored(r#"{"format":1,"verdict":"wrong","reason":"no","figures":{"score":3}}"#).expect("a ruling");
        assert_eq!(notes, ["the figure `score` of a wrong answer is ignored"]);
        for twice in [r#""score":1,"score":2"#, r#""score":1,"sc\u006fre":1"#] {
            let refused = scored(&format!(r#"{{"format":1,"verdict":"valid","figures":{{{twice}}}}}"#));
            assert!(refused.as_ref().is_err_and(|reason| reason.contains("duplicate figure `score`")), "{refused:?}");
        }
        for score in ["\"nan\"", "true", "[1]", "{}", "1e400", "\"inf\"", "\" 1\"", "99999999999999999999"] {
            let refused = scored(&format!(r#"{{"format":1,"verdict":"valid","figures":{{"score":{score}}}}}"#));
            assert!(refused.is_err(), "{score}: {refused:?}");
        }
        assert!(
            scored(r#"{"format":1,"verdict":"unsolved"}"#).expect_err("no score").contains("needs the figure `score`")
        );
        assert!(
            scored(r#"{"format":1,"verdict":"valid"}"#).expect_err("no score").contains("needs the figure `score`")
        );
        assert!(
            scored(r#"{"format":1,"verdict":"valid","figures":{"score":1},"full":1}"#)
                .expect_err("of the contest")
                .contains("full stands in the contest file")
        );
    }

    #[test]
    fn what_is_no_ruling_is_refused() {
        for (json, reason) in [
            ("", "expected an object"),
            ("{", "EOF"),
            (r#"[1,"solved",null,null,null,null,null,null,null,null,null]"#, "expected an object"),
            (r#"{"format":1}"#, "missing field `verdict`"),
            (r#"{"format":2,"verdict":"solved"}"#, "format is 2"),
            (r#"{"format":1,"verdict":"solved","extra":1}"#, "unknown field `extra`"),
            (r#"{"format":1,"verdict":"solved","verdict":"wrong"}"#, "duplicate field"),
            (r#"{"format":1,"verdict":"good"}"#, "unknown verdict `good`"),
            (
                r#"{"format":1,"verdict":"solved","figures":{"progress":24},"full":25}"#,
                "solved with progress 24 of 25, moves 0, tie_break 0: an answer is solved exactly if",
            ),
            (
                r#"{"format":1,"verdict":"unsolved","figures":{"progress":25},"full":25}"#,
                "exactly if its first figure is full",
            ),
            (
                r#"{"format":1,"verdict":"valid","figures":{"progress":1},"full":1}"#,
                "exactly if its first figure is full",
            ),
            (
                r#"{"format":1,"verdict":"solved","figures":{"progress":1}}"#,
                "full and the figure `progress` go together",
            ),
            (r#"{"format":1,"verdict":"solved","full":1}"#, "full and the figure `progress` go together"),
            (r#"{"format":1,"verdict":"solved","progress":1,"of":1}"#, "progress is a figure now"),
            (r#"{"format":1,"verdict":"solved","of":1}"#, "of is called full now"),
            (
                r#"{"format":1,"verdict":"solved","figures":{"ups":1}}"#,
                "unknown figure `ups`; the contest has progress, moves, tie_break",
            ),
            (r#"{"format":1,"verdict":"wrong"}"#, "needs a reason"),
            (r#"{"format":1,"verdict":"wrong","reason":"  "}"#, "needs a reason"),
            (r#"{"format":1,"verdict":"solved","failed_at":1}"#, "only a wrong answer"),
            (r#"{"format":1,"verdict":"wrong","failed_at":0,"reason":"no"}"#, "failed_at is 0; the first move is 1"),
            (
                r#"{"format":1,"verdict":"wrong","reason":"no","figures":{"moves":9007199254740992}}"#,
                "figure `moves`: `9007199254740992` is too large",
            ),
            (r#"{"format":1,"verdict":"unsolved","figures":{"progress":2},"full":1}"#, "is 2, more than full, 1"),
        ] {
            let refused = decode(json).expect_err(json);
            assert!(refused.contains(reason), "{json}: {refused}");
        }
        let nested = format!(r#"{{"format":1,"verdict":"solved","score":{}"#, "[".repeat(50_000));
        assert!(decode(&nested).is_err());
        assert!(decode(&" ".repeat(70_000)).expect_err("too long").contains("more than 65536 bytes"));
    }
}
