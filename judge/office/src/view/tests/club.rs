//! A contest with an office and fake programs, whose times are the same in every execution. The programs can also play games.
//!
//! The tests of `judge-office-web` also use this file.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use judge_contest::journal::Journal;
use judge_contest::open_contest::{OpenContest, StartOptions};
use judge_contest::schedule::Local;
use judge_contest::{Contest, Overrides};
use judge_core::date::Date;
use judge_job::{
    Argument, Capacity, Description, DirectedSide, Director, End, Executor, Interrupted, Isolation, Job, Limits,
    Machine, Outcome, Place, SideOutcome, StopFlag, StopRequest, TalkEvent, TalkOutcome, Tier,
};
use judge_office::judging::{CorrectionError, Judging, JudgingResources, Processors, results_of};
use judge_office::{FOLDER, Office, Upload};

pub(crate) const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[board]]\nname = \"Y\"\nfile = \"y.txt\"\n[[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
/// A contest of two problems.
pub(crate) const SEVERAL: &str = "name = \"test\"\nlimit = \"10s\"\n\
                       [[problem]]\nid = \"P\"\ngame = \"loyd\"\n[[problem.board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[problem]]\nid = \"Q\"\ngame = \"loyd\"\n[[problem.board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[problem.board]]\nname = \"Y\"\nfile = \"y.txt\"\n\
                       [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
/// A contest whose entries play each other.
pub(crate) const MATCHES: &str = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\n\
                       command = [\"house/solve\"]\n[match]\nseats = 2\n[office]\n[[board]]\nname = \"X\"\n\
                       file = \"x.txt\"\n[[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
pub(crate) const TEAMS: [&str; 4] = ["ada", "bob", "cleo", "dan"];
/// The output of programs: solved, stopped before the goal, illegal, and nothing. The last one does not build.
pub(crate) const SOURCES: [&str; 5] = ["lluu", "llu", "lx", "", "#error"];

/// Builds without a process. A program prints its source up to a slash; on the board Y, it prints the part after a bar. In a
/// game, each seat prints its source once. The longest wins, and a seat without a source crashes.
struct Echo;

/// The source of the program of a seat, up to a slash. An entry of the organiser has none.
fn source_of(job: &Job) -> String {
    let program: PathBuf = match &job.argv[0] {
        Argument::Text(text) => text.into(),
        Argument::Path(place) => place.path(),
        other => panic!("{other:?} is no program"),
    };
    let source = fs::read_to_string(program.with_file_name("a.c"));
    source.map_or_else(|_| "lluu".to_owned(), |source| source.split('/').next().unwrap().to_owned())
}

fn outcome_of(end: End) -> Outcome {
    Outcome::new(end, Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }, Machine::default())
}

impl Executor for Echo {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let (mut end, mut printed) = (End::Exited { code: 0 }, String::from("lluu"));
        if let Some(folder) = job.writable.first().map(Place::path) {
            printed = fs::read_to_string(folder.join("a.c")).unwrap();
            if printed.starts_with("#error") {
                end = End::Exited { code: 1 };
            }
            fs::write(folder.join("program"), "").unwrap();
        } else {
            // results/output/1/ENTRY/BOARD.1.out, or results/output/1/ENTRY/PROBLEM/BOARD.1.out
            let contest = job.stdout.ancestors().find(|path| path.join("office/entries").is_dir()).unwrap();
            let entry = job.stdout.strip_prefix(contest).unwrap().iter().nth(3).unwrap();
            let source = contest.join("office/entries").join(entry).join("a.c");
            if let Ok(source) = fs::read_to_string(source) {
                let is_y = job.stdout.file_name().is_some_and(|name| name.to_string_lossy().starts_with('Y'));
                let mut of_boards = source.split('/').next().unwrap().split('|');
                let first = of_boards.next().unwrap();
                printed = of_boards.next().filter(|_| is_y).unwrap_or(first).to_owned();
            }
            match printed.as_str() {
                "#crash" => end = End::Exited { code: 1 },
                "#start" => end = End::CouldNotStart { reason: "no program".into(), by_author: false },
                _ => {}
            }
        }
        fs::write(&job.stdout, &printed).unwrap();
        fs::write(&job.stderr, "").unwrap();
        let mut outcome = outcome_of(end);
        (outcome.wall_us, outcome.stdout_bytes) = (Some(7000 + 1000 * printed.len() as u64), printed.len() as u64);
        Ok(outcome)
    }

    fn direct(
        &self,
        sides: &[DirectedSide],
        director: &mut dyn Director,
        _: Option<&dyn StopRequest>,
    ) -> Result<TalkOutcome, Interrupted> {
        let referee = sides.len() - 1;
        let message: Vec<String> = sides[..referee].iter().map(|side| source_of(&side.job)).collect();
        let ends = message.iter().map(|message| End::Exited { code: if message.is_empty() { 3 } else { 0 } });
        let ends = ends.chain([End::Exited { code: 0 }]);
        let outcomes: Vec<SideOutcome> = ends.map(|end| SideOutcome::new(outcome_of(end))).collect();
        let (mut orders, mut at_us) = (Vec::new(), 0);
        let mut happens = |side: usize, bytes: &[u8]| {
            at_us += 1000 * (1 + bytes.len() as u64);
            let ran_us = Some(1000);
            director.direct(
                match bytes.is_empty() {
                    true => TalkEvent::Ended { side, at_us, ran_us, outcome: &outcomes[side] },
                    false => TalkEvent::Output { side, at_us, ran_us, bytes },
                },
                &mut orders,
            )
        };
        let asks: String = (1..=referee).map(|seat| format!("ask {seat} 1\nwhat?\n")).collect();
        happens(referee, format!("{asks}wait\n").as_bytes())?;
        for (seat, message) in message.iter().enumerate() {
            let answer = if message.is_empty() { String::new() } else { format!("{message}\n") };
            happens(seat, answer.as_bytes())?;
        }
        let longest = message.iter().map(String::len).max();
        let points: String =
            message.iter().map(|message| format!(" {}", u8::from(Some(message.len()) == longest))).collect();
        happens(referee, format!("end{points}\n").as_bytes())?;
        happens(referee, b"")?;
        Ok(TalkOutcome::new(outcomes.clone()))
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }, Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// A folder with a contest file, two boards, an entry of the organiser and a folder for results.
pub(crate) fn contest_folder(contest: &str) -> (tempfile::TempDir, Contest) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let board = "ABCDE FGHIJ KL+MN PQRSO UVWXT";
    for (name, text) in [("x.txt", board), ("y.txt", board), ("contest.toml", contest)] {
        fs::write(at.join(name), text).unwrap();
    }
    fs::create_dir_all(at.join("house")).unwrap();
    fs::write(at.join("house/solve"), "#!/bin/sh\n").unwrap();
    fs::write(at.join("house/answer"), "lluu\n").unwrap();
    fs::create_dir(results_of(at)).unwrap();
    let contest = Contest::load(at, &Overrides::default()).unwrap();
    (folder, contest)
}

pub(crate) struct Club {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) office: Arc<Office>,
    pub(crate) open_contest: Arc<OpenContest>,
    /// The time of its clock, in seconds since the beginning of 1970 in UTC.
    pub(crate) now: Arc<AtomicU64>,
}

impl Club {
    pub(crate) fn new() -> Self {
        Self::of(CONTEST)
    }

    /// The club with another contest file.
    pub(crate) fn of(contest: &str) -> Self {
        let (folder, contest) = contest_folder(contest);
        let (at, setup) = (folder.path(), contest.office.clone());
        let with = StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() };
        let now = Arc::new(AtomicU64::new(1_795_435_200));
        let date = now.clone();
        let date = move || Some(Date::from_unix(date.load(Ordering::SeqCst)));
        let open_contest = Arc::new(OpenContest::begin(contest, &results_of(at), with, date).unwrap());
        let clock = now.clone();
        let office = Office::create(&at.join(FOLDER), Arc::new(move || clock.load(Ordering::SeqCst))).unwrap();
        for team in TEAMS {
            office.add_team(team, None).unwrap();
        }
        Self { folder, office: Arc::new(office.with_setup(&setup)), open_contest, now }
    }

    /// The club of a folder whose judge has ended, or was killed.
    pub(crate) fn opened(folder: tempfile::TempDir, now: Arc<AtomicU64>) -> Self {
        let (at, clock) = (folder.path(), now.clone());
        let (contest, results) = (Contest::load(at, &Overrides::default()).unwrap(), results_of(at));
        let (date, setup) = (now.clone(), contest.office.clone());
        let date = move || Some(Date::from_unix(date.load(Ordering::SeqCst)));
        let (journal, _) = Journal::resume(&results, date).unwrap();
        let open_contest = Arc::new(OpenContest::resume(contest, journal, &results).unwrap());
        let office = Office::open(&at.join(FOLDER), Arc::new(move || clock.load(Ordering::SeqCst))).unwrap();
        Self { folder, office: Arc::new(office.with_setup(&setup)), open_contest, now }
    }

    /// Opens a copy of the club's folder.
    pub(crate) fn twin(&self) -> Self {
        fn copy(from: &Path, to: &Path) {
            for item in fs::read_dir(from).unwrap().map(Result::unwrap) {
                let to = to.join(item.file_name());
                if item.file_type().unwrap().is_dir() {
                    fs::create_dir(&to).unwrap();
                    copy(&item.path(), &to);
                } else {
                    fs::copy(item.path(), &to).unwrap();
                }
            }
        }
        let folder = tempfile::tempdir().unwrap();
        copy(self.folder.path(), folder.path());
        Self::opened(folder, Arc::new(AtomicU64::new(self.now.load(Ordering::SeqCst))))
    }

    /// Submits a program that differs from all others in a comment. Each number selects the next problem.
    pub(crate) fn submit(&self, team: usize, source: usize, number: usize) {
        let source = format!("{}/{number}", SOURCES[source]);
        let ids = self.open_contest.contents().plan.problems.ids();
        let problem = ids.get(number % ids.len().max(1)).map(String::as_str);
        self.office.submit(&Upload { problem, ..Upload::new(TEAMS[team], "a.c", source.as_bytes()) }, None).unwrap();
    }

    /// The part of the log that may be published while the board is frozen: the lines up to the freeze.
    pub(crate) fn published_record(&self) -> String {
        let log = fs::read_to_string(judge_office::log::path_of(self.office.folder())).unwrap();
        let frozen = log.rfind("\"event\":\"frozen\"").unwrap();
        log[..frozen + log[frozen..].find('\n').unwrap()].to_owned()
    }

    pub(crate) fn work(&self) {
        self.work_until(&StopFlag::default(), false);
    }

    /// Judges all waiting submissions; with `forever`, also all later ones until a stop is requested.
    pub(crate) fn work_until(&self, stop: &StopFlag, forever: bool) {
        let (executor, slots) = (Echo, [Vec::new()]);
        let engine = Local::new(&executor);
        let resources = JudgingResources {
            builder: &executor,
            engine: &engine,
            cluster: None,
            referee: &executor,
            correct: &|_, _| Err(CorrectionError::new("these tests correct nothing")),
            slots: &slots,
            processors: &Processors::default(),
            disk_space: &judge_office::disk_space::DiskSpace::of([]),
            refused_layer: &|| None,
            environment: &|_| None,
            path: None,
        };
        Judging::new(&self.office, &self.open_contest).work(&resources, stop, forever, &|_| {}).unwrap();
    }
}
