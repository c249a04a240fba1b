//! All inputs that are known: what fuzzing found once, and what it starts from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use judge_fuzz::TARGETS;

/// The paths in a folder of this crate, sorted.
fn paths(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

/// The names in a folder, without what follows the dot.
fn names(folder: &str) -> BTreeSet<String> {
    let name = |path: &PathBuf| path.file_stem().expect("a name").to_str().expect("names are UTF-8").to_owned();
    paths(folder).iter().map(name).collect()
}

#[test]
fn every_known_input_passes_its_target() {
    for (target, check) in TARGETS {
        let mut known = paths(&format!("seeds/{target}"));
        assert!(known.len() >= 6, "{target} starts from {} inputs", known.len());
        if names("regressions").contains(target) {
            known.extend(paths(&format!("regressions/{target}")));
        }
        for file in known {
            // Shown if the next line panics.
            eprintln!("{}", file.display());
            check(&fs::read(&file).expect("an input can be read"));
        }
    }
}

#[test]
fn every_input_and_every_program_belongs_to_a_target() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names("targets"), targets, "a program per target in fuzz/targets");
    assert_eq!(names("seeds"), targets, "a folder per target in fuzz/seeds");
    for folder in ["regressions", "dictionaries"] {
        let unread: Vec<String> = names(folder).difference(&targets).cloned().collect();
        assert!(unread.is_empty(), "no target reads fuzz/{folder}: {unread:?}");
    }
}
