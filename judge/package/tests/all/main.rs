//! Tests of whole packages: reading, grading and comparing results, and the contest folders.

/// The rows of a table of cases, one a line.
macro_rules! rows {
    ($($row:expr),+ $(,)?) => {
        [$($row),+]
    };
}

mod bounds;
mod clauses;
mod cms;
mod compared;
mod example;
mod read;
mod refused;
mod statics;
mod written;

use std::path::{Path, PathBuf};

use judge_package::Package;

/// The folder of a package that exists for these tests.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages").join(name)
}

fn package(name: &str) -> Package {
    Package::read(&folder(name)).expect("a good package")
}

/// Writes a package with these files into a new folder.
fn made(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, text).expect("written");
    }
    root
}
