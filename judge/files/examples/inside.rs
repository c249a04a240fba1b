//! Prints a file of a folder with untrusted contents: `cargo run -p judge-files --example inside -- FOLDER PATH`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::io::{self, Read as _};
use std::path::Path;

use judge_files::Folder;

/// The text of a file inside a folder. A link, a pipe and a path that leads out are refused.
pub(crate) fn read(folder: &Path, path: &str) -> io::Result<String> {
    let mut text = String::new();
    Folder::open(folder)?.read(path)?.read_to_string(&mut text)?;
    Ok(text)
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, path] = &arguments[..] else { return Err(io::Error::other("usage: inside FOLDER PATH")) };
    print!("{}", read(Path::new(folder), path)?);
    Ok(())
}
