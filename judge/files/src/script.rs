//! The first line of a script, which names its interpreter.

use std::io::Read as _;
use std::path::Path;

use crate::regular;

/// The longest first line of a script that systems read.
pub const FIRST_LINE_BYTES: u64 = 256;

/// The reason why a script with Windows line endings cannot be started, as a fragment without its subject: the system takes
/// the carriage return for a part of the interpreter's name. `None` for any other file.
pub fn windows_lines(script: &Path) -> Option<String> {
    let mut head = Vec::new();
    regular::open(script).ok()?.take(FIRST_LINE_BYTES).read_to_end(&mut head).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?.strip_suffix(b"\r")?;
    let interpreter = String::from_utf8_lossy(line).escape_debug().to_string();
    let interpreter = interpreter.trim();
    Some(format!(
        "ends its lines as Windows does, so that its interpreter would be `{interpreter}\\r`; convert it, for example with \
         `sed -i 's/\\r$//'`"
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn only_scripts_of_windows_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        for (text, expected) in [
            ("#!/bin/sh\r\necho\r\n", Some("`/bin/sh\\r`")),
            ("#!/usr/bin/env python3\r\n", Some("`/usr/bin/env python3\\r`")),
            ("#!/bin/sh\necho\r\n", None),
            ("echo\r\n", None),
            ("", None),
        ] {
            std::fs::write(&script, text).unwrap();
            let reason = windows_lines(&script);
            assert_eq!(reason.is_some(), expected.is_some(), "{text:?}");
            assert!(reason.zip(expected).is_none_or(|(reason, part)| reason.contains(part)), "{text:?}");
        }
        assert_eq!(windows_lines(&folder.path().join("none")), None);
    }
}
