//! The boundaries between the crates: the dependencies that each may have, and the names that its sources may use.

use crate::support::*;

/// The one crate below the core that asks the system itself, on Linux only: it opens the files of others.
const FILES: &str = "judge-files";

/// Names of all packages that a package of the workspace is built from, itself included: its dependencies and theirs,
/// those for tests and those of [`FILES`] left out.
fn built_from(metadata: &Value, package: &str) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeMap<String, String> =
        packages.iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let nodes: BTreeMap<String, &Value> = nodes.iter().map(|node| (text(&node["id"]), node)).collect();
    let members = metadata["workspace_members"].as_array().unwrap().iter().map(text);
    let mut left: Vec<String> = members.filter(|id| names[id] == package).collect();
    assert_eq!(left.len(), 1, "{package} is one member of the workspace");
    let mut seen = BTreeSet::new();
    while let Some(id) = left.pop() {
        let own = names[&id] != FILES || package == FILES;
        for dependency in nodes[&id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if own && kinds.iter().any(|kind| kind["kind"] != "dev") {
                left.extend(Some(text(&dependency["pkg"])).filter(|id| !seen.contains(id)));
            }
        }
        seen.insert(id);
    }
    seen.iter().map(|id| names[id].clone()).collect()
}

/// The packages that `cargo tree` lists with these options, each with its features. It may fetch what a first test has not:
/// the sources of entries' libraries.
fn tree(options: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["tree", "--prefix", "none", "--format", "{p} {f}", "--locked"]).args(options);
    let output = command.current_dir(project()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

/// Those of the packages that are in the list.
fn among<'a>(packages: &BTreeSet<String>, list: &[&'a str]) -> Vec<&'a str> {
    list.iter().copied().filter(|name| packages.contains(*name)).collect()
}

// On other processors, a crate for SHA-256 asks the C library what the processor can do.
#[cfg(target_arch = "x86_64")]
#[test]
fn core_and_job_depend_on_data_alone() {
    let metadata = metadata("Cargo.toml", &[]);
    for package in ["judge-core", "judge-job"] {
        let packages = built_from(&metadata, package);
        assert!(packages.contains("serde"), "{packages:?}");
        let system = ["libc", "rustix", "clap", "signal-hook", "tempfile", "getrandom", "judge-sandbox"];
        assert_eq!(among(&packages, &system), [""; 0], "{package}");
    }
    assert_eq!(among(&built_from(&metadata, "judge-job"), &["judge-core"]), [""; 0]);
    let files = built_from(&metadata, FILES);
    assert!(files.contains("rustix") && among(&files, &["judge-job", "judge-core", "clap"]).is_empty(), "{files:?}");
}

#[test]
fn sandbox_and_page_depend_only_on_what_they_need() {
    let metadata = metadata("Cargo.toml", &[]);
    let sandbox = built_from(&metadata, "judge-sandbox");
    assert!(sandbox.contains("judge-job") && sandbox.contains("rustix"), "{sandbox:?}");
    assert_eq!(among(&sandbox, &["judge-core", "judge-contest", "judge-page", "judge", "clap"]), [""; 0]);
    let page = built_from(&metadata, "judge-page");
    assert!(page.contains("judge-core"), "{page:?}");
    assert_eq!(among(&page, &["judge-sandbox", "judge-contest", "judge", "rustix", "clap"]), [""; 0]);
    assert_eq!(among(&sandbox, &["judge-files"]), ["judge-files"], "what authors name is opened there");
    let report = built_from(&metadata, "judge-report");
    assert!(report.contains("judge-core"), "{report:?}");
    assert_eq!(among(&report, &["judge-sandbox", "judge-contest", "judge-page", "judge", "tempfile"]), [""; 0]);
    let contest = built_from(&metadata, "judge-contest");
    let above = ["judge-sandbox", "judge-slurm", "judge-page", "judge", "clap"];
    assert_eq!(among(&contest, &above), [""; 0]);
    let slurm = built_from(&metadata, "judge-slurm");
    assert!(slurm.contains("judge-contest") && slurm.contains("judge-sandbox"), "{slurm:?}");
    assert_eq!(among(&slurm, &["judge-report", "judge-page", "judge", "clap"]), [""; 0]);
    let office = built_from(&metadata, "judge-office");
    assert!(office.contains("judge-contest") && office.contains("judge-package"), "{office:?}");
    assert_eq!(among(&office, &["judge-sandbox", "judge-slurm", "judge-page", "judge", "clap"]), [""; 0]);
}

#[test]
fn what_is_shown_depends_on_no_command_line() {
    let show = built_from(&metadata("Cargo.toml", &[]), "judge-show");
    assert!(show.contains("judge-contest") && show.contains("rustix"), "{show:?}");
    assert_eq!(among(&show, &["judge-office", "judge-package", "judge-page", "judge"]), [""; 0]);
}

// As above.
#[cfg(target_arch = "x86_64")]
#[test]
fn without_the_sandbox_the_command_uses_nothing_of_linux() {
    // Cargo's metadata would have the features that other packages of the workspace ask for.
    let lines = tree(&["-p", "judge", "--no-default-features", "-e", "normal", "--prune", FILES]);
    let packages: BTreeSet<String> =
        lines.iter().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(packages.contains("clap") && packages.contains("judge-page"), "{packages:?}");
    let linux = "judge-sandbox judge-office-web judge-show judge-slurm rustix libc signal-hook tempfile seccompiler";
    let linux: Vec<&str> = linux.split(' ').collect();
    assert_eq!(among(&packages, &linux), [""; 0]);
}

/// What `cargo tree` with these options lists: packages with their versions, each with all sets of features that it is compiled
/// with.
fn features(options: &[&[&str]]) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in tree(&options.concat()) {
        let mut words = line.split(' ');
        let package = words.by_ref().take(2).collect::<Vec<_>>().join(" ");
        // A place, or that it is a macro, is in parentheses.
        let set = words.filter(|word| !word.starts_with('(')).collect::<Vec<_>>().join(" ");
        all.entry(package).or_default().insert(set);
    }
    all
}

/// With another set of features, a library and all crates that use it are compiled again.
#[test]
fn what_the_first_command_builds_is_compiled_once() {
    let contest = fs::read_to_string(project().join("contest.toml")).unwrap();
    let packages: BTreeSet<&str> =
        contest.split("--package ").skip(1).map(|rest| rest.split([' ', '"']).next().unwrap()).collect();
    assert_eq!(packages, BTreeSet::from(["loyd-entries", "loyd-house"]), "the entries that it builds");
    let (judge, entries) = (&[][..], &["--manifest-path", "entries/Cargo.toml"][..]);
    for (workspace, built) in [(judge, vec!["judge"]), (entries, packages.into_iter().collect())] {
        let tests = features(&[workspace, &["--workspace", "-e", "all"]]);
        let mut seen = 0;
        for package in built {
            for (library, sets) in features(&[workspace, &["-p", package, "-e", "normal,build"]]) {
                let remedy =
                    "add the features that `cargo tree --workspace -e features -i NAME` shows to its Cargo.toml";
                assert_eq!(sets.len(), 1, "{package} compiles {library} with {sets:?}: {remedy}");
                assert_eq!(Some(&sets), tests.get(&library), "{package} and the tests compile {library}: {remedy}");
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen} libraries");
    }
}

/// Neither reads the other's manifests: contestants' programs share nothing with the judge but its command.
#[test]
fn judge_and_entries_are_workspaces_apart() {
    let metadata = metadata("Cargo.toml", &[]);
    let manifests = metadata["packages"].as_array().unwrap().iter();
    let manifests: Vec<&str> = manifests.map(|package| package["manifest_path"].as_str().unwrap()).collect();
    let entries = project().join("entries");
    let ours = |manifest: &&&str| std::path::Path::new(manifest).starts_with(project());
    assert!(manifests.iter().filter(ours).count() > 11, "{manifests:?}");
    assert!(!manifests.iter().any(|manifest| std::path::Path::new(manifest).starts_with(&entries)), "{manifests:?}");
    let lines = tree(&["--manifest-path", "entries/Cargo.toml", "--workspace", "-e", "all"]);
    let ours = |line: &&String| line.contains(&project().display().to_string());
    assert!(lines.iter().filter(ours).count() >= 8, "{lines:?}");
    let below = format!("({}", entries.display());
    let others: Vec<&String> = lines.iter().filter(ours).filter(|line| !line.contains(&below)).collect();
    assert!(others.is_empty(), "entries depend on {others:?}; call the command instead, by judge-command");
}

#[test]
fn the_core_opens_files_by_the_crate_for_files_only() {
    let calls = ["File::open", "File::create", "OpenOptions", "read_dir", "fs::read", "fs::write", "fs::remove"];
    let sources = files_below(&["judge/core/src"]);
    assert!(sources.len() > 40, "{}", sources.len());
    for source in sources.iter().filter(|source| !source.to_string_lossy().contains("tests")) {
        let text = fs::read_to_string(source).unwrap();
        let code = text.split("\nmod tests {").next().unwrap_or_default();
        for call in calls {
            assert!(!code.contains(call), "{} calls {call}", source.display());
        }
    }
}

/// Libraries name a way out as data, `judge_core::way_out`, and the command words it.
#[test]
fn no_message_of_a_library_names_an_option_or_a_command() {
    // All but judge-report, which has the words of the command.
    let crates = "core files job contest slurm package page sandbox show office office-web";
    let folders: Vec<String> = crates.split(' ').map(|name| format!("judge/{name}/src")).collect();
    let is_letter = |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase());
    let (mut sources, mut found) = (0, Vec::new());
    for source in files_below(&folders.iter().map(String::as_str).collect::<Vec<_>>()) {
        let is_test = source.iter().any(|part| part.to_string_lossy().contains("tests"));
        // They call other programs, such as Git, with options of those.
        let callers =
            ["slurm/src/ask.rs", "slurm/src/commands.rs", "slurm/src/nodes.rs", "show/src/versions/commit.rs"];
        let calls = callers.iter().any(|file| source.ends_with(file));
        if is_test || calls || source.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        sources += 1;
        let text = fs::read_to_string(&source).unwrap();
        let code = text.split("\nmod tests {").next().unwrap_or_default();
        // Another program has options, too.
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains("`systemd-run "));
        let names = |line: &&str| ["--", "`judge "].iter().any(|sign| line.split(sign).skip(1).any(is_letter));
        found.extend(lines.filter(names).map(|line| format!("{}: {}", source.display(), line.trim())));
    }
    assert!(sources > 250, "{sources}");
    assert_eq!(found, [""; 0], "name a `Hint`, and its words in judge/report/src/hint.rs");
}

/// Subscribers and reporters get data: a sentence in an event would be one that they cannot word anew.
#[test]
fn events_of_a_contest_have_no_text_of_a_library() {
    let interface = fs::read_to_string(project().join("judge/tests/public-api/judge-contest.txt")).unwrap();
    for (name, types) in [("Event", 2), ("EngineState", 1), ("Remark", 1)] {
        let is_head = |line: &&str| {
            let of = line.strip_prefix("pub ").and_then(|line| line.split(' ').nth(1));
            of.is_some_and(|of| of.split('<').next() == Some(name))
        };
        let heads = interface.lines().enumerate().filter(|(_, line)| is_head(line));
        let all: Vec<usize> = heads.map(|(at, _)| at).collect();
        assert_eq!(all.len(), types, "public types of judge-contest with the name {name}");
        for at in all {
            let parts: Vec<&str> = interface.lines().skip(at + 1).take_while(|line| line.starts_with(' ')).collect();
            assert!(parts.len() > 2, "{name}: {parts:?}");
            let text: Vec<&&str> = parts.iter().filter(|part| part.contains("String")).collect();
            assert!(text.is_empty(), "{name} has {text:?}; name the data, and word it in judge/src/cli");
        }
    }
}

#[test]
fn only_the_sandbox_uses_the_system() {
    // Clippy forbids the calls; this forbids to allow them, and a clock by another name. The first exception chooses how
    // something is shown, the second says in the log how long a request took, the third that the wall clock was set.
    let allowed = [
        "judge/show/src/screen.rs",
        "judge/office-web/src/guard.rs",
        "judge/office-web/src/clock_monitor.rs",
        // It starts a second program, the next one valgrind, and the others themselves as another user.
        "judge/office/src/view/tests/second_program.rs",
        "judge/office/src/judging/tests/instructions.rs",
        "judge/contest/src/external/game/tests.rs",
        "judge/contest/src/external/game/tests/rogues.rs",
    ];
    // They read TMPDIR; the executor of this machine knows its folders, and the command passes them on.
    let temporary = ["temp_dir()", "tempdir()", "tempfile()", "NamedTempFile::new()", "TempDir::new()"];
    let crates = "src core/src files/src job/src contest/src slurm/src office/src office-web/src package/src page/src report/src show/src";
    let crates: Vec<String> = crates.split(' ').map(|folder| format!("judge/{folder}")).collect();
    let sources = files_below(&crates.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(sources.len() > 80, "{}", sources.len());
    for source in sources.iter().filter(|source| source.extension().is_some_and(|extension| extension == "rs")) {
        let text = fs::read_to_string(source).unwrap();
        if !allowed.iter().any(|end| source.ends_with(end)) {
            assert!(!text.contains("clippy::disallowed"), "{} allows what clippy.toml forbids", source.display());
            for name in ["Instant", "SystemTime", "clock_gettime", "Command::new"] {
                assert!(!text.contains(name), "{} names {name}", source.display());
            }
        }
        let is_test = source.iter().any(|part| part.to_string_lossy().contains("tests"));
        // The command chooses its folders itself.
        if !is_test && !source.starts_with(project().join("judge/src")) {
            let code = text.split("\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let reads = |line: &&str| temporary.iter().any(|call| line.contains(call));
            let found: Vec<&str> = lines.filter(reads).collect();
            assert!(found.is_empty(), "{}: {found:?} reads TMPDIR; use the executor's folders", source.display());
        }
    }
    let forbidden = fs::read_to_string(project().join("judge/clippy.toml")).unwrap();
    let calls = ["process::Command::new", "time::Instant::now", "time::SystemTime::now", "env::var", "env::var_os"];
    for call in calls {
        assert!(forbidden.contains(&format!("\"std::{call}\"")), "clippy.toml does not forbid {call}");
    }
}
