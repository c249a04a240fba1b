//! `judge boards`: makes, draws and checks boards.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use super::game::{GameArgs, puzzle};
use super::{BAD_INPUT, DONE, Done, Failure};
use judge_core::game::{Generator, GeneratorError, GeneratorSpec};
use judge_report::describe;

/// Make, show and check board files
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Make(MakeArgs),
    /// Draw boards
    #[command(after_help = "\
Example:
  judge boards show tests-boards/loyd/trap.txt")]
    Show(Files),
    /// Check board files; exit code 2 if one is invalid
    #[command(after_help = "\
Example:
  judge boards check tests-boards/loyd/*.txt")]
    Check(Files),
}

/// Make a new board: from a phrase, at random, by moves backwards from the goal, or of a size
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge boards make --phrase \"the quick brown fox jumps over the lazy dog\"
  judge boards make --random --seed 7 -o random-7.txt
  judge boards make --scramble 12 --seed 7
  judge boards make --game ufo --random --pieces 2-4 --seed 7
  judge boards make --game swap --size 5

--random and --scramble need --seed. The same options and seed always give the same board. Games support different \
options; for others, `judge` lists those that the game has.
A board from --scramble N has an answer of at most N moves.")]
pub(super) struct MakeArgs {
    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    recipe: RecipeArgs,

    /// Pieces of a random board, in the game's notation, such as `2-4` in ufo
    #[arg(long, value_name = "WHAT", requires = "random")]
    pieces: Option<String>,

    /// Seed for --random and --scramble, which need one
    #[arg(long, value_name = "N", conflicts_with_all = ["phrase", "size"])]
    seed: Option<u64>,

    /// Write this new file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct RecipeArgs {
    /// The letters of TEXT in the order of their first appearance, then the unused ones
    #[arg(long, value_name = "TEXT")]
    phrase: Option<String>,

    /// A random board of the game
    #[arg(long, requires = "seed")]
    random: bool,

    /// Number of random moves backwards from the goal
    #[arg(long, value_name = "MOVES", requires = "seed")]
    scramble: Option<u32>,

    /// The board of this size, in games with one board per size
    #[arg(long, value_name = "N")]
    size: Option<u32>,
}

/// Board files of a game
#[derive(Debug, clap::Args)]
pub(super) struct Files {
    #[command(flatten)]
    game: GameArgs,

    /// Board files; with --contest also names of its boards
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
}

impl Command {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        match self {
            Self::Make(args) => args.execute(out),
            Self::Show(files) => files.show(out),
            Self::Check(files) => files.check(out),
        }
    }
}

impl MakeArgs {
    fn execute(self, out: &mut dyn Write) -> Done {
        let seed = self.seed.unwrap_or_default();
        let recipe = match self.recipe {
            RecipeArgs { phrase: Some(phrase), .. } => GeneratorSpec::Phrase(phrase),
            RecipeArgs { scramble: Some(moves), .. } => GeneratorSpec::Scramble { moves, seed },
            RecipeArgs { size: Some(size), .. } => GeneratorSpec::Size(size),
            RecipeArgs { random: _, .. } => GeneratorSpec::Random { seed, pieces: self.pieces },
        };
        #[cfg_attr(not(feature = "sandbox"), allow(unused_variables, reason = "without the sandbox it is refused"))]
        let board = match self.game.contest()? {
            #[cfg(feature = "sandbox")]
            Some(contest) if matches!(recipe, GeneratorSpec::Random { pieces: None, .. }) => {
                super::refereed::make(contest, &self.game, seed)?
            }
            Some(_) => {
                return Err(Failure::input("a referee that is a program makes boards with --random --seed N only"));
            }
            None => self.game.open()?.make(&recipe).map_err(|error| Failure::input(unmade(&error)))?.into_bytes(),
        };
        match self.output {
            None => out.write_all(&board)?,
            Some(path) => File::create_new(&path).and_then(|mut file| file.write_all(&board)).map_err(|error| {
                match error.kind() {
                    io::ErrorKind::AlreadyExists => {
                        Failure::input(format!("{}: already exists; name another file", path.display()))
                    }
                    _ => Failure::judge(format!("{}: {error}", path.display())),
                }
            })?,
        }
        Ok(DONE)
    }
}

/// The option that asks for boards made this way.
fn option(generator: Generator) -> &'static str {
    match generator {
        Generator::Phrase => "--phrase",
        Generator::Random => "--random",
        Generator::Pieces => "--pieces",
        Generator::Scramble => "--scramble",
        Generator::Size => "--size",
    }
}

/// The reason why a game does not generate a board, with the options to use.
fn unmade(error: &GeneratorError) -> String {
    match error {
        GeneratorError::Unsupported { game, generator, reason, supported } => {
            let options = supported.iter().map(|(generator, value)| format!("{} {value}", option(*generator)));
            let options: Vec<String> = options.collect();
            format!("{game} does not support {}: {reason}; use {}", option(*generator), options.join(", "))
        }
        GeneratorError::InvalidValue { generator, reason } => format!("{} {reason}", option(*generator)),
        error => error.to_string(),
    }
}

impl Files {
    fn show(&self, out: &mut dyn Write) -> Done {
        #[cfg_attr(not(feature = "sandbox"), allow(unused_variables, reason = "without the sandbox it is refused"))]
        if let Some(contest) = self.game.contest()? {
            #[cfg(feature = "sandbox")]
            return super::refereed::show(contest, &self.game, &self.files, out);
        }
        let kind = self.game.kind();
        let game = self.game.open()?;
        for file in &self.files {
            let (_, puzzle) = puzzle(&*game, file)?;
            let start = puzzle.start();
            let score = start.score();
            let words = kind.figures[0].title();
            writeln!(out, "{}: {} of {} {words}", file.display(), score.progress, score.of)?;
            describe::picture(&start.picture(), out)?;
        }
        Ok(DONE)
    }

    fn check(&self, out: &mut dyn Write) -> Done {
        #[cfg_attr(not(feature = "sandbox"), allow(unused_variables, reason = "without the sandbox it is refused"))]
        if let Some(contest) = self.game.contest()? {
            #[cfg(feature = "sandbox")]
            return super::refereed::check(contest, &self.game, &self.files, out);
        }
        let game = self.game.open()?;
        let mut code = DONE;
        for file in &self.files {
            match puzzle(&*game, file) {
                Ok(_) => writeln!(out, "{}: ok", file.display())?,
                Err(Failure { message, .. }) => {
                    writeln!(out, "{}", message.unwrap_or_default())?;
                    code = BAD_INPUT;
                }
            }
        }
        Ok(code)
    }
}
