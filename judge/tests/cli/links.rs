//! Links that an author or a build puts where the judge looks: nothing that they lead to is shown, published or written.
//! In both tiers, as root and as an ordinary user.

mod siege;
mod trees;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Folder, at_once, board, contest, copy_folder, entry, project};

/// What must never be seen.
const SECRET: &str = "SECRET-TOKEN";
const SHOW: &str = "cat \"${1#file:}\" >&2; echo lluu";

/// A judge of a tier and a user, with a contest's folder in which it may write.
struct Site {
    folder: Folder,
    isolation: &'static str,
    user: Option<u32>,
}

/// The result of a command.
struct Ran {
    code: Option<i32>,
    printed: String,
}

impl Site {
    /// Runs a test in both tiers, for this user and, if that is root, for an ordinary one.
    fn each(test: impl Fn(&Self) + Sync) {
        let users: &[Option<u32>] = if rustix::process::geteuid().is_root() { &[None, Some(64_101)] } else { &[None] };
        let cases: Vec<_> = users.iter().flat_map(|user| [(*user, "auto"), (*user, "landlock")]).collect();
        at_once(&cases, |(user, isolation)| {
            let folder = Folder::new();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
            folder.program("judge", env!("CARGO_BIN_EXE_judge"));
            fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
            folder.file("home/secret", SECRET);
            folder.file("home/inner/secret", SECRET);
            folder.script("rival/solver", &format!("echo {SECRET} >&2; echo lluu"));
            fs::create_dir(folder.path().join("tmp")).unwrap();
            test(&Self { folder, isolation, user: *user });
        });
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn link(&self, name: &str, target: impl AsRef<Path>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::remove_file(self.path(name)).ok();
        symlink(target, self.path(name)).unwrap();
    }

    /// Closes the organiser's files, and gives everything to the judge's user.
    fn close(&self) {
        for (name, mode) in [("home/secret", 0o600), ("home/inner/secret", 0o600), ("home", 0o700)] {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        if let Some(user) = self.user {
            let mut waiting = vec![self.folder.path().to_owned()];
            while let Some(path) = waiting.pop() {
                std::os::unix::fs::lchown(&path, Some(user), Some(user)).unwrap();
                if path.symlink_metadata().unwrap().is_dir() {
                    waiting.extend(fs::read_dir(path).unwrap().map(|item| item.unwrap().path()));
                }
            }
        }
    }

    fn judge(&self, args: &[&str]) -> Ran {
        let mut command = Command::new(self.path("judge"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("TMPDIR", self.path("tmp")).env("HOME", self.path("home"));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        let output = command.output().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        Ran { code: output.status.code(), printed: String::from_utf8_lossy(&printed).into_owned() }
    }

    /// Runs a contest with these lines after its head.
    fn run(&self, out: &str, entries: &str) -> Ran {
        let head = contest(&[("NEAR", "board.txt")]);
        let head = format!("build_isolation = \"{}\"\n{head}", self.isolation);
        self.folder.file("contest.toml", head + entries);
        self.close();
        self.judge(&["run", "--isolation", self.isolation, "--out", out, "--jobs", "2"])
    }

    /// All that a results directory holds.
    fn recorded(&self, out: &str) -> BTreeMap<PathBuf, String> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![self.path(out)]);
        while let Some(items) = folders.pop().map(fs::read_dir) {
            for path in items.into_iter().flatten().map(|item| item.unwrap().path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        drop(files.insert(path.clone(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into()))
                    }
                }
            }
        }
        files
    }

    /// Asserts that no secret was printed or recorded.
    fn is_tight(&self, what: &str, ran: &Ran, out: &str) {
        let whose = (self.isolation, self.user);
        assert!(!ran.printed.contains(SECRET), "{what} {whose:?}: {}", ran.printed);
        for (path, text) in self.recorded(out) {
            let path = path.display();
            // What the rival printed, and its program, which is kept by its hash.
            let of_rival = path.to_string().contains("/rival/") || text == self.folder.read("rival/solver");
            assert!(!text.contains(SECRET) || of_rival, "{what} {whose:?}: {path}: {text}");
        }
    }
}

/// The entry `mine`, whose program prints the file of its first argument.
fn mine(file: &str, keys: &str) -> String {
    entry("mine", &["mine/show", file]) + keys + "\n"
}

#[test]
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
fn a_build_writes_no_folder_that_a_link_leads_to() {
    Site::each(|site| {
        let before = fs::read(site.path("rival/solver")).unwrap();
        for target in
            [PathBuf::from("../rival"), "..".into(), "../home".into(), site.path("rival"), "/usr/local/bin".into()]
        {
            site.link("mine/bin", &target);
            let steals = "build = \"echo stolen > mine/bin/solver; echo stolen > mine/bin/secret; true\"";
            for (what, keys) in [
                ("folder", format!("{}{steals}\n", entry("mine", &["mine/bin/solver"]))),
                ("named folder", format!("{}{steals}\nfolder = \"mine/bin\"\n", entry("mine", &["python3"]))),
                (
                    "writable",
                    format!("{}{steals}\n[build]\nwritable = [\"mine/bin\"]\n", entry("mine", &["mine/solver"])),
                ),
            ] {
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
fn what_a_build_links_to_costs_its_entry_the_build_and_nothing_else() {
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
            let again = site.judge(&["run", "--resume", &out, "--report"]);
            assert_eq!(again.code, Some(0), "{links}: {}", again.printed);
            site.is_tight(links, &again, &out);
            fs::remove_dir_all(site.path("mine")).unwrap();
        }
    });
}

#[test]
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
        let ran = site.judge(&["run", "--isolation", site.isolation, "--update", "results"]);
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

/// The contest file with a table at its end, and another build command.
fn text_with(folder: &Folder, table: &str, build: &str) -> String {
    let text = folder.read("contest.toml");
    let lines =
        text.lines().map(|line| if line.starts_with("build =") { format!("build = {build:?}") } else { line.into() });
    lines.collect::<Vec<_>>().join("\n") + "\n" + table
}

#[test]
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
fn a_folder_belongs_to_one_build_unless_all_share_it() {
    let folder = Folder::new();
    let head = contest(&[("NEAR", &board("near-end-1"))]);
    let makes = |name: &str| {
        let build = format!("printf '#!/bin/sh\\necho lluu\\n' > both/{name}; chmod +x both/{name}");
        entry(name, &[&format!("both/{name}")]) + &format!("build = {build:?}\n")
    };
    let two = head.clone() + &makes("a") + &makes("b");
    let built_beside = head.clone() + &makes("a") + &entry("b", &["both/b"]);
    let inside = head.clone() + &makes("a") + &entry("b", &["sh", "both/inner/b.sh"]);
    folder.file("both/inner/b.sh", "echo lluu");
    for text in [&two, &built_beside, &inside] {
        folder.file("contest.toml", text);
        let refused = folder.judge(["run", "--out", "out"]).exits(2).message();
        assert!(refused.contains("entry b: the build of entry a could change its program"), "{refused}");
        assert!(refused.contains("name FOLDER/both in `[build] writable`, which all builds share"), "{refused}");
    }
    folder.file("contest.toml", two + "[build]\nwritable = [\"both\"]\n");
    let printed = folder.judge(["run", "--out", "out", "--format", "plain"]).exits(0);
    assert_eq!(printed.stdout.matches("25/4").count(), 2, "{}{}", printed.stdout, printed.stderr);
    // No build may change the referee.
    let referee = "name = \"x\"\ngame = \"external\"\nlimit = \"1s\"\n[referee]\nprotocol = \"exit\"\n\
        command = [\"sh\", \"both/referee.sh\"]\n[[board]]\nname = \"A\"\nfile = \"a\"\n";
    folder.file("a", "a");
    folder.file("contest.toml", referee.to_owned() + &makes("a"));
    let refused = folder.judge(["run", "--out", "other"]).exits(2).message();
    assert!(refused.contains("the referee: the build of entry a could change its program"), "{refused}");
}

#[test]
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
        copy_folder(&project().join("judge/core/tests/recorded/format-4"), &site.path("data/other"));
        let keys = entry("mine", &["sh", "-c", "ls data mine; echo lluu", "/"])
            + "readable = [\"data\", \"mine\"]\nfolder = \"mine\"\n";
        let ran = site.run("results/last", &(keys + &rival));
        assert_eq!(ran.code, Some(0), "{}", ran.printed);
    });
}

#[test]
fn links_in_the_folder_of_a_referee_lead_nowhere() {
    Site::each(|site| {
        let head = |keys: &str| {
            let isolation = site.isolation;
            format!(
                "name = \"x\"\ngame = \"external\"\nlimit = \"2s\"\nbuild_isolation = \"{isolation}\"\n[referee]\n\
                 protocol = \"exit\"\n{keys}\n[[board]]\nname = \"NEAR\"\nfile = \"board.txt\"\n"
            )
        };
        let says = "cat \"${3#file:}\" >&2; cat \"${3#file:}\"; exit 0";
        site.folder.script("referee/rules", says);
        for target in [Path::new("../home/secret"), &site.path("home/secret")] {
            site.link("referee/data", target);
            site.link("referee/bin", "../home");
            let data = format!("file:{}", site.path("referee/data").display());
            for (number, keys) in [
                format!("command = \"referee/rules\"\nargs = [{data:?}]\nreadable = [\"referee/data\"]"),
                format!("command = \"referee/rules\"\nargs = [{:?}]", site.path("referee/data")),
                "command = \"referee/data\"".into(),
                "command = \"referee/bin/secret\"".into(),
                "command = \"referee/bin/rules\"\nbuild = \"echo stolen > referee/bin/rules; echo stolen > home/x\""
                    .into(),
                "command = \"referee/rules\"\nfolder = \"referee/bin\"\nbuild = \"echo stolen > referee/bin/x\"".into(),
                "command = \"referee/rules\"\nbuild = \"cat home/secret referee/data; false\"".into(),
            ]
            .into_iter()
            .enumerate()
            {
                site.folder.file("contest.toml", head(&keys) + &entry("rival", &["sh", "-c", "echo lluu"]));
                site.close();
                let out = format!("out{number}");
                let ran = site.judge(&["run", "--isolation", site.isolation, "--out", &out]);
                site.is_tight(&keys, &ran, &out);
                // A word that is not shown is only a word.
                assert!(ran.code != Some(0) || number == 1, "{keys}: {}", ran.printed);
                assert_eq!(fs::read_to_string(site.path("home/secret")).unwrap(), SECRET, "{keys}");
                let made = ["home/rules", "home/x"].map(|name| site.path(name).exists());
                assert_eq!(made, [false; 2], "{keys}");
                fs::remove_dir_all(site.path(&out)).ok();
            }
        }
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

#[test]
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
        assert_eq!(site.folder.read("mine/who").trim(), "64102");
    });
}
