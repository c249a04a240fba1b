//! Strengths of entries against a second program with scipy.

use judge_core::compare::Strengths;
use judge_core::results::Results;

use super::*;
use crate::compare::recomputed::python;

#[test]
#[ignore = "deep: clients"]
fn scipy_finds_the_same_strengths() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let mut compared = 0;
    for seed in 0..200 {
        let name = format!("t{seed}");
        tournaments::pretend(seed, &folder.path().join(&name));
        let contents = judge_core::journal::read(&folder.path().join(&name)).unwrap();
        let results = Results::from_journal(&contents);
        let Some(found) = results.matches.as_ref().and_then(Strengths::of) else { continue };
        let entries = found.entries.iter().map(|one| (one.entry.to_string(), one.value.into()));
        let strengths =
            serde_json::json!({"entries": entries.collect::<serde_json::Map<_, _>>(), "draws": found.draws});
        let games = folder.judge(["games", &name, "--json"]).exits(0).stdout;
        let output = Command::new(&python)
            .arg(project().join("judge/tests/cli/matches/strength.py"))
            .args([folder.file("games.jsonl", games), folder.file("strengths.json", strengths.to_string())])
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        compared += 1;
    }
    assert!(compared > 30, "{compared} tournaments have strengths");
}
