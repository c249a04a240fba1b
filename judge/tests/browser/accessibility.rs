//! Contrast, labels and roles, checked by axe-core in both colour schemes.

use std::env;

use crate::contests::mixed;
use crate::page::Page;
use crate::support::*;

/// Runs axe on the current state of the page, and fails on serious findings.
#[track_caller]
pub(crate) fn assert_accessible(page: &Page, state: &str) {
    let path = env::var("AXE_CORE")
        .expect("set AXE_CORE to the path of axe.min.js; `npm install axe-core` puts it into node_modules/axe-core");
    let axe = fs::read_to_string(&path).unwrap_or_else(|error| panic!("AXE_CORE={path}: {error}"));
    if page.run("return window.axe === undefined") == Value::Bool(true) {
        page.run(&axe);
    }
    let found = page.run_async(
        "const done = arguments[arguments.length - 1];
         axe.run(document, {resultTypes: ['violations']}).then(done, error => done({error: String(error)}))",
    );
    assert!(found["error"].is_null(), "{}", found["error"]);
    assert!(found["passes"].as_array().is_some_and(|passes| passes.len() > 10), "axe checked almost nothing");
    let serious = |violation: &&Value| ["serious", "critical"].contains(&violation["impact"].as_str().unwrap_or(""));
    let violations: Vec<String> =
        found["violations"].as_array().unwrap().iter().filter(serious).map(describe).collect();
    assert!(violations.is_empty(), "{state}: {}", violations.join("\n"));
}

/// Describes a violation and its elements.
fn describe(violation: &Value) -> String {
    let nodes = violation["nodes"].as_array().unwrap().iter().take(5);
    let nodes: Vec<String> = nodes.map(|node| format!("  {}: {}", node["html"], node["failureSummary"])).collect();
    format!("{}: {}\n{}", violation["id"], violation["help"], nodes.join("\n"))
}

#[test]
fn nothing_serious_is_found_in_either_colour_scheme_with_the_viewer_open_or_closed() {
    let page = Page::made(mixed);
    for scheme in ["light", "dark"] {
        page.colours(scheme);
        assert_accessible(&page, &format!("{scheme}, closed"));
        page.open_cell("python", "FOXY");
        assert_accessible(&page, &format!("{scheme}, the game of a solved board"));
        page.close_viewer();
        page.open_cell("illegal", "NEAR");
        assert_accessible(&page, &format!("{scheme}, an illegal move"));
        page.close_viewer();
    }
}

#[test]
fn nothing_serious_is_found_with_two_games_side_by_side_on_a_phone() {
    let page = Page::of_game("loyd");
    page.phone();
    page.open_cell("straight", "TRAP");
    page.compare_with("detour");
    assert_accessible(&page, "side by side");
}
