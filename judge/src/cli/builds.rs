//! Before the first run: what has to be built, and which programs the contest is about.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::progress::Shown;
use super::{Failure, say};
use judge_contest::Contest;
use judge_sandbox::{BuildError, Interrupt, build};

/// Runs every build command once, however many entries name it.
pub(super) fn build_entries(
    contest: &Contest,
    results: &Path,
    shown: Shown,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let mut builds: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in &contest.plan.entries {
        let Some(command) = &entry.build else { continue };
        match builds.iter_mut().find(|(known, _)| known == command) {
            Some((_, entries)) => entries.push(&entry.name),
            None => builds.push((command, vec![&entry.name])),
        }
    }
    let logs = results.join("builds");
    fs::create_dir_all(&logs).map_err(|error| Failure::judge(format!("{}: {error}", logs.display())))?;
    for (command, entries) in builds {
        if shown != Shown::Nothing {
            say(&format!("building: {command}"));
        }
        let log = logs.join(format!("{}.log", entries[0]));
        if let Err(error) = build(command, contest.directory(), &log, interrupt) {
            let names = entries.join(", ");
            return Err(match error {
                BuildError::Interrupted => {
                    Failure { message: Some("interrupted before the first run".into()), code: interrupt.exit_code() }
                }
                BuildError::Judge { .. } => Failure::judge(format!("building {names}: {error}")),
                BuildError::Failed { .. } | BuildError::TooLong { .. } => Failure::input(format!(
                    "building {names}: {error}\nall of it is in {}; mend the build, or leave the entry out with --entries",
                    log.display()
                )),
            });
        }
    }
    Ok(())
}

/// SHA-256 of every file that an entry's command names, so that a resumed contest can tell another program.
pub(super) fn programs(contest: &Contest) -> BTreeMap<String, BTreeMap<String, String>> {
    let directory = contest.directory();
    let digest = |path: &Path| {
        let hash = Sha256::digest(fs::read(path).ok()?);
        Some(hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    };
    let files = |entry| {
        let command = contest.command(entry);
        let paths = command.into_iter().filter(|word| Path::new(word).is_absolute() && Path::new(word).is_file());
        paths.filter_map(|path| {
            let name = Path::new(&path).strip_prefix(directory).unwrap_or(Path::new(&path)).display().to_string();
            Some((name, digest(Path::new(&path))?))
        })
    };
    contest.plan.entries.iter().map(|entry| (entry.name.clone(), files(entry).collect())).collect()
}
