//! Tests of the input, the permissions and the results of jobs, in every tier and without a supervisor.

#![allow(clippy::unwrap_used, clippy::disallowed_macros, reason = "a test may panic, and says why it is skipped")]

mod compilers;
mod folders;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Duration;

use judge_job::StopFlag;
use rustix::process::geteuid;

use super::*;
use crate::{Link, PlacedFile, SCRATCH_FILES, Stdin, Tier, WantedFile, WantedFolder};

/// A folder that every user can traverse, with `out` and `err` for a job's output.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn folder(&self, name: &str) -> PathBuf {
        fs::create_dir(self.path(name)).unwrap();
        self.path(name)
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A job of a shell script.
    fn shell(&self, script: &str) -> Job {
        let mut job = Job::new(["sh", "-c", script], self.path("out"), self.path("err"));
        job.limits.wall_ms = 60_000;
        job
    }

    /// Executes a job that has to succeed, and returns its outcome and output.
    #[track_caller]
    fn succeeds(&self, executor: &LocalExecutor<'_>, job: &Job) -> (Outcome, String) {
        let outcome = executor.execute(job).unwrap();
        let tier = executor.isolation();
        assert_eq!(outcome.end, End::Exited { code: 0 }, "{tier}: {}\n{outcome:?}", self.read("err"));
        (outcome, self.read("out"))
    }
}

/// Calls `work` in every tier, and without a supervisor.
fn in_every_tier(work: impl Fn(&LocalExecutor<'_>)) {
    let interrupt = Interrupt::never().unwrap();
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        work(&LocalExecutor::new(&interrupt, mode).unwrap());
    }
    work(&LocalExecutor::bare(&interrupt).unwrap());
}

#[test]
fn a_job_gets_its_surroundings() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let inner = folder.folder("inner");
        folder.file("inner/table", "of the folder\n");
        let mut job =
            folder.shell("cat; cat table; pwd; echo \"$WORD $LANG $JUDGE_LIMIT_MS\"; echo $HOME; echo $TMPDIR");
        job.stdin = Stdin::File(folder.file("input", "from input\n"));
        job.directory = Some(inner.clone());
        job.readable = vec![inner.clone().into()];
        job.environment = [("WORD", "a b"), ("LANG", "xx"), ("HOME", "/elsewhere"), ("JUDGE_LIMIT_MS", "1")]
            .map(|(name, value)| (name.into(), value.into()))
            .into();
        let (_, printed) = folder.succeeds(executor, &job);
        let lines: Vec<&str> = printed.lines().collect();
        let inner = inner.display().to_string();
        assert_eq!(lines[..4], ["from input", "of the folder", &inner, "a b xx 60000"]);
        assert_eq!(lines[4], lines[5]);
        assert!(lines[4].starts_with('/') && lines[4] != "/elsewhere", "{}", lines[4]);

        // A program from the working directory.
        folder.file("inner/program", "#!/bin/sh\necho done in $PWD\n");
        fs::set_permissions(folder.path("inner/program"), fs::Permissions::from_mode(0o755)).unwrap();
        job.argv = vec![Argument::Text("./program".into())];
        job.stdin = Stdin::Nothing;
        assert_eq!(folder.succeeds(executor, &job).1, format!("done in {inner}\n"));
    });
}

#[test]
fn a_job_that_is_long_about_to_execute_its_program_holds_nothing_unseen() {
    let interrupt = Interrupt::never().unwrap();
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        let executor = LocalExecutor::new(&interrupt, mode).unwrap();
        let folder = Folder::new();
        let program = folder.path("program");
        fs::copy(crate::sandbox::find("sh".as_ref(), &inherited("PATH").unwrap()).unwrap(), &program).unwrap();
        let mut job = folder.shell("echo done");
        job.argv[0] = Argument::Text(program.display().to_string());
        // Less than the copy of its supervisor has.
        job.limits.memory_bytes = Some(4 << 20);
        let begin = || {
            // The kernel executes no program that is open for writing, and the process tries again for a second.
            let open = fs::File::options().append(true).open(&program).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(700));
                    drop(open);
                });
                executor.execute(&job).unwrap().end
            })
        };
        // This thread may be late on a busy machine.
        let end = (0..10).map(|_| begin()).find(|end| !matches!(end, End::JudgeError { .. }));
        assert_eq!(end, Some(End::Exited { code: 0 }), "{}", executor.isolation());
    }
}

#[test]
fn a_process_that_has_ended_does_not_make_shared_memory_count_for_each_process() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // 20 shells share 8 MB. One more leaves a zombie.
        let mut job = folder.shell(
            "x=$(head -c 8000000 /dev/zero | tr '\\0' a)\n\
             for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do (sleep 1; test $n) & done\n\
             (: & exec sleep 1) &\n\
             wait",
        );
        job.limits.memory_bytes = Some(80 << 20);
        folder.succeeds(executor, &job);
    });
}

#[test]
fn what_a_job_leaves_running_is_ended_and_counted() {
    let interrupt = Interrupt::never().unwrap();
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        let folder = Folder::new();
        let executor = LocalExecutor::new(&interrupt, mode).unwrap();
        for (script, note) in [
            ("echo done", None),
            ("sleep 1000 & echo done", Some("it left 1 process running, which the judge ended")),
            ("sleep 1000 & sleep 1000 & echo done", Some("it left 2 processes running, which the judge ended")),
        ] {
            let (outcome, _) = folder.succeeds(&executor, &folder.shell(script));
            let found = outcome.notes.iter().find(|found| found.starts_with("it left"));
            assert_eq!(found.map(String::as_str), note, "{}: {outcome:?}", executor.isolation());
        }
    }
}

#[test]
fn a_job_is_stopped_alone() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let signs = folder.folder("signs");
        let job = |out: &str, script: String| {
            let mut job = folder.shell(&script);
            job.readable = vec![signs.clone().into()];
            job.stdout = folder.path(out);
            job
        };
        let endless = job("endless", "echo begun; exec sleep 1000".into());
        let sign = signs.join("stopped").display().to_string();
        let other = job("other", format!("until test -e {sign}; do sleep 0.01; done; echo done"));
        let stop = StopFlag::default();
        std::thread::scope(|scope| {
            let stopped = scope.spawn(|| executor.execute_until(&endless, &stop));
            let other = scope.spawn(|| executor.execute_until(&other, &StopFlag::default()));
            while fs::read_to_string(&endless.stdout).unwrap_or_default() != "begun\n" {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.request();
            assert_eq!(stopped.join().unwrap(), Err(Interrupted));
            folder.file("signs/stopped", "");
            assert_eq!(other.join().unwrap().unwrap().end, End::Exited { code: 0 });
        });
        assert_eq!(folder.read("other"), "done\n");
    });
}

#[test]
#[ignore = "deep: siege"]
fn a_job_makes_only_so_many_files_however_small_they_are() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // If the judge has to scan for it, it needs a moment, for which the job waits. `touch` may create files whose times
        // it may not set.
        let script = format!("seq 0 {SCRATCH_FILES} | xargs touch 2>/dev/null; exec sleep 500");
        let mut job = folder.shell(&script);
        (job.limits.scratch_bytes, job.limits.wall_ms) = (Some(1 << 40), 600_000);
        let outcome = executor.execute(&job).unwrap();
        assert_eq!(outcome.end, End::ScratchFull, "{}: {outcome:?}", executor.isolation());
    });
}

#[test]
fn input_that_could_make_the_judge_wait_is_refused() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let pipe = folder.path("pipe");
        let mode = rustix::fs::Mode::RUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        for (input, why) in [(pipe, "pipe: not a regular file"), (folder.path("missing"), "missing: No such file")] {
            let outcome = executor.execute(&folder.shell("cat").with_stdin(input)).unwrap();
            assert!(matches!(&outcome.end, End::JudgeError { reason } if reason.contains(why)), "{outcome:?}");
        }
    });
}

#[test]
fn wanted_files_come_back_unless_they_are_links() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let secret = folder.file("secret", "of the organiser");
        let script = format!(
            "cd $TMPDIR; echo result > result; ln -s {} link; ln {0} hard 2>/dev/null; mkfifo pipe; \
             head -c 1000 /dev/zero > long; echo changed > $0; exit 3",
            secret.display()
        );
        let wanted = |name: &str| WantedFile { name: name.into(), cap: 100, to: folder.path(&format!("to-{name}")) };
        let mut job = folder.shell(&script).with_file_argument("placed", "as it was");
        job.wanted = ["result", "link", "pipe", "long", "placed", "missing"].map(wanted).into();
        let outcome = executor.execute(&job).unwrap();
        // Wanted files are fetched however the job ended.
        assert_eq!(outcome.end, End::Exited { code: 3 }, "{}", folder.read("err"));
        assert_eq!(folder.read("to-result"), "result\n");
        assert_eq!(folder.read("to-placed"), "changed\n");
        assert_eq!(folder.read("to-long").len(), 100);
        for name in ["to-link", "to-pipe", "to-missing"] {
            assert!(!folder.path(name).exists(), "{name}");
        }
        let notes = outcome.notes.join("\n");
        for note in
            ["\"link\" was not fetched: it is a link", "\"pipe\" was not", "first 100 bytes of its file \"long\""]
        {
            assert!(notes.contains(note), "{notes}");
        }
    });
}

#[test]
fn copies_hide_their_originals() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        folder.folder("secret");
        let large = "0123456789".repeat(100_000);
        let original = folder.file("secret/answer-of-somebody", &large);
        let empty = folder.file("secret/empty", "");
        let to = folder.folder("to");
        let script = "cmp \"$1\" \"$2\"; cat \"$3\"; echo \"$1 $4\" >\"$4\"left; wc -c <\"$1\"; ls -a \"$4\"; echo more >>\"$1\"";
        let mut job = folder.shell(script);
        job.argv.push(Argument::Text("sh".into()));
        job = job.with_copied_argument("answer", &original).with_copied_argument("again", &original);
        job = job.with_copied_argument("nothing", &empty).with_folder_argument("out");
        job.wanted_folders.push(WantedFolder { name: "out".into(), cap: 1000, files: 5, to: to.clone() });
        let (_, printed) = folder.succeeds(executor, &job);
        assert_eq!(printed.split_whitespace().collect::<Vec<_>>(), ["1000000", ".", "..", "left"]);
        let left = fs::read_to_string(to.join("left")).unwrap();
        let (answer, out) = left.trim().split_once(' ').unwrap();
        assert!(answer.ends_with("/answer") && out.ends_with("/out/"), "{left}");
        assert!(!left.contains("secret"), "{left}");
        // The copy is the job's own.
        assert_eq!(fs::read_to_string(&original).unwrap(), large);
        let device = folder.shell("").with_copy("x", "/dev/zero");
        let outcome = executor.execute(&device).unwrap();
        assert!(matches!(outcome.end, End::JudgeError { ref reason } if reason.contains("not a regular file")));
    });
}

#[test]
fn copies_can_be_in_folders_that_belong_to_the_job() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let to = folder.folder("to");
        let kept = folder.file("kept", "kept\n");
        let mut job = folder.shell("cat \"$1\"old; echo more >>\"$1\"old; echo new >\"$1\"new; rm \"$1\"gone");
        job.argv.push(Argument::Text("sh".into()));
        job = job.with_folder_argument("out").with_copy("out/old", &kept).with_copy("out/gone", &kept);
        job.wanted_folders.push(WantedFolder { name: "out".into(), cap: 1000, files: 5, to: to.clone() });
        assert_eq!(folder.succeeds(executor, &job).1, "kept\n");
        let mut names: Vec<_> = fs::read_dir(&to).unwrap().map(|item| item.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["new", "old"]);
        assert_eq!(fs::read_to_string(to.join("old")).unwrap(), "kept\nmore\n");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "kept\n");
        for name in ["other/old", "out/../old", "out/", "out/a/b", "/out/old"] {
            let outcome =
                executor.execute(&folder.shell("").with_folder_argument("out").with_copy(name, &kept)).unwrap();
            assert!(
                matches!(outcome.end, End::JudgeError { ref reason } if reason.contains("invalid file name")),
                "{name}"
            );
        }
    });
}

#[test]
fn a_job_only_reads_linked_files() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let inner = folder.folder("program");
        folder.folder("program/more");
        let (table, deeper) =
            (folder.file("program/table", "a table\n"), folder.file("program/more/deeper", "deeper\n"));
        let hidden = folder.file("hidden", "hidden\n");
        let link = |name: &str, to: PathBuf| Link { name: name.into(), to };
        let mut job =
            folder.shell("cat table more/deeper; echo new >own; cat own; cat nothing 2>&-; echo more >>table; :");
        job.links = vec![link("table", table.clone()), link("more", inner.join("more")), link("nothing", hidden)];
        job.readable = vec![inner.into()];
        let (_, printed) = folder.succeeds(executor, &job);
        let walls = executor.isolation().tier >= Tier::Landlock;
        assert_eq!(printed, if walls { "a table\ndeeper\nnew\n" } else { "a table\ndeeper\nnew\nhidden\n" });
        assert_eq!(fs::read_to_string(&table).unwrap() == "a table\n", walls);
        assert_eq!(fs::read_to_string(&deeper).unwrap(), "deeper\n");
        let mut path = folder.shell("");
        path.links = vec![link("a/b", table)];
        let outcome = executor.execute(&path).unwrap();
        assert!(matches!(outcome.end, End::JudgeError { ref reason } if reason.contains("invalid file name")));
    });
}

#[test]
fn placed_files_have_names_instead_of_paths() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let names = ["-e", "a b", "\u{fc}\n\"'$x", ".hidden", &"n".repeat(255)];
        let mut job = folder.shell("for file; do cat \"$file\"; done");
        job.argv.push(Argument::Text("sh".into()));
        for name in names {
            job = job.with_file_argument(name, format!("{} bytes\n", name.len()));
        }
        let expected: String = names.map(|name| format!("{} bytes\n", name.len())).concat();
        assert_eq!(folder.succeeds(executor, &job).1, expected);
        for name in ["", ".", "..", "a/b", "/etc/x", "a\0b"] {
            let placed = PlacedFile { name: name.into(), contents: Vec::new() };
            let wanted = WantedFile { name: name.into(), cap: 1, to: folder.path("to") };
            for job in [
                folder.shell("true").with_file(placed.name.clone(), placed.contents.clone()),
                folder.shell("true").with_wanted(wanted.name, wanted.cap, wanted.to),
            ] {
                let outcome = executor.execute(&job).unwrap();
                let refused =
                    matches!(&outcome.end, End::JudgeError { reason } if reason.starts_with("invalid file name"));
                assert!(refused, "{outcome:?}");
            }
        }
    });
}

/// A 32-bit program for x86 that exits with code 0: a header, one segment, `mov eax, 1; xor ebx, ebx; int 0x80`.
#[cfg(target_arch = "x86_64")]
const OTHER_ARCHITECTURE: &[u8] =
    b"\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x03\x00\x01\x00\x00\x00\
    \x54\x80\x04\x08\x34\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x34\x00\x20\x00\x01\x00\x00\x00\x00\x00\x00\x00\
    \x01\x00\x00\x00\x00\x00\x00\x00\x00\x80\x04\x08\x00\x80\x04\x08\x5d\x00\x00\x00\x5d\x00\x00\x00\x05\x00\x00\x00\
    \x00\x10\x00\x00\xb8\x01\x00\x00\x00\x31\xdb\xcd\x80";

#[test]
#[cfg(target_arch = "x86_64")]
fn the_filter_says_why_it_ends_a_program_of_another_architecture() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        fs::write(folder.path("program"), OTHER_ARCHITECTURE).unwrap();
        fs::set_permissions(folder.path("program"), fs::Permissions::from_mode(0o755)).unwrap();
        let argv = vec![Argument::Text(folder.path("program").display().to_string())];
        let mut job = folder.shell("");
        job.argv = argv;
        let outcome = executor.execute(&job).unwrap();
        let notes = outcome.notes.join("\n");
        match outcome.end {
            End::Signalled { signal: 31 } => assert!(
                notes.contains("it is a 32-bit program") && notes.contains("another architecture than x86_64"),
                "{notes}"
            ),
            // Without a filter it works, if the kernel supports 32-bit programs.
            End::Exited { code: 0 } => assert!(!executor.sandbox.has_filter()),
            End::CouldNotStart { .. } => {}
            end => panic!("{end:?}"),
        }
    });
}

#[test]
fn nothing_that_the_judge_ignores_or_blocks_reaches_a_job() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let job = folder.shell("grep -E '^Sig(Blk|Ign)' /proc/self/status");
        let (_, printed) = folder.succeeds(executor, &job);
        let masks: Vec<&str> = printed.split_whitespace().filter(|word| !word.starts_with("Sig")).collect();
        assert_eq!(masks, ["0000000000000000"; 2], "{printed}");
    });
}

#[test]
#[ignore = "deep: siege"]
fn all_of_this_holds_in_a_hostile_shell() {
    let tests = std::env::current_exe().unwrap();
    if inherited("JUDGE_SANDBOX_INNER").is_some() {
        return;
    }
    let script = "trap '' HUP INT QUIT TERM CHLD PIPE USR1 TSTP TTIN TTOU; ulimit -n 64; ulimit -s 1024; ulimit -c 0; \
                  exec \"$0\" --test-threads 1 local::tests::a_job local::tests::folders local::tests::nothing local::tests::wanted";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(tests).env("JUDGE_SANDBOX_INNER", "1");
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && printed.contains("nothing_that_the_judge_ignores"), "{printed}");
}

#[test]
#[ignore = "deep: siege"]
fn all_of_this_holds_for_an_ordinary_user() {
    const NOBODY: u32 = 65534;
    if !geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    chown(folder.path(""), Some(NOBODY), Some(NOBODY)).unwrap();
    let tests = folder.path("tests");
    // Another process copies: a child of another test would hold the open file for a moment, which could not be executed.
    assert!(Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&tests).status().unwrap().success());
    let mut command = Command::new(&tests);
    command.args(["local::tests::", "zygote::tests::", "--test-threads", "2"]).current_dir(folder.path(""));
    command.env("TMPDIR", folder.path("")).env("HOME", folder.path("")).uid(NOBODY).gid(NOBODY);
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && printed.contains("wanted_files_come_back"), "{printed}");
    assert!(printed.contains("a_zygote_keeps_nothing_of_the_judge"), "{printed}");
}
