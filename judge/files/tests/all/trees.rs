//! Random trees of files, folders and links, and an oracle that computes from the tree alone what may be reached.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::AsFd as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use judge_files::resolving::{by_openat2, by_steps};
use judge_files::{Folder, Links};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rustix::fs::OFlags;

/// An item of a tree. Paths are lists of names below the base, which has the folders `inside` and `outside`.
#[derive(Debug, Clone)]
enum Node {
    Folder,
    File,
    Link(String),
}

type Tree = BTreeMap<Vec<String>, Node>;

/// A tree of random nodes, written below a base.
fn grow(random: &mut ChaCha8Rng, base: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut folders: Vec<Vec<String>> = ["inside", "outside"].map(|name| vec![name.to_owned()]).to_vec();
    for folder in &folders {
        fs::create_dir(base.join(folder.join("/"))).unwrap();
        tree.insert(folder.clone(), Node::Folder);
    }
    for _ in 0..random.random_range(6..24) {
        let mut path = folders[random.random_range(0..folders.len())].clone();
        path.push(["a", "b", "c", "new\nline", "..."][random.random_range(0..5)].to_owned());
        if tree.contains_key(&path) {
            continue;
        }
        let at = base.join(path.join("/"));
        let node = match random.random_range(0..5) {
            0 | 1 => {
                fs::create_dir(&at).unwrap();
                folders.push(path.clone());
                Node::Folder
            }
            2 => {
                fs::write(&at, path.join("/")).unwrap();
                Node::File
            }
            _ => {
                let target = target(random, base);
                symlink(&target, &at).unwrap();
                Node::Link(target)
            }
        };
        tree.insert(path, node);
    }
    tree
}

/// The target of a link: steps inside, out of it, absolute paths, and the magic links of `/proc`.
fn target(random: &mut ChaCha8Rng, base: &Path) -> String {
    let base = base.to_string_lossy();
    match random.random_range(0..12) {
        0 => format!("{base}/outside/a"),
        1 => format!("{base}/inside/a"),
        2 => format!("/proc/self/root{base}/inside/a"),
        3 => "/proc/self/cwd".into(),
        4 => "../outside/a".into(),
        5 => "../../outside".into(),
        // With a slash at the end, only a folder.
        6 => steps(random, &["a", "b", ".."]) + "/",
        _ => steps(random, &["a", "b", "c", "..", ".", "new\nline"]),
    }
}

fn steps(random: &mut ChaCha8Rng, names: &[&str]) -> String {
    let steps = (0..random.random_range(1..5)).map(|_| names[random.random_range(0..names.len())]);
    steps.collect::<Vec<_>>().join("/")
}

/// The oracle: where a path from `inside` leads, if it may be reached. It walks over the tree as it was created.
fn reached(tree: &Tree, path: &str, links: Links) -> Option<Vec<String>> {
    let mut at = vec!["inside".to_owned()];
    let mut left: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
    let mut followed = 0;
    while let Some(name) = left.pop() {
        match name.as_str() {
            "" | "." => continue,
            ".." => {
                at.pop();
                // Up to its parent would be out of it.
                if at.is_empty() {
                    return None;
                }
                continue;
            }
            name => at.push(name.to_owned()),
        }
        match tree.get(&at)? {
            Node::Folder => {}
            Node::File if left.is_empty() => {}
            Node::File => return None,
            Node::Link(target) => {
                followed += 1;
                if links == Links::Refused || target.starts_with('/') || followed > 40 {
                    return None;
                }
                at.pop();
                left.extend(target.split('/').rev().map(str::to_owned));
            }
        }
    }
    Some(at)
}

#[test]
fn both_ways_of_resolving_reach_exactly_what_the_oracle_lists() {
    let mut random = ChaCha8Rng::seed_from_u64(32);
    let (mut reachable, mut refused) = (0, 0);
    for _ in 0..150 {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let tree = grow(&mut random, &base);
        let folder = Folder::open(&base.join("inside")).unwrap();
        for _ in 0..20 {
            let path = steps(&mut random, &["a", "b", "c", "new\nline", "..."]);
            for links in [Links::Refused, Links::Inside] {
                let expected = reached(&tree, &path, links);
                let there =
                    expected.as_ref().map(|real| fs::symlink_metadata(base.join(real.join("/"))).unwrap().ino());
                let found = |opened: Result<std::os::fd::OwnedFd, rustix::io::Errno>| {
                    opened.ok().map(|fd| File::from(fd).metadata().unwrap().ino())
                };
                let path = Path::new(&path);
                for way in [by_openat2, by_steps] {
                    assert_eq!(
                        found(way(folder.as_fd(), path, links, OFlags::PATH)),
                        there,
                        "{path:?} {links:?} {tree:#?}"
                    );
                }
                assert_eq!(
                    folder.item(path, links).ok().map(|item| item.metadata().unwrap().ino()),
                    there,
                    "{path:?} {links:?} {tree:#?}"
                );
                // A file holds its own path.
                let read = match links {
                    Links::Refused => folder.read(path),
                    Links::Inside => folder.read_by_links(path),
                };
                let text = read.ok().map(|mut file| {
                    let mut text = String::new();
                    file.read_to_string(&mut text).unwrap();
                    text
                });
                let is_file = |real: &Vec<String>| matches!(tree[real], Node::File);
                assert_eq!(text, expected.filter(is_file).map(|real| real.join("/")), "{path:?} {links:?}");
                *if there.is_some() { &mut reachable } else { &mut refused } += 1;
            }
        }
    }
    assert!(reachable > 300 && refused > 300, "{reachable} reached, {refused} refused");
}

#[test]
fn what_is_written_lands_inside_or_nowhere() {
    let mut random = ChaCha8Rng::seed_from_u64(33);
    let mut written = 0;
    for _ in 0..150 {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        grow(&mut random, &base);
        let folder = Folder::open(&base.join("inside")).unwrap();
        let outside = || listed(&base.join("outside"));
        let before = outside();
        for _ in 0..12 {
            let path = steps(&mut random, &["a", "b", "c", "d"]);
            match random.random_range(0..4) {
                0 => drop(folder.create_folders(&path)),
                1 => drop(folder.create_new(&path)),
                2 => {
                    let replaced = folder.replace(&path, |file| std::io::Write::write_all(file, b"replaced"));
                    if replaced.is_ok() {
                        assert_eq!(fs::read(base.join("inside").join(&path)).unwrap(), b"replaced");
                        written += 1;
                    }
                }
                _ => drop(folder.remove_file(&path)),
            }
        }
        assert_eq!(outside(), before);
    }
    assert!(written > 50, "{written} written");
}

/// Every path below a folder with what is there, links not followed.
fn listed(folder: &Path) -> Vec<String> {
    let mut listed = Vec::new();
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        listed.push(format!("{} {} {}", path.display(), metadata.ino(), metadata.len()));
        if metadata.is_dir() {
            listed.extend(self::listed(&path));
        }
    }
    listed.sort();
    listed
}
