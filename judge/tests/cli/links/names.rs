//! Names of results, by which an entry could look up sizes: of a rival's answers, and of its own earlier output.

use super::Site;
use crate::support::*;

/// The names in `runs`, in order.
fn names(site: &Site) -> Vec<String> {
    let items = std::fs::read_dir(site.path("runs")).unwrap();
    let mut names: Vec<String> = items.map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What the entry `peek` printed to standard error in the results directory of this name.
fn printed(site: &Site, results: &str) -> String {
    site.folder.read(&format!("{results}/output/1/peek/NEAR.1.err"))
}

#[test]
#[ignore = "deep: siege"]
fn results_whose_name_judge_chose_are_looked_up_by_nobody() {
    Site::each(|site| {
        let (runs, named) = (site.path("runs"), site.path("named"));
        let peek = format!(
            "for results in {runs}/1 {runs}/1-* {runs}/2 {named}; do\n\
             stat -c found:%s:$results $results $results/journal.jsonl >&2 2>/dev/null\n\
             done\ncat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep '^runs/1-' >&2\necho lluu",
            runs = runs.display(),
            named = named.display()
        );
        let peek = peek.replace(">&2 2>/dev/null", "2>/dev/null >&3").replace("done\ncat", "done 3>&2\ncat");
        site.folder.script("peek/show", &peek);
        site.folder.file("contest.toml", String::new());
        // A name that the organiser gives is looked up under Landlock, and `judge` says so.
        let ran = site.run("named", &entry("peek", &["peek/show"]));
        assert_eq!(ran.code, Some(0), "{}", ran.printed);
        let is_landlock = ran.printed.contains("isolation: landlock");
        assert!(is_landlock || site.isolation == "auto", "{}", ran.printed);
        assert_eq!(printed(site, "named").contains("found:"), is_landlock, "{}", printed(site, "named"));
        assert_eq!(ran.printed.contains("whose name can be guessed"), is_landlock, "{}", ran.printed);
        // One that it chooses is not, by this run, a resumed or a later one.
        let run = |args: &[&str]| {
            let ran = site.judge(&[args, &["--isolation", site.isolation]].concat());
            assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.printed);
            assert!(!ran.printed.contains("can be guessed"), "{args:?}: {}", ran.printed);
        };
        std::fs::remove_dir_all(&named).unwrap();
        run(&["run"]);
        run(&["run"]);
        run(&["resume", "runs/1"]);
        run(&["update", "runs/1"]);
        let names = names(site);
        let is_secret = |name: &String| name.len() == "1-".len() + 16;
        assert!(names.len() == 2 && names.iter().all(|name| is_secret(name) == is_landlock), "{names:?}");
        for (name, number) in names.iter().zip(["1", "2"]) {
            assert!(name.starts_with(number), "{names:?}");
            let printed = printed(site, &format!("runs/{name}"));
            // Other tests give the whole names of their results to commands, which their entries would see too.
            let own = |line: &&str| line.starts_with("found:") || names.iter().any(|name| line.contains(&**name));
            assert_eq!(printed.lines().find(own), None, "{:?}", (site.isolation, site.user));
        }
        for args in
            [&["rank", "runs/1"][..], &["verify", "runs/2"], &["rank", "runs/1/results.csv"], &["runs", "runs/2"]]
        {
            let ran = site.judge(args);
            assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.printed);
        }
        assert_eq!(site.judge(&["rank", "runs/3"]).code, Some(2));
    });
}

/// The letters of a secret name that a text has, if it has any.
fn letters(text: &str) -> Option<&str> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'2'..=b'9');
    text.match_indices("1-").map(|(at, name)| &text[at + name.len()..]).find_map(|rest| {
        let length = rest.bytes().take_while(|&byte| is_letter(byte)).count();
        (length == 16).then(|| &rest[..16])
    })
}

#[test]
#[ignore = "deep: siege"]
fn no_message_has_the_letters_that_a_command_need_not_have() {
    Site::each(|site| {
        if site.isolation != "landlock" {
            return;
        }
        assert_eq!(letters("in runs/1-abcdefghijkmnpqr/x"), Some("abcdefghijkmnpqr"), "the test sees such a name");
        site.folder.script("mine/show", "echo lluu");
        site.folder.script("other/show", "echo u; exit 3");
        let head = "name = \"x\"\ngame = \"external\"\nlimit = \"2s\"\n[referee]\nprotocol = \"exit\"\n\
                    command = \"./referee\"\n[[board]]\nname = \"NEAR\"\nfile = \"board.txt\"\n";
        site.folder.script("referee", "exit 9");
        let entries = entry("mine", &["mine/show"]) + &entry("other", &["other/show"]);
        site.folder.file("contest.toml", head.to_owned() + &entries);
        site.close();
        let message = |args: &[&str], code: i32, words: &str| {
            let ran = site.judge(args);
            assert_eq!(letters(&ran.printed), None, "{args:?}: {}", ran.printed);
            assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.printed);
            assert!(ran.printed.contains(words), "{args:?}: {}", ran.printed);
        };
        message(&["run", "--isolation", "landlock"], 3, "results in runs/1\n");
        let whole = format!("runs/{}", names(site)[0]);
        assert!(letters(&whole).is_some(), "{whole}");
        for results in ["runs/1", &whole] {
            // A referee that failed: three commands are proposed.
            message(&["rank", results], 0, "`judge resume runs/1`");
            message(&["rank", results], 0, "`judge rejudge runs/1`");
            message(&["rank", results], 0, "`judge rule runs/1 ENTRY");
            message(&["runs", results], 0, "runs/1 ");
            message(&["runs"], 0, "runs/1 ");
            message(&["replay", results], 2, "`judge replay runs/1 ");
            message(&["rule", results, "mine", "NEAR", "wrong"], 2, "--because");
            message(&["verify", results], 0, "");
            message(&["rejudge", results], 3, "nothing is recorded");
            message(&["compare", results], 0, "");
            message(&["compare", results, results], 2, "runs/1 is given twice");
            message(&["report", results, "-o", "-"], 0, "");
            message(&["resume", results], 3, "results in runs/1\n");
        }
        // Another referee, which the results have not.
        site.folder.script("referee", "exit 0");
        site.folder.file("contest.toml", head.replace("\"2s\"", "\"3s\"") + &entries);
        site.close();
        message(&["resume", &whole], 2, "runs/1");
        site.folder.file("contest.toml", head.to_owned() + &entries + &entry("late", &["./late"]));
        site.close();
        message(&["resume", &whole], 2, "`judge update runs/1`");
        message(&["update", &whole], 2, "`judge rejudge runs/1`");
        message(&["update", &whole, "--rejudge", "--dry-run"], 2, "`judge rejudge runs/1 --dry-run`");
        site.folder.file("contest.toml", head.to_owned() + &entries);
        site.close();
        message(&["rejudge", &whole], 0, "`judge rank runs/1`");
        // A struck board.
        let struck = head.replace("file = \"board.txt\"", "file = \"board.txt\"\nstruck = \"a mistake\"");
        site.folder.file("contest.toml", struck + &entries);
        site.close();
        message(&["update", &whole], 0, "results in runs/1\n");
        message(&["rule", &whole, "mine", "NEAR", "wrong", "--because", "x"], 2, "`judge update runs/1`");
        // A changed answer.
        std::fs::write(site.path(&format!("{whole}/output/1/mine/NEAR.1.out")), "uu").unwrap();
        message(&["verify", &whole], 1, "");
        // Programs get the whole name.
        assert!(letters(&site.judge(&["runs", "--json"]).printed).is_some());
    });
}
