//! Streams of answers, each better than the one before: `[answers] stream = true`.
//!
//! Every line of standard output that is not blank is a whole answer, and counts from its arrival. The last one that the referee
//! accepts is the entry's answer, even if the limit ended the entry while it printed another line. [`Lines`] chooses the lines
//! that are judged. A stream of millions of lines needs no more memory than one of thousands.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::figure::{Better, RefereeFigures};
use crate::score::RunCell;
use crate::scoring::Scoring;
use crate::verdict::Verdict;
use judge_job::{Arrival, Micros};

/// The most steps of a record. With more, every second one is left out.
const MAX_STEPS: usize = 100;

/// The record of a stream of answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stream {
    /// The number of lines that are not blank.
    pub lines: u64,
    /// The number of lines that the referee judged.
    pub judged: u64,
    /// The time at which the answer that counts had arrived, in microseconds from the start; `None` if none counts.
    #[serde(default, deserialize_with = "Micros::optional", skip_serializing_if = "Option::is_none")]
    pub answer_us: Option<u64>,
    /// The answers that were better than all before them, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

/// An answer that was better than all before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The time at which it had arrived, in microseconds from the start.
    #[serde(deserialize_with = "Micros::number")]
    pub at_us: u64,
    /// The verdict on it, with its score.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Step {
    /// Returns the cell that a run with this answer would have.
    pub fn cell(&self, limit_ms: u64, scoring: &Arc<Scoring>) -> RunCell {
        RunCell::from_verdict(&self.verdict, Some(self.at_us), limit_ms, scoring)
    }
}

impl Stream {
    /// Adds the verdict on the next judged line, in a contest with these figures.
    pub fn add(&mut self, at_us: u64, verdict: &Verdict, scoring: &Scoring) {
        self.judged += 1;
        if !accepted(verdict) {
            return;
        }
        self.answer_us = Some(at_us);
        let best = self.steps.last().and_then(|step| step.verdict.given());
        if verdict.given().is_some_and(|given| best.is_none_or(|best| better(given, best, scoring))) {
            self.steps.push(Step { at_us, verdict: verdict.clone() });
        }
    }

    /// Removes every second step, but not the first and the last one, until few enough remain.
    #[must_use]
    pub fn thinned(mut self) -> Self {
        while self.steps.len() > MAX_STEPS {
            let last = self.steps.len() - 1;
            let mut at = 0..;
            self.steps.retain(|_| at.next().is_some_and(|at| at % 2 == 0 || at == last));
        }
        self
    }
}

/// Tests whether an answer counts: the referee accepts it, although it may not reach the goal.
pub fn accepted(verdict: &Verdict) -> bool {
    verdict.code().is_none()
}

/// Tests whether an answer is better than another one on the same board, by the figures of the contest in their order. Only the
/// first figure decides if the answer does not reach the known goal.
fn better(given: &RefereeFigures, best: &RefereeFigures, scoring: &Scoring) -> bool {
    let most = if given.solves() == Some(false) { 1 } else { usize::MAX };
    let orders = scoring.given().take(most).map(|figure| {
        let values = [given, best].map(|given| given.figures.get(&figure.name));
        match figure.better {
            Better::More => values[0].cmp(&values[1]),
            // An unknown value is worse than a known one.
            Better::Less => values[1].is_none().cmp(&values[0].is_none()).then_with(|| values[1].cmp(&values[0])),
            Better::Neither => Ordering::Equal,
        }
    });
    orders.fold(Ordering::Equal, Ordering::then).is_gt()
}

/// A line, given by its place in standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Its first byte.
    pub begin: u64,
    /// Its end, without the newline.
    pub end: u64,
}

/// A selection of the lines of a stream. It contains the last lines, and at most as many of those before, evenly spaced. In a
/// long stream, these are at least half as many.
#[derive(Debug, Clone)]
pub struct Lines {
    most: usize,
    /// The place of the next byte.
    at: u64,
    begin: u64,
    blank: bool,
    count: u64,
    /// Every `stride`-th line before the last ones.
    earlier: Vec<Line>,
    passed: u64,
    stride: u64,
    last: VecDeque<Line>,
}

impl Lines {
    /// A selection of up to this many of the last lines, at least one, and of up to as many before them.
    pub fn new(most: usize) -> Self {
        let most = most.max(1);
        Self {
            most,
            at: 0,
            begin: 0,
            blank: true,
            count: 0,
            earlier: Vec::new(),
            passed: 0,
            stride: 1,
            last: VecDeque::with_capacity(most.min(4096)),
        }
    }

    /// Adds the next bytes of the output.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.close();
                self.begin = self.at + 1;
            } else if !byte.is_ascii_whitespace() {
                self.blank = false;
            }
            self.at += 1;
        }
    }

    /// Ends the output. A last line without a newline counts only if the entry ended by itself.
    pub fn finish(&mut self, by_itself: bool) {
        if by_itself {
            self.close();
        }
        self.blank = true;
    }

    /// Returns the number of lines that are not blank.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the selected lines, in their order.
    pub fn chosen(&self) -> impl Iterator<Item = Line> + '_ {
        self.earlier.iter().chain(&self.last).copied()
    }

    fn close(&mut self) {
        if std::mem::replace(&mut self.blank, true) {
            return;
        }
        self.count += 1;
        self.last.push_back(Line { begin: self.begin, end: self.at });
        if self.last.len() > self.most
            && let Some(line) = self.last.pop_front()
        {
            if self.passed.is_multiple_of(self.stride) {
                self.earlier.push(line);
            }
            self.passed += 1;
            if self.earlier.len() > self.most {
                let mut at = 0..;
                self.earlier.retain(|_| at.next().is_some_and(|at: u64| at.is_multiple_of(2)));
                self.stride *= 2;
            }
        }
    }
}

/// Returns the time at which a line had arrived. It is that of the mark that covers its last byte, or of the last mark if none
/// does.
pub fn arrived_us(line: Line, arrivals: &[Arrival]) -> u64 {
    let mark = arrivals.partition_point(|mark| mark.bytes < line.end);
    arrivals.get(mark).or(arrivals.last()).map_or(0, |mark| mark.at_us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{IllegalMove, Score};
    use crate::games;

    fn lines(text: &str, most: usize, by_itself: bool) -> (u64, Vec<String>) {
        let mut lines = Lines::new(most);
        // The text comes in pieces, like a file.
        text.as_bytes().chunks(3).for_each(|piece| lines.feed(piece));
        lines.finish(by_itself);
        let at = |at: u64| usize::try_from(at).unwrap();
        (lines.count(), lines.chosen().map(|line| text[at(line.begin)..at(line.end)].to_owned()).collect())
    }

    #[test]
    fn only_whole_lines_with_text_are_answers() {
        assert_eq!(lines("ab\n\n  \ncd e\nf", 9, false), (2, vec!["ab".into(), "cd e".into()]));
        assert_eq!(lines("ab\n\n  \ncd e\nf", 9, true).1, ["ab", "cd e", "f"]);
        assert_eq!(lines("", 9, true), (0, Vec::new()));
        assert_eq!(lines("x\r\n", 9, false).1, ["x\r"], "a carriage return is blank space for every game");
    }

    #[test]
    fn of_many_lines_the_last_ones_and_an_even_rest_are_chosen() {
        let text: String = (0..1000).map(|line| format!("{line}\n")).collect();
        let (count, chosen) = lines(&text, 8, false);
        assert_eq!(count, 1000);
        assert!(chosen.len() <= 16 && chosen.len() > 8, "{chosen:?}");
        let numbers: Vec<u32> = chosen.iter().map(|line| line.parse().unwrap()).collect();
        assert_eq!(numbers[numbers.len() - 8..], (992..1000).collect::<Vec<_>>());
        assert_eq!(numbers[0], 0);
        let gaps: Vec<u32> = numbers[..numbers.len() - 8].windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|gap| *gap == gaps[0]), "{numbers:?}");
    }

    #[test]
    fn a_line_arrived_with_the_mark_that_covers_it() {
        let marks = [Arrival { bytes: 3, at_us: 10 }, Arrival { bytes: 9, at_us: 50 }];
        let at = |end| arrived_us(Line { begin: 0, end }, &marks);
        assert_eq!([at(2), at(3), at(4), at(9), at(12)], [10, 10, 50, 50, 50]);
        assert_eq!(arrived_us(Line { begin: 0, end: 1 }, &[]), 0);
    }

    fn given(progress: u64, moves: u64) -> RefereeFigures {
        games::GAMES[0].given(Score { progress, of: 25, moves, ..Score::default() })
    }

    fn scoring() -> Scoring {
        Scoring::of_game(games::GAMES[0].name)
    }

    fn solved(moves: u64) -> Verdict {
        Verdict::Solved(given(25, moves))
    }

    #[test]
    fn the_last_accepted_answer_counts() {
        let mut stream = Stream::default();
        let illegal = |given| Verdict::IllegalMove {
            given,
            illegal: Box::new(IllegalMove { index: 1, token: "x".into(), reason: "no move".into() }),
        };
        for (at_us, verdict) in [
            (1, Verdict::Unsolved(given(3, 9))),
            (2, illegal(given(3, 9))),
            (3, solved(90)),
            (4, solved(95)),
            (5, solved(80)),
            (6, solved(85)),
            (7, illegal(given(0, 0))),
        ] {
            stream.add(at_us, &verdict, &scoring());
        }
        assert_eq!((stream.judged, stream.answer_us), (7, Some(6)));
        assert_eq!(stream.steps.iter().map(|step| step.at_us).collect::<Vec<_>>(), [1, 3, 5]);
        let text = serde_json::to_string(&stream).unwrap();
        assert_eq!(serde_json::from_str::<Stream>(&text).unwrap(), stream);
    }

    #[test]
    fn steps_are_thinned_to_a_hundred_with_both_ends() {
        let mut stream = Stream::default();
        (0..1000).for_each(|at| stream.add(at, &solved(2000 - at), &scoring()));
        let stream = stream.thinned();
        assert!(stream.steps.len() <= MAX_STEPS && stream.steps.len() > MAX_STEPS / 2);
        assert_eq!((stream.steps[0].at_us, stream.steps.last().unwrap().at_us), (0, 999));
    }
}
