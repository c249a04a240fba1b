//! The first screen: a duel that runs only while it is visible and movement is wanted, and the race.

use crate::contests::SMALL;
use crate::page::{OPENED, Page};
use crate::support::*;

const AT: &str = "return +document.querySelector('.duel').dataset.at";
/// A script that returns true once the duel shows its boards.
const READY: &str = "return document.querySelectorAll('.duel .racer .tile').length > 0";

/// Returns the texts of elements.
fn texts(page: &Page, css: &str) -> Vec<String> {
    let script = format!("return [...document.querySelectorAll({css:?})].map(one => one.textContent)");
    serde_json::from_value(page.run(&script)).unwrap()
}

#[test]
fn the_best_two_answers_run_only_if_movement_is_wanted() {
    let page = Page::of_game("loyd");
    page.wait(READY);
    assert_eq!(texts(&page, ".duel .racer h2"), ["straight", "detour"]);
    // Lengths 4 and 6 on the first board, 26 and 28 on the second: the first of equal differences.
    let chosen = "return [...document.querySelectorAll('.duel select')].map(one => one.selectedOptions[0].textContent)";
    assert_eq!(page.run(chosen), json!(["straight", "detour", "NEAR-END-1"]));
    // These browsers prefer reduced motion, so the duel shows its middle and does not move.
    page.run_async("setTimeout(arguments[0], 600)");
    assert_eq!(page.run(AT), json!(3));
    assert_eq!(page.run("return document.getAnimations().length"), json!(0));
    page.movement(true);
    page.wait(&format!("{AT} === 6"));
    let bars = "return [...document.querySelectorAll('.duel [role=progressbar]')].map(bar => [bar.ariaValueNow, bar.ariaValueMax])";
    assert_eq!(page.run(bars), json!([["25", "25"], ["25", "25"]]));
    let again = page.named(".duel button", "button", "Play");
    assert_eq!(again.run(&format!("arguments[0].click(); {AT}")), json!(0), "it begins again");
    page.wait(&format!("{AT} === 6"));
}

#[test]
fn a_duel_can_be_stopped() {
    let page = Page::of_game("loyd");
    page.wait(READY);
    let running = "return document.querySelector('.duel .play').textContent === 'Pause'";
    // The longer board, so that it does not end meanwhile. The reader scrolls away before it begins.
    page.run("document.querySelector('.entry:last-of-type').scrollIntoView({ block: 'end' }); scrollTo(0, 1e6)");
    page.run("document.querySelector('#viewer').showModal()");
    page.movement(true);
    page.run_async("setTimeout(arguments[0], 300)");
    assert_eq!(page.run(running), json!(false), "behind an open game");
    page.run("document.querySelector('#viewer').close()");
    page.run_async("setTimeout(arguments[0], 300)");
    assert_eq!(page.run(running), json!(false), "out of sight");
    page.run(
        "const board = document.querySelector('.duel select:last-of-type');
         board.value = '1';
         board.dispatchEvent(new Event('change'));
         scrollTo(0, 0)",
    );
    page.wait(
        "const button = document.querySelector('.duel .play');
         if (button.textContent !== 'Pause') return false;
         button.click();
         return button.textContent === 'Play'",
    );
    let paused = page.run(AT);
    page.run_async("setTimeout(arguments[0], 500)");
    assert_eq!(page.run(AT), paused);
}

#[test]
fn a_reader_opens_the_game_of_two_entries() {
    let page = Page::of_game("loyd");
    page.wait(READY);
    let pick = |place: usize, text: &str| {
        let choice = &page.all(".duel select")[place];
        choice.run(&format!(
            "const option = [...arguments[0].options].find(option => option.textContent === {text:?});
             arguments[0].value = option.value;
             arguments[0].dispatchEvent(new Event('change'))"
        ));
    };
    pick(2, "TRAP");
    page.wait("return document.querySelector('.racer .about').textContent.endsWith(' of 26')");
    pick(0, "half");
    page.wait("return document.querySelector('.racer h2').textContent === 'half'");
    assert_eq!(texts(&page, ".duel .racer h2"), ["half", "detour"]);
    page.find(".duel .racer.side-2 a.cell").click();
    page.wait(OPENED);
    assert_eq!(page.find("#viewer h2").text(), "detour on TRAP 25/28");
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn every_game_is_shown_on_a_phone_too() {
    for small in &SMALL {
        let folder = Folder::new();
        let file = small.report(&folder);
        for phone in [false, true] {
            let page = Page::open_at("about:blank");
            if phone {
                page.phone();
            } else {
                page.screen(1440, 900);
            }
            page.goto(&crate::page::address(&file));
            page.wait(READY);
            let game = small.game;
            assert_eq!(page.all(".duel .racer").len(), 2, "{game}");
            assert_eq!(page.run("return document.documentElement.scrollWidth <= innerWidth"), json!(true), "{game}");
            let narrow = page.run(
                "return [...document.querySelectorAll('.duel select')].filter(one => one.getBoundingClientRect().width < 90).map(one => one.ariaLabel)",
            );
            assert!(!phone || narrow == json!([]), "{game}: no room for a name in {narrow}");
            if !phone {
                // The duel is next to the headline and the standings, and all of it is on the first screen.
                let place = page.run(
                    "const [duel, line, table] = ['.duel', '.headline', '#standings'].map(css => document.querySelector(css).getBoundingClientRect());
                     return duel.left >= table.right && duel.top <= line.bottom && duel.bottom <= innerHeight",
                );
                assert_eq!(place, json!(true), "{game}");
            }
            let lanes = page.run("return document.querySelectorAll('#plot-race svg').length");
            assert_eq!(lanes, json!(1), "{game}");
        }
    }
}
