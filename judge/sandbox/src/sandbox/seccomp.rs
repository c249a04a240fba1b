//! The seccomp filter: a list of the system calls that entries may make, with a reason for each.
//!
//! The list contains the calls that programs in many languages really use; a test compares the two. A refused call
//! returns an error and does not end the program. A call of another architecture ends it, as its number would mean
//! another call.

mod arguments;
mod calls;
mod tree;

use std::sync::Arc;

use judge_job::Tier;
use seccompiler::BpfProgram;

use self::calls::{CALLS, Call, Place};
use self::tree::{Action, Range};

/// Error of a refused call.
const REFUSED: u32 = ERROR | libc::EPERM.unsigned_abs();
/// Error for an option that sockets are made to appear not to have.
const NO_OPTION: u32 = ERROR | libc::ENOPROTOOPT.unsigned_abs();
/// Error for a setting that processes are made to appear not to have, and for an operation that a clock or a file is
/// made to appear not to support.
const NO_SETTING: u32 = ERROR | libc::EINVAL.unsigned_abs();
/// Error for an operation that a file system is made to appear not to support; C libraries and linkers then write instead.
const NOT_SUPPORTED: u32 = ERROR | libc::EOPNOTSUPP.unsigned_abs();
/// Error for a call that this kernel is made to appear not to have.
const NOT_THERE: u32 = ERROR | libc::ENOSYS.unsigned_abs();
const ALLOWED: u32 = 0x7fff_0000;
/// No error: the call appears to have succeeded, but was not executed.
const DONE: u32 = ERROR;
const ERROR: u32 = 0x0005_0000;

/// Number of the first call added after Linux 5.0, on every architecture. Programs expect that a kernel may lack such
/// calls, and then use older ones, for example `clone` instead of `clone3`. So the filter pretends that the refused
/// ones among them do not exist.
const FIRST_NEW_CALL: u32 = 424;

/// The confinement of a job, on which its allowed calls depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Namespaces: the job has a private root, process tree and network.
    OwnRoot,
    /// Namespaces, for a job with writable folders, such as a build.
    OwnRootBuild,
    /// Namespaces, for a job of an untrusted author with writable folders, which are on the machine's file systems.
    OwnRootFolder,
    /// Landlock and a process group.
    Landlock,
    /// Landlock and a process group, for a job with writable folders, such as a build: compilers change modes and times
    /// of files.
    LandlockBuild,
}

impl Scope {
    /// Checks whether calls with this place are allowed. `counted` is true if a control group counts memory.
    fn has(self, place: Place, counted: bool) -> bool {
        match place {
            Place::Everywhere | Place::KeptFiles => true,
            Place::OwnFiles => self != Self::Landlock,
            Place::OwnRoom => self.has_room(),
            Place::SharedRoom => !self.has_room(),
            Place::OwnRootAndRoom => self.has_root() && self.has_room(),
            Place::OwnRoot => self.has_root(),
            Place::NoRoot => !self.has_root(),
            Place::Counted => counted,
            Place::Uncounted => !counted,
        }
    }

    fn has_root(self) -> bool {
        matches!(self, Self::OwnRoot | Self::OwnRootBuild | Self::OwnRootFolder)
    }

    /// True if its files have a file system of limited size, or are those of a build.
    fn has_room(self) -> bool {
        !matches!(self, Self::OwnRootFolder | Self::Landlock)
    }

    /// True for a build, whose files are kept.
    fn is_build(self) -> bool {
        matches!(self, Self::OwnRootBuild | Self::LandlockBuild)
    }

    /// The filter's action for a listed call.
    fn action(self, call: &Call) -> Action {
        match call.checks {
            _ if call.place == Place::KeptFiles && !self.is_build() => Action::Return(DONE),
            [] => Action::Return(ALLOWED),
            checks => Action::Run { allowed: checks, pretended: call.pretended(), refusal: call.refusal() },
        }
    }
}

/// The programs of all scopes for this machine.
#[derive(Debug)]
pub(super) struct Filters([Arc<BpfProgram>; 5]);

impl Filters {
    /// Filters for a machine. `counted` is true if a control group counts memory. The error is a fragment.
    pub(super) fn new(counted: bool) -> Result<Self, String> {
        let of = |scope| program(scope, counted).map(Arc::new);
        Ok(Self([
            of(Scope::OwnRoot)?,
            of(Scope::OwnRootBuild)?,
            of(Scope::OwnRootFolder)?,
            of(Scope::Landlock)?,
            of(Scope::LandlockBuild)?,
        ]))
    }

    pub(super) fn of(&self, scope: Scope) -> Arc<BpfProgram> {
        let Self([own_root, own_root_build, own_root_folder, landlock, landlock_build]) = self;
        Arc::clone(match scope {
            Scope::OwnRoot => own_root,
            Scope::OwnRootBuild => own_root_build,
            Scope::OwnRootFolder => own_root_folder,
            Scope::Landlock => landlock,
            Scope::LandlockBuild => landlock_build,
        })
    }
}

/// The program of the filter for this machine; the error is a fragment.
fn program(scope: Scope, counted: bool) -> Result<BpfProgram, String> {
    let mut allowed: Vec<&Call> = CALLS.iter().filter(|call| scope.has(call.place, counted)).collect();
    allowed.sort_by_key(|call| call.number);
    let mut ranges: Vec<Range> = vec![Range { first: 0, action: Action::Return(REFUSED) }];
    let mut put = |first: u32, action: Action| {
        let last = ranges.last_mut().expect("there is always one");
        if last.first == first {
            last.action = action;
        } else if last.action != action {
            ranges.push(Range { first, action });
        }
    };
    for (place, call) in allowed.iter().enumerate() {
        let number = u32::try_from(call.number).map_err(|_| "a call has a strange number")?;
        put(number, scope.action(call));
        let next = allowed.get(place + 1).map_or(u32::MAX, |next| u32::try_from(next.number).unwrap_or(u32::MAX));
        if number + 1 < next {
            put(
                number + 1,
                if number + 1 < FIRST_NEW_CALL { Action::Return(REFUSED) } else { Action::Return(NOT_THERE) },
            );
        }
        if number + 1 < FIRST_NEW_CALL && FIRST_NEW_CALL < next {
            put(FIRST_NEW_CALL, Action::Return(NOT_THERE));
        }
    }
    Ok(tree::program(&ranges))
}

/// A system call that jobs may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowedCall {
    /// Its number on this architecture.
    pub number: i64,
    /// Its name in manual pages.
    pub name: &'static str,
    /// False if only some of its arguments are allowed.
    pub whole: bool,
    /// The reason why programs need it, as a fragment.
    pub reason: &'static str,
}

/// The system calls that runs may make in a tier with a filter. `counted` is true if a control group counts memory. Builds
/// may also change modes and times of files.
pub fn allowed_calls(tier: Tier, counted: bool) -> Vec<AllowedCall> {
    let scope = if tier == Tier::Namespaces { Scope::OwnRoot } else { Scope::Landlock };
    let allowed = CALLS.iter().filter(|call| scope.has(call.place, counted));
    allowed
        .map(|call| AllowedCall {
            number: call.number,
            name: call.symbol.trim_start_matches("SYS_"),
            whole: call.checks.is_empty(),
            reason: call.reason,
        })
        .collect()
}

/// Names of the calls that jobs may make in a private root, and of the calls that they may make without one.
#[cfg(test)]
pub(crate) fn names() -> [Vec<&'static str>; 2] {
    [Tier::Namespaces, Tier::Landlock].map(|tier| allowed_calls(tier, true).iter().map(|call| call.name).collect())
}

#[cfg(test)]
mod tests;
