//! Files that commands write where the user says: as a whole, and never over something else.

use crate::rulings::unsolved;
use crate::support::*;

#[test]
fn a_page_or_a_figure_replaces_nothing_but_one_of_its_kind() {
    let folder = unsolved();
    folder.judge(["report", "out", "-o", "page.html"]).exits(0);
    folder.judge(["figure", "scores", "out", "-o", "scores.svg"]).exits(0);
    let report = |file| vec!["report", "out", "-o", file];
    let figure = |file| vec!["figure", "scores", "out", "-o", file];
    let tried = |file| vec!["try", "--contest", "contest.toml", "--page", file, "--", "echo", "rd"];
    // An ending that figures have.
    folder.file("contest.svg", folder.read("contest.toml"));
    for (command, kind) in [(&report as &dyn Fn(_) -> Vec<_>, "an HTML page"), (&figure, "an SVG figure")] {
        let own = if kind == "an HTML page" { "page.html" } else { "scores.svg" };
        for file in ["out/journal.jsonl", "contest.toml", "contest.svg", "out/results.csv", "scores.svg", "page.html"] {
            let before = folder.read(file);
            if file == own {
                folder.judge(command(file)).exits(0);
                assert_eq!(folder.read(file), before);
                continue;
            }
            let message = folder.judge(command(file)).exits(2).message();
            let expected = match kind == "an SVG figure" && !file.ends_with(".svg") {
                true => format!("judge: {file}: unknown format; name a file that ends with .svg, .pdf or .png\n"),
                false => format!(
                    "judge: {file}: is not {kind}, so it is not replaced; name another file, or remove this one first\n"
                ),
            };
            assert_eq!(message, expected);
            assert_eq!(folder.read(file), before, "{file}");
        }
    }
    let contest = folder.read("contest.toml");
    folder.judge(tried("contest.toml")).exits(2).says(["contest.toml: is not an HTML page"]);
    assert_eq!(folder.read("contest.toml"), contest);
    // A device is written, an empty file is replaced, and a link stays one.
    folder.judge(report("/dev/null")).exits(0);
    folder.file("empty.html", "");
    std::os::unix::fs::symlink("empty.html", folder.path().join("link.html")).unwrap();
    folder.judge(report("link.html")).exits(0);
    assert_eq!(folder.read("empty.html"), folder.read("page.html"));
    assert!(fs::symlink_metadata(folder.path().join("link.html")).unwrap().is_symlink());
}

#[test]
fn a_page_that_cannot_be_written_to_its_end_leaves_the_one_before() {
    let folder = unsolved();
    folder.judge(["report", "out"]).exits(0);
    folder.judge(["report", "out", "-o", "page.html"]).exits(0);
    let before = folder.read("out/report.html");
    let names = || {
        let names = fs::read_dir(folder.path().join("out")).unwrap().map(|item| item.unwrap().file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let all = names();
    let judge = env!("CARGO_BIN_EXE_judge");
    for output in ["", "-o page.html"] {
        // No file may have more than 8 blocks.
        let script = format!("trap '' XFSZ; ulimit -f 8; exec {judge} report out {output}");
        let mut command = std::process::Command::new("sh");
        let ended = command.args(["-c", &script]).current_dir(folder.path()).output().unwrap();
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(3), "{message}");
        assert!(message.contains("File too large"), "{message}");
    }
    assert_eq!(folder.read("out/report.html"), before);
    assert_eq!(folder.read("page.html"), before);
    assert_eq!(names(), all, "nothing is left behind");
}

#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let folder = Folder::new();
    for args in [&["--help"][..], &["-h"], &["--version"], &["run", "--help"], &["help", "rank"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = folder.command(args.iter().copied()).stdout(Stdio::from(full)).output().unwrap();
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(3), "{args:?}: {message}");
        assert_eq!(message, "judge: standard output: No space left on device (os error 28)\n", "{args:?}");
    }
}
