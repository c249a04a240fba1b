//! Writes a package as a contest folder: boards with the judge's answers, the referee, and the submissions as entries.

mod entries;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::data::{Case, Data};
use crate::error::PackageError;
use crate::metadata::Objective;
use crate::options::Options;
use crate::program::{Commands, Overrides};
use crate::scores::Scores;
use crate::submissions::Submission;
use crate::text::{NAME_CHARACTERS, list, plain_name, quoted};
use crate::wall_clock::WallClock;
use crate::{Package, Program};
use entries::Entries;
use judge_core::names::{Names, Taken};
use judge_core::text::{controls_output, printable};

/// The folder of validators in a package.
const VALIDATORS: &str = "output_validators";
/// The least output limit of each program of a talk, in MiB. The format limits what a validator writes to files, and
/// problemtools does not limit the output of a submission that talks.
const TALK_MIB: u64 = 256;

/// Calls a checker of CMS as a validator. The outcome that it prints is the share of the points; with a largest outcome as
/// argument, outcomes up to that get all points.
const CMS_CHECKER: &str = r#"# Calls the checker of a task of CMS. The outcome that it prints is the share of the points.
here=$(dirname "$0")
cat >team_output || exit 1
CHECKER "$1" "$2" team_output >outcome 2>message || exit 1
head -n 1 message >"$3/judgemessage.txt"
awk -v most="$4" -v share="$3/score_multiplier.txt" '
NR == 1 {
    if ($0 !~ /^[ \t]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[ \t\r]*$/) code = 1
    else if ($0 + 0 <= 0 || (most != "" && $0 + 0 > most + 0)) code = 43
    else { code = 42; if (most == "" && $0 + 0 != 1) printf "%.6f\n", $0 > share }
}
END { exit NR ? code : 1 }' outcome
"#;

/// The contest folder that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Name of the board of each test case.
    pub boards: Vec<String>,
    /// Submissions that became entries, in the order of the contest file.
    pub entries: Vec<EntryPlan>,
    /// Submissions that cannot be run here.
    pub skipped: Vec<Skipped>,
    /// The wall-clock time of its runs.
    pub clock: WallClock,
}

/// A submission that became an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryPlan {
    /// Name in the contest, usable in tables and as a file.
    pub name: String,
    /// Index of its submission in [`Package::submissions`].
    pub submission: usize,
    /// Name of its language, for people.
    pub language: String,
    /// Code of its language; empty for answers.
    pub code: String,
    /// The file or class that starts it; empty for answers.
    pub entry_point: String,
}

/// A submission that cannot be run here.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Index of the submission in [`Package::submissions`].
    pub submission: usize,
    /// The reason, as a fragment.
    pub reason: String,
}

/// The grader of a package in the folder of a contest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraderPlan {
    /// Its folder, from the contest file.
    pub folder: String,
    /// The shell command that builds it, run in the contest file's folder.
    pub build: Option<String>,
    /// Program and arguments, as in a contest file.
    pub command: Vec<String>,
}

impl Package {
    /// Writes the contest folder, which must not contain anything yet. If that fails, it is empty again.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, or one of the contest cannot be written.
    pub fn write(&self, folder: &Path, options: &Options<'_>) -> Result<Written, PackageError> {
        let refuse = |error: std::io::Error| PackageError::whole(folder, error);
        fs::create_dir_all(folder).map_err(refuse)?;
        if fs::read_dir(folder).map_err(refuse)?.next().is_some() {
            return Err(PackageError::whole(folder, "is not empty; name a new folder"));
        }
        let written = self.write_all(folder, options);
        if written.is_err() {
            empty(folder);
        }
        written
    }

    /// Writes the grader into the folder of a contest that was written; `None` if no program grades.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, or one of the contest cannot be written.
    pub fn write_grader(&self, folder: &Path, options: &Options<'_>) -> Result<Option<GraderPlan>, PackageError> {
        let Some(grader) = &self.grader else { return Ok(None) };
        let inner = "grader".to_owned();
        let commands = self.write_program(grader, ("graders", &inner), folder, options)?;
        Ok(Some(GraderPlan { folder: inner, build: commands.build, command: commands.run }))
    }

    fn write_all(&self, folder: &Path, options: &Options<'_>) -> Result<Written, PackageError> {
        let boards = self.write_boards(folder)?;
        let referee = self.write_referee(folder, options)?;
        let written = self.write_entries(folder, options)?;
        let statement = self.statement.as_ref().map(|source| source.write(&self.files, folder)).transpose()?;
        let text = self.text(options, &boards, referee.as_ref(), &written, statement);
        let file = folder.join("contest.toml");
        fs::write(&file, text).map_err(|error| PackageError::whole(&file, error))?;
        let Entries { entries, skipped, .. } = written;
        Ok(Written { boards, entries, skipped, clock: self.wall_clock() })
    }

    /// Copies inputs, files for submissions and answers, and returns the names of the boards.
    fn write_boards(&self, folder: &Path) -> Result<Vec<String>, PackageError> {
        let below = folder.join("boards");
        fs::create_dir_all(&below).map_err(|error| PackageError::whole(&below, error))?;
        let mut names = UsableNames::default();
        self.data
            .cases
            .iter()
            .map(|case| {
                let name = names.usable(&case.name);
                let target = |ending: &str| below.join(format!("{name}.{ending}"));
                self.files.copy(&case.input, &target("in"))?;
                match &case.answer {
                    Some(answer) => drop(self.files.copy(answer, &target("ans"))?),
                    None => fs::write(target("ans"), "").map_err(|error| PackageError::whole(&target("ans"), error))?,
                }
                if !case.files.is_empty() {
                    let folder = target("files");
                    fs::create_dir(&folder).map_err(|error| PackageError::whole(&folder, error))?;
                    for (name, file) in &case.files {
                        self.files.copy(file, &folder.join(name))?;
                    }
                }
                Ok(name)
            })
            .collect()
    }

    /// Copies the validators and returns their commands; `None` for the default validator. If there are several, a script
    /// runs each of them.
    fn write_referee(&self, folder: &Path, options: &Options<'_>) -> Result<Option<Commands>, PackageError> {
        let several: Vec<Commands> = match self.validators.as_slice() {
            [] => return Ok(None),
            [only] => {
                let commands = self.write_program(only, (VALIDATORS, "referee/validator"), folder, options)?;
                if !self.calls_as_cms {
                    return Ok(Some(commands));
                }
                let script = folder.join("referee/checker.sh");
                let text = CMS_CHECKER.replace("CHECKER", &in_script(&commands));
                fs::write(&script, text).map_err(|error| PackageError::whole(&script, error))?;
                return Ok(Some(Commands { run: vec!["sh".into(), "referee/checker.sh".into()], ..commands }));
            }
            several => {
                let numbered = several.iter().enumerate();
                let write = |(number, one)| {
                    self.write_program(one, (VALIDATORS, &format!("referee/validator-{}", number + 1)), folder, options)
                };
                numbered.map(write).collect::<Result<_, _>>()?
            }
        };
        let script = folder.join("referee/all.sh");
        fs::write(&script, script_of(&several)).map_err(|error| PackageError::whole(&script, error))?;
        let builds: Vec<String> =
            several.iter().filter_map(|one| one.build.clone()).map(|one| format!("({one})")).collect();
        Ok(Some(Commands {
            build: (!builds.is_empty()).then(|| builds.join(" && ")),
            run: vec!["sh".into(), "referee/all.sh".into()],
            memory: several.iter().map(|one| one.memory).max().unwrap_or(0),
            language: "several validators".into(),
            entry_point: String::new(),
            environment: several.iter().flat_map(|one| one.environment.clone()).collect(),
            readable: several.iter().flat_map(|one| one.readable.clone()).collect(),
        }))
    }

    /// Copies a validator or a grader, which is in a folder of the package, to a folder of the contest, and returns its
    /// commands.
    pub(crate) fn write_program(
        &self,
        validator: &Program,
        (kind, inner): (&str, &str),
        folder: &Path,
        options: &Options<'_>,
    ) -> Result<Commands, PackageError> {
        validator.write_tool(&self.files, &self.metadata, &Overrides::default(), (kind, inner), folder, options)
    }

    fn text(
        &self,
        options: &Options<'_>,
        boards: &[String],
        referee: Option<&Commands>,
        entries: &Entries,
        statement: Option<&str>,
    ) -> String {
        let limits = &self.metadata.limits;
        let mut text = String::from("# Made by `judge` from a problem package.\n");
        for fact in &self.metadata.credits {
            writeln!(text, "# {}", fact.replace(controls_output, " ")).expect("text grows");
        }
        let milliseconds = |seconds: f64| format!("{}ms", (seconds * 1000.0).ceil().max(1.0));
        writeln!(text, "\nname = {}\ngame = \"external\"", quoted(&self.metadata.name)).expect("text grows");
        if !self.metadata.interactive {
            text.push_str("input = \"stdin\"\n");
        }
        if let Some(statement) = statement {
            writeln!(text, "statement = {}", quoted(statement)).expect("text grows");
        }
        text.push_str("\n# The package limits CPU time. A program that only waits is ended by the wall-clock limit.\n");
        writeln!(text, "cpu = \"{}\"", milliseconds(options.time_limit)).expect("text grows");
        let wall = self.wall_clock().limit(options.time_limit);
        writeln!(text, "limit = \"{}\"", milliseconds(wall)).expect("text grows");
        let least = if self.metadata.interactive { TALK_MIB } else { 0 };
        let output = limits.output.max(least);
        writeln!(text, "memory = \"{}MiB\"\noutput = \"{output}MiB\"", limits.memory).expect("text grows");
        let (time, memory) = (limits.compilation_time, limits.compilation_memory);
        // The format guarantees a time; a busy machine needs more of it.
        let time = time * 5;
        writeln!(text, "\n[build]\nlimit = \"{time}s\"\nmemory = \"{memory}MiB\"").expect("text grows");
        for (key, words) in [("environment", &entries.environment), ("readable", &entries.readable)] {
            if !words.is_empty() {
                writeln!(text, "{key} = {}", list(&words.iter().cloned().collect::<Vec<_>>())).expect("text grows");
            }
        }
        let scores = self.metadata.scoring.then(|| Scores::from_package(self));
        if let Some(Scores { decimals, .. }) = &scores {
            let better = if self.metadata.objective == Objective::Min { "less" } else { "more" };
            writeln!(text, "\n[[figure]]\nname = \"score\"\nbetter = \"{better}\"\ndecimals = {decimals}")
                .expect("text grows");
        }
        text.push_str("\n[referee]\n");
        match referee {
            None => {
                text.push_str("protocol = \"tokens\"\n");
                let with_floats = |case: &Case| case.validator_args.iter().any(|word| word.ends_with("_tolerance"));
                if self.metadata.legacy_grading && self.data.cases.iter().any(with_floats) {
                    // Only the legacy format has hexadecimal numbers.
                    text.push_str("args = [\"float_hexadecimal\"]\n");
                }
            }
            Some(commands) => {
                writeln!(text, "protocol = \"kattis\"\ncommand = {}", list(&commands.run)).expect("text grows");
                if let Some(build) = &commands.build {
                    writeln!(text, "build = {}", quoted(build)).expect("text grows");
                }
                if self.metadata.interactive {
                    text.push_str("talk = true\n");
                }
                if let Some(passes) = self.metadata.passes {
                    writeln!(text, "passes = {passes}").expect("text grows");
                }
                let time = limits.validation_time;
                // In a talk the validator's output is the input of submissions.
                let output = limits.validation_output.max(least);
                let memory = limits.validation_memory + commands.memory;
                let folder =
                    if self.validators.len() > 1 || self.calls_as_cms { "referee" } else { "referee/validator" };
                writeln!(text, "readable = {}", list(&[folder.to_owned()])).expect("text grows");
                writeln!(text, "limit = \"{time}s\"\nmemory = \"{memory}MiB\"\noutput = \"{output}MiB\"")
                    .expect("text grows");
            }
        }
        for group in scores.iter().flat_map(|scores| &scores.groups) {
            write!(text, "\n{group}").expect("text grows");
        }
        for (index, (case, name)) in self.data.cases.iter().zip(boards).enumerate() {
            let (file, answer) = (format!("boards/{name}.in"), format!("boards/{name}.ans"));
            writeln!(
                text,
                "\n[[board]]\nname = {}\nfile = {}\nanswer = {}",
                quoted(name),
                quoted(&file),
                quoted(&answer)
            )
            .expect("text grows");
            for (key, words) in [("args", &case.validator_args), ("entry_args", &case.args)] {
                if !words.is_empty() {
                    writeln!(text, "{key} = {}", list(words)).expect("text grows");
                }
            }
            if !case.files.is_empty() {
                writeln!(text, "files = {}", list(&[format!("boards/{name}.files")])).expect("text grows");
            }
            if let Some(keys) = scores.as_ref().and_then(|scores| scores.boards.get(&index)) {
                text.push_str(keys);
            }
        }
        for entry in &entries.tables {
            write!(text, "\n{entry}").expect("text grows");
        }
        text
    }
}

/// A script that runs validators in turn, on the same answer and in the same feedback folder. The first one that does not
/// accept decides.
fn script_of(validators: &[Commands]) -> String {
    let mut script = String::from(
        "# Runs every output validator; all must accept.\n\
         here=$(dirname \"$0\")\n\
         cat >team_output || exit 1\n\
         run() { \"$@\" <team_output; code=$?; [ \"$code\" = 42 ] || exit \"$code\"; }\n",
    );
    for validator in validators {
        writeln!(script, "run {} \"$@\"", in_script(validator)).expect("text grows");
    }
    script + "exit 42\n"
}

/// The command of a validator in a script of the folder `referee`, which has its own folder in `$here`.
fn in_script(validator: &Commands) -> String {
    let word = |word: &String| {
        let inside = word.strip_prefix("{dir}/").unwrap_or(word).strip_prefix("referee/");
        inside.map_or_else(
            || shell_words::quote(word).into_owned(),
            |inside| format!("\"$here\"/{}", shell_words::quote(inside)),
        )
    };
    validator.run.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Removes everything in a folder, as far as possible. Failures are ignored, because the error that led here matters
/// more.
fn empty(folder: &Path) {
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = item.file_type().is_ok_and(|kind| kind.is_dir());
        let removed = if is_folder { fs::remove_dir_all(item.path()) } else { fs::remove_file(item.path()) };
        removed.ok();
    }
}

/// Notices on test cases and submissions whose boards or entries cannot have their names, because another name looks the
/// same.
pub(crate) fn alike(data: &Data, submissions: &[Submission]) -> Vec<String> {
    let notices = |what: &str, names: &mut dyn Iterator<Item = &String>| {
        let mut used = UsableNames::default();
        let alike = |name: &String| {
            let (usable, other) = used.usable_beside(name);
            other.map(|other| {
                format!("{}: its {what} is named {usable}, because its name looks like {other}", printable(name))
            })
        };
        names.filter_map(alike).collect::<Vec<_>>()
    };
    let mut all = notices("board", &mut data.cases.iter().map(|case| &case.name));
    all.extend(notices("entry", &mut submissions.iter().map(|submission| &submission.path)));
    all
}

/// Names that contest files allow, each used once.
#[derive(Default)]
struct UsableNames(Names);

impl UsableNames {
    fn usable(&mut self, text: &str) -> String {
        self.usable_beside(text).0
    }

    /// A usable name for `text`, and the earlier name that looks like the plain one, if there is one.
    fn usable_beside(&mut self, text: &str) -> (String, Option<String>) {
        let plain = plain_name(text);
        let plain = plain.trim_start_matches(['.', '-']);
        // Endings distinguish names, so a long name is shortened at its beginning.
        let skip = plain.chars().count().saturating_sub(NAME_CHARACTERS - 8);
        let base: String = plain.chars().skip(skip).collect();
        let base = match base.trim_start_matches(['.', '-']) {
            "" => "unnamed".to_owned(),
            base => base.to_owned(),
        };
        let mut name = base.clone();
        let (mut number, mut first) = (2, None);
        while let Err(Taken(other)) = self.0.insert(&name) {
            first.get_or_insert(other);
            name = format!("{base}-{number}");
            number += 1;
        }
        (name, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usable_name_is_used_once() {
        let mut names = UsableNames::default();
        assert_eq!(names.usable("secret/group 1/01"), "secret.group_1.01");
        assert_eq!(names.usable("secret/group_1/01"), "secret.group_1.01-2");
        assert_eq!(names.usable("SECRET/group_1/01"), "SECRET.group_1.01-3");
        assert_eq!(names.usable("\u{200b}secret/group_1/0\u{2460}"), "secret.group_1.01-4");
        assert_eq!(names.usable("/.-"), "unnamed");
        let long = names.usable(&format!("accepted/{}.cc", "x".repeat(100)));
        assert!(long.chars().count() <= NAME_CHARACTERS && long.ends_with("x.cc"), "{long}");
    }
}
