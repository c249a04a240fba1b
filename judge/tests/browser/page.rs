//! A results page open in a browser, in the words of its reader.

use std::ops::Deref;
use std::path::Path;

use crate::webdriver::Browser;

/// A page open in a browser of its own.
pub(crate) struct Page(Browser);

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.0
    }
}

impl Page {
    /// Opens the page as its reader does who got it by mail: as a file.
    #[track_caller]
    pub(crate) fn open(file: &Path) -> Self {
        let browser = Browser::start();
        browser.goto(&address(file));
        Self(browser)
    }
}

/// The address of a file.
pub(crate) fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}
