//! The figures: each has a name, a table of its data, and a button that saves it.

use crate::page::Page;
use crate::support::*;

#[test]
fn every_drawing_can_be_saved() {
    let page = Page::of_game("loyd");
    let saved = Folder::new();
    page.devtools("Browser.setDownloadBehavior", &json!({"behavior": "allow", "downloadPath": saved.path()}));
    let ids: Vec<String> = page.all("figure").iter().map(|figure| figure.attribute("id").unwrap()).collect();
    assert!(ids.len() >= 6, "{ids:?}");
    for id in &ids {
        let drawing = page.find(&format!("#{id} svg"));
        assert!(["img", "image", "graphics-document"].contains(&drawing.role().as_str()), "{id}: {}", drawing.role());
        assert!(!drawing.name().is_empty(), "{id}");
        page.find(&format!("#{id} > .fold summary")).click();
        // The table is built on demand.
        page.wait(&format!("return document.querySelector('#{id} table tbody tr') !== null"));
        assert!(page.find(&format!("#{id} table tbody tr")).displayed(), "{id}");

        page.named(&format!("#{id} button"), "button", "Save as SVG").click();
        let drawing = downloaded(&saved.path().join(format!("{id}.svg")));
        let well_formed = page.run(&format!(
            "const drawing = new DOMParser().parseFromString({}, 'image/svg+xml');
             return drawing.documentElement.localName === 'svg' && !drawing.querySelector('parsererror')",
            json!(drawing)
        ));
        assert_eq!(well_formed, json!(true), "{id}");
        // A saved drawing has no style sheet for its colours.
        assert!(!drawing.contains("var(") && drawing.contains("rgb("), "{id}");
    }
    assert_eq!(page.console(), Vec::<String>::new());
}

/// Returns a downloaded drawing. Chromium reserves its name with an empty file before it writes the contents.
fn downloaded(file: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let drawing = fs::read_to_string(file);
        match drawing {
            Ok(drawing) if drawing.trim_end().ends_with("</svg>") => return drawing,
            drawing if Instant::now() > deadline => panic!("{}: {drawing:?}", file.display()),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
