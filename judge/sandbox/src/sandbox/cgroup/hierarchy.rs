//! The mounted hierarchies of control groups, and the judge's permissions in each.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Beginning of the names of the judge's groups; its process number follows.
pub(super) const PREFIX: &str = "judge-";
/// The group to which the judge itself moves if version 2 requires groups with children to be empty.
const OWN: &str = "judge-itself";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A mounted hierarchy in which groups can be created, and the controllers of it that are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hierarchy {
    /// Folder of the group in which this judge runs, and below which it creates others.
    pub(super) group: PathBuf,
    pub(super) version: Version,
    pub(super) memory: bool,
    pub(super) processes: bool,
    pub(super) cpu: bool,
}

impl Hierarchy {
    /// Makes it possible to create groups below the judge's own, and removes groups of dead judges.
    pub(super) fn prepare(&mut self) -> io::Result<()> {
        self.remove_stale();
        let probe = self.group.join(format!("{PREFIX}{}-probe", std::process::id()));
        fs::create_dir(&probe)?;
        let done = File::options().write(true).open(probe.join("cgroup.procs"));
        fs::remove_dir(&probe)?;
        done?;
        if self.version == Version::Two {
            self.delegate();
        }
        Ok(())
    }

    /// Version 2: determines the controllers of groups below the judge's own, after requesting the missing ones.
    fn delegate(&mut self) {
        let list = |file: &str| fs::read_to_string(self.group.join(file)).unwrap_or_default();
        let has = |list: &str, name: &str| list.split_whitespace().any(|controller| controller == name);
        let (there, given) = (list("cgroup.controllers"), list("cgroup.subtree_control"));
        let missing = ["memory", "pids"].into_iter().filter(|name| has(&there, name) && !has(&given, name));
        let order: Vec<String> = missing.map(|name| format!("+{name}")).collect();
        if !order.is_empty() {
            let ask = || fs::write(self.group.join("cgroup.subtree_control"), order.join(" "));
            // A group with processes cannot have controlled children, so the judge moves to a child group. If other
            // processes are in the group as well, that does not help and the judge moves back.
            if ask().is_err() {
                let aside = self.group.join(OWN);
                let me = |group: &Path| File::options().write(true).open(group.join("cgroup.procs"))?.write_all(b"0");
                let stepped = fs::create_dir(&aside).and_then(|()| me(&aside));
                if stepped.and_then(|()| ask()).is_err() {
                    me(&self.group).ok();
                    fs::remove_dir(&aside).ok();
                }
            }
        }
        let given = list("cgroup.subtree_control");
        self.memory = has(&given, "memory");
        self.processes = has(&given, "pids");
        // Time is counted with or without a controller.
        self.cpu = true;
    }

    /// Removes groups whose judge is gone. A group that still has processes stays.
    fn remove_stale(&self) {
        let Ok(items) = fs::read_dir(&self.group) else { return };
        for item in items.flatten() {
            let name = item.file_name().to_string_lossy().into_owned();
            let judge = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
            if judge.is_some_and(|judge| !Path::new("/proc").join(judge.to_string()).exists()) {
                fs::remove_dir(item.path()).ok();
            }
        }
    }
}

/// The judge's own group in every useful mounted hierarchy.
pub(super) fn mounted(mounts: &str, own: &str) -> Vec<Hierarchy> {
    let mounted = mounts.lines().filter_map(|line| {
        // `… mountpoint options … - type source superblock-options`
        let (mount, system) = line.split_once(" - ")?;
        let (root, point) = (mount.split(' ').nth(3)?, mount.split(' ').nth(4)?);
        let (kind, options) = (system.split(' ').next()?, system.split(' ').nth(2)?);
        Some((kind, root, point, options))
    });
    let found = mounted.filter_map(|(kind, root, point, options)| {
        let has = |name: &str| kind == "cgroup" && options.split(',').any(|option| option == name);
        let version = if kind == "cgroup2" { Version::Two } else { Version::One };
        let (memory, processes, cpu) = (has("memory"), has("pids"), has("cpuacct"));
        if kind != "cgroup2" && !(memory || processes || cpu) {
            return None;
        }
        let path = own.lines().find_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let name = if memory {
                "memory"
            } else if processes {
                "pids"
            } else {
                "cpuacct"
            };
            let mine = match version {
                Version::Two => number == "0" && controllers.is_empty(),
                Version::One => controllers.split(',').any(|controller| controller == name),
            };
            mine.then_some(path)
        })?;
        // In a container the mount shows a part of the hierarchy, and the path may be given from above it.
        let path = path.strip_prefix(root.trim_end_matches('/')).unwrap_or(path);
        let group = Path::new(point).join(path.trim_start_matches('/'));
        let group = if group.is_dir() { group } else { point.into() };
        Some(Hierarchy { group, version, memory, processes, cpu })
    });
    found.collect()
}

/// Assigns each task to only one hierarchy, to version 2 if both are possible.
pub(super) fn without_doubles(mut found: Vec<Hierarchy>) -> Vec<Hierarchy> {
    found.sort_by_key(|hierarchy| hierarchy.version == Version::One);
    let (mut memory, mut processes, mut cpu) = (false, false, false);
    for hierarchy in &mut found {
        for (mine, taken) in [
            (&mut hierarchy.memory, &mut memory),
            (&mut hierarchy.processes, &mut processes),
            (&mut hierarchy.cpu, &mut cpu),
        ] {
            *mine &= !*taken;
            *taken |= *mine;
        }
    }
    found.retain(|hierarchy| hierarchy.memory || hierarchy.processes || hierarchy.cpu);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                          31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                          32 25 0:28 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n\
                          33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n\
                          34 25 0:30 / / rw - ext4 /dev/sda rw,memory\n";

    #[test]
    fn each_hierarchy_does_what_no_other_does() {
        let own = "4:memory:/deep/own\n3:cpu,cpuacct:/\n2:freezer:/\n0::/\n";
        let found = mounted(MOUNTS, own);
        let versions: Vec<_> = found.iter().map(|h| (h.version, h.memory, h.processes, h.cpu)).collect();
        assert_eq!(
            versions,
            [
                (Version::One, true, false, false),
                (Version::One, false, false, true),
                (Version::Two, false, false, false)
            ]
        );
        let mut two = found[2].clone();
        two.cpu = true;
        let kept = without_doubles(vec![found[0].clone(), found[1].clone(), two.clone()]);
        assert_eq!(kept, [two, found[0].clone()]);
    }

    #[test]
    fn damaged_system_files_give_nothing() {
        assert!(mounted("", "").is_empty());
        assert!(mounted("a - b\n - \n1 2 3 - cgroup2\n", ":\n0:\n::").is_empty());
    }
}
