//! A second list of attacks, written after the first was closed: races, hard links, special files, closed folders.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{SECRET, SHOW, Site};
use crate::support::*;

/// What an entry's build does, in which `mine` stands for its folder, with further keys of the entry.
const DEEDS: &[(&str, &str)] = &rows! {
    // Its folder becomes a link.
    ("", "mv mine old; ln -s rival mine; rm -rf mine; ln -s rival mine"),
    // Hard links: to a secret, to a rival, to what it may read.
    ("", "ln home/secret mine/data; ln rival/solver mine/x && echo stolen > mine/x"),
    ("", "ln lib/shared mine/x && echo stolen > mine/x; ln -P lib/shared mine/y"),
    // What it may read is moved.
    ("", "mv lib/shared mine/z; mv lib mine/lib; echo stolen > lib/shared"),
    // Its folder is closed.
    ("write_up = \"mine/README.md\"", "chmod 000 mine"),
    ("", "mkdir mine/in; mv mine/solver mine/in; ln -s in/solver mine/solver; chmod 000 mine/in"),
    // Special files.
    ("", "rm mine/solver; mkfifo mine/solver"),
    ("write_up = \"mine/README.md\"", "rm mine/README.md; mkfifo mine/README.md"),
    ("write_up = \"mine/README.md\"", "ln -sfn ../home/secret mine/README.md"),
    ("", "rm mine/solver; mkdir mine/solver"),
    ("readable = [\"mine/data\"]", "rm -f mine/data; mkfifo mine/data"),
    // Links beneath what is shown, and by /proc.
    (
        "working_files = [\"mine/data\"]",
        "mkdir mine/data; ln -s ../../home/secret mine/data/secret; \
      printf '#!/bin/sh\\ncat secret >&2; echo lluu\\n' > mine/solver",
    ),
    ("readable = [\"mine/data\"]", "ln -s /proc/self/root/etc/passwd mine/data"),
    ("", "rm mine/solver; ln -s /proc/self/exe mine/solver"),
    // Names and depths.
    ("readable = [\"mine/a\\nb\"]", "mkdir 'mine/a\nb'"),
    ("", "cd mine; i=0; while [ $i -lt 300 ]; do mkdir deeeeeeeeeeeeep && cd deeeeeeeeeeeeep || break; i=$((i+1)); done"),
    // What `[build]` names in its folder.
    ("", "rm -rf mine/named; ln -s ../home mine/named; cat mine/named/* m*/named/secret > mine/loot"),
    ("", "rmdir mine/shared mine/shared/*; ln -s ../rival mine/shared; echo stolen > mine/shared/solver"),
};

#[test]
#[ignore = "deep: siege"]
fn no_act_of_a_build_reaches_beyond_its_folder_or_fails_the_judge() {
    Site::each(|site| {
        site.folder.file("lib/shared", "for all");
        let rival = fs::read(site.path("rival/solver")).unwrap();
        let mut lines = entry("rival", &["rival/solver"]);
        let last = DEEDS.len() - 1;
        for (number, (keys, deed)) in DEEDS.iter().enumerate() {
            let name = format!("m{number}");
            site.folder.file(&format!("{name}/README.md"), "a write-up");
            let solver = "printf '#!/bin/sh\\necho lluu\\n' > mine/solver; chmod +x mine/solver";
            let build = format!("{solver}; {deed}; true").replace("mine", &name);
            lines += &entry(&name, &[&format!("{name}/solver")]);
            lines += &format!("build = {build:?}\n{}\n", keys.replace("mine", &name));
        }
        lines += &format!("[build]\nreadable = [\"lib\", \"m{}/named\"]\nwritable = [\"m{last}/shared\"]\n", last - 1);
        let check = |what: &str, ran: &super::Ran, out: &str| {
            site.is_tight(what, ran, out);
            assert_eq!(ran.code, Some(0), "{what}: {}", ran.printed);
            let journal = site.folder.read(&format!("{out}/journal.jsonl"));
            assert!(!journal.contains("judge_error"), "{what}: {}", ran.printed);
            let rivals = journal.lines().find(|line| line.contains("\"line\":\"run\"") && line.contains("\"rival\""));
            assert!(rivals.unwrap().contains("\"solved\""), "{what}: {}", ran.printed);
            assert_eq!(fs::read(site.path("rival/solver")).unwrap(), rival, "{what}");
            assert_eq!(site.folder.read("lib/shared"), "for all", "{what}");
            assert!(!site.path("old").exists() && site.path("m0").symlink_metadata().unwrap().is_dir(), "{what}");
            for number in 0..=last {
                let loot = fs::read_to_string(site.path(&format!("m{number}/loot"))).unwrap_or_default();
                assert!(!loot.contains(SECRET), "{what}: m{number}");
            }
        };
        check("a first run", &site.run("out", &lines), "out");
        // What the builds left there is met once more.
        check("a resumed run", &site.judge(&["resume", "out", "--report"]), "out");
        check("a second run", &site.judge(&["run", "--isolation", site.isolation, "--out", "second"]), "second");
        for number in 0..=last {
            for name in [format!("m{number}"), format!("m{number}/in")] {
                fs::set_permissions(site.path(&name), fs::Permissions::from_mode(0o755)).ok();
            }
        }
    });
}

/// Tells a thread to end when it is dropped, also by a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
#[ignore = "deep: siege"]
fn a_link_that_flickers_shows_nothing() {
    Site::each(|site| {
        site.folder.script("mine/show", SHOW);
        site.folder.file("mine/data/file", "own");
        let over = AtomicBool::new(false);
        let at = format!("file:{}", site.path("mine/data/file").display());
        let keys = "readable = [\"mine/data/file\"]\nbuild = \"true\"\n";
        let lines: String = (0..8).map(|number| entry(&format!("e{number}"), &["mine/show", &at]) + keys).collect();
        symlink("../home", site.path("link")).unwrap();
        site.folder.file("home/file", SECRET);
        site.close();
        let ran = std::thread::scope(|scope| {
            let _over = Over(&over);
            scope.spawn(|| {
                let exchange = |a: &str, b: &str| {
                    let flags = rustix::fs::RenameFlags::EXCHANGE;
                    rustix::fs::renameat_with(rustix::fs::CWD, site.path(a), rustix::fs::CWD, site.path(b), flags)
                        .unwrap();
                };
                while !over.load(Ordering::Relaxed) {
                    exchange("link", "mine/data");
                    exchange("link", "mine/data");
                }
            });
            site.run("out", &lines)
        });
        site.is_tight("a race", &ran, "out");
        assert!(!ran.printed.contains("/JUD"), "{}", ran.printed);
    });
}
