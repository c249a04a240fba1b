//! The office in a browser: a team enters by its link, submits, and sees the progress of its submission; the board
//! updates itself.
//!
//! `.ci/pictures --office OUT` takes the pictures of `results/pictures` with these tests.

mod names;
mod origins;
mod pages;
mod plain;

use std::env;

use crate::accessibility::assert_accessible;
use crate::page::Page;
use crate::site::{SOLVES, Site, club};
use crate::support::*;

/// A phone, a tablet and a desk.
const SCREENS: [(u32, u32); 3] = [(390, 844), (820, 1180), (1440, 900)];
/// A program that cannot be built.
const BROKEN: &str = "int main( {";
/// A program that moves two of four tiles home.
const SHORT: &str = "int puts(const char*); int main() { puts(\"ll\"); return 0; }";

/// A club of two boards and three teams: the program that solves the first one makes four moves on the second.
fn evening() -> (Folder, Vec<String>) {
    let (folder, tokens) = club(&["ada", "bob", "cleo"]);
    folder.file("club/turn.txt", "BCADE FGHIJ KL+MN PQRSO UVWXT");
    let file = contest(&[("NEAR", "near.txt"), ("TURN", "turn.txt")]) + &entry("house", &["./own.sh"]);
    folder.file("club/contest.toml", file.replacen("\"test\"", "\"An evening\"", 1));
    (folder, tokens)
}

/// Chooses a file with that text in the form, and submits it.
fn submit(page: &Page, site: &Site, text: &str) {
    page.goto(&format!("http://{}/submit", site.address));
    choose(page, text);
    page.named("main button", "button", "Submit").click();
    page.wait("return location.pathname.startsWith('/submissions/') && document.readyState === 'complete'");
}

/// Chooses a file with that text in the form.
fn choose(page: &Page, text: &str) {
    page.run(&format!(
        "const chosen = new DataTransfer();
         chosen.items.add(new File([{}], 'main.c'));
         document.querySelector('#files').files = chosen.files",
        json!(text)
    ));
}

/// Follows the link of an invitation.
fn enter(page: &Page, site: &Site, token: &str) {
    page.goto(&format!("http://{}/", site.address));
    page.goto(&format!("http://{}/enter#{token}", site.address));
    page.wait("return location.pathname !== '/enter' && document.readyState === 'complete'");
}

/// Checks on each screen that the open page is not wider than the screen. Saves a picture if PICTURES names a folder
/// and `picture` has a name.
#[track_caller]
fn assert_fits(page: &Page, state: &str, picture: Option<&str>) {
    for (width, height) in SCREENS {
        page.device(width, height);
        // Not `innerWidth`: a phone shows a wide page at a smaller scale.
        let wide = page.run("return document.documentElement.scrollWidth");
        assert!(wide.as_u64().is_some_and(|wide| wide <= u64::from(width)), "{state} at {width} pixels has {wide}");
        if let Some((folder, name)) = env::var_os("PICTURES").zip(picture) {
            // A picture ends with the page.
            let end = page.run("return Math.ceil(document.body.getBoundingClientRect().bottom + scrollY)");
            page.device(
                width,
                end.as_u64().map_or(height, |end| u32::try_from(end).map_or(height, |end| height.min(end))),
            );
            let path = std::path::Path::new(&folder).join(format!("office-{name}-{width}.png"));
            fs::write(path, page.screenshot()).unwrap();
        }
    }
    page.screen(1280, 900);
}

/// Checks the open page like [`assert_fits`], and that it is accessible in both colour schemes.
#[track_caller]
fn assert_fine(page: &Page, state: &str, picture: Option<&str>) {
    assert_fits(page, state, picture);
    for scheme in ["dark", "light"] {
        page.colours(scheme);
        assert_accessible(page, &format!("{state}, {scheme}"));
    }
}

/// A step of the evening: the page is fine and has pictures of this name.
#[track_caller]
fn step(page: &Page, name: &str) {
    assert_fine(page, name, Some(name));
}

#[test]
fn a_team_sees_its_verdicts_without_loading_a_page_again() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let page = Page::open_at(&format!("http://{}/enter#{}", site.address, tokens[0]));
    page.wait("return location.pathname === '/mine'");
    assert_eq!(
        page.run("return location.hash + document.cookie"),
        json!(""),
        "the token is gone, the cookie not for scripts"
    );
    submit(&page, &site, BROKEN);
    page.wait("return document.querySelector('.state').innerText.startsWith('Compile error')");
    assert!(page.find("pre").text().contains("error"), "{}", page.find("pre").text());
    submit(&page, &site, SOLVES);
    page.wait(
        "return document.body.innerText.includes('25/4') && document.querySelector('.state').innerText.endsWith('counts')",
    );

    page.goto(&format!("http://{}/board", site.address));
    page.wait("return document.querySelector('tr[data-name=ada]') !== null");
    page.run("window.still = true");
    folder.file("main.c", SOLVES);
    folder.judge(["office", "submit", "club", "bob", "main.c"]).exits(0);
    page.wait("return (document.querySelector('tr[data-name=bob]')?.innerText ?? '').includes('25/4')");
    assert_eq!(page.run("return window.still"), json!(true), "the page was not loaded again");
    folder.judge(["office", "freeze", "club"]).exits(0);
    page.wait("return document.querySelector('.frozen') !== null");
    let own = format!("http://{}/", site.address);
    let foreign: Vec<String> = page.requests().into_iter().filter(|address| !address.starts_with(&own)).collect();
    assert_eq!(foreign.iter().filter(|address| address.starts_with("http")).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn an_evening_goes_from_the_invitation_to_the_reveal() {
    let (folder, tokens) = evening();
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let at = |path: &str| format!("http://{}{path}", site.address);
    let page = Page::open_at(&at("/"));
    enter(&page, &site, &tokens[1]);
    submit(&page, &site, SHORT);
    page.wait("return document.querySelector('.state').innerText.endsWith('counts')");
    enter(&page, &site, &tokens[0]);
    assert_eq!(page.run("return location.pathname + location.hash"), json!("/mine"));
    step(&page, "1-invitation");
    submit(&page, &site, BROKEN);
    page.wait("return document.querySelector('.state').innerText.startsWith('Compile error')");
    step(&page, "2-compile-error");
    submit(&page, &site, SOLVES);
    page.wait("return document.querySelector('.state').innerText.endsWith('counts')");
    assert!(page.find("main").text().contains("25/4"), "{}", page.find("main").text());
    step(&page, "3-verdict");
    // The replay, in the viewer of the results page.
    page.named("main a", "link", "Replay its answers").click();
    page.wait("return location.pathname.endsWith('/replay') && document.readyState === 'complete'");
    page.open_cell("ada.3", "NEAR");
    page.button("Forward").click();
    page.button("Forward").click();
    step(&page, "4-replay");
    assert_eq!(page.console(), Vec::<String>::new());

    enter(&page, &site, &organiser);
    page.goto(&at("/office/clock"));
    page.named("main button", "button", "Freeze the board").click();
    page.wait("return document.body.innerText.includes('Thaw the board')");
    for token in [&tokens[1], &tokens[2]] {
        enter(&page, &site, token);
        submit(&page, &site, SOLVES);
        page.wait("return document.querySelector('.state').innerText.endsWith('counts')");
    }
    page.goto(&at("/reveal"));
    assert!(page.find("main").text().contains("nothing to reveal"), "{}", page.find("main").text());
    page.named("header button", "button", "Leave").click();
    page.wait("return location.pathname === '/' && document.readyState === 'complete'");
    page.goto(&at("/board"));
    page.wait("return [...document.querySelectorAll('.pending')].length === 2");
    let hidden = page.run("return document.querySelector('tr[data-name=cleo]').innerText");
    assert!(!hidden.as_str().unwrap().contains("25/4"), "{hidden}");
    step(&page, "5-frozen-board");

    enter(&page, &site, &organiser);
    page.goto(&at("/office/clock"));
    step(&page, "6-thaw");
    page.named("main button", "button", "Thaw the board").click();
    page.wait("return document.body.innerText.includes('Freeze the board')");
    page.goto(&at("/reveal"));
    page.wait("return document.body.innerText.includes('as it was frozen')");
    step(&page, "7-reveal");
    let mut steps = 0;
    while let Some(next) = page.all("#next").first() {
        next.click();
        steps += 1;
        page.wait(&format!("return location.search === '?step={steps}' && document.readyState === 'complete'"));
        assert!(page.find(".frozen").text().contains("has place"), "{}", page.find(".frozen").text());
    }
    assert_eq!(steps, 2, "two teams have something to reveal");
    for team in ["bob", "cleo"] {
        let row = page.run(&format!("return document.querySelector('tr[data-name={team}]').innerText"));
        assert!(row.as_str().unwrap().contains("25/4"), "{row}");
    }
    step(&page, "8-revealed");
}
