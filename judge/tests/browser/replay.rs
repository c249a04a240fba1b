//! Replays: played, stepped, moved by the slider, and compared; always with the judge's own result.

use crate::contests::{SMALL, Small, mixed};
use crate::page::{OPENED, Page, address};
use crate::support::*;
use crate::webdriver::key;

#[test]
fn every_replay_ends_on_the_final_board_that_validate_reports() {
    for small in &SMALL {
        let folder = Folder::new();
        let page = Page::open(&small.report(&folder));
        for player in small.players {
            for (index, board) in small.boards.iter().enumerate() {
                let ruling = small.validated(&folder, player, index);
                page.open_cell(player.name, &board.to_uppercase());
                page.button("Last").click();
                let place = format!("{}: {} on {board}: {ruling}", small.game, player.name);
                assert_eq!(json!(page.position()), ruling["final_board"], "{place}");
                assert_eq!(page.at(), page.moves(), "{place}");
                assert_eq!(page.shows_illegal_move(), ruling["verdict"] == "illegal_move", "{place}");
                page.close_viewer();
            }
        }
    }
}

#[test]
fn an_illegal_move_is_shown_only_at_the_end() {
    let page = Page::of_game("loyd");
    page.open_cell("illegal", "NEAR-END-1");
    page.button("First").click();
    assert_eq!((page.at(), page.moves()), (vec![0], vec![2]));
    assert!(!page.shows_illegal_move());
    page.button("Forward").click();
    assert!(!page.shows_illegal_move());
    page.button("Forward").click();
    assert!(page.shows_illegal_move());
    let fault = page.find("#viewer .replay .fault").text();
    assert!(fault.contains("Illegal move 3 `t`") && fault.contains("the centre is empty"), "{fault}");
    page.button("Back").click();
    assert!(!page.shows_illegal_move());
}

#[test]
fn steps_stop_at_both_ends() {
    let page = Page::of_game("loyd");
    page.open_cell("straight", "NEAR-END-1");
    page.button("First").click();
    assert_eq!(page.position(), "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    assert!(page.all("#viewer .tile.touched").is_empty(), "nothing has moved");
    let positions = [
        "ABCDE FGHIJ KLM+N PQRSO UVWXT",
        "ABCDE FGHIJ KLMN+ PQRSO UVWXT",
        "ABCDE FGHIJ KLMNO PQRS+ UVWXT",
        "ABCDE FGHIJ KLMNO PQRST UVWX+",
    ];
    for (index, position) in positions.iter().enumerate() {
        page.button("Forward").click();
        assert_eq!((page.at(), page.position().as_str()), (vec![index as u64 + 1], *position));
        assert!(!page.all("#viewer .tile.touched").is_empty(), "the moved tile is highlighted");
    }
    page.press(&[key::RIGHT]);
    assert_eq!(page.at(), [4], "no step goes beyond the end");
    page.button("Back").click();
    assert_eq!(page.position(), positions[2]);
    page.button("First").click();
    page.press(&[key::LEFT]);
    assert_eq!(page.at(), [0], "no step goes before the start");
}

#[test]
fn play_continues_until_paused() {
    let page = Page::of_game("loyd");
    page.open_cell("straight", "TRAP");
    page.button("First").click();
    page.button("Play").click();
    page.wait("return +document.querySelector('#viewer .replay').dataset.at >= 2");
    page.button("Pause").click();
    let paused = page.at();
    assert!(paused[0] < 26, "the replay is slow enough to follow");
    page.run_async("setTimeout(arguments[0], 1000)");
    assert_eq!(page.at(), paused);
    // The highest speed.
    page.all("#viewer select[aria-label='Speed'] option").last().unwrap().click();
    page.button("Play").click();
    page.wait("return +document.querySelector('#viewer .replay').dataset.at === 26");
    // The button offers to play again.
    page.button("Play");
    page.button("Play").click();
    page.wait("return +document.querySelector('#viewer .replay').dataset.at < 26");
}

#[test]
fn the_slider_goes_to_any_move() {
    let page = Page::of_game("loyd");
    page.open_cell("detour", "TRAP");
    let slider = page.named("#viewer input", "slider", "Move");
    slider.run("arguments[0].focus()");
    page.press(&[key::HOME]);
    assert_eq!(page.at(), [0]);
    page.press(&[key::RIGHT, key::RIGHT, key::RIGHT]);
    assert_eq!(page.at(), [3]);
    page.press(&[key::END]);
    assert_eq!(page.at(), [28]);
    // A click in the middle of the slider.
    slider.click();
    assert!((10..=18).contains(&page.at()[0]), "{:?}", page.at());
    assert_eq!(slider.run("return +arguments[0].value"), json!(page.at()[0]));
}

#[test]
fn two_replays_of_one_board_stay_in_step() {
    let page = Page::of_game("loyd");
    page.open_cell("straight", "TRAP");
    page.compare_with("detour");
    assert_eq!(page.moves(), [26, 28]);
    page.button("First").click();
    assert_eq!(page.at(), [0, 0]);
    page.button("Forward").click();
    page.button("Forward").click();
    assert_eq!(page.at(), [2, 2]);
    // The shorter one stays at its end.
    page.button("Last").click();
    assert_eq!(page.at(), [26, 28]);
    page.button("Back").click();
    assert_eq!(page.at(), [26, 27]);
    page.button("First").click();
    page.all("#viewer select[aria-label='Speed'] option").last().unwrap().click();
    page.button("Play").click();
    page.wait(
        "const [one, other] = [...document.querySelectorAll('#viewer .replay')].map(replay => +replay.dataset.at);
         if (one !== Math.min(other, 26)) throw new Error(`${one} and ${other} are not in step`);
         return other === 28",
    );
}

#[test]
fn a_link_leads_to_one_move_of_one_game() {
    let folder = Folder::new();
    let file = Small::of("loyd").report(&folder);
    let page = Page::open_at(&format!("{}#trap/detour/5", address(&file)));
    page.wait(OPENED);
    assert_eq!((page.at(), page.find("#viewer h2 bdi").text().as_str()), (vec![5], "detour"));
    page.button("Forward").click();
    let link = page.find("#viewer a.here").attribute("href").unwrap();
    assert_eq!(link, "#trap/detour/6");
    // The address bar follows.
    page.wait("return location.hash === '#trap/detour/6'");
    // Links have names without marks.
    let other = Folder::new();
    let marked = Page::open(&mixed(&other));
    marked.open_cell("shell", "FOXY");
    marked.wait("return location.hash.startsWith('#foxy/shell')");
    for nonsense in ["#trap/nobody/5", "#trap", "#%E0%A4/x", "#a/b/c/d/e"] {
        let page = Page::open_at(&format!("{}{nonsense}", address(&file)));
        assert_eq!(page.run("return document.querySelector('#viewer').open"), json!(false), "{nonsense}");
        assert_eq!(page.console(), Vec::<String>::new(), "{nonsense}");
    }
}

#[test]
fn pieces_slide_unless_the_reader_wants_no_movement() {
    const ANIMATED: &str =
        "return document.getAnimations().map(animation => animation.effect.target.dataset.label ?? 'out')";
    for (game, board, pieces) in
        [("loyd", "TRAP", 1), ("shift", "SCRAMBLE-2", 1), ("swap", "2", 1), ("hexa-draughts", "ROW-2", 1)]
    {
        let page = Page::made(|folder| Small::of(game).report(folder));
        for moving in [true, false] {
            page.movement(moving);
            page.open_cell("straight", board);
            // The last move: a man is placed, not moved, by the first ones of hexa-draughts.
            page.button("Last").click();
            page.button("Back").click();
            page.run("document.getAnimations().forEach(animation => animation.cancel())");
            // The animation is paused before it can end.
            let labels = page.run(&format!(
                "document.querySelector('#viewer .forward').click();
                 document.getAnimations().forEach(animation => animation.pause());
                 {ANIMATED}"
            ));
            let labels: Vec<String> = serde_json::from_value(labels).unwrap();
            assert_eq!(labels.is_empty(), !moving, "{game}: {labels:?}");
            let kinds: std::collections::BTreeSet<&String> = labels.iter().collect();
            assert_eq!(kinds.len(), if moving { pieces } else { 0 }, "{game}: {labels:?}");
            page.close_viewer();
        }
    }
}

#[test]
fn a_piece_that_leaves_the_board_slides_out() {
    let page = Page::of_game("ufo");
    page.movement(true);
    page.open_cell("straight", "FIG-1");
    let goals = page.run("return [...document.querySelectorAll('#viewer .tile')].flatMap((tile, cell) => tile.matches('.goal') ? [cell] : [])");
    assert_eq!(goals, json!([12]), "the centre");
    page.press(&[key::END]);
    page.button("Back").click();
    page.run("document.querySelector('#viewer .forward').click()");
    page.wait("return document.querySelector('#viewer .ghost') === null");
    let out = page.run(
        "document.querySelector('#viewer .back').click();
         document.querySelector('#viewer .forward').click();
         return document.querySelector('#viewer .ghost')?.textContent",
    );
    assert_eq!(out, json!("X"));
}

#[test]
fn pieces_look_like_those_of_their_game() {
    let page = Page::of_game("loyd");
    page.open_cell("straight", "NEAR-END-1");
    let home = "return [...document.querySelectorAll('#viewer .tile.home')].map(tile => tile.textContent).join('')";
    page.button("First").click();
    assert_eq!(page.run(home), json!("ABCDEFGHIJKLPQRSUVWX"));
    page.button("Last").click();
    assert_eq!(page.run(home), json!("ABCDEFGHIJKLMNOPQRSTUVWX"));
    assert_eq!(page.all("#viewer .tile.goal").len(), 0, "a goal of all cells is not marked");

    let page = Page::made(|folder| Small::of("hexa-draughts").report(folder));
    page.open_cell("straight", "ROW-2");
    page.press(&[key::END]);
    assert_eq!(page.all("#viewer .tile.man").len(), 1);
    assert_eq!(page.find("#viewer .tile.man").text(), "");
}

#[test]
fn the_address_of_a_cell_opens_it() {
    let folder = Folder::new();
    let file = Small::of("loyd").report(&folder);
    let page = Page::open(&file);
    page.open_cell("detour", "TRAP");
    let open = page.run("return location.href");
    let same = Page::open_at(open.as_str().unwrap());
    same.wait(OPENED);
    assert_eq!(same.find("#viewer h2").text(), page.find("#viewer h2").text());
    page.close_viewer();
    assert_eq!(page.run("return location.href"), json!(address(&file)));
}
