//! Keyboard use: from the top of the page to the last move of a replay and back.

use crate::page::{OPENED, Page};
use crate::support::*;
use crate::webdriver::key;

/// More tab stops than the page has.
const STOPS: usize = 80;

/// Presses Tab until a script returns true for the focused element.
#[track_caller]
fn tab_to(page: &Page, wanted: &str) {
    for _ in 0..STOPS {
        page.press(&[key::TAB]);
        if page.focused().run(&format!("const here = arguments[0]; return {wanted}")) == json!(true) {
            return;
        }
    }
    panic!("Tab never reaches {wanted}");
}

/// Returns true if the focus is visible: by an outline or a shadow.
fn focus_is_visible(page: &Page) -> Value {
    page.focused().run(
        "const style = getComputedStyle(arguments[0]);
         return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none'",
    )
}

#[test]
fn the_keyboard_alone_does_everything() {
    let page = Page::of_game("loyd");

    tab_to(&page, "here.matches('#standings th button') && here.innerText.includes('entry')");
    assert_eq!(focus_is_visible(&page), json!(true));
    page.press(&[key::ENTER]);
    let sorted = "return document.querySelector('#standings th:has(button:focus)').getAttribute('aria-sort')";
    let first = page.run(sorted);
    page.press(&[key::SPACE]);
    assert_ne!(page.run(sorted), first, "Enter sorts, and space sorts in the other direction");

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

    // Every control can be reached, and Tab stays within the dialog.
    for (role, name) in [("button", "First"), ("slider", "Move"), ("combobox", "Speed"), ("combobox", "Compare with")] {
        let mut stops = Vec::new();
        while stops.last() != Some(&(role.to_owned(), name.to_owned())) {
            assert!(stops.len() < STOPS, "Tab never reaches the {role} {name}: {stops:?}");
            page.press(&[key::TAB]);
            let focused = page.focused();
            stops.push((focused.role(), focused.name()));
        }
        assert_eq!(focus_is_visible(&page), json!(true), "{name}");
    }
    // In the list of entries an arrow key selects.
    page.press(&[key::DOWN]);
    page.wait("return document.querySelectorAll('#viewer .replay').length === 2");
    page.press(&[key::ESCAPE]);
    page.wait("return !document.querySelector('#viewer').open");
    assert_eq!(page.focused().attribute("href"), cell, "the focus returns to the cell");
}
