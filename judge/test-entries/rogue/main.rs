//! The misbehaving entries the judge is tested against, one a subcommand: `rogue MISDEED [ARGUMENT…] BOARD`.
//!
//! A contest names it as it names any entry. `tests/cli/rogues.rs` has the expected result of each misdeed. Those
//! that try to do harm answer with a right answer when they were kept from it, and with a wrong one when they were not.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an entry is no part of the judge")]

mod files;
mod kernel;
mod memory;
mod messages;
mod neighbours;
mod output;
mod processes;
mod raw;

use std::io::{self, Read as _, Write as _};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

fn main() {
    let mut args = std::env::args().skip(1);
    let misdeed = args.next().expect("a misdeed");
    let rest: Vec<String> = args.collect();
    let argument = rest.first().map_or("", String::as_str);
    let misdeeds =
        [output::commit, processes::commit, memory::commit, files::commit, neighbours::commit, kernel::commit];
    if misdeeds.iter().any(|commit| commit(&misdeed, argument)) || messages::commit(&misdeed, &rest) {
        return;
    }
    match misdeed.as_str() {
        // Honest ones, for comparison.
        "answer" => answer(argument),
        "answer-after" => {
            sleep(Duration::from_millis(argument.parse().expect("milliseconds")));
            answer(&rest[1]);
        }
        // Works for a while before it answers.
        "work" => {
            let begun = std::time::Instant::now();
            while begun.elapsed() < Duration::from_millis(argument.parse().expect("milliseconds")) {
                std::hint::spin_loop();
            }
            answer(&rest[1]);
        }
        // The same, but by its own CPU time.
        "burn" => {
            let burnt = || {
                let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
                Duration::new(used.tv_sec.unsigned_abs(), used.tv_nsec.unsigned_abs().try_into().expect("a time"))
            };
            while burnt() < Duration::from_millis(argument.parse().expect("milliseconds")) {
                std::hint::spin_loop();
            }
            answer(&rest[1]);
        }
        "nothing" => {}
        "environment" => {
            let names = std::env::vars().map(|(name, value)| format!("{name}={value}\n")).collect::<String>();
            eprintln!("{names}cwd={}", std::env::current_dir().expect("a directory").display());
            eprintln!("args={}", rest.len());
        }

        "exit" => exit(argument.parse().expect("an exit code")),
        "answer-and-exit" => {
            answer(argument);
            exit(rest[1].parse().expect("an exit code"));
        }
        "signal" => {
            let signal = match argument {
                "ABRT" => Signal::ABORT,
                "KILL" => Signal::KILL,
                "STOP" => Signal::STOP,
                unknown => panic!("unknown signal {unknown}"),
            };
            kill_process(getpid(), signal).expect("a signal to itself");
            sleep(Duration::from_secs(60));
        }
        "sleep" => sleep(Duration::from_secs(3600)),
        "spin" => spin(),
        // On one processor, which others use.
        "spin-on" => {
            let mut set = rustix::thread::CpuSet::new();
            set.set(argument.parse().expect("a processor"));
            rustix::thread::sched_setaffinity(None, &set).expect("a processor that there is");
            spin();
        }
        // Four threads of it.
        "spin-threads" => {
            for _ in 0..3 {
                std::thread::spawn(|| spin());
            }
            spin();
        }
        "ignore-term" => {
            ignore(&[signal_hook::consts::SIGTERM]);
            sleep(Duration::from_secs(3600));
            // A signal that is caught ends a sleep early.
            spin();
        }
        "catch-all-and-spin" => {
            let forbidden = signal_hook::consts::FORBIDDEN;
            ignore(&(1..=31).filter(|signal| !forbidden.contains(signal)).collect::<Vec<_>>());
            spin();
        }
        // Prints its answer only when warned.
        "answer-on-term" => {
            let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM]).expect("a handler");
            signals.forever().next();
            answer(argument);
        }
        "read-stdin" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).expect("standard input");
            print!("{text}");
        }
        // Any of these would leave the machine.
        "network" => {
            let tcp = std::net::TcpStream::connect_timeout(
                &"127.0.0.1:9".parse().expect("an address"),
                Duration::from_millis(50),
            );
            let refused = tcp.err().map(|error| error.kind());
            let udp = std::net::UdpSocket::bind("127.0.0.1:0");
            eprintln!("tcp {refused:?}, udp {udp:?}");
            answer_if(refused != Some(io::ErrorKind::ConnectionRefused) && udp.is_err());
        }
        unknown => panic!("unknown misdeed {unknown}"),
    }
}

/// Prints an answer at once.
fn answer(text: &str) {
    print!("{text}");
    io::stdout().flush().expect("standard output");
}

/// A right answer for near-end-1 when the judge has kept this program from what it tried, else a wrong one.
fn answer_if(kept: bool) {
    answer(if kept { "lluu" } else { "kept from nothing" });
}

fn spin() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

fn ignore(signals: &[i32]) {
    for signal in signals {
        let flag = std::sync::Arc::<std::sync::atomic::AtomicBool>::default();
        signal_hook::flag::register(*signal, flag).expect("a handler");
    }
}
