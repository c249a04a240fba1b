//! Tests of the office's lines in the log.

use judge_contest::log::SimulatedDisk;
use tempfile::TempDir;

use super::*;

fn office(folder: &TempDir) -> PathBuf {
    folder.path().join(crate::FOLDER)
}

fn team(name: &str) -> impl FnOnce(&State) -> Result<(Vec<Line>, ()), OfficeError> {
    let line = Line::Team { team: name.into(), registered: false };
    move |_| Ok((vec![line], ()))
}

fn three() -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::create(&office(&folder), 7).unwrap();
    for name in ["ada", "bob", "cleo"] {
        log.append(8, team(name)).unwrap();
    }
    let bytes = fs::read(path_of(&office(&folder))).unwrap();
    (folder, bytes)
}

#[test]
fn a_log_that_was_cut_anywhere_goes_on_with_its_complete_lines() {
    let (folder, whole) = three();
    let path = path_of(&office(&folder));
    let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for end in first..=whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let mut log = Log::open(&office(&folder)).unwrap();
        let known = log.state().teams().len();
        assert_eq!(known, whole[..end].iter().filter(|&&byte| byte == b'\n').count() - 1);
        log.append(9, team("dora")).unwrap();
        assert_eq!(Log::open(&office(&folder)).unwrap().state().teams().len(), known + 1, "cut at {end}");
    }
}

#[test]
fn a_changed_byte_of_a_complete_line_is_damage() {
    let (folder, whole) = three();
    let path = path_of(&office(&folder));
    for at in 0..whole.len() - 1 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(Log::open(&office(&folder)), Err(OfficeError::Damaged { .. })), "byte {at}");
    }
}

#[test]
fn a_removed_line_is_damage() {
    let (folder, whole) = three();
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    for removed in 0..lines.len() - 1 {
        let kept: Vec<&[u8]> = lines.iter().enumerate().filter(|(at, _)| *at != removed).map(|(_, l)| *l).collect();
        fs::write(path_of(&office(&folder)), kept.concat()).unwrap();
        assert!(matches!(Log::open(&office(&folder)), Err(OfficeError::Damaged { .. })), "line {removed}");
    }
}

#[test]
fn two_writers_see_what_the_other_wrote() {
    let (folder, _) = three();
    let (mut one, mut two) = (Log::open(&office(&folder)).unwrap(), Log::open(&office(&folder)).unwrap());
    one.append(9, team("dora")).unwrap();
    assert!(matches!(two.append(9, team("dora")), Err(OfficeError::Refused { .. })));
    two.append(9, team("eve")).unwrap();
    one.append(9, |state| Ok((Vec::new(), assert_eq!(state.teams().len(), 5)))).unwrap();
    assert_eq!(Log::open(&office(&folder)).unwrap().lines(), 6);
}

/// A page requested after a command has ended shows its effect, even while the judge records a run.
#[test]
fn a_reader_waits_for_a_writer() {
    let (folder, _) = three();
    let mut reader = Log::open(&office(&folder)).unwrap();
    Log::open(&office(&folder)).unwrap().append(9, team("dora")).unwrap();
    let (begins, begun) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let mut writer = Log::open(&office(&folder)).unwrap();
        let append = move |state: &State| {
            begins.send(()).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(50));
            team("eve")(state)
        };
        scope.spawn(move || writer.append(9, append).unwrap());
        begun.recv().unwrap();
        reader.refresh().unwrap();
        assert_eq!(reader.state().teams().len(), 5);
    });
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let (folder, _) = three();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let office = office(&folder);
            scope.spawn(move || {
                let mut log = Log::open(&office).unwrap();
                for number in 0..10 {
                    log.append(9, team(&format!("t{writer}-{number}"))).unwrap();
                }
            });
        }
    });
    assert_eq!(Log::open(&office(&folder)).unwrap().state().teams().len(), 43);
}

#[test]
fn a_log_goes_on_after_a_full_disk_and_loses_and_doubles_nothing() {
    let (folder, whole) = three();
    let path = path_of(&office(&folder));
    let mut log = Log::open(&office(&folder)).unwrap();
    let mut other = Log::open(&office(&folder)).unwrap();
    for (takes, keeps) in [(0, false), (20, false), (20, true)] {
        log.pretend(SimulatedDisk { takes: Some(takes), keeps, error: None });
        let refused = log.append(9, team("dora")).unwrap_err();
        assert!(refused.is_full(), "{refused}");
        assert_eq!(fs::read(&path).unwrap().len() - whole.len(), if keeps { takes } else { 0 });
        // Readers have the previous lines, and the log of another writer continues.
        other.refresh().unwrap();
        assert_eq!(other.state().teams().len(), 3);
        if keeps {
            assert!(log.append(9, team("dora")).unwrap_err().is_full(), "it still cannot be repaired");
        }
        log.pretend(SimulatedDisk::default());
        log.append(9, |state| Ok((Vec::new(), assert_eq!(state.teams().len(), 3)))).unwrap();
    }
    log.append(9, team("dora")).unwrap();
    other.append(9, team("eve")).unwrap();
    log.refresh().unwrap();
    assert_eq!((log.state().teams().len(), Log::open(&office(&folder)).unwrap().state().teams().len()), (5, 5));
}

#[test]
fn what_another_writer_added_behind_a_failure_stays() {
    let (folder, _) = three();
    let mut log = Log::open(&office(&folder)).unwrap();
    log.pretend(SimulatedDisk { takes: Some(20), keeps: true, error: None });
    log.append(9, team("dora")).unwrap_err();
    log.pretend(SimulatedDisk::default());
    Log::open(&office(&folder)).unwrap().append(9, team("eve")).unwrap();
    log.append(9, team("dora")).unwrap();
    assert_eq!(Log::open(&office(&folder)).unwrap().state().teams().len(), 5);
}

#[test]
fn a_log_goes_on_after_a_write_that_failed() {
    let (folder, whole) = three();
    let mut log = Log::open(&office(&folder)).unwrap();
    log.pretend(SimulatedDisk { takes: Some(20), keeps: false, error: Some(io::ErrorKind::Other) });
    log.append(9, team("dora")).unwrap_err();
    assert_eq!(fs::read(path_of(&office(&folder))).unwrap(), whole);
    log.pretend(SimulatedDisk::default());
    log.append(9, team("dora")).unwrap();
    assert_eq!(Log::open(&office(&folder)).unwrap().state().teams().len(), 4);
}

#[test]
fn a_refused_line_leaves_the_file_as_it_was() {
    let (folder, whole) = three();
    let mut log = Log::open(&office(&folder)).unwrap();
    log.append(9, team("ada")).unwrap_err();
    assert_eq!(fs::read(path_of(&office(&folder))).unwrap(), whole);
    log.append(9, team("dora")).unwrap();
}
