//! What a build may write and see, with links in the way.

use std::os::unix::fs::{MetadataExt as _, chown};

use super::{SECRET, Site};
use crate::support::*;

#[test]
#[ignore = "deep: siege"]
fn a_build_writes_no_folder_that_a_link_leads_to() {
    Site::each(|site| {
        let before = fs::read(site.path("rival/solver")).unwrap();
        for target in
            [PathBuf::from("../rival"), "..".into(), "../home".into(), site.path("rival"), "/usr/local/bin".into()]
        {
            site.link("mine/bin", &target);
            let steals = "build = \"echo stolen > mine/bin/solver; echo stolen > mine/bin/secret; true\"";
            for (what, keys) in rows! {
                ("folder", format!("{}{steals}\n", entry("mine", &["mine/bin/solver"]))),
                ("named folder", format!("{}{steals}\nfolder = \"mine/bin\"\n", entry("mine", &["python3"]))),
                ("writable", format!("{}{steals}\n[build]\nwritable = [\"mine/bin\"]\n", entry("mine", &["mine/solver"]))),
            } {
                let ran = site.run("out", &keys);
                fs::remove_dir_all(site.path("out")).ok();
                assert!(ran.code == Some(2) || ran.printed.contains("0/BLD"), "{what} {target:?}: {}", ran.printed);
                assert!(ran.printed.contains("symbolic link"), "{what} {target:?}: {}", ran.printed);
                assert_eq!(fs::read(site.path("rival/solver")).unwrap(), before);
                assert_eq!(fs::read_to_string(site.path("home/secret")).unwrap(), SECRET);
                let stolen = ["solver", "secret"].map(|name| Path::new("/usr/local/bin").join(name).exists());
                assert!(stolen == [false; 2] && !site.path("solver").exists());
            }
        }
    });
}

#[test]
#[ignore = "deep: siege"]
fn what_a_build_links_to_costs_only_its_build() {
    Site::each(|site| {
        site.folder.file("mine/README.md", "a write-up");
        let makes = |links: &str| {
            let show = "printf '#!/bin/sh\\ncat \"$1\" >&2; echo lluu\\n' > mine/show; chmod +x mine/show";
            format!("build = {:?}\n", format!("{show}; {links}"))
        };
        for (number, (keys, links)) in [
            ("readable = [\"mine/data\"]\n", "ln -sfn ../home/secret mine/data"),
            ("readable = [\"mine/data\"]\n", "rm -rf mine/data; ln -sfn ../home mine/data"),
            ("working_files = [\"mine/data\"]\n", "ln -sfn ../home/inner/secret mine/data"),
            ("", "ln -sfn ../home/secret mine/show"),
            ("", "ln -sfn ../rival/solver mine/show"),
            ("write_up = \"mine/README.md\"\n", "ln -sfn ../home/secret mine/README.md; false"),
        ]
        .into_iter()
        .enumerate()
        {
            let out = format!("out{number}");
            site.folder.file("mine/README.md", "a write-up");
            let lines = entry("mine", &["mine/show", "mine/data"]) + keys + &makes(links);
            let ran = site.run(&out, &(lines + &entry("rival", &["rival/solver"])));
            assert_eq!(ran.code, Some(0), "{links}: {}", ran.printed);
            assert!(ran.printed.contains("0/BLD") && ran.printed.contains("25/4"), "{links}: {}", ran.printed);
            site.is_tight(links, &ran, &out);
            // The links are there now. The contest goes on, and nothing is published.
            let again = site.judge(&["resume", &out, "--report"]);
            assert_eq!(again.code, Some(0), "{links}: {}", again.printed);
            site.is_tight(links, &again, &out);
            fs::remove_dir_all(site.path("mine")).unwrap();
        }
    });
}

#[test]
#[ignore = "deep: siege"]
fn a_build_sees_neither_a_rival_nor_its_answers() {
    Site::each(|site| {
        let rival = entry("rival", &["rival/solver"]);
        let first = site.run("results", &rival);
        assert_eq!(first.code, Some(0), "{}", first.printed);
        let looks = "ls -R . .. home rival results >mine/loot 2>/dev/null; \
            cat rival/* home/* contest.toml board.txt results/journal.jsonl results/*/*/*/* results/output/1/rival/NEAR.1.out \
            >>mine/loot 2>/dev/null; printf '#!/bin/sh\\necho lluu\\n' > mine/solver; chmod +x mine/solver";
        let late = entry("mine", &["mine/solver"]) + &format!("build = {looks:?}\n");
        let text = site.folder.read("contest.toml");
        site.folder.file("contest.toml", text + &late);
        let ran = site.judge(&["update", "--isolation", site.isolation, "results"]);
        assert_eq!((ran.code, ran.printed.matches("25/4").count() >= 2), (Some(0), true), "{}", ran.printed);
        let loot = site.folder.read("mine/loot");
        for hidden in [SECRET, "lluu", "journal", "solver\n\n", "[[entry]]", "ABCDE"] {
            assert!(!loot.contains(hidden), "{:?}: {loot}", (site.isolation, site.user));
        }
        // What the organiser names is seen, but never the results.
        site.folder.file("lib/shared", "for all");
        let named = text_with(&site.folder, "[build]\nreadable = [\"lib\"]\n", "cat lib/shared >> mine/loot");
        site.folder.file("contest.toml", named);
        site.close();
        let ran = site.judge(&["run", "--isolation", site.isolation, "--out", "second", "--entries", "mine"]);
        assert!(ran.code == Some(0) && site.folder.read("mine/loot").contains("for all"), "{}", ran.printed);
        // The results to be, and earlier ones: whole, a part, and in a folder.
        let named = site.folder.read("contest.toml");
        for shown in [".", "results", "results/output/1", "old"] {
            if shown == "old" {
                fs::create_dir(site.path("old")).unwrap();
                fs::rename(site.path("second"), site.path("old/second")).unwrap();
            }
            site.folder.file("contest.toml", named.replace("[\"lib\"]", &format!("[{shown:?}]")));
            let ran = site.judge(&["run", "--isolation", site.isolation, "--out", "third", "--entries", "mine"]);
            assert_eq!(ran.code, Some(2), "{shown}: {}", ran.printed);
            assert!(ran.printed.contains("builds would see the answers of other entries"), "{shown}: {}", ran.printed);
        }
    });
}

#[test]
#[ignore = "deep: siege"]
fn a_check_finds_a_build_that_would_see_the_results_to_be() {
    let folder = Folder::new();
    folder.script("mine/solver", "echo lluu");
    folder.file("shared/notes.txt", "");
    let text = contest(&[("NEAR", &board("near-end-1"))]) + &entry("mine", &["mine/solver"]) + "build = \"true\"\n";
    for key in ["readable", "writable"] {
        let with = |folder: &str| format!("{text}[build]\n{key} = [{folder:?}]\n");
        folder.file("contest.toml", with("shared"));
        folder.judge(["check"]).exits(0);
        folder.file("contest.toml", with("."));
        let found = folder.judge(["check"]).exits(2).stdout;
        assert!(found.contains("builds would see the answers of other entries"), "{key}: {found}");
        assert!(!folder.path().join("runs").exists(), "a check writes nothing");
    }
}

/// The contest file with a table at its end, and another build command.
fn text_with(folder: &Folder, table: &str, build: &str) -> String {
    let text = folder.read("contest.toml");
    let lines =
        text.lines().map(|line| if line.starts_with("build =") { format!("build = {build:?}") } else { line.into() });
    lines.collect::<Vec<_>>().join("\n") + "\n" + table
}

#[test]
#[ignore = "deep: siege"]
fn a_build_that_misses_a_file_of_the_contest_says_how_to_name_it() {
    let folder = Folder::new();
    folder.file("lib/shared.txt", "for all");
    let build = "build = \"cat lib/shared.txt\"\n";
    folder.file("contest.toml", contest(&[("NEAR", &board("near-end-1"))]) + &entry("mine", &["mine/solver"]) + build);
    let printed = folder.judge(["run", "--out", "out"]).exits(0);
    let hint = "a build sees its own folder only: add \"lib/shared.txt\" to `[build] readable` if it needs that";
    assert!(printed.stderr.contains(hint), "{}", printed.stderr);
}

#[test]
#[ignore = "deep: siege"]
fn the_owner_of_a_build_is_never_that_of_what_a_link_leads_to() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    Site::each(|site| {
        if site.user.is_some() {
            return;
        }
        fs::create_dir(site.path("mine")).unwrap();
        chown(site.path("mine"), Some(64_102), Some(64_102)).unwrap();
        site.link("mine/bin", "../rival");
        let build = "build = \"id -u > mine/bin/who; id -u > mine/who\"\n";
        let ran = site.run("out", &(entry("mine", &["mine/bin/solver"]) + build));
        assert!(ran.code == Some(2) && !site.path("rival/who").exists(), "{}", ran.printed);
        site.run("out", &(entry("mine", &["mine/solver"]) + "build = \"id -u > mine/who\"\n"));
        // In namespaces each build has its own user, and its folder keeps its owner on disk.
        let who: u32 = site.folder.read("mine/who").trim().parse().unwrap();
        assert!(who == 64_102 || (60_706..=61_183).contains(&who), "{who}");
        assert_eq!(fs::metadata(site.path("mine/who")).unwrap().uid(), 64_102);
    });
}
