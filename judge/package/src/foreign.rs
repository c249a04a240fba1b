//! Recognises folders in the formats of other judges, and suggests how to import them.

use std::collections::BTreeSet;
use std::path::Path;

use judge_core::hint::Hint;

/// The endings of inputs, and of answers.
const INPUTS: [&str; 2] = ["in", "input"];
const ANSWERS: [&str; 5] = ["out", "ans", "a", "output", "sol"];
/// The folders that some sets of tests have next to each other: one of inputs and one of answers.
const FOLDERS: [(&str, &str); 2] = [("in", "out"), ("input", "output")];
/// The most names of a folder that are checked.
const MAX_NAMES: usize = 10_000;
/// The page that explains how to import them.
const PAGE: &str = "docs/packages.md#other-formats";

/// The format of another judge.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherFormat {
    /// Its name, and how to import it, as a fragment.
    pub reason: String,
    /// The remedy, if the reason does not name it.
    pub hint: Option<Hint>,
}

/// The format of a folder that is not a problem package; `None` if it is unknown.
pub fn other_format(folder: &Path) -> Option<OtherFormat> {
    let has = |name: &str| folder.join(name).is_file();
    if has("problem.xml") {
        let reason =
            format!("a package of Polygon (problem.xml), which p2d turns into one that can be imported ({PAGE})");
        return Some(OtherFormat { reason, hint: Some(Hint::ConvertPolygon { package: folder.to_owned() }) });
    }
    if has("init.yml") {
        let way = by_pattern("*.in", "*.out");
        return Some(alone(format!("a problem of DMOJ (init.yml), which is not read; {way} ({PAGE})")));
    }
    let (inputs, answers) = patterns(folder)?;
    Some(alone(format!("a folder of inputs and answers; {} ({PAGE})", by_pattern(&inputs, &answers))))
}

/// A format whose reason contains the remedy.
fn alone(reason: String) -> OtherFormat {
    OtherFormat { reason, hint: None }
}

/// The remedy for a folder of inputs and answers: a contest with these patterns.
fn by_pattern(inputs: &str, answers: &str) -> String {
    format!("write a contest file with [[board]], files = \"{inputs}\" and answer = \"{answers}\"")
}

/// The patterns of inputs and of their answers in a folder with both.
fn patterns(folder: &Path) -> Option<(String, String)> {
    let names = |folder: &Path| -> BTreeSet<String> {
        let items = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_NAMES);
        items.filter_map(|item| item.file_name().into_string().ok()).collect()
    };
    let pair = |(input, answer): (&str, &str)| {
        let (inputs, answers) = (names(&folder.join(input)), names(&folder.join(answer)));
        let stem = |name: &String| Path::new(name).file_stem()?.to_str().map(str::to_owned);
        let ending = |name: &String| Path::new(name).extension()?.to_str().map(|ending| format!(".{ending}"));
        inputs.iter().find_map(|name| {
            let answer_name = answers.iter().find(|other| stem(other) == stem(name))?;
            let [one, other] = [name, answer_name].map(|name| ending(name).unwrap_or_default());
            Some((format!("{input}/*{one}"), format!("{answer}/*{other}")))
        })
    };
    let all = names(folder);
    let beside = all.iter().find_map(|name| {
        let (stem, ending) = name.rsplit_once('.')?;
        let input = INPUTS.contains(&ending).then_some(ending)?;
        let answer = ANSWERS.iter().find(|answer| all.contains(&format!("{stem}.{answer}")))?;
        Some((format!("*.{input}"), format!("*.{answer}")))
    });
    beside.or_else(|| FOLDERS.into_iter().find_map(pair))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn folders_of_other_judges_are_named_with_the_way() {
        for (files, expected) in [
            (&["problem.xml", "1.in", "1.out"][..], Some("a package of Polygon (problem.xml), which p2d turns")),
            (&["init.yml", "data.zip"], Some("a problem of DMOJ (init.yml), which is not read")),
            (&["01.in", "01.ans", "x.md"], Some("files = \"*.in\" and answer = \"*.ans\"")),
            (&["in/1.txt", "out/1.txt"], Some("files = \"in/*.txt\" and answer = \"out/*.txt\"")),
            (&["input/1", "output/1"], Some("files = \"input/*\" and answer = \"output/*\"")),
            (&["01.in", "02.out"], None),
            (&["in/1.txt", "out/2.txt"], None),
            (&[], None),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for file in files {
                let path = folder.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
            let found = other_format(folder.path()).map(|format| format.reason);
            assert_eq!(found.is_some(), expected.is_some(), "{files:?}: {found:?}");
            assert!(found.as_ref().zip(expected).is_none_or(|(found, part)| found.contains(part)), "{found:?}");
        }
    }
}
