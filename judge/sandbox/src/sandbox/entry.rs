//! The last steps of a process that is about to become an entry: here it gives up all rights that the entry must not
//! have.
//!
//! This runs between clone and exec: no allocation, no locks, no panics. The order matters: each step needs rights
//! that a later one takes away.

use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Resource, Rlimit, Signal, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::launch::{Launch, Privileges};
use super::message::{AtStep as _, Done, Message, Refusal, Step};
use super::steps::{map_user, report, write};
use super::{landlock, sys};
use crate::now_us;

/// The most open files of an entry.
const OPEN_FILES: u64 = 1024;

/// The most pending signals and timers of an entry, in a user namespace that counts them separately. For all processes of a
/// user together, the system allows about four per megabyte of its memory, which is enough for many runs.
const WAITING_SIGNALS: u64 = 256;
/// The most pending signals and timers of all processes of the user, if they are counted together: far below what the
/// system allows.
const WAITING_SIGNALS_OF_USER: u64 = 4096;

/// Becomes the entry, or reports why that is impossible. `begun` receives the time of the start.
pub(super) fn become_entry(plan: &Launch<'_>, begun: &AtomicU64) -> ! {
    let refusal = match prepare(plan) {
        Ok(()) => match &plan.image {
            Some(image) => {
                let begin = || {
                    let now_us = now_us();
                    begun.store(now_us, Ordering::Relaxed);
                    // In a PID namespace the number would mean another process outside.
                    let pid = if plan.root.is_none() { rustix::process::getpid().as_raw_pid() } else { 0 };
                    report(Message::Begun { now_us, pid });
                };
                Refusal { step: Step::Execute, index: 0, error: sys::execute(image, begin) }
            }
            // A dry run ends where the entry would begin.
            None => sys::exit(0),
        },
        Err(refusal) => refusal,
    };
    report(Message::Refused(refusal));
    sys::exit(127)
}

fn prepare(plan: &Launch<'_>) -> Done {
    sys::unblock_signals();
    rustix::process::setsid().at_step(Step::Session)?;
    if plan.root.is_none() {
        // In case its supervisor is killed; in a PID namespace that kills everything anyway.
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).at_step(Step::Tie)?;
    }
    be_killed_first();
    for number in plan.version_one() {
        rustix::io::write(sys::kept(number), b"0").at_step(Step::Cgroup)?;
    }
    hide_groups(plan)?;
    // No core file, and no program of the machine that handles core files: with 1 the kernel starts neither, with 0 only
    // the file is left out.
    limit(Resource::Core, 1)?;
    limit(Resource::Nofile, OPEN_FILES)?;
    // All processes of the user share these quotas, including the judge and other entries.
    limit(Resource::Msgqueue, 0)?;
    limit(Resource::Memlock, 0)?;
    // Deep recursion is limited by memory, not by the stack limit of the organiser's shell.
    let stack = rustix::process::getrlimit(Resource::Stack).maximum;
    setrlimit(Resource::Stack, Rlimit { current: stack, maximum: stack }).at_step(Step::ResourceLimits)?;
    if let Some(seconds) = plan.cpu_seconds {
        limit(Resource::Cpu, seconds)?;
    }
    if let Some(bytes) = plan.file_bytes {
        limit(Resource::Fsize, bytes)?;
    }
    take_privileges(plan)?;
    rustix::process::chdir(plan.directory).at_step(Step::Directory)?;
    rustix::thread::set_no_new_privs(true).at_step(Step::User)?;
    if let Some(rules) = &plan.landlock {
        landlock::enter(rules)?;
    }
    match &plan.filter {
        Some(filter) => {
            seccompiler::apply_filter(sys::instructions(filter)).map_err(|_| Errno::INVAL).at_step(Step::Seccomp)
        }
        None => Ok(()),
    }
}

/// Makes the kernel kill the job before the judge if the machine runs out of memory. Failure to set this is ignored.
fn be_killed_first() {
    let set = || write(c"/proc/self/oom_score_adj", OFlags::empty(), b"1000");
    if set() == Err(Errno::ACCESS) {
        // If a process is not dumpable, its files in /proc belong to root. This one is still a copy of its supervisor,
        // which is not dumpable.
        rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable).ok();
        set().ok();
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).ok();
    }
}

/// Makes the entry see its control groups as the topmost ones, as their names contain the judge's process number.
/// Without namespaces, only root can do that.
fn hide_groups(plan: &Launch<'_>) -> Done {
    match &plan.privileges {
        Privileges::Kept => Ok(()),
        _ if plan.root.is_none() => {
            sys::enter_cgroup_namespace().ok();
            Ok(())
        }
        _ => match sys::enter_cgroup_namespace() {
            // A kernel without control groups.
            Err(Errno::INVAL) => Ok(()),
            entered => entered.at_step(Step::Cgroup),
        },
    }
}

fn take_privileges(plan: &Launch<'_>) -> Done {
    if let &Privileges::Dropped { uid, gid, ref own_namespace } = &plan.privileges {
        rustix::thread::set_thread_groups(&[]).at_step(Step::User)?;
        rustix::thread::set_thread_res_gid(gid, gid, gid).at_step(Step::User)?;
        rustix::thread::set_thread_res_uid(uid, uid, uid).at_step(Step::User)?;
        if let Some((user, group)) = own_namespace {
            // After a change of user, the files of /proc/self would belong to root.
            let dumpable = rustix::process::DumpableBehavior::Dumpable;
            rustix::process::set_dumpable_behavior(dumpable).at_step(Step::User)?;
            sys::enter_user_namespace().at_step(Step::UserNamespace)?;
            map_user(user, group)?;
        }
    }
    // Not earlier: inside the namespace only the entry's own processes count, and the namespace's limit for all of them is
    // the limit of the process that creates it.
    let own_users = match &plan.privileges {
        Privileges::Mapped => true,
        Privileges::Dropped { own_namespace, .. } => own_namespace.is_some(),
        Privileges::Kept | Privileges::WithoutCapabilities => false,
    };
    limit(Resource::Sigpending, if own_users { WAITING_SIGNALS } else { WAITING_SIGNALS_OF_USER })?;
    if let Some(processes) = plan.processes {
        limit(Resource::Nproc, processes)?;
    }
    if !matches!(plan.privileges, Privileges::Kept) {
        let none = CapabilitySet::empty();
        let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
        rustix::thread::set_capabilities(None, none).at_step(Step::User)?;
    }
    Ok(())
}

/// Sets a limit that the process cannot raise again.
fn limit(resource: Resource, value: u64) -> Done {
    let highest = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX).min(value);
    setrlimit(resource, Rlimit { current: Some(highest), maximum: Some(highest) }).at_step(Step::ResourceLimits)
}
