//! Lists the versions of a solver that its folder remembers: `cargo run -p judge-show --example versions -- FOLDER/judge-try/loyd`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::error::Error;
use std::path::PathBuf;

use judge_show::versions::{Memory, listed};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("name a folder with a history.csv")?;
    let memory = Memory::at(folder);
    for line in listed(&memory, None)? {
        let summary = line.summary.as_ref();
        let score = summary.and_then(|summary| summary.relative).map_or("-".into(), |score| format!("{score:.4}"));
        println!("{} {}: relative score {score}", line.version.title(), line.version.comment);
    }
    if let [.., before, last] = &memory.versions()?[..]
        && let (Some(before), Some(last)) = (memory.tried(before)?, memory.tried(last)?)
        && let Some(pair) = judge_show::versions::pair_of_versions(&before.results, &last.results)?
    {
        println!("the last one is better on {}, worse on {}", pair.second_better, pair.first_better);
    }
    Ok(())
}
