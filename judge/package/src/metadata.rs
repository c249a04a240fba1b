//! `problem.yaml`: the metadata of a package, in the versions `legacy`, `legacy-icpc`, `2023-07` and `2025-09`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::PackageError;
use crate::table::Table;
use crate::yaml::{Node, Value};

/// The most bytes of a text after its constants were replaced.
const MAX_REPLACED_BYTES: usize = 16 << 20;
/// The most passes of a submission, as in contest files.
const MAX_PASSES: u32 = 10_000;

/// The version of the format that a package is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// `legacy` and its subset `legacy-icpc`; also packages without a version.
    Legacy,
    /// `2025-09`, its drafts and the drafts of `2023-07`.
    Current,
}

/// The direction in which scores are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// Higher scores are better, as `objective: max` says.
    Max,
    /// Lower scores are better, as `objective: min` says.
    Min,
}

/// The metadata of a package.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Metadata {
    /// Version of the package format.
    pub version: Version,
    /// True if groups are graded as in the legacy version, as also in the drafts of 2023-07.
    pub legacy_grading: bool,
    /// Name of the problem, in English if there is such a name.
    pub name: String,
    /// True if accepted submissions get a score.
    pub scoring: bool,
    /// True if submissions talk to the validator.
    pub interactive: bool,
    /// The most passes of a submission on a test case; `None` for a single pass.
    pub passes: Option<u32>,
    /// True if a submission consists of answers, and not of a program.
    pub submit_answer: bool,
    /// True if the package has its own validator.
    pub custom_validator: bool,
    /// True if that validator must write a score for each accepted test case.
    pub score_required: bool,
    /// Arguments for the validator on every test case, before those of the group.
    pub validator_args: Vec<String>,
    /// The direction in which scores are better.
    pub objective: Objective,
    /// The grading rules that old packages have here instead of in their groups.
    pub grading: OldGrading,
    /// Limits of submissions and validators.
    pub limits: Limits,
    /// Values for `{{name}}` and `{{name.variant}}` in programs and in `test_group.yaml`, by these names.
    pub constants: BTreeMap<String, String>,
    /// Authors, source and licence for people, one fact per line.
    pub credits: Vec<String>,
}

/// Grading keys that predate test data groups.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct OldGrading {
    /// Score of an accepted test case.
    pub accept_score: Option<f64>,
    /// Score of a rejected test case.
    pub reject_score: Option<f64>,
    /// The least and the largest score of a test case.
    pub range: Option<(f64, f64)>,
    /// False if the test cases after a rejected one are also judged.
    pub stop_on_reject: Option<bool>,
}

/// Limits in the units of the format.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Time limit in seconds of CPU time; `None` if it follows from the submissions.
    pub time: Option<f64>,
    /// A time limit that follows from submissions is a multiple of this, in seconds.
    pub time_resolution: f64,
    /// The time limit is at least this times the time of the slowest accepted submission.
    pub accepted_to_limit: f64,
    /// A submission that is too slow takes at least this times the time limit.
    pub limit_to_slow: f64,
    /// Memory of a submission in MiB.
    pub memory: u64,
    /// Standard output of a submission in MiB.
    pub output: u64,
    /// Total size of a submission's files, in KiB. Larger submissions are judged, with a notice.
    pub code: u64,
    /// Time for a build, in seconds.
    pub compilation_time: u64,
    /// Memory for a build, in MiB.
    pub compilation_memory: u64,
    /// Time for the validator, in seconds.
    pub validation_time: u64,
    /// Memory for the validator, in MiB.
    pub validation_memory: u64,
    /// Output of the validator, in MiB.
    pub validation_output: u64,
    /// Passes of a submission on a test case, if the problem has several.
    pub passes: u32,
}

impl Metadata {
    /// Reads the map of a `problem.yaml`. Returns it with notices about what was ignored. `has_validator` is true if
    /// the package contains a validator.
    pub(crate) fn read(file: &Path, node: &Node, has_validator: bool) -> Result<(Self, Vec<String>), PackageError> {
        let table = Table::new(file, "problem.yaml", node)?;
        let version = match table.text("problem_format_version")? {
            None | Some("legacy" | "legacy-icpc") => Version::Legacy,
            Some("2025-09" | "2025-09-draft" | "2023-07" | "2023-07-draft" | "draft") => Version::Current,
            Some(other) => {
                let reason = format!(
                    "unknown problem_format_version `{other}`; available: legacy, legacy-icpc, 2023-07-draft, 2025-09"
                );
                return Err(table.refuse_at(table.get("problem_format_version").expect("it has a value"), reason));
            }
        };
        let draft = table.text("problem_format_version")?.is_some_and(|version| version.starts_with("2023-07"));
        let mut notices = Vec::new();
        let validation = table.text("validation")?.unwrap_or("default");
        let mut words = validation.split_whitespace();
        let custom = match words.next().unwrap_or("default") {
            "default" => false,
            "custom" => true,
            other => return Err(table.refuse(format!("unknown validation `{other}`; available: default, custom"))),
        };
        let kinds = table.texts("type")?.unwrap_or_default();
        let (mut scoring, mut interactive, mut multi_pass, mut submit_answer) = (false, false, false, false);
        let mut pass_fail = false;
        let mut score_required = false;
        // A draft had several types in one text.
        for kind in kinds.iter().flat_map(|kind| kind.split_whitespace()).chain(words) {
            match kind {
                "pass-fail" => pass_fail = true,
                "scoring" => scoring = true,
                "score" => score_required = true,
                "interactive" => interactive = true,
                "multi-pass" => multi_pass = true,
                "submit-answer" => submit_answer = true,
                other => return Err(table.refuse(format!("unknown type or kind of validation `{other}`"))),
            }
        }
        if pass_fail && scoring {
            return Err(table.refuse("a problem cannot be both pass-fail and scoring"));
        }
        if submit_answer && (interactive || multi_pass) {
            let other = if interactive { "interactive" } else { "multi-pass" };
            return Err(table.refuse(format!("a problem cannot be both submit-answer and {other}")));
        }
        let custom_validator = match version {
            Version::Legacy => custom,
            Version::Current => has_validator,
        };
        if score_required && !scoring {
            notices.push("validation: `score` is ignored: the type of the problem is not scoring".to_owned());
        }
        if has_validator && !custom_validator {
            notices.push("output_validators is ignored: problem.yaml does not say `validation: custom`".to_owned());
        }
        let grading = table.get("grading").map(|node| Table::new(file, "grading", node)).transpose()?;
        let objective = match grading.as_ref().map(|grading| grading.text("objective")).transpose()?.flatten() {
            None | Some("max") => Objective::Max,
            Some("min") => Objective::Min,
            Some(other) => return Err(table.refuse(format!("unknown objective `{other}`; available: max, min"))),
        };
        let limits = Limits::read(&table, version, &mut notices)?;
        let read = Self {
            version,
            legacy_grading: version == Version::Legacy || draft,
            name: name(&table)?,
            scoring,
            interactive,
            passes: multi_pass.then_some(limits.passes),
            submit_answer,
            custom_validator,
            score_required: score_required && scoring && version == Version::Legacy,
            validator_args: table.arguments("validator_flags")?.unwrap_or_default(),
            objective,
            grading: grading.as_ref().map(OldGrading::read).transpose()?.unwrap_or_default(),
            limits,
            constants: constants(&table)?,
            credits: credits(&table),
        };
        // For people, for archives, or for parts of a package that are not imported.
        for key in ["uuid", "version", "keywords", "embargo_until", "allow_file_writing", "libraries"] {
            table.get(key);
        }
        if let Some(languages) = table.texts("languages")?.filter(|languages| languages != &["all"]) {
            notices.push(format!("the package allows these languages only: {}", languages.join(", ")));
        }
        if let Some(grading) = &grading {
            grading.get("show_test_data_groups");
            grading.get("custom_scoring");
            notices.extend(grading.unknown());
        }
        if let Some(node) = table.get("output_validator_flags") {
            let right = match version {
                Version::Legacy => "`validator_flags`",
                Version::Current => "`output_validator_args` in data/test_group.yaml",
            };
            let exactly = if custom_validator { "" } else { ", and answers are compared exactly" };
            let (file, line) = (file.display(), node.line);
            notices.push(format!("{file}:{line}: `output_validator_flags` is ignored{exactly}; the key is {right}"));
        }
        notices.extend(table.unknown());
        Ok((read, notices))
    }
}

impl OldGrading {
    fn read(table: &Table<'_>) -> Result<Self, PackageError> {
        let stop_on_reject = match table.text("on_reject")? {
            None | Some("worst_error") => None,
            Some("first_error") => Some(true),
            Some("grade") => Some(false),
            Some(other) => return Err(table.refuse(format!("unknown on_reject `{other}`"))),
        };
        let range = table.text("range")?.map(|text| range(text).map_err(|reason| table.refuse(reason))).transpose()?;
        let (accept_score, reject_score) = (table.score("accept_score")?, table.score("reject_score")?);
        Ok(Self { accept_score, reject_score, range, stop_on_reject })
    }
}

/// Two numbers, which may be infinite.
pub(crate) fn range(text: &str) -> Result<(f64, f64), String> {
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [low, high] if low <= high => Ok((low, high)),
        _ => Err(format!("invalid range `{text}`; expected two numbers such as `0 100` or `0 +inf`")),
    }
}

impl Limits {
    fn read(table: &Table<'_>, version: Version, notices: &mut Vec<String>) -> Result<Self, PackageError> {
        let empty = Node { line: 1, value: Value::Null };
        let limits = Table::new(table.file(), "limits", table.get("limits").unwrap_or(&empty))?;
        // Legacy packages have no such key.
        let multipliers = match version {
            Version::Legacy => None,
            Version::Current => limits.get("time_multipliers"),
        };
        let multipliers = Table::new(table.file(), "time_multipliers", multipliers.unwrap_or(&empty))?;
        let (accepted, slow) = match version {
            Version::Legacy => (5.0, 2.0),
            Version::Current => (2.0, 1.5),
        };
        let at_least = |table: &Table<'_>, key: &str| -> Result<Option<f64>, PackageError> {
            match table.limit(key)? {
                Some(number) if number < 1.0 => Err(table.refuse(format!("{key} must be at least 1, not {number}"))),
                number => Ok(number),
            }
        };
        let whole = |key: &str, usual: u64| -> Result<u64, PackageError> {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "`limit` returns more than 0 and at most 1e9"
            )]
            Ok(limits.limit(key)?.map_or(usual, |number| number.ceil() as u64))
        };
        let read = Self {
            time: limits.limit("time_limit")?,
            time_resolution: limits.limit("time_resolution")?.unwrap_or(1.0),
            accepted_to_limit: match at_least(&multipliers, "ac_to_time_limit")? {
                Some(number) => number,
                None => at_least(&limits, "time_multiplier")?.unwrap_or(accepted),
            },
            limit_to_slow: match at_least(&multipliers, "time_limit_to_tle")? {
                Some(number) => number,
                None => at_least(&limits, "time_safety_margin")?.unwrap_or(slow),
            },
            memory: whole("memory", 2048)?,
            output: whole("output", 8)?,
            code: whole("code", 128)?,
            compilation_time: whole("compilation_time", 60)?,
            compilation_memory: whole("compilation_memory", 2048)?,
            validation_time: whole("validation_time", 60)?,
            validation_memory: whole("validation_memory", 2048)?,
            validation_output: whole("validation_output", 8)?,
            passes: match limits.number("validation_passes")? {
                None => 2,
                Some(number) => whole_passes(number).ok_or_else(|| {
                    limits.refuse(format!(
                        "validation_passes must be a whole number from 2 to {MAX_PASSES}, not {number}"
                    ))
                })?,
            },
        };
        let steps = read.time.map(|time| time / read.time_resolution);
        if steps.is_some_and(|steps| (steps - steps.round()).abs() > 1e-6) && version == Version::Current {
            let resolution = read.time_resolution;
            notices.push(format!(
                "limits: time_limit is not a multiple of time_resolution, {resolution} s; it holds as it is"
            ));
        }
        notices.extend(limits.unknown());
        notices.extend(multipliers.unknown());
        Ok(read)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is small and not negative")]
fn whole_passes(number: f64) -> Option<u32> {
    let fits = number.fract() == 0.0 && (2.0..=f64::from(MAX_PASSES)).contains(&number);
    fits.then_some(number as u32)
}

/// The English name, or otherwise the first name, or otherwise the name of the folder.
fn name(table: &Table<'_>) -> Result<String, PackageError> {
    let folder = table.file().parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let Some(node) = table.get("name") else { return Ok(folder.into_owned()) };
    match &node.value {
        Value::Map(pairs) => {
            let english = pairs.iter().find(|(language, _)| language == "en").or(pairs.first());
            match english.map(|(_, node)| &node.value) {
                Some(Value::Scalar(name)) => Ok(name.clone()),
                _ => Err(table.refuse_at(node, "name must map languages to names")),
            }
        }
        _ => Ok(table.text("name")?.unwrap_or(&folder).to_owned()),
    }
}

fn constants(table: &Table<'_>) -> Result<BTreeMap<String, String>, PackageError> {
    let mut constants = BTreeMap::new();
    let Some(node) = table.get("constants") else { return Ok(constants) };
    let values = Table::new(table.file(), "constants", node)?;
    for (name, node) in values.pairs() {
        if let Value::Map(_) = node.value {
            let variants = Table::new(table.file(), name, node)?;
            for (variant, _) in variants.pairs() {
                let Some(value) = variants.text(variant)? else { continue };
                constants.insert(format!("{name}.{variant}"), value.to_owned());
                if variant == "value" {
                    constants.insert(name.clone(), value.to_owned());
                }
            }
        } else if let Some(value) = values.text(name)? {
            constants.insert(name.clone(), value.to_owned());
            constants.insert(format!("{name}.value"), value.to_owned());
        }
    }
    Ok(constants)
}

/// The people, source and licence of a package, if they are plain text.
fn credits(table: &Table<'_>) -> Vec<String> {
    let keys = ["author", "credits", "source", "source_url", "license", "rights_owner"];
    keys.iter().filter_map(|key| table.get(key).map(|node| format!("{key}: {}", flat(node)))).collect()
}

/// A value in one line, without e-mail addresses of people.
fn flat(node: &Node) -> String {
    let join = |parts: Vec<String>| parts.join("; ");
    match &node.value {
        Value::Null => String::new(),
        Value::Scalar(text) => text.split('<').next().unwrap_or_default().trim().to_owned(),
        Value::List(items) => join(items.iter().map(flat).collect()),
        Value::Map(pairs) => {
            let kept = pairs.iter().filter(|(key, _)| key != "email");
            join(
                kept.map(|(key, node)| if key == "name" { flat(node) } else { format!("{key}: {}", flat(node)) })
                    .collect(),
            )
        }
    }
}

/// A text with every `{{name}}` of a known constant replaced by its value; the error is the reason why it is refused.
pub(crate) fn with_constants(text: &str, constants: &BTreeMap<String, String>) -> Result<String, String> {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let inner = &rest[start + 2..];
        // Names have no braces, so no text is searched twice.
        let end = inner.find(['{', '}']).filter(|&end| inner[end..].starts_with("}}"));
        let known = end.and_then(|end| Some((end, constants.get(&inner[..end])?)));
        replaced.push_str(&rest[..start]);
        if let Some((end, value)) = known {
            replaced.push_str(value);
            if replaced.len() > MAX_REPLACED_BYTES {
                let most = MAX_REPLACED_BYTES >> 20;
                return Err(format!("is larger than {most} MiB with the values of its constants"));
            }
            rest = &inner[end + 2..];
        } else {
            // One brace: `{{{name}}` contains a constant as well.
            replaced.push('{');
            rest = &rest[start + 1..];
        }
    }
    replaced.push_str(rest);
    Ok(replaced)
}
