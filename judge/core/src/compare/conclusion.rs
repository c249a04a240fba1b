//! The summary of results: the leader and the margin, missing runs, and whether the tests agree with the places. If they do not,
//! it gives the reason. Every table, page and JSON document begins with it.

mod comparison;
mod figures;
mod leader;
mod pair;
#[cfg(test)]
mod product;

use serde::Serialize;

use super::pair::Pair;
use crate::ranking::PairResult;
use crate::results::Results;
use crate::text::shortened;

pub use figures::RankingFigures;
pub use pair::PairVerdict;

/// The most entries that a sentence names.
const MAX_NAMED: usize = 5;

/// A summary in sentences, and the facts in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Conclusion {
    /// The sentences. Names in them are printable and shortened.
    #[serde(rename = "answer")]
    pub text: String,
    /// True if no run is missing.
    pub complete: bool,
    /// The number of planned runs without a result.
    pub missing: usize,
    /// The deciding figure between the first and the next entry, or between two compared entries; `None` if none decides.
    pub decided_by: Option<String>,
    /// True if a test confirms that order, false if one contradicts it; `None` if no test is significant.
    pub tests_agree: Option<bool>,
}

impl Conclusion {
    /// The summary of ranked results.
    pub fn from_results(results: &Results) -> Self {
        let standing = leader::Leader::of(results);
        // The two games of a pair on a board are not independent, so the tests for runs do not apply to them.
        let pair = standing.pair.filter(|_| results.matches.is_none());
        let pair = pair.map(|rows| Pair::of_rows(results, rows));
        let figures = RankingFigures::of(results);
        let missing = Missing::of([results]);
        let mut sentences = vec![standing.text];
        if let Some((pair, (first, second))) = pair.as_ref().zip(standing.pair) {
            let names = [first, second].map(|row| shortened(&results.rows[row].entry.name));
            sentences.extend(pair::tests(pair, &names, &figures));
        }
        sentences.extend(missing.sentence());
        Self {
            text: sentences.join(" "),
            complete: missing.runs == 0,
            missing: missing.runs,
            decided_by: standing.decided_by,
            tests_agree: pair.as_ref().and_then(Pair::tests_agree),
        }
    }
}

/// The planned runs that have no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) runs: usize,
    planned: usize,
}

impl Missing {
    /// Counts the missing runs of all repeats, without those of withdrawn entries. A run with a judge error is missing.
    pub(crate) fn of<'a>(all: impl IntoIterator<Item = &'a Results>) -> Self {
        all.into_iter().fold(Self { runs: 0, planned: 0 }, |Self { runs, planned }, results| Self {
            runs: runs + results.missing(),
            planned: planned + results.planned(),
        })
    }

    /// The number of missing runs, as a sentence; `None` if none is missing.
    pub(crate) fn sentence(self) -> Option<String> {
        let verb = if self.runs == 1 { "is" } else { "are" };
        let [runs, planned] = [self.runs, self.planned].map(grouped);
        (self.runs > 0).then(|| format!("{runs} of {planned} runs {verb} missing."))
    }
}

/// A number with a comma between each three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Lists names; if they are many, only some of them.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., _] if first.len() > MAX_NAMED => {
            format!("{} and {} others", names[..MAX_NAMED].join(", "), names.len() - MAX_NAMED)
        }
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

impl Pair {
    /// Tests whether a significant test agrees that the higher-ranked one is better; `None` if no test is significant.
    pub fn tests_agree(&self) -> Option<bool> {
        match self.better {
            PairResult::First | PairResult::Second => {}
            _ => return None,
        }
        let more = self.first_better > self.second_better;
        let by_boards = self.sign_test.significant().then_some(more == (self.better == PairResult::First));
        let by_ranking = self.flips.significant().then_some(true);
        by_boards.filter(|agrees| !agrees).or(by_ranking).or(by_boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_unless_several_others_are_left() {
        let names: Vec<String> = ('a'..='g').map(String::from).collect();
        for (count, text) in
            [(0, ""), (1, "a"), (2, "a and b"), (6, "a, b, c, d, e and f"), (7, "a, b, c, d, e and 2 others")]
        {
            assert_eq!(listed(&names[..count]), text);
        }
    }

    /// Runs of entries, with one text per board: moves and milliseconds, `TIM`, or `-` for a missing run.
    fn answer(entries: &[(&str, Vec<String>)]) -> Conclusion {
        let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        for (entry, cells) in entries {
            for (board, cell) in cells.iter().enumerate() {
                csv += &match cell.as_str() {
                    "TIM" => format!("{entry},B{board},timed_out,,,,,9000,9\n"),
                    "-" => format!("{entry},B{board},missing,,,,,,9\n"),
                    moves => format!("{entry},B{board},solved,25,25,{moves},1,5000,9\n"),
                };
            }
        }
        Conclusion::from_results(&Results::read_csv("test", csv.as_bytes()).unwrap())
    }

    #[test]
    fn tests_that_contradict_the_places_are_explained() {
        // The first entry solves all boards; the other one solves all but ten, and most of them in fewer moves.
        let cells = |moves: &dyn Fn(usize) -> String| (0..108).map(moves).collect::<Vec<String>>();
        let long = cells(&|board| if board < 93 { "30".into() } else { "20".into() });
        let short = cells(&|board| if board >= 98 { "TIM".into() } else { "21".into() });
        let answer = answer(&[("bittwister", long), ("tilex", short)]);
        assert_eq!(
            answer.text,
            "bittwister wins with 2700 progress and 3090 moves, 250 progress more than tilex. That is more than chance (p = \
             0.002). But tilex is better on 93 of 108 boards (p < 0.001), and on 93 of the 98 that both solve: bittwister \
             has more progress in all."
        );
        assert_eq!((answer.decided_by.as_deref(), answer.tests_agree), (Some("progress"), Some(false)));
    }

    #[test]
    fn an_answer_has_what_is_missing_and_what_could_be_chance() {
        let cells = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let few = answer(&[("a", cells(&["9", "9"])), ("b", cells(&["10", "10"])), ("c", cells(&["8", "-"]))]);
        assert_eq!(
            few.text,
            "a leads so far with 50 progress and 18 moves, 2 moves fewer than b. 2 boards are too few to tell that from \
             chance. 1 of 6 runs is missing."
        );
        assert_eq!((few.complete, few.missing, few.tests_agree), (false, 1, None));
        let same = answer(&[("a", cells(&["9"; 8])), ("b", cells(&["9", "9", "9", "9", "9", "10", "10", "9"]))]);
        assert!(same.text.ends_with(" That could be chance (p = 0.50)."), "{}", same.text);
        let missing = Missing { runs: 88, planned: 1_500 };
        assert_eq!(missing.sentence().unwrap(), "88 of 1,500 runs are missing.");
        assert_eq!([999, 1_000, 12_345_678].map(grouped), ["999", "1,000", "12,345,678"]);
    }
}
