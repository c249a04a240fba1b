//! The search for playable configurations, compared with an exhaustive search.

use std::collections::BTreeSet;

use ufo_kit::board::Board;
use ufo_kit::geometry::{Square, squares};
use ufo_kit::recover::complete::completions;
use ufo_kit::recover::printed::{Configuration, Printed};
use ufo_kit::recover::verify::placed;

fn configuration(lines: &str) -> Configuration {
    let text = format!("[[configuration]]\nname = \"small\"\n{lines}");
    let printed: Printed = text.parse().unwrap();
    printed.configurations.into_iter().next().unwrap()
}

/// Tries every board with X and the number pieces 1 to 3; returns those on which each answer is playable to the end.
fn exhaustive(configuration: &Configuration) -> BTreeSet<String> {
    let geometry = configuration.shape.geometry();
    let last = configuration.claims.last().unwrap();
    let all: Vec<Square> = squares(geometry.all()).collect();
    let homes = if last.letters.is_empty() { all.clone() } else { last.letters.clone() };
    let named = |label: char| configuration.claims.iter().any(|claim| claim.answer.0.iter().any(|m| m.piece == label));
    let mut found = BTreeSet::new();
    for &x in homes.iter().filter(|&&square| square != geometry.centre()) {
        for &one in &all {
            for &two in &all {
                for &three in &all {
                    // Pieces that no answer names differ only in their order.
                    let unnamed: Vec<Square> =
                        [('1', one), ('2', two), ('3', three)].iter().filter(|p| !named(p.0)).map(|p| p.1).collect();
                    let mut stand = [x, one, two, three];
                    stand.sort_unstable();
                    if stand.windows(2).any(|pair| pair[0] == pair[1]) || !unnamed.is_sorted() {
                        continue;
                    }
                    let pieces = vec![('X', x), ('1', one), ('2', two), ('3', three)];
                    let board = Board::new(configuration.shape, pieces);
                    let playable = configuration.claims.iter().all(|claim| {
                        let board = placed(&board, &claim.letters);
                        let free = board.position().letters & board.position().numbers == 0;
                        free && claim.answer.replay(&board).is_ok_and(|end| end.position().letters == 0)
                    });
                    if playable {
                        found.insert(board.to_string());
                    }
                }
            }
        }
    }
    found
}

fn compare(lines: &str) -> usize {
    let configuration = configuration(lines);
    let boards = completions(&configuration);
    let texts: BTreeSet<String> = boards.iter().map(Board::to_string).collect();
    assert_eq!(texts.len(), boards.len(), "each board must occur once");
    let expected = exhaustive(&configuration);
    assert_eq!(texts.symmetric_difference(&expected).next(), None, "{lines}");
    texts.len()
}

#[test]
fn with_the_letter_piece_anywhere() {
    assert!(compare("board = \"5x5\"\ngroup = \"1-3\"\nanswers = [{ answer = \"1-D X-UR\" }]") > 0);
    assert!(compare("board = \"5x5\"\ngroup = \"1-3\"\nanswers = [{ answer = \"X-D 3-LU X-L\" }]") > 0);
}

#[test]
fn with_the_letter_piece_on_a_printed_square() {
    assert!(compare("board = \"cross\"\ngroup = \"1-3\"\nanswers = [{ letters = \"42\", answer = \"2-R X-R\" }]") > 0);
}

#[test]
fn with_several_answers_to_one_configuration() {
    let answers =
        "answers = [{ letters = \"25\", answer = \"2-LD X-LD\" }, { letters = \"21\", answer = \"1-RD X-RD\" }]";
    assert!(compare(&format!("board = \"5x5\"\ngroup = \"1-3\"\n{answers}")) > 0);
}
