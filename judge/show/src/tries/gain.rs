//! The gain of a version of a solver on an earlier one, in words.

use crate::versions::Gain;
use judge_job::count_text;

/// Describes the figures of a try so far, a fragment per line. `what` is the heading of an answer's value.
pub fn lines(gain: &Gain, what: &str) -> Vec<String> {
    let boards = |number| count_text(number, "board", "boards");
    let mut lines = vec![match gain.mean {
        Some(mean) => format!("mean {what} {mean:.1} on {} of {}", boards(gain.valued), gain.boards),
        None => format!("answers to {} of {}", gain.answered, boards(gain.boards)),
    }];
    let Some(on) = &gain.on_earlier else { return lines };
    // No figure is -0.0.
    let signed = |figure: f64| format!("{:+.1}", (figure * 10.0).round() / 10.0 + 0.0);
    if let Some(mean) = on.mean {
        let (mean, both) = (signed(mean), boards(on.both));
        lines.push(format!("gain on {}: {mean} {what} per board on {both} answered by both", on.title));
    }
    lines.push(format!("better on {}, worse on {}, same on {} so far", on.better, on.worse, on.same));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::{Baseline, Version};
    use judge_core::results::Results;
    use judge_core::score::RunCell;

    /// Results of one entry, with these numbers of moves on the boards.
    fn results(moves: &[u64]) -> Results {
        let row = |(board, moves)| format!("s,B{board},solved,9,9,{moves},1,5,100\n");
        let rows: String = moves.iter().enumerate().map(row).collect();
        let head = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n";
        Results::read_csv("results", (head.to_owned() + &rows).as_bytes()).unwrap()
    }

    #[test]
    fn a_gain_is_described_in_full() {
        let (old, new) = (results(&[10, 12, 14, 16, 18, 20]), results(&[8, 11, 13, 13, 18, 21]));
        let cells: Vec<(&str, &RunCell)> =
            new.boards.iter().map(|head| head.name.as_str()).zip(&new.rows[0].cells).collect();
        let version = Version { number: 3, ..Version::default() };
        let earlier = Baseline::new(version, old);
        let ranking = new.board_ranking();
        let lines = lines(&Gain::new(&cells, Some(&earlier), &ranking), "moves");
        let expected = [
            "mean moves 14.0 on 6 boards of 6",
            "gain on version 3: +1.0 moves per board on 6 boards answered by both",
            "better on 4, worse on 1, same on 1 so far",
        ];
        assert_eq!(lines, expected, "no test: it is looked at again and again");
    }
}
