//! For any untrusted bytes a parser returns a value or an error, and never panics.
//!
//! The bytes are good files with random damage: pieces are removed, duplicated, overwritten or replaced by others.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use judge_core::journal::{self, Chain};
use judge_core::results::Results;
use judge_core::{games, referee};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Contest, Overrides};

/// A file of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Writes a file without emptying it first: some file systems would write an emptied file to the disk when it is closed.
fn write(path: &Path, content: &[u8]) {
    let mut file = fs::File::options().write(true).create(true).truncate(false).open(path).unwrap();
    file.write_all(content).unwrap();
    file.set_len(content.len() as u64).unwrap();
}

/// Makes one to six random changes.
fn damaged(good: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..random.random_range(1..=6) {
        let from = random.random_range(0..=bytes.len());
        let to = random.random_range(from..=bytes.len().min(from + 40));
        match random.random_range(0..5u8) {
            0 => drop(bytes.drain(from..to)),
            1 => bytes.extend_from_within(from..to),
            2 => bytes[from..to].fill_with(|| random.random()),
            3 => bytes[from..to].fill_with(|| b"0123456789-/,\"\n[]{}=.+"[random.random_range(0..22)]),
            _ => bytes.truncate(to),
        }
    }
    bytes
}

/// Damages a good file many times and passes it to a parser, which returns true if it accepted it.
fn torture(good: &[u8], cases: usize, mut accepts: impl FnMut(&[u8]) -> bool) {
    assert!(accepts(good), "the undamaged bytes are good");
    let mut random = ChaCha8Rng::seed_from_u64(1995);
    let refused = (0..cases).filter(|_| !accepts(&damaged(good, &mut random))).count();
    assert!(refused > cases / 10, "the damage was worth something: {refused} of {cases} refused");
}

#[test]
#[ignore = "deep: fuzz"]
fn boards_and_answers() {
    let mut tortured = HashSet::new();
    for seed in fs::read_dir(project("fuzz/seeds/game")).unwrap() {
        let seed = fs::read_to_string(seed.unwrap().path()).unwrap();
        let (name, rest) = seed.split_once('\n').unwrap();
        let (board, answer) = rest.split_once("\n---\n").unwrap_or((rest, ""));
        let game = (games::find(name).unwrap().open)(&Default::default()).unwrap();
        let Ok(puzzle) = game.parse(board.as_bytes()) else { continue };
        if !referee::rule(&*puzzle, answer.as_bytes()).unwrap().score.solved() {
            continue;
        }
        tortured.insert(name.to_owned());
        torture(board.as_bytes(), 20_000, |bytes| {
            let Ok(puzzle) = game.parse(bytes) else { return false };
            // Accepted input can also be drawn.
            puzzle.start().picture().draw();
            true
        });
        torture(answer.as_bytes(), 20_000, |bytes| referee::rule(&*puzzle, bytes).unwrap().illegal.is_none());
    }
    assert!(games::GAMES.iter().all(|kind| tortured.contains(kind.name)), "of every game a seed solves its board");
}

#[test]
#[ignore = "deep: fuzz"]
fn results() {
    let table = fs::read(project("results/published-1995.csv")).unwrap();
    torture(&table, 5_000, |bytes| Results::read_csv("table", bytes).is_ok());
    let runs = b"contest,game,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,signal,reason\n\
                 c,loyd,a,X,solved,25,25,94,12,5000,600000,,\nc,loyd,a,Y,timed_out,,,,,600000000,600000,,\n\
                 c,loyd,b,X,crashed,,,,,77,600000,9,\nc,loyd,b,Y,could_not_start,,,,,,600000,,\"no, \"\"such\"\" file\"\n";
    torture(runs, 20_000, |bytes| Results::read_csv("runs", bytes).is_ok());
}

#[test]
#[ignore = "deep: fuzz"]
fn contest_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("near.txt"), "ABCDE FGHIJ KL+MN PQRSO UVWXT").unwrap();
    let good = "name = \"x\"\ngame = \"loyd\"\nlimit = \"10m\"\ngrace = \"1s\"\noutput = \"16MiB\"\n\
                cpu = \"1s\"\nmemory = \"1GiB\"\nprocesses = 8\nscratch = \"unlimited\"\ncores = 2\nisolation = \"auto\"\n\
                readable = [\"near.txt\"]\n\
                [rules]\ncentre_transport = \"noop\"\n[ranking]\norder = [\"moves\", \"time\"]\n\
                [[board]]\nname = \"NEAR\"\nfile = \"near.txt\"\nreconstruction = true\nnote = \"n\"\n\
                [[entry]]\nname = \"a\"\nyear = 1995\ncommand = [\"true\", \"{dir}\"]\ncompeting = false\n\
                limits = { memory = \"2GiB\", processes = \"unlimited\" }\n";
    torture(good.as_bytes(), 1_500, |bytes| {
        write(&folder.path().join("contest.toml"), bytes);
        Contest::load(folder.path(), &Overrides::default()).is_ok()
    });
}

#[test]
#[ignore = "deep: fuzz"]
fn journals() {
    let folder = tempfile::tempdir().unwrap();
    let head = r#"{"line":"contest","format":6,"judge":"0","contest_file":"/c","overrides":{},"plan":{"name":"c","game":"loyd","rules":{},"limits":{"wall_ms":1000,"grace_ms":0,"cpu_ms":null,"memory_bytes":4096,"processes":9,"output_bytes":9,"scratch_bytes":null,"cores":1},"isolation":"auto","readable":["x"],"ranking":["moves"],"boards":[{"name":"X","text":"+"}],"entries":[{"name":"a","command":["a"],"competing":true}]},"order":[{"round":1,"entry":"a","board":"X"}],"programs":{}}"#;
    let run = r#"{"line":"run","seq":1,"round":1,"entry":"a","board":"X","verdict":"illegal_move","figures":{"progress":"3","moves":"4","tie_break":"0"},"full":"25","failed_at":5,"token":"x","reason":"r","wall_us":9,"limit_ms":1000,"stdout_bytes":1,"stderr_bytes":0,"cpu_us":7,"cpu_by":"cgroup","memory_bytes":4096,"memory_by":"sampled","contention":{"cpu_pressure_us":1,"taken_us":2},"suspect":"s","attempt":2,"notes":["n"],"isolation":{"tier":"process_group","layers":["subreaper"]},"final_board":"+"}"#;
    torture(format!("{head}\n{run}\n{run}\n").as_bytes(), 2_000, |bytes| {
        // An attacker who changes a journal can also compute a new chain.
        let mut chain = Chain::default();
        let sealed = bytes.split_inclusive(|&byte| byte == b'\n').flat_map(|line| {
            let mut line = line.to_owned();
            if line.ends_with(b"}\n") {
                chain.seal(&mut line);
            }
            line
        });
        write(&folder.path().join("journal.jsonl"), &sealed.collect::<Vec<_>>());
        let Ok(contents) = journal::read(folder.path()) else { return false };
        // Accepted input can also be written as a table.
        Results::from_journal(&contents);
        true
    });
}
