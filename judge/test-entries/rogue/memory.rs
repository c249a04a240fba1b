//! Misdeeds by memory: more of it than the limit, by several ways.

use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::time::Duration;

use super::answer_if;
use super::raw::{address, call, descriptor, made, send_away};

/// Bytes that are hidden, and how many at a time.
const HIDDEN: u64 = 256 << 20;
const STEP: u64 = PIECE as u64;
const PIECE: usize = 1 << 20;
/// Files in memory of this many bytes each: few enough for a limit on the size of a file.
const FILES: u64 = 64;
const EACH: u64 = HIDDEN / FILES;

pub(super) fn commit(misdeed: &str, _argument: &str) -> bool {
    match misdeed {
        "memory-by-steps" => {
            let mut held = Vec::new();
            loop {
                held.push(black_box(vec![1u8; 1 << 20]));
            }
        }
        "memory-at-once" => {
            let held = black_box(vec![1u8; 1 << 31]);
            drop(held);
        }
        "memory-on-the-stack" => {
            black_box(deeper(0));
        }
        // Each of its children stays below the limit, all of them together do not.
        "memory-by-family" => {
            let name = std::env::args().next().expect("a name");
            let children = (0..6).map(|_| std::process::Command::new(&name).arg("hold-memory").spawn());
            for child in children.collect::<Vec<_>>() {
                child.expect("a child").wait().expect("its end");
            }
        }
        // Memory that belongs to no process: in a file without a name, mapped or not.
        "memory-in-memfd" => {
            (0..FILES).for_each(|_| fill(unnamed_memory().0));
            forever();
        }
        "memory-in-closed-memfd" => {
            for (file, mapped) in (0..FILES).map(|_| unnamed_memory()) {
                black_box(mapped);
                fill(file);
                call(libc::SYS_close, &[file]).expect("its end");
            }
            forever();
        }
        // Shared memory whose pages it gives back as soon as they are written: they stay in the mapping's object.
        "memory-given-back" => {
            let flags = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
            let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
            let begin = kept_from(call(libc::SYS_mmap, &[0, HIDDEN, access, flags, u64::MAX, 0]));
            let zeroes = std::fs::File::open("/dev/zero").expect("zeroes");
            for offset in (0..HIDDEN).step_by(PIECE) {
                let from = [descriptor(&zeroes), begin + offset, STEP];
                call(libc::SYS_read, &from).expect("pages");
                call(libc::SYS_madvise, &[begin + offset, STEP, libc::MADV_DONTNEED as u64]).expect("pages back");
            }
            forever();
        }
        // The first thread ends, and with it all that its process's own entry in /proc shows.
        "memory-behind-ended-thread" => {
            std::thread::spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                let held: Vec<_> = (0..HIDDEN).step_by(PIECE).map(|_| black_box(vec![1_u8; PIECE])).collect();
                forever();
                drop(held);
            });
            call(libc::SYS_exit, &[0]).expect("an end");
        }
        "cut-behind-ended-thread" => {
            std::thread::spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                cut_to_a_page(libc::MAP_SHARED | libc::MAP_ANONYMOUS, u64::MAX);
            });
            call(libc::SYS_exit, &[0]).expect("an end");
        }
        // Each thread has its part.
        "memory-of-stacks" => {
            let threads = (0..24).map(|_| {
                let thread = std::thread::Builder::new().stack_size(32 << 20);
                thread.spawn(|| {
                    black_box([1_u8; 6 << 20]);
                    forever();
                })
            });
            threads.collect::<Vec<_>>().into_iter().for_each(|thread| drop(thread.map(std::thread::JoinHandle::join)));
        }
        // Copies of the pages of a file, which is its own program.
        "memory-of-copies" => {
            let program = File::open("/proc/self/exe").expect("itself");
            let bytes = program.metadata().expect("its size").len() / 4096 * 4096;
            let zeroes = File::open("/dev/zero").expect("zeroes");
            let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
            loop {
                let private = [0, bytes, access, libc::MAP_PRIVATE as u64, descriptor(&program), 0];
                let begin = call(libc::SYS_mmap, &private).expect("a mapping");
                call(libc::SYS_read, &[descriptor(&zeroes), begin, bytes]).expect("pages");
            }
        }
        // Pages that move to another mapping, and leave theirs empty.
        "memory-that-moves" => {
            const KEEPS: u64 = 1 | 4;
            let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
            let private = [0, STEP, access, (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64, u64::MAX, 0];
            let zeroes = File::open("/dev/zero").expect("zeroes");
            loop {
                let begin = call(libc::SYS_mmap, &private).expect("a mapping");
                call(libc::SYS_read, &[descriptor(&zeroes), begin, STEP]).expect("pages");
                call(libc::SYS_mremap, &[begin, STEP, STEP, KEEPS, 0]).expect("another mapping");
            }
        }
        // Descriptors of one thread alone.
        "memory-of-own-table" => {
            let thread = std::thread::spawn(|| {
                let unshared = made("unshare", libc::SYS_unshare, &[libc::CLONE_FILES as u64]);
                let (none, unshare) = (1 << 20, u64::from(libc::CLOSE_RANGE_UNSHARE));
                if !unshared && !made("close_range", libc::SYS_close_range, &[none, none, unshare]) {
                    return;
                }
                (0..FILES).for_each(|_| fill(unnamed_memory().0));
                forever();
            });
            answer_if(thread.join().is_ok());
        }
        // On their way in a socket, where nobody has them open.
        "memory-in-flight" => {
            let (from, to) = UnixStream::pair().expect("a pair");
            for (file, mapped) in (0..FILES).map(|_| unnamed_memory()) {
                fill(file);
                call(libc::SYS_munmap, &[mapped, EACH]).expect("its end");
                // Where that is refused, it stays open.
                if send_away(&from, file).is_ok() {
                    call(libc::SYS_close, &[file]).expect("its end");
                }
            }
            forever();
            drop(to);
        }
        // A private mapping of the first page holds all of a file.
        "memory-of-one-page" => {
            for (file, mapped) in (0..FILES).map(|_| unnamed_memory()) {
                fill(file);
                let private = [0, 4096, libc::PROT_READ as u64, libc::MAP_PRIVATE as u64, file, 0];
                call(libc::SYS_mmap, &private).expect("a mapping");
                call(libc::SYS_munmap, &[mapped, EACH]).expect("its end");
                call(libc::SYS_close, &[file]).expect("its end");
            }
            forever();
        }
        // Shared memory of which only the first page stays mapped, piece by piece.
        "memory-cut-to-a-page" => cut_to_a_page(libc::MAP_SHARED | libc::MAP_ANONYMOUS, u64::MAX),
        // The same by a device.
        "memory-of-zeroes" => {
            let zeroes = std::fs::File::options().read(true).write(true).open("/dev/zero");
            eprintln!("{zeroes:?}");
            match zeroes {
                Ok(zeroes) => cut_to_a_page(libc::MAP_SHARED, descriptor(&zeroes)),
                Err(_) => answer_if(true),
            }
        }
        // A table of page tables for every page of zeroes, which is no page of its own.
        "memory-in-page-tables" => {
            const POPULATE_READ: u64 = 22;
            const TABLE: u64 = 2 << 20;
            let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE) as u64;
            let begin = call(libc::SYS_mmap, &[0, 1 << 42, libc::PROT_READ as u64, flags, u64::MAX, 0]);
            let begin = begin.expect("addresses").next_multiple_of(TABLE);
            // Huge pages would need no tables.
            call(libc::SYS_madvise, &[begin, 1 << 41, libc::MADV_NOHUGEPAGE as u64]).ok();
            for page in (0..HIDDEN / 4096).map(|table| begin + table * TABLE) {
                call(libc::SYS_madvise, &[page, 4096, POPULATE_READ]).expect("a page");
            }
            forever();
        }
        // More mappings than a look at all of them has time for; what is hidden comes last.
        "memory-in-mappings" => {
            let name = std::env::args().next().expect("a name");
            let children = (0..20).map(|_| std::process::Command::new(&name).arg("hold-mappings").spawn());
            let children: Vec<_> = children.collect();
            std::thread::sleep(Duration::from_millis(200));
            cut_to_a_page(libc::MAP_SHARED | libc::MAP_ANONYMOUS, u64::MAX);
            for child in children {
                child.expect("a child").wait().expect("its end");
            }
        }
        "hold-mappings" => {
            const MAPPINGS: u64 = 60_000;
            let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
            let begin = call(libc::SYS_mmap, &[0, MAPPINGS * 4096, libc::PROT_READ as u64, flags, u64::MAX, 0]);
            let begin = begin.expect("addresses");
            for page in (0..MAPPINGS).step_by(2) {
                call(libc::SYS_mprotect, &[begin + page * 4096, 4096, libc::PROT_NONE as u64]).ok();
            }
            forever();
        }
        // By a program that may be executed and not read: the kernel shows an ordinary user nothing of it.
        "memory-of-closed-program" | "memory-of-closed-thread" => {
            let mut program = File::options().write(true).create_new(true).mode(0o111).open("closed").expect("a file");
            std::io::copy(&mut File::open("/proc/self/exe").expect("itself"), &mut program).expect("room");
            drop(program);
            let way = if misdeed.ends_with("thread") { "cut-behind-ended-thread" } else { "memory-cut-to-a-page" };
            let failed = std::process::Command::new("./closed").arg(way).exec();
            eprintln!("{failed}");
        }
        "hold-memory" => {
            let held = black_box(vec![1u8; 24 << 20]);
            std::thread::sleep(std::time::Duration::from_secs(3600));
            drop(held);
        }
        _ => return false,
    }
    true
}

/// A file in memory and a mapping of all of it.
fn unnamed_memory() -> (u64, u64) {
    let file = kept_from(call(libc::SYS_memfd_create, &[address(c"hidden"), 0]));
    call(libc::SYS_ftruncate, &[file, EACH]).expect("its size");
    let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let mapped = call(libc::SYS_mmap, &[0, EACH, access, libc::MAP_SHARED as u64, file, 0]).expect("a mapping");
    (file, mapped)
}

/// Writes a file through its descriptor, so that no page of it is mapped.
fn fill(file: u64) {
    let piece = vec![1_u8; PIECE];
    for offset in (0..EACH).step_by(PIECE) {
        call(libc::SYS_pwrite64, &[file, address(&*piece), STEP, offset]).expect("room");
    }
}

/// What the kernel gave; one that was kept from it answers and ends.
fn kept_from(given: Result<u64, i32>) -> u64 {
    given.unwrap_or_else(|error| {
        eprintln!("refused: {error}");
        answer_if(true);
        std::process::exit(0)
    })
}

/// Fills objects of shared memory, and unmaps each but for its first page.
fn cut_to_a_page(flags: libc::c_int, file: u64) {
    let access = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let from = std::fs::File::open("/dev/zero").expect("zeroes");
    for _ in (0..HIDDEN).step_by(PIECE) {
        let flags = flags.unsigned_abs().into();
        let begin = kept_from(call(libc::SYS_mmap, &[0, STEP, access, flags, file, 0]));
        call(libc::SYS_read, &[descriptor(&from), begin, STEP]).expect("pages");
        call(libc::SYS_munmap, &[begin + 4096, STEP - 4096]).expect("most of them back");
    }
    forever();
}

fn forever() {
    std::thread::sleep(std::time::Duration::from_secs(3600));
}

#[allow(unconditional_recursion, reason = "that is the misdeed")]
fn deeper(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    deeper(depth + 1) + frame[0]
}
