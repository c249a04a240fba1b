//! Misdeeds by files, such as ones that fill the disk.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, Mode, OFlags, RenameFlags};

use super::raw::{address, call, descriptor, made, send_away};
use super::{answer, answer_if};

/// Files of 1 MiB: more than the scratch limit of 8 MiB, but less than the memory limit of 64 MiB. The scratch directory
/// may be in memory, and a rogue that reaches both limits between two samples of the judge could get either verdict.
const FILES: usize = 32;

pub(super) fn commit(misdeed: &str, argument: &str) -> bool {
    match misdeed {
        // Takes away its own right to the scratch directory.
        "lock-scratch" => {
            fs::create_dir_all("deep/er").expect("a directory");
            fs::write("deep/er/file", "x").expect("a file");
            Command::new("chmod").args(["-R", "000", "deep"]).status().expect("chmod");
            answer(argument);
        }
        // A device with the name of a file that it renames: a whiteout, as file systems that lie over others leave.
        "make-device" => {
            fs::write("file", "x").expect("a file");
            let renamed = rustix::fs::renameat_with(CWD, "file", CWD, "other", RenameFlags::WHITEOUT);
            answer_if(renamed.is_err());
        }
        // With a limit of 0 the kernel starts the machine's program for core files when the entry crashes; with 1 it does not.
        "lower-core-limit" => {
            let nothing = [0_u64, 0];
            made("core files", libc::SYS_prlimit64, &[0, libc::RLIMIT_CORE.into(), address(&nothing)]);
            let limit = rustix::process::getrlimit(rustix::process::Resource::Core);
            answer_if(limit.current == Some(1) && limit.maximum == Some(1));
        }
        "one-large-file" => {
            let mut file = fs::File::create("large").expect("a file");
            while file.write_all(&[1; 65536]).is_ok() {}
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        "many-files" => {
            for number in 0..FILES * 16 {
                if fs::write(number.to_string(), [1; 65536]).is_err() {
                    break;
                }
            }
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        // Files that are in another folder whenever someone looks.
        "moving-files" => {
            ["one", "other"].iter().for_each(|folder| fs::create_dir(folder).expect("a folder"));
            for number in 0..FILES {
                fs::write(format!("one/{number}"), [1; 1 << 20]).ok();
            }
            loop {
                for (from, to) in [("one", "other"), ("other", "one")] {
                    (0..FILES)
                        .for_each(|number| drop(fs::rename(format!("{from}/{number}"), format!("{to}/{number}"))));
                }
            }
        }
        // Files that have no name any more, and are open.
        "unlinked-files" => {
            let mut held = Vec::new();
            for number in 0..FILES {
                let name = number.to_string();
                let Ok(file) = fs::File::create(&name) else { break };
                fs::remove_file(&name).expect("a name less");
                // Held also when it is full.
                held.push(file);
                if held.iter().last().is_some_and(|mut file| file.write_all(&[1; 1 << 20]).is_err()) {
                    break;
                }
            }
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        // Files in a folder that lets nobody look into it.
        "closed-folder" => {
            fs::create_dir("closed").expect("a folder");
            let folder = rustix::fs::open("closed", OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).expect("a folder");
            for number in 0..FILES {
                let (flags, mode) = (OFlags::CREATE | OFlags::WRONLY, Mode::from_raw_mode(0o600));
                let Ok(file) = rustix::fs::openat(&folder, number.to_string(), flags, mode) else { break };
                if number == 0 {
                    // Where modes cannot be changed, it may be made in one.
                    fs::set_permissions("closed", fs::Permissions::from_mode(0o300)).ok();
                }
                if fs::File::from(file).write_all(&[1; 1 << 20]).is_err() {
                    break;
                }
            }
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        // Removed files that nobody has open, each held by a mapping of its first page.
        "removed-and-mapped" => {
            (0..FILES).for_each(|_| {
                hold_removed(|file| {
                    let private = [0, 4096, libc::PROT_READ as u64, libc::MAP_PRIVATE as u64, descriptor(file), 0];
                    call(libc::SYS_mmap, &private).is_ok()
                });
            });
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        // On their way in a socket.
        "removed-in-flight" => {
            let (from, _to) = UnixStream::pair().expect("a pair");
            let sent = (0..FILES).filter(|_| hold_removed(|file| send_away(&from, descriptor(file)).is_ok())).count();
            if sent > 0 {
                std::thread::sleep(std::time::Duration::from_secs(3600));
            }
            answer_if(true);
        }
        // In a rule of Landlock.
        "removed-in-rule" => {
            let handled = [1_u64 << 2];
            let ruleset = call(libc::SYS_landlock_create_ruleset, &[address(&handled), 8, 0]).unwrap_or(u64::MAX);
            let held = (0..FILES).filter(|_| {
                hold_removed(|file| {
                    let fd = u32::try_from(descriptor(file)).unwrap_or(0).to_ne_bytes();
                    let rule = [handled[0].to_ne_bytes().as_slice(), &fd].concat();
                    made("rule", libc::SYS_landlock_add_rule, &[ruleset, 1, address(&*rule), 0])
                })
            });
            if held.count() > 0 {
                std::thread::sleep(std::time::Duration::from_secs(3600));
            }
            answer_if(true);
        }
        // All descriptors that its user may have on their way in sockets.
        "descriptors-in-flight" => {
            let pairs: Vec<_> = (0..64).map(|_| UnixStream::pair().expect("a pair")).collect();
            let refused = |from: &UnixStream| {
                from.set_nonblocking(true).expect("a flag");
                std::iter::repeat_with(|| send_away(from, 0)).find_map(Result::err).expect("an end")
            };
            let refused: Vec<_> = pairs.iter().map(|(from, _)| refused(from)).collect();
            eprintln!("{:?}", refused.last());
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        // More than the disk has, in no time, so that the judge cannot write what it prints.
        "fill-disk" => {
            let piece = vec![1_u8; 1 << 20];
            for number in 0..4096 {
                let Ok(mut file) = fs::File::create(number.to_string()) else { break };
                call(libc::SYS_fallocate, &[descriptor(&file), 0, 0, 16 << 20]).ok();
                if (0..16).any(|_| file.write_all(&piece).is_err()) {
                    break;
                }
            }
            loop {
                eprintln!("full");
            }
        }
        "closed-from-birth" => {
            rustix::fs::mkdir("closed", Mode::from_raw_mode(0o300)).expect("a folder");
            for number in 0..FILES {
                if fs::write(format!("closed/{number}"), [1; 1 << 20]).is_err() {
                    break;
                }
            }
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
        // Folders deeper than any path, and than any stack of one who goes down into them.
        "deep-folders" => {
            for _ in 0..2000 {
                if fs::create_dir("deeper").and_then(|()| std::env::set_current_dir("deeper")).is_err() {
                    break;
                }
            }
            answer(argument);
        }
        // Leaves a mark wherever it can, and answers rightly when it finds none of an earlier run.
        "leave-mark" => {
            let places = ["mark", "/tmp/judge-rogue-mark", "/dev/shm/judge-rogue-mark", "/var/tmp/judge-rogue-mark"];
            let found: Vec<_> = places.iter().filter(|place| Path::new(place).exists()).collect();
            eprintln!("found {found:?}");
            let clean = found.is_empty();
            places.iter().for_each(|place| drop(fs::write(place, "x")));
            answer_if(clean);
        }
        // Tries to read a file that it must not see. It is not named by its path alone, for that would show it.
        "read" => {
            let argument = argument.trim_start_matches("file:");
            let read = fs::read(argument);
            eprintln!("{argument}: {:?}", read.as_ref().map(Vec::len));
            answer_if(read.is_err());
        }
        "look-up" => {
            let found = fs::symlink_metadata(argument.trim_start_matches("file:"));
            eprintln!("{argument}: {:?}", found.as_ref().map(fs::Metadata::len));
            answer_if(found.is_err());
        }
        "write" => {
            let argument = argument.trim_start_matches("file:");
            let written = fs::File::options().append(true).create(true).open(argument);
            eprintln!("{argument}: {written:?}");
            answer_if(written.is_err());
        }
        _ => return false,
    }
    true
}

/// Makes a file of 1 MiB, as far as there is room, holds it in some way, and removes and closes it: whether it is held.
fn hold_removed(hold: impl Fn(&fs::File) -> bool) -> bool {
    let Ok(mut file) = fs::File::options().read(true).write(true).create_new(true).open("removed") else {
        return false;
    };
    // Held also when it is full.
    file.write_all(&[1; 1 << 20]).ok();
    let held = hold(&file);
    fs::remove_file("removed").expect("a name less");
    held
}
