//! Names of results, by which an entry could look up sizes: of a rival's answers, and of its own earlier output.

use super::Site;
use crate::support::entry;

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
            let ran = site.judge(&[&["run", "--isolation", site.isolation], args].concat());
            assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.printed);
            assert!(!ran.printed.contains("can be guessed"), "{args:?}: {}", ran.printed);
        };
        std::fs::remove_dir_all(&named).unwrap();
        run(&[]);
        run(&[]);
        run(&["--resume", "runs/1"]);
        run(&["--update", "runs/1"]);
        let names = names(site);
        let is_secret = |name: &String| name.len() == "1-".len() + 16;
        assert!(names.len() == 2 && names.iter().all(|name| is_secret(name) == is_landlock), "{names:?}");
        for (name, number) in names.iter().zip(["1", "2"]) {
            assert!(name.starts_with(number), "{names:?}");
            let printed = printed(site, &format!("runs/{name}"));
            assert_eq!(printed, "", "{:?}", (site.isolation, site.user));
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
