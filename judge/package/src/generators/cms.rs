//! The inputs and outputs of a task of CMS, as `gen/GEN` defines them.

use std::path::PathBuf;

use super::{GeneratedCase, Generation, GeneratorCommand};
use crate::cms::{self, Gen, Make, Task};
use crate::error::PackageError;
use crate::files::Files;
use crate::program::Overrides;

/// Reads how the inputs and outputs of a task are made.
pub(super) fn read(files: Files) -> Result<Generation, PackageError> {
    let task = Task::read(&files)?;
    let file: PathBuf = files.root().join("gen/GEN");
    let inputs = Gen::read(&files)?
        .ok_or_else(|| PackageError::whole(&file, "no such file; without it nothing says how inputs are made"))?;
    let mut programs = Vec::new();
    if inputs.inputs.iter().any(|input| matches!(input, Make::Call(_))) {
        let generator = cms::tool(&files, "generatore")?;
        let generator = generator.ok_or_else(|| {
            PackageError::whole(
                &file,
                "it calls a generator, but there is no source gen/generatore with a known ending",
            )
        })?;
        programs.push((generator, "generators".to_owned(), Overrides::default()));
    }
    let official = task.official(&files)?.ok_or_else(|| {
        PackageError::whole(
            &files.root().join("sol"),
            "no source soluzione with a known ending, which makes the outputs",
        )
    })?;
    let solution = Some(programs.len());
    programs.push((official, "submissions".to_owned(), Overrides::default()));
    let case = |(index, input): (usize, Make)| {
        let name = index.to_string();
        let usual = GeneratedCase { name, solution, ..GeneratedCase::default() };
        match input {
            Make::Call(args) => {
                GeneratedCase { command: Some(GeneratorCommand { program: 0, tries: vec![args] }), ..usual }
            }
            Make::Copy(from) => GeneratedCase { copies: vec![("in".to_owned(), from)], ..usual },
        }
    };
    // The tools of CMS call generators in the folder of the task.
    let folders = files.list(files.root())?.into_iter().map(|name| (name.clone(), files.root().join(name)));
    let beside = folders.filter(|(_, path)| path.is_dir()).collect();
    let cases = inputs.inputs.into_iter().enumerate().map(case).collect();
    let (limits, metadata) = (task.metadata.limits.clone(), task.metadata);
    let (configurations, notices) = Default::default();
    let empty_answers = false;
    Ok(Generation {
        beside,
        cases,
        configurations,
        limits,
        empty_answers,
        notices,
        programs,
        metadata,
        files,
        of_cms: true,
    })
}
