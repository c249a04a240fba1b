//! One selection in all tables and figures; marks that open games; names that cover nothing.

use crate::page::{OPENED, Page};
use crate::support::*;
use crate::tables::many;

/// A script that lists the keys of the entries that are lit in a part of the page.
fn lit(page: &Page, part: &str) -> Value {
    page.run(&format!(
        "return [...new Set([...document.querySelectorAll('{part} [data-of].lit')].map(one => one.dataset.of))].sort()"
    ))
}

/// Moves the pointer to the middle of an element and presses it if `press` is set.
fn pointer(page: &Page, (x, y): (f64, f64), press: bool) {
    let mut actions = vec![json!({"type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round()})];
    if press {
        actions.extend([json!({"type": "pointerDown", "button": 0}), json!({"type": "pointerUp", "button": 0})]);
    }
    page.command("actions", &json!({"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]}));
}

#[test]
fn an_entry_is_lit_wherever_it_is_while_it_is_pointed_at() {
    let page = Page::of_game("loyd");
    let parts = ["#standings", "#plot-race", "#plot-scores", "#plot-moves", "#plot-cactus", "#plot-progress"]
        .map(|part| if part == "#standings" { part.to_owned() } else { format!("{part} svg") });
    let ids = page.run("return [...document.querySelectorAll('figure')].map(figure => figure.id)");
    for part in &parts[1..] {
        let id = part.trim_start_matches('#').trim_end_matches(" svg");
        assert!(ids.as_array().unwrap().contains(&json!(id)), "{id} is one of {ids}");
    }
    page.run("document.querySelector('#standings a[href=\"#entry-0-1\"]').focus()");
    for part in &parts {
        assert_eq!(lit(&page, part), json!(["0-1"]), "{part}");
    }
    page.run("document.activeElement.blur(); document.querySelector('nav a').focus()");
    assert_eq!(lit(&page, "body"), json!([]), "the focus has gone");
    // The row of the first entry.
    let place = page.run(
        "scrollTo(0, 0);
         document.querySelector('#standings').scrollIntoView({ block: 'center', behavior: 'instant' });
         const row = document.querySelector('#standings tbody tr td:last-child').getBoundingClientRect();
         return [row.left + 3, row.top + 3]",
    );
    let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    pointer(&page, (x, y), false);
    page.wait("return document.querySelector('#standings tr.lit') !== null");
    for part in &parts {
        assert_eq!(lit(&page, part), json!(["0-0"]), "{part}");
    }
    let faint =
        page.run("return +getComputedStyle(document.querySelector('#plot-race svg g[data-of=\"0-1\"]')).opacity < 0.5");
    assert_eq!(faint, json!(true), "the other lanes are faint");
}

#[test]
fn several_entries_stay_selected_until_they_are_cleared() {
    let page = Page::of_game("loyd");
    for name in ["Select straight", "Select half"] {
        page.named("#standings button.pick", "button", name).click();
    }
    page.run("document.activeElement.blur()");
    pointer(&page, (2.0, 2.0), false);
    let keys =
        page.run("return [...document.querySelectorAll('.pick[aria-pressed=true]')].map(one => one.value).sort()");
    assert_eq!(keys.as_array().unwrap().len(), 2);
    page.wait("return document.querySelectorAll('#standings tr.lit').length === 2");
    assert_eq!(lit(&page, "#plot-race svg").as_array().unwrap().len(), 2);
    assert!(page.find(".selection").text().contains("straight"), "{}", page.find(".selection").text());
    page.named(".selection button", "button", "Deselect straight").click();
    page.run("document.activeElement.blur()");
    page.wait("return document.querySelectorAll('#standings tr.lit').length === 1");
    pointer(&page, (2.0, 2.0), false);
    page.press(&[crate::webdriver::key::ESCAPE]);
    page.wait("return document.querySelector('.lit') === null && document.querySelector('.selection').hidden");
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn a_mark_of_any_figure_opens_its_game() {
    let page = Page::of_game("loyd");
    for figure in ["race", "moves", "gaps", "profile", "cactus", "time", "progress"] {
        let place = page.run(&format!(
            "const svg = document.querySelector('#plot-{figure} svg');
             svg.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             const list = svg.querySelector('[data-games]');
             const [x, y, board] = list.dataset.games.split(' ')[0].split(',').map(Number);
             const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
             return [at.x, at.y, board, list.dataset.of]"
        ));
        let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        pointer(&page, (x, y), true);
        page.wait(OPENED);
        // Several entries may have a mark at the same place; its board is one of the two.
        let title = page.find("#viewer h2").text();
        assert!(title.contains(" on TRAP ") || title.contains(" on NEAR-END-1 "), "{figure}: {title}");
        if figure == "gaps" {
            // Its first column is the easiest board, which is the second one of the contest.
            assert!(title.starts_with("straight on TRAP"), "{title}");
        }
        page.close_viewer();
    }
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn no_name_of_an_entry_covers_another() {
    let page = Page::made(|folder| many(folder, 16, 30));
    // Texts that are not slanted, by figure.
    let met = page.run(
        "const met = [];
         for (const svg of document.querySelectorAll('figure svg')) {
             const texts = [...svg.querySelectorAll('text:not([transform])')].filter(text => text.textContent.trim());
             const boxes = texts.map(text => text.getBBox());
             const apart = (a, b) => a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1 || a.y + a.height <= b.y + 3 || b.y + b.height <= a.y + 3;
             boxes.forEach((a, i) => boxes.slice(0, i).forEach((b, j) => {
                 if (!apart(a, b)) met.push(`${svg.closest('figure').id}: ${texts[i].textContent} covers ${texts[j].textContent}`);
             }));
         }
         return met",
    );
    assert_eq!(met, json!([]));
    for figure in ["profile", "cactus", "time"] {
        let named = page.run(&format!(
            "return new Set([...document.querySelectorAll('#plot-{figure} svg [data-of] text')].map(text => text.closest('[data-of]').dataset.of)).size"
        ));
        assert_eq!(named.as_u64().map(|named| named > 0 && named <= 8), Some(true), "{figure}: {named}");
    }
    // The limit is in the drawing, and names do not cover its line or a mark of an entry.
    let covered = page.run(
        "const svg = document.querySelector('#plot-time svg');
         const limit = [...svg.querySelectorAll('text')].find(text => text.textContent.startsWith('limit'));
         if (!limit) return 'no limit';
         const line = limit.parentElement.querySelector('path').getBBox();
         const marks = [...svg.querySelectorAll('[data-of] > .plot-rim')].map(mark => mark.getBBox());
         return [...svg.querySelectorAll('[data-of] text'), limit].filter(text => {
             const box = text.getBBox();
             return [...(text === limit ? [] : [line]), ...marks].some(other => box.x + 1 < other.x + other.width && other.x < box.x + box.width - 1 && box.y + 3 < other.y + other.height && other.y < box.y + box.height - 3);
         }).map(text => text.textContent)",
    );
    assert_eq!(covered, json!([]));
    // The best line of each figure has a colour.
    for figure in ["profile", "cactus"] {
        let best = page.run(&format!("return document.querySelector('#plot-{figure} svg .series-1') !== null"));
        assert_eq!(best, json!(true), "{figure}");
    }
}
