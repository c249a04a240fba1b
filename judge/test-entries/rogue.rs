//! The misbehaving entries the judge is tested against, one a subcommand: `rogue MISDEED [ARGUMENT] BOARD`.
//!
//! A contest names it as it names any entry. What each misdeed must come to stands in `tests/cli/rogues.rs`.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an entry is no part of the judge")]

use std::io::{self, Read as _, Write as _};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

#[allow(clippy::zombie_processes, reason = "a child that nobody waits for is one of the misdeeds")]
fn main() {
    let mut args = std::env::args().skip(1);
    let misdeed = args.next().expect("a misdeed");
    let rest: Vec<String> = args.collect();
    let argument = rest.first().map_or("", String::as_str);
    match misdeed.as_str() {
        // Honest ones, for comparison.
        "answer" => print!("{argument}"),
        "answer-after" => {
            sleep(Duration::from_millis(argument.parse().expect("milliseconds")));
            print!("{}", rest[1]);
        }
        "nothing" => {}
        "environment" => {
            let names = std::env::vars().map(|(name, value)| format!("{name}={value}\n")).collect::<String>();
            eprintln!("{names}cwd={}", std::env::current_dir().expect("a directory").display());
            eprintln!("args={}", rest.len());
        }

        "exit" => exit(argument.parse().expect("an exit code")),
        "answer-and-exit" => {
            print!("{argument}");
            io::stdout().flush().expect("standard output");
            exit(rest[1].parse().expect("an exit code"));
        }
        "signal" => {
            let pid = std::process::id().to_string();
            Command::new("kill").args([format!("-{argument}"), pid]).status().expect("kill");
            sleep(Duration::from_secs(60));
        }
        "sleep" => sleep(Duration::from_secs(3600)),
        "spin" => loop {
            std::hint::spin_loop();
        },
        "ignore-term" => {
            signal_hook::flag::register(
                signal_hook::consts::SIGTERM,
                std::sync::Arc::<std::sync::atomic::AtomicBool>::default(),
            )
            .expect("a handler");
            loop {
                sleep(Duration::from_secs(1));
            }
        }
        // Prints its answer only when warned.
        "answer-on-term" => {
            let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM]).expect("a handler");
            signals.forever().next();
            print!("{argument}");
        }
        "flood-stdout" => flood(&mut io::stdout()),
        "flood-stderr" => {
            print!("{argument}");
            io::stdout().flush().expect("standard output");
            let noise = [b'n'; 65536];
            for _ in 0..1024 {
                io::stderr().write_all(&noise).expect("standard error");
            }
        }
        "blanks-after-answer" => {
            print!("{argument}");
            for _ in 0..10 * 1024 {
                print!("{:1024}", "");
            }
        }
        "binary" => io::stdout().write_all(&[0, 0xff, 0xfe, b'u', 0]).expect("standard output"),
        // A child outlives it and keeps standard output open.
        "child-holds-pipe" => {
            print!("{argument}");
            io::stdout().flush().expect("standard output");
            let myself = std::env::args().next().expect("a name");
            Command::new(myself).arg("sleep").stdin(Stdio::null()).spawn().expect("a child");
        }
        "read-stdin" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).expect("standard input");
            print!("{text}");
        }
        // Takes away its own right to the scratch directory.
        "lock-scratch" => {
            std::fs::create_dir_all("deep/er").expect("a directory");
            std::fs::write("deep/er/file", "x").expect("a file");
            Command::new("chmod").args(["-R", "000", "deep"]).status().expect("chmod");
            print!("{argument}");
        }
        unknown => panic!("unknown misdeed {unknown}"),
    }
}

fn flood(to: &mut dyn io::Write) {
    let noise = [b'u'; 65536];
    while to.write_all(&noise).is_ok() {}
}
