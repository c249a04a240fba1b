//! Threads, channels, a child process, files, time, memory: what the standard library has for a solver.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let board = fs::read_to_string(std::env::args().next_back().unwrap()).unwrap();
    let begun = Instant::now();
    let total = Arc::new(Mutex::new(0_u64));
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..4_u64)
        .map(|part| {
            let (total, sender) = (Arc::clone(&total), sender.clone());
            thread::spawn(move || {
                let sum: u64 = (0..1_000_000).filter(|number| number % (part + 3) == 0).sum();
                *total.lock().unwrap() += sum;
                sender.send(sum).unwrap();
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(receiver.recv_timeout(Duration::from_secs(1)).is_ok());
    thread::sleep(Duration::from_millis(1));
    let table: HashMap<u64, String> = (0..100_000).map(|number| (number, board.clone())).collect();
    assert!(table.len() == 100_000 && thread::available_parallelism().is_ok());

    let folder = std::env::temp_dir().join("busy");
    fs::create_dir_all(folder.join("inner")).unwrap();
    let mut file = fs::File::options().read(true).write(true).create(true).open(folder.join("file")).unwrap();
    file.write_all(board.as_bytes()).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    file.sync_all().unwrap();
    fs::rename(folder.join("file"), folder.join("inner/file")).unwrap();
    assert!(text == board && fs::metadata(folder.join("inner/file")).unwrap().is_file());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(&folder).unwrap();

    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"lluu\n").unwrap();
    let answer = child.wait_with_output().unwrap();
    assert!(begun.elapsed() > Duration::ZERO && *total.lock().unwrap() > 0);
    std::io::stdout().write_all(&answer.stdout).unwrap();
}
