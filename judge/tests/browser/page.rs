//! A results page in a browser, with the actions of its reader.

use std::ops::Deref;

use crate::contests::Small;
use crate::webdriver::{Browser, Element, key};

use crate::support::*;

/// A script that returns true if the viewer is open and complete.
pub(crate) const OPENED: &str = "return document.querySelector('#viewer').matches('[open]:not([aria-busy])')";

/// A page open in a browser that no other test uses.
pub(crate) struct Page {
    browser: Option<Browser>,
    /// That of the page, if it is this page's own.
    _folder: Option<Folder>,
}

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.browser.as_ref().expect("a page has its browser until it is dropped")
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The browser of a failed test may be in any state, so it is not used again.
        if let Some(browser) = self.browser.take().filter(|_| !std::thread::panicking()) {
            browser.give_back();
        }
    }
}

impl Page {
    /// Opens the page as a file, like a reader who got it by mail.
    #[track_caller]
    pub(crate) fn open(file: &Path) -> Self {
        Self::open_at(&address(file))
    }

    #[track_caller]
    pub(crate) fn open_at(address: &str) -> Self {
        let browser = Browser::borrow();
        browser.goto(address);
        Self { browser: Some(browser), _folder: None }
    }

    /// Opens a page in a folder of its own.
    #[track_caller]
    pub(crate) fn made(make: impl FnOnce(&Folder) -> PathBuf) -> Self {
        let folder = Folder::new();
        Self { browser: Self::open(&make(&folder)).browser.take(), _folder: Some(folder) }
    }

    /// Opens the page of the small contest of a game.
    #[track_caller]
    pub(crate) fn of_game(game: &str) -> Self {
        Self::made(|folder| Small::of(game).report(folder))
    }

    /// Returns the cell of an entry and a board in the standings.
    #[track_caller]
    pub(crate) fn cell(&self, entry: &str, board: &str) -> Element<'_> {
        let script = format!(
            "const table = document.querySelector('#standings');
             const column = [...table.tHead.rows[0].cells].findIndex(head => head.innerText.trim().startsWith({board:?}));
             const row = [...table.tBodies[0].rows].find(row => row.querySelector('th').innerText.split(/\\s/)[0] === {entry:?});
             const cell = row.cells[column].querySelector('a.cell');
             // With movement the page scrolls slowly, but a driver clicks at once.
             cell.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             return cell.getAttribute('href')"
        );
        let address = self.run(&script);
        self.find(&format!("#standings a.cell[href='{}']", address.as_str().unwrap()))
    }

    /// Opens the run of a cell.
    #[track_caller]
    pub(crate) fn open_cell(&self, entry: &str, board: &str) {
        self.cell(entry, board).click();
        self.wait(OPENED);
    }

    #[track_caller]
    pub(crate) fn close_viewer(&self) {
        self.press(&[key::ESCAPE]);
        self.wait("return !document.querySelector('#viewer').open");
    }

    /// Puts another entry's replay next to the open one; `none` removes the second one.
    #[track_caller]
    pub(crate) fn compare_with(&self, entry: &str) {
        let choices = self.all("#viewer select[aria-label='Compare with'] option");
        let choice = choices.into_iter().find(|choice| choice.text().split_whitespace().next() == Some(entry));
        choice.unwrap_or_else(|| panic!("{entry} is not offered for comparison")).click();
        let games = if entry == "none" { 1 } else { 2 };
        self.wait(&format!("return document.querySelectorAll('#viewer .replay').length === {games}"));
    }

    /// Returns a button of the viewer.
    #[track_caller]
    pub(crate) fn button(&self, name: &str) -> Element<'_> {
        self.named("#viewer button", "button", name)
    }

    /// Returns the current move of each replay in the viewer.
    #[track_caller]
    pub(crate) fn at(&self) -> Vec<u64> {
        self.numbers("at")
    }

    /// Returns the number of moves of each replay in the viewer.
    #[track_caller]
    pub(crate) fn moves(&self) -> Vec<u64> {
        self.numbers("moves")
    }

    #[track_caller]
    fn numbers(&self, name: &str) -> Vec<u64> {
        let script =
            format!("return [...document.querySelectorAll('#viewer .replay')].map(replay => +replay.dataset.{name})");
        serde_json::from_value(self.run(&script)).unwrap()
    }

    /// Returns the position of the first replay, in the judge's one-line form.
    #[track_caller]
    pub(crate) fn position(&self) -> String {
        self.run("return document.querySelector('#viewer .position').textContent").as_str().unwrap().to_owned()
    }

    /// Returns true if the illegal move is visible.
    #[track_caller]
    pub(crate) fn shows_illegal_move(&self) -> bool {
        self.all("#viewer .replay .fault").iter().any(Element::displayed)
    }

    /// Uses every control: sorts by every column, selects an entry, opens every table, plays the replay of a cell, and
    /// compares it with another one.
    #[track_caller]
    pub(crate) fn use_everything(&self, entry: &str, board: &str) {
        for button in self.all("thead th button") {
            button.click();
        }
        // In the middle, as the heads cover the top of the window.
        let pick = self.find("button.pick");
        pick.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })");
        pick.click();
        self.press(&[key::ESCAPE]);
        self.run("document.querySelectorAll('details').forEach(details => details.open = true)");
        self.open_cell(entry, board);
        let choices = self.all("#viewer select[aria-label='Compare with'] option");
        choices.last().expect("there is another entry to compare").click();
        for name in ["Last", "Back", "First", "Forward", "Play"] {
            self.button(name).click();
        }
        self.close_viewer();
    }
}

/// Returns the address of a file without special characters in its path.
pub(crate) fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}
