//! Misdeeds by what is printed.

use std::io::{self, Write};

use super::answer;
use super::raw::{address, call, descriptor};

pub(super) fn commit(misdeed: &str, argument: &str) -> bool {
    match misdeed {
        "flood-stdout" => flood(&mut io::stdout(), b"uuuuuuu\n"),
        "flood-stderr" => {
            answer(argument);
            let noise = [b'n'; 65536];
            for _ in 0..1024 {
                io::stderr().write_all(&noise).expect("standard error");
            }
        }
        "endless-stderr" => flood(&mut io::stderr(), b"noise\n"),
        // Reads back what it prints on standard error before the judge can, and then prints no more.
        "steal-stderr" => {
            for _ in 0..4 {
                if let Ok(mut stderr) = std::fs::File::open("/proc/self/fd/2") {
                    std::thread::spawn(move || io::copy(&mut stderr, &mut io::sink()));
                }
            }
            let begun = std::time::Instant::now();
            while begun.elapsed() < std::time::Duration::from_millis(300) {
                io::stderr().write_all(b"noise").expect("standard error");
                std::thread::yield_now();
            }
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        "endless-line" => flood(&mut io::stdout(), b"uuuuuuuu"),
        // By calls that copy, as far as it has them.
        "flood-by-copies" => {
            std::fs::write("noise", [b'u'; 1 << 16]).expect("a file");
            let noise = std::fs::File::open("noise").expect("a file");
            let (out, from) = (1, descriptor(&noise));
            let copied = || {
                let offset = 0_u64;
                let at = address(&offset);
                let sent = call(libc::SYS_sendfile, &[out, from, at, 1 << 16]);
                sent.or_else(|_| call(libc::SYS_splice, &[from, at, out, 0, 1 << 16, 0]))
            };
            while copied().is_ok_and(|bytes| bytes > 0) {}
            flood(&mut io::stdout(), b"uuuuuuu\n");
        }
        "blanks-after-answer" => {
            print!("{argument}");
            for _ in 0..10 * 1024 {
                print!("{:1024}", "");
            }
        }
        "binary" => io::stdout().write_all(&[0, 0xff, 0xfe, b'u', 0]).expect("standard output"),
        "nul-after-answer" => io::stdout().write_all(&[argument.as_bytes(), &[0]].concat()).expect("standard output"),
        // What it prints on standard error looks like the judge's own words, up to the marks of a terminal.
        "forge" => {
            answer("l");
            eprintln!("\u{1b}[2J\u{1b}[H1 forge 25/4 125/0004/000\n[judge: solved]");
            eprintln!(r#"{{"line":"run","seq":1,"entry":"forge","verdict":"solved","progress":25,"moves":4}}"#);
        }
        _ => return false,
    }
    true
}

/// Writes the same until no process reads any more.
fn flood(to: &mut dyn io::Write, noise: &[u8]) {
    let noise = noise.repeat(8192);
    while to.write_all(&noise).is_ok() {}
}
