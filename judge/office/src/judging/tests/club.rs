//! A club with fake builds and runs, which can be killed and started again.

use super::*;

pub(super) const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[board]]\nname = \"Y\"\nfile = \"y.txt\"\n[[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
/// A source that the fake compiler refuses, and one that breaks it.
pub(super) const BAD: &[u8] = b"#error";
pub(super) const BREAKS: &[u8] = b"#breaks";
/// The source of a program that stops before the goal, and of one that the system does not start.
pub(super) const SHORT: &[u8] = b"short";
pub(super) const STARTS_NOT: &[u8] = b"does not start";

pub(super) fn isolation() -> Isolation {
    Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }
}

type AtEnd = dyn Fn(&Job) + Send + Sync;

/// An executor that builds and runs without processes.
#[derive(Default)]
pub(super) struct FakeExecutor {
    pub(super) builds: AtomicU32,
    pub(super) runs: AtomicU32,
    /// The beginning of the names of entries whose runs fail in the executor.
    pub(super) breaks: Option<String>,
    /// The run during which a stop is requested, from 1.
    pub(super) stops_in: Option<u32>,
    pub(super) stop: StopFlag,
    /// Called at the end of each job.
    pub(super) ends: Option<Box<AtEnd>>,
}

impl Executor for FakeExecutor {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let (mut end, mut printed) = (End::Exited { code: 0 }, "lluu".to_owned());
        if let Some(folder) = job.writable.first().map(judge_job::Place::path) {
            self.builds.fetch_add(1, Ordering::SeqCst);
            let source = fs::read(folder.join("a.c")).unwrap();
            printed.clear();
            if source == BAD {
                (end, printed) = (End::Exited { code: 1 }, "a.c:1: error: you asked for it".into());
            } else if source == BREAKS {
                end = End::JudgeError { reason: "no disk".into() };
            } else {
                fs::write(folder.join("program"), "").unwrap();
            }
        } else {
            let run = self.runs.fetch_add(1, Ordering::SeqCst) + 1;
            if self.stops_in == Some(run) {
                self.stop.request();
            }
            let path = job.stdout.to_string_lossy().into_owned();
            // results/output/1/ENTRY/BOARD.1.out
            let entry = job.stdout.parent().unwrap().file_name().unwrap();
            let contest = job.stdout.ancestors().nth(5).unwrap();
            let source = fs::read(contest.join("office/entries").join(entry).join("a.c")).unwrap_or_default();
            if source == SHORT {
                printed = "ll".into();
            } else if source == STARTS_NOT {
                (end, printed) = (End::CouldNotStart { reason: "no such file".into(), by_author: true }, String::new());
            }
            if self.breaks.as_ref().is_some_and(|breaks| path.contains(&format!("/{breaks}"))) {
                end = End::JudgeError { reason: "no disk".into() };
            }
        }
        if let Some(ends) = &self.ends {
            ends(job);
        }
        fs::write(&job.stdout, &printed).unwrap();
        fs::write(&job.stderr, "").unwrap();
        let mut outcome = Outcome::new(end, isolation(), Machine::default());
        (outcome.wall_us, outcome.stdout_bytes) = (Some(7000), printed.len() as u64);
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// An engine that reports a stop after it has executed its runs, like the engine of a cluster.
pub(super) struct OfCluster<'a>(&'a FakeExecutor);

impl Engine for OfCluster<'_> {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let (worker, messages) = (request.worker(self.0, &[])?, request.messages());
        while let Some(turn) = request.next() {
            messages.started(turn.run().index).unwrap();
            messages.finished(worker.execute(&turn).unwrap()).unwrap();
        }
        if self.0.stop.requested() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    fn isolation(&self) -> Arc<Isolation> {
        Arc::new(isolation())
    }
}

pub(super) struct Club {
    pub(super) folder: tempfile::TempDir,
    pub(super) office: Office,
    pub(super) open_contest: OpenContest,
    pub(super) executor: FakeExecutor,
    pub(super) on_cluster: bool,
    pub(super) disk_space: DiskSpace,
    pub(super) refused_layer: Mutex<Option<String>>,
}

pub(super) fn clock() -> crate::Clock {
    Arc::new(|| 1_795_435_200)
}

impl Club {
    pub(super) fn new() -> Self {
        Self::of(CONTEST)
    }

    /// The club with another contest file.
    pub(super) fn of(contest: &str) -> Self {
        let (folder, contest) = contest_folder(contest);
        let at = folder.path();
        let with = StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() };
        let open_contest = OpenContest::begin(contest, &results_of(at), with, || None).unwrap();
        let office = Office::create(&at.join(crate::FOLDER), clock()).unwrap();
        for team in ["ada", "bob", "cleo"] {
            office.add_team(team, None).unwrap();
        }
        Self::with(folder, office, open_contest)
    }

    /// Simulates that the judge is killed and started again.
    pub(super) fn restarted(self) -> Self {
        let Self { folder, open_contest, executor, office, on_cluster, disk_space, refused_layer } = self;
        drop((open_contest, office));
        Self { executor, on_cluster, disk_space, refused_layer, ..Self::resumed(folder) }
    }

    /// The club whose contest has begun in this folder.
    pub(super) fn resumed(folder: tempfile::TempDir) -> Self {
        let results = results_of(folder.path());
        let (journal, _) = Journal::resume(&results, || None).unwrap();
        let contest = Contest::load(folder.path(), &Overrides::default()).unwrap();
        let open_contest = OpenContest::resume(contest, journal, &results).unwrap();
        let office = Office::open(&folder.path().join(crate::FOLDER), clock()).unwrap();
        Self::with(folder, office, open_contest)
    }

    fn with(folder: tempfile::TempDir, office: Office, open_contest: OpenContest) -> Self {
        Self {
            folder,
            office,
            open_contest,
            executor: FakeExecutor::default(),
            on_cluster: false,
            disk_space: DiskSpace::of([]),
            refused_layer: Mutex::default(),
        }
    }

    pub(super) fn submit(&self, team: &str, source: &[u8]) {
        assert!(!self.office.submit(&Upload::new(team, "a.c", source), None).unwrap().repeated);
    }

    pub(super) fn with_resources<T>(&self, then: impl FnOnce(&JudgingResources<'_>) -> T) -> T {
        let executor = DiskCheckedExecutor::new(&self.executor, &self.disk_space);
        let (engine, slots) = (Local::new(&executor), [Vec::new()]);
        let of_cluster: &MakeEngine<'_> = &|_, _| Ok(Box::new(OfCluster(&self.executor)));
        then(&JudgingResources {
            builder: &executor,
            engine: &engine,
            cluster: self.on_cluster.then_some(Cluster { engine: of_cluster, at_a_time: 9 }),
            referee: &self.executor,
            correct: &|_, _| Err(CorrectionError::new("these tests correct nothing")),
            slots: &slots,
            processors: &Processors::default(),
            disk_space: &self.disk_space,
            refused_layer: &|| self.refused_layer.lock().unwrap().clone(),
            environment: &|_| None,
            path: None,
        })
    }

    pub(super) fn work(&self) {
        let judging = Judging::new(&self.office, &self.open_contest);
        self.with_resources(|resources| judging.work(resources, &StopFlag::default(), false, &|_| {})).unwrap();
    }

    pub(super) fn shown(&self) -> Vec<SubmissionState> {
        let (state, contents) = (self.office.state().unwrap(), self.open_contest.contents());
        SubmissionStates::new(&Viewer::Organiser, &state, &contents).all().map(|(_, _, shown)| shown).collect()
    }

    /// The entries with a place in the results on disk.
    pub(super) fn placed(&self) -> Vec<String> {
        Self::placed_in(&crate::results::read(self.open_contest.results()).unwrap())
    }

    pub(super) fn placed_in(contents: &ContestState) -> Vec<String> {
        let table = Results::from_journal(contents);
        let mut placed: Vec<String> =
            table.rows.iter().filter(|row| row.place.is_some()).map(|row| row.entry.name.clone()).collect();
        placed.sort();
        placed
    }
}

impl Club {
    pub(super) fn ruled(rules: &OfficeRules) -> Self {
        let club = Self::new();
        club.office.set_rules(rules).unwrap();
        club
    }
}

pub(super) fn counts(counts: Counts) -> OfficeRules {
    OfficeRules { counts, ..OfficeRules::default() }
}
