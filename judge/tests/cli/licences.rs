//! The licences of all dependencies against those that `deny.toml` allows. The gate runs cargo-deny as well, where it is
//! installed.

use spdx::{Expression, ParseMode};

use crate::support::*;

/// Whether the allowed licences satisfy an expression. One with an exception is its own licence.
fn is_satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // Older crates write a slash instead of `OR`.
    let expression = Expression::parse_mode(expression, ParseMode::LAX).expect("an expression of SPDX");
    expression.evaluate(|licence| allowed.contains(&licence.to_string()))
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    all_are_allowed(&[]);
}

/// Cargo fetches the dependencies of features that are off.
#[test]
#[ignore = "deep: interfaces"]
fn dependencies_of_optional_features_have_one_too() {
    all_are_allowed(&["--all-features"]);
}

fn all_are_allowed(options: &[&str]) {
    let rules: toml::Table = fs::read_to_string(project().join("deny.toml")).unwrap().parse().unwrap();
    let allowed = rules["licenses"]["allow"].as_array().unwrap();
    let allowed: BTreeSet<String> = allowed.iter().map(|licence| licence.as_str().unwrap().to_owned()).collect();
    let exceptions = rules["licenses"]["exceptions"].as_array().unwrap();
    let packages = ["Cargo.toml", "entries/Cargo.toml"].map(|workspace| {
        let mut metadata = metadata(workspace, options);
        let packages: Vec<serde_json::Value> = serde_json::from_value(metadata["packages"].take()).unwrap();
        assert!(packages.len() > 50, "{workspace}: {} packages", packages.len());
        packages
    });
    for package in packages.iter().flatten() {
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{} has no licence", package["name"]));
        let excepted = exceptions.iter().filter(|exception| exception["crate"].as_str() == package["name"].as_str());
        let more = excepted.flat_map(|exception| exception["allow"].as_array().unwrap());
        let more = more.map(|licence| licence.as_str().unwrap().to_owned());
        let satisfied = is_satisfied(licence, &allowed.iter().cloned().chain(more).collect());
        assert!(satisfied, "{}: {licence} is not allowed by deny.toml", package["name"]);
    }
}

#[test]
fn a_licence_that_is_not_allowed_is_found() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
    for good in ["MIT", "GPL-2.0/MIT", "(GPL-2.0 OR MIT) AND Zlib", "Apache-2.0 WITH LLVM-exception OR GPL-2.0"] {
        assert!(is_satisfied(good, &allowed), "{good}");
    }
    for bad in ["GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0", "MIT WITH LLVM-exception"] {
        assert!(!is_satisfied(bad, &allowed), "{bad}");
    }
}
