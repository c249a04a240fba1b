//! Every table: figures are below their headings, at any width.

use std::fmt::Write as _;

use crate::contests::{made_once, mixed};
use crate::page::{OPENED, Page};
use crate::support::*;

/// The widths of a desktop, a tablet and a phone.
pub(crate) const WIDTHS: [u32; 3] = [1280, 768, 360];

/// A script that lists the visible cells that are not exactly below the heading of their column. It counts cells as HTML
/// does, with those that span several rows.
const MISPLACED: &str = "
    const wrong = [];
    for (const table of document.querySelectorAll('main table')) {
        const heads = [...table.tHead.rows[0].cells];
        const spans = heads.map(() => 0);
        for (const row of [...table.rows].slice(1)) {
            let column = 0;
            for (const cell of row.cells) {
                while (spans[column] > 0) spans[column++] -= 1;
                const [head, own] = [heads[column], cell].map(part => part.getBoundingClientRect());
                spans[column] = cell.rowSpan - 1;
                column += 1;
                const hidden = own.width === 0;
                if (hidden !== (head.width === 0) || !hidden && (Math.abs(head.left - own.left) > 1 || Math.abs(head.right - own.right) > 1))
                    wrong.push(`${table.className}: ${cell.textContent} is below ${heads[column - 1].textContent}`);
            }
            while (column < spans.length) if (spans[column++] > 0) spans[column - 1] -= 1;
        }
    }
    return wrong.slice(0, 5)";

/// A script that lists the tables that are wider than their frames.
const WIDER: &str = "
    return [...document.querySelectorAll('main .wide:has(> table:is(.standings, .boards))')]
        .filter(frame => frame.scrollWidth > frame.clientWidth).map(frame => `${frame.getAttribute('aria-label')} ${frame.scrollWidth} > ${frame.clientWidth}`)";

/// Writes the page of a file of runs of this many entries on this many boards.
pub(crate) fn many(folder: &Folder, entries: usize, boards: usize) -> PathBuf {
    let mut csv = "contest,game,entry,author,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for entry in 0..entries {
        for board in 0..boards {
            let run = match (entry * 7 + board * 3) % 11 {
                0 => "timed_out,,,,,10000000".to_owned(),
                1 => format!("unsolved,20,25,{},3,{}", 40 + board, 2000 + board),
                _ => format!("solved,25,25,{},3,{}", 80 + entry + board * 7 % 40, 3000 * entry + board),
            };
            writeln!(csv, "many,loyd,entry-{entry},Author {entry},random-{board},{run},10000").unwrap();
        }
    }
    folder.file("many.csv", csv);
    report(folder, &[&folder.path().join("many.csv")])
}

/// Writes a page with more entries than the table of boards has columns, on more than a hundred boards.
fn large(folder: &Folder) -> PathBuf {
    made_once("large", folder, |folder| many(folder, 16, 110))
}

fn report(folder: &Folder, results: &[&Path]) -> PathBuf {
    let file = folder.path().join("page.html");
    let paths = results.iter().copied().chain([Path::new("-o"), &file]);
    let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    folder.judge(["report"].into_iter().chain(paths.iter().map(String::as_str))).exits(0);
    file
}

#[test]
fn every_cell_is_below_the_heading_of_its_column_at_three_widths() {
    let folders: [Folder; 3] = std::array::from_fn(|_| Folder::new());
    let project = project();
    let published = project.join("results/published-1995.csv");
    let pages =
        [mixed(&folders[0]), report(&folders[1], &[&project.join("results/1995-1s"), &published]), large(&folders[2])];
    for file in &pages {
        let page = Page::open(file);
        page.run("document.querySelectorAll('details').forEach(details => details.open = true)");
        for width in WIDTHS {
            page.screen(width, 900);
            let place = format!("{} at {width}", file.display());
            assert_eq!(page.run(MISPLACED), json!([]), "{place}");
            assert_eq!(page.run("return document.documentElement.scrollWidth <= innerWidth"), json!(true), "{place}");
        }
    }
}

#[test]
fn standings_are_no_wider_than_their_frame() {
    let folders: [Folder; 2] = std::array::from_fn(|_| Folder::new());
    let few = Page::open(&report(&folders[0], &[&project().join("results/1995-10s")]));
    few.screen(1280, 900);
    assert_eq!(few.run(WIDER), json!([]));
    let many = Page::open(&large(&folders[1]));
    for width in WIDTHS {
        many.screen(width, 900);
        assert_eq!(many.run(WIDER), json!([]), "at {width}");
    }
}

#[test]
fn a_table_of_boards_shows_any_entry() {
    let page = Page::made(|folder| many(folder, 12, 30));
    let rows = || page.all(".boards tbody tr").iter().filter(|row| row.displayed()).count();
    assert_eq!(rows(), 30);
    let filter = page.named(".filters input", "searchbox", "Filter boards by name");
    filter.run("arguments[0].focus()");
    page.press(&["m", "-", "2"]);
    assert_eq!(rows(), 11, "random-2 and random-20 to random-29");
    filter.run("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input'))");
    let choose = |name: &str, option: &str| {
        let select = page.named(".filters select", "combobox", name);
        select.run(&format!(
            "arguments[0].value = [...arguments[0].options].find(option => option.text === {option:?}).value;
             arguments[0].dispatchEvent(new Event('change'))"
        ));
    };
    choose("Boards shown", "not solved by an entry shown");
    let unsolved = rows();
    assert!(unsolved > 0 && unsolved < 30, "{unsolved}");
    choose("Boards shown", "all boards");

    // The column shows another entry: every cell is that of the entry's own table.
    choose("Entry in column 1", "entry-11");
    let same = page.run(
        "const head = document.querySelector('.boards th[data-entry]');
         const title = [...document.querySelectorAll('section.entry h3 bdi')].findIndex(name => name.textContent === 'entry-11');
         return head.innerText.startsWith('entry-11') && [...document.querySelectorAll('.boards tbody tr')].every(row => {
            const own = document.getElementById(`cell-0-${title}-${row.dataset.board}`).cells[1];
            return row.cells[head.cellIndex].textContent === own.textContent;
         })",
    );
    assert_eq!(same, json!(true));
    let order = "return [...document.querySelectorAll('.boards tbody tr')].map(row => +row.dataset.board)";
    let before = page.run(order);
    page.all(".boards thead th button")[1].click();
    assert_ne!(page.run(order), before, "sorted by the number of entries that solved a board");
    page.all(".boards a.cell")[0].click();
    page.wait(OPENED);
}

#[test]
fn a_page_with_many_boards_is_quiet() {
    let page = Page::made(|folder| many(folder, 6, 20));
    page.run("document.querySelectorAll('details').forEach(details => details.open = true)");
    for button in page.all("thead th button") {
        button.click();
    }
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn a_few_boards_have_cells_that_open() {
    let page = Page::of_game("loyd");
    assert_eq!(page.all("table.boards").len(), 0);
    page.open_cell("straight", "TRAP");
}
