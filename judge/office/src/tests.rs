//! Tests of teams, submissions and checks of an office in a separate folder.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::line::{Dated, Line, Submission};
use crate::people::Person;
use crate::state::{Holder, State};

mod clock_back;
mod final_results;
mod full_disk;
mod rules;

fn clock() -> Clock {
    Arc::new(|| 1_795_435_200)
}

struct Opened {
    _folder: tempfile::TempDir,
    office: Office,
}

fn office() -> Opened {
    let folder = tempfile::tempdir().unwrap();
    let office = Office::create(&folder.path().join("office"), clock()).unwrap();
    Opened { _folder: folder, office }
}

#[test]
fn an_office_is_for_its_organiser_alone() {
    let Opened { office, .. } = &office();
    let mode = fs::metadata(office.folder()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_token_is_in_no_file() {
    let Opened { office, .. } = &office();
    let (team, organiser) = (office.add_team("ada", None).unwrap(), office.first_organiser().unwrap().unwrap());
    let log = fs::read_to_string(log::path_of(office.folder())).unwrap();
    assert!(!log.contains(&team.to_string()) && !log.contains(&organiser.to_string()));
    assert_eq!(office.holder(&team.to_string()).unwrap(), Some(Holder::Team("ada".into())));
    assert_eq!(office.holder(&organiser.to_string()).unwrap(), Some(Holder::Organiser("organiser".into())));
    assert_eq!(office.holder("ada").unwrap(), None);
    assert_eq!(office.holder(&team.hash().to_string()).unwrap(), None, "the hash is no token");
}

#[test]
fn the_organiser_gets_one_first_token() {
    let Opened { office, .. } = &office();
    assert!(office.first_organiser().unwrap().is_some());
    assert!(office.first_organiser().unwrap().is_none());
}

#[test]
fn a_new_token_replaces_the_one_before() {
    let Opened { office, .. } = &office();
    let old = office.add_team("ada", None).unwrap();
    let new = office.renew_token("ada").unwrap();
    assert_eq!(office.holder(&old.to_string()).unwrap(), None);
    assert!(office.holder(&new.to_string()).unwrap().is_some());
    office.revoke("ada").unwrap();
    assert_eq!(office.holder(&new.to_string()).unwrap(), None);
    assert!(matches!(office.revoke("bob"), Err(OfficeError::Refused { .. })));
}

#[test]
fn teams_are_added_together_or_not_at_all() {
    let Opened { office, .. } = &office();
    let list = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), None)).collect();
    assert!(office.add_teams(list(&["ada", "bob", "Ada"])).is_err());
    assert!(office.state().unwrap().teams().is_empty());
    assert_eq!(office.add_teams(list(&["ada", "bob"])).unwrap().len(), 2);
}

#[test]
fn people_can_be_erased() {
    let Opened { office, .. } = &office();
    let person = Person { name: "Ada Lovelace".into(), contact: "room 3".into(), ..Person::default() };
    office.add_team("ada", Some(person.clone())).unwrap();
    office.add_team("bob", Some(Person { name: "Bob".into(), ..Person::default() })).unwrap();
    assert_eq!(office.people().unwrap()["ada"], person);
    office.forget("ada").unwrap();
    assert_eq!(office.people().unwrap().keys().collect::<Vec<_>>(), ["bob"]);
    for file in fs::read_dir(office.folder()).unwrap() {
        let path = file.unwrap().path();
        assert!(!path.is_file() || !fs::read_to_string(&path).unwrap().contains("Lovelace"), "{}", path.display());
    }
}

#[test]
fn a_receipt_has_what_is_on_disk() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    let receipt = office.submit(&Upload::new("ada", "solve.py", b"print(1)"), None).unwrap();
    let (entry, number) = (receipt.submission.entry(), receipt.submission.number);
    assert_eq!((entry.as_str(), number, receipt.at, receipt.repeated), ("ada.1", 1, 1_795_435_200, false));
    let again = Office::open(office.folder(), clock()).unwrap();
    assert_eq!(again.state().unwrap().submission(1), Some((receipt.at, &receipt.submission)));
    assert_eq!(again.upload(&receipt.submission.sha256).unwrap(), b"print(1)");
}

#[test]
fn the_same_upload_again_is_the_same_submission() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    office.add_team("bob", None).unwrap();
    let submit = |team, file, bytes: &[u8], language| {
        let receipt = office.submit(&Upload { language, ..Upload::new(team, file, bytes) }, None).unwrap();
        (receipt.submission.number, receipt.repeated)
    };
    assert_eq!(submit("ada", "a.py", b"1", None), (1, false));
    assert_eq!(submit("ada", "a.py", b"1", None), (1, true));
    assert_eq!(submit("bob", "a.py", b"1", None), (2, false), "another team");
    assert_eq!(submit("ada", "a.py", b"1", Some("python3")), (3, false), "another language");
    assert_eq!(submit("ada", "b.py", b"1", Some("python3")), (4, false), "another name");
    assert_eq!(submit("ada", "a.py", b"1", None), (5, false), "an earlier one is submitted anew");
}

#[test]
fn what_cannot_be_a_submission_is_refused() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    let large = vec![b'x'; usize::try_from(MAX_UPLOAD_BYTES).unwrap() + 1];
    let cases: [(&str, &str, &[u8]); 9] = [
        ("bob", "a.py", b"1"),
        ("ada", "a.py", b""),
        ("ada", "a.py", &large),
        ("ada", "", b"1"),
        ("ada", "../a.py", b"1"),
        ("ada", "a\\b.py", b"1"),
        ("ada", ".profile", b"1"),
        ("ada", "-o", b"1"),
        ("ada", "a\u{202e}.py", b"1"),
    ];
    for (team, file, bytes) in cases {
        assert!(
            matches!(office.submit(&Upload::new(team, file, bytes), None), Err(OfficeError::Refused { .. })),
            "{team} {file}"
        );
    }
    assert!(office.state().unwrap().submissions().is_empty());
}

#[test]
fn an_upload_without_its_line_is_accepted_when_it_comes_again() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    // The process was killed between the bytes and the line.
    uploads::store(office.folder(), b"1").unwrap();
    assert!(office.state().unwrap().submissions().is_empty());
    assert!(!office.submit(&Upload::new("ada", "a.py", b"1"), None).unwrap().repeated);
}

/// Sets the age of a file to this number of seconds, by the office's clock.
fn age(office: &Office, path: &Path, seconds: u64) {
    let (file, at) = (fs::File::open(path).unwrap(), office.now() - seconds);
    let now = file.metadata().unwrap();
    let (written, length) = (u64::try_from(now.mtime()).unwrap(), std::time::Duration::from_secs);
    let (later, earlier) = (length(at.saturating_sub(written)), length(written.saturating_sub(at)));
    file.set_modified(now.modified().unwrap() + later - earlier).unwrap();
}

#[test]
fn uploads_that_were_cut_off_are_removed_after_an_hour() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    let receipt = office.submit(&Upload::new("ada", "a.py", b"named"), None).unwrap();
    let named = uploads::path(office.folder(), &receipt.submission.sha256);
    let left = |bytes: &[u8]| uploads::path(office.folder(), &uploads::store(office.folder(), bytes).unwrap().sha256);
    let half = |name: &str| {
        let path = office.folder().join(uploads::INCOMING).join(name);
        fs::write(&path, "x").unwrap();
        path
    };
    let (old, young) = ([left(b"old"), half("old")], [left(b"young"), half("young")]);
    old.iter().chain([&named]).for_each(|path| age(office, path, 3601));
    young.iter().for_each(|path| age(office, path, 3599));
    assert_eq!(office.sweep().unwrap(), 2);
    assert!(old.iter().all(|path| !path.exists()) && young.iter().all(|path| path.exists()) && named.exists());
    assert_eq!(office.sweep().unwrap(), 0);
    assert!(verify::verify(office.folder()).unwrap().problems.is_empty());
}

#[test]
fn an_upload_that_is_received_while_an_older_one_of_its_bytes_is_removed_is_whole() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    // An upload that was interrupted long ago. The same bytes arrive again, and a sweep removes them before their line is
    // written.
    let stored = uploads::store(office.folder(), b"1").unwrap();
    let path = uploads::path(office.folder(), &stored.sha256);
    age(office, &path, 7200);
    assert_eq!(uploads::store(office.folder(), b"1").unwrap(), stored);
    assert_eq!(office.sweep().unwrap(), 1);
    uploads::keep(office.folder(), &stored.sha256, b"1").unwrap();
    assert!(uploads::holds(&path, &stored));
    // In any order of two threads, a sweep removes old files, and named ones stay.
    let done = std::sync::atomic::AtomicBool::new(false);
    let is_done = || done.load(std::sync::atomic::Ordering::SeqCst);
    std::thread::scope(|scope| {
        let sweeping = scope.spawn(|| {
            let mut removed = 0;
            while !is_done() {
                removed += office.sweep().unwrap();
                // The other thread gets its turn.
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            removed
        });
        // Each submission is from another team, so that no quota applies.
        let submit = |number: u32| {
            let (team, bytes) = (format!("t{number}"), format!("program {number}"));
            office.add_team(&team, None)?;
            let stored = uploads::store(office.folder(), bytes.as_bytes())?;
            age(office, &uploads::path(office.folder(), &stored.sha256), 7200);
            office.submit(&Upload::new(&team, "a.py", bytes.as_bytes()), None)
        };
        let submitted: Vec<_> = (0..10).map(submit).collect();
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        assert!(submitted.iter().all(Result::is_ok), "{submitted:?}");
        sweeping.join().unwrap()
    });
    assert!(verify::verify(office.folder()).unwrap().problems.is_empty());
}

#[test]
fn a_changed_upload_is_found() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    let receipt = office.submit(&Upload::new("ada", "a.py", b"1"), None).unwrap();
    assert!(verify::verify(office.folder()).unwrap().problems.is_empty());
    let path = uploads::path(office.folder(), &receipt.submission.sha256);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "2").unwrap();
    let problems = verify::verify(office.folder()).unwrap().problems;
    assert!(problems.len() == 1 && problems[0].starts_with("submission 1: uploads/"), "{problems:?}");
    fs::remove_file(&path).unwrap();
    assert_eq!(verify::verify(office.folder()).unwrap().problems, problems);
    // The right bytes are stored again.
    office.submit(&Upload::new("ada", "b.py", b"1"), None).unwrap();
    assert!(verify::verify(office.folder()).unwrap().problems.is_empty());
}

#[test]
fn a_changed_log_is_found() {
    let Opened { office, .. } = &office();
    office.add_team("ada", None).unwrap();
    let path = log::path_of(office.folder());
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace("\"ada\"", "\"eve\"")).unwrap();
    assert!(verify::verify(office.folder()).unwrap().problems[0].contains("hash does not match"));
    fs::write(&path, whole.clone() + "{\"at\":1").unwrap();
    let report = verify::verify(office.folder()).unwrap();
    assert_eq!((report.torn_bytes, report.problems.len()), (7, 0), "the next writer removes it");
    assert!(report.checked.starts_with("the chain of 2 lines"), "it is no line: {}", report.checked);
    fs::remove_file(&path).unwrap();
    assert!(matches!(verify::verify(office.folder()), Err(OfficeError::Missing(_))));
}

#[test]
fn organisers_have_accounts_and_the_log_names_who_decided() {
    let Opened { office, .. } = &office();
    assert!(office.remove_organiser("max").unwrap_err().to_string().contains("unknown organiser `max`"));
    let first = office.first_organiser().unwrap().unwrap().to_string();
    assert!(office.remove_organiser("organiser").unwrap_err().to_string().contains("the only organiser"));
    assert!(office.renew_organiser("a b").err().unwrap().to_string().contains("unusable organiser name"));
    let [old, max] = [(); 2].map(|()| office.renew_organiser("max").unwrap().to_string());
    let holder = |token: &str| office.holder(token).unwrap();
    let organiser = |name: &str| Some(Holder::Organiser(name.into()));
    assert_eq!([&first, &old, &max].map(|token| holder(token)), [organiser("organiser"), None, organiser("max")]);
    office.add_team("ada", None).unwrap();
    let of_max = office.by("max");
    of_max.freeze().unwrap();
    of_max.add_team("bob", None).unwrap();
    office.thaw().unwrap();
    // Both handles refer to the same office.
    assert_eq!(office.state().unwrap().teams().len(), 2);
    let log = crate::log::tail(office.folder(), 1 << 20).unwrap();
    let by = |event: &str| {
        let line = log.lines().rev().find(|line| line.contains(&format!("\"event\":\"{event}\""))).unwrap();
        line.contains("\"by\":\"max\"")
    };
    assert_eq!(["frozen", "team", "thawed"].map(by), [true, true, false], "{log}");
    // Another process reads it as before.
    let again = Office::open(office.folder(), clock()).unwrap();
    assert_eq!(again.state().unwrap().teams().len(), 2);
    office.remove_organiser("max").unwrap();
    assert_eq!(holder(&max), None);
}
