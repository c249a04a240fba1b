//! Static validators: programs of a package that judge the files of submissions instead of their output.

use std::path::Path;

use crate::Package;
use crate::data::{Data, Group, STATIC_SCORE, ScoreMode, StaticCase};
use crate::error::PackageError;
use crate::input_validators::ToolPlan;
use crate::metadata::Metadata;
use crate::options::Options;
use judge_core::external::ACCEPTED;

/// The folder of the static validator in a package.
pub(crate) const FOLDER: &str = "static_validator";

/// Each result of a submission has an index: first the test cases, then static validation.
impl Data {
    /// The number of results that a submission has.
    pub fn results(&self) -> usize {
        self.cases.len() + self.statics.len()
    }

    /// The static validation test case of a result; `None` for the result of a test case.
    pub fn static_case(&self, result: usize) -> Option<&StaticCase> {
        self.statics.get(result.checked_sub(self.cases.len())?)
    }

    /// The name of a result for people.
    ///
    /// # Panics
    ///
    /// If there is no result with that index.
    pub fn result_name(&self, result: usize) -> String {
        match self.static_case(result) {
            Some(case) => format!("{} (static validation)", case.group),
            None => self.cases[result].name.clone(),
        }
    }

    /// The name that patterns match for a result: static validation has the name of its group.
    pub(crate) fn matched_name(&self, result: usize) -> &str {
        self.static_case(result).map_or_else(|| self.cases[result].name.as_str(), |case| case.group.as_str())
    }

    /// The indices of all results of a group and of the groups in it.
    pub(crate) fn results_in(&self, group: &Group) -> Vec<usize> {
        let mut results = group.cases();
        let within = |case: &StaticCase| {
            let rest = case.group.strip_prefix(group.name.as_str());
            group.name.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let statics = self.statics.iter().enumerate().filter(|(_, case)| within(case));
        results.extend(statics.map(|(index, _)| self.cases.len() + index));
        results
    }

    /// The largest score of a test case in a group of 2025-09 whose members have scores; `None` without a bound.
    pub(crate) fn most_per_case(&self, group: &Group) -> Option<f64> {
        let statics = self.results_in(group).into_iter().filter_map(|result| self.static_case(result)?.max_score);
        #[expect(clippy::cast_precision_loss, reason = "fewer test cases than a float counts exactly")]
        let shared = |most: f64| (most - statics.sum::<f64>()) / group.cases().len().max(1) as f64;
        match group.rules.score {
            ScoreMode::Sum => group.rules.max_score.map(shared),
            _ => group.rules.max_score,
        }
    }
}

impl Package {
    /// Writes the static validator into a separate folder below a folder; `None` if nothing calls it.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, or one in the folder cannot be written.
    pub fn write_static_validator(
        &self,
        folder: &Path,
        options: &Options<'_>,
    ) -> Result<Option<ToolPlan>, PackageError> {
        let Some(validator) = self.static_validator.as_ref().filter(|_| !self.data.statics.is_empty()) else {
            return Ok(None);
        };
        let plan = ToolPlan::new(FOLDER.to_owned(), FOLDER.to_owned(), ACCEPTED);
        Ok(Some(plan.of_program(self.write_program(validator, (FOLDER, FOLDER), folder, options))))
    }
}

/// Checks that a package with a static validator may have one. Returns notices.
pub(crate) fn check(
    package_root: &Path,
    present: bool,
    metadata: &Metadata,
    data: &Data,
) -> Result<Vec<String>, PackageError> {
    let place = package_root.join(FOLDER);
    if let Some(case) = data.statics.first().filter(|_| !present) {
        let reason = format!("no such folder, but {} has {STATIC_SCORE}", case.group);
        return Err(PackageError::whole(&place, reason));
    }
    if present && metadata.submit_answer {
        return Err(PackageError::whole(&place, "a submit-answer problem has no static validator; remove it"));
    }
    let notice = match (present, metadata.legacy_grading, data.statics.is_empty()) {
        (false, ..) => return Ok(Vec::new()),
        (true, true, _) => "ignored: only packages of version 2025-09 have static validators".to_owned(),
        (true, false, true) => format!("not called: no test_group.yaml has {STATIC_SCORE}"),
        (true, false, false) => {
            "used to verify the package; a contest does not call it, and has no points for it".to_owned()
        }
    };
    Ok(vec![format!("{FOLDER}: {notice}")])
}
