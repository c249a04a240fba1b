//! Tests of compilers as jobs: the built programs run in every tier.

use super::*;

#[test]
fn a_compiler_works_in_the_sandbox() {
    let path = inherited("PATH").unwrap_or_default();
    if find("cc".as_ref(), &path).is_none() {
        eprintln!("skipped: no cc on the PATH");
        return;
    }
    in_every_tier(|executor| {
        let folder = Folder::new();
        let own = folder.folder("own");
        folder.file("own/X.c", "#include <stdio.h>\nint main(void) { puts(\"compiled\"); return 0; }\n");
        let mut job = folder.shell("");
        job.argv = ["cc", "-O2", "-o", "X", "X.c"].map(|word| Argument::Text(word.into())).into();
        job.directory = Some(own.clone());
        job.writable = vec![own.clone().into()];
        folder.succeeds(executor, &job);
        job.argv = vec![Argument::Text("./X".into())];
        assert_eq!(folder.succeeds(executor, &job).1, "compiled\n");
    });
}

/// Cargo's and rustup's homes, if they exist and are readable.
fn homes_of_rust() -> Option<[(String, PathBuf); 2]> {
    let home = inherited("HOME").map(PathBuf::from);
    let folder = |name: &str, usual: &str| {
        let folder = inherited(name).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(usual)))?;
        Some((name.to_owned(), folder.canonicalize().ok()?))
    };
    let homes = [folder("CARGO_HOME", ".cargo")?, folder("RUSTUP_HOME", ".rustup")?];
    // A crate that this project depends on must be in the cache.
    fs::read_dir(homes[0].1.join("registry/src")).ok()?.next()?.ok()?;
    fs::read_dir(&homes[1].1).ok()?;
    Some(homes)
}

#[test]
fn cargo_builds_a_crate_with_a_cached_dependency_in_the_sandbox() {
    let Some(homes) = homes_of_rust() else {
        eprintln!("skipped: no home of cargo with cached crates, or none of rustup");
        return;
    };
    in_every_tier(|executor| {
        let folder = Folder::new();
        let own = folder.folder("own");
        folder.folder("own/src");
        let manifest =
            "[package]\nname = \"solver\"\nedition = \"2021\"\n[dependencies]\nfastrand = \"2\"\n[workspace]\n";
        folder.file("own/Cargo.toml", manifest);
        folder.file("own/src/main.rs", "fn main() { println!(\"{}\", fastrand::Rng::with_seed(1).u8(7..8)); }");
        let mut job = folder.shell("");
        job.argv = ["cargo", "build", "--offline"].map(|word| Argument::Text(word.into())).into();
        job.directory = Some(own.clone());
        job.readable = homes.iter().map(|(_, folder)| folder.into()).collect();
        job.writable = vec![own.clone().into()];
        job.environment = homes.iter().map(|(name, home)| (name.clone(), home.display().to_string())).collect();
        job.limits.memory_bytes = Some(4 << 30);
        folder.succeeds(executor, &job);
        job.argv = vec![Argument::Text("target/debug/solver".into())];
        assert_eq!(folder.succeeds(executor, &job).1, "7\n");
    });
}
