//! A site that is killed while twenty teams submit: accepted submissions are judged once, and the board equals that of
//! an undisturbed contest. `OFFICE_KILLS=300` kills it 300 times, at moments that a seed chooses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::desk::files_of;
use super::*;

use crate::support::*;

const TEAMS: usize = 20;

/// Submits to the current site until one answers, and returns the number of the submission.
fn insist(address: &RwLock<String>, token: &str, text: &str) -> u32 {
    let begun = Instant::now();
    loop {
        let now = address.read().unwrap().clone();
        if let Some(number) = attempt(&now, token, text) {
            return number;
        }
        assert!(begun.elapsed() < 4 * TIMEOUT, "no site answered");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// One attempt; `None` if the site ended meanwhile.
fn attempt(address: &str, token: &str, text: &str) -> Option<u32> {
    let ask = |head: String, body: &[u8]| {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(body).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        Some(String::from_utf8_lossy(&answer).into_owned()).filter(|answer| answer.contains("\r\n\r\n"))
    };
    let head = |path: &str, headers: &str, length: usize| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    };
    let form = format!("token={token}");
    let entered =
        ask(head("/enter", "Content-Type: application/x-www-form-urlencoded\r\n", form.len()), form.as_bytes())?;
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: "))?.split(';').next()?.to_owned();
    let body =
        format!("--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"solve\"\r\n\r\n{text}\r\n--b--\r\n");
    let headers = format!("Cookie: {cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\n");
    let answer = ask(head("/submit", &headers, body.len()), body.as_bytes())?;
    let location = answer.lines().find_map(|line| line.strip_prefix("location: "));
    let Some(location) = location else { panic!("{answer}") };
    location.rsplit_once('/')?.1.parse().ok()
}

/// The places of a results directory, without times.
fn places(folder: &Folder, results: &str) -> BTreeMap<String, (Option<u64>, String)> {
    let ranked = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
    let rows = ranked["entries"].as_array().unwrap_or_else(|| panic!("{ranked}")).clone();
    rows.iter()
        .map(|row| (row["entry"].to_string(), (row["place"].as_u64(), row["total"]["figures"]["moves"].to_string())))
        .collect()
}

#[test]
#[ignore = "deep: kills"]
fn a_site_that_is_killed_judges_everything_once() {
    let kills: usize = std::env::var("OFFICE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6);
    let each = kills.div_ceil(6).max(2);
    let names: Vec<String> = (0..TEAMS).map(|team| format!("t{team}")).collect();
    // Time does not count, so that places are equal on all machines.
    let unlimited = "[ranking]\norder = [\"progress\", \"moves\"]\n[office]\nlimit = { waiting = \"unlimited\" }\n";
    let names_of = || names.iter().map(String::as_str).collect::<Vec<_>>();
    let (folder, tokens) = club_with(&names_of(), unlimited);
    let site = Site::start(&folder, &[]);
    let address = RwLock::new(site.address.clone());
    // The team and the program, by the number of the submission.
    let accepted: Mutex<BTreeMap<u32, (usize, String)>> = Mutex::default();
    let made = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let teams: Vec<_> = tokens
            .iter()
            .enumerate()
            .map(|(team, token)| {
                let (address, accepted, made) = (&address, &accepted, &made);
                scope.spawn(move || {
                    let mut dice = ChaCha8Rng::seed_from_u64(1 + team as u64);
                    for version in 0..each {
                        // Some teams submit between any two kills, from the first to the last one.
                        let due = version * kills / each + team % kills.div_ceil(each);
                        let begun = Instant::now();
                        while made.load(Ordering::SeqCst) < due {
                            assert!(begun.elapsed() < Duration::from_secs(3600), "the kills have stopped");
                            std::thread::sleep(Duration::from_millis(10));
                        }
                        std::thread::sleep(Duration::from_millis(dice.random_range(0..400)));
                        let moves = ["lluu", "ll", "lx", ""][(team + version) % 4];
                        let text = format!("#!/bin/sh\necho {moves} # {version}\n");
                        let number = insist(address, token, &text);
                        accepted.lock().unwrap().insert(number, (team, text));
                    }
                })
            })
            .collect();
        let (folder, address, made) = (&folder, &address, &made);
        let killer = scope.spawn(move || {
            let (mut site, mut dice) = (site, ChaCha8Rng::seed_from_u64(0));
            for _ in 0..kills {
                std::thread::sleep(Duration::from_millis(dice.random_range(0..440)));
                // Dropping it kills it.
                drop(site);
                site = Site::start(folder, &[]);
                address.write().unwrap().clone_from(&site.address);
                made.fetch_add(1, Ordering::SeqCst);
            }
            site
        });
        teams.into_iter().for_each(|team| team.join().unwrap());
        let site = killer.join().unwrap();
        site.visitor().until("/readyz", "ready");
        site.stop();
    });
    assert_eq!(made.into_inner(), kills);
    folder.judge(["office", "judge", "club"]).exits(0);
    let accepted = accepted.into_inner().unwrap();
    let log = folder.read("club/results/journal.jsonl");
    let contents = judge_office::results::read(&folder.path().join("club/results")).unwrap();
    assert!(contents.missing().is_empty());
    for (number, (team, _)) in &accepted {
        let entry = format!("t{team}.{number}");
        let entered = contents.plan.entries.iter().filter(|known| known.name == entry).count();
        assert_eq!(entered, 1, "{entry} was accepted and is entered once");
    }
    // A client without an answer repeated its request, which is the same submission.
    assert_eq!(accepted.len(), TEAMS * each);
    assert_eq!(log.matches("\"event\":\"submitted\"").count(), accepted.len());
    let runs = folder.read("club/results/journal.jsonl");
    for entry in contents.plan.entries.iter().filter(|entry| entry.name.contains('.')) {
        let key = format!("\"entry\":\"{}\",\"board\"", entry.name);
        let judged = runs.lines().filter(|line| line.starts_with("{\"line\":\"run\"") && line.contains(&key)).count();
        assert!(judged <= 1, "{} was judged {judged} times", entry.name);
    }
    folder.judge(["verify", "club/results"]).exits(0);
    // The twin gets the same submissions without any disturbance.
    let (twin, _) = club_with(&names_of(), unlimited);
    for (team, text) in accepted.values() {
        twin.file("solve", text);
        twin.judge(["office", "submit", "club", &names[*team], "solve"]).exits(0);
    }
    twin.judge(["office", "judge", "club"]).exits(0);
    assert_eq!(places(&folder, "club/results"), places(&twin, "club/results"));
    let left = crate::support::processes_naming(folder.path());
    assert!(left.is_empty(), "{left:?}");
}

/// Submits a program by a command that is killed after storing the upload and before logging it. Returns the upload and
/// the program, which begins with `text`.
fn cut_off(folder: &Folder, text: &str) -> (std::path::PathBuf, String) {
    let office = folder.path().join("club/office");
    let submitted = || folder.read("club/results/journal.jsonl").matches("\"submitted\"").count();
    for attempt in 0..100 {
        let (before, known) = (files_of(&office.join("uploads")), submitted());
        let program = format!("{text}\n// {attempt}\n");
        folder.file("cut.c", &program);
        let log = std::fs::File::options().append(true).open(folder.path().join("club/results/journal.jsonl")).unwrap();
        let mut judge = Command::new(env!("CARGO_BIN_EXE_judge"));
        let submit = judge.args(["office", "submit", "club", "ada", "cut.c"]).current_dir(folder.path());
        let mut submit = submit.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // While it writes its upload, the test locks the log.
        while files_of(&office.join("incoming")).is_empty() && submit.try_wait().unwrap().is_none() {}
        log.lock().unwrap();
        let stored = loop {
            let new = files_of(&office.join("uploads")).into_iter().find(|file| !before.contains(file));
            if new.is_some() || submit.try_wait().unwrap().is_some() {
                break new;
            }
        };
        submit.kill().unwrap();
        submit.wait().unwrap();
        log.unlock().unwrap();
        // The command may have been quicker.
        if let Some(stored) = stored.filter(|_| submitted() == known) {
            return (stored, program);
        }
    }
    panic!("every command was quicker")
}

#[test]
#[ignore = "deep: kills"]
fn an_upload_that_was_killed_before_its_line_is_removed_by_a_later_start() {
    let (folder, tokens) = club(&["ada"]);
    let programs = ["old", "young", "named"].map(|name| format!("// {name}\n{SOLVES}"));
    let [(old, one), (young, other)] = [&programs[0], &programs[1]].map(|text| cut_off(&folder, text));
    folder.file("named.c", &programs[2]);
    let before = files_of(&folder.path().join("club/office/uploads"));
    folder.judge(["office", "submit", "club", "ada", "named.c"]).exits(0);
    let uploads = files_of(&folder.path().join("club/office/uploads"));
    let named = uploads.into_iter().find(|file| !before.contains(file)).unwrap();
    let hours_ago = std::time::SystemTime::now() - Duration::from_secs(2 * 3600);
    for file in [&old, &named] {
        std::fs::File::open(file).unwrap().set_modified(hours_ago).unwrap();
    }
    let site = Site::start(&folder, &[]);
    let begun = Instant::now();
    while old.exists() {
        assert!(begun.elapsed() < TIMEOUT, "it is never removed");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(young.exists() && named.exists(), "one may be under way, and one is named");
    // The same program is accepted when it comes again.
    let ada = site.with(&tokens[0]);
    for text in [&one, &other] {
        ada.until(&ada.submit("cut.c", text), "25/4");
    }
    assert!(old.exists() && site.stop().is_empty());
    assert!(folder.read("access.log").contains("removed 1 upload that no line of the log names"));
    folder.judge(["verify", "club/results"]).exits(0);
}
