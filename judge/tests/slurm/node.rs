//! The work of a node, with a pretended executor.

use std::num::NonZeroUsize;
use std::sync::Arc;

use judge_contest::schedule::{Local, Runner, Stopped};
use judge_job::{Capacity, Description, End, Executor, Interrupted, Job, Limits, Outcome, StopFlag, StopRequest as _};
use judge_slurm::{Mode, NodeBatch};

use crate::pretended::{Fake, begun, run};
use crate::support::*;

/// Ends every run in one way, and requests a stop a moment later: the signal of a cluster's manager reaches the entry
/// first.
struct Signalled {
    end: End,
    stop: Option<Arc<StopFlag>>,
}

impl Executor for Signalled {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        fs::write(&job.stdout, "lluu").unwrap();
        if let Some(stop) = self.stop.clone() {
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(30));
                stop.request();
            });
        }
        Ok(pretended_outcome(self.end.clone(), 1000, 4))
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        no_isolation()
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// Executes the first batch of a contest on a node. Returns its end, and the numbers of outcomes and of output files.
fn make(executor: &Signalled, stop: &StopFlag) -> (Result<(), Stopped>, usize, usize) {
    let folder = Folder::new();
    let contest = begun(&folder, 1);
    run(&contest, &folder, &Fake::new(folder.path(), |_, _, _, _| {}), Mode::Detach).0.unwrap_err();
    let work = NodeBatch::open(folder.path(), 1, 1, None).unwrap().unwrap();
    let slots = [Vec::new()];
    let runner = Runner::new(&work.contest, &work.order, &work.results, &slots);
    let mut recorder = work.recorder("n1", 1, stop);
    let ended = runner.run_on(&Local::on_node(executor), &work.missing, stop, &mut recorder, |_| {});
    let left = fs::read_dir(folder.path().join("cluster/new")).unwrap().count();
    let folders = fs::read_dir(folder.path().join("output/1")).unwrap().map(|folder| folder.unwrap().path());
    let files = folders.map(|folder| fs::read_dir(folder).unwrap().count()).sum();
    (ended, left, files)
}

#[test]
fn a_signal_that_reaches_the_entry_before_the_judge_is_no_crash() {
    // Programs die of SIGTERM, or report it as a shell does.
    for end in [End::Signalled { signal: 15 }, End::Exited { code: 143 }] {
        let stop = Arc::new(StopFlag::default());
        let (ended, left, files) = make(&Signalled { end: end.clone(), stop: Some(stop.clone()) }, &stop);
        assert!(matches!(ended, Err(Stopped::Interrupted)), "{end:?}");
        assert_eq!((left, files), (0, 0), "{end:?}: no outcome, and the number of the attempt is free again");
    }
    // Without a stop, the entry caused the signal.
    let stop = StopFlag::default();
    let (ended, left, _) = make(&Signalled { end: End::Signalled { signal: 15 }, stop: None }, &stop);
    ended.unwrap();
    assert_eq!(left, 2);
}
