#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use super::*;
use crate::sandbox::{RunEnd, Running, Sandbox, Start, find};
use crate::{CopiedFile, Interrupt, Job, PlacedFile, Tier, inherited, poll_for};

pub(in crate::sandbox) const TIERS: [Tier; 3] = [Tier::Namespaces, Tier::Landlock, Tier::ProcessGroup];

/// A separate sandbox with its folder.
pub(in crate::sandbox) struct TestSandbox {
    pub(in crate::sandbox) sandbox: Sandbox,
    pub(in crate::sandbox) folder: tempfile::TempDir,
}

impl TestSandbox {
    pub(in crate::sandbox) fn new(tier: Tier) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("root");
        fs::create_dir(&base).unwrap();
        let bench = Self { sandbox: Sandbox::new(tier, base), folder };
        assert!(bench.sandbox.zygotes.used, "{tier:?}");
        bench
    }

    /// A job of a shell that executes a script.
    pub(in crate::sandbox) fn job(&self, script: &str) -> Job {
        Job::new(["sh", "-c", script], self.folder.path().join("out"), self.folder.path().join("err"))
    }

    /// Starts a job; `None` if it is refused.
    pub(in crate::sandbox) fn start(&self, job: &Job) -> Option<Running> {
        let program = find("sh".as_ref(), &inherited("PATH").unwrap()).unwrap().into();
        let scratch = (!self.sandbox.has_own_root()).then(|| self.folder.path());
        let start =
            Start { program: &program, job, user: None, environment: Vec::new(), wire: None, talks: false, scratch };
        self.sandbox.start(&start).ok()
    }

    /// Starts a job and waits until it has begun.
    pub(in crate::sandbox) fn begun(&self, job: &Job) -> Running {
        let mut running = self.start(job).unwrap();
        while running.begun_us().is_none() {
            poll_for(&mut [PollFd::from_borrowed_fd(running.fd(), PollFlags::IN)], ZYGOTE_TIMEOUT).unwrap();
            assert!(!running.is_over().unwrap());
        }
        running
    }

    /// Waits until a job has ended by itself.
    pub(in crate::sandbox) fn ended(&self, mut running: Running) -> RunEnd {
        loop {
            poll_for(&mut [PollFd::from_borrowed_fd(running.fd(), PollFlags::IN)], ZYGOTE_TIMEOUT).unwrap();
            if running.is_over().unwrap() {
                return running.end(&Interrupt::never().unwrap()).unwrap();
            }
        }
    }

    pub(in crate::sandbox) fn code(&self, job: &Job) -> Option<i32> {
        let finish = self.ended(self.begun(job));
        assert!(finish.by_itself && !finish.lost);
        finish.status.unwrap().code()
    }

    fn zygotes(&self) -> Vec<Pid> {
        let zygotes = self.sandbox.zygotes.idle();
        assert!(!zygotes.is_empty());
        zygotes
    }
}

/// A figure of `/proc/PID/status`, in KiB.
pub(in crate::sandbox) fn kib(pid: Pid, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB")).unwrap();
    line.trim().parse().unwrap()
}

#[test]
fn a_supervisor_is_as_small_in_a_judge_of_any_size() {
    const BALLAST: u64 = 512 << 20;
    const PIECE: usize = 4096;
    // In pieces, like the data of a contest.
    let ballast: Vec<Vec<u8>> = (0..BALLAST).step_by(PIECE).map(|_| vec![1; PIECE]).collect();
    let judge = rustix::process::getpid();
    assert!(kib(judge, "RssAnon:") > BALLAST / 1024 && kib(judge, "VmPTE:") > 1024);
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let running = bench.begun(&bench.job("exec sleep 600"));
        for pid in bench.zygotes().into_iter().chain([running.root()]) {
            assert!(kib(pid, "RssAnon:") < 4096, "{tier:?}: {} KiB", kib(pid, "RssAnon:"));
            assert!(kib(pid, "VmPTE:") < 512, "{tier:?}: {} KiB", kib(pid, "VmPTE:"));
        }
        drop(running.end(&Interrupt::never().unwrap()).unwrap());
    }
    assert!(ballast.iter().all(|piece| piece[0] == 1));
}

#[test]
fn a_zygote_keeps_nothing_of_the_judge() {
    let secret: Vec<u8> = vec![7; 1 << 20];
    let bench = TestSandbox::new(Tier::Landlock);
    assert_eq!(bench.code(&bench.job("exit 3")), Some(3));
    for pid in bench.zygotes() {
        let of = |name: &str| Path::new("/proc").join(pid.as_raw_pid().to_string()).join(name);
        assert_eq!(fs::read_to_string(of("comm")).unwrap(), "judge-zygote\n");
        // It is not dumpable, so only root can look.
        if !rustix::process::geteuid().is_root() {
            assert!(fs::read(of("environ")).is_err() && fs::read_dir(of("fd")).is_err());
            continue;
        }
        let descriptors: Vec<_> = fs::read_dir(of("fd")).unwrap().map(|item| item.unwrap().file_name()).collect();
        assert_eq!(descriptors, ["0"]);
        assert!(fs::read_link(of("fd/0")).unwrap().to_str().unwrap().starts_with("socket:"));
        assert!(fs::read(of("environ")).unwrap_or_default().is_empty());
        assert!(fs::read(of("cmdline")).unwrap_or_default().is_empty());
        let maps = fs::read_to_string(of("maps")).unwrap();
        let address = secret.as_ptr() as usize;
        let ranges = maps.lines().map(|line| line.split_once(' ').unwrap().0.split_once('-').unwrap());
        let number = |text: &str| usize::from_str_radix(text, 16).unwrap();
        let mut ranges = ranges.map(|(from, to)| number(from)..number(to));
        assert!(!ranges.any(|range| range.contains(&address)));
        assert!(!maps.contains("[heap]") && !maps.contains("[stack]"), "{maps}");
    }
}

#[test]
fn a_zygote_that_is_killed_costs_no_run() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let running = bench.begun(&bench.job("sleep 0.2; exit 5"));
        let killed = bench.zygotes();
        killed.iter().for_each(|&pid| rustix::process::kill_process(pid, Signal::KILL).unwrap());
        assert_eq!(bench.ended(running).status.unwrap().code(), Some(5), "{tier:?}: that under way");
        assert_eq!(bench.code(&bench.job("exit 6")), Some(6), "{tier:?}: the next");
        assert!(bench.zygotes().iter().all(|pid| !killed.contains(pid)), "{tier:?}");
    }
}

#[test]
fn a_zygote_keeps_nothing_of_the_runs_that_it_started() {
    // It is not dumpable, so only root can look.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let bench = TestSandbox::new(Tier::Landlock);
    let secret: String = std::iter::repeat_n("of one run alone", 1000).collect();
    assert_eq!(bench.code(&bench.job(&format!("exit 4 # {secret}"))), Some(4));
    for pid in bench.zygotes() {
        let of = |name: &str| Path::new("/proc").join(pid.as_raw_pid().to_string()).join(name);
        let memory = fs::File::open(of("mem")).unwrap();
        let mut seen = 0;
        for line in fs::read_to_string(of("maps")).unwrap().lines().filter(|line| line.contains(" rw")) {
            let (from, to) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
            let [from, to] = [from, to].map(|text| u64::from_str_radix(text, 16).unwrap());
            let mut bytes = vec![0; usize::try_from(to - from).unwrap()];
            seen += memory.read_at(&mut bytes, from).unwrap();
            let secret = &secret.as_bytes()[..64];
            assert!(!bytes.windows(secret.len()).any(|part| part == secret), "{line}");
        }
        assert!(seen >= ROOM, "its room is among it: {seen}");
    }
}

/// A stopped zygote that has an order for a supervisor with these descriptors.
fn ordered(bench: &TestSandbox, descriptors: &[BorrowedFd<'_>]) -> Zygote {
    let zygote = Zygote::make().unwrap();
    rustix::process::kill_process(zygote.pid, Signal::STOP).unwrap();
    let plan = bench.sandbox.plan(
        &bench.sandbox.system,
        bench.folder.path(),
        &crate::Limits::default(),
        Tier::ProcessGroup,
        None,
    );
    let mut flat = bench.sandbox.foundations.none.clone();
    plan.write(false, flat.flag(true));
    zygote.order(0, crate::sandbox::sys::bytes_of(flat.words()), descriptors).unwrap();
    zygote
}

#[test]
fn nothing_stays_of_a_zygote_that_dies() {
    let bench = TestSandbox::new(Tier::ProcessGroup);
    for before in [true, false] {
        let (judge, supervisor) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).unwrap();
        let null = fs::File::open("/dev/null").unwrap();
        let zygote = ordered(&bench, &[null.as_fd(), null.as_fd(), null.as_fd(), supervisor.as_fd()]);
        drop(supervisor);
        if before {
            rustix::process::kill_process(zygote.pid, Signal::KILL).unwrap();
        } else {
            // Its answer finds no reader, which is its end.
            rustix::net::shutdown(&zygote.socket, rustix::net::Shutdown::Read).unwrap();
            rustix::process::kill_process(zygote.pid, Signal::CONT).unwrap();
            poll_for(&mut [PollFd::from_borrowed_fd(zygote.pidfd.as_fd(), PollFlags::IN)], ZYGOTE_TIMEOUT).unwrap();
        }
        assert!(matches!(zygote.answer(), Err(Failure::Lost(_))), "{before}");
        drop(zygote);
        // A supervisor without a handle in the judge carries out its plan, here a dry run, and ends. Nothing else has its
        // socket.
        let mut messages = 0;
        while rustix::net::recv(&judge, &mut [0; 256], RecvFlags::empty()).unwrap().0 > 0 {
            messages += 1;
        }
        assert_eq!(messages > 0, !before, "{messages}");
    }
    assert_eq!(bench.code(&bench.job("exit 7")), Some(7), "the next");
}

#[test]
fn runs_begin_at_the_same_time() {
    let bench = TestSandbox::new(Tier::Namespaces);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let bench = &bench;
            scope.spawn(move || {
                for turn in 0..8 {
                    let code = thread * 8 + turn;
                    assert_eq!(bench.code(&bench.job(&format!("exit {code}"))), Some(code));
                }
            });
        }
    });
    assert!(bench.zygotes().len() <= 4);
}

#[test]
fn a_large_plan_arrives_whole() {
    for used in [true, false] {
        let mut bench = TestSandbox::new(Tier::Namespaces);
        bench.sandbox.zygotes.used = used;
        // Larger than the room of a zygote and than what a socket holds.
        let contents: Vec<u8> = (0..(1_u32 << 20)).map(|number| number.to_le_bytes()[0]).collect();
        let copied = bench.folder.path().join("copied");
        fs::write(&copied, &contents).unwrap();
        let copies = (0..60).map(|number| CopiedFile { name: format!("copy-{number}"), from: copied.clone() });
        let mut job =
            bench.job("cd $HOME && for copy in copy-*; do cmp $copy placed || exit 1; done; exec test -e copy-59");
        job.files = vec![PlacedFile { name: "placed".into(), contents }];
        job.copies = copies.collect();
        if bench.sandbox.has_own_root() {
            assert_eq!(bench.code(&job), Some(0), "{used}");
        }
    }
}
