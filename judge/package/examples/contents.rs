//! Lists what is in a problem package: `cargo run -p judge-package --example contents -- FOLDER`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::path::Path;

use judge_package::{Package, PackageError};

/// One line per test case, and one per submission with what the package expects of it.
pub(crate) fn contents(folder: &Path) -> Result<Vec<String>, PackageError> {
    let package = Package::read(folder)?;
    let cases = package.data.cases.iter().map(|case| format!("case {}", case.name));
    let submissions = package.submissions.iter();
    let submissions = submissions.map(|submission| format!("{}: {}", submission.path, submission.expectation));
    Ok(cases.chain(submissions).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: contents FOLDER")?;
    contents(Path::new(&folder))?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
