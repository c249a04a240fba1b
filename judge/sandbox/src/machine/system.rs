//! Reads `/proc` and `/sys` below a root, so that tests can simulate a machine.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

/// Maximum number of bytes read of a file. The kernel generates these files when they are read: `/proc/cpuinfo` has a
/// kilobyte or two per processor, and the first processor is enough.
const LIMIT: u64 = 64 * 1024;
/// The most characters kept of a name, so that damaged files do not end up in a report.
const NAME_CHARACTERS: usize = 120;

/// The files of `/proc` and `/sys`; paths are relative to the root.
pub(super) struct Sysfs {
    root: PathBuf,
}

impl Sysfs {
    /// The files of the running system, not of a test.
    pub(super) fn system() -> Self {
        Self { root: PathBuf::from("/") }
    }

    /// A file's text, up to [`LIMIT`].
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let mut bytes = Vec::new();
        File::open(self.root.join(path)).ok()?.take(LIMIT).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The text of a file that holds a single line.
    pub(super) fn line(&self, path: &str) -> Option<String> {
        clean(self.text(path)?.lines().next()?)
    }

    /// The number that a file holds.
    pub(super) fn number(&self, path: &str) -> Option<u32> {
        self.text(path)?.trim().parse().ok()
    }

    /// A file that holds 0 or 1.
    pub(super) fn flag(&self, path: &str) -> Option<bool> {
        match self.number(path)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// The complete lines that a single read into the buffer returns, for files that are read before and after every
    /// run. A last line without an end may be cut off, and then its figures would be wrong.
    pub(super) fn lines<'b>(&self, path: &str, buffer: &'b mut [u8]) -> Option<&'b str> {
        let read = File::open(self.root.join(path)).ok()?.read(buffer).ok()?;
        let text = std::str::from_utf8(buffer.get(..read)?).ok()?;
        Some(text.rsplit_once('\n')?.0)
    }
}

/// A name that can be shown: in one line, of moderate length, without control characters; `None` if nothing is left.
pub(super) fn clean(name: &str) -> Option<String> {
    let words: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let name: String = words.join(" ").chars().take(NAME_CHARACTERS).collect();
    Some(name).filter(|name| !name.is_empty())
}

/// A simulated root in a temporary directory.
#[cfg(test)]
pub(super) struct Tree(tempfile::TempDir);

#[cfg(test)]
impl Tree {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file and the directories above it.
    pub(super) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    /// Writes a file of `/sys/devices/system/cpu`.
    pub(super) fn cpu(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        self.file(&format!("sys/devices/system/cpu/{path}"), content)
    }

    pub(super) fn system(&self) -> Sysfs {
        Sysfs { root: self.0.path().to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fit_to_be_shown() {
        assert_eq!(clean(" AMD\tEPYC  9\n").as_deref(), Some("AMD EPYC 9"));
        assert_eq!(clean("\u{1b}[31mred\u{0}").as_deref(), Some("[31mred"));
        assert_eq!(clean(" \u{0} "), None);
        assert_eq!(clean(&"é".repeat(1000)).map(|name| name.chars().count()), Some(NAME_CHARACTERS));
    }

    #[test]
    fn one_read_gives_whole_lines() {
        let tree = Tree::new();
        tree.file("lines", "one 1\ntwo 22\n").file("empty", "").file("damaged", b"\xff\n");
        let system = tree.system();
        assert_eq!(system.lines("lines", &mut [0; 64]), Some("one 1\ntwo 22"));
        assert_eq!(system.lines("lines", &mut [0; 12]), Some("one 1"));
        assert_eq!(system.lines("lines", &mut [0; 3]), None);
        for path in ["empty", "damaged", "missing", ""] {
            assert_eq!(system.lines(path, &mut [0; 64]), None, "{path}");
        }
    }

    #[test]
    fn flags_are_0_or_1() {
        let tree = Tree::new();
        for (content, flag) in [("1\n", Some(true)), ("0", Some(false)), ("2\n", None), ("", None), ("on\n", None)] {
            tree.file("flag", content);
            assert_eq!(tree.system().flag("flag"), flag, "{content:?}");
        }
    }
}
