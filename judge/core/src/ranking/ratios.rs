//! Figures that are ratios to the best results of a table.

use crate::figure::{Figure, Source};
use crate::points::Points;
use crate::relative::Direction;
use crate::score::{Row, RunCell};

/// Computes the figures that are ratios to the best value of another figure on the same board, by rules 38 and 39 of
/// docs/scoring.md. They depend on all rows.
pub(super) fn fill(rows: &mut [Row]) {
    let Some(scoring) = rows.first().map(|row| row.scoring.clone()) else { return };
    let ratios = scoring.figures.iter().enumerate().filter_map(|(at, figure)| match &figure.from {
        Source::Ratio(of) => Some((at, figure, scoring.index(of)?)),
        _ => None,
    });
    let ratios: Vec<(usize, &Figure, usize)> = ratios.collect();
    if ratios.is_empty() {
        return;
    }
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    for (at, figure, of) in ratios {
        let direction = scoring.figures[of].better.direction();
        // A negative value counts as 0, because it cannot be a share.
        let own = |cell: &RunCell| cell.figure(of).map(|value| value.units().max(0));
        let unknown = |cell: &RunCell| cell.code.is_none() && own(cell).is_none();
        for board in 0..width {
            let in_contest = rows.iter().filter(|row| row.entry.withdrawn.is_none());
            let values = in_contest.filter_map(|row| own(row.cells.get(board)?));
            let best = match direction {
                Direction::Up => values.max(),
                Direction::Down => values.min(),
            };
            for row in rows.iter_mut() {
                let Some(cell) = row.cells.get_mut(board).filter(|cell| cell.judged() && !unknown(cell)) else {
                    continue;
                };
                let value = match own(cell).zip(best) {
                    None => Points::zero(figure.decimals),
                    Some((own, best)) => {
                        let (part, whole) = if direction == Direction::Up { (own, best) } else { (best, own) };
                        let one = part >= whole;
                        Points::ratio(
                            if one { 1 } else { part },
                            if one { 1 } else { whole },
                            figure.decimals,
                            figure.round,
                        )
                    }
                };
                if let Some(shown) = cell.metrics.figures.get_mut(at) {
                    *shown = Some(value);
                }
            }
        }
    }
    for row in rows {
        let totals = row.total_of(row.cells.iter()).figures;
        for (at, _) in scoring.figures.iter().enumerate().filter(|(_, figure)| matches!(figure.from, Source::Ratio(_)))
        {
            if let Some(shown) = row.total.figures.get_mut(at) {
                // A table can contain totals of figures that its cells do not show.
                *shown = totals.get(at).copied().flatten().or(*shown);
            }
        }
    }
}
