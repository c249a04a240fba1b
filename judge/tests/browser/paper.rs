//! The results page as it is printed on paper.

use crate::page::Page;
use crate::support::*;

/// The most sheets for the contest of 1995: 18 entries on 5 boards, with their write-ups.
const MAX_SHEETS: usize = 8;

#[test]
fn the_contest_of_1995_is_printed_on_few_sheets_with_captions_next_to_their_drawings() {
    let folder = Folder::new();
    let results = project().join("results/1995-10s").display().to_string();
    let file = folder.path().join("page.html");
    folder.judge(["report", &results, "-o", &file.display().to_string()]).exits(0);
    let page = Page::open(&file);
    let sheets = page.print().windows(11).filter(|text| *text == b"/Type /Page").count();
    // The list of pages has this type too, with an `s`.
    let lists = page.print().windows(12).filter(|text| *text == b"/Type /Pages").count();
    assert!(lists > 0 && sheets > lists, "{sheets} pages and {lists} lists in the file");
    assert!(sheets - lists <= MAX_SHEETS, "{} sheets", sheets - lists);

    // The print style on a screen as wide as a sheet.
    page.screen(718, 1000);
    page.devtools("Emulation.setEmulatedMedia", &serde_json::json!({"media": "print"}));
    let apart = page.run(
        "return [...document.querySelectorAll('figure.drawing')].filter(figure => {
            const [caption, drawing] = ['figcaption', 'svg'].map(part => figure.querySelector(part).getBoundingClientRect());
            return caption.right > drawing.left + 1 || drawing.right > innerWidth + 1 || drawing.height < 40;
        }).map(figure => figure.id)",
    );
    assert_eq!(apart, serde_json::json!([]), "captions are not beside these");
}
