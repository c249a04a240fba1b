//! A program of a package, and the commands that build and run it here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::PackageError;
use crate::files::Files;
use crate::language::{Language, Languages, UnusableProgram};
use crate::metadata::{Metadata, with_constants};
use crate::options::Options;
use crate::python::is_python_2;
use crate::streams::Streams;

/// The largest source file, in bytes. Larger files are copied unchanged, without being searched.
const MAX_SOURCE_BYTES: u64 = 4 << 20;

/// A submission or a validator: its files.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Program {
    /// Name of its file or folder, such as `slow.cc`.
    pub name: String,
    /// Its files, by their paths below its folder.
    pub files: Vec<(String, PathBuf)>,
    /// The file or class that starts it, if neither the files nor the package decide.
    pub(crate) main: Option<String>,
    /// The files that it reads and writes as a submission to a task of CMS; `None` for other programs.
    pub(crate) streams: Option<Streams>,
    /// True if it may be in an older version of its language, which is then tried first.
    pub(crate) older: bool,
}

/// The commands of a program whose files are in a folder of the contest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Commands {
    /// Shell command, run in the contest file's folder.
    pub build: Option<String>,
    /// Program and arguments that start it, without those that the judge adds.
    pub run: Vec<String>,
    /// Memory for its runtime besides the limit, in MiB.
    pub memory: u64,
    /// Name of the language for people.
    pub language: String,
    /// The file or class that starts it.
    pub entry_point: String,
    /// Environment variables that its build needs, see [`crate::Tool`].
    pub environment: Vec<String>,
    /// Files and folders that its build reads, see [`crate::Tool`].
    pub readable: Vec<String>,
}

/// What a package says of one program, instead of what its files say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Overrides {
    /// Code of its language; `None` if the files decide.
    pub(crate) language: Option<String>,
    /// File or class that starts it; `None` if the files decide.
    pub(crate) entry_point: Option<String>,
}

/// The purpose of the programs in a folder of a package.
fn role(folder: &str) -> &str {
    let name = folder.split('/').next().unwrap_or(folder);
    match name.trim_end_matches('s') {
        "output_validator" => "output validator",
        "input_validator" | "input_format_validator" => "input validator",
        "static_validator" => "static validator",
        "generator" => "generator",
        "grader" => "grader",
        "submission" => "solution that makes answers",
        _ => "program",
    }
}

/// The reason why a program cannot be used here, as a fragment.
pub(crate) type Unusable = String;

impl Program {
    /// A program with its name and its files, each with its path below the program's folder and its present path.
    pub fn new(name: impl Into<String>, files: Vec<(String, PathBuf)>) -> Self {
        Self { name: name.into(), files, main: None, streams: None, older: false }
    }

    /// The commands that build and run a program whose files are in `folder`, a path relative to the contest file without
    /// characters that need quoting. `language` is a code of the table; without it, the files decide. `entry_point` is the
    /// file or class that starts the program; without it, it is searched for. `memory` is the limit in MiB, and `has` tests
    /// whether this machine has a program.
    ///
    /// # Errors
    /// [`UnusableProgram`] if its language is unknown or not installed.
    pub fn commands_in(
        &self,
        languages: &Languages,
        language: Option<&str>,
        entry_point: Option<&str>,
        folder: &str,
        memory: u64,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<Commands, UnusableProgram> {
        let overrides =
            Overrides { language: language.map(str::to_owned), entry_point: entry_point.map(str::to_owned) };
        let language = self.language(languages, &overrides).map_err(UnusableProgram)?;
        self.commands(language, &overrides, &Included::default(), folder, memory, has).map_err(UnusableProgram)
    }

    pub(crate) fn read(files: &Files, path: &Path) -> Result<Self, PackageError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::new(name, files.program(path)?))
    }

    /// Copies the files to a folder, with constants replaced in text.
    pub(crate) fn copy(
        &self,
        files: &Files,
        folder: &Path,
        constants: &BTreeMap<String, String>,
    ) -> Result<(), PackageError> {
        for (name, file) in &self.files {
            let target = folder.join(name);
            let refuse = |error: std::io::Error| PackageError::whole(&target, error);
            fs::create_dir_all(target.parent().unwrap_or(folder)).map_err(refuse)?;
            let bytes = files.copy(file, &target)?;
            if constants.is_empty() || bytes > MAX_SOURCE_BYTES {
                continue;
            }
            if let Ok(text) = String::from_utf8(files.bytes(file, MAX_SOURCE_BYTES)?) {
                let replaced = with_constants(&text, constants).map_err(|reason| PackageError::whole(file, reason))?;
                if replaced != text {
                    fs::write(&target, replaced).map_err(refuse)?;
                }
            }
        }
        Ok(())
    }

    /// Copies a program from a folder of the package, whose name states its kind, to a folder below `folder`, and returns
    /// its commands.
    pub(crate) fn write_tool(
        &self,
        files: &Files,
        metadata: &Metadata,
        overrides: &Overrides,
        (kind, inner): (&str, &str),
        folder: &Path,
        options: &Options<'_>,
    ) -> Result<Commands, PackageError> {
        self.copy(files, &folder.join(inner), &metadata.constants)?;
        let script = |name: &str| self.files.iter().any(|(file, _)| file == name);
        if script("build") || script("run") {
            return Ok(Commands {
                build: script("build").then(|| format!("cd {inner} && chmod +x build && ./build && chmod +x run")),
                run: vec![format!("{inner}/run")],
                memory: 0,
                language: "a build or run script".into(),
                entry_point: "run".into(),
                environment: Vec::new(),
                readable: Vec::new(),
            });
        }
        let unusable = |reason: String| {
            // The program may be its folder itself.
            let file = self.files.first().map_or_else(|| files.root().join(kind), |(_, file)| file.clone());
            PackageError::whole(&file, format!("the {} cannot be run here: {reason}", role(kind)))
        };
        let languages = Languages::default();
        let language = self.language(&languages, overrides).map_err(unusable)?;
        let memory = metadata.limits.validation_memory;
        let commands = self.commands(language, overrides, &Included::default(), inner, memory, options.has);
        commands.map_err(unusable)
    }

    /// The language, as the package states it or as the files show it.
    pub(crate) fn language<'l>(
        &self,
        languages: &'l Languages,
        overrides: &Overrides,
    ) -> Result<&'l Language, Unusable> {
        if let Some(code) = &overrides.language {
            return languages.find(code).ok_or_else(|| format!("unknown language `{code}`"));
        }
        let firsts: Vec<String> = self.files.iter().map(|(_, file)| first_line(file)).collect();
        let named: Vec<(&str, &str)> =
            self.files.iter().zip(&firsts).map(|((name, _), first)| (name.as_str(), first.as_str())).collect();
        let found = languages.for_files(&named);
        if let Some(python) = found.filter(|found| found.code == "python3") {
            let mut sources = self.files.iter().filter(|(name, _)| python.is_source(name));
            let old = sources.find(|(_, file)| is_python_2(&source(file)));
            let python_2 = |(name, _): &(String, PathBuf)| languages.python_2_of(name);
            return Ok(old.and_then(python_2).unwrap_or(python));
        }
        found.ok_or_else(|| {
            if self.files.is_empty() {
                return "it has no file".to_owned();
            }
            let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).take(5).collect();
            format!("its language is not in the table: {}", names.join(", "))
        })
    }

    /// The commands of a program in a folder of the contest, given by its path relative to the contest file. `memory` is
    /// the limit in MiB.
    pub(crate) fn commands(
        &self,
        language: &Language,
        overrides: &Overrides,
        included: &Included,
        folder: &str,
        memory: u64,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<Commands, Unusable> {
        let tool = language.tool(has)?;
        let mut sources: Vec<&str> =
            self.files.iter().map(|(name, _)| name.as_str()).filter(|name| language.is_source(name)).collect();
        // The package asks for another language than the endings show: the files are its sources.
        if sources.is_empty() {
            sources = self.files.iter().map(|(name, _)| name.as_str()).collect();
        }
        // Included files are sources as well. In 2025-09 one of them can start the program only if it has the name of an
        // entry point; in legacy packages the first file does, even if it is included.
        let own = sources.iter().copied().min();
        let names = included.files.iter().map(|(name, _)| name.as_str());
        let more: Vec<&str> = names.filter(|name| language.is_source(name)).collect();
        let driver = more.iter().copied().find(|name| is_main(name));
        sources.extend(more.into_iter().filter(|name| !self.files.iter().any(|(own, _)| own == name)));
        sources.sort_unstable();
        let first = if included.may_start { sources.first().copied() } else { own };
        let entry_point = overrides.entry_point.as_ref().or(self.main.as_ref());
        let named = entry_point.and_then(|entry_point| {
            let is_it = |name: &&&str| Self::is_named_by(name, entry_point);
            sources.iter().find(|name| **name == *entry_point).or_else(|| sources.iter().find(is_it)).copied()
        });
        let jvm = ["java", "kotlin", "scala"].contains(&language.code.as_str());
        let found = if jvm && named.is_none() {
            let of_driver = || jvm_class(&included.files, &sources).filter(|_| included.may_start);
            jvm_class(&self.files, &sources).or_else(of_driver)
        } else {
            None
        };
        let main = named
            .or(driver)
            .or_else(|| found.as_ref().map(|(file, _)| *file))
            .or_else(|| sources.iter().copied().find(|name| is_main(name)))
            .or(first)
            .unwrap_or_default();
        let class = match (entry_point, found) {
            (Some(class), _) if jvm && !class.contains('.') => class.clone(),
            (_, Some((file, class))) if file == main => class,
            _ if language.code == "kotlin" => kotlin_class(main),
            _ => stem(main).to_owned(),
        };
        let fill = |text: &str, quote: bool| {
            let word = |word: &str| if quote { shell_words::quote(word).into_owned() } else { word.to_owned() };
            text.replace("{files}", &sources.iter().map(|name| word(name)).collect::<Vec<_>>().join(" "))
                .replace("{main}", &word(main))
                .replace("{class}", &word(&class))
                .replace("{folder}", folder)
                .replace("{memory}", &memory.to_string())
        };
        let is_judged = self.streams.as_ref().is_some_and(|streams| !streams.makes);
        let evaluated = language.evaluation.as_deref().filter(|_| is_judged);
        let older = language.older.as_deref().filter(|_| self.older);
        let whole = |build: &str| {
            let build = with_word(build, evaluated);
            older.map_or(build.clone(), |word| {
                format!("{{ {} 2>/dev/null || {build}; }}", with_word(&build, Some(word)))
            })
        };
        let mut build = tool.build.as_deref().map(|build| fill(&whole(build), true));
        if language.code == "java" {
            build = build.map(|build| self.with_public_classes(&sources, build));
        }
        Ok(Commands {
            build: build.map(|build| format!("cd {} && {build}", shell_words::quote(folder))),
            run: self
                .streams
                .clone()
                .unwrap_or_default()
                .around(tool.run.iter().map(|word| fill(word, false)).collect()),
            memory: language.memory,
            language: language.name.clone(),
            entry_point: if jvm { class.clone() } else { main.to_owned() },
            environment: tool.environment.clone(),
            readable: tool.readable.clone(),
        })
    }

    /// Tests whether an entry point names a file: by its path, or by its name without folders and ending.
    pub fn is_named_by(file: &str, entry_point: &str) -> bool {
        file == entry_point || stem(file) == entry_point || stem(file) == entry_point.trim_end_matches("Kt")
    }

    /// The build command, preceded by links with the names that the compiler requires for files with a public class.
    fn with_public_classes(&self, sources: &[&str], build: String) -> String {
        let mut build = build;
        for name in sources {
            let Some((_, file)) = self.files.iter().find(|(known, _)| known == name) else { continue };
            let public = public_class(&source(file)).filter(|class| class != stem(name));
            let folder = name.rfind('/').map_or("", |at| &name[..=at]);
            if let Some(renamed) = public
                .map(|class| format!("{folder}{class}.java"))
                .filter(|renamed| !sources.contains(&renamed.as_str()))
            {
                let (old, new) = (shell_words::quote(name), shell_words::quote(&renamed));
                build = format!("mv {old} {new} && {}", build.replace(&*old, &new));
            }
        }
        build
    }
}

/// A build command with a word before its sources.
fn with_word(build: &str, word: Option<&str>) -> String {
    let sources = if build.contains("{files}") { "{files}" } else { "{main}" };
    word.map_or(build.to_owned(), |word| build.replacen(sources, &format!("{word} {sources}"), 1))
}

/// Files that a package adds to submissions.
#[derive(Debug, Default)]
pub(crate) struct Included {
    /// The files, by their paths below the folder of the submission.
    pub(crate) files: Vec<(String, PathBuf)>,
    /// True if any of them can start the program, not only a file with the name of an entry point.
    pub(crate) may_start: bool,
}

/// The source that contains the entry point, and the full name of its class, for languages of the Java virtual machine.
fn jvm_class<'s>(files: &[(String, PathBuf)], sources: &[&'s str]) -> Option<(&'s str, String)> {
    let mut candidates: Vec<(&'s str, String)> = Vec::new();
    for name in sources {
        let Some((_, file)) = files.iter().find(|(known, _)| known == name) else { continue };
        let text = source(file);
        let class = match name.rsplit('.').next() {
            Some("kt") => text.contains("fun main").then(|| kotlin_class(name)),
            _ => class_before_main(&text),
        };
        if let Some(class) = class {
            let package = package_of(&text).map(|package| format!("{package}.")).unwrap_or_default();
            candidates.push((name, format!("{package}{class}")));
        }
    }
    let main = candidates.iter().position(|(name, _)| is_main(name)).unwrap_or(0);
    (!candidates.is_empty()).then(|| candidates.swap_remove(main))
}

/// A file whose name marks the entry point.
fn is_main(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = stem(file);
    stem.eq_ignore_ascii_case("main") || stem == "__main__"
}

/// The name of a file without folders and ending.
fn stem(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn kotlin_class(file: &str) -> String {
    let stem = stem(file);
    let mut letters = stem.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}Kt", letters.as_str())
}

fn first_line(file: &Path) -> String {
    source(file).lines().next().unwrap_or_default().to_owned()
}

/// The text of a source; empty if it cannot be read or is too large.
fn source(file: &Path) -> String {
    let small = fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SOURCE_BYTES);
    let bytes = if small { fs::read(file).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The words of a Java source, without comments.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
        } else if first == '"' {
            let quoted = &rest[1..];
            let mut escaped = false;
            let end = quoted.find(|c| {
                let ends = !escaped && (c == '"' || c == '\n');
                escaped = !escaped && c == '\\';
                ends
            });
            rest = end.map_or("", |end| &quoted[end + 1..]);
        } else if first.is_alphanumeric() || first == '_' || first == '$' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '.'));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            words.push(word);
            rest = after;
        } else {
            if matches!(first, '{' | '}' | ';' | '(') {
                words.push(&rest[..1]);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    words
}

/// The outermost class around the method `main` of a Java or Scala source.
fn class_before_main(text: &str) -> Option<String> {
    let words = words(text);
    let mut depth = 0usize;
    let mut outer = None;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "class" | "interface" | "enum" | "record" | "object" if depth == 0 => outer = words.get(at + 1).copied(),
            "main" if depth == 1 && words.get(at + 1) == Some(&"(") => {
                let declared = words[at.saturating_sub(4)..at].iter().any(|word| *word == "void" || *word == "def");
                if declared {
                    return outer.map(str::to_owned);
                }
            }
            _ => {}
        }
    }
    None
}

fn package_of(text: &str) -> Option<String> {
    let words = words(text);
    let at = words.iter().position(|word| *word == "package")?;
    (at == 0).then(|| words.get(1).map(|name| (*name).to_owned())).flatten()
}

/// The public class of a Java source, whose name the file must have.
fn public_class(text: &str) -> Option<String> {
    let words = words(text);
    let mut depth = 0usize;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "public" if depth == 0 => {
                let rest = &words[at + 1..];
                let kind = rest.iter().position(|word| ["class", "interface", "enum", "record"].contains(word))?;
                if rest[..kind].iter().all(|word| ["final", "abstract", "strictfp", "sealed"].contains(word)) {
                    return rest.get(kind + 1).map(|name| (*name).to_owned());
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_java_program_is_found_in_its_source() {
        let text = "package a.b; import java.util.*;\n// class Wrong { static void main(String[] a) {} }\n\
                    class Helper { int main(int x) { return x; } }\n/* class W */ public final class Solver {\n \
                    static String s = \"class X { void main(\\\" \"; static class Inner { }\n \
                    public static void main(String[] args) throws Exception { } }";
        assert_eq!(class_before_main(text).as_deref(), Some("Solver"));
        assert_eq!(package_of(text).as_deref(), Some("a.b"));
        assert_eq!(public_class(text).as_deref(), Some("Solver"));
        assert_eq!(class_before_main("object Main { def main(args: Array[String]) = {} }").as_deref(), Some("Main"));
        assert_eq!(class_before_main("class A { }"), None);
        assert_eq!(public_class("class A { public static class B { } }"), None);
        for broken in ["\"", "/*", "//", "class", "public", "é{\u{1F600}"] {
            assert_eq!((class_before_main(broken), public_class(broken)), (None, None), "{broken}");
        }
    }

    #[test]
    fn names_mark_entry_points() {
        assert!(is_main("Main.java") && is_main("a/main.py") && is_main("__main__.py") && !is_main("domain.py"));
        assert_eq!(kotlin_class("solve.kt"), "SolveKt");
        assert_eq!(stem("a/b.c.d"), "b.c");
    }
}
