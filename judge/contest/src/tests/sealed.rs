//! Seals with their salts, and versions that are restored.

use judge_core::journal::{STORED, Version};
use judge_core::plan::salted_seal;

use super::*;
use crate::open_contest::{OpenContest, StartOptions};
use crate::programs::{hashes, keep_all};
use crate::restore::{self, RestoreError};
use crate::seal::{SealError, read_salt, seal};

#[test]
fn a_seal_is_that_of_the_salt_beside_the_board() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let board = folder.0.path().join("x.txt");
    let made = seal(&board).unwrap();
    assert_eq!((made.new, &made.salt), (true, &folder.0.path().join("x.txt.salt")));
    let salt = fs::read_to_string(&made.salt).unwrap();
    assert_eq!(fs::metadata(&made.salt).unwrap().permissions().mode() & 0o777, 0o600, "only its owner reads it");
    assert_eq!(made.seal, salted_seal(&read_salt(&made.salt).unwrap(), [NEAR.as_bytes()]));
    assert!(salt.trim_end().len() == 64 && made.seal.starts_with("salted-sha256:"), "{salt} {}", made.seal);
    // Sealing a board again gives the same seal; another board has another salt.
    let again = seal(&board).unwrap();
    assert_eq!((&again.seal, again.new), (&made.seal, false));
    assert_ne!(seal(&folder.0.path().join("y.txt")).unwrap().seal, made.seal, "the boards are equal");
}

#[test]
fn what_is_no_board_or_no_salt_has_no_seal() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let none = folder.0.path().join("none.txt");
    assert!(matches!(seal(&none), Err(SealError::File { file, .. }) if file == none));
    assert!(!folder.0.path().join("none.txt.salt").exists());
    folder.file("x.txt.salt", "too short\n");
    assert!(matches!(seal(&folder.0.path().join("x.txt")), Err(SealError::Salt { .. })));
    assert_eq!(read_salt(&folder.0.path().join("y.txt.salt")), Err("no such file".into()));
}

/// The version of `b` in a contest that began and kept its programs.
fn kept(folder: &Folder) -> Version {
    let (contest, results) = (folder.contest(), folder.results());
    let programs = hashes(&contest, None);
    let (kept, _) = keep_all(&contest, &programs, &results);
    let with = StartOptions { programs, kept, ..StartOptions::default() };
    let open_contest = OpenContest::begin(contest, &results, with, || None).unwrap();
    open_contest.contents().versions["b"][0].clone()
}

#[test]
fn a_version_is_written_with_programs_that_can_be_executed() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let version = kept(&folder);
    let output = folder.0.path().join("old");
    let written = restore::files(&folder.results(), &version, &output).unwrap();
    assert_eq!(written, [("b/solve".to_owned(), PathBuf::from("b/solve"))]);
    assert_eq!(fs::read_to_string(output.join("b/solve")).unwrap(), "#!/bin/sh\n");
    let mode = fs::metadata(output.join("b/solve")).unwrap().permissions().mode();
    assert_eq!((mode & 0o100, mode & 0o111), (0o100, (mode & 0o444) >> 2), "who reads it executes it: {mode:o}");
    assert!(matches!(restore::files(&folder.results(), &version, &output), Err(RestoreError::Folder { .. })));
    // A kept file that has changed is not written.
    let stored = folder.results().join(STORED).join(&version.programs["b/solve"]);
    fs::write(&stored, "#!/bin/true\n").unwrap();
    let other = folder.0.path().join("other");
    assert!(
        matches!(restore::files(&folder.results(), &version, &other), Err(RestoreError::Changed(at)) if at == stored)
    );
    assert!(!other.join("b/solve").exists());
    fs::remove_file(&stored).unwrap();
    let third = folder.0.path().join("third");
    assert!(matches!(restore::files(&folder.results(), &version, &third), Err(RestoreError::Kept { .. })));
}

#[test]
fn a_version_is_a_contest_with_its_boards_and_limits() {
    let entries = ENTRIES.to_owned() + "limits = { limit = \"3s\" }\n";
    let folder = Folder::new(&[HEAD, BOARDS, &entries].concat());
    let plan = folder.contest().plan;
    let version = kept(&folder);
    for (entry, wall_ms) in [("a", 10_000), ("b", 3_000)] {
        let output = folder.0.path().join(format!("old-{entry}"));
        restore::files(&folder.results(), &version, &output).unwrap();
        restore::contest(&plan, (entry, 1), vec!["b/solve".into()], &output).unwrap();
        let written = Contest::load(&output, &Overrides::default()).unwrap().plan;
        assert_eq!(
            (&*written.name, written.problems[0].limits.wall_ms),
            (&*format!("test: version 1 of {entry}"), wall_ms)
        );
        let text = |plan: &crate::Plan| plan.boards.iter().map(|board| board.text.clone()).collect::<Vec<_>>();
        assert_eq!((text(&written), written.entries.len()), (text(&plan), 1));
        assert!(!fs::read_to_string(output.join(crate::FILE_NAME)).unwrap().contains("rules"));
    }
}
