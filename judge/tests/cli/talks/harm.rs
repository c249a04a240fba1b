//! Hostile pairs in every tier: an entry that tries to reach its referee, and a judge that is killed.

use super::{REFEREE, run, talking};
use crate::support::*;

/// Tries to reach the referee in every way but the pipe, and says what worked.
const REACHES: &str = r#"import ctypes, os, signal
print("accept-at-end", flush=True)
libc = ctypes.CDLL(None, use_errno=True)
said = open(2, "w", closefd=False)
def is_referee(name):
    try: return name.isdigit() and b"hidden-word" in open(f"/proc/{name}/cmdline", "rb").read()
    except OSError: return False
others = [int(name) for name in os.listdir("/proc") if is_referee(name)]
for name in os.listdir("/proc/self/fd"):
    try: leads = os.readlink(f"/proc/self/fd/{name}")
    except OSError: continue
    if int(name) > 2 and "/fd" not in leads: print("reached descriptor", leads, file=said)
for pid in others:
    ATTACH, SEIZE = 16, 0x4206
    for request in (ATTACH, SEIZE):
        if libc.ptrace(request, pid, None, None) == 0: print("reached by ptrace", pid, file=said)
    for part in ("mem", "environ", "maps", "fd/0", "fd/1", "root/etc", "cwd/board"):
        try:
            open(f"/proc/{pid}/{part}", "rb").read(1)
            print("reached", pid, part, file=said)
        except OSError: pass
    word = ctypes.create_string_buffer(8)
    class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    local, remote = Vector(ctypes.addressof(word), 8), Vector(0x400000, 8)
    if libc.process_vm_readv(pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) > 0: print("reached memory", pid, file=said)
    PIDFD_OPEN, PIDFD_GETFD = 434, 438
    if libc.syscall(PIDFD_GETFD, libc.syscall(PIDFD_OPEN, pid, 0), 0, 0) >= 0: print("reached by pidfd", pid, file=said)
    if libc.kill(pid, signal.SIGCONT) == 0: print("reached by signal", pid, file=said)
for folder in ("/dev/shm", "/tmp", "/var/tmp"):
    try: found = [name for name in os.listdir(folder) if name.startswith("of-the-referee")]
    except OSError: continue
    if found: print("reached", folder, found, file=said)
print("looked at", len(others), "processes", file=said)
"#;

/// Runs an entry that tries to reach its referee, which leaves files where both might see them.
fn unreached(isolation: &str, user: Option<u32>) {
    if user.is_some() && !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    talking(&folder, "args = [\"hidden-word\"]\n", &[("reaches", "exec python3 ../reaches.py")]);
    let traces = "for place in /dev/shm /tmp /var/tmp; do echo secret > $place/of-the-referee.$$; done 2>/dev/null\n";
    folder.script("referee/referee", &(traces.to_owned() + REFEREE));
    folder.file("reaches.py", REACHES);
    let text = folder.read("contest.toml");
    let command = "command = [\"python3\", \"reaches.py\"]";
    let lines = text.lines().map(|line| if line.contains("entries/reaches") { command } else { line });
    folder.file("contest.toml", lines.collect::<Vec<_>>().join("\n").replace("limit = \"10s\"", "limit = \"60s\""));
    folder.open_to_all(&[]);
    let table = run(&folder, isolation, user);
    let tier = table["isolation"][0].as_str().unwrap().to_owned();
    let cell = table["entries"][0]["runs"][0]["cell"].as_str().unwrap();
    let message = folder.read("out/1/output/1/reaches/A.1.err");
    assert!(message.contains("looked at ") && !message.contains("reached"), "{tier}: {message}");
    // Under Landlock it knows its referee's number, and no more.
    assert_eq!(message.contains("looked at 0"), !tier.starts_with("landlock"), "{tier}: {message}");
    assert!(cell.ends_with("AC"), "{tier}: {table}\n{message}");
}

siege! { unreached;
    an_entry_reaches_its_referee_by_the_pipe_alone("auto", None)
    an_entry_of_an_ordinary_user_reaches_its_referee_by_the_pipe_alone("auto", Some(65534))
    an_entry_under_landlock_reaches_its_referee_by_the_pipe_alone("landlock", None)
    an_entry_of_an_ordinary_user_under_landlock_reaches_its_referee_by_the_pipe_alone("landlock", Some(65533))
}

/// Kills the judge in the middle of a talk, and resumes.
fn killed(isolation: &str, user: Option<u32>) {
    if user.is_some() && !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    talking(&folder, "", &[("talks", "echo ask; read x; sleep 3; exit 0")]);
    folder.open_to_all(&[]);
    let mut judge = folder.judge_as(user, &["run", "contest.toml", "--isolation", isolation, "--out", "out/1"]);
    let mut judge = judge.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Both have begun when the entry has said what the referee answers.
    let message = |file: &Path| fs::read_to_string(file).unwrap_or_default();
    let file = || {
        let results = folder.path().join("out/1");
        // Under Landlock the results have an unguessable name until they are done.
        let hidden = fs::read_dir(folder.path().join("out")).into_iter().flatten().flatten().map(|item| item.path());
        let mut all = hidden.chain([results]).map(|results| results.join("output/1/talks/A.1.out"));
        all.any(|file| !message(&file).is_empty())
    };
    until("the talk", file);
    judge.kill().unwrap();
    judge.wait().unwrap();
    until_none_names(folder.path());
    let results = fs::read_dir(folder.path().join("out")).unwrap().next().unwrap().unwrap().path();
    let resumed = folder.judge_as(user, &["resume", results.to_str().unwrap()]).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&resumed.stdout), String::from_utf8_lossy(&resumed.stderr));
    assert!(resumed.status.success() && stdout.contains("AC"), "{stdout}\n{stderr}");
}

siege! { killed;
    a_judge_that_is_killed_in_the_middle_of_a_talk_resumes("auto", None)
    a_judge_of_an_ordinary_user_that_is_killed_in_the_middle_of_a_talk_resumes("auto", Some(65534))
    a_judge_that_is_killed_in_the_middle_of_a_talk_under_landlock_resumes("landlock", None)
    a_judge_that_is_killed_in_the_middle_of_a_talk_without_isolation_resumes("off", None)
    a_judge_of_an_ordinary_user_that_is_killed_in_the_middle_of_a_talk_under_landlock_resumes("landlock", Some(65533))
    a_judge_of_an_ordinary_user_that_is_killed_in_the_middle_of_a_talk_without_isolation_resumes("off", Some(65532))
}
