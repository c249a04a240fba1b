//! A keyboard is enough: from the top of the page to the last move of a game and back.

use serde_json::{Value, json};

use crate::contests::Small;
use crate::page::{OPENED, Page};
use crate::support::Folder;
use crate::webdriver::key;

/// More than the page has to stop at before the last cell.
const STOPS: usize = 80;

/// Presses Tab until the focus is on an element for which a script says so; gives up after all the page has.
#[track_caller]
fn tab_to(page: &Page, wanted: &str) {
    for _ in 0..STOPS {
        page.press(&[key::TAB]);
        if page.focused().run(&format!("const here = arguments[0]; return {wanted}")) == json!(true) {
            return;
        }
    }
    panic!("Tab never comes to {wanted}");
}

/// Whether the focus can be seen: an outline, or a shadow in its place.
fn focus_is_visible(page: &Page) -> Value {
    page.focused().run(
        "const style = getComputedStyle(arguments[0]);
         return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none'",
    )
}

#[test]
fn the_keyboard_alone_sorts_opens_plays_compares_and_closes() {
    let folder = Folder::new();
    let page = Page::open(&Small::of("loyd").report(&folder));

    tab_to(&page, "here.matches('#standings th button') && here.innerText.includes('entry')");
    assert_eq!(focus_is_visible(&page), json!(true));
    page.press(&[key::ENTER]);
    let sorted = "return document.querySelector('#standings th:has(button:focus)').getAttribute('aria-sort')";
    let first = page.run(sorted);
    page.press(&[key::SPACE]);
    assert_ne!(page.run(sorted), first, "Enter sorts, and space sorts the other way");

    tab_to(&page, "here.matches('a.cell') && here.closest('tr').innerText.includes('straight')");
    assert_eq!(focus_is_visible(&page), json!(true));
    let cell = page.focused().attribute("href");
    page.press(&[key::ENTER]);
    page.wait(OPENED);
    assert_eq!(page.run("return document.querySelector('#viewer').contains(document.activeElement)"), json!(true));

    page.press(&[key::HOME]);
    assert_eq!(page.at(), [0]);
    page.press(&[key::RIGHT, key::RIGHT, key::RIGHT, key::LEFT]);
    assert_eq!(page.at(), [2]);
    page.press(&[key::END]);
    assert_eq!(page.at(), [4]);
    page.press(&[key::HOME, key::SPACE]);
    page.wait("return +document.querySelector('#viewer .replay').dataset.at > 0");

    // Every control can be reached, and Tab does not get lost behind the dialog.
    for (role, name) in [("button", "First"), ("slider", "Move"), ("combobox", "Speed"), ("combobox", "Compare with")] {
        let mut stops = Vec::new();
        while stops.last() != Some(&(role.to_owned(), name.to_owned())) {
            assert!(stops.len() < STOPS, "Tab never comes to the {role} {name}: {stops:?}");
            page.press(&[key::TAB]);
            let focused = page.focused();
            stops.push((focused.role(), focused.name()));
        }
        assert_eq!(focus_is_visible(&page), json!(true), "{name}");
    }
    // On the list of entries an arrow chooses.
    page.press(&[key::DOWN]);
    page.wait("return document.querySelectorAll('#viewer .replay').length === 2");
    page.press(&[key::ESCAPE]);
    page.wait("return !document.querySelector('#viewer').open");
    assert_eq!(page.focused().attribute("href"), cell, "the focus is back where it came from");
}
