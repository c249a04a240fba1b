//! Misdeeds by memory.

use std::hint::black_box;

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
        "hold-memory" => {
            let held = black_box(vec![1u8; 24 << 20]);
            std::thread::sleep(std::time::Duration::from_secs(3600));
            drop(held);
        }
        _ => return false,
    }
    true
}

#[allow(unconditional_recursion, reason = "that is the misdeed")]
fn deeper(depth: u64) -> u64 {
    let frame = black_box([depth; 512]);
    deeper(depth + 1) + frame[0]
}
