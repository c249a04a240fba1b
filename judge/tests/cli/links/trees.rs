//! Random trees of an author, made before the contest or by a build, and an oracle that is computed from the tree alone.

use std::collections::BTreeMap;
use std::process::Command;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{SECRET, SHOW, Site};
use crate::support::entry;

/// What is at a path of an author's folder.
enum Node {
    Folder,
    File,
    Link(String),
}

/// A random tree as the shell commands that make it, and as data for the oracle. Paths are relative to the author's folder.
fn tree(random: &mut ChaCha8Rng, own: &str, site: &Site) -> (String, BTreeMap<String, Node>) {
    let mut nodes = BTreeMap::from([(String::new(), Node::Folder)]);
    let mut makes = format!("mkdir -p {own}\n");
    for _ in 0..random.random_range(4..10) {
        let folders: Vec<&String> =
            nodes.iter().filter(|(_, node)| matches!(node, Node::Folder)).map(|(path, _)| path).collect();
        let parent = folders[random.random_range(0..folders.len())].clone();
        let name = ["a", "b", "c"][random.random_range(0..3)];
        let path = if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") };
        if nodes.contains_key(&path) {
            continue;
        }
        let at = format!("{own}/{path}");
        let node = match random.random_range(0..5) {
            0 => {
                makes += &format!("mkdir {at}\n");
                Node::Folder
            }
            1 | 2 => {
                // A program that says which file it is, with a write-up that says it, too.
                makes += &format!("printf '#!/bin/sh\\n# {at}\\necho {at} >&2; echo lluu\\n' > {at}; chmod +x {at}\n");
                Node::File
            }
            _ => {
                let targets = [
                    "a",
                    "b",
                    "c",
                    "../a",
                    "../b",
                    "a/b",
                    "b/a",
                    "../home/secret",
                    "../../home/secret",
                    "../rival/solver",
                    "../..",
                ];
                let absolute = site.path(["home/secret", "rival/solver"][random.random_range(0..2)]);
                let which = random.random_range(0..targets.len() + 1);
                let target =
                    targets.get(which).map_or_else(|| absolute.display().to_string(), |target| (*target).to_owned());
                makes += &format!("ln -s {target} {at}\n");
                Node::Link(target)
            }
        };
        nodes.insert(path, node);
    }
    (makes, nodes)
}

/// Where a path leads in a tree.
#[derive(Debug, PartialEq)]
enum Leads {
    /// To this file or folder in it.
    To(String, bool),
    /// Out of it, or in circles.
    Out,
    /// Nowhere.
    Nowhere,
}

/// The oracle: a walk over the tree as it was made.
fn leads(nodes: &BTreeMap<String, Node>, path: &str) -> Leads {
    let (mut at, mut followed): (Vec<String>, u32) = (Vec::new(), 0);
    let mut left: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
    while let Some(name) = left.pop() {
        if name == ".." {
            if at.pop().is_none() {
                return Leads::Out;
            }
            continue;
        }
        at.push(name);
        match nodes.get(&at.join("/")) {
            Some(Node::Folder) => {}
            Some(Node::File) if left.is_empty() => {}
            Some(Node::Link(target)) => {
                followed += 1;
                if target.starts_with('/') || followed > 40 {
                    return Leads::Out;
                }
                at.pop();
                left.extend(target.split('/').rev().map(str::to_owned));
            }
            Some(Node::File) | None => return Leads::Nowhere,
        }
    }
    let is_file = matches!(nodes.get(&at.join("/")), Some(Node::File));
    Leads::To(at.join("/"), is_file)
}

/// A key of the contest file that names the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    /// A word of `command` after the program.
    Word,
    /// The program of `command`.
    Program,
    /// `readable` of an entry.
    Readable,
    /// `working_files`.
    WorkingFiles,
    /// `readable` of the table `[build]`, by which another entry's build sees it.
    BuildReadable,
}
const KEYS: [Key; 5] = [Key::Word, Key::Program, Key::Readable, Key::WorkingFiles, Key::BuildReadable];

/// A path in a random tree, which may go on below what is there.
fn path_in(random: &mut ChaCha8Rng, nodes: &BTreeMap<String, Node>) -> String {
    let paths: Vec<&String> = nodes.keys().filter(|path| !path.is_empty()).collect();
    format!("{}{}", paths[random.random_range(0..paths.len())], ["", "/a"][random.random_range(0..2)])
}

fn seeded(site: &Site, number: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(u64::from(site.user.unwrap_or(0)) + site.isolation.len() as u64 + (number << 32))
}

fn make(site: &Site, commands: &str) {
    assert!(Command::new("sh").args(["-c", commands]).current_dir(site.folder.path()).status().unwrap().success());
}

#[test]
fn random_trees_show_what_the_oracle_lists() {
    Site::each(|site| {
        let mut random = seeded(site, 0);
        let (mut lines, mut expected, mut grow) = (String::new(), Vec::new(), String::new());
        for number in 0..60 {
            let (name, by_build) = (format!("e{number}"), number % 2 == 0);
            let key = KEYS[number / 2 % KEYS.len()];
            let (makes, nodes) = tree(&mut random, &name, site);
            site.folder.script(&format!("{name}/show"), SHOW);
            let path = path_in(&mut random, &nodes);
            let at = format!("{name}/{path}");
            let (show, file) = (format!("{name}/show"), format!("file:{}", site.path(&at).display()));
            lines += &match key {
                Key::Word => entry(&name, &[&show, &at]),
                Key::Program => entry(&name, &[&at]) + &format!("folder = \"{name}\"\n"),
                Key::Readable => entry(&name, &[&show, &file]) + &format!("readable = [\"{at}\"]\n"),
                Key::WorkingFiles => entry(&name, &[&show, &file]) + &format!("working_files = [\"{at}\"]\n"),
                Key::BuildReadable => entry(&name, &[&show, "none"]),
            };
            // Each entry is built, so that what leads out costs its build and not the contest.
            let build = if by_build { makes.clone() } else { "true\n".into() };
            lines += &format!("build = {:?}\n", format!("exec 2>/dev/null\n{build}true # {name}"));
            grow += if by_build { "" } else { &makes };
            expected.push((name, key, at, leads(&nodes, &path)));
        }
        // The build of the last entry looks at what `[build]` names in the folders of others.
        let named: Vec<&str> =
            expected.iter().filter(|(_, key, ..)| *key == Key::BuildReadable).map(|(_, _, at, _)| &**at).collect();
        site.folder.script("last/show", SHOW);
        let look = format!("for at in {}; do cat $at; done >last/loot 2>/dev/null; true", named.join(" "));
        lines +=
            &(entry("last", &["last/show", "none"]) + &format!("build = {look:?}\n[build]\nreadable = {named:?}\n"));
        make(site, &grow);
        let ran = site.run("out", &lines);
        assert_eq!(ran.code, Some(0), "{}", ran.printed);
        site.is_tight("random trees", &ran, "out");
        let loot = site.folder.read("last/loot");
        assert!(!loot.contains(SECRET), "{:?}: {loot}", (site.isolation, site.user));
        let journal = site.folder.read("out/journal.jsonl");
        for (name, key, at, leads) in &expected {
            let runs = journal.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
            let run = runs.filter(|line| line["line"] == "run").find(|line| line["entry"] == **name).unwrap();
            let (verdict, reason) = (run["verdict"].as_str().unwrap(), run.to_string());
            let whose = format!("{:?} {name} {key:?} {at} {leads:?}: {reason}", (site.isolation, site.user));
            let shown = || site.folder.read(&format!("out/output/1/{name}/NEAR.1.err"));
            match (key, leads) {
                (Key::BuildReadable, leads) => {
                    let of = loot.lines().filter_map(|line| line.strip_prefix("# "));
                    let seen: Vec<&str> = of.filter(|of| of.starts_with(&format!("{name}/"))).collect();
                    let expected = match leads {
                        Leads::To(file, true) => vec![format!("{name}/{file}")],
                        _ => Vec::new(),
                    };
                    assert!(verdict == "solved" && seen == expected, "{whose}: {seen:?}");
                }
                (Key::Program, Leads::To(file, true)) => {
                    assert!(verdict == "solved" && shown() == format!("{name}/{file}\n"), "{whose}: {}", shown());
                }
                (_, Leads::To(file, true)) => {
                    let line = format!("# {name}/{file}");
                    assert!(verdict == "solved" && shown().lines().any(|shown| shown == line), "{whose}: {}", shown());
                }
                // A word that names nothing is text, also if that nothing is outside.
                (Key::Word, Leads::Out) if verdict == "solved" => {
                    assert!(shown().starts_with(&format!("cat: {at}: ")), "{whose}: {}", shown());
                }
                (_, Leads::Out) => assert!(verdict == "build_failed" && reason.contains("link"), "{whose}"),
                (Key::Program, _) => assert!(["build_failed", "could_not_start"].contains(&verdict), "{whose}"),
                (Key::Word, Leads::Nowhere) | (_, Leads::To(_, false)) => assert_eq!(verdict, "solved", "{whose}"),
                (_, Leads::Nowhere) => assert_eq!(verdict, "build_failed", "{whose}"),
            }
        }
        for key in KEYS {
            let count = |test: fn(&Leads) -> bool| {
                expected.iter().filter(|(_, of, _, leads)| *of == key && test(leads)).count()
            };
            let [files, outside] =
                [count(|leads| matches!(leads, Leads::To(_, true))), count(|leads| *leads == Leads::Out)];
            assert!(files > 1 && outside > 1, "{key:?}: {files} files, {outside} outside");
        }
    });
}

/// Keys that are looked at before anything is built, so that each tree has a contest of its own.
#[test]
fn random_trees_of_folders_and_write_ups_are_taken_or_refused_as_the_oracle_says() {
    Site::each(|site| {
        let rival = site.folder.read("rival/solver");
        let (mut taken, mut refused) = (0, 0);
        for number in 0..16 {
            let (mut random, name) = (seeded(site, number + 1), format!("e{number}"));
            let (makes, nodes) = tree(&mut random, &name, site);
            make(site, &makes);
            site.folder.script(&format!("{name}/show"), SHOW);
            let path = path_in(&mut random, &nodes);
            let (at, leads, out) = (format!("{name}/{path}"), leads(&nodes, &path), format!("out{number}"));
            let of_folder = number % 2 == 0;
            let writes = format!("echo stolen > {at}/solver; echo stolen > {at}/secret; true");
            let lines = entry(&name, &[&format!("{name}/show"), "none"])
                + &if of_folder {
                    format!("folder = \"{at}\"\nbuild = {writes:?}\n")
                } else {
                    format!("write_up = \"{at}\"\n")
                };
            let ran = site.run(&out, &lines);
            let whose = format!("{:?} {at} {leads:?}: {}", (site.isolation, site.user), ran.printed);
            site.is_tight(&whose, &ran, &out);
            assert!(site.folder.read("rival/solver") == rival && site.folder.read("home/secret") == SECRET, "{whose}");
            if ran.code == Some(0) {
                let journal = site.folder.read(&format!("{out}/journal.jsonl"));
                let built = !journal.contains("build_failed");
                // A folder that is missing is made; nothing in the way of one may be a link.
                let through_link = nodes.iter().any(|(link, node)| {
                    matches!(node, Node::Link(_)) && (path == *link || path.starts_with(&format!("{link}/")))
                });
                let expected = match &leads {
                    Leads::To(_, is_file) => *is_file != of_folder && !(of_folder && through_link),
                    Leads::Nowhere => {
                        of_folder && !through_link && !matches!(nodes.get(parent(&path)), Some(Node::File))
                    }
                    Leads::Out => false,
                };
                assert_eq!(built, expected, "{whose}");
                if let (Leads::To(file, _), false) = (&leads, of_folder) {
                    assert!(journal.contains(&format!("{name}/{file}")), "{whose}");
                }
                taken += usize::from(built);
            } else {
                assert_eq!(ran.code, Some(2), "{whose}");
                let fits = matches!(&leads, Leads::To(_, is_file) if *is_file != of_folder);
                assert!(!fits || of_folder && ran.printed.contains("symbolic link"), "{whose}");
            }
            refused += usize::from(ran.code != Some(0));
        }
        assert!(taken > 1 && refused > 1, "{taken} taken, {refused} refused");
    });
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}
