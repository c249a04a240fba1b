//! What each kind of event takes as instructions of the judge, which do not depend on other work of the machine. Valgrind counts
//! them in this test program, which starts itself again on a contest that was judged without valgrind.

#![allow(clippy::disallowed_methods, reason = "it starts valgrind, which starts it again")]

use std::collections::BTreeMap;
use std::env;
use std::process::{Command, Stdio};

use judge_contest::office::Times;

use super::counting::ACCEPTS;
use super::*;
use crate::view;

const TEAMS: usize = 8;
/// The numbers of judged submissions after which events are compared.
const SIZES: [usize; 2] = [200, 1_000];
/// The events that look at what is remembered of each submission: of all teams for a board, otherwise of one team. For a run that
/// is so where the first accepted submission counts.
const LOOKING: [&str; 10] = [
    "submitted",
    "entered",
    "run",
    "last_run",
    "shown_to_all",
    "shown_to_organiser",
    "held",
    "released",
    "ignored",
    "considered",
];
/// The most instructions of such a look in a build that is not optimised. To find out how a judgement has ended takes
/// more than 20,000 with two runs.
const LOOK: u64 = 5_000;
/// How often each event happens while it is counted.
const TIMES: usize = 3;
/// The variable with the folder of the contest in which this program causes the events.
const COUNTED: &str = "JUDGE_TEST_COUNTED_CONTEST";

/// A contest in which events happen.
struct Counted<'c, 'r> {
    club: &'c Club,
    judging: Judging<'c>,
    resources: &'c JudgingResources<'r>,
    /// The number of the last submission.
    last: u32,
}

type Act = fn(&mut Counted<'_, '_>);

/// Makes a function of each kind of event, so that valgrind tells them apart, and a list of them.
macro_rules! events {
    ($($name:ident: $act:expr;)*) => {
        $(#[inline(never)] fn $name(of: &mut Counted<'_, '_>) {
            let act: Act = $act;
            act(of);
        })*
        const EVENTS: &[(&str, Act)] = &[$((stringify!($name), $name)),*];
    };
}

events! {
    submitted: |of| of.submit();
    forecast: |of| assert_eq!(of.judging.handle().forecast(&of.office().state().unwrap(), &of.contents(), of.last).unwrap().before, 0);
    entered: |of| assert!(of.judging.enter_next(of.resources).unwrap().is_some());
    run: |of| of.run();
    last_run: |of| of.run();
    shown_to_all: |of| of.show(&Viewer::Public);
    shown_to_organiser: |of| of.show(&Viewer::Organiser);
    held: |of| of.decide(Decision::Held);
    released: |of| of.decide(Decision::Released);
    ignored: |of| of.decide(Decision::Ignored);
    considered: |of| of.decide(Decision::Considered);
    team_added: |of| drop(of.office().add_team(&format!("team-{}", of.last), None).unwrap());
    asked: |of| assert!(of.office().ask("t0", &format!("May I {}?", of.last)).is_ok());
    announced: |of| assert!(of.office().notice("Lunch is ready.").is_ok());
    frozen: |of| assert!(of.office().freeze().is_ok());
    thawed: |of| of.office().thaw().unwrap();
    times_changed: |of| assert!(of.office().extend(&Times::default(), "more time").is_ok());
    rejudging_asked: |of| of.office().ask_for_rejudging().unwrap();
    rejudging_dropped: |of| of.office().drop_rejudging(None).unwrap();
}

impl Counted<'_, '_> {
    fn office(&self) -> &Office {
        &self.club.office
    }

    fn contents(&self) -> ContestState {
        self.club.open_contest.contents()
    }

    fn submit(&mut self) {
        let (team, source) = upload(self.last as usize);
        let upload = Upload::new(&team, "a.c", &source);
        self.last = self.office().submit(&upload, Some(&self.contents())).unwrap().submission.number;
    }

    fn run(&self) {
        let run = self.judging.run_next(self.resources, &[], &StopFlag::default()).unwrap().unwrap();
        self.judging.settle_after(&run).unwrap();
    }

    fn show(&self, viewer: &Viewer) {
        let (state, contents) = (self.office().state().unwrap(), self.contents());
        let board = view::board(&state, &contents, viewer, &self.office().ends(&state, &contents));
        assert_eq!(board.rows.len(), TEAMS + 1);
    }

    fn decide(&self, decision: Decision) {
        self.office().decide(self.last, decision, None).unwrap();
        self.judging.settle().unwrap();
    }

    fn all(&mut self) {
        for (_, act) in EVENTS {
            act(self);
        }
    }
}

/// The team and the source of the submission with this index. If answers are accepted or not, they are wrong, as each submission
/// before an accepted one counts.
fn upload(index: usize) -> (String, Vec<u8>) {
    (format!("t{}", index % TEAMS), [SHORT, format!(" {index:04}").as_bytes()].concat())
}

/// The folder of a contest after this number of judged submissions.
fn judged(contest: &str, submissions: usize) -> tempfile::TempDir {
    let club = Club::of(contest);
    let limit = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    club.office.set_rules(&OfficeRules { limit, ..OfficeRules::default() }).unwrap();
    (0..TEAMS).for_each(|team| drop(club.office.add_team(&format!("t{team}"), None).unwrap()));
    let judging = Judging::new(&club.office, &club.open_contest);
    club.with_resources(|resources| {
        for index in 0..submissions {
            let (team, source) = upload(index);
            club.submit(&team, &source);
            judging.enter_next(resources).unwrap();
            while let Some(run) = judging.run_next(resources, &[], &StopFlag::default()).unwrap() {
                judging.settle_after(&run).unwrap();
            }
        }
    });
    drop(judging);
    club.folder
}

/// Causes events that are counted, after each happened once, because the first one may examine the whole contest.
#[inline(never)]
fn happen(folder: tempfile::TempDir) {
    let club = Club::resumed(folder);
    club.with_resources(|resources| {
        let judging = Judging::new(&club.office, &club.open_contest);
        let last = club.office.state().unwrap().next_number() - 1;
        let mut counted = Counted { club: &club, judging, resources, last };
        counted.all();
        (0..TIMES).for_each(|_| happen_once(&mut counted));
    });
}

#[inline(never)]
fn happen_once(counted: &mut Counted<'_, '_>) {
    for (_, act) in EVENTS {
        act(counted);
    }
    // A freeze and a thaw concern all submissions. The judge follows both later, so that no event of the next time does.
    counted.judging.settle().unwrap();
}

/// The instructions of each kind of event in a contest.
fn instructions(folder: tempfile::TempDir) -> BTreeMap<&'static str, u64> {
    let out = tempfile::NamedTempFile::new().unwrap();
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", out.path().display())).arg(env::current_exe().unwrap());
    let name = "judging::tests::instructions::an_event_takes_no_more_instructions_after_five_times_as_many_submissions";
    valgrind.args([name, "--exact", "--ignored", "--test-threads=1"]).env(COUNTED, folder.keep());
    let done = valgrind.stdin(Stdio::null()).output().unwrap();
    assert!(
        done.status.success(),
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    let mut counts = called_by("happen_once", &fs::read_to_string(out.path()).unwrap());
    counts.values_mut().for_each(|count| *count /= TIMES as u64);
    counts
}

/// The instructions of the functions of events that a function calls, with those of all functions that these call.
fn called_by(caller: &str, profile: &str) -> BTreeMap<&'static str, u64> {
    let (mut by_caller, mut called, mut is_cost, mut costs) = (false, None, false, BTreeMap::new());
    let is = |name: &str, known: &str| name.ends_with(&format!("::instructions::{known}"));
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            by_caller = is(name, caller);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            called = EVENTS.iter().map(|(event, _)| *event).find(|event| by_caller && is(name, event));
        } else if line.starts_with("calls=") {
            is_cost = true;
        } else if std::mem::take(&mut is_cost)
            && let Some(event) = called.take()
        {
            *costs.entry(event).or_default() += line.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        }
    }
    costs
}

#[test]
#[ignore = "deep: large"]
fn an_event_takes_no_more_instructions_after_five_times_as_many_submissions() {
    if let Some(folder) = env::var_os(COUNTED) {
        let own = tempfile::tempdir().unwrap();
        fs::remove_dir(own.path()).unwrap();
        fs::rename(folder, own.path()).unwrap();
        return happen(own);
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        assert!(env::var_os("REQUIRE_VALGRIND").is_none(), "valgrind is missing; install it with apt");
        return;
    }
    for contest in [ACCEPTS, CONTEST] {
        let [few, many] = SIZES.map(|submissions| instructions(judged(contest, submissions)));
        let counts = EVENTS.iter().map(|(event, _)| (*event, few[event], many[event]));
        let table: String =
            counts.clone().map(|(event, few, many)| format!("{event:20} {few:>12} {many:>12}\n")).collect();
        let further = (SIZES[1] - SIZES[0]) as u64;
        for (event, few, many) in counts {
            let looks = if LOOKING.contains(&event) { further * LOOK } else { 0 };
            assert!(few > 30_000, "nothing was counted of `{event}`:\n{table}");
            assert!(many * 10 <= few * 13 + looks * 10, "`{event}` after {SIZES:?} submissions:\n{table}");
        }
    }
}
