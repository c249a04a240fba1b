//! Pictures of a page for inspection. `.ci/pictures` takes those of `results/pictures` with it, and the deep tier tests that they
//! can be taken.
//!
//!     PAGE=runs/1/report.html PICTURES=pictures cargo test -p judge --test browser -- pictures
//!
//! takes all pictures at three widths, light and dark. TAKE=first,game takes some of them, WIDTHS=1440 at this width, NAME=mine
//! gives the files names that begin with `mine`, and OPEN=foxy/house/45 opens this game and not that of the first cell.

use std::env;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::contests::Small;
use crate::page::{OPENED, Page, address};
use crate::support::*;

/// The name of a picture, and the function that prepares the page for it.
type Take = (&'static str, fn(&Page) -> bool);

/// The pictures. Each function prepares a page that was just opened, and returns false if the page lacks that part.
const TAKES: [Take; 7] = [
    ("first", first),
    ("figures", |page| section(page, "#figures")),
    ("boards", |page| section(page, "table.boards")),
    ("entry", |page| section(page, ".entry")),
    ("game", game),
    ("two-games", two_games),
    ("whole", first),
];

#[test]
fn pictures() {
    let own = Folder::new();
    let page = env::var_os("PAGE").map_or_else(|| Small::of("loyd").report(&own), PathBuf::from);
    let folder = env::var_os("PICTURES").map_or_else(|| own.path().join("pictures"), PathBuf::from);
    let file = fs::canonicalize(page).unwrap();
    fs::create_dir_all(&folder).unwrap();
    let list = |name: &str, usual: &str| -> Vec<String> {
        env::var(name).unwrap_or_else(|_| usual.to_owned()).split(',').map(str::to_owned).collect()
    };
    let wanted = list("TAKE", &TAKES.map(|(name, _)| name).join(","));
    let unknown = wanted.iter().find(|name| TAKES.iter().all(|(take, _)| take != name));
    assert_eq!(unknown, None, "TAKE names some of {:?}", TAKES.map(|(name, _)| name));
    let begin = env::var("NAME").map_or(String::new(), |name| format!("{name}-"));
    for width in list("WIDTHS", "1440,820,390") {
        let pixels: u32 = width.parse().expect("WIDTHS has numbers of pixels");
        for (name, prepare) in TAKES.iter().filter(|(name, _)| wanted.iter().any(|take| take == name)) {
            let page = Page::open_at("about:blank");
            // Figures are taller than other parts.
            page.device(pixels, if *name == "figures" { 2 * height(pixels) } else { height(pixels) });
            page.goto(&address(&file));
            if !prepare(&page) {
                continue;
            }
            for scheme in ["light", "dark"] {
                page.colours(scheme);
                let picture = folder.join(format!("{begin}{name}-{width}-{scheme}.png"));
                take(&page, *name == "whole", &picture);
                assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"), "{}", picture.display());
            }
        }
    }
}

/// The height of the screen of a desktop, a tablet or a phone.
fn height(width: u32) -> u32 {
    match width {
        1000.. => 900,
        600.. => 1024,
        _ => 844,
    }
}

/// The top of the page, with the boards of its duel if it has one.
fn first(page: &Page) -> bool {
    let drawn = "return document.querySelectorAll('.duel .racer .tile, .duel .racer img').length > 0";
    if !page.all(".duel").is_empty() {
        page.wait(drawn);
    }
    true
}

fn section(page: &Page, css: &str) -> bool {
    first(page);
    let found = page.run(&format!(
        "const part = document.querySelector('{css}');
         part?.scrollIntoView({{ behavior: 'instant' }});
         return part !== null"
    ));
    found == json!(true)
}

/// A game at the move in its middle, or the output of a run without a replay.
fn game(page: &Page) -> bool {
    match env::var("OPEN") {
        Ok(game) => _ = page.run(&format!("location.hash = '#{game}'")),
        Err(_) => page.find("#standings a.cell, .boards a.cell").click(),
    }
    page.wait(OPENED);
    // Pages of earlier versions had other controls.
    page.run(
        "const slider = document.querySelector('#viewer input[type=range]');
         if (slider !== null && !location.hash.match(/\\/\\d+$/)) {
             slider.value = Math.floor(slider.max / 2);
             slider.dispatchEvent(new Event('input', { bubbles: true }));
         }
         document.activeElement.blur()",
    );
    true
}

fn two_games(page: &Page) -> bool {
    game(page);
    let chosen = page.run(
        "const choice = document.querySelector('#viewer select[aria-label=\"Compare with\"]');
         if (choice === null || choice.options.length < 2) return false;
         choice.selectedIndex = Math.min(2, choice.options.length - 1);
         choice.dispatchEvent(new Event('change', { bubbles: true }));
         return true",
    );
    page.wait(OPENED);
    chosen == json!(true)
}

/// Saves a picture after all movement has ended.
fn take(page: &Page, whole: bool, file: &Path) {
    page.run_async("requestAnimationFrame(() => setTimeout(arguments[0], 300))");
    let picture = if whole { STANDARD.decode(page.whole_picture()).unwrap() } else { page.screenshot() };
    fs::write(file, picture).unwrap();
}
