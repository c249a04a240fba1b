//! Misbehaving entries: the verdict that each must get in every tier, for root and for an ordinary user, while an honest
//! entry runs at the same time. Nothing may be left afterwards.

use std::os::unix::net::{UnixDatagram, UnixListener};

use crate::support::*;

/// The expected result of an entry.
#[derive(Clone, Copy)]
enum ExpectedCell {
    /// This result, with and without a sandbox.
    Everywhere(&'static str),
    /// The first in a sandbox, the second in a process group alone, where nothing stops it.
    Sandboxed(&'static str, &'static str),
    /// This in a sandbox. In a process group alone it would harm the machine, so it does not run there.
    OnlySandboxed(&'static str),
    /// The first in a private root, the second elsewhere.
    Rooted(&'static str, &'static str),
    /// The first in a private root, the second in another sandbox. In a process group alone nothing keeps it from
    /// hiding, so it does not run there.
    RootedOrLandlock(&'static str, &'static str),
    /// The first where a control group counts memory or nothing refuses to give it, the second in a sandbox without one.
    Counted(&'static str, &'static str),
    /// As [`Self::Counted`], but it does not run in a process group alone.
    CountedOrRefused(&'static str, &'static str),
    /// The first in its own root, or if the judge is root; the second elsewhere, where nothing of it is promised.
    Seen(&'static str, &'static str),
}
use ExpectedCell::{Counted, CountedOrRefused, Everywhere, OnlySandboxed, Rooted, RootedOrLandlock, Sandboxed, Seen};

/// Name, arguments of `rogue` (`FOLDER` is the contest's, and its files as `file:…`, for a path alone would be shown to it), its cell on near-end-1, what its fault or note must say.
const ROGUES: &[(&str, &[&str], ExpectedCell, &str)] = &rows! {
    ("honest", &["answer", "lluu"], Everywhere("25/4"), ""),
    ("spaced", &["answer", " l\tl\r\nu u\n\n"], Everywhere("25/4"), ""),
    ("late", &["answer-after", "100", "lluu"], Everywhere("25/4"), ""),
    ("beside-zombies", &["answer-beside-zombies", "lluu"], Everywhere("25/4"), ""),
    // What it prints.
    ("nothing", &["nothing"], Everywhere("20/0"), "progress 20 of 25, moves 0"),
    ("short", &["answer", "ll"], Everywhere("22/2"), "stops short of the goal: progress 22 of 25, moves 2"),
    ("illegal", &["answer", "lluuu"], Everywhere("0/ILL"), "illegal move 5 `u`: no tile is below the empty spot"),
    ("binary", &["binary"], Everywhere("0/ILL"), "illegal move 1 `\\x00`"),
    ("nul", &["nul-after-answer", "lluu"], Everywhere("0/ILL"), "illegal move 5 `\\x00`"),
    ("forge", &["forge"], Everywhere("21/1"), "stops short of the goal: progress 21 of 25, moves 1"),
    ("flood-stdout", &["flood-stdout"], Everywhere("0/OUT"), "more on standard output than the contest allows"),
    ("endless-line", &["endless-line"], Everywhere("0/OUT"), "more on standard output than the contest allows"),
    ("blanks", &["blanks-after-answer", "lluu"], Everywhere("0/OUT"), "more on standard output"),
    ("flood-stderr", &["flood-stderr", "lluu"], Everywhere("25/4"), ""),
    ("endless-stderr", &["endless-stderr"], Everywhere("0/TIM"), "still running at the limit"),
    ("steal-stderr", &["steal-stderr"], Everywhere("0/TIM"), "still running at the limit"),
    ("flood-by-copies", &["flood-by-copies"], Everywhere("0/OUT"), "more on standard output than the contest allows"),
    ("stdin", &["read-stdin"], Everywhere("20/0"), "progress 20 of 25, moves 0"),
    // How it ends.
    ("exit-3", &["exit", "3"], Everywhere("0/CRA"), "crashed with exit code 3"),
    ("solved-but-exit-1", &["answer-and-exit", "lluu", "1"], Everywhere("0/CRA"), "crashed with exit code 1"),
    ("abort", &["signal", "ABRT"], Everywhere("0/CRA"), "crashed with signal 6 (SIGABRT)"),
    ("kill-self", &["signal", "KILL"], Everywhere("0/CRA"), "crashed with signal 9 (SIGKILL)"),
    ("stop-self", &["signal", "STOP"], Everywhere("0/TIM"), "still running at the limit"),
    ("sleep", &["sleep"], Everywhere("0/TIM"), "still running at the limit"),
    ("spin", &["spin"], Everywhere("0/TIM"), "still running at the limit"),
    ("stopped-over-the-limit", &["stopped-over-the-limit", "lluu"], Everywhere("0/TIM"), "still running at the limit"),
    ("ignore-term", &["ignore-term"], Everywhere("0/TIM"), "still running at the limit"),
    ("catch-all", &["catch-all-and-spin"], Everywhere("0/TIM"), "still running at the limit"),
    ("answer-on-term", &["answer-on-term", "lluu"], Everywhere("0/TIM"), "still running at the limit"),
    // What it takes.
    ("spin-threads", &["spin-threads"], Everywhere("0/CPU"), "more CPU time than the contest allows"),
    ("memory-by-steps", &["memory-by-steps"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-at-once", &["memory-at-once"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-on-the-stack", &["memory-on-the-stack"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-by-family", &["memory-by-family"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-in-memfd", &["memory-in-memfd"], Counted("0/MEM", "25/4"), ""),
    ("memory-in-closed-memfd", &["memory-in-closed-memfd"], Counted("0/MEM", "25/4"), ""),
    ("memory-given-back", &["memory-given-back"], Counted("0/MEM", "25/4"), ""),
    ("memory-behind-ended-thread", &["memory-behind-ended-thread"], Everywhere("0/MEM"), "more memory than the contest"),
    ("memory-of-own-table", &["memory-of-own-table"], OnlySandboxed("25/4"), ""),
    ("memory-in-flight", &["memory-in-flight"], CountedOrRefused("0/MEM", "25/4"), ""),
    ("memory-of-one-page", &["memory-of-one-page"], CountedOrRefused("0/MEM", "25/4"), ""),
    ("memory-cut-to-a-page", &["memory-cut-to-a-page"], OnlySandboxed("0/MEM"), "more memory than the contest allows"),
    ("memory-of-zeroes", &["memory-of-zeroes"], CountedOrRefused("0/MEM", "25/4"), ""),
    ("memory-in-page-tables", &["memory-in-page-tables"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-in-mappings", &["memory-in-mappings"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-of-closed-program", &["memory-of-closed-program"], OnlySandboxed("0/MEM"), "more memory than the contest allows"),
    ("memory-of-closed-thread", &["memory-of-closed-thread"], OnlySandboxed("0/MEM"), "more memory than the contest allows"),
    ("memory-of-stacks", &["memory-of-stacks"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-of-copies", &["memory-of-copies"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("memory-that-moves", &["memory-that-moves"], Everywhere("0/MEM"), "more memory than the contest allows"),
    ("spin-in-kernel", &["spin-in-kernel"], Everywhere("0/CPU"), "more CPU time than the contest allows"),
    ("spin-in-children", &["spin-in-children"], Everywhere("0/CPU"), "more CPU time than the contest allows"),
    ("threads-behind-ended-thread", &["threads-behind-ended-thread"], Everywhere("0/PRO"), "more processes and threads"),
    ("vfork-chain", &["vfork-chain"], Everywhere("0/PRO"), "more processes and threads at a time"),
    ("zombie-bomb", &["zombie-bomb"], Everywhere("0/PRO"), "more processes and threads at a time"),
    ("thread-bomb", &["thread-bomb"], Everywhere("0/PRO"), "more processes and threads at a time"),
    ("shell-bomb", &["shell-bomb"], Everywhere("0/PRO"), "more processes and threads at a time"),
    ("fork-bomb", &["fork-bomb"], Everywhere("0/PRO"), "more processes and threads at a time"),
    ("setsid-bomb", &["setsid-bomb"], Everywhere("0/PRO"), "more processes and threads at a time"),
    ("one-large-file", &["one-large-file"], Everywhere("0/SCR"), "more files in its scratch directory"),
    ("many-files", &["many-files"], Everywhere("0/SCR"), "more files in its scratch directory"),
    ("moving-files", &["moving-files"], Everywhere("0/SCR"), "more files in its scratch directory"),
    ("unlinked-files", &["unlinked-files"], Everywhere("0/SCR"), "more files in its scratch directory"),
    ("closed-folder", &["closed-folder"], Everywhere("0/SCR"), "more files in its scratch directory"),
    ("closed-from-birth", &["closed-from-birth"], Everywhere("0/SCR"), "more files in its scratch directory"),
    ("removed-and-mapped", &["removed-and-mapped"], Seen("0/SCR", "0/TIM"), ""),
    ("removed-in-flight", &["removed-in-flight"], RootedOrLandlock("0/SCR", "25/4"), ""),
    ("removed-in-rule", &["removed-in-rule"], OnlySandboxed("25/4"), ""),
    // What it leaves behind.
    ("child-holds-pipe", &["child-holds-pipe", "lluu"], Everywhere("25/4"), "it left 1 process running"),
    ("leave-sleepers", &["leave-sleepers", "lluu"], Everywhere("25/4"), "it left 100 processes running"),
    ("leave-spinners", &["leave-spinners", "lluu"], Everywhere("25/4"), "it left 30 processes running"),
    ("tree-of-seven", &["tree-of-seven"], Everywhere("0/TIM"), "still running at the limit"),
    ("lock-scratch", &["lock-scratch", "lluu"], Everywhere("25/4"), ""),
    ("deep-folders", &["deep-folders", "lluu"], Everywhere("25/4"), ""),
    ("leave-mark", &["leave-mark"], OnlySandboxed("25/4"), ""),
    ("leave-mark-again", &["leave-mark"], OnlySandboxed("25/4"), ""),
    ("lower-core-limit", &["lower-core-limit"], OnlySandboxed("25/4"), ""),
    ("make-device", &["make-device"], OnlySandboxed("25/4"), ""),
    ("set-id", &["set-id"], Sandboxed("25/4", "0/ILL"), ""),
    ("ipc", &["ipc"], Sandboxed("25/4", "0/ILL"), ""),
    ("device-times", &["device-times"], OnlySandboxed("25/4"), ""),
    ("change-input", &["change-input"], OnlySandboxed("25/4"), ""),
    ("keep-keys", &["keep-keys"], OnlySandboxed("25/4"), ""),
    // Whom it reaches.
    ("limit-judge", &["limit-judge"], OnlySandboxed("25/4"), ""),
    ("starve-parent", &["starve-parent"], OnlySandboxed("25/4"), "it left 1 process running"),
    ("change-attributes", &["change-attributes", "file:FOLDER/victim"], Sandboxed("25/4", "0/ILL"), ""),
    ("connect", &["connect", "file:FOLDER/socket"], Sandboxed("25/4", "0/ILL"), ""),
    ("keep-watch", &["keep-watch"], Sandboxed("25/4", "0/ILL"), ""),
    ("hide", &["hide"], Sandboxed("25/4", "0/ILL"), ""),
    ("drop-pages", &["drop-pages"], Sandboxed("25/4", "0/ILL"), ""),
    ("ask-every-number", &["ask-every-number"], Rooted("25/4", "0/ILL"), ""),
    ("look-at-sockets", &["look-at-sockets"], Rooted("25/4", "0/ILL"), ""),
    ("timer-for-others", &["timer-for-others"], Everywhere("25/4"), ""),
    ("look-around", &["look-around"], Rooted("25/4", "0/ILL"), ""),
    ("stop-parent", &["stop-parent"], Sandboxed("25/4", "0/TIM"), ""),
    ("kill-parent", &["kill-parent"], Sandboxed("25/4", "0/CRA"), ""),
    ("limit-parent", &["limit-parent"], Sandboxed("25/4", "0/ILL"), ""),
    ("limit-parent-and-leave", &["limit-parent-and-leave", "lluu"], Everywhere("25/4"), "it left 3 processes running"),
    ("kill-judge", &["kill-judge"], OnlySandboxed("25/4"), ""),
    ("signal-everybody", &["signal-everybody"], Sandboxed("25/4", "0/ILL"), ""),
    ("network", &["network"], Sandboxed("25/4", "0/ILL"), ""),
    ("read-board", &["read", "file:FOLDER/board.txt"], Sandboxed("25/4", "0/ILL"), ""),
    ("read-contest", &["read", "file:FOLDER/contest.toml"], Sandboxed("25/4", "0/ILL"), ""),
    ("read-other-entry", &["read", "file:FOLDER/other"], Sandboxed("25/4", "0/ILL"), ""),
    ("read-home", &["read", "file:FOLDER/home/secret"], Sandboxed("25/4", "0/ILL"), ""),
    ("read-users", &["read", "file:/etc/passwd"], Sandboxed("25/4", "0/ILL"), ""),
    // Landlock does not restrict it.
    ("look-up-results", &["look-up", "file:FOLDER/out"], Rooted("25/4", "0/ILL"), ""),
    ("write-results", &["write", "file:FOLDER/out/forged.csv"], Sandboxed("25/4", "0/ILL"), ""),
};

/// Commands that do not start, and what the judge says of them.
const NOT_STARTED: &[(&str, &str, &str)] = &rows! {
    ("missing", "./no-such-program", "no-such-program does not exist"),
    ("not-on-path", "no-such-program-anywhere", "no-such-program-anywhere is not on the PATH"),
    ("not-executable", "./contest.toml", "contest.toml is not an executable file, or its permissions do not let the job execute it"),
    ("no-interpreter-line", "./plain", "plain is not a program for this machine; a script needs a first line"),
    ("other-machine", "./foreign", "foreign is not a program for this machine"),
    ("no-interpreter", "./orphaned", "the interpreter of "),
};

/// Beginning of the names of honest entries that run at the same time as the others.
const HONEST: &str = "beside-";

/// A contest of all rogues, an honest entry behind each, that an ordinary user could run as well.
fn rogue_contest(folder: &Folder, sandboxed: bool) {
    folder.open_to_all(&["rogue"]);
    ["other", "victim"].iter().for_each(|name| folder.program(name, rogue()));
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    folder.file("home/secret", "of the organiser");
    for (name, bytes) in [("plain", &b"lluu\n"[..]), ("foreign", FOREIGN), ("orphaned", b"#!/no/such/interpreter\n")] {
        folder.file(name, bytes);
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    // What ends by itself, or by another limit than the clock's, may take its time on a busy machine.
    let limits = "limit = \"1m\"\nmemory = \"64MiB\"\nprocesses = 32\noutput = \"1MiB\"\nscratch = \"8MiB\"";
    let mut text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", limits);
    let path = folder.path().to_string_lossy();
    for (name, args, cell, _) in ROGUES {
        if matches!(cell, OnlySandboxed(_) | RootedOrLandlock(..) | CountedOrRefused(..)) && !sandboxed {
            continue;
        }
        let args: Vec<String> = args.iter().map(|arg| arg.replace("FOLDER", &path)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        text += &entry(name, &[&["./rogue"], &args[..]].concat());
        text += match (*name, cell) {
            // Where the judge counts files, such folders count as too many.
            ("deep-folders", _) => "limits = { scratch = \"unlimited\" }\n",
            ("spin-threads" | "spin-in-children" | "spin-in-kernel", _) => "limits = { cpu = \"100ms\" }\n",
            (_, Seen(..)) => "limits = { limit = \"3s\" }\n",
            ("leave-sleepers" | "leave-spinners", _) => "limits = { processes = 128, memory = \"1GiB\" }\n",
            (_, Everywhere("0/TIM")) => "limits = { limit = \"200ms\" }\n",
            (_, Sandboxed(_, "0/TIM")) if !sandboxed => "limits = { limit = \"200ms\" }\n",
            _ => "",
        };
        text += &entry(&format!("{HONEST}{name}"), &["./rogue", "work", "3", "lluu"]);
    }
    for (name, command, _) in NOT_STARTED {
        text += &entry(name, &[command]);
    }
    folder.file("contest.toml", text);
}

/// Sockets that every user may connect to.
fn sockets(folder: &Folder) -> (UnixListener, UnixDatagram) {
    let names = ["socket", "socket.datagram"].map(|name| folder.path().join(name));
    let sockets = (UnixListener::bind(&names[0]).unwrap(), UnixDatagram::bind(&names[1]).unwrap());
    for name in names {
        fs::set_permissions(name, fs::Permissions::from_mode(0o777)).unwrap();
    }
    sockets
}

/// The head of a program for a rare architecture (SPARC, big-endian).
const FOREIGN: &[u8] = b"\x7fELF\x02\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x2b\x00\x00\x00\x01";

/// A user without any rights. Each mode has its own: the limit of a user's processes counts those of all judges.
fn nobody(isolation: &str) -> u32 {
    match isolation {
        "off" => 65532,
        "landlock" => 65533,
        _ => 65534,
    }
}

/// The user who runs the judge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Me,
    Nobody,
}

/// The result of a contest: its table, the judge's process id and its peak memory.
struct Ran {
    table: Value,
    judge: u32,
    peak_kib: u64,
}

/// Runs a contest of these entries as this user.
fn run(folder: &Folder, who: Who, isolation: &str, entries: &[&str]) -> Ran {
    let user = (who == Who::Nobody).then(|| nobody(isolation));
    let mut command = folder.judge_as(user, &["run", "--jobs", "2", "--format", "json", "--isolation", isolation]);
    command.arg("--out").arg(folder.path().join("out").join(format!("{isolation}-{}", entries.len())));
    if !entries.is_empty() {
        command.args(["--entries", &entries.join(",")]);
    }
    command.env("HOME", folder.path().join("home")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let judge = command.spawn().unwrap();
    let id = judge.id();
    let status = format!("/proc/{id}/status");
    let watcher = std::thread::spawn(move || {
        let mut peak = 0;
        while let Some(now) = fs::read_to_string(&status).ok().and_then(|text| peak_kib(&text)) {
            peak = peak.max(now);
            std::thread::sleep(Duration::from_millis(5));
        }
        peak
    });
    let output = judge.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let table = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"));
    Ran { table, judge: id, peak_kib: watcher.join().unwrap() }
}

fn peak_kib(status: &str) -> Option<u64> {
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

/// Runs every rogue in one tier.
fn walk(who: Who, isolation: &str) {
    if who == Who::Nobody && !rustix::process::geteuid().is_root() {
        // Then the other walks are those of an ordinary user.
        return;
    }
    let sandboxed = isolation != "off";
    let folder = Folder::new();
    rogue_contest(&folder, sandboxed);
    let _sockets = sockets(&folder);
    if who == Who::Nobody {
        // What an entry's user owns it could change.
        for name in ["rogue", "other", "victim"] {
            std::os::unix::fs::chown(folder.path().join(name), Some(nobody(isolation)), Some(nobody(isolation)))
                .unwrap();
        }
    }
    let Ran { peak_kib: idle, .. } = run(&folder, who, isolation, &["honest"]);
    let Ran { table: document, peak_kib: peak, .. } = run(&folder, who, isolation, &[]);
    let tier = document["isolation"][0].as_str().unwrap();
    let tiers: &[&str] = match isolation {
        "off" => &["process_group"],
        "landlock" => &["landlock", "process_group"],
        // An ordinary user of a restricted system gets no namespaces.
        _ => &["namespaces", "landlock", "process_group"],
    };
    assert!(tiers.iter().any(|expected| tier.starts_with(expected)), "{tier}");
    let sandboxed = !tier.starts_with("process_group");
    let rooted = tier.starts_with("namespaces");
    let counted = tier.contains("cgroup memory");
    let is_root = who == Who::Me && rustix::process::geteuid().is_root();
    let mut wrong = Vec::new();
    for row in document["entries"].as_array().unwrap() {
        let (name, run) = (row["entry"].as_str().unwrap(), &row["runs"][0]);
        let printed = [&run["fault"], &run["notes"]].map(|text| text.as_str().map_or(text.to_string(), str::to_owned));
        let printed = printed.join(" ");
        let (cell, words) = if let Some((.., cell, words)) = ROGUES.iter().find(|(rogue, ..)| *rogue == name) {
            let cell = match *cell {
                Everywhere(cell) | OnlySandboxed(cell) => cell,
                Sandboxed(within, _) if sandboxed => within,
                Rooted(within, _) if rooted => within,
                RootedOrLandlock(within, _) if rooted => within,
                Seen(within, _) if rooted || is_root => within,
                Counted(_, without) | CountedOrRefused(_, without) if sandboxed && !counted => without,
                Counted(within, _) | CountedOrRefused(within, _) => within,
                Sandboxed(_, without) | Rooted(_, without) => without,
                RootedOrLandlock(_, without) | Seen(_, without) => without,
            };
            (cell, *words)
        } else if let Some((.., words)) = NOT_STARTED.iter().find(|(other, ..)| *other == name) {
            ("0/STA", *words)
        } else {
            ("25/4", "")
        };
        // That a run ends long before the clock's limit shows that another limit ended it.
        let prompt = run["time_us"].as_u64().is_none_or(|time| time < 40_000_000);
        if run["cell"] != cell || !printed.contains(words) || !prompt {
            wrong.push(format!("{name}: expected {cell} {words:?}, got {run}"));
        }
    }
    assert!(wrong.is_empty(), "{who:?}, {tier}:\n{}", wrong.join("\n"));

    // Every process of a rogue, and every supervisor, has the folder in its command line.
    assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "{tier}: somebody survived");
    let left: Vec<_> = fs::read_dir(folder.path().join("tmp")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(left.is_empty(), "{tier}: {left:?}");
    assert!(peak < idle + 32 * 1024, "{tier}: the judge grew from {idle} to {peak} KiB");
}

siege! { walk;
    in_the_strongest_tier(Who::Me, "auto")
    in_the_strongest_tier_of_an_ordinary_user(Who::Nobody, "auto")
    under_landlock(Who::Me, "landlock")
    under_landlock_of_an_ordinary_user(Who::Nobody, "landlock")
    in_a_process_group(Who::Me, "off")
    in_a_process_group_of_an_ordinary_user(Who::Nobody, "off")
}

#[test]
#[ignore = "deep: siege"]
fn nothing_of_a_run_stays_in_the_control_groups() {
    let folder = Folder::new();
    rogue_contest(&folder, true);
    let Ran { judge, .. } = run(&folder, Who::Me, "auto", &["honest", "fork-bomb", "memory-by-steps", "sleep"]);
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let points = mounts.lines().filter(|line| line.contains(" cgroup")).filter_map(|line| line.split(' ').nth(1));
    // Other judges may be at work, or may have been killed elsewhere: theirs is not what is asked.
    let ours = format!("judge-{judge}-");
    for group in points.flat_map(|point| groups_below(Path::new(point), 5)) {
        assert!(!group.file_name().unwrap().to_string_lossy().starts_with(&ours), "{}", group.display());
    }
}

fn groups_below(folder: &Path, depth: usize) -> Vec<std::path::PathBuf> {
    if depth == 0 {
        return Vec::new();
    }
    let items = fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path());
    let folders: Vec<_> = items.filter(|path| path.is_dir()).collect();
    folders.iter().flat_map(|folder| [vec![folder.clone()], groups_below(folder, depth - 1)].concat()).collect()
}
