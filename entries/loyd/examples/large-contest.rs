//! A generator of large results directories, to measure the cost of their size: 40 entries on 200 boards by default.
//!
//! `cargo run --release --manifest-path entries/Cargo.toml -p loyd-entries --example large-contest -- DIR [ENTRIES BOARDS]`
//! writes a contest into DIR and has `judge run` execute it into DIR/results. Every answer is a real one to a random board.
//! The entries are this program. They differ in the number of random moves that they make before they start to solve; some
//! of their runs fail. The same command gives the same answers and verdicts.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{self, ExitCode};
use std::thread;

use loyd_kit::lead::{lead_shorter, place_all};
use loyd_kit::random::{Random, for_board};
use loyd_kit::{Board, Move, Play};
use rand::RngExt as _;

/// Additional random moves of each entry, compared with the entry before.
const WANDERING: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |text: &String| text.parse::<usize>().ok().filter(|number| *number > 0);
    let done = match &arguments[..] {
        [word, entry, board] if word == "--entry" => {
            number(entry).map_or(Err("no number".into()), |entry| wander(entry, board))
        }
        [directory] => run_contest(Path::new(directory), 40, 200),
        [directory, entries, boards] => match number(entries).zip(number(boards)) {
            Some((entries, boards)) => run_contest(Path::new(directory), entries, boards),
            None => Err("ENTRIES and BOARDS must be whole numbers from 1".into()),
        },
        _ => Err("usage: large-contest DIR [ENTRIES BOARDS]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run_contest(folder: &Path, entries: usize, boards: usize) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder.join("boards"))?;
    fs::copy(env::current_exe()?, folder.join("wanderer"))?;
    let mut text = "name = \"A large contest\"\ngame = \"loyd\"\nlimit = \"1s\"\n".to_owned();
    for (index, board) in judge_command::random_boards("loyd", None, 1..=boards as u64).iter().enumerate() {
        let seed = index + 1;
        fs::write(folder.join(format!("boards/{seed}.txt")), board)?;
        writeln!(text, "[[board]]\nname = \"R{seed}\"\nfile = \"boards/{seed}.txt\"")?;
    }
    for entry in 1..=entries {
        writeln!(text, "[[entry]]\nname = \"wanderer-{entry}\"\nauthor = \"Example Author\"")?;
        writeln!(text, "strategy = \"{} moves at random, then tile after tile\"", WANDERING * entry)?;
        writeln!(text, "command = [\"./wanderer\", \"--entry\", \"{entry}\"]")?;
    }
    fs::write(folder.join("contest.toml"), text)?;
    let status = judge_command::judge().arg("run").arg(folder).arg("--out").arg(folder.join("results")).status()?;
    if status.success() { Ok(()) } else { Err("the contest did not end".into()) }
}

/// Answers a board as an entry does, or fails: one run in ten by a crash, an illegal move or a short answer, and one in 256
/// by its time.
fn wander(entry: usize, file: &str) -> Result<(), Box<dyn Error>> {
    let board: Board = fs::read_to_string(file)?.parse()?;
    let mut random = for_board(&board);
    random.set_stream(entry as u64);
    let mut answer = answer(&board, WANDERING * entry, &mut random);
    if random.random_ratio(1, 5) {
        eprint!("{}", progress(&answer));
    }
    let cut = random.random_range(1..answer.len());
    match random.random_range(0..256) {
        0 => loop {
            thread::park();
        },
        1..=8 => {
            print!("{}", &answer[..cut]);
            process::exit(101);
        }
        9..=16 => answer.insert(cut, 'x'),
        17..=24 => answer.truncate(cut),
        _ => {}
    }
    print!("{answer}");
    Ok(())
}

/// An answer: some random moves, then the tiles one by one.
fn answer(board: &Board, wandering: usize, random: &mut Random) -> String {
    let mut play = Play::new(*board);
    for _ in 0..wandering {
        let legal: Vec<Move> = Move::ALL.into_iter().filter(|&made| play.board().after(made).is_some()).collect();
        play.make(legal[random.random_range(0..legal.len())]);
    }
    let solved = place_all(play.board(), lead_shorter);
    play.make_all(&solved);
    play.into_moves().into_iter().map(Move::letter).collect::<String>() + "\n"
}

/// Typical progress messages of a search.
fn progress(answer: &str) -> String {
    (1..=12).map(|depth| format!("depth {depth}: {} nodes, best {}\n", answer.len() << depth, answer.len())).collect()
}
