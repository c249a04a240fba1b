//! The figures of a contest of matches.

use super::MatchRules;
use crate::figure::{Better, Figure, FigureName};
use crate::scoring::Scoring;

/// The sum of the points from the referee.
pub(crate) const POINTS: FigureName = FigureName::from_known("points");
/// Games in which no other seat has as many points.
pub(crate) const WON: FigureName = FigureName::from_known("won");
/// Games in which several seats have the most points, this one among them.
pub(crate) const DRAWN: FigureName = FigureName::from_known("drawn");
/// Games in which another seat has more points.
pub(crate) const LOST: FigureName = FigureName::from_known("lost");
/// Games in which the entry was put out for a fault.
pub(crate) const FAULTS: FigureName = FigureName::from_known("faults");

/// Pairs of knock-out rounds that the entry won, including byes.
pub(crate) const PAIRS: FigureName = FigureName::from_known("pairs");

/// The figures that every contest of matches has, and `pairs`.
pub const OF_GAMES: [&str; 6] = ["points", "won", "drawn", "lost", "faults", "pairs"];

/// The declaration of a contest of matches, by rule 80 of docs/scoring.md. Cells show the points of all games. Totals also show
/// the figures from the referee and the counts of games. With knock-out rounds, they also show the pairs that were won.
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
