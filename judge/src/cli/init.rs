//! `judge init`: writes a small commented contest.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::game::known;
use super::{DONE, Done, Failure};
use judge_core::game::{Game, GameInfo, GeneratorSpec, HouseRules};
use judge_core::games;

/// Create a small commented contest, ready to run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge init my-contest
  judge run my-contest
  judge init my-contest --game ufo         boards of another game, and a sample entry for it
  judge init --referee python my-puzzle    a puzzle of your own: rules, boards and pictures in one file
  judge init --referee python --talk mine  the same for a puzzle whose referee talks to the entries")]
pub(super) struct Args {
    /// Folder for the contest, created if missing; existing files are never overwritten
    directory: PathBuf,

    /// The game
    #[arg(long, default_value = games::GAMES[0].name, value_parser = known(), conflicts_with = "referee")]
    game: String,

    /// Language of a referee to write, for a puzzle of your own
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    referee: Option<Language>,

    /// Write a referee that answers questions of the entries while they run
    #[arg(long, requires = "referee")]
    talk: bool,
}

/// A language that there is a sample referee in.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Language {
    Python,
}

/// The contest file; it is one of the first game.
const CONTEST: &str = include_str!("init/contest.toml");
/// The entry without an answer.
const NOTHING: &str = include_str!("init/nothing.sh");
/// The line with the game's rules in the contest file.
const RULES: &str = "# centre_transport = \"illegal\"     # `t` while the centre is empty: \"illegal\" or \"noop\"";

/// The sample entry of each game: its file and its text. The files are links to `entries/samples`, so that a package of this
/// crate has them.
const SAMPLES: &[(&str, &str, &str)] = &[
    ("loyd", "solve.sh", include_str!("init/samples/solve.sh")),
    ("ufo", "ufo.py", include_str!("init/samples/ufo.py")),
    ("shift", "shift.py", include_str!("init/samples/shift.py")),
    ("swap", "swap.py", include_str!("init/samples/swap.py")),
    ("hexa-draughts", "hexa_draughts.py", include_str!("init/samples/hexa_draughts.py")),
];

/// A file of the contest: path, text, and whether it is a program.
type NewFile<'a> = (String, std::borrow::Cow<'a, str>, bool);

/// The files of a contest of this game. Boards are made as the game makes them.
fn files_of(kind: &GameInfo) -> Result<Vec<NewFile<'static>>, Failure> {
    let game = (kind.open)(&HouseRules::default()).map_err(Failure::judge)?;
    let (_, program, sample) = SAMPLES
        .iter()
        .find(|(game, ..)| *game == kind.name)
        .ok_or_else(|| Failure::judge(format!("there is no sample entry for {}", kind.name)))?;
    let own = [include_str!("init/easy.txt"), include_str!("init/harder.txt")].map(str::to_owned);
    let boards =
        if game.parse(own[0].as_bytes()).is_ok() { own } else { two_boards(&*game).map_err(Failure::judge)? };
    let contest = CONTEST
        .replace("game = \"loyd\"", &format!("game = \"{}\"", kind.name))
        .replace("entries/solve.sh", &format!("entries/{program}"))
        .replace(RULES, &format!("# {}", kind.rules_help));
    let [easy, harder] = boards;
    let file = |path: &str, text: String, program| (path.to_owned(), text.into(), program);
    Ok(vec![
        file("contest.toml", contest, false),
        file("boards/easy.txt", easy, false),
        file("boards/harder.txt", harder, false),
        (format!("entries/{program}"), (*sample).into(), true),
        ("entries/nothing.sh".into(), NOTHING.into(), true),
    ])
}

/// Two boards of a game, the second one harder: made by moves backwards from the goal, of a size, or at random, as the
/// game can.
fn two_boards(game: &dyn Game) -> Result<[String; 2], String> {
    let specs = [
        [4, 12].map(|moves| GeneratorSpec::Scramble { moves, seed: 1 }),
        [2, 3].map(GeneratorSpec::Size),
        [1, 2].map(|seed| GeneratorSpec::Random { seed, pieces: None }),
    ];
    let mut refused = String::new();
    for [easy, harder] in specs {
        match game.make(&easy).and_then(|easy| Ok([easy, game.make(&harder)?])) {
            Ok(boards) => return Ok(boards),
            Err(error) => refused = error.to_string(),
        }
    }
    Err(refused)
}

/// The files of a puzzle whose referee is a Python program.
const PYTHON_FILES: &[(&str, &str, bool)] = &[
    ("contest.toml", include_str!("init/python/contest.toml"), false),
    ("referee.py", include_str!("init/python/referee.py"), true),
    ("boards/first.txt", "3 1 2\n", false),
    ("boards/second.txt", "31 4 15 92 65 35 89 79\n", false),
    ("entries/sample.py", include_str!("init/python/sample.py"), true),
];

/// The same of a puzzle whose referee talks to the entries.
const PYTHON_TALK_FILES: &[(&str, &str, bool)] = &[
    ("contest.toml", include_str!("init/python-talk/contest.toml"), false),
    ("referee.py", include_str!("init/python-talk/referee.py"), true),
    ("boards/small.txt", "37 100\n", false),
    ("boards/large.txt", "718281828 1000000000\n", false),
    ("entries/sample.py", include_str!("init/python-talk/sample.py"), true),
];

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let files = match self.referee {
            None => files_of(games::find(&self.game).expect("the command line accepts known games only"))?,
            Some(Language::Python) => (if self.talk { PYTHON_TALK_FILES } else { PYTHON_FILES })
                .iter()
                .map(|(path, text, program)| ((*path).to_owned(), (*text).into(), *program))
                .collect(),
        };
        if let Some(file) = self.directory.ancestors().find(|path| path.is_file()) {
            return Err(Failure::input(format!("{}: is a file; name another folder", file.display())));
        }
        let taken = files.iter().map(|(name, ..)| self.directory.join(name)).find(|path| path.exists());
        if let Some(path) = taken {
            return Err(Failure::input(format!("{}: already exists; name another folder", path.display())));
        }
        for (number, (name, text, program)) in files.iter().enumerate() {
            let path = self.directory.join(name);
            write_new(&path, text, *program).map_err(|error| {
                // A second attempt would be refused because of what the first one left.
                let own = number + usize::from(error.kind() != io::ErrorKind::AlreadyExists);
                for (name, ..) in &files[..own] {
                    fs::remove_file(self.directory.join(name)).ok();
                }
                let folder = self.directory.display();
                Failure::making(&error, format!("{}: {error}; name another folder than {folder}", path.display()))
            })?;
            writeln!(out, "wrote {}", path.display())?;
        }
        #[cfg(feature = "sandbox")]
        say_missing(&files);
        let directory = shell_words::quote(&self.directory.to_string_lossy()).into_owned();
        writeln!(out, "next: judge run {directory}")?;
        Ok(DONE)
    }
}

/// Says which interpreters of the programs that were written are not installed.
#[cfg(feature = "sandbox")]
fn say_missing(files: &[NewFile<'_>]) {
    let path = super::environment("PATH").unwrap_or_default();
    let mut missing: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    for (name, text, _) in files.iter().filter(|(.., program)| *program) {
        let interpreter = text.strip_prefix("#!/usr/bin/env ").and_then(|rest| rest.split_whitespace().next());
        if let Some(interpreter) = interpreter.filter(|interpreter| !judge_job::on_path(path.as_ref(), interpreter)) {
            missing.entry(interpreter).or_default().push(name);
        }
    }
    for (interpreter, programs) in missing {
        super::say(&format!(
            "notice: {interpreter} is not on the PATH, and {} needs it; install it",
            programs.join(", ")
        ));
    }
}

fn write_new(path: &Path, text: &str, program: bool) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    if program { make_executable(&file) } else { Ok(()) }
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

/// Elsewhere a file's name decides whether it can be executed.
#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_contest_to_start_from() {
        for kind in games::GAMES {
            let files = files_of(kind).unwrap_or_else(|failure| panic!("{}: {:?}", kind.name, failure.message));
            let text = |name: &str| &files.iter().find(|(path, ..)| path == name).unwrap().1;
            let game = (kind.open)(&HouseRules::default()).unwrap();
            let [easy, harder] = ["boards/easy.txt", "boards/harder.txt"].map(text);
            assert!(game.parse(easy.as_bytes()).is_ok() && game.parse(harder.as_bytes()).is_ok(), "{}", kind.name);
            assert_ne!(easy, harder, "{}", kind.name);
            assert!(text("contest.toml").contains(&format!("\ngame = \"{}\"\n", kind.name)));
        }
        assert!(CONTEST.contains(RULES), "the line that is replaced");
        assert!(SAMPLES.iter().all(|(.., text)| text.starts_with("#!")), "a checkout without links");
    }
}
