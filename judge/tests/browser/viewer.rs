//! The viewer beyond a single replay: its size, its keys, moves that are clicked, two games, and outputs next to the
//! expected ones.

use crate::contests::{Small, judged_by_tokens, own_puzzle};
use crate::page::{OPENED, Page, address};
use crate::support::*;
use crate::webdriver::key;

/// A script that returns true once the title of the viewer is this text.
fn titled(title: &str) -> String {
    format!("return document.querySelector('#viewer-title').textContent === {title:?}")
}

#[test]
fn a_board_has_the_height_of_the_window() {
    let page = Page::of_game("loyd");
    page.screen(1440, 900);
    page.open_cell("straight", "TRAP");
    let size = page.run("const { width, height } = document.querySelector('#viewer .board').getBoundingClientRect(); return [width, height]");
    let [width, height]: [f64; 2] = serde_json::from_value(size).unwrap();
    assert!(width >= 540.0 && height >= 540.0, "{width} × {height}, before 272 × 272");
    let fits = "const { bottom } = document.querySelector('#viewer .course').getBoundingClientRect(); return bottom <= innerHeight";
    assert_eq!(page.run(fits), json!(true), "board and plot are seen without scrolling");
    let isolation = "return [...document.querySelectorAll('#viewer dt')].find(one => one.textContent === 'isolation').checkVisibility()";
    assert_eq!(page.run(isolation), json!(false));
    page.find("#viewer summary").click();
    assert_eq!(page.run(isolation), json!(true));
}

#[test]
fn controls_of_one_height_are_inside_the_viewer() {
    let page = Page::of_game("loyd");
    for (width, height) in [(1440, 900), (820, 1180), (390, 844)] {
        page.screen(width, height);
        page.open_cell("straight", "TRAP");
        for entry in ["none", "detour"] {
            page.compare_with(entry);
            let outside = page.run(
                "const edge = document.querySelector('#viewer').getBoundingClientRect();
                 return [...document.querySelectorAll('#viewer .controls :is(button, select, input, label)')].filter(one => {
                     const box = one.getBoundingClientRect();
                     return box.left < edge.left || box.right > edge.right;
                 }).map(one => one.outerHTML)",
            );
            assert_eq!(outside, json!([]), "{width} pixels, against {entry}");
            let heights = page.run(
                "return [...new Set([...document.querySelectorAll('#viewer .controls button')].map(one => Math.round(one.getBoundingClientRect().height)))]",
            );
            assert_eq!(heights.as_array().unwrap().len(), 1, "{width} pixels, against {entry}: {heights}");
        }
        page.close_viewer();
    }
}

#[test]
fn up_and_down_open_the_other_entries_on_the_board() {
    let page = Page::of_game("loyd");
    page.open_cell("straight", "TRAP");
    page.press(&[key::HOME, key::RIGHT, key::RIGHT]);
    page.press(&[key::DOWN]);
    page.wait(&titled("detour on TRAP 25/28"));
    assert_eq!(page.at(), [2], "the move stays");
    page.wait("return location.hash === '#trap/detour/2'");
    page.press(&[key::UP]);
    page.wait(&titled("straight on TRAP 25/26"));
    page.press(&[key::UP]);
    page.run_async("setTimeout(arguments[0], 100)");
    assert_eq!(page.run(&titled("straight on TRAP 25/26")), json!(true), "the table has no row above");
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn a_click_on_the_plot_or_on_a_move_goes_there() {
    let page = Page::of_game("loyd");
    page.open_cell("straight", "TRAP");
    // A driver clicks in the middle of an element.
    page.find("#viewer .course").click();
    assert_eq!(page.at(), [13]);
    let click = |move_: usize, side: f64| {
        page.run(&format!(
            "const [walker, range] = [document.createTreeWalker(document.querySelector('#viewer .moves'), NodeFilter.SHOW_TEXT), document.createRange()];
             let rest = {move_} - 1;
             while (walker.nextNode() && rest >= walker.currentNode.length) rest -= walker.currentNode.length;
             range.setStart(walker.currentNode, rest);
             range.setEnd(walker.currentNode, rest + 1);
             const box = range.getBoundingClientRect();
             const place = {{ clientX: box.left + {side} * box.width, clientY: box.top + box.height / 2, bubbles: true }};
             document.querySelector('#viewer .moves').dispatchEvent(new MouseEvent('click', place))"
        ));
        page.at()
    };
    for (move_, side) in [(1, 0.2), (20, 0.2), (20, 0.8), (7, 0.8), (26, 0.5)] {
        assert_eq!(click(move_, side), [move_ as u64], "{side}");
        assert_eq!(page.find("#viewer .moves mark").text().len(), 1);
    }
}

#[test]
fn a_link_holds_two_games() {
    let folder = Folder::new();
    let file = Small::of("loyd").report(&folder);
    let page = Page::open_at(&format!("{}#trap/straight/5/vs/detour", address(&file)));
    page.wait(OPENED);
    assert_eq!((page.at(), page.moves()), (vec![5, 5], vec![26, 28]));
    assert_eq!(page.run(&titled("straight on TRAP 25/26 against detour 25/28")), json!(true));
    page.button("Forward").click();
    assert_eq!(page.find("#viewer a.here").attribute("href").unwrap(), "#trap/straight/6/vs/detour");
    page.wait("return location.hash === '#trap/straight/6/vs/detour'");
    // The first one turns; the second stays unless they are the same.
    page.press(&[key::DOWN]);
    page.wait(&titled("detour on TRAP 25/28"));
    page.compare_with("straight");
    assert_eq!(page.run(&titled("detour on TRAP 25/28 against straight 25/26")), json!(true));
    page.close_viewer();
    // A second run that does not exist is left out.
    let page = Page::open_at(&format!("{}#trap/straight/5/vs/nobody", address(&file)));
    page.wait(OPENED);
    assert_eq!(page.moves(), [26]);
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn two_games_are_above_their_controls() {
    let page = Page::of_game("loyd");
    page.screen(1440, 900);
    page.open_cell("straight", "TRAP");
    page.compare_with("detour");
    let seen = page.run(
        "const box = css => [...document.querySelectorAll(`#viewer ${css}`)].map(one => one.getBoundingClientRect());
         const [controls] = box('.controls');
         return [controls.bottom <= innerHeight, ...['.board', '.status', '.course'].map(css =>
             box(css).length === 2 && box(css).every(one => one.top >= 0 && one.bottom <= controls.top && one.height > 10))]",
    );
    assert_eq!(seen, json!([true, true, true, true]));
}

#[test]
fn what_differs_between_two_answers_is_marked() {
    let page = Page::of_game("loyd");
    // The answers `lluu` and `lrlluu`.
    page.open_cell("straight", "NEAR-END-1");
    page.compare_with("detour");
    let differ = "return [...document.querySelectorAll('#viewer .moves')].map(text => [...text.querySelectorAll('.differs')].map(one => one.textContent).join(' '))";
    assert_eq!(page.run(differ), json!(["", "rl"]));
    let note = page.run("return document.querySelector('#viewer .run .about').textContent");
    assert_eq!(
        note,
        json!("The answers are equal before move 2. Marked: 0 moves here and 2 moves there without a counterpart.")
    );
    let unlike = "return [...document.querySelectorAll('#viewer .unlike')].map(tile => tile.textContent).join('')";
    page.button("First").click();
    assert_eq!(page.run(unlike), json!(""));
    page.press(&[key::RIGHT, key::RIGHT]);
    // After two moves one has slid on and the other is back at its start: three cells differ on each board.
    assert_eq!(page.all("#viewer .unlike").len(), 6);
    page.button("Last").click();
    assert_eq!(page.run(unlike), json!(""));
    assert_eq!(page.run(differ), json!(["", "rl"]), "the marks of differences stay");
}

#[test]
fn an_output_is_shown_beside_what_was_expected() {
    let page = Page::made(judged_by_tokens);
    let about = page.run("return document.querySelector('header').textContent");
    assert!(!about.as_str().unwrap().contains("external"), "{about}");
    page.open_cell("wrong", "SUMS");
    let texts = "return [...document.querySelectorAll('#viewer .outputs > div')].map(panel => [...panel.children].map(part => part.textContent.trim()))";
    assert_eq!(
        page.run(texts),
        json!([["Input", "1 2\n3 4"], ["Expected output", "3\n7\ndone"], ["Output", "3\n8\ndone twice"]])
    );
    let marked = |class: &str| {
        page.run(&format!(
            "return [...document.querySelectorAll('#viewer .outputs .{class}')].map(one => one.textContent)"
        ))
    };
    assert_eq!((marked("gone"), marked("new")), (json!(["7"]), json!(["8", "twice"])));
    page.press(&[key::UP]);
    page.wait("return document.querySelector('#viewer-title bdi').textContent === 'right'");
    assert_eq!((marked("gone"), marked("new")), (json!([]), json!([])));
    assert!(page.find("#viewer .run").text().contains("All words are as expected."));
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn our_puzzles_draw_their_answers() {
    for (puzzle, entry, board) in [("bin-packing", "first-fit", "C30"), ("uncrossed-knight", "depth-first", "5x5")] {
        let page = Page::made(|folder| own_puzzle(folder, puzzle, entry, board));
        page.open_cell(entry, board);
        page.button("Last").click();
        page.wait("return document.querySelector('#viewer img.frame').naturalWidth > 0");
        let shown = page.run(
            "const image = document.querySelector('#viewer img.frame');
             return [image.checkVisibility(), document.querySelector('#viewer .board').checkVisibility(), image.src.startsWith('data:image/svg+xml;base64,')]",
        );
        assert_eq!(shown, json!([true, false, true]), "{puzzle}");
        let large = page.run("return document.querySelector('#viewer img.frame').getBoundingClientRect().height > 300");
        assert_eq!(large, json!(true), "{puzzle}");
        assert_eq!(page.run("return document.querySelector('#viewer .position').textContent"), json!(""), "{puzzle}");
        assert_eq!(page.console(), Vec::<String>::new());
    }
}
