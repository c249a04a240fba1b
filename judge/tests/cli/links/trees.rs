//! Random trees of an author, made before the contest or by a build, and an oracle that is computed from the tree alone.

mod whole;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{SECRET, SHOW, Site};
use crate::support::*;

/// What is at a path of an author's folder.
#[derive(Clone)]
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
                let targets = "a b c ../a ../b a/b b/a ../home/secret ../../home/secret ../rival/solver ../..";
                let targets: Vec<&str> = targets.split(' ').collect();
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
    /// To no file at all.
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

/// The oracle for a path that no key of its author names: only the last part may be a link, which must stay in its
/// folder.
fn leads_others(nodes: &BTreeMap<String, Node>, path: &str) -> Leads {
    let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut way = String::new();
    for part in above.split('/').filter(|part| !part.is_empty()) {
        way = if way.is_empty() { part.to_owned() } else { format!("{way}/{part}") };
        match nodes.get(&way) {
            Some(Node::Folder) => {}
            Some(Node::Link(_)) => return Leads::Out,
            Some(Node::File) | None => return Leads::Nowhere,
        }
    }
    let below = if above.is_empty() { String::new() } else { format!("{above}/") };
    let inside = nodes.iter().filter_map(|(path, node)| {
        let path = path.strip_prefix(&below).filter(|path| !path.is_empty())?;
        Some((path.to_owned(), node.clone()))
    });
    let inside: BTreeMap<String, Node> = inside.chain([(String::new(), Node::Folder)]).collect();
    match leads(&inside, name) {
        Leads::To(to, is_file) => Leads::To(format!("{below}{to}").trim_end_matches('/').to_owned(), is_file),
        other => other,
    }
}

/// A key of the contest file that names the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    /// A word of `command` after the program.
    Word,
    /// The program, the first word of `command`.
    Program,
    /// `readable` of an entry, which it sees.
    Readable,
    /// `working_files` of an entry, which it gets copies of.
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
#[ignore = "deep: siege"]
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
            let leads = if key == Key::BuildReadable { leads_others } else { leads };
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
        // The trees have both for most keys.
        let count = |test: fn(&Leads) -> bool| expected.iter().filter(|(.., leads)| test(leads)).count();
        let [files, outside] =
            [count(|leads| matches!(leads, Leads::To(_, true))), count(|leads| *leads == Leads::Out)];
        assert!(files > KEYS.len() && outside > KEYS.len(), "{files} files, {outside} outside");
    });
}
