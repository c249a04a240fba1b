//! Names of results directories: a number, unguessable letters after it, and the short form in messages.
//!
//! Under Landlock, an entry can access every path that it can name, and `/proc` shows it the command lines of all processes.
//! So a command that a message proposes contains only the number, from which [`found`] derives the whole name.

use std::fs;
use std::path::{Path, PathBuf};

/// The alphabet of the letters that make the name of a results directory unguessable: 80 random bits.
pub const SECRET_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The number of these letters.
pub const SECRET_LENGTH: usize = 16;

/// The number of a results directory, and whether unguessable letters follow; `None` if the judge did not choose the
/// name.
pub fn number_of(name: &str) -> Option<(u64, bool)> {
    let is_secret =
        |letters: &str| letters.len() == SECRET_LENGTH && letters.bytes().all(|at| SECRET_LETTERS.contains(&at));
    match name.split_once('-') {
        Some((number, letters)) => is_secret(letters).then_some((number.parse().ok()?, true)),
        None => Some((name.parse().ok()?, false)),
    }
}

/// A results directory, or a path in it, by its name without the unguessable letters: `runs/1` is short for the only
/// `runs/1-…` if `runs/1` itself does not exist. `None` if the path is not such a name.
pub fn found(path: &Path) -> Option<PathBuf> {
    let missing =
        path.ancestors().take_while(|path| !path.as_os_str().is_empty() && fs::symlink_metadata(path).is_err());
    let short = missing.last()?;
    let (number, false) = number_of(short.file_name()?.to_str()?)? else { return None };
    let parent = short.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = fs::read_dir(parent).ok()?.filter_map(|item| item.ok()?.file_name().into_string().ok());
    let mut fits = names.filter(|name| number_of(name) == Some((number, true)));
    let name = fits.next().filter(|_| fits.next().is_none())?;
    let whole = short.with_file_name(name);
    // Joining an empty path would add a slash.
    let rest = path.strip_prefix(short).ok().filter(|rest| !rest.as_os_str().is_empty());
    Some(rest.map_or_else(|| whole.clone(), |rest| whole.join(rest)))
}

/// The name of a results directory, or of a path in it, for messages: without the unguessable letters, if the short name
/// is unambiguous.
pub fn short(path: &Path) -> PathBuf {
    let without = |directory: &Path| match number_of(directory.file_name()?.to_str()?)? {
        (number, true) => Some(directory.with_file_name(number.to_string())),
        _ => None,
    };
    let short = path.ancestors().find_map(|directory| {
        let rest = path.strip_prefix(directory).ok()?;
        let short = without(directory)?;
        Some(if rest.as_os_str().is_empty() { short } else { short.join(rest) })
    });
    short.filter(|short| found(short).as_deref() == Some(path)).unwrap_or_else(|| path.to_owned())
}

/// A results directory as the argument of a command that a message proposes, quoted for a shell.
pub fn argument(results: &Path) -> String {
    shell_words::quote(&short(results).to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn messages_show_a_directory_by_the_number_that_stands_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let [one, two, other] = ["1-abcdefghijkmnpqr", "2-abcdefghijkmnpqr", "2-zzzzzzzzzzzzzzzz"].map(path);
        for path in [&one, &two, &path("3"), &path("1-abc")] {
            fs::create_dir(path).unwrap();
        }
        assert_eq!((found(&path("1")), short(&one)), (Some(one.clone()), path("1")));
        assert_eq!(found(&path("1/results.csv")), Some(one.join("results.csv")));
        assert_eq!(short(&one.join("results.csv")), path("1/results.csv"));
        assert_eq!(argument(&one), shell_words::quote(&path("1").to_string_lossy()));
        assert_eq!(short(&two), path("2"));
        // A number that is not unique would not find it again.
        fs::create_dir(&other).unwrap();
        assert_eq!((found(&path("2")), short(&two)), (None, two));
        for whole in [path("3"), path("1-abc"), path("7-abcdefghijkmnpqr")] {
            assert_eq!(short(&whole), whole);
        }
        assert_eq!(number_of("1-abcdefghijkmnpql"), None, "an l looks like a 1");
        assert_eq!(argument(Path::new("my runs/1")), "'my runs/1'");
    }
}
