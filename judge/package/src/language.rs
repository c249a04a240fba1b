//! The table of languages, and the choice of one for a program.

use serde::Deserialize;

/// The table of languages, a data file.
const TABLE: &str = include_str!("languages.toml");

/// A language of submissions, with the ways to build and run it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Language {
    /// Its code in the package format.
    pub code: String,
    /// Its name for people, as in `languages.toml`.
    pub name: String,
    /// Endings of its source files, with their dot.
    pub endings: Vec<String>,
    /// A text that the first line of its sources contains.
    pub marker: Option<String>,
    /// Memory for its runtime besides the limit, in MiB.
    #[serde(default)]
    pub memory: u64,
    /// The compiler option, before the sources of a build, by which submissions to tasks of CMS detect that they are built
    /// for a judge.
    #[serde(default)]
    pub evaluation: Option<String>,
    /// The compiler option for the oldest version that tasks of CMS use, before the sources of a build. It is tried first.
    #[serde(default)]
    pub older: Option<String>,
    /// Ways to build and run it, best first.
    pub tools: Vec<Tool>,
}

/// A way to build and run a language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Tool {
    /// The programs that it needs.
    pub needs: Vec<String>,
    /// Shell command, run in the folder of the program; `None` if there is nothing to build.
    pub build: Option<String>,
    /// The command of the entry.
    pub run: Vec<String>,
    /// Environment variables of the organiser that the build needs: `NAME`, or `NAME=VALUE` with a usual value.
    #[serde(default)]
    pub environment: Vec<String>,
    /// Files and folders besides those of the system that the build reads; `$NAME` is a variable of `environment`.
    #[serde(default)]
    pub readable: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    language: Vec<Language>,
}

/// The reason why a program cannot be used on this machine, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnusableProgram(pub(crate) String);

/// All languages that the table has.
#[derive(Debug, Clone)]
pub struct Languages(Vec<Language>);

impl Default for Languages {
    fn default() -> Self {
        let file: File = toml::from_str(TABLE).expect("a test reads the table");
        Self(file.language)
    }
}

impl Languages {
    /// Every language, in the order of the table.
    pub fn all(&self) -> &[Language] {
        &self.0
    }

    /// Puts other languages before these; each replaces the language with the same code.
    #[must_use]
    pub fn with(self, others: impl IntoIterator<Item = Language>) -> Self {
        let mut all: Vec<Language> = others.into_iter().collect();
        let usual = self.0.into_iter().filter(|usual| all.iter().all(|other| other.code != usual.code));
        let usual: Vec<Language> = usual.collect();
        all.extend(usual);
        Self(all)
    }

    /// Keeps only the languages with one of these codes.
    #[must_use]
    pub fn only(self, codes: &[String]) -> Self {
        Self(self.0.into_iter().filter(|language| codes.contains(&language.code)).collect())
    }

    /// The language with that code.
    pub fn find(&self, code: &str) -> Option<&Language> {
        self.0.iter().find(|language| language.code == code)
    }

    /// Python 2, if a file of that name may be in it: by its ending, such a file could be in Python 3.
    pub(crate) fn python_2_of(&self, name: &str) -> Option<&Language> {
        self.0.iter().find(|language| language.code == "python2" && language.is_source(name))
    }

    /// The language of files, each given by its name and first line: the one that most of them belong to.
    pub fn for_files(&self, files: &[(&str, &str)]) -> Option<&Language> {
        let mut best: Option<(usize, &Language)> = None;
        for language in &self.0 {
            let count = files.iter().filter(|(name, first)| language.claims(name, first)).count();
            if count > best.map_or(0, |(most, _)| most) {
                best = Some((count, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

impl Tool {
    /// A way to build and run a language that needs these programs; `build` is `None` if there is nothing to build.
    pub fn new(needs: Vec<String>, build: Option<String>, run: Vec<String>) -> Self {
        Self { needs, build, run, environment: Vec::new(), readable: Vec::new() }
    }
}

impl Language {
    /// A language with one way to build and run it.
    pub fn new(code: String, name: String, endings: Vec<String>, tool: Tool) -> Self {
        Self { code, name, endings, marker: None, memory: 0, evaluation: None, older: None, tools: vec![tool] }
    }

    /// Sets the memory that the runtime needs in addition to the limit, in MiB.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Checks whether a file is one of its sources, by its name.
    pub(crate) fn is_source(&self, name: &str) -> bool {
        self.endings.iter().any(|ending| name.ends_with(ending.as_str()))
    }

    fn claims(&self, name: &str, first_line: &str) -> bool {
        let marked = self.marker.as_ref().is_none_or(|marker| {
            first_line.strip_prefix("#!").is_some_and(|interpreter| interpreter.contains(marker.as_str()))
        });
        marked && self.is_source(name)
    }

    /// Checks whether one of its tools has all its programs. `has` tests whether this machine has a program.
    ///
    /// # Errors
    /// [`UnusableProgram`] names what is missing.
    pub fn check_installed(&self, has: &dyn Fn(&str) -> bool) -> Result<(), UnusableProgram> {
        self.tool(has).map(drop).map_err(UnusableProgram)
    }

    /// The first tool whose programs exist. The error names what is missing.
    pub(crate) fn tool(&self, has: &dyn Fn(&str) -> bool) -> Result<&Tool, String> {
        self.tools.iter().find(|tool| tool.needs.iter().all(|program| has(program))).ok_or_else(|| {
            let needs: Vec<String> = self.tools.iter().map(|tool| tool.needs.join(" and ")).collect();
            format!("{} is not installed here: it needs {}", self.name, needs.join(", or "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_of_the_table_is_complete_in_known_words() {
        let languages = Languages::default();
        for language in languages.all() {
            assert!(!language.tools.is_empty(), "{}", language.code);
            for tool in &language.tools {
                let words = tool.run.iter().chain(&tool.build);
                for word in words.flat_map(|text| text.split('{').skip(1)) {
                    let word = word.split('}').next().unwrap_or_default();
                    assert!(
                        ["files", "main", "class", "folder", "memory", "dir"].contains(&word),
                        "{}: {word}",
                        language.code
                    );
                }
                assert!(!tool.needs.is_empty() && !tool.run.is_empty(), "{}", language.code);
            }
        }
        for code in ["c", "cpp", "rust", "go", "java", "kotlin", "python3", "pypy3", "javascript", "csharp", "haskell"]
        {
            assert!(languages.find(code).is_some(), "{code}");
        }
    }

    /// The code of the language of these files.
    fn of(files: &[(&str, &str)]) -> Option<String> {
        Languages::default().for_files(files).map(|language| language.code.clone())
    }

    #[test]
    fn the_language_of_most_files_decides() {
        assert_eq!(of(&[("a.cc", ""), ("a.h", "")]).as_deref(), Some("cpp"));
        assert_eq!(of(&[("a.c", ""), ("b.c", ""), ("c.cc", "")]).as_deref(), Some("c"));
        assert_eq!(of(&[("a.C", "")]).as_deref(), Some("cpp"));
        assert_eq!(of(&[("README.md", "")]), None);
    }

    #[test]
    fn a_marker_distinguishes_two_languages_with_one_ending() {
        assert_eq!(of(&[("a.py", "#!/usr/bin/env python2")]).as_deref(), Some("python2"));
        assert_eq!(of(&[("a.py", "# not python2")]).as_deref(), Some("python3"));
        assert_eq!(of(&[("a.pl", "#!/usr/bin/perl")]).as_deref(), Some("perl"));
        assert_eq!(of(&[("a.pl", ":- initialization(main).")]).as_deref(), Some("prolog"));
    }

    #[test]
    fn the_first_tool_that_exists_is_used() {
        let languages = Languages::default();
        let cpp = languages.find("cpp").expect("in the table");
        assert_eq!(cpp.tool(&|name| name == "clang++").expect("found").needs, ["clang++"]);
        let error = cpp.tool(&|_| false).expect_err("nothing is installed");
        assert_eq!(error, "C++ is not installed here: it needs g++, or clang++");
    }
}
