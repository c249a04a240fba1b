//! A file system that loses unsynced data. POSIX promises no more: after a power cut a file has the bytes, and a folder
//! the names, of its last `fsync`. Any part of later changes may have arrived.

use std::collections::HashMap;

use rand::{Rng, RngExt as _};

use super::trace::Step;

use crate::support::*;

/// Bytes that reach the disk together.
const PAGE: usize = 512;

/// The surviving files by path, relative to the root, with their contents; `None` for folders.
pub(crate) type Survivors = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The part of unsynced changes that reaches the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrives {
    Nothing,
    /// Names of files, but not their contents.
    Names,
    /// Contents of files, but no names.
    Data,
    /// Everything, as after `kill -9`.
    Everything,
    /// Some names, and of each file some of its last bytes.
    Some,
    /// All names and lengths, but some pages are zero.
    Holes,
}

pub(crate) const ARRIVES: [Arrives; 6] =
    [Arrives::Nothing, Arrives::Names, Arrives::Data, Arrives::Everything, Arrives::Some, Arrives::Holes];

#[derive(Clone)]
enum Node {
    File {
        now: Vec<u8>,
        safe: Vec<u8>,
        /// The parts written since the last sync.
        unsynced: Vec<(usize, usize)>,
    },
    Folder {
        now: BTreeMap<String, usize>,
        safe: BTreeMap<String, usize>,
    },
}

/// The state of a file or folder when a sync of it began.
#[derive(Clone)]
enum Snapshot {
    /// Its bytes, and the number of parts that were written before.
    File(Vec<u8>, usize),
    Folder(BTreeMap<String, usize>),
}

/// The folder of a test with all its contents.
#[derive(Clone)]
pub(crate) struct Disk {
    root: PathBuf,
    nodes: Vec<Node>,
    syncs: HashMap<usize, (usize, Snapshot)>,
}

impl Disk {
    /// A folder as it is, all of it on disk.
    pub(crate) fn from_root(root: &Path) -> Self {
        let mut disk = Self { root: root.canonicalize().unwrap(), nodes: Vec::new(), syncs: HashMap::new() };
        let root = disk.root.clone();
        disk.load(&root);
        disk
    }

    fn load(&mut self, path: &Path) -> usize {
        let index = self.nodes.len();
        if !path.is_dir() {
            let now = fs::read(path).unwrap();
            self.nodes.push(Node::File { safe: now.clone(), now, unsynced: Vec::new() });
            return index;
        }
        self.nodes.push(Node::Folder { now: BTreeMap::new(), safe: BTreeMap::new() });
        for item in fs::read_dir(path).unwrap().map(Result::unwrap) {
            let child = self.load(&item.path());
            let Node::Folder { now, safe } = &mut self.nodes[index] else { unreachable!() };
            let name = item.file_name().into_string().unwrap();
            now.insert(name.clone(), child);
            safe.insert(name, child);
        }
        index
    }

    /// Applies an operation of the judge. Returns true if it may change the state after a power cut.
    pub(crate) fn apply(&mut self, step: &Step) -> bool {
        match step {
            Step::Create { path, fresh } => match self.find(path) {
                Some(file) if *fresh => self.cut(file, 0),
                Some(_) => return false,
                None => self.add(path, Node::File { now: Vec::new(), safe: Vec::new(), unsynced: Vec::new() }),
            },
            Step::Write { path, at, bytes } => {
                let file = self.existing(path);
                let Node::File { now, unsynced, .. } = &mut self.nodes[file] else { panic!("{}", path.display()) };
                let at = at.map_or(now.len(), |at| usize::try_from(at).unwrap());
                now.resize(now.len().max(at + bytes.len()), 0);
                now[at..at + bytes.len()].copy_from_slice(bytes);
                unsynced.push((at, at + bytes.len()));
            }
            Step::Length { path, length } => {
                let file = self.existing(path);
                self.cut(file, usize::try_from(*length).unwrap());
            }
            Step::SyncBegins { number, path } => {
                let node = self.existing(path);
                let snapshot = match &self.nodes[node] {
                    Node::File { now, unsynced, .. } => Snapshot::File(now.clone(), unsynced.len()),
                    Node::Folder { now, .. } => Snapshot::Folder(now.clone()),
                };
                self.syncs.insert(*number, (node, snapshot));
                return false;
            }
            Step::SyncEnds { number } => {
                let (node, snapshot) = self.syncs.remove(number).unwrap();
                match (&mut self.nodes[node], snapshot) {
                    (Node::File { safe, unsynced, .. }, Snapshot::File(synced, parts)) => {
                        *safe = synced;
                        unsynced.drain(..parts.min(unsynced.len()));
                    }
                    (Node::Folder { safe, .. }, Snapshot::Folder(synced)) => *safe = synced,
                    _ => unreachable!("a file stays a file"),
                }
            }
            Step::Rename { from, to } => {
                let node = self.existing(from);
                self.name(from, None);
                self.name(to, Some(node));
            }
            Step::Link { from, to } => {
                let node = self.existing(from);
                self.name(to, Some(node));
            }
            Step::Unlink { path } | Step::RemoveFolder { path } => self.name(path, None),
            Step::MakeFolder { path } => {
                self.add(path, Node::Folder { now: BTreeMap::new(), safe: BTreeMap::new() });
            }
            Step::Printed { .. } => return false,
        }
        true
    }

    fn cut(&mut self, file: usize, length: usize) {
        let Node::File { now, unsynced, .. } = &mut self.nodes[file] else { panic!("a folder was cut") };
        now.resize(length, 0);
        for (from, to) in unsynced.iter_mut() {
            (*from, *to) = ((*from).min(length), (*to).min(length));
        }
    }

    fn find(&self, path: &Path) -> Option<usize> {
        let inner = path.strip_prefix(&self.root).unwrap();
        inner.iter().try_fold(0, |node, name| match &self.nodes[node] {
            Node::Folder { now, .. } => now.get(name.to_str().unwrap()).copied(),
            Node::File { .. } => None,
        })
    }

    fn existing(&self, path: &Path) -> usize {
        self.find(path).unwrap_or_else(|| panic!("{} does not exist in the model", path.display()))
    }

    fn add(&mut self, path: &Path, node: Node) {
        self.nodes.push(node);
        let index = self.nodes.len() - 1;
        self.name(path, Some(index));
    }

    fn name(&mut self, path: &Path, node: Option<usize>) {
        let folder = self.existing(path.parent().unwrap());
        let Node::Folder { now, .. } = &mut self.nodes[folder] else { panic!("{}", path.display()) };
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match node {
            Some(node) => drop(now.insert(name, node)),
            None => drop(now.remove(&name)),
        }
    }

    /// The files after a power cut at this moment.
    pub(crate) fn after_a_cut(&self, arrives: Arrives, random: &mut impl Rng) -> Survivors {
        let mut survivors = Survivors::new();
        self.collect(0, Path::new(""), arrives, random, &mut survivors);
        survivors
    }

    fn collect(&self, node: usize, path: &Path, arrives: Arrives, random: &mut impl Rng, all: &mut Survivors) {
        match &self.nodes[node] {
            Node::File { now, safe, unsynced } => {
                let bytes = match arrives {
                    Arrives::Nothing | Arrives::Names => safe.clone(),
                    Arrives::Data | Arrives::Everything => now.clone(),
                    Arrives::Some => part_of(now, safe, random),
                    Arrives::Holes => with_holes(now, unsynced, random),
                };
                all.insert(path.to_owned(), Some(bytes));
            }
            Node::Folder { now, safe } => {
                all.insert(path.to_owned(), None);
                let names = match arrives {
                    Arrives::Nothing | Arrives::Data => safe.clone(),
                    Arrives::Names | Arrives::Everything | Arrives::Holes => now.clone(),
                    Arrives::Some => some_of(now, safe, random),
                };
                for (name, child) in names {
                    self.collect(child, &path.join(name), arrives, random, all);
                }
            }
        }
    }
}

/// Each name in its new or its old state.
fn some_of(
    now: &BTreeMap<String, usize>,
    safe: &BTreeMap<String, usize>,
    random: &mut impl Rng,
) -> BTreeMap<String, usize> {
    let names = now.keys().chain(safe.keys().filter(|name| !now.contains_key(*name)));
    let chosen = names.filter_map(|name| {
        let from = if random.random() { now } else { safe };
        Some((name.clone(), *from.get(name)?))
    });
    chosen.collect()
}

/// A file whose last bytes did not all arrive: added bytes are cut anywhere, changed ones are old or new.
fn part_of(now: &[u8], safe: &[u8], random: &mut impl Rng) -> Vec<u8> {
    if now.len() > safe.len() && now.starts_with(safe) {
        return now[..random.random_range(safe.len()..=now.len())].to_vec();
    }
    if random.random() { now.to_vec() } else { safe.to_vec() }
}

/// A file that has its length, with zeros in some of the pages that were not synced.
fn with_holes(now: &[u8], unsynced: &[(usize, usize)], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = now.to_vec();
    for &(from, to) in unsynced {
        for page in (from..to).step_by(PAGE) {
            if random.random() {
                bytes[page..to.min(page + PAGE)].fill(0);
            }
        }
    }
    bytes
}
