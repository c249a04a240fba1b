//! The licences of all dependencies against those that `deny.toml` allows.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{metadata, project};

/// An SPDX expression: licences joined by `OR` and `AND`, of which `AND` binds closer, and parentheses.
struct Expression<'a> {
    words: Vec<&'a str>,
    allowed: &'a BTreeSet<String>,
}

impl<'a> Expression<'a> {
    /// Whether the allowed licences satisfy the expression.
    fn is_satisfied(expression: &'a str, allowed: &'a BTreeSet<String>) -> bool {
        let spaced = |text: &'a str| {
            text.split_inclusive(['(', ')']).flat_map(|part| {
                let (word, end) = part.split_at(part.len() - usize::from(part.ends_with(['(', ')'])));
                [word, end]
            })
        };
        // Older crates write a slash instead of `OR`.
        let words = expression.split_whitespace().flat_map(spaced);
        let words = words.flat_map(|word| {
            word.split_inclusive('/').flat_map(|part| match part.strip_suffix('/') {
                Some(licence) => [licence, "OR"],
                None => [part, ""],
            })
        });
        let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.reverse();
        let mut expression = Self { words, allowed };
        let satisfied = expression.any();
        assert!(expression.words.is_empty(), "an expression ends before {:?}", expression.words);
        satisfied
    }

    fn any(&mut self) -> bool {
        let mut satisfied = self.all();
        while self.words.pop_if(|word| *word == "OR").is_some() {
            satisfied |= self.all();
        }
        satisfied
    }

    fn all(&mut self) -> bool {
        let mut satisfied = self.one();
        while self.words.pop_if(|word| *word == "AND").is_some() {
            satisfied &= self.one();
        }
        satisfied
    }

    fn one(&mut self) -> bool {
        let word = self.words.pop().expect("a licence");
        if word == "(" {
            let satisfied = self.any();
            assert_eq!(self.words.pop(), Some(")"));
            return satisfied;
        }
        // A licence with an exception is another licence.
        match self.words.pop_if(|word| *word == "WITH") {
            Some(_) => self.allowed.contains(&format!("{word} WITH {}", self.words.pop().expect("an exception"))),
            None => self.allowed.contains(word),
        }
    }
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let rules: toml::Table = fs::read_to_string(project().join("deny.toml")).unwrap().parse().unwrap();
    let allowed = rules["licenses"]["allow"].as_array().unwrap();
    let allowed: BTreeSet<String> = allowed.iter().map(|licence| licence.as_str().unwrap().to_owned()).collect();
    let exceptions = rules["licenses"]["exceptions"].as_array().unwrap();
    let metadata = metadata(&[]);
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "{} packages", packages.len());
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{} has no licence", package["name"]));
        let excepted = exceptions.iter().filter(|exception| exception["crate"].as_str() == package["name"].as_str());
        let more = excepted.flat_map(|exception| exception["allow"].as_array().unwrap());
        let more = more.map(|licence| licence.as_str().unwrap().to_owned());
        let satisfied = Expression::is_satisfied(licence, &allowed.iter().cloned().chain(more).collect());
        assert!(satisfied, "{}: {licence} is not allowed by deny.toml", package["name"]);
    }
}

#[test]
fn expressions_are_read_as_spdx_defines_them() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
    let satisfied = |expression: &str| Expression::is_satisfied(expression, &allowed);
    for good in
        ["MIT", "GPL-2.0 OR MIT", "GPL-2.0/MIT", "MIT AND Zlib", "(GPL-2.0 OR MIT) AND Zlib", "GPL-2.0 OR MIT AND Zlib"]
    {
        assert!(satisfied(good), "{good}");
    }
    assert!(satisfied("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
    for bad in ["GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0", "(GPL-2.0 OR MIT) AND BSL-1.0", "MIT WITH LLVM-exception"] {
        assert!(!satisfied(bad), "{bad}");
    }
}
