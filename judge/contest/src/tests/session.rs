//! Tests of preparing a contest: the builds, the kept files, the notices for the host, and the reasons to refuse it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use judge_core::journal::{self, Built, Line};
use judge_job::{
    Capacity, Description, End, Executor, Interrupted, Isolation, IsolationMode, Job, Limits, Outcome, Tier,
};

use super::{BOARDS, EXIT_HEAD, FakeExecutor, Folder, HEAD};
use crate::journal::Journal;
use crate::open_contest::StartOptions;
use crate::session::{Host, Needed, Notice, Options, PrepareError, Session, prepare};
use crate::{Contest, Overrides};

/// An executor in this tier.
struct InTier<'a>(FakeExecutor<'a>, Tier);

impl Executor for InTier<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.0.execute(job)
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<std::num::NonZeroUsize>) -> Capacity {
        self.0.capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        Description::new(Isolation { tier: self.1, layers: Vec::new() }, Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        self.0.temporary_folder()
    }
}

/// A build that fails if its command contains `fails`.
fn build(job: &Job) -> Result<(End, String), Interrupted> {
    let fails = format!("{:?}", job.argv).contains("fails");
    Ok((End::Exited { code: i32::from(fails) }, "printed".into()))
}

struct Told {
    tier: Tier,
    path: &'static str,
    messages: RefCell<Vec<String>>,
    executor: InTier<'static>,
}

impl Told {
    fn new(tier: Tier, path: &'static str) -> Self {
        Self { tier, path, messages: RefCell::default(), executor: InTier(FakeExecutor(&build), tier) }
    }

    /// The announcements and notices since the last call, without the folder of the test.
    fn messages(&self, folder: &Folder) -> Vec<String> {
        let at = folder.0.path().display().to_string();
        self.messages.take().into_iter().map(|line| line.replace(&at, "FOLDER")).collect()
    }
}

impl Host for Told {
    type Error = String;

    fn executor(&self) -> &dyn Executor {
        &self.executor
    }

    fn is_another_user(&self) -> bool {
        false
    }

    fn builder(&self, _: &Contest, _: IsolationMode) -> Result<Box<dyn Executor + '_>, String> {
        Ok(Box::new(InTier(FakeExecutor(&build), self.tier)))
    }

    fn environment(&self, name: &str) -> Option<String> {
        (name == "PATH").then(|| self.path.to_owned())
    }

    fn announce(&self, what: &str, command: &str) {
        self.messages.borrow_mut().push(format!("{what} {command}"));
    }

    fn notify(&self, notice: Notice) {
        self.messages.borrow_mut().push(notice.to_string());
    }

    fn failure(&self, error: PrepareError) -> String {
        error.to_string()
    }
}

fn options(needed: Needed) -> Options {
    Options { needed, keeps_logs: true, keeps_programs: true, checks_boards: true, can_be_guessed: true }
}

fn executable(folder: &Folder, name: &str, text: &str) {
    folder.file(name, text);
    fs::set_permissions(folder.0.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn begin(folder: &Folder, host: &Told) -> Result<Session, String> {
    let prepared = prepare(folder.contest(), &folder.results(), options(Needed::All), host)?;
    prepared.begin(StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() }, host, || None)
}

const BUILT: &str = "[[entry]]\nname = \"a\"\ncommand = \"a/solve\"\nbuild = \"fails\"\n\
                     [[entry]]\nname = \"b\"\ncommand = \"b/solve\"\nbuild = \"works\"\n\
                     [[entry]]\nname = \"c\"\ncommand = \"c/none\"\n";

#[test]
fn an_organiser_hears_the_same_of_every_beginning() {
    let folder = Folder::new(&format!("{HEAD}{BOARDS}{BUILT}"));
    executable(&folder, "b/solve", "#!/bin/sh\n");
    let host = Told::new(Tier::Landlock, "/usr/bin:/bin");
    let session = begin(&folder, &host).unwrap();
    let messages = host.messages(&folder);
    let begins = [
        "under Landlock, entries can look up the sizes of files in FOLDER/out, whose name can be guessed",
        "building fails",
        "not built: a: `fails` ended with exit code 1: printed\ncomplete output: FOLDER/out/builds/a.1.log",
        "building works",
        "entry c: c/none: no such file",
    ];
    assert!(
        messages.len() == begins.len() && messages.iter().zip(begins).all(|(line, begin)| line.starts_with(begin)),
        "{messages:#?}"
    );
    let contents = session.open_contest.contents();
    assert_eq!(contents.builds.len(), 2);
    assert_eq!(contents.header.path.as_deref(), Some("/usr/bin:/bin"));
    assert!(contents.programs["b"].contains_key("b/solve") && contents.header.kept["b"].len() == 1);
}

#[test]
fn a_contest_that_goes_on_hears_what_has_changed() {
    let folder = Folder::new(&format!("{HEAD}{BOARDS}{BUILT}"));
    executable(&folder, "b/solve", "#!/bin/sh\n");
    drop(begin(&folder, &Told::new(Tier::Namespaces, "/usr/bin:/bin")).unwrap());
    executable(&folder, "b/solve", "#!/bin/sh\n# another one\n");
    let resume = |needed: Needed| {
        let host = Told::new(Tier::Namespaces, "/bin");
        let (journal, contents) = Journal::resume(&folder.results(), || None).unwrap();
        let prepared = prepare(folder.contest(), &folder.results(), options(needed), &host).unwrap();
        prepared.notify_changes(&contents, false, &host);
        prepared.resume(journal, Vec::<Line>::new(), &host).unwrap();
        host.messages(&folder)
    };
    let path = "PATH has changed since the contest started, from `/usr/bin:/bin` to `/bin`";
    let program = "the program of b has changed since the contest started";
    // No run is left: nothing is built, and existing builds may be missing.
    assert_eq!(resume(Needed::Entries(HashSet::new())), [path]);
    assert_eq!(resume(Needed::Entries(HashSet::from(["b".to_owned()])))[0], "building works");
    let before = journal::read(&folder.results()).unwrap().builds.len();
    // A site builds what teams submit; the organiser's programs stay as they were.
    let without = BTreeMap::from([("a".to_owned(), Built::Failed { reason: "as before".into() })]);
    let messages = resume(Needed::Built(without));
    assert!(
        messages.len() == 3 && messages[0].starts_with("entry c: ") && messages[1..] == [path, program],
        "{messages:#?}"
    );
    assert_eq!(journal::read(&folder.results()).unwrap().builds.len(), before);
}

#[test]
fn there_is_no_contest_without_its_referee() {
    let head = EXIT_HEAD.replace("./referee", "judges/none");
    let folder = Folder::new(&format!("{head}build = \"fails\"\n{BOARDS}{BUILT}"));
    fs::create_dir(folder.0.path().join("judges")).unwrap();
    let refused = |folder: &Folder| begin(folder, &Told::new(Tier::Namespaces, "/bin")).err().unwrap();
    assert!(refused(&folder).starts_with("the referee was not built: `fails` ended with exit code 1: printed"));
    folder.file("contest.toml", &format!("{head}{BOARDS}{BUILT}"));
    assert!(refused(&folder).contains("contest.toml: the referee cannot be started: "), "{}", refused(&folder));
    // A results directory without a contest.
    assert!(!folder.results().join(journal::FILE_NAME).exists());
    assert!(Contest::load(folder.0.path(), &Overrides::default()).is_ok());
}
