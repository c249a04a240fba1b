//! Makes every system call with wild arguments, to see what gets out of the sandbox: `syscalls SEED MILLISECONDS BOARD`. With
//! `syscalls each BOARD` it makes each once, and prints what came of it.
//!
//! A parent starts children one after another; each makes some random calls, and may hang or die of them. When the time
//! is up, the parent prints a right answer. What comes of the run is the entry's own: any verdict, but no judge error. The
//! same seed makes the same calls. `tests/cli/syscalls.rs` runs it; outside of a sandbox it refuses to run.

#![allow(unsafe_code, reason = "making system calls that no library would make is the purpose of this program")]
#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an entry is no part of the judge")]

use std::ffi::CStr;
use std::time::{Duration, Instant};

use libc::{c_int, c_long};

/// Calls that one child makes before the next one is forked.
const CALLS: u32 = 200;
/// The highest number tried; the kernel's last is below it.
const LAST_CALL: u64 = 512;
/// A number beyond all that kernels have, and the bit of another way of calling.
const LAST_OF_ALL: c_long = 600;
const X32: c_long = 0x4000_0000;
/// Time for one child, which a call may have put to sleep.
const TIMEOUT: Duration = Duration::from_millis(20);
/// Bytes of random memory that pointers point into.
const MEMORY: usize = 1 << 16;

/// Paths of everything that an entry may see, and of some things that it may not.
const PATHS: [&CStr; 16] = [
    c"board.txt",
    c".",
    c"..",
    c"/",
    c"new",
    c"new/newer",
    c"/proc/self/mem",
    c"/proc/self/fd/1",
    c"/proc/self/exe",
    c"/proc/1/root",
    c"/proc/sys/kernel/hostname",
    c"/sys/fs/cgroup",
    c"/dev/null",
    c"/dev/zero",
    c"/etc/passwd",
    c"/usr/bin/env",
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments[1] == "each" {
        refuse_outside_of_a_sandbox();
        return each();
    }
    let [seed, milliseconds] = [1, 2].map(|place| arguments[place].parse::<u64>().expect("a number"));
    refuse_outside_of_a_sandbox();
    let deadline = Instant::now() + Duration::from_millis(milliseconds);
    let mut random = Random(seed);
    let memory = random_memory(&mut random);
    while Instant::now() < deadline {
        let child_seed = random.next();
        // SAFETY: the program has one thread, so the child may do what it likes.
        match unsafe { libc::fork() } {
            0 => wild(Random(child_seed), memory),
            // Too many of the children before it live on: that is the limit of its run.
            -1 => std::thread::sleep(TIMEOUT),
            child => drop(wait(child)),
        }
    }
    print!("lluu");
}

/// Makes each call once, in a child of its own and with zeros, which mean nothing to most. Prints a line for each: its number
/// and that of its error, 0 for success, or -1 if it did not return.
fn each() {
    for number in (0..=LAST_OF_ALL).chain([X32, X32 | LAST_OF_ALL]) {
        // SAFETY: the program has one thread, so the child may do what it likes.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: no argument is an address, so that the call reads and writes nothing of this process. What it changes in
            // this process ends with it.
            unsafe {
                let result = libc::syscall(number, 0, 0, 0, 0, 0, 0);
                libc::_exit(if result == -1 { *libc::__errno_location() } else { 0 });
            }
        }
        let status = wait(child);
        eprintln!("{number} {}", if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 });
    }
    print!("lluu");
}

/// Wild calls without a filter would hit the machine itself.
fn refuse_outside_of_a_sandbox() {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc");
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
    if field("Seccomp:") != "2" || field("NoNewPrivs:") != "1" || !field("CapEff:").trim_matches('0').is_empty() {
        eprintln!("no sandbox: expected a seccomp filter and no capabilities; this makes random system calls");
        std::process::exit(3);
    }
}

/// A generator of numbers: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }
}

/// The address of memory with random small numbers in it, as structures have them.
fn random_memory(random: &mut Random) -> u64 {
    let memory: &'static mut [u64] = Box::leak(vec![0; MEMORY / 8].into_boxed_slice());
    for word in memory.iter_mut() {
        *word = if random.below(2) == 0 { random.below(16) } else { random.next() };
    }
    memory.as_ptr().addr() as u64
}

/// An argument: a number that means something to some call, a pointer, or anything.
fn argument(random: &mut Random, memory: u64) -> u64 {
    match random.below(14) {
        0 => 0,
        1 | 2 => random.below(16),
        3 => u64::MAX,
        4 => random.next(),
        5..=7 => memory + random.below(MEMORY as u64 / 2),
        8 | 9 => PATHS[usize::try_from(random.below(PATHS.len() as u64)).unwrap_or(0)].as_ptr().addr() as u64,
        10 => 1 << random.below(64),
        11 => random.below(1 << 20),
        // SAFETY: these calls have no arguments and cannot fail.
        12 => u64::from(unsafe { libc::getpid() }.unsigned_abs()),
        // SAFETY: as above.
        _ => u64::from(unsafe { libc::getppid() }.unsigned_abs()),
    }
}

/// Makes the calls. It neither allocates nor returns.
fn wild(mut random: Random, memory: u64) -> ! {
    for _ in 0..CALLS {
        let call = match random.below(40) {
            // Of another way of calling, which the kernel may know.
            0 => 0x4000_0000 | random.below(LAST_CALL),
            1 => random.next(),
            _ => random.below(LAST_CALL),
        };
        let arguments = [(); 6].map(|()| argument(&mut random, memory));
        let [a, b, c, d, e, f] = arguments;
        // SAFETY: none: a call may overwrite or unmap anything in this process, which then dies or behaves as it likes.
        // Nothing but this process depends on it.
        unsafe { libc::syscall(call.cast_signed() as c_long, a, b, c, d, e, f) };
    }
    // SAFETY: ends this process at once.
    unsafe { libc::_exit(0) }
}

/// Waits for a child, and kills one that takes too long. Returns its wait status.
fn wait(child: c_int) -> c_int {
    let begun = Instant::now();
    let mut status = 0;
    loop {
        // SAFETY: the status outlives the call.
        match unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } {
            0 if begun.elapsed() < TIMEOUT => std::thread::sleep(Duration::from_micros(200)),
            // SAFETY: the child has not been waited for, so its number is its own.
            0 => drop(unsafe { libc::kill(child, libc::SIGKILL) }),
            _ => return status,
        }
    }
}
