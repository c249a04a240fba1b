//! The layers of the modules of `judge-core`: each uses modules of lower layers only, so that no circle comes into being.

use crate::support::*;

/// The modules from the bottom up. A module of one layer uses none of the same layer and none of a higher one.
const LAYERS: [&[&str]; 13] = [
    // Text, numbers and names.
    &[
        "chunks",
        "map",
        "code",
        "date",
        "fingerprint",
        "key",
        "picture",
        "rare",
        "shared",
        "text",
        "tokens",
        "hint",
        "withdrawal",
    ],
    &["points"],
    &["names", "relative"],
    // Figures, and what answers of games give.
    &["figure"],
    &["game"],
    // Verdicts and scores.
    &["games", "verdict"],
    &["scoring"],
    &["external", "matches", "score"],
    // The plan.
    &["plan", "reference", "stream"],
    // Events and their fold, and the ranking.
    &["journal", "ranking", "referee"],
    // Results.
    &["changes", "indexed_replay", "results"],
    // Rounds, summaries and comparisons.
    &["advance", "legend", "summary"],
    &["compare", "recorded", "results_csv", "season"],
];

/// The code of a source without comments and tests.
fn code(source: &str) -> String {
    let tested = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    tested.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The modules of the crate that a code names. `depth` is that of its file: 0 for `plan.rs`, 1 for `plan/same.rs`.
fn modules_in(code: &str, depth: usize) -> BTreeSet<String> {
    // From its file, so many `super::` lead to the root of the crate.
    let root = "super::".repeat(depth + 1);
    let paths = code.split("crate::").skip(1).chain(code.split(&root).skip(1));
    let first = |path: &str| path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    paths.map(first).collect()
}

#[test]
fn modules_of_the_core_use_lower_layers_only() {
    let layers: BTreeMap<&str, usize> =
        LAYERS.iter().zip(0..).flat_map(|(layer, number)| layer.iter().map(move |module| (*module, number))).collect();
    let folder = project().join("judge/core/src");
    let mut upward = Vec::new();
    let mut seen = BTreeSet::new();
    for path in files_below(&["judge/core/src"]) {
        let inside = path.strip_prefix(&folder).unwrap().with_extension("");
        let module = inside.iter().next().unwrap().to_string_lossy().into_owned();
        let tests = inside.iter().any(|part| part.to_string_lossy().ends_with("tests"));
        if module == "lib" || tests || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let layer = *layers.get(&*module).unwrap_or_else(|| panic!("add module `{module}` of the core to LAYERS"));
        let code = code(&fs::read_to_string(&path).unwrap());
        for used in modules_in(&code, inside.iter().count() - 1).into_iter().filter(|used| *used != module) {
            let of_used = layers.get(&*used);
            let of_used = of_used.unwrap_or_else(|| panic!("{} names `{used}`, which has no layer", inside.display()));
            if *of_used >= layer {
                upward.push(format!("{} uses {used}", inside.display()));
            }
        }
        seen.insert(module);
    }
    assert_eq!(upward, [""; 0], "move what both need to a lower layer, or what joins them to a higher one");
    let listed: BTreeSet<String> = layers.keys().map(|module| (*module).to_owned()).collect();
    assert_eq!(seen, listed, "LAYERS names modules that do not exist");
}

#[test]
fn the_modules_that_a_source_names_are_found() {
    let source = "//! See [`crate::results`].\nuse crate::plan::{Board, Plan};\nuse super::Line;\nuse super::super::advance;\n\
                  fn f() -> crate::score::Cell {\n    // crate::legend\n    super::g()\n}\n#[cfg(test)]\nmod tests {\n    use crate::compare;\n}\n";
    let found = |depth| modules_in(&code(source), depth).into_iter().collect::<Vec<_>>();
    assert_eq!(found(1), ["advance", "plan", "score"]);
    assert_eq!(found(2), ["plan", "score"]);
}
