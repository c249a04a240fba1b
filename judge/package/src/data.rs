//! Test data: cases with their files and arguments, in the tree of groups that grading follows.

mod rules;
mod statics;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::sha256_of_reader;
use judge_core::hint::Hint;
use judge_files::regular;

use crate::error::PackageError;
use crate::files::Files;
use crate::metadata::{Metadata, Version, with_constants};
use crate::table::Table;
use crate::yaml::{self, Node, Value};
pub use rules::{OwnRules, Rules, ScoreMode, VerdictMode};
pub(crate) use statics::SCORE as STATIC_SCORE;
pub use statics::StaticCase;

/// The deepest folder below `data`.
const MAX_DEPTH: usize = 16;
/// Keys of the configuration of a test case that have no meaning here.
const OTHER_CASE_KEYS: [&str; 5] =
    ["input_visualizer_args", "output_visualizer_args", "full_feedback", "hint", "description"];
/// The largest file of configuration, in bytes.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// A test case: an input, with the answer that is expected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Case {
    /// Path below `data` without ending, such as `secret/group1/01`.
    pub name: String,
    /// Path of the file for standard input, which ends in `.in`.
    pub input: PathBuf,
    /// The judge's answer; `None` for an empty one, which requires a validator of the package.
    pub answer: Option<PathBuf>,
    /// Arguments for the validator on this case, after those of the package.
    pub validator_args: Vec<String>,
    /// Arguments for input validators on this case.
    pub input_args: InputArgs,
    /// Arguments for submissions on this case.
    pub args: Vec<String>,
    /// Files for the working directory of submissions, by name.
    pub files: Vec<(String, PathBuf)>,
}

/// Arguments for input validators: those for all, and those for some by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputArgs {
    /// The arguments for all validators.
    pub all: Vec<String>,
    /// Arguments for the validators of these names; other validators get none. Empty if all get the same arguments.
    pub named: BTreeMap<String, Vec<String>>,
}

impl InputArgs {
    /// The arguments for the validator of that name.
    pub fn of(&self, validator: &str) -> &[String] {
        let stem = validator.rsplit_once('.').map_or(validator, |(stem, _)| stem);
        match self.named.is_empty() {
            true => &self.all,
            false => self.named.get(validator).or_else(|| self.named.get(stem)).map_or(&[], Vec::as_slice),
        }
    }

    /// The arguments in a configuration; `None` if it has none.
    fn read(table: &Table<'_>, is_legacy: bool) -> Result<Option<Self>, PackageError> {
        for key in ["input_validator_args", "input_validator_flags"] {
            let Some(node) = table.get(key) else { continue };
            if let Value::Map(pairs) = &node.value {
                let named = Table::new(table.file(), key, node)?;
                // The form of the legacy format: one validator, and its arguments.
                if is_legacy && let Some(name) = named.text("name")? {
                    let flags = named.arguments("flags")?.unwrap_or_default();
                    return Ok(Some(Self { all: Vec::new(), named: [(name.to_owned(), flags)].into() }));
                }
                let of = |(name, _): &(String, Node)| Ok((name.clone(), named.arguments(name)?.unwrap_or_default()));
                let named = pairs.iter().map(of).collect::<Result<BTreeMap<_, _>, PackageError>>()?;
                return Ok(Some(Self { all: Vec::new(), named }));
            }
            let all = table.arguments(key)?.unwrap_or_default();
            return Ok(Some(Self { all, named: BTreeMap::new() }));
        }
        Ok(None)
    }
}

/// A group of test cases and of groups.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// Path below `data`, such as `secret/group1`; empty for the root.
    pub name: String,
    /// The rules for its result.
    pub rules: Rules,
    /// Its members in the order of judging.
    pub items: Vec<Item>,
}

/// A member of a group.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A test case, by its index in the list of all cases.
    Case(usize),
    /// A group in the group.
    Group(Box<Group>),
}

/// The test data of a package.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Data {
    /// Every test case, in the order of judging.
    pub cases: Vec<Case>,
    /// Static validation test cases, in the order of their groups.
    pub statics: Vec<StaticCase>,
    /// The root group: samples, then secret data.
    pub root: Group,
}

/// Reads groups and test cases from the folder `data`.
pub(crate) struct Reader<'a> {
    pub(crate) files: &'a Files,
    pub(crate) metadata: &'a Metadata,
    pub(crate) notices: Vec<String>,
    pub(crate) cases: Vec<Case>,
    /// Files that seem to be parts of test cases.
    pub(crate) parts: Vec<PathBuf>,
    pub(crate) statics: Vec<StaticCase>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(files: &'a Files, metadata: &'a Metadata) -> Self {
        let (notices, cases, parts, statics) = Default::default();
        Self { files, metadata, notices, cases, parts, statics }
    }

    pub(crate) fn read(mut self) -> Result<(Data, Vec<String>), PackageError> {
        let folder = self.files.root().join("data");
        let usual = self.usual();
        let rules = self.rules(&folder, "", &usual)?;
        let mut items = Vec::new();
        for name in ["sample", "secret"] {
            let below = folder.join(name);
            if below.is_dir() {
                items.push(Item::Group(Box::new(self.group(&below, name, &rules, 0)?)));
            }
        }
        if self.cases.is_empty() {
            let reason = "no test case: expected files such as data/secret/1.in with data/secret/1.ans";
            let made = self.files.root().join("generators/generators.yaml").is_file();
            let hint = made.then_some(Hint::GenerateData);
            return Err(PackageError { hint, ..PackageError::whole(&folder, reason) });
        }
        self.notices.extend(self.incomplete(&folder));
        let mut root = Group { name: String::new(), rules, items };
        let mut earlier = Vec::new();
        root.resolve_requirements(&folder, &mut earlier)?;
        Ok((Data { cases: self.cases, statics: self.statics, root }, self.notices))
    }

    /// Notices on incomplete secret data.
    fn incomplete(&self, folder: &Path) -> Vec<String> {
        let mut notices = Vec::new();
        if let Some(first) = self.parts.first() {
            let more = self.parts.len() - 1;
            let and_more = if more > 0 { format!(" and {more} more files") } else { String::new() };
            notices.push(format!(
                "{}{and_more}: test data in parts or packed, which is not judged; join or unpack it first",
                first.display()
            ));
        }
        let pointers: Vec<&Case> = self.cases.iter().filter(|case| is_pointer(&case.input)).collect();
        if let Some(first) = pointers.first() {
            let (path, number) = (first.input.display(), pointers.len());
            notices.push(format!(
                "{path}: a pointer of Git LFS instead of an input, in {number} test cases; fetch the files"
            ));
        }
        if !self.cases.iter().any(|case| case.name.starts_with("secret/")) {
            let generators = self.files.root().join("generators");
            let why = if generators.is_dir() { "generators/ makes its files" } else { "its files are missing" };
            notices.push(format!("{}: no secret test case, so only the samples are judged; {why}", folder.display()));
        }
        notices
    }

    pub(crate) fn usual(&self) -> Rules {
        let old = &self.metadata.grading;
        Rules {
            stop_on_reject: old.stop_on_reject.unwrap_or(true),
            custom_grader: false,
            grader_flags: Vec::new(),
            verdict: VerdictMode::WorstError,
            score: ScoreMode::Sum,
            ignore_sample: false,
            accept_if_any_accepted: false,
            accept_score: old.accept_score.unwrap_or(1.0),
            reject_score: old.reject_score.unwrap_or(0.0),
            range: old.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY)),
            own: OwnRules::default(),
            max_score: None,
            require_pass: Vec::new(),
            is_test_group: false,
            validator_args: Vec::new(),
            input_args: InputArgs::default(),
            args: Vec::new(),
        }
    }

    pub(crate) fn group(
        &mut self,
        folder: &Path,
        name: &str,
        outer: &Rules,
        depth: usize,
    ) -> Result<Group, PackageError> {
        if depth > MAX_DEPTH {
            return Err(PackageError::whole(folder, format!("folders nested deeper than {MAX_DEPTH} levels")));
        }
        let rules = self.rules(folder, name, outer)?;
        let mut items = Vec::new();
        let entries = self.files.list(folder)?;
        let has = |name: &str| entries.binary_search_by(|known| known.as_str().cmp(name)).is_ok();
        for entry in &entries {
            let path = folder.join(entry);
            let of_case = |ending: &str| entry.strip_suffix(ending).filter(|base| has(&format!("{base}.in")));
            if path.is_dir() {
                // Files of a test case.
                if of_case(".files").is_some() {
                    continue;
                }
                items.push(Item::Group(Box::new(self.group(&path, &format!("{name}/{entry}"), &rules, depth + 1)?)));
            } else if let Some(base) = entry.strip_suffix(".in") {
                let answer = folder.join(format!("{base}.ans"));
                if self.files.has_dangling(&answer)?
                    || self.files.has_dangling(&folder.join(format!("{base}.files")))?
                {
                    let path = path.display();
                    self.notices
                        .push(format!("{path}: ignored, for another file of its test case is a link to nothing"));
                    continue;
                }
                let answer = answer.is_file().then_some(answer);
                if answer.is_none() && !self.metadata.custom_validator {
                    let path = path.display();
                    self.notices
                        .push(format!("{path}: ignored, because it has no .ans file that answers are compared with"));
                    continue;
                }
                if answer.is_none() {
                    let path = path.display();
                    self.notices.push(format!("{path}: it has no .ans file; the validator gets an empty one"));
                }
                let own = self.case_args(&folder.join(format!("{base}.yaml")), &rules)?;
                let args = self.args_file(&folder.join(format!("{base}.args")))?.unwrap_or(own.args);
                let mut validator_args = self.metadata.validator_args.clone();
                validator_args.extend(own.validator_args);
                let files = self.input_files(&folder.join(format!("{base}.files")))?;
                items.push(Item::Case(self.cases.len()));
                let name = format!("{name}/{base}");
                let input_args = own.input_args;
                self.cases.push(Case { name, input: path, answer, validator_args, input_args, args, files });
            } else if is_part(entry) {
                self.parts.push(path);
            } else if let Some(base) =
                entry.strip_suffix(".ans").filter(|base| !folder.join(format!("{base}.in")).is_file())
            {
                let path = path.display();
                self.notices.push(format!("{path}: ignored, because there is no {base}.in"));
            }
        }
        Ok(Group { name: name.to_owned(), rules, items })
    }

    /// The rules of a folder: from its configuration, or otherwise from the outer group.
    fn rules(&mut self, folder: &Path, name: &str, outer: &Rules) -> Result<Rules, PackageError> {
        let current = !self.metadata.legacy_grading;
        let mut rules = outer.clone();
        rules.own = OwnRules::default();
        if current {
            // These are not inherited.
            (rules.score, rules.max_score) = match name {
                "secret" => (ScoreMode::Sum, Some(100.0)),
                _ => (ScoreMode::PassFail, None),
            };
            rules.require_pass.clear();
            rules.stop_on_reject = false;
            rules.is_test_group = false;
        }
        let names = ["test_group.yaml", "testdata.yaml"];
        let Some(file) = names.iter().map(|name| folder.join(name)).find(|file| file.is_file()) else {
            return Ok(rules);
        };
        rules.is_test_group = true;
        rules.own.configured = true;
        let node = self.yaml(&file)?;
        let table = Table::new(&file, "the configuration of a group", &node)?;
        if let Some(args) = table.arguments("output_validator_args")? {
            rules.validator_args = args;
        } else if let Some(args) = table.arguments("output_validator_flags")? {
            rules.validator_args = args;
        }
        if let Some(args) = table.arguments("args")? {
            rules.args = args;
        }
        if let Some(args) = InputArgs::read(&table, self.metadata.version == Version::Legacy)? {
            rules.input_args = args;
        }
        if current {
            self.notices.extend(self::rules::current(&table, name, self.metadata.scoring, &mut rules)?);
            self.statics.extend(StaticCase::read(&table, name, &rules, self.metadata)?);
        } else {
            self.notices.extend(self::rules::legacy(&table, name, &mut rules)?);
        }
        for key in ["input_visualizer_args", "output_visualizer_args", "full_feedback", "hint", "description"] {
            table.get(key);
        }
        self.notices.extend(table.unknown());
        Ok(rules)
    }

    /// Files for the working directory of submissions.
    fn input_files(&self, folder: &Path) -> Result<Vec<(String, PathBuf)>, PackageError> {
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let named = |name: String| {
            let path = folder.join(&name);
            match path.is_dir() {
                true => Err(PackageError::whole(&path, "folders in .files are not supported; only files are")),
                false => Ok((name, path)),
            }
        };
        self.files.list(folder)?.into_iter().map(named).collect()
    }

    /// Arguments for submissions in a file next to a test case, as in drafts of the format.
    fn args_file(&self, file: &Path) -> Result<Option<Vec<String>>, PackageError> {
        if !file.is_file() {
            return Ok(None);
        }
        let text = self.files.text(file, MAX_CONFIG_BYTES)?;
        if text.contains('\0') {
            return Err(PackageError::whole(file, "arguments for submissions contain a NUL character; leave it out"));
        }
        let words = shell_words::split(&text);
        words.map(Some).map_err(|error| PackageError::whole(file, format!("arguments for submissions: {error}")))
    }

    /// Arguments of one test case, which replace those of its group.
    fn case_args(&mut self, file: &Path, rules: &Rules) -> Result<CaseArgs, PackageError> {
        let mut own = CaseArgs {
            args: rules.args.clone(),
            validator_args: rules.validator_args.clone(),
            input_args: rules.input_args.clone(),
        };
        if self.metadata.version == Version::Legacy || !file.is_file() {
            return Ok(own);
        }
        let node = self.yaml(file)?;
        let table = Table::new(file, "the configuration of a test case", &node)?;
        for (key, args) in [("args", &mut own.args), ("output_validator_args", &mut own.validator_args)] {
            if let Some(given) = table.arguments(key)? {
                *args = given;
            }
        }
        if let Some(args) = InputArgs::read(&table, self.metadata.version == Version::Legacy)? {
            own.input_args = args;
        }
        // For people, or for programs that are not imported.
        for key in OTHER_CASE_KEYS {
            table.get(key);
        }
        self.notices.extend(table.unknown());
        Ok(own)
    }

    fn yaml(&self, file: &Path) -> Result<Node, PackageError> {
        let text = with_constants(&self.files.text(file, MAX_CONFIG_BYTES)?, &self.metadata.constants)
            .map_err(|reason| PackageError::whole(file, reason))?;
        yaml::parse(&text).map_err(|error| PackageError::at(file, error.line, error.reason))
    }
}

/// Tests whether a file is a part of an input or an answer, or a compressed one. The format allows other endings after
/// `.in`.
fn is_part(name: &str) -> bool {
    let behind = [".in.", ".ans."].iter().find_map(|kind| name.split_once(kind));
    behind.is_some_and(|(_, ending)| !matches!(ending, "statement" | "download"))
}

/// Tests whether a file is the pointer that Git LFS leaves for a file that was not fetched.
fn is_pointer(file: &Path) -> bool {
    const BEGINNING: &[u8] = b"version https://git-lfs";
    let small = fs::metadata(file).is_ok_and(|metadata| metadata.len() < 1024);
    small && regular::read(file, 1024).is_ok_and(|bytes| bytes.starts_with(BEGINNING))
}

/// Arguments of one test case.
struct CaseArgs {
    args: Vec<String>,
    input_args: InputArgs,
    validator_args: Vec<String>,
}

impl Group {
    /// Replaces the names in `require_pass` by full ones. Groups can only require earlier groups.
    fn resolve_requirements(&mut self, folder: &Path, earlier: &mut Vec<String>) -> Result<(), PackageError> {
        for name in &mut self.rules.require_pass {
            let full = [name.clone(), format!("secret/{name}")].into_iter().find(|full| earlier.contains(full));
            *name = full.ok_or_else(|| {
                let reason = format!("require_pass: no group `{name}` before this one; name for example `sample`");
                PackageError::whole(&folder.join(&self.name), reason)
            })?;
        }
        for item in &mut self.items {
            if let Item::Group(group) = item {
                group.resolve_requirements(folder, earlier)?;
            }
        }
        earlier.push(self.name.clone());
        Ok(())
    }

    /// Indices of all test cases in it and its groups, in the order of judging.
    pub fn cases(&self) -> Vec<usize> {
        let mut cases = Vec::new();
        for item in &self.items {
            match item {
                Item::Case(index) => cases.push(*index),
                Item::Group(group) => cases.extend(group.cases()),
            }
        }
        cases
    }

    /// True if a program of the package grades it or a group in it.
    pub(crate) fn has_custom_grader(&self) -> bool {
        let inside = |item: &Item| matches!(item, Item::Group(group) if group.has_custom_grader());
        self.rules.custom_grader || self.items.iter().any(inside)
    }

    /// The group of that name, itself included.
    pub fn find(&self, name: &str) -> Option<&Self> {
        if self.name == name {
            return Some(self);
        }
        self.items.iter().find_map(|item| match item {
            Item::Group(group) => group.find(name),
            Item::Case(_) => None,
        })
    }
}

/// Reads the size of a file, for limits on what is copied.
pub(crate) fn size(file: &Path) -> Result<u64, PackageError> {
    fs::metadata(file).map(|metadata| metadata.len()).map_err(|error| PackageError::whole(file, error))
}

impl Data {
    /// For each test case, the first one with the same input, answer and arguments: a result holds for all such test
    /// cases. Every file is read once.
    ///
    /// # Errors
    ///
    /// A file of a test case cannot be read.
    pub fn equal_cases(&self) -> Result<Vec<usize>, PackageError> {
        type Contents<'c> = (String, Option<String>, Vec<(&'c str, String)>, [&'c [String]; 2]);
        let mut known: HashMap<Contents<'_>, usize> = HashMap::new();
        let hash = |file: &Path| {
            regular::open(file).and_then(sha256_of_reader).map_err(|error| PackageError::whole(file, error))
        };
        let cases = self.cases.iter().enumerate();
        cases
            .map(|(index, case)| {
                let answer = case.answer.as_deref().map(hash).transpose()?;
                let files = case.files.iter().map(|(name, file)| Ok((name.as_str(), hash(file)?)));
                let files = files.collect::<Result<Vec<_>, PackageError>>()?;
                let args = [case.validator_args.as_slice(), case.args.as_slice()];
                let contents = (hash(&case.input)?, answer, files, args);
                Ok(*known.entry(contents).or_insert(index))
            })
            .collect()
    }
}
