//! Results that cannot be written: a disk that is read-only or full, and a folder of another user. The command ends with
//! exit code 3 and names the file, and the record stays as it was.

use std::process::Output;
use std::sync::LazyLock;

use crate::referees::external;
use crate::support::*;

/// A contest whose results are in `out`, with another referee since.
fn results() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        let right = ("right", "echo 42");
        external(&folder, "protocol = \"exit\"", "grep -q 42 \"$2\"", &[("A", "x")], &[right]);
        folder.judge(["run", "--out", "out"]).exits(0);
        folder.script("referee/referee", "exit 0");
        Made::of(&folder)
    });
    MADE.folder()
}

/// Commands that write to the results, with what each says. A new folder could have another name, so a permission that is
/// missing there is a fault of the command line.
fn commands(reason: &str) -> Vec<(&'static [&'static str], String)> {
    let journal = format!("judge: out/journal.jsonl: {reason}");
    let rule: &[&str] = &["rule", "out", "right", "A", "wrong", "--because", "x"];
    vec![
        (rule, journal.clone()),
        (&["rejudge", "out"], journal.clone()),
        (&["resume", "out", "--rejudge"], journal.clone()),
        (&["update", "out", "--rejudge"], journal),
        (&["report", "out"], format!("judge: out/report.html: {reason}")),
        (&["run", "--out", "out/new"], format!("judge: out/new: {reason}")),
        (&["restore", "out", "right", "-o", "out/new"], format!("judge: out/new: {reason}")),
    ]
}

/// Has each command fail, and checks that the record is the same and can be read.
fn all_fail(reason: &str, in_new_folder: i32, judge: impl Fn(&Folder, &[&str]) -> Output) {
    let folder = results();
    let journal = folder.read("out/journal.jsonl");
    for (args, message) in commands(reason) {
        let output = judge(&folder, args);
        let reply = String::from_utf8(output.stderr).unwrap();
        let code = if message.contains("out/new") { in_new_folder } else { 3 };
        assert_eq!(output.status.code(), Some(code), "{args:?}: {reply}");
        assert!(reply.contains(&message), "{args:?}: {reply}");
    }
    assert_eq!(folder.read("out/journal.jsonl"), journal);
    for args in
        [&["rank", "out"][..], &["verify", "out"], &["replay", "out", "right", "A"], &["rejudge", "out", "--dry-run"]]
    {
        let output = judge(&folder, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn on_a_read_only_disk_everything_can_be_read() {
    let inside = r#"mount --bind out out && mount -o remount,ro,bind out && exec "$@""#;
    let judge = |folder: &Folder, args: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["-r", "-m", "sh", "-c", inside, "sh", env!("CARGO_BIN_EXE_judge")]).args(args);
        command.current_dir(folder.path()).output().unwrap()
    };
    let probe = Folder::new();
    std::fs::create_dir(probe.path().join("out")).unwrap();
    let mut unshare = Command::new("unshare");
    unshare.args(["-r", "-m", "sh", "-c", inside, "sh", "true"]).current_dir(probe.path());
    if !unshare.output().is_ok_and(|output| output.status.success()) {
        return;
    }
    all_fail("Read-only file system", 3, judge);
}

#[test]
fn in_a_folder_of_another_user_everything_can_be_read() {
    let judge = |folder: &Folder, args: &[&str]| {
        let mode = |path: &str, mode| {
            std::fs::set_permissions(folder.path().join(path), std::fs::Permissions::from_mode(mode)).unwrap();
        };
        // Root can write everywhere, so another user tries.
        let root = rustix::process::geteuid().is_root();
        let (folder_mode, file_mode) = if root { (0o755, 0o644) } else { (0o555, 0o444) };
        mode("", 0o755);
        mode("out", folder_mode);
        mode("out/journal.jsonl", file_mode);
        let mut command = folder.command(args.iter().copied());
        if root {
            command.uid(65_534).gid(65_534);
        }
        let output = command.output().unwrap();
        mode("out", 0o755);
        output
    };
    all_fail("Permission denied", 2, judge);
}

#[test]
fn on_a_full_disk_a_ruling_by_hand_leaves_the_record_as_it_was() {
    let folder = results();
    let judge = env!("CARGO_BIN_EXE_judge");
    // No file may grow beyond 512 bytes, and the journal is longer.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec '{judge}' \"$@\"");
    let rule = ["rule", "out", "right", "A", "wrong", "--because", "x"];
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).args(rule).current_dir(folder.path());
    let journal = folder.read("out/journal.jsonl");
    assert!(journal.len() > 1024);
    let output = shell.output().unwrap();
    let reply = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{reply}");
    assert!(reply.contains("judge: out/journal.jsonl: File too large"), "{reply}");
    assert_eq!(folder.read("out/journal.jsonl"), journal);
    folder.judge(rule).exits(0);
}
