//! The sample entries in every language whose tools are here: each answers, and uses the warning of a grace period.

use judge_core::game::Game;
use judge_core::{games, referee};

use crate::support::*;

/// A sample that improves its answer until the limit.
struct Anytime {
    /// Programs without which it is skipped.
    tools: &'static [&'static str],
    /// The build, with `SAMPLES` for the folder of the samples; empty for a script.
    build: &'static [&'static str],
    run: &'static [&'static str],
    /// True if it prints its best answer when it gets SIGTERM.
    notices_warning: bool,
    /// The limit in one run, and roughly the processor time before the warning in the other, in milliseconds: enough for
    /// this language to find a better answer than the first.
    search_ms: u64,
}

const ANYTIME: &[Anytime] = &[
    Anytime {
        tools: &["cc"],
        build: &["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "c", "SAMPLES/c/anytime.c"],
        run: &["./c"],
        notices_warning: true,
        search_ms: 300,
    },
    Anytime {
        tools: &["c++"],
        build: &["c++", "-O2", "-std=c++17", "-o", "cpp", "SAMPLES/cpp/anytime.cpp"],
        run: &["./cpp"],
        notices_warning: true,
        search_ms: 300,
    },
    Anytime {
        tools: &["rustc"],
        build: &["rustc", "-O", "--edition", "2021", "-o", "rust", "SAMPLES/rust/anytime.rs"],
        run: &["./rust"],
        notices_warning: false,
        search_ms: 300,
    },
    Anytime {
        tools: &["go"],
        build: &["go", "build", "-o", "go-entry", "SAMPLES/go/anytime.go"],
        run: &["./go-entry"],
        notices_warning: true,
        search_ms: 300,
    },
    Anytime {
        tools: &["java", "javac"],
        build: &["javac", "-d", ".", "SAMPLES/java/Anytime.java"],
        run: &["java", "-cp", ".", "Anytime"],
        notices_warning: true,
        search_ms: 1000,
    },
    Anytime {
        tools: &["node"],
        build: &[],
        run: &["node", "SAMPLES/javascript/anytime.js"],
        notices_warning: true,
        search_ms: 500,
    },
    Anytime {
        tools: &["python3"],
        build: &[],
        run: &["python3", "SAMPLES/python/anytime.py"],
        notices_warning: true,
        search_ms: 1000,
    },
    Anytime {
        tools: &["sh", "awk"],
        build: &[],
        run: &["SAMPLES/sh/anytime.sh", "SAMPLES/sh/solve.sh"],
        notices_warning: true,
        // Its eleventh answer is the first that is shorter: after 0.9 s of an idle machine.
        search_ms: 3000,
    },
];

fn game() -> Box<dyn Game> {
    (games::find("loyd").unwrap().open)(&Default::default()).unwrap()
}

/// Moves of an answer that solves the board.
fn moves(answer: &[u8]) -> u64 {
    let puzzle = game().parse(&fs::read(board("foxy")).unwrap()).unwrap();
    let result = referee::rule(&*puzzle, answer).unwrap();
    assert!(result.illegal.is_none() && result.score.solved(), "{:?}: {}", result, String::from_utf8_lossy(answer));
    result.score.moves
}

fn is_here(tool: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(tool).is_file())
}

fn command(words: &[&str], folder: &Path) -> Command {
    let samples = project().join("entries/samples").display().to_string();
    let words: Vec<String> = words.iter().map(|word| word.replace("SAMPLES", &samples)).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder).stdin(Stdio::null());
    // Go needs a folder for its cache and refuses to guess one.
    command.env("GOCACHE", folder.join("go-cache")).env("GOFLAGS", "-modcacherw");
    command
}

/// Starts a built sample on a board.
fn start(sample: &Anytime, folder: &Path, limit_ms: u64, stream: bool) -> Child {
    let mut command = command(sample.run, folder);
    command
        .arg(board("foxy"))
        .env("JUDGE_LIMIT_MS", limit_ms.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    match stream {
        true => command.env("JUDGE_STREAM", "1"),
        false => command.env_remove("JUDGE_STREAM"),
    };
    command.spawn().unwrap()
}

/// Waits until the sample handles SIGTERM and has used this much processor time.
fn wait_until_it_searches(process: u32, milliseconds: u64) {
    const SIGTERM: u64 = 1 << 14;
    loop {
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the sample runs until its limit");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a line with caught signals");
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap() & SIGTERM != 0;
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        // User and system time, also of children that have ended, in hundredths of a second.
        let ticks: u64 = fields[11..15].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        if caught && ticks * 10 >= milliseconds {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "deep: documents"]
fn anytime_samples_improve_until_the_limit() {
    let simple = Command::new(project().join("entries/samples/python/solve.py")).arg(board("foxy")).output().unwrap();
    let simple = moves(&simple.stdout);
    let (here, skipped): (Vec<&Anytime>, Vec<&Anytime>) =
        ANYTIME.iter().partition(|sample| sample.tools.iter().all(|tool| is_here(tool)));
    assert!(here.len() >= 2, "a shell and rustc are always here; skipped: {}", skipped.len());
    at_once(&here, |sample| {
        let folder = Folder::new();
        if !sample.build.is_empty() {
            let built = command(sample.build, folder.path()).output().unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        }
        let in_time = start(sample, folder.path(), sample.search_ms, false);
        let warned = sample.notices_warning.then(|| start(sample, folder.path(), 600_000, false));
        let output = in_time.wait_with_output().unwrap();
        assert!(output.status.success(), "{:?}: {}", sample.run, output.status);
        assert!(moves(&output.stdout) <= simple, "{:?}", sample.run);
        let streamed = start(sample, folder.path(), sample.search_ms, true).wait_with_output().unwrap();
        let answers: Vec<u64> =
            streamed.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(moves).collect();
        assert!(streamed.status.success() && answers.len() >= 2, "{:?}: {answers:?}", sample.run);
        let (last, before) = answers.split_last().unwrap();
        // Each answer is shorter than the one before, and the last one is printed again at the end.
        assert!(
            before.is_sorted_by(|one, next| next < one) && Some(last) == before.last(),
            "{:?}: {answers:?}",
            sample.run
        );
        if let Some(warned) = warned {
            wait_until_it_searches(warned.id(), sample.search_ms * 4 / 5);
            let message = Command::new("kill").args(["-TERM", &warned.id().to_string()]).status().unwrap();
            assert!(message.success());
            let output = warned.wait_with_output().unwrap();
            assert!(output.status.success(), "{:?} when warned: {}", sample.run, output.status);
            assert!(moves(&output.stdout) < simple, "{:?}", sample.run);
        }
    });
}

/// The sample entries of the other games: the game, the program, and boards that it solves.
const OTHERS: &[(&str, &str, &[&str])] = &[
    ("ufo", "ufo.py", &["fig-1", "fig-6-3"]),
    ("shift", "shift.py", &["scramble-2", "scramble-4"]),
    ("swap", "swap.py", &["1", "5", "20"]),
    ("hexa-draughts", "hexa_draughts.py", &["row-1", "row-3"]),
];

#[test]
#[ignore = "deep: documents"]
fn every_other_game_has_a_sample_that_solves_boards() {
    let games: Vec<&str> = games::GAMES.iter().map(|info| info.name).filter(|name| *name != "loyd").collect();
    assert_eq!(OTHERS.iter().map(|(game, ..)| *game).collect::<Vec<_>>(), games);
    at_once(OTHERS, |(name, program, boards)| {
        let game = (games::find(name).unwrap().open)(&Default::default()).unwrap();
        for board in *boards {
            let path = project().join("tests-boards").join(name).join(format!("{board}.txt"));
            let mut command = Command::new("python3");
            command.arg(project().join("entries/samples/python").join(program)).arg(&path);
            // Long enough for a busy machine; only the sample that goes on until its limit takes all of it.
            let limit = if *name == "hexa-draughts" { "1000" } else { "60000" };
            let output = command.env("JUDGE_LIMIT_MS", limit).output().unwrap();
            assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
            let puzzle = game.parse(&fs::read(&path).unwrap()).unwrap();
            let result = referee::rule(&*puzzle, &*output.stdout).unwrap();
            assert!(result.illegal.is_none() && result.score.solved(), "{program} on {board}: {result:?}");
        }
    });
}
