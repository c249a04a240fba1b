//! The first screen besides the headline: two answers to one board, which the page's script plays, and the race.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::plot::{self, Curve, Plot};
use super::source::PageSource;

/// Renders both for the first source; nothing if neither exists.
pub(super) fn section(sources: &[PageSource], curves: &[Curve], race: Option<&Plot>) -> Markup {
    let duel = sources.first().and_then(|source| Duel::choose(source, curves));
    html! {
        @if duel.is_some() || race.is_some() {
            section class="glance" aria-label="At a glance" {
                // The script fills and shows it. Without a script it stays hidden.
                @if let Some(duel) = duel { div class="duel" hidden data-first=(duel.key(0)) data-second=(duel.key(1)) {} }
                @if let Some(race) = race { (plot::lead_plot(race)) }
            }
        }
    }
}

/// Two runs on one board of the first source.
#[derive(Debug, PartialEq, Eq)]
struct Duel {
    /// The rows of the entries, the better one first.
    entries: [usize; 2],
    board: usize,
}

impl Duel {
    /// Chooses the two best entries that have replays of a common board, and, among these boards, the one on which the
    /// lengths of their answers differ most. Boards that both solve come first.
    fn choose(source: &PageSource, curves: &[Curve]) -> Option<Self> {
        let results = source.results();
        let mut of_entry: BTreeMap<&str, BTreeMap<&str, &Curve>> = BTreeMap::new();
        for curve in curves.iter().filter(|curve| curve.source == source.name()) {
            of_entry.entry(&curve.entry).or_default().insert(&curve.board, curve);
        }
        let mut order: Vec<usize> = (0..results.rows.len()).collect();
        order.sort_by_key(|&row| results.rows[row].place.is_none());
        let films = |row: usize| of_entry.get(results.rows[row].entry.name.as_str());
        for (at, &first) in order.iter().enumerate() {
            for &second in &order[at + 1..] {
                let Some((one, other)) = films(first).zip(films(second)) else { continue };
                let boards = results.boards.iter().enumerate().filter_map(|(board, head)| {
                    let (one, other) = one.get(head.name.as_str()).zip(other.get(head.name.as_str()))?;
                    let both = solves(one) && solves(other);
                    Some(((both, moves(one).abs_diff(moves(other)), std::cmp::Reverse(board)), board))
                });
                if let Some((_, board)) = boards.max() {
                    return Some(Self { entries: [first, second], board });
                }
            }
        }
        None
    }

    /// Returns the key of a run in the page's data.
    fn key(&self, side: usize) -> String {
        format!("0-{}-{}", self.entries[side], self.board)
    }
}

fn solves(curve: &Curve) -> bool {
    curve.progress.last().is_some_and(|&last| last >= curve.of)
}

fn moves(curve: &Curve) -> u64 {
    (curve.progress.len() as u64).saturating_sub(1).saturating_mul(curve.stride)
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::compare::Source;
    use judge_core::results::Results;

    fn source() -> PageSource {
        let csv = "entry,board,verdict,progress,full,moves,tie_break,limit_ms\n\
                   a,X,solved,9,9,1,1,10000\na,Y,solved,9,9,1,1,10000\nb,X,solved,9,9,2,1,10000\nb,Y,solved,9,9,2,1,10000\n\
                   c,X,solved,9,9,3,1,10000\nc,Y,solved,9,9,3,1,10000\n";
        Source { name: "test".into(), results: Results::read_csv("test", csv.as_bytes()).unwrap() }.into()
    }

    fn curve(entry: &str, board: &str, moves: u64, last: u64) -> Curve {
        let progress = (0..moves).map(|_| 0).chain([last]).collect();
        Curve { source: "test".into(), entry: entry.into(), board: board.into(), progress, stride: 1, of: 9 }
    }

    #[test]
    fn the_best_two_entries_with_replays_meet_where_they_differ_most() {
        let choose = |curves: &[Curve]| Duel::choose(&source(), curves);
        let all = [curve("a", "X", 5, 9), curve("a", "Y", 5, 9), curve("b", "X", 7, 9), curve("b", "Y", 9, 9)];
        assert_eq!(choose(&all), Some(Duel { entries: [0, 1], board: 1 }));
        assert_eq!(choose(&all).unwrap().key(1), "0-1-1");
        // A board that only one of them solves comes last.
        let unsolved = [curve("a", "X", 5, 9), curve("a", "Y", 5, 9), curve("b", "X", 7, 9), curve("b", "Y", 9, 3)];
        assert_eq!(choose(&unsolved), Some(Duel { entries: [0, 1], board: 0 }));
        // The second entry has no replay, and then no other entry has one of the same board.
        assert_eq!(choose(&[curve("a", "X", 5, 9), curve("c", "X", 5, 9)]), Some(Duel { entries: [0, 2], board: 0 }));
        assert_eq!(choose(&[curve("a", "X", 5, 9), curve("b", "Y", 5, 9)]), None);
        assert_eq!(choose(&[]), None);
    }
}
