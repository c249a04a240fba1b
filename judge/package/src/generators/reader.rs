//! Reads `generators/generators.yaml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha512};

use super::numbering::{counts, is_directory, suffix};
use super::{FOR_PEOPLE, GeneratedCase, GeneratorCommand, READ, compiled};
use crate::error::PackageError;
use crate::files::Files;
use crate::metadata::with_constants;
use crate::program::{Overrides, Program};
use crate::table::Table;
use crate::text::quoted;
use crate::yaml::{Node, Value};

/// Folders of `data`, in the order in which test cases are numbered.
const ROOTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];
/// The folders of `data` that are generated, and whether their test cases need the answer of a solution.
const GENERATED: [(&str, bool); 5] =
    [("sample", true), ("secret", true), ("invalid_output", true), ("invalid_input", false), ("valid_output", true)];
/// The most test cases that a package may generate.
const MAX_CASES: usize = 10_000;
/// The deepest nesting of folders.
const MAX_DEPTH: usize = 16;

/// Keys that apply to a folder and everything in it.
#[derive(Clone, Default)]
struct Config {
    /// The solution; the inner `None` for none.
    solution: Option<Option<usize>>,
    salt: String,
    retries: u32,
}

/// Reads the file `generators.yaml`, with what has been read so far.
pub(super) struct Reader<'a> {
    pub(super) file: &'a Path,
    pub(super) constants: &'a BTreeMap<String, String>,
    pub(super) files: &'a Files,
    pub(super) generators: BTreeMap<String, Vec<PathBuf>>,
    pub(super) programs: Vec<(Program, String, Overrides)>,
    pub(super) cases: Vec<GeneratedCase>,
    pub(super) configurations: Vec<(String, String)>,
    /// The test cases under a key.
    pub(super) known: BTreeMap<String, Vec<usize>>,
    pub(super) notices: Vec<String>,
    pub(super) next: usize,
    pub(super) width: usize,
    pub(super) default_solution: Option<Option<usize>>,
}

impl Reader<'_> {
    pub(super) fn root(&mut self, root: &Table<'_>) -> Result<(), PackageError> {
        if let Some(node) = root.get("generators") {
            for (name, node) in Table::new(self.file, "generators", node)?.pairs() {
                let Value::List(items) = &node.value else {
                    return Err(root.refuse_at(node, format!("generators: {name} must be a list of files")));
                };
                let paths = items.iter().map(|item| match &item.value {
                    Value::Scalar(path) => self.below("generators", path, item),
                    _ => Err(root.refuse_at(item, "a file of a generator must be a path")),
                });
                let paths = paths.collect::<Result<Vec<_>, _>>()?;
                self.generators.insert(name.clone(), paths);
            }
        }
        let config = self.config(root, &Config { retries: 1, ..Config::default() })?;
        self.configuration(root, "")?;
        let Some(data) = root.get("data") else {
            return Err(root.refuse("data is missing: a map with sample and secret"));
        };
        let data = Table::new(self.file, "data", data)?;
        for name in ROOTS {
            let Some(node) = data.get(name) else { continue };
            let first = self.cases.len();
            self.directory(node, name, &config, 0)?;
            if !GENERATED.iter().any(|(made, _)| *made == name) && self.cases.len() > first {
                self.notices.push(format!("data/{name}: not made, for nothing here reads it"));
            }
        }
        self.notices.extend(data.unknown());
        self.notices.dedup();
        // Numbers also count omitted test cases.
        let made = |case: &GeneratedCase| GENERATED.iter().any(|(root, _)| case.name.starts_with(&format!("{root}/")));
        let kept: Vec<bool> = self.cases.iter().map(made).collect();
        let place = |index: usize| kept[..index].iter().filter(|kept| **kept).count();
        let all = std::mem::take(&mut self.cases);
        for (case, _) in all.iter().zip(&kept).filter(|(_, kept)| **kept) {
            let mut case = case.clone();
            // The generator of an omitted test case also generates those that include it.
            while let Some(other) = case.same_as {
                if kept[other] {
                    case.same_as = Some(place(other));
                    break;
                }
                case = GeneratedCase { name: case.name, ..all[other].clone() };
            }
            self.cases.push(case);
        }
        Ok(())
    }

    /// The keys of a folder or a test case that apply to everything in it.
    fn config(&mut self, table: &Table<'_>, outer: &Config) -> Result<Config, PackageError> {
        let mut config = outer.clone();
        if let Some(path) = table.text("solution")? {
            let node = table.get("solution").expect("it has a value");
            let Some(path) = path.strip_prefix('/') else {
                return Err(
                    table.refuse_at(node, "solution must be a path from the package's folder that begins with /")
                );
            };
            let path = self.below("", path, node)?;
            config.solution = Some(Some(self.program(&[path], "submissions", false, node)?));
        } else if table.pairs().iter().any(|(key, _)| key == "solution") {
            config.solution = Some(None);
        }
        if let Some(salt) = table.text("random_salt")? {
            config.salt = salt.to_owned();
        }
        if let Some(retries) = table.number("retries")? {
            let tries = [1.0..=1000.0].iter().any(|range| range.contains(&retries)) && retries.fract() == 0.0;
            if !tries {
                return Err(table.refuse(format!("retries must be 1 to 1000, not {retries}")));
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1000")]
            let retries = retries as u32;
            config.retries = retries;
        }
        Ok(config)
    }

    /// Reads the configuration of a group, which is written unchanged.
    fn configuration(&mut self, table: &Table<'_>, name: &str) -> Result<(), PackageError> {
        for key in ["test_group.yaml", "testdata.yaml"] {
            if let Some(node) = table.get(key) {
                let path = if name.is_empty() { key.to_owned() } else { format!("{name}/{key}") };
                self.configurations.push((path, text_of(node)));
            }
        }
        Ok(())
    }

    fn directory(&mut self, node: &Node, name: &str, outer: &Config, depth: usize) -> Result<Vec<usize>, PackageError> {
        let table = Table::new(self.file, name, node)?;
        if depth > MAX_DEPTH {
            return Err(table.refuse(format!("folders nested deeper than {MAX_DEPTH} levels")));
        }
        let config = self.config(&table, outer)?;
        self.configuration(&table, name)?;
        let mut inside = Vec::new();
        for included in table.texts("include")?.unwrap_or_default() {
            let Some(cases) = self.known.get(&included).cloned() else {
                return Err(table.refuse(format!("include: no test case or group `{included}` before this one")));
            };
            for case in cases {
                let last = self.cases[case].name.rsplit('/').next().unwrap_or_default();
                let of = GeneratedCase { name: format!("{name}/{last}"), same_as: Some(case), ..Default::default() };
                inside.push(self.add(of, &table)?);
            }
        }
        let (numbered, entries): (bool, Vec<&[(String, Node)]>) = match table.get("data").map(|node| &node.value) {
            None => (false, Vec::new()),
            Some(Value::Map(pairs)) => (false, vec![pairs]),
            Some(Value::List(items)) => {
                let one = |item: &'_ Node| matches!(&item.value, Value::Map(pairs) if pairs.len() == 1);
                if let Some(wrong) = items.iter().find(|item| !one(item)) {
                    return Err(table.refuse_at(wrong, "an item of a list must have one name: `- name: command`"));
                }
                let pairs = items.iter().filter_map(|item| match &item.value {
                    Value::Map(pairs) => Some(pairs.as_slice()),
                    _ => None,
                });
                (true, pairs.collect())
            }
            Some(_) => return Err(table.refuse("data must be a map, or a list of maps with one name each")),
        };
        let groups = entries.iter().flat_map(|pairs| pairs.iter()).filter(|(_, node)| is_directory(node)).count();
        let (group_width, mut next_group) = (groups.to_string().len(), 1);
        for pairs in entries {
            let mut pairs: Vec<&(String, Node)> = pairs.iter().collect();
            pairs.sort_by(|one, other| one.0.cmp(&other.0));
            for (key, node) in pairs {
                let with = |number: usize, width: usize| match (numbered, key.as_str()) {
                    (false, key) => key.to_owned(),
                    (true, "") => format!("{number:0width$}"),
                    (true, key) => format!("{number:0width$}-{key}"),
                };
                let mut cases = Vec::new();
                if is_directory(node) {
                    let own = self.usable(&with(next_group, group_width), node)?;
                    next_group += 1;
                    cases = self.directory(node, &format!("{name}/{own}"), &config, depth + 1)?;
                } else {
                    let (values, counted) = counts(self.file, node)?;
                    for &value in &values {
                        let own = with(self.next, self.width);
                        self.next += usize::from(numbered);
                        let own = self.usable(&if counted { own + &suffix(value, &values) } else { own }, node)?;
                        let case = self.case(node, &format!("{name}/{own}"), (value, counted), &config)?;
                        cases.push(self.add(case, &table)?);
                    }
                }
                self.known.entry(key.clone()).or_default().extend(&cases);
                inside.extend(cases);
            }
        }
        self.known.entry(name.rsplit('/').next().unwrap_or(name).to_owned()).or_insert_with(|| inside.clone());
        for key in ["solution", "random_salt", "retries"] {
            table.get(key);
        }
        self.notices.extend(table.unknown());
        Ok(inside)
    }

    fn add(&mut self, case: GeneratedCase, table: &Table<'_>) -> Result<usize, PackageError> {
        if self.cases.len() >= MAX_CASES {
            return Err(table.refuse(format!("more than {MAX_CASES} test cases")));
        }
        if self.cases.iter().any(|known| known.name == case.name) {
            return Err(table.refuse(format!("two test cases are named {}", case.name)));
        }
        self.cases.push(case);
        Ok(self.cases.len() - 1)
    }

    fn case(
        &mut self,
        node: &Node,
        name: &str,
        (value, counted): (i64, bool),
        outer: &Config,
    ) -> Result<GeneratedCase, PackageError> {
        let refuse = |reason: String| PackageError::at(self.file, node.line, format!("{name}: {reason}"));
        let alone;
        let table = match &node.value {
            Value::Scalar(command) => {
                let key = if command.ends_with(".in") { "copy" } else { "generate" };
                let command = command.strip_suffix(".in").unwrap_or(command).to_owned();
                alone = Node {
                    line: node.line,
                    value: Value::Map(vec![(key.into(), Node { line: node.line, value: Value::Scalar(command) })]),
                };
                Table::new(self.file, name, &alone)?
            }
            Value::Map(_) => Table::new(self.file, name, node)?,
            _ => return Err(refuse("expected a command, or a map with `generate`, `copy` or `in`".into())),
        };
        let config = self.config(&table, outer)?;
        let mut case = GeneratedCase { name: name.to_owned(), ..Default::default() };
        if let Some(command) = table.text("generate")? {
            case.command = Some(self.command(command, (value, counted), &config, node)?);
        }
        if let Some(base) = table.text("copy")? {
            let base = base.strip_suffix(".in").unwrap_or(base);
            for ending in READ {
                let path = format!("{base}.{ending}");
                if self.files.root().join("generators").join(&path).is_file() {
                    case.copies.push((ending.to_owned(), self.below("generators", &path, node)?));
                }
            }
            if case.copies.is_empty() {
                return Err(refuse(format!("copy: no file generators/{base}.in")));
            }
        }
        for ending in READ {
            if let Some(node) = table.get(ending) {
                let text = text_of(node);
                let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                case.texts.push((ending.to_owned(), text + end));
            }
        }
        let has = |ending: &str| case.texts.iter().any(|(known, _)| known == ending);
        if case.command.is_none() && case.copies.is_empty() && !has("in") {
            return Err(refuse("nothing makes its input: it has no `generate`, `copy` or `in`".into()));
        }
        let root = name.split('/').next().unwrap_or_default();
        if GENERATED.iter().any(|(made, answered)| *made == root && *answered) && !has("ans") {
            case.solution = match config.solution {
                Some(solution) => solution,
                None => self.any_solution(node)?,
            };
        }
        // For people.
        for key in FOR_PEOPLE.iter().chain(&["count", "desc", "hint"]) {
            table.get(key);
        }
        case.matches = self.patterns(&table)?;
        self.notices.extend(table.unknown());
        Ok(case)
    }

    /// The patterns of `match`, for the input, or for files by their endings. A pattern that uses features of Python that
    /// do not exist here is left out, with a notice.
    fn patterns(&mut self, table: &Table<'_>) -> Result<Vec<(String, String)>, PackageError> {
        let Some(node) = table.get("match") else { return Ok(Vec::new()) };
        let mut patterns = Vec::new();
        let of_endings = match &node.value {
            Value::Map(pairs) => pairs.iter().map(|(ending, node)| (ending.as_str(), node)).collect(),
            _ => vec![("in", node)],
        };
        for (ending, node) in of_endings {
            let refuse = |reason: &str| table.refuse_at(node, format!("match: {reason}"));
            if !["in", "ans"].contains(&ending) {
                return Err(refuse("expected patterns for `in` or `ans`"));
            }
            let items = match &node.value {
                Value::List(items) => items.as_slice(),
                _ => std::slice::from_ref(node),
            };
            for item in items {
                let Value::Scalar(pattern) = &item.value else { return Err(refuse("a pattern must be a text")) };
                match compiled(pattern) {
                    Ok(_) => patterns.push((ending.to_owned(), pattern.clone())),
                    Err(_) => {
                        let (file, line) = (self.file.display(), item.line);
                        self.notices
                            .push(format!("{file}:{line}: `match` is not checked: {pattern} is no pattern here"));
                    }
                }
            }
        }
        Ok(patterns)
    }

    /// A call of a generator, with the seed that BAPCtools would use.
    fn command(
        &mut self,
        text: &str,
        (value, counted): (i64, bool),
        config: &Config,
        node: &Node,
    ) -> Result<GeneratorCommand, PackageError> {
        let refuse = |reason: String| PackageError::at(self.file, node.line, reason);
        let mut text = with_constants(text, self.constants).map_err(refuse)?;
        if counted {
            text = text.replace("{count}", &value.to_string());
        }
        let mut salted = config.salt.clone();
        if value != 1 {
            salted.push_str(&format!(":{}", value - 1));
        }
        salted.push_str(text.trim());
        let hash = Sha512::digest(salted.as_bytes());
        let last: [u8; 4] = hash[hash.len() - 4..].try_into().expect("four bytes");
        let seed = u32::from_be_bytes(last) % (1 << 31);
        let words = shell_words::split(&text).map_err(|error| refuse(format!("`{}`: {error}", text.trim())))?;
        let Some((program, args)) = words.split_first() else { return Err(refuse("an empty command".into())) };
        let seeds: usize = args.iter().map(|arg| with_seed(arg, 0).1).sum();
        if seeds > 1 {
            return Err(refuse(format!("`{}`: {{seed}} is there more than once", text.trim())));
        }
        let program = match self.generators.get(program).cloned() {
            Some(files) => self.program(&files, "generators", true, node)?,
            None => {
                let path = self.below("generators", program, node)?;
                self.program(&[path], "generators", false, node)?
            }
        };
        let tries = if seeds > 0 { config.retries } else { 1 };
        let call = |attempt: u32| {
            let seed = (seed + attempt) % (1 << 31);
            args.iter().map(|arg| with_seed(&arg.replace("{name}", "testcase"), seed).0).collect()
        };
        Ok(GeneratorCommand { program, tries: (0..tries).map(call).collect() })
    }

    /// Index of the program that consists of these files. With `together`, several files form one program, which the
    /// first one starts.
    fn program(&mut self, paths: &[PathBuf], kind: &str, together: bool, node: &Node) -> Result<usize, PackageError> {
        let program = match together {
            false => Program::read(self.files, &paths[0])?,
            true => {
                let named = |path: &PathBuf| {
                    (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path.clone())
                };
                let files: Vec<_> = paths.iter().map(named).collect();
                let Some((name, _)) = files.first() else {
                    return Err(PackageError::at(self.file, node.line, "a generator without files"));
                };
                Program::new(name.clone(), files)
            }
        };
        let entry_point = program.files.first().filter(|_| together).map(|(name, _)| name.clone());
        if let Some(known) = self.programs.iter().position(|(known, ..)| *known == program) {
            return Ok(known);
        }
        self.programs.push((program, kind.to_owned(), Overrides { language: None, entry_point }));
        Ok(self.programs.len() - 1)
    }

    /// The solution if none is named: an accepted submission. `None` if there is none.
    fn any_solution(&mut self, node: &Node) -> Result<Option<usize>, PackageError> {
        if let Some(known) = self.default_solution {
            return Ok(known);
        }
        let folder = self.files.root().join("submissions/accepted");
        let names = if folder.is_dir() { self.files.list(&folder)? } else { Vec::new() };
        let found = match names.first() {
            Some(name) => {
                self.notices.push(format!("no solution is named; submissions/accepted/{name} gives the answers"));
                Some(self.program(&[folder.join(name)], "submissions", false, node)?)
            }
            None => None,
        };
        self.default_solution = Some(found);
        Ok(found)
    }

    /// A path in the package.
    fn below(&self, folder: &str, path: &str, node: &Node) -> Result<PathBuf, PackageError> {
        let inside = !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        let whole = self.files.root().join(folder).join(path);
        if !inside || !whole.exists() {
            let reason = match inside {
                true => format!("no such file or folder: {}", whole.display()),
                false => format!("`{path}` is not a path inside the package"),
            };
            return Err(PackageError::at(self.file, node.line, reason));
        }
        Ok(whole)
    }

    /// Checks that a name can be used for a file.
    fn usable(&self, name: &str, node: &Node) -> Result<String, PackageError> {
        let first = name.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
        if !first || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
            let reason = format!("invalid name `{name}`: it has letters, digits, `-`, `_` and `.`");
            return Err(PackageError::at(self.file, node.line, reason));
        }
        Ok(name.to_owned())
    }
}

/// An argument in which the seed replaces `{seed}` or `{seed:N}`, and the number of replacements.
fn with_seed(arg: &str, seed: u32) -> (String, usize) {
    let (mut text, mut rest, mut found) = (String::new(), arg, 0);
    while let Some(at) = rest.find("{seed") {
        let behind = &rest[at + 5..];
        let end = behind.find('}').filter(|&end| {
            let number = behind[..end].strip_prefix(':');
            end == 0 || number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        });
        text.push_str(&rest[..at]);
        match end {
            Some(end) => {
                text.push_str(&seed.to_string());
                found += 1;
                rest = &behind[end + 1..];
            }
            None => {
                text.push_str("{seed");
                rest = behind;
            }
        }
    }
    (text + rest, found)
}

/// A value as the text of a file: a text unchanged, other values as YAML.
fn text_of(node: &Node) -> String {
    match &node.value {
        Value::Scalar(text) => text.clone(),
        _ => flow(node) + "\n",
    }
}

/// A value in one line of YAML.
fn flow(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Scalar(text) => quoted(text),
        Value::List(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, node)| format!("{}: {}", quoted(key), flow(node)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}
