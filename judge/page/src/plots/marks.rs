//! The marks for the page's script in a drawing: the parts that belong to an entry, and the places of its games.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::plot_data::PlotEntry;

/// Marks a part of a drawing as an entry's, so that the script highlights it with the entry.
pub(super) fn of(entry: &PlotEntry, body: &Markup) -> Markup {
    html! { g data-of=(entry.key) { (body) } }
}

/// Lists the places of an entry's games, each with the column of its board, as `x,y,board`. A list needs a tenth of the
/// space of an element per mark, and marks of one series can share an element. Values that follow from the previous game
/// are left out: an equal y, and the next board.
pub(super) fn games(entry: &PlotEntry, places: impl IntoIterator<Item = (usize, (f64, f64))>) -> Markup {
    let (mut list, mut before) = (String::new(), None);
    for (column, (x, y)) in places {
        let Some(Some(board)) = entry.boards.get(column) else { continue };
        let y = format!("{y:.0}");
        let mut game = format!("{x:.0},");
        match &before {
            Some((same, _)) if *same == y => {}
            _ => game += &y,
        }
        if !matches!(before, Some((_, last)) if last + 1 == *board) {
            write!(game, ",{board}").expect("writing to a string cannot fail");
        }
        if !list.is_empty() {
            list.push(' ');
        }
        list += game.trim_end_matches(',');
        before = Some((y, *board));
    }
    html! { @if !list.is_empty() { g data-of=(entry.key) data-games=(list) {} } }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn a_list_of_games_leaves_out_what_follows_from_the_game_before() {
        let data = plot_data(&[("a", &["1", "2", "3", "4"])]);
        let places =
            [(0, (1.4, 5.0)), (1, (2.0, 5.0)), (3, (3.0, 5.0)), (2, (4.0, 6.0)), (3, (5.0, 7.0)), (9, (0.0, 0.0))];
        let list = games(&data.entries[0], places).into_string();
        assert!(list.contains(r#"data-games="1,5,0 2 3,,3 4,6,2 5,7""#), "{list}");
        assert_eq!(games(&data.entries[0], []).into_string(), "");
    }
}
