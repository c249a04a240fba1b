//! Gives the kernel work that is slow on purpose, and leaves it to take everything apart: `burdens SEED MILLISECONDS BOARD`.
//!
//! The seed chooses some burdens, how many processes carry them, and whether the program then answers or stays. Whatever
//! the kernel needs afterwards, the verdict is the run's own, at the time of its limit. `tests/cli/burdens.rs` runs it.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an entry is no part of the judge")]

mod descriptors;
mod files;
mod memory;
mod processes;
#[path = "../rogue/raw.rs"]
#[allow(dead_code, reason = "the misbehaving entry uses all of it")]
mod raw;

use std::time::{Duration, Instant};

use raw::call;

/// A burden: it adds to what the kernel has to take apart until the time is up, and holds it.
type Burden = fn(&mut Random, Instant);

const BURDENS: &[(&str, Burden)] = &[
    ("page tables of a file in memory", memory::page_tables),
    ("page tables of nothing", memory::sparse_pages),
    ("mappings", memory::many_mappings),
    ("files in memory", memory::many_files_in_memory),
    ("shared memory cut to pieces", memory::cut_shared_memory),
    ("copies on write", memory::copies_on_write),
    ("a huge directory", files::huge_directory),
    ("deep directories", files::deep_directories),
    ("removed files", files::removed_files),
    ("a sparse file", files::sparse_file),
    ("record locks", files::record_locks),
    ("names of one file", files::many_names),
    ("full sockets", descriptors::full_sockets),
    ("full pipes", descriptors::full_pipes),
    ("descriptors on their way in a circle", descriptors::circles),
    ("trees of epoll", descriptors::epoll_trees),
    ("threads", processes::threads),
    ("sleepers", processes::sleepers),
    ("zombies", processes::zombies),
    ("stopped processes", processes::stopped),
    ("timers", processes::timers),
    ("waiting signals", processes::waiting_signals),
    ("a large core", processes::large_core),
    ("huge environments", processes::huge_environments),
    ("filters", processes::filters),
    ("the lowest priority", processes::lowest_priority),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [seed, milliseconds] = [1, 2].map(|place| arguments.get(place).and_then(|text| text.parse::<u64>().ok()));
    let (Some(seed), Some(milliseconds)) = (seed, milliseconds) else { return std::thread::sleep(EVER) };
    let deadline = Instant::now() + Duration::from_millis(milliseconds);
    let mut random = Random(seed);
    for _ in 0..=random.below(3) {
        let (name, burden) = BURDENS[random.index(BURDENS.len())];
        let carriers = 1 << random.below(6);
        eprintln!("{carriers} with {name}");
        for carrier in 1..carriers {
            let mut own = Random(random.next() ^ carrier);
            if fork() == Some(0) {
                burden(&mut own, deadline);
                std::thread::sleep(EVER);
            }
        }
        let others = carriers > 1 || random.below(2) == 0;
        if others && fork() != Some(0) {
            continue;
        }
        burden(&mut random, deadline);
        if others {
            std::thread::sleep(EVER);
        }
    }
    std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
    if random.below(2) == 0 {
        print!("lluu");
        return;
    }
    std::thread::sleep(EVER);
}

/// Longer than any limit of a test.
const EVER: Duration = Duration::from_secs(3600);

/// A generator of numbers: splitmix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    pub(crate) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or(0)
    }
}

/// Repeats an act until the time is up or the kernel refuses it.
pub(crate) fn repeat(deadline: Instant, mut act: impl FnMut() -> Option<()>) {
    while Instant::now() < deadline && act().is_some() {}
}

/// A system call whose refusal ends a repetition.
pub(crate) fn tried(number: libc::c_long, arguments: &[u64]) -> Option<u64> {
    call(number, arguments).ok()
}

/// Makes a child; `Some(0)` in the child. Only the calling thread lives on in it, which is fine in a program that has made
/// no other.
pub(crate) fn fork() -> Option<u64> {
    tried(libc::SYS_clone, &[libc::SIGCHLD as u64, 0, 0, 0, 0])
}
