//! Tests that the files a build leaves decide the result of its entry.

use super::*;

#[test]
fn a_build_is_judged_by_its_end_and_its_files() {
    let entries = ENTRIES.replace("command", "build = \"make all\"\ncommand") + "readable = [\"b/table\"]\n";
    let more = "[[entry]]\nname = \"c\"\ncommand = \"c/solve\"\nbuild = \"make c\"\nwithdrawn = \"gone\"\n\
                [build]\nfetch = \"fetch it\"\n";
    let folder = Folder::new(&[HEAD, BOARDS, &entries, more].concat());
    folder.file("b/table", "1 2 3");
    let contest = folder.contest();
    let planned = plan(&contest);
    assert_eq!(planned.len(), 1, "one command for two entries, none for one that is out");
    assert_eq!((&*planned[0].command, &*planned[0].entries), ("make all", &["a".to_owned(), "b".to_owned()][..]));
    let results = folder.results();
    let builder = Builder { contest: &contest, results: &results, environment: &|_| None };
    let build = |act: &Behaviour<'_>| builder.build(&planned[0], &FakeExecutor(act));
    let (built, log) = build(&|job| {
        assert!(words(job).contains("make all") && words(job).contains("2>&1"), "{job:?}");
        assert_eq!(job.writable.len(), 2, "the folders of both");
        Ok((End::Exited { code: 0 }, "fine\n".into()))
    })
    .unwrap();
    assert_eq!((&built.built, built.attempt, built.wall_us), (&Built::Succeeded, 1, Some(7)));
    assert_eq!(log, results.join("builds/a.1.log"));
    assert_eq!(fs::read_to_string(&log).unwrap(), "fine\n");
    // The end of its output is its reason.
    let printed: String = (1..=30).map(|line| format!("line {line}\n\n")).collect();
    let (built, log) = build(&|_| Ok((End::Exited { code: 2 }, printed.clone()))).unwrap();
    assert_eq!((built.attempt, log), (2, results.join("builds/a.2.log")));
    let Built::Failed { reason } = built.built else { panic!("{built:?}") };
    assert!(reason.starts_with("`make all` ended with exit code 2: line 11 | line 12 |"), "{reason}");
    assert!(reason.ends_with("| line 30"), "{reason}");
    let reason = |end: End| build(&|_| Ok((end.clone(), String::new()))).unwrap().0.built;
    assert!(matches!(reason(End::TimedOut), Built::Failed { reason } if !reason.ends_with(": ")));
    let refused = End::CouldNotStart { reason: "no sh".into(), by_author: false };
    assert_eq!(reason(refused), Built::JudgeError { reason: "building with `make all`: no sh".into() });
    // An author can keep changing a file while the build is started. The build is not repeated then.
    let changed = End::CouldNotStart { reason: "it was changed".into(), by_author: true };
    let expected = Built::Failed { reason: "`make all` could not be started: it was changed".into() };
    assert_eq!(reason(changed), expected);
    let panicked = build(&|_| panic!("boom")).unwrap().0;
    assert_eq!(panicked.built, Built::JudgeError { reason: "the executor panicked: boom".into() });
    assert!(matches!(build(&|_| Err(Interrupted)), Err(BuildsError::Interrupted)));
    // A file that an entry reads, and that is still missing.
    fs::remove_file(folder.0.path().join("b/table")).unwrap();
    let missing = reason(End::Exited { code: 0 });
    assert!(
        matches!(&missing, Built::Failed { reason } if reason.contains("`make all` succeeded, but")),
        "{missing:?}"
    );
    // A file that takes hours to read but no space: it is the author's failure, and the judge does not read it.
    fs::File::create(folder.0.path().join("b/table")).unwrap().set_len(1 << 40).unwrap();
    let endless = reason(End::Exited { code: 0 });
    let expected = "b/table: it has 1.0 TiB, which is more than 16.0 GiB";
    assert!(matches!(&endless, Built::Failed { reason } if reason.ends_with(expected)), "{endless:?}");
    // The command that fetches what builds need runs first.
    let fetch = |act: &Behaviour<'_>| builder.fetch(&FakeExecutor(act));
    fetch(&|job| Ok((End::Exited { code: i32::from(!words(job).contains("fetch it")) }, String::new()))).unwrap();
    let failed = fetch(&|_| Ok((End::Exited { code: 1 }, "offline".into()))).unwrap_err().to_string();
    assert!(failed.starts_with("`fetch it` ended with exit code 1: offline; see "), "{failed}");
    assert!(matches!(fetch(&|_| Err(Interrupted)), Err(BuildsError::Interrupted)));
}

#[test]
fn a_failed_build_is_said_in_one_line_with_its_first_error() {
    for (reason, line) in rows! {
        (
            "`cc -o a a.c` ended with exit code 1: a.c: In function: | a.c:1:5: error: one | a.c:2:5: error: two",
            "`cc -o a a.c` ended with exit code 1: a.c:1:5: error: one",
        ),
        // A command that contains the separator of lines.
        ("`cat a | cc -` ended with exit code 1: warning | Error: x: y", "`cat a | cc -` ended with exit code 1: Error: x: y"),
        ("`make` ended with exit code 2: first | second", "`make` ended with exit code 2: first"),
        ("`make` ended with exit code 2", "`make` ended with exit code 2"),
        ("`nothing` could not be started: no such file", "`nothing` could not be started: no such file"),
        ("its files cannot be written", "its files cannot be written"),
        (
            "`cc` ended with exit code 1: a.c:1: fatal error: b.h | stop; a build sees its own folder only: add \"b.h\" to x",
            "`cc` ended with exit code 1: a.c:1: fatal error: b.h; a build sees its own folder only: add \"b.h\" to x",
        ),
    } {
        assert_eq!(crate::builds::first_error(reason), line);
    }
}
