//! Pictures of a page, to be looked at: not a test, a command.
//!
//! `PAGE=runs/1/report.html PICTURES=pictures cargo test --test browser -- --ignored pictures`

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::json;

use crate::page::{OPENED, Page};

#[test]
#[ignore = "takes pictures of the page that PAGE names into the folder PICTURES"]
fn pictures() {
    let path = |name: &str| PathBuf::from(env::var(name).unwrap_or_else(|_| panic!("{name} is not set")));
    let (file, folder) = (fs::canonicalize(path("PAGE")).unwrap(), path("PICTURES"));
    fs::create_dir_all(&folder).unwrap();
    for device in ["desktop", "phone"] {
        for scheme in ["light", "dark"] {
            let page = Page::open(&file);
            if device == "phone" {
                page.phone();
            }
            page.colours(scheme);
            take(&page, &folder, &format!("{device}-{scheme}"));
            page.run("document.querySelector('#figures')?.scrollIntoView()");
            take(&page, &folder, &format!("{device}-{scheme}-figures"));
            page.run("document.querySelector('.entry')?.scrollIntoView()");
            take(&page, &folder, &format!("{device}-{scheme}-entry"));
            page.run("scrollTo(0, 0)");
            page.find("#standings a.cell").click();
            page.wait(OPENED);
            let slider = page.named("#viewer input", "slider", "Move");
            slider.click();
            take(&page, &folder, &format!("{device}-{scheme}-game"));
            page.all("#viewer select[aria-label='Compare with'] option").last().unwrap().click();
            take(&page, &folder, &format!("{device}-{scheme}-two-games"));
        }
    }
}

/// Writes what the window shows, once everything on it has settled.
fn take(page: &Page, folder: &Path, name: &str) {
    page.run_until_told("requestAnimationFrame(() => setTimeout(arguments[0], 200))");
    fs::write(folder.join(format!("{name}.png")), page.screenshot()).unwrap();
    assert_eq!(page.run("return document.readyState"), json!("complete"));
}
