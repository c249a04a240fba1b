//! Messages between entries: those that `docs/threats.md` does not promise to be impossible are shown, so that the document
//! says neither too much nor too little; what one might hope to leave in the file that all entries read; and whom the kernel
//! kills first when memory runs out.

#![allow(clippy::disallowed_macros, reason = "a test says what could not be shown")]

use crate::support::*;

/// A user without any rights.
const NOBODY: u32 = 65531;

/// A contest that an ordinary user could run as well.
fn prepared(head: &str, entries: &str) -> Folder {
    let folder = Folder::new();
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    let text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", &format!("limit = \"1m\"\n{head}"));
    folder.file("contest.toml", text + entries);
    folder.open_to_all(&["rogue"]);
    folder
}

/// The command that runs it, as root or as a user without rights.
fn judge(folder: &Folder, user: bool, isolation: &str) -> std::process::Command {
    let user = (user && rustix::process::geteuid().is_root()).then_some(NOBODY);
    folder.judge_as(user, &["run", "--format", "json", "--isolation", isolation])
}

/// Runs it: the document, and standard error of an entry.
fn run(folder: &Folder, user: bool, isolation: &str, jobs: &str) -> (Value, impl Fn(&str) -> String) {
    let out = format!("out/{isolation}-{user}");
    let output = judge(folder, user, isolation).args(["--jobs", jobs, "--out", &out]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let folder = folder.path().join(out);
    let printed = move |entry: &str| {
        fs::read_to_string(folder.join("output/1").join(entry).join("NEAR.1.err")).unwrap_or_default()
    };
    (document, printed)
}

fn cell<'a>(document: &'a Value, entry: &str) -> &'a str {
    let row = document["entries"].as_array().unwrap().iter().find(|row| row["entry"] == entry).unwrap();
    row["runs"][0]["cell"].as_str().unwrap()
}

/// Everything in `docs/threats.md` that is not promised, in one line.
fn not_promised() -> String {
    let text = fs::read_to_string(project().join("docs/threats.md")).unwrap();
    let (_, list) = text.split_once("\n## What is not promised\n").unwrap();
    list.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn two_runs_at_a_time_can_wake_each_other_as_the_list_says() {
    let listed = not_promised();
    contains(&listed, ["can wake each other by a shared futex", "`--jobs 1` closes"]);
    let entries = entry("waits", &["./rogue", "wait-on-futex"]) + &entry("wakes", &["./rogue", "wake-futex"]);
    let folder = prepared("cores = 1", &entries);
    for isolation in ["auto", "landlock"] {
        let (document, _) = run(&folder, false, isolation, "2");
        let [waits, wakes] = ["waits", "wakes"].map(|name| cell(&document, name));
        // Who was woken was woken by the other.
        assert_eq!(waits, wakes, "{isolation}");
        match waits {
            "0/ILL" => {}
            "25/4" => eprintln!("{isolation}: it could not be shown on this kernel"),
            other => panic!("{isolation}: {other}"),
        }
    }
}

#[test]
fn a_run_can_leave_a_message_in_what_it_read_as_the_list_says() {
    const MESSAGE: &str = "1011001110001011";
    let listed = not_promised();
    assert!(listed.contains("`ru_majflt`") && listed.contains("A run can leave a message to a later one"), "{listed}");
    // Files that every entry may read, and that no other test does.
    let mut files: Vec<_> = ["/usr/share/doc", "/usr/lib", "/usr/share", "/usr/include", "/usr/bin", "/usr/sbin"]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path()))
        .filter(|path| fs::symlink_metadata(path).is_ok_and(|file| file.is_file() && file.len() > 4096))
        .collect();
    files.sort();
    files.truncate(MESSAGE.len());
    assert_eq!(files.len(), MESSAGE.len());
    let named = |args: &[&std::path::PathBuf]| args.iter().map(|file| format!("file:{}", file.display())).collect();
    let all: Vec<String> = named(&files.iter().collect::<Vec<_>>());
    // A file that is read gives no fault later: that is a 0.
    let sent: Vec<_> = files.iter().zip(MESSAGE.chars()).filter(|(_, bit)| *bit == '0').map(|(file, _)| file).collect();
    let sent: Vec<String> = named(&sent);
    let command = |misdeed: &'static str, files: &[String]| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        entry(misdeed, &[&["./rogue", misdeed], &files[..]].concat())
    };
    let folder = prepared("", &(command("read-files", &sent) + &command("count-faults", &all)));
    for isolation in ["auto", "landlock"] {
        for file in &files {
            let file = fs::File::open(file).unwrap();
            rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
        }
        let (document, printed) = run(&folder, false, isolation, "1");
        assert_eq!(["read-files", "count-faults"].map(|name| cell(&document, name)), ["25/4"; 2], "{isolation}");
        let received = printed("count-faults");
        assert_eq!(received.trim().len(), MESSAGE.len(), "{isolation}: {received}");
        if received.trim() != MESSAGE {
            eprintln!("{isolation}: it could not be shown on this system: {MESSAGE} arrived as {received}");
        }
    }
}

#[test]
fn the_file_that_is_an_entrys_standard_input_cannot_be_changed() {
    let entries = entry("changes", &["./rogue", "change-input"])
        + &entry("reads", &["/bin/sh", "-c", "read line; test \"$line\" = ABCDE && echo lluu"]);
    let folder = prepared("input = \"stdin\"", &entries);
    for user in [false, true] {
        for isolation in ["auto", "landlock"] {
            let (document, printed) = run(&folder, user, isolation, "1");
            if document["isolation"][0].as_str().unwrap().starts_with("process_group") {
                continue;
            }
            assert_eq!(cell(&document, "changes"), "25/4", "{isolation}, {user}: {}", printed("changes"));
            assert_eq!(cell(&document, "reads"), "25/4", "{isolation}, {user}");
        }
    }
}

#[test]
fn entries_are_killed_before_the_judge_when_memory_runs_out() {
    let entries = entry("shows", &["/bin/sh", "-c", "cat /proc/self/oom_score_adj >&2; echo lluu"]);
    let folder = prepared("", &entries);
    for user in [false, true] {
        for isolation in ["auto", "landlock", "off"] {
            let (document, printed) = run(&folder, user, isolation, "1");
            assert_eq!(cell(&document, "shows"), "25/4", "{isolation}, {user}");
            assert_eq!(printed("shows"), "1000\n", "{isolation}, {user}");
        }
    }
}

/// A process that lives until this is dropped.
struct Named(std::process::Child);

impl Drop for Named {
    fn drop(&mut self) {
        // Nothing can be done about an error here.
        self.0.kill().and_then(|()| self.0.wait()).ok();
    }
}

#[test]
fn no_process_shows_an_entry_the_folder_that_its_judge_was_started_in() {
    use std::os::unix::fs::PermissionsExt as _;
    // Each name with a letter in brackets, so that the entry does not find its own command.
    let (secret, control) = (format!("cellar-{}", std::process::id()), format!("attic-{}", std::process::id()));
    let (secret_found, control_found) = (secret.replacen('c', "[c]", 1), control.replacen('a', "[a]", 1));
    let files = ["cmdline", "environ", "maps", "mountinfo", "status", "comm", "cgroup", "stat", "net/unix", "auxv"];
    let files = files.map(|file| format!("/proc/[0-9]*/{file}")).join(" ");
    let looks = format!(
        "for name in '{secret_found}' '{control_found}'; do grep -aoh \"$name\" {files} /proc/locks /proc/mounts; done;\
         ls -l /proc/[0-9]*/cwd /proc/[0-9]*/root /proc/[0-9]*/exe /proc/[0-9]*/fd | grep -o '{secret_found}'; env | grep -o '{secret_found}'"
    );
    let folder =
        prepared("", &entry("looks", &["/bin/sh", "-c", &format!("({looks}) 3>&2 2>/dev/null >&3; echo lluu")]));
    let _named = Named(std::process::Command::new("sleep").arg0(&control).arg("1000").spawn().unwrap());
    let cellar = folder.path().join(&secret);
    fs::create_dir(&cellar).unwrap();
    fs::set_permissions(&cellar, fs::Permissions::from_mode(0o777)).unwrap();
    for user in [false, true] {
        for isolation in ["auto", "landlock"] {
            let mut command = judge(&folder, user, isolation);
            let output = command.current_dir(&cellar).arg("../contest.toml").output().unwrap();
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(cell(&document, "looks"), "25/4", "{isolation}, {user}");
            let results = cellar.join("runs");
            // Under Landlock its name has random letters.
            let made = fs::read_dir(&results).unwrap().next().unwrap().unwrap().path();
            let found = fs::read_to_string(made.join("output/1/looks/NEAR.1.err")).unwrap();
            fs::remove_dir_all(results).unwrap();
            assert!(!found.contains(&secret), "{isolation}, {user}: {found}");
            // Under Landlock the entry sees what others run, so that it has looked.
            let tier = document["isolation"][0].as_str().unwrap();
            assert!(!tier.starts_with("landlock") || found.contains(&control), "{isolation}, {user}: {found}");
        }
    }
}
