//! The output of an output validator of a Kattis or ICPC problem package: an exit code and feedback files.

use super::lines::{first_line, one_line};
use super::{BoardScoring, Decoded, Malformed};
use crate::figure::{Figures, RefereeFigures};
use crate::points::Points;
use crate::verdict::Verdict;

/// The exit code for an accepted answer.
pub const ACCEPTED: i32 = 42;
/// The exit code for a wrong answer.
pub const REJECTED: i32 = 43;

/// The supported feedback files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feedback {
    /// Contents of `score.txt`: a number.
    pub score: Option<Vec<u8>>,
    /// Contents of `score_multiplier.txt`: a number.
    pub score_multiplier: Option<Vec<u8>>,
    /// Contents of `judgemessage.txt`, for the organiser.
    pub judge_message: Option<Vec<u8>>,
    /// Contents of `teammessage.txt`, for the entry's author.
    pub team_message: Option<Vec<u8>>,
    /// True if a `nextpass.in` exists, which only a referee with several passes may leave.
    pub next_pass: bool,
}

/// Decodes an exit code, [`ACCEPTED`] or [`REJECTED`], with its feedback; `None` for any other code.
pub fn decode_kattis(code: i32, feedback: &Feedback, board: BoardScoring<'_>) -> Option<Result<Decoded, Malformed>> {
    let mut notes = Vec::new();
    if let Some(message) = feedback.judge_message.as_deref().and_then(first_line) {
        notes.push(format!("the referee notes: {message}"));
    }
    let verdict = match code {
        REJECTED => {
            if feedback.score.is_some() || feedback.score_multiplier.is_some() {
                notes.push("the score of a wrong answer is ignored".into());
            }
            let reason = feedback.team_message.as_deref().and_then(first_line);
            let reason = reason.unwrap_or_else(|| "the referee rejects it".into());
            Ok(Verdict::Wrong { given: RefereeFigures::default(), reason })
        }
        ACCEPTED => accepted(feedback, board, &mut notes),
        _ => return None,
    };
    Some(verdict.map(|verdict| Decoded { verdict, notes }).map_err(Malformed))
}

fn accepted(feedback: &Feedback, board: BoardScoring<'_>, notes: &mut Vec<String>) -> Result<Verdict, String> {
    if feedback.next_pass {
        return Err("it asks for another pass (nextpass.in); allow several with passes = N in [referee]".into());
    }
    let text = |name: &str, file: &Option<Vec<u8>>| match file {
        Some(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(_) => Err(format!("{name} is not UTF-8")),
        },
        None => Ok(None),
    };
    let score = text("score.txt", &feedback.score)?;
    let multiplier = text("score_multiplier.txt", &feedback.score_multiplier)?;
    let Some(scoring) = board.scoring else {
        if score.is_some() || multiplier.is_some() {
            notes.push("its score is ignored: the contest declares no [[figure]]".into());
        }
        return Ok(Verdict::Solved(RefereeFigures::default()));
    };
    match (score, multiplier) {
        (Some(_), Some(_)) => Err("it left both score.txt and score_multiplier.txt".into()),
        (None, Some(text)) => {
            let malformed = |error: String| format!("score_multiplier.txt: {}", one_line(&error));
            let factor = Points::parse(&text, crate::points::MAX_DECIMALS);
            let factor = factor.map_err(|error| malformed(error.to_string()))?;
            if factor < Points::zero(0) || factor > Points::parse("1", 0).expect("a number") {
                return Err(malformed(format!("`{text}` is not between 0 and 1")));
            }
            let whole = board.usual().ok_or_else(|| malformed("the board has no points to multiply".into()))?;
            let points = Points::zero(scoring.main().decimals).plus(whole).times(factor);
            Ok(board.graded(points))
        }
        (score, None) => {
            let given = score.is_some();
            let malformed = |error: String| format!("score.txt: {}", one_line(&error));
            let points = board.given(score.as_deref(), board.usual(), notes).map_err(malformed)?;
            let points = points.unwrap_or(Points::zero(scoring.main().decimals));
            Ok(if given { board.graded(points) } else { board.accepted(points) })
        }
    }
}

impl BoardScoring<'_> {
    /// The points of an accepted answer without a score: those of the board, or those that solve a board.
    pub fn usual(&self) -> Option<Points> {
        self.points.or(self.scoring?.main().full)
    }

    /// The points in a referee's text, or the usual ones. `None` without scoring, with a note if the text exists. The error is a
    /// fragment.
    pub(super) fn given(
        &self,
        text: Option<&str>,
        usual: Option<Points>,
        notes: &mut Vec<String>,
    ) -> Result<Option<Points>, String> {
        let Some(scoring) = self.scoring else {
            if text.is_some() {
                notes.push("its score is ignored: the contest declares no [[figure]]".into());
            }
            return Ok(None);
        };
        let points = match text {
            Some(text) => scoring.main().parse(text)?,
            None => {
                let usual = usual.ok_or("an answer that is not wrong needs a score, or its board needs `points`")?;
                Points::zero(scoring.main().decimals).plus(usual)
            }
        };
        Ok(Some(points))
    }

    /// The verdict on an accepted answer, which depends only on its points.
    pub(super) fn graded(&self, points: Points) -> Verdict {
        if self.scoring.is_some_and(|scoring| scoring.solves(points, self.points)) {
            self.accepted(points)
        } else {
            Verdict::Valid(self.first(points))
        }
    }

    /// The verdict on an answer that solves the board.
    pub fn accepted(&self, points: Points) -> Verdict {
        Verdict::Solved(self.first(points))
    }

    /// Only the first figure of the contest.
    fn first(&self, points: Points) -> RefereeFigures {
        self.scoring.map_or_else(RefereeFigures::default, |scoring| {
            RefereeFigures::new(Figures::one(scoring.main().name, points))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relative::Direction;
    use crate::scoring::Scoring;

    fn scored(feedback: &Feedback, points: Option<&str>) -> Result<(String, String), String> {
        let scoring = Scoring::new(Direction::Up, 3);
        let board =
            BoardScoring { scoring: Some(&scoring), points: points.map(|points| points.parse().expect("points")) };
        let ruled = decode_kattis(ACCEPTED, feedback, board).expect("a known code").map_err(|error| error.0)?;
        let points = ruled.verdict.given().and_then(|given| given.figures.first()).expect("points");
        Ok((ruled.verdict.name().into(), points.to_string()))
    }

    fn score(text: &str) -> Feedback {
        Feedback { score: Some(text.into()), ..Feedback::default() }
    }

    #[test]
    fn exit_codes_decide() {
        let feedback = Feedback {
            judge_message: Some(b"\nexpected 3\nmore".to_vec()),
            team_message: Some(b"no".to_vec()),
            ..score("7")
        };
        let wrong = decode_kattis(REJECTED, &feedback, BoardScoring::default()).expect("known").expect("well-formed");
        assert_eq!(wrong.verdict.fault().as_deref(), Some("wrong answer: no"));
        assert_eq!(wrong.notes, ["the referee notes: expected 3", "the score of a wrong answer is ignored"]);
        let right = decode_kattis(ACCEPTED, &score("7"), BoardScoring::default()).expect("known").expect("well-formed");
        assert!(matches!(&right.verdict, Verdict::Solved(given) if *given == RefereeFigures::default()));
        assert!(right.notes[0].contains("ignored"));
        for code in [0, 1, 41, 44, -1, 255] {
            assert!(decode_kattis(code, &Feedback::default(), BoardScoring::default()).is_none(), "{code}");
        }
    }

    #[test]
    fn points_solve_a_board_in_the_direction_of_the_contest() {
        for (direction, full, points, given, solves) in [
            (Direction::Up, None, Some("10"), "10", true),
            (Direction::Up, None, Some("10"), "9.999", false),
            (Direction::Down, None, Some("10"), "5", true),
            (Direction::Down, None, Some("10"), "15", false),
            (Direction::Down, Some("-2"), Some("10"), "5", false),
            (Direction::Down, Some("-2"), Some("10"), "-2", true),
            (Direction::Up, None, None, "1000", false),
        ] {
            let parse = |text: &str| text.parse().expect("points");
            let mut scoring = Scoring::new(direction, 3);
            scoring.figures[0].full = full.map(parse);
            let board = BoardScoring { scoring: Some(&scoring), points: points.map(parse) };
            let ruled = decode_kattis(ACCEPTED, &score(given), board).expect("a known code").expect("a ruling");
            assert_eq!(ruled.verdict.name() == "solved", solves, "{direction:?} {full:?} {points:?}: {given}");
        }
    }

    #[test]
    fn scores_and_multipliers_are_read_as_validators_write_them() {
        let ok = |name: &str, points: &str| Ok((name.to_owned(), points.to_owned()));
        assert_eq!(scored(&score("1.000000000e+00\n"), None), ok("valid", "1.000"));
        assert_eq!(scored(&score("8"), Some("8")), ok("solved", "8.000"));
        assert_eq!(scored(&Feedback::default(), Some("8")), ok("solved", "8.000"));
        let multiplier = |text: &str| Feedback { score_multiplier: Some(text.into()), ..Feedback::default() };
        assert_eq!(scored(&multiplier("0.3333333333333"), Some("10")), ok("valid", "3.333"));
        assert_eq!(scored(&multiplier("1"), Some("10")), ok("solved", "10.000"));
        assert_eq!(scored(&score("-1"), Some("8")), ok("valid", "-1.000"), "negative points are points");
        for text in ["nan", "inf", "", "1e99999999", "12 13"] {
            assert!(scored(&score(text), Some("8")).is_err(), "{text}");
        }
        assert!(scored(&multiplier("1.1"), Some("8")).is_err());
        assert!(scored(&multiplier("0.5"), None).is_err());
        assert!(scored(&Feedback::default(), None).expect_err("no score").contains("needs a score"));
        assert!(scored(&Feedback { score_multiplier: Some(b"1".to_vec()), ..score("1") }, Some("1")).is_err());
        assert!(scored(&Feedback { next_pass: true, ..score("1") }, None).expect_err("passes").contains("nextpass.in"));
    }
}
