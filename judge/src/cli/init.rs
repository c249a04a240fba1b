//! `judge init`: writes a small commented contest.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::game::known;
use super::{DONE, Done, Failure};
use clap::builder::PossibleValuesParser;
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
  judge init --referee python --talk mine  the same for a puzzle whose referee talks to the entries
  judge init --match python my-game        a game of your own: its referee, and three entries that play each other
  judge init --like pegged my-puzzle       a month of the Programmer Of The Month: rules, boards, entries of two strengths")]
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

    /// Language of a referee to write, for a game of your own in which entries play each other
    #[arg(long = "match", value_enum, value_name = "LANGUAGE", conflicts_with_all = ["referee", "game"])]
    of_match: Option<Language>,

    /// A month of the Programmer Of The Month to start from
    #[arg(long, value_name = "MONTH", value_parser = months(), conflicts_with_all = ["referee", "game", "of_match"])]
    like: Option<String>,
}

/// The months of the Programmer Of The Month, each with its files.
const MONTHS: &[(&str, &[(&str, &str)])] = include!(concat!(env!("OUT_DIR"), "/months.rs"));

/// The names of the months, for the command line.
fn months() -> PossibleValuesParser {
    MONTHS.iter().map(|(name, _)| *name).collect::<Vec<_>>().into()
}

/// The files of a month. Links of its page to other files of the project are removed.
fn like(month: &str) -> Vec<NewFile<'static>> {
    let files = MONTHS.iter().find(|(name, _)| *name == month).map_or(&[][..], |(_, files)| files);
    let text = |name: &str, text: &'static str| match name.ends_with(".md") {
        true => without_links_up(text).into(),
        false => text.into(),
    };
    files.iter().map(|&(name, contents)| (name.to_owned(), text(name, contents), false)).collect()
}

/// A page without its links to files outside its folder; their texts stay.
fn without_links_up(page: &str) -> String {
    let mut parts = page.split("](../");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(begin) = text.rfind('[') {
            text.remove(begin);
        }
        text += part.split_once(')').map_or("", |(_, rest)| rest);
    }
    text
}

/// A language in which a sample referee exists.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Language {
    Python,
}

/// The contest file, written for the first game.
const CONTEST: &str = include_str!("init/contest.toml");
/// The entry without an answer.
const NOTHING: &str = include_str!("init/nothing.sh");
/// The line with the game's rules in the contest file.
const RULES: &str = "# centre_transport = \"illegal\"     # `t` while the centre is empty: \"illegal\" or \"noop\"";

/// The sample entry of each game: its file and its text. The files are links to `entries/samples`, so that a package of this
/// crate contains them.
const SAMPLES: &[(&str, &str, &str)] = &[
    ("loyd", "solve.sh", include_str!("init/samples/solve.sh")),
    ("ufo", "ufo.py", include_str!("init/samples/ufo.py")),
    ("shift", "shift.py", include_str!("init/samples/shift.py")),
    ("swap", "swap.py", include_str!("init/samples/swap.py")),
    ("hexa-draughts", "hexa_draughts.py", include_str!("init/samples/hexa_draughts.py")),
];

/// A file of the contest: path, text, and true for a program.
type NewFile<'a> = (String, std::borrow::Cow<'a, str>, bool);

/// The files of a contest of this game. The game generates the boards.
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

/// Two boards of a game, the second one harder: generated by moves backwards from the goal, by size, or at random,
/// depending on what the game supports.
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

/// The files of a puzzle whose referee is a Python program that talks to the entries.
const PYTHON_TALK_FILES: &[(&str, &str, bool)] = &[
    ("contest.toml", include_str!("init/python-talk/contest.toml"), false),
    ("referee.py", include_str!("init/python-talk/referee.py"), true),
    ("boards/small.txt", "37 100\n", false),
    ("boards/large.txt", "718281828 1000000000\n", false),
    ("entries/sample.py", include_str!("init/python-talk/sample.py"), true),
];

/// The files of a game whose referee is a Python program.
const PYTHON_MATCH_FILES: &[(&str, &str, bool)] = &[
    ("contest.toml", include_str!("init/python-match/contest.toml"), false),
    ("referee.py", include_str!("init/python-match/referee.py"), true),
    ("boards/short.txt", "10\n", false),
    ("boards/long.txt", "31\n", false),
    ("entries/perfect.py", include_str!("init/python-match/perfect.py"), true),
    ("entries/greedy.py", include_str!("init/python-match/greedy.py"), true),
    ("entries/random_player.py", include_str!("init/python-match/random_player.py"), true),
];

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let sample = match (self.referee, self.of_match) {
            (_, Some(Language::Python)) => Some(PYTHON_MATCH_FILES),
            (Some(Language::Python), None) if self.talk => Some(PYTHON_TALK_FILES),
            (Some(Language::Python), None) => Some(PYTHON_FILES),
            (None, None) => None,
        };
        let own = |(path, text, program): &(&str, &'static str, bool)| ((*path).to_owned(), (*text).into(), *program);
        let files = match sample {
            None if self.like.is_some() => like(&self.like.unwrap_or_default()),
            None => files_of(games::find(&self.game).expect("the command line accepts known games only"))?,
            Some(files) => files.iter().map(own).collect(),
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
                // Files of a failed attempt would make the next one fail.
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
        report_missing(&files);
        let directory = shell_words::quote(&self.directory.to_string_lossy()).into_owned();
        writeln!(out, "next: judge run {directory}")?;
        writeln!(out, "for a program of yours: judge try {}", tried(&files, &directory))?;
        Ok(DONE)
    }
}

/// The arguments of the command that tries a program in a contest of these files: on its boards, or against its first entry.
fn tried(files: &[NewFile<'_>], directory: &str) -> String {
    let contest = files.iter().find(|(path, ..)| path == "contest.toml").map_or("", |(_, text, _)| text);
    let entry = contest.split_once("\n[[entry]]\nname = \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
    match entry.filter(|_| contest.contains("\n[match]\n")) {
        Some(entry) => format!("--contest {directory} --against {entry} -- ./my-player"),
        None => format!("{directory} -- ./my-solver"),
    }
}

/// Reports the interpreters of written programs that are not installed.
#[cfg(feature = "sandbox")]
fn report_missing(files: &[NewFile<'_>]) {
    let path = super::environment("PATH").unwrap_or_default();
    let mut missing: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    for (name, text, _) in files.iter().filter(|(.., program)| *program) {
        let interpreter = text.strip_prefix("#!/usr/bin/env ").and_then(|rest| rest.split_whitespace().next());
        if let Some(interpreter) = interpreter.filter(|interpreter| !judge_job::on_path(path.as_ref(), interpreter)) {
            missing.entry(interpreter).or_default().push(name);
        }
    }
    for (interpreter, programs) in missing {
        super::notice(format!("{interpreter} is not on the PATH, and {} needs it; install it", programs.join(", ")));
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

/// Does nothing: on this system, a file's name decides whether it can be executed.
#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loses_its_links_to_other_folders_alone() {
        let page = "See [sources](../README.md) and [referees](../../../docs/referees.md#interaction), [boards](boards/a.txt).";
        assert_eq!(without_links_up(page), "See sources and referees, [boards](boards/a.txt).");
        assert!(MONTHS.len() >= 13);
        for (month, _) in MONTHS {
            let files = like(month);
            for name in ["contest.toml", "referee.py", "README.md"] {
                assert!(files.iter().any(|(path, ..)| path == name), "{month}: {name}");
            }
            assert!(files.iter().filter(|(path, ..)| path.starts_with("entries/")).count() >= 2, "{month}");
            assert!(files.iter().all(|(_, text, _)| !text.contains("](../")), "{month}");
        }
    }

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
