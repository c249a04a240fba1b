//! Tests of what a program of a talk can reach by other ways than the talk.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use super::*;

/// Outside of the sandbox: creates shared memory, a socket and files that everyone may use, checks that they are found, and
/// reports that. Inside of the sandbox, a program cannot even create the first.
const OUTSIDE: &str = r#"
import ctypes, os, socket, sys
name, key = sys.argv[1], int(sys.argv[2])
libc = ctypes.CDLL(None, use_errno=True)
made = libc.shmget(key, 4096, 0o1666)
if made < 0:
    sys.exit("shared memory could not be made: " + os.strerror(ctypes.get_errno()))
if libc.shmget(key, 4096, 0) != made:
    sys.exit("shared memory could not be found")
listener = socket.socket(socket.AF_UNIX)
listener.bind("\0" + name)
listener.listen()
socket.socket(socket.AF_UNIX).connect("\0" + name)
files = [folder + "/" + name for folder in ("/tmp", "/dev/shm", "/var/tmp")]
for file in files:
    open(file, "w").close()
    os.chmod(file, 0o666)
print("made", flush=True)
sys.stdin.read()
libc.shmctl(made, 0, None)
for file in files:
    os.remove(file)
"#;

/// Leaves objects that another program could find, and expects that the other program found nothing.
const REACHABLE: &str = r#"
import os, socket, sys
try:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0judge-talk-test")
    listener.listen()
except OSError:
    pass
for folder in ("/tmp", "/dev/shm", "/var/tmp"):
    try:
        open(folder + "/judge-talk-test", "w").close()
    except OSError:
        pass
print(os.getpid(), flush=True)
found = sys.stdin.readline()
for folder in ("/tmp", "/dev/shm", "/var/tmp"):
    try:
        os.remove(folder + "/judge-talk-test")
    except OSError:
        pass
sys.exit(found != "[]\n")
"#;

/// Tries to reach the other program by other ways than the talk, and reports what it reached.
const REACHES: &str = r#"
import ctypes, os, socket, sys
outside, key = sys.argv[1], int(sys.argv[2])
libc = ctypes.CDLL(None)
input()
reached = []
if len(os.listdir("/proc/self/fd")) > 4:
    reached.append(os.listdir("/proc/self/fd"))
for name in os.listdir("/proc"):
    if not name.isdigit() or int(name) == os.getpid():
        continue
    for path in ("mem", "environ", "fd/0", "fd/1", "cwd"):
        for flags in (os.O_RDONLY, os.O_WRONLY | os.O_NONBLOCK):
            try:
                os.close(os.open("/proc/" + name + "/" + path, flags))
                reached.append(name + "/" + path)
            except OSError:
                pass
    try:
        os.kill(int(name), 0)
        reached.append(name)
    except OSError:
        pass
    if libc.ptrace(16, int(name), 0, 0) == 0:
        reached.append("ptrace " + name)
if libc.shmget(key, 4096, 0) >= 0:
    reached.append("shared memory")
for name in ("judge-talk-test", outside):
    try:
        socket.socket(socket.AF_UNIX).connect("\0" + name)
        reached.append("socket " + name)
    except OSError:
        pass
    for folder in ("/tmp", "/dev/shm", "/var/tmp"):
        for flags in (os.O_RDONLY, os.O_WRONLY):
            try:
                os.close(os.open(folder + "/" + name, flags))
                reached.append(folder + "/" + name)
            except OSError:
                pass
print(reached, flush=True)
"#;

#[test]
fn an_entry_reaches_its_referee_by_the_talk_alone() {
    let interrupt = Interrupt::never().unwrap();
    let key = 0x6a75_0000 | std::process::id();
    let (name, key) = (format!("judge-talk-test-{key}"), key.to_string());
    let outside = Outside::make(&name, &key);
    for mode in [IsolationMode::Auto, IsolationMode::Landlock] {
        let executor = LocalExecutor::new(&interrupt, mode).unwrap();
        if executor.isolation().tier == crate::Tier::ProcessGroup {
            continue;
        }
        let folder = Folder::new();
        let mut talk = folder.talk("", "");
        for (side, script) in talk.sides.iter_mut().zip([REACHABLE, REACHES]) {
            let words = ["python3", "-c", script, &name, &key];
            side.job.argv = words.map(|word| crate::Argument::Text(word.into())).to_vec();
        }
        let (ended, outcome) = ends(&executor, &talk);
        let errors = ["referee.err", "entry.err"].map(|name| folder.read(name)).concat();
        assert_eq!(ended, [DONE, DONE], "{}: {:?}\n{errors}\n{outcome:?}", executor.isolation(), folder.messages());
    }
    drop(outside);
}

/// The program that created the objects outside of the sandbox, until it is dropped.
struct Outside(Child);

impl Outside {
    fn make(name: &str, key: &str) -> Self {
        let mut program = Command::new("python3");
        program.args(["-c", OUTSIDE, name, key]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut outside = Self(program.spawn().unwrap());
        let mut message = String::new();
        BufReader::new(outside.0.stdout.take().unwrap()).read_line(&mut message).unwrap();
        let mut reason = String::new();
        if message != "made\n" {
            outside.0.stderr.take().unwrap().read_to_string(&mut reason).unwrap();
        }
        assert_eq!(message, "made\n", "there is nothing to be reached: {reason}");
        outside
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Nothing can be done about an error here.
        self.0.wait().ok();
    }
}
