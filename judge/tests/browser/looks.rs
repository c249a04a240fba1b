//! The page without its script, in the dark scheme, and on a phone.

use crate::contests::{Small, mixed};
use crate::page::Page;
use crate::support::*;

/// Failing entries and their verdicts.
const VERDICTS: &[(&str, &str)] = &[
    ("crash", "crashed with exit code 3"),
    ("illegal", "illegal move 4 `!`"),
    ("silent", "moves 0"),
    ("half", "stops short of the goal"),
    ("sleep", "still running at the limit"),
];

#[test]
fn standings_and_verdicts_can_be_read_without_the_script() {
    let folder = Folder::new();
    let file = mixed(&folder);
    let page = Page::open(&file);
    page.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    page.command("refresh", &json!({}));
    let standings = page.find("#standings").text();
    for shown in ["python", "shell", "0/CRA", "0/TIM", "NEAR", "FOXY"] {
        assert!(standings.contains(shown), "{shown} is not in {standings}");
    }
    // The browser opens and closes folded parts without a script. The last one comes first, so that later targets do
    // not move.
    for fold in page.all("section.entry summary").iter().rev() {
        fold.click();
        assert_eq!(fold.run("return arguments[0].parentElement.open"), json!(true));
    }
    let whole = page.find("main").text();
    for (entry, verdict) in VERDICTS {
        assert!(whole.contains(verdict), "the verdict of {entry} is not in {whole}");
    }
    assert!(
        page.all("button, input, select").iter().all(|control| !control.displayed()),
        "controls that need the script are hidden"
    );
}

/// A script that returns the lightness of text and background, from 0 to 255, and fails if they are transparent.
const LIGHTNESS: &str = "
    const light = colour => {
        const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
        if (alpha !== 1) throw new Error(`${colour} is transparent`);
        return (r + g + b) / 3;
    };
    const style = getComputedStyle(document.body);
    return [light(style.color), light(style.backgroundColor)]";

#[test]
fn the_page_follows_the_light_or_dark_scheme() {
    let page = Page::made(mixed);
    let lightness = |scheme| {
        page.colours(scheme);
        serde_json::from_value::<[f64; 2]>(page.run(LIGHTNESS)).unwrap()
    };
    let [ink, paper] = lightness("light");
    assert!(ink + 100.0 < paper, "ink {ink}, paper {paper}");
    let [ink, paper] = lightness("dark");
    assert!(paper + 100.0 < ink, "ink {ink}, paper {paper}");
}

#[test]
fn on_a_phone_only_tables_scroll() {
    let fits = "return document.documentElement.scrollWidth <= innerWidth && innerWidth <= 360";
    for small in [Small::of("loyd"), Small::of("hexa-draughts"), Small::of("swap")] {
        let page = Page::made(|folder| small.report(folder));
        page.phone();
        assert_eq!(page.run(fits), json!(true), "{}", small.game);
        page.open_cell("straight", &small.boards[0].to_uppercase());
        assert_eq!(page.run(fits), json!(true), "{}, with a game open", small.game);
        let viewer = "const box = document.querySelector('#viewer').getBoundingClientRect();
                      return box.left >= 0 && box.right <= innerWidth";
        assert_eq!(page.run(viewer), json!(true), "{}", small.game);
        // WCAG 2.5.8 requires targets of at least 24 pixels.
        let small_targets = page.run(
            "return [...document.querySelectorAll('#viewer button, #viewer select, #viewer input')]
                 .filter(control => control.offsetParent !== null)
                 .filter(control => { const box = control.getBoundingClientRect(); return box.width < 24 || box.height < 24; })
                 .map(control => control.outerHTML)",
        );
        assert_eq!(small_targets, json!([]), "{}", small.game);
    }
}
