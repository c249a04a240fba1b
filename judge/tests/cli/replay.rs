//! `judge replay`: keys pressed and screens read in a real terminal; frames in a pipe.

mod recorded;

use rustix::process::Signal;

use crate::second_opinion::has_python;
use crate::support::*;
use crate::terminal::Terminal;

const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const PAGE_DOWN: &str = "\x1b[6~";
const PAGE_UP: &str = "\x1b[5~";

fn replay(folder: &Folder, args: &[&str]) -> Terminal {
    Terminal::judge(folder, ["replay"].into_iter().chain(args.iter().copied()))
}

/// On a terminal that has room for one row per cell only.
fn small(folder: &Folder, args: &[&str]) -> Terminal {
    Terminal::sized(folder, 18, 80, ["replay"].into_iter().chain(args.iter().copied()))
}

#[test]
fn every_key_of_the_player_works() {
    let folder = Folder::new();
    let board = board("near-end-1");
    let file = folder.file("near.txt", fs::read(board).unwrap());
    let terminal = replay(&folder, &[&file.file_name().unwrap().to_string_lossy(), "l l uu", "--speed", "1"]);
    terminal.shows("quit");
    terminal.press(HOME);
    terminal.shows("paused, 1 per second");
    terminal.shows("start of 4");
    terminal.press(RIGHT);
    terminal.shows("step 1 of 4: l");
    terminal.press(&RIGHT.repeat(2));
    assert_snapshot!(terminal.shows("step 3 of 4: u"), @"
    near.txt, loyd                                              paused, 1 per second
    step 3 of 4: u
    23 of 25 tiles home, 3 moves, 0 transports



      A    B    C    D    E

      F    G    H    I    J

      K    L    M    N   [O]

      P    Q    R    S   [+]

      U    V    W    X    T

    tiles home of 25, step by step
                        ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄█
    ████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████
                                                                ▲
    space play or pause  ← → step  PgUp PgDn ten steps  home end  + - speed  q quit
    ");
    terminal.press(LEFT);
    terminal.shows("step 2 of 4: l");
    terminal.press(PAGE_DOWN);
    terminal.shows("solved");
    terminal.press(PAGE_UP);
    terminal.shows("start of 4");
    terminal.press("+++++");
    terminal.shows("paused, 32 per second");
    terminal.press("-");
    terminal.shows("paused, 16 per second");
    terminal.press(" ");
    terminal.shows("step 4 of 4: u");
    terminal.shows("paused");
    terminal.press("q");
    let text = terminal.left_with(0);
    assert!(text.starts_with("solved: 25 of 25 tiles home, 4 moves, 0 transports\nleft with"), "{text}");
}

#[test]
fn a_film_plays_again_from_its_end() {
    let folder = Folder::new();
    // So long that it plays until the test is over, however slow the machine is.
    let terminal = replay(&folder, &[&board("near-end-1"), &"lr".repeat(5_000), "--speed", "1"]);
    let playing = |text: &str| text.contains("playing, 1 per second") && text.contains("\nstep ");
    terminal.until("a step", playing);
    terminal.press(" ");
    terminal.shows("paused");
    terminal.press(END);
    terminal.shows("step 10000 of 10000");
    terminal.press(" ");
    terminal.until("an early step", |text| playing(text) && !text.contains("step 10000 "));
    terminal.press("q");
    terminal.left_with(1);
}

#[test]
fn an_illegal_move_is_shown_at_its_position_with_the_reason() {
    let folder = Folder::new();
    let terminal = replay(&folder, &[&board("near-end-1"), "llux", "--speed", "1"]);
    terminal.shows("quit");
    terminal.press(HOME);
    terminal.shows("an illegal move comes after step 3");
    terminal.press(END);
    let text = terminal.shows("illegal move 4 `x`: an answer has only the moves u, d, l, r, t and white space");
    assert!(text.lines().any(|line| line.ends_with('x') && line.trim() == "x"), "a mark on the curve:\n{text}");
    terminal.press("q");
    terminal.left_with(1);
}

#[test]
fn an_answer_without_a_legal_move_is_shown_too() {
    let folder = Folder::new();
    for (answer, message, code) in [("x", "illegal move 1 `x`", 1), (" ", "not solved: the answer ends here", 1)] {
        let terminal = small(&folder, &[&board("near-end-1"), answer]);
        let text = terminal.shows(message);
        assert!(text.contains("no move to show") && text.contains("K  L  +  M  N"), "{text}");
        terminal.press(&(RIGHT.to_owned() + LEFT + END + HOME + " q"));
        terminal.left_with(code);
    }
}

#[test]
fn every_game_ends_on_the_position_that_validate_reports() {
    let folder = Folder::new();
    for seed in ["hexa-draughts-solved", "loyd-solved", "shift-goal-line", "swap-solves", "ufo-fig-1"] {
        let seed = fs::read_to_string(project().join("fuzz/seeds/game").join(format!("{seed}.txt"))).unwrap();
        let (game, rest) = seed.split_once('\n').unwrap();
        let (board, answer) = rest.split_once("\n---\n").unwrap();
        folder.file("board.txt", board);
        folder.file("answer.txt", answer);
        let args = ["--game", game, "board.txt", "answer.txt"];
        let ruling = folder.judge(["validate", "--json"].into_iter().chain(args)).exits(0).json();

        let terminal = small(&folder, &args);
        terminal.shows("quit");
        terminal.press(END);
        let text = terminal.until("the end", |text| text.contains("\nsolved\n") && text.contains("paused"));
        let places = |line: &str| line.replace(|c: char| c.is_whitespace() || "[]#".contains(c), "");
        let rows: Vec<String> = ruling["final_board"].as_str().unwrap().split(' ').map(places).collect();
        let shown: Vec<String> = text.lines().map(places).collect();
        assert!(shown.windows(rows.len()).any(|window| window == rows), "{game}: {rows:?} in\n{text}");
        terminal.press("q");
        terminal.left_with(0);
    }
}

#[test]
fn it_follows_the_size_of_the_terminal() {
    let folder = Folder::new();
    let terminal = replay(&folder, &[&board("near-end-1"), "lluu", "--speed", "1"]);
    terminal.shows("quit");
    terminal.press(END);
    terminal.shows("solved");
    terminal.resize(9, 24);
    let small = |text: &str| text.contains("space play") && !text.contains("step by step");
    assert_snapshot!(terminal.until("small screen", small), @r#"
    step 4 of 4: u
    25 of 25 tiles home, 4 m
    solved
     A  B  C  D  E
     F  G  H  I  J
     K  L  M  N  O
     P  Q  R  S [T]
     U  V  W  X [+]
    space play or pause  ← →
    "#);
    // Too narrow for brackets, and for most of the words.
    terminal.resize(7, 9);
    terminal.shows("UVWX+");
    // At least one row is shown, and a size of 0 is no panic.
    terminal.resize(1, 1);
    terminal.resize(2, 40);
    terminal.shows("25 of 25 tiles home, 4 moves");
    terminal.resize(40, 120);
    terminal.shows("step by step");
    terminal.press("q");
    terminal.left_with(0);
}

#[test]
fn the_terminal_is_restored_after_every_signal() {
    let folder = Folder::new();
    let board = board("near-end-1");
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let terminal = replay(&folder, &[&board, "lluu"]);
        terminal.shows("quit");
        terminal.signal(signal);
        terminal.left_with(code);
    }
    let terminal = replay(&folder, &[&board, "lluu"]);
    terminal.shows("quit");
    // The keys that suspend a program or make it dump its memory do nothing.
    terminal.press("\x1a\x1c");
    terminal.press("\x03");
    terminal.left_with(130);
}

#[test]
fn a_signal_restores_a_terminal_that_accepts_no_output() {
    let folder = Folder::new();
    let (judge, board) = (env!("CARGO_BIN_EXE_judge"), board("near-end-1"));
    let mut terminal = Terminal::unread(&folder, [judge, "replay", &board, "lluu", "--speed", "1"], &[]);
    // More frames than the system buffers for a terminal, so that the judge waits in the middle of one.
    for columns in (40..200).rev() {
        terminal.resize(60, columns);
        std::thread::sleep(Duration::from_millis(5));
    }
    terminal.signal(Signal::TERM);
    std::thread::sleep(Duration::from_millis(100));
    terminal.signal(Signal::TERM);
    terminal.has_ended();
    terminal.read();
    terminal.left_with(143);
}

#[test]
fn the_terminal_is_restored_while_the_judge_is_suspended() {
    let folder = Folder::new();
    let terminal = replay(&folder, &[&board("near-end-1"), "lluu", "--speed", "1"]);
    terminal.shows("quit");
    terminal.press(HOME);
    // The film is at its start before the key is read, too; a key that waits is lost when the terminal is restored.
    terminal.shows("paused");
    terminal.shows("start of 4");
    terminal.signal(Signal::TSTP);
    terminal.is_suspended();
    terminal.signal(Signal::CONT);
    terminal.shows("start of 4");
    terminal.until("a screen", |_| terminal.shows_a_screen());
    terminal.press(RIGHT);
    terminal.shows("step 1 of 4");
    // SIGSTOP cannot be handled; but then SIGCONT makes the terminal a screen again.
    terminal.signal(Signal::STOP);
    terminal.reset();
    terminal.signal(Signal::CONT);
    terminal.until("a screen", |_| terminal.shows_a_screen());
    terminal.press(RIGHT);
    terminal.shows("step 2 of 4");
    terminal.signal(Signal::TSTP);
    terminal.is_suspended();
    terminal.signal(Signal::TERM);
    terminal.signal(Signal::CONT);
    terminal.left_with(143);
}

#[test]
fn colours_are_used_if_they_are_wanted() {
    let folder = Folder::new();
    let board = board("near-end-1");
    let judge = env!("CARGO_BIN_EXE_judge");
    let none: &[(&str, &str)] = &[("NO_COLOR", "1")];
    for (variables, color, expected) in
        [(&[][..], "auto", true), (none, "auto", false), (none, "always", true), (&[], "never", false)]
    {
        let command = [judge, "replay", &board, "lluu", "--color", color, "--speed", "1"];
        let terminal = Terminal::run(&folder, command, variables);
        terminal.shows("quit");
        terminal.press(END);
        terminal.shows("solved");
        assert_eq!(terminal.colourful(), expected, "{variables:?} {color}");
        terminal.press("q");
        terminal.left_with(0);
    }
}

#[test]
fn keys_come_from_the_terminal_when_the_answer_comes_from_a_pipe() {
    let folder = Folder::new();
    let script = format!("printf lluu | '{}' replay '{}' -", env!("CARGO_BIN_EXE_judge"), board("near-end-1"));
    let terminal = Terminal::run(&folder, ["sh", "-c", &script], &[]);
    terminal.shows("quit");
    terminal.press(END);
    terminal.shows("solved");
    terminal.press("q");
    terminal.left_with(0);
}

#[test]
fn in_a_pipe_it_prints_the_trace_of_validate() {
    let folder = Folder::new();
    let board = board("near-end-1");
    // Colours are for terminals, whatever the option says.
    for (answer, code) in [("lluu", 0), ("ll", 1), ("llx", 1), ("lt", 1)] {
        let frames = folder.judge(["replay", &board, answer, "--color", "always"]).exits(code).stdout;
        assert_eq!(folder.judge(["validate", "--trace", &board, answer]).exits(code).stdout, frames);
    }
    let speed = folder.judge(["replay", &board, "lluu", "--speed", "0"]).exits(2).message();
    assert!(speed.contains("invalid value '0' for '--speed <N>': must be a number from 1 to 1024"), "{speed}");
    // A terminal that can only print lines gets the same.
    let command = [env!("CARGO_BIN_EXE_judge"), "replay", &board, "lluu"];
    let text = Terminal::run(&folder, command, &[("TERM", "dumb")]).left_with(0);
    assert!(text.contains("solved: 25 of 25 tiles home, 4 moves, 0 transports"), "{text}");
}

#[test]
fn pictures_that_a_referee_leaves_are_shown_one_by_one() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    folder.judge(["init", "--referee", "python", "mine"]).exits(0);
    folder.file("mine/boards/three.txt", "3 1 2\n");
    let args = ["--contest", "mine/contest.toml", "mine/boards/three.txt", "1 2"];
    let terminal = replay(&folder, &[&args[..], &["--speed", "1"]].concat());
    terminal.shows("quit");
    terminal.press(HOME);
    terminal.shows("position 1 of 3");
    terminal.press(RIGHT);
    let screen = terminal.shows("position 2 of 3: 1");
    assert!(screen.split_whitespace().collect::<Vec<_>>().join(" ").contains("[A] [C] B"), "{screen}");
    assert!(screen.contains("after 1 byte of the answer"), "{screen}");
    terminal.press(END);
    terminal.shows("solved");
    terminal.press("q");
    let text = terminal.left_with(0);
    assert!(text.contains("solved"), "{text}");
}
