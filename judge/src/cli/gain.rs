//! The gain of a version of a solver on an earlier one: by how much, on how many boards, and how many more boards would
//! decide. Pure.

use judge_core::compare::statistics::{Interval, mean, median, median_interval, sign_test};
use judge_core::compare::{Outcome, SIGNIFICANT, better_of, equals};
use judge_core::judged_by::JudgedBy;
use judge_core::relative::Direction;
use judge_core::results::Results;
use judge_core::score::RunCell;
use judge_job::count_text;

/// The most boards that an outlook names.
const MAX: usize = 100_000;

/// The tally of boards of two versions, and what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outlook {
    /// Significantly better or worse, by the sign test.
    Decided(bool),
    /// So many more boards would decide if they turned out as those so far.
    More(usize),
    /// More boards would not decide: neither is better more often, or by too little.
    Open,
}

impl Outlook {
    /// The outlook after so many boards, on which the version is better and worse so many times.
    pub(super) fn new(better: usize, worse: usize, boards: usize) -> Self {
        let significant = |better, worse| sign_test(better, worse).is_some_and(|p| p < SIGNIFICANT);
        if significant(better, worse) {
            return Self::Decided(better > worse);
        }
        let unequal = better + worse;
        if better == worse || boards == 0 {
            return Self::Open;
        }
        // Each further board as those so far, in whole numbers.
        let at = |all: usize| {
            let share = |part: usize| (part * all * 2 + boards) / (2 * boards);
            significant(share(better.max(worse)), share(better.min(worse)))
        };
        debug_assert!(unequal > 0);
        let (mut low, mut high) = (boards, boards);
        while !at(high) {
            low = high;
            high = high.saturating_mul(2);
            if low > MAX {
                return Self::Open;
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if at(middle) { high = middle } else { low = middle }
        }
        if high - boards > MAX { Self::Open } else { Self::More(high - boards) }
    }

    /// Describes it as a fragment.
    pub(super) fn text(self) -> String {
        match self {
            Self::Decided(true) => "better".into(),
            Self::Decided(false) => "worse".into(),
            Self::More(1) => "undecided; about 1 more board like these would decide".into(),
            Self::More(boards) => format!("undecided; about {boards} more boards like these would decide"),
            Self::Open => "undecided; more boards like these would not decide".into(),
        }
    }
}

/// An earlier version, for the gains of another one on it.
pub(super) struct Earlier {
    /// Its title, such as `version 3`.
    pub(super) title: String,
    /// The results of its runs, with one row.
    pub(super) runs: Results,
}

/// Describes the cells so far, each with its board, and the gain on an earlier version: a fragment per line.
pub(super) fn lines(
    cells: &[(&str, RunCell)],
    earlier: Option<&Earlier>,
    (points, judged_by, what): (Option<Direction>, JudgedBy, &str),
) -> Vec<String> {
    let value = |cell: &RunCell| match judged_by {
        JudgedBy::Progress => cell.metrics.moves.filter(|_| cell.solves(cell.of)).map(i128::from),
        JudgedBy::Score => cell.metrics.points.filter(|_| cell.code.is_none()).map(|points| points.units().into()),
        JudgedBy::Acceptance => None,
    };
    // Points are whole numbers of their smallest part here.
    let decimals = cells.iter().find_map(|(_, cell)| cell.metrics.points).map_or(0, |points| points.decimals());
    let unit = 10f64.powi(decimals.into());
    let answered = cells.iter().filter(|(_, cell)| cell.code.is_none()).count();
    let values: Vec<i128> = cells.iter().filter_map(|(_, cell)| value(cell)).collect();
    let mut lines = Vec::new();
    lines.push(match mean(&values) {
        Some(mean) => {
            let of = count_text(values.len(), "board", "boards");
            format!("mean {what} {:.1} on {of} of {}", mean / unit, cells.len())
        }
        None => format!("answers to {answered} of {}", count_text(cells.len(), "board", "boards")),
    });
    let Some(earlier) = earlier else { return lines };
    let before = |board: &str| {
        let column = earlier.runs.boards.iter().position(|head| head.name == board)?;
        earlier.runs.rows.first().map(|row| &row.cells[column])
    };
    let pairs: Vec<(&RunCell, &RunCell)> =
        cells.iter().filter_map(|(board, now)| Some((before(board)?, now))).filter(|(old, _)| old.judged()).collect();
    // A gain is positive, whichever way is better.
    let fewer = points != Some(Direction::Up);
    let gains: Vec<i128> = pairs
        .iter()
        .filter_map(|(old, now)| Some((value(old)?, value(now)?)))
        .map(|(old, now)| if fewer { old - now } else { now - old })
        .collect();
    let signed = |figure: f64| format!("{:+.1}", (figure / unit * 10.0).round() / 10.0 + 0.0);
    if let (Some(mean), Some(median)) = (mean(&gains), median(&gains)) {
        let spread = match median_interval(&gains) {
            Some(Interval { low, high }) => format!(", 95 % interval {} to {}", signed(low), signed(high)),
            None => String::new(),
        };
        let on = count_text(gains.len(), "board", "boards");
        lines.push(format!(
            "gain on {}: {} {what} per board (median {}{spread}) on {on} answered by both",
            earlier.title,
            signed(mean),
            signed(median)
        ));
    }
    let count = |wanted| pairs.iter().filter(|(old, now)| better_of(old, now, points) == wanted).count();
    let (better, worse) = (count(Outcome::Second), count(Outcome::First));
    let p = sign_test(better, worse).map_or(String::new(), |p| format!(" (p {})", equals(p)));
    lines.push(format!(
        "better on {better}, worse on {worse}, same on {}: {}{p}",
        pairs.len() - better - worse,
        Outlook::new(better, worse, pairs.len()).text()
    ));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlook_is_where_the_same_shares_become_significant() {
        assert_eq!(Outlook::new(6, 0, 6), Outlook::Decided(true));
        assert_eq!(Outlook::new(0, 12, 40), Outlook::Decided(false));
        assert_eq!(Outlook::new(5, 5, 20), Outlook::Open);
        assert_eq!(Outlook::new(0, 0, 20), Outlook::Open);
        assert_eq!(Outlook::new(0, 0, 0), Outlook::Open);
        // Five of five: a sixth decides.
        assert_eq!(Outlook::new(5, 0, 5), Outlook::More(1));
        assert_eq!(Outlook::new(0, 5, 5), Outlook::More(1));
        // Of ten boards five are ties: as many more ties come with them.
        assert_eq!(Outlook::new(5, 0, 10), Outlook::More(1), "11 boards round to six wins");
        let Outlook::More(more) = Outlook::new(6, 4, 10) else { panic!("six of ten are not enough") };
        let share = |part: usize| (part * (10 + more) + 5) / 10;
        assert!(sign_test(share(6), share(4)).unwrap() < SIGNIFICANT, "{more}");
        assert!((60..120).contains(&more), "{more}");
        assert_eq!(Outlook::new(50_001, 50_000, 100_001), Outlook::Open);
    }

    fn results(name: &str, moves: &[Option<u64>]) -> Results {
        let runs = moves.iter().enumerate().map(|(board, moves)| match moves {
            Some(moves) => format!("s,B{board},solved,9,9,{moves},1,5,100\n"),
            None => format!("s,B{board},timed_out,0,9,,,5,100\n"),
        });
        let csv =
            "entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms\n".to_owned() + &runs.collect::<String>();
        Results::read_csv(name, csv.as_bytes()).unwrap()
    }

    #[test]
    fn a_gain_is_described_in_full() {
        let old = results("old", &[Some(10), Some(12), Some(14), Some(16), Some(18), Some(20), None, Some(9)]);
        let new = results("new", &[Some(8), Some(11), Some(13), Some(13), Some(18), Some(21), Some(50), None]);
        let cells: Vec<(&str, RunCell)> =
            new.boards.iter().map(|head| head.name.as_str()).zip(new.rows[0].cells.iter().cloned()).collect();
        let earlier = Earlier { title: "version 3".into(), runs: old };
        let lines = lines(&cells, Some(&earlier), (None, JudgedBy::Progress, "moves"));
        assert_eq!(lines[0], "mean moves 19.1 on 7 boards of 8");
        // Gains of 2, 1, 1, 3, 0 and -1.
        assert_eq!(
            lines[1],
            "gain on version 3: +1.0 moves per board (median +1.0, 95 % interval -1.0 to +3.0) on 6 boards answered by both"
        );
        assert!(lines[2].starts_with("better on 5, worse on 2, same on 1: undecided; about "), "{}", lines[2]);
        assert!(lines[2].ends_with("(p = 0.45)"), "{}", lines[2]);
    }
}
