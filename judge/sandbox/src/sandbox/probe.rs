//! Probing of this machine: each tier is tried with a dry run, which does everything except executing a job.

use std::ffi::CString;
use std::fmt;
use std::path::Path;

use judge_job::named;
use rustix::io::Errno;
use rustix::process::Uid;
use rustix::thread::CapabilitySet;
use serde::Serialize;

use super::cgroup::{Cgroups, GroupLimits};
use super::plan::LaunchPlan;
use super::seccomp::Filters;
use super::zygote::Zygotes;
use super::{NAMESPACES, NotStarted, Refusal, Sandbox, Step, open_stdin, sys, users};
use crate::Stdin;
use crate::promises::Conditions;
use crate::{Isolation, Limits, Tier};

/// Findings of a dry run about isolation on this machine.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Probe {
    /// The strongest tier that works, with its layers.
    pub isolation: Isolation,
    /// Every layer that was probed.
    pub layers: Vec<Layer>,
    /// The conditions that decide which promises are kept.
    pub conditions: Conditions,
}

named! {
    /// A layer of isolation.
    #[non_exhaustive]
    pub enum LayerName {
        /// A process between the judge and an entry, which outlives and ends all processes of a run.
        Supervisor = "supervisor",
        /// Control groups, which limit memory and processes, and count CPU time.
        Cgroup = "cgroup",
        /// Landlock, which limits the files that an entry reaches.
        Landlock = "landlock",
        /// A filter of system calls.
        Seccomp = "seccomp",
        /// Namespaces with a private root.
        Namespaces = "namespaces",
    }
}

impl fmt::Display for LayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A layer with the finding whether it works here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Layer {
    /// The layer.
    pub name: LayerName,
    /// `true` if it works here.
    pub works: bool,
    /// The finding, or the reason why it does not work, as a fragment.
    pub finding: String,
    /// Its use in a contest, as a fragment.
    pub means: &'static str,
}

/// Limits that the kernel enforces immediately for a whole process tree. The others are sampled every few milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Enforcement {
    /// True if it enforces the memory of all processes together.
    pub memory: bool,
    /// True if it enforces the number of processes and threads.
    pub processes: bool,
    /// True if it counts CPU time to the microsecond, including processes that were not waited for.
    pub cpu: bool,
    /// True if it enforces the size of the scratch directory.
    pub scratch: bool,
}

impl Default for Probe {
    fn default() -> Self {
        let isolation = Isolation { tier: Tier::ProcessGroup, layers: Vec::new() };
        Self { isolation, layers: Vec::new(), conditions: Conditions::default() }
    }
}

impl Sandbox {
    /// Probes everything up to a tier and takes the strongest that works.
    pub(super) fn probe(&mut self, at_most: Tier) {
        self.probe_layers(at_most);
        let group = |limits: fn(&Cgroups) -> bool| self.cgroups.as_ref().is_some_and(limits);
        self.probe.conditions = Conditions {
            tier: self.tier,
            landlock: if self.tier >= Tier::Landlock { self.landlock } else { 0 },
            filter: self.has_filter(),
            root: rustix::process::geteuid().is_root(),
            memory: group(Cgroups::limits_memory),
            processes: group(Cgroups::limits_processes),
            cpu: group(Cgroups::counts_cpu),
            mapped_files: crate::hidden::sees_mapped_files(),
        };
    }

    fn probe_layers(&mut self, at_most: Tier) {
        let supervisor = self.dry_run(Tier::ProcessGroup);
        self.note(LayerName::Supervisor, supervisor.map(|()| "clone3, pidfd and subreaper work".into()), SUPERVISOR);
        // Every layer needs a supervisor.
        self.bare = !self.works(LayerName::Supervisor);
        if self.bare {
            return;
        }
        let way = way_to_groups(Path::new("/run"), rustix::process::geteuid());
        let cgroups = Cgroups::new().and_then(|cgroups| {
            let missing = !cgroups.limits_memory() || !cgroups.limits_processes();
            let way = way.as_ref().filter(|_| missing).map(|way| format!(" only; {way}"));
            let found = cgroups.describe() + &way.unwrap_or_default();
            self.cgroups = Some(cgroups);
            self.dry_run(Tier::ProcessGroup).inspect_err(|_| self.cgroups = None).map(|()| found)
        });
        let cgroups = cgroups.map_err(|why| way.map_or(why.clone(), |way| format!("{why}; {way}")));
        self.note(LayerName::Cgroup, cgroups, CGROUP);
        // Not earlier: they stay in the control group in which they were created.
        self.zygotes.used = true;
        if self.dry_run(Tier::ProcessGroup).is_err() {
            self.zygotes = Zygotes::default();
        }
        if at_most == Tier::ProcessGroup {
            self.probe.isolation.layers = self.layers(at_most);
            return;
        }
        let landlock = sys::landlock_version().map_err(no_landlock).and_then(|version| {
            self.landlock = version;
            match version {
                0 => Err("switched off".into()),
                // The gap matters without namespaces: then only seccomp blocks the network.
                1..6 => Ok(format!("version {version}, which does not keep entries from signalling others (6 does)")),
                _ => Ok(format!("version {version}")),
            }
        });
        self.note(LayerName::Landlock, landlock, LANDLOCK);
        let counted = self.cgroups.as_ref().is_some_and(Cgroups::limits_memory);
        let seccomp = Filters::new(counted).and_then(|filters| {
            self.filters = Some(filters);
            self.dry_run(Tier::Landlock)
        });
        if seccomp.is_err() {
            self.filters = None;
        }
        self.note(LayerName::Seccomp, seccomp.map(|()| "a filter can be set".into()), SECCOMP);
        let namespaces =
            if at_most == Tier::Namespaces { self.dry_run_namespaces() } else { Err("not requested".into()) };
        self.note(LayerName::Namespaces, namespaces, NAMESPACES_MEAN);

        let tier = if self.works(LayerName::Namespaces) {
            Tier::Namespaces
        } else if self.works(LayerName::Landlock) && self.works(LayerName::Seccomp) {
            Tier::Landlock
        } else {
            Tier::ProcessGroup
        };
        self.tier = tier;
        self.probe.isolation = Isolation { tier, layers: self.layers(tier) };
    }

    fn works(&self, name: LayerName) -> bool {
        self.probe.layers.iter().any(|layer| layer.name == name && layer.works)
    }

    fn note(&mut self, name: LayerName, found: Result<String, String>, means: &'static str) {
        let (works, finding) = found.map_or_else(|why| (false, why), |found| (true, found));
        self.probe.layers.push(Layer { name, works, finding, means });
    }

    /// The layers of a tier by name.
    fn layers(&self, tier: Tier) -> Vec<String> {
        let mut layers: Vec<String> = Vec::new();
        let root = rustix::process::geteuid().is_root();
        match tier {
            Tier::ProcessGroup => layers.push("subreaper".into()),
            Tier::Landlock => layers.extend(["subreaper", "no capabilities"].map(Into::into)),
            Tier::Namespaces => {
                let user = if !root || self.own_users { "user " } else { "" };
                layers.push(format!("{user}pid mount network ipc uts"));
                layers.push("read-only root".into());
                layers.push(match root {
                    true if self.own_users && users::is_mapped() => "own uid".into(),
                    true => format!("uid {}", users::NOBODY),
                    false => "no capabilities".into(),
                });
            }
        }
        if tier >= Tier::Landlock {
            layers.extend((self.landlock > 0).then(|| format!("landlock {}", self.landlock)));
            layers.extend(self.filters.is_some().then(|| "seccomp".into()));
        }
        layers.extend(self.cgroups.as_ref().map(|cgroups| format!("cgroup {}", cgroups.describe())));
        layers
    }

    fn dry_run_namespaces(&mut self) -> Result<String, String> {
        let root = rustix::process::geteuid().is_root();
        if root && !may_end_other_users() {
            return Err("root without CAP_KILL could not end an entry, which is another user here".into());
        }
        self.own_users = root;
        let mut dry_run = self.dry_run(Tier::Namespaces);
        if root && dry_run.is_err() {
            // Root needs no user namespace for the rest.
            self.own_users = false;
            dry_run = self.dry_run(Tier::Namespaces);
        }
        let user = if !root || self.own_users { "user, " } else { "" };
        match dry_run {
            Ok(()) => Ok(format!("{user}PID, mount, network, IPC and UTS namespaces with a root of their own")),
            Err(why) => {
                let known = if root { lack_of_root() } else { restriction(Path::new("/")) };
                Err(known.map_or(why.clone(), |known| format!("{why}; {known}")))
            }
        }
    }

    /// Does everything that a run does except executing a job. The error names the step that failed.
    fn dry_run(&self, tier: Tier) -> Result<(), String> {
        let visible = self.system.with([])?;
        let scratch = visible.scratch();
        let scratch = if tier == Tier::Namespaces { &scratch } else { &self.base };
        let limits = Limits::default().with_scratch_bytes(1 << 20);
        let plan: LaunchPlan = self.plan(&visible, scratch, &limits, tier, None);
        let why = |error: NotStarted| match error {
            NotStarted::Refused(error) => error.to_string(),
            NotStarted::Unprepared(why) => why,
        };
        let group = self.cgroups.as_ref().map(|cgroups| cgroups.group(&GroupLimits::default())).transpose();
        let group = group.map_err(|error| error.to_string())?;
        let binds = self.system.paths().map(|(_, source)| source.path.clone()).collect::<Vec<_>>();
        let stdin = open_stdin(&Stdin::Nothing).map_err(|error| error.to_string())?;
        let finish = self
            .supervise(plan, group, &stdin, None, &limits)
            .map_err(why)?
            .end_after_itself()
            .map_err(|error| error.to_string())?;
        match (finish.refusal, finish.status) {
            (Some(refusal), _) => Err(describe(&refusal, &binds)),
            (None, Some(status)) if status.success() => Ok(()),
            (None, _) => Err("the dry run was cut off".into()),
        }
    }
}

/// Tests whether the judge may send signals to processes of other users, as root usually may. A container may lack it.
pub(super) fn may_end_other_users() -> bool {
    rustix::thread::capabilities(None).is_ok_and(|rights| rights.effective.contains(CapabilitySet::KILL))
}

/// A refusal as a fragment.
fn describe(refusal: &Refusal, binds: &[CString]) -> String {
    let what = (refusal.step == Step::Visible).then(|| binds.get(refusal.index)).flatten();
    let what = what.map_or(String::new(), |source| format!(" ({})", source.to_string_lossy()));
    format!("{}{what} failed: {}", refusal.step, std::io::Error::from(refusal.error))
}

/// The right that root lacks for namespaces, as in a container, if it lacks one.
fn lack_of_root() -> Option<&'static str> {
    let admin =
        rustix::thread::capabilities(None).is_ok_and(|rights| rights.effective.contains(CapabilitySet::SYS_ADMIN));
    (!admin).then_some("root lacks CAP_SYS_ADMIN here, a right that a container can be given")
}

/// The setting that denies namespaces to ordinary users, if one does.
fn restriction(root: &Path) -> Option<&'static str> {
    let setting = |name: &str| std::fs::read_to_string(root.join("proc/sys").join(name)).ok();
    let is = |name: &str, value: &str| setting(name).is_some_and(|text| text.trim() == value);
    if is("kernel/unprivileged_userns_clone", "0") {
        Some("sysctl kernel.unprivileged_userns_clone=1 would allow it")
    } else if is("kernel/apparmor_restrict_unprivileged_userns", "1") {
        Some("AppArmor forbids it: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for judge")
    } else if is("user/max_user_namespaces", "0") {
        Some("sysctl user.max_user_namespaces is 0")
    } else {
        None
    }
}

fn no_landlock(error: Errno) -> String {
    match error {
        Errno::NOSYS => "this kernel has none (Linux 5.13 has)".into(),
        Errno::OPNOTSUPP => "switched off at boot; add landlock to the kernel's lsm= list".into(),
        error => std::io::Error::from(error).to_string(),
    }
}

const _: () = assert!(NAMESPACES != 0, "a dry run of no namespace proves nothing");

/// Advice on getting control groups, for a user who has none or none with limits, as a fragment; `None` for root.
fn way_to_groups(run: &Path, user: Uid) -> Option<String> {
    if user.is_root() {
        return None;
    }
    let command = "`systemd-run --user --scope -p Delegate=yes …`";
    Some(if run.join("user").join(user.as_raw().to_string()).join("systemd/private").exists() {
        format!("{command} gives it groups of its own, if the system delegates them")
    } else if run.join("systemd/system").exists() {
        format!("after a login, or `loginctl enable-linger`, {command} gives it groups of its own")
    } else {
        "root can give it a version 2 group of its own: mkdir /sys/fs/cgroup/GROUP, chown that folder and its \
         cgroup.procs and cgroup.subtree_control, and write the number of its shell to cgroup.procs"
            .into()
    })
}

const SUPERVISOR: &str = "no process outlives its run, not even one that left the process group";
const LANDLOCK: &str = "an entry reads its own files and the system's programs only, and writes its scratch directory";
const SECCOMP: &str =
    "only the system calls that programs need, and none that reaches another process's limits, priority or memory";
const CGROUP: &str =
    "memory and processes of the whole tree are limited by the kernel, its CPU time is counted exactly";
const NAMESPACES_MEAN: &str = "an entry sees no other process, no network and no file but its own and the system's";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use rustix::thread::CapabilitySets;

    use super::*;

    #[test]
    fn a_user_without_control_groups_is_shown_the_way_to_them() {
        let run = tempfile::tempdir().unwrap();
        let user = Uid::from_raw(64_103);
        let way = || way_to_groups(run.path(), user);
        assert_eq!(way_to_groups(run.path(), Uid::ROOT), None);
        assert!(way().unwrap().contains("cgroup.procs"));
        std::fs::create_dir_all(run.path().join("systemd/system")).unwrap();
        assert!(way().unwrap().contains("enable-linger"));
        let own = run.path().join(format!("user/{}/systemd", user.as_raw()));
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("private"), "").unwrap();
        assert!(way().unwrap().starts_with("`systemd-run --user --scope -p Delegate=yes …`"));
    }

    #[test]
    fn a_root_without_rights_is_told_the_missing_one() {
        let none = CapabilitySet::empty();
        let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
        // Only of this thread.
        let without = std::thread::spawn(move || {
            rustix::thread::set_capabilities(None, none).unwrap();
            lack_of_root()
        });
        assert!(without.join().unwrap().unwrap().contains("CAP_SYS_ADMIN"));
    }

    #[test]
    fn a_restriction_is_named_by_its_setting() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(restriction(root.path()), None);
        std::fs::create_dir_all(root.path().join("proc/sys/user")).unwrap();
        std::fs::write(root.path().join("proc/sys/user/max_user_namespaces"), "0\n").unwrap();
        assert!(restriction(root.path()).unwrap().contains("max_user_namespaces"));
    }
}
