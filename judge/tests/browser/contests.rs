//! Small contests that the judge runs, and their pages.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, OnceLock};

use crate::support::*;

/// A contest of two boards. Its entries print prepared answers.
pub(crate) struct Small {
    pub(crate) game: &'static str,
    /// Files in the game's folder of boards, without `.txt`.
    pub(crate) boards: [&'static str; 2],
    pub(crate) players: &'static [Player],
}

/// An entry and its answers to the boards.
pub(crate) struct Player {
    pub(crate) name: &'static str,
    pub(crate) answers: [&'static str; 2],
}

/// A contest of each game, with answers that solve, answers that stop too early, and illegal moves.
pub(crate) const SMALL: [Small; 5] = [
    Small {
        game: "loyd",
        boards: ["near-end-1", "trap"],
        players: &[
            Player { name: "straight", answers: ["lluu", "ddtdrtdluuurrrddddtlltlluu"] },
            Player { name: "detour", answers: ["lrlluu", "ddddrrrulluuurrrddddlllluuuu"] },
            Player { name: "illegal", answers: ["lrt", "ddddz"] },
            Player { name: "half", answers: ["l", "dd"] },
        ],
    },
    Small {
        game: "ufo",
        boards: ["fig-1", "fig-6-3"],
        players: &[
            Player { name: "straight", answers: ["X-DRU 1-DR X-D", "2-R X-D 3-U 2-L 1-D 4-L 2-D X-L"] },
            Player { name: "illegal", answers: ["X-DRU 1-DR 1-L X-U", "2-R X-D X-D"] },
            Player { name: "half", answers: ["X-DRU 1-DR", "2-R"] },
        ],
    },
    Small {
        game: "shift",
        boards: ["scramble-2", "klotski"],
        players: &[
            Player { name: "straight", answers: ["B-D C-L D-U F-UR H-UU X-R", "G-DL F-R"] },
            Player { name: "detour", answers: ["B-D C-L D-U F-U F-R H-U H-U X-R", "G-D"] },
            Player { name: "illegal", answers: ["B-D C-L A-R", "G-D A-U"] },
        ],
    },
    Small {
        game: "swap",
        boards: ["2", "3"],
        players: &[
            Player {
                name: "straight",
                answers: [
                    "2 -> 3 4 -> 2 5 -> 4 3 -> 5 1 -> 3 2 -> 1 4 -> 2 3 -> 4",
                    "3 -> 4 5 -> 3 6 -> 5 4 -> 6 2 -> 4 1 -> 2 3 -> 1 5 -> 3 7 -> 5 6 -> 7 4 -> 6 2 -> 4 3 -> 2 5 -> 3 \
                     4 -> 5",
                ],
            },
            Player { name: "illegal", answers: ["2 -> 3 1 -> 3", "3 -> 4 1 -> 3"] },
            Player { name: "half", answers: ["2 -> 3", "3 -> 4"] },
        ],
    },
    Small {
        game: "hexa-draughts",
        boards: ["row-2", "row-3"],
        players: &[
            Player {
                name: "straight",
                answers: [
                    "men -1,-1 0,0 0,2\nhops -1,-1>1,1 0,2>2,0",
                    "men -1,-3 -1,-1 0,-2 0,0 0,2\nhops -1,-3>1,-1 -1,-1>1,1 0,2>2,0 1,-1>3,1",
                ],
            },
            Player { name: "illegal", answers: ["men -1,-1 0,0 0,2 hops -1,-1>1,1 0,2>0,-2", "men 0,0 5,5"] },
            Player { name: "half", answers: ["men -1,-1 0,0 0,2 hops -1,-1>1,1", "men 0,0"] },
        ],
    },
];

impl Small {
    /// Returns the small contest of a game.
    pub(crate) fn of(game: &str) -> &'static Self {
        SMALL.iter().find(|small| small.game == game).unwrap()
    }

    /// Writes the page of its results into a folder.
    pub(crate) fn report(&self, folder: &Folder) -> PathBuf {
        made_once(self.game, folder, |folder| self.run(folder))
    }

    fn run(&self, folder: &Folder) -> PathBuf {
        let mut contest = format!("name = \"A small contest\"\ngame = \"{}\"\nlimit = \"10s\"\n", self.game);
        for (name, file) in self.boards.iter().zip(self.board_files()) {
            write!(contest, "[[board]]\nname = \"{}\"\nfile = {file:?}\n", name.to_uppercase()).unwrap();
        }
        for player in self.players {
            folder.script(&format!("{}.sh", player.name), &self.script(player));
            contest += &entry(player.name, &[&format!("./{}.sh", player.name)]);
        }
        report(folder, &contest)
    }

    /// Validates an answer again with the judge.
    pub(crate) fn validated(&self, folder: &Folder, player: &Player, board: usize) -> Value {
        let solved = !matches!(player.name, "illegal" | "half");
        let file = self.board_files()[board].display().to_string();
        let command = folder.judge(["validate", "--game", self.game, &file, "-", "--json"]);
        let printed = command.stdin(player.answers[board]);
        let code = i32::from(!solved || (self.game == "shift" && board == 1));
        printed.exits(code).json()
    }

    fn board_files(&self) -> [PathBuf; 2] {
        self.boards.map(|name| project().join(format!("tests-boards/{}/{name}.txt", self.game)))
    }

    /// Returns a shell script that prints an entry's answers.
    fn script(&self, player: &Player) -> String {
        let cases = self.board_files().into_iter().zip(player.answers).map(|(file, answer)| {
            let board = fs::read_to_string(file).unwrap();
            format!("'{}') echo '{answer}' ;;\n", board.trim_end())
        });
        format!("case \"$(cat \"$1\")\" in\n{}esac", cases.collect::<String>())
    }
}

/// Runs a contest of Loyd's Dilemma with entries of every kind: real ones, one that does not compete, and one per
/// failure. Returns its page.
pub(crate) fn mixed(folder: &Folder) -> PathBuf {
    made_once("mixed", folder, run_mixed)
}

fn run_mixed(folder: &Folder) -> PathBuf {
    let board = |name: &str| project().join(format!("tests-boards/loyd/{name}.txt")).display().to_string();
    let mut contest = format!(
        "name = \"A mixed contest\"\ngame = \"loyd\"\nlimit = \"10s\"\n\
         [[board]]\nname = \"NEAR\"\nfile = {:?}\n\
         [[board]]\nname = \"FOXY\"\nfile = {:?}\nreconstruction = true\nnote = \"not the board of the final\"\n",
        board("near-end-1"),
        board("foxy"),
    );
    let python = project().join("entries/samples/python/solve.py").display().to_string();
    contest += &entry("python", &["python3", &python]);
    contest += "author = \"Guido\"\nstrategy = \"tile after tile\"\n";
    let shell = project().join("entries/samples/sh/solve.sh").display().to_string();
    contest += &entry("shell", &[&shell]);
    contest += "competing = false\n";
    for (name, script) in [
        ("crash", "echo llu; echo 'lost my way' >&2; exit 3"),
        ("illegal", "echo llu!u"),
        ("silent", "true"),
        ("half", "echo ll"),
    ] {
        folder.script(&format!("{name}.sh"), script);
        contest += &entry(name, &[&format!("./{name}.sh")]);
    }
    folder.script("sleep.sh", "sleep 10");
    contest += &entry("sleep", &["./sleep.sh"]);
    contest += "limits = { limit = \"200ms\" }\n";
    report(folder, &contest)
}

/// Runs a contest whose answers are compared word by word with those of the judge. Returns its page.
pub(crate) fn judged_by_tokens(folder: &Folder) -> PathBuf {
    folder.file("sums.txt", "1 2\n3 4\n");
    folder.file("sums.ans", "3\n7\ndone\n");
    let mut contest = "name = \"Sums\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"tokens\"\n\
                       [[board]]\nname = \"SUMS\"\nfile = \"sums.txt\"\nanswer = \"sums.ans\"\n"
        .to_owned();
    for (name, script) in [("right", "echo 3 7 done"), ("wrong", "echo 3; echo 8; echo done twice")] {
        folder.script(&format!("{name}.sh"), script);
        contest += &entry(name, &[&format!("./{name}.sh")]);
    }
    report(folder, &contest)
}

/// Runs one entry of a puzzle in `contests/` on one board. Returns its page.
pub(crate) fn own_puzzle(folder: &Folder, puzzle: &str, entry: &str, board: &str) -> PathBuf {
    copy_folder(&project().join("contests").join(puzzle), &folder.path().join(puzzle));
    folder.judge(["run", puzzle, "--boards", board, "--entries", entry, "--out", "results"]).exits(0);
    folder.judge(["report", "results"]).exits(0);
    folder.path().join("results/report.html")
}

/// Puts a page into a folder. The first test that needs the page creates it, in its own folder.
pub(crate) fn made_once(name: &'static str, folder: &Folder, make: impl FnOnce(&Folder) -> PathBuf) -> PathBuf {
    type Made = Arc<OnceLock<Vec<u8>>>;
    static PAGES: Mutex<BTreeMap<&str, Made>> = Mutex::new(BTreeMap::new());
    let page = Made::clone(PAGES.lock().unwrap().entry(name).or_default());
    let page = page.get_or_init(|| fs::read(make(&Folder::new())).unwrap());
    folder.file("report.html", page)
}

/// Runs a contest and writes the page of its results.
fn report(folder: &Folder, contest: &str) -> PathBuf {
    folder.file("contest.toml", contest);
    folder.judge(["run", "--out", "results"]).exits(0);
    folder.judge(["report", "results"]).exits(0);
    folder.path().join("results/report.html")
}
