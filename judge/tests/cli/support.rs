//! Builder for tests that read as a transcript: a command line, then its exit code and output.
//!
//! Every command runs in a new folder that the test fills, so that nothing depends on the current folder.

// What nearly every file of tests uses.
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::fs;
pub(crate) use std::os::unix::{fs::PermissionsExt as _, process::CommandExt as _};
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::process::{Child, Command, Stdio};
pub(crate) use std::time::{Duration, Instant};

pub(crate) use insta::assert_snapshot;
pub(crate) use serde_json::{Value, json};

use std::io::Write as _;
use std::sync::{Arc, Once};

use judge_job::{Contention, Description, End, Isolation, Machine, Outcome, Tier};
use judge_sandbox::ignored_signals;
use sha2::{Digest as _, Sha256};
use signal_hook::consts::{FORBIDDEN, SIGPIPE};
use tempfile::TempDir;

pub(crate) use made::Made;
pub(crate) use processes::{processes_naming, signal, until, until_none_names, until_one_names};

// Other test programs include this file by its path.
#[path = "support/made.rs"]
mod made;
#[path = "support/processes.rs"]
mod processes;

/// The longest wait for an event, on a busy machine.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The root folder of the workspace.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The published table of 1995.
pub(crate) fn published() -> String {
    project().join("results/published-1995.csv").display().to_string()
}

/// Cargo's metadata of the workspace and its dependencies, without a network. It may lack packages of other systems and
/// features, which cargo fetches only when they are needed.
pub(crate) fn metadata(manifest: &str, options: &[&str]) -> serde_json::Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest]).args(options);
    command.current_dir(project());
    command.args(["--filter-platform", &format!("{}-unknown-linux-gnu", std::env::consts::ARCH)]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All files in these folders of the project and below, except build output.
pub(crate) fn files_below(folders: &[&str]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| project().join(folder)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if name == "target" || name == "runs" || name.starts_with('.') => {}
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    files
}

/// Copies a folder with all that it contains.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(item.file_name());
        match item.path().is_dir() {
            true => copy_folder(&item.path(), &target),
            false => assert!(fs::copy(item.path(), target).is_ok()),
        }
    }
}

/// A board of the project.
pub(crate) fn board(name: &str) -> String {
    project().join("tests-boards/loyd").join(format!("{name}.txt")).display().to_string()
}

/// The misbehaving entry, see `test-entries/rogue/`.
pub(crate) fn rogue() -> String {
    example("rogue")
}

/// Path of a program of `test-entries`.
pub(crate) fn example(name: &str) -> String {
    let target = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
    let program = target.join("examples").join(name);
    // `cargo test` builds it; `cargo test --test cli` alone does not.
    let written = |file: &Path| file.metadata().and_then(|metadata| metadata.modified()).ok();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("test-entries").join(name);
    let newest = fs::read_dir(source).unwrap().filter_map(|file| written(&file.unwrap().path())).max();
    assert!(written(&program) > newest, "{name} is missing or stale: run `cargo build -p judge --examples`");
    program.display().to_string()
}

/// Has commands start with the default action for every signal, even if `nohup` or a script started these tests with
/// ignored signals. A signal with a handler here has its default action in a child.
fn have_commands_start_with_default_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Shells do not use signals above 31, and the C library uses some of them.
        let handled = |signal: &i32| *signal < 32 && *signal != SIGPIPE && !FORBIDDEN.contains(signal);
        for signal in ignored_signals().into_iter().filter(handled) {
            signal_hook::flag::register(signal, Arc::default()).unwrap();
        }
    });
}

#[test]
fn tests_do_not_depend_on_the_signals_that_their_shell_ignores() {
    const IGNORED: &str = "JUDGE_TEST_SIGNALS_IGNORED";
    if std::env::var_os(IGNORED).is_some() {
        Folder::new();
        let status = Command::new("cat").arg("/proc/self/status").output().unwrap().stdout;
        let status = String::from_utf8(status).unwrap();
        let ignored = status.split_once("SigIgn:\t").unwrap().1.split_once('\n').unwrap().0;
        assert_eq!(u64::from_str_radix(ignored, 16).unwrap() & 0x7fff_ffff, 0, "{status}");
        return;
    }
    let this = std::env::current_exe().unwrap();
    let script = r#"trap '' HUP INT QUIT TERM XFSZ; exec "$@""#;
    let test = ["--exact", "support::tests_do_not_depend_on_the_signals_that_their_shell_ignores"];
    let mut command = Command::new("sh");
    let output = command.args(["-c", script, "sh"]).arg(this).args(test).env(IGNORED, "1").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

/// Writes a file. It is not emptied first: after that, some file systems write a file to the disk when it is closed,
/// and tests that change a file often would wait for that.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    let content = content.as_ref();
    let mut file = fs::File::options().write(true).create(true).truncate(false).open(path).unwrap();
    file.write_all(content).unwrap();
    file.set_len(content.len() as u64).unwrap();
}

/// Calls a function with each item, all at the same time. For tests that mostly wait.
pub(crate) fn at_once<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        let threads: Vec<_> = items.iter().map(|item| scope.spawn(|| work(item))).collect();
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}

/// The rows of a table of cases, one a line.
macro_rules! rows {
    ($($row:expr),+ $(,)?) => {
        [$($row),+]
    };
}
pub(crate) use rows;

/// Deep tests that call one function, each with its name and arguments.
macro_rules! siege {
    ($check:ident; $($name:ident $arguments:tt)*) => {
        $(
            #[test]
            #[ignore = "deep: siege"]
            fn $name() {
                $check $arguments;
            }
        )*
    };
}
pub(crate) use siege;

/// Waits for an event, which `look` returns as soon as it has happened. If it never happens, the panic shows `said`.
#[track_caller]
pub(crate) fn wait_for<T>(reply: impl Fn() -> String, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + COMMAND_TIMEOUT;
    loop {
        if let Some(event) = look() {
            return event;
        }
        assert!(Instant::now() < deadline, "in vain: {}", reply());
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// A scratch folder to run commands in.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        have_commands_start_with_default_signals();
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and creates its folders.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, content);
        path
    }

    /// Copies a program into the folder, ready to be executed. This process opens no file for it: a child of another test
    /// would inherit the descriptor for a moment, and a program that is open for writing is not executed.
    pub(crate) fn program(&self, name: &str, from: impl AsRef<std::ffi::OsStr>) {
        let copied = Command::new("cp").arg(from).arg(self.path().join(name)).status().unwrap();
        assert!(copied.success(), "{name}");
    }

    /// Writes an executable shell script.
    pub(crate) fn script(&self, name: &str, body: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.file(name, format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// The lines of this kind in the journal of results, or all.
    pub(crate) fn journal(&self, results: &str, kind: &str) -> Vec<Value> {
        let journal = self.read(&format!("{results}/journal.jsonl"));
        let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| kind.is_empty() || line["line"] == kind).collect()
    }

    /// Changes the lines of a journal, and chains them anew.
    pub(crate) fn change_journal(&self, results: &str, change: impl FnOnce(&mut Vec<Value>)) {
        let mut lines = self.journal(results, "");
        change(&mut lines);
        lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("chain")));
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        self.file(&format!("{results}/journal.jsonl"), chained(lines.iter().map(String::as_str)));
    }

    /// Has every user run a judge here, and these programs of `test-entries`.
    pub(crate) fn open_to_all(&self, programs: &[&str]) {
        self.program("judge", env!("CARGO_BIN_EXE_judge"));
        programs.iter().for_each(|name| self.program(name, example(name)));
        for name in ["tmp", "out"] {
            fs::create_dir(self.path().join(name)).unwrap();
            fs::set_permissions(self.path().join(name), fs::Permissions::from_mode(0o777)).unwrap();
        }
        fs::set_permissions(self.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The judge of a folder that is open to all, as this user.
    pub(crate) fn judge_as(&self, user: Option<u32>, args: &[&str]) -> Command {
        let mut command = Command::new(self.path().join("judge"));
        command.args(args).current_dir(self.path()).env("TMPDIR", self.path().join("tmp")).stdin(Stdio::null());
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        command
    }

    /// `judge` with these arguments, in this folder.
    pub(crate) fn judge<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Run {
        Run { command: self.command(args), stdin: Vec::new(), folder: self.path().to_owned() }
    }

    /// The bare command, for tests that handle the process themselves.
    pub(crate) fn command<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
        command.args(args).current_dir(self.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// A command line about to be run.
pub(crate) struct Run {
    command: Command,
    stdin: Vec<u8>,
    folder: PathBuf,
}

impl Run {
    pub(crate) fn stdin(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.stdin = text.into();
        self
    }

    /// Runs it and checks the exit code.
    #[track_caller]
    pub(crate) fn exits(mut self, code: i32) -> Printed {
        let mut child = self.command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = std::mem::take(&mut self.stdin);
        // A command that does not read may close the pipe.
        let feeder = std::thread::spawn(move || pipe.write_all(&stdin).ok());
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let printed = Printed {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            folder: self.folder,
        };
        assert_eq!(output.status.code(), Some(code), "stdout:\n{}\nstderr:\n{}", printed.stdout, printed.stderr);
        printed
    }
}

/// The JSON that a command prints, its exit code, and what it says.
pub(crate) fn json_of(command: &mut Command) -> (Value, Option<i32>, String) {
    let output = command.output().unwrap();
    let reply = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {reply}"));
    (json, output.status.code(), reply)
}

/// The output of a command.
pub(crate) struct Printed {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    folder: PathBuf,
}

impl Printed {
    /// Standard error without the scratch folder and the project's root, for snapshots.
    pub(crate) fn message(&self) -> String {
        let folder = fs::canonicalize(&self.folder).unwrap();
        let text = self.stderr.replace(&*folder.to_string_lossy(), "FOLDER");
        let text = text.replace(&*self.folder.to_string_lossy(), "FOLDER");
        text.replace(&*project().to_string_lossy(), "PROJECT")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Checks that the standard output contains all of these.
    #[track_caller]
    pub(crate) fn shows<T: AsRef<str>>(self, wanted: impl IntoIterator<Item = T>) -> Self {
        contains(&self.stdout, wanted);
        self
    }

    /// Checks that the standard output contains none of these.
    #[track_caller]
    pub(crate) fn hides<T: AsRef<str>>(self, unwanted: impl IntoIterator<Item = T>) -> Self {
        lacks(&self.stdout, unwanted);
        self
    }

    /// Checks that the message contains all of these.
    #[track_caller]
    pub(crate) fn says<T: AsRef<str>>(self, wanted: impl IntoIterator<Item = T>) -> Self {
        contains(self.message(), wanted);
        self
    }

    /// Checks that the message contains none of these.
    #[track_caller]
    pub(crate) fn does_not_say<T: AsRef<str>>(self, unwanted: impl IntoIterator<Item = T>) -> Self {
        lacks(self.message(), unwanted);
        self
    }
}

/// Checks that a text contains all of these.
#[track_caller]
pub(crate) fn contains<T: AsRef<str>>(text: impl AsRef<str>, wanted: impl IntoIterator<Item = T>) {
    for wanted in wanted {
        assert!(text.as_ref().contains(wanted.as_ref()), "{} is missing in\n{}", wanted.as_ref(), text.as_ref());
    }
}

/// Checks that a text contains none of these.
#[track_caller]
pub(crate) fn lacks<T: AsRef<str>>(text: impl AsRef<str>, unwanted: impl IntoIterator<Item = T>) {
    for unwanted in unwanted {
        assert!(!text.as_ref().contains(unwanted.as_ref()), "{} is in\n{}", unwanted.as_ref(), text.as_ref());
    }
}

/// The head of a contest file: ten seconds per board, these boards, no entries.
pub(crate) fn contest(boards: &[(&str, &str)]) -> String {
    let mut text = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n".to_owned();
    for (name, file) in boards {
        text += &format!("[[board]]\nname = \"{name}\"\nfile = \"{file}\"\n");
    }
    text
}

/// An entry of a contest file.
pub(crate) fn entry(name: &str, command: &[&str]) -> String {
    format!("[[entry]]\nname = \"{name}\"\ncommand = {command:?}\n")
}

/// These lines of a journal, each with the hash of the line before it.
pub(crate) fn chained<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let (mut journal, mut last) = (String::new(), String::new());
    for line in lines {
        let line = line.trim_end();
        let line = line.rsplit_once(",\"chain\":").map_or(line.strip_suffix('}').unwrap(), |(line, _)| line);
        let hash = Sha256::digest(format!("{last}{line}}}"));
        last = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        journal += &format!("{line},\"chain\":\"{last}\"}}\n");
    }
    journal
}

/// Removes the marks of suspect runs, which a busy machine causes, from a results directory.
pub(crate) fn clear_suspicion(folder: &Folder, results: &str) {
    folder.change_journal(results, |lines| {
        lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("suspect")));
    });
}

/// The description of a pretended executor, without isolation.
pub(crate) fn no_isolation() -> Description {
    Description::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }, Vec::new())
}

/// The outcome of a run of a pretended executor.
pub(crate) fn pretended_outcome(end: End, wall_us: u64, stdout_bytes: usize) -> Outcome {
    let mut outcome = Outcome::new(end, no_isolation().isolation, Machine::default());
    (outcome.wall_us, outcome.stdout_bytes) = (Some(wall_us), stdout_bytes as u64);
    outcome.contention = Some(Contention::default());
    outcome
}

/// Tests whether a document names a test that exists: `file::function` of this folder, or `rogues: ENTRY` for a misbehaving
/// entry, which runs in every tier as root and as an ordinary user.
pub(crate) fn is_a_test(name: &str) -> bool {
    let (file, wanted) = match name.split_once(": ") {
        Some((file, entry)) => (file, vec![format!("\n    (\"{entry}\", ")]),
        None => {
            let (file, function) = name.split_once("::").unwrap_or_else(|| panic!("{name} names no file"));
            // A test of its own, or a line of `siege!`.
            (file, vec![format!("\n#[test]\nfn {function}()"), format!("\n    {function}(")])
        }
    };
    let file = project().join(format!("judge/tests/cli/{file}.rs"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    // A deep test has its group between attribute and function.
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("#[ignore = ")).collect();
    let text = lines.join("\n");
    wanted.iter().any(|wanted| text.contains(wanted))
}
