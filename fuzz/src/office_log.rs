//! The office's lines of a log without their hashes, which the target adds: otherwise hardly a line would be read.
//!
//! What must hold: an error names a line; a log that is read can be continued and reads back.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use judge_core::journal::Chain;
use judge_office::submission_state::SubmissionStates;
use judge_office::view::Viewer;
use judge_office::{FOLDER, Office, OfficeError, log, verify};
use tempfile::TempDir;

use crate::common::new_folder;

thread_local! {
    static CONTEST: TempDir = new_folder();
}

/// A log is refused with its line, or it is read, goes on, and is the same when it is read again.
pub fn check(input: &[u8]) {
    CONTEST.with(|folder| check_in(folder.path(), input));
}

fn check_in(folder: &Path, input: &[u8]) {
    let (mut chain, mut lines) = (Chain::default(), Vec::new());
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let mut line = line.to_vec();
        // An incomplete last line, and one that is no object, stay as they are.
        if line.ends_with(b"}\n") {
            chain.seal(&mut line);
        }
        lines.extend(line);
    }
    let folder = folder.join(FOLDER);
    let path = log::path_of(&folder);
    for folder in [Some(&*folder), path.parent()].into_iter().flatten() {
        fs::create_dir_all(folder).expect("a folder can be made");
    }
    fs::write(path, &lines).expect("the folder can be written");
    let open = || Office::open(&folder, Arc::new(|| 1_795_435_200));
    let office = match open() {
        Ok(office) => office,
        Err(OfficeError::Damaged { .. } | OfficeError::Missing(_)) => return,
        Err(error) => panic!("{error}"),
    };
    let Ok(before) = office.state() else { return };
    office.add_team("another-team", None).ok();
    office.notice("a notice").ok();
    office.tick().ok();
    let after = office.state().expect("what was written can be read");
    assert!(after.messages().len() >= before.messages().len());
    let again = open().and_then(|office| office.state()).expect("what was written can be read");
    assert_eq!(again.teams(), after.teams());
    assert!(again.messages().iter().eq(after.messages().iter()));
    for (_, submission) in again.submissions().iter() {
        let number = submission.number;
        assert_eq!(again.submission(number).map(|(_, submission)| submission.number), Some(number));
        again.is_public(number);
        SubmissionStates::new(&Viewer::Organiser, &again, None).of(submission);
    }
    verify::verify(&folder).expect("a report");
}
