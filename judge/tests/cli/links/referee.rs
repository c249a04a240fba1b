//! What a referee's keys name, with links in the way.

use super::{SECRET, Site};
use crate::support::*;

/// A contest of one board whose referee has these keys, isolated as the site says for entries or builds: the name of that key.
fn contest_of(isolation: &str, site: &Site, keys: &str) -> String {
    format!(
        "name = \"x\"\ngame = \"external\"\nlimit = \"2s\"\n{isolation} = \"{}\"\n[referee]\nprotocol = \"exit\"\n{keys}\n\
         [[board]]\nname = \"NEAR\"\nfile = \"board.txt\"\n",
        site.isolation
    )
}

#[test]
#[ignore = "deep: siege"]
fn links_in_the_folder_of_a_referee_lead_nowhere() {
    Site::each(|site| {
        let head = |keys: &str| contest_of("build_isolation", site, keys);
        let says = "cat \"${4#file:}\" >&2; cat \"${4#file:}\"; exit 0";
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

#[test]
#[ignore = "deep: siege"]
fn a_referee_that_cannot_start_is_refused_before_anything_is_run() {
    Site::each(|site| {
        let head = |command: &str| contest_of("isolation", site, &format!("command = {command}"));
        let write = |command: &str| {
            site.folder.file("contest.toml", head(command) + &entry("mine", &["mine/show"]));
            site.close();
        };
        site.folder.script("mine/show", "echo lluu");
        site.folder.script("referee/rules", "exit 0");
        site.folder.file("referee/closed.py", "");
        fs::set_permissions(site.path("referee/closed.py"), std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
        site.folder.file("referee/plain", "exit 0\n");
        fs::set_permissions(site.path("referee/plain"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        site.link("referee/nowhere", "no-such-program");
        site.link("referee/elsewhere", "../home/secret");
        site.link("passes", "referee");
        write("[\"referee/rules\"]");
        let ran = site.judge(&["run", "--out", "good"]);
        assert_eq!(ran.code, Some(0), "{}", ran.printed);
        let journal = site.folder.read("good/journal.jsonl");
        // The same without its only run.
        let begun: String =
            journal.split_inclusive('\n').take_while(|line| !line.starts_with("{\"line\":\"run\"")).collect();
        assert!(begun.len() < journal.len() && begun.lines().count() > 0, "{journal}");
        site.folder.file("half/journal.jsonl", &begun);
        for (command, reason) in [
            ("[\"referee/nowhere\"]", "is a link to no-such-program"),
            ("[\"sh\", \"referee/nowhere\"]", "is a link to no-such-program"),
            ("[\"sh\", \"referee/none\"]", "no such file"),
            ("[\"referee/none\"]", "no such file"),
            ("[\"referee/elsewhere\"]", "leads out of its folder by a link"),
            ("[\"passes/rules\"]", "a symbolic link, or passes one"),
            ("[\"referee/plain\"]", "is not a program for this machine"),
            ("[\"board.txt\"]", "is not executable"),
            ("[\"python3\", \"referee/closed.py\"]", "is closed to the user that programs run as"),
        ] {
            let of_root = site.user.is_none() && rustix::process::geteuid().is_root();
            if command.contains("closed") && (!of_root || site.isolation == "landlock") {
                continue;
            }
            write(command);
            let checked = site.judge(&["check"]);
            let of_referee = checked.printed.split("PROBLEM referee:").nth(1).unwrap_or_default();
            let of_referee = of_referee.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(checked.code == Some(2) && of_referee.contains(reason), "{command}: {}", checked.printed);
            for args in [
                &["run", "--out", "new"][..],
                &["resume", "half", "--rejudge"],
                &["update", "good", "--rejudge"],
                &["rejudge", "good"],
                &["try", "--contest", ".", "board.txt", "--", "mine/show"],
                &["validate", "--contest", ".", "board.txt", "board.txt"],
                &["office", "judge", "."],
                &["serve", ".", "--listen", "127.0.0.1:0"],
            ] {
                if args[0] == "office" {
                    let added = site.judge(&["team", "add", ".", "ada"]);
                    assert!(matches!(added.code, Some(0 | 2)), "{}", added.printed);
                }
                let ran = site.judge(args);
                assert_eq!(ran.code, Some(2), "{command} {args:?}: {}", ran.printed);
                assert!(ran.printed.contains("referee cannot be started"), "{command} {args:?}: {}", ran.printed);
                assert!(ran.printed.contains(reason), "{command} {args:?}: {}", ran.printed);
            }
            assert_eq!(site.folder.read("good/journal.jsonl"), journal, "{command}");
            assert_eq!(site.folder.read("half/journal.jsonl"), begun, "{command}");
            fs::remove_dir_all(site.path("new")).ok();
        }
    });
}
