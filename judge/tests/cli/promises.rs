//! The list of promises against the tests that it names, the documents, the doctor, and entries that look for themselves.

use judge_sandbox::promises::{Conditions, Guarantee, PROMISES, Promise};

use crate::support::*;

/// The tests of each promise, which fail without it: `file::function` of this folder, or `rogues: ENTRY` for a misbehaving
/// entry there, which runs in every tier as root and as an ordinary user.
const TESTS: &[(&str, &[&str])] = &rows! {
    ("judge unharmed", &["rogues: steal-stderr", "rogues: endless-stderr", "rogues: flood-stderr", "rogues: forge"]),
    (
        "own verdict",
        &[
            "rogues: limit-parent-and-leave",
            "syscalls::a_fuzzer_of_system_calls_harms_nobody",
            "burdens::slow_work_of_the_kernel_changes_no_result",
            "shared_limits::descriptors_that_an_entry_has_in_flight_cost_no_other_run_its_ruling",
            "shared_limits::an_entry_that_fills_the_disk_has_exceeded_its_own_limit",
        ],
    ),
    (
        "judge out of reach",
        &[
            "rogues: signal-everybody",
            "rogues: kill-judge",
            "rogues: stop-parent",
            "rogues: limit-parent",
            "rogues: limit-judge",
            "rogues: drop-pages",
            "rogues: timer-for-others",
        ],
    ),
    ("no survivor", &["rogues: tree-of-seven", "rogues: leave-sleepers", "cage::nothing_survives_the_judge_in_any_tier", "rogues: starve-parent"]),
    ("reads its own", &["rogues: read-board", "rogues: read-other-entry", "rogues: read-home", "rogues: read-users"]),
    ("writes its own", &["rogues: write-results", "builds::a_build_writes_only_its_folder_of_the_contest"]),
    ("leaves no file", &["rogues: leave-mark-again", "rogues: lock-scratch", "rogues: deep-folders", "rogues: lower-core-limit"]),
    (
        "changes its own",
        &[
            "rogues: change-attributes",
            "rogues: device-times",
            "rogues: change-input",
            "messages::the_file_that_is_an_entrys_standard_input_cannot_be_changed",
        ],
    ),
    ("leaves no state", &["rogues: ipc", "rogues: keep-keys", "rogues: keep-watch"]),
    ("no network", &["rogues: network", "rogues: connect"]),
    (
        "sees no other",
        &[
            "promises::an_entry_sees_no_process_but_its_own",
            "rogues: look-around",
            "rogues: ask-every-number",
            "rogues: look-at-sockets",
        ],
    ),
    ("another user", &["promises::an_entry_of_root_is_another_user"]),
    ("gains no rights", &["promises::an_entry_gains_no_capability", "rogues: set-id", "rogues: make-device"]),
    ("narrow kernel", &["syscalls::a_fuzzer_of_system_calls_harms_nobody", "rogues: hide"]),
    (
        "wall clock",
        &[
            "rogues: ignore-term",
            "rogues: stopped-over-the-limit",
            "outcomes::an_answer_after_the_limit_is_late_even_if_the_judge_was_stopped",
            "burdens::slow_work_of_the_kernel_changes_no_result",
        ],
    ),
    ("output", &["rogues: flood-stdout", "rogues: endless-line", "rogues: blanks", "rogues: flood-by-copies"]),
    (
        "memory",
        &[
            "rogues: memory-by-steps",
            "rogues: memory-by-family",
            "rogues: memory-on-the-stack",
            "rogues: memory-in-memfd",
            "rogues: memory-given-back",
            "rogues: memory-behind-ended-thread",
            "rogues: memory-of-own-table",
            "rogues: memory-in-flight",
            "rogues: memory-of-one-page",
            "rogues: memory-cut-to-a-page",
            "rogues: memory-in-page-tables",
            "rogues: memory-in-mappings",
            "rogues: memory-of-closed-program",
            "rogues: memory-of-closed-thread",
            "rogues: memory-of-stacks",
            "rogues: memory-of-copies",
            "rogues: memory-that-moves",
        ],
    ),
    (
        "processes",
        &[
            "rogues: fork-bomb",
            "rogues: setsid-bomb",
            "rogues: zombie-bomb",
            "rogues: vfork-chain",
            "rogues: thread-bomb",
            "rogues: threads-behind-ended-thread",
        ],
    ),
    (
        "cpu",
        &[
            "rogues: spin-threads",
            "rogues: spin-in-children",
            "rogues: spin-in-kernel",
            "outcomes::resources_are_reported_with_the_method_of_measurement",
        ],
    ),
    (
        "scratch",
        &[
            "rogues: one-large-file",
            "rogues: many-files",
            "rogues: moving-files",
            "rogues: unlinked-files",
            "rogues: closed-folder",
            "rogues: removed-and-mapped",
            "rogues: removed-in-flight",
        ],
    ),
    ("own cores", &["cage::an_entry_stays_on_the_cores_it_was_given"]),
};

fn tests_of(promise: &Promise) -> &'static [&'static str] {
    TESTS.iter().find(|(name, _)| *name == promise.name).map_or(&[], |(_, tests)| *tests)
}

#[test]
fn every_promise_names_tests_that_exist() {
    assert_eq!(TESTS.len(), PROMISES.len(), "a row for each promise");
    for promise in PROMISES {
        assert!(!tests_of(promise).is_empty(), "add the tests of promise `{}` to TESTS", promise.name);
        for test in tests_of(promise) {
            assert!(is_a_test(test), "{}: there is no test `{test}`", promise.name);
        }
    }
}

#[test]
fn the_list_for_readers_is_that_of_the_sandbox() {
    let [root, user] = [true, false].map(Conditions::columns);
    let mut list = csv::Writer::from_writer(Vec::new());
    list.write_record(["promise", "meaning"].iter().chain(&root.map(|(name, _)| name)).chain(&["by"])).unwrap();
    for promise in PROMISES {
        let cells = [0, 1, 2, 3].map(|column| {
            let [root, user] = [&root, &user].map(|columns| promise.keeping(&columns[column].1).word());
            if root == user { root.to_owned() } else { format!("root: {root}; user: {user}") }
        });
        let cells = cells.iter().map(String::as_str);
        list.write_record([promise.name, promise.text].into_iter().chain(cells).chain([promise.by])).unwrap();
    }
    let list = String::from_utf8(list.into_inner().unwrap()).unwrap();
    let shown = fs::read_to_string(project().join("docs/promises.csv")).unwrap();
    assert!(list == shown, "docs/promises.csv is not:\n{list}");
}

#[test]
fn the_doctor_prints_the_promises() {
    let folder = Folder::new();
    let printed = folder.judge(["doctor"]).exits(0).stdout;
    for (name, _) in Conditions::columns(false) {
        assert!(printed.contains(name), "{printed}");
    }
    for mode in ["auto", "landlock", "off"] {
        let found = folder.judge(["doctor", "--json", "--isolation", mode]).exits(0).json();
        let promises = found["promises"].as_array().unwrap();
        assert_eq!(promises.len(), PROMISES.len());
        for (promise, expected) in promises.iter().zip(PROMISES) {
            let here = promise["here"].as_str().unwrap();
            assert!(printed.contains(&format!("\n  {:19} ", expected.name)), "{printed}");
            // What the machine does is what one of the columns says.
            let tier = found["isolation"]["tier"].as_str().unwrap();
            let columns = promise["tiers"].as_object().unwrap();
            let column = if tier == "process_group" { "off" } else { tier };
            // An older Landlock, or root without all its rights, promises less than the column of its tier.
            let conditions = &found["conditions"];
            let older = mode != "off" && conditions["landlock"].as_u64().unwrap() < 6;
            let older = older || conditions["root"] == true && conditions["mapped_files"] == false;
            assert!(columns[column] == here || here == "kept" || older, "{promise}");
        }
        let met = promises.iter().all(|promise| promise["here"] == promise["tiers"]["namespaces + cgroups"]);
        if mode == "auto" {
            let code = i32::from(!met);
            let printed = folder.judge(["doctor", "--isolation", "require"]).exits(code).stdout;
            assert!(met || printed.contains("would only be watched") || printed.contains("not promised"), "{printed}");
        }
    }
}

/// What a shell prints on standard error in an isolation mode, with the tier.
fn seen(folder: &Folder, isolation: &str, script: &str) -> (String, Vec<String>) {
    let near = board("near-end-1");
    let line = ["try", &near, "--json", "--isolation", isolation, "--", "sh", "-c", script];
    let found = folder.judge(line).exits(1).json();
    let tier = found["isolation"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    (tier, found["stderr"].as_str().unwrap().lines().map(str::to_owned).collect())
}

fn kept(promise: &str, tier: &str, root: bool) -> bool {
    let promise = PROMISES.iter().find(|known| known.name == promise).unwrap();
    let column = Conditions::columns(root).into_iter().find(|(name, _)| *name == tier).map(|(_, column)| column);
    promise.keeping(&column.unwrap_or_default()) == Guarantee::Kept
}

#[test]
fn an_entry_sees_no_process_but_its_own() {
    let folder = Folder::new();
    let judge = std::process::id().to_string();
    for mode in ["auto", "landlock"] {
        // Its own process, and no other number than its own.
        let (tier, seen) = seen(&folder, mode, "for p in /proc/[0-9]*; do echo ${p#/proc/} >&2; done; echo own $$ >&2");
        if kept("sees no other", &tier, false) {
            let own = seen.iter().find_map(|line| line.strip_prefix("own ")).unwrap();
            assert!(seen.iter().all(|line| line == own || *line == format!("own {own}")), "{seen:?}");
            assert!(!seen.contains(&judge));
        }
    }
}

#[test]
fn an_entry_of_root_is_another_user() {
    let folder = Folder::new();
    let root = rustix::process::geteuid().is_root();
    let me = rustix::process::geteuid().as_raw().to_string();
    let (tier, seen) = seen(&folder, "auto", "id -u >&2");
    assert_eq!(seen[0] != me, kept("another user", &tier, root), "{seen:?}");
}

#[test]
fn an_entry_gains_no_capability() {
    let folder = Folder::new();
    for mode in ["auto", "landlock"] {
        let (tier, seen) = seen(&folder, mode, "grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status >&2");
        if kept("gains no rights", &tier, false) {
            let none = "0000000000000000";
            let expected = ["CapInh", "CapPrm", "CapEff", "CapAmb"].map(|name| format!("{name}:\t{none}"));
            assert_eq!(seen, [&expected[..], &["NoNewPrivs:\t1".to_owned()]].concat(), "{tier}");
        }
    }
}

/// All sources of tests, one after the other.
fn sources(folder: &Path, all: &mut String) {
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn each_attack_and_promise_of_the_list_names_tests_that_exist() {
    let mut all = String::new();
    sources(&project().join("judge"), &mut all);
    let mut list = csv::Reader::from_path(project().join("docs/threats.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = list.records().map(Result::unwrap).collect();
    assert!(rows.len() > 100, "{}", rows.len());
    for row in &rows {
        for test in row[3].split(", ") {
            // The last part is a function, an entry that misbehaves, or a fuzz target.
            let name = test.rsplit([':', ' ']).next().unwrap();
            let exists = ["fn NAME(", "\n    NAME("].iter().any(|call| all.contains(&call.replace("NAME", name)))
                || all.contains(&format!("\"{name}\""))
                || project().join(format!("fuzz/targets/{name}.rs")).exists();
            assert!(exists, "{}: there is no test `{test}`", &row[1]);
        }
    }
}
