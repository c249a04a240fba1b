//! Tests of a contest's programs: hashing, keeping and checking them, and a journal that cannot be written.

use super::*;
use crate::check::{self, Level};
use crate::programs::{StoredFiles, hashes, keep, keep_one};
use judge_core::fingerprint::sha256_of;
use judge_core::journal::STORED;

#[test]
fn programs_up_to_the_limit_are_kept_under_their_hashes() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    folder.file("b/solve", "#!/bin/sh\nexit 1\n");
    let mut contest = folder.contest();
    let all = hashes(&contest, None);
    let [a, b] = ["#!/bin/sh\n", "#!/bin/sh\nexit 1\n"].map(|text| sha256_of(text.as_bytes()));
    assert_eq!((&all["a"]["a/solve"], &all["b"]["b/solve"]), (&a, &b));
    let results = folder.results();
    let stored = |hash: &str| fs::read_to_string(results.join(STORED).join(hash)).ok();
    // The first program has ten bytes, the second one seventeen.
    contest.keep_programs = 0;
    assert_eq!(keep_one(&contest, &all["a"], &results), StoredFiles::default());
    contest.keep_programs = 10;
    let kept = keep(&contest, &all, &results);
    let StoredFiles { kept: files, of_system, refused } = &kept["a"];
    assert_eq!((&**files, refused), (&["a/solve".to_owned()][..], &None));
    assert!(of_system.len() == 1 && of_system[0].ends_with("/sh"), "{of_system:?}");
    let refused = kept["b"].refused.as_deref().unwrap();
    assert!(refused.starts_with("it has 17 bytes, `keep_programs` is 10;") && kept["b"].kept.is_empty(), "{refused}");
    assert_eq!((stored(&a).as_deref(), stored(&b)), (Some("#!/bin/sh\n"), None));
    // A program that has changed since it was hashed is not kept under that hash. A kept program is not copied again.
    contest.keep_programs = 100;
    fs::remove_file(folder.0.path().join("a/solve")).unwrap();
    fs::create_dir(folder.0.path().join("a/other")).unwrap();
    folder.file("b/solve", "changed");
    let kept = keep(&contest, &all, &results);
    assert!(kept["b"].refused.as_deref().unwrap().ends_with("changed while it was read; try again"), "{kept:?}");
    assert_eq!(stored(&b), None);
}

#[test]
fn a_program_that_cannot_start_is_found_before() {
    use std::os::unix::fs::PermissionsExt as _;
    let entry = |name: &str, command: &str| format!("[[entry]]\nname = \"{name}\"\ncommand = {command}\n");
    let entries = [
        entry("good", "\"a/solve\""),
        entry("plain", "\"b/solve\""),
        entry("none", "\"a/solver\""),
        entry("folder", "\"./a\""),
        entry("script", "[\"a/solve\", \"a/solv.py\", \"--x\", \"a/solve\"]"),
        entry("interpreter", "\"c/solve\""),
        entry("built", "\"d/solve\"") + "build = \"make\"\n",
        entry("unbuilt", "\"d/solve\"") + "build = \"make\"\n",
        entry("out", "\"e/solve\"") + "withdrawn = \"gone\"\n",
        entry("nowhere", "\"f/nowhere\""),
        entry("nowhere-script", "[\"a/solve\", \"f/nowhere\"]"),
        entry("absent-script", "[\"a/solve\", \"f/absent\", \"f/other\"]"),
        entry("plain-text", "\"f/text\""),
        entry("foreign", "\"f/foreign\""),
        entry("folder-script", "[\"sh\", \"g\"]"),
        entry("folder-with-main", "[\"python3\", \"./f\"]"),
        entry("folder-argument", "[\"a/solve\", \"g\", \"f\"]"),
        entry("words", "[\"a/solve\", \"--x=f/absent\", \"s/a/b/\", \"f/absent\"]"),
    ];
    let folder = Folder::new(&[EXIT_HEAD, BOARDS, &entries.concat()].concat());
    folder.file("c/solve", "#!/no/such/interpreter\n");
    fs::create_dir(folder.0.path().join("d")).unwrap();
    fs::create_dir(folder.0.path().join("f")).unwrap();
    fs::create_dir(folder.0.path().join("g")).unwrap();
    folder.file("f/__main__.py", "print()\n");
    folder.file("bin/python3", "#!/bin/sh\n");
    folder.file("f/text", "echo hello\n");
    // The head of a program for another processor: the first bytes of this program, with another machine number.
    let mut foreign = fs::read("/proc/self/exe").unwrap();
    foreign.truncate(64);
    foreign[18] ^= 0x80;
    fs::write(folder.0.path().join("f/foreign"), foreign).unwrap();
    std::os::unix::fs::symlink("no-such-file", folder.0.path().join("f/nowhere")).unwrap();
    for name in ["a/solve", "c/solve", "f/text", "f/foreign", "bin/python3"] {
        fs::set_permissions(folder.0.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let contest = folder.contest();
    let unbuilt = BTreeMap::from([("unbuilt".to_owned(), Built::Failed { reason: "no compiler".into() })]);
    let path = format!("{}:/bin", folder.0.path().join("bin").display());
    let found = check::programs(&contest, Some(&path), &unbuilt);
    let found: Vec<_> = found.iter().map(|one| (one.subject.to_string(), one.level, &*one.finding)).collect();
    let expected = [
        ("referee", Level::Problem, "referee is not executable; make it so with `chmod +x`"),
        ("entry good", Level::Good, ""),
        ("entry plain", Level::Problem, "b/solve is not executable; make it so with `chmod +x`"),
        ("entry none", Level::Problem, "a/solver: no such file; build it, or correct `command`"),
        ("entry folder", Level::Problem, "a is a folder; name the program in it"),
        ("entry script", Level::Problem, "a/solv.py"),
        ("entry interpreter", Level::Problem, "c/solve needs /no/such/interpreter, which is not there; install it"),
        ("entry built", Level::Notice, "d/solve is not there yet; `make` builds it"),
        ("entry nowhere", Level::Problem, "f/nowhere is a link to no-such-file, which is not there; make the file"),
        ("entry nowhere-script", Level::Problem, "f/nowhere is a link to no-such-file, which is not there; make the"),
        ("entry absent-script", Level::Problem, "f/absent: no such file; build it, or correct `command`"),
        ("entry plain-text", Level::Problem, "f/text is not a program for this machine; build it here, or give a"),
        ("entry foreign", Level::Problem, "f/foreign is not a program for this machine"),
        ("entry folder-script", Level::Problem, "g is a folder; name the program in it"),
        ("entry folder-with-main", Level::Problem, "./f is a folder; name the program in it, such as ./f/__main__.py"),
        // A program of the author can take the name of a folder as any kind of argument.
        ("entry folder-argument", Level::Good, ""),
        ("entry words", Level::Good, ""),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((subject, level, finding), (name, of_level, begin)) in found.iter().zip(expected) {
        assert_eq!((&**subject, *level), (name, of_level), "{finding}");
        assert!(finding.starts_with(begin), "{finding}");
    }
    assert_eq!(check::referee_problem(&contest, None).map(|(_, reason)| reason).as_deref(), Some(expected[0].2));
    // Another user cannot use a file that only its owner may read, or execute if it is not a script.
    for (mode, expected) in [(0o755, 0), (0o700, 3), (0o744, 3), (0o711, 3)] {
        fs::set_permissions(folder.0.path().join("a/solve"), fs::Permissions::from_mode(mode)).unwrap();
        let closed = check::closed_files(&contest, &unbuilt);
        let of = |name: &str| closed.iter().filter(|one| one.subject.entry() == Some(name)).count();
        let number: usize = ["good", "script", "words"].into_iter().map(of).sum();
        assert!(number >= expected && (number == 0) == (expected == 0), "{mode:o}: {closed:#?}");
    }
    fs::set_permissions(folder.0.path().join("f/text"), fs::Permissions::from_mode(0o744)).unwrap();
    let closed = check::closed_files(&contest, &unbuilt);
    let text = closed.iter().find(|one| one.subject.entry() == Some("plain-text")).unwrap();
    assert_eq!(text.finding, "f/text is closed to the user that programs run as; open it with `chmod a+x`");
    fs::set_permissions(folder.0.path().join("a/solve"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.0.path().join("a/solve").display().to_string();
    assert_eq!(check::problem(&[path], folder.0.path(), Some("/bin")), None);
    let problem = check::problem(&["no-such-program".to_owned()], folder.0.path(), Some("/bin")).unwrap();
    assert!(problem.starts_with("no-such-program is not on the PATH"), "{problem}");
}

#[test]
fn sealed_boards_are_there_before_they_count() {
    let seal = judge_core::fingerprint::sha256_of(NEAR.as_bytes());
    let rounds = format!(
        "[[round]]\nname = \"A\"\nboards = [\"Y\"]\n\
         [[round]]\nname = \"B\"\nboards = [\"X\"]\nsealed = \"sha256:{seal}\"\n"
    );
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES, &rounds].concat());
    let mut contest = folder.contest();
    let names = |contest: &Contest| contest.plan.boards.iter().map(|board| board.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&contest), ["Y"]);
    assert!(contest.has_board("X") && contest.has_board("Y") && !contest.has_board("Z"));
    contest.unseal(|name| name == "Y");
    assert_eq!(names(&contest), ["Y"]);
    contest.unseal(|name| name == "X");
    assert_eq!(names(&contest), ["X", "Y"], "in the order of the file");
    let other = Folder::new(&[HEAD, BOARDS, ENTRIES].concat()).contest().plan;
    contest.adopt(other.clone()).unwrap();
    assert_eq!(contest.plan, other);
}
