//! What the kernel keeps for all runs together: an entry is refused what no account of its run has, and what is counted for it
//! costs no rival anything. `docs/kernel-objects.csv` has the table; each request is made once, in its smallest form.

use judge_sandbox::{Tier, allowed_calls};

use crate::support::*;

/// A user without any rights, and without other processes.
const NOBODY: u32 = 64_141;

const GIVEN: i32 = 0;
const REFUSED: i32 = 1;
const NOT_THERE: i32 = 38;
const NO_SETTING: i32 = 22;
const NO_OPTION: i32 = 92;

/// What `rogue ask-kernel` asks for, and the answer in every tier with a filter.
const REFUSALS: &[(&str, i32)] = &[
    ("socket filter", NO_OPTION),
    ("socket bpf", NO_OPTION),
    ("reuseport filter", NO_OPTION),
    ("reuseport bpf", NO_OPTION),
    ("packet tables", NO_OPTION),
    ("time stamps", NO_OPTION),
    ("seccomp filter", REFUSED),
    ("seccomp by prctl", NO_SETTING),
    ("bpf program", REFUSED),
    ("perf event", REFUSED),
    ("io_uring", NOT_THERE),
    ("aio context", REFUSED),
    ("userfaultfd", REFUSED),
    ("landlock ruleset", NOT_THERE),
    ("module", REFUSED),
    ("packet socket", REFUSED),
    ("netlink", REFUSED),
    ("alg", REFUSED),
    ("key", REFUSED),
    ("keyring", REFUSED),
    ("shared memory", REFUSED),
    ("semaphores", REFUSED),
    ("message queue", REFUSED),
    ("posix queue", REFUSED),
    ("inotify", REFUSED),
    ("fanotify", REFUSED),
    ("lease", REFUSED),
    ("notice of a folder", REFUSED),
    ("larger pipe", REFUSED),
    ("namespace", REFUSED),
    ("namespace by clone3", NOT_THERE),
    ("other namespace", REFUSED),
    ("collapse", REFUSED),
    ("swap out", REFUSED),
    ("drop pages", REFUSED),
    ("barrier of all", REFUSED),
    ("barrier of registered", REFUSED),
    ("sync of all", REFUSED),
    ("sync of a file system", REFUSED),
    ("locked memory", REFUSED),
    ("named memory", NO_SETTING),
    ("scheduler", REFUSED),
    ("scheduler attributes", REFUSED),
    ("processors", REFUSED),
    ("merged pages", REFUSED),
    ("broken page", REFUSED),
    ("huge page", REFUSED),
    // Of which it may have none.
    ("locked mapping", REFUSED),
    ("merged memory", NO_SETTING),
    ("core scheduling", NO_SETTING),
    ("speculation", NO_SETTING),
    ("table of futexes", NO_SETTING),
    ("secure bits", NO_SETTING),
    ("descriptor of a sender", NO_OPTION),
    ("busy polling", NO_OPTION),
    ("hardware time stamps", NO_OPTION),
    ("sent without a copy", NO_OPTION),
    ("locked filter", NO_OPTION),
    ("mark", NO_OPTION),
    ("descriptor of the peer", NO_OPTION),
    ("signals of input", REFUSED),
    ("typed input", REFUSED),
    ("controlling terminal", REFUSED),
    ("network devices", REFUSED),
    ("flags of a file", REFUSED),
    ("owner of signals", REFUSED),
    ("signal of input", REFUSED),
    // Timers that another process would pay for; those that it pays for itself are there.
    ("timer of another", NO_SETTING),
    ("sleep by another", NO_SETTING),
    ("timer of its own", GIVEN),
    ("timer of its thread", GIVEN),
];

/// Files of `/proc` whose reading takes a lock of the whole machine: empty in its own root.
const LOCKING: &[&str] = &["/proc/locks", "/proc/zoneinfo", "/proc/buddyinfo", "/proc/pagetypeinfo", "/proc/slabinfo"];

/// A contest of misdeeds that an ordinary user could run as well.
fn site(entries: &str) -> Folder {
    let folder = Folder::new();
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    folder
        .file("contest.toml", contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", "limit = \"1m\"") + entries);
    folder.open_to_all(&["rogue"]);
    folder
}

fn judge(folder: &Folder, user: Option<u32>, isolation: &str, entry: &str) -> Command {
    let out = format!("out/{isolation}-{}-{entry}", user.is_some());
    folder.judge_as(user, &["run", "--format", "json", "--isolation", isolation, "--entries", entry, "--out", &out])
}

/// What the entry printed on standard error, and the tier.
fn message(folder: &Folder, user: Option<u32>, isolation: &str, entry: &str) -> (String, String) {
    let output = judge(folder, user, isolation, entry).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let cell = document["entries"][0]["runs"][0]["cell"].as_str().unwrap();
    assert_eq!(cell, "25/4", "{isolation}, {user:?}: {document}");
    let file = format!("out/{isolation}-{}-{entry}/output/1/{entry}/NEAR.1.err", user.is_some());
    (folder.read(&file), document["isolation"][0].as_str().unwrap().to_owned())
}

fn users() -> Vec<Option<u32>> {
    if rustix::process::geteuid().is_root() { vec![None, Some(NOBODY)] } else { vec![None] }
}

/// All tiers that a machine may have, as root and as an ordinary user.
fn in_every_tier(mut look: impl FnMut(Option<u32>, &str)) {
    for user in users() {
        for isolation in ["auto", "landlock"] {
            look(user, isolation);
        }
    }
}

#[test]
fn what_no_account_of_a_run_has_is_refused() {
    let folder = site(&entry("asks", &["./rogue", "ask-kernel"]));
    in_every_tier(|user, isolation| {
        let (printed, tier) = message(&folder, user, isolation, "asks");
        if !tier.contains("seccomp") {
            return;
        }
        let answers: BTreeMap<&str, i32> = printed
            .lines()
            .filter_map(|line| line.rsplit_once(": "))
            .map(|(what, answer)| (what, answer.parse().unwrap_or_else(|_| panic!("{what}: {answer}"))))
            .collect();
        for (what, expected) in REFUSALS {
            assert_eq!(answers.get(what), Some(expected), "{what}: {tier}, {user:?}");
        }
        assert_eq!(answers.len(), REFUSALS.len() + LOCKING.len(), "{answers:?}");
        for file in LOCKING.iter().filter(|_| tier.starts_with("namespaces")) {
            assert_ne!(answers[file], 0, "{file}: {tier}, {user:?}");
        }
    });
}

#[test]
fn what_is_counted_for_a_user_has_a_limit_of_the_runs_own() {
    let folder = site(&entry("asks", &["./rogue", "ask-limits"]));
    in_every_tier(|user, isolation| {
        let (printed, tier) = message(&folder, user, isolation, "asks");
        let own_users = tier.starts_with("namespaces");
        let limits = [
            ("Max core file size", 1),
            ("Max open files", 1024),
            ("Max locked memory", 0),
            ("Max pending signals", if own_users { 256 } else { 4096 }),
            ("Max msgqueue size", 0),
        ];
        for (name, expected) in limits {
            let line = printed.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{printed}"));
            let numbers: Vec<&str> = line.split_whitespace().take(2).collect();
            assert_eq!(numbers, [expected.to_string(), expected.to_string()], "{name}: {tier}, {user:?}");
        }
    });
}

/// A judge whose entry holds something. It ends when this is dropped.
struct Holder(std::process::Child);

impl Holder {
    /// Begins it, and waits until its entry says that it holds all that it can get.
    fn begin(folder: &Folder, user: Option<u32>, isolation: &str, entry: &str) -> Self {
        let mut command = judge(folder, user, isolation, entry);
        let holder = Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let file = format!("out/{isolation}-{}-{entry}/output/1/{entry}/NEAR.1.err", user.is_some());
        let until = Instant::now() + Duration::from_secs(60);
        while !fs::read_to_string(folder.path().join(&file)).is_ok_and(|text| text.contains("held: ")) {
            assert!(Instant::now() < until, "{entry} does not begin: {isolation}, {user:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        holder
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let id = rustix::process::Pid::from_child(&self.0);
        // Nothing can be done about an error here.
        rustix::process::kill_process(id, rustix::process::Signal::TERM).ok();
        self.0.wait().ok();
    }
}

/// What a small entry gets while this one holds what it can.
fn beside(held: &str, mut look: impl FnMut(&str, bool, &str)) {
    let folder = site(&(entry("holds", &["./rogue", held]) + &entry("needs", &["./rogue", "need-a-little"])));
    in_every_tier(|user, isolation| {
        let _holder = Holder::begin(&folder, user, isolation, "holds");
        let (printed, tier) = message(&folder, user, isolation, "needs");
        let is_root = user.is_none() && rustix::process::geteuid().is_root();
        look(&tier, is_root, &printed);
    });
}

#[test]
fn signals_that_wait_deny_a_rival_its_timer_only_under_landlock_as_the_table_says() {
    beside("hold-signals", |tier, _, printed| {
        // Under Landlock the kernel counts all that the user has, and others of the same user give some back at any time.
        let expected: &[&str] = if tier.starts_with("namespaces") { &["timer: 0"] } else { &["timer: 0", "timer: 11"] };
        assert!(expected.iter().any(|answer| printed.contains(&format!("{answer}\n"))), "{tier}: {printed}");
    });
}

#[test]
fn pipes_of_a_run_make_those_of_a_rival_small_only_for_the_same_user_as_the_table_says() {
    beside("hold-pipes", |tier, is_root, printed| {
        // Others of the same user give some back at any time.
        let wanted = if is_root && tier.starts_with("namespaces") { "pipe: 65536\n" } else { "pipe: " };
        assert!(printed.contains(wanted), "{tier}, {is_root}: {printed}");
    });
}

/// The kernel gives this memory back by itself, so a control group counts it and ends nobody for it.
#[test]
fn names_that_were_looked_up_are_memory_of_the_run_where_a_control_group_counts() {
    let entries = entry("asks", &["./rogue", "ask-limits"]) + &entry("looks", &["./rogue", "look-up-names"]);
    let folder = site(&entries);
    let text = folder.read("contest.toml").replace("limit = \"1m\"", "limit = \"1m\"\nmemory = \"48MiB\"");
    folder.file("contest.toml", text);
    in_every_tier(|user, isolation| {
        let [without, with] = ["asks", "looks"].map(|name| {
            let (_, tier) = message(&folder, user, isolation, name);
            let runs = folder.journal(&format!("out/{isolation}-{}-{name}", user.is_some()), "run");
            let bytes = runs.iter().find_map(|line| line["memory_bytes"].as_u64()).unwrap();
            (tier, bytes)
        });
        assert_eq!(without.0, with.0);
        assert!(with.1 <= 48 << 20, "{with:?}");
        if with.0.contains("cgroup memory") {
            // 50,000 names of some 190 bytes.
            assert!(with.1 > without.1 + (5 << 20), "{with:?}, {without:?}");
        }
    });
}

#[test]
fn a_talk_with_small_pipes_holds_as_much_as_one_with_usual_ones() {
    let holder = site(&entry("holds", &["./rogue", "hold-pipes"]));
    let folder = site("");
    // Both say more than two small pipes hold, and no more than two usual ones, before they read.
    let says = "head -c 120000 /dev/zero | tr '\\0' x; echo; read -r line";
    folder.script("referee", &format!("{says}; exit 42"));
    folder.script("talks", says);
    let text = "name = \"x\"\ngame = \"external\"\nlimit = \"1m\"\n[referee]\ncommand = \"./referee\"\n\
                protocol = \"kattis\"\ntalk = true\n[[board]]\nname = \"NEAR\"\nfile = \"board.txt\"\n";
    let names = ["usual", "small"];
    let entries: String = names.iter().map(|name| entry(name, &["./talks"])).collect();
    folder.file("contest.toml", text.to_owned() + &entries);
    let user = rustix::process::geteuid().is_root().then_some(NOBODY);
    let cells = names.map(|name| {
        let _holder = (name == "small").then(|| Holder::begin(&holder, user, "auto", "holds"));
        let output = judge(&folder, user, "auto", name).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        let document: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"));
        document["entries"][0]["runs"][0]["cell"].as_str().unwrap().to_owned()
    });
    assert_eq!(cells, ["AC"; 2].map(String::from));
}

/// The rows of the table of what the kernel shares: the object, how it is kept, and its tests.
fn rows() -> Vec<(String, String, Vec<String>)> {
    let mut table = csv::Reader::from_path(project().join("docs/kernel-objects.csv")).unwrap();
    let rows = table.records().map(Result::unwrap);
    rows.map(|row| (row[0].to_owned(), row[4].to_owned(), row[5].split(", ").map(str::to_owned).collect())).collect()
}

#[test]
fn the_table_of_what_the_kernel_shares_names_tests_that_exist() {
    let rows = rows();
    assert!(rows.len() > 20, "{rows:?}");
    for (object, how, tests) in &rows {
        assert!(["refused", "bounded", "said"].iter().any(|word| how.starts_with(word)), "{object}: {how}");
        assert!(!tests.is_empty(), "{object} has no test");
        for test in tests {
            assert!(is_a_test(test), "{object}: there is no test `{test}`");
        }
    }
    // What is refused is tried: each request is in the test that its row names.
    assert!(REFUSALS.len() > 40);
}

/// What a call with any arguments makes the kernel keep is in the row that names it.
#[test]
fn each_call_that_may_have_any_arguments_is_in_one_row_of_the_table() {
    let mut table = csv::Reader::from_path(project().join("docs/kernel-objects.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let listed: Vec<&str> = rows.iter().flat_map(|row| row[6].split_whitespace()).collect();
    let calls = [Tier::Namespaces, Tier::Landlock].into_iter().flat_map(|tier| allowed_calls(tier, true));
    let whole: BTreeSet<&str> = calls.filter(|call| call.whole).map(|call| call.name).collect();
    for call in &whole {
        let times = listed.iter().filter(|name| *name == call).count();
        assert_eq!(
            times, 1,
            "add `{call}` to the row of docs/kernel-objects.csv that has what it makes the kernel keep"
        );
    }
    let unknown: Vec<&&str> =
        listed.iter().filter(|name| !whole.contains(**name) && !name.starts_with("riscv")).collect();
    assert!(!cfg!(target_arch = "x86_64") || unknown.is_empty(), "{unknown:?} have no line with any arguments");
}
