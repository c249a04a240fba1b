//! Random trees of an author, made before the contest or by a build, and an oracle that is computed from the tree alone.

use std::collections::BTreeMap;
use std::process::Command;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{SHOW, Site};
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
                makes += &format!("echo {at} > {at}\n");
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

#[test]
fn random_trees_show_what_the_oracle_lists() {
    Site::each(|site| {
        let seed = u64::from(site.user.unwrap_or(0)) + site.isolation.len() as u64;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut lines, mut expected, mut grow) = (String::new(), Vec::new(), String::new());
        for number in 0..36 {
            let (name, by_build) = (format!("e{number}"), number % 2 == 0);
            let (makes, nodes) = tree(&mut random, &name, site);
            site.folder.script(&format!("{name}/show"), SHOW);
            let paths: Vec<&String> = nodes.keys().filter(|path| !path.is_empty()).collect();
            let path =
                format!("{}{}", paths[random.random_range(0..paths.len())], ["", "/a"][random.random_range(0..2)]);
            let at = format!("{name}/{path}");
            let key = if number % 3 == 0 { "working_files" } else { "readable" };
            lines += &entry(&name, &[&format!("{name}/show"), &format!("file:{}", site.path(&at).display())]);
            lines += &format!("{key} = [\"{at}\"]\n");
            // Each entry is built, so that what leads out costs its build and not the contest.
            let build = if by_build { makes.clone() } else { "true\n".into() };
            lines += &format!("build = {:?}\n", format!("exec 2>/dev/null\n{build}true # {name}"));
            grow += if by_build { "" } else { &makes };
            expected.push((name, at, leads(&nodes, &path)));
        }
        assert!(Command::new("sh").args(["-c", &grow]).current_dir(site.folder.path()).status().unwrap().success());
        let ran = site.run("out", &lines);
        assert_eq!(ran.code, Some(0), "{}", ran.printed);
        site.is_tight("random trees", &ran, "out");
        let journal = site.folder.read("out/journal.jsonl");
        for (name, at, leads) in &expected {
            let runs = journal.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
            let run = runs.filter(|line| line["line"] == "run").find(|line| line["entry"] == **name).unwrap();
            let reason = run.to_string();
            let whose = format!("{:?} {name} {at} {leads:?}: {reason}", (site.isolation, site.user));
            match leads {
                Leads::To(file, true) => {
                    let shown = site.folder.read(&format!("out/output/1/{name}/NEAR.1.err"));
                    assert!(run["verdict"] == "solved" && shown == format!("{name}/{file}\n"), "{whose}: {shown}");
                }
                Leads::To(_, false) => assert_eq!(run["verdict"], "solved", "{whose}"),
                Leads::Out => assert!(reason.contains("build_failed") && reason.contains("link"), "{whose}"),
                Leads::Nowhere => assert_eq!(run["verdict"], "build_failed", "{whose}"),
            }
        }
        let count = |test: fn(&Leads) -> bool| expected.iter().filter(|(.., leads)| test(leads)).count();
        assert!(count(|leads| matches!(leads, Leads::To(_, true))) > 2 && count(|leads| *leads == Leads::Out) > 2);
    });
}
