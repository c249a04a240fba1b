//! Selects parts of a package by patterns like those in `submissions.yaml`.

use std::collections::HashSet;

use crate::data::{Group, Item};
use crate::error::PackageError;
use crate::glob::Pattern;
use crate::{Package, Submission};

/// The most names that an error lists.
const MAX_LISTED: usize = 8;

impl Package {
    /// The submissions that at least one pattern selects, by their indices. A pattern is a path below `submissions`, such as
    /// `wrong_answer/*.py`, a folder there, or the name of a file in one of these folders.
    ///
    /// # Errors
    ///
    /// A pattern selects none.
    pub fn select_submissions(&self, patterns: &[String]) -> Result<Vec<usize>, PackageError> {
        let names: Vec<&str> = self.submissions.iter().map(|submission| submission.path.as_str()).collect();
        let by_path = |submission: &Submission, pattern: &Pattern| {
            let file = submission.path.rsplit('/').next().unwrap_or_default();
            pattern.matches(&submission.path) || pattern.matches(file)
        };
        self.select("submission", patterns, &names, |index, pattern| by_path(&self.submissions[index], pattern))
    }

    /// Removes the test cases that no pattern selects, static validation of groups that no pattern selects, and tests
    /// of the validator. A pattern is a path below `data`, such as `secret/0*`, or a folder there. Afterwards,
    /// expectations about a submission as a whole cannot be compared.
    ///
    /// # Errors
    ///
    /// A pattern selects none.
    pub fn keep_cases(&mut self, patterns: &[String]) -> Result<(), PackageError> {
        let names: Vec<&str> = self.data.cases.iter().map(|case| case.name.as_str()).collect();
        let kept = self.select("test case", patterns, &names, |index, pattern| pattern.matches(names[index]))?;
        let mut places = vec![None; self.data.cases.len()];
        kept.iter().enumerate().for_each(|(place, &index)| places[index] = Some(place));
        keep(&mut self.data.root, &places);
        let mut left = HashSet::new();
        names_of(&self.data.root, &mut left);
        require(&mut self.data.root, &left);
        let patterns: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::new(pattern)).collect();
        self.data.statics.retain(|case| patterns.iter().any(|pattern| pattern.matches(&case.group)));
        self.outputs.clear();
        let mut index = 0;
        self.data.cases.retain(|_| {
            index += 1;
            places[index - 1].is_some()
        });
        Ok(())
    }

    fn select(
        &self,
        what: &str,
        patterns: &[String],
        names: &[&str],
        matches: impl Fn(usize, &Pattern) -> bool,
    ) -> Result<Vec<usize>, PackageError> {
        let compiled: Vec<Pattern> = patterns.iter().map(|pattern| Pattern::new(pattern)).collect();
        let selects = |pattern: &Pattern| (0..names.len()).any(|index| matches(index, pattern));
        if let Some((pattern, _)) = patterns.iter().zip(&compiled).find(|(_, compiled)| !selects(compiled)) {
            let more = if names.len() > MAX_LISTED { ", …" } else { "" };
            let names = names[..names.len().min(MAX_LISTED)].join(", ");
            let reason = format!("no {what} matches `{pattern}`; available: {names}{more}");
            return Err(PackageError::whole(self.files.root(), reason));
        }
        let selected = |index: &usize| compiled.iter().any(|pattern| matches(*index, pattern));
        Ok((0..names.len()).filter(selected).collect())
    }
}

/// Removes from a group the cases without a new position, and then the groups without cases.
fn keep(group: &mut Group, places: &[Option<usize>]) {
    group.items.retain_mut(|item| match item {
        Item::Case(index) => {
            let place = places[*index];
            *index = place.unwrap_or(*index);
            place.is_some()
        }
        Item::Group(inner) => {
            keep(inner, places);
            !inner.items.is_empty()
        }
    });
}

/// The names of a group and of all groups in it.
fn names_of(group: &Group, names: &mut HashSet<String>) {
    names.insert(group.name.clone());
    group.items.iter().for_each(|item| {
        if let Item::Group(inner) = item {
            names_of(inner, names);
        }
    });
}

/// Removes the requirements on groups that were left out.
fn require(group: &mut Group, left: &HashSet<String>) {
    group.rules.require_pass.retain(|name| left.contains(name));
    group.items.iter_mut().for_each(|item| {
        if let Item::Group(inner) = item {
            require(inner, left);
        }
    });
}
