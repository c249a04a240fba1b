//! The permissions of a run in each tier: its user, its limits, the paths that it may read and write.

use std::path::Path;

use rustix::process::{Gid, Uid, geteuid};

use super::plan::{LaunchPlan, Privileges};
use super::seccomp::Scope;
use super::source::{Source, c_string};
use super::users::{JobUser, NOBODY};
use super::visible::{self, VisiblePaths};
use super::{Sandbox, landlock};
use crate::{Limits, SCRATCH_FILES, Tier, shell_limits, tree};

/// Slack of limits that are only a second line of defence behind sampling.
const SLACK_PROCESSES: u64 = 16;
/// The kernel enforces a process's limit of CPU time by sampling what runs at each tick of its clock. When many processes take
/// turns, this is inexact: four processes that had used 1.5 to 1.6 s by the scheduler counted as 2 s. A death by this limit
/// looks like a crash. So the limit is twice the allowed time plus a second.
const SLACK_CPU: u64 = 2;
const SLACK_CPU_SECONDS: u64 = 1;

/// The limit of CPU time of each process, in seconds, for a run that may use `cpu_ms` milliseconds.
fn cpu_seconds(cpu_ms: u64) -> u64 {
    cpu_ms.saturating_mul(SLACK_CPU).div_ceil(1000) + SLACK_CPU_SECONDS
}

/// The limit for all processes of a user that has `others` in addition to a run of at most `most`. It leaves room for one
/// more run per processor: otherwise, runs that try to exceed their limits at the same time would keep each other below
/// them, and sampling would not see any of them exceed its limit.
fn user_limit(most: u64, others: u64) -> u64 {
    let runs = std::thread::available_parallelism().map_or(1, |processors| processors.get() as u64);
    most.saturating_mul(runs + 1).saturating_add(others + SLACK_PROCESSES)
}

impl Sandbox {
    /// The plan of a run in a tier, without files and program.
    pub(super) fn plan(
        &self,
        visible: &VisiblePaths,
        scratch: &Path,
        limits: &Limits,
        tier: Tier,
        user: Option<&JobUser>,
    ) -> LaunchPlan {
        let uid = geteuid();
        let own_root = tier == Tier::Namespaces;
        let privileges = match (tier, uid.is_root(), user.map(JobUser::ids)) {
            (Tier::ProcessGroup, ..) => Privileges::Kept,
            (Tier::Landlock, true, Some((uid, gid))) => Privileges::Dropped { uid, gid, own_namespace: None },
            (Tier::Landlock, ..) => Privileges::WithoutCapabilities,
            (Tier::Namespaces, false, _) => Privileges::Mapped,
            (Tier::Namespaces, true, ids) => {
                let (uid, gid) = ids.unwrap_or((Uid::from_raw(NOBODY), Gid::from_raw(NOBODY)));
                let maps = || user.map_or_else(|| (one_id(NOBODY), one_id(NOBODY)), JobUser::maps);
                Privileges::Dropped { uid, gid, own_namespace: self.own_users.then(maps) }
            }
        };
        let scope = match (tier, visible.writable().next()) {
            (Tier::Namespaces, None) => Scope::OwnRoot,
            (Tier::Namespaces, Some(_)) => Scope::OwnRootBuild,
            (_, Some(_)) => Scope::LandlockBuild,
            _ => Scope::Landlock,
        };
        let enforced = self.enforcement();
        // The limit counts all processes of the user in the user namespace.
        let own_users = matches!(&privileges, Privileges::Mapped)
            || matches!(&privileges, Privileges::Dropped { own_namespace: Some(_), .. });
        let processes = limits.processes.filter(|_| !enforced.processes).map(u64::from);
        // Without a private namespace all other processes of the user count as well; root is not limited.
        let processes = processes
            .filter(|_| own_users || !uid.is_root())
            .map(|most| if own_users { most + SLACK_PROCESSES } else { user_limit(most, tree::tasks_of(uid)) })
            .map(|most| most.min(shell_limits::processes_of_jobs()));
        let landlock = (tier >= Tier::Landlock && self.landlock > 0)
            .then(|| landlock::Rules::new(self.landlock, readable(visible, scratch, own_root, enforced.memory)));
        let root = own_root.then(|| visible.root(&self.system, &scratch_options(limits.scratch_bytes, &privileges)));
        LaunchPlan {
            root,
            privileges,
            scratch: c_string(scratch),
            directory: c_string(scratch),
            wall_us: limits.wall_ms.saturating_mul(1000),
            grace_us: limits.grace_ms.saturating_mul(1000),
            cpu_seconds: limits.cpu_ms.map(cpu_seconds),
            file_bytes: limits.scratch_bytes.filter(|_| !own_root),
            processes,
            landlock,
            filter: self.filters.as_ref().filter(|_| tier >= Tier::Landlock).map(|filters| filters.of(scope)),
            ..LaunchPlan::default()
        }
    }
}

/// Lines of the maps in which the user and group of an ordinary user are mapped to themselves; `None` for root.
pub(super) fn maps() -> Option<(Vec<u8>, Vec<u8>)> {
    let (uid, gid) = (geteuid(), rustix::process::getegid());
    (!uid.is_root()).then(|| (one_id(uid.as_raw()), one_id(gid.as_raw())))
}

/// The line of a map in which one number is mapped to itself.
fn one_id(id: u32) -> Vec<u8> {
    format!("{id} {id} 1").into_bytes()
}

fn scratch_options(bytes: Option<u64>, privileges: &Privileges) -> String {
    let owner = match privileges {
        Privileges::Dropped { uid, gid, .. } => format!(",uid={},gid={}", uid.as_raw(), gid.as_raw()),
        _ => String::new(),
    };
    // Without a limit the system's default applies: half of the memory.
    let size = bytes.map_or(String::new(), |bytes| format!("size={bytes},"));
    format!("{size}nr_inodes={SCRATCH_FILES},mode=700{owner}")
}

/// A device with which a program that may write it creates shared memory without a name.
const ZEROES: &str = "/dev/zero";

/// Rights that Landlock grants. In a private root, everything may be read; otherwise only the visible paths. `counted` is
/// true if a control group counts memory.
fn readable(visible: &VisiblePaths, scratch: &Path, own_root: bool, counted: bool) -> Vec<(Source, u64)> {
    let mut allowed = vec![(Source::trusted(scratch), landlock::ALL)];
    allowed.extend(visible.writable().map(|(path, source)| {
        // In a private root the folder is mounted at its path.
        let (identity, rest) = (source.identity, visible::relative(path));
        let mounted = || Source { path: c"/".into(), rest, identity };
        (if own_root { mounted() } else { source.clone() }, landlock::ALL)
    }));
    let uncounted = |device: &Path| !counted && device == Path::new(ZEROES);
    let device = |device: &Path| if uncounted(device) { landlock::READ } else { landlock::DEVICE };
    allowed.extend(VisiblePaths::devices().map(|path| (Source::trusted(path), device(path))));
    if own_root {
        allowed.push((Source::trusted(Path::new("/")), landlock::READ));
    } else {
        allowed.extend(visible.paths().map(|(_, source)| (source.clone(), landlock::READ)));
        allowed.push((Source::trusted(Path::new("/proc")), landlock::READ));
    }
    allowed
}

#[cfg(test)]
mod tests {
    use super::user_limit;

    #[test]
    fn the_kernels_limit_of_cpu_time_is_far_behind_that_of_the_run() {
        assert_eq!([1, 1500, 2000, u64::MAX].map(super::cpu_seconds), [2, 4, 5, u64::MAX / 1000 + 2]);
    }

    #[test]
    fn two_runs_of_a_user_can_both_exceed_their_limit_of_processes() {
        for most in [1, 64, 4096] {
            // The second begins when the first has one process.
            let limit = user_limit(most, 0).min(user_limit(most, 1));
            assert!(limit >= 2 * (most + 1), "{limit} for {most}");
        }
    }
}
