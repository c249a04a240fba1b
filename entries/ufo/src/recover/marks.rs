//! The marks that a scan preserved of the pictures: rows of piece marks that cover several boards side by side.
//!
//! The board of each mark is lost, but the total per row is known. It excludes every combination of boards, one fit per
//! configuration, that has other totals.

use crate::board::Board;

use super::Recovery;
use super::printed::Marks;

/// Keeps the fits that occur in some combination, one fit per configuration, with the right totals.
pub(crate) fn keep_matching(recoveries: &mut [Recovery<'_>], marks: &Marks) {
    let mut pictured: Vec<&mut Recovery<'_>> =
        recoveries.iter_mut().filter(|recovery| marks.boards.contains(&recovery.configuration.name)).collect();
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for recovery in &pictured {
        let longer = |choice: Vec<usize>| {
            (0..recovery.fits.len()).map(move |fit| choice.iter().copied().chain([fit]).collect::<Vec<_>>())
        };
        choices = choices.into_iter().flat_map(longer).collect();
    }
    choices.retain(|choice| {
        let fits = choice.iter().zip(&pictured).map(|(&fit, recovery)| &recovery.fits[fit]);
        totals(fits, marks.rows.len()) == marks.rows
    });
    for (place, recovery) in pictured.iter_mut().enumerate() {
        let mut fit = 0..;
        recovery.fits.retain(|_| {
            let fit = fit.next();
            choices.iter().any(|choice| Some(choice[place]) == fit)
        });
    }
}

/// Counts the pieces per row over all boards.
fn totals<'a>(boards: impl Iterator<Item = &'a Board>, rows: usize) -> Vec<usize> {
    let mut totals = vec![0; rows];
    for board in boards {
        for (row, line) in board.to_string().lines().enumerate() {
            totals[row] += line.chars().filter(|&symbol| symbol != '.').count();
        }
    }
    totals
}
