//! An author's write-up of an entry, in Markdown: a separate file, or the comment at the head of a program.

use judge_files::regular;
use judge_job::Place;

/// The longest file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a write-up; the error is a fragment.
pub(super) fn read(place: &Place) -> Result<String, String> {
    let path = place.path();
    let refuse = |reason: String| format!("write_up: {}: {reason}", path.display());
    let bytes = place.read().and_then(|file| regular::read_file(file, MAX_BYTES));
    let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
    // Any encoding is possible; invalid bytes are shown as such.
    let text = String::from_utf8_lossy(&bytes);
    if path.extension().is_some_and(|extension| extension == "md") {
        return Ok(text.into_owned());
    }
    head(&text).ok_or_else(|| refuse("has no write-up: a comment at its head in `//!`, `//`, `#` or `\"\"\"`".into()))
}

/// The comment at the head of a program, without its marks; `None` if it does not begin with a comment.
fn head(program: &str) -> Option<String> {
    let program = if program.starts_with("#!") { program.split_once('\n')?.1 } else { program };
    if let Some(docstring) = program.strip_prefix("\"\"\"") {
        return docstring.split_once("\"\"\"").map(|(text, _)| text.trim().to_owned());
    }
    let mark = ["//!", "//", "#"].into_iter().find(|mark| program.starts_with(mark))?;
    let lines = program.lines().map_while(|line| line.strip_prefix(mark));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_program_is_its_first_comment_without_marks() {
        assert_eq!(head("//! a\n//!\n//!  b\n\nfn main() {}\n// c\n").as_deref(), Some("a\n\n b"));
        assert_eq!(head("// a\n//b\nint main;\n").as_deref(), Some("a\nb"));
        assert_eq!(head("#!/bin/sh\n# a\n# b\necho\n").as_deref(), Some("a\nb"));
        assert_eq!(head("#!/usr/bin/env python3\n\"\"\"a\n\n  b\n\"\"\"\nprint()\n").as_deref(), Some("a\n\n  b"));
        for without in ["", "fn main() {}", "#!/bin/sh\necho\n", "\"\"\"never ends", "#!/bin/sh"] {
            assert_eq!(head(without), None, "{without:?}");
        }
    }
}
