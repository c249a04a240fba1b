//! What an entry's keys name, with links in the way: shown only if it is its own, the organiser's or the system's.

use super::{SECRET, SHOW, Site, mine};
use crate::support::*;

#[test]
#[ignore = "deep: siege"]
fn what_a_link_leads_to_is_neither_shown_nor_published_nor_written() {
    Site::each(|site| {
        site.folder.script("mine/show", SHOW);
        let absolute = site.path("home/secret");
        let at = |name: &str| format!("file:{}", site.path(name).display());
        let data = at("mine/data");
        let mut number = 0;
        for target in [Path::new("../home/secret"), &absolute, Path::new("up/home/secret")] {
            site.link("mine/up", "..");
            site.link("mine/data", target);
            for (what, lines) in [
                ("command", mine("mine/data", "")),
                ("absolute word", mine(&site.path("mine/data").to_string_lossy(), "")),
                ("{dir}", mine("{dir}/mine/data", "")),
                ("program", entry("mine", &["mine/data"])),
                ("readable", mine(&data, "readable = [\"mine/data\"]")),
                ("through a folder", mine(&at("mine/up/home/secret"), "readable = [\"mine/up/home/secret\"]")),
                ("folder", mine(&at("mine/up/home/secret"), "readable = [\"mine/up/home\"]")),
                ("working_files", mine("secret", "working_files = [\"mine/data\"]")),
                ("working_files of a folder", mine("secret", "working_files = [\"mine/up/home\"]")),
                ("write_up", mine("none", "write_up = \"mine/data\"")),
            ] {
                number += 1;
                let out = format!("out{number}");
                let ran = site.run(&out, &lines);
                site.is_tight(what, &ran, &out);
                assert_eq!(ran.code, Some(2), "{what}: {}", ran.printed);
                assert!(ran.printed.contains("leads out of its folder by a link"), "{what}: {}", ran.printed);
            }
        }
    });
}

#[test]
#[ignore = "deep: siege"]
fn links_that_stay_inside_or_lead_to_the_system_keep_working() {
    Site::each(|site| {
        site.folder.script("mine/build/solver-2", SHOW);
        site.link("mine/solver", "build/solver-2");
        site.folder.file("mine/tables/1", "own table");
        site.link("mine/table", "tables/1");
        site.link("mine/sh", "/bin/sh");
        site.link("data", site.path("shared/data"));
        site.folder.file("shared/data", "of the organiser");
        let at = |name: &str| format!("file:{}", site.path(name).display());
        let lines = [
            entry("word", &["mine/solver", "mine/table"]),
            entry("readable", &["mine/solver", &at("mine/table")]) + "readable = [\"mine/table\"]\n",
            entry("system", &["mine/sh", "-c", "echo own table >&2; echo lluu"]),
            entry("organiser", &["mine/solver", &at("data")]) + "readable = [\"data\"]\n",
        ];
        let ran = site.run("out", &lines.concat());
        let solved = site.folder.read("out/journal.jsonl").matches("\"verdict\":\"solved\"").count();
        assert_eq!((ran.code, solved), (Some(0), 4), "{}", ran.printed);
        let recorded = site.recorded("out");
        for (name, text) in [
            ("word", "own table"),
            ("readable", "own table"),
            ("system", "own table"),
            ("organiser", "of the organiser"),
        ] {
            assert_eq!(recorded[&site.path("out/output/1").join(name).join("NEAR.1.err")].trim(), text, "{name}");
        }
    });
}

#[test]
#[ignore = "deep: siege"]
fn an_entry_that_could_read_the_results_of_others_is_refused() {
    Site::each(|site| {
        fs::create_dir(site.path("results")).unwrap();
        let list = ["sh", "-c", "ls -R .; echo lluu"];
        let rival = entry("rival", &["rival/solver"]);
        site.folder.file("old/runs/1/journal.jsonl", "");
        site.folder.file("old/runs/1/output/1/rival/NEAR.1.out", "lluu");
        site.link("all", ".");
        let contest = site.folder.path().to_string_lossy().into_owned();
        for (number, keys) in [
            entry("mine", &list) + "readable = [\".\"]\n",
            entry("mine", &list) + "readable = [\"all\"]\n",
            entry("mine", &list) + "readable = [\"results\"]\n",
            entry("mine", &list) + "working_files = [\"results\"]\n",
            entry("mine", &[&list[..], &["{dir}"]].concat()),
            entry("mine", &[&list[..], &[&contest]].concat()),
            // Of an earlier contest.
            entry("mine", &list) + "readable = [\"old\"]\n",
            entry("mine", &list) + "readable = [\"old/runs/1/output\"]\n",
        ]
        .into_iter()
        .enumerate()
        {
            let ran = site.run(&format!("results/{number}"), &(keys + &rival));
            assert_eq!(ran.code, Some(2), "{}", ran.printed);
            assert!(ran.printed.contains("and with that the answers of other entries"), "{}", ran.printed);
        }
        // Elsewhere they are out of reach, and what is beside them is in reach.
        fs::create_dir(site.path("data")).unwrap();
        // A file that an author calls a journal stops no contest.
        site.folder.file("mine/runs/journal.jsonl", "");
        // Neither do results of a contest that lies elsewhere.
        copy_folder(&project().join("judge/core/tests/recorded/format-6"), &site.path("data/other"));
        let keys = entry("mine", &["sh", "-c", "ls data mine; echo lluu", "/"])
            + "readable = [\"data\", \"mine\"]\nfolder = \"mine\"\n";
        let ran = site.run("results/last", &(keys + &rival));
        assert_eq!(ran.code, Some(0), "{}", ran.printed);
    });
}

/// A file of the system that only root may read, until this is dropped.
struct OfRoot(PathBuf);

impl OfRoot {
    fn new() -> Self {
        let path = Path::new("/usr/local/share").join(format!("judge-test-{}", std::process::id()));
        fs::create_dir_all("/usr/local/share").unwrap();
        fs::write(&path, SECRET).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        Self(path)
    }
}

impl Drop for OfRoot {
    fn drop(&mut self) {
        fs::remove_file(&self.0).ok();
    }
}

#[test]
#[ignore = "deep: siege"]
fn a_link_to_a_file_of_the_system_that_is_roots_alone_leads_nowhere() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let file = OfRoot::new();
    Site::each(|site| {
        site.folder.script("mine/show", SHOW);
        site.link("mine/data", &file.0);
        for (number, lines) in [
            mine("mine/data", ""),
            entry("mine", &["mine/data"]),
            mine("none", "readable = [\"mine/data\"]"),
            mine("data", "working_files = [\"mine/data\"]"),
            mine("none", "write_up = \"mine/data\""),
        ]
        .into_iter()
        .enumerate()
        {
            let out = format!("out{number}");
            let ran = site.run(&out, &lines);
            site.is_tight(&lines, &ran, &out);
            assert_eq!(ran.code, Some(2), "{lines}: {}", ran.printed);
            assert!(ran.printed.contains("leads out of its folder by a link"), "{lines}: {}", ran.printed);
        }
    });
}
