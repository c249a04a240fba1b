//! Turns an upload into an entry of the contest: its files in a separate folder, and the commands that build and run
//! it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use judge_contest::office::ANSWERS;
use judge_contest::uploaded_answers;
use judge_core::figure::Source;
use judge_core::plan::{Entry, Plan, StoredFile};
use judge_files::Folder;
use judge_package::{Language, Languages, Program, Tool};

use crate::intake::{self, SourceFile, Unacceptable};
use crate::office::ENTRIES;
use crate::state::Submission;
use crate::{Office, OfficeError};

/// The code of a program that needs no language.
pub const EXECUTABLE: &str = "executable";

/// An entry whose files are in its folder.
pub(crate) struct PreparedEntry {
    pub(crate) entry: Entry,
    /// The needs of its build, as in the table `[build]` of contest files.
    pub(crate) environment: Vec<String>,
    pub(crate) readable: Vec<String>,
    /// Its answers, if it is not a program, and their places.
    pub(crate) answers: Vec<(StoredFile, PathBuf)>,
}

impl PreparedEntry {
    fn program(entry: Entry) -> Self {
        Self { entry, environment: Vec::new(), readable: Vec::new(), answers: Vec::new() }
    }
}

/// Tests whether files are a single program that runs by itself: it has a known format, or is a script that names its
/// interpreter.
fn is_executable(files: &[SourceFile], language: Option<&str>, languages: &Languages) -> bool {
    let [file] = files else { return false };
    let begins = file.bytes.starts_with(b"\x7fELF") || file.bytes.starts_with(b"#!");
    begins && (language == Some(EXECUTABLE) || (language.is_none() && recognised(files, languages).is_none()))
}

impl Office {
    /// The code of a submission's language: `executable` for a program that needs none, `answers` for answers.
    ///
    /// # Errors
    /// [`OfficeError::Io`].
    pub fn language_of(&self, submission: &Submission) -> Result<String, OfficeError> {
        if let Some(language) = submission.language.as_ref().or(submission.recognised.as_ref()) {
            return Ok(language.clone());
        }
        let bytes = self.upload(&submission.sha256)?;
        Ok(self.recognise(&intake::files(&submission.file, &bytes).unwrap_or_default().files))
    }

    /// The code of the language that follows from files.
    pub(crate) fn recognise(&self, files: &[intake::SourceFile]) -> String {
        let other = if self.answers { ANSWERS } else { EXECUTABLE };
        recognised(files, &self.languages).unwrap_or_else(|| other.to_owned())
    }

    /// The allowed languages that this machine can build and run, including answers if they are allowed.
    pub fn languages(&self) -> Vec<Language> {
        let mut codes = std::collections::HashSet::new();
        let usable = |language: &&Language| language.check_installed(&|program| self.has(program)).is_ok();
        // Several kinds of files can share a code.
        let usable =
            self.languages.all().iter().filter(usable).filter(|language| codes.insert(&language.code)).cloned();
        usable.chain(self.answers.then(answers_as_language)).collect()
    }
}

/// The code of the language that follows from the files.
fn recognised(files: &[SourceFile], languages: &Languages) -> Option<String> {
    let first = |file: &SourceFile| {
        let line = file.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(line).into_owned()
    };
    let firsts: Vec<String> = files.iter().map(first).collect();
    let named: Vec<(&str, &str)> = files.iter().zip(&firsts).map(|(file, first)| (&*file.path, &**first)).collect();
    languages.for_files(&named).map(|language| language.code.clone())
}

/// Answers as an additional language, for people and clients. Nothing is built or executed for it.
fn answers_as_language() -> Language {
    let endings = [".zip", ".tar.gz", ".tgz"].map(str::to_owned).to_vec();
    Language::new(ANSWERS.into(), "Answers".into(), endings, Tool::new(Vec::new(), None, Vec::new()))
}

/// Tests whether files are answers, if the contest allows those: the upload says so, or the files are in no known language.
fn are_answers(files: &[SourceFile], language: Option<&str>, office: &Office) -> bool {
    let unsaid = || language.is_none() && recognised(files, &office.languages).is_none();
    office.answers && (language == Some(ANSWERS) || unsaid())
}

/// Checks that files are a program that this machine can build and run, or answers.
pub(crate) fn check(files: &[SourceFile], language: Option<&str>, office: &Office) -> Result<(), Unacceptable> {
    let languages = &office.languages;
    if are_answers(files, language, office) {
        return Ok(());
    }
    if is_executable(files, language, languages) {
        return Ok(());
    }
    if language == Some(EXECUTABLE) {
        return Err(Unacceptable(
            "an executable is one file that begins with #! or is a program of this system".into(),
        ));
    }
    let code = language.map(str::to_owned).or_else(|| recognised(files, languages));
    let Some(code) = code else {
        let names: Vec<&str> = files.iter().map(|file| &*file.path).take(5).collect();
        return Err(Unacceptable(format!("no known language has files such as {}; name one", names.join(", "))));
    };
    let known = languages.find(&code).ok_or_else(|| Unacceptable(format!("unknown language `{code}`")))?;
    known.check_installed(&|program| office.has(program)).map_err(|unusable| Unacceptable(unusable.to_string()))
}

/// Checks that an entry point is one of these files, or a class in one of them. The commands would ignore any other one.
pub(crate) fn check_entry_point(files: &[SourceFile], entry_point: &str) -> Result<(), Unacceptable> {
    let declares = |file: &SourceFile| {
        let text = String::from_utf8_lossy(&file.bytes);
        let words = text.split(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter)));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words
            .windows(2)
            .any(|pair| ["class", "object", "enum", "record", "interface"].contains(&pair[0]) && pair[1] == entry_point)
    };
    let known = |file: &SourceFile| Program::is_named_by(&file.path, entry_point) || declares(file);
    match files.iter().any(known) {
        true => Ok(()),
        false => Err(Unacceptable(format!("unknown entry point `{entry_point}`; name a file or a class of yours"))),
    }
}

/// The entry of a submission with this command, which runs on the boards of its problem.
pub(crate) fn entry_of(submission: &Submission, command: Vec<String>, plan: &Plan) -> Entry {
    let mut entry = Entry::new(submission.entry(), command);
    // The contest file may have been changed before the contest began.
    if plan.problems.are_named() && plan.problems.with_id(&submission.problem).is_some() {
        entry.problems = vec![submission.problem.clone()];
        entry.team = Some(submission.team.clone());
    }
    entry
}

/// The folder of a submission's entry, relative to the contest file.
pub(crate) fn folder_of(submission: &Submission) -> String {
    format!("{}/{ENTRIES}/{}", crate::FOLDER, submission.entry())
}

/// Removes the folder of a submission's entry. An interrupted build may have left folders in it that are inaccessible or
/// nested deeper than any path.
pub(crate) fn remove(office: &Office, submission: &Submission) -> io::Result<()> {
    judge_files::remove_all(&office.folder.join(ENTRIES).join(submission.entry()))
}

/// Writes the files of a submission into a new folder and returns its entry. Files of an earlier build are removed.
pub(crate) fn prepare(
    office: &Office,
    submission: &Submission,
    files: &[SourceFile],
    plan: &Plan,
) -> io::Result<Result<PreparedEntry, Unacceptable>> {
    let Some(problem) = plan.problems.with_id(&submission.problem) else {
        return Ok(Err(Unacceptable(format!("the contest has no problem `{}`", submission.problem))));
    };
    let (language, limits) = (submission.language.as_deref(), &problem.limits);
    let (name, inner) = (submission.entry(), folder_of(submission));
    let at = office.folder.join(ENTRIES).join(&name);
    let answers = are_answers(files, language, office);
    // Recorded only if the contest has a figure for it.
    let sized = plan.scoring.iter().flat_map(|scoring| &scoring.figures).any(|figure| figure.from == Source::Size);
    let size = sized.then(|| files.iter().map(|file| file.bytes.len() as u64).sum());
    let executable = !answers && is_executable(files, language, &office.languages);
    match remove(office, submission) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir(&at)?,
    }
    let folder = Folder::open(&at)?;
    for file in files {
        if let Some((above, _)) = file.path.rsplit_once('/') {
            folder.create_folders(above)?;
        }
        // The file must not exist yet, not even as a link.
        let mut written = folder.create_new(&file.path)?;
        written.write_all(&file.bytes)?;
        if executable {
            written.set_permissions(fs::Permissions::from_mode(0o755))?;
        }
    }
    if answers {
        // Inside a problem, boards have their short names.
        let before = if problem.id.is_empty() { String::new() } else { format!("{}/", problem.id) };
        let boards = plan.boards.iter().filter_map(|board| board.name.strip_prefix(&before)).map(str::to_owned);
        let boards: Vec<String> = boards.collect();
        let answers = match uploaded_answers(files, &at, &boards) {
            Ok(answers) => answers,
            Err(reason) => return Ok(Err(Unacceptable(reason.to_string()))),
        };
        let mut entry = entry_of(submission, Vec::new(), plan);
        entry.strategy = Some("answers".into());
        let stored = answers.iter().map(|(board, (stored, _))| (format!("{before}{board}"), stored.clone()));
        entry.answers = Some(stored.collect());
        return Ok(Ok(PreparedEntry { answers: answers.into_values().collect(), ..PreparedEntry::program(entry) }));
    }
    if executable {
        let mut entry = entry_of(submission, vec![format!("{inner}/{}", files[0].path)], plan);
        entry.size = size;
        entry.folder = Some(inner);
        return Ok(Ok(PreparedEntry::program(entry)));
    }
    let sources = files.iter().map(|file| (file.path.clone(), at.join(&file.path))).collect();
    let memory = limits.memory_bytes.unwrap_or(DEFAULT_MEMORY) >> 20;
    let commands = match Program::new(&name, sources).commands_in(
        &office.languages,
        language,
        submission.entry_point.as_deref(),
        &inner,
        memory,
        &|program| office.has(program),
    ) {
        Ok(commands) => commands,
        Err(unusable) => return Ok(Err(Unacceptable(unusable.to_string()))),
    };
    let mut entry = entry_of(submission, commands.run, plan);
    entry.size = size;
    entry.strategy = Some(commands.language);
    (entry.build, entry.readable) = (commands.build, vec![inner.clone()]);
    entry.folder = Some(inner);
    if commands.memory > 0 {
        // The runtime needs memory in addition to the program's.
        let more = |bytes: u64| bytes.saturating_add(commands.memory << 20);
        entry.limits = Some(limits.with_memory_bytes(limits.memory_bytes.map(more)));
    }
    Ok(Ok(PreparedEntry {
        environment: commands.environment,
        readable: commands.readable,
        ..PreparedEntry::program(entry)
    }))
}

/// The memory that runtimes get if the contest does not limit it.
const DEFAULT_MEMORY: u64 = 1 << 30;
