//! Keys that are looked at before anything is built, or that all entries share, so that each tree has its own contest.

use super::{Leads, Node, SHOW, Site, leads, leads_others, make, path_in, seeded, tree};
use crate::links::SECRET;
use crate::support::*;

/// A key of the contest file that names a path in an author's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// `folder` of an entry, which its build writes.
    Folder,
    /// `write_up` of an entry, which the page shows.
    WriteUp,
    /// `writable` of the table `[build]`, which the build of another entry writes.
    Writable,
    /// `readable` of the contest, which the author's entry and another one read.
    Readable,
    /// The program of `[referee]`, which the judge executes.
    Referee,
    /// `readable` of `[referee]`, which the referee sees.
    RefereeReadable,
}

const KEYS: [Key; 6] = [Key::Folder, Key::WriteUp, Key::Writable, Key::Readable, Key::Referee, Key::RefereeReadable];
/// Trees per key, tier and user.
const TREES: usize = 7;

/// A contest of one tree, with what the oracle says of its path.
struct Case<'a> {
    key: Key,
    /// The author's entry, whose folder has the same name.
    name: &'a str,
    /// The path, from the contest's folder.
    at: &'a str,
    absolute: String,
    leads: Leads,
}

impl Case<'_> {
    fn text(&self, isolation: &str) -> String {
        let Self { key, name, at, absolute, leads } = self;
        let (show, file) = (format!("{name}/show"), format!("file:{absolute}"));
        let writes = format!("for at in {at} {name}/none; do echo stolen > $at/made; done 2>/dev/null; true");
        let own = entry(name, &[&show, "none"]);
        let own = match key {
            Key::Folder => own + &format!("folder = \"{at}\"\nbuild = {writes:?}\n"),
            Key::WriteUp => own + &format!("write_up = \"{at}\"\n"),
            Key::Writable => {
                let maker = entry("maker", &["maker/show", "none"]) + &format!("build = {writes:?}\n");
                format!("{own}{maker}[build]\nwritable = [\"{at}\"]\n")
            }
            Key::Readable => entry(name, &[&show, &file]) + &entry("reader", &["reader/show", &file]),
            Key::Referee | Key::RefereeReadable => entry("solver", &["sh", "-c", "echo lluu"]),
        };
        let head = contest(&[("NEAR", "board.txt")]);
        let head = match key {
            Key::Referee => Self::refereed(&head, &format!("command = \"{at}\"")),
            Key::RefereeReadable => {
                // It accepts if it reads what the oracle names, or nothing where that names no file.
                let script = match leads {
                    Leads::To(to, true) => format!("grep -qx '# {name}/{to}' \"${{4#file:}}\""),
                    _ => "test ! -f \"${4#file:}\"".into(),
                };
                let command = format!("command = [\"sh\", \"{name}/check\"]\nargs = [{file:?}]\nreadable = [\"{at}\"]");
                return format!(
                    "build_isolation = \"{isolation}\"\n{}{own}# {script}\n",
                    Self::refereed(&head, &command)
                );
            }
            Key::Readable => format!("readable = [\"{at}\"]\n{head}"),
            _ => head,
        };
        format!("build_isolation = \"{isolation}\"\n{head}{own}")
    }

    /// The head of a contest whose answers a program judges by its exit code.
    fn refereed(head: &str, keys: &str) -> String {
        let head = head.replace("game = \"loyd\"", "game = \"external\"");
        head.replacen("[[board]]", &format!("[referee]\nprotocol = \"exit\"\n{keys}\n[[board]]"), 1)
    }

    /// Whether the contest takes the path, given whether a link or a file is in its way.
    fn is_taken(&self, nodes: &BTreeMap<String, Node>, path: &str) -> bool {
        let in_way = |node: fn(&Node) -> bool| {
            nodes.iter().any(|(at, found)| node(found) && (path == *at || path.starts_with(&format!("{at}/"))))
        };
        match self.key {
            // What is missing is made; nothing in the way may be a link or a file.
            Key::Folder | Key::Writable => !in_way(|node| !matches!(node, Node::Folder)),
            Key::WriteUp | Key::Referee => matches!(self.leads, Leads::To(_, true)),
            Key::Readable | Key::RefereeReadable => matches!(self.leads, Leads::To(..)),
        }
    }
}

#[test]
#[ignore = "deep: siege"]
fn random_trees_in_keys_of_a_whole_contest_are_taken_or_refused_as_the_oracle_says() {
    Site::each(|site| {
        let rival = site.folder.read("rival/solver");
        for name in ["maker", "reader"] {
            site.folder.script(&format!("{name}/show"), SHOW);
        }
        let mut counts = BTreeMap::<Key, [usize; 2]>::new();
        for number in 0..KEYS.len() * TREES {
            let (key, name) = (KEYS[number % KEYS.len()], format!("e{number}"));
            let mut random = seeded(site, number as u64 + 1);
            let (makes, nodes) = tree(&mut random, &name, site);
            make(site, &makes);
            site.folder.script(&format!("{name}/show"), SHOW);
            let path = path_in(&mut random, &nodes);
            let (at, out) = (format!("{name}/{path}"), format!("out{number}"));
            let others = matches!(key, Key::Readable | Key::Referee);
            let leads = if others { leads_others(&nodes, &path) } else { leads(&nodes, &path) };
            let absolute = site.path(&at).display().to_string();
            let case = Case { key, name: &name, at: &at, absolute, leads };
            let text = case.text(site.isolation);
            if let Some((_, script)) = text.rsplit_once("\n# ").filter(|_| key == Key::RefereeReadable) {
                site.folder.file(&format!("{name}/check"), script);
            }
            site.folder.file("contest.toml", &text);
            site.close();
            let ran = site.judge(&["run", "--isolation", site.isolation, "--out", &out, "--jobs", "2"]);
            let whose = format!("{:?} {key:?} {at} {:?}: {}", (site.isolation, site.user), case.leads, ran.printed);
            site.is_tight(&whose, &ran, &out);
            assert!(site.folder.read("rival/solver") == rival && site.folder.read("home/secret") == SECRET, "{whose}");
            for made in ["made", "home/made", "home/inner/made", "rival/made", "tmp/made"] {
                assert!(!site.path(made).exists(), "{made}: {whose}");
            }
            let expected = case.is_taken(&nodes, &path);
            counts.entry(key).or_default()[usize::from(expected)] += 1;
            if ran.code != Some(0) {
                // A referee that cannot start is a judge error.
                let code = if key == Key::Referee { [2, 3].contains(&ran.code.unwrap()) } else { ran.code == Some(2) };
                assert!(code && !expected, "{whose}");
                continue;
            }
            let journal = site.folder.read(&format!("{out}/journal.jsonl"));
            let solved = journal.matches("\"verdict\":\"solved\"").count();
            let shown = |entry: &str| site.folder.read(&format!("{out}/output/1/{entry}/NEAR.1.err"));
            match (key, &case.leads) {
                (Key::Folder, _) => {
                    assert_eq!((solved == 1, site.path(&at).join("made").exists()), (expected, expected), "{whose}")
                }
                (Key::Writable, _) => {
                    assert_eq!((solved == 2, site.path(&at).join("made").exists()), (expected, expected), "{whose}");
                }
                (Key::WriteUp, Leads::To(file, _)) => {
                    assert!(expected && journal.contains(&format!("{name}/{file}")), "{whose}")
                }
                (Key::Readable, Leads::To(file, is_file)) => {
                    let line = format!("# {name}/{file}");
                    for entry in [&*name, "reader"] {
                        let shown = shown(entry).lines().any(|shown| shown == line);
                        assert!(solved == 2 && shown == *is_file, "{entry}: {whose}");
                    }
                }
                (Key::Referee | Key::RefereeReadable, Leads::To(..)) => assert!(expected && solved == 1, "{whose}"),
                _ => panic!("taken: {whose}"),
            }
        }
        let [refused, taken] = [0, 1].map(|which| counts.values().filter(|counts| counts[which] > 0).count());
        assert!(refused >= 4 && taken >= 4, "of {} keys: {counts:?}", KEYS.len());
    });
}
