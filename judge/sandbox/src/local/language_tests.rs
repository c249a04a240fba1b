//! Entries in other languages: they work in every tier, and the filter allows the calls that they use and little more.

#![allow(clippy::unwrap_used, clippy::disallowed_macros, reason = "a test may panic, and says why it is skipped")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::*;
use crate::sandbox::names_of_calls;

/// A language: the program that must be installed, the command that builds a program from source, and the command that
/// runs it.
struct Language {
    tool: &'static str,
    source: &'static str,
    build: &'static [&'static str],
    run: &'static [&'static str],
}

const fn language(
    tool: &'static str,
    source: &'static str,
    build: &'static [&'static str],
    run: &'static [&'static str],
) -> Language {
    Language { tool, source, build, run }
}

/// `SOURCE` stands for the source, in the folder in which builds and runs begin.
const LANGUAGES: &[Language] = &[
    language("sh", "busy.sh", &[], &["sh", "SOURCE"]),
    language("cc", "busy.c", &["cc", "-O1", "-pthread", "-o", "c", "SOURCE"], &["./c"]),
    language("c++", "busy.cpp", &["c++", "-std=c++17", "-pthread", "-o", "cpp", "SOURCE"], &["./cpp"]),
    language("rustc", "busy.rs", &["rustc", "--edition", "2021", "-o", "rust", "SOURCE"], &["./rust"]),
    language("python3", "busy.py", &[], &["python3", "SOURCE"]),
    language("node", "busy.js", &[], &["node", "SOURCE"]),
    language("javac", "Busy.java", &["javac", "-d", ".", "SOURCE"], &["java", "-Xmx256m", "-cp", ".", "Busy"]),
    language("go", "busy.go", &["go", "build", "-o", "go-busy", "SOURCE"], &["./go-busy"]),
    language("perl", "busy.pl", &[], &["perl", "SOURCE"]),
    language("tclsh", "busy.tcl", &[], &["tclsh", "SOURCE"]),
];

/// Calls that some of these programs make and that are refused everywhere, without harm.
const REFUSED_ANYWHERE: &[&str] = &["clone3"];
/// Calls that some of these programs make and that are refused without a private root, without harm.
const REFUSED_WITHOUT_ROOT: &[&str] =
    &["clone3", "chmod", "socket", "connect", "bind", "listen", "accept4", "setsid", "setpgid"];

/// Calls that are allowed although none of these programs makes them here. The list of calls states which programs do.
const UNSEEN: &[&str] = &[
    // Other C libraries, older or newer programs, and libraries that export them.
    "accept accept4 bind listen creat chown lchown fchown fchownat dup2 epoll_create epoll_create1 epoll_pwait2 \
     epoll_wait eventfd faccessat faccessat2 fchmod fchmodat fchmodat2 chmod fork vfork futex_waitv futimesat getcpu \
     getdents get_robust_list getrlimit gettimeofday lstat mknod open stat pause pipe poll ppoll preadv preadv2 pwritev \
     pwritev2 readv writev renameat rename select setrlimit signalfd signalfd4 splice symlink tee time times tkill \
     truncate utime utimes utimensat waitid alarm access readlink readlinkat mkdir mknodat clock_gettime rmdir unlink link linkat copy_file_range \
     fdatasync flock readahead sendfile execveat getitimer timerfd_gettime timer_gettime timer_getoverrun",
    // Other languages and libraries.
    "fgetxattr flistxattr listxattr llistxattr getxattr lgetxattr membarrier memfd_create msync personality pidfd_open \
     pidfd_send_signal pkey_alloc pkey_free pkey_mprotect getgroups getpeername getpgid getpgrp getresgid getresuid \
     getsid getsockname getsockopt setsockopt sendto recvfrom sendmsg recvmsg rt_sigpending rt_sigqueueinfo \
     rt_sigtimedwait rt_tgsigqueueinfo sched_getparam sched_getscheduler sched_get_priority_max \
     sched_get_priority_min setsid setpgid setuid setgid setreuid setregid setresuid setresgid capget capset restart_syscall statfs fstatfs sched_yield",
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-entries/languages").canonicalize().unwrap()
}

/// The command of a program whose source is in a folder. `None` if the language is not installed.
fn prepare(language: &Language, folder: &Path) -> Option<Vec<String>> {
    let path = inherited("PATH").unwrap_or_default();
    if find(language.tool.as_ref(), &path).is_none() {
        eprintln!("skipped: no {} on the PATH", language.tool);
        return None;
    }
    let source = folder.join(language.source);
    fs::copy(sources().join(language.source), &source).unwrap();
    let words = |words: &[&str]| -> Vec<String> {
        words.iter().map(|word| word.replace("SOURCE", &source.display().to_string())).collect()
    };
    if let [tool, rest @ ..] = &words(language.build)[..] {
        let mut build = Command::new(tool);
        build.args(rest).current_dir(folder).envs([("GO111MODULE", "off"), ("CGO_ENABLED", "0")]);
        let built = build.env("GOCACHE", folder.join("cache")).stdin(Stdio::null()).output().unwrap();
        assert!(built.status.success(), "{}: {}", language.source, String::from_utf8_lossy(&built.stderr));
    }
    Some(words(language.run))
}

/// A folder that every user can traverse, with a board.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("board.txt"), "ABCDE FGHIJ KLMNO PQRST UVWX+\n").unwrap();
    (folder, path)
}

/// Runs a program in every tier that filters its calls.
fn works_in(executors: &[LocalExecutor<'_>], source: &str, command: &[String], path: &Path) {
    for executor in executors {
        let board = path.join("board.txt").display().to_string();
        let mut job = Job::new(command.iter().cloned().chain([board]), path.join("out"), path.join("err"));
        job.directory = Some(path.to_owned());
        job.readable = vec![path.into()];
        job.limits = Limits::default().with_wall_ms(120_000).with_memory_bytes(4 << 30);
        let outcome = executor.execute(&job).unwrap();
        let printed = [&job.stdout, &job.stderr].map(|path| fs::read_to_string(path).unwrap());
        let tier = executor.isolation().tier;
        assert_eq!(outcome.end, End::Exited { code: 0 }, "{source}, {tier:?}: {printed:?}");
        assert_eq!(printed[0], "lluu\n", "{source}, {tier:?}: {printed:?}");
    }
}

/// Names of the system calls that a program and its children make. `None` if they cannot be traced here.
fn traced(command: &[String], folder: &Path) -> Option<BTreeSet<String>> {
    let trace = folder.join("trace");
    let temporary = folder.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o"]).arg(&trace).args(command).arg(folder.join("board.txt"));
    strace.current_dir(folder).env("TMPDIR", &temporary).stdin(Stdio::null());
    let output = strace.output().ok()?;
    if String::from_utf8_lossy(&output.stderr).contains("ptrace") {
        return None;
    }
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read(trace).unwrap();
    let text = String::from_utf8_lossy(&text);
    // `PID name(arguments…`
    let names =
        text.lines().filter_map(|line| line.split_once(' ')?.1.trim_start().split_once('(')).map(|(name, _)| name);
    let is_name =
        |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    Some(names.filter(is_name).map(Into::into).collect())
}

#[test]
#[ignore = "deep: siege"]
fn the_filter_allows_what_ten_languages_use() {
    let interrupt = Interrupt::never().unwrap();
    let executor = |mode| LocalExecutor::new(&interrupt, mode).unwrap();
    let uncounted = |mode| {
        let mut executor = executor(mode);
        executor.sandbox.do_without_control_groups();
        executor
    };
    let [auto, landlock] = [IsolationMode::Auto, IsolationMode::Landlock];
    // More is refused where no control group counts memory.
    let executors = [executor(auto), executor(landlock), uncounted(auto), uncounted(landlock)];
    let strace = find("strace".as_ref(), &inherited("PATH").unwrap_or_default());
    let may_trace = cfg!(target_arch = "x86_64") && strace.is_some();
    let [own_root, landlock] = names_of_calls();
    // What a language does, if it is installed; the calls are missing if they cannot be traced.
    let check = |language: &Language| -> Option<Option<BTreeSet<String>>> {
        let (_folder, path) = folder();
        let command = prepare(language, &path)?;
        works_in(&executors, language.source, &command, &path);
        let Some(calls) = may_trace.then(|| traced(&command, &path)).flatten() else { return Some(None) };
        for (allowed, refused) in [(&own_root, REFUSED_ANYWHERE), (&landlock, REFUSED_WITHOUT_ROOT)] {
            let missing: Vec<_> =
                calls.iter().filter(|call| !allowed.contains(&&***call) && !refused.contains(&&***call)).collect();
            assert!(missing.is_empty(), "{} makes calls that are not listed: {missing:?}", language.source);
        }
        Some(Some(calls))
    };
    // Two at a time: compilers take most of the time.
    let (left, found) = (Mutex::new(LANGUAGES.iter()), Mutex::new(Vec::new()));
    let next = || left.lock().unwrap().next();
    let work = || {
        while let Some(language) = next() {
            let calls = check(language);
            found.lock().unwrap().extend(calls);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let found = found.into_inner().unwrap();
    let languages = found.len();
    let traces = may_trace && found.iter().all(Option::is_some);
    let used: BTreeSet<String> = found.into_iter().flatten().flatten().collect();
    let unseen: BTreeSet<&str> = UNSEEN.iter().flat_map(|names| names.split_whitespace()).collect();
    let stale: Vec<_> = unseen.iter().filter(|name| !own_root.contains(name) && !landlock.contains(name)).collect();
    assert!(stale.is_empty() || !cfg!(target_arch = "x86_64"), "unseen calls that are not allowed: {stale:?}");
    let idle: Vec<_> = own_root.iter().filter(|name| !used.contains(**name) && !unseen.contains(*name)).collect();
    match (traces, languages == LANGUAGES.len()) {
        (false, _) => eprintln!("skipped: no strace that may trace, or not the architecture of these lists"),
        (true, false) => eprintln!("skipped: only with all languages are calls without a user looked for: {idle:?}"),
        (true, true) => {
            assert!(idle.is_empty(), "no entry makes these calls, and they are not listed as unseen: {idle:?}");
        }
    }
}
