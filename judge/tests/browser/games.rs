//! The games of two entries, opened from the cross table.

use crate::accessibility::assert_accessible;
use crate::page::{OPENED, Page, address};
use crate::support::*;
use crate::webdriver::key;

/// The text of an element of the viewer.
fn text(page: &Page, css: &str) -> String {
    let script = format!("return document.querySelector('#viewer {css}').textContent");
    page.run(&script).as_str().unwrap().to_owned()
}

/// The cell of the cross table with the points of one entry against another.
fn open(page: &Page, row: usize, column: usize) {
    let cell = page.find(&format!("a.cell[href='#game-0-{row}-{column}']"));
    cell.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })");
    cell.click();
    page.wait(OPENED);
}

#[test]
fn a_cell_of_the_cross_table_opens_its_games_with_positions_and_both_clocks() {
    let folder = Folder::new();
    folder.judge(["init", "--match", "python", "club"]).exits(0);
    // A player with output that could harm a reader.
    folder
        .file("club/entries/greedy.py", "input()\nprint('<img src=x onerror=\"document.title=1\">\\x1b[2J\\u202e')\n");
    folder.judge(["run", "club", "--out", "results"]).exits(0);
    folder.judge(["report", "results"]).exits(0);
    let file = folder.path().join("results/report.html");
    let page = Page::open(&file);
    page.screen(1440, 900);
    let title = page.run("return document.title");
    // perfect against random: the table is perfect, random, greedy.
    open(&page, 0, 1);
    assert_eq!(text(&page, "#viewer-title").split(" on ").next(), Some("perfect against random"));
    assert_eq!(page.run("return document.querySelectorAll('#viewer .which option').length"), json!(4));
    let moves = page.moves()[0];
    assert!(moves > 2, "{moves}");
    page.press(&[key::HOME]);
    assert_eq!(text(&page, ".clocks"), "perfect not asked yetrandom not asked yet");
    assert!(page.position().chars().all(|cell| cell == '|'), "{}", page.position());
    page.press(&[key::RIGHT]);
    let clocks = text(&page, ".clocks");
    assert!(clocks.contains(" s left") && clocks.ends_with("random not asked yet"), "{clocks}");
    assert!(page.position().contains('.'), "{}", page.position());
    let now = "return document.querySelector('#viewer .talk .now').className";
    assert!(page.run(now).as_str().unwrap().contains("answer seat-1"));
    page.press(&[key::RIGHT]);
    assert!(page.run(now).as_str().unwrap().contains("answer seat-2"));
    assert_eq!(text(&page, ".clocks").matches(" left").count(), 2);
    // Each seat has one half, and an answer leads to its position.
    let sides = "const [one, two] = ['.answer.seat-1', '.answer.seat-2'].map(css => document.querySelector('#viewer ' + css).getBoundingClientRect()); return one.left < two.left";
    assert_eq!(page.run(sides), json!(true));
    page.run("document.querySelectorAll('#viewer .talk .answer')[2].click()");
    assert_eq!(page.at(), [3]);
    assert_accessible(&page, "a game");
    if let Some(path) = std::env::var_os("PICTURE_OF_GAME") {
        std::fs::write(path, page.screenshot()).unwrap();
    }
    // The address is that of this position, and the arrows lead to the next game.
    page.wait("return location.hash === '#/perfect/random/1/3'");
    page.press(&[key::DOWN]);
    page.wait("return document.querySelector('#viewer .which span').textContent === 'Game 2 of 4'");
    page.close_viewer();
    assert_eq!(page.run("return location.hash"), json!(""));
    drop(page);
    let page = Page::open_at(&format!("{}#/random/perfect/2/1", address(&file)));
    page.wait(OPENED);
    assert_eq!((page.at(), text(&page, ".which span")), (vec![1], "Game 2 of 4".into()));
    page.close_viewer();
    // A player's output is only text. A game that it lost at once has no second position.
    open(&page, 2, 0);
    assert!(text(&page, ".talk").contains("<img src=x") && !text(&page, ".talk").contains('\u{1b}'));
    assert!(text(&page, ".facts").contains("out at ask 1: "), "{}", text(&page, ".facts"));
    assert_eq!(page.run("return document.title"), title);
    assert_eq!(page.run("return document.querySelectorAll('#viewer .talk img').length"), json!(0));
    // A cell of the table still opens the run of the entry.
    page.close_viewer();
    page.open_cell("perfect", "short");
    assert_eq!(page.run("return document.querySelectorAll('#viewer .clocks').length"), json!(0));
}
