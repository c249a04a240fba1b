//! Submissions of a package: their programs, and the package's expectations.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::PackageError;
use crate::expect::{Expectation, Requirement};
use crate::files::Files;
use crate::glob::Pattern;
use crate::judgement::Judgement;
use crate::metadata::{Metadata, Version};
use crate::program::{Overrides, Program};
use crate::table::Table;
use crate::yaml::{self, Node, Value};

/// The largest source that is searched for expected results, in bytes.
const MAX_SOURCE_BYTES: u64 = 1 << 20;
/// The markers before the expected results and the expected score in a source, as DOMjudge writes them.
const RESULTS_TAG: &str = "@EXPECTED_RESULTS@:";
const SCORE_TAG: &str = "@EXPECTED_SCORE@:";

/// A submission of the package, with its expected result.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Submission {
    /// Path below `submissions`, such as `accepted/fast.cc`.
    pub path: String,
    /// Its source files and language.
    pub program: Program,
    /// The expectation of the package.
    pub expectation: Expectation,
    pub(crate) overrides: Overrides,
}

/// Requirements of a folder of `submissions` in 2025-09: permitted and required judgements.
fn requirement_of_folder(folder: &str) -> Option<Requirement> {
    use Judgement::{Accepted, RunTimeError, TimeLimit, WrongAnswer};
    let (permitted, required): (Option<&[Judgement]>, Option<&[Judgement]>) = match folder {
        "accepted" => (Some(&[Accepted]), None),
        "rejected" => (None, Some(&[RunTimeError, TimeLimit, WrongAnswer])),
        "wrong_answer" => (Some(&[Accepted, WrongAnswer]), Some(&[WrongAnswer])),
        "time_limit_exceeded" => (Some(&[Accepted, TimeLimit]), Some(&[TimeLimit])),
        "run_time_error" => (Some(&[Accepted, RunTimeError]), Some(&[RunTimeError])),
        "brute_force" => (Some(&[Accepted, RunTimeError, TimeLimit]), Some(&[RunTimeError, TimeLimit])),
        _ => return None,
    };
    let list = |judgements: Option<&[Judgement]>| judgements.map(<[Judgement]>::to_vec);
    Some(Requirement {
        permitted: list(permitted),
        required: list(required),
        source: folder.to_owned(),
        ..Requirement::default()
    })
}

/// Reads the folder `submissions`. Also returns notices about what was ignored.
pub(crate) fn read(files: &Files, metadata: &Metadata) -> Result<(Vec<Submission>, Vec<String>), PackageError> {
    let folder = files.root().join("submissions");
    let (mut submissions, mut notices) = (Vec::new(), Vec::new());
    if !folder.is_dir() {
        return Ok((submissions, notices));
    }
    let rules = Rules::read(files, &folder, metadata)?;
    let entry_points = entry_points(files)?;
    let mut unknown = Vec::new();
    for kind in files.list(&folder)? {
        let below = folder.join(&kind);
        if !below.is_dir() {
            continue;
        }
        for name in files.list(&below)? {
            let program = Program::read(files, &below.join(&name))?;
            let path = format!("{kind}/{name}");
            notices.extend(too_long(&program, &path, metadata)?);
            let mut overrides = rules.overrides(&path);
            overrides.entry_point = overrides.entry_point.or_else(|| entry_points.get(&path).cloned());
            let expectation = match tagged(files, &program, &kind)? {
                Some(tagged) => tagged,
                None => expectation(&kind, &path, metadata, &rules),
            };
            if expectation == Expectation::Nothing && !unknown.contains(&kind) {
                unknown.push(kind.clone());
            }
            submissions.push(Submission { path, program, expectation, overrides });
        }
    }
    for kind in unknown {
        notices.push(format!("submissions/{kind}: the package states no expected result for some submissions there"));
    }
    notices.extend(rules.notices);
    Ok((submissions, notices))
}

/// A notice on a submission that is longer than `code` allows, which contest systems refuse. Answers do not count as
/// code.
fn too_long(program: &Program, path: &str, metadata: &Metadata) -> Result<Option<String>, PackageError> {
    let sizes = program.files.iter().map(|(_, file)| crate::data::size(file)).collect::<Result<Vec<_>, _>>()?;
    let (bytes, most) = (sizes.iter().sum::<u64>(), metadata.limits.code);
    let fits = metadata.submit_answer || bytes <= most.saturating_mul(1024);
    Ok((!fits).then(|| {
        let larger = bytes.div_ceil(1024);
        format!(
            "submissions/{path}: {larger} KiB, more than `code` in `limits` allows, {most} KiB; judged all the same"
        )
    }))
}

fn expectation(kind: &str, path: &str, metadata: &Metadata, rules: &Rules) -> Expectation {
    let mut requirements = rules.requirements(path);
    if metadata.version == Version::Current || !requirements.is_empty() {
        if !rules.replaces.contains(&kind.to_owned()) {
            requirements.extend(requirement_of_folder(kind));
        }
        // Drafts kept the folder of legacy packages.
        if requirements.is_empty() && kind == "partially_accepted" {
            return Expectation::Partial;
        }
        return if requirements.is_empty() { Expectation::Nothing } else { Expectation::Cases(requirements) };
    }
    match kind {
        "partially_accepted" => Expectation::Partial,
        "rejected" => Expectation::Rejected,
        "brute_force" => requirement_of_folder(kind).map_or(Expectation::Nothing, |one| Expectation::Cases(vec![one])),
        _ => Judgement::named(kind).map_or(Expectation::Nothing, |judgement| Expectation::Result(vec![judgement])),
    }
}

/// The expectation that the sources of a program state. `None` without such a statement, or with several of one kind; in that
/// case the folder counts. An unknown statement can only be checked by hand. If a statement lists several results, a result of
/// the folder restricts them.
fn tagged(files: &Files, program: &Program, folder: &str) -> Result<Option<Expectation>, PackageError> {
    let (mut results, mut scores) = (Vec::new(), Vec::new());
    for (_, file) in &program.files {
        if crate::data::size(file)? > MAX_SOURCE_BYTES {
            continue;
        }
        let text = files.source(file, MAX_SOURCE_BYTES)?;
        for (tag, found) in [(RESULTS_TAG, &mut results), (SCORE_TAG, &mut scores)] {
            let lines = text.split(tag).skip(1).map(|after| after.lines().next().unwrap_or_default());
            found.extend(lines.map(|line| line.trim().trim_end_matches("*/").trim().to_owned()));
        }
    }
    let score = scores.first().and_then(|score| score.parse().ok()).filter(|score: &f64| score.is_finite());
    // Results may have the tag of scores.
    if score.is_none() {
        results.append(&mut scores);
    }
    if results.len() > 1 || scores.len() > 1 || results.is_empty() && score.is_none() {
        return Ok(None);
    }
    let mut named: Vec<Judgement> =
        results.iter().flat_map(|line| line.split(',')).filter_map(Judgement::named).collect();
    let of_folder = Judgement::named(folder);
    if let Some(of_folder) = of_folder.filter(|of_folder| named.contains(of_folder) || results.is_empty()) {
        named = vec![of_folder];
    }
    Ok(Some(match (named.is_empty(), score) {
        (true, None) => Expectation::Result(named),
        _ => Expectation::Tagged { results: named, score },
    }))
}

/// Entry points in DOMjudge's `submissions.json`, by path below `submissions`.
fn entry_points(files: &Files) -> Result<BTreeMap<String, String>, PackageError> {
    let file = files.root().join("submissions.json");
    let mut points = BTreeMap::new();
    if !file.is_file() {
        return Ok(points);
    }
    // JSON is YAML.
    let node = yaml::parse(&files.text(&file, MAX_SOURCE_BYTES)?)
        .map_err(|error| PackageError::at(&file, error.line, error.reason))?;
    let Value::Map(pairs) = &node.value else { return Ok(points) };
    for (path, node) in pairs {
        if let Value::Map(_) = node.value {
            let table = Table::new(&file, path, node)?;
            if let Some(point) = table.text("entry_point")? {
                let path = path.trim_start_matches("submissions/").trim_end_matches('/');
                points.insert(path.to_owned(), point.to_owned());
            }
        }
    }
    Ok(points)
}

/// The contents of `submissions.yaml`, in the order of its rules.
#[derive(Default)]
struct Rules {
    rules: Vec<Rule>,
    /// Folders whose usual requirement is replaced.
    replaces: Vec<String>,
    notices: Vec<String>,
}

struct Rule {
    pattern: Pattern,
    overrides: Overrides,
    requirements: Vec<Requirement>,
}

impl Rules {
    fn read(files: &Files, folder: &Path, metadata: &Metadata) -> Result<Self, PackageError> {
        let file = folder.join("submissions.yaml");
        if metadata.version == Version::Legacy || !file.is_file() {
            return Ok(Self::default());
        }
        let text = files.text(&file, MAX_SOURCE_BYTES)?;
        let node = yaml::parse(&text).map_err(|error| PackageError::at(&file, error.line, error.reason))?;
        let mut read = Self::default();
        for (pattern, node) in Table::new(&file, "submissions.yaml", &node)?.pairs() {
            let table = Table::new(&file, pattern, node)?;
            let overrides = Overrides {
                language: table.text("language")?.map(str::to_owned),
                entry_point: table.text("entrypoint")?.map(str::to_owned),
            };
            for key in ["authors", "model_solution"] {
                table.get(key);
            }
            let (mut own, timing) = requirement(&table, pattern)?;
            if requirement_of_folder(pattern).is_some() {
                // The name of a folder replaces its usual requirement; keys that are missing stay as they were.
                let usual = requirement_of_folder(pattern).unwrap_or_default();
                own.permitted = own.permitted.or(usual.permitted);
                own.required = own.required.or(usual.required);
                read.replaces.push(pattern.clone());
            }
            let mut requirements: Vec<Requirement> = timing.into_iter().collect();
            if !own.is_empty() {
                requirements.push(own);
            }
            for (key, node) in table.pairs() {
                if is_requirement_key(key) || ["language", "entrypoint", "authors", "model_solution"].contains(&&**key)
                {
                    continue;
                }
                let Node { value: Value::Map(_), .. } = node else { continue };
                table.get(key);
                let part = Table::new(&file, key, node)?;
                let (requirement, timing) = requirement(&part, pattern)?;
                read.notices.extend(part.unknown());
                let all = [requirement].into_iter().chain(timing);
                requirements.extend(all.map(|one| Requirement { cases: Some(key.clone()), ..one }));
            }
            read.notices.extend(table.unknown());
            read.rules.push(Rule { pattern: Pattern::new(pattern), overrides, requirements });
        }
        Ok(read)
    }

    fn of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Rule> {
        self.rules.iter().filter(move |rule| rule.pattern.matches(path))
    }

    fn overrides(&self, path: &str) -> Overrides {
        let mut overrides = Overrides::default();
        for rule in self.of(path) {
            overrides.language = rule.overrides.language.clone().or(overrides.language);
            overrides.entry_point = rule.overrides.entry_point.clone().or(overrides.entry_point);
        }
        overrides
    }

    fn requirements(&self, path: &str) -> Vec<Requirement> {
        self.of(path).flat_map(|rule| rule.requirements.clone()).collect()
    }
}

fn is_requirement_key(key: &str) -> bool {
    ["permitted", "required", "score", "message", "use_for_time_limit"].contains(&key)
}

/// The requirement of a map, and the requirement that follows from its use for the time limit.
fn requirement(table: &Table<'_>, pattern: &str) -> Result<(Requirement, Option<Requirement>), PackageError> {
    use Judgement::{Accepted, RunTimeError, TimeLimit, WrongAnswer};
    let judgements = |key: &str| -> Result<Option<Vec<Judgement>>, PackageError> {
        let Some(words) = table.texts(key)? else { return Ok(None) };
        let read = |word: &String| {
            let known = Judgement::named(word).filter(|_| word.len() <= 3);
            known.ok_or_else(|| table.refuse(format!("{key}: unknown verdict `{word}`; available: AC, WA, TLE, RTE")))
        };
        words.iter().map(read).collect::<Result<_, _>>().map(Some)
    };
    let score = match table.texts("score")? {
        None => None,
        Some(words) => {
            let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
            match numbers[..] {
                [score] => Some((score, score)),
                [low, high] if words.len() == 2 && low <= high => Some((low, high)),
                _ => return Err(table.refuse("score must be a number, or a list of two")),
            }
        }
    };
    let for_time_limit = table.text("use_for_time_limit")?.map(str::to_owned);
    let source = format!("{pattern} (use_for_time_limit)");
    let timing = match for_time_limit.as_deref() {
        None | Some("true" | "false") => None,
        Some("lower") => Some((Some(vec![Accepted, WrongAnswer, RunTimeError]), None)),
        Some("upper") => Some((None, Some(vec![TimeLimit]))),
        Some(other) => {
            let reason = format!("unknown use_for_time_limit `{other}`; available: false, true, lower, upper");
            return Err(table.refuse(reason));
        }
    };
    let timing =
        timing.map(|(permitted, required)| Requirement { permitted, required, source, ..Requirement::default() });
    let own = Requirement {
        cases: None,
        permitted: judgements("permitted")?,
        required: judgements("required")?,
        score,
        message: table.text("message")?.filter(|message| !message.is_empty()).map(str::to_owned),
        for_time_limit,
        source: pattern.to_owned(),
    };
    Ok((own, timing))
}
