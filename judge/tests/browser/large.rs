//! Large contests: short pages, heads that stay on the screen, names that are cut, captions of two lines, nothing blank.

use crate::page::Page;
use crate::support::*;
use crate::tables::many;

/// The greatest height of a page of 1,440 pixels with 20 entries.
const TALLEST: u64 = 10_000;

#[test]
fn a_page_of_twenty_entries_has_nothing_blank() {
    for boards in [5, 60] {
        let page = Page::made(|folder| many(folder, 20, boards));
        page.screen(1440, 900);
        let height = page.run("return document.documentElement.scrollHeight").as_u64().unwrap();
        assert!(height <= TALLEST, "{height} pixels with {boards} boards");
        // Parts that a browser renders only when it scrolls to them are blank in a picture of the whole page.
        let blank = page.run(
            "return [...document.querySelectorAll('main *')]
                 .filter(part => getComputedStyle(part).contentVisibility !== 'visible' || !part.closest('details:not([open])') && !part.checkVisibility({ contentVisibilityAuto: true }) && part.checkVisibility())
                 .map(part => part.outerHTML.slice(0, 60))",
        );
        assert_eq!(blank, json!([]), "{boards} boards");
        let empty = page.run(
            "return [...document.querySelectorAll('figure svg')].filter(svg => svg.getBoundingClientRect().height < 60).map(svg => svg.closest('figure').id)",
        );
        assert_eq!(empty, json!([]), "{boards} boards");
        let [least, nothing, seen]: [f64; 3] =
            serde_json::from_value(page.run_async(&BLANK.replace("PICTURE", &page.whole_picture()))).unwrap();
        assert!(least > 0.5 && nothing < 400.0 && seen >= 8.0, "{boards} boards: {least}, {nothing}, {seen}");
    }
}

/// A script that reads a picture of the whole page, and reports the least share of a figure's rows of pixels that show
/// something, the height of the largest part of the page in which no row shows anything, and the number of figures.
const BLANK: &str = "
    const report = arguments[arguments.length - 1];
    const bytes = Uint8Array.from(atob('PICTURE'), (one) => one.charCodeAt(0));
    createImageBitmap(new Blob([bytes], { type: 'image/png' })).then((image) => {
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
        canvas.drawImage(image, 0, 0);
        const shows = (left, width) => (top) => {
            const pixels = new Uint32Array(canvas.getImageData(left, top, width, 1).data.buffer);
            return pixels.some((pixel) => pixel !== pixels[0]);
        };
        const scale = image.width / document.documentElement.clientWidth;
        const shares = [...document.querySelectorAll('figure svg')].map((svg) => {
            const box = svg.getBoundingClientRect();
            const [left, top, width, height] = [box.left + scrollX + 2, box.top + scrollY, box.width - 4, box.height].map((one) => Math.round(one * scale));
            const rows = Array.from({ length: height }, (_, row) => top + row);
            return rows.filter(shows(left, Math.min(width, image.width - left))).length / height;
        });
        let [empty, largest] = [0, 0];
        const row = shows(0, image.width);
        for (let top = 0; top < image.height; top += 1) {
            empty = row(top) ? 0 : empty + 1;
            largest = Math.max(largest, empty);
        }
        report([Math.min(...shares), largest / scale, shares.length]);
    });";

#[test]
fn captions_open_beyond_two_lines() {
    let page = Page::made(|folder| many(folder, 20, 60));
    page.screen(1440, 900);
    let long = page.run(
        "return [...document.querySelectorAll('main figure.drawing')].filter(figure => {
             const text = figure.querySelector('figcaption > p');
             return text.getBoundingClientRect().height > 2.2 * parseFloat(getComputedStyle(text).lineHeight);
         }).map(figure => figure.id)",
    );
    assert_eq!(long, json!([]));
    let fold = page.find("#plot-gaps details.more summary");
    fold.click();
    assert!(page.find("#plot-gaps details.more p").displayed());
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn heads_of_long_tables_stay_on_the_screen() {
    let page = Page::made(|folder| many(folder, 40, 60));
    page.screen(1440, 700);
    // The heads of the standings, while the page scrolls.
    let top = page.run(
        "const table = document.querySelector('#standings');
         table.tBodies[0].rows[35].scrollIntoView({ block: 'center', behavior: 'instant' });
         return table.tHead.rows[0].cells[1].getBoundingClientRect().top",
    );
    assert!((-1.0..=1.0).contains(&top.as_f64().unwrap()), "{top}");
    // The heads of the boards, inside their frame.
    let apart = page.run(
        "const table = document.querySelector('table.boards'), frame = table.parentElement;
         frame.scrollIntoView({ block: 'start', behavior: 'instant' });
         frame.scrollTop = frame.scrollHeight;
         const [head, box] = [table.tHead.rows[0].cells[0], frame].map(part => part.getBoundingClientRect());
         return [frame.scrollTop > 100, Math.abs(head.top - box.top) < 2]",
    );
    assert_eq!(apart, json!([true, true]));
}

#[test]
fn a_long_name_is_whole_in_its_hint() {
    let folder = Folder::new();
    let name = "a-very-long-name-of-an-entry-that-no-column-has-room-for-at-all";
    let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for board in 0..10 {
        for (entry, moves) in [(name, 90), ("short", 80)] {
            csv += &format!(
                "{entry},board-of-a-very-long-name-that-has-the-number-{board},solved,25,25,{moves},1,5,1000\n"
            );
        }
    }
    folder.file("long.csv", csv);
    folder.judge(["report", "long.csv", "-o", "long.html"]).exits(0);
    let page = Page::open(&folder.path().join("long.html"));
    for width in [1440, 820, 390] {
        page.screen(width, 900);
        let cut = page.run(
            "const link = document.querySelectorAll('#standings tbody th a')[1];
             const style = getComputedStyle(link), text = link.querySelector('bdi');
             return [link.title, [link, text].some(part => part.scrollWidth > part.clientWidth && getComputedStyle(part).textOverflow === 'ellipsis'),
                     link.getBoundingClientRect().height < 2 * parseFloat(style.lineHeight)]",
        );
        assert_eq!(cut, json!([name, true, true]), "at {width}");
        let board = page.run(
            "const head = document.querySelector('table.boards tbody th'), text = head.querySelector('bdi');
             return [head.title.length, text.scrollWidth > text.clientWidth, text.getBoundingClientRect().height < 30]",
        );
        assert_eq!(board, json!([47, true, true]), "at {width}");
        assert_eq!(page.run("return document.documentElement.scrollWidth <= innerWidth"), json!(true), "at {width}");
    }
}

#[test]
fn cells_are_tinted_by_their_distance_from_the_best() {
    let folder = Folder::new();
    let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for (entry, moves) in [("a", 100), ("b", 104), ("c", 112), ("d", 125), ("e", 150), ("f", 300)] {
        csv += &format!("{entry},X,solved,25,25,{moves},1,5,1000\n");
    }
    folder.file("tints.csv", csv);
    folder.judge(["report", "tints.csv", "-o", "tints.html"]).exits(0);
    let page = Page::open(&folder.path().join("tints.html"));
    for scheme in ["light", "dark"] {
        page.colours(scheme);
        // Tints approach the background steadily, from the best cell to a distant one.
        let steps = page.run(
            "const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
             const shown = colour => {
                 canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
                 canvas.fillRect(0, 0, 1, 1);
                 canvas.fillStyle = colour;
                 canvas.fillRect(0, 0, 1, 1);
                 return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
             };
             const ground = shown('transparent');
             const cells = [...document.querySelectorAll('#standings tbody td:has(a.cell)')];
             return cells.map(cell => Math.hypot(...shown(getComputedStyle(cell).backgroundColor).map((part, at) => part - ground[at])))",
        );
        let steps: Vec<f64> = serde_json::from_value(steps).unwrap();
        assert_eq!(steps.len(), 6);
        assert!(steps.windows(2).all(|pair| pair[0] > pair[1]) && steps[5] < 1.0, "{scheme}: {steps:?}");
        let underlined = page.run(
            "return [...document.querySelectorAll('a.cell')].every(link => getComputedStyle(link).textDecorationLine === 'underline')",
        );
        assert_eq!(underlined, json!(true), "{scheme}");
    }
}

#[test]
fn of_two_results_each_entry_has_one_row_with_what_changed() {
    let folder = Folder::new();
    let [short, long] = ["1995-1s", "1995-10s"].map(|name| project().join("results").join(name).display().to_string());
    folder.judge(["report", &short, &long, "-o", "both.html"]).exits(0);
    let page = Page::open(&folder.path().join("both.html"));
    let rows = page.run(
        "return [...document.querySelectorAll('#side-by-side tbody tr')].map(row => row.querySelector('th').textContent)",
    );
    let names: Vec<String> = serde_json::from_value(rows).unwrap();
    let different: std::collections::BTreeSet<&String> = names.iter().collect();
    assert_eq!((names.len(), different.len()), (18, 18), "one row per entry: {names:?}");
    // The differences of an entry's moves on the boards add up to that of its total.
    let sums = page.run(
        "const number = cell => [...cell.querySelectorAll('.up, .down, .level')].map(one => +one.textContent.replace('−', '-')).filter(one => !Number.isNaN(one)).reduce((a, b) => a + b, 0);
         return [...document.querySelectorAll('#side-by-side tbody tr')].map(row => [...row.cells])
             .filter(cells => cells[5].textContent !== '' && !cells.slice(7).some(cell => cell.textContent.includes('was')))
             .map(cells => [number(cells[5]), cells.slice(7).map(number).reduce((a, b) => a + b, 0)])",
    );
    let sums: Vec<[i64; 2]> = serde_json::from_value(sums).unwrap();
    assert!(sums.len() >= 10 && sums.iter().all(|[total, boards]| total == boards), "{sums:?}");
    assert!(sums.iter().any(|[total, _]| *total < 0), "more time made some answers shorter: {sums:?}");
}
