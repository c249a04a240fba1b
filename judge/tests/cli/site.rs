//! A running `judge serve`, for tests of the command and of its pages in a browser.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::ChildStdout;

use crate::support::*;

/// How long anything may take on a machine under load.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);
/// A program in C that solves the board of the contest.
pub(crate) const SOLVES: &str = "int puts(const char*); int main() { puts(\"lluu\"); return 0; }";

/// A contest of one board with an entry that solves it, and its teams with their tokens.
pub(crate) fn club(teams: &[&str]) -> (Folder, Vec<String>) {
    let folder = Folder::new();
    folder.script("club/own.sh", "echo lluu");
    folder.file("club/near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.file("club/contest.toml", contest(&[("NEAR", "near.txt")]) + &entry("house", &["./own.sh"]));
    let added = folder.judge(["team", "add", "club"].into_iter().chain(teams.iter().copied())).exits(0).stdout;
    (folder, tokens_of(&added))
}

/// The tokens of the links that a command printed, one a line.
pub(crate) fn tokens_of(printed: &str) -> Vec<String> {
    printed.lines().map(|line| line.split_once('#').unwrap().1.to_owned()).collect()
}

/// Makes the club a contest of several problems, given by identifiers and titles, each with the board of the club.
pub(crate) fn several(folder: &Folder, title: &str, problems: &[(&str, &str)]) {
    let problem = |(id, name): &(&str, &str)| {
        format!(
            "[[problem]]\nid = \"{id}\"\nname = \"{name}\"\ngame = \"loyd\"\n[[problem.board]]\nname = \"NEAR\"\nfile = \"near.txt\"\n"
        )
    };
    let problems: String = problems.iter().map(problem).collect();
    let head = format!("name = \"{title}\"\nlimit = \"10s\"\n");
    folder.file("club/contest.toml", head + &problems + &entry("house", &["./own.sh"]));
}

/// A server of the contest `club` on its own port.
pub(crate) struct Site {
    pub(crate) judge: Child,
    out: BufReader<ChildStdout>,
    /// Address and port, as in a URL.
    pub(crate) address: String,
    /// The organiser's token, if it was printed.
    pub(crate) organiser: Option<String>,
}

impl Drop for Site {
    fn drop(&mut self) {
        // A failed test leaves none behind; one that has ended is no error.
        self.judge.kill().ok();
        self.judge.wait().ok();
    }
}

impl Site {
    pub(crate) fn start(folder: &Folder, options: &[&str]) -> Self {
        let log = std::fs::File::options().create(true).append(true).open(folder.path().join("access.log")).unwrap();
        Self::started_by(folder, &[], options, log.into())
    }

    /// The server, started by another command, with its standard error at `stderr`.
    pub(crate) fn started_by(folder: &Folder, by: &[&str], options: &[&str], stderr: Stdio) -> Self {
        let access = std::fs::read(folder.path().join("club/office/access.json"));
        let access = access.map_or_else(|_| json!({}), |access| serde_json::from_slice(&access).unwrap());
        // The organiser has no token yet, so one is printed.
        let is_first = access["organisers"].as_object().is_none_or(serde_json::Map::is_empty);
        let mut judge = Command::new("env");
        // The shell of the tests may ignore signals.
        judge.arg("--default-signal").args(by);
        judge.args([env!("CARGO_BIN_EXE_judge"), "serve", "--listen", "127.0.0.1:0"]);
        judge.arg("club").args(options).current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut judge = judge.stderr(stderr).spawn().unwrap();
        let mut out = BufReader::new(judge.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            line.trim().to_owned()
        };
        let url = line();
        let address = url.strip_prefix("http://").unwrap_or_else(|| panic!("{}", folder.read("access.log"))).to_owned();
        let organiser = is_first.then(line);
        let organiser = organiser.map(|line| line.split_once("/enter#").unwrap().1.to_owned());
        Self { judge, out, address, organiser }
    }

    /// Ends it by SIGTERM and returns what it printed last.
    pub(crate) fn stop(mut self) -> String {
        let id = self.judge.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        assert_eq!(self.judge.wait().unwrap().code(), Some(0), "{rest}");
        rest
    }
}
