//! The figures of a contest of matches.

use super::MatchRules;
use crate::figure::{Better, Figure, FigureName};
use crate::scoring::Scoring;

/// The sum of the points that the referee gave.
pub(crate) const POINTS: FigureName = FigureName::from_known("points");
/// Games in which no other seat has as many points.
pub(crate) const WON: FigureName = FigureName::from_known("won");
/// Games in which the most points are those of several seats, this one among them.
pub(crate) const DRAWN: FigureName = FigureName::from_known("drawn");
/// Games in which another seat has more points.
pub(crate) const LOST: FigureName = FigureName::from_known("lost");
/// Games in which the entry was put out for a fault.
pub(crate) const FAULTS: FigureName = FigureName::from_known("faults");

/// Pairs of knock-out rounds that the entry won, byes among them.
pub(crate) const PAIRS: FigureName = FigureName::from_known("pairs");

/// The figures that every contest of matches has, and `pairs`.
pub const OF_GAMES: [&str; 6] = ["points", "won", "drawn", "lost", "faults", "pairs"];

/// What a contest of matches declares: the points of all games, which its cells show, and what totals show as well: the figures that the
/// referee gives and the counts of its games; with knock-out rounds, also the pairs that were won. Rule 80 of docs/scoring.md.
pub fn scoring(rules: &MatchRules, knock_out: bool) -> Scoring {
    let count = |name, better| Figure::new(name, better, 0);
    let mut figures = vec![Figure::new(POINTS, Better::More, rules.decimals)];
    figures.extend(rules.figures.iter().cloned());
    figures.extend([
        count(WON, Better::More),
        count(DRAWN, Better::Neither),
        count(LOST, Better::Less),
        count(FAULTS, Better::Less),
    ]);
    figures.extend(knock_out.then(|| count(PAIRS, Better::More)));
    let mut scoring = Scoring::from_figures(figures);
    scoring.cell = vec![POINTS];
    scoring
}
