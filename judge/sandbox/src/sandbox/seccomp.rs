//! The seccomp filter: system calls that no solver needs and that could reach beyond its sandbox.
//!
//! It is a list of refused calls, not of allowed ones, because entries come in any language. A refused call gives the
//! program an error and does not end it.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// Error of a refused call.
const REFUSED: u32 = libc::EPERM.unsigned_abs();

/// Always refused.
const FORBIDDEN: &[libc::c_long] = &[
    // Mounts and roots.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Namespaces.
    libc::SYS_unshare,
    libc::SYS_setns,
    // Other processes' memory.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    // Large and rarely needed parts of the kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // The machine.
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    // Its own processors and priority, by which it could disturb others.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
];

/// Refused where a process group is what holds the entry together.
const LEAVING_THE_GROUP: &[libc::c_long] = &[libc::SYS_setsid, libc::SYS_setpgid];

/// Flags of `clone` that make a namespace.
const NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// `ioctl` requests that type into a terminal.
const TYPING: [u64; 2] = [0x5412, 0x541c];

/// `setpriority` for all processes of a user.
const PRIORITY_OF_USER: u64 = 2;

/// Calls in one piece of the program.
const PIECE: usize = 10;

/// Instructions of the filter's machine.
const LOAD_NUMBER: u16 = 0x20;
const JUMP: u16 = 0x05;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

/// The program for this machine; the error is a fragment.
pub(super) fn program(holds_group: bool) -> Result<BpfProgram, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    if holds_group {
        rules.extend(LEAVING_THE_GROUP.iter().map(|call| (*call, Vec::new())));
    }
    let fail = |error: seccompiler::BackendError| error.to_string();
    let when = |argument, length, comparison, value| {
        SeccompCondition::new(argument, length, comparison, value).and_then(|is| SeccompRule::new(vec![is]))
    };
    let any_namespace = NAMESPACES.iter().map(|flag| {
        let flag = u64::from(flag.unsigned_abs());
        when(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag)
    });
    rules.insert(libc::SYS_clone, any_namespace.collect::<Result<_, _>>().map_err(fail)?);
    // No network, even without a network namespace: Landlock covers only TCP.
    let local = u64::from(libc::AF_UNIX.unsigned_abs());
    rules.insert(libc::SYS_socket, vec![when(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, local).map_err(fail)?]);
    // Limits and priorities of other processes, its supervisor among them. Libraries name their own process by 0.
    let is = |argument, comparison, value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value);
    let [another, new_limits] =
        [is(0, SeccompCmpOp::Ne, 0), SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)];
    let limits = SeccompRule::new(vec![another.map_err(fail)?, new_limits.map_err(fail)?]).map_err(fail)?;
    rules.insert(libc::SYS_prlimit64, vec![limits]);
    let priorities = [
        when(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0),
        when(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, PRIORITY_OF_USER),
    ];
    rules.insert(libc::SYS_setpriority, priorities.into_iter().collect::<Result<_, _>>().map_err(fail)?);
    let typing = TYPING.map(|request| when(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, request));
    rules.insert(libc::SYS_ioctl, typing.into_iter().collect::<Result<_, _>>().map_err(fail)?);

    // The kernel runs the program for every call there is when it is set, and then for every call that is made. In
    // one piece it would compare the call with the whole list; in several it finds the right piece first.
    let mut pieces = Vec::new();
    while !rules.is_empty() {
        let rest = rules.keys().nth(PIECE).copied().map(|first| rules.split_off(&first)).unwrap_or_default();
        let first = rules.keys().next().copied().unwrap_or_default();
        let machine = std::env::consts::ARCH.try_into().map_err(fail)?;
        let piece = std::mem::replace(&mut rules, rest);
        let filter = SeccompFilter::new(piece, SeccompAction::Allow, SeccompAction::Errno(REFUSED), machine);
        let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(fail)?;
        pieces.push((u32::try_from(first).map_err(|_| "a call has a strange number")?, program));
    }
    Ok(not_there().into_iter().chain(joined(pieces)).collect())
}

/// One program of several, each for the calls from a number on to that of the next.
fn joined(pieces: Vec<(u32, BpfProgram)>) -> BpfProgram {
    let mut choices = Vec::new();
    let mut behind: BpfProgram = Vec::new();
    for (place, (first, program)) in pieces.into_iter().enumerate() {
        // Written from the last choice to the first, so a piece lies behind as many choices as were made before it.
        let skipped = u32::try_from(2 * place + behind.len()).expect("a program has few instructions");
        let first = if place == 0 { 0 } else { first };
        choices.push([
            sock_filter { code: JUMP_IF_AT_LEAST, jt: 0, jf: 1, k: first },
            sock_filter { code: JUMP, jt: 0, jf: 0, k: skipped },
        ]);
        behind.extend(program);
    }
    choices.into_iter().rev().flatten().chain(behind).collect()
}

/// Calls that look as if this kernel did not have them: `clone3`, whose flags a filter cannot see, so that the C
/// library takes `clone`; and the x32 variants of all calls, which would be a way around the list.
fn not_there() -> [sock_filter; 4] {
    const X32: u32 = 0x4000_0000;
    const ERROR: u32 = 0x0005_0000;
    let clone3 = u32::try_from(libc::SYS_clone3).unwrap_or(u32::MAX);
    [
        sock_filter { code: LOAD_NUMBER, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP_IF_EQUAL, jt: 1, jf: 0, k: clone3 },
        sock_filter { code: JUMP_IF_AT_LEAST, jt: 0, jf: 1, k: X32 },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: ERROR | libc::ENOSYS.unsigned_abs() },
    ]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    /// The kernel's decision on a call, by a small interpreter for the instructions that occur here.
    fn run(program: &[sock_filter], number: u32, arguments: [u64; 3]) -> u32 {
        let machine = if cfg!(target_arch = "x86_64") { 0xc000_003e_u32 } else { 0xc000_00b7 };
        let word = |offset: u32| match offset {
            0 => number,
            4 => machine,
            _ => {
                let argument = arguments[usize::try_from(offset - 16).unwrap() / 8];
                u32::try_from(if offset.is_multiple_of(8) { argument & 0xffff_ffff } else { argument >> 32 }).unwrap()
            }
        };
        let (mut at, mut value) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            let mut jump = |yes: bool| at += usize::from(if yes { step.jt } else { step.jf });
            match step.code {
                LOAD_NUMBER => value = word(step.k),
                JUMP => at += usize::try_from(step.k).unwrap(),
                JUMP_IF_EQUAL => jump(value == step.k),
                JUMP_IF_AT_LEAST => jump(value >= step.k),
                0x25 => jump(value > step.k),
                0x45 => jump(value & step.k != 0),
                0x54 => value &= step.k,
                RETURN => return step.k,
                unknown => panic!("instruction {unknown:#x}"),
            }
        }
    }

    #[test]
    fn exactly_the_listed_calls_are_refused() {
        const ALLOWED: u32 = 0x7fff_0000;
        let number = |call: libc::c_long| u32::try_from(call).unwrap();
        for holds_group in [false, true] {
            let program = program(holds_group).unwrap();
            for call in 0..500 {
                let listed =
                    FORBIDDEN.contains(&call.into()) || holds_group && LEAVING_THE_GROUP.contains(&call.into());
                let call = number(call.into());
                let expected = if listed { 0x0005_0000 | REFUSED } else { ALLOWED };
                // A local socket, and no flag of a namespace, in the first argument.
                if call != number(libc::SYS_clone3) {
                    assert_eq!(run(&program, call, [1, 0, 0]), expected, "call {call}");
                    assert_ne!(run(&program, call | 0x4000_0000, [1, 0, 0]), ALLOWED, "x32 call {call}");
                }
            }
            let not_there = 0x0005_0000 | libc::ENOSYS.unsigned_abs();
            assert_eq!(run(&program, number(libc::SYS_clone3), [0, 0, 0]), not_there);
            for (call, arguments) in [
                (libc::SYS_clone, [u64::from(libc::CLONE_NEWUSER.unsigned_abs()) | 17, 0, 0]),
                (libc::SYS_clone, [u64::from(libc::CLONE_NEWNET.unsigned_abs()), 0, 0]),
                (libc::SYS_socket, [u64::from(libc::AF_INET.unsigned_abs()), 0, 0]),
                (libc::SYS_ioctl, [0, 0x5412, 0]),
                (libc::SYS_prlimit64, [1, 7, 0x7fff_0000_1000]),
                (libc::SYS_prlimit64, [1, 7, 1 << 40]),
                (libc::SYS_setpriority, [0, 1, 19]),
                (libc::SYS_setpriority, [2, 0, 19]),
            ] {
                assert_eq!(run(&program, number(call), arguments), 0x0005_0000 | REFUSED, "{call}");
            }
            for (call, arguments) in [
                (libc::SYS_prlimit64, [0, 7, 0x7fff_0000_1000]),
                (libc::SYS_prlimit64, [1, 7, 0]),
                (libc::SYS_setpriority, [0, 0, 19]),
            ] {
                assert_eq!(run(&program, number(call), arguments), ALLOWED, "{call}");
            }
        }
    }
}
