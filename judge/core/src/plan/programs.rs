//! Comparison of the files that are executed for an entry or a referee.

use std::path::{Component, Path, PathBuf};

use crate::fingerprint::Hashes;

/// The first format of journals whose hashes cover the files of folders, and those that a referee may read.
const COVERS_FOLDERS: u32 = 5;

/// Tests whether the program that a journal has is this one. Of a contest that a judge of an older format began, only the
/// files that it recorded are compared.
pub fn is_recorded(began_in_format: u32, recorded: &Hashes, now: &Hashes) -> bool {
    match began_in_format < COVERS_FOLDERS && !recorded.is_empty() {
        true => all_in(recorded, now),
        false => same_programs(recorded, now),
    }
}

/// Tests whether both are the same files with the same contents.
///
/// A file of the contest's folder is recorded by its path from there. Journals of older versions have its absolute path
/// if the contest file was named with `..`; that is the same file if its path ends like the other one.
fn same_programs(one: &Hashes, other: &Hashes) -> bool {
    all_in(one, other) && all_in(other, one)
}

/// Tests whether the others have all of these files.
fn all_in(some: &Hashes, others: &Hashes) -> bool {
    some.iter().all(|(file, hash)| {
        let same = |(other, found): (&String, &String)| found == hash && is_same_file(file, other);
        others.get(file) == Some(hash) || others.iter().any(same)
    })
}

/// Tests whether one path is absolute and ends with the other one, which is relative.
fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (Path::new(one), Path::new(other));
    let ends_with = |absolute: &Path, relative: &Path| {
        let below: PathBuf = relative.components().skip_while(|part| *part == Component::ParentDir).collect();
        absolute.is_absolute() && relative.is_relative() && below.file_name().is_some() && absolute.ends_with(below)
    };
    ends_with(one, other) || ends_with(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[(&str, &str)]) -> Hashes {
        names.iter().map(|(name, hash)| ((*name).to_owned(), (*hash).to_owned())).collect()
    }

    #[test]
    fn a_file_is_the_same_by_whatever_path_it_was_recorded() {
        let now = files(&[("mine/solve", "11"), ("/usr/bin/python3", "22")]);
        for (before, same) in [
            (files(&[("mine/solve", "11"), ("/usr/bin/python3", "22")]), true),
            (files(&[("/home/me/contest/mine/solve", "11"), ("/usr/bin/python3", "22")]), true),
            (files(&[("/home/me/contest/mine/solve", "12"), ("/usr/bin/python3", "22")]), false),
            (files(&[("/home/me/contest/yours/solve", "11"), ("/usr/bin/python3", "22")]), false),
            (files(&[("yours/mine/solve", "11"), ("/usr/bin/python3", "22")]), false),
            // Another interpreter has other libraries, even if it is the same binary.
            (files(&[("mine/solve", "11"), ("/opt/bin/python3", "22")]), false),
            (files(&[("mine/solve", "11")]), false),
            (files(&[("mine/solve", "11"), ("/usr/bin/python3", "22"), ("data", "33")]), false),
        ] {
            assert_eq!(same_programs(&before, &now), same, "{before:?}");
            assert_eq!(same_programs(&now, &before), same, "{before:?}");
        }
        let outside = files(&[("../bin/solve", "11")]);
        assert!(same_programs(&outside, &files(&[("/home/me/bin/solve", "11")])));
        assert!(!same_programs(&files(&[("..", "11")]), &files(&[("/home", "11")])));
    }
}
