//! The score type of a task: its subtasks, and the rules that convert outcomes of their inputs to points.

use super::gen_file::{FILE, Gen};
use super::{MAX_INPUTS, codename};
use crate::data::ScoreMode;
use crate::error::PackageError;
use crate::files::Files;
use crate::table::{MAX_SCORE, Table};
use crate::yaml::{Node, Value};

/// A subtask, or all inputs of a task without subtasks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subtask {
    pub(super) name: String,
    pub(super) score: ScoreMode,
    /// The points of each input. The subtask gets their sum, average or minimum.
    pub(super) points: f64,
    /// Its inputs, by their indices.
    pub(super) inputs: Vec<usize>,
    /// Outcomes above 0 up to this one get the full points; `None` if the outcome is the share of the points.
    pub(super) threshold: Option<f64>,
}

impl Subtask {
    /// The most points of the subtask.
    #[expect(clippy::cast_precision_loss, reason = "fewer inputs than a float counts exactly")]
    pub(super) fn most(&self) -> f64 {
        if self.score == ScoreMode::Sum { self.points * self.inputs.len() as f64 } else { self.points }
    }

    fn of_all(score: ScoreMode, points: f64, inputs: usize) -> Self {
        Self { name: "tests".to_owned(), score, points, inputs: (0..inputs).collect(), threshold: None }
    }

    fn numbered(index: usize, points: f64, inputs: Vec<usize>) -> Self {
        Self { name: format!("subtask{}", index + 1), score: ScoreMode::Min, points, inputs, threshold: None }
    }
}

/// Subtasks, the number of each input's subtask, and notices.
type Found = (Vec<Subtask>, Vec<usize>, Vec<String>);

/// The subtasks, and the number of each input's subtask for the validator of inputs. They come from `task.yaml` if it has
/// all three keys, otherwise from `gen/GEN`; otherwise all inputs count alike. Also returns notices.
pub(super) fn read(table: &Table<'_>, files: &Files, with_checker: bool) -> Result<Found, PackageError> {
    let inputs = table.number("n_input")?.map(|number| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is small")]
        let whole = (number.fract() == 0.0 && (0.0..=10_000.0).contains(&number)).then_some(number as usize);
        whole.ok_or_else(|| table.refuse(format!("n_input must be a whole number up to {MAX_INPUTS}, not {number}")))
    });
    let inputs = inputs.transpose()?;
    let stated = (table.get("score_type"), table.get("score_type_parameters"));
    let total = table.score("total_value")?.unwrap_or(100.0);
    if let ((Some(_), Some(parameters)), Some(inputs)) = (stated, inputs) {
        let (subtasks, notices) = stated_ones(table, parameters, inputs, with_checker)?;
        return Ok((subtasks, Vec::new(), notices));
    }
    let ignored = stated
        .0
        .or(stated.1)
        .map(|_| "score_type is ignored: as in CMS, it counts only with score_type_parameters and n_input".to_owned());
    let notices = ignored.into_iter().collect();
    let Some(file) = Gen::read(files)? else {
        let inputs = inputs.ok_or_else(|| {
            let terry = files.root().join("managers").is_dir();
            let whose = if terry { "; managers/ and solutions/ are of Terry, another judge" } else { "" };
            table.refuse(format!("neither n_input nor {FILE} says how many inputs there are{whose}"))
        })?;
        return Ok((vec![Subtask::of_all(ScoreMode::Average, total, inputs)], Vec::new(), notices));
    };
    let path = files.root().join(FILE);
    if let Some(stated) = inputs.filter(|inputs| *inputs != file.inputs.len()) {
        let reason = format!("it has {} inputs, and n_input in task.yaml is {stated}", file.inputs.len());
        return Err(PackageError::whole(&path, reason));
    }
    if file.subtasks.is_empty() {
        return Ok((vec![Subtask::of_all(ScoreMode::Average, total, file.inputs.len())], file.numbers, notices));
    }
    let sum: u64 = file.subtasks.iter().map(|(points, _)| u64::from(*points)).sum();
    if sum != 100 {
        return Err(PackageError::whole(&path, format!("the points of its subtasks must add up to 100, not {sum}")));
    }
    if let Some(empty) = file.subtasks.iter().position(|(_, inputs)| *inputs == 0) {
        return Err(PackageError::whole(&path, format!("subtask {} has no input", empty + 1)));
    }
    let mut first = 0;
    let numbered = file.subtasks.iter().enumerate().map(|(index, (points, inputs))| {
        first += inputs;
        Subtask::numbered(index, f64::from(*points), (first - inputs..first).collect())
    });
    Ok((numbered.collect(), file.numbers, notices))
}

/// The subtasks that `task.yaml` states.
fn stated_ones(
    table: &Table<'_>,
    parameters: &Node,
    inputs: usize,
    with_checker: bool,
) -> Result<(Vec<Subtask>, Vec<String>), PackageError> {
    let refuse = |node: &Node, reason: String| table.refuse_at(node, format!("score_type_parameters: {reason}"));
    let number = |node: &Node| match &node.value {
        Value::Scalar(text) => {
            let number = text.parse().ok().filter(|number: &f64| number.abs() <= MAX_SCORE);
            number.ok_or_else(|| refuse(node, format!("expected a number, not `{text}`")))
        }
        _ => Err(refuse(node, format!("expected a number, not {}", node.kind()))),
    };
    let kind = table.text("score_type")?.unwrap_or_default();
    match kind {
        "Sum" => return Ok((vec![Subtask::of_all(ScoreMode::Sum, number(parameters)?, inputs)], Vec::new())),
        "GroupMul" if with_checker => {
            let reason =
                "GroupMul multiplies the outcomes of a checker; groups here have their sum, average, least or most";
            return Err(table.refuse(reason));
        }
        "GroupMin" | "GroupMul" | "GroupThreshold" => {}
        other => {
            let known = "Sum, GroupMin, GroupMul, GroupThreshold";
            return Err(table.refuse(format!("unknown score_type `{other}`; available: {known}")));
        }
    }
    let Value::List(entries) = &parameters.value else {
        return Err(refuse(parameters, format!("expected a list of subtasks, not {}", parameters.kind())));
    };
    let (mut subtasks, mut first, mut used) = (Vec::new(), 0, vec![false; inputs]);
    let mut kinds = std::collections::BTreeSet::new();
    for (index, entry) in entries.iter().enumerate() {
        let part = |place: usize, key: &str| match &entry.value {
            Value::List(parts) => parts.get(place),
            Value::Map(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        };
        let needed = |place: usize, key: &str| {
            part(place, key).ok_or_else(|| refuse(entry, format!("subtask {} has no {key}", index + 1)))
        };
        let points = number(needed(0, "max_score")?)?;
        let target = needed(1, "testcases")?;
        let chosen = match &target.value {
            Value::Scalar(text) if text == "0" || text.parse::<usize>().is_ok_and(|_| !text.starts_with('0')) => {
                let count: usize = text.parse().unwrap_or_default();
                let begin = first;
                first += count.min(inputs + 1);
                (begin..first).collect()
            }
            // A regular expression that the beginning of a name matches.
            Value::Scalar(text) => {
                let pattern = regex::Regex::new(&format!("^(?:{text})"));
                let pattern = pattern.map_err(|_| refuse(target, format!("`{text}` is no regular expression")))?;
                (0..inputs).filter(|input| pattern.is_match(&codename(*input))).collect::<Vec<_>>()
            }
            Value::List(names) => {
                let of = |node: &Node| match &node.value {
                    Value::Scalar(name) => (0..inputs).find(|input| codename(*input) == *name),
                    _ => None,
                };
                let found = |node| of(node).ok_or_else(|| refuse(node, "no input has this name, such as 000".into()));
                names.iter().map(found).collect::<Result<_, _>>()?
            }
            _ => return Err(refuse(target, "expected a number, a regular expression or a list of names".into())),
        };
        kinds.insert(match &target.value {
            Value::Scalar(text) => {
                if text.parse::<usize>().is_ok() {
                    "numbers"
                } else {
                    "expressions"
                }
            }
            _ => "lists",
        });
        if chosen.is_empty() || chosen.iter().any(|input| *input >= inputs) {
            let reason = if chosen.is_empty() { "has no input" } else { "has more inputs than there are" };
            return Err(refuse(target, format!("subtask {} {reason}", index + 1)));
        }
        chosen.iter().for_each(|input: &usize| used[*input] = true);
        let mut subtask = Subtask::numbered(index, points, chosen);
        if kind == "GroupThreshold" {
            let most = number(needed(2, "threshold")?)?;
            if !with_checker && most < 1.0 {
                return Err(refuse(
                    entry,
                    "without a checker, right answers have outcome 1, above the threshold".into(),
                ));
            }
            subtask.threshold = Some(most);
        }
        subtasks.push(subtask);
    }
    if kinds.len() > 1 {
        let reason = "all subtasks must have their inputs as numbers, as expressions, or as lists";
        return Err(refuse(parameters, reason.into()));
    }
    let unused = used.iter().filter(|used| !**used).count();
    let notice =
        (unused > 0).then(|| format!("score_type_parameters: {unused} inputs are in no subtask, and left out"));
    Ok((subtasks, notice.into_iter().collect()))
}
