//! Disks that fill up while a contest is judged, and layers of isolation that the kernel refuses meanwhile.

use std::sync::atomic::AtomicU64;

use super::*;
use crate::disk_space::MIN_BYTES_FOR_JUDGING;
use crate::line::Line;

/// A club on a disk, and the free space of the disk.
fn on_disk() -> (Club, Arc<AtomicU64>) {
    let mut club = Club::new();
    let free = Arc::new(AtomicU64::new(u64::MAX));
    let found = free.clone();
    club.disk_space =
        DiskSpace::of([club.folder.path().to_owned()]).found_by(Arc::new(move |_| Ok(found.load(Ordering::SeqCst))));
    (club, free)
}

fn work(club: &Club, judging: &Judging<'_>) -> Result<(), JudgingError> {
    club.with_resources(|resources| judging.work(resources, &StopFlag::default(), false, &|_| {}))
}

#[test]
fn nothing_is_judged_on_a_full_disk_and_everything_is_afterwards() {
    let (club, free) = on_disk();
    club.submit("ada", b"1");
    club.submit("bob", BAD);
    free.store(MIN_BYTES_FOR_JUDGING - 1, Ordering::SeqCst);
    let judging = Judging::new(&club.office, &club.open_contest);
    let stopped = work(&club, &judging).unwrap_err();
    assert!(matches!(&stopped, JudgingError::NoRoom(full) if full.free == MIN_BYTES_FOR_JUDGING - 1), "{stopped}");
    assert_eq!(judging.handle().stop_reason(), Some(stopped.to_string()));
    assert_eq!((club.executor.builds.load(Ordering::SeqCst), club.executor.runs.load(Ordering::SeqCst)), (0, 0));
    free.store(MIN_BYTES_FOR_JUDGING, Ordering::SeqCst);
    work(&club, &judging).unwrap();
    assert_eq!(judging.handle().stop_reason(), None);
    assert!(
        matches!(&club.shown()[..], [SubmissionState::Counts, SubmissionState::Unbuildable(_)]),
        "{:?}",
        club.shown()
    );
}

#[test]
fn nothing_is_judged_while_a_layer_of_isolation_is_refused_and_everything_is_afterwards() {
    let club = Club::new();
    club.submit("ada", b"1");
    *club.refused_layer.lock().unwrap() = Some("putting it under the seccomp filter: no memory".into());
    let judging = Judging::new(&club.office, &club.open_contest);
    let stopped = work(&club, &judging).unwrap_err();
    assert!(matches!(&stopped, JudgingError::LayerLost(_)), "{stopped}");
    assert_eq!(judging.handle().stop_reason(), Some(stopped.to_string()));
    assert_eq!((club.executor.builds.load(Ordering::SeqCst), club.executor.runs.load(Ordering::SeqCst)), (0, 0));
    *club.refused_layer.lock().unwrap() = None;
    work(&club, &judging).unwrap();
    assert!(matches!(&club.shown()[..], [SubmissionState::Counts]), "{:?}", club.shown());
}

#[test]
fn a_disk_that_fills_up_during_a_job_costs_nobody_a_verdict() {
    // The disk fills during the builds, then during each run in turn. A failure of a job is not its author's fault then.
    for fills in 0..4 {
        let (mut club, free) = on_disk();
        let (jobs, full) = (AtomicU32::new(0), free.clone());
        club.executor.ends = Some(Box::new(move |_| {
            if jobs.fetch_add(1, Ordering::SeqCst) == fills {
                full.store(0, Ordering::SeqCst);
            }
        }));
        // Without the full disk, the first submission would not build.
        club.submit("ada", if fills == 0 { BAD } else { b"1" });
        let judging = Judging::new(&club.office, &club.open_contest);
        // The full disk is detected only between two jobs, including after the last one.
        for _ in 0..2 {
            if let Err(stopped) = work(&club, &judging) {
                assert!(matches!(stopped, JudgingError::NoRoom(_)), "{stopped}");
            }
            assert!(!matches!(club.shown()[0], SubmissionState::Unbuildable(_)), "{fills}: {:?}", club.shown());
            free.store(u64::MAX, Ordering::SeqCst);
            if fills == 0 {
                break;
            }
        }
        work(&club, &judging).unwrap();
        match fills {
            0 => assert!(matches!(club.shown()[0], SubmissionState::Unbuildable(_)), "now it is its own fault"),
            _ => assert_eq!(
                (club.shown(), club.placed()),
                (vec![SubmissionState::Counts], vec!["ada.1".into(), "house".into()])
            ),
        }
    }
}

#[test]
fn one_that_fills_the_disk_each_time_is_held_and_the_others_are_judged() {
    let (mut club, free) = on_disk();
    let full = free.clone();
    club.executor.ends = Some(Box::new(move |job| {
        if job.writable.first().is_some_and(|place| place.path().to_string_lossy().contains("/ada.1")) {
            full.store(0, Ordering::SeqCst);
        }
    }));
    club.submit("ada", b"1");
    let judging = Judging::new(&club.office, &club.open_contest);
    for attempt in 0..MAX_ATTEMPTS {
        assert_eq!(club.executor.builds.load(Ordering::SeqCst), attempt);
        assert!(matches!(work(&club, &judging).unwrap_err(), JudgingError::NoRoom(_)));
        free.store(u64::MAX, Ordering::SeqCst);
    }
    club.submit("bob", b"1");
    work(&club, &judging).unwrap();
    assert_eq!(club.shown(), [SubmissionState::Stuck, SubmissionState::Counts]);
}

#[test]
fn nothing_is_judged_once_the_results_are_final() {
    let club = Club::new();
    club.submit("ada", b"1");
    club.work();
    let before = club.placed();
    club.submit("bob", b"1");
    let refused = club.office.finalise(Some(&club.open_contest.contents())).unwrap_err().to_string();
    assert_eq!(refused, "bob.2 is not judged yet; wait for that, or hold, ignore or cancel what is not to be judged");
    // A log of an earlier version can contain this.
    club.office.log().append(clock()(), |_| Ok((vec![Line::Final], ()))).unwrap();
    club.work();
    assert_eq!((club.placed(), club.shown()), (before, vec![SubmissionState::Counts, SubmissionState::Queued]));
    club.office.reopen("bob was in time").unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.2", "house"]);
    club.office.finalise(Some(&club.open_contest.contents())).unwrap();
}
