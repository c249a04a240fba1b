//! The game behind a cell: played, stepped, scrubbed, two side by side; and always what the judge itself saw.

use serde_json::json;

use crate::contests::{SMALL, Small};
use crate::page::{OPENED, Page, address};
use crate::support::Folder;
use crate::webdriver::key;

#[test]
fn every_replay_ends_on_the_final_board_that_validate_reports() {
    for small in &SMALL {
        let folder = Folder::new();
        let page = Page::open(&small.report(&folder));
        for player in small.players {
            for (index, board) in small.boards.iter().enumerate() {
                let told = small.validated(&folder, player, index);
                page.open_cell(player.name, &board.to_uppercase());
                page.button("Last").click();
                let place = format!("{}: {} on {board}: {told}", small.game, player.name);
                assert_eq!(json!(page.position()), told["final_board"], "{place}");
                assert_eq!(page.at(), page.moves(), "{place}");
                assert_eq!(page.shows_illegal_move(), told["verdict"] == "illegal_move", "{place}");
                page.close_viewer();
            }
        }
    }
}

#[test]
fn an_illegal_move_is_shown_where_it_happened_and_nowhere_else() {
    let folder = Folder::new();
    let page = Page::open(&Small::of("loyd").report(&folder));
    page.open_cell("spoilt", "NEAR-END-1");
    page.button("First").click();
    assert_eq!((page.at(), page.moves()), (vec![0], vec![2]));
    assert!(!page.shows_illegal_move());
    page.button("Forward").click();
    assert!(!page.shows_illegal_move());
    page.button("Forward").click();
    assert!(page.shows_illegal_move());
    let told = page.find("#viewer .replay .fault").text();
    assert!(told.contains("Illegal move 3 `t`") && told.contains("the centre is empty"), "{told}");
    page.button("Back").click();
    assert!(!page.shows_illegal_move());
}

#[test]
fn steps_go_one_move_and_stop_at_both_ends() {
    let folder = Folder::new();
    let page = Page::open(&Small::of("loyd").report(&folder));
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
    assert_eq!(page.at(), [4], "there is nothing behind the end");
    page.button("Back").click();
    assert_eq!(page.position(), positions[2]);
    page.button("First").click();
    page.press(&[key::LEFT]);
    assert_eq!(page.at(), [0], "there is nothing before the start");
}

#[test]
fn play_goes_on_until_paused_and_ends_at_the_end() {
    let folder = Folder::new();
    let page = Page::open(&Small::of("loyd").report(&folder));
    page.open_cell("straight", "TRAP");
    page.button("First").click();
    page.button("Play").click();
    page.wait("return +document.querySelector('#viewer .replay').dataset.at >= 2");
    page.button("Pause").click();
    let paused = page.at();
    assert!(paused[0] < 26, "a game can be followed");
    page.run_until_told("setTimeout(arguments[0], 1000)");
    assert_eq!(page.at(), paused);
    // The quickest of the speeds.
    page.all("#viewer select[aria-label='Speed'] option").last().unwrap().click();
    page.button("Play").click();
    page.wait("return +document.querySelector('#viewer .replay').dataset.at === 26");
    // It says that it can be played again.
    page.button("Play");
    page.button("Play").click();
    page.wait("return +document.querySelector('#viewer .replay').dataset.at < 26");
}

#[test]
fn the_slider_goes_to_any_move() {
    let folder = Folder::new();
    let page = Page::open(&Small::of("loyd").report(&folder));
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
fn two_games_of_one_board_go_in_step() {
    let folder = Folder::new();
    let page = Page::open(&Small::of("loyd").report(&folder));
    page.open_cell("straight", "TRAP");
    page.compare_with("detour");
    assert_eq!(page.moves(), [26, 28]);
    page.button("First").click();
    assert_eq!(page.at(), [0, 0]);
    page.button("Forward").click();
    page.button("Forward").click();
    assert_eq!(page.at(), [2, 2]);
    // The shorter one waits at its end for the other.
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
