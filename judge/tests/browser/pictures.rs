//! Screenshots of a page for inspection: a command, not a test.
//!
//! `PAGE=runs/1/report.html PICTURES=pictures cargo test --test browser -- --ignored pictures`

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::json;

use crate::page::{OPENED, Page};
use crate::tables::WIDTHS;

#[test]
#[ignore = "takes pictures of the page that PAGE names into the folder PICTURES"]
fn pictures() {
    let path = |name: &str| PathBuf::from(env::var(name).unwrap_or_else(|_| panic!("{name} is not set")));
    let (file, folder) = (fs::canonicalize(path("PAGE")).unwrap(), path("PICTURES"));
    fs::create_dir_all(&folder).unwrap();
    for (device, width) in ["desktop", "tablet", "phone"].into_iter().zip(WIDTHS) {
        for scheme in ["light", "dark"] {
            let page = Page::open(&file);
            match device {
                "phone" => page.phone(),
                _ => page.screen(width, if device == "desktop" { 900 } else { 1024 }),
            }
            page.colours(scheme);
            take(&page, &folder, &format!("{device}-{scheme}"));
            for (part, name) in [("#figures", "figures"), ("table.boards", "boards"), (".entry", "entry")] {
                page.run(&format!("document.querySelector('{part}')?.scrollIntoView()"));
                take(&page, &folder, &format!("{device}-{scheme}-{name}"));
            }
            page.run("scrollTo(0, 0)");
            page.find("#standings a.cell, .boards a.cell").click();
            page.wait(OPENED);
            if page.all("#viewer .replay").is_empty() {
                take(&page, &folder, &format!("{device}-{scheme}-output"));
                continue;
            }
            let slider = page.named("#viewer input", "slider", "Move");
            slider.click();
            take(&page, &folder, &format!("{device}-{scheme}-game"));
            page.all("#viewer select[aria-label='Compare with'] option").last().unwrap().click();
            take(&page, &folder, &format!("{device}-{scheme}-two-games"));
        }
    }
}

/// Saves a screenshot after all animations have settled.
fn take(page: &Page, folder: &Path, name: &str) {
    page.run_async("requestAnimationFrame(() => setTimeout(arguments[0], 200))");
    fs::write(folder.join(format!("{name}.png")), page.screenshot()).unwrap();
    assert_eq!(page.run("return document.readyState"), json!("complete"));
}
