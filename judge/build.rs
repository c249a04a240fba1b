//! Tells the command which commit it is built from, and for which target: `judge --version` prints both, and results record
//! them. Lists the contests of the Programmer Of The Month that `judge init --like` copies.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a build script tells Cargo what it found on its standard output, and asks Git"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=JUDGE_COMMIT");
    let commit = env::var("JUDGE_COMMIT").ok().or_else(of_package).or_else(of_repository);
    println!("cargo::rustc-env=JUDGE_COMMIT={}", commit.unwrap_or_default());
    println!("cargo::rustc-env=JUDGE_TARGET={}", env::var("TARGET").unwrap_or_default());
    let list = months().expect("the contests to start from can be listed");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names it"));
    fs::write(out.join("months.rs"), list).expect("Cargo's folder can be written");
}

/// The contests to start from, with their files, as a Rust expression: a link leads to them, so that a package of this crate
/// contains them.
fn months() -> io::Result<String> {
    let all = Path::new("src/cli/init/like");
    println!("cargo::rerun-if-changed={}", all.display());
    let mut list = "&[\n".to_owned();
    for month in sorted(all)?.into_iter().filter(|month| month.join("contest.toml").is_file()) {
        let mut files: Vec<PathBuf> = ["contest.toml", "referee.py", "README.md"].map(|name| month.join(name)).into();
        for folder in ["boards", "entries"] {
            files.extend(sorted(&month.join(folder))?.into_iter().filter(|file| file.is_file()));
        }
        let name = month.file_name().unwrap_or_default().display();
        list += &format!("({:?}, &[\n", name.to_string());
        for file in files {
            let inside = file.strip_prefix(&month).map_err(io::Error::other)?;
            list += &format!("({inside:?}, include_str!({:?})),\n", file.canonicalize()?);
        }
        list += "]),\n";
    }
    Ok(list + "]\n")
}

/// What is in a folder, by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut items: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|item| item.map(|item| item.path())).collect::<io::Result<_>>()?;
    items.sort();
    Ok(items)
}

/// The commit that `cargo package` left in the package, as the whole hash.
fn of_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    short(rest.split('"').next()?)
}

/// The commit of the project's own repository; with a `+` if the sources of the command differ from it.
///
/// A build without optimisation does not ask: each commit would compile the command anew.
fn of_repository() -> Option<String> {
    if env::var("PROFILE").as_deref() != Ok("release") || !Path::new("../.git").exists() {
        return None;
    }
    // The log of the checked-out branch gets a line with each commit, wherever a worktree has it.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])?;
    let crates = fs::read_dir(".").ok()?.flatten().map(|item| item.path().join("src"));
    let sources = crates.chain(["src", "../Cargo.toml", "../Cargo.lock"].map(PathBuf::from));
    let sources: Vec<String> = sources.filter(|path| path.exists()).map(|path| path.display().to_string()).collect();
    for watched in sources.iter().chain([&log]) {
        println!("cargo::rerun-if-changed={watched}");
    }
    let commit = short(&git(&["rev-parse", "HEAD"])?)?;
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(sources.iter().map(String::as_str));
    let changed = git(&status)?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}

/// The first twelve digits of a hash.
fn short(hash: &str) -> Option<String> {
    hash.get(..12).map(str::to_owned)
}

/// What a command of Git prints; `None` without Git, or outside a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
